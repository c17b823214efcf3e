#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""Arrays of format versions 1 to 7, which no library writes any more: written here field by field, and opened by TileDB's own library,
whose accessors then give the expected values.

    tiledb_old.py UTET WORK [ARRAYS]     compares ARRAYS random ones (200); SEED= in the environment; `make interop-tiledb-old`
    tiledb_old.py --keep FOLDER          chooses a few for test/golden/tiledb, with the library's answers

The layout is that of src/tiledb/FORMAT.md §4.8. Every file is one generic tile, as it is or as zlib streams, in chunks of any size, at
ARRAY/__array_schema.tdb and (from version 4 on) ARRAY/__meta.
"""
import ctypes
import glob
import gzip
import json
import os
import random
import shutil
import struct
import sys
import traceback
import zlib

import numpy as np
import tiledb

import tiledb_interop as interop

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'tiledb'))
import vectors_test  # noqa: E402

INTEGERS = [0, 1, 5, 6, 7, 8, 9, 10]
FLOATS = [2, 3]
DATES = list(range(18, 31))  # times and the later datatypes came with version 9 and after
STRINGS = [4, 11, 12, 13, 14, 15, 16]
STRUCT = {0: 'i', 1: 'q', 2: 'f', 3: 'd', 5: 'b', 6: 'B', 7: 'h', 8: 'H', 9: 'I', 10: 'Q'}
SIZES = {4: 1, 11: 1, 12: 1, 13: 2, 14: 4, 15: 2, 16: 4, 17: 1}
VAR = 0xffffffff
CHUNK = 65536


def u8(n):
    return struct.pack('<B', n)


def u32(n):
    return struct.pack('<I', n)


def u64(n):
    return struct.pack('<Q', n)


def text(data):
    return u32(len(data)) + data


def size_of(datatype):
    return SIZES.get(datatype) or struct.calcsize(STRUCT.get(datatype, 'q'))


def value(datatype, number):
    return struct.pack('<' + STRUCT.get(datatype, 'q'), number)


# ---- files ----

def filters_bytes(filters, chunk=CHUNK):
    out = b''
    for kind, option in filters:
        if kind in (1, 2, 3, 4, 5, 6):
            data = u8(kind) + struct.pack('<i', option)
        elif kind in (7, 10):
            data = u32(option)
        else:
            data = b''
        out += u8(kind) + u32(len(data)) + data
    return u32(chunk) + u32(len(filters)) + out


def tile(version, raw, compressed, cut):
    chunks = [raw[i:i + cut] for i in range(0, len(raw), cut)]
    body = u64(len(chunks))
    for chunk in chunks:
        data, table = chunk, b''
        if compressed:
            data = zlib.compress(chunk, 1)
            table = u32(0) + u32(1) + u32(len(chunk)) + u32(len(data))
        body += u32(len(chunk)) + u32(len(data)) + u32(len(table)) + table + data
    filters = filters_bytes([(1, 1)] if compressed else [])
    return u32(version) + u64(len(body)) + u64(len(raw)) + u8(4) + u64(1) + u8(0) + u32(len(filters)) + filters + body


def schema_bytes(s):
    version = s['version']
    out = u32(version)
    if version >= 5:
        out += u8(s['dups'])
    out += u8(s['sparse']) + u8(s['tile_order']) + u8(s['cell_order']) + u64(s['capacity'])
    out += filters_bytes(s['coords'], s['chunk']) + filters_bytes(s['offsets'])
    if version >= 7:
        out += filters_bytes(s['validity'])
    if version < 5:
        out += u8(s['dims'][0]['type'])
    out += u32(len(s['dims']))
    for d in s['dims']:
        out += text(d['name'])
        if version >= 5:
            out += u8(d['type']) + u32(d['cells']) + filters_bytes(d['filters']) + u64(len(d['domain']))
        out += d['domain'] + (u8(1) if d['extent'] is None else u8(0) + d['extent'])
    out += u32(len(s['attrs']))
    for a in s['attrs']:
        out += text(a['name']) + u8(a['type']) + u32(a['cells']) + filters_bytes(a['filters'])
        if version >= 6:
            out += u64(len(a['fill'])) + a['fill']
        if version >= 7:
            out += u8(a['nullable']) + u8(a['fill_validity'])
    return out


# ---- random schemas ----

def some_filters(rng, datatype):
    kinds = [(1, rng.randint(-1, 9)), (2, rng.randint(-7, 22)), (3, rng.randint(-1, 9)), (4, -1), (5, rng.randint(1, 9)), (8, 0), (9, 0),
             (12, 0), (13, 0)]
    if datatype in INTEGERS:
        kinds += [(7, rng.choice([0, 256, VAR])), (10, rng.choice([1, 1024])), (6, -1)]
    chosen = rng.sample(kinds, rng.choice([0, 0, 1, 1, 2, 3]))
    if datatype in STRINGS and any(k[0] == 4 for k in chosen):
        chosen = [(4, -1)]
    return chosen


def some_dim(rng, name, version, datatype, sparse):
    d = {'name': name, 'type': datatype, 'cells': 1, 'filters': some_filters(rng, datatype) if version >= 5 and sparse else []}
    if datatype == 11:
        d.update(cells=VAR, domain=b'', extent=None)
    elif datatype in FLOATS:
        low = rng.uniform(-1e6, 1e6)
        d.update(domain=value(datatype, low) + value(datatype, low + rng.uniform(1, 1e5)), extent=rng.choice([None, value(datatype, 12.5)]))
    else:
        low = rng.randint(0, 20) if datatype in (6, 8, 9, 10) else rng.randint(-100, 20)
        d.update(domain=value(datatype, low) + value(datatype, low + rng.randint(1, 90)),
                 extent=None if sparse and rng.random() < 0.3 else value(datatype, rng.randint(1, 2)))
    return d


def some_attr(rng, name, version, datatype):
    cells = rng.choice([1, 1, 1, 2, 3, VAR]) if datatype != 17 else VAR
    if datatype in STRINGS and rng.random() < 0.6:
        cells = VAR
    fill = bytes(rng.randint(0, 255) for _ in range(size_of(datatype) * (cells if cells != VAR else rng.randint(1, 3))))
    return {'name': name, 'type': datatype, 'cells': cells, 'filters': some_filters(rng, datatype), 'fill': fill,
            'nullable': rng.randint(0, 1), 'fill_validity': rng.randint(0, 1)}


def some_schema(rng, version):
    sparse = rng.randint(0, 1)
    kinds = INTEGERS + DATES + (FLOATS if sparse else [])
    types = [rng.choice(kinds)] * rng.randint(1, 4)
    if version >= 5 and sparse and rng.random() < 0.6:
        types = [rng.choice(kinds + [11]) for _ in types]
    names = rng.choice([[b'rows', b'columns', b'z', b't'], [b'__dim_0', b'__dim_1', b'__dim_2', b'__dim_3'], ['δ'.encode(), b'd' * 200, b'x', b'y']])
    attr_types = INTEGERS + FLOATS + DATES + STRINGS + [17]
    count = rng.choice([1, 2, 5, 30])
    attr_names = [b'a%d' % i for i in range(count)]
    attr_names[0] = rng.choice([b'a0', b'', 'größe'.encode()])
    return {'version': version, 'sparse': sparse, 'dups': sparse and rng.randint(0, 1), 'tile_order': rng.randint(0, 1),
            'cell_order': rng.randint(0, 1), 'capacity': rng.choice([1, 10000, 2**40]), 'chunk': rng.choice([CHUNK, 1024]),
            'coords': [f for f in some_filters(rng, types[0]) if f[0] != 6 and f[0] != 4], 'offsets': some_filters(rng, 10),
            'validity': some_filters(rng, 6),
            'dims': [some_dim(rng, names[i], version, t, sparse) for i, t in enumerate(types)],
            'attrs': [some_attr(rng, n, version, rng.choice(attr_types)) for n in attr_names]}


def some_metadata(rng):
    entries = {}
    for _ in range(rng.randint(1, 5)):
        kind = rng.choice([0, 1, 3, 8, 12])
        number = {0: -5, 1: 2**40, 3: 1.25, 8: 60000}.get(kind)
        entries[rng.choice([b'unit', b'k%d' % rng.randint(0, 9), 'ключ'.encode()])] = (
            rng.choice([None, (kind, 1, value(kind, number)) if kind != 12 else (12, 4, b'text')]))
    out = b''
    for key in sorted(entries):
        out += text(key)
        out += u8(1) if entries[key] is None else u8(0) + u8(entries[key][0]) + u32(entries[key][1]) + entries[key][2]
    return out


# ---- the library's answers ----

class Fills:
    """Fill values as bytes, through the library's C interface, because the package converts them."""

    def __init__(self):
        folder = os.path.dirname(tiledb.__file__)
        self.lib = ctypes.CDLL(glob.glob(folder + '/libtiledb*.so')[0])
        self.ctx = ctypes.c_void_p()
        self.check(self.lib.tiledb_ctx_alloc(None, ctypes.byref(self.ctx)))

    def check(self, status):
        if status != 0:
            raise RuntimeError('the C interface failed')

    def of(self, uri):
        schema, attr, data, size = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_uint64()
        count, nullable, valid = ctypes.c_uint32(), ctypes.c_uint8(), ctypes.c_uint8()
        self.check(self.lib.tiledb_array_schema_load(self.ctx, uri.encode(), ctypes.byref(schema)))
        self.check(self.lib.tiledb_array_schema_get_attribute_num(self.ctx, schema, ctypes.byref(count)))
        out = []
        for i in range(count.value):
            self.check(self.lib.tiledb_array_schema_get_attribute_from_index(self.ctx, schema, i, ctypes.byref(attr)))
            self.check(self.lib.tiledb_attribute_get_nullable(self.ctx, attr, ctypes.byref(nullable)))
            if nullable.value:
                self.check(self.lib.tiledb_attribute_get_fill_value_nullable(self.ctx, attr, ctypes.byref(data), ctypes.byref(size),
                                                                             ctypes.byref(valid)))
            else:
                self.check(self.lib.tiledb_attribute_get_fill_value(self.ctx, attr, ctypes.byref(data), ctypes.byref(size)))
            out.append((ctypes.string_at(data, size.value).hex(), valid.value if nullable.value else None))
            self.lib.tiledb_attribute_free(ctypes.byref(attr))
        self.lib.tiledb_array_schema_free(ctypes.byref(schema))
        return out


