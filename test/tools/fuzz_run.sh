#!/bin/sh
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# fuzz_run.sh TARGET GIVEN [SECONDS]: runs the libFuzzer target build/test/fuzz/TARGET on seeds made of the files in GIVEN
# and on the findings of earlier runs (build/test/corpus), with the words of test/fuzz/TARGET.dict if it exists. It prints
# executions, the edges that the corpus covers (of library, harness and libzstd's decoder) and one line for the total.
# Without SECONDS a run takes at most a minute, and ends after as many executions on a fast machine as on a slow one. With
# SECONDS only the time counts, and targets that read many small inputs a second get four times as long. FUZZ_SEED=0
# chooses a random seed (make soak); otherwise runs repeat. libFuzzer's mutations depend on addresses, so these are fixed
# if the system permits it. A crash, a slow input (10 s for one) or a leak of memory fails; its input is printed.
target=$1 given=$2 seconds=$3
BUILD=${BUILD:-build}
corpus=$BUILD/test/corpus/$target
log=$BUILD/test/log/fuzz-$target.log
mkdir -p "$corpus" "$corpus.seed" "$corpus.found" "${log%/*}"
python3 test/tools/fuzz_seed.py "$target" "$given" "$corpus.seed" || exit 1
longer=1
case $target in # executions, the longest input; how much longer than others it runs when only the time counts
cbor) runs=1000000 max=400 longer=4 ;;
check) runs=150000 max=8192 ;;
fickle) runs=100000 max=400 ;;
file) runs=300000 max=65000 ;;
frame) runs=120000 max=65000 ;;
inflate) runs=60000 max=65000 ;;
meta) runs=500000 max=65000 ;;
query) runs=40000 max=6000 ;;
script) runs=15000 max=600 ;;
fold) runs=6000 max=250 ;;
slab) runs=40000 max=120 ;;
tiledb) runs=400000 max=4096 longer=4 ;;
szip) runs=80000 max=600 longer=4 ;;
tensordata) runs=15000 max=1500 ;;
tensogram) runs=40000 max=3000 ;;
zstd) runs=1500000 max=20000 longer=4 ;;
esac
[ -z "$seconds" ] || { runs=-1; seconds=$((seconds * longer)); }
words= # a dictionary, if it exists
[ ! -f "test/fuzz/$target.dict" ] || words=-dict=test/fuzz/$target.dict
still= # addresses, which the environment also shifts
[ "${FUZZ_SEED:-1}" = 0 ] || ! setarch -R true 2>/dev/null || still="env -i PATH=/usr/bin:/bin setarch -R"
if $still "$BUILD/test/fuzz/$target" -max_total_time="${seconds:-60}" -runs=$runs -seed="${FUZZ_SEED:-1}" -timeout=30 -rss_limit_mb=2000 \
    -reload=0 -max_len=$max $words -print_final_stats=1 -verbosity=1 -artifact_prefix="$corpus.found/" "$corpus" "$corpus.seed" >"$log" 2>&1 </dev/null; then
    all=$(sed -n 's/^INFO: Loaded [0-9]* modules* *(\([0-9]*\) .*/\1/p' "$log" | head -n 1)
    seen=$(grep -ao ' cov: [0-9]* .* corp: [0-9]*' "$log" | tail -n 1)
    echo "  figure: fuzz: $target: $(sed -n 's/^stat::number_of_executed_units: *//p' "$log") executions in at most ${seconds:-60} s; the corpus covers $(echo "$seen" | sed 's/ cov: \([0-9]*\) .* corp: \([0-9]*\)/\1 of '"$all"' edges, \2 inputs/')"
    echo "fuzz-$target: 1 passed, 0 failed"
else
    grep -aE 'ERROR|runtime error|SUMMARY|contract|: .*[a-z_]+\(' "$log" | head -n 12 | sed 's/^/  /'
    tail -n 4 "$log" | sed 's/^/  | /'
    sed -n 's/^Base64: /  the input, base64: /p' "$log" | cut -c1-4000
    echo "fuzz-$target: 0 passed, 1 failed"
    exit 1
fi
