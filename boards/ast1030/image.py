#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""image.py OUT.img PROGRAM.bin FILE…: the content of the board's serial flash. The program is in the first megabyte; then
come the table of table.h and the files, each at a multiple of 4,096 bytes (a sector). The rest is erased (0xFF)."""
import os
import struct
import sys

PART, TABLE, SECTOR, MAGIC = 4 << 20, 1 << 20, 4096, 0x74657475


def build(files, program=b""):
    """files: (name, bytes). Returns the bytes of the whole part."""
    table, image = struct.pack("<2I", MAGIC, len(files)), bytearray(b"\xff" * PART)
    image[:len(program)] = program
    at = TABLE + SECTOR
    for name, data in files:
        table += struct.pack("<23sx2I", name.encode(), at, len(data))
        image[at:at + len(data)] = data
        at += -(-len(data) // SECTOR) * SECTOR
    if len(table) > SECTOR or at > PART or len(program) > TABLE:
        sys.exit("program and files do not fit the flash")
    image[TABLE:TABLE + len(table)] = table
    return image


if __name__ == "__main__":
    contents = [(os.path.basename(path), open(path, "rb").read()) for path in sys.argv[3:]]
    with open(sys.argv[2], "rb") as program, open(sys.argv[1], "wb") as out:
        out.write(build(contents, program.read()))
