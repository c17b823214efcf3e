#!/bin/sh
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# no_upstream.sh UTET LIBRARY: tests the tool and the library of `make ZSTD_UPSTREAM=no`. No symbol of libzstd is left,
# the built-in decoder decodes zstd, and the other codec is refused by name.
utet=$1 library=$2
file=test/golden/tet/B01_f32_zstd.tet
passed=0 failed=0
check() {
    if [ "$2" = "$3" ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "$1: $2, expected $3"; fi
}
check "symbols of the package" "$(nm "$library" 2>/dev/null | grep -cE ' (ZSTD|HUF|FSE|XXH)_')" 0
want=$(awk '$1 == "file" { here = $3 == "B01_f32_zstd.tet" } here && $1 == "dense" && $2 == 0 { print $4 }' test/golden/golden.txt)
check "read" "$("$utet" read "$file" '#0' | sha256sum | cut -d' ' -f1)" "$want"
check "read --codec small" "$("$utet" read "$file" '#0' --codec small | sha256sum | cut -d' ' -f1)" "$want"
check "--codec upstream" "$("$utet" read "$file" '#0' --codec upstream 2>&1 >/dev/null | grep -c 'built without libzstd')" 1
"$utet" read "$file" '#0' --codec upstream >/dev/null 2>&1
check "its exit status" $? 2
check "fit" "$("$utet" fit "$file" --ram 16K | grep -c 'datasets can be read')" 1
"$utet" verify "$file" --deep >/dev/null
check "verify --deep" $? 0
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
