#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""`make eva-selftest`: does the sound analysis notice unsafe code?

    selftest.py [--count N] [--seed S] [--only TEXT] [--parts NAMES] [--seconds T] [--minutes M]

Makes one unsafe change at a time in a copy of src/ and runs the parts of EVA that hold the changed function
(functions.tsv), on one machine model, until one of them is red: an alarm, an assertion that no longer holds, or statements
that end the analysis. Changes: a loop over an array that makes one iteration too many, an element one after the end of its array, a copy of
one byte too many, a missing check of a null pointer or a bound, with its error. The sample is the same for the same sources and seed;
components take turns.
selftest_explained.txt lists changes that are green for a reason. A part that takes longer than T seconds
counts as not run, and so does what is left after M minutes. Exit status 1 when less than 95 % of those that ran and are
not explained are red."""
import argparse
import os
import random
import re
import shutil
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import functions  # noqa: E402

LEAST = 95.0
CI = "base core window check rows show json zstd tiledb fold"
COPY = re.compile(r"\b(?:memcpy|memmove|memset|memcmp)\(([^;]*)\);")


def bodies(path):
    """(function, first line, last line) of a file, from 0."""
    lines = open(path, encoding="utf-8").read().split("\n")
    for brace, name in functions.heads(lines):
        yield name, brace + 1, lines.index("}", brace)


ARRAY = re.compile(r"^\s*(?:static )?(?:const )?(?:u?int\d+_t|char|unsigned|double|size_t|int|utet_\w+)(?: \*?const)? \**(\w+)\[", re.M)
LOOP = re.compile(r"^\s*for \((\w+) = 0; \1 < ([^;]+); \1\+\+\)")


def changes(lines, at, arrays):
    """(what, changed line) for each unsafe change of a line: memory after an object is used if the line is reached."""
    line = lines[at]
    code = line.split("/*")[0]
    loop = LOOP.match(code)
    if loop and re.search(r"\[" + loop.group(1) + r"\]", "\n".join(lines[at:at + 3])):
        yield "bound", code.replace(f"; {loop.group(1)} < ", f"; {loop.group(1)} <= ", 1)
    for m in re.finditer(r"(?<![\w.>])(\w+)\[([^][]+)\](?!\[)", code):
        if m.group(1) in arrays and not ARRAY.match(code) and "sizeof" not in code and "static" not in code:
            yield "element", line[:m.start(2)] + f"sizeof {m.group(1)} / sizeof *{m.group(1)}" + line[m.end(2):]
    m = COPY.search(code)
    if m and "memcmp" not in code:
        depth, comma = 0, m.end(1)
        while depth != 0 or line[comma - 1] != ",":  # before the last argument
            comma -= 1
            depth += {")": 1, "(": -1}.get(line[comma], 0)
        size = line[comma:m.end(1)].strip()
        yield "size", line[:comma] + " " + (f"({size})" if "&" in size else size) + " + 1);" + line[m.end():]


def candidates(table, wanted):
    for path in sorted({path for path, _ in table}):
        if not path.endswith(".c"):
            continue
        text = open(path, encoding="utf-8").read()
        lines, arrays = text.split("\n"), set(ARRAY.findall(text))
        for name, first, last in bodies(path):
            parts = [p for p in table.get((path, name), ()) if p.rsplit("-", 1)[0] in wanted]
            if not parts:
                continue
            head = " ".join(lines[max(0, first - 4):first])  # a pointer of the same name is not an array
            own = {a for a in arrays if not re.search(r"\*(?:const )?" + a + r"\b", head + "\n".join(lines[first:last]))}
            for at in range(first, last):
                for what, new in changes(lines, at, own):
                    yield path, at, what, {at: new}, name, parts
                if re.match(r"\s*if \(.*(?:== NULL|NDIM|sizeof|DATATYPES|room|have\b).*\)$", lines[at]) and re.match(r"\s*return UTET_E_\w+;$", lines[at + 1]):
                    yield path, at, "check", {at: "", at + 1: ""}, name, parts


def sample(all_, count, seed):
    """Components, by the last name of their path, take turns, each in an order of its own."""
    rooms = {}
    for one in all_:
        rooms.setdefault(one[0].split("/")[-2], []).append(one)
    rooms = dict(sorted(rooms.items()))
    for name, room in rooms.items():
        random.Random(f"{seed} {name}").shuffle(room)
    chosen = []
    while len(chosen) < count and any(rooms.values()):
        for room in rooms.values():
            if room and len(chosen) < count:
                chosen.append(room.pop())
    return chosen


def run(part, source, seconds, log, machine="x86_32"):
    """red, green, broken (it does not compile) or None: it took too long."""
    name, number = part.rsplit("-", 1)
    env = dict(os.environ, EVA_SRC=source, EVA_MACHINES=machine, BUILD=log)
    child = subprocess.Popen(["sh", os.path.join(HERE, "eva.sh"), name, number], env=env, stdout=subprocess.PIPE,
                             stderr=subprocess.DEVNULL, text=True, start_new_session=True)
    try:
        text, _ = child.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, 9)
        child.communicate()
        return None
    if child.returncode == 0:
        return "green"
    return "broken" if "User Error" in text else "red"


def main():
    ask = argparse.ArgumentParser()
    ask.add_argument("--count", type=int, default=60)
    ask.add_argument("--seed", default="1")
    ask.add_argument("--only", default="")
    ask.add_argument("--parts", default=CI)
    ask.add_argument("--seconds", type=int, default=600)
    ask.add_argument("--minutes", type=float, default=240)
    args = ask.parse_args()
    work = os.path.join(os.environ.get("BUILD", "build"), "test/eva-selftest")
    table = {}
    for line in open(functions.TABLE, encoding="utf-8"):
        fields = line.rstrip("\n").split("\t")
        if len(fields) == 3:
            table[fields[0], fields[1]] = [p for p in fields[2].split() if not p.startswith("wp-")]
    explained = {}
    try:
        for line in open(os.path.join(HERE, "selftest_explained.txt"), encoding="utf-8"):
            if line.strip() and not line.startswith("#"):
                path, code, why = line.rstrip("\n").split("\t")
                explained[path, code] = why
    except FileNotFoundError:
        pass
    chosen = [c for c in candidates(table, args.parts.split()) if args.only in c[0]]
    chosen = sample(chosen, args.count, args.seed)
    end = time.time() + 60 * args.minutes
    counts = dict.fromkeys(("red", "green", "explained", "broken", "not run"), 0)
    for path, at, what, new, name, parts in chosen:
        source = os.path.join(work, "src")
        shutil.rmtree(source, ignore_errors=True)
        shutil.copytree("src", source)
        lines = open(path, encoding="utf-8").read().split("\n")
        for number, text in new.items():
            lines[number] = text
        with open(os.path.join(work, path), "w", encoding="utf-8") as out:
            out.write("\n".join(lines))
        verdict, by = "not run", ""
        results = []
        for part in parts:
            if time.time() > end:
                results.append(None)
                break
            results.append(run(part, source, args.seconds, work))
            if results[-1] in ("red", "broken"):
                by = part
                break
        if results and results[-1] == "green" and "#if UINTPTR_MAX > UINT32_MAX" in "\n".join(lines):  # code of other machines
            results.append(run(parts[0], source, args.seconds, work, "x86_64"))
            by = parts[0] + " x86_64"
        if results and results[-1] in ("red", "broken"):
            verdict = results[-1]
        elif None not in results:
            verdict = "green"
        original = open(path, encoding="utf-8").read().split("\n")[at].strip()
        if verdict == "green" and (path, new[at].strip() or original) in explained:
            verdict = "explained"
        counts[verdict] += 1
        print(f"{verdict}\t{what}\t{path}:{at + 1}\t{name}\t{by or ' '.join(parts)}\t{new[at].strip() or 'without ' + original}", flush=True)
    judged = counts["red"] + counts["green"]
    share = 100.0 * counts["red"] / judged if judged else 0.0
    print(f"figure: {counts['red']} of {judged} unsafe changes are red, {share:.1f} %; {counts['explained']} explained, "
          f"{counts['broken']} do not compile, {counts['not run']} not run; seed {args.seed}")
    good = judged != 0 and share >= LEAST
    print(f"{counts['red'] + counts['explained']} passed, {0 if good else max(1, counts['green'])} failed")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
