#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""The tool's contract with scripts and people: options, exit status, error lines, formats, budgets. Second sources: Python's
struct, repr, json, NumPy. output_test has output files, picture_test has pictures and terminals."""
import json
import os
import re
import shutil
import struct

from cli_files import CINE, EMPTY, PLANET, only_file, read, write
from harness import (DTYPES, FORMATS, ROOT, SCRATCH, check, expect, golden, header_length, scratch, sha, skip,
                     summary, tet_header, utet, with_tail)


# ---- usage ----

def usage():
    for arguments, pattern in [
            ([], "utet: missing command"), (["bogus"], 'utet: unknown command "bogus"'), (["info"], "info: wrong number of arguments; give FILE .DATASET.;"),
            (["info", "a", "b", "c"], "wrong number of arguments; give FILE .DATASET.;"), (["read"], "wrong number of arguments; give FILE .DATASET.;"),
            (["verify"], "missing argument; give at least one FILE"), (["diff", "a"], "diff: wrong number of arguments; give A B;"),
            (["raed"], r'unknown command "raed" \(did you mean "read"\?\)'), (["read", "a", "--slab", "1", "--slab", "2"], "--slab given twice"),
            (["show", *"abcdefghij"], r"wrong number of arguments; give FILE \[DATASET\]\.\.\.;"),
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
    """If an option with one value is repeated, the last one must not win silently; lists (-w) stay lists."""
    for command, option, first, second in [
            ("read", "--slab", "0", "1"), ("read", "--format", "raw", "csv"), ("read", "-o", "a", "b"), ("read", "--output", "a", "b"),
            ("read", "--budget", "1K", "file"), ("read", "-j", "1", "2"), ("read", "--codec", "small", "upstream"), ("schema", "--kind", "schema", "metadata"),
            *(("fit", option, "16", "32") for option in ("--ram", "--stack", "--program", "--pointer", "--unit", "--align")),
            ("fit", "--mapped", "0", "1"), ("fit", "--for", "rp2040", "microbit"), ("fit", "--for", "rp2040", "list"),
            ("serve", "--speed", "9600", "115200"), ("export", "--name", "a", "b"), ("export", "--section", "a", "b"), ("diff", "--tolerance", "1", "2"),
            ("diff", "--relative", "1", "2"), ("diff", "--first", "1", "2"), ("message", "--object", "1", "2"),
            ("query", "--npy", "a", "b"), ("query", "--preview", "1", "2"), ("query", "-j", "1", "2"), ("query", "--jobs", "1", "2")]:
        said = {"--output": "-o", "--jobs": "-j"}.get(option, option)
        expect("%s %s twice" % (command, option), [command, PLANET, option, first, option, second], 2,
               "utet: %s: %s given twice, as \"%s\" and as \"%s\"; use it once; see 'utet help %s'$" % (command, said, first, second, command))
    expect("-o and --output", ["read", PLANET, "-oa", "--output=b"], 2, '-o given twice, as "a" and as "b"')
    expect("the same value twice", ["read", PLANET, "temperature", "--format", "csv", "--slab", "0,0", "--slab=0,0", "--format=csv"], 0)
    expect("a switch twice", ["info", PLANET, "--json", "--json"], 0)


def misleading_names():
    """A name with the ending of another kind of file is refused, unless --format confirms it."""
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
    """Folders NAME.tet.d of the reference: which contents of CURRENT and PROTOCOL are accepted or refused, as in release 0.8.3 of its
    program."""
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
    """Help lists exactly what a command accepts, option by option."""
    for command in ("info", "read", "verify", "fit", "show", "diff", "export", "query", "stats", "serve", "schema", "messages", "message"):
        says, takes = set(re.findall(r"^  (-[-\w]+)", expect("help", ["help", command], 0).decode(), re.M)), set()
        for option, *value in (["--json"], ["--all"], ["--deep"], ["--strict"], ["--slab", "1"], ["--format", "raw"],
                               ["-o", "1"], ["--budget", "1"], ["--codec", "small"], ["--ram", "1"], ["-1"], ["--stats"],
                               ["--for", "rp2040"], ["--stack", "1"], ["--program", "1"], ["--pointer", "32"],
                               ["--unit", "1"], ["--align", "1"], ["--mapped", "1"], ["--tolerance", "1"],
                               ["--relative", "1"], ["--first", "1"], ["--object", "1"], ["--c"],
                               ["--image"], ["--bare"], ["--lines"], ["--hist"], ["--name", "1"], ["--section", "1"], ["--plan"], ["--trust-zones"], ["--npy", "1"], ["--preview", "1"],
                               ["--kind", "schema"], *(["--" + name, "1"] for name in ("count", "sum", "mean", "min", "max", "std", "var", "median", "group", "window", "rolling")), ["--by", "1"], ["--csv"], ["-w", "1"], ["-p", "a"], ["--jsonl"], ["--common"], ["--damaged"], ["-j", "0"], ["--with", "meta"], ["--at", "1"], ["--metadata"], ["--descriptor"],
                               ["--physical"], ["--speed", "1"]):
            option = "--where" if command == "query" and option == "-w" else option
            status, _, err = utet(command, option, *value)
            takes |= {option} if "unknown option" not in err else set()
            check("%s %s" % (command, option), status == 2 and re.search("wrong number of arguments|missing argument|invalid (value|number|condition)|unknown option %s[,;]" % option, err), err)
        check("help of " + command, says == takes, "%s, takes %s" % (sorted(says), sorted(takes)))


# ---- what cannot be opened ----

def standard_input():
    """Among the commands that read, only query accepts a stream, for its document."""
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
    status, out, err = utet("messages", os.path.join(os.environ["TEST_ROOT"], "golden/tensogram/good/multi_false_start.tgm"))
    check("the start of another version before a message is a notice", status == 0 and out.startswith(b"message 0 at 24: ") and "wire version is not 3 (offset 0)\n" in err, (status, out, err))
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
    named = scratch("named.tet")  # record 0 is named "#1"
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
    """Labels that contain the characters of --slab: in quotes each is found; digits without quotes are an index."""
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
    """A damaged footer costs the metadata. With --strict it costs the file, before anything is delivered, and the error
    line names the offset: of the tail, of the byte in the JSON, or of the payload_offset (72 bytes into the row) that
    is too large."""
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
    for form in ([], ["--json"]):  # because of a bad row, info refuses the file; in strict mode, the footer's tail comes first
        for name, arguments, pattern in (
                ("a row", [path], codec), ("a row, strict", [path, "--strict"], codec),
                ("a row and the tail", [both], codec),
                ("a row and the tail, strict", [both, "--strict"], r"footer: .*\(offset %d\)$" % (place + 4))):
            check("nothing printed", expect("info, %s" % name, ["info"] + form + arguments, 1, pattern) == b"", name)


def useless_references():
    """Zone maps and indexes outside of the file cost nothing (FORMAT.md D9): --strict accepts them, and verify
    warns."""
    far = b'{"zone_maps_ref":{"offset":99999,"len":1},"secondary_index_ref":{"offset":18446744073709551615,"len":1}}'
    path, _ = with_footer("far.tet", far, gap=b"  ")
    check("far", read(path, "d", "--strict") == b"\1\2", "other bytes")
    findings = json.loads(expect("far", ["verify", "--json", path], 0))["findings"]
    got = {f["check"]: f["severity"] for f in findings}
    check("far warned of", (got.get("footer_zone_maps"), got.get("footer_indexes")) == ("warning", "warning"), got)


def budgets():
    """fit prints what reading requires; exactly as many bytes suffice, one less does not."""
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
    """Python's repr is the shortest text of a double, NumPy's that of the narrower floats."""
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


def main():
    for part in (usage, standard_input, unreadable, selections, labelled, strict, useless_references, budgets, formats):
        part()
    check("an empty file has no datasets", b"layout" in expect("empty", ["info", EMPTY], 0), "")
    expect("empty, dataset", ["read", EMPTY, "#0"], 1, "no record #0; the file has 0")
    summary()


main()
