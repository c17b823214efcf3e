# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""`utet messages -w` and `-p` accept and print the same as the reference's command line, and `verify`, `messages` and `message`
accept and refuse damaged files as its validator does. Expected values: where.json, recorded from tensogram-cli (its version is in
it) by
test/interop/tensogram_where.py --record; for the files of field/, the results of tensogram 0.24.0's validate_file.

where_test.py UTET FOLDER     FOLDER has where.tgm, where.json, field/"""
import json
import os
import re
import struct
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tools"))
from tally import check, end  # noqa: E402

UTET, FOLDER = sys.argv[1:3]


def run(*arguments, **more):
    done = subprocess.run([UTET, *arguments], capture_output=True, timeout=20, **more)
    return done.returncode, done.stdout, done.stderr.decode("utf-8", "replace")


def field(name):
    return os.path.join(FOLDER, "field", name + ".tgm")


def table():
    path = os.path.join(FOLDER, "where.tgm")
    with open(os.path.join(FOLDER, "where.json"), encoding="utf-8") as f:
        wanted = json.load(f)
    code, out, err = run("messages", "--jsonl", "-p", ",".join(wanted["keys"]), path)
    ours = [json.loads(line) for line in out.decode().split("\n")[:-1]]
    check("all messages", code == 0 and len(ours) == len(wanted["texts"]), err)
    for i, (mine, theirs) in enumerate(zip(ours, wanted["texts"])):
        check("-p of message %d" % i, mine == theirs, "%r, %s has %r" % (mine, wanted["source"], theirs))
    for clause, ids in wanted["clauses"].items():
        code, out, err = run("messages", "-w", clause, "-p", "extra.id", path)
        check("-w %r" % clause, code == 0 and list(map(int, out.split())) == ids, "%d %r, %s takes %r" % (code, out, wanted["source"], ids))


def clauses():
    """Clauses that depend on the text of a number: field/where_floats and field/w, by tensogram-cli 0.24.0's `get
    -w`."""
    both = [field("where_floats"), field("w")]
    for clause, count in (("x=NaN", 1), ("x=nan", 0), ("big=10000000000000000000000", 1), ("big=1e22", 0), ("big=10000000000000000", 1),
                          ("scale=0.0000001", 1), ("scale=1e-07", 0), ("half=0.5", 2), ("level=850", 1), ("level=850.0", 0), ("step=6", 1),
                          ("version=3", 2), ("version!=3", 0), ("nz=-0", 1), ("inf=inf", 1), ("n=null", 1), ("t=true/false", 1),
                          ("emp=", 1), ("nope=", 0), ("nope!=1", 2), ("eq=key=x", 0), ("i!=850", 1), ("m.a=1", 1), ("_extra_.x=NaN", 0)):
        code, out, err = run("messages", "-p", "version", "-w", clause, *both)
        check("-w " + clause, (code, out) == (0, b"3\n" * count), "%d %r %s" % (code, out, err))
    code, out, err = run("messages", "-p", "half, nope ,step", *both)
    check("-p, a line a message", (code, out) == (0, b"0.5\tN/A\t6\n0.5\tN/A\tN/A\n"), "%d %r" % (code, out))
    for form in ("--json", "--jsonl"):
        code, out, err = run("messages", "-p", "step,half,,step, half", form, both[0])
        pairs = json.loads(out, object_pairs_hook=list)
        pairs = pairs[0][1][0] if form == "--json" else pairs
        check("-p %s: an object has each key once" % form, code == 0 and pairs == [("step", "6"), ("half", "0.5")], out)
    code, out, err = run("messages", "-w", "half=0.5", "-w", "step=6", "-w", "x=NaN", "--jsonl", *both)
    lines = out.decode().split("\n")
    check("clauses together, JSON lines", code == 0 and len(lines) == 2 and json.loads(lines[0])["file"] == both[0], out)
    code, out, err = run("messages", "--json", *both)
    check("files together, --json", code == 0 and [m["file"] for m in json.loads(out)["messages"]] == both, err)
    code, out, err = run("messages", *both)
    check("files together, listed", code == 0 and [x for x in out.decode().split("\n") if x.endswith(".tgm:")] == [b + ":" for b in both], out)
    code, out, err = run("messages", both[0], field("nope"), both[1], "-p", "half")
    check("a file that is not there", code == 1 and out == b"0.5\n0.5\n" and "cannot open" in err, err)
    for bad in ("half", "=1", "!=1"):
        check("-w " + bad, run("messages", "-w", bad, both[0])[0] == 2)
    check("--json --jsonl", run("messages", "--json", "--jsonl", both[0])[0] == 2)


def verdicts():
    """Results of tensogram 0.24.0: validate_file(path, level='default') and level='full'."""
    for name, default, full, finding in (
            ("badhash", 1, 1, "frame_hash"), ("forecast-damaged", 1, 1, "frame_hash"), ("d_1168_9", 1, 1, "hash_frame"), ("d_6438_12", 1, 1, "hash_frame"),
            ("d_7358_231", 1, 1, "index_frame"), ("const_packed_2to59", 1, 1, "data"), ("n17", 0, 0, None), ("w", 0, 0, None), ("where_floats", 0, 0, None)):
        for deep, want in (([], default), (["--deep"], full)):
            begun = time.time()
            code, out, err = run("verify", *deep, field(name))
            found = set(re.findall("^ERROR +([a-z_]+)", out.decode(), re.M))
            check("verify %s %s" % (deep, name), (code, found) == (want, {finding} if want else set()), "%d %s %s" % (code, found, err))
            check("verify says what it checked", b"frames have the hash they state" in out and b"tensors are decoded" in out, out)
            check("verify %s: in time" % name, time.time() - begun < 5)


def damaged():
    """A damaged payload costs its values and nothing else."""
    for name, tensor in (("badhash", "0"), ("forecast-damaged", "0")):
        code, out, err = run("messages", field(name))
        check("the listing of " + name, code == 0 and b"float" in out and err == "", "%d %s" % (code, err))
        code, out, err = run("messages", "--json", field(name))
        frames = json.loads(out)["messages"][0]["frames"]
        check("the JSON of " + name, code == 1 and [f["hash"] for f in frames].count("differs") == 1 and ": hash: " in err, "%d %s" % (code, err))
        check("-p of " + name, run("messages", "-p", "version", field(name))[:2] == (0, b"3\n"))
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "x.raw")
        for arguments in (["message", field("badhash"), "0", "--format", "raw", "-o", out], ["message", field("badhash"), "0", "--slab", "0:3", "-o", out],
                          ["show", field("badhash"), "0", "-o", os.path.join(folder, "x.png")]):
            code, _, err = run(*arguments)
            check("%s of a damaged tensor" % arguments[0], code == 1 and "the hash of the frame differs" in err and not os.listdir(folder), "%d %s" % (code, err))
        code, _, err = run("message", field("badhash"), "0", "--damaged", "--format", "raw", "-o", out)
        check("--damaged", code == 1 and "the values are damaged" in err and os.path.getsize(out) == 4000, err)
    code, out, err = run("message", field("badhash"), "0", "--descriptor")
    check("the descriptor of a damaged tensor", code == 0 and json.loads(out)["shape"] == [1000], err)
    code, out, err = run("message", field("badhash"), "0", "--metadata")
    check("the metadata beside a damaged tensor", code == 0 and json.loads(out)["base"][0]["mars"]["param"] == "2t", err)


def limits():
    """17 axes are a limit of this build: parts and pictures are refused, everything else works."""
    code, out, err = run("message", field("n17"), "0", "--descriptor")
    check("17 axes: the descriptor", code == 0 and json.loads(out)["shape"] == [1] * 17, err)
    check("17 axes: the listing", run("messages", field("n17"))[0] == 0)
    check("17 axes: JSON", json.loads(run("messages", "--json", field("n17"))[1])["messages"][0]["objects"][0]["ndim"] == 17)
    check("17 axes: values", run("message", field("n17"), "0", "--format", "raw")[:2] == (0, bytes(4)))
    check("17 axes: .npy", b"(" + b", ".join([b"1"] * 17) + b")" in run("message", field("n17"), "0", "--format", "npy")[1])
    for arguments in (["message", field("n17"), "0", "--slab", "0"], ["show", field("n17"), "0"]):
        code, out, err = run(*arguments)
        check("17 axes: " + arguments[0], code == 1 and ": limit: " in err and "17 axes" in err, err)
    check("17 axes: good, and the limit is said", b"limit" in run("verify", field("n17"))[1])
    begun = time.time()
    code, out, err = run("message", field("const_packed_2to59"), "0", "--format", "raw")
    check("2^59 values of which none is stored", code == 1 and out == b"" and "one repeated value" in err and time.time() - begun < 1, err)
    check("a part of them", run("message", field("const_packed_2to59"), "0", "--slab", "5:8", "--format", "csv")[:2] == (0, b"1.5\n" * 3))


def common():
    """compute_common by its rules (crate tensogram 0.24.0, src/metadata.rs), in Python, for all messages of where.tgm; suite_common has the
    cases of its own tests."""
    path = os.path.join(FOLDER, "where.tgm")
    code, out, err = run("messages", "--jsonl", path)
    wanted = []
    for line in out.decode().splitlines():
        base = [dict(entry) for entry in json.loads(line)["metadata"]["base"]]
        same = {k: v for k, v in (base or [{}])[0].items() if k != "_reserved_" and all(k in b and json.dumps(b[k]) == json.dumps(v) for b in base)}
        wanted.append({"common": same, "remaining": [{k: v for k, v in b.items() if k not in same and k != "_reserved_"} for b in base]})
    code, out, err = run("messages", "--jsonl", "--common", path)
    ours = list(map(json.loads, out.decode().splitlines()))
    check("--common: as many messages", code == 0 and len(ours) == len(wanted) > 100, err)
    for i, (mine, theirs) in enumerate(zip(ours, wanted)):
        check("--common of message %d" % i, json.dumps(mine, sort_keys=True) == json.dumps(theirs, sort_keys=True), "%r, not %r" % (mine, theirs))
    check("--common of one tensor", run("messages", "--common", field("badhash"))[1].endswith(b'  all  {"mars":{"param":"2t"}}\n  0  {}\n'))
    check("--common and -p", run("messages", "--common", "-p", "a", path)[0] == 2)


def many():
    """10^4 tensors and 10^4 clauses end in time; a square of the work would not."""
    entry = b"\xa2\x61\x61\x01\x61\x62\x18\x2a"
    body = b"\xa1\x64base\x99\x27\x10" + entry * 10000
    out = bytearray(b"TENSOGRM" + struct.pack(">HHIQ", 3, 1, 0, 0))
    out += b"FR" + struct.pack(">HHHQ", 1, 1, 0, len(body) + 28) + body + bytes(8) + b"ENDF"
    with open(field("where_floats"), "rb") as f:
        data = f.read()
    begin = data.index(b"FR\x00\x09")
    length = struct.unpack(">Q", data[begin + 8:begin + 16])[0]
    tensor = data[begin:begin + length]
    for _ in range(10000):
        out += bytes(-len(out) % 8) + tensor
    out += bytes(-len(out) % 8)
    out += struct.pack(">QQ", len(out), len(out) + 24) + b"39277777"
    out[16:24] = struct.pack(">Q", len(out))
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "many.tgm")
        with open(path, "wb") as f:
            f.write(out)
        for arguments in (["--json"], ["--common"], ["-p", ",".join("k%d" % i for i in range(10000))], [], sum((["-w", "k%d!=1" % i] for i in range(5000)), [])):
            begun = time.time()
            code, text, err = run("messages", path, *arguments)
            check("many tensors, %s" % arguments[:1], code == 0 and len(text) > 10000, err)
            check("many tensors, %s: in time" % arguments[:1], time.time() - begun < 8, "%.1f s" % (time.time() - begun))
        check("many tensors: verify", run("verify", path)[0] == 0)


for part in (table, clauses, verdicts, damaged, limits, common, many):
    part()
sys.exit(end())
