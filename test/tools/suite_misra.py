#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""suite_misra.py DEVIATIONS INCLUDE,… FILE…: cppcheck's MISRA addon over the sources.

A rule passes if it is followed, or if it is in the table of deviations and is really not followed: the table neither
lacks a rule nor keeps one without need. Cases are the table's rules, and each other rule that is broken. Code for AVR
only (__AVR__) needs a header of that compiler and is left out.
"""
import collections
import re
import subprocess
import sys


def table(path):
    with open(path, encoding="utf-8") as f:
        rows = [line.rstrip("\n").split("\t") for line in f if line.strip() and not line.startswith("#")]
    return {rule: (category, why) for rule, category, why in rows}


def findings(includes, files):
    run = subprocess.run(["cppcheck", "--std=c99", "--addon=misra", "--quiet", "-U__AVR__", *(f"-I{i}" for i in includes),
                          "--template={file}:{line}: {id}", *files], capture_output=True, text=True, check=True)
    found = collections.defaultdict(list)
    for place, rule in re.findall(r"^(\S+): misra-c2012-([\d.]+)$", run.stderr, re.M):
        found[rule].append(place)
    return found


def main():
    deviations = table(sys.argv[1])
    found = findings(sys.argv[2].split(","), sys.argv[3:])
    failed = 0
    for rule in sorted(found.keys() | deviations.keys(), key=lambda r: [int(n) for n in r.split(".")]):
        category, why = deviations.get(rule, ("", ""))
        if not found[rule]:
            print(f"  rule {rule}: listed as a deviation, and followed")
            failed += 1
        elif category not in ("required", "advisory") or not why:
            print(f"  rule {rule}: {len(found[rule])} times, first at {found[rule][0]}")
            failed += 1
    total = sum(len(places) for places in found.values())
    kinds = collections.Counter(deviations.get(rule, ("unlisted", ""))[0] for rule in found if found[rule])
    rules = ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()))
    print(f"  figure: misra: {total} deviations from {kinds.total()} rules ({rules})")
    print(f"analyse-misra: {len(found) - failed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
