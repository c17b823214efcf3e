#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""Makes the pak of the library's own benchmark: .tet files written from the payloads, for core_main.c.

bench_tet.py PAYLOADS raw|zstd OUT. Entries: TET (one file with a dataset for each payload, of the given codec), P1 … P6
(decoded
bytes, to compare), and files of 16, 16,384 and 1,000,000 chunks with and without a footer (R0 … R2, F0 … F2), of which only
head and tail are stored: the firmware's port makes up their rows and payloads. Uses bench_pak.py.
"""
import struct
import sys

import bench_pak

DTYPE = {"u8": (5, 1), "i16": (7, 2), "f32": (1, 4)}
# Shape of one chunk; along axis 0 the dataset has as many of them as the payload has frames.
FORM = {"P1": ("f32", (1, 64, 64)), "P2": ("u8", (1, 32, 32)), "P3": ("u8", (65536,)),
        "P4": ("u8", (16384,)), "P5": ("u8", (65536,)), "P6": ("i16", (4096,))}
ROW_COUNTS = (16, 16384, 1000000)
ROW_CHUNK = 4       # bytes of each chunk of the files with many rows
FOOTER = b'{"history":[],"metadata":{}}'


def align8(data):
    return data + bytes(-len(data) % 8)


def record(name, dtype, shape, chunk_shape):
    tag, _ = DTYPE[dtype]
    head = align8(struct.pack("<4I", len(name), tag, len(shape), 0) + name.encode())
    return head + struct.pack(f"<{2 * len(shape)}Q", *shape, *chunk_shape)


def head(records, row_count, footer):
    """Superblock, directory and index header: everything before the rows."""
    blob = b"".join(records)
    index = 40 + len(blob)
    start = struct.pack("<4s3I2Q", b"TETR", 1, len(records), 1 if footer else 0, index, 32 + 104 * row_count)
    return start + struct.pack("<Q", len(blob)) + blob + struct.pack("<4sIQHHIQ", b"TIDX", 1, row_count, 0, 0, 0, 0)


def row(dataset, coords, offset, raw, stored, codec):
    coords = list(coords) + [0] * (8 - len(coords))
    return struct.pack("<12Q2I", dataset, *coords, offset, raw, stored, codec, 0)


def tail(footer):
    return FOOTER + struct.pack("<QI4s", len(FOOTER), 1, b"THST") if footer else b""


def tet(found, codec, form=FORM):
    """One file with a dataset for each payload."""
    records, chunks = [], []
    for number, name in enumerate(found):
        dtype, chunk_shape = form[name]
        pairs = found[name]
        records.append(record(name, dtype, (chunk_shape[0] * len(pairs),) + chunk_shape[1:], chunk_shape))
        for i, (frame, raw) in enumerate(pairs):
            coords = (i,) + (0,) * (len(chunk_shape) - 1)
            chunks.append((number, coords, raw if codec == "raw" else frame, len(raw)))
    front = head(records, len(chunks), True)
    offset = len(front) + 104 * len(chunks)
    rows, payloads = [], []
    for number, coords, stored, raw_len in chunks:
        rows.append(row(number, coords, offset, raw_len, len(stored), 0 if codec == "raw" else 1))
        payloads.append(stored)
        offset += len(stored)
    return front + b"".join(rows) + b"".join(payloads) + tail(True)


def many_rows(count, footer):
    """(head, tail) of a file of `count` chunks in rows of 16, row-major."""
    return head([record("grid", "u8", (count // 16, 16 * ROW_CHUNK), (1, ROW_CHUNK))], count, footer), tail(footer)


def main():
    found, _ = bench_pak.payloads(sys.argv[1])
    entries = [("TET", 0, tet(found, sys.argv[2]), b"")]
    for name in found:
        entries.append((name, bench_pak.NAMES.index(name), b"", b"".join(raw for _, raw in found[name])))
    for k, count in enumerate(ROW_COUNTS):
        for letter, footer in (("R", False), ("F", True)):
            front, end = many_rows(count, footer)
            entries.append((f"{letter}{k}", count, front, end))
    with open(sys.argv[3], "wb") as f:
        f.write(bench_pak.pack(entries))


if __name__ == "__main__":
    main()
