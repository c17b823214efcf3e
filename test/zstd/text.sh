#!/bin/sh
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# text.sh: compares the size of .text of the small zstd decoder in builds for one board (M4, -Os and zstd_hot.c -O2) with
# its limits: each layout with and without constant predefined tables (ROM) and XXH64. The objects are linked with
# everything that include/utet_zstd.h declares as roots, and without libc. No attribute sets the optimisation of a
# function: the build sets a file's.
set -eu
out=${BUILD:-build}/test/zstd/text
mkdir -p "$out"
passed=0 failed=0 skipped=0
cpu="-mcpu=cortex-m4 -mthumb -mfloat-abi=soft"
roots=$(sed -n 's/^utet_status \(utet_zstd_[a-z]*\)(.*/\1/p; s/^uint64_t \(utet_zstd_[a-z]*\)(.*/\1/p
    s/^int \(utet_zstd_[a-z]*\)(.*/\1/p' include/utet_zstd.h)
check() { # NAME LIMIT FROM FLAGS…: with FROM, the sources that name neither switch are not compiled again
    name=$1 limit=$2 from=$3
    shift 3
    rm -f "$out/$name"-*.o
    for source in src/zstd/zstd_*.c; do
        speed= object=$(basename "$source" .c).o
        case "$source $*" in
        */zstd_packed.c*ZSTD_PACKED=0* | */zstd_tables.c*ZSTD_TABLES=0*) continue ;;
        */zstd_hot.c*) speed=-O2 ;;
        esac
        if [ "$from" != - ] && ! grep -q 'UTET_ZSTD_ROM_TABLES\|UTET_ZSTD_CHECKSUM' "$source"; then
            cp "$out/$from-$object" "$out/$name-$object"
            continue
        fi
        # shellcheck disable=SC2086
        arm-none-eabi-gcc $cpu -std=c99 -Os $speed -ffunction-sections -fdata-sections -Iinclude -Isrc "$@" \
            -c "$source" -o "$out/$name-$object"
    done
    link=
    for root in $roots; do # what a build cannot do is not a root
        case "$root $*" in utet_zstd_read*SLICES=0*) ;; *) link="$link -Wl,-u,$root" ;; esac
    done
    # What libc and libgcc would add, as Thumb functions of no bytes: newer linkers do not call symbols without a type.
    arm-none-eabi-nm -u "$out/$name"-*.o | sed -n 's/^ *U //p' | grep -v '^utet_' | sort -u |
        sed 's/.*/.thumb_func\n.global &\n&:/' | arm-none-eabi-as -mcpu=cortex-m4 -mthumb -o "$out/$name-stubs.o" -
    # shellcheck disable=SC2086
    arm-none-eabi-gcc $cpu -nostdlib -Wl,--gc-sections,-e,utet_zstd_init $link "$out/$name"-*.o -o "$out/$name.elf"
    text=$(arm-none-eabi-size "$out/$name.elf" | awk 'NR > 1 {sum += $1} END {print sum}')
    echo "$name: $text of $limit"
    if [ "$text" -le "$limit" ]; then passed=$((passed + 1))
    elif python3 test/tools/known.py; then failed=$((failed + 1))
    else skipped=$((skipped + 1)); echo "skipped: $name: the limit is that of another compiler than arm-none-eabi-gcc $(arm-none-eabi-gcc -dumpversion)"; fi
}
four() { # NAME FLAG LIMIT…: ROM and XXH64, XXH64 alone, ROM alone, neither
    check "$1" "$3" - "$2"
    check "$1-built" "$4" "$1" "$2" -DUTET_ZSTD_ROM_TABLES=0
    check "$1-unchecked" "$5" "$1" "$2" -DUTET_ZSTD_CHECKSUM=0
    check "$1-built-unchecked" "$6" "$1" "$2" -DUTET_ZSTD_ROM_TABLES=0 -DUTET_ZSTD_CHECKSUM=0
}
four tables -DUTET_ZSTD_PACKED=0 9868 9276 9112 8516
four packed -DUTET_ZSTD_TABLES=0 10080 9808 9316 9044
check tables-mapped-whole 8016 - -DUTET_ZSTD_PACKED=0 -DUTET_ZSTD_READ=0 -DUTET_ZSTD_SLICES=0
check packed-mapped-whole 8196 - -DUTET_ZSTD_TABLES=0 -DUTET_ZSTD_READ=0 -DUTET_ZSTD_SLICES=0
if grep -rn 'optimize *(' src/zstd src/tet/codec; then failed=$((failed + 1)); else passed=$((passed + 1)); fi
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
