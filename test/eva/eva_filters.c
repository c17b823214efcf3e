/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Frama-C EVA over the filters of folds. EVA_PART 1: a filter with any numbers, for every dtype, becomes arcs of the
 * elements' bits. 2: elements pass any arcs, to an operation or to the program's own elements. 3: an end of an arc is
 * inserted among 0 to 7 others. An alarm is possible undefined behaviour.
 *
 * eva.sh: 3 parts, x86_32, x86_64, ppc_32
 *   1: -eva-slevel 200 -eva-slevel-function eva_main:20000 -eva-use-spec put_end -warn-special-float none
 *       -eva-split-return-function utet_fold_whole:0
 *   2: -eva-slevel 2000 -eva-slevel-function eva_main:20000 -eva-split-return-function utet_fold_scan:0:1:2:3
 *   3: -eva-slevel 1000
 */
#include "eva_any.h"

#include "base/bytes.c"
#include "base/room.c"
#include "fold/fold.c"
#include "fold/fold_double.c"
#include "fold/fold_element.c"
#if EVA_PART == 1
/* Part 3 proves it. */
/*@ requires fold->priv.arcs <= 7;
    assigns fold->priv.arcs, fold->priv.others[0 .. 7] \from fold->priv.arcs, fold->priv.others[0 .. 7], end;
    ensures fold->priv.arcs <= \old(fold->priv.arcs) + 1; */
static void put_end(utet_fold *fold, uint64_t end);
#endif
#if EVA_PART == 2
#include "fold/fold_mask.c"
#endif
#include "fold/fold_where.c"
#include "fold/fold_whole.c"

static utet_fold fold;
static utet_file file;

/* The intervals of the fill and of NE: elements with a sign, without, or none. */
enum { POSITIVE, NEGATIVE, NONE };
static unsigned sides[2];
static unsigned asked;

/* fold_interval.c (results 4 analyses it): keys of the dtype, or none. The elements of one double have one sign. */
void utet_fold_interval(const fold_layout *layout, uint64_t from, uint64_t to, uint64_t *first, uint64_t *last)
{
    const uint64_t half = layout->sign - 1;
    const unsigned call = asked++;

    if (call == 0) { /* of the comparisons */
        *first = any64() & fold_most(layout);
        *last = any64() & fold_most(layout);
    } else if (layout->kind != FOLD_FLOAT) {
        *first = any64() & fold_most(layout);
        *last = any64() & fold_most(layout);
    } else if (sides[call - 1] == NONE) {
        *first = 1;
        *last = 0;
    } else {
        *first = (sides[call - 1] == POSITIVE ? layout->sign : 0) | (any64() & half);
        *last = (sides[call - 1] == POSITIVE ? layout->sign : 0) | (any64() & half);
    }
    (void)from;
    (void)to;
}

#if EVA_PART == 1
/* Each number is read if its test is named. */
static void any_filter(utet_fold_filter *filter, uint32_t tests)
{
    Frama_C_make_unknown((char *)filter, sizeof *filter);
    filter->tests = tests;
}

static void where(unsigned tag, uint32_t tests)
{
    utet_fold_filter filter;

    fold.priv.layout = &utet_dtype_layouts[tag];
    fold.priv.fill = any64();
    any_filter(&filter, tests);
    asked = 0;
    (void)utet_fold_where(&fold, &filter);
    /*@ assert arcs: fold.priv.arcs <= 8; */
}

void eva_main(void)
{
    static const uint32_t tests[] = {UTET_FOLD_NE,
                                     UTET_FOLD_IS_NULL,
                                     UTET_FOLD_NE | UTET_FOLD_IS_NULL,
                                     UTET_FOLD_EQ,
                                     UTET_FOLD_LT | UTET_FOLD_LE | UTET_FOLD_GT | UTET_FOLD_GE,
                                     UTET_FOLD_NE | UTET_FOLD_GT,
                                     KNOWN};
    utet_fold_filter filter;
    unsigned tag;
    unsigned side;
    unsigned i;

    any_filter(&filter, any32());
    (void)utet_fold_where(&fold, &filter);
    fold.priv.state = FOLD_READY;
    fold.priv.file = &file;
    file.priv.busy = (uint8_t)Frama_C_interval(0, 1);
    for (tag = UTET_F32; tag <= UTET_U64; tag++)
        /* The sides are those of floats. */
        for (side = utet_dtype_layouts[tag].kind == FOLD_FLOAT ? 0 : 8; side < 9; side++)
            for (i = 0; i < sizeof tests / sizeof *tests; i++) {
                sides[0] = side % 3;
                sides[1] = side / 3;
                fold.priv.has_fill = 0;
                where(tag, tests[i]);
                fold.priv.has_fill = 1;
                where(tag, tests[i]);
            }
}
#endif

