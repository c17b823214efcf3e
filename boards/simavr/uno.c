/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* An ATmega328P (32 KB of flash, 2 KB of RAM: an Arduino Uno) reads the files in its flash (files.S) with a library of
 * UTET_MAX_NDIM=2, through the workspace of a reader of raw tiles. The serial port gets a line for each dataset:
 *
 *   FILE INDEX STATUS NDIM BYTES CRC    STATUS -41: more axes than the library reads
 *
 * and at the end `ram STATIC STACK`, in bytes. Sleeping with interrupts off ends the run. */
#include "utet.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/pgmspace.h>
#include <avr/sleep.h>
#include <stdlib.h>
#include <string.h>

#define PAINT 0xC5u

extern const uint8_t simavr_files[];
extern uint8_t __heap_start[]; /* end of .bss, from avr-libc's linker script */

static const uint8_t *bytes; /* where the file begins in flash */
static utet_io io;
static utet_file file;
static utet_dataset dataset;
static utet_slab slab;
static utet_range ranges[UTET_MAX_NDIM];
static uint8_t work[UTET_WINDOW_LEAST(1)];
static uint8_t dense[128];

static utet_status read_flash(void *ctx, uint64_t offset, void *buf, size_t len, size_t *got)
{
    (void)ctx;
    memcpy_P(buf, bytes + (size_t)offset, len);
    *got = len;
    return UTET_OK;
}

/* ---- the serial port ---- */

static void put(char c)
{
    while (!(UCSR0A & (1 << UDRE0)))
        ;
    UCSR0A |= 1 << TXC0; /* cleared by writing it */
    UDR0 = (uint8_t)c;
}

static void put_number(int32_t number, int base)
{
    char digits[12];
    const char *c;

    put(' ');
    if (base == 16)
        (void)ultoa((uint32_t)number, digits, base);
    else
        (void)ltoa(number, digits, base);
    for (c = digits; *c != 0; c++)
        put(*c);
}

/* ---- reading ---- */

static uint32_t crc32(const uint8_t *at, size_t count)
{
    uint32_t crc = 0xFFFFFFFF;

    for (; count != 0; count--) {
        crc ^= *at++;
        for (uint8_t bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ ((crc & 1) != 0 ? 0xEDB88320 : 0);
    }
    return ~crc;
}

static utet_status read_dataset(void)
{
    utet_status status;

    for (uint8_t d = 0; d < dataset.ndim; d++) {
        ranges[d].start = 0;
        ranges[d].stop = dataset.shape[d];
        ranges[d].step = 1;
    }
    status = utet_slab_open(&slab, &file, &dataset, ranges);
    return status == UTET_OK ? utet_slab_read_all(&slab, dense, sizeof dense) : status;
}

static void read_file(const uint8_t *name, uint32_t length)
{
    utet_status status;

    io.read = read_flash;
    io.size = length;
    io.unit = io.align = 1;
    status = utet_init(&file, &io, work, sizeof work, NULL);
    if (status == UTET_OK)
        status = utet_open(&file, NULL);
    if (status == UTET_OK)
        status = utet_dataset_first(&file, &dataset);
    for (; status == UTET_OK; status = utet_dataset_next(&file, &dataset)) {
        const utet_status result = read_dataset();
        const size_t size = result == UTET_OK ? (size_t)slab.count * dataset.elem_size : 0;

        for (const uint8_t *c = name; pgm_read_byte(c) != 0; c++)
            put((char)pgm_read_byte(c));
        put_number((int32_t)dataset.id, 10);
        put_number(result, 10);
        put_number(dataset.ndim, 10);
        put_number((int32_t)size, 10);
        put_number((int32_t)crc32(dense, size), 16);
        put('\n');
    }
}

/* Paints the memory between the objects and the stack, which is still empty. */
static void paint(void)
{
    for (uint8_t *at = __heap_start; (uintptr_t)at < SP - 16u; at++)
        *(volatile uint8_t *)at = PAINT;
}

int main(void)
{
    const uint8_t *at = simavr_files;
    const uint8_t *untouched = __heap_start;
    uint32_t length;

    paint();
    UCSR0B = 1 << TXEN0;
    while ((length = pgm_read_dword(at)) != 0xFFFFFFFF) { /* pack.py describes the entries */
        const uint8_t *const name = at + 4;

        bytes = name + strlen_P((const char *)name) + 1;
        at = bytes + length;
        read_file(name, length);
    }
    while (*untouched == PAINT)
        untouched++;
    put('r');
    put('a');
    put('m');
    put_number((int32_t)((uintptr_t)__heap_start - RAMSTART), 10);
    put_number((int32_t)(RAMEND + 1 - (uintptr_t)untouched), 10);
    put('\n');
    while (!(UCSR0A & (1 << TXC0)))
        ;
    cli();
    for (;;)
        sleep_mode();
}
