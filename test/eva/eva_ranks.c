/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Frama-C EVA over operations of folds in several passes, elements of any bits and cells in any state.
 * EVA_PART 1: histograms; 2: quantiles. An alarm is possible undefined behaviour.
 *
 * eva.sh: 2 parts, x86_32, x86_64, ppc_32
 *   1: -eva-min-loop-unroll 140 -eva-slevel-function eva_main:1000,counted:1000,histogram_take:200
 *       -eva-slevel-function exact_bin:200,histogram_find_range:200
 *       -eva-split-return-function histogram_scale:0:1 -eva-use-spec utet_fold_count_bins
 *       -warn-special-float none
 *   2: -eva-min-loop-unroll 260 -eva-slevel-function eva_main:1000,quantile_position:1100
 *       -eva-slevel-function place_of:100,quantile_interpolate:100
 *       -warn-special-float none
 */
#include "eva_any.h"

#include "base/bytes.c"
#include "fold/fold_binary.c"
#include "fold/fold_double.c"
#include "fold/fold_element.c"
#include "fold/fold_wide.c"

/* Fold_turns.c has it (boxes 4). */
/*@ assigns \nothing; */
void utet_fold_choose_cells(utet_fold *fold, size_t memory);

static utet_fold fold;
static utet_file file;
static uint8_t data[2 * 8];

/* One of each size and kind. */
static const uint32_t tags[] = {UTET_U8, UTET_F16, UTET_I32, UTET_F32, UTET_I64, UTET_F64};

#define COUNT(list) (sizeof(list) / sizeof *(list))

/* Two elements of any bits, for one cell or a cell each. */
static void any_part(fold_part *part, uint8_t *cell, size_t step)
{
    Frama_C_make_unknown((char *)data, sizeof data);
    part->fold = &fold;
    part->layout = fold.priv.layout;
    part->count = 2;
    part->stride = part->layout->bytes;
    part->data = data + (sizeof data - 2 * part->stride);
    part->cell = cell;
    part->cell_step = step;
    part->place = any64();
    part->place_step = any64();
}

#if EVA_PART == 1
#include "fold/fold_histogram.c"

#define BINS 20 /* with 16 counters: two passes */

static struct {
    bins head;
    uint64_t counter[FEW];
} cells[2];

/* Only counters change; rank_bin, which does the work, is analysed on its own. */
/*@ assigns \result, cells[0].counter[0 .. FEW - 1], cells[1].counter[0 .. FEW - 1] \from from, *part, *scale;
    ensures from <= \result <= part->count; */
size_t utet_fold_count_bins(const fold_part *part, size_t from, const fold_scale *scale);
#include "fold/fold_ranks.c"

/* Exponents of differences of two elements are between these. */
static void any_binary(utet_fold_binary *number, int zero)
{
    number->magnitude = zero ? 0 : (uint64_t)1 << 52 | any64() >> 12;
    number->exponent = Frama_C_interval(-1126, 2048);
    number->negative = (unsigned)Frama_C_interval(0, 1);
}

/* As a pass has left them: the range is being looked for, or known. */
static void any_cells(int ranged, int zero)
{
    unsigned i;

    Frama_C_make_unknown((char *)cells, sizeof cells);
    for (i = 0; i < 2; i++) {
        if (ranged) {
            any_binary(&cells[i].head.range.minus_low, 0);
            any_binary(&cells[i].head.width, zero);
            cells[i].head.width.negative = 0;
        }
        cells[i].head.seen = ranged ? 1 : any64();
    }
}

static void counted(unsigned tag, int zero)
{
    double results[2 * (BINS + 2)];
    fold_part part;
    unsigned turn;
    unsigned step;

    fold.priv.layout = &utet_dtype_layouts[tag];
    any_binary(&fold.priv.own.range.minus_low, zero);
    any_binary(&fold.priv.own.range.width, zero);
    fold.priv.own.range.width.negative = 0;
    fold.priv.own.range.high = any64() & 0x7FEFFFFFFFFFFFFFu;
    for (turn = 0; turn < histogram_passes(&fold); turn++)
        for (step = 0; step < 2; step++) {
            fold.priv.turn = turn;
            any_cells(turn != 0 || (fold.priv.has_range && step != 0), zero);
            if (fold.priv.has_range && step == 0)
                cells[0].head.seen = cells[1].head.seen = 0;
            any_part(&part, (uint8_t *)&cells[0], step * sizeof cells[0]);
            histogram_take(&part);
            any_cells(turn != 0 || fold.priv.has_range, zero);
            if (turn == 0 && !fold.priv.has_range)
                cells[0].head.range.keys.low = cells[0].head.range.keys.high = any64() & fold_most(fold.priv.layout);
            (void)histogram_again(&fold, results);
        }
}

