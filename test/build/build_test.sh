#!/bin/bash
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# build_test.sh: the promises about building. Prints one line "ok", "FAIL" or "skipped:" for each; ends with "N passed, N failed,
# N skipped".
set -u
CC=${CC:-gcc} BUILD=${BUILD:-build}
work=$BUILD/test/build
ARDUINO=${ARDUINO:-/usr/share/arduino/hardware/arduino/avr}
unset MAKEFLAGS MAKELEVEL MFLAGS
passed=0 failed=0 skipped=0
rm -rf "$work"; mkdir -p "$work"

# check NAME COMMAND…: runs the command; its output is shown if it fails.
check() {
    local name=$1
    shift
    if "$@" >"$work/log" 2>&1; then passed=$((passed + 1)); echo "ok    $name"
    else failed=$((failed + 1)); echo "FAIL  $name"; sed 's/^/      /' "$work/log" | tail -n 20; fi
}

# check_with TOOL NAME COMMAND…: check, if the tool is installed.
check_with() {
    if command -v "$1" >/dev/null; then shift; check "$@"
    else skipped=$((skipped + 1)); echo "skipped: $2: there is no $1"; fi
}

# All sources: builds that take everything in src/ leave nothing out.
sources() { ls src/*/*.c src/*/*/*.c 2>/dev/null; }

base_names_are_unique() {
    local twice
    twice=$(ls src/*/*.c src/*/*/*.c port/*/*.c 2>/dev/null | xargs -n1 basename | sort | uniq -d)
    [ -z "$twice" ] || { echo "twice: $twice"; return 1; }
}

# As an IDE builds: each source by itself, one include folder, all objects in one folder; then the smallest reader of src/EXAMPLES.md.
objects_in_one_folder() {
    local f
    mkdir -p "$work/flat"
    for f in $(sources); do $CC -std=c99 -O0 -w -Iinclude -c "$f" -o "$work/flat/$(basename "$f" .c).o" || return 1; done
    [ "$(sources | wc -l)" -eq "$(ls "$work"/flat/*.o | wc -l)" ] || { echo "some objects have one name"; return 1; }
    awk '/^```/ { on = 0 } on; /^.. example: smallest/ { on = 1 }' src/EXAMPLES.md >"$work/smallest.c"
    [ -s "$work/smallest.c" ] || { echo "src/EXAMPLES.md has no such example"; return 1; }
    $CC -std=c99 -Iinclude "$work/smallest.c" "$work"/flat/*.o -o "$work/smallest" || return 1
    "$work/smallest" <test/golden/demo/demo_small.tet >/dev/null; [ $? -le 1 ]
}

# A library for pointers of 16 bits is built without a warning, and the omitted packages are named.
library_for_16_bits() {
    make -j2 BUILD="$work/avr" lib CROSS=avr- CFLAGS_CPU=-mmcu=atmega1284p WERROR=-Werror >"$work/made" 2>&1 || { cat "$work/made"; return 1; }
    grep -q 'without cbor lz4 tensogram tiledb' "$work/made" || { cat "$work/made"; return 1; }
    avr-nm "$work/avr/lib/avr/libutet.a" 2>/dev/null | grep -q ' T utet_fold_run$'
}

# What such a processor cannot have compiles to nothing, and its header reports it where it is used.
omitted_for_16_bits() {
    local header
    mkdir -p "$work/narrow"
    ls src/cbor/*.c src/lz4/*.c src/tensogram/*.c src/tiledb/*.c src/tet/codec/zstd_upstream.c |
        xargs -P2 -I{} sh -c 'avr-gcc -mmcu=atmega2560 -Os -Wall -Wextra -Wpedantic -Werror -Iinclude -c {} -o "$0/$(basename {} .c).o"' "$work/narrow" || return 1
    avr-nm "$work"/narrow/*.o 2>/dev/null | grep ' T ' && return 1
    for header in cbor lz4 tensogram tensogram_data tiledb; do
        echo "#include \"utet_$header.h\"" | avr-gcc -mmcu=atmega2560 -Iinclude -fsyntax-only -x c - 2>"$work/said" && return 1
        grep -q 'need 32-bit pointers' "$work/said" || { cat "$work/said"; return 1; }
    done
}

# There, texts are read from flash: 9.6 KB of messages and 1.1 KB of statuses take no RAM.
texts_stay_in_flash_of_16_bits() {
    avr-gcc -mmcu=atmega1284p -Os -Wall -Wextra -Werror -Iinclude -Wl,--gc-sections test/build/query_avr.c "$work/avr/lib/avr/libutet.a" -o "$work/query.elf" || return 1
    timeout 4 simavr -m atmega1284p -f 16000000 "$work/query.elf" </dev/null 2>&1 | sed -E 's/\x1b\[[0-9;]*m//g; s/\.$//' | head -n 3 >"$work/have"
    printf '%s\n' 'validation: unknown field `colour`' 'damaged metadata' 'an error of' | diff - "$work/have" || return 1
    avr-size "$work/query.elf" | awk 'NR == 2 { print; exit !($2 < 2560) }'
}

# Multiplication and addition are not fused, because a fused operation rounds once instead of twice: as the pages build (no -std),
# and with every option that makes compilers fuse. An instruction that does both would be found.
nothing_is_fused() {
    local flags
    sources | xargs grep -lE '\b(double|float)\b' >"$work/floating"
    for flags in "$CC -O3 -funroll-loops -ffp-contract=fast -march=haswell" "$CC -Os -march=haswell" \
        "arm-none-eabi-gcc -mcpu=cortex-m7 -mthumb -mfloat-abi=hard -mfpu=fpv5-d16 -Os" "arm-none-eabi-gcc -mcpu=cortex-m33 -mthumb -mfloat-abi=hard -mfpu=fpv5-sp-d16 -O2"; do
        case $flags in *haswell*) [ "$(uname -m)" = x86_64 ] || continue ;; esac
        xargs <"$work/floating" -P2 -I{} sh -c "$flags -w -Iinclude -S {} -o - | grep -Eq '\\b(vfn?m(add|sub)|vfn?m[as])' && echo {}" >"$work/fused"
        [ ! -s "$work/fused" ] || { echo "$flags:"; cat "$work/fused"; return 1; }
    done
    echo 'double f(double a, double b, double c) { return a * b + c; }' | arm-none-eabi-gcc -mcpu=cortex-m7 -mthumb -mfloat-abi=hard -mfpu=fpv5-d16 -Os -S -x c - -o - | grep -q vfma
}

# Warnings stop this project's tests, but not other people's builds.
warnings_stop_no_user() {
    local goal
    for goal in "all lib tool demo install shared size" "lib CROSS=/x/y-" "test CC=/x/gcc"; do
        # shellcheck disable=SC2086
        make -n V=1 BUILD="$work/none" $goal 2>/dev/null | grep 'src/base/window\.c' | grep -q -e -Werror && { echo "make $goal"; return 1; }
    done
    [ "$($CC -dumpversion | cut -d. -f1)" != 12 ] || make -n V=1 BUILD="$work/none" run-host 2>/dev/null | grep 'src/base/window\.c' | grep -q -e -Werror
}

# A library for a target has libzstd if that is requested, whatever was fetched before.
fetched_changes_no_target() {
    mkdir -p "$work/fetched/deps/zstd157"; touch "$work/fetched/deps/zstd157/zstd.c" "$work/fetched/deps/zstd157/zstd.h"
    make -n BUILD="$work/fetched" lib CROSS=/x/y- 2>&1 | grep -q zstd_adapter && return 1
    make -n BUILD="$work/fetched" lib CROSS=/x/y- | grep -q 'ZSTD_UPSTREAM=yes' || return 1
    make -n BUILD="$work/fetched" lib CROSS=/x/y- ZSTD_UPSTREAM=yes | grep -q zstd_adapter || return 1
    make -n BUILD="$work/fetched" lib | grep -q zstd_adapter
}

# Exactly the declarations of the headers in include/ are exported.
only_public_symbols_are_exported() {
    nm -D --defined-only "$BUILD/libutet.so" | awk '{ print $3 }' | sort -u >"$work/exported"
    [ -s "$work/exported" ] || { echo "nothing is exported"; return 1; }
    cat include/*.h | grep -oE '\butet_[a-z0-9_]+' | sort -u >"$work/declared"
    comm -23 "$work/exported" "$work/declared" >"$work/hidden"
    [ ! -s "$work/hidden" ] || { echo "exported, but in no header:"; cat "$work/hidden"; return 1; }
    nm -g --defined-only "$BUILD/libutet.a" | awk 'NF == 3 { print $3 }' | sort -u >"$work/defined"
    sed 's|/\*.*||; /^ \*/d' include/*.h | grep -oE '\butet_[a-z0-9_]+(\(|;)' | tr -d '(;' | sort -u | comm -12 - "$work/defined" |
        comm -23 - "$work/exported" >"$work/missing"
    [ ! -s "$work/missing" ] || { echo "in a header, but not exported:"; cat "$work/missing"; return 1; }
    grep -qx utet_open "$work/exported"
}

# Goals that only build run no installer and fetch nothing, with any variables.
nothing_is_installed() {
    local goal
    for goal in all lib tool "install PREFIX=/nowhere" "lib CROSS=some-chip-gcc-" "lib CROSS=/opt/arm/bin/arm-none-eabi-"; do
        # shellcheck disable=SC2086
        make -n BUILD="$work/none" $goal >"$work/plan" 2>&1
        if grep -qE 'setup\.sh|fetch\.sh|apt-get|\bpip3?\b' "$work/plan"; then echo "make $goal:"; grep -E 'setup\.sh|fetch\.sh|apt-get|\bpip3?\b' "$work/plan"; return 1; fi
        grep -q 'src/base/window.c' "$work/plan" || { echo "make $goal builds nothing"; cat "$work/plan"; return 1; }
    done
}

what_is_left_out_is_said() { make -n BUILD="$work/none" lib 2>&1 | grep -q 'make setup'; }

# CC, CFLAGS, CFLAGS_CPU and OPT reach the compiler.
flags_are_honoured() {
    make -n BUILD="$work/none" V=1 lib CC=mycc CFLAGS=-fPIC OPT=-O3 | grep 'window.c' | grep -q 'mycc .*-O3 -fPIC' || return 1
    make -n BUILD="$work/none" V=1 lib CROSS=/x/y- CFLAGS_CPU=-mcpu=z | grep 'window.c' | grep -q '/x/y-gcc .*-mcpu=z'
}

# The library in build/ can become part of another project's shared library, such as a module of Python: no code has to be patched when it is
# loaded.
library_is_position_independent() {
    $CC -shared -Wl,-z,text -Wl,--whole-archive "$BUILD/libutet.a" -Wl,--no-whole-archive -o "$work/module.so" || return 1
    nm -D --defined-only "$work/module.so" | grep -q ' utet_open$'
}

# make install and make uninstall, with tool and libraries as they are (-o), because other suites run them meanwhile.
as_built() { make -o "$BUILD/utet" -o "$BUILD/libutet.a" -o "$BUILD/libutet.so" BUILD="$BUILD" "$@"; }

# A program finds headers, libraries and a port where `make install` put them, and starts with the static and with the shared library.
# Afterwards nothing is left of them, also in folders with other names.
what_is_installed_is_enough() {
    local root=$work/root before made libdir how
    before=$(stat -c %Y.%i "$BUILD/utet" "$BUILD/libutet.a" "$BUILD/libutet.so" "$BUILD/lib/host/flags")
    awk '/^```/ { on = 0 } on; /^.. example: slab/ { on = 1 }' README.md >"$work/slab.c"
    [ -s "$work/slab.c" ] || { echo "no such example in README.md"; return 1; }
    for libdir in lib lib/some-machine; do
        made=(PREFIX=/opt/tet LIBDIR=/opt/tet/$libdir DESTDIR="$root")
        as_built "${made[@]}" install || return 1
        [ "$before" = "$(stat -c %Y.%i "$BUILD/utet" "$BUILD/libutet.a" "$BUILD/libutet.so" "$BUILD/lib/host/flags")" ] || { echo "built anew"; return 1; }
        flags() { PKG_CONFIG_PATH="$root/opt/tet/$libdir/pkgconfig" pkg-config --define-variable=prefix="$root/opt/tet" "$@" utet; }
        for how in shared static; do
            # shellcheck disable=SC2046
            $CC $(flags --cflags) -I"$(flags --variable=ports)/posix" "$work/slab.c" "$(flags --variable=ports)/posix/utet_posix.c" \
                $(if [ $how = shared ]; then flags --libs; else echo "$root/opt/tet/$libdir/libutet.a"; fi) -o "$work/slab" || return 1
            [ "$(readelf -d "$work/slab" | grep -c 'NEEDED.*libutet\.so\.[0-9]*\.[0-9]*\]')" = $([ $how = shared ] && echo 1 || echo 0) ] || { readelf -d "$work/slab"; return 1; }
            LD_LIBRARY_PATH=$root/opt/tet/$libdir "$work/slab" test/golden/demo/demo_planet.tet | grep -q 'of 8192 bytes used' || return 1
        done
        [ "$("$root/opt/tet/bin/utet" --version | head -n 1)" = "$("$BUILD/utet" --version | head -n 1)" ] || return 1
        head -n 1 "$root/opt/tet/share/man/man1/utet.1" | grep -q '^\.TH' || return 1
        [ -s "$root/opt/tet/share/man/man3/utet_open.3" ] && [ -s "$root/opt/tet/share/man/man3/utet.h.3" ] || { echo "no manual pages of the calls"; return 1; }
        grep -q '^complete .*utet$' "$root/opt/tet/share/bash-completion/completions/utet" || return 1
        head -n 1 "$root/opt/tet/share/zsh/site-functions/_utet" | grep -q '^#compdef utet$' || return 1
        grep -q '^complete -c utet' "$root/opt/tet/share/fish/vendor_completions.d/utet.fish" || return 1
        as_built "${made[@]}" uninstall || return 1
        [ -z "$(find "$root" ! -type d -o -name '*utet*')" ] || { find "$root"; return 1; }
    done
}

# install(1) and ar(1) as on other systems: an option that only GNU's versions have is an error.
tools_of_other_systems_are_enough() {
    local tool bin=$work/bin made=(PREFIX=/opt/utet DESTDIR="$work/elsewhere")
    mkdir -p "$bin" "$work/elsewhere"
    printf '%s\n' '#!/bin/bash' 'for word in "$@"; do case $word in -d | -m) ;; -*) echo "install: illegal option $word" >&2; exit 64 ;; esac; done' \
        "exec $(command -v install) \"\$@\"" >"$bin/install"
    printf '%s\n' '#!/bin/bash' 'case $1 in *D*) echo "ar: illegal option -- D" >&2; exit 1 ;; esac' "exec $(command -v ar) \"\$@\"" >"$bin/ar"
    chmod +x "$bin"/*
    for tool in "install -D -m 644 Makefile $work/x" "install -t $work Makefile" "ar Drcs $work/x.a Makefile"; do
        # shellcheck disable=SC2086
        PATH=$bin:$PATH $tool 2>/dev/null && { echo "$tool is not refused"; return 1; }
    done
    PATH=$bin:$PATH as_built "${made[@]}" install || return 1
    [ "$(cat "$work/elsewhere/opt/utet/include/utet.h")" = "$(cat include/utet.h)" ] || return 1
    PATH=$bin:$PATH make BUILD="$work/elsewhere" lib-lz4 && nm "$work/elsewhere/libutet-lz4.a" | grep -q ' [A-Z] utet_codec_lz4'
}

# The lines of port/INTEGRATE.md for make, extracted from the page, build the smallest reader for Cortex-M0+, where less than
# the complete library is linked. ecosystems.sh has those for CMake.
example() { awk -v name="/* example: $1 */" '/^```/ { on = 0 } on; $0 == name { on = 1 }' README.md src/EXAMPLES.md; }
page_file() { awk -v name="# file: $1" '/^```/ { on = 0 } on; $0 == name { on = 1 }' port/INTEGRATE.md; }
# page_folder FOLDER EXAMPLE: the page's files, the tree next to them, and the example as app.c.
page_folder() {
    mkdir -p "$1"; ln -s "$PWD" "$1/microtet"
    page_file Makefile >"$1/Makefile"
    [ -s "$1/Makefile" ] || { echo "no Makefile in port/INTEGRATE.md"; return 1; }
    example "$2" >"$1/app.c"
}
# Flash of the raw reader with stdio; the complete library would be over 80 KB.
links_what_it_uses() { arm-none-eabi-size "$1" | awk 'NR == 2 { print; exit !($1 > 4000 && $1 < 32768) }'; }

lines_for_make_build() {
    page_folder "$work/page_make" smallest || return 1
    make -j2 -C "$work/page_make" app && links_what_it_uses "$work/page_make/app"
}

# The two joined files: no compiler here prints a warning, and only what the program calls is linked.
two_files_build() {
    local cc flags="-Os -Wall -Wextra -Wpedantic -Wshadow -Werror" std at=$work/joined/amalgamation
    make BUILD="$work/joined" amalgamation || return 1
    example smallest >"$work/joined/app.c"
    for cc in "$CC" clang "arm-none-eabi-gcc -mcpu=cortex-m0plus -mthumb"; do
        command -v "${cc%% *}" || continue
        # shellcheck disable=SC2086
        $cc -std=c99 $flags -c "$at/utet.c" -o "$work/joined/utet.o" && $cc -std=c99 $flags -c "$at/zstd/utet_zstd.c" -o "$work/joined/zstd.o" || return 1
        for std in c11 c2x; do
            # shellcheck disable=SC2086
            $cc -std=$std $flags -fsyntax-only "$at/utet.c" "$at/zstd/utet_zstd.c" || return 1
        done
    done
    arm-none-eabi-gcc -mcpu=cortex-m0plus -mthumb -Os -ffunction-sections -fdata-sections --specs=nano.specs --specs=nosys.specs -Wl,--gc-sections \
        -I"$at" "$work/joined/app.c" "$at/utet.c" -o "$work/joined/app" || return 1
    arm-none-eabi-size "$work/joined/app" | awk 'NR == 2 { print; exit !($1 > 4000 && $1 < 16384) }'
}

# The page's sketch with the two files, as C++; the numbers are those of the README's example. arduino.h has Arduino's functions.
lines_for_arduino_run() {
    local at=$work/joined/amalgamation std
    awk '/^```/ { on = 0 } on; $0 == "// file: sketch.ino" { on = 1 }' port/INTEGRATE.md | sed 's|<SD.h>|"arduino.h"|' >"$work/joined/sketch.cpp"
    example slab >"$work/joined/slab.c"
    $CC -Iinclude -Iport/posix "$work/joined/slab.c" port/posix/utet_posix.c "$BUILD/libutet.a" -o "$work/joined/slab" || return 1
    $CC -Os -c "$at/utet.c" -o "$work/joined/utet.o" || return 1
    for std in c++11 c++17 c++20; do
        "${CXX:-g++}" -std=$std -Wall -Wextra -Wpedantic -Werror -I"$at" -Itest/build "$work/joined/sketch.cpp" "$work/joined/utet.o" -o "$work/joined/sketch" || return 1
        "$work/joined/sketch" test/golden/demo/demo_planet.tet >"$work/joined/have" || return 1
        "$work/joined/slab" test/golden/demo/demo_planet.tet | grep -v bytes | tr -s ' ' '\n' | grep . >"$work/joined/want"
        [ "$(wc -l <"$work/joined/want")" -eq 12 ] && diff "$work/joined/want" "$work/joined/have" || return 1
        "$work/joined/sketch" test/golden/MISSING.tet | grep -q 'no card, or no file' || return 1
    done
}

# The page's sketch for a Mega, as Arduino's IDE builds it, on an emulated ATmega2560. A printed text stays in flash.
lines_for_mega_run() {
    local core=$ARDUINO/cores/arduino at=$work/joined/amalgamation mega=$work/mega f flags
    mkdir -p "$mega/o"; ln -s "$PWD" "$mega/microtet"
    awk '/^```/ { on = 0 } on; $0 == "# file: tiny.sh" { on = 1 }' port/INTEGRATE.md >"$mega/tiny.sh"
    { echo '#include <Arduino.h>'; awk '/^```/ { on = 0 } on; $0 == "// file: mega.ino" { on = 1 }' port/INTEGRATE.md; } >"$mega/mega.cpp"
    (cd "$mega" && sh tiny.sh) || return 1
    flags="-mmcu=atmega2560 -DF_CPU=16000000L -DARDUINO=10819 -DARDUINO_AVR_MEGA2560 -DARDUINO_ARCH_AVR -DDECIMAL_DIG=17 -Os -w -ffunction-sections -fdata-sections"
    flags="$flags -flto -fno-fat-lto-objects -I$core -I$ARDUINO/variants/mega -I$at -I$mega"
    # shellcheck disable=SC2086
    for f in "$core"/*.c "$core"/*.cpp "$at/utet.c" "$mega/mega.cpp"; do
        case $f in
        *.c) avr-gcc $flags -std=gnu11 -c "$f" -o "$mega/o/$(basename "$f").o" ;;
        *)   avr-g++ $flags -std=gnu++11 -fpermissive -fno-exceptions -fno-threadsafe-statics -c "$f" -o "$mega/o/$(basename "$f").o" ;;
        esac || return 1
    done
    avr-gcc -mmcu=atmega2560 -Os -w -flto -fuse-linker-plugin -Wl,--gc-sections "$mega"/o/*.o -lm -o "$mega/mega.elf" || return 1
    timeout 4 simavr -m atmega2560 -f 16000000 "$mega/mega.elf" </dev/null 2>&1 | tr -d '\r' | sed -E 's/\x1b\[[0-9;]*m//g; s/\.+$//' | head -n 9 >"$mega/have"
    (echo "no error"; "$BUILD/utet" read test/golden/demo/demo_tiny.tet --slab 10,::16 --format csv | tr ',' '\n'; echo) | grep . >"$mega/want"
    [ "$(wc -l <"$mega/want")" -eq 9 ] && diff "$mega/want" "$mega/have" || return 1
    grep -q "prints .no error. and $(tail -n 8 "$mega/want" | paste -sd' ')\." port/INTEGRATE.md || { echo "the page says other numbers"; return 1; }
    avr-size "$mega/mega.elf" | awk 'NR == 2 { print; exit !($2 < 200 && $2 + $3 < 2300) }'
}

check base_names_are_unique base_names_are_unique
check objects_in_one_folder objects_in_one_folder
check_with avr-gcc library_for_16_bits library_for_16_bits
check_with avr-gcc omitted_for_16_bits omitted_for_16_bits
check_with simavr texts_stay_in_flash_of_16_bits texts_stay_in_flash_of_16_bits
check nothing_is_fused nothing_is_fused
check warnings_stop_no_user warnings_stop_no_user
check fetched_changes_no_target fetched_changes_no_target
check only_public_symbols_are_exported only_public_symbols_are_exported
check nothing_is_installed nothing_is_installed
check what_is_left_out_is_said what_is_left_out_is_said
check flags_are_honoured flags_are_honoured
check library_is_position_independent library_is_position_independent
check what_is_installed_is_enough what_is_installed_is_enough
check tools_of_other_systems_are_enough tools_of_other_systems_are_enough
check lines_for_make_build lines_for_make_build
check two_files_build two_files_build
check lines_for_arduino_run lines_for_arduino_run
if [ -d "$ARDUINO/cores/arduino" ]; then check_with simavr lines_for_mega_run lines_for_mega_run
else skipped=$((skipped + 1)); echo "skipped: lines_for_mega_run: there is no arduino-core-avr"; fi
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
