#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""`make interop-tensogram`: messages that the Tensogram library writes now, against what its accessors return.

    tensogram_interop.py UTET WORK [MESSAGES]     SEED= in the environment

Messages are random: every dtype, encoding, filter and compression with options, masks of every method, metadata of every kind,
buffered and streamed, with preceders, with hashes and without; several in a file, with foreign bytes between. Compared: what
`utet messages --json` says of metadata and descriptors with the library's accessors, of frames, index and hash frames with a second
reader (tensogram_wire.py) and the library's hash; the bytes of `utet message --format raw` with the library's arrays; `utet messages -w`
with its
lookup by path; `utet verify --deep` with its validator. Packed values are also compared with the numbers before packing.
"""
import collections
import json
import os
import random
import re
import shutil
import struct
import subprocess
import sys

import numpy as np
import tensogram
import tensogram_wire as wire

DTYPES = {'float16': np.float16, 'bfloat16': np.uint16, 'float32': np.float32, 'float64': np.float64, 'complex64': np.complex64,
          'complex128': np.complex128, 'bitmask': np.uint8, 'int8': np.int8, 'int16': np.int16, 'int32': np.int32, 'int64': np.int64,
          'uint8': np.uint8, 'uint16': np.uint16, 'uint32': np.uint32, 'uint64': np.uint64}
WITH_NAN = ('float16', 'bfloat16', 'float32', 'float64', 'complex64', 'complex128')
NOT_DECODED = ('blosc2', 'zfp', 'sz3')
METHODS = ['none', 'rle', 'roaring', 'lz4', 'zstd', 'blosc2']
counted = collections.Counter()
refused = collections.Counter()
differences = []


# ---- random messages ----

def some_shape(rng):
    return rng.choice([[], [0], [1], [3, 0, 2], [rng.randint(1, 40)], [rng.randint(1, 5000)], [rng.randint(1, 60), rng.randint(1, 60)],
                       [2, 3, rng.randint(1, 50)], [1] * rng.randint(1, 16), [rng.randint(1, 9), rng.randint(1, 9), 2, rng.randint(1, 9)]])


def some_values(rng, dtype, count, special):
    """Bytes, little-endian: rough, smooth or constant, with NaN and infinities on request."""
    kind = DTYPES[dtype]
    noise = np.random.default_rng(rng.getrandbits(32))
    if dtype == 'bitmask':
        out = noise.random(count) < rng.choice([0, 0.01, 0.5, 0.99, 1])
        return np.packbits(out).tobytes()
    if dtype == 'bfloat16':
        return (noise.normal(280, 20, count).astype('<f4').view('<u4') >> 16).astype('<u2').tobytes() if not special else \
            np.where(noise.random(count) < 0.2, 0x7FC0, 0x4380).astype('<u2').tobytes()
    shape = rng.choice(['rough', 'smooth', 'constant'])
    values = {'rough': noise.normal(0, 50, count), 'smooth': 280 + 20 * np.sin(np.arange(count) / 37) + noise.normal(0, 0.1, count),
              'constant': np.full(count, 5.0)}[shape]
    if np.dtype(kind).kind == 'u':
        values = np.abs(values)
    if np.dtype(kind).itemsize == 1:
        values = np.clip(values, -100, 100)
    values = values.astype(kind)
    if np.dtype(kind).kind == 'c':
        values.imag = noise.normal(0, 3, count)
    for n in special:
        values[noise.random(count) < rng.choice([0.001, 0.1, 0.9])] = {'nan': np.nan, 'inf+': np.inf, 'inf-': -np.inf}[n]
    return values.tobytes()


def some_szip(rng):
    return {'szip_rsi': rng.choice([1, 2, 16, 128, 4096]), 'szip_block_size': rng.choice([8, 16, 32, 64]),
            'szip_flags': rng.choice([0, 4, 8, 8, 8, 12, 9, 13])}


def some_object(rng):
    dtype = rng.choice(list(DTYPES) + ['float64'] * 5)
    shape = some_shape(rng)
    count = int(np.prod(shape, dtype=np.int64)) if shape else 1
    out = {'type': 'ntensor', 'shape': shape, 'dtype': dtype, 'encoding': 'none', 'filter': 'none', 'compression': 'none',
           'byte_order': rng.choice(['little', 'little', 'big'])}
    width = np.dtype(DTYPES[dtype]).itemsize
    if dtype == 'bitmask':
        out['compression'] = rng.choice(['none', 'rle', 'roaring', 'zstd', 'lz4'])
    else:
        out['compression'] = rng.choice(['none', 'szip', 'szip', 'zstd', 'zstd', 'lz4', 'lz4', 'blosc2', 'zfp', 'sz3'])
        if out['compression'] in ('zfp', 'sz3') and dtype not in ('float32', 'float64'):
            out['compression'] = 'zstd'
    if dtype == 'float64' and out['compression'] not in ('zfp', 'sz3') and rng.random() < 0.6:
        bits = rng.choice([8, 16, 24, 32, rng.randint(0, 64)])
        out.update(encoding='simple_packing', sp_bits_per_value=bits, sp_decimal_scale_factor=rng.choice([0, 0, 1, -1, 3, -2]))
        width = max(1, (bits + 7) // 8)
    if out['compression'] not in ('rle', 'roaring', 'zfp', 'sz3') and rng.random() < 0.4:
        out.update(filter='shuffle', shuffle_element_size=rng.choice([width, width, 1, 2, 4]))
    if out['compression'] == 'szip':
        out.update(some_szip(rng))
    elif out['compression'] == 'zstd' and rng.random() < 0.7:
        out['zstd_level'] = rng.choice([1, 3, 9, 19, 22])
    elif out['compression'] == 'blosc2':
        out.update(blosc2_codec=rng.choice(['lz4', 'zstd']), blosc2_clevel=5)
    elif out['compression'] == 'zfp':
        out.update(rng.choice([{'zfp_mode': 'fixed_rate', 'zfp_rate': 16.0}, {'zfp_mode': 'fixed_precision', 'zfp_precision': 20}]))
    elif out['compression'] == 'sz3':
        out.update(sz3_error_bound_mode='abs', sz3_error_bound=0.001)
    special = rng.sample(['nan', 'inf+', 'inf-'], rng.randint(1, 3)) if dtype in WITH_NAN and rng.random() < 0.4 else []
    data = some_values(rng, dtype, count, special)
    return out, data if out['byte_order'] == 'little' else np.frombuffer(data, DTYPES[dtype]).byteswap().tobytes()


def some_value(rng, depth=0):
    makers = [lambda: rng.randint(-100, 100), lambda: rng.choice([2**63 - 1, -2**63, 2**32, 255, 256, 65536]),
              lambda: rng.choice([0.5, 0.1, 1e300, float('inf'), float('-inf'), float('nan'), -0.0, 65504.0, 2.0, 3.4e38]),
              lambda: rng.choice(['', 'K', 'température', 'длинный ' * 20, '"\\\n\t']), lambda: rng.choice([True, False, None])]
    if depth < 6:
        makers += [lambda: [some_value(rng, depth + 1) for _ in range(rng.randint(0, 4))],
                   lambda: {rng.choice(['a', 'b.c', '', 'ключ', 'k%d' % rng.randint(0, 30)]): some_value(rng, depth + 1)
                            for _ in range(rng.randint(0, 4))}]
    return rng.choice(makers)()


def some_entry(rng, number):
    out = {'name': 'field %d' % number} if rng.random() < 0.5 else {}
    if rng.random() < 0.7:
        out['mars'] = {'param': rng.choice(['2t', '10u', 'msl']), 'step': rng.randint(0, 48)}
    for i in range(rng.choice([0, 0, 2, 30])):
        out['key%d' % i] = some_value(rng)
    return out


def attempt(make):
    try:
        return make()
    except BaseException as error:  # its panics are not derived from Exception
        if isinstance(error, KeyboardInterrupt):
            raise
        refused[re.sub('[0-9.]+', 'N', str(error))[:90]] += 1
        return None


def some_objects(rng):
    """Messages that the library agrees to write."""
    most, out = rng.choice([0, 1, 1, 1, 2, 3, 7]), []
    while len(out) < most:
        pair = some_object(rng)
        if attempt(lambda: tensogram.encode({}, [pair], allow_nan=True, allow_inf=True)) is not None:
            out.append(pair)
    return out


def some_message(rng):
    """The message's bytes, and its objects before they were written; no bytes if the library refuses."""
    objects = some_objects(rng)
    meta = {'base': [some_entry(rng, i) for i in range(len(objects))]} if rng.random() < 0.9 else {}
    for _ in range(rng.randint(0, 3)):
        meta[rng.choice(['source', 'mars', 'run', 'note'])] = some_value(rng)
    options = {'hash': rng.choice(['xxh3', 'xxh3', 'xxh3', None]), 'allow_nan': True, 'allow_inf': True}
    for key in ('nan_mask_method', 'pos_inf_mask_method', 'neg_inf_mask_method'):
        if rng.random() < 0.8:
            options[key] = rng.choice(METHODS)
    if rng.random() < 0.6:
        options['small_mask_threshold_bytes'] = 0
    streamed = rng.random() < 0.4
    options['aggregate_hash'] = rng.choice([None, None, 'auto', 'none', 'footer'] + ([] if streamed else ['header', 'both']))
    if not streamed:
        if rng.random() < 0.1 and all(d['compression'] == 'none' and d['encoding'] == 'none' for d, _ in objects):
            return attempt(lambda: tensogram.encode_pre_encoded(meta, objects, hash=options['hash'])), objects
        return attempt(lambda: tensogram.encode(meta, objects, **options)), objects

    def stream():
        encoder = tensogram.StreamingEncoder(meta, **options)
        for descriptor, data in objects:
            encoder.write_object(descriptor, data)
        return encoder.finish() if rng.random() < 0.5 else encoder.finish_backfilled()

    message = attempt(stream)
    if message is not None and objects and rng.random() < 0.6:
        some = rng.sample(range(len(objects)), rng.randint(1, len(objects)))
        counted['preceders'] += len(some)
        message = wire.with_preceders(message, {i: {'units': 'K', 'mars': {'param': 'tp'}, 'key0': i, 'level': -0.5} for i in some},
                                      None if options['hash'] is None else tensogram.compute_hash)
    if message is not None:
        counted['streamed'] += 1
    return message, objects


