// SPDX-FileCopyrightText: the microtet authors
// SPDX-License-Identifier: Apache-2.0
/* A WebAssembly module of the library, and its calls. A module asks for bytes through its import io.read. If they are not
 * there yet, the call returns UTET_WOULD_BLOCK; `call` then waits for the bytes and repeats it. */

export const END = 1, WOULD_BLOCK = 2, E_BUDGET = -4, E_NOT_FOUND = -6, E_PORT = -256;
const READ_LATER = -1, READ_FAILED = -2; // answers of io.read that are not a number of bytes

/* An error of the library or of the source. status: that of the library; offset: the byte of the file that is damaged
 * or could not be read; needed: the sufficient memory, in bytes, if the status is -4 (the budget is too small). */
export class MicrotetError extends Error {
  constructor(message, { status = 0, offset = 0, needed = 0, cause } = {}) {
    super(message, { cause });
    Object.assign(this, { name: 'MicrotetError', status, offset, needed });
  }
}

let find = async name => {
  const address = new URL(`${name}.wasm`, import.meta.url);
  if (address.protocol === 'file:') return (await import('node:fs/promises')).readFile(address);
  return (await fetch(address)).arrayBuffer();
};
const compiled = new Map();

/* Sets where modules come from: a function from the name (tet, fold, tensogram, tiledb) to the bytes. */
export function setModules(from) {
  find = from;
  compiled.clear();
}

/* One WebAssembly module and its memory, on one source. */
export class Module {
  static async start(name, source) {
    if (!compiled.has(name)) compiled.set(name, find(name).then(bytes => WebAssembly.compile(bytes)));
    const module = new Module();
    module.source = source;
    const io = { read: (offset, to, length) => module.#read(offset, to, length) };
    module.x = (await WebAssembly.instantiate(await compiled.get(name), { io })).exports;
    return module;
  }

  /* io.read: copies bytes that are in memory, or else keeps the request for `call`. */
  #read(offset, to, length) {
    if (this.failure) return READ_FAILED;
    const bytes = this.source.now(offset, length);
    if (!bytes) {
      this.wanted = [offset, length];
      return READ_LATER;
    }
    new Uint8Array(this.x.memory.buffer, to, bytes.length).set(bytes);
    return bytes.length;
  }

  async #wait() {
    if (!this.wanted) return new Promise(resolve => setTimeout(resolve)); // the library has paused in long work
    const [offset, length] = this.wanted;
    this.wanted = null;
    return this.source.load(offset, length).catch(error => { this.failure = error; });
  }

  #error(status) {
    const { x, failure } = this, offset = x.error_offset(), needed = status === E_BUDGET ? x.needed() : 0;
    this.failure = null;
    if (failure) return new MicrotetError(`${failure.message} (byte ${offset})`, { status, offset, cause: failure });
    const detail = needed ? `${needed} bytes are needed` : offset ? `byte ${offset}` : '';
    return new MicrotetError(this.string(x.strerror(status)) + (detail && ` (${detail})`), { status, offset, needed });
  }

  /* Repeats a call until it ends; returns 0 or END, or a status in `also`. Throws other errors. */
  async call(step, ...also) {
    for (;;) {
      const status = step();
      if (status === WOULD_BLOCK) await this.#wait();
      else if (status >= 0 || also.includes(status)) return status;
      else throw this.#error(status);
      if (this.stopped) {
        this.stopped = false;
        this.x.cancel();
        throw new DOMException('stopped', 'AbortError');
      }
    }
  }

  numbers(count) {
    return [...new Float64Array(this.x.memory.buffer, this.x.numbers(), count)];
  }

  string(at) {
    const memory = new Uint8Array(this.x.memory.buffer);
    return new TextDecoder().decode(memory.slice(at, memory.indexOf(0, at)));
  }

  got() {
    return new Uint8Array(this.x.memory.buffer, this.x.text(), this.x.got()).slice();
  }

  /* Returns all bytes of a text that `step` delivers in parts. Without `length`, the text ends at END. */
  async bytes(step, length = Infinity) {
    const parts = [];
    let size = 0;
    while (size < length && await this.call(() => step(size)) !== END) {
      const part = this.got();
      parts.push(part);
      size += part.length;
    }
    const all = new Uint8Array(size);
    parts.reduce((at, part) => (all.set(part, at), at + part.length), 0);
    return all;
  }

  async text(step, length) {
    return new TextDecoder().decode(await this.bytes(step, length));
  }
}
