#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""`verify` of a tool whose built-in decoder does not verify checksums (UTET_ZSTD_CHECKSUM 0) claims no checksum that it has not
compared. Second source: libzstd, with --codec upstream, which finds the changed checksum."""
import json

from harness import check, expect, scratch, summary

LAST = "checksums: 0 of 2 chunks agree with theirs; those of 2 were not verified: utet was built with UTET_ZSTD_CHECKSUM 0"


def packed(checksum):
    raw, path = scratch("raw"), scratch(checksum + ".tet")
    with open(raw, "wb") as out:
        out.write(bytes(range(64)) * 64)
    expect("pack", ["pack", raw, "-o", path, "--dtype", "u8", "--shape", "64x64", "--tile", "32x64", "--name", "a", "--codec", "zstd",
                    "--checksum", checksum], 0)
    return path


def counts(path, *options):
    return json.loads(expect("verify --json", ["verify", "--json", "--deep", *options, path], 0))["checksums"]


def main():
    path = packed("zstd")
    check("libzstd", counts(path, "--codec", "upstream") == {"agree": 2, "none": 0, "not_decoded": 0})
    check("built-in", counts(path, "--codec", "small") == {"agree": 0, "none": 0, "not_decoded": 0, "not_verified": 2})
    text = expect("verify", ["verify", "--deep", "--codec", "small", path], 0).decode().splitlines()
    check("says so once", text[-2:] == [LAST, path + ": good"] and len([line for line in text if "verified" in line]) == 1, text)
    bare = packed("none")
    check("no checksums", counts(bare, "--codec", "small") == {"agree": 0, "none": 2, "not_decoded": 0})
    with open(path, "rb") as file:
        data = bytearray(file.read())
    at = data.index(b"\x28\xb5\x2f\xfd", data.index(b"\x28\xb5\x2f\xfd") + 4) - 1  # the last byte of the first checksum
    data[at] ^= 1
    with open(path, "wb") as out:
        out.write(data)
    expect("changed, libzstd", ["verify", "--json", "--deep", "--codec", "upstream", path], 1, r"chunk 0: damaged data: a checksum differs")
    check("changed, built-in", counts(path, "--codec", "small")["agree"] == 0)


main()
summary()
