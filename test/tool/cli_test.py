#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""The tool's contract with scripts and people: options, exit status, error lines, formats, output files, pipes, full
disks, terminals, pictures, large files with little memory. Second sources: Python's struct, repr, json, zlib, NumPy."""
import fcntl
import json
import os
import pty
import re
import resource
import select
import shutil
import signal
import socket
import struct
import subprocess
import termios
import unicodedata
import time
import zlib

from harness import (DTYPES, FORMATS, ROOT, SCRATCH, TOOL, check, expect, golden, header_length, scratch, sha, skip,
                     summary, tet_header, utet, with_tail)

PLANET = os.path.join(ROOT, "golden", "demo", "demo_planet.tet")
CINE = os.path.join(ROOT, "golden", "demo", "demo_cine.tet")
TINY = os.path.join(ROOT, "golden", "demo", "demo_tiny.tet")
EMPTY = os.path.join(ROOT, "golden", "tet", "A01_empty.tet")


def read(*arguments):
    status, out, err = utet("read", *arguments)
    check("read " + " ".join(arguments[1:]), status == 0 and err == "", "exit %d, %s" % (status, err))
    return out


def write(name, data):
    with open(scratch(name), "wb") as file:
        file.write(data)
    return scratch(name)


def only_file(name, content):
    """The scratch folder holds `name` with `content` (None: not at all) and nothing half finished beside it."""
    beside = [n for n in os.listdir(SCRATCH) if n.startswith(name + ".")]
    data = None
    if os.path.exists(scratch(name)):
        with open(scratch(name), "rb") as file:
            data = file.read()
    return beside == [] and data == content


# ---- usage ----

def usage():
    for arguments, pattern in [
            ([], "utet: missing command"), (["bogus"], 'utet: unknown command "bogus"'), (["info"], "info: wrong number of arguments; give FILE .DATASET.;"),
            (["info", "a", "b", "c"], "wrong number of arguments; give FILE .DATASET.;"), (["read"], "wrong number of arguments; give FILE .DATASET.;"),
            (["verify"], "missing argument; give at least one FILE"), (["diff", "a"], "diff: wrong number of arguments; give A B;"),
            (["raed"], r'unknown command "raed" \(did you mean "read"\?\)'), (["read", "a", "--slab", "1", "--slab", "2"], "--slab given twice"),
            (["show", "a", "b", "c"], "wrong number of arguments"),
            (["info", "--slab", "1", "a"], "info: unknown option --slab, which belongs to read;"),
            (["verify", "a", "--ram", "3"], "verify: unknown option --ram, which belongs to pack;"),
            (["verify", "a", "--strict"], "verify: unknown option --strict, which belongs to info;"),
            (["read", "-x", "a", "b"], "read: unknown option -x;"), (["read", "a", "-1"], "read: unknown option -1;"), (["read", "a", "-5"], "read: unknown option -5;"),
            (["read", "a", "-p", "x"], "unknown option -p;"), (["read", "a", "-w", "x"], "unknown option -w;"), (["info", "a", "-o", "x"], "unknown option -o;"), (["pack", "a", "-1"], "pack: unknown option -1;"), (["read", "--what", "a", "b"], "unknown option --what"),
            (["read", "a", "-xy", "b"], "unknown option -x"), (["info", "--json", "-jx", "b"], "unknown option -j"),
            (["info", "--json=3", "a"], "--json does not take a value"), (["read", "a", "b", "-o"], "-o requires a value"),
            (["read", "a", "b", "--slab"], "--slab requires a value"),
            (["read", "a", "b", "--format", "xml"], '--format: invalid value "xml"; use one of raw.npy.csv.text'),
            (["read", "a", "b", "--codec", "lz4"], '--codec: invalid value "lz4"; use one of small.upstream;'),
            (["read", "a", "b", "--budget", "0"], "--budget: invalid value"),
            (["read", "a", "b", "--budget", "1T"], "--budget: invalid value"),
            (["read", "a", "b", "--budget", "99999999999G"], "--budget: invalid value"),
            (["read", "a", "b", "--budget", "-1"], "--budget: invalid value"),
            (["read", "a", "--stats", "-o", "x"], "--stats prints text to standard output; omit -o and --format"),
            (["read", "a", "--stats", "--format", "raw"], "--stats prints text to standard output; omit -o and --format"),
            (["info", "a", "-1", "--json"], "-1 and --json cannot be combined"), (["info", "a", "--json", "-1"], "-1 and --json cannot be combined"),
            (["message", "a", "0", "--metadata", "--descriptor"], "--metadata and --descriptor cannot be combined"),
            (["message", "a", "0", "--metadata", "-o", "x"], "--metadata and --descriptor print JSON to standard output; omit -o"),
            (["message", "a", "0", "--descriptor", "--format", "csv"], "--metadata and --descriptor print JSON to standard output; omit -o"),
            (["query", "a", "b", "--npy", "x", "--json"], "--npy cannot be combined with --json or --plan"),
            (["query", "a", "b", "--npy", "x", "--plan"], "--npy cannot be combined with --json or --plan"),
            (["fit", "a"], "missing target; give --for BOARD or --ram"), (["fit", "a", "--ram", "many"], '--ram: invalid value "many"; use a number of bytes;'),
            (["fit", "a", "--for", "nowhere"], "unknown target nowhere, and no file of that name"), (["fit", "a", "--ram", "4K", "--unit", "3"], "unit and align must be powers of two"),
            (["pack", "a", "-o", "b", "--pointer", "20"], "pointer must be 16, 32 or 64")]:
        said = " " + arguments[0] if arguments and arguments[0] not in ("bogus", "raed") else ""
        expect("usage " + " ".join(arguments), arguments, 2, pattern.rstrip("$;") + ".*; see 'utet help%s'$" % said)
    for arguments, pattern in [
            (["fit", "a", "--for", SCRATCH], "target: cannot read: Is a directory"), (["fit", "a", "--for", "/dev/null"], "target: empty target description; expected lines such as"),
            (["fit", "a", "--for", write("blank.txt", b"\n # remark\n")], "blank.txt: target: empty target description; expected lines such as")]:
        expect("target " + " ".join(arguments), arguments, 1, pattern)
    for arguments in (["--help"], ["read", "--help"], ["-h"], ["info", "-h"], ["info", "x", "--help"]):
        check("help", b"utet info data.tet" if arguments[0][0] == "-" else b"Usage: utet %s FILE" % arguments[0].encode()
              in expect("help", arguments, 0), arguments)
    out = expect("help of help", ["help", "help"], 0)
    check("help help", b"utet help [COMMAND" in out, out)
    for command in re.findall(r"^  (\w+) +[A-Z]", expect("help", ["--help"], 0).decode(), re.M):
        expect("%s names its help" % command, [command, "--no-such-option"], 2, "; see 'utet help %s'$" % command)
    given_twice()
    misleading_names()
    packages()
    help_is_complete()
    check("version", re.match(rb"utet \d+\.\d+\.\d+\n.*layout 1", expect("version", ["--version"], 0)), "text")


def given_twice():
    """Of an option with one value the last would win without a word; lists (-w) stay lists."""
    for command, option, first, second in [
            ("read", "--slab", "0", "1"), ("read", "--format", "raw", "csv"), ("read", "-o", "a", "b"), ("read", "--output", "a", "b"),
            ("read", "--budget", "1K", "file"), ("read", "--codec", "small", "upstream"), ("schema", "--kind", "schema", "metadata"),
            *(("fit", option, "16", "32") for option in ("--ram", "--stack", "--program", "--pointer", "--unit", "--align")),
            ("fit", "--mapped", "0", "1"), ("fit", "--for", "rp2040", "microbit"), ("fit", "--for", "rp2040", "list"),
            ("export", "--name", "a", "b"), ("export", "--section", "a", "b"), ("diff", "--tolerance", "1", "2"),
            ("diff", "--relative", "1", "2"), ("diff", "--first", "1", "2"), ("message", "--object", "1", "2"),
            ("query", "--npy", "a", "b"), ("query", "--preview", "1", "2"), ("query", "-j", "1", "2"), ("query", "--jobs", "1", "2")]:
        said = {"--output": "-o", "--jobs": "-j"}.get(option, option)
        expect("%s %s twice" % (command, option), [command, PLANET, option, first, option, second], 2,
               "utet: %s: %s given twice, as \"%s\" and as \"%s\"; use it once; see 'utet help %s'$" % (command, said, first, second, command))
    expect("-o and --output", ["read", PLANET, "-oa", "--output=b"], 2, '-o given twice, as "a" and as "b"')
    expect("the same value twice", ["read", PLANET, "temperature", "--format", "csv", "--slab", "0,0", "--slab=0,0", "--format=csv"], 0)
    expect("a switch twice", ["info", PLANET, "--json", "--json"], 0)


