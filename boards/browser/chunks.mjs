// SPDX-FileCopyrightText: the microtet authors
// SPDX-License-Identifier: Apache-2.0
/* Draws the map of the chunks under a picture. */

import { E_PORT } from './module.mjs';
import { ramp } from './plot.mjs';

const MAX_CHUNKS = 4096; // of a map

/* The size of the map in chunks, and of a chunk in pixels. */
function mapSize({ grid }, x, y) {
  const across = Math.min(grid[x], MAX_CHUNKS);
  const down = y < 0 ? 1 : Math.min(grid[y], Math.max(1, Math.floor(MAX_CHUNKS / across)));
  const part = across < grid[x] || (y >= 0 && down < grid[y]);
  return { across, down, part, cell: Math.max(2, Math.min(24, Math.floor(720 / Math.max(across, down)))) };
}

function add(sum, chunk, budget) {
  if (!chunk) return void sum.missing++;
  sum.count++;
  sum.raw += chunk.raw;
  sum.stored += chunk.stored;
  sum.least = Math.max(sum.least, chunk.least);
  sum.refused += chunk.least > budget;
  sum.codecs.add(chunk.codec);
}

const summary = ({ part, count, codecs, stored, raw, least, refused, missing }) => `${part ? 'the first ' : ''}${count} chunks ` +
  `(${[...codecs].join(', ')}): ${stored} bytes stored for ${raw}; the largest need is ${least} bytes; ${refused} do not fit ` +
  `the memory, ${missing} are missing or damaged.`;

/* Draws one cell for each chunk: a dark cell is a chunk that compresses well, a red bar marks a chunk that does not fit
 * into the memory. `live` wraps each call on the file. Returns a summary. */
export async function drawChunks(map, { file, data, x, y, at }, live) {
  if (!file.chunk) return 'Tensors of messages are stored as a whole.';
  const { across, down, cell, part } = mapSize(data, x, y), g = map.getContext('2d');
  const sum = { part, count: 0, raw: 0, stored: 0, missing: 0, refused: 0, least: 0, codecs: new Set() };
  Object.assign(map, { width: across * cell, height: down * cell });
  for (let i = 0; i < across * down; i++) {
    const column = i % across, row = Math.floor(i / across);
    const coords = at.map((index, axis) => axis === x ? column : axis === y ? row : Math.floor(index / data.chunk[axis]));
    const chunk = await live(file.chunk(data.index, coords).catch(error => { if (!(error.status > E_PORT)) throw error; }));
    add(sum, chunk, file.budget);
    g.fillStyle = chunk ? ramp(Math.min(1, chunk.stored / chunk.raw)) : '#888';
    g.fillRect(column * cell, row * cell, cell - (cell > 4), cell - (cell > 4));
    g.fillStyle = '#c33';
    if (chunk && chunk.least > file.budget) g.fillRect(column * cell, (row + .4) * cell, cell, Math.max(1, cell / 5));
  }
  return summary(sum);
}
