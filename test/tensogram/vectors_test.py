# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""Every vector through `utet messages --json`: accepted files give the same as the reference, refused files end with exit
status 1 and an error line that names a region of the right kind and an offset in the file; the others must not crash,
hang or print anything that is not JSON. `utet verify --deep` agrees.

vectors_test.py UTET FOLDER [MINIMUM …]   FOLDER has manifest.json, good/, bad/, expected/ (expected/NAME.json)"""
import json
import math
import os
import re
import subprocess
import sys
import tempfile

# Parts that only describe how the reference made the file, or its data.
LEFT_OUT = {"library_decode", "library_validate"}
LEFT_OUT_OBJECT = {"decoded_size", "decoded_sha256", "decoded_hex", "decoded_note", "decoder"}

# The regions that may stand for a finding of the reference's validator. Damage that is found elsewhere first is
# reported there: the hash is checked before the content.
REGIONS = {
    "invalid_magic": "message", "buffer_too_short": "message truncated", "preamble_parse_failed": "preamble",
    "total_length_too_small": "preamble", "total_length_exceeds_buffer": "truncated preamble", "postamble_invalid":
    "postamble truncated frame preamble", "frame_order_violation": "frame", "invalid_frame_header": "frame",
    "frame_too_small": "frame", "frame_length_overflow": "frame", "frame_exceeds_message": "frame truncated",
    "missing_end_marker": "frame", "no_metadata_frame": "metadata frame", "cbor_offset_invalid": "frame",
    "metadata_cbor_parse_failed": "metadata budget hash", "descriptor_cbor_parse_failed": "descriptor hash payload frame",
    "decoded_size_mismatch": "payload descriptor hash frame", "shape_overflow": "descriptor", "ndim_shape_mismatch": "descriptor",
    "pipeline_config_failed": "descriptor payload", "unknown_encoding": "descriptor", "unknown_filter": "descriptor",
    "unknown_compression": "descriptor", "decode_pipeline_failed": "descriptor payload hash",
    "decode_object_failed": "descriptor payload hash", "base_count_exceeds_objects": "metadata", "hash_mismatch": "hash",
    "dangling_preceder": "frame", "preceder_not_followed_by_object": "frame", "preceder_base_count_wrong": "metadata",
    "footer_offset_mismatch": "postamble", "index_count_mismatch": "index", "index_offset_mismatch": "index",
    "index_cbor_parse_failed": "index", "hash_frame_count_mismatch": "hash", "hash_frame_cbor_parse_failed": "hash",
}

# Damage in compressed data, which `messages` does not decode: `utet message` must refuse these.
DATA = re.compile(r"desc_(lz4|rle|roaring|zstd|szip_cut|szip_ones|szip_zeros|mask_roaring|mask_zstd|mask_rle|mask_lz4)")


def same(a, b):
    """Equal, and numbers of one kind; -0.0 is not 0.0."""
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same(a[k], b[k]) for k in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, float) and isinstance(b, float):
        return a == b and math.copysign(1, a) == math.copysign(1, b)
    return type(a) is type(b) and a == b


def difference(a, b, path=""):
    if isinstance(a, dict) and isinstance(b, dict):
        for key in sorted(a.keys() | b.keys()):
            if key not in a or key not in b:
                return "%s/%s: only %s" % (path, key, "expected" if key in b else "ours")
            if not same(a[key], b[key]):
                return difference(a[key], b[key], path + "/" + key)
    if isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
        for i, (x, y) in enumerate(zip(a, b)):
            if not same(x, y):
                return difference(x, y, "%s[%d]" % (path, i))
    return "%s: ours %.80r, expected %.80r" % (path, a, b)


def wanted(message):
    """The part of the expected message that the tool's JSON has."""
    message = {k: v for k, v in message.items() if k not in LEFT_OUT}
    if "metadata" in message:
        message["metadata"].pop("note", None)
    if "objects" in message:
        message["objects"] = [{k: v for k, v in o.items() if k not in LEFT_OUT_OBJECT} for o in message["objects"]]
    return message


