// SPDX-FileCopyrightText: the microtet authors
// SPDX-License-Identifier: Apache-2.0
/* The page in headless Chromium: files by chooser, drop and address, damage, changes, memory, keyboard. Pictures are compared with the
 * values that the page reports. */
import { spawn } from 'node:child_process';
import { appendFileSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { attempt, BUILD, check, end, read } from './harness.mjs';

const { chromium } = createRequire(import.meta.url)(resolve(`${BUILD}/deps/playwright`));
const PORT = 18751, SITE = `http://127.0.0.1:${PORT}`, DEMO = 'test/golden/demo';
const folder = mkdtempSync(join(tmpdir(), 'utet-page-'));

/* ---- the server: ranges and tags of nginx ---- */

function startServer() {
  mkdirSync(`${folder}/site`);
  for (const name of ['demo_planet.tet', 'demo_cine.tet', 'forecast.tgm']) copyFileSync(`${DEMO}/${name}`, `${folder}/site/${name}`);
  copyFileSync(`${BUILD}/utet.html`, `${folder}/site/utet.html`);
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(kind => `${kind}_temp_path ${folder}/${kind};`).join(' ');
  writeFileSync(`${folder}/nginx.conf`, `daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/error.log;
    events {} http { access_log ${folder}/access.log; types { text/html html; } ${paths}
    server { listen 127.0.0.1:${PORT}; root ${folder}/site; location /whole/ { alias ${folder}/site/; max_ranges 0; } } }`);
  return spawn('nginx', ['-c', `${folder}/nginx.conf`, '-p', folder], { stdio: 'ignore' });
}

async function answers() {
  for (let i = 0; i < 100; i++) {
    if (await fetch(`${SITE}/utet.html`).then(response => response.ok, () => false)) return;
    await new Promise(wake => setTimeout(wake, 50));
  }
  throw new Error('nginx does not answer');
}

/* ---- the page ---- */

let page;
const problems = [];
const text = id => page.textContent(`#${id}`);
const state = () => page.getAttribute('body', 'data-state');

/* Does something, and waits until the page has completed its effects. */
async function settled(work) {
  await page.evaluate(() => { document.body.dataset.state = 'test'; });
  await work();
  await page.waitForSelector('body[data-state=done],body[data-state=error]', { timeout: 30000 });
  return state();
}

const choose = path => settled(async () => {
  await page.setInputFiles('#file', []);
  await page.setInputFiles('#file', path);
});

/* Gives the page a file, like a drop. */
const drop = path => settled(async () => {
  const transfer = await page.evaluateHandle(([name, bytes]) => {
    const data = new DataTransfer();
    data.items.add(new File([Uint8Array.from(atob(bytes), c => c.charCodeAt(0))], name));
    return data;
  }, [path.split('/').pop(), read(path).toString('base64')]);
  await page.dispatchEvent('body', 'drop', { dataTransfer: transfer });
});

const address = url => settled(async () => {
  await page.fill('#address', url);
  await page.keyboard.press('Enter');
});

/* The colours of the picture in the middle of an element. */
const colourAt = (column, row, columns, rows) => page.evaluate(([x, y, w, h]) => {
  const canvas = document.getElementById('plot'), scale = devicePixelRatio;
  const width = canvas.clientWidth - 200, height = canvas.clientHeight - 56, size = Math.min(width / w, height / h);
  return [...canvas.getContext('2d').getImageData((90 + (x + .5) * size) * scale, (10 + (y + .5) * size) * scale, 1, 1).data];
}, [column, row, columns, rows]);

/* ---- cases ---- */

async function offline() {
  await page.goto(`file://${resolve(`${BUILD}/demo.html`)}`);
  await page.waitForSelector('body[data-state=done]');
  const label = await page.getAttribute('#plot', 'aria-label');
  check(/64 rows of 128 elements/.test(label) && /from 237\.8699\d* to 303\.8599\d* K/.test(label), `the file inside the page: ${label}`);
  check(/Smallest 237\.8699\d*, mean 276\.24\d*, largest 303\.8599\d* K/.test(await text('folds')), await text('folds'));
  check((await text('texts')).includes('surface temperature') && (await text('texts')).includes('synthetic planet'), 'attributes and history');
}

async function byChooser() {
  await page.goto(`file://${resolve(`${BUILD}/utet.html`)}`);
  check(await choose(`${DEMO}/demo_planet.tet`) === 'done', await text('error'));
  const before = await page.locator('#plot').screenshot();
  check(await drop(`${DEMO}/demo_planet.tet`) === 'done' && (await page.locator('#plot').screenshot()).equals(before), 'the same picture by chooser and by drop');
  check(await choose(`${DEMO}/demo_cine.tet`) === 'done', await text('error'));
  check(!(await page.locator('#plot').screenshot()).equals(before), 'another file has another picture');
  return before;
}

async function byAddress(picture) {
  await page.goto(`${SITE}/utet.html`);
  check(await address('demo_planet.tet') === 'done', await text('error'));
  check((await page.locator('#plot').screenshot()).equals(picture), 'the same picture by address');
  const [requests] = (await text('summary')).match(/\d+/);
  check(requests > 2, `ranges: ${await text('summary')}`);
  check(await address('whole/demo_planet.tet') === 'done' && (await page.locator('#plot').screenshot()).equals(picture), 'a server without ranges');
  check(await address('missing.tet') === 'error' && /404/.test(await text('error')), await text('error'));
}

/* Colours follow the values: the brightest element of the picture is the largest one. */
async function colours() {
  await choose(`${DEMO}/demo_planet.tet`);
  const light = colour => colour[0] + colour[1];
  const seen = [];
  for (const [column, row] of [[0, 0], [16, 63], [60, 32], [100, 5], [127, 31]]) {
    const place = await page.locator('#plot').boundingBox();
    const size = Math.min((place.width - 200) / 128, (place.height - 56) / 64);
    await page.mouse.move(place.x + 90 + (column + .5) * size, place.y + 10 + (row + .5) * size);
    const value = await text('value');
    check(value.startsWith(`temperature[${row}, ${column}] = `), value);
    seen.push([Number(/= ([\d.]+)/.exec(value)[1]), light(await colourAt(column, row, 128, 64))]);
  }
  seen.sort((a, b) => a[0] - b[0]);
  check(seen.every((pair, i) => i === 0 || pair[1] >= seen[i - 1][1]), `colours in the order of the values: ${JSON.stringify(seen)}`);
}

async function keyboard() {
  await choose(`${DEMO}/demo_planet.tet`);
  await page.focus('#plot');
  for (const key of ['ArrowRight', 'ArrowRight', 'ArrowDown']) await page.keyboard.press(key);
  check((await text('value')).startsWith('temperature[1, 2] = '), await text('value'));
  await page.focus('#datasets button >> nth=2');
  check(await settled(() => page.keyboard.press('Enter')) === 'done' && await text('shown') === 'station_log', 'a dataset by the keyboard');
  const unnamed = await page.evaluate(() => [...document.querySelectorAll('input,select,button,canvas[role]')].filter(element =>
    !element.hidden && element.getClientRects().length && !element.labels?.length && !element.getAttribute('aria-label') && !element.textContent.trim()).length);
  check(unnamed === 0, `${unnamed} controls have no name`);
}

async function panning() {
  await choose(`${DEMO}/demo_cine.tet`);
  const first = await page.locator('#plot').screenshot();
  await page.focus('#axes input');
  check(await settled(() => page.keyboard.press('ArrowRight')) === 'done' && !(await page.locator('#plot').screenshot()).equals(first), 'the next frame');
  check(await settled(() => page.keyboard.press('ArrowLeft')) === 'done' && (await page.locator('#plot').screenshot()).equals(first), 'and back');
  check(await settled(() => page.selectOption('#axes select >> nth=1', '-1')) === 'done' && /a line of 128/.test(await page.getAttribute('#plot', 'aria-label')), 'a line');
  check(await settled(() => page.selectOption('#axes select >> nth=0', '0')) === 'done' && /a line of 24/.test(await page.getAttribute('#plot', 'aria-label')), 'a line along the time');
}

const setBudget = bytes => settled(() => page.locator('#budget').evaluate((slider, value) => {
  slider.value = value;
  slider.dispatchEvent(new Event('input'));
  slider.dispatchEvent(new Event('change'));
}, bytes));

async function memory() {
  await choose(`${DEMO}/demo_planet.tet`);
  const fits = () => page.locator('#datasets tbody tr td:last-child').allTextContents();
  check(await setBudget(6592) === 'done' && (await fits()).join() === 'yes,yes,yes', `${await text('fits')} ${await text('error')}`);
  check(await setBudget(6096) === 'error' && (await fits()).join() === 'no,yes,yes' && /6592 bytes are needed/.test(await text('error')), `${await fits()} ${await text('error')}`);
  check(await settled(() => page.click('#datasets button >> nth=1')) === 'done' && await text('error') === '', 'a dataset that fits is shown');
  check(await setBudget(16384) === 'done' && await settled(() => page.click('#chunks summary')) === 'done' && /16 chunks \(raw\)/.test(await text('chunkstext')), await text('chunkstext'));
}

async function otherFormats() {
  check(await choose(`${DEMO}/forecast.tgm`) === 'done' && (await text('datasets')).includes('10 metre U wind'), await text('error'));
  check(await choose('test/golden/tiledb/good/m0338_attr_order_1_plus1.schema') === 'done' && /UINT32/.test(await text('schema')), await text('error'));
  check(!(await page.isVisible('#memory')) && await choose(`${DEMO}/demo_planet.tet`) === 'done' && await page.isVisible('#memory'), 'after a schema a file');
}

async function damage() {
  const bytes = Buffer.from(read(`${DEMO}/demo_planet.tet`));
  bytes.fill(0xff, 5000, 5040);
  writeFileSync(`${folder}/damaged.tet`, bytes);
  check(await choose(`${folder}/damaged.tet`) === 'error' && /damaged chunk payload|checksum/.test(await text('error')) && /byte \d+/.test(await text('error')), await text('error'));
  writeFileSync(`${folder}/short.tet`, bytes.subarray(0, 200));
  check(await choose(`${folder}/short.tet`) === 'error' && /damaged superblock/.test(await text('error')), await text('error'));
  writeFileSync(`${folder}/text.tet`, 'no tensors at all '.repeat(20));
  check(await choose(`${folder}/text.tet`) === 'error' && /not a .tet file/.test(await text('error')), await text('error'));
}

/* A file that changes after it was opened: the next bytes are refused, on the disk and on the server. */
async function changes() {
  const local = `${folder}/local.tet`, remote = `${folder}/site/demo_cine.tet`, last = 23;
  const jump = () => settled(() => page.locator('#axes input').evaluate((slider, value) => {
    slider.value = value;
    slider.dispatchEvent(new Event('input'));
  }, last));
  copyFileSync(`${DEMO}/demo_cine.tet`, local);
  check(await choose(local) === 'done', await text('error'));
  appendFileSync(local, 'more');
  check(await jump() === 'error' && /has it changed/.test(await text('error')), `a file that changes: ${await text('error')}`);
  check(await address('demo_cine.tet') === 'done', await text('error'));
  const size = statSync(remote).size;
  writeFileSync(remote, Buffer.alloc(size, 1));
  await new Promise(wake => setTimeout(wake, 1100)); // nginx's tags contain seconds
  writeFileSync(remote, Buffer.alloc(size, 2));
  check(await jump() === 'error' && /has changed on the server/.test(await text('error')), `a server's file that changes: ${await text('error')}`);
}

const server = startServer();
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
try {
  await answers();
  page = await browser.newPage({ viewport: { width: 960, height: 1100 } });
  page.on('console', message => /Content Security Policy/.test(message.text()) && problems.push(message.text()));
  page.on('pageerror', error => problems.push(error.stack));
  let picture;
  await attempt('offline', offline);
  await attempt('byChooser', async () => { picture = await byChooser(); });
  await attempt('byAddress', () => byAddress(picture));
  for (const part of [colours, keyboard, panning, memory, otherFormats, damage, changes]) await attempt(part.name, part);
  check(problems.length === 0, `the page reports: ${problems.join('\n')}`);
} finally {
  await browser.close();
  server.kill();
  rmSync(folder, { recursive: true, force: true });
}
end();
