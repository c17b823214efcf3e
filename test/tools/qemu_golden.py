#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""qemu_golden.py: the golden files on an emulated board. Runs the digest firmware (boards/common/digest.c) over the
files of test/golden/golden.txt and compares its output with that list: status of opening, digest of
every dataset, status of those that must not be readable, and the firmware's own checks of memory. A dataset too large
for the
board's RAM is counted as skipped. Ends with one line `N passed, N failed, N skipped`. Standard library only.

  qemu_golden.py [--only WHERE] [--codec NAME] [--names] BOARD FIRMWARE GOLDEN.txt TESTDIR SHARED UTET.h
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile
from urllib.parse import unquote


def read_statuses(header):
    """{"OK": 0, "RANGE": -5, …} from the enumeration of the public header."""
    with open(header) as f:
        return {name: int(value) for name, value in re.findall(r"\bUTET_(?:E_)?(\w+) = (-?\d+)[,\s]", f.read())}


def read_golden(path):
    """[{where, name, open, dense: {number: (size, digest)}, read: {number: status}}] in the order of the list."""
    files = []
    with open(path) as f:
        for line in f:
            words = line.split()
            if not words or words[0].startswith("#"):
                continue
            if words[0] == "file":
                files.append({"where": words[1], "name": unquote(words[2]), "open": "ANY", "dense": {}, "read": {}})
            elif words[0] == "open":
                files[-1]["open"] = words[1]
            elif words[0] == "dense":
                files[-1]["dense"][int(words[1])] = (int(words[2]), words[3])
            elif words[0] == "read":
                files[-1]["read"][int(words[1])] = words[2]
    return files


def find(entry, testdir, shared):
    where = entry["where"]
    base = os.path.join(shared, where[7:]) if where.startswith("shared/") else os.path.join(testdir, where)
    return os.path.join(base, entry["name"])


def machine(board):
    """The emulator and its machine."""
    return ["qemu-system-riscv32", "-M", "sifive_e,revb=on"] if board == "sifive_e" else ["qemu-system-arm", "-M", board]


def run(board, firmware, codec, paths):
    """{path: (status, {number: (status, size, digest, errors)})}, the text of the last line, and the exit code."""
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as listing:
        listing.write("".join(path + "\n" for path in paths))
        listing.flush()
        qemu = subprocess.run(
            ["timeout", "300", *machine(board), "-display", "none", "-monitor", "none",
             "-serial", "none", "-semihosting-config", f"enable=on,target=native,arg=fw,arg=codec={codec},arg=@{listing.name}",
             "-kernel", firmware], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    seen, last, current = {}, None, None
    for line in qemu.stdout.splitlines():
        words = line.split("\t")
        if words[0] == "file":
            current = words[1]
            seen[current] = (int(words[2]), {})
        elif words[0] == "data":
            seen[current][1][int(words[1])] = (int(words[2]), int(words[3]), words[5], int(words[6]))
        elif words[0] == "done":
            last = words[1:]
    return seen, last, qemu


class Count:
    def __init__(self, board):
        self.board, self.passed, self.failed, self.skipped = board, 0, 0, []

    def check(self, good, what):
        if good:
            self.passed += 1
        else:
            self.failed += 1
            print(f"{self.board}: {what}")


def compare(entry, answer, statuses, count, too_large):
    opened, datasets = answer
    name = entry["name"]

    def one_of(status, words):
        return words == "ANY" or status in [statuses[word] for word in words.split(",")]

    count.check(one_of(opened, entry["open"]), f"{name}: opening says {opened}, expected {entry['open']}")
    if opened != 0:
        return
    for number, (size, digest) in entry["dense"].items():
        seen = datasets.get(number)
        if seen and seen[0] == too_large:
            count.skipped.append(f"{name} dataset {number}")
        else:
            count.check(seen is not None and seen == (0, size, digest, 0),
                        f"{name} dataset {number}: {seen}, expected {size} bytes {digest}")
    for number, words in entry["read"].items():
        seen = datasets.get(number)
        if seen and seen[0] == too_large:
            count.skipped.append(f"{name} dataset {number}")
        else:
            count.check(seen is not None and one_of(seen[0], words) and seen[3] == 0,
                        f"{name} dataset {number}: {seen}, expected status {words}")


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--only")
    parser.add_argument("--codec", default="small")
    parser.add_argument("--names", action="store_true")
    for word in ("board", "firmware", "golden", "testdir", "shared", "header"):
        parser.add_argument(word)
    options = parser.parse_args()
    statuses = read_statuses(options.header)
    entries = [e for e in read_golden(options.golden) if options.only in (None, e["where"])]
    count = Count(options.board)
    present = []
    for entry in entries:
        entry["path"] = find(entry, options.testdir, options.shared)
        if os.path.exists(entry["path"]):
            present.append(entry)
        else:
            count.skipped.append(entry["name"])
    paths = [e["path"] for e in present]
    seen, last, qemu = run(options.board, options.firmware, options.codec, paths)
    count.check(qemu.returncode == 0 and last is not None, f"the firmware ended with {qemu.returncode}")
    if last is None:
        print("\n".join(qemu.stdout.splitlines()[-5:]))
    missed = [e["name"] for e in present if e["path"] not in seen]
    count.check(not missed, f"{len(missed)} files not reached, the first one is {missed[0] if missed else ''}")
    for entry in present:
        if entry["path"] not in seen:
            continue
        compare(entry, seen[entry["path"]], statuses, count, statuses["SPACE"])
        if options.names:
            for number, (status, size, digest, _) in seen[entry["path"]][1].items():
                print(f"  {entry['name']} dataset {number}: {size} bytes, sha256 {digest}")
    if count.skipped and not options.names:
        print(f"{options.board}: skipped (too large for its RAM, or not here): {', '.join(count.skipped)}")
    if last:
        print(f"{options.board}, codec {options.codec}: {last[1]} datasets read, {last[2]} refused, "
              f"each with exactly its need; stack of the library's calls {last[5]} bytes")
    print(f"{options.board}-{options.codec}: {count.passed} passed, {count.failed} failed, {len(count.skipped)} skipped")
    return 1 if count.failed or not present else 0


if __name__ == "__main__":
    sys.exit(main())
