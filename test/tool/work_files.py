# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""The parts of the rows of work_table.py: the table itself, and writers of .tet, Tensogram and TileDB files."""
import json
import os
import random
import struct

from harness import with_tail
from work_test import tet

TABLE = []


def row(name, *commands, most=100000, quick=()):
    """Decorates the maker of a row: it writes files at a path without an ending, for a size. `commands`: (name, exit
    status, words), in which @ is that path. `most`: the largest size. `quick`: commands that the quick tier runs."""
    def add(make):
        TABLE.append((name, make, commands, most, quick))
        return make
    return add


def put(path, data):
    with open(path, "wb") as file:
        file.write(data if isinstance(data, bytes) else data.encode())


def document(path, **members):
    put(path, json.dumps(dict({"dataset": "d"}, **members)))


def footer(datasets=None, history=()):
    return with_tail(json.dumps({"history": list(history), "metadata": {"datasets": datasets or {}}}, separators=(",", ":")).encode())


def with_footer(datasets, rows, payload, about):
    head = bytearray(tet(datasets, rows, payload))
    struct.pack_into("<I", head, 12, 1)  # has_footer
    return bytes(head) + about


def shuffled(n, seed=1):
    order = list(range(n))
    random.Random(seed).shuffle(order)
    return order


# ---- Tensogram ----

def head(major, number):
    for low, size in ((24, 1), (25, 2), (26, 4), (27, 8)):
        if number < 24:
            return bytes([major << 5 | number])
        if number < 1 << 8 * size:
            return bytes([major << 5 | low]) + number.to_bytes(size, "big")
    raise ValueError(number)


def cbor(item):
    if isinstance(item, int):
        return head(0, item)
    if isinstance(item, str):
        return head(3, len(item)) + item.encode()
    if isinstance(item, list):
        return head(4, len(item)) + b"".join(map(cbor, item))
    return head(5, len(item)) + b"".join(k + v for k, v in sorted((cbor(k), cbor(v)) for k, v in item.items()))


def frame(kind, body):
    whole = b"FR" + struct.pack(">HHHQ", kind, 1, 0, len(body) + 28) + body + bytes(8) + b"ENDF"
    return whole + bytes(-len(whole) % 8)


TENSOR = cbor({"type": "ntensor", "ndim": 1, "shape": [4], "strides": [1], "dtype": "uint8", "byte_order": "little", "encoding": "none",
               "filter": "none", "compression": "none"})


def tensor():
    body = b"abcd" + TENSOR
    whole = b"FR" + struct.pack(">HHHQ", 9, 1, 1, len(body) + 36) + body + struct.pack(">QQ", 20, 0) + b"ENDF"
    return whole + bytes(-len(whole) % 8)


def message(frames, flags=1):
    body = b"".join(frames)
    return (b"TENSOGRM" + struct.pack(">HHIQ", 3, flags, 0, len(body) + 48) + body +
            struct.pack(">QQ", 24 + len(body), len(body) + 48) + b"39277777")



# ---- TileDB ----

FILTERS = struct.pack("<II", 65536, 0)


def tile(raw):
    return struct.pack("<IQQBQBIIIQIII", 22, len(raw) + 20, len(raw), 4, 1, 0, 8, 65536, 0, 1, len(raw), len(raw), 0) + raw


def named(name):
    return struct.pack("<I", len(name)) + name.encode()


def schema(attributes, dimensions=1, enumerations=(), uses=""):
    out = struct.pack("<IBBBBQ", 22, 0, 0, 0, 0, 10000) + 3 * FILTERS + struct.pack("<I", dimensions)
    out += b"".join(named("d%d" % i) + struct.pack("<BI", 0, 1) + FILTERS + struct.pack("<QiiBi", 8, 1, 100, 0, 10) for i in range(dimensions))
    out += struct.pack("<I", attributes)
    out += b"".join(named("a%d" % i) + struct.pack("<BI", 0, 1) + FILTERS + struct.pack("<QiBBB", 4, 0, 0, 0, 0) +
                    named(uses % i if "%" in uses else uses) for i in range(attributes))
    out += struct.pack("<II", 0, len(enumerations)) + b"".join(named(a) + named(b) for a, b in enumerations)
    return tile(out + struct.pack("<IB", 0, 1))


def folder(path, *inner):
    for name in ("__schema/__enumerations", "__meta"):
        os.makedirs(path + ".array/" + name, exist_ok=True)
    return path + ".array/"


def stamped(i):
    return "__%d_%d_%032x" % (i, i, i)


def entry(key, number):
    return named(key) + struct.pack("<BBIi", 0, 0, 1, number)


def enumeration(name, file, count):
    return tile(struct.pack("<I", 0) + named(name) + named(file) + struct.pack("<BIBQ", 0, 1, 0, 4 * count) +
                struct.pack("<%di" % count, *range(count)))
