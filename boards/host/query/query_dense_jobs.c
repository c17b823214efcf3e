/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Computes a transform with several threads, each with its own file object, decoder and workspace. If an axis is kept,
 * each thread transforms a range of it, with the statistics of that range. Otherwise each thread computes the
 * statistics of the complete selection, and writes a part of the elements.
 *
 * Statistics are exact sums and extremes, so the results have the same bits as with one thread. After an error, or if a
 * thread or memory is missing, one thread computes everything, and finds the error that it always finds.
 *
 * One thread is used with --budget, which limits the complete command, with --by and label filters, and for small
 * selections.
 */
#define _POSIX_C_SOURCE 200809L
#include "query.h"
#include "shared/kept.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WORTH ((uint64_t)1 << 20)       /* bytes of elements for each further thread without -j */
#define MOST_COPIED ((uint64_t)1 << 30) /* maximum size of the elements that threads write to memory of their own */

typedef struct dense_job {
    struct dense_jobs *all;
    source *s; /* `own`, or that of the answer for the main thread */
    source own;
    utet_io inner; /* the read function of the port; the wrapper stops when another thread has failed */
    uint64_t from; /* first index along the axis, or first element */
    uint64_t count;
    utet_range ranges[UTET_MAX_NDIM];
    utet_transform transform;
    undefined_list undefined;
    uint8_t *elements;  /* memory of this thread; NULL: it writes to the result itself */
    double *statistics; /* the same */
    pthread_t thread;
    int opened;
    int begun;
    utet_status status;
} dense_job;

typedef struct dense_jobs {
    const answer *a;
    const utet_transform *whole;
    const utet_transform_into *into;
    unsigned axis;   /* the axis that is divided; ndim: the elements are divided */
    uint64_t extent; /* indices along it */
    /* One index of the axis: its elements, and the indices before the axis. The same for the statistics. */
    uint64_t inner;
    uint64_t outer;
    uint64_t known_inner;
    uint64_t known_outer;
    pthread_mutex_t lock;
    int failed;
    unsigned count;
    dense_job job[]; /* the first one is that of the main thread */
} dense_jobs;

/* ---- the parts ---- */

/* The file is read several times. */
static void keep_payloads(const source *s, unsigned count)
{
    kept_always(s->decoded);
    kept_share(s->decoded, count);
    kept_band(s->decoded, 0);
}

static int is_kept(const answer *a, unsigned d)
{
    return (a->plan.request.axes >> d & 1) == 0;
}

/* Returns the number of tiles along the axis that have selected indices. */
static uint64_t tiles_of(const answer *a, unsigned d)
{
    const utet_range *range = &a->plan.ranges[d];
    const uint64_t extent = a->plan.dataset.chunk_shape[d];
    const uint64_t last = range->start + (a->plan.extents[d] - 1) * range->step;

    if (range->step >= extent)
        return a->plan.extents[d];
    return last / extent - range->start / extent + 1;
}

/* Chooses the first axis with a tile for each thread, otherwise the one with the most tiles. */
static void choose_axis(dense_jobs *all, uint64_t parts)
{
    const answer *const a = all->a;
    const unsigned ndim = a->plan.dataset.ndim;
    uint64_t most = 0;
    unsigned d;

    all->axis = ndim;
    for (d = 0; d < ndim && most < parts; d++) {
        const uint64_t tiles = tiles_of(a, d);

        if (!is_kept(a, d) || a->plan.extents[d] < parts || tiles <= most)
            continue;
        most = tiles;
        all->axis = d;
    }
    all->extent = all->axis < ndim ? a->plan.extents[all->axis] : all->whole->count;
    all->inner = 1;
    all->outer = 1;
    all->known_inner = 1;
    all->known_outer = 1;
    for (d = 0; d < ndim && all->axis < ndim; d++) {
        uint64_t *const elements = d < all->axis ? &all->outer : &all->inner;
        uint64_t *const known = d < all->axis ? &all->known_outer : &all->known_inner;

        if (d == all->axis)
            continue;
        *elements *= a->plan.extents[d];
        if (is_kept(a, d))
            *known *= a->plan.extents[d];
    }
    if (all->axis < ndim) /* several statistics of a cell */
        all->known_inner = all->whole->fold.results / all->known_outer / all->extent;
}

