#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""conform_test.py: the reference's conformance pack on the board, by the pack's manifest.

  conform_test.py --card FOLDER PACK    writes the files of a card: cases.txt, the pack's files and documents
  conform_test.py UTET PACK LOG         checks what the firmware conform.c has printed

accept: the fields that the manifest expects, and the response is the tool's, byte for byte; or the file is valid.
reject_verify: the finding of the expected name. reject_query: the expected words, and the message is that of the tool.
"""
import json
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "query"))
from conformance_test import wrong_field  # noqa: E402

SAMPLE = "fixtures/small/tet/sample.tet"
MOST_RAM = 65536
PAGE = "boards/lm3s6965evb/README.md"


def cases(pack):
    """[(kind, case, file, document or None)]"""
    with open(os.path.join(pack, "conformance/manifest.v1.json"), encoding="utf-8") as f:
        manifest = json.load(f)
    return [(kind, case, case.get("tet", SAMPLE), case.get("query")) for kind in ("accept", "reject_verify", "reject_query")
            for case in manifest[kind]]


def make_card(folder, pack):
    os.makedirs(folder)
    came_from = {}
    with open(os.path.join(folder, "cases.txt"), "w", encoding="utf-8") as f:
        for _, case, *paths in cases(pack):
            for path in filter(None, paths):
                assert came_from.setdefault(os.path.basename(path), path) == path
                shutil.copyfile(os.path.join(pack, path), os.path.join(folder, os.path.basename(path)))
            print(case["id"], *(os.path.basename(p) for p in paths if p), file=f)


def tool(utet, pack, path, query):
    """What the tool prints for the same case: its standard output, and its message."""
    done = subprocess.run([utet, "query", "--json", os.path.join(pack, path), os.path.join(pack, query)], capture_output=True,
                          text=True, check=False)
    return done.stdout.replace(json.dumps(os.path.join(pack, path)), json.dumps(os.path.basename(path))), done.stderr


def judge(kind, case, lines, utet, pack, path, query):
    """What is wrong with these lines of the board; None if they are right."""
    findings = [line.split()[1] for line in lines if line.startswith("finding ")]
    if query is None:
        wanted = case.get("expect_check")
        if kind == "accept":
            return None if lines == ["verified"] else lines
        return None if findings and (wanted is None or wanted in findings) else lines
    answer, message = tool(utet, pack, path, query)
    if kind == "reject_query":
        if len(lines) != 1 or not lines[0].startswith("refused "):
            return lines
        words = lines[0][len("refused "):]
        return None if case["expect_error_substr"].lower() in words.lower() and words in message else (words, message)
    if len(lines) != 1 or lines[0] + "\n" != answer:
        return lines, answer
    return wrong_field(case, lines[0])


def said(page):
    """The bytes of static RAM, of workspace and of stack that the page states for this firmware."""
    with open(page, encoding="utf-8") as f:
        match = re.search(r"in ([\d,]+) bytes of static RAM \(([\d,]+) of them workspace\) and ([\d,]+) of stack", " ".join(f.read().split()))
    return tuple(int(n.replace(",", "")) for n in match.groups())


def main():
    if sys.argv[1] == "--card":
        make_card(*sys.argv[2:])
        return 0
    utet, pack, log = sys.argv[1:]
    if not os.path.isdir(pack):
        print("skipped: the conformance pack on the board: no folder %s" % pack)
        print("0 passed, 0 failed, 1 skipped")
        return 0
    with open(log, encoding="utf-8") as f:
        text = f.read()
    seen = {}
    for line in text.split("\n"):
        if match := re.match(r"case (\S+)$", line):
            seen[match[1]] = now = []
        elif line.startswith("bytes: "):
            break
        elif seen:
            now.append(line)
    failed = []
    passed = 0
    for kind, case, path, query in cases(pack):
        wrong = judge(kind, case, seen.get(case["id"], ["not in the log"]), utet, pack, path, query)
        passed += wrong is None
        if wrong is not None:
            failed.append(case["id"])
            print("FAILED", kind, case["id"], wrong)
    match = re.search(r"^bytes: flash (\d+), static RAM (\d+), including workspace (\d+), stack (\d+) of (\d+)$", text, flags=re.M)
    if not match or int(match[2]) + int(match[5]) > MOST_RAM or "conform: good" not in text.split("\n"):
        failed.append("the run")
        print("FAILED: the firmware did not end well:", text[-300:])
    elif said(PAGE) != tuple(int(match[i]) for i in (2, 3, 4)):
        failed.append("the page")
        print("FAILED: %s says %s" % (PAGE, said(PAGE)), match[0])
    else:
        print("figure: conformance pack on lm3s6965evb: %d of %d; %s" % (passed, len(seen), match[0]))
    print("%d passed, %d failed" % (passed, len(failed)))
    return 1 if failed or passed == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
