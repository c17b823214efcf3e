#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""Proves the assumption of src/tet/show/digits.c, and that of boards/host/shared/shortest.c: how close their products come to
integers.

A float is f * 2^e. Its products are m * 2^(e - 1) * 10^p with m = 4f - 2 … 4f + 2. It uses no floats: for each exponent e
and each power p that the code may choose, Euclid's algorithm (the best approximations of a / b) finds the smallest
distance of m * a / b to an integer, over all m up to the largest. Integers themselves do not count. The code takes a
product within 2^-73 of an integer for that integer, and its own error is less than 2^-77.

shortest.c scales each float by one power of ten, and takes a product within 2^-68 of an integer for that integer.

  show_distance.py    fails if a distance is less than 2^-70, or for shortest.c less than 2^-67
"""
import math
import sys

LEAST = 70  # bits
LEAST_HOST = 67
SCALE = 17  # as in digits.c
FORMATS = (("binary64", 52, -1074, 971), ("binary32", 23, -149, 104), ("binary16", 10, -24, 5))


def distance(a, b, most):
    """(smallest distance, b): of m * a / b to integers, in units of 1 / b, for 1 <= m <= most; without 0. None: all are
    0."""
    before, now = b, a % b          # distances, on both sides in turn
    m_before, m_now = 0, 1          # of these multiples
    least = None
    while now != 0 and m_now <= most:
        least = now if least is None else min(least, now)
        steps = before // now
        possible = min(steps, (most - m_before) // m_now)
        if possible > 0 and before - possible * now != 0:
            least = min(least, before - possible * now)
        elif possible > 1:
            least = min(least, before - (possible - 1) * now)
        if possible < steps:
            break
        before, now = now, before - steps * now
        m_before, m_now = m_now, m_before + steps * m_now
    return least


def places(bits):
    """decimal_places() of digits.c."""
    product = bits * 78913
    return product // 262144 if product >= 0 else -((-product + 262143) // 262144)


def check_places():
    for bits in range(-1100, 1100):
        power = places(bits)
        low, high = 10 ** max(power, 0) * 2 ** max(-bits, 0), 2 ** max(bits, 0) * 10 ** max(-power, 0)
        assert low <= high < 10 * low, f"floor({bits} * log10 2) is not {power}"


def power_at_most(exponent, narrow):
    """The largest p with 10^p <= 2^exponent, or three quarters of it; fails if the constants of shortest.c have another one."""
    power = exponent * 1262611 - 524031 * narrow >> 22
    large, small = (3 if narrow else 4) * 2 ** max(exponent, 0), 4 * 2 ** max(-exponent, 0)
    low, high = 10 ** max(power, 0) * small, large * 10 ** max(-power, 0)
    assert low <= high < 10 * low, f"10^{power} is not the largest power for 2^{exponent}"
    inverse = -power * 1741647 >> 19
    assert 2 ** max(inverse, 0) * 10 ** max(power, 0) <= 2 ** max(-inverse, 0) * 10 ** max(-power, 0) < 2 ** (max(inverse, 0) + 1) * 10 ** max(power, 0)
    assert 1 <= exponent + inverse + 1 <= 4, "factors of shortest.c have more than 60 bits"
    return power


def host():
    """(bits of the smallest distance, how many) for shortest.c; its products are m * 2^e * 10^-p."""
    checks, nearest = 0, 0
    for _, fraction_bits, lowest, highest in FORMATS:
        for exponent in range(lowest, highest + 1):
            for narrow in range(2):
                power = power_at_most(exponent, narrow)
                a, b = 2 ** max(exponent, 0) * 10 ** max(-power, 0), 2 ** max(-exponent, 0) * 10 ** max(power, 0)
                divisor = math.gcd(a, b)
                least = distance(a // divisor, b // divisor, 4 * 2 ** (fraction_bits + 1) + 2)
                checks += 1
                if least is not None:
                    nearest = max(nearest, math.log2(b // divisor) - math.log2(least))
    return nearest, checks


def main():
    checks, nearest = 0, 0
    check_places()
    for name, fraction_bits, lowest, highest in FORMATS:
        for exponent in range(lowest, highest + 1):
            lengths = range(1, fraction_bits + 2) if exponent == lowest else (fraction_bits + 1,)
            for length in lengths:
                power = SCALE - places(length + exponent)
                a = 2 ** max(exponent - 1, 0) * 10 ** max(power, 0)
                b = 2 ** max(1 - exponent, 0) * 10 ** max(-power, 0)
                divisor = math.gcd(a, b)
                a, b = a // divisor, b // divisor
                least = distance(a, b, 4 * 2 ** length + 2)
                checks += 1
                if least is not None:
                    nearest = max(nearest, math.log2(b) - math.log2(least))
    print(f"figure: no product nearer to an integer than 2^-{nearest:.1f}, but those that are one")
    host_nearest, host_checks = host()
    print(f"figure: for shortest.c no nearer than 2^-{host_nearest:.1f}")
    good = nearest < LEAST and host_nearest < LEAST_HOST and checks > 2000 and host_checks > 4000
    print(f"{checks if good else 0} passed, {0 if good else 1} failed")
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
