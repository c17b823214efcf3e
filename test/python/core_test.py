#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""The wheel, with NumPy only: golden files, selections, reductions against NumPy, packing against the tool, damage."""
import hashlib
import io
import itertools
import json
import os
import pickle
import random
import re
import subprocess
import sys
import tempfile
import threading
from fractions import Fraction
from unittest import mock

import microtet
import numpy as np
from ahead import ends_early, in_turn, reading_ahead, while_packing
from common import TESTS, check, golden, raises, readme, run, skip

DEMO = os.path.join(TESTS, "golden", "demo", "demo_planet.tet")
NAMES = {"f32": "f4", "f64": "f8", "i32": "i4", "i64": "i8", "u8": "u1", "u16": "u2", "i16": "i2", "u32": "u4",
         "f16": "f2", "u64": "u8"}


def sha(data):
    return hashlib.sha256(data).hexdigest()


def status(error):
    return error.name[2:] if error.name.startswith("E_") else error.name


def quote(text):
    """As in golden.txt: one ASCII word."""
    return "".join(chr(b) if 0x21 <= b < 0x7F and b != 0x25 else "%%%02X" % b for b in text.encode()) or "%"


def facts(f):
    """History and metadata as golden.txt's `said` lists them."""
    lines = []
    for n, event in enumerate(f.history):
        for key, value in event.items():
            if key == "parents":
                lines += ["event %d parents %d %s" % (n, i, quote(one)) for i, one in enumerate(value)]
            elif key == "params":
                lines += ["event %d params %s %s" % (n, quote(k), quote(v)) for k, v in value.items()]
            else:
                lines.append("event %d %s %s" % (n, key, quote(value)))
    lines += ["file %s %s" % (key, quote(value)) for key, value in f.attrs.items()]
    for name, one in f.items():
        where, dims = quote(name), one.dims
        lines += ["attr %s %s %s" % (where, quote(key), quote(value)) for key, value in one.attrs.items()]
        if dims != tuple("dim_%d" % i for i in range(len(dims))):
            lines += ["dim %s %d %s" % (where, i, quote(axis)) for i, axis in enumerate(dims)]
        lines += ["label %s %s %d %s" % (where, quote(dim), i, quote(label))
                  for dim, labels in one.labels.items() for i, label in enumerate(labels)]
    return sorted(lines)


def golden_files():
    """Status of opening, dense data and slices, compared with the reference and the writers."""
    opened = dense = refused = 0
    for path, lines in golden():
        name = os.path.basename(path)
        records = {words[0]: words for words in lines if words[0] == "open"}
        wanted = records.get("open", ["", "OK"])[1]
        if wanted == "ANY":
            continue
        try:
            f = microtet.open(path)
        except microtet.Error as error:
            refused += 1
            check(name, status(error) in wanted.split(","), "%s instead of %s" % (error.name, wanted))
            continue
        if not check(name, wanted == "OK", "opens instead of %s" % wanted):
            continue
        opened += 1
        for words in lines:
            if words[0] == "data":
                one = f.datasets[int(words[1])]
                if words[3] in NAMES:
                    shape = tuple(int(n) for n in words[4].split("x"))
                    check(name + " record", (one.shape, one.dtype.str[1:]) == (shape, NAMES[words[3]]), repr(one))
            elif words[0] == "dense":
                got = f.datasets[int(words[1])][...].tobytes()
                dense += 1
                check(name + " dense", (len(got), sha(got)) == (int(words[2]), words[3]), words)
            elif words[0] == "slice":
                key = tuple(slice(*map(int, part.split(":"))) for part in words[2].split(","))
                got = f.datasets[int(words[1])][key]
                check(name + " slice", (got.size, sha(got.tobytes())) == (int(words[3]), words[4]), words)
            elif words[0] == "read":
                try:
                    f.datasets[int(words[1])][...]
                except microtet.Error as error:
                    check(name + " read", status(error) in words[2].split(","), "%s %s" % (error.name, words))
                else:
                    check(name + " read", False, "read instead of %s" % words)
            elif words[0] == "verify" and words[1] == "ok":
                report = f.verify(deep=True)
                check(name + " verify", report["ok"] is True, report)
            elif words[0] == "said":
                said = facts(f)
                right = (len(said), sha("".join(line + "\n" for line in said).encode())) == (int(words[1]), words[2])
                check(name + " metadata", right, (words, said[:12]))
            elif words[0] == "metadata":
                raises(name + " metadata", microtet.DamagedError, lambda: f.history)
        f.close()
    print("figure: golden files: %d opened, %d refused, %d dense datasets" % (opened, refused, dense))
    check("golden files", opened > 60 and refused > 30 and dense > 60, (opened, refused, dense))


