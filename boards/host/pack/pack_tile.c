/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Tiles of a box, gathered and compressed by several threads. zstd comes from the system's library (the library of this
 * project decodes only); built without it (TOOL_NO_ZSTD), tiles stay raw. A tile that zstd does not make smaller is
 * raw; with --checksum all it becomes a frame of raw blocks, so that it also has a checksum. */
#define _XOPEN_SOURCE 700
#include "pack.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#ifndef TOOL_NO_ZSTD
#include <zstd.h>
#endif

typedef struct worker {
    pthread_t thread;
    struct pack_workers *all;
    uint8_t *raw;    /* a tile */
    uint8_t *packed; /* and its compressed bytes */
    size_t packed_size;
    void *zstd;
    int started;
} worker;

struct pack_workers {
    pthread_mutex_t lock;
    pthread_cond_t wake;
    pthread_cond_t done;
    pack_box_job *job; /* the first one of which no thread has taken the last tiles; NULL: there is none */
    int over;
    int codec;
    const pack_options *opt;
    unsigned threads; /* 0: the caller compresses */
    unsigned count;   /* of workers */
    worker *worker;
};

int pack_has_zstd(void)
{
#ifdef TOOL_NO_ZSTD
    return 0;
#else
    return 1;
#endif
}

#ifndef TOOL_NO_ZSTD
static void *make_zstd(int level, int checksum)
{
    ZSTD_CCtx *const z = ZSTD_createCCtx();

    if (z != NULL && (ZSTD_isError(ZSTD_CCtx_setParameter(z, ZSTD_c_compressionLevel, level)) ||
                      ZSTD_isError(ZSTD_CCtx_setParameter(z, ZSTD_c_contentSizeFlag, 1)) ||
                      ZSTD_isError(ZSTD_CCtx_setParameter(z, ZSTD_c_checksumFlag, checksum)))) {
        (void)ZSTD_freeCCtx(z);
        return NULL;
    }
    return z;
}

#define BLOCK ((size_t)128 << 10) /* maximum size of a block, in bytes */
#define FRAME 13u /* bytes of a frame without its blocks: magic, descriptor, content size of 4 bytes, checksum */

static uint8_t *put_le(uint8_t *to, uint64_t value, unsigned bytes)
{
    while (bytes-- > 0) {
        *to++ = (uint8_t)value;
        value >>= 8;
    }
    return to;
}

/* A frame of raw blocks (RFC 8878, 3.1.1) into `packed`; its checksum is there already, as the end of the frame that
 * zstd made of the same data. A content size of 4 bytes, no window: it is the tile. */
static size_t frame_raw(const worker *w, const uint8_t *data, size_t raw, size_t compressed)
{
    uint8_t checksum[4];
    uint8_t *to = w->packed;
    size_t at;

    memcpy(checksum, w->packed + compressed - 4, 4);
    to = put_le(to, 0xFD2FB528u, 4);
    to = put_le(to, 0xA4, 1);
    to = put_le(to, raw, 4);
    for (at = 0; at < raw; at += BLOCK) {
        const size_t size = raw - at < BLOCK ? raw - at : BLOCK;

        to = put_le(to, (uint64_t)size << 3 | (at + size == raw), 3);
        memcpy(to, data + at, size);
        to += size;
    }
    memcpy(to, checksum, 4);
    return (size_t)(to + 4 - w->packed);
}

/* The size that the tile takes in `packed`; 0: it stays raw. The content size is known to zstd, so that no window is
 * larger than the tile. */
static size_t squeeze(const worker *w, const uint8_t *data, size_t raw)
{
    const int all = w->all->opt->checksum == CHECKSUM_ALL;
    const size_t size = ZSTD_compress2(w->zstd, w->packed, w->packed_size, data, raw);

    if (!ZSTD_isError(size) && size < raw && w->all->codec != PACK_RAW)
        return size;
    return all && !ZSTD_isError(size) ? frame_raw(w, data, raw, size) : 0;
}

static size_t frame_bound(size_t raw)
{
    return raw + FRAME + 3 * (raw / BLOCK + 1);
}

