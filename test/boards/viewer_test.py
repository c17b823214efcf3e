#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""viewer_test.py: the firmware viewer.c on its board, while buttons are pressed. Each picture is compared with one that this script
computes from the CSV file: minimum, maximum and mean, labels of the axis, and every pixel of the plot. A file with one bit flipped, a
truncated one, and a card that is pulled out are named on the display. The figures and the picture of VIEWER.md are those of this run.

  viewer_test.py FOLDER VIEWER.elf BOARD CARD_MAKE     FOLDER: readings.csv, readings.tet; BOARD: folder of the page and font.c
"""
import csv
import datetime
import fractions
import os
import struct
import sys

import numpy as np

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from viewer_board import SHAPE, Board, Checks, card, hundredths, memory  # noqa: E402

FOLDER, FIRMWARE, BOARD, CARD_MAKE = sys.argv[1:5]
FILE = os.path.join(FOLDER, "readings.tet")
TITLE = "The readings cannot be shown"
TOP, ROWS, COLUMNS, STEP = 12, 46, 128, 48
BUTTONS = ["select", "up", "up", "select", "left", "up", "right", "up", "up", "up", "up", "up", "up", "right", "down", "select"]
checks = Checks(os.path.join(BOARD, "font.c"))

# ---- the readings, as the CSV file has them: integers in the last decimal of each sensor, with a mask for gaps ----

with open(os.path.join(FOLDER, "readings.csv"), encoding="ascii") as f:
    names, units, *rows = csv.reader(f)
when = [datetime.datetime.fromisoformat(row[0]) for row in rows]
count = len(when)
SENSORS = names[1:]
decimals = {"temperature": 2, "humidity": 1}
values = {name: np.ma.masked_invalid([float(row[n + 1] or "nan") for row in rows]) for n, name in enumerate(SENSORS)}
stored = {name: np.ma.array(np.rint(values[name].filled(0) * 10 ** decimals[name]).astype(int), mask=values[name].mask) for name in SENSORS}


def text(name, value):
    return hundredths(fractions.Fraction(value) / 10 ** decimals[name])


def wanted(name, first, step):
    """Texts and greys of a view."""
    shown = stored[name][first:first + COLUMNS * step]
    low, high = int(shown.min()), int(shown.max())
    greys, before = np.zeros(SHAPE, int), None
    greys[TOP:TOP + ROWS, ::STEP] = 4
    for x in range(-(-len(shown) // step)):
        part, own = shown[x * step:(x + 1) * step], None
        if part.count():
            # floor(t + 1/2) of t = (high - v) / (high - low) * (ROWS - 1), in integers
            own = [int((2 * (high - v) * (ROWS - 1) + high - low) // (2 * (high - low))) for v in (part.max(), part.min())]
            top, bottom = own if before is None else (min(own[0], before[1]), max(own[1], before[0]))
            greys[TOP + top:TOP + bottom + 1, x] = 15
        before = own
    marks = [when[first + n * STEP * step] for n in range(3)]
    form = "%m-%d" if marks[-1] - marks[0] >= datetime.timedelta(days=8) else "%d %H:%M"
    mean = text(name, fractions.Fraction(int(shown.sum()), int(shown.count())))
    texts = [(0, 0, f"{name} {units[names.index(name)]} {marks[0]:%Y-%m}"),
             (0, 6, f"{text(name, low)}..{text(name, high)} mean {mean}")]
    return texts + [(n * STEP, TOP + ROWS, f"{mark:{form}}") for n, mark in enumerate(marks)], greys


def after(button, name, first, step):
    """The view that follows: select shows the next sensor; left and right scroll by half a screen, up and down zoom around the middle."""
    widest = -(-count // COLUMNS)
    middle = first + COLUMNS // 2 * step
    if button == "select":
        return SENSORS[(SENSORS.index(name) + 1) % len(SENSORS)], first, step
    middle = max(0, middle + COLUMNS // 2 * step * {"left": -1, "right": 1}.get(button, 0))
    step = {"up": (step + 1) // 2, "down": min(2 * step, widest)}.get(button, step)
    return name, max(0, min(middle - COLUMNS // 2 * step, count - COLUMNS * step)), step


def views():
    """Presses the buttons one after another, then pulls out the card and puts it back. Returns the figures of the page."""
    sectors, start = {}, (SENSORS[0], 0, -(-count // COLUMNS))
    image, view = card(CARD_MAKE, os.path.join(FOLDER, "readings.img"), FILE), start
    with Board(FIRMWARE, image, FOLDER) as board:
        seen = board.first()
        for number, button in enumerate(BUTTONS + [None]):
            checks.picture(f"picture {number}, {view}", seen, *wanted(*view))
            if seen.name != "view":
                sys.exit("no picture")
            took = memory(seen)
            sectors.setdefault(view[2], board.sectors())
            if number == 5:
                checks.photograph(seen, os.path.join(FOLDER, "viewer.png"), os.path.join(BOARD, "viewer.png"))
            if button:
                view, seen = after(button, *view), board.press(button)
        board.pull_card()
        checks.notice("the card is pulled out", board.press("select"), TITLE, "the card failed while it was read", range(os.path.getsize(FILE) + 1))
        checks.notice("there is no card", board.press("select"), TITLE, "no card")
        board.insert_card(image)
        checks.picture("the card is back", board.press("select"), *wanted(*start))
    return took | {"sectors for a year": sectors[start[2]], "sectors for a day": sectors[1]}


# ---- faults ----

def regions():
    """The bytes of the file, and where it has its regions, as src/tet/FORMAT.md §1 to §6 has them; row and tile: the first ones of the
    dataset that the board shows first."""
    with open(FILE, "rb") as f:
        data = f.read()
    index, = struct.unpack_from("<Q", data, 16)
    rows, = struct.unpack_from("<Q", data, index + 8)
    row = next(at for at in range(index + 32, index + 32 + 104 * rows, 104) if struct.unpack_from("<Q", data, at)[0] == names.index("temperature"))
    tile, _, stored_bytes = struct.unpack_from("<3Q", data, row + 72)
    return data, {"superblock": range(32), "header": range(index, index + 32), "row": range(row, row + 104),
                  "tile": range(tile, tile + stored_bytes), "tail": range(len(data) - 16, len(data))}


def faulty(what, data, words, offset):
    path = os.path.join(FOLDER, "fault", "readings.tet")
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as f:
        f.write(data)
    with Board(FIRMWARE, card(CARD_MAKE, os.path.join(FOLDER, "fault.img"), path), FOLDER) as board:
        checks.notice(what, board.first(), TITLE, words, offset)
        checks.notice(f"{what}, once more", board.press("down"), TITLE, words, offset)


def faults():
    data, where = regions()
    # In each region, a byte whose highest bit is flipped: a magic word, a high byte of payload_offset, the middle of a tile.
    for region, at, words in (("superblock", 0, "not a .tet file"), ("header", 0, "damaged chunk index header"),
                              ("row", 78, "damaged row of the chunk index"), ("tile", len(where["tile"]) // 2, "damaged"),
                              ("tail", 12, "damaged footer")):
        flipped = bytearray(data)
        flipped[where[region][at]] ^= 128
        faulty(f"a bit of the {region} is flipped", flipped, words, where[region])
    short = data[:len(data) * 2 // 3]
    faulty("the file is truncated", short, "damaged", range(len(short) + 1))
    with open(os.path.join(FOLDER, "milliseconds.tet"), "rb") as f:
        faulty("times in milliseconds", f.read(), "the times are not seconds since 1970", range(1 << 32))
    with open(os.path.join(FOLDER, "other.tet"), "rb") as f:
        faulty("another file", f.read(), "no dataset 'time'", range(1 << 32))


skips = checks.page(os.path.join(BOARD, "VIEWER.md"), "viewer", views())
faults()
print(f"{checks.passed} passed, {checks.failed} failed" + (f", {skips} skipped" if skips else ""))
sys.exit(checks.failed > 0)
