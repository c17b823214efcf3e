#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""Query documents through the tool and through the reference's own program: query_interop.py UTET TET WORK [DOCUMENTS] (SEED=)

Random documents over random files, those of test/query/answer_model.py; answer_test.py compares the tool's answers with a model
of its own. Some have no reduction, or a transform; others are the same with one random change, and many of those are refused.
Compared: whether they are refused, the message, the plan with the chunks that are touched, each number of the answer, the first
elements, and their order. A difference must be one that
the format page names (T1 to T24 of its §20, numbers of its §24), or src/query/INSIDE.md; each is counted. Any other one fails.
"""
import collections
import concurrent.futures
import json
import math
import os
import random
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "query"))
import answer_model  # noqa: E402
import answer_test  # noqa: E402
import numpy as np  # noqa: E402
from document_test import check, tally  # noqa: E402

UTET, TET, WORK = sys.argv[1:4]
DOCUMENTS = int(sys.argv[4]) if len(sys.argv) > 4 else 3000
SEED = os.environ.get("SEED", "1")
NAN_COUNTS = {"nan_count", "inf_count", "null_count", "nan_mean", "nan_std"}
TIER_C = {"median", "quantile", "histogram"}
BOOLEANS = {"all_finite", "any_nan", "any_inf"}
# Messages of the reference about valid documents that it cannot execute.
CANNOT = (("T7: axes of u8, u16, i16, u64, f16 fail, of u32 are read as i32",
           ("values but raw_byte_len implies", "is not a multiple of", "partial-axis fold on", "windowed fold on")),
          ("T11: median, quantile, histogram fail on u32, u64, f16", ("unsupported materialize-required operation",)),
          ("T6: median, quantile, histogram fail when NaN is selected", ("unset", "finite values")),
          ("24.6: fills of integers under a filter", ("integer materialize",)),
          ("14.6: nothing passes a label_filter", ("requires at least one decoded",)),
          ("14.5: a document without a reduction needs previews", ("preview limit 0 without",)))
listed = collections.Counter()


def run(*arguments):
    done = subprocess.run(arguments, stdin=subprocess.DEVNULL, capture_output=True, timeout=120, check=False)
    return done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace").strip()


def both(job):
    path, document, previews = job
    return (run(UTET, "query", "--json", path, document), run(TET, "query", document, "-t", path, "-x", "--format", "json", "--preview", previews))


# ---- known differences ----

def has_nan(case):
    return case.dtype[0] == "f" and bool(np.isnan(case.array.astype("f8")).any())


def all_finite(case):
    return bool(np.isfinite(case.array.astype("f8")).all())


def reason(case, ours, theirs):
    """The name of the difference that this case may show; None if there must be none."""
    op, dtype = case.operation, case.dtype
    partial = not case.window and len(case.axes) < len(case.shape)
    integer = dtype[0] != "f"
    filtered = bool(case.tests) or any(k is not None for k in case.keep)
    if partial and dtype in ("u8", "u16", "i16", "u64", "u32", "f16"):
        return "T7: axes of u8, u16, i16, u64, f16 fail, of u32 are read as i32"
    if op in TIER_C and (dtype in ("u32", "u64", "f16")):
        return "T11: median, quantile, histogram fail on u32, u64, f16"
    if op in TIER_C and has_nan(case):
        return "T6: median, quantile, histogram fail when NaN is selected"
    if op in TIER_C and filtered:
        return "T11: median, quantile, histogram under a filter take what it leaves out (24.4, 24.6, 24.7)"
    if op == "quantile":
        return "T10: quantiles between two elements"
    if op in NAN_COUNTS and (partial or case.window or dtype != "f32"):
        return "T8: counts of NaN, infinities, fills, nan_mean and nan_std (24.1)"
    if op == "null_count" and case.counted != case.asked_fill:
        return "14.1: null_count with a fill that the dtype rounds"
    if op in ("min", "max") and has_nan(case):
        return "T9: min and max forget what came before NaN"
    if case.window and case.window.get("align") == "end" and case.window["mode"] == "bins":
        return "T13: windows of bins with align end (24.3)"
    if op in ("arg_min", "arg_max"):
        return "T12, T13: places of extremes: ties by tiles, NaN, pads, windows with other axes reduced (24.13)"
    if case.window and op in BOOLEANS:
        return "T13: truth values ignore min_count"
    if op in ("var", "std") and not integer and not all_finite(case):
        return "24.13: var and std of an infinity or NaN alone are 0"
    if op in ("any_nan", "any_inf") and dtype[0] == "f":
        return "T24: any_nan and any_inf stop early, element_count is too small"
    if ((integer or dtype == "f16") and filtered or no_label(case)) and theirs[0] != 0 and "requires at least one decoded" in theirs[2]:
        return "14.6: nothing passes a label_filter"
    return None


def no_label(case):
    """Whether the label_filter selects none of the indices of its axis."""
    return any(k is not None and not any(k[i] for i in places) for k, places in zip(case.keep, case.ranges))


def plain(rng, case):
    """The document without its reduction, often without its filter, or with a transform."""
    for key in ("window", "group_by", case.operation):
        case.document.pop(key, None)
    case.operation = None
    if rng.random() < 0.3:
        case.document.pop("filter", None)
    if rng.random() < 0.5:
        ndim = len(case.shape)
        axes = rng.sample(range(ndim), rng.randrange(1, ndim)) if ndim > 1 and rng.random() < 0.6 else []
        case.document["transform"] = {"method": rng.choice(answer_model.fold_model.METHODS), "axes": axes}
    return case.document


def same_elements(case, path, document, ours, theirs):
    """For a document without a reduction: the refusal, or the first elements, with NaN or the fill where a filter excludes one."""
    if ours[0] or theirs[0]:
        if not ours[0] and "requires at least one decoded" in theirs[2] and no_label(case):
            listed["14.6: nothing passes a label_filter"] += 1
            return
        if not ours[0] and any(s in theirs[2] for s in ("unset", "finite values")):
            listed["T6: elements that are NaN"] += 1
            return
        check((path, document, "ours: %s" % (ours[2] or "answered"), "reference: %s" % (theirs[2] or "answered")), words(ours[2]) == words(theirs[2]))
        return
    a, b = json.loads(ours[1]), json.loads(theirs[1])
    for key in ("status", "accepted", "layout_version", "dataset", "selection_axes", "operation", "catalog", "read_plan"):
        check((path, document, key, a[key], b[key]), same_text(a[key], b[key]))
    a, b = a["execution"], b["execution"]
    same_order(path, document, a, b)
    transforms = "transform" in case.document
    good = all(same_elements_of(a[k], b[k], case, transforms) for k in a if k != "memory_strategy" and k in b) and set(a) <= set(b)
    if not good and transforms and not all_finite(case):
        listed["T6: transforms of NaN and infinities"] += 1
        good = True
    if not good and case.document.get("transform", {}).get("method") == "softmax" and "filter" in document:
        listed["src/fold/OPERATIONS.md: softmax under a filter, the reference's sum is of all elements"] += 1
        good = True
    check((path, document, a, {k: b.get(k) for k in a}), good)


def same_order(path, document, a, b):
    """The members of `execution` that both have are in the same order, and the counts of bytes read are equal."""
    check((path, document, "order, or bytes read", list(a), list(b), a["total_bytes_read_from_disk"], b["total_bytes_read_from_disk"]),
          [k for k in a if k in b] == [k for k in b if k in a] and a["total_bytes_read_from_disk"] == b["total_bytes_read_from_disk"])


def same_elements_of(a, b, case, transforms):
    """Elements are equal as they are stored; those of transforms are close to the reference's, which rounds on the
    way."""
    if isinstance(a, list):
        return isinstance(b, list) and len(a) == len(b) and all(same_elements_of(x, y, case, transforms) for x, y in zip(a, b))
    if a is None or b is None or not transforms or isinstance(a, (bool, str)):
        return a == b if case.dtype != "f32" or a is None or b is None or isinstance(a, (bool, str)) else np.float32(a) == np.float32(b)
    return abs(a - b) <= 1e-5 * max(1, abs(a))


def near(a, b, scale):
    if a is None or b is None:
        return a is b
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    return a == b or abs(a - b) <= scale * 1e-9 + 1e-300


def same_text(a, b):
    """The same keys in the same order; doubles may be written in two ways, and the reference reads some of them wrongly
    (24.2)."""
    if isinstance(a, dict) and isinstance(b, dict):
        return list(a) == list(b) and all(same_text(a[k], b[k]) for k in a)
    if isinstance(a, float) and isinstance(b, float):
        return abs(a - b) <= 1e-15 * abs(a)
    return type(a) is type(b) and a == b


def same_numbers(a, b, scale):
    if isinstance(a, list) or isinstance(b, list):
        return isinstance(a, list) and isinstance(b, list) and len(a) == len(b) and all(same_numbers(x, y, scale) for x, y in zip(a, b))
    return near(a, b, scale)


def as_f32(value):
    return None if value is None else float(np.float32(value))


def compare(case, path, document, ours, theirs):
    name = reason(case, ours, theirs)
    if (ours[0] != 0) != (theirs[0] != 0):
        if name is not None and ours[0] == 0:
            listed[name] += 1
        check((path, document, case.dtype, "ours: %s" % (ours[2] or "answered"), "reference: %s" % (theirs[2] or "answered")), name is not None and ours[0] == 0)
        return
    if ours[0] != 0:
        check((path, document, words(ours[2]), words(theirs[2])), words(ours[2]) == words(theirs[2]))
        return
    a, b = json.loads(ours[1]), json.loads(theirs[1])
    check((path, document, "keys", list(a), list(b)), list(a) == list(b))
    for key in ("status", "accepted", "layout_version", "dataset", "selection_axes", "operation", "catalog", "read_plan"):
        if key == "operation" and case.dtype == "f32" and case.operation == "null_count":  # the fill as a value of the dtype
            a[key][case.operation]["fill"], b[key][case.operation]["fill"] = (
                as_f32(x[key][case.operation]["fill"]) for x in (a, b))
        check((path, document, key, a[key], b[key]), same_text(a[key], b[key]))
    same_order(path, document, a["execution"], b["execution"])
    values = [abs(float(v)) for v in case.array.flat if math.isfinite(float(v))]
    scale = max(values, default=0) + 1
    scale = scale * scale if case.operation == "var" else scale * len(values)
    theirs_alone = {k for k in b["execution"] if k.startswith("operation_") or k in ("group_count", "window_count")}
    mine = {k for k in a["execution"] if k.startswith("operation_") or k in ("group_count", "window_count")}
    good = mine == theirs_alone and all(same_numbers(a["execution"][k], b["execution"][k], 1 if "shape" in k or "count" in k else scale) for k in mine)
    if not good and case.operation == "product":  # each step is rounded; beyond doubles, the tool has no limit of the exponent
        good = all(product_near(a["execution"][k], b["execution"][k]) for k in mine & theirs_alone)
        listed["products: exponents without limit"] += good
    if not good and name is not None:
        listed[name] += 1
        good = True
    check((path, document, case.dtype, case.array.tolist(), {k: a["execution"][k] for k in mine}, {k: b["execution"][k] for k in theirs_alone}), good)


def product_near(a, b):
    if isinstance(a, list):
        return len(a) == len(b) and all(map(product_near, a, b))
    return b is None or a == b or a is not None and (abs(a - b) <= 1e-9 * abs(a) or b == 0 or a == 0)


def words(text):
    """The message after the program's own prefix; control bytes of names as `utet` shows them."""
    for mark in ("validation: ", "invalid query JSON: "):
        at = text.find(mark)
        if at >= 0:
            return "".join("\\x%02x" % ord(c) if ord(c) < 32 or ord(c) == 127 else c for c in text[at:].rstrip("\n"))
    return text


