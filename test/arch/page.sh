#!/bin/bash
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# page.sh FOLDER COMPILER CORE: makes FOLDER/libutet.a with the lines of port/INTEGRATE.md's Makefile, word for word except for
# the compiler and the flags that name the core. They choose no -std, so GCC may fuse multiplications and additions.
set -euo pipefail
out=$1 cc=$2 core=$3
unset MAKEFLAGS MAKELEVEL MFLAGS
rm -rf "$out"
mkdir -p "$out"
ln -s "$PWD" "$out/microtet"
: >"$out/app.c"
awk '/^```/ { on = 0 } on; $0 == "# file: Makefile" { on = 1 }' port/INTEGRATE.md >"$out/page"
grep -q '^CC = arm-none-eabi-gcc$' "$out/page" && grep -q '^CFLAGS = -mcpu=cortex-m0plus -mthumb -Os ' "$out/page" ||
    { echo "page.sh: the Makefile of port/INTEGRATE.md has other lines now" >&2; exit 1; }
sed "s/^CC = .*/CC = $cc/; s/^CFLAGS = -mcpu=cortex-m0plus -mthumb/CFLAGS = $core/" "$out/page" >"$out/Makefile"
printf '%s\n' 'include Makefile' 'library: libutet.a' 'libutet.a: $(OBJECTS)' '	$(CC:gcc=ar) Drcs $@ $(filter-out app.o,$^)' >"$out/library.mk"
make -s -j2 -C "$out" -f library.mk library
rm "$out/microtet"
