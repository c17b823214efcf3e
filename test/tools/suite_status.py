#!/usr/bin/env python3
"""Reads the statuses that the headers list at each public call and fails when one has no case in a suite.

    suite_status.py PROGRAM… HEADER…     PROGRAM --list prints the cases, "utet_call STATUS" one a line

The comments are read as they are written: "Returns UTET_OK, …", "as utet_x" (its list too), "never UTET_X",
"instead of UTET_X", "UTET_E_PORT…" and "UTET_E_ZSTD_…" for families. A comment may stand before several declarations;
"Every call here may also return …" counts for all of a header.
"""
import re
import subprocess
import sys

ZSTD = {"E_ZSTD_WINDOW", "E_ZSTD_DICT", "E_ZSTD_LEGACY"}

# Listed only through "as utet_x", and impossible at this call: (call, status): why.
IMPOSSIBLE = {
    ("utet_slab_run", "E_RANGE"): "coordinates come from the slab, whose ranges were checked",
    ("utet_slab_into", "E_RANGE"): "coordinates come from the slab, whose ranges were checked",
    ("utet_slab_run", "E_DTYPE"): "checked when the slab was opened, of the caller's own dataset object",
    ("utet_slab_into", "E_DTYPE"): "checked when the slab was opened, of the caller's own dataset object",
    ("utet_slab_run", "E_DATASET"): "checked when the slab was opened, of the caller's own dataset object",
    ("utet_slab_into", "E_DATASET"): "checked when the slab was opened, of the caller's own dataset object",
    ("utet_zstd_decode", "END"): "UTET_OK there",
    ("utet_stream_skip", "END"): "at the end, skipping ends well",
}


def comments(text):
    """Pairs (comment, names of the status functions declared behind it)."""
    parts = re.split(r"(/\*.*?\*/)", text, flags=re.S)
    last = ""
    for part in parts:
        if part.startswith("/*"):
            last = " ".join(re.sub(r"^\s*/?\*+/?", "", line).strip() for line in part.splitlines())
        else:
            names = re.findall(r"^utet_status (utet_\w+)\(", part, flags=re.M)
            if names:
                yield last, names


def listed(headers):
    calls = {}
    for header in headers:
        with open(header, encoding="utf-8") as f:
            text = f.read()
        everywhere = re.search(r"Every call here may also return .*?\*/", text, flags=re.S)
        for comment, names in comments(text):
            found = re.search(r"(Returns?|otherwise as|returns `status`).*", comment)
            for name in names:
                calls[name] = found.group(0).rstrip("*/ ") if found else ""
                if found and everywhere:
                    calls[name] += " " + everywhere.group(0)
    return calls


def statuses(calls, name, seen=()):
    text = calls[name]
    out = set()
    for other in re.findall(r"utet_\w+", text):
        # "as utet_x", also in lists: "as utet_x and utet_y"
        if other in calls and other != name and other not in seen and re.search(r"as [^.;]*\b%s\b" % other, text):
            out |= statuses(calls, other, seen + (name,))
    removed = set()
    for status in re.findall(r"(?:never|instead of) UTET_(\w+)", text):
        removed.add(status)
    for status in re.findall(r"UTET_(E_\w+|OK|END|WOULD_BLOCK)", text):
        out |= ZSTD if status == "E_ZSTD_" else {status}
    # "UTET_E_BUDGET (utet_slab_open)": only there
    for status, only in re.findall(r"UTET_(E_\w+) \((utet_\w+)\)", text):
        if only != name and only in calls and re.search(r"\b%s\b" % only, text) and status in out:
            out.discard(status)
    return out - removed


def main():
    headers = [name for name in sys.argv[1:] if name.endswith(".h")]
    have = set()
    for program in sys.argv[1:]:
        if program not in headers:
            cases = subprocess.run([program, "--list"], check=True, stdout=subprocess.PIPE).stdout.decode()
            have |= set(cases.split("\n"))
    calls = listed(headers)
    passed, missing = 0, []
    for name in sorted(calls):
        if not calls[name]:
            continue
        for status in sorted(statuses(calls, name)):
            if (name, status) in IMPOSSIBLE:
                continue
            if "%s %s" % (name, status) in have:
                passed += 1
            else:
                missing.append("%s %s" % (name, status))
    for pair in missing:
        print("not provoked: " + pair)
    silent = [name for name in sorted(calls) if not calls[name]]
    for name in silent:
        print("no statuses listed at: " + name)
    print("header-statuses: %d passed, %d failed" % (passed, len(missing)))
    sys.exit(1 if missing or silent else 0)


main()
