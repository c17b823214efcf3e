#!/bin/sh
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# sum.sh LOG…: prints the last result line of each part of `make interop`, and their sum. A part without one has failed.
passed=0
failed=0
echo
for log in "$@"; do
    part=${log##*/}
    line=$(grep -sE '^[0-9]+ passed, [0-9]+ failed' "$log" | tail -n 1)
    line=${line:-0 passed, 1 failed (no result)}
    echo "${part%.log}: $line"
    passed=$((passed + ${line%% *}))
    line=${line#*, }
    failed=$((failed + ${line%% *}))
done
echo "interop: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
