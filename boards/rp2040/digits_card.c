/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The weights are in digits.tet on an SD card. */
#include "digits.h"

#include "utet_fatfs_words.h"

#define WORK 5504u /* what `utet fit --for rp2040` says of the file: the largest number of its column "in slices" */
#define TABLE_WORDS 64u

static const utet_codec *const codecs[] = {&utet_codec_zstd_small, NULL};

static FATFS volume;
static utet_fatfs port;
static DWORD table[TABLE_WORDS];
static uint64_t work[WORK / 8];

static utet_io io;

static utet_status read_card(void *ctx, uint64_t offset, void *buf, size_t len, size_t *got)
{
    digits_tick();
    return port.io.read(ctx, offset, buf, len, got);
}

utet_status digits_open(utet_file *file, size_t *bytes)
{
    const FRESULT result = f_mount(&volume, "", 1);
    utet_status status = UTET_FATFS_STATUS(result);

    *bytes = sizeof work;
    if (result == FR_OK)
        status = utet_fatfs_open(&port, "digits.tet", table, TABLE_WORDS);
    io = port.io;
    io.read = read_card;
    if (status == UTET_OK)
        status = utet_init(file, &io, work, sizeof work, codecs);
    return status == UTET_OK ? utet_open(file, NULL) : status;
}

const char *digits_words(utet_status status)
{
    return utet_fatfs_strerror(status);
}
