#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""Joins sources into one C file and one header: amalgamate.py OUT-FOLDER [PACKAGE…]

    utet.c, utet.h                       the reader of .tet files: all its calls, with the built-in zstd decoder
    NAME/utet_NAME.c, NAME/utet_NAME.h   each package of src/packages.mk with its dependencies

With packages named, only utet.c and utet.h: these packages in one file, for programs that use several.
Each source keeps its text: no two sources define the same name (test/build/style_test.py). Headers are inserted where they are
first included, those without a guard each time; macros of a source end with it.
"""
import os
import re
import sys

from packages import Packages

# Headers that are named by a macro, one for each kind of processor.
BY_PROCESSOR = re.compile(r"^\s*#\s*include\s+ZS_(LITERALS)$")
# Warnings that are no faults of a joined file: functions of headers that this machine does not use, locals named like a
# static function.
QUIET = """#ifdef __GNUC__
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wshadow"
#endif"""
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"')
GUARD = re.compile(r"^#ifndef (UTET_\w+_H)$", re.M)
MACRO = re.compile(r"^\s*#\s*define\s+(\w+)", re.M)
COMMENT = re.compile(r"/\*.*?\*/", re.S)


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


class Joined:
    """One C file that is being put together."""

    def __init__(self, paths):
        self.seen = set()
        self.files = [(path, self.lines(path)) for path in paths]

    def lines(self, path):
        """A file with its includes inserted."""
        out = []
        for line in read(path).split("\n"):
            either = BY_PROCESSOR.match(line)
            found = INCLUDE.match(line)
            if either:
                name = f"src/zstd/zstd_%s_{either.group(1).lower()}.h"
                out += ["#if UTET_ZSTD_ALIGNED", *self.lines(name % "words"), "#else", *self.lines(name % "unaligned"), "#endif"]
            elif not found:
                out.append(line)
            else:
                inner = os.path.normpath(os.path.join(os.path.dirname(path), found.group(1)))
                guarded = os.path.exists(inner) and GUARD.search(read(inner))
                if os.path.exists(inner) and not (guarded and inner in self.seen):  # else public: stands first
                    self.seen.add(inner)
                    out += self.lines(inner)
        return out

    def text(self, name):
        out = [f"/* {name[:-2]}.c of microtet, joined by src/tools/amalgamate.py. */", f'#include "{name}"', "", QUIET, ""]
        for path, lines in self.files:
            out += [f"/* ==== {path} ==== */", *lines]
            out += [f"#undef {macro}" for macro in sorted(set(MACRO.findall(COMMENT.sub(" ", read(path)))))]
        return "\n".join(out) + "\n"


def header(names):
    """Public headers as one."""
    text = "".join(read("include/" + name) for name in names)
    return "\n".join(line for line in text.split("\n") if not re.match(r'#include "utet', line))


def write(path, text):
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)


def join(folder, name, packages, chosen, more=()):
    """The chosen packages and their dependencies: folder/name.c and folder/name.h."""
    os.makedirs(folder, exist_ok=True)
    paths = list(more) + packages.sources(*packages.all(*chosen))
    paths += [path for package in chosen for path in packages.files[package] if path not in paths]
    write(os.path.join(folder, name + ".h"), header(packages.headers(*chosen)))
    write(os.path.join(folder, name + ".c"), Joined(paths).text(name + ".h"))


def main():
    folder, chosen = sys.argv[1], sys.argv[2:]
    packages = Packages()
    join(folder, "utet", packages, chosen or ["tet"], ["src/abi/sizes.c"])
    for name in packages.names if not chosen else ():
        join(os.path.join(folder, name), "utet_" + name, packages, [name])


main()
