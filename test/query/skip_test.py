#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""`utet query --trust-zones`: skip_test.py UTET [--cases N] [--seed N]

Random files with zone maps and an index of values, written here as src/tet/FORMAT.md §8 describes. With correct maps the
answer has the same bits as without them, and as many chunks are skipped as §8.3 permits. Incorrect maps change nothing
unless they are requested; then elements are missing, but nothing else happens.
"""
import argparse
import copy
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
sys.path[:0] = [HERE, os.path.join(HERE, "..", "fold")]
import answer_model  # noqa: E402
import fold_model  # noqa: E402
import fold_random  # noqa: E402

FILLS = {"none": None, "missing": None, "7": 7.0, "-3": -3.0, "nan": math.nan, "99.9": 99.9, "1e2": 100.0}
OPERATIONS = ["sum", "mean", "min", "max", "var", "count", "arg_min", "median", "nan_count", "all_finite", "null_count"]


def order(value, dtype):
    """IEEE total order, or numbers."""
    if dtype[0] != "f":
        return int(value)
    size = 8 * value.dtype.itemsize
    bits = int.from_bytes(value.tobytes(), "little")
    return bits if bits < 1 << (size - 1) else (1 << (size - 1)) - 1 - bits


def tiles_of(array, chunk):
    for tile in itertools.product(*(range(-(-n // c)) for n, c in zip(array.shape, chunk))):
        yield tile, array[tuple(slice(t * c, (t + 1) * c) for t, c in zip(tile, chunk))].reshape(-1)


def documents(array, dtype, chunk, fill, heeds_fill):
    """Zone maps and an index; heeds_fill: the writer knows the fill."""
    with np.errstate(all="ignore"):
        null = array.dtype.type(fill) if fill is not None and heeds_fill and (dtype[0] == "f" or fill == fill and fill == int(fill) and
                                                                              np.iinfo(array.dtype).min <= fill <= np.iinfo(array.dtype).max) else None
    zones, values = [], {}
    for tile, cells in tiles_of(array, chunk):
        known = [v for v in cells if not (v != v or null is not None and v.tobytes() == null.tobytes())]
        entry = {"dataset_id": 0, "chunk_index": list(tile), "element_count": len(cells), "null_count": len(cells) - len(known)}
        if known:
            ordered = sorted(known, key=lambda v: order(v, dtype))
            entry.update(min_le=ordered[0].tobytes().hex(), max_le=ordered[-1].tobytes().hex())
        zones.append(entry)
        for v in known:
            places = values.setdefault(v.tobytes().hex(), [])
            if list(tile) not in places:
                places.append(list(tile))
    head = {"version": 1, "generation": 0, "packed_sha256": "0" * 64}
    indexes = [] if len(values) > 64 else [{"kind": "value_postings", "dataset_id": 0, "dtype": answer_model.TAGS[dtype],
                                            "postings": [{"value_le": v, "chunks": values[v]} for v in sorted(values)]}]
    return dict(head, chunks=zones), dict(head, indexes=indexes)


def with_documents(data, zones, indexes):
    length = struct.unpack("<Q", data[-16:-8])[0]
    footer = json.loads(data[-16 - length:-16])
    data = data[:-16 - length]
    for key, document in (("zone_maps_ref", zones), ("secondary_index_ref", indexes)):
        text = json.dumps(document).encode()
        footer[key] = {"offset": len(data), "len": len(text)}
        data += text
    text = json.dumps(footer).encode()
    return data + text + struct.pack("<QI", len(text), 2) + b"THST"


def kept(entry, dtype, name, v):
    """The table of §8.3, without a fill."""
    if name == "is_null":
        return entry["null_count"] > 0
    if name == "is_not_null":
        return entry["null_count"] < entry["element_count"]
    if "min_le" not in entry:
        return name == "ne"
    low, high = (fold_model.to_double(np.frombuffer(bytes.fromhex(entry[k]), fold_model.NUMPY[dtype])[0]) for k in ("min_le", "max_le"))
    return {"eq": low <= v <= high, "ne": entry["null_count"] > 0 or not low == high == v, "lt": low < v, "le": low <= v, "gt": high > v,
            "ge": high >= v}[name]


def lie(rng, zones, indexes):
    zones, indexes = copy.deepcopy(zones), copy.deepcopy(indexes)
    for entry in rng.sample(zones["chunks"], rng.randint(1, len(zones["chunks"]))):
        kind = rng.randrange(5)
        if kind == 0:
            entry["null_count"] = rng.choice([0, entry["element_count"], 2 ** 63])
        elif kind == 1:
            entry.pop("min_le", None)
            entry.pop("max_le", None)
        elif kind == 2 and "min_le" in entry:
            entry["min_le"], entry["max_le"] = entry["max_le"], entry["min_le"]
        elif kind == 3:
            entry["chunk_index"] = [rng.choice([0, 1, 2 ** 64 - 1]) for _ in entry["chunk_index"]]
        elif "min_le" in entry:
            entry["max_le"] = entry["min_le"]
    for entry in indexes["indexes"]:
        for posting in entry["postings"]:
            if rng.random() < 0.5:
                posting["chunks"] = [[rng.choice([0, 1, 2 ** 64 - 1]) for _ in c] for c in posting["chunks"]][:rng.randrange(3)]
    return zones, indexes


def planned(query, folder, checks):
    """Cases that random files seldom have. The expected counts belong to the arrays below, and were counted by hand."""
    path = os.path.join(folder, "planned.tet")

    def put(array, dtype, chunk, attrs, change=None):
        zones, indexes = documents(array, dtype, chunk, None, False)
        if change is not None:
            change(zones, indexes)
        with open(path, "wb") as file:
            file.write(with_documents(answer_model.tet_file([("a", dtype, array, chunk)], attrs), zones, indexes))

    def count(document, value, skipped, what):
        answer = query(path, dict(dataset="a", count=[], **document), "--trust-zones")
        plan = answer.get("read_plan", {})
        checks.hold(answer.get("execution", {}).get("operation_element_count") == value and
                    (plan.get("zone_filter_skipped_chunks"), plan.get("index_filter_skipped_chunks")) == skipped, "%s: %s" % (what, answer))

    cells = np.array([1, 2, math.nan, 4, 5, 6], "<f4")
    put(cells, "f32", [2], {"a": {"attrs": {"_FillValue": "missing"}}})
    count({"filter": {"gt": 4.5}}, 2, (1, 0), "a fill that is no number: a chunk with the writer's nulls is read")
    put(cells, "f32", [2], {})
    count({"filter": {"gt": 4.5}}, 2, (2, 0), "no fill: the writer's nulls are NaN, which no comparison passes")
    whole = np.array([7, 7, 7, 9], "<i2")
    put(whole, "i16", [2], {})
    count({"filter": {"eq": 7}}, 3, (0, 0), "the index names both chunks")
    def twice(zones, indexes):  # the first of them is incorrect
        zones["chunks"].insert(0, dict(zones["chunks"][0], min_le="6300", max_le="6300"))

    def others(zones, indexes):  # of another dataset, of another rank, of a chunk that does not exist
        zones["chunks"] = [dict(zones["chunks"][0], **other) for other in ({"dataset_id": 1}, {"chunk_index": [0, 0]}, {"chunk_index": [5]})]

    put(whole, "i16", [2], {}, lambda zones, indexes: zones["chunks"].reverse())
    count({"filter": {"gt": 8}}, 1, (1, 0), "zone maps backwards")
    put(whole, "i16", [2], {}, twice)
    count({"filter": {"lt": 9}}, 3, (0, 0), "two zone maps of a chunk: it is read if one of them keeps it")
    count({"filter": {"gt": 99}}, 0, (2, 0), "two zone maps of a chunk: it is skipped if both say so")
    put(whole, "i16", [2], {}, others)
    count({"filter": {"gt": 99}}, 0, (0, 0), "zone maps of nothing in this dataset")
    for axis, chunk in (0, [2, 1]), (1, [1, 2]):
        put(np.zeros((6, 2) if axis == 0 else (2, 6), "<i2"), "i16", chunk, {})
        steps = [{}, {}]
        steps[axis] = {"step": 4}  # indices 0 and 4: nothing of the second of three tiles
        count({"filter": {"gt": 100}, "selection": steps}, 0, (4, 0), "chunks between two steps along axis %d are none that were skipped" % axis)
    for chunks in ([["first"]], [[9], [0], [1]], [[0], [2]], [[0], 1]):
        def spoil(zones, indexes):
            indexes["indexes"][0]["postings"][0]["chunks"] = chunks

        put(whole, "i16", [2], {}, spoil)
        count({"filter": {"eq": 7}}, 3, (0, 0), "the index names %s, which no dataset of this shape has: it skips nothing" % chunks)


def main():
    ask = argparse.ArgumentParser()
    ask.add_argument("utet")
    ask.add_argument("--cases", type=int, default=40)
    ask.add_argument("--seed", type=int, default=1)
    args = ask.parse_args()
    rng, checks = random.Random(args.seed), fold_model.Checks()
    tally = dict(zones=0, index=0, table=0, lies=0, fills=0)
    np.seterr(all="ignore")

    def query(path, document, *more):
        done = subprocess.run([args.utet, "query", path, "-", "--json", *more], input=json.dumps(document), capture_output=True, text=True)
        return json.loads(done.stdout) if done.returncode == 0 else {"failed": done.returncode, "words": done.stderr}

    with tempfile.TemporaryDirectory() as folder:
        planned(query, folder, checks)
        for case in range(args.cases):
            dtype = fold_model.DTYPES[case % 10]
            shape = [rng.randint(1, 14) for _ in range(rng.randint(1, 3))]
            array = fold_random.random_array(rng, dtype, shape)
            if rng.random() < 0.6:
                array = np.sort(array, axis=0)
            if rng.random() < 0.3:  # tiles of one value, which `ne` excludes completely
                array[: shape[0] // 2 + 1] = array.reshape(-1)[0]
            text = rng.choice(["none", *FILLS])
            fill = FILLS[text]
            if fill is not None and rng.random() < 0.7:
                with np.errstate(all="ignore"):
                    array.reshape(-1)[:: rng.randint(2, 5)] = array.dtype.type(abs(fill) if fill == fill else 0) if dtype[0] != "f" else fill
            chunk = [rng.randint(1, n) for n in shape]
            about = {"a": {"attrs": {"_FillValue": text}}} if text != "none" else {}
            zones, indexes = documents(array, dtype, chunk, fill, rng.random() < 0.8)
            plain = answer_model.tet_file([("a", dtype, array, chunk)], about)
            path, lying = os.path.join(folder, "true.tet"), os.path.join(folder, "lies.tet")
            for place, data in ((path, with_documents(plain, zones, indexes)), (lying, with_documents(plain, *lie(rng, zones, indexes)))):
                with open(place, "wb") as file:
                    file.write(data)
            for _ in range(3):
                filters = list(fold_random.random_tests(rng, array).items())[:1]
                if fill is not None and rng.random() < 0.3:
                    filters = [(rng.choice(["is_null", "is_not_null"]), filters[0][1])]
                elif rng.random() < 0.5:  # an element, or a number that is not one
                    some = fold_model.to_double(rng.choice(array.reshape(-1)))
                    filters = [("eq", some if math.isfinite(some) and rng.random() < 0.7 else filters[0][1])]
                elif rng.random() < 0.2:
                    first = fold_model.to_double(array.reshape(-1)[0])
                    filters = [("ne", first if math.isfinite(first) else 1.0)]
                name, value = filters[0]
                axes = [] if rng.random() < 0.5 or len(shape) == 1 else [rng.randrange(len(shape))]
                operation = rng.choice(OPERATIONS)
                spec = {"fill": rng.choice([0, 1, 3]), "axes": axes} if operation == "null_count" else axes
                document = {"dataset": "a", operation: spec, "filter": {name: True if name.startswith("is") else value}}
                whole = rng.random() < 0.5
                if not whole:
                    document["selection"] = [dict(start=a, stop=b, step=c) for a, b, c in fold_random.random_ranges(rng, shape, 0.5, [1, 1, 2, 5])]
                what = "case %d %s %s fill %s %s" % (case, dtype, chunk, text, document)
                want, got = query(path, document), query(path, document, "--trust-zones")
                for answer in (want, got):
                    read = answer.get("execution", {}).pop("total_bytes_read_from_disk", None)
                    checks.hold("execution" in answer and read == answer["read_plan"]["total_stored_bytes"], "%s: %s bytes" % (what, read))
                checks.hold("execution" in want and want["execution"] == got.get("execution"), "%s: %s, expected %s" % (what, got, want))
                if "execution" not in want or "execution" not in got:
                    continue
                plan, before = got["read_plan"], want["read_plan"]
                by_zones, by_index = plan["zone_filter_skipped_chunks"], plan["index_filter_skipped_chunks"]
                checks.hold(plan["chunk_count"] + by_zones + by_index == before["chunk_count"] and len(plan["chunks"]) == plan["chunk_count"] and
                            plan["total_stored_bytes"] == sum(c["stored_byte_len"] for c in plan["chunks"]) and
                            before["zone_filter_skipped_chunks"] == before["index_filter_skipped_chunks"] == 0, what)
                checks.hold(query(path, document, "--trust-zones", "--plan").get("read_plan") == plan, what + " --plan")
                if text == "none" and whole:
                    least = sum(not kept(entry, dtype, name, value) for entry in zones["chunks"])
                    checks.hold(by_zones >= least, "%s: %d chunks skipped, of %d" % (what, by_zones, least))
                    tally["table"] += least != 0
                tally["zones"] += by_zones
                tally["index"] += by_index
                tally["fills"] += fill is not None and by_zones != 0
                lies = query(lying, document).get("execution", {})
                lies.pop("total_bytes_read_from_disk", None)
                checks.hold(lies == want["execution"], what + ": a lie that was not asked for")
                wrong = query(lying, document, "--trust-zones")
                checks.hold("execution" in wrong, "%s, lies: %s" % (what, wrong))
                wrong.get("execution", {}).pop("total_bytes_read_from_disk", None)
                tally["lies"] += wrong.get("execution") != want["execution"]
    checks.hold(all(tally.values()), "a kind that never occurs: %s" % tally)
    print("figure: query-skip " + ", ".join("%d %s" % (n, kind) for kind, n in tally.items()))
    print("%d passed, %d failed" % (checks.passed, checks.failed))
    sys.exit(1 if checks.failed else 0)


if __name__ == "__main__":
    main()
