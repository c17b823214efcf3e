#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""Integers stay integers: 2^53 + 1, -2^63, 2^63, 2^64 - 1 and their neighbours through every command, option and format that
accepts numbers: the result is exact, or refused with the option that permits a loss, or the loss is reported. Second
sources: Python's integers, decimal, csv and json, NumPy. EXACT_TABLES= number of random tables (120)."""
import csv
import decimal
import io
import json
import math
import os
import random
import re
import struct
from fractions import Fraction

import numpy

from harness import SCRATCH, check, expect, narrow, scratch, summary, utet

os.environ["SOURCE_DATE_EPOCH"] = "1700000000"
SIGNED = [2**53 - 1, 2**53, 2**53 + 1, 2**53 + 2, -2**53 - 1, -2**53, -2**63, -2**63 + 1, 2**63 - 2, 2**63 - 1]
UNSIGNED = [0, 2**53 + 1, 2**63 - 1, 2**63, 2**63 + 1, 2**64 - 2, 2**64 - 1]
SETS = ((SIGNED, "i64", "<i8"), (UNSIGNED, "u64", "<u8"))
# Each has a double that is an integer.
FRACTIONS = ["9007199254740993.5", "9007199254740992.5", "-9007199254740993.5", "9223372036854775806.5", "-9223372036854775807.5", "18446744073709551614.5",
             "18446744073709551615.5", "4503599627370496.9", "0.99999999999999999999", "1.00000000000000000001", "9007199254740992.00000000000000000001"]
QUICK = ("--tile", "whole", "--codec", "raw", "-j", "1")


def put(name, data):
    with open(scratch(name), "wb") as file:
        file.write(data if isinstance(data, bytes) else data.encode())
    return scratch(name)


def pack(path, *options, name="out.tet"):
    """(exit status, standard error, path)"""
    out = scratch(name)
    if os.path.exists(out):
        os.remove(out)
    status, _, err = utet("pack", path, *QUICK, *options, "-o", out)
    return status, err, out


def read(path, name="#0", *options):
    return utet("read", path, name, *(options or ("--format", "raw")))[1]


# ---- formats and commands ----

def formats():
    for values, dtype, kind in SETS:
        array = numpy.array(values, kind)
        numpy.save(scratch("x.npy"), array)
        numpy.savez(scratch("x.npz"), x=array)
        numpy.savez_compressed(scratch("y.npz"), x=array)
        sources = [(scratch("x.npy"),), (scratch("x.npz"),), (scratch("y.npz"),), (put("x.csv", "x\n" + "\n".join(map(str, values)) + "\n"),),
                   (put("x.bin", array.tobytes()), "--dtype", dtype, "--shape", str(len(values)))]
        for source in sources:
            status, err, out = pack(*source)
            check("%s of %s" % (dtype, source[0]), status == 0 and err == "" and read(out) == array.tobytes(), err)
        copy = scratch("copy.tet")
        status, _, err = utet("pack", out, "--tile", "2", "--codec", "zstd", "-o", copy)
        check("%s of .tet" % dtype, status == 0 and read(copy) == array.tobytes(), err)
        for form, load in (("csv", lambda d: [int(w) for w in d.split()]), ("text", lambda d: [int(w) for w in d.split()]),
                           ("npy", lambda d: [int(v) for v in numpy.load(io.BytesIO(d))])):
            check("%s as %s" % (dtype, form), load(read(copy, "#0", "--format", form)) == values)
        again = put("again.csv", "x\n" + read(copy, "#0", "--format", "csv").decode())
        check("%s through csv and back" % dtype, read(pack(again)[2]) == array.tobytes())
        facts = dict(re.findall(r"^(\w+) +(.*)$", utet("read", copy, "--stats")[1].decode(), re.M))
        mean = Fraction(sum(values), len(values))
        check("%s in --stats" % dtype, (int(facts["least"]), int(facts["greatest"])) == (min(values), max(values)) and
              abs(Fraction(facts["mean"]) - mean) <= Fraction(1, 10**9) and
              math.isclose(float(facts["deviation"]), math.sqrt(sum((v - mean) ** 2 for v in values) / len(values)), rel_tol=1e-8), facts)
        expect("export", ["export", copy, "--c", "-o", scratch("x.c")], 0)
        with open(scratch("x.c"), encoding="utf-8") as file:
            code = file.read().split("= {")[1].split("}")[0]
        check("%s as C" % dtype, [int(eval(re.sub("U?LL", "", word.strip()))) for word in code.split(",") if word.strip()] == values, code)
        document = put("q.json", json.dumps({"dataset": "x"}))
        check("%s in a query's elements" % dtype, [int(w) for w in utet("query", copy, document)[1].split()] == values)
        told = json.loads(utet("query", copy, document, "--json")[1])
        check("%s in a response" % dtype, find(told, dtype + "_preview") == values, told)


