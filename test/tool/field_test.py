#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""Files from users that broke an earlier revision (field/), each with the right value and its source: NumPy and Python's
csv for tables and arrays, the reference's release 0.8.3 for .tet and queries, TileDB 2.30.0, arithmetic of Python's
integers. Each subject is tried in all its forms in exact_test, strict_test, cli_test and work_table."""
import csv
import datetime
import json
import os
import re
import shlex
import shutil
import struct
import time

import numpy

from harness import ROOT, check, expect, scratch, summary, utet

os.environ["SOURCE_DATE_EPOCH"] = "1700000000"
FIELD = os.path.join(ROOT, "tool", "field")
OUT = scratch("out.tet")


def field(*parts):
    return os.path.join(FIELD, *parts)


def pack(path, *options, out=OUT):
    if os.path.exists(out):
        os.remove(out)
    status, _, err = utet("pack", path, "--codec", "raw", "-j", "1", *options, "-o", out)
    return status, err


def columns():
    """name -> values of OUT"""
    kinds = [None, "<f4", "<f8", "<i4", "<i8", "|u1", "<u2", "<i2", "<u4", "<f2", "<u8"]
    sets = json.loads(utet("info", OUT, "--json")[1])["datasets"]
    return {d["name"]: numpy.frombuffer(utet("read", OUT, "#%d" % i, "--format", "raw")[1], kinds[d["dtype"]]) for i, d in enumerate(sets)}


def about(name):
    return json.loads(utet("info", OUT, "--json")[1])["metadata"]["datasets"][name]["attrs"]


def cells(name):
    with open(field("csv", name), encoding="utf-8", newline="") as file:
        return [row for row in csv.reader(file) if row]


def tables():
    status, err = pack(field("csv", "c51_ns_with_gap.csv"))
    check("c51 is refused with the option", status == 1 and "--fill X" in err and "--dtype f64" in err, err)
    status, err = pack(field("csv", "c51_ns_with_gap.csv"), "--fill", "-1")
    rows = cells("c51_ns_with_gap.csv")[1:]
    check("c51 is exact with a fill", columns()["ns"].tolist() == [int(r[0] or -1) for r in rows] and about("ns")["_FillValue"] == "-1", err)
    for name, column in (("c19_timestamps", "time"), ("dates", "date"), ("bool", "flag")):
        status, err = pack(field("csv", name + ".csv"))
        rows = cells(name + ".csv")
        words = [r[rows[0].index(column)] for r in rows[1:]]
        codes = list(dict.fromkeys(words))
        told = json.loads(about(column)["tetration_categories"])
        check(name + ": words are codes, as the reference's conversion makes them", status == 0 and columns()[column].tolist() == [codes.index(w) for w in words] and
              told == {"codes": {w: i for i, w in enumerate(codes)}, "missing": -1} and "tetration_categories" in err, (err, told))
    status, err = pack(field("csv", "mixed.csv"))
    check("mixed", {k: v.tolist() for k, v in columns().items()} == {"k": [1, 2, 3], "v": [70000, 3000000000, 1.5]} and columns()["v"].dtype == "<f8", err)
    status, err = pack(field("csv", "c45_numpy_savetxt.csv"))
    want = numpy.loadtxt(field("csv", "c45_numpy_savetxt.csv"), delimiter=",")
    check("c45: names of np.savetxt", list(columns()) == ["a", "b"] and (numpy.stack(list(columns().values()), 1) == want).all() and err == "", err)
    for name, options in (("c49_datalogger_two_headers", ["--units"]), ("unitrow", ["--units"]), ("thou", ["--thousands", ","])):
        status, err = pack(field("csv", name + ".csv"))
        check(name + ": refused, with the option", status == 1 and options[0] + " " in err and re.search(r"line \d+, column \d+", err), err)
        status, err = pack(field("csv", name + ".csv"), *options)
        rows = cells(name + ".csv")
        data = rows[2:] if options == ["--units"] else rows[1:]
        right = status == 0 and err == ""
        for i, title in enumerate(rows[0]):
            values = [float("nan") if r[i] in ("", "NA", "null") else float(r[i].replace(",", "")) for r in data]
            right = right and numpy.array_equal(columns()[title], values, equal_nan=True) and (options != ["--units"] or about(title)["units"] == rows[1][i])
        check(name + ": with it", right, (err, columns()))
    status, err = pack(field("csv", "miss.csv"))
    rows = cells("miss.csv")
    want = {t: [float("nan") if r[i] in ("", "NA", "NaN", "null") else float(r[i]) for r in rows[1:]] for i, t in enumerate(rows[0])}
    check("miss: NA and null are no values, and it is said", all(numpy.array_equal(columns()[t], v, equal_nan=True) for t, v in want.items()) and
          err.endswith('column 2 ("x"): 2 fields such as "NA" are read as no value\n'), (err, columns()))
    for name, column in (("c19_timestamps", "time"), ("dates", "date")):
        status, err = pack(field("csv", name + ".csv"), "--times", column + "=ms")
        want = [int(datetime.datetime.fromisoformat(r[0].replace("Z", "+00:00")).timestamp() * 1000) for r in cells(name + ".csv")[1:]]
        check(name + ": --times", err == "" and columns()[column].dtype == "<i8" and columns()[column].tolist() == want and
              about(column) == {"units": "milliseconds since 1970-01-01"}, (err, want))
    status, err = pack(field("csv", "noheader.csv"))
    check("no header", [v.tolist() for v in columns().values()] == [[int(r[i]) for r in cells("noheader.csv")] for i in range(3)], err)


def arrays():
    for name in ("n54_json_true_single_quotes.npy", "n50_true_lower.npy"):
        try:
            numpy.load(field("npy", name))
            refused = False
        except ValueError:
            refused = True
        status, err = pack(field("npy", name))
        check(name + " is refused, as by NumPy", refused and status == 1 and "fortran_order must be True or False" in err, err)
    for name, other in (("readme_member", "README.txt"), ("config_json_member", "config.json"), ("folder_member", "layer/")):
        status, err = pack(field("npy", name + ".npz"))
        with numpy.load(field("npy", name + ".npz")) as told:
            want = {n: told[n] for n in told.files if isinstance(told[n], numpy.ndarray)}
        got = columns()
        check(name + ": arrays as NumPy loads them, the other is named", status == 0 and '"%s"' % other in err and list(got) == list(want) and
              all((got[n] == want[n].ravel()).all() for n in want), err)
    files = {n: scratch(n + ".tet") for n in ("ns_a", "ns_b", "n1", "n2", "n5")}
    for name, out in files.items():
        pack(field("diff", name + ".npy"), "--name", "d", out=out)
    a, b = (numpy.load(field("diff", n + ".npy")).tolist() for n in ("ns_a", "ns_b"))
    status, out, _ = utet("diff", files["ns_a"], files["ns_b"], "--tolerance", "1")
    by = max(abs(x - y) for x, y in zip(a, b))
    check("nanoseconds differ by 89 and 40", status == 1 and by == 89 and ("2 of 2 elements differ, by %d at most" % by) in out.decode(), out)
    for other in ("n2", "n5"):
        check("-0 is 0, NaN is NaN: " + other, utet("diff", files["n1"], files[other], "--tolerance", "0")[:2] == (0, b""))
        check("their bytes differ: " + other, utet("diff", files["n1"], files[other])[0] == 1)


def queries():
    """Answered by release 0.8.3; the sums are NumPy's, over the elements."""
    place = scratch("q.json")

    def ask(path, document, *more):
        with open(place, "w", encoding="utf-8") as file:
            json.dump(document, file)
        return utet("query", path, place, "--json", *more)
    data = numpy.frombuffer(utet("read", field("query", "s.tet"), "d", "--format", "raw")[1], "<f4").reshape(3, 4).astype(float)
    for entry, rows in (([0, 2, 1], slice(0, 2)), ([0, 3, 2], slice(0, 3, 2)), ([2, None, None], slice(2, 3)), ([0, 1, None, None], slice(0, 1)), ([None, None, 2, None, None], slice(0, 3, 2))):
        status, out, err = ask(field("query", "s.tet"), {"dataset": "d", "selection": [entry, {}], "sum": []})
        want = float(data[rows].sum())
        check("a slice as a list: %s" % entry, status == 0 and json.loads(out)["execution"]["operation_sum"] == (None if want != want else want), (out, err))
    for entry, words in (([0, 2], "invalid length 2, expected struct AxisSlice with 5 elements"), ([0, 2, 1, None, None, None], "invalid length 6, expected fewer elements in array")):
        status, _, err = ask(field("query", "s.tet"), {"dataset": "d", "selection": [entry, {}], "sum": []})
        check("no slice: %s" % entry, status == 1 and words in err, err)
    data = numpy.frombuffer(utet("read", field("query", "padfill_u16.tet"), "d1", "--format", "raw")[1], "<u2").reshape(24, 19)
    status, out, err = ask(field("query", "padfill_u16.tet"), {"dataset": "d1", "window": {"axis": 0, "size": 4, "mode": "bins", "pad": "fill"}, "sum": []})
    check("nothing needs the fill", status == 0 and json.loads(out)["execution"]["operation_reduced_sum"] == data.reshape(6, 4, 19).sum(axis=1).ravel().tolist(), (out[:300], err))
    status, _, err = ask(field("query", "padfill_u16.tet"), {"dataset": "d1", "window": {"axis": 0, "size": 5, "mode": "bins", "pad": "fill"}, "sum": []})
    check("something needs it", status == 1 and '`window.pad` "fill": a window extends beyond the axis, and the dataset\'s fill, -999, is not a valid u16' in err, err)
    begun = time.time()
    status, out, err = utet("query", field("work", "labels-4000.tet"), field("work", "group-labels.json"), "--json")
    told = json.loads(out)["execution"]
    check("4,000 groups by label, in time", status == 0 and told["group_count"] == 4000 and time.time() - begun < 1, (err, time.time() - begun))


