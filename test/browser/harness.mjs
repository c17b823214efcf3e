// SPDX-FileCopyrightText: the microtet authors
// SPDX-License-Identifier: Apache-2.0
/* Counts cases, and finds files and modules of the build. */
import { readFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { setModules } from '../../boards/browser/microtet.mjs';

export const BUILD = process.env.BUILD ?? 'build';
export const read = path => readFileSync(path);
export const digest = bytes => createHash('sha256').update(bytes).digest('hex');
export const bytesOf = values => new Uint8Array(values.buffer, values.byteOffset, values.byteLength);

const counted = { passed: 0, failed: 0 };

export function check(good, what) {
  counted[good ? 'passed' : 'failed']++;
  if (!good) console.log(`FAIL  ${what}`);
  return good;
}

/* Runs a case; an exception that it does not expect is a failure. */
export async function attempt(what, work) {
  try {
    await work();
  } catch (error) {
    check(false, `${what}: ${error.stack}`);
  }
}

/* The error of a promise, or null. */
export const errorOf = promise => promise.then(() => null, error => error);

export function end() {
  console.log(`${counted.passed} passed, ${counted.failed} failed`);
  process.exitCode = counted.failed > 0 ? 1 : 0;
}

export const moduleFile = name => read(`${BUILD}/browser/${name}.wasm`);
setModules(async name => moduleFile(name));

/* The selection of everything. */
export const whole = shape => shape.map(count => [0, count, 1]);
