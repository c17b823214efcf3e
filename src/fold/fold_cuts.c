/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * A fold by cuts (fold_by.c): boxes of cuts, runs that go into cells, and the effect of pads and min_count on a cell. A
 * run is taken once for each window that it reaches into, and in sequences of elements with the same group.
 */
#include "fold.h"

#define NOWHERE SIZE_MAX
#define OF_PAD ((uint64_t)1 << 63) /* as an index: after all elements */

/* ---- boxes ---- */

const utet_fold_cut *utet_fold_look(const utet_fold *fold, unsigned d)
{
    utet_fold_grouping *by = fold->priv.grouping;
    utet_fold_cut *cut = &by->priv.at.cut;
    const uint32_t groups = by->axis[d].group_of != NULL ? by->axis[d].groups : 0;

    if (fold_windowed(by, d)) {
        cut->cuts = by->windows;
        cut->size = by->window.size;
        cut->step = by->priv.window.step;
        cut->lead = by->priv.window.lead;
        return cut;
    }
    cut->cuts = groups != 0 ? groups : 1;
    cut->size = fold->box.axis[d].count;
    if (by->priv.axis[d].stays) {
        cut->cuts = cut->size;
        cut->size = 1;
    }
    cut->step = by->priv.axis[d].stays;
    cut->lead = 0;
    return cut;
}

/* Goes to the first index of the cuts of the box, which begins with number `from`. Returns the end of their indices. */
static uint64_t cuts_enter(utet_fold *fold, unsigned d, uint64_t from)
{
    const utet_fold_cut *cut = utet_fold_look(fold, d);
    utet_fold_span *span = &fold->box.axis[d];
    utet_fold_cuts *axis = &fold->priv.grouping->priv.axis[d];
    uint64_t end = cut->cuts - from;

    axis->from = from;
    axis->count = (size_t)(end < span->box ? end : span->box);
    from *= cut->step;
    span->at = from > cut->lead ? from - cut->lead : 0;
    end = from + (axis->count - 1) * cut->step + cut->size - cut->lead;
    return end < span->count ? end : span->count;
}

/* As fold_set_boxes in fold.c; if elements must come in order, the indices of an axis are read one by one if a reduced
 * axis after it extends over several tiles. */
static void cuts_set_boxes(utet_fold *fold, uint64_t room)
{
    utet_fold_grouping *by = fold->priv.grouping;
    unsigned d = fold->priv.ndim;
    int across = 0;

    fold->boxes = 1;
    while (d-- != 0) {
        utet_fold_span *span = &fold->box.axis[d];
        utet_fold_cuts *axis = &by->priv.axis[d];
        const utet_fold_cut *cut = utet_fold_look(fold, d);

        span->box = cut->cuts < room ? cut->cuts : room;
        room = span->box < cut->cuts ? 1 : utet_div(room, span->box);
        fold->boxes = utet_mul(fold->boxes, utet_div_up(cut->cuts, span->box));
        (void)cuts_enter(fold, d, 0);
        axis->one = 0;
        if (fold->priv.order == NULL || axis->stays)
            continue;
        if (across) {
            const uint64_t places = (span->box - 1) * cut->step + cut->size;

            axis->one = 1;
            fold->boxes = utet_mul(fold->boxes, places < span->count ? places : span->count);
        }
        across |= fold_across(fold, d);
    }
}

static void cuts_set_box(utet_fold *fold)
{
    utet_fold_grouping *by = fold->priv.grouping;
    unsigned d = fold->priv.ndim;

    by->priv.folded = fold->folded;
    while (d-- != 0) {
        utet_fold_span *span = &fold->box.axis[d];
        const utet_fold_cuts *axis = &by->priv.axis[d];
        const uint64_t at = span->at;
        const uint64_t end = cuts_enter(fold, d, axis->from);

        span->at = at;
        fold_places(&fold->box.ranges[d], span->start + at * span->step, span->step, axis->one ? 1 : end - at);
        span->cell = fold->priv.cells;
        fold->priv.cells *= axis->count;
    }
}

