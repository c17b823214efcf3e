#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""`make bench-read`: the cost of `utet read` of 64 MiB of f32 into a file: read_speed.py UTET BOUND [TET]. It prints the processor time
with -j 1 relative to that of read_bound.c (libzstd, one copy, pwrite); the elapsed time of -j 1 relative to that of -j 2; and that of two
processes in sequence relative to two at once, which is the limit of two processors of this machine. Then one chunk of 512 MiB: elapsed
and processor time of TET, the reference's program, relative to those of `utet read`. The smallest of ROUNDS= (9) runs of each counts,
taken in turn; SCRATCH= is a folder in memory."""
import json
import os
import subprocess
import sys
import tempfile
import time

import numpy

from harness import header_length, tet_header

TOOL, BOUND = sys.argv[1:3]
TET = sys.argv[3] if len(sys.argv) > 3 else None
ROUNDS, SIDE = int(os.environ.get("ROUNDS", "9")), 4096


def timed(out, *commands):
    """Processor time and elapsed time of commands that run at once."""
    for path in out:
        if os.path.exists(path):
            os.remove(path)
    began, used = time.time(), 0
    for child in [subprocess.Popen(list(map(str, command)), stdout=subprocess.DEVNULL) for command in commands]:
        _, status, usage = os.wait4(child.pid, 0)
        used += usage.ru_utime + usage.ru_stime
        if status != 0:
            sys.exit("%s: status %d" % (commands, status))
    return used, time.time() - began


def field(lines):
    y, x = numpy.mgrid[0:lines, 0:SIDE]
    noise = numpy.random.default_rng(1).normal(0, 1, (lines, SIDE))
    return (numpy.sin(x / 300) * numpy.cos(y / 200) * 40 + noise).round(1).astype("<f4")


def pack(values, folder, tile, codec):
    source, packed = os.path.join(folder, "a.npy"), os.path.join(folder, "a.tet")
    numpy.save(source, values)
    subprocess.run([TOOL, "pack", source, "-o", packed, "--tile", tile, "--codec", codec, "--level", "3", "--checksum", "none"],
                   check=True, stdout=subprocess.DEVNULL)
    return packed


def compare(values, path, command):
    timed([path], command)
    with open(path, "rb") as file:
        if file.read() != values.tobytes():
            sys.exit("%s: wrong bytes" % command)


def tiles(folder):
    values, out, other = field(SIDE), os.path.join(folder, "out"), os.path.join(folder, "other")
    print("codec  tile    -j 1 / bound   two threads   two processes")
    for codec in "zstd", "raw":
        for tile in 128, 32:
            packed = pack(values, folder, "%dx%d" % (tile, tile), codec)
            read = [[TOOL, "read", packed, "--format", "raw", "-j", jobs, "-o", path] for jobs, path in ((1, out), (2, out), (1, other))]
            bounds = [BOUND, packed, out, SIDE, tile]
            runs = [(timed([out], bounds), timed([out], read[0]), timed([out], read[1]), timed([out, other], read[0], read[2]))
                    for _ in range(ROUNDS)]
            bound, one, two, both = ([min(run[k][what] for run in runs) for what in (0, 1)] for k in range(4))
            compare(values, out, bounds)
            compare(values, other, read[2])
            print("%-5s %3d KiB %12.2f %13.2f %15.2f" % (codec, tile * tile // 256, one[0] / bound[0], one[1] / two[1],
                                                         2 * one[1] / both[1]), flush=True)


def whole(folder):
    """One chunk, which pack does not write: the field eight times, further apart than the window of zstd."""
    values, out = numpy.tile(field(SIDE), (8, 1)), os.path.join(folder, "out")
    packed, query = os.path.join(folder, "a.tet"), os.path.join(folder, "query.json")
    frame = subprocess.run(["zstd", "-q", "-3", "--no-check"], input=values.tobytes(), stdout=subprocess.PIPE, check=True).stdout
    datasets = [(b"a", 1, values.shape, values.shape)]
    with open(packed, "wb") as file:
        file.write(tet_header(datasets, [(0, (0, 0), header_length(datasets, 1), values.nbytes, len(frame), 1)]) + frame)
    with open(query, "w", encoding="utf-8") as file:
        json.dump({"dataset": "a", "spill": out}, file)
    ours = [TOOL, "read", packed, "--format", "raw", "-o", out]
    theirs = [TET, "query", query, "-t", packed, "-x", "-q", "--preview", "0", "--spill-allow", folder]
    runs = [(timed([out], ours), timed([out], theirs)) for _ in range(ROUNDS)]
    compare(values, out, ours)
    compare(values, out, theirs)
    times = [min(run[k][what] for run in runs) for what in (1, 0) for k in (0, 1)]
    print("one chunk of %d MiB: reference / utet: elapsed %.2f, processor %.2f" % (values.nbytes >> 20, times[1] / times[0],
                                                                                   times[3] / times[2]))


def main():
    with tempfile.TemporaryDirectory(dir=os.environ.get("SCRATCH", "/dev/shm")) as folder:
        tiles(folder)
        if TET:
            whole(folder)
        else:
            print("skipped: one chunk: the reference's program is missing; make bench-query builds it")


main()
