#!/bin/bash
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# fetch.sh NAME…: fetches third-party sources by pinned name, version and sha256, and unpacks them to build/deps/NAME; a second run needs
# no network. They are dependencies of the build and are never committed. Names: zstd157 zstd154 fatfs littlefs actionlint reuse conan embedded
# playwright rp2040js freertos micropython lz4 heatshrink sevenzip miniz; zstd154 is only for tests: it has decodecorpus
# and golden frames, which zstd157 lacks. actionlint and reuse are programs
# that check the workflows and the licences (make run-forge); conan installs the library as a package (make run-ecosystem-conan);
# embedded has PlatformIO, the ESP-IDF component manager and Kconfiglib (make run-ecosystem-platformio, -espidf, -zephyr);
# playwright drives the browser of make run-browser; rp2040js emulates the board of make run-rp2040;
# freertos is the kernel of the firmware of make run-tasks; micropython takes in the module of port/micropython (make run-micropython).
# lz4, heatshrink, sevenzip, miniz and micropython's uzlib are the decoders that make bench-others compares with.
set -euo pipefail

BUILD=${BUILD:-build}
DEPS=$BUILD/deps
KEEP=$DEPS/archives
NAMES="zstd157 zstd154 fatfs littlefs actionlint reuse conan embedded playwright rp2040js freertos micropython lz4 heatshrink sevenzip miniz"

# The meaning of each name: kind, package, version, sha256, archive, folder inside it that becomes build/deps/NAME.
pin() {
    case $1 in
    zstd157)  echo pypi zstandard       0.25.0 7713e1179d162cf5c7906da876ec2ccb9c3a9dcbdffef0cc7f70c3667a205f0b \
                   zstandard-0.25.0.tar.gz zstd ;;
    zstd154)  echo deb  libzstd         1.5.4+dfsg2-5 8cf4bbb65e77ec348d052c8d6230eba66d435bddf64c8b5be2fcb16880c19953 \
                   libzstd_1.5.4+dfsg2.orig.tar.xz . ;;
    fatfs)    echo pypi fatfs-ng        0.1.16 86dc7b951c24ae60d5e49bc0c3ca8c535772756e80082595529223a7b9f8fe0a \
                   fatfs_ng-0.1.16.tar.gz foreign/fatfs/source ;;
    littlefs) echo pypi littlefs-python 0.17.1 3bc0fd4e77f94fa6559517517cfaa3dfc74252471ac96e1ae5f590689e04aed0 \
                   littlefs_python-0.17.1.tar.gz littlefs ;;
    actionlint) echo go github.com/rhysd/actionlint v1.7.7 h1:0KgkoNTrYY7vmOCs9BW2AHxLvvpoY9nEUzgBHiPUr0k= - ./cmd/actionlint ;;
    reuse)      echo pip reuse 6.2.0 "$(sha256sum test/build/reuse_packages.txt | cut -d' ' -f1)" - test/build/reuse_packages.txt ;;
    conan)      echo pip conan 2.34.0 "$(sha256sum test/packages/conan_packages.txt | cut -d' ' -f1)" - test/packages/conan_packages.txt ;;
    embedded)   echo pip platformio 6.2.0 "$(sha256sum test/packages/embedded_packages.txt | cut -d' ' -f1)" - test/packages/embedded_packages.txt ;;
    playwright) echo npm playwright-core 1.65.1 6f5a60be62a4fddfbe7d10c448d8fbd54547da3358f2f8a04211440471ee863e \
                   playwright-core-1.65.1.tgz . ;;
    rp2040js)   echo npm rp2040js 1.4.1 83328017cf7e503477e8d218cb742d3e843782d795edd175a0b81346c194e56f rp2040js-1.4.1.tgz . ;;
    freertos)   echo crate freertos-next 0.10.0 da129eb4e6e87cc12ac6f8668e0102b8568082b7be5ac6375794a5c60b9dabaf \
                     freertos-next-0.10.0.crate FreeRTOS-Kernel ;;
    micropython) echo deb micropython 1.25.0+ds-1 7b25be99a502f070b2de81dafc08da7051d992325d6e67daa9045a918fffdbea \
                     micropython_1.25.0+ds.orig.tar.xz . ;;
    lz4)        echo deb lz4 1.9.4-1 0b0e3aa07c8c063ddf40b082bdf7e37a1562bda40a0ff5272957f3e987e0e54b lz4_1.9.4.orig.tar.gz lib ;;
    heatshrink) echo deb heatshrink 0.4.1-3 7529a1c8ac501191ad470b166773364e66d9926aad632690c72c63a1dea7e9a6 heatshrink_0.4.1.orig.tar.gz . ;;
    sevenzip)   echo deb 7zip 25.01+dfsg-1 077c424cd50001e2be8847892522bc83e807e0b9448af1b69512c03d769c88ef 7zip_25.01+dfsg.orig.tar.xz . ;;
    miniz)      echo crate miniz-sys 0.1.12 1e9e3ae51cea1576ceba0dde3d484d30e6e5b86dee0b2d412fe3a16a15c98202 miniz-sys-0.1.12.crate . ;;
    *) return 1 ;;
    esac
}

fail() { echo "fetch.sh: $*" >&2; exit 1; }

verified() { echo "$2  $1" | sha256sum --check --status 2>/dev/null; }

