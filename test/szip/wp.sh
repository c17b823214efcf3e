#!/bin/sh
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# wp.sh: Frama-C WP over wp_szip.c on 32-, 64-bit and big-endian 32-bit models (WP_MACHINES), with Debian's why3 and cvc4
# (`why3 config detect`, once). Counts the goals; what is not proved is printed.
set -u
log=${BUILD:-build}/test/log/eva
mkdir -p "$log"
if ! command -v cvc4 >/dev/null || ! command -v why3 >/dev/null; then
    echo "skipped: why3 and cvc4 are not there"
    echo "0 passed, 0 failed, 1 skipped"
    exit 0
fi
passed=0 failed=0
for machine in ${WP_MACHINES:-x86_32 x86_64 ppc_32}; do
    out=$log/wp-szip-$machine.log
    frama-c -machdep "$machine" -cpp-extra-args="-Iinclude -Isrc -U__GNUC__" \
        -inline-calls next_four,take,take_across,leave,fast_end,copy test/szip/wp_szip.c \
        -wp -wp-rte -wp-fct utet_szip_unaries,utet_szip_fields -wp-prover cvc4 -wp-timeout 60 -wp-par 2 >"$out" 2>&1
    goals=$(sed -n 's/.*Proved goals: *\([0-9]*\) *\/ *\([0-9]*\).*/\1 \2/p' "$out")
    # shellcheck disable=SC2086
    set -- $goals
    if [ $# -ne 2 ] || grep -q 'User Error' "$out"; then
        failed=$((failed + 1))
        printf '%s\n' "WP on $machine: $(grep -E -A 2 'User Error|aborted' "$out" | head -n 3 | tr '\n' ' ')"
        continue
    fi
    passed=$((passed + $1)) failed=$((failed + $2 - $1))
    grep -E '^\[wp\] \[(Failed|Timeout|Unknown)' "$out"
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