def selections():
    """NumPy's own indexing of the packed array is the second source."""
    rng = np.random.default_rng(3)
    a = rng.integers(-1000, 1000, (7, 12, 20)).astype("i2")
    microtet.pack({"a": a}, "a.tet", for_="rp2040", tile=(2, 4, 8), options=["--codec", "zstd"])
    sources = {"path": "a.tet", "bytes": open("a.tet", "rb").read(), "file": open("a.tet", "rb"),
               "memory file": io.BytesIO(open("a.tet", "rb").read())}
    files = {kind: microtet.open(source)["a"] for kind, source in sources.items()}
    files["budget"] = microtet.open("a.tet", budget=8000)["a"]
    keys = [np.s_[...], np.s_[2], np.s_[-1, -1, -1], np.s_[..., 3], np.s_[1, ..., ::-1], np.s_[::-2, 3:9:4, -5:],
            np.s_[5:2], np.s_[:, 0:0], np.s_[6:0:-3, ::-1, 19::-7], np.s_[:100, -100:], np.s_[np.int64(3)]]
    generator = random.Random(5)
    for _ in range(60):
        keys.append(tuple(generator.choice([generator.randrange(-n, n), slice(
            generator.choice([None, generator.randrange(-n - 2, n + 2)]),
            generator.choice([None, generator.randrange(-n - 2, n + 2)]),
            generator.choice([None, 1, 2, 5, -1, -3]))]) for n in a.shape[:generator.randrange(1, 4)]))
    for kind, d in files.items():
        for key in keys:
            got, right = d[key], a[key]
            check("%s[%s]" % (kind, key), np.shape(got) == np.shape(right) and np.array_equal(got, right)
                  and got.dtype == right.dtype, got)
    d = files["path"]
    part = d.isel(dim_0=slice(1, 6, 2), dim_2=4)
    check("isel", np.array_equal(part[1:, ::-1], a[1:6:2, :, 4][1:, ::-1]), part)
    check("isel of isel", np.array_equal(part.isel(dim_0=-1).read(), a[5, :, 4]), part)
    check("asarray", np.array_equal(np.asarray(d), a), d)
    for key, kind in ((7, IndexError), ((0, 0, 0, 0), IndexError), ([1, 2], TypeError), (1.5, TypeError),
                      (None, TypeError), ((..., ...), IndexError)):
        raises("index %r" % (key,), kind, lambda: d[key])
    # A file is passed between threads, and a pickle opens it again.
    wrong = []
    threads = [threading.Thread(target=lambda i=i: wrong.extend(
        1 for _ in range(40) if not np.array_equal(d[i % 7], a[i % 7]))) for i in range(4)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    check("threads", wrong == [], len(wrong))
    check("pickle", np.array_equal(pickle.loads(pickle.dumps(d.file))["a"][...], a))
    raises("pickle of a file object", TypeError, lambda: pickle.dumps(files["file"].file))
    d.file.close()
    raises("closed", ValueError, lambda: d[0], "closed")
    many = {"n%04d" % i: np.arange(i, i + 3) for i in range(300)}
    microtet.pack(many, "many.tet", tile="whole")
    f = microtet.open("many.tet")
    check("mapping", list(f) == list(many) and len(f) == 300 and "n0007" in f and "x" not in f
          and all(np.array_equal(f[k][...], v) for k, v in many.items()), f)


def labels():
    f = microtet.open(DEMO)
    e = f["elevation"]
    lat = e.labels["lat"]
    values = e[...]
    at = {label: i for i, label in enumerate(lat)}
    check("attributes", e.attrs == {"units": "m"} and e.dims == ("lat", "lon") and len(lat) == 64, e.attrs)
    got = e.sel(lat=slice("60.7", "40.9"))
    check("sel of a range", np.array_equal(got.read(), values[at["60.7"]:at["40.9"] + 1]), got)
    check("sel of a label", np.array_equal(e.sel(lat="60.7").read(), values[at["60.7"]]))
    check("sel by a number", np.array_equal(e.sel(lat=78).read(), values[0]) and lat[0] == "78.0")
    check("sel with a step", np.array_equal(e.sel(lat=slice(None, "60.7", 2)).read(), values[0:at["60.7"] + 1:2]))
    check("labels of a part", got.isel(lat=slice(None, None, -1)).labels["lat"] == lat[at["60.7"]:at["40.9"] + 1][::-1])
    raises("no such label", KeyError, lambda: e.sel(lat="61"))
    raises("no such axis", KeyError, lambda: e.sel(time="61"))
    raises("labels the wrong way", KeyError, lambda: e.sel(lat=slice("40.9", "60.7")))
    raises("no labels", KeyError, lambda: e.sel(lon="0"))
    microtet.pack(microtet.Array(np.arange(3), ["x"], {"x": ["a", "b", "a"]}), "twice.tet")
    raises("label twice", KeyError, lambda: microtet.open("twice.tet")["data"].sel(x="a"), "2 times")
    check("history", [event["op"] for event in f.history] == ["write"], f.history)


class Counted(io.BytesIO):
    """A file object that counts what is read from it."""
    bytes = 0

    def read(self, *size):
        got = super().read(*size)
        self.bytes += len(got)
        return got


def folds():
    rng = np.random.default_rng(9)
    for dtype in ("f4", "f8", "i2", "u1", "i8"):
        a = (rng.normal(50, 20, (9, 14, 11))).clip(0, 255).astype(dtype)
        microtet.pack({"a": a}, "%s.tet" % dtype, for_="rp2040", tile=(4, 4, 4), options=["--codec", "zstd"])
        d = microtet.open("%s.tet" % dtype)["a"]
        wide = a.astype("f8")
        for axis in (None, 0, -1, (0, 2), "dim_1"):
            n = 1 if axis == "dim_1" else axis
            for operation in ("sum", "mean", "min", "max", "std", "var"):
                right = getattr(np, operation)(wide, axis=n)
                got = getattr(d, operation)(axis)
                check("%s %s %s" % (dtype, operation, axis), np.shape(got) == np.shape(right)
                      and np.allclose(got, right, rtol=1e-12, atol=0), (got, right))
            check("median", np.array_equal(d.median(axis), np.median(wide, axis=n)))
        part = d.isel(dim_0=slice(None, None, -2), dim_2=3)
        cut = wide[::-2, :, 3]
        check(dtype + " of a part", np.allclose(part.mean("dim_1"), cut.mean(axis=1), rtol=1e-12), part)
        check(dtype + " arg_max", d.fold("arg_max") == a.argmax() and np.array_equal(d.fold("arg_min", 1), a.argmin(axis=1)))
        check(dtype + " where", d.count(where={"gt": 40, "le": 60}) == ((a > 40) & (a <= 60)).sum()
              and np.isclose(d.mean(where={"ge": 50}), wide[a >= 50].mean(), rtol=1e-13))
        check(dtype + " quantile", np.allclose(d.quantile(0.25, 0), np.quantile(wide, 0.25, axis=0), rtol=1e-12))
        names = ["mean", "min", "max", "count", "arg_max"]
        for axis in (None, 0, (0, 2), "dim_1"):
            together = d.fold(names, axis, {"gt": 40})
            check("%s together %s" % (dtype, axis), list(together) == names and all(
                np.array_equal(value, d.fold(name, axis, {"gt": 40})) and type(value) is type(d.fold(name, axis)) for name, value in together.items()), together)
        turned = d.isel(dim_1=slice(None, None, -3))
        check(dtype + " together, backwards", all(np.array_equal(value, turned.fold(name, 0)) for name, value in turned.fold(["sum", "std"], 0).items()))
        counts, edges = d.histogram(8, range=(0, 256))
        check(dtype + " histogram", np.array_equal(counts, np.histogram(wide, 8, (0, 256))[0]) and edges[-1] == 256)
        answer = microtet.open("%s.tet" % dtype).query({"dataset": "a", "mean": [0]})
        check(dtype + " query", answer["accepted"] is True and answer["operation"] == {"mean": {"axes": ["0"]}}, answer)
        results = answer["execution"]
        check(dtype + " query results", json.dumps(float(d.mean(0)[0, 0]))[:10] in json.dumps(results), str(results)[:300])
    big = np.array([2**53, 2**53 + 1, -(2**63), 2**63 - 1], "i8")
    microtet.pack(big, "big.tet")
    d = microtet.open("big.tet")["data"]
    check("64 bits exactly", [d.count(where={"eq": int(n)}) for n in big] == [1, 1, 1, 1])
    check("64 bits above", d.count(where={"gt": 2**53}) == 2)
    raises("empty", ValueError, lambda: d.isel(dim_0=slice(2, 2)).mean())
    raises("unknown operation", ValueError, lambda: d.fold("mode"))
    for names, words in (["mean", "mode"], "mode"), (["mean", "several"], "several"), (["mean", "median"], "none of"), ([], "1 to 16"), (["sum"] * 17, "1 to 16"):
        raises("together: %s" % names, ValueError, lambda: d.fold(names), words)
    raises("together, backwards", ValueError, lambda: d.isel(dim_0=slice(None, None, -1)).fold(["sum", "arg_max"]))
    once = Counted(open("f8.tet", "rb").read())
    once_data = microtet.open(once, budget=20000)["a"]
    once.bytes = 0
    alone = [once_data.fold(name) for name in ("mean", "min", "max", "count")]
    read, once.bytes = once.bytes, 0
    together = once_data.fold(["mean", "min", "max", "count"])
    check("one reading", list(together.values()) == alone and once.bytes * 3 < read, (once.bytes, read))
    raises("unknown test", ValueError, lambda: d.count(where={"above": 3}))
    raises("backwards", ValueError, lambda: d.isel(dim_0=slice(None, None, -1)).fold("arg_max"))


def exact_physical(element, attrs):
    """The double nearest to the exact value, by fractions; None if it is not a number."""
    value = element.item()
    if value != value or any(key in attrs and np.float64(attrs[key]).astype(element.dtype) == element for key in ("_FillValue", "missing_value")):
        return None
    if value in (np.inf, -np.inf):
        return value * float(attrs.get("scale_factor", "1"))
    exact = Fraction(value) * Fraction(attrs.get("scale_factor", "1")) + Fraction(attrs.get("add_offset", "0"))
    return exact.numerator / exact.denominator


def tool_array(*words):
    """What the tool writes to a .npy file."""
    subprocess.run(["utet", *words, "-o", "tool.npy"], check=True)
    return np.load("tool.npy")


def same_doubles(got, right):
    """The same bits, except for the payloads of NaN."""
    return got.dtype == right.dtype == np.dtype("f8") and np.shape(got) == np.shape(right) and bool(np.all(
        (got.view("u8") == right.view("u8")) | (np.isnan(got) & np.isnan(right))))


def physical_values():
    """The same doubles as those of `utet read --physical` and of exact fractions."""
    rng = np.random.default_rng(11)
    os.mkdir("tmp")
    tempfile.tempdir = os.path.abspath("tmp")
    about = {"u1": {"scale_factor": "0.1", "_FillValue": "255"}, "i2": {"scale_factor": "0.01", "add_offset": "273.15", "_FillValue": "-32768"},
             "u2": {"scale_factor": "9.313225746154785e-10", "add_offset": "-1e15"}, "i4": {"scale_factor": "-1e-30", "missing_value": "7"},
             "u4": {"scale_factor": "3", "add_offset": "0.1"}, "i8": {"scale_factor": "0.1"}, "u8": {"add_offset": "-0.5"},
             "f2": {"scale_factor": "0.1", "add_offset": "5"}, "f4": {"scale_factor": "-2.5", "_FillValue": "1e20"}, "f8": {"scale_factor": "1e-9", "add_offset": "1"}}
    arrays = {}
    for name in about:
        dtype = np.dtype(name)
        bits = rng.integers(0, 256, 70000 * dtype.itemsize if dtype.itemsize < 3 else 2100 * dtype.itemsize, dtype="u1")
        arrays[name] = np.frombuffer(bits.tobytes(), dtype).copy().reshape(70, -1)
        arrays[name][0, :2] = (7, float(about[name].get("_FillValue", "0")))
    microtet.pack({name: microtet.Array(a, ["y", "x"], {}, {**about[name], "units": "K"}) for name, a in arrays.items()},
                  "p.tet", tile=(8, 30))
    f = microtet.open("p.tet")
    for name, a in arrays.items():
        d = f[name]
        got = d.physical[...]
        check(name + ": stored unless asked", np.array_equal(d[...].view("u1"), a.view("u1")) and d.dtype == a.dtype)
        check(name + ": as the tool", same_doubles(got, tool_array("read", "p.tet", name, "--physical")))
        flat, elements = got.reshape(-1), a.reshape(-1)
        places = [0, 1, *range(2, a.size, max(1, a.size // 2000))]
        wrong = [i for i in places if not np.array_equal(flat[i], np.float64(
            np.nan if exact_physical(elements[i], about[name]) is None else exact_physical(elements[i], about[name])), equal_nan=True)]
        check(name + ": as fractions", wrong == [], [(elements[i], flat[i]) for i in wrong[:3]])
        check(name + ": what it is", (d.physical.dtype, d.physical.shape, d.physical.nbytes) == (np.dtype("f8"), a.shape, a.size * 8)
              and d.physical.attrs == {"units": "K"} and "Physical" in repr(d.physical) and d.physical.physical.dims == ("y", "x"))
    d, whole = f["i2"], f["i2"].physical[...]
    check("fill", np.isnan(whole[0, 1]) and whole[0, 0] == 273.22, whole[0, :2])
    for key in (np.s_[3], np.s_[3, 4], np.s_[::-2, 5:9], np.s_[5:2], np.s_[..., -1]):
        check("physical[%s]" % (key,), np.array_equal(d.physical[key], whole[key], equal_nan=True)
              and np.shape(d.physical[key]) == whole[key].shape and d.physical[key].dtype == "f8")
    part = d.isel(y=slice(None, None, -3)).physical.isel(x=slice(2, 900))
    right = whole[::-3, 2:900]
    check("selections before and after", np.array_equal(part.read(), right, equal_nan=True))
    check("asarray", np.array_equal(np.asarray(part, "f4"), right.astype("f4"), equal_nan=True))
    check("labels", microtet.open(DEMO)["elevation"].physical.sel(lat="60.7").mean() == microtet.open(DEMO)["elevation"].sel(lat="60.7").mean())
    some = {"null": False}
    exact = sum((Fraction(float(v)) for v in right[~np.isnan(right)]), Fraction())
    check("mean", part.mean(where=some) == float(exact / int((~np.isnan(right)).sum())), part.mean(where=some))
    check("mean with a fill value", np.isnan(d.physical[0].mean()) and np.isnan(d.physical.isel(y=0).mean()))
    check("max of an axis", np.array_equal(part.max("x", where=some), np.nanmax(right, axis=1)))
    check("its order", np.array_equal(part.fold("arg_max", "y"), right.argmax(axis=0)))
    check("where", d.physical.count(where={"gt": 273.15, "le": 300}) == ((whole > 273.15) & (whole <= 300)).sum())
    check("one value", d.physical.isel(y=3, x=4).sum() == whole[3, 4])
    microtet._physical.BAND, band = 1500, microtet._physical.BAND
    check("several bands", f["u2"].physical.max() == f["u2"].physical[...].max()
          and np.array_equal(part.fold("arg_max", "y"), right.argmax(axis=0)))
    microtet._physical.BAND = band
    sizes, popen = [], subprocess.Popen

    def start(words, **options):
        sizes.extend(os.path.getsize(word) for word in words if word.endswith(".npy"))
        return popen(words, **options)

    with mock.patch.object(subprocess, "Popen", start):
        d.physical.mean()
    check("a reduction copies the values once", len(sizes) == 1 and sizes[0] < 200, sizes)
    for axes, axis in (("all", None), ("x", "x"), ("y", "y")):
        for operation in ("mean", "std", "min"):
            tool = tool_array("query", "p.tet", "i2", "--physical", "--where", "!null", "--" + operation, axes)
            check("%s %s as the tool" % (operation, axes), np.array_equal(np.ravel(d.physical.fold(operation, axis, where=some)), tool.ravel()), tool)
    document = {"dataset": "u1", "max": []}
    text = [json.dumps(f.query(document, physical=asked)["execution"]) for asked in (True, False)]
    check("query", "25.4" in text[0] and "25.4" not in text[1] and "255" in text[1], text)
    check("query as the tool", f.query(document, physical=True) == json.loads(subprocess.run(
        ["utet", "query", "p.tet", json.dumps(document), "--json", "--physical"], check=True, capture_output=True).stdout))
    memory = microtet.open(open("p.tet", "rb").read(), budget=20000)["i4"].physical
    check("bytes, with a budget", same_doubles(memory[...], f["i4"].physical[...]) and memory.min() == np.nanmin(memory[...]))
    raises("empty", ValueError, lambda: part.isel(x=slice(2, 2)).mean(), "empty")
    raises("unknown operation", ValueError, lambda: part.fold("mode"))
    for key, text, number in (("scale_factor", "much", -54), ("add_offset", "1.2345678901234567890123", -41), ("scale_factor", "1e300", -41)):
        microtet.pack(microtet.Array(np.arange(3), ["x"], {}, {key: text}), "wrong.tet")
        error = raises("%s %s" % (key, text), microtet.Error, lambda: microtet.open("wrong.tet")["data"].physical[...], key)
        check("its status", error is not None and (error.status, error.region, error.offset) == (number, "metadata", None), error)
    check("nothing is left", os.listdir("tmp") == [], os.listdir("tmp"))
    tempfile.tempdir = None


def budgets():
    a = np.arange(64 * 64, dtype="f4").reshape(64, 64)
    microtet.pack(a, "a.tet", tile=(32, 64), options=["--codec", "zstd"])
    error = raises("budget", microtet.BudgetError, lambda: microtet.open("a.tet", budget=2000)["data"][::3, ::5])
    if error is not None:
        check("status", (error.status, error.name, error.region, error.offset) == (-4, "E_BUDGET", "budget", None))
        d = microtet.open("a.tet", budget=error.needed)["data"]
        check("needed is enough", np.array_equal(d[::3, ::5], a[::3, ::5]))
        raises("a byte less", microtet.BudgetError, lambda: microtet.open("a.tet", budget=error.needed - 1)["data"][::3, ::5])
    fit = microtet.open("a.tet").fit(ram="3K")
    check("fit", fit["fit"] is False and microtet.open("a.tet").fit(for_="rp2040")["fit"] is True, fit)


def pack_like_the_tool():
    """The same bytes as those that `utet pack` makes of the same .npy files and metadata."""
    os.environ["SOURCE_DATE_EPOCH"] = "1700000000"
    rng = np.random.default_rng(2)
    arrays = {"t": rng.normal(280, 5, (20, 30)).astype("f4"), "n": rng.integers(0, 9, (50,)), "h": rng.random((4, 4)).astype("f2")}
    for name, array in arrays.items():
        np.save(name + ".npy", array)
    about = {"datasets": {"t": {"attrs": {"units": "K", "n": "3"}, "dim_names": ["y", "x"],
                                "coords": {"y": {"labels": [str(float(i)) for i in range(20)]}}}}}
    json.dump(about, open("about.json", "w"))
    subprocess.run(["utet", "pack", "t.npy", "n.npy", "h.npy", "-o", "tool.tet", "--for", "rp2040", "--meta", "about.json"],
                   check=True, stdout=subprocess.DEVNULL)
    t = microtet.Array(arrays["t"], ["y", "x"], {"y": np.arange(20.0)}, {"units": "K", "n": 3})
    microtet.pack({"t": t, "n": arrays["n"], "h": arrays["h"]}, "mine.tet", for_="rp2040")
    check("bytes", open("tool.tet", "rb").read() == open("mine.tet", "rb").read())
    del os.environ["SOURCE_DATE_EPOCH"]
    f = microtet.open("mine.tet", strict=True)
    check("values", all(np.array_equal(f[k][...], v) and f[k].dtype == v.dtype for k, v in arrays.items()))
    odd = {"a/b": arrays["n"], "ä ö": arrays["n"], "-x": arrays["n"]}
    microtet.pack(odd, "odd.tet")
    check("names", list(microtet.open("odd.tet")) == list(odd), list(microtet.open("odd.tet")))
    out = subprocess.run([sys.executable, "-m", "microtet", "pack", "t.npy", "-o", "m.tet", "--scale", "auto", "--for", "rp2040"],
                         capture_output=True, text=True)
    m = microtet.open("m.tet")["t"]
    back = m[...] * float(m.attrs["scale_factor"]) + float(m.attrs["add_offset"])
    check("python -m microtet pack --scale", out.returncode == 0 and m.dtype == "i2" and out.stderr.startswith("utet: t.npy: t: packed into i16")
          and abs(back - arrays["t"]).max() <= float(m.attrs["scale_factor"]) * 0.5001, out)
    open("log.csv", "w").write("a,b\n1.5,7\n2.25,8\n")
    command = [sys.executable, "-m", "microtet", "pack", "log.csv"]
    out = subprocess.run([*command, "--scale", "0.25", "--add-offset=1", "--output", "c.tet", "--tile", "whole"], capture_output=True, text=True)
    check("--scale of a table", out.returncode == 0 and microtet.open("c.tet")["a"][...].tolist() == [2, 5]
          and microtet.open("c.tet")["a"].physical[...].tolist() == [1.5, 2.25] and microtet.open("c.tet")["b"].dtype == "u1", out)
    out = subprocess.run([*command[:-1], "--dry-run", "log.csv"], capture_output=True, text=True)
    check("--dry-run", out.returncode == 0 and "column 1" in out.stdout, out)
    out = subprocess.run([sys.executable, "-m", "microtet", "pack", "t.npy", "-o", "w.tet", "--scale", "auto", "--dtype", "u32"],
                         capture_output=True, text=True)
    check("--scale to what the tool does not store", out.returncode == 0 and microtet.open("w.tet")["t"].dtype == "u4", out)
    out = subprocess.run([sys.executable, "-m", "microtet", "pack", "no.npy", "-o", "m2.tet"], capture_output=True, text=True)
    check("its errors are the tool's", out.returncode == 1 and out.stderr.startswith("utet: no.npy: "), out)
    open("x.nc", "wb").write(b"CDF\x01" + bytes(40))
    out = subprocess.run([sys.executable, "-m", "microtet", "pack", "x.nc", "-o", "m3.tet"], capture_output=True, text=True)
    if "microtet[netcdf]" in out.stderr:
        check("a package that is missing", out.returncode == 1 and out.stderr.count("\n") == 1, out)
    else:
        skip("a package that is missing", "xarray is installed")
    version = subprocess.run(["utet", "--version"], capture_output=True, text=True).stdout
    check("version", microtet.__version__ in version, (microtet.__version__, version))


def scaled_like_the_tool():
    """The file has the tool's bytes, also the texts of scale_factor and add_offset; what the tool refuses is refused."""
    os.environ["SOURCE_DATE_EPOCH"] = "1700000000"
    rng = np.random.default_rng(5)
    arrays = {"field": rng.normal(280, 8, (40, 70)), "gaps": np.where(rng.random(300) < 0.2, np.nan, rng.normal(size=300)),
              "f4": rng.normal(0, 1e6, (33, 65)).astype("f4")}
    same = refused = 0
    for (name, a), scale, offset, kind in itertools.product(arrays.items(), ("auto", 10.0), (None, np.float64(-10), 1e16), ("i2", "u1")):
        np.save("data.npy", a)
        words = ["--scale", str(scale), "--dtype", "i16" if kind == "i2" else "u8", *([] if offset is None else ["--add-offset", str(offset)])]
        status = subprocess.run(["utet", "pack", "data.npy", "-o", "tool.tet", *words], capture_output=True).returncode
        try:
            microtet.pack({"data": a}, "mine.tet", scale=scale, add_offset=offset, dtype=kind)
            same += status == 0 and check("%s %s" % (name, words), open("mine.tet", "rb").read() == open("tool.tet", "rb").read())
        except microtet.Error as error:
            refused += check("%s %s" % (name, words), status == 1, error)
    check("scaled and refused", same > 15 and refused > 5 and same + refused == 36, (same, refused))
    del os.environ["SOURCE_DATE_EPOCH"]


def pack_converts():
    a = np.array([[1.25, np.nan], [3, -4.5]])
    microtet.pack({"a": a, "b": a}, "d.tet", dtype={"a": "f4"}, scale={"b": 0.25})
    f = microtet.open("d.tet")
    check("f64 to f32", f["a"].dtype == "f4" and np.array_equal(f["a"][...], a.astype("f4"), equal_nan=True))
    check("scale", f["b"].attrs == {"scale_factor": "0.25", "add_offset": "0", "_FillValue": "-32768"}
          and np.array_equal(f["b"][...], [[5, -32768], [12, -18]]), f["b"][...])
    microtet.pack(a, "u.tet", scale="auto", dtype="u1")
    u = microtet.open("u.tet")["data"]
    step, offset = float(u.attrs["scale_factor"]), float(u.attrs["add_offset"])
    back = np.where(u[...] == 255, np.nan, u[...] * step + offset)
    check("scale auto", u.attrs["_FillValue"] == "255" and np.nanmax(abs(back - a)) <= step / 2 * 1.000001, back)
    for name, array, options, words in (
        ("range", np.array([70000]), {"dtype": "i2"}, "1 of 1 values"),
        ("fraction", np.array([1.5]), {"dtype": "i4"}, "scale="),
        ("sign", np.array([-1]), {"dtype": "u8"}, "not exact"),
        ("2^53 + 1", np.array([2**53 + 1]), {"dtype": "f8"}, "not exact"),
        ("2^64 - 1", np.array([2**64 - 1], "u8"), {"dtype": "i8"}, "not exact"),
        ("2^63", np.array([2.0**63]), {"dtype": "i8"}, "not exact"),
        ("f32", np.array([1e300]), {"dtype": "f4"}, "range"),
        ("scale too fine", np.array([1e9, 0]), {"scale": 0.1}, "does not fit"),
        ("infinity", np.array([np.inf]), {"scale": "auto"}, "infinities"),
        ("objects", np.array([{}]), {}, "dict"),
        ("axes", microtet.Array(np.zeros((2, 2)), ["x"]), {}, "names of axes"),
    ):
        raises("refused: " + name, microtet.Error, lambda: microtet.pack(array, "r.tet", **options), words)
    check("nothing is left", not os.path.exists("r.tet") and sorted(os.listdir(".")) == ["d.tet", "u.tet"], os.listdir("."))
    raises("board", microtet.ToolError, lambda: microtet.pack(a, "r.tet", for_="nosuch"), "nosuch")
    times = np.array(["2024-01-01T00:00:01", "NaT", "1969-01-01"], "M8[ns]")
    kinds = {"t": times, "s": np.array(["x", "", "y", "x"]), "o": np.array([True, False]), "i": np.array([-128, 127], "i1"),
             "c": np.array([1j, 2]), "m": np.ma.masked_equal(np.array([1, 5, 3]), 5), "e": np.arange(3, dtype=">i4"), "z": np.float32(4)}
    microtet.pack(kinds, "k.tet")
    f = microtet.open("k.tet")
    check("complex numbers", f["c.real"][...].tolist() == [0, 2] and f["c.imag"][...].tolist() == [1, 0], list(f))
    check("times", f["t"].attrs["units"] == "seconds since 1970-01-01"
          and f["t"][...].tolist() == [1704067201, -(2**63), -365 * 86400], (f["t"][...], f["t"].attrs))
    check("texts", f["s"][...].tolist() == [0, -1, 1, 0] and json.loads(f["s"].attrs["tetration_categories"])
          == {"codes": {"x": 0, "y": 1}, "missing": -1}, f["s"].attrs)
    check("bool, int8, big-endian, scalar", f["o"][...].tolist() == [1, 0] and f["i"][...].tolist() == [-128, 127]
          and f["e"][...].tolist() == [0, 1, 2] and f["z"][...].tolist() == [4.0])
    check("masked", f["m"][...].tolist() == [1, int(f["m"].attrs["_FillValue"]), 3], f["m"].attrs)
    microtet.pack(microtet.Array(np.zeros(100), ["x"], {"x": np.arange(100) * 0.5}), "x.tet")
    f = microtet.open("x.tet")
    check("long coordinates", list(f) == ["data", "x"] and np.array_equal(f["x"][...], np.arange(100) * 0.5))


def other_formats():
    good = os.path.join(TESTS, "golden", "tensogram", "good")
    seen = read = 0
    for name in sorted(os.listdir(good)):
        if not name.endswith(".tgm"):
            continue
        for message in microtet.messages(os.path.join(good, name)):
            seen += 1
            for number, tensor in enumerate(message.tensors):
                if tensor.get("dtype") in ("float32", "float64", "int32", "uint8") and tensor.get("encoding") == "none" \
                        and tensor.get("compression") == "none":
                    values = message.read(number)
                    read += values.shape == tuple(tensor["shape"]) and values.dtype.name == tensor["dtype"]
            if read > 20:
                break
        if read > 20:
            break
    check("tensogram", seen >= 3 and read > 20, (seen, read))
    folder = os.path.join(TESTS, "golden", "tiledb", "good")
    name = sorted(one for one in os.listdir(folder) if one.endswith(".schema"))[0]
    found = microtet.schema(os.path.join(folder, name))
    check("tiledb", "schema" in found, list(found))
    bad = raises("damaged messages", microtet.ToolError, lambda: microtet.messages(__file__))
    check("the tool's line", bad is not None and str(bad).startswith("utet: "), bad)


def damage():
    """Truncations and flipped bits: an exception of this package or a result of the right kind, never anything else."""
    generator = random.Random(1)
    cases = refused = 0
    seen = set()
    for name in ("demo/demo_tiny.tet", "demo/demo_planet.tet", "tet/B01_f32_zstd.tet", "tet/B02_f64_1d.tet"):
        data = open(os.path.join(TESTS, "golden", name), "rb").read()
        tail = range(max(0, len(data) - 300), len(data))
        lengths = [*range(0, min(len(data), 300)), *tail, *(generator.randrange(len(data)) for _ in range(100))]
        mutants = [data[:n] for n in lengths]
        for _ in range(700):
            mutant = bytearray(data)
            place = generator.choice([generator.randrange(len(data)), generator.randrange(min(600, len(data))), -generator.randrange(1, min(400, len(data)) + 1)])
            mutant[place] ^= 1 << generator.randrange(8)
            mutants.append(bytes(mutant))
        for number, mutant in enumerate(mutants):
            cases += 1
            bad = None
            source = mutant if number % 2 else io.BytesIO(mutant)
            try:
                f = microtet.open(source)
                for one in f.datasets:
                    for use in (lambda: one[0], lambda: one[...], lambda: one.physical[0], lambda: one.mean(), lambda: (one.labels, one.attrs, f.history)):
                        try:
                            use()
                        except (microtet.Error, ValueError) as error:
                            bad = error
                            if isinstance(error, microtet.Error):
                                seen.add(error.name)
            except microtet.Error as error:
                bad = error
                seen.add(error.name)
            refused += bad is not None
            if isinstance(bad, microtet.Error) and not (bad.status < 0 and bad.name and bad.region):
                check("damage", False, "%s %r" % (name, bad))
    print("figure: damage: %d damaged files, %d refused, statuses %s" % (cases, refused, " ".join(sorted(seen))))
    check("damage", refused > cases // 3 and len(seen) >= 8, (cases, refused, seen))
    # A fault of a file object becomes a MediumError that names the cause.
    class Broken(io.BytesIO):
        def read(self, *_):
            raise OSError("pulled")
    error = raises("a medium that fails", microtet.MediumError, lambda: microtet.open(Broken(bytes(100))))
    check("its cause", error is not None and "pulled" in str(error.__cause__), error)
    raises("no file", FileNotFoundError, lambda: microtet.open("nosuch.tet"))
    raises("a folder", IsADirectoryError, lambda: microtet.open("."))


def readme_examples():
    names = readme(False)
    check("README: reading", "(32, 64) float32 ('lat', 'lon') K" in names.get("out2", ""), names.get("out2"))
    check("README: physical values", re.match(r"int16 -?\d+ 279\.2[34]\d*\n2\d\d\.\d+\n", names.get("out4", "")), names.get("out4"))
    check("README: errors", "E_SUPERBLOCK -48 superblock 0" in names.get("out5", ""), names.get("out5"))


if __name__ == "__main__":
    run([golden_files, selections, labels, folds, physical_values, budgets, pack_like_the_tool, scaled_like_the_tool, pack_converts,
         reading_ahead, while_packing, in_turn, ends_early, other_formats, damage, readme_examples])
