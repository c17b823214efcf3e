// SPDX-FileCopyrightText: the microtet authors
// SPDX-License-Identifier: Apache-2.0
/* Sources of a file's bytes: memory, a File or Blob, an address. A source caches its latest reads. */

const BLOCK = 4096, AHEAD = 65536; // smallest read, and the largest read of a file that is read in order
const PIECES = 8; // number of reads that are kept

/* Reads a medium in parts and caches the latest ones. Reads in order become larger. load: (offset, length) → bytes. */
class Source {
  constructor(size, fetchBytes, listener) {
    Object.assign(this, { size, fetchBytes, listener, pieces: [], requests: 0, bytes: 0, next: 0, ahead: BLOCK });
  }

  now(offset, length) {
    const piece = this.pieces.find(p => p.start <= offset && offset < p.start + p.bytes.length);
    return piece ? piece.bytes.subarray(offset - piece.start, offset - piece.start + length) : null;
  }

  async load(offset, length) {
    const start = offset - offset % BLOCK;
    this.ahead = start === this.next ? Math.min(2 * this.ahead, AHEAD) : BLOCK;
    const stop = Math.min(this.size, Math.max(start + this.ahead, offset + length));
    this.add(start, new Uint8Array(await this.fetchBytes(start, stop - start)));
    if (!this.now(offset, length)) throw new Error('the file is shorter than it was');
  }

  add(start, bytes) {
    this.next = start + bytes.length;
    this.pieces = [...this.pieces, { start, bytes }].slice(-PIECES);
    this.requests++;
    this.bytes += bytes.length;
    this.listener?.(start, bytes.length, this.size);
  }
}

/* A file in memory: one piece, which is never replaced. */
function memorySource(bytes, listener) {
  const source = new Source(bytes.length, async () => new ArrayBuffer(0), listener);
  source.pieces = [{ start: 0, bytes }];
  return source;
}

function blobSource(blob, listener) {
  const slice = (offset, length) => blob.slice(offset, offset + length).arrayBuffer();
  const load = (offset, length) => slice(offset, length).catch(cause => {
    throw new Error('the file cannot be read: has it changed, moved or been deleted?', { cause });
  });
  return new Source(blob.size, load, listener);
}

/* The header that makes the server refuse if the file has changed since `response`. */
function unchanged(response) {
  const tag = response.headers.get('etag'), date = response.headers.get('last-modified');
  if (tag && !tag.startsWith('W/')) return { 'if-match': tag };
  return date ? { 'if-unmodified-since': date } : {};
}

const total = response => Number(/\/(\d+)$/.exec(response.headers.get('content-range') ?? '')?.[1] ?? NaN);

/* A file on a server, read by ranges, or completely if the server does not support ranges. */
async function addressSource(address, listener) {
  const range = (offset, length, more) => fetch(address, {
    headers: { range: `bytes=${offset}-${offset + length - 1}`, ...more }, cache: 'no-store' });
  const first = await range(0, BLOCK).catch(cause => {
    throw new Error('the server does not answer, or does not allow this page to read the file', { cause });
  });
  if (first.status === 200) return memorySource(new Uint8Array(await first.arrayBuffer()), listener);
  if (first.status !== 206) throw new Error(`the server answered ${first.status} ${first.statusText}`);
  const size = total(first), condition = unchanged(first);
  if (Number.isNaN(size)) throw new Error('the answer of the server has no Content-Range that this page may read');
  const load = async (offset, length) => {
    const part = await range(offset, length, condition);
    if (part.status === 412 || (part.status === 206 && total(part) !== size))
      throw new Error('the file has changed on the server');
    if (part.status !== 206) throw new Error(`the server answered ${part.status} ${part.statusText}`);
    return part.arrayBuffer();
  };
  const source = new Source(size, load, listener);
  source.add(0, new Uint8Array(await first.arrayBuffer()));
  return source;
}

/* The source for a File, Blob, ArrayBuffer, typed array, URL or address. listener: called with offset, length and the file's size for each read. */
export function makeSource(what, listener) {
  if (what instanceof Blob) return blobSource(what, listener);
  if (what instanceof ArrayBuffer) return memorySource(new Uint8Array(what), listener);
  if (ArrayBuffer.isView(what))
    return memorySource(new Uint8Array(what.buffer, what.byteOffset, what.byteLength), listener);
  return addressSource(String(what), listener);
}
