#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""utet query by options: the numbers of NumPy, the labels of the file, and the same answer in all kinds of output."""
import csv
import io
import json
import os

import numpy

from harness import ROOT, check, expect, scratch, summary, utet

PLANET = os.path.join(ROOT, "golden/demo/demo_planet.tet")


def load(path, name, *more):
    return numpy.load(io.BytesIO(utet("read", path, name, "--format", "npy", *more)[1]))


def pack(name, array, *more):
    numpy.save(scratch("d.npy"), array)
    status, _, err = utet("pack", scratch("d.npy"), "-o", scratch(name), "--metadata", "keep", *more)
    check("pack " + name, status == 0, err)
    return scratch(name)


def ask(*arguments):
    """The lines of --csv: names, then labels and numbers."""
    status, out, err = utet("query", *arguments, "--csv")
    check("query %s" % " ".join(arguments[1:]), status == 0 and err == "", err)
    lines = list(csv.reader(io.StringIO(out.decode())))
    return (lines[0], lines[1:]) if lines else ([], [])


def numbers(lines, column):
    return [float(line[column]) if line[column] != "" else None for line in lines]


def same(got, wanted):
    """Equal but for the rounding of NumPy's sums."""
    return len(got) == len(wanted) and numpy.allclose(numpy.array(got, float), numpy.array(wanted, float), rtol=1e-12, atol=0, equal_nan=True)


def reductions():
    field = load(PLANET, "temperature").astype("f8")
    kinds = ("count", "sum", "mean", "min", "max", "std", "var", "median")
    numpys = (lambda v, axis=None: numpy.sum(numpy.ones_like(v), axis), numpy.sum, numpy.mean, numpy.min, numpy.max, numpy.std, numpy.var, numpy.median)
    for axes, axis, names in (("all", None, []), ("lon", 1, ["lat"]), ("0", 0, ["lon"]), ("lat,lon", None, []), ("1,lat", None, [])):
        head, lines = ask(PLANET, "temperature", *(word for kind in kinds for word in ("--" + kind, axes)))
        check("names of " + axes, head == names + list(kinds), head)
        for column, (kind, by_numpy) in enumerate(zip(kinds, numpys), len(names)):
            check("%s of %s" % (kind, axes), same(numbers(lines, column), numpy.atleast_1d(by_numpy(field, axis=axis))), lines[:2])
    check("labels", [line[0] for line in ask(PLANET, "temperature", "--max", "lon")[1]][:3] == ["78.0", "75.5", "73.0"], "")
    head, lines = ask(PLANET, "temperature", "--slab", "-2:,0..2")
    check("elements with labels", head == ["lat", "lon", "temperature"] and numbers(lines, 2) == [float("%.9g" % v) for v in field[-2:, :3].ravel()] or
          same(numpy.array(numbers(lines, 2), "f4"), load(PLANET, "temperature")[-2:, :3].ravel()), lines)
    status, out, _ = utet("query", PLANET, "temperature", "--mean", "lon", "--max", "lon")
    table = [line.split() for line in out.decode().splitlines()]
    check("a table of two", table[0] == ["lat", "mean", "max"] and same([float(line[2]) for line in table[1:]], [float("%.12g" % v) for v in field.max(1)]), table[:2])
    for more in ((), ("--slab", "3:,::2"), ("--where", ">260"), ("--window", "16")):
        document = {"dataset": "temperature", "mean": ["lon"]}
        document.update({"--slab": {"selection": [{"start": 3}, {"step": 2}]}, "--where": {"filter": {"gt": 260}},
                         "--window": {"window": {"axis": "lon", "size": 16, "mode": "bins"}}}[more[0]] if more else {})
        asked, told = (utet("query", PLANET, *words) for words in (("temperature", "--mean", "lon", *more), (json.dumps(document),)))
        check("the document of %s" % " ".join(more), asked[0] == told[0] == 0 and asked[1] == told[1], (asked, told))
    only = pack("only.tet", numpy.arange(5.0))
    check("the only dataset", utet("query", only, "--sum", "all")[1].split()[-1] == b"10", "")