def misleading_names():
    """A name that promises another kind of file is refused, unless --format says that it is meant."""
    for name in ("x.npz", "X.NPZ", "x.tsv", "x.json", "x.tet", "x.tgm", "x.png", "x.jpg", "x.h5", "x.nc", "x.xlsx", "x.c"):
        for command, which in ("read", "temperature"), ("message", "0"):
            expect("%s into %s" % (command, name), [command, PLANET, which, "-o", scratch(name)], 2,
                   r"utet: %s: -o: the name \S*/%s does not fit npy, csv, text or raw values; choose one with --format; see" % (command, re.escape(name)))
        check("nothing in " + name, not os.path.exists(scratch(name)), "there")
        expect("raw into " + name, ["read", PLANET, "temperature", "--format", "raw", "-o", scratch(name)], 0)
        os.remove(scratch(name))
    for name in ("x.bin", "x.raw", "x.f32", "x.2024", "x", "folder.h5/x"):
        os.makedirs(scratch("folder.h5"), exist_ok=True)
        expect("read into " + name, ["read", PLANET, "temperature", "-o", scratch(name)], 0)
    query = write("mean.json", b'{"dataset": "temperature", "reduce": {"mean": {}}}')
    for name in ("x.csv", "x.json", "x.npz"):
        expect("--npy " + name, ["query", PLANET, query, "--npy", scratch(name)], 2, r"utet: query: --npy: the name \S*/%s does not end in \.npy; choose" % name)
    expect("--json of one dataset", ["info", PLANET, "temperature", "--json"], 2, "--json and -1 report on the whole file; omit DATASET")
    expect("-1 of one dataset", ["info", PLANET, "temperature", "-1"], 2, "--json and -1 report on the whole file; omit DATASET")
    check("info of no dataset prints none", expect("info of no dataset", ["info", PLANET, "nothing"], 1, 'no dataset named "nothing"') == b"", "")


def packages():
    """Folders NAME.tet.d of the reference: what CURRENT and PROTOCOL may say, as release 0.8.3 of its program takes or refuses it."""
    folder = scratch("a.tet.d")
    packed = os.path.join(folder, "generations", "00000001", "packed.tet")
    os.makedirs(os.path.dirname(packed))
    shutil.copy(PLANET, packed)

    def put(name, text):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(text)
    put("PROTOCOL", '{\n  "protocol_version": 2,\n  "created_unix": 1795645818\n}\n')
    expect("a package without a generation", ["info", folder], 1, "a.tet.d/CURRENT: package: file not found: the package has no generation")
    put("CURRENT", "1\n")
    for command in ["info", "-1"], ["info", "--json"], ["read", "temperature", "--format", "csv"], ["verify", "--json"], ["fit", "--ram", "64K"]:
        there, here = ([expect("a package", [command[0], path, *command[1:]], 0) for path in (folder, packed)])
        check("a package is read as its file: " + command[0], there == here, there[:300])
    check("verify says what it does not check", b"a.tet.d: the hashes in the package's MANIFEST.json are not checked" in expect("", ["verify", folder], 0), "")
    expect("pack", ["pack", folder + ":temperature", "-o", scratch("of_package.tet")], 0)
    check("diff", expect("diff", ["diff", folder, PLANET], 0) is not None, "")
    document = write("document.json", b'{"dataset": "temperature", "mean": []}')
    check("query", expect("query", ["query", folder, document], 0) == expect("query", ["query", PLANET, document], 0), "")
    for text, good in (("1", 1), ("01", 1), (" 1 ", 1), ("+1", 1), ("00000001", 1), ("x", 0), ("", 0), ("1\n1", 0), ("-1", 0), ("1_0", 0), ("1.0", 0),
                       ('{"generation":1}', 1), ('{"generation" : 1 , "x":{"generation":2}}', 1), ("{}", 0), ('{"generation":"1"}', 0),
                       ("18446744073709551616", 0)):
        put("CURRENT", text)
        expect("CURRENT " + text, ["info", folder], 1 - good, None if good else "a.tet.d/CURRENT: package: the file does not contain the number of a generation$")
    for text in "2", "0", '{"x":"\\"generation\\":1","generation":2}', "18446744073709551615":
        put("CURRENT", text)
        expect("CURRENT " + text, ["info", folder], 1, r"generations/\d+/packed.tet: package: file not found, but CURRENT names it$")
    put("CURRENT", "1\0")
    expect("a zero byte in CURRENT", ["info", folder], 1, r"a.tet.d/CURRENT: package: the file contains a zero byte \(offset 1\)$")
    expect("a query without an end", ["query", PLANET, "/dev/zero"], 1, "/dev/zero: query: .*exceeds maximum size")
    put("CURRENT", "1")
    for text, pattern in ('{"protocol_version":3,"created_unix":1}', "unsupported protocol_version 3; utet reads 2"), ("{}", "contains no"), ("x", "contains no"), \
            ("[]", "contains no"), ('{"a":{"protocol_version":2}}', "contains no"), ('{"protocol_version', "contains no"), (" " * 5000, "longer than"):
        put("PROTOCOL", text)
        expect("PROTOCOL " + text[:40], ["info", folder], 1, "a.tet.d/PROTOCOL: package: .*" + pattern)
    whole = '{"created_unix": 5, "protocol_version": 2}'
    for length in range(len(whole)):
        put("PROTOCOL", whole[:length])
        expect("a cut PROTOCOL", ["info", folder], 1, "PROTOCOL: package: the file contains no")
    put("PROTOCOL", '{"protocol_version":2}')
    expect("no other member", ["info", folder], 0)
    os.remove(os.path.join(folder, "PROTOCOL"))
    expect("no package", ["info", folder], 1, r"Is a directory, but not a \.tet\.d package")


def help_is_complete():
    """What help says of a command is what it takes, option by option."""
    for command in ("info", "read", "verify", "fit", "show", "diff", "export", "query", "stats", "schema", "messages", "message"):
        says, takes = set(re.findall(r"^  (-[-\w]+)", expect("help", ["help", command], 0).decode(), re.M)), set()
        for option, *value in (["--json"], ["--all"], ["--deep"], ["--strict"], ["--slab", "1"], ["--format", "raw"],
                               ["-o", "1"], ["--budget", "1"], ["--codec", "small"], ["--ram", "1"], ["-1"], ["--stats"],
                               ["--for", "rp2040"], ["--stack", "1"], ["--program", "1"], ["--pointer", "32"],
                               ["--unit", "1"], ["--align", "1"], ["--mapped", "1"], ["--tolerance", "1"],
                               ["--relative", "1"], ["--first", "1"], ["--object", "1"], ["--c"],
                               ["--image"], ["--bare"], ["--name", "1"], ["--section", "1"], ["--plan"], ["--trust-zones"], ["--npy", "1"], ["--preview", "1"],
                               ["--kind", "schema"], *(["--" + name, "1"] for name in ("count", "sum", "mean", "min", "max", "std", "var", "median", "group", "window", "rolling")), ["--csv"], ["-w", "1"], ["-p", "a"], ["--jsonl"], ["--common"], ["--damaged"], ["-j", "0"], ["--with", "meta"], ["--at", "1"], ["--metadata"], ["--descriptor"]):
            option = "--where" if command == "query" and option == "-w" else option
            status, _, err = utet(command, option, *value)
            takes |= {option} if "unknown option" not in err else set()
            check("%s %s" % (command, option), status == 2 and re.search("wrong number of arguments|missing argument|invalid (value|number|condition)|unknown option %s[,;]" % option, err), err)
        check("help of " + command, says == takes, "%s, takes %s" % (sorted(says), sorted(takes)))


# ---- what cannot be opened ----

def standard_input():
    """Of the commands that read, query alone takes a stream, for its document."""
    for arguments in (["info", "-"], ["read", "-"], ["verify", "-"], ["diff", "-", PLANET], ["pack", "-", "-o", scratch("x.tet")]):
        expect(" ".join(arguments[:2]), arguments, 1, "utet: -: cannot open: No such file or directory .standard input cannot be read at any offset")
    expect("another name", ["info", "--", "--"], 1, "utet: --: cannot open: No such file or directory$")


