// SPDX-FileCopyrightText: the microtet authors
// SPDX-License-Identifier: Apache-2.0
/* The package for npm, installed as npm installs it: package_test.mjs ARCHIVE. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { attempt, check, digest, end, read } from './harness.mjs';

const PROGRAM = `
import { open, MicrotetError } from 'microtet';
import { readFileSync, writeFileSync } from 'node:fs';
const file = await open(readFileSync(process.argv[2])), [data] = await file.datasets();
const values = await file.read(0, data.shape.map(count => [0, count, 1]));
writeFileSync('values.bin', new Uint8Array(values.buffer));
const { max } = await file.fold(0, data.shape.map(count => [0, count, 1]));
const error = await open(new Uint8Array(100)).catch(error => error);
console.log([file.kind, data.name, max === Math.max(...values), error instanceof MicrotetError].join());
`;

const folder = mkdtempSync(join(tmpdir(), 'utet-npm-'));
await attempt('package', async () => {
  mkdirSync(`${folder}/node_modules/microtet`, { recursive: true });
  execFileSync('tar', ['-xzf', resolve(process.argv[2]), '-C', `${folder}/node_modules/microtet`, '--strip-components=1']);
  writeFileSync(`${folder}/program.mjs`, PROGRAM);
  const said = execFileSync('node', ['program.mjs', resolve('test/golden/demo/demo_planet.tet')], { cwd: folder }).toString().trim();
  check(said === 'tet,temperature,true,true', said);
  const [right] = read('test/golden/demo/digests.txt').toString().split('\n').filter(line => line.endsWith('demo_planet.tet 0'));
  check(right.startsWith(digest(read(`${folder}/values.bin`))), 'the values of the first dataset');
});
rmSync(folder, { recursive: true, force: true });
end();
