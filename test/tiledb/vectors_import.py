# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""Chooses the vectors for the tree, so that a clone by itself can test: the smallest files that together have every
fact of all accepted ones, and one refused file for each reason.

    vectors_import.py FROM TO
"""
import gzip
import json
import os
import shutil
import sys

HOW_MADE = ('written_by', 'original_file_name', 'series_newest', 'series_all_file_names')


def facts(tree, path=''):
    """What a file has that another file may lack."""
    if isinstance(tree, dict):
        for key, value in tree.items():
            yield from facts(value, f'{path}.{key}' if path != '.enumeration_map' else path)
    elif isinstance(tree, list):
        yield f'{path}[{min(len(tree), 2)}]'
        for value in tree:
            yield from facts(value, path + '[]')
    elif path.rsplit('.', 1)[-1] in ('type', 'reinterpret', 'version', 'cell_order', 'array_type', 'order', 'format',
                                     'tile_order', 'deleted', 'nullable', 'ordered', 'order_stored'):
        yield f'{path}={tree}'
    else:
        yield f'{path}:{type(tree).__name__}'


def main():
    source, to = sys.argv[1:]
    with open(source + '/manifest.json', encoding='utf-8') as f:
        vectors = json.load(f)['vectors']
    chosen = []
    seen = set()
    good = [v for v in vectors if v['reader'] == 'accept' and v['size'] < 20000]
    for vector in sorted(good, key=lambda v: (v['size'] + os.path.getsize(f'{source}/{v["expected"]}') // 8, v['file'])):
        with open(f'{source}/{vector["expected"]}', encoding='utf-8') as f:
            new = {(vector['file'].endswith('tile'), fact) for fact in facts(json.load(f))} | {
                ('name', n) for n in ('enum', 'meta', 'evolve', 'chunks', 'zlib', 'empty_chunk', 'names', 'everything')
                if n in vector['file']}
        if new - seen or 'm06' in vector['file'] or 'evolve' in vector['file']:
            seen |= new
            chosen.append(vector)
    reasons = set()
    for vector in sorted((v for v in vectors if v['kind'] == 'bad'), key=lambda v: (v['size'], v['file'])):
        if (vector['reader'], vector['reason']) not in reasons:
            reasons.add((vector['reader'], vector['reason']))
            chosen.append(vector)
    with open(to + '/manifest.json', encoding='utf-8') as f:  # vectors of old versions have another source: interop/tiledb_old.py
        old = [v for v in json.load(f)['vectors'] if v['file'].startswith('good/old')]
    with gzip.open(to + '/expected.json.gz', 'rt', encoding='utf-8') as f:
        expected = {k: v for k, v in json.load(f).items() if k.startswith('expected/old')}
    for vector in old:
        with open(f'{to}/{vector["file"]}', 'rb') as f:
            vector['bytes'] = f.read()
    for folder in ('good', 'bad'):
        shutil.rmtree(f'{to}/{folder}', ignore_errors=True)
        os.makedirs(f'{to}/{folder}')
    kept = []
    for vector in sorted(chosen, key=lambda v: v['file']):
        shutil.copyfile(f'{source}/{vector["file"]}', f'{to}/{vector["file"]}')
        new = {k: vector[k] for k in ('file', 'reader', 'reason') if vector.get(k)}
        if vector.get('expected') and vector['reader'] != 'reject':
            with open(f'{source}/{vector["expected"]}', encoding='utf-8') as f:
                tree = {k: v for k, v in json.load(f).items() if k not in HOW_MADE}
            new['expected'] = vector['expected']
            expected[vector['expected']] = tree
        kept.append(new)
    for vector in old:
        with open(f'{to}/{vector["file"]}', 'wb') as f:
            f.write(vector.pop('bytes'))
        kept.append(vector)
    kept.sort(key=lambda v: v['file'])
    with open(f'{to}/manifest.json', 'w', encoding='utf-8') as f:
        f.write('{"vectors": [\n' + ',\n'.join(json.dumps(v) for v in kept) + '\n]}\n')
    text = ',\n'.join(f'{json.dumps(k)}: {json.dumps(v, separators=(",", ":"))}' for k, v in expected.items())
    with open(to + '/expected.json.gz', 'wb') as f:
        f.write(gzip.compress(('{' + text + '}\n').encode(), 9, mtime=0))
    print(f'{len(kept)} files')


if __name__ == '__main__':
    main()
