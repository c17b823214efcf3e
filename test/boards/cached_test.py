#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""cached_test.py ELF IMAGE DIGESTS: boots cached.c with the card. Each of its four ways must print the digests of the
list. With port/cache a file takes fewer sectors and at most half of the commands, and some of them are CMD18, which
reads several sectors; through FatFs and on the sectors of the card the costs are the same. Small datasets cost the most
sectors twice: a run may go beyond the end of one, and slabs read their rows twice."""
import os
import re
import subprocess
import sys

elf, image, digests = sys.argv[1:4]
names = ["demo_planet.tet", "demo_small.tet", "demo_tiny.tet"]
done = subprocess.run(["qemu-system-arm", "-M", "lm3s6965evb", "-display", "none", "-monitor", "none", "-serial", "none",
                       "-drive", f"if=sd,format=raw,file={image},snapshot=on",
                       "-semihosting-config", "enable=on,target=native", "-kernel", elf],
                      capture_output=True, text=True, check=False, timeout=300)
lines = (done.stdout + done.stderr).splitlines()
wanted = [line.rstrip("\n") for line in open(digests, encoding="ascii") if line.split(" ")[1] in names]
checks = {f"four times {line}": lines.count(line) == 4 for line in wanted}
checks["no other digests"] = sum(len(line.split(" ")[0]) == 64 for line in lines) == 4 * len(wanted)
checks["the program's verdict"] = lines[-1:] == ["cached: good"] and done.returncode == 0
costs = {}
for line in lines:
    found = re.fullmatch(r"(FatFs|card) (alone|cached) (\S+): sectors (\d+), CMD17 (\d+), CMD18 (\d+)", line)
    if found:
        costs[found.groups()[:3]] = [int(n) for n in found.groups()[3:]]
for name in names:
    for medium in ("FatFs", "card"):
        alone, cached = (costs.get((medium, how, name), [0, 0, 0]) for how in ("alone", "cached"))
        distinct = (os.path.getsize(os.path.join(os.path.dirname(digests), name)) + 511) // 512
        print("figure: cached: %s, %s: sectors %d, CMD17 %d, CMD18 %d; cached %d, %d, %d; the file has %d sectors"
              % (medium, name, *alone, *cached, distinct))
        checks[f"{medium}, {name}: sectors"] = 0 < cached[0] <= min(alone[0], distinct * 1.2 + 1)
        checks[f"{medium}, {name}: half of the commands"] = 2 * (cached[1] + cached[2]) <= alone[1] + alone[2]
        checks[f"{medium}, {name}: CMD18"] = cached[2] > 0
failed = [what for what, good in checks.items() if not good]
for what in failed:
    print("FAILED", what)
if failed:
    print("exit code", done.returncode, *lines[-40:], sep="\n  ")
print(f"{len(checks) - len(failed)} passed, {len(failed)} failed")
sys.exit(bool(failed) or not wanted)
