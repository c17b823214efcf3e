#!/bin/sh
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# wp.sh [NAME-PART…]: Frama-C WP with CVC4 and Z3 over the functions below, on a 32-bit model; without arguments also
# Z3 over states.smt2. A part counts as passed when each of its goals is proved. In the sources a comment `wp:` is an
# annotation; its words are explained in the part's harness, wp_NAME.c. WP_PARSE=1: only whether Frama-C can read all of
# it.
set -u
build=${BUILD:-build}
log=$build/test/log/eva
copy=$build/test/wp
passed=0 failed=0

functions() {
    case $1 in
    inflate-1) echo utet_inflate_match,utet_inflate_extra ;;
    zstd-1) echo utet_zs_copy_long,utet_zs_account,utet_zs_set_stop,utet_zs_no_room,zs_room,zs_reach,zs_whole,zs_copy_match ;;
    zstd-2) echo fast_end,fast_low,zs_repeated,offset_of,copy_repeated,states_of,put_states,zs_interrupted,tables_its_literals ;;
    zstd-3) echo utet_zs_plain_literals,more_raw ;;
    zstd-4) echo utet_zs_finish ;;
    szip-1) echo utet_szip_unaries,utet_szip_fields ;;
    lz4-1) echo lz4_history,lz4_output,lz4_piece,lz4_made,copy_match,read_size,have_length,read_byte,read_token,read_length,read_offset,lz4_copy ;;
    esac
}

# Functions without a contract, which are analysed where they are called.
inlined() {
    case $1 in
    szip-1) echo -inline-calls next_four,szip_take,take_across,szip_leave,szip_fast_end,szip_copy ;;
    esac
}

rm -rf "$copy" # the sources, with annotations
mkdir -p "$log" "$copy"
cp -R src "$copy/src"
find "$copy/src" -name '*.[ch]' -exec sed -i 's:/\* wp\: :/*@ :' {} +
export WHY3CONFIG="$copy/why3.conf"
[ -n "${WP_PARSE:-}" ] || why3 config detect >"$copy/why3.log" 2>&1

for part in ${*:-inflate-1 zstd-1 zstd-2 zstd-3 zstd-4 szip-1 lz4-1}; do
    for machine in ${WP_MACHINES:-x86_32}; do
        out=$log/wp-$part-$machine.log
        proof="-wp -wp-rte -wp-fct $(functions "$part") -wp-prover cvc4,z3 -wp-par ${WP_PAR:-2} -wp-timeout ${WP_TIMEOUT:-60}"
        [ -z "${WP_PARSE:-}" ] || proof= out=$out.parse
        # shellcheck disable=SC2086
        frama-c -machdep "$machine" -cpp-extra-args="-Iinclude -I$copy/src -Itest/eva -DWP_PART=${part#*-} -U__GNUC__" \
            $(inlined "$part") $proof "test/eva/wp_${part%-*}.c" >"$out" 2>&1
        read_it=$?
        goals=$(sed -n 's/^\[wp\] Proved goals: *\([0-9]*\) \/ \([0-9]*\)$/\1 \2/p' "$out")
        if [ "$read_it" -eq 0 ] && { [ -n "${WP_PARSE:-}" ] || { [ -n "$goals" ] && [ "${goals% *}" = "${goals#* }" ]; }; }; then
            passed=$((passed + 1))
            [ -n "${WP_PARSE:-}" ] || echo "figure: WP $part on $machine: ${goals#* } goals"
        else
            failed=$((failed + 1))
            printf '%s\n' "WP $part on $machine: $(grep -E -A 2 'Failed\] Goal|Timeout\] Goal|Unknown\] Goal|User Error|aborted' "$out" | head -n 9 | tr '\n' ' ')"
        fi
    done
done
# Something that neither EVA nor WP can follow: a sum of bits.
if [ $# -eq 0 ] && [ -z "${WP_PARSE:-}" ]; then
    answers=$(z3 test/eva/states.smt2 | paste -sd ' ' -)
    if [ "$answers" = "sat unsat sat unsat" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "states.smt2: $answers"
    fi
fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
