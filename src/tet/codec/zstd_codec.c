/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * The built-in zstd decoder as a codec. Its context, tables, caches and history are in the stream's work memory; it
 * reads the payload through the window. Relies on utet_zstd.h and on the payload calls of utet_codec.h.
 */
#include "utet_codec.h"
#include "../../base/base.h"
#include "../../zstd/zstd_decoder.h"

/* A cache of the decoder takes less than a window: one request, which may bring a part. */
static utet_status payload_read(void *ctx, uint64_t offset, void *buf, size_t len, size_t *got)
{
    utet_stream *s = (utet_stream *)ctx;
    utet_file *file = s->priv.file;
    utet_status status;

    if (len < file->priv.window) {
        status = utet_copy_some(file, (uint8_t *)buf, offset, len);
        *got = file->priv.have;
    } else {
        status = utet_copy_bytes(file, (uint8_t *)buf, offset, len);
        *got = len;
        if (UTET_IS_ERROR(status))
            file->priv.done = 0;
    }
    return status;
}

/* Describes the stream as a job; *io must live as long as the job is used. */
static utet_zstd_job job_of(utet_stream *s, utet_io *io)
{
    const utet_io *const medium = s->priv.file->priv.io;
    utet_zstd_job job;

    /* Member by member: memset is a call that takes longer than all stores. */
    io->ctx = s;
    io->read = payload_read;
    io->cancel = NULL;
    io->map = medium->map;
    io->size = UINT64_MAX; /* the payload is inside the file, which utet_row_check has seen */
    io->step_limit = medium->step_limit;
    io->unit = io->align = io->line = 0;
    job.io = io;
    job.offset = s->priv.offset;
    job.length = s->priv.stored;
    job.size = s->length;
    job.dst = s->priv.whole;
    job.at_most = 0;
    return job;
}

/* In all real files the first header ends the walk, because their window is larger than the chunk. */
static utet_status small_need(utet_stream *s, int exact, utet_need *need)
{
    utet_zstd_job job;
    uint32_t window;
    utet_status status = utet_zs_stream_window(s, exact && s->priv.whole == NULL ? s->length : 0, &window);

    /* the need depends on these; of `io`, only on whether it is mapped */
    job.io = s->priv.file->priv.io;
    job.length = s->priv.stored;
    job.size = s->length;
    job.dst = s->priv.whole;
    if (status != UTET_OK)
        return status;
    if (utet_zstd_need(&job, window, need) != UTET_OK)
        need->least = need->best = UINT64_MAX;
    return UTET_OK;
}

static utet_status note_fault(utet_stream *s, const utet_zstd *z, utet_status status)
{
    if (status == UTET_E_PAYLOAD || status == UTET_E_CHECKSUM ||
        (status <= UTET_E_ZSTD_WINDOW && status >= UTET_E_ZSTD_LEGACY))
        return utet_payload_error(s, z->where, status);
    return status;
}

/* In priv.scratch[0]: the decoder is in the memory. Before that, priv.scratch has the iteration over the headers and
 * its position. */
#define PLACED UINT64_MAX

/* Puts the decoder into the stream's memory. It is a function of its own, so that the stack of its job is free again
 * when the decoder opens. It fails when the row has changed since `need` asked for memory. The decoder continues where
 * `need` has ended its walk: no header is read a second time for the windows. */
static ZS_NOINLINE utet_status put_decoder(utet_stream *s)
{
    utet_io io;
    utet_zstd_job job = job_of(s, &io);
    utet_zstd *z;
    utet_status status = utet_zstd_init(&z, &job, s->priv.work, s->priv.work_len);

    if (status != UTET_OK)
        return status;
    if (job.dst == NULL) /* a destination for the whole chunk needs no windows */
        memcpy(&z->stage.walk, s->priv.scratch, sizeof z->stage.walk);
    s->priv.scratch[0] = PLACED;
    return UTET_OK;
}

static utet_status small_open(utet_stream *s)
{
    utet_zstd *z = (utet_zstd *)(void *)s->priv.work; /* a multiple of 8, see utet.h */

    if (s->priv.scratch[0] != PLACED) {
        utet_status status = put_decoder(s);

        if (status != UTET_OK)
            return status;
    }
    return note_fault(s, z, utet_zstd_open(z));
}

static utet_status small_step(utet_stream *s, size_t want)
{
    utet_zstd *z = (utet_zstd *)(void *)s->priv.work;
    utet_status status = utet_zstd_step(z, want, &s->priv.out, &s->priv.avail);

    return status == UTET_END ? UTET_OK : note_fault(s, z, status);
}

const utet_codec utet_codec_zstd_small = {1, small_need, small_open, small_step, &utet_driver};
