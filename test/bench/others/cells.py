#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""Counts the cells that this project's zstd decoder loses: cells.py BENCH PACKS PAGE, for `make bench-cells`.

A cell is a class of data, a size of tiles and a level of zstd. In each, the decoder's two layouts are compared with the better
of 7-Zip's decoder and zstd 1.5.7, payload in memory, in instructions. PACKS is a folder of files CLASS.16k.pack: u32 n, then n
times u32 raw length, u32 frame length, frame, raw, both padded to a multiple of 4. Only their raw data are used: the library
libzstd.so.1 of this machine compresses them anew. cells_data.py makes further classes. Writes its section of PAGE; prints the
cells that are lost. Uses bench_run.py and bench_pak.py.
"""
import concurrent.futures
import ctypes
import datetime
import glob
import itertools
import os
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import bench_pak  # noqa: E402
import bench_run  # noqa: E402
import cells_data  # noqa: E402

CORES = {"m3": "Cortex-M3", "m0plus": "Cortex-M0+"}
OURS = {"tables": "others/{}/utet-zstd-tables.elf", "packed": "others/{}/utet-zstd-packed.elf"}
OTHERS = {"7-Zip": "others/{}/sevenzip.elf", "zstd": "{}/zstd157-default-O2.elf"}
TILES, LEVELS = (1, 4, 16, 64), (1, 3, 9, 19)
TOGETHER = 8  # classes of one run: the emulator has 2 MB for their tiles and frames
HEADING = "\n## Cells of data, tile and level\n"


def raw_of(path):
    data, at, found = open(path, "rb").read(), 4, b""
    for _ in range(struct.unpack_from("<I", data)[0]):
        raw, frame = struct.unpack_from("<2I", data, at)
        at += 8 + (frame + 3) // 4 * 4
        found += data[at:at + raw]
        at += (raw + 3) // 4 * 4
    return found


def compressor():
    library = ctypes.CDLL("libzstd.so.1")
    library.ZSTD_compress.restype = ctypes.c_size_t
    library.ZSTD_compressBound.restype = ctypes.c_size_t

    def compress(raw, level):
        size = library.ZSTD_compressBound(ctypes.c_size_t(len(raw)))
        room = ctypes.create_string_buffer(size)
        size = library.ZSTD_compress(room, ctypes.c_size_t(size), raw, ctypes.c_size_t(len(raw)), level)
        if library.ZSTD_isError(ctypes.c_size_t(size)):
            sys.exit("libzstd.so.1 could not compress a tile")
        return room.raw[:size]
    return compress


def counts(bench, image, pak):
    """{class: instructions}"""
    result = bench_run.run(f"{bench}/{image}", "mps2-an385", f"{bench}/count.so", pak)
    if result["code"] != 0 or result["regions"][bench_run.KNOWN_ID]["insns"] != bench_run.KNOWN_COST[0]:
        sys.exit(f"{image}: wrong bytes, or a wrong count: {result['lines']}")
    return {name: region["insns"] for name, _, verdict, region in bench_run.payload_rows(result) if verdict == "ok"}


def measure(bench, data):
    """{(core, layout, class, tile, level): instructions as a fraction of the better other decoder's}"""
    compress, ratio = compressor(), {}
    pak = f"{bench}/others/cells.pak"
    names = list(data)
    for tile, level, first in itertools.product(TILES, LEVELS, range(0, len(names), TOGETHER)):
        group, entries = names[first:first + TOGETHER], []
        for number, name in enumerate(group):
            for at in range(0, len(data[name]), tile * 1024):
                part = data[name][at:at + tile * 1024]
                entries.append((f"C{number}", number, compress(part, level), part))
        with open(pak, "wb") as f:
            f.write(bench_pak.pack(entries))
        images = [(core, image) for core in CORES for image in (*OTHERS.values(), *OURS.values())]
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            found = dict(zip(images, pool.map(lambda run: counts(bench, run[1].format(run[0]), pak), images)))
        for core, (layout, image), (number, name) in itertools.product(CORES, OURS.items(), enumerate(group)):
            key = f"C{number}"
            other = min(found[core, image][key] for image in OTHERS.values())
            ratio[core, layout, name, tile, level] = found[core, image][key] / other
    return ratio


def median(values):
    values = sorted(values)
    return (values[(len(values) - 1) // 2] + values[len(values) // 2]) / 2


def section(ratio, given, names):
    """The section of the page."""
    each = len(names) * len(TILES) * len(LEVELS)
    yield HEADING
    yield f"""Written by `make bench-cells` on {datetime.date.today():%Y-%m-%d}. {each} cells: {len(names)} classes of 64 KB, in tiles of 1, 4, 16
and 64 KB, at the zstd levels 1, 3, 9 and 19. {len(given)} classes are data that `SHARED=` has, `cells_data.py` makes the others. A
cell is lost if the better of 7-Zip's decoder and zstd 1.5.7 takes fewer instructions for all of the class, payload in
memory.
"""
    yield "| core | fast tables: cells lost | packed tables: cells lost |\n|---|---|---|"
    for core, title in CORES.items():
        lost = [sum(v > 1 for k, v in ratio.items() if k[:2] == (core, layout)) for layout in OURS]
        yield f"| {title} | {lost[0]} of {each} | {lost[1]} of {each} |"
    if max(ratio.values()) > 1:
        yield "\nThe cells that are lost, with our instructions as a fraction of those of the better other decoder:\n"
        yield "| core, tables | class | tile | level | fraction |\n|---|---|---|---|---|"
        for (core, layout, name, tile, level), value in sorted(ratio.items()):
            if value > 1:
                yield f"| {CORES[core]}, {layout} | {name} | {tile} KB | {level} | {value:.3f} |"
    yield "\nThe same fraction for all cells, median of the levels, for tiles of 1, 4, 16 and 64 KB:\n"
    heads = [f"{title}, {layout}" for title in CORES.values() for layout in OURS]
    yield f"| class | {' | '.join(heads)} |\n|{'---|' * (len(heads) + 1)}"
    for name in names:
        cells = [", ".join(f"{median([ratio[core, layout, name, tile, level] for level in LEVELS]):.2f}" for tile in TILES)
                 for core in CORES for layout in OURS]
        yield f"| {name} | {' | '.join(cells)} |"


def main():
    bench, folder, page = sys.argv[1:]
    data = {os.path.basename(path)[:-len(".16k.pack")]: raw_of(path) for path in sorted(glob.glob(f"{folder}/*.16k.pack"))}
    if not data:
        sys.exit(f"no classes of data in {folder}: SHARED= names another folder")
    given = list(data)
    data.update(cells_data.classes())
    ratio = measure(bench, data)
    for key, value in ratio.items():
        if value > 1:
            print("lost", *key, f"{value:.3f}", sep="\t")
    text = "\n".join(section(ratio, given, list(data)))
    print(text)
    kept = open(page, encoding="utf-8").read().split(HEADING)[0]
    with open(page, "w", encoding="utf-8") as f:
        f.write(kept + text + "\n")


if __name__ == "__main__":
    main()
