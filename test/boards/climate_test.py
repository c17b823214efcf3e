#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""climate_test.py: the firmware climate.c on its board, while buttons move the cursor. Each picture is compared with one that this
script computes from the arrays before they were packed: the field's minimum, maximum and mean in degrees, the place and the value under
the cursor, every pixel of the map. In a second file the latitudes are labels, and nothing tells the longitudes. A file with one bit
flipped and a file without a field are named on the display.

  climate_test.py FOLDER CLIMATE.elf BOARD CARD_MAKE     FOLDER: what climate_data.py writes, climate.tet, labels.tet, other.tet; BOARD:
folder of font.c
"""
import fractions
import os
import sys

import numpy as np

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from viewer_board import SHAPE, Board, Checks, card, hundredths, memory  # noqa: E402

FOLDER, FIRMWARE, BOARD, CARD_MAKE = sys.argv[1:5]
FILE = os.path.join(FOLDER, "climate.tet")
TITLE = "The field cannot be shown"
BUTTONS = ["up", "right", "right", "right", "right", "up", "select", "right", "up", "left", "select", "down", "right", "right", "right", "right",
           "right", "down", "down", "down", "down", "down", "down", "down", "up"]
MOVES = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1), "select": (0, 0)}
checks = Checks(os.path.join(BOARD, "font.c"))

# The board's integers: steps of 0.02 degrees around 10 degrees. The axes have steps of 1/32 degree.
field, latitudes, longitudes = (np.load(os.path.join(FOLDER, name + ".npy")) for name in ("temperature", "lat", "lon"))
steps = np.ma.masked_invalid(np.rint((field - 10) * 50))
low, high = int(steps.min()), int(steps.max())


def degrees(code):
    return hundredths(fractions.Fraction(code) / 50 + 10)


def wanted(y, x, place=None):
    """Texts and greys with the cursor at this row and column. place: the text of the place, unless it is that of climate.tet."""
    greys = np.where(steps.mask, 0, 1 + (steps.filled(low).astype(int) - low) * 13 // (high - low))
    for away in range(2, 6):
        for row, column in ((y + away, x), (y - away, x), (y, x + away), (y, x - away)):
            if 0 <= row < SHAPE[0] and 0 <= column < SHAPE[1]:
                greys[row, column] = 15
    mean = degrees(fractions.Fraction(int(steps.sum()), int(steps.count())))
    lat, lon = (hundredths(fractions.Fraction(int(n), 32)) for n in (latitudes[y], longitudes[x]))
    value = "none" if steps.mask[y, x] else degrees(int(steps[y, x])) + " degC"
    return [(0, 0, f"{degrees(low)}..{degrees(high)} mean {mean}"), (0, 52, place or f"lat {lat} lon {lon}"), (0, 58, value)], greys


def pictures():
    y, x, move, missing = SHAPE[0] // 2, SHAPE[1] // 2, 8, 0
    with Board(FIRMWARE, card(CARD_MAKE, os.path.join(FOLDER, "climate.img"), FILE), FOLDER) as board:
        seen = board.first()
        for number, button in enumerate(BUTTONS + [None]):
            checks.picture(f"picture {number}, row {y}, column {x}", seen, *wanted(y, x))
            missing += steps.mask[y, x]
            if seen.name != "view":
                sys.exit("no picture")
            if number == 5:
                checks.photograph(seen, os.path.join(FOLDER, "climate.png"), os.path.join(BOARD, "climate.png"))
            if button:
                move = 9 - move if button == "select" else move
                y, x = min(max(y + move * MOVES[button][0], 0), SHAPE[0] - 1), (x + move * MOVES[button][1]) % SHAPE[1]
                seen = board.press(button)
        checks.check(missing > 0, "the cursor was at a missing value")
        return {f"{what} of the map": number for what, number in memory(seen).items()}


def stored_as(data, name):
    """A card with this file as climate.tet."""
    path = os.path.join(FOLDER, "copy", "climate.tet")
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as f:
        f.write(data)
    return card(CARD_MAKE, os.path.join(FOLDER, name), path)


def labels():
    with open(os.path.join(FOLDER, "labels.tet"), "rb") as f, open(os.path.join(FOLDER, "lat.labels")) as g:
        image, latitude = stored_as(f.read(), "labels.img"), g.read().split(",")
    with Board(FIRMWARE, image, FOLDER) as board:
        for number, (y, seen) in enumerate([(32, board.first()), (24, None)]):
            seen = seen or board.press("up")
            text = latitude[y] if latitude[y].endswith("N") else hundredths(fractions.Fraction(latitude[y]))
            checks.picture(f"labels, row {y}", seen, *wanted(y, 64, f"lat {text} x 64"))


def faulty(what, data, words, offset):
    with Board(FIRMWARE, stored_as(data, "fault.img"), FOLDER) as board:
        checks.notice(what, board.first(), TITLE, words, offset)


with open(FILE, "rb") as f:
    good = f.read()
flipped = bytearray(good)
flipped[len(good) // 2] ^= 8  # the middle of the file is in a tile of the field
skips = checks.page(os.path.join(BOARD, "VIEWER.md"), "climate", pictures())
labels()
faulty("one bit is flipped", flipped, "damaged", range(len(good) // 2 - 512, len(good) // 2 + 512))
with open(os.path.join(FOLDER, "other.tet"), "rb") as f:
    faulty("another file", f.read(), "no dataset of 64 x 128 integers (i16)", range(1 << 32))
print(f"{checks.passed} passed, {checks.failed} failed" + (f", {skips} skipped" if skips else ""))
sys.exit(checks.failed > 0)