def unreadable():
    fifo = scratch("fifo")
    os.mkfifo(fifo)
    big = header_length([(b"a", 5, [4], [4])], 1)
    cut = tet_header([(b"a", 5, [4], [4])], [(0, [0], big, 4, 4, 0)])
    beyond = (r"chunk row: chunk 0: its payload ends beyond the end of the file, which is 4 bytes short or more \(offset %d\)$" %
              (big - 32))
    for path, pattern in [
            ("/nonexistent/x.tet", "No such file"), (SCRATCH, r"Is a directory, but not a \.tet\.d package \(.utet schema DIR. reads a TileDB array\)$"), (fifo, "Not a file or block device"),
            ("/dev/null", "Not a file or block device"),
            (write("empty", b""), r"superblock: the file is empty \(offset 0\)$"),
            (write("short", b"TETR"), r"superblock: too short for a \.tet file \(offset 0\)$"),
            (write("half", cut[:-1]), r"superblock: the chunk index ends beyond the end of the file \(offset \d+\)$"),
            (write("text", b"name,value\n" * 10), r"superblock: not a \.tet file \(offset 0\)$"),
            (write("cut", cut), beyond), (write("line\nbreak", b"x"), r"line\\x0abreak")]:
        expect("open " + path, ["info", path], 1, pattern, timeout=10)
        if pattern == beyond:
            expect("read " + path, ["read", path, "a"], 1, pattern, timeout=10)
            expect("verify " + path, ["verify", path], 1, pattern.replace("chunk row", "parse"), timeout=10)
    expect("messages of a .tet file", ["messages", PLANET], 1, r"message: no Tensogram message begins here, but a \.tet file \('utet info' shows it\) \(offset 0\)$")
    expect("schema of a .tet file", ["schema", PLANET], 1, r"header: not a file of a TileDB array, but a \.tet file \('utet info' shows it\)$")
    npy = expect("npy", ["read", PLANET, "elevation", "--format", "npy"], 0)
    expect("schema of a .npy file", ["schema", write("x.npy", npy)], 1, r"header: not a file of a TileDB array, but a \.npy file \(.utet pack. reads it\)$")
    expect("messages of a .npy file", ["messages", scratch("x.npy")], 1, r"begins here, but a \.npy file \(.utet pack. reads it\) \(offset 0\)$")
    expect("info of a .npy file", ["info", scratch("x.npy")], 1, r"superblock: not a \.tet file, but a \.npy file \(.utet pack. reads it\) \(offset 0\)$")
    with open(PLANET, "rb") as whole:
        half = write("half", whole.read(5000))
    text = expect("half a file", ["verify", half], 1,
                  r"parse: damaged footer, or the end of the file is missing \(offset 4984\)$")
    check("what to do about half a file", b"If the file is truncated, get it again." in text, text)


def selections():
    for text, pattern in [
            ("0", "too few entries; the dataset has 2 axes, the slab 1"), ("0,0,0", "too many entries; the dataset has 2 axes"), (":,:,", "empty entry after the last comma"), ("1,0:3,", "empty entry after the last comma"),
            ("", "axis 0: empty entry; use"), (",:", "axis 0: empty entry; use"), (":,", "empty entry after the last comma"),
            ("a,:", "axis 0: expected start:stop:step"), ("-65,:", "axis 0: index -65 is out of range; the axis has 64 elements"), ("0,-129:-1", "axis 1: start -129 is out of range"), ("0,0..128", "axis 1: stop 128 is out of range"),
            ("0,::-1", r'axis 1: negative steps are not supported, at "-1"$'), ("0,--1:", 'axis 1: expected start|axis 1: negative steps'), ("0,5..4", "axis 1: the selection is empty"), ("0,0...3", "axis 1: expected start:stop:step"),
            ("0:1:1:1,:", "axis 0: expected start:stop:step"), ("::0,:", "axis 0: the step is 0"), ("5:3,:", "axis 0: the selection is empty; stop"),
            ("5:5,:", "axis 0: the selection is empty; stop"), ("0:65,:", "axis 0: stop 65 is out of range; the axis has 64 elements"), ("64,:", "axis 0: index 64"),
            (":,128:", "axis 1: start 128 is out of range; the axis has 128 elements"), ("99999999999999999999,:", "axis 0: number too large"),
            ("18446744073709551615,:", "axis 0: index 18446744073709551615")]:
        expect("slab " + text, ["read", PLANET, "temperature", "--slab=" + text], 1, "slab: .*" + pattern)
    for text, pattern in (("5,199", "axis 1: index 199 is out of range; the axis has 128 elements$"),
                          ("lat=78", r"axis 0: index 78 is out of range; the axis has 64 elements \(digits alone are an index; .* in quotes\)$"),
                          ("lon=0:400", r"axis 1: stop 400 is out of range; the axis has 128 elements \(digits alone .*\)$")):
        expect("slab " + text, ["read", PLANET, "temperature", "--slab=" + text], 1, "slab: " + pattern)
    expect("no dataset", ["read", PLANET, "nothing"], 1, 'dataset: no dataset named "nothing"')
    named = scratch("named.tet")  # record 0 is called "#1"
    rows = [(0, [0], 0, 1, 1, 0), (1, [0], 1, 1, 1, 0)]
    datasets = [(b"#1", 5, [1], [1]), (b"b", 5, [1], [1])]
    start = header_length(datasets, 2)
    with open(named, "wb") as file:
        file.write(tet_header(datasets, [(d, c, start + at, raw, stored, 0) for d, c, at, raw, stored, _ in rows]) + b"xy")
    check("a name wins over a number", (read(named, "#1"), read(named, "#0"), read(named, "b")) == (b"x", b"x", b"y"), "")
    expect("no record", ["read", PLANET, "#3"], 1, "dataset: no record #3; the file has 3")
    expect("far record", ["read", PLANET, "#99999999999999999999"], 1, "dataset: ")
    whole = read(PLANET, "elevation")
    rows = [whole[i * 256:i * 256 + 256] for i in range(64)]
    for text, wanted in [(":,:", whole), ("#", whole), ("3,:", rows[3]), ("3:4,::1", rows[3]),
                         ("60:,:", b"".join(rows[60:])),
                         (":2,:", rows[0] + rows[1]), ("::21,:", rows[0] + rows[21] + rows[42] + rows[63]),
                         ("-4:,:", b"".join(rows[60:])), ("-1,-1", rows[63][254:]), ("-64:-62,:", rows[0] + rows[1]), ("1..2,:", rows[1] + rows[2]),
                         ("-3..-1,:", b"".join(rows[61:])), ("0..-1:21,:", rows[0] + rows[21] + rows[42] + rows[63]), ("lat=78.0..73.0", rows[0] + rows[1] + rows[2]),
                         ("lon=-2:,lat=78.0", rows[0][252:]),
                         ("::999,5", rows[0][10:12]), ("63,127", rows[63][254:])]:
        if text == "#":
            check("record number", read(PLANET, "#1") == wanted, "differs")
        else:
            check("slab " + text, read(PLANET, "elevation", "--slab", text) == wanted, "differs")


def labelled():
    """Labels made of what --slab is written with: in quotes each of them is found; digits without are an index."""
    labels = ["a:b", "c,d", "e=f", "\u65e5\u672c", "n\nl", "-1", "0", "00", "t", ":", ",", "=", "5", " ", "1:2:3"]
    count = len(labels)
    shape = [(b"d", 5, [count], [count])]
    place = header_length(shape, 1)
    about = {"dim_names": ["t"], "coords": {"t": {"labels": labels}}}
    path = write("labelled.tet", tet_header(shape, [(0, [0], place, count, count, 0)], 1) + bytes(range(count)) +
                 with_tail(json.dumps({"metadata": {"datasets": {"d": about}}}).encode()))
    for index, label in enumerate(labels):
        check("label %r" % label, read(path, "d", "--slab", 't="%s"' % label) == bytes([index]), "another place")
    check("a negative number that is a label", read(path, "d", "--slab", "t=-1") == bytes([labels.index("-1")]), "another place")
    check("a negative index of labels that are words", read(path, "d", "--slab", "t=-2:") == bytes([count - 2, count - 1]), "another place")
    check("two dots and a label in quotes", read(path, "d", "--slab", 't="a:b".."e=f"') == bytes(range(3)), "another place")
    check("digits are an index", read(path, "d", "--slab", "t=5") == b"\5", "another place")
    check("a range of labels", read(path, "d", "--slab", 't="a:b":"5":3') == bytes(range(0, 12, 3)), "differs")
    for text, pattern in (('t="a:b', "unterminated quote"), ('t="a:b"x', "expected start:stop:step"), ("t=a:b", 'no label "a"; .utet info FILE. shows'),
                          ('t=0:9:"5"', "invalid step"), ("t=", "empty entry; use"), ("t=1,t=2", "twice"), ("t=1,", "empty entry after the last comma"), ("u=1", '"u"')):
        expect("slab " + text, ["read", path, "d", "--slab", text], 1, "slab: .*" + pattern)