/* Elements of any bits, scales of any numbers. */
static void binned(unsigned tag)
{
    fold_scale scale;
    fold_part part;
    size_t from;

    fold.priv.layout = &utet_dtype_layouts[tag];
    if (fold.priv.layout->bytes == 8)
        return;
    for (from = 0; from < 2; from++) {
        any_cells(1, 0);
        any_part(&part, (uint8_t *)&cells[0], from * sizeof cells[0]);
        part.count = 1 + from;
        Frama_C_make_unknown((char *)&scale, sizeof scale);
        scale.counters = sizeof(bins);
        scale.up = (uint8_t)Frama_C_interval(0, 31);
        scale.down = (uint32_t)Frama_C_interval(2, 31);
        scale.bits = (uint8_t)Frama_C_interval(7, 27);
        scale.many = FEW;
        (void)rank_bin(&part, from, &scale, fold.priv.layout);
    }
}

static void prepared(void)
{
    utet_fold_request request = {0};

    request.bins = (uint16_t)any32();
    (void)histogram_prepare(&fold, &request);
    request.bins = BINS;
    request.has_range = 1;
    request.low = utet_fold_value(any64());
    request.high = utet_fold_value(any64());
    (void)histogram_prepare(&fold, &request);
}

void eva_main(void)
{
    unsigned t;
    unsigned i;
    utet_fold_binary value;
    utet_fold_binary by;

    fold.priv.layout = &utet_dtype_layouts[UTET_F64];
    prepared();
    (void)utet_fold_edge(utet_fold_value(any64() & 0x7FEFFFFFFFFFFFFFu), utet_fold_value(any64() & 0x7FEFFFFFFFFFFFFFu),
                         (uint32_t)Frama_C_interval(1, UTET_FOLD_MAX_BINS),
                         (uint32_t)Frama_C_interval(0, UTET_FOLD_MAX_BINS));
    fold.priv.bins = BINS;
    fold.priv.values = BINS + 2;
    fold.priv.cells = 2;
    fold.priv.cell_bytes = sizeof cells[0];
    fold.priv.own_bytes = sizeof cells[0];
    fold.priv.file = &file;
    file.priv.work = (uint8_t *)cells;
    for (t = 0; t < COUNT(tags); t++)
        for (i = 0; i < 2; i++) {
            fold.priv.has_range = (uint8_t)i;
            counted(tags[t], 0);
            if (t == 0)
                counted(tags[t], 1);
        }
    binned(UTET_U8);
    binned(UTET_I32);
    binned(UTET_F32);
    any_binary(&value, 0);
    any_binary(&by, 0);
    (void)histogram_quotient(&value, &by, any32());
}
#endif

#if EVA_PART == 2
#include "fold/fold_ranks.c"

#include "fold/fold_quantile.c"

static struct {
    rank head;
    uint64_t counter[1u << LONG];
} cells[2];

/* As a pass has left them. */
static void any_cells(void)
{
    Frama_C_make_unknown((char *)cells, sizeof cells);
    cells[0].head.count = any64() >> 1;
    cells[1].head.count = any64() >> 1;
}

/* The next keys that a pass may have found. */
static void any_keys(rank *cell)
{
    cell->digits = any64() & fold_most(fold.priv.layout);
    cell->next = Frama_C_interval(0, 1) ? UINT64_MAX : any64() & fold_most(fold.priv.layout);
}

static void ranked(uint32_t turn)
{
    double results[2];
    fold_part part;

    fold.priv.turn = turn;
    any_cells();
    any_part(&part, (uint8_t *)&cells[0], 0);
    quantile_take(&part);
    any_cells();
    any_part(&part, (uint8_t *)&cells[0], sizeof cells[0]);
    quantile_take(&part);
    any_cells();
    any_keys(&cells[0].head);
    any_keys(&cells[1].head);
    (void)quantile_again(&fold, results);
}

void eva_main(void)
{
    static const uint64_t qs[] = {0,
                                  1,                   /* 2^-1074 */
                                  0x3BF0000000000001u, /* more than 64 bits after the point */
                                  0x3FB999999999999Au, /* 0.1 */
                                  0x3FE0000000000000u, /* 0.5 */
                                  0x3FEFFFFFFFFFFFFFu,
                                  FOLD_DOUBLE_ONE};
    static const unsigned bits[] = {SHORT, LONG};
    static utet_range ranges[UTET_MAX_NDIM];
    static utet_dataset dataset;
    utet_fold_request request = {0};
    unsigned t;
    unsigned q;

    Frama_C_make_unknown((char *)&dataset, sizeof dataset);
    Frama_C_make_unknown((char *)ranges, sizeof ranges);
    request.ranges = ranges;
    dataset.ndim = UTET_MAX_NDIM;
    request.dataset = &dataset;
    request.axes = any32();

    fold.priv.cells = 2;
    fold.priv.cell_bytes = sizeof cells[0];
    fold.priv.file = &file;
    file.priv.work = (uint8_t *)cells;
    for (t = 0; t < COUNT(tags); t++) {
        fold.priv.layout = &utet_dtype_layouts[tags[t]];
        request.q = utet_fold_value(any64());
        (void)prepare_quantile(&fold, &request);
        (void)prepare_median(&fold, &request);
        for (q = 0; q < COUNT(qs); q++) {
            fold.priv.own.q = qs[q];
            fold.priv.own_bytes = sizeof(rank) + ((size_t)8 << bits[(t + q) % 2]);
            if (q < 2) {
                ranked(0);
                ranked(1);
            }
            ranked(quantile_passes(&fold) - 1);
        }
    }
}
#endif
