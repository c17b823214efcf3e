#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""Arrays whose elements utet pack stores in another dtype: --dtype, --scale, int8, bool; and formats that it refuses.
Second sources: NumPy's astype, exact fractions, and the attributes of the CF conventions."""
import json
import os
import random
import re
import struct
from fractions import Fraction

import numpy

from harness import check, scratch, summary, utet

QUICK = ("--codec", "raw", "-j", "1")
KINDS = {"f32": "<f4", "f64": "<f8", "i32": "<i4", "i64": "<i8", "u8": "|u1", "u16": "<u2", "i16": "<i2", "u32": "<u4", "f16": "<f2", "u64": "<u8"}
TAGS = [None, "f32", "f64", "i32", "i64", "u8", "u16", "i16", "u32", "f16", "u64"]
OUT = scratch("out.tet")
os.environ["SOURCE_DATE_EPOCH"] = "1700000000"


def pack(path, *options):
    if os.path.exists(OUT):
        os.remove(OUT)
    status, _, err = utet("pack", path, *QUICK, *options, "-o", OUT)
    return status, err


def save(array, name="a.npy"):
    numpy.save(scratch(name), array)
    return scratch(name)


def stored(number=0):
    about = json.loads(utet("info", OUT, "--json")[1])
    one = about["datasets"][number]
    array = numpy.frombuffer(utet("read", OUT, "#%d" % number, "--format", "raw")[1], KINDS[TAGS[one["dtype"]]]).reshape(one["shape"])
    return array, about["metadata"].get("datasets", {}).get(one["name"], {}).get("attrs", {})


def lost(array, kind):
    """Elements that are rounded, and by how much, as exact fractions."""
    there = array.astype(kind)
    errors = [abs(Fraction(int(b)) - Fraction(int(a))) if a.dtype.kind in "iu" and b.dtype.kind in "iu" else abs(Fraction(float(b)) - Fraction(int(a) if a.dtype.kind in "iu" else float(a)))
              for a, b in zip(array.ravel(), there.ravel()) if a.dtype.kind != "f" or numpy.isfinite(a)]
    return sum(1 for e in errors if e), float(max(errors, default=0))


