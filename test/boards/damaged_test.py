#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""damaged_test.py: what the firmware forecast.c reports about a message with one flipped bit in its first payload. The
test finds the frame by the lengths of the frames (src/tensogram/FORMAT.md, section 2).

  damaged_test.py --make FILE.tgm DAMAGED.tgm     writes the damaged copy
  damaged_test.py LOG DAMAGED.tgm                 compares
"""
import os
import sys


def first_tensor(data):
    """Offset of the first frame of type 9 after the preamble."""
    at = 24
    while data[at + 2:at + 4] != b"\0\x09":
        at += (int.from_bytes(data[at + 8:at + 16], "big") + 7) // 8 * 8
    return at


if sys.argv[1] == "--make":
    message = bytearray(open(sys.argv[2], "rb").read())
    message[first_tensor(message) + 16 + 1000] ^= 4
    os.makedirs(os.path.dirname(sys.argv[3]), exist_ok=True)
    open(sys.argv[3], "wb").write(message)
    sys.exit()

log = open(sys.argv[1]).read()
place = first_tensor(open(sys.argv[2], "rb").read())
checks = {
    "the serial line names the status and the frame's place":
        f"forecast: damaged data: a checksum differs, offset {place}\n" in log,
    "the display says it": "label 0,0 damaged data" in log,
    "no value is shown": "sha256" not in log and "screen" not in log,
}
for what, good in checks.items():
    if not good:
        print(f"FAIL  {what}")
print(f"{sum(checks.values())} passed, {len(checks) - sum(checks.values())} failed")
sys.exit(not all(checks.values()))
