#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""utet query by options: its numbers are those of NumPy, its labels those of the file, and all kinds of output have the
same result."""
import csv
import io
import json
import os
import subprocess
import sys
import tempfile

import numpy

from harness import ROOT, TOOL, check, expect, scratch, summary, utet
from terminal import on_terminal

LIMITS = not os.environ.get("NO_LIMITS")
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
    """Equal except for the rounding of NumPy's sums."""
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
    check("its only axis, by number", utet("query", only, "--sum", "0")[1] == utet("query", only, "--sum")[1], utet("query", only, "--sum", "0"))
    nameless = pack("nameless.tet", numpy.arange(6.0).reshape(2, 3))
    for axes in ("1,0", "0,1"):
        check("axes without names: " + axes, utet("query", nameless, "--sum", axes)[1].split()[-1] == b"15", utet("query", nameless, "--sum", axes))
    expect("an axis too many", ["query", nameless, "--sum", "0,2"], 1, "operation axis index 2 out of range for rank 2")


def reading(*arguments):
    """The bytes that the tool reads, and with how many requests."""
    ran = subprocess.Popen([TOOL, *arguments], stdout=subprocess.DEVNULL)
    os.waitid(os.P_PID, ran.pid, os.WEXITED | os.WNOWAIT)
    told = dict(line.split(": ") for line in open("/proc/%d/io" % ran.pid).read().splitlines())
    return int(told["rchar"]), int(told["syscr"]), ran.wait()


def together():
    """Several reductions read and request hardly more than one of them."""
    path = pack("together.tet", numpy.arange(2e6, dtype="f4").reshape(1000, 2000), "--codec", "raw", "--tile", "64x64")
    for more in ((), ("--where", ">7"), ("--window", "1=500")):
        one = reading("query", path, "--max", "1", "-j", "1", *more)
        four = reading("query", path, "--mean", "1", "--min", "1", "--max", "1", "--count", "1", "-j", "1", *more)
        check("bytes and requests %s" % (more,), one[2] == four[2] == 0 and four[0] < 1.1 * one[0] and four[1] < 1.5 * one[1], (one, four))


def several():
    """Without AXES, over all axes; each column is what the reduction gives by itself, for any number of threads, with payloads that are
    kept."""
    rng = numpy.random.default_rng(31)
    field = numpy.round(rng.normal(280, 9, (300, 200)), 2).astype("f4")
    path = pack("several.tet", field, "--codec", "zstd", "--tile", "32x32")
    kinds = ("mean", "min", "max", "count", "median", "std", "sum", "var")
    words = ["--" + kind for kind in kinds]
    exact = field.astype("f8")
    wanted = [exact.mean(), exact.min(), exact.max(), exact.size, numpy.median(exact), exact.std(), exact.sum(), exact.var()]
    for threads in ((), ("-j", "1"), ("-j", "3"), ("--budget", "96K")):
        head, lines = ask(path, "d", *words, *threads)
        check("all without AXES %s" % (threads,), head == list(kinds) and same([float(cell) for cell in lines[0]], wanted), lines)
        check("alone %s" % (threads,), [ask(path, "d", word, *threads)[1][0][0] for word in words] == lines[0], lines)
    check("before the file", utet("query", "--mean", "--max", "--", path, "d")[1] == utet("query", path, "d", "--mean", "all", "--max=all")[1], "")
    check("axes of one word", ask(path, "--min=1", "--max", "1") == ask(path, "--min", "1", "--max=1"), "")
    told = json.loads(utet("query", path, *words, "--json")[1])
    check("JSON of several", [list(one["operation"])[0] for one in told] == list(kinds) and same([one["execution"]["operation_element_count" if kind == "count" else "operation_" + kind] for one, kind in zip(told, kinds)], wanted), told[0])
    for i, kind in enumerate(kinds):
        check("JSON of %s alone" % kind, json.loads(utet("query", path, "--" + kind, "--json")[1]) == told[i], told[i])
    for where in (), ("--where", ">281"), ("--slab", "5:,::3"), ("--window", "1=50"):
        head, lines = ask(path, *(word for kind in kinds[:4] for word in ("--" + kind, "1")), *where)
        alone = [ask(path, "--" + kind, "1", *where)[1] for kind in kinds[:4]]
        check("one axis %s" % (where,), [line[-4:] for line in lines] == [[one[i][-1] for one in alone] for i in range(len(lines))], lines[:2])
    status, _, err = utet("query", path, *words[:4], "-o", scratch("all.tet"))
    check(".tet of several", status == 0 and [load(scratch("all.tet"), kind)[0] for kind in kinds[:4]] == [float(cell) for cell in ask(path, *words[:4])[1][0]], err)
    damaged = bytearray(open(path, "rb").read())
    damaged[len(damaged) // 3] ^= 255
    with open(scratch("damaged.tet"), "wb") as file:
        file.write(damaged)
    one, two = (utet("query", scratch("damaged.tet"), *words[:count]) for count in (1, 4))
    check("the error of one", one[0] == two[0] == 1 and one[2] == two[2] != "", (one, two))


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
                       (("--mean", "0", "--max", "0", "--plan"), "--plan takes one reduction; omit the others"), (("--mean", "0", "--csv", "--json"), "--csv cannot be combined"),
                       (("--mean", "0", "-o", "x.csv", "--json"), "-o cannot be combined"), (("--mean", "0", "-o", "x.xls"), "-o: the name x.xls does not end in"),
                       (("--mean", "0", "--max", "0", "-o", "x.npy"), "a .npy file holds one reduction; write several with -o OUT.tet"), (("--mean", "--max", "0"), "--mean all and --max 0 have different axes"), ((), "missing QUERY")):
        expect("query " + " ".join(words), ["query", path, *words], 2, "utet: query: .*" + why)
    expect("a document and options", ["query", path, "{}", "--mean", "0"], 2, "a document cannot be combined with options")
    expect("an axis that is none", ["query", path, "--mean", "nope"], 1, "unknown dimension name `nope`")
    expect("a label that is none", ["query", path, "--mean", "0", "--slab", "station=x"], 1, 'slab: axis 1: no label "x"')


