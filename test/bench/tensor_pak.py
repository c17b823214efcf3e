#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""tensor_pak.py PAYLOADS OUT: values of 16 bits as simple_packing stores them, and the floats -100 + q / 4, which single
precision holds exactly (decode_tensor.c). P1: 8,192 values."""
import random
import struct
import sys

import bench_pak


def main():
    random.seed(11)
    values = [random.randrange(65536) for _ in range(8192)]
    packed = struct.pack(">%dH" % len(values), *values)
    floats = struct.pack("<%df" % len(values), *(-100 + q / 4 for q in values))
    with open(sys.argv[2], "wb") as f:
        f.write(bench_pak.pack([("P1", bench_pak.NAMES.index("P1"), packed, floats)]))


main()