# ---- the library's and the second reader's results ----

def plain(item):
    """A value of the library's accessors, in the form of the tool's JSON."""
    if isinstance(item, dict):
        return {k if isinstance(k, str) else '$int:%d' % k: plain(v) for k, v in item.items()}
    if isinstance(item, (list, tuple)):
        return [plain(v) for v in item]
    return wire.json_float(item) if isinstance(item, float) else item


def frames_of(message):
    out = []
    for f in wire.frames(message):
        flagged = bool(f.flags & 2)
        if flagged and tensogram.compute_hash(f.body) != f.hash.hex():
            raise ValueError('the hash of a frame at %d is not the library\'s' % f.at)
        counted['frames'] += 1
        out.append({'offset': f.at, 'type': wire.NAMES[f.type], 'version': f.version, 'flags': f.flags, 'length': f.length,
                    'hash_slot': f.hash.hex(), 'hash': 'verified' if flagged else 'not_flagged'})
    return out


def theirs_of(message, offset):
    metadata, descriptors = tensogram.decode_descriptors(message)
    found = wire.frames(message)
    flags, = struct.unpack('>H', message[10:12])
    footer, length, _ = struct.unpack('>QQ8s', message[-24:])
    out = {'offset': offset, 'length': len(message), 'version': metadata.version, 'flags': flags,
           'total_length': struct.unpack('>Q', message[16:24])[0], 'first_footer_offset': footer, 'postamble_offset': len(message) - 24,
           'postamble_total_length': length, 'frames': frames_of(message),
           'metadata_wire': [f for f in found if f.type in (1, 7)][-1].content(),
           'metadata': {'base': plain(metadata.base), 'extra': plain(metadata.extra), 'reserved': plain(metadata.reserved)}}
    for name, types in (('index', (2, 6)), ('hash_frame', (3, 5))):
        for f in found:
            if f.type in types and name not in out:
                out[name] = f.content()
    before, tensors, preceders = None, [], {}
    for f in found:
        if f.type == 9:
            if before is not None:
                preceders[str(len(tensors))] = before.content()['base'][0]
            tensors.append(f)
        before = f if f.type == 8 else None
    if preceders:
        out['preceders'] = preceders
    out['objects'] = []
    for f, d in zip(tensors, descriptors):
        counted[d.encoding + ', ' + d.filter + ', ' + d.compression] += 1
        counted[d.dtype] += 1
        tensor = {'type': d.obj_type, 'ndim': d.ndim, 'shape': list(d.shape), 'strides': list(d.strides), 'dtype': d.dtype,
                  'byte_order': d.byte_order, 'encoding': d.encoding, 'filter': d.filter, 'compression': d.compression,
                  'params': plain(d.params), 'frame_offset': f.at, 'frame_length': f.length, 'payload_region_length': len(f.region)}
        masks = f.content().get('masks')
        if masks:
            tensor['masks'] = masks
            for k, m in masks.items():
                counted['mask ' + m['method']] += 1
        out['objects'].append(tensor)
    return out


