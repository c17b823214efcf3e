#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""volume_test.py ELF DIGESTS NAME…: boots volume.c, whose flash has a littlefs volume with these files, and compares the
digests that it prints with those of the list."""
import subprocess
import sys

elf, digests, names = sys.argv[1], sys.argv[2], sys.argv[3:]
done = subprocess.run(["qemu-system-arm", "-M", "lm3s6965evb", "-display", "none", "-monitor", "none", "-serial", "none",
                       "-semihosting-config", "enable=on,target=native", "-kernel", elf],
                      capture_output=True, text=True, check=False, timeout=120)
lines = (done.stdout + done.stderr).splitlines()
wanted = [line.rstrip("\n") for line in open(digests, encoding="ascii") if line.split(" ")[1] in names]
checks = {line: line in lines for line in wanted}
checks["no other digests"] = sum(len(line.split(" ")[0]) == 64 for line in lines) == len(wanted)
checks["the program's verdict"] = lines[-1:] == ["volume: good"] and done.returncode == 0
failed = [what for what, good in checks.items() if not good]
for what in failed:
    print("FAILED", what)
if failed:
    print("exit code", done.returncode, *lines[-12:], sep="\n  ")
for line in lines:
    if line.startswith("bytes: "):
        print("figure: volume:", line)
print(f"{len(checks) - len(failed)} passed, {len(failed)} failed")
sys.exit(bool(failed) or not wanted)
