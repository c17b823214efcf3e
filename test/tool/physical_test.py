#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""--physical of read, show, stats and query: stored * scale_factor + add_offset as exact fractions of the attributes' digits,
rounded once, for every dtype; a query gives the same result as over the same values in a file of f64."""
import json
import math
import os
import re
import struct
import tempfile
from fractions import Fraction

import numpy

from harness import ROOT, check, expect, scratch, summary, utet

PLANET = os.path.join(ROOT, "golden/demo/demo_planet.tet")
KINDS = ["<f2", "<f4", "<f8", "<i2", "<i4", "<i8", "|u1", "<u2", "<u4", "<u8"]
PAIRS = [("0.1", "273.15"), ("0.01", None), ("-0.5", "7"), ("2", "100"), ("1e-3", "-1e3"), ("0.0017563456789012345", "288.70001220703125"),
         ("3.3333333333333333333333333e-7", "1e9"), ("1e22", "1"), ("0", "5"), ("1e-320", "0"), ("-1e300", "1e290"), (None, "0.5"),
         ("1", "9007199254740993"), ("+1.50", "-.25"), ("100", "1e-30")]


def pack(array, attributes, name="d", *more):
    numpy.save(scratch(name + ".npy"), array)
    words = [word for key, value in attributes.items() if value is not None for word in ("--attr", "%s=%s" % (key, value))]
    status, _, err = utet("pack", scratch(name + ".npy"), "-o", scratch(name + ".tet"), "--codec", "raw", *words, *more)
    check("pack", status == 0, err)
    return scratch(name + ".tet")


def nearest(fraction):
    try:
        return float(fraction)
    except OverflowError:
        return math.inf if fraction > 0 else -math.inf


def value(stored, scale, offset, fills=()):
    """As Python's fractions give it, which float() rounds to nearest, ties to even."""
    if stored != stored or any(stored == fill for fill in fills):
        return math.nan
    if isinstance(stored, float) and math.isinf(stored):
        factor = Fraction(scale or "1")
        return math.nan if factor == 0 else stored if factor > 0 else -stored
    return nearest(Fraction(stored) * Fraction(scale or "1") + Fraction(offset or "0"))


def physical(path, *more):
    status, out, err = utet("read", path, "--physical", "--format", "npy", *more)
    check("read --physical", status == 0 and err == "", err)
    with open(scratch("p.npy"), "wb") as file:
        file.write(out)
    return numpy.load(scratch("p.npy"))


def same(got, wanted):
    return got == wanted or (got != got and wanted != wanted)


def samples(kind, rng):
    dtype = numpy.dtype(kind)
    if dtype.kind == "f":
        bits = rng.integers(0, 1 << 8 * dtype.itemsize, 60, numpy.uint64, endpoint=False) if dtype.itemsize < 8 else rng.integers(0, 1 << 63, 60, numpy.uint64) * 2
        wild = bits.astype("u%d" % dtype.itemsize).view(dtype)
        return numpy.concatenate([wild, rng.normal(0, 100, 40).astype(dtype), numpy.array([0, 1, -1, 3, numpy.inf, -numpy.inf, numpy.nan], dtype)])
    about = numpy.iinfo(dtype)
    return numpy.concatenate([rng.integers(about.min, about.max, 60, dtype, endpoint=True), numpy.arange(30).astype(dtype), numpy.array([about.min, about.max], dtype)])


def fractions():
    rng = numpy.random.default_rng(30)
    for kind in KINDS:
        array = samples(kind, rng)
        for scale, offset in PAIRS:
            got = physical(pack(array, {"scale_factor": scale, "add_offset": offset}))
            wanted = [value(v.item(), scale, offset) for v in array]
            wrong = [(s, g, w) for s, g, w in zip(array, got, wanted) if not same(float(g), w)]
            check("%s * %s + %s" % (kind, scale, offset), got.dtype == "<f8" and not wrong, wrong[:3])
    every = numpy.arange(65536).astype("<u2").view("<i2").reshape(256, 256)
    got = physical(pack(every, {"scale_factor": "0.0017563456789012345", "add_offset": "-12.5", "_FillValue": "-32768"}))
    wanted = [value(int(v), "0.0017563456789012345", "-12.5", (-32768,)) for v in every.ravel()]
    check("all of i16", all(map(same, got.ravel().tolist(), wanted)), "")
    plain = every * 0.0017563456789012345 - 12.5  # NumPy rounds twice
    check("as NumPy, but for the last bits", numpy.nanmax(abs(got - plain)) < 1e-13, "")


