#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""array_test.py: what the board lists for the arrays on its card, against what the tool prints for the newest schema
files.

  array_test.py LOG UTET FOLDER      FOLDER: of the arrays, as they were copied to the card

The board omits values of most datatypes and options of filters; every other line must be there, and no more.
"""
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tools"))
from tally import check, end  # noqa: E402

TITLES = ("Format version", "Array type", "Cell order", "Tile order", "Coordinates filters", "Offsets filters",
          "Validity filters", "Name", "Type", "Cell val num", "Nullable", "Filters", "Enumeration")
SECTIONS = ("Dimension", "Attribute", "Dimension label")


def wanted(utet, path):
    """The lines that a board prints, derived from the tool's."""
    said = subprocess.run([utet, "schema", path], capture_output=True, check=True, text=True).stdout
    section, type_of, lines = "", "", []
    for line in said.split("\n"):
        if match := re.match(r"### (.*) ###", line):
            section = match[1]
        if section not in ("",) + SECTIONS:
            continue
        if line.startswith("- Type: "):
            type_of = line[8:]
        title = line[2:].split(":")[0]
        if line.startswith("  > "):
            lines.append(line.split(":")[0])
        elif line.startswith("###") or (line.startswith("- ") and (
                title in TITLES or (title == "Domain" and type_of in ("INT32", "INT64")))):
            lines.append(line)
    return lines


def main():
    log, utet, top = sys.argv[1:]
    seen, now = {}, None
    with open(log, encoding="utf-8") as f:
        text = f.read()
    for line in text.split("\n"):
        if match := re.match(r"array (\S+), file (\S+)$", line):
            now = seen.setdefault(match[1], [match[2]])
        elif line == "end of array":
            now = None
        elif now is not None and line:
            now.append(line)
    old = "__array_schema.tdb"
    folders = sorted(n for n in os.listdir(top) if os.path.isdir(f"{top}/{n}/__schema") or os.path.exists(f"{top}/{n}/{old}"))
    check(f"arrays {sorted(seen)}, on the card {folders}", sorted(seen) == folders and folders != [])
    for name in folders:
        folder = f"{top}/{name}/__schema"
        if not os.path.isdir(folder):
            folder = f"{top}/{name}"
        files = sorted(n for n in os.listdir(folder) if n.startswith("__") and "enumerations" not in n)
        got, want = seen.get(name, [""]), wanted(utet, f"{folder}/{files[-1]}")
        check(f"{name}: {got[0]} of {files}", got[0] == files[-1])
        check(f"{name}: {[g for g, w in zip(got[1:], want) if g != w][:3]}, {len(got) - 1} lines of {len(want)}",
              len(want) > 10 and got[1:] == want)
    check("the firmware did not end well", "array: good" in text.split("\n"))
    if match := re.search(r"^bytes: (.*)$", text, flags=re.M):
        print(f"figure: array: {match[1]}")
    return end()


sys.exit(main())
