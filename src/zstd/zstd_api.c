/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * The public interface of include/utet_zstd.h: a job begins, its output comes in slices or as a whole.
 */
#include "zstd_decoder.h"

/* An error sticks. */
static utet_status zs_keep(utet_zstd *z, utet_status status)
{
    if (UTET_IS_ERROR(status))
        z->status = status;
    return status;
}

/* Back to the payload's first frame. If its header was the last one that was read, it is kept. */
static ZS_NOINLINE void rewind_source(utet_zstd *z)
{
    if (z->where != 0)
        z->hold_have = 0;
    z->where = 0;
    utet_zs_advance(z, 0, ZS_P_FRAME);
}

/* Walks from header to header until a window is as large as all of the output, or all frames have been seen. */
static utet_status zs_scan(utet_zstd *z)
{
    zs_walk *const walk = &z->stage.walk;
    uint32_t turns = z->step_limit;

    while (walk->window < z->total_left && (walk->in_frame || walk->position < z->length)) {
        utet_status status;

        if (walk->position - z->where > UINT32_MAX / 2u)
            z->hold_have = 0; /* its position is kept modulo 2^32 */
        z->where = walk->position;
        utet_zs_advance(z, 0, ZS_P_FRAME);
        status = utet_zs_peek(z, (uint32_t)utet_zs_walk_wants(walk, z->length));
        if (status == UTET_OK)
            status = utet_zs_walk_on(walk, z->length, z->head, z->have);
        if (status != UTET_OK)
            return status;
        if (--turns == 0)
            return UTET_WOULD_BLOCK;
    }
    return UTET_OK;
}

utet_status utet_zstd_open(utet_zstd *z)
{
    if (z->status != UTET_OK || z->opened)
        return z->status;
    if (!zs_whole(z)) {
        utet_status status;

        if (z->stage.walk.position == 0 && utet_zs_choose(z) == UTET_OK)
            return UTET_OK;
        status = zs_scan(z);
        /* the bytes before a damaged header are decoded all the same */
        if (status != UTET_OK && (status != UTET_E_PAYLOAD || z->stage.walk.window == 0))
            return zs_keep(z, status);
        if (z->stage.walk.window == 0)
            z->stage.walk.window = 1;
        rewind_source(z);
    }
    return zs_keep(z, utet_zs_choose(z));
}

/* A job that is refused changes nothing. */
static utet_status zs_begin(utet_zstd *z, const utet_zstd_job *job)
{
    const utet_io *io = job->io;

    if (io == NULL || (io->map == NULL && (!UTET_ZSTD_READ || io->read == NULL)) ||
        (!UTET_ZSTD_SLICES && job->dst == NULL) || io->unit > 1u || io->align > 1u || job->offset > io->size ||
        job->length > io->size - job->offset)
        return UTET_E_ARGUMENT;
    if (job->size > SIZE_MAX / 2u)
        return UTET_E_SPACE;
    z->length = job->length;
    z->offset = job->offset;
    z->total_left = job->size;
    z->at_most = job->at_most;
    z->status = job->length != 0 ? UTET_OK : UTET_E_PAYLOAD;
    z->opened = z->blocked = 0;
    z->ll = z->ml = 0;
    z->step_limit = io->step_limit;
    z->stage.walk.position = 0;
    z->stage.walk.window = 0;
    z->stage.walk.in_frame = 0;
    z->stage.walk.checksum = 0;
    z->whole = job->dst != NULL;
    z->buf = job->dst;
    z->buf_size = (size_t)job->size;
    z->read = io->read;
    z->ctx = io->ctx;
    z->map = io->map != NULL ? io->map + (size_t)job->offset : NULL;
    z->lit.cache = ((zs_packed *)(void *)z)->list.symbol; /* until memory is divided */
    z->hold_have = 0;
    z->where = 0; /* as utet_zs_advance */
    z->rel = 0;
    z->size = job->length >> 32 != 0 ? 0xffffffffu : (uint32_t)job->length;
    z->phase = ZS_P_FRAME;
    return UTET_OK;
}

