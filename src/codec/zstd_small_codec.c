/*
 * The small zstd decoder as a codec (§5): its context, tables, caches and history are the
 * stream's work memory, its source is the payload behind the window. Relies on utet_zstd.h
 * and on the payload calls of utet.h; keeps nothing in the stream but where output lies.
 */
#include "zstd_small.h"

static utet_status payload_read(void *ctx, uint64_t offset, void *buf, size_t len, size_t *got)
{
    utet_stream *s = (utet_stream *)ctx;

    *got = len;
    return utet_payload_copy(s, offset - s->priv_offset, buf, len);
}

/* The stream as a job; *io has to live as long as the job is looked at. */
static utet_zstd_job job_of(utet_stream *s, utet_io *io)
{
    utet_zstd_job job;

    memset(io, 0, sizeof *io);
    memset(&job, 0, sizeof job);
    io->ctx = s;
    io->read = payload_read;
    io->map = s->priv_file->priv_io->map;
    io->size = s->priv_offset + s->priv_stored;
    job.io = io;
    job.offset = s->priv_offset;
    job.length = s->priv_stored;
    job.size = s->length;
    job.dst = s->priv_whole;
    return job;
}

/* Headers are walked with priv_scratch[0] = position in the payload and
 * priv_scratch[1] = largest window so far << 2 | these: */
enum { IN_FRAME = 1, CHECKSUM = 2 };

static int in_frame(const utet_stream *s)
{
    return (s->priv_scratch[1] & IN_FRAME) != 0;
}

static utet_status walk_frame(utet_stream *s)
{
    uint64_t left = s->priv_stored - s->priv_scratch[0], seen = s->priv_scratch[1] >> 2;
    size_t some = left < 18u ? (size_t)left : 18u, have;
    const uint8_t *at;
    zs_header h;
    utet_status status = utet_payload_need(s, s->priv_scratch[0], some, left, &at, &have);

    if (status != UTET_OK)
        return status;
    status = utet_zs_header(&h, at, some);
    if (status == UTET_OK && h.bytes > left)
        status = UTET_E_PAYLOAD;
    if (status != UTET_OK)
        return utet_payload_error(s, s->priv_scratch[0], status);
    if (!h.skippable) {
        seen = h.window > seen ? h.window : seen;
        s->priv_scratch[1] = seen << 2 | IN_FRAME | (h.checksum ? CHECKSUM : 0u);
    }
    s->priv_scratch[0] += h.bytes;
    return UTET_OK;
}

static utet_status walk_block(utet_stream *s)
{
    uint64_t left = s->priv_stored - s->priv_scratch[0], size;
    const uint8_t *at;
    size_t have;
    utet_status status;

    if (left < 3u)
        return utet_payload_error(s, s->priv_scratch[0], UTET_E_PAYLOAD);
    status = utet_payload_need(s, s->priv_scratch[0], 3, left, &at, &have);
    if (status != UTET_OK)
        return status;
    size = (at[0] >> 1 & 3u) == 1u ? 1u : zs_block_header(at) >> 3;
    size += 3u;
    if ((at[0] & 1u) != 0) { /* Last_Block */
        size += (s->priv_scratch[1] & CHECKSUM) != 0 ? 4u : 0u;
        s->priv_scratch[1] &= ~(uint64_t)3u;
    }
    if (size > left)
        return utet_payload_error(s, s->priv_scratch[0], UTET_E_PAYLOAD);
    s->priv_scratch[0] += size;
    return UTET_OK;
}

/* The first header ends it with all real files: their window is larger than the chunk. */
static utet_status small_need(utet_stream *s, int exact, utet_need *need)
{
    utet_io io;
    utet_zstd_job job = job_of(s, &io);

    if (s->priv_stored == 0)
        return utet_payload_error(s, 0, UTET_E_PAYLOAD);
    while (exact && job.dst == NULL && s->priv_scratch[1] >> 2 < s->length &&
           (in_frame(s) || s->priv_scratch[0] < s->priv_stored)) {
        utet_status status = in_frame(s) ? walk_block(s) : walk_frame(s);

        if (status != UTET_OK)
            return status;
    }
    if (utet_zstd_need(&job, s->priv_scratch[1] >> 2, need) != UTET_OK)
        need->least = need->best = UINT64_MAX;
    return UTET_OK;
}

static utet_status settle(utet_stream *s, const utet_zstd *z, utet_status status)
{
    if (status == UTET_E_PAYLOAD || status == UTET_E_CHECKSUM ||
        (status <= UTET_E_ZSTD_WINDOW && status >= UTET_E_ZSTD_LEGACY))
        return utet_payload_error(s, z->at, status);
    return status;
}

/* The decoder goes into the stream's memory. Apart from what follows, which the job's stack would lie under. */
static ZS_NOINLINE void put_decoder(utet_stream *s)
{
    utet_io io;
    utet_zstd_job job = job_of(s, &io);
    utet_zstd *z;

    /* Cannot fail: the row lies within the file, and need has asked for that much. */
    (void)utet_zstd_init(&z, &job, s->priv_work, s->priv_work_len);
}

/* priv_scratch[0]: 1 once the decoder stands in the memory. */
static utet_status small_open(utet_stream *s)
{
    utet_zstd *z = (utet_zstd *)(void *)s->priv_work; /* a multiple of 8, see utet.h */

    if (s->priv_scratch[0] == 0) {
        put_decoder(s);
        s->priv_scratch[0] = 1;
    }
    return settle(s, z, utet_zstd_open(z));
}

static utet_status small_step(utet_stream *s, size_t want)
{
    utet_zstd *z = (utet_zstd *)(void *)s->priv_work;
    utet_status status = utet_zstd_step(z, want, &s->priv_out, &s->priv_avail);

    return status == UTET_END ? UTET_OK : settle(s, z, status);
}

const utet_codec utet_codec_zstd_small = {1, small_need, small_open, small_step, &utet_driver};
