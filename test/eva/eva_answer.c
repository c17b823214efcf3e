/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Frama-C EVA over the computation that a bound document requests (src/query). EVA_PART 1: the chunks that it touches,
 * its answer as a fold or a matrix, their division, the method of a transform; 2: the chunks that zone maps and the
 * index exclude. An alarm is possible undefined behaviour.
 *
 * eva.sh: 2 parts, x86_32
 *   1: -eva-slevel 200 -eva-min-loop-unroll 8 -eva-slevel-function eva_main:20000 -eva-split-return full
 *   2: -eva-slevel 200 -eva-min-loop-unroll 9 -eva-split-return full
 *       -eva-slevel-function eva_main:20000,query_skip_count:0,query_skip_next_chunk:0
 *       -eva-slevel-function query_skip_begin:0,query_skip_pass_tiles:20,utet_query_skip:1000
 */
#include <string.h>

#include "eva_plan.h"

#include "fold/fold.h"
#include "fold/fold_transform.h"

/* bytes.c has these; core 1 proves them for all numbers. */
/*@ assigns \result \from a, b; */
uint64_t utet_mul(uint64_t a, uint64_t b);
/*@ assigns \result \from a, b; */
uint64_t utet_add(uint64_t a, uint64_t b);
/*@ assigns \result \from dividend, divisor; */
uint64_t utet_div_up(uint64_t dividend, uint64_t divisor);

/* Edges of chunks and steps are never 0: opening a slab, a document and a row refuse them (core 5, query 4). */
static uint64_t any_step(void)
{
    const uint64_t step = any64();

    return step == 0 ? 1 : step;
}

#if EVA_PART == 1
#include "query/query_share.c"
#include "query/query_transform.c"

/* ---- folds and matrices, by utet_fold.h: any figures; suspended, they keep no request (boxes, matrix) ---- */

static utet_status any_fold(utet_fold *fold)
{
    Frama_C_make_unknown((char *)fold, sizeof *fold);
    return granted(UTET_E_SPACE);
}

static utet_status any_matrix(utet_fold_matrix *matrix)
{
    Frama_C_make_unknown((char *)matrix, sizeof *matrix);
    return granted(UTET_E_SPACE);
}

utet_status utet_fold_need(utet_fold *fold, utet_file *of, const utet_fold_request *request)
{
    (void)of;
    return keeping(any_fold(fold),
                   Frama_C_interval(0, 1) ? (const void *)request->dataset : (const void *)request->ranges);
}

utet_status utet_fold_open(utet_fold *fold, utet_file *of, const utet_fold_request *request)
{
    (void)of;
    return keeping(any_fold(fold),
                   Frama_C_interval(0, 1) ? (const void *)request->dataset : (const void *)request->ranges);
}

utet_status utet_fold_where(utet_fold *fold, const utet_fold_filter *filter)
{
    return keeping(any_fold(fold), filter);
}

utet_status utet_fold_group(utet_fold *fold, utet_fold_grouping *grouping)
{
    grouping->windows = any64();
    return any_fold(fold);
}

utet_status utet_fold_pieces(utet_fold *fold, size_t size)
{
    (void)size;
    return any_fold(fold);
}

utet_status utet_fold_divide(utet_fold *fold, utet_fold_share *share)
{
    return keeping(any_fold(fold), share);
}

utet_status utet_fold_run(utet_fold *fold, double *to, size_t size)
{
    (void)size;
    return keeping(any_fold(fold), to);
}

utet_status utet_fold_matrix_need(utet_fold_matrix *matrix, utet_file *of, const utet_fold_variables *variables)
{
    /*@ assert ranges: \valid_read(variables->ranges + (0 .. 7)); */
    (void)of;
    return keeping(any_matrix(matrix),
                   Frama_C_interval(0, 1) ? (const void *)variables->dataset : (const void *)variables->ranges);
}

utet_status utet_fold_matrix_open(utet_fold_matrix *matrix, utet_file *of, const utet_fold_variables *variables)
{
    return utet_fold_matrix_need(matrix, of, variables);
}

utet_status utet_fold_matrix_pieces(utet_fold_matrix *matrix, size_t size)
{
    (void)size;
    return any_matrix(matrix);
}

utet_status utet_fold_matrix_divide(utet_fold_matrix *matrix, utet_fold_matrix_share *share)
{
    return keeping(any_matrix(matrix), share);
}

utet_status utet_fold_matrix_run(utet_fold_matrix *matrix, double *to, size_t size)
{
    (void)size;
    return keeping(any_matrix(matrix), to);
}

