// SPDX-FileCopyrightText: the microtet authors
// SPDX-License-Identifier: Apache-2.0
/* Reads .tet, Tensogram and TileDB schema files in JavaScript, with the C library as WebAssembly modules:
 *
 *     import { open } from './microtet.mjs';
 *     const file = await open(what);                     // a File, Blob, URL, address, Uint8Array or ArrayBuffer
 *     const [first] = await file.datasets();             // { index, name, dtype, shape, … }
 *     const values = await file.read(0, [[0, 10, 1], [0, 128, 1]]);   // [start, stop, step] for each axis */

import { MicrotetError, setModules } from './module.mjs';
import { makeSource } from './source.mjs';
import { TetFile } from './tet.mjs';
import { TensogramFile } from './tensogram.mjs';
import { TiledbFile } from './tiledb.mjs';

const FILES = { tet: TetFile, tensogram: TensogramFile, tiledb: TiledbFile };

/* The kind of a file by its first bytes: TENSOGRM, or the version number 1 to 23 of a TileDB tile; any other file is
 * opened as a .tet file. */
async function kindOf(source) {
  if (source.size < 8) return 'tet';
  if (!source.now(0, 8)) await source.load(0, 8);
  const first = source.now(0, 8), version = new DataView(first.buffer, first.byteOffset).getUint32(0, true);
  if (new TextDecoder().decode(first) === 'TENSOGRM') return 'tensogram';
  return version >= 1 && version <= 23 ? 'tiledb' : 'tet';
}

/* Opens a File, Blob, Uint8Array, ArrayBuffer, URL or address. Options: budget, bytes of workspace (default: all that
 * is free in the module's one page of memory); kind: tet, tensogram or tiledb (default: by the first bytes); onread: a
 * function (offset, length, size of the file) for each request to the source. */
export async function open(what, { budget = 0, kind, onread } = {}) {
  const source = await makeSource(what, onread), known = kind ?? await kindOf(source);
  const file = new FILES[known](known, source, budget);
  await file.start();
  return file;
}

export { MicrotetError, setModules };