# Debian's archive keeps the sources of all its releases in one pool, so that each of them finds this one: it is requested from the
# servers from which this machine gets its packages.
fetch_deb() {
    local package=$1 version=$2 into=$3 server letter=${1:0:1}
    [[ $package != lib* ]] || letter=${1:0:4}
    if [ -x /usr/lib/apt/apt-helper ]; then
        for server in $(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | sort -u); do
            /usr/lib/apt/apt-helper -qq -o APT::Sandbox::User=root -o Acquire::Retries=3 download-file \
                "${server}pool/main/$letter/$package/$archive" "$into/$archive" >/dev/null 2>&1 && return 0
        done
    fi
    echo "fetch.sh: $package $version comes from Debian's archive." >&2
    [ "$package" != libzstd ] || echo "Without it: ZSTD154_DIR= a copy of zstd's whole source tree, with tests/decodecorpus.c and tests/golden-decompression." >&2
    return 1
}

# pip runs an sdist's build requirements to learn its name, so build isolation stays on.
fetch_pypi() {
    python3 -m pip --quiet --disable-pip-version-check download --no-deps --no-binary "$1" -d "$3" "$1==$2"
}

# A package of npm, as one archive; nothing in it is run.
fetch_npm() {
    npm pack --silent --pack-destination "$3" "$1@$2" >/dev/null
}

# A package of Rust's registry, as one archive, from cargo's store; nothing in it is built. (cargo fetch would require a compiler.)
fetch_crate() {
    local from
    from=$(mktemp -d)
    mkdir "$from/src"
    touch "$from/src/lib.rs"
    printf '[package]\nname = "fetch"\nversion = "0.0.0"\n[dependencies]\n%s = "=%s"\n' "$1" "$2" >"$from/Cargo.toml"
    cargo vendor --quiet --manifest-path "$from/Cargo.toml" "$from/all" >/dev/null && \
        cp "${CARGO_HOME:-$HOME/.cargo}"/registry/cache/*/"$1-$2.crate" "$3/"
    local code=$?
    rm -rf "$from"
    return $code
}

# A program in Go, built from its module. The module has the pinned checksum, and its go.sum has those of everything that it needs.
fetch_go() {
    local module=$1 version=$2 into=$3 sum=$4 program=$5 said
    export GOFLAGS="-mod=readonly -modcacherw -buildvcs=false" GOSUMDB=off GOTOOLCHAIN=local
    GOMODCACHE=$(cd "$DEPS" && pwd)/go
    export GOMODCACHE
    said=$(cd "$into" && GOFLAGS="-mod=mod -modcacherw" go mod download -json "$module@$version") || return 1
    [[ $said == *"\"Sum\": \"$sum\""* ]] || { echo "fetch.sh: $module $version has another sum than $sum: not used" >&2; return 1; }
    (cd "$GOMODCACHE/$module@$version" && go build -trimpath -o "$into/" "$program")
}

# A program in Python and its dependencies, each with the checksums that the file of its packages states.
fetch_pip() {
    python3 -m pip --quiet --disable-pip-version-check install --root-user-action=ignore --require-hashes --no-deps --target "$3" -r "$5"
}

fetch_program() {
    local name=$1 kind=$2 package=$3 version=$4 sum=$5 what=$7 fresh try
    echo "fetching $package $version ($kind)"
    for try in 1 2 3; do
        fresh=$(mktemp -d "$(cd "$DEPS" && pwd)/$name.XXXXXX")
        "fetch_$kind" "$package" "$version" "$fresh" "$sum" "$what" && break
        rm -rf "$fresh"
        [ "$try" -lt 3 ] || fail "could not fetch $package $version"
        sleep $((try * 3))
    done
    rm -rf "${DEPS:?}/$name"
    mv "$fresh" "$DEPS/$name"
    echo "$sum" >"$DEPS/$name/.sha256"
    touch "$DEPS/$name.ok"
}

fetch() {
    local name=$1 kind package version sum archive folder
    # shellcheck disable=SC2046
    set -- $(pin "$name") || fail "no such name: $name ($NAMES)"
    [ $# -eq 6 ] || fail "no such name: $name ($NAMES)"
    kind=$1 package=$2 version=$3 sum=$4 archive=$5 folder=$6

    if [ "$(cat "$DEPS/$name/.sha256" 2>/dev/null)" = "$sum" ]; then touch "$DEPS/$name.ok"; return; fi
    case $kind in go | pip) fetch_program "$name" "$@"; return ;; esac

    mkdir -p "$KEEP"
    if ! verified "$KEEP/$archive" "$sum"; then
        echo "fetching $package $version ($kind)"
        rm -f "$KEEP/$archive"
        local try
        for try in 1 2 3; do
            "fetch_$kind" "$package" "$version" "$KEEP" && break
            [ "$try" -lt 3 ] || fail "could not fetch $package $version; a copy of your own: see make help"
            sleep $((try * 3))
        done
        verified "$KEEP/$archive" "$sum" || fail "$archive has another sha256 than $sum: not used"
    fi

    local fresh
    fresh=$(mktemp -d "$DEPS/$name.XXXXXX")
    tar -xf "$KEEP/$archive" -C "$fresh" --strip-components=1 --no-same-owner
    chmod -R u+w "$fresh"
    [ -d "$fresh/$folder" ] || fail "$archive has no $folder"
    rm -rf "${DEPS:?}/$name"
    mv "$fresh/${folder%.}" "$DEPS/$name"
    [ "$folder" = . ] || rm -rf "$fresh"
    echo "$sum" >"$DEPS/$name/.sha256"
    touch "$DEPS/$name.ok"
}

[ $# -gt 0 ] || { echo "usage: fetch.sh NAME…  ($NAMES)" >&2; exit 2; }
mkdir -p "$DEPS"
for name in "$@"; do fetch "$name"; done
