/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* See medium.h. */
#include "medium.h"

#include <stdlib.h>
#include <string.h>

static void command(medium *m, uint64_t sector, uint64_t count)
{
    m->commands++;
    m->sectors += count;
    for (uint64_t i = 0; i < count; i++) {
        m->distinct += !m->priv.seen[sector + i];
        m->priv.seen[sector + i] = 1;
    }
}

static void part_of_sector(medium *m, uint64_t sector)
{
    if (m->priv.held == sector + 1)
        return;
    command(m, sector, 1);
    m->priv.held = sector + 1;
}

static utet_status medium_port(void *ctx, uint64_t offset, void *buf, size_t len, size_t *got)
{
    medium *m = ctx;
    const uint64_t end = offset + len;
    uint64_t first = offset / MEDIUM_SECTOR, last = end / MEDIUM_SECTOR; /* whole ones: first to last - 1 */

    if (m->io.unit == 1 && offset % MEDIUM_SECTOR != 0)
        part_of_sector(m, first++);
    if (m->io.unit != 1 && end % MEDIUM_SECTOR != 0)
        last++;
    if (last > first)
        command(m, first, last - first);
    if (last >= first && last * MEDIUM_SECTOR < end)
        part_of_sector(m, last);
    m->requests++;
    m->bytes_read += len;
    memcpy(buf, m->bytes + offset, len);
    *got = len;
    return UTET_OK;
}

void medium_init(medium *m, const void *bytes, uint64_t size, uint16_t unit)
{
    memset(m, 0, sizeof *m);
    m->bytes = bytes;
    m->io.ctx = m;
    m->io.read = medium_port;
    m->io.size = size;
    m->io.unit = unit;
    m->io.align = 1;
    m->priv.seen = calloc((size_t)(size / MEDIUM_SECTOR) + 1, 1);
    if (m->priv.seen == NULL)
        abort();
}

void medium_rewind(medium *m)
{
    m->requests = m->bytes_read = m->commands = m->sectors = m->distinct = m->priv.held = 0;
    memset(m->priv.seen, 0, (size_t)(m->io.size / MEDIUM_SECTOR) + 1);
}

void medium_free(medium *m)
{
    free(m->priv.seen);
}

uint64_t medium_us(const medium *m)
{
    return m->commands * MEDIUM_COMMAND_US + m->sectors * MEDIUM_SECTOR_US;
}

/* ---- reading ---- */

#define REPEAT(status, call) \
    do                       \
        (status) = (call);   \
    while ((status) == UTET_WOULD_BLOCK)

const char *const medium_way_names[MEDIUM_WAYS] = {"slabs", "slices", "loads"};

static void add(uint64_t *sum, const uint8_t *at, size_t size)
{
    for (size_t i = 0; i < size; i++)
        *sum = (*sum ^ at[i]) * 1099511628211u;
}

static void all_of(const utet_dataset *dataset, utet_range ranges[8])
{
    for (unsigned a = 0; a < 8; a++)
        ranges[a] = (utet_range){0, a < dataset->ndim ? dataset->shape[a] : 0, 1};
}

static utet_status read_slabs(utet_file *file, uint64_t *sum)
{
    utet_dataset dataset;
    utet_status status;

    REPEAT(status, utet_dataset_first(file, &dataset));
    while (status == UTET_OK) {
        utet_range ranges[8];
        utet_slab slab;

        all_of(&dataset, ranges);
        REPEAT(status, utet_slab_open(&slab, file, &dataset, ranges));
        if (status == UTET_OK) {
            const size_t size = (size_t)slab.count * dataset.elem_size;
            uint8_t *const to = malloc(size + 1);

            REPEAT(status, to == NULL ? UTET_E_SPACE : utet_slab_read_all(&slab, to, size));
            if (status == UTET_OK)
                add(sum, to, size);
            free(to);
        }
        if (status == UTET_OK)
            REPEAT(status, utet_dataset_next(file, &dataset));
    }
    return status == UTET_END ? UTET_OK : status;
}

