/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Computes an answer with several threads. Each reduces a part of the chunks, or of a matrix's observations, with its
 * own file object, decoder and workspace. The cells are merged in the order of the parts, so the results have the same
 * bits as with one thread. The error is that of the first part that has one, which one thread would also find first;
 * later parts then stop. The chunks of a matrix may be in another order, so one thread reads them again after an error.
 *
 * One thread is used with --budget, which limits the complete command, with --trust-zones, if parts cannot be merged
 * (utet_fold_divide, utet_fold_matrix_divide), if a reduction has only one chunk, and for a matrix with a filter.
 */
#define _POSIX_C_SOURCE 200809L
#include "query.h"
#include "shared/kept.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* For each further thread without -j: bytes of elements, or products of a matrix. */
#define WORTH ((uint64_t)4 << 20)
#define WORTH_PRODUCTS ((uint64_t)1 << 20)

typedef struct job {
    struct jobs *all;
    source *s;     /* one of the readers */
    utet_io inner; /* the read function of the port; the wrapper stops when another part has failed */
    utet_fold fold;
    utet_fold_grouping grouping;
    utet_fold_share share;
    utet_fold_matrix matrix; /* instead of the fold, if the answer is a matrix */
    utet_fold_matrix_share matrix_share;
    pthread_t thread;
    int begun;
    int follows; /* 1: the thread reads another pass */
    utet_status status;
} job;

typedef struct jobs {
    answer *a;
    utet_fold_share share; /* part 0, which the main thread reads */
    utet_fold_matrix_share matrix_share;
    pthread_mutex_t lock;
    uint64_t stop;  /* parts after this one may stop */
    uint64_t bytes; /* size and limit of each workspace; a running fold temporarily lowers the limit of its file */
    uint64_t budget;
    unsigned count;
    job job[]; /* threads of parts 1 to count */
} jobs;

/* ---- threads ---- */

static void stop_behind(jobs *all, uint64_t part)
{
    (void)pthread_mutex_lock(&all->lock);
    if (part < all->stop)
        all->stop = part;
    (void)pthread_mutex_unlock(&all->lock);
}

static utet_status read_unless_stopped(void *context, uint64_t offset, void *buffer, size_t size, size_t *got)
{
    job *j = context;
    const utet_io *const io = &j->s->port.io;
    int stopped;

    (void)pthread_mutex_lock(&j->all->lock);
    stopped = j->share.part > j->all->stop;
    (void)pthread_mutex_unlock(&j->all->lock);
    return stopped ? UTET_E_PORT : io->read(io->ctx, offset, buffer, size, got);
}

static utet_status open_matrix(job *j)
{
    const answer *const a = j->all->a;
    const utet_fold_variables of = {&a->plan.dataset, a->plan.ranges, UTET_QUERY_OBSERVATIONS(&a->plan),
                                    a->query.operation == UTET_QUERY_CORRELATION, NULL};
    const utet_status status = utet_fold_matrix_open(&j->matrix, &j->s->file, &of);

    return status == UTET_OK ? utet_fold_matrix_divide(&j->matrix, &j->matrix_share) : status;
}

/* Opens the part, for its first pass. */
static utet_status open_job(job *j)
{
    const answer *const a = j->all->a;
    utet_status status = source_open(j->s, j->all->bytes, j->all->budget);

    if (status != UTET_OK)
        return status;
    source_read(j->s, &a->plan.dataset, (unsigned)j->share.parts);
    if (a->answer.is_matrix)
        return open_matrix(j);
    status = utet_fold_open(&j->fold, &j->s->file, a->listed ? &a->list->request : &a->plan.request);
    if (status == UTET_OK && a->query.filter.tests != 0)
        status = utet_fold_where(&j->fold, &a->query.filter);
    if (status == UTET_OK && (a->listed ? a->list->grouped : a->plan.grouped))
        status = utet_fold_group(&j->fold, &j->grouping);
    return status == UTET_OK ? utet_fold_divide(&j->fold, &j->share) : status;
}

