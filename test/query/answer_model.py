# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""Random files and query documents, and a model of their answers and responses in NumPy and fractions. It shares nothing
with src/; its folds are those of test/fold."""
import itertools
import json
import math
import os
import struct
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "fold"))
import fold_model  # noqa: E402

TAGS = {"f32": 1, "f64": 2, "i32": 3, "i64": 4, "u8": 5, "u16": 6, "i16": 7, "u32": 8, "f16": 9, "u64": 10}
OPERATIONS = ["sum", "mean", "min", "max", "count", "var", "std", "norm_l1", "norm_l2", "all_finite", "any_nan", "any_inf",
              "nan_count", "inf_count", "null_count", "nan_mean", "nan_std", "arg_min", "arg_max", "product"]
PASSES = ["median", "quantile", "histogram"]  # not in windows
NAN = float("nan")


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
            data = np.ascontiguousarray(part, fold_model.NUMPY[dtype]).tobytes()
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


# ---- random documents ----

FILLS = [None, None, "-1", " 3 ", "nan", "-inf", "junk", "2.5", "1e400", "+.5e1", "99.9", "infinity", "0x10", "1 2", "7."]


def fill_of(text):
    """The fill that the text of an attribute means; None if it means none."""
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
        info = np.iinfo(fold_model.NUMPY[dtype])
        values = [rng.choice([info.min, info.max, rng.randrange(0, 5), min(rng.randrange(0, 1000), int(info.max))]) for _ in range(count)]
    array = np.array(values, dtype=fold_model.NUMPY[dtype]).reshape(shape)
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
    if labels:  # the only labels of that number, without a name, also belong to the axis
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
    x = fold_model.to_double(element)
    whole = int(element) if isinstance(element, np.integer) else None
    null = math.isnan(x) or (fill is not None and fold_model.is_fill(element, fill))
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
    """[(begin, end)] on the selected indices; ends may be outside."""
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


def as_element(dtype, value):
    return float(np.float32(value)) if dtype == "f32" and value is not None else value


class Case:
    """A document and its meaning."""

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
        self.counted = self.fill  # by null_count; filters and pads use the fill of the dataset
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
            if rng.random() < 0.2:  # a list of the same, in which absent labels are omitted
                values = [one.get(k) for k in ("start", "stop", "step", "start_label", "stop_label")]
                while len(values) > 3 and values[-1] is None and rng.random() < 0.7:
                    values.pop()
                one = values
            out.append(one)
        self.document["selection"] = out

    def parameters(self, rng, spec):
        """The value of a reduction with parameters."""
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
        """The fill is a value of the dtype, which pads must be."""
        if self.fill is None:
            return False
        if self.dtype[0] == "f":
            value = as_element(self.dtype, self.fill)
            return self.dtype != "f16" or math.isnan(value) or float(np.float16(value)) == value
        info = np.iinfo(fold_model.NUMPY[self.dtype])
        return math.isfinite(self.fill) and self.fill == int(self.fill) and info.min <= self.fill <= info.max

    def cuts(self, d):
        """For each result along an axis: the selected indices that belong to it, and pads: [(places, first, pads)]."""
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
        """The expected line."""
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
                    values += [(s, np.dtype(fold_model.NUMPY[self.dtype]).type(pad)) for s in slots for _ in range(others)]
                    if operation in ("argmin", "argmax") and real and self.as_good(operation, real, values):
                        values = real
            result = self.fold(operation, values)
            results += result if isinstance(result, list) else [result]
        groups = math.prod(len(all_cuts[d]) for d in self.groups) if self.groups else 0
        windows = len(all_cuts[self.window["d"]]) if self.window else 0
        return folded, groups, windows, shape, results

    def as_good(self, operation, real, values):
        """Whether an element is the extreme, or equal to the pad that is."""
        plain = [[v.item() for _, v in some if not math.isnan(v)] for some in (real, values)]
        best = min if operation == "argmin" else max
        return not plain[1] or bool(plain[0]) and best(plain[0]) == best(plain[1])

    def fold(self, operation, values):
        if operation in PASSES:
            return fold_model.fold(operation, values, self.counted, self.more)
        if not values:
            return 1.0 if operation in ("product", "all_finite") else NAN if operation in ("nan_mean", "nan_std") else 0.0
        if self.window and operation in ("argmin", "argmax"):  # the first one in row-major order
            first = fold_model.fold(operation, [(i, v) for i, (_, v) in enumerate(values)], self.counted)
            return float(values[int(first)][0])
        return fold_model.fold(operation, values, self.counted)


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
    """The response document, as nested ordered dicts; all chunks are read that many times."""
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
            execution["operation_histogram_edges"] = [as_json(v, operation) for v in fold_model.edges(*results[:2], case.more[0])]
    elif shape:
        execution["operation_reduced_" + name] = values
    elif operation != "count":
        execution["operation_" + name] = values[0]
    execution.setdefault("memory_strategy", "streaming_fold")
    for name in ("group_count", "window_count"):  # after the results of all, before those of parts
        if not shape and name in execution:
            execution[name] = execution.pop(name)
    dataset = next(m for m in made if m[0] == case.name)
    return response_of(case.document, {operation: said}, made, dataset, case.ranges, execution)


def same_response(text, wanted):
    """Equal key for key, in the same order; a double is not equal to an integer."""
    return json.dumps(json.loads(text)) == json.dumps(wanted) if text else False


def same(a, b):
    return len(a) == len(b) and all(math.isnan(x) and math.isnan(y) or double_bits(x) == double_bits(y) for x, y in zip(a, b))


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
    part = dataset[2].astype(fold_model.NUMPY[dtype])[np.ix_(*ranges)]
    method = document.get("transform", {}).get("method")
    after, times, result = {}, 1, part
    if method:
        axes = sum(1 << d for d in asked["axes"]) if asked["axes"] else 255
        maps = {d: (0, [0 if k[p] else None for p in ranges[d]]) for d, k in enumerate(keep) if k is not None}
        known, _, undefined, result = fold_model.expected_transform(part, method, axes, tests or {}, fill, maps)
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
    if dtype[0] == "f":  # any NaN counts as the same
        result = np.where(np.isnan(result), np.array(math.nan, result.dtype), result) if method else result
    return "elements " + np.ascontiguousarray(result).tobytes().hex(), {**execution, **after}, times
