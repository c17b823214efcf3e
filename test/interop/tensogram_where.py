#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""A part of `make interop-tensogram`: `utet messages -w` and `-p` against the reference's command line.

    tensogram_where.py UTET CLI WORK [MESSAGES [CLAUSES]]     SEED= in the environment
    tensogram_where.py --record CLI FOLDER                    makes the table of test/tensogram/where_test.py

Each message of a file has one value, of every kind that metadata can have and at every position: a tensor's entry, the second tensor's,
a preceder, _extra_, next to _extra_, deep in maps, twice. The text of each is compared (`dump -j -p`, `--jsonl -p`),
then, for each clause made of such texts and of similar ones, which messages pass (`get -w`). The reference's `ls` and `get` read only
the first metadata frame, `dump` the merged view, as the tool does: clauses are for files without preceders.
"""
import json
import os
import random
import struct
import subprocess
import sys

import tensogram_wire as wire

failures = []
refused = [0]


def head(major, number):
    return wire.head(major, number)


def text(word):
    data = word.encode()
    return head(3, len(data)) + data


def float_of(rng):
    bits = rng.getrandbits(64)
    value = rng.choice([
        0.0, -0.0, 1.0, 850.0, 1e-7, 1e22, 1e16, 1e15, 1e21, 9007199254740993.0, 0.1, 0.5, 1 / 3, 5e-324, 2.2250738585072014e-308,
        1.7976931348623157e308, 1e300, 123456789.125, 1e-4, 1e-5, 0.00009999, float('inf'), float('-inf'), float('nan'), 100000.0,
        2.0 ** rng.randint(-1074, 1023), rng.uniform(-1000, 1000), round(rng.uniform(-1000, 1000), rng.randint(0, 5)),
        struct.unpack('>d', bits.to_bytes(8, 'big'))[0]])
    form = rng.choice('eeffddd')
    try:
        return {'e': b'\xf9', 'f': b'\xfa', 'd': b'\xfb'}[form] + struct.pack('>' + form, value)
    except OverflowError:
        return b'\xfb' + struct.pack('>d', value)


def text_of(rng):
    return rng.choice(['2t', '10u', '', '850', '850.0', '1e-7', 'NaN', 'true', 'null', 'a/b', 'x=y', 'x!=y', 'température', 'ключ', '日本',
                       'a b', '"q"', "it's", 'back\\slash', 'tab\there', 'line\nend', '\r', '\x00', '\x1b[0m', '\x7f', '\x80', '\xa0', '\xad',
                       'e\u0301', '\u200b', '\ufeff', '🙂', 'long ' * 20])


def integer_of(rng):
    number = rng.choice([0, 1, 23, 24, 255, 256, 850, 2**31, 2**32, 2**53 + 1, 2**63 - 1, 2**63, 2**64 - 1, rng.getrandbits(64),
                         -1, -24, -25, -256, -850, -2**53 - 1, -2**63, -2**63 - 1, -2**64])
    if rng.random() < 0.1:  # longer than necessary
        return bytes([(0 if number >= 0 else 0x20) | 27]) + (number if number >= 0 else -1 - number).to_bytes(8, 'big')
    return head(0, number) if number >= 0 else head(1, -1 - number)


def large_of(rng):
    number = rng.choice([0, 1, 2**64 - 1, 2**64, 2**100, 2**126, rng.getrandbits(70)])
    data = number.to_bytes(rng.choice([16, max(1, (number.bit_length() + 7) // 8)]), 'big')
    return rng.choice([b'\xc2', b'\xc3']) + head(2, len(data)) + data


def value_of(rng, depth=0):
    """CBOR of a value that the reference reads."""
    makers = [float_of, float_of, float_of, integer_of, integer_of, lambda r: text(text_of(r)), lambda r: text(text_of(r)),
              lambda r: r.choice([b'\xf4', b'\xf5', b'\xf6', b'\xf7']),
              lambda r: head(2, 3) + r.randbytes(3), lambda r: b'\x40', large_of]
    if depth < 5:
        makers += [lambda r: head(6, r.choice([0, 1, 2, 3, 32, 55799, 2**40])) + value_of(r, depth + 1), lambda r: list_of(r, depth + 1),
                   lambda r: map_of(r, depth + 1), lambda r: map_of(r, depth + 1)]
    return rng.choice(makers)(rng)


def list_of(rng, depth):
    items = [value_of(rng, depth) for _ in range(rng.randint(0, 3))]
    return b'\x9f' + b''.join(items) + b'\xff' if rng.random() < 0.2 else head(4, len(items)) + b''.join(items)


def map_of(rng, depth, least=0):
    keys = [rng.choice([text('a'), text('b'), text('a'), text(''), text('x.y'), text('ключ'), integer_of(rng), b'\xf5', text('k%d' % rng.randint(0, 9))])
            for _ in range(rng.randint(least, 4))]
    pairs = [k + value_of(rng, depth) for k in keys]
    return b'\xbf' + b''.join(pairs) + b'\xff' if rng.random() < 0.2 else head(5, len(pairs)) + b''.join(pairs)


DESCRIPTOR = wire.encode({'type': 'ntensor', 'ndim': 1, 'shape': [1], 'strides': [1], 'dtype': 'uint8', 'byte_order': 'little',
                          'encoding': 'none', 'filter': 'none', 'compression': 'none'})


def tensor_frame():
    body = b'\x07' + DESCRIPTOR
    return b'FR' + struct.pack('>HHHQ', 9, 1, 1, len(body) + 36) + body + struct.pack('>Q', 17) + bytes(8) + b'ENDF'


def entry_of(rng, some, number=None):
    pairs = [] if number is None else [text('id') + head(0, number)]
    for key in some:
        pairs.append(text(key) + (map_of(rng, 1, 1) if key == 'm' and rng.random() < 0.8 else value_of(rng)))
    rng.shuffle(pairs)
    return head(5, len(pairs)) + b''.join(pairs)


def some_keys(rng):
    return rng.choices(['v', 'm', 'w', '_reserved_', 'extra', '_extra_', 'version', 'x.y'], [6, 6, 3, 1, 1, 1, 1, 1], k=rng.randint(0, 4))


def message_of(rng, number, preceders):
    tensors = rng.randint(0, 3)
    entries = [entry_of(rng, some_keys(rng)) for _ in range(rng.randint(0, tensors))]
    root = []
    if entries or rng.random() < 0.5:
        root.append(text('base') + head(4, len(entries)) + b''.join(entries))
    beside = rng.random() < 0.5
    if not beside or rng.random() < 0.5:
        root.append(text('_extra_') + entry_of(rng, ['v', 'm', 'w'][:rng.randint(0, 3)] if not beside else [], number if not beside else None))
    if beside:
        for key in rng.choices(['v', 'm', 'w', 'version', ''], k=rng.randint(0, 3)):
            root.append(text(key) + value_of(rng))
        root.append(text('id') + head(0, number))
    rng.shuffle(root)
    body = head(5, len(root)) + b''.join(root)
    out = bytearray(b'TENSOGRM' + struct.pack('>HHIQ', 3, 1, 0, 0))
    out += b'FR' + struct.pack('>HHHQ', 1, 1, 0, len(body) + 28) + body + bytes(8) + b'ENDF'
    for _ in range(tensors):
        out += bytes(-len(out) % 8)
        if preceders and rng.random() < 0.3:
            over = text('base') + b'\x81' + entry_of(rng, some_keys(rng))
            out += b'FR' + struct.pack('>HHHQ', 8, 1, 0, len(over) + 29) + b'\xa1' + over + bytes(8) + b'ENDF'
            out += bytes(-len(out) % 8)
        out += tensor_frame()
    out += bytes(-len(out) % 8)
    length = len(out) + 24
    out[16:24] = struct.pack('>Q', length)
    return bytes(out) + struct.pack('>QQ', len(out), length) + b'39277777'


def run(*arguments):
    done = subprocess.run(arguments, capture_output=True, timeout=120, check=False)
    return done.returncode, done.stdout.decode('utf-8', 'surrogateescape'), done.stderr.decode('utf-8', 'replace')


def differ(what, ours, theirs):
    if ours != theirs:
        failures.append(what)
        if len(failures) < 20:
            print(f'{what}: ours {ours!r:.300} theirs {theirs!r:.300}')


def objects(output):
    """The JSON objects of an output, one at a time; 0x00 and others in texts are escaped."""
    decoder, at, out = json.JSONDecoder(), 0, []
    while at < len(output):
        item, at = decoder.raw_decode(output, at)
        out.append(item)
        while at < len(output) and output[at].isspace():
            at += 1
    return out


KEYS = ['v', 'm', 'w', 'm.a', 'm.b', 'm.', 'm..', 'm.ключ', 'm.a.a', 'm.a.b', 'm.k3', 'm.x.y', 'x.y', 'extra.v', '_extra_.v', '_extra_.m.a', 'extra',
        '_extra_', 'extra.id', 'version', 'extra.version', '_reserved_', '_reserved_.a', '_extra_._reserved_', '.v', 'v.', 'extra.', 'extra.extra', 'id', 'nope']


def clause_of(rng, texts):
    key = rng.choice(KEYS)
    values = [rng.choice(texts.get(key) or ['?']) if rng.random() < 0.8 else rng.choice(['850', '850.0', '1e-7', 'NaN', 'nan', 'inf', '0', '-0', '', ' ',
                                                                                        '3', 'true', 'null', 'N/A', '2t', '1', '01', '+1', '1.'])
              for _ in range(rng.choice([1, 1, 1, 2, 5]))]
    return key + rng.choice(['=', '=', '!=']) + '/'.join(values)


def compare_file(utet, cli, path, count, clauses, preceders, rng):
    keys = ','.join(KEYS)
    code, out, err = run(cli, 'dump' if preceders else 'ls', '-j', '-p', keys, path)
    ours = run(utet, 'messages', '--jsonl', '-p', keys, path)
    if code != 0 or ours[0] != 0:
        return differ(path + ': exit', ours[0::2], (code, err))
    theirs, mine = objects(out), objects(ours[1])
    differ(path + ': messages', len(mine), len(theirs))
    texts = {}
    for i, (a, b) in enumerate(zip(mine, theirs)):
        for key in KEYS:
            differ(f'{path} message {i} -p {key}', a.get(key), b.get(key))
            if key in b and '\x00' not in b[key]:
                texts.setdefault(key, []).append(b[key])
    if not preceders and run(utet, 'messages', '-p', 'id,nope', path)[1] != run(cli, 'ls', '-p', 'id,nope', path)[1].split('\n', 1)[1]:
        differ(path + ': a line a message', 0, 1)
    pairs = len(theirs) * len(KEYS)
    for _ in range(0 if preceders else clauses):
        clause = clause_of(rng, texts)
        differ(f'{path} -w {clause!r}', run(utet, 'messages', '-w', clause, '-p', 'extra.id', path)[:2], run(cli, 'get', '-w', clause, '-p', 'extra.id', path)[:2])
        pairs += count
    return pairs


def readable(cli, path, messages):
    """The values that the reference reads: a tag that it does not accept, or an integer that is too large, costs the
    message."""
    def reads(some):
        with open(path, 'wb') as f:
            f.write(b''.join(some))
        return run(cli, 'dump', path)[0] == 0

    def keep(some):
        if reads(some):
            return some
        if len(some) == 1:
            refused[0] += 1
            return []
        return keep(some[:len(some) // 2]) + keep(some[len(some) // 2:])
    return keep(messages)


def record(cli, folder):
    """What `make test` compares with: test/tensogram/where.tgm and where.json."""
    rng = random.Random(11)
    path = os.path.join(folder, 'where.tgm')
    messages = readable(cli, path, [message_of(rng, i, False) for i in range(200)])
    with open(path, 'wb') as f:
        f.write(b''.join(messages))
    theirs, texts = objects(run(cli, 'ls', '-j', '-p', ','.join(KEYS), path)[1]), {}
    for found in theirs:
        for key, value in found.items():
            if '\x00' not in value:
                texts.setdefault(key, []).append(value)
    clauses = {}
    while len(clauses) < 250:
        clause = clause_of(rng, texts)
        clauses[clause] = [int(line) for line in run(cli, 'get', '-w', clause, '-p', 'extra.id', path)[1].split()]
    with open(os.path.join(folder, 'where.json'), 'w', encoding='utf-8') as f:
        json.dump({'source': run(cli, '--version')[1].strip(), 'keys': KEYS, 'texts': theirs, 'clauses': clauses}, f, ensure_ascii=True, indent=0)
        f.write('\n')


def main():
    if sys.argv[1] == '--record':
        record(*sys.argv[2:])
        return
    utet, cli, work = sys.argv[1:4]
    most = int(sys.argv[4]) if len(sys.argv) > 4 else 4000
    clauses = int(sys.argv[5]) if len(sys.argv) > 5 else 150
    seed = int(os.environ.get('SEED', '1'))
    rng = random.Random(seed)
    os.makedirs(work, exist_ok=True)
    pairs = 0
    for number in range(0, most, 1000):
        path = os.path.join(work, f'where{number}.tgm')
        preceders = number // 1000 % 4 == 3
        messages = readable(cli, path, [message_of(rng, number + i, preceders) for i in range(min(1000, most - number))])
        with open(path, 'wb') as f:
            f.write(b''.join(messages))
        pairs += compare_file(utet, cli, path, len(messages), clauses, preceders, rng) or 0
    print(f'figure: tensogram -w, -p: {most - refused[0]} messages, {refused[0]} not read by the reference, {pairs} pairs of value and clause, seed {seed}, '
          f'{len(failures)} differ')
    print(f'{pairs - len(failures)} passed, {len(failures)} failed')
    sys.exit(bool(failures))


main()
