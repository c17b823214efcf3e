/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads a selection of any size in dense order and in bounded memory: in bands that are consecutive in the dense array.
 * A band is a number of complete tile rows along the first axis of which single indices fit into the memory, so each
 * chunk is decoded once. If one tile row does not fit, bands are smaller. If it is one tile, decoding continues in the
 * next band; otherwise decoded chunks are kept for it (kept.c).
 *
 * With several threads, each takes the next band and has its own file object, decoder, workspace and buffer. The sink
 * receives the bands in order, and the result is the error of the first band that has one. One thread would find the
 * same error, because bands of several threads end where tiles end. One thread decodes bands that share tiles. If
 * decoding continues in the next band, a second thread gives decoded bands to the sink meanwhile. The decoder stays in
 * one thread, because its memory would move from processor to processor with it.
 */
#define _POSIX_C_SOURCE 200809L
#include "kept.h"
#include "tool.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define GOOD_BAND ((uint64_t)4 << 20)  /* bytes of a band within a tile, and the work that is worth a thread */
#define GOOD_ROWS ((uint64_t)2 << 20)  /* bytes of a band of several tile rows: it stays in the processor's cache */
#define MOST_BAND ((uint64_t)64 << 20) /* bytes allowed for a tile row */
#define LEAST_BAND ((uint64_t)64 << 10)
#define GOOD_BANDS ((uint64_t)32 << 20) /* memory for the bands of all threads, unless tile rows are larger */

typedef struct plan {
    const selection *selected;
    unsigned axis; /* axis along which bands are cut; of the axes before it, a band has one index */
    uint64_t each; /* size of one index along the axis, in bytes */
    uint64_t most; /* indices of a band */
    int again;     /* bands share tiles */
    int follows;   /* a band begins where the previous one ends in their tile */
    unsigned threads;
} plan;

/* The position of the next band. */
typedef struct cursor {
    uint64_t outer[UTET_MAX_NDIM]; /* indices of the axes before the axis of bands */
    uint64_t place;
    int over;
} cursor;

typedef struct band {
    utet_range ranges[UTET_MAX_NDIM];
    uint64_t places; /* number of indices along the axis of bands */
} band;

/* The threads at work on a selection. */
typedef struct team {
    source *s; /* source of the first thread */
    const plan *p;
    band_sink sink;
    void *ctx;
    progress line; /* used, like `done`, only by the thread whose band is next */
    uint64_t done; /* bytes */
    pthread_mutex_t lock;
    pthread_cond_t turned;
    cursor at;
    uint64_t taken; /* bands */
    uint64_t turn;  /* number of the band that the sink receives next */
    int result;     /* any value except TOOL_OK stops all threads */
} team;

/* Two buffers: the decoding thread fills one while the other one is given to the sink. */
typedef struct relay {
    team *all;
    uint8_t *buffers[2];
    size_t bytes[2];
    uint64_t decoded; /* bands */
    int over;         /* no further band will be decoded */
} relay;

/* Returns the size of one index of `axis` in bytes; saturates. */
static uint64_t place_bytes(const plan *p, unsigned axis)
{
    uint64_t bytes = p->selected->dataset.elem_size;
    unsigned d;

    for (d = axis + 1; d < p->selected->dataset.ndim; d++)
        bytes = p->selected->shape[d] > UINT64_MAX / bytes ? UINT64_MAX : bytes * p->selected->shape[d];
    return bytes;
}

/* Returns a size for bands, in bytes, at most `good`, with which there is a band for each thread. */
static uint64_t enough(const plan *p, unsigned threads, uint64_t good)
{
    const uint64_t share = p->selected->count * p->selected->dataset.elem_size / threads;
    const uint64_t most = GOOD_BANDS / threads < good ? GOOD_BANDS / threads : good;

    return share < most ? share : most;
}

/* Returns the number of bands, at most `most`. */
static uint64_t bands(const plan *p, uint64_t most)
{
    uint64_t count = (p->selected->shape[p->axis] - 1) / p->most + 1;
    unsigned d;

    for (d = 0; d < p->axis && count < most; d++)
        count *= p->selected->shape[d] < most ? p->selected->shape[d] : most;
    return count < most ? count : most;
}

