#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""inf_pak.py PAYLOADS OUT: the payloads of the benchmark as zlib streams (level 6), each as long as the zstd frame's content,
for test/bench/bench_try.sh -k."""
import os
import sys
import zlib

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "bench"))
import bench_pak  # noqa: E402

found, skipped = bench_pak.payloads(sys.argv[1])
for name in skipped:
    print(f"skipped: payload {name} (not in {sys.argv[1]})")
entries = [(name, bench_pak.NAMES.index(name), zlib.compress(raw, 6), raw) for name in found for _, raw in found[name]]
with open(sys.argv[2], "wb") as f:
    f.write(bench_pak.pack(entries))