# ---- documents with a fault ----

VALUES = [None, True, -1, 0, 2.5, 99, "", "zz", "0", [], {}, [0, 0], ["a0"], {"axis": 9}, [None], 1e300, 2 ** 64, [[]]]
KEYS = ["sum", "filter", "selection", "window", "group_by", "label_filter", "align", "spill", "write", "execution", "pipeline", "layout_version",
        "operation", "quantile", "histogram", "transform", "covariance", "x"]
REDUCTIONS = set(answer_model.OPERATIONS + answer_model.PASSES + ["covariance", "correlation", "transform"])


def damage(rng, document):
    """One change: a key more or less, or another value, at any depth."""
    document = json.loads(json.dumps(document))
    at = document
    while True:
        inside = [v for v in (at.values() if isinstance(at, dict) else at) if isinstance(v, (dict, list)) and v]
        if not inside or rng.random() < 0.4:
            break
        at = rng.choice(inside)
    kind = rng.random()
    if isinstance(at, list):
        if kind < 0.3:
            at.append(rng.choice(VALUES))
        else:
            at[rng.randrange(len(at))] = rng.choice(VALUES)
    elif kind < 0.25:
        del at[rng.choice(sorted(at))]
    elif kind < 0.5:
        at[rng.choice(KEYS)] = rng.choice(VALUES)
    else:
        at[rng.choice(sorted(at))] = rng.choice(VALUES)
    return document