def find(tree, key):
    if isinstance(tree, dict):
        return tree[key] if key in tree else next((v for v in (find(t, key) for t in tree.values()) if v is not None), None)
    return None


# ---- diff ----

def differences():
    """field/diff ns_a, ns_b: 1704067200123456789 - …700 is 89, which doubles cannot represent. Over all pairs and
    tolerances."""
    dice = random.Random("diff")
    a, b = numpy.array([1704067200123456700, 1704067200123456750], "<i8"), numpy.array([1704067200123456789, 1704067200123456790], "<i8")
    expected = [("0", [89, 40]), ("1", [89, 40]), ("39.9999", [89, 40]), ("40", [89]), ("88.99999999999999999999", [89]), ("89", [])]
    compare("ns", a, b, [(("--tolerance", t), w) for t, w in expected])
    for values, dtype, kind in SETS:
        pairs = [(dice.choice(values), dice.choice(values)) for _ in range(40)] + [(v, w) for v, w in zip(values, values[1:])]
        left, right = numpy.array([p[0] for p in pairs], kind), numpy.array([p[1] for p in pairs], kind)
        by = [abs(p[0] - p[1]) for p in pairs]
        cases = []
        for tolerance in ("0", "1", "0.5", "2", str(2**53), str(2**53 + 1), str(2**63 - 1), str(2**63), str(2**64 - 2), str(2**64 - 1), "1e30"):
            cases.append((("--tolerance", tolerance), [d for d in by if d > Fraction(tolerance)]))
        for relative in ("0.5", "1", "2", "1e-16", "0.1", "1e-19", "1e-300"):
            cases.append((("--relative", relative), [d for d, p in zip(by, pairs) if d > Fraction(float(relative)) * max(abs(p[0]), abs(p[1]))]))
        compare(dtype, left, right, cases)
    floats = [(-0.0, 0.0), (math.nan, math.nan), (math.inf, math.inf), (math.inf, -math.inf), (math.inf, 5), (math.nan, 1), (1, 1.5)]
    for kind in ("<f2", "<f4", "<f8"):
        left, right = (numpy.array([p[i] for p in floats], kind) for i in (0, 1))
        bits = right.view("<u%s" % kind[2:])
        bits[1] += bits.dtype.type(5)  # another payload
        compare("floats " + kind, left, right, [(("--tolerance", "0"), [None] * 4), (("--relative", "0.5"), [None] * 3), ((), [None] * 6)])
    for wrong in ("nan", "inf", "-1", "0x10", "1e400", "", "1,5", "1 "):
        status, _, err = utet("diff", "a", "b", "--tolerance", wrong)
        check("--tolerance %r" % wrong, status == 2 and "--tolerance: invalid value" in err, err)


def compare(what, left, right, cases):
    for name, array in (("l", left), ("r", right)):
        numpy.save(scratch(name + ".npy"), array)
        pack(scratch(name + ".npy"), "--name", "d", name=name + ".tet")
    for options, differ in cases:
        status, out, err = utet("diff", scratch("l.tet"), scratch("r.tet"), "--first", "0", *options)
        told = re.search(r"(\d+) of \d+ elements differ(?:, by (\S+) at most)?", out.decode())
        right = status == (1 if differ else 0) and (int(told[1]) if told else 0) == len(differ)
        if differ and differ[0] is not None:
            right = right and told[2] == str(max(differ))
        check("diff %s %s" % (what, " ".join(options)), right, (out, err, len(differ)))


# ---- attributes, labels, indices, options ----

