#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""The work of the tool against the size of the file, on files in unusual orders: rows backwards, shuffled, interleaved, one
missing in another dataset, one payload for many rows, many described datasets. Quick: each command runs on the larger files
within a limit of processor time that quadratic work would exceed by far, and gives the right data. With SUITE_FULL=1: the work
of every command on every order for n = 1,000, 10,000 and 100,000, exponent at most 1.1 at each step: instructions (valgrind) of
the first two, and for all three the basic blocks that tool and library enter (work_count.c), of 2 to 16 instructions each. Rows
in unusual orders cost at most TIMES as much as rows in order."""
import concurrent.futures
import hashlib
import json
import math
import os
import random
import re
import resource
import shutil
import struct
import subprocess

from harness import TOOL, check, scratch, sha, skip, summary, tet_header, utet, with_tail

SECONDS = 5 if not os.environ.get("NO_LIMITS") else 50


def limited():
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))


def tet(datasets, rows, payload, documents=None):
    """rows: (dataset, coordinates, offset in the payloads, raw, stored, codec); documents: metadata, zone maps, indexes."""
    head = tet_header(datasets, [], 1 if documents else 0)
    start = len(head) + 104 * len(rows)
    index = b"".join(struct.pack("<Q8QQQQII", d, *c, *[0] * (8 - len(c)), start + at, raw, stored, codec, 0)
                     for d, c, at, raw, stored, codec in rows)
    head = bytearray(head)  # which does not count rows yet
    struct.pack_into("<Q", head, 24, 32 + len(index))
    struct.pack_into("<Q", head, len(head) - 24, len(rows))
    data = bytes(head) + index + payload
    footer = {"history": []}
    for key, document in (documents or {}).items():
        text = json.dumps(document).encode()
        footer[key] = {"offset": len(data), "len": len(text)}
        data += text
    return data + with_tail(json.dumps(footer).encode()) if documents else data


def blocks(count, kind, content):
    """A zstd frame of one segment: `count` blocks of no bytes, then one byte 64 times."""
    def block(last, what, size):
        return struct.pack("<I", last | what << 1 | size << 3)[:3]
    return b"\x28\xb5\x2f\xfd\0\0" + (block(0, kind, 0 if kind == 0 else 2) + content) * count + block(1, 1, 64) + b"x"


def frame(n):
    return blocks(n // 3, 0, b"")


def one_dataset(order):
    return lambda n: tet([(b"d", 5, [n], [1])], [(0, [c], c, 1, 1, 0) for c in order(n)], values(n))


def values(n):
    return bytes(i * 7 & 255 for i in range(n))


def shuffled(n):
    order = list(range(n))
    random.Random(n).shuffle(order)
    return order


def interleaved(n):
    rows = [(i % 2, [i // 2], i % 2 * n + i // 2, 1, 1, 0) for i in range(2 * n)]
    return tet([(b"a", 5, [n], [1]), (b"d", 5, [n], [1])], rows, bytes(n) + values(n))


def missing(n):
    rows = [(0, [i], i, 1, 1, 0) for i in range(n) if i != n // 2] + [(1, [i], n + i, 1, 1, 0) for i in range(n)]
    return tet([(b"a", 5, [n], [1]), (b"d", 5, [n], [1])], rows, bytes(n) + values(n))


def shared(n):
    """All rows have one payload, as long as all rows together."""
    payload = frame(n)
    return tet([(b"d", 5, [64 * n], [64])], [(0, [i], 0, 64, len(payload), 1) for i in range(n)], payload)


def nested(n):
    """Payloads that overlap and are not equal: row i begins at the i-th of n skippable frames, and all end with one of data. Each
    payload is different: the bytes that each one stores are read, n * n / 2 frames, as by the reference."""
    payload = b"\x50\x2a\x4d\x18\0\0\0\0" * (n - 1) + blocks(0, 0, b"")
    return tet([(b"d", 5, [64 * n], [64])], [(0, [i], 8 * i, 64, len(payload) - 8 * i, 1) for i in range(n)], payload)


def indexed(count, rows, payload, shape, chunk):
    entries = [{"dataset_id": d, "chunk_index": [c], "element_count": chunk, "null_count": 0, "min_le": "78", "max_le": "78"}
               for d in range(count) for c in range(shape // chunk)]
    head = {"version": 1, "generation": 0, "packed_sha256": "0" * 64}
    lists = [{"kind": "value_postings", "dataset_id": d, "dtype": 5,
              "postings": [{"value_le": "78", "chunks": [[c] for c in range(shape // chunk)]}]} for d in range(count)]
    names = [b"n%07d" % d if d else b"d" for d in range(count)]
    described = {"datasets": {name.decode(): {"attrs": {"k": "v"}} for name in names[:256]}}  # the maximum number
    return tet([(name, 5, [shape], [chunk]) for name in names], rows, payload,
               {"metadata_ref": described, "zone_maps_ref": dict(head, chunks=entries),
                "secondary_index_ref": dict(head, indexes=lists)})


def shared_and_indexed(n):
    payload = frame(n)
    return indexed(1, [(0, [i], 0, 64, len(payload), 1) for i in range(n)], payload, 64 * n, 64)


def many_datasets(n):
    return indexed(n, [(i, [0], i, 1, 1, 0) for i in range(n)], b"x" * n, 1, 1)


ORDERS = {
    "in order": one_dataset(range), "backwards": one_dataset(lambda n: range(n - 1, -1, -1)),
    "shuffled": one_dataset(shuffled), "last first": one_dataset(lambda n: [n - 1] + list(range(n - 1))),
    "interleaved": interleaved, "one missing elsewhere": missing, "one payload": shared,
    "one payload, indexed": shared_and_indexed, "many datasets": many_datasets,
}
COMMANDS = {
    "info": ["info"], "verify": ["verify"], "deep": ["verify", "--deep"], "fit": ["fit", "--ram", "1M"],
    "read": ["read", "-j", "1", "--format", "raw", "-o", "-"], "show": ["show", "-o"],
}
# In the long tier only by blocks. One thread, because each further one searches for the rows itself.
COUNTED = {"diff": ["diff"], "pack": ["pack", "-o"], "query": ["query", "-j", "1"]}


def arguments(command, path):
    words = dict(COMMANDS, **COUNTED)[command]
    last = {"show": [path + ".png"], "pack": [path + ".packed"], "diff": [path], "query": [path + ".json"]}.get(command, [])
    return words[:1] + [path] + (["d"] if command in ("read", "show") else []) + words[1:] + last


def made(order, n):
    path = scratch("%s-%d.tet" % (order.replace(" ", "-").replace(",", ""), n))
    if not os.path.exists(path):
        with open(path, "wb") as file:
            file.write(ORDERS[order](n))
        with open(path + ".json", "w") as file:
            file.write('{"dataset": "d", "sum": []}')
    return path


LARGE = 80 << 20  # decoded bytes, in bands of 64 MiB
BLOCK = 128 << 10


def large(broken=False):
    """One chunk of LARGE bytes, in rows of a MiB: rows of equal bytes; broken: its last block but one is."""
    blocks = b"".join(struct.pack("<I", (at + BLOCK == LARGE) | (3 if broken and at == LARGE - 2 * BLOCK else 1) << 1 |
                                  BLOCK << 3)[:3] + bytes([at >> 20]) for at in range(0, LARGE, BLOCK))
    payload = b"\x28\xb5\x2f\xfd\0\x68" + blocks
    return tet([(b"d", 5, [LARGE >> 20, 1 << 20], [LARGE >> 20, 1 << 20])], [(0, [0, 0], 0, LARGE, len(payload), 1)], payload)


def kept_payloads():
    """Payloads that are kept decoded give the same bytes, and the same result, as payloads that are decoded again."""
    n = 4000
    path = made("one payload", n)
    for codec in ("upstream", "small"):
        got = utet(*arguments("read", path), "--codec", codec, preexec_fn=limited)
        check("one payload, %s: data" % codec, got[:2] == (0, b"x" * 64 * n), got[2])
        got = utet(*arguments("read", path), "--codec", codec, "--slab", "::32", preexec_fn=limited)
        check("one payload, %s: every other half" % codec, got[:2] == (0, b"x" * 2 * n), got[2])
    payload = frame(300)[:-4] + struct.pack("<I", 1 | 3 << 1 | 64 << 3)[:3] + b"x"
    payload = blocks(50, 0, b"")[:-4] + struct.pack("<I", 1 << 1 | 32 << 3)[:3] + b"y" + payload[-4:]
    with open(path, "wb") as file:
        file.write(tet([(b"d", 5, [640], [64])], [(0, [i], 0, 64, len(payload), 1) for i in range(10)], payload))
    got = utet(*arguments("read", path), "--slab", "::64", preexec_fn=limited)
    check("what comes before the damage", got[:2] == (0, b"y" * 10), got)
    whole, one = (utet(*arguments("read", path), "--slab", slab) for slab in ("::33", "0:64:33"))
    check("damage of a payload that is kept", whole[0] == one[0] == 1 and whole[2] == one[2], (whole, one))
    path = scratch("large.tet")
    for broken in (False, True):
        with open(path, "wb") as file:
            file.write(large(broken))
        status, out, err = utet(*arguments("read", path), preexec_fn=limited)
        if broken:
            one = utet(*arguments("read", path), "--slab", "79:80,:")
            check("a broken chunk in two bands", status == one[0] == 1 and err == one[2], (err, one[2]))
        else:
            right = hashlib.sha256(b"".join(bytes([row]) * (1 << 20) for row in range(LARGE >> 20))).hexdigest()
            check("a chunk in two bands: data", status == 0 and hashlib.sha256(out).hexdigest() == right, err)
        out = b""
    os.remove(path)


def compared_and_packed():
    """diff and pack keep decoded payloads as well, and give the right data."""
    n = 32000
    path, other = made("one payload", n), scratch("packed.tet")
    got = utet("diff", path, path, preexec_fn=limited)
    check("one payload, diff: within %d s" % SECONDS, got[0] == 0, got)
    got = utet("pack", path, "-o", other, preexec_fn=limited)
    check("one payload, pack: within %d s" % SECONDS, got[0] == 0, got)
    check("one payload, packed: the same data", utet("diff", path, other, preexec_fn=limited)[0] == 0)
    got = utet(*arguments("read", other), preexec_fn=limited)
    check("one payload, packed: its data", got[:2] == (0, b"x" * 64 * n), got[2])
    for name, rows in ("79:80", 1), (":", LARGE >> 20):
        with open(path, "wb") as file:
            file.write(large())
        got = utet("pack", path, "--slab", name + ",:", "-o", other, preexec_fn=limited)
        check("a chunk in pieces, packed, %s" % name, got[0] == 0, got)
        right = hashlib.sha256(b"".join(bytes([row]) * (1 << 20) for row in range((LARGE >> 20) - rows, LARGE >> 20))).hexdigest()
        status, out, err = utet(*arguments("read", other))
        check("a chunk in pieces, packed, %s: data" % name, status == 0 and hashlib.sha256(out).hexdigest() == right, err)
    status, out, err = utet("diff", path, other, preexec_fn=limited)
    check("a chunk in pieces, compared", status == 0, (status, out, err))
    for file in path, other:
        os.remove(file)


def overlapping():
    """Payloads that overlap without being equal are right, and cost as much as they store."""
    n = 1000
    path = scratch("nested.tet")
    with open(path, "wb") as file:
        file.write(nested(n))
    for codec in ("upstream", "small"):
        got = utet(*arguments("read", path), "--codec", codec, preexec_fn=limited)
        check("overlapping payloads, %s: data" % codec, got[:2] == (0, b"x" * 64 * n), got[2])
    got = utet("verify", "--deep", path, preexec_fn=limited)
    check("overlapping payloads: warned of", b"payload_overlap" in got[1], got)
    os.remove(path)


SMALL = """#define _GNU_SOURCE
#include <dlfcn.h>
#include <unistd.h>
long sysconf(int name)
{
    return name == _SC_PHYS_PAGES ? (64L << 20) / getpagesize() : ((long (*)(int))dlsym(RTLD_NEXT, "sysconf"))(name);
}
"""


def small_machine():
    """Two bands of one row of tiles, 128 MiB, on a machine that keeps 16 MiB: the search for room iterates over the kept
    payloads once for each band. Once for each tile, it took 26 s."""
    if "asan" in TOOL or not shutil.which("cc"):
        return skip("small machine", "a preloaded library and a plain build are needed")
    with open(scratch("small.c"), "w") as file:
        file.write(SMALL)
    subprocess.run(["cc", "-shared", "-fPIC", scratch("small.c"), "-o", scratch("small.so"), "-ldl"], check=True)
    n, side, path = 32768, 64, scratch("row.tet")
    payloads = [b"\x28\xb5\x2f\xfd\0\x10" + struct.pack("<I", 1 | 1 << 1 | side * side << 3)[:3] + bytes([c % 251]) for c in range(n)]
    size = len(payloads[0])
    with open(path, "wb") as file:
        file.write(tet([(b"d", 5, [side, side * n], [side, side])],
                       [(0, [0, c], c * size, side * side, size, 1) for c in range(n)], b"".join(payloads)))
    status, out, err = utet(*arguments("read", path), preexec_fn=limited, env=dict(os.environ, LD_PRELOAD=scratch("small.so")))
    right = b"".join(bytes([c % 251]) * side for c in range(n)) * side
    check("a row of tiles on a small machine", status == 0 and out == right, (status, len(out), err))
    os.remove(path)


READS = """#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static long bytes;
ssize_t pread64(int fd, void *to, size_t size, off64_t at)
{
    if (size > 1 << 20 && getenv("SMALL_READS")) {
        errno = EIO;
        return -1;
    }
    ssize_t got = ((ssize_t (*)(int, void *, size_t, off64_t))dlsym(RTLD_NEXT, "pread64"))(fd, to, size, at);
    bytes += got > 0 ? got : 0;
    return got;
}
ssize_t pread(int fd, void *to, size_t size, off_t at)
{
    return pread64(fd, to, size, at);
}
__attribute__((destructor)) static void tell(void)
{
    fprintf(stderr, "read %ld", bytes);
}
"""


def read_once():
    """verify --deep iterates over a file many times, and reads it once. Before that, it read five times as much."""
    if "asan" in TOOL or not shutil.which("cc"):
        return skip("bytes read", "a preloaded library and a plain build are needed")
    with open(scratch("reads.c"), "w") as file:
        file.write(READS)
    subprocess.run(["cc", "-shared", "-fPIC", scratch("reads.c"), "-o", scratch("reads.so"), "-ldl"], check=True)
    path = made("many datasets", 4000)
    counted = dict(os.environ, LD_PRELOAD=scratch("reads.so"))
    status, out, err = utet("verify", "--deep", path, env=counted)
    read = re.search(r"read (\d+)$", err)
    size = os.path.getsize(path)
    check("verify --deep reads the file once", status == 0 and read and size <= int(read.group(1)) < size + 4096, (size, status, err))
    same = utet("verify", "--deep", path, env=dict(counted, SMALL_READS="1"))
    check("where it cannot be read at once: the same verdict", same[:2] == (status, out) and same[2] != err, same[2])
    os.remove(path)


def quick():
    """Before an index found rows and payloads were decoded only once, these took from half a minute to hours."""
    for order in ORDERS:
        n = 4000 if "payload" in order or "many" in order else 30000
        path = made(order, n)
        for command in [*COMMANDS, *COUNTED]:
            if command == "show" and "many" in order:
                continue
            status, out, err = utet(*arguments(command, path), preexec_fn=limited)
            # The reference's objections to such files: a chunk without a row, two rows with one payload.
            bad = command in ("verify", "deep") and ("missing" in order or "payload" in order)
            bad |= command in ("diff", "pack") and "missing" in order  # these also read the dataset that lacks a chunk
            check("%s, %s: within %d s" % (order, command, SECONDS), status == int(bad), "exit %d, %s" % (status, err))
            if command == "read" and "payload" not in order and "many" not in order:
                check("%s: data" % order, out == values(n), sha(out))
            if command == "query":
                right = ord("x") * 64 * n if "payload" in order else ord("x") if "many" in order else sum(values(n))
                check("%s: sum" % order, out.split()[-1] == b"%d" % right, (right, out))
        os.remove(path)


SIZES = (1000, 10000, 100000)
EXPONENT = 1.1
# Relative to the work in order, for the same number of rows: that of two datasets in order is twice that of one (measured:
# 22.4 and 11.2 million blocks for verify of 200,000 and 100,000 rows). Quick verify iterates over the rows once if they
# are in order, otherwise four times, and sorts: measured 3.03 to 3.34.
TIMES = 4


def instructions(order, command, n):
    out = subprocess.run(["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null", TOOL] +
                         arguments(command, made(order, n)), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    found = re.search(rb"I +refs: +([\d,]+)", out.stderr)
    return int(found.group(1).replace(b",", b"")) if found else 0


def blocks_entered(order, command, n):
    path = made(order, n)
    count = "%s.%s.blocks" % (path, command)
    subprocess.run([os.environ["UTET_WORK"]] + arguments(command, path), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                   env=dict(os.environ, WORK_COUNT=count))
    with open(count) as file:
        return int(file.read())


def work(task):
    order, command = task
    return ([instructions(order, command, n) for n in SIZES[:2]] if command in COMMANDS else [],
            [blocks_entered(order, command, n) for n in SIZES])


def exponents(counts):
    return [math.log(after / before, 10) if before else 9 for before, after in zip(counts, counts[1:])]


def judge(order, command, found, start):
    """found: instructions and blocks; start: those of the files in order."""
    said = "%s, %s" % (order, command)
    # pack: arrays of 1,000 elements have fewer tiles to choose from.
    powers = exponents(found[0]) + exponents(found[1][1 if command == "pack" else 0:])
    print("figure: work: %s: %s%d, %d, %d blocks; exponents %s" % (
        said, "%d, %d instructions, " % tuple(found[0]) if found[0] else "", *found[1], " ".join("%.2f" % power for power in powers)))
    check("%s: exponents" % said, max(powers) <= EXPONENT, found)
    if found[0]:
        # Instructions for each block, of what the larger file adds: libpng's work for a picture is fixed and is not counted in blocks.
        each = (found[0][1] - found[0][0]) / (found[1][1] - found[1][0])
        check("%s: blocks stand for instructions" % said, 2 <= each <= 16, each)
    if order in ("backwards", "shuffled", "last first", "interleaved", "one missing elsewhere"):
        rows = 2 if order in ("interleaved", "one missing elsewhere") else 1
        times = found[1][2] / start[1][2] / (rows if command in ("info", "verify", "deep", "fit", "diff", "pack") else 1)
        print("figure: work: %s: %.2f times in order" % (said, times))
        check("%s: %d times in order" % (said, TIMES), times <= TIMES, (found, start))


def full():
    todo = [(order, command) for order in ORDERS for command in [*COMMANDS, *COUNTED] if not (command == "show" and "many" in order)]
    for order in ORDERS:
        for n in SIZES:
            made(order, n)
    start = {}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for (order, command), found in zip(todo, pool.map(work, todo)):
            if order == "in order":
                start[command] = found
            judge(order, command, found, start[command])


if __name__ == "__main__":
    (full if os.environ.get("SUITE_FULL") else quick)()
    if not os.environ.get("SUITE_FULL"):
        kept_payloads()
        compared_and_packed()
        overlapping()
        small_machine()
        read_once()
    summary()
