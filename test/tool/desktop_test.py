#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""The tool's manners: long and hostile names in tables, nearest names, diff, statistics, help and man page from one table,
output to difficult places, many datasets in little memory, signals. Second sources: NumPy, struct."""
import io
import json
import math
import os
import re
import resource
import shutil
import signal
import struct
import subprocess
import time

import numpy

from harness import ROOT, TOOL, check, expect, scratch, skip, summary, tet_header, utet, with_tail
from terminal import on_terminal

PLANET = os.path.join(ROOT, "golden", "demo", "demo_planet.tet")
os.environ["SOURCE_DATE_EPOCH"] = "1700000000"
LIMITS = not os.environ.get("NO_LIMITS")


def write(name, data):
    with open(scratch(name), "wb") as file:
        file.write(data)
    return scratch(name)


def pack(name, array, *options):
    numpy.save(scratch("in.npy"), array)
    status, _, err = utet("pack", scratch("in.npy"), "-o", scratch(name), "--name", "d", *options)
    check("pack " + name, status == 0, err)
    return scratch(name)


def names():
    wide = "\u6e29\u5ea6".encode()
    sets = [(b"x" * 250000, 5, [1], [1]), (b"a\x1b[31mb\nc", 5, [1], [1]), ("\u202egnp.exe".encode(), 5, [1], [1]), (wide, 5, [1], [1])]
    head = tet_header(sets, [(i, [0], 0, 1, 1, 0) for i in range(4)])
    path = write("names.tet", tet_header(sets, [(i, [0], len(head), 1, 1, 0) for i in range(4)]) + b"x")
    for command in (["info", path], ["fit", path, "--ram", "64K"], ["verify", path]):
        out = utet(*command)[1]
        check("long name: %s" % command[0], len(out) < 8000, "%d bytes" % len(out))
        check("no escapes: %s" % command[0], b"\x1b" not in out and "\u202e".encode() not in out, out)
    check("names alone", len(utet("info", "-1", path)[1].splitlines()) == 4)
    environment = dict(os.environ, LC_ALL="C.UTF-8")
    table = utet("info", path, env=environment)[1].decode()
    rows = [line for line in table.splitlines() if re.match(r" *#\d+ .*u8", line)]
    ends = {sum(2 if ord(c) >= 0x3000 else 1 for c in line[:line.index(" u8 ")]) for line in rows}
    check("wide characters take two columns", len(rows) == 4 and len(ends) == 1, rows)


def nearest():
    for arguments, status, pattern in [
            (["inof", PLANET], 2, 'did you mean "info"'), (["read", PLANET, "elevatoin"], 1, 'did you mean "elevation"'),
            (["read", PLANET, "temperature", "--slab", "laat=3"], 1, 'did you mean "lat"'),
            (["fit", PLANET, "--for", "micrbit"], 2, 'did you mean "microbit"'),
            (["read", PLANET, "zzzzzz"], 1, r'no dataset named "zzzzzz"; .utet info -1 FILE. lists'),
            (["read", PLANET], 1, "the file has 3 datasets; name one"), (["help", "nonsense"], 2, 'unknown command "nonsense"')]:
        expect("near " + " ".join(arguments[:1] + arguments[2:]), arguments, status, pattern)
    one = pack("one.tet", numpy.arange(6, dtype="u1"))
    check("the only dataset", utet("read", one, "--format", "raw")[1] == bytes(range(6)))
    check("info of one", b"elevation" not in utet("info", PLANET, "temperature")[1].split(b"metadata of")[0])


def strangers():
    """A file of another kind is not reported as damaged, and the advice names what makes a .tet file of it."""
    numpy.save(scratch("other.npy"), numpy.arange(4, dtype="f4"))
    status, out, _ = utet("verify", scratch("other.npy"))
    check("verify another kind", status == 1 and b"not a .tet file" in out and b"utet pack" in out and b"truncated" not in out, out)
    tgm = os.path.join(ROOT, "golden", "demo", "forecast.tgm")
    numpy.savez(scratch("other.npz"), a=numpy.arange(4))
    for command, path, pattern in (("info", tgm, r"superblock: not a \.tet file, but Tensogram messages \(.utet messages. lists them\) \(offset 0\)$"),
                                   ("read", scratch("other.npy"), r"not a \.tet file, but a \.npy file \(.utet pack. reads it\)"),
                                   ("read", scratch("other.npz"), r"not a \.tet file, but an archive \(.utet pack. reads \.npz\)"),
                                   ("info", write("other", bytes(100)), r"superblock: not a \.tet file \(offset 0\)$")):
        expect("%s of another kind" % command, [command, path], 1, pattern)
    cut = write("cut.tet", open(PLANET, "rb").read()[:100])
    check("verify a cut file", b"truncated" in utet("verify", cut)[1])


def versions():
    check("version", utet("-V")[1] == utet("--version")[1] != b"")


def diffs():
    dice = numpy.random.default_rng(1)
    field = dice.normal(size=(60, 70)).astype("<f4")
    field[3, 4] = numpy.nan
    a = pack("a.tet", field, "--tile", "8x8", "--dims", "y,x")
    b = pack("b.tet", field, "--tile", "16x70", "--codec", "raw", "--dims", "y,x")
    check("other tiles are no difference", utet("diff", a, b)[:2] == (0, b""))
    other = field.copy()
    other[5, 6] += 0.5
    other[7, 8] = numpy.nan
    c = pack("c.tet", other, "--tile", "8x8", "--dims", "y,z")
    status, out, _ = utet("diff", a, c)
    check("differs", status == 1 and b"d[5, 6]: " in out and b"d[7, 8]: " in out and b"2 of 4200 elements differ" in out and
          b"other names of axes" in out, out)
    check("first 0", utet("diff", a, c, "--first", "0")[1].count(b"]: ") == 0)
    check("first 1", utet("diff", a, c, "--first", "1")[1].count(b"]: ") == 1)
    other[7, 8] = field[7, 8]
    c = pack("c.tet", other, "--dims", "y,x")
    check("tolerance", utet("diff", a, c, "--tolerance", "0.6")[0] == 0 and utet("diff", a, c, "--tolerance", "0.4")[0] == 1)
    other[7, 8] = numpy.nan
    c = pack("c.tet", other, "--dims", "y,x")
    check("a NaN has no distance", utet("diff", a, c, "--tolerance", "0.6")[1].endswith(b"1 of 4200 elements differ\n"))
    d = pack("d.tet", field[:, :50], "--dims", "y,x")
    check("shapes", b"f32 [60, 70], f32 [60, 50]" in utet("diff", a, d)[1])
    status, out, _ = utet("diff", a, PLANET)
    check("datasets", status == 1 and b"d: only in the first file" in out and b"elevation: only in the second file" in out, out)
    expect("not a file", ["diff", a, "/nonexistent"], 1, "cannot open")


def statistics():
    values = numpy.array([1, 2, 2, 3, 4, math.nan, math.inf], "<f8")
    out = utet("read", pack("s.tet", values), "--stats")[1].decode()
    facts = dict(re.findall(r"^(\w+) +(.*)$", out, re.M))
    check("stats", (facts["least"], facts["greatest"], facts["nan"], facts["infinite"]) == ("1", "4", "1", "1"), out)
    check("mean", abs(float(facts["mean"]) - 2.4) < 1e-9 and abs(float(facts["deviation"]) - values[:5].std()) < 1e-8, out)


def places():
    whole = utet("read", PLANET, "temperature", "--format", "raw")[1]
    long = scratch("n" * 250)
    expect("a long name", ["read", PLANET, "temperature", "-o", long], 0)
    with open(long, "rb") as file:
        check("a long name", file.read() == whole)
    copy = write("input.tet", open(PLANET, "rb").read())
    for mode in ("ab", "r+b"):
        with open(copy, mode) as out:
            expect("into the input, " + mode, ["read", copy, "temperature", "--format", "csv"], 1, "standard output is this input file", stdout=out)
    with open(copy, "rb") as file:
        check("the input is as before", file.read() == open(PLANET, "rb").read())
    if os.geteuid() == 0:
        target = write("owned", b"older")
        os.chmod(target, 0o640)
        os.chown(target, 12345, 23456)
        expect("replaces", ["read", PLANET, "temperature", "-o", target], 0)
        now = os.stat(target)
        check("owner and mode stay", (now.st_uid, now.st_gid, now.st_mode & 0o777) == (12345, 23456, 0o640), now)
        folder = scratch("closed")
        os.mkdir(folder)
        os.chmod(os.path.dirname(folder), 0o755)
        inner = os.path.join(folder, "out")
        with open(inner, "wb") as file:
            file.write(b"older" * 100000)
        os.chmod(inner, 0o666)
        os.chmod(folder, 0o555)

        def nobody():
            os.setgid(65534)
            os.setuid(65534)
        # Copies, because the clone may be in a folder of root alone, such as /root.
        program = scratch("utet")
        shutil.copyfile(TOOL, program)
        os.chmod(program, 0o755)
        os.chmod(copy, 0o644)
        try:
            status, _, err = utet("read", copy, "temperature", "--format", "raw", "-o", inner, program=program, preexec_fn=nobody)
        except PermissionError:
            skip("a read-only folder", "nobody may not run programs in the temporary directory")
        else:
            with open(inner, "rb") as file:
                check("a read-only folder", status == 0 and file.read() == whole, err)
    else:
        skip("owner, read-only folder", "not root")


def many():
    count = 300000
    records = b"".join(struct.pack("<IIII8s", 6, 5, 1, 0, b"%06d" % i) + struct.pack("<QQ", 0, 1) for i in range(count))
    at = 40 + len(records)
    path = write("many.tet", struct.pack("<4sIIIQQQ", b"TETR", 1, count, 0, at, 32, len(records)) + records +
                 struct.pack("<4sIQHHIQ", b"TIDX", 1, 0, 0, 0, 0, 0))

    for arguments in (["info", "-1", path], ["info", "--all", path]):
        status, out, err = utet(*arguments)
        check("many datasets: " + " ".join(arguments[:-1]), status == 0 and out.count(b"\n") >= count, (status, err))

    attributes = ",".join('"k%d":"%s"' % (i, "v" * 1000) for i in range(64))
    document = '{"metadata":{"datasets":{%s}}}' % ",".join('"d%d":{"attrs":{%s}}' % (i, attributes) for i in range(250))
    wide = write("wide.tet", struct.pack("<4sIIIQQQ", b"TETR", 1, 0, 1, 32, 0, 0) + with_tail(document.encode()))

    def in_memory(limit, datasets, rows):
        """Whether info works within that many bytes of address space."""
        index = struct.pack("<4sIQHHIQ", b"TIDX", 1, len(rows), 0, 0, 0, 0) + b"".join(
            struct.pack("<Q8QQQQII", row, *[0] * 8, 0, 1, 1, 0, 0) for row in rows)
        some = records[:40 * datasets]
        file = write("streams.tet", struct.pack("<4sIIIQQQ", b"TETR", 1, datasets, 0, 40 + len(some), len(index), len(some)) +
                     some + index)

        def bound():
            resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
        status, out, _ = utet("info", "--all", file, preexec_fn=bound)
        return status == 0 and out.count(b"\n") >= 2 * datasets
    if LIMITS:
        enough = next((n for n in range(4 << 20, 64 << 20, 1 << 20) if in_memory(n, 3000, range(3000))), 0)
        check("info streams", enough and in_memory(enough + 65536, 60000, range(60000)), enough)
        check("in any order of rows", in_memory(enough + 65536, 9000, range(8999, -1, -1)), enough)
        print("figure: info of any number of datasets in %.0f MiB of address space" % (enough / 1048576))

    def tight():
        resource.setrlimit(resource.RLIMIT_AS, (enough, enough))
    if LIMITS:
        status, out, err = utet("info", "--json", wide, preexec_fn=tight)
        check("out of memory is an error", status == 1 and "memory" in err, (status, len(out), err))


def as_json():
    """--json of read --stats, diff and pack has the numbers of the text, and of NumPy."""
    dice = numpy.random.default_rng(4)
    for name, array in (("f4", dice.normal(size=(40, 50)).astype("f4")), ("i8", dice.integers(-2 ** 62, 2 ** 62, 300)), ("u1", numpy.full(9, 7, "u1"))):
        path = pack("stats.tet", array)
        got = json.loads(utet("read", path, "--stats", "--json")[1])
        check(name + ": counts", (got["elements"], got["nan"], got["infinite"], got["dtype"]) == (array.size, 0, 0, {"f4": "f32", "i8": "i64", "u1": "u8"}[name]), got)
        check(name + ": extremes", array.dtype.type(got["least"]) == array.min() and array.dtype.type(got["greatest"]) == array.max(), got)
        check(name + ": moments", math.isclose(got["mean"], array.astype("f8").mean(), rel_tol=1e-6, abs_tol=1e-7) and
              math.isclose(got["deviation"], array.astype("f8").std(), rel_tol=1e-6), got)
        check(name + ": histogram", got.get("histogram") == (numpy.histogram(array, 48)[0].tolist() if name != "u1" else None), got)
    got = json.loads(utet("read", pack("stats.tet", numpy.array([numpy.nan, numpy.inf])), "--stats", "--json")[1])
    check("no numbers", got == {"dtype": "f64", "elements": 2, "nan": 1, "infinite": 1}, got)
    expect("--json without --stats", ["read", path, "--json"], 2, "--json is the form of --stats; add it, or omit --json")
    field = dice.integers(0, 100, (5, 6)).astype("i4")
    other = field.copy()
    other[1, 2] += 7
    other[4, 5] -= 9
    one, two = pack("one.tet", field, "--attr", "units=K"), pack("two.tet", other)

    def diff(*arguments, status=1):
        done = utet("diff", *arguments, "--json")
        check("diff " + " ".join(arguments), done[0] == status and done[2] == "", done)
        return json.loads(done[1])
    check("diff of a file and itself", diff(one, one, status=0) == {"differences": [], "equal": True})
    examples = [{"index": [y, x], "first": int(field[y, x]), "second": int(other[y, x])} for y, x in ((1, 2), (4, 5))]
    elements = {"dataset": "d", "kind": "elements", "examples": examples, "differing": 2, "elements": 30, "largest": 9}
    check("diff", diff(one, two) == {"differences": [{"dataset": "d", "kind": "attributes"}, elements], "equal": False}, diff(one, two))
    check("--first 1", diff(one, two, "--first", "1")["differences"][1]["examples"] == examples[:1])
    check("--first 0", "examples" not in diff(one, two, "--first", "0")["differences"][1])
    floats = [pack(name, numpy.array(values)) for name, values in (("x.tet", [1.5, numpy.nan]), ("y.tet", [1.25, 2]))]
    check("NaN is null", diff(*floats)["differences"] == [{"dataset": "d", "kind": "elements", "examples": [
        {"index": [0], "first": 1.5, "second": 1.25}, {"index": [1], "first": None, "second": 2}], "differing": 2, "elements": 2, "largest": 0.25}], diff(*floats))
    check("shapes", diff(one, floats[0])["differences"][1] == {"dataset": "d", "kind": "shape", "first": {"dtype": "i32", "shape": [5, 6]},
                                                              "second": {"dtype": "f64", "shape": [2]}}, diff(one, floats[0]))
    kinds = [(d["dataset"], d["kind"]) for d in diff(one, PLANET)["differences"]]
    check("datasets of one file", kinds == [("d", "only_in_first")] + [(n, "only_in_second") for n in utet("info", "-1", PLANET)[1].decode().split()], kinds)
    damaged = bytearray(open(two, "rb").read())
    row = struct.unpack_from("<Q", damaged, 16)[0] + 32
    damaged[struct.unpack_from("<Q", damaged, row + 72)[0]] ^= 255
    done = utet("diff", one, write("damaged.tet", bytes(damaged)), "--json")
    check("an error, and no half of an object", done[0] == 1 and (done[1] == b"" or json.loads(done[1])), done)
    status, out, err = utet("pack", scratch("in.npy"), PLANET, "-o", scratch("j.tet"), "--json", "--codec", "raw", "--ram", "64K", "--tile", "whole")
    got = json.loads(out)
    arrays = {"in": numpy.load(scratch("in.npy"))}
    check("pack --json", status == 0 and err == "" and [d["dataset"] for d in got["datasets"]] == ["in"] + utet("info", "-1", PLANET)[1].decode().split(), got)
    first = got["datasets"][0]
    check("of each dataset", first == {"dataset": "in", "dtype": "f64", "shape": [2], "tile": [2], "codec": "raw", "bytes": arrays["in"].nbytes,
                                      "stored": arrays["in"].nbytes, "fits": True}, first)
    check("of the file", got["bytes"] == os.path.getsize(scratch("j.tet")) and got["output"] == scratch("j.tet") and
          got["data"] == sum(d["bytes"] for d in got["datasets"]), got)
    large = [word for i in range(6) for word in ("--attr", "k%d=%s" % (i, "x" * 1000))]
    status, out, err = utet("pack", PLANET + ":temperature", "-o", scratch("j.tet"), "--json", "--codec", "zstd", "--ram", "4K", "--tile", "whole", *large)
    got = json.loads(out)
    told = utet("fit", scratch("j.tet"), "--ram", "%d" % got["datasets"][0].get("ram_needed", 0), "--codec", "small")
    check("what does not fit, and the RAM that fit agrees with", not got["datasets"][0]["fits"] and told[0] == 0, (got, told))
    check("what is left out", "attributes" in got.get("left_out", ""), got)
    plain = json.loads(utet("pack", scratch("in.npy"), "-o", scratch("j.tet"), "--json")[1])
    check("without a target", "fits" not in plain["datasets"][0] and "left_out" not in plain, plain)
    rows = json.loads(utet("pack", write("t.csv", b"t,v\n1,2.5\n2,\n"), "--dry-run", "--json")[1])
    check("--dry-run", [(r["dataset"], r["dtype"], r["shape"]) for r in rows] == [("t", "u8", [2]), ("v", "f32", [2])] or
          [(r["dataset"], r["shape"]) for r in rows] == [("t", [2]), ("v", [2])], rows)
    expect("--json and --table", ["pack", scratch("in.npy"), "-o", scratch("j.tet"), "--json", "--table"], 2, "--json and --table cannot be combined; omit one of them")


def screen():
    """A thousand datasets on one screen of 24 lines, the last of which belongs to the prompt; sums from NumPy."""
    sizes = {"%s/%s/step%02d" % (model, field, step): 8 + step for model in ("ecmwf", "icon") for field in ("t2m", "wind", "rain", "snow") for step in range(125)}
    numpy.savez(scratch("deep.npz"), **{name: numpy.zeros(size, "f4") for name, size in sizes.items()})
    numpy.savez(scratch("flat.npz"), **{"d%04d" % i: numpy.zeros((2, 3), "u1") for i in range(1000)})
    numpy.savez(scratch("some.npz"), **{"a/%02d" % i: numpy.zeros(i % 2 + 1, "u1" if i % 2 else "i2") for i in range(51)})
    for name in "deep", "flat", "some":
        status, _, err = utet("pack", scratch(name + ".npz"), "-o", scratch(name + ".tet"), "--codec", "raw")
        check("pack " + name, status == 0, err)

    def info(name, *more):
        return utet("info", scratch(name + ".tet"), *more)[1].decode()
    deep = info("deep")
    check("1,000 datasets on a screen", deep.count("\n") <= 23, deep)
    half = 4 * 4 * sum(8 + step for step in range(125))
    check("branches", re.findall(r"^(ecmwf|icon)/ +(\d+)  f32    several +(\d+)  raw +([\d,]+) +([\d,]+) +100.0$", deep, re.M) ==
          [(model, "500", "500", "{:,}".format(half), "{:,}".format(half)) for model in ("ecmwf", "icon")], deep)
    check("the total", "\n1,000 datasets in all (--all shows each" in deep and "\n{0:,} bytes in all, {0:,} stored (100.0 %)\n".format(2 * half) in deep, deep)
    check("as deep as the screen", "t2m" not in deep, deep)
    flat = info("flat")
    check("names without slashes", flat.count("\n") <= 23 and re.search(r"^d0000 +1  u8     2 x 3 +1  raw +6 ", flat, re.M) and "\nand 995 more datasets\n" in flat, flat)
    some = info("some")
    check("types and shapes that differ", re.search(r"^a/ +51  several  several +51 ", some, re.M), some)
    check("--all shows each", all("ecmwf/%s/step%02d" % (f, i) in info("deep", "--all") for f in ("t2m", "snow") for i in (0, 124)), "missing")
    check("one of them", "step07" in info("deep", "icon/rain/step07"), "missing")
    numpy.savez(scratch("few.npz"), **{"a/%02d" % i: numpy.zeros(1, "u1") for i in range(50)})
    utet("pack", scratch("few.npz"), "-o", scratch("few.tet"))
    check("50 datasets one by one", all("a/%02d" % i in info("few") for i in range(50)) and "in all (--all" not in info("few"), info("few"))
    status, out = on_terminal(["info", scratch("deep.tet")], 120, 50)
    check("a higher screen, a deeper tree", status == 0 and out.count("\n") <= 49 and re.findall(r"^  (\w+)/ +125  f32 ", out.replace("\r", ""), re.M) ==
          ["rain", "snow", "t2m", "wind"] * 2, out)


def tiles():
    """The table of tiles, and which payloads carry checksums."""
    field = numpy.tile(numpy.arange(100, dtype="<i4"), (30, 1))
    plain = pack("plain.tet", field, "--tile", "16x32", "--codec", "zstd", "--checksum", "none")
    checked = pack("checked.tet", field, "--tile", "16x32", "--codec", "zstd")
    raw = pack("raw.tet", field, "--tile", "16x32", "--codec", "raw")
    noisy = field.copy()
    noisy[:16, :32] = numpy.random.default_rng(1).integers(-2**31, 2**31, (16, 32))
    mixed = pack("mixed.tet", noisy, "--tile", "16x32", "--codec", "zstd")
    for path, what in ((plain, "none"), (checked, "all"), (raw, "none"), (mixed, "7 of them")):
        text = utet("info", path)[1].decode()
        line = re.search(r"checksums *\n *#0  d +(.*)$", text, re.M).group(1)
        sizes, said = [int(w.replace(",", "")) for w in line.split()[:6]], " ".join(line.split()[6:])
        check("checksums of " + os.path.basename(path), said == what, line)
        check("tiles of " + os.path.basename(path), sizes[:3] == [14 * 4 * 4, 30 * 100 * 4 // 8, 16 * 32 * 4], line)
        stored = [int(m.group(1)) for m in re.finditer(r"^ +\d+ +#0 +\w+ +\d+ +(\d+)", text, re.M)]
        check("stored of " + os.path.basename(path), sizes[3:] == [min(stored), sum(stored) // 8, max(stored)], (line, stored))
    path = os.path.join(os.path.dirname(plain), "three.tet")
    check("three datasets", utet("pack", plain, mixed, raw, "-o", path, "--name", "one", "--name", "two", "--name", "three",
                                 "--tile", "16x32")[0] == 0)
    text = utet("info", path, "two")[1].decode()
    check("rows of one dataset", re.findall(r"^ +\d+ +#(\d) +\w+ +\d+ +\d+", text, re.M) == ["1"] * 8, text)
    check("the event's date", "2023-11-14 22:13:20 UTC" in utet("info", plain)[1].decode())


def signals():
    """No signal that ends a process by default leaves a temporary file; each signal is sent to a process of its own."""
    big = pack("big.tet", numpy.zeros((6000, 6000), "<f4"), "--codec", "raw", "--tile", "64x6000")
    harmless = {signal.SIGKILL, signal.SIGSTOP, signal.SIGCHLD, signal.SIGCONT, signal.SIGTSTP, signal.SIGTTIN, signal.SIGTTOU,
                signal.SIGURG, signal.SIGPIPE, signal.SIGWINCH, signal.SIGXFSZ}
    numbers = [number for number in signal.valid_signals() if number not in harmless]
    folder = os.path.dirname(big)
    for some in (numbers[i:i + 8] for i in range(0, len(numbers), 8)):
        runs = {}
        for number in some:
            out = scratch("slow%d.csv" % number)
            # under nohup a signal would be ignored, both here and in the tool
            runs[number] = subprocess.Popen([TOOL, "read", big, "--format", "csv", "-o", out], stderr=subprocess.PIPE,
                                            preexec_fn=lambda number=number: signal.signal(number, signal.SIG_DFL))
        for number, run in runs.items():
            begins = "slow%d.csv." % number
            for _ in range(1000):  # until its temporary file exists
                if any(name.startswith(begins) for name in os.listdir(folder)):
                    break
                time.sleep(0.01)
            run.send_signal(number)
        for number, run in runs.items():
            run.communicate()
            beside = [name for name in os.listdir(folder) if name.startswith("slow%d.csv" % number)]
            check("signal %d" % number, beside == [] and run.returncode == -number, (beside, run.returncode))


def answers():
    """Tables of utet query: names and labels of the remaining axes, and the numbers of NumPy."""
    field = numpy.load(io.BytesIO(utet("read", PLANET, "temperature", "--format", "npy")[1])).astype("f8")

    def ask(document):
        path = write("document.json", json.dumps(dict(dataset="temperature", **document)).encode())
        status, out, err = utet("query", PLANET, path)
        check("query %s" % document, status == 0, err)
        return [line.split() for line in out.decode().splitlines()]
    lines = ask({"max": {"axis": 1}})
    check("names of a column", lines[1] == ["lat", "max"] and " ".join(lines[0]).startswith("max of temperature (K), "), lines[:2])
    check("numbers of a column", [float(line[1]) for line in lines[2:]] == [float("%.12g" % v) for v in field.max(1)], lines)
    check("labels of a column", lines[2][0] == "78.0" and len(lines) == 66, lines)
    lines = ask({"window": {"axis": 1, "size": 32, "mode": "bins"}, "min": {"axis": 1}})
    check("columns of windows", lines[1] == "lat 0 to 31 32 to 63 64 to 95 96 to 127".split() and
          " ".join(lines[0]) == "min of temperature (K), 8,192 elements in windows of 32 indices, 64, 4 windows", lines[:2])
    check("rows of windows", [[float(v) for v in line[1:]] for line in lines[2:]] ==
          [[float("%.12g" % v) for v in row] for row in field.reshape(64, 4, 32).min(2)], lines)
    lines = ask({"filter": {"gt": float(field[3].max())}, "mean": [1]})
    check("no value of no elements", [line[1] == "-" for line in lines[2:]] == [not (row > field[3].max()).any() for row in field] and
          lines[2 + 3][1] == "-", lines)
    lines = ask({"filter": {"gt": 1e9}, "mean": []})
    check("no mean of nothing", lines[1] == ["-"], lines)
    lines = ask({"filter": {"gt": 1e9}, "sum": []})
    check("the sum of nothing", lines[1] == ["0"], lines)
    lines = ask({"selection": [{"start": 0, "stop": 3}, {"start": 0, "stop": 128}], "window": {"axis": 0, "size": 1, "mode": "bins"},
                 "max": {"axis": 0}})
    check("many columns", [[float(v) for v in line] for line in lines[1:]] ==
          [[float("%.12g" % v) for v in row] for row in field[:3]], lines)
    small = numpy.arange(24, dtype="f8").reshape(6, 4)
    names = ["b", "a", "b", "c", "a", "b"]
    path = pack("groups.tet", small, "--dims", "y,x", "--labels", "y=" + ",".join(names), "--labels", "x=1,2,1,2")
    document = {"dataset": "d", "group_by": {"by": "labels", "axes": ["y"]}, "sum": []}
    for first in (0, 1):  # from index 1 on, "a" comes first
        document["selection"] = [{"start": first}, {}]
        lines = utet("query", path, write("document.json", json.dumps(document).encode()))[1].decode().splitlines()
        check("labels of groups", [line.split() for line in lines[1:]] == [["y", "sum"]] + [
            [label, "%d" % small[first:][[n == label for n in names[first:]]].sum()] for label in dict.fromkeys(names[first:])], lines)
    deep = pack("deep.tet", numpy.stack([small, 2 * small], 2), "--dims", "y,x,z", "--labels", "y=" + ",".join(names), "--labels", "x=1,2,1,2")
    both = {"dataset": "d", "selection": [{"start": 1}, {}, {}], "group_by": {"by": "labels", "axes": ["y", "x"]}, "sum": []}
    lines = utet("query", deep, write("document.json", json.dumps(both).encode()))[1].decode().splitlines()
    check("labels of groups of two axes", [line.split() for line in lines[1:]] == [["y", "1", "2"]] + [
        [label, *("%d" % (3 * small)[1:][[n == label for n in names[1:]]][:, i::2].sum() for i in (0, 1))] for label in ("a", "b", "c")], lines)
    document.update(label_filter={"axis": "y", "eq": "c"}, group_by={"by": "labels", "axes": ["x"]})
    lines = utet("query", path, write("document.json", json.dumps(document).encode()))[1].decode().splitlines()
    check("labels of groups, some left out", [line.split() for line in lines[2:]] == [["1", "26"], ["2", "28"]], lines)
    check("one number", len(ask({"mean": []})) == 2)
    path = write("document.json", b'{"dataset": "temperatur", "mean": []}')
    expect("query of a misspelt dataset", ["query", PLANET, path], 1, 'did you mean "temperature"')
    for name, text, advice in (("document.toml", b"dataset = 'temperature'", r"column 1 \(JSON is read, TOML is not\)$"),
                               ("other.json", b"dataset = 'temperature'", "column 1$")):
        expect("query of " + name, ["query", PLANET, write(name, text)], 1, advice)
    check("a document in place of its file", utet("query", PLANET, '{"dataset":"temperature","mean":[]}')[1].split()[-1] == b"276.242572172", "")
    expect("a dataset in place of a document", ["query", PLANET, "temperature"], 1, "cannot open: .*; QUERY is a document, and a dataset needs an option such as --mean all$")
    copy = write("spills.tet", open(PLANET, "rb").read())
    for document, why in ({"spill": "x.npy"}, "the document writes its elements with `spill`"), ({"align": {"with": "elevation", "axes": [0]}}, "the results of `align` are not numbers"):
        path = write("document.json", json.dumps(dict(dataset="temperature", **document)).encode())
        expect("--npy of %s" % document, ["query", copy, path, "--npy", scratch("o.npy")], 1, "--npy: " + why)
        check("--npy writes nothing", not os.path.exists(scratch("o.npy")) and not os.path.exists(scratch("x.npy")))


names()
nearest()
strangers()
answers()
versions()
diffs()
statistics()
places()
many()
as_json()
screen()
tiles()
signals()
summary()