def words():
    large = [str(v) for v in (2**53, 2**53 + 1, 2**63, 2**64 - 1, 2**64)]
    numpy.save(scratch("w.npy"), numpy.arange(len(large), dtype="<i4"))
    status, err, out = pack(scratch("w.npy"), "--dims", "x", "--labels", "x=" + ",".join(large), *sum((["--attr", "k%d=%s" % (i, w)] for i, w in enumerate(large)), []))
    about = json.loads(utet("info", out, "--json")[1])["metadata"]["datasets"]["w"]
    check("attributes and labels are their text", about["attrs"] == {"k%d" % i: w for i, w in enumerate(large)} and about["coords"]["x"]["labels"] == large, about)
    for i, word in enumerate(large):
        check("label " + word, read(out, "w", "--slab", 'x="%s"' % word, "--format", "csv") == b"%d\n" % i)
        document = put("q.json", json.dumps({"dataset": "w", "selection": [{"start_label": word}]}))
        check("label %s in a query" % word, utet("query", out, document)[1].split()[0] == b"%d" % i)
    meta = put("m.json", json.dumps({"datasets": {"w": {"attrs": {"big": large[1]}}}}))
    check("--meta", json.loads(utet("info", pack(scratch("w.npy"), "--meta", meta)[2], "--json")[1])["metadata"]["datasets"]["w"]["attrs"] == {"big": large[1]})
    for place in (2**53, 2**53 + 1, 2**63, 2**64 - 1):
        expect("--slab %d" % place, ["read", out, "w", "--slab", str(place)], 1, "axis 0: index %d is out of range; the axis has 5 elements" % place)
        status, _, err = utet("query", out, put("q.json", '{"dataset":"w","selection":[{"start":%d,"stop":%d}]}' % (place, min(place + 1, 2**64 - 1))))
        check("start %d in a query" % place, status == 1 and "%d" % place in err, err)
    expect("--slab beyond", ["read", out, "w", "--slab", str(2**64)], 1, "axis 0: number too large")
    empty = put("empty.bin", b"")
    for extent in (2**53 + 1, 2**59):
        status, err, _ = pack(empty, "--dtype", "u8", "--shape", str(extent))
        check("--shape %d" % extent, status == 1 and ("%d bytes are missing: --shape requires %d" % (extent, extent)) in err, err)
        status, err, _ = pack(empty, "--dtype", "u8", "--shape", "1", "--offset", str(extent))
        check("--offset %d" % extent, status == 1 and "1 bytes are missing" in err, err)


def filters():
    """A query's filter, against Python's comparison of the elements with the exact number of the text. The reference
    differs: it rounds both to doubles (src/query/INSIDE.md, Differences)."""
    for values, kind in ((SIGNED + [0, 1, -1, 1704067200123456789], "<i8"), (UNSIGNED, "<u8")):
        numpy.save(scratch("f.npy"), numpy.array(values, kind))
        path = pack(scratch("f.npy"), "--name", "d")[2]
        numbers = [str(v) for v in values] + [str(v) for v in (2**64, 2**63 + 1, -2**63 - 1, 10**19, 2**70)] + ["0.5", "-0.5", "1e300", "1704067200123456789.000", "1704067200123456789e0", "17040672001234567890e-1"] + FRACTIONS
        for number in numbers:
            exactly = Fraction(decimal.Decimal(number))
            for key, holds in (("eq", lambda a, b: a == b), ("ne", lambda a, b: a != b), ("lt", lambda a, b: a < b), ("le", lambda a, b: a <= b), ("gt", lambda a, b: a > b), ("ge", lambda a, b: a >= b)):
                document = put("q.json", '{"dataset":"d","filter":{"%s":%s},"count":[]}' % (key, number))
                told = json.loads(utet("query", path, document, "--json")[1])
                want = sum(holds(v, exactly) for v in values)
                check("filter %s %s of %s" % (key, number, kind), find(told, "operation_element_count") == want, (told, want))
        for operation, rounded in (("min", min(values)), ("max", max(values)), ("sum", sum(values)), ("count", 0), ("arg_max", 0)):
            for more in ((), ("--json",), ("--npy", scratch("q.npy"))):
                status, out, err = utet("query", path, put("q.json", '{"dataset":"d","%s":[]}' % operation), *more)
                want = "results are doubles, and integers beyond 2^53 are rounded to the nearest one"
                check("query %s of %s %s" % (operation, kind, more), status == 0 and ((want in err) if abs(rounded) > 2**53 else err == ""), err)
        one = put("q.json", '{"dataset":"d","filter":{"ge":%d,"lt":%d},"count":[]}' % (values[-1], values[-1] + 1))
        check("one integer between two", find(json.loads(utet("query", path, one, "--json")[1]), "operation_element_count") == 1)


