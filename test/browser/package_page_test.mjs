// SPDX-FileCopyrightText: the microtet authors
// SPDX-License-Identifier: Apache-2.0
/* The package for npm in a page of headless Chromium, found through an import map: package_page_test.mjs ARCHIVE. The page
 * opens the same file as a File, as bytes, and by address with HTTP ranges. */
import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { extname, join, resolve } from 'node:path';
import { attempt, BUILD, check, end, read } from './harness.mjs';

const { chromium } = createRequire(import.meta.url)(resolve(`${BUILD}/deps/playwright`));
const TYPES = { '.html': 'text/html', '.mjs': 'text/javascript', '.wasm': 'application/wasm' };
const PAGE = `<!doctype html><meta charset="utf-8"><title>microtet</title>
<script type="importmap">{ "imports": { "microtet": "/microtet/microtet.mjs" } }</script>
<script type="module">
import { open, MicrotetError } from 'microtet';
const hex = bytes => Array.from(new Uint8Array(bytes), byte => byte.toString(16).padStart(2, '0')).join('');
async function digest(what) {
  const file = await open(what), [data] = await file.datasets();
  const ranges = data.shape.map(count => [0, count, 1]), values = await file.read(0, ranges);
  const { max } = await file.fold(0, ranges);
  const sum = hex(await crypto.subtle.digest('SHA-256', values));
  return [file.kind, data.name, sum, max === values.reduce((a, b) => Math.max(a, b))].join();
}
try {
  const bytes = await (await fetch('/file.tet')).arrayBuffer();
  const damaged = await open(new Uint8Array(100)).catch(error => error);
  window.result = [await digest(new File([bytes], 'file.tet')), await digest(new Uint8Array(bytes)), await digest('/file.tet'),
    String(damaged instanceof MicrotetError)];
} catch (error) {
  window.result = [error.stack];
}
</script>`;

const folder = mkdtempSync(join(tmpdir(), 'utet-npm-page-'));
let ranges = 0;

function answer(request, response) {
  const path = new URL(request.url, 'http://localhost').pathname;
  const files = { '/': () => Buffer.from(PAGE), '/file.tet': () => read('test/golden/demo/demo_planet.tet') };
  let body;
  try {
    body = (files[path] ?? (() => read(join(folder, path))))();
  } catch {
    response.writeHead(404).end();
    return;
  }
  const headers = { 'Content-Type': path === '/' ? TYPES['.html'] : TYPES[extname(path)] ?? 'application/octet-stream', 'Accept-Ranges': 'bytes', ETag: '"1"' };
  const part = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '');
  if (part) {
    const start = Number(part[1]), last = Math.min(part[2] === '' ? Infinity : Number(part[2]), body.length - 1);
    ranges++;
    response.writeHead(206, { ...headers, 'Content-Range': `bytes ${start}-${last}/${body.length}`, 'Content-Length': last + 1 - start });
    response.end(request.method === 'HEAD' ? undefined : body.subarray(start, last + 1));
  } else {
    response.writeHead(200, { ...headers, 'Content-Length': body.length });
    response.end(request.method === 'HEAD' ? undefined : body);
  }
}

mkdirSync(`${folder}/microtet`);
execFileSync('tar', ['-xzf', resolve(process.argv[2]), '-C', `${folder}/microtet`, '--strip-components=1']);
const server = createServer(answer);
await new Promise(ready => server.listen(0, '127.0.0.1', ready));
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
await attempt('package in a page', async () => {
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  await page.waitForFunction(() => window.result, null, { timeout: 30000 });
  const said = await page.evaluate(() => window.result);
  const [right] = read('test/golden/demo/digests.txt').toString().split('\n').filter(line => line.endsWith('demo_planet.tet 0'));
  const wanted = `tet,temperature,${right.split(' ')[0]},true`;
  check(said.length === 4, said.join('\n'));
  for (const [i, way] of ['a File', 'bytes', 'an address'].entries()) check(said[i] === wanted, `${way}: ${said[i]}`);
  check(said[3] === 'true', 'the error of a damaged file is a MicrotetError');
  check(ranges > 1, `HTTP ranges: ${ranges}`);
});
await browser.close();
server.close();
rmSync(folder, { recursive: true, force: true });
end();
