#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""Safetensors as input of utet pack. Second source: NumPy's arrays, written here as the format's page describes it."""
import json
import os
import random
import resource
import struct
import subprocess
import time

import numpy

from harness import TOOL, check, scratch, summary, utet

QUICK = ("--codec", "raw", "-j", "1", "--tile", "whole")
CODES = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "I64": "<i8", "I32": "<i4", "I16": "<i2", "I8": "|i1",
         "U64": "<u8", "U32": "<u4", "U16": "<u2", "U8": "|u1", "BOOL": "|b1"}
TAGS = [None, "<f4", "<f8", "<i4", "<i8", "|u1", "<u2", "<i2", "<u4", "<f2", "<u8"]
STORED = {"I8": "<i2", "BOOL": "|u1"}
OUT = scratch("out.tet")
os.environ["SOURCE_DATE_EPOCH"] = "1700000000"


def whole(header, data=b"", pad=0):
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    text += b" " * pad
    return struct.pack("<Q", len(text)) + text + data


def build(tensors, metadata=None, pad=0):
    """tensors: (name, code, array)"""
    header = {} if metadata is None else {"__metadata__": metadata}
    data = b""
    for name, code, array in tensors:
        raw = array.tobytes()
        header[name] = {"dtype": code, "shape": list(array.shape), "data_offsets": [len(data), len(data) + len(raw)]}
        data += raw
    return whole(header, data, pad)


def pack(content, *options, name="a.safetensors", only=""):
    if os.path.exists(OUT):
        os.remove(OUT)
    with open(scratch(name), "wb") as file:
        file.write(content)
    status, _, err = utet("pack", scratch(name) + only, *QUICK, *options, "-o", OUT)
    return status, err


def stored():
    """All datasets as NumPy arrays with their attributes."""
    about = json.loads(utet("info", OUT, "--json")[1])
    more = about["metadata"].get("datasets", {})
    return {one["name"]: (numpy.frombuffer(utet("read", OUT, "#%d" % i, "--format", "raw")[1], TAGS[one["dtype"]]).reshape(one["shape"]),
                          more.get(one["name"], {}).get("attrs", {})) for i, one in enumerate(about["datasets"])}


def refused(what, content, words, **more):
    status, err = pack(content, **more)
    check(what, status == 1 and words in err and err.count("\n") == 1 and "a.safetensors: " in err and not os.path.exists(OUT), (status, err))


def random_array(dice, code, shape):
    if code == "BOOL":
        return dice.integers(0, 2, shape).astype("|b1")
    if code.startswith("F"):
        return (dice.normal(size=shape) * 9).astype(CODES[code])
    most = numpy.iinfo(CODES[code])
    return dice.integers(most.min, most.max, shape, CODES[code], endpoint=True)


def same(tensors, got):
    return set(got) == {t[0] for t in tensors} and all(
        got[name][0].dtype == numpy.dtype(STORED.get(code, CODES[code])) and got[name][0].shape == (array.shape or (1,)) and
        got[name][0].tobytes() == array.astype(STORED.get(code, CODES[code])).tobytes() for name, code, array in tensors)


def values():
    dice = numpy.random.default_rng(12)
    for code in CODES:
        for shape in ((), (5,), (3, 7), (2, 1, 3, 2), (0, 4), (1, 1, 1, 1, 2, 1, 1, 3)):
            one = [("w", code, random_array(dice, code, shape))]
            status, err = pack(build(one))
            got = stored() if status == 0 else {}
            check("%s of %s" % (code, shape), status == 0 and err == "" and same(one, got), (err, got))
            said = got["w"][1] if got else None
            check("%s: attributes" % code, said == {"I8": {"original_dtype": "int8"}, "BOOL": {"dtype": "bool"}}.get(code, {}), said)
    many = [("layer.%d.%s" % (i, code), code, random_array(dice, code, (i + 1, 3))) for i, code in enumerate(CODES)]
    about = {"format": "pt", "note": "Grüße \u2603 \"quoted\" \\ \n \U0001f600"}
    for pad in (0, 7):
        status, err = pack(build(many, about, pad), "--metadata", "keep")
        got = stored()
        check("many", status == 0 and err == "" and same(many, got), err)
        check("metadata become attributes", all({k: v for k, v in a.items() if k in about} == about for _, a in got.values()), got)
    header, data = json.loads(build(many)[8:build(many).index(b"}}") + 2]), build(many)[build(many).index(b"}}") + 2:]
    backwards = dict(reversed(list(header.items())))
    status, err = pack(whole(json.dumps(backwards, indent=1, ensure_ascii=False).encode(), data))
    check("entries in another order, with blanks", status == 0 and err == "" and same(many, stored()), err)
    status, err = pack(build(many), only=":layer.3.I64")
    check("one of many", status == 0 and same([many[3]], stored()), err)
    status, err = pack(build(many), "--slab", "0:1,0:2", only=":layer.3.I64")
    check("a slab of one", status == 0 and same([("layer.3.I64", "I64", many[3][2][0:1, 0:2])], stored()), err)
    status, err = pack(build(many), "--dtype", "f64", only=":layer.5.I16")
    check("--dtype", status == 0 and same([("layer.5.I16", "F64", many[5][2].astype("<f8"))], stored()), err)
    status, err = pack(build(many), name="plain.bin")
    check("known by its first bytes", status == 0 and same(many, stored()), err)
    refused("a name that is near", build(many), 'no array named "layer.3.I46" (did you mean "layer.3.I64"?)', only=":layer.3.I46")