def with_footer(name, document, magic=b"THST", gap=b""):
    """Two chunks of one byte, a gap, a footer of these bytes."""
    shape = [(b"d", 5, [2], [1])]
    place = header_length(shape, 2)
    data = tet_header(shape, [(0, [0], place, 1, 1, 0), (0, [1], place + 1, 1, 1, 0)], 1) + b"\1\2" + gap
    return write(name, data + with_tail(document, magic)), place


def strict():
    """A damaged footer costs the metadata; with --strict the file, before anything is delivered, and the line names the
    place: of the tail, of the byte in the JSON, of the payload_offset (72 bytes into the row) that is too far."""
    whole, place = with_footer("strict-whole.tet", b"{}")
    rows = place - 2 * 104
    for name, document, magic, pattern in [
            ("tail", b"{}", b"THSX", r"footer: .*\(offset %d\)$" % (place + 2 + 2)),
            ("json", b"{\"history\":7}", b"THST", r"metadata: .*\(offset %d\)$" % (place + 2 + 11)),
            ("spill", b"{\"zone_maps_ref\":{\"offset\":0,\"len\":1}}", b"THST",
             r"chunk row: chunk 1: its payload ends beyond %d, where .*\(offset %d\)$" % (place + 1, rows + 104 + 72))]:
        path, _ = with_footer("strict-%s.tet" % name, document, magic)
        check("lenient " + name, read(path, "d") == b"\1\2", "other bytes")
        expect("lenient info " + name, ["info", path], 1, pattern)
        target = write("strict-out", b"older")
        for arguments in (["read", path, "d"], ["read", path, "d", "-o", target], ["show", path, "d", "-o", target],
                          ["info", path], ["info", "--json", path]):
            out = expect("strict %s %s" % (arguments[0], name), arguments + ["--strict"], 1, pattern)
            check("strict %s says nothing" % name, out == b"" and only_file("strict-out", b"older"), out[:80])
    check("strict, sound", read(whole, "d", "--strict") == b"\1\2", "other bytes")
    damaged = bytearray(open(whole, "rb").read())
    damaged[rows + 104 + 96] = 7
    codec = r"chunk row: chunk 1: codec or lengths are wrong \(offset %d\)$" % (rows + 104 + 96)
    path = write("strict-row.tet", damaged)
    expect("strict, a row", ["read", path, "d", "--slab", "0", "--strict"], 1, codec)
    damaged[-1] ^= 1
    both = write("strict-both.tet", damaged)
    for form in ([], ["--json"]):  # a bad row costs info the file; strictly, the footer's tail comes first
        for name, arguments, pattern in (
                ("a row", [path], codec), ("a row, strict", [path, "--strict"], codec),
                ("a row and the tail", [both], codec),
                ("a row and the tail, strict", [both, "--strict"], r"footer: .*\(offset %d\)$" % (place + 4))):
            check("nothing printed", expect("info, %s" % name, ["info"] + form + arguments, 1, pattern) == b"", name)


def useless_references():
    """Zone maps and indexes outside the file cost nothing (FORMAT.md D9), --strict takes them, and verify warns."""
    far = b'{"zone_maps_ref":{"offset":99999,"len":1},"secondary_index_ref":{"offset":18446744073709551615,"len":1}}'
    path, _ = with_footer("far.tet", far, gap=b"  ")
    check("far", read(path, "d", "--strict") == b"\1\2", "other bytes")
    findings = json.loads(expect("far", ["verify", "--json", path], 0))["findings"]
    got = {f["check"]: f["severity"] for f in findings}
    check("far warned of", (got.get("footer_zone_maps"), got.get("footer_indexes")) == ("warning", "warning"), got)


def budgets():
    """fit says what reading takes; exactly that many bytes do, one less does not."""
    files = [PLANET, os.path.join(ROOT, "golden", "tet", "B01_f32_raw.tet")]
    for path, codec in [(path, codec) for path in files for codec in ("upstream", "small")]:
        out = expect("fit", ["fit", path, "--for", "linux64", "--codec", codec], 0).decode()
        for line in out.split("\n\n")[0].splitlines()[1:]:
            words = line.split()
            name, need = words[0], int(words[2].replace(",", ""))
            best = int(words[3].replace(",", ""))
            check("fit verdict", line.endswith("whole tiles") and need <= best, line)
            whole = sha(read(path, name))
            check("budget exact", sha(read(path, name, "--codec", codec, "--budget", str(need))) == whole, name)
            check("budget ample", sha(read(path, name, "--codec", codec, "--budget", str(best + 9))) == whole, name)
            less = ["read", path, name, "--codec", codec, "--budget", str(need - 1)]
            expect("budget - 1", less, 1, r"budget: %d bytes" % need)
            expect("file refused before output", less + ["-o", scratch("b")], 1, "budget: ")
            check("nothing written", only_file("b", None), "left something")
    out = expect("fit", ["fit", PLANET, "--ram", "8K", "--codec", "upstream"], 1)
    check("fit small", b"bytes missing" in out and b"1 of 3 datasets can be read" in out, out)
    out = expect("fit", ["fit", PLANET, "elevation", "--ram", "4K", "--codec", "small"], 0)
    check("fit raw", b"1 of 1 datasets can be read" in out, out)
    check("fit says whose RAM it counts", b"64 KB" not in out and b"The RAM that --ram gives" in out, out)
    out = expect("fit, a board as it is", ["fit", PLANET, "--for", "lm3s6965evb"], 0)
    check("fit says whose RAM it counts", b"RAM of lm3s6965evb: Cortex-M3, 64 KB" in out, out)
    either = [expect("fit, options in any order", ["fit", PLANET, *words], 1) for words in
              (["--ram", "4K", "--stack", "1K", "--for", "microbit"], ["--for", "microbit", "--stack", "1K", "--ram", "4K"])]
    check("--for counts before the options that change it, wherever they stand", either[0] == either[1] and b"4,096" in either[0], either)
    check("pack names the boards, too", expect("boards", ["pack", "--for", "list"], 0) == expect("boards", ["fit", "--for", "list"], 0), "")
    tiny = expect("fit, nothing fits", ["fit", PLANET, "--ram", "1K"], 1)
    check("fit advises nothing that cannot help", b"utet pack" not in tiny and b"lm3s6965evb" not in tiny.split(b"No tiles fit")[1] and
          b"needs 3,488 bytes in all" in tiny, tiny)
    both = expect("fit, both", ["fit", PLANET, "--ram", "16K", "--codec", "all"], 0)
    check("fit, both", both.count(b"libzstd") == 3 and b"3 of 3 datasets" in both, both)
    check("own budget", sha(read(PLANET, "temperature", "--budget", "file")) == sha(read(PLANET, "temperature")), "")
    small = os.path.join(ROOT, "golden", "demo", "demo_small.tet")
    expect("own budget too small", ["read", small, "temperature", "--codec", "upstream", "--budget", "file"], 1,
           r"budget: \d+ bytes of workspace are needed by libzstd, but there are 8192")
    told = {codec: re.findall(r"(\d+) bytes of workspace are needed by (the built-in decoder|libzstd).*; .* needs (\d+)",
                              utet("read", PLANET, "temperature", "--codec", codec, "--budget", "300")[2]) for codec in ("small", "upstream")}
    check("what the other codec needs", told["small"][0][0] == told["upstream"][0][2] and
          told["small"][0][2] == told["upstream"][0][0], told)
    expect("no codec in it", ["read", PLANET, "elevation", "--budget", "100"], 1, "are needed, but the budget is 100$")
    check("its budget is no wall otherwise", len(read(small, "temperature", "--codec", "upstream")) == 8192, "")


# ---- formats ----

def number_text(dtype, value):
    """Python's repr is the shortest text of a double; NumPy's of the narrower floats."""
    if isinstance(value, int):
        return str(value)
    text = repr(value)
    if dtype in ("f32", "f16") and value == value and abs(value) != float("inf"):
        import numpy
        narrow = numpy.float32(value) if dtype == "f32" else numpy.float16(value)
        plain = value == 0 or 1e-4 <= abs(value) < 1e16
        text = (numpy.format_float_positional(narrow, unique=True, trim="-") if plain else
                numpy.format_float_scientific(narrow, unique=True, trim="-", exp_digits=2))
    return text[:-2] if text.endswith(".0") else text


