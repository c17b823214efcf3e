#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""Memory of pack, verify --deep, diff, info and read on an array of 4 GiB (MEMORY_MB=), at most 128 MiB each (MEMORY_MOST=): a
sparse .npy file, packed in tiles of 2 KB (MEMORY_TILE=). Without NumPy, since a child's peak begins with its parent's size."""
import os
import struct
import subprocess
import time

from harness import TOOL, check, scratch, summary

BYTES = int(os.environ.get("MEMORY_MB", "4096")) << 20
MOST = int(os.environ.get("MEMORY_MOST", "128")) << 10  # KB
TILE = os.environ.get("MEMORY_TILE", "1x512")
COLUMNS = 4096
ROWS = BYTES // 4 // COLUMNS

head = repr({"descr": "<f4", "fortran_order": False, "shape": (ROWS, COLUMNS)}).encode()
head += b" " * (63 - (10 + len(head)) % 64) + b"\n"
source = scratch("big.npy")
with open(source, "wb") as file:
    file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head)
    file.truncate(10 + len(head) + BYTES)
    for row in range(0, ROWS, 997):  # not only zeros
        file.seek(10 + len(head) + row * COLUMNS * 4)
        file.write(os.urandom(4096))

fine, coarse = scratch("fine.tet"), scratch("coarse.tet")
for name, arguments in (("pack", ["pack", source, "-o", fine, "--tile", TILE, "--level", "1"]),
                        ("pack of a .tet file", ["pack", fine, "-o", coarse, "--tile", "64x1024", "--level", "1"]),
                        ("verify --deep", ["verify", "--deep", fine]), ("diff", ["diff", fine, coarse]), ("info", ["info", fine]),
                        ("read", ["read", coarse, "--stats"])):
    began = time.time()
    run = subprocess.Popen([TOOL, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    words = run.stderr.read()
    _, status, used = os.wait4(run.pid, 0)
    check(name, status == 0 and used.ru_maxrss <= MOST, (status, words, used.ru_maxrss))
    print("figure: %s of %d MiB: %.0f MiB at most, %.0f s of processor time, %.0f s" % (
        name, BYTES >> 20, used.ru_maxrss / 1024, used.ru_utime + used.ru_stime, time.time() - began))
summary()
