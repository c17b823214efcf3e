// SPDX-FileCopyrightText: the microtet authors
// SPDX-License-Identifier: Apache-2.0
/* Files of Tensogram messages. */

import { E_NOT_FOUND, E_PORT, END } from './module.mjs';
import { AnyFile, arrayFor } from './file.mjs';

const TENSOR_TYPES = { float32: Float32Array, float64: Float64Array, int8: Int8Array, int16: Int16Array,
  int32: Int32Array, int64: BigInt64Array, uint8: Uint8Array, uint16: Uint16Array, uint32: Uint32Array,
  uint64: BigUint64Array, bitmask: Uint8Array };
const MAX_LEVEL = 20; // lists and maps that are nested deeper are left out
const ITEM = { null: 0, undefined: 1, boolean: 2, text: 6, bytes: 7, list: 8, map: 9 };

export class TensogramFile extends AnyFile {
  /* All tensors of all messages. A damaged message is skipped and added to the file's faults. */
  datasets() {
    return this.alone(async () => {
      const { m } = this, list = [];
      Object.assign(this, { list, faults: [] });
      for (let next = m.x.message_first; ; next = m.x.message_next) {
        try {
          if (await m.call(next) === END) return list;
          await this.#message(list);
        } catch (error) {
          if (error.status === undefined || error.status <= E_PORT || this.faults.push(error) > 99) throw error;
        }
      }
    });
  }

  async #message(list) {
    const { m } = this;
    await m.call(m.x.metadata_open);
    for (let number = 0; await m.call(() => m.x.object_find(number), E_NOT_FOUND) !== E_NOT_FOUND; number++) {
      const dtype = m.string(m.x.describe_object()), [message, , , elementSize, rank] = m.numbers(5);
      const shape = m.numbers(24).slice(8, 8 + rank), compression = m.string(m.x.compression());
      const attributes = await this.#attributes(), { name, mars } = attributes;
      list.push({ index: list.length, name: String(name ?? mars?.param ?? `tensor ${number}`), dtype, elementSize, shape,
        compression, message, number, attributes });
    }
  }

  async #attributes() {
    const { m } = this;
    await m.call(m.x.metadata_entry);
    const entry = await this.#value(0);
    m.x.metadata_preceder();
    return { ...entry, ...await this.#value(0) };
  }

  /* Returns the item on a level as a JavaScript value. */
  async #value(level) {
    const { m } = this, kind = m.x.item_kind(level);
    if (kind === ITEM.null || kind === ITEM.undefined) return null;
    if (kind === ITEM.boolean) return m.x.item_number(level) !== 0;
    if (kind === ITEM.text) return this.#itemText(level);
    if (kind === ITEM.bytes) return 'bytes';
    if (kind !== ITEM.list && kind !== ITEM.map) return m.x.item_number(level);
    if (level > MAX_LEVEL) return '…';
    const entries = [];
    while (await m.call(() => m.x.item_next(level)) !== END)
      entries.push([kind === ITEM.map ? await this.#itemText(0) : '', await this.#value(level + 1)]);
    return kind === ITEM.map ? Object.fromEntries(entries) : entries.map(e => e[1]);
  }

  #itemText(level) {
    return this.m.text(from => this.m.x.item_text(level, from), this.m.x.item_length(level));
  }

  async describe(index) {
    const { attributes, shape } = this.list[index];
    return { attributes, axes: [], labels: shape.map(() => null) };
  }

  async about() {
    return { datasets: this.list.length, texts: {}, history: [] };
  }

  async #select(index) {
    const { m } = this, { message, number } = this.list[index];
    await m.call(() => m.x.message_at(message));
    await m.call(() => m.x.object_find(number));
  }

  /* Element `i` of an array that `read` returned as text. */
  text(values, i) {
    return String(values[i]);
  }

  need({ index }) {
    return this.alone(async () => {
      await this.#select(index);
      await this.m.call(this.m.x.tensor_need);
      const [least, best] = this.m.numbers(2);
      return { least, best };
    });
  }

  /* Returns the elements of a selection, row-major; only the real parts of complex elements. */
  read(index, ranges) {
    return this.alone(async () => {
      const { m } = this, { dtype, elementSize } = this.list[index], Kind = TENSOR_TYPES[dtype];
      await this.#select(index);
      await m.call(m.x.tensor_need);
      const [least, best] = m.numbers(2), out = arrayFor(Kind ?? Float64Array, ranges);
      await m.call(m.x.tensor_open);
      ranges.forEach((range, axis) => m.x.range(axis, ...range));
      await m.call(m.x.slab_open);
      for (let done = 0; await m.call(m.x.slab_read) !== END;) {
        const size = m.x.got(), at = m.x.row();
        if (Kind) new Uint8Array(out.buffer).set(new Uint8Array(m.x.memory.buffer, at, size), done);
        else for (let i = 0; i < size; i += elementSize) out[(done + i) / elementSize] = m.x.number(at + i);
        done += size;
      }
      return Object.assign(out, { need: { least, best }, dtype });
    });
  }
}
