#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""Checks src/zstd/zstd_predefined.h: its cells are the FSE tables of the predefined distributions (RFC 8878, sections
3.1.1.3.2.2 and 4.1.1), computed here from the RFC alone. With --print the header's arrays are written instead.

usage: predefined_test.py [--print] HEADER
"""
import re
import sys

# RFC 8878, 3.1.1.3.2.2: accuracy logs and distributions; -1 means "less than one".
LITERAL_LENGTHS = (6, [4, 3] + [2] * 11 + [1] * 3 + [2] * 9 + [3, 2] + [1] * 5 + [-1] * 4)
OFFSETS = (5, [1] * 6 + [2] * 3 + [1] * 15 + [-1] * 5)
MATCH_LENGTHS = (6, [1, 4, 3] + [2] * 6 + [1] * 37 + [-1] * 7)

# RFC 8878, 3.1.1.3.2.1: (base, extra bits) of each code. Match lengths are kept without their least length, 3.
LITERAL_CODES = [(n, 0) for n in range(16)] + [
    (16, 1), (18, 1), (20, 1), (22, 1), (24, 2), (28, 2), (32, 3), (40, 3), (48, 4), (64, 6), (128, 7), (256, 8),
    (512, 9), (1024, 10), (2048, 11), (4096, 12), (8192, 13), (16384, 14), (32768, 15), (65536, 16)]
MATCH_CODES = [(n, 0) for n in range(32)] + [(base - 3, extra) for base, extra in [
    (35, 1), (37, 1), (39, 1), (41, 1), (43, 2), (47, 2), (51, 3), (59, 3), (67, 4), (83, 4), (99, 5), (131, 7),
    (259, 8), (515, 9), (1027, 10), (2051, 11), (4099, 12), (8195, 13), (16387, 14), (32771, 15), (65539, 16)]]
OFFSET_CODES = [(1 << n, n) for n in range(32)]
TABLES = [(LITERAL_LENGTHS, LITERAL_CODES), (OFFSETS, OFFSET_CODES), (MATCH_LENGTHS, MATCH_CODES)]


def symbols_of(log, counts):
    """RFC 8878, 4.1.1: the symbol of each state."""
    size = 1 << log
    table = [None] * size
    high = size
    for symbol, count in enumerate(counts):
        if count == -1:
            high -= 1
            table[high] = symbol
    place = 0
    for symbol, count in enumerate(counts):
        for _ in range(max(count, 0)):
            table[place] = symbol
            while True:
                place = (place + (size >> 1) + (size >> 3) + 3) % size
                if place < high:
                    break
    assert place == 0 and sum(abs(count) for count in counts) == size
    return table


def states_of(log, counts):
    """RFC 8878, 4.1.1: (symbol, state bits, baseline) of each state, in order."""
    seen = {}
    for symbol in symbols_of(log, counts):
        share = abs(counts[symbol])
        number = seen.setdefault(symbol, 0)
        seen[symbol] += 1
        # The lowest `double` states of a symbol read one bit more than the others, and take the highest baselines.
        power = 1 << (share - 1).bit_length()
        double = power - share
        bits = log - (power.bit_length() - 1)
        if number < double:
            yield symbol, bits + 1, (share - double << bits) + (number << bits + 1)
        else:
            yield symbol, bits, number - double << bits


def cells():
    """The cells of both layouts, as zstd_layout_tables.h and zstd_layout_packed.h define them."""
    full, packed = [], []
    for (log, counts), codes in TABLES:
        for symbol, bits, base in states_of(log, counts):
            value, extra = codes[symbol]
            assert value % (1 << extra) == 0
            full.append(bits | extra << 8 | value >> extra << 16 | base << 21)
            counter = base + (1 << log) >> bits
            if codes is LITERAL_CODES:
                symbol += 16
            packed.append(symbol | counter << 6)
    return full, packed


def arrays(text):
    """The arrays of the header: name, numbers."""
    return {name: [int(number, 16) for number in re.findall(r"0x[0-9a-f]+", body)]
            for name, body in re.findall(r"(\w+)\[[^\]]*\] ZS_FLASH = \{([^}]*)\}", text)}


def main():
    full, packed = cells()
    if sys.argv[1] == "--print":
        for name, kind, form, numbers in (("tables", "uint32_t", ["0x%x"] * 160, full),
                                          ("packed", "uint16_t", ["L(0x%x)"] * 64 + ["O(0x%x)"] * 32 + ["L(0x%x)"] * 64, packed)):
            print("static const %s %s_predefined[64 + 32 + 64] ZS_FLASH = {" % (kind, name))
            print(", ".join(f % number for f, number in zip(form, numbers)) + "};")
        return 0
    with open(sys.argv[1], encoding="utf-8") as file:
        found = arrays(file.read())
    passed = failed = 0
    for name, expected in (("tables_predefined", full), ("packed_predefined", packed)):
        have = found.get(name, [])
        for state, cell in enumerate(expected):
            if state < len(have) and have[state] == cell:
                passed += 1
            else:
                failed += 1
                print("%s[%d]: %#x expected" % (name, state, cell))
        if len(have) != len(expected):
            failed += 1
            print("%s has %d cells, not %d" % (name, len(have), len(expected)))
    print("%d passed, %d failed" % (passed, failed))
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
