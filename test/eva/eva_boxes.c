/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Frama-C EVA over what folds read, and where they put it: requests, plans, boxes, runs. EVA_PART 1: folds with all
 * results at once, or in batches; needs. 2: windows, groups and masks. 3: several folds of one selection. 4: in
 * row-major order, in several passes, and transforms. 5: several folds in several passes. An alarm is possible
 * undefined behaviour.
 *
 * eva.sh: 5 parts, x86_32
 *   1: -eva-slevel 5000 -eva-slevel-function eva_main:20000 -warn-special-float none -eva-use-spec utet_div
 *       -eva-split-return-function open_fold:0:1:2,open_once:0:1:2,fold_next_box:0,fold_finish_cells:0
 *       -eva-split-return-function @{test/eva/eva_slab.h src/fold/fold.c src/fold/fold_pieces.c}:0:1:2
 *   2: -eva-slevel 5000 -eva-slevel-function eva_main:20000 -warn-special-float none -eva-use-spec utet_div
 *       -eva-split-return-function open_fold:0:1:2,open_once:0:1:2,fold_next_box:0,fold_finish_cells:0
 *       -eva-split-return-function @{test/eva/eva_slab.h src/fold/fold.c src/fold/fold_by.c}:0:1:2
 *   3: -eva-slevel 5000 -eva-slevel-function eva_main:20000 -warn-special-float none -eva-use-spec utet_div
 *       -eva-split-return-function open_fold:0:1:2,open_once:0:1:2,fold_next_box:0,fold_finish_cells:0
 *       -eva-split-return-function @{test/eva/eva_slab.h src/fold/fold.c
 *       src/fold/fold_by.c src/fold/fold_merge.c src/fold/fold_pieces.c}:0:1:2
 *   4: -eva-slevel 5000 -eva-slevel-function eva_main:20000 -warn-special-float none -eva-use-spec utet_div
 *       -eva-split-return-function
 *      open_fold:0:1:2,open_once:0:1:2,open_transform:0:1:2,fold_next_box:0,fold_finish_cells:0,transform_prepare:0:1:2
 *       -eva-split-return-function @{test/eva/eva_slab.h src/fold/fold.c src/fold/fold_transform.c}:0:1:2
 *   5: -eva-slevel 500 -eva-slevel-function eva_main:2000 -warn-special-float none -eva-use-spec utet_div
 *       -eva-split-return-function open_fold:0:1:2,open_once:0:1:2,fold_next_box:0,fold_finish_cells:0
 *       -eva-split-return-function @{test/eva/eva_slab.h src/fold/fold.c
 *       src/fold/fold_by.c src/fold/fold_merge.c src/fold/fold_pieces.c}:0:1:2
 */
#include "eva_boxes.h"

#if EVA_PART == 1
#include "fold/fold_pieces.c"

static double results[16], others[16];

/* Until all results are there, or an error occurs; the calls after the first one write elsewhere. */
static void run_all(size_t size)
{
    double *to = results;
    utet_status status;

    do {
        status = utet_fold_run(&fold, to + (COUNT(results) - size), size);
        to = others;
        use_kept();
    } while (status == UTET_WOULD_BLOCK || (status == UTET_OK && fold.priv.piece != NULL));
    if (status == UTET_OK || status == UTET_E_ROW)
        (void)utet_fold_run(&fold, results, size);
}

static void all(const utet_fold_operation *operation, uint32_t axes)
{
    if (open_fold(&fold, &file, operation, axes) != UTET_OK)
        return;
    /*@ assert results: fold.results <= 16; */
    if (fold.results != 0)
        (void)utet_fold_run(&fold, results, (size_t)fold.results - 1);
    run_all((size_t)fold.results);
}

static void pieces(const utet_fold_operation *operation, uint32_t axes, size_t size)
{
    if (open_fold(&fold, &file, operation, axes) != UTET_OK)
        return;
    if (utet_fold_pieces(&fold, size) == UTET_OK)
        run_all(size);
}

