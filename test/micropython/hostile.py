# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# The second half of cases.py, which runs it: streams that return wrong data, damaged files, memory; and the run of all cases.

# ---- streams that return wrong data, fail, block, call back ----

class Failure(Exception):
    pass


def failing(kind, at):
    def hook(stream):
        if stream.reads == at:
            raise kind("on purpose")
    return hook


def liars():
    data = content(ZSTD)
    good = read(data, "a")

    def all_of(stream, ram=8192):
        f = utet.open(stream, ram)
        f.datasets()
        out = bytearray(70)
        f["a"].readinto(out)
        f["a"].fold("sum")
        f["a"].info()
        return out

    for step in (1, 3, 64):
        check(all_of(Stream(data, step)) == good, step)
    stream = Stream(data)
    all_of(stream, 4600)
    reads = stream.reads
    # An exception at each read arrives as it was raised; the next call works.
    for at in range(1, reads + 1):
        for kind in (Failure, OSError, KeyboardInterrupt, utet.Error):
            stream = Stream(data, hook=failing(kind, at))
            try:
                all_of(stream, 4600)
                check(False, "nothing was raised", at)
            except BaseException as e:
                check(type(e) is kind and e.args == ("on purpose",), repr(e))
    f = utet.open(Stream(data), 4600)
    for at in range(reads):
        stream = Stream(data)
        f = utet.open(stream, 4600)
        stream.hook = failing(Failure, stream.reads + 1 + at)
        out = bytearray(70)
        try:
            f["a"].readinto(out)
        except Failure:
            pass
        stream.hook = None
        check(f["a"].readinto(out) == 35 and out == good, "after an exception", at)

    def answer(value):
        class Lie(Stream):
            def readinto(self, buf):
                Stream.readinto(self, buf)
                return value
        return Lie(data)

    for value in (100000, 513, 1 << 29):
        e = raises(utet.Error, utet.open, answer(value))
        check(e.status == STATUS["PORT"] and e.region == "medium", repr(e))
    check(raises(OSError, utet.open, answer(-5)).errno == 5)
    check(raises(OSError, utet.open, answer(None)).errno == errno.EAGAIN)
    for value in ("x", 1.5, b"", []):
        raises(TypeError, utet.open, answer(value))
    refused("SHORT", utet.open, answer(0))

    def seeker(function, data=data):
        class Lie(Stream):
            def seek(self, offset, whence):
                return function(Stream.seek(self, offset, whence), whence)
        return Lie(data)

    refused("SHORT", utet.open, seeker(lambda at, whence: at + 100 if whence == 2 else at, content(LABELS)))

    refused("SHORT", utet.open, seeker(lambda at, whence: at + 1 if whence == 0 else at))
    refused("PORT", utet.open, seeker(lambda at, whence: -1))
    raises(TypeError, utet.open, seeker(lambda at, whence: None))
    check(all_of(seeker(lambda at, whence: at + 100 if whence == 2 else at)) == good)  # there is no region at the end
    raises(utet.Error, utet.open, seeker(lambda at, whence: 50 if whence == 2 else at))
    raises(utet.Error, utet.open, seeker(lambda at, whence: 0 if whence == 2 else at))

    # The stream uses the file, closes it, drops all references, keeps and resizes the buffers that it is given.
    def calls(what):
        errors = []

        def hook(stream):
            if stream.file:
                try:
                    what(stream.file)
                    errors.append(None)
                except utet.Error as e:
                    errors.append(e.status)
        stream = Stream(data, 7)
        stream.file = None
        f = utet.open(stream, 4600)
        stream.file, stream.hook, d = f, hook, f["a"]
        out = bytearray(70)
        d.readinto(out)
        check(out == good and errors and set(errors) == {STATUS["STATE"]}, errors)
    calls(lambda f: f.datasets())
    calls(lambda f: f["a"])
    calls(lambda f: f.close())

    kept = []

    class Keeper(Stream):
        def readinto(self, buf):
            for old in kept:
                old[:] = b"\xff" * len(old)
            n = Stream.readinto(self, buf)
            if n > 8:
                kept.append(buf)
                kept.append(memoryview(buf)[4:])
            return n

    check(all_of(Keeper(data, 30)) == good)

    class Grower(Stream):
        def readinto(self, buf):
            n = Stream.readinto(self, buf)
            buf.extend(b"y" * 2000)
            return n

    check(all_of(Grower(data)) == good)

    def grow(stream):
        if stream.out is not None:
            stream.out.extend(bytes(5000))
    stream = Stream(data, hook=grow)
    stream.out = None
    d = utet.open(stream, 4600)["a"]
    stream.out = bytearray(70)
    e = refused("PORT", d.readinto, stream.out)
    check("resized" in str(e), str(e))

    # Answers that change: each byte of an answer differs with a small probability.
    seed = [1]

    def random():
        seed[0] = (seed[0] * 1103515245 + 12345) & 0x3fffffff
        return seed[0] >> 8

    class Fickle(Stream):
        def readinto(self, buf):
            n = Stream.readinto(self, buf)
            if n and random() % 4 == 0:
                buf[random() % n] ^= 1 << random() % 8
            return n

    outcomes = {}
    for _ in range(100 if ON_BOARD else 2000):
        try:
            all_of(Fickle(data), 4600)
            outcome = "read"
        except (utet.Error, KeyError, UnicodeError, MemoryError) as e:
            outcome = type(e).__name__
        outcomes[outcome] = outcomes.get(outcome, 0) + 1
    check(set(outcomes) - {"Error", "KeyError", "UnicodeError"} <= {"read"}, outcomes)
    figures.append("changing streams: %s" % outcomes)


