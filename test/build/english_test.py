#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""Plain English in comments, texts of the tool, and pages: english_test.py [--list | --lower]. Ends with "N passed, N failed".

FAULTS are phrases that trip up a native speaker; hardly any use of them is right. REVIEW are words that are often wrong. The third
number counts lines of a page's paragraphs longer than 120 characters. english.tsv holds a ceiling for each file and number; a file that is
not listed has the ceilings 0, 0 and 0. A count above its ceiling fails. --list prints each line found; --lower lowers the ceilings to the
counts, and never raises one.
"""
import os
import re
import sys

from tree import tree

CEILINGS = "test/build/english.tsv"
COLUMNS = 120
FAULTS = {
    "told": r"\b(is|are|be|was|were|been) told\b|\btells? of\b|\btold whole\b",
    "idiom": r"\b(reckon(ed|s)?|dearer|hangs? on|makes? do with|little of much|likewise|by turns)\b|(hold(s|ing)?|held) (it |them )?against",
    "whoever": r"\b[Ww]hoever\b|\b[Ww]ho (asks|wants|has|decodes|trusts|carries|reads|writes|gets|takes|knows)\b|, who\b",
    "so many": r"\bso (many|much|often)\b",
    "would do": r"\b(would|will) do\b|\bdoes as well\b",
    "one a": r"\b(a|one) (bit|line|row|file|cell|word|pass|suite|box|folder|number|record|component) a [a-z]+",
    "one behind": r"\bone (behind|after) the other\b",
    "is no": r"\b(it|that|this|which|what|value|data|they|text|file|name|chunk|%s) (is|are) no [a-z]+|\bno [a-z]+ of (a|any|the)\b",
    "under way": r"\bunder way\b",
    "go on": r"\b(go|goes|going|went) on\b",
    "lend": r"\b(lend|lends|lent|lending)\b",
    "passed over": r"\b(pass|passes|passed) (over|by)\b|\bpassed it by\b",
    "to be": r"\b[Tt]o be (called|freed|ended|read|made|kept|taken|given|written|opened|told)\b|\bis to be\b|\bare to be\b",
    "words for text": r"\b(own|reference's|its|their|no|with) words\b|without a word|[Ww]ords of\b",
    "of fragment": r"/\* (of|for|in|to|from|with|by) (the|a|an|its|all|each|one|that|what|every|which|it|them|this|those)\b",
    "of that": r"(^|[,;:(] ?|/\* ?)of (that|them|it|these|those|which)\b",
    "stretch": r"\b(stretch|stretches)\b",
    "not %s": r'"[^"]*, not (more|%s|%u)',
}
REVIEW = {
    "behind": r"\bbehind\b",
    "lies": r"\b(lies?|lying|lay)\b",
    "stands": r"\b(stands?|standing|stood)\b",
    "place": r"\bplaces?\b",
    "least": r"\bgreatest\b|\b(the|a|of|its|than) least\b|\bleast (and|that|of|bytes|memory|value|one|key|place|element)\b",
    "most": r"\b(/\* |[Tt]he )most [a-z]+ (of|that|a)\b|\bmost bytes\b|[0-9K] at most\b",
    "what": r"(^|[.;:,(|] ?|/\* )[Ww]hat (is|are|was|were|has|have|does|do|comes?|belongs|lies|stands|becomes?|ends|remains|follows?|no|a|an|the|it|they|"
            r"there|reading|utet|all)\b",
    "whether": r"/\* (Whether|Where|Who) ",
    "beside": r"\b(besides|beside)\b|, too\b",
}
FAULTS, REVIEW = ({name: re.compile(text) for name, text in table.items()} for table in (FAULTS, REVIEW))


def page(lines):
    """The lines of a page that are not code: pairs (number, text)."""
    code = False
    for number, line in enumerate(lines, 1):
        if line.startswith("```"):
            code = not code
        elif not code and not line.startswith("    "):
            yield number, line


def source(lines):
    """Comments, and texts that contain blanks."""
    comment = False
    for number, line in enumerate(lines, 1):
        begin = line.find("/*")
        if comment or begin >= 0:
            yield number, line if comment else line[begin:]
            comment = (comment or begin >= 0) and "*/" not in line[max(begin, 0):]
        elif re.search(r'"[^"]* [^"]*"', line) and "#include" not in line:
            yield number, line[line.find('"'):line.rfind('"') + 1]


def counts(path, out=None):
    with open(path, encoding="utf-8") as f:
        lines = f.read().split("\n")
    found = [0, 0, 0]
    for number, text in (page if path.endswith(".md") else source)(lines):
        for kind, table in enumerate((FAULTS, REVIEW)):
            for name, pattern in table.items():
                if pattern.search(text):
                    found[kind] += 1
                    if out:
                        print(f"{path}:{number}: {('fault', 'review')[kind]}, {name}: {text.strip()}", file=out)
        if path.endswith(".md") and len(text) > COLUMNS and not text.startswith("|"):
            found[2] += 1
            if out:
                print(f"{path}:{number}: {len(text)} characters", file=out)
    return found


def main():
    ceilings = {}
    with open(CEILINGS, encoding="utf-8") as f:
        for line in f:
            if line.strip() and not line.startswith("#"):
                path, *numbers = line.rstrip("\n").split("\t")
                ceilings[path] = [int(n) for n in numbers]
    paths = sorted(p for p in tree() if os.path.exists(p) and
                   (p.endswith(".md") or p.startswith(("src/", "include/", "boards/", "port/")) and p.endswith((".c", ".h"))))
    passed = failed = 0
    sums, lowered = [0, 0, 0], {}
    for path in paths:
        found = counts(path, sys.stdout if "--list" in sys.argv else None)
        ceiling = ceilings.get(path, [0, 0, 0])
        sums = [a + b for a, b in zip(sums, found)]
        lowered[path] = [min(a, b) for a, b in zip(found, ceiling)]
        above = [f"{n} {what}, at most {most}" for n, most, what in zip(found, ceiling, ("faults", "words to review", "long lines")) if n > most]
        if above:
            failed += 1
            print(f"FAIL  {path}: {'; '.join(above)} (english_test.py --list shows them)")
        else:
            passed += 1
    if "--lower" in sys.argv:
        with open(CEILINGS, "w", encoding="utf-8") as f:
            f.write("# Ceilings of english_test.py for each file: faults, words to review, long lines of a page. They only go down.\n")
            for path, numbers in lowered.items():
                if any(numbers):
                    f.write(path + "\t" + "\t".join(map(str, numbers)) + "\n")
    print("figure: English: %d faults, %d words to review, %d long lines of pages" % tuple(sums))
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


sys.exit(main())
