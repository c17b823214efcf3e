#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""figures.py LOGS: writes what the last runs of the boards printed into the READMEs, between the comments
`NAME: make figures` and `end of NAME`: the RAM of the small parts (run-pocket), and what the demonstration took with
either codec. --check: compares instead; a number may be off by 1 % or 64 bytes. Ends with `N passed, N failed` then."""
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tools"))
import known  # noqa: E402

PLACES = (("stm32vldiscovery", "flash"), ("stm32vldiscovery", "host"), ("microbit", "flash"), ("microbit", "host"))
OBJECTS = {"slab": "utet_slab, its stream inside", "dataset": "utet_dataset", "file": "utet_file",
           "port": "port, its utet_io inside"}


def number(value):
    return f"{value:,}" if value else "–"


def read_pocket(path):
    """Rows of the table: {name: bytes}, "painted" besides, and the parts of the workspace."""
    rows = {}
    with open(path) as f:
        for line in f:
            if match := re.match(r" {20,}(\d+) (.+)$", line):
                rows[match[2]] = int(match[1])
            elif match := re.match(r"  (\S+) +(\d+)\b", line):
                rows[match[1]] = int(match[2])
            if match := re.search(r"(\d+) used \(painted\)", line):
                rows["painted"] = int(match[1])
    return rows


def pocket_table(places, logs):
    columns = [read_pocket(f"{logs}/pocket-{board}-{how}.log") for board, how in places]
    tables = ("decoder's context", "symbols", "FSE cells", "Huffman table")
    parts = tables + ("window", "caches", "history")

    def rest(c):
        known = sum(c[name] for name in ("stack", "workspace", "free", *OBJECTS))
        return c["RAM"] - known

    rows = [("workspace: decoder's context and tables", [sum(c[name] for name in tables) for c in columns]),
            ("window and two caches", [c.get("window", 0) + c.get("caches", 0) for c in columns]),
            ("history of the largest tile", [c["history"] for c in columns])]
    rows += [(text, [c[name] for c in columns]) for name, text in OBJECTS.items()]
    rows += [("the program's own: SHA-256, a line of text", [rest(c) for c in columns]),
             ("free", [c["free"] for c in columns])]
    head = [f"{board}, {'mapped in flash' if how == 'flash' else 'read in pieces'}" for board, how in places]
    out = ["| bytes of RAM | " + " | ".join(head) + " |", "|---" * (1 + len(places)) + "|"]
    out += [f"| {text} | " + " | ".join(map(number, cells)) + " |" for text, cells in rows]
    stacks = [f"{number(c['stack'])} ({number(c['painted'])})" for c in columns]
    out += ["| stack (deepest use) | " + " | ".join(stacks) + " |",
            "| **all** | " + " | ".join(f"**{number(c['RAM'])}**" for c in columns) + " |"]
    for c in columns:
        assert sum(c.get(part, 0) for part in parts) == c["workspace"], c
    return "\n".join(out) + "\n"


def read_demo(path):
    """({figure: bytes}, {file: [budget, may take, least, best, high-water, sectors]})"""
    with open(path) as f:
        text = f.read()
    figures = {name: int(value) for name, value in re.findall(r"^ +([a-zA-Z ,]+?) +(\d+)(?: of \d+)?$", text, re.M)}
    files = {m[0]: list(map(int, m[1].split())) for m in re.findall(r"^(demo_\w+\.tet) +((?: *\d+){6})", text, re.M)}
    return figures, files


def demo_table(logs):
    small, small_files = read_demo(f"{logs}/demo-small.log")
    upstream, upstream_files = read_demo(f"{logs}/demo-upstream.log")
    out = ["| bytes | built-in decoder | `CODEC=upstream` |", "|---|---|---|"]
    for name, text in (("flash", "flash"), ("static RAM", "static RAM"), ("workspace", "workspace, part of static RAM"),
                       ("stack, painted", "stack, painted")):
        out.append(f"| {text} | {number(small[name])} | {number(upstream[name])} |")
    out += ["", "| file | its budget | need, least to best | used | sectors | need, upstream | used | sectors |",
            "|---" * 8 + "|"]
    for name, (budget, _, least, best, used, sectors) in small_files.items():
        _, allowed, there, _, used_there, sectors_there = upstream_files[name]
        cells = [name, number(budget), f"{number(least)} to {number(best)}", number(used), number(sectors)]
        cells += [number(there)]
        cells += [number(used_there), number(sectors_there)] if there <= allowed else ["refused", ""]
        out.append("| " + " | ".join(cells) + " |")
    return "\n".join(out) + "\n"


def alike(old, new):
    """The same but for numbers that are nearly the same."""
    pattern = r"\d[\d,]*|–"
    pairs = [[int(n.replace(",", "").replace("–", "0")) for n in p]
             for p in zip(re.findall(pattern, old), re.findall(pattern, new))]
    return re.sub(pattern, "#", old) == re.sub(pattern, "#", new) and all(abs(a - b) <= max(64, b // 100) for a, b in pairs)


def put(path, name, text, check):
    """Writes the table, or says whether it stands there."""
    begin, end = f"<!-- {name}: make figures -->\n", f"<!-- end of {name} -->\n"
    with open(path, encoding="utf-8") as f:
        before, rest = f.read().split(begin)
    old, after = rest.split(end)
    if not check:
        with open(path, "w", encoding="utf-8") as f:
            f.write(before + begin + text + end + after)
    elif not alike(old, text):
        print(f"{path}: {name} is not what the boards print now: make figures\n{text}")
        return False
    return True


def main():
    logs, check = sys.argv[1], sys.argv[2:] == ["--check"]
    stand = [put("boards/README.md", "RAM", pocket_table(PLACES, logs), check),
             put("boards/lm3s6965evb/README.md", "demonstration", demo_table(logs), check)]
    if check and not known.figures_hold():
        skipped = len(stand) - sum(stand)
        print(f"skipped: {skipped} tables, whose figures are those of another compiler than arm-none-eabi-gcc {known.version()}")
        print(f"{sum(stand)} passed, 0 failed, {skipped} skipped")
        return False
    if check:
        print(f"{sum(stand)} passed, {len(stand) - sum(stand)} failed")
    return check and not all(stand)


if __name__ == "__main__":
    sys.exit(main())
