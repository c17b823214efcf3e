#!/bin/bash
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# qemu_boards.sh BUILD IMAGES SUMS: the boards' own code under QEMU. The start-up on every board (memory, floating point, and
# that a fault and a stack overrun end the run with code 70 and a message), and the card driver of lm3s6965evb with every
# card image in IMAGES: the SHA-256 of each file must be the one in SUMS. Ends with `N passed, N failed`.
set -uo pipefail
build=$1 images=$2 sums=$3
passed=0 failed=0

# check WHAT CODE WORDS CODE-SEEN OUTPUT
check() {
    if [ "$2" -eq "$4" ] && grep -q -- "$3" <<<"$5"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "boards: $1: exit code $4, expected $2 and \"$3\":"
        sed 's/^/  | /' <<<"$5"
    fi
}

qemu() { timeout 60 qemu-system-arm -display none -monitor none -serial none "$@" 2>&1; }

for board in mps2-an385 mps2-an386 mps2-an500 mps2-an505 microbit lm3s6965evb stm32vldiscovery; do
    while IFS=: read -r word code words; do
        out=$(qemu -M $board -kernel "$build/selftest-$board.elf" \
              -semihosting-config enable=on,target=native,arg=fw,arg="$word")
        check "$board, $word" "$code" "$words" $? "$out"
    done <<'END'
run:0:selftest: good
fault:70:fault: exception 3, pc 0x
overrun:70:fault: exception 3, stack overrun
END
done

for image in "$images"/card-*.img; do
    kind=${image##*/card-} kind=${kind%.img}
    out=$(qemu -M lm3s6965evb -semihosting -kernel "$build/cardtest.elf" -drive "if=sd,format=raw,file=$image,snapshot=on")
    code=$?
    case $kind in
    fat16*) words='SDSC, FAT16 at sector 0' ;;
    fat32*) words='SDSC, FAT32 at sector 0' ;;
    mbr*)   words='SDSC, FAT32 at sector 4096' ;;
    sdhc*)  words='SDHC, FAT32 at sector 0' ;;
    exfat*) words='SDSC, exFAT at sector 0' ;;
    *)      words='no such kind of card' ;;
    esac
    check "card $kind" 0 "$words" $code "$out"
    while read -r sum name; do
        check "card $kind, $name" 0 "^$sum  $name\$" $code "$out"
    done <"$sums"
done

# Without a card, and with one that has no file system: an error instead of a hang.
out=$(qemu -M lm3s6965evb -semihosting -kernel "$build/cardtest.elf"); check "no card" 1 "mount failed: 3" $? "$out"
empty=$(mktemp)
trap 'rm -f "$empty"' EXIT
truncate -s 1M "$empty"
out=$(qemu -M lm3s6965evb -semihosting -kernel "$build/cardtest.elf" -drive "if=sd,format=raw,file=$empty,snapshot=on")
check "empty card" 1 "mount failed: 13" $? "$out"

echo "boards: $passed passed, $failed failed"
[ $failed -eq 0 ]
