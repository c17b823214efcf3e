#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""`make interop-tiledb`: folders of arrays that TileDB's own library writes now, against what its accessors say of them.

    tiledb_interop.py UTET WORK [ARRAYS]     SEED= in the environment

Arrays are made by chance: dimensions and attributes of every datatype that the package offers, filters with options, enumerations,
dimension labels, current domains, evolutions, metadata of several writes. `utet schema DIR --json --all` must agree in every field that the
accessors show: each schema file, the enumerations, the merged metadata. Which fields those are: `schema_of`.
"""
import json
import math
import os
import random
import shutil
import subprocess
import sys
import traceback

import numpy as np
import tiledb
import tiledb.libtiledb as lt

INTEGERS = ['int8', 'uint8', 'int16', 'uint16', 'int32', 'uint32', 'int64', 'uint64']
UNITS = ['Y', 'M', 'W', 'D', 'h', 'm', 's', 'ms', 'us', 'ns', 'ps', 'fs', 'as']
counted = {'arrays': 0, 'schemas': 0, 'refused by the library': 0, 'attributes': 0, 'dimensions': 0, 'filters': 0, 'labels': 0,
           'current domains': 0, 'enumerations': 0, 'entries of metadata': 0, 'evolutions': 0}
differences = []


# ---- what the library says ----

def cells(n):
    return 'var' if n >= 0xffffffff else n


def number(value):
    value = float(value)
    return value if math.isfinite(value) else ('NaN' if math.isnan(value) else 'Infinity' if value > 0 else '-Infinity')


def filter_of(f):
    name = f._type.name
    counted['filters'] += 1
    option = lt.FilterOption
    out = {}
    if name in ('GZIP', 'ZSTD', 'LZ4', 'RLE', 'BZIP2'):
        out['level'] = f._get_option(f._ctx, option.COMPRESSION_LEVEL)
    elif name in ('BIT_WIDTH_REDUCTION', 'POSITIVE_DELTA'):
        which = option.BIT_WIDTH_MAX_WINDOW if name[0] == 'B' else option.POSITIVE_DELTA_MAX_WINDOW
        out['max_window'] = f._get_option(f._ctx, which)
    elif name == 'SCALE_FLOAT':
        out = {'factor': number(f.factor), 'offset': number(f.offset), 'bytewidth': f.bytewidth}
    return name, out


def filters_of(filters):
    return filters.chunksize, [filter_of(filters[i]) for i in range(len(filters))]


def ours_filters(tree):
    keep = ('level', 'max_window', 'factor', 'offset', 'bytewidth')
    out = []
    for f in tree['filters']:
        name = f['type']
        options = {k: (number(v) if k in ('factor', 'offset') else v) for k, v in f.items() if k in keep}
        if name in ('DOUBLE_DELTA', 'DELTA', 'DICTIONARY', 'WEBP'):
            options = {}
        out.append((name, options))
    return tree['max_chunk_size'], out


def raw(value, dtype):
    return np.array(value, dtype=dtype).tobytes().hex()


def schema_of(schema):
    """The fields that are compared, by the library's accessors."""
    out = {'version': schema.version, 'array_type': 'sparse' if schema.sparse else 'dense',
           'allows_duplicates': schema.sparse and schema.allows_duplicates, 'tile_order': schema.tile_order, 'cell_order': schema.cell_order,
           'capacity': schema.capacity, 'coords': filters_of(schema.coords_filters),
           'offsets': filters_of(schema.offsets_filters), 'validity': filters_of(schema.validity_filters)}
    for i in range(schema.domain.ndim):
        dim = schema.domain.dim(i)
        counted['dimensions'] += 1
        text = dim._tiledb_dtype.name == 'STRING_ASCII'
        out[f'dim {i}'] = (dim.name, dim._tiledb_dtype.name, cells(dim._ncell), filters_of(dim.filters),
                           None if text else raw(dim.domain, dim.dtype),
                           None if text or not dim.tile else raw(dim.tile, dim.dtype if dim.dtype.kind != 'M' else 'int64'))
    for i in range(schema.nattr):
        attr = schema.attr(i)
        counted['attributes'] += 1
        out[f'attr {i}'] = (attr._internal_name, attr._tiledb_dtype.name, cells(attr._ncell), attr.isnullable, filters_of(attr.filters),
                            attr.enum_label, raw_fill(attr))
    domain = schema.current_domain
    if not domain.is_empty:
        counted['current domains'] += 1
        rectangle = domain.ndrectangle
        out['current'] = [None if schema.domain.dim(i)._tiledb_dtype.name == 'STRING_ASCII' else
                          raw(rectangle.range(i), schema.domain.dim(i).dtype) for i in range(schema.domain.ndim)]
    return out