static int cuts_next_box(utet_fold *fold, uint8_t other_results)
{
    const utet_fold_grouping *by = fold->priv.grouping;
    unsigned d = fold->priv.ndim;

    while (d-- != 0) {
        utet_fold_span *span = &fold->box.axis[d];
        const utet_fold_cuts *axis = &by->priv.axis[d];
        const uint64_t at = span->at;
        uint64_t end = cuts_enter(fold, d, axis->from);

        if (!other_results) {
            if (axis->one && end - at > 1) {
                span->at = at + 1;
                return 1;
            }
            continue;
        }
        end = axis->from + axis->count;
        if (end != by->priv.at.cut.cuts) {
            (void)cuts_enter(fold, d, end);
            return 1;
        }
        (void)cuts_enter(fold, d, 0);
    }
    if (by->priv.slides && !other_results)
        utet_fold_slide(fold);
    return 0;
}

/* ---- runs ---- */

/* Returns the cut of the box to which an index of the axis belongs, 0 for windows; NOWHERE: none. */
static size_t cut_at(const utet_fold_grouping *by, unsigned d, uint64_t place)
{
    const utet_fold_axis *map = &by->axis[d];
    const utet_fold_cuts *axis = &by->priv.axis[d];

    if (map->group_of != NULL) {
        const uint32_t group = map->group_of(map->context, place);

        if (group == UTET_FOLD_LEFT_OUT)
            return NOWHERE;
        if (map->groups != 0)
            return group - axis->from < axis->count ? (size_t)(group - axis->from) : NOWHERE;
    }
    return axis->stays ? (size_t)(place - axis->from) : 0;
}

static uint64_t *cuts_counter(const utet_fold *fold, uint8_t *cell)
{
    return (void *)(cell + fold->priv.own_bytes);
}

/* A cell each, or all in one. */
static void cuts_count(const fold_part *part)
{
    const size_t one = part->cell_step != 0 ? 1 : part->count;
    size_t i;

    for (i = 0; i < part->count; i += one)
        *cuts_counter(part->fold, part->cell + i * part->cell_step) += one;
}

/* Finds the elements of the run that are in the window. 0: it begins after them, or in another box. */
static int enter_window(const utet_fold *fold, utet_fold_grouping *by)
{
    const unsigned d = by->window.axis;
    const utet_fold_cuts *axis = &by->priv.axis[d];
    const utet_fold_span *span = &fold->box.axis[d];
    const int along = d == fold->priv.ndim - 1u;
    const size_t count_all = fold->box.run.count;
    const uint64_t lead = by->priv.window.lead;
    const uint64_t first = span->now + lead; /* these indices count from the beginning of window 0 */
    const uint64_t last = along ? first + (count_all - 1) : first;
    const uint64_t window = by->priv.at.walk.window - axis->from;
    const uint64_t begin = by->priv.at.walk.window * by->priv.window.step;
    const uint64_t end = begin + (by->window.size - 1);

    if (window >= axis->count || begin > last)
        return 0;
    by->priv.at.walk.cell = by->priv.at.walk.cells + (size_t)window * span->cell * fold->priv.cell_bytes;
    by->priv.at.walk.next = begin > first ? (size_t)(begin - first) : 0;
    by->priv.at.walk.behind = along && end < last ? (size_t)(end - first) + 1 : count_all;
    return 1;
}

static int next_window(const utet_fold *fold, utet_fold_grouping *by)
{
    if (by->priv.slides)
        return utet_fold_next_pane(fold, by);
    by->priv.at.walk.window++;
    return by->window.size != 0 && enter_window(fold, by);
}

