#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""`make size`: code, data and stack of the library per core and configuration, compared with limits.tsv. It needs images
linked by size.mk (BUILD/CORE/CONFIGURATION.elf and .map), the .ci files next to the library's objects, and
test/tools/stack.py. text = .text and .rodata of the library's and libgcc's members that the link kept, with the padding
after them, code = its part in .text, without the constants in .rodata; the C library's memory functions are printed
separately; the program's own objects do not count.

  size.py --build DIR --lib PATTERN --cores "…" --configurations "…" [--accept]
"""
import argparse
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "tools"))
import known  # noqa: E402
import stack  # noqa: E402

ROOT = os.path.join(HERE, "..", "..")
CHANGE = 0.01  # of last.tsv: a larger change must be accepted
KINDS = (("text", (".text", ".rodata", ".ARM.ex", ".glue", ".vfp11", ".v4_bx")), ("data", (".data",)), ("bss", (".bss", "COMMON")))


def kind_of(section):
    return next((kind for kind, starts in KINDS if section.startswith(starts)), None)


def owner_of(path):
    """library, helper (libgcc), memory (the C library) or program."""
    for owner, mark in (("library", "libutet.a("), ("helper", "libgcc.a("), ("memory", "libc")):
        if mark in path:
            return owner
    return "program"


def map_sections(path):
    """(input section, bytes, file) of everything that the link kept; padding carries the file before it."""
    text = open(path).read().split("Linker script and memory map", 1)[1]
    text = re.sub(r"\n (\S+)\n\s+0x", r"\n \1 0x", text)
    section, owner = None, None
    for line in text.splitlines():
        part = re.match(r"^ (\S+)\s+0x([0-9a-f]+)\s+0x([0-9a-f]+) (\S.*)$", line)
        fill = re.match(r"^ \*fill\*\s+0x[0-9a-f]+\s+0x([0-9a-f]+)", line)
        if part:
            section, owner = part.group(1), part.group(4)
            yield section, int(part.group(3), 16), owner
        elif fill and owner:
            yield section, int(fill.group(1), 16), owner


def measure_map(path):
    """({text, code, data, bss} of library and helpers, {C library member: bytes}, {member: bytes of text})"""
    total, memory, members = {"text": 0, "code": 0, "data": 0, "bss": 0}, {}, {}
    for section, size, file in map_sections(path):
        kind, owner = kind_of(section), owner_of(file)
        if kind is None or size == 0 or owner == "program":
            continue
        member = file[file.rindex("(") + 1:-1] if file.endswith(")") else os.path.basename(file)
        if owner == "memory":
            memory[member] = memory.get(member, 0) + size
            continue
        total[kind] += size
        if section.startswith(".text"):
            total["code"] += size
        if kind == "text":
            members[member] = members.get(member, 0) + size
    return total, memory, members


def public_functions():
    names = set()
    folder = os.path.join(ROOT, "include")
    for header in os.listdir(folder):
        text = re.sub(r"/\*.*?\*/", "", open(os.path.join(folder, header), encoding="utf-8").read(), flags=re.S)
        names |= set(re.findall(r"\b(utet_\w+)\s*\(", text))
    return names


def struct_sizes(build, core):
    out = subprocess.run(["arm-none-eabi-nm", "-S", f"{build}/{core}/structs.o"], check=True, capture_output=True, text=True).stdout
    return [(f[3][len("size_of_"):], int(f[1], 16)) for f in map(str.split, out.splitlines()) if len(f) == 4]


def read_table(name):
    path = os.path.join(HERE, name)
    if not os.path.exists(path):
        return []
    return [line.rstrip("\n").split("\t") for line in open(path) if line.strip() and not line.startswith("#")]


class Checks:
    """What was compared, and a sentence for everything that failed."""

    def __init__(self):
        self.passed, self.failures, self.skipped = 0, [], 0
        self.known = known.figures_hold()

    def hold(self, good, sentence):
        self.passed += 1 if good else 0
        self.failures += [] if good else [sentence]

    def figure(self, good, sentence):
        """Compares a figure of the known compiler with its limit. That of another compiler is only printed."""
        if self.known:
            self.hold(good, sentence)
            return
        self.skipped += 1
        if not good:
            print(f"beside\t{sentence}")

    def end(self, skipped=0):
        for failure in self.failures:
            print(f"FAIL\t{failure}")
        if self.skipped != 0:
            print(f"skipped: {self.skipped} figures, which are those of another compiler than arm-none-eabi-gcc {known.version()}")
        print(f"{self.passed} passed, {len(self.failures)} failed, {self.skipped + skipped} skipped")
        sys.exit(1 if self.failures or self.passed == 0 else 0)


def check_limits(rows, checks):
    raw = {r[0]: r for r in rows if r[1] == "raw"}
    limits = {(f[0], f[1]): f[2:] for f in read_table("limits.tsv")}
    for core, configuration, text, data, bss, deep, code in rows:
        where = f"{core} {configuration}"
        checks.hold(data == 0 and bss == 0, f"{where}: {data} bytes of .data and {bss} of .bss in the library, must be 0")
        if (core, configuration) not in limits:
            checks.hold(False, f"{where}: no line in limits.tsv")
            continue
        for name, bytes_, base, limit in zip(("text", "stack", "code"), (text, deep, code), (raw[core][2], 0, raw[core][6]),
                                             limits[core, configuration]):
            if limit != "-":
                most = int(limit) + (base if limit.startswith("+") else 0)
                checks.figure(bytes_ <= most, f"{where}: {name} {bytes_} > {most}{f' (raw {limit})' if limit[0] == '+' else ''}")


def check_changes(rows, checks):
    """What has changed since last.tsv; changes of more than a percent must be accepted."""
    last = {tuple(f[:2]): [int(x) for x in f[2:]] for f in read_table("last.tsv")}
    for row in rows:
        before = last.get(tuple(row[:2]))
        checks.hold(before is not None, f"{row[0]} {row[1]}: not in last.tsv: make size-accept")
        for name, old, new in zip(("text", "data", "bss", "stack", "code"), before or (), row[2:]):
            if old != new:
                print(f"change\t{row[0]}\t{row[1]}\t{name}\t{old} -> {new}\t{new - old:+}")
            checks.figure(abs(new - old) <= CHANGE * old,
                          f"{row[0]} {row[1]}: {name} {old} -> {new}, more than {CHANGE:.0%}: make size-accept, make figures")


def check_readme(build, core, checks):
    """Compares the sizes of objects that README.md states."""
    said = re.search(r"\(file (\d+) bytes, dataset (\d+), chunk (\d+), stream (\d+), slab (\d+) on 32-bit", " ".join(open(f"{ROOT}/README.md").read().split()))
    sizes = dict(struct_sizes(build, core))
    for name, number in zip(("file", "dataset", "chunk", "stream", "slab"), said.groups() if said else ("?",) * 5):
        checks.hold(number == str(sizes["utet_" + name]), f"README.md: {name} {number} bytes, is {sizes['utet_' + name]} on {core}")


def main():
    ask = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    ask.add_argument("--build", required=True)
    ask.add_argument("--lib", required=True, help="folder of a core's library, with %% for the core")
    ask.add_argument("--cores", required=True)
    ask.add_argument("--configurations", required=True)
    ask.add_argument("--accept", action="store_true", help="write last.tsv")
    ask.add_argument("--members", action="store_true", help="text of each object file")
    ask.add_argument("--why", action="store_true", help="stack of each public call and the deepest path")
    args = ask.parse_args()

    rows, extra, checks = [], [], Checks()
    entries = "|".join(sorted(public_functions()))
    for core in args.cores.split():
        for configuration in args.configurations.split():
            base = f"{args.build}/{core}/{configuration}"
            total, memory, members = measure_map(base + ".map")
            try:
                bound = stack.analyse(base + ".elf", [args.lib.replace("%", core)], os.path.join(HERE, "calls.tsv"), entries)
                deep, path = max(bound.values(), key=lambda item: item[0])
                checks.hold(deep > 0, f"{core} {configuration}: no stack at all")
            except stack.Refused as error:
                checks.hold(False, f"{core} {configuration}: stack: {error}")
                bound, deep, path = {}, 0, []
            rows.append([core, configuration, total["text"], total["data"], total["bss"], deep, total["code"]])
            extra += [f"apart\t{core}\t{configuration}\t{name}\t{size}" for name, size in sorted(memory.items())]
            if args.members:
                extra += [f"member\t{core}\t{configuration}\t{name}\t{size}" for name, size in sorted(members.items())]
            if args.why:
                extra += [f"depth\t{core}\t{configuration}\t{name}\t{b[0]}" for name, b in sorted(bound.items())]
                extra.append(f"path\t{core}\t{configuration}\t" + " ".join(f"{f.name}:{f.frame}" for f in path))
        extra += [f"struct\t{core}\t{name}\t{size}" for name, size in struct_sizes(args.build, core)]

    print("core\tconfiguration\ttext\tdata\tbss\tstack\tcode")
    for row in rows:
        print("\t".join(map(str, row)))
    print("\n".join(extra))
    check_changes(rows, Checks() if args.accept else checks)
    if args.accept:
        with open(os.path.join(HERE, "last.tsv"), "w") as f:
            f.write("# Written by `make size-accept`; what `make size` compares with.\n")
            f.write("".join("\t".join(map(str, row)) + "\n" for row in rows))
    check_limits(rows, checks)
    for core in args.cores.split():
        check_readme(args.build, core, checks)
    checks.end()


if __name__ == "__main__":
    main()
