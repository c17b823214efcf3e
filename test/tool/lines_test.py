#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""Lines and histograms of `utet show`, in PNG and in the terminal: every value is where NumPy's arithmetic says. lines_test.py [TOOL
WITHOUT LIBPNG]. Second sources: NumPy, and a PNG reader on Python's zlib (pixels.py)."""
import json
import os
import re
import subprocess
import sys

import numpy

from cli_files import CINE, PLANET
from harness import ROOT, check, expect, scratch, summary, utet
from packing import pack, put, save
from pixels import png_pixels
from terminal import on_terminal

COLOURS = [(0, 114, 178), (213, 94, 0), (0, 158, 115), (204, 121, 167), (230, 159, 0), (86, 180, 233), (140, 86, 75), (127, 127, 127)]
BLOCKS = " \u2598\u259d\u2580\u2596\u258c\u259e\u259b\u2597\u259a\u2590\u259c\u2584\u2599\u259f\u2588"
WIDTH, HEIGHT = 480, 200  # cells of 2 x 2 pixels
WHITE, GREY = (255, 255, 255), (200, 200, 200)


def cells(path, *arguments):
    """The cells of a PNG that has nothing around it; checks that each is one colour."""
    rows = png_pixels(expect("png", ["show", path, *arguments, "--bare"], 0))
    check("size of lines", (len(rows), len(rows[0])) == (2 * HEIGHT, 2 * WIDTH), (len(rows), len(rows[0])))
    small = [row[::2] for row in rows[::2]]
    check("cells of 2 x 2 pixels", all(rows[y][x] == small[y // 2][x // 2] for y in range(2 * HEIGHT) for x in range(2 * WIDTH)), "differ")
    return small


def kept(name, *arguments):
    """A packed file that the next one does not overwrite."""
    os.replace(pack(*arguments), scratch(name))
    return scratch(name)


def places(values, width, height, low, high):
    """Column and row of each finite value: nearest cells, the highest value at the top."""
    x = numpy.floor(numpy.arange(len(values)) * (width - 1) / max(len(values) - 1, 1) + 0.5).astype(int)
    with numpy.errstate(invalid="ignore"):
        y = numpy.floor((high - values) / (high - low) * (height - 1) + 0.5)
    return [(int(a), int(b), k) for k, (a, b) in enumerate(zip(x, y)) if numpy.isfinite(values[k])]


def drawn(what, grid, lines):
    """Each value of each line has the line's colour, unless a later line is there; elsewhere there is no colour."""
    low, high = numpy.nanmin(lines), numpy.nanmax(lines)
    wrong = []
    for number, line in enumerate(lines):
        allowed = COLOURS[number:len(lines)]
        wrong += [(number, k) for x, y, k in places(line, WIDTH, HEIGHT, low, high) if grid[y][x] not in allowed]
    check(what + ": every value has its colour", wrong == [], wrong[:5])
    for number, line in enumerate(lines):
        at = places(line, WIDTH, HEIGHT, low, high)
        known = {k: (x, y) for x, y, k in at}
        wrong = []
        for x in range(WIDTH):
            rows = [y for y in range(HEIGHT) if grid[y][x] == COLOURS[number]]
            near = [known[k] for k in range(len(line)) if k in known and abs(known[k][0] - x) <= WIDTH // (len(line) - 1) + 1]
            if rows and (not near or min(rows) < min(y for _, y in near) or max(rows) > max(y for _, y in near)):
                wrong.append(x)
        check("%s: line %d is between its values" % (what, number), wrong == [], wrong[:5])


def single():
    dice = numpy.random.default_rng(5)
    for name, array in (("noise", dice.normal(size=100)), ("i16", dice.integers(-300, 300, 37).astype("i2")),
                        ("u64", (numpy.arange(50, dtype="u8") * 2 + 2 ** 40)), ("f16", dice.normal(size=480).astype("f2")),
                        ("two", numpy.array([1.0, -2.0])), ("large", numpy.array([-1.7e308, 1.7e308, 0.0]))):
        path = pack(save(name + ".npy", array))
        drawn(name, cells(path), [array.astype("f8") / (1e3 if name == "large" else 1)])
    gaps = dice.normal(size=60)
    gaps[[10, 11, 30, 59]] = numpy.nan, numpy.nan, numpy.inf, -numpy.inf
    grid = cells(pack(save("gaps.npy", gaps)))
    gaps[~numpy.isfinite(gaps)] = numpy.nan
    drawn("gaps", grid, [gaps])
    left, right = (int(numpy.floor(k * 479 / 59 + 0.5)) for k in (9, 12))
    check("no line over a gap", all(grid[y][x] != COLOURS[0] for y in range(HEIGHT) for x in range(left + 1, right)), "drawn")
    zero = int(numpy.floor(numpy.nanmax(gaps) / (numpy.nanmax(gaps) - numpy.nanmin(gaps)) * (HEIGHT - 1) + 0.5))
    check("a grey line at zero, in the gap too", all(grid[zero][x] == GREY for x in range(left + 1, right)), grid[zero][left:right])
    level = cells(pack(save("level.npy", numpy.full(9, 7.5))))
    check("equal values are in the middle", [y for y in range(HEIGHT) if level[y][5] == COLOURS[0]] == [HEIGHT // 2], "elsewhere")
    nothing = cells(pack(save("nan.npy", numpy.full(9, numpy.nan))))
    check("no finite value, no line", all(cell == WHITE for row in nothing for cell in row), "drawn")
    check("the same said", "no finite values" in on_terminal(["show", scratch("out.tet")])[1], "not said")


def long():
    """More elements than columns: each column spans the extremes of its elements, so that a single peak is visible."""
    dice = numpy.random.default_rng(6)
    values = dice.normal(size=100003)
    values[54321] = 40
    grid = cells(pack(save("long.npy", values)))
    parts = numpy.arange(len(values)) * 2048 // len(values)
    columns = numpy.floor(numpy.arange(2048) * (WIDTH - 1) / 2047 + 0.5).astype(int)[parts]
    low, high = values.min(), values.max()
    wrong = []
    for x in range(WIDTH):
        inside = values[columns == x]
        rows = [y for y in range(HEIGHT) if grid[y][x] == COLOURS[0]]
        top, bottom = (int(numpy.floor((high - v) / (high - low) * (HEIGHT - 1) + 0.5)) for v in (inside.max(), inside.min()))
        if rows != list(range(top, bottom + 1)):
            wrong.append((x, top, bottom, rows[:1], rows[-1:]))
    check("columns span the extremes", wrong == [], wrong[:3])
    check("the peak", [x for x in range(WIDTH) if grid[0][x] == COLOURS[0]] == [columns[54321]], "elsewhere")


def several():
    dice = numpy.random.default_rng(7)
    table = numpy.cumsum(dice.normal(size=(90, 3)), axis=0).astype("f4")
    path = kept("table.tet", save("table.npy", table), "--dims", "time,column", "--labels", "column=north,south,west", "--attr", "units=m")
    grid = cells(path, "--lines")
    drawn("columns of a table", grid, [table[:, k].astype("f8") for k in range(3)])
    check("the other axis is the longer one", cells(pack(save("turned.npy", table.T.copy())), "--lines") == grid, "differs")
    check("without --lines, a map", len(png_pixels(expect("map", ["show", path, "--bare"], 0))) != 2 * HEIGHT, "lines")
    part = cells(path, "--lines", "--slab", "10:60:2,1:")
    drawn("a slab", part, [table[10:60:2, k].astype("f8") for k in (1, 2)])
    text = "time,a,b,c\n" + "".join("2024-03-01T%02d:%02d,%g,%g,%g\n" % (i // 4, i % 4 * 15, *row) for i, row in enumerate(table[:60].tolist()))
    log = kept("log.tet", put("log.csv", text.encode()), "--labels-from", "time")
    for name in "ac":
        expect("read", ["read", log, name, "-o", scratch(name + ".npy")], 0)
    stored = {name: numpy.load(scratch(name + ".npy")).astype("f8") for name in "ac"}
    drawn("columns of a logger", cells(log, "a", "c"), [stored["a"], stored["c"]])
    status, out = on_terminal(["show", log, "a", "c"], 100, 30, {"NO_COLOR": "1"})
    lines = out.replace("\r", "").split("\n")
    check("the labels are the time axis", status == 0 and re.fullmatch(" +2024-03-01T00:00 +time +2024-03-01T14:45", lines[-4]), lines[-5:])
    check("the keys", lines[-3] == "* a   + c", lines[-3])
    check("the legend", re.match(r"2 datasets +60 values x 2 lines +low ", lines[-2]), lines[-2])
    expect("too many lines", ["show", PLANET, "temperature", "--lines", "-o", scratch("x.png")], 1, r"slab: cannot draw 64 lines; select at most 8 with --slab$")
    expect("too many datasets", ["show", log, *"abcabcabc"], 2, r"wrong number of arguments; give FILE \[DATASET\]\.\.\.;")
    expect("no such dataset", ["show", log, "a", "q", "-o", scratch("x.png")], 1, 'no dataset named "q"')
    mixed = pack(save("one.npy", numpy.arange(5)), save("two.npy", numpy.arange(6)), path)
    expect("two lengths", ["show", mixed, "one", "two", "-o", scratch("x.png")], 1, r"slab: two has 6 values, but one has 5; draw each alone$")
    expect("two axes among several", ["show", mixed, "one", "table", "-o", scratch("x.png")], 1, r"slab: table has two axes; several datasets are drawn together if each has one")
    expect("three axes", ["show", CINE, "ripple", "--lines"], 1, r"slab: .*\[24, 64, 128\]; reduce it to two axes")
    check("nothing is left", not os.path.exists(scratch("x.png")), "there")
    forecast = os.path.join(ROOT, "golden", "demo", "forecast.tgm")
    expect("several of a message", ["show", forecast, "0", "1"], 2, "takes one message number; omit the others")
    tensor = numpy.load(read_tensor(forecast))
    drawn("a row of a tensor", cells(forecast, "0", "--slab", "3" + ",:" * (tensor.ndim - 1)), [tensor[3].astype("f8")])


def read_tensor(forecast):
    out = scratch("tensor.npy")
    expect("a tensor", ["message", forecast, "0", "-o", out], 0)
    return out


def terminal():
    dice = numpy.random.default_rng(8)
    values = dice.normal(size=70)
    path = pack(save("walk.npy", values), "--dims", "step", "--attr", "units=K")
    status, out = on_terminal(["show", path], 90, 26, {"COLORTERM": "truecolor"})
    lines = out.replace("\r", "").split("\n")
    picture = [line for line in lines if line.endswith("\x1b[0m")]
    plain = [re.sub("\x1b\\[[0-9;]*m", "", line) for line in picture]
    check("lines fill the terminal", status == 0 and len(picture) == 23 and {len(line) for line in plain} == {90}, (len(picture), plain[:1]))
    check("their colour", {m for line in picture for m in re.findall(r"38;2;(\d+;\d+;\d+)m", line)} <= {"0;114;178", "200;200;200"}, picture[:2])
    margin = max(len("%.6g" % values.max()), len("%.6g" % values.min())) + 1
    heads = [line[:margin].strip() for line in plain]
    check("the vertical axis", (heads[0], heads[11], heads[-1]) == ("%.6g" % values.max(), "K", "%.6g" % values.min()), heads)
    bits = [[BLOCKS.index(c) for c in line[margin:]] for line in plain]
    wide, high = 2 * (90 - margin), 46
    wrong = [k for x, y, k in places(values, wide, high, values.min(), values.max())
             if not bits[y // 2][x // 2] >> (y % 2 * 2 + x % 2) & 1]
    check("every value in the terminal", wrong == [], wrong)
    check("the horizontal axis", re.fullmatch(r" +0 +step +69", lines[23]), lines[23])
    check("the legend", re.fullmatch(r"walk \(K\)  f64  70 values  low \S+, high \S+", lines[24]), lines[24])
    status, out = on_terminal(["show", path], 90, 26, {"TERM": "dumb"})
    letters = [line[margin:] for line in out.replace("\r", "").split("\n")[:23]]
    wrong = [k for x, y, k in places(values, 90 - margin, 23, values.min(), values.max()) if letters[y].ljust(90)[x] != "*"]
    check("letters without colours", status == 0 and wrong == [] and "\x1b" not in out, wrong)
    narrow = on_terminal(["show", path], 20, 6, {"NO_COLOR": "1"})
    check("a narrow terminal", narrow[0] == 0 and len(narrow[1].replace("\r", "").split("\n")[0]) == 20, narrow)


def around():
    """The same lines in a PNG with texts, and the colour patches of the key."""
    path = pack(save("pair.npy", numpy.random.default_rng(9).normal(size=(40, 2))), "--dims", "t,what", "--labels", "what=in,out")
    bare, whole = (png_pixels(expect("png", ["show", path, "--lines", *more], 0)) for more in (["--bare"], []))
    found = [(x, y) for y in range(4, 12) for x in range(8, 200) if [row[x:x + 960] for row in whole[y:y + 400]][200:210] ==
             [[GREY if k < 2 and cell == WHITE else cell for k, cell in enumerate(row)] for row in bare[200:210]]]
    check("the picture inside", len(found) == 1, found)
    x, y = found[0] if found else (8, 8)
    below = whole[y + 400:]
    for number in (0, 1):
        patch = [row for row in below if row[8:32] == [COLOURS[number]] * 24]
        check("patch of key %d" % number, len(patch) == 12, len(patch))


def bars(what, grid, counts):
    """The cells of each bar, from the bottom; bars of at least four cells leave one between them."""
    wrong = []
    for bin, count in enumerate(counts):
        left, right = bin * WIDTH // len(counts), (bin + 1) * WIDTH // len(counts)
        rows = max(int(count / max(counts) * HEIGHT + 0.5), int(count > 0))
        for x in range(left, right - (right - left >= 4)):
            if [y for y in range(HEIGHT) if grid[y][x] == COLOURS[0]] != list(range(HEIGHT - rows, HEIGHT)):
                wrong.append((bin, x, rows))
    check(what + ": bars", wrong == [], wrong[:3])
    check(what + ": nothing else", sum(row.count(COLOURS[0]) for row in grid) == sum(
        max(int(c / max(counts) * HEIGHT + 0.5), int(c > 0)) * ((b + 1) * WIDTH // len(counts) - b * WIDTH // len(counts) - (WIDTH // len(counts) >= 4))
        for b, c in enumerate(counts)), "more or less")


def histograms():
    dice = numpy.random.default_rng(11)
    for name, array in (("normal", dice.normal(size=(7, 50, 20))), ("f4", dice.gamma(2, size=3000).astype("f4")),
                        ("wide", numpy.array([-1.7e308, 1.7e308, 1e308, 0.5]))):
        values = array.astype("f8") / (4 if name == "wide" else 1)
        bars(name, cells(pack(save("h.npy", array)), "--hist"), numpy.histogram(values, 60)[0].tolist())
    for name, array, width in (("dice", dice.integers(1, 7, 500).astype("u1"), 1), ("i4", dice.integers(-1000, 1001, 5000).astype("i4"), 34),
                               ("u64", dice.integers(0, 50, 90).astype("u8"), 1), ("floats of whole numbers", dice.integers(0, 61, 4000).astype("f4"), 2)):
        low, high = int(array.min()), int(array.max())
        check(name + ": width", -(-(high - low + 1) // 60) == width, (low, high))
        edges = numpy.arange(low, high + width + 1, width) - 0.5
        bars(name, cells(pack(save("h.npy", array)), "--hist"), numpy.histogram(array.astype("f8"), edges)[0].tolist())
    level = cells(pack(save("h.npy", numpy.full(4, 2.5))), "--hist")
    check("one value, one bar", all(level[0][x] == COLOURS[0] for x in range(WIDTH - 1)), "other")
    special = pack(save("h.npy", numpy.array([1.5, numpy.nan, 2.25, numpy.inf, -numpy.inf, 2.25])), "--dims", "t", "--attr", "units=K")
    bars("nan", cells(special, "--hist"), numpy.histogram([1.5, 2.25, 2.25], 60)[0].tolist())
    status, out = on_terminal(["show", special, "--hist"], 90, 20, {"NO_COLOR": "1"})
    lines = out.replace("\r", "").split("\n")
    check("legend of a histogram", re.fullmatch(r"h \(K\)  f64  3 values  low 1.5, high 2.25  60 bins of 0.0125, at most 2 values in one  1 NaN  2 infinite", lines[-2]), lines[-2])
    check("axes of a histogram", re.fullmatch(r" +1.5 +K +2.25", lines[-3]) and lines[0].startswith("    2 ") and lines[-4].startswith("    0 ") and
          any(line.startswith("count ") for line in lines), lines)
    check("bars on the terminal", lines[0].endswith("*") and lines[9][6] == "*" and lines[7][6] == " ", lines)
    check("colours of it", "\u2588" in on_terminal(["show", special, "--hist"], 90, 20)[1], "none")
    slab = cells(pack(save("h.npy", numpy.arange(600).reshape(20, 30))), "--hist", "--slab", "3:5,:")
    bars("slab", slab, [1] * 60)
    nothing = cells(pack(save("h.npy", numpy.full(4, numpy.nan))), "--hist")
    check("no finite value, no bar", all(cell == WHITE for row in nothing for cell in row), "drawn")
    expect("of nothing", ["show", os.path.join(ROOT, "golden", "tet", "P23_zero_extent.tet"), "#0", "--hist"], 1, "dataset: the dataset is empty")
    expect("both", ["show", special, "--hist", "--lines"], 2, "--hist and --lines cannot be combined; omit one of them")
    expect("of two", ["show", special, "a", "b", "--hist"], 2, "--hist draws one dataset; omit the others")
    forecast = os.path.join(ROOT, "golden", "demo", "forecast.tgm")
    tensor = numpy.load(read_tensor(forecast)).astype("f8")
    bars("a tensor", cells(forecast, "0", "--hist"), numpy.histogram(tensor, 60)[0].tolist())
    bars("a slab of a tensor", cells(forecast, "0", "--hist", "--slab", "3" + ",:" * (tensor.ndim - 1)), numpy.histogram(tensor[3], 60)[0].tolist())
    scaled = pack(save("h.npy", dice.normal(size=300)), "--scale", "auto", said="packed into i16")
    physical = numpy.frombuffer(expect("physical", ["read", scaled, "--physical", "--format", "raw"], 0), "f8")
    bars("--physical", cells(scaled, "--hist", "--physical"), numpy.histogram(physical, 60)[0].tolist())


def below(path, *arguments, columns=90):
    """The texts below a picture in the terminal: first value, name of the axis, last value."""
    status, out = on_terminal(["show", path, *arguments], columns, 12, {"NO_COLOR": "1"})
    lines = [line.strip() for line in out.replace("\r", "").split("\n")]
    found = [re.split(" {2,}", line) for line in lines if "*" not in line]
    return next((words for words in found if len(words) == 3), (status, lines))


def ticks():
    """Below lines and pictures: the values of a dataset of the axis, if it has no labels. Second source: NumPy's dates."""
    minutes = numpy.arange(300) * 95
    days = numpy.datetime64("2024-02-28T22:10") + minutes
    text = "".join("%s,%d\n" % pair for pair in zip(days, minutes % 77))
    log = kept("log.tet", put("log.csv", ("time,load\n" + text).encode()), "--times", "time=s")
    told = [str(days[k]).replace("T", " ") for k in (0, 299, 10, 190)]
    check("times of a CSV", below(log, "load") == [told[0], "time", told[1]], below(log, "load"))
    check("of a part", below(log, "load", "--slab", "10:200:20") == [told[2], "time", told[3]], below(log, "load", "--slab", "10:200:20"))
    check("of several", below(log, "load", "load") == [told[0], "time", told[1]], below(log, "load", "load"))
    lat = numpy.linspace(60, 40.5, 70).astype("f4")
    values = numpy.random.default_rng(12).normal(size=(70, 90))
    for number, (times, units, first, last) in enumerate((
            (numpy.arange(70) * 0.25, "units=days since 2000-01-01 06:00", "2000-01-01 06:00", "2000-01-18 12:00"),
            (numpy.arange(70) + 5, "units=seconds since 1970-01-01", "1970-01-01 00:00:05", "1970-01-01 00:01:14"),
            (numpy.arange(70) * 30, "units=days since 2000-01-01", "2000-01-01", "2005-09-01"),
            (lat, "units=degrees_north", "60", "40.5"), (numpy.arange(70) - 9, "standard_name=x", "-9", "60"))):
        path = kept("axis.tet", save("y.npy", times), save("v.npy", values), save("w.npy", values[:, 3]), "--dims", "v:y,x", "--dims", "w:y",
                    "--attr", "y:" + units)
        line = below(path, "w")
        check("of axis y, %d" % number, line == [first if len(first) > 10 or "since" not in units else first + " 00:00", "y",
                                                 last if len(last) > 10 or "since" not in units else last + " 00:00"], line)
        picture = on_terminal(["show", path, "v"], 90, 40, {"NO_COLOR": "1"})[1].replace("\r", "").split("\n")
        heads = [row[:14].strip().split(" ")[0] for row in picture]
        check("of a picture, %d" % number, heads[0] == first[:10] and last[:10] in heads, heads)
    for what, more in (("of another length", []), ("two datasets of times", [save("t2.npy", numpy.arange(300)), "--attr", "t2:units=s since 1970-01-01"])):
        path = kept("other.tet", save("t.npy", numpy.arange(300 if more else 299)), save("w.npy", minutes), *more, "--attr", "t:units=s since 1970-01-01")
        check(what, below(path, "w") == ["0", "axis 0", "299"], below(path, "w"))
    path = kept("odd.tet", save("t.npy", numpy.arange(300)), save("w.npy", minutes), "--dims", "w:t", "--attr", "t:units=days since 1970-01-01", "--attr",
                "t:calendar=360_day")
    check("another calendar: the numbers", below(path, "w") == ["0", "t", "299"], below(path, "w"))
    data = bytearray(open(log, "rb").read())
    data[payload(log, "time")] ^= 0x55
    bad = put("bad.tet", bytes(data))
    expect("damaged times", ["show", bad, "load"], 1, r"\(offset \d+\)")
    expect("without texts", ["show", bad, "load", "--bare"], 0)


def payload(path, name):
    """The offset of the middle of the first payload of a dataset."""
    info = json.loads(utet("info", "--json", path)[1])
    number = [d["name"] for d in info["datasets"]].index(name)
    row = next(r for r in info["chunks"] if r["dataset_id"] == number)
    return row["payload_offset"] + row["stored_byte_len"] // 2


def without_libpng(tool):
    """The same pixels, in stored blocks."""
    path = pack(save("plain.npy", numpy.random.default_rng(10).normal(size=(3000, 2))))
    for arguments in ([path, "--lines"], [path, "--slab", ":,0"], [PLANET, "temperature"], [PLANET, "elevation", "--slab", "0:1,0:1", "--bare"]):
        want = expect("png", ["show", *arguments], 0)
        done = subprocess.run([tool, "show", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        check("without libpng: " + " ".join(arguments[1:]), done.returncode == 0 and png_pixels(done.stdout) == png_pixels(want), done.stderr)
    done = subprocess.run([tool, "show", path, "--lines"], stdout=open("/dev/full", "wb"), stderr=subprocess.PIPE, check=False)
    check("a full disk", done.returncode == 1 and b"cannot write: No space left on device" in done.stderr, done.stderr)


single()
long()
several()
terminal()
around()
histograms()
ticks()
for other in sys.argv[1:]:
    without_libpng(other)
summary()
