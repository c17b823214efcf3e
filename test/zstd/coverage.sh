#!/bin/sh
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# coverage.sh DIR LINES BRANCHES [MORE] prints how much of the small zstd decoder the runs in DIR cover, in percent, and what they
# do not cover; lines also count if the runs in MORE cover them. It fails below LINES or BRANCHES.
set -u
gcovr --root . --filter src/zstd/ "$1" ${4:+"$4"} --txt --sort-percentage
gcovr --root . --filter src/zstd/ "$1" --branches --txt | tail -n 12
if gcovr --root . --filter src/zstd/ "$1" ${4:+"$4"} --print-summary --fail-under-line "$2" &&
    gcovr --root . --filter src/zstd/ "$1" --print-summary --fail-under-branch "$3"; then
    echo "1 passed, 0 failed"
else
    echo "0 passed, 1 failed"
    exit 1
fi
