#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""The README's table of sizes, from what `make size-accept` recorded (test/size/last.tsv). readme_figures.py writes it into
README.md; --check tests whether it is there (exit status 1: it is not)."""
import sys

BEGIN, END = "<!-- figures: make figures -->\n", "<!-- end of figures -->\n"
CORES = (("m0plus", "Cortex-M0+"), ("m3", "Cortex-M3"), ("m4", "Cortex-M4"))


def rows(name):
    return [line.rstrip("\n").split("\t") for line in open(name) if not line.startswith("#")]


def sizes():
    known = {(r[0], r[1]): r for r in rows("test/size/last.tsv") if len(r) == 7}
    what = (("raw", "raw reader: open, datasets, chunk lookup, streams"), ("slab", "raw reader and slabs"),
            ("tiles", "raw reader and tiles that stay decoded"),
            ("small", "raw reader and the built-in zstd decoder, both layouts"), ("upstream", "raw reader and libzstd"),
            ("check", "raw reader and the whole-file check"), ("meta", "raw reader and the complete footer: metadata, zone maps, indexes"),
            ("query", "query documents with every operation, and the response"), ("querywords", "the same, with the reference's messages for refusals"))
    out = ["| linked | " + " | ".join(name for _, name in CORES) + " |\n", "|---" * (1 + len(CORES)) + "|\n"]
    for key, text in what:
        cells = []
        for core, _ in CORES:
            row = known[core, key]
            assert row[3] == row[4] == "0", row
            cells.append(f"{int(row[2]):,} / {int(row[5]):,}")
        out.append(f"| {text} | " + " | ".join(cells) + " |\n")
    return "".join(out)


def main():
    text = open("README.md").read()
    before, rest = text.split(BEGIN)
    old, after = rest.split(END)
    new = ("Bytes of flash (`-Os`, no LTO, with libgcc, without libc's memcpy) / deepest stack of any call, from the call graph.\n"
           "`make size` prints and checks them; `.data` + `.bss` of the library are 0.\n\n" + sizes())
    if sys.argv[1:] == ["--check"]:
        if old != new:
            print("README.md: figures differ from test/size/last.tsv: run `make figures`")
        return old != new
    open("README.md", "w").write(before + BEGIN + new + END + after)
    return 0


sys.exit(main())