static size_t bound(uint64_t raw)
{
    const size_t size = ZSTD_compressBound((size_t)raw) + FRAME;

    return size > frame_bound((size_t)raw) ? size : frame_bound((size_t)raw);
}

static void free_zstd(void *z)
{
    (void)ZSTD_freeCCtx(z);
}
#else
static void *make_zstd(int level, int checksum)
{
    (void)level;
    (void)checksum;
    return 0;
}

static size_t squeeze(const worker *w, const uint8_t *data, size_t raw)
{
    (void)w;
    (void)data;
    (void)raw;
    return 0;
}

static size_t frame_bound(size_t raw)
{
    return raw;
}

static size_t bound(uint64_t raw)
{
    return (size_t)raw;
}

static void free_zstd(void *z)
{
    (void)z;
}
#endif

size_t pack_stored_most(const pack_options *opt, size_t raw)
{
    return opt->checksum == CHECKSUM_ALL ? frame_bound(raw) : raw;
}

uint32_t pack_reader_codec(const pack_options *opt, int codec)
{
    return codec == PACK_RAW && opt->checksum != CHECKSUM_ALL ? UTET_CODEC_RAW : UTET_CODEC_ZSTD;
}

/* The tile's elements, dense, into `to`. */
static void gather(const pack_box_job *job, const pack_tile *tile, uint8_t *to)
{
    const unsigned last = job->ndim - 1;
    const size_t run = (size_t)tile->extent[last] * job->elem_size;
    uint64_t at[UTET_MAX_NDIM] = {0};

    for (;;) {
        uint64_t place = 0;
        unsigned k = last;
        unsigned d;

        for (d = 0; d < job->ndim; d++)
            place = place * job->count[d] + tile->start[d] + at[d];
        memcpy(to, job->box + place * job->elem_size, run);
        to += run;
        while (k > 0 && ++at[k - 1] == tile->extent[k - 1])
            at[--k] = 0;
        if (k == 0)
            return;
    }
}

/* The tile's elements, dense: in the box if they are contiguous there, otherwise gathered. */
static const uint8_t *tile_data(worker *w, const pack_box_job *job, const pack_tile *tile)
{
    uint64_t place = 0;
    unsigned d = 0;

    while (d + 1 < job->ndim && tile->extent[d] == 1)
        d++;
    for (d++; d < job->ndim && tile->extent[d] == job->count[d];)
        d++;
    if (d < job->ndim) {
        gather(job, tile, w->raw);
        return w->raw;
    }
    for (d = 0; d < job->ndim; d++)
        place = place * job->count[d] + tile->start[d];
    return job->box + place * job->elem_size;
}

static void do_tile(worker *w, const pack_box_job *job, pack_tile *tile)
{
    const uint8_t *const data = tile_data(w, job, tile);
    size_t size = 0;

    if (w->zstd != NULL)
        size = squeeze(w, data, tile->raw);
    tile->codec = size > 0 ? UTET_CODEC_ZSTD : UTET_CODEC_RAW;
    tile->stored = size > 0 ? size : tile->raw;
    memcpy(job->arena + tile->place, size > 0 ? w->packed : data, tile->stored);
    tile->sum = pack_sum(job->arena + tile->place, tile->stored);
    if (size > 0 && pack_decodes(w->all->opt, job->ndim, tile->coords))
        tile->sum ^= ~pack_sum(data, tile->raw);
}

#define MOST_BATCH 16 /* tiles that a thread takes at once; fewer where the last one would be waited for */

static size_t batch_of(const struct pack_workers *all, const pack_box_job *job)
{
    const size_t share = job->tile_count / (8 * (size_t)all->threads);

    return share < 1 ? 1 : share < MOST_BATCH ? share : MOST_BATCH;
}