def raw_fill(attr):
    """Hex, or None where the package has no accessor for the stored bytes."""
    if attr.isnullable or attr._ncell >= 0xffffffff or attr._tiledb_dtype.name.startswith(('STRING', 'CHAR', 'BLOB')):
        return None
    return np.asarray(attr.fill).tobytes().hex()


# ---- what the tool says ----

def typed(values, dtype):
    kind = np.dtype(dtype)
    values = [float(v) if isinstance(v, str) else v for v in values]
    return np.array(values, dtype='int64' if kind.kind == 'M' else kind).tobytes().hex()


def ours_schema(tree, schema):
    s = tree['schema']
    out = {k: s[k] for k in ('version', 'array_type', 'allows_duplicates', 'tile_order', 'cell_order', 'capacity')}
    if s['cell_order'] == 'hilbert':  # the package does not show what is stored then
        out['tile_order'] = None
    for name in ('coords', 'offsets', 'validity'):
        out[name] = ours_filters(s[name + '_filters'])
    for i, d in enumerate(s['dimensions']):
        dtype = schema.domain.dim(i).dtype if i < schema.domain.ndim else 'int8'
        text = d['type'] == 'STRING_ASCII'
        extent = d['tile_extent']
        out[f'dim {i}'] = (d['name'], d['type'], d['cell_val_num'], ours_filters(d['filters']),
                           None if text else d['domain_hex'], None if text or extent in (None, 0) else typed([extent], dtype))
    for i, a in enumerate(s['attributes']):
        fill = None if a['nullable'] or a['cell_val_num'] == 'var' or a['type'].startswith(('STRING', 'CHAR', 'BLOB')) else a['fill_hex']
        out[f'attr {i}'] = (a['name'], a['type'], a['cell_val_num'], a['nullable'], ours_filters(a['filters']), a['enumeration'], fill)
    if s['current_domain']:
        out['current'] = [None if schema.domain.dim(i)._tiledb_dtype.name == 'STRING_ASCII' else
                          typed([r['min'], r['max']], schema.domain.dim(i).dtype)
                          for i, r in enumerate(s['current_domain']['ranges'])]
    return out


def python_value(entry):
    """A metadata entry as the package hands it out."""
    data = bytes.fromhex(entry['value_hex'])
    if entry['type'] in ('STRING_UTF8', 'STRING_ASCII', 'CHAR'):
        return data.decode()
    if entry['type'] == 'BLOB':
        return data
    values = tuple(np.frombuffer(data, dtype=entry['type'].lower()).tolist())
    return values[0] if len(values) == 1 else values


# ---- arrays by chance ----

def some_filters(rng, dtype, allow=True):
    if not allow or rng.random() < 0.3:
        return None
    kind = np.dtype(dtype).kind if dtype not in ('ascii', 'blob') else 'S'
    makers = [lambda: tiledb.GzipFilter(rng.randint(-1, 9)), lambda: tiledb.ZstdFilter(rng.randint(-7, 22)),
              lambda: tiledb.LZ4Filter(rng.randint(-1, 12)), lambda: tiledb.Bzip2Filter(rng.randint(1, 9)),
              tiledb.BitShuffleFilter, tiledb.ByteShuffleFilter, tiledb.ChecksumMD5Filter, tiledb.ChecksumSHA256Filter]
    if kind in 'iuM':
        makers += [lambda: tiledb.BitWidthReductionFilter(rng.choice([0, 1, 256, 2**32 - 1])),
                   lambda: tiledb.PositiveDeltaFilter(rng.choice([0, 1, 1024, 2**31])), tiledb.DoubleDeltaFilter, tiledb.DeltaFilter]
    if kind == 'f':
        makers += [lambda: tiledb.FloatScaleFilter(rng.uniform(0.01, 9), rng.uniform(-5, 5), rng.choice([1, 2, 4, 8])), tiledb.XORFilter]
    chosen = [rng.choice(makers)() for _ in range(rng.randint(0, 4))]
    if rng.random() < 0.1:
        chosen.insert(0, tiledb.RleFilter())  # of variable texts it must be the first
    return tiledb.FilterList(chosen, chunksize=rng.choice([None, 1, 1000, 65536, 2**31]))