def pack_times(name, times, units, values, *more):
    """Two datasets: times, with attributes "KEY=VALUE", and what was measured at these times, whose first axis is named
    t."""
    numpy.save(scratch("t.npy"), times)
    numpy.save(scratch("v.npy"), values)
    words = [word for attribute in units for word in ("--attr", "t:" + attribute)]
    status, _, err = utet("pack", scratch("t.npy"), scratch("v.npy"), "-o", scratch(name), "--name", "t", "--name", "v", "--metadata", "keep",
                          "--dims", "v:t" + ",station" * (values.ndim - 1), *words, *more)
    check("pack " + name, status == 0, err)
    return scratch(name)


PERIODS = {"hour": "M8[h]", "day": "M8[D]", "month": "M8[M]"}


def by_numpy(times, values, period, reduce):
    """Labels and numbers; NaT is omitted."""
    valid = ~numpy.isnat(times)
    keys, inverse = numpy.unique(times[valid].astype(PERIODS[period]), return_inverse=True)
    return [str(key) + (":00" if period == "hour" else "") for key in keys], [reduce(values[valid][inverse == i]) for i in range(len(keys))]


def periods():
    rng = numpy.random.default_rng(32)
    some = numpy.array("1890-01-01", "M8[s]") + rng.integers(0, 210 * 365 * 86400, 900)
    near = numpy.array("2024-02-27T22:10", "M8[s]") + numpy.arange(0, 900 * 1700, 1700)
    values = rng.integers(-999, 999, 900).astype("i4")
    epochs = {"1970-01-01": "1970-01-01T00:00", "2000-02-29 12:30": "2000-02-29T12:30", "1999-12-31T23:30:00+05:30": "1999-12-31T18:00", "1900-01-01 06:00:00.0 UTC": "1900-01-01T06:00"}
    for times in some, near:
        for unit, word in (("D", "days"), ("h", "hours"), ("m", "minutes"), ("s", "seconds"), ("ms", "milliseconds"), ("us", "microseconds"), ("ns", "nanoseconds")):
            for text, epoch in epochs.items():
                stored = (times.astype("M8[ns]") - numpy.datetime64(epoch, "ns")).astype("m8[%s]" % unit)
                exact = numpy.datetime64(epoch, "ns") + stored
                path = pack_times("periods.tet", stored.astype("i8"), ["units=%s since %s" % (word, text), "calendar=proleptic_gregorian"], values)
                for period in PERIODS if text == "1970-01-01" or unit in ("h", "ms") else ("day",):
                    labels, sums = by_numpy(exact, values, period, numpy.sum)
                    head, lines = ask(path, "v", "--sum", "--by", period)
                    check("%s since %s by %s" % (word, text, period), head == ["t", "sum"] and [line[0] for line in lines] == labels and numbers(lines, 1) == sums, lines[:3])
    for dtype, unit, word in (("f8", "D", "d"), ("f8", "h", "hr"), ("f8", "s", "sec"), ("i4", "m", "min"), ("u4", "s", "s"), ("i2", "h", "h")):
        stored = (near - numpy.datetime64("2024-01-01", "s")) / numpy.timedelta64(1, unit)
        stored = stored.astype(dtype)
        exact = numpy.datetime64("2024-01-01", "us") + numpy.round(stored.astype("f8") * (numpy.timedelta64(1, unit) / numpy.timedelta64(1, "us"))).astype("m8[us]")
        path = pack_times("periods.tet", stored, ["units=%s since 2024-01-01" % word], values)
        labels, sums = by_numpy(exact, values, "hour", numpy.sum)
        lines = ask(path, "v", "--sum", "all", "--by", "hour")[1]
        check("%s of %s" % (word, dtype), [line[0] for line in lines] == labels and numbers(lines, 1) == sums, lines[:3])


