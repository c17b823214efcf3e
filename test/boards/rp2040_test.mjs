// SPDX-FileCopyrightText: the microtet authors
// SPDX-License-Identifier: Apache-2.0
/* The image of boards/rp2040, from its UF2 file on: rp2040_test.mjs UF2 CARD DIGESTS. Checks every digest of the list,
 * on a chip that tolerates as little as the real one; then cards that are missing, pulled out, or wrong once; and the
 * figures of its page. */
import { readFileSync } from 'node:fs';
import { crc32, run, unpackUf2 } from './rp2040_machine.mjs';

const [uf2, image, list, other] = process.argv.slice(2);
const wanted = readFileSync(list, 'ascii').trim().split('\n');
const counted = { passed: 0, failed: 0 };

function check(good, what, seen) {
  counted[good ? 'passed' : 'failed']++;
  if (!good) console.log(`FAILED ${what}`, seen ?? '');
}

/* CRC-32/MPEG-2 of "123456789", from catalogues of such checksums. */
check(crc32(Buffer.from('123456789')) === 0x0376E6E7, 'the sum that judges boot2');
const flash = unpackUf2(readFileSync(uf2));
check(flash.length <= 2 << 20, 'the image is larger than the flash of a Pico');

const digests = text => text.split('\n').filter(line => /^[0-9a-f]{64} /.test(line)).sort();
const same = (a, b) => a.length === b.length && a.every((line, i) => line === b[i]);

async function card(what, fault, lines, verdict, code) {
  const log = await run(flash, image, fault), seen = digests(log.text), last = log.text.trim().split('\n').slice(-2);
  for (const wrong of log.wrong) check(false, `${what}: ${wrong}`);
  check(lines === null ? seen.every(line => wanted.includes(line)) && seen.length < wanted.length : same(seen, lines), `${what}: digests`, seen);
  check(verdict.test(last[0]) && last[1] === `exit ${code}`, `${what}: last lines`, last);
  return log;
}

const good = await card('a good card', {}, [...wanted].sort(), /^rp2040: good$/, 0);
await card('no card', { absent: true }, [], /^rp2040: no card, or the card does not answer/, 1);
await card('a card pulled out', { pulled: 60 }, null, /^rp2040: .*(the card failed while it was read|no card, or the card does not answer|was pulled out)/, 1);
await card('a sector sent wrong once', { flipped: 60 }, [...wanted].sort(), /^rp2040: good$/, 0);

/* The page has the figures of one compiler, and of the image that make builds: `other` means that this is another
 * one. */
const number = (text, pattern) => Number(pattern.exec(text)?.[1].replaceAll(',', ''));
const page = readFileSync('boards/rp2040/README.md', 'utf8').replaceAll('\n', ' ');
const figures = {
  'bytes of flash': [/flash ([\d,]+)/, /([\d,]+) bytes of flash/], 'bytes of static RAM': [/static RAM (\d+)/, /([\d,]+) of static RAM/],
  'bytes of stack': [/stack (\d+) of/, /([\d,]+) of stack/],
};
const seen = Object.entries(figures).map(([name, [log]]) => [name, number(good.text, log), number(page, figures[name][1])]);
seen.push(['sectors', good.sectors, number(page, /([\d,]+) sectors/)]);
seen.push(['million cycles', Math.round(good.cycles / 1e6), number(page, /(\d+) million cycles/)]);
console.log(`figure: rp2040: ${seen.map(([name, value]) => `${value} ${name}`).join(', ')}`);
const compiler = /compiler (.*)/.exec(good.text)[1];
let skipped = 0;
if (other) {
  skipped = seen.length;
  console.log(`skipped: ${skipped} figures of boards/rp2040/README.md, which are those of make's image`);
} else if (page.includes(`\`arm-none-eabi-gcc\` ${compiler}:`)) {
  for (const [name, value, said] of seen) check(value === said, `boards/rp2040/README.md: ${said} ${name}`, value);
} else {
  skipped = seen.length;
  console.log(`skipped: ${skipped} figures of boards/rp2040/README.md, which are those of another compiler than ${compiler}`);
}
console.log(`${counted.passed} passed, ${counted.failed} failed${skipped ? `, ${skipped} skipped` : ''}`);
process.exitCode = counted.failed > 0 ? 1 : 0;
