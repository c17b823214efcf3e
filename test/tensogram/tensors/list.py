#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""list.py VECTORS [FILE…]: the tensors in the reference's files as lines for suite_tensordata.

Reads expected/*.json of the vectors' folder: descriptors as the reference library sees them, and the SHA-256 of the data.
One line for each tensor: file offset length dtype big encoding filter compression elements R E D B shuffle rsi block flags
nan.method nan.offset nan.length (the same for inf+ and inf-) sha256 message object; offsets count from the start of the file,
R is hexadecimal.
"""
import json, pathlib, struct, sys

DTYPES = "float16 bfloat16 float32 float64 complex64 complex128 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bitmask".split()
COMPRESSIONS = "none szip zstd lz4 rle roaring blosc2 zfp sz3".split()


def tensors(folder, name):
    expected = json.loads((folder / "expected" / (name + ".json")).read_text())
    data = (folder / "good" / name).read_bytes()
    number = -1
    for message in expected["messages"]:
        number += message["version"] == 3 and message["library_decode"] != "unknown"
        for i, o in enumerate(message.get("objects", [])):
            frame = message["offset"] + o["frame_offset"]
            region = o["payload_region_length"]
            behind = struct.unpack(">H", data[frame + 6:frame + 8])[0] & 1
            at = frame + 16 if behind else frame + o["frame_length"] - 20 - region
            masks = [o.get("masks", {}).get(k) for k in ("nan", "inf+", "inf-")]
            length = min([region] + [m["offset"] for m in masks if m])
            elements = 1
            for extent in o["shape"]:
                elements *= extent
            p = o["params"]
            if o["encoding"] not in ("none", "simple_packing") or o["filter"] not in ("none", "shuffle"):
                continue
            words = [name, at, length, DTYPES.index(o["dtype"]) + 1, int(o["byte_order"] == "big"),
                     1 + (o["encoding"] == "simple_packing"), 1 + (o["filter"] == "shuffle"),
                     COMPRESSIONS.index(o["compression"]) + 1, elements, float(p.get("sp_reference_value", 0)).hex(),
                     p.get("sp_binary_scale_factor", 0), p.get("sp_decimal_scale_factor", 0), p.get("sp_bits_per_value", 0),
                     p.get("shuffle_element_size", 0), p.get("szip_rsi", 0), p.get("szip_block_size", 0), p.get("szip_flags", 0)]
            for m in masks:
                words += [COMPRESSIONS.index(m["method"]) + 1, at + m["offset"], m["length"]] if m else [0, 0, 0]
            yield words + [o.get("decoded_sha256", "-"), number, i]


def main():
    folder = pathlib.Path(sys.argv[1])
    names = sys.argv[2:] or sorted(p.name for p in (folder / "good").glob("*.tgm"))
    for name in names:
        if (folder / "expected" / (name + ".json")).exists():
            for words in tensors(folder, name):
                print(*words)


main()
