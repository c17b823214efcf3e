#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""Sizes of the library's objects on a machine, as its compiler reports them: targets_measure.py COMPILER FLAG…

Compiles one file of arrays as large as each object and prints `key value` lines for a text file of boards/host/targets.
libzstd's context is measured if its source has been fetched (ZSTD_DIR), and otherwise left out."""
import os
import re
import subprocess
import sys
import tempfile

SOURCE = """
#include "utet.h"
#include "zstd/zstd_decoder.h"
#include "utet_query.h"
#include "utet_semihosting.h"
char size_port[sizeof(utet_semihosting)];
char size_file[sizeof(utet_file)];
char size_dataset[sizeof(utet_dataset)];
char size_chunk[sizeof(utet_chunk)];
char size_stream[sizeof(utet_stream)];
char size_slab[sizeof(utet_slab)];
char size_meta[sizeof(utet_meta) + sizeof(utet_dataset_meta)];
char size_fold[sizeof(utet_fold)];
char size_query[sizeof(utet_file) + sizeof(utet_query) + sizeof(utet_query_plan) + sizeof(utet_query_answer) + sizeof(utet_query_response)];
char size_zstd_packed[sizeof(zs_packed)];
char size_zstd_tables[sizeof(zs_tables)];
"""
PACKAGE = """
char size_zstd_upstream[sizeof(ZSTD_DCtx)];
"""


def package():
    """libzstd's source, to be put before PACKAGE: its one file, without compressor and dictionary builder
    (zstd_upstream.mk), or the header of a complete tree. None if it has not been fetched."""
    folder = os.environ.get("ZSTD_DIR", "build/deps/zstd157")
    if not os.path.exists(folder + "/zstd.c"):
        header = os.path.abspath(folder + "/lib/decompress/zstd_decompress_internal.h")
        return '#include "%s"\n' % header + PACKAGE if os.path.exists(header) else None
    with open(folder + "/zstd.c", encoding="utf-8") as file:
        parts = re.split(r"(?=^/\*{4} start inlining (?:compress|decompress|dictBuilder)/)", file.read(), flags=re.M)
    return "".join(part for part in parts if not re.match(r"/\*{4} start inlining (?:compress|dictBuilder)/", part)) + PACKAGE


def sizes(compiler, flags, source):
    with tempfile.TemporaryDirectory() as folder:
        name = os.path.join(folder, "sizes.c")
        with open(name, "w", encoding="ascii") as file:
            file.write(source)
        subprocess.run([compiler, "-std=gnu99", "-w", "-fno-common", *flags, "-c", name, "-o", name + ".o"], check=True,
                       stderr=subprocess.DEVNULL)
        listing = subprocess.run([re.sub("gcc$", "nm", compiler), "-S", name + ".o"], check=True,
                                 stdout=subprocess.PIPE).stdout.decode()
    return {match.group(2): int(match.group(1), 16) for match in re.finditer(r" ([0-9a-f]+) \w size_(\w+)", listing)}


def measure(compiler, flags):
    found = sizes(compiler, ["-Iinclude", "-Isrc", "-Iport/semihosting", *flags], SOURCE)
    source = package()
    if source is not None:
        with open("src/tet/codec/zstd_upstream.mk", encoding="utf-8") as makefile:  # the macros that set the context's size, as it is built
            config = re.findall(r"-D(?:ZSTD_[A-Z_]+=\d+|DYNAMIC_BMI2=\d|HUF_[A-Z_0-9]+=?\d?)", makefile.read())
        try:
            found.update(sizes(compiler, [*config, "-DZSTD_LEGACY_SUPPORT=0", *flags], source))
        except subprocess.CalledProcessError:
            pass  # it does not support machines with a size_t of 16 bits
    return found


if __name__ == "__main__":
    for key, value in measure(sys.argv[1], sys.argv[2:]).items():
        print("%-16s%d" % (key, value))
