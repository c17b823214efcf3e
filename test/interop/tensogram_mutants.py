#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""By hand: `utet verify` and `utet verify --deep` of damaged messages against the reference's validate_file at its default and full level.

    tensogram_mutants.py UTET WORK FILE…     SEED=, MUTANTS= in the environment

Each mutant is one of the files with bits flipped, bytes set, fields set to other numbers, ranges removed, repeated or moved, or truncated.
Half of them get right hashes again, so that the bytes after a hash check are reached. If the results differ, the pair of findings is
counted; those that src/tensogram/FORMAT.md lists (LISTED) are not failures.
"""
import collections
import json
import os
import random
import re
import struct
import subprocess
import sys

import tensogram

# Differences that src/tensogram/FORMAT.md §6 lists. The tool's findings where the reference accepts: where the tool is
# stricter.
STRICTER = {'frame_hash', 'frames', 'message', 'foreign_bytes', 'hash_frame', 'index_frame', 'metadata', 'descriptor', 'truncated', 'data'}
# The reference's findings where the tool accepts: frames as writers before 0.21 made them; data that the tool does not
# decode, which it reports.
LAXER = {'hash_verification_error', 'nan_detected', 'inf_detected', 'decode_pipeline_failed', 'pipeline_config_failed', 'decoded_size_mismatch', 'decode_object_failed', 'the reference dies'}


warned = set()  # files for which the tool reports that something is not decoded


def hashed(data):
    """The same with each hash slot right again, as far as its frames can be iterated over."""
    data = bytearray(data)
    at = data.find(b'TENSOGRM') + 24
    while data[at:at + 2] == b'FR' and at + 16 <= len(data):
        kind, _, flags, length = struct.unpack('>HHHQ', data[at + 2:at + 16])
        if length < 28 or at + length > len(data) or data[at + length - 4:at + length] != b'ENDF':
            break
        if flags & 2:
            body = bytes(data[at + 16:at + length - (20 if kind == 9 else 12)])
            data[at + length - 12:at + length - 4] = bytes.fromhex(tensogram.compute_hash(body))
        at += (length + 7) // 8 * 8
    return bytes(data)


def interesting(data):
    """Offsets of fields: frame headers and tails, the ends of the message, CBOR of metadata and descriptors."""
    out = list(range(24)) + list(range(len(data) - 24, len(data)))
    for m in re.finditer(rb'FR\x00', data):
        out += range(m.start(), m.start() + 60)
    for m in re.finditer(rb'ENDF', data):
        out += range(max(0, m.start() - 20), m.start() + 4)
    for word in (b'shape', b'ndim', b'dtype', b'strides', b'encoding', b'filter', b'compression', b'masks', b'offset', b'length', b'sp_', b'szip_', b'base', b'_reserved_', b'hashes', b'method'):
        for m in re.finditer(re.escape(word), data):
            out += range(m.start() - 2, m.end() + 12)
    return [i for i in out if 0 <= i < len(data)]


def mutant(rng, data):
    data = bytearray(data)
    places = interesting(data) if rng.random() < 0.7 else range(len(data))
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        at = min(rng.choice(places), len(data) - 1)
        kind = rng.randint(0, 9)
        if kind <= 3:
            data[at] ^= 1 << rng.randint(0, 7)
        elif kind <= 5:
            data[at] = rng.choice([0, 1, 0x7F, 0x80, 0xFF, 0x18, 0x60, 0xA0, 0xF6, 0xF7, 0xC0, rng.randint(0, 255)])
        elif kind == 6:
            data[at:at + 8] = struct.pack('>Q', rng.choice([0, 1, 2**32, 2**63, 2**64 - 1, len(data), rng.getrandbits(16)]))
        elif kind == 7:
            del data[at:at + rng.choice([1, 2, 4, 8, 16, 64])]
        elif kind == 8:
            data[at:at] = data[at:at + rng.choice([1, 8, 16, 40])]
        elif rng.random() < 0.3:
            del data[at:]
        if not data:
            return b'T'
    return hashed(data) if rng.random() < 0.6 else bytes(data)


def theirs_of(path, level):
    try:
        report = tensogram.validate_file(path, level=level)
    except BaseException as error:  # its panics are not derived from Exception
        if isinstance(error, KeyboardInterrupt):
            raise
        return ['panic: ' + str(error)[:60]]
    return sorted({i['code'] for m in report['messages'] for i in m['issues'] if i['severity'] == 'error'} | ({'file_issue'} if report['file_issues'] else set()))


class Judge:
    """The reference in a process of its own, because some mutants end it."""

    def __init__(self):
        self.child = None

    def ask(self, path, level):
        if self.child is None:
            self.child = subprocess.Popen([sys.executable, __file__, '--judge'], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.child.stdin.write(json.dumps([path, level]) + '\n')
        self.child.stdin.flush()
        for line in self.child.stdout:
            if line.startswith('['): # some of its decoders write on standard output
                return json.loads(line)
        self.child.wait()
        self.child = None
        return ['the reference dies']


def judge():
    for line in sys.stdin:
        print(json.dumps(theirs_of(*json.loads(line))), flush=True)


def ours_of(utet, paths, deep):
    done = subprocess.run([utet, 'verify', '--json', *deep, *paths], capture_output=True, timeout=600, check=False)
    out = [json.loads(line) for line in done.stdout.decode('utf-8', 'replace').splitlines()]
    if done.returncode not in (0, 1) or len(out) != len(paths):
        raise SystemExit('verify: exit %d, %d reports of %d: %s' % (done.returncode, len(out), len(paths), done.stderr[-300:]))
    for path, report in zip(paths, out):
        if any('is not decoded' in f.get('detail', '') for f in report['findings']):
            warned.add(path)
    return [sorted({f['check'] for f in report['findings'] if f['severity'] == 'error'}) for report in out]


def main():
    if sys.argv[1] == '--judge':
        judge()
        return
    utet, work, *files = sys.argv[1:]
    reference = Judge()
    rng = random.Random(int(os.environ.get('SEED', '1')))
    most = int(os.environ.get('MUTANTS', '4000'))
    os.makedirs(work, exist_ok=True)
    sources = [open(f, 'rb').read() for f in files]
    counted, samples, agree, listed = collections.Counter(), {}, 0, 0
    for begin in range(0, most, 200):
        paths = []
        for i in range(begin, min(begin + 200, most)):
            paths.append(os.path.join(work, f'm{i}.tgm'))
            with open(paths[-1], 'wb') as f:
                data = mutant(rng, rng.choice(sources))
                f.write(data if data[:4] == b'TENS' else b'TENSOGRM' + data[8:])
        for deep, level in (([], 'default'), (['--deep'], 'full')):
            for path, ours in zip(paths, ours_of(utet, paths, deep)):
                theirs = reference.ask(path, level)
                if bool(ours) == bool(theirs):
                    agree += 1
                    continue
                laxer = set(theirs) <= LAXER and (set(theirs) <= {'hash_verification_error'} or path in warned)
                if set(ours) <= STRICTER if ours else laxer:
                    listed += 1
                key = (level, ' '.join(ours), ' '.join(theirs))
                counted[key] += 1
                samples.setdefault(key, path)
        for path in paths:
            if path not in samples.values():
                os.remove(path)
    for (level, ours, theirs), n in counted.most_common(60):
        print(f'  {n:5} {level:8} ours: {ours or "good":30} theirs: {theirs or "good":40} {samples[level, ours, theirs]}')
    differ = sum(counted.values()) - listed
    print(f'figure: tensogram {tensogram.__version__}: {most} mutants at two levels, {agree} verdicts alike, {listed} differ as listed, {differ} differ')
    print(f'{agree + listed} passed, {differ} failed')
    sys.exit(bool(differ))


main()