static void *thread_main(void *ctx)
{
    worker *const w = ctx;
    struct pack_workers *const all = w->all;

    (void)pthread_mutex_lock(&all->lock);
    while (!all->over) {
        pack_box_job *const job = all->job;
        size_t batch;
        size_t from;
        size_t end;
        size_t i;

        if (job == NULL) {
            (void)pthread_cond_wait(&all->wake, &all->lock);
            continue;
        }
        batch = batch_of(all, job);
        from = job->next;
        end = job->tile_count - from > batch ? from + batch : job->tile_count;
        job->next = end;
        if (end == job->tile_count)
            all->job = job->following;
        (void)pthread_mutex_unlock(&all->lock);
        for (i = from; i < end; i++)
            do_tile(w, job, &job->tiles[i]);
        (void)pthread_mutex_lock(&all->lock);
        job->left -= end - from;
        if (job->left == 0)
            (void)pthread_cond_signal(&all->done);
    }
    (void)pthread_mutex_unlock(&all->lock);
    return NULL;
}

void pack_workers_start(pack_workers *w, pack_box_job *job)
{
    size_t i;

    for (i = 0; w->threads == 0 && i < job->tile_count; i++)
        do_tile(&w->worker[0], job, &job->tiles[i]);
    job->next = 0;
    job->left = job->tile_count - i;
    job->following = NULL;
    if (job->left == 0)
        return;
    (void)pthread_mutex_lock(&w->lock);
    if (w->job == NULL)
        w->job = job;
    else
        w->job->following = job;
    (void)pthread_cond_broadcast(&w->wake);
    (void)pthread_mutex_unlock(&w->lock);
}

void pack_workers_wait(pack_workers *w, const pack_box_job *job)
{
    (void)pthread_mutex_lock(&w->lock);
    while (job->left > 0)
        (void)pthread_cond_wait(&w->done, &w->lock);
    (void)pthread_mutex_unlock(&w->lock);
}

static int begin_worker(worker *w, uint64_t largest)
{
    const pack_options *const opt = w->all->opt;
    const int codec = w->all->codec; /* raw tiles need no more of zstd than its checksum */

    w->raw = malloc((size_t)largest + 1);
    w->packed_size = bound(largest);
    w->packed = malloc(w->packed_size + 1);
    if (pack_reader_codec(opt, codec) == UTET_CODEC_ZSTD && pack_has_zstd() &&
        (w->zstd = make_zstd(codec == PACK_RAW ? 1 : opt->level, opt->checksum != CHECKSUM_NONE)) == NULL)
        return 0;
    return w->raw != NULL && w->packed != NULL;
}

pack_workers *pack_workers_begin(const pack_options *opt, unsigned threads, uint64_t largest, int codec)
{
    pack_workers *const all = calloc(1, sizeof *all);
    unsigned i;
    int good = 1;

    if (all != NULL)
        all->count = threads > 0 ? threads : 1;
    if (all == NULL || (all->worker = calloc(all->count, sizeof *all->worker)) == NULL) {
        free(all);
        (void)fail(NULL, NULL, NO_OFFSET, "not enough memory");
        return NULL;
    }
    (void)pthread_mutex_init(&all->lock, NULL);
    (void)pthread_cond_init(&all->wake, NULL);
    (void)pthread_cond_init(&all->done, NULL);
    all->codec = codec;
    all->opt = opt;
    all->threads = threads;
    for (i = 0; good && i < all->count; i++) {
        all->worker[i].all = all;
        good = begin_worker(&all->worker[i], largest);
    }
    for (i = 0; good && i < threads; i++) {
        good = pthread_create(&all->worker[i].thread, NULL, thread_main, &all->worker[i]) == 0;
        all->worker[i].started = good;
    }
    if (good)
        return all;
    pack_workers_end(all);
    (void)fail(NULL, NULL, NO_OFFSET, "not enough memory for %u threads with tiles of that size", all->count);
    return NULL;
}

void pack_workers_end(pack_workers *all)
{
    unsigned i;

    if (all == NULL)
        return;
    (void)pthread_mutex_lock(&all->lock);
    all->over = 1;
    (void)pthread_cond_broadcast(&all->wake);
    (void)pthread_mutex_unlock(&all->lock);
    for (i = 0; i < all->count; i++) {
        if (all->worker[i].started)
            (void)pthread_join(all->worker[i].thread, NULL);
        free(all->worker[i].raw);
        free(all->worker[i].packed);
        free_zstd(all->worker[i].zstd);
    }
    free(all->worker);
    free(all);
}
