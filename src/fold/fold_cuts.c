/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * A fold by cuts (fold_by.c): boxes of them, the runs into their cells, and what pads and min_count make of a cell. A
 * run is taken once for each window that it reaches into, and in stretches of elements with the same group.
 */
#include "fold.h"

#define NOWHERE SIZE_MAX
#define OF_PAD ((uint64_t)1 << 63) /* in a place: behind all elements */

/* Each place is a cut. */
static int stays(const utet_fold_grouping *by, unsigned d)
{
    return !fold_windowed(by, d) && by->priv.axis[d].step == 1;
}

/* ---- boxes ---- */

/* How many cuts are in the box under way. */
static size_t cuts_of(const utet_fold_cuts *axis)
{
    uint64_t left = axis->cuts - axis->from;

    return (size_t)(left < axis->box ? left : axis->box);
}

/* To the first place of the cuts of the box. */
static void enter(utet_fold_span *span, utet_fold_cuts *axis)
{
    uint64_t lead = axis->lead;
    uint64_t from = axis->from * axis->step;

    span->at = from > lead ? from - lead : 0;
    axis->end = from + (cuts_of(axis) - 1) * axis->step + axis->size - lead;
    if (axis->end > span->count)
        axis->end = span->count;
}

/* As set_boxes in fold.c; where elements must come in order, places of an axis are read one by one if a reduced axis
 * behind it lies in several tiles. */
static void set_boxes(utet_fold *fold, uint64_t room)
{
    utet_fold_grouping *by = fold->priv.grouping;
    unsigned d = fold->priv.ndim;
    int across = 0;

    fold->boxes = 1;
    while (d-- != 0) {
        utet_fold_span *span = &fold->priv.axis[d];
        utet_fold_cuts *axis = &by->priv.axis[d];

        axis->from = 0;
        axis->box = axis->cuts < room ? axis->cuts : room;
        room = utet_div(room, axis->box);
        if (axis->box < axis->cuts)
            room = 1;
        span->box = span->count;
        fold->boxes = utet_mul(fold->boxes, utet_div_up(axis->cuts, axis->box));
        enter(span, axis);
        if (fold->priv.order == NULL || stays(by, d))
            continue;
        if (across) {
            uint64_t places = (axis->box - 1) * axis->step + axis->size;

            span->box = 1;
            fold->boxes = utet_mul(fold->boxes, places < span->count ? places : span->count);
        }
        across |= fold_across(fold, d);
    }
}

static void set_box(utet_fold *fold)
{
    unsigned d = fold->priv.ndim;

    while (d-- != 0) {
        utet_fold_span *span = &fold->priv.axis[d];
        const utet_fold_cuts *axis = &fold->priv.grouping->priv.axis[d];
        uint64_t count = axis->end - span->at;

        if (count > span->box)
            count = span->box;
        fold_places(&fold->priv.ranges[d], &span->whole, span->at, count);
        span->cell = fold->priv.cells;
        fold->priv.cells *= cuts_of(axis);
    }
}

static int next_box(utet_fold *fold, uint8_t other_results)
{
    unsigned d = fold->priv.ndim;

    while (d-- != 0) {
        utet_fold_span *span = &fold->priv.axis[d];
        utet_fold_cuts *axis = &fold->priv.grouping->priv.axis[d];

        if (!other_results) {
            if (axis->end - span->at > span->box) {
                span->at += span->box;
                return 1;
            }
        } else if (axis->cuts - axis->from > axis->box) {
            axis->from += axis->box;
            enter(span, axis);
            return 1;
        } else {
            axis->from = 0;
        }
        enter(span, axis);
    }
    return 0;
}

/* ---- runs ---- */

/* Which cut of the box a place of the axis belongs to, 0 for windows; NOWHERE: none. */
static size_t cut_at(const utet_fold_grouping *by, unsigned d, uint64_t place)
{
    const utet_fold_axis *map = &by->axis[d];
    const utet_fold_cuts *axis = &by->priv.axis[d];
    uint64_t cut = stays(by, d) ? place - axis->from : 0;

    if (map->of != NULL) {
        uint32_t group = map->of(map->context, place);

        if (group == UTET_FOLD_LEFT_OUT)
            return NOWHERE;
        if (map->groups != 0)
            cut = group - axis->from;
    }
    return cut < cuts_of(axis) ? (size_t)cut : NOWHERE;
}

