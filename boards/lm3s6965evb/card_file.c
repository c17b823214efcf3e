/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Opens files of the card with the cluster table if it fits, without it otherwise. Relies on card_file.h. */
#include "card_file.h"

#ifdef CARD_FILE_LINES
#include "utet_cache.h"
#endif
#include "utet_fatfs.h"

/* Enough for 31 fragments; most cards need one. */
#define TABLE_WORDS 64u

utet_file card_file;

static utet_fatfs port;
static DWORD table[TABLE_WORDS];
#ifdef CARD_FILE_LINES
static utet_cache cache;
static uint64_t lines[UTET_CACHE_MEMORY(CARD_FILE_LINES, FF_MIN_SS) / sizeof(uint64_t)];
#endif
static uint32_t work[CARD_FILE_WORK / sizeof(uint32_t)] __attribute__((aligned(8)));

utet_status card_file_open(const char *name)
{
    static const utet_codec *const codecs[] = {&CARD_FILE_CODEC, NULL};
    const utet_io *io = &port.io;
    utet_status status;

    card_file.error_offset = 0;
    status = utet_fatfs_open(&port, name, table, TABLE_WORDS);

    if (status == UTET_FATFS_E_TABLE)
        status = utet_fatfs_open(&port, name, NULL, 0);
#ifdef CARD_FILE_LINES
    if (status == UTET_OK)
        status = utet_cache_init(&cache, io, FF_MIN_SS, lines, sizeof lines);
    io = &cache.io;
#endif
    if (status == UTET_OK)
        status = utet_init(&card_file, io, work, sizeof work, codecs);
    if (status == UTET_OK)
        status = utet_open(&card_file, NULL);
    return status;
}

uint64_t card_file_fault(utet_status status)
{
    return status == UTET_FATFS_E_CHAIN ? port.chain_end : card_file.error_offset;
}

void card_file_close(void)
{
    utet_fatfs_close(&port);
}

uint32_t card_file_table(void)
{
    return port.table_need;
}
