#!/bin/bash
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# ecosystems.sh WORK NAME…: a user's own project for each ecosystem, built from the release archive and run. The projects are the folders
# next to this script. Their build files are the lines that the pages show; their program is an example of README.md or src/EXAMPLES.md.
# The output is compared with the bytes of the file, or with what the tool reads through libzstd. Ends with "N passed, N failed[, N skipped]".
set -u
work=$1
shift
BUILD=$(cd "${BUILD:-build}" && pwd) CC=${CC:-gcc}
here=$PWD/test/packages passed=0 failed=0 skipped=0
unset MAKEFLAGS MAKELEVEL MFLAGS DESTDIR
export CC

check() {
    local name=$1
    shift
    if "$@" >"$work/log" 2>&1; then passed=$((passed + 1)); echo "ok    $name"
    else failed=$((failed + 1)); echo "FAIL  $name"; tail -n 20 "$work/log" | sed 's/^/      /'; fi
}

example() { awk -v name="/* example: $1 */" '/^```/ { on = 0 } on; $0 == name { on = 1 }' README.md src/EXAMPLES.md; }
# in_page PAGE FILE…: the page shows the lines of each file, in one piece.
in_page() {
    python3 -c '
import sys
page = open(sys.argv[1]).read()
for path in sys.argv[2:]:
    lines = "".join(line for line in open(path) if "SPDX-" not in line)
    sys.exit(f"{sys.argv[1]} does not show {path}") if "\n" + lines not in page and "\n    " + lines.replace("\n", "\n    ").rstrip(" ") not in page else None
' "$@"
}

