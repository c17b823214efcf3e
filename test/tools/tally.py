# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""Counts the checks of a test, names those that fail, and prints the line of results."""
passed = failed = 0


def check(name, right, detail=""):
    global passed, failed
    passed, failed = passed + bool(right), failed + (not right)
    if not right:
        print("FAILED %s: %s" % (name, detail))


def end(skipped=None):
    """Prints the results, and returns the exit status of the test. skipped: the number of cases that the test left out."""
    print("%d passed, %d failed" % (passed, failed) + (", %d skipped" % skipped if skipped is not None else ""))
    return 1 if failed else 0
