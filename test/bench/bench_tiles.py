#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""Writes the pak of the image library-tiles: payload P2, a picture of u8, in tiles of 256 bytes to 16 KB, a file for each
size. Tiles are compressed by `frame` as the payload's own were: at level 3, by an encoder that does not know the size.

  bench_tiles.py PAYLOADS FRAME PAK
"""
import subprocess
import sys

import bench_pak
import bench_tet

TILES = {"P2-256": (1, 8, 32), "P2-1K": (1, 32, 32), "P2-4K": (1, 128, 32), "P2-16K": (1, 512, 32)}


def frame(program, tile):
    return subprocess.run([program], input=tile, stdout=subprocess.PIPE, check=True).stdout


def main():
    folder, program, pak = sys.argv[1:]
    found, _ = bench_pak.payloads(folder)
    raw = b"".join(raw for _, raw in found.get("P2", []))
    entries = []
    for number, (name, form) in enumerate(TILES.items() if raw else ()):
        size = form[1] * form[2]
        tiles = [raw[at:at + size] for at in range(0, len(raw), size)]
        pairs = [(frame(program, tile), tile) for tile in tiles]
        if name == "P2-1K":
            assert pairs == found["P2"], "zstd 1.5.7 does not compress tiles as those of P2 were"
        entries.append((name, number, bench_tet.tet({"P2": pairs}, "zstd", {"P2": ("u8", form)}), raw))
    with open(pak, "wb") as f:
        f.write(bench_pak.pack(entries))


if __name__ == "__main__":
    main()
