/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Frama-C EVA over what operations of folds do with their cells, with any content, for every dtype and elements of any
 * bits. EVA_PART 1: sums; 2: sums of i16; 3: squares; 4: products; 5: tallies; 6: extremes; 7: transforms; 8: several
 * operations. An alarm is possible undefined behaviour.
 *
 * eva.sh: 8 parts, x86_16, x86_32, x86_64, ppc_32
 *   1: -eva-min-loop-unroll 140 -eva-slevel-function sum_take:100,sum_take_each:200,utet_fold_add_f32:100
 *       -eva-slevel-function utet_fold_add_f64:100,utet_fold_spread:100,fold_hot_spread:100
 *       -eva-slevel-function utet_fold_group_f32:1000,any_group:10
 *       -eva-split-return-function utet_fold_add_f32:0:1:2:3,utet_fold_add_f64:0:1:2:3
 *       -eva-split-return-function utet_fold_spread:0:1:2:3,fold_hot_spread:0:1:2:3,any_group:0:1:2:4294967295
 *   2 5 7: -eva-min-loop-unroll 140 -warn-special-float none
 *   3: -eva-min-loop-unroll 140 -eva-slevel-function sum_take:100,square_all:100,utet_fold_square_f32:100
 *       -eva-split-return-function utet_fold_add_f32:0:1:2:3,utet_fold_square_f32:0:1:2:3
 *   4: -eva-min-loop-unroll 140 -eva-slevel-function product_take:1000,product_run:100,product_run_of:1000
 *       -eva-split-return-function product_run:0:1:2:3,product_run_of:0:1:2:3 -warn-special-float none
 *   6: -eva-min-loop-unroll 140 -eva-split-return-function utet_fold_scan:0:1:2:3,utet_fold_first_better:0:1:2:3
 *       -eva-slevel-function extreme_take_all:1000,utet_fold_scan:200,extreme_take:100,utet_fold_first_better:200
 *       -warn-special-float none
 *   8: -eva-min-loop-unroll 20 -eva-slevel-function several_take_ends:500,utet_fold_scan:10,several_take:20
 *       -eva-split-return-function utet_fold_scan:0:1:2:3 -warn-special-float none
 */
#include "eva_any.h"

#include "base/bytes.c"
#include "fold/fold_binary.c"
#include "fold/fold_double.c"
#include "fold/fold_element.c"
#if EVA_PART <= 6
#include "fold/fold_hot.c"
#include "fold/fold_narrow_hot.c"
#endif
#include "fold/fold_wide.c"

/* fold_hot.c also has functions of these names. */
#if EVA_PART <= 6
#undef WORDS
#undef NEAR
#undef WIDE
#endif

#if EVA_PART == 1 || EVA_PART == 3
#include "fold/fold_sum.c"
#endif

static utet_fold fold;
static utet_dataset dataset;
static utet_file file;
static uint64_t memory[2 * 400];

static uint8_t data[3 * 8];

/* The first of one cell, or of two: memory ends after them. */
static void *first_cell(size_t bytes, unsigned cells)
{
    return (uint8_t *)memory + sizeof memory - (cells + 1) * bytes;
}

/* A part of three elements of any bits, for one cell or two with any content. */
static void any_part(fold_part *part, unsigned tag, size_t bytes, unsigned cells)
{
    Frama_C_make_unknown((char *)memory, sizeof memory);
    Frama_C_make_unknown((char *)data, sizeof data);
    part->fold = &fold;
    part->layout = &utet_dtype_layouts[tag];
    part->data = data;
    part->count = 3 - cells;
    part->stride = part->layout->bytes;
    part->cell = first_cell(bytes, cells);
    part->cell_step = cells * bytes;
    part->place = any64();
    part->place_step = any64();
}

#if EVA_PART == 1
#define OPERATIONS &utet_fold_sum, &utet_fold_norm_l1, &utet_fold_mean, &utet_fold_nan_mean
#elif EVA_PART == 2
#include "fold/fold_sum_i16.c"
#define OPERATIONS &utet_fold_sum_i16, &utet_fold_mean_i16
#elif EVA_PART == 3
#include "fold/fold_square.c"
#define OPERATIONS &utet_fold_norm_l2, &utet_fold_var, &utet_fold_std, &utet_fold_nan_std
#elif EVA_PART == 4
#include "fold/fold_fixed.c"
#include "fold/fold_product.c"
#define OPERATIONS &utet_fold_product
#elif EVA_PART == 5
#include "fold/fold_tally.c"
#include "fold/fold_whole.c"
#define OPERATIONS                                                                                           \
    &utet_fold_count, &utet_fold_nan_count, &utet_fold_inf_count, &utet_fold_all_finite, &utet_fold_any_nan, \
        &utet_fold_any_inf, &utet_fold_null_count
