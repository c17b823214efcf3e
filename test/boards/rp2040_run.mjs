// SPDX-FileCopyrightText: the microtet authors
// SPDX-License-Identifier: Apache-2.0
/* rp2040_run.mjs UF2 CARD [FAULT]: runs an image, FAULT: as JSON for rp2040_machine.mjs. Prints its log, then what a chip would not
 * have forgiven. */
import { readFileSync } from 'node:fs';
import { run, unpackUf2 } from './rp2040_machine.mjs';

const [uf2, card, fault = '{}'] = process.argv.slice(2);
const log = await run(unpackUf2(readFileSync(uf2)), card, JSON.parse(fault), () => {}, 1e12);
process.stdout.write(log.text + log.wrong.map(wrong => `wrong: ${wrong}\n`).join(''));
