#!/bin/sh
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# avr.sh ELF: runs avr_main.c under simavr and prints cycles for each decoded byte, beside the goals. simavr prints colours,
# and points for tabs and at the ends of lines.
set -eu
timeout 100 simavr -m atmega1284p -f 16000000 "$1" 2>&1 </dev/null | sed -E 's/\x1b\[[0-9;]*m//g; s/\.+$//; s/\./ /g' | awk '
    BEGIN { goal["image"] = 150; goal["field"] = 100; goal["text"] = 120 }
    $1 in goal {
        each = $3 / $2
        printf "%s: %d bytes, %d cycles, %.1f a byte, goal %d%s%s\n", $1, $2, $3, each, goal[$1],
            (each > goal[$1] ? " (missed)" : ""), ($4 == "right" ? "" : ", wrong bytes")
        if ($4 == "right") passed++
    }
    END { printf "%d passed, %d failed\n", passed, 3 - passed; exit passed != 3 }'
