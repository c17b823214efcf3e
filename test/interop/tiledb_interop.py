#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""`make interop-tiledb`: folders of arrays that TileDB's own library writes now, against what its accessors return.

    tiledb_interop.py UTET WORK [ARRAYS]     SEED= in the environment

Arrays are random: dimensions and attributes of every datatype that the package offers, filters with options, enumerations,
dimension labels, current domains, evolutions, metadata of several writes at times 1 to 2^40 in any order, consolidated and vacuumed; and
groups whose members come
and go. `utet schema DIR --json --all` must agree in every field that the accessors show, now and with `--at` at times around the writes:
the schema, the enumerations, the
merged metadata, the members. Which fields those are: `schema_of`.
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
NO_FILL = ('STRING', 'CHAR', 'BLOB', 'GEOM')
counted = {'arrays': 0, 'schemas': 0, 'refused by the library': 0, 'attributes': 0, 'dimensions': 0, 'filters': 0, 'labels': 0,
           'current domains': 0, 'enumerations': 0, 'entries of metadata': 0, 'evolutions': 0, 'groups': 0, 'members of groups': 0}
differences = []


# ---- the library's answers ----

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
    elif name == 'DICTIONARY':
        out['level'] = f._get_option(f._ctx, option.COMPRESSION_LEVEL)
    elif name in ('DELTA', 'DOUBLE_DELTA'):
        out['level'] = f._get_option(f._ctx, option.COMPRESSION_LEVEL)
        out['reinterpret'] = f._get_option(f._ctx, option.COMPRESSION_REINTERPRET_DATATYPE).name
    elif name == 'WEBP':
        out = {'quality': number(f._get_option(f._ctx, option.WEBP_QUALITY)), 'format': int(f._get_option(f._ctx, option.WEBP_INPUT_FORMAT)),
               'lossless': int(f._get_option(f._ctx, option.WEBP_LOSSLESS))}
    elif name == 'SCALE_FLOAT':
        out = {'factor': number(f.factor), 'offset': number(f.offset), 'bytewidth': f.bytewidth}
    return name, out


def filters_of(filters):
    return filters.chunksize, [filter_of(filters[i]) for i in range(len(filters))]


def ours_filters(tree):
    keep = ('level', 'max_window', 'factor', 'offset', 'bytewidth', 'reinterpret', 'quality', 'format', 'lossless')
    out = []
    for f in tree['filters']:
        name = f['type']
        options = {k: (number(v) if k in ('factor', 'offset', 'quality') else v) for k, v in f.items() if k in keep}
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
                           None if text or not dim.tile else raw(dim.tile, dim.dtype if dim.dtype.kind not in 'Mm' else 'int64'))
    for i in range(schema.nattr):
        attr = schema.attr(i)
        counted['attributes'] += 1
        out[f'attr {i}'] = (attr._internal_name, attr._tiledb_dtype.name, cells(attr._ncell), attr.isnullable, filters_of(attr.filters),
                            attr.enum_label, raw_fill(attr))
    domain = schema.current_domain
    if not domain.is_empty:
        counted['current domains'] += 1
        rectangle = domain.ndrectangle
        out['current'] = [[b.encode() if isinstance(b, str) else b for b in rectangle.range(i)]
                          if schema.domain.dim(i)._tiledb_dtype.name == 'STRING_ASCII' else
                          raw(rectangle.range(i), schema.domain.dim(i).dtype) for i in range(schema.domain.ndim)]
    return out


def raw_fill(attr):
    """Hexadecimal, or None if the package has no accessor for the stored bytes."""
    if attr.isnullable:
        return None
    if attr._tiledb_dtype.name in ('STRING_ASCII', 'STRING_UTF8', 'CHAR') and attr._ncell >= 0xffffffff:
        return np.asarray(attr._fill).tobytes().hex()
    if attr._ncell >= 0xffffffff or attr._tiledb_dtype.name.startswith(NO_FILL):
        return None
    return np.asarray(attr.fill).tobytes().hex()


# ---- the tool's answers ----

def typed(values, dtype):
    kind = np.dtype(dtype)
    values = [float(v) if isinstance(v, str) else v for v in values]
    return np.array(values, dtype='int64' if kind.kind in 'Mm' else kind).tobytes().hex()