def dtypes():
    dice = numpy.random.default_rng(5)
    for kind in KINDS.values():
        base = numpy.dtype(kind)
        arrays = [dice.integers(0, 100, (5, 7)).astype(kind), (dice.normal(size=(5, 7)) * 50).astype(kind) if base.kind == "f" else None]
        if base.kind in "iu":
            most = numpy.iinfo(kind)
            arrays.append(numpy.array([[most.min, most.max, 0], [most.max - 1, 77, most.max // 3]], kind))
        for array in arrays:
            if array is None:
                continue
            for name, other in KINDS.items():
                for source in (array, array.astype(base.newbyteorder(">")), numpy.asfortranarray(array)):
                    status, err = pack(save(source), "--dtype", name, "--tile", "2x3")
                    with numpy.errstate(all="ignore"):
                        want = array.astype(other)
                    to = numpy.dtype(other)
                    if to.kind == "f":
                        fits = not numpy.isinf(want.astype("f8")).any()
                    else:
                        fits = all(float(v).is_integer() if base.kind == "f" else True for v in array.ravel()) and all(numpy.iinfo(other).min <= int(v) <= numpy.iinfo(other).max for v in array.ravel())
                    if not fits:
                        check("%s to %s is refused" % (kind, name), status == 1 and "does not fit " + name in err and not os.path.exists(OUT), (err, array))
                        continue
                    got = stored()[0]
                    count, error = lost(array, other)
                    told = re.search(r"rounds (\d+) of (\d+) elements, by up to (\S+) \(the first at (\d+),(\d+)\)", err)
                    check("%s to %s" % (kind, name), status == 0 and got.dtype == to and got.tobytes() == want.tobytes(), (err, got, want))
                    check("%s to %s: losses are said" % (kind, name), (told is None and err == "") if count == 0 else told and int(told[1]) == count and int(told[2]) == array.size and
                          abs(float(told[3]) - error) <= 1e-5 * error and Fraction(array[int(told[4]), int(told[5])].item()) != Fraction(want[int(told[4]), int(told[5])].item()), (err, count, error))
    gaps = numpy.array([1, numpy.nan, 3])
    status, err = pack(save(gaps), "--dtype", "i16")
    check("NaN in i16", status == 1 and "a: NaN at 1, and i16 has no NaN (--fill X stores the number X there)" in err, err)
    status, err = pack(save(gaps), "--dtype", "i16", "--fill", "-9")
    check("a fill for NaN", err == "" and stored()[0].tolist() == [1, -9, 3] and stored()[1] == {"_FillValue": "-9"}, err)
    check("the fill is there", "a: 3 at 2 is the value of --fill" in pack(save(gaps), "--dtype", "i16", "--fill", "3")[1])
    check("the fill does not fit", "--fill -9 does not fit u8" in pack(save(gaps), "--dtype", "u8", "--fill", "-9")[1])
    check("a fraction", "a: 1.5 at 0 does not fit i16 (--scale auto stores multiples of a step)" in pack(save(numpy.array([1.5])), "--dtype", "i16")[1])
    infinite = numpy.array([numpy.inf, -numpy.inf, numpy.nan, 1])
    status, err = pack(save(infinite), "--dtype", "f32")
    check("infinities and NaN", err == "" and numpy.array_equal(stored()[0], infinite.astype("f4"), equal_nan=True), err)
    check("beyond f32", "a: 9.9999999999999994e+38 at 0 does not fit f32" in pack(save(numpy.array([1e39])), "--dtype", "f32")[1], pack(scratch("a.npy"), "--dtype", "f32"))
    big = dice.normal(size=(300, 700))
    status, err = pack(save(big), "--dtype", "f32", "--slab", "5:250:3,::2")
    check("a slab", status == 0 and (stored()[0] == big[5:250:3, ::2].astype("f4")).all(), err)
    os.replace(OUT, scratch("in.tet"))
    status, err = pack(scratch("in.tet"), "--dtype", "f64")
    check("from .tet", err == "" and (stored()[0] == big[5:250:3, ::2].astype("f4")).all() and stored()[0].dtype == "<f8", err)
    numpy.savez(scratch("z.npz"), a=big, b=numpy.arange(9))
    status, err = pack(scratch("z.npz"), "--dtype", "f32")
    check("from .npz", status == 0 and (stored(0)[0] == big.astype("f4")).all() and (stored(1)[0] == numpy.arange(9)).all() and err.count("\n") == 1, err)


def foreign_elements():
    for array, kind, word in ((numpy.arange(-128, 128, dtype="i1").reshape(16, 16), "<i2", "int8"), (numpy.arange(6) % 2 == 0, "|u1", "bool")):
        for source in (array, numpy.asfortranarray(array)):
            status, err = pack(save(source), "--tile", "auto")
            check(word, err == "" and stored()[0].tobytes() == array.astype(kind).tobytes() and stored()[1] == {"dtype" if word == "bool" else "original_dtype": word}, err)
    small = numpy.arange(-5, 5, dtype="i1")
    status, err = pack(save(small), "--dtype", "f32")
    check("int8 to f32", err == "" and stored()[0].tolist() == small.tolist(), err)
    check("int8 to u8", "a: -5 at 0 does not fit u8" in pack(save(small), "--dtype", "u8")[1])


def scales():
    dice = numpy.random.default_rng(6)
    field = (250 + 40 * dice.random((60, 50))).astype("f4")
    wide = dice.normal(size=(40, 30)) * 1e6
    gaps = numpy.where(dice.random((30, 30)) < 0.1, numpy.nan, dice.random((30, 30)))
    for array in (field, wide, gaps, numpy.full(5, 3.25), numpy.array([-1e300, 1e300]), numpy.array([numpy.nan]), field.astype("f2")):
        for kind in ("i16", "u8"):
            status, err = pack(save(array), "--scale", "auto", *(("--dtype", kind) if kind == "u8" else ()))
            got, about = stored()
            step, offset, fill = (float(about[k]) for k in ("scale_factor", "add_offset", "_FillValue"))
            check("scale auto: metadata, %s" % kind, status == 0 and got.dtype == KINDS[kind] and fill == (255 if kind == "u8" else -32768) and err.count("\n") == 1, (err, about))
            back = numpy.where(got == fill, numpy.nan, got.astype("f8") * step + offset)
            errors = [abs(Fraction(float(b)) - Fraction(float(a))) for a, b in zip(array.ravel(), back.ravel()) if a == a]
            told = re.search(r"the largest error is (\S+) \(half a step: (\S+)\)", err)
            check("scale auto: half a step at most, %s" % kind, (numpy.isnan(back) == numpy.isnan(array)).all() and all(e <= Fraction(step) / 2 * Fraction(1 + 2**-20) for e in errors) and
                  abs(float(told[1]) - float(max(errors, default=0))) <= 1e-5 * float(told[2]) and abs(float(told[2]) - step / 2) <= 1e-5 * step, (err, float(max(errors, default=0)), step))
            used = got[got != fill]
            check("scale auto uses the range, %s" % kind, len(used) == 0 or used.max() == used.min() or int(used.max()) - int(used.min()) in ((254,) if kind == "u8" else (65533, 65534)), used)
    usual = {"100": 1000.0, "10": 10.0, "0.01": -1234500.0, "1e17": 9007199254740992.0, "0.0001": 1e15, "0.00001": 0.001, "2.5": 1e16, "120": 1e22}
    for scale, offset in usual.items():
        pack(save(numpy.full(2, offset)), "--scale", scale, "--add-offset", "%.0f" % offset if offset > 1 else repr(offset))
        want = [repr(v)[:-2] if repr(v).endswith(".0") else repr(v) for v in (float(scale), offset)]
        check("a step of %s and an offset of %s in usual digits" % (scale, offset), [stored()[1][k] for k in ("scale_factor", "add_offset")] == want, (stored()[1], want))
    tenths = numpy.array([-3.2, 0, 12.7])
    status, err = pack(save(tenths), "--scale", "0.1")
    check("a step of 0.1", stored()[0].tolist() == [-32, 0, 127] and stored()[1] == {"scale_factor": "0.1", "add_offset": "0", "_FillValue": "-32768"}, (err, stored()))
    status, err = pack(save(tenths), "--scale", "0.1", "--add-offset", "-3.2", "--dtype", "u8")
    check("an offset", stored()[0].tolist() == [0, 32, 159] and stored()[1]["add_offset"] == "-3.2", err)
    status, err = pack(save(tenths), "--scale", "auto", "--add-offset", "0")
    check("auto around an offset", status == 0 and stored()[0].tolist()[1:] == [0, 32767], (err, stored()))
    check("a step that is too small", "a: 0 at 1 does not fit u8 with this --scale and --add-offset (--scale auto chooses them)" in
          pack(save(tenths), "--scale", "0.01", "--add-offset", "-3.2", "--dtype", "u8")[1])
    check("an infinity", "is infinite" in pack(save(numpy.array([1, numpy.inf])), "--scale", "auto")[1])
    check("no floats", "no dataset has floats" in pack(save(numpy.arange(3)), "--scale", "auto")[1])
    os.replace(OUT, scratch("in.tet")) if pack(save(tenths), "--scale", "0.1")[0] == 0 else None
    check("no step twice", "no dataset has floats" in pack(scratch("in.tet"), "--scale", "auto")[1])
    status, err = pack(save(tenths), "--attr", "units=degC", "--scale", "0.1", "--metadata", "small")
    check("with units", stored()[1]["units"] == "degC" and stored()[1]["scale_factor"] == "0.1", err)
    with open(scratch("t.csv"), "w", encoding="utf-8") as file:
        file.write("n,temp\n1,20.1\n2,\n3,20.4\n")
    status, err = pack(scratch("t.csv"), "--scale", "0.1", "--dtype", "u8", "--add-offset", "20")
    check("columns of floats only", stored(0)[0].tolist() == [1, 2, 3] and stored(1)[0].tolist() == [1, 255, 4] and stored(0)[1] == {}, err)
    for words in (("--scale", "0"), ("--scale", "-1"), ("--scale", "x"), ("--scale", "inf"), ("--add-offset", "1"), ("--scale", "auto", "--add-offset", "nan"), ("--scale", "auto", "--dtype", "f32"),
                  ("--scale", "auto", "--index", "keep"), ("--dtype", "f32", "--index", "keep")):
        check("usage %s" % (words,), pack(scratch("a.npy"), *words)[0] == 2)


def other_formats():
    """The first bytes of each format, from its specification."""
    heads = {"hdf5.h5": b"\x89HDF\r\n\x1a\n", "classic.nc": b"CDF\x01", "wide.nc": b"CDF\x02", "data.nc": b"CDF\x05", "m.mat": b"MATLAB 5.0 MAT-file", "s.wav": b"RIFF\x24\0\0\0WAVEfmt ", "p.parquet": b"PAR1",
             "g.grib2": b"GRIB\0\0\0\2", "t.tif": b"II*\0", "b.tif": b"MM\0*", "big.tif": b"II+\0", "book.xlsx": b"PK\3\4", "book.xls": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"}
    for name, head in heads.items():
        for size in (0, 100):
            with open(scratch(name), "wb") as file:
                file.write(head + bytes(size))
            status, err = pack(scratch(name))
            check(name, status == 1 and err.endswith("is not read by this tool; use: python3 -m microtet pack %s -o OUT.tet\n" % scratch(name)) and not os.path.exists(OUT), err)
    for member in (".zarray", ".zgroup", "zarr.json"):
        folder = scratch("z" + member)
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, member), "w", encoding="ascii") as file:
            file.write("{}")
        check("Zarr " + member, "Zarr is not read by this tool; use: python3 -m microtet pack %s -o OUT.tet" % folder in pack(folder)[1])
    with open(scratch("raw.bin"), "wb") as file:
        file.write(b"CDF\x01")
    check("raw data may begin so", pack(scratch("raw.bin"), "--dtype", "u8", "--shape", "4") == (0, "") and stored()[0].tobytes() == b"CDF\x01")


def large():
    """An array of 5 GiB, as a file with a hole; its last row."""
    head = b"{'descr': '|u1', 'fortran_order': False, 'shape': (5120, 1048576), }".ljust(117) + b"\n"
    with open(scratch("large.npy"), "wb") as file:
        file.write(b"\x93NUMPY\1\0" + struct.pack("<H", len(head)) + head)
        file.seek(5120 * 1048576 - 4, 1)
        file.write(b"tail")
    status, err = pack(scratch("large.npy"), "--slab", "5119:,1048570:", "--dtype", "u16")
    check("beyond 4 GiB", err == "" and stored()[0].astype("u1").tobytes() == b"\0\0tail", err)
    os.remove(scratch("large.npy"))


def sweeps():
    """Inputs that are truncated or changed: exit status 0 or 1, and no file after 1."""
    dice = random.Random("casts")
    with open(save(numpy.linspace(-1, 1, 24).reshape(4, 6)), "rb") as file:
        data = file.read()
    wrong = []
    for number in range(120):
        piece = bytearray(data[:len(data) * number // 60] if number < 60 else data)
        if number >= 60:
            piece[dice.randrange(len(piece))] ^= 1 << dice.randrange(8)
        with open(scratch("cut.npy"), "wb") as file:
            file.write(piece)
        status, err = pack(scratch("cut.npy"), *(("--scale", "auto") if number % 2 else ("--dtype", "f16")))
        if status not in (0, 1) or (status == 1 and (os.path.exists(OUT) or not err.startswith("utet: "))):
            wrong.append((number, status, err))
    check("cut and changed arrays", not wrong, wrong[:3])


for part in (dtypes, foreign_elements, scales, other_formats, large, sweeps):
    part()
summary()
