#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""Folds against two second sources: fold_test.py ANSWER [--utet UTET] [--seed N] [--cases N] [--shared FOLDER]

1. The reference's expected values, *.reduce.json beside the files of FOLDER/vectors/tet, within their tolerance.
2. Random arrays of all ten dtypes that `utet pack` writes: each operation, random selections, axes, filters, budgets,
   with "not yet" before each byte, against a model in NumPy and fractions. Exact operations must have the same bits.
   Transforms likewise, with exponentials and logarithms from Python's decimals.

The model shares nothing with src/: elements become fractions, sums are exact, and Python rounds once.
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
from decimal import Decimal, getcontext
from fractions import Fraction

import numpy as np

DTYPES = ["f32", "f64", "i32", "i64", "u8", "u16", "i16", "u32", "f16", "u64"]
NUMPY = dict(f32="<f4", f64="<f8", i32="<i4", i64="<i8", u8="u1", u16="<u2", i16="<i2", u32="<u4", f16="<f2", u64="<u8")
OPERATIONS = ["sum", "mean", "norm_l1", "norm_l2", "var", "std", "nan_mean", "nan_std", "min", "max", "argmin", "argmax", "count",
              "nan_count", "inf_count", "null_count", "all_finite", "any_nan", "any_inf", "product", "median", "quantile", "histogram"]
TESTS = ["eq", "ne", "lt", "le", "gt", "ge", "is_null", "is_not_null"]
NAN = float("nan")
E_ARGUMENT = -1


def bits_of(value):
    return struct.unpack("<Q", struct.pack("<d", value))[0]


def double_of(bits):
    return struct.unpack("<d", struct.pack("<Q", bits))[0]


def to_double(value):
    """An element as the nearest double."""
    return float(int(value)) if isinstance(value, np.integer) else float(value)


