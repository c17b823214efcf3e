#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""The tool against the golden files: info --json, read (whole and slices), both with --strict, verify --json --deep.
Expected values are those of golden.txt and, if the shared vectors are available, the reference's own answers."""
import json
import os

from harness import check, golden, sha, skip, summary, unquote, utet


def rows_text(summary_object):
    lines = []
    for c in summary_object["chunks"]:
        numbers = [c["dataset_id"]] + c["chunk_index"] + [c["codec"], c["payload_offset"], c["raw_byte_len"],
                                                          c["stored_byte_len"]]
        lines.append(" ".join(map(str, numbers)) + "\n")
    return "".join(lines).encode()


def info(g):
    status, out, err = utet("info", "--json", g.path)
    opens = g.word("open") == "OK" and not g["check"]
    # A bad footer is an error, but everything else is shown (FORMAT.md D2). Faults in the footer's JSON and in what it
    # refers to are among them; only verify checks the limits of metadata.
    # So is a row that extends beyond the bytes at which payload and footer contradict each other: reading accepts it,
    # verify does not.
    beyond = bool(g["payloads"]) or (opens and g.word("verify") == "parse" and not g["footer"] and not g["metadata"])
    footer = bool(g["footer"]) or bool(g["metadata"]) or beyond
    if g.word("open") == "ANY":
        check(g.name + " info", status in (0, 1), "exit %d" % status)
        return
    if not check(g.name + " info exit", status == (0 if opens and not footer else 1), "%d %s" % (status, err)):
        return
    if footer:
        region = "footer" if g["footer"] else "chunk row" if beyond else "metadata"
        check(g.name + " footer error",
              err.startswith("utet: %s: %s: " % (g.path, region)) and err.count("\n") == 1, err)
    if not opens:
        check(g.name + " info error", out == b"" and err.startswith("utet: " + g.path + ": ") and err.count("\n") == 1,
              "%r %r" % (out[:80], err))
        return
    text, text_out, _ = utet("info", g.path)
    check(g.name + " info text", text == status and b"layout" in text_out, text)
    got = json.loads(out)
    block, execution = got["superblock"], got["file_execution"]
    fields = [block["layout_version"], block["dataset_count"], block["flags"], block["chunk_index_offset"],
              block["chunk_index_length"], execution["memory_budget_bytes"], execution["memory_budget_percent_bps"],
              len(got["chunks"]), sha(rows_text(got))]
    for words in g["super"]:
        check(g.name + " summary", list(map(str, fields)) == words, "%s, expected %s" % (fields, words))
    for words in g["data"]:
        d = got["datasets"][int(words[0])]
        have = [d["name"].encode(), str(d["dtype"]), "x".join(map(str, d["shape"])),
                "x".join(map(str, d["chunk_shape"]))]
        check(g.name + " dataset " + words[0], have == [unquote(words[1])] + words[2:], have)
    reference = g.companion(".info.json")
    if reference:
        with open(reference, encoding="utf-8") as file:
            wanted = json.load(file)
        check(g.name + " info.json", got == wanted and list(got) == sorted(got), "differs")


def reads(g):
    if g.word("open") != "OK":
        return
    for number, size, digest in g["dense"]:
        status, out, err = utet("read", g.path, "#" + number)
        check("%s read %s" % (g.name, number), status == 0 and len(out) == int(size) and sha(out) == digest,
              "exit %d, %d bytes, %s" % (status, len(out), err))
        status, out, err = utet("read", g.path, "#" + number, "--codec", "small")
        check("%s small %s" % (g.name, number), status == 0 and sha(out) == digest, "exit %d, %s" % (status, err))
    for number, wanted in g["read"]:
        for codec in ("upstream", "small"):
            status, out, err = utet("read", g.path, "#" + number, "--codec", codec)
            check("%s read %s fails" % (g.name, number), status == 1 and err.count("\n") == 1,
                  "exit %d, %s" % (status, err))
    for number, slab, count, digest in g["slice"]:
        status, out, err = utet("read", g.path, "#" + number, "--slab", slab)
        check("%s slice %s %s" % (g.name, number, slab), status == 0 and sha(out) == digest,
              "exit %d, %s" % (status, err))


