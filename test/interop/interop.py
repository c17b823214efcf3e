#!/usr/bin/env python3
"""The tool beside the reference implementation, both run on the same files: every golden file, files that the reference
converts now from .npy, and N damaged files (argument, default 300; SEED=). Compared: the verdict of verify --deep, info
--json, and the bytes of what was converted."""
import glob
import json
import os
import random
import struct
import subprocess
import sys

UTET, TET = os.environ["UTET"], os.environ["TET"]
WORK = os.environ["WORK"]
SHARED = os.environ.get("SHARED", "../shared")
SEED = os.environ.get("SEED", "1")

# Files on which the two are meant to differ, and our verdict: README, "Deviations from the reference".
DEVIATES = {"P22_thst_payload_flag_clear.tet": True}
passed = failed = 0


def run(program, *arguments):
    done = subprocess.run([program, *arguments], stdin=subprocess.DEVNULL, capture_output=True, timeout=120, check=False)
    return done.returncode, done.stdout, done.stderr.decode("utf-8", "replace").strip()


def check(name, good, detail=""):
    global passed, failed
    if good:
        passed += 1
    else:
        failed += 1
        print("  FAILED %s: %s" % (name, str(detail)[:300]))


def verdict(program, path):
    status, out, err = run(program, "verify", "--deep", "--json", path)
    try:
        return status == 0 and json.loads(out)["ok"], err
    except ValueError:
        return False, err


def compare(name, path):
    """Both accept or both refuse; what both open has the same summary."""
    ours, our_words = verdict(UTET, path)
    theirs, their_words = verdict(TET, path)
    check(name + " verdict", ours == DEVIATES.get(name, theirs) and (ours == theirs) != (name in DEVIATES),
          "utet %s (%s), reference %s (%s)" % (ours, our_words, theirs, their_words))
    if ours and theirs:
        ours, theirs = run(UTET, "info", "--json", path), run(TET, "info", "--json", path)
        check(name + " info", ours[0] == theirs[0] == 0 and json.loads(ours[1]) == json.loads(theirs[1])["summary"],
              ours[2] or "differs")


def converted():
    """NumPy arrays of several types and shapes, through the reference's converter."""
    dice = random.Random("convert " + SEED)
    for number, (kind, size) in enumerate([("<f4", 4), ("<f8", 8), ("<i4", 4), ("<i8", 8), ("|u1", 1), ("<u2", 2),
                                           ("<i2", 2), ("<u4", 4), ("<f2", 2), ("<u8", 8)]):
        shape = [dice.randint(1, 9) for _ in range(number % 4 + 1)]
        count = 1
        for extent in shape:
            count *= extent
        data = bytes(dice.randrange(128) for _ in range(count * size))
        head = repr({"descr": kind, "fortran_order": False, "shape": tuple(shape)}).encode()
        head += b" " * (63 - (10 + len(head)) % 64) + b"\n"
        source, target = os.path.join(WORK, "c%d.npy" % number), os.path.join(WORK, "c%d.tet" % number)
        with open(source, "wb") as file:
            file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head + data)
        status, _, words = run(TET, "convert", source, target)
        if not (status == 0 and os.path.exists(target)):
            check("convert " + kind, False, words)
            continue
        compare("converted " + kind, target)
        status, out, words = run(UTET, "read", target, "#0")
        check("read " + kind, status == 0 and out == data, words or "bytes differ")


def damaged(count):
    """Small good files with one to four bytes changed, or cut short."""
    dice = random.Random("damage " + SEED)
    sources = [path for path in GOLDEN if os.path.getsize(path) < 6000 and verdict(TET, path)[0]]
    target = os.path.join(WORK, "damaged.tet")
    for number in range(count):
        path = dice.choice(sources)
        with open(path, "rb") as file:
            data = bytearray(file.read())
        what = []
        if dice.random() < 0.1 and data:
            del data[dice.randrange(len(data)):]
            what.append("cut to %d" % len(data))
        for _ in range(dice.randint(1, 4) if data else 0):
            at, value = dice.randrange(len(data)), dice.choice([0, 1, 0x7F, 0x80, 0xFF, dice.randrange(256)])
            what.append("%d: %02x -> %02x" % (at, data[at], value))
            data[at] = value
        with open(target, "wb") as file:
            file.write(data)
        before = failed
        compare("damage %d of %s (%s)" % (number, os.path.basename(path), ", ".join(what)), target)
        if failed > before:
            os.replace(target, os.path.join(WORK, "differs-%d.tet" % number))


os.makedirs(WORK, exist_ok=True)
GOLDEN = sorted({os.path.basename(path): path for folder in (os.path.join(SHARED, "vectors", "tet"), "test/golden/demo", "test/golden/tet")
                 for path in glob.glob(os.path.join(folder, "*.tet"))}.values())
for golden in GOLDEN:
    compare(os.path.basename(golden), "./" + golden)
converted()
damaged(int(sys.argv[1]) if len(sys.argv) > 1 else 300)
print("interop: %d passed, %d failed" % (passed, failed))
sys.exit(failed > 0)
