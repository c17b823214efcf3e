#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""Joins sources into one C file and one header: amalgamate.py OUT-FOLDER [PACKAGE…]

    utet.c, utet.h                       the reader of .tet files: every call of it, with our zstd decoder
    NAME/utet_NAME.c, NAME/utet_NAME.h   each package of src/packages.mk with those that it stands on, alone

With packages named, only utet.c and utet.h: these packages in one file, for programs that use several.
Each source keeps its text. Headers are put in where they are first included, those without a guard each time. What two sources call by
the same name (static functions and objects, constants of enums) gets the source's name in front; macros of a source end with it.
"""
import os
import re
import sys

from packages import Packages

# Headers that are named by a macro, one for each kind of processor.
BY_PROCESSOR = re.compile(r"^\s*#\s*include\s+ZS_(LITERALS)$")
# What is no fault of one file: functions of headers that this machine has no use for, names that were in two files.
QUIET = """#ifdef __GNUC__
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wshadow"
#endif"""
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"')
GUARD = re.compile(r"^#ifndef (UTET_\w+_H)$", re.M)
STATIC = re.compile(r"^(?:[A-Z_]+ )?(?:static|\w*INLINE)\b(?: __attribute__\(\([^)]*\)\))?[^;={(]*?\b(\w+)\s*(?=[\[({=;])", re.M)
ENUM = re.compile(r"^(?:typedef )?enum\b[^{;]*\{([^}]*)\}", re.M)
TYPE = re.compile(r"^typedef struct (\w+) \{.*?^\} (\w+);|^struct (\w+) \{|^typedef [^{;]*?\b(\w+)(?:\[[^;]*)?;|^\} (\w+)\[?[^;=]*[;=]", re.M | re.S)
MACRO = re.compile(r"^\s*#\s*define\s+(\w+)", re.M)
COMMENT = re.compile(r"/\*.*?\*/", re.S)


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


def local_names(text):
    """What a source defines for itself alone."""
    code = COMMENT.sub(" ", text)
    names = set(STATIC.findall(code)) | set(re.findall(r"^(?:static )?UTET_KEYS\((\w+)", code, re.M))
    for body in ENUM.findall(code):
        names.update(re.findall(r"(?:^|,)\s*(\w+)", body))
    for found in TYPE.findall(code):
        names.update(filter(None, found))
    return names


def renamed(text, names, prefix):
    """`names` outside of members, texts and comments with `prefix` in front."""
    def word(match):
        if match.group(1) is not None:
            return match.group(0)
        return prefix + match.group(2) if match.group(2) in names else match.group(0)

    skipped = r'/\*.*?\*/|"(?:\\.|[^"\\\n])*"|(?:\.|->)\s*[A-Za-z_]\w*|^\s*#\s*include[^\n]*'
    return re.sub(rf"({skipped})|\b([A-Za-z_]\w*)\b", word, text, flags=re.S | re.M)


class Joined:
    """One C file that is being put together."""

    def __init__(self, paths):
        self.seen = set()
        self.files = [(path, self.parts(path)) for path in paths]
        users = {}
        for path, parts in self.files:
            for name in local_names(self.own(parts)):
                users.setdefault(name, []).append(path)
            for shared, text in parts:
                for name in local_names(text) if shared else ():
                    users.setdefault(name, []).append("a header")
        self.twice = {name for name, where in users.items() if len(set(where)) > 1}

    @staticmethod
    def own(parts):
        return "\n".join(text for shared, text in parts if not shared)

    def parts(self, path, shared=False):
        """A file with its includes put in: pairs (from a header with a guard, text)."""
        out = []
        for line in read(path).split("\n"):
            either = BY_PROCESSOR.match(line)
            found = INCLUDE.match(line)
            if either:
                name = f"src/zstd/zstd_%s_{either.group(1).lower()}.h"
                out += [(shared, "#if UTET_ZSTD_ALIGNED"), *self.parts(name % "words", shared), (shared, "#else"),
                        *self.parts(name % "unaligned", shared), (shared, "#endif")]
            elif not found:
                out.append((shared, line))
            else:
                inner = os.path.normpath(os.path.join(os.path.dirname(path), found.group(1)))
                guarded = os.path.exists(inner) and GUARD.search(read(inner))
                if os.path.exists(inner) and not (guarded and inner in self.seen):  # else public: stands first
                    self.seen.add(inner)
                    out += self.parts(inner, shared or bool(guarded))
        together = []
        for kind, text in out:
            if together and together[-1][0] == kind:
                together[-1] = (kind, together[-1][1] + "\n" + text)
            else:
                together.append((kind, text))
        return together

    def text(self, name):
        out = [f"/* {name[:-2]}.c of microtet, joined by src/tools/amalgamate.py. */", f'#include "{name}"', "", QUIET, ""]
        for path, parts in self.files:
            own = self.own(parts)
            prefix = os.path.basename(path)[:-2] + "_c_"
            names = local_names(own) & self.twice
            if path.startswith("src/zstd/"):  # names that are put together by ZS_NAME
                names |= set(re.findall(r"\b(?:packed|tables)_\w*", own))
            out.append(f"/* ==== {path} ==== */")
            out += [text if shared else renamed(text, names, prefix) for shared, text in parts]
            out += [f"#undef {macro}" for macro in sorted(set(MACRO.findall(COMMENT.sub(" ", own))))]
        return "\n".join(out) + "\n"


def header(names):
    """Public headers as one."""
    text = "".join(read("include/" + name) for name in names)
    return "\n".join(line for line in text.split("\n") if not re.match(r'#include "utet', line))


def write(path, text):
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)


def join(folder, name, packages, chosen, more=()):
    """The chosen packages and those that they stand on: folder/name.c and folder/name.h."""
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
