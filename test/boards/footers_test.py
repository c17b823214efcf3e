#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""footers_test.py: everything in the footers of golden files, read by another machine in a workspace of 1 KB, against
what this machine reads (both through boards/common/meta_walk.c; test/tet compares this machine's values with the
reference's JSON). All .tet files of the folders whose footer flag is set and that end in a footer. Prints
`N passed, N failed[, N skipped]`.

  footers_test.py HOST-PROGRAM FOLDER… -- board NAME FIRMWARE       an emulated board (boards/common/footers.c)
  footers_test.py HOST-PROGRAM FOLDER… -- EMULATOR PROGRAM          the same as a program, for another processor
"""
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tools"))
from qemu_golden import machine  # noqa: E402

WORK = 1024


def with_footer(folders):
    """Paths, one for each name; flag bit 0 of the superblock and the tail's magic (src/tet/FORMAT.md §2, §6.1)."""
    seen = set()
    for folder in folders:
        for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else []:
            path = os.path.join(folder, name)
            if name.endswith(".tet") and name not in seen:
                seen.add(name)
                with open(path, "rb") as f:
                    data = f.read()
                if len(data) >= 48 and data[12] & 1 and data.endswith(b"THST"):
                    yield path


def run(command, paths):
    """{path: [status, high-water, values, bytes, digest]} and the last line."""
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as listing:
        listing.write("".join(path + "\n" for path in paths))
        listing.flush()
        if command[0] == "board":
            command = ["timeout", "300", *machine(command[1]), "-display", "none", "-monitor", "none",
                       "-serial", "none", "-kernel", command[2], "-semihosting-config",
                       f"enable=on,target=native,arg=fw,arg=@{listing.name}"]
        else:
            command = command + [f"@{listing.name}"]
        result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    lines = [line.split("\t") for line in result.stdout.splitlines()]
    if result.returncode != 0:
        print(f"{command[0]} ended with {result.returncode}: {result.stdout[-500:]}")
    return {w[1]: w[2:] for w in lines if w[0] == "meta"}, [w for w in lines if w[0] == "done"]


def main():
    split = sys.argv.index("--")
    host, folders, command = sys.argv[1], sys.argv[2:split], sys.argv[split + 1 :]
    paths = list(with_footer(folders))
    here, _ = run([host], paths)
    there, done = run(command, paths)
    failed = 0
    for path in paths:
        if path not in there or here.get(path) != there[path] or int(there[path][1]) > WORK:
            print(f"{os.path.basename(path)}: {there.get(path)}, here {here.get(path)}")
            failed += 1
    read = [fields for fields in there.values() if fields[0] == "0"]
    values, texts = (sum(int(fields[i]) for fields in read) for i in (2, 3))
    peak = max((int(fields[1]) for fields in read), default=0)
    print(f"figure: footers of {len(paths)} files as here, {len(read)} of them sound: {values} values, {texts} bytes of"
          f" text; workspace {peak} of {WORK} bytes"
          + (f", objects {done[0][2]}, stack {done[0][3]}" if done else ""))
    absent = [folder for folder in folders if not os.path.isdir(folder)]
    for folder in absent:
        print(f"skipped: footers of the files in {folder}: not here")
    skipped = f", {len(absent)} skipped" if absent else ""
    print(f"{len(paths) - failed} passed, {failed + (not paths)} failed{skipped}")
    return 1 if failed or not paths else 0


if __name__ == "__main__":
    sys.exit(main())