def tests():
    values = numpy.array([-3.5, 0, 1, 2, 3, 4, 5, numpy.nan])
    path = pack("values.tet", values)
    for words, passes in ((">3", values > 3), (">=3", values >= 3), ("< 3", values < 3), ("<=3", values <= 3), ("==3", values == 3), ("=3", values == 3),
                          ("!=3", values != 3), (">1,<=4", (values > 1) & (values <= 4)), (" > 1 , < 2.5e0 ", (values > 1) & (values < 2.5)),
                          (">-4", values > -4), ("null", numpy.isnan(values)), ("!null", ~numpy.isnan(values)), ("!null,!=0", ~numpy.isnan(values) & (values != 0))):
        check("where " + words, utet("query", path, "--count", "all", "--where", words)[1].split()[-1] == b"%d" % passes.sum(), words)
    for words in ("", "3", ">", ">x", ">3,", ">3;<4", ">+3", ">.5", ">5.", ">05", "~3", "nul", ">1e", "!nulls", ">3,>4", "=3,==3", "null,null"):
        expect("where %r" % words, ["query", path, "--count", "all", "--where", words], 2, "utet: query: --where: invalid test, at ")
    head, lines = ask(path, "--mean", "all", "--max", "all", "--count", "all", "--where", ">9")
    check("no value of no elements", lines == [["", "", "0"]], lines)


def groups():
    rng = numpy.random.default_rng(30)
    data = rng.integers(-1000, 1000, (24, 6)).astype("i2")
    names = ["b", "a", "b,c", "a", 'q"q', "b"]
    path = pack("groups.tet", data, "--dims", "time,station", "--meta", meta({"station": names}, ["time", "station"]))
    order = list(dict.fromkeys(names))
    of = [[n == name for n in names] for name in order]
    head, lines = ask(path, "--mean", "time", "--min", "time", "--group", "station")
    check("groups", head == ["station", "mean", "min"] and [line[0] for line in lines] == order and
          same(numbers(lines, 1), [data[:, m].mean() for m in of]) and numbers(lines, 2) == [data[:, m].min() for m in of], lines)
    head, lines = ask(path, "--sum", "time", "--window", "5")
    wanted = [data[i:i + 5, s].sum() for i in range(0, 24, 5) for s in range(6)]
    check("windows", head == ["time", "station", "sum"] and numbers(lines, 2) == wanted and lines[0][:2] == ["0 to 4", "b"] and lines[-1][:2] == ["20 to 23", "b"], lines[:3])
    head, lines = ask(path, "--max", "all", "--window", "time=24")
    check("one window of all", numbers(lines, -1) == [data.max()], lines)
    head, lines = ask(path, "--max", "time", "--rolling", "3", "--slab", "-6:,0")
    wanted = [data[-6:, 0][i:i + 3].max() for i in range(4)]
    check("rolling", numbers(lines, -1) == wanted and lines[0][0] == "18 to 20", lines)
    for words, why in ((("--mean", "all", "--window", "5"), "--window 5: the reduction has several axes; use --window AXIS=5"),
                       (("--mean", "0", "--window", "0"), '--window: invalid value "0"'), (("--mean", "0", "--rolling", "x"), '--rolling: invalid value "x"'),
                       (("--mean", "0", "--rolling", "2", "--window", "2"), "--window and --rolling cannot be combined"),
                       (("--group", "station"), "missing reduction; add an option such as --mean"), (("--mean", "0", "--max", "1"), "--mean 0 and --max 1 have different axes"),
                       (("--mean", "0", "--max", "0", "--plan"), "take one reduction"), (("--mean", "0", "--csv", "--json"), "--csv cannot be combined"),
                       (("--mean", "0", "-o", "x.csv", "--json"), "-o cannot be combined"), (("--mean", "0", "-o", "x.xls"), "-o: the name x.xls does not end in"),
                       (("--mean", "0", "--max", "0", "-o", "x.npy"), "take one reduction"), ((), "missing QUERY")):
        expect("query " + " ".join(words), ["query", path, *words], 2, "utet: query: .*" + why)
    expect("a document and options", ["query", path, "{}", "--mean", "0"], 2, "a document cannot be combined with options")
    expect("an axis that is none", ["query", path, "--mean", "nope"], 1, "unknown dimension name `nope`")
    expect("a label that is none", ["query", path, "--mean", "0", "--slab", "station=x"], 1, 'slab: axis 1: no label "x"')