/* Requests that are refused, and those for the need only. */
static void requests(uint64_t count)
{
    utet_fold_request request = {0};

    file.priv.state = Frama_C_interval(0, 1) ? UTET_STATE_OPEN : UTET_STATE_FAILED;
    file.priv.busy = Frama_C_interval(0, 1) ? UTET_CALL_NONE : UTET_CALL_OPEN;
    request.dataset = Frama_C_interval(0, 1) ? &dataset : NULL;
    request.ranges = Frama_C_interval(0, 1) ? ranges : NULL;
    request.operation = Frama_C_interval(0, 1) ? &any_operation : NULL;
    dataset.dtype = any32();
    dataset.ndim = 1;
    fold_places(&ranges[0], 0, 1, count);
    file.budget = 1000;
    (void)utet_fold_need(&fold, &file, &request);
}

void eva_main(void)
{
    static const shape shapes[] = {{{3}, 1, 1}, {{2, 3}, 2, 2}, {{0, 3}, 1, 2}, {{2, 1, 2}, 3, 3}};
    static const size_t budgets[] = {23, 24, 48, 256};
    static const uint32_t dtypes[] = {UTET_U8, UTET_F64};
    unsigned s, b;
    uint32_t axes;

    requests(0);
    requests(1);
    slab_least = 8;
    slab_best = 32;
    for (s = 0; s < COUNT(shapes); s++)
        for (b = 0; b < COUNT(budgets); b++)
            for (axes = 0; axes >> shapes[s].ndim == 0; axes++) {
                dataset.dtype = dtypes[(s + b) % 2];
                set_shape(&shapes[s], 2);
                set_memory(&file, memory, budgets[b]);
                suspends = (int)(axes & 1u);
                fails = b == 2;
                run_most = 1 + b % 3;
                all(&any_operation, axes);
                set_memory(&file, memory, budgets[b]);
                pieces(&any_operation, axes, 1 + b % 3);
            }
}
#endif

#if EVA_PART == 2 || EVA_PART == 3 || EVA_PART == 5
/* fold_fixed.c has it: words of both, the carry. */
/*@ requires \valid(to + (0 .. count - 1)) && \valid_read(by + (0 .. count - 1));
    assigns \result, to[0 .. count - 1] \from to[0 .. count - 1], by[0 .. count - 1]; */
uint32_t utet_fixed_add(uint32_t *to, const uint32_t *by, unsigned count);
/*@ assigns *cell \from *cell; */ /* cells 1 analyses it; the words of a sum already have any value */
void utet_fold_cell_settle(const fold_layout *layout, fold_cell *cell);
#include "fold/fold_add.c"
#include "fold/fold_by.c"
#include "fold/fold_cuts.c"
#include "fold/fold_slide.c"
#include "fold/fold_whole.c"

/* fold_interval.c (results 4 analyses it). */
/*@ assigns *first, *last \from from, to;
    ensures \initialized(first) && \initialized(last); */
void utet_fold_interval(const fold_layout *layout, uint64_t from, uint64_t to, uint64_t *first, uint64_t *last);
#endif

#if EVA_PART == 2
/* fold_hot.c has it (cells 1): it may stop at any element. */
static size_t group_stops;
size_t utet_fold_group_f32(const fold_part *p, const utet_fold_axis *m, uint64_t i, const utet_fold_cuts *c, uint32_t s)
{
    return group_stops < p->count ? group_stops : p->count;
}

static const utet_fold_operation any_sum = {FOLD_ALL_DTYPES, sizeof(fold_cell), FOLD_SUMS, NULL, any_take, any_finish};
static utet_fold_grouping by;
static double results[16], others[16];
static uint64_t counts[16];

/* Groups of three indices: some existing groups, none, one that does not exist. */
static const uint32_t patterns[][3] = {
    {0, 1, 0}, {UTET_FOLD_LEFT_OUT, 0, 0}, {1, 1, UTET_FOLD_LEFT_OUT}, {7, UTET_FOLD_LEFT_OUT, 1}};

static uint32_t group_of(void *context, uint64_t place)
{
    const uint32_t *pattern = context;

    /*@ assert place: place <= 2; */
    return pattern[place];
}

