// SPDX-FileCopyrightText: the microtet authors
// SPDX-License-Identifier: Apache-2.0
/* Files in the .tet format. */

import { E_NOT_FOUND, END } from './module.mjs';
import { AnyFile, arrayFor } from './file.mjs';

const NUMBERS = { f32: 1, f64: 2 }; // dtypes whose text the library writes
const TET_TYPES = { f16: Float32Array, f32: Float32Array, f64: Float64Array, i16: Int16Array, i32: Int32Array,
  i64: BigInt64Array, u8: Uint8Array, u16: Uint16Array, u32: Uint32Array, u64: BigUint64Array };
const SLOT = { history: 0, file: 1, attributes: 2, axes: 3, labels: 4, key: 5, item: 6, event: 7 };
const EVENT = ['op', 'source', 'at', 'parents', 'params', 'agent', 'activity', 'entity'];
const FOLDS = { min: 0, mean: 1, max: 2, sum: 3 };

export class TetFile extends AnyFile {
  datasets() {
    return this.alone(async () => {
      const { m } = this, list = [];
      m.dataset = undefined;
      for (let s = await m.call(m.x.first); s !== END; s = await m.call(m.x.next)) list.push(await this.#record(list.length));
      return list;
    });
  }

  async #record(index) {
    const { m } = this, dtype = m.string(m.x.describe_dataset()), [, size, rank, length, ...rest] = m.numbers(28);
    const axes = from => rest.slice(from, from + rank);
    const name = await m.text(m.x.name, length);
    return { index, name, dtype, elementSize: size, shape: axes(0), chunk: axes(8), grid: axes(16) };
  }

