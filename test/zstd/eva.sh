#!/bin/sh
# eva.sh: runs Frama-C EVA over the parts of eva_zstd.c on 16-, 32-, 64-bit and big-endian 32-bit models. A part
# on a model counts as passed when EVA ends with no alarm, among them what the harness asserts and preconditions that
# may be broken. Further arguments: the parts (default all).
set -u
log=${BUILD:-build}/test/log/eva
mkdir -p "$log"
passed=0 failed=0

# What EVA is told of a part: how many states it keeps apart, and which functions are their contracts in eva_zstd.c.
options() {
    case $1 in
    1 | 6 | 7) echo -eva-slevel 5000 ;;
    8 | 9) echo -eva-slevel 100000 ;;
    10) echo -eva-slevel 200 -eva-use-spec read_counts,cursor_begin,tables_fse_build ;;
    11) echo -eva-slevel 200 -eva-use-spec read_counts,cursor_begin,packed_fse_build ;;
    12)
        echo -eva-slevel 200 -eva-use-spec \
            read_counts,tables_huffman_tree,packed_huffman_tree,tables_sequence_cells,packed_sequence_cells
        ;;
    *) echo -eva-slevel 70 ;;
    esac
}

for part in ${*:-1 2 3 4 5 6 7 8 9 10 11 12}; do
    for machine in x86_16 x86_32 x86_64 ppc_32; do
        out=$log/zstd-$part-$machine.log
        # shellcheck disable=SC2046
        frama-c -machdep "$machine" -cpp-extra-args="-Iinclude -Isrc -DEVA_PART=$part -U__GNUC__" -eva \
            -main eva_main $(options "$part") -eva-split-return-function utet_zs_header:0,frame_fields:0 \
            -eva-no-show-progress test/zstd/eva_zstd.c > "$out" 2>&1
        if grep -q '^  0 alarms generated' "$out" && ! grep -q -e 'eva:alarm' -e 'Frama-C aborted' "$out"; then
            passed=$((passed + 1))
        else
            failed=$((failed + 1))
            echo "EVA part $part on $machine: $(grep -E -A 1 'eva:alarm|User Error|aborted' "$out" | head -n 4 | tr '\n' ' ')"
        fi
    done
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