def fills():
    """_FillValue and the fill of null_count: an integer is null if it is equal to the number of the text, by Python. The
    reference compares doubles (src/query/README.md, Differences)."""
    def answer(path, document):
        return json.loads(utet("query", path, put("q.json", document), "--json")[1])

    for values, dtype, kind in SETS:
        values = values + values[:3]
        numpy.save(scratch("f.npy"), numpy.array(values, kind))
        limits = numpy.iinfo(kind)
        for text in [str(v) for v in dict.fromkeys(values)] + ["-0", "0.0", "9007199254740993.0", "nan", str(2**63), str(2**64), str(-2**63 - 1)] + FRACTIONS:
            path = pack(scratch("f.npy"), "--name", "d", "--attr", "_FillValue=" + text)[2]
            number = None if text in ("-0", "nan") else Fraction(decimal.Decimal(text))
            null = [v == number for v in values]
            for test, want in (('"is_null":true', sum(null)), ('"is_not_null":true', len(values) - sum(null)), ('"le":1e300', len(values) - sum(null)),
                               ('"ne":%d' % values[0], sum(n or v != values[0] for n, v in zip(null, values)))):
                told = answer(path, '{"dataset":"d","filter":{%s},"count":[]}' % test)
                check("%s with the fill %s of %s" % (test, text, kind), find(told, "operation_element_count") == want, (told, want))
            told = answer(path, '{"dataset":"d","null_count":[]}')
            check("null_count with the fill %s of %s" % (text, kind), find(told, "operation_null_count") == sum(null), told)
            if text != "nan":
                told = answer(path, '{"dataset":"d","null_count":{"axes":[],"fill":%s}}' % text)
                check("null_count of %s in %s" % (text, kind), find(told, "operation_null_count") == sum(null), told)
            good = number is not None and number.denominator == 1 and limits.min <= number <= limits.max
            status, out, err = utet("query", path, put("q.json", '{"dataset":"d","filter":{"ge":%d}}' % values[1]))
            wanted = [v if v >= values[1] and not n else int(number) for v, n in zip(values, null)] if good else None
            check("elements with the fill %s of %s" % (text, kind), (status, [int(w) for w in out.split()]) == (0, wanted) if good else status == 1 and "materialize fill" in err, (out, err))
            status, out, err = utet("query", path, put("q.json", '{"dataset":"d","min":[],"window":{"axis":0,"size":%d,"mode":"bins","pad":"fill"}}' % (len(values) - 1)), "--json")
            good = good or text == "-0"
            want = [float(min(values[:-1])), float(min(values[-1], int(number or 0)))] if good else None
            check("a pad of %s in %s" % (text, kind), find(json.loads(out), "operation_reduced_min") == want if good else status == 1 and "the dataset's fill" in err, (out, err, want))


# ---- tables ----

