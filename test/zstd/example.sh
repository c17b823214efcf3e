#!/bin/sh
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# example.sh OUT CC FLAGS… extracts the example from include/utet_zstd.h, builds it with a small frame, runs it and checks the bytes.
set -eu
out=$1
shift
mkdir -p "$out"
{
    cat <<'C'
#include <stdio.h>
#include <string.h>
#include "utet_zstd.h"
static const uint8_t file[] = {0, 0, 0, 0x28, 0xb5, 0x2f, 0xfd, 0x20, 0x05, 0x29, 0, 0, 'h', 'e', 'l', 'l', 'o'};
static uint8_t memory[5];
int main(void)
{
    const uint64_t offset = 3, compressed_length = sizeof file - 3, decoded_length = sizeof memory;
    utet_io io = {0};
    io.map = file;
    io.size = sizeof file;
    {
C
    sed -n '/static uint64_t work/,/utet_zstd_error_offset(z)/p' include/utet_zstd.h | sed 's/^ \*//'
    cat <<'C'
    }
    return memcmp(memory, "hello", 5) != 0;
}
C
} > "$out/example.c"
"$@" -std=c99 -Iinclude -Isrc "$out/example.c" $(ls src/zstd/zstd_*.c | grep -v -e zstd_codec -e zstd_need -e zstd_upstream) src/base/strerror.c -o "$out/example"
"$out/example" && echo "1 passed, 0 failed"
