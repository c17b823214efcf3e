#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""The table of work: every command of the tool, and with it the loops of the library, against everything that a file, a
document or a command line can make large. A row is something that grows; its columns are commands.

    UTET=build/utet work_table.py                      quick: rows that once were squares, at n = 10^4, within seconds
    UTET_WORK=build/tool-work/utet SUITE_FULL=1 …      all rows at n = 10^3 and 10^4, exponents at most 1.1
    … WORK_TABLE=all                                   also 10^5; WORK_ROWS=WORDS: only rows whose name has these words

The work is the number of basic blocks that tool and library enter (work_count.c). A command that takes less than LITTLE
blocks at the larger size is not judged, because it hardly reads what grows."""
import concurrent.futures
import json
import math
import os
import random
import resource
import struct
import subprocess
import zipfile

import harness
from harness import check, scratch, summary, utet, with_tail
from work_files import (TABLE, cbor, document, entry, enumeration, folder, footer, frame, message, put, row, schema,
                        shuffled, stamped, tensor, tile, with_footer)
from work_test import tet, values

EXPONENT = 1.1
LITTLE = 200000
SECONDS = 5 if not os.environ.get("NO_LIMITS") else 50


# ---- datasets, and what describes them ----

SETS = (("info", 0, "info @.tet"), ("info --all", 0, "info @.tet --all"), ("info --json", 0, "info @.tet --json"), ("verify", None, "verify @.tet"), ("deep", None, "verify --deep @.tet"),
        ("fit", 0, "fit @.tet --ram 1M"), ("diff", 0, "diff @.tet @.tet"), ("pack", 0, "pack @.tet -o @.out --tile whole"),
        ("read", 0, "read @.tet LAST -j 1 --format raw -o -"), ("query", 0, "query @.tet @.json -j 1"),
        ("stats", 0, "stats @.tet"), ("stats --physical", 0, "stats @.tet --physical"))


def sets(path, n, order, about=None, name="n%07d"):
    datasets = [((name % d if "%" in name else name).encode(), 5, [1], [1]) for d in range(n)]
    rows = [(d, [0], d, 1, 1, 0) for d in order]
    put(path + ".tet", tet(datasets, rows, values(n)) if about is None else with_footer(datasets, rows, values(n), about))
    document(path + ".json", dataset=name % (n - 1) if "%" in name else name, sum=[])


def last(commands, name):
    return [(c, s, w.replace("LAST", name)) for c, s, w in commands]


@row("datasets", *last(SETS, "#0"))
def datasets(path, n):
    sets(path, n, range(n))


@row("datasets, rows shuffled", *last(SETS, "#0"), quick=("diff", "pack", "deep", "info --all"))
def datasets_shuffled(path, n):
    sets(path, n, shuffled(n))


@row("datasets, metadata backwards", *last(SETS, "#0"), quick=("diff", "pack", "info --json"))
def datasets_described(path, n):
    about = {"n%07d" % d: {"attrs": {"units": "K"}, "dim_names": ["x"], "coords": {"x": {"labels": ["l"]}}} for d in reversed(range(n))}
    sets(path, n, range(n), footer(about))


@row("datasets of one name", *(c for c in last(SETS, "#0") if c[0] not in ("pack", "diff")), ("pack", 1, "pack @.tet -o @.out"),
     ("diff", 1, "diff @.tet @.tet"))
def datasets_same(path, n):
    sets(path, n, range(n), None, "same")


ONE = (("info", 0, "info @.tet"), ("info --json", 0, "info @.tet --json"), ("verify", None, "verify @.tet"), ("diff", 0, "diff @.tet @.tet"),
       ("pack", None, "pack @.tet -o @.out --tile whole"), ("query", 0, "query @.tet @.json -j 1"),
       ("fit", 0, "fit @.tet --ram 1M"), ("read", 0, "read @.tet -j 1 --format raw -o -"), ("stats", 0, "stats @.tet"))


def one(path, about, history=()):
    put(path + ".tet", with_footer([(b"d", 5, [4], [4])], [(0, [0], 0, 4, 4, 0)], b"abcd", footer({"d": about}, history)))
    document(path + ".json", sum=[])


@row("attributes", *ONE)
def attributes(path, n):
    one(path, {"attrs": {"k%06d" % (n - i): "v" for i in range(n)}})


@row("events of the history", *ONE)
def history(path, n):
    one(path, {}, [{"op": "o%d" % i, "at": "%d" % i, "source": "s", "params": {"a": "b"}} for i in range(n)])


@row("bytes of a text", *ONE, most=1000000)
def text(path, n):
    one(path, {"attrs": {"k": "\\\"é" * (n // 3)}})


@row("levels of JSON", *(c[:1] + (None,) + c[2:] for c in ONE))
def levels(path, n):
    whole = with_footer([(b"d", 5, [4], [4])], [(0, [0], 0, 4, 4, 0)], b"abcd", with_tail(b'{"history":[],"x":' + b"[" * n + b"]" * n + b"}"))
    put(path + ".tet", whole)
    document(path + ".json", sum=[])


@row("keys of the metadata of a file", *ONE)
def file_keys(path, n):
    whole = with_tail(json.dumps({"history": [], "metadata": {"file": {"k%d" % i: "v" for i in range(n)}}}).encode())
    put(path + ".tet", with_footer([(b"d", 5, [4], [4])], [(0, [0], 0, 4, 4, 0)], b"abcd", whole))
    document(path + ".json", sum=[])


LABELS = (*(c for c in ONE if c[0] != "fit"), ("--slab by label", 0, "read @.tet -j 1 --slab x=L0: --format raw -o -"),
          ("csv", 0, "read @.tet -j 1 --format csv -o -"), ("pack labels", 0, "pack @.tet -o @.out --tile whole --labels x=@l"),
          ("group_by", 0, "query @.tet @.group -j 1"), ("group_by --csv", 0, "query @.tet @.group --csv -j 1"), ("label_filter", 0, "query @.tet @.filter -j 1"), ("selection", 0, "query @.tet @.select -j 1"))


def labels(path, n, make):
    whole = [make(i) for i in range(n)]
    about = {"d": {"dim_names": ["x", "y"], "coords": {"x": {"labels": whole}}}}
    put(path + ".tet", with_footer([(b"d", 5, [n, 2], [n, 2])], [(0, [0, 0], 0, 2 * n, 2 * n, 0)], values(2 * n), footer(about)))
    document(path + ".json", sum=[])
    document(path + ".group", sum=["y"], group_by={"by": "labels", "axes": ["x"]})
    document(path + ".filter", sum=[], label_filter={"axis": "x", "eq": whole[-1]})
    document(path + ".select", sum=[], selection=[{"start_label": whole[0]}, {}])


@row("labels, all different", *(c for c in LABELS if c[0] != "pack labels"), quick=("group_by", "label_filter"))
def labels_different(path, n):
    labels(path, n, lambda i: "L%d" % i)


@row("labels, each twice", *(c for c in LABELS if c[0] not in ("pack labels", "--slab by label")), quick=("group_by",))
def labels_twice(path, n):
    labels(path, n, lambda i: "L%d" % (i * 7919 % max(1, n // 2)))


@row("labels, a few", *(c for c in LABELS if c[0] not in ("pack labels", "--slab by label")))
def labels_few(path, n):
    labels(path, n, lambda i: "L%d" % (i % 7))


# ---- zone maps and indexes ----

INDEXED = (("info", 0, "info @.tet"), ("verify", None, "verify @.tet"), ("deep", None, "verify --deep @.tet"),
           ("query", 0, "query @.tet @.json -j 1"), ("--trust-zones", 0, "query @.tet @.json --trust-zones -j 1"),
           ("pack --index keep", None, "pack @.tet -o @.out --index keep"))


def zone(c, dataset=0, low="00", high="ff"):
    return {"dataset_id": dataset, "chunk_index": [c], "element_count": 1, "null_count": 0, "min_le": low, "max_le": high}


def indexed(path, n, zones, lists, chunks=None, test=None):
    count = n if chunks is None else chunks
    head = {"version": 1, "generation": 0, "packed_sha256": "0" * 64}
    put(path + ".tet", tet([(b"d", 5, [count], [1])], [(0, [c], c, 1, 1, 0) for c in range(count)], values(count),
                           {"zone_maps_ref": dict(head, chunks=zones), "secondary_index_ref": dict(head, indexes=lists)}))
    document(path + ".json", sum=[], filter=test or {"gt": 100})


@row("zone maps backwards", *INDEXED, quick=("--trust-zones", "deep"))
def zones_backwards(path, n):
    indexed(path, n, [zone(c, low="%02x" % values(n)[c], high="%02x" % values(n)[c]) for c in reversed(range(n))] if n <= 10000 else
            [zone(c) for c in reversed(range(n))], [])


@row("zone maps shuffled", *INDEXED)
def zones_shuffled(path, n):
    indexed(path, n, [zone(c) for c in shuffled(n)], [])


@row("zone maps of one chunk", *INDEXED)
def zones_of_one(path, n):
    indexed(path, n, [zone(0) for _ in range(n)], [], 4)


@row("zone maps of no dataset", *INDEXED)
def zones_of_none(path, n):
    indexed(path, n, [zone(c, 7) for c in range(n)], [], 4)


def postings(entries):
    return {"kind": "value_postings", "dataset_id": 0, "dtype": 5, "postings": entries}


@row("values of an index", *INDEXED)
def index_values(path, n):
    indexed(path, n, [], [postings([{"value_le": "%02x" % (i & 255), "chunks": [[0]]} for i in range(n)])], 4, {"eq": 7})


@row("chunks of a value", *INDEXED)
def index_chunks(path, n):
    indexed(path, n, [], [postings([{"value_le": "07", "chunks": [[c] for c in shuffled(n)]}])], n, {"eq": 7})


@row("indexes", *INDEXED)
def index_lists(path, n):
    indexed(path, n, [], [postings([{"value_le": "07", "chunks": [[0]]}]) for _ in range(n)], 4, {"eq": 7})


@row("labels of an index", *INDEXED)
def index_labels(path, n):
    indexed(path, n, [], [{"kind": "coord_label_postings", "dataset_id": 0, "axis": 0,
                           "postings": [{"label": "L%d" % i, "chunks": [[0]]} for i in range(n)]}], 4)


@row("segments of an index", *INDEXED)
def index_segments(path, n):
    indexed(path, n, [], [{"kind": "sorted_axis_range", "dataset_id": 0, "axis": 0, "ascending": True,
                           "segments": [{"lo_le": "00" * 8, "hi_le": "00" * 8, "chunks": [[0]]} for i in range(n)]}], 4)


# ---- documents ----

def query_row(name, make, status=1):
    def write(path, n):
        put(path + ".tet", tet([(b"d", 5, [4], [4])], [(0, [0], 0, 4, 4, 0)], b"abcd"))
        put(path + ".json", make(n))
    row("query: " + name, ("query", status, "query @.tet @.json -j 1"), ("--json", status, "query @.tet @.json --json"))(write)


query_row("unknown keys", lambda n: '{"dataset":"d","sum":[],%s}' % ",".join('"k%d":1' % (n - i) for i in range(n)))
query_row("one key again and again", lambda n: '{"dataset":"d",%s}' % ",".join('"sum":[]' for _ in range(n)), None)
query_row("steps of a pipeline", lambda n: '{"dataset":"d","pipeline":[%s]}' % ",".join('{"filter":{"gt":1}}' for _ in range(n)), None)
query_row("axes", lambda n: '{"dataset":"d","sum":[%s]}' % ",".join("0" for _ in range(n)))
query_row("axes of a selection", lambda n: '{"dataset":"d","sum":[],"selection":[%s]}' % ",".join("{}" for _ in range(n)))
query_row("bytes of a name", lambda n: '{"dataset":"%s","sum":[]}' % ("n" * n), None)
query_row("digits", lambda n: '{"dataset":"d","sum":[],"filter":{"gt":1.%s}}' % ("7" * n), 0)
query_row("digits of an exponent", lambda n: '{"dataset":"d","sum":[],"filter":{"gt":1e-%s1}}' % ("0" * n), None)
query_row("blanks", lambda n: '{"dataset":"d","sum":[]%s}' % (" " * n), 0)
query_row("levels", lambda n: '{"dataset":"d","sum":[],"x":%s%s}' % ("[" * n, "]" * n))


# ---- elements, rows, axes ----

@row("elements that differ", ("diff", 1, "diff @.tet @.other --first 1000000"), ("diff --tolerance", 1, "diff @.tet @.other --tolerance 0.5"),
     most=1000000)
def differing(path, n):
    for name, payload in (".tet", bytes(n)), (".other", b"\1" * n):
        put(path + name, tet([(b"d", 5, [n], [n])], [(0, [0], 0, n, n, 0)], payload))


@row("places along each of eight axes", ("pack", 0, "pack @.tet -o @.out"), ("csv", 0, "read @.tet -j 1 --format csv -o -"),
     ("--slab", 0, "read @.tet -j 1 --slab ::2,::2,::2,::2,::2,::2,::2,:: --format raw -o -"), ("verify", 0, "verify @.tet"), ("query", 0, "query @.tet @.json -j 1"))
def eight_axes(path, n):
    shape = [2] * 7 + [max(1, n // 128)]
    size = math.prod(shape)
    put(path + ".tet", tet([(b"d", 5, shape, shape)], [(0, [0] * 8, 0, size, size, 0)], values(size)))
    document(path + ".json", sum=[])


@row("results of a query", ("windows", 0, "query @.tet @.windows -j 1"), ("windows --json", 0, "query @.tet @.windows --json"), ("windows --csv", 0, "query @.tet @.windows --csv"),
     ("groups", 0, "query @.tet @.groups -j 1"), ("groups --csv", 0, "query @.tet @.groups --csv -j 1"), ("one axis --json", 0, "query @.tet @.axis --json"),
     ("covariance", 0, "query @.tet @.covariance -j 1"), ("median", 0, "query @.tet @.median -j 1"), ("histogram", 0, "query @.tet @.histogram -j 1"))
def results(path, n):
    put(path + ".tet", tet([(b"d", 5, [n, 2], [max(1, n // 10), 2])], [(0, [c, 0], c * max(1, n // 10) * 2, max(1, n // 10) * 2, max(1, n // 10) * 2, 0)
                                                                      for c in range(10)], values(2 * n)))
    document(path + ".windows", mean=[0], window={"axis": 0, "mode": "rolling", "size": 3})
    document(path + ".groups", sum=[1], group_by=[0])
    document(path + ".axis", sum=[1])
    document(path + ".covariance", covariance=[0])
    document(path + ".median", median=[0])
    document(path + ".histogram", histogram={"axes": [0], "bins": 16, "min": 0, "max": 256})


@row("values that become C", ("export", 0, "export @.tet --c -o @.c"), ("--image", 0, "export @.tet --c --image -o @.c"),
     ("--stats", 0, "read @.tet -j 1 --stats"), ("show", 0, "show @.tet -o @.png"))
def exported(path, n):
    put(path + ".tet", tet([(b"d", 5, [n, 1], [n, 1])], [(0, [0, 0], 0, n, n, 0)], values(n)))


# ---- tables and arrays ----

PACK = (("pack", 0, "pack @.csv -o @.out --tile whole"),)


@row("rows of a table", *PACK)
def table_rows(path, n):
    put(path + ".csv", "a,b\n" + "".join("%d,%d.5\n" % (i, i) for i in range(n)))


@row("rows with gaps", ("pack", 0, "pack @.csv -o @.out --tile whole --fill -1"))
def table_gaps(path, n):
    put(path + ".csv", "a,b\n" + "".join("%s,%d.5\n" % (i if i % 3 else "", i) for i in range(n)))


@row("texts of a column, all different", ("pack", None, "pack @.csv -o @.out --tile whole"))
def table_words(path, n):
    put(path + ".csv", "a,b\n" + "".join("w%d,%d\n" % (i * 7919 % n, i) for i in range(n)))


@row("times of a table", ("pack", 0, "pack @.csv -o @.out --tile whole --times a=ms"), ("UTF-16", 0, "pack @.wide.csv -o @.out --tile whole --times a=ms"))
def table_times(path, n):
    text = "a;b\n" + "".join("2024-01-01T%02d:%02d:%02d.%03d;1,5\n" % (i // 3600 % 24, i // 60 % 60, i % 60, i % 1000) for i in range(n))
    put(path + ".csv", text)
    put(path + ".wide.csv", text.encode("utf-16"))


@row("elements in another dtype", ("--dtype", 0, "pack @.npy -o @.out --tile whole --dtype f32"), ("--scale", 0, "pack @.npy -o @.out --tile whole --scale auto"), most=1000000)
def cast_elements(path, n):
    put(path + ".npy", b"\x93NUMPY\1\0v\0" + (b"{'descr': '<f8', 'fortran_order': False, 'shape': (%d,), }" % n).ljust(117) + b"\n" + struct.pack("<%dd" % n, *(i / 3 for i in range(n))))


@row("comments between rows", ("pack", 0, "pack @.csv -o @.out --tile whole"), ("--comment", 0, "pack @.csv -o @.out --tile whole --comment #"),
     ("#, but data", 0, "pack @.data.csv -o @.out --tile whole"), ("blanks", 0, "pack @.csv -o @.out --tile whole --separator blank --comment #"))
def table_comments(path, n):
    put(path + ".csv", "a,b\n" + n * "1,2\n# a comment\n")
    put(path + ".data.csv", "a,b\n" + n * "#1,2\n")


@row("columns that are left out", ("pack", 0, "pack @.csv -o @.out --tile whole DROPS"), most=1000)
def table_drops(path, n):
    put(path + ".csv", ",".join("c%d" % i for i in range(n)) + ",d\n" + 2 * (",".join("x" for i in range(n)) + ",1\n"))
    put(path + ".drops", " ".join("--drop c%d" % i for i in range(n)))


@row("columns of a table", *PACK, most=1000)
def table_columns(path, n):
    put(path + ".csv", ",".join("c%d" % i for i in range(n)) + "\n" + 2 * (",".join("%d" % i for i in range(n)) + "\n"))


@row("bytes of a cell", ("pack", None, "pack @.csv -o @.out --tile whole"), most=1000000)
def table_cell(path, n):
    put(path + ".csv", "a,b\n1,2\n\"" + "x" * n + "\",3\n")


@row("options of pack", ("--attr", 1, "pack @.tet -o @.out --tile whole ATTR"), most=10000)
def options(path, n):
    one(path, {})
    put(path + ".words", " ".join("--attr k%d=v" % (n - i) for i in range(n)))


@row("members of an archive", ("pack", 0, "pack @.npz -o @.out --tile whole"), most=10000)
def members(path, n):
    data = b"\x93NUMPY\1\0v\0" + b"{'descr': '<u2', 'fortran_order': False, 'shape': (2,), }".ljust(117) + b"\n1234"
    with zipfile.ZipFile(path + ".npz", "w") as archive:
        for i in range(n):
            archive.writestr("m%06d.npy" % (n - i), data)


@row("tensors of a safetensors file", ("pack", 0, "pack @.safetensors -o @.out --tile whole"), most=10000)
def tensors(path, n):
    entries = ('"t%06d":{"dtype":"U8","shape":[2],"data_offsets":[%d,%d]}' % (n - i, 2 * i, 2 * i + 2) for i in range(n))
    text = ("{%s}" % ",".join(entries)).encode()
    with open(path + ".safetensors", "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + b"ab" * n)


@row("files of a command", ("verify", 0, "verify FILES"), ("pack", 0, "pack FILES NAMES -o @.out --tile whole"), ("messages", 0, "messages TGM"), most=1000)
def files(path, n):
    one(path, {})
    put(path + ".files", " ".join([path + ".tet"] * n))
    put(path + ".names", " ".join("--name n%d" % i for i in range(n)))
    put(path + ".tgm", message([frame(1, cbor({"base": [{"a": 1, "b": 2}]})), tensor()]))
    put(path + ".tgms", " ".join([path + ".tgm"] * n))


# ---- Tensogram ----

MESSAGES = (("messages", 0, "messages @.tgm"), ("--json", 0, "messages @.tgm --json"), ("--jsonl", 0, "messages @.tgm --jsonl"),
            ("-w", 0, "messages @.tgm -w a=1"), ("-p", 0, "messages @.tgm -p a,b,c"), ("message", 0, "message @.tgm 0 --metadata"), ("--object", 0, "message @.tgm 0 --object 0 --format csv"), ("verify", None, "verify @.tgm"), ("deep", None, "verify --deep @.tgm"))


@row("messages", *MESSAGES)
def messages(path, n):
    put(path + ".tgm", message([frame(1, cbor({"base": [{"a": 1, "b": 2}]})), tensor()]) * n)


@row("tensors of a message", *MESSAGES)
def tensors(path, n):
    put(path + ".tgm", message([frame(1, cbor({"base": [{"a": 1, "b": i} for i in range(n)]}))] + [tensor()] * n))


@row("preceders", *MESSAGES)
def preceders(path, n):
    put(path + ".tgm", message([frame(1, cbor({"base": []}))] + [frame(8, cbor({"base": [{"a": 1, "b": 2}]})), tensor()] * n, 1 | 64))


@row("keys of a tensor", *MESSAGES)
def tensor_keys(path, n):
    put(path + ".tgm", message([frame(1, cbor({"base": [dict({"k%d" % i: i for i in range(n)}, a=1)]})), tensor()]))


@row("keys in the reserved part", *MESSAGES)
def reserved_keys(path, n):
    put(path + ".tgm", message([frame(1, cbor({"base": [{"a": 1}], "_extra_": {"k%d" % i: i for i in range(n)}})), tensor()]))


@row("clauses and keys asked for", ("-w", 0, "messages @.tgm CLAUSES"), ("-p", 0, "messages @.tgm -p KEYS"), most=10000)
def clauses(path, n):
    put(path + ".tgm", message([frame(1, cbor({"base": [{"a": 1, "b": 2}]})), tensor()]))
    put(path + ".clauses", " ".join("-w k%d!=1" % i for i in range(n)))
    put(path + ".keys", ",".join("k%d" % i for i in range(n)))


@row("elements of a tensor", ("--object", 0, "message @.tgm 0 --object 0 --format csv"), ("deep", 0, "verify --deep @.tgm"),
     ("show", 0, "show @.tgm -o @.png"), most=1000000)
def elements(path, n):
    about = cbor({"type": "ntensor", "ndim": 2, "shape": [n, 1], "strides": [1, 1], "dtype": "uint8", "byte_order": "little", "encoding": "none",
                  "filter": "none", "compression": "none"})
    body = values(n) + about
    whole = b"FR" + struct.pack(">HHHQ", 9, 1, 1, len(body) + 36) + body + struct.pack(">QQ", 16 + n, 0) + b"ENDF"
    put(path + ".tgm", message([frame(1, cbor({"base": [{"a": 1}]})), whole + bytes(-len(whole) % 8)]))


# ---- TileDB ----

SCHEMA = (("schema", 0, "schema @.array"), ("--json", 0, "schema @.array --json"), ("--all", 0, "schema @.array --json --all"))


@row("attributes of a schema", *SCHEMA)
def schema_attributes(path, n):
    put(folder(path) + "__schema/" + stamped(1), schema(n))


@row("schemas of an array", *SCHEMA, most=10000)
def schema_files(path, n):
    top = folder(path)
    for i in range(n):
        put(top + "__schema/" + stamped(i + 1), schema(2))


@row("keys of a metadata file", *SCHEMA, most=10000)  # beyond a tile, data are decoded twice, which is a step
def meta_keys(path, n):
    top = folder(path)
    put(top + "__schema/" + stamped(1), schema(1))
    put(top + "__meta/" + stamped(1), tile(b"".join(entry("a key with a common beginning %06d" % i, i) for i in range(n))))


@row("metadata files", *SCHEMA, most=10000)
def meta_files(path, n):
    top = folder(path)
    put(top + "__schema/" + stamped(1), schema(1))
    for i in range(n):
        put(top + "__meta/" + stamped(i + 1), tile(entry("key %06d" % i, i)))


@row("metadata files of one key", *SCHEMA, most=10000)
def meta_same(path, n):
    top = folder(path)
    put(top + "__schema/" + stamped(1), schema(1))
    for i in range(n):
        put(top + "__meta/" + stamped(i + 1), tile(entry("key", i)))


@row("values of an enumeration", *SCHEMA)
def enumeration_values(path, n):
    top = folder(path)
    put(top + "__schema/" + stamped(1), schema(1, 1, [("e", stamped(2))], "e"))
    put(top + "__schema/__enumerations/" + stamped(2), enumeration("e", stamped(2), n))


@row("enumerations", *SCHEMA, most=10000)
def enumerations(path, n):
    top = folder(path)
    put(top + "__schema/" + stamped(1), schema(n, 1, [("e%d" % i, stamped(i + 2)) for i in range(n)], "e%d"))
    for i in range(n):
        put(top + "__schema/__enumerations/" + stamped(i + 2), enumeration("e%d" % i, stamped(i + 2), 2))


# ---- running ----

def made(number, n):
    path = scratch("t%d-%d" % (number, n))
    if not os.path.exists(path + ".made"):
        TABLE[number][1](path, n)
        put(path + ".made", b"")
    return path


BESIDE = {"ATTR": ".words", "CLAUSES": ".clauses", "KEYS": ".keys", "FILES": ".files", "NAMES": ".names", "DROPS": ".drops", "TGM": ".tgms"}


def arguments(words, path):
    """Words in capitals are replaced by those of a file next to the data."""
    out = []
    for word in words.split():
        if word in BESIDE:
            with open(path + BESIDE[word], encoding="utf-8") as file:
                out += file.read().split()
        else:
            out.append(word.replace("@", path))
    return out


def blocks(task):
    number, column, n = task
    name, _, commands, _, _ = TABLE[number]
    command, status, words = commands[column]
    path = made(number, n)
    count = "%s.%d.blocks" % (path, column)
    words = [w.replace(".out", ".out%d" % column) for w in arguments(words, path)]
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    try:
        done = subprocess.run([os.path.abspath(os.environ["UTET_WORK"])] + words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL,
                              env=dict(os.environ, WORK_COUNT=count), timeout=600, check=False)
    except subprocess.TimeoutExpired:
        return 1 << 60, "more than 600 s"
    took = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    wrong = "" if done.returncode == status or status is None and done.returncode in (0, 1) else "exit %d: %s" % (
        done.returncode, done.stderr.decode("utf-8", "replace")[:200])
    if not os.path.exists(count):
        return 0, wrong or "no count"
    with open(count) as file:
        return int(file.read()), wrong


def full():
    whole = os.environ.get("WORK_TABLE") == "all"
    wanted = os.environ.get("WORK_ROWS", "")
    lines = []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for number, (name, _, commands, most, _) in enumerate(TABLE):
            if wanted not in name:
                continue
            sizes = [n for n in ((1000, 10000, 100000) if whole else (1000, 10000)) if n <= most] if most >= 10000 else [most // 10, most]
            for n in sizes:
                made(number, n)
            tasks = [(number, column, n) for column in range(len(commands)) for n in sizes]
            found = dict(zip(tasks, pool.map(blocks, tasks)))
            cells = []
            for column, (command, _, _) in enumerate(commands):
                counts = [found[number, column, n] for n in sizes]
                wrong = [w for _, w in counts if w]
                check("%s, %s: exit status" % (name, command), not wrong, wrong)
                powers = [math.log(max(after, 1) / max(before, 1), 10) for (before, _), (after, _) in zip(counts, counts[1:]) if after >= LITTLE]
                check("%s, %s: exponent" % (name, command), not powers or max(powers) <= EXPONENT, [c for c, _ in counts])
                cells.append("%s %s" % (command, " ".join("%.2f" % p for p in powers) if powers else "-"))
            print("figure: %s to %d: %s" % (name, sizes[-1], "; ".join(cells)))
            lines.append("| %s | %d | %s |" % (name, sizes[-1], ", ".join(cells)))
            for n in sizes:
                for file in os.listdir(harness.SCRATCH):
                    if file.startswith("t%d-%d." % (number, n)) and os.path.isfile(scratch(file)):
                        os.remove(scratch(file))
    if whole:
        print("\n".join(lines))


def limited():
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))


def quick():
    for number, (name, _, commands, _, wanted) in enumerate(TABLE):
        for command, status, words in commands:
            if command not in wanted:
                continue
            path = made(number, 20000)
            got = utet(*arguments(words, path), preexec_fn=limited)
            check("%s, %s: within %d s" % (name, command, SECONDS), got[0] == status or status is None and got[0] in (0, 1), (got[0], got[2]))
    eight_axes_packed()


def eight_axes_packed():
    """Thousands of tiles to choose from: this took 14 s."""
    shape, path = [2, 4, 6, 5, 5, 3, 6, 4], scratch("eight.tet")
    rng, size = random.Random(8), math.prod([2, 4, 6, 5, 5, 3, 6, 4])
    put(path, tet([(b"d", 5, shape, shape)], [(0, [0] * 8, 0, size, size, 0)], rng.randbytes(size)))
    got = utet("pack", path, "-o", path + ".out", preexec_fn=limited)
    check("eight axes, pack: within %d s" % SECONDS, got[0] == 0, got)


if __name__ == "__main__":
    (full if os.environ.get("SUITE_FULL") else quick)()
    summary()