def fields():
    """field/csv: the expected result of each file, from its README."""
    gap = put("c51.csv", "ns,v\n1704067200123456789,1.5\n,2.5\n1704067200123456791,3.5\n")
    status, err, _ = pack(gap)
    check("c51: refused with the options", status == 1 and 'line 2, column 1 ("ns"): "1704067200123456789" is not exactly a double' in err and "--fill X keeps integers" in err and "--dtype f64 rounds it" in err, err)
    status, err, out = pack(gap, "--fill", "-1")
    check("c51: exact with a fill", status == 0 and err == "" and read(out, "ns") == struct.pack("<3q", 1704067200123456789, -1, 1704067200123456791) and attributes(out, "ns") == {"_FillValue": "-1"}, err)
    check("c51: the other column", read(out, "v") == struct.pack("<3d", 1.5, 2.5, 3.5) and attributes(out, "v") == {})
    status, err, out = pack(gap, "--dtype", "f64")
    check("c51: rounded when told, and said", status == 0 and 'column 1 ("ns"): 2 whole numbers are rounded to f64, the first in line 2' in err, err)
    check("c51: the number of --fill is in the data", pack(gap, "--fill", "1704067200123456791")[0] == 1)
    for text, column, codes, values in (("time,v\n2024-01-01T00:00:00Z,1.5\n2024-01-01T00:10:00Z,1.75\n", "time", {"2024-01-01T00:00:00Z": 0, "2024-01-01T00:10:00Z": 1}, [0, 1]),
                                        ("flag,v\nTrue,1\nFalse,2\nTrue,3\n", "flag", {"True": 0, "False": 1}, [0, 1, 0]),
                                        ('s,v\n"é ""x""",1\n,2\n"é ""x""",3\nb,4\n', "s", {'é "x"': 0, "b": 1}, [0, -1, 0, 1])):
        status, err, out = pack(put("t.csv", text))
        want = json.dumps({"codes": codes, "missing": -1}, separators=(",", ":"), sort_keys=True, ensure_ascii=False)
        check("words as the reference codes them: %r" % text, status == 0 and "attribute tetration_categories lists them" in err and len(err.splitlines()) == 1 and
              read(out, column) == struct.pack("<%dq" % len(values), *values) and attributes(out, column) == {"tetration_categories": want}, (err, attributes(out, column), want))
    status, err, out = pack(put("mixed.csv", "k,v\n1,70000\n2,3000000000\n3,1.5\n"))
    check("mixed numbers", err == "" and read(out, "v") == struct.pack("<3d", 70000, 3000000000, 1.5) and read(out, "k") == bytes((1, 2, 3)), err)
    text = io.StringIO()
    numpy.savetxt(text, [[1, 2], [3, 4]], delimiter=",", header="a,b")
    for source in (text.getvalue(), "# a,b\n1.000000000000000000e+00,2.000000000000000000e+00\n3.0e+00,4.0e+00\n"):
        status, err, out = pack(put("c45.csv", source))
        check("np.savetxt", err == "" and names(out) == ["a", "b"] and read(out, "a") == struct.pack("<2d", 1, 3), err)
    status, err, out = pack(put("c.csv", "# made by a logger\n# in 2024, in two lines\na,b\n1,2\n"))
    check("comments", status == 0 and names(out) == ["a", "b"] and err.endswith("2 lines that begin with # are skipped\n"), err)
    status, err, out = pack(put("c.csv", "#,x\n1,2\n"))
    check("a # alone is a name", names(out) == ["#", "x"] and err == "", err)
    for text, units in (("temp,hum\nC,%\n1.5,40\n1.75,41\n", ["C", "%"]), ("time,temp\ns,degC\n0,20.1\n1,20.2\n", ["s", "degC"])):
        status, err, _ = pack(put("u.csv", text))
        check("a row of units: the option", status == 1 and "line 2, column 1" in err and "--units reads this line as units" in err, err)
        status, err, out = pack(scratch("u.csv"), "--units")
        check("a row of units: kept", err == "" and [attributes(out, n)["units"] for n in names(out)] == units, err)
        status, err, out = pack(put("u.csv", text.split("\n", 1)[1]), "--skip", "1", "--no-header")
        check("--skip", err == "" and names(out) == ["column1", "column2"], err)
    miss = put("miss.csv", "t,x,y\n0,1.5,\n1,,2\n2,NA,3\n3,NaN,4\n4,null,5\n5,-9999,6\n")
    check("missing: said", pack(miss)[1].endswith('column 2 ("x"): 2 fields such as "NA" are read as no value\n'))
    status, err, out = pack(miss, "--missing", "NA,null,-9999")
    x = numpy.frombuffer(read(out, "x"), "<f8")
    check("missing", err == "" and x[0] == 1.5 and numpy.isnan(x[1:]).all() and read(out, "t") == bytes(range(6)), (err, x))
    thousands = put("thou.csv", 'id,pop\n1,"1,234,567"\n2,"9,876"\n3,12\n')
    check("thousands: the option", "--thousands , reads 1234567" in pack(thousands)[1])
    status, err, out = pack(thousands, "--thousands", ",")
    check("thousands", err == "" and read(out, "pop") == struct.pack("<3i", 1234567, 9876, 12), err)
    for sign, cell, value in ((".", "1.234.567,5", 1234567.5), ("'", "1'234", 1234), (" ", "12 345 678", 12345678), ("_", "1_000", 1000)):
        status, err, out = pack(put("s.csv", "a;b\n1;%s\n" % cell), "--thousands", sign)
        check("thousands by %r" % sign, err == "" and read(out, "b") == (struct.pack("<d", value) if value % 1 else narrow([value]).tobytes()), err)
    for cell in ("1,23", "12,3456", "1,234,56", ",123", "1,,234", "1234,567", "1,234,"):
        check("no thousands: " + cell, pack(put("s.csv", 'a,b\n1,"%s"\n' % cell), "--thousands", ",")[0] == 1)
    status, err, out = pack(put("n.csv", "1,2,3\n4,5,6\n7,8,9\n"))
    check("no header", err == "" and names(out) == ["column1", "column2", "column3"] and read(out) == bytes((1, 4, 7)), err)
    status, err, out = pack(put("n.csv", "a,1\nb,2\n"))
    check("a first line of words and numbers is said", "is read as names (--no-header reads it as data)" in err, err)
    status, err, out = pack(scratch("n.csv"), "--no-header")
    check("--no-header", names(out) == ["column1", "column2"] and read(out, "column2") == bytes((1, 2)), err)
    for text, want in (('a\n1\n""\n2\n', [1, math.nan, 2]), ('a\n""\n', [math.nan]), ('a\n" "\n\n3\n', [math.nan, 3])):
        status, err, out = pack(put("q.csv", text))
        check("an empty cell in quotes is a cell, as csv.writer writes it: %r" % text, err == "" and read(out) == numpy.array(want, "<f8").tobytes() and
              len(want) == len([r for r in csv.reader(io.StringIO(text)) if r]) - 1, err)
    for cell, want in (("9007199254740993E0", 2**53 + 1), ("9.007199254740993e15", 2**53 + 1), ("90071992547409930e-1", 2**53 + 1), ("1.152921504606847e18", 1152921504606847000.0)):
        status, err, out = pack(put("e.csv", "a\n%s\n" % cell))
        check("an exponent behind " + cell, err == "" and read(out) == struct.pack("<d" if isinstance(want, float) else "<q", want), err)
    for text, words in (("# a b\n1 2\n3 4\n", '"3 4" is not a number (fields end at commas, semicolons or tabs; --separator blank ends them at blanks)'), ("1.5 2.5\n", "numbers separated by blanks; separate fields by commas, semicolons or tabs"),
                        ("a\n6\n$5\n", '--missing "$5"'), ("a,b\n1,3\n1;2,3\n", '--missing "1;2"'), ("a;b\n5;6\n1,2,3;4\n", '--missing "1,2,3"')):
        status, err, _ = pack(put("b.csv", text))
        check("advice that helps: %r" % text, status == 1 and words in err and "--thousands" not in err, err)
    check("more words than an attribute holds", "longer than an attribute can be, 1,024 bytes" in pack(put("w.csv", "a\n" + "\n".join("word%d" % i for i in range(100)) + "\n"))[1])
    for text, pattern in (('a\n"1"2\n', "line 2: text after a closing quotation mark"), ("a,b\n1\x00,2\n", "a zero byte after"), ("a\x00b\n1\n", "a zero byte after"), ("a\n1\n", None)):
        status, err, _ = pack(put("s.csv", text))
        check("strict: %r" % text, (status == 1 and pattern in err) if pattern else status == 0, err)
    numpy.save(scratch("x.npy"), numpy.zeros(1))
    check("options of tables", "--skip applies only to .csv and .tsv" in pack(scratch("x.npy"), "--skip", "1")[1])