def collector():
    """Objects that only the library's objects refer to must survive."""
    data = content(ZSTD)
    good = read(data, "a")
    for wrap in (lambda: bytes(bytearray(data)), lambda: io.BytesIO(data), lambda: Stream(data, 11, lambda s: gc.collect())):
        d = utet.open(wrap())["a"]
        for _ in range(3):
            gc.collect()
            junk = [bytes([i]) * 300 for i in range(100)]
            out = bytearray(70)
            check(d.readinto(out) == 35 and out == good)
            check(d[0].fold("count") == 7 and d.info()["shape"] == (5, 7))
            del junk


# ---- damage ----

def damaged(data, limit, counts):
    """Reads all of a damaged file; returns its data, or the name of an exception of the right kind."""
    try:
        f = utet.open(data)
        out = bytearray(limit)
        parts = []
        for name in f.datasets():
            d = f[name]
            n = d.readinto(out)
            parts.append(bytes(out[:n * SIZES[d.typecode]]))
            d.fold("max")
            d.info()
            for axis in range(len(d.shape)):
                try:
                    d.labels(axis)
                except KeyError:
                    pass
        counts["read"] = counts.get("read", 0) + 1
        return parts
    except utet.Error as e:
        check(e.status < 0 and isinstance(e.region, str), repr(e))
        counts[e.region] = counts.get(e.region, 0) + 1
    except Exception as e:
        check(False, "not a clear exception", repr(e))


def damage():
    flips = {}
    cuts = {}
    for name in (LABELS, ZSTD):
        data = content(name)
        good = damaged(data, 1000, {})
        check(good)
        for length in range(0, len(data), 7 if ON_BOARD else 1):
            for whole in (data[:length], io.BytesIO(data[:length])):
                parts = damaged(whole, 1000, cuts)
                check(parts is None or parts == good, name, "cut at", length)
        for bit in range(0, 8 * len(data), 61 if ON_BOARD else 1):
            other = bytearray(data)
            other[bit // 8] ^= 1 << bit % 8
            damaged(bytes(other) if bit % 2 else io.BytesIO(other), 1000, flips)
        gc.collect()
    figures.append("truncated files: %s" % cuts)
    figures.append("flipped bits: %s" % flips)
    check(len(flips) > 8 and flips["read"] > 10)


# ---- memory ----

def memory():
    """What stays allocated, and what a call allocates while it runs, as a stream sees it."""
    data = content(ZSTD)

    def now():
        gc.collect()
        gc.collect()
        return gc.mem_alloc()

    stream = Stream(data)
    stream.peak = 0
    before = now()
    f = utet.open(stream, 8192)
    opened = now() - before
    before = now()
    d = f["a"]
    dataset = now() - before

    def peak(s):
        gc.collect()
        s.peak = max(s.peak, gc.mem_alloc())

    result = {"file": opened - 8192, "dataset": dataset}
    out = bytearray(70)
    for name, call in (("readinto", lambda: d.readinto(out)), ("fold", lambda: d.fold("sum")), ("info", lambda: d.info())):
        result[name] = 1 << 30
        for _ in range(5):  # the collector may keep unused objects: the smallest value counts
            stream.peak = 0
            before = now()
            stream.hook = peak
            call()
            stream.hook = None
            if stream.peak:  # otherwise the workspace had everything that was needed
                result[name] = min(result[name], stream.peak - before)
    figures.append("memory beyond ram: %s" % result)
    check(result["file"] > 200 and result["readinto"] > 500)


# ---- the run ----

for case in (golden, folds, buffers, selections, sources, liars, collector, damage, memory):
    gc.collect()
    try:
        case()
    except Exception as e:
        check(False, case.__name__)
        sys.print_exception(e)
for figure in figures:
    print("figure:", figure)
print("%d passed, %d failed" % (passed, failed))
