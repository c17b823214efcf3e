#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""Query documents, without a tensor file: document_test.py DOCUMENT [--cases N] [--seed N]

1. messages.txt: documents that the reference refuses, and its message, word for word.
   Limits: the last document that is accepted, and the first that is not, as the reference judges both.
2. Numbers of JSON as doubles, against Python's own conversion, bit by bit.
3. Random documents with white space, escapes, keys in any order and twice: the result has the intended meaning.
4. Documents with a byte changed or cut off: refused as JSON exactly when Python's reader refuses them.
Every document is read from memory and through a port that answers one byte at a time with "not yet" before each; both
must give the same. A port that fails at its nth read must give its own error, for each n of some documents.
"""
import argparse
import decimal
import itertools
import json
import os
import random
import re
import struct
import subprocess
import sys
from fractions import Fraction

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "tools"))
import tally  # noqa: E402

OPERATIONS = ("sum mean min max count var std product norm_l1 norm_l2 all_finite any_nan any_inf nan_count inf_count "
              "nan_mean nan_std arg_min arg_max median").split()


def check(what, right):
    """what: the case and what is wrong, part by part, each of which ends with what matters."""
    tally.check("" if right else "\n    ".join(str(part)[-1200:] for part in what), right)


def ask(program, asked, text, lines=1):
    """What the program prints about each case, `lines` lines of standard output, and on standard error."""
    done = subprocess.run([program], input=text, capture_output=True, check=False)
    answers = done.stdout.decode("utf-8", "replace").split("\n")[:-1]
    if done.returncode != 0 or len(answers) != lines * len(asked):
        print(done.stderr.decode("utf-8", "replace")[-3000:])
        died = len(answers) // lines
        sys.exit("%s died after %d of %d: %.2000s" % (os.path.basename(program), died, len(asked), asked[min(died, len(asked) - 1)]))
    return answers, done.stderr


def run(program, documents, mode, failing=None):
    """Answers to documents (bytes), and how many reads each took."""
    failing = failing or [0] * len(documents)
    text = b"".join(b"%d %d %d\n" % (mode, len(d), f) + d for d, f in zip(documents, failing))
    answers, reads = ask(program, documents, text)
    return answers, [int(n) for n in reads.split()] if mode == 1 else []


def both(program, documents):
    """Answers from memory, which must be those through the slow port."""
    answers, _ = run(program, documents, 0)
    slow, reads = run(program, documents, 1)
    for document, a, b in zip(documents, answers, slow):
        check(("slow port", document[:200], a, b), a == b)
    return answers, reads


def blanks(program, documents, answers):
    """More blanks than the window holds, before the brackets of objects: each stage reads its key's value again, and may be
    suspended there. They only change the offset of a syntax error."""
    def spread(document):
        out, quoted, escaped = bytearray(), False, False
        for byte in document:
            quoted ^= byte == 34 and not escaped
            escaped = byte == 92 and not escaped
            out += b" " * 210 * (byte == 125 and not quoted) + bytes([byte])
        return bytes(out)

    cases = [(spread(d), a) for d, a in zip(documents, answers) if d.endswith(b"}") and len(d) < 4000 and " at line " not in a]
    for (document, answer), slow in zip(cases, run(program, [d for d, _ in cases], 1)[0]):
        check(("blanks", document[:200], answer, slow), answer == slow)


def messages(program):
    with open(os.path.join(HERE, "messages.txt"), encoding="utf-8") as file:
        lines = [line.rstrip("\n") for line in file if not line.startswith("#")]
    cases = [(lines[i], lines[i + 1]) for i in range(0, len(lines), 2)]
    long = [({"dataset": "a" * 1025, "sum": []}, "validation: `dataset` name exceeds maximum length (1025 > 1024)"),
            ({"dataset": "a", "spill": "x" * 1025}, "validation: `spill` path exceeds maximum length (1025 > 1024)"),
            ({"dataset": "a", "label_filter": {"axis": "x", "eq": "x" * 1025}},
             "validation: `label_filter.eq` exceeds maximum length (1025 > 1024)")]
    cases = [("error: " + words, json.dumps(document)) for document, words in long] + cases
    for depth in 64, 65, 97, 126, 127:
        words = "validation: query document nesting depth %d exceeds maximum 64" % depth
        if depth == 64:
            words = "validation: `execution` must be a JSON object"
        cases.append(("error: " + words, '{"dataset":"a","execution":' + "[" * (depth - 1) + "]" * (depth - 1) + "}"))
    for depth in 128, 129:
        cases.append(("error: invalid query JSON: recursion limit exceeded at line 1 column 154",
                      '{"dataset":"a","execution":' + "[" * (depth - 1) + "]" * (depth - 1) + "}"))
    cases.append(("error: validation: query document exceeds maximum size (1048577 bytes, limit 1048576)",
                  '{"dataset":"a"}' + " " * (1048577 - 15)))
    prefix = '{"dataset":"a","%s' % ("k" * 40)  # keys that differ only after the bytes that are kept
    cases.append(("error: validation: unknown field `%s`" % ("k" * 40 + "a"), prefix + 'b":1,"%s":2,"%s":3}' % ("k" * 40 + "a", "k" * 40 + "c")))
    cases.append(("error: validation: unknown field `%s`" % ("k" * 40), prefix + 'b":1,"%s":2}' % ("k" * 40)))
    # the end of a key sorts before any byte, also before one that is less than the quote
    cases.append(("error: validation: unknown field `%s`" % ("k" * 40), prefix + '!":1,"%s":2}' % ("k" * 40)))
    # a key next to a pipeline: of two, the first one in sorted order
    beside = sorted(OPERATIONS + ["selection", "spill", "filter", "group_by", "window", "write"])
    for first, second in itertools.combinations(beside, 2):
        if first[0] == second[0]:
            cases.append(("error: validation: " + "`pipeline` cannot be combined with top-level `%s`" % first, '{"dataset":"a","pipeline":[{"sum":[]}],"%s":[],"%s":[]}' % (second, first)))
    # the smaller one counts, though further bytes of both are in another order
    cases.append(("error: validation: unknown field `%s`" % ("k" * 40 + "bz"), prefix + 'bz":1,"%s":2}' % ("k" * 40 + "ca")))
    # lines and columns begin with 1, columns again after each line feed
    cases.append(("error: invalid query JSON: expected value at line 2 column 8", '{"dataset":"a",\n "sum":}'))
    cases.append(("error: invalid query JSON: expected value at line 4 column 1", '{"dataset":"a",\n\n"sum":\n}'))
    # nothing after the escape: the column is the one after its digits, as when more follows
    cases.append(("error: invalid query JSON: invalid escape at line 1 column 18", '{"dataset":"\\u12g4'))
    for more in "", '"}':
        cases.append(("error: invalid query JSON: unexpected end of hex escape at line 1 column 20", '{"dataset":"a\\ud800x' + more))
    # any of the four digits of an escape may be the invalid one
    for i in range(4):
        cases.append(("error: invalid query JSON: invalid escape at line 1 column 18", '{"dataset":"\\u' + "1230"[:i] + "g" + "1230"[i + 1:] + '"}'))
        cases.append(("error: invalid query JSON: invalid escape at line 1 column 24", '{"dataset":"\\ud800\\u' + "dc00"[:i] + "g" + "dc00"[i + 1:] + '"}'))
    # after the colon of a device there are only digits, and before them a colon
    for code in range(33, 127):
        for device, words in (("cuda:1" + chr(code), "invalid device `%s` (expected cuda:N with non-negative N)"),
                              ("rocm" + chr(code) + "1", "unknown device `%s` (expected cpu, auto, metal, cuda[:N| :multi], or rocm[:N| :multi])")):
            if not device[5:].isdigit() or device[4] != ":":
                cases.append(("error: validation: " + words % device, json.dumps({"dataset": "a", "execution": {"device": device}})))
    # words that documents know elsewhere are as unknown as any other
    words = "bins rolling tumbling sliding none 0 nan fill start end labels switch spill sidecar ram".split()
    for key, known in ("pad", ["none", "0", "nan", "fill"]), ("align", ["start", "end"]):
        for word in words:
            if word not in known:
                cases.append(("error: validation: unknown window %s `%s` (expected %s%s or %s)" % (key, word, ", ".join(known[:-1]), "," * (len(known) > 2),
                                                                                                  known[-1]),
                              '{"dataset":"a","sum":[],"window":{"axis":1,"size":2,"mode":"bins","%s":"%s"}}' % (key, word)))
    # a document that ends within an escape
    surrogates = '{"dataset":"a\\ud800\\udc00'
    for end in range(14, len(surrogates) + 1):
        cases.append(("error: invalid query JSON: EOF while parsing a string at line 1 column %d" % end, surrogates[:end]))
    # RFC 8259 §7: a string contains no control character as it is
    for code in range(0x20):
        cases.append(("error: invalid query JSON: control character (\\u0000-\\u001F) found while parsing a string at line %s"
                      % ("2 column 0" if code == 10 else "1 column 14"), '{"dataset":"a%c"}' % code))
    documents = [document.encode() for _, document in cases]
    answers, _ = both(program, documents)
    for (words, document), answer in zip(cases, answers):
        check(("message", document[:200], words, answer), answer == "-54 " + words)
    blanks(program, documents, answers)
    # an axis is [0-9]+ or [A-Za-z_][A-Za-z0-9_-]*
    for code in range(32, 127):
        for token in chr(code), "a" + chr(code), "7" + chr(code):
            document = json.dumps({"dataset": "a", "sum": [token]}).encode()
            right = re.fullmatch("[0-9]+|[A-Za-z_][A-Za-z0-9_-]*", token) is not None
            check(("axis", token), run(program, [document], 0)[0][0].startswith("0 ") == right)
    # other members of a reduction's value have no effect, and leave nothing for what is checked after it
    for rest in '"filter":{"field":"value","gt":1}', '"window":{"axis":1,"size":2,"mode":"bins"}', '"group_by":[1]', '"spill":"x"', '"quantile":{"q":0.5}':
        plain, odd = (('{"dataset":"a","sum":{%s"axis":0},%s}' % (more, rest)).encode() for more in ("", '"wibble":1,"wibbles":[2],'))
        same = run(program, [plain, odd], 0)[0]
        check(("other members", rest, same), same[0] == same[1])
    # more ranges than any dataset has axes: each is checked by itself
    many = '{"dataset":"a","selection":[%s{"start_label":"x","stop_label":"yyy"},{"stop":1},{"start":1,"stop":9,"step":7}]}' % ("{}," * 8)
    check(["eleven ranges"], run(program, [many.encode()], 0)[0][0].startswith("0 dataset=61 "))
    whole = ('{"dataset":"a","sum":[]}' + " " * (1048576 - 24)).encode()
    check(["1 MiB"], run(program, [whole], 0)[0] == ["0 dataset=61 op=sum axes="])


def limit_cases():
    """(document, the reference's message, or None if it is accepted): each limit, and one more."""
    def nested(depth):
        return '{"dataset":"a","layout_version":' + "[" * (depth - 1) + "]" * (depth - 1) + "}"

    def axes(n):
        return ",".join(str(i) for i in range(n))

    def names(n):
        return ",".join('"x%d"' % i for i in range(n))

    cases = []
    for good, bad, words in (
            ('{"dataset":"%s"}' % ("a" * 1024), '{"dataset":"%s"}' % ("a" * 1025), "`dataset` name exceeds maximum length (1025 > 1024)"),
            ('{"dataset":"%s"}' % ("é" * 512), '{"dataset":"%s"}' % ("é" * 513), "`dataset` name exceeds maximum length (1026 > 1024)"),
            ('{"dataset":"a","spill":"%s"}' % ("x" * 1024), '{"dataset":"a","spill":"%s"}' % ("x" * 1025), "`spill` path exceeds maximum length (1025 > 1024)"),
            ('{"dataset":"a","label_filter":{"axis":0,"eq":"%s"}}' % ("x" * 1024), '{"dataset":"a","label_filter":{"axis":0,"eq":"%s"}}' % ("x" * 1025),
             "`label_filter.eq` exceeds maximum length (1025 > 1024)"),
            ('{"dataset":"a","sum":"%s"}' % ("a" * 32), '{"dataset":"a","sum":"%s"}' % ("a" * 33), "axis label exceeds maximum length (32)"),
            ('{"dataset":"a","group_by":[%s],"sum":[]}' % axes(8), '{"dataset":"a","group_by":[%s],"sum":[]}' % axes(9), "`group_by` has 9 keys; maximum is 8"),
            ('{"dataset":"a","group_by":[%s],"sum":[]}' % names(8), '{"dataset":"a","group_by":[%s],"sum":[]}' % names(9), "`group_by` has 9 keys; maximum is 8"),
            ('{"dataset":"a","sum":[%s]}' % names(8), '{"dataset":"a","sum":[%s]}' % names(9), "operation has 9 axes; maximum is 8"),
            ('{"dataset":"a","sum":[],"window":{"axis":0,"size":1048576,"mode":"bins"}}', '{"dataset":"a","sum":[],"window":{"axis":0,"size":1048577,"mode":"bins"}}',
             "`window.size` exceeds maximum (1048577 > 1048576)"),
            ('{"dataset":"a","sum":[],"window":{"axis":0,"size":1,"mode":"bins"}}', '{"dataset":"a","sum":[],"window":{"axis":0,"size":0,"mode":"bins"}}',
             "`window.size` must be >= 1"),
            ('{"dataset":"a","sum":[],"window":{"axis":0,"size":7,"mode":"bins","min_count":7}}', '{"dataset":"a","sum":[],"window":{"axis":0,"size":7,"mode":"bins","min_count":8}}',
             "`window.min_count` (8) exceeds window.size (7)"),
            ('{"dataset":"a","sum":[],"window":{"axis":0,"size":7,"mode":"bins","min_count":1}}', '{"dataset":"a","sum":[],"window":{"axis":0,"size":7,"mode":"bins","min_count":0}}',
             "`window.min_count` must be >= 1"),
            ('{"dataset":"a","histogram":{"bins":4096}}', '{"dataset":"a","histogram":{"bins":4097}}', "histogram bins exceeds maximum 4096 (got 4097)"),
            ('{"dataset":"a","histogram":{"bins":1}}', '{"dataset":"a","histogram":{"bins":0}}', "histogram bins must be >= 1"),
            ('{"dataset":"a","histogram":{"bins":1,"min":1,"max":1.0000000000000002}}', '{"dataset":"a","histogram":{"bins":1,"min":1,"max":1}}',
             "histogram min must be < max (got 1 >= 1)"),
            ('{"dataset":"a","quantile":{"q":1}}', '{"dataset":"a","quantile":{"q":1.0000000000000002}}', "quantile q must be in [0.0, 1.0], got 1.0000000000000002"),
            ('{"dataset":"a","quantile":{"q":0}}', '{"dataset":"a","quantile":{"q":-5e-324}}',
             "quantile q must be in [0.0, 1.0], got -0." + "0" * 323 + "5"),
            ('{"dataset":"a","execution":{"memory_budget_percent":100}}', '{"dataset":"a","execution":{"memory_budget_percent":100.5}}',
             "`execution.memory_budget_percent` must be in [0, 100], got 100.5"),
            ('{"dataset":"a","execution":{"memory_budget_percent":0}}', '{"dataset":"a","execution":{"memory_budget_percent":-1}}',
             "`execution.memory_budget_percent` must be in [0, 100], got -1"),
            ('{"dataset":"a","execution":{"memory_budget_percent_bps":10000}}', '{"dataset":"a","execution":{"memory_budget_percent_bps":10001}}',
             "`execution.memory_budget_percent_bps` must be <= 10000 (100%)"),
            ('{"dataset":"a","layout_version":4294967295}', '{"dataset":"a","layout_version":4294967296}', "`layout_version` must be a non-negative integer"),
            ('{"dataset":"a","selection":[{"step":1}]}', '{"dataset":"a","selection":[{"step":0}]}', "selection[0].step must be >= 1, got 0"),
            ('{"dataset":"a","selection":[{"start":6,"stop":7}]}', '{"dataset":"a","selection":[{"start":7,"stop":7}]}',
             "selection[0]: start must be < stop when both set (got 7 >= 7)"),
            ('{"dataset":"a","selection":[{},{"step":1}]}', '{"dataset":"a","selection":[{},{"step":0}]}', "selection[1].step must be >= 1, got 0"),
            ('{"dataset":"a","selection":[{},{"start":6,"stop":7}]}', '{"dataset":"a","selection":[{},{"start":7,"stop":7}]}',
             "selection[1]: start must be < stop when both set (got 7 >= 7)"),
            ('{"dataset":"a","selection":[{"stop":18446744073709551615}]}', '{"dataset":"a","selection":[{"start":18446744073709551615,"stop":18446744073709551615}]}',
             "selection[0]: start must be < stop when both set (got 18446744073709551615 >= 18446744073709551615)"),
            ('{"dataset":"a","filter":{"gt":1e22,"lt":1e300}}', '{"dataset":"a","filter":{"gt":1e300,"lt":1e22}}',
             "`filter` range is empty (`gt`: 1" + "0" * 300 + ", `lt`: 1" + "0" * 22 + ")"),
            ('{"dataset":"a","filter":{"ge":1.5e16,"le":1.5e16}}', '{"dataset":"a","filter":{"ge":1.5e16,"lt":1.5e16}}',
             "`filter` range is empty (`ge`: 15000000000000000, `lt`: 15000000000000000)"),
            ('{"dataset":"a","filter":{"gt":-1e-7,"le":-1e-8}}', '{"dataset":"a","filter":{"gt":-1e-7,"le":-1e-7}}',
             "`filter` range is empty (`gt`: -0.0000001, `le`: -0.0000001)"),
            ('{"dataset":"a","pipeline":[{"select":[{}]},{"filter":{"gt":1}},{"sum":[]},{"spill":"x"}]}', '{"dataset":"a","pipeline":[%s]}' % ",".join(['{"sum":[]}'] * 9),
             "`pipeline` has 9 steps; maximum is 8"),
            ('{"dataset":"a","spill":"x"}', '{"dataset":"a","transform":{"method":"center"},"spill":"x"}', "transform operations use top-level `write`, not `spill`"),
    ):
        cases += [(good, None), (bad, words)]
    cases.append(('{"dataset":"a","pipeline":[%s]}' % ",".join(['{"sum":[]}'] * 8),
                  "`pipeline[1]` is out of order or repeats a stage (select, filter, reduce, then spill or write)"))
    cases.append((nested(65), "query document nesting depth 65 exceeds maximum 64"))
    cases.append((nested(64), "`layout_version` must be a number"))
    return cases


def limits(program):
    cases = limit_cases()
    documents = [document.encode() for document, _ in cases]
    answers, _ = both(program, documents)
    for (document, words), answer in zip(cases, answers):
        check(("limit", document[:200], words, answer), answer.startswith("0 ") if words is None else answer == "-54 error: validation: " + words)
    blanks(program, documents, answers)


# Members that are checked in addition to the random documents below, and the line that `document` prints for them.
MEANT = (('"execution":{"memory_budget_bytes":7,"fold_parallel":true,"memory_budget_percent_bps":2500}', "op= axes="),
         ('"execution":{"device":"cpu"}', "op= axes="),
         ('"execution":{"device":"AUTO"}', "op= axes="),
         ('"execution":{"device":"Metal"}', "op= axes= unsupported=4"),
         ('"execution":{"device":"cuda"}', "op= axes= unsupported=4"),
         ('"execution":{"device":"rocm"}', "op= axes= unsupported=4"),
         ('"execution":{"device":"CUDA:multi"}', "op= axes= unsupported=4"),
         ('"execution":{"device":"rocm:multi"}', "op= axes= unsupported=4"),
         ('"execution":{"device":"cuda:0"}', "op= axes= unsupported=4"),
         ('"execution":{"device":"cuda:19"}', "op= axes= unsupported=4"),
         ('"execution":{"device":"rocm:00000000000000000000012"}', "op= axes= unsupported=4"),
         ('"spill":"x"', "op= axes= unsupported=1"),
         ('"layout_version":0', "op= axes="),
         ('"transform":{"method":"sqrt"},"write":"ram"', "op=transform method=sqrt axes= unsupported=2"),
         ('"transform":{"method":"softmax","axes":["row",1]},"write":{"target":"spill","path":"x"}', "op=transform method=softmax axes=row,1 unsupported=2"),
         ('"transform":{"axis":0,"method":"l1"},"write":{"target":"sidecar","path":"x","timestamp":true}', "op=transform method=l1 axes=0 unsupported=2"),
         ('"transform":{"axis":0,"method":"l2"},"write":{}', "op=transform method=l2 axes=0 unsupported=2"),
         ('"transform":{"axis":0,"method":"l2"},"write":{"target":"sidecar","timestamp":false}', "op=transform method=l2 axes=0 unsupported=2"),
         ('"transform":{"axis":0,"method":"l2"},"write":{"target":"sidecar","path":"x"}', "op=transform method=l2 axes=0 unsupported=2"),
         ('"null_count":{}', "op=null_count axes="),
         ('"null_count":{"fill":"x"}', "op=null_count axes="),
         ('"null_count":{"fill":-1}', "op=null_count axes= fill=bff0000000000000"),
         ('"histogram":{"bins":3,"min":-1,"max":2.5}', "op=histogram axes= bins=3 bounds=3 min=bff0000000000000 max=4004000000000000"),
         ('"quantile":{"q":0.25,"axis":"row"}', "op=quantile axes=row q=3fd0000000000000"),
         ('"sum":[],"selection":[{"start_label":"a","stop_label":""},{"stop":null}]', "op=sum axes= selected=2 [18:0:0:1 a=61] [0:0:0:1]"),
         ('"sum":[],"selection":[[null,null,null,"a",""],[null,2,null,null],[1,9,2]]', "op=sum axes= selected=3 [18:0:0:1 a=61] [8:0:2:1] [13:1:9:2]"))


def meant(program):
    documents = [b'{"dataset":"a",%s}' % members.encode() for members, _ in MEANT] + [b'{"dataset":"\\u0001"}']
    answers, _ = both(program, documents)
    for document, line, answer in zip(documents, [line for _, line in MEANT], answers):
        check(("meant", document, line, answer), answer == "0 dataset=61 " + line)
    check(["no blank", answers[-1]], answers[-1] == "0 dataset=01 op= axes=")
    blanks(program, documents, answers)


def number_text(rng):
    kind = rng.randrange(7)
    if kind == 0:
        return repr(struct.unpack("<d", struct.pack("<Q", rng.getrandbits(64)))[0])
    if kind == 1:  # halfway between two doubles, and one digit next to it
        from fractions import Fraction
        bits = rng.choice([rng.getrandbits(63), rng.randrange(1 << 53), rng.randrange(1 << 20)]) % 0x7FE0000000000000
        a, b = (Fraction(struct.unpack("<d", struct.pack("<Q", bits + i))[0]) for i in (0, 1))
        middle = (a + b) / 2
        shift = 0
        while (middle * 10 ** shift).denominator != 1:
            shift += 1
        digits = str((middle * 10 ** shift).numerator)
        return digits + rng.choice(["", ".0", ".00000001"]) + "e%d" % -shift if rng.random() < 0.7 else \
            str(int(digits) - 1) + ".9e%d" % -shift
    if kind == 2:
        return "%d.%de%d" % (rng.randrange(10), rng.getrandbits(60), rng.randrange(-330, 310))
    if kind == 3:
        return str(rng.getrandbits(rng.randrange(1, 1023)))
    if kind == 4:
        return "0." + "0" * rng.randrange(330) + str(rng.getrandbits(64))
    if kind == 5:  # more digits than have an effect
        digits = "".join(rng.choice("0123456789") for _ in range(rng.randrange(700, 1200)))
        return "1%s.%se%d" % (digits[:300], digits[300:], rng.randrange(-620, 8))
    return "%d" % rng.randrange(-10 ** 6, 10 ** 6)


def numbers(program, rng, cases):
    texts = ["0", "-0", "1e-400", "2.2250738585072011e-308", "4.9e-324", "2.4703282292062327e-324", "2.4703282292062328e-324",
             "1.7976931348623158e308", "9007199254740993", "18446744073709551616", "1E+2", "0e999999999999", "1e-999999999999", "1e999999999999",
             "1" + "0" * 300, "0." + "0" * 400 + "1e401",
             # many digits, and an exponent that cancels them
             "0." + "0" * 20000 + "125e20002", "1" + "0" * 20000 + "e-20001", "125" + "0" * 20000 + "e-19690",
             # halfway between two doubles; a 1 or 9 after all digits that are kept
             "9007199254740993." + "0" * 900 + "1", "9007199254740993." + "0" * 900, "9007199254740992.9" + "9" * 900,
             # as many digits as are kept: one more by doubling, the last of which is 0 or not; shifted by a fraction of a limb
             "0." + "9" * 801 + "001953125", "0." + "9" * 810, "12." + "7" * 808, "1.5" + "0" * 806 + "5", "1234567.5" + "0" * 802 + "5"]
    # powers of ten and of two, by their digits: a few of them, at the borders of limbs
    texts += ["1e%d" % n for n in range(-330, 309)] + [str(2 ** n) for n in range(40, 1024, 7)] + [str(2 ** n + 1) for n in range(40, 1024, 7)]
    # halfway between two doubles, followed by a digit near the end of the digits that are kept
    for zeros in range(700, 820, 3):
        texts.append(str(2 ** 100 + 2 ** 47) + "." + "0" * zeros + "1")
        small = str((2 ** 53 + 1) * 5 ** 153)  # (2^53 + 1) / 2^153 has this many decimals
        texts.append("0." + small.rjust(153, "0") + "0" * (zeros - 100) + "1")
    # halfway between two doubles, and zeros up to all digits that are kept; multiples of 2^28 with small values after
    # them
    texts += ["0." + str((2 ** 53 + 1) * 5 ** n).rjust(n, "0") + "0" * 800 for n in (54, 60, 100, 153)]
    texts += ["%d%09d%09d" % (n << 28, little, 7) for n in (1, 2, 3) for little in (0, 1, 268435455)]
    # the sign of one exponent does not affect the next one
    two = run(program, [b'{"dataset":"a","filter":{"gt":1e-5,"lt":1e5}}', b'{"dataset":"a","filter":{"gt":1e-5,"lt":100000.0}}'], 0)[0]
    check(("exponents", two), two[0] == two[1])
    # the digits after those that are kept do not affect the next number, here halfway between two doubles
    long = "0." + "1" * 900
    two = run(program, [b'{"dataset":"a","filter":{"gt":%s,"lt":9007199254740993}}' % t.encode() for t in (long, repr(float(long)))], 0)[0]
    check(("digits", two), two[0] == two[1] and "lt=4340000000000000" in two[0])
    texts += ["%d" % v for v in (2 ** 64 - 1, 2 ** 64, 2 ** 64 - 1025, 1 - 2 ** 64, -2 ** 63 - 1, 2 ** 63 - 1, 1 - 2 ** 63, 10 ** 20 - 1, 10 ** 26, 1704067200123456789, -1704067200123456789)]
    # filters whose ends have the same double: the parts of the numbers beyond the double decide
    ends = [('{"gt":%d,"lt":%d}' % (n, n + more), 0 if more > 0 else -54) for n in (1704067200123456789, -1704067200123456791) for more in (1, 0, -1)]
    ends += [('{"ge":%d,"le":%d}' % (n, n + more), 0 if more >= 0 else -54) for n in (1704067200123456789,) for more in (1, 0, -1)]
    ends += [('{"gt":%d,"le":%d}' % (n, n + more), 0 if more > 0 else -54) for n in (1704067200123456789,) for more in (1, 0, -1)]
    for (text, status), answer in zip(ends, run(program, [b'{"dataset":"a","filter":%s}' % text.encode() for text, _ in ends], 0)[0]):
        check(("ends", text, answer, status), answer.startswith("%d " % status))
    more = len(texts) + cases
    while len(texts) < more:
        text = number_text(rng)
        if "n" not in text:  # inf, nan
            texts.append(text)
    answers, _ = both(program, [b'{"dataset":"a","filter":{"eq":%s}}' % t.encode() for t in texts])
    for text, answer in zip(texts, answers):
        value = float(text)
        bits = struct.unpack("<Q", struct.pack("<d", value))[0]
        exact = Fraction(decimal.Decimal(text)) if 0.5 <= abs(value) < 2 ** 65 else Fraction(0)
        # a fraction that the double does not have: the part of the integer beyond the double, towards 0
        beyond = exact.denominator != 1 and value.is_integer() and 0 < abs(value) < 2 ** 65
        rest = int(exact) - int(value) if exact and (exact.denominator == 1 or beyond) and abs(exact) < 2 ** 64 else 0
        wanted = "0 dataset=61 op= axes= tests=%d eq=%016x" % (1 | 512 * beyond, bits) + (" eq_rest=%d" % rest if rest else "")
        if value in (float("inf"), float("-inf")):
            wanted = "-54 error: invalid query JSON: number out of range at line 1 column %d" % (len(text) + 31)
        if "out of range" in wanted:
            check(("number", text, answer), "number out of range" in answer)
        else:
            check(("number", text, answer, wanted), answer == wanted)


# ---- random documents ----

def axis_token(rng):
    return rng.choice([rng.randrange(8), str(rng.randrange(8)), "row", "_x-1", "c" * 32, "01"])


def spec(rng, meaning, operation):
    """Axes in one of the reference's forms."""
    axes = [axis_token(rng) for _ in range(rng.choice([0, 0, 1, 1, 2, 3]))]
    meaning["axes"] = ",".join(map(str, axes))
    forms = [axes] + ([axes[0]] if len(axes) == 1 else [])
    value = rng.choice(forms)
    while rng.random() < 0.2:
        value = {rng.choice(["axis", "axes"]): value, "other": [1]}
    return value


def double_bits(value):
    return "%016x" % struct.unpack("<Q", struct.pack("<d", value))[0]


def random_query(rng):
    document, line = {}, []
    name = rng.choice(["a", "temperature", "é☃", "x y", "\t", "𝄞"]) + "b"
    document["dataset"] = name
    line.append("dataset=" + name.encode().hex())
    operation = rng.choice(OPERATIONS + [""])
    meaning = {"axes": ""}
    if operation:
        document[operation] = spec(rng, meaning, operation)
    line += ["op=" + operation, "axes=" + meaning["axes"]]
    if rng.random() < 0.4:
        ranges, words = [], []
        for _ in range(rng.randrange(4)):
            start, stop, step = rng.randrange(5), rng.randrange(5, 1 << 40), rng.randrange(1, 9)
            one, has = {}, 0
            if rng.random() < 0.5:
                one["start"], has = start, has | 1
            if rng.random() < 0.5:
                one["stop"], has = stop, has | 8
            if rng.random() < 0.5:
                one["step"], has = step, has | 4
            if rng.random() < 0.2:
                one["start_label" if not has & 1 else "stop"] = None
                has &= ~8 if has & 1 else has
            if rng.random() < 0.3:
                one = [one.get(k) for k in ("start", "stop", "step", "start_label", "stop_label")][:rng.randrange(3, 6)]
            ranges.append(one)
            words.append("[%d:%d:%d:%d]" % (has, start if has & 1 else 0, stop if has & 8 else 0, step if has & 4 else 1))
        document["selection"] = ranges
        line += ["selected=%d" % len(ranges)] + words
    if rng.random() < 0.4:
        chosen = [k for k in ("eq", "ne", rng.choice(["lt", "le"]), rng.choice(["gt", "ge"])) if rng.random() < 0.5] or ["eq"]
        value = {k: rng.choice([1, 2.5, 1e300]) + (0 if k in ("gt", "ge") else 1e301) for k in chosen}
        document["filter"] = value
        order = ["eq", "ne", "lt", "le", "gt", "ge"]
        line.append("tests=%d" % sum(1 << order.index(k) for k in value))
        line += ["%s=%s" % (k, double_bits(float(value[k]))) for k in order if k in value]
    if rng.random() < 0.2:
        document["label_filter"] = {"axis": "row", "eq": "l\"\\\n"}
        line += ["label_axis=row", "label=" + "l\"\\\n".encode().hex()]
    extra = rng.random()
    if operation and extra < 0.3:
        keys = rng.sample(["row", 1, "2", "col"], rng.randrange(1, 4))
        labels = rng.random() < 0.5
        document["group_by"] = {"by": "labels", "axes": keys} if labels else keys
        line += ["group=%d" % (2 if labels else 1), "keys=" + ",".join(map(str, keys))]
    elif operation and operation != "median" and extra < 0.6:
        window = {"axis": axis_token(rng), "size": rng.randrange(1, 100), "mode": rng.choice(["bins", "rolling"])}
        pad = rng.randrange(4)
        step, count, end = 0, 0, 0
        if pad or rng.random() < 0.5:
            window["pad"] = ["none", "0", "nan", "fill"][pad]
        if window["mode"] == "rolling" and rng.random() < 0.5:
            step = window["step"] = rng.randrange(1, 1 << 40)
        if rng.random() < 0.3:
            count = window["min_count"] = rng.randrange(1, window["size"] + 1)
        if rng.random() < 0.5 and (pad or window["mode"] == "bins"):
            end = 1
        if end or rng.random() < 0.3:
            window["align"] = ["start", "end"][end]
        document["window"] = window
        line += ["window=%s" % window["axis"], "%d:%d:%d:%d:%d:%d" % (1 + (window["mode"] == "rolling"), pad, end, window["size"],
                                                                     step, count)]
    return document, "0 " + " ".join(line)


def as_pipeline(rng, document):
    """The same as a pipeline, where it can be."""
    if "label_filter" in document or rng.random() < 0.7:
        return document
    steps = []
    if "selection" in document:
        steps.append({"select": document["selection"]})
    if "filter" in document:
        steps.append({"filter": document["filter"]})
    rest = {k: v for k, v in document.items() if k in OPERATIONS or k in ("group_by", "window")}
    if rest:
        steps.append(rest)
    return {"dataset": document["dataset"], "pipeline": steps} if steps else document


def space(rng):
    return "".join(rng.choice(" \t\r\n") for _ in range(rng.choice([0, 0, 0, 1, 3])))


def text_of(rng, text):
    if rng.random() < 0.3:
        return '"' + "".join("\\u%04x" % u for u in struct.unpack("<%dH" % (len(text.encode("utf-16-le")) // 2),
                                                                 text.encode("utf-16-le"))) + '"'
    return json.dumps(text, ensure_ascii=rng.random() < 0.5)


def write(rng, value, twice):
    if isinstance(value, dict):
        members = list(value.items())
        rng.shuffle(members)
        if twice and members and rng.random() < 0.3:  # earlier values do not count
            members.insert(0, (rng.choice(members)[0], rng.choice([None, [[]], {"zz": [1]}, "x", 1e5, True])))
        return "{" + ",".join(space(rng) + text_of(rng, k) + space(rng) + ":" + write(rng, v, twice) for k, v in members) + space(rng) + "}"
    if isinstance(value, list):
        return "[" + ",".join(write(rng, v, twice) for v in value) + space(rng) + "]"
    if isinstance(value, str):
        return space(rng) + text_of(rng, value) + space(rng)
    return space(rng) + json.dumps(value) + space(rng)


def understood(program, rng, cases):
    wanted, texts = [], []
    for _ in range(cases):
        document, line = random_query(rng)
        texts.append(write(rng, as_pipeline(rng, document), True).encode())
        wanted.append(line)
    answers, reads = both(program, texts)
    for text, line, answer in zip(texts, wanted, answers):
        check(("understood", text, line, answer), answer == line)
    for text, count in list(zip(texts, reads))[:4]:
        failing = list(range(1, count + 1, max(1, count // 400)))
        answers, _ = run(program, [text] * len(failing), 2, failing)
        for n, answer in zip(failing, answers):
            check(("read fails", text, n, answer), answer == "-263" or "(-263)" in answer)
    print("figure: %d documents of %d bytes, %d bytes read from a port without memory" % (len(texts), sum(map(len, texts)), sum(reads)))
    return texts


def refuse_constant(name):
    raise ValueError(name)


def is_json(data):
    """1, 0, or None if Python accepts more."""
    try:
        value = json.loads(data.decode("utf-8"), parse_constant=refuse_constant)
    except (ValueError, RecursionError):
        return 0
    if data.startswith(b"\xef\xbb\xbf") or any(0xD800 <= ord(c) < 0xE000 for c in json.dumps(value, ensure_ascii=False)):
        return None
    return None if "Infinity" in json.dumps(value) else 1


def damaged(program, rng, texts):
    cases = []
    for text in texts:
        cases += [text[:n] for n in range(0, len(text), max(1, len(text) // 60))]
        for _ in range(60):
            at = rng.randrange(len(text))
            cases.append(text[:at] + bytes([rng.choice([text[at] ^ 1 << rng.randrange(8), rng.choice(b'{}[]:,"\\0-.e')])]) + text[at + 1:])
    answers, _ = both(program, cases)
    for case, answer in zip(cases, answers):
        verdict = is_json(case)
        if verdict is not None:
            syntax = "invalid query JSON" in answer and " at line " in answer
            check(("damaged", case, answer, verdict), syntax == (verdict == 0))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--cases", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    rng = random.Random(args.seed)
    messages(args.program)
    limits(args.program)
    meant(args.program)
    numbers(args.program, rng, args.cases)
    texts = understood(args.program, rng, args.cases)
    damaged(args.program, rng, texts[: args.cases // 10])
    return tally.end()


if __name__ == "__main__":
    sys.exit(main())