#if EVA_PART == 3
/* A number that was not written is not read. */
static void put(unsigned arcs)
{
    utet_fold other;
    unsigned i;

    for (i = 0; i < arcs; i++)
        other.priv.others[i].from = any64();
    other.priv.arcs = (uint8_t)arcs;
    put_end(&other, any64());
    /*@ assert arcs: other.priv.arcs <= arcs + 1; */
}

void eva_main(void)
{
    unsigned arcs;

    for (arcs = 0; arcs <= 7; arcs++)
        put(arcs);
}
#endif

#if EVA_PART == 2
#define MOST 2 /* elements */

/* fold_hot.c (fold 3): any number that it may find. */
size_t utet_fold_scan(const fold_layout *layout, const uint8_t *data, size_t count, size_t stride,
                      const utet_fold_arc *arc)
{
    size_t found = 0;

    /*@ assert elements: \valid_read(data + (0 .. (count - 1) * stride + layout->bytes - 1)); */
    /*@ assert \valid_read(arc); */
    while (found < count && Frama_C_interval(0, 1))
        found++;
    (void)layout;
    (void)data;
    (void)stride;
    (void)arc;
    return found;
}

static uint8_t elements[MOST * 8];

/* An operation: its elements are within the part's memory. */
static void any_take(const fold_part *part)
{
    size_t i;

    for (i = 0; i < part->count; i++) {
        (void)utet_fold_load(part->layout, part->data + i * part->stride);
        part->cell[i * part->cell_step] = 0;
    }
}

static void filter(size_t count)
{
    static const utet_fold_operation operation = {.take = any_take};
    static uint8_t cells[MOST];
    uint8_t instead[8];
    fold_part part = {.fold = &fold, .layout = fold.priv.layout, .count = count};

    Frama_C_make_unknown((char *)elements, sizeof elements);
    Frama_C_make_unknown((char *)instead, sizeof instead);
    fold.priv.turn = (uint32_t)Frama_C_interval(0, 1);
    fold.priv.operation = &operation;
    fold.folded = any64();
    /* They end where their memory ends. */
    part.stride = part.layout->bytes;
    part.data = elements + (sizeof elements - count * part.stride);
    part.place = any64();
    part.place_step = any64();
    part.cell = cells + (MOST - count);
    part.cell_step = 1;
    if (count != 0)
        fold_take_passing(&fold, &part);
    (void)utet_fold_mask(&fold, elements + (sizeof elements - count * fold.priv.layout->bytes), count, instead);
}

void eva_main(void)
{
    static const unsigned tags[] = {UTET_U8, UTET_F16, UTET_F32, UTET_I64};
    static const unsigned arcs[] = {0, 1, 2, 8};
    size_t count;
    unsigned t;
    unsigned i;

    (void)utet_fold_mask(&fold, elements, 1, elements);
    fold.priv.file = &file;
    (void)utet_fold_mask(&fold, elements, 1, elements);
    fold.priv.state = FOLD_READY;
    for (t = 0; t < sizeof tags / sizeof *tags; t++)
        for (count = 0; count <= MOST; count++) {
            fold.priv.layout = &utet_dtype_layouts[tags[t]];
            fold.priv.take = NULL;
            filter(count);
            for (i = 0; i < sizeof arcs / sizeof *arcs; i++) {
                fold.priv.take = take_passing;
                fold.priv.arcs = (uint8_t)arcs[i];
                fold.priv.first_passes = 0;
                filter(count);
                fold.priv.first_passes = 1;
                filter(count);
            }
        }
}
#endif