/* Computes the number of threads that have work, and that memory suffices for. */
static void divide(plan *p, const source *s, uint64_t bound)
{
    p->threads = p->again ? 1 : (unsigned)bands(p, s->threads == 0 ? 1 : s->threads);
    while (p->threads > 1 &&
           (p->most * p->each > bound / p->threads || s->work_length > TOOL_MOST_WORKSPACE / p->threads))
        p->threads--;
}

/* Returns 1 if each row of the selection is in one tile. */
static int has_wide_tiles(const selection *selected)
{
    unsigned d;

    for (d = 1; d < selected->dataset.ndim; d++) {
        const utet_range *const range = &selected->ranges[d];
        const uint64_t extent = selected->dataset.chunk_shape[d];

        if (range->start / extent != (range->stop - 1) / extent)
            return 0;
    }
    return 1;
}

/* Computes the size of a band. The dataset is not empty. */
static void measure(plan *p, const source *s, uint64_t bound)
{
    const unsigned threads = s->threads > 1 ? s->threads : 1;
    const utet_range *range;
    uint64_t row;  /* indices of a tile row */
    uint64_t good; /* indices of a band */
    unsigned d;

    p->follows = has_wide_tiles(p->selected);
    p->axis = 0;
    while ((p->each = place_bytes(p, p->axis)) > bound)
        p->axis++;
    range = &p->selected->ranges[p->axis];
    row = (p->selected->dataset.chunk_shape[p->axis] - 1) / range->step + 1;
    if (row > p->selected->shape[p->axis])
        row = p->selected->shape[p->axis];
    good = enough(p, threads, row > bound / p->each ? GOOD_BAND : GOOD_ROWS) / p->each;
    if (row > bound / p->each)
        p->most = p->follows && good > 0 ? good : bound / p->each;
    else
        p->most = good > row ? good : row;
    if (p->most > p->selected->shape[p->axis])
        p->most = p->selected->shape[p->axis];
    p->again = row > p->most;
    for (d = 0; d < p->axis; d++)
        p->again |= p->selected->dataset.chunk_shape[d] > 1 && p->selected->shape[d] > 1;
    divide(p, s, bound);
}

static uint8_t *band_buffer(const plan *p)
{
    return malloc((size_t)(p->most * p->each));
}

/* Allocates the buffer of a band; halves the bound until the allocation succeeds. NULL after an error line. */
static uint8_t *get_buffer(plan *p, const source *s)
{
    const long pages = sysconf(_SC_PHYS_PAGES);
    const long page = sysconf(_SC_PAGESIZE);
    uint64_t bound = MOST_BAND;

    while (bound > LEAST_BAND && pages > 0 && page > 0 && bound / 4096 > (uint64_t)pages * (uint64_t)page / 8 / 4096)
        bound /= 2;
    for (; bound >= LEAST_BAND; bound /= 2) {
        uint8_t *buffer;

        measure(p, s, bound);
        buffer = band_buffer(p);
        if (buffer != NULL)
            return buffer;
    }
    (void)fail(s->path, NULL, NO_OFFSET, "not enough memory");
    return NULL;
}

/* Returns the end of the band that begins at this index: the border of a tile if possible. */
static uint64_t band_end(const plan *p, uint64_t place)
{
    const utet_range *range = &p->selected->ranges[p->axis];
    const uint64_t extent = p->selected->dataset.chunk_shape[p->axis];
    uint64_t end = place + p->most;
    uint64_t border;
    uint64_t aligned;

    if (end >= p->selected->shape[p->axis])
        return p->selected->shape[p->axis];
    border = (range->start + end * range->step) / extent * extent;
    if (border <= range->start)
        return end;
    aligned = (border - range->start - 1) / range->step + 1; /* first index at or beyond it */
    return aligned > place ? aligned : end;
}

/* Advances to the next combination of indices before the axis; returns 0 after the last one. */
static int next_outer(const plan *p, uint64_t *outer)
{
    unsigned d = p->axis;

    while (d-- > 0) {
        if (++outer[d] < p->selected->shape[d])
            return 1;
        outer[d] = 0;
    }
    return 0;
}

