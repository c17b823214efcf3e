// SPDX-FileCopyrightText: the microtet authors
// SPDX-License-Identifier: Apache-2.0
/* Damaged files in node: mutants_test.mjs COUNT [SEED]. Each mutant gives data or a MicrotetError, never a trap. */
import { readdirSync } from 'node:fs';
import { MicrotetError, open } from '../../boards/browser/microtet.mjs';
import { check, end, read, whole } from './harness.mjs';

const MAX_ELEMENTS = 1e5, MAX_PARTS = 20; // limits for a mutant: elements of a dataset, datasets
const COUNT = Number(process.argv[2] ?? 2000), SEED = Number(process.argv[3] ?? 1);

/* Numbers 0 to n - 1, by a generator with 32 bits of state (xorshift). */
let state = SEED * 2654435761 >>> 0 || 1;
function random(n) {
  state ^= state << 13;
  state ^= state >>> 17;
  state ^= state << 5;
  return (state >>> 0) % n;
}

const FILES = ['tet', 'demo', 'tensogram/good', 'tiledb/good'].flatMap(folder => readdirSync(`test/golden/${folder}`)
  .filter(name => /\.(tet|tgm|schema)$/.test(name) && name !== 'demo_cine.tet').map(name => `test/golden/${folder}/${name}`)).filter(path => read(path).length > 0);
const KINDS = { tet: 'tet', tgm: 'tensogram', schema: 'tiledb' };

/* Changes bits and bytes, repeats and truncates. */
function mutant(bytes) {
  const out = Buffer.from(bytes);
  for (let n = random(6); n >= 0; n--) {
    const at = random(out.length), kind = random(4);
    if (kind === 0) out[at] ^= 1 << random(8);
    else if (kind === 1) out[at] = [0, 1, 127, 128, 255][random(5)];
    else if (kind === 2) out.copyWithin(at, random(out.length), random(out.length));
    else out.writeInt8(-1 - random(128), at);
  }
  return random(8) === 0 ? out.subarray(0, random(out.length)) : out;
}

/* Does everything that a page does with a dataset. */
async function useDataset(file, data) {
  const count = data.shape.reduce((a, b) => a * b, 1), box = whole(data.shape);
  await file.describe(data.index);
  if (count === 0 || count > MAX_ELEMENTS) return;
  await file.need(data);
  const values = await file.read(data.index, box);
  file.text(values, values.length - 1);
  if (file.fold) await file.fold(data.index, box);
}

async function useFile(file, tolerate) {
  if (file.kind === 'tiledb') return file.schema();
  for (const data of (await file.datasets()).slice(0, MAX_PARTS)) await tolerate(useDataset(file, data));
  return file.about();
}

const seen = { good: 0, refused: 0 };
let steps = 0;

async function tolerate(promise) {
  steps++;
  try {
    await promise;
    return true;
  } catch (error) {
    if (error instanceof MicrotetError) return false;
    throw error;
  }
}

for (let i = 0; i < COUNT; i++) {
  const path = FILES[random(FILES.length)], bytes = mutant(read(path)), source = random(4) === 0 ? new Blob([bytes]) : bytes;
  try {
    const good = await tolerate(open(source, { kind: KINDS[path.split('.').pop()] }).then(file => useFile(file, tolerate)));
    seen[good ? 'good' : 'refused']++;
    check(true);
  } catch (error) {
    check(false, `mutant ${i} of ${path}, seed ${SEED}: ${error.stack}`);
  }
}
check(COUNT < 500 || (seen.good > COUNT / 50 && seen.refused > COUNT / 10), `too few are read or refused: ${JSON.stringify(seen)}`);
console.log(`figure: ${COUNT} damaged files, ${steps} uses: ${seen.good} read, ${seen.refused} refused`);
end();
