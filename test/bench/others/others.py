#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""Compares this project's decoders with others: others.py BENCH PAYLOADS PAGE, for `make bench-others`.

Packs the payloads for each decoder, runs its images under the emulator, where the decoded bytes are compared with the raw data,
and writes the tables to PAGE: instructions, flash, RAM, stack, compressed size. BENCH is the folder of bench.mk with the images.
Without P1, P2 or P3 in PAYLOADS it prints the figures of the other payloads and does not change PAGE. Uses bench_run.py and
bench_pak.py.
"""
import ctypes
import datetime
import os
import re
import subprocess
import sys
import zlib

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import bench_pak  # noqa: E402
import bench_run  # noqa: E402
from cells import HEADING  # noqa: E402

MACHINE, NM, SIZE = "mps2-an385", "arm-none-eabi-nm", "arm-none-eabi-size"
CORES = {"m3": "Cortex-M3", "m0plus": "Cortex-M0+"}
TILES = {"P1": "16 KB", "P2": "1 KB", "P3": "64 KB"}
SHOWN = list(TILES)
# image, adapter, name of the decoder on the page, encoding of its payloads
ROWS = [("others/{}/copy.elf", "others/{}/copy/adapter.o", "raw data, `memcpy`", "raw"),
        ("others/{}/utet-zstd-tables.elf", "others/{}/utet-zstd-tables/adapter.o", "**microtet's zstd, fast tables**", "zstd"),
        ("others/{}/utet-zstd-packed.elf", "others/{}/utet-zstd-packed/adapter.o", "**microtet's zstd, packed tables**", "zstd"),
        ("others/{}/sevenzip.elf", "others/{}/sevenzip/adapter.o", "7-Zip 25.01's zstd decoder", "zstd"),
        ("{}/zstd157-default-O2.elf", "{}/zstd157-default-O2-adapter.o", "zstd 1.5.7", "zstd"),
        ("others/{}/lz4.elf", "others/{}/lz4/adapter.o", "LZ4 1.9.4", "lz4"),
        ("others/{}/utet-inflate.elf", "others/{}/utet-inflate/adapter.o", "**microtet's zlib**", "zlib"),
        ("others/{}/miniz.elf", "others/{}/miniz/adapter.o", "miniz 2 (zlib)", "zlib"),
        ("others/{}/uzlib.elf", "others/{}/uzlib/adapter.o", "MicroPython 1.25's uzlib (zlib)", "zlib"),
        ("others/{}/heatshrink.elf", "others/{}/heatshrink/adapter.o", "heatshrink 0.4.1, window 8, look-ahead 4", "heatshrink")]


class Encoders:
    """The encoders of the payloads: LZ4 and heatshrink as fetched, zlib from Python."""

    def __init__(self, path):
        self.library = ctypes.CDLL(os.path.abspath(path))
        self.library.heatshrink_encoder_alloc.restype = ctypes.c_void_p

    def lz4(self, raw):
        room = ctypes.create_string_buffer(len(raw) + len(raw) // 255 + 16)
        size = self.library.LZ4_compress_HC(raw, room, len(raw), len(room), 9)
        return room.raw[:size]

    def heatshrink(self, raw):
        """As its README shows: sink, poll until there is no more output, finish."""
        lib, count = self.library, ctypes.c_size_t()
        encoder = ctypes.c_void_p(lib.heatshrink_encoder_alloc(ctypes.c_uint8(8), ctypes.c_uint8(4)))
        room, made, given = ctypes.create_string_buffer(4096), b"", 0

        def poll():
            nonlocal made
            more = 1
            while more == 1:
                more = lib.heatshrink_encoder_poll(encoder, room, ctypes.c_size_t(len(room)), ctypes.byref(count))
                made += room.raw[:count.value]

        while given < len(raw):
            part = raw[given:given + 128]
            lib.heatshrink_encoder_sink(encoder, part, ctypes.c_size_t(len(part)), ctypes.byref(count))
            given += count.value
            poll()
        while lib.heatshrink_encoder_finish(encoder) == 1:
            poll()
        lib.heatshrink_encoder_free(encoder)
        return made

    def encode(self, kind, frame, raw):
        return {"raw": lambda: raw, "zstd": lambda: frame, "zlib": lambda: zlib.compress(raw, 6),
                "lz4": lambda: self.lz4(raw), "heatshrink": lambda: self.heatshrink(raw)}[kind]()


def packs(bench, folder):
    """{encoding: (file, {payload: compressed size as a fraction of the raw size})}; and the payloads that are not available."""
    found, skipped = bench_pak.payloads(folder)
    encoders, made = Encoders(f"{bench}/others/encoders.so"), {}
    for kind in dict.fromkeys(row[3] for row in ROWS):
        entries = [(name, bench_pak.NAMES.index(name), encoders.encode(kind, frame, raw), raw) for name in found for frame, raw in found[name]]
        path = f"{bench}/others/{kind}.pak"
        with open(path, "wb") as f:
            f.write(bench_pak.pack(entries))
        made[kind] = path, {name: sum(len(e[2]) for e in entries if e[0] == name) / sum(len(e[3]) for e in entries if e[0] == name) for name in found}
    return made, skipped


def variables(path):
    """{name: bytes} of what a file keeps in RAM."""
    out = subprocess.run([NM, "-S", path], check=True, capture_output=True, text=True).stdout
    return {name: int(size, 16) for size, name in re.findall(r"^\w+ (\w+) [bBdD] (\S+)$", out, re.M)}


def flash(path):
    """text and data of an image"""
    field = subprocess.run([SIZE, path], check=True, capture_output=True, text=True).stdout.split("\n")[1].split()
    return int(field[0]) + int(field[1])


def measure(bench, core, row, made):
    image, adapter = (f"{bench}/{part.format(core)}" for part in row[:2])
    bare = f"{bench}/{ROWS[0][0].format(core)}"
    pak, ratio = made[row[3]]
    result = bench_run.run(image, MACHINE, f"{bench}/count.so", pak)
    if result["code"] != 0 or result["regions"][bench_run.KNOWN_ID]["insns"] != bench_run.KNOWN_COST[0]:
        sys.exit(f"{image}: wrong bytes, or a wrong count: {result['lines']}")
    work = next(int(line[1]) for line in result["lines"] if line[0] == "work")
    known = {**variables(bare), **variables(adapter)}
    rows = {name: (region["insns"] / size, region["stack"]) for name, size, verdict, region in bench_run.payload_rows(result) if verdict == "ok"}
    return {"rows": rows, "flash": flash(image) - flash(bare), "ratio": ratio, "stack": max(stack for _, stack in rows.values()),
            "ram": work + sum(size for name, size in variables(image).items() if name not in known)}


def table(found, digits, names, stack=False):
    """The rows of a Markdown table; with the stack, it is only for the page, without it also for the README."""
    more = " stack |" if stack else ""
    heads = names if stack else [f"{name}, {TILES[name]}" for name in names]
    yield f"| decoder | {' | '.join(heads)} | flash | RAM |{more} compressed size {', '.join(names)} |"
    yield "|---" * (len(names) + 4 + stack) + "|"
    for row in ROWS:
        one = found[row[2]]
        cells = [row[2], *(f"{one['rows'][n][0]:.{digits}f}" for n in names), f"{one['flash']:,}", f"{one['ram']:,}"]
        cells += [f"{one['stack']:,}"] if stack else []
        yield f"| {' | '.join(cells)} | {', '.join(format(one['ratio'][n], f'.{digits + 1}f') for n in names)} |"


def said(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.split("\n")[0]


PAGE = """# Other decoders, measured