/* Returns the number of the first index, or element, of a part. */
static uint64_t part_begin(const dense_jobs *all, uint64_t part, uint64_t parts)
{
    const answer *const a = all->a;
    const uint64_t even = all->extent / parts * part + all->extent % parts * part / parts;
    const utet_range *range;
    uint64_t extent;
    uint64_t tiles;
    uint64_t border;

    if (all->axis == a->plan.dataset.ndim || part == 0 || part == parts)
        return even;
    range = &a->plan.ranges[all->axis];
    extent = a->plan.dataset.chunk_shape[all->axis];
    tiles = tiles_of(a, all->axis);
    if (tiles < parts || range->step >= extent)
        return even;
    border = (range->start / extent + tiles / parts * part + tiles % parts * part / parts) * extent;
    return border <= range->start ? 0 : (border - range->start - 1) / range->step + 1;
}

/* Returns the number of parts. */
static uint64_t parts_of(const answer *a, const utet_transform *whole)
{
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    uint64_t parts = a->opt->threads;

    if (budget_given(a->opt) || a->plan.grouped || whole->count == 0)
        return 1;
    if (parts == 0) {
        const uint64_t worth = whole->count / (WORTH / a->plan.dataset.elem_size) + 1;

        parts = processors > 0 ? (uint64_t)processors : 1;
        parts = parts < worth ? parts : worth;
    }
    parts = parts < TOOL_MOST_THREADS ? parts : TOOL_MOST_THREADS;
    parts = parts < whole->count ? parts : whole->count;
    /* All workspaces together are at most as large as one may be. */
    while (parts > 1 && a->s->work_length > TOOL_MOST_WORKSPACE / parts)
        parts--;
    return parts;
}

/* ---- threads ---- */

static void tell_failed(dense_jobs *all)
{
    (void)pthread_mutex_lock(&all->lock);
    all->failed = 1;
    (void)pthread_mutex_unlock(&all->lock);
}

static utet_status read_unless_failed(void *context, uint64_t offset, void *buffer, size_t size, size_t *got)
{
    dense_job *j = context;
    const utet_io *const io = &j->s->port.io;
    int failed;

    (void)pthread_mutex_lock(&j->all->lock);
    failed = j->all->failed;
    (void)pthread_mutex_unlock(&j->all->lock);
    return failed ? UTET_E_PORT : io->read(io->ctx, offset, buffer, size, got);
}

/* Copies the blocks of a part to the result. All numbers are in bytes. */
static void place_blocks(uint8_t *to, size_t step, const uint8_t *from, size_t size, uint64_t blocks)
{
    for (; blocks != 0; blocks--, to += step, from += size)
        memcpy(to, from, size);
}

/* Sets the memory that the thread writes to. Returns 0 if there is not enough. */
static int get_memory(dense_job *j, utet_transform_into *into)
{
    const dense_jobs *const all = j->all;
    const size_t size = all->a->plan.dataset.elem_size;

    into->size = (size_t)j->transform.count * size;
    if (all->outer == 1)
        into->elements = (uint8_t *)all->into->elements + (size_t)(j->from * all->inner) * size;
    else
        into->elements = j->elements = malloc(into->size);
    into->room = (size_t)j->transform.fold.results;
    if (all->known_outer == 1)
        into->statistics = all->into->statistics + (size_t)(j->from * all->known_inner);
    else
        into->statistics = j->statistics = malloc(into->room * sizeof *j->statistics);
    return into->elements != NULL && into->statistics != NULL;
}

static void place_all(const dense_job *j)
{
    const dense_jobs *const all = j->all;
    const size_t element = (size_t)all->inner * all->a->plan.dataset.elem_size;
    const size_t known = (size_t)all->known_inner * sizeof(double);

    if (j->elements != NULL)
        place_blocks((uint8_t *)all->into->elements + (size_t)j->from * element, (size_t)all->extent * element,
                     j->elements, (size_t)j->count * element, all->outer);
    if (j->statistics != NULL)
        place_blocks((uint8_t *)all->into->statistics + (size_t)j->from * known, (size_t)all->extent * known,
                     (const uint8_t *)j->statistics, (size_t)j->count * known, all->known_outer);
}

static utet_status run_job(dense_job *j)
{
    const dense_jobs *const all = j->all;
    const answer *const a = all->a;
    const utet_transform_method *const method = utet_query_transform(a->query.method);
    utet_fold_request request = a->plan.request;
    utet_transform_into into = {.undefined = undefined_add, .context = &j->undefined};
    utet_status status;

    request.ranges = j->ranges;
    status = utet_transform_open(&j->transform, &j->s->file, &request, method);
    if (status == UTET_OK && a->query.filter.tests != 0)
        status = utet_fold_where(&j->transform.fold, &a->query.filter);
    if (status != UTET_OK)
        return status;
    if (all->axis < a->plan.dataset.ndim) {
        if (!get_memory(j, &into))
            return UTET_E_BUDGET;
    } else {
        const size_t size = a->plan.dataset.elem_size;

        into.from = j->from;
        into.elements = (uint8_t *)all->into->elements + (size_t)j->from * size;
        into.size = (size_t)j->count * size;
        into.statistics = j == all->job ? all->into->statistics : NULL;
        into.room = j == all->job ? all->into->room : 0;
    }
    status = utet_transform_run(&j->transform, &into);
    if (status == UTET_OK)
        place_all(j);
    return status;
}

