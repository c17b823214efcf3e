#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""Compares the statuses that the headers list at each public call with the cases of the suites, in both directions.

    suite_status.py PROGRAM… HEADER…          PROGRAM --list prints the cases, one "utet_call STATUS" per line
    suite_status.py --log LOG UNSEEN HEADER…  LOG: what calls returned while suites ran, "utet_call number" (status_wrap.py);
                                              UNSEEN: pairs that no suite provokes yet, one "utet_call STATUS" per line

A list is the last paragraph of the comment before one or several declarations: "Returns: OK, END, …", in the order of
the enum in utet_io.h, which is one of the headers. "Returns: status" says that the call gives back its argument of that
name; such a call has no cases. The rest of a comment is prose and not read.
"""
import re
import subprocess
import sys

faults = []


def known(headers):
    """The names of all statuses with their numbers, in the order of the enum."""
    for header in headers:
        with open(header, encoding="utf-8") as f:
            names = re.findall(r"^ {4}UTET_(OK|END|WOULD_BLOCK|E_\w+) = (-?\d+)", f.read(), flags=re.M)
        if names:
            return {name: int(number) for name, number in names}
    sys.exit("suite_status.py: no header has the enum of the statuses")


def returns(comment):
    """The names after "Returns:"; None if they are not the last paragraph or occur there twice."""
    lines = [re.sub(r"^ ?\*( |$)", "", line).rstrip() for line in comment[2:-2].rstrip().split("\n")]
    first = [i for i, line in enumerate(lines) if line.startswith("Returns: ")]
    if len(first) != 1 or "" in lines[first[0]:]:
        return None
    return " ".join(line.strip() for line in lines[first[0]:])[len("Returns: "):].split(", ")


def listed(header, order):
    """The set of pairs "utet_call STATUS" of a header."""
    with open(header, encoding="utf-8") as f:
        parts = re.split(r"(/\*.*?\*/)", f.read(), flags=re.S)
    pairs = set()
    for comment, code in zip(parts[1::2], parts[2::2]):
        declared = re.findall(r"^utet_status (utet_\w+)\(([^;]*)\);", code, flags=re.M)
        names = returns(comment)
        if names is None:
            faults.extend("%s: no list of statuses in the last lines before it" % call for call, _ in declared)
        elif not declared:
            faults.append("%s: a list of statuses before no call: %s" % (header, ", ".join(names)))
        elif names == ["status"]:
            faults.extend("%s: has no argument `status`" % call for call, arguments in declared
                          if not re.search(r"\butet_status status\b", arguments))
        elif names != [status for status in order if status in names]:
            faults.extend("%s: unknown, twice or not in the order of the enum: %s" % (call, ", ".join(names))
                          for call, _ in declared)
        else:
            pairs |= {"%s %s" % (call, status) for call, _ in declared for status in names}
    return pairs


def lines_of(path):
    with open(path, encoding="utf-8") as f:
        return {line.strip() for line in f if line.strip() and not line.startswith("#")}


def compare_log(log, unseen, headers):
    """Compares the pairs that suites have seen with those of the headers, except the pairs of the file `unseen`."""
    order = known(headers)
    names = {number: name for name, number in order.items()}
    promised = set().union(*(listed(header, order) for header in headers if not header.endswith("utet.h")))
    seen = {"%s %s" % (call, names.get(max(int(number), order["E_PORT"]), number)) for call, number in map(str.split, lines_of(log))}
    excused = lines_of(unseen)
    faults.extend("%s: a suite got it, but it is not listed" % pair for pair in sorted(seen - promised))
    faults.extend("%s: listed, but no suite got it" % pair for pair in sorted(promised - seen - excused))
    for pair in sorted(excused & seen | excused - promised):
        print("note: %s is seen, or no longer listed: out of %s" % (pair, unseen))
    print("figure: %d pairs of call and status listed, %d seen, %d not provoked yet" % (
        len(promised), len(promised & seen), len(promised - seen)))
    return len(promised & seen)


def compare_cases():
    headers = [name for name in sys.argv[1:] if name.endswith(".h")]
    order = known(headers)
    promised = set().union(*(listed(header, order) for header in headers))
    cases = set()
    for program in sys.argv[1:]:
        if program not in headers:
            printed = subprocess.run([program, "--list"], check=True, stdout=subprocess.PIPE, text=True).stdout
            cases |= set(printed.split("\n")) - {""}
    faults.extend("%s: listed, but no case provokes it" % pair for pair in sorted(promised - cases))
    faults.extend("%s: a case provokes it, but it is not listed" % pair for pair in sorted(cases - promised))
    return len(promised & cases)


def main():
    by_log = sys.argv[1] == "--log"
    passed = compare_log(sys.argv[2], sys.argv[3], sys.argv[4:]) if by_log else compare_cases()
    for fault in faults:
        print("FAIL  " + fault)
    print("%s%d passed, %d failed" % ("" if by_log else "header-statuses: ", passed, len(faults)))
    sys.exit(1 if faults or passed == 0 else 0)


main()