static void run_all(void)
{
    const size_t size = (size_t)fold.results;
    double *to = results;
    utet_status status;

    /*@ assert results: size <= 16; */
    if (by.counts != NULL)
        by.counts = counts + (COUNT(counts) - size);
    do { /* the calls after the first one write elsewhere */
        status = utet_fold_run(&fold, to + (COUNT(results) - size), size);
        to = others;
        use_kept();
    } while (status == UTET_WOULD_BLOCK);
}

static void grouped(const utet_fold_operation *operation, uint32_t axes)
{
    if (open_fold(&fold, &file, operation, axes) == UTET_OK && utet_fold_group(&fold, &by) == UTET_OK)
        run_all();
}

/* A pad of any fill, for each dtype; and refused pads. */
static void pads(void)
{
    static const shape two = {{2}, 1, 1};
    unsigned tag;

    (void)utet_fold_group(&fold, &by);
    set_shape(&two, 1);
    for (tag = UTET_F32; tag <= UTET_U64; tag++) {
        set_memory(&file, memory, 64);
        dataset.dtype = tag;
        if (open_fold(&fold, &file, &any_operation, 0) != UTET_OK)
            return;
        Frama_C_make_unknown((char *)&by.window, sizeof by.window);
        by.window.size = 2; /* a window that may lack elements: the pad is used */
        fold.priv.has_fill = (uint8_t)Frama_C_interval(0, 1);
        fold.priv.fill = any64();
        (void)utet_fold_group(&fold, &by);
    }
}

static const shape shapes[] = {{{3}, 1, 1}, {{2, 3}, 2, 2}, {{2, 1, 2}, 3, 3}};
static const size_t budgets[] = {32, 48, 72, 8 + 5 * 64};

/* Windows that overlap, with memory for at least four of them. */
static const shape long_shapes[] = {{{9}, 1, 1}, {{2, 8}, 2, 2}, {{9, 2}, 2, 2}};
static const uint64_t sizes[][2] = {{1, 0}, {2, 0}, {2, 1}, {1, 2}};
static const uint64_t long_sizes[][2] = {{4, 1}, {8, 2}, {5, 1}, {9, 2}};

static void windows(const shape *list, const uint64_t size[4][2])
{
    unsigned s, b, w, align, pad;

    for (s = 0; s < COUNT(shapes); s++)
        for (w = 0; w < COUNT(sizes); w++)
            for (pad = UTET_FOLD_PAD_NONE; pad <= UTET_FOLD_PAD_ZERO; pad++)
                for (align = UTET_FOLD_ALIGN_START; align <= UTET_FOLD_ALIGN_END; align++) {
                    b = list == shapes ? (w + align) % COUNT(budgets) : 3;
                    dataset.dtype = UTET_F32;
                    set_shape(&list[s], 2);
                    set_memory(&file, memory, budgets[b]);
                    by.window.size = size[w][0];
                    by.window.step = size[w][1];
                    by.window.mode = size[w][1] != 0 ? UTET_FOLD_ROLLING : UTET_FOLD_BINS;
                    by.window.axis = (uint8_t)((w + pad) % list[s].ndim);
                    by.window.pad = (uint8_t)pad;
                    by.window.align = (uint8_t)align;
                    by.window.min_count = w;
                    by.counts = align != 0 ? counts : NULL;
                    run_most = 1 + (w + s) % 3;
                    grouped(pad != 0 ? &any_places : &any_operation, 2);
                }
    by.window.size = 0;
}

/* Groups along an axis, or a mask; sums of f32 stop after up to three elements. */
static void groups(void)
{
    unsigned s, d;
    uint32_t many;

    for (s = 0; s < COUNT(shapes); s++)
        for (d = 0; d < shapes[s].ndim; d++)
            for (many = 0; many < 3; many++) {
                dataset.dtype = many != 2 ? UTET_U8 : UTET_F32;
                set_shape(&shapes[s], 2);
                set_memory(&file, memory, budgets[many != 2 ? many + d : 3]);
                by.axis[d].group_of = group_of;
                by.axis[d].context = (void *)patterns[(s + d + many) % COUNT(patterns)];
                by.axis[d].groups = many;
                by.counts = d != 0 ? counts : NULL;
                run_most = 1 + (many + s) % 3;
                grouped(many != 2 ? &any_operation : &any_sum, 1);
                by.axis[d].group_of = NULL;
                by.axis[d].groups = 0;
            }
}

