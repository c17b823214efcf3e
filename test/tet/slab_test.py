#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""`utet read --slab AXIS=…` by names and labels: what it writes is compared with the dense .bin of the shared vectors,
from which Python selects by the names and labels of NAME.info.json.  Usage: slab_test.py UTET FOLDER/tet"""

import itertools
import json
import os
import random
import subprocess
import sys

SIZES = {1: 4, 2: 8, 3: 4, 4: 8, 5: 1, 6: 2, 7: 2, 8: 4, 9: 2, 10: 8}


def dense_slab(data, size, shape, ranges):
    """The selected elements, row-major."""
    strides = [size] * len(shape)
    for axis in range(len(shape) - 2, -1, -1):
        strides[axis] = strides[axis + 1] * shape[axis + 1]
    out = bytearray()
    for place in itertools.product(*ranges):
        at = sum(p * s for p, s in zip(place, strides))
        out += data[at:at + size]
    return bytes(out)


def labels_of(about, shape, axis):
    coords = about.get("coords") or {}
    name = about["dim_names"][axis]
    if name in coords:
        return coords[name]["labels"]
    if str(axis) in coords:
        return coords[str(axis)]["labels"]
    fit = [c["labels"] for c in coords.values() if len(c["labels"]) == shape[axis]]
    return fit[0] if len(fit) == 1 else None


def part(r, labels, index):
    """An index, or the label at that index if no other index has it."""
    if labels and index < len(labels) and labels.count(labels[index]) == 1 and r.random() < 0.7:
        label = labels[index]
        return '"%s"' % label if label.isdigit() or any(c in label for c in ":,") or r.random() < 0.3 else label
    return str(index)


def selection(r, about, shape):
    text, ranges = [], [range(extent) for extent in shape]
    for axis in r.sample(range(len(shape)), r.randrange(1, len(shape) + 1)):
        labels = labels_of(about, shape, axis)
        labels = labels if labels and all("\"" not in l and l for l in labels) else None
        start = r.randrange(shape[axis])
        stop = r.randrange(start + 1, shape[axis] + 1)
        step = r.choice([1, 1, 2, 3])
        name = r.choice([about["dim_names"][axis], str(axis)])
        if about["dim_names"].count(about["dim_names"][axis]) > 1:
            name = str(axis)
        if r.random() < 0.3:
            text.append("%s=%s" % (name, part(r, labels, start)))
            ranges[axis] = range(start, start + 1)
        else:
            text.append("%s=%s:%s" % (name, part(r, labels, start), part(r, labels, stop)) + (":%d" % step if step > 1 else ""))
            ranges[axis] = range(start, stop, step)
    return ",".join(text), ranges


def main():
    utet, folder = sys.argv[1:3]
    if not os.path.isdir(folder):
        print("skipped: selections by label of the shared vectors: no folder %s" % folder)
        print("0 passed, 0 failed, 1 skipped")
        return 0
    r = random.Random(12)
    passed = failed = 0
    for file in sorted(os.listdir(folder)):
        if not file.endswith(".info.json"):
            continue
        info = json.load(open(os.path.join(folder, file)))
        for number, dataset in enumerate(info["datasets"]):
            about = info["metadata"].get("datasets", {}).get(dataset["name"])
            path = os.path.join(folder, file[:-10])
            dense = "%s.%d.bin" % (path, number)
            if not about or len(about.get("dim_names") or []) != len(dataset["shape"]) or not os.path.exists(dense) or \
                    os.path.getsize(dense) > 100000 or 0 in dataset["shape"] or \
                    not all(n.isidentifier() and n.isascii() for n in about["dim_names"]):
                continue
            data = open(dense, "rb").read()
            for _ in range(6):
                text, ranges = selection(r, about, dataset["shape"])
                run = subprocess.run([utet, "read", path + ".tet", "#%d" % number, "--slab", text, "--format", "raw"],
                                     capture_output=True)
                if run.stdout == dense_slab(data, SIZES[dataset["dtype"]], dataset["shape"], ranges):
                    passed += 1
                else:
                    failed += 1
                    print("FAILED %s #%d --slab %s: %r" % (file[:-10], number, text, run.stderr[-300:]))
    print("figure: %d selections by name and label as Python cuts them" % passed)
    if passed < 30:
        print("FAILED: too few")
        failed += 1
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