def refusals(path, document, ours, theirs):
    """A document that may have a fault: the messages are the same, except for what one of the two cannot execute."""
    mine, other = (words(c[2]) if c[0] else "" for c in (ours, theirs))
    if "not supported by utet" in mine or "a document without a reduction" in mine:
        listed["ours: understood, but not carried out"] += 1
        return
    if mine == other:
        check((), True)
        return
    names = [name for name, some in CANNOT if any(s in other for s in some)]
    if names:
        listed[names[0]] += 1
        return
    if mine.startswith("validation: selection must specify") and "index out of bounds" in other:
        listed["the reference panics: a selection of more axes than the dataset has, and labels"] += 1
        return
    asked = json.loads(document)
    if sum(k in REDUCTIONS for k in asked) > 1 and "at most one reduction key" in mine + other:
        listed["src/query/INSIDE.md: two faults, a reduction's value and a second reduction"] += 1
        return
    check((path, document, "ours: " + (mine or "answered"), "reference: " + (other or "answered")), False)


def job(name, datasets, about, document):
    """A file, and a document with one question about it."""
    path = os.path.join(WORK, name)
    with open(path, "wb") as file:
        file.write(answer_model.tet_file(datasets, about, 8))
    with open(path + ".json", "w", encoding="utf-8") as file:
        json.dump(document, file)
    return path, path + ".json", "0"