#elif EVA_PART == 6
#include "fold/fold_extreme.c"
#define OPERATIONS &utet_fold_min, &utet_fold_max, &utet_fold_arg_min, &utet_fold_arg_max
#endif

#if EVA_PART == 4
/* A magnitude of 53 bits, or none. */
static void any_product(product_state *cell, int none)
{
    cell->magnitude = none ? 0 : (uint64_t)1 << 52 | any64() >> 12;
    cell->exponent = (int64_t)Frama_C_interval(-0x7FFF, 0x7FFF) * ((int64_t)1 << 40);
}
#endif

#if EVA_PART <= 6
/* Elements for one cell, for a cell each, and the result. */
static void operate(const utet_fold_operation *operation, unsigned tag)
{
    const fold_layout *layout = &utet_dtype_layouts[tag];
    size_t bytes = fold_operation_bytes(operation, layout);
    fold_part part;
    unsigned cells;
    unsigned counts;

    fold.priv.operation = operation;
    fold.priv.layout = layout;
    for (cells = 0; cells < 2; cells++) {
        any_part(&part, tag, bytes, cells);
#if EVA_PART == 4
        any_product(first_cell(bytes, cells), 0);
        any_product(first_cell(bytes, 0), 0);
        operation->take(&part);
        any_product(first_cell(bytes, cells), 1);
        any_product(first_cell(bytes, 0), 1);
#endif
        operation->take(&part);
    }
    for (counts = 0; operation->finish != NULL && counts < 3; counts++) {
        uint64_t *count = first_cell(bytes, 0);

        any_part(&part, tag, bytes, 0);
#if EVA_PART == 4
        any_product(first_cell(bytes, 0), counts == 0);
        (void)operation->finish(&fold, layout, first_cell(bytes, 0));
        continue;
#endif
        *count = counts == 0 ? 0 : counts == 1 ? any32() % 0xFFFFu + 1u : any64() >> 1;
        if (counts == 2 && *count < 0x10000u)
            *count = 0x10000u;
        (void)operation->finish(&fold, layout, count);
    }
}

static void each(const utet_fold_operation *const *operations, unsigned count)
{
    unsigned tag;
    unsigned i;

    for (i = 0; i < count; i++)
        for (tag = UTET_F32; tag <= UTET_U64; tag++)
            if ((operations[i]->dtypes >> tag & 1u) != 0)
                operate(operations[i], tag);
}
#endif

#ifdef OPERATIONS
#if EVA_PART == 1
static uint32_t any_group(void *context, uint64_t place)
{
    (void)context;
    (void)place;
    if (Frama_C_interval(0, 1))
        return UTET_FOLD_LEFT_OUT;
    return Frama_C_interval(0, 1) ? 1 : Frama_C_interval(0, 1) ? 2 : 0;
}

/* Two sums. Two groups, or the second and the third, with counts or without them. */
static void groups(void)
{
    static uint32_t sums[2][12];
    const utet_fold_axis map = {.group_of = any_group, .groups = 3};
    utet_fold_cuts cuts = {.count = 2};
    fold_part part;

    Frama_C_make_unknown((char *)sums, sizeof sums);
    utet_fold_wide_join(sums[0], sums[1], 12);
    fold.priv.own_bytes = 64;
    for (fold.priv.extra_bytes = 0; fold.priv.extra_bytes <= 8; fold.priv.extra_bytes += 8) {
        any_part(&part, UTET_F32, 64 + fold.priv.extra_bytes, 1);
        cuts.from = fold.priv.extra_bytes / 8;
        (void)utet_fold_group_f32(&part, &map, any64(), &cuts, Frama_C_interval(0, 1) ? 0x80000000u : 0);
    }
}
#endif