def formats():
    try:
        import numpy
    except ImportError:
        skip("formats of floats", "no numpy")
        return
    seen = set()
    for g in golden():
        if not g.good or g.shared or g.word("open") != "OK":
            continue
        for words in g["data"]:
            number, dtype = words[0], DTYPES[int(words[2])]
            shape = [int(n) for n in words[3].split("x")]
            if not [d for d in g["dense"] if d[0] == number] or not g.name.startswith(FORMAT_FILES):
                continue
            seen.add(dtype)
            dense = read(g.path, "#" + number)
            size = struct.calcsize(FORMATS[int(words[2])])
            array = numpy.frombuffer(dense, "<%s%d" % (dtype[0], size)).reshape(shape)
            target = scratch("out.npy")
            read(g.path, "#" + number, "-o", target)
            loaded = numpy.load(target, allow_pickle=False)
            check(g.name + " npy", loaded.shape == array.shape and loaded.dtype == array.dtype and
                  loaded.tobytes() == dense and os.path.getsize(target) % 64 == len(dense) % 64, loaded.shape)
            lines = array.reshape(-1, shape[-1] if len(shape) > 1 else 1).tolist()
            wanted = "".join(",".join(number_text(dtype, v) for v in line) + "\n" for line in lines)
            got = read(g.path, "#" + number, "--format", "csv").decode()
            check(g.name + " csv", got == wanted, "%r, expected %r" % (got[:200], wanted[:200]))
    check("formats of all dtypes", seen == set(DTYPES[1:]), seen)
    text = read(CINE, "ripple", "--slab", "2:4,0:2,0:3", "--format", "text").decode()
    values = read(CINE, "ripple", "--slab", "2:4,0:2,0:3")
    wanted = "# [0, :, :]\n%d %d %d\n%d %d %d\n\n# [1, :, :]\n%d %d %d\n%d %d %d\n" % tuple(values)
    check("text", text == wanted, text)
    for name, form in (("a.csv", "csv"), ("a.txt", "text"), ("a.bin", "raw"), ("a.npy", "npy")):
        read(PLANET, "elevation", "--slab", ":2,:2", "-o", scratch(name))
        with open(scratch(name), "rb") as file:
            check("format by name " + name,
                  file.read() == read(PLANET, "elevation", "--slab", ":2,:2", "--format", form), "differs")
    header = expect("empty npy", ["read", os.path.join(ROOT, "golden", "tet", "P23_zero_extent.tet"), "#0",
                                  "--format", "npy"], 0)
    check("empty npy", b"'shape': (0" in header or b", 0" in header, header)


FORMAT_FILES = ("B", "C", "E", "G", "P23", "demo_planet")


# ---- where output goes ----

def outputs():
    whole = read(PLANET, "temperature")
    target = scratch("copied")
    expect("into a file", ["read", PLANET, "temperature", "-o", target], 0)
    check("into a file", only_file("copied", whole), "content")
    mask = os.umask(0o027)
    expect("umask", ["read", PLANET, "temperature", "-o", scratch("masked")], 0)
    os.umask(mask)
    mode = os.stat(scratch("masked")).st_mode & 0o777
    check("umask is respected", mode == 0o640, oct(mode))
    os.chmod(target, 0o600)
    expect("over an older one", ["read", PLANET, "temperature", "-o", target], 0)
    check("permissions stay", os.stat(target).st_mode & 0o777 == 0o600 and only_file("copied", whole), "")
    os.symlink(target, scratch("link"))
    expect("through a link", ["read", PLANET, "elevation", "-o", scratch("link")], 0)
    check("a link stays one", os.path.islink(scratch("link")) and only_file("copied", read(PLANET, "elevation")), "")
    check("-o -", expect("-o -", ["read", PLANET, "temperature", "-o", "-"], 0) == whole, "content")
    expect("to a device", ["read", PLANET, "temperature", "-o", "/dev/null"], 0)
    expect("device stays", ["info", "/dev/null"], 1, "Not a file")
    expect("folder not there", ["read", PLANET, "temperature", "-o", "/nowhere/x"], 1, "/nowhere/x: cannot open")
    copy = write("itself", open(PLANET, "rb").read())
    expect("over itself", ["read", copy, "temperature", "-o", copy], 1, "output and input are the same file")
    check("untouched", only_file("itself", open(PLANET, "rb").read()), "content")
    for command in (["read", PLANET, "temperature"], ["read", PLANET, "temperature", "--format", "csv"],
                    ["info", PLANET], ["info", PLANET, "--json"], ["verify", PLANET], ["verify", PLANET, "--json"],
                    ["show", PLANET, "elevation"],
                    ["fit", PLANET, "--ram", "1M"], ["--help"], ["--version"],
                    ["diff", PLANET, CINE], ["fit", PLANET, "--ram", "3000"], ["verify", write("bad.tet", b"TETR")]):  # exit status 1 anyway
        name = " ".join(command[:1] + command[2:])
        with open("/dev/full", "wb") as full:
            expect("full disk: " + name, command, 1, "standard output: cannot write: No space left", stdout=full)
        expect("closed: " + name, command, 1, "standard output: cannot write: Bad file", stdout=None,
               preexec_fn=lambda: os.close(1))
        ends = os.pipe()
        os.close(ends[0])
        with os.fdopen(ends[1], "wb") as pipe:
            expect("pipe nobody reads: " + name, command, 1, None, stdout=pipe)
    expect("full, -o", ["read", PLANET, "temperature", "-o", "/dev/full"], 1, "/dev/full: cannot write: No space left")
    expect("full, png", ["show", PLANET, "temperature", "-o", "/dev/full"], 1, "/dev/full: cannot write: No space left")


def odd_places():
    """Links, folders, names and permissions: the error says which, and nothing is left or replaced."""
    for name, to in (("loop", "loop"), ("dangling", "nowhere"), ("good", PLANET)):
        os.symlink(to, scratch(name))
    os.mkdir(scratch("folder"))
    expect("a link in a circle", ["info", scratch("loop")], 1, "loop: cannot open: Too many levels of symbolic links")
    expect("a link to nothing", ["info", scratch("dangling")], 1, "dangling: cannot open: No such file")
    check("a link to a file", expect("a link", ["info", scratch("good")], 0).startswith(scratch("good").encode()), "")
    server = socket.socket(socket.AF_UNIX)
    server.bind(scratch("socket"))
    expect("a socket", ["info", scratch("socket")], 1, "socket: cannot open: ")
    server.close()
    with open(PLANET, "rb") as file:
        check("redirected", b"temperature" in subprocess.run([TOOL, "info", "/dev/stdin"], stdin=file, check=True,
                                                             capture_output=True).stdout, "")
    expect("no name", ["info", ""], 1, "cannot open: No such file")
    expect("a name too long", ["info", "n" * 5000], 1, "cannot open: File name too long")
    for out, pattern in ((scratch("loop"), "cannot open: Too many levels"),
                         (scratch("dangling"), "cannot write: broken symbolic link"),
                         (scratch("folder"), "cannot open: Is a directory"), ("", "cannot open: No such file"),
                         (scratch("folder") + "/", "cannot open: Is a directory"), ("/proc/x", "x: cannot open: "),
                         (scratch("no") + "/", "cannot open: "), (PLANET + "/x", "cannot open: Not a directory")):
        for command in ("read", "show"):
            expect("%s -o %s" % (command, out), [command, PLANET, "temperature", "-o", out], 1, pattern)
    check("links stay links",
          os.readlink(scratch("loop")) == "loop" and os.readlink(scratch("dangling")) == "nowhere" and
          not os.path.exists(scratch("nowhere")) and os.listdir(scratch("folder")) == [], os.listdir(SCRATCH))


