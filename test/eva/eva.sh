#!/bin/sh
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# eva.sh NAME [PART…]: runs Frama-C EVA over the parts (default all) of a harness, test/*/eva_NAME.c, on 16-, 32-,
# 64-bit and big-endian 32-bit models. A part on a model counts as passed when EVA ends with no alarm, of the code or
# of a contract that may be broken, and has proved the harness's own assertions. EVA_PARSE=1: only whether Frama-C can
# read the harness.
set -u
name=$1
shift
source=$(echo test/*/"eva_$name.c")
case $name in
core) last=7 ;;
window) last=3 ;;
json | values) last=2 ;;
check) last=4 ;;
metadata) last=5 ;;
meta) last=6 ;;
schema) last=6 ;;
zstd) last=12 ;;
tiledb) last=7 ;;
fold) last=3 ;;
stream) last=3 ;;
szip) last=5 ;;
lz4) last=2 ;;
show | tensor | keys) last=4 ;;
tensogram) last=5 ;;
opening | elements) last=2 ;;
adapters | answer) last=2 ;;
machine) last=2 ;;
phases) last=2 ;;
inflate) last=6 ;;
rows) last=1 ;;
base) last=2 ;;
symbols | into) last=1 ;;
results) last=5 ;;
cells) last=7 ;;
loops) last=12 ;;
words) last=5 ;;
filters) last=3 ;;
matrix) last=3 ;;
ranks) last=2 ;;
boxes) last=4 ;;
query) last=13 ;;
bind) last=5 ;;
response) last=4 ;;
esac
log=${BUILD:-build}/test/log/eva
mkdir -p "$log"
passed=0 failed=0

# After these functions EVA keeps "it went well" and the rest apart; inside the arithmetic it need not.
statuses() {
    printf '%s' "-eva-slevel-function utet_div:0,utet_div_up:0,utet_mul:0,utet_add:0 -eva-split-return-function "
    printf '%s' utet_fetch:0,utet_fetch_ahead:0,utet_copy_bytes:0,
    split_at "$@"
}

# Its part for the functions of these sources that return a status.
split_at() {
    sed -n 's/^[a-z].*status \([a-z_]*\)(.*/\1:0/p' "$@" | sort -u | paste -sd, -
}