def attributes(path, name):
    return json.loads(utet("info", path, "--json")[1])["metadata"].get("datasets", {}).get(name, {}).get("attrs", {})


def names(path):
    return [d["name"] for d in json.loads(utet("info", path, "--json")[1])["datasets"]]


def cells(dice):
    """A cell and its value: an exact number, None for no value, or a text."""
    kind = dice.random()
    if kind < 0.6:
        value = dice.choice(SIGNED + UNSIGNED + [0, 1, -1, 70000, 2**31, 2**64, 10**20, -2**63 - 1])
        return dice.choice(["%d", "%d", "%d", "+%d" if value >= 0 else "%d", "%d.0", "%d."]) % value
    if kind < 0.7:
        return dice.choice(["1E+5", "9.007199254740993e15", "9007199254740993E0", "1.7040672001234567891e18", "1e3", "6.02214076e23", "1.23456789012346e+18", "25e-1", "-0", "-0.0", ".5",
                            "9.007199254740995e+15", "9007199254740992e0", "90071992547409930e-1", "1.152921504606847e18", "-9.223372036854775808E18"])
    if kind < 0.85:
        return repr(dice.choice([dice.uniform(-10, 10), dice.uniform(-1e19, 1e19), 0.1, 1e-300, 1e300]))
    return dice.choice(["", "", "nan", "1.5"])


