#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""pack.py OUT FILE…: the files that the AVR reads, one behind the other, as semihost_open of board.c wants them; the first
one is `list`, the names of all."""
import struct
import sys

out, paths = sys.argv[1], sys.argv[2:]
entries = [("list", "".join(path + "\n" for path in paths).encode())]
for path in paths:
    with open(path, "rb") as f:
        entries.append((path, f.read()))
with open(out, "wb") as f:
    for name, data in entries:
        f.write(struct.pack("<I", len(data)) + name.encode() + b"\0" + data)
    f.write(b"\xff\xff\xff\xff")
