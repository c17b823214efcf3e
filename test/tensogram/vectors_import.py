# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""Chooses the vectors that the project keeps: vectors_import.py SHARED_FOLDER TARGET

Small files, at least one of each kind: of the accepted ones, all that are named below or have a feature that no smaller
one has; of the others, one of each name without its last number. Expected values lose the parts that only describe how
the reference made the file."""
import json
import os
import re
import shutil
import sys

from vectors_test import wanted

MOST = 150_000
ALWAYS = ("multi_false_start multi_garbage. multi_reset stream_payload_with_magic m_ meta_values meta_nest_32 meta_nest_100 "
          "meta_intkeys ref_stream rank12 scalar base_short no_objects_meta hashframe index_ cbor_ preceder bitmask_0 "
          "dtype_float16 dtype_int16_little dtype_int8 dtype_uint16_big lib0_19_0_nohash lib0_20_0_nohash lib0_22_0_nohash "
          "lib0_23_0_nohash meta_nest_15 meta_nest_17 multi_garbage_tail pre_encoded ref_agg ref_cbor_before strides").split()


def is_always(vector):
    return os.path.basename(vector["file"]).startswith(tuple(ALWAYS))


def features(expected):
    found = set()
    for message in expected["messages"]:
        for frame in message["frames"]:
            found.add((frame["type"], frame["hash"], frame["flags"]))
        for o in message.get("objects", []):
            found.add(("dtype", o["dtype"], o["byte_order"]))
            found.add((o["encoding"], o["filter"], o["compression"]))
            found.update(("mask", k, v["method"]) for k, v in o.get("masks", {}).items())
    return found


def main():
    source, target = sys.argv[1:3]
    with open(os.path.join(source, "manifest.json"), encoding="utf-8") as f:
        vectors = sorted(json.load(f)["vectors"], key=lambda v: (not is_always(v), v["kind"] == "good", v["size"]))
    have, names, kept, total = set(), set(), [], 0
    for vector in vectors:
        base = os.path.basename(vector["file"])
        text = ""
        if vector["kind"] == "good":
            with open(os.path.join(source, vector["expected"]), encoding="utf-8") as f:
                expected = json.load(f)
            new = features(expected) - have
            if not (new or is_always(vector)) or vector["size"] > 6000:
                continue
            have |= new
            text = json.dumps({"messages": [wanted(m) for m in expected["messages"]]}, separators=(",", ":"))
        else:
            name = re.sub(r"_m?\d+\.tgm$", "", base)
            if name in names or vector["size"] > 700:
                continue
            names.add(name)
        if total + vector["size"] + len(text) > MOST:
            continue
        total += vector["size"] + len(text)
        entry = {k: vector[k] for k in ("file", "size", "reader", "library_validate") if k in vector}
        os.makedirs(os.path.join(target, os.path.dirname(vector["file"])), exist_ok=True)
        shutil.copyfile(os.path.join(source, vector["file"]), os.path.join(target, vector["file"]))
        if text:
            entry["expected"] = "expected/%s.json" % base
            os.makedirs(os.path.join(target, "expected"), exist_ok=True)
            with open(os.path.join(target, entry["expected"]), "w", encoding="utf-8") as f:
                f.write(text + "\n")
        kept.append(entry)
    with open(os.path.join(target, "manifest.json"), "w", encoding="utf-8") as f:
        f.write('{"vectors": [\n' + ",\n".join(json.dumps(k) for k in kept) + "\n]}\n")
    print("%d files, %d bytes" % (len(kept), total))


main()