def ours_schema(tree, schema):
    s = tree['schema']
    out = {k: s[k] for k in ('version', 'array_type', 'allows_duplicates', 'tile_order', 'cell_order', 'capacity')}
    if s['cell_order'] == 'hilbert':  # then the package does not show what is stored
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
        text = a['cell_val_num'] == 'var' and a['type'] in ('STRING_ASCII', 'STRING_UTF8', 'CHAR')
        known = not a['nullable'] and (text or (a['cell_val_num'] != 'var' and not a['type'].startswith(NO_FILL)))
        fill = a['fill_hex'] if known else None
        out[f'attr {i}'] = (a['name'], a['type'], a['cell_val_num'], a['nullable'], ours_filters(a['filters']), a['enumeration'], fill)
    if s['current_domain']:
        out['current'] = [[bytes.fromhex(r['min_hex']), bytes.fromhex(r['max_hex'])] if 'min_hex' in r else
                          typed([r['min'], r['max']], schema.domain.dim(i).dtype)
                          for i, r in enumerate(s['current_domain']['ranges'])]
    return out


def python_value(entry):
    """A metadata entry as the package returns it."""
    data = bytes.fromhex(entry['value_hex'])
    if entry['type'] in ('STRING_UTF8', 'STRING_ASCII', 'CHAR'):
        return data.decode()
    if entry['type'] == 'BLOB':
        return data
    values = tuple(np.frombuffer(data, dtype=entry['type'].lower()).tolist())
    return values[0] if len(values) == 1 else values


# ---- random arrays ----

def some_filters(rng, dtype, allow=True):
    if not allow or rng.random() < 0.3:
        return None
    kind = np.dtype(dtype).kind if dtype not in ('ascii', 'blob', 'wkb', 'wkt') else 'S'
    makers = [lambda: tiledb.GzipFilter(rng.randint(-1, 9)), lambda: tiledb.ZstdFilter(rng.randint(-7, 22)), tiledb.NoOpFilter,
              lambda: tiledb.LZ4Filter(rng.randint(-1, 12)), lambda: tiledb.Bzip2Filter(rng.randint(1, 9)),
              tiledb.BitShuffleFilter, tiledb.ByteShuffleFilter, tiledb.ChecksumMD5Filter, tiledb.ChecksumSHA256Filter]
    if kind in 'iuMm':
        makers += [lambda: tiledb.BitWidthReductionFilter(rng.choice([0, 1, 256, 2**32 - 1])),
                   lambda: tiledb.PositiveDeltaFilter(rng.choice([0, 1, 1024, 2**31])),
                   lambda: tiledb.DoubleDeltaFilter(rng.randint(-2, 9), rng.choice([None, None, np.dtype('uint8'), np.dtype(dtype)])),
                   lambda: tiledb.DeltaFilter(rng.randint(-2**31, 2**31 - 1), rng.choice([None, None, np.dtype('int16'), np.dtype(dtype)]))]
    if kind == 'f':
        makers += [lambda: tiledb.FloatScaleFilter(rng.uniform(0.01, 9), rng.uniform(-5, 5), rng.choice([1, 2, 4, 8])), tiledb.XORFilter]
    chosen = [rng.choice(makers)() for _ in range(rng.randint(0, 4))]
    if rng.random() < 0.15:
        chosen.insert(0, tiledb.RleFilter())  # it must be the first one for texts of variable length
    elif dtype in ('ascii', 'U0') and rng.random() < 0.4:
        chosen.insert(0, tiledb.DictionaryFilter(rng.randint(-1, 9)))
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
                       [f'datetime64[{u}]' for u in UNITS] +
                       [f'timedelta64[{u}]' for u in UNITS[4:]] + ['wkb', 'wkt', 'S1', 'U1', 'U5', 'int32,int32', 'float64,float64,float64'])
    if enums and rng.random() < 0.4:
        filters = some_filters(rng, 'int32')
        return tiledb.Attr(name, dtype=rng.choice(['uint16', 'int32', 'int64']), nullable=rng.random() < 0.3,
                           enum_label=rng.choice(enums), filters=filters or tiledb.FilterList())
    filters = some_filters(rng, dtype.split(',')[0])
    if filters is not None:
        kwargs['filters'] = filters
    if dtype in INTEGERS and rng.random() < 0.5:
        kwargs['fill'] = rng.randint(0, 100)
    if dtype in ('float32', 'float64') and rng.random() < 0.5:
        kwargs['fill'] = rng.choice([0.0, -1.5, math.inf])
    if dtype in ('ascii', 'U0', 'S0', 'wkb', 'wkt') or dtype in INTEGERS + ['float64', 'blob'] and rng.random() < 0.2:
        kwargs['var'] = True
    if dtype == 'ascii' and rng.random() < 0.3:
        kwargs['fill'] = rng.choice(['', 'x', 'a longer fill value'])
    if dtype in INTEGERS + ['float64'] and kwargs.get('var'):
        kwargs.pop('fill', None)
    return tiledb.Attr(name, dtype=np.dtype([('', t) for t in dtype.split(',')]) if ',' in dtype else dtype,
                       nullable=rng.random() < 0.3, **kwargs)


