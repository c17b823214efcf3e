#!/bin/bash
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# setup.sh GROUP…: makes sure that the packages of the named groups are installed, and leaves a stamp for make in
# build/setup. On Debian and its derivatives it installs what is missing, as root or through sudo, and prints the packages
# and the reasons. Elsewhere, or without the right to install, it prints exactly what is missing and fails. A tool that
# exists without its package counts.
set -euo pipefail

BUILD=${BUILD:-build}

# One package per line: group, Debian package, what shows that it exists without the package (may be empty), reason.
table() {
    cat <<'EOF'
build  gcc                        command -v gcc                              compiler of the library and the tool
build  libc6-dev                  has_header gcc stdio.h                      C library headers
build  binutils                   command -v objcopy                          joins the zstd package into one object
build  libpng-dev                 has_header gcc png.h                        utet show -o picture.png
build  zlib1g-dev                 has_header gcc zlib.h                       utet pack: compressed .npz, checksums
build  libzstd-dev                has_header gcc zstd.h                       utet pack: compresses (without it tiles stay raw)
build  xz-utils                   command -v xz                               unpacks the zstd package
build  ca-certificates            test -s /etc/ssl/certs/ca-certificates.crt                      certificates for fetching sources
build  python3                    command -v python3                          fetching, helper scripts
build  python3-pip                python3 -m pip --version                    fetches FatFs and littlefs
arm    gcc-arm-none-eabi          command -v arm-none-eabi-gcc                compiler for Cortex-M
arm    binutils-arm-none-eabi     command -v arm-none-eabi-objcopy            linker for Cortex-M
arm    libnewlib-arm-none-eabi    has_header arm-none-eabi-gcc string.h       C library headers and memcpy for Cortex-M
demo   qemu-system-arm            command -v qemu-system-arm                  emulated boards
demo   mtools                     command -v mcopy                            writes files into card images
demo   dosfstools                 command -v mkfs.fat                         makes FAT card images
test   libcmocka-dev              has_header gcc cmocka_all                   test framework on the host
test   man-db                     command -v man                              checks the manual pages
test   cmake                      command -v cmake                            port/INTEGRATE.md's lines for CMake
test   pkgconf                    command -v pkg-config                       finds what make install has put down
test   g++                        command -v g++                              the headers must work from C++
test   libaec-dev                 has_header gcc libaec.h                     writes szip data for tests, second opinion
test   liblz4-dev                 has_header gcc lz4.h                        writes LZ4 blocks for tests, second opinion
test   python3-numpy              python3 -c 'import numpy'                   a second reader of .npy and writer of numbers
full   clang                      command -v clang                            second compiler, libFuzzer, sanitizers
full   libclang-rt-dev            has_runtime                                 clang's sanitizers and libFuzzer
full   clang-format               command -v clang-format                     the sources have one form
full   fish                       command -v fish                             completion is tried in it
full   zsh                        command -v zsh                              completion is tried in it
full   groff                      command -v groff                            the man page is formatted without complaints
full   clang-tidy                 command -v clang-tidy                       analyser
soak   afl++                      command -v afl-clang-fast                   second fuzzer
full   cppcheck                   command -v cppcheck                         analyser
full   sparse                     command -v sparse                           analyser
full   flawfinder                 command -v flawfinder                       analyser
full   valgrind                   command -v valgrind                         memory checker
full   libc6-dbg                  test -d /usr/lib/debug/.build-id               valgrind cannot start without it
full   gcovr                      command -v gcovr                            coverage report
full   frama-c-base               command -v frama-c                          sound analysis of the parsers
proof  why3                       command -v why3                             make wp: between Frama-C and the provers
proof  cvc4                       command -v cvc4                             make wp: proves
proof  z3                         command -v z3                               make wp: proves
full   gcc-powerpc-linux-gnu      command -v powerpc-linux-gnu-gcc            big-endian run
full   libc6-dev-powerpc-cross    has_header powerpc-linux-gnu-gcc stdio.h    big-endian run
full   gcc-i686-linux-gnu         command -v i686-linux-gnu-gcc               32-bit run
full   libc6-dev-i386-cross       has_header i686-linux-gnu-gcc stdio.h       32-bit run
full   qemu-user                  command -v qemu-ppc                         runs the big-endian tests
full   gcc-s390x-linux-gnu        command -v s390x-linux-gnu-gcc              big-endian 64-bit run
full   libc6-dev-s390x-cross      has_header s390x-linux-gnu-gcc stdio.h      big-endian 64-bit run
full   gcc-mips-linux-gnu         command -v mips-linux-gnu-gcc               big-endian run
full   libc6-dev-mips-cross       has_header mips-linux-gnu-gcc stdio.h       big-endian run
full   gcc-arm-linux-gnueabihf    command -v arm-linux-gnueabihf-gcc          Arm with Linux
full   libc6-dev-armhf-cross      has_header arm-linux-gnueabihf-gcc stdio.h  Arm with Linux
full   gcc-aarch64-linux-gnu      command -v aarch64-linux-gnu-gcc            Arm with 64 bits
full   libc6-dev-arm64-cross      has_header aarch64-linux-gnu-gcc stdio.h    Arm with 64 bits
full   gcc-riscv64-linux-gnu      command -v riscv64-linux-gnu-gcc            64-bit RISC-V
full   libc6-dev-riscv64-cross    has_header riscv64-linux-gnu-gcc stdio.h    64-bit RISC-V
cross  gcc-riscv64-unknown-elf    command -v riscv64-unknown-elf-gcc          RISC-V board
cross  picolibc-riscv64-unknown-elf test -e /usr/lib/picolibc/riscv64-unknown-elf/picolibc.specs  memcpy for the RISC-V board
full   qemu-system-misc           command -v qemu-system-riscv32              RISC-V board
full   simavr                     command -v simavr                           AVR board
cross  gcc-avr                    command -v avr-gcc                          16-bit int
cross  avr-libc                   has_header avr-gcc stdint.h                 16-bit int
full   arduino-core-avr           test -e /usr/share/arduino/hardware/arduino/avr/boards.txt  Arduino sketch
forge  golang-go                  command -v go                               builds actionlint, which checks the workflows
ecosystem meson               command -v meson                              Meson's projects with the library
ecosystem ninja-build         command -v ninja                              Meson builds with it
ecosystem unzip               command -v unzip                              unpacks the Arduino library
embedded gcc-avr              command -v avr-gcc                          Arduino's examples
embedded avr-libc             has_header avr-gcc stdint.h                 Arduino's examples
embedded arduino-core-avr     test -e /usr/share/arduino/hardware/arduino/avr/boards.txt  Arduino's examples
embedded arduino-builder      command -v arduino-builder                  compiles Arduino's examples as the IDE does
embedded simavr               command -v simavr                           runs Arduino's examples
embedded gcc-riscv64-unknown-elf command -v riscv64-unknown-elf-gcc          ESP-IDF's component
embedded picolibc-riscv64-unknown-elf test -e /usr/lib/picolibc/riscv64-unknown-elf/picolibc.specs  ESP-IDF's component
embedded qemu-system-misc     command -v qemu-system-riscv32              runs ESP-IDF's example
embedded gcc-xtensa-lx106     command -v xtensa-lx106-elf-gcc             ESP-IDF's component
embedded picolibc-xtensa-lx106-elf test -e /usr/lib/xtensa-lx106-elf/picolibc.specs  ESP-IDF's component
browser clang                     command -v clang                              compiler of the WebAssembly modules
browser lld                       command -v wasm-ld                            linker of the WebAssembly modules
browser python3                   command -v python3                            packs the page
node   nodejs                     command -v node                               runs the WebAssembly modules
tasks  cargo-web                  has_cargo 1.70                                fetches the kernel of FreeRTOS
others cargo-web                  has_cargo 1.70                                fetches miniz
rp2040 npm                        command -v npm                                fetches the emulator of the RP2040
chromium npm                      command -v npm                                fetches the driver of the browser
chromium chromium                 command -v chromium                           shows the page of make browser
chromium nginx-light              command -v nginx                              serves files by ranges
http   libcurl4-openssl-dev       has_header gcc curl/curl.h         port/http
http   nginx-light                command -v nginx                              web server
bare   debootstrap                command -v debootstrap                      fetches Debian 12: test/tools/bare.sh, aarch64.sh
python python3-venv                python3 -c 'import ensurepip'                environments for the wheel and its tests
python python3-dev                 has_python_h                                   the wheel's extension
aarch64 gcc-aarch64-linux-gnu     command -v aarch64-linux-gnu-gcc                compiler of the wheel for 64-bit Arm
aarch64 qemu-user                 command -v qemu-aarch64                         runs the wheel for 64-bit Arm
rust   cargo-web                  has_cargo 1.85                                 builds the crate
rust   rustc-web                  has_rust_source || test -x /usr/bin/rustc      compiles the crate
rust   rust-web-src               has_rust_source                                Rust's library for Cortex-M0 is built from it
rust   valgrind                   command -v valgrind                            memory checker
rust   libc6-dbg                  test -d /usr/lib/debug/.build-id               valgrind cannot start without it
interop cargo-web                 has_cargo 1.95                              builds the reference implementation (plain cargo is too old)
EOF
}