def no_permission():
    """As somebody who may not: a file that cannot be read, a folder that cannot be written."""
    folder = scratch("readonly")
    os.mkdir(folder)
    shutil.copy(TOOL, folder)
    shutil.copy(PLANET, os.path.join(folder, "planet.tet"))
    shutil.copy(PLANET, os.path.join(folder, "secret.tet"))
    os.chmod(os.path.join(folder, "secret.tet"), 0)
    os.mkdir(os.path.join(folder, "open"))
    os.chmod(os.path.join(folder, "open"), 0o777)
    write(os.path.join("readonly", "open", "mine"), b"mine")
    os.chmod(os.path.join(folder, "open", "mine"), 0o444)
    os.chmod(folder, 0o555)
    os.chmod(SCRATCH, 0o755)
    for name, arguments, pattern in (
            ("info", ["secret.tet"], "secret.tet: cannot open: Permission denied"),
            ("read", ["planet.tet", "temperature", "-o", "out"], "out: cannot open: Permission denied"),
            ("show", ["planet.tet", "temperature", "-o", "out.png"], "out.png: cannot open: Permission denied"),
            ("read", ["planet.tet", "temperature", "-o", "open/mine"], "open/mine: cannot open: Permission denied")):
        done = subprocess.run(["./" + os.path.basename(TOOL), name] + arguments, cwd=folder, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, preexec_fn=lambda: os.getuid() or os.setuid(65534))
        check("not allowed: " + name, done.returncode == 1 and done.stderr.count("\n") == 1 and pattern in done.stderr,
              "exit %d, %s" % (done.returncode, done.stderr))
    check("nothing new", len(os.listdir(folder)) == 4 and os.listdir(os.path.join(folder, "open")) == ["mine"],
          os.listdir(folder))


def huge_claims():
    """Small files that claim to be large: an answer or an error at once, never memory or time for what is not there."""
    one = header_length([(b"g", 5, [1, 1], [1, 1])], 1)
    for name, dataset, rows, payload, pattern in (
            ("2^64 elements", (b"g", 5, [1 << 32, 1 << 32], [4, 4]), [(0, [0, 0], one, 16, 16, 0)], bytes(16),
             r"slab: the selection has 2\^64 - 1 elements or more; select fewer with --slab"),
            ("2^60 tiles", (b"g", 5, [1 << 31, 1 << 31], [2, 2]), [(0, [0, 0], one, 4, 4, 0)], bytes(4),
             "chunk row: no row in the index"),
            ("a chunk of 2^40 bytes", (b"g", 5, [1 << 40, 1], [1 << 40, 1]), [(0, [0, 0], one, 1 << 40, 20, 1)],
             bytes.fromhex("28b52ffd0058") + b"\1" + bytes(13), r"payload: .*\(offset \d+\)$"),
            ("chunk_shape 0", (b"g", 5, [4, 4], [0, 4]), [], b"", "dataset: ")):
        path = write("claims.tet", tet_header([dataset], rows) + payload)
        expect(name + ": info", ["info", path], 0, timeout=20, preexec_fn=little_memory)
        expect(name + ": verify", ["verify", "--deep", path], 1, "(dataset_tensor_bytes|chunk_decode): ", timeout=20)
        for command in ("read", "show"):
            expect(name + ": " + command, [command, path, "g"], 1, pattern, timeout=20)
        expect(name + ": fit", ["fit", path, "--ram", "64K"], 1 if "bytes" in name else 0, timeout=20)