def some_enum(rng, name):
    n = rng.choice([0, 1, 3, 200])
    kind = rng.choice(['text', 'int', 'float', 'bytes', 'bool'])
    if n == 0:
        return tiledb.Enumeration(name, rng.random() < 0.5, dtype=rng.choice(['int32', 'U0', 'S0']))
    values = {'text': [f'value {i} {"ä" * (i % 4)}' for i in range(n)], 'int': list(range(-5, n - 5)),
              'float': [i * 0.5 for i in range(n)], 'bytes': [b'%d\x7f' % i for i in range(n)], 'bool': [True, False][:n]}[kind]
    rng.shuffle(values)
    return tiledb.Enumeration(name, rng.random() < 0.5, values=values, dtype={
        'text': 'U0', 'int': 'int32', 'float': 'float64', 'bytes': 'S0', 'bool': 'bool'}[kind])


def some_schema(rng):
    sparse = rng.random() < 0.6
    dtype = rng.choice(INTEGERS + [f'datetime64[{u}]' for u in UNITS[1:]])
    dtypes = [dtype] * rng.choice([1, 2, 3, 4, 4, 66])
    if sparse and rng.random() < 0.6:
        dtypes = [rng.choice(INTEGERS + ['ascii', 'float32', 'float64', 'datetime64[ms]']) for _ in
                  range(rng.choice([1, 2, 3, 5, 5, 63, 64, 65, 130]))]
    dims = [some_dim(rng, rng.choice(['d%d', 'dimension %d', 'δ%d']) % i, sparse, t) for i, t in enumerate(dtypes)]
    enums = [some_enum(rng, f'enum{i}') for i in range(rng.choice([0, 0, 1, 2, 4]))]
    attrs = [some_attr(rng, rng.choice(['a%d', 'attribute number %d', 'α%d']) % i, [e.name for e in enums])
             for i in range(rng.choice([1, 2, 5, 40]))]
    kwargs = {'sparse': sparse, 'allows_duplicates': sparse and rng.random() < 0.5, 'capacity': rng.choice([1, 1000, 2**40]),
              'cell_order': rng.choice(['row-major', 'col-major', 'global'] + (['hilbert'] if sparse else [])),
              'tile_order': rng.choice(['row-major', 'col-major']), 'enums': enums}
    if not sparse and dtypes[0] in INTEGERS and rng.random() < 0.5:
        kwargs['dim_labels'] = {0: {f'label{i}': dims[0].create_label_schema(rng.choice(['increasing', 'decreasing']), rng.choice(
            ['float64', 'int32', 'ascii', 'datetime64[ms]']), filters=some_filters(rng, 'int32')) for i in range(rng.randint(1, 2))}}
    for name in ('coords_filters', 'offsets_filters', 'validity_filters'):
        filters = some_filters(rng, 'uint8', rng.random() < 0.5)
        if filters is not None:
            kwargs[name] = filters
    schema = tiledb.ArraySchema(domain=tiledb.Domain(*dims), attrs=attrs, **kwargs)
    if all(t in INTEGERS + ['ascii'] or t.startswith('float') for t in dtypes) and rng.random() < 0.5:
        rectangle = tiledb.NDRectangle(schema.ctx, schema.domain)
        for i in range(schema.domain.ndim):
            low, high = schema.domain.dim(i).domain if dtypes[i] != 'ascii' else rng.choice([('a', 'zz'), ('B', 'b'), ('x', 'x')])
            rectangle.set_range(i, low, high if rng.random() < 0.7 else low)
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
    if rng.random() < 0.3:
        for i in range(schema.nattr):
            label = schema.attr(i).enum_label
            if label is not None:
                with tiledb.open(uri) as array:
                    e = array.enum(label)
                    if e.dtype.kind in 'if' and len(e.values()) > 0:
                        step.extend_enumeration(e.extend([e.dtype.type(10**6 + stamp % 1000)]))
                break
    step.array_evolve(uri)
    counted['evolutions'] += 1