# Groups that a group includes.
expand() {
    case $1 in
    build|bare|browser) echo "$1" ;;
    node)       echo build test arm demo browser node ;;
    tasks)      echo build arm demo tasks ;;
    rp2040)     echo build arm demo node rp2040 ;;
    others)     echo build arm demo others ;;
    chromium)   echo build test arm demo browser node chromium ;;
    http)       echo build http ;;
    forge)      echo build forge ;;
    arm)        echo build arm ;;
    demo)       echo build arm demo browser ;;
    test)       echo build arm demo test ;;
    cross)      echo build arm cross ;;
    ecosystem)  echo build arm demo test ecosystem ;;
    embedded)   echo build arm demo test ecosystem embedded ;;
    full)       echo build arm demo test forge cross full ;;
    soak)       echo build arm demo test forge cross full soak ;;
    proof)      echo build arm demo test forge cross full proof ;;
    rust)       echo build arm demo rust ;;
    python)     echo build python ;;
    aarch64)    echo build bare python aarch64 ;;
    interop)    echo build interop ;;
    *)          echo "setup.sh: no group $1 (build arm cross demo test ecosystem embedded forge full soak proof python aarch64 rust interop browser node chromium rp2040 tasks others http bare)" >&2; exit 2 ;;
    esac
}

