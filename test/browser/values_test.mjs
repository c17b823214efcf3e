// SPDX-FileCopyrightText: the microtet authors
// SPDX-License-Identifier: Apache-2.0
/* The modules and microtet.mjs in node: sizes, values, memory, sources that wait, errors. Expected values are those of
 * test/golden: the reference's answers and the writers' own bytes; for folds, NumPy's. */
import { execFileSync } from 'node:child_process';
import { gunzipSync, gzipSync } from 'node:zlib';
import { readdirSync, writeFileSync } from 'node:fs';
import { MicrotetError, open } from '../../boards/browser/microtet.mjs';
import { attempt, BUILD, bytesOf, check, digest, end, errorOf, moduleFile, read, whole } from './harness.mjs';

const E_BUDGET = -4, KB = 1024;

/* ---- modules ---- */

/* Limits in bytes: of the module, and of the module after gzip. */
const LIMITS = { tet: [50 * KB, 24 * KB], fold: [48 * KB, 24 * KB], tensogram: [72 * KB, 36 * KB], tiledb: [48 * KB, 24 * KB] };

async function sizes() {
  for (const [name, [limit, zipped]] of Object.entries(LIMITS)) {
    const bytes = moduleFile(name), short = gzipSync(bytes, { level: 9 }).length;
    const module = await WebAssembly.compile(bytes), imports = WebAssembly.Module.imports(module);
    check(bytes.length <= limit && short <= zipped, `${name}.wasm: ${bytes.length} bytes, ${short} after gzip`);
    check(imports.length === 1 && imports[0].module === 'io' && imports[0].name === 'read', `${name}.wasm: its imports`);
    const { exports } = await WebAssembly.instantiate(module, { io: { read: () => -1 } });
    check(exports.memory.buffer.byteLength === 64 * KB, `${name}.wasm: its memory`);
    console.log(`figure: ${name}.wasm: ${bytes.length} bytes, ${short} after gzip, workspace ${exports.room()} of 65536 bytes`);
  }
}

/* ---- golden files ---- */

const DTYPES = ['?', 'f32', 'f64', 'i32', 'i64', 'u8', 'u16', 'i16', 'u32', 'f16', 'u64'];

/* The records of golden.txt: one list of lines for each file. */
function goldenFiles() {
  const files = [];
  for (const line of read('test/golden/golden.txt').toString().split('\n')) {
    if (line.startsWith('file ')) files.push({ words: line.split(' '), lines: [] });
    else if (files.length > 0 && line) files.at(-1).lines.push(line.split(' '));
  }
  return files.filter(({ words }) => !words[1].startsWith('shared/')).map(({ words, lines }) => ({ path: `test/${words[1]}/${decodeURIComponent(words[2])}`,
    good: words[5] === 'good', of: kind => lines.filter(line => line[0] === kind).map(([, n, ...rest]) => [/^\d+$/.test(n) ? Number(n) : n, ...rest]) }));
}

/* Extents beyond 2^53 are rounded to a double. */
const same = (extents, expected) => extents.join('x') === expected.split('x').map(Number).join('x');

/* The bits of numbers that an f16 can represent. */
function halves(values) {
  const out = new Uint16Array(values.length), word = new DataView(new ArrayBuffer(4));
  values.forEach((value, i) => {
    word.setFloat32(0, value);
    const bits = word.getUint32(0), exponent = (bits >>> 23 & 255) - 112, fraction = bits & 0x7fffff;
    const small = (fraction | 0x800000) >>> 14 - exponent; // a number below the smallest normal number
    const rest = exponent >= 31 ? 0x7c00 | (fraction ? fraction >>> 13 || 1 : 0) : exponent > 0 ? exponent << 10 | fraction >>> 13 : exponent > -10 ? small : 0;
    out[i] = bits >>> 16 & 0x8000 | rest;
  });
  return out;
}

const stored = values => bytesOf(values.dtype === 'f16' ? halves(values) : values);

/* Reads a selection; if the workspace is too small, once more with the size that the error names. */
async function readAll(file, index, ranges) {
  try {
    return await file.read(index, ranges);
  } catch (error) {
    if (error.status !== E_BUDGET) throw error;
    await file.reopen(error.needed);
    return file.read(index, ranges);
  }
}

async function goldenFile({ path, of, good }) {
  const bytes = read(path), file = await open(bytes).catch(error => error);
  const [opened] = of('open')[0] ?? ['ANY'];
  if (opened !== 'ANY') check((opened === 'OK') === !(file instanceof Error), `${path}: opens with ${file.message ?? 'OK'}, expected ${opened}`);
  if (file instanceof Error) return check(!good && file instanceof MicrotetError, `${path}: ${file.stack}`);
  const list = await file.datasets();
  for (const [n, name, dtype, shape, chunk] of of('data')) {
    const { [n]: d } = list;
    check(d && d.dtype === (DTYPES[dtype] ?? '?') && same(d.shape, shape) && same(d.chunk, chunk) && d.name === decodeURIComponent(name.replace(/^%$/, '')),
      `${path}: dataset ${n}: ${JSON.stringify(d)}`);
  }
  for (const [n, size, sum] of of('dense')) {
    const values = stored(await readAll(file, n, whole(list[n].shape)));
    check(values.length === Number(size) && digest(values) === sum, `${path}: values of dataset ${n}`);
  }
  for (const [n, slices, count, sum] of of('slice')) {
    const values = await readAll(file, n, slices.split(',').map(range => range.split(':').map(Number)));
    check(values.length === Number(count) && digest(stored(values)) === sum, `${path}: selection ${slices} of dataset ${n}`);
  }
  for (const [n] of of('read')) {
    const error = await errorOf(readAll(file, n, whole(list[n].shape)));
    check(error instanceof MicrotetError, `${path}: dataset ${n} reads, or ${error?.stack}`);
  }
}

