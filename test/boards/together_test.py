#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""together_test.py: the firmware that draws the planet while the ripple plays, against the files. Half the way, the
display has the upper half of the planet above the lower half of a frame; at the end, the picture of the demonstration,
which has its own tests. No payload is read twice.

  together_test.py LOG PHOTOGRAPHS TOGETHER.tet PLANET.png UTET
      PHOTOGRAPHS: folder with half.png, whole.png and planet.png
"""
import json
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "tools"))
import known  # noqa: E402
import tally  # noqa: E402
from screen import read_png, reduce  # noqa: E402
from tally import check  # noqa: E402

WIDTH, HEIGHT, FRAMES = 128, 64, 24
SECTOR = 512
FRAME = 11  # the frame after row 31 of the planet: 31 / 63 of 24


def frame_of(utet, path, number):
    """Rows 32 to 63 of a frame in the 16 greys of the display, as its photograph has them."""
    slab = f"{number},32:64,:"
    dense = subprocess.run([utet, "read", path, "ripple", "--slab", slab, "--format", "raw"], stdout=subprocess.PIPE, check=True).stdout
    return bytes(v >> 4 for v in dense)


def sectors(utet, path):
    """Sectors that hold the payloads which are drawn, each payload counted by itself, and their number."""
    about = json.loads(subprocess.run([utet, "info", "--all", "--json", path], stdout=subprocess.PIPE, check=True).stdout)
    names = [one["name"] for one in about["datasets"]]
    total = count = 0
    for row in about["chunks"]:
        name, coords = names[row["dataset_id"]], row["chunk_index"]
        # A frame is drawn below the planet's last row: after the first half, its upper tiles are not read.
        if name in ("temperature", "elevation") or (name == "ripple" and (coords[0] <= FRAME or coords[1] == 1)):
            first, last = row["payload_offset"] // SECTOR, (row["payload_offset"] + row["stored_byte_len"] - 1) // SECTOR
            total, count = total + last - first + 1, count + 1
    return total, count


def page(text):
    """These words are in the board's page."""
    with open(os.path.join(known.ROOT, "boards", "lm3s6965evb", "README.md"), encoding="utf-8") as f:
        said = " ".join(f.read().split())
    check("the page has the figures", text in said, text)


def main():
    log, photographs, path, planet, utet = sys.argv[1:]
    with open(log) as f:
        text = f.read()
    half, whole, end = (read_png(os.path.join(photographs, name + ".png"))[2] for name in ("half", "whole", "planet"))
    middle = WIDTH * HEIGHT // 2
    check("the upper half of the planet is drawn", half[:middle] == whole[:middle])
    levels = {grey: n for n, grey in enumerate(sorted(set(whole)))}
    check("the picture has 16 greys", len(levels) == 16, levels)
    check("the frame is the file's", bytes(levels.get(v, 255) for v in half[middle:]) == frame_of(utet, path, FRAME))
    check("other frames differ from it", frame_of(utet, path, FRAME - 1) != frame_of(utet, path, FRAME))
    check("the picture at the end is the demonstration's", end == reduce(*read_png(planet))[2])
    figures = re.search(r"^frames (\d+), sectors (\d+), workspace: decoded tiles (\d+), the rest (\d+)$", text, re.M)
    check("the firmware prints its figures", figures, text)
    frames, read, tiles, rest = (int(n) for n in figures.groups())
    check("all frames are drawn", frames == FRAMES, frames)
    payloads, count = sectors(utet, path)
    # Besides the payloads: a sector for each row of the index that is looked up, and the footer's texts.
    check("no payload is read twice", payloads <= read <= payloads + count + 80, f"{read} sectors, payloads {payloads}, {count} tiles")
    check("decoded tiles take their sizes", tiles == 4 * (2048 + 16) + 4 * (1024 + 16) + 2 * (2048 + 16), tiles)
    check("the rest is a window and a decoder without history", rest <= 12288, rest)
    check("the firmware ends well", text.rstrip().endswith("together: good"))
    page(f"{tiles:,} bytes. They share the window and the decoder, {rest:,} bytes")
    page(f"the {count} payloads are in {payloads} sectors; with the chunk index and the footer, the card is asked for {read}")
    print(f"figure: together: {count} payloads in {payloads} sectors; {read} sectors read; {tiles} bytes of tiles, {rest} besides")
    return tally.end()


if __name__ == "__main__":
    sys.exit(main())
