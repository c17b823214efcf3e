#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""utet verify: which chunks are decoded, and --deep's comparison of zone maps and indexes with the data. indexed.tet
was written by the reference (`tet index`): f32 with a fill value, NaN, -0, infinity and two axes of labels, u16 with a
numeric axis, i32. Each single error that is put into its documents must fail the one check that is about it, and
nothing else."""
import copy
import json
import os
import re
import resource
import struct
import time

from harness import TOOL, check, expect, header_length, scratch, summary, tet_header, utet, with_tail

INDEXED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "indexed.tet")
HUFFMAN_END = os.path.join(os.path.dirname(INDEXED), "huffman_end.tet")


LARGE = 16 << 20  # a larger file is not read into memory completely


def write(name, data, hole=None):
    """hole: the position of a gap of LARGE bytes."""
    with open(scratch(name), "wb") as file:
        file.write(data[:hole])
        if hole is not None:
            file.seek(LARGE, os.SEEK_CUR)
            file.write(data[hole:])
    return scratch(name)


def small_stack():
    """64 KB of stack are enough."""
    if os.environ.get("NO_LIMITS") or "asan" in TOOL:
        return
    limit = lambda: resource.setrlimit(resource.RLIMIT_STACK, (65536, 65536))
    for path in (INDEXED, HUFFMAN_END):
        with_all, small = utet("verify", "--deep", path), utet("verify", "--deep", path, preexec_fn=limit, env={})
        check("verify in 64 KB of stack", small == with_all, small)


def verdicts():
    """128 chunks are decoded, and all with --deep; a fault in one of the others is found only then."""
    count = 200
    datasets = [(b"d", 6, [count], [1])]
    start = header_length(datasets, count)
    rows = [(0, [i], start + 2 * i, 2, 2, 1 if i in (150, 170) else 0) for i in range(count)]
    path = write("late.tet", tet_header(datasets, rows) + bytes(2 * count))
    report = json.loads(expect("verify", ["verify", "--json", path], 0))
    found = {f["check"]: f for f in report["findings"]}
    check("the rest is named", report["ok"] and found["chunk_decode_skipped"]["severity"] == "warning" and
          found["chunk_decode_skipped"]["detail"].startswith("72 of 200") and
          found["chunk_decode"]["detail"] == "decoded 128 chunk(s)" and
          report["summary"]["deep_chunk_decode"] is False, report)
    report = json.loads(expect("verify --deep", ["verify", "--json", "--deep", path], 1,
                               r"late.tet: chunk_decode: chunk 150: .*\(offset %d\)$" % (start + 300)))
    check("deep", not report["ok"] and
          [r["code"] for r in report["recommendations"]] == ["chunk_decode_failed"], report)
    datasets = [(b"d", 6, [2], [1])]
    start = header_length(datasets, 2)
    few = write("few.tet", tet_header(datasets, [(0, [i], start + 2 * i, 2, 2, 0) for i in range(2)]) + bytes(4))
    report = json.loads(expect("verify", ["verify", "--json", few], 0))
    check("all of few chunks are decoded", report["summary"]["deep_chunk_decode"] is True, report)
    text = expect("verify", ["verify", path], 0)
    check("verdict last", text.decode().splitlines()[-1] == path + ": good, but for 72 chunks that were not decoded", text[-80:])
    check("what it did not look at", report["checksums"] == {"agree": 0, "none": 2, "not_decoded": 0}, report)
    text = expect("verify", ["verify", few], 0).decode().splitlines()
    check("raw chunks have no checksum", text[-2:] == ["checksums: 0 of 2 chunks agree with theirs; 2 have none, so that damage "
                                                       "of their values may go unnoticed", few + ": good"], text[-3:])
    expect("nothing there", ["verify", scratch("nothing")], 1, "cannot open: No such file")
    notes = write("notes", b"just some notes, longer than a header")
    report = json.loads(expect("not ours", ["verify", "--json", notes], 1,
                               r"notes: parse: superblock: not a \.tet file \(offset 0\)"))
    # 1,463 of its 16,384 bytes are wrong, after the end of a Huffman stream: loops that do not check for it decode it.
    for codec in ("small", "upstream"):
        expect("a Huffman stream that ends early, " + codec, ["verify", "--deep", "--codec", codec, HUFFMAN_END], 1,
               r"chunk_decode: chunk 0: damaged chunk payload \(offset 241\)$")
    check("not ours", list(report) == ["ok", "file_len", "findings", "recommendations"] and
          report["file_len"] == 37, report)


# ---- zone maps and indexes ----

def take_apart():
    """The bytes before the spills, zone maps, indexes, footer."""
    with open(INDEXED, "rb") as file:
        data = file.read()
    length = struct.unpack("<Q", data[-16:-8])[0]
    footer = json.loads(data[-16 - length:-16])
    spills = [footer[key] for key in ("zone_maps_ref", "secondary_index_ref")]
    documents = [json.loads(data[s["offset"]:s["offset"] + s["len"]]) for s in spills]
    return [data[:spills[0]["offset"]]] + documents + [footer]


def put_together(front, zones, indexes, footer, spelled=json.dumps, gap=0):
    """gap: how many bytes will come between the first part and the rest."""
    data, footer = front, dict(footer)
    for key, spill in (("zone_maps_ref", zones), ("secondary_index_ref", indexes)):
        text = spelled(spill).encode()
        footer[key] = {"offset": len(data) + gap, "len": len(text)}
        data += text
    return data + with_tail(json.dumps(footer).encode())


def flipped(digits):
    return "%02x" % (int(digits[:2], 16) ^ 1) + digits[2:]


def zone_lies(zones):
    """(error, zone maps with it, severity of zone_maps_data)"""
    for i, entry in enumerate(zones["chunks"]):
        for key, lie in (("min_le", flipped), ("max_le", flipped), ("null_count", lambda n: n + 1),
                         ("element_count", lambda n: n - 1), ("min_le", None), ("max_le", lambda s: s + "00"),
                         ("min_le", lambda s: "zz" + s[2:]), ("dataset_id", lambda n: n + 3),
                         ("chunk_index", lambda c: c[:-1]), ("chunk_index", lambda c: c[:-1] + [77])):
            if key not in entry:
                continue
            document = copy.deepcopy(zones)
            if lie is None:
                del document["chunks"][i][key]
            else:
                document["chunks"][i][key] = lie(entry[key])
            yield "%s of entry %d" % (key, i), document, "warning" if key in ("dataset_id", "chunk_index") else "error"
        if entry["null_count"] == entry["element_count"]:
            document = copy.deepcopy(zones)
            document["chunks"][i].update(min_le="00000000", max_le="00000000")
            yield "bounds of nulls, entry %d" % i, document, "error"
    document = copy.deepcopy(zones)
    document["chunks"].append(dict(document["chunks"][0], null_count=0))
    yield "a second entry, which nobody looks up", document, "info"


GRIDS = [[(i, j) for i in range(3) for j in range(2)], [(0,), (1,)], [(0,)]]


def list_lies(entry):
    """The lists of one entry, each with one error."""
    lists = entry.get("postings", entry.get("segments"))
    for i, posting in enumerate(lists):
        chunks = posting["chunks"]
        others = [list(c) for c in GRIDS[entry["dataset_id"]] if list(c) not in chunks]
        wrong = [("one chunk less", chunks[1:]), ("outside the grid", chunks + [[9] * len(chunks[0])]),
                 ("of another rank", chunks + [chunks[0] + [0]]), ("no numbers", [["0"] * len(chunks[0])] + chunks[1:])]
        if others:
            wrong.append(("a chunk too many", chunks + others[:1]))
        for what, lie in wrong:
            changed = copy.deepcopy(lists)
            changed[i]["chunks"] = lie
            yield "list %d, %s" % (i, what), changed
        for key in ("value_le", "lo_le", "hi_le", "label"):
            if key in posting:
                changed = copy.deepcopy(lists)
                changed[i][key] = "?" if key == "label" else flipped(posting[key])
                yield "list %d, %s" % (i, key), changed
        yield "list %d missing" % i, lists[:i] + lists[i + 1:]
        yield "list %d twice" % i, lists + [posting]


def index_lies(indexes):
    for i, entry in enumerate(indexes["indexes"]):
        name = "postings" if "postings" in entry else "segments"
        for what, lists in list_lies(entry):
            document = copy.deepcopy(indexes)
            document["indexes"][i][name] = lists
            yield "%s %d, %s" % (entry["kind"], i, what), document, "error"
        for key, lie, severity in (("ascending", lambda b: not b, "error"), ("dataset_id", lambda n: 9, "warning"),
                                   ("axis", lambda n: 7, "warning"), ("dtype", lambda n: 11 - n, "warning"),
                                   ("kind", lambda s: "later", "info")):
            if key in entry:
                document = copy.deepcopy(indexes)
                document["indexes"][i][key] = lie(entry[key])
                yield "%s of %d" % (key, i), document, severity
        for what, lists in list(list_lies(entry))[:1]:
            document = copy.deepcopy(indexes)
            document["indexes"].append(dict(entry, **{name: lists}))
            yield "%d again, %s: readers take the first" % (i, what), document, "info"
            document = copy.deepcopy(indexes)
            document["indexes"].insert(0, dict(entry, **{name: lists}))
            yield "%d before, %s" % (i, what), document, "error"


    # Unknown keys, a few, and more than the tool keeps of a map: the known ones are read nevertheless.
    for count in (2, 9):
        unknown = {"k%d" % k if k != 1 else "a name of more than 23 characters": k for k in range(count)}
        document = copy.deepcopy(indexes)
        for entry in document["indexes"]:
            name = "postings" if "postings" in entry else "segments"
            entry[name] = [dict(unknown, **posting) for posting in entry[name]]
        document["indexes"] = [dict(unknown, **entry) for entry in document["indexes"]]
        yield "%d unknown keys" % count, document, "info"
        for i, entry in enumerate(document["indexes"]):
            lie = copy.deepcopy(document)
            name = "postings" if "postings" in entry else "segments"
            lie["indexes"][i][name][0]["chunks"] = entry[name][0]["chunks"][1:]
            yield "%s %d, one chunk less behind %d unknown keys" % (entry["kind"], i, count), lie, "error"


def findings(path, wanted, name):
    """Findings by check, without the words of the one that may be bad; the exit status is the one that the result
    requires."""
    status, out, err = utet("verify", "--deep", "--json", path)
    report = json.loads(out)
    severities = {f["check"]: f["severity"] for f in report["findings"]}
    bad = severities.get(wanted) == "error"
    check(name + ": verdict", status == bad and report["ok"] is not bad and err.count("\n") == bad and
          (not bad or ": %s: dataset " % wanted in err), "exit %d, %s" % (status, err))
    return severities


def documents():
    front, zones, indexes, footer = take_apart()
    good = findings(INDEXED, "", "as the reference wrote it")
    layout = expect("layout", ["info", INDEXED], 0).decode()
    for name, ref in (("zone maps", footer["zone_maps_ref"]), ("indexes", footer["secondary_index_ref"])):
        row = "^%s +%s +%s$" % (name, format(ref["offset"], ","), format(ref["len"], ","))
        check("layout", re.search(row, layout, re.M), layout)
    check("good", set(good.values()) == {"info"} and {"zone_maps_data", "indexes_data"} <= set(good), good)
    same = write("same.tet", put_together(front, zones, indexes, footer))
    check("put together again", findings(same, "", "same") == good, "")
    for about, lies in (("zone_maps_data", [(what, lie, indexes, bad) for what, lie, bad in zone_lies(zones)]),
                        ("indexes_data", [(what, zones, lie, bad) for what, lie, bad in index_lies(indexes)])):
        for what, zone_maps, index, severity in lies:
            path = write("lie.tet", put_together(front, zone_maps, index, footer))
            found = findings(path, about, what)
            check(what, found == dict(good, **{about: severity}), {k: v for k, v in found.items() if good.get(k) != v})
    shallow = json.loads(expect("without --deep", ["verify", "--json", path], 0))
    check("without --deep", not [f for f in shallow["findings"] if f["check"].endswith("_data")], shallow)
    check("more than 100 lies", len(lies) > 100, len(lies))


def escaped(value):
    """The same value in another spelling: each character as an escape, the last member first, white space wherever it is
    permitted, and in each map unknown members with texts that look like structure."""
    if isinstance(value, str):
        units = struct.unpack("<%dH" % (len(value.encode("utf-16-le")) // 2), value.encode("utf-16-le"))
        return '"%s"' % "".join("\\u%04x" % unit for unit in units)
    if isinstance(value, list):
        return "[\r\n%s\t]" % " ,\n".join(escaped(entry) for entry in value)
    if isinstance(value, dict):
        odd = [r'"}],:\\" : "\"\\{[\u005d}\\\\"', r'"\b\f\n\r\t\/":[[{"kind":[]}],{},"",-1.5e+3,null,true,false]']
        return "{ %s\t}" % "\r,".join(odd + ["%s :\t%s" % (escaped(key), escaped(value[key])) for key in reversed(value)])
    return json.dumps(value)


def spellings():
    """--deep reads the documents by their brackets: their spelling, and the ends of the parts that it reads, change
    nothing. A part of a large file has 32 KiB; a smaller file is one part."""
    front, zones, indexes, footer = take_apart()
    good = findings(write("same.tet", put_together(front, zones, indexes, footer)), "", "same")
    lies = [("", zones, indexes)]
    wrong = copy.deepcopy(zones)
    wrong["chunks"][-1]["null_count"] += 1
    lies.append(("zone_maps_data", wrong, indexes))
    wrong = copy.deepcopy(indexes)
    last = wrong["indexes"][-1]
    last["postings" if "postings" in last else "segments"][-1]["chunks"].pop()
    lies.append(("indexes_data", zones, wrong))
    for about, zone_maps, index in lies:
        expected = dict(good, **{about: "error"}) if about else good
        for gap, hole in ((0, None), (LARGE, len(front))):
            for spelled in (escaped, lambda document: json.dumps(document, indent=2)):
                path = write("spelled.tet", put_together(front, zone_maps, index, footer, spelled, gap), hole)
                found = findings(path, about, "spelled")
                check("spelled otherwise, %s, gap %d" % (about, gap), found == expected, found)
        for end in range(0, 700, 37 if about else 11):
            # The filler is in the first entries, so the end of the part falls into what follows it.
            spelled = [dict(document, **{key: [dict({"filler": "x" * (32768 - end)}, **document[key][0])] + document[key][1:]})
                       for document, key in ((zone_maps, "chunks"), (index, "indexes"))]
            path = write("spelled.tet", put_together(front, *spelled, footer, gap=LARGE), len(front))
            found = findings(path, about, "piece")
            check("a piece ends %d bytes before, %s" % (end, about), found == expected, found)


def advice_once():
    """Advice for many findings is given once, and the findings are not compared with each other."""
    count = 100000
    record = tet_header([(b"d", 5, [1], [1])], [])[40:-32] * count
    index = struct.pack("<4sIQHHIQ", b"TIDX", 1, count, 0, 0, 0, 0)
    start = 40 + len(record) + len(index) + 104 * count
    index += b"".join(struct.pack("<Q8QQQQII", i, *[0] * 8, start + i, 1, 1, 1, 0) for i in range(count))
    path = write("bad.tet", struct.pack("<4sIIIQQQ", b"TETR", 1, count, 0, 40 + len(record), len(index), len(record)) +
                 record + index + bytes(count))
    limit = lambda: resource.setrlimit(resource.RLIMIT_CPU, (5, 5))
    status, out, err = utet("verify", "--deep", "--json", path, preexec_fn=None if os.environ.get("NO_LIMITS") else limit)
    report = json.loads(out) if status == 1 else {"recommendations": [], "findings": []}
    check("advice once", status == 1 and [r["code"] for r in report["recommendations"]] == ["chunk_decode_failed"] and
          sum(f["severity"] == "error" for f in report["findings"]) == count, err)


def fills():
    """A fill value is null for writers of complete arrays, and data for the streaming writer (src/tet/FORMAT.md §8.3): both are
    accepted."""
    front, zones, indexes, footer = take_apart()
    as_data = copy.deepcopy(zones)
    for entry, low in zip(as_data["chunks"], (-99, None, -99, None, None, -99)):
        if low is not None:
            entry["min_le"] = struct.pack("<f", low).hex()
    for entry, nulls, high in zip(as_data["chunks"], (1, 0, 2, 0, 0, 0), (None, None, "0000c6c2", None, None, None)):
        entry["null_count"] = nulls
        if high:
            entry["max_le"] = high
    path = write("stream.tet", put_together(front, as_data, indexes, footer))
    found = findings(path, "", "fill values as data")
    check("fill values as data", found["zone_maps_data"] == "info", found)
    text = expect("text", ["verify", "--deep", path], 0).decode()
    check("text", "zone_maps_data        9 chunk(s) agree with the data" in text, text)


def with_documents(name, shape, rows, payload, zones, postings=None):
    """u8 in chunks of one element; documents of those entries: (coordinates, value), {value: chunks}."""
    at = header_length([(b"d", 5, shape, [1] * len(shape))], len(rows))
    front = tet_header([(b"d", 5, shape, [1] * len(shape))], [(0, c, at + p, 1, 1, 0) for c, p in rows], 1) + payload
    head = {"version": 1, "generation": 0, "packed_sha256": "0" * 64}
    entries = [{"dataset_id": 0, "chunk_index": c, "element_count": 1, "null_count": 0, "min_le": "%02x" % v,
                "max_le": "%02x" % v} for c, v in zones]
    lists = [{"value_le": "%02x" % v, "chunks": c} for v, c in sorted((postings or {}).items())]
    indexes = [{"kind": "value_postings", "dataset_id": 0, "dtype": 5, "postings": lists}] if lists else []
    return write(name, put_together(front, dict(head, chunks=entries), dict(head, indexes=indexes), {}))


def any_order():
    """Rows and entries in any order: the same result, and the work is not the square."""
    count = 30000
    values = [i * 7 % 50 for i in range(count)]
    postings = {v: [[i] for i in range(count) if values[i] == v] for v in range(50)}
    backwards = range(count - 1, -1, -1)
    took = {}
    for name, rows, entries in (("in order", range(count), range(count)), ("rows backwards", backwards, range(count)),
                                ("entries backwards", range(count), backwards)):
        path = with_documents("order.tet", [count], [([i], i) for i in rows], bytes(values),
                              [([i], values[i]) for i in entries], postings)
        start = time.monotonic()
        found = findings(path, "", name)
        took[name] = time.monotonic() - start
        check(name, (found["zone_maps_data"], found["indexes_data"]) == ("info", "info"), found)
        check(name + ": time", took[name] < 8 * took["in order"] + 1, took)
    # Errors are found after rows in unusual order as well; the error is reported for the chunk that it is about.
    rows = [([2], 2), ([0], 0), ([3], 3), ([1], 1)]
    for lie in range(4):
        path = with_documents("order.tet", [4], rows, bytes(range(4)), [([i], i + (i == lie)) for i in (3, 1, 0, 2)])
        expect("lie about chunk %d" % lie, ["verify", "--deep", path], 1,
               r"zone_maps_data: dataset 0 chunk \[%d\]: .*; 1 fault in 4 chunk" % lie)
    # Of two rows for a chunk that differ in an unused coordinate, the one at the predicted position counts (here the
    # second), otherwise the first; the chunk without a row is then not in the file.
    for name, rows, meant in (("predicted", [([1], 0), ([1, 9], 1)], 1), ("the first", [([0, 9], 0), ([0], 1)], 0)):
        for value in (0, 1):
            path = with_documents("twins.tet", [2], rows, bytes(range(2)), [(rows[0][0][:1], value)])
            found = findings(path, "zone_maps_data", "twins, " + name)
            check("twins, " + name, found["chunk_coords_unused"] == "warning" and
                  found["zone_maps_data"] == ("info" if value == meant else "error"), found)


def main():
    for part in (small_stack, verdicts, documents, spellings, advice_once, fills, any_order):
        part()
    summary()


main()
