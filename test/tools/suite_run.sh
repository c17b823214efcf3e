#!/bin/sh
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# suite_run.sh NAME COMMAND…: runs a suite with its output in build/test/log/NAME.log, and prints what the build adds
# up: `NAME: N passed, N failed[, N skipped]`, the names of what was skipped, and after a failure the end of the log. A
# suite that dies without that line counts as one failure, and so does one that counts fewer cases than least.tsv
# requires. Suites run at the same time: each has a temporary directory of its own in TMPDIR, which is deleted at the end.
name=$1
shift
log=${BUILD:-build}/test/log/$name.log
# Programs under AddressSanitizer: a pointer that a call keeps must not point to the stack of a call that has returned.
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_stack_use_after_return=1
export ASAN_OPTIONS
mkdir -p "${log%/*}"
TMPDIR=$(mktemp -d "${TMPDIR:-/tmp}/utet-suite.XXXXXX") || exit
chmod 755 "$TMPDIR" # some tests read it as another user
export TMPDIR
trap 'rm -rf "$TMPDIR"' EXIT
trap 'exit 1' HUP INT TERM
start=$(date +%s)
"$@" >"$log" 2>&1 </dev/null
code=$?
seconds=$(($(date +%s) - start))
line=$(grep -E '^[0-9]+ passed, [0-9]+ failed(, [0-9]+ skipped)?$' "$log" | tail -n 1)
if [ -z "$line" ]; then
    line="0 passed, 1 failed"
    code=${code#0}
    echo "$name: no result, exit status ${code:-0}"
    code=1
fi
grep "^$name	" "$(dirname "$0")/least.tsv" | sed 's/#/\\([0-9][0-9]*\\)/' >"$log.least"
while IFS='	' read -r _ pattern least; do
    n=$(sed -n "s/^$pattern.*/\1/p" "$log" | head -n 1)
    if [ "${n:-0}" -lt "$least" ]; then
        line=$(echo "$line" | sed "s/, 0 failed/, 1 failed/")
        code=1
        echo "  $name: ${n:-none} instead of at least $least: $pattern"
    fi
done <"$log.least"
rm -f "$log.least"
[ $seconds -lt 5 ] || echo "  ($name took $seconds s)"
grep '^figure: ' "$log" | sed 's/^/  /'
skips=$(sed -n 's/^skipped: //p' "$log")
if [ -n "$skips" ] && [ -z "$QUIET_SKIPS" ]; then echo "$skips" | sed 's/^/  skipped: /'; fi
if [ "$code" -ne 0 ]; then
    grep -aE '^\[  (ERROR|FAILED) |error: Failure|ERROR: AddressSanitizer|runtime error|WARNING: MemorySanitizer' "$log" | head -n 20 | sed 's/^/  /'
    tail -n 15 "$log" | sed 's/^/  | /'
    echo "  (the whole log: $log)"
fi
echo "$name: $line"
exit "$code"
