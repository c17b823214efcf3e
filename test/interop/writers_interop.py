#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""Files that the reference's own writer makes now, through its Python package (tet-py, whose sessions are the Rust writer's), next
to the arrays that were passed to it: UTET, folder, number of files (SEED=). One to four datasets of any dtype, rank 1 to 8 and
tile, written at once or appended; attributes, names of axes, labels, history. Compared: the result of verify --deep, the bytes of
each dataset by both decoders, a slab of it, and info --json with the reference's own summary."""
import json
import os
import random
import subprocess
import sys

import numpy as np
import tet

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tools"))
import tally  # noqa: E402
from tally import check  # noqa: E402

DTYPES = ["f4", "f8", "i4", "i8", "u1", "u2", "i2", "u4", "f2", "u8"]
WORDS = ["time", "lat", "lon", "x", "größe", "a b", "#1", "level", "ω", "y'"]
TOOL, FOLDER, COUNT = os.path.abspath(sys.argv[1]), sys.argv[2], int(sys.argv[3])
draw = random.Random(int(os.environ.get("SEED", "1")))
refused = {}


def utet(*arguments):
    done = subprocess.run([TOOL, *arguments], stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
    return done.returncode, done.stdout, done.stderr.decode("utf-8", "replace")


def some_array():
    rank = draw.choice([1, 1, 2, 2, 3, 4, 5, 8])
    shape = [draw.randrange(1, {1: 5000, 2: 90, 3: 20, 4: 9, 5: 6, 8: 3}[rank]) for _ in range(rank)]
    size = int(np.prod(shape))
    dtype = np.dtype("<" + draw.choice(DTYPES))
    kind = draw.randrange(4)
    if kind == 0:
        data = np.frombuffer(draw.randbytes(size * dtype.itemsize), dtype)
    elif kind == 1:
        data = np.full(size, draw.randrange(100), dtype)
    elif kind == 2:
        data = (np.arange(size) // draw.randrange(1, 50) % 120).astype(dtype)
    else:
        data = np.array([draw.choice([0, 1, 1, 7]) for _ in range(size)], dtype)
    return np.ascontiguousarray(data.reshape(shape))


def some_metadata(array):
    names = draw.sample(WORDS, len(array.shape))
    said = {"attrs": {w: "v%d" % draw.randrange(9) for w in draw.sample(WORDS, draw.randrange(4))}, "dim_names": names,
            "coords": {name: ["%s %d" % (name, i) for i in range(n)] for name, n in zip(names, array.shape)
                       if n < 40 and draw.randrange(3) == 0}}
    return {key: value for key, value in said.items() if value and draw.randrange(3)}


def write(path):
    """The arrays by name; what the writer refuses is not in the file, and is counted by its message."""
    arrays = {}
    for round in range(draw.choice([1, 1, 1, 2])):
        session = tet.TetWriter.open_append(path) if round else tet.TetWriter.create(path)
        for _ in range(draw.choice([1, 1, 2, 3])):
            name, array = "%s %d" % (draw.choice(WORDS), len(arrays)), some_array()
            more = some_metadata(array)
            if "coords" in more and "dim_names" not in more:
                del more["coords"]
            if draw.randrange(4):
                more["chunk_shape"] = [draw.randrange(1, n + 1) if n < 50 else draw.randrange(max(1, n // 9), n + 1) for n in array.shape]
            try:
                session.write_dataset(name, array, **more)
                arrays[name] = array
            except (ValueError, TypeError, OSError) as error:
                words = "%s: %.60s" % (type(error).__name__, error)
                refused[words] = refused.get(words, 0) + 1
        if draw.randrange(2):
            session.push_history_event("interop", "seed")
        session.commit()
    return arrays


def compare(number):
    path = os.path.join(FOLDER, "%d.tet" % number)
    if os.path.exists(path):
        os.remove(path)
    try:
        arrays = write(path)
    except (ValueError, TypeError, OSError, tet.TetError) as error:
        words = "%s: %.60s" % (type(error).__name__, error)
        refused[words] = refused.get(words, 0) + 1
        tally.skipped += 1
        return
    status, _, err = utet("verify", "--deep", path)
    check("%d: verify" % number, status == 0, err)
    for name, array in arrays.items():
        for codec in ("small", "upstream"):
            got = utet("read", path, name, "--format", "raw", "-o", "-", "--codec", codec)
            check("%d, %s, %s" % (number, name, codec), got[:2] == (0, array.tobytes()), got[2])
        ranges = [(a, draw.randrange(a + 1, n + 1), draw.randrange(1, 4)) for n in array.shape for a in [draw.randrange(n)]]
        got = utet("read", path, name, "--slab", ",".join("%d:%d:%d" % r for r in ranges), "--format", "raw", "-o", "-")
        right = array[tuple(slice(*r) for r in ranges)].tobytes()
        check("%d, %s: %s" % (number, name, ranges), got[:2] == (0, right), got[2])
    status, out, err = utet("info", "--json", path)
    with tet.open(path) as file:
        theirs = file.summary()
    theirs = json.loads(theirs) if isinstance(theirs, str) else theirs
    check("%d: info" % number, status == 0 and json.loads(out) == theirs.get("summary", theirs), (err, out[:200], theirs))
    os.remove(path)


os.makedirs(FOLDER, exist_ok=True)
for number in range(COUNT):
    compare(number)
for words, times in sorted(refused.items(), key=lambda item: -item[1])[:10]:
    print("the writer refused %d times: %s" % (times, words))
print("figure: writers: %d files of tet-py %s, %d comparisons" % (COUNT - tally.skipped, tet.__version__, tally.passed + tally.failed))
sys.exit(tally.end() or tally.passed < 5 * COUNT)
