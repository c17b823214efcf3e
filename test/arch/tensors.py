#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""tensors.py RUNS: boards/common/tensors.c over the Tensogram files in the tree, on many machines. Each line of RUNS is one, NAME WORKSPACE
KIND ARGUMENT… as in arch.sh. Their output must be the same for the same workspace (except for the memory that a tensor needs, which depends
on the size of pointers), and the SHA-256 of the data must be the reference's, which the lists in test/tensogram/tensors and
test/arch/packed have."""
import glob
import hashlib
import os
import subprocess
import sys

FOLDERS = ("test/golden/tensogram/good", "test/golden/tensogram/bad", "test/tensogram/tensors/vectors", "test/arch/packed")
LISTS = (("test/tensogram/tensors/golden.txt", FOLDERS[0]), ("test/tensogram/tensors/list.txt", FOLDERS[2]), ("test/arch/packed/packed.txt", FOLDERS[3]))
NAMED_ONLY = (7, 8, 9)
TOO_LARGE = "-8"  # UTET_E_SPACE: it needs more than the workspace
MOST_LARGE = {"40960": 1, "6144": 20}


def command(kind, arguments, words):
    semihosting = ",".join(["enable=on,target=native,arg=fw"] + ["arg=" + w for w in words])
    quiet = ["-display", "none", "-monitor", "none", "-serial", "none", "-semihosting-config", semihosting]
    if kind == "arm":
        return ["qemu-system-arm", "-M", arguments[0], *quiet, "-kernel", arguments[1]]
    if kind == "rv32":
        return ["qemu-system-riscv32", "-M", "virt", "-bios", "none", *quiet, "-kernel", arguments[1]]
    return [*arguments, *words]


def expected():
    out = {}
    for path, folder in LISTS:
        with open(path, encoding="utf-8") as f:
            for line in f:
                words = line.split()
                if int(words[7]) not in NAMED_ONLY and not {int(w) for w in words[17:26:3]} & set(NAMED_ONLY):
                    out[f"{folder}/{words[0]}", words[27], words[28]] = words[26]
    return out


def main():
    files = [f for folder in FOLDERS for f in sorted(glob.glob(folder + "/*.tgm"))]
    listing = os.path.join(os.path.dirname(sys.argv[1]), "tensors.list")
    with open(listing, "w", encoding="utf-8") as f:
        f.write("\n".join(files) + "\n")
    want, first, passed, failed = expected(), {}, 0, 0
    with open(sys.argv[1], encoding="utf-8") as f:
        runs = [line.split() for line in f]
    for name, work, kind, *arguments in runs:
        done = subprocess.run(command(kind, arguments, ["work=" + work, "@" + listing]), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              timeout=300, check=False)
        lines = [line.split("\t") for line in done.stdout.decode("utf-8", "replace").splitlines()]
        seen, data, now, last = [], {}, [], []
        for line in lines:
            if line[0] == "data":
                now.append(line[1:5])
                seen.append(line[:5])
            elif line[0] == "file":
                seen.append(line)
                data.update({(line[1], m, t): (status, sha) for m, t, status, sha in now})
                now = []
            elif line[0] == "done":
                last = line
        said = hashlib.sha256(repr(seen).encode()).hexdigest()[:32]
        large = [k[0].split("/")[-1] for k in want if data.get(k, ("",))[0] == TOO_LARGE]
        wrong = [k for k, sha in want.items() if data.get(k, ("", ""))[1] != sha and data.get(k, ("",))[0] != TOO_LARGE]
        first.setdefault(work, seen)
        good = last[1:2] == [str(len(files))] and last[4:5] == ["0"] and done.returncode == 0 and not wrong
        good = good and first[work] == seen and len(large) <= MOST_LARGE[work]
        print(f"figure: arch: {name:14} {work:>5} bytes  digest {said}  {' '.join(last[1:4])} (files, tensors read, refused)"
              f"{', stack ' + last[5] if last[5:] and last[5] != '0' else ''}")
        if large and name == runs[0][0]:
            print(f"  more than {work} bytes are needed for {' '.join(large)}")
        passed, failed = passed + good, failed + (not good)
        if not good:
            print(f"  {name}: exit {done.returncode}, {last}, not the reference's data: {wrong[:4]}")
            print("  | " + "\n  | ".join(f"{a} {b}" for a, b in zip(first[work], seen) if a != b)[:600])
            print("  | " + done.stdout.decode("utf-8", "replace")[-300:])
    print(f"{passed} passed, {failed} failed")
    return failed != 0


sys.exit(main())
