# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""utet schema DIR: an array's folder, put together from the vectors: the newest schema by name, the changes of each
file, enumerations by the map, merged metadata; and folders that are not arrays.

    folder_test.py UTET VECTORS
"""
import gzip
import json
import os
import shutil
import sys
import tempfile

from arrays_test import check, run, tally


def main():
    tool, vectors = sys.argv[1:]
    with gzip.open(vectors + '/expected.json.gz', 'rt', encoding='utf-8') as f:
        expected = json.load(f)
    top = tempfile.mkdtemp(prefix='utet-tiledb-')
    array = top + '/array'
    for folder in ('__schema/__enumerations', '__meta', '__labels/l0/__schema'):
        os.makedirs(f'{array}/{folder}')
    steps = sorted(n for n in os.listdir(vectors + '/good') if 'evolve' in n and n.endswith('.schema'))
    names = [f'__{1700000000000 + i}_{1700000000000 + i}_{i:032x}' for i in range(len(steps))]
    for step, name in zip(steps, names):
        shutil.copyfile(f'{vectors}/good/{step}', f'{array}/__schema/{name}')
    with open(f'{array}/__schema/not_a_schema', 'wb') as f:
        f.write(b'left out')
    for key, tree in expected.items():
        if key.endswith('.tile.json') and 'enumeration' in tree and 'evolve' in key:
            shutil.copyfile(f'{vectors}/good/{key[9:-5]}', f'{array}/__schema/__enumerations/' +
                            tree['enumeration']['stored_file'])
    for i in range(2):
        shutil.copyfile(f'{vectors}/good/v22_meta_{i}.tile', f'{array}/__meta/__{5 + i}_{5 + i}_{i:032x}')

    code, out, err = run(tool, array, '--json', '--all')
    check('folder: status', (code, err), (0, ''))
    tree = json.loads(out)
    newest = expected[f'expected/{steps[-1]}.json']
    check('folder: the newest schema', tree['schema'], newest['schema'])
    check('folder: its enumerations', {k: v['enumeration']['stored_file'] for k, v in tree['enumerations'].items()},
          newest['enumeration_map'])
    merged = {}
    for i in range(2):
        for entry in expected[f'expected/v22_meta_{i}.tile.json']['entries']:
            merged[entry['key']] = entry
    want = [merged[k] for k in sorted(merged, key=str.encode) if not merged[k]['deleted']]
    check('folder: metadata', tree['entries'], want)
    check('folder: history', [step['file'] for step in tree['history']], names)
    last = None
    for step, said in zip(steps, tree['history']):
        now = expected[f'expected/{step}.json']
        if last:
            before, after = ({a['name'] for a in t['schema']['attributes']} for t in (last, now))
            changes = {(c['change'], c['what']) for c in said['changes'] if c['what'].startswith('attribute') and
                       c['change'] != 'changed'}
            check(f'history: attributes of {step}', changes, {('added', 'attribute ' + n) for n in after - before} |
                  {('dropped', 'attribute ' + n) for n in before - after})
            check(f'history: {step} changes something', bool(said['changes']), last['schema'] != now['schema'] or
                  last['enumeration_map'] != now['enumeration_map'])
        last = now
    code, out, err = run(tool, array, '--json', '--kind', 'metadata')
    check('folder: metadata alone', (code, json.loads(out)), (0, {'entries': want}))
    code, out, err = run(tool, array)
    check('folder: for people', (code, err, '### Attribute ###' in out, '- Array type: ' in out), (0, '', True, True))
    code, out, err = run(tool, array, '--all')
    check('folder: history for people', (code, names[0] in out, '2023-11-14 22:13:20.001 UTC' in out), (0, True, True))

    path = f'{array}/__schema/{names[0]}'
    code, out, err = run(tool, path)
    check('one file', (code, err, out.startswith('- Format version: 22\n')), (0, '', True))
    code, out, err = run(tool, f'{array}/__meta/' + os.listdir(array + '/__meta')[0])
    check('kind by path: metadata', (code, err), (0, ''))
    code, out, err = run(tool, f'{array}/__schema/__enumerations/' + os.listdir(array + '/__schema/__enumerations')[0])
    check('kind by path: enumeration', (code, err, '- Ordered: ' in out), (0, '', True))

    old = top + '/old'
    os.makedirs(old)
    shutil.copyfile(f'{vectors}/good/{next(n for n in os.listdir(vectors + "/good") if n.startswith("v08"))}',
                    old + '/__array_schema.tdb')
    code, out, err = run(tool, old)
    check('old layout', (code, err, out.startswith('- Format version: 8\n')), (0, '', True))

    os.makedirs(top + '/group/__group')
    check('group', run(tool, top + '/group'), (0, '- Group of 0 members\n\n### Members ###\n', ''))
    os.makedirs(top + '/empty')
    check('no array', run(tool, top + '/empty')[2],
          f'utet: {top}/empty: folder: not a TileDB array or group: the folder contains neither a schema nor __group\n')
    check('not there', run(tool, top + '/none')[:2], (1, ''))
    check('usage', [run(tool)[0], run(tool, top, '--kind', 'tile')[0], run(tool, top, '--deep')[0]], [2, 2, 2])
    shutil.rmtree(top)
    return tally.end()


if __name__ == '__main__':
    sys.exit(main())
