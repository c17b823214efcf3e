#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""The API reference (make reference): reference_test.py CC HTML MAN OUT. Ends with "N passed, N failed[, N skipped]".

The calls are those that the compiler sees in the headers. The statuses of a call are the nearest "Returns:" list before
its declaration. Each call has a section in a page of HTML and a manual page of its own in MAN, both with exactly these
statuses. `man` has no warning about any manual page. A header without comments, or with wrong lists, is refused.
"""
import glob
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tools"))
from tally import check, end, skip  # noqa: E402


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


def compiled_calls(compiler):
    """The functions that the headers declare, without comments and macros, as the compiler sees them."""
    source = "".join(f'#include "{os.path.basename(path)}"\n' for path in sorted(glob.glob("include/*.h")))
    text = subprocess.run([compiler, "-Iinclude", "-E", "-P", "-x", "c", "-"], input=source, capture_output=True, text=True, check=True).stdout
    depth, outer = 0, ""
    for character in text:
        depth += (character == "{") - (character == "}")
        outer += character if depth == 0 and character != "}" else ""
    return {match.group(1) for statement in outer.split(";") if "typedef" not in statement
            for match in [re.search(r"\b(utet_\w+)\s*\(", statement)] if match}


def promised(calls):
    """The list of statuses before the declaration of each call, or None."""
    lists = {}
    for path in glob.glob("include/*.h"):
        text = read(path)
        for match in re.finditer(r"^(\w[\w *]*?)\b(utet_\w+)\(", text, re.M):
            if match.group(2) in calls:
                start = text.rfind("Returns: ", 0, match.start())
                found = re.sub(r"\s*\n \*\s*", " ", text[start + 9:text.find("*/", start)]).strip()
                lists[match.group(2)] = found.split(", ") if match.group(1).strip() == "utet_status" else None
    return lists


def sections(page):
    """For each call of a page of HTML, the first cells of the table in its section."""
    found = {}
    for section in re.findall(r"<section.*?</section>", page, re.S):
        listed = re.findall(r"<tr>\s*<td[^>]*>(?:<[^>]*>)*([^<]*)", section)
        for call in re.findall(r'<span[^>]* id="(\w+)"', section):
            found[call] = listed
    return found


def html_pages(folder, lists):
    pages = {os.path.basename(path): read(path) for path in sorted(glob.glob(folder + "/*.html"))}
    have = {call: statuses for page in pages.values() for call, statuses in sections(page).items()}
    for call, wanted in sorted(lists.items()):
        want = ["UTET_" + name for name in wanted] if wanted and wanted != ["status"] else []
        check(f"{call}: the page has {have.get(call)}, the header {want}", have.get(call) == want)
    check(f"pages for what is no call: {sorted(set(have) - set(lists))}", set(have) == set(lists))
    check("a header has no page", {os.path.basename(path) for path in glob.glob("include/*.h")} <= {name.replace(".html", ".h") for name in pages})
    check("the index lacks a call", set(lists) <= set(re.findall(r">(utet_\w+)</a>", pages["index.html"])))


def manual_pages(folder, lists):
    for call, wanted in sorted(lists.items()):
        path = f"{folder}/{call}.3"
        text = read(path) if os.path.exists(path) else ""
        have = re.findall(r"^\.TP\n\.B UTET_(\w+)\n(?=\S)", text, re.M)
        check(f"{call}.3: has {have}, the header {wanted}",
              text.startswith(f".TH {call.upper()} 3 ") and f"\n{call}" in text and have == (wanted if wanted != ["status"] else []) or
              (wanted is None and text and not have))
    if not shutil.which("man"):
        skip("reference: man: there is no man")
        return
    pages = sorted(glob.glob(folder + "/*.3"))
    done = subprocess.run(["man", "--warnings", "-E", "UTF-8", "-l"] + pages, capture_output=True, text=True, check=False,
                          env={**os.environ, "MANWIDTH": "80", "MANPAGER": "cat", "LC_ALL": "C.UTF-8"})
    check("man: " + done.stderr[:500], done.returncode == 0 and not done.stderr)
    shown = re.sub(r".\x08", "", done.stdout)
    check(f"man shows {shown.count(chr(10) + 'NAME' + chr(10))} of {len(pages)} pages", shown.count("\nNAME\n") == len(pages))


def refusals(out):
    """Headers with a fault in one call: reference.py reports which."""
    good = "/* SPDX-License-" "Identifier: Apache-2.0 */\n/* A header. */\nenum {\n    UTET_OK = 0, /* fine */\n    UTET_E_PORT = -256\n};\n\n/*\n * Does it.\n * Returns: OK\n */\nutet_status utet_do(int x);\n"
    cases = {"": (good, None), "list": (good.replace(" * Returns: OK\n", ""), "utet_do: its comment does not end"),
             "unknown": (good.replace("Returns: OK", "Returns: OK, E_NEW"), "utet_do: E_NEW is not a status"),
             "comment": (good.replace("/*\n * Does it.\n * Returns: OK\n */\n", ""), "utet_do: no comment"),
             "type": (good.replace("utet_status utet_do", "int utet_do"), "utet_do: a list of statuses, but it returns int")}
    for name, (text, fault) in cases.items():
        with open(out + "/utet_case.h", "w", encoding="utf-8") as f:
            f.write(text)
        done = subprocess.run([sys.executable, "src/tools/reference.py", out + "/case", out + "/case", out + "/utet_case.h"],
                              capture_output=True, text=True, check=False)
        check(f"a header with a fault ({name}): {done.returncode} {done.stderr}",
              (done.returncode == 0) if fault is None else (done.returncode != 0 and fault in done.stderr))


def main():
    compiler, pages, manuals, out = sys.argv[1:5]
    os.makedirs(out, exist_ok=True)
    calls = compiled_calls(compiler)
    lists = promised(calls)
    check(f"{len(calls)} calls, declarations missing: {sorted(calls - set(lists))}", len(calls) >= 150 and set(lists) == calls)
    html_pages(pages, lists)
    manual_pages(manuals, lists)
    refusals(out)
    print(f"figure: {len(calls)} calls, {sum(len(statuses or ()) for statuses in lists.values())} pairs of call and status in the reference")
    return end()


sys.exit(main())
