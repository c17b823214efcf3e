# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""utet schema DIR [--at T] over test/tiledb/arrays, against TileDB's own results at each time (expected.json, written by
test/interop/tiledb_folders.py); the effect of a damaged file; kinds of folders; names that are not UTF-8; many keys.

    arrays_test.py UTET ARRAYS
"""
import json
import os
import resource
import shutil
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tools"))
import tally  # noqa: E402


def check(what, got, want):
    tally.check(what, got == want, f'{str(got)[:600]} is not {str(want)[:600]}')


def run(tool, *arguments, text=True, **more):
    done = subprocess.run([tool, 'schema', *arguments], capture_output=True, timeout=60, check=False, text=text, **more)
    return done.returncode, done.stdout, done.stderr


def value(entry):
    data = bytes.fromhex(entry['value_hex'])
    if entry['type'] == 'STRING_UTF8':
        return data.decode()
    return struct.unpack('<q', data)[0]


def said(tree):
    """The same data as in expected.json, from the tool's JSON."""
    out = {'metadata': {e['key']: value(e) for e in tree['entries']}}
    if 'group' in tree:
        out['members'] = [[m['name'], m['type'], m['uri']] for m in tree['group']['members']]
        return out
    schema = tree['schema']
    out['attributes'] = [a['name'] for a in schema['attributes']]
    out['orders'] = [schema['cell_order'], schema['tile_order']]
    if schema['current_domain']:
        out['current'] = [[r['min'], r['max']] for r in schema['current_domain']['ranges']]
    return out


def by_times(tool, arrays):
    with open(arrays + '/expected.json', encoding='utf-8') as f:
        folders = json.load(f)['folders']
    for name, times in folders.items():
        for at, want in times.items():
            code, out, err = run(tool, f'{arrays}/{name}', '--json', *([] if at == 'null' else ['--at', at]))
            check(f'{name} at {at}: status', (code, err), (0, ''))
            got = said(json.loads(out))
            check(f'{name} at {at}', got, want)
            check(f'{name} at {at}: order of keys', list(got['metadata']), sorted(got['metadata'], key=str.encode))


def filters(tool, arrays):
    code, out, err = run(tool, arrays + '/filters', '--json')
    a, _, w = json.loads(out)['schema']['attributes']
    check('levels of deltas', [(f['type'], f['level'], f['reinterpret']) for f in a['filters']['filters']],
          [('DELTA', 7, 'ANY'), ('DOUBLE_DELTA', -3, 'ANY'), ('DELTA', 4, 'UINT8')])
    check('WebP', w['filters']['filters'],
          [{'type': 'WEBP', 'quality': 35.5, 'format': 1, 'lossless': 0, 'extents': [20, 30]}])
    code, out, err = run(tool, arrays + '/filters')
    check('filters for people', (code, err, 'WEBP: quality 35.5, RGB, tiles of 20 x 30' in out, 'DELTA: level 4, as UINT8' in out), (0, '', True, True))
    code, out, err = run(tool, arrays + '/filters', '--kind', 'enumeration', '--json')
    check('--kind enumeration DIR', (code, {k: v['enumeration']['values_hex'] for k, v in json.loads(out)['enumerations'].items()}),
          (0, {'colours': ['red'.encode().hex(), 'grün'.encode().hex()]}))
    check('… and nothing else', set(json.loads(out)), {'enumerations'})
    code, out, err = run(tool, arrays + '/filters', '--kind', 'schema', '--json')
    check('--kind schema DIR', (code, set(json.loads(out))), (0, {'tile', 'schema', 'enumeration_map'}))


def damage(tool, arrays, top):
    """Each byte of one metadata file is changed: the other files count, the schema as well, and the exit status is that
    of an error."""
    array = top + '/damaged'
    shutil.copytree(arrays + '/numbers', array)
    with open(arrays + '/expected.json', encoding='utf-8') as f:
        times = json.load(f)['folders']['numbers']
    name = next(n for n in os.listdir(array + '/__meta') if n.startswith('__1099511627776_'))
    path = f'{array}/__meta/{name}'
    with open(path, 'rb') as f:
        good = f.read()
    for at in list(range(0, len(good), 9)) + [len(good)]:
        with open(path, 'wb') as f:
            f.write(good[:at] + bytes([good[at] ^ 0x55]) + good[at + 1:] if at < len(good) else good[:50])
        code, out, err = run(tool, array, '--json')
        tree = json.loads(out)
        if code == 0:
            check(f'damage at {at}: not seen', {k for k in tree if 'damaged' in k}, set())
            continue
        check(f'damage at {at}: all else', said(tree), times['100'])
        check(f'damage at {at}: named', (code, tree['entries_damaged'], err.count('\n'), err.startswith(f'utet: {path}: ')), (1, [name], 1, True))
    code, out, err = run(tool, array)
    check('damage, for people', (code, '### Attribute ###' in out, f'- {name}: damaged' in out, 'step (INT64): 100' in out), (1, True, True, True))
    shutil.copytree(arrays + '/group', top + '/group')
    name = next(n for n in os.listdir(top + '/group/__group') if n.startswith('__100_'))
    with open(f'{top}/group/__group/{name}', 'r+b') as f:
        f.truncate(90)
    code, out, err = run(tool, top + '/group', '--json')
    tree = json.loads(out)
    with open(arrays + '/expected.json', encoding='utf-8') as f:
        want = json.load(f)['folders']['group']['99']['members']
    check('damaged members', (code, tree['group']['members_damaged'], said(tree)['members']), (1, [name], want))
    schema = top + '/schema'
    shutil.copytree(arrays + '/evolved', schema)
    with open(schema + '/__schema/__30_30_00000000000000000000000000000002', 'r+b') as f:
        f.truncate(100)
    code, out, err = run(tool, schema, '--json', '--all')
    tree = json.loads(out)
    check('a damaged schema costs itself', (code, 'schema' in tree, [h.get('damaged', False) for h in tree['history']], tree['entries']),
          (1, False, [False, False, True], []))


