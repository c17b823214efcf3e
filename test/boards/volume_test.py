#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""volume_test.py ELF DIGESTS NAME…: boots volume.c, whose flash has a littlefs volume with these files, and compares the
digests that it prints with those of the list, and the bytes that it and its objects take with the figures of the
pages."""
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tools"))
import known  # noqa: E402

elf, digests, names = sys.argv[1], sys.argv[2], sys.argv[3:]
done = subprocess.run(["qemu-system-arm", "-M", "lm3s6965evb", "-display", "none", "-monitor", "none", "-serial", "none",
                       "-semihosting-config", "enable=on,target=native", "-kernel", elf],
                      capture_output=True, text=True, check=False, timeout=120)
lines = (done.stdout + done.stderr).splitlines()
wanted = [line.rstrip("\n") for line in open(digests, encoding="ascii") if line.split(" ")[1] in names]
checks = {line: line in lines for line in wanted}
checks["no other digests"] = sum(len(line.split(" ")[0]) == 64 for line in lines) == len(wanted)
checks["the program's verdict"] = lines[-1:] == ["volume: good"] and done.returncode == 0


def page(path, pattern):
    """The numbers that a page states."""
    found = re.search(pattern, open(path, encoding="utf-8").read())
    return [int(n.replace(",", "")) for n in found.groups()] if found else None


folder = os.path.dirname(elf)
image = os.path.getsize(os.path.join(folder, "volume.img"))
took = re.search(r"bytes: flash (\d+), static RAM (\d+), .*stack (\d+) of", "\n".join(lines))
took = [int(n) for n in took.groups()] if took else [0, 0, 0]
took[0] -= image
print("figure: volume: %d bytes of flash besides the volume, %d of static RAM, %d of stack" % tuple(took))
checks["boards/lm3s6965evb/README.md says %d, %d, %d bytes" % tuple(took)] = took == page(
    "boards/lm3s6965evb/README.md", r"take ([\d,]+) bytes\s+of\s+flash\s+in\s+addition\s+to\s+the\s+volume,\s+([\d,]+)\s+of\s+static\s+RAM\s+and\s+([\d,]+)\s+of\s+stack")
code = subprocess.run(["arm-none-eabi-size"] + [os.path.join(folder, "volume/littlefs", part) for part in ("lfs.o", "lfs_util.o")],
                      capture_output=True, text=True, check=True).stdout.split("\n")[1:]
sizes = dict(line.split(" ") for line in lines if re.fullmatch(r"(lfs_t|utet_littlefs\w*) \d+", line))
sizes["littlefs itself"] = sum(int(line.split()[0]) for line in code if line.strip())
for name, size in sizes.items():
    print("figure: volume: %s: %s bytes" % (name, size))
    checks["port/littlefs/README.md says %s: %s bytes" % (name, size)] = [int(size)] == page(
        "port/littlefs/README.md", r"\| `?%s`?[^|]*\| ([\d,]+)" % name)
failed = [what for what, good in checks.items() if not good]
beside = [] if known.figures_hold() else [what for what in failed if "README.md says" in what]
failed = [what for what in failed if what not in beside]
if beside:
    print(f"skipped: {len(beside)} figures, which are those of another compiler than arm-none-eabi-gcc {known.version()}")
for what in failed:
    print("FAILED", what)
if failed:
    print("exit code", done.returncode, *lines[-12:], sep="\n  ")
print(f"{len(checks) - len(failed) - len(beside)} passed, {len(failed)} failed, {len(beside)} skipped")
sys.exit(bool(failed) or not wanted)
