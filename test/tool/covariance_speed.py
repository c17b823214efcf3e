#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""`make bench-covariance`: processor time of the covariances of 300 variables with 1,000 observations each (f32), as `utet query` and,
if REFERENCE= names it, the reference's tool compute them and write 90,000 numbers as JSON. The smallest of ROUNDS= (7) runs of each
counts, taken in turn. 100 numbers of each are compared with exact fractions. The reference is what `make interop` builds."""
import json
import os
import resource
import subprocess
import sys
import tempfile
from fractions import Fraction

import numpy

TOOL, REFERENCE = sys.argv[1], os.environ.get("REFERENCE")
ROUNDS, DOCUMENT = int(os.environ.get("ROUNDS", "7")), '{"dataset":"a","covariance":[0]}'


def used(*command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    out = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, out


def numbers(text):
    return numpy.array(json.loads(text)["execution"]["operation_covariance"])


def covariance(x, y):
    return float(sum(p * q for p, q in zip(x, y)) / len(x) - sum(x) * sum(y) / len(x) ** 2)


def main():
    values = numpy.random.default_rng(1).normal(size=(1000, 300)).astype("<f4")
    with tempfile.TemporaryDirectory(dir=os.environ.get("SCRATCH", "/dev/shm")) as folder:
        source, packed = os.path.join(folder, "a.npy"), os.path.join(folder, "a.tet")
        numpy.save(source, values)
        subprocess.run([TOOL, "pack", source, "-o", packed], check=True, stdout=subprocess.DEVNULL)
        commands = {"utet": [TOOL, "query", packed, DOCUMENT, "--json", "--preview", "90000"]}
        if REFERENCE:
            commands["reference"] = [REFERENCE, "query", DOCUMENT, "-t", packed, "-x", "--format", "json", "--preview", "90000"]
        runs = [{name: used(*command) for name, command in commands.items()} for _ in range(ROUNDS)]
    columns = [[Fraction(float(v)) for v in column] for column in values[:, ::30].T]
    for name in commands:
        got = numbers(runs[0][name][1]).reshape(300, 300)[::30, ::30]
        right = sum(float(got[i, j]) == covariance(x, y) for i, x in enumerate(columns) for j, y in enumerate(columns))
        print("%-10s %6.3f s, %d of 100 numbers correctly rounded" % (name, min(run[name][0] for run in runs), right))
    if REFERENCE:
        print("utet / reference: %.2f" % (min(run["utet"][0] for run in runs) / min(run["reference"][0] for run in runs)))


main()