def some_dim(rng, name, sparse, dtype):
    kwargs = {}
    filters = some_filters(rng, dtype)
    if filters is not None:
        kwargs['filters'] = filters
    if dtype == 'ascii':
        return tiledb.Dim(name, domain=(None, None), tile=None, dtype='ascii', **kwargs)
    if dtype.startswith('float'):
        low = rng.uniform(-1e6, 1e6)
        return tiledb.Dim(name, domain=(low, low + rng.uniform(1, 1e5)), tile=rng.choice([None, 10.5]), dtype=dtype, **kwargs)
    if dtype.startswith('datetime'):
        unit = dtype[11:-1]
        low = rng.randint(-1000, 100000)
        return tiledb.Dim(name, domain=(np.datetime64(low, unit), np.datetime64(low + rng.randint(10, 5000), unit)),
                          tile=np.timedelta64(rng.randint(1, 10), unit), dtype=dtype, **kwargs)
    info = np.iinfo(dtype)
    low = rng.randint(max(info.min, -2**60), min(info.max, 2**60) - 100)
    return tiledb.Dim(name, domain=(low, low + rng.randint(1, 90)), tile=rng.randint(1, 2), dtype=dtype, **kwargs)


def some_attr(rng, name, enums, new=None):
    kwargs = {}
    dtype = rng.choice(INTEGERS + ['float32', 'float64', 'ascii', 'U0', 'S0', 'bool', 'blob', 'S3', 'complex64', 'complex128'] +
                       [f'datetime64[{u}]' for u in UNITS] + ['timedelta64[s]'])
    if enums and rng.random() < 0.4:
        filters = some_filters(rng, 'int32')
        return tiledb.Attr(name, dtype=rng.choice(['uint16', 'int32', 'int64']), nullable=rng.random() < 0.3,
                           enum_label=rng.choice(enums), filters=filters or tiledb.FilterList())
    filters = some_filters(rng, dtype)
    if filters is not None:
        kwargs['filters'] = filters
    if dtype in INTEGERS and rng.random() < 0.5:
        kwargs['fill'] = rng.randint(0, 100)
    if dtype in ('float32', 'float64') and rng.random() < 0.5:
        kwargs['fill'] = rng.choice([0.0, -1.5, math.inf])
    if dtype in ('ascii', 'U0', 'S0') or dtype in INTEGERS and rng.random() < 0.2:
        kwargs['var'] = True
    if dtype in INTEGERS and kwargs.get('var'):
        kwargs.pop('fill', None)
    return tiledb.Attr(name, dtype=dtype, nullable=rng.random() < 0.3, **kwargs)


def some_enum(rng, name):
    n = rng.choice([0, 1, 3, 200])
    kind = rng.choice(['text', 'int', 'float'])
    if n == 0:
        return tiledb.Enumeration(name, rng.random() < 0.5, dtype=rng.choice(['int32', 'U0', 'S0']))
    values = {'text': [f'value {i} {"ä" * (i % 4)}' for i in range(n)], 'int': list(range(-5, n - 5)),
              'float': [i * 0.5 for i in range(n)]}[kind]
    rng.shuffle(values)
    return tiledb.Enumeration(name, rng.random() < 0.5, values=values, dtype={'text': 'U0', 'int': 'int32', 'float': 'float64'}[kind])