# What eva_core.c includes of the container: rows.c needs memory that is lent, and is reached by a pointer.
container=$(printf '%s\n' src/container/*.c | grep -v /rows.c)

# What EVA is told of a part: how many states it keeps apart, and which functions are their contracts in the harness.
options() {
    # shellcheck disable=SC2086
    case $name-$1 in
    core-1) echo -eva-slevel 600 ;;
    core-5) echo -eva-slevel 600 "$(statuses $container src/slab/slab.c src/stream/stream.c)" ;;
    core-*) echo -eva-slevel 600 "$(statuses $container)" ;;
    window-*) echo -eva-slevel 100000 -eva-split-return-function port:0,port_read:0,utet_fetch_ahead:0,utet_fetch:0 ;;
    check-3) echo -eva-slevel 100 ;;
    check-4) echo -eva-slevel 10 -eva-split-return-function utet_dataset_step:0,utet_row_load:0,"$(split_at src/check/passes.c)" ;;
    check-*)
        echo -eva-slevel 20000 -eva-split-return-function \
            utet_dataset_step:0,utet_row_load:0,add_entry:0,fill_for_bits:0,next_row_in_table:0
        ;;
    stream-1)
        echo -eva-slevel 5000 -eva-split-return-function utet_fetch_ahead:0,utet_enter:0,utet_stream_enter:0,any_need:0 \
            -eva-split-return-function utet_row_check:0,any_start:0,any_status:0,"$(split_at src/stream/*.c)"
        ;;
    stream-2)
        echo -eva-slevel 5000 -eva-slevel-function deliver:60 \
            -eva-split-return-function any_need:0,any_step:0,utet_lend:0,"$(split_at src/codec/driver.c)"
        ;;
    stream-3)
        echo -eva-slevel 300 \
            -eva-split-return-function utet_fetch_ahead:0,utet_copy_bytes:0,utet_enter:0,utet_row_check:0,utet_row_find:0 \
            -eva-split-return-function any_lend:0,any_start:0,any_status:0,any_need:0,any_view:0 \
            -eva-split-return-function "$(split_at src/slab/slab.c src/stream/stream.c)"
        ;;
    schema-1)
        echo -eva-slevel 300 -eva-slevel-function eva_main:3000,utet_div:0,utet_mul:0,utet_add:0 \
            -eva-split-return-function any_status:0,any_next:0,any_open:0
        ;;
    schema-4)
        echo -eva-slevel 100 -eva-slevel-function eva_main:3000 \
            -eva-split-return-function any_status:0,utet_tiledb_fetch:0,"$(split_at src/tiledb/tiledb_enumeration.c)"
        ;;
    schema-[56]) echo -eva-slevel 300 -eva-split-return-function utet_fetch:0 ;;
    schema-*) echo -eva-slevel 300 -eva-split-return-function any_status:0 ;;
    meta-*)
        echo -eva-slevel 100 -eva-slevel-function eva_main:1000 -eva-split-return-function any_status:0,utet_meta_copy_text:0
        case $1 in
        2) echo -eva-split-return-function utet_meta_next:0,next_zone:0 ;;
        4) echo -eva-split-return-function utet_json_character:0,utet_row_load:0 ;;
        5) echo -eva-split-return-function utet_meta_next:0,"$(split_at src/meta/search.c)" ;;
        6) echo -eva-slevel-function eva_main:20000,key_fault:2000 ;;
        esac
        ;;
    fold-*) echo -eva-slevel 5000 ;;
    results-4)
        echo -eva-min-loop-unroll 140 -eva-split-return-function first_key:0 -eva-slevel-merge-after-loop first_key \
            -eva-slevel-function utet_fold_interval:20,first_key:1000
        ;;
    results-5) echo -eva-min-loop-unroll 140 -eva-slevel-function eva_main:10000,utet_fold_exp:10 -eva-use-spec reduce ;;
    results-*) echo -eva-min-loop-unroll 140 -warn-special-float none ;;
    cells-1)
        echo -eva-min-loop-unroll 140 -eva-slevel-function take:100,utet_fold_add_f32:100 \
            -eva-split-return-function utet_fold_add_f32:0:1:2:3
        ;;
    cells-3)
        echo -eva-min-loop-unroll 140 -eva-slevel-function take:100,take_all:100,utet_fold_square_f32:100 \
            -eva-split-return-function utet_fold_add_f32:0:1:2:3,utet_fold_square_f32:0:1:2:3
        ;;
    cells-4) echo -eva-min-loop-unroll 140 -eva-slevel-function take:1000 -warn-special-float none ;;
    cells-6)
        echo -eva-min-loop-unroll 140 -eva-split-return-function utet_fold_scan:0:1:2:3 \
            -eva-slevel-function take_all:1000,utet_fold_scan:200,take:100 -warn-special-float none
        ;;
    cells-*) echo -eva-min-loop-unroll 140 -warn-special-float none ;;
    boxes-*)
        case $1 in 1) set -- pieces ;; 2) set -- by ;; 3) set -- by merge pieces ;; 4) set -- transform ;; esac
        # shellcheck disable=SC2046
        set -- "$(split_at test/eva/eva_slab.h src/fold/fold.c $(printf 'src/fold/fold_%s.c ' "$@") | sed 's/:0/:0:1:2/g')"
        echo -eva-slevel 5000 -eva-slevel-function eva_main:20000 -warn-special-float none -eva-use-spec utet_div \
            -eva-split-return-function "open_fold:0:1:2,next_box:0,finish_cells:0$([ "$part" != 4 ] || echo ,transform_prepare:0:1:2),$1"
        ;;
    matrix-3) echo -eva-min-loop-unroll 140 ;;
    matrix-*)
        echo -eva-min-loop-unroll 140 -eva-slevel 50 -warn-special-float none -eva-use-spec "utet_div$([ "$1" != 2 ] || echo ,multiply)" \
            -eva-slevel-function eva_main:5000,whole:5000,prepare:500,run:5000,take_run:500,utet_fold_matrix_run:500 \
            -eva-slevel-function utet_slab_run:500,choose_block:500,covariance:0,utet_fold_wide_add:0 \
            -eva-split-return-function "next_box:0,next_blocks:0,$(split_at test/eva/eva_slab.h src/fold/fold_matrix.c | sed 's/:0/:0:1:2/g')"
        ;;
    ranks-1) echo -eva-min-loop-unroll 140 -eva-slevel-function eva_main:1000,counted:1000,take:200 -warn-special-float none ;;
    ranks-2)
        echo -eva-min-loop-unroll 260 -eva-slevel-function eva_main:1000,position:1100,place_of:100,interpolate:100 \
            -warn-special-float none
        ;;
    filters-1) echo -eva-slevel 200 -eva-slevel-function eva_main:20000 -eva-use-spec put_end -warn-special-float none ;;
    filters-2) echo -eva-slevel 2000 -eva-slevel-function eva_main:20000 -eva-split-return-function utet_fold_scan:0:1:2:3 ;;
    filters-3) echo -eva-slevel 1000 ;;
    json-*) echo -eva-slevel 2000 -eva-split-return full ;;
    tiledb-1) echo -eva-slevel 30000 -eva-split-return-function "utet_fetch:0,$(split_at src/tiledb/tiledb_open.c)" ;;
    tiledb-2) echo -eva-slevel 2000 -eva-split-return-function utet_tiledb_fetch:0 ;;
    tiledb-3) echo -eva-slevel 100 -eva-slevel-function pass:0,each_filter:0 ;;
    tiledb-4) echo -eva-slevel 20000 ;;
    tiledb-5)
        echo -eva-slevel 20000 -eva-split-return-function utet_fetch:0,any_step:0,any_open:0 \
            -inline-calls advance,read_count,read_chunk,read_table,read_part,read_data,step,close_part
        ;;
    tiledb-6) echo -eva-slevel 20 -eva-use-spec advance ;;
    tiledb-7) echo -eva-slevel 50 -eva-use-spec utet_tiledb_item_take,read_section -eva-split-return-function utet_tiledb_onward:0 ;;
    tensogram-5) echo -eva-slevel 20 -eva-use-spec find,at,utet_frame_step ;;
    tensogram-1) echo -eva-slevel 20000 -eva-slevel-function widen:0 -eva-split-return full ;;
    tensogram-2) echo -eva-slevel 20000 -eva-split-return full ;;
    tensogram-4) echo -eva-slevel 1000 -warn-special-float none ;;
    tensogram-3) echo -eva-slevel 20000 -eva-slevel-function power:0,tenths:0 -warn-special-float none ;;
    values-1) echo -eva-slevel 20000 -eva-slevel-function utet_runs_ones:0 -eva-split-return full ;;
    values-2) echo -eva-slevel 100000 -eva-split-return-function utet_fetch:0,utet_enter:0 ;;
    metadata-2) echo -eva-slevel 20 -eva-slevel-function wanted:200,paths:200 ;;
    metadata-4) echo -eva-slevel 100 -eva-split-return full -warn-special-float none ;;
    metadata-*) echo -eva-slevel 300 -eva-split-return full ;;
    base-*) echo -eva-slevel 10000 ;;
    machine-2)
        echo -eva-slevel 500 -eva-slevel-function eva_main:5000 \
            -eva-split-return-function any_read:0,utet_zs_fetch:0,utet_zs_peek:0,utet_zs_cursor_refill:0
        ;;
    machine-1)
        echo -eva-slevel 1000 -eva-use-spec utet_zs_header \
            -eva-split-return-function utet_zs_peek:0,scan:0,begin:0,utet_zstd_init:0
        ;;
    phases-2)
        echo -eva-slevel 20000 -inline-calls utet_zs_run,slice,keep,utet_zstd_step,utet_zstd_open
        ;;
    phases-1)
        echo -eva-slevel 20000 -eva-slevel-function eva_main:100000 -eva-use-spec utet_zs_header \
            -eva-split-return-function any_answer:0,utet_zs_peek:0,utet_zs_fetch:0,utet_zs_direct:0
        ;;
    adapters-1)
        echo -eva-slevel 1000 -eva-use-spec utet_zs_header \
            -eva-split-return-function any_status:0,utet_payload_fetch:0,walk_on:0
        ;;
    adapters-2)
        echo -eva-slevel 20000 -eva-use-spec utet_zs_header \
            -inline-calls output,ZSTD_nextSrcSizeToDecompress,ZSTD_decompressContinue,ZSTD_isError \
            -eva-split-return-function any_status:0,utet_payload_fetch:0,utet_payload_copy:0 \
            -eva-split-return-function "$(split_at src/codec/zstd/zstd_upstream.c)"
        ;;
    query-1)
        echo -eva-slevel 500 -eva-slevel-function shift_down:20000,shift_up:20000,align_limbs:10,eva_main:1000 \
            -warn-special-float none
        ;;
    query-2) echo -eva-slevel 20 -eva-use-spec shift_up,shift_down -eva-domains equality -warn-special-float none ;;
    query-[345])
        echo -eva-slevel 100 -eva-slevel-function utet_query_key_name:500 \
            -eva-ilevel 64 -eva-split-return full -warn-special-float none \
            -eva-use-spec "utet_query_copy,utet_query_which,utet_query_axis_list$([ "$1" != 3 ] || echo ,least_name,bad_syntax)"
        [ "$1" != 5 ] || echo -eva-slevel-function utet_query_reduction:2000
        ;;
    query-6)
        echo -eva-slevel 100 -eva-slevel-function utet_query_axis_list:5000,eva_main:10000 \
            -eva-ilevel 64 -eva-split-return full -warn-special-float none -eva-use-spec utet_query_copy
        ;;
    query-7)
        echo -eva-slevel 100 -eva-slevel-function utet_query_key_name:500 \
            -eva-slevel-function utet_query_which:1000,eva_main:100000 \
            -eva-slevel-merge-after-loop utet_query_which -eva-ilevel 64 -eva-split-return full -warn-special-float none
        ;;
    query-8)
        echo -eva-slevel 200 -eva-slevel-merge-after-loop put_text -eva-ilevel 64 -eva-split-return full \
            -eva-slevel-function eva_main:5000,put:0,utet_query_put:0 -eva-use-spec put_double \
            -warn-special-float none
        ;;
    query-12)
        echo -eva-slevel 200 -eva-slevel-merge-after-loop put_text,say -eva-use-spec put_part,put \
            -eva-slevel-function eva_main:5000,say:1000,utet_query_message:0 -warn-special-float none
        ;;
    query-13)
        echo -eva-slevel 200 -eva-slevel-merge-after-loop put_double -eva-split-return full \
            -eva-slevel-function eva_main:5000,utet_query_shortest:1000,put_double:60,put:0,utet_query_put:0
        ;;
    query-9)
        echo -eva-slevel 100 -eva-slevel-function utet_query_open:5000,eva_main:5000 -eva-ilevel 64 -eva-split-return full \
            -eva-use-spec utet_query_syntax,keys,utet_query_execution,utet_query_spill,utet_query_write
        ;;
    query-11) echo -eva-slevel 500 -eva-ilevel 64 -eva-split-return full ;;
    query-10)
        echo -eva-slevel 20000 -eva-split-return full -eva-min-loop-unroll 50
        ;;
    answer-1) echo -eva-slevel 200 -eva-min-loop-unroll 8 -eva-slevel-function eva_main:20000 -eva-split-return full ;;
    answer-2)
        echo -eva-slevel 200 -eva-min-loop-unroll 9 -eva-split-return full \
            -eva-slevel-function eva_main:20000,count:0,next_chunk:0,begin:0,pass_tiles:20,utet_query_skip:1000
        ;;
    bind-*)
        echo -eva-slevel 200 -eva-slevel-function eva_main:20000 -eva-ilevel 64 -eva-split-return full -warn-special-float none
        case $1 in
        3) echo -eva-slevel-function utet_query_bind_fill:5000,taken:5000 ;;
        5) echo -eva-slevel-function utet_query_bind_groups:20000,end_groups:2000 ;;
        esac
        ;;
    response-*)
        echo -eva-slevel 500 -eva-slevel-function eva_main:20000 -eva-ilevel 64 -eva-split-return full -warn-special-float none
        case $1 in [23]) echo -eva-use-spec utet_response_escaped ;; esac
        ;;
    rows-*) echo -eva-slevel 100 ;;
    show-1) echo -eva-slevel 200 -warn-special-float none ;;
    show-2) echo -eva-slevel 200000 ;;
    show-3) echo -eva-slevel 3000 ;;
    show-4) echo -eva-slevel 100 -eva-use-spec power_of_five,product ;;
    szip-1)
        echo -eva-slevel 1000 -eva-slevel-function eva_main:20000,read_pairs:3000 -eva-slevel-merge-after-loop read_pairs \
            -eva-split-return-function utet_szip_field:0,utet_szip_unary:0:1:2
        ;;
    szip-2) echo -eva-slevel 3000 -eva-split-return-function utet_szip_width:0 ;;
    szip-3) echo -eva-slevel 5000 ;;
    szip-4) echo -eva-slevel 200 -eva-use-spec step -eva-split-return-function utet_szip_samples:0:1 ;;
    szip-5) echo -eva-slevel 5000 -eva-split-return full ;;
    tensor-1)
        echo -eva-slevel 3000 -eva-slevel-function eva_main:5000,add_axis:0,utet_div:0,utet_div_up:0,next_run:20,utet_tensor_slab_open:100 \
            -eva-split-return full
        ;;
    tensor-*) echo -eva-slevel 3000 -eva-slevel-function eva_main:20000 -eva-split-return full -warn-special-float none ;;
    elements-*)
        echo -eva-slevel 300 -eva-slevel-function eva_main:20000 -eva-split-return full
        case $1 in 2) echo -eva-use-spec utet_elements_make,skip_source ;; esac
        ;;
    opening-*) echo -eva-slevel 500 -eva-slevel-function eva_main:5000,utet_div:100,find_codec:100 -eva-split-return full ;;
    keys-*)
        echo -eva-slevel 500 -eva-slevel-function eva_main:5000 -eva-split-return full -eva-ilevel 64
        case $1 in 2) echo -eva-use-spec compare ;; 4) echo -eva-use-spec compare,token ;; esac
        ;;
    lz4-*) echo -eva-slevel 20000 -eva-split-return full ;;
    inflate-1)
        echo -eva-slevel 300 -eva-slevel-function eva_main:20000,any_state:20000 \
            -eva-slevel-function any_input:20000,phase:20000 -eva-split-return full
        ;;
    inflate-2)
        echo -eva-slevel 20 -eva-slevel-function eva_main:20000,any_state:20000 -eva-split-return full \
            -eva-use-spec copy,utet_inflate_ensure
        ;;
    inflate-3) echo -eva-slevel 5000 -eva-slevel-function eva_main:100000,four:100000 -eva-split-return full ;;
    inflate-5)
        echo -eva-slevel 300 -eva-slevel-function eva_main:20000,any_state:20000,any_input:20000,utet_inflate_account:0 \
            -eva-split-return full
        ;;
    inflate-6) echo -eva-slevel 20 -eva-slevel-function eva_main:20000 -eva-split-return full -eva-use-spec add_lengths,utet_inflate_pull ;;
    into-1) echo -eva-slevel 5000 -eva-split-return full -eva-use-spec next_run ;;
    symbols-1) echo -eva-slevel 20000 -eva-split-return full ;;
    inflate-4) echo -eva-slevel 500 -eva-slevel-function eva_main:20000,any_state:20000 -eva-split-return full ;;
    loops-1) echo -eva-slevel 100 -eva-slevel-function eva_main:100000 -eva-split-return-function tables_rare_sequence:0 ;;
    loops-2) echo -eva-slevel 100 -eva-slevel-function eva_main:100000 -eva-split-return-function packed_rare_sequence:0 ;;
    loops-3 | loops-4)
        layout=$([ "$1" = 3 ] && echo tables || echo packed)
        echo -eva-slevel 5000 -eva-slevel-function eva_main:100000,sequences:0 -eva-split-return full \
            -eva-use-spec "${layout}_quick_sequence,${layout}_rare_sequence,offset_of"
        ;;
    loops-5) echo -eva-slevel 1000 -eva-slevel-function eva_main:100000 ;;
    loops-6) echo -eva-slevel 1000 -eva-slevel-function eva_main:100000 -eva-use-spec packed_huffman_deep ;;
    loops-7)
        echo -eva-slevel 20000 -eva-slevel-function eva_main:100000 -eva-split-return-function tables_huffman_one:1:2:3 \
            -eva-use-spec tables_huffman_one
        ;;
    loops-8)
        echo -eva-slevel 20000 -eva-slevel-function eva_main:100000 -eva-split-return-function packed_huffman_one:0:1:2:3 \
            -eva-use-spec packed_huffman_one,packed_huffman_deep
        ;;
    loops-9 | loops-10)
        layout=$([ "$1" = 9 ] && echo tables || echo packed)
        echo -eva-slevel 100 -eva-slevel-function eva_main:100000 -eva-split-return full \
            -eva-use-spec "${layout}_fse_weights,utet_zs_sort_symbols,utet_zs_${layout}_huffman_fill"
        ;;
    loops-11) echo -eva-slevel 1000 -eva-slevel-function eva_main:100000 -eva-split-return full ;;
    loops-12)
        echo -eva-slevel 1000 -eva-slevel-function eva_main:100000,pieces:0 -eva-split-return full \
            -eva-use-spec utet_zs_cursor_refill,utet_zs_next_stream,more_raw
        ;;
    words-1)
        echo -eva-slevel 1000 -eva-slevel-function eva_main:100000,stream:10000 -absolute-valid-range 0x10000-0x10800
        ;;
    words-2) echo -eva-slevel 1000 -eva-slevel-function eva_main:100000 -absolute-valid-range 0x10000-0x1001b ;;
    words-3)
        echo -eva-slevel 1000 -eva-slevel-function eva_main:100000 -absolute-valid-range 0x10000-0x1001b \
            -eva-use-spec packed_huffman_deep
        ;;
    words-[45]) echo -eva-slevel 10000 -eva-slevel-function eva_main:100000 -absolute-valid-range 0x10000-0x1002b ;;
    zstd-1 | zstd-6 | zstd-7) echo -eva-slevel 5000 ;;
    zstd-8 | zstd-9) echo -eva-slevel 100000 ;;
    zstd-10) echo -eva-slevel 200 -eva-use-spec utet_zs_read_counts,utet_zs_cursor_begin,tables_fse_build ;;
    zstd-11) echo -eva-slevel 200 -eva-use-spec utet_zs_read_counts,utet_zs_cursor_begin,packed_fse_build ;;
    zstd-12)
        echo -eva-slevel 200 -eva-use-spec \
            utet_zs_read_counts,utet_zs_tables_huffman_tree,utet_zs_packed_huffman_tree,utet_zs_tables_sequence_cells,utet_zs_packed_sequence_cells
        ;;
    zstd-*) echo -eva-slevel 70 ;;
    esac
    [ "$name" != zstd ] || echo -eva-split-return-function utet_zs_header:0,frame_fields:0
}

machines="x86_16 x86_32 x86_64 ppc_32"
case $name in filters | ranks | matrix | tiledb | tensogram | metadata | values | inflate | symbols | szip | schema | results | phases | lz4 | tensor | elements) machines="x86_32 x86_64 ppc_32" ;; esac # the rooms need pointers of 32 bits
case $name in adapters) machines="x86_32 x86_64 ppc_32" ;; esac # shifts of the package want an int of 32 bits
case $name in answer | machine | boxes | loops | words | query | bind | response | keys | opening) machines=x86_32 ;; esac # the only model that each of their parts has been run on

for part in ${*:-$(seq "$last")}; do
    for machine in ${EVA_MACHINES:-$machines}; do
        out=$log/$name-$part-$machine.log
        flags="-Iinclude -Isrc -Itest/eva -DEVA_PART=$part -U__GNUC__"
        if [ -n "${EVA_PARSE:-}" ]; then
            if frama-c -machdep "$machine" -cpp-extra-args="$flags" "$source" >"$out.parse" 2>&1; then
                passed=$((passed + 1))
            else
                failed=$((failed + 1))
                printf '%s\n' "EVA $name $part on $machine: $(grep -A 2 'User Error' "$out.parse" | head -n 3 | tr '\n' ' ')"
            fi
            continue
        fi
        # shellcheck disable=SC2046
        frama-c -machdep "$machine" -cpp-extra-args="$flags" -eva -main eva_main \
            $(options "$part") -eva-no-show-progress "$source" >"$out" 2>&1
        if grep -q '^  0 alarms generated' "$out" && grep -q '100% of the logical properties' "$out" &&
            ! grep -q -e 'eva:alarm' -e 'Frama-C aborted' "$out"; then
            passed=$((passed + 1))
        else
            failed=$((failed + 1))
            printf '%s\n' "EVA $name $part on $machine: $(grep -E -A 2 'eva:alarm|User Error|aborted' "$out" | head -n 6 | tr '\n' ' ')"
        fi
    done
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