def tables():
    """Random columns: each number is stored exactly if it was written as an integer, otherwise as the nearest double; or
    the column is refused with its line and an option that then works."""
    dice = random.Random("tables")
    outcomes = {"kept": 0, "refused": 0}
    for number in range(int(os.environ.get("EXACT_TABLES", "120"))):
        few = [cells(dice) for _ in range(dice.choice([1, 2, 3]))]
        column = [dice.choice(few) for _ in range(dice.randint(1, 4))]
        path = put("t.csv", "a,b\n" + "".join("%s,1\n" % c for c in column))
        parsed = [row[0].strip() for row in csv.reader(io.StringIO("".join("%s,1\n" % c for c in column)))]
        status, err, out = pack(path + ":a")
        what = "table %d: %s" % (number, column)
        outcomes["kept" if status == 0 else "refused"] += 1
        if status == 0:
            check(what, err == "" and stored_right(out, parsed, None), (err, stored(out)))
            continue
        check(what + " is refused with the option", re.search(r'line \d+, column 1 \("a"\): .*--dtype f64 rounds it', err), err)
        check(what + " could not be kept", any(must_be_exact(c) and Fraction(float(c)) != exact(c) for c in parsed if exact(c) is not None), err)
        if "--fill X" in err:
            status, err, out = pack(path + ":a", "--fill", "-77")
            check(what + " with --fill", status == 0 and stored_right(out, parsed, -77), (err, stored(out)))
        status, err, out = pack(path + ":a", "--dtype", "f64")
        rounded = sum(1 for c in parsed if exact(c) is not None and must_be_exact(c) and Fraction(float(c)) != exact(c))
        check(what + " rounded", status == 0 and ("%d whole number" % rounded) in err, err)
    check("both happen", min(outcomes.values()) > 5 or sum(outcomes.values()) < 100, outcomes)


def exact(cell):
    """None: no value."""
    return None if cell in ("", "nan") else Fraction(decimal.Decimal(cell))


def must_be_exact(cell):
    """An integer that is written without an exponent, or with digits that no double is printed with."""
    digits = re.sub(r"[eE].*", "", cell).strip("+-").replace(".", "").strip("0")
    printed = ("%.*e" % (max(len(digits) - 1, 0), abs(float(cell)))).split("e")[0].replace(".", "").rstrip("0")
    return exact(cell).denominator == 1 and ("e" not in cell.lower() or len(digits) > 17 or printed != digits)


def stored(path):
    dtype = json.loads(utet("info", path, "--json")[1])["datasets"][0]["dtype"]
    return dtype, numpy.frombuffer(read(path), [None, None, "<f8", "<i4", "<i8", "|u1", "<u2", "<i2", "<u4", None, "<u8"][dtype])


def stored_right(path, cells_, fill):
    dtype, values = stored(path)
    for cell, value in zip(cells_, values.tolist()):
        wanted = exact(cell)
        if wanted is None:
            right = math.isnan(value) if dtype == 2 else value == fill
        elif dtype == 2:
            right = struct.pack("<d", value) == struct.pack("<d", float(cell)) and (not must_be_exact(cell) or Fraction(value) == wanted)
        else:
            right = value == wanted
        if not right:
            return False
    return len(values) == len(cells_)


def dtypes():
    """--dtype: each number is stored as it is, or refused with its line; f32 and f16 are rounded as by NumPy, and lost
    fractions are reported."""
    dice = random.Random("dtypes")
    limits = {"u8": (0, 255), "u16": (0, 65535), "u32": (0, 2**32 - 1), "u64": (0, 2**64 - 1), "i16": (-2**15, 2**15 - 1), "i32": (-2**31, 2**31 - 1), "i64": (-2**63, 2**63 - 1)}
    for dtype, (least, most) in limits.items():
        for value in {least - 1, least, least + 1, most - 1, most, most + 1, 2**53 + 1, dice.randint(least, most)}:
            for form in ("%d", "%d.000", "%de0", "%d0e-1"):
                status, err, out = pack(put("d.csv", "a\n" + form % value + "\n"), "--dtype", dtype)
                if least <= value <= most:
                    got = int.from_bytes(read(out), "little", signed=dtype[0] == "i")
                    check("%s as %s" % (form % value, dtype), status == 0 and err == "" and got == value, (err, status))
                else:
                    check("%s is beyond %s" % (form % value, dtype), status == 1 and 'line 2, column 1 ("a"): "%s" does not fit %s' % (form % value, dtype) in err, err)
        check("no fraction in " + dtype, "does not fit" in pack(put("d.csv", "a\n1.5\n"), "--dtype", dtype)[1])
        check("no NaN in " + dtype, dtype + " has no NaN (--fill X stores the number X there)" in pack(put("d.csv", "a,b\n1,\n"), "--dtype", dtype)[1])
        status, err, out = pack(scratch("d.csv"), "--dtype", dtype, "--fill", "7")
        check("a fill in " + dtype, err == "" and int.from_bytes(read(out, "b"), "little") == 7, err)
    texts = ["16777217", "16777217.0", "0.1", "1.00000017881393432617187499", "9007199254740993", "33554433", "2049", "1e-46", "65504", "340282346638528859811704183484516925440"]
    for text in texts:
        status, err, out = pack(put("d.csv", "a\n%s\n" % text), "--dtype", "f32")
        nearest = min((numpy.float32(text), numpy.nextafter(numpy.float32(text), numpy.float32(0))), key=lambda v: abs(Fraction(float(v)) - Fraction(text)))
        lost = Fraction(text).denominator == 1 and Fraction(float(nearest)) != Fraction(text)
        check("%s as f32" % text, status == 0 and read(out) == nearest.tobytes() and ("rounded to f32" in err) == lost, err)


