#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""Which functions of src/ are under EVA or WP: compares test/eva/functions.tsv with the sources and with the logs of the runs.

    functions.py check    what runs after `make eva`: each function of the table is in the sources and in the log of its
                          part; for all others README.md has a reason
    functions.py write    makes the table again from the logs; parts without a log of each of their models keep the functions that they had

A function counts for a part when the part's harness includes the file that defines it (gcc -E says so, and which name
it has there) and EVA's log has its values; for a part of WP, when wp.sh names it and all goals of the part
were proved. A missing log (`make wp` and `make eva-tensogram` run by hand) is named. Reasons: the rows of README.md's table "What is
not analysed", by the longest path that fits."""
import glob
import os
import re
import subprocess
import sys
import tempfile

LOGS = os.path.join(os.environ.get("BUILD", "build"), "test/log/eva")
HERE = os.path.dirname(os.path.abspath(__file__))
TABLE = os.path.join(HERE, "functions.tsv")
NAME = re.compile(r"\b((?:ZS_NAME|ZS_GLOBAL)\(\w+\)|\w+)\s*\(")


def heads(lines):
    """The functions that these lines define: the name before a brace at the beginning of a line."""
    for brace, line in enumerate(lines):
        if line != "{":
            continue
        at, head = brace, ""
        while at > 0 and lines[at - 1] and lines[at - 1][0] not in "#}/ \t" and not lines[at - 1].endswith((";", "*/")):
            head = lines[at - 1] + " " + head
            at -= 1
        if not head and at > 0:  # a long list of arguments continues in a second line
            while lines[at - 1].startswith((" ", "\t")):
                head = lines[at - 1] + head
                at -= 1
            head = lines[at - 1] + head
        found = [n for n in NAME.findall(head) if n not in ("__attribute__", "ZS_LIKELY", "ZS_NAME", "ZS_GLOBAL")]
        if found:
            yield brace, found[0]


def functions(path):
    """The names of the functions that a file defines."""
    return (name for _, name in heads(open(path, encoding="utf-8").read().split("\n")))


def of_sources():
    return {(path, name) for path in sorted(glob.glob("src/**/*.[ch]", recursive=True)) for name in functions(path)}


def spellings(name):
    inner = re.match(r"ZS_(NAME|GLOBAL)\((\w+)\)", name)
    if not inner:
        return {name}
    before = "" if inner.group(1) == "NAME" else "utet_zs_"
    return {before + layout + inner.group(2) for layout in ("tables_", "packed_")}