def foreign():
    for code, size, words in (("BF16", 2, "tensor.to(torch.float32)"), ("F8_E4M3", 1, "tensor.to(torch.float32)"),
                              ("F8_E5M2", 1, "tensor.to(torch.float32)"), ("C64", 8, "tensor.real and tensor.imag"), ("Q7", 3, "tensor.to(torch.float32)")):
        both = whole({"w": {"dtype": code, "shape": [2], "data_offsets": [0, 2 * size]},
                      "v": {"dtype": "U8", "shape": [2], "data_offsets": [2 * size, 2 * size + 2]}}, b"a" * (2 * size + 2))
        refused(code, both, "dataset: w: unsupported dtype %s; " % code)
        check(code + ": the way out", words in pack(both)[1], words)
        status, err = pack(both, only=":v")
        check(code + " stays", status == 0 and same([("v", "U8", numpy.frombuffer(b"aa", "u1"))], stored()), err)
    long = {"good": "yes", "long": "x" * 1025, "": "no name", "empty": "", "dtype": "F", "most": "y" * 1024}
    flag = [("w", "BOOL", numpy.ones(2, "|b1"))]
    status, err = pack(build(flag, long), "--metadata", "keep")
    check("texts that are no attributes", status == 0 and stored()["w"][1] == {"good": "yes", "most": "y" * 1024, "dtype": "bool"}, err)
    check("they are named", [line.split('"')[1] for line in err.splitlines()] == ["long", "", "empty", "dtype"] and err.count("is left out") == 4, err)
    status, err = pack(build(flag, {"k%d" % i: "v" for i in range(64)}), "--metadata", "keep")
    check("62 attributes", status == 0 and len(stored()["w"][1]) == 63 and err.count("there is room for 62") == 2, err)
    status, err = pack(build([("w%d" % i, "U8", numpy.zeros(0, "u1")) for i in range(300)], {"k%d" % i: "v" * 1000 for i in range(60)}))
    check("too many bytes of attributes", status == 0 and "larger than 16 MiB" in err and not any(a for _, a in stored().values()), err)


