#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""Seeds for the fuzz targets: fuzz_seed.py TARGET GIVEN OUT. From test/golden: "file", "meta", "check": small golden files after a byte
that chooses the port's behaviour; "frame": their zstd payloads after three bytes (behaviour, decoded length); "inflate": zlib streams after
four bytes (the way of use); "tiledb": files of TileDB arrays after one byte, also with their tile stored as it is; "tensordata", "szip":
payloads of the lists of test/tensogram/tensors after the bytes that their targets need; "tensogram": messages, "cbor": the first frame of
each, after such a byte; "folder": names and a list of some of them after a byte; "query": documents of test/query after four bytes,
followed by golden files whose datasets they name; others: a few numbers. From a folder of frames: "zstd", after four bytes
(configuration)."""
import json
import os
import struct
import sys
import zlib


def golden(root, limit):
    folder = os.path.join(root, "tet")
    for name in sorted(os.listdir(folder)):
        data = open(os.path.join(folder, name), "rb").read()
        if len(data) <= limit:
            yield name, data


def payloads(data):
    if len(data) < 32 or data[:4] != b"TETR":
        return
    index, length = struct.unpack_from("<QQ", data, 16)
    for at in range(index + 32, min(index + length, len(data)) - 103, 104):
        offset, raw, stored = struct.unpack_from("<QQQ", data, at + 72)
        if struct.unpack_from("<I", data, at + 96)[0] == 1 and offset + stored <= len(data):
            yield raw, data[offset:offset + stored]


def stored(data):
    """The same file without compression; nothing if it is not one zlib stream."""
    try:
        raw = zlib.decompress(data[88:])
    except zlib.error:
        return None
    return (data[:4] + struct.pack("<Q", 20 + len(raw)) + data[12:30] + struct.pack("<I", 8) + bytes(8) +
            struct.pack("<QIII", 1, len(raw), len(raw), 0) + raw)


def tiledb(root):
    for kind in ("good", "bad"):
        folder = os.path.join(root, "tiledb", kind)
        for i, name in enumerate(sorted(os.listdir(folder))):
            data = open(os.path.join(folder, name), "rb").read()
            what = 0 if name.endswith("schema") else 2 if "meta" in name else 3 if "group" in name else 1
            if len(data) <= 1500:
                yield name, bytes([128 + i % 31 * 4 + what]) + data
                plain = stored(data)
                if plain:
                    yield name + ".stored", bytes([128 + i % 31 * 4 + what]) + plain


def tensors(root, target):
    """Lines of test/tensogram/tensors/list.txt; list.py explains their words."""
    folder = os.path.join(root, "..", "tensogram", "tensors")
    for n, line in enumerate(open(os.path.join(folder, "list.txt"))):
        words = line.split()
        name, at, length = words[0], int(words[1]), int(words[2])
        dtype, big, encoding, filtering, compression, elements = map(int, words[3:9])
        binary, decimal, bits, shuffle, rsi, block, flags = map(int, words[10:17])
        masks = [(int(words[i]), int(words[i + 1]), int(words[i + 2])) for i in (17, 20, 23)]
        data = open(os.path.join(folder, "vectors", name), "rb").read()
        payload, tail = data[at:at + length], b"".join(data[m[1]:m[1] + m[2]] for m in masks)
        blocks = {8: 0, 16: 1, 32: 2, 64: 3}.get(block, 0)
        if target == "szip" and compression == 2:
            width = {1: 16, 3: 32, 4: 64, 7: 8, 8: 16, 9: 32, 11: 8, 12: 16, 13: 32}.get(dtype, 8)
            sample = bits if encoding == 2 else 8 if filtering == 2 else width
            yield name, bytes([sample - 1, flags & 15, blocks | n % 60 << 2, (rsi - 1) % 130, (elements - 1) & 255, elements - 1 >> 8]) + payload
        elif target == "tensordata" and elements < 4096 and len(payload) < 4000 and max(m[2] for m in masks) < 256:
            head = [n * 37 & 127, n * 11 & 255, dtype - 1, encoding - 1 | filtering - 1 << 1 | compression - 1 << 2 | big << 7,
                    elements >> 8, elements & 255, bits, binary & 255, decimal * 4 & 255, 100, shuffle & 255, blocks, flags]
            for m in masks:
                head += [m[0], m[2]]
            yield name, bytes(head + [max(rsi - 1, 0) & 255]) + payload + tail


def names(data):
    """(name, rank) of each dataset."""
    at = 40
    for _ in range(struct.unpack_from("<I", data, 8)[0]):
        length, _, ndim = struct.unpack_from("<III", data, at)
        yield data[at + 16:at + 16 + length].decode(), ndim
        at += 16 + length + -length % 8 + 16 * ndim


def queries(root):
    """(document, file): the documents that are refused, and some of every kind that are answered."""
    documents = []
    for source in ("messages.txt", "plan_messages.txt"):
        lines = [line for line in open(os.path.join(root, "..", "query", source), encoding="utf-8") if not line.startswith("#")]
        documents.append([line.strip() for line in lines[1::2]])
    operations = ["sum", "mean", "min", "max", "var", "std", "product", "norm_l1", "norm_l2", "all_finite", "any_nan", "any_inf",
                  "nan_count", "inf_count", "nan_mean", "nan_std", "arg_min", "arg_max", "median", "count"]
    answered = [{}, {"filter": {"gt": 2.5}}, {"filter": {"is_not_null": True, "le": 1e3}}, {"group_by": [0]}, {"group_by": {"by": "labels", "axes": [1]}},
                {"window": {"axis": 0, "size": 2, "mode": "bins", "pad": "0", "align": "end"}}, {"label_filter": {"axis": 1, "eq": "ST03"}},
                {"window": {"axis": 1, "size": 2, "mode": "rolling", "step": 2, "min_count": 1}}, {"selection": [{"start": 1, "step": 2}] * 2}]
    files = [(name, data, list(names(data))) for name, data in golden(root, 3000) if data[:4] == b"TETR" and name.startswith(("R", "P", "M"))]
    files = [f for f in files if f[2]]
    for i, text in enumerate(documents[0]):
        if len(text) < 1000:
            yield text, files[i % len(files)][1]
    with open(os.path.join(root, "tet", "R6_station_log.tet"), "rb") as file:
        station = file.read()
    for text in documents[1]:  # the file's names and labels instead of those of the document
        for theirs, ours in ('"a"', '"temperature"'), ('"row"', '"time"'), ('"col"', '"station"'), ('"e"', '"ST01"'):
            text = text.replace(theirs, ours)
        yield text, station
    for i, (name, data, datasets) in enumerate(files * 4):
        dataset, rank = datasets[i // len(files) % len(datasets)]
        document = dict(answered[i % len(answered)], dataset=dataset)
        document[operations[i % len(operations)]] = [] if i % 3 or rank < 2 else [rank - 1]
        if "selection" in document:
            document["selection"] = [{"step": 2}] * rank
        yield json.dumps(document), data
    for i, text in enumerate(['{"dataset":"%s","quantile":{"q":0.3}}', '{"dataset":"%s","histogram":{"bins":7}}', '{"dataset":"%s","null_count":{"fill":1}}',
                              '{"dataset":"%s","align":{"with":"flags","axes":[0]}}', '{"dataset":"%s","pipeline":[{"select":[{}]},{"sum":[]}]}']):
        yield text % files[i][2][0][0], files[i][1]


def main():
    target, root, out = sys.argv[1:4]
    os.makedirs(out, exist_ok=True)
    seeds = {}
    if target in ("file", "meta", "check"):
        for i, (name, data) in enumerate(golden(root, 3000)):
            seeds[name] = bytes([i * 37 % 128]) + data
    elif target == "frame":
        for i, (name, data) in enumerate(golden(root, 20000)):
            for k, (raw, payload) in enumerate(payloads(data)):
                if k < 3 and raw <= 65536:
                    size = (0x80, raw - 1) if raw % 16 else (0, raw // 16 - 1)
                    seeds["%s.%d" % (name, k)] = struct.pack("<BH", size[0] | i * 11 % 64, size[1] & 0xFFFF) + payload
    elif target == "tiledb":
        seeds.update(tiledb(root))
    elif target == "folder":
        for i in range(40):
            names = ["__%d_%d_%032x%s" % (k * i % 7 * 40, k * i % 7 * 40 + k % 3, k * 7919, "_2" if i % 2 else "") for k in range(i % 9)]
            lists = ["%s.vac" % name for name in names[::3]] + ["__schema/", "x", "__1_1_0"][:i % 4]
            gone = ["x/__group/" + name for name in names[1::2]]
            seeds["names%02d" % i] = bytes([i * 37 % 256]) + "\n".join(names + lists).encode() + b"\n\n" + "\n".join(gone + [""] * (i % 2)).encode()
    elif target in ("tensogram", "cbor"):
        folder = os.path.join(root, "tensogram")
        for kind in ("good", "bad"):
            for i, name in enumerate(sorted(os.listdir(os.path.join(folder, kind)))):
                data = open(os.path.join(folder, kind, name), "rb").read()
                if target == "cbor":
                    data = data[40:40 + struct.unpack_from(">Q", data, 32)[0] - 28] if len(data) > 48 else data
                if len(data) <= 2500:
                    seeds[name] = bytes([i * 37 % 128]) + data
    elif target in ("tensordata", "szip"):
        seeds.update(tensors(root, target))
    elif target == "query":
        for i, (text, data) in enumerate(queries(root)):
            text = text.encode()
            seeds["document%03d" % i] = bytes([i * 37 % 128, i * 11 % 16]) + struct.pack(">H", len(text)) + text + data
    elif target == "zstd":
        for name in sorted(os.listdir(root)):
            if name.endswith(".zst"):
                seeds[name] = b"seed" + open(os.path.join(root, name), "rb").read()
    elif target == "inflate":
        for i in range(60):
            text = (b"domain attribute filter %d " % (i * i)) * (1 + i % 7 * i) + bytes(k * i % 251 for k in range(i * 9))
            encoder = zlib.compressobj(i % 10, zlib.DEFLATED, 9 + i % 7, 1 + i % 9, i % 5)
            seeds["stream%02d" % i] = struct.pack("<I", i * 2654435761 % 2**32) + encoder.compress(text) + encoder.flush()
    else:
        for i in range(40):
            seeds["numbers%02d" % i] = bytes((i * 53 + k * (7 + i)) % 256 for k in range(20 + 4 * i))
    for name, data in seeds.items():
        with open(os.path.join(out, name), "wb") as f:
            f.write(data)


main()
