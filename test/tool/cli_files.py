# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""What cli_test, output_test and picture_test share: the demonstration files, reading, writing, a file of 10 GiB."""
import os
import resource

from harness import ROOT, SCRATCH, check, header_length, scratch, tet_header, utet

PLANET = os.path.join(ROOT, "golden", "demo", "demo_planet.tet")
CINE = os.path.join(ROOT, "golden", "demo", "demo_cine.tet")
TINY = os.path.join(ROOT, "golden", "demo", "demo_tiny.tet")
EMPTY = os.path.join(ROOT, "golden", "tet", "A01_empty.tet")


def read(*arguments):
    status, out, err = utet("read", *arguments)
    check("read " + " ".join(arguments[1:]), status == 0 and err == "", "exit %d, %s" % (status, err))
    return out


def write(name, data):
    with open(scratch(name), "wb") as file:
        file.write(data)
    return scratch(name)


def only_file(name, content):
    """The scratch folder holds `name` with `content` (None: no such file), and no unfinished file."""
    beside = [n for n in os.listdir(SCRATCH) if n.startswith(name + ".")]
    data = None
    if os.path.exists(scratch(name)):
        with open(scratch(name), "rb") as file:
            data = file.read()
    return beside == [] and data == content


HUGE_ROWS, HUGE_ROW = 2560, 4 << 20  # 10 GiB of u8 in chunks of 4 MiB, most of them holes


def huge_file():
    path = scratch("huge.tet")
    if os.path.exists(path):
        return path
    shape, chunk = [HUGE_ROWS, HUGE_ROW], [1, HUGE_ROW]
    start = header_length([(b"big", 5, shape, chunk)], HUGE_ROWS)
    rows = [(0, [i, 0], start + i * HUGE_ROW, HUGE_ROW, HUGE_ROW, 0) for i in range(HUGE_ROWS)]
    with open(path, "wb") as file:
        file.write(tet_header([(b"big", 5, shape, chunk)], rows))
        for i in (0, 1024, HUGE_ROWS - 1):
            file.seek(start + i * HUGE_ROW + 17)
            file.write(bytes([i % 251 + 1]))
        file.truncate(start + HUGE_ROWS * HUGE_ROW)
    return path


def little_memory():
    """Address space for the program, the C library and a few MiB of data; not with sanitizers, which need terabytes."""
    if os.environ.get("NO_LIMITS") != "1":
        resource.setrlimit(resource.RLIMIT_AS, (16 << 20, 16 << 20))