/* Bind 1 proves it. */
const utet_fold_operation *utet_query_operation(uint8_t operation)
{
    static const utet_fold_operation *const any = (const utet_fold_operation *)&meta;

    (void)operation;
    return Frama_C_interval(0, 1) ? any : NULL;
}

/* Reads all coordinates of the dataset. */
utet_status utet_chunk_find(utet_file *of, const utet_dataset *dataset, const uint64_t *coords, utet_chunk *chunk)
{
    uint64_t at[UTET_MAX_NDIM];

    (void)of;
    memcpy(at, coords, sizeof at);
    Frama_C_make_unknown((char *)chunk, sizeof *chunk);
    return keeping(granted(UTET_E_DATASET), Frama_C_interval(0, 1) ? (const void *)dataset : (const void *)coords);
}

#include "query/query_answer.c"
#include "query/query_matrix.c"

static utet_query_answer answer;
static utet_query_touched touched;

static void any_answer(int ndim)
{
    unsigned i;

    any_plan();
    Frama_C_make_unknown((char *)&answer, sizeof answer);
    Frama_C_make_unknown((char *)&touched, sizeof touched);
    for (i = 0; i < UTET_MAX_NDIM; i++)
        plan.ranges[i].step = any_step();
    answer.priv.plan = &plan;
    query.priv.matrix = Frama_C_interval(0, 1) ? &query_matrix_calls : NULL;
    answer.is_matrix = query.priv.matrix != NULL;
    answer.ndim = (uint8_t)below(UTET_MAX_NDIM + 1);
    plan.dataset.ndim = (uint8_t)ndim;
    grants = 3;
}

void eva_main(void)
{
    static double results[4];
    static utet_fold_share share;
    static utet_fold_matrix_share matrix_share;
    const utet_transform_method *method;
    const int ndim = Frama_C_interval_split(1, UTET_MAX_NDIM);
    utet_chunk chunk;
    unsigned i;

    any_answer(ndim); /* at the beginning, or after a lookup that failed: a chunk_shape may be 0 */
    touched.priv.state = Frama_C_interval(0, 1) ? TOUCHED_BEGIN : TOUCHED_LOOK;
    (void)utet_query_touched_next(&touched, &plan, &chunk);
    use_kept();
    any_answer(ndim);
    for (i = 0; i < UTET_MAX_NDIM; i++)
        plan.dataset.chunk_shape[i] = any_step();
    touched.priv.state = TOUCHED_NEXT;
    (void)utet_query_touched_next(&touched, &plan, &chunk);
    use_kept();
    any_answer(ndim);
    (void)utet_query_answer_need(&answer, &plan);
    use_kept();
    /*@ assert ndim: answer.ndim <= 8; */
    any_answer(ndim);
    (void)utet_query_answer_open(&answer, &plan, (size_t)any32());
    use_kept();
    any_answer(ndim);
    (void)utet_query_answer_next(&answer, results);
    use_kept();
    any_answer(ndim);
    (void)utet_query_answer_divide(&answer, &share);
    any_answer(ndim);
    (void)utet_query_answer_divide_matrix(&answer, &matrix_share);
    method = utet_query_transform((uint8_t)any32());
    if (method != NULL)
        use_byte((const uint8_t *)method);
}
#endif

#if EVA_PART == 2
/* ---- zone maps and the index, by utet_meta.h ---- */

utet_status utet_zones_open(utet_meta *of, const utet_dataset_meta *about, utet_zones *zones)
{
    (void)of;
    (void)about;
    Frama_C_make_unknown((char *)zones, sizeof *zones);
    return Frama_C_interval(0, 1) ? UTET_E_NOT_FOUND : granted(UTET_E_METADATA);
}

utet_status utet_zone_next(utet_meta *of, utet_zones *zones, utet_zone *zone)
{
    (void)of;
    (void)zones;
    Frama_C_make_unknown((char *)zone, sizeof *zone);
    return Frama_C_interval(0, 1) ? UTET_END : granted(UTET_E_METADATA);
}

int utet_zone_may_hold(const utet_zones *zones, const utet_zone *zone, const void *low, const void *high)
{
    uint8_t ends[2][8];

    (void)zones;
    (void)zone;
    memcpy(ends[0], low, sizeof ends[0]);
    memcpy(ends[1], high, sizeof ends[1]);
    return Frama_C_interval(0, 1);
}

/*@ assigns \result \from *zones, *zone; */
int utet_zone_may_be_null(const utet_zones *zones, const utet_zone *zone);

