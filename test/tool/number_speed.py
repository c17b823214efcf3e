#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""`make bench-number`: nanoseconds of processor time for each number that `utet read --format csv -j 1` writes, without what reading
takes (--format raw), and for each that number_bound.c writes with printf's %.17g (f32: %.9g). The smallest of ROUNDS= (7) runs of each
counts, taken in turn; SCRATCH= is a folder in memory."""
import os
import subprocess
import sys
import tempfile

import numpy

TOOL, BOUND = sys.argv[1:3]
ROUNDS, SIDE = int(os.environ.get("ROUNDS", "7")), 2048


def used(*command):
    child = subprocess.Popen(list(map(str, command)))
    _, status, usage = os.wait4(child.pid, 0)
    if status != 0:
        sys.exit("%s: status %d" % (command, status))
    return usage.ru_utime + usage.ru_stime


def main():
    drawn = numpy.random.default_rng(1)
    noise = drawn.normal(0, 1, (SIDE, SIDE))
    tenths = drawn.normal(0, 40, (SIDE, SIDE)).round(1)
    wide = numpy.ldexp(noise, drawn.integers(-100, 100, noise.shape))
    print("numbers                  utet, ns   printf, ns")
    with tempfile.TemporaryDirectory(dir=os.environ.get("SCRATCH", "/dev/shm")) as folder:
        source, plain, packed, out = (os.path.join(folder, name) for name in ("a.npy", "a.bin", "a.tet", "out"))
        for name, values in ("normal", noise), ("tenths", tenths), ("any exponent", wide):
            for dtype in "<f4", "<f8":
                values.astype(dtype).tofile(plain)
                numpy.save(source, values.astype(dtype))
                subprocess.run([TOOL, "pack", source, "-o", packed, "--tile", "64x2048", "--codec", "raw"], check=True,
                               stdout=subprocess.DEVNULL)
                read = [TOOL, "read", packed, "-j", 1, "-o", out, "--format"]
                runs = [(used(*read, "csv"), used(*read, "raw"), used(BOUND, plain, out, dtype[2])) for _ in range(ROUNDS)]
                csv, raw, bound = (min(run[k] for run in runs) * 1e9 / values.size for k in range(3))
                print("%-12s %-8s %12.0f %12.0f" % (name, dtype, csv - raw, bound), flush=True)


main()
