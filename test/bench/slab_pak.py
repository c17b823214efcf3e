#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""slab_pak.py PAYLOADS OUT: a .tet file of raw datasets for slab_main.c, 256 x 512 each. An element is its number in row-major
order, so that the firmware knows every element without this file."""
import struct
import sys

import bench_pak
import bench_tet

ROWS, COLUMNS = 256, 512
# Name, dtype's tag (3: i32, 5: u8), bytes of an element, shape of a tile.
DATASETS = (("wide", 3, 4, (64, 64)), ("narrow", 3, 4, (16, 16)), ("bytes", 5, 1, (64, 64)))


def tile(size, shape, y, x):
    rows = range(y * shape[0], (y + 1) * shape[0])
    numbers = [row * COLUMNS + column for row in rows for column in range(x * shape[1], (x + 1) * shape[1])]
    return b"".join((number % 256 ** size).to_bytes(size, "little") for number in numbers)


def main():
    records, chunks = [], []
    for number, (name, tag, size, shape) in enumerate(DATASETS):
        start = bench_tet.align8(struct.pack("<4I", len(name), tag, 2, 0) + name.encode())
        records.append(start + struct.pack("<4Q", ROWS, COLUMNS, *shape))
        for y in range(ROWS // shape[0]):
            for x in range(COLUMNS // shape[1]):
                chunks.append((number, (y, x), tile(size, shape, y, x)))
    front = bench_tet.head(records, len(chunks), False)
    offset, table = len(front) + 104 * len(chunks), b""
    for number, coords, raw in chunks:
        table += bench_tet.row(number, coords, offset, len(raw), len(raw), 0)
        offset += len(raw)
    with open(sys.argv[2], "wb") as f:
        f.write(bench_pak.pack([("TET", 0, front + table + b"".join(raw for _, _, raw in chunks), b"")]))


if __name__ == "__main__":
    main()
