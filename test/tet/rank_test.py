#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""rank_test.py FOLDER: libraries with a smaller UTET_MAX_NDIM. FOLDER has what rank.mk builds: rank.c as rank8 (with the
library of this machine), rank2 and rank3 (with joined sources of that rank, under AddressSanitizer), their object files,
and uno.elf for the ATmega328P. All read the golden files: datasets of up to UTET_MAX_NDIM axes give the same lines, and
others are refused by UTET_E_LIMIT alone."""
import collections
import os
import re
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tools"))
from tally import check, end  # noqa: E402

HERE = Path(sys.argv[1])
CC = os.environ.get("CC", "gcc")
GOLDEN = sorted(Path("test/golden/tet").glob("*.tet"))
LIMIT = "-41"


def run(*command):
    return subprocess.run([str(part) for part in command], capture_output=True, text=True)


def read(rank):
    """The lines about each file, those about a dataset by its number."""
    files = collections.defaultdict(lambda: collections.defaultdict(list))
    done = run(HERE / f"rank{rank}", *GOLDEN)
    check(f"rank {rank}: exit status {done.returncode}, {done.stderr[-300:]}", done.returncode == 0)
    for line in done.stdout.splitlines():
        name, dataset, rest = line.split(" ", 2)
        files[name][dataset].append(rest)
    return files


def ndim_of(lines):
    return int(re.search(r"ndim (\d+)", lines[0])[1])


def compare(rank, full, small):
    refused = 0
    for name, datasets in full.items():
        beyond = [n for n, lines in datasets.items() if n != "end" and ndim_of(lines) > rank]
        for number, lines in datasets.items():
            mine = small[name][number]
            what = f"rank {rank}: {name} {number}: {mine} instead of {lines}"
            if number in beyond:
                refused += 1
                statuses = re.match(r"[-0-9 ]*", mine[0])[0].split()
                row = re.search(r"row \d+ ", lines[0])[0]
                # chunk, slab [metadata, labels, zone maps, query], fold
                check(what, statuses[:2] == [LIMIT] * 2 and statuses[-1] == LIMIT and statuses[4:] == [LIMIT] * len(statuses[4:])
                      and mine[0].endswith(row + "ndim 0 0 00000000") and mine[1:] == ["finding " + LIMIT])
            elif number == "end" and beyond:
                check(what, mine == [lines[0][:-1] + "0"])  # the check does not accept it
            else:
                check(what, mine == lines)
    print(f"rank {rank}: {refused} datasets refused, {sum(len(f) - 1 for f in small.values()) - refused} as ever")
    check(f"rank {rank}: {refused} datasets are refused", refused >= 5)
    check(f"rank {rank}: other files", set(full) == set(small))


def links():
    """Object files of different ranks do not link, and the message names utet_init."""
    library = Path(os.environ.get("BUILD", "build")) / "lib/host/libutet.a"
    for program, library in (("rank2.o", library), ("rank8.o", HERE / "query2.o"), ("rank3.o", HERE / "query2.o")):
        done = run(CC, "-fsanitize=address", HERE / program, library, "-o", HERE / "none")
        check(f"{program} with {library}: {done.stderr[-300:]}",
              done.returncode != 0 and re.search(r"undefined reference to .utet_init", done.stderr))
    for rank, good in ((0, 0), (1, 1), (8, 1), (9, 0)):
        done = run(CC, "-std=c99", "-Iinclude", f"-DUTET_MAX_NDIM={rank}", "-fsyntax-only", "-x", "c", "include/utet.h")
        check(f"rank {rank}: {done.stderr[-300:]}", (done.returncode == 0) == good and (good or "from 1 to 8" in done.stderr))


def sweep():
    for rank, name in ((2, "C03_rank3"), (2, "U_embedded_zone"), (2, "J03_session_meta"), (3, "P02_unused_coords")):
        done = run(HERE / f"rank{rank}", "-m", f"test/golden/tet/{name}.tet")
        calls = int(done.stdout) if done.returncode == 0 else 0
        check(f"rank {rank}: {name}, damaged: {calls} calls, {done.stderr[-500:]}", calls > 10000)
        print(f"rank {rank}: {calls} calls on {name} with each bit inverted, and cut off everywhere")


def uno(full):
    """The ATmega328P reads the same as this machine, in its 2 KB, and its page has the figures."""
    done = run("simavr", "-m", "atmega328p", "-f", "16000000", HERE / "uno.elf")
    lines = [line.rstrip(".") for line in re.sub(r"\x1b\[[0-9;]*m", "", done.stdout + done.stderr).splitlines()]
    wanted = []
    for name in Path("test/arch/uno.txt").read_text().split():
        for number, about in full[name].items():
            if number == "end":
                continue
            ndim, size, crc = re.search(r"ndim (\d+) (\d+) (\w+)", about[0]).groups()
            wanted.append(f"{name} {number} 0 {ndim} {size} {int(crc, 16):x}" if int(ndim) <= 2 else
                          f"{name} {number} {LIMIT} 0 0 0")
    check(f"ATmega328P: {lines} instead of {wanted}",
          [line for line in lines if ".tet " in line] == wanted and any(LIMIT in line for line in wanted))
    ram = re.search(r"^ram (\d+) (\d+)$", "\n".join(lines), re.M)
    check(f"ATmega328P: no last line in {lines}", ram)
    objects, stack = (int(n) for n in ram.groups()) if ram else (0, 0)
    flash = int(run("avr-size", HERE / "uno.elf").stdout.split()[6])
    print(f"figure: ATmega328P, ndim up to 2: {objects} bytes of objects and {stack} of stack, {flash} of flash")
    page = Path("port/INTEGRATE.md").read_text()
    symbols = {line.split()[-1]: line.split() for line in run("avr-nm", "-S", HERE / "uno.elf").stdout.splitlines()}
    for symbol in ("slab", "dataset"):
        size = int(symbols[symbol][1], 16)
        check(f"INTEGRATE.md: {symbol} has {size} bytes", re.search(rf"`utet_{symbol}` has {size}\s", page))
    check("ATmega328P: more than 1,408 of 2,048 bytes", 0 < objects + stack <= 1408)


full = read(8)
for rank in (2, 3):
    compare(rank, full, read(rank))
links()
sweep()
uno(full)
sys.exit(end())
