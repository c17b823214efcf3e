# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# Tests of the module utet. They run in MicroPython: `micropython cases.py FOLDER-OF-TESTS HEADER`, or on a board, where
# board.py defines FILES, GOLDEN and STATUS first. Expected values are the reference's answers in golden.txt. For folds
# and metadata, the second source is MicroPython itself: its integers and its module json.
import gc
import sys
import array
import binascii
import errno
import hashlib
import io
import json

import utet

passed = failed = 0
figures = []


def check(good, *what):
    global passed, failed
    if good:
        passed += 1
    else:
        failed += 1
        print("FAIL ", *what)


def raises(kind, function, *args):
    """The exception, if it is exactly of this kind; otherwise a failure, and None."""
    try:
        function(*args)
    except Exception as e:
        check(type(e) is kind, "raises", repr(e), "instead of", kind)
        return e if type(e) is kind else None
    check(False, "no exception, but", kind, "was expected", args)


def refused(status, function, *args):
    e = raises(utet.Error, function, *args)
    if e:
        check(e.status == STATUS[status], status, repr(e))
        check(isinstance(e.region, str) and (e.offset is None) == (e.status > -16), repr(e))
    return e


try:
    FILES
    ON_BOARD = True
except NameError:
    ON_BOARD = False
    FILES = {}  # name: content
    ROOT = sys.argv[1]
    STATUS = {}
    for line in open(sys.argv[2]):
        word = line.split()
        if len(word) > 2 and word[0][:5] == "UTET_" and word[1] == "=" and word[2].rstrip(",").lstrip("-").isdigit():
            STATUS[word[0][5:].replace("E_", "", 1) if word[0][:7] == "UTET_E_" else word[0][5:]] = int(word[2].rstrip(","))
    GOLDEN = [line.split() for line in open(ROOT + "/golden/golden.txt") if line[0] != "#"]


class Stream:
    """A stream written in Python: `step` bytes at a time, with a hook before each read."""

    def __init__(self, data, step=1 << 30, hook=None):
        self.data, self.step, self.hook, self.at, self.reads = data, step, hook, 0, 0

    def seek(self, offset, whence):
        self.at = offset + (len(self.data) if whence == 2 else 0)
        return self.at

    def readinto(self, buf):
        self.reads += 1
        if self.hook:
            self.hook(self)
        part = self.data[self.at:self.at + min(self.step, len(buf))]
        buf[:len(part)] = part
        self.at += len(part)
        return len(part)


def content(name):
    if name not in FILES:
        with open(ROOT + "/" + name, "rb") as f:
            if not ON_BOARD:
                return f.read()
    return FILES[name]


def product(shape):
    n = 1
    for each in shape:
        n *= each
    return n


SIZES = {"f": 4, "d": 8, "i": 4, "q": 8, "B": 1, "H": 2, "h": 2, "I": 4, "e": 2, "Q": 8}


def read(source, name, select=lambda d: d, out=None):
    """The bytes of a selection. If the workspace is too small, the size that the error names must suffice."""
    with utet.open(source) as f:
        d = select(f[name])
        if out is None:
            out = bytearray(product(d.shape) * SIZES[d.typecode])
        try:
            n = d.readinto(out)
        except utet.Error as e:
            if e.status != STATUS["BUDGET"]:
                raise
            with utet.open(source, ram=e.needed) as wide:
                n = select(wide[name]).readinto(out)
        check(n == product(d.shape), name, n, d.shape)
    return out


def digest(data):
    return binascii.hexlify(hashlib.sha256(data).digest()).decode()


def selection(text):
    def select(d):
        for i, part in enumerate(text.split(",")):
            a, b, c = [int(x) for x in part.split(":")]
            at = [slice_of(None, None, None)] * i + [slice_of(a, b, c)]
            d = d[tuple(at)]
        return d
    return select


class _Slices:
    def __getitem__(self, at):
        return at


def slice_of(a, b, c):
    return _Slices()[a:b:c]


