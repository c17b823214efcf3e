// SPDX-FileCopyrightText: the microtet authors
// SPDX-License-Identifier: Apache-2.0
/* Elements and tables of the page. */

/* An element with properties and children. */
export function make(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

/* A list, map or number of the file as text. */
function plain(value) {
  if (value === null || value === '') return '–';
  if (Array.isArray(value)) return value.map(plain).join(', ') || '–';
  if (typeof value !== 'object') return String(value);
  return Object.entries(value).map(([key, item]) => `${key} ${plain(item)}`).join('; ') || '–';
}

export function table(heads, rows, caption) {
  const row = (kind, cells) => make('tr', {}, ...cells.map(cell => make(kind, {}, cell instanceof Node ? cell : plain(cell))));
  const head = make('thead', {}, row('th', heads)), body = make('tbody', {}, ...rows.map(cells => row('td', cells)));
  return make('table', {}, ...(caption ? [make('caption', { textContent: caption })] : []), head, body);
}

/* ---- array schemas of TileDB ---- */

const filter = ({ type, level }) => level === -1 || level === 0 ? type : `${type} ${level}`;
const cell = value => Array.isArray(value) && value[0]?.type ? value.map(filter).join(', ') : value;

/* The tables of a schema. */
export function schemaTables({ filters, need, dimensions, attributes, labels, enumerations, ranges, ...head }) {
  const lists = { dimensions, attributes, labels, enumerations, 'current domain': ranges };
  const rows = [...Object.entries(head), ...Object.entries(filters).map(([name, list]) => [`filters of ${name}`, cell(list)])];
  const parts = [table(['property', 'value'], [...rows, ['least memory', need.least]], 'TileDB array schema')];
  for (const [name, list] of Object.entries(lists))
    if (list.length > 0) parts.push(table(Object.keys(list[0]), list.map(item => Object.values(item).map(cell)), name));
  return parts;
}
