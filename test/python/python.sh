#!/bin/bash
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# python.sh wheel|core|all|inputs|speed|wheel-aarch64|aarch64: builds the source package, and the wheel from it, installs the wheel in a
# new environment and tests it there. All packages are pinned by name, version and hash: *_packages.txt.
set -euo pipefail
umask 022

what=$1
here=test/python
work=${BUILD:-build}/python
rm -rf "$work/source" "$work/dist" "$work/make" "$work/lines" "$work"/run-*
mkdir -p "$work/dist"
work=$(cd "$work" && pwd)
unset PYTHONPATH # it would hide installed packages

# pip FOLDER ARGUMENT…: the pip of an environment.
pip() {
    local folder=$1
    shift
    "$folder/bin/python" -m pip --quiet --disable-pip-version-check "$@"
}

# environment FOLDER LIST…: a virtual environment with the packages of the lists.
environment() {
    local folder=$1 list
    shift
    rm -rf "$folder"
    python3 -m venv "$folder"
    for list in "$@"; do
        pip "$folder" install --require-hashes --no-deps --only-binary :all: -r "$here/${list}_packages.txt"
    done
}

# with_wheel FOLDER LIST…: the same with the wheel.
with_wheel() {
    environment "$@"
    pip "$1" install --no-deps --no-index "$work"/dist/*.whl
}

# build_wheel FOLDER: makes the wheel from the source package, with the compiler CC if that is set.
build_wheel() {
    pip "$work/builder" wheel --no-build-isolation --no-deps --wheel-dir "$1" "$work"/dist/*.tar.gz >"$work/wheel.log" 2>&1 ||
        { tail -30 "$work/wheel.log"; exit 1; }
}

# tests BIN SCRIPT ARGUMENT…: runs a test with the Python in that folder.
bad=0
tests() {
    local bin=$1
    shift
    PATH="$bin:$PATH" TEST_ROOT="$PWD/test" PORT="$PWD/port/python" "$bin/python" "$@" | tee -a "$work/lines" || bad=1
}

export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || echo 315532800)}
environment "$work/builder" build core
port/python/assemble.sh "$work/source"
(cd "$work/source" && "$work/builder/bin/python" -c \
    'import sys; from setuptools import build_meta; print(build_meta.build_sdist(sys.argv[1]))' "$work/dist") >"$work/sdist.log" 2>&1
# The files that setuptools adds have the current time; they are packed again, so that the same commit gives the same
# bytes.
sdist=$(ls "$work"/dist/*.tar.gz)
rm -rf "$work/packed" && mkdir -p "$work/packed" && tar -xzf "$sdist" -C "$work/packed"
python3 src/tools/pack.py "$work"/packed/* "$sdist"
[ "$what" = wheel-aarch64 ] || build_wheel "$work/dist"

case $what in
wheel)
    ls "$work"/dist/*
    exit ;;
*aarch64)
    # shellcheck source=test/python/aarch64.sh
    . "$here/aarch64.sh" ;;
inputs)
    with_wheel "$work/kinds" core more kinds
    tests "$work/kinds/bin" "$here/kinds_test.py" "$work/run-kinds" "$PWD/test/results/inputs.md" ;;
speed)
    with_wheel "$work/speed" core more
    tests "$work/speed/bin" "$here/speed.py" "$work/run-speed" "$work/../utet" "$work/../pack_speed" "$PWD/test/results/inputs.md"
    rm -rf "$work/run-speed"
    exit ;;
core | all)
    with_wheel "$work/user" core
    tests "$work/user/bin" "$here/core_test.py" "$work/run-core" ;;
esac
if [ "$what" = all ]; then
    with_wheel "$work/more" core more
    tests "$work/more/bin" "$here/inputs_test.py" "$work/run-more"
    # eccodes has an environment of its own: next to rioxarray it ends with a double free (versions of the lists).
    with_wheel "$work/grib" core grib
    tests "$work/grib/bin" "$here/grib_test.py" "$work/run-grib"
fi
awk '/^[0-9]+ passed, [0-9]+ failed/ { p += $1; f += $3; s += $5 } END { printf "%d passed, %d failed, %d skipped\n", p, f, s }' "$work/lines"
exit "$bad"
