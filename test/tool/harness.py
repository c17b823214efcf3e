# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""What the tests of the tool share: running it, counting, the list of golden files, small writers of .tet files."""
import atexit
import hashlib
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tools"))
from tally import check, end, skip  # noqa: E402, F401, for the tests

TOOL = os.path.abspath(os.environ.get("UTET", "build/utet"))
ROOT = os.path.abspath(os.environ.get("TEST_ROOT", "test"))
SHARED = os.environ.get("TEST_SHARED", "")
SCRATCH = tempfile.mkdtemp(prefix="utet-tool-")
atexit.register(shutil.rmtree, SCRATCH, ignore_errors=True)

DTYPES = [None, "f32", "f64", "i32", "i64", "u8", "u16", "i16", "u32", "f16", "u64"]
FORMATS = [None, "f", "d", "i", "q", "B", "H", "h", "I", "e", "Q"]  # of struct


def summary():
    sys.exit(end())


def utet(*arguments, program=TOOL, **options):
    """Runs the tool, or a copy of it; gives (exit status, standard output, standard error as text)."""
    options.setdefault("stdout", subprocess.PIPE)
    options.setdefault("timeout", 120)
    done = subprocess.run([program] + list(arguments), stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, **options)
    return done.returncode, done.stdout, done.stderr.decode("utf-8", "replace")


def expect(name, arguments, status, pattern=None, **options):
    """Expects the exit status and, after an error, exactly one line that begins as the contract says and contains
    `pattern`."""
    got, out, err = utet(*arguments, **options)
    right = got == status
    if pattern is not None:
        lines = err.splitlines()
        right = right and len(lines) == 1 and lines[0].startswith("utet: ") and re.search(pattern, lines[0])
    else:
        right = right and err == ""
    check(name, right, "exit %d, %r, expected %d, %r" % (got, err, status, pattern))
    return out


def sha(data):
    return hashlib.sha256(data).hexdigest()


def narrow(values):
    """The narrowest integer dtype of .tet that holds all values, as a column of a table gets it."""
    import numpy
    return numpy.array(values, next(kind for kind in ("<u1", "<i2", "<u2", "<i4", "<u4", "<i8", "<u8")
                                    if all(numpy.iinfo(kind).min <= v <= numpy.iinfo(kind).max for v in values)))


def scratch(name):
    return os.path.join(SCRATCH, name)


def unquote(word):
    data = re.sub(rb"%([0-9A-F]{2})", lambda m: bytes([int(m.group(1), 16)]), word.encode())
    return b"" if data == b"%" else data


class Golden:
    """One file of golden.txt."""

    def __init__(self, where, name, good):
        self.name, self.good = name, good
        self.shared = where.startswith("shared/")
        folder = os.path.join(SHARED, where[len("shared/"):]) if self.shared else os.path.join(ROOT, where)
        self.path = os.path.join(folder, name)
        self.lines = {}

    def __getitem__(self, key):
        return self.lines.get(key, [])

    def word(self, key):
        return self[key][0][0] if self[key] else None

    def companion(self, end):
        """NAME.info.json and so on, which only the shared vectors have; None without them."""
        for folder in ("tet", "demo"):
            path = os.path.join(SHARED, "vectors", folder, self.name[:-len(".tet")] + end)
            if SHARED and os.path.exists(path):
                return path
        return None


def golden():
    files = []
    with open(os.path.join(ROOT, "golden", "golden.txt"), encoding="ascii") as listing:
        for line in listing:
            words = line.split()
            if words[0] == "file":
                files.append(Golden(words[1], words[2], words[5] == "good"))
            elif words[0] != "#":
                files[-1].lines.setdefault(words[0], []).append(words[1:])
    return files


def tet_header(datasets, rows, flags=0):
    """Superblock, directory and index. datasets: (name, dtype, shape, chunk_shape); rows: (dataset, coordinates,
    payload_offset, raw_byte_len, stored_byte_len, codec). Written from the format notes, sections 2 to 4."""
    records = []
    for name, dtype, shape, chunk_shape in datasets:
        record = struct.pack("<IIII", len(name), dtype, len(shape), 0) + name
        record += bytes(-len(record) % 8)
        records.append(record + struct.pack("<%dQ" % (2 * len(shape)), *shape, *chunk_shape))
    blob = b"".join(records)
    index = struct.pack("<4sIQHHIQ", b"TIDX", 1, len(rows), 0, 0, 0, 0)
    for dataset, coords, offset, raw, stored, codec in rows:
        coords = list(coords) + [0] * (8 - len(coords))
        index += struct.pack("<Q8QQQQII", dataset, *coords, offset, raw, stored, codec, 0)
    at = 40 + len(blob)
    return struct.pack("<4sIIIQQQ", b"TETR", 1, len(datasets), flags, at, len(index), len(blob)) + blob + index


def with_tail(document, magic=b"THST"):
    """JSON bytes and the tail, section 6.1."""
    return document + struct.pack("<QI4s", len(document), 2, magic)


def header_length(datasets, rows):
    return len(tet_header(datasets, [(0, [0], 0, 0, 0, 0)] * rows))