def filters_tree(filters):
    chunk, found = interop.filters_of(filters)
    out = []
    for name, options in found:
        entry = {'type': name, **options}
        if name == 'DOUBLE_DELTA':
            entry['reinterpret'] = 'ANY'
        out.append(entry)
    return {'max_chunk_size': chunk, 'filters': out}


def stored_tree(filters):
    """The content of the file, where the library shows something derived from it."""
    names = {1: 'GZIP', 2: 'ZSTD', 3: 'LZ4', 4: 'RLE', 5: 'BZIP2', 6: 'DOUBLE_DELTA', 7: 'BIT_WIDTH_REDUCTION', 8: 'BITSHUFFLE',
             9: 'BYTESHUFFLE', 10: 'POSITIVE_DELTA', 12: 'CHECKSUM_MD5', 13: 'CHECKSUM_SHA256'}
    keys = {8: {}, 9: {}, 12: {}, 13: {}}
    out = []
    for kind, option in filters:
        more = keys.get(kind, {'max_window': option} if kind in (7, 10) else {'level': option})
        if kind == 6:  # its versions only have a level
            more['reinterpret'] = 'ANY'
        out.append({'type': names[kind], **more})
    return {'max_chunk_size': CHUNK, 'filters': out}


def plain(datatype, number):
    """A number in JSON."""
    if datatype in DATES:
        return int(np.asarray(number).astype('int64'))
    return float(number) if datatype in FLOATS else int(number)