/* Advances to the next band; returns 0 after the last one. */
static int next_band(const plan *p, cursor *at, band *b)
{
    const utet_range *whole = p->selected->ranges;
    uint64_t end;
    unsigned d;

    if (at->over)
        return 0;
    memcpy(b->ranges, whole, sizeof b->ranges);
    for (d = 0; d < p->axis; d++) {
        b->ranges[d].start = whole[d].start + at->outer[d] * whole[d].step;
        b->ranges[d].stop = b->ranges[d].start + 1;
        b->ranges[d].step = 1;
    }
    whole += p->axis;
    end = band_end(p, at->place);
    b->ranges[p->axis].start = whole->start + at->place * whole->step;
    b->ranges[p->axis].stop = whole->start + (end - 1) * whole->step + 1;
    b->places = end - at->place;
    at->place = end;
    if (end == p->selected->shape[p->axis]) {
        at->place = 0;
        at->over = !next_outer(p, at->outer);
    }
    return 1;
}

/* `slab`: that of the previous band, or all zero. */
static utet_status decode(source *s, const plan *p, const band *b, utet_slab *slab, uint8_t *buffer, size_t bytes)
{
    utet_status status = UTET_E_STATE; /* the result for a slab that has never been opened */

    kept_band(s->decoded, p->again && !p->follows);
    if (!p->again && direct_band(s, &p->selected->dataset, b->ranges, buffer))
        return UTET_OK;
    if (p->again && p->follows)
        status = utet_slab_move(slab, b->ranges);
    if (status == UTET_E_STATE)
        status = utet_slab_open(slab, &s->file, &p->selected->dataset, b->ranges);
    return status == UTET_OK ? utet_slab_read_all(slab, buffer, bytes) : status;
}

/* ---- threads ---- */

/* Takes the next band and its number; returns 0 if no band is left, or another thread has had an error. */
static int take(team *all, band *b, uint64_t *number)
{
    int taken;

    (void)pthread_mutex_lock(&all->lock);
    taken = all->result == TOOL_OK && next_band(all->p, &all->at, b);
    *number = all->taken;
    if (taken)
        all->taken++;
    (void)pthread_mutex_unlock(&all->lock);
    return taken;
}

/* Returns 0 if an earlier band has an error. */
static int await_turn(team *all, uint64_t number)
{
    int good;

    (void)pthread_mutex_lock(&all->lock);
    while (all->result == TOOL_OK && all->turn != number)
        (void)pthread_cond_wait(&all->turned, &all->lock);
    good = all->result == TOOL_OK;
    (void)pthread_mutex_unlock(&all->lock);
    return good;
}

static void end_turn(team *all, int result)
{
    (void)pthread_mutex_lock(&all->lock);
    all->result = result;
    all->turn++;
    (void)pthread_cond_broadcast(&all->turned);
    (void)pthread_mutex_unlock(&all->lock);
}

/* Gives the band whose turn it is to the sink, or prints its error. */
static void deliver(team *all, source *s, utet_status status, const uint8_t *buffer, size_t bytes)
{
    const int result = status == UTET_OK ? all->sink(all->ctx, buffer, bytes / all->p->selected->dataset.elem_size)
                                         : source_fail(s, status);

    all->done += bytes;
    progress_at(&all->line, all->done);
    end_turn(all, result);
}

static void read_bands(team *all, source *s, uint8_t *buffer)
{
    uint64_t number;
    utet_slab slab;
    band b;

    memset(&slab, 0, sizeof slab);
    while (take(all, &b, &number)) {
        const size_t bytes = (size_t)(b.places * all->p->each);
        const utet_status status = decode(s, all->p, &b, &slab, buffer, bytes);

        if (!await_turn(all, number))
            return;
        deliver(all, s, status, buffer, bytes);
    }
}

/* The body of a thread. If it cannot open the file or has no memory, it leaves all bands to the other threads. */
static void *further_thread(void *context)
{
    team *const all = context;
    uint8_t *const buffer = band_buffer(all->p);
    source s;

    if (source_again(&s, all->s, &all->p->selected->dataset, all->p->threads) && buffer != NULL)
        read_bands(all, &s, buffer);
    source_end(&s);
    free(buffer);
    return NULL;
}

/* ---- a thread for the sink ---- */

/* Returns 0 if no further band comes, or an error has occurred. */
static int await_decoded(relay *r, uint64_t number)
{
    team *const all = r->all;
    int comes;

    (void)pthread_mutex_lock(&all->lock);
    while (all->result == TOOL_OK && !r->over && r->decoded == number)
        (void)pthread_cond_wait(&all->turned, &all->lock);
    comes = all->result == TOOL_OK && r->decoded != number;
    (void)pthread_mutex_unlock(&all->lock);
    return comes;
}

