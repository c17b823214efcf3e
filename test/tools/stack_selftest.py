#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""Tests stack.py itself: small programs with a known bound, and programs that it must refuse. Prints `N passed, N
failed`. Needs arm-none-eabi-gcc."""
import os
import subprocess
import sys
import tempfile

import stack

HEAD = """
typedef struct { int (*read)(int); int (*other)(int); } port;
typedef struct { int id; int (*step)(int); } codec;
__attribute__((noinline)) int leaf(int a) { volatile int x[10]; x[a & 7] = a; return x[3]; }
"""
# Name, source, and the required bound of utet_entry ("refused: " and a part of the reason, or a comparison).
CASES = [
    ("leaf and caller", "int utet_entry(int a) { volatile int y[20]; y[a & 7] = leaf(a); return y[2] + 1; }", "frames"),
    ("recursion", "int utet_entry(int a) { return a ? leaf(a) + utet_entry(a - 1) * 3 : 0; }", "refused: recursion"),
    ("loop to the beginning", "const char *skip(const char *p, unsigned n) { while (n != 0) n -= *p++ == 0; return p; }"
     "int utet_entry(int a) { volatile int y[20]; y[a & 7] = leaf(a); return y[2] + *skip((const char *)y, a); }", "frames"),
    ("mutual recursion", "int utet_b(int a); int utet_entry(int a) { return a ? 5 * utet_b(a - 1) : 0; }"
     "__attribute__((noinline)) int utet_b(int a) { return leaf(a) + 3 * utet_entry(a - 2); }", "refused: recursion"),
    ("variable frame", "void use(char *p) { __asm volatile (\"\" :: \"r\"(p) : \"memory\"); }"
     "int utet_entry(int a) { char x[a]; use(x); return x[0]; }", "refused: variable frame"),
    ("unknown indirect call", "int utet_entry(port *io) {\n return io->other(3) + 1;\n}", "refused: not in the table"),
    ("port", "int utet_entry(port *io) {\n return io->read(3) + 1;\n}", "own"),
    ("codec", "extern const codec the_codec; static int step(int a) { return leaf(a) + 1; }"
     "const codec the_codec = { 1, step }; int utet_entry(const codec *codec) {\n return codec->step(2) + 1;\n}", "frames"),
    ("no codec linked", "int utet_entry(const codec *codec) {\n return codec->step(2) + 1;\n}", "refused: no object"),
]
TABLE = "io->read\tport\ncodec->step\tthe_codec:1\n"


def build(folder, core, source):
    path = os.path.join(folder, "case.c")
    with open(path, "w") as f:
        f.write(HEAD + source + "\nint main(int a) { return leaf(a) + utet_entry((void *)0 == 0 ? (int)a : 0); }\n"
                if "utet_entry(int" in source else HEAD + source + "\nint main(void) { return utet_entry(0); }\n")
    subprocess.run(["arm-none-eabi-gcc", f"-mcpu={core}", "-mthumb", "-Os", "-w", "-fno-optimize-sibling-calls", "-fno-inline",
                    "-fcallgraph-info=su,da", "-c", path, "-o", os.path.join(folder, "case.o")], check=True)
    subprocess.run(["arm-none-eabi-gcc", f"-mcpu={core}", "-mthumb", "-nostdlib", "-Wl,-e,main", os.path.join(folder, "case.o"),
                    "-lgcc", "-o", os.path.join(folder, "case.elf")], check=True)


def frame(folder, name):
    nodes = stack.read_ci([folder])
    return next(n["frame"] for (_, function), n in nodes.items() if function == name)


def expected(folder, kind, source):
    if kind == "own":
        return frame(folder, "utet_entry")
    middle = frame(folder, "step") if "step(int a)" in source else 0
    return frame(folder, "utet_entry") + middle + frame(folder, "leaf")


def verdict(core, source, kind):
    """True, or what went wrong."""
    with tempfile.TemporaryDirectory() as folder:
        build(folder, core, source)
        table = os.path.join(folder, "calls.tsv")
        with open(table, "w") as f:
            f.write(TABLE)
        try:
            got = stack.analyse(os.path.join(folder, "case.elf"), [folder], table, "utet_entry")["utet_entry"][0]
        except stack.Refused as reason:
            wanted = kind.startswith("refused: ") and kind[len("refused: "):] in str(reason)
            return True if wanted else f"refused: {reason}"
        if kind.startswith("refused"):
            return f"accepted with {got}"
        want = expected(folder, kind, source)
        return True if got == want and want > 0 else f"bound {got}, frames add up to {want}"


def main():
    passed = failed = 0
    for core in ("cortex-m0plus", "cortex-m3"):
        for name, source, kind in CASES:
            result = verdict(core, source, kind)
            passed, failed = passed + (result is True), failed + (result is not True)
            if result is not True:
                print(f"FAIL\tstack.py, {name} [{core}]: {result}")
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
