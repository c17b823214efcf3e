# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""Counts the checks of a test, names those that fail, and prints the line of results that suite_run.sh reads."""
MOST = 100  # failures that are named; the others are counted
passed = failed = skipped = 0


def check(name, right, detail=None):
    """Returns `right`. detail: what is there instead."""
    global passed, failed
    passed, failed = passed + bool(right), failed + (not right)
    if not right and failed <= MOST:
        print(f"FAILED {name}" + (f": {detail}" if detail is not None else ""), flush=True)
    return right


def skip(*what):
    """what: the name of the case, and why it is left out."""
    global skipped
    skipped += 1
    print("skipped: " + ": ".join(what), flush=True)


def end():
    """Prints the results, and returns the exit status of the test."""
    print("%d passed, %d failed, %d skipped" % (passed, failed, skipped))
    return 1 if failed else 0
