# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""Compares the tool with the expected values of another reader: utet schema --json on good files (equal, field by field) and on bad
ones (refused, in the right region).

    vectors_test.py UTET FOLDER...     each with manifest.json, good/, bad/, expected/ or expected.json.gz; what is not there is skipped
"""
import gzip
import hashlib
import json
import os
import re
import struct
import subprocess
import sys

HOW_MADE = {'format', 'kind', 'written_by', 'file_version', 'original_file_name', 'series_newest',
            'series_all_file_names', 'raw_size'}
# Reasons of the manifest: their first words, and the regions that the tool may name.
REGIONS = [
    ('encrypted', {'encrypted'}),
    ('members', {'group'}),
    ('version', {'version'}),
    ('tile version', {'version'}),
    ('short:h.', {'header'}), ('short:m', {'chunks'}), ('short:hp.', {'header', 'filter pipeline', 'encrypted'}),
    ('short:c.', {'chunks', 'header'}), ('short:version', {'schema', 'version', 'header', 'chunks', 'compressed data'}),
    ('h.', {'header', 'filter pipeline', 'encrypted'}), ('pipeline size', {'header', 'filter pipeline'}),
    ('persisted size', {'header'}), ('tile size', {'budget', 'chunks', 'schema'}),
    ('chunk bigger', {'chunks', 'header'}), ('bytes after chunks', {'chunks'}), ('orig len', {'chunks'}),
    ('part len', {'chunks'}), ('meta len', {'chunks'}), ('zlib', {'compressed data', 'chunks'}),
    ('', {'schema'}),
]


def regions_of(vector):
    """The reason names the field at which a lenient reader fails; a strict one may have stopped at the cause."""
    regions = set(next(r for words, r in REGIONS if vector['reason'].startswith(words)))
    if re.search(r'_hp_|_flip_4', vector['file']):
        regions.add('filter pipeline')
    if '_version_' in vector['file']:
        regions.add('version')
    return regions


def single(number):
    return struct.unpack('<f', struct.pack('<f', number))[0]


def differences(got, want, path=''):
    """Returns where two trees differ. Floats are compared as the same float64, or as the same float32."""
    if isinstance(want, dict) and isinstance(got, dict):
        for key in sorted(set(got) | set(want)):
            if key not in want:
                yield f'{path}.{key}: only ours'
            elif key not in got:
                yield f'{path}.{key}: missing'
            else:
                yield from differences(got[key], want[key], f'{path}.{key}')
    elif isinstance(want, list) and isinstance(got, list) and len(want) == len(got):
        for i, (a, b) in enumerate(zip(got, want)):
            yield from differences(a, b, f'{path}[{i}]')
    elif isinstance(want, bool) or isinstance(got, bool) or not isinstance(want, (int, float)):
        if got != want or type(got) is not type(want):
            yield f'{path}: {str(got)[:80]} is not {str(want)[:80]}'
    elif isinstance(got, str) or (got != want and not (isinstance(want, float) and single(got) == single(want))):
        yield f'{path}: {got} is not {want}'


def filters_of(tree):
    """Every filter of a schema, wherever its list is."""
    if isinstance(tree, list):
        tree = dict(enumerate(tree))
    for key, value in tree.items() if isinstance(tree, dict) else ():
        if key == 'filters' and isinstance(value, list):
            yield from value
        else:
            yield from filters_of(value)


def expected_parts(expected, got):
    """The part of the expected values that the tool prints; digests are compared with all values, which --all
    prints."""
    want = {k: v for k, v in expected.items() if k not in HOW_MADE}
    want['tile'] = {k: v for k, v in want.get('tile', got['tile']).items() if k != 'raw_sha256'}
    got = {k: v for k, v in got.items() if k != 'raw_size'}
    got['tile'] = {k: v for k, v in got['tile'].items() if k in want['tile']}
    for f in filters_of(got):  # which the expected values omit
        f.pop('extents', None)
        if f['type'] in ('DELTA', 'DOUBLE_DELTA'):
            f.pop('level')
    for a, b in zip(want.get('schema', {}).get('attributes', []), got.get('schema', {}).get('attributes', [])):
        if 'fill_sha256' in a:
            fill = bytes.fromhex(b.pop('fill_hex'))
            b['fill_size'], b['fill_sha256'] = len(fill), hashlib.sha256(fill).hexdigest()
        # Versions that do not store an order may have null.
        if a.get('order_stored', 0) is None:
            del a['order_stored']
    for tree in (want, got):  # TileDB delivers members by name, the file has them in any order
        if 'group' in tree:
            tree['group']['members'].sort(key=lambda member: member['uri'])
    enumeration = want.get('enumeration', {})
    if 'values_sha256' in enumeration:
        values = [bytes.fromhex(v) for v in got['enumeration'].pop('values_hex')]
        got['enumeration'].update(first_hex=values[0].hex(), last_hex=values[-1].hex())
        digests = {hashlib.sha256(b''.join(values)).hexdigest(),
                   hashlib.sha256(b''.join(struct.pack('<I', len(v)) + v for v in values)).hexdigest(),
                   hashlib.sha256(b''.join(struct.pack('<Q', len(v)) + v for v in values)).hexdigest(),
                   hashlib.sha256(b'\0'.join(values)).hexdigest(), hashlib.sha256(b'\n'.join(values)).hexdigest()}
        if enumeration['values_sha256'] in digests:
            got['enumeration']['values_sha256'] = enumeration['values_sha256']
    return got, want


def kind_of(name, expected):
    if expected and 'entries' in expected or 'meta' in name:
        return 'metadata'
    if 'group' in name:
        return 'group'
    return 'enumeration' if name.endswith('.tile') else 'schema'


def main():
    tool, folders = sys.argv[1], sys.argv[2:]
    passed = failed = skipped = 0
    lax = 0
    for folder in folders:
        if not os.path.exists(folder + '/manifest.json'):
            print(f'skipped: {folder} is not there')
            skipped += 1
            continue
        with open(folder + '/manifest.json', encoding='utf-8') as f:
            vectors = json.load(f)['vectors']
        together = {}
        if os.path.exists(folder + '/expected.json.gz'):
            with gzip.open(folder + '/expected.json.gz', 'rt', encoding='utf-8') as f:
                together = json.load(f)
        for vector in vectors:
            name = vector['file']
            expected = together.get(vector.get('expected'))
            if expected is None and vector.get('expected') and vector['reader'] != 'reject':
                with open(f'{folder}/{vector["expected"]}', encoding='utf-8', errors='surrogateescape') as f:
                    expected = json.load(f)
            run = subprocess.run([tool, 'schema', '--json', '--all', '--kind', kind_of(name, expected),
                                  f'{folder}/{name}'], capture_output=True, timeout=60, check=False)
            error = run.stderr.decode(errors='replace')
            complaint = None
            if run.returncode not in (0, 1) or (run.returncode == 1 and not re.fullmatch(r'utet: [^\n]*\n', error)):
                complaint = f'status {run.returncode}: {error[:300]}'
            elif vector['reader'] == 'accept' and run.returncode != 0:
                complaint = 'refused: ' + error
            elif vector['reader'] == 'reject' and run.returncode == 0:
                complaint = f'accepted, but {vector["reason"]}'
            elif vector['reader'] == 'reject':
                region = error.split(': ')[2] if error.count(': ') > 2 else ''
                if region not in regions_of(vector):
                    complaint = f'{vector["reason"]}: {error.strip()}'
            elif run.returncode == 0:
                lax += vector['reader'] == 'either'
                got = json.loads(run.stdout.decode(errors='surrogateescape'))
                if expected:
                    complaint = '; '.join(differences(*expected_parts(expected, got))) or None
            if complaint:
                failed += 1
                print(f'{name}: {complaint}')
            else:
                passed += 1
    print(f'figure: {lax} files where both are defensible accepted')
    print(f'{passed} passed, {failed} failed' + (f', {skipped} skipped' if skipped else ''))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
