// SPDX-FileCopyrightText: the microtet authors
// SPDX-License-Identifier: Apache-2.0
/* The page: opens a file and shows its datasets, pictures and lines, memory, requests, footer and chunks. */

import { open, setModules } from './microtet.mjs';
import { drawChunks } from './chunks.mjs';
import { drawLine, drawPicture } from './plot.mjs';
import { make, schemaTables, table } from './tables.mjs';

const $ = id => document.getElementById(id);
const MAX_SHOWN = 1024; // elements along an axis of a picture
const MAX_NEEDS = 200; // number of datasets whose memory is computed when the file is opened

const now = { file: null, name: '', list: [], data: null, at: [], x: 0, y: 0, values: null, cursor: [0, 0], ticket: 0 };
const HINT = $('value').textContent;
const format = value => value.toLocaleString('en');
const bigger = value => Math.ceil(value * 1.25 / 8) * 8; // the slider's end for a need above a page

function state(name) {
  document.body.dataset.state = name;
}

function fail(error) {
  if (error.name === 'AbortError') return;
  $('error').textContent = `${now.name}: ${error.message}`;
  if (error.needed > $('budget').max) $('budget').max = bigger(error.needed);
  state('error');
}

/* Does `work` and stops earlier work, because only the newest result is shown. */
async function run(work) {
  const ticket = ++now.ticket;
  state('busy');
  await now.file?.stop();
  if (ticket !== now.ticket) return;
  $('error').textContent = '';
  try {
    await work();
    if (ticket === now.ticket) state('done');
  } catch (error) {
    if (ticket === now.ticket) fail(error);
  }
  showStats();
}

/* Returns the result of a call, or stops if newer work has begun meanwhile. */
async function live(promise) {
  const ticket = now.ticket, result = await promise;
  if (ticket !== now.ticket) throw new DOMException('newer work', 'AbortError');
  return result;
}

/* ---- opening ---- */

const openFile = (what, name) => run(async () => {
  Object.assign(now, { name, file: null, data: null, picture: null });
  for (const id of ['main', 'view', 'schema']) $(id).hidden = true;
  $('reads').width = 1200; // clears it
  now.file = await live(open(what, { onread: showRead }));
  now.room = now.file.stats().room;
  now.list = await live(now.file.datasets());
  $('title').textContent = document.title = name;
  $('main').hidden = false;
  for (const id of ['memory', 'datasets']) $(id).hidden = now.file.kind === 'tiledb';
  await (now.file.kind === 'tiledb' ? showSchema() : showFile());
});

async function showSchema() {
  $('schema').replaceChildren(...schemaTables(await live(now.file.schema())));
  $('schema').hidden = false;
}

async function showFile() {
  const { file, list } = now, kind = file.kind === 'tet' ? 'chunk' : 'compression';
  for (const data of list.slice(0, MAX_NEEDS)) data.need = await live(file.need(data).catch(() => null));
  const wanted = Math.max(0, ...list.map(data => data.need?.least ?? 0));
  Object.assign($('budget'), { max: wanted > now.room ? bigger(wanted) : now.room, value: file.budget });
  $('datasets').replaceChildren(...table(['dataset', 'type', 'shape', kind, 'memory', 'fits'],
    list.map(data => [make('button', { textContent: data.name, onclick: () => run(() => select(data)) }), data.dtype,
      data.shape.join(' × '), data.chunk?.join(' × ') ?? data.compression, data.need ? format(data.need.least) : '–', ''])).children);
  showFits();
  if (list.length > 0) await select(list[0]);
  if (file.faults.length > 0) $('error').textContent = file.faults.map(fault => fault.message).join('; ');
}

/* Marks a read in the strip, which is the file from its first to its last byte. */
function showRead(offset, length, size) {
  const g = $('reads').getContext('2d'), scale = 1200 / size;
  g.fillStyle = '#46c';
  g.fillRect(offset * scale, 0, Math.max(1, length * scale), 14);
  showStats();
}

function showStats() {
  if (!now.file) return;
  const { requests, bytes, memory, used, budget } = now.file.stats();
  $('summary').textContent = `Requests: ${format(requests)}. Bytes read: ${format(bytes)} of ${format(now.file.size)}. ` +
    `Memory of the decoder: ${format(used)} of ${format(budget)} bytes used. WebAssembly memory in all: ${format(memory)} bytes.`;
}

/* ---- memory ---- */

