#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""`make bench-tensogram`: processor time of `utet message` for a tensor of 64 MiB of f32, and of the Tensogram library, which decodes the
same file in memory, with and without the hash of the frame: tensogram_speed.py UTET. Both read the file and write the values. The
smallest of ROUNDS= (5) runs of each counts, taken in turn; SCRATCH= is a folder in memory. `tensogram_speed.py decode FILE OUT 0|1`
is one run of the library. It prints its time without what Python takes to begin."""
import os
import resource
import subprocess
import sys
import tempfile

import numpy
import tensogram

ROUNDS, SIDE = int(os.environ.get("ROUNDS", "5")), 4096
KINDS = {
    "zstd": {"compression": "zstd", "zstd_level": 3},
    "shuffle, lz4": {"filter": "shuffle", "shuffle_element_size": 4, "compression": "lz4"},
    "shuffle, szip": {"filter": "shuffle", "shuffle_element_size": 4, "compression": "szip", "szip_rsi": 128, "szip_block_size": 16,
                      "szip_flags": 8},
}


def used(who):
    usage = resource.getrusage(who)
    return usage.ru_utime + usage.ru_stime


def decode(path, out, verify):
    before = used(resource.RUSAGE_SELF)
    with open(path, "rb") as file:
        message = tensogram.decode(file.read(), verify_hash=verify)
    with open(out, "wb") as file:
        file.write(memoryview(numpy.ascontiguousarray(message.objects[0][1])).cast("B"))
    print(used(resource.RUSAGE_SELF) - before)


def ours(tool, path, out):
    before = used(resource.RUSAGE_CHILDREN)
    subprocess.run([tool, "message", path, "0", "--format", "raw", "-o", out], check=True)
    return used(resource.RUSAGE_CHILDREN) - before


def theirs(path, out, verify):
    return float(subprocess.run([sys.executable, __file__, "decode", path, out, verify], check=True, stdout=subprocess.PIPE).stdout)


def main(tool):
    y, x = numpy.mgrid[0:SIDE, 0:SIDE]
    noise = numpy.random.default_rng(1).normal(0, 1, (SIDE, SIDE))
    values = (numpy.sin(x / 300) * numpy.cos(y / 200) * 40 + noise).round(1).astype("<f4")
    print("%-14s %9s %9s %12s %18s %18s" % ("tensor", "utet, s", "library", "with hash", "speed of library", "with hash"))
    with tempfile.TemporaryDirectory(dir=os.environ.get("SCRATCH", "/dev/shm")) as folder:
        path, out = os.path.join(folder, "a.tgm"), os.path.join(folder, "out")
        for name, kind in KINDS.items():
            about = {"type": "ntensor", "shape": [SIDE, SIDE], "dtype": "float32", "encoding": "none", "filter": "none",
                     "byte_order": "little", **kind}
            with open(path, "wb") as file:
                file.write(tensogram.encode({}, [(about, values.tobytes())]))
            runs = []
            for _ in range(ROUNDS):
                row = []
                for run in (lambda: ours(tool, path, out), lambda: theirs(path, out, "0"), lambda: theirs(path, out, "1")):
                    if os.path.exists(out):
                        os.remove(out)
                    row.append(run())
                    with open(out, "rb") as file:
                        if file.read() != values.tobytes():
                            sys.exit("%s: wrong bytes" % name)
                runs.append(row)
            tool_s, library, hashed = (min(column) for column in zip(*runs))
            print("%-14s %9.3f %9.3f %12.3f %18.2f %18.2f" % (name, tool_s, library, hashed, library / tool_s, hashed / tool_s),
                  flush=True)


if sys.argv[1] == "decode":
    decode(sys.argv[2], sys.argv[3], sys.argv[4] == "1")
else:
    main(os.path.abspath(sys.argv[1]))