  /* Makes a dataset the module's current one. If that fails, the module has no current dataset. */
  async #select(index, m = this.m) {
    let at = m.dataset ?? Infinity;
    if (!Number.isSafeInteger(index) || index < 0) throw new RangeError(`${index} is not the index of a dataset`);
    m.dataset = undefined;
    for (; at !== index; at = at > index ? 0 : at + 1)
      if (await m.call(at > index ? m.x.first : m.x.next) === END) throw new RangeError(`the file has no dataset ${index}`);
    m.dataset = index;
  }

  #range(m, ranges) {
    ranges.forEach((range, axis) => m.x.range(axis, ...range));
  }

  /* Returns the elements of a selection, row-major. The array's `need` is the memory that the selection takes. */
  read(index, ranges) {
    return this.alone(async () => {
      const { m } = this;
      await this.#select(index);
      this.#range(m, ranges);
      await m.call(m.x.slab_open);
      const dtype = m.string(m.x.describe_dataset()), size = m.numbers(2)[1], out = arrayFor(TET_TYPES[dtype], ranges);
      m.x.describe_slab();
      const [least, best] = m.numbers(2);
      while (await m.call(m.x.slab_next) !== END) {
        m.x.describe_slab();
        const [, , at, count, stride, first] = m.numbers(6);
        if (dtype === 'f16') for (let i = 0; i < count; i++) out[first + i] = m.x.number(at + i * stride);
        else copyRun(m.x.memory.buffer, at, count, stride, new Uint8Array(out.buffer, first * size), size);
      }
      return Object.assign(out, { need: { least, best }, dtype });
    });
  }

  /* Returns min, mean, max and sum of the elements of a selection that are not NaN, computed by the library. */
  fold(index, ranges, names = ['min', 'mean', 'max']) {
    return this.alone(async () => {
      const m = await this.module('fold'), result = {};
      if (m.budget !== this.budget) await this.begin(m);
      await this.#select(index, m);
      this.#range(m, ranges);
      for (const name of names) {
        await m.call(() => m.x.fold_open(FOLDS[name]));
        await m.call(m.x.fold_run);
        [result[name]] = m.numbers(1);
      }
      return result;
    });
  }

  /* Returns the chunk at coordinates in the chunk grid. least, best: memory for reading it in parts. */
  chunk(index, coords) {
    return this.alone(async () => {
      const { m } = this;
      await this.#select(index);
      coords.forEach((value, axis) => m.x.coord(axis, value));
      await m.call(m.x.chunk_find);
      await m.call(m.x.chunk_need);
      m.x.describe_chunk();
      const [codec, raw, stored, offset, row, least, best] = m.numbers(7);
      return { codec: ['raw', 'zstd'][codec] ?? String(codec), raw, stored, offset, row, least, best };
    });
  }

  /* Returns the memory that the first chunk takes. */
  async need({ index, shape }) {
    return shape.includes(0) ? { least: 0, best: 0 } : this.chunk(index, shape.map(() => 0));
  }

  /* Returns element `i` of an array that `read` returned, as the shortest text that reads back as the same element. */
  text(values, i) {
    const { m } = this, number = NUMBERS[values.dtype];
    if (!number) return String(values[i]);
    const bytes = new Uint8Array(values.buffer, i * values.BYTES_PER_ELEMENT, values.BYTES_PER_ELEMENT);
    new Uint8Array(m.x.memory.buffer, m.x.element(), bytes.length).set(bytes);
    m.x.show(number);
    return new TextDecoder().decode(m.got());
  }

  /* ---- the footer ---- */

  async #footer() {
    if (!this.m.footer) await this.m.call(this.m.x.meta_open);
    this.m.footer = true;
  }

  #text(slot) {
    return this.m.text(() => this.m.x.meta_text(slot));
  }

  async #list(slot, limit = Infinity) {
    const list = [];
    while (list.length < limit && await this.m.call(() => this.m.x.meta_next(slot)) !== END) list.push(await this.#text(SLOT.item));
    return list;
  }

  async #map(slot) {
    const map = {};
    while (await this.m.call(() => this.m.x.meta_next(slot)) !== END) map[await this.#text(SLOT.key)] = await this.#text(SLOT.item);
    return map;
  }

  /* Returns the names of the axes, the labels of their indices (null: none) and the attributes. Labels of long axes are
   * omitted. */
  describe(index, maxLabels = 4096) {
    return this.alone(async () => {
      const { m } = this;
      await this.#footer();
      await this.#select(index);
      const [, , rank, , ...shape] = (m.x.describe_dataset(), m.numbers(12));
      await m.call(m.x.meta_dataset, E_NOT_FOUND);
      const attributes = await this.#map(SLOT.attributes), names = await this.#list(SLOT.axes), labels = [];
      for (let axis = 0; axis < rank; axis++) {
        const found = shape[axis] <= maxLabels && await m.call(() => m.x.meta_labels(axis), E_NOT_FOUND) !== E_NOT_FOUND;
        labels.push(found ? await this.#list(SLOT.labels) : null);
      }
      return { attributes, axes: names, labels };
    });
  }

  /* Returns the numbers and texts of the file's metadata, and its history. */
  about() {
    return this.alone(async () => {
      const { m } = this, history = [];
      m.x.describe_file();
      const [datasets, rows, , footer, footerLength, version, , ownBudget] = m.numbers(8);
      m.footer = false; // the cursors of the footer restart
      await this.#footer();
      while (await m.call(m.x.meta_event) !== END) history.push(await this.#event());
      return { datasets, rows, footer, footerLength, version, ownBudget, texts: await this.#map(SLOT.file), history };
    });
  }

  async #event() {
    const event = {};
    for (const [i, name] of EVENT.entries()) {
      const slot = SLOT.event + i;
      event[name] = await (name === 'parents' ? this.#list(slot) : name === 'params' ? this.#map(slot) : this.#text(slot));
    }
    return event;
  }
}

function copyRun(memory, at, count, stride, to, size) {
  if (stride === size) return to.set(new Uint8Array(memory, at, count * size));
  const from = new Uint8Array(memory, at);
  for (let i = 0; i < count; i++) for (let k = 0; k < size; k++) to[i * size + k] = from[i * stride + k];
}
