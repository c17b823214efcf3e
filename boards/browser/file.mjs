// SPDX-FileCopyrightText: the microtet authors
// SPDX-License-Identifier: Apache-2.0
/* The base class of all kinds of files. */

import { Module } from './module.mjs';

const MAX_ELEMENTS = 2 ** 26; // of one array

/* kind: tet, tensogram or tiledb. faults: errors of the parts that were skipped. */
export class AnyFile {
  constructor(kind, source, budget) {
    Object.assign(this, { kind, source, size: source.size, budget, faults: [], modules: {} });
    this.queue = Promise.resolve();
  }

  async start() {
    this.m = await this.module(this.kind);
    this.budget ||= this.m.x.room();
    await this.begin(this.m);
  }

  async module(name) {
    this.modules[name] ??= await Module.start(name, this.source);
    return this.modules[name];
  }

  async begin(module) {
    Object.assign(module, { budget: undefined, dataset: undefined, footer: false });
    await module.call(() => module.x.begin(this.size, this.budget));
    await module.call(module.x.open);
    module.budget = this.budget;
  }

  /* Opens the file again with a workspace of `budget` bytes. */
  reopen(budget) {
    this.budget = budget;
    return this.alone(() => {});
  }

  /* Does `work` after all earlier work has ended, because a file can be in only one call at a time. */
  alone(work) {
    const run = this.queue.then(async () => {
      this.busy = true;
      try {
        if (this.m.budget !== this.budget) await this.begin(this.m);
        return await work();
      } finally {
        this.busy = false;
        Object.values(this.modules).forEach(m => { m.stopped = false; });
      }
    });
    this.queue = run.catch(() => {});
    return run;
  }

  /* Stops the current work of the file; its promise rejects with an AbortError. */
  stop() {
    if (this.busy) Object.values(this.modules).forEach(m => { m.stopped = true; });
    return this.queue;
  }

  stats() {
    const { requests, bytes } = this.source, modules = Object.values(this.modules);
    const memory = modules.reduce((sum, m) => sum + m.x.memory.buffer.byteLength, 0);
    return { requests, bytes, memory, budget: this.budget, used: this.m.x.high_water(), room: this.m.x.room() };
  }
}

/* Returns an array that has room for the elements of a selection. */
export function arrayFor(Kind, ranges) {
  const count = ranges.reduce((product, [start, stop, step]) => product * Math.ceil((stop - start) / step), 1);
  if (count > MAX_ELEMENTS) throw new RangeError(`${count} elements are more than an array may have here`);
  return new Kind(count);
}