# ---- comparison ----

def differ(what, ours, theirs):
    """Exactly: 1, 1.0 and true are three values, -0.0 is not 0.0."""
    counted['comparisons'] += 1
    ours, theirs = (json.dumps(x, sort_keys=True) for x in (ours, theirs))
    if ours != theirs:
        differences.append(what)
        at = max(0, len(os.path.commonprefix([ours, theirs])) - 40)
        if len(differences) < 20:
            print(f'{what}: ours …{ours[at:at + 200]} theirs …{theirs[at:at + 200]}')


def tool(utet, *arguments):
    done = subprocess.run([utet, *arguments], capture_output=True, timeout=60, check=False)
    return done.returncode, done.stdout, done.stderr.decode()


def compare_data(utet, path, number, message, before, index, tensor):
    code, ours, err = tool(utet, 'message', path, str(number), '--object', str(index), '--format', 'raw', '-o', '-')
    what = f'{path} message {number} tensor {index} ({tensor["dtype"]} {tensor["encoding"]} {tensor["filter"]} {tensor["compression"]})'
    methods = [m['method'] for m in tensor.get('masks', {}).values()]
    if tensor['compression'] in NOT_DECODED or 'blosc2' in methods:
        counted['named, not decoded'] += 1
        return differ(what, (code, 'not supported by utet' in err), (1, True))
    try:
        _, _, array = tensogram.decode_object(message, index)
    except (ValueError, RuntimeError) as error:
        counted['data that the library itself does not read'] += 1
        refused['reading: ' + re.sub('[0-9.]+', 'N', str(error))[:90]] += 1
        return differ(what + ': refused by the library', code, 1)
    packed = tensor['encoding'] == 'simple_packing'
    before = np.frombuffer(before, '<f8' if tensor['byte_order'] == 'little' else '>f8') if packed else None
    if packed and tensor['compression'] == 'szip' and tensor['params']['sp_bits_per_value'] not in (8, 16, 24, 32):
        # The writer loses upper bits (src/tensogram/FORMAT.md §4.4): values that do not exist may be refused, or read in the
        # same way.
        counted['damaged by the library while written'] += 1
        if code == 1 and too_far(tensor['params'], array.ravel(), before):
            counted['of them refused by us'] += 1
            return None
        packed = False
    if code != 0:
        return differ(what, (code, err), (0, ''))
    counted['tensors decoded'] += 1
    counted['bytes decoded'] += len(ours)
    differ(what, ours.hex(), np.ascontiguousarray(array).tobytes().hex())
    if packed and tensor['params']['sp_bits_per_value'] > 0:
        counted['packed values held against those before packing'] += len(ours) // 8
        differ(what + ': packing', too_far(tensor['params'], np.frombuffer(ours), before), 0)
    return None


