/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The filter zstd, through the built-in decoder (src/zstd), which reads through the file's window. */
#include <stdint.h>

#if SIZE_MAX >= 0xFFFFFFFF /* else nothing is left of this file: utet_tiledb.h says so */

#include "tiledb.h"
#include "utet_zstd.h"

#include <string.h>

/* Is at the beginning of the part's work memory, before the decoder's. */
typedef struct zstd {
    utet_zstd *z;
    utet_io io;
} zstd;

#define ZSTD_SIZE ((sizeof(zstd) + 7u) & ~(size_t)7)

static void tiledb_zstd_need(uint32_t size, int whole, utet_need *out)
{
    static const utet_io pieces = {.unit = 1, .align = 1}; /* not mapped: the larger need */
    utet_zstd_job job = {.io = NULL};
    uint8_t somewhere;

    job.io = &pieces;
    job.length = SIZE_MAX; /* not known yet: more than could be held */
    job.size = size;
    job.dst = whole ? &somewhere : NULL;
    (void)utet_zstd_need(&job, 0, out); /* less than 1 GiB: it cannot fail */
    out->least += ZSTD_SIZE;
    out->best += ZSTD_SIZE;
}

static utet_status read_input(void *ctx, uint64_t offset, void *buffer, size_t length, size_t *got)
{
    const utet_tiledb_part *part = ctx;
    utet_file *file = part->file;
    utet_status status = utet_fetch(file, 1, offset);

    if (status != UTET_OK)
        return status;
    *got = file->priv.have < length ? file->priv.have : length;
    memcpy(buffer, file->priv.at, *got);
    return UTET_OK;
}

static utet_status tiledb_zstd_open_part(const utet_tiledb_part *part)
{
    const utet_io *medium = part->file->priv.io;
    zstd *state = part->work;
    utet_zstd_job job = {.io = NULL};

    memset(state, 0, sizeof *state); /* io.unit, io.align: as if they were 1 */
    state->io.ctx = (void *)(uintptr_t)part;
    state->io.read = read_input;
    state->io.map = medium->map;
    state->io.size = medium->size;
    job.io = &state->io;
    job.offset = part->offset;
    job.length = part->length;
    job.size = part->size;
    job.dst = part->dst;
    return utet_zstd_init(&state->z, &job, (uint8_t *)part->work + ZSTD_SIZE, part->work_len - ZSTD_SIZE);
}

static utet_status tiledb_zstd_step(const utet_tiledb_part *part, size_t want, const uint8_t **ptr, size_t *len)
{
    const zstd *state = part->work;
    utet_file *file = part->file;
    utet_status status = utet_zstd_step(state->z, want, ptr, len);

    if (status == UTET_E_BUDGET)
        return utet_tiledb_wanting(part, utet_zstd_needed(state->z) - (part->work_len - ZSTD_SIZE));
    if (UTET_IS_ERROR(status) && status > UTET_E_PORT && status != UTET_E_SHORT)
        file->error_offset = utet_zstd_error_offset(state->z);
    return status;
}

const utet_tiledb_codec utet_tiledb_zstd = {UTET_TILEDB_ZSTD, tiledb_zstd_need, tiledb_zstd_open_part,
                                            tiledb_zstd_step};

#endif