def periods_of_more():
    """A second axis, selections, tests, groups, threads, physical values, each kind of output."""
    rng = numpy.random.default_rng(33)
    times = numpy.array("2024-02-27T22:10", "M8[s]") + numpy.arange(0, 900 * 5400, 5400)
    times[[3, 70, 899]] = "NaT"
    values = rng.normal(10, 3, (900, 4))
    stored = times.astype("i8")
    stored[numpy.isnat(times)] = -9
    path = pack_times("more.tet", stored, ["units=seconds since 1970-01-01", "_FillValue=-9"], values, "--labels", "v:station=a,b,b,a")
    for more, rows in (((), slice(None)), (("--slab", "5:800:7,:"), slice(5, 800, 7)), (("-j", "3"), slice(None)), (("--physical",), slice(None))):
        labels, means = by_numpy(times[rows], values[rows], "day", lambda v: v.mean(0))
        head, lines = ask(path, "v", "--mean", "t", "--max", "t", "--by", "day", *more)
        check("two axes %s" % (more,), head == ["t", "station", "mean", "max"] and [line[0] for line in lines] == list(numpy.repeat(labels, 4)) and
              same(numbers(lines, 2), numpy.ravel(means)), lines[:3])
    labels, counts = by_numpy(times, values, "month", lambda v: (v > 12).sum())
    head, lines = ask(path, "v", "--count", "--by", "month", "--where", ">12")
    check("with a test", [line[0] for line in lines] == labels == ["2024-02", "2024-03", "2024-04"] and numbers(lines, 1) == counts, lines)
    head, lines = ask(path, "v", "--max", "--by", "month", "--group", "station")
    wanted = numpy.transpose([by_numpy(times, values[:, columns], "month", numpy.max)[1] for columns in ([0, 3], [1, 2])])
    check("with a group", head == ["t", "station", "max"] and [line[1] for line in lines] == ["a", "b"] * 3 and numbers(lines, 2) == list(wanted.ravel()), lines)
    head, lines = ask(path, "v", "--min", "station", "--by", "month")
    check("an axis that stays", head == ["t", "min"] and numbers(lines, 1) == by_numpy(times, values, "month", numpy.min)[1], lines)
    table = [line.split() for line in utet("query", path, "v", "--count", "--by", "month")[1].decode().splitlines()]
    check("as a table", table[-4:] == [["t", "count"]] + [[label, str(count)] for label, count in zip(*by_numpy(times, values, "month", numpy.size))], table)
    told = json.loads(utet("query", path, "v", "--count", "--by", "month", "--json")[1])["execution"]
    check("as JSON", told["group_count"] == 3 and told["operation_reduced_shape"] == [3], told)
    check("by day, .tet", utet("query", path, "v", "--max", "t", "--by", "day", "-o", scratch("days.tet"))[0] == 0, "")
    info = json.loads(utet("info", "--json", scratch("days.tet"))[1])["metadata"]["datasets"]["max"]
    labels, most = by_numpy(times, values, "day", lambda v: v.max(0))
    check("labels of days", info["coords"]["t"]["labels"] == labels and (load(scratch("days.tet"), "max") == most).all(), info)
    again = ask(scratch("days.tet"), "--max", "t", "--by", "month")[1]
    check("months of days", [line[0] for line in again[::4]] == ["2024-02", "2024-03", "2024-04"] and numbers(again, 2) == list(numpy.ravel(by_numpy(times, values, "month", lambda v: v.max(0))[1])), again)
    for period in PERIODS:
        zones = ["2024-03-01T23:59:59.5-02:00", "20240302T0100Z", "2024-03-02 01:30"]
        path = pack("zones.tet", numpy.arange(3.0), "--dims", "t", "--labels", "t=" + ",".join(zones))
        wanted = {"hour": (["2024-03-02T01:00"], [3]), "day": (["2024-03-02"], [3]), "month": (["2024-03"], [3])}[period]
        lines = ask(path, "--sum", "--by", period)[1]
        check("labels with zones by " + period, ([line[0] for line in lines], numbers(lines, 1)) == wanted, lines)
    with open(scratch("log.csv"), "w") as file:
        file.write("time,load\n" + "".join("%s,%d\n" % (numpy.datetime64("2023-12-30T00:30") + 7 * i * 60, i) for i in range(24)))
    status, _, err = utet("pack", scratch("log.csv"), "-o", scratch("log.tet"), "--times", "time=s")
    lines = ask(scratch("log.tet"), "load", "--sum", "--count", "--by", "month")[1]
    check("its axis has the name of the times", ask(scratch("log.tet"), "load", "--sum", "time", "--count", "time")[1] == [["276", "24"]], "")
    check("a logger's CSV", lines == [["2023-12", "21", "7"], ["2024-01", "255", "17"]], (lines, err))