has_header() {
    local name=$2
    [ "$name" = cmocka_all ] && name='stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h'
    printf '#include <%s>\n' "$name" | "$1" -E -x c - >/dev/null 2>&1
}

# has_cargo VERSION: cargo of that version or a newer one.
has_cargo() { printf 'cargo %s\n%s\n' "$1" "$(cargo --version)" | sort -V -C; }

has_rust_source() { test -e "$(rustc --print sysroot)/lib/rustlib/src/rust/library/core"; }

has_python_h() { python3 -c 'import os, sys, sysconfig; sys.exit(not os.path.exists(sysconfig.get_paths()["include"] + "/Python.h"))'; }

has_runtime() { ls "$(clang -print-runtime-dir)"/libclang_rt.fuzzer* 2>/dev/null; }

[ $# -gt 0 ] || { echo "usage: setup.sh GROUP…  (build arm cross demo test ecosystem embedded forge full soak proof python aarch64 rust interop browser node chromium rp2040 tasks others http bare)" >&2; exit 2; }
groups=
for g in "$@"; do groups+=" $(expand "$g")" || exit 2; done

# Only one runs at a time, when make runs several jobs.
mkdir -p "$BUILD/setup"
if command -v flock >/dev/null; then exec 9>"$BUILD/setup/lock"; flock 9; fi

# Finds what is missing: first with one question to dpkg, then by looking for the tool itself.
names=$(table | awk -v want="$groups" 'BEGIN { n = split(want, a, " "); for (i = 1; i <= n; i++) w[a[i]] = 1 } $1 in w { print $2 }')
installed=" "
if command -v dpkg-query >/dev/null; then
    # shellcheck disable=SC2086
    installed=" $(dpkg-query -W -f '${Package} ${db:Status-Abbrev}\n' $names 2>/dev/null | awk '$2 == "ii" { printf "%s ", $1 }' || true)"   # unknown names fail
fi
missing=() reasons=()
while IFS= read -r line; do
    read -r group package _ <<<"$line"
    case "$groups " in *" $group "*) ;; *) continue ;; esac
    case $installed in *" $package "*) continue ;; esac
    probe=$(sed -E 's/^[^ ]+ +[^ ]+ +//; s/  .*//' <<<"$line")
    if [ -n "$probe" ] && eval "$probe" >/dev/null 2>&1 </dev/null; then continue; fi
    missing+=("$package")
    reasons+=("$(sed -E 's/.*  +//' <<<"$line")")
done <<<"$(table)"

stamp() {
    for g in "$@"; do touch "$BUILD/setup/$g.ok"; done
}

if [ ${#missing[@]} -eq 0 ]; then stamp "$@"; exit 0; fi

echo "microtet needs these packages, which are missing here:"
for i in "${!missing[@]}"; do printf '  %-26s %s\n' "${missing[$i]}" "${reasons[$i]}"; done

if ! command -v apt-get >/dev/null; then
    echo "This is not Debian: please install them (Debian's names are shown) and run make again." >&2
    exit 1
fi
as_root=()
if [ "$(id -u)" -ne 0 ]; then
    if command -v sudo >/dev/null && { sudo -n true 2>/dev/null || [ -t 0 ]; }; then
        as_root=(sudo)
    else
        echo "Not root and no sudo: please run  apt-get install --no-install-recommends ${missing[*]}" >&2
        exit 1
    fi
fi

# Other package managers may hold the locks for a while: apt-get waits for dpkg's, the loop for the lists'.
apt() {
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=600 "$@"
}
update() {
    local try
    echo "apt-get update"
    for try in 1 2 3 4 5 6; do
        apt update && return 0
        sleep $((try * 5))
    done
    return 1
}
install() {
    echo "apt-get install ${missing[*]}"
    apt install -y --no-install-recommends -o Dpkg::Use-Pty=0 "${missing[@]}" >"$log" 2>&1
}
log=$(mktemp)
trap 'rm -f "$log"' EXIT

# Lists younger than an hour are good enough, unless installing from them fails.
recent=$(find /var/lib/apt/lists -maxdepth 1 -name '*Packages*' -mmin -60 2>/dev/null | head -n 1)
[ -n "$recent" ] || update || { echo "setup.sh: apt-get update failed" >&2; exit 1; }
if ! install; then
    { update && install; } || { tail -n 20 "$log" >&2; echo "setup.sh: could not install: ${missing[*]}" >&2; exit 1; }
fi
stamp "$@"
