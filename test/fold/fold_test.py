#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""Folds against two second sources: fold_test.py ANSWER [--utet UTET] [--seed N] [--cases N] [--shared FOLDER]

1. The reference's expected values, *.reduce.json next to the files of FOLDER/vectors/tet, within their tolerance.
2. Random arrays of all ten dtypes that `utet pack` writes: each operation, random selections, axes, filters, budgets,
   with "not yet" before each byte, against a model in NumPy and fractions. Exact operations must have the same bits.
   So must transforms, with exponentials and logarithms from Python's decimals.

The model is fold_model.py.
"""
import argparse
import glob
import hashlib
import json
import math
import os
import random
import struct
import subprocess
import sys
import tempfile
from decimal import getcontext

import numpy as np

from fold_model import (Checks, DTYPES, METHODS, NAN, TESTS, bits_of, double_of, edges, equal, expected, expected_by,
                        expected_transform, matrix, same, to_double)
from fold_random import (OPERATIONS, Window, any_rank, columns, operations_of, pack, random_files, random_map,
                         random_numbers, random_ranges, random_tests)

E_ARGUMENT = -1


class Answers:
    def __init__(self, program):
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, path, number, operation, axes, ranges, work=65536 * 8, block=0, fill=None, tests=(), more=(), window=None, maps=None,
            counts=0):
        tests = dict(tests)
        mask = sum(1 << TESTS.index(t) for t in tests)
        numbers = ["%016x" % bits_of(tests.get(t, 0.0)) for t in TESTS[:6]]
        operation = ":".join([operation, *("%016x" % bits_of(x) if isinstance(x, float) else str(x) for x in more)])
        line = [path, number, operation, axes, work, block, "-" if fill is None else "%016x" % bits_of(fill), mask, *numbers,
                window or "-",
                "".join("%d:%d:%s;" % (d, n, ",".join("x" if g is None else str(g) for g in m)) for d, (n, m) in (maps or {}).items()) or "-",
                counts, *("%d:%d:%d" % r for r in ranges)]
        self.process.stdin.write(" ".join(map(str, line)) + "\n")
        self.process.stdin.flush()
        return self.process.stdout.readline().split()


# ---- 1: the reference's values ----

def near(got, entry):
    want = entry["value"]
    if want is None:
        return not math.isfinite(got)
    if isinstance(want, str):
        return same(got, float(want))
    if isinstance(want, bool):
        return got == float(want)
    if entry.get("exact") is not None:
        return got == float(entry["exact"])
    if got == want or (isinstance(want, float) and math.isnan(want) and math.isnan(got)):
        return True
    return abs(got - want) <= max(entry.get("abs_tolerance", 0.0), 1e-9 * abs(want))


def vectors(answers, checks, folder, only):
    """Returns how many entries have no operation here."""
    left = 0
    for path in sorted(glob.glob(os.path.join(folder, "*.reduce.json"))):
        tet = path[:-len(".reduce.json")] + ".tet"
        info = json.load(open(path[:-len(".reduce.json")] + ".info.json"))
        if only and os.path.getsize(tet) > only:
            continue
        for data in json.load(open(path)):
            shape = info["datasets"][data["dataset"]]["shape"]
            ranges = [(0, n, 1) for n in shape]
            for kind in ("scalar", "partial"):
                for name, entry in (data.get(kind) or {}).items():
                    operation, _, axis = name.partition("_axis")
                    operation, _, q = operation.partition("quantile_")
                    operation, more = ("quantile", [float(q)]) if q else (operation, [])
                    if operation == "histogram":
                        more = [entry["bins"], entry["min"], entry["max"]]
                    # Long results have only a digest; for var it is the digest of a sum that was rounded on its way.
                    digest = entry.get("sha256_f64le")
                    if operation not in OPERATIONS or "value" not in entry or (digest and operation == "var"):
                        left += 1
                        continue
                    axes = 255 if kind == "scalar" else 1 << int(axis)
                    out = answers.ask(tet, data["dataset"], operation, axes, ranges, work=160 << 20, fill=entry.get("fill"), more=more)
                    want = entry["value"] if isinstance(entry["value"], list) else [entry["value"]]
                    got = [double_of(int(x, 16)) for x in out[6 if operation == "histogram" else 4:]]
                    if digest:
                        made = hashlib.sha256(b"".join(struct.pack("<d", x) for x in got)).hexdigest()
                        checks.hold(made == digest, "%s %d %s: digest %s" % (os.path.basename(tet), data["dataset"], name, made))
                        continue
                    good = out[:1] == ["0"] and len(got) == len(want) and all(
                        near(g, dict(entry, value=w)) for g, w in zip(got, want))
                    checks.hold(good, "%s %d %s: %s, expected %s" % (os.path.basename(tet), data["dataset"], name, got[:4], want[:4]))
    return left


# ---- 2: random ----

def random_cases(answers, checks, utet, seed, cases):
    rng = random.Random(seed)
    several = 0
    for case, dtype, array, path in random_files(rng, utet, cases, any_rank(70, 14, 6, 4)):
        for operation in operations_of(dtype):
            ranges = random_ranges(rng, array.shape, 0.5, [1, 1, 2, 3])
            axes = rng.choice([255, rng.randrange(1 << array.ndim)])
            fill = None
            if operation == "null_count" or rng.random() < 0.3:
                fill = rng.choice([NAN, 3.0, to_double(array.reshape(-1)[0])])
            part = array[tuple(slice(*r) for r in ranges)]
            tests = random_tests(rng, part) if rng.random() < 0.5 else {}
            more = random_numbers(rng, operation, part)
            want, passed = expected(part, operation.replace("_i16", ""), axes, tests, fill, more)
            seen = []
            for work, block in ((1 << 20, 0), (0, 0), (0, 1)):
                out = answers.ask(path, 0, operation, axes, ranges, work, block, fill, tests, more)
                got = [double_of(int(x, 16)) for x in out[4:]]
                seen.append(out[3:])
                several += out[0] == "0" and int(out[1]) > 1
                good = out[0] == "0" and int(out[3]) == passed and len(got) == len(want) and all(map(same, got, want))
                checks.hold(good, "case %d %s %s %s axes %d ranges %s tests %s fill %s work %d block %d: %s, expected %s" % (
                    case, dtype, operation, more, axes, ranges, tests, fill, work, block, out[:3] + got[:4], want[:4]))
            checks.hold(seen[0] == seen[1] == seen[2], "case %d %s %s: budgets differ" % (case, dtype, operation))
    return several


def random_matrices(answers, checks, utet, seed, cases):
    """Returns how many were made from several blocks."""
    rng = random.Random(seed)
    several = 0

    def extents(rng):
        return [rng.choice([1, 2, 5, rng.randint(1, 12)]), rng.randint(1, 12)]

    for case, dtype, array, path in random_files(rng, utet, cases, extents, ("raw", "zstd"), alike=0.3):
        ranges = [(rng.choice([0, 0, n // 2]), n, rng.choice([1, 1, 2])) for n in array.shape]
        part = array[tuple(slice(*r) for r in ranges)]
        axis = rng.randrange(2)
        rows = list(part.T if axis == 0 else part)
        for operation in ("covariance", "correlation"):
            want = matrix(rows, operation == "correlation")
            for work, block in ((1 << 20, 0), (0, 0), (0, 1), (rng.randint(6000, 20000), 0)):  # a zstd chunk needs more than 5,000
                out = answers.ask(path, 0, operation, 0, ranges, work, block, more=[axis])
                got = [double_of(int(x, 16)) for x in out[4:]]
                several += out[0] == "0" and int(out[2]) < len(rows)
                good = out[0] == "0" and int(out[3]) == len(rows[0]) and len(got) == len(want) and all(map(same, got, want))
                checks.hold(good, "matrix %d %s %s of axis %d ranges %s work %d block %d: %s, expected %s" % (
                    case, dtype, operation, axis, ranges, work, block, out[:4] + got[:6], want[:6]))
    return several


def long_matrices(answers, checks, utet, seed):
    """More observations than are multiplied together, 128, and too few for that."""
    rng = np.random.default_rng(seed)
    for dtype in DTYPES:
        for count in (3, 129, 300):
            array = columns(rng, dtype, count)
            with tempfile.TemporaryDirectory() as folder:
                path = pack(utet, folder, array, dtype, [rng.choice([count, 50]), array.shape[1]], "raw")
                ranges = [(0, n, 1) for n in array.shape]
                for operation in ("covariance", "correlation")[:1 + (count == 129)]:
                    want = matrix(list(array.T), operation == "correlation")
                    for work in (1 << 20, 40000):
                        out = answers.ask(path, 0, operation, 0, ranges, work, 0, more=[0])
                        got = [double_of(int(x, 16)) for x in out[4:]]
                        checks.hold(out[0] == "0" and len(got) == len(want) and all(map(same, got, want)),
                                    "%s of %d %s, work %d: %s, expected %s" % (operation, count, dtype, work, out[:4] + got[:6], want[:6]))


def random_edges(answers, checks, path, seed, cases):
    rng = random.Random(seed)
    for _ in range(cases):
        bins = rng.choice([1, 2, 7, 100, 2047, 2048, 2049, 4096, rng.randint(1, 4096)])
        low = rng.choice([0.0, rng.uniform(-9, 9), rng.uniform(-1, 1) * 2.0 ** rng.randint(-900, 900), -5e-324])
        high = rng.choice([low + 1.0, low + rng.random() * 2.0 ** rng.randint(-60, 9), abs(low) * rng.uniform(1, 9), low])
        got = [double_of(int(x, 16)) for x in answers.ask(path, 0, "edges", 0, [], more=[bins, low, high])]
        want = edges(low, high, bins)
        checks.hold(len(got) == bins + 1 and all(map(same, got, want)),
                    "edges of %d bins from %r to %r: %s, expected %s" % (bins, low, high, got[:4], want[:4]))


def grouped_cases(answers, checks, utet, seed, cases):
    """Windows, groups and masks."""
    rng = random.Random(seed)
    tally = dict(windows=0, groups=0, masks=0, boxes=0, refused=0)
    for case, dtype, array, path in random_files(rng, utet, cases, any_rank(50, 11, 6, 4)):
        for operation in operations_of(dtype):
            ranges = random_ranges(rng, array.shape, 0.3, [1, 1, 1, 2])
            part = array[tuple(slice(*r) for r in ranges)]
            axes = rng.choice([255, rng.randrange(1 << array.ndim)])
            fill = None
            if operation == "null_count" or rng.random() < 0.4:
                fill = rng.choice([NAN, 3.0, -1.0, 0.1, to_double(part.reshape(-1)[0]), 2.0 ** 63, -0.0, 5e-324, math.inf])
            tests = random_tests(rng, part) if rng.random() < 0.4 else {}
            window = Window(rng, part, rng.randrange(array.ndim), fill) if rng.random() < 0.6 else None
            maps = {d: random_map(rng, part.shape[d]) for d in range(array.ndim) if rng.random() < (0.2 if window else 0.6)}
            if window and window.axis in maps:
                maps[window.axis] = (0, [g if g is None else 0 for g in maps[window.axis][1]])
            more = random_numbers(rng, operation, part)
            several = operation in ("median", "quantile", "histogram")
            if several and rng.random() < 0.9:
                window = None
            asked = rng.randrange(2)
            what = "case %d %s %s %s axes %d ranges %s tests %s fill %s window %s maps %s counts %d" % (
                case, dtype, operation, more, axes, ranges, tests, fill, window, maps, asked)
            if window and (several or not window.good(part)):
                out = answers.ask(path, 0, operation, axes, ranges, 1 << 20, 0, fill, tests, more, window, maps, asked)
                checks.hold(out == [str(E_ARGUMENT)], "%s: %s, expected a refusal" % (what, out))
                tally["refused"] += 1
                continue
            want, counts, taken = expected_by(part, operation.replace("_i16", ""), axes, tests, fill, window, maps, more)
            seen = []
            for work, block in ((1 << 20, 0), (0, 0), (0, 1), (rng.randrange(5000), 0)):
                out = answers.ask(path, 0, operation, axes, ranges, work, block, fill, tests, more, window, maps, asked)
                numbers = out[4:out.index("/")] if "/" in out else out[4:]
                got = [double_of(int(x, 16)) for x in numbers]
                seen.append(out[3:])
                good = out[0] == "0" and int(out[1]) >= 1 and int(out[3]) == taken and len(got) == len(want) and all(map(same, got, want))
                if asked:
                    good = good and "/" in out and list(map(int, out[out.index("/") + 1:]))[:len(counts)] == counts
                checks.hold(good, "%s work %d block %d: %s, expected %d %s" % (what, work, block, out[:4] + got[:9], taken, want[:9]))
                tally["boxes"] += out[0] == "0" and int(out[1]) > 1
            checks.hold(seen.count(seen[0]) == len(seen), what + ": budgets differ")
            tally["windows"] += window is not None
            tally["groups"] += any(n for n, _ in maps.values())
            tally["masks"] += any(not n for n, _ in maps.values())
    return tally


def several_cases(answers, checks, utet, seed, cases):
    """Several operations with one reading, also by windows, groups and masks: the results of each alone, one after the other."""
    rng = random.Random(seed)
    tally = dict(lists=0, grouped=0, boxes=0)
    for case, dtype, array, path in random_files(rng, utet, cases, any_rank(50, 11, 6, 4)):
        ranges = random_ranges(rng, array.shape, 0.3, [1, 1, 1, 2])
        part = array[tuple(slice(*r) for r in ranges)]
        for _ in range(6):
            axes = rng.choice([255, rng.randrange(1 << array.ndim)])
            fill = rng.choice([NAN, 3.0, -1.0, to_double(part.reshape(-1)[0])])
            tests = random_tests(rng, part) if rng.random() < 0.4 else {}
            window = Window(rng, part, rng.randrange(array.ndim), fill) if rng.random() < 0.3 else None
            window = window if window and window.good(part) else None
            maps = {d: random_map(rng, part.shape[d]) for d in range(array.ndim) if not window and rng.random() < 0.3}
            able = [o for o in operations_of(dtype) if o not in ("median", "quantile", "histogram")]
            names = rng.choice([["mean", "min", "max", "count"], rng.choices(able, k=rng.randint(2, 16))])
            each = [expected_by(part, name.replace("_i16", ""), axes, tests, fill, window, maps, []) for name in names]
            want = [x for results in zip(*(e[0] for e in each)) for x in results]
            _, counts, taken = each[0]
            asked = rng.randrange(2)
            seen = []
            for work, block in ((1 << 20, 0), (0, 0), (0, 1), (rng.randrange(5000), 0)):
                out = answers.ask(path, 0, "+".join(names), axes, ranges, work, block, fill, tests, (), window, maps, asked)
                numbers = out[4:out.index("/")] if "/" in out else out[4:]
                got = [double_of(int(x, 16)) for x in numbers]
                seen.append(out[3:])
                good = out[0] == "0" and int(out[3]) == taken and len(got) == len(want) and all(map(same, got, want)) and \
                    (not asked or list(map(int, out[out.index("/") + 1:])) == counts)
                checks.hold(good, "case %d %s %s axes %d ranges %s tests %s fill %s window %s maps %s work %d block %d: %s, expected %d %s" % (
                    case, dtype, names, axes, ranges, tests, fill, window, maps, work, block, out[:4] + got[:9], taken, want[:9]))
                tally["boxes"] += out[0] == "0" and int(out[1]) > 1
            checks.hold(seen[0] == seen[1] == seen[2], "case %d %s %s: budgets differ" % (case, dtype, names))
            tally["lists"] += 1
            tally["grouped"] += bool(window or maps)
    return tally


def transform_cases(answers, checks, utet, seed, cases):
    rng = random.Random(seed)
    tally = dict(boxes=0, undefined=0, groups=0, masks=0, filtered=0, stretches=0)
    for case, dtype, array, path in random_files(rng, utet, cases, any_rank(60, 12, 6, 4), dtypes=["f32", "f64"]):
        for method in METHODS:
            ranges = random_ranges(rng, array.shape, 0.4, [1, 1, 2, 3])
            part = array[tuple(slice(*r) for r in ranges)]
            axes = rng.choice([255, rng.randrange(1 << array.ndim)])
            fill = rng.choice([None, None, NAN, to_double(part.reshape(-1)[0])])
            tests = random_tests(rng, part) if rng.random() < 0.3 else {}
            maps = {d: random_map(rng, part.shape[d]) for d in range(array.ndim) if rng.random() < 0.2}
            known, passed, undefined, result = expected_transform(part, method, axes, tests, fill, maps)
            size = array.dtype.itemsize
            for work, block in ((1 << 20, 0), (0, 0), (0, 1)):
                start, many = (0, part.size) if rng.random() < 0.7 else (rng.randint(0, part.size + 1), rng.randint(0, part.size + 1))
                out = answers.ask(path, 0, "transform_" + method, axes, ranges, work, block, fill, tests, (str(start), str(many * size)), maps=maps)
                want = result.reshape(-1)[start:start + many]
                wanted = [n for n in undefined if start <= n < start + many]
                good = out[0] == "0" and int(out[3]) == passed and "/" in out
                if good:
                    behind = out.index("/")
                    got = [double_of(int(x, 16)) for x in out[4:behind]]
                    good = len(got) == len(known) and all(map(same, got, known)) and out[-1].endswith(".") and \
                        equal(bytes.fromhex(out[behind + 3][:-1]), want) and \
                        [int(x) for x in out[behind + 1:behind + 3]] == [len(wanted), sum(wanted)]
                checks.hold(good, "transform %d %s %s of %s axes %d ranges %s tests %s fill %s maps %s from %d of %d work %d block %d: %s, expected %s %d %s %s" % (
                    case, dtype, method, array.shape, axes, ranges, tests, fill, maps, start, many, work, block, out[:40], known[:4], passed, wanted[:4], want[:6]))
                tally["boxes"] += out[0] == "0" and int(out[1]) > 1
                tally["stretches"] += 0 < len(want) < part.size
            tally["undefined"] += bool(undefined)
            tally["groups"] += any(n for n, _ in maps.values())
            tally["masks"] += any(not n for n, _ in maps.values())
            tally["filtered"] += bool(tests)
    return tally


def transform_values(answers, checks, utet):
    """Logarithms, roots and exponentials of chosen doubles: powers of two from 2^-60 to 2^60 with eighths between them, and the doubles
    next to each; and where the logarithm uses another method: at 1/4, and where 1 + x is the root of 2 times a power of two."""
    some = [2.0 ** k * (1 + j / 8) for k in range(-60, 61, 1) for j in (range(8) if -4 <= k < 5 else (0, 3, 7) if k % 5 == 0 else (0,))]
    some += [math.sqrt(2) * 2.0 ** k - 1 for k in range(12)]
    beside = [float(np.nextafter(x, y)) for x in some for y in (0, math.inf) if 0.2 < x < 9]
    up = sorted(some + beside)
    with tempfile.TemporaryDirectory() as folder:
        for method, values in (("log1p", [0.0] + up), ("sqrt", [0.0] + up), ("softmax", [0.0] + [-x for x in up if 1e-20 < x < 2000])):
            array = np.array(values)
            path = os.path.join(folder, method + ".tet")
            os.rename(pack(utet, folder, array, "f64", [len(array)], "raw"), path)
            known, _, _, result = expected_transform(array, method, 255, {}, None, {})
            out = answers.ask(path, 0, "transform_" + method, 255, [(0, len(array), 1)], 1 << 20, 0, None, {}, ("0", str(result.nbytes)), maps={})
            got = np.frombuffer(bytes.fromhex(out[-1][:-1]), array.dtype) if out[0] == "0" else array[:0]
            checks.hold(len(got) == len(result) and all(map(same, (double_of(int(x, 16)) for x in out[4:out.index("/")]), known)), method)
            for x, a, b in zip(array, got, result):
                checks.hold(same(a, b), "%s of %r: %r, expected %r" % (method, x, a, b))


def main():
    ask = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    ask.add_argument("answer")
    ask.add_argument("--utet")
    ask.add_argument("--seed", type=int, default=1)
    ask.add_argument("--cases", type=int, default=20)
    ask.add_argument("--shared", default="")
    ask.add_argument("--most", type=int, default=0, help="files of at most so many bytes; 0: all")
    args = ask.parse_args()
    np.seterr(all="ignore")
    getcontext().prec = 60
    answers, checks, skipped = Answers(args.answer), Checks(), 0
    folder = os.path.join(args.shared, "vectors", "tet")
    if os.path.isdir(folder):
        left = vectors(answers, checks, folder, args.most)
        print("figure: fold-vectors %d values, %d of operations that are not there" % (checks.passed, left))
    elif args.shared:
        skipped = 1
        print("skipped: the reference's values, %s is not there" % folder)
    if args.utet:
        blocks = random_matrices(answers, checks, args.utet, args.seed, args.cases)
        checks.hold(blocks > 0, "no matrix in several blocks")
        long_matrices(answers, checks, args.utet, args.seed)
        random_edges(answers, checks, sys.argv[0], args.seed, args.cases)
        several = random_cases(answers, checks, args.utet, args.seed, args.cases)
        checks.hold(several > 0, "no fold in several boxes")
        print("figure: fold-random %d of several boxes" % several)
        transform_values(answers, checks, args.utet)
        tally = transform_cases(answers, checks, args.utet, args.seed, args.cases // 2)
        checks.hold(all(tally.values()), "a kind of transform that never occurs: %s" % tally)
        print("figure: fold-transforms " + ", ".join("%d %s" % (n, kind) for kind, n in tally.items()))
        tally = grouped_cases(answers, checks, args.utet, args.seed, args.cases)
        checks.hold(all(tally.values()), "a kind of grouping that never occurs: %s" % tally)
        print("figure: fold-grouped " + ", ".join("%d %s" % (n, kind) for kind, n in tally.items()))
        tally = several_cases(answers, checks, args.utet, args.seed, args.cases // 3)
        checks.hold(all(tally.values()), "a kind of list that never occurs: %s" % tally)
        print("figure: fold-several " + ", ".join("%d %s" % (n, kind) for kind, n in tally.items()))
    print("%d passed, %d failed%s" % (checks.passed, checks.failed, ", %d skipped" % skipped if skipped else ""))
    sys.exit(1 if checks.failed else 0)


if __name__ == "__main__":
    main()