def a_file_that_shrinks():
    """Cut while it is read: an error of the medium, and no result."""
    path = scratch("shrinks.tet")
    with open(huge_file(), "rb") as whole, open(path, "wb") as copy:
        copy.write(whole.read(header_length([(b"big", 5, [1, 1], [1, 1])], HUGE_ROWS)))
        copy.truncate(os.path.getsize(huge_file()))
    child = subprocess.Popen([TOOL, "read", path, "big"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    child.stdout.read(1 << 20)  # it has begun, and cannot get far: the pipe is full
    os.truncate(path, 1 << 20)
    _, err = child.communicate()
    check("a file that shrinks", child.returncode == 1 and err.count(b"\n") == 1 and
          re.search(rb"shrinks.tet: medium: .*\(offset \d+\)\n", err), "exit %d, %s" % (child.returncode, err))


def failures_leave_nothing():
    """A damaged chunk, a limit on file size, a signal: no file, and an older one stays."""
    broken = os.path.join(ROOT, "golden", "tet", "V05_checksum_bad.tet")
    for old in (None, b"older result"):
        if old is not None:
            write("result", old)
        expect("damaged", ["read", broken, "#0", "-o", scratch("result")], 1, r"payload: .*\(offset \d+\)$")
        check("damaged chunk leaves nothing", only_file("result", old), os.listdir(SCRATCH))

        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (10000, 10000))
        expect("file size limit", ["read", CINE, "ripple", "-o", scratch("result")], 1, "cannot write: File too large",
               preexec_fn=limit)
        check("a full disk leaves nothing", only_file("result", old), os.listdir(SCRATCH))
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            # Run in the background or under nohup, this script inherited some of them ignored.
            child = subprocess.Popen([TOOL, "read", huge_file(), "big", "--format", "csv", "-o", scratch("result")],
                                     preexec_fn=lambda n=number: signal.signal(n, signal.SIG_DFL))
            deadline = time.time() + 100
            while time.time() < deadline and not [n for n in os.listdir(SCRATCH) if n.startswith("result.")]:
                time.sleep(0.01)
            check("temporary file seen", [n for n in os.listdir(SCRATCH) if n.startswith("result.")], "none")
            child.send_signal(number)
            check("signal %d" % number, child.wait(100) == -number, child.returncode)
            check("a signal leaves nothing", only_file("result", old), os.listdir(SCRATCH))


# ---- large files, little memory ----

HUGE_ROWS, HUGE_ROW = 2560, 4 << 20  # 10 GiB of u8 in chunks of 4 MiB, most of them holes


def huge_file():
    path = scratch("huge.tet")
    if os.path.exists(path):
        return path
    shape, chunk = [HUGE_ROWS, HUGE_ROW], [1, HUGE_ROW]
    start = header_length([(b"big", 5, shape, chunk)], HUGE_ROWS)
    rows = [(0, [i, 0], start + i * HUGE_ROW, HUGE_ROW, HUGE_ROW, 0) for i in range(HUGE_ROWS)]
    with open(path, "wb") as file:
        file.write(tet_header([(b"big", 5, shape, chunk)], rows))
        for i in (0, 1024, HUGE_ROWS - 1):
            file.seek(start + i * HUGE_ROW + 17)
            file.write(bytes([i % 251 + 1]))
        file.truncate(start + HUGE_ROWS * HUGE_ROW)
    return path


def little_memory():
    """Address space for the program, the C library and a few MiB of data; not with sanitizers, which need terabytes."""
    if os.environ.get("NO_LIMITS") != "1":
        resource.setrlimit(resource.RLIMIT_AS, (16 << 20, 16 << 20))


def large():
    path = huge_file()
    got = read(path, "big", "--slab", ":,17")
    wanted = bytearray(HUGE_ROWS)
    for i in (0, 1024, HUGE_ROWS - 1):
        wanted[i] = i % 251 + 1
    check("a column of 10 GiB", got == bytes(wanted), "differs")
    rows = HUGE_ROWS if os.environ.get("SUITE_FULL") == "1" else 300
    begin = HUGE_ROWS - rows
    child = subprocess.Popen([TOOL, "read", path, "big", "--slab", "%d:,:" % begin], stdout=subprocess.PIPE,
                             preexec_fn=little_memory)
    total, sums = 0, {}
    while True:
        block = child.stdout.read(1 << 20)
        if not block:
            break
        if block.count(0) != len(block):
            at = len(block) - len(block.lstrip(b"\0"))
            sums[total + at] = block[at]
        total += len(block)
    wanted = {(i - begin) * HUGE_ROW + 17: i % 251 + 1 for i in (0, 1024, HUGE_ROWS - 1) if i >= begin}
    check("%d MiB in 16 MiB of address space" % (rows * 4),
          child.wait() == 0 and total == rows * HUGE_ROW and sums == wanted,
          "exit %d, %d, %s" % (child.returncode, total, sums))
    status, out, _ = utet("info", path, preexec_fn=little_memory)
    check("info of a large file", status == 0 and
          "{:,} bytes".format(os.path.getsize(path)).encode() in out, out[:80])
    hollow = scratch("far.tet")
    far = 5 << 40
    with open(hollow, "wb") as file:
        file.write(tet_header([(b"x", 8, [2], [2])], [(0, [0], far, 8, 8, 0)]))
        file.seek(far)
        file.write(struct.pack("<II", 7, 4000000000))
    check("an offset of 5 TiB", read(hollow, "x", "--format", "csv") == b"7\n4000000000\n", "differs")


def many_datasets():
    count = 3000
    datasets = [(b"set%d" % i, 5, [1], [1]) for i in range(count)]
    start = header_length(datasets, count)
    path = write("many.tet", tet_header(datasets, [(i, [0], start + i, 1, 1, 0) for i in range(count)]) +
                 bytes(i % 256 for i in range(count)))
    check("3000 datasets", read(path, "set2999") == bytes([2999 % 256]), "differs")
    check("info of 3000 datasets", b"set2999" in expect("info", ["info", path], 0), "missing")
    nul = write("names.tet", tet_header([(b"a\0b\x1b[2J", 5, [1], [1])], [(0, [0], 200, 1, 1, 0)]) + bytes(300))
    out = expect("control characters", ["info", nul], 0)
    check("names cannot drive the terminal", b"a\\x00b\\x1b[2J" in out and b"\x1b" not in out, out)


# ---- pictures ----

def png_pixels(data):
    """Rows of (r, g, b) of an 8-bit RGB PNG."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, packed = 8, b""
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + size]
        assert struct.unpack(">I", data[at + 8 + size:at + 12 + size])[0] == zlib.crc32(kind + body)
        if kind == b"IHDR":
            width, height, depth, colour = struct.unpack(">IIBB", body[:10])
            assert (depth, colour) == (8, 2)
        packed += body if kind == b"IDAT" else b""
        at += 12 + size
    lines, before = zlib.decompress(packed), bytes(width * 3)
    rows = []
    for y in range(height):
        kind, line = lines[y * (width * 3 + 1)], bytearray(lines[y * (width * 3 + 1) + 1:(y + 1) * (width * 3 + 1)])
        if kind == 2:
            line = bytearray((a + b) & 255 for a, b in zip(line, before))
        for x in range(width * 3 if kind in (1, 3, 4) else 0):
            left, up, corner = (line[x - 3] if x > 2 else 0), before[x], (before[x - 3] if x > 2 else 0)
            if kind == 4:
                guess = left + up - corner
                left = min((left, up, corner), key=lambda v: abs(guess - v))
            line[x] = line[x] + ((left + up) // 2 if kind == 3 else left) & 255
        rows.append([tuple(line[x * 3:x * 3 + 3]) for x in range(width)])
        before = bytes(line)
    return rows


def light(rgb):
    return 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2]


def rising(cells, values):
    """Warmer is never darker: colours ordered as the values."""
    order = [light(c) for _, c in sorted(zip(values, cells))]
    return all(b >= a - 1.5 for a, b in zip(order, order[1:])) and order[-1] - order[0] > 120


def pictures():
    values = struct.unpack("<8192f", read(PLANET, "temperature"))
    data = expect("png", ["show", PLANET, "temperature", "--bare"], 0)
    rows = png_pixels(data)
    check("size of the planet", len(rows) == 64 * 6 and len(rows[0]) == 128 * 6, (len(rows), len(rows[0])))
    cells = [rows[y * 6 + 3][x * 6 + 2] for y in range(64) for x in range(128)]
    check("every cell is one colour", all(rows[y][x] == cells[y // 6 * 128 + x // 6] for y in range(384)
                                          for x in range(768)), "differs")
    check("colours of the planet", rising(cells, values), "order")
    target = scratch("planet.png")
    expect("png to a file", ["show", PLANET, "temperature", "-o", target, "--bare"], 0)
    with open(target, "rb") as file:
        check("the same picture", file.read() == data, "differs")
    os.makedirs(scratch("folder.v2"), exist_ok=True)
    for name in ("PLANET.PNG", "planet", ".planet", "planet.", "folder.v2/planet", "planet.v2", "planet.png.tmp", "folder.v2/planet.2024"):
        expect("png to " + name, ["show", PLANET, "temperature", "-o", scratch(name), "--bare"], 0)
        with open(scratch(name), "rb") as file:
            check("a picture in " + name, file.read() == data, "differs")
    for name in ("planet.jpg", "planet.JPEG", "planet.gif", "planet.bmp", "planet.webp", "planet.tiff", "planet.svg", "planet.pdf", "planet.txt", "planet.png.jpg"):
        expect("no picture in " + name, ["show", PLANET, "temperature", "-o", scratch(name)], 2,
               r"utet: show: -o: the name \S*/%s does not end in \.png; choose one that does; see 'utet help show'$" % re.escape(name))
        check("nothing in " + name, not os.path.exists(scratch(name)), "there")
    expect("no C in a header", ["export", PLANET, "temperature", "--c", "-o", scratch("planet.h")], 2,
           r"utet: export: -o: the name \S*/planet\.h does not end in \.c; choose one that does; see 'utet help export'$")
    expect("C where", ["export", PLANET, "temperature", "--c"], 2, r"utet: export: missing option; give -o OUT\.c; see")
    expect("three axes", ["show", CINE, "ripple"], 1, r"slab: .*\[24, 64, 128\]; reduce it to two axes with --slab, such as 0,:,:$")
    check("a frame", len(png_pixels(expect("frame", ["show", CINE, "ripple", "--slab", "3,:,:", "--bare"], 0))) == 384, "height")
    check("a row", len(png_pixels(expect("row", ["show", PLANET, "elevation", "--slab", "3,:", "--bare"], 0))) == 6, "height")
    log = png_pixels(expect("gaps", ["show", PLANET, "station_log", "--bare"], 0))
    raw = struct.unpack("<1152f", read(PLANET, "station_log"))
    check("no number, no colour", all((log[y * 2][x * 2] == (128, 128, 128)) == (raw[y * 4 + x] != raw[y * 4 + x])
                                      for y in range(288) for x in range(4)), "differs")
    wide = write("wide.tet", tet_header([(b"w", 5, [3, 10000], [3, 10000])], [(0, [0, 0], 300, 30000, 30000, 0)])
                 .ljust(300, b"\0") + bytes(i * 256 // 10000 for i in range(10000)) * 3)
    shrunk = png_pixels(expect("wide", ["show", wide, "w", "--bare"], 0))
    check("a wide one is made smaller", len(shrunk) == 1 and len(shrunk[0]) == 2048 and
          rising(shrunk[0], range(2048)), (len(shrunk), len(shrunk[0])))
    expect("empty", ["show", os.path.join(ROOT, "golden", "tet", "P23_zero_extent.tet"), "#0"], 1, "dataset: the dataset is empty")


def on_terminal(arguments, columns=80, lines=24, environment=None):
    """Runs the tool on a pseudo terminal of its own, an xterm unless told; gives exit status and what it printed. Progress
    is for work of more than ten minutes unless told, so that it does not depend on the machine's load."""
    child, terminal = pty.fork()
    if child == 0:
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        os.environ.pop("COLORTERM", None)
        os.environ.update({"TERM": "xterm", "UTET_PROGRESS_AFTER": "600000", **(environment or {})})
        os.execv(TOOL, [TOOL] + arguments)
    out = b""
    while select.select([terminal], [], [], 60)[0]:
        try:
            block = os.read(terminal, 65536)
        except OSError:
            break
        if not block:
            break
        out += block
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), out.decode()


def terminal():
    status, out = on_terminal(["show", PLANET, "temperature"], 100, 60, {"COLORTERM": "truecolor", "TERM": "xterm"})
    lines = out.replace("\r", "").split("\n")
    picture = [line for line in lines if "\u2580" in line]
    check("picture in the terminal", status == 0 and len(picture) == 24 and all(
        line.count("\u2580") == 94 and line.endswith("\x1b[0m") for line in picture), (status, len(picture)))
    colours = [re.findall(r"38;2;(\d+);(\d+);(\d+)m", line) for line in picture]
    rows = [sum(light(tuple(map(int, c))) for c in row) / len(row) for row in colours]
    check("the poles are cold", max(rows[0], rows[-1]) + 40 < max(rows[10:15]), rows)
    margin = [line[:line.index("\x1b")] for line in picture]
    check("labels of rows", (margin[0], margin[12], margin[-1]) == (" 78.0 ", "  lat ", "-78.0 ") and set(margin[1:12]) == {"      "}, margin)
    below = lines[len(picture)]
    check("labels of columns", re.fullmatch(r" {6}0 +lon +127", below) and len(below) == 100, below)
    legend = r"temperature \(K\)  f32  64 x 128.* dark [\d.]+, bright [\d.]+"
    check("legend", re.match(legend, lines[len(picture) + 1]), lines[-2:])
    status, out = on_terminal(["show", PLANET, "temperature", "--slab", "1:4,::3"], 20, 24, {"TERM": "dumb"})
    lines = out.replace("\r", "").split("\n")
    check("a narrow terminal", status == 0 and len(lines[0]) == 20 and re.fullmatch("0 +lon +126", lines[-3]), lines)
    status, out = on_terminal(["show", PLANET, "elevation"], 80, 24, {"TERM": "xterm"})
    check("256 colours", status == 0 and "38;5;" in out and "38;2;" not in out, out[:80])
    status, out = on_terminal(["read", PLANET, "elevation", "--slab", "0,:3"])
    check("a terminal gets text", status == 0 and re.fullmatch(r"-?\d+ -?\d+ -?\d+\r\n", out), out)
    status, out = on_terminal(["read", huge_file(), "big", "--slab", ":6,:", "--format", "csv", "-o", scratch("long")],
                              environment={"UTET_PROGRESS_AFTER": "0"})
    check("progress", status == 0 and re.search(r"\rutet: reading +\d+ %", out) and out.endswith("\r\x1b[K"), out[-80:])
    status, out = on_terminal(["read", huge_file(), "big", "--slab", ":6,:", "--format", "csv", "-o", scratch("long")], 12,
                              environment={"UTET_PROGRESS_AFTER": "0"})
    parts = [part.replace("\x1b[K", "") for part in out.split("\r")]
    check("progress stays in one line", status == 0 and "utet: readi" in parts and max(map(len, parts)) == 11, parts[:4])
    status, out = on_terminal(["read", huge_file(), "big", "--slab", ":6,:", "--format", "csv", "-o", scratch("long")],
                              environment={"TERM": "dumb", "UTET_PROGRESS_AFTER": "0"})
    check("no progress where lines cannot be rewritten", status == 0 and out == "", out[-80:])
    os.unlink(scratch("long"))
    status, out = on_terminal(["read", PLANET, "elevation", "-o", scratch("short")])
    check("no progress for short work", status == 0 and out == "", out)