function showFits() {
  const budget = Number($('budget').value), { list, room } = now;
  const fits = list.map(data => data.need ? data.need.least <= budget : null);
  [...$('datasets').tBodies[0].rows].forEach((row, i) => { row.cells[5].textContent = { true: 'yes', false: 'no', null: '–' }[fits[i]]; });
  $('fits').textContent = `${format(budget)} bytes${budget > room ? ', more than one page of 64 KB has' : ''}: ` +
    `${fits.filter(Boolean).length} of ${list.length} datasets fit.`;
  $('budget').setAttribute('aria-valuetext', $('fits').textContent);
}

/* ---- a dataset ---- */

async function select(data) {
  const rank = data.shape.length;
  Object.assign(now, { data, at: data.shape.map(() => 0), x: rank - 1, y: rank > 1 ? rank - 2 : -1, cursor: [0, 0] });
  [...$('datasets').tBodies[0].rows].forEach((row, i) => {
    if (i === data.index) row.setAttribute('aria-current', 'true');
    else row.removeAttribute('aria-current');
  });
  $('view').hidden = false;
  now.about = { attributes: {}, axes: [], labels: [] };
  let footer = null;
  try {
    now.about = await live(now.file.describe(data.index));
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    footer = error;
  }
  showAxes();
  await showTexts();
  await draw();
  if (footer) $('error').textContent = `The footer cannot be read: ${footer.message}. The values above do not depend on it.`;
}

const axisName = axis => now.about.axes[axis] ?? (axis < 0 ? '' : `axis ${axis}`);
const label = (axis, i) => now.about.labels[axis]?.[i] ?? String(i);

function axisSelect(text, key, others) {
  const options = [...now.data.shape.keys()].map(axis => make('option', { value: axis, textContent: axisName(axis) }));
  const select = make('select', { onchange: () => run(() => {
    const old = now[key], chosen = Number(select.value);
    if (chosen === now[others]) now[others] = old;
    now[key] = chosen;
    showAxes();
    return draw();
  }) }, ...(key === 'y' ? [make('option', { value: -1, textContent: 'none: a line' })] : []), ...options);
  select.value = now[key];
  return make('label', {}, `${text} `, select);
}

/* Offers a choice of the two axes, and a slider for each other axis. */
function showAxes() {
  const { shape } = now.data, rank = shape.length;
  if (now.x < 0) now.x = now.y === rank - 1 ? rank - 2 : rank - 1; // the line was drawn along the axis that x selected
  const sliders = shape.map((count, axis) => {
    if (axis === now.x || axis === now.y || count < 2) return '';
    const output = make('output', { textContent: label(axis, now.at[axis]) });
    const slider = make('input', { type: 'range', min: 0, max: count - 1, value: now.at[axis], oninput: () => {
      now.at[axis] = Number(slider.value);
      output.textContent = label(axis, now.at[axis]);
      slider.setAttribute('aria-valuetext', output.textContent);
      run(draw);
    } });
    return make('label', {}, `${axisName(axis)} `, slider, ' ', output);
  });
  $('axes').replaceChildren(...(rank > 1 ? [axisSelect('across', 'x', 'y'), axisSelect('down', 'y', 'x')] : []), ...sliders);
}

/* Returns the selection that is shown: at most MAX_SHOWN elements along two axes, one index along each other axis. */
function ranges() {
  return now.data.shape.map((count, axis) => axis === now.x || axis === now.y ? [0, count, Math.ceil(count / MAX_SHOWN) || 1]
    : [now.at[axis], now.at[axis] + 1, 1]);
}

async function draw() {
  const { file, data, x, y } = now, box = ranges(), size = axis => axis < 0 ? 1 : Math.ceil(box[axis][1] / box[axis][2]);
  $('shown').textContent = data.name;
  $('folds').textContent = '';
  $('mark').hidden = true;
  $('value').textContent = HINT;
  if (data.shape.includes(0)) return void ($('folds').textContent = 'The dataset has no elements.');
  now.values = await live(file.read(data.index, box));
  now.picture = { values: now.values, width: size(x), height: size(y), swapped: y > x, steps: [box[x]?.[2] ?? 1, box[y]?.[2] ?? 1] };
  const name = (axis, i) => label(axis, i * (box[axis]?.[2] ?? 1));
  Object.assign(now.picture, { unit: now.about.attributes.units ?? '', across: { name: axisName(x), label: i => name(x, i) },
    down: { name: axisName(y), label: i => name(y, i) } });
  now.layout = (y < 0 ? drawLine : drawPicture)($('plot'), now.picture);
  const { low, high } = now.layout;
  $('plot').setAttribute('aria-label', `${data.name}: ${y < 0 ? 'a line of' : `${now.picture.height} rows of`} ` +
    `${now.picture.width} elements, from ${low} to ${high} ${now.picture.unit}`);
  await showFolds(box);
  if ($('chunks').open) await showChunks();
}

