#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""`utet query -j N` prints the same as -j 1, to the byte: jobs_test.py UTET PACK

All query documents of the conformance pack over all its files, as JSON and as text; reductions over files of many
chunks, whole and damaged, also as .npy. Other tests compare the answers with second sources.
"""
import glob
import json
import os
import random
import struct
import subprocess
import sys
import tempfile

UTET, PACK = sys.argv[1], sys.argv[2]
JOBS = ("2", "8", None)
REDUCTIONS = ["sum", "mean", "min", "max", "count", "var", "std", "product", "norm_l1", "norm_l2", "all_finite", "any_nan",
              "nan_count", "nan_mean", "nan_std", "arg_min", "arg_max"]
METHODS = ["center", "zscore", "scale", "minmax", "l1", "l2", "log1p", "sqrt", "softmax"]
FORMS = [{}, {"filter": {"gt": 0.25}}, {"window": {"mode": "rolling", "axis": 0, "size": 5, "pad": "zero"}}]


def run(words, jobs):
    done = subprocess.run([UTET, "query", *words, *(["-j", jobs] if jobs else [])], capture_output=True, check=False)
    return done.returncode, done.stdout, done.stderr


def documents(rng):
    for name in REDUCTIONS:
        for form in FORMS:
            axes = 0 if "window" in form else rng.choice([[], 0, 1])
            yield dict(dataset="a", **{name: axes}, **form)
    for form in FORMS[:2]: # several passes
        yield dict(dataset="a", quantile={"q": rng.choice([0, 0.3, 1])}, **form)
        yield dict(dataset="a", median=rng.choice([[], 0, 1]), **form)
        yield dict(dataset="a", histogram={"bins": rng.choice([1, 7, 300])}, **form)
    yield dict(dataset="a", histogram={"bins": 20, "min": -1, "max": 2})
    yield dict(dataset="a", group_by={"axis": 0, "mode": "index"}, median=1)
    for name in ("covariance", "correlation"):
        for form in FORMS[:2]:
            document = {"dataset": "a", name: rng.randrange(2), **form}
            if rng.random() < 0.5:
                document["selection"] = [dict(start=rng.randint(0, 20), stop=rng.randint(30, 50), step=rng.choice([1, 3, 8, 10]))
                                         for _ in range(2)]
            yield document
    yield dict(dataset="a", group_by={"axis": 0, "mode": "index"}, sum=1)


def transforms(rng):
    """Whole files, and selections with steps below and above the length of a tile."""
    for method in METHODS:
        for axes in ([], [0], [1]):
            document = dict(dataset="a", transform={"method": method, "axes": axes})
            if rng.random() < 0.3:
                document["filter"] = {"gt": 0.25}
            if rng.random() < 0.4:
                document["selection"] = [dict(start=rng.randint(0, 20), stop=rng.randint(30, 50), step=rng.choice([1, 3, 8, 10]))
                                         for _ in range(2)]
            yield document


def make(folder, name, rng, dtype, codec):
    """A file of 60 x 50 elements, in tiles of 7 x 9."""
    raw, path = os.path.join(folder, "raw"), os.path.join(folder, name)
    with open(raw, "wb") as out:
        out.write(bytes(rng.choice(b"\x00\x01\x3f\x80") for _ in range(60 * 50 * int(dtype[1:]) // 8)))
    subprocess.run([UTET, "pack", raw, "-o", path, "--dtype", dtype, "--shape", "60x50", "--tile", "7x9", "--name", "a",
                    "--codec", codec], check=True, capture_output=True)
    return path


def make_cube(folder, rng):
    """3 x 20 x 18 elements in tiles of 3 x 4 x 9. Half of the rows are zeros, so that scaled elements are undefined."""
    raw, path = os.path.join(folder, "raw"), os.path.join(folder, "cube.tet")
    with open(raw, "wb") as out:
        for _ in range(3 * 20):
            out.write(struct.pack("<18f", *[rng.random() for _ in range(18)]) if rng.random() < 0.5 else bytes(72))
    subprocess.run([UTET, "pack", raw, "-o", path, "--dtype", "f32", "--shape", "3x20x18", "--tile", "3x4x9", "--name", "a"],
                   check=True, capture_output=True)
    return path


def damaged(path, rng):
    """The same file with one byte changed, anywhere except in its head."""
    data = bytearray(open(path, "rb").read())
    for _ in range(rng.choice([1, 1, 4])):
        data[rng.randrange(400, len(data))] ^= 1 << rng.randrange(8)
    with open(path + ".bad", "wb") as out:
        out.write(data)
    return path + ".bad"


class Run:
    def __init__(self):
        self.passed, self.failed, self.errors, self.answers = 0, 0, 0, 0

    def compare(self, words, output=None):
        wanted = None
        for jobs in ("1", *JOBS):
            got = run(words, jobs)
            if output is not None:
                got += (open(output, "rb").read() if os.path.exists(output) else None,)
                if os.path.exists(output):
                    os.remove(output)
            if wanted is None:
                wanted = got
                self.errors += got[0] != 0
                self.answers += got[0] == 0
                continue
            if got == wanted:
                self.passed += 1
            else:
                self.failed += 1
                print("FAILED: %s -j %s: %r, not %r" % (" ".join(words), jobs, got, wanted))


def main():
    rng, tests = random.Random(5), Run()
    with tempfile.TemporaryDirectory() as folder:
        query = os.path.join(folder, "q.json")
        for dtype in ("f32", "i16", "f64", "u8"):
            path = make(folder, dtype + ".tet", rng, dtype, rng.choice(["zstd", "raw"]))
            for document in documents(rng):
                with open(query, "w", encoding="utf-8") as out:
                    json.dump(document, out)
                tests.compare(["--json", path, query])
                if rng.random() < 0.3:
                    npy = os.path.join(folder, "out.npy")
                    tests.compare(["--npy", npy, path, query], npy)
                    tests.compare([path, query])
                tests.compare(["--json", damaged(path, rng), query])
            for document in transforms(rng) if dtype[0] == "f" else ():
                with open(query, "w", encoding="utf-8") as out:
                    json.dump(document, out)
                npy = os.path.join(folder, "out.npy")
                tests.compare(["--npy", npy, path, query], npy)
                tests.compare(["--json", path, query])
                tests.compare(["--json", damaged(path, rng), query])
        path = make_cube(folder, rng)
        for method in METHODS:
            for axes in ([], [0], [1], [2], [0, 2]):
                with open(query, "w", encoding="utf-8") as out:
                    json.dump(dict(dataset="a", transform={"method": method, "axes": axes}), out)
                npy = os.path.join(folder, "out.npy")
                tests.compare(["--npy", npy, path, query], npy)
                tests.compare(["--json", "--preview", "1080", path, query])
        if tests.errors < 30 or tests.answers < 200:
            tests.failed += 1
            print("FAILED: %d errors, %d answers: too few" % (tests.errors, tests.answers))
    skipped = 0
    if os.path.isdir(PACK):
        files = sorted(glob.glob(PACK + "/fixtures/small/tet/*.tet"))
        for number, query in enumerate(sorted(glob.glob(PACK + "/fixtures/queries/**/*.json", recursive=True) +
                                              glob.glob(PACK + "/conformance/**/*.json", recursive=True))):
            for path in files:
                tests.compare(["--json"][:number % 4] + [path, query])
    else:
        skipped = 1
        print("skipped: the conformance pack: no folder %s" % PACK)
    print("figure: %d answers and %d errors with 2, 8 and the machine's threads" % (tests.answers, tests.errors))
    print("%d passed, %d failed%s" % (tests.passed, tests.failed, ", %d skipped" % skipped if skipped else ""))
    return tests.failed != 0


if __name__ == "__main__":
    sys.exit(main())