/* The first window that the run reaches; without windows all of the run. */
static int first_window(const utet_fold *fold, utet_fold_grouping *by)
{
    const utet_fold_cuts *axis = &by->priv.axis[by->window.axis];
    const uint64_t first = fold->box.axis[by->window.axis].now + by->priv.window.lead;

    by->priv.at.walk.from = fold->box.part.place;
    by->priv.at.walk.cell = by->priv.at.walk.cells;
    by->priv.at.walk.first = 0;
    by->priv.at.walk.step = 0;
    by->priv.at.walk.next = 0;
    by->priv.at.walk.behind = fold->box.run.count;
    if (by->priv.slides)
        return utet_fold_first_pane(fold, by);
    if (by->window.size == 0)
        return 1;
    by->priv.at.walk.window = first >= by->window.size ? utet_div(first - by->window.size, by->priv.window.step) + 1
                                                       : 0;
    if (by->priv.at.walk.window < axis->from)
        by->priv.at.walk.window = axis->from;
    return enter_window(fold, by);
}

/* Sums of f32 by groups, without a filter. */
static int takes_groups(const utet_fold *fold, const utet_fold_axis *map)
{
    return map->groups != 0 && map->group_of != NULL && fold->priv.take == NULL &&
           fold->priv.dataset->dtype == UTET_F32 &&
           (fold->priv.operation->detail & (FOLD_SUMS | FOLD_SQUARES)) == FOLD_SUMS;
}

/* Takes a sequence of elements of the window with one cell, or with consecutive cells where the last axis is kept. */
static int next_stretch(utet_fold *fold)
{
    utet_fold_grouping *by = fold->priv.grouping;
    const unsigned last = fold->priv.ndim - 1u;
    const uint64_t at = fold->box.axis[last].now;
    const unsigned step = by->priv.axis[last].stays;
    const size_t each = fold->box.axis[last].cell * fold_bytes_each(fold);
    const size_t behind = by->priv.at.walk.behind;
    fold_part *part = &fold->box.part;
    size_t i = by->priv.at.walk.next;
    size_t cut = NOWHERE;
    size_t same = behind - i;

    if (takes_groups(fold, &by->axis[last])) {
        part->data = fold->box.run.data + i * part->stride;
        part->cell = by->priv.at.walk.cell;
        part->cell_step = each;
        part->count = same;
        i += utet_fold_group_f32(part, &by->axis[last], at + i, &by->priv.axis[last],
                                 (fold->priv.operation->detail & FOLD_ABSOLUTE) != 0 ? 0 : 0x80000000u);
        same = 1;
    }
    if (i >= behind)
        return 0;
    if (by->axis[last].group_of == NULL) {
        cut = step != 0 ? (size_t)(at + i - by->priv.axis[last].from) : 0;
    } else {
        for (; i < behind && cut == NOWHERE; i++)
            cut = cut_at(by, last, at + i);
        if (cut == NOWHERE)
            return 0;
        i--;
        for (same = 1; i + same < behind && cut_at(by, last, at + i + same) == cut + same * step; same++)
            continue;
    }
    by->priv.at.walk.next = i + same;
    part->data = fold->box.run.data + i * part->stride;
    part->place = by->priv.at.walk.from + i * part->place_step;
    part->cell = by->priv.at.walk.cell + cut * each + (i - by->priv.at.walk.first) * by->priv.at.walk.step;
    part->cell_step = step * each + by->priv.at.walk.step;
    part->count = same;
    return 1;
}

static int next_part(utet_fold *fold)
{
    do {
        if (next_stretch(fold))
            return 1;
    } while (next_window(fold, fold->priv.grouping));
    return 0;
}

