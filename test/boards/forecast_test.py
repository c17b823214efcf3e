#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""forecast_test.py: what the firmware forecast.c drew, against values and metadata of the message as the tool prints them.
Compared are each field's SHA-256, the texts and their glyphs, every grey outside of them, and the workspace, which must be
the stated one.

  forecast_test.py LOG PHOTOGRAPHS FONT.c FILE.tgm UTET     PHOTOGRAPHS: folder with field0.png, field1.png
"""
import array
import hashlib
import json
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tools"))
from labels_test import read_font, read_png, written  # noqa: E402
from tally import check, end  # noqa: E402

MOST_WORKSPACE = {"szip": 2048, "zstd": 20480}  # the time that a field may take on this card


def tool(utet, path, *arguments):
    return subprocess.run([utet, "message", path, "0", *arguments], stdout=subprocess.PIPE, check=True).stdout


def field(number, log, picture, font, path, utet):
    raw = tool(utet, path, "--object", str(number), "--format", "raw")
    entry = json.loads(tool(utet, path, "--metadata"))["base"][number]
    compression = json.loads(tool(utet, path, "--object", str(number), "--descriptor"))["compression"]
    values = array.array("d", raw)
    if sys.byteorder == "big":
        values.byteswap()
    low, high = min(values), max(values)
    wanted = [(0, 0, entry["name"]), (0, 6, f"{int(low)}..{int(high)} {entry['units']}"),
              (0, 58, f"{entry['mars']['param']} +{entry['mars']['step']} h")]
    check(f"field {number}: other values", log["sha256"] == hashlib.sha256(raw).hexdigest())
    check(f"field {number}: {log['labels']}, expected {wanted}", log["labels"] == wanted)
    check(f"field {number}: {log}", log["compression"] == compression and log["workspace"] <= MOST_WORKSPACE[compression])
    for label in wanted:
        check(f"field {number}: {label} does not stand there", written(picture, font, *label))
    width, height, grey = picture
    covered = {(x, y) for left, top, text in wanted for x in range(left, left + 4 * len(text)) for y in range(top, top + 6)}
    levels = sorted(set(grey))
    exact = near = other = 0
    for y in range(height):
        for x in range(width):
            if (x, y) in covered:
                continue
            # The board computes in float: if the double is at the border of two greys, it may choose either.
            want = 1.5 + (values[y * width + x] - low) * 14 / (high - low)
            seen = grey[y * width + x] / 17
            if seen == int(want):
                exact += 1
            elif abs(seen - want + 0.5) < 0.5001:
                near += 1
            else:
                other += 1
    print(f"figure: forecast: field {number} {compression}: {exact} greys as computed here, {near} at a border, "
          f"{log['workspace']} bytes of workspace")
    check(f"field {number}: {other} greys of {levels} are others", other == 0 and near < 20 and len(levels) > 10)


def main():
    log, photographs, font, path, utet = sys.argv[1:]
    seen, now = {}, {"labels": []}
    with open(log, encoding="utf-8") as f:
        for text in f:
            if match := re.match(r"tensor \d+ (\w+), packed .* workspace (\d+) ", text):
                now.update(compression=match[1], workspace=int(match[2]))
            elif match := re.match(r"    sha256 (\w{64})$", text):
                now["sha256"] = match[1]
            elif match := re.match(r"label (\d+),(\d+) (.*)\n", text):
                now["labels"].append((int(match[1]), int(match[2]), match[3]))
            elif match := re.match(r"screen field(\d)$", text):
                seen[int(match[1])], now = now, {"labels": []}
    check(f"fields {sorted(seen)}", sorted(seen) == [0, 1])
    font = read_font(font)
    for number in sorted(seen):
        field(number, seen[number], read_png(os.path.join(photographs, f"field{number}.png")), font, path, utet)
    return end()


sys.exit(main())