def some_schema(rng):
    sparse = rng.random() < 0.6
    dtype = rng.choice(INTEGERS + [f'datetime64[{u}]' for u in UNITS[1:]])
    dtypes = [dtype] * rng.randint(1, 4)
    if sparse and rng.random() < 0.6:
        dtypes = [rng.choice(INTEGERS + ['ascii', 'float32', 'float64', 'datetime64[ms]']) for _ in range(rng.randint(1, 5))]
    dims = [some_dim(rng, rng.choice(['d%d', 'dimension %d', 'δ%d']) % i, sparse, t) for i, t in enumerate(dtypes)]
    enums = [some_enum(rng, f'enum{i}') for i in range(rng.choice([0, 0, 1, 2, 4]))]
    attrs = [some_attr(rng, rng.choice(['a%d', 'attribute number %d', 'α%d']) % i, [e.name for e in enums])
             for i in range(rng.choice([1, 2, 5, 40]))]
    kwargs = {'sparse': sparse, 'allows_duplicates': sparse and rng.random() < 0.5, 'capacity': rng.choice([1, 1000, 2**40]),
              'cell_order': rng.choice(['row-major', 'col-major'] + (['hilbert'] if sparse else [])),
              'tile_order': rng.choice(['row-major', 'col-major']), 'enums': enums}
    if not sparse and dtypes[0] in INTEGERS and rng.random() < 0.5:
        kwargs['dim_labels'] = {0: {f'label{i}': dims[0].create_label_schema(rng.choice(['increasing', 'decreasing']), rng.choice(
            ['float64', 'int32'])) for i in range(rng.randint(1, 2))}}
    for name in ('coords_filters', 'offsets_filters', 'validity_filters'):
        filters = some_filters(rng, 'uint8', rng.random() < 0.5)
        if filters is not None:
            kwargs[name] = filters
    schema = tiledb.ArraySchema(domain=tiledb.Domain(*dims), attrs=attrs, **kwargs)
    if all(t in INTEGERS or t.startswith('float') for t in dtypes) and rng.random() < 0.5:
        rectangle = tiledb.NDRectangle(schema.ctx, schema.domain)
        for i in range(schema.domain.ndim):
            low, high = schema.domain.dim(i).domain
            rectangle.set_range(i, low, high)
        domain = tiledb.CurrentDomain(schema.ctx)
        domain.set_ndrectangle(rectangle)
        schema.set_current_domain(domain)
    return schema


def evolve(rng, uri, stamp):
    schema = tiledb.ArraySchema.load(uri)
    step = tiledb.ArraySchemaEvolution(schema.ctx)
    step.timestamp(stamp)
    if rng.random() < 0.4 and schema.nattr > 1 and schema.attr(0).enum_label is None:
        step.drop_attribute(schema.attr(0)._internal_name)
    for i in range(rng.randint(1, 2)):
        step.add_attribute(some_attr(rng, f'later {stamp} {i}', []))
    if rng.random() < 0.4:
        e = some_enum(rng, f'enum {stamp}')
        step.add_enumeration(e)
    step.array_evolve(uri)
    counted['evolutions'] += 1


def write_metadata(rng, uri, stamp):
    with tiledb.open(uri, 'w', timestamp=stamp) as array:
        for _ in range(rng.randint(1, 5)):
            key = rng.choice(['key%d' % rng.randint(0, 9), 'ключ', 'a long key ' * 9])
            array.meta[key] = rng.choice([5, -2**40, 1.25, 'text', 'длинный', '', b'bytes\0', (1, 2, 3), (0.5, 1.5), True])
        for key in rng.sample(['key%d' % i for i in range(10)], rng.randint(0, 3)):
            del array.meta[key]


# ---- comparison ----

def differ(what, ours, theirs):
    if ours != theirs:
        differences.append(what)
        if len(differences) < 20:
            print(f'{what}: ours {str(ours)[:300]} theirs {str(theirs)[:300]}')


def compare(what, ours, theirs):
    for key in sorted(set(ours) | set(theirs)):
        differ(f'{what}: {key}', ours.get(key), theirs.get(key))


def tool(utet, *arguments):
    done = subprocess.run([utet, 'schema', *arguments, '--json'], capture_output=True, text=True, timeout=60, check=False)
    if done.returncode != 0:
        raise ValueError(f'status {done.returncode}: {done.stderr.strip()[:200]}')
    return json.loads(done.stdout)


