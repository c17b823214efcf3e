// SPDX-FileCopyrightText: the microtet authors
// SPDX-License-Identifier: Apache-2.0
/* Array schemas of TileDB. */

import { END } from './module.mjs';
import { AnyFile } from './file.mjs';

const FIELD = { name: 0, domain: 1, extent: 2, fill: 3, enumeration: 4, least: 5, greatest: 6, path: 7, uri: 8 };
const KINDS = ['dimensions', 'attributes', 'labels', 'enumerations', 'ranges'];
const ORDERS = ['row-major', 'col-major', 'global', 'unordered', 'hilbert'];
const TILEDB_TYPES = { FLOAT32: Float32Array, FLOAT64: Float64Array, INT8: Int8Array, UINT8: Uint8Array,
  INT16: Int16Array, UINT16: Uint16Array, INT32: Int32Array, UINT32: Uint32Array, INT64: BigInt64Array,
  UINT64: BigUint64Array };

/* Converts values of a datatype to numbers or text. Other bytes and unprintable texts become hexadecimal digits. */
function tiledbValue(type, bytes) {
  if (/^STRING_(ASCII|UTF8)$|^CHAR$/.test(type) && bytes.every(byte => byte >= 32)) return new TextDecoder().decode(bytes);
  const Kind = TILEDB_TYPES[type] ?? (/^(DATETIME|TIME)_/.test(type) ? BigInt64Array : null);
  if (!Kind || bytes.length % Kind.BYTES_PER_ELEMENT) return [...bytes].map(b => b.toString(16).padStart(2, '0')).join('');
  return [...new Kind(bytes.buffer)];
}

export class TiledbFile extends AnyFile {
  async datasets() {
    return [];
  }

  /* Returns the complete schema, after the library has checked it. */
  schema() {
    return this.alone(async () => {
      const { m } = this, schema = {};
      await m.call(m.x.schema_open);
      await m.call(m.x.schema_check);
      m.x.describe_schema();
      const [version, sparse, cells, tiles, capacity, duplicates, , least, best] = m.numbers(9);
      Object.assign(schema, { version, arrayType: sparse ? 'sparse' : 'dense', cellOrder: ORDERS[cells], tileOrder: ORDERS[tiles],
        capacity, allowsDuplicates: duplicates !== 0, filters: {}, need: { least, best } });
      for (const [i, name] of ['', 'coordinates', 'offsets', 'validity'].entries())
        if (i > 0) schema.filters[name] = await this.#filters(i);
      for (const [kind, name] of KINDS.entries()) schema[name] = await this.#items(kind);
      return schema;
    });
  }

  async #filters(list) {
    const { m } = this, found = [];
    m.x.filters_of(list);
    while (await m.call(m.x.filter_next) !== END) found.push({ type: m.string(m.x.describe_filter()), level: m.numbers(1)[0] });
    return found;
  }

  async #items(kind) {
    const { m } = this, list = [];
    for (let s = await m.call(() => m.x.item_first(kind)); s !== END; s = await m.call(m.x.item_next)) list.push(await this.#item(kind));
    return list;
  }

  async #bytes(field) {
    this.m.x.text_of(FIELD[field]);
    return this.m.bytes(this.m.x.text_next);
  }

  async #item(kind) {
    const { m } = this, type = m.string(m.x.describe_item()), [, cells, nullable, open, dimension] = m.numbers(5);
    const text = async field => new TextDecoder().decode(await this.#bytes(field));
    const value = async field => tiledbValue(type, await this.#bytes(field));
    if (kind === 4) return { dimension, type, range: [await value('least'), await value('greatest')].flat() };
    const item = { name: await text('name') };
    if (kind === 3) return { ...item, path: await text('path') };
    Object.assign(item, { type, cells: cells || 'var' });
    if (kind === 2) return { ...item, dimension, uri: await text('uri') };
    const filters = await this.#filters(0);
    if (kind === 0) return { ...item, domain: await value('domain'), extent: open ? null : await value('extent'), filters };
    return { ...item, nullable: nullable !== 0, fill: await value('fill'), enumeration: await text('enumeration'), filters };
  }
}