def faults():
    good = {"dtype": "U8", "shape": [4], "data_offsets": [0, 4]}
    for what, header, words in (
            ("no object", b"[]", "no safetensors header"), ("two objects", b'{}{}', "not a JSON object"), ("a text", b"{} x", "not a JSON object"),
            ("a way out of the object", b'{},"x":{}', "not one JSON object"), ("another way out", b'{"a":1}},"b":{"x":{"c":1}', "not a JSON object"),
            ("no end", b'{"w":', "not a JSON object"), ("no tensor", {}, "4 extra bytes"),
            ("a number", {"w": 5}, "a tensor is not an object"), ("a null", {"w": None}, "a tensor is not an object"),
            ("no dtype", {"w": {"shape": [4], "data_offsets": [0, 4]}}, "a key is missing"), ("one more key", {"w": dict(good, order="C")}, "unknown key"),
            ("a key twice", b'{"w":{"dtype":"U8","dtype":"U8","shape":[4],"data_offsets":[0,4]}}', "a key is given twice"),
            ("a name twice", b'{"w":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},"w":{"dtype":"U8","shape":[2],"data_offsets":[2,4]}}', 'two datasets are named "w"'),
            ("metadata twice", b'{"__metadata__":{},"__metadata__":{}}', "a key is given twice"), ("metadata of a number", {"__metadata__": {"a": 1}}, "not a text"),
            ("metadata as a list", {"__metadata__": []}, "not an object of texts"), ("dtype 5", {"w": dict(good, dtype=5)}, "the dtype is not a text"),
            ("a shape of -1", {"w": dict(good, shape=[-1])}, "the shape is not a list"), ("a shape of 1.5", {"w": dict(good, shape=[1.5])}, "the shape is not a list"),
            ("a shape of text", {"w": dict(good, shape="4")}, "the shape is not a list"), ("a shape of 2^64", {"w": dict(good, shape=[1 << 64])}, "the shape is not a list"),
            ("9 axes", {"w": dict(good, shape=[1] * 8 + [4])}, "at most 8"), ("2^62 elements", {"w": dict(good, shape=[1 << 31, 1 << 31])}, "too many elements"),
            ("another size", {"w": dict(good, shape=[3])}, "w: data_offsets have 4 bytes, dtype and shape require 3"),
            ("offsets in the wrong order", {"w": dict(good, data_offsets=[4, 0])}, "ascending"), ("one offset", {"w": dict(good, data_offsets=[0])}, "two whole numbers"),
            ("three offsets", {"w": dict(good, data_offsets=[0, 4, 4])}, "two whole numbers"), ("beyond the end", {"w": dict(good, shape=[5], data_offsets=[0, 5])}, "w: 1 bytes are missing"),
            ("2^63", {"w": dict(good, data_offsets=[0, 1 << 63])}, "bytes are missing"), ("a gap", {"w": dict(good, shape=[3], data_offsets=[1, 4])}, "leave a gap"),
            ("an overlap", {"w": good, "v": dict(good, shape=[1], data_offsets=[3, 4])}, "overlap"), ("extra bytes", {"w": dict(good, shape=[3], data_offsets=[0, 3])}, "1 extra bytes"),
            ("a name of 1,025 bytes", {"w" * 1025: good}, "a name is not 1 to 1,024"), ("a zero byte", {"w\0x": good}, "a name is not 1 to 1,024"),
            ("half a surrogate pair", b'{"\\ud800":{"dtype":"U8","shape":[4],"data_offsets":[0,4]}}', "UTF-8"), ("no UTF-8", b'{"\xff":{"dtype":"U8","shape":[4],"data_offsets":[0,4]}}', "the header is not valid UTF-8"),
            ("no name", {"": good}, "name must have 1 to 1,024")):
        refused(what, whole(header, b"abcd"), words)
    refused("no tensor and no data", whole({}), "the file contains no tensors")
    refused("only metadata", whole({"__metadata__": {"a": "b"}}), "the file contains no tensors")
    at = pack(whole({"w": dict(good, order="C")}, b"abcd"))[1]
    check("the offset is that of the file", "offset %d" % (8 + json.dumps({"w": dict(good, order="C")}).index('"order"')) in at, at)
    refused("17 MiB of header", struct.pack("<Q", 17 << 20) + b"{" + b" " * (17 << 20), "larger than 16 MiB")
    sample = build([("a", "F32", numpy.arange(6, dtype="<f4").reshape(2, 3)), ("b", "I8", numpy.arange(5, dtype="|i1"))], {"k": "v"})
    text = struct.unpack("<Q", sample[:8])[0]
    for length in range(len(sample)):
        refused("cut to %d bytes" % length, sample[:length], "")
    for length in (0, 1, text - 1, text + 1, len(sample), 1 << 31, 1 << 32, (1 << 63) - 1, 1 << 63, (1 << 64) - 8, (1 << 64) - 1):
        refused("a header of %d bytes" % length, struct.pack("<Q", length) + sample[8:], "")
    dice = random.Random(4)
    whole_data = sample[8 + text:]
    for bit in [b for b in range(0, (8 + text) * 8) if dice.random() < float(os.environ.get("BIT_SHARE", "0.25"))]:
        bent = bytearray(sample)
        bent[bit // 8] ^= 1 << bit % 8
        status, err = pack(bytes(bent))
        right = status == 1 and err.startswith("utet: ") and not os.path.exists(OUT)
        if status == 0:  # another name, text or dtype of the same size
            head = json.loads(bytes(bent[8:8 + struct.unpack("<Q", bent[:8])[0]]))
            head.pop("__metadata__", None)
            right = same([(n, e["dtype"], numpy.frombuffer(whole_data[slice(*e["data_offsets"])], CODES[e["dtype"]]).reshape(e["shape"])) for n, e in head.items()], stored())
        check("bit %d" % bit, right, (status, err))


def bounds():
    """The work is linear in the number of tensors, and memory does not depend on the data."""
    took = []
    for count in (2000, 16000):
        header = {"t%06d" % (count - i): {"dtype": "U8", "shape": [0], "data_offsets": [0, 0]} for i in range(count)}
        header["t000000"] = {"dtype": "U8", "shape": [1], "data_offsets": [0, 1]}
        with open(scratch("many.safetensors"), "wb") as file:
            file.write(whole(header, b"x"))
        begun = resource.getrusage(resource.RUSAGE_CHILDREN)
        status, _, err = utet("pack", scratch("many.safetensors:t000000"), *QUICK, "-o", OUT)
        ended = resource.getrusage(resource.RUSAGE_CHILDREN)
        took.append(ended.ru_utime + ended.ru_stime - begun.ru_utime - begun.ru_stime)
        check("%d tensors" % count, status == 0, err)
    check("8 times the tensors, at most 24 times the time", took[1] < 24 * max(took[0], 0.01), took)
    if "asan" in TOOL:
        return
    size = 256 << 20
    with open(scratch("big.safetensors"), "wb") as file:
        file.write(whole({"w": {"dtype": "U8", "shape": [256, 1 << 20], "data_offsets": [0, size]}}))
        file.truncate(file.tell() + size)
    run = subprocess.run([TOOL, "pack", scratch("big.safetensors"), "-o", OUT, "--codec", "raw", "-j", "1", "--tile", "1x65536"],
                         preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (64 << 20, 64 << 20)), stderr=subprocess.PIPE, stdout=subprocess.PIPE)
    check("256 MiB with 64 MiB of memory", run.returncode == 0 and os.path.getsize(OUT) > size, run.stderr)


values()
foreign()
faults()
bounds()
summary()