def meta(labels, names):
    path = scratch("meta.json")
    with open(path, "w") as file:
        json.dump({"datasets": {"d": {"attrs": {"units": "m/s"}, "dim_names": names, "coords": {key: {"labels": value} for key, value in labels.items()}}}}, file)
    return path


def outputs():
    field = load(PLANET, "temperature").astype("f8")
    question = [PLANET, "temperature", "--mean", "lon", "--slab", "::2,:"]
    wanted = field[::2].mean(1)
    for name in ("o.csv", "o.json", "o.npy", "o.tet"):
        status, _, err = utet("query", *question, "-o", scratch(name))
        check("write " + name, status == 0 and err == "", err)
    with open(scratch("o.csv"), newline="") as file:
        lines = list(csv.reader(file))
    check("CSV in a file", lines[0] == ["lat", "mean"] and same(numbers(lines[1:], 1), wanted), lines[:2])
    exact = numpy.load(scratch("o.npy"))
    check(".npy in a file", same(exact, wanted) and list(exact) == numbers(lines[1:], 1), exact[:2])
    with open(scratch("o.json")) as file:
        told = json.load(file)
    check("JSON in a file", told == json.loads(utet("query", *question, "--json")[1]) and told["operation"] == {"mean": {"axes": ["1"]}}, told)
    check(".tet", (load(scratch("o.tet"), "mean") == exact).all(), "")
    info = json.loads(utet("info", "--json", scratch("o.tet"))[1])["metadata"]["datasets"]["mean"]
    check("its metadata", info["dim_names"] == ["lat"] and info["coords"]["lat"]["labels"] == [line[0] for line in lines[1:]] and
          info["attrs"] == {"units": "K", "cell_methods": "lon: mean"}, info)
    status, out, _ = utet("query", *question[:-2], "--max", "lon", "--json")
    told = json.loads(out)
    check("a list of responses", [list(one["operation"]) for one in told] == [["mean"], ["max"]], out[:200])
    status, _, err = utet("query", PLANET, "temperature", "--mean", "all", "--count", "all", "--where", ">1e9", "-o", scratch("none.tet"))
    check("NaN of no elements", status == 0 and numpy.isnan(load(scratch("none.tet"), "mean")).all() and load(scratch("none.tet"), "count").tolist() == [0], err)
    status, _, err = utet("query", PLANET, "elevation", "--slab", "1:3,-3:", "-o", scratch("part.tet"))
    check("elements as .tet", status == 0 and (load(scratch("part.tet"), "elevation") == load(PLANET, "elevation")[1:3, -3:]).all() and
          load(scratch("part.tet"), "elevation").dtype == "<i2", err)
    status, _, err = utet("query", PLANET, "temperature", "--max", "lat", "-o", scratch("long.tet"))
    check("more labels than a file may have", status == 0 and load(scratch("long.tet"), "max").shape == (128,) and "more than 64 labels; they are not stored" in err, err)
    document = json.dumps({"dataset": "temperature", "histogram": {"bins": 4}})
    expect("a histogram as CSV", ["query", PLANET, document, "--csv"], 1, "--csv: a result of histogram is more than one number; use --npy")
    document = json.dumps({"dataset": "temperature", "min": ["lat"]})
    check("a document as CSV", numbers(ask(PLANET, document)[1], 1) == list(field.min(0)), "")
    expect("CSV of no dataset", ["query", PLANET, '{"dataset": "temperatur", "min": []}', "--csv"], 1, 'did you mean "temperature"')
    expect("over the input", ["query", scratch("long.tet"), "max", "--min", "all", "-o", scratch("long.tet")], 1, "the output is one of the input files; choose another output with -o")
    check("no folders are left", not [name for name in os.listdir(os.environ.get("TMPDIR", "/tmp")) if name.startswith("utet-query-")], "")
    check("a shorter workspace", utet("query", *question, "--budget", "36K")[1] == utet("query", *question)[1], "")


reductions()
tests()
groups()
outputs()
summary()
