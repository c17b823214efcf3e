#!/bin/sh
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# Counts the instructions of one decoder, for tuning: compiles the given C files with the benchmark's firmware, runs them
# over the payloads and prints a table for each core. It only needs boards/common, arm-none-eabi-gcc and qemu-system-arm.
#   test/bench/bench_try.sh [-c m3,m0plus,m4,m7] [-p P1] [-f "flags"] [-k PAK.py] FILE.c …
# The files define bench_setup, bench_decode and bench_work of bench.h. Default flags: -Os -Iinclude -Isrc; -p prints the
# flat profile of one payload by function (give static functions __attribute__((noinline)) to see them apart); -k: the
# payloads in another encoding than zstd's, as that script packs them.
set -eu
export PYTHONDONTWRITEBYTECODE=1
cd "$(dirname "$0")/../.."
shared=${SHARED:-../shared}
cores=m3
bad=0
profile=
pak=test/bench/bench_pak.py
flags="-Os -Iinclude -Isrc"
while getopts c:p:f:k: option; do
    case $option in
    c) cores=$(echo "$OPTARG" | tr , ' ') ;;
    p) profile="--profile $OPTARG" ;;
    f) flags=$OPTARG ;;
    k) pak=$OPTARG ;;
    *) exit 2 ;;
    esac
done
shift $((OPTIND - 1))
[ $# -gt 0 ] || { sed -n '2,7p' "$0"; exit 2; }

out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
gcc -O2 -shared -fPIC -fvisibility=hidden -o "$out/count.so" test/bench/count.c
python3 "$pak" "$shared/bench/payloads" "$out/payloads.pak"
for core in $cores; do
    case $core in
    m0plus) cpu=cortex-m0plus machine=mps2-an385 ;;
    m3) cpu=cortex-m3 machine=mps2-an385 ;;
    m4) cpu=cortex-m4 machine=mps2-an386 ;;
    m7) cpu=cortex-m7 machine=mps2-an500 ;;
    *) echo "unknown core $core" >&2; exit 2 ;;
    esac
    all="-mcpu=$cpu -mthumb -mfloat-abi=soft -std=c99 -ffunction-sections -fdata-sections -Iboards/common -Itest/bench"
    for file in "$@"; do
        case $file in *_hot.c) speed=${HOT--O2} ;; *) speed= ;; esac # as the library's build does
        # shellcheck disable=SC2086
        arm-none-eabi-gcc $all $flags $speed -c "$file" -o "$out/decoder_$(basename "$file" .c).o"
    done
    # shellcheck disable=SC2086
    for file in boards/common/start.c boards/common/memory.c boards/common/semihost.c boards/common/print.c \
        test/bench/decode_main.c test/bench/marks.S; do
        arm-none-eabi-gcc $all -Os -c "$file" -o "$out/firmware_$(basename "$file").o"
    done
    arm-none-eabi-gcc -mcpu=$cpu -mthumb -mfloat-abi=soft -nostartfiles --specs=nano.specs -Wl,--gc-sections,--defsym=_sbrk=0 \
        -Lboards/common -T "boards/$machine/board.ld" "$out"/*.o -o "$out/try.elf"
    echo "== $core: text of the decoder's objects before garbage collection $(arm-none-eabi-size "$out"/decoder_*.o |
        awk 'NR > 1 {sum += $1} END {print sum}')"
    # shellcheck disable=SC2086
    python3 test/bench/bench_run.py --machine "$machine" --plugin "$out/count.so" --pak "$out/payloads.pak" \
        $profile "$out/try.elf" || bad=1
done
exit $bad
