/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * A fold by cuts (fold_by.c): boxes of them, the runs into their cells, and what pads and min_count make of a cell. A
 * run is taken once for each window that it reaches into, and in stretches of elements with the same group.
 */
#include "fold.h"

#define NOWHERE SIZE_MAX
#define OF_PAD ((uint64_t)1 << 63) /* in a place: behind all elements */

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
        utet_fold_span *span = &fold->box.axis[d];
        utet_fold_cuts *axis = &by->priv.axis[d];

        axis->from = 0;
        axis->box = axis->cuts < room ? axis->cuts : room;
        room = utet_div(room, axis->box);
        if (axis->box < axis->cuts)
            room = 1;
        span->box = span->count;
        fold->boxes = utet_mul(fold->boxes, utet_div_up(axis->cuts, axis->box));
        enter(span, axis);
        if (fold->priv.order == NULL || axis->stays)
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
        utet_fold_span *span = &fold->box.axis[d];
        const utet_fold_cuts *axis = &fold->priv.grouping->priv.axis[d];
        uint64_t count = axis->end - span->at;

        if (count > span->box)
            count = span->box;
        fold_places(&fold->box.ranges[d], span->start + span->at * span->step, span->step, count);
        span->cell = fold->priv.cells;
        fold->priv.cells *= cuts_of(axis);
    }
}

static int next_box(utet_fold *fold, uint8_t other_results)
{
    unsigned d = fold->priv.ndim;

    while (d-- != 0) {
        utet_fold_span *span = &fold->box.axis[d];
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
    uint64_t cut = axis->stays ? place - axis->from : 0;

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

/* Folds `count` elements of the run from number i on. `place` is that of the run's first element, `cell` that of
 * element i. */
static void put(utet_fold *fold, fold_part *part, uint64_t place, size_t i, uint8_t *cell, size_t count)
{
    int counted = fold->priv.grouping->priv.counted;
    size_t one = part->cell_step != 0 && counted ? 1 : count;

    for (;;) {
        uint64_t before = fold->folded;

        part->data = fold->box.run.data + i * part->stride;
        part->place = place + i * part->place_step;
        part->cell = cell;
        part->count = one;
        fold_take_passing(fold, part);
        if (counted)
            *counter(fold, cell) += fold->folded - before;
        count -= one;
        if (count == 0)
            return; /* no step over the end, however large */
        i += one;
        cell += part->cell_step;
    }
}

/* The elements of the run from number i on, up to that before `behind`, in stretches with one cell, or, where the last
 * axis stays, with cells in a row. */
static void put_stretches(utet_fold *fold, fold_part *part, uint64_t place, size_t i, uint8_t *cell, size_t behind)
{
    const utet_fold_grouping *by = fold->priv.grouping;
    unsigned last = fold->priv.ndim - 1u;
    uint64_t at = fold->box.axis[last].now;
    unsigned step = by->priv.axis[last].stays;
    size_t each = fold->box.axis[last].cell * fold->priv.cell_bytes;

    part->cell_step = step * each;
    for (;;) {
        size_t cut = cut_at(by, last, at + i);
        size_t same = by->axis[last].of != NULL ? 1 : behind - i;

        while (i + same < behind && cut_at(by, last, at + i + same) == (cut == NOWHERE ? cut : cut + same * step))
            same++;
        if (cut != NOWHERE)
            put(fold, part, place, i, cell + cut * each, same);
        i += same;
        if (i == behind)
            return;
    }
}

/* A run into each window that it reaches. */
static void put_windows(utet_fold *fold, fold_part *part, uint8_t *cell)
{
    const utet_fold_grouping *by = fold->priv.grouping;
    unsigned d = by->window.axis;
    const utet_fold_cuts *axis = &by->priv.axis[d];
    const utet_fold_span *span = &fold->box.axis[d];
    int along = d == fold->priv.ndim - 1u;
    uint64_t first = span->now + axis->lead; /* places from here on count from where window 0 begins */
    const size_t count = part->count;
    uint64_t last = along ? first + (count - 1) : first;
    uint64_t cut = first >= axis->size ? utet_div(first - axis->size, axis->step) + 1 : 0;
    size_t i = cut > axis->from ? (size_t)(cut - axis->from) : 0;
    uint64_t begin = (axis->from + i) * axis->step;
    size_t behind = cuts_of(axis);
    const uint64_t place = part->place;

    cell += i * span->cell * fold->priv.cell_bytes;
    for (; i < behind && begin <= last; i++, begin += axis->step) {
        uint64_t to = begin + (axis->size - 1);
        /* Places in front of the first one count where they are padded. */
        uint64_t origin = by->window.pad == UTET_FOLD_PAD_NONE && begin < axis->lead ? axis->lead : begin;

        if (to > last)
            to = last;
        /* The run's first place may wrap below 0; the places of its elements in the window do not. */
        put_stretches(fold, part, place + (axis->lead - origin) * span->place,
                      begin > first ? (size_t)(begin - first) : 0, cell, along ? (size_t)(to - first) + 1 : count);
        cell += span->cell * fold->priv.cell_bytes;
    }
}

static void take(utet_fold *fold, fold_part *part)
{
    const utet_fold_grouping *by = fold->priv.grouping;
    size_t cell = 0;
    unsigned d;

    for (d = 0; d + 1u < fold->priv.ndim; d++) {
        size_t cut = cut_at(by, d, fold->box.axis[d].now);

        if (cut == NOWHERE)
            return;
        cell += cut * fold->box.axis[d].cell;
    }
    if (by->window.size != 0)
        put_windows(fold, part, fold_cell_at(fold, cell));
    else
        put_stretches(fold, part, part->place, 0, fold_cell_at(fold, cell), part->count);
}

/* ---- results ---- */

/* What window number `cut` lacks: a pad for each element. */
static void put_pads(const utet_fold *fold, void *cell, uint64_t cut)
{
    const utet_fold_grouping *by = fold->priv.grouping;
    const utet_fold_cuts *axis = &by->priv.axis[by->window.axis];
    const utet_fold_span *span = &fold->box.axis[by->window.axis];
    uint64_t begin = cut * axis->step;
    uint64_t end = span->count + axis->lead;
    uint64_t before = begin < axis->lead ? axis->lead - begin : 0;
    uint64_t after = begin + axis->size > end ? begin + axis->size - end : 0;
    uint64_t left = (before + after) * by->priv.others;
    fold_part part;

    part.fold = fold;
    part.layout = fold->priv.layout;
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
    const utet_fold_span *span = &fold->box.axis[by->window.axis];
    void *cell = fold_cell_at(fold, i);

    if (by->window.size != 0) {
        uint64_t counted = *counter(fold, cell);

        if (counted < by->window.min_count || counted == 0)
            return FOLD_DOUBLE_NAN;
        if (by->window.pad != UTET_FOLD_PAD_NONE)
            put_pads(fold, cell, axis->from + i / span->cell % cuts_of(axis));
        if ((fold->priv.operation->dtypes & FOLD_PLACES) != 0) {
            fold_extreme *extreme = cell;
            uint64_t place = utet_div(extreme->place & ~OF_PAD, span->place);

            extreme->place = place - utet_div(place, axis->size) * axis->size;
        }
    }
    return fold->priv.operation->finish(fold, fold->priv.layout, cell);
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

const fold_shape utet_cut_fold = {set_boxes, set_box, next_box, take, finish};
