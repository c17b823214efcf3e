#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""The form of the sources: style_test.py [--format]. One line for each fault; ends with "N passed, N failed".

No file of src/ has more than 500 lines and no function more than 60, no file of test/ more than 600; src/zstd has at most 30 preprocessor
conditionals; no rule is written as an octal string; no line is longer than 120 columns; every file states its licence; nothing cites
anything outside of the repository; each § and each deviation D1, D2, … that a source cites is in its component's page; no two files of src/
define the same name, so that they can be joined in one file (src/tools/amalgamate.py). --format: clang-format has nothing to change.
"""
import os
import re
import subprocess
import sys

from tree import tree

FILE_LINES, TEST_LINES, FUNCTION_LINES, COLUMNS, ZSTD_CONDITIONALS = 500, 600, 60, 120, 31
LICENSED = (".c", ".h", ".S", ".py", ".sh", ".mk")

FORMAT = "src/tet/FORMAT.md"
PAGES = {**dict.fromkeys("base container stream slab check meta show json utet.h utet_meta.h utet_check.h utet_show.h".split(), FORMAT),
         **dict.fromkeys(("tiledb", "utet_tiledb.h", "utet_tiledb_folder.h"), "src/tiledb/FORMAT.md"), "inflate": "src/inflate/FORMAT.md",
         **dict.fromkeys(("tensogram", "cbor", "utet_tensogram.h", "utet_tensogram_data.h", "utet_cbor.h"), "src/tensogram/FORMAT.md"),
         **dict.fromkeys(("szip", "utet_szip.h"), "src/szip/FORMAT.md")}

# Names that a source defines for itself: static functions and objects, constants of enums, types.
STATIC = re.compile(r"^(?:[A-Z_]+ )?(?:static|\w*INLINE)\b(?: __attribute__\(\([^)]*\)\))?[^;={(]*?\b(\w+)\s*(?=[\[({=;])", re.M)
ENUM = re.compile(r"^(?:typedef )?enum\b[^{;]*\{([^}]*)\}", re.M)
TYPE = re.compile(r"^typedef struct (\w+) \{.*?^\} (\w+);|^struct (\w+) \{|^typedef [^{;]*?\b(\w+)(?:\[[^;]*)?;|^\} (\w+)\[?[^;=]*[;=]", re.M | re.S)
KEYS = re.compile(r"^(?:static )?UTET_KEYS\((\w+)", re.M)
NO_NAMES = {"struct", "ZS_NAME"}  # of objects whose type has no name; of names that are put together
EITHER = re.compile(r"src/zstd/zstd_(words|unaligned)\w*\.h")  # a processor has one or the other

failed = []


def fault(where, what):
    failed.append(where)
    print(f"FAIL  {where}: {what}")


def functions(lines):
    """Pairs (first line, length) of blocks whose braces are in the first column."""
    begin = None
    for number, line in enumerate(lines, 1):
        if line == "{":
            begin = number
        elif line == "}" and begin is not None:
            yield begin, number - begin + 1
            begin = None


def numbers(page):
    """The sections of a page and its deviations, as a source may cite them."""
    with open(page, encoding="utf-8") as f:
        text = f.read()
    return set(re.findall(r"^#+ §?([\d.]*\d)\.? ", text, re.M)) | set(re.findall(r"^\| (D\d+) ", text, re.M))


def citations(path, lines):
    """Faults of a source that cites a section or deviation that its page does not have; sections of RFCs are not
    checked."""
    page = PAGES.get(path.split("/")[2 if path.startswith("src/tet/") else 1])
    known = numbers(page) if page else set()
    for number, line in enumerate(lines, 1):
        for other, section, deviation in re.findall(r"(RFC \d+[^§]*|DESIGN.md )?§(\d+(?:\.\d+)*)|\b(D\d{1,2})\b(?=[).,;])", line):
            if page and not other and (section or deviation) not in known:
                yield f"{path}:{number}", f"{page} has no {'§' + section if section else deviation}"


def unknown_types():
    """Types of the public headers without a number for utet_sizeof there; private ones are marked as such in their first
    comment."""
    for name in sorted(os.listdir("include")):
        with open("include/" + name, encoding="utf-8") as f:
            text = f.read()
        known = set(re.findall(r"\bUTET_OBJECT_(\w+) = \d", text))
        for comment, kind, rest in re.findall(r"(/\*(?:(?!\*/)[\s\S])*\*/\n)?^(?:typedef )?(?:struct|union) utet_(\w+) \{(.*)", text, re.M):
            if kind.upper() not in known and not re.match(r"/\* private", comment, re.I) and not re.search(r"/\* private", rest, re.I):
                yield f"include/{name}", f"utet_{kind} has no UTET_OBJECT_{kind.upper()}"


def own_names(text):
    """The names that only this source defines."""
    code = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
    names = set(STATIC.findall(code)) | set(KEYS.findall(code))
    for body in ENUM.findall(code):
        names.update(re.findall(r"(?:^|,)\s*(\w+)", body))
    for found in TYPE.findall(code):
        names.update(filter(None, found))
    return names - NO_NAMES


def twice(texts):
    """The names that two sources define."""
    users = {}
    for path, text in texts.items():
        for name in own_names(text):
            users.setdefault(name, []).append(path)
    for name, paths in sorted(users.items()):
        kinds = {found.group(1) if (found := EITHER.fullmatch(path)) else path for path in paths}
        if len(paths) > 1 and not (len(paths) == len(kinds) == 2 and kinds == {"words", "unaligned"}):
            yield paths[-1], f"{name} is also in {', '.join(paths[:-1])}"


def main():
    files = tree()
    for where, what in unknown_types():
        fault(where, what)
    conditionals = 0
    checked = 0
    sources = {}
    for path in filter(None, files):
        if not path.endswith(LICENSED + (".md", "Makefile", ".ld")):
            continue
        try:
            with open(path, encoding="utf-8") as f:
                text = f.read()
        except FileNotFoundError:
            continue
        lines = text.split("\n")
        checked += 1
        ours = path.startswith(("src/", "include/", "port/", "boards/"))
        if path.endswith(LICENSED) and "SPDX-License-" "Identifier: Apache-2.0" not in "\n".join(lines[:4]):
            fault(path, "no SPDX line")
        if ours and re.search(r"\.\./shared", text):
            fault(path, "cites a document outside of the repository")
        if path.startswith("test/") and path.endswith(LICENSED) and len(lines) - 1 > TEST_LINES:
            fault(path, f"{len(lines) - 1} lines")
        if not path.endswith((".c", ".h")):
            continue
        for number, line in enumerate(lines, 1):
            if len(line) > COLUMNS and not line.lstrip().startswith('"'):  # a text without a break
                fault(f"{path}:{number}", f"{len(line)} columns")
        if path.startswith(("src/", "include/")):
            for where, what in citations(path, lines):
                fault(where, what)
        if path.startswith("src/"):
            sources[path] = text
            if len(lines) - 1 > FILE_LINES:
                fault(path, f"{len(lines) - 1} lines")
            for number, line in enumerate(lines, 1):
                if re.search(r'"[^"\n]*\\([1-7]|0[0-7])', line):
                    fault(f"{path}:{number}", "octal string")
            for begin, length in functions(lines):
                if length > FUNCTION_LINES:
                    fault(f"{path}:{begin}", f"a function of {length} lines")
        if path.startswith("src/zstd/"):
            conditionals += len(re.findall(r"^\s*#\s*(?:if|ifdef|ifndef|elif|else)\b", text, re.M))
            conditionals -= 1 if path.endswith(".h") else 0  # the include guard
    for where, what in twice(sources):
        fault(where, what)
    print(f"figure: {len(set().union(*map(own_names, sources.values())))} names that files of src/ define for themselves")
    if conditionals > ZSTD_CONDITIONALS:
        fault("src/zstd", f"{conditionals} conditionals")
    print(f"figure: {conditionals} preprocessor conditionals in src/zstd")
    if "--format" in sys.argv:
        formatted = [path for path in files if path.endswith((".c", ".h"))]
        done = subprocess.run(["clang-format", "--dry-run", "-Werror"] + formatted, capture_output=True, text=True, check=False)
        checked += len(formatted)
        for line in done.stderr.split("\n"):
            if ": error:" in line:
                fault(line.split(": error:")[0], "clang-format: make format")
    print(f"{checked - len(set(failed))} passed, {len(set(failed))} failed")
    return 1 if failed else 0


sys.exit(main())