def fills():
    cases = [("<i2", [1, -999, 3, -998], {"_FillValue": "-999"}, (-999,)), ("<i2", [1, -999, 3, -998], {"_FillValue": "-999", "missing_value": "-998"}, (-999, -998)),
             ("|u1", [0, 255, 7, 9], {"fill_value": "255"}, (255,)), ("|u1", [0, 255, 7, 9], {"fill_value": "255", "_FillValue": "7"}, (7,)),
             ("<u8", [2**64 - 1, 2**64 - 2, 1, 0], {"_FillValue": str(2**64 - 1)}, (2**64 - 1,)),
             ("<f4", [9.96921e36, 1.5, numpy.nan, -0.0], {"_FillValue": "9.96921e+36"}, (float(numpy.float32(9.96921e36)),)),
             ("<f8", [0.0, -0.0, 1, 2], {"missing_value": "0"}, (0.0,)), ("|u1", [1, 2, 255, 4], {"_FillValue": "511"}, ()), ("<i2", [1, 2, 3, 4], {"_FillValue": "none"}, ())]
    for kind, stored, attributes, lost in cases:
        for scale in (None, "0.25", "0.3"):
            array = numpy.array(stored, kind)
            got = physical(pack(array, dict(attributes, scale_factor=scale)))
            wanted = [value(v.item(), scale, None, lost) for v in array]
            check("fills of %s %s" % (attributes, scale), all(map(same, got.tolist(), wanted)), (got, wanted))
    path = pack(numpy.array([-0.0, 1.0]), {})
    check("nothing to convert", physical(path).tobytes() == numpy.array([-0.0, 1.0]).tobytes(), physical(path))


def formats():
    array = numpy.array([[2731, 2732, -1], [0, 1, 2]], "<i2")
    path = pack(array, {"scale_factor": "0.1", "add_offset": "-273.15", "_FillValue": "-1", "units": "degC"})
    expect("csv", ["read", path, "--physical", "--format", "csv"], 0)
    check("csv has the digits of the value", utet("read", path, "--physical", "--format", "csv")[1] == b"-0.05,0.05,nan\n-273.15,-273.05,-272.95\n", utet("read", path, "--physical", "--format", "csv"))
    check("a slab", utet("read", path, "--physical", "--format", "text", "--slab", "1,::2")[1] == b"-273.15 -272.95\n", "")
    check("raw", utet("read", path, "--physical", "--format", "raw", "--slab", "0,0")[1] == struct.pack("<d", -0.05), "")
    check("never unasked", utet("read", path, "--format", "csv")[1] == b"2731,2732,-1\n0,1,2\n", "")
    check("read --stats", b"least      -273.15\n" in utet("read", path, "--physical", "--stats")[1], utet("read", path, "--physical", "--stats"))
    told = json.loads(utet("stats", path, "--physical", "--json")[1])[0]
    values = [value(int(v), "0.1", "-273.15", (-1,)) for v in array.ravel()]
    exact = [Fraction(v) for v in values if v == v]
    check("stats", (told["dtype"], told["count"], told["nulls"], told["min"], told["max"]) == ("f64", 5, 1, -273.15, 0.05) and abs(told["mean"] - float(sum(exact) / 5)) <= math.ulp(told["mean"]), told)
    big = pack(numpy.array([1, 2, 4], "<i2"), {"scale_factor": "1e300"})
    told = json.loads(utet("stats", big, "--physical", "--json")[1])[0]
    check("stats of large values", abs(told["std"] - 1.247219128924647e300) <= math.ulp(told["std"]) and abs(told["mean"] - 7e300 / 3) <= math.ulp(told["mean"]), told)
    expect("a picture", ["show", path, "--physical", "-o", scratch("p.png")], 0)
    expect("no number", ["read", pack(array, {"scale_factor": "ten"}), "--physical"], 1, r'metadata: the attribute scale_factor is "ten", which is not a number$')
    for word in ("nan", "inf", "1,5", "0x10"):
        expect("no number " + word, ["read", pack(array, {"add_offset": word}), "--physical"], 1, "the attribute add_offset is .*not a number$")
    for word in ("1e401", "1e-999999999999999999999", "1." + "1" * 100, "9" * 101):
        expect("out of range", ["read", pack(array, {"scale_factor": word}), "--physical"], 1, "the attribute scale_factor is .*which is out of range$")
    check("as many digits as there may be", same(float(physical(pack(array, {"scale_factor": "1." + "1" * 99}))[1, 2]), value(2, "1." + "1" * 99, None)), "")
    with open(path, "rb") as whole:
        data = whole.read()
    with open(scratch("damaged.tet"), "wb") as out:
        out.write(data[:-17] + b"x" + data[-16:])
    for command in ("read", "stats"):
        expect("damaged metadata, " + command, [command, scratch("damaged.tet"), "--physical"], 1, "footer|metadata")
    with open(PLANET, "rb") as whole:
        data = bytearray(whole.read())
    data[6000:6100] = bytes(100)
    with open(scratch("damaged.tet"), "wb") as out:
        out.write(data)
    for command in ("read", "stats", "show"):
        expect("a damaged tile, " + command, [command, scratch("damaged.tet"), "temperature", "--physical"] + (["-o", scratch("x.png")] if command == "show" else []), 1, "payload|checksum|zstd")


