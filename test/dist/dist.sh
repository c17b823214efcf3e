#!/bin/bash
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# dist.sh WORK TARGET…: makes the release archive here, and in a clone elsewhere with another umask: the bytes are the same.
# It unpacks the archive, which has exactly the committed files, makes the targets there, and reads a file with the result.
set -u
work=$1
shift
passed=0 failed=0
check() {
    if [ "$2" -eq 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "dist: $1"; fi
}
if ! git rev-parse -q --verify HEAD >/dev/null 2>&1; then
    echo "skipped: dist: not a git repository"
    echo "0 passed, 0 failed, 1 skipped"
    exit 0
fi
rm -rf "$work"
mkdir -p "$work/here" "$work/unpacked"
work=$(cd "$work" && pwd)
unset MAKEFLAGS MAKELEVEL MFLAGS BUILD

(umask 077 && make -s dist BUILD="$work/here") >"$work/log" 2>&1
check "making it" $?
(umask 002 && git clone -q --no-hardlinks . "$work/clone" && cd "$work/clone" && TZ=Asia/Tokyo LC_ALL=C make -s dist BUILD="$work/there") >>"$work/log" 2>&1
check "making it in a clone" $?
cmp "$work/here/dist/SHA256SUMS" "$work/there/dist/SHA256SUMS" && (cd "$work/here/dist" && sha256sum --status -c "$work/there/dist/SHA256SUMS") &&
    [ "$(grep -c . "$work/here/dist/SHA256SUMS")" -ge 2 ]
check "the same bytes" $?

# The joined files of the archive compile.
tar -xzf "$work"/here/dist/microtet-joined-*.tar.gz -C "$work"
gcc -O1 -w -c "$work"/microtet-joined-*/utet.c -o "$work/utet.o" && gcc -O1 -w -c "$work"/microtet-joined-*/zstd/utet_zstd.c -o "$work/zstd.o" &&
    nm "$work/utet.o" | grep -q ' T utet_open$' && [ -s "$(ls -d "$work"/microtet-joined-*)/LICENSE" ]
check "joined files" $?

(umask 077 && tar -xzf "$work"/here/dist/microtet-[0-9]*.tar.gz -C "$work/unpacked" --strip-components=1)
diff <(git -c core.quotePath=off ls-tree -r --name-only HEAD | LC_ALL=C sort) <(cd "$work/unpacked" && find . -type f -printf '%P\n' | LC_ALL=C sort)
check "the committed files" $?
make -s -C "$work/unpacked" "$@" SHARED="${SHARED:-/nowhere}" >>"$work/log" 2>&1
check "make $* in it (log: $work/log)" $?
digest=$("$work/unpacked/build/utet" read "$work/unpacked/test/golden/tet/B01_f32_zstd.tet" '#0' | sha256sum | cut -d' ' -f1)
grep -q "^dense 0 140 $digest" test/golden/golden.txt
check "a file read" $?
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
