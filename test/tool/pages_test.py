#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""The pages for newcomers: every ```sh block of boards/host/CARD.md, src/TETRATION.md and src/CALLS.md is run, in order, in
a folder of its own, and must end well; the C examples of CALLS.md are compiled and run. pages_test.py CC LIBRARY BOARDS"""
import os
import re
import subprocess
import sys

from harness import ROOT, SCRATCH, TOOL, check, scratch, summary

PAGES = ["boards/host/CARD.md", "src/TETRATION.md", "src/CALLS.md"]
COMPILER, LIBRARY, BOARDS = sys.argv[1], os.path.abspath(sys.argv[2]), os.path.abspath(sys.argv[3])
TOP = os.path.join(ROOT, "..")


def page(name):
    with open(os.path.join(TOP, name), encoding="utf-8") as file:
        return file.read()


# Debian's Python has NumPy.
environment = dict(os.environ, PATH="%s:/usr/bin:%s" % (os.path.dirname(TOOL), os.environ["PATH"]), BOARDS=BOARDS,
                   GOLDEN=os.path.join(ROOT, "golden", "demo"), TET_CARD=SCRATCH)
for name in PAGES:
    blocks = re.findall(r"```sh\n(.*?)```", page(name), re.S)
    check(name + ": has commands", blocks or name == "src/CALLS.md")
    for number, block in enumerate(blocks):
        done = subprocess.run(["bash", "-euo", "pipefail", "-c", block], cwd=SCRATCH, env=environment,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120)
        check("%s: block %d" % (name, number), done.returncode == 0, done.stdout.decode("utf-8", "replace"))
    for link in re.findall(r"\]\(([^)#]+)\)", page(name)):
        check("%s: link %s" % (name, link), os.path.exists(os.path.join(TOP, os.path.dirname(name), link)))

# Commands in running text, in code and in messages: each command exists, and has the options that are named.
KNOWN = {command: set(re.findall(r"(?<!\w)(--?[a-z0-9-]+)", subprocess.run([TOOL, "help", command], stdout=subprocess.PIPE).stdout.decode()))
         for command in re.findall(r"^  (\w+) +[A-Z]", subprocess.run([TOOL, "--help"], stdout=subprocess.PIPE).stdout.decode(), re.M) + ["help"]}


def known(where, words):
    words = words.split()
    right = words[0] in KNOWN or words[0].startswith("-")
    options = [word.split("=")[0].rstrip(",.;)`'") for word in words[1:] if re.match("--?[a-z0-9]", word)] if right and words[0] in KNOWN else []
    missing = [option for option in options if option not in KNOWN[words[0]]]
    check("%s: utet %s" % (where, " ".join(words)), right and not missing, missing)


listing = subprocess.run(["git", "ls-files", "*.md", "boards/host/*.c", "boards/host/*/*.c"], cwd=TOP, stdout=subprocess.PIPE).stdout.decode().split()
for name in listing or [os.path.relpath(os.path.join(folder, file), TOP) for folder, _, files in os.walk(os.path.join(TOP, "boards"))
                        for file in files if file.endswith((".md", ".c"))]:
    if name.startswith("test/") or name == "src/ADD.md":  # its example is a command that does not exist yet; add_test.py makes it
        continue
    found = re.findall(r"`(?:build/)?utet ([a-z][^`]*)`" if name.endswith(".md") else r'"[^"\n]*\butet ((?:%s) [^"\n)]*)' % "|".join(KNOWN), page(name))
    for words in found:
        known(name, words.split(" (")[0].split("\\n")[0])



def example(name):
    """Compiles the example of CALLS.md and returns what it prints for demo_planet.tet."""
    with open(scratch(name + ".c"), "w", encoding="utf-8") as file:
        file.write(re.search(r"```c\n(/\* example: %s \*/.*?)```" % name, page("src/CALLS.md"), re.S).group(1))
    built = subprocess.run([COMPILER, "-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-D_FILE_OFFSET_BITS=64",
                            "-Iinclude", "-Iport/posix", scratch(name + ".c"), "port/posix/utet_posix.c", LIBRARY, "-o",
                            scratch(name)], cwd=TOP, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    check(name + ": compiles", built.returncode == 0, built.stdout.decode("utf-8", "replace"))
    planet = os.path.join(environment["GOLDEN"], "demo_planet.tet")
    return subprocess.run([scratch(name), planet], stdout=subprocess.PIPE).stdout.decode()


printed = example("calls")
ways = re.findall(r"^(\w+) +(\d+) reads, +(\d+) bytes of workspace, status 0$", printed, re.M)
check("calls: three ways", [way[0] for way in ways] == ["load", "stream", "slab"], printed)
print("figure: " + "; ".join("%s %s reads, %s bytes" % way for way in ways))
shown = re.search(r"```text\n(load.*?)```", page("src/CALLS.md"), re.S).group(1)
check("calls: what the page shows", printed == shown, printed)
check("calls: loading needs least", int(ways[0][2]) <= min(int(ways[1][2]), int(ways[2][2])), ways)
printed = example("turns")
check("turns: what the page shows", "```text\n%s```" % printed in page("src/CALLS.md"), printed)
check("turns: the tiles of three datasets", " %d bytes of tiles" % (4 * (2048 + 16) + 4 * (1024 + 16) + 1536 + 16) in printed, printed)
check("turns: no more than the file", int(printed.split()[0]) <= os.path.getsize(os.path.join(environment["GOLDEN"], "demo_planet.tet")), printed)
readme = page("README.md")
check("linked from the first screen", all(name in readme[:4500] for name in PAGES), PAGES)
summary()