static void *thread_main(void *context)
{
    dense_job *j = context;

    j->status = run_job(j);
    if (j->status != UTET_OK)
        tell_failed(j->all);
    return NULL;
}

/* Returns the number of an undefined element in the complete result. */
static uint64_t whole_number(const dense_job *j, uint64_t number)
{
    const dense_jobs *const all = j->all;
    const uint64_t place = number / all->inner;

    if (all->axis == all->a->plan.dataset.ndim)
        return number;
    return (place / j->count * all->extent + j->from + place % j->count) * all->inner + number % all->inner;
}

static void gather(const dense_jobs *all, utet_transform *whole, undefined_list *undefined)
{
    unsigned i;
    size_t k;

    for (i = 0; i < all->count; i++) {
        const dense_job *j = &all->job[i];

        whole->undefined += j->transform.undefined;
        for (k = 0; k < j->undefined.count; k++)
            undefined_add(undefined, whole_number(j, j->undefined.number[k]));
    }
}

/* Opens the file for a further thread. The main thread does so before its own part, because a running fold temporarily
 * lowers the budget of the file. */
static int open_source(dense_job *j)
{
    const answer *const a = j->all->a;

    j->opened = 1; /* must be closed even after an error */
    if (!source_again(&j->own, a->s, &a->plan.dataset, j->all->count))
        return 0;
    j->inner = j->own.port.io;
    j->inner.ctx = j;
    j->inner.read = read_unless_failed;
    j->own.reading.inner = &j->inner;
    keep_payloads(&j->own, j->all->count);
    return 1;
}

/* Returns 1 if all parts are there. */
static int run_all(dense_jobs *all)
{
    unsigned i;
    int begun = 1;

    for (i = 1; i < all->count && begun; i++) {
        dense_job *j = &all->job[i];

        begun = open_source(j) && pthread_create(&j->thread, NULL, thread_main, j) == 0;
        j->begun = begun;
    }
    if (begun)
        (void)thread_main(&all->job[0]);
    else
        tell_failed(all);
    for (i = 1; i < all->count; i++) {
        if (all->job[i].begun)
            (void)pthread_join(all->job[i].thread, NULL);
        if (all->job[i].opened)
            source_end(&all->job[i].own);
    }
    return !all->failed;
}

static void begin_jobs(dense_jobs *all, uint64_t parts)
{
    const answer *const a = all->a;
    unsigned i;

    all->count = (unsigned)parts;
    for (i = 0; i < all->count; i++) {
        dense_job *j = &all->job[i];

        j->all = all;
        j->s = i == 0 ? a->s : &j->own;
        j->from = part_begin(all, i, parts);
        j->count = part_begin(all, i + 1, parts) - j->from;
        memcpy(j->ranges, a->plan.ranges, sizeof j->ranges);
        if (all->axis < a->plan.dataset.ndim) {
            utet_range *const range = &j->ranges[all->axis];

            range->start += j->from * range->step;
            range->stop = range->start + (j->count - 1) * range->step + 1;
        }
    }
}

int transform_threads(const answer *a, utet_transform *whole, const utet_transform_into *into,
                      undefined_list *undefined)
{
    const uint64_t parts = parts_of(a, whole);
    dense_jobs *all;
    unsigned i;
    int done;

    keep_payloads(a->s, (unsigned)parts);
    if (parts < 2 || (all = calloc(1, sizeof *all + (size_t)parts * sizeof all->job[0])) == NULL)
        return 0;
    all->a = a;
    all->whole = whole;
    all->into = into;
    choose_axis(all, parts);
    if (all->outer != 1 && into->size > MOST_COPIED) {
        free(all);
        return 0;
    }
    begin_jobs(all, parts);
    (void)pthread_mutex_init(&all->lock, NULL);
    done = run_all(all) ? 1 : -1;
    if (done > 0)
        gather(all, whole, undefined);
    (void)pthread_mutex_destroy(&all->lock);
    for (i = 0; i < all->count; i++) {
        free(all->job[i].elements);
        free(all->job[i].statistics);
    }
    free(all);
    return done;
}