# ---- text on PNG pictures: read back by its glyphs, compared with what the terminal shows ----

def font():
    """Bitmaps of the tool's font, 11 rows of 5 pixels -> character; character -> the first one that looks like it (a minus, a dash)."""
    with open(os.path.join(ROOT, "..", "boards", "host", "show", "glyphs.c"), encoding="utf-8") as file:
        source = file.read()
    table = re.search(r"glyphs\[.*?= \{(.*?)\n\};", source, re.S).group(1)
    glyphs = dict(zip(map(chr, range(32, 127)), re.findall(r'"([0-9A-V]{9})",', table)))
    check("a glyph for each of ASCII, no two alike", len(glyphs) == 95 and len(set(glyphs.values())) == 95, len(glyphs))
    glyphs.update((chr(int(c, 16)), g) for c, g in re.findall(r'\{0x([0-9A-F]+), "([0-9A-V]{9})"\}', source))
    glyphs["\u25a1"] = re.search(r'box\[\] = "(\w+)"', source).group(1)
    shown, alike = {}, {}
    for character, digits in glyphs.items():
        bitmap = (0, 0) + tuple(int(digit, 32) for digit in digits)
        alike[character] = shown.setdefault(bitmap, character)
    return shown, alike


def letters_at(pixels, shown, left, top, columns):
    """The characters of a line, marks over letters as combining ones; ? for what is none of the font's."""
    text = ""
    for column in range(columns):
        x = left + 12 * column
        rows = []
        for row in range(11):
            bits = 0
            for bit in range(6):
                place = x + 2 * bit
                dark = place < len(pixels[0]) and top + 2 * row < len(pixels) and pixels[top + 2 * row][place] == (0, 0, 0)
                bits = bits * 2 + dark
            rows.append(bits >> 1 if bits % 2 == 0 else -1)
        text += shown.get(tuple(rows), "?")
    return text.rstrip()


def lettering():
    shown, alike = font()
    size = dict(columns=200, lines=120, environment={"TERM": "xterm", "LC_ALL": "C.UTF-8"})
    raw = write("letters.raw", struct.pack("<3072f", *range(3072)))
    special = write("letters.tet", b"")
    labels = ["\u6771\u4eac", "b"] + ["r%d" % i for i in range(2, 47)] + ["Z\u0439~\u2126"]
    words = ["--dims", "Ort @,x_{y}", "--labels", "Ort @=" + ",".join(labels), "--attr", "units=\u00b5g/m\u00b3 \u00b0C \u2212\u03bb"]
    done = utet("pack", raw, "--dtype", "f32", "--shape", "48x64", "--name", "d|i[s]t*a#&", "-o", special, *words)
    check("pack with labels", done[0] == 0, done)
    printable = write("ascii.tet", b"")
    characters = "".join(map(chr, range(33, 127))).replace(",", "").replace(":", "")
    utet("pack", raw, "--dtype", "f32", "--shape", "48x64", "--name", characters[:55], "--dims", "a,b", "--attr",
         "units=" + characters[55:80], "-o", printable)
    last = write("rest.tet", b"")
    utet("pack", raw, "--dtype", "f32", "--shape", "48x64", "--name", characters[75:], "--dims", "a,b", "-o", last)
    for name, arguments in (("planet", [PLANET, "temperature"]), ("stations", [PLANET, "station_log", "--slab", ":100,:"]), ("labels", [special]),
                            ("ASCII", [printable]), ("rest of ASCII", [last])):
        status, out = on_terminal(["show", *arguments], **size)
        lines = out.replace("\r", "").split("\n")
        picture = [line for line in lines if "\u2580" in line]
        across = picture[0].count("\u2580")
        rest = [line for line in lines[len(picture):] if line]
        plain = lambda text: "".join(alike[c] if c in alike else "\u25a1" * (1 + (unicodedata.east_asian_width(c) in "WF")) for c in text)
        margin = [line[:line.index("\x1b")] for line in picture]
        environment = dict(os.environ, LC_ALL="C.UTF-8")
        done = subprocess.run([TOOL, "show", *arguments], stdout=subprocess.PIPE, env=environment)
        bare = subprocess.run([TOOL, "show", *arguments, "--bare"], stdout=subprocess.PIPE, env=environment).stdout
        pixels = png_pixels(done.stdout)
        columns = len(plain(margin[0]))
        wide, high = struct.unpack(">II", bare[16:24])
        left = 8 + 12 * columns
        check(name + ": not shrunk", status == 0 and done.returncode == 0 and wide % across == 0, (status, wide, across))
        if name == "planet":
            check("the same picture inside", [row[left:left + wide] for row in pixels[8:8 + high]] == png_pixels(bare), "differs")
        for what, top, want in (("first row", 8, margin[0]), ("last row", 8 + high - 22, margin[-1]),
                                ("axis of rows", 8 + (high - 24) // 2, margin[len(margin) // 2])):
            if columns > 0:
                check("%s: %s" % (name, what), letters_at(pixels, shown, 8, top, columns) == plain(want).rstrip(), want)
        top = 8 + high + 4
        if len(rest) == 2:  # a line of labels below, as far as there is room
            seen = letters_at(pixels, shown, left, top, wide // 12)
            check(name + ": columns", seen.split() == plain(rest[0]).split(), (seen, rest[0]))
            top += 24
        seen = []
        while top + 24 <= len(pixels):
            seen.append(letters_at(pixels, shown, 8, top, (len(pixels[0]) - 8) // 12))
            top += 24
        check(name + ": legend", " ".join(seen).split() == plain(rest[-1]).split(), (seen, rest[-1]))
    accents = write("accents.tet", b"")
    utet("pack", raw, "--dtype", "f32", "--shape", "48x64", "--name", "\u00e9\u00c9e\u00ef\u00c7", "-o", accents)
    pixels = png_pixels(subprocess.run([TOOL, "show", accents], stdout=subprocess.PIPE, env=dict(os.environ, LC_ALL="C.UTF-8")).stdout)
    cells = {x: [[pixels[y][8 + 12 * x + 2 * i] == (0, 0, 0) for i in range(5)] for y in range(len(pixels) - 32, len(pixels) - 10, 2)]
             for x in range(5)}
    check("an accent is over the letter", cells[0][4:] == cells[2][4:] and cells[0][2:4] != cells[2][2:4] and
          any(cells[1][0]) and any(cells[4][9]) and cells[3][4:] != cells[2][4:], cells)


def main():
    for part in (usage, standard_input, unreadable, selections, labelled, strict, useless_references, budgets, formats, outputs,
                 odd_places, no_permission, huge_claims, a_file_that_shrinks, failures_leave_nothing, large,
                 many_datasets, pictures, terminal, lettering):
        part()
    check("an empty file has no datasets", b"layout" in expect("empty", ["info", EMPTY], 0), "")
    expect("empty, dataset", ["read", EMPTY, "#0"], 1, "no record #0; the file has 0")
    summary()


main()
