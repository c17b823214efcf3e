/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Firmware that plays sound.tet of an SD card: its dataset `sound` (i16, one axis, tiles of up to 1,024 samples), at
 * the samples a second that its dataset `rate` has (u32, one element). A tile is heard only when it has been read to
 * its end, so that its checksum has been compared. After an error follow the tiles before it, then silence.
 *
 * Prints how long filling a buffer took, and how long a buffer plays; the memory; a verdict in words. Relies on this
 * folder, on common/ and on port/fatfs. */
#include "print.h"
#include "registers.h"
#include "report.h"
#include "sound.h"
#include "utet_fatfs_words.h"

#include <string.h>

#define WORK 10624u /* the window and the decoder's fast tables; 4,544 are enough, which is what `utet fit` says */
#define TABLE_WORDS 64u

static const utet_codec *const codecs[] = {&utet_codec_zstd_small, NULL};

static FATFS volume;
static utet_fatfs port;
static DWORD table[TABLE_WORDS];
static uint64_t work[WORK / 8];
static utet_file file;
static utet_dataset dataset;
static utet_chunk chunk;
static utet_stream stream;

/* SysTick counts the core's clocks down, in 24 bits: 0.13 s. */
#define SYSTICK_CONTROL REGISTER(0xE000E010u)
#define SYSTICK_RELOAD REGISTER(0xE000E014u)
#define SYSTICK_VALUE REGISTER(0xE000E018u)
#define SYSTICK_MOST 0xFFFFFFu

static struct {
    uint32_t tiles, longest; /* clocks */
    uint64_t all;            /* clocks */
} filling;

static utet_status open_file(void)
{
    const FRESULT result = f_mount(&volume, "", 1);
    utet_status status = result == FR_OK ? utet_fatfs_open(&port, "sound.tet", table, TABLE_WORDS)
                                         : UTET_FATFS_STATUS(result);

    if (status == UTET_OK)
        status = utet_init(&file, &port.io, work, sizeof work, codecs);
    return status == UTET_OK ? utet_open(&file, NULL) : status;
}

/* A dataset of one axis. */
static utet_status find(const char *name, uint32_t dtype, uint64_t tile)
{
    const utet_status status = utet_dataset_find(&file, name, strlen(name), &dataset);

    if (status == UTET_OK && (dataset.dtype != dtype || dataset.ndim != 1 || dataset.chunk_shape[0] > tile))
        return UTET_E_DATASET;
    return status;
}

/* Tile `number` of the dataset. */
static utet_status load(uint64_t number, void *to, size_t size)
{
    const utet_status status = utet_chunk_find(&file, &dataset, &number, &chunk);

    return status == UTET_OK ? utet_stream_load(&stream, &file, &chunk, to, size) : status;
}

static utet_status find_sound(uint32_t *rate)
{
    utet_status status = find("rate", UTET_U32, 1);

    if (status == UTET_OK)
        status = load(0, rate, sizeof *rate);
    if (status == UTET_OK && (*rate < 8000 || *rate > 48000))
        status = UTET_E_DATASET;
    return status == UTET_OK ? find("sound", UTET_I16, SOUND_SAMPLES) : status;
}

/* Fills an empty buffer with the next tile. */
static utet_status fill(int16_t *buffer)
{
    const uint32_t begin = SYSTICK_VALUE;
    const utet_status status = load(filling.tiles, buffer, SOUND_SAMPLES * sizeof *buffer);
    const uint32_t clocks = (begin - SYSTICK_VALUE) & SYSTICK_MOST;

    if (status != UTET_OK)
        return status;
    sound_filled((size_t)chunk.raw_byte_len / sizeof *buffer);
    filling.tiles++;
    filling.all += clocks;
    if (filling.longest < clocks)
        filling.longest = clocks;
    return UTET_OK;
}

static utet_status play(void)
{
    utet_status status = UTET_OK;

    while (status == UTET_OK && filling.tiles < dataset.grid[0]) {
        int16_t *const buffer = sound_empty();
        if (buffer != NULL)
            status = fill(buffer);
        else
            sound_sleep();
    }
    sound_end();
    return status;
}

static void print_times(uint32_t rate, uint32_t clocks)
{
    const uint32_t micro = SOUND_CLOCK / 1000000;

    print_u64(rate);
    print_text(" Hz: tiles ");
    print_u64(filling.tiles);
    print_text(", us to play one ");
    print_u64((uint64_t)clocks * dataset.chunk_shape[0] / micro);
    print_text(", to fill it ");
    print_u64(filling.tiles > 0 ? filling.all / filling.tiles / micro : 0);
    print_text(", at most ");
    print_u64(filling.longest / micro);
    print_text("; underruns ");
    print_u64(sound_underruns);
    print_char('\n');
}

int main(void)
{
    uint32_t rate;
    utet_status status = open_file();

    print_text(utet_build_info());
    print_char('\n');
    SYSTICK_RELOAD = SYSTICK_MOST;
    SYSTICK_VALUE = 0;
    SYSTICK_CONTROL = 5; /* on, with the clock of the core */
    if (status == UTET_OK)
        status = find_sound(&rate);
    if (status == UTET_OK) {
        const uint32_t clocks = sound_init(rate);
        status = play();
        print_times(rate, clocks);
    }
    report_memory(WORK);
    return report_end("audio", status, utet_fatfs_strerror(status), file.error_offset);
}
