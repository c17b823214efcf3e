#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""`make bench-pack`: the throughput of utet pack compared with that of zstd at the same level on one core. Both run in turn on
the same tiles, libzstd in memory (pack_speed.c); the smallest processor time of ROUNDS= runs counts, for pack including reading,
compressing, writing and reading back, with -j 1. Fails below LEAST= (0.8) with the default --verify. Then -j: the elapsed time,
and a figure that does not depend on other work: the processor time of all threads divided by that of the busiest one."""
import os
import subprocess
import sys
import tempfile
import time

import numpy

TOOL, SPEED = sys.argv[1:3]
ROUNDS, LEAST, SIDE = int(os.environ.get("ROUNDS", "7")), float(os.environ.get("LEAST", "0.8")), 4096


def field(path):
    dice = numpy.random.default_rng(1)
    y, x = numpy.mgrid[0:SIDE, 0:SIDE]
    values = (20 + 10 * numpy.sin(y * 0.002) * numpy.cos(x * 0.003)).round(2) + dice.integers(0, 4, (SIDE, SIDE)) * 0.01
    values.astype("<f4").tofile(path)


def watch(child, threads):
    """Nanoseconds of each thread, while it exists."""
    while child.poll() is None:
        try:
            for one in os.listdir("/proc/%d/task" % child.pid):
                with open("/proc/%d/task/%s/schedstat" % (child.pid, one)) as file:
                    threads[one] = int(file.read().split()[0])
        except (OSError, IndexError):
            pass
        time.sleep(0.002)


def shares(source, out, tile, level, jobs):
    """Processor time of all threads, divided by that of the busiest."""
    threads = {}
    watch(subprocess.Popen(words(source, out, tile, level, "-j", str(jobs)), stdout=subprocess.DEVNULL), threads)
    return sum(threads.values()) / max(threads.values())


def words(source, out, tile, level, *more):
    return [TOOL, "pack", source, "--dtype", "f32", "--shape", "%dx%d" % (SIDE, SIDE), "--codec", "zstd", "-o", out,
            "--tile", "%dx%d" % tile, "--level", str(level), *more]


def pack(source, out, tile, level, *more):
    """Processor seconds and elapsed seconds."""
    start = time.monotonic()
    child = subprocess.Popen(words(source, out, tile, level, *more), stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    seconds = time.monotonic() - start
    if status != 0:
        sys.exit("pack fails")
    return usage.ru_utime + usage.ru_stime, seconds


def alone(source, tile, level):
    command = [SPEED, source, SIDE, SIDE, *tile, level]
    return tuple(map(float, subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, check=True).stdout.split()))


def compare(source, out, tile, level, verify):
    pairs = [(alone(source, tile, level), pack(source, out, tile, level, "-j", "1", "--verify", verify)[0]) for _ in range(ROUNDS)]
    compressing, decoding = (min(pair[0][k] for pair in pairs) for k in (0, 1))
    packing = min(pair[1] for pair in pairs)
    print("%5d %7d  %-8s %8.3f %8.3f %8.3f %9.2f %22.2f" % (level, 4 * tile[0] * tile[1], verify, compressing, decoding, packing,
                                                         compressing / packing, compressing / (compressing + decoding)))
    return compressing / packing


def main():
    worst = 10.0
    with tempfile.TemporaryDirectory(dir=os.environ.get("BUILD", "build")) as folder:
        source, out = os.path.join(folder, "field.raw"), os.path.join(folder, "field.tet")
        field(source)
        print("%d MB of float32, processor seconds\n" % (SIDE * SIDE * 4 >> 20))
        print("level    tile  verify    libzstd   decode     pack     ratio   at most with all decoded")
        for level, tile in ((1, (8, 64)), (3, (8, 64)), (6, (8, 64)), (9, (8, 64)), (3, (32, 128)), (9, (32, 128))):
            worst = min(worst, compare(source, out, tile, level, "auto"))
        for level in (3, 9):
            for verify in ("elements", "stored"):
                compare(source, out, (8, 64), level, verify)
        print("\nseconds on the clock, tiles of 2 KB")
        for level in (3, 9):
            jobs = [n for n in (1, 2, 4) if n <= (os.cpu_count() or 1)]
            least = {n: min(pack(source, out, (8, 64), level, "-j", str(n))[1] for _ in range(ROUNDS)) for n in jobs}
            print("level %d: " % level + ", ".join("-j %d %.3f (%.2f times)" % (n, least[n], least[1] / least[n]) for n in jobs))
        print("\nprocessor time of all threads in that of the busiest one")
        for level in (3, 9):
            print("level %d: " % level + ", ".join("-j %d %.2f" % (n, shares(source, out, (8, 64), level, n)) for n in (2, 4)))
    print("figure: pack_speed: the least ratio with --verify auto is %.2f" % worst)
    sys.exit(worst < LEAST)


main()
