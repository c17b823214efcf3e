#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""`make bench-query`: the throughput of `utet query` compared with the reference and with NumPy on the same array in memory, in
one run: query_speed.py UTET TET FOLDER. It measures the elapsed seconds of a complete process; the smallest of ROUNDS= runs
counts, taken in turn, and the answers must agree. The reference may use all processors; the tool is measured with one thread and
with its default number."""
import json
import os
import subprocess
import sys
import time

import numpy

UTET, TET, FOLDER = sys.argv[1:4]
ROUNDS, SIDE = int(os.environ.get("ROUNDS", "3")), int(os.environ.get("SIDE", "6144"))
DOCUMENTS = {
    "sum": {"sum": []}, "mean": {"mean": []}, "min": {"min": []}, "var": {"var": []},
    "mean of axis 0": {"mean": {"axis": 0}}, "mean of axis 1": {"mean": {"axis": 1}},
    "mean of bins of 64": {"window": {"axis": 1, "size": 64, "mode": "bins"}, "mean": {"axis": 1}},
    "median": {"median": []}, "quantile": {"quantile": {"q": 0.9}}, "histogram of 32": {"histogram": {"bins": 32}}, "product": {"product": []},
    "zscore of axis 1": {"transform": {"method": "zscore", "axes": [1]}}, "softmax of axis 1": {"transform": {"method": "softmax", "axes": [1]}},
    # The bytes a second are those of the whole array.
    "covariance 1000x300": {"selection": [{"stop": 1000}, {"stop": 300}], "covariance": 0},
    "correl. 4000x600": {"selection": [{"stop": 4000}, {"stop": 600}], "correlation": 0},
    "log1p of axis 1": {"transform": {"method": "log1p", "axes": [1]}}, "sqrt of axis 1": {"transform": {"method": "sqrt", "axes": [1]}},
}
NUMPY = {
    "sum": lambda a: a.sum(dtype="f8"), "mean": lambda a: a.mean(dtype="f8"), "min": lambda a: a.min(), "var": lambda a: a.var(dtype="f8"),
    "mean of axis 0": lambda a: a.mean(0, dtype="f8"), "mean of axis 1": lambda a: a.mean(1, dtype="f8"),
    "mean of bins of 64": lambda a: a.reshape(SIDE, SIDE // 64, 64).mean(2, dtype="f8"),
    "median": numpy.median, "quantile": lambda a: numpy.quantile(a, 0.9), "histogram of 32": lambda a: numpy.histogram(a, 32),
    "product": lambda a: numpy.multiply.reduce(a, None, "f8"),
    "zscore of axis 1": lambda a: (a - a.mean(1, keepdims=True)) / a.std(1, keepdims=True),
    "softmax of axis 1": lambda a: softmax(numpy.exp(a - a.max(1, keepdims=True))),
    "covariance 1000x300": lambda a: numpy.cov(a[:1000, :300], rowvar=False, bias=True),
    "correl. 4000x600": lambda a: numpy.corrcoef(a[:4000, :600], rowvar=False),
    "log1p of axis 1": lambda a: numpy.log1p(a - a.min(1, keepdims=True)),
    "sqrt of axis 1": lambda a: numpy.sqrt(a - a.min(1, keepdims=True)),
}


def softmax(powers):
    return powers / powers.sum(1, keepdims=True)


def timed(words):
    start = time.monotonic()
    done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    seconds = time.monotonic() - start
    if done.returncode != 0:
        sys.exit("%s: %s" % (" ".join(words), done.stderr.decode()))
    return seconds, json.loads(done.stdout)


def agree(ours, theirs):
    """The numbers of both answers; the reference rounds in another order."""
    keys = [key for key in ours if key.startswith("operation_") and key in theirs and not key.endswith(("_count", "_shape"))]
    return (keys or "transform_method" in ours) and all(ours[key] == theirs[key] or numpy.allclose(ours[key], theirs[key], rtol=1e-6) for key in keys)


def main():
    os.makedirs(FOLDER, exist_ok=True)
    numpy.seterr(over="ignore")
    dice = numpy.random.default_rng(1)
    y, x = numpy.mgrid[0:SIDE, 0:SIDE]
    field = ((20 + 10 * numpy.sin(y * 0.002) * numpy.cos(x * 0.003)).round(2) + dice.integers(0, 4, (SIDE, SIDE)) * 0.01).astype("<f4")
    source = os.path.join(FOLDER, "field.npy")
    numpy.save(source, field)
    megabytes = field.nbytes / 1e6
    print("%.0f MB of float32, MB a second\n\n%-10s %-20s %8s %8s %10s %8s %8s %8s" % (
        megabytes, "payloads", "document", "-j 1", "utet", "reference", "-j 1: x", "utet: x", "NumPy"))
    for codec in ("raw", "zstd"):
        path = os.path.join(FOLDER, codec + ".tet")
        subprocess.run([UTET, "pack", source, "--name", "field", "--codec", codec, "--tile", "256x256", "--level", "3", "-o", path],
                       check=True, stdout=subprocess.DEVNULL)
        for name, document in DOCUMENTS.items():
            text = os.path.join(FOLDER, "document.json")
            with open(text, "w", encoding="utf-8") as file:
                json.dump(dict(dataset="field", **document), file)
            single, ours, theirs, there = [], [], [], []
            for _ in range(ROUNDS):
                seconds, alone = timed([UTET, "query", "--json", "-j", "1", path, text])
                single.append(seconds)
                seconds, answer = timed([UTET, "query", "--json", path, text])
                ours.append(seconds)
                seconds, other = timed([TET, "query", text, "-t", path, "-x", "--format", "json", "--preview", "0"])
                theirs.append(seconds)
                start = time.monotonic()
                NUMPY[name](field)
                there.append(time.monotonic() - start)
            if answer != alone or not agree(answer["execution"], other["execution"]):
                sys.exit("%s: the answers differ" % name)
            print("%-10s %-20s %8.0f %8.0f %10.0f %8.2f %8.2f %8.0f" % (
                codec, name, megabytes / min(single), megabytes / min(ours), megabytes / min(theirs), min(theirs) / min(single),
                min(theirs) / min(ours), megabytes / min(there)), flush=True)


main()
