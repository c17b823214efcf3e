#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""Query documents and a file: answer_test.py ANSWER [--cases N] [--seed N]

1. plan_messages.txt: documents that the reference refuses for a file, and its message, word for word.
2. Random documents over random arrays with names, labels and fills, against a model in NumPy and fractions: the same
   bits where a sum is exact, the same shape, groups, windows and number of elements.
ANSWER runs each document twice: with room for everything, and with exactly the minimum workspace, where both the
document and the file come one byte at a time with "not yet" before each; both answers must be the same line.
3. Covariance and correlation, transforms and documents without a reduction, against the same model.
4. Random pairs of datasets, of which some match: the result of `align` for each axis, by the reference's rules.
5. Responses without results: for datasets that do not exist, for transforms, for documents without a reduction.
6. Texts of attributes: which are numbers, and which fill each means.
The response document of each is compared with one that the model makes: all keys and values, in their order.
The model is answer_model.py.
"""
import argparse
import itertools
import json
import math
import os
import random
import struct
import sys
import tempfile

import numpy as np

from answer_model import (Case, NAN, PATH, TAGS, as_json, double_bits, elements_of, fill_of, fold_model, random_dataset,
                          response_for, response_of, same, same_response, tet_file, token)
from document_test import ask, check, tally

HERE = os.path.dirname(os.path.abspath(__file__))


def run(program, asked):
    """asked: (path, document)."""
    text = b"".join(b"%s\n%d\n" % (path.encode(), len(d)) + d for path, d in asked)
    answers, _ = ask(program, asked, text, 2)
    return list(zip(answers[::2], answers[1::2]))


# ---- messages ----

def messages(program, folder):
    # The reference's messages were made for a file like this one.
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
    # Names that do not fit in the window.
    cases.append(("error: validation: unknown dimension name `zz` (dim_names: %s)" % ", ".join(long), '{"dataset":"long","sum":"zz"}'))
    line = run(program, [(path, b'{"dataset":"a","align":{"with":"bad","axes":[0]}}')])[0][0]
    check((line, "names of another number are no names"), line == "align 0:0:2:1")
    for (words, document), (answer, text) in zip(cases, run(program, [(path, d.encode()) for _, d in cases])):
        check((document, words, answer, text), answer == "-54 " + words and text == "")


def group_labels(program, folder):
    """Groups by many labels: all of them in one pass, and in at most 64 passes with the minimum memory. Labels that
    consist of NULs share one slot, for every hash that begins with 0."""
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
        check((kind, document, answer), words[0] == "0" and words[2] == str(len(sums)) and words[5:] == [double_bits(v) for v in sums])


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
            check((document, answer, "should be", results), False)
            continue
        got = [struct.unpack("<d", struct.pack("<Q", int(w, 16)))[0] for w in words[5:]]
        check((document, case.dtype, case.array.tolist(), case.labels, answer, got, "should be", results, (folded, groups, windows, shape)),
              same(got, results) and words[2:5] == [str(groups), str(windows), "x".join(map(str, shape or [1]))])
        if not case.window:
            check((document, "folded", answer, folded), words[1] == str(folded))
        response = response_for(case, made, int(words[1]) if case.window else folded, groups, windows, shape, results)
        check((document, text, "should be", json.dumps(response)), same_response(text, response))
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
        results = fold_model.matrix(rows, operation == "correlation")
        execution = {"operation_element_count": part.size, "memory_strategy": "streaming_fold",
                     "operation_" + operation: [as_json(v, operation) for v in results], "operation_%s_order" % operation: len(rows)}
        asked.append((path, json.dumps(case.document).encode()))
        wanted.append((results, len(rows), response_of(case.document, {operation: {"axes": [str(axis)]}}, [dataset], dataset, case.ranges,
                                                       execution)))
    for (path, document), (results, order, response), (answer, text) in zip(asked, wanted, run(program, asked)):
        words = answer.split()
        got = [struct.unpack("<d", struct.pack("<Q", int(w, 16)))[0] for w in words[5:]] if words[0] == "0" else []
        check((path, document, answer, got, "should be", results), same(got, results) and words[4] == "%dx%d" % (order, order))
        check((document, text, "should be", json.dumps(response)), same_response(text, response))
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
    """The result for axes i and k: both numbers, the last test that failed, whether the labels match."""
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
    """The response for the axes of this line."""
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
            # As in the reference, a name that is not an ASCII word cannot be requested.
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
        check((path, document, answer, "should be", words), answer == words)
        alignment = {"aligned": all(w.endswith(":0:1") for w in words.split()[1:]), "left": "left", "with": "r" * 33, "axes": entries}
        check((document, text, alignment), json.dumps(json.loads(text)["execution"]["alignment"]) == json.dumps(alignment))
    print("figure: %d pairs of datasets, %d of them match" % (cases, matched))


# ---- elements ----

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
            document["transform"] = {"method": rng.choice(fold_model.METHODS), "axes": [token(rng, None, about, d) for d in axes]}
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
        check((path, document, answer, "should be", line), answer == line)
        check((document, text, "should be", json.dumps(response)), same_response(text, response))
    print("figure: %d transforms and documents without a reduction, each with two budgets" % cases)


# ---- responses without results ----

def responses(program, folder):
    """Datasets that do not exist, and documents that give elements, as the reference prints them, except for `message`,
    which is empty here."""
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
        check((path, document, answer, text, json.dumps(want)), answer == line and (text == "" if want is None else same_response(text, want)))


# ---- what an attribute means as a fill ----

GOOD_FILLS = {"5": 5, "\t5\n": 5, "\v5": 5, "\f5 ": 5, "+5": 5, "-5": -5, "5e0": 5, "5E0": 5, "5e+0": 5, "50e-1": 5, "5.": 5, "5.0 ": 5, ".5e1": 5,
              "-.5E+1": -5, "5.e0": 5, "5e0 ": 5, "inf": math.inf, "-INF": -math.inf, "+inf": math.inf, "Infinity": math.inf, "nan": NAN, "-nan": NAN,
              "NaN ": NAN}
BAD_FILLS = ["\x1c5", "\x015", "5\x01", "--5", "+-5", "5-", "5e", "5e+", "5e+ ", "5e-x", "e5", ".", "-", "+", "- 5", "", "  ", "5 5", "5 x", "5x", "5.0.0", ".e1",
             "5..", "in", "infinityx", "infinities of it", "nan1", "na n", "nan 5", "1_0", "0x5", "5/", "5:", "5@", "5[", "{", "5`", "5e0e0", "5e0.0", "e", "-e", "i-", "n.",
             ".inf", "5inf", ". 5", "5.x"]


def fills(program, folder):
    """Which texts are numbers, and which numbers, as the reference decides. Also pads of f16."""
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
        check((path, answer, "should be", line), answer == line)
    # a fill that is NaN matches every NaN, of f32 as of f64; bins of two of these
    path = os.path.join(folder, "signs.tet")
    for dtype, text in itertools.product(("f64", "f32"), ("nan", "-nan")):
        with open(path, "wb") as file:
            file.write(tet_file([("a", dtype, np.copysign(np.array([NAN, 1, NAN, 2, NAN, NAN]), [1, 1, -1, 1, -1, -1]), (6,))],
                                {"a": {"attrs": {"_FillValue": text}}}))
        document = b'{"dataset":"a","count":[],"filter":{"is_null":true},"window":{"axis":0,"size":2,"mode":"bins","pad":"fill"}}'
        ((answer, _),) = run(program, [(path, document)])
        check((dtype, text, answer), answer.split()[-3:] == [double_bits(n) for n in (1.0, 1.0, 2.0)])
    # a pad is an element of the dataset, 99.9 rounded to f32; a filter's null is the fill as it is written, which no f32 equals
    path = os.path.join(folder, "rounded.tet")
    with open(path, "wb") as file:
        file.write(tet_file([("a", "f32", np.array([99.9, 1, 2]), (3,))], {"a": {"attrs": {"_FillValue": "99.9"}}}))
    padded, null = run(program, [(path, b'{"dataset":"a","sum":[],"window":{"axis":0,"size":2,"mode":"bins","pad":"fill"}}'),
                                 (path, b'{"dataset":"a","count":[],"filter":{"is_null":true}}')])
    pad = float(np.float32(99.9))
    check((padded, null), padded[0].split()[-2:] == [double_bits(pad + 1), double_bits(pad + 2)] and null[0].split()[-1] == double_bits(0.0))
    path = os.path.join(folder, "pads.tet")
    for dtype in TAGS:
        with open(path, "wb") as file:
            file.write(tet_file([("a", dtype, np.arange(3), (3,))], {}))
        document = b'{"dataset":"a","sum":[],"window":{"axis":0,"size":2,"mode":"bins","pad":"nan"}}'
        ((answer, _),) = run(program, [(path, document)])
        sums = " ".join([double_bits(1.0), double_bits(NAN)])
        check((dtype, answer),
              answer == ("0 3 0 2 2 " + sums if dtype[0] == "f" else '-54 error: validation: `window.pad` "nan" is not valid for integer dtypes'))


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
    return tally.end()


if __name__ == "__main__":
    with np.errstate(all="ignore"):
        sys.exit(main())
