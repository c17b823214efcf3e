#!/bin/sh
# fuzz.sh PROGRAM SECONDS FOUND SEEDS: runs a libFuzzer target and says in the suites' form whether it held.
# FUZZ_SEED=0 starts from chance, else runs repeat, and end after as many executions on a fast machine as on a slow one.
program=$1 seconds=$2 found=$3 seeds=$4
runs=1500000
[ "${FUZZ_SEED:-1}" != 0 ] || runs=-1
if "$program" "-max_total_time=$seconds" "-runs=$runs" "-seed=${FUZZ_SEED:-1}" -max_len=20000 -timeout=10 -rss_limit_mb=2000 -print_final_stats=1 \
    "-artifact_prefix=$found/crash-" "$found" "$seeds" 2>&1; then
    echo "1 passed, 0 failed"
else
    echo "0 passed, 1 failed"
    exit 1
fi