def nearest(value):
    """The double nearest to a fraction; Python's division of integers rounds once."""
    try:
        return value.numerator / value.denominator
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def root(value):
    """The double nearest to the root of a fraction, by integers: 80 more bits than asked for, and whether some are left."""
    if value == 0:
        return 0.0
    shift = 0
    while value * Fraction(4) ** shift < 1 << 200:
        shift += 50
    scaled = value * Fraction(4) ** shift
    whole = math.isqrt(scaled.numerator // scaled.denominator)
    exact = whole * whole == scaled
    return nearest(Fraction(2 * whole + (0 if exact else 1), 2) / Fraction(2) ** shift)


def special_sum(doubles):
    """nan or inf when the sum is not finite, else None"""
    more, less = math.inf in doubles, -math.inf in doubles
    if any(math.isnan(x) for x in doubles) or (more and less):
        return NAN
    return math.inf if more else -math.inf if less else None


def product(doubles):
    """As IEEE 754 multiplies, but without limits of the exponent."""
    seen = [x for x in doubles if not math.isfinite(x)]
    sign = -1.0 if sum(math.copysign(1, x) < 0 for x in doubles) % 2 else 1.0
    if any(math.isnan(x) for x in seen) or (seen and 0.0 in doubles):
        return NAN
    if seen:
        return sign * math.inf
    if 0.0 in doubles:
        return sign * 0.0
    mantissa, exponent = 1.0, 0
    for x in doubles:
        m, e = math.frexp(abs(x))
        mantissa, shift = math.frexp(mantissa * m)
        exponent += e + shift
    return sign * nearest(Fraction(mantissa) * Fraction(2) ** exponent)


def variance(values):
    n = len(values)
    mean = sum(values, Fraction(0)) / n
    return sum(((v - mean) ** 2 for v in values), Fraction(0)) / n


def quantile(values, doubles, q):
    """Type 7 in fractions: what lies between two elements is exact and rounded once."""
    if not values or any(math.isnan(x) for x in doubles):
        return NAN
    order = sorted(range(len(values)), key=lambda i: (values[i], math.copysign(1, doubles[i])))
    place = Fraction(q) * (len(values) - 1)
    at = place.numerator // place.denominator
    low = doubles[order[at]]
    if place == at:
        return low
    a, b = values[order[at]], values[order[at + 1]]
    high = doubles[order[at + 1]]
    if math.isinf(low) or math.isinf(high):
        return low if low == high else low + high
    if a == b and bits_of(low) == bits_of(high):
        return low
    a, b = (Fraction(int(v)) if isinstance(v, np.integer) else Fraction(float(v)) for v in (a, b))
    return nearest(a + (b - a) * (place - at)) + 0.0


def histogram(doubles, bins, low=None, high=None):
    """The range, then the counts: (x - low) / width as NumPy's doubles have it."""
    if low is None:
        seen = sorted((x, math.copysign(1, x)) for x in doubles if math.isfinite(x))
        low, high = (seen[0][0], seen[-1][0]) if seen else (NAN, NAN)
    low, high = low + 0.0, high + 0.0  # no edge is -0
    counts = [0] * bins
    # Halves of halves, where the range is too large for a double.
    scale = 1.0 if math.isnan(low) or math.isfinite(high - low) else 0.25
    width = (high * scale - low * scale) / bins
    for x in doubles:
        if math.isnan(x):
            continue
        place = 0.0
        if high - low >= 2.0 ** -52:
            with np.errstate(all="ignore"):
                place = math.copysign(bins, x) if math.isinf(x) else np.floor(np.float64(x * scale - low * scale) / np.float64(width))
        counts[int(min(max(place, 0), bins - 1))] += 1
    return [low, high, *map(float, counts)]


def edges(low, high, bins):
    if not high - low >= 2.0 ** -52:
        return [low] + [high] * bins
    width = (high - low) / bins
    return [low] + [low + i * width for i in range(1, bins)] + [high]


def short(value):
    """A fraction to 53 bits, whatever its exponent."""
    if value == 0:
        return value
    shift = 53 - (value.numerator.bit_length() - value.denominator.bit_length())
    scale = Fraction(2) ** shift
    return Fraction(nearest(value * scale)) / scale


def short_root(value):
    """The root to 53 bits, whatever its exponent."""
    half = (value.numerator.bit_length() - value.denominator.bit_length()) // 2
    return Fraction(root(value / Fraction(4) ** half)) * Fraction(2) ** half


def matrix(rows, correlation):
    """rows: the observations of each variable. The matrix, row after row."""
    n = len(rows[0])
    good = [all(math.isfinite(to_double(v)) for v in row) for row in rows]
    exact = [[Fraction(int(v)) if isinstance(v, np.integer) else Fraction(float(v)) for v in row] if g else None for row, g in zip(rows, good)]
    sums = [sum(row, Fraction(0)) if row is not None else None for row in exact]

    def covariance(i, j):
        return (n * sum((x * y for x, y in zip(exact[i], exact[j])), Fraction(0)) - sums[i] * sums[j]) / (n * n)

    spread = [short_root(covariance(i, i)) if g and correlation else None for i, g in enumerate(good)]
    results = []
    for i in range(len(rows)):
        for j in range(len(rows)):
            if not good[i] or not good[j]:
                results.append(NAN)
            elif i == j and correlation:
                results.append(1.0)
            else:
                value = covariance(i, j)
                if correlation and value != 0:
                    value /= short(spread[i] * spread[j])
                    value = min(max(value, Fraction(-1)), Fraction(1))
                results.append(nearest(value) + 0.0)
    return results


def fold(operation, cells, fill, more=()):
    """cells: (place, element) in row-major order; more: the operation's own numbers."""
    values = [v for _, v in cells]
    doubles = [to_double(v) for v in values]
    if operation in ("nan_mean", "nan_std"):
        values = [v for v, x in zip(values, doubles) if not math.isnan(x)]
        doubles = [x for x in doubles if not math.isnan(x)]
        if not values:
            return NAN
    if operation == "count":
        return float(len(values))
    if operation == "histogram":
        return histogram(doubles, *more)
    if operation == "nan_count":
        return float(sum(math.isnan(x) for x in doubles))
    if operation == "inf_count":
        return float(sum(math.isinf(x) for x in doubles))
    if operation == "null_count":
        return float(sum(is_fill(v, fill) for v in values))
    if operation == "all_finite":
        return float(all(math.isfinite(x) for x in doubles))
    if operation == "any_nan":
        return float(any(math.isnan(x) for x in doubles))
    if operation == "any_inf":
        return float(any(math.isinf(x) for x in doubles))
    if operation == "product":
        return product(doubles)
    if operation in ("median", "quantile"):
        return quantile(values, doubles, 0.5 if operation == "median" else more[0])
    if not values:
        return 0.0
    if operation in ("min", "max", "argmin", "argmax"):
        real = [i for i, x in enumerate(doubles) if not math.isnan(x)]
        if not real:
            return NAN if operation in ("min", "max") else float(min(place for place, _ in cells))
        choose = min if operation.endswith("min") else max
        exact = [values[i] if isinstance(values[i], (int, np.integer)) else doubles[i] for i in real]
        if operation in ("min", "max"):
            best = choose(exact, key=lambda v: (v, math.copysign(1, to_double(v)) if v == 0 else 0))
            return to_double(best)
        best = choose(exact)
        return float(min(cells[i][0] for i, v in zip(real, exact) if v == best))
    if operation in ("norm_l1", "norm_l2"):
        doubles = [abs(x) for x in doubles]
    special = special_sum(doubles)
    if operation in ("var", "std", "nan_std"):
        if special is not None:
            return NAN
    elif special is not None:
        return special
    exact = [Fraction(int(v)) if isinstance(v, np.integer) else Fraction(float(v)) for v in values]
    if operation == "sum":
        return nearest(sum(exact, Fraction(0))) + 0.0
    if operation in ("mean", "nan_mean"):
        return nearest(sum(exact, Fraction(0)) / len(exact)) + 0.0
    if operation == "norm_l1":
        return nearest(sum(map(abs, exact), Fraction(0)))
    if operation == "norm_l2":
        return root(sum((v * v for v in exact), Fraction(0)))
    return nearest(variance(exact)) if operation == "var" else root(variance(exact))


# ---- transforms: doubles as Python and NumPy round them, exponentials and logarithms in decimals ----

METHODS = ["center", "zscore", "scale", "minmax", "l1", "l2", "log1p", "sqrt", "softmax"]
UNDEFINED = "undefined"


def statistics(method, values):
    """Those of a cell, in the order of utet_transform.h."""
    cells = list(enumerate(values))
    names = dict(center=["mean"], zscore=["mean", "std"], scale=["std"], minmax=["min", "max"], l1=["norm_l1"], l2=["norm_l2"],
                 log1p=["min"], sqrt=["min"], softmax=["max"])
    found = [fold(name, cells, None) for name in names[method]]
    if method == "softmax":
        total = sum((Fraction(exponential(to_double(v) - found[0])) for v in values if math.isfinite(v)), Fraction(0))
        found.append(nearest(total))
    return found


def exponential(x):
    if not x > -800:  # NaN, too
        return 0.0
    return nearest(Fraction(*Decimal(x).exp().as_integer_ratio()))


def divided(a, b):
    return UNDEFINED if b == 0 or not math.isfinite(b) else float(np.float64(a) / np.float64(b))


def transformed(method, x, known):
    if not math.isfinite(x):
        return x
    if method == "center":
        return x - known[0]
    if method == "zscore":
        return divided(x - known[0], known[1])
    if method in ("scale", "l1", "l2"):
        return divided(x, known[0])
    if method == "minmax":
        return divided(x - known[0], known[1] - known[0] if math.isfinite(known[1]) else NAN)
    if method == "softmax":
        return divided(exponential(x - known[0]), known[1])
    over = x - known[0]
    if math.isinf(over) or over == 0:
        return over
    if method == "sqrt":
        return math.sqrt(over)
    exact = Fraction(over)
    if over < 1e-15:  # its series, to less than 2^-148 of it
        return nearest(exact - exact * exact / 2 + exact ** 3 / 3)
    return nearest(Fraction(*(Decimal(over) + 1).ln().as_integer_ratio()))


def expected_transform(array, method, axes, tests, fill, maps):
    """Statistics, elements that passed, numbers of those that are undefined, the result."""
    width = [maps[d][0] if d in maps and maps[d][0] else 1 if axes >> d & 1 else n for d, n in enumerate(array.shape)]
    cells = {at: [] for at in np.ndindex(*width)}
    result = np.full(array.shape, NAN, array.dtype)
    taken = []
    for number, at in enumerate(np.ndindex(*array.shape)):
        if any(maps[d][1][at[d]] is None for d in maps) or (tests and not passes(array[at], tests, fill)):
            continue
        cell = tuple(maps[d][1][at[d]] if d in maps and maps[d][0] else 0 if axes >> d & 1 else at[d] for d in range(array.ndim))
        cells[cell].append(array[at])
        taken.append((number, at, cell))
    known = {cell: statistics(method, values) for cell, values in cells.items()}
    undefined = []
    for number, at, cell in taken:
        value = transformed(method, to_double(array[at]), known[cell])
        if value is UNDEFINED:
            undefined.append(number)
            value = NAN
        if math.isfinite(array[at]):
            result[at] = value
        else:
            result[at] = array[at]
    return [x for cell in np.ndindex(*width) for x in known[cell]], len(taken), undefined, result


def is_fill(value, fill):
    """Floats by the bits of their double, and NaN stands for every NaN; integers exactly, and 0 is not -0."""
    if isinstance(value, np.integer):
        return int(value) == fill and (fill != 0 or math.copysign(1, fill) > 0)
    x = to_double(value)
    return math.isnan(x) if math.isnan(fill) else bits_of(x) == bits_of(fill)


def passes(value, tests, fill):
    """Floats as doubles, integers exactly, as Python compares them with a double; the fill likewise."""
    x = to_double(value)
    whole = int(value) if isinstance(value, np.integer) else None
    y = x if whole is None else whole
    null = math.isnan(x) or (fill is not None and is_fill(value, fill))
    for test, number in tests.items():
        if test == "is_null" or test == "is_not_null":
            if null != (test == "is_null"):
                return False
            continue
        same = bits_of(x) == bits_of(number) if whole is None else whole == number and bits_of(number) != bits_of(-0.0)
        if test == "ne":
            if not null and same:
                return False
        elif null:
            return False
        elif not {"eq": same, "lt": y < number, "le": y <= number, "gt": y > number, "ge": y >= number}[test]:
            return False
    return True


MODES, PADS, ALIGNS = ["bins", "rolling"], ["none", "0", "nan", "fill"], ["start", "end"]


class Window:
    """axis, size, step, min_count, mode, pad, align"""

    def __init__(self, rng, array, axis, fill):
        self.axis = axis
        extent = array.shape[axis]
        self.size = rng.randint(1, extent)
        self.mode = rng.choice(MODES)
        self.pad = rng.choice(PADS)
        if self.pad == "nan" and array.dtype.kind != "f" or self.pad == "fill" and fill is None:
            self.pad = "0"
        self.align = rng.choice(ALIGNS)
        if self.mode == "rolling" and self.pad == "none":
            self.align = "start"
        self.step = rng.choice([0, 1, 2, 3, self.size]) if self.mode == "rolling" else 0
        self.min_count = rng.choice([0, 0, 1, 2, self.size])
        size, step, padded = self.size, max(self.step, 1), self.pad != "none"
        if self.mode == "bins":
            short = extent % size if self.align == "end" else 0
            self.starts = list(range(short - size if short else 0, extent, size))
        elif not padded:
            self.starts = list(range(0, extent - size + 1, step))
        elif self.align == "start":
            self.starts = list(range(1 - size, extent - size + 1, step))
        else:
            self.starts = list(range(0, extent, step))
        self.value = {"none": None, "0": 0, "nan": NAN, "fill": fill}[self.pad]

    def good(self, array):
        """Whether the pad is a value of the dtype, or no window lacks a place."""
        extent = array.shape[self.axis]
        if all(start >= 0 and start + self.size <= extent for start in self.starts):
            return self.pad != "nan" or array.dtype.kind == "f"
        if self.pad != "fill" or array.dtype.kind == "f":
            with np.errstate(over="ignore"):
                return self.pad != "fill" or math.isnan(self.value) or float(array.dtype.type(self.value)) == self.value
        limits = np.iinfo(array.dtype)
        return self.value == self.value // 1 and limits.min <= int(self.value) <= limits.max

    def __str__(self):
        return ":".join(map(str, (self.axis, self.size, self.step, self.min_count, MODES.index(self.mode), PADS.index(self.pad),
                                  ALIGNS.index(self.align))))


def random_map(rng, extent):
    """(groups, group of each place); no groups: a mask"""
    groups = rng.choice([0, 0, 1, 2, 3])
    left_out = rng.choice([0, 0, 0.3, 0.9])
    return groups, [None if rng.random() < left_out else rng.randrange(groups) if groups else 0 for _ in range(extent)]


def expected_by(array, operation, axes, tests, fill, window, maps, more):
    """The results by windows, groups and masks, the counts, and how many elements were taken: one element after the other."""
    width = [len(window.starts) if window and d == window.axis else maps[d][0] if d in maps and maps[d][0] else
             1 if axes >> d & 1 else n for d, n in enumerate(array.shape)]
    reduced = [d for d in range(array.ndim) if axes >> d & 1 and not (d in maps and maps[d][0]) and not (window and d == window.axis)]
    cells = {at: [] for at in np.ndindex(*width)}
    for at in np.ndindex(*array.shape):
        if any(maps[d][1][at[d]] is None for d in maps) or (tests and not passes(array[at], tests, fill)):
            continue
        choices = [[at[d]] if width[d] == n and d not in reduced else [0] for d, n in enumerate(array.shape)]
        for d in reduced:
            choices[d] = [0]
        for d in maps:
            if maps[d][0]:
                choices[d] = [maps[d][1][at[d]]]
        place = 0
        for d in reduced:
            place = place * array.shape[d] + at[d]
        if window:
            d = window.axis
            choices[d] = [i for i, s in enumerate(window.starts) if s <= at[d] < s + window.size]
        for i in choices[window.axis] if window else [None]:
            index = tuple(i if window and d == window.axis else choices[d][0] for d in range(array.ndim))
            slot = None
            if window:
                start = window.starts[i] if window.value is not None else max(window.starts[i], 0)
                slot = at[window.axis] - start
            cells[index].append((place, array[at], slot))
    results, counts = [], []
    for index in np.ndindex(*width):
        found = cells[index]
        counts.append(len(found))
        if not window:
            result = fold(operation, [(p, v) for p, v, _ in found], fill, more)
            results += result if isinstance(result, list) else [result]
            continue
        if len(found) < max(window.min_count, 1):
            results.append(NAN)
            continue
        if window.value is not None:
            start, extent = window.starts[index[window.axis]], array.shape[window.axis]
            others = int(np.prod([array.shape[d] for d in reduced], dtype=int))
            missing = [i for i in range(window.size) if not 0 <= start + i < extent]
            found = found + [(None, array.dtype.type(window.value), i) for i in missing for _ in range(others)] if missing else found
        result = fold(operation, [(i, v) for i, (_, v, _) in enumerate(found)], fill)
        results.append(float(found[int(result)][2]) if operation.startswith("arg") else result)
    return results, counts, sum(counts)


def expected(array, operation, axes, tests, fill, more=()):
    """The results, and how many elements passed."""
    rank = array.ndim
    stays = [d for d in range(rank) if not axes >> d & 1]
    reduced = [d for d in range(rank) if axes >> d & 1]
    shape = [array.shape[d] for d in stays]
    matrix = array.transpose(stays + reduced).reshape(int(np.prod(shape, dtype=int)), -1)
    results, passed = [], 0
    for row in matrix:
        cells = [(i, v) for i, v in enumerate(row) if not tests or passes(v, tests, fill)]
        passed += len(cells)
        result = fold(operation, cells, fill, more)
        results += result if isinstance(result, list) else [result]
    return results, passed


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


class Checks:
    def __init__(self):
        self.passed, self.failed = 0, 0

    def hold(self, good, sentence):
        self.passed += bool(good)
        self.failed += not good
        if not good and self.failed <= 20:
            print("FAIL  " + sentence)


def same(got, want):
    return (math.isnan(got) and math.isnan(want)) or bits_of(got) == bits_of(want)


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
                    # Long results are told by their digest; of var it is that of a sum that was rounded on its way.
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

def random_array(rng, dtype, shape):
    kind = rng.choice(["small", "wide", "bits", "same"])
    count = int(np.prod(shape, dtype=int))
    numpy_type = np.dtype(NUMPY[dtype])
    raw = np.frombuffer(rng.randbytes(count * numpy_type.itemsize), numpy_type)
    if dtype[0] == "f":
        if kind == "bits":
            values = raw.copy()
        elif kind == "wide":
            with np.errstate(over="ignore", under="ignore"):
                values = np.array([rng.uniform(-1, 1) * 2.0 ** rng.randint(-40, 15) for _ in range(count)]).astype(numpy_type)
        elif kind == "small":
            values = np.array([float(rng.randint(-5, 5)) for _ in range(count)], numpy_type)
        else:
            values = np.full(count, rng.uniform(-9, 9), numpy_type)
        if rng.random() < 0.5:
            for i in range(count):
                if rng.random() < 0.1:
                    values[i] = rng.choice([NAN, math.inf, -math.inf, -0.0, 0.0])
    elif kind == "bits":
        values = raw.copy()
    else:
        lowest = 0 if dtype[0] == "u" else -9
        values = np.array([rng.randint(lowest, 9) for _ in range(count)]).astype(numpy_type)
    return values.reshape(shape)


def random_tests(rng, array):
    flat = array.reshape(-1)

    def number():
        x = to_double(flat[rng.randrange(len(flat))]) if len(flat) and rng.random() < 0.8 else rng.choice([0.0, -0.0, 1.5, -3.0, 1e300])
        return x if math.isfinite(x) else 1.0

    names = rng.sample(TESTS, rng.choice([1, 1, 1, 2, 2, 3]))
    return {name: number() for name in names}


def random_numbers(rng, operation, array):
    """q; or bins, or bins and a range"""
    if operation == "quantile":
        return [rng.choice([0.0, 1.0, 0.5, 0.25, 0.1, rng.random(), rng.random(), rng.random() * 2.0 ** -rng.randint(1, 1060), -0.0])]
    if operation != "histogram":
        return []
    bins = rng.choice([1, 2, 3, 8, 10, 17, 40, rng.randint(1, 300)])
    if rng.random() < 0.5:
        return [bins]
    seen = [to_double(v) for v in array.reshape(-1)[:20]]
    ends = sorted(x for x in [*seen, 0.0, 1.0, rng.uniform(-9, 9), 1e30] if math.isfinite(x))
    low, high = sorted(rng.sample(ends, 2))
    return [bins, low, high] if low < high else [bins, 0.0, 1.0]


def pack(utet, folder, array, dtype, tile, codec):
    raw, path = os.path.join(folder, "a.raw"), os.path.join(folder, "a.tet")
    array.tofile(raw)
    command = [utet, "pack", raw, "-o", path, "--dtype", dtype, "--shape", "x".join(map(str, array.shape)),
               "--tile", "x".join(map(str, tile)), "--codec", codec, "--name", "a", "--budget", "none", "-j", "1"]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        sys.exit("utet pack: " + done.stdout)
    return path


def random_files(rng, utet, cases, extents, codecs=("raw", "zstd", "auto"), alike=0.0, dtypes=DTYPES):
    """Number, dtype, array and file of each case; extents: draws a shape; alike: how often two rows are equal."""
    with tempfile.TemporaryDirectory() as folder:
        for case in range(cases):
            dtype = dtypes[case % len(dtypes)]
            shape = extents(rng)
            array = random_array(rng, dtype, shape)
            if alike and rng.random() < alike:
                array[rng.randrange(shape[0])] = array[0]
            path = pack(utet, folder, array, dtype, [rng.randint(1, n + 1) for n in shape], rng.choice(codecs))
            # The program keeps the file it has read last by its name.
            unique = os.path.join(folder, "%d.tet" % case)
            os.rename(path, unique)
            yield case, dtype, array, unique
            os.remove(unique)


def any_rank(*most):
    """A shape of one to four axes, of at most so many places each."""
    def extents(rng):
        rank = rng.choice([1, 1, 2, 2, 3, 4])
        return [rng.randint(1, most[rank - 1]) for _ in range(rank)]
    return extents


def operations_of(dtype):
    return OPERATIONS + (["sum_i16", "mean_i16"] if dtype == "i16" else [])


def random_ranges(rng, shape, often, steps):
    ranges = []
    for n in shape:
        start = rng.randrange(n) if rng.random() < often else 0
        ranges.append((start, rng.randint(start + 1, n) if rng.random() < often else n, rng.choice(steps)))
    return ranges


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
    """Returns how many were made of several blocks."""
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
            for work, block in ((1 << 20, 0), (0, 0), (0, 1)):
                out = answers.ask(path, 0, operation, axes, ranges, work, block, fill, tests, more, window, maps, asked)
                numbers = out[4:out.index("/")] if "/" in out else out[4:]
                got = [double_of(int(x, 16)) for x in numbers]
                seen.append(out[3:])
                good = out[0] == "0" and int(out[1]) >= 1 and int(out[3]) == taken and len(got) == len(want) and all(map(same, got, want))
                if asked:
                    good = good and "/" in out and list(map(int, out[out.index("/") + 1:]))[:len(counts)] == counts
                checks.hold(good, "%s work %d block %d: %s, expected %d %s" % (what, work, block, out[:4] + got[:9], taken, want[:9]))
                tally["boxes"] += out[0] == "0" and int(out[1]) > 1
            checks.hold(seen[0] == seen[1] == seen[2], what + ": budgets differ")
            tally["windows"] += window is not None
            tally["groups"] += any(n for n, _ in maps.values())
            tally["masks"] += any(not n for n, _ in maps.values())
    return tally


def equal(got, want):
    """Bytes of elements against an array; any NaN is as good as another one."""
    got = np.frombuffer(got, want.dtype)
    want = want.reshape(-1)
    return len(got) == len(want) and all((g != g and w != w) or g.tobytes() == w.tobytes() for g, w in zip(got, want))


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
    """Logarithms, roots and exponentials of chosen doubles: powers of two from 2^-60 to 2^60 and eighths between them, and next to each;
    where the logarithm goes another way: at 1/4, and where 1 + x is the root of 2 times a power of two."""
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
    print("%d passed, %d failed%s" % (checks.passed, checks.failed, ", %d skipped" % skipped if skipped else ""))
    sys.exit(1 if checks.failed else 0)


if __name__ == "__main__":
    main()