def write_metadata(rng, uri, stamp):
    with tiledb.open(uri, 'w', timestamp=stamp) as array:
        some_metadata(rng, array.meta)


def some_metadata(rng, meta):
    for _ in range(rng.randint(1, 5)):
        key = rng.choice(['key%d' % rng.randint(0, 9), 'ключ', 'a long key ' * 9, 'k', 'key'])
        meta[key] = rng.choice([5, -2**40, 1.25, 'text', 'длинный', '', b'bytes\0', (1, 2, 3), (0.5, 1.5), True])
    for key in rng.sample(['key%d' % i for i in range(10)] + ['k', 'key'], rng.randint(0, 3)):
        del meta[key]


def some_stamp(rng):
    """Few and small ones, so that texts and numbers differ in their order, and large ones."""
    return rng.choice([rng.randint(1, 12), rng.randint(1, 120), rng.randint(1, 2**40)])


def write_history(rng, uri):
    """Metadata at times that come in any order, consolidated and perhaps vacuumed in between. Returns the times."""
    stamps = []
    for _ in range(rng.choice([0, 1, 3, 12])):
        stamps.append(some_stamp(rng))
        write_metadata(rng, uri, stamps[-1])
        if rng.random() < 0.08:
            tiledb.consolidate(uri, config=tiledb.Config({'sm.consolidation.mode': 'array_meta'}))
            if rng.random() < 0.4:
                tiledb.vacuum(uri, config=tiledb.Config({'sm.vacuum.mode': 'array_meta'}))
    return stamps


def choose_schema_times(rng, uri, schema_stamps):
    """Gives the schema files other times, among which the library and the tool choose."""
    folder = uri + '/__schema/'
    files = sorted(n for n in os.listdir(folder) if n != '__enumerations')
    for i, name in enumerate(files):
        schema_stamps[i] = some_stamp(rng)
        os.rename(folder + name, f'{folder}__{schema_stamps[i]}_{schema_stamps[i] + rng.randint(0, 3)}_{i:032x}')


# ---- random groups ----

def group_of(uri, mode, stamp):
    return tiledb.Group(uri, mode, ctx=tiledb.Ctx(tiledb.Config({'sm.group.timestamp_end': str(stamp)} if stamp is not None else {})))


def write_group(rng, uri):
    """Members that come and go, and metadata, at times in any order. Returns the times."""
    tiledb.group_create(uri)
    inner = []
    for i in range(rng.randint(1, 6)):
        inner.append(rng.choice(['array%d', 'größe %d', 'x y%d']) % i)
        if rng.random() < 0.5:
            tiledb.group_create(f'{uri}/{inner[-1]}')
        else:
            tiledb.Array.create(f'{uri}/{inner[-1]}', tiledb.ArraySchema(domain=tiledb.Domain(tiledb.Dim('d', domain=(0, 9), tile=5, dtype='int32')),
                                                                         attrs=[tiledb.Attr('a', dtype='int8')]))
    stamps = []
    for _ in range(rng.choice([0, 1, 3, 12])):
        stamp = some_stamp(rng)
        try:
            with group_of(uri, 'w', stamp) as g:
                for _ in range(rng.randint(0, 3)):
                    name = rng.choice([None, 'name', 'другой', 'n%d' % rng.randint(0, 3)])
                    which = rng.choice(inner)
                    if rng.random() < 0.7:
                        relative = rng.random() < 0.7
                        g.add(which if relative else os.path.abspath(f'{uri}/{which}'), name=name, relative=relative)
                    else:
                        g.remove(name or which)
                if rng.random() < 0.5:
                    some_metadata(rng, g.meta)
            stamps.append(stamp)
        except tiledb.TileDBError:
            counted['refused by the library'] += 1
    return stamps