/* ---- sources ---- */

/* A Blob whose bytes arrive one turn of the event loop later. */
class SlowBlob extends Blob {
  slice(...range) {
    const part = super.slice(...range);
    return { arrayBuffer: () => new Promise(resolve => setTimeout(() => resolve(part.arrayBuffer()))) };
  }
}

async function sources() {
  const expected = new Map(read('test/golden/demo/digests.txt').toString().trim().split('\n').map(line => {
    const [sum, name, number] = line.split(' ');
    return [`${name} ${number}`, sum];
  }));
  for (const Kind of [Blob, SlowBlob])
    for (const name of ['demo_cine.tet', 'demo_planet.tet', 'demo_small.tet', 'demo_tiny.tet']) {
      const reads = [], file = await open(new Kind([read(`test/golden/demo/${name}`)]), { onread: (...read_) => reads.push(read_) });
      for (const data of await file.datasets())
        check(digest(bytesOf(await file.read(data.index, whole(data.shape)))) === expected.get(`${name} ${data.index}`), `${name} ${data.index} by ${Kind.name}`);
      const { requests, bytes } = file.stats();
      check(requests > 1 && reads.length === requests && reads.reduce((sum, [, length]) => sum + length, 0) === bytes, `${name}: ${requests} requests, ${bytes} bytes`);
    }
}

/* A medium that fails or changes: an error with an offset; then the same call works again. */
async function faults() {
  const bytes = read('test/golden/demo/demo_planet.tet'), blob = new Blob([bytes]);
  let broken = false;
  blob.slice = (from, to) => broken ? { arrayBuffer: () => Promise.reject(new Error('gone')) } : Blob.prototype.slice.call(blob, from, to);
  const file = await open(blob), [data] = await file.datasets();
  broken = true;
  const error = await errorOf(file.read(0, whole(data.shape)));
  check(error instanceof MicrotetError && error.status === -256 && /changed/.test(error.message) && error.offset > 0, `a medium that fails: ${error}`);
  broken = false;
  check(bytesOf(await file.read(0, whole(data.shape))).length === 32768, 'the file can be read after the fault');
  const cut = await errorOf(open(bytes.subarray(0, 200)));
  check(cut.status === -48 && /superblock/.test(cut.message), `a truncated file: ${cut}`);
  const damaged = Buffer.from(bytes);
  damaged.fill(0xff, 5000, 5040);
  const payload = await errorOf((await open(damaged)).read(0, whole(data.shape)));
  check([-55, -56].includes(payload.status) && payload.offset >= 3904 && payload.offset < 7000 && /byte \d+/.test(payload.message), `a damaged chunk: ${payload}`);
}

/* Cancelled work ends with an AbortError, and the next call works. */
async function stops() {
  const file = await open(new SlowBlob([read('test/golden/demo/demo_cine.tet')])), [data] = await file.datasets();
  const first = errorOf(file.read(0, whole(data.shape)));
  await new Promise(resolve => setTimeout(resolve));
  await file.stop();
  check((await first)?.name === 'AbortError', 'a stopped read');
  check((await file.read(0, whole(data.shape))).length === 24 * 64 * 128, 'a read after one that was stopped');
  const both = await Promise.all([file.read(0, [[0, 1, 1], [0, 64, 1], [0, 128, 1]]), file.fold(0, whole(data.shape)), file.about()]);
  check(both[0].length === 8192 && both[1].max > both[1].min && both[2].datasets === 1, 'three calls at once');
}

/* ---- memory ---- */

/* With exactly its need a dataset is read; with 8 bytes less it is refused, and the error names the required size. */
async function budgets() {
  const bytes = read('test/golden/demo/demo_small.tet');
  for (const { index, shape } of await (await open(bytes)).datasets()) {
    const { least } = (await (await open(bytes)).read(index, whole(shape))).need;
    const enough = await open(bytes, { budget: least }), little = await open(bytes, { budget: least - 8 });
    check((await enough.read(index, whole(shape))).length === 8192 && enough.stats().used <= least, `dataset ${index} in ${least} bytes`);
    const error = await errorOf(little.read(index, whole(shape)));
    check(error?.status === E_BUDGET && error.needed === least && little.stats().memory === 64 * KB, `dataset ${index} in ${least - 8} bytes: ${error}`);
  }
  const large = await open(bytes, { budget: 300000 });
  check((await large.read(0, [[0, 64, 1], [0, 128, 1]])).length === 8192 && large.stats().memory > 4 * 64 * KB, 'a workspace of several pages');
}

