#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""Floats as text have the fewest digits that read back as the same float. f64 against Python's repr; every f16, and f32, against NumPy's
(its own algorithm); then shortest_draw.c: number_text, which the tool uses, against utet_show_text of the library, SHORTEST_DRAWN=
(200,000) times each for drawn f64 and f32."""
import os
import subprocess
import sys

import numpy

from harness import check, scratch, summary, utet


def known(value):
    """The text of Python's or NumPy's float, in the tool's form: 5, not 5.0."""
    text = str(value)
    return text[:-2] if text.endswith(".0") else text


def floats(kind, bits, fraction_bits):
    """Each exponent: the powers of two, their neighbours, and a few others."""
    drawn = numpy.random.default_rng(1)
    exponents = numpy.arange(1 << (bits - 1 - fraction_bits), dtype=numpy.uint64) << fraction_bits
    fractions = [0, 1, 2, (1 << fraction_bits) - 1] + list(map(int, drawn.integers(0, 1 << fraction_bits, 6)))
    patterns = numpy.concatenate([exponents | numpy.uint64(f) for f in fractions])
    return patterns.astype("<u%d" % (bits // 8)).view(kind)


def decimals():
    """Short decimals, halves between integers, large whole numbers, and numbers of the form 2^i * 5^j."""
    drawn = numpy.random.default_rng(2)
    yield from (round(float(v), d) for d in range(17) for v in drawn.normal(0, 40, 100))
    yield from (float(n) for d in range(1, 309) for n in (10 ** d, 10 ** d - 1, 10 ** d + 1, 5 * 10 ** (d - 1)))
    yield from (i + 0.5 for i in range(-50, 50))
    yield from (float(n) for n in drawn.integers(2 ** 50, 2 ** 62, 1000))
    yield from (float(2 ** i * 5 ** j) for i in range(40) for j in range(25))


def main():
    with numpy.errstate(all="ignore"):
        sets = (("f64", floats("<f8", 64, 52)), ("f64 of decimals", numpy.array(list(decimals()))), ("f32", floats("<f4", 32, 23)),
                ("f32 of decimals", numpy.array(list(decimals())).astype("<f4")), ("f16", numpy.arange(65536, dtype="<u2").view("<f2")))
    for name, values in sets:
        numpy.save(scratch("x.npy"), values)
        status, _, err = utet("pack", scratch("x.npy"), "--tile", "whole", "--codec", "raw", "-o", scratch("x.tet"))
        expected = [known(v) for v in (values.tolist() if values.dtype == "<f8" else values)]
        lines = utet("read", scratch("x.tet"), "#0", "--format", "csv")[1].decode().split("\n")
        wrong = [(l, e) for l, e in zip(lines, expected) if l != e]
        check("%s, %d of them" % (name, len(values)), status == 0 and len(lines) == len(values) + 1 and not wrong, (err, wrong[:5]))
    result = subprocess.run([sys.argv[1], os.environ.get("SHORTEST_DRAWN", "200000")], stdout=subprocess.PIPE, check=False)
    check("number_text is utet_show_text", result.returncode == 0, result.stdout[-1000:])
    print("figure: " + result.stdout.decode().strip().split("\n")[-1])
    summary()


main()