def files():
    status, out, err = utet("verify", field("tet", "cmp-3101235.tet"))
    check("cmp-3101235: an extent of 0 beside a product that overflows", status == 1 and "dataset_tensor_bytes" in err, err)
    status, out, err = utet("info", field("tet", "cmp-3105713.tet"))
    check("cmp-3105713: a footer without datasets", status == 0 and err == "", err)
    package = field("tet", "pkg.tet.d")
    packed = os.path.join(package, "generations", "00000001", "packed.tet")
    check("a package is its current generation", expect("package", ["info", package, "--json"], 0) == expect("packed", ["info", packed, "--json"], 0))
    check("the arrays of a package", expect("names", ["info", package, "-1"], 0).split() == [b"data", b"a", b"b", b"time", b"v"])
    status, out, _ = utet("fit", field("fit", "raw-two-columns.tet"), "--ram", "1K")
    need = int(re.search(r"needs ([0-9,]+) bytes in all", out.decode())[1].replace(",", ""))
    check("fit does not advise what cannot help", status == 1 and b"utet pack" not in out and b"--for" not in out, out)
    check("fit says how much would do", utet("fit", field("fit", "raw-two-columns.tet"), "--ram", str(need))[0] == 0 and
          utet("fit", field("fit", "raw-two-columns.tet"), "--ram", str(need - 1))[0] == 1, need)
    machine = shutil.copy(field("fit", "mine.txt"), scratch("my target.txt"))
    numpy.save(scratch("audio.npy"), numpy.random.default_rng(1).integers(-9, 9, 40000).astype("<i2").astype("<f4"))
    numpy.save(scratch("clim.npy"), numpy.zeros((60, 500), "<f4"))
    status, _, err = utet("pack", scratch("clim.npy"), scratch("audio.npy"), "-o", scratch("card.tet"), "--for", "stm32f407", "--codec", "zstd", "--tile", "whole")
    for choice in (["--for", machine], ["--for", "microbit", "--ram", "9K"]):
        out = utet("fit", scratch("card.tet"), *choice, cwd=scratch(""))[1].decode()
        line = re.search("utet (pack .*)$", out)
        check("fit prints a command", line is not None, out)
        if line:
            status, _, err = utet(*shlex.split(line[1]), cwd=scratch(""))
            check("the command that fit prints runs: " + line[1], status == 0 and utet("fit", scratch("NEW.tet"), *choice)[0] == 0, err)
            os.remove(scratch("NEW.tet"))


def tiledb():
    """TileDB 2.30.0 reads step = 12: the order of its metadata files is the numerical order of their times."""
    folder = field("tiledb", "t16_meta_10_range_9")
    told = json.loads(expect("t16", ["schema", folder, "--json"], 0))
    check("t16: step", [(e["key"], e["type"], bytes.fromhex(e["value_hex"])) for e in told["entries"]] == [("step", "INT64", struct.pack("<q", 12))], told.get("entries"))
    expect("another version", ["schema", field("tiledb", "schema-wrong-version.tdb"), "--kind", "schema"], 1, r": version: .*\(offset 147\)$")


for part in (tables, arrays, queries, files, tiledb):
    part()
summary()
