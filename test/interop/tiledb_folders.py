#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""Makes test/tiledb/arrays: small folders of arrays and groups that TileDB's own library writes, and what it returns for them at several
times.

    tiledb_folders.py OUT      `make tiledb-folders-keep`

expected.json: for each folder and each time (null: all) the metadata, the attributes of the schema or the members; `of` names the
source.
"""
import json
import os
import shutil
import sys

import numpy as np
import tiledb

TIMES = [None, 1, 2, 4, 5, 8, 9, 10, 11, 12, 20, 99, 100, 2**40]


def plain(name, dims=1, attrs=('a',), **kwargs):
    domain = tiledb.Domain(*[tiledb.Dim(f'd{i}', domain=(0, 9), tile=5, dtype='int32') for i in range(dims)])
    tiledb.Array.create(name, tiledb.ArraySchema(domain=domain, attrs=[tiledb.Attr(a, dtype='int32') for a in attrs], **kwargs))


def put(name, stamp, **values):
    """Metadata of one write; None: the key is deleted."""
    with tiledb.open(name, 'w', timestamp=stamp) as array:
        for key, value in values.items():
            if value is None:
                del array.meta[key]
            else:
                array.meta[key] = value


def group(name, mode, stamp=None):
    config = {} if stamp is None else {'sm.group.timestamp_end': str(stamp)}
    return tiledb.Group(name, mode, ctx=tiledb.Ctx(tiledb.Config(config)))


def rename_schemas(name, stamps):
    folder = name + '/__schema/'
    files = sorted((f for f in os.listdir(folder) if f != '__enumerations'), key=lambda f: os.path.getsize(folder + f))
    for i, (file, stamp) in enumerate(zip(files, stamps)):
        os.rename(folder + file, f'{folder}__{stamp}_{stamp}_{i:032x}')


def make():
    plain('numbers')  # times whose numerical order differs from that of their texts
    for i, stamp in enumerate([1, 2, 9, 10, 11, 12, 100, 2**40]):
        put('numbers', stamp, step=stamp, **{f'k{i}': i}, **({f'k{i - 2}': None} if i % 3 == 2 else {}))
    plain('consolidated')  # one file for 1, 9, 10 and 12, which it lists; 5 and 11 came later
    put('consolidated', 1, a=1, b=1)
    put('consolidated', 9, a=9)
    put('consolidated', 10, b=None, c='text')
    put('consolidated', 12, a=12)
    tiledb.consolidate('consolidated', config=tiledb.Config({'sm.consolidation.mode': 'array_meta'}))
    put('consolidated', 11, a=11)
    put('consolidated', 5, d=5)
    shutil.copytree('consolidated', 'vacuumed')
    tiledb.vacuum('vacuumed', config=tiledb.Config({'sm.vacuum.mode': 'array_meta'}))
    plain('evolved')  # schemas at times: 10, 2, 30 in this order of writing
    first = int(next(f for f in os.listdir('evolved/__schema') if f != '__enumerations').split('_')[2])
    for i in (1, 2):
        step = tiledb.ArraySchemaEvolution(tiledb.Ctx())
        step.timestamp(first + i)
        step.add_attribute(tiledb.Attr(f'later {i}', dtype='float64'))
        step.array_evolve('evolved')
    rename_schemas('evolved', (10, 2, 30))
    plain('global', dims=2, cell_order='global', tile_order='col-major')
    dims = [tiledb.Dim(f'd{i}', domain=(0, 9), tile=5, dtype='int16' if i < 5 else 'int16') for i in range(70)]
    schema = tiledb.ArraySchema(domain=tiledb.Domain(*dims), attrs=[tiledb.Attr('a', dtype='int8')], sparse=True)
    rectangle = tiledb.NDRectangle(schema.ctx, schema.domain)
    for i in range(70):
        rectangle.set_range(i, i % 5, i % 5 + 3)
    current = tiledb.CurrentDomain(schema.ctx)
    current.set_ndrectangle(rectangle)
    schema.set_current_domain(current)
    tiledb.Array.create('dimensions70', schema)
    filters = [tiledb.DeltaFilter(7), tiledb.DoubleDeltaFilter(-3), tiledb.FilterList([tiledb.DeltaFilter(4, reinterp_dtype='uint8')])[0]]
    enums = [tiledb.Enumeration('colours', True, values=['red', 'grün'], dtype='U0')]
    tiledb.Array.create('filters', tiledb.ArraySchema(
        domain=tiledb.Domain(tiledb.Dim('y', domain=(0, 99), tile=20, dtype='uint16'), tiledb.Dim('x', domain=(0, 299), tile=30, dtype='uint16')),
        attrs=[tiledb.Attr('a', dtype='int64', filters=filters), tiledb.Attr('c', dtype='uint8', enum_label='colours'),
               tiledb.Attr('w', dtype='uint8', filters=[tiledb.WebpFilter(tiledb.WebpFilter.WebpInputFormat.WEBP_RGB, 35.5, False)])],
        enums=enums))
    tiledb.group_create('group')
    with group('group', 'w', 1) as g:
        g.meta['a'] = 1
    for name in ('one', 'two', 'three'):
        plain('group/' + name)
    tiledb.group_create('group/inner')
    with group('group', 'w', 9) as g:
        g.add('one', name='first', relative=True)
        g.add('two', relative=True)
        g.meta['a'] = 9
    with group('group', 'w', 10) as g:
        g.remove('first')
        g.add('inner', name='groupe intérieur', relative=True)
    with group('group', 'w', 12) as g:
        g.add('three', name='first', relative=True)
    with group('group', 'w', 100) as g:
        g.remove('two')
        g.meta['b'] = 'x'
    for inner in ('one', 'two', 'three', 'inner'):
        shutil.rmtree('group/' + inner + '/__meta', ignore_errors=True)


def value(v):
    return v.tolist() if isinstance(v, (np.ndarray, np.generic)) else v


def of(name, stamp):
    if os.path.exists(name + '/__group'):
        with group(name, 'r', stamp) as g:
            members = [[m.name, m.type.__name__.lower(), os.path.relpath(str(m.uri).removeprefix('file://'), os.path.abspath(name))] for m in g]
            return {'metadata': {k: value(g.meta[k]) for k in g.meta}, 'members': sorted(members, key=lambda m: (m[0] or m[2]).encode())}
    with tiledb.open(name, timestamp=stamp) as array:
        schema = array.schema
        out = {'metadata': {k: value(array.meta[k]) for k in array.meta.keys()}, 'attributes': [schema.attr(i)._internal_name for i in range(schema.nattr)],
               'orders': [schema.cell_order, schema.tile_order]}
        if not schema.current_domain.is_empty:
            r = schema.current_domain.ndrectangle
            out['current'] = [[int(v) for v in r.range(i)] for i in range(schema.domain.ndim)]
        return out


def main():
    out = os.path.abspath(sys.argv[1])
    shutil.rmtree(out, ignore_errors=True)
    os.makedirs(out)
    os.chdir(out)
    make()
    for folder, _, files in os.walk('.', topdown=False):
        if not os.listdir(folder):
            os.rmdir(folder)
        for file in files:
            if file == '__tiledb_group.tdb' and '/inner' in folder:
                os.remove(os.path.join(folder, file))
    expected = {name: {json.dumps(t): of(name, t) for t in TIMES} for name in sorted(os.listdir('.'))}
    with open('expected.json', 'w', encoding='utf-8') as f:
        json.dump({'by': f'TileDB {".".join(map(str, tiledb.libtiledb.version()))}, package {tiledb.__version__}', 'folders': expected}, f, indent=1,
                  ensure_ascii=False)
        f.write('\n')


if __name__ == '__main__':
    main()
