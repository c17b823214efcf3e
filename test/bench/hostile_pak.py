#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""Frames that cause much work for a few bytes, for `make bench`: hostile_pak.py - OUT. How a frame is made determines what it
decodes to.

  tables3   one sequence for each block, and three FSE tables of full size for it: 16 bytes
  altern    the same, each followed by a block with the predefined tables, which are built again
  huffman   one literal for each block, and a Huffman tree of 11 bits for it
  both      a tree and three tables in each block
  empty     compressed blocks of nothing;  skip: skippable frames of nothing;  tiny: frames of nothing with checksums
  rle1      one byte a block
"""
import struct
import sys

from bench_pak import pack

SIZE = 8192  # approximate size of each
HEAD = bytes.fromhex("28b52ffd0000")  # a window of 1 KiB
START = b"abcdefgh"


class Bits:
    """A bit stream: the bits that are added first are read last."""

    def __init__(self):
        self.value, self.count = 0, 0

    def add(self, value, bits):
        self.value |= value << self.count
        self.count += bits
        return self

    def forward(self):
        return self.value.to_bytes((self.count + 7) // 8, "little")

    def backward(self):
        return self.add(1, 1).forward()


def fse(counts, log):
    """The description of a table (RFC 8878, 4.1.1) without counts of 0 or less than 1."""
    bits, left = Bits().add(log - 5, 4), (1 << log) + 1
    for count in counts:
        width = left.bit_length()
        low = (1 << width) - 1 - left  # this many values are one bit shorter
        value = count + 1
        if value < low:
            bits.add(value, width - 1)
        else:
            bits.add(value if value < 1 << (width - 1) else value + low, width)
        left -= count
    assert left == 1
    return bits.forward()


def block(kind, data, size=None, last=0):
    return struct.pack("<I", last | kind << 1 | (len(data) if size is None else size) << 3)[:3] + data


def framed(blocks, head=HEAD):
    return head + b"".join(blocks) + block(0, b"", last=1)


TABLES = b"\1\xa8" + fse([511, 1], 9) + fse([255, 1], 8) + fse([511, 1], 9) + Bits().add(0, 26).backward()
PREDEFINED = b"\1\0" + Bits().add(0, 17).backward()
TREE = bytes([127 + 11, 0x11, 0x23, 0x45, 0x67, 0x89, 0xA0])  # weights of 11 symbols, the twelfth's is 11
LITERAL = Bits().add(1, 1).backward()  # the twelfth symbol: one bit


def literal_section():
    """Compressed literals: a single one, in one stream."""
    stored = TREE + LITERAL
    return (2 | 1 << 4 | len(stored) << 14).to_bytes(3, "little") + stored


def copies(literals, count):
    """Blocks of these literals and a match of 3 with the offset code 0: without literals before it, that is the second of the
    repeated offsets, which becomes the first."""
    out, offsets = bytearray(START), [1, 4]
    for _ in range(count):
        offsets.reverse()
        for _ in range(3):
            out.append(out[-offsets[0]])
        out += literals
    return bytes(out)


def frames():
    start = block(0, START)
    tables, predefined = block(2, b"\0" + TABLES), block(2, b"\0" + PREDEFINED)
    huffman, both = block(2, literal_section() + b"\0"), block(2, literal_section() + TABLES)
    n = SIZE // len(tables)
    yield "tables3", framed([start] + [tables] * n), copies(b"", n)
    n = SIZE // len(tables + predefined)
    yield "altern", framed([start] + [tables + predefined] * n), copies(b"", 2 * n)
    n = SIZE // len(huffman)
    yield "huffman", framed([huffman] * n), bytes([11]) * n
    n = SIZE // len(both)
    yield "both", framed([start] + [both] * n), copies(b"\x0b", n)
    yield "empty", framed([block(2, b"\0\0")] * (SIZE // 5) + [start]), START
    yield "skip", b"\x50\x2a\x4d\x18\0\0\0\0" * (SIZE // 8) + framed([start]), START
    yield "tiny", (bytes.fromhex("28b52ffd2400") + block(0, b"", last=1) + bytes.fromhex("99e9d851")) * (SIZE // 13) + framed([start]), START
    yield "rle1", framed([block(1, b"q", 1)] * (SIZE // 4)), b"q" * (SIZE // 4)


if __name__ == "__main__":
    with open(sys.argv[2], "wb") as file:
        file.write(pack([(name, number, frame, raw) for number, (name, frame, raw) in enumerate(frames())]))