def periods_refused():
    values = numpy.arange(4.0)
    no_times = r'--by: no axis of "v" has times; it takes ISO 8601 labels, or a dataset as long as the axis'
    since = "units=days since 2000-01-01"
    for times, units, why in ((values, [], no_times), (values, ["units=m"], no_times), (values, ["units=months since 2000-01-01"], no_times), (values[:3], [since], no_times),
                              (values, [since, "calendar=360_day"], '--by: "t" has the calendar "360_day", which has other days'),
                              (values, [since, "scale_factor=2"], "have a scale_factor or add_offset; store them without"), (values + 3e6, [since], "the time at index 0 is not in the years 0 to 9999"),
                              (values - 2e5, [since], "the time at index 0 is before 1582-10-15"), (values * numpy.nan, [since], "--by: no time is selected"),
                              (numpy.full(4, 2 ** 62), ["units=s since 2000-01-01"], "not in the years 0 to 9999"), (numpy.full(4, 2 ** 64 - 1, "u8"), ["units=ns since 2000-01-01"], "not in the years 0 to 9999")):
        path = pack_times("no.tet", times, units, values)
        expect("%s %s" % (times, units), ["query", path, "v", "--sum", "--by", "day"], 1, why)
    for words, why in ((("--by", "day"), "missing reduction; add an option such as --mean"), (("--sum", "--by", "year"), '--by: invalid value "year"; use one of hour.day.month'),
                       (("--sum", "0", "--by", "day", "--window", "2"), "--by and --window cannot be combined"), (("--sum", "0", "--by", "day", "--rolling", "2"), "--by and --rolling cannot be combined")):
        expect(" ".join(words), ["query", path, "v", *words], 2, why)
    days = ["2024-03-01", "2024-03-02", "2024-04-03", "2024-05-01"]
    path = pack("square.tet", numpy.arange(16.0).reshape(4, 4), "--dims", "run,valid", "--labels", "run=" + ",".join(days), "--labels", "valid=" + ",".join(days))
    expect("two axes of times", ["query", path, "--sum", "--by", "month"], 1, "--by: axis 0 and axis 1 have times; select one index of the other one with --slab")
    lines = ask(path, "--sum", "--by", "month", "--slab", "2,:")[1]
    check("one of two", [line[-1] for line in lines] == ["17", "10", "11"], lines)
    expect("also a group", ["query", path, "--sum", "all", "--by", "month", "--slab", ":,1", "--group", "run"], 1, "--by and --group are about the same axis, 0; omit one of them")
    for name in "ab":
        numpy.save(scratch(name + ".npy"), values)
    words = [word for name in "ab" for word in ("--attr", name + ":" + since)]
    utet("pack", scratch("a.npy"), scratch("b.npy"), "-o", scratch("two.tet"), *words)
    expect("two datasets", ["query", scratch("two.tet"), "b", "--sum", "--by", "day"], 1, '--by: "a" for axis 0 and "b" for axis 0 have times of the right length')


def meta(labels, names):
    path = scratch("meta.json")
    with open(path, "w") as file:
        json.dump({"datasets": {"d": {"attrs": {"units": "m/s"}, "dim_names": names, "coords": {key: {"labels": value} for key, value in labels.items()}}}}, file)
    return path


