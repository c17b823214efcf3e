# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""Random arrays, files, selections, filters, windows and groups for the tests of folds and queries."""
import math
import os
import subprocess
import sys
import tempfile

import numpy as np

from fold_model import DTYPES, NAN, NUMPY, TESTS, to_double

OPERATIONS = ["sum", "mean", "norm_l1", "norm_l2", "var", "std", "nan_mean", "nan_std", "min", "max", "argmin", "argmax", "count",
              "nan_count", "inf_count", "null_count", "all_finite", "any_nan", "any_inf", "product", "median", "quantile", "histogram"]
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
        """Whether the pad is a value of the dtype, or no window lacks an element."""
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
    """(groups, group of each index); no groups: a mask"""
    groups = rng.choice([0, 0, 1, 2, 3])
    left_out = rng.choice([0, 0, 0.3, 0.9])
    return groups, [None if rng.random() < left_out else rng.randrange(groups) if groups else 0 for _ in range(extent)]


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
    """Number, dtype, array and file of each case; extents: chooses a shape; alike: how often two rows are equal."""
    with tempfile.TemporaryDirectory() as folder:
        for case in range(cases):
            dtype = dtypes[case % len(dtypes)]
            shape = extents(rng)
            array = random_array(rng, dtype, shape)
            if alike and rng.random() < alike:
                array[rng.randrange(shape[0])] = array[0]
            path = pack(utet, folder, array, dtype, [rng.randint(1, n + 1) for n in shape], rng.choice(codecs))
            # The program keeps the last file that it has read, by its name.
            unique = os.path.join(folder, "%d.tet" % case)
            os.rename(path, unique)
            yield case, dtype, array, unique
            os.remove(unique)


def any_rank(*most):
    """A shape of one to four axes, each with at most that many indices."""
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


def columns(rng, dtype, count):
    """Variables of `count` observations, as columns: near each other, far apart, in part far apart, 0, all the largest, and floats as far
    apart as integers of 55 bits allow, or a step further."""
    kind = np.dtype(NUMPY[dtype])
    if kind.kind != "f":
        most = np.iinfo(kind)
        far = rng.integers(most.min, most.max, (count, 2), kind, endpoint=True)
        near = far // kind.type(5)
        full = np.full((count, 3), most.max, kind)
        full[:, 1] = most.min
        full[:, 2] = min(most.max, 2 ** 28 - 1)
        return np.column_stack([near, far, np.zeros((count, 1), kind), full]).astype(kind)
    most = np.finfo(kind)
    span = min(60, most.maxexp - 2)
    near = rng.normal(0, 1, (count, 2)).astype(kind)
    far = np.ldexp(near, rng.integers(-span, span, (count, 2))).astype(kind)
    mixed = near[:, :1].copy()
    mixed[count // 2:] = far[count // 2:, :1]
    largest = np.full((count, 4), 2 - most.eps, kind)
    for column, apart in enumerate((55 - most.nmant - 1, 55 - most.nmant), 1):
        largest[0, column] = np.ldexp(largest[0, column], -apart)
    largest[:, 3] *= -1
    return np.column_stack([near, far, mixed, np.zeros((count, 1)), largest]).astype(kind)
