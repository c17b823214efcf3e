#!/bin/bash
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# python.sh wheel|core|all|inputs|speed: builds the source package, and the wheel from it, installs the wheel in a new environment and
# tests it there. All packages are pinned by name, version and hash: *_packages.txt.
set -euo pipefail
umask 022

what=$1
here=test/python
work=${BUILD:-build}/python
rm -rf "$work/source" "$work/dist" "$work/make" "$work"/run-*
mkdir -p "$work/dist"
work=$(cd "$work" && pwd)

# environment FOLDER LIST…: a virtual environment with the packages of the lists.
environment() {
    local folder=$1 list
    shift
    rm -rf "$folder"
    python3 -m venv "$folder"
    for list in "$@"; do
        "$folder/bin/python" -m pip --quiet --disable-pip-version-check install --require-hashes --no-deps --only-binary :all: \
            -r "$here/${list}_packages.txt"
    done
}

# with_wheel FOLDER LIST…: the same with the wheel.
with_wheel() {
    environment "$@"
    "$1/bin/python" -m pip --quiet --disable-pip-version-check install --no-deps --no-index "$work"/dist/*.whl
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
"$work/builder/bin/python" -m pip --quiet --disable-pip-version-check wheel --no-build-isolation --no-deps --wheel-dir "$work/dist" \
    "$work"/dist/*.tar.gz >"$work/wheel.log" 2>&1 || { tail -30 "$work/wheel.log"; exit 1; }
if [ "$what" = wheel ]; then
    ls "$work"/dist/*
    exit 0
fi

# Neither the builder's folder nor the tree's own package may hide the installed one.
unset PYTHONPATH
tests() {
    local bin=$1
    shift
    PATH="$bin:$PATH" TEST_ROOT="$PWD/test" PORT="$PWD/port/python" "$bin/python" "$@"
}

if [ "$what" = inputs ]; then
    with_wheel "$work/kinds" core more kinds
    results=$PWD/test/results/inputs.md
    tests "$work/kinds/bin" "$here/kinds_test.py" "$work/run-kinds" "$results"
    exit
fi

if [ "$what" = speed ]; then
    with_wheel "$work/speed" core more
    tests "$work/speed/bin" "$here/speed.py" "$work/run-speed" "$work/../utet" "$work/../pack_speed" "$PWD/test/results/inputs.md"
    rm -rf "$work/run-speed"
    exit
fi

with_wheel "$work/user" core
lines=$(mktemp)
trap 'rm -f "$lines"' EXIT
bad=0
tests "$work/user/bin" "$here/core_test.py" "$work/run-core" | tee "$lines" || bad=1
if [ "$what" = all ]; then
    with_wheel "$work/more" core more
    tests "$work/more/bin" "$here/inputs_test.py" "$work/run-more" | tee -a "$lines" || bad=1
    # eccodes has an environment of its own: next to rioxarray it ends with a double free (versions of the lists).
    with_wheel "$work/grib" core grib
    tests "$work/grib/bin" "$here/grib_test.py" "$work/run-grib" | tee -a "$lines" || bad=1
fi
awk '/^[0-9]+ passed, [0-9]+ failed/ { p += $1; f += $3; s += $5 } END { printf "%d passed, %d failed, %d skipped\n", p, f, s }' "$lines"
exit "$bad"
