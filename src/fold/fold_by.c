/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Windows, groups and masks: a request becomes intervals (cuts) of each axis, with one result each. A kept axis has
 * intervals of one index, a reduced one has one interval of all indices; each group is an interval of all indices, and
 * the map chooses among them. fold_cuts.c reads the selection by cuts.
 */
#include "fold.h"

#include <string.h>

#define MOST_PLACES ((uint64_t)1 << 62)

/* Windows slide if each element is in FEW_TURNS of them or more, and if there is memory for FEW_WINDOWS. */
#define FEW_TURNS 4u
#define FEW_WINDOWS 4u

/* `lacking`: a window is incomplete, so the pad has to be an element. */
static utet_status set_pad(const utet_fold *fold, utet_fold_grouping *by, int lacking)
{
    const fold_layout *layout = fold->priv.layout;
    const utet_fold_window *window = &by->window;
    const uint64_t nan = layout->sign - 1; /* all ones but the sign */
    const uint64_t value = window->has_fill ? utet_fold_bits(window->fill) : fold->priv.fill;
    const int rest = window->has_fill ? window->fill_rest : fold->priv.fill_rest;
    uint64_t bits = 0;
    uint64_t last;
    utet_status status = UTET_OK;

    if (window->pad == UTET_FOLD_PAD_NAN) {
        if (layout->kind != FOLD_FLOAT)
            return UTET_E_DTYPE;
        bits = nan;
    } else if (window->pad == UTET_FOLD_PAD_FILL) {
        if (!fold->priv.has_fill && !window->has_fill)
            return UTET_E_ARGUMENT;
        if (!lacking)
            return UTET_OK;
        if (layout->kind != FOLD_FLOAT) {
            status = utet_fold_whole(layout, value, rest, &bits) ? UTET_OK : UTET_E_ARGUMENT;
        } else if ((value & ~FOLD_DOUBLE_SIGN) > FOLD_DOUBLE_INF) {
            bits = nan;
        } else {
            utet_fold_interval(layout, utet_fold_order(value), utet_fold_order(value), &bits, &last);
            if (bits > last)
                return UTET_E_ARGUMENT;
            bits = utet_fold_unkey(layout, bits);
        }
    }
    fold_store(by->priv.window.pad, 8, bits);
    return status;
}

static utet_status cut_windows(const utet_fold *fold, utet_fold_grouping *by)
{
    const utet_fold_window *window = &by->window;
    uint64_t size = window->size;
    uint64_t step = window->step != 0 ? window->step : 1;
    uint64_t lead = 0;
    uint64_t count;
    uint64_t cuts;

    if (window->axis >= fold->priv.ndim || window->mode > UTET_FOLD_ROLLING || window->pad > UTET_FOLD_PAD_FILL ||
        window->align > UTET_FOLD_ALIGN_END || by->axis[window->axis].groups != 0 || fold->priv.wide_bytes != 0)
        return UTET_E_ARGUMENT;
    if (window->mode == UTET_FOLD_BINS ? window->step != 0
                                       : window->align == UTET_FOLD_ALIGN_END && window->pad == UTET_FOLD_PAD_NONE)
        return UTET_E_ARGUMENT;
    count = fold->box.axis[window->axis].count;
    if (size > count || count > MOST_PLACES)
        return UTET_E_RANGE;
    if (window->mode == UTET_FOLD_BINS) {
        step = size;
        cuts = utet_div_up(count, size);
        if (window->align == UTET_FOLD_ALIGN_END)
            lead = cuts * size - count;
    } else if (window->pad == UTET_FOLD_PAD_NONE) {
        cuts = utet_div(count - size, step) + 1;
    } else {
        cuts = utet_div(count - 1, step) + 1;
        if (window->align == UTET_FOLD_ALIGN_START)
            lead = size - 1;
    }
    by->windows = cuts;
    by->priv.window.step = step;
    by->priv.window.lead = lead;
    if (count >> 30 == 0 && size / FEW_TURNS >= step)
        by->priv.turns = ((uint32_t)size - 1) / (uint32_t)step + 1;
    return set_pad(fold, by, lead != 0 || (cuts - 1) * step + size > count);
}

/* Computes the number of results, and how their indices are counted. */
static void count_results(utet_fold *fold, utet_fold_grouping *by)
{
    uint64_t place = 1;
    unsigned d = fold->priv.ndim;

    fold->results = 1;
    by->priv.others = 1;
    while (d-- != 0) {
        utet_fold_span *span = &fold->box.axis[d];
        const int windowed = fold_windowed(by, d);
        const int grouped = by->axis[d].group_of != NULL && by->axis[d].groups != 0;
        const utet_fold_cut *cut;

        by->priv.axis[d].stays = !windowed && !grouped && span->stays;
        cut = utet_fold_look(fold, d);
        fold->results = utet_mul(fold->results, cut->cuts);
        span->place = 0;
        if (!grouped && !by->priv.axis[d].stays) {
            span->place = place;
            place *= cut->size;
            if (!windowed)
                by->priv.others *= cut->size;
        }
    }
}

/* If windows overlap and there is memory for some of them, they slide: then a cell has twice the size. The minimum
 * memory stays that of one cell. */
static utet_status plan_windows(utet_fold *fold, utet_fold_grouping *by)
{
    utet_file *file = fold->priv.file;
    const size_t each = fold->priv.least_bytes + fold->priv.extra_bytes;
    utet_status status;

    if (by->priv.turns == 0 || fold->priv.order != NULL)
        return utet_fold_plan(fold, file);
    by->priv.slides = file->budget >= utet_up8(file, fold->box.slab.need.least) + FEW_WINDOWS * 2 * each;
    if (by->priv.slides)
        fold->priv.extra_bytes += each;
    else
        fold->priv.wide_bytes = fold->priv.least_bytes + each; /* only the need uses it */
    status = utet_fold_plan(fold, file);
    fold->priv.wide_bytes = 0;
    if (by->priv.slides)
        fold->need.least -= each;
    return status;
}

utet_status utet_fold_group(utet_fold *fold, utet_fold_grouping *by)
{
    utet_file *file = fold->priv.file;
    utet_status status = UTET_OK;

    if (file == NULL || (fold->priv.state != FOLD_ASKED && fold->priv.state != FOLD_READY) ||
        file->priv.busy != UTET_CALL_NONE)
        return UTET_E_STATE;
    by->windows = 0;
    by->priv.slides = 0;
    by->priv.turns = 0;
    memset(&by->priv.window, 0, sizeof by->priv.window); /* it is compared when folds are merged */
    if (by->window.size != 0)
        status = cut_windows(fold, by);
    if (status != UTET_OK)
        return status;
    by->priv.counted = by->window.size != 0 || by->counts != NULL;
    fold->priv.extra_bytes = by->priv.counted ? sizeof(uint64_t) : 0;
    fold->priv.grouping = by;
    fold->priv.shape = &utet_cut_fold;
    count_results(fold, by);
    return plan_windows(fold, by);
}
