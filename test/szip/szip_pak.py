#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""szip_pak.py PAYLOADS OUT: samples as szip streams (libaec's), for test/bench/bench_try.sh -k. A stream is preceded by its
parameters: bits, flags, block size, 0, rsi (u16), 0, 0. P1: a smooth field of 16 bits; P2: noise of 8 bits; P3: 24 bits, most
significant byte first; P4: 16 bits with long runs."""
import ctypes
import os
import random
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "bench"))
import bench_pak  # noqa: E402


class Stream(ctypes.Structure):
    _fields_ = [("next_in", ctypes.c_char_p), ("avail_in", ctypes.c_size_t), ("total_in", ctypes.c_size_t),
                ("next_out", ctypes.c_void_p), ("avail_out", ctypes.c_size_t), ("total_out", ctypes.c_size_t),
                ("bits", ctypes.c_uint), ("block", ctypes.c_uint), ("rsi", ctypes.c_uint), ("flags", ctypes.c_uint),
                ("state", ctypes.c_void_p)]


def encode(raw, bits, flags, block, rsi):
    out = ctypes.create_string_buffer(2 * len(raw) + 1024)
    s = Stream(raw, len(raw), 0, ctypes.addressof(out), len(out), 0, bits, block, rsi, flags)
    if ctypes.CDLL("libaec.so.0").aec_buffer_encode(ctypes.byref(s)) != 0:
        sys.exit("libaec does not encode")
    return struct.pack("<BBBBHH", bits, flags, block, 0, rsi, 0) + out.raw[:s.total_out]


def main():
    random.seed(7)
    x, field, runs = 30000, [], []
    for i in range(16384):
        x = min(65535, max(0, x + random.randint(-90, 90)))
        field.append(x)
        runs.append(x if i // 300 % 4 == 0 else 77)
    noise = bytes(random.randrange(256) if random.random() < .5 else 7 for _ in range(16384))
    streams = [("P1", struct.pack("<%dH" % len(field), *field), 16, 8, 16, 128), ("P2", noise, 8, 8, 16, 128),
               ("P3", b"".join(struct.pack(">I", v * 200)[1:] for v in field), 24, 14, 32, 128),
               ("P4", struct.pack("<%dH" % len(runs), *runs), 16, 8, 16, 128)]
    with open(sys.argv[2], "wb") as f:
        f.write(bench_pak.pack([(n, bench_pak.NAMES.index(n), encode(raw, *p), raw) for n, raw, *p in streams]))


main()
