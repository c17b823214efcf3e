#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""tasks_test.py FOLDER IMAGE DIGESTS COMPILE…: boots the firmware of make run-tasks, which is in FOLDER. Time in the emulator is
counted in instructions, so each run is the same.
  tasks-2, tasks-4     FreeRTOS tasks share a card: each digest is in the list, and tasks have waited for each other
  tasks-fault          the locks do nothing: the run fails
  tasks-unlocked       FatFs has no locks: one task gets an error that says so, and the other one continues
  wait-bare, wait-task  a file arrives by interrupt, before the sleep and during it; …-fault: with a race the run fails
COMPILE: the command that compiles ff_mutex.c without locks; it must fail with a message."""
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tools"))
from tally import check, end  # noqa: E402

folder, image, digests, compile_unlocked = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:]
wanted = set(open(digests, encoding="ascii").read().splitlines())


def boot(name):
    """Exit code, lines, and the lines that are digests."""
    done = subprocess.run(["qemu-system-arm", "-M", "lm3s6965evb", "-display", "none", "-monitor", "none", "-serial", "none",
                           "-icount", "shift=6" if name.startswith("tasks") else "shift=7",
                           "-drive", f"if=sd,format=raw,file={image},snapshot=on",
                           "-semihosting-config", "enable=on,target=native", "-kernel", f"{folder}/{name}.elf"],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, timeout=600)
    lines = done.stdout.splitlines()
    return done.returncode, lines, [line for line in lines if re.match(r"[0-9a-f]{64} ", line)]


def numbers(lines, pattern):
    return next((tuple(map(int, found.groups())) for found in map(re.compile(pattern).match, lines) if found), (0, 0, 0, 0))


def good(name):
    code, lines, seen = boot(name)
    check(f"{name}: exit code {code}", code == 0 and lines[-1:] == [name.split("-")[0] + ": good"], lines[-4:])
    wrong = [line for line in seen if line not in wanted]
    check(f"{name}: {len(seen)} digests, of which wrong", seen and not wrong, wrong)
    return lines, seen


for tasks in (2, 4):
    lines, seen = good(f"tasks-{tasks}")
    waits, stack = numbers(lines, r"waits (\d+), stack of a task (\d+) ")[:2]
    check(f"{tasks} tasks: whole datasets of three files", len(seen) > 2 * tasks and len({line.split()[1] for line in seen}) == 3, seen)
    check(f"{tasks} tasks: they waited {waits} times", waits > 1000)
    print(f"figure: {tasks} tasks on one card: {len(seen)} digests right, {waits} waits for the card, stack of a task {stack} bytes")

code, lines, seen = boot("tasks-fault")
check(f"locks that do nothing: exit code {code}", code == 1, lines[-4:])

code, lines, seen = boot("tasks-unlocked")
ends = [line for line in lines if line.startswith("a task ends: ")]
check(f"without locks: exit code {code}",
      code == 1 and ends == ["a task ends: two tasks use the card at once: build FatFs with FF_FS_REENTRANT"], lines)
check("without locks: the other task reads on", seen and not set(seen) - wanted, seen)

for name in ("wait-bare", "wait-task"):
    lines, seen = good(name)
    found = numbers(lines, r"(\d+) requests, the interrupt before the sleep (\d+), during it (\d+), the core slept (\d+)")
    requests, early, during, slept = found
    check(f"{name}: interrupts before and during the sleep", early > 100 and during > 100 and early + during >= requests, lines[-3:])
    check(f"{name}: the core slept {slept} times", slept > 500)
    print(f"figure: {name}: {requests} requests, the interrupt before the sleep {early}, during it {during}; the core slept {slept} times")
    code, lines, seen = boot(f"{name}-fault")
    check(f"{name} with a race: exit code {code}", code == 1 and lines[-1].startswith("wait: no interrupt within a second"), lines[-3:])

done = subprocess.run(compile_unlocked, capture_output=True, text=True, check=False)
check("compiled without locks", done.returncode != 0 and "-DFF_FS_REENTRANT=1" in done.stderr, done.stderr[-500:])
done = subprocess.run([*compile_unlocked, "-DFF_FS_REENTRANT=1"], capture_output=True, text=True, check=False)
check("compiled with locks", done.returncode == 0, done.stderr[-500:])
sys.exit(end())
