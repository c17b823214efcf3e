#!/bin/sh
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# assemble.sh OUT: makes the folders OUT/microtet-VERSION and OUT/microtet-sys-VERSION in the form that a registry takes: without tests, which
# need the tree, and with the C sources of the package tet and its dependencies.
set -eu
mkdir -p "$1"
out=$(cd "$1" && pwd)
cd "$(dirname "$0")/../.."
version=$(python3 src/tools/packages.py version)
names() { PYTHONPATH=src/tools PYTHONDONTWRITEBYTECODE=1 python3 -c "from packages import Packages; print(*Packages().$1)"; }
crate=$out/microtet-$version sys=$out/microtet-sys-$version

rm -rf "$crate" "$sys"
mkdir -p "$crate" "$sys/c/include"
sed -e '/^\[dev-dependencies\]/,/^$/d' -e '/^\[workspace\]/,$d' -e 's/, path = "sys"//' port/rust/Cargo.toml >"$crate/Cargo.toml"
cp -r port/rust/src port/rust/README.md LICENSE NOTICE "$crate"
(cd port/rust/sys && cp -r Cargo.toml build.rs layout.c src "$sys")
cp LICENSE NOTICE "$sys"
for header in $(names 'headers("tet")'); do cp "include/$header" "$sys/c/include"; done
for package in $(names 'all("tet")'); do
    find "src/$package" -name '*.[ch]' ! -name zstd_upstream.c | while read -r file; do
        mkdir -p "$sys/c/${file%/*}"
        cp "$file" "$sys/c/$file"
    done
done