async function showFolds(box) {
  const { file, data, picture, values } = now, steps = picture.steps.some(step => step > 1);
  const shown = `${format(values.length)} elements${steps ? `, every ${picture.steps.join(' by ')}` : ''}, read with ${format(values.need.least)} bytes or more. `;
  $('folds').textContent = shown;
  if (!file.fold) return;
  try {
    const { min, mean, max } = await live(file.fold(data.index, box));
    $('folds').textContent = `${shown}Smallest ${min}, mean ${Number(mean.toPrecision(9))}, largest ${max} ${picture.unit}, computed by the library.`;
  } catch (error) {
    if (!error.needed) throw error;
    $('folds').textContent = `${shown}Smallest, mean and largest element need ${format(error.needed)} bytes.`;
  }
}

/* ---- single values ---- */

function showValue([column, row]) {
  const { picture, layout, data, x, y, values } = now;
  if (!picture || !layout || column < 0 || row < 0 || column >= picture.width || row >= picture.height) return;
  now.cursor = [column, row];
  const i = picture.swapped ? column * picture.height + row : row * picture.width + column;
  const index = now.at.map((at, axis) => axis === x ? column * picture.steps[0] : axis === y ? row * picture.steps[1] : at);
  const places = index.map((at, axis) => `${axisName(axis)} ${label(axis, at)}`).join(', ');
  $('value').textContent = `${data.name}[${index.join(', ')}] = ${now.file.text(values, i)} ${picture.unit} (${places})`;
  const [left, top, width, height] = layout.place(column, row);
  const px = value => `${value}px`;
  Object.assign($('mark').style, { left: px(left), top: px(top), width: px(width), height: px(height) });
  $('mark').hidden = false;
}

$('plot').onpointermove = event => now.layout && showValue(now.layout.find(event.offsetX, event.offsetY));
$('plot').onkeydown = event => {
  const move = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
  if (!move || !now.picture) return;
  event.preventDefault();
  showValue(now.cursor.map((at, i) => at + move[i]));
};

/* ---- texts and chunks ---- */

async function showTexts() {
  const { file, about, data } = now, parts = [], attributes = Object.entries(about.attributes);
  if (attributes.length > 0) parts.push(table(['attribute', 'value'], attributes, data.name));
  const all = await live(file.about().catch(() => ({ texts: {}, history: [] })));
  if (Object.keys(all.texts).length > 0) parts.push(table(['the file', 'value'], Object.entries(all.texts)));
  const events = all.history.map(({ at, op, source, agent, params, parents }) =>
    [/^\d+$/.test(at) ? new Date(at * 1000).toISOString() : at, op, source, agent, params, parents]);
  if (events.length > 0) parts.push(table(['time', 'operation', 'source', 'agent', 'parameters', 'parents'], events, 'History'));
  if (all.ownBudget) parts.push(make('p', { textContent: `The file asks readers to use at most ${format(all.ownBudget)} bytes.` }));
  $('texts').replaceChildren(...(parts.length > 0 ? parts : ['The file has neither attributes nor history.']));
}

async function showChunks() {
  $('chunkstext').textContent = await drawChunks($('map'), now, live);
  $('map').setAttribute('aria-label', $('chunkstext').textContent);
}

/* ---- events ---- */

$('file').onchange = event => event.target.files[0] && openFile(event.target.files[0], event.target.files[0].name);
$('file').onclick = () => { $('file').value = ''; }; // so that the same file can be chosen again
$('form').onsubmit = event => {
  event.preventDefault();
  if ($('address').value) openFile(new URL($('address').value, location.href), $('address').value);
};
document.ondragover = event => {
  event.preventDefault();
  document.body.classList.add('over');
};
document.ondragleave = () => document.body.classList.remove('over');
document.ondrop = event => {
  event.preventDefault();
  document.body.classList.remove('over');
  const [file] = event.dataTransfer.files;
  if (file) openFile(file, file.name);
};
$('budget').oninput = showFits;
$('budget').onchange = () => run(async () => {
  await now.file.reopen(Number($('budget').value));
  await draw();
});
$('chunks').ontoggle = () => $('chunks').open && now.data && run(showChunks);
window.onresize = () => now.picture && (now.layout = (now.y < 0 ? drawLine : drawPicture)($('plot'), now.picture));

/* ---- blocks of the page: the modules, and the file that the page may contain ---- */

const block = id => $(id) && Uint8Array.from(atob($(id).textContent), char => char.charCodeAt(0));

setModules(async name => block(`${name}.wasm`));
state('ready');
if ($('content')) openFile(new Blob([block('content')]), $('content').dataset.name);