static int first_part(utet_fold *fold)
{
    utet_fold_grouping *by = fold->priv.grouping;
    size_t cell = 0;
    unsigned d;

    for (d = 0; d < fold->priv.ndim; d++) {
        size_t cut = d + 1u < fold->priv.ndim ? cut_at(by, d, fold->box.axis[d].now) : 0;

        if (cut == NOWHERE)
            return 0;
        cell += cut * fold->box.axis[d].cell;
        if (by->priv.slides && fold_windowed(by, d))
            cell *= 2; /* there are twice as many panes */
    }
    by->priv.at.walk.cells = (uint8_t *)fold_cell_at(fold, 0) + cell * fold_bytes_each(fold);
    return first_window(fold, by) && next_part(fold);
}

/* ---- results ---- */

/* A pad for each element that the window lacks. `before`: as in result_of. */
static void put_pads(utet_fold *fold, void *cell, int64_t before)
{
    const utet_fold_grouping *by = fold->priv.grouping;
    const utet_fold_span *span = &fold->box.axis[by->window.axis];
    const uint64_t size = by->window.size;
    const uint64_t end = span->count + (uint64_t)before; /* where the elements end in the window */
    const uint64_t after = size > end ? size - end : 0;
    uint64_t left = ((before > 0 ? (uint64_t)before : 0) + after) * by->priv.others;
    fold_part part;

    part.fold = fold;
    part.layout = fold->priv.layout;
    part.data = by->priv.window.pad;
    part.stride = 0;
    part.cell = cell;
    part.cell_step = 0;
    part.place = OF_PAD | (before > 0 ? 0 : size - after) * span->place;
    part.place_step = 0;
    while (left != 0) {
        part.count = left < 0x4000 ? (size_t)left : 0x4000u;
        fold->priv.operation->take(&part);
        left -= part.count;
    }
}

static uint64_t result_of(utet_fold *fold, size_t i)
{
    const utet_fold_grouping *by = fold->priv.grouping;
    const utet_fold_cuts *axis = &by->priv.axis[by->window.axis];
    const utet_fold_span *span = &fold->box.axis[by->window.axis];
    void *cell = fold_cell_at(fold, i);

    if (by->window.size != 0) {
        const uint64_t counted = *cuts_counter(fold, cell);
        const uint64_t begin = (axis->from + i / span->cell % axis->count) * by->priv.window.step;
        /* indices of the window before the axis; negative: those of the axis before the window */
        int64_t before = (int64_t)(by->priv.window.lead - begin);
        fold_extreme *extreme = cell;

        if (counted < by->window.min_count || counted == 0)
            return FOLD_DOUBLE_NAN;
        if (by->window.pad == UTET_FOLD_PAD_NONE && before > 0)
            before = 0; /* indices are counted where they are padded */
        if ((fold->priv.operation->dtypes & FOLD_PLACES) != 0)
            extreme->place += (uint64_t)before * span->place;
        if (by->window.pad != UTET_FOLD_PAD_NONE)
            put_pads(fold, cell, before);
        if ((fold->priv.operation->dtypes & FOLD_PLACES) != 0) {
            uint64_t place = utet_div(extreme->place & ~OF_PAD, span->place);

            extreme->place = place - utet_div(place, by->window.size) * by->window.size;
        }
    }
    return fold->priv.operation->finish(fold, fold->priv.layout, cell);
}

static void cuts_finish(utet_fold *fold, double *results)
{
    const utet_fold_grouping *by = fold->priv.grouping;
    const utet_fold_share *share = fold->priv.share;
    uint64_t done = utet_div(fold->priv.done, fold->priv.values);
    size_t i;

    if (share != NULL && share->priv.state == FOLD_PART_TO_READ)
        return; /* the cells of a part have no results yet */
    for (i = 0; i < fold->priv.cells; i++, results += fold->priv.values) {
        if (by->counts != NULL)
            by->counts[done + i] = *cuts_counter(fold, fold_cell_at(fold, i));
        if (fold->priv.turns == NULL)
            *results = utet_fold_value(result_of(fold, i));
    }
}

const fold_shape utet_cut_fold = {cuts_set_boxes, cuts_set_box, cuts_next_box, first_part,
                                  next_part,      cuts_count,   cuts_finish};
