#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""Refuses library objects that call anything except themselves and what symbols.tsv lists, or that contain writable data.

symbols.py PREFIX LIBRARY_FOLDER …: each folder is BUILD/lib/NAME with obj/ROOM/FILE.o and zstd_upstream.o; a folder whose
name starts with `host` is read with the host's nm, others with PREFIX's. Each object counts as one case. Needs nm and
size.
"""
import fnmatch
import glob
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def allowed():
    lines = [line.rstrip("\n").split("\t") for line in open(os.path.join(HERE, "symbols.tsv"))
             if line.strip() and not line.startswith("#")]
    return [(pattern, re.compile(symbols)) for pattern, symbols in lines]


def source_of(folder, path):
    relative = os.path.relpath(path, folder)
    return "src/" + relative[len("obj/"):-2] + ".c" if relative.startswith("obj/") else relative


def lines_of(command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()


def undefined(prefix, paths):
    """{path: [symbol]}"""
    found = {path: [] for path in paths}
    for line in lines_of([prefix + "nm", "-A", "-u", *paths]):
        path, symbol = line.rsplit(":", 1)
        found[path].append(symbol.split()[-1])
    return found


def writable_bytes(prefix, paths):
    """{path: bytes of sections that a program would have to keep in RAM}"""
    found, path = {}, None
    for line in lines_of([prefix + "size", "-A", *paths]):
        field = line.split()
        if line.rstrip().endswith(":") and field:
            path = line.rstrip()[:-1].rstrip()
            found[path] = 0
        elif len(field) == 3 and re.match(r"\.(data|bss|tdata|tbss)(?!\.rel\.ro)|COMMON", field[0]):
            found[path] += int(field[1])
    return found


def verdicts(prefix, folder, rules):
    """(path, [what is wrong]) for each object of one library; objects whose sources no longer exist do not count."""
    objects = sorted(glob.glob(f"{folder}/obj/**/*.o", recursive=True) + glob.glob(f"{folder}/zstd_upstream.o"))
    objects = [o for o in objects if not source_of(folder, o).startswith("src/")
               or os.path.exists(os.path.join(HERE, "..", "..", source_of(folder, o)))]
    symbols, writable = undefined(prefix, objects), writable_bytes(prefix, objects)
    for path in objects:
        source = source_of(folder, path)
        wrong = [f"calls {symbol}" for symbol in symbols[path] if not symbol.startswith("utet_")
                 and not any(fnmatch.fnmatch(source, pattern) and known.fullmatch(symbol) for pattern, known in rules)]
        if writable[path]:
            wrong.append(f"{writable[path]} bytes of writable data")
        yield path, wrong


def main():
    rules, passed, failed = allowed(), 0, 0
    for folder in sys.argv[2:]:
        prefix = "" if os.path.basename(folder).startswith("host") else sys.argv[1]
        for path, wrong in verdicts(prefix, folder, rules):
            passed, failed = passed + (not wrong), failed + bool(wrong)
            for reason in wrong:
                print(f"FAIL\t{path}: {reason}")
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed or passed == 0 else 0)


if __name__ == "__main__":
    main()
