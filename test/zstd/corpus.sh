#!/bin/sh
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# corpus.sh DIR N [LOG] makes N frames with libzstd's decodecorpus in DIR, once: NAME.zst next to its content NAME. LOG limits
# their content to 2^LOG bytes. DECODECORPUS names the program.
set -eu
dir=$1 n=$2 log=${3:-17}
[ "$(cat "$dir/made" 2>/dev/null || true)" = "$n $log" ] && exit 0
rm -rf "$dir"
mkdir -p "$dir"
"$DECODECORPUS" "-s$n" "-n$n" "-p$dir" "-o$dir" "--max-content-size-log=$log" > /dev/null 2>&1
echo "$n $log" > "$dir/made"