void eva_main(void)
{
    slab_least = 8;
    slab_best = 32;
    pads();
    windows(shapes, sizes);
    windows(long_shapes, long_sizes);
    for (group_stops = 0; group_stops < 4; group_stops++)
        groups();
}
#endif

#if EVA_PART == 3 || EVA_PART == 5
#include "fold/fold_merge.c"
#include "fold/fold_pieces.c"

static const utet_fold_operation any_sums = {FOLD_ALL_DTYPES, sizeof(fold_cell), FOLD_SUMS | FOLD_SQUARES, NULL,
                                             any_take,        any_finish};

/* A list of operations (cells 8): its results come from its turns. */
static utet_status any_list_prepare(utet_fold *of, const utet_fold_request *request);
static void any_choose(utet_fold *of, size_t budget)
{
    (void)utet_fold_set_cells(of, budget, of->priv.least_bytes + of->priv.extra_bytes);
}

static int any_again(utet_fold *of, double *to)
{
    size_t i;

    for (i = 0; i < of->priv.cells * of->priv.values; i++)
        to[i] = (double)Frama_C_interval(0, 9);
    return 0;
}

static const utet_fold_operation any_list = {FOLD_ALL_DTYPES, 0, 0, any_list_prepare, any_take, NULL};

static utet_status any_list_prepare(utet_fold *of, const utet_fold_request *request)
{
    static const fold_turns turns = {NULL, any_choose, any_again};
    static const utet_fold_operation *const list[] = {&any_places, &any_sums, NULL};

    (void)request;
    of->priv.least_bytes = fold_operation_bytes(&any_places, of->priv.layout) +
                           fold_operation_bytes(&any_sums, of->priv.layout);
    of->priv.own.list.operations = list;
    of->priv.values = 2;
    of->priv.turns = &turns;
    return UTET_OK;
}

/* Operations in two passes. */
static int any_further(utet_fold *of, double *to)
{
    return of->priv.turn == 0 || any_again(of, to);
}

static utet_status any_ranks_prepare(utet_fold *of, const utet_fold_request *request)
{
    static const fold_turns turns = {NULL, any_choose, any_further, FOLD_RANKS};

    (void)request;
    of->priv.wide_bytes = of->priv.least_bytes;
    of->priv.turns = &turns;
    return UTET_OK;
}

static utet_status any_bins_prepare(utet_fold *of, const utet_fold_request *request)
{
    static const fold_turns turns = {NULL, any_choose, any_further, FOLD_BINS};

    (void)request;
    of->priv.wide_bytes = of->priv.least_bytes;
    of->priv.turns = &turns;
    of->priv.has_range = (uint8_t)Frama_C_interval(0, 1);
    return UTET_OK;
}

static const utet_fold_operation any_ranks = {
    FOLD_ALL_DTYPES, sizeof(fold_rank) + 8, 0, any_ranks_prepare, any_take, NULL};
static const utet_fold_operation any_bins = {
    FOLD_ALL_DTYPES, sizeof(fold_bins) + 8, 0, any_bins_prepare, any_take, NULL};

static utet_fold other;
static utet_file other_file;
static uint64_t other_memory[MEMORY];
static utet_fold_grouping by;
static utet_fold_grouping other_by;
static double results[16];

/* Whether the next run begins a tile, which happens once in a block, and which tile. */
static unsigned tiles;

int utet_slab_between(const utet_slab *slab)
{
    (void)slab;
    return tiles != 0;
}

void utet_slab_pass(utet_slab *slab)
{
    tiles--;
    slab->priv.chunk.coords[0] = any64();
}

static utet_status join(void *context, utet_fold *into)
{
    (void)context;
    if (suspends && !suspended) {
        suspended = 1;
        return UTET_WOULD_BLOCK;
    }
    suspended = 0;
    return utet_fold_merge(into, &other);
}

/* The other part reads the next pass. */
static utet_status again(void *context, utet_fold *first)
{
    utet_status status;

    (void)context;
    status = utet_fold_follow(&other, first);
    tiles = 1;
    while (status == UTET_OK || status == UTET_WOULD_BLOCK) {
        status = utet_fold_run(&other, NULL, 0);
        if (status == UTET_OK)
            break;
    }
    tiles = 1;
    return status;
}