static void *thread_main(void *context)
{
    job *j = context;

    j->status = j->follows ? UTET_OK : open_job(j);
    if (j->status == UTET_OK)
        j->status = j->all->a->answer.is_matrix ? utet_fold_matrix_run(&j->matrix, NULL, 0)
                                                : utet_fold_run(&j->fold, NULL, 0);
    if (j->status != UTET_OK)
        stop_behind(j->all, j->share.part);
    return NULL;
}

static void wait_for(job *j)
{
    if (j->begun)
        (void)pthread_join(j->thread, NULL);
    j->begun = 0;
}

/* Merges all parts into the fold or the matrix; the other one is NULL. */
static utet_status merge_all(jobs *all, utet_fold *fold, utet_fold_matrix *matrix)
{
    unsigned i;

    for (i = 0; i < all->count; i++) {
        job *j = &all->job[i];
        utet_status status;

        wait_for(j);
        status = j->status;
        if (status == UTET_OK)
            status = fold != NULL ? utet_fold_merge(fold, &j->fold) : utet_fold_matrix_merge(matrix, &j->matrix);
        if (status != UTET_OK) {
            all->a->failed = j->s;
            return status;
        }
    }
    return UTET_OK;
}

/* share.join and matrix_share.join of part 0 */
static utet_status merge(void *context, utet_fold *into)
{
    return merge_all(context, into, NULL);
}

static utet_status merge_matrix(void *context, utet_fold_matrix *into)
{
    return merge_all(context, NULL, into);
}

/* share.again of part 0: all threads read the next pass. */
static utet_status read_again(void *context, utet_fold *first)
{
    jobs *all = context;
    unsigned i;

    for (i = 0; i < all->count; i++) {
        job *j = &all->job[i];
        const utet_status status = utet_fold_follow(&j->fold, first);

        if (status != UTET_OK)
            return status;
        j->follows = 1;
        j->begun = pthread_create(&j->thread, NULL, thread_main, j) == 0;
        if (!j->begun)
            (void)thread_main(j);
    }
    return UTET_OK;
}

/* ---- beginning and ending ---- */

/* Returns the maximum number of parts: chunks, or the observations of a matrix. */
static uint64_t most_parts(const answer *a, uint64_t parts)
{
    uint64_t chunks = 1;
    unsigned d;

    if (a->answer.is_matrix)
        return a->mask == NULL ? a->plan.extents[UTET_QUERY_OBSERVATIONS(&a->plan)] : 1;
    for (d = 0; d < a->plan.dataset.ndim && chunks < parts; d++)
        chunks *= a->plan.dataset.grid[d] < parts ? a->plan.dataset.grid[d] : parts;
    return chunks;
}

/* Returns the number of parts. */
static uint64_t parts_of(const answer *a)
{
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    uint64_t parts = a->opt->threads;

    if (budget_given(a->opt) || a->opt->trust_zones)
        return 1;
    if (parts == 0) {
        const uint64_t worth = a->answer.is_matrix
                                   ? a->answer.elements / (2 * WORTH_PRODUCTS / (a->answer.shape[0] + 1)) + 1
                                   : a->answer.elements / (WORTH / a->plan.dataset.elem_size) + 1;

        parts = processors > 0 ? (uint64_t)processors : 1;
        parts = parts < worth ? parts : worth;
    }
    parts = parts < TOOL_MOST_THREADS ? parts : TOOL_MOST_THREADS;
    if (parts > most_parts(a, parts))
        parts = most_parts(a, parts);
    /* All workspaces together are at most as large as one may be. */
    while (parts > 1 && a->s->work_length > TOOL_MOST_WORKSPACE / parts)
        parts--;
    return parts;
}