def included(harness, define):
    """The files that a harness includes."""
    made = subprocess.run(["gcc", "-MM", "-MG", "-Iinclude", "-Isrc", "-Itest/eva", define, "-U__GNUC__", "-U__SIZEOF_INT128__", harness],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    return {os.path.normpath(f) for f in made.stdout.replace("\\\n", " ").split()[1:]}


def defined(harness, define):
    """The functions of src/ that a part's harness includes, (file, name): the names that they have there. A harness may
    rename them, since files of src/ have static functions of the same name."""
    with tempfile.TemporaryDirectory() as folder:
        open(os.path.join(folder, "__fc_builtin.h"), "w", encoding="utf-8").close()
        made = subprocess.run(["gcc", "-E", "-Iinclude", "-Isrc", "-Itest/eva", "-I" + folder, define, "-U__GNUC__", "-U__SIZEOF_INT128__", harness],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True).stdout.split("\n")
    places, path, number = [], "", 0
    for line in made:
        mark = re.match(r'# (\d+) "(.*?)"', line)
        if mark:
            path, number = os.path.normpath(mark.group(2)), int(mark.group(1)) - 1
        else:
            number += 1
        places.append((path, number))
    there, names = {}, {}
    for brace, name in heads(made):
        path, number = places[brace]
        if not path.startswith("src/"):
            continue
        if path not in names:
            names[path] = {at + 1: n for at, n in heads(open(path, encoding="utf-8").read().split("\n"))}
        there.setdefault((path, names[path][number]), set()).add(name)
    return there


def proofs():
    """Each part of WP: the files that its harness includes, the functions that wp.sh names."""
    script = open(os.path.join(HERE, "wp.sh"), encoding="utf-8").read()
    for name, part, named in re.findall(r"^    ([a-z0-9]+)-(\d)\) echo (\S+) ;;", script, re.M):
        yield "wp-%s-%s" % (name, part), included(os.path.join(HERE, "wp_%s.c" % name), "-DWP_PART=" + part), named.split(",")


def proved(log):
    goals = re.search(r"^\[wp\] Proved goals: +(\d+) / (\d+)$", log, re.M)
    return goals and goals.group(1) == goals.group(2)


def parts():
    """Each part, its models, and the functions of src/ that it includes."""
    for harness in sorted(glob.glob("test/*/eva_*.c")):
        head = re.search(r"^ \* eva\.sh: (\d+) parts?, (.*)$", open(harness, encoding="utf-8").read(), re.M)
        for part in range(1, int(head.group(1)) + 1):
            yield "%s-%d" % (os.path.basename(harness)[4:-2], part), head.group(2).split(", "), defined(harness, "-DEVA_PART=%d" % part)


def inlined(part):
    """Functions that the part's options replace at their calls: EVA's log has no values of their own."""
    options = subprocess.run([os.path.join(HERE, "eva.sh")] + part.split("-"), env=dict(os.environ, EVA_OPTIONS="1"),
                             capture_output=True, text=True, check=True).stdout
    names = re.search(r"-inline-calls (\S+)", options)
    return set(names.group(1).split(",")) if names else set()


def passed(log):
    """What eva.sh takes for a part that passed."""
    return ("\n  0 alarms generated" in log and "100% of the logical properties" in log
            and not re.search("eva:alarm|Frama-C aborted", log))


def analysed(all_functions):
    """{function: parts} of the existing logs; the parts that lack a log of one of their models, and what they could
    have."""
    found, without = {}, {}
    for part, models, there in parts():
        logs = [os.path.join(LOGS, "%s-%s.log" % (part, model)) for model in models]
        logs = [open(log, encoding="utf-8", errors="replace").read() for log in logs if os.path.exists(log)]
        logs = [log for log in logs if passed(log)]
        reached = {name for log in logs for name in re.findall(r"Values at end of function (\w+):", log)}
        if logs:
            reached |= inlined(part)
        if len(logs) != len(models):  # a function may be there on one model alone
            without[part] = set(there)
        for f, names in there.items():
            if reached & names:
                found.setdefault(f, set()).add(part)
    for part, files, named in proofs():
        logs = [open(log, encoding="utf-8", errors="replace").read() for log in glob.glob(os.path.join(LOGS, part + "-*.log"))]
        here = {f for f in all_functions if f[0] in files and any(n in spellings(f[1]) for n in named)}
        if not logs:
            without[part] = here
        for f in here if logs and all(proved(log) for log in logs) else ():
            if all(any("annotating function %s\n" % n in log for n in spellings(f[1])) for log in logs):
                found.setdefault(f, set()).add(part)
    return found, without


def table():
    rows = {}
    for line in open(TABLE, encoding="utf-8"):
        if line.strip() and not line.startswith("#"):
            path, name, by = line.rstrip("\n").split("\t")
            rows[path, name] = set(by.split()) - {"-"}
    return rows


def reasons():
    """Paths, and why their functions are not analysed, from the page's table."""
    page = open(os.path.join(HERE, "README.md"), encoding="utf-8").read().split("## What is not analysed", 1)[1]
    return dict(re.findall(r"^\| `(src/[\w/.]*)` \| (.+?) \|$", page, re.M))


def write():
    found, without = analysed(of_sources())
    old = table() if os.path.exists(TABLE) else {}
    with open(TABLE, "w", encoding="utf-8") as out:
        out.write("# SPDX-FileCopyrightText: the microtet authors\n# SPDX-License-Identifier: Apache-2.0\n"
                  "# file, function, parts of EVA and (wp-) of WP that analyse it; made by functions.py\n")
        for f in sorted(of_sources()):
            by = found.get(f, set()) | {p for p in old.get(f, set()) if f in without.get(p, set())}
            if by:
                out.write("%s\t%s\t%s\n" % (*f, " ".join(sorted(by))))


def lost(rows, sources, found, without):
    for f in sorted(rows):
        if f not in sources and rows[f] <= set(without):
            print("gone, and its part has no log of each model here: %s: %s" % f)
            continue
        if f not in sources:
            yield "%s: %s is in functions.tsv, not in the file: `test/eva/functions.py write` after `make eva`" % f
            continue
        for part in sorted(rows[f] - found.get(f, set())):
            if f not in without.get(part, set()):
                yield "%s: %s is not analysed by %s any more" % (*f, part)


def check():
    sources, rows, why = of_sources(), table(), reasons()
    found, without = analysed(sources)
    faults = list(lost(rows, sources, found, without))
    rooms = {}
    for path, name in sorted(sources):
        room = rooms.setdefault("/".join(path.split("/")[1:-1]), [0, 0])
        had = (path, name) in rows or (path, name) in found
        room[0] += had
        room[1] += 1
        if not had and not any(path.startswith(prefix) for prefix in why):
            faults.append("%s: %s is under no analysis, and README.md has no reason for it" % (path, name))
    for fault in faults:
        print("FAILED " + fault)
    if without:
        print("skipped: no log of each model of %s: their functions are as functions.tsv says" % ", ".join(sorted(without)))
    for room, (had, of) in sorted(rooms.items()):
        print("figure: EVA: %s: %d of %d functions" % (room, had, of))
    print("figure: EVA: %d of %d functions of src/" % tuple(sum(n) for n in zip(*rooms.values())))
    print("%d passed, %d failed, %d skipped" % (len(sources) - len(faults), len(faults), len(without)))
    return bool(faults)


if __name__ == "__main__":
    sys.exit(write() if sys.argv[1:] == ["write"] else check())
