# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""What the tests of `utet pack` share: inputs, packing, and the content of the packed file."""
import json
import os
import struct

import numpy

from harness import check, expect, scratch, utet

KINDS = {"f32": "<f4", "f64": "<f8", "i32": "<i4", "i64": "<i8", "u8": "|u1", "u16": "<u2", "i16": "<i2", "u32": "<u4",
         "f16": "<f2", "u64": "<u8"}
os.environ["SOURCE_DATE_EPOCH"] = "1700000000"


def put(name, data):
    with open(scratch(name), "wb") as file:
        file.write(data)
    return scratch(name)


def save(name, array):
    numpy.save(scratch(name), array)
    return scratch(name)


def pack(*arguments, status=0, pattern=None, said=None):
    """said: what standard error contains in spite of success, one line."""
    out = scratch("out.tet")
    if os.path.exists(out):
        os.remove(out)
    expect("pack " + " ".join(map(str, arguments)), ["pack", *map(str, arguments), "-o", out], status, pattern if said is None else said)
    if status != 0:
        beside = [n for n in os.listdir(os.path.dirname(out)) if n.startswith("out.tet")]
        check("nothing left of " + " ".join(map(str, arguments)), beside == [], beside)
    return out


def dense(path, name="#0"):
    status, out, err = utet("read", path, name, "--format", "raw")
    check("read %s %s" % (path, name), status == 0, err)
    return out


def same(what, path, array, name="#0"):
    check(what + ": elements", dense(path, name) == numpy.ascontiguousarray(array).tobytes(), "differ")


def sound(what, path, warnings=()):
    status, out, err = utet("verify", "--deep", "--json", path)
    report = json.loads(out) if out else {"ok": False, "findings": []}
    bad = [f for f in report["findings"] if f["severity"] != "info" and f["check"] not in warnings]
    check(what + ": sound", status == 0 and report["ok"] and not bad, err or bad)


def rows(path):
    """Every row of the index, read by the format notes: dataset, coordinates, offset, raw, stored, codec."""
    with open(path, "rb") as file:
        data = file.read()
    count, at = struct.unpack_from("<I", data, 8)[0], struct.unpack_from("<Q", data, 16)[0]
    if count == 0:
        return data, []
    number = struct.unpack_from("<Q", data, at + 8)[0]
    found = []
    for i in range(number):
        row = struct.unpack_from("<Q8QQQQI", data, at + 32 + 104 * i)
        found.append((row[0], row[1:9], row[9], row[10], row[11], row[12]))
    return data, found
