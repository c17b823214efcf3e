#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""Every C block of README.md, port/README.md and src/EXAMPLES.md is extracted, compiled with all warnings, and run. Its output is
compared with another way of reading the same file (the smallest reader: the bytes themselves; the slab: the tool with libzstd). No
example has more lines than its limit. README.md's commands with build/utet and cc work. The tests that src/README.md names for its
promises must exist, and so must the files and sections that it names for its ten questions. Usage: readme_test.py CC LIBRARY TOOL
OUT. Ends with `N passed, N failed`."""
import glob
import gzip
import json
import os
import re
import struct
import subprocess
import sys
from fractions import Fraction

WARN = "-std=c99 -Wall -Wextra -Wpedantic -Werror -D_FILE_OFFSET_BITS=64 -Iinclude -Iport/posix".split()
DEMO = "test/golden/demo/"
MOST_LINES = {"smallest": 25, "slab": 30, "port": 30, "schema": 45, "messages": 40, "fold": 40, "waits": 65, "sectors": 45}


def smallest(out):
    # demo_tiny.tet: a raw u8 dataset; its row has the offset of the first payload, 1800
    data = open(DEMO + "demo_tiny.tet", "rb").read()
    row = struct.unpack_from("<Q", data, 16)[0] + 32
    payload = struct.unpack_from("<Q", data, row + 72)[0]
    return out.split() == ["%02x" % b for b in data[payload:payload + 16]]


def slab(out, tool):
    dense = subprocess.run([tool, "read", DEMO + "demo_planet.tet", "temperature", "--codec", "upstream", "--format",
                            "raw"], check=True, capture_output=True).stdout
    want = ["%.4f" % struct.unpack_from("<f", dense, 4 * (128 * row + column))[0]
            for row in (10, 20, 30) for column in (0, 32, 64, 96)]
    words = out.split()
    used = re.search(r"(\d+) of 8192 bytes used", out)
    return words[:12] == want and used is not None and int(used.group(1)) <= 8192


def waits(out, tool):
    """Two corners of the same slab, after requests that were answered later."""
    dense = subprocess.run([tool, "read", DEMO + "demo_planet.tet", "temperature", "--codec", "upstream", "--format",
                            "raw"], check=True, capture_output=True).stdout
    corners = tuple(struct.unpack_from("<f", dense, 4 * (128 * row + column))[0] for row, column in ((10, 0), (30, 96)))
    return out == "%.4f %.4f, waited\n" % corners


def fold(out, tool):
    """Means of the values above 0 in rows 0 to 3, by fractions."""
    dense = subprocess.run([tool, "read", DEMO + "demo_planet.tet", "temperature", "--codec", "upstream", "--format",
                            "raw"], check=True, capture_output=True).stdout
    rows = [[Fraction(x) for x in struct.unpack_from("<128f", dense, 512 * row) if x > 0] for row in range(4)]
    want = [float(sum(row) / len(row)) if row else 0.0 for row in rows]
    words = out.split()
    return [float(x) for x in words[:4]] == want and words[4:] == [str(sum(map(len, rows))), "elements"]


def schema(out):
    with gzip.open("test/golden/tiledb/expected.json.gz", "rt") as file:
        want = json.load(file)["expected/v22_evolve_5_expand_cd.schema.json"]["schema"]
    return out.splitlines() == [f"{x['name']} {x['type']}" for x in want["dimensions"] + want["attributes"]]


def commands(compiler, tool, folder):
    """(command, whether it succeeds) for the commands of the tool and of the compiler; app is the example with the
    slab."""
    page = open("README.md").read()
    file = re.search(r"^    (F=.*)$", page, re.M).group(1)
    for line in re.findall(r"^    ((?:echo|build/utet|cc) .*)$", page, re.M):
        command = re.sub(r"^cc ", compiler + " ", line.replace("build/utet", tool).replace("OUT.", folder + "/OUT."))
        command = command.replace(" app.c", f" {folder}/slab.c").replace("-o app", f"-o {folder}/app")
        ran = subprocess.run(["bash", "-c", file + "\n" + command], capture_output=True, timeout=300)
        yield line, ran.returncode == 0 and ran.stderr == b"" and (ran.stdout != b"" or " -o " in line)


def promised_tests():
    """(promise number, test) for each name in the section on trust, and the names that the suites have."""
    trust = open("src/README.md").read().split("## Trust")[1]
    promises = re.findall(r"^(\d+)\. (.*?)(?=^\d+\. |\Z)", trust, re.S | re.M)
    suites = "".join(open(name).read() for name in glob.glob("test/*/suite_*.c"))
    return ([(number, name) for number, text in promises for name in re.findall(r"`(\w+)`", text)],
            set(re.findall(r"cmocka_unit_test\w*\((\w+)", suites)))


def answers():
    """(fault or None, location) for each location that the table of the ten questions in src/README.md names."""
    page = open("src/README.md").read()
    table = re.findall(r"^\| (.*\?) \| (.*) \|$", page.split("## Ten questions")[1].split("\n## ")[0], re.M)
    sections = set(re.findall(r"^#+ ([\d.]+?)\.? ", open("src/tet/FORMAT.md").read(), re.M))
    reasons = set(re.findall(r"^#+ ([\d.]+?) ", open("src/DESIGN.md").read(), re.M))
    rules = set(re.findall(r"^(\d+)\. ", page.split("## Rules")[1], re.M))
    yield (None if len(table) == 10 else "%d questions" % len(table)), "ten questions"
    for question, answer in table:
        files = re.findall(r"(?<![\w.])((?:\w+/)*\w+\.(?:[ch]|md|tsv))\b", answer)
        folders = re.findall(r"(?<![\w/])((?:\w+/)+)(?!\w)", answer)
        text = ""
        for name in files + folders:
            found = [path for path in ("src/" + name, name) if os.path.exists(path)]
            yield (None if found else "is not there"), f"{question} {name}"
            inside = glob.glob(found[0] + "*.[ch]") + glob.glob(found[0] + "*/*.[ch]") if name in folders else found[:1]
            text += "".join(open(path).read() for path in inside) if found else ""
        for name in re.findall(r"`(\w+)", answer):
            if name != "make":
                there = re.search(rf"\b{name}" + (r"" if name.endswith("_") else r"\b"), text)
                yield (None if there else "is not in the files named beside it"), f"{question} {name}"
        known = reasons if "DESIGN.md §" in answer else sections
        for number in re.findall(r"§([\d.]*\d)", answer):
            yield (None if number in known else "no such section"), f"{question} §{number}"
        for number in re.findall(r"(?:[Rr]ule|promise) (\d+)", answer):
            yield (None if number in rules else "no such rule or promise"), f"{question} rule {number}"
    # only base/window.c calls the port
    callers = [path for path in glob.glob("src/**/*.c", recursive=True) if "io->read(" in open(path).read()]
    yield (None if callers == ["src/base/window.c"] else f"is called by {callers}"), "the port"


def alternatives():
    """The README's table of other decoders is the first one that `make bench-others` wrote."""
    readme = open("README.md").read().split("### Alternatives, measured")[1]
    tables = [re.search(r"(?:^\|.*\|\n)+", text, re.M).group(0) for text in (readme, open("test/results/others.md").read())]
    return tables[0] == tables[1] and tables[0].count("\n") > 3


