#!/bin/sh
# eva.sh: runs Frama-C EVA over the parts of eva_json.c on 16-, 32-, 64-bit and big-endian 32-bit models. A part
# on a model counts as passed when EVA ends with no alarm and has proved the harness's own assertions.
set -u
log=${BUILD:-build}/test/log/eva
mkdir -p "$log"
passed=0 failed=0
for part in 1 2; do
    for machine in x86_16 x86_32 x86_64 ppc_32; do
        out=$log/json-$part-$machine.log
        frama-c -machdep "$machine" -cpp-extra-args="-Iinclude -Isrc -DEVA_PART=$part -U__GNUC__" -eva \
            -main eva_main -eva-slevel 2000 -eva-split-return full -eva-no-show-progress \
            test/json/eva_json.c > "$out" 2>&1
        if grep -q '^  0 alarms generated' "$out" && grep -q '100% of the logical properties' "$out" &&
            ! grep -q -e 'eva:alarm' -e 'Frama-C aborted' "$out"; then
            passed=$((passed + 1))
        else
            failed=$((failed + 1))
            echo "EVA part $part on $machine: $(grep -E -A 1 'eva:alarm|User Error|aborted' "$out" | head -n 5 | tr '\n' ' ')"
        fi
    done
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
