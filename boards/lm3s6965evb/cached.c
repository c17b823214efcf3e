/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Firmware that reads three .tet files of the SD card in four ways: through FatFs, and from the sectors of the card,
 * each with all of one buffer as the workspace, and with a cache in the same buffer (port/cache). Prints the SHA-256 of
 * each dataset's dense bytes (the lines of test/golden/demo/digests.txt), and what each way costs. The linker replaces
 * calls of sdcard_read by __wrap_sdcard_read. Relies on common/, on port/fatfs and on port/cache. */
#include "board.h"
#include "print.h"
#include "report.h"
#include "sdcard.h"
#include "sums.h"
#include "utet_cache.h"
#include "utet_fatfs_words.h"

#include <string.h>

#define BUFFER 16384u
#define TABLE_WORDS 64u

static const utet_codec *const codecs[] = {&utet_codec_zstd_small, NULL};

static FATFS volume;
static utet_fatfs port;
static DWORD table[TABLE_WORDS];
static utet_cache cache;
static uint64_t buffer[BUFFER / 8];
static utet_file file;

/* ---- commands of the card ---- */

static uint32_t singles, multiples, sectors; /* commands 17 and 18 */

enum sdcard_status __real_sdcard_read(uint32_t sector, uint8_t *to, uint32_t count);
enum sdcard_status __wrap_sdcard_read(uint32_t sector, uint8_t *to, uint32_t count);

enum sdcard_status __wrap_sdcard_read(uint32_t sector, uint8_t *to, uint32_t count)
{
    singles += count == 1;
    multiples += count != 1;
    sectors += count;
    return __real_sdcard_read(sector, to, count);
}

/* ---- the file without FatFs: sectors from `first` on ---- */

static uint32_t first;

static utet_status card_read(void *ctx, uint64_t offset, void *buf, size_t len, size_t *got)
{
    static uint8_t last[SDCARD_SECTOR]; /* the file ends within its last sector */
    const uint32_t sector = first + (uint32_t)(offset / SDCARD_SECTOR), count = (uint32_t)len / SDCARD_SECTOR;

    (void)ctx;
    if (sdcard_read(sector, count != 0 ? buf : last, count != 0 ? count : 1) != SDCARD_OK)
        return UTET_E_PORT;
    if (count == 0)
        memcpy(buf, last, len);
    *got = count != 0 ? count * SDCARD_SECTOR : len;
    return UTET_OK;
}

/* ---- reading ---- */

static utet_status read_file(const char *name, int raw, int cached)
{
    utet_io io = {.read = card_read, .unit = SDCARD_SECTOR, .align = 1};
    const utet_io *from = &port.io;
    utet_status status = utet_fatfs_open(&port, name, table, TABLE_WORDS);

    if (status == UTET_OK && raw) { /* a table of one fragment: the sectors are consecutive */
        first = (uint32_t)(volume.database + (LBA_t)(port.priv.file.obj.sclust - 2) * volume.csize);
        io.size = port.io.size;
        from = &io;
        status = port.table_need == 4 ? UTET_OK : UTET_FATFS_E_TABLE;
    }
    singles = multiples = sectors = 0;
    if (status == UTET_OK && cached) {
        status = utet_cache_share(&cache, from, SDCARD_SECTOR, buffer, sizeof buffer, NULL);
        from = &cache.io;
    }
    if (status == UTET_OK)
        status = utet_init(&file, from, buffer, cached ? cache.front : sizeof buffer, codecs);
    if (status == UTET_OK)
        status = utet_open(&file, NULL);
    if (status == UTET_OK)
        status = sums_print(&file, name, NULL);
    utet_fatfs_close(&port);
    print_text(raw ? "card " : "FatFs ");
    print_text(cached ? "cached " : "alone ");
    print_text(name);
    print_text(": sectors ");
    print_u64(sectors);
    print_text(", CMD17 ");
    print_u64(singles);
    print_text(", CMD18 ");
    print_u64(multiples);
    print_char('\n');
    return status;
}

int main(void)
{
    static const char *const names[] = {"demo_planet.tet", "demo_small.tet", "demo_tiny.tet"};
    utet_status status = UTET_FATFS_STATUS(f_mount(&volume, "", 1));

    if (status == UTET_FATFS_STATUS(FR_OK))
        status = UTET_OK;
    for (unsigned i = 0; i < 3; i++)
        for (unsigned way = 0; way < 4 && status == UTET_OK; way++)
            status = read_file(names[i], way >= 2, (way & 1u) != 0);
    report_memory(BUFFER);
    return report_end("cached", status, utet_fatfs_strerror(status), file.error_offset);
}
