#!/bin/sh
# text.sh: .text of the small zstd decoder, checksum included, in builds for one board (M4, -Os), against the goals that
# were set for it. The objects as compiled, before the linker drops calls that are not used.
set -eu
out=${BUILD:-build}/test/zstd/text
mkdir -p "$out"
passed=0 failed=0
check() { # NAME LIMIT FLAGS…
    name=$1 limit=$2
    shift 2
    for source in zstd_small zstd_small_xxh; do
        arm-none-eabi-gcc -mcpu=cortex-m4 -mthumb -mfloat-abi=soft -std=c99 -Os -Iinclude -Isrc "$@" \
            -c "src/codec/$source.c" -o "$out/$name-$source.o"
    done
    text=$(arm-none-eabi-size "$out/$name-zstd_small.o" "$out/$name-zstd_small_xxh.o" | awk 'NR > 1 {sum += $1} END {print sum}')
    echo "$name: $text of $limit"
    if [ "$text" -le "$limit" ]; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
}
check tables 8499 -DUTET_ZSTD_PACKED=0
check tables-mapped-whole 7168 -DUTET_ZSTD_PACKED=0 -DUTET_ZSTD_READ=0 -DUTET_ZSTD_SLICES=0
check packed 9024 -DUTET_ZSTD_TABLES=0
check packed-mapped-whole 7728 -DUTET_ZSTD_TABLES=0 -DUTET_ZSTD_READ=0 -DUTET_ZSTD_SLICES=0
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
