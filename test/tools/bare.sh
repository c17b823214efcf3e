#!/bin/bash
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# bare.sh [OPTION…] [TARGET…]: proves that a clean clone works on a Debian that has only make and git. It clones HEAD into a fresh
# chroot and runs `make TARGET` for each (default: demo test), twice in a row, and prints times. A TARGET may be followed by
# variables ("lib CROSS=avr-"). It runs by hand, as root, and needs debootstrap; the bare system is made once and kept in
# ${TMPDIR:-/var/tmp}/microtet-bare.
#   --suite=NAME  another release than bookworm (Debian 12): trixie, sid
#   --shared      SHARED (default ../shared) appears next to the clone, read-only
#   --once        one round only
#   --at=COMMIT   another commit than HEAD
#   -k            make -k: continues after a failure
set -euo pipefail

cd "$(dirname "$0")/../.."
cache=${TMPDIR:-/var/tmp}/microtet-bare
suite=bookworm
for arg in "$@"; do case $arg in --suite=*) suite=${arg#--suite=} ;; esac; done
base=$cache/$suite

[ "$(id -u)" -eq 0 ] || { echo "bare.sh: chroot needs root" >&2; exit 1; }

# All mounts are made in a namespace of this script, so they are gone however it ends.
if [ -z "${BARE_INSIDE:-}" ]; then
    BUILD=${BUILD:-build} src/tools/setup.sh bare
    mkdir -p "$cache"
    root=$(mktemp -d "$cache/run.XXXXXX")
    trap 'rm -rf --one-file-system "$root"' EXIT
    BARE_INSIDE=$root unshare --mount --propagation private "$0" "$@"
    exit
fi
root=$BARE_INSIDE

shared= rounds=2 commit=HEAD keep='' broken=0 targets=()
for arg in "$@"; do
    case $arg in
    --shared) shared=$(cd "${SHARED:-../shared}" && pwd) ;;
    --once)   rounds=1 ;;
    --suite=*) ;;
    --at=*)   commit=${arg#--at=} ;;
    -k)       keep=-k ;;
    -*)       sed -n '4,14s/^# \{0,1\}//p' "$0"; exit 2 ;;
    *)        targets+=("$arg") ;;
    esac
done
[ ${#targets[@]} -gt 0 ] || targets=(demo test)

if [ ! -e "$base.ok" ]; then
    echo "making a bare $suite in $base"
    rm -rf --one-file-system "$base"
    mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | head -n 1)
    debootstrap --variant=minbase --include=make,git "$suite" "$base" ${mirror:+"$mirror"} >"$cache/debootstrap.log" 2>&1 ||
        { tail "$cache/debootstrap.log"; exit 1; }
    touch "$base.ok"
fi
cp -a "$base/." "$root/"

# What this machine needs to reach its package archives, and nothing more: sources, proxies, keys, certificates, pip's settings.
rm -rf "$root/etc/apt"
cp -a /etc/apt "$root/etc/apt"
if [ "$suite" != bookworm ]; then # the same server, the other release
    rm -rf "$root"/etc/apt/sources.list "$root"/etc/apt/sources.list.d/*
    cp "$base/etc/apt/sources.list" "$root/etc/apt/sources.list"
fi
cp -a /usr/share/keyrings/. "$root/usr/share/keyrings/"
if [ -d /usr/local/share/ca-certificates ]; then
    mkdir -p "$root/usr/local/share/ca-certificates"
    cp -a /usr/local/share/ca-certificates/. "$root/usr/local/share/ca-certificates/"
fi
for file in /etc/resolv.conf /etc/hosts /etc/pip.conf; do [ ! -e "$file" ] || cp -L "$file" "$root$file"; done
environment=(PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 TERM=dumb)
for name in http_proxy https_proxy no_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY PIP_INDEX_URL PIP_EXTRA_INDEX_URL PIP_DEFAULT_TIMEOUT; do
    [ -z "${!name:-}" ] || environment+=("$name=${!name}")
done
bundle=/etc/ssl/certs/ca-certificates.crt
if [ -s "$bundle" ]; then
    cp -L "$bundle" "$root/etc/machine-ca.crt"
    environment+=(PIP_CERT=/etc/machine-ca.crt SSL_CERT_FILE=/etc/machine-ca.crt REQUESTS_CA_BUNDLE=/etc/machine-ca.crt)
fi

mkdir -p "$root/clone"
git clone -q --no-hardlinks . "$root/clone/microtet"
git -C "$root/clone/microtet" checkout -q --detach "$(git rev-parse "$commit")"
echo "clone of $(git log -1 --format='%h %s' "$commit")"
mount -t proc proc "$root/proc"
mount --bind /dev "$root/dev"
mkdir -p "$root/dev/pts" "$root/dev/shm"
[ ! -d /dev/pts ] || mount --bind /dev/pts "$root/dev/pts"
[ ! -d /dev/shm ] || mount --bind /dev/shm "$root/dev/shm"
if [ -n "$shared" ]; then
    mkdir "$root/clone/shared"
    mount --bind "$shared" "$root/clone/shared"
    mount -o remount,ro,bind "$root/clone/shared"
fi

for ((round = 1; round <= rounds; round++)); do
    for target in "${targets[@]}"; do
        start=$SECONDS
        if ! env -i "${environment[@]}" chroot "$root" bash -c "make $keep --no-print-directory -C /clone/microtet $target" </dev/null; then
            echo "bare: round $round: make $target FAILED after $((SECONDS - start)) s"
            [ -n "$keep" ] || exit 1
            broken=1
            continue
        fi
        echo "bare: round $round: make $target: $((SECONDS - start)) s"
    done
done
left=$(git -C "$root/clone/microtet" status --porcelain)
[ -z "$left" ] || { echo "bare: the build left files behind in the tree:"; echo "$left"; exit 1; }
exit $broken