def strict(g):
    """--strict: nothing is written from a file that the reference refuses to open (its verify says parse); everything
    else is as usual."""
    wanted = g.word("verify")
    if g.word("open") != "OK" or wanted in ("-", "ANY") or g["deviates"]:
        return
    refused = wanted == "parse"
    usual = utet("info", "--json", g.path)
    status, out, err = utet("info", "--json", "--strict", g.path)
    silent = (status, out, err.count("\n")) == (1, b"", 1)
    check(g.name + " strict info", silent if refused else (status, out, err) == usual,
          "exit %d, %d bytes, %s" % (status, len(out), err))
    for number, size, digest in g["dense"]:
        status, out, err = utet("read", "--strict", g.path, "#" + number)
        silent = (status, out, err.count("\n")) == (1, b"", 1)
        check("%s strict read %s" % (g.name, number),
              silent if refused else (status, len(out), sha(out)) == (0, int(size), digest),
              "exit %d, %d bytes, %s" % (status, len(out), err))


def first_failing(report):
    for finding in report["findings"]:
        if not finding["ok"] and finding["severity"] == "error":
            return finding["check"]
    return "ok"


def verify(g):
    status, out, err = utet("verify", "--json", "--deep", g.path)
    try:
        got = json.loads(out)
    except ValueError:
        check(g.name + " verify", False, "no JSON, exit %d, %s" % (status, err))
        return
    check(g.name + " verify exit", status == (0 if got["ok"] else 1) and err.count("\n") == status and
          got["file_len"] == os.path.getsize(g.path), "%d %s" % (status, err))
    text, _, _ = utet("verify", "--deep", "--codec", "small", g.path)
    check(g.name + " verify text", text == status, "exit %d" % text)
    wanted = g.word("verify")
    if g["deviates"]:  # the library deliberately does not treat the fault as one
        check(g.name + " verify", got["ok"], first_failing(got))
    elif wanted == "ANY":
        check(g.name + " verify", not got["ok"], "ok")
    elif wanted != "-":
        check(g.name + " verify", first_failing(got) == wanted, "%s, expected %s" % (first_failing(got), wanted))
        compare_reports(g, got)


def compare_reports(g, got):
    """The reference's findings, in its order; the tool may have more, with names of their own, and other details."""
    reference = g.companion(".verify.json")
    if not reference:
        return
    with open(reference, encoding="utf-8") as file:
        wanted = json.load(file)
    known = {f["check"] for f in wanted["findings"]}
    ours = [(f["check"], f["severity"], f["ok"]) for f in got["findings"] if f["check"] in known]
    theirs = [(f["check"], f["severity"], f["ok"]) for f in wanted["findings"]]
    check(g.name + " findings", ours == theirs, "%s, expected %s" % (ours, theirs))
    data = [f for f in got["findings"] if f["check"] in ("zone_maps_data", "indexes_data")]
    check(g.name + " data", {f["severity"] for f in data} <= {"info"}, data)
    codes = [[r["code"] for r in report["recommendations"]] for report in (got, wanted)]
    check(g.name + " recommendations", codes[0] == codes[1], codes)
    if "summary" in wanted:
        for key in ("layout_version", "dataset_count", "chunk_count", "history_footer", "deep_chunk_decode"):
            check(g.name + " summary " + key, got["summary"][key] == wanted["summary"][key], got["summary"])


def main():
    for g in golden():
        if not os.path.exists(g.path):
            skip(g.name, "not in this clone, and the shared vectors are not there")
            continue
        info(g)
        reads(g)
        strict(g)
        verify(g)
    summary()


main()
