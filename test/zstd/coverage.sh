#!/bin/sh
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# coverage.sh DIR LINES BRANCHES: what of the small zstd decoder the runs in DIR have taken, in percent, with what is left;
# fewer than LINES or BRANCHES is a failure.
set -u
gcovr --root . --filter src/zstd/ "$1" --txt --sort-percentage
gcovr --root . --filter src/zstd/ "$1" --branches --txt | tail -n 12
if gcovr --root . --filter src/zstd/ "$1" --print-summary --fail-under-line "$2" --fail-under-branch "$3"; then
    echo "1 passed, 0 failed"
else
    echo "0 passed, 1 failed"
    exit 1
fi
