#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""The whole path: an array made by NumPy (PATH_MB= megabytes, default 16; 512 in the full tier) is packed for the
microcontroller with 8 KB of RAM, fit reports that it fits, and that microcontroller and a larger one read rows of it, whose
digests are those of NumPy's rows. path_test.py BOARDS"""
import hashlib
import os
import subprocess
import sys
import time

import numpy

from harness import check, scratch, summary, utet

MEGABYTES = int(os.environ.get("PATH_MB", "16"))
COLUMNS = 4096
ROOM = ["--stack", "1152", "--program", "256"]  # of boards/common/rows.c
ROWS = MEGABYTES * 1048576 // 4 // COLUMNS

path = scratch("field.npy")
field = numpy.lib.format.open_memmap(path, mode="w+", dtype="<f4", shape=(ROWS, COLUMNS))
x = numpy.arange(COLUMNS) / 300
for row in range(ROWS):
    field[row] = numpy.round(numpy.sin(x + row / 200) * 15 + (row * 7919 % 101) / 50, 1)
field.flush()
packed = scratch("field.tet")
began = time.time()
status, out, err = utet("pack", path, "-o", packed, "--for", "stm32vldiscovery", *ROOM, "--codec", "zstd", "--level", "3",
                        timeout=900)
check("packs", status == 0, err)
print("figure: %d MB packed in %.1f s to %.1f %%" % (MEGABYTES, time.time() - began, 100 * os.path.getsize(packed) / (MEGABYTES << 20)))
status, out, err = utet("fit", packed, "--for", "stm32vldiscovery", *ROOM, timeout=900)
check("fits", status == 0, out)
chosen = [0, 1, ROWS // 3, ROWS - 1]
for board in ("stm32vldiscovery", "lm3s6965evb"):
    arguments = "enable=on,target=native,arg=fw,arg=%s,%s" % (packed, ",".join("arg=%d" % row for row in chosen))
    done = subprocess.run(["timeout", "300", "qemu-system-arm", "-M", board, "-display", "none", "-monitor", "none", "-serial",
                           "none", "-semihosting-config", arguments, "-kernel", os.path.join(sys.argv[1], "rows-%s.elf" % board)],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    lines = [line.split("\t") for line in done.stdout.decode("utf-8", "replace").splitlines()]
    check(board + ": ends well", done.returncode == 0, lines)
    want = [["row", str(row), "0", str(COLUMNS * 4), hashlib.sha256(field[row].tobytes()).hexdigest()] for row in chosen]
    check(board + ": rows", [line for line in lines if line[0] == "row"] == want, lines)
    print("figure: %s: %s" % (board, " ".join(lines[-1]) if lines else "nothing"))
summary()