demo=$PWD/test/golden/demo
# The three rows of README.md's slab example, as the tool reads them with libzstd; the first 16 bytes of a raw payload.
slab_values() { "$BUILD/utet" read "$demo/demo_planet.tet" temperature --codec upstream --slab 10:40:10,::32 --format csv | tr ',' '\n' | grep . | xargs printf '%.4f\n'; }
raw_bytes() { python3 -c '
import struct, sys
data = open(sys.argv[1], "rb").read()
row = struct.unpack_from("<Q", data, 16)[0] + 32
payload = struct.unpack_from("<Q", data, row + 72)[0]
print(*("%02x" % byte for byte in data[payload:payload + 16]), sep="\n")' "$demo/demo_tiny.tet"; }
# reads_slab COMMAND…, reads_raw COMMAND…: the program prints the right values.
reads_slab() { [ "$(slab_values | wc -l)" -eq 12 ] && diff <(slab_values) <("$@" "$demo/demo_planet.tet" | grep -v 'bytes used' | tr -s ' ' '\n' | grep .); }
reads_raw() { diff <(raw_bytes) <("$@" <"$demo/demo_tiny.tet" | tr -s ' ' '\n' | grep .); }
sorted_slab() { diff <(slab_values | sort) <("$@" <"$demo/demo_planet.tet" | sort); }

# project NAME [EXAMPLE]: a folder with the files of test/packages/NAME, the unpacked archive in microtet/, and the program app.c.
project() {
    at=$work/$1
    rm -rf "$at"
    mkdir -p "$at"
    cp -r "$here/${1%%_*}/." "$at"
    ln -s "$work/microtet" "$at/microtet"
    [ $# -lt 2 ] || example "$2" >"$at/app.c"
}
# installed: the archive's library under WORK/installed, from make install.
installed() {
    [ -e "$work/installed/include/utet.h" ] || make -C "$work/microtet" -s -j2 OPT=-O1 ZSTD_UPSTREAM=no PREFIX="$work/installed" install
}
with_pc() { PKG_CONFIG_PATH=$work/installed/lib/pkgconfig LD_LIBRARY_PATH=$work/installed/lib "$@"; }

# ---- CMake ----

cmake_subdirectory() {
    project cmake slab
    in_page port/INTEGRATE.md "$here/cmake/CMakeLists.txt" || return 1
    cmake -S "$at" -B "$at/out" && cmake --build "$at/out" -j2 && reads_slab "$at/out/app" || return 1
    [ ! -e "$at/out/microtet/port/cmake/libutet-fold.a" ] || { echo "more is built than what is linked"; return 1; }
}
cmake_fetch() {
    project cmake_fetch slab
    in_page port/INTEGRATE.md "$here/cmake/fetch.cmake" || return 1
    sed -i '/add_subdirectory/ { r '"$here/cmake/fetch.cmake"'
        d }' "$at/CMakeLists.txt"
    rm "$at/microtet"
    cmake -S "$at" -B "$at/out" -DARCHIVE="$archive" -DSHA256="$(sha256sum "$archive" | cut -d' ' -f1)" && cmake --build "$at/out" -j2 && reads_slab "$at/out/app"
}
# The package that `make install` has installed; a component or version that does not exist is refused.
cmake_package() {
    local line
    project cmake_package slab
    installed || return 1
    rm "$at/microtet"
    line='find_package(utet 0.9 REQUIRED COMPONENTS tet posix)'
    grep -qF "$line" port/INTEGRATE.md || { echo "port/INTEGRATE.md does not have $line"; return 1; }
    sed -i "s/^add_subdirectory.*/$line/" "$at/CMakeLists.txt"
    cmake -S "$at" -B "$at/out" -DCMAKE_PREFIX_PATH="$work/installed" && cmake --build "$at/out" && reads_slab "$at/out/app" || return 1
    cmake -S "$at" -B "$at/shared" -DCMAKE_PREFIX_PATH="$work/installed" -DBUILD_SHARED_LIBS=ON && cmake --build "$at/shared" && reads_slab "$at/shared/app" || return 1
    readelf -d "$at/shared/app" | grep -q 'NEEDED.*libutet\.so' || return 1
    for line in 's/utet 0.9/utet 0.8/' 's/utet 0.9/utet 0.10/' 's/utet 0.9/utet 1/' 's/COMPONENTS tet/COMPONENTS not_there/'; do
        mkdir -p "$at/refused"; cp "$at/app.c" "$at/refused"
        sed "$line" "$at/CMakeLists.txt" >"$at/refused/CMakeLists.txt"
        cmake -S "$at/refused" -B "$at/refused/out" -DCMAKE_PREFIX_PATH="$work/installed" && { echo "not refused: $line"; return 1; }
    done
    return 0
}
# `cmake --install`, with fewer than all packages.
cmake_install() {
    project cmake_install slab
    cmake -S "$work/microtet" -B "$at/build" -DUTET_PACKAGES="tet;fold" -DCMAKE_INSTALL_PREFIX="$at/installed" && cmake --build "$at/build" -j2 && cmake --install "$at/build" || return 1
    sed -i 's/^add_subdirectory.*/find_package(utet 0.9 REQUIRED COMPONENTS tet posix)/' "$at/CMakeLists.txt"
    cmake -S "$at" -B "$at/out" -DCMAKE_PREFIX_PATH="$at/installed" && cmake --build "$at/out" && reads_slab "$at/out/app" || return 1
    sed -i 's/COMPONENTS tet/COMPONENTS query/' "$at/CMakeLists.txt"
    cmake -S "$at" -B "$at/out2" -DCMAKE_PREFIX_PATH="$at/installed" && { echo "query is not installed, and is found"; return 1; }
    return 0
}
emulated() { timeout 60 qemu-system-arm -M mps2-an386 -nographic -monitor none -serial none -semihosting -kernel "$1" 2>&1; }
# Each preset configures; the program for a Cortex-M4 runs on an emulated one, with newlib's semihosting for its files.
cmake_arm() {
    local preset
    project cmake_arm smallest
    for preset in cortex-m0plus cortex-m3 cortex-m4 cortex-m4f; do
        (cd "$work/microtet/port/cmake" && cmake --preset $preset) || return 1
    done
    (cd "$work/microtet/port/cmake" && cmake --build --preset cortex-m4 --target utet_lz4) || return 1
    # Its standard input is the file, because input that semihosting reads from a console has no end.
    sed -i 's|stdin)|fopen("demo_tiny.tet", "rb"))|' "$at/app.c"
    sed -i 's/ utet::posix//; s/app\.c/app.c vectors.c/' "$at/CMakeLists.txt"
    cmake -S "$at" -B "$at/out" -DCMAKE_TOOLCHAIN_FILE="$at/microtet/port/cmake/arm-none-eabi.cmake" -DUTET_CPU="-mcpu=cortex-m4 -mthumb" \
        -DUTET_SPECS="--specs=rdimon.specs -Wl,--section-start=.vectors=0 -Wl,-u,vectors" && cmake --build "$at/out" -j2 || return 1
    arm-none-eabi-size "$at/out/app" | awk 'NR == 2 { print; exit !($1 > 4000 && $1 < 40000) }' || return 1
    (cd "$demo" && reads_raw emulated "$at/out/app")
}

# ---- Meson ----

meson_subproject() {
    project meson smallest
    in_page port/INTEGRATE.md "$here/meson/meson.build" || return 1
    mkdir "$at/subprojects"; mv "$at/microtet" "$at/subprojects"
    (cd "$at" && meson setup out && ninja -C out) && reads_raw "$at/out/app"
}
meson_system() {
    project meson_system smallest
    installed || return 1
    rm "$at/microtet"
    (cd "$at" && with_pc meson setup out && ninja -C out) && reads_raw with_pc "$at/out/app"
}
meson_install() {
    project meson_install smallest
    (cd "$at" && meson setup build microtet --prefix="$at/installed" --libdir=lib && ninja -C build install) || return 1
    rm "$at/microtet"
    (cd "$at" && PKG_CONFIG_PATH=$at/installed/lib/pkgconfig meson setup out && ninja -C out) && reads_raw env LD_LIBRARY_PATH="$at/installed/lib" "$at/out/app"
}

# ---- pkg-config ----

pkgconfig_installed() {
    project pkgconfig slab
    installed || return 1
    rm "$at/microtet"
    in_page port/INTEGRATE.md "$here/pkgconfig/build.sh" || return 1
    (cd "$at" && with_pc sh -e build.sh) && reads_slab with_pc "$at/app"
}

# ---- Conan ----

conan_created() {
    project conan slab
    in_page port/INTEGRATE.md "$here/conan/build.sh" || return 1
    mkdir -p "$work/bin"
    printf '%s\n' '#!/bin/sh' "CONAN_HOME=$work/conan_home PYTHONPATH=$BUILD/deps/conan PYTHONDONTWRITEBYTECODE=1 exec python3 $BUILD/deps/conan/bin/conan \"\$@\"" >"$work/bin/conan"
    chmod +x "$work/bin/conan"
    PATH=$work/bin:$PATH
    conan profile detect && conan remote disable '*' || return 1 # no network
    (cd "$at" && sh -e build.sh) && reads_slab "$at/out/app"
}

# ---- C++ ----

cpp_program() {
    local cxx
    project cpp
    installed || return 1
    in_page port/INTEGRATE.md "$here/cpp/build.sh" || return 1
    in_page port/INTEGRATE.md "$here/cpp/app.cpp" || return 1
    (cd "$at" && with_pc sh -e build.sh) && with_pc sorted_slab "$at/app" || return 1
    for cxx in "g++ -std=c++17" "g++ -std=c++20" "clang++ -std=c++17"; do
        command -v "${cxx%% *}" || continue
        $cxx -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Werror -fno-exceptions -fno-rtti -I"$work/installed/include" "$at/app.cpp" \
            "$here/cpp/calls.cpp" -fsyntax-only || return 1
    done
}
# Calls that the program does not use, with a port of the user's, on a file of several datasets.
cpp_calls() {
    installed || return 1
    g++ -std=c++17 -fno-exceptions -fno-rtti -I"$work/installed/include" "$here/cpp/calls.cpp" "$work/installed/lib/libutet.a" -o "$work/calls" || return 1
    "$work/calls" "$demo/demo_planet.tet" >"$work/calls.txt" || return 1
    diff <("$BUILD/utet" info --json "$demo/demo_planet.tet" | python3 -c 'import json, sys
for each in json.load(sys.stdin)["datasets"]: print(each["name"], *each["shape"])') "$work/calls.txt"
}
# The same program in both languages: C++ takes no more flash, and links nothing of its own.
cpp_flash() {
    local cpu flags
    for cpu in "-mcpu=cortex-m4 -mfloat-abi=soft" "-mcpu=cortex-m0plus"; do
        flags="$cpu -mthumb -Os -ffunction-sections -fdata-sections -I$work/microtet/include"
        # shellcheck disable=SC2086
        arm-none-eabi-gcc -std=c99 $flags -c "$here/cpp/flash.c" -o "$work/c.o" && arm-none-eabi-g++ -std=c++17 -fno-exceptions -fno-rtti $flags -c "$here/cpp/flash.cpp" -o "$work/cpp.o" || return 1
        arm-none-eabi-size "$work/c.o" "$work/cpp.o" | tee "$work/sizes"
        awk 'NR > 1 { text[NR] = $1; data[NR] = $2; bss[NR] = $3 } END { exit !(text[2] > 200 && text[3] <= text[2] && data[3] == data[2] && bss[3] == bss[2]) }' "$work/sizes" || return 1
        awk -v cpu="${cpu#-mcpu=}" 'NR == 2 { c = $1 } NR == 3 { print "figure: " cpu ": " $1 " bytes of flash in C++, " c " in C" }' "$work/sizes" >>"$work/figures"
        diff <(arm-none-eabi-nm -u "$work/c.o") <(arm-none-eabi-nm -u "$work/cpp.o") || return 1
    done
}

# ---- Arduino ----

arduino=${ARDUINO:-/usr/share/arduino/hardware/arduino/avr}
# The library as the IDE installs it: the archive's folder among the libraries.
arduino_library() {
    [ ! -e "$work/libraries" ] || return 0
    make -s dist-arduino BUILD="$work/made" && mkdir "$work/libraries" && unzip -q "$work"/made/dist/microtet-arduino-*.zip -d "$work/libraries" || return 1
    [ "$(ls "$work/libraries")" = microtet ]
}
arduino_examples="CardRow FlashRow Picture" arduino_folders="." arduino_least=150
# arduino_compile FOLDER C-COMMAND C++-COMMAND AR FILE…: an archive of the library, and FOLDER/NAME.o of each file.
arduino_compile() {
    local to=$1 c=$2 cpp=$3 ar=$4 file
    shift 4
    mkdir -p "$to/library"
    # shellcheck disable=SC2086
    (cd "$work/libraries/microtet/src" && find $arduino_folders -name '*.c' | sed 's|^\./||') >"$to/sources"
    [ "$(wc -l <"$to/sources")" -gt "$arduino_least" ] || return 1
    # shellcheck disable=SC2016
    (cd "$work/libraries/microtet/src" && xargs -P 2 -I FILE sh -c "$c -c FILE -o $to/library/"'$(echo FILE | tr / _).o' <"$to/sources") || return 1
    rm -f "$to/library.a" && $ar rcs "$to/library.a" "$to"/library/*.o || return 1
    for file in "$@"; do
        case $file in
        *.c) $c -c "$file" -o "$to/$(basename "$file").o" ;;
        *)   $cpp -c "$file" -o "$to/$(basename "$file").o" ;;
        esac || return 1
    done
}
# The row that the examples read, as the tool reads it.
row() { "$BUILD/utet" read "$demo/demo_tiny.tet" --slab 10,::16 --format csv | tr ',' '\n'; }
# reads_row PAGE COMMAND…: the program prints the row, and the page shows it.
reads_row() {
    local page=$1
    shift
    [ "$(row | wc -l)" -eq 8 ] && grep -qF "$(row | tr '\n' ' ' | sed 's/ $//')" "$page" || { echo "$page does not show the row"; return 1; }
    diff <(echo "no error"; row) <("$@" 2>&1 | tr -d '\r' | grep -A 8 '^no error$')
}
# The output of an example for Arduino.
arduino_prints() {
    case $1 in
    Picture) "$BUILD/utet" read "$demo/demo_tiny.tet" --slab ::4,::2 --format csv | python3 -c '
import sys
for line in sys.stdin: print("".join(" ,:-=+*#%@"[int(value) * 10 // 256] for value in line.split(",")))' && echo "no error" ;;
    *) echo "no error"; row ;;
    esac
}
# The program never ends on an emulated ATmega2560: it runs until it has printed that many lines.
on_mega() {
    local lines=$2 pid i
    : >"$1.out"
    simavr -m atmega2560 -f 16000000 "$1" </dev/null >>"$1.out" 2>&1 &
    pid=$!
    for ((i = 0; i < 300; i++)); do
        [ "$(wc -l <"$1.out")" -lt "$lines" ] || break
        sleep 0.1
    done
    kill $pid
    wait $pid 2>/dev/null
    tr -d '\r' <"$1.out" | sed -E 's/\x1b\[[0-9;]*m//g; s/\.+$//' | head -n "$lines"
}
# Arduino's own builder, which the IDE starts, finds and compiles the library. All sketches are in one folder, so that it compiles it once.
arduino_mega() {
    local at=$work/mega name lines size wrong=0
    arduino_library || return 1
    mkdir -p "$at/out" "$work/libraries/SD" && cp "$here/arduino/SD.h" "$work/libraries/microtet/examples/FlashRow/tiny.h" "$work/libraries/SD" || return 1
    rm -f "$work"/libraries/microtet/examples/*/*.cpp
    for name in $arduino_examples; do
        rm -rf "$at/sketch" && cp -r "$work/libraries/microtet/examples/$name" "$at/sketch" && mv "$at/sketch/$name.ino" "$at/sketch/sketch.ino" || return 1
        # DECIMAL_DIG: the core's WString.cpp with the avr-gcc of Debian 12.
        arduino-builder -compile -hardware /usr/share/arduino-builder -hardware "${arduino%/*/*}" -tools /usr/share/arduino-builder -libraries "$work/libraries" \
            -fqbn arduino:avr:mega:cpu=atmega2560 -ide-version 10819 -prefs build.extra_flags=-DDECIMAL_DIG=17 -build-path "$at/out" "$at/sketch/sketch.ino" || return 1
        [ "$(find "$at/out/libraries/microtet" -name '*.c.o' | wc -l)" -gt 150 ] || return 1
        arduino_prints "$name" >"$at/$name.want"
        lines=$(wc -l <"$at/$name.want")
        [ "$lines" -ge 9 ] && diff "$at/$name.want" <(on_mega "$at/out/sketch.ino.elf" "$lines") || return 1
        # The page's figures, rounded up, for Debian 12's compiler.
        size=$(avr-size "$at/out/sketch.ino.elf" | awk 'NR == 2 { printf "%.0f KB of flash, %.1f KB of RAM", ($1 + $2) / 1024 + 0.5, ($2 + $3) / 1024 + 0.05 }')
        echo "figure: $name on an ATmega2560: $size" >>"$work/figures"
        [[ $(avr-gcc -dumpversion) != 5.4.* ]] || grep -q "^| $name |.*| $size |$" port/arduino/README.md || { echo "port/arduino/README.md does not say: $name: $size"; wrong=1; }
    done
    grep -qF "$(row | tr '\n' ' ' | sed 's/ $//')" port/arduino/README.md || { echo "port/arduino/README.md does not show the row"; wrong=1; }
    return $wrong
}
# With the flags of Arduino's SAMD core, on an emulated Cortex-M4, which runs a Cortex-M0+'s instructions.
arduino_samd() {
    local flags at=$work/samd name
    arduino_library || return 1
    flags="-mcpu=cortex-m0plus -mthumb -g -Os -Wall -Wextra -Werror -ffunction-sections -fdata-sections --param max-inline-insns-single=500 -DF_CPU=48000000L -DARDUINO=10819"
    flags="$flags -DARDUINO_SAMD_ZERO -DARDUINO_ARCH_SAMD -D__SAMD21G18A__ -I$here/arduino/samd -I$work/libraries/microtet/src -I$here/arduino"
    flags="$flags -I$work/libraries/microtet/examples/FlashRow"
    arduino_compile "$at" "arm-none-eabi-gcc -std=gnu11 $flags" "arm-none-eabi-g++ -std=gnu++11 -fno-threadsafe-statics -fno-rtti -fno-exceptions $flags" arm-none-eabi-ar \
        "$here/arduino/samd/main.cpp" "$here/cmake/vectors.c" || return 1
    for name in $arduino_examples; do
        { echo '#include <Arduino.h>'; cat "$work/libraries/microtet/examples/$name/$name.ino"; } >"$at/$name.cpp"
        # shellcheck disable=SC2086
        arm-none-eabi-g++ -std=gnu++11 -fno-threadsafe-statics -fno-rtti -fno-exceptions $flags -c "$at/$name.cpp" -o "$at/$name.o" &&
            arm-none-eabi-gcc -mcpu=cortex-m0plus -mthumb -Os --specs=rdimon.specs -Wl,--gc-sections -Wl,--section-start=.vectors=0 -Wl,-u,vectors \
                "$at/$name.o" "$at"/main.cpp.o "$at"/vectors.c.o "$at/library.a" -lm -o "$at/$name.elf" || return 1
        diff <(arduino_prints "$name") <(emulated "$at/$name.elf") || return 1
    done
}

# ---- PlatformIO, ESP-IDF, Zephyr ----

# A program of build/deps/embedded, without network.
embedded() {
    local name=$1
    shift
    env https_proxy=http://127.0.0.1:9 http_proxy=http://127.0.0.1:9 HOME="$work/home" PLATFORMIO_CORE_DIR="$work/home/pio" \
        PLATFORMIO_SETTING_ENABLE_TELEMETRY=no PYTHONPATH="$BUILD/deps/embedded" PYTHONDONTWRITEBYTECODE=1 python3 "$BUILD/deps/embedded/bin/$name" "$@"
}
# The manager packs from the tree the same files as in the archive of make dist.
same_files() { [ "$(tar -tzf "$1" | wc -l)" -gt 200 ] && diff <(tar -tzf "$1" | sed 's|^\./||' | grep -v '/$' | grep . | sort) <(tar -tzf "$2" | sed 's|^microtet/||' | sort); }
platformio_packed() {
    make -s dist-platformio BUILD="$work/made" && mkdir -p "$work/home" "$work/packed" || return 1
    embedded pio pkg pack -o "$work/packed" "$work/microtet" && same_files "$work"/packed/*.tar.gz "$work"/made/dist/microtet-platformio-*.tar.gz
}
# SCons and the platform "native" are put where PlatformIO stores what it fetches.
platformio_home() {
    [ ! -e "$work/home/pio/packages/tool-scons" ] || return 0
    mkdir -p "$work/home/pio/packages" && cp -r "$here/platformio/scons" "$work/home/pio/packages/tool-scons" &&
        embedded pio pkg install --global --platform "symlink://$here/platformio/native"
}
platformio_example() {
    platformio_home && grep -qF "pio run -t exec -a ../../../test/golden/demo/demo_tiny.tet" port/platformio/README.md || return 1
    (cd "$work/microtet/port/platformio/example" && reads_row "$here/../../port/platformio/README.md" embedded pio run -t exec -a ../../../test/golden/demo/demo_tiny.tet; code=$?; rm -rf .pio; exit $code)
}
# A user's own project uses the archive.
platformio_installed() {
    local package
    platformio_home && make -s dist-platformio BUILD="$work/made" || return 1
    package=$(ls "$work"/made/dist/microtet-platformio-*.tar.gz)
    at=$work/platformio
    mkdir -p "$at/src" && printf '[env:native]\nplatform = native\n' >"$at/platformio.ini" && embedded pio pkg install -d "$at" --library "file://$package" || return 1
    example smallest >"$at/src/main.c"
    embedded pio run -d "$at" && [ "$(find "$at/.pio/build/native" -name '*.o' | wc -l)" -gt 150 ] && reads_raw "$at/.pio/build/native/program"
}
espidf_packed() {
    make -s dist-espidf BUILD="$work/made" && mkdir -p "$work/home" "$work/packed" || return 1
    embedded compote component pack --project-dir "$work/microtet" --name microtet --dest-dir "$work/packed" &&
        same_files "$work"/packed/*.tgz "$work"/made/dist/microtet-espidf-*.tar.gz
}
# The example in the archive, with the flags of an ESP32-C3, on an emulated RISC-V: picolibc starts it and prints through the debugger.
espidf_example() {
    at=$work/espidf_example
    rm -rf "$at"
    mkdir -p "$at" && make -s dist-espidf BUILD="$work/made" && tar -xzf "$work"/made/dist/microtet-espidf-*.tar.gz -C "$at" || return 1
    IDF_PATH=$here/espidf/idf cmake -S "$at/microtet/port/espidf/example" -B "$at/out" -DCMAKE_SYSTEM_NAME=Generic -DCMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY \
        -DCMAKE_C_COMPILER=riscv64-unknown-elf-gcc -DCMAKE_C_FLAGS="-march=rv32imc_zicsr_zifencei -mabi=ilp32 --specs=picolibc.specs -Og" \
        -DCMAKE_EXE_LINKER_FLAGS="-march=rv32imc --crt0=semihost --oslib=semihost -Wl,--gc-sections -Wl,--defsym=__flash=0x80000000 -Wl,--defsym=__flash_size=0x100000 -Wl,--defsym=__ram=0x80100000 -Wl,--defsym=__ram_size=0x40000" &&
        cmake --build "$at/out" -j2 &&
        reads_row port/espidf/README.md timeout 60 qemu-system-riscv32 -M virt -bios none -display none -monitor none -serial none -semihosting -kernel "$at/out/first.elf"
}
# A user's own project, with the archive as a component, for Xtensa.
espidf_xtensa() {
    project espidf
    rm "$at/microtet"
    example smallest >"$at/main/app.c"
    make -s dist-espidf BUILD="$work/made" || return 1
    mkdir "$at/components" && tar -xzf "$work"/made/dist/microtet-espidf-*.tar.gz -C "$at/components" && cmake -P "$at/early.cmake" || return 1
    IDF_PATH=$at/idf cmake -S "$at" -B "$at/out" -DCMAKE_SYSTEM_NAME=Generic -DCMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY -DCMAKE_C_COMPILER=xtensa-lx106-elf-gcc \
        -DCMAKE_C_FLAGS="-mlongcalls --specs=$(xtensa_specs) -Os" && cmake --build "$at/out" -j2 &&
        xtensa-lx106-elf-readelf -h "$at/out/main/libmain.a" | grep "Machine: *Tensilica" &&
        xtensa-lx106-elf-nm "$at/out/microtet/libmicrotet.a" | grep -q ' T utet_open$'
}
xtensa_specs() { dpkg -L picolibc-xtensa-lx106-elf 2>/dev/null | grep '/picolibc\.specs$'; }
# The example of the tree, on the host.
zephyr_sample() {
    at=$work/zephyr_sample
    export ZEPHYR_BASE=$here/zephyr/base PYTHONPATH=$BUILD/deps/embedded
    cmake -S "$work/microtet/port/zephyr/sample" -B "$at" && cmake --build "$at" -j2 && reads_row port/zephyr/README.md "$at/app"
}
zephyr_module() {
    project zephyr smallest
    in_page port/zephyr/README.md "$here/zephyr/prj.conf" "$here/zephyr/CMakeLists.txt" || return 1
    export ZEPHYR_BASE=$at/base PYTHONPATH=$BUILD/deps/embedded
    cmake -S "$at" -B "$at/out" && cmake --build "$at/out" -j2 && reads_raw "$at/out/app" || return 1
    : >"$at/prj.conf"
    cmake -S "$at" -B "$at/without" && ! cmake --build "$at/without" || { echo "the module is built without CONFIG_MICROTET"; return 1; }
    echo CONFIG_MICROTOT=y >"$at/prj.conf"
    ! cmake -S "$at" -B "$at/wrong" || { echo "an option that is not in Kconfig is accepted"; return 1; }
}

# ---- Rust ----

# rust_project NAME: the project, with the packed crates unpacked in it. Its Cargo.toml has the lines that port/INTEGRATE.md shows.
rust_project() {
    local crate lines
    project rust
    at=$at/$1
    lines=$(awk '/^```/ { on = $0 == "```toml" && !on; next } on' port/INTEGRATE.md)
    [[ -n $lines && $(<"$at/Cargo.toml") == *"$lines"* ]] || { echo "Cargo.toml does not have the lines of port/INTEGRATE.md: $lines"; return 1; }
    [ -e "$work"/made/dist/microtet-sys-[0-9]*.crate ] || make -s dist-crate BUILD="$work/made" || return 1
    for crate in "$work"/made/dist/*.crate; do tar -xzf "$crate" -C "$at" || return 1; done
}
rust_crate() {
    rust_project app
    in_page port/rust/README.md "$here/rust/app/src/main.rs" || return 1
    (cd "$at" && cargo build --quiet --locked --release) && reads_slab "$at/target/release/app"
}
# A compiler that has the source of Rust's library `core`, from which the library is built for Cortex-M0; in rustup it is the component
# rust-src.
rust_source() {
    local each
    for each in "$(command -v rustc)" /usr/bin/rustc; do
        [ -x "$each" ] && [ -e "$("$each" --print sysroot)/lib/rustlib/src/rust/library/core" ] && echo "$each" && return
    done
    return 1
}
# On an emulated micro:bit (Cortex-M0, 16 KB of RAM); its objects take as much RAM as the page states.
rust_firmware() {
    local sizes
    rust_project firmware
    in_page port/rust/README.md "$here/rust/firmware/src/main.rs" "$here/rust/firmware/.cargo/config.toml" || return 1
    cp "$demo/demo_planet.tet" "$at"
    emulated_cargo() { (cd "$at" && RUSTC_BOOTSTRAP=1 RUSTC=$(rust_source) timeout 600 env -u CC cargo run --quiet --locked --release -Zbuild-std=core "$@"); }
    diff <(slab_values) <(emulated_cargo) || return 1
    sizes=$(emulated_cargo --example sizes) && [ "$(wc -l <<<"$sizes")" -eq 6 ] && [[ $(<port/rust/README.md) == *"$sizes"* ]] || { echo "port/rust/README.md does not have $sizes"; return 1; }
    arm-none-eabi-size -A "$at/target/thumbv6m-none-eabi/release/firmware" | awk '/^\.text/ { print "figure: rust_firmware: " $2 " bytes of code" }' >>"$work/figures"
}

rm -rf "$work"
mkdir -p "$work"
work=$(cd "$work" && pwd)
make -s dist-source BUILD="$work/made" >"$work/log" 2>&1
archive=$(ls "$work"/made/dist/microtet-[0-9]*.tar.gz)
if ! git rev-parse -q --verify HEAD >/dev/null 2>&1; then
    echo "skipped: ecosystems: no release archive, because this is not a git repository"
    echo "0 passed, 0 failed, 1 skipped"
    exit 0
fi
mkdir "$work/microtet"
tar -xzf "$archive" -C "$work/microtet" --strip-components=1
for name in "$@"; do
    case $name in
    cmake)
        for each in cmake_subdirectory cmake_fetch cmake_package cmake_install; do check $each $each; done
        check cmake_arm cmake_arm ;;
    meson)     for each in meson_subproject meson_system meson_install; do check $each $each; done ;;
    pkgconfig) check pkgconfig_installed pkgconfig_installed ;;
    conan)     check conan_created conan_created ;;
    platformio) for each in platformio_packed platformio_example platformio_installed; do check $each $each; done ;;
    espidf)    for each in espidf_packed espidf_example espidf_xtensa; do check $each $each; done ;;
    zephyr)    for each in zephyr_sample zephyr_module; do check $each $each; done ;;
    # One sketch, and only the sources of the packages that it needs.
    arduino_short) arduino_examples=FlashRow arduino_folders="abi base tet" arduino_least=40 check arduino_short arduino_samd ;;
    arduino)   for each in arduino_mega arduino_samd; do check $each $each; done ;;
    cpp)       for each in cpp_program cpp_calls cpp_flash; do check $each $each; done ;;
    rust)
        check rust_crate rust_crate
        if rust_source >/dev/null; then check rust_firmware rust_firmware
        else skipped=$((skipped + 1)); echo "skipped: rust_firmware: no source of Rust's library"; fi ;;
    *)         echo "ecosystems.sh: no ecosystem $name" >&2; exit 2 ;;
    esac
done
[ ! -e "$work/figures" ] || cat "$work/figures"
echo "$passed passed, $failed failed$([ $skipped -eq 0 ] || echo ", $skipped skipped")"
[ "$failed" -eq 0 ]
