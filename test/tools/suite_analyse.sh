#!/bin/sh
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# suite_analyse.sh FILE…: runs the analysers over the library's sources, as one suite each, with one case per file; a file
# without findings passes. Checks that are deliberately omitted are listed here with the reason; nothing is suppressed in
# the sources.
#
#   gcc -fanalyzer, on what the library is compiled with
#   clang -Weverything without: padded (layout is chosen by frequency of use), implicit-fallthrough (gcc's own reads the
#     comments that say so), and gcc's own warnings again
#   cppcheck warning, performance, portability, including inconclusive findings
#   clang-tidy bugprone, cert, clang-analyzer (which is what scan-build runs, with more checkers), headers included, without:
#     easily-swappable-parameters: (offset, length) and the like are the interface
#     implicit-widening-of-multiplication-result: 16 * ndim, with ndim at most 8
#     DeprecatedOrUnsafeBufferHandling: wants memcpy_s, which no freestanding target has
#   sparse, complete, without: constants that are unsigned long (they fit in uint64_t), do without braces (a matter of
#     style), unknown attributes and macros (it does not know those of the compiler and of its headers)
#   flawfinder from level 3 on
#   headers: each public header by itself, from C99 and from C++98 on, with all warnings
#   misra, cppcheck's addon, without the rules of misra_deviations.tsv: suite_misra.py
# Known false alarms, "tool file text":
#   zstd_upstream.c: utet_payload_error returns the error that it is given; clang takes it for any status, and what is read
#     after UTET_OK for not set
#   query_text.c: utet_query_copy fills the axis's text whenever it returns UTET_OK
#   query_response.c: the templates whose parts ask for the answer are written only where there is one
#   cbor.c: priv.fault, which utet_cbor_fault returns, is an error in each object that has been begun, so a head is read
#     only where read_head filled it
#   slab.c: next_run fills the run whenever it returns UTET_OK
#   tensogram_search.c: there is a key in the file (`wanted`) whenever there is no text; tensogram_data.c: a codec is
#     measured only when there is one; tensogram_find.c: there is a dotted path whenever segments are looked for and are
#     not given one by one
#   rules.c: _FillValue is a member's name because it is the attribute's
#   zstd_tables.c: two variables of the loop that both layouts share are read by the packed one alone
#   meta.h: names that a macro declares cannot be in parentheses (run_clang_tidy leaves them out)
#   zstd_entropy.c: the tables of predefined distributions hold -1 on purpose (RFC 8878, 3.1.1.3.2.2)
known='
gcc_analyzer src/query/query_text.c use.of.uninitialized.value
clang_tidy src/query/query_response.c core.NullDereference
clang_tidy src/cbor/cbor.c core.UndefinedBinaryOperatorResult
gcc_analyzer src/tensogram/tensogram_find.c null-dereference
clang_tidy src/tensogram/tensogram_find.c core.NullDereference
clang_tidy src/zstd/zstd_entropy.c signed-char-misuse
clang_tidy src/tet/slab/slab.c core.UndefinedBinaryOperatorResult
clang_tidy src/tensogram/tensogram_search.c core.NullDereference
clang_tidy src/zstd/zstd_tables.c deadcode.DeadStores
gcc_analyzer src/tensogram/tensogram_search.c null-dereference
gcc_analyzer src/tensogram/tensogram_data.c null-dereference
clang_everything src/tet/meta/rules.c reserved-identifier
clang_tidy src/tet/codec/zstd_upstream.c core.CallAndMessage|core.NullDereference
'
CC=${CC:-gcc}
BUILD=${BUILD:-build}
log=$BUILD/test/log
mkdir -p "$log"
flags="-std=c99 -Iinclude -Isrc ${ZSTD_INCLUDE:+-DUTET_ZSTD_UPSTREAM -isystem $ZSTD_INCLUDE}"
status=0

# suite TOOL: findings of "$@" on standard output count, unless known.
suite() {
    tool=$1
    passed=0 failed=0
    : >"$log/analyse-$tool.log"
    for file in $files; do
        pattern=$(echo "$known" | awk -v t="$tool" -v f="$file" '$1 == t && $2 == f { print $3 }' | paste -sd '|' -)
        found=$("run_$tool" "$file" 2>&1 | grep -E 'warning|error|style|performance|portability' | grep -vE "${pattern:-^$}|warnings? generated|^[0-9]+ warnings")
        if [ -z "$found" ]; then
            passed=$((passed + 1))
        else
            failed=$((failed + 1))
            status=1
            echo "$found" | tee -a "$log/analyse-$tool.log" | head -n 5 | sed 's/^/  /'
        fi
    done
    echo "analyse-$tool: $passed passed, $failed failed"
}

run_gcc_analyzer() { $CC $flags -O2 -Wall -Wextra -fanalyzer -c "$1" -o /dev/null; }
run_clang_everything() {
    clang $flags -Weverything -Wno-padded -Wno-unknown-warning-option -Wno-unsafe-buffer-usage -Wno-implicit-fallthrough \
        -Wno-declaration-after-statement -fsyntax-only "$1"
}
run_cppcheck() {
    cppcheck --std=c99 --enable=warning,performance,portability --inconclusive --quiet --error-exitcode=0 -Iinclude -Isrc \
        --template='{file}:{line}: {severity} {id}: {message}' "$1"
}
run_clang_tidy() {
    clang-tidy --quiet --header-filter='(src|include)/' "$1" --checks='-*,bugprone-*,cert-*,clang-analyzer-*,-bugprone-easily-swappable-parameters,-bugprone-implicit-widening-of-multiplication-result,-clang-analyzer-security.insecureAPI.DeprecatedOrUnsafeBufferHandling' -- $flags 2>/dev/null | grep -v 'src/tet/meta/meta\.h:.*bugprone-macro-parentheses'
}
run_sparse() {
    sparse $flags -Wsparse-all -fmax-warnings=unlimited "$1" 2>&1 | grep -vE 'is so big it is unsigned long|do-while statement is not|unknown attribute|undefined preprocessor identifier .__|undefined identifier .__DBL_MAX__'
}
run_flawfinder() { flawfinder --minlevel=3 --quiet --dataonly --singleline "$1" | sed 's/$/ warning/'; }
run_headers() {
    all="-Wall -Wextra -Wpedantic -Wshadow -Wundef -Iinclude"
    echo "#include \"$1\"" | $CC -std=c99 $all -Wconversion -Wstrict-prototypes -I. -fsyntax-only -x c -
    for standard in c++98 c++11 c++20; do
        echo "#include \"$1\"" | g++ -std=$standard $all -Wno-long-long -Wno-variadic-macros -I. -fsyntax-only -x c++ -
    done
}

sources=$*
for tool in ${ANALYSERS:-gcc_analyzer clang_everything cppcheck clang_tidy sparse flawfinder headers}; do
    files=$sources
    [ "$tool" != headers ] || files=$(echo include/*.h port/posix/*.h port/mmap/*.h port/semihosting/*.h)
    suite "$tool"
done
if [ -z "${ANALYSERS:-}" ]; then
    # Without the adapter to libzstd, whose headers are not checked here.
    python3 test/tools/suite_misra.py test/tools/misra_deviations.tsv include,src $(printf '%s\n' $sources | grep -v zstd_upstream) || status=1
fi
exit $status