static utet_status read_slices(utet_file *file, const utet_chunk *chunk, uint64_t *sum)
{
    utet_stream stream;
    utet_status status;

    REPEAT(status, utet_stream_open(&stream, file, chunk));
    while (status == UTET_OK) {
        static uint8_t slice[512];
        size_t got;

        REPEAT(status, utet_stream_read(&stream, slice, sizeof slice, &got));
        add(sum, slice, got);
    }
    return status == UTET_END ? UTET_OK : status;
}

static utet_status load(utet_file *file, const utet_chunk *chunk, uint64_t *sum)
{
    const size_t size = (size_t)chunk->raw_byte_len;
    uint8_t *const to = malloc(size + 1);
    utet_stream stream;
    utet_status status;

    REPEAT(status, to == NULL ? UTET_E_SPACE : utet_stream_load(&stream, file, chunk, to, size));
    if (status == UTET_OK)
        add(sum, to, size);
    free(to);
    return status;
}

static utet_status read_rows(utet_file *file, medium_way way, uint64_t *sum)
{
    utet_chunk chunk;
    utet_status status;

    REPEAT(status, utet_row_first(file, &chunk));
    while (status == UTET_OK) {
        status = way == MEDIUM_SLICES ? read_slices(file, &chunk, sum) : load(file, &chunk, sum);
        if (status == UTET_OK)
            REPEAT(status, utet_row_next(file, &chunk));
    }
    return status == UTET_END ? UTET_OK : status;
}

utet_status medium_read(const utet_io *io, const utet_codec *codec, medium_way way, void *work, size_t size,
                        uint64_t *sum)
{
    const utet_codec *const codecs[] = {codec, NULL};
    const utet_options options = {.budget = size};
    utet_file file;
    utet_status status = utet_init(&file, io, work, size, codecs);

    *sum = 14695981039346656037u;
    if (status == UTET_OK)
        REPEAT(status, utet_open(&file, &options));
    if (status == UTET_OK)
        status = way == MEDIUM_SLABS ? read_slabs(&file, sum) : read_rows(&file, way, sum);
    return status;
}

/* ---- what it needs ---- */

static void most_of(utet_need *most, const utet_need *need)
{
    if (most->least < need->least)
        most->least = need->least;
    if (most->best < need->best)
        most->best = need->best;
}

static utet_status need_of_slabs(utet_file *file, utet_need *most)
{
    utet_dataset dataset;
    utet_status status;

    REPEAT(status, utet_dataset_first(file, &dataset));
    while (status == UTET_OK) {
        utet_range ranges[8];
        utet_slab slab;

        all_of(&dataset, ranges);
        REPEAT(status, utet_slab_need(&slab, file, &dataset, ranges));
        most_of(most, &slab.need);
        if (status == UTET_OK)
            REPEAT(status, utet_dataset_next(file, &dataset));
    }
    return status == UTET_END ? UTET_OK : status;
}

static utet_status need_of_rows(utet_file *file, int whole, utet_need *most)
{
    utet_chunk chunk;
    utet_status status;

    REPEAT(status, utet_row_first(file, &chunk));
    while (status == UTET_OK) {
        utet_need need = {0, 0};

        REPEAT(status, utet_chunk_need(file, &chunk, whole, &need));
        most_of(most, &need);
        if (status == UTET_OK)
            REPEAT(status, utet_row_next(file, &chunk));
    }
    return status == UTET_END ? UTET_OK : status;
}

utet_status medium_need(const utet_io *io, const utet_codec *codec, medium_way way, void *work, size_t size,
                        utet_need *need)
{
    const utet_codec *const codecs[] = {codec, NULL};
    const utet_options options = {.budget = size};
    utet_file file;
    utet_status status = utet_init(&file, io, work, size, codecs);

    need->least = need->best = 0;
    if (status == UTET_OK)
        REPEAT(status, utet_open(&file, &options));
    if (status == UTET_OK)
        status = way == MEDIUM_SLABS ? need_of_slabs(&file, need) : need_of_rows(&file, way == MEDIUM_LOADS, need);
    return status;
}
