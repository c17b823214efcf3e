#!/bin/sh
# hot.sh: GCC switches -fipa-ra off for Thumb-1, where it is wrong, and its attribute `optimize` switches it on again
# (zstd_small.h, ZS_HOT). So that attribute says "no-ipa-ra" wherever it stands in src/, and hot.c, a program which breaks
# without, runs on the emulated core with the code of a Cortex-M0+ at every level (at -Os GCC 12 leaves the high registers
# alone and nothing breaks). That it does break without is tried too; a compiler with which it does not is a skip.
set -eu
out=${BUILD:-build}/test/zstd/hot
rm -rf "$out"
mkdir -p "$out/without/codec"
passed=0 failed=0 skipped=0
verdict() { # WHAT STATUS
    if [ "$2" -eq 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "$1: failed"; fi
}
runs() { # NAME FLAGS…
    name=$1
    shift
    arm-none-eabi-gcc -mcpu=cortex-m0plus -mthumb -std=c99 -ffunction-sections -fdata-sections "$@" -Iinclude -Isrc -Iboards/common \
        test/zstd/hot.c boards/common/start.c boards/common/memory.c boards/common/print.c boards/common/semihost.c \
        -nostartfiles --specs=nano.specs -Wl,--gc-sections -Lboards/common -T boards/mps2-an385/board.ld -o "$out/$name.elf"
    timeout 30 qemu-system-arm -M mps2-an385 -display none -monitor none -serial none \
        -semihosting-config enable=on,target=native -kernel "$out/$name.elf"
}

grep -rn 'optimize *(' src include >"$out/attributes"
! grep -v no-ipa-ra "$out/attributes"
verdict "every attribute says no-ipa-ra" $?
for level in -Os -O1 -O2 -O3; do
    runs "with$level" $level && status=0 || status=$?
    verdict "a hot function that calls a hot one, $level" "$status"
done
sed 's/, "no-ipa-ra"//' src/codec/zstd_small.h >"$out/without/codec/zstd_small.h"
runs without -O2 "-I$out/without" && status=0 || status=$?
case $status in
0) skipped=1; echo "skipped: this compiler's -fipa-ra is right on Thumb-1 with hot.c" ;;
1|2) passed=$((passed + 1)) ;;
*) failed=$((failed + 1)) ;;
esac
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