/* Each fold reads its part, and one gives the results of both. */
static void both(const utet_fold_operation *operation, uint32_t axes, int grouped, size_t pieces)
{
    utet_fold_share share = {.part = 0, .parts = 2, .join = join, .again = again};
    utet_fold_share other_share = {.part = 1, .parts = 2};
    utet_status status;
    size_t size;

    if (open_fold(&fold, &file, operation, axes) != UTET_OK)
        return;
    if (grouped && utet_fold_group(&fold, &by) != UTET_OK)
        return;
    if (pieces != 0 && utet_fold_pieces(&fold, pieces) != UTET_OK)
        return;
    if (utet_fold_divide(&fold, &share) != UTET_OK)
        return;
    if (open_fold(&other, &other_file, operation, axes) != UTET_OK ||
        (grouped && utet_fold_group(&other, &other_by) != UTET_OK))
        return;
    if (utet_fold_divide(&other, &other_share) != UTET_OK)
        return;
    tiles = 1;
    do
        status = utet_fold_run(&other, NULL, 0);
    while (status == UTET_WOULD_BLOCK);
    size = (size_t)fold.results;
    /*@ assert results: size <= 16; */
    tiles = 1;
    do
        status = utet_fold_run(&fold, results + (COUNT(results) - size), size);
    while (status == UTET_WOULD_BLOCK);
    (void)utet_fold_run(&fold, results + (COUNT(results) - size), size);
    /* Invalid, or of another request. */
    (void)utet_fold_merge(&fold, &other);
    (void)utet_fold_follow(&other, &fold);
    share.priv.state = FOLD_PART_READ;
    other_share.priv.state = FOLD_PART_READ;
    other.priv.cells = (size_t)Frama_C_interval(0, 1);
    other_share.priv.from = any64();
    (void)utet_fold_merge(&fold, &other);
}

void eva_main(void)
{
    static const shape shapes[] = {{{3}, 1, 1}, {{2, 3}, 2, 2}, {{0, 3}, 1, 2}};
#if EVA_PART == 3
    static const utet_fold_operation *const operations[] = {&any_operation, &any_places, &any_sums, &any_list};
#else
    static const utet_fold_operation *const operations[] = {&any_ranks, &any_bins};
#endif
    static const size_t budgets[] = {256, 512};
    unsigned s, o, grouped;

    slab_least = 8;
    slab_best = 32;
    for (s = 0; s < (EVA_PART == 3 ? COUNT(shapes) : 1); s++)
        for (o = 0; o < COUNT(operations); o++)
            for (grouped = 0; grouped < (EVA_PART == 3 ? 2 : 1); grouped++) {
                dataset.dtype = s == 0 ? UTET_I32 : UTET_U8;
                set_shape(&shapes[s], 1 + (uint64_t)o);
                set_memory(&file, memory, budgets[s % 2]);
                set_memory(&other_file, other_memory, budgets[s % 2]);
                suspends = (int)grouped;
                fails = o == 0;
                run_most = 2;
                by.window.size = other_by.window.size = 1;
                both(operations[o], o, (int)grouped, o == 2 ? 16 : 0);
            }
}
#endif

#if EVA_PART == 4
#include "fold/fold_product.c"

#include "fold/fold_turns.c"

/* Fold_ieee.c has them (results 2). */
/*@ assigns \result \from a, b; */
uint64_t utet_fold_quotient(uint64_t a, uint64_t b);
/*@ assigns \result \from a; */
uint32_t utet_fold_narrow(uint64_t a);

#include "fold/fold_transform.c"

static double results[16], others[16];

static void run_fold(const utet_fold_operation *operation, uint32_t axes)
{
    double *to = results;
    utet_status status;
    size_t size;

    if (open_fold(&fold, &file, operation, axes) != UTET_OK)
        return;
    size = (size_t)fold.results;
    /*@ assert results: size <= 16; */
    do { /* the calls after the first one write elsewhere */
        status = utet_fold_run(&fold, to + (COUNT(results) - size), size);
        to = others;
        use_kept();
    } while (status == UTET_WOULD_BLOCK);
}

