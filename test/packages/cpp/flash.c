/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The same program as flash.cpp, in C: both take the same number of bytes of flash. */
#include "utet.h"
#include <string.h>

extern const uint8_t flash[];
extern const uint32_t flash_size;
float row[4];
double sum;
uint32_t names;

utet_status open_all(void);
utet_status read_row(void);
utet_status add_all(void);

static const utet_codec *const codecs[] = {&utet_codec_zstd_small, NULL};
static const utet_range box[2] = {{10, 11, 1}, {0, 128, 32}};
static uint8_t work[8192];
static utet_io io;
static utet_file file;
static utet_dataset data;
static utet_slab slab;

utet_status open_all(void)
{
    utet_status s;

    io.map = flash;
    io.size = flash_size;
    io.unit = io.align = 1;
    if ((s = utet_init(&file, &io, work, sizeof work, codecs)) != UTET_OK || (s = utet_open(&file, NULL)) != UTET_OK)
        return s;
    for (s = utet_dataset_first(&file, &data); s == UTET_OK; s = utet_dataset_next(&file, &data))
        names += data.name_length;
    return s;
}

static utet_status open_slab(void)
{
    utet_status s;

    if ((s = utet_dataset_find(&file, "temperature", 11, &data)) != UTET_OK)
        return s;
    if (data.dtype != UTET_F32)
        return UTET_E_DTYPE;
    return data.ndim == 2 ? utet_slab_open(&slab, &file, &data, box) : UTET_E_RANGE;
}

utet_status read_row(void)
{
    utet_status s = open_slab();

    return s == UTET_OK ? utet_slab_read_all(&slab, row, sizeof row) : s;
}

utet_status add_all(void)
{
    utet_status s = open_slab();
    utet_run run;

    if (s != UTET_OK)
        return s;
    for (s = utet_slab_next(&slab, &run); s == UTET_OK; s = utet_slab_next(&slab, &run))
        for (size_t i = 0; i < run.count; i++) {
            float value;
            memcpy(&value, run.data + i * run.stride, sizeof value);
            sum += (double)value;
        }
    return s;
}
