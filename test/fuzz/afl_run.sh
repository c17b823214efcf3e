#!/bin/sh
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# afl_run.sh TARGET SECONDS: AFL++ on a fuzz target, from the same seeds as libFuzzer; another mutator, and another measure of
# what is new. Prints executions and one line for the total; a crash or a hang (10 s for one input) fails and stays in
# build/test/afl/TARGET.
target=$1 seconds=$2
BUILD=${BUILD:-build}
work=$BUILD/test/afl/$target
log=$BUILD/test/log/afl-$target.log
mkdir -p "$work/seed" "${log%/*}"
rm -rf "$work/found"
python3 test/tools/fuzz_seed.py "$target" test/golden "$work/seed" || exit 1
export AFL_NO_UI=1 AFL_SKIP_CPUFREQ=1 AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1 AFL_NO_AFFINITY=1
afl-fuzz -i "$work/seed" -o "$work/found" -V "$seconds" -m none -t 10000 -- "$BUILD/test/afl/fuzz-$target" >"$log" 2>&1 </dev/null
figures=$work/found/default/fuzzer_stats
figure() { sed -n "s/^$1 *: *//p" "$figures" 2>/dev/null; }
crashes=$(figure saved_crashes) hangs=$(figure saved_hangs)
echo "  figure: afl: $target: $(figure execs_done) executions in $seconds s, $(figure corpus_count) inputs kept"
if [ "$crashes" = 0 ] && [ "$hangs" = 0 ]; then
    echo "afl-$target: 1 passed, 0 failed"
else
    echo "  ${crashes:-no} crashes, ${hangs:-no} hangs"
    tail -n 5 "$log" | sed 's/^/  | /'
    echo "afl-$target: 0 passed, 1 failed"
    exit 1
fi