def examine(utet, what, uri, stamps):
    tree = tool(utet, uri, '--all')
    schema = tiledb.ArraySchema.load(uri)
    compare(what, ours_schema(tree, schema), schema_of(schema))
    files = sorted(n for n in os.listdir(uri + '/__schema') if n != '__enumerations')
    differ(f'{what}: files', [h['file'] for h in tree['history']], files)
    for name, stamp in zip(files, stamps):
        counted['schemas'] += 1
        with tiledb.open(uri, timestamp=stamp) as array:
            compare(f'{what} at {stamp}', ours_schema(tool(utet, f'{uri}/__schema/{name}'), array.schema), schema_of(array.schema))
    for label in tree['schema']['labels']:
        counted['labels'] += 1
        theirs = schema.dim_label(label['name'])
        differ(f'{what}: label', (label['dimension_index'], label['attribute'], label['type'], label['cell_val_num'], label['uri_stored']),
               (theirs.dim_index, theirs.label_attr_name, theirs._tiledb_label_dtype.name, cells(theirs._label_ncell),
                os.path.relpath(theirs.uri.removeprefix('file://'), os.path.abspath(uri))))
    with tiledb.open(uri) as array:
        entries = {e['key']: python_value(e) for e in tree.get('entries', []) if not e['deleted']}
        theirs = {k: array.meta[k] for k in array.meta.keys()}
        counted['entries of metadata'] += len(theirs)
        differ(f'{what}: metadata', entries, {k: (int(v) if isinstance(v, bool) else v) for k, v in theirs.items()})
        for name, said in tree.get('enumerations', {}).items():
            counted['enumerations'] += 1
            e = array.enum(name)
            values = [v.encode() if isinstance(v, str) else v if isinstance(v, bytes) else np.array(v).tobytes() for v in e.values()]
            said = said['enumeration']
            ours = [bytes.fromhex(v) for v in said['values_hex']] if 'values_hex' in said else None
            if ours is None:
                data = bytes.fromhex(said['data_hex'])
                size = len(data) // said['count'] if said['count'] else 1
                ours = [data[i:i + size] for i in range(0, len(data), size)]
            differ(f'{what}: enumeration {name}', (said['name'], said['ordered'], said['type'], ours),
                   (e.name, e.ordered, e._tiledb_dtype.name if hasattr(e, '_tiledb_dtype') else said['type'], values))


def main():
    utet, work = sys.argv[1:3]
    arrays = int(sys.argv[3]) if len(sys.argv) > 3 else 500
    seed = int(os.environ.get('SEED', '1'))
    print(f'TileDB {".".join(map(str, tiledb.libtiledb.version()))}, package {tiledb.__version__}, seed {seed}')
    shutil.rmtree(work, ignore_errors=True)
    os.makedirs(work)
    failed = 0
    for i in range(arrays):
        rng = random.Random(seed * 1000003 + i)
        uri = f'{work}/array{i}'
        stamps = [1000]
        try:
            schema = some_schema(rng)
            tiledb.Array.create(uri, schema, ctx=tiledb.Ctx())
            first = next(n for n in os.listdir(uri + '/__schema') if n != '__enumerations')
            stamps = [int(first.split('_')[2])]
            for _ in range(rng.choice([0, 0, 1, 3])):
                stamps.append(stamps[-1] + rng.randint(1, 9))
                evolve(rng, uri, stamps[-1])
            for k in range(rng.choice([0, 1, 3])):
                write_metadata(rng, uri, stamps[-1] + 1 + k)
        except (tiledb.TileDBError, ValueError, TypeError, OverflowError, NotImplementedError) as error:
            counted['refused by the library'] += 1
            if os.environ.get('V'):
                print(f'{i}: {type(error).__name__}: {str(error)[:160]}')
            shutil.rmtree(uri, ignore_errors=True)
            continue
        counted['arrays'] += 1
        before = len(differences)
        try:
            examine(utet, f'array {i}', uri, stamps)
        except Exception:  # whatever the tool or the accessors do: it is a difference, with its trace
            differences.append(f'array {i}')
            print(f'array {i}: {traceback.format_exc()[-700:]}')
        failed += len(differences) > before
        if len(differences) == before:
            shutil.rmtree(uri, ignore_errors=True)
    print('figure: tiledb: ' + ', '.join(f'{n} {what}' for what, n in counted.items()))
    print(f'{counted["arrays"] - failed} passed, {failed} failed')
    return failed != 0 or counted['arrays'] * 2 < arrays


if __name__ == '__main__':
    sys.exit(main())