Written by `make bench-others`, which fetches and compiles the decoders.
Result of {date}: {gcc}, {qemu}.

Instructions per decoded byte on a Cortex-M3, flash and RAM in bytes; the README shows this table:

{short}

* P1 is an f32 field, P2 a u8 picture, P3 a text, in tiles of the size at the head of the column. Each tile is
  compressed and decoded as a whole, in memory. The firmware compares each decoded byte with the raw data.
* The payloads are not in this repository: `SHARED=` names their folder. Without them the run prints the figures of
  payloads that it can make, and leaves this page as it is.
* Encoders: zstd level 3, zlib level 6, LZ4 HC level 9, heatshrink's own. miniz, uzlib and microtet's zlib decoder check
  the Adler-32; the zstd frames have no checksum.
* Flash is text and data of the linked image, less those of the image that only copies. It contains a call of the
  decoder, and what the decoder needs of the C library.
* RAM is the decoder's state, its allocations and its variables, without the destination and the stack.
* Compiled with `-O2`; microtet as its library is: `-Os`, with `-O2` for the inner loops.
* Versions: 7-Zip, LZ4, heatshrink and MicroPython's uzlib are Debian's source packages; miniz is the crate miniz-sys
  0.1.12, which contains miniz 2 (`MZ_VERSION` 10.0.2); zstd is what the package zstandard contains.
* Not measured: miniz 3, which needs less RAM, and uzlib as its author published it. No package registry that
  `src/tools/fetch.sh` uses was found to have their sources.
"""


def main():
    bench, folder, page = sys.argv[1:]
    made, skipped = packs(bench, folder)
    names = [name for name in bench_pak.NAMES if name not in skipped]
    found = {core: {row[2]: measure(bench, core, row, made) for row in ROWS} for core in CORES}
    for core, title in CORES.items():
        print(title, *table(found[core], 2, names, True), sep="\n")
    for name in skipped:
        print(f"skipped: payload {name} (not in {folder})")
    if set(SHOWN) & set(skipped):
        print(f"{page} is left as it is")
        return
    gcc = said("arm-none-eabi-gcc", "-dumpversion")
    text = PAGE.format(date=f"{datetime.date.today():%Y-%m-%d}", gcc=f"arm-none-eabi-gcc {gcc}", short="\n".join(table(found["m3"], 1, SHOWN)),
                       qemu=re.sub(r".*version (\S+).*", r"QEMU \1", said("qemu-system-arm", "--version")))
    for core, title in CORES.items():
        text += f"\n## {title}, all payloads\n\n" + "\n".join(table(found[core], 2, names, True)) + "\n"
    text += "\nP4 is random data, P5 zeros, P6 i16 sound in tiles of 8 KB. The stack is the largest over all payloads.\n"
    _, heading, cells = open(page, encoding="utf-8").read().partition(HEADING)  # of cells.py
    text += heading + cells
    with open(page, "w", encoding="utf-8") as f:
        f.write(text)


if __name__ == "__main__":
    main()
