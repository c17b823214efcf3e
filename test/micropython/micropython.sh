#!/bin/bash
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# micropython.sh WORK: builds MicroPython with the module utet for this machine and for an emulated Cortex-M3, and runs cases.py on both.
# It also checks that the lines of port/micropython/README.md give the values of the tool, that its figures are those of the run, and
# that the sources named in micropython.cmake compile. Ends with "N passed, N failed[, N skipped]".
set -u
work=$1 BUILD=$(cd "${BUILD:-build}" && pwd) tree=$PWD
page=port/micropython/README.md
unset MAKEFLAGS MAKELEVEL MFLAGS
mkdir -p "$work"
work=$(cd "$work" && pwd)
source=$BUILD/deps/micropython
passed=0 failed=0

# add COMMAND…: runs a part that ends with its own count, and adds that.
add() {
    local line
    "$@" 2>&1 | tee "$work/out"
    line=$(grep -E '^[0-9]+ passed, [0-9]+ failed$' "$work/out" | tail -n 1)
    [ -n "$line" ] || { echo "FAIL  no count: $*"; line="0 passed, 1 failed"; }
    passed=$((passed + ${line%% *}))
    line=${line#*, }
    failed=$((failed + ${line%% *}))
}
check() {
    local name=$1
    shift
    if "$@" >"$work/log" 2>&1; then passed=$((passed + 1)); echo "ok    $name"
    else failed=$((failed + 1)); echo "FAIL  $name"; tail -n 20 "$work/log"; fi
}

if ! src/tools/fetch.sh micropython; then
    echo "skipped: micropython: the source of MicroPython cannot be fetched here"
    echo "0 passed, 0 failed, 1 skipped"
    exit 0
fi

# Nothing frozen, and none of the libraries that Debian's source package lacks.
built() { make -s -C "$source/ports/$1" -j2 FROZEN_MANIFEST= USER_C_MODULES="$tree/port/micropython" BUILD="$work/$1" "${@:2}" >"$work/$1.log" 2>&1; }
built unix MICROPY_PY_BTREE=0 MICROPY_PY_SSL=0 MICROPY_PY_FFI=0 || { tail -n 20 "$work/unix.log"; echo "0 passed, 1 failed"; exit 1; }
# The port's own linker script has no section for the unwind tables of libgcc's 64-bit division.
sed 's/\*(\.rodata\*)/*(.rodata*) *(.ARM.exidx*)/' "$source/ports/qemu/mcu/arm/mps2.ld" >"$work/mps2.ld"
built qemu LDSCRIPT="$work/mps2.ld" MICROPY_HEAP_SIZE=524288 || { tail -n 20 "$work/qemu.log"; echo "0 passed, 1 failed"; exit 1; }

add "$work/unix/micropython" -X heapsize=32M test/micropython/cases.py test include/utet_io.h
add test/micropython/board.py "$work/qemu/firmware.elf" test include/utet_io.h
sed -n 's/.*memory beyond ram: //p' "$work/out" | tr -d "'" >"$work/memory"

# The example of the page, with a golden file instead of a card's file; it prints the mean, twelve values and an error.
example() {
    awk '/^```python/ { on = 1; next } /^```/ { on = 0 } on' "$page" >"$work/example.py"
    cp test/golden/demo/demo_planet.tet "$work/planet.tet"
    (cd "$work" && unix/micropython example.py) >"$work/example.txt" && cat "$work/example.txt" &&
        "$BUILD/utet" read test/golden/demo/demo_planet.tet temperature --codec upstream --slab 10:40:10,::32 --format csv | tr ',' '\n' | grep . |
        xargs printf '%.4f\n' >"$work/expected" && grep -E '^[0-9.]+$' "$work/example.txt" | diff "$work/expected" - &&
        grep -q "^\['temperature', 'elevation', 'station_log'\]$" "$work/example.txt" && grep -qE '^the workspace is too small: ram=([0-9]+) is enough -4 memory None \1$' "$work/example.txt"
}
check example example

# figures: the table of the page has the memory that the board measured; unused objects that the collector keeps may be
# a fifth of it.
figures() {
    python3 - "$page" "$work/memory" <<'END'
import re, sys
page, memory = open(sys.argv[1]).read(), dict(re.findall(r"(\w+): (\d+)", open(sys.argv[2]).read()))
stated = {name: value.replace(",", "") for name, value in re.findall(r"<!-- (\w+) -->([\d,]+)", page)}
print("stated", stated, "measured", memory)
sys.exit(len(memory) < 5 or stated.keys() != memory.keys() or any(abs(int(stated[n]) - int(memory[n])) > int(memory[n]) / 5 for n in memory))
END
}
check figures figures

# A CMake project uses the module as MicroPython's ports do, and compiles its sources with the headers that the build above has made.
cmake_sources() {
    mkdir -p "$work/cmake"
    cat >"$work/cmake/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.13)
project(module C)
set(USER_C_MODULES $tree/port/micropython)
include($source/py/usermod.cmake)
add_library(module OBJECT empty.c)
target_include_directories(module PRIVATE $source $source/ports/unix $source/ports/unix/variants/standard $work/unix)
target_link_libraries(module usermod)
END
    : >"$work/cmake/empty.c"
    cmake -S "$work/cmake" -B "$work/cmake/out" && cmake --build "$work/cmake/out" -j2 &&
        [ "$(find "$work/cmake/out" -name '*.o' | grep -cE '/(modutet|slab|zstd_decoder|fold)\.c\.o$')" -ge 3 ]
}
check cmake_sources cmake_sources

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
