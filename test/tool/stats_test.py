#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""utet stats: the numbers of exact fractions, of NumPy, and of utet query, whose folds round exact sums."""
import json
import math
import os
from fractions import Fraction

import numpy

from harness import ROOT, check, expect, scratch, summary, utet

PLANET = os.path.join(ROOT, "golden/demo/demo_planet.tet")
KINDS = ["<f2", "<f4", "<f8", "<i2", "<i4", "<i8", "|u1", "<u2", "<u4", "<u8"]


def pack(array, *more):
    numpy.save(scratch("d.npy"), array)
    status, _, err = utet("pack", scratch("d.npy"), "-o", scratch("d.tet"), "--codec", "raw", *more)
    check("pack", status == 0, err)
    return scratch("d.tet")


def root(fraction):
    """The double nearest to the root of a fraction, to about 2^-60."""
    scale = 1 << 2 * max(0, 200 - (fraction.numerator.bit_length() - fraction.denominator.bit_length()) // 2)
    return float(Fraction(math.isqrt(fraction.numerator * scale // fraction.denominator), math.isqrt(scale)))


def near(got, wanted, ulps=1):
    return got is not None and (got == wanted or abs(got - wanted) <= ulps * math.ulp(wanted))


def compare(name, array, *more, null=lambda v: v != v):
    path = pack(array, *more)
    status, out, err = utet("stats", path, "--json")
    check("stats of " + name, status == 0 and err == "", err)
    got = json.loads(out)[0]
    values = [v.item() for v in array.ravel() if not null(v)]
    check("counts of " + name, got["count"] == len(values) and got["nulls"] == array.size - len(values) and got["dtype"] == array.dtype.name.replace("uint", "u").replace("int", "i").replace("float", "f"), got)
    if not values:
        check("nothing of " + name, [got[k] for k in ("min", "mean", "max", "std")] == [None] * 4, got)
        return
    if all(math.isfinite(v) for v in values):
        kind = array.dtype.type
        check("extremes of " + name, (kind(got["min"]), kind(got["max"])) == (min(values), max(values)), got)
        exact = [Fraction(v) for v in values]
        mean = sum(exact) / len(exact)
        check("mean of " + name, near(got["mean"], float(mean)), (got["mean"], float(mean)))
        variance = sum(v * v for v in exact) / len(exact) - mean * mean
        check("std of " + name, near(got["std"], root(variance)), (got["std"], root(variance)))
    told = json.loads(utet("query", path, "--mean", "all", "--std", "all", "--where", "!null", "--json")[1])
    for one, key in zip(told, ("mean", "std")):
        word = one["execution"]["operation_" + key]
        check("%s of %s by a query" % (key, name), near(got[key], word) if isinstance(word, float) and math.isfinite(word) else got[key] in (None, word), (got[key], word))


def random():
    rng = numpy.random.default_rng(4)
    for kind in KINDS:
        dtype = numpy.dtype(kind)
        for shape in ((1,), (2,), (37, 5)):
            if dtype.kind == "f":
                compare("%s %s" % (kind, shape), rng.normal(1e3, 1, shape).astype(dtype))
            else:
                about = numpy.iinfo(dtype)
                compare("%s %s" % (kind, shape), rng.integers(about.min, about.max, shape, dtype, endpoint=True))
    compare("integers close to 2^63", numpy.array([2**63 - 3, 2**63 - 2, 2**63 - 1], "<i8"))
    compare("integers close to 2^64", numpy.array([2**64 - 1, 2**64 - 1, 2**64 - 4], "<u8"))
    compare("all of i64", numpy.array([-2**63, 2**63 - 1, 0, 5], "<i8"))
    compare("a large mean", 1e9 + rng.normal(0, 1e-3, 1000))
    compare("large and small", numpy.array([1e16, 1, -1e16, 3.5, 1e-9]))
    for power in (-300, -170, 160, 300):
        compare("10^%d" % power, rng.normal(0, 1, 50) * 10.0**power)
    compare("opposites", numpy.array([1.7e308, -1.7e308, 1e308]))


def nulls():
    compare("NaN", numpy.array([1, numpy.nan, 3, numpy.nan]))
    compare("NaN alone", numpy.array([numpy.nan] * 3))
    compare("infinity", numpy.array([1, numpy.inf, 3]))
    compare("both infinities", numpy.array([-numpy.inf, numpy.inf, 3], "<f4"))
    compare("a fill", numpy.array([1, -999, 3, 4], "<i2"), "--attr", "_FillValue=-999", null=lambda v: v == -999)
    compare("a fill of floats", numpy.array([1, -9999, numpy.nan, 4], "<f4"), "--attr", "missing_value=-9999.0", null=lambda v: v != v or v == -9999)
    compare("the first of two fills", numpy.array([1, 2, 3], "|u1"), "--attr", "fill_value=1", "--attr", "_FillValue=2", null=lambda v: v == 2)
    compare("a fill that no element can have", numpy.array([1, 2, 255], "|u1"), "--attr", "_FillValue=511")
    compare("a fill of 64 bits", numpy.array([2**63 - 1, 2**63 - 2, 5], "<i8"), "--attr", "_FillValue=9223372036854775807", null=lambda v: v == 2**63 - 1)
    compare("a fill that is a word", numpy.array([1, 2, 3], "<i2"), "--attr", "_FillValue=none")
    path = pack(numpy.array([0.0, -0.0, 0.0]))
    check("both zeros", json.loads(utet("stats", path, "--json")[1])[0]["min"] == 0 and utet("stats", path)[1].split()[-4] == b"-0", utet("stats", path)[1])


def files():
    lines = [line.split() for line in utet("stats", PLANET)[1].decode().splitlines()]
    check("a line for each dataset", lines[0] == "dataset dtype count nulls min mean max std".split() and [line[0] for line in lines[1:]] == ["temperature", "elevation", "station_log"], lines)
    check("one dataset", utet("stats", PLANET, "elevation")[1].decode().splitlines()[1].split() == lines[2], "")
    expect("no dataset", ["stats", PLANET, "elevatoin"], 1, 'did you mean "elevation"')
    expect("a small workspace", ["stats", PLANET, "--budget", "100"], 1, "budget: ")
    check("within a workspace", utet("stats", PLANET, "--budget", "40K")[1] == utet("stats", PLANET)[1], "")
    with open(PLANET, "rb") as whole:
        data = bytearray(whole.read())
    data[6000:6100] = bytes(100)
    with open(scratch("damaged.tet"), "wb") as out:
        out.write(data)
    status, out, err = utet("stats", scratch("damaged.tet"), "temperature")
    check("a damaged tile", status == 1 and err.startswith("utet: ") and b"temperature" not in out, (status, out, err))


random()
nulls()
files()
summary()