/* ---- folds, compared with NumPy ---- */

const NUMPY = `
import json, math, sys
from fractions import Fraction
import numpy as np
values = np.fromfile(sys.argv[1], dtype=sys.argv[2]).astype(np.float64)
numbers = [float(v) for v in values[~np.isnan(values)]]
exact = sum(map(Fraction, numbers), Fraction(0))
print(json.dumps({"min": float(np.nanmin(values)), "max": float(np.nanmax(values)), "mean": float(exact / len(numbers)), "sum": math.fsum(numbers), "nan": len(numbers) < len(values),
    "numpy": float(np.nansum(values))}))
`;
const NAMES = { f32: '<f4', f64: '<f8', i16: '<i2', u8: 'u1' };

async function folds() {
  for (const name of ['demo_planet.tet', 'demo_cine.tet', 'demo_small.tet']) {
    const file = await open(read(`test/golden/demo/${name}`));
    for (const data of await file.datasets()) {
      writeFileSync(`${BUILD}/browser/values.bin`, bytesOf(await file.read(data.index, whole(data.shape))));
      const right = JSON.parse(execFileSync('python3', ['-c', NUMPY, `${BUILD}/browser/values.bin`, NAMES[data.dtype]]));
      const mine = await file.fold(data.index, whole(data.shape), ['min', 'mean', 'max', 'sum']);
      const sums = right.nan ? Number.isNaN(mine.sum) : mine.sum === right.sum && Math.abs(mine.sum - right.numpy) <= Math.abs(mine.sum) * 1e-12;
      check(sums && ['min', 'mean', 'max'].every(key => mine[key] === right[key]), `${name} ${data.name}: ${JSON.stringify([mine, right])}`);
    }
  }
}

/* ---- the other formats ---- */

/* The answers of TileDB's own accessors for each schema. */
async function schemas() {
  const expected = JSON.parse(gunzipSync(read('test/golden/tiledb/expected.json.gz')));
  const bytes = value => value.flatMap(v => [...bytesOf(v)].map(b => b.toString(16).padStart(2, '0'))).join('');
  for (const [key, { schema: right }] of Object.entries(expected)) {
    const path = `test/golden/tiledb/good/${key.slice('expected/'.length, -'.json'.length)}${/\.\w+\.json$/.test(key) ? '' : '.schema'}`;
    if (!right?.dimensions || !path.endsWith('.schema')) continue;
    const mine = await (await open(read(path), { kind: 'tiledb', budget: 200000 })).schema();
    const names = list => JSON.stringify(list.map(({ name, type, cell_val_num, cells, nullable }) => [name, type, cell_val_num ?? cells, nullable]));
    check(mine.version === right.version && mine.arrayType === right.array_type && mine.cellOrder.startsWith(right.cell_order) && mine.tileOrder === right.tile_order &&
      mine.allowsDuplicates === right.allows_duplicates && mine.capacity === Number(right.capacity), `${path}: ${JSON.stringify({ ...mine, dimensions: 0, attributes: 0 }, text)}`);
    check(names(mine.dimensions) === names(right.dimensions) && names(mine.attributes) === names(right.attributes), `${path}: ${names(mine.dimensions)} ${names(mine.attributes)}`);
    for (const [i, { domain }] of right.dimensions.entries())
      if (Array.isArray(domain)) check(JSON.stringify(mine.dimensions[i].domain, text) === JSON.stringify(domain.map(String)), `${path}: domain ${i}: ${mine.dimensions[i].domain}`);
    for (const [i, { filters }] of right.attributes.entries())
      check(mine.attributes[i].filters.map(f => f.type).join() === filters.filters.map(f => f.type).join(), `${path}: filters of attribute ${i}`);
  }
}

const text = (key, value) => typeof value === 'bigint' || typeof value === 'number' ? String(value) : value;

/* Shapes and types of all tensors, as the Tensogram library lists them, and known values of the demonstration. */
async function tensors() {
  for (const name of readdirSync('test/golden/tensogram/good')) {
    const right = JSON.parse(read(`test/golden/tensogram/expected/${name}.json`)), file = await open(read(`test/golden/tensogram/good/${name}`), { kind: 'tensogram' });
    const mine = await file.datasets(), objects = right.messages.flatMap(message => message.objects);
    check(JSON.stringify(mine.map(t => [t.dtype, t.shape, t.compression])) === JSON.stringify(objects.map(t => [t.dtype, t.shape, t.compression])), `${name}: ${JSON.stringify(mine)}`);
  }
}

const only = process.env.SUITE_ONLY;
for (const part of [sizes, sources, faults, stops, budgets, folds, schemas, tensors].filter(p => !only || p.name === only)) await attempt(part.name, part);
for (const golden of goldenFiles().filter(g => !only || g.path.includes(only))) await attempt(golden.path, () => goldenFile(golden));
end();
