#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""`utet query` of documents whose answer has the shape of the selection: dense_test.py UTET [--cases N] [--seed N]

Transforms, bit by bit against the model of test/fold, as .npy and as previews and statistics of the response;
documents without a reduction, with and without filters; what `spill` writes, and where it must not write.
"""
import argparse
import json
import math
import os
import random
import subprocess
import sys
import tempfile
from decimal import getcontext

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "fold"), HERE]
import answer_model  # noqa: E402
import fold_model  # noqa: E402
import fold_random  # noqa: E402

KNOWN = dict(center=["mean"], zscore=["mean", "std"], scale=["std"], minmax=["min", "max"], l1=["norm_l1"], l2=["norm_l2"],
             log1p=["min"], sqrt=["min"], softmax=["max", None])


def number(value):
    """The element in the form of JSON."""
    return None if isinstance(value, float) and not math.isfinite(value) else value


def same_preview(preview, flat):
    """The first 64 elements."""
    return len(preview) == min(64, flat.size) and all(
        p is None and not np.isfinite(r) or p is not None and flat.dtype.type(p) == r for p, r in zip(preview, flat))


def instead(dtype, fill):
    """The element for positions that a filter excludes; or a text, the refusal."""
    if dtype[0] == "f":
        return NAN_BYTES[dtype]
    if fill is None:
        return "validation: integer materialize under `filter` requires a dataset fill (_FillValue, missing_value, or fill_value)"
    if not math.isfinite(fill):
        return "validation: integer materialize fill must be a finite integer"
    info = np.iinfo(fold_model.NUMPY[dtype])
    value = int(fill)
    if fill != int(fill) or not info.min <= value <= info.max:
        return "validation: integer materialize fill is outside this dtype"
    return int(value).to_bytes(info.bits // 8, "little", signed=info.min < 0)


def filtered(rng):
    """A file, a document with a filter and without a reduction, and its elements as stored, or the refusal."""
    made = answer_model.random_dataset(rng, "a")
    while isinstance(instead(made[0][1], answer_model.fill_of(made[3])), str) and rng.random() < 0.7:
        made = answer_model.random_dataset(rng, "a")
    while True:
        case = answer_model.Case(rng, *made)
        if case.tests or any(k is not None for k in case.keep):
            break
    document = {k: v for k, v in case.document.items() if k not in ("window", "group_by", case.operation)}
    fill = answer_model.fill_of(made[3])
    other = instead(case.dtype, fill)
    part = case.array[np.ix_(*case.ranges)]
    if isinstance(other, str):
        return made, case.dtype, document, part, other
    data = part.tobytes()
    size = part.itemsize
    out = b""
    for i, place in enumerate(np.ndindex(part.shape)):
        at = [r[p] for r, p in zip(case.ranges, place)]
        good = answer_model.passes(part[place], case.tests, fill) and all(k is None or k[p] for k, p in zip(case.keep, at))
        out += data[i * size:i * size + size] if good else other
    return made, case.dtype, document, part, out


NAN_BYTES = {"f16": b"\0\x7e", "f32": b"\0\0\xc0\x7f", "f64": b"\0\0\0\0\0\0\xf8\x7f"}


def main():
    ask = argparse.ArgumentParser()
    ask.add_argument("utet")
    ask.add_argument("--cases", type=int, default=60)
    ask.add_argument("--seed", type=int, default=1)
    args = ask.parse_args()
    utet, rng, checks = os.path.abspath(args.utet), random.Random(args.seed), fold_model.Checks()
    np.seterr(all="ignore")
    getcontext().prec = 60

    def query(folder, path, document, *more):
        done = subprocess.run([utet, "query", path, "-", *more], input=json.dumps(document), cwd=folder, capture_output=True, text=True)
        return done.returncode, done.stdout, done.stderr

    def transforms(case, dtype, array, path, folder):
        ranges = fold_random.random_ranges(rng, array.shape, 0.4, [1, 1, 2])
        part = array[tuple(slice(*r) for r in ranges)]
        method = rng.choice(fold_model.METHODS)
        axes = [] if rng.random() < 0.4 else rng.sample(range(array.ndim), rng.randint(1, max(1, array.ndim - 1)))
        axes = [] if len(axes) == array.ndim else axes
        tests = dict(list(fold_random.random_tests(rng, part).items())[:1]) if rng.random() < 0.3 else {}
        document = {"dataset": "a", "transform": {"method": method, "axes": axes},
                    "selection": [dict(start=a, stop=b, step=c) for a, b, c in ranges]}
        if tests:
            document["filter"] = {k: True if k.startswith("is") else v for k, v in tests.items()}
        mask = sum(1 << d for d in axes) if axes else 255
        known, _, undefined, result = fold_model.expected_transform(part, method, mask, tests, None, {})
        what = "case %d %s %s" % (case, dtype, document)
        out = os.path.join(folder, "out.npy")
        code, _, words = query(folder, path, document, "--npy", out)
        got = np.load(out) if code == 0 else np.zeros(0, array.dtype)
        checks.hold(code == 0 and got.dtype == array.dtype and got.shape == part.shape and fold_model.equal(got.tobytes(), result), what + words)
        code, text, words = query(folder, path, document, "--json")
        answer = json.loads(text)["execution"] if code == 0 else {}
        preview = answer.get(dtype + "_preview")
        checks.hold(preview is not None and same_preview(preview, result.reshape(-1)), what)
        checks.hold(answer.get("transform_div_by_zero_count", 0) == len(undefined) and
                    answer.get("transform_div_by_zero_indices", []) == sorted(undefined)[:256], what + text[-400:])
        mine = KNOWN[method]
        for i, name in enumerate(mine):
            if name is not None:
                want = [number(x) for x in known[i::len(mine)]]
                have = answer.get("operation_reduced_" + name) if axes else [answer.get("operation_" + name)]
                checks.hold(have == want, "%s %s: %s, expected %s" % (what, name, have, want))
        checks.hold(answer.get("transform_method") == method and answer.get("operation_element_count") == part.size, what)

    def selections(case, dtype, array, path, folder):
        ranges = fold_random.random_ranges(rng, array.shape, 0.5, [1, 1, 2, 3])
        part = array[tuple(slice(*r) for r in ranges)]
        document = {"dataset": "a", "selection": [dict(start=a, stop=b, step=c) for a, b, c in ranges]}
        what = "case %d %s %s" % (case, dtype, document)
        code, text, words = query(folder, path, document, "--json")
        preview = json.loads(text)["execution"][dtype + "_preview"] if code == 0 else []
        flat = part.view("<u2").reshape(-1) if dtype == "f16" else part.reshape(-1)
        checks.hold(same_preview(preview, flat), what + words)
        code, text, words = query(folder, path, document)
        checks.hold(code == 0 and len(text.split()) >= part.size, what + words)
        for name in ("spilled.bin", "spilled.npy"):
            place = os.path.join(folder, name)
            code, text, words = query(folder, path, dict(document, spill=name))
            good = code == 0 and os.path.exists(place)
            raw = open(place, "rb").read() if good else b""
            checks.hold(good and (np.load(place).tobytes() if name.endswith("npy") else raw) == part.tobytes(), what + name + words)
            if good:
                os.remove(place)
        document["sum"] = []
        code, text, words = query(folder, path, dict(document, spill="spilled.bin"))
        checks.hold(code == 0 and not os.path.exists(os.path.join(folder, "spilled.bin")), what + " with a reduction" + words)

    def filters(folder, cases):
        path = os.path.join(folder, "filtered.tet")
        refused = 0
        for case in range(cases):
            made, dtype, document, part, wanted = filtered(rng)
            what = "filter %d %s %s fill %s %s" % (case, dtype, document, made[3], part.tolist())
            with open(path, "wb") as file:
                file.write(answer_model.tet_file([made[0]], {"a": made[1]} if made[1] else {}))
            name = rng.choice(["filtered.bin", "filtered.npy"])
            place = os.path.join(folder, name)
            code, _, words = query(folder, path, dict(document, spill=name))
            if isinstance(wanted, str):
                refused += 1
                checks.hold(code == 1 and words.strip().endswith(wanted) and not os.path.exists(place), what + words)
                continue
            good = code == 0 and os.path.exists(place)
            raw = open(place, "rb").read() if good else b""
            checks.hold(good and (np.load(place).tobytes() if name.endswith("npy") else raw) == wanted, what + words)
            code, text, words = query(folder, path, document, "--json")
            preview = json.loads(text)["execution"][dtype + "_preview"] if code == 0 else []
            flat = np.frombuffer(wanted, "<u2" if dtype == "f16" else fold_model.NUMPY[dtype])
            checks.hold(same_preview(preview, flat), "%s: %s, expected %s" % (what, preview, flat) + words)
            if good:
                os.remove(place)
        checks.hold(0 < refused < cases, "refusals of integers without a fill: %d of %d" % (refused, cases))
        print("figure: query-dense: %d documents with a filter and without a reduction, %d refused" % (cases, refused))

    def matrices(folder):
        """A filter that excludes nothing changes nothing. Elements that a filter excludes become the fill for integers; floats are
        refused."""
        values = np.array([[1, 2, 3], [4, 5, 7], [7, 8, 9], [10, 11, 12]])
        labels = {"coords": {"0": {"labels": ["x", "y", "x", "z"]}, "1": {"labels": ["x", "x", "x"]}}}
        path = os.path.join(folder, "matrices.tet")
        datasets = [("%s %s" % (dtype, fill), dtype, values.astype(fold_model.NUMPY[dtype]), (2, 2), fill)
                    for dtype in answer_model.TAGS for fill in (None, "99", "2.5")]
        with open(path, "wb") as file:
            file.write(answer_model.tet_file([d[:4] for d in datasets], {d[0]: {**labels, **({"attrs": {"_FillValue": d[4]}} if d[4] else {})} for d in datasets}))
        for name, dtype, _, _, fill in datasets:
            for asked in ({"covariance": [0]}, {"correlation": [1]}):
                document = {"dataset": name, **asked}
                want = json.loads(query(folder, path, document, "--json")[1])["execution"]
                other = instead(dtype, answer_model.fill_of(fill))
                seen = np.array([[1], [0], [1], [0]]) != 0
                for passes, members in ((values > -5, {"filter": {"ge": -5}}), (values > -5, {"label_filter": {"axis": 1, "eq": "x"}}),
                                        (values >= 5, {"filter": {"ge": 5}}), (seen & (values > 0), {"label_filter": {"axis": 0, "eq": "x"}}),
                                        (values < 12, {"filter": {"is_not_null": True, "lt": 12}}),
                                        (seen & (values >= 5), {"label_filter": {"axis": 0, "eq": "x"}, "filter": {"ge": 5}})):
                    code, text, words = query(folder, path, {**document, **members}, "--json")
                    if isinstance(other, str):
                        good = code == 1 and words.strip().endswith(other)
                    elif passes.all():
                        good = code == 0 and json.loads(text)["execution"] == want
                    elif dtype[0] == "f":
                        good = code == 1 and "validation: covariance/correlation require finite values in the logical selection" in words
                    else:
                        changed = np.where(passes, values, 99).tolist()
                        operation, axis = [(k, v[0]) for k, v in asked.items()][0]
                        results = fold_model.matrix([list(row) for row in (zip(*changed) if axis == 0 else changed)], operation == "correlation")
                        good = code == 0 and json.loads(text)["execution"] == {**want, "operation_" + operation: results}
                    checks.hold(good, "%s %s: %s%s" % (document, members, text[-200:], words))

    for case, dtype, array, path in fold_random.random_files(rng, utet, args.cases, fold_random.any_rank(90, 12, 6, 4)):
        if dtype in ("f32", "f64"):
            for _ in range(4):
                transforms(case, dtype, array, path, os.path.dirname(path))
        else:
            code, _, words = query(os.path.dirname(path), path, {"dataset": "a", "transform": {"method": "l1"}})
            checks.hold(code == 1 and "validation: transform requires f32 or f64 datasets" in words, "case %d: %s" % (case, words))
        selections(case, dtype, array, path, os.path.dirname(path))
    with tempfile.TemporaryDirectory() as top:
        folder = os.path.join(top, "in")
        os.makedirs(os.path.join(folder, "below"))
        os.makedirs(os.path.join(top, "in2"))
        path = fold_random.pack(utet, folder, np.arange(12, dtype="<i4"), "i32", [5], "raw")
        os.symlink(os.path.join(top, "elsewhere"), os.path.join(folder, "link"))
        os.symlink(os.path.join(top, "in2"), os.path.join(folder, "away"))
        before = open(path, "rb").read()
        for name, good in (("x", 1), ("below/x", 1), ("./below/../x", 1), (os.path.join(folder, "x"), 1), ("../x", 0), ("../in2/x", 0),
                           ("away/x", 0), ("link", 0), ("below", 0), ("below/..", 0), ("/tmp/x.utet", 0), ("a.tet", 0), ("none/x", 0), ("x/", 0)):
            code, _, words = query(folder, "a.tet", {"dataset": "a", "spill": name})
            checks.hold((code == 0) == bool(good), "spill to %s: %d %s" % (name, code, words))
        checks.hold(open(path, "rb").read() == before and sorted(os.listdir(top)) == ["in", "in2"] and not os.listdir(os.path.join(top, "in2")),
                    "spill wrote elsewhere")
        filters(top, 2 * args.cases)
        matrices(top)
        for document, word in (({"transform": {"method": "l1"}, "write": "ram"}, "write"), ({"sum": [], "execution": {"device": "cuda:1"}}, "device")):
            code, _, words = query(folder, "a.tet", dict(document, dataset="a"))
            checks.hold(code == 1 and word in words and "not supported" in words, "%s: %d %s" % (document, code, words))
    print("%d passed, %d failed" % (checks.passed, checks.failed))
    sys.exit(1 if checks.failed else 0)


if __name__ == "__main__":
    main()