utet_status utet_index_value(utet_meta *of, const utet_dataset_meta *about, const void *value, utet_value *chunks)
{
    uint8_t element[8];

    (void)of;
    (void)about;
    memcpy(element, value, sizeof element);
    any_value(chunks);
    return Frama_C_interval(0, 1) ? UTET_E_NOT_FOUND : granted(UTET_E_METADATA);
}

utet_status utet_index_chunk(utet_meta *of, utet_value *chunks, uint64_t coords[UTET_MAX_NDIM])
{
    (void)of;
    any_value(chunks);
    Frama_C_make_unknown((char *)coords, UTET_MAX_NDIM * sizeof *coords);
    return Frama_C_interval(0, 1) ? UTET_END : granted(UTET_E_METADATA);
}

/* fold_element.c has these; fold 1 analyses them. */
/*@ assigns \result \from layout->bytes, at[0 .. 7]; */
uint64_t utet_fold_load(const fold_layout *layout, const uint8_t *at);
/*@ assigns \result \from *layout, bits; */
uint64_t utet_fold_key(const fold_layout *layout, uint64_t bits);
/*@ assigns \result \from *layout, key; */
uint64_t utet_fold_unkey(const fold_layout *layout, uint64_t key);

/* stream 3 proves both. */
int utet_slab_between(const utet_slab *slab)
{
    (void)slab;
    return Frama_C_interval(0, 1);
}

void utet_slab_pass(utet_slab *slab)
{
    Frama_C_make_unknown((char *)&slab->priv.chunk, sizeof slab->priv.chunk);
}

#include "query/query_skip.c"

static utet_fold fold;
static utet_query_skips skips;
static utet_query_answer answer;
static uint8_t bits[2];

static void take_nothing(utet_fold *of, struct fold_part *part)
{
    (void)of;
    (void)part;
}

/* A fold that is ready, and skips at some stage. */
static void any_skips(unsigned stage, size_t size, int ndim)
{
    static const fold_layout layout = {0x80000000u, 4, FOLD_SIGNED, 0, 0, 0, 0};
    unsigned i;

    any_plan();
    Frama_C_make_unknown((char *)&fold, sizeof fold);
    Frama_C_make_unknown((char *)&skips, sizeof skips);
    Frama_C_make_unknown((char *)bits, sizeof bits);
    for (i = 0; i < UTET_MAX_NDIM; i++) {
        if (stage != SKIP_BEGIN)
            plan.dataset.chunk_shape[i] = any_step();
        fold.box.axis[i].step = any_step();
    }
    plan.dataset.ndim = (uint8_t)ndim;
    fold.priv.state = FOLD_READY;
    fold.priv.file = &file;
    fold.priv.dataset = &plan.dataset;
    fold.priv.layout = &layout;
    fold.priv.ndim = plan.dataset.ndim;
    fold.priv.take = Frama_C_interval(0, 1) ? take_nothing : NULL;
    fold.priv.skips = &skips;
    skips.bits = bits + sizeof bits - size;
    skips.size = size;
    skips.priv.stage = (uint8_t)stage;
    skips.priv.ndim = plan.dataset.ndim;
    grants = 1;
}

/* A stage that exists. */
static void check_skips(void)
{
    /*@ assert stage: skips.priv.stage <= SKIP_DONE; */
}

void eva_main(void)
{
    const unsigned stage = (unsigned)Frama_C_interval_split(SKIP_BEGIN, SKIP_DONE);
    const size_t size = (size_t)Frama_C_interval_split(1, sizeof bits);
    static const uint8_t ranks[] = {1, 2, UTET_MAX_NDIM};
    const int ndim = ranks[Frama_C_interval_split(0, sizeof ranks - 1)];
    unsigned i;

    any_skips(stage, size, ndim);
    if (stage == SKIP_BEGIN) { /* a chunk_shape is 0 only if nothing is selected */
        if (fold.box.slab.count != 0)
            for (i = 0; i < UTET_MAX_NDIM; i++)
                plan.dataset.chunk_shape[i] = any_step();
        skips.size = Frama_C_interval(0, 1) ? size : 0;
    }
    (void)utet_query_skip(&skips, &fold, &meta, &plan.about);
    use_kept();
    check_skips();
    if (stage != SKIP_DONE)
        return;
    any_skips(stage, size, ndim);
    query_skip_pass_tiles(&fold);
    any_skips(stage, size, ndim);
    Frama_C_make_unknown((char *)&answer, sizeof answer);
    answer.priv.plan = &plan;
    answer.priv.by.fold.priv.state = (uint8_t)any32();
    answer.priv.by.fold.priv.file = &file;
    (void)utet_query_answer_skip(&answer, &skips);
}
#endif