def main():
    compiler, library, tool, folder = sys.argv[1:5]
    pages = "".join(open(name).read() for name in ("README.md", "port/README.md", "src/EXAMPLES.md"))
    blocks = {re.match(r"/\* example: (\w+) \*/", block).group(1): block
              for block in re.findall(r"```c\n(.*?)```", pages, re.S)}
    checks = {"smallest": (DEMO + "demo_tiny.tet", smallest),
              "slab": (DEMO + "demo_planet.tet", lambda out: slab(out, tool)),
              "waits": (DEMO + "demo_planet.tet", lambda out: waits(out, tool)),
              "fold": (DEMO + "demo_planet.tet", lambda out: fold(out, tool)),
              "schema": ("test/golden/tiledb/good/v22_evolve_5_expand_cd.schema", schema),
              # three tensors, whose preceders have n and units
              "messages": ("test/golden/tensogram/good/ref_stream_preceder.tgm", lambda out: out == "3 tensors, units: K\n"),
              # its last sector is not full, and contains the end of the footer
              "sectors": (DEMO + "demo_planet.tet", lambda out: out == "3 datasets, footer: no error\n" and os.path.getsize(DEMO + "demo_planet.tet") % 512),
              "port": (DEMO + "demo_planet.tet", lambda out: out == "3 datasets\n")}
    passed = failed = 0
    for name in sorted(set(blocks) | set(checks)):
        source, program = f"{folder}/{name}.c", f"{folder}/{name}"
        try:
            file, check = checks[name]
            open(source, "w").write(blocks[name])
            subprocess.run([compiler, *WARN, source, "port/posix/utet_posix.c", library, "-o", program], check=True)
            with open(file, "rb") as data:
                ran = subprocess.run([program, file], stdin=data, capture_output=True, text=True, timeout=60)
            lines = blocks[name].count("\n")
            good = ran.returncode == 0 and check(ran.stdout) and lines <= MOST_LINES[name]
            if not good:
                print(f"readme: {name}: {lines} lines, exit {ran.returncode}, printed:\n{ran.stdout}{ran.stderr}")
        except (KeyError, subprocess.CalledProcessError) as problem:
            print(f"readme: {name}: {problem!r}")
            good = False
        passed, failed = passed + good, failed + (not good)
    for line, good in commands(compiler, tool, folder):
        if not good:
            print(f"readme: does not work: {line}")
        passed, failed = passed + good, failed + (not good)
    named, known = promised_tests()
    for number, name in named:
        if name not in known:
            print(f"src/README.md: promise {number} names {name}, which is no test")
        passed, failed = passed + (name in known), failed + (name not in known)
    for fault, place in answers():
        if fault:
            print(f"src/README.md: ten questions: {place}: {fault}")
        passed, failed = passed + (not fault), failed + bool(fault)
    table = alternatives()
    if not table:
        print("README.md: the table of alternatives is not the first of test/results/others.md")
    passed, failed = passed + table, failed + (not table)
    stand = subprocess.run([sys.executable, "test/tools/readme_figures.py", "--check"]).returncode == 0
    passed, failed = passed + stand, failed + (not stand)
    print(f"{passed} passed, {failed} failed")
    return failed != 0 or passed == 0


sys.exit(main())