def tree_of(uri, wrote, fills):
    """The object that `utet schema --json` must print, from the library's accessors; `wrote` decides which belong to
    which."""
    schema = tiledb.ArraySchema.load(uri)
    coords = filters_tree(schema.coords_filters)
    dims = []
    for i, d in enumerate(wrote['dims']):
        dim = schema.domain.dim(i)
        tree = {'name': dim.name, 'type': dim._tiledb_dtype.name, 'cell_val_num': interop.cells(dim._ncell),
                'filters_stored': stored_tree(d['filters']) if wrote['version'] >= 5 else filters_tree(dim.filters)}
        tree['filters'] = filters_tree(dim.filters) if wrote['version'] >= 5 else coords
        if d['type'] == 11:
            tree.update(domain=None, domain_hex=None, tile_extent=None)
        else:
            tree['domain'] = [plain(d['type'], v) for v in dim.domain]
            tree['domain_hex'] = interop.raw(dim.domain, dim.dtype)
            tree['tile_extent'] = plain(d['type'], dim.tile) if dim.tile else None
        dims.append(tree)
    attrs = []
    for i, (fill, validity) in enumerate(fills.of(uri)):
        attr = schema.attr(i)
        attrs.append({'name': attr._internal_name, 'type': attr._tiledb_dtype.name, 'cell_val_num': interop.cells(attr._ncell),
                      'nullable': attr.isnullable, 'fill_hex': fill, 'filters': filters_tree(attr.filters), 'enumeration': attr.enum_label,
                      'fill_validity_stored': wrote['attrs'][i]['fill_validity'] if wrote['version'] >= 7 else 0})
        if validity is not None:
            attrs[-1]['fill_validity'] = validity
    return {'schema': {
        'version': schema.version, 'array_type': 'sparse' if schema.sparse else 'dense',
        'allows_duplicates': bool(schema.sparse and schema.allows_duplicates), 'tile_order': schema.tile_order,
        'cell_order': schema.cell_order, 'capacity': schema.capacity, 'coords_filters': coords,
        'offsets_filters': filters_tree(schema.offsets_filters), 'validity_filters': filters_tree(schema.validity_filters),
        'dimensions': dims, 'attributes': attrs, 'labels': [], 'current_domain': None}, 'enumeration_map': {}}