void eva_main(void)
{
    static const utet_fold_operation *const operations[] = {OPERATIONS};

#if EVA_PART == 1
    groups();
#endif
    Frama_C_make_unknown((char *)&fold.priv.own, sizeof fold.priv.own);
#if EVA_PART == 5
    {
        utet_fold_request request = {.has_counted = (uint8_t)Frama_C_interval(0, 1), .counted = 1.5};

        for (unsigned tag = UTET_F32; tag <= UTET_U64; tag++) {
            fold.priv.layout = &utet_dtype_layouts[tag];
            fold.priv.has_fill = (uint8_t)Frama_C_interval(0, 1);
            (void)prepare_null(&fold, &request);
        }
        Frama_C_make_unknown((char *)&fold.priv.own, sizeof fold.priv.own);
    }
#endif
    each(operations, sizeof operations / sizeof *operations);
}
#endif

#if EVA_PART >= 7
/* The operations of which methods and lists consist: parts 1, 3 and 6 prove them. The words of a sum after these bytes
 * already have any value. */
static void any_take(const fold_part *part)
{
    Frama_C_make_unknown((char *)part->cell, sizeof(fold_extreme));
}

static uint64_t any_finish(const utet_fold *of, const fold_layout *layout, void *cell)
{
    (void)of;
    (void)layout;
    (void)cell;
    return any64();
}

#define ANY(detail, bytes)                                                 \
    {                                                                      \
        FOLD_ALL_DTYPES, sizeof(bytes), detail, NULL, any_take, any_finish \
    }
#endif

#if EVA_PART == 7
/* eva_results.c analyses them. That an exponential is at most 1 is assumed. */
/*@ assigns \result \from a;
    ensures \result <= 0x3FF0000000000000; */
uint64_t utet_fold_exp(uint64_t a);
/*@ assigns \result \from a; */
uint64_t utet_fold_log1p(uint64_t a);

const utet_fold_operation utet_fold_mean = ANY(FOLD_SUMS, fold_cell);
const utet_fold_operation utet_fold_norm_l1 = ANY(FOLD_SUMS, fold_cell);
const utet_fold_operation utet_fold_norm_l2 = ANY(FOLD_SQUARES, fold_cell);
const utet_fold_operation utet_fold_std = ANY(FOLD_SUMS | FOLD_SQUARES, fold_cell);
const utet_fold_operation utet_fold_min = ANY(0, fold_extreme);
const utet_fold_operation utet_fold_max = ANY(0, fold_extreme);

uint64_t utet_fold_cell_special(const fold_cell *cell)
{
    (void)cell;
    return any64();
}

#include "fold/fold_fixed.c"
#include "fold/fold_ieee.c"
#include "fold/fold_measure.c"
#include "fold/fold_softmax.c"
#undef OWN
#include "fold/fold_transform.c"

static utet_transform transform;
static uint8_t answer[3 * 8];

static void told(void *context, uint64_t number)
{
    (void)context;
    (void)number;
}

/* Every pass of a method over cells with any content, and its result. */
static void method(const utet_transform_method *of, unsigned tag)
{
    utet_transform_into into = {.elements = answer, .size = sizeof answer};
    const utet_fold_request request = {0};
    double results[4];
    fold_part part;
    unsigned cells;

    dataset.dtype = tag;
    into.undefined = Frama_C_interval(0, 1) ? told : NULL;
    transform.priv.method = of;
    transform.fold.priv.layout = &utet_dtype_layouts[tag];
    transform.fold.priv.dataset = &dataset;
    transform.fold.priv.file = &file;
    transform.fold.priv.operation = &of->own;
    transform.fold.priv.cells = 2;
    transform.fold.priv.ndim = 2;
    transform.fold.box.axis[0].count = any64();
    transform.fold.box.axis[1].count = any64();
    transform.count = any64();
    file.priv.work = (void *)memory;
    (void)of->own.prepare(&transform.fold, &request);
    transform.fold.priv.cell_bytes = transform.fold.priv.least_bytes;
    transform_begin(&transform, &into);
    for (transform.fold.priv.turn = 0; transform.fold.priv.turn < of->passes; transform.fold.priv.turn++) {
        for (cells = 0; cells < 2; cells++) {
            any_part(&part, tag, transform.fold.priv.cell_bytes, cells);
            part.fold = &transform.fold;
            of->own.take(&part);
        }
        Frama_C_make_unknown((char *)memory, sizeof memory);
        ((fold_cell *)(void *)memory)->count = any32() % 0xFFFFu;
        ((fold_cell *)(void *)((uint8_t *)memory + transform.fold.priv.cell_bytes))->count = any64() >> 1 | 0x10000u;
        (void)transform.fold.priv.turns->again(&transform.fold, results);
        (void)transform.fold.priv.turns->passes(&transform.fold);
    }
}