def too_far(params, ours, before):
    """How many values differ by more than packing may cost: half a step, what is beyond the largest number of that many
    bits, and what float64 itself loses."""
    step = 2.0 ** params['sp_binary_scale_factor'] * 10.0 ** -params['sp_decimal_scale_factor']
    best = np.minimum(before, params['sp_reference_value'] + step * (2.0 ** params['sp_bits_per_value'] - 1))
    return int((np.abs(ours - best) > step * 0.5000001 + np.abs(before).max(initial=0) * 4e-15).sum())


def compare_lookup(utet, path, messages):
    """-w with one path and value, against the library's lookup."""
    for key, value in (('mars.param', '2t'), ('mars.step', 5), ('units', 'K'), ('name', 'field 1'), ('source', 'K')):
        code, out, err = tool(utet, 'messages', path, '--json', '-w', f'{key}={value}')
        found = [m['offset'] for m in json.loads(out)['messages']] if code == 0 else err
        want = [offset for offset, m in messages if tensogram.decode_descriptors(m)[0].get_path(key) == value]
        differ(f'{path} -w {key}={value}', found, want)


def compare_file(utet, path, messages, before):
    code, out, err = tool(utet, 'messages', path, '--json')
    if code != 0:
        return differ(path, (code, err), (0, ''))
    ours = json.loads(out)['messages']
    theirs = [theirs_of(m, offset) for offset, m in messages]
    with open(path, 'rb') as f:
        differ(path + ': scan', [[m['offset'], m['length']] for m in ours], [list(x) for x in tensogram.scan(f.read())])
    for number, (mine, his) in enumerate(zip(ours, theirs)):
        for key in sorted(set(mine) | set(his)):
            differ(f'{path} message {number}: {key}', mine.get(key), his.get(key))
        for index, tensor in enumerate(his['objects']):
            compare_data(utet, path, number, messages[number][1], before[number][index][1], index, tensor)
    compare_lookup(utet, path, messages)
    issues = [i['code'] for _, m in messages for i in tensogram.validate(m)['issues'] if i['severity'] == 'error']
    foreign_bytes = sum(len(m) for _, m in messages) != os.path.getsize(path)  # files that its validate also refuses
    code, out, err = tool(utet, 'verify', path)
    return differ(path + ": verify", code != 0, bool(issues) or foreign_bytes)


