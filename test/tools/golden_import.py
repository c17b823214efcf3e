#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""Writes test/golden/golden.txt and copies the small .tet files into its folder.

Source: the folder of shared vectors (tet/, demo/) and the reference's conformance pack, as given on the command line:
    golden_import.py SHARED test/golden
Every expected value is the reference's answer or the writer's own bytes (see the vectors' README); this script only adds
which status code corresponds to which message of the reference. Grammar of the list: test/golden/README.md.
"""
import hashlib
import json
import os
import re
import shutil
import sys

SMALL = 65536
DTYPES = "- f32 f64 i32 i64 u8 u16 i16 u32 f16 u64".split()

# The reference's message on opening -> where and how this library reports it: (open, check). Rows are checked when they
# are used.
OPENING = [
    ("bad magic: expected TETR", "MAGIC", None),
    ("unsupported layout_version", "VERSION", None),
    ("file too short for superblock", "SUPERBLOCK", None),
    ("chunk index region is out of bounds", "SUPERBLOCK", None),
    ("cannot fit in dataset blob", "DIRECTORY", None),
    ("dataset blob length mismatch", "DIRECTORY", None),
    ("file too short for catalog: need at least 32 bytes, got 0", "INDEX", None),  # chunk_index_length 0
    ("file too short for catalog", "DIRECTORY,DATASET", None),
    ("invalid UTF-8 in dataset name", "DATASET", None),
    ("ndim ", "DATASET", None),
    ("chunk index offset mismatch", "INDEX", None),
    ("chunk index entry count", "INDEX", None),
    ("bad chunk index magic", "INDEX", None),
    ("unsupported chunk index version", "INDEX_VERSION", None),
    ("unsupported codec", "OK", "ROW"),
    ("raw/stored length mismatch", "OK", "ROW"),
    ("chunk payload [", "OK", "ROW"),
]

# A bad footer tail does not affect the tensors (FORMAT.md D2): file->footer_status reports it.
FOOTERS = [
    ("unsupported history footer version", "FOOTER_VERSION"),
    ("superblock history flag set but footer missing", "FOOTER"),
    ("history footer out of bounds", "FOOTER"),
    ("history footer overflow", "FOOTER"),
]

# Faults in the footer's JSON or in what it refers to: the file opens and its tensors can be read, utet_meta.h reports the
# fault.
JSON_FAULTS = ["footer JSON parse", "metadata spill", "history footer longer than file"]
LIMIT_FAULTS = ["metadata attr value"]
# Beyond the payload limit, which footer and spills set: the rows are accepted (FORMAT.md §6.2).
PAYLOAD_FAULTS = ["X21_json_len+1", "X23_payload_in_spill", "X23_spill_range", "X24_v2_zone_into_payload"]

# Listed deviations (format notes, section 20): file -> why this library can read it.
DEVIATIONS = {
    "P22_thst_payload_flag_clear": "D1",
    "P23_zero_extent": "D3",
}

# What reading a dataset of a broken file returns: the reference's message -> status; None = empty result (D3).
READING = [
    ("Restored data doesn't match checksum", "CHECKSUM"),
    ("Frame requires too much memory", "ZSTD_WINDOW"),
    ("Dictionary mismatch", "ZSTD_DICT"),
    ("zstd decode failed", "PAYLOAD"),
    ("decoded payload length", "PAYLOAD"),
    ("unsupported dataset dtype", "DTYPE"),
    ("chunk index has no row", "MISSING"),
    ("tile has", "ROW"),
]
READING_FILES = {
    "V24_bad_magic": "PAYLOAD,ZSTD_LEGACY",  # the damaged magic happens to be that of zstd 0.7
    "V21_raw_len_plus1": "ROW",       # the row is checked against the tile before anything is decoded
    "X15_chunk_zero": "DATASET",      # chunk_shape 0 (format notes, section 10)
    "X15_shape_bigger": "MISSING,ROW",  # an old edge tile is reached before the first missing one
    "X15_shape_huge": "RANGE,MISSING,ROW",  # more elements than 2^64
    "X15_shape_wrap": "RANGE,MISSING,ROW",
    "X15_shape_zero": None,           # zero extent: empty
}


def sha(data):
    return hashlib.sha256(data).hexdigest()


def quote(text):
    """Name as one word of ASCII."""
    out = "".join(chr(b) if 0x21 <= b < 0x7F and chr(b) not in '%' else "%%%02X" % b for b in text.encode())
    return out or "%"


def dims(values):
    return "x".join(str(v) for v in values)


def summary_lines(info):
    sb, ex = info["superblock"], info["file_execution"]
    rows = "".join("%d %s %d %d %d %d\n" % (r["dataset_id"], " ".join(map(str, r["chunk_index"])), r["codec"],
                                             r["payload_offset"], r["raw_byte_len"], r["stored_byte_len"])
                   for r in info["chunks"])
    yield "super %d %d %d %d %d %d %d %d %s" % (
        sb["layout_version"], sb["dataset_count"], sb["flags"], sb["chunk_index_offset"], sb["chunk_index_length"],
        ex["memory_budget_bytes"], ex["memory_budget_percent_bps"], len(info["chunks"]), sha(rows.encode()))
    for i, d in enumerate(info["datasets"]):
        yield "data %d %s %d %s %s" % (i, quote(d["name"]), d["dtype"], dims(d["shape"]), dims(d["chunk_shape"]))


def status_of(name, text):
    for words, opened, checked in OPENING:
        if words in text:
            return opened, checked
    raise SystemExit("%s: no status for: %s" % (name, text))


def reading_of(name, text):
    if name in READING_FILES:
        return READING_FILES[name]
    for words, status in READING:
        if words in text:
            return status
    raise SystemExit("%s: no status for reading: %s" % (name, text))


def parsed(text):
    try:
        return json.loads(text)
    except ValueError:
        return None


def footer_lines(name, data, said):
    """What utet_meta.h reports for a fault in the footer's JSON: where, according to the tail and the reference in the
    bytes."""
    length = int.from_bytes(data[-16:-8], "little")
    begin, end = len(data) - 16 - length, len(data) - 16
    footer = parsed(data[begin:end])
    spill = (footer.get("metadata_ref") or {}) if isinstance(footer, dict) else {}
    where = [n for n in map(spill.get, ("offset", "len")) if isinstance(n, int) and n >= 0]
    inside = sum(where) <= len(data)
    spilled = slice(where[0], sum(where)) if len(where) == 2 and inside else None
    if any(w in said for w in LIMIT_FAULTS):
        yield "limits %d %d" % (begin, end)
    elif name in PAYLOAD_FAULTS:
        yield "payloads " + re.search(r"out of bounds for file length (\d+)", said).group(1)
        if not inside or footer is None:
            yield "metadata %d %d" % (begin, end)
        elif spilled and parsed(data[spilled]) is None:
            yield "metadata %d %d" % (spilled.start, spilled.stop)
    elif any(w in said for w in JSON_FAULTS):
        if "metadata spill" in said:
            begin, end = spilled.start, spilled.stop
        yield "metadata %d %d" % (begin, end)


def said_lines(info):
    """History and metadata as sorted facts, one per line."""
    facts = []
    for i, event in enumerate(info["history"]):
        for key, value in event.items():
            if isinstance(value, str):
                facts.append("event %d %s %s" % (i, key, quote(value)))
            elif isinstance(value, list):
                facts += ["event %d %s %d %s" % (i, key, n, quote(text)) for n, text in enumerate(value)]
            elif isinstance(value, dict):
                facts += ["event %d %s %s %s" % (i, key, quote(k), quote(text)) for k, text in value.items()]
    for key, value in (info["metadata"].get("file") or {}).items():
        facts += ["file %s %s" % (key, quote(value))] if value is not None else []
    for name, about in (info["metadata"].get("datasets") or {}).items():
        where = quote(name)
        facts += ["attr %s %s %s" % (where, quote(k), quote(v)) for k, v in (about.get("attrs") or {}).items()]
        facts += ["dim %s %d %s" % (where, n, quote(v)) for n, v in enumerate(about.get("dim_names") or [])]
        for axis, coord in (about.get("coords") or {}).items():
            facts += ["label %s %s %d %s" % (where, quote(axis), n, quote(v)) for n, v in enumerate(coord["labels"])]
    if facts:
        yield "said %d %s" % (len(facts), sha("".join(f + "\n" for f in sorted(facts)).encode()))


def verdict_lines(name, entry, data):
    """The open, check and verify lines of one file of vectors/tet."""
    text = entry["reference"].get("info_stderr") or ""
    fails = entry.get("fails_at", "")
    findings = entry["reference"].get("verify_findings") or []
    said = " ".join([text] + [f.get("detail") or "" for f in findings if not f["ok"]])
    json_faults = list(footer_lines(name, data, said))
    opened, checked = "OK", None
    footers = [status for words, status in FOOTERS if words in text]
    if name in DEVIATIONS:
        yield "deviates " + DEVIATIONS[name]
    elif footers:
        yield "footer " + footers[0]
    elif fails == "open" and not json_faults:
        opened, checked = status_of(name, text)
    yield "open " + opened
    if checked:
        yield "check " + checked
    if fails.startswith("verify:"):
        yield "verify " + fails[7:]
    elif fails == "open" and name not in DEVIATIONS:
        yield "verify parse"
    else:
        yield "verify ok"
    yield from json_faults


def data_lines(folder, name, entry):
    for i, d in enumerate(entry["datasets"]):
        said = d.get("reference_read", "")
        if "dense_file" in d and said != "differs":
            yield "dense %d %d %s" % (i, d["dense_size"], d["dense_sha256"])
        elif said == "differs":
            # A damaged frame that decodes to something else: the result of the reference's zstd counts.
            read = entry.get("reference_0_1_9", {}).get("read", {}).get(str(i), "")
            if len(read) == 64:
                yield "dense %d %d %s" % (i, d["dense_size"] if "dense_size" in d else element_bytes(d), read)
        elif said.startswith("error"):
            status = reading_of(name, said)
            if status is None:
                yield "dense %d 0 %s" % (i, sha(b""))
            else:
                yield "read %d %s" % (i, status)
    path = os.path.join(folder, name + ".slices.json")
    if os.path.exists(path):
        for s in json.load(open(path)):
            yield "slice %d %s %d %s" % (s["dataset"], ",".join("%d:%d:%d" % tuple(r) for r in s["selection"]),
                                         s["n"], s["sha256"])


def element_bytes(d):
    return d["elements"] * [0, 4, 8, 4, 8, 1, 2, 2, 4, 2, 8][DTYPES.index(d["dtype"])]


def vectors(shared, target, out):
    folder = os.path.join(shared, "vectors", "tet")
    for entry in json.load(open(os.path.join(folder, "manifest.json")))["files"]:
        name = entry["file"][:-4]
        small = entry["size"] <= SMALL
        out.append("file %s %s %d %s %s" % ("golden/tet" if small else "shared/vectors/tet", entry["file"],
                                            entry["size"], entry["sha256"], entry["kind"]))
        data = open(os.path.join(folder, entry["file"]), "rb").read()
        verdict = list(verdict_lines(name, entry, data))
        out += verdict
        path = os.path.join(folder, name + ".info.json")
        if os.path.exists(path):
            said = json.load(open(path))
            out += summary_lines(said)
            out += said_lines(said)
        if "open OK" in verdict and not any(l.startswith("check ") for l in verdict):
            out += data_lines(folder, name, entry)
        if small:
            shutil.copyfile(os.path.join(folder, entry["file"]), os.path.join(target, "tet", entry["file"]))


def demo(shared, target, out):
    folder = os.path.join(shared, "vectors", "demo")
    for entry in json.load(open(os.path.join(folder, "manifest.json")))["files"]:
        out.append("file golden/demo %s %d %s good" % (entry["file"], entry["size"], entry["sha256"]))
        out += ["open OK", "verify -"]
        said = json.load(open(os.path.join(folder, entry["file"][:-4] + ".info.json")))
        out += summary_lines(said)
        out += said_lines(said)
        for i, d in enumerate(entry["datasets"]):
            out.append("dense %d %d %s" % (i, d["dense_size"], d["dense_sha256"]))
        shutil.copyfile(os.path.join(folder, entry["file"]), os.path.join(target, "demo", entry["file"]))


def conformance(shared, out):
    """The cases of the reference's pack that need no query. They are not committed, and run from the shared folder."""
    root = os.path.join(shared, "conformance")
    pack = json.load(open(os.path.join(root, "conformance", "manifest.v1.json")))
    for group in ("accept", "reject_verify"):
        for case in pack[group]:
            if "query" in case:
                continue
            path = os.path.join(root, case["tet"])
            data = open(path, "rb").read()
            out.append("file shared/conformance/%s %s %d %s %s" % (
                os.path.dirname(case["tet"]), os.path.basename(path), len(data), sha(data),
                "good" if group == "accept" else "bad"))
            if group == "accept":
                out += ["open OK", "verify ok"]
            else:
                out += ["open ANY", "verify " + (case["expect_check"] or "ANY")]


def main():
    shared, target = sys.argv[1:3]
    for sub in ("tet", "demo"):
        os.makedirs(os.path.join(target, sub), exist_ok=True)
    out = ["# Generated by test/tools/golden_import.py; grammar in README.md. Do not edit."]
    vectors(shared, target, out)
    demo(shared, target, out)
    conformance(shared, out)
    with open(os.path.join(target, "golden.txt"), "w", encoding="ascii", newline="\n") as f:
        f.write("\n".join(out) + "\n")


main()