def examine_group(utet, what, uri, times):
    for at in times:
        tree = tool(utet, uri, *([] if at is None else ['--at', str(at)]))
        with group_of(uri, 'r', at) as g:
            theirs = sorted([m.name or '', m.type.__name__.lower(), str(m.uri).removeprefix('file://')] for m in g)
            ours = sorted([m['name'] or '', m['type'], m['uri'].removeprefix('file://') if not m['relative'] else f'{os.path.abspath(uri)}/{m["uri"]}']
                          for m in tree['group']['members'])
            counted['members of groups'] += len(theirs)
            differ(f'{what} at {at}: members', ours, theirs)
            differ(f'{what} at {at}: metadata', metadata_of(tree), {k: plain_value(g.meta[k]) for k in g.meta})


def groups(utet, work, seed, count):
    failed = 0
    for i in range(count):
        rng = random.Random(seed * 1000033 + i)
        uri = f'{work}/group{i}'
        before = len(differences)
        try:
            stamps = write_group(rng, uri)
            counted['groups'] += 1
            times = [t + d for t in stamps for d in (-1, 0, 1)]
            examine_group(utet, f'group {i}', uri, [None, 0] + rng.sample(times, min(6, len(times))))
        except Exception:  # a difference, with its trace
            differences.append(f'group {i}')
            print(f'group {i}: {traceback.format_exc()[-700:]}')
        failed += len(differences) > before
        if len(differences) == before:
            shutil.rmtree(uri, ignore_errors=True)
    return failed


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


def plain_value(value):
    return int(value) if isinstance(value, bool) else value


def metadata_of(tree):
    return {e['key']: python_value(e) for e in tree.get('entries', []) if not e['deleted']}


def examine(utet, what, uri, times):
    tree = tool(utet, uri, '--all')
    schema = tiledb.ArraySchema.load(uri)
    compare(what, ours_schema(tree, schema), schema_of(schema))
    files = sorted(n for n in os.listdir(uri + '/__schema') if n != '__enumerations')
    differ(f'{what}: files', [h['file'] for h in tree['history']], files)
    for at in times:
        counted['schemas'] += 1
        then = tool(utet, uri, '--at', str(at))
        with tiledb.open(uri, timestamp=at) as array:
            compare(f'{what} at {at}', ours_schema(then, array.schema), schema_of(array.schema))
            differ(f'{what} at {at}: metadata', metadata_of(then), {k: plain_value(array.meta[k]) for k in array.meta.keys()})
    for label in tree['schema']['labels']:
        counted['labels'] += 1
        theirs = schema.dim_label(label['name'])
        differ(f'{what}: label', (label['dimension_index'], label['attribute'], label['type'], label['cell_val_num'], label['uri_stored']),
               (theirs.dim_index, theirs.label_attr_name, theirs._tiledb_label_dtype.name, cells(theirs._label_ncell),
                os.path.relpath(theirs.uri.removeprefix('file://'), os.path.abspath(uri))))
    with tiledb.open(uri) as array:
        entries = metadata_of(tree)
        theirs = {k: array.meta[k] for k in array.meta.keys()}
        counted['entries of metadata'] += len(theirs)
        differ(f'{what}: metadata', entries, {k: plain_value(v) for k, v in theirs.items()})
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
            written = write_history(rng, uri)
            if rng.random() < 0.5:
                choose_schema_times(rng, uri, stamps)
            times = [0] + [t + d for t in stamps + written for d in (-1, 0, 1)]
            times = rng.sample(times, min(6, len(times)))
        except (tiledb.TileDBError, ValueError, TypeError, OverflowError, NotImplementedError) as error:
            counted['refused by the library'] += 1
            if os.environ.get('V'):
                print(f'{i}: {type(error).__name__}: {str(error)[:160]}')
            shutil.rmtree(uri, ignore_errors=True)
            continue
        counted['arrays'] += 1
        before = len(differences)
        try:
            examine(utet, f'array {i}', uri, times)
        except Exception:  # anything that the tool or the accessors do is a difference, with its trace
            differences.append(f'array {i}')
            print(f'array {i}: {traceback.format_exc()[-700:]}')
        failed += len(differences) > before
        if len(differences) == before:
            shutil.rmtree(uri, ignore_errors=True)
    failed += groups(utet, work, seed, arrays // 5)
    print('figure: tiledb: ' + ', '.join(f'{n} {what}' for what, n in counted.items()))
    print(f'{counted["arrays"] + counted["groups"] - failed} passed, {failed} failed')
    return failed != 0 or counted['arrays'] * 2 < arrays


if __name__ == '__main__':
    sys.exit(main())
