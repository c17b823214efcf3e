#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""The accepted documents of the reference's conformance pack with every budget: budget_test.py ANSWER PACK STEP [RUNNER…]

ANSWER gives each answer with room for everything, with "not yet" between any two bytes in the minimum workspace, and with
every budget from the minimum to the best, STEP bytes apart: always the same line and response. One byte less than the
minimum is refused with the minimum. The response has the pack's values. RUNNER: valgrind and its options.
"""
import json
import os
import subprocess
import sys

from conformance_test import path, wrong_field

STEP, RUNNER = sys.argv[3], sys.argv[4:]


def main():
    if not os.path.isdir(sys.argv[2]):
        print("skipped: the conformance pack: no folder %s" % sys.argv[2])
        print("0 passed, 0 failed, 1 skipped")
        return 0
    with open(path("conformance/manifest.v1.json"), encoding="utf-8") as file:
        cases = [c for c in json.load(file)["accept"] if "query" in c]
    asked = b""
    for case in cases:
        with open(path(case["query"]), "rb") as file:
            document = file.read()
        asked += b"%s\n%d\n" % (path(case["tet"]).encode(), len(document)) + document
    done = subprocess.run([*RUNNER, sys.argv[1], STEP], input=asked, capture_output=True, check=False)
    lines = done.stdout.decode().split("\n")[:-1]
    wrong = [line[:300] for line in lines if line.startswith("differ")]
    answers = [line for line in lines if not line.startswith("differ")]
    passed = 0
    if done.returncode != 0 or len(answers) != 2 * len(cases):
        wrong.append("exit status %d, %d answers: %s" % (done.returncode, len(answers) // 2, done.stderr.decode()[-2000:]))
    for case, line, text in zip(cases, answers[::2], answers[1::2]):
        fault = line if line.startswith("-") else wrong_field(case, text)
        passed += fault is None
        if fault is not None:
            wrong.append("%s: %s" % (case["id"], fault))
    for line in wrong[:10]:
        print("FAILED", line)
    print(done.stderr.decode().strip().split("\n")[-1])
    print("%d passed, %d failed" % (passed, len(wrong)))
    return 1 if wrong or passed == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
