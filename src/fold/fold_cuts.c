/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * A fold by cuts (fold_by.c): boxes of them, the runs into their cells, and what pads and min_count make of a cell. A
 * run is taken once for each window that it reaches into, and in stretches of elements with the same group.
 */
#include "fold.h"

#define NOWHERE UINT64_MAX
#define OF_PAD ((uint64_t)1 << 63) /* in a place: behind all elements */

static int windowed(const utet_fold_grouping *by, unsigned d)
{
    return by->window.size != 0 && by->window.axis == d;
}

static int stays(const utet_fold_grouping *by, unsigned d)
{
    return !windowed(by, d) && by->priv.axis[d].step == 1;
}

/* ---- boxes ---- */

/* How many cuts of the axis are in the box under way. */
static uint64_t cuts_of(const utet_fold_grouping *by, unsigned d)
{
    uint64_t left = by->priv.axis[d].cuts - by->priv.axis[d].from;

    return left < by->priv.axis[d].box ? left : by->priv.axis[d].box;
}

/* To the first place of the cuts of the box. */
static void enter(utet_fold *fold, unsigned d)
{
    utet_fold_grouping *by = fold->priv.grouping;
    uint64_t lead = by->priv.axis[d].lead;
    uint64_t from = by->priv.axis[d].from * by->priv.axis[d].step;
    uint64_t last = from + (cuts_of(by, d) - 1) * by->priv.axis[d].step;

    fold->priv.axis[d].at = from > lead ? from - lead : 0;
    by->priv.axis[d].end = last + by->priv.axis[d].size - lead;
    if (by->priv.axis[d].end > fold->priv.axis[d].count)
        by->priv.axis[d].end = fold->priv.axis[d].count;
}

/* As set_boxes in fold.c; where elements must come in order, places of an axis are read one by one if a reduced axis
 * behind it lies in several tiles. */
static void set_boxes(utet_fold *fold, uint64_t room)
{
    utet_fold_grouping *by = fold->priv.grouping;
    int ordered = fold->priv.order != NULL;
    unsigned d = fold->priv.ndim;
    int across = 0;

    fold->boxes = 1;
    while (d-- != 0) {
        uint64_t count = fold->priv.axis[d].count;
        const utet_range *range = &fold->priv.axis[d].whole;
        uint64_t extent = fold->priv.dataset->chunk_shape[d];
        uint64_t cuts = by->priv.axis[d].cuts;
        uint64_t box = cuts < room ? cuts : room;

        room = utet_div(room, box);
        if (box < cuts)
            room = 1;
        by->priv.axis[d].from = 0;
        by->priv.axis[d].box = box;
        fold->priv.axis[d].box = count;
        fold->boxes = utet_mul(fold->boxes, utet_div_up(cuts, box));
        enter(fold, d);
        if (!ordered || stays(by, d))
            continue;
        if (across) {
            uint64_t places = (box - 1) * by->priv.axis[d].step + by->priv.axis[d].size;

            fold->priv.axis[d].box = 1;
            fold->boxes = utet_mul(fold->boxes, places < count ? places : count);
        }
        across |= utet_div(range->start, extent) != utet_div(range->start + (count - 1) * range->step, extent);
    }
}

static void set_box(utet_fold *fold)
{
    const utet_fold_grouping *by = fold->priv.grouping;
    unsigned d = fold->priv.ndim;

    while (d-- != 0) {
        const utet_range *whole = &fold->priv.axis[d].whole;
        utet_range *range = &fold->priv.ranges[d];
        uint64_t at = fold->priv.axis[d].at;
        uint64_t count = by->priv.axis[d].end - at;

        if (count > fold->priv.axis[d].box)
            count = fold->priv.axis[d].box;
        range->start = whole->start + at * whole->step;
        range->stop = range->start + (count - 1) * whole->step + 1;
        range->step = whole->step;
        fold->priv.axis[d].cell = fold->priv.cells;
        fold->priv.cells *= (size_t)cuts_of(by, d);
    }
}

static int next_box(utet_fold *fold, uint8_t other_results)
{
    utet_fold_grouping *by = fold->priv.grouping;
    unsigned d = fold->priv.ndim;

    while (d-- != 0) {
        int more;

        if (other_results) {
            more = by->priv.axis[d].cuts - by->priv.axis[d].from > by->priv.axis[d].box;
            by->priv.axis[d].from = more ? by->priv.axis[d].from + by->priv.axis[d].box : 0;
            enter(fold, d);
        } else {
            more = by->priv.axis[d].end - fold->priv.axis[d].at > fold->priv.axis[d].box;
            if (more)
                fold->priv.axis[d].at += fold->priv.axis[d].box;
            else
                enter(fold, d);
        }
        if (more)
            return 1;
    }
    return 0;
}

