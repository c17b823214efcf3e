/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Firmware that shows how reading and decoding overlap. It reads each file with a flash that takes no time,
 * then at three clocks, through utet_dma alone and with blocks that utet_ahead fetches. Prints the time of each run in
 * microseconds, and a time line of those at 25 MHz. The flash takes the time of medium.c, the core that of the emulator
 * (8 ns an instruction). Relies on this folder, on common/ and on port/dma. */
#include "board.h"
#include "medium.h"
#include "nor.h"
#include "print.h"
#include "registers.h"
#include "report.h"
#include "sha256.h"
#include "table.h"
#include "utet.h"
#include "utet_ahead.h"

#include <string.h>

#define WORK 16384u
#ifndef SHIFT
#define SHIFT 11u /* blocks of 2,048 bytes */
#endif
#define COLUMNS 120u
#define COLUMN 100000u /* 2 ms */

/* Timer 1 of the part counts down, 50 MHz. */
#define TIMER_NOW REGISTER(0x7E782000u)
#define TIMER_LOAD REGISTER(0x7E782004u)
#define TIMER_ON REGISTER(0x7E782030u)

static const utet_codec *const codecs[] = {&utet_codec_zstd_small, NULL};
static utet_dma port;
static utet_ahead ahead;
static uint64_t work[WORK / 8];
static uint32_t blocks[UTET_AHEAD_BLOCKS << SHIFT >> 2];
static utet_file file;
static utet_dataset dataset;
static utet_slab slab;
static struct sha256 hash;
static size_t filled; /* bytes of the datasets that have been read, consecutively in the remaining RAM */

/* Ticks of a run in which the flash delivered, and in which the core waited, for each column of the time line. */
static uint32_t began, busy_since;
static uint32_t busy[COLUMNS], waited[COLUMNS];

static uint32_t now(void)
{
    return UINT32_MAX - TIMER_NOW - began;
}

static uint32_t add(uint32_t *column, uint32_t from, uint32_t to)
{
    for (uint32_t at = from; at < to;) {
        const uint32_t i = at / COLUMN, end = to < (i + 1) * COLUMN ? to : (i + 1) * COLUMN;
        column[i < COLUMNS ? i : COLUMNS - 1] += end - at;
        at = end;
    }
    return to - from;
}

static void notice(int is_busy)
{
    if (is_busy) {
        busy_since = now();
    } else {
        (void)add(busy, busy_since, now());
        utet_ahead_continue(&ahead);
    }
}

/* It does not sleep: in QEMU 7.2 a sleep takes twice its time. */
static utet_status check(utet_status status)
{
    if (status == UTET_WOULD_BLOCK) {
        const uint32_t start = now();
        while (utet_dma_state_of(&port) == UTET_DMA_BUSY)
            ;
        (void)add(waited, start, now());
    }
    return status;
}

#define WAIT(call) \
    while ((status = check(call)) == UTET_WOULD_BLOCK) {}

static utet_status read_dataset(void)
{
    utet_range ranges[UTET_MAX_NDIM];
    size_t room;
    uint8_t *const dense = board_spare(&room);
    utet_status status;

    for (unsigned d = 0; d < dataset.ndim; d++) {
        const utet_range all = {0, dataset.shape[d], 1};
        ranges[d] = all;
    }
    WAIT(utet_slab_open(&slab, &file, &dataset, ranges));
    if (status == UTET_OK)
        WAIT(utet_slab_read_all(&slab, dense + filled, room - filled));
    if (status == UTET_OK)
        filled += (size_t)slab.count * dataset.elem_size;
    return status;
}

static utet_status read_file(const utet_io *io)
{
    utet_status status = utet_init(&file, io, work, sizeof work, codecs);

    if (status == UTET_OK)
        WAIT(utet_open(&file, NULL));
    if (status == UTET_OK)
        WAIT(utet_dataset_first(&file, &dataset));
    while (status == UTET_OK) {
        status = read_dataset();
        if (status == UTET_OK)
            WAIT(utet_dataset_next(&file, &dataset));
    }
    return status == UTET_END ? UTET_OK : status;
}

static void number(const char *before, uint32_t value)
{
    print_text(before);
    print_u64(value);
}

static uint32_t sum(const uint32_t *column)
{
    uint32_t ticks = 0;

    for (unsigned i = 0; i < COLUMNS; i++)
        ticks += column[i];
    return ticks;
}

/* One character for each column: # more than three quarters of its time, + more than one quarter. */
static void line(const char *name, const uint32_t *column, uint32_t ticks, int inverted)
{
    print_text(name);
    for (uint32_t i = 0; i < COLUMNS && i * COLUMN < ticks; i++) {
        const uint32_t part = inverted ? COLUMN - column[i] : column[i];
        print_char(part * 4 > COLUMN * 3 ? '#' : part * 4 > COLUMN ? '+' : '.');
    }
    print_char('\n');
}

/* One reading of a file. mhz: clock of the flash, 0 if it takes no time. */
static utet_status run(const struct table_entry *entry, uint32_t mhz, int fetch)
{
    uint8_t digest[32];
    utet_status status = utet_dma_open(&port, &nor_driver, entry->offset, entry->size);
    const uint32_t requests = nor_requests;
    uint32_t ticks;
    size_t room;

    medium_ticks = mhz == 0 ? 0 : 8 * 200 / mhz;
    memset(busy, 0, sizeof busy);
    memset(waited, 0, sizeof waited);
    utet_ahead_open(&ahead, &port.io, blocks, SHIFT);
    filled = 0;
    began += now();
    if (status == UTET_OK)
        status = read_file(fetch ? &ahead.io : &port.io);
    ticks = now();
    utet_ahead_stop(&ahead);
    sha256_init(&hash);
    sha256_add(&hash, board_spare(&room), filled);
    sha256_end(&hash, digest);
    print_hex_bytes(digest, sizeof digest);
    print_char(' ');
    print_text(entry->name);
    number(" MHz ", mhz);
    print_text(fetch ? " ahead" : " plain");
    number(" us ", ticks / 50);
    number(" flash ", sum(busy) / 50);
    number(" waited ", sum(waited) / 50);
    number(" transfers ", nor_requests - requests);
    print_char('\n');
    if (mhz == 25) {
        line("flash ", busy, ticks, 0);
        line("core  ", waited, ticks, 1);
    }
    return status;
}

int main(void)
{
    static const uint32_t clocks[] = {10, 25, 50};
    static struct table_entry entry;
    struct table_head table = {0, 0};
    utet_status status = UTET_OK;

    medium_has_deadline = 0;
    medium_notice = notice;
    TIMER_LOAD = UINT32_MAX;
    TIMER_NOW = UINT32_MAX;
    TIMER_ON = 1;
    if (nor_init() > TABLE_AT)
        nor_copy(&table.magic, TABLE_AT, sizeof table / sizeof(uint32_t));
    for (uint32_t i = 0; table.magic == TABLE_MAGIC && i < table.count && status == UTET_OK; i++) {
        nor_copy((uint32_t *)(void *)&entry, TABLE_AT + sizeof table + i * sizeof entry,
                 sizeof entry / sizeof(uint32_t));
        status = run(&entry, 0, 0);
        for (unsigned c = 0; c < sizeof clocks / sizeof *clocks && status == UTET_OK; c++) {
            status = run(&entry, clocks[c], 0);
            if (status == UTET_OK)
                status = run(&entry, clocks[c], 1);
        }
    }
    report_memory(WORK);
    return report_end("overlap", table.count > 0 ? status : UTET_E_NOT_FOUND, utet_dma_strerror(status),
                      file.error_offset);
}
