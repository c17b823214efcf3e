#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""The reference's conformance pack, by its own manifest: conformance_test.py UTET PACK

accept: `utet verify` succeeds, and `utet query --json` gives the expected fields. reject_verify: `utet verify` fails,
with a failed finding of the expected name. reject_query: refused, with the expected words, on any file.
"""
import json
import os
import subprocess
import sys

UTET, PACK = sys.argv[1], sys.argv[2]


def run(*words):
    done = subprocess.run([UTET, *words], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def path(name):
    return os.path.join(PACK, name)


def close(got, wanted, tolerance):
    if isinstance(wanted, list):
        return isinstance(got, list) and len(got) == len(wanted) and all(close(g, w, tolerance) for g, w in zip(got, wanted))
    if isinstance(wanted, (bool, str)):
        return got is wanted or got == wanted
    return isinstance(got, (int, float)) and abs(got - wanted) <= tolerance


def wrong_field(case, text):
    """The first field of a response that is not as the manifest expects; None if all are."""
    answer = json.loads(text)
    for key, wanted in case["expect"].items():
        got = answer
        for part in key.split("."):
            got = got.get(part) if isinstance(got, dict) else None
        if not close(got, wanted, case.get("expect_tol", 1e-5)):
            return "%s is %r, not %r" % (key, got, wanted)
    return None


def accept(case):
    if case.get("verify") == "ok" or "query" not in case:
        code, _, words = run("verify", path(case["tet"]))
        if code != 0:
            return "verify: %s" % words
    if "query" not in case:
        return None
    code, text, words = run("query", "--json", path(case["tet"]), path(case["query"]))
    if code != 0:
        return words
    return wrong_field(case, text)


def reject_verify(case):
    code, text, _ = run("verify", "--json", path(case["tet"]))
    if code == 0:
        return "verify is content"
    if case["expect_check"] is None:
        return None
    report = json.loads(text)
    reports = report if isinstance(report, list) else [report]
    failed = [f["check"] for r in reports for f in r["findings"] if not f["ok"]]
    return None if case["expect_check"] in failed else "%s is not among %s" % (case["expect_check"], failed)


def reject_query(case):
    code, _, words = run("query", path("fixtures/small/tet/sample.tet"), path(case["query"]))
    if code != 1:
        return "exit status %d" % code
    return None if case["expect_error_substr"].lower() in words.lower() else words


def main():
    if not os.path.isdir(PACK):
        print("skipped: the conformance pack: no folder %s" % PACK)
        print("0 passed, 0 failed, 1 skipped")
        return 0
    manifest = json.load(open(path("conformance/manifest.v1.json"), encoding="utf-8"))
    passed, failed = 0, 0
    for kind, judge in (("accept", accept), ("reject_verify", reject_verify), ("reject_query", reject_query)):
        for case in manifest[kind]:
            wrong = judge(case)
            passed += wrong is None
            failed += wrong is not None
            if wrong is not None:
                print("FAILED %s %s: %s" % (kind, case["id"], wrong))
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed or passed == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
