#!/bin/sh
# eva.sh: runs Frama-C EVA over eva_json.c on 16-, 32-, 64-bit and big-endian 32-bit models. A model counts as passed when EVA
# ends with no alarm.
set -u
log=${BUILD:-build}/test/log/eva
mkdir -p "$log"
passed=0 failed=0
for machine in x86_16 x86_32 x86_64 ppc_32; do
    out=$log/json-$machine.log
    frama-c -machdep "$machine" -cpp-extra-args="-Iinclude -Isrc -U__GNUC__" -eva -main eva_main -eva-slevel 100 \
        -eva-split-return full -eva-no-show-progress test/json/eva_json.c > "$out" 2>&1
    if grep -q '^  0 alarms generated' "$out" && ! grep -q 'Frama-C aborted' "$out"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "EVA on $machine: $(grep -E 'eva:alarm|User Error|aborted' "$out" | head -n 5 | tr '\n' ' ')"
    fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