# ---- what golden.txt says ----

def golden_file(name, lines):
    """Checks one file in each way to open it."""
    data = content(name)
    ways = [data, io.BytesIO(data), Stream(data)]
    if not ON_BOARD:
        ways.append(ROOT + "/" + name)
    expected = ([line[1] for line in lines if line[0] == "open"] or ["OK"])[0].split(",")
    if expected == ["ANY"]:
        return
    if expected != ["OK"]:
        for way in ways:
            e = raises(utet.Error, utet.open, way)
            check(e and e.status in [STATUS[each] for each in expected], name, repr(e))
        return
    said = [plain(line[2]) for line in lines if line[0] == "data"]
    with utet.open(data) as f:
        names = f.datasets()
    check(names == said or not said, name, names)
    for line in lines:
        if line[0] == "data" and names.index(names[int(line[1])]) == int(line[1]):  # the first of equal names is found
            with utet.open(ways[-1]) as f:
                d = f[names[int(line[1])]]
                check(d.shape == extents(line[4]) and d.chunks == extents(line[5]), name, line, d.shape, d.chunks)
                check(d.name == plain(line[2]))
        elif line[0] in ("dense", "slice") and names.index(names[int(line[1])]) == int(line[1]):
            which, number = names[int(line[1])], int(line[1])
            select = selection(line[2]) if line[0] == "slice" else lambda d: d
            for way in ways if line[0] == "dense" else [ways[number % len(ways)]]:
                check(digest(read(way, which, select)) == line[-1], name, line)
        elif line[0] == "read":
            with utet.open(ways[-1], ram=200000) as f:
                e = raises(utet.Error, f[names[int(line[1])]].readinto, bytearray(100000))
                check(e and e.status in [STATUS[each] for each in line[2].split(",")], name, line, repr(e))
        elif line[0] == "metadata" and names:
            with utet.open(ways[-1]) as f:
                e = refused("METADATA", f[names[0]].info)
                check(e and int(line[1]) <= e.offset <= int(line[2]) and e.region == "metadata", name, line, e and e.offset)
    if not [line for line in lines if line[0] in ("metadata", "footer")]:
        metadata(name, data, names)


def plain(text):
    """A name of golden.txt: %XX is a byte, a single % is the empty name."""
    out = b""
    i = 0
    while i < len(text) and text != "%":
        if text[i] == "%":
            out += binascii.unhexlify(text[i + 1:i + 3])
            i += 3
        else:
            out += text[i].encode()
            i += 1
    return out.decode()


def extents(text):
    return tuple(int(x) for x in text.split("x"))


def metadata(name, data, names):
    """Attributes, names of axes and labels compared with the module json, for footers without references."""
    if data[-4:] != b"THST":
        return
    length = int.from_bytes(data[-16:-8], "little")
    try:
        footer = json.loads(data[-16 - length:-16].decode())
    except ValueError:
        return  # escapes that json does not know
    if b"\\u" in data[-16 - length:] or "metadata_ref" in footer or not isinstance(footer.get("metadata"), dict):
        return
    for which in names:
        said = (footer["metadata"].get("datasets") or {}).get(which) or {}
        with utet.open(data) as f:
            d = f[which]
            info = d.info()
            check(info["attrs"] == (said.get("attrs") or {}), name, which, info)
            check(info["dims"] == (said.get("dim_names") or []), name, which, info)
            check(info["shape"] == d.shape and info["dtype"] == d.dtype, name, info)
            for axis, dim in enumerate(said.get("dim_names") or []):
                labels = ((said.get("coords") or {}).get(dim) or {}).get("labels")
                if labels and said["dim_names"].count(dim) == 1:
                    check(d.labels(dim) == labels and d.labels(axis) == labels, name, which, dim)
                    check(d.index(dim, labels[-1]) == labels.index(labels[-1]), name, which, dim)
                    raises(KeyError, d.index, dim, labels[0] + "?")