# ---- comparison ----

def put(path, data):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, 'wb') as f:
        f.write(data)


def write_array(rng, uri, wrote):
    shutil.rmtree(uri, ignore_errors=True)
    raw = schema_bytes(wrote)
    put(uri + '/__array_schema.tdb', tile(wrote['version'], raw, rng.randint(0, 1), rng.choice([CHUNK, 100, 17])))
    if wrote['version'] >= 4:
        for i in range(rng.choice([0, 1, 2])):
            put(f'{uri}/__meta/__{1000 + i}_{1000 + i}_{"%032x" % rng.getrandbits(128)}',
                tile(wrote['version'], some_metadata(rng), rng.randint(0, 1), CHUNK))


def examine(utet, what, uri, wrote, fills):
    said = interop.tool(utet, uri)
    want = tree_of(uri, wrote, fills)
    interop.differ(what, list(vectors_test.differences(said['schema'], want['schema'])), [])
    with tiledb.open(uri) as array:
        entries = {e['key']: interop.python_value(e) for e in said.get('entries', []) if not e['deleted']}
        theirs = {k: array.meta[k] for k in array.meta.keys()}
        interop.counted['entries of metadata'] += len(theirs)
        interop.differ(f'{what}: metadata', entries, theirs)


def compare(utet, work, arrays):
    seed = int(os.environ.get('SEED', '1'))
    fills = Fills()
    failed = 0
    refused = 0
    print(f'format versions 1 to 7, read by TileDB {".".join(map(str, tiledb.libtiledb.version()))}, seed {seed}')
    for i in range(arrays):
        rng = random.Random(seed * 1000003 + i)
        wrote = some_schema(rng, 1 + i % 7)
        uri = f'{work}/old{i}'
        write_array(rng, uri, wrote)
        before = len(interop.differences)
        try:
            tiledb.ArraySchema.load(uri)
        except tiledb.TileDBError as error:
            refused += 1
            if os.environ.get('V'):
                print(f'{i}: {str(error)[:160]}')
            shutil.rmtree(uri)
            continue
        try:
            examine(utet, f'old array {i}, version {wrote["version"]}', uri, wrote, fills)
        except Exception:
            interop.differences.append(f'old array {i}')
            print(f'old array {i}: {traceback.format_exc()[-700:]}')
        failed += len(interop.differences) > before
        if len(interop.differences) == before:
            shutil.rmtree(uri)
    print(f'figure: tiledb: {arrays - refused} arrays of versions 1 to 7, {refused} more refused by the library, '
          f'{interop.counted["entries of metadata"]} entries of metadata')
    print(f'{arrays - refused - failed} passed, {failed} failed')
    return failed != 0 or refused * 2 > arrays


