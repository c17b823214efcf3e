#!/bin/bash
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# rust.sh TARGET: the tests of port/rust and of its pages, in the tree, with the crates of its Cargo.lock; tests of the rules also run
# under valgrind. Ends with "N passed, N failed".
set -u
export CARGO_TARGET_DIR=$1 RUSTC_BOOTSTRAP=1 # with it, rustdoc compares the error messages of programs that must not compile
cd port/rust || exit 1
{
    cargo test --locked --workspace --no-fail-fast -- --nocapture
    CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER="valgrind -q --error-exitcode=9" cargo test --locked --no-fail-fast --test rules --test sound
    echo "valgrind: $?"
} 2>&1 | tee "$1.log"
awk '/^test result:/ { passed += $4; failed += $6 } /^valgrind: / { ended = $2 }
    END { failed += ended != 0; printf "%d passed, %d failed\n", passed, failed; exit failed > 0 || passed < 41 }' "$1.log"
