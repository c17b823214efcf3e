#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""Physical values of the library against exact fractions: elements of every dtype, attributes in the forms that people
write.

    physical_test.py PROGRAM COUNT [SEED]: physical_run, and how many random conversions"""
import math
import random
import struct
import subprocess
import sys
from fractions import Fraction

DTYPES = {1: "f", 2: "d", 3: "i", 4: "q", 5: "B", 6: "H", 7: "h", 8: "I", 9: "e", 10: "Q"}
LIMIT = -41  # UTET_E_LIMIT
PROGRAM, COUNT = sys.argv[1], int(sys.argv[2])
rng = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 30)


def number():
    """A decimal number, or none."""
    if rng.random() < .1:
        return "-"
    digits = str(rng.choice([rng.randrange(10), rng.randrange(1000), rng.randrange(10**9), rng.randrange(10**17), rng.randrange(2**64), rng.randrange(10**20)]))
    power = rng.choice([0, -1, -2, -rng.randrange(10), -rng.randrange(20), rng.randrange(-42, 43)])
    text = "%se%d" % (digits, power) if power else digits
    form = rng.randrange(4)
    if form == 0 and 0 < -power < len(digits):
        text = digits[:power] + "." + digits[power:]
    elif form == 1 and -power >= len(digits):
        text = "0." + "0" * (-power - len(digits)) + digits
    elif form == 2:
        text = "0000%s0000E%+d" % (digits, power)
    return rng.choice(["", "-", "+"]) + text


def is_beyond(text):
    """More digits, or a larger power, than the library accepts."""
    value, power = abs(Fraction(text)), 0
    while value.denominator != 1:
        value, power = value * 10, power - 1
    while value != 0 and value % 10 == 0:
        value, power = value / 10, power + 1
    return value >= 2**64 or not -40 <= power <= 40


def nearest(fraction):
    try:
        rounded = float(fraction)
    except OverflowError:
        rounded = math.inf if fraction > 0 else -math.inf
    return -0.0 if rounded == 0 and fraction < 0 else rounded


def is_fill(kind, stored, text):
    value = Fraction(text)
    if kind not in "fde":
        return value == stored
    try:
        return math.isfinite(stored) and struct.unpack("<" + kind, struct.pack("<" + kind, float(value)))[0] == stored
    except OverflowError:
        return False


def physical(kind, stored, scale, offset, fill):
    if stored != stored or (fill != "-" and is_fill(kind, stored, fill)):
        return math.nan
    factor = Fraction(1 if scale == "-" else scale)
    if isinstance(stored, float) and math.isinf(stored):
        return math.nan if factor == 0 else stored if factor > 0 else -stored
    if stored == 0 and scale == offset == "-":
        return float(stored)
    return nearest(Fraction(stored) * factor + Fraction(0 if offset == "-" else offset))


def element(kind):
    size = struct.calcsize("<" + kind)
    if kind in "fde" and rng.random() < .4:
        return struct.pack("<" + kind, rng.choice([rng.gauss(0, 100), rng.randrange(-1000, 1000), 0.5, -0.0]))
    return rng.getrandbits(8 * size).to_bytes(size, "little") if rng.random() < .6 else rng.randrange(256).to_bytes(size, "little")


cases = []
for _ in range(COUNT):
    tag = rng.choice(list(DTYPES))
    raw = element(DTYPES[tag])
    value = struct.unpack("<" + DTYPES[tag], raw)[0]
    fill = "-"
    if rng.random() < .2:
        fill = rng.choice([str(rng.randrange(256)), "-1", repr(value) if math.isfinite(value) else "7", number()])
    cases.append((tag, number(), number(), fill, raw, value))
text = "".join("%d %s %s %s %x\n" % (t, s, o, f, int.from_bytes(raw + b"\xab" * (8 - len(raw)), "little")) for t, s, o, f, raw, _ in cases)
answers = subprocess.run([PROGRAM], input=text, stdout=subprocess.PIPE, universal_newlines=True, check=True).stdout.splitlines()
passed = failed = 0
for (tag, *attributes, raw, value), answer in zip(cases, answers, strict=True):
    *statuses, bits = answer.split()
    kind = DTYPES[tag]
    expected = [LIMIT if a != "-" and is_beyond(a) else 0 for a in attributes]
    if kind not in "fde":
        expected[2] = 0  # no integer has such a value
    taken = ["-" if status else a for status, a in zip(expected, attributes)]
    wanted = struct.pack("<d", physical(kind, value, *taken))
    got = int(bits, 16).to_bytes(8, "little")
    if [int(s) for s in statuses] == expected and (got == wanted or wanted[6:] == got[6:] == b"\xf8\x7f"):
        passed += 1
    else:
        failed += 1
        if failed < 20:
            print("FAILED", tag, attributes, value, answer, struct.unpack("<d", wanted))
print("%d passed, %d failed" % (passed, failed))
sys.exit(failed != 0)
