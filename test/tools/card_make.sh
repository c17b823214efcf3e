#!/bin/bash
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# card_make.sh KIND IMAGE FILE…: makes an SD card image with the files and folders in its root, without root rights (mkfs.fat, mtools).
# KIND: fat16 (SDSC 32 MB), fat32 (SDSC 64 MB), mbr (64 MB, FAT32 in the second of two partitions), sdhc (sparse 4 GB, block
# addressed), each optionally followed by -fragmented: then the files' clusters alternate with free ones.
set -euo pipefail
export MTOOLS_SKIP_CHECK=1
PATH=$PATH:/usr/sbin:/sbin

[ $# -ge 2 ] || { sed -n 2,4p "$0" >&2; exit 2; }
kind=$1 image=$2
shift 2

# mtools reads IMAGE@@OFFSET; mkfs.fat takes the partition's start in sectors and its size in KiB.
start=0
case ${kind%-fragmented} in
fat16) size=32M ; options=(-F 16 -s 4) ;;
fat32) size=64M ; options=(-F 32 -s 1) ;;
mbr)   size=64M ; options=(-F 32 -s 1) ; start=4096 ;;
sdhc)  size=4G  ; options=(-F 32 -s 8) ;;
*) echo "card_make.sh: no kind $kind (fat16 fat32 mbr sdhc, each with -fragmented)" >&2; exit 2 ;;
esac

# Little-endian 32-bit number as the four escapes of printf.
le32() { printf '\\x%02x\\x%02x\\x%02x\\x%02x' $(($1 & 255)) $(($1 >> 8 & 255)) $(($1 >> 16 & 255)) $(($1 >> 24 & 255)); }

# Partition 1: 1 MiB of type 0xDA (no file system), partition 2: FAT32 (0x0C) up to the end.
partition_table() {
    local sectors=$(($(stat -c %s "$image") / 512))
    {
        printf "\\x00\\x00\\x00\\x00\\xda\\x00\\x00\\x00$(le32 2048)$(le32 2048)"
        printf "\\x00\\x00\\x00\\x00\\x0c\\x00\\x00\\x00$(le32 $start)$(le32 $((sectors - start)))"
        printf '\0%.0s' {1..32}
        printf '\x55\xaa'
    } | dd of="$image" bs=1 seek=446 conv=notrunc status=none
}

rm -f "$image"
truncate -s "$size" "$image"
if [ "$start" -gt 0 ]; then
    partition_table
    options+=(--offset "$start")
    blocks=$((($(stat -c %s "$image") / 512 - start) / 2))
else
    blocks=$(($(stat -c %s "$image") / 1024))
fi
# A fixed volume number keeps images the same in each run.
mkfs.fat "${options[@]}" -i 7e7e0001 -n MICROTET "$image" "$blocks" >/dev/null
drive=$image@@$((start * 512))

# Fills the beginning of the volume with files of one cluster and removes every second one: what is written next goes
# into the gaps. 1,200 gaps suffice for files of 600 KB with clusters of 512 bytes.
fragment() {
    local folder=$1 i
    mkdir "$folder/fill"
    for i in $(seq -w 1 2400); do echo "$i" >"$folder/fill/f$i"; done
    mcopy -i "$drive" -s "$folder/fill" ::/
    mdel -i "$drive" '::/fill/f*[13579]'
    # FAT32 stores where to search for free clusters next (FSINFO, sector 1, byte 492): this resets it to the beginning.
    case ${kind%-fragmented} in fat16) ;; *)
        printf '\x02\0\0\0' | dd of="$image" bs=1 seek=$(((start + 1) * 512 + 492)) conv=notrunc status=none ;;
    esac
}

case $kind in *-fragmented)
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    fragment "$work" ;;
esac
[ $# -eq 0 ] || mcopy -i "$drive" -s "$@" ::/
