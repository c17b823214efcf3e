#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""The JSON reader against the grammar of RFC 8259 (cases below, by the categories of the usual collections: must be
accepted, must be refused, may be either), and against Python's json module on random and mutated documents.
Usage: json_test.py JSON_RUN [COUNT]      Prints `N passed, N failed`."""

import json
import os
import random
import subprocess
import sys
import tempfile

DEPTH = 256  # UTET_JSON_DEPTH

ACCEPT = [
    b"[]", b"{}", b"null", b"true", b"false", b'""', b"0", b"-0", b"7", b"-12", b"1.5", b"1e9", b"1E+2", b"1e-07", b"0.0e0", b"-0.0",
    b"123456789012345678901234567890", b"18446744073709551615", b"18446744073709551616", b"9223372036854775807",
    b"23058430092136939519", b"23058430092136939520", b"46116860184273879030", b"-23058430092136939529",
    b"-9223372036854775808", b"-9223372036854775809", b"184467440737095516150", b"0e1", b"1e999", b"1e-999", b"1" * 400,
    b" [] ", b"\n\t\r {\n}\n", b"[1,2 , 3]", b'{"a":1}', b'{"a" : 1 , "b":2}', b'{"":0}', b'{"a":1,"a":2}', b'[[[]],{"a":[{}]}]',
    b'"\\u0041"', b'"\\u00e9\\u20AC"', b'"\\ud83d\\ude00"', b'"\\uD834\\uDD1E"', b'"\\u0000"', b'"\\"\\\\\\/\\b\\f\\n\\r\\t"',
    b'"\x7f"', "\"\u00e9\u20ac\U0001f600\"".encode(), "\"\uffff\U0010ffff\ue000\"".encode(), '"\u2028\u2029"'.encode(), b'"\\uFFFF"', b'"\\\\u0041"',
    b'"\\u007f\\u0080\\u07ff\\u0800\\ud7ff\\ue000\\ud800\\udc00\\udbff\\udfff"',
    b'"' + b"a" * 5000 + b'"', b'["' + b"\\n" * 300 + b'"]', b"[" * DEPTH + b"]" * DEPTH, b'{"a":' * 100 + b"[]" + b"}" * 100,
    b"[" + b"1," * 999 + b"1]", b'{"' + b"k" * 200 + b'":"' + b"\xc3\xa9" * 200 + b'"}', b'"/"', b'"a b"', b"[true,false,null]", b"1\n", b"1 ",
]
REFUSE = [
    b"", b" ", b"[", b"]", b"{", b"}", b"[}", b"{]", b"[1", b"[1,", b"[,", b"[,1]", b"[1,]", b"[1,,2]", b"[1 2]", b"[[]", b"[]]", b"[]x", b"{}{}",
    b"[1]]", b"{,}", b'{"a"}', b'{"a":}', b'{"a":1,}', b'{"a":1 "b":2}', b'{"a"::1}', b'{"a",1}', b"{a:1}", b"{'a':1}", b"{1:1}", b'{"a":1,,}',
    b'{"a":1}]', b'["a":1]', b'{"a":1]', b"{null:1}", b"{[]:1}", b":", b",", b"[:]", b'{:"a"}',
    b"nul", b"nulll", b"tru", b"True", b"TRUE", b"falsee", b"nil", b"NaN", b"Infinity", b"-Infinity", b"undefined", b"t", b"f", b"n", b"[tru]", b"[fals", b"nan",
    b"01", b"-01", b"00", b"-", b"+1", b".5", b"1.", b"1.e1", b"1e", b"1e+", b"1e-", b"1.5e", b"--1", b"1-1", b"1+1", b"0x10", b"1_000", b"1,000", b"0.", b"-.5", b"1.2.3", b"1e1.5", b"1e1e1",
    b"1a", b"1 2", b"[1.]", b"[-]", b"[- 1]", b"[1e ]", b"-a", b"0b1", b"1f", "\uff11".encode(), b"0e", b"9.e3",
    b'"', b'"a', b'"\\"', b'"\\', b'"\\u', b'"\\u12', b'"\\u123"', b'"\\u12g4"', b'"\\x41"', b'"\\\x00"', b'"\\\x00\x00"', b'"\\a"', b'"\\U0041"', b'"\\ "', b'"\\\n"', b"'a'", b'"\n"', b'"\t"', b'"\x00"', b'"\x1f"',
    b'"\\u00 1"', b'"\\u-001"', b'"\\uD800\\u', b'"\\ud83d\\ude0', b"\xef\xbb\xbf{}", b"\xef\xbb\xbf", b"/**/{}", b"{}//", b"[1]#", b"\x00", b"[\x00]", b"[1\x00]", b"\x0c[]", b"\x0b1", b"\xa0[]", b"[]\xc2\xa0",
    b"\xe2\x81\xa0[]", b"<null>", b"[a]", b"\\", b'["a\\"]', b'{"a', b'{"a":"b', b"[" * (DEPTH + 1) + b"]" * (DEPTH + 1), b"[" * 100000, b'[{"":' * 50000,
]
# For a parser, these may be either; here they are refused if the text is used, and skipped with it otherwise
# (src/tet/FORMAT.md §7).
EITHER = [
    b'"\\ud800"', b'"\\udc00"', b'"\\ud800\\ud800"', b'"\\udc00\\ud800"', b'"\\ud800x"', b'"\\ud800\\n"', b'"x\\udfff"', b'["\\uDBFF\\u0041"]',
    b'"\xff"', b'"\x80"', b'"\xc3"', b'"\xc3("', b'"\xc0\x80"', b'"\xe0\x80\x80"', b'"\xed\xa0\x80"', b'"\xf0\x80\x80\x80"', b'"\xf4\x90\x80\x80"', b'"\xf5\x80\x80\x80"', b'"\xe2\x82"', b'"\xf0\x9f\x98"', b'"\xfe"',
    b'{"\xff":1}', b'{"\\ud800":1}', b'["\xe9"]',
]


class Number(str):
    pass


def refuse(_):
    raise ValueError("not a number of JSON")


def parse(text):
    return json.loads(text, object_pairs_hook=lambda p: ("object", p), parse_int=Number, parse_float=Number,
                      parse_constant=refuse)


def tokens(value, out):
    if isinstance(value, Number):
        mark = "#" + value
        if all(c not in value for c in ".eE"):
            number = int(value)
            if value[0] != "-" and number < 1 << 64:
                mark += "u%d" % number
            if -(1 << 63) <= number < 1 << 63:
                mark += "i" + ("-" if value[0] == "-" else "") + "%d" % abs(number)
        out.append(mark)
    elif isinstance(value, str):
        out.append("T" + value.encode("utf-8").hex())  # refuses lone surrogates
    elif isinstance(value, tuple):
        out.append("{")
        for key, item in value[1]:
            out.append("K" + key.encode("utf-8").hex())
            tokens(item, out)
        out.append(")")
    elif isinstance(value, list):
        out.append("[")
        for item in value:
            tokens(item, out)
        out.append(")")
    else:
        out.append({True: "t", False: "f", None: "n"}[value])


def strictly(document):
    """The line that the reader should print in strict mode, or None if it should refuse."""
    try:
        out = []
        tokens(parse(document.decode("utf-8")), out)
        return " ".join(out) + " $ "
    except (ValueError, RecursionError):
        return None


STRAY = 0x10FE00  # bytes outside of ASCII, on their way through Python


def leniently(text):
    """Bytes outside of ASCII are taken as they are, halves of surrogate pairs become U+FFFD (json.h)."""
    out = b""
    for c in map(ord, text):
        out += bytes([c - STRAY]) if STRAY + 128 <= c < STRAY + 256 else \
            chr(0xFFFD if 0xD800 <= c < 0xE000 else c).encode()
    return out.hex()


def texts(value, out):
    if isinstance(value, tuple):
        for key, item in value[1]:
            out.append("K" + leniently(key) + " ")
            texts(item, out)
    elif isinstance(value, list):
        for item in value:
            texts(item, out)
    elif isinstance(value, str) and not isinstance(value, Number):
        out.append("T" + leniently(value) + " ")
    return out


def skipping(document):
    """Keys and texts of the lenient mode, which checks only the structure; None if that is wrong."""
    try:
        return "".join(texts(parse(document.decode("latin-1").translate({c: STRAY + c for c in range(128, 256)})), []))
    except (ValueError, RecursionError):
        return None


def random_text(r):
    alphabet = ["a", "b", "Z", " ", "\\n", "\\\"", "\\\\", "\\u00e9", "\\ud83d\\ude00", "é", "€", "😀", "/", "\\/", "\\u0000", "x" * 40]
    return '"' + "".join(r.choice(alphabet) for _ in range(r.randrange(0, 12))) + '"'


def random_value(r, depth):
    kind = r.randrange(0, 9 if depth < 6 else 6)
    if kind < 2:
        return random_text(r)
    if kind < 4:
        return r.choice(["0", "-0", "1", "-7", "3.25", "1e5", "-1.5E-3", "18446744073709551615", str(r.getrandbits(70)),
                         str(-r.getrandbits(64)), str(r.getrandbits(63))])
    if kind < 6:
        return r.choice(["true", "false", "null", "[]", "{}"])
    space = r.choice(["", "", " ", "\n  "])
    items = [random_value(r, depth + 1) for _ in range(r.randrange(0, 5))]
    if kind == 8:
        return "[" + space + ("," + space).join(items) + "]"
    return "{" + space + ("," + space).join(random_text(r) + ":" + space + i for i in items) + "}"


def mutate(r, document):
    data = bytearray(document)
    for _ in range(r.randrange(1, 4)):
        what = r.randrange(0, 5)
        at = r.randrange(0, len(data) + 1)
        if what == 0 and at < len(data):
            data[at] ^= 1 << r.randrange(0, 8)
        elif what == 1:
            data[at:at] = bytes([r.choice(b'{}[],:"\\ 0123456789-+.eEtfnu\x00\x1f\x80\xc3\xa9\xff\n')])
        elif what == 2:
            del data[at:at + r.randrange(1, 4)]
        elif what == 3:
            del data[at:]
        else:
            other = r.randrange(0, len(data) + 1)
            data[at:at] = data[other:other + r.randrange(1, 9)]
    return bytes(data)


def documents(count):
    for document in ACCEPT:
        yield document, "accept"
    for document in REFUSE:
        yield document, "refuse"
    for document in EITHER:
        yield document, "either"
    # Every byte at every position among letters, because a text is searched several bytes at a time.
    for place in range(18):
        for byte in range(256):
            yield b'"' + b"a" * place + bytes([byte]) + b"n" * (17 - place) + b'"', "random"
    r = random.Random(8259)
    for i in range(count):
        document = random_value(r, 0).encode()
        yield (document if i % 3 == 0 else mutate(r, document)), "random"


def judge(document, category, line):
    strict, _, skip = line.partition(" | ")
    refused = "!" in strict
    if category in ("accept", "refuse", "either") and refused != (category != "accept"):
        return "strict: %s" % strict[-200:]
    if category != "random" and ("!" in skip) != (category == "refuse"):
        return "skipping: %s" % skip
    for part in (strict, skip):
        if "!" in part and not 0 <= int(part[part.index("!") + 1:]) <= len(document):
            return "offset: %s" % part[-40:]
    if document.count(b"[") + document.count(b"{") > DEPTH:
        return None  # Python has no such limit
    wanted = strictly(document)
    if refused != (wanted is None) or (not refused and strict != wanted):
        return "strict: %s, Python: %s" % (strict[:300], wanted)
    wanted = skipping(document)
    if ("!" in skip) != (wanted is None) or (wanted is not None and skip != wanted):
        return "skipping: %s, Python: %s" % (skip[:300], wanted)
    return None


def main():
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 5000
    sys.setrecursionlimit(5000)
    cases = list(documents(count))
    with tempfile.NamedTemporaryFile(suffix=".docs") as file:
        for document, _ in cases:
            file.write(b"%d\n" % len(document) + document)
        file.flush()
        run = subprocess.run([sys.argv[1], file.name], capture_output=True, text=True)
    lines = run.stdout.split("\n")
    passed = failed = accepted = 0
    if run.returncode != 0 or len(lines) != len(cases) + 1:
        print("FAILED: %d lines for %d documents, exit status %d: %s" % (len(lines) - 1, len(cases), run.returncode, run.stderr[-600:]))
        failed += 1
    for (document, category), line in zip(cases, lines):
        fault = judge(document, category, line)
        accepted += "!" not in line.partition(" | ")[0]
        if fault:
            print("FAILED %s %r: %s" % (category, document[:200], fault))
            failed += 1
        else:
            passed += 1
    print("figure: %d JSON documents, %d of them accepted, all as Python's json says" % (len(cases), accepted))
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