def answer(*words):
    status, out, err = utet("query", *words)
    if "--json" in words and status == 0:  # the rest describes how the chunks of the file were read
        out = json.dumps({key: told for key, told in json.loads(out).get("execution", {}).items() if key.startswith("operation_")}).encode()
    return status, out, re.sub(r"/\S+/", "", err)


def queries():
    """A query of stored values with --physical, and the same query of a file that contains the values, which fractions
    give."""
    rng = numpy.random.default_rng(31)
    array = rng.integers(-500, 500, (12, 7, 9), "<i2", endpoint=True)
    array[rng.random(array.shape) < 0.1] = -999
    about = ["--dims", "time,lat,lon", "--labels", "time=" + ",".join("t%02d" % i for i in range(12)), "--labels", "lat=a,b,a,b,a,b,a"]
    pack(array, {"scale_factor": "0.1", "add_offset": "-3", "_FillValue": "-999", "units": "K"}, "stored", *about, "--tile", "5x3x4")
    values = numpy.array([value(int(v), "0.1", "-3", (-999,)) for v in array.ravel()]).reshape(array.shape)
    pack(values, {"units": "K"}, "values", *about, "--tile", "2x7x9", "--name", "stored")
    for number, words in enumerate((
            ["--mean", "time", "--where", "!null"], ["--min", "all", "--max", "all", "--std", "all", "--where", ">-10.05,<=9.9"], ["--sum", "lat,lon", "--group", "lat", "--where", "!null", "--csv"],
            ["--median", "all", "--where", "!null", "--json"], ["--mean", "time", "--window", "5"], ["--slab", "time=t03..t05,lat=0,lon=::4"], ["--slab", "-2:,:,:", "--csv"], ["--count", "all", "--where", "null"],
            ['{"dataset":"stored","mean":["lon"],"filter":{"lt":1.5}}', "--json"], ['{"dataset":"stored","histogram":[],"bins":5,"range":[-60,60]}'], ['{"dataset":"nothing","mean":[]}', "--json"],
            ['{"dataset":"stored","sum":[],"colour":1}'], ["--mean", "depth"], ["--mean", "all", "-j", "3", "--where", "!null"])):
        one, two = (answer(scratch(name + ".tet"), *words, *more) for name, more in (("stored", ["--physical"]), ("values", [])))
        one, two = ((s, o, re.sub(r"(stored|values)\.tet", "F.tet", e)) for s, o, e in (one, two))
        check("query %d: %s" % (number, words), one == two, (one, two))
    path = scratch("stored.tet")
    status, out, err = utet("query", path, "--mean", "time", "--where", "!null", "--physical", "-o", scratch("mean.tet"))
    check("answer in a .tet", status == 0, err)
    check("its units", "K" in json.dumps(json.loads(utet("info", scratch("mean.tet"), "--json")[1])["metadata"]["datasets"]["mean"]["attrs"].get("units", "")), utet("info", scratch("mean.tet"), "--json"))
    got = numpy.frombuffer(utet("read", scratch("mean.tet"), "--format", "raw")[1])
    check("its values", numpy.allclose(got, numpy.nanmean(values, 0).ravel(), rtol=1e-14, atol=0), "")
    expect("never over the input", ["query", path, "--mean", "all", "--physical", "-o", path], 1, "the output is one of the input files")
    expect("no plan", ["query", path, "--mean", "all", "--physical", "--plan"], 2, "--plan lists chunks of the file, which have stored values; omit --physical")
    expect("no folder", ["query", path, "--mean", "all", "--physical"], 1, "cannot make a temporary file: ", env=dict(os.environ, TMPDIR=scratch("nowhere")))
    pack(numpy.zeros((0, 3), "<i2"), {"scale_factor": "2"}, "empty")
    check("an empty dataset", answer(scratch("empty.tet"), "--sum", "all", "--physical") == answer(pack(numpy.zeros((0, 3)), {}, "empty"), "--sum", "all"), answer(scratch("empty.tet"), "--sum", "all", "--physical"))
    left = [name for name in os.listdir(tempfile.gettempdir()) if name.startswith("utet-query-")]
    check("nothing is left", not left, left)


fractions()
fills()
formats()
queries()
summary()
