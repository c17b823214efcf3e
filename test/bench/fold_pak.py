#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""fold_pak.py PAYLOADS OUT: a .tet file for fold_main.c, of 64 x 512 elements in raw tiles of 16 x 512, and for each of its rows
the first result and the last one, from exact fractions; for transforms all elements, from the model of test/fold/fold_model.py.

The values: i16, u8, i32 are random; f32 is a smooth field, as a thermal camera sees it, with noise; f64 the same; mix the same
values as f32 in random order; tall more of the field, 1,024 x 256 in tiles of 32 x 256; tall16 the bytes of tall as i16, 1,024 x 512;
long one row of the field, of 16,384 in tiles of 512.
"""
import decimal
import math
import os
import random
import struct
import sys
from fractions import Fraction

import numpy as np

import bench_pak
import bench_tet

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "fold"))
import fold_model  # noqa: E402

# Rows and columns of a dataset, and of its tiles.
FLAT, TALL, TALL16, LONG = (64, 512, 16, 512), (1024, 256, 32, 256), (1024, 512, 32, 512), (1, 16384, 1, 512)
SHAPES = {"tall": TALL, "tall16": TALL16, "long": LONG}
TAGS = {"i16": (7, "h"), "u8": (5, "B"), "i32": (3, "i"), "f32": (1, "f"), "f64": (2, "d"), "mix": (1, "f"), "tall": (1, "f"),
        "tall16": (7, "h"), "long": (1, "f")}


def round32(value):
    return struct.unpack("<f", struct.pack("<f", value))[0]


def values():
    draw = random.Random(16)
    size = FLAT[0] * FLAT[1]

    def field(rows, columns):
        return [round32(20 + 8 * math.sin(r / 9) * math.cos(c / 31) + draw.gauss(0, 0.1)) for r in range(rows) for c in range(columns)]

    flat = field(*FLAT[:2])
    made = {"i16": [draw.randrange(-32768, 32768) for _ in range(size)], "u8": [draw.randrange(256) for _ in range(size)],
            "i32": [draw.randrange(-2**31, 2**31) for _ in range(size)], "f32": flat, "f64": [v + draw.random() for v in flat],
            "mix": draw.sample(flat, size), "tall": field(*TALL[:2]), "long": field(*LONG[:2])}
    made["tall16"] = np.array(made["tall"], "<f4").view("<i2").tolist()
    return made


def tet(data):
    records, chunks = [], []
    stored = {}  # offset of each payload: tall16 has those of tall
    for number, name in enumerate(data):
        tag, code = TAGS[name]
        rows, columns, tile_rows, tile_columns = SHAPES.get(name, FLAT)
        start = bench_tet.align8(struct.pack("<4I", len(name), tag, 2, 0) + name.encode())
        records.append(start + struct.pack("<4Q", rows, columns, tile_rows, tile_columns))
        for y in range(rows // tile_rows):
            for x in range(columns // tile_columns):
                first = y * tile_rows * columns + x * tile_columns
                lines = [data[name][at:at + tile_columns] for at in range(first, first + tile_rows * columns, columns)]
                chunks.append((number, (y, x), b"".join(struct.pack(f"<{tile_columns}{code}", *line) for line in lines)))
    front = bench_tet.head(records, len(chunks), False)
    offset, table = len(front) + 104 * len(chunks), b""
    for number, coords, raw in chunks:
        if raw not in stored:
            stored[raw] = offset
            offset += len(raw)
        table += bench_tet.row(number, coords, stored[raw], len(raw), len(raw), 0)
    return front + table + b"".join(stored)


def mean(v):
    return float(sum(map(Fraction, v)) / len(v))


def columns(v, start, stop, step):
    return mean([x for at in range(0, len(v), FLAT[1]) for x in v[at + start:at + stop:step]])


def ends(data):
    """{row: (first result, last result)}, in the order of fold_main.c."""
    i16, u8, i32, f32, f64, mix = (data[n] for n in ("i16", "u8", "i32", "f32", "f64", "mix"))
    tall, width = data["tall"], TALL[1]
    tall16, width16 = data["tall16"], TALL16[1]
    exact = sum(map(Fraction, f32))
    squares = sum(Fraction(v) ** 2 for v in f32)
    var = lambda v: float(Fraction(sum(x * x for x in v), len(v)) - Fraction(sum(v), len(v)) ** 2)  # noqa: E731
    half = sorted(f32)[len(f32) // 2 - 1:len(f32) // 2 + 1]
    counts = [sum(1 for v in f32 if math.floor(v / 2.5) == b) for b in range(16)]
    one = lambda v: (v, v)  # noqa: E731
    return {
        "sum16": one(sum(i16)), "sum-i16": one(sum(i16)), "sum-u8": one(sum(u8)), "sum-i32": one(sum(i32)),
        "sum-f32": one(math.fsum(f32)), "sum-f64": one(math.fsum(f64)),
        "mean-0": (mean(tall[::width]), mean(tall[width - 1::width])),
        "mean-1": (mean(tall[:width]), mean(tall[-width:])),
        "mean0i16": (mean(tall16[::width16]), mean(tall16[width16 - 1::width16])),
        "max0f32": (max(tall[::width]), max(tall[width - 1::width])),
        "max0i16": (max(tall16[::width16]), max(tall16[width16 - 1::width16])),
        "arg0f32": (tall[::width].index(max(tall[::width])), tall[width - 1::width].index(max(tall[width - 1::width]))),
        "min-f32": one(min(f32)), "max-i16": one(max(i16)), "max-u8": one(max(u8)), "arg-f32": one(f32.index(max(f32))),
        "arg-i32": one(i32.index(min(i32))), "where": one(sum(v > 20 for v in f32)), "scatter": one(sum(v > 20 for v in mix)),
        "sum-scat": one(math.fsum(v for v in mix if v > 20)), "nans": one(0),
        "var-i16": one(var(i16)), "var-u8": one(var(u8)), "var-i32": one(var(i32)),
        "var-f32": one(float(squares / len(f32) - (exact / len(f32)) ** 2)), "norm2": one(fold_model.root(squares)),
        "product": one(fold_model.product(f32)), "median": one(float((Fraction(half[0]) + Fraction(half[1])) / 2)),
        "histo": (0.0, float(counts[-1])), "histomix": (0.0, float(counts[-1])),
        "bins": (columns(f32, 0, 16, 1), columns(f32, 496, 512, 1)),
        "rolling": (columns(f32, 0, 16, 1), columns(f32, 496, 512, 1)),
        "slide": (mean(data["long"][:1000]), mean(data["long"][-1008:-8])), "slidemax": (max(data["long"][:1000]), max(data["long"][-1008:-8])),
        "slide40": (mean(data["long"][:1000]), mean(data["long"][15360:16360])),
        "slide1": (mean(data["long"][:1000]), mean(data["long"][1000:2000])),
        "groups": (columns(f32, 0, 512, 24), columns(f32, 23, 512, 24)),
        "several": (mean(f32), len(f32)), "extremes": (min(i16), len(i16)),
    }


def changed(data):
    """{row: elements}, in the order of fold_main.c: each 16th row of f32, with one cell."""
    array = np.array(data["f32"], np.float32).reshape(FLAT[:2])[::16]
    decimal.getcontext().prec = 60  # digits of exponentials and logarithms
    return {method: fold_model.expected_transform(array, method, 3, {}, None, {})[3].tobytes()
            for method in ("center", "zscore", "minmax", "log1p", "sqrt", "softmax")}


def main():
    data = values()
    entries = [("TET", 0, tet(data), b"")]
    for name, two in ends(data).items():
        entries.append((name, 0, b"", struct.pack("<2d", *two)))
    entries += [(name, 0, b"", elements) for name, elements in changed(data).items()]
    with open(sys.argv[2], "wb") as f:
        f.write(bench_pak.pack(entries))


if __name__ == "__main__":
    main()
