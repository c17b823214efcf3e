// SPDX-FileCopyrightText: the microtet authors
// SPDX-License-Identifier: Apache-2.0
/* The player of boards/rp2040.
 *   audio_test.mjs --make RATE FOLDER   writes rate.npy and sound.npy
 *   audio_test.mjs UF2 FOLDER           plays FOLDER/RATE-CODEC.img, the cards with these sounds, and compares what reaches the PWM
 * Each sample, and when it comes; then a damaged tile, a card that is pulled out or pauses, and a file without sound. */
import { execFileSync } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { run, unpackUf2 } from './rp2040_machine.mjs';

const TILE = 1024, SECONDS = 0.5, CLOCK = 125e6, CONTROL = 0x00, COMPARE = 0x0C, FUNCTION_PWM = 4;

/* Three bells, one after another: partials that fade. The last tile is not full. */
function sound(rate) {
  const notes = [[523.25, 0], [659.26, 0.13], [783.99, 0.26]], partials = [[1, 1], [2.76, 0.5], [5.4, 0.25]];
  return Int16Array.from({ length: Math.floor(SECONDS * rate) }, (_, n) => {
    let sum = 0;
    for (const [pitch, begin] of notes)
      for (const [ratio, level] of partials) {
        const t = n / rate - begin;
        if (t >= 0) sum += level * Math.exp(-6 * ratio * t) * Math.sin(2 * Math.PI * pitch * ratio * t);
      }
    return Math.round(9000 * sum);
  });
}

function npy(path, type, array) {
  const text = `{'descr': '${type}', 'fortran_order': False, 'shape': (${array.length},), }`;
  const head = Buffer.from(`\x93NUMPY\x01\x00\x00\x00${text.padEnd(117)}\n`, 'latin1');
  head.writeUInt16LE(118, 8);
  writeFileSync(path, Buffer.concat([head, Buffer.from(array.buffer)]));
}

if (process.argv[2] === '--make') {
  const rate = Number(process.argv[3]), folder = process.argv[4];
  npy(`${folder}/rate.npy`, '<u4', Uint32Array.of(rate));
  npy(`${folder}/sound.npy`, '<i2', sound(rate));
  process.exit();
}

const [uf2, folder] = process.argv.slice(2);
const flash = unpackUf2(readFileSync(uf2)), counted = { passed: 0, failed: 0 };

function check(good, what, seen) {
  counted[good ? 'passed' : 'failed']++;
  if (!good) console.log(`FAILED ${what}`, seen ?? '');
}

/* What the PWM does with `rate` samples a second: periods of a sample, and clocks of a period. */
function pwm(rate) {
  const repeats = Math.ceil(40000 / rate);
  return { repeats, clocks: Math.round(CLOCK / rate / repeats) };
}

/* Runs the program. Returns its log, and each value that it has written to the PWM, with its time in clocks. */
async function play(card, fault = {}) {
  const writes = [];
  let begin = 0, top = 0;
  const log = await run(flash, `${folder}/${card}.img`, fault, (chip, must, awake) => {
    const slice = chip.pwm.channels[1], write = slice.writeRegister.bind(slice);
    slice.writeRegister = (offset, value) => {
      awake('PWM');
      write(offset, value);
      if (offset === CONTROL && value === 1) begin = chip.clock.nanos / 8;
      if (offset !== COMPARE) return;
      must(writes.length === 0 || (slice.csr === 1 && slice.div === 16), 'the PWM is not on');
      must(writes.length === 0 || chip.core.PC >>> 28 === 2, 'the handler is not in RAM');
      must(writes.length === 0 || chip.gpio[2].functionSelect === FUNCTION_PWM, 'GPIO 2 is not the PWM');
      writes.push({ value, at: chip.clock.nanos / 8 });
      top = slice.top;
    };
  });
  return { ...log, writes: writes.map(({ value, at }) => ({ value, at: at - begin })), top, lines: log.text.trim().split('\n') };
}

/* What has been played must be the first `count` samples, each in its time, with silence before, after, and wherever the program was
 * late. Returns how often that was, and the longest way from the end of a period to the write. */
function compare(what, log, rate, count) {
  const { repeats, clocks } = pwm(rate), middle = clocks >> 1, [first, ...writes] = log.writes;
  const wanted = Array.from(sound(rate).subarray(0, count), sample => (sample + 32768) * clocks >>> 16);
  let next = 0, missed = 0, other = 0;
  for (const { value } of writes)
    if (value === wanted[next]) next++;
    else if (value === middle) missed++;
    else other++;
  const period = ({ at }) => Math.floor(at / clocks + 1e-6);
  check(log.top === clocks - 1, `${what}: the period of the PWM`, log.top + 1);
  check(next === wanted.length && other === 0, `${what}: samples`, [next, wanted.length, other]);
  check(first?.value === middle && writes.at(-1)?.value === middle, `${what}: silence before and after`);
  check(writes.every((write, i) => period(write) === period(writes[0]) + i * repeats), `${what}: a sample at another time`);
  return { missed: missed - 1, latest: Math.round(Math.max(...writes.map(write => write.at - period(write) * clocks))) };
}

function verdict(what, log, pattern, code) {
  for (const wrong of log.wrong) check(false, `${what}: ${wrong}`);
  check(pattern.test(log.lines.at(-2)) && log.lines.at(-1) === `exit ${code}`, `${what}: last lines`, log.lines.slice(-3));
}

