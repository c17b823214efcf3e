#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""Packs the benchmark payloads (frames and their decoded bytes) into one blob that the emulator loads into RAM.

bench_pak.py PAYLOADS OUT: PAYLOADS is the folder with P1.raw, P1_00.zst … Without it, the payloads that can be computed
(P4: no redundancy, P5: zeros) are made here, and the others are named on standard output as skipped.
"""
import glob
import os
import random
import struct
import sys

NAMES = ["P1", "P2", "P3", "P4", "P5", "P6"]
ENTRY = struct.Struct("<8s5I")
FRAME_START = bytes.fromhex("28b52ffd0058")  # magic, descriptor without content size, 2 MiB window


def made(name):
    """[(frame, raw)] of a payload that can be computed, otherwise None."""
    if name == "P4":
        raw = random.Random(4).randbytes(16384)
        return [(FRAME_START + (1 | len(raw) << 3).to_bytes(3, "little") + raw, raw)]
    if name == "P5":
        # Zeros as the encoder writes them: two raw literals, one sequence coded with the predefined tables.
        raw = bytes(65536)
        body = bytes.fromhex("10000001") + bytes.fromhex("00fb7f1d6001")
        return [(FRAME_START + (5 | len(body) << 3).to_bytes(3, "little") + body, raw)]
    return None


def stored(folder, name):
    frames = [open(f, "rb").read() for f in sorted(glob.glob(f"{folder}/{name}_*.zst"))]
    if not frames or not os.path.exists(f"{folder}/{name}.raw"):
        return None
    raw = open(f"{folder}/{name}.raw", "rb").read()
    tile = len(raw) // len(frames)
    return [(f, raw[i * tile:(i + 1) * tile]) for i, f in enumerate(frames)]


def payloads(folder):
    """{name: [(frame, raw)]}, and the names that are not available."""
    found, skipped = {}, []
    for name in NAMES:
        pairs = stored(folder, name) or made(name)
        if pairs:
            found[name] = pairs
        else:
            skipped.append(name)
    return found, skipped


def pack(entries):
    """The blob of bench.h from (name, id, src bytes, raw bytes)."""
    start = 8 + ENTRY.size * len(entries)
    blob = bytearray()

    def add(data):
        blob.extend(bytes(-(start + len(blob)) % 8))
        at = start + len(blob)
        blob.extend(data)
        return at

    table = b""
    for name, number, src, raw in entries:
        table += ENTRY.pack(name.encode(), number, add(src), len(src), add(raw), len(raw))
    return b"PAK1" + struct.pack("<I", len(entries)) + table + bytes(blob)


def main():
    found, skipped = payloads(sys.argv[1])
    for name in skipped:
        print(f"skipped: payload {name} (not in {sys.argv[1]})")
    data = pack([(name, NAMES.index(name), frame, raw) for name in found for frame, raw in found[name]])
    with open(sys.argv[2], "wb") as f:
        f.write(data)


if __name__ == "__main__":
    main()