static void *sink_thread(void *context)
{
    relay *const r = context;
    uint64_t number;

    for (number = 0; await_decoded(r, number); number++)
        deliver(r->all, r->all->s, UTET_OK, r->buffers[number % 2], r->bytes[number % 2]);
    return NULL;
}

/* Waits until the buffer of the band is free; returns 0 after an error of the sink. */
static int await_buffer(team *all, uint64_t number)
{
    int good;

    (void)pthread_mutex_lock(&all->lock);
    while (all->result == TOOL_OK && number - all->turn >= 2)
        (void)pthread_cond_wait(&all->turned, &all->lock);
    good = all->result == TOOL_OK;
    (void)pthread_mutex_unlock(&all->lock);
    return good;
}

static void pass_decoded(relay *r, int over)
{
    (void)pthread_mutex_lock(&r->all->lock);
    r->over = over;
    r->decoded += !over;
    (void)pthread_cond_broadcast(&r->all->turned);
    (void)pthread_mutex_unlock(&r->all->lock);
}

/* Decodes all bands for the thread of the sink. The error of a band is printed when the bands before it are written. */
static void decode_bands(relay *r)
{
    team *const all = r->all;
    uint64_t number;
    utet_slab slab;
    band b;

    memset(&slab, 0, sizeof slab);
    while (take(all, &b, &number) && await_buffer(all, number)) {
        uint8_t *const buffer = r->buffers[number % 2];
        const size_t bytes = (size_t)(b.places * all->p->each);
        const utet_status status = decode(all->s, all->p, &b, &slab, buffer, bytes);

        r->bytes[number % 2] = bytes;
        if (status == UTET_OK)
            pass_decoded(r, 0);
        else if (await_turn(all, number))
            deliver(all, all->s, status, buffer, bytes);
    }
    pass_decoded(r, 1);
}

/* Returns 0 if bands do not continue in one tile, or there is neither a second thread nor memory for it. */
static int relay_bands(team *all, uint8_t *buffer)
{
    const plan *const p = all->p;
    relay r = {.all = all, .buffers = {buffer, NULL}};
    pthread_t thread;
    int started;

    if (all->s->threads < 2 || !p->again || !p->follows || bands(p, 2) < 2 || p->most * p->each > GOOD_BANDS / 2 ||
        (r.buffers[1] = band_buffer(p)) == NULL)
        return 0;
    started = pthread_create(&thread, NULL, sink_thread, &r) == 0;
    if (started) {
        decode_bands(&r);
        (void)pthread_join(thread, NULL);
    }
    free(r.buffers[1]);
    return started;
}

static void read_together(team *all, uint8_t *buffer)
{
    pthread_t threads[TOOL_MOST_THREADS];
    unsigned count = 0;

    kept_share(all->s->decoded, all->p->threads);
    while (count + 1 < all->p->threads && pthread_create(&threads[count], NULL, further_thread, all) == 0)
        count++;
    read_bands(all, all->s, buffer);
    while (count > 0)
        (void)pthread_join(threads[--count], NULL);
}

int bands_each(source *s, const selection *selected, band_sink sink, void *ctx)
{
    plan p = {.selected = selected};
    team all = {.s = s, .p = &p, .sink = sink, .ctx = ctx, .result = TOOL_OK};
    uint8_t *buffer;

    if (selected->count == 0)
        return TOOL_OK;
    buffer = get_buffer(&p, s);
    if (buffer == NULL)
        return TOOL_ERROR;
    (void)pthread_mutex_init(&all.lock, NULL);
    (void)pthread_cond_init(&all.turned, NULL);
    progress_begin(&all.line, "reading", selected->count * selected->dataset.elem_size);
    if (!relay_bands(&all, buffer))
        read_together(&all, buffer);
    progress_end(&all.line);
    (void)pthread_cond_destroy(&all.turned);
    (void)pthread_mutex_destroy(&all.lock);
    free(buffer);
    return all.result;
}

void bands_threads(source *s, const options *opt, const selection *selected)
{
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    const uint64_t worth = selected->count / (GOOD_BAND / selected->dataset.elem_size) + 1;

    s->threads = opt->threads;
    if (budget_given(opt) || processors < 1) /* --budget limits one thread */
        s->threads = 1;
    else if (s->threads == 0)
        s->threads = (uint64_t)processors < worth ? (unsigned)processors : (unsigned)worth;
    if (s->threads > TOOL_MOST_THREADS)
        s->threads = TOOL_MOST_THREADS;
}