/* An operation in two passes with cells of 16 bytes, in one with cells of 24. */
static uint32_t any_passes(const utet_fold *of)
{
    return of->priv.own_bytes < 24 ? 2 : 1;
}

static int any_again(utet_fold *of, double *to)
{
    size_t i;

    if (of->priv.turn + 1 < any_passes(of))
        return 1;
    for (i = 0; i < of->priv.cells; i++)
        to[i] = utet_fold_value(any_finish(of, of->priv.layout, fold_cell_at(of, i)));
    return 0;
}

static utet_status any_prepare(utet_fold *of, const utet_fold_request *request)
{
    static const fold_turns several = {any_passes, utet_fold_choose_cells, any_again};

    (void)request;
    of->priv.wide_bytes = 24;
    of->priv.turns = &several;
    return UTET_OK;
}

static const utet_fold_operation any_turns = {FOLD_ALL_DTYPES, 16, 0, any_prepare, any_take, NULL};
static const utet_fold_operation any_ordered = {FOLD_ALL_DTYPES, 16, 0, product_prepare, any_take, any_finish};

static uint64_t any_apply(uint64_t value, const uint64_t *statistics)
{
    (void)value;
    (void)statistics;
    return Frama_C_interval(0, 1) ? any64() : TRANSFORM_UNDEFINED;
}

#define METHOD(statistics, passes)                                                                                \
    {                                                                                                             \
        {TRANSFORM_FLOATS, 16, 0, utet_transform_prepare, utet_transform_take, NULL}, &any_operation, statistics, \
            passes, 0, utet_transform_settle, utet_transform_fold, utet_transform_fold, any_apply                 \
    }

static utet_transform transform;
static uint8_t answers[8 * 8];

static utet_status open_transform(const utet_transform_method *method, uint32_t axes)
{
    const utet_fold_request request = {.dataset = &dataset, .ranges = ranges, .axes = axes};

    return utet_transform_open(&transform, &file, &request, method);
}

static void transformed(const utet_transform_method *method, uint32_t axes, uint64_t from, size_t size, int tells)
{
    utet_transform_into into = {.elements = answers + (sizeof answers - size), .size = size, .from = from};
    utet_status status;

    into.statistics = tells ? results : NULL;
    into.room = COUNT(results);
    own_bytes = 16;
    do {
        status = open_transform(method, axes);
        use_kept();
    } while (status == UTET_WOULD_BLOCK);
    if (status != UTET_OK)
        return;
    /*@ assert results: transform.fold.results <= 16; */
    transform.undefined = any64();
    do
        status = utet_transform_run(&transform, &into);
    while (status == UTET_WOULD_BLOCK);
}

void eva_main(void)
{
    static const shape shapes[] = {{{3}, 1, 1}, {{2, 3}, 2, 2}, {{2, 1, 2}, 3, 3}, {{0, 3}, 1, 2}};
    static const size_t budgets[] = {24, 40, 72, 256};
    static const utet_transform_method two = METHOD(1, 2);
    static const utet_transform_method three = METHOD(1, 3);
    const utet_transform_into nothing = {0};
    const utet_fold_request request = {.dataset = &dataset, .ranges = ranges};
    unsigned s, b;

    (void)utet_transform_run(&transform, &nothing);
    (void)utet_transform_open(&transform, &file, &request, NULL);
    slab_least = 8;
    slab_best = 32;
    for (s = 0; s < COUNT(shapes); s++)
        for (b = 0; b < COUNT(budgets); b++) {
            dataset.dtype = b % 2 != 0 ? UTET_F64 : UTET_F32;
            set_shape(&shapes[s], 1 + b % 3);
            suspends = (int)(b & 1u);
            fails = b == 2;
            run_most = 1 + (s + b) % 3;
            set_memory(&file, memory, budgets[b]);
            run_fold(&any_turns, s + b);
            set_memory(&file, memory, budgets[b]);
            run_fold(&any_ordered, 7 - b);
            set_memory(&file, memory, budgets[b]);
            transformed(b < 2 ? &two : &three, b, b == 3, b == 0 ? 0 : 8 * 4, s < 2);
        }
    (void)utet_transform_need(&transform, &file, &request, &two);
}
#endif
