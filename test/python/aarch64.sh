# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2154
# Part of python.sh: the wheel for 64-bit Arm Linux. A cross compiler builds it in a system root of Debian 12 for arm64. The tests run
# with that root's Python in QEMU.
root=$(mkdir -p "${BUILD:-build}/deps" && cd "${BUILD:-build}/deps" && pwd)/debian-arm64
if [ ! -e "$root.ok" ]; then
    rm -rf "$root"
    mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | head -n 1)
    debootstrap --download-only --arch=arm64 --variant=minbase --include=python3,libpython3-dev,libpng-dev,zlib1g-dev,libzstd-dev \
        bookworm "$root" ${mirror:+"$mirror"} >"$work/root.log" 2>&1 || { tail "$work/root.log"; exit 1; }
    for archive in "$root"/var/cache/apt/archives/*.deb; do dpkg-deb -x "$archive" "$root"; done
    rm -rf "$root/var"
    # The package's link starts at /, where this machine has no such file.
    ln -sf ../../../lib/aarch64-linux-gnu/libm.so.6 "$root/usr/lib/aarch64-linux-gnu/libm.so"
    touch "$root.ok"
fi

# Without the last three options, the compiler prefers the C library of this machine's packages, which may be newer than Debian 12's.
gcc="aarch64-linux-gnu-gcc --sysroot=$root -I$root/usr/include/python3.11 -B$root/usr/lib/aarch64-linux-gnu \
    -isystem $root/usr/include/aarch64-linux-gnu -isystem $root/usr/include"
rm -rf "$work/aarch64"
_PYTHON_HOST_PLATFORM=linux-aarch64 CC=$gcc LDSHARED="$gcc -shared" build_wheel "$work/aarch64"
if [ "$what" = wheel-aarch64 ]; then
    ls "$work"/aarch64/*
    exit
fi

# start FILE PROGRAM: FILE starts PROGRAM in QEMU, also where the kernel cannot start programs for Arm.
start() {
    printf '#!/bin/sh\nexec qemu-aarch64 -0 "$0" -L "%s" "%s" "$@"\n' "$root" "$2" >"$1"
    chmod +x "$1"
}

# A virtual environment, made by the builder's pip.
user=$work/user-aarch64
site=$user/lib/python3.11/site-packages
rm -rf "$user"
mkdir -p "$user/bin"
printf 'home = /usr/bin\ninclude-system-site-packages = false\n' >"$user/pyvenv.cfg"
start "$user/bin/python" "$root/usr/bin/python3.11"
arm=(install --upgrade --target "$site" --no-deps --only-binary :all: --python-version 3.11)
pip "$work/builder" "${arm[@]}" --platform manylinux_2_28_aarch64 --platform manylinux_2_27_aarch64 --platform manylinux2014_aarch64 \
    --require-hashes -r "$here/aarch64_packages.txt"
pip "$work/builder" "${arm[@]}" --platform linux_aarch64 --no-index "$work"/aarch64/*.whl
mv "$site/microtet/bin/utet" "$site/microtet/bin/utet.aarch64"
start "$site/microtet/bin/utet" "$site/microtet/bin/utet.aarch64"
printf '#!/bin/sh\nexec "%s" "%s" "$@"\n' "$user/bin/python" "$site/bin/utet" >"$user/bin/utet"
chmod +x "$user/bin/utet"
tests "$user/bin" "$here/core_test.py" "$work/run-core"

# Both wheels pack the same bytes, if both contain the same libzstd.
if ! cmp -s "$root/usr/include/zstd.h" /usr/include/zstd.h; then
    echo "skipped: the same bytes as on this machine: its libzstd has another version"
    echo "0 passed, 0 failed, 1 skipped" | tee -a "$work/lines"
else
    with_wheel "$work/user" core
    tests "$work/user/bin" "$here/packed_test.py" "$work/run-packed"
    tests "$user/bin" "$here/packed_test.py" "$work/run-packed-aarch64" "$work/run-packed"
fi