void eva_main(void)
{
    static const utet_transform_method *const methods[] = {
        &utet_transform_center, &utet_transform_zscore, &utet_transform_scale,
        &utet_transform_minmax, &utet_transform_l1,     &utet_transform_l2,
        &utet_transform_sqrt,   &utet_transform_log1p,  &utet_transform_softmax};
    unsigned i;

    for (i = 0; i < sizeof methods / sizeof *methods; i++) {
        method(methods[i], UTET_F32);
        method(methods[i], UTET_F64);
    }
}
#endif

#if EVA_PART == 8
/* eva_fold.c analyses it: how many elements it skips. */
size_t utet_fold_scan(const fold_layout *layout, const uint8_t *at, size_t count, size_t stride,
                      const utet_fold_arc *arc)
{
    size_t skipped = 0;

    (void)arc;
    /*@ assert elements: count >= 1 && \valid_read(at + (0 .. (count - 1) * stride + layout->bytes - 1)); */
    while (skipped < count && Frama_C_interval(0, 1))
        skipped++;
    return skipped;
}
/* eva_boxes.c analyses it. */
/*@ assigns \result, of->priv.room \from memory, each; */
uint64_t utet_fold_set_cells(utet_fold *of, size_t memory, size_t each);

#include "fold/fold_several.c"

static const utet_fold_operation any_sums = ANY(FOLD_SUMS | FOLD_SQUARES, fold_cell);
static const utet_fold_operation any_min = ANY(0, fold_extreme);
static const utet_fold_operation any_max = ANY(FOLD_GREATEST, fold_extreme);
static double results[2 * UTET_FOLD_MAX_OPERATIONS];

static void any_results(utet_fold *of, double *to)
{
    size_t i;

    for (i = 0; i < of->priv.cells; i++)
        to[i * of->priv.values] = (double)Frama_C_interval(0, 9);
}

/* What lists do with the request, with cells of any content, and with the results of two cells. */
static void each_of(const utet_fold_operation *const *list, unsigned tag)
{
    static const fold_shape any_shape = {NULL, NULL, NULL, NULL, NULL, NULL, any_results};
    const utet_fold_request request = {.dataset = &dataset, .operations = list};
    fold_part part;
    unsigned cells;

    dataset.dtype = tag;
    fold.priv.layout = &utet_dtype_layouts[tag];
    fold.priv.least_bytes = 0;
    if (utet_fold_several.prepare(&fold, &request) != UTET_OK)
        return;
    fold.priv.operation = &utet_fold_several;
    fold.priv.turns->choose(&fold, any32());
    for (cells = 0; cells < 2; cells++) {
        any_part(&part, tag, fold.priv.least_bytes, cells);
        utet_fold_several.take(&part);
    }
    file.priv.work = (void *)memory;
    fold.priv.file = &file;
    fold.priv.cells = 2;
    fold.priv.cell_bytes = fold.priv.own_bytes = fold.priv.least_bytes;
    (void)fold.priv.turns->again(&fold, results + sizeof results / sizeof *results - 2 * fold.priv.values);
    fold.priv.shape = &any_shape;
    (void)fold.priv.turns->again(&fold, results + sizeof results / sizeof *results - 2 * fold.priv.values);
    fold.priv.shape = NULL;
}

void eva_main(void)
{
    static const utet_fold_operation *const none[] = {NULL};
    static const utet_fold_operation *const nested[] = {&any_max, &utet_fold_several, NULL};
    static const utet_fold_operation *const mixed[] = {&any_max, &any_sums, &any_min, &any_max, NULL};
    static const utet_fold_operation *const one[] = {&any_min, NULL};
    static const utet_fold_operation *many[UTET_FOLD_MAX_OPERATIONS + 2];
    unsigned tag;
    unsigned i;

    each_of(NULL, UTET_F32);
    each_of(none, UTET_F32);
    each_of(nested, UTET_F32);
    for (tag = UTET_F32; tag <= UTET_U64; tag++) {
        each_of(mixed, tag);
        each_of(one, tag);
    }
    for (i = 0; i <= UTET_FOLD_MAX_OPERATIONS; i++)
        many[i] = &any_sums;
    each_of(many, UTET_F32);
    many[UTET_FOLD_MAX_OPERATIONS] = NULL;
    each_of(many, UTET_U8);
}
#endif
