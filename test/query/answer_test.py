#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""Query documents and a file: answer_test.py ANSWER [--cases N] [--seed N]

1. plan_messages.txt: documents that the reference refuses for a file, and its message, word for word.
2. Random documents over random arrays with names, labels and fills, against a model in NumPy and fractions: the same
   bits where a sum is exact, the same shape, groups, windows and number of elements.
ANSWER runs each document twice: with room for everything, and with exactly the least workspace, in which both the
document and the file come one byte at a time with "not yet" before each; both answers must be the same line.
3. Covariance and correlation, transforms and documents without a reduction, against the same model.
4. Random pairs of datasets, of which some match: what `align` says of each axis, by the reference's rules.
5. Responses without results: of datasets that are not there, of transforms, of documents without a reduction.
6. Texts of attributes: which are numbers, and which fill each means.
The response document of each is compared with one that the model makes: all keys and values, in their order.
The model shares nothing with src/; its folds are those of test/fold.
"""
import argparse
import itertools
import json
import math
import os
import random
import struct
import subprocess
import sys
import tempfile

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "fold"))
import fold_test  # noqa: E402

TAGS = {"f32": 1, "f64": 2, "i32": 3, "i64": 4, "u8": 5, "u16": 6, "i16": 7, "u32": 8, "f16": 9, "u64": 10}
OPERATIONS = ["sum", "mean", "min", "max", "count", "var", "std", "norm_l1", "norm_l2", "all_finite", "any_nan", "any_inf",
              "nan_count", "inf_count", "null_count", "nan_mean", "nan_std", "arg_min", "arg_max", "product"]
PASSES = ["median", "quantile", "histogram"]  # not in windows
NAN = float("nan")
FAILED = []
PASSED = 0


def check(good, what):
    global PASSED
    if good:
        PASSED += 1
    else:
        FAILED.append(what)
        if len(FAILED) <= 8:
            print("FAILED", *(str(w)[-1200:] for w in what), sep="\n    ")


def tet_file(datasets, metadata, align=1):
    """A .tet file of raw tiles. datasets: (name, dtype, array, chunk_shape); align: of payloads."""
    records, rows, payloads = b"", [], []
    for number, (name, dtype, array, chunk) in enumerate(datasets):
        text = name.encode()
        head = struct.pack("<IIII", len(text), TAGS[dtype], array.ndim, 0) + text
        head += bytes(-len(head) % 8)
        records += head + struct.pack("<%dQ" % (2 * array.ndim), *array.shape, *chunk)
        for tile in itertools.product(*(range(-(-n // c)) for n, c in zip(array.shape, chunk))):
            part = array[tuple(slice(t * c, (t + 1) * c) for t, c in zip(tile, chunk))]
            rows.append((number, tile))
            data = np.ascontiguousarray(part, fold_test.NUMPY[dtype]).tobytes()
            payloads.append((data, bytes(-len(data) % align)))
    index = 40 + len(records)
    offset = index + 32 + 104 * len(rows)
    out = b"TETR" + struct.pack("<IIIQQ", 1, len(datasets), 1, index, 32 + 104 * len(rows)) + struct.pack("<Q", len(records)) + records
    out += b"TIDX" + struct.pack("<IQHHIQ", 1, len(rows), 0, 0, 0, 0)
    for (number, tile), (payload, gap) in zip(rows, payloads):
        out += struct.pack("<Q8QQQQII", number, *(tile + (0,) * (8 - len(tile))), offset, len(payload), len(payload), 0, 0)
        offset += len(payload) + len(gap)
    footer = json.dumps({"history": [], "metadata": {"datasets": metadata}}).encode()
    return out + b"".join(a + b for a, b in payloads) + footer + struct.pack("<QI", len(footer), 1) + b"THST"


def run(program, asked):
    """asked: (path, document)."""
    text = b"".join(b"%s\n%d\n" % (path.encode(), len(d)) + d for path, d in asked)
    done = subprocess.run([program], input=text, capture_output=True, check=False)
    answers = done.stdout.decode("utf-8", "replace").split("\n")[:-1]
    if done.returncode != 0 or len(answers) != 2 * len(asked):
        print(done.stderr.decode("utf-8", "replace")[-3000:])
        sys.exit("answer died after %d of %d: %s" % (len(answers) // 2, len(asked), asked[min(len(answers) // 2, len(asked) - 1)]))
    return list(zip(answers[::2], answers[1::2]))


# ---- messages ----

def messages(program, folder):
    # The reference's messages were made with a file like this one.
    a = np.arange(24, dtype="<f4").reshape(4, 6)
    datasets = [("a", "f32", a, (2, 4)), ("n", "f32", np.arange(5.0), (5,)), ("c", "f32", np.zeros((2, 2, 2)), (2, 2, 2)),
                ("i", "i32", np.zeros((4, 6)), (4, 6)), ("bad", "f32", a, (4, 6)), ("dup", "f32", a, (4, 6)),
                ("lb", "f32", a, (4, 6)), ("junk", "f32", a, (4, 6)), ("long", "u8", np.zeros((2, 2)), (2, 2))]
    long = ["x" * 1500, "y" * 1500]
    names = ["row", "col"]
    about = {"a": {"dim_names": names, "coords": {"col": {"labels": ["e", "e", "n", "w", "s", "x"]}}}, "bad": {"dim_names": ["p"]},
             "dup": {"dim_names": ["q", "q"]}, "lb": {"dim_names": names, "coords": {"col": {"labels": ["e", "w"]}}},
             "long": {"dim_names": long}, "junk": {"attrs": {"_FillValue": "junk"}}}
    path = os.path.join(folder, "messages.tet")
    with open(path, "wb") as file:
        file.write(tet_file(datasets, about))
    with open(os.path.join(HERE, "plan_messages.txt"), encoding="utf-8") as file:
        lines = [line.rstrip("\n") for line in file if not line.startswith("#")]
    cases = [(lines[i], lines[i + 1]) for i in range(0, len(lines), 2)]
    # Names that do not fit the window.
    cases.append(("error: validation: unknown dimension name `zz` (dim_names: %s)" % ", ".join(long), '{"dataset":"long","sum":"zz"}'))
    line = run(program, [(path, b'{"dataset":"a","align":{"with":"bad","axes":[0]}}')])[0][0]
    check(line == "align 0:0:2:1", (line, "names of another number are no names"))
    for (words, document), (answer, text) in zip(cases, run(program, [(path, d.encode()) for _, d in cases])):
        check(answer == "-54 " + words and text == "", (document, words, answer, text))


# ---- random documents ----

FILLS = [None, None, "-1", " 3 ", "nan", "-inf", "junk", "2.5", "1e400", "+.5e1", "99.9", "infinity", "0x10", "1 2", "7."]


def fill_of(text):
    """The fill that the text of an attribute means; None: none."""
    if text is None:
        return None
    t = text.strip().lower()
    if t in ("0x10", "1 2", "junk"):
        return None
    return float(t)


def random_dataset(rng, name):
    dtype = rng.choice(list(TAGS))
    shape = tuple(rng.randrange(1, 8) for _ in range(rng.randrange(1, 5)))
    chunk = tuple(rng.randrange(1, n + 2) for n in shape)
    count = int(np.prod(shape))
    if dtype in ("f16", "f32", "f64"):
        values = [rng.choice([rng.uniform(-10, 10), rng.randrange(-3, 4), 0.0, -0.0, NAN, math.inf, -math.inf, 99.9])
                  if rng.random() < 0.6 else rng.uniform(-1, 1) for _ in range(count)]
        if rng.random() < 0.5:
            values = [v if math.isfinite(v) else 1.5 for v in values]
    else:
        info = np.iinfo(fold_test.NUMPY[dtype])
        values = [rng.choice([info.min, info.max, rng.randrange(0, 5), min(rng.randrange(0, 1000), int(info.max))]) for _ in range(count)]
    array = np.array(values, dtype=fold_test.NUMPY[dtype]).reshape(shape)
    about, labels = {}, {}
    names = ["a%d" % d for d in range(len(shape))]
    if rng.random() < 0.7:
        about["dim_names"] = names
    for d, n in enumerate(shape):
        if rng.random() < 0.7:
            labels[d] = [rng.choice(["x", "y", "é" * 40, "w" * 33, "w" * 32 + "v"]) for _ in range(n)]
    if labels:
        keys = {d: names[d] if "dim_names" in about else str(d) for d in labels}
        about["coords"] = {keys[d]: {"labels": v} for d, v in labels.items()}
    if labels:  # the only labels of that number, without a name, are the axis's, too
        for d, n in enumerate(shape):
            fit = [v for v in labels.values() if len(v) == n]
            if d not in labels and len(fit) == 1:
                labels[d] = fit[0]
    text = rng.choice(FILLS)
    if text is not None:
        about["attrs"] = {rng.choice(["_FillValue", "missing_value", "fill_value"]): text}
    return (name, dtype, array, chunk), about, labels, text


def token(rng, dataset, about, axis):
    return rng.choice([axis, str(axis)] + (["a%d" % axis] if "dim_names" in about else []))


def double_bits(value):
    return "%016x" % struct.unpack("<Q", struct.pack("<d", value))[0]


def passes(element, tests, fill):
    x = fold_test.to_double(element)
    whole = int(element) if isinstance(element, np.integer) else None
    null = math.isnan(x) or (fill is not None and fold_test.is_fill(element, fill))
    for key, v in tests.items():
        if key == "is_null":
            good = null
        elif key == "is_not_null":
            good = not null
        else:
            # integers are compared exactly, as Python does
            same = double_bits(x) == double_bits(v) if whole is None else whole == v and double_bits(v) != double_bits(-0.0)
            y = x if whole is None else whole
            good = {"eq": same, "ne": null or not same, "lt": y < v, "le": y <= v, "gt": y > v, "ge": y >= v}[key] and (key == "ne" or not null)
        if not good:
            return False
    return True


def windows_of(window, extent):
    """[(begin, end)] on the selected places, ends may lie outside."""
    size, pad = window["size"], window.get("pad", "none") != "none"
    end = window.get("align") == "end"
    if window["mode"] == "bins":
        rest = extent % size
        if not end:
            return [(s, s + size) for s in range(0, extent, size)]
        return ([(rest - size if pad else 0, rest)] if rest else []) + [(s, s + size) for s in range(rest, extent, size)]
    step = window.get("step", 1)
    if not pad:
        return [(s, s + size) for s in range(0, extent - size + 1, step)]
    return [(s, s + size) for s in (range(0, extent, step) if end else range(1 - size, extent - size + 1, step))]


def group_labels(program, folder):
    """Groups by many labels: of all of them in one pass, and in 64 passes at most with the least memory. Labels of NULs
    alone meet in one slot, whatever hash begins with 0."""
    kinds = {"all different": ["L%d" % i for i in range(200)], "one": ["L"] * 200, "few": ["L%d" % (i * i % 7) for i in range(200)],
             "each twice": ["L%d" % (i * 77 % 100) for i in range(200)], "of NULs": ["\0" * (i % 150) for i in range(200)],
             "none of many": ["L%d" % (i // 2) for i in range(64)], "long": ["%s%d" % ("x" * 64, i % 90) for i in range(200)]}
    asked, wanted = [], []
    for number, (kind, labels) in enumerate(kinds.items()):
        n = len(labels)
        array = np.arange(2 * n, dtype="<u2").reshape(n, 2)
        path = os.path.join(folder, "labels%d.tet" % number)
        with open(path, "wb") as file:
            file.write(tet_file([("a", "u16", array, (n, 2))], {"a": {"dim_names": ["x", "y"], "coords": {"x": {"labels": labels}}}}))
        for start, stop, step in ((0, n, 1), (3, n - 5, 2), (0, 1, 1)):
            document = {"dataset": "a", "sum": ["y"], "group_by": {"by": "labels", "axes": ["x"]},
                        "selection": [{"start": start, "stop": stop, "step": step}, {}]}
            asked.append((path, json.dumps(document).encode()))
            sums = {}
            for i in range(start, stop, step):
                sums[labels[i]] = sums.get(labels[i], 0) + int(array[i].sum())
            wanted.append((kind, [float(v) for v in sums.values()]))
    for (_, document), (kind, sums), (answer, _) in zip(asked, wanted, run(program, asked)):
        words = answer.split()
        check(words[0] == "0" and words[2] == str(len(sums)) and words[5:] == [double_bits(v) for v in sums], (kind, document, answer))


def as_element(dtype, value):
    return float(np.float32(value)) if dtype == "f32" and value is not None else value


class Case:
    """A document and what it means."""

    def __init__(self, rng, dataset, about, labels, fill_text):
        self.name, self.dtype, self.array, _ = dataset
        self.about, self.labels = about, labels
        self.document = {"dataset": self.name}
        self.shape = self.array.shape
        self.fill = fill_of(fill_text)
        self.operation = rng.choice(OPERATIONS)
        self.keep = [None] * len(self.shape)
        self.select(rng)
        self.filter(rng)
        self.label_filter(rng)
        self.groups, self.window, self.by_label = [], None, False
        ndim = len(self.shape)
        self.axes = set(range(ndim))
        asked = []
        kind = rng.random()
        if kind < 0.35 and ndim > 1:
            self.group_by(rng)
            self.axes = set(range(ndim)) - set(self.groups)
            asked = sorted(self.axes) if rng.random() < 0.3 else []
        elif kind < 0.7:
            self.windows(rng)
            others = [d for d in range(ndim) if d != self.window["d"] and rng.random() < 0.4]
            self.axes = {self.window["d"], *others}
            asked = sorted(self.axes) if others or rng.random() < 0.5 else []
        elif rng.random() < 0.6 and ndim > 1:
            asked = sorted(rng.sample(range(ndim), rng.randrange(1, ndim)))
            self.axes = set(asked)
        rng.shuffle(asked)
        self.asked = asked or (sorted(self.axes) if self.groups else [self.window["d"]] if self.window else [])
        spec = [token(rng, dataset, about, d) for d in asked]
        if len(spec) == 1 and rng.random() < 0.5:
            spec = spec[0]
        self.more = ()
        if "is_null" in self.tests or "is_not_null" in self.tests:  # nulls of two kinds in one document
            self.operation = rng.choice(["null_count", self.operation])
        if not self.window and rng.random() < 0.2:
            self.operation = rng.choice(PASSES)
            spec = self.parameters(rng, spec)
        self.counted = self.fill  # by null_count; filters and pads keep to the fill of the dataset
        if self.operation == "null_count" and (self.fill is None or rng.random() < 0.5):
            self.counted = rng.choice([1.0, 2.5, 99.9, -1.0])
            spec = {"fill": self.counted, "axes": spec}
        self.asked_fill = self.counted
        self.counted = as_element(self.dtype, self.counted)
        self.document[self.operation] = spec

    def select(self, rng):
        self.ranges = [range(n) for n in self.shape]
        if rng.random() < 0.5:
            return
        out = []
        for d, n in enumerate(self.shape):
            start = rng.randrange(n)
            stop = rng.randrange(start + 1, n + 1)
            step = rng.choice([1, 1, 2, 3])
            one = {"start": start, "stop": stop, "step": step}
            labels = self.labels.get(d)
            if labels and rng.random() < 0.5:
                start = labels.index(labels[start])
                one["start_label"] = labels[start]
                del one["start"]
            if stop == n and rng.random() < 0.5:
                one["stop"] = None
            self.ranges[d] = range(start, stop, step)
            if rng.random() < 0.2:  # a list of the same, the labels left out where there are none
                values = [one.get(k) for k in ("start", "stop", "step", "start_label", "stop_label")]
                while len(values) > 3 and values[-1] is None and rng.random() < 0.7:
                    values.pop()
                one = values
            out.append(one)
        self.document["selection"] = out

    def parameters(self, rng, spec):
        """The value of a reduction with numbers of its own."""
        value = {rng.choice(["axis", "axes"]): spec} if spec != [] or rng.random() < 0.5 else {}
        if self.operation == "quantile":
            self.more = (rng.choice([0.0, 1.0, 0.5, 0.25, 1 / 3, rng.random()]),)
            return dict(value, q=self.more[0])
        if self.operation == "histogram":
            self.more = (rng.choice([1, 2, 7, 20, 300]),)
            if rng.random() < 0.5:
                low = rng.choice([-10.0, 0.0, 1.5])
                self.more += (low, low + rng.choice([0.5, 3.0, 1e4]))
                value.update(min=self.more[1], max=self.more[2])
            return dict(value, bins=self.more[0])
        return spec

    def filter(self, rng):
        self.tests = {}
        if rng.random() < 0.5:
            return
        value = float(rng.choice([0, 1, 2.5, -0.0, 99.9, 100]))
        self.tests = rng.choice([{"eq": value}, {"ne": value}, {"gt": value}, {"ge": value}, {"lt": value}, {"le": value},
                                 {"is_null": True}, {"is_not_null": True}, {"ge": value, "le": value}, {"ne": 1.0, "is_not_null": True}])
        self.document["filter"] = self.tests

    def label_filter(self, rng):
        if not self.labels or rng.random() < 0.7:
            return
        d = rng.choice(sorted(self.labels))
        label = rng.choice(self.labels[d])
        self.keep[d] = [l == label for l in self.labels[d]]
        self.document["label_filter"] = {"axis": token(rng, None, self.about, d), "eq": label}

    def group_by(self, rng):
        ndim = len(self.shape)
        self.by_label = bool(self.labels) and rng.random() < 0.6
        choice = sorted(self.labels) if self.by_label else range(ndim)
        choice = list(choice)[: ndim - 1] if len(choice) == ndim else list(choice)
        self.groups = sorted(rng.sample(choice, rng.randrange(1, len(choice) + 1)))
        keys = [token(rng, None, self.about, d) for d in rng.sample(self.groups, len(self.groups))]
        self.document["group_by"] = {"by": "labels", "axes": keys} if self.by_label else keys

    def windows(self, rng):
        d = rng.randrange(len(self.shape))
        window = {"axis": token(rng, None, self.about, d), "size": rng.randrange(1, len(self.ranges[d]) + 1),
                  "mode": rng.choice(["bins", "rolling"])}
        pads = ["none", "0"] + (["nan"] if self.dtype[0] == "f" else []) + (["fill"] if self.pad_fill_works() else [])
        pad = rng.choice(pads)
        if pad != "none":
            window["pad"] = pad
        if rng.random() < 0.4 and (pad != "none" or window["mode"] == "bins"):
            window["align"] = "end"
        if window["mode"] == "rolling" and rng.random() < 0.4:
            window["step"] = rng.randrange(1, 4)
        if rng.random() < 0.4:
            window["min_count"] = rng.randrange(1, window["size"] + 1)
        self.document["window"] = window
        self.window = dict(window, d=d)

    def pad_fill_works(self):
        """The fill is a value of the dtype, as pads must be."""
        if self.fill is None:
            return False
        if self.dtype[0] == "f":
            value = as_element(self.dtype, self.fill)
            return self.dtype != "f16" or math.isnan(value) or float(np.float16(value)) == value
        info = np.iinfo(fold_test.NUMPY[self.dtype])
        return math.isfinite(self.fill) and self.fill == int(self.fill) and info.min <= self.fill <= info.max

    def cuts(self, d):
        """For each result along an axis the selected places that belong to it, and pads: [(places, first, pads)]."""
        places = range(len(self.ranges[d]))
        if self.window and self.window["d"] == d:
            pad = self.window.get("pad", "none") != "none"
            n = len(self.ranges[d])
            return [([p for p in range(max(a, 0), min(b, n))], a, (b - a) - (min(b, n) - max(a, 0)) if pad else 0)
                    for a, b in windows_of(self.window, n)]
        if d in self.groups and self.by_label:
            labels = [self.labels[d][i] for i in self.ranges[d]]
            return [([p for p in places if labels[p] == one], None, 0) for one in dict.fromkeys(labels)]
        if d in self.axes:
            return [(list(places), None, 0)]
        return [([p], None, 0) for p in places]

    def answer(self):
        """The line that is expected."""
        all_cuts = [self.cuts(d) for d in range(len(self.shape))]
        shape = [len(c) for d, c in enumerate(all_cuts) if d not in self.axes or (self.window and self.window["d"] == d)]
        results, folded = [], 0
        operation = self.operation.replace("arg_", "arg")
        for cell in itertools.product(*all_cuts):
            values, others = [], 1
            for place in itertools.product(*(c[0] for c in cell)):
                index = tuple(self.ranges[d][p] for d, p in enumerate(place))
                if any(k is not None and not k[i] for k, i in zip(self.keep, index)):
                    continue
                element = self.array[index]
                if not passes(element, self.tests, self.fill):
                    continue
                if self.window:
                    at = place[self.window["d"]] - cell[self.window["d"]][1]
                else:
                    at = 0
                    for d in sorted(self.axes):
                        at = at * len(self.ranges[d]) + place[d]
                values.append((at, element))
            folded += len(values)
            if self.window:
                w = cell[self.window["d"]]
                for d in self.axes - {self.window["d"]}:
                    others *= len(self.ranges[d])
                if len(values) < self.window.get("min_count", 1):
                    results.append(NAN)
                    continue
                pad = {"0": 0.0, "nan": NAN, "fill": self.fill, "none": None}[self.window.get("pad", "none")]
                if w[2]:
                    n = len(self.ranges[self.window["d"]])
                    slots = [s for s in range(self.window["size"]) if not 0 <= w[1] + s < n]
                    real = list(values)
                    values += [(s, np.dtype(fold_test.NUMPY[self.dtype]).type(pad)) for s in slots for _ in range(others)]
                    if operation in ("argmin", "argmax") and real and self.as_good(operation, real, values):
                        values = real
            result = self.fold(operation, values)
            results += result if isinstance(result, list) else [result]
        groups = math.prod(len(all_cuts[d]) for d in self.groups) if self.groups else 0
        windows = len(all_cuts[self.window["d"]]) if self.window else 0
        return folded, groups, windows, shape, results

    def as_good(self, operation, real, values):
        """Whether an element is the extreme, or as good as the pad that is."""
        plain = [[v.item() for _, v in some if not math.isnan(v)] for some in (real, values)]
        best = min if operation == "argmin" else max
        return not plain[1] or bool(plain[0]) and best(plain[0]) == best(plain[1])

    def fold(self, operation, values):
        if operation in PASSES:
            return fold_test.fold(operation, values, self.counted, self.more)
        if not values:
            return 1.0 if operation in ("product", "all_finite") else NAN if operation in ("nan_mean", "nan_std") else 0.0
        if self.window and operation in ("argmin", "argmax"):  # the first one in row-major order
            first = fold_test.fold(operation, [(i, v) for i, (_, v) in enumerate(values)], self.counted)
            return float(values[int(first)][0])
        return fold_test.fold(operation, values, self.counted)


PATH = "a\"\\\t\x01\v\x1f\r\b\f\nb.tet"  # as answer.c names it


def read_plan(made, dataset, ranges):
    """The reference's read_plan for ranges of a dataset of a file that tet_file wrote: (catalog, plan)."""
    name, _, array, chunk = dataset
    tiles = [(n, a, c, t) for n, _, a, c in made for t in itertools.product(*(range(-(-x // y)) for x, y in zip(a.shape, c)))]
    parts = [a[tuple(slice(i * y, (i + 1) * y) for i, y in zip(t, c))].nbytes for _, a, c, t in tiles]
    directory = sum(16 + -(-len(n.encode()) // 8) * 8 + 16 * a.ndim for n, _, a, _ in made)
    offset = 40 + directory + 32 + 104 * len(tiles)
    chunks = []
    for (owner, _, c, tile), size in zip(tiles, parts):
        if owner == name and all(any(i * y <= p < (i + 1) * y for p in r) for r, i, y in zip(ranges, tile, c)):
            chunks.append({"chunk_index": list(tile), "payload_offset": offset, "stored_byte_len": size, "raw_byte_len": size, "codec": 0})
        offset += size
    strided = any(r.step != 1 for r in ranges)
    counts = [len(r) for r in ranges]
    policy = ("strided_half_open_per_axis_json_step_applied_to_chunk_touch_list" if strided
              else "dense_half_open_intervals_per_axis_json_step_ignored_for_chunk_touch_list")
    catalog = {"matched": True, "dataset_index": [m[0] for m in made].index(name), "dtype": TAGS[dataset[1]], "shape": list(array.shape),
               "chunk_shape": list(chunk), "chunk_index_rows": sum(owner == name for owner, *_ in tiles)}
    if dataset[1] not in ("u32", "u64", "f16"):
        catalog["dataset_%s_bytes" % dataset[1]] = array.nbytes
    catalog["file_execution"] = {"memory_budget_percent_bps": 0, "memory_budget_bytes": 0}
    return catalog, {
        "chunk_touch_policy": policy, "chunk_count": len(chunks), "zone_filter_skipped_chunks": 0, "index_filter_skipped_chunks": 0,
        "total_stored_bytes": sum(c["stored_byte_len"] for c in chunks), "chunks": chunks, "dataset_shape": list(array.shape),
        "chunk_shape": list(chunk), "selection_box_start": [r.start for r in ranges], "selection_box_stop_exclusive": [r.stop for r in ranges],
        "selection_step": [r.step for r in ranges], "logical_selection_shape": counts, "logical_element_count": math.prod(counts)}


def response_of(document, operation, made, dataset, ranges, execution, times=1):
    """The response document, as an ordered dict of ordered dicts; all chunks are read so many times."""
    catalog, plan = read_plan(made, dataset, ranges)
    selection = document.get("selection")
    return {"status": "planned", "accepted": True, "layout_version": document.get("layout_version"), "dataset": document["dataset"],
            "selection_axes": None if selection is None else len(selection), "operation": operation, "message": "", "tet_file": PATH,
            "catalog": catalog, "read_plan": plan,
            "execution": {"total_bytes_read_from_disk": times * plan["total_stored_bytes"], **execution}}


def as_json(value, operation):
    """A result as the response has it."""
    if not math.isfinite(value):
        return None
    if operation in ("all_finite", "any_nan", "any_inf"):
        return value != 0
    return int(value) if operation in ("arg_min", "arg_max") else float(value)


def response_for(case, made, folded, groups, windows, shape, results):
    operation = case.operation
    spec = case.document[operation]
    said = {"axes": [str(d) for d in case.asked]}
    if operation == "null_count":
        said["fill"] = float(spec["fill"]) if isinstance(spec, dict) and "fill" in spec else as_json(case.counted, operation)
    said.update(itertools.zip_longest({"quantile": ["q"], "histogram": ["bins", "min", "max"]}.get(operation, []), case.more))
    selected = math.prod(len(r) for r in case.ranges)
    execution = {"operation_element_count": folded if not shape and not operation.startswith("arg") and operation not in PASSES else selected}
    if shape:
        execution["memory_strategy"] = "streaming_fold"
    if groups:
        execution["group_count"] = groups
    if case.window:
        execution["window_count"] = windows
    if shape:
        execution["operation_reduced_shape"] = shape
    name = operation.replace("arg_", "arg") + ("_index" if operation.startswith("arg") and not shape else "")
    values = [as_json(v, operation) for v in results]
    if operation == "histogram":
        together = 2 + case.more[0]
        counts = [int(v) for i, v in enumerate(results) if i % together >= 2]
        execution["operation_%shistogram_counts" % ("reduced_" if shape else "")] = counts
        if not shape:
            execution["operation_histogram_edges"] = [as_json(v, operation) for v in fold_test.edges(*results[:2], case.more[0])]
    elif shape:
        execution["operation_reduced_" + name] = values
    elif operation != "count":
        execution["operation_" + name] = values[0]
    execution.setdefault("memory_strategy", "streaming_fold")
    for name in ("group_count", "window_count"):  # behind the results of all, before those of parts
        if not shape and name in execution:
            execution[name] = execution.pop(name)
    dataset = next(m for m in made if m[0] == case.name)
    return response_of(case.document, {operation: said}, made, dataset, case.ranges, execution)


def same_response(text, wanted):
    """Key for key, in the same order, and a double is not a whole number."""
    return json.dumps(json.loads(text)) == json.dumps(wanted) if text else False


def same(a, b):
    return len(a) == len(b) and all(math.isnan(x) and math.isnan(y) or double_bits(x) == double_bits(y) for x, y in zip(a, b))


def random_cases(program, folder, rng, cases):
    asked, wanted, files = [], [], []
    number = 0
    while len(asked) < cases:
        made = [random_dataset(rng, n) for n in ("first", "é" * 20)]
        path = os.path.join(folder, "%d.tet" % number)
        number += 1
        with open(path, "wb") as file:
            file.write(tet_file([m[0] for m in made], {m[0][0]: m[1] for m in made if m[1]}))
        for _ in range(12):
            case = Case(rng, *rng.choice(made))
            asked.append((path, json.dumps(case.document, ensure_ascii=rng.random() < 0.5).encode()))
            wanted.append(case)
            files.append([m[0] for m in made])
    answers = run(program, asked)
    refused = 0
    for (_, document), case, made, (answer, text) in zip(asked, wanted, files, answers):
        folded, groups, windows, shape, results = case.answer()
        words = answer.split()
        if words[0] != "0":
            refused += 1
            check(False, (document, answer, "should be", results))
            continue
        got = [struct.unpack("<d", struct.pack("<Q", int(w, 16)))[0] for w in words[5:]]
        check(same(got, results) and words[2] == str(groups) and words[3] == str(windows)
              and words[4] == "x".join(map(str, shape or [1])), (document, case.dtype, case.array.tolist(), case.labels, answer, got,
                                                                 "should be", results, (folded, groups, windows, shape)))
        if not case.window:
            check(words[1] == str(folded), (document, "folded", answer, folded))
        response = response_for(case, made, int(words[1]) if case.window else folded, groups, windows, shape, results)
        check(same_response(text, response), (document, text, "should be", json.dumps(response)))
    print("figure: %d documents over %d files, each with two budgets" % (len(asked), number))


# ---- covariance and correlation ----

def matrices(program, folder, rng, cases):
    asked, wanted = [], []
    while len(asked) < cases:
        dataset, about, labels, _ = random_dataset(rng, "m")
        if dataset[2].ndim != 2:
            continue
        path = os.path.join(folder, "matrix%d.tet" % len(asked))
        with open(path, "wb") as file:
            file.write(tet_file([dataset], {"m": about} if about else {}))
        case = Case.__new__(Case)
        case.shape, case.labels, case.document = dataset[2].shape, labels, {"dataset": "m"}
        case.select(rng)
        axis, operation = rng.randrange(2), rng.choice(["covariance", "correlation"])
        spec = token(rng, None, about, axis)
        case.document[operation] = rng.choice([spec, [spec], {"axis": spec}])
        part = dataset[2][np.ix_(*case.ranges)]
        rows = [list(row) for row in (part.T if axis == 0 else part)]
        results = fold_test.matrix(rows, operation == "correlation")
        execution = {"operation_element_count": part.size, "memory_strategy": "streaming_fold",
                     "operation_" + operation: [as_json(v, operation) for v in results], "operation_%s_order" % operation: len(rows)}
        asked.append((path, json.dumps(case.document).encode()))
        wanted.append((results, len(rows), response_of(case.document, {operation: {"axes": [str(axis)]}}, [dataset], dataset, case.ranges,
                                                       execution)))
    for (path, document), (results, order, response), (answer, text) in zip(asked, wanted, run(program, asked)):
        words = answer.split()
        got = [struct.unpack("<d", struct.pack("<Q", int(w, 16)))[0] for w in words[5:]] if words[0] == "0" else []
        check(same(got, results) and words[4] == "%dx%d" % (order, order), (path, document, answer, got, "should be", results))
        check(same_response(text, response), (document, text, "should be", json.dumps(response)))
    print("figure: %d covariances and correlations, each with two budgets" % cases)


# ---- align ----

LABELS = ["x", "y", "é" * 40, "w" * 33, "w" * 32 + "v"]


class Side:
    """One of two datasets; the other one is made from the same shape, names and labels."""

    def __init__(self, rng, shape, names, labels):
        self.shape = [n + (rng.random() < 0.15) for n in shape]
        self.names = list(names)
        if rng.random() < 0.2:
            rng.shuffle(self.names)
        if rng.random() < 0.2:
            self.names[rng.randrange(len(names))] = rng.choice(["z", "z" * 40, "\"z\\\n\u0001", "é" * 4, "z" * 8])
        self.named = rng.random() < 0.8
        self.labels = {}
        for d, some in enumerate(labels):
            some = [rng.choice(LABELS) if rng.random() < 0.1 else one for one in some] + ["more"] * (rng.random() < 0.1)
            if rng.random() < 0.8:
                self.labels[d] = some
        self.about = {"dim_names": self.names} if self.named else {}
        if self.labels:
            self.about["coords"] = {self.names[d] if self.named else str(d): {"labels": some} for d, some in self.labels.items()}

    def dataset(self, name):
        return (name, "u8", np.zeros(self.shape), tuple(self.shape))


def matching(left, right, i, k):
    """What is said of axes i and k: both numbers, the last test that failed, whether the labels match."""
    reason, labels_ok = 0, 1
    if left.shape[i] != right.shape[k]:
        reason = 1
    if left.named != right.named:
        reason = 2
    elif left.named and left.names[i] != right.names[k]:
        reason = 3
    if (i in left.labels) != (k in right.labels):
        reason, labels_ok = 4, 0
    elif left.labels.get(i) != right.labels.get(k):
        reason, labels_ok = 5, 0
    return "%d:%d:%d:%d" % (i, k, reason, labels_ok)


REASONS = [None, "extent mismatch (%d vs %d)", "dim_names present on only one dataset", "dim_names mismatch (`%s` vs `%s`)",
           "coordinate labels present on only one dataset", "coordinate labels mismatch"]


def axis_entry(left, right, token, words):
    """What the response says of the axes of these words."""
    i, k, reason, labels_ok = map(int, words.split(":"))
    entry = {"axis": str(token), "ok": reason == 0, "extent_left": left.shape[i], "extent_right": right.shape[k]}
    if left.named:
        entry["dim_name_left"] = left.names[i]
    if right.named:
        entry["dim_name_right"] = right.names[k]
    entry["labels_ok"] = labels_ok == 1
    if reason:
        values = {1: (left.shape[i], right.shape[k]), 3: (left.names[i], right.names[k])}
        entry["reason"] = REASONS[reason] % values.get(reason, ())
    return entry


def alignments(program, folder, rng, cases):
    asked, wanted, matched = [], [], 0
    for number in range(cases):
        shape = [rng.randrange(1, 5) for _ in range(rng.randrange(1, 5))]
        names = ["a%d" % d for d in range(len(shape))]
        labels = [[rng.choice(LABELS) for _ in range(n)] for n in shape]
        left, right = Side(rng, shape, names, labels), Side(rng, shape, names, labels)
        axes, words = [], ["align"]
        for d in rng.sample(range(len(shape)), rng.randrange(1, len(shape) + 1)):
            k = d
            # As in the reference, a name that is no word of ASCII cannot be asked for.
            if (left.named and right.named and left.names[d] in right.names and len(left.names[d]) < 32 and rng.random() < 0.5
                    and left.names[d].isascii() and left.names[d].isalnum()):
                k = right.names.index(left.names[d])
                axes.append(left.names[d])
            else:
                axes.append(rng.choice([d, str(d)]))
            words.append(matching(left, right, d, k))
        path = os.path.join(folder, "align%d.tet" % number)
        with open(path, "wb") as file:
            file.write(tet_file([left.dataset("left"), right.dataset("r" * 33)], {"left": left.about, "r" * 33: right.about}))
        asked.append((path, json.dumps({"dataset": "left", "align": {"with": "r" * 33, "axes": axes}}).encode()))
        wanted.append((" ".join(words), [axis_entry(left, right, token, each) for token, each in zip(axes, words[1:])]))
        matched += all(w.endswith(":0:1") for w in words[1:])
    for (path, document), (words, entries), (answer, text) in zip(asked, wanted, run(program, asked)):
        check(answer == words, (path, document, answer, "should be", words))
        alignment = {"aligned": all(w.endswith(":0:1") for w in words.split()[1:]), "left": "left", "with": "r" * 33, "axes": entries}
        check(json.dumps(json.loads(text)["execution"]["alignment"]) == json.dumps(alignment), (document, text, alignment))
    print("figure: %d pairs of datasets, %d of them match" % (cases, matched))


# ---- elements ----

KNOWN = dict(center=["mean"], zscore=["mean", "std"], scale=["std"], minmax=["min", "max"], l1=["norm_l1"], l2=["norm_l2"],
             log1p=["min"], sqrt=["min"], softmax=["max", None])
STATISTICS = ["mean", "min", "max", "std", "norm_l1", "norm_l2"]
SHOWN = 5  # as answer.c


def shortest(dtype, value):
    """An element as the response has it."""
    if dtype == "f16":
        return int(value.view("<u2"))
    if dtype[0] != "f":
        return int(value)
    return None if not np.isfinite(value) else float(np.format_float_scientific(value, unique=True))


def elements_of(document, dataset, ranges, asked, tests=None, fill=None, keep=()):
    """The line and `execution` of a transform or of a document without a reduction, and how often the reference reads."""
    dtype = dataset[1]
    part = dataset[2].astype(fold_test.NUMPY[dtype])[np.ix_(*ranges)]
    method = document.get("transform", {}).get("method")
    after, times, result = {}, 1, part
    if method:
        axes = sum(1 << d for d in asked["axes"]) if asked["axes"] else 255
        maps = {d: (0, [0 if k[p] else None for p in ranges[d]]) for d, k in enumerate(keep) if k is not None}
        known, _, undefined, result = fold_test.expected_transform(part, method, axes, tests or {}, fill, maps)
        names = KNOWN[method]
        times = 1 + len(names)
        values = {n: [as_json(float(x), None) for x in known[i::len(names)]] for i, n in enumerate(names) if n is not None}
        after = {"operation_element_count": part.size}
        if asked["axes"]:
            after.update({"memory_strategy": "transform_ram", "operation_reduced_shape": [n for d, n in enumerate(part.shape) if not axes >> d & 1]})
            after.update({"operation_reduced_" + n: values.get(n, []) for n in STATISTICS})
        else:
            after.update({"operation_" + n: values[n][0] for n in STATISTICS if n in values})
            after["memory_strategy"] = "transform_ram"
        after["transform_method"] = method
        if undefined:
            after.update(transform_div_by_zero_indices=sorted(undefined), transform_div_by_zero_count=len(undefined))
    elif "spill" in document:
        after.update(memory_strategy="mmap_spill", spill_f32_path="/spill\"ed", spill_f32_bytes=part.nbytes)
    else:
        after["memory_strategy"] = "capped_in_memory"
    execution = {}
    for name in ("f32", "f64", "i32", "i64", "u8", "u16", "i16", "u32", "u64", "f16"):
        own = name == dtype
        execution[name + "_preview"] = [shortest(dtype, x) for x in result.reshape(-1)[:SHOWN]] if own else []
        execution[name + "_preview_truncated"] = own and part.size > SHOWN
    if dtype[0] == "f":  # which NaN it is, is not said
        result = np.where(np.isnan(result), np.array(math.nan, result.dtype), result) if method else result
    return "elements " + np.ascontiguousarray(result).tobytes().hex(), {**execution, **after}, times


def random_elements(program, folder, rng, cases):
    """Transforms and documents without a reduction."""
    asked, wanted = [], []
    while len(asked) < cases:
        made = random_dataset(rng, "a")
        dataset, about, _, fill = made
        case = Case(rng, *made)
        document = {k: v for k, v in case.document.items() if k not in ("window", "group_by", case.operation)}
        transforms = dataset[1] in ("f32", "f64") and rng.random() < 0.8
        operation, axes = None, []
        if transforms:
            if rng.random() < 0.6 and len(case.shape) > 1:
                axes = sorted(rng.sample(range(len(case.shape)), rng.randrange(1, len(case.shape))))
            document["transform"] = {"method": rng.choice(fold_test.METHODS), "axes": [token(rng, None, about, d) for d in axes]}
            operation = {"transform": {"method": document["transform"]["method"], "axes": [str(d) for d in axes]}}
        else:
            document.pop("filter", None)  # see dense_test.py
            document.pop("label_filter", None)
            if rng.random() < 0.3:
                document["spill"] = "x"
        path = os.path.join(folder, "elements%d.tet" % len(asked))
        with open(path, "wb") as file:
            file.write(tet_file([dataset], {"a": about} if about else {}))
        line, execution, times = elements_of(document, dataset, case.ranges, {"axes": axes}, case.tests, fill_of(fill), case.keep)
        asked.append((path, json.dumps(document).encode()))
        wanted.append((line, response_of(document, operation, [dataset], dataset, case.ranges, execution, times)))
    for (path, document), (line, response), (answer, text) in zip(asked, wanted, run(program, asked)):
        check(answer == line, (path, document, answer, "should be", line))
        check(same_response(text, response), (document, text, "should be", json.dumps(response)))
    print("figure: %d transforms and documents without a reduction, each with two budgets" % cases)


# ---- responses without results ----

def responses(program, folder):
    """Datasets that are not there, and documents that give elements; as the reference prints them, but for
    `message`, which is empty here."""
    a = np.arange(24, dtype="<f4").reshape(4, 6)
    name = "\u00e9\"\n\\" * 9
    made = [("a", "f32", a, (2, 4)), (name, "f16", a.astype("<f2"), (4, 6))]
    about = {"a": {"dim_names": ["row", "col"], "attrs": {"_FillValue": "5"}}}
    paths = [os.path.join(folder, n) for n in ("two.tet", "none.tet", "empty.tet")]
    for path, datasets in zip(paths, (made, [], [("a", "f64", np.zeros((3, 0)), (2, 2))])):
        with open(path, "wb") as file:
            file.write(tet_file(datasets, about if datasets == made else {}))
    catalog = {"matched": False, "file_execution": {"memory_budget_percent_bps": 0, "memory_budget_bytes": 0}}
    whole = [range(4), range(6)]
    cases = []
    for members, operation, selected in (({"sum": ["row", 1]}, {"sum": {"axes": ["row", "1"]}}, None), ({}, None, None),
                                         ({"null_count": {}}, {"null_count": {"axes": [], "fill": None}}, None),
                                         ({"null_count": {"fill": 1}}, {"null_count": {"axes": [], "fill": 1.0}}, None),
                                         ({"layout_version": 7, "selection": [{}]}, None, 1), ({"align": {"with": "a", "axes": [0]}}, None, None)):
        for path, datasets in zip(paths[:2], (made, [])):
            document = {"dataset": "zz", **members}
            want = {"status": "planned", "accepted": True, "layout_version": members.get("layout_version"), "dataset": "zz",
                    "selection_axes": selected, "operation": operation, "message": "", "tet_file": PATH,
                    "catalog": {**catalog, "available_datasets": [d[0] for d in datasets]}}
            cases.append((path, document, "no dataset", want))
    for members, operation in (({}, None), ({"layout_version": 4294967295}, None),
                               ({"transform": {"method": "softmax", "axes": ["col"]}}, {"transform": {"method": "softmax", "axes": ["1"]}}),
                               ({"transform": {"method": "l1"}}, {"transform": {"method": "l1", "axes": []}})):
        for dataset in made:
            if "axes" in members.get("transform", {}) and dataset != made[0]:
                continue
            if dataset[1] == "f16" and "transform" in members:
                continue
            document = {"dataset": dataset[0], **members}
            line, execution, times = elements_of(document, dataset, whole, {"axes": [1] if "axes" in members.get("transform", {}) else []})
            cases.append((paths[0], document, line, response_of(document, operation, made, dataset, whole, execution, times)))
    nowhere = "-54 error: validation: selection does not form a valid global box for this dataset: global selection box must satisfy 0 <= " \
              "start < stop <= shape[d] on every axis"
    for members, words in (({"sum": [1]}, nowhere), ({"sum": [], "selection": [{}, {}]}, nowhere),
                           ({"selection": [{}, {"start": 1}]}, "-54 error: validation: selection[1].start must be < shape[1] (0), got 1"),
                           ({"selection": [{}, {"stop": 1}]}, "-54 error: validation: selection[1].start must be < shape[1] (0), got 0")):
        cases.append((paths[2], {"dataset": "a", **members}, words, None))
    for (path, document, line, want), (answer, text) in zip(cases, run(program, [(p, json.dumps(d).encode()) for p, d, _, _ in cases])):
        check(answer == line and (text == "" if want is None else same_response(text, want)), (path, document, answer, text, json.dumps(want)))


# ---- what an attribute means as a fill ----

GOOD_FILLS = {"5": 5, "\t5\n": 5, "\v5": 5, "\f5 ": 5, "+5": 5, "-5": -5, "5e0": 5, "5E0": 5, "5e+0": 5, "50e-1": 5, "5.": 5, "5.0 ": 5, ".5e1": 5,
              "-.5E+1": -5, "5.e0": 5, "5e0 ": 5, "inf": math.inf, "-INF": -math.inf, "+inf": math.inf, "Infinity": math.inf, "nan": NAN, "-nan": NAN,
              "NaN ": NAN}
BAD_FILLS = ["\x1c5", "\x015", "5\x01", "--5", "+-5", "5-", "5e", "5e+", "5e+ ", "5e-x", "e5", ".", "-", "+", "- 5", "", "  ", "5 5", "5 x", "5x", "5.0.0", ".e1",
             "5..", "in", "infinityx", "infinities of it", "nan1", "na n", "nan 5", "1_0", "0x5", "5/", "5:", "5@", "5[", "{", "5`", "5e0e0", "5e0.0", "e", "-e", "i-", "n.",
             ".inf", "5inf", ". 5", "5.x"]


def fills(program, folder):
    """Which texts are numbers, and which; as the reference judges them. And pads of f16."""
    values = np.array([5, 5, -5, math.inf, math.inf, math.inf, -math.inf, -math.inf, NAN, 1, 0.5, 10])
    asked, wanted = [], []
    for i, (text, dtype) in enumerate(itertools.product(list(GOOD_FILLS) + BAD_FILLS, ("f64", "f32"))):
        path = os.path.join(folder, "fill%d.tet" % i)
        with open(path, "wb") as file:
            file.write(tet_file([("a", dtype, values, (5,))], {"a": {"attrs": {"_FillValue": text}}}))
        asked.append((path, b'{"dataset":"a","null_count":[]}'))
        fill = GOOD_FILLS.get(text)
        count = None if fill is None else float(sum(math.isnan(v) if math.isnan(fill) else v == fill for v in values))
        wanted.append('-54 error: validation: invalid fill value "%s"' % text if count is None else "0 12 0 0 1 " + double_bits(count))
    for (path, _), line, (answer, _) in zip(asked, wanted, run(program, asked)):
        check(answer == line, (path, answer, "should be", line))
    # a fill that is NaN means every NaN, of f32 as of f64; bins of two of these
    path = os.path.join(folder, "signs.tet")
    for dtype, text in itertools.product(("f64", "f32"), ("nan", "-nan")):
        with open(path, "wb") as file:
            file.write(tet_file([("a", dtype, np.copysign(np.array([NAN, 1, NAN, 2, NAN, NAN]), [1, 1, -1, 1, -1, -1]), (6,))],
                                {"a": {"attrs": {"_FillValue": text}}}))
        document = b'{"dataset":"a","count":[],"filter":{"is_null":true},"window":{"axis":0,"size":2,"mode":"bins","pad":"fill"}}'
        ((answer, _),) = run(program, [(path, document)])
        check(answer.split()[-3:] == [double_bits(n) for n in (1.0, 1.0, 2.0)], (dtype, text, answer))
    # a pad is an element of the dataset, 99.9 rounded to f32; a filter's null is the fill as it is written, which no f32 equals
    path = os.path.join(folder, "rounded.tet")
    with open(path, "wb") as file:
        file.write(tet_file([("a", "f32", np.array([99.9, 1, 2]), (3,))], {"a": {"attrs": {"_FillValue": "99.9"}}}))
    padded, null = run(program, [(path, b'{"dataset":"a","sum":[],"window":{"axis":0,"size":2,"mode":"bins","pad":"fill"}}'),
                                 (path, b'{"dataset":"a","count":[],"filter":{"is_null":true}}')])
    pad = float(np.float32(99.9))
    check(padded[0].split()[-2:] == [double_bits(pad + 1), double_bits(pad + 2)] and null[0].split()[-1] == double_bits(0.0), (padded, null))
    path = os.path.join(folder, "pads.tet")
    for dtype in TAGS:
        with open(path, "wb") as file:
            file.write(tet_file([("a", dtype, np.arange(3), (3,))], {}))
        document = b'{"dataset":"a","sum":[],"window":{"axis":0,"size":2,"mode":"bins","pad":"nan"}}'
        ((answer, _),) = run(program, [(path, document)])
        sums = " ".join([double_bits(1.0), double_bits(NAN)])
        check(answer == ("0 3 0 2 2 " + sums if dtype[0] == "f" else '-54 error: validation: `window.pad` "nan" is not valid for integer dtypes'),
              (dtype, answer))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--cases", type=int, default=240)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        messages(args.program, folder)
        responses(args.program, folder)
        fills(args.program, folder)
        group_labels(args.program, folder)
        random_cases(args.program, folder, random.Random(args.seed), args.cases)
        random_elements(args.program, folder, random.Random(args.seed), args.cases // 2)
        matrices(args.program, folder, random.Random(args.seed), args.cases // 4)
        alignments(args.program, folder, random.Random(args.seed), args.cases)
    print("%d passed, %d failed" % (PASSED, len(FAILED)))
    return 1 if FAILED else 0


if __name__ == "__main__":
    with np.errstate(all="ignore"):
        sys.exit(main())