/* ---- runs ---- */

/* Which cut of the box a place of the axis belongs to, 0 for windows; NOWHERE: none. */
static uint64_t cut_at(const utet_fold_grouping *by, unsigned d, uint64_t place)
{
    const utet_fold_axis *map = &by->axis[d];
    uint64_t cut = stays(by, d) ? place - by->priv.axis[d].from : 0;

    if (map->of != NULL) {
        uint32_t group = map->of(map->context, place);

        if (group == UTET_FOLD_LEFT_OUT)
            return NOWHERE;
        if (map->groups != 0)
            cut = group - by->priv.axis[d].from;
    }
    return cut < cuts_of(by, d) ? cut : NOWHERE;
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
        uint64_t cut = cut_at(by, last, at);
        size_t same = by->axis[last].of != NULL ? 1 : count;

        while (same < count && cut_at(by, last, at + same) == (cut == NOWHERE ? cut : cut + same * step))
            same++;
        if (cut != NOWHERE) {
            part->cell = cell + (size_t)cut * each;
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
    uint64_t size = by->priv.axis[d].size;
    uint64_t step = by->priv.axis[d].step;
    uint64_t lead = by->priv.axis[d].lead;
    int along = d == fold->priv.ndim - 1u;
    uint64_t first = by->priv.axis[d].now + lead; /* places from here on count from where window 0 begins */
    uint64_t last = along ? first + (count - 1) : first;
    uint64_t cut = first >= size ? utet_div(first - size, step) + 1 : 0;
    uint64_t behind = by->priv.axis[d].from + cuts_of(by, d);

    if (cut < by->priv.axis[d].from)
        cut = by->priv.axis[d].from;
    for (; cut < behind && cut * step <= last; cut++) {
        uint64_t begin = cut * step;
        uint64_t from = begin > first ? begin : first;
        uint64_t to = last < begin + (size - 1) ? last : begin + (size - 1);
        fold_part some = *part;

        /* Places in front of the first one count where they are padded. */
        if (by->window.pad == UTET_FOLD_PAD_NONE && begin < lead)
            begin = lead;
        some.place += (from - begin) * fold->priv.axis[d].place;
        some.data += (size_t)(from - first) * some.stride;
        some.cell += (size_t)(cut - by->priv.axis[d].from) * fold->priv.axis[d].cell * fold->priv.cell_bytes;
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
        if (d != last) {
            uint64_t cut = cut_at(by, d, by->priv.axis[d].now);

            if (cut == NOWHERE)
                return UTET_OK;
            cell += (size_t)cut * fold->priv.axis[d].cell;
        }
        if (!windowed(by, d))
            part.place += by->priv.axis[d].now * fold->priv.axis[d].place;
    }
    part.fold = fold;
    part.layout = &utet_dtype_layouts[fold->priv.dtype];
    part.data = run->data;
    part.stride = run->stride;
    part.cell = fold_cell_at(fold, cell);
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
    unsigned d = by->window.axis;
    uint64_t size = by->priv.axis[d].size;
    uint64_t begin = cut * by->priv.axis[d].step;
    uint64_t lead = by->priv.axis[d].lead;
    uint64_t count = fold->priv.axis[d].count + lead;
    uint64_t before = begin < lead ? lead - begin : 0;
    uint64_t after = begin + size > count ? begin + size - count : 0;
    uint64_t left = (before + after) * by->priv.others;
    fold_part part;

    part.fold = fold;
    part.layout = &utet_dtype_layouts[fold->priv.dtype];
    part.data = by->priv.pad;
    part.stride = 0;
    part.cell = cell;
    part.cell_step = 0;
    part.place = OF_PAD | (before != 0 ? 0 : size - after) * fold->priv.axis[d].place;
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
    unsigned d = by->window.axis;
    void *cell = fold_cell_at(fold, i);

    if (by->window.size != 0) {
        uint64_t counted = *counter(fold, cell);

        if (counted < by->window.min_count || counted == 0)
            return FOLD_DOUBLE_NAN;
        if (by->window.pad != UTET_FOLD_PAD_NONE)
            put_pads(fold, cell, by->priv.axis[d].from + i / fold->priv.axis[d].cell % (size_t)cuts_of(by, d));
        if (fold->priv.operation->places) {
            fold_extreme *extreme = cell;
            uint64_t place = utet_div(extreme->place & ~OF_PAD, fold->priv.axis[d].place);

            extreme->place = place - utet_div(place, by->window.size) * by->window.size;
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

const fold_shape utet_fold_cuts = {set_boxes, set_box, next_box, take_run, finish};