def raw_tile(raw):
    return (struct.pack('<IQQBQBIIIQIII', 22, len(raw) + 20, len(raw), 4, 1, 0, 8, 65536, 0, 1, len(raw), len(raw), 0) + raw)


def entry(key, number):
    return struct.pack('<I', len(key)) + key + struct.pack('<BBIi', 0, 0, 1, number)


def names(tool, arrays, top):
    array = top + '/latin'
    shutil.copytree(arrays + '/numbers/__schema', array + '/__schema')
    os.makedirs(array + '/__meta')
    keys = [b'caf\xe9', b'\xff', b'plain', b'a\xc3', 'é'.encode()]
    with open(array + f'/__meta/__5_5_{0:032x}', 'wb') as f:
        f.write(raw_tile(b''.join(entry(k, i) for i, k in enumerate(sorted(keys)))))
    code, out, err = run(tool, array, '--json', text=False)
    tree = json.loads(out.decode('utf-8'))
    check('keys that are no UTF-8', (code, [e['key'] for e in tree['entries']], [e.get('key_hex') for e in tree['entries']]),
          (0, ['a\ufffd', 'caf\ufffd', 'plain', 'é', '\ufffd'], ['61c3', '636166e9', None, None, 'ff']))
    with open(array + f'/__meta/__6_6_{0:032x}', 'wb') as f:  # two files have the same key, and one of them deletes it
        f.write(raw_tile(struct.pack('<I', 5) + b'plain\x01'))
    code, out, err = run(tool, array, '--json', text=False)
    check('deleted later', [e['key'] for e in json.loads(out)['entries']], ['a\ufffd', 'caf\ufffd', 'é', '\ufffd'])
    inner = top + '/__meta/array'
    shutil.copytree(arrays + '/numbers', inner)
    path = inner + '/__schema/' + os.listdir(inner + '/__schema')[0]
    check('a path that contains __meta/', run(tool, path)[0::2], (0, ''))
    name = os.listdir(inner + '/__meta')[0]
    check('a file in the working directory', run(tool, name, cwd=inner + '/__meta')[0::2], (0, ''))
    check('--at with a file', run(tool, path, '--at', '1')[0], 1)
    check('--at', [run(tool, inner, '--at', t)[0] for t in ('x', '-1', '')], [2, 2, 2])
    check('--kind group of an array', run(tool, inner, '--kind', 'group')[0], 1)
    check('--kind schema of a group', run(tool, arrays + '/group', '--kind', 'schema')[0], 1)
    code, out, err = run(tool, arrays + '/group', '--kind', 'group')
    check('--kind group', (code, err, '- first: array, three in this folder\n' in out, 'Metadata' in out), (0, '', True, False))
    file = next(n for n in os.listdir(arrays + '/group/__group') if n.startswith('__100_'))
    code, out, err = run(tool, f'{arrays}/group/__group/{file}', '--json')
    check('a file with members', (code, [(m['uri'], m['deleted']) for m in json.loads(out)['group']['members']][-1]), (0, ('two', True)))


def many(tool, arrays, top):
    """Ten times the keys take ten times the work: in one file, and in as many files as keys."""
    def timed(array, count):
        times = []
        for _ in range(3):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            code, out, err = run(tool, array, '--kind', 'metadata', '--json')
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            times.append(after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime)
            check(f'{count} keys', (code, out.count('"key"')), (0, count))
        return min(times)
    took = {}
    for count in (4000, 40000):
        array = f'{top}/keys{count}'
        shutil.copytree(arrays + '/numbers/__schema', array + '/__schema')
        os.makedirs(array + '/__meta')
        with open(array + f'/__meta/__5_5_{0:032x}', 'wb') as f:
            f.write(raw_tile(b''.join(entry(b'a key with a common beginning %06d' % i, i) for i in range(count))))
        took[count] = timed(array, count)
    check(f'40,000 keys take {took[40000]:.2f} s, 4,000 {took[4000]:.3f}', took[40000] < 30 * took[4000] + 0.1, True)
    took = {}
    for count in (200, 2000):
        array = f'{top}/files{count}'
        shutil.copytree(arrays + '/numbers/__schema', array + '/__schema')
        os.makedirs(array + '/__meta')
        for i in range(count):
            with open(array + f'/__meta/__{i}_{i}_{i:032x}', 'wb') as f:
                f.write(raw_tile(entry(b'key %06d' % i, i)))
        took[count] = timed(array, count)
    check(f'2,000 files take {took[2000]:.2f} s, 200 {took[200]:.3f}', took[2000] < 30 * took[200] + 0.1, True)


def main():
    tool, arrays = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    top = tempfile.mkdtemp(prefix='utet-arrays-')
    by_times(tool, arrays)
    filters(tool, arrays)
    damage(tool, arrays, top)
    names(tool, arrays, top)
    many(tool, arrays, top)
    shutil.rmtree(top)
    return tally.end()


if __name__ == '__main__':
    sys.exit(main())
