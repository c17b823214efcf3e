/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Windows that overlap. The first and last indices of the windows of a box divide the axis into panes: the elements of
 * a pane are in the same windows. Each element goes into the cell of its pane, once. When the box has been read, the
 * panes of each window are added up. n windows have at most 2n - 1 panes, so a cell of the fold is two cells here.
 */
#include "fold.h"

#include <string.h>

/* ---- elements ---- */

int utet_fold_next_pane(const utet_fold *fold, utet_fold_grouping *by)
{
    const unsigned d = by->window.axis;
    const uint32_t count = (uint32_t)by->priv.axis[d].count;
    const uint32_t step = (uint32_t)by->priv.window.step;
    const uint32_t size = (uint32_t)by->window.size;
    const uint32_t at = by->priv.at.walk.at;
    const uint32_t begins = by->priv.at.walk.begun * step;
    const uint32_t ends = by->priv.at.walk.ended * step + size;
    const size_t first = by->priv.at.walk.behind;
    const size_t left = fold->box.run.count - first;
    const size_t each = fold->box.axis[d].cell * fold_bytes_each(fold);
    const int begun = by->priv.at.walk.begun < count; /* others begin */
    uint32_t next = begun && begins < ends ? begins : ends;

    if (left == 0)
        return 0;
    by->priv.at.walk.cell = by->priv.at.walk.cells + (by->priv.at.walk.begun + by->priv.at.walk.ended - 1) * each;
    by->priv.at.walk.next = by->priv.at.walk.first = first;
    by->priv.at.walk.behind = fold->box.run.count;
    by->priv.at.walk.step = 0;
    if (d != fold->priv.ndim - 1u)
        return 1;
    by->priv.at.walk.begun += begun && next == begins;
    by->priv.at.walk.ended += next == ends;
    if (step == 1 && next == at + 1) { /* a pane for each index, or where windows begin and end each second pane */
        by->priv.at.walk.step = (size_t)(by->priv.at.walk.begun + by->priv.at.walk.ended) * each -
                                (size_t)(by->priv.at.walk.cell - by->priv.at.walk.cells) - each;
        next = begun ? count : at + (uint32_t)left;
        if (ends > at + 1 && next > ends)
            next = ends;
        by->priv.at.walk.begun = next < count ? next + 1 : count;
        by->priv.at.walk.ended = next < size ? 0 : next + 1 - size;
    }
    by->priv.at.walk.at = next;
    if (next - at < left)
        by->priv.at.walk.behind = first + (size_t)(next - at);
    return 1;
}

int utet_fold_first_pane(const utet_fold *fold, utet_fold_grouping *by)
{
    const utet_fold_cuts *axis = &by->priv.axis[by->window.axis];
    const uint32_t step = (uint32_t)by->priv.window.step;
    const uint32_t size = (uint32_t)by->window.size;
    /* Counts from the first index of the box's first window. */
    const uint32_t at = (uint32_t)(fold->box.axis[by->window.axis].now + by->priv.window.lead) -
                        (uint32_t)axis->from * step;

    by->priv.at.walk.at = at;
    by->priv.at.walk.begun = at / step + 1;
    if (by->priv.at.walk.begun > axis->count)
        by->priv.at.walk.begun = (uint32_t)axis->count;
    by->priv.at.walk.ended = at < size ? 0 : (at - size) / step + 1;
    by->priv.at.walk.behind = 0;
    return utet_fold_next_pane(fold, by);
}

/* ---- windows ---- */

static uint64_t slide_counted(const utet_fold *fold, uint8_t *pane)
{
    return *(const uint64_t *)(const void *)(pane + fold->priv.own_bytes);
}

static void slide_add(const utet_fold *fold, uint8_t *into, uint8_t *from)
{
    if (slide_counted(fold, from) != 0)
        utet_fold_add_cell(fold, into, from);
}

/* The windows replace the first panes. Each pane from number `from` to `middle` has the sum of itself and all others up
 * to `middle`. The last cell, which has no pane, has the sum of those after them. So each pane is added twice, whatever
 * the size of the windows is. */
static void slide_along(utet_fold *fold, uint8_t *panes, size_t stride, size_t count, size_t turns)
{
    const size_t bytes = fold_bytes_each(fold);
    uint8_t *const later = panes + (2 * count - 1) * stride;
    size_t middle = 0;
    size_t end = 0;
    size_t window;

    for (window = 0; window < count; window++) {
        const size_t from = window + (window >= turns ? window - turns + 1 : 0);
        uint8_t *const result = panes + window * stride;
        size_t pane = end;

        end = window + (turns < count - window ? turns + window : count);
        if (from >= middle) {
            middle = end;
            for (pane = end - 1; pane != from; pane--)
                slide_add(fold, panes + (pane - 1) * stride, panes + pane * stride);
            memset(later, 0, bytes);
        } else {
            for (; pane != end; pane++)
                slide_add(fold, later, panes + pane * stride);
        }
        if (from != window)
            memcpy(result, panes + from * stride, bytes);
        slide_add(fold, result, later);
        fold->folded += slide_counted(fold, result);
    }
}

void utet_fold_slide(utet_fold *fold)
{
    const utet_fold_grouping *by = fold->priv.grouping;
    const size_t count = by->priv.axis[by->window.axis].count;
    const size_t inner = fold->box.axis[by->window.axis].cell;
    const size_t turns = by->priv.turns < count ? (size_t)by->priv.turns : count;
    const size_t bytes = fold_bytes_each(fold);
    size_t first;
    size_t i;

    fold->folded = by->priv.folded; /* each element counts once for each of its windows */
    for (first = 0; first < fold->priv.cells; first += inner * count) {
        uint8_t *const panes = fold_cell_at(fold, first);

        for (i = 0; i < inner; i++)
            slide_along(fold, panes + i * bytes, inner * bytes, count, turns);
        for (i = inner * count - 1; i != 0; i--)
            memcpy(panes + 2 * i * bytes, panes + i * bytes, bytes);
    }
}
