// SPDX-FileCopyrightText: the microtet authors
// SPDX-License-Identifier: Apache-2.0
/* Draws pictures and lines on a canvas, with axes and a bar of colours. A picture is { values, width, height, swapped (the
 * elements of a column follow one another), unit, across, down }; an axis is { name, label(i) }. Both functions return where
 * elements are: place(column, row) → [left, top, width, height], find(x, y) → [column, row], and the range of the values. */

const MARGIN = { left: 90, right: 110, top: 10, bottom: 46 };
const COLOURS = [[28, 16, 68], [40, 84, 148], [34, 150, 138], [134, 200, 92], [252, 236, 120]];

function mix(part) {
  const at = Math.max(0, Math.min(1, part)) * (COLOURS.length - 1), i = Math.min(COLOURS.length - 2, Math.floor(at));
  return COLOURS[i].map((from, k) => Math.round(from + (COLOURS[i + 1][k] - from) * (at - i)));
}

/* Returns the colour of a number between 0 and 1. */
export const ramp = part => `rgb(${mix(part).join(' ')})`;

/* Prepares a canvas: its context in CSS pixels, and its size. */
function frameOf(canvas) {
  const scale = window.devicePixelRatio || 1, width = canvas.clientWidth, height = canvas.clientHeight;
  Object.assign(canvas, { width: width * scale, height: height * scale });
  const g = canvas.getContext('2d');
  g.scale(scale, scale);
  g.font = '12px "DejaVu Sans", sans-serif';
  g.fillStyle = g.strokeStyle = getComputedStyle(canvas).color;
  return { g, width, height };
}

/* Smallest and largest finite number of an array. */
function span(values) {
  let low = Infinity, high = -Infinity;
  for (const value of values) {
    const number = Number(value);
    if (number < low && number !== -Infinity) low = number;
    if (number > high && number !== Infinity) high = number;
  }
  return low <= high ? { low, high } : { low: 0, high: 0 };
}

const short = value => Math.abs(value) >= 1e5 || (value !== 0 && Math.abs(value) < 1e-3) ? value.toExponential(2) : String(Number(value.toPrecision(5)));

/* Indices for at most `most` ticks of an axis of `count` elements. */
function ticks(count, most) {
  const step = Math.max(1, Math.ceil((count - 1) / Math.max(1, most - 1)));
  return Array.from({ length: Math.ceil(count / step) }, (_, i) => i * step);
}

function axisAcross(g, { left, top, width, height }, count, { name, label }) {
  g.textAlign = 'center';
  g.textBaseline = 'top';
  for (const i of ticks(count, Math.max(2, width / 90))) {
    const x = left + (i + .5) / count * width;
    g.fillRect(x, top + height, 1, 5);
    g.fillText(label(i), x, top + height + 7);
  }
  g.fillText(name, left + width / 2, top + height + 25);
}

function axisDown(g, { left, top, height }, count, { name, label }) {
  g.textAlign = 'right';
  g.textBaseline = 'middle';
  for (const i of ticks(count, Math.max(2, height / 45))) {
    const y = top + (i + .5) / count * height;
    g.fillRect(left - 5, y, 5, 1);
    g.fillText(label(i), left - 8, y);
  }
  sideways(g, name, top + height / 2);
}

function sideways(g, text, y) {
  g.save();
  g.translate(12, y);
  g.rotate(-Math.PI / 2);
  g.textAlign = 'center';
  g.fillText(text, 0, 0);
  g.restore();
}

function colourBar(g, { left, top, height }, { low, high }, unit) {
  for (let i = 0; i < height; i++) {
    g.fillStyle = ramp(1 - i / height);
    g.fillRect(left, top + i, 16, 1.5);
  }
  g.fillStyle = g.strokeStyle;
  g.textAlign = 'left';
  for (const part of [0, .25, .5, .75, 1]) {
    g.textBaseline = { 0: 'bottom', 1: 'top' }[part] ?? 'middle';
    g.fillText(`${short(low + (high - low) * part)} ${unit}`, left + 22, top + height * (1 - part));
  }
}

/* Draws the elements as pixels on a canvas of their own. NaN is grey. */
function pixels({ values, width, height, swapped }, { low, high }) {
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width, height });
  const g = canvas.getContext('2d'), image = g.createImageData(width, height);
  const table = Array.from({ length: 256 }, (_, i) => mix(i / 255));
  for (let i = 0; i < values.length; i++) {
    const number = Number(values[i]), part = high > low ? (number - low) / (high - low) : 0;
    const colour = Number.isNaN(number) ? [128, 128, 128] : table[Math.round(255 * Math.max(0, Math.min(1, part)))];
    const at = swapped ? (i % height) * width + Math.floor(i / height) : i;
    image.data.set([...colour, 255], 4 * at);
  }
  g.putImageData(image, 0, 0);
  return canvas;
}

export function drawPicture(canvas, picture) {
  const { g, width, height } = frameOf(canvas), limits = span(picture.values);
  const room = { width: width - MARGIN.left - MARGIN.right, height: height - MARGIN.top - MARGIN.bottom };
  const scale = Math.min(room.width / picture.width, room.height / picture.height);
  const square = Math.min(picture.width, picture.height) * scale >= 60; // otherwise elements are stretched
  const box = { left: MARGIN.left, top: MARGIN.top, width: square ? picture.width * scale : room.width,
    height: square ? picture.height * scale : room.height };
  g.imageSmoothingEnabled = false;
  g.drawImage(pixels(picture, limits), box.left, box.top, box.width, box.height);
  axisAcross(g, box, picture.width, picture.across);
  axisDown(g, box, picture.height, picture.down);
  colourBar(g, { ...box, left: box.left + box.width + 14 }, limits, picture.unit);
  const w = box.width / picture.width, h = box.height / picture.height;
  return { ...limits, place: (column, row) => [box.left + column * w, box.top + row * h, w, h],
    find: (x, y) => [Math.floor((x - box.left) / w), Math.floor((y - box.top) / h)] };
}

export function drawLine(canvas, picture) {
  const { g, width, height } = frameOf(canvas), limits = span(picture.values), { low, high } = limits;
  const box = { left: MARGIN.left, top: MARGIN.top, width: width - MARGIN.left - 20, height: height - MARGIN.top - MARGIN.bottom };
  const w = box.width / picture.width, x = i => box.left + (i + .5) * w;
  const y = value => box.top + box.height * (high > low ? (high - value) / (high - low) : .5);
  const heights = [0, .25, .5, .75, 1].map(part => high - (high - low) * part);
  axisAcross(g, box, picture.width, picture.across);
  axisDown(g, { ...box, top: box.top - box.height / 8, height: box.height * 1.25 }, 5, { name: picture.unit, label: i => short(heights[i]) });
  g.strokeRect(box.left, box.top, box.width, box.height);
  g.strokeStyle = '#46c';
  g.lineWidth = 1.5;
  g.beginPath();
  let pen = false;
  picture.values.forEach((value, i) => {
    const number = Number(value);
    if (Number.isFinite(number)) g[pen ? 'lineTo' : 'moveTo'](x(i), y(number));
    pen = Number.isFinite(number);
  });
  g.stroke();
  const at = column => Number(picture.values[column]);
  return { ...limits, place: column => [x(column) - 3, (Number.isFinite(at(column)) ? y(at(column)) : box.top) - 3, 6, 6],
    find: px => [Math.floor((px - box.left) / w), 0] };
}
