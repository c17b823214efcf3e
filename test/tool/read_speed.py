#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""`make bench-read`: the cost of `utet read` of 64 MiB of f32 into a file. It prints the processor time with -j 1 relative to that of
read_bound.c (libzstd, one copy, pwrite); the elapsed time of -j 1 relative to that of -j 2; and that of two processes in sequence
relative to two at once, which is the limit of two processors of this machine. The smallest of ROUNDS= (9) runs of each counts, taken
in turn; SCRATCH= is a folder in memory."""
import os
import subprocess
import sys
import tempfile
import time

import numpy

TOOL, BOUND = sys.argv[1:3]
ROUNDS, SIDE = int(os.environ.get("ROUNDS", "9")), 4096


def timed(out, *commands):
    """Processor time and elapsed time of commands that run at once."""
    for path in out:
        if os.path.exists(path):
            os.remove(path)
    began, used = time.time(), 0
    for child in [subprocess.Popen(list(map(str, command))) for command in commands]:
        _, status, usage = os.wait4(child.pid, 0)
        used += usage.ru_utime + usage.ru_stime
        if status != 0:
            sys.exit("%s: status %d" % (commands, status))
    return used, time.time() - began


def main():
    with tempfile.TemporaryDirectory(dir=os.environ.get("SCRATCH", "/dev/shm")) as folder:
        source, packed, out, other = (os.path.join(folder, name) for name in ("a.npy", "a.tet", "out", "other"))
        y, x = numpy.mgrid[0:SIDE, 0:SIDE]
        noise = numpy.random.default_rng(1).normal(0, 1, (SIDE, SIDE))
        values = (numpy.sin(x / 300) * numpy.cos(y / 200) * 40 + noise).round(1).astype("<f4")
        numpy.save(source, values)
        print("codec  tile    -j 1 / bound   two threads   two processes")
        for codec in "zstd", "raw":
            for tile in 128, 32:
                subprocess.run([TOOL, "pack", source, "-o", packed, "--tile", "%dx%d" % (tile, tile), "--codec", codec, "--level",
                                "3", "--checksum", "none"], check=True, stdout=subprocess.DEVNULL)
                read = [[TOOL, "read", packed, "--format", "raw", "-j", jobs, "-o", path] for jobs, path in ((1, out), (2, out), (1, other))]
                runs = [(timed([out], [BOUND, packed, out, SIDE, tile]), timed([out], read[0]), timed([out], read[1]),
                         timed([out, other], read[0], read[2])) for _ in range(ROUNDS)]
                bound, one, two, both = ([min(run[k][what] for run in runs) for what in (0, 1)] for k in range(4))
                for path, command in (out, [BOUND, packed, out, SIDE, tile]), (other, read[2]):
                    timed([path], command)
                    if open(path, "rb").read() != values.tobytes():
                        sys.exit("%s: wrong bytes" % command)
                print("%-5s %3d KiB %12.2f %13.2f %15.2f" % (codec, tile * tile // 256, one[0] / bound[0], one[1] / two[1],
                                                            2 * one[1] / both[1]), flush=True)


main()