def nearest_float(text):
    """The float nearest to the text, ties to even; returns its bytes."""
    exactly = Fraction(text)
    middle = numpy.float32(float(text))
    near = [numpy.nextafter(middle, numpy.float32(-math.inf)), middle, numpy.nextafter(middle, numpy.float32(math.inf))]
    return min(near, key=lambda v: (abs(Fraction(float(v)) - exactly), v.view(numpy.uint32) & 1)).tobytes()


def nearest():
    """Decimal texts become the nearest double and the nearest float: few and many digits, small and large powers, and texts in
    the middle between two floats or doubles, or slightly to one side. Second sources: Python's float and fractions."""
    dice = random.Random("nearest")
    texts = ["0.1", "-0.3", "1e22", "1e23", "123456789012345e22", "123456789012345e-22", "999999999999999e23", "1e-30", "1.17549435e-38", "1e-40", "7e-46"]
    for _ in range(600):
        digits, power = dice.randint(1, 18), dice.randint(-24, 15)
        texts.append("%d.%de%d" % (dice.randint(0, 99), dice.randint(0, 10**digits), power))
        texts.append("%.*f" % (dice.randint(1, 12), dice.uniform(-1000, 1000)))
        float_middle = float(numpy.float32(dice.uniform(0.001, 1000))) + 2.0**-60
        low, high = numpy.float32(float_middle), numpy.nextafter(numpy.float32(float_middle), numpy.float32(math.inf))
        middle = decimal.Decimal((float(low) + float(high)) / 2)
        texts += [str(middle), str(middle) + "0001", str(decimal.Context(prec=100).subtract(middle, decimal.Decimal("1e-60")))]
        significand, places = dice.randrange(2**53 + 1, 2**54, 2), dice.randint(1, 3)  # halfway between two doubles, in at most 19 digits
        texts += ["%d.%0*d" % ((significand * 10**places >> places) // 10**places, places, (significand * 10**places >> places) % 10**places + by) for by in (0, 1, -1)]
        texts += [repr(dice.uniform(-1000, 1000)), "-%d.%0*d" % (dice.randint(0, 99), digits, dice.randrange(10**digits))]
    with open(os.path.join(os.environ["TEST_ROOT"], "../boards/host/shared/number.c"), encoding="utf-8") as file:
        table = [int(word, 16) for word in re.findall("0x[0-9A-F]{16}", re.search("reciprocals.*?;", file.read(), re.S)[0])]
    check("the reciprocals of powers of five", table == [2**64 - 1] + [2**(63 + (5**d).bit_length()) // 5**d for d in range(1, 28)], table)
    out = pack(put("n.csv", "a\n" + "\n".join(texts) + "\n"), "--dtype", "f64")[2]
    got = read(out)
    wrong = [t for i, t in enumerate(texts) if got[8 * i:8 * i + 8] != struct.pack("<d", float(t))]
    check("the nearest doubles of %d texts" % len(texts), len(got) == 8 * len(texts) and not wrong, wrong[:5])
    out = pack(scratch("n.csv"), "--dtype", "f32")[2]
    got = read(out)
    wrong = [t for i, t in enumerate(texts) if got[4 * i:4 * i + 4] != nearest_float(t)]
    check("the nearest floats of %d texts" % len(texts), len(got) == 4 * len(texts) and not wrong, wrong[:5])


formats()
differences()
words()
filters()
fills()
fields()
tables()
dtypes()
nearest()
summary()