def shown(columns, *words):
    """The lines that a terminal of this width shows."""
    status, out = on_terminal(["query", *words], columns)
    check("on a terminal: %s" % " ".join(words[1:]), status == 0, out)
    return out.replace("\r", "").splitlines()


def tables():
    """Complete labels; on a terminal that is too narrow for them, lines of its width, with complete numbers."""
    names = ["n%d-" % i + "x" * (40 * i) for i in range(4)]
    values = numpy.arange(24.0).reshape(3, 4, 2) + 0.125
    path = pack("wide.tet", values, "--dims", "t,station,k", "--labels", "station=" + ",".join(names))
    question = [path, "--mean", "t", "--max", "t"]
    whole = utet("query", *question)[1].decode().splitlines()
    check("nothing is cut without a terminal", [line.split() for line in whole[1:]] == [[names[s], str(k), "%.12g" % values[:, s, k].mean(), "%.12g" % values[:, s, k].max()] for s in range(4) for k in range(2)], whole)
    need = max(map(len, whole))
    check("the width of the table", need > 124, need)
    for columns in (need + 50, need):
        check("whole on %d columns" % columns, shown(columns, *question) == whole, columns)
    for columns in (need - 1, 100, 80, 43):
        lines = shown(columns, *question)
        check("cut at %d columns" % columns, max(map(len, lines)) == columns and [line.split()[1:] for line in lines] == [line.split()[1:] for line in whole] and
              all(len(name) < 17 or line.split()[0][:-1] == name[:len(line.split()[0]) - 1] for line, name in zip(lines[1::2], names)), lines)
    check("numbers are never cut", [line.split()[1:] for line in shown(10, *question)] == [line.split()[1:] for line in whole], whole)
    path = pack("heads.tet", values[:, :, 0], "--dims", "t,station", "--labels", "station=" + ",".join(names))
    question = [path, "--sum", "0", "--window", "3"]
    whole = utet("query", *question)[1].decode().splitlines()
    check("whole headings", whole[1].split() == ["t"] + names, whole)
    lines = shown(70, *question)
    check("headings are cut", max(map(len, lines)) == 70 and lines[2].split() == whole[2].split(), lines)
    path = pack("axes.tet", numpy.ones((2, 1, 1, 1, 1, 1, 1, 10)))
    lines = utet("query", path, "--sum", "0", "--window", "1")[1].decode().splitlines()
    check("seventeen columns", [line.split() for line in lines[2:]] == [[str(i)] + ["0"] * 6 + ["1"] * 10 for i in range(2)], lines)


# Runs a command, whose memory is not that of this process before exec; prints it in KiB.
MEASURED = "import resource, subprocess, sys; s = subprocess.call(sys.argv[1:]); print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss); sys.exit(s)"


def matrices():
    """All variables together read each tile once, so no tile is kept. Where tiles are read again, all are kept."""
    values = numpy.zeros((1000000, 8), "f4")
    values[::1000] = numpy.arange(8) % 3
    path = pack("matrix.tet", values, "--name", "m", "--tile", "4096x8")
    for name, start, step, wanted in (("", 0, 1, True), ("every second observation", 4096, 2, True), ("tiles apart", 5, 5000, True),
                                      ("from within a tile", 5, 1, False), ("every third observation", 0, 3, False)):
        ranges = [{"start": start, "stop": len(values), "step": step}, {"start": 0, "stop": 8, "step": 1}]
        document = json.dumps({"dataset": "m", "covariance": 0, "selection": ranges})
        for jobs in ("1", "2"):
            child = subprocess.run([sys.executable, "-c", MEASURED, TOOL, "query", path, document, "-j", jobs, "--npy", scratch("m.npy")],
                                   stdout=subprocess.PIPE, check=False)
            check("a matrix: " + name, child.returncode == 0 and numpy.allclose(numpy.load(scratch("m.npy")), numpy.cov(values[start::step].T.astype("f8"), bias=True)), name)
            check("its memory: " + name, not LIMITS or (int(child.stdout) < 20 << 10) == wanted, child.stdout)


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
    check("no folders are left", not [name for name in os.listdir(tempfile.gettempdir()) if name.startswith("utet-query-")], "")
    check("a shorter workspace", utet("query", *question, "--budget", "36K")[1] == utet("query", *question)[1], "")


reductions()
together()
several()
tests()
groups()
periods()
periods_of_more()
periods_refused()
tables()
matrices()
outputs()
summary()