static uint64_t *counter(const utet_fold *fold, uint8_t *cell)
{
    return (void *)(cell + fold->priv.cell_bytes - sizeof(uint64_t));
}

/* On in the run, with the same cell. */
static void skip(fold_part *part, size_t count)
{
    part->data += count * part->stride;
    part->place += count * part->place_step;
}

/* Elements whose cells are known. */
static void put(utet_fold *fold, const fold_part *part, size_t count)
{
    int counted = fold->priv.grouping->priv.counted;
    size_t one = part->cell_step != 0 && counted ? 1 : count;
    fold_part rest = *part;

    for (;;) {
        uint64_t before = fold->folded;
        fold_part now = rest;

        utet_fold_take(fold, &now, one);
        if (counted)
            *counter(fold, rest.cell) += fold->folded - before;
        count -= one;
        if (count == 0)
            return; /* no step over the end, however large */
        skip(&rest, one);
        rest.cell += rest.cell_step;
    }
}

/* Elements from place `at` of the last axis on, in stretches with one cell, or, where the axis stays, with cells in a
 * row. */
static void put_stretches(utet_fold *fold, fold_part *part, uint64_t at, size_t count)
{
    const utet_fold_grouping *by = fold->priv.grouping;
    unsigned last = fold->priv.ndim - 1u;
    unsigned step = stays(by, last) ? 1 : 0;
    size_t each = fold->priv.axis[last].cell * fold->priv.cell_bytes;
    uint8_t *cell = part->cell;

    part->cell_step = step * each;
    for (;;) {
        size_t cut = cut_at(by, last, at);
        size_t same = by->axis[last].of != NULL ? 1 : count;

        while (same < count && cut_at(by, last, at + same) == (cut == NOWHERE ? cut : cut + same * step))
            same++;
        if (cut != NOWHERE) {
            part->cell = cell + cut * each;
            put(fold, part, same);
        }
        count -= same;
        if (count == 0)
            return;
        skip(part, same);
        at += same;
    }
}

/* A run into each window that it reaches. */
static void put_windows(utet_fold *fold, const fold_part *part, uint64_t at, size_t count)
{
    const utet_fold_grouping *by = fold->priv.grouping;
    unsigned d = by->window.axis;
    const utet_fold_cuts *axis = &by->priv.axis[d];
    const utet_fold_span *span = &fold->priv.axis[d];
    int along = d == fold->priv.ndim - 1u;
    uint64_t first = axis->now + axis->lead; /* places from here on count from where window 0 begins */
    uint64_t last = along ? first + (count - 1) : first;
    uint64_t cut = first >= axis->size ? utet_div(first - axis->size, axis->step) + 1 : 0;
    size_t i = cut > axis->from ? (size_t)(cut - axis->from) : 0;
    uint64_t begin = (axis->from + i) * axis->step;
    size_t behind = cuts_of(axis);

    for (; i < behind && begin <= last; i++, begin += axis->step) {
        uint64_t from = begin > first ? begin : first;
        uint64_t to = begin + (axis->size - 1);
        fold_part some = *part;

        if (to > last)
            to = last;
        /* Places in front of the first one count where they are padded. */
        some.place += (from - (by->window.pad == UTET_FOLD_PAD_NONE && begin < axis->lead ? axis->lead : begin)) *
                      span->place;
        some.data += (size_t)(from - first) * some.stride;
        some.cell += i * span->cell * fold->priv.cell_bytes;
        put_stretches(fold, &some, at + (from - first), along ? (size_t)(to - from) + 1 : count);
    }
}

