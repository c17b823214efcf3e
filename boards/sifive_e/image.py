#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""image.py OUT.hex PROGRAM.bin FILE…: the content of the board's flash in Intel's hexadecimal format. The program is at 0x20010000;
the files are from 0x20100000 on, each at a multiple of 256 KB, and an erased place (0xFF) is behind the last one."""
import sys

PROGRAM, FILES, END, SLOT, RECORD = 0x20010000, 0x20100000, 0x20400000, 256 << 10, 32


def record(kind, address, data):
    body = bytes([len(data), address >> 8 & 255, address & 255, kind]) + data
    return ":" + (body + bytes([-sum(body) & 255])).hex().upper() + "\n"


def segment(at, data):
    """The records of consecutive bytes; one before each 64 KB has the upper half of their addresses."""
    for i in range(0, len(data), RECORD):
        if i == 0 or (at + i) & 0xFFFF == 0:
            yield record(4, 0, (at + i >> 16).to_bytes(2, "big"))
        yield record(0, at + i & 0xFFFF, data[i:i + RECORD])


def build(program, files):
    """The bytes of the program and of each file. Returns the text of the image."""
    if len(program) > FILES - PROGRAM or len(files) > (END - FILES) // SLOT or max(map(len, files), default=0) > SLOT:
        sys.exit("program and files do not fit the flash")
    places = [data.ljust(SLOT, b"\xff") for data in files]
    if FILES + len(places) * SLOT < END:
        places.append(b"\xff" * SLOT)
    return "".join([*segment(PROGRAM, program), *segment(FILES, b"".join(places)), record(1, 0, b"")])


if __name__ == "__main__":
    contents = [open(path, "rb").read() for path in sys.argv[2:]]
    with open(sys.argv[1], "w", encoding="ascii") as out:
        out.write(build(contents[0], contents[1:]))
