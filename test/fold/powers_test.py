#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""The numbers of softmax for 64-bit machines (src/fold/fold_softmax.c), read from the source and compared with those that
Decimal computes: powers_test.py. Then softmax_find, in Python's integers, for random differences: the power is never too
large, and too small by less than POWER_ERROR units of 2^-69."""
import decimal
import random
import re
import sys

SOURCE = open("src/fold/fold_softmax.c", encoding="utf-8").read()
WORD = 2 ** 64
COUNT = 20000
TWO = decimal.Decimal(2)


def numbers(pattern):
    """All 64-bit numbers of the first part of the source that matches."""
    return [int(text, 16) for text in re.findall(r"0x([0-9A-F]{16})u", re.search(pattern, SOURCE, re.S).group(0))]


def floor(number):
    return int(number.to_integral_value(rounding=decimal.ROUND_FLOOR))


def check(found, wanted, name):
    if found != wanted:
        sys.exit("%s: the source has other numbers than\n%s" % (name, ", ".join("0x%016Xu" % number for number in wanted)))


def find(d, tables):
    """n and the power in units of 2^-127."""
    steps, small_steps, terms, inverse = tables
    share = d * (inverse // WORD) + (d * (inverse % WORD) >> 64)
    above = 2 ** 128 - 1 - (share << 22) % 2 ** 128
    z = (above >> 52) % WORD
    step, small = steps[above >> 122], small_steps[(above >> 116) % 64]
    rest = terms[3]
    for term in terms[2::-1]:
        rest = term + (z * rest >> 64)
    rest = z * rest >> 64
    rest = small + (rest >> 6) + ((small * rest >> 64) >> 12)
    return (share >> 106) + 1, step + ((step >> 64) * rest >> 6)


def main():
    decimal.getcontext().prec = 80
    log = TWO.ln()
    steps = numbers(r"softmax_steps\[64\]\[2\] = \{.*?\};")
    steps = [high * WORD + low for high, low in zip(steps[::2], steps[1::2])]
    small_steps = numbers(r"softmax_small_steps\[64\] = \{.*?\};")
    low, high, *terms = numbers(r"softmax_find\(softmax_power \*power, uint64_t d\)\n\{.*?\n\}")
    terms = [terms[3], terms[2], terms[0], terms[1]]
    inverse = high * WORD + low
    check(steps, [floor(TWO ** (127 + decimal.Decimal(i) / 64)) for i in range(64)], "softmax_steps")
    check(small_steps, [floor((TWO ** (decimal.Decimal(j) / 4096) - 1) * TWO ** 70) for j in range(64)], "softmax_small_steps")
    check(terms, [floor(log * TWO ** 64), floor(log ** 2 / 2 * TWO ** 52), floor(log ** 3 / 6 * TWO ** 40), floor(log ** 4 / 24 * TWO ** 28)],
          "terms")
    check([inverse], [floor(TWO ** 127 / log)], "1 / ln 2")

    allowed = int(re.search(r"#define POWER_ERROR (\d+)u", SOURCE).group(1))
    dice = random.Random(3)
    largest = 0
    for i in range(COUNT):
        d = dice.randrange(746 << 43) >> (dice.randrange(54) if i % 2 else 0)
        n, power = find(d, (steps, small_steps, terms, inverse))
        exact = floor((-decimal.Decimal(d) / TWO ** 43).exp() * TWO ** (127 + n))
        error = exact - power
        largest = max(largest, error)
        if not 0 <= error < allowed << 58 or not 2 ** 127 <= power < 2 ** 128:
            sys.exit("d = %d: wrong by %.2f units of 2^-69" % (d, error / 2 ** 58))
    print("%d differences: the power is too small by up to %.2f units of 2^-69\n%d passed, 0 failed" % (COUNT, largest / 2 ** 58, COUNT))


main()
