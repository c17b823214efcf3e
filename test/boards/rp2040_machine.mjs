// SPDX-FileCopyrightText: the microtet authors
// SPDX-License-Identifier: Apache-2.0
/* An RP2040 (rp2040js, one core) after reset, with an SDHC card on SPI0 whose select is GPIO 17. It takes the image as
 * UF2, and starts it as the boot ROM does. This file checks what the emulator does not: blocks in reset, functions of
 * the pins, clocks, the card's speed. */
import { closeSync, openSync, readSync } from 'node:fs';
import { resolve } from 'node:path';
import { randomFillSync } from 'node:crypto';

const { Simulator, GPIOPinState, ConsoleLogger, LogLevel } =
  await import(resolve(process.env.BUILD ?? 'build', 'deps/rp2040js/dist/esm/index.js'));

const FLASH = 0x10000000, SRAM = 0x20000000, BOOT2 = 0x20041F00, SECTOR = 512;
const RESETS = { IO_BANK0: 5, PADS_BANK0: 8, PLL_SYS: 12, SPI0: 16, UART0: 22 }, OTHER_RESETS = { PWM: 14 };
const FUNCTION_SPI = 1, FUNCTION_UART = 2, FUNCTION_SIO = 5;
const RESETS_PERIPHERAL = 0x4000C, SSI_PERIPHERAL = 0x18000;

/* The bytes of a UF2 file for the flash of an RP2040; an error names what is wrong with it. */
export function unpackUf2(file) {
  const flash = [];
  for (let at = 0; at < file.length; at += 512) {
    const word = i => file.readUInt32LE(at + 4 * i), number = at / 512;
    const good = word(0) === 0x0A324655 && word(1) === 0x9E5D5157 && file.readUInt32LE(at + 508) === 0x0AB16F30 &&
      word(2) === 0x2000 && word(7) === 0xE48BFF56 && word(4) === 256 && word(3) === FLASH + number * 256 &&
      word(5) === number && word(6) === file.length / 512;
    if (!good) throw new Error(`block ${number} of the UF2 file`);
    flash.push(file.subarray(at + 32, at + 32 + 256));
  }
  return Buffer.concat(flash);
}

/* Highest bit first, polynomial 0x04C11DB7, start 0xFFFFFFFF, not inverted: the checksum of the second stage that the
 * ROM checks. */
export function crc32(bytes) {
  let crc = 0xFFFFFFFF;
  for (const byte of bytes) {
    crc ^= byte << 24;
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x80000000 ? crc << 1 ^ 0x04C11DB7 : crc << 1;
  }
  return crc >>> 0;
}

function crc16(bytes) {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? (crc << 1 ^ 0x1021) & 0xFFFF : crc << 1 & 0xFFFF;
  }
  return crc;
}

/* Only reads. fault: { absent } no card; { pulled: n } the card is removed after n sectors; { flipped: n } the n-th sector is sent
 * once with a wrong bit; { damaged: n } byte n of the image has a wrong bit; { slow: n, bytes: b } the n-th sector is b bytes late. */
class Card {
  constructor(image, fault) {
    this.image = openSync(image, 'r');
    this.fault = fault;
    this.frame = [];
    this.answer = [];
    this.idle = true;
    this.application = false;
    this.next = -1; // sector of a multiple-block read
    this.sectors = 0;
    this.selected = false;
  }

  get gone() {
    return this.fault.absent || this.sectors >= (this.fault.pulled ?? Infinity);
  }

  block(sector) {
    const bytes = Buffer.alloc(SECTOR);
    readSync(this.image, bytes, 0, SECTOR, sector * SECTOR);
    if (Math.floor(this.fault.damaged / SECTOR) === sector) bytes[this.fault.damaged % SECTOR] ^= 4;
    const crc = crc16(bytes);
    if (++this.sectors === this.fault.flipped) bytes[100] ^= 4;
    const pause = this.sectors === this.fault.slow ? this.fault.bytes : 1;
    return [...Array(pause).fill(0xFF), 0xFE, ...bytes, crc >> 8, crc & 0xFF];
  }

  select(on) {
    this.selected = on;
    this.frame = [];
    this.answer = [];
    this.next = -1;
  }

  swap(byte) {
    if (!this.selected || this.gone) return 0xFF;
    if (this.answer.length === 0 && this.next >= 0) this.answer = this.block(this.next++);
    const out = this.answer.length > 0 ? this.answer.shift() : 0xFF;
    if (this.frame.length > 0 || (byte & 0xC0) === 0x40) this.frame.push(byte);
    if (this.frame.length === 6) {
      this.command(this.frame[0] & 63, Buffer.from(this.frame).readUInt32BE(1));
      this.frame = [];
    }
    return out;
  }