class Suite:
    def __init__(self, utet, folder):
        self.utet, self.folder = utet, folder
        self.passed, self.failed, self.open = 0, 0, []
        self.count = {"accept": 0, "reject": 0, "either": 0}

    def run(self, path, command="messages", *more):
        done = subprocess.run([self.utet, command, path, *more], capture_output=True, timeout=20)
        return done.returncode, done.stdout.decode("utf-8", "surrogateescape"), done.stderr.decode("utf-8", "replace")

    def fail(self, name, why):
        self.failed += 1
        print("FAIL %s: %s" % (name, why))

    def accept(self, vector, path):
        with open(os.path.join(self.folder, vector["expected"]), encoding="utf-8") as f:
            expected = json.load(f)["messages"]
        code, out, err = self.run(path, "messages", "--json")
        if code != 0:
            return self.fail(vector["file"], "exit %d: %s" % (code, err.strip()))
        ours = json.loads(out)["messages"]
        if len(ours) != len(expected):
            return self.fail(vector["file"], "%d messages, expected %d" % (len(ours), len(expected)))
        for mine, theirs in zip(ours, map(wanted, expected)):
            mine = {k: v for k, v in mine.items() if k in theirs or k not in ("metadata", "objects")}
            if not same(mine, theirs):
                return self.fail(vector["file"], difference(mine, theirs))
        # Valid messages that the reference's `validate` refuses: bytes that belong to nothing, NaN that no mask
        # announces.
        wrong = "foreign_bytes" if sum(m["length"] for m in ours) != vector["size"] else None
        wrong = "data" if "nan_payload_forced" in vector["file"] else wrong
        code, out, err = self.run(path, "verify", "--deep")
        if code != (wrong is not None) or set(re.findall("ERROR +([a-z_]+)", out)) != ({wrong} if wrong else set()):
            return self.fail(vector["file"], "verify: exit %d: %s" % (code, err.strip()))
        self.passed += 1

    def reject(self, vector, path):
        code, out, err = self.run(path, "messages", "--json")
        json.loads(out or "{}")
        if code == 0 and DATA.match(os.path.basename(vector["file"])):
            code, out, err = self.run(path, "message", "0", "-o", os.devnull)
            if "does not read values yet" in err:
                self.open.append(vector["file"])
                return
        found = re.search(r": ([a-z ]+): .* \(offset (\d+)\)$", err.split("\n")[0])
        if code != 1 or not found:
            return self.fail(vector["file"], "exit %d, %r" % (code, err.strip()))
        codes = [c[2:] for c in vector.get("library_validate") or [] if c.startswith("e:")]
        regions = " ".join(REGIONS[c] for c in codes)
        if regions and not any(word in regions for word in found.group(1).split()):
            return self.fail(vector["file"], "%s, the reference: %s" % (err.strip(), " ".join(codes)))
        if int(found.group(2)) > vector["size"]:
            return self.fail(vector["file"], "offset outside of the file: %s" % err.strip())
        code, out, err = self.run(path, "verify", "--deep")
        if code != 1:
            return self.fail(vector["file"], "verify: exit %d" % code)
        code, out, err = self.run(path, "message", "0", "--metadata")
        if code not in (0, 1) or err.count("\n") != code:
            return self.fail(vector["file"], "message 0: exit %d, not one line: %s" % (code, err))
        self.passed += 1

    def either(self, vector, path):
        code, out, err = self.run(path, "messages", "--json")
        if code not in (0, 1) or (code == 1) != bool(err):
            return self.fail(vector["file"], "exit %d, %r" % (code, err.strip()))
        try:
            json.loads(out or "{}")
        except ValueError as error:
            if code == 0:
                return self.fail(vector["file"], "no JSON: %s" % error)
        self.passed += 1

    def foreign(self, path):
        """`verify` still recognises a message after foreign bytes; a file that begins like a .tet file is one."""
        with open(path, "rb") as f:
            data = f.read()
        for front, code, words in ((b"GRIB", 1, "4 bytes before message 0"), (b"TENSOGRO", 1, "8 bytes before message 0"),
                                   (b"TETR", 1, "parse"), (b"12345678" + data[:8], 1, "wire version is not 3")):
            with tempfile.NamedTemporaryFile(suffix=".tgm") as f:
                f.write(front + data)
                f.flush()
                done = self.run(f.name, "verify")
            if done[0] != code or words not in done[1]:
                return self.fail("%r in front of %s" % (front[:8], path), "%d, %s" % done[:2])
        self.passed += 1

    def vector(self, vector):
        path = os.path.join(self.folder, vector["file"])
        self.count[vector["reader"]] += 1
        try:
            getattr(self, vector["reader"])(vector, path)
        except (subprocess.TimeoutExpired, ValueError) as error:
            self.fail(vector["file"], error)


def main():
    suite = Suite(sys.argv[1], sys.argv[2])
    if not os.path.exists(os.path.join(suite.folder, "manifest.json")):
        print("skipped: %s is not there" % suite.folder)
        print("0 passed, 0 failed, 1 skipped")
        return
    with open(os.path.join(suite.folder, "manifest.json"), encoding="utf-8") as f:
        for vector in json.load(f)["vectors"]:
            if len(sys.argv) <= 3 or re.search(sys.argv[3], vector["file"]):
                suite.vector(vector)
    suite.foreign(os.path.join(suite.folder, "good/dtype_int8_little.tgm"))
    if suite.open:
        print("skipped: data that `utet message` does not decode yet: %s" % " ".join(suite.open))
    print("%d accepted, %d refused, %d where both are right" % (suite.count["accept"], suite.count["reject"],
                                                                suite.count["either"]))
    print("%d passed, %d failed%s" % (suite.passed, suite.failed, ", %d skipped" % len(suite.open) if suite.open else ""))
    sys.exit(suite.failed != 0)


if __name__ == "__main__":
    main()