def foreign(rng):
    return rng.choice([b'', b'', bytes(rng.randint(1, 40)), rng.randbytes(rng.randint(1, 300)), b'TENSO', b'39277777', b'GRIB....7777\n'])


def main():
    utet, work = sys.argv[1:3]
    most = int(sys.argv[3]) if len(sys.argv) > 3 else 1000
    rng = random.Random(int(os.environ.get('SEED', '1')))
    shutil.rmtree(work, ignore_errors=True)
    os.makedirs(work)
    files = 0
    while counted['messages'] < most:
        data, messages, objects = foreign(rng), [], []
        for _ in range(rng.choice([1, 1, 2, 5])):
            message, made_of = some_message(rng)
            if message is not None:
                messages.append((len(data), message))
                objects.append(made_of)
                data += message + foreign(rng)
        if not messages:
            continue
        path = os.path.join(work, f'{files}.tgm')
        with open(path, 'wb') as f:
            f.write(data)
        before = len(differences)
        compare_file(utet, path, messages, objects)
        files += 1
        counted['messages'] += len(messages)
        if before == len(differences):
            os.remove(path)
    for what, n in sorted(refused.items(), key=lambda x: -x[1]):
        print(f'  refused by the library, {n} times: {what}')
    for what, n in sorted(counted.items()):
        print(f'  {n:8} {what}')
    print(f'figure: tensogram {tensogram.__version__}: {counted["messages"]} messages in {files} files, {counted["tensors decoded"]} tensors '
          f'decoded, {counted["named, not decoded"]} named, {counted["comparisons"]} comparisons, {len(differences)} differ')
    print(f'{counted["comparisons"] - len(differences)} passed, {len(differences)} failed')
    sys.exit(bool(differences))


main()
