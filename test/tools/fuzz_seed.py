#!/usr/bin/env python3
"""Seeds for the fuzz targets: fuzz_seed.py TARGET GIVEN OUT. Of test/golden: "file", "meta", "check": small golden files behind
a byte that chooses the port's behaviour; "frame": their zstd payloads behind three bytes (behaviour, decoded length);
others: a few numbers. Of a folder of frames: "zstd", behind four bytes (configuration)."""
import os
import struct
import sys


def golden(root, limit):
    folder = os.path.join(root, "tet")
    for name in sorted(os.listdir(folder)):
        data = open(os.path.join(folder, name), "rb").read()
        if len(data) <= limit:
            yield name, data


def payloads(data):
    if len(data) < 32 or data[:4] != b"TETR":
        return
    index, length = struct.unpack_from("<QQ", data, 16)
    for at in range(index + 32, min(index + length, len(data)) - 103, 104):
        offset, raw, stored = struct.unpack_from("<QQQ", data, at + 72)
        if struct.unpack_from("<I", data, at + 96)[0] == 1 and offset + stored <= len(data):
            yield raw, data[offset:offset + stored]


def main():
    target, root, out = sys.argv[1:4]
    os.makedirs(out, exist_ok=True)
    seeds = {}
    if target in ("file", "meta", "check"):
        for i, (name, data) in enumerate(golden(root, 3000)):
            seeds[name] = bytes([i * 37 % 128]) + data
    elif target == "frame":
        for i, (name, data) in enumerate(golden(root, 20000)):
            for k, (raw, payload) in enumerate(payloads(data)):
                if k < 3 and raw <= 65536:
                    size = (0x80, raw - 1) if raw % 16 else (0, raw // 16 - 1)
                    seeds["%s.%d" % (name, k)] = struct.pack("<BH", size[0] | i * 11 % 64, size[1] & 0xFFFF) + payload
    elif target == "zstd":
        for name in sorted(os.listdir(root)):
            if name.endswith(".zst"):
                seeds[name] = b"seed" + open(os.path.join(root, name), "rb").read()
    else:
        for i in range(40):
            seeds["numbers%02d" % i] = bytes((i * 53 + k * (7 + i)) % 256 for k in range(20 + 4 * i))
    for name, data in seeds.items():
        with open(os.path.join(out, name), "wb") as f:
            f.write(data)


main()
