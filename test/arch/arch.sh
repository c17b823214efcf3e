#!/bin/bash
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# arch.sh: the golden files on many machines. Each line of standard input is one run,
#
#   NAME SET CODEC user RUNNER… PROGRAM        NAME SET CODEC arm MACHINE ELF
#   NAME SET CODEC rv32 - ELF                  NAME SET CODEC avr MCU ELF
#
# of boards/common/digest.c, over SET: all = test/golden/tet, else the files that test/arch/SET.txt names; SET arrays: of
# boards/common/arrays.c over test/golden/tiledb; SET vectors: of the same over SHARED's files of arrays. Prints one line
# `arch: NAME SET CODEC digest …` for each: the SHA-256 over status of opening, number of datasets, and status, size and
# digest of each dataset (how much memory each needed differs with the size of pointers, and is left out). A run fails
# when it differs from the first one of its set, or when one of the firmware's own checks of memory failed.
set -uo pipefail
export LC_ALL=C
work=${BUILD:-build}/arch/out
mkdir -p "$work"
semihosting=enable=on,target=native,arg=fw
passed=0 failed=0

rm -f "$work"/*.first
ls test/golden/tet/*.tet >"$work/all.list"
ls test/golden/tiledb/good/* test/golden/tiledb/bad/* >"$work/arrays.list"
if [ -d "${SHARED:-}/vectors/tiledb" ]; then
    ls "$SHARED"/vectors/tiledb/good/* "$SHARED"/vectors/tiledb/bad/* >"$work/vectors.list"
fi
for set in test/arch/*.txt; do
    sed 's|^|test/golden/tet/|' "$set" >"$work/$(basename "$set" .txt).list"
    missing=$(xargs ls <"$work/$(basename "$set" .txt).list" 2>&1 >/dev/null)
    [ -z "$missing" ] || { echo "$missing"; failed=$((failed + 1)); }
done

# run LIST CODEC KIND ARGUMENT…
run() {
    local list=@$1 codec=codec=$2 kind=$3
    shift 3
    case $kind in
    user) "$@" "$codec" "$list" ;;
    arm)  qemu-system-arm -M "$1" -display none -monitor none -serial none \
              -semihosting-config "$semihosting,arg=$codec,arg=$list" -kernel "$2" ;;
    rv32) qemu-system-riscv32 -M virt -bios none -display none -monitor none -serial none \
              -semihosting-config "$semihosting,arg=$codec,arg=$list" -kernel "$2" ;;
    avr)  simavr -m "$1" -f 16000000 "$2" ;;
    esac
}
export -f run
export semihosting

# What counts of the output. simavr prints colours, and points for tabs.
transcript() {
    sed -E 's/\x1b\[[0-9;]*m//g' "$1" | tr '\t' '.' | awk -F. '
        $1 == "file" { sub(/^file\..*\//, "file."); sub(/\.$/, ""); print }
        $1 == "data" { print $1 "." $2 "." $3 "." $4 "." $6 "." $7 }'
}

while read -r name set codec kind arguments; do
    out=$work/$name-$set-$codec
    # shellcheck disable=SC2086
    timeout 120 bash -c 'run "$@"' run "$work/$set.list" "$codec" "$kind" $arguments >"$out.log" 2>&1 </dev/null
    transcript "$out.log" >"$out.txt"
    digest=$(sha256sum <"$out.txt")
    # done, files, read, refused, too large, errors
    read -r files count errors < <(sed -E 's/\x1b\[[0-9;]*m//g' "$out.log" | tr '\t' '.' | awk -F. '$1 == "done" { print $2, $3, $6 }')
    echo "arch: $(printf '%-14s %-3s %-8s' "$name" "$set" "$codec") digest ${digest:0:32}  ${files:-0} files, ${count:-0} $([ "$codec" = gzip ] || echo "datasets ")read"
    first=$work/$set.first
    [ -e "$first" ] || cp "$out.txt" "$first"
    if [ "${errors:-1}" = 0 ] && [ "$files" = "$(wc -l <"$work/$set.list")" ] && cmp -s "$first" "$out.txt"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "  $name: ${errors:-no last line, so no} errors; first differences:"
        diff "$first" "$out.txt" | head -n 4 | sed 's/^/  | /'
        tail -n 2 "$out.log" | sed 's/^/  | /'
    fi
done
echo "arch: $passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