def golden():
    lines, where, files = [], None, 0
    for line in GOLDEN + [["file", "end", "", "", "", ""]]:
        if line[0] == "file":
            if where:
                golden_file(where, lines)
                files += 1
                gc.collect()
            where = None if line[1].startswith("shared/") or line[1] == "end" else line[1] + "/" + line[2]
            if ON_BOARD and where not in FILES:
                where = None
            lines = []
        elif where:
            lines.append(line)
    figures.append("%d files of golden.txt" % files)


# ---- values ----

LABELS = "golden/tet/I01_inline.tet"  # a: f32 [2, 3], times and stations with labels
TINY = "golden/demo/demo_tiny.tet"  # temperature: u8 [64, 128], raw
ZSTD = "golden/tet/B01_i16_zstd.tet"  # a: i16 [5, 7]


def near(a, b):
    return a == b or abs(a - b) <= 1e-6 * abs(b)


def folds():
    for name, which in ((TINY, "temperature"), (ZSTD, "a")):
        f = utet.open(content(name))
        d = f[which]
        a = array.array(d.typecode, bytes(product(d.shape) * SIZES[d.typecode]))
        d.readinto(a)
        rows, columns = d.shape
        values = list(a)
        check(near(d.fold("sum"), sum(values)) and near(d.fold("mean"), sum(values) / len(values)), d.fold("mean"))
        check(d.fold("min") == min(values) and d.fold("max") == max(values))
        check(d.fold("arg_max") == values.index(max(values)) and d.fold("count") == len(values))
        check(near(d.fold("median"), (sorted(values)[(len(values) - 1) // 2] + sorted(values)[len(values) // 2]) / 2))
        check(isinstance(d.fold("count"), int) and isinstance(d.fold("max"), float))
        row_sums = [sum(values[i * columns:(i + 1) * columns]) for i in range(rows)]
        check(d.fold("sum", 1) == row_sums and d.fold("sum", -1) == row_sums and d.fold("sum", (1,)) == row_sums)
        check(d.fold("max", [0]) == [max(values[i::columns]) for i in range(columns)])
        check(d.fold("sum", (0, 1)) == [sum(values)] and d.fold("sum", None) == sum(values))
        check(d[1:3, ::2].fold("sum") == sum(values[columns:2 * columns:2]) + sum(values[2 * columns:3 * columns:2]))
        raises(ValueError, d.fold, "no such fold")
        raises(IndexError, d.fold, "sum", 2)
        raises(TypeError, d.fold, "sum", "lat")
    f = utet.open(content(TINY), ram=0)
    e = refused("BUDGET", f["temperature"].fold, "sum")
    check(utet.open(content(TINY), ram=e.needed)["temperature"].fold("sum") == utet.open(content(TINY))["temperature"].fold("sum"))


def buffers():
    f = utet.open(content(ZSTD))
    d = f["a"]
    raw = bytearray(70)
    d.readinto(raw)
    wide = array.array("h", bytes(70))
    check(d.readinto(wide) == 35 and bytes(wide) == bytes(raw))
    for i in range(35):
        check(wide[i] == (int.from_bytes(raw[2 * i:2 * i + 2], "little") + 0x8000) % 0x10000 - 0x8000, i)
    view = bytearray(80)
    check(d.readinto(memoryview(view)[5:75]) == 35 and view[5:75] == raw and view[:5] == bytes(5))
    part = array.array("h", bytes(20))
    check(d[1, :3].readinto(memoryview(part)[2:5]) == 3 and list(part) == [0, 0] + list(wide[7:10]) + [0] * 5)
    for code in "HibfB"[:4]:
        raises(TypeError, d.readinto, array.array(code, bytes(280)))
    raises(TypeError, d.readinto, bytes(70))
    raises(TypeError, d.readinto, 5)
    refused("SPACE", d.readinto, bytearray(69))
    check(d.typecode == "h" and d.dtype == "i16" and d.name == "a")
    raises(AttributeError, lambda: d.nothing)


def selections():
    f = utet.open(content(ZSTD))
    d = f["a"]
    flat = array.array("h", bytes(70))
    d.readinto(flat)
    rows = [list(flat[i * 7:i * 7 + 7]) for i in range(5)]

    def got(s):
        out = array.array("h", bytes(2 * product(s.shape)))
        s.readinto(out)
        return list(out)

    check(got(d[2]) == rows[2] and got(d[-1]) == rows[4] and d[-1].shape == (1, 7))
    check(got(d[1, 2]) == [rows[1][2]] and got(d[:, 3]) == [row[3] for row in rows])
    check(got(d[1:4][1:][:, ::3]) == [row[c] for row in rows[2:4] for c in (0, 3, 6)])
    check(got(d[::2][1]) == rows[2] and got(d[1:5:2][1, 1:7:2][0, 1:]) == rows[3][3:7:2])
    check(got(d[-2:, -3:100]) == rows[3][4:] + rows[4][4:])
    check(got(d[::1 << 62 if sys.maxsize > 1 << 32 else 1 << 30][:, ::1000]) == [rows[0][0]])
    for bad in (5, -6):
        raises(IndexError, lambda: d[bad])
    raises(IndexError, lambda: d[0, 0, 0])
    raises(TypeError, lambda: d["x"])
    raises(TypeError, lambda: d[1.5])
    raises(ValueError, lambda: d[3:3])
    raises(ValueError, lambda: d[4:2])
    raises(ValueError, lambda: d[::-1])
    raises(ValueError, lambda: d[::0])
    raises(TypeError, lambda: f[0])
    raises(KeyError, lambda: f["b"])
    raises(TypeError, f.__setitem__ if hasattr(f, "__setitem__") else store, f)


def store(f):
    f["a"] = 1


def sources():
    data = content(LABELS)
    e = refused("MAGIC", utet.open, b"x" * 200)
    check(str(e) == "not a .tet file (superblock, byte 0)" and e.needed is None, str(e))
    refused("SUPERBLOCK", utet.open, b"")
    raises(TypeError, utet.open, bytearray(data))
    raises(TypeError, utet.open, memoryview(bytearray(data)))
    raises(TypeError, utet.open, object())
    raises(TypeError, utet.open, 5)
    raises(TypeError, utet.open)
    raises(ValueError, lambda: utet.open(data, ram=-1))
    if not ON_BOARD:
        e = raises(OSError, utet.open, "no/such/file.tet")
        check(e.errno == errno.ENOENT)
    e = refused("BUDGET", lambda: utet.open(io.BytesIO(data), ram=191))
    check(e.needed == 192 and str(e) == "the workspace is too small: ram=192 is enough", str(e))
    check(utet.open(io.BytesIO(data), ram=192).datasets() == ["a"])
    check(utet.open(memoryview(data), ram=0).datasets() == ["a"])
    f = utet.open(data)
    with f as same:
        check(same is f)
        d = f["a"]
    for function in (f.datasets, lambda: f["a"], d.info, lambda: d.readinto(bytearray(100)), lambda: d.fold("sum"),
                     lambda: d.labels(0)):
        refused("STATE", function)
    f.close()
    stream = io.BytesIO(data)
    utet.open(stream).close()
    check(stream.seek(0) == 0)  # a stream that belongs to the caller stays open
    stream.close()
    raises(ValueError, utet.open, stream)
    d = utet.open(data)["a"]
    raises(IndexError, d.labels, 2)
    raises(KeyError, d.labels, "no such axis")
    raises(TypeError, d.labels, 1.5)
    raises(TypeError, d.index, 0, 5)
    raises(KeyError, utet.open(content(ZSTD))["a"].labels, 0)
    check(issubclass(utet.Error, ValueError) and utet.Error("x").status is None and str(utet.Error("x")) == "x")


# ---- the rest: hostile.py, which runs all cases ----

if not ON_BOARD:
    with open(ROOT + "/micropython/hostile.py") as f:
        exec(f.read())