static int begin_job(jobs *all, unsigned i, uint64_t parts)
{
    const answer *const a = all->a;
    job *j = &all->job[i];
    int result = TOOL_OK;

    all->count = i + 1; /* must be closed even after an error */
    j->all = all;
    j->s = &a->readers->s[i];
    j->grouping = a->listed ? a->list->grouping : a->plan.by.grouping;
    j->share.part = i + 1;
    j->share.parts = parts;
    j->matrix_share.part = i + 1;
    j->matrix_share.parts = parts;
    if (i == a->readers->count) {
        a->readers->count++;
        result = source_prepare_fd(j->s, a->opt, dup(a->s->fd));
        if (result == TOOL_OK && (a->readers->keep || query_reads_again(a)))
            kept_always(j->s->decoded);
    }
    if (result != TOOL_OK)
        return result;
    j->inner = j->s->port.io;
    j->inner.ctx = j;
    j->inner.read = read_unless_stopped;
    j->s->reading.inner = &j->inner;
    if (pthread_create(&j->thread, NULL, thread_main, j) != 0)
        return fail(a->s->path, NULL, NO_OFFSET, "cannot create a thread; try a smaller -j");
    j->begun = 1;
    return TOOL_OK;
}

/* Returns 1 if the boxes of a matrix have all variables, and all selected observations of each of their chunks. */
static int reads_once(const answer *a)
{
    const unsigned axis = UTET_QUERY_OBSERVATIONS(&a->plan);
    const utet_range *const range = &a->plan.ranges[axis];
    const uint64_t chunk = a->plan.dataset.chunk_shape[axis];

    return a->answer.is_matrix && a->answer.need.best <= a->s->file.budget && a->room >= a->answer.results &&
           (range->step >= chunk || (range->start % chunk == 0 && chunk % range->step == 0));
}

int query_reads_again(const answer *a)
{
    return (a->answer.passes > 1 || (a->answer.boxes > 1 && !reads_once(a))) && !budget_given(a->opt);
}

int answer_threads(answer *a)
{
    const uint64_t parts = parts_of(a);
    utet_status status;
    jobs *all;
    uint64_t i;
    int result = TOOL_OK;

    if (parts < 2)
        return TOOL_OK;
    all = calloc(1, sizeof *all + (size_t)(parts - 1) * sizeof all->job[0]);
    if (all == NULL)
        return fail(a->s->path, NULL, NO_OFFSET, "not enough memory");
    all->a = a;
    all->stop = parts;
    all->bytes = a->s->work_length;
    all->budget = a->s->file.budget;
    all->share.parts = parts;
    all->share.join = merge;
    all->share.again = read_again;
    all->share.context = all;
    all->matrix_share.parts = parts;
    all->matrix_share.join = merge_matrix;
    all->matrix_share.context = all;
    status = a->listed             ? utet_fold_divide(&a->list->fold, &all->share)
             : a->answer.is_matrix ? utet_query_answer_divide_matrix(&a->answer, &all->matrix_share)
                                   : utet_query_answer_divide(&a->answer, &all->share);
    if (status != UTET_OK) { /* one thread computes the answer */
        free(all);
        return TOOL_OK;
    }
    kept_share(a->s->decoded, (unsigned)parts);
    (void)pthread_mutex_init(&all->lock, NULL);
    a->jobs = all;
    for (i = 0; i + 1 < parts && result == TOOL_OK; i++)
        result = begin_job(all, (unsigned)i, parts);
    return result;
}

void answer_readers_end(query_readers *readers)
{
    unsigned i;

    for (i = 0; readers != NULL && i < readers->count; i++)
        source_end(&readers->s[i]);
    free(readers);
}

void answer_join(answer *a)
{
    jobs *const all = a->jobs;
    unsigned i;

    if (all == NULL)
        return;
    stop_behind(all, 0); /* results of threads that still read are not used */
    for (i = 0; i < all->count; i++)
        wait_for(&all->job[i]);
    (void)pthread_mutex_destroy(&all->lock);
    free(all);
    a->jobs = NULL;
}

utet_status answer_alone(answer *a, utet_status status)
{
    utet_status alone;

    if (a->jobs == NULL || !a->answer.is_matrix)
        return status;
    answer_join(a);
    alone = utet_query_answer_open(&a->answer, &a->plan, a->room);
    if (alone == UTET_OK)
        alone = utet_query_answer_next(&a->answer, a->results);
    if (alone == UTET_OK)
        return status;
    a->failed = NULL;
    return alone;
}
