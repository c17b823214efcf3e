// SPDX-FileCopyrightText: the microtet authors
// SPDX-License-Identifier: Apache-2.0

/** [start, stop, step] along an axis. */
export type Range = [start: number, stop: number, step: number];
export type Values = (Float32Array | Float64Array | Int8Array | Uint8Array | Int16Array | Uint16Array | Int32Array |
  Uint32Array | BigInt64Array | BigUint64Array) & { need: Need; dtype: string };
/** Bytes of workspace: the minimum, and the number beyond which more is not used. */
export interface Need { least: number; best: number }
export interface Dataset {
  index: number; name: string; dtype: string; elementSize: number; shape: number[];
  /** .tet: elements of a chunk, and number of chunks, along each axis. */
  chunk?: number[]; grid?: number[];
  /** Tensogram. */
  compression?: string; attributes?: Record<string, unknown>;
}
export interface Description { attributes: Record<string, unknown>; axes: string[]; labels: (string[] | null)[] }
export interface Stats { requests: number; bytes: number; memory: number; budget: number; used: number; room: number }
export interface Chunk extends Need { codec: string; raw: number; stored: number; offset: number; row: number }
export type Fold = 'min' | 'mean' | 'max' | 'sum';

export interface AnyFile {
  readonly size: number;
  readonly faults: Error[];
  datasets(): Promise<Dataset[]>;
  reopen(budget: number): Promise<void>;
  stop(): Promise<void>;
  stats(): Stats;
}
export interface TensorFile extends AnyFile {
  describe(index: number): Promise<Description>;
  need(dataset: Dataset): Promise<Need>;
  read(index: number, ranges: Range[]): Promise<Values>;
  text(values: Values, i: number): string;
  about(): Promise<Record<string, unknown>>;
}
export interface TetFile extends TensorFile {
  readonly kind: 'tet';
  fold(index: number, ranges: Range[], names?: Fold[]): Promise<Record<Fold, number>>;
  chunk(index: number, coords: number[]): Promise<Chunk>;
}
export interface TensogramFile extends TensorFile { readonly kind: 'tensogram' }
export interface TiledbFile extends AnyFile {
  readonly kind: 'tiledb';
  schema(): Promise<Record<string, unknown>>;
}

export interface Options {
  budget?: number;
  kind?: 'tet' | 'tensogram' | 'tiledb';
  onread?: (offset: number, length: number, size: number) => void;
}
export function open(what: Blob | URL | string | ArrayBuffer | ArrayBufferView, options?: Options): Promise<TetFile | TensogramFile | TiledbFile>;

export class MicrotetError extends Error {
  status: number;
  offset: number;
  needed: number;
}
export function setModules(from: (name: string) => Promise<BufferSource>): void;
