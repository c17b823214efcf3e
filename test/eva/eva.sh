#!/bin/sh
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# eva.sh NAME [PART…]: runs Frama-C EVA over the parts (default all) of a harness, test/*/eva_NAME.c, on its machine
# models. A part on a model counts as passed if EVA ends with no alarm, of the code or of a contract that may be broken,
# and has proved the harness's own assertions. EVA_MACHINES=… chooses other models, EVA_SRC=DIR takes the sources from
# DIR. EVA_PARSE=1 only checks whether Frama-C can read the harness. EVA_OPTIONS=1 only prints EVA's options, one line
# for each part.
#
# The comment at the head of a harness ends with its parts, its models and, for parts that need some, EVA's options:
#
#  * eva.sh: 3 parts, x86_32, ppc_32
#  *   1 3: -eva-slevel 300
#  *       -eva-split-return-function any:0,@{src/tet/slab/slab.c src/tet/stream/stream.c}:0
#
# @{…} stands for all functions of these sources that return a status, each followed by what comes after the brace. A
# model is left out if a component needs more (pointers or an int of 32 bits), or, in harnesses that run by hand,
# because nobody ran it.
set -u
name=$1
shift
harness=$(echo test/*/"eva_$name.c")
last=$(sed -n 's/^ \* eva\.sh: \([0-9]*\) parts*, .*/\1/p' "$harness")
machines=$(sed -n 's/^ \* eva\.sh: [0-9]* parts*, //p' "$harness" | tr -d ,)
[ -n "$last" ] || { echo "eva.sh: $harness does not say how many parts it has" >&2; exit 2; }
log=${BUILD:-build}/test/log/eva
mkdir -p "$log"
passed=0 failed=0

options() {
    awk -v part="$1" '
        /^ \* eva\.sh: / { inside = 1; next }
        inside && /^ \*\// { exit }
        inside && /^ \*   [0-9]/ {
            mine = index(" " substr($0, 6, index($0, ":") - 6) " ", " " part " ")
            sub(/^[^:]*:/, "")
        }
        inside && mine { sub(/^ \* */, ""); text = text " " $0 }
        END {
            while (match(text, /@\{[^}]*\}[:0-9]*/)) {
                files = suffix = substr(text, RSTART + 2, RLENGTH - 2)
                sub(/\}.*/, "", files)
                sub(/.*\}/, "", suffix)
                list = ""
                functions = "sed -n \"s/^[a-z].*status \\([a-z_]*\\)(.*/\\1/p\" " files " | sort -u"
                while ((functions | getline one) > 0)
                    list = list (list == "" ? "" : ",") one suffix
                close(functions)
                text = substr(text, 1, RSTART - 1) list substr(text, RSTART + RLENGTH)
            }
            gsub(/  +/, " ", text)
            print text
        }' "$harness"
}

if [ -n "${EVA_OPTIONS:-}" ]; then
    for part in ${*:-$(seq "$last")}; do echo "$(options "$part")"; done
    exit
fi

for part in ${*:-$(seq "$last")}; do
    for machine in ${EVA_MACHINES:-$machines}; do
        out=$log/$name-$part-$machine.log
        flags="-Iinclude -I${EVA_SRC:-src} -Itest/eva -DEVA_PART=$part -U__GNUC__ -U__SIZEOF_INT128__ -include test/eva/gap.h"
        if [ -n "${EVA_PARSE:-}" ]; then
            if frama-c -machdep "$machine" -cpp-extra-args="$flags" "$harness" >"$out.parse" 2>&1; then
                passed=$((passed + 1))
            else
                failed=$((failed + 1))
                printf '%s\n' "EVA $name $part on $machine: $(grep -A 2 'User Error' "$out.parse" | head -n 3 | tr '\n' ' ')"
            fi
            continue
        fi
        # shellcheck disable=SC2046
        frama-c -machdep "$machine" -cpp-extra-args="$flags" -eva -main eva_main \
            $(options "$part") -eva-no-show-progress "$harness" >"$out" 2>&1
        if grep -q '^  0 alarms generated' "$out" && grep -q '100% of the logical properties' "$out" &&
            ! grep -q -e 'eva:alarm' -e 'Frama-C aborted' "$out"; then
            passed=$((passed + 1))
        else
            failed=$((failed + 1))
            printf '%s\n' "EVA $name $part on $machine: $(grep -E -A 2 'eva:alarm|User Error|aborted' "$out" | head -n 6 | tr '\n' ' ')"
        fi
    done
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