static utet_status take_run(utet_fold *fold)
{
    utet_fold_grouping *by = fold->priv.grouping;
    utet_slab *slab = &fold->priv.slab;
    unsigned last = fold->priv.ndim - 1u;
    utet_run *run = &fold->priv.run;
    fold_part part;
    utet_status status;
    size_t cell = 0;
    unsigned d;

    for (d = 0; d <= last; d++)
        by->priv.axis[d].now = fold->priv.axis[d].at + slab->axis[d].priv.base + slab->axis[d].priv.place;
    status = utet_slab_run(slab, run);
    if (status != UTET_OK)
        return status;
    part.place = 0;
    for (d = 0; d <= last; d++) {
        const utet_fold_span *span = &fold->priv.axis[d];
        uint64_t now = by->priv.axis[d].now;

        if (d != last) {
            size_t cut = cut_at(by, d, now);

            if (cut == NOWHERE)
                return UTET_OK;
            cell += cut * span->cell;
        }
        if (!fold_windowed(by, d))
            part.place += now * span->place;
    }
    part.fold = fold;
    part.layout = &utet_dtype_layouts[fold->priv.dtype];
    part.data = run->data;
    part.count = run->count;
    part.stride = run->stride;
    part.cell = fold_cell_at(fold, cell);
    part.cell_step = 0;
    part.place_step = fold->priv.axis[last].place;
    if (by->window.size != 0)
        put_windows(fold, &part, by->priv.axis[last].now, run->count);
    else
        put_stretches(fold, &part, by->priv.axis[last].now, run->count);
    return UTET_OK;
}

/* ---- results ---- */

/* What window number `cut` lacks: a pad for each element. */
static void put_pads(const utet_fold *fold, void *cell, uint64_t cut)
{
    const utet_fold_grouping *by = fold->priv.grouping;
    const utet_fold_cuts *axis = &by->priv.axis[by->window.axis];
    const utet_fold_span *span = &fold->priv.axis[by->window.axis];
    uint64_t begin = cut * axis->step;
    uint64_t end = span->count + axis->lead;
    uint64_t before = begin < axis->lead ? axis->lead - begin : 0;
    uint64_t after = begin + axis->size > end ? begin + axis->size - end : 0;
    uint64_t left = (before + after) * by->priv.others;
    fold_part part;

    part.fold = fold;
    part.layout = &utet_dtype_layouts[fold->priv.dtype];
    part.data = by->priv.pad;
    part.stride = 0;
    part.cell = cell;
    part.cell_step = 0;
    part.place = OF_PAD | (before != 0 ? 0 : axis->size - after) * span->place;
    part.place_step = 0;
    while (left != 0) {
        part.count = left < 0x4000 ? (size_t)left : 0x4000u;
        fold->priv.operation->take(&part);
        left -= part.count;
    }
}

static uint64_t result_of(const utet_fold *fold, size_t i)
{
    const utet_fold_grouping *by = fold->priv.grouping;
    const utet_fold_cuts *axis = &by->priv.axis[by->window.axis];
    const utet_fold_span *span = &fold->priv.axis[by->window.axis];
    void *cell = fold_cell_at(fold, i);

    if (by->window.size != 0) {
        uint64_t counted = *counter(fold, cell);

        if (counted < by->window.min_count || counted == 0)
            return FOLD_DOUBLE_NAN;
        if (by->window.pad != UTET_FOLD_PAD_NONE)
            put_pads(fold, cell, axis->from + i / span->cell % cuts_of(axis));
        if (fold->priv.operation->places) {
            fold_extreme *extreme = cell;
            uint64_t place = utet_div(extreme->place & ~OF_PAD, span->place);

            extreme->place = place - utet_div(place, axis->size) * axis->size;
        }
    }
    return fold->priv.operation->finish(fold, &utet_dtype_layouts[fold->priv.dtype], cell);
}

static void finish(utet_fold *fold, double *results)
{
    const utet_fold_grouping *by = fold->priv.grouping;
    uint64_t done = utet_div(fold->priv.done, fold->priv.values);
    size_t i;

    for (i = 0; i < fold->priv.cells; i++) {
        if (by->counts != NULL)
            by->counts[done + i] = *counter(fold, fold_cell_at(fold, i));
        if (fold->priv.turns == NULL)
            results[i] = utet_fold_value(result_of(fold, i));
    }
}

const fold_shape utet_cut_fold = {set_boxes, set_box, next_box, take_run, finish};
