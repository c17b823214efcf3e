#!/bin/sh
# eva.sh: runs Frama-C EVA over the parts of eva_core.c on 16-, 32-, 64-bit and big-endian 32-bit models. A part on a model
# counts as passed when EVA ends with no alarm and has proved the harness's own assertions. Further arguments: the parts
# (default all).
set -u
log=${BUILD:-build}/test/log/eva
mkdir -p "$log"
passed=0 failed=0

# After these functions EVA keeps "it went well" and the rest apart; inside the arithmetic it need not.
statuses() {
    sed -n 's/^[a-z].*status \([a-z_]*\)(.*/\1:0/p' "$@" | sort -u | paste -sd, -
}
core=$(statuses src/container/*.c),utet_need_bytes:0,utet_need_ahead:0,utet_copy_bytes:0
slab=$core,$(statuses src/slab/slab.c src/stream/stream.c)

for part in ${*:-1 2 3 4 5}; do
    for machine in x86_16 x86_32 x86_64 ppc_32; do
        out=$log/core-$part-$machine.log
        set --
        if [ "$part" != 1 ]; then
            set -- -eva-slevel-function utet_div:0,utet_div_up:0,utet_mul:0,utet_add:0 \
                -eva-split-return-function "$(if [ "$part" = 5 ]; then echo "$slab"; else echo "$core"; fi)"
        fi
        frama-c -machdep "$machine" -cpp-extra-args="-Iinclude -Isrc -DEVA_PART=$part -U__GNUC__" -eva -main eva_main \
            -eva-slevel 600 "$@" -eva-no-show-progress test/eva/eva_core.c >"$out" 2>&1
        if grep -q '^  0 alarms generated' "$out" && grep -q '100% of the logical properties' "$out" &&
            ! grep -q 'Frama-C aborted' "$out"; then
            passed=$((passed + 1))
        else
            failed=$((failed + 1))
            printf '%s\n' "EVA part $part on $machine: $(grep -E -A 2 'eva:alarm|User Error|aborted' "$out" | head -n 6 | tr '\n' ' ')"
        fi
    done
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