  command(number, argument) {
    const application = this.application, r1 = this.idle ? 1 : 0;
    this.application = number === 55;
    this.next = -1;
    if (number === 0) this.idle = true;
    if (number === 41 && application) this.idle = false;
    if (number === 18) this.next = argument;
    this.answer = {
      0: () => [0xFF, 1], 8: () => [0xFF, r1, 0, 0, argument >> 8 & 15, argument & 0xFF], 12: () => [0xFF, 0xFF, 0, 0, 0xFF],
      16: () => [0xFF, r1], 17: () => [0xFF, 0, ...this.block(argument)], 18: () => [0xFF, 0], 41: () => [0xFF, application ? 0 : 4],
      55: () => [0xFF, r1], 58: () => [0xFF, r1, 0xC0, 0xFF, 0x80, 0], 59: () => [0xFF, r1],
    }[number]?.() ?? [0xFF, r1 | 4];
  }
}

/* Runs `flash` with the card until it prints `exit N`, or for the time of `limit` cycles. Returns its text, the cycles, and
 * `wrong`: what a chip would not have tolerated. Before the run, watch(chip, must, awake) may add further checks. */
export async function run(flash, image, fault = {}, watch = () => {}, limit = 4e9) {
  const simulator = new Simulator(), chip = simulator.rp2040, card = new Card(image, fault), wrong = new Set();
  const spi = chip.spi[0], resets = chip.peripherals[RESETS_PERIPHERAL], ssi = chip.peripherals[SSI_PERIPHERAL];
  const must = (good, what) => { if (!good) wrong.add(what); };
  const awake = name => must(!(resets.reset >> (RESETS[name] ?? OTHER_RESETS[name]) & 1), `${name} is in reset`);
  let text = '', done = false;

  chip.logger = new ConsoleLogger(LogLevel.Error, true);
  randomFillSync(chip.sram);
  chip.flash.set(flash);
  resets.reset = 0x1FFFFFF;
  must(crc32(flash.subarray(0, 252)) === flash.readUInt32LE(252), `the CRC of boot2 is 0x${crc32(flash.subarray(0, 252)).toString(16)}`);

  chip.uart[0].onByte = byte => {
    awake('UART0');
    awake('IO_BANK0');
    must(chip.gpio[0].functionSelect === FUNCTION_UART, 'GPIO 0 is not the UART');
    must(chip.uart[0].txEnabled && chip.uart[0].enabled && chip.uart[0].wordLength === 8, 'the UART is not set up');
    must(Math.abs(chip.uart[0].baudRate / 115200 - 1) < 0.01, `the UART has ${chip.uart[0].baudRate} baud`);
    text += String.fromCharCode(byte);
    done ||= /^exit \d+\n/m.test(text);
    if (done) simulator.stop();
  };
  chip.gpio[17].addListener(state => card.select(state === GPIOPinState.Low));
  spi.onTransmit = byte => {
    Object.keys(RESETS).forEach(awake);
    must([16, 18, 19].every(pin => chip.gpio[pin].functionSelect === FUNCTION_SPI), 'GPIO 16, 18 or 19 is not the SPI');
    must(chip.gpio[17].functionSelect === FUNCTION_SIO && chip.gpio[17].outputEnable, 'GPIO 17 is not an output');
    must(spi.enabled && !(spi.control1 & 4) && spi.spiMode === 0 && spi.dataBits === 8, 'the SPI is not set up');
    must(spi.clockFrequency <= (card.idle ? 400e3 : 25e6), `the SPI has ${spi.clockFrequency} Hz`);
    chip.clock.createAlarm(() => spi.completeTransmit(card.swap(byte))).schedule(8e9 / spi.clockFrequency);
  };
  chip.onBreak = code => {
    wrong.add(`breakpoint ${code}`);
    done = true;
    simulator.stop();
  };

  watch(chip, must, awake);

  chip.sram.set(flash.subarray(0, 256), BOOT2 - SRAM);
  chip.core.PC = BOOT2;
  while (!done && chip.clock.nanos < limit * 8) {
    simulator.execute();
    simulator.stop();
  }
  closeSync(card.image);
  const { sysFreq, periFreq } = chip.clocks;
  must(done, `no end after ${chip.core.cycles} cycles, pc 0x${chip.core.PC.toString(16)}`);
  must(sysFreq === 125e6 && periFreq === 125e6, `clocks of ${sysFreq} and ${periFreq} Hz`);
  must(ssi.crtlr0 === 0x001F0300 && ssi.spictlr0 === 0x03000218 && ssi.ssienr === 1 && ssi.baudr === 4, 'the flash is not read by command 03h');
  return { text, wrong: [...wrong], sectors: card.sectors, seconds: chip.clock.nanos / 1e9, cycles: chip.core.cycles };
}
