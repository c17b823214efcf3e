/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Windows, groups and masks: a request becomes intervals (cuts) of each axis, with one result each. A kept axis has
 * intervals of one index, a reduced one has one interval of all indices; each group is an interval of all indices, and
 * the map chooses among them. What cuts are made of is done by fold_cuts.c.
 */
#include "fold.h"

#include <string.h>

#define MOST_PLACES ((uint64_t)1 << 62)

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
    fold_store(by->priv.pad, 8, bits);
    return status;
}

static utet_status cut_windows(const utet_fold *fold, utet_fold_grouping *by)
{
    const utet_fold_window *window = &by->window;
    utet_fold_cuts *axis;
    uint64_t size = window->size;
    uint64_t step = window->step != 0 ? window->step : 1;
    uint64_t lead = 0;
    uint64_t count;
    uint64_t cuts;

    if (window->axis >= fold->priv.ndim || window->mode > UTET_FOLD_ROLLING || window->pad > UTET_FOLD_PAD_FILL ||
        window->align > UTET_FOLD_ALIGN_END || by->axis[window->axis].groups != 0 || fold->priv.turns != NULL)
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
    axis = &by->priv.axis[window->axis];
    axis->cuts = cuts;
    axis->size = size;
    axis->step = step;
    axis->lead = lead;
    axis->stays = 0;
    return set_pad(fold, by, lead != 0 || (cuts - 1) * step + size > count);
}

static uint32_t groups_of(const utet_fold_grouping *by, unsigned d)
{
    return by->axis[d].group_of != NULL ? by->axis[d].groups : 0;
}

/* The cuts of an axis without windows. */
static void cut_axis(const utet_fold *fold, utet_fold_grouping *by, unsigned d)
{
    uint64_t count = fold->box.axis[d].count;
    uint32_t groups = groups_of(by, d);
    uint8_t stays = groups == 0 && fold->box.axis[d].stays;
    utet_fold_cuts *axis = &by->priv.axis[d];

    axis->cuts = stays ? count : groups != 0 ? groups : 1;
    axis->size = stays ? 1 : count;
    axis->step = stays ? 1u : 0u;
    axis->stays = stays;
    axis->lead = 0;
}

/* Computes the number of results, and how their indices are counted. */
static void count_results(utet_fold *fold, utet_fold_grouping *by)
{
    uint64_t place = 1;
    unsigned d = fold->priv.ndim;

    fold->results = 1;
    by->priv.others = 1;
    while (d-- != 0) {
        int windowed = fold_windowed(by, d);
        const utet_fold_cuts *axis = &by->priv.axis[d];

        if (!windowed)
            cut_axis(fold, by, d);
        fold->results = utet_mul(fold->results, axis->cuts);
        fold->box.axis[d].place = 0;
        if (windowed || (axis->step == 0 && groups_of(by, d) == 0)) {
            fold->box.axis[d].place = place;
            place *= axis->size;
            if (!windowed)
                by->priv.others *= axis->size;
        }
    }
}

utet_status utet_fold_group(utet_fold *fold, utet_fold_grouping *by)
{
    utet_file *file = fold->priv.file;
    utet_status status = UTET_OK;

    if (file == NULL || (fold->priv.state != FOLD_ASKED && fold->priv.state != FOLD_READY) ||
        file->priv.busy != UTET_CALL_NONE)
        return UTET_E_STATE;
    by->windows = 0;
    memset(by->priv.pad, 0, sizeof by->priv.pad); /* it is compared when folds are merged */
    if (by->window.size != 0)
        status = cut_windows(fold, by);
    if (status != UTET_OK)
        return status;
    by->priv.counted = by->window.size != 0 || by->counts != NULL;
    fold->priv.extra_bytes = by->priv.counted ? sizeof(uint64_t) : 0;
    fold->priv.grouping = by;
    fold->priv.shape = &utet_cut_fold;
    count_results(fold, by);
    return utet_fold_plan(fold, file);
}