utet_status utet_zstd_init(utet_zstd **z, const utet_zstd_job *job, void *work, size_t work_len)
{
    const size_t lost = ZS_GAP(work); /* the decoder begins at a multiple of 8 */
    utet_zstd *made;

    if (z == NULL || job == NULL || work == NULL)
        return UTET_E_ARGUMENT;
    if (work_len < lost + zs_fixed(UTET_ZSTD_PACKED))
        return UTET_E_BUDGET;
    *z = made = (utet_zstd *)(void *)((uint8_t *)work + lost);
    made->work_len = work_len - lost;
    made->lost = (uint8_t)lost;
    /* What may be read before it is written, and what is between. To clear everything would take 200 instructions. */
    made->phase = made->lit_type = made->have = made->log[ZS_LL] = 0;
    made->log[ZS_OF] = made->log[ZS_ML] = made->shift = made->tree_bits = 0;
    made->deep = made->packed = made->modes = made->predefined = 0;
    made->whole = made->frame.unverified = 0;
    made->hold_at = made->block_left = 0;
    made->out = made->given = made->seq.cache = NULL;
    made->where = made->offset = 0;
    made->status = UTET_E_ARGUMENT; /* every call returns this if the job is refused */
    return zs_begin(made, job);
}

utet_status utet_zstd_reset(utet_zstd *z, const utet_zstd_job *job)
{
    return zs_begin(z, job);
}

/* A slice of at most `want` bytes, which begins where the last one ended. An interrupted slice
 * continues instead, whatever `want` is now, because requests to the source must repeat. */
static utet_status zs_slice(utet_zstd *z, size_t want)
{
    utet_status status;
    const uint8_t *from;

    if (!z->blocked) {
        size_t n;

        if (!zs_whole(z) && z->given == z->buf + z->buf_size)
            z->out = z->mark = z->given = z->buf;
        n = (size_t)(z->buf + z->buf_size - z->out);
        if (UTET_ZSTD_SLICES && n > want)
            n = want;
        if (n > z->total_left)
            n = (size_t)z->total_left;
        z->end = z->out + n;
        utet_zs_set_stop(z);
    }
    from = z->out;
    status = utet_zs_run(z);
    z->blocked = status == UTET_WOULD_BLOCK;
    utet_zs_account(z);
    if (status == UTET_OK && z->out == from)
        status = UTET_WOULD_BLOCK; /* no request is pending: the next call may begin another slice */
    else if (status == ZS_FULL)
        status = z->total_left != 0 ? UTET_OK : z->at_most ? UTET_E_SPACE : UTET_E_PAYLOAD;
    else if (status == UTET_END)
        status = z->total_left == 0 || z->at_most ? UTET_OK : UTET_E_PAYLOAD;
    return zs_keep(z, status);
}

utet_status utet_zstd_step(utet_zstd *z, size_t want, const uint8_t **ptr, size_t *len)
{
    utet_status status = want != 0 ? utet_zstd_open(z) : UTET_E_ARGUMENT;

    *len = 0;
    *ptr = z->given;
    while (status == UTET_OK) {
        size_t give = (size_t)(z->out - z->given);

        if (z->total_left == 0 && z->phase != ZS_P_END && give != 0)
            give--; /* the last byte waits for the end of the payload */
        /* A pending request is repeated before anything else; so no call may end here. */
        if (give != 0 && !z->blocked) {
            *ptr = z->given;
            *len = give < want ? give : want;
            z->given += *len;
            break;
        }
        status = z->phase == ZS_P_END ? UTET_END : zs_slice(z, want);
    }
    return status;
}

utet_status utet_zstd_read(utet_zstd *z, void *buffer, size_t size, size_t *got)
{
    uint8_t *to = (uint8_t *)buffer;

    *got = 0;
    if (size == 0)
        return UTET_E_ARGUMENT;
    while (*got < size) {
        const uint8_t *from;
        size_t n;
        utet_status status = utet_zstd_step(z, size - *got, &from, &n);

        if (status != UTET_OK)
            return status == UTET_END && *got != 0 ? UTET_OK : status;
        memcpy(to + *got, from, n);
        *got += n;
    }
    return UTET_OK;
}

utet_status utet_zstd_decode(utet_zstd *z)
{
    utet_status status;

    if (!zs_whole(z))
        return UTET_E_ARGUMENT;
    status = utet_zstd_open(z);
    while (status == UTET_OK && z->phase != ZS_P_END)
        status = zs_slice(z, SIZE_MAX);
    z->given = z->out;
    return status;
}

uint64_t utet_zstd_needed(const utet_zstd *z)
{
    return z->status == UTET_E_BUDGET ? z->stage.needed : 0;
}

uint64_t utet_zstd_error_offset(const utet_zstd *z)
{
    return z->offset + z->where;
}

int utet_zstd_unverified(utet_zstd *z)
{
    const int first = !UTET_ZSTD_CHECKSUM && z->frame.unverified == 1u;

    if (first)
        z->frame.unverified = 3;
    return first;
}
