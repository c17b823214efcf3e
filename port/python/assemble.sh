#!/bin/sh
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# assemble.sh FOLDER: makes the source package of the wheel in FOLDER: the files of this folder at its top, and those of
# the tree from which library and tool are built. `pip wheel FOLDER` then builds the wheel.
set -eu
umask 022
cd "$(dirname "$0")/../.."
to=$1
rm -rf "$to"
mkdir -p "$to/microtet" "$to/boards" "$to/port"
cp port/python/pyproject.toml port/python/setup.py port/python/build_cffi.py port/python/MANIFEST.in port/python/README.md \
    Makefile LICENSE NOTICE "$to"
cp -r port/python/examples "$to"
cp port/python/microtet/*.py port/python/microtet/py.typed "$to/microtet"
cp -r include src "$to"
cp -r port/*.mk port/posix port/mmap port/uart "$to/port"
cp -r boards/host "$to/boards"
find "$to" -name __pycache__ -prune -exec rm -rf {} +
# The same bytes whenever it is made: SOURCE_DATE_EPOCH, or the date of the last commit.
epoch=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || echo 315532800)}
find "$to" -exec touch -h -d "@$epoch" {} +