# ---- align ----

def alignments(rng, count):
    jobs = []
    for number in range(count):
        shape = [rng.randrange(1, 5) for _ in range(rng.randrange(1, 5))]
        names = ["a%d" % d for d in range(len(shape))]
        labels = [[rng.choice(answer_test.LABELS) for _ in range(n)] for n in shape]
        sides = [answer_test.Side(rng, shape, names, labels) for _ in range(2)]
        axes = [rng.choice([d, str(d), names[d]]) for d in rng.sample(range(len(shape)), rng.randrange(1, len(shape) + 1))]
        jobs.append(job("align%d.tet" % number, [s.dataset(n) for s, n in zip(sides, ("l", "r"))],
                        {n: s.about for s, n in zip(sides, ("l", "r"))}, {"dataset": "l", "align": {"with": "r", "axes": axes}}))
    return jobs


def aligned(path, ours, theirs):
    if ours[0] or theirs[0]:
        check((path, words(ours[2]), words(theirs[2])), words(ours[2]) == words(theirs[2]))
        return
    mine, other = (json.loads(c[1])["execution"] for c in (ours, theirs))
    other = {k: v for k, v in other.items() if "_preview" not in k}
    check((path, mine, other), same_text(mine, other))


# ---- covariance and correlation under filters ----