/* Numbers of the line about times. */
const times = log => log.lines.map(line => /^\d+ Hz: tiles (\d+), us to play one (\d+), to fill it (\d+), at most (\d+); underruns (\d+)$/.exec(line))
  .find(found => found)?.slice(1).map(Number) ?? [];

// ---- sounds ----

const number = n => Math.round(n).toLocaleString('en'), ms = us => (us / 1000).toFixed(1);
const rows = [];
let good;
for (const [rate, codec] of [[16000, 'raw'], [16000, 'zstd'], [44100, 'raw'], [44100, 'zstd']]) {
  const what = `${rate}-${codec}`, { repeats, clocks } = pwm(rate), samples = sound(rate);
  good = await play(what);
  const [tiles, plays, fills, longest, underruns] = times(good), { missed, latest } = compare(what, good, rate, samples.length);
  verdict(what, good, /^audio: good$/, 0);
  check(tiles === Math.ceil(samples.length / TILE) && plays === Math.floor(TILE * repeats * clocks / 125), `${what}: tiles and their time`, [tiles, plays]);
  check(underruns === 0 && missed === 0, `${what}: underruns`, [underruns, missed]);
  check(longest < plays, `${what}: no margin`, [longest, plays]);
  rows.push([`${number(rate)} Hz, ${codec}`, number(statSync(`${folder}/${what}/sound.tet`).size), ms(plays), ms(fills), ms(longest),
    (plays / longest).toFixed(1)]);
  console.log(`figure: audio: ${what}: the handler writes ${latest} clocks after the end of a period, at the latest`);
}

// ---- faults: the tiles before them, words, silence ----

/* Where the payload of tile `tile` is in the image of a card, by what the tool says. */
function payload(card, tile) {
  const path = `${folder}/${card}/sound.tet`, image = readFileSync(`${folder}/${card}.img`);
  const list = execFileSync(process.env.UTET, ['info', '--all', path], { encoding: 'utf8' });
  const rows = [...list.matchAll(/^ +\d+ +#1 +zstd +(\d+) +(\d+) +\d+ +(\d+)$/gm)], [, at, size] = rows.find(row => Number(row[3]) === tile).map(Number);
  return { at: image.indexOf(readFileSync(path).subarray(0, 512)) + at, size };
}

async function fails(what, card, fault, pattern, tiles) {
  const log = await play(card, fault), [read, , , , underruns] = times(log);
  verdict(what, log, pattern, 1);
  check(tiles === undefined ? read > 0 && read < 22 : read === tiles, `${what}: tiles`, read);
  check(compare(what, log, 44100, read * TILE).missed === underruns, `${what}: underruns`, underruns);
}

for (const [card, tile, within] of [['44100-raw', 7, 0.5], ['44100-raw', 7, 0.99], ['44100-zstd', 5, 0.5], ['44100-zstd', 0, 0.3]]) {
  const { at, size } = payload(card, tile);
  await fails(`${card}, tile ${tile} is damaged`, card, { damaged: at + Math.floor(size * within) }, /^audio: .*(checksum|zstd|damaged).*, offset \d+$/, tile);
}
await fails('a card pulled out', '44100-raw', { pulled: 70 }, /^audio: .*(the card failed while it was read|no card, or the card does not answer|was pulled out)/);

/* A pause that two buffers do not outlast: the underruns are counted, and no sample is lost. */
const slow = await play('44100-raw', { slow: 70, bytes: 40000 }), pause = compare('a slow card', slow, 44100, sound(44100).length);
verdict('a slow card', slow, /^audio: good$/, 0);
check(pause.missed > 500 && times(slow)[4] === pause.missed, 'a slow card: underruns', [pause.missed, times(slow)[4]]);

const other = await play('other');
verdict('a file without sound', other, /^audio: nothing has that name, offset \d+$/, 1);
check(other.writes.length === 0, 'a file without sound: silence', other.writes.length);

// ---- figures ----

/* The page has the figures of one compiler; other work on the library may change them by 3 %. */
const page = readFileSync('boards/rp2040/README.md', 'utf8'), compiler = /compiler (.*)/.exec(good.lines[0])[1];
const near = (said, seen) => [said, seen].map(text => Number(text.replaceAll(',', ''))).reduce((a, b) => Math.abs(a - b) <= 0.03 * b);
let skipped = 0;
for (const row of rows) {
  const said = page.split('\n').find(line => line.startsWith(`| ${row[0]} |`))?.split('|').slice(2, -1).map(text => text.trim());
  console.log(`figure: audio: | ${row.join(' | ')} |`);
  if (page.includes(`\`arm-none-eabi-gcc\` ${compiler}:`)) check(said?.length === row.length - 1 && said.every((text, i) => near(text, row[i + 1])), `the row of ${row[0]}`, said);
  else skipped++;
}
console.log(`figure: audio: ${good.lines.find(line => line.startsWith('bytes: '))}`);
if (skipped > 0) console.log(`skipped: ${skipped} figures of boards/rp2040/README.md, which are those of another compiler than ${compiler}`);
console.log(`${counted.passed} passed, ${counted.failed} failed${skipped ? `, ${skipped} skipped` : ''}`);
process.exitCode = counted.failed > 0 ? 1 : 0;
