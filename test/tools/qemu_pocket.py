#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""qemu_pocket.py: the boards with the smallest RAM (boards/common/pocket.c). Runs the firmware, compares the digests of
all datasets with golden.txt, and prints where every byte of RAM is: objects as the linker placed them, the parts of the
workspace, stack, rest. The sum must be the RAM of the board's linker script. Ends with `N passed, N failed`. Standard
library only.

  qemu_pocket.py [--from flash|host] BOARD FIRMWARE FILE GOLDEN.txt BOARDS
      FILE is in the firmware's flash; host: it is read from the host through semihosting instead
"""
import argparse
import os
import re
import subprocess
import sys

from qemu_golden import Count, read_golden

OBJECTS = {"file": "utet_file", "dataset": "utet_dataset", "slab": "utet_slab, its stream inside",
           "port": "utet_semihosting, its utet_io inside", "hash": "SHA-256", "line": "a line of text on its way out"}
PARTS = ("window", "decoder's context", "symbols", "FSE cells", "Huffman table", "caches", "history")


def run(options):
    """The fields of the firmware's lines: {"file": [...], "work": [...], "ram": [...], "data": [[...], ...]}, exit code."""
    command = "enable=on,target=native,arg=fw" + (f",arg={options.file}" if options.where == "host" else "")
    qemu = subprocess.run(
        ["timeout", "60", "qemu-system-arm", "-M", options.board, "-display", "none", "-monitor", "none",
         "-serial", "none", "-semihosting-config", command, "-kernel", options.firmware],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    said = {"data": []}
    for line in qemu.stdout.splitlines():
        words = line.split("\t")
        if words[0] == "data":
            said["data"].append(words[1:])
        else:
            said[words[0]] = words[1:]
    if qemu.returncode != 0 or "ram" not in said:
        print(qemu.stdout, end="")
    return said, qemu.returncode


def objects(firmware):
    """[(name, bytes)] of .data and .bss, the largest first."""
    command = ["arm-none-eabi-nm", "-S", "--size-sort", "-r", firmware]
    listing = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    words = (line.split() for line in listing.stdout.splitlines())
    return [(w[3].split(".")[0], int(w[1], 16)) for w in words if w[2] in "bBdD"]


def ram_of(board, boards):
    with open(os.path.join(boards, board, "board.ld")) as f:
        return int(re.search(r"RAM .*LENGTH = (\d+)K", f.read())[1]) * 1024


def table(options, said):
    """Prints it and returns the sum of its rows."""
    _, stack, used, static, workspace, free = (int(word) for word in said["ram"])
    total = 0

    def row(what, size, note=""):
        nonlocal total
        total += size
        print(f"  {what:<18}{size:>7}  {note}".rstrip())

    where = "through semihosting" if options.where == "host" else "in flash, mapped"
    print(f"{options.board}: {os.path.basename(options.file)} {where}; {said['file'][3]} bytes allowed")
    row("stack", stack, f"{used} used (painted)")
    inside = objects(options.firmware)
    for name, size in inside:
        row(name, size, OBJECTS.get(name, ""))
    row("alignment", static - sum(size for _, size in inside))
    row("workspace", workspace)
    for part, size in zip(PARTS, said["work"]):
        if size != "0":
            print(f"  {'':>25}  {size:>5} {part}")
    row("free", free)
    print(f"  {'RAM':<18}{total:>7}")
    return total


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--from", dest="where", choices=("flash", "host"), default="flash")
    for word in ("board", "firmware", "file", "golden", "boards"):
        parser.add_argument(word)
    options = parser.parse_args()
    count = Count(options.board)
    wanted = next(e for e in read_golden(options.golden) if e["name"] == os.path.basename(options.file))
    said, code = run(options)
    count.check(code == 0 and "ram" in said, f"the firmware ended with {code}")
    for number, (size, digest) in wanted["dense"].items():
        seen = said["data"][number] if number < len(said["data"]) else []
        count.check(seen[1:3] + seen[6:] == ["0", str(size), digest],
                    f"dataset {number}: {seen}, expected {size} bytes {digest}")
        # Exactly the minimum was given, and used.
        count.check(seen[3:4] == seen[5:6], f"dataset {number}: {seen}, used another amount than the least")
    if "ram" in said:
        ram = ram_of(options.board, options.boards)
        parts = sum(int(size) for size in said["work"])
        count.check(parts == int(said["ram"][4]), f"the parts of the workspace add up to {parts}")
        count.check(table(options, said) == ram == int(said["ram"][0]), f"the rows do not add up to {ram}")
        count.check(int(said["ram"][4]) <= int(said["file"][3]), "more than the file allows")
    print(f"{options.board}-pocket-{options.where}: {count.passed} passed, {count.failed} failed")
    return 1 if count.failed else 0


if __name__ == "__main__":
    sys.exit(main())