def matrices(rng, count):
    """Small integers of every dtype, so that the reference's doubles are exact; with and without a fill."""
    jobs = []
    for number in range(count):
        shape = (rng.randrange(1, 7), rng.randrange(1, 6))
        dtype, fill = rng.choice(list(answer_model.TAGS)), rng.choice([None, "99", "3", "0"])
        array = np.array([[rng.randrange(12) for _ in range(shape[1])] for _ in range(shape[0])]).astype(answer_model.fold_model.NUMPY[dtype])
        about = {"coords": {str(d): {"labels": [rng.choice("xyz") for _ in range(n)]} for d, n in enumerate(shape)}}
        if fill is not None:
            about["attrs"] = {"_FillValue": fill}
        document = {"dataset": "a", rng.choice(["covariance", "correlation"]): [rng.randrange(2)]}
        if rng.random() < 0.7:
            document["filter"] = rng.choice([{"ge": 5}, {"lt": 8}, {"is_not_null": True}, {"is_null": True}, {"ne": 3}, {"gt": -1}])
        if rng.random() < 0.5:
            document["label_filter"] = {"axis": rng.randrange(2), "eq": "x"}
        jobs.append(job("matrix%d.tet" % number, [("a", dtype, array, (2, 2))], {"a": about}, document))
    return jobs


def same_matrix(path, ours, theirs):
    if ours[0] or theirs[0]:
        check((path, words(ours[2]), words(theirs[2])), words(ours[2]) == words(theirs[2]))
        return
    a, b = (json.loads(c[1])["execution"] for c in (ours, theirs))
    a, b = ({k: v for k, v in x.items() if k.startswith("operation_")} for x in (a, b))
    check((path, a, b), list(a) == list(b) and all(same_numbers(a[k], b[k], 1) for k in a))


def main():
    rng = random.Random("query " + SEED)
    os.makedirs(WORK, exist_ok=True)
    jobs, cases = [], []
    number = 0
    while len(jobs) < DOCUMENTS:
        made = [answer_model.random_dataset(rng, n) for n in ("first", "second")]
        path = os.path.join(WORK, "%d.tet" % number)
        number += 1
        with open(path, "wb") as file:
            file.write(answer_model.tet_file([m[0] for m in made], {m[0][0]: m[1] for m in made if m[1]}, 8))
        for _ in range(12):
            case = answer_model.Case(rng, *rng.choice(made))
            broken = len(jobs) % 3 == 2
            elements = len(jobs) % 12 == 1
            document = damage(rng, case.document) if broken else plain(rng, case) if elements else case.document
            name = os.path.join(WORK, "%d.json" % len(jobs))
            with open(name, "w", encoding="utf-8") as file:
                json.dump(document, file)
            jobs.append((path, name, "64" if elements else "0"))
            cases.append((case, broken, document))
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for (path, _, previews), (case, broken, document), (ours, theirs) in zip(jobs, cases, pool.map(both, jobs)):
            if previews != "0":
                same_elements(case, path, json.dumps(document), ours, theirs)
            elif broken:
                refusals(path, json.dumps(document), ours, theirs)
            else:
                compare(case, path, json.dumps(document), ours, theirs)
        pairs = alignments(rng, DOCUMENTS // 10)
        for (path, *_), (ours, theirs) in zip(pairs, pool.map(both, pairs)):
            aligned(path, ours, theirs)
        squares = matrices(rng, DOCUMENTS // 10)
        for (path, *_), (ours, theirs) in zip(squares, pool.map(both, squares)):
            same_matrix(path, ours, theirs)
    for name, count in sorted(listed.items()):
        print("figure: interop-query: %d times %s" % (count, name))
    print("figure: interop-query: %d documents over %d files, %d with a difference that is listed, %d pairs of datasets, %d matrices" % (
        len(jobs), number, sum(listed.values()), len(pairs), len(squares)))
    return tally.end()


if __name__ == "__main__":
    with np.errstate(all="ignore"):
        sys.exit(main())
