#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""`utet read -j N` gives the bytes, the error line and the status of -j 1: for every dataset of the golden files, also damaged; for
files of many tiles in each format, intact and with bytes changed. Second sources: the bytes from which a file was packed, and the
offset of the first of two damaged tiles."""
import os
import random
import re
import struct
import subprocess

from harness import TOOL, check, expect, golden, header_length, scratch, skip, summary, tet_header, utet

JOBS = ("2", "7", None)
ROWS, COLUMNS = 60, 50


class Run:
    answers = errors = late = 0


def same(name, *arguments):
    """Checks that the output is that of -j 1."""
    wanted = utet("read", *arguments, "-j", "1")
    Run.answers += wanted[0] == 0
    Run.errors += wanted[0] != 0
    for jobs in JOBS:
        got = utet("read", *arguments, *(["-j", jobs] if jobs else []))
        Run.late += got[0] != 0 and len(got[1]) > 0
        less, more = sorted((got[1], wanted[1]), key=len)  # after an error, only complete bands
        check("%s -j %s" % (name, jobs), got[0] == wanted[0] and got[2] == wanted[2] and more.startswith(less) and
              (got[0] != 0 or got[1] == wanted[1]),
              "%r, not %r" % ((got[0], got[2], len(got[1])), (wanted[0], wanted[2], len(wanted[1]))))
    return wanted


def golden_files():
    for g in golden():
        if not os.path.exists(g.path):
            skip(g.name, "not in this clone, and the shared vectors are not there")
            continue
        status, names, _ = utet("info", "-1", g.path)
        count = len(names.splitlines()) if status == 0 else 1
        for number in range(min(count, 4)):
            same("%s #%d" % (g.name, number), g.path, "#%d" % number)


def packed(dtype, codec, rng):
    """A file of 60 x 50 elements in tiles of 7 x 9, and their bytes."""
    data = bytes(rng.choice(b"\x00\x01\x3f\x80") for _ in range(ROWS * COLUMNS * int(dtype[1:]) // 8))
    raw, path = scratch("raw"), scratch("%s-%s.tet" % (dtype, codec))
    with open(raw, "wb") as out:
        out.write(data)
    expect("pack", ["pack", raw, "-o", path, "--dtype", dtype, "--shape", "%dx%d" % (ROWS, COLUMNS), "--tile", "7x9", "--name", "a",
                    "--codec", codec], 0)
    return path, data


LARGE, BLOCK = 1152, 131072


def large_file(shape):
    """One chunk of 144 MiB, in blocks of one byte each."""
    datasets = [(b"a", 5, shape, shape)]
    frame = b"\x28\xb5\x2f\xfd\x00\x58" + b"".join(
        struct.pack("<I", (i == LARGE - 1) | 1 << 1 | BLOCK << 3)[:3] + bytes([i % 251]) for i in range(LARGE))
    with open(scratch("large.tet"), "wb") as out:
        out.write(tet_header(datasets, [(0, (0,) * len(shape), header_length(datasets, 1), LARGE * BLOCK, len(frame), 1)]) + frame)
    return scratch("large.tet")


def large_chunks():
    """Chunks that do not fit into a band, as wide as the dataset: they are decoded once, and not kept. A second thread, which writes,
    takes little memory; its error ends both."""
    for shape, most in ((LARGE, BLOCK), 32), ((2, 9, 8 << 20), 96):
        with open(scratch("bytes"), "wb") as out:
            child = subprocess.Popen([TOOL, "read", large_file(shape), "-j", "1"], stdout=out)
            _, child.returncode, usage = os.wait4(child.pid, 0)
        with open(scratch("bytes"), "rb") as file:
            right = all(file.read(BLOCK) == bytes([i % 251]) * BLOCK for i in range(LARGE)) and not file.read(1)
        check("large chunk %s" % (shape,), child.returncode == 0 and right)
        if not os.environ.get("NO_LIMITS"):
            check("large chunk %s: memory" % (shape,), usage.ru_maxrss < most << 10, usage.ru_maxrss)
            with subprocess.Popen([TOOL, "read", scratch("large.tet"), "-j", "2"], stdout=subprocess.DEVNULL) as child:
                _, child.returncode, usage = os.wait4(child.pid, 0)
            check("large chunk %s -j 2: memory" % (shape,), child.returncode == 0 and usage.ru_maxrss < most << 10, usage.ru_maxrss)
        with open("/dev/full", "wb") as full:
            child = subprocess.run([TOOL, "read", scratch("large.tet"), "-j", "2"], stdout=full, stderr=subprocess.PIPE, timeout=60,
                                   check=False)
        check("large chunk %s -j 2: no space" % (shape,), child.returncode == 1 and child.stderr.count(b"\n") == 1 and
              b"standard output: cannot write: No space left" in child.stderr, child.stderr)
    for shape, part in ((LARGE, BLOCK), "1:,1::2"), ((2, 9, 8 << 20), "1,:,5:"):
        same("large chunk %s, a part" % (shape,), large_file(shape), "--slab", part)
        with open(scratch("large.tet"), "r+b") as file:
            file.seek(-4 * (LARGE // 3), 2)
            file.write(b"\xff")
        same("large chunk %s, damaged" % (shape,), scratch("large.tet"))


def whole_and_damaged():
    rng = random.Random(31)
    for dtype, codec in ("f32", "zstd"), ("i16", "raw"), ("f64", "zstd"), ("u8", "zstd"):
        path, data = packed(dtype, codec, rng)
        check(path, same(path, path)[1] == data, "not what was packed")
        size = len(data) // ROWS // COLUMNS
        part = b"".join(data[(r * COLUMNS + 1) * size:(r * COLUMNS + 41) * size] for r in range(3, ROWS, 2))
        check(path + " --slab", same(path, path, "--slab", "3::2,1:41")[1] == part, "not what was packed")
        for form in "csv", "npy", "text":
            same("%s %s" % (path, form), path, "--format", form)
        same(path + " --stats", path, "--stats")
        same(path + " --physical", path, "--physical")
        same(path + " --budget", path, "--budget", "1M")
        with open(path, "rb") as file:
            good = file.read()
        for number in range(12):
            bad = bytearray(good)
            for _ in range(rng.choice([1, 1, 4])):
                bad[rng.randrange(len(bad) // 3, len(bad))] ^= 1 << rng.randrange(8)
            with open(scratch("bad.tet"), "wb") as out:
                out.write(bad)
            same("%s, damaged %d" % (path, number), scratch("bad.tet"))


def part_of(data, shape, ranges):
    """The bytes of a selection of an array."""
    if not shape:
        return data
    each = len(data) // shape[0]
    return b"".join(part_of(data[k * each:(k + 1) * each], shape[1:], ranges[1:]) for k in range(*ranges[0]))


def raw_tiles():
    """Selections of raw tiles, whose parts are one range of the file or not, against Python's slices;
    then the same file without its end."""
    rng = random.Random(7)
    for shape, tile in ((5000,), (700,)), ((61, 130), (16, 32)), ((90, 7), (30, 7)), ((9, 20, 33), (4, 20, 33)), ((9, 20, 33), (4, 6, 5)), \
            ((300, 1), (128, 1)), ((700, 300), (512, 128)), ((200000,), (25000,)):
        count = 1
        for n in shape:
            count *= n
        data = rng.randbytes(4 * count)
        with open(scratch("raw"), "wb") as out:
            out.write(data)
        path = scratch("raw.tet")
        expect("pack", ["pack", scratch("raw"), "-o", path, "--dtype", "u32", "--shape", "x".join(map(str, shape)), "--tile",
                        "x".join(map(str, tile)), "--name", "a", "--codec", "raw"], 0)
        for number in range(12):
            ranges = [(0, n, 1) if rng.randrange(3) else (a := rng.randrange(n), rng.randrange(a, n) + 1, rng.choice([1, 1, 1, 2]))
                      for n in shape]
            slab = ",".join("%d:%d:%d" % r for r in ranges)
            status, out, err = utet("read", path, "--slab", slab, "-j", rng.choice("12"), "--format", "raw")
            check("raw tiles %s in %s, %s" % (tile, shape, slab), status == 0 and out == part_of(data, shape, ranges), err)
        size = os.path.getsize(path)
        for less in 1, 4 * count // 2:
            os.truncate(path, size - less)
            same("raw tiles %s in %s, truncated" % (tile, shape), path, "a")


def small_tiles():
    """Tiles for zstd that are decoded without a slab, or with one: whole ones and parts, of any rank, some of them raw, against Python's
    slices; more tiles than those whose rows are kept; then payloads that several tiles share, intact and damaged, in any order: the
    built-in decoder, which always takes a slab, gives the same bytes and finds the same tile."""
    rng = random.Random(9)
    for shape, tile in ((5000,), (700,)), ((61, 130), (16, 32)), ((9, 20, 33), (4, 20, 33)), ((9, 20, 33), (4, 6, 11)), \
            ((5, 3, 7, 40), (2, 2, 3, 16)), ((700, 300), (256, 64)), ((263000, 8), (1, 8)):
        count = 1
        for n in shape:
            count *= n
        data = b"".join(rng.randbytes(4) if at // 2000 % 3 == 0 else bytes([at // 7 % 13, 0, 0, 1]) for at in range(count))
        with open(scratch("raw"), "wb") as out:
            out.write(data)
        path = scratch("small.tet")
        runs = 12 if count < 1000000 else 2
        expect("pack", ["pack", scratch("raw"), "-o", path, "--dtype", "u32", "--shape", "x".join(map(str, shape)), "--tile",
                        "x".join(map(str, tile)), "--name", "a", "--codec", "zstd"], 0)
        for number in range(runs):
            ranges = []
            for n, extent in zip(shape, tile):
                first, last = sorted(rng.randrange((n - 1) // extent + 1) for _ in range(2))
                ranges.append((0, n) if number == 0 or rng.randrange(3) == 0 else
                              (first * extent, min(n, (last + 1) * extent)) if rng.randrange(4) else (first * extent, last * extent + 1))
            slab = ",".join("%d:%d" % r for r in ranges)
            status, out, err = utet("read", path, "--slab", slab, "-j", rng.choice("12"), "--format", "raw")
            check("small tiles %s in %s, %s" % (tile, shape, slab), status == 0 and out == part_of(data, shape, ranges), err)
        os.truncate(path, os.path.getsize(path) - 1)
        same("small tiles %s in %s, truncated" % (tile, shape), path, "a")
    small_tiles_share(rng)


def small_tiles_share(rng):
    """Each frame has four RLE blocks; one of them may have the reserved type."""
    tiles, size = 600, 512
    frames = [b"\x28\xb5\x2f\xfd\0\x28" + b"".join(struct.pack("<I", (k == 3) | 1 << 1 | size // 4 << 3)[:3] + bytes([at])
                                                 for k in range(4)) for at in range(40)]
    datasets = [(b"d", 5, [tiles // 6, 6 * size], [1, size])]
    start, each = header_length(datasets, tiles), len(frames[0])
    for number in range(8):
        name = "tiles that share payloads, %d" % number
        which = [rng.randrange(len(frames)) for _ in range(tiles)]
        body, fault = bytearray(b"".join(frames)), None
        if number % 2:
            fault = rng.choice(which[tiles // 2:]) * each + 6 + 4 * rng.randrange(4)
            body[fault] |= 3 << 1
        rows = [(0, [at // 6, at % 6], start + k * each, size, each, 1) for at, k in enumerate(which)]
        if number in (3, 6):  # a raw tile among them
            rows[tiles // 2] = (0, [tiles // 12, 0], start, size, size, 0)
        with open(scratch("share.tet"), "wb") as out:
            out.write(tet_header(datasets, rows) + body)
        right = b"".join(body[:size] if row[5] == 0 else bytes([k]) * size for row, k in zip(rows, which))
        for codec in "upstream", "small":
            status, out, err = same("%s, %s" % (name, codec), scratch("share.tet"), "--codec", codec)
            place = [int(n.replace(",", "")) for n in re.findall(r"offset ([\d,]+)", err)]
            check("%s, %s" % (name, codec), (status, out) == (0, right) if fault is None else status == 1 and place == [start + fault],
                  (status, len(out), err, start, fault))


def first_of_two():
    """Frames of one RLE block each; two of them have blocks of the reserved type, whose offsets are known."""
    tiles, size = 40, 4096
    good, bad = (b"\x28\xb5\x2f\xfd\0\x28" + struct.pack("<I", 1 | kind << 1 | size << 3)[:3] + b"x" for kind in (1, 3))
    shape = [(b"d", 5, [tiles, size], [1, size])]
    start = len(tet_header(shape, [(0, [0, 0], 0, 0, 0, 0)] * tiles))
    rows = [(0, [at, 0], start + at * len(good), size, len(good), 1) for at in range(tiles)]
    for first, second in (0, 1), (5, 6), (17, 39), (39, 39):
        frames = [bad if at in (first, second) else good for at in range(tiles)]
        with open(scratch("two.tet"), "wb") as out:
            out.write(tet_header(shape, rows) + b"".join(frames))
        for codec in "small", "upstream":
            status, out, err = same("two damaged tiles", scratch("two.tet"), "--codec", codec)
            place = [int(n.replace(",", "")) for n in re.findall(r"offset ([\d,]+)", err)]
            check("the first damaged tile", status == 1 and len(place) == 1 and 0 <= place[0] - start - first * len(good) < len(good),
                  (err, start, first))


large_chunks()
golden_files()
whole_and_damaged()
raw_tiles()
small_tiles()
first_of_two()
check("answers and errors", Run.answers > 60 and Run.errors > 30 and Run.late > 9, (Run.answers, Run.errors, Run.late))
print("figure: %d answers and %d errors (%d after data) with 2, 7 and the machine's threads" % (Run.answers, Run.errors, Run.late))
summary()
