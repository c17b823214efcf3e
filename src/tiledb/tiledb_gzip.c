/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The filter that is called gzip: zlib streams (§2.3), through the decoder of src/inflate. */
#include <stdint.h>

#if SIZE_MAX >= 0xFFFFFFFF /* else nothing is left of this file: utet_tiledb.h says so */

#include "tiledb.h"
#include "utet_inflate.h"

/* Is at the beginning of the part's work memory, before the history. */
typedef struct tiledb_gzip_state {
    utet_inflate z;
} tiledb_gzip_state;

#define GZIP_SIZE ((sizeof(tiledb_gzip_state) + 7u) & ~(size_t)7)
enum { ZLIB_HEADER = 2 };

static void tiledb_gzip_need(uint32_t size, int whole, utet_need *out)
{
    out->least = GZIP_SIZE;
    if (!whole)
        out->least += size < UTET_INFLATE_WINDOW_MAX ? size : UTET_INFLATE_WINDOW_MAX;
    out->best = out->least;
}

static utet_status tiledb_gzip_fetch(void *ctx, uint32_t position, const uint8_t **at, size_t *have)
{
    const utet_tiledb_part *part = ctx;
    utet_file *file = part->file;
    utet_status status = utet_fetch(file, 1, part->offset + position);

    *at = file->priv.at;
    *have = file->priv.have;
    return status;
}

/* So many bytes of history are wanted. */
static utet_status too_little(const utet_tiledb_part *part, uint32_t wanted)
{
    return utet_tiledb_wanting(part, wanted - (part->work_len - GZIP_SIZE));
}

static utet_status tiledb_gzip_open_part(const utet_tiledb_part *part)
{
    utet_file *file = part->file;
    utet_inflate_job job = {.fetch = NULL};
    uint32_t wanted = 0;

    job.fetch = tiledb_gzip_fetch;
    job.ctx = (void *)(uintptr_t)part;
    job.length = part->length;
    job.size = part->size;
    job.step_limit = file->priv.io->step_limit;
    job.buffer = part->dst;
    job.capacity = part->size;
    if (part->dst == NULL) {
        utet_status status;

        file->error_offset = part->offset;
        if (part->length < ZLIB_HEADER)
            return UTET_E_PAYLOAD;
        status = utet_fetch(file, ZLIB_HEADER, part->offset);
        if (status == UTET_OK)
            status = utet_inflate_need(file->priv.at, part->size, &wanted);
        if (status != UTET_OK)
            return status;
        job.buffer = (uint8_t *)part->work + GZIP_SIZE;
        job.capacity = part->work_len - GZIP_SIZE;
        if (wanted > job.capacity)
            return too_little(part, wanted);
        if (job.capacity > part->size)
            job.capacity = part->size;
    }
    return utet_inflate_init(&((tiledb_gzip_state *)part->work)->z, &job);
}

static utet_status tiledb_gzip_step(const utet_tiledb_part *part, size_t want, const uint8_t **ptr, size_t *len)
{
    utet_inflate *z = &((tiledb_gzip_state *)part->work)->z;
    utet_status status = utet_inflate_step(z, want, ptr, len);

    switch (status) {
    case UTET_E_BUDGET:
        return too_little(part, part->size < UTET_INFLATE_WINDOW_MAX ? part->size : UTET_INFLATE_WINDOW_MAX);
    case UTET_E_SPACE: /* more bytes than the part's table says */ status = UTET_E_PAYLOAD; break;
    case UTET_E_PAYLOAD:
    case UTET_E_CHECKSUM: break;
    default: return status;
    }
    part->file->error_offset = part->offset + utet_inflate_error_offset(z);
    return status;
}

const utet_tiledb_codec utet_tiledb_gzip = {UTET_TILEDB_GZIP, tiledb_gzip_need, tiledb_gzip_open_part,
                                            tiledb_gzip_step};

#endif
