#!/bin/sh
# eva.sh: runs Frama-C EVA over the parts of eva_zstd.c on 16-, 32-, 64-bit and big-endian 32-bit models. A part on a model
# counts as passed when EVA ends with no alarm. Further arguments: the parts (default all).
set -u
log=${BUILD:-build}/test/log/eva
mkdir -p "$log"
passed=0 failed=0
for part in ${*:-1 2 3 4 5 6 7}; do
    for machine in x86_16 x86_32 x86_64 ppc_32; do
        out=$log/zstd-$part-$machine.log
        frama-c -machdep "$machine" -cpp-extra-args="-Iinclude -Isrc -DEVA_PART=$part -U__GNUC__" -eva -main eva_main \
            -eva-slevel $(case $part in 1|6|7) echo 5000;; *) echo 70;; esac) -eva-split-return-function utet_zs_header:0,frame_fields:0 -eva-no-show-progress \
            test/zstd/eva_zstd.c > "$out" 2>&1
        if grep -q '^  0 alarms generated' "$out" && ! grep -q 'Frama-C aborted' "$out"; then
            passed=$((passed + 1))
        else
            failed=$((failed + 1))
            echo "EVA part $part on $machine: $(grep -E 'alarm|User Error|aborted' "$out" | head -n 3 | tr '\n' ' ')"
        fi
    done
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