# ---- the files in the tree ----

def keep(folder):
    """Two small ones of each version, one uncompressed and one compressed, and one in several chunks."""
    with open(folder + '/manifest.json', encoding='utf-8') as f:
        vectors = [v for v in json.load(f)['vectors'] if not v['file'].startswith('good/old')]
    with gzip.open(folder + '/expected.json.gz', 'rt', encoding='utf-8') as f:
        expected = {k: v for k, v in json.load(f).items() if not k.startswith('expected/old')}
    for path in glob.glob(folder + '/good/old*'):
        os.remove(path)
    fills = Fills()
    uri = '/tmp/tiledb_old_keep'
    for version in range(1, 8):
        kept = 0
        for seed in range(10000):
            rng = random.Random(seed * 10 + version)
            wrote = some_schema(rng, version)
            if wrote['sparse'] != kept % 2 or len(wrote['attrs']) not in (2, 5) or len(schema_bytes(wrote)) > 420 or len(wrote['dims']) < 2:
                continue
            put(uri + '/__array_schema.tdb', tile(version, schema_bytes(wrote), kept != 0, 90 if kept == 2 else CHUNK))
            try:
                tree = tree_of(uri, wrote, fills)
            except tiledb.TileDBError:
                continue
            name = f'old{version}_{("as_it_is_dense", "zlib_sparse", "pieces_dense")[kept]}'
            shutil.copyfile(uri + '/__array_schema.tdb', f'{folder}/good/{name}.schema')
            vectors.append({'file': f'good/{name}.schema', 'reader': 'accept', 'expected': f'expected/{name}.json'})
            expected[f'expected/{name}.json'] = tree
            kept += 1
            if kept == (3 if version in (1, 5) else 2):
                break
    shutil.rmtree(uri)
    vectors.sort(key=lambda v: v['file'])
    with open(folder + '/manifest.json', 'w', encoding='utf-8') as f:
        f.write('{"vectors": [\n' + ',\n'.join(json.dumps(v) for v in vectors) + '\n]}\n')
    told = ',\n'.join(f'{json.dumps(k)}: {json.dumps(v, separators=(",", ":"))}' for k, v in expected.items())
    with open(folder + '/expected.json.gz', 'wb') as f:
        f.write(gzip.compress(('{' + told + '}\n').encode(), 9, mtime=0))
    print(f'{sum(v["file"].startswith("good/old") for v in vectors)} files of old versions')
    return 0


if __name__ == '__main__':
    if sys.argv[1] == '--keep':
        sys.exit(keep(sys.argv[2]))
    sys.exit(compare(sys.argv[1], sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 200))
