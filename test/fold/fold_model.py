# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""A model of folds, matrices and transforms in NumPy and fractions. It shares nothing with src/: elements become fractions,
sums are exact, and Python rounds once. The file also has the comparison of results with the model."""
import math
import struct
from decimal import Decimal
from fractions import Fraction

import numpy as np

DTYPES = ["f32", "f64", "i32", "i64", "u8", "u16", "i16", "u32", "f16", "u64"]
NUMPY = dict(f32="<f4", f64="<f8", i32="<i4", i64="<i8", u8="u1", u16="<u2", i16="<i2", u32="<u4", f16="<f2", u64="<u8")
TESTS = ["eq", "ne", "lt", "le", "gt", "ge", "is_null", "is_not_null"]
NAN = float("nan")


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
    """The double nearest to the root of a fraction, by integers: 80 more bits than needed, and whether there is a
    remainder."""
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
    """nan or inf if the sum is not finite, otherwise None"""
    more, less = math.inf in doubles, -math.inf in doubles
    if any(math.isnan(x) for x in doubles) or (more and less):
        return NAN
    return math.inf if more else -math.inf if less else None


def product(doubles):
    """Multiplies as IEEE 754 does, but without limits of the exponent."""
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
    """Type 7 in fractions: a value between two elements is exact and rounded once."""
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
    """The range, then the counts: (x - low) / width as NumPy's doubles compute it."""
    if low is None:
        seen = sorted((x, math.copysign(1, x)) for x in doubles if math.isfinite(x))
        low, high = (seen[0][0], seen[-1][0]) if seen else (NAN, NAN)
    low, high = low + 0.0, high + 0.0  # no edge is -0
    counts = [0] * bins
    # Halves of halves, if the range is too large for a double.
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
    """cells: (index, element) in row-major order; more: the operation's own numbers."""
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


# ---- transforms: doubles as Python and NumPy round them, exponentials and logarithms by decimals ----

METHODS = ["center", "zscore", "scale", "minmax", "l1", "l2", "log1p", "sqrt", "softmax"]
UNDEFINED = "undefined"


def statistics(method, values):
    """The statistics of a cell, in the order of utet_transform.h."""
    cells = list(enumerate(values))
    names = dict(center=["mean"], zscore=["mean", "std"], scale=["std"], minmax=["min", "max"], l1=["norm_l1"], l2=["norm_l2"],
                 log1p=["min"], sqrt=["min"], softmax=["max"])
    found = [fold(name, cells, None) for name in names[method]]
    if method == "softmax":
        total = sum((Fraction(exponential(to_double(v) - found[0])) for v in values if math.isfinite(v)), Fraction(0))
        found.append(nearest(total))
    return found


def exponential(x):
    if not x > -800:  # also NaN
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
    """Floats by the bits of their double, where any NaN matches any other; integers exactly, and 0 is not -0."""
    if isinstance(value, np.integer):
        return int(value) == fill and (fill != 0 or math.copysign(1, fill) > 0)
    x = to_double(value)
    return math.isnan(x) if math.isnan(fill) else bits_of(x) == bits_of(fill)


def passes(value, tests, fill):
    """Floats as doubles, integers exactly, as Python compares them with a double; also the fill."""
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


def expected_by(array, operation, axes, tests, fill, window, maps, more):
    """The results by windows, groups and masks, the counts, and how many elements were taken: one element at a time."""
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
            order = tuple(at[d] for d in range(array.ndim) if d in reduced or (window and d == window.axis))
            cells[index].append((place, array[at], slot, order))
    results, counts = [], []
    for index in np.ndindex(*width):
        found = cells[index]
        counts.append(len(found))
        if not window:
            result = fold(operation, [(p, v) for p, v, _, _ in found], fill, more)
            results += result if isinstance(result, list) else [result]
            continue
        if len(found) < max(window.min_count, 1):
            results.append(NAN)
            continue
        if operation.startswith("arg"):  # of equal extremes the first one along the axes without groups
            found.sort(key=lambda one: one[3])
        if window.value is not None:
            start, extent = window.starts[index[window.axis]], array.shape[window.axis]
            others = int(np.prod([array.shape[d] for d in reduced], dtype=int))
            missing = [i for i in range(window.size) if not 0 <= start + i < extent]
            found = found + [(None, array.dtype.type(window.value), i, None) for i in missing for _ in range(others)] if missing else found
        result = fold(operation, [(i, v) for i, (_, v, _, _) in enumerate(found)], fill)
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


def equal(got, want):
    """Bytes of elements against an array; any NaN matches any other."""
    got = np.frombuffer(got, want.dtype)
    want = want.reshape(-1)
    return len(got) == len(want) and all((g != g and w != w) or g.tobytes() == w.tobytes() for g, w in zip(got, want))
