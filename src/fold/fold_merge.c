/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Several folds that read one selection together. Each has all cells and takes some tiles alone, so that windows,
 * groups and indices are those of one fold. The cells are added as they are, before anything is rounded: sums are
 * exact and extremes keep their indices, so the results do not depend on the parts.
 */
#include "../tet/slab/slab.h"
#include "fold.h"

#include <string.h>

/* ---- tiles ---- */

/* Returns nonzero if each selected index of the axis is in a tile of its own. If not, no tile is left out between
 * them. */
static int is_sparse(const utet_fold *fold, unsigned d)
{
    return fold->box.axis[d].step >= fold->priv.dataset->chunk_shape[d];
}

static uint64_t first_tile(const utet_fold *fold, unsigned d)
{
    return utet_div(fold->box.axis[d].start, fold->priv.dataset->chunk_shape[d]);
}

/* The row-major number of the slab's tile among those of the selection. Tiles may share the largest number; they belong
 * to one part then. */
static uint64_t tile_number(const utet_fold *fold)
{
    const utet_fold_share *share = fold->priv.share;
    const utet_slab *slab = &fold->box.slab;
    uint64_t number = 0;
    unsigned d;

    for (d = 0; d < fold->priv.ndim; d++)
        number = utet_add(utet_mul(number, share->priv.tiles[d]),
                          is_sparse(fold, d) ? slab->axis[d].priv.base
                                             : slab->priv.chunk.coords[d] - first_tile(fold, d));
    return number;
}

/* Past the tiles of other parts. */
static void pass_tiles(utet_fold *fold)
{
    const utet_fold_share *share = fold->priv.share;
    utet_slab *slab = &fold->box.slab;

    while (utet_slab_between(slab)) {
        const uint64_t number = tile_number(fold);

        if (number >= share->priv.first && number <= share->priv.last)
            return;
        utet_slab_pass(slab);
    }
}

static void set_tiles(const utet_fold *fold, utet_fold_share *share)
{
    uint64_t tiles = 1;
    uint64_t each;
    uint64_t rest;
    unsigned d;

    if (fold->box.slab.count == 0) /* a chunk_shape may be 0 */
        return;
    for (d = 0; d < fold->priv.ndim; d++) {
        const utet_fold_span *span = &fold->box.axis[d];
        const uint64_t last = span->start + (span->count - 1) * span->step;

        share->priv.tiles[d] = is_sparse(fold, d)
                                   ? span->count
                                   : utet_div(last, fold->priv.dataset->chunk_shape[d]) - first_tile(fold, d) + 1;
        tiles = utet_mul(tiles, share->priv.tiles[d]);
    }
    each = utet_div(tiles, share->parts);
    rest = tiles - each * share->parts; /* number of parts with one more tile */
    share->priv.first = each * share->part + (share->part < rest ? share->part : rest);
    share->priv.last = UINT64_MAX;
    if (share->part + 1 < share->parts)
        share->priv.last = share->priv.first + each + (share->part < rest) - 1;
}

/* ---- running ---- */

/* Between reading and the results, where operations in several passes have their own function. */
static int fold_merge_keep(utet_fold *fold, double *results)
{
    (void)fold;
    (void)results;
    return 0;
}

static const fold_turns fold_merge_keeping = {NULL, NULL, fold_merge_keep, FOLD_OTHERS};

static utet_status fold_merge_read_part(utet_fold *fold)
{
    double nothing = 0;
    const fold_turns *const turns = fold->priv.turns;
    utet_status status;

    if (fold->priv.state == FOLD_BETWEEN) {
        fold->priv.state = FOLD_READY;
        fold->priv.turn = fold->priv.share->priv.turn;
        fold->priv.done = 0;
    }
    fold->priv.turns = &fold_merge_keeping;
    status = utet_fold_run_all(fold, &nothing, SIZE_MAX);
    fold->priv.turns = turns;
    if (status == UTET_OK) {
        fold->priv.turn = fold->priv.share->priv.turn; /* for join and again */
        fold->priv.share->priv.state = fold->priv.share->join != NULL ? FOLD_PART_JOINING : FOLD_PART_READ;
    }
    return status;
}

/* A callback's status, which sticks to the fold. Until it returns UTET_OK, the file belongs to this call. */
static utet_status called(utet_fold *fold, utet_status status)
{
    status = utet_leave(fold->priv.file, status);
    if (status != UTET_OK && status != UTET_WOULD_BLOCK)
        fold->priv.status = status;
    return status;
}

static utet_status join_parts(utet_fold *fold)
{
    const utet_fold_share *share = fold->priv.share;
    utet_status status;

    (void)utet_enter(fold->priv.file, UTET_CALL_FOLD_RUN); /* the file is idle, or this call is what it waits for */
    status = share->join(share->context, fold);
    if (status == UTET_OK && share->priv.to != share->parts)
        status = UTET_E_STATE;
    return called(fold, status);
}

/* Gives the other parts the cells for the next pass. */
static utet_status lead_parts(utet_fold *fold)
{
    utet_fold_share *share = fold->priv.share;
    utet_status status;

    (void)utet_enter(fold->priv.file, UTET_CALL_FOLD_RUN);
    status = called(fold, share->again(share->context, fold));
    if (status == UTET_OK) {
        share->priv.to = share->part + 1;
        share->priv.state = FOLD_PART_TO_READ;
        fold->priv.state = FOLD_BETWEEN;
    }
    return status;
}

/* The results of all cells, or 1: they need another pass. */
static int fold_merge_finish_cells(utet_fold *fold, double *results)
{
    size_t i;

    fold->priv.done = 0;
    if (fold->priv.turns != NULL && fold->priv.turns->again(fold, results))
        return 1;
    if (fold->priv.shape != NULL)
        fold->priv.shape->finish(fold, results);
    else if (fold->priv.turns == NULL)
        for (i = 0; i < fold->priv.cells; i++)
            results[i] = utet_fold_value(fold->priv.operation->finish(fold, fold->priv.layout, fold_cell_at(fold, i)));
    return 0;
}

/* One pass of part 0, or what is left of it. */
static utet_status run_pass(utet_fold *fold, double *results)
{
    utet_fold_share *share = fold->priv.share;
    utet_status status;

    if (share->priv.state == FOLD_PART_TO_READ) {
        status = fold_merge_read_part(fold);
        if (status != UTET_OK)
            return status;
    }
    if (share->priv.state == FOLD_PART_JOINING) {
        status = join_parts(fold);
        if (status != UTET_OK)
            return status;
        share->priv.state = FOLD_PART_OVER;
        if (fold_merge_finish_cells(fold, results)) {
            share->priv.state = FOLD_PART_FOLLOWED;
            share->priv.turn++;
        }
    }
    return share->priv.state == FOLD_PART_FOLLOWED ? lead_parts(fold) : UTET_OK;
}

static utet_status run_part(utet_fold *fold, double *results, size_t size)
{
    const utet_fold_share *share = fold->priv.share;
    const int resumed = fold->priv.file->priv.busy == UTET_CALL_FOLD_RUN;
    utet_status status = fold->priv.status;

    if (status != UTET_OK)
        return status;
    if (share->priv.state == FOLD_PART_OVER && share->join != NULL && fold->priv.most != 0)
        return UTET_END;
    if (share->priv.state != FOLD_PART_TO_READ &&
        (share->priv.state == FOLD_PART_OVER || share->join == NULL || !resumed))
        return UTET_E_STATE;
    if (share->join == NULL)
        return fold_merge_read_part(fold);
    if (size < fold->results)
        return UTET_E_SPACE;
    fold->given = 0;
    do
        status = run_pass(fold, results);
    while (status == UTET_OK && share->priv.state != FOLD_PART_OVER);
    if (status == UTET_OK)
        fold->given = fold->results;
    return status;
}

/* Windows that would slide have cells of half the size if they do not. */
static void divide_without_panes(utet_fold *fold, utet_file *file, uint64_t cells)
{
    const utet_need need = fold->need;

    fold->priv.grouping->priv.slides = 0;
    fold->priv.extra_bytes = sizeof(uint64_t);
    fold->results = cells;
    (void)utet_fold_plan(fold, file); /* the minimum memory has not changed */
    fold->need = need;
}

utet_status utet_fold_divide(utet_fold *fold, utet_fold_share *share)
{
    utet_file *file = fold->priv.file;
    uint64_t cells;

    if (file == NULL || fold->priv.state != FOLD_READY || file->priv.busy != UTET_CALL_NONE)
        return UTET_E_STATE;
    cells = utet_div(fold->results, fold->priv.values); /* values is 0 until the fold is ready */
    if (fold->priv.order != NULL || fold->priv.pass_tiles != NULL || share->part >= share->parts ||
        (share->join != NULL && share->part != 0))
        return UTET_E_ARGUMENT;
    if (fold->priv.wide_bytes != 0 &&
        (fold->priv.turns->cells == FOLD_OTHERS || (share->join != NULL && share->again == NULL)))
        return UTET_E_ARGUMENT;
    if (fold->priv.most != 0 && fold->priv.most < cells)
        return UTET_E_SPACE;
    if (fold->priv.room < cells) {
        const uint64_t each = fold->priv.wide_bytes != 0 ? fold->priv.wide_bytes + fold->priv.extra_bytes
                                                         : fold_bytes_each(fold);
        const uint64_t needed = utet_add(utet_up8(file, fold->box.slab.need.least), utet_mul(cells, each));

        if (needed > file->budget) {
            file->needed = needed;
            return UTET_E_BUDGET;
        }
        divide_without_panes(fold, file, cells);
    }
    memset(&share->priv, 0, sizeof share->priv);
    share->priv.from = share->part;
    share->priv.to = share->part + 1;
    set_tiles(fold, share);
    fold->priv.share = share;
    fold->priv.pass_tiles = pass_tiles;
    fold->priv.piece = run_part;
    fold->priv.state = FOLD_BETWEEN;
    return UTET_OK;
}

/* ---- merging ---- */

static void join_ranks(fold_rank *into, const fold_rank *from)
{
    if (from->next < into->next)
        into->next = from->next;
    into->nan |= from->nan;
}

static void join_bins(const utet_fold *fold, fold_bins *into, const fold_bins *from)
{
    if (from->seen == 0)
        return;
    if (fold_finds_range(fold)) {
        fold_widen_range(into, from->range.keys.low, from->range.keys.high);
        return;
    }
    into->range = from->range;
    into->width = from->width;
    into->seen = 1;
}

/* Adds a cell to that of another part after a pass: both have the same state of earlier passes. */
static void join_cells(const utet_fold *fold, uint8_t *into, uint8_t *from)
{
    size_t at = fold->priv.turns->cells == FOLD_RANKS ? sizeof(fold_rank) : sizeof(fold_bins);
    /* The counter at the end of a cell counts elements in the first pass only. */
    const size_t end = fold->priv.own_bytes + (fold->priv.turn == 0 ? fold->priv.extra_bytes : 0);

    if (fold->priv.turns->cells == FOLD_RANKS)
        join_ranks((void *)into, (const void *)from);
    else
        join_bins(fold, (void *)into, (const void *)from);
    for (; at < end; at += sizeof(uint64_t))
        *(uint64_t *)(void *)(into + at) += *(const uint64_t *)(const void *)(from + at);
}

static int same_axes(const utet_fold *a, const utet_fold *b)
{
    unsigned d;

    for (d = 0; d < a->priv.ndim; d++) {
        const utet_fold_span *x = &a->box.axis[d];
        const utet_fold_span *y = &b->box.axis[d];

        if (x->start != y->start || x->step != y->step || x->count != y->count || x->stays != y->stays ||
            x->place != y->place || x->cell != y->cell ||
            a->priv.dataset->chunk_shape[d] != b->priv.dataset->chunk_shape[d])
            return 0;
    }
    return 1;
}

/* What else cuts follow from. Their numbers are compared as those of cells. */
static int same_cuts(const utet_fold_grouping *a, const utet_fold_grouping *b, unsigned ndim)
{
    unsigned d;

    if (a == NULL || b == NULL)
        return a == b;
    for (d = 0; d < ndim; d++)
        if (a->priv.axis[d].stays != b->priv.axis[d].stays)
            return 0;
    return a->window.size == b->window.size && a->window.axis == b->window.axis && a->window.pad == b->window.pad &&
           memcmp(&a->priv.window, &b->priv.window, sizeof a->priv.window) == 0 &&
           a->window.min_count == b->window.min_count;
}

/* Filters: the arcs of elements that pass. Where arcs begin says how long they are. */
static int same_filter(const utet_fold *a, const utet_fold *b)
{
    unsigned i;

    if (a->priv.take != b->priv.take || a->priv.first_passes != b->priv.first_passes || a->priv.arcs != b->priv.arcs)
        return 0;
    for (i = 0; i < a->priv.arcs; i++)
        if (a->priv.others[i].from != b->priv.others[i].from)
            return 0;
    return 1;
}

/* The counted value, the list, q or the range: bytes that the operation does not use are 0. The first member of each is
 * in the same 8 bytes; the width of bins follows from the rest. */
static int same_numbers(const utet_fold *a, const utet_fold *b)
{
    const utet_fold_binary *const x = &a->priv.own.range.minus_low;
    const utet_fold_binary *const y = &b->priv.own.range.minus_low;

    return a->priv.own.q == b->priv.own.q && a->priv.own.list.operations == b->priv.own.list.operations &&
           x->magnitude == y->magnitude && x->exponent == y->exponent && x->negative == y->negative;
}

/* The other fields follow from those compared: for example, the number of cells from axes and cuts. */
static int same_request(const utet_fold *a, const utet_fold *b)
{
    return a->priv.operation == b->priv.operation && a->priv.dataset->id == b->priv.dataset->id &&
           a->priv.layout == b->priv.layout && a->priv.ndim == b->priv.ndim && a->priv.own_bytes == b->priv.own_bytes &&
           (a->priv.extra_bytes == 0) == (b->priv.extra_bytes == 0) && a->priv.has_fill == b->priv.has_fill &&
           a->priv.fill == b->priv.fill && a->priv.fill_rest == b->priv.fill_rest && a->priv.bins == b->priv.bins &&
           a->priv.has_range == b->priv.has_range && same_numbers(a, b) && a->priv.counts_none == b->priv.counts_none &&
           a->priv.share->priv.turn == b->priv.share->priv.turn &&
           same_cuts(a->priv.grouping, b->priv.grouping, a->priv.ndim) && same_axes(a, b) && same_filter(a, b) &&
           a->priv.cells == b->priv.cells;
}

/* The cells are in the workspace, and nothing has been opened there since. */
static int has_cells(const utet_fold *fold)
{
    return fold->priv.room == 0 || fold->priv.file->priv.owner == &fold->box.slab;
}

utet_status utet_fold_merge(utet_fold *into, utet_fold *from)
{
    utet_fold_share *to = into->priv.share;
    utet_fold_share *of = from->priv.share;
    size_t i;

    if (to == NULL || of == NULL || of->priv.state != FOLD_PART_READ || !has_cells(into) || !has_cells(from) ||
        into == from)
        return UTET_E_STATE;
    if (to->priv.state != FOLD_PART_READ && to->priv.state != FOLD_PART_JOINING)
        return UTET_E_STATE;
    if (into->priv.file->priv.busy != (to->priv.state == FOLD_PART_READ ? UTET_CALL_NONE : UTET_CALL_FOLD_RUN))
        return UTET_E_STATE;
    if (to->parts != of->parts || to->priv.to != of->priv.from || !same_request(into, from))
        return UTET_E_ARGUMENT;
    for (i = 0; i < into->priv.cells; i++) {
        uint8_t *const cell = fold_cell_at(into, i);

        if (into->priv.wide_bytes != 0)
            join_cells(into, cell, fold_cell_at(from, i));
        else
            utet_fold_add_cell(into, cell, fold_cell_at(from, i));
    }
    into->folded += from->folded;
    to->priv.to = of->priv.to;
    of->priv.state = FOLD_PART_OVER;
    return UTET_OK;
}

utet_status utet_fold_follow(utet_fold *part, utet_fold *first)
{
    utet_fold_share *to = part->priv.share;
    utet_fold_share *of = first->priv.share;
    int same;

    if (to == NULL || of == NULL || of->priv.state != FOLD_PART_FOLLOWED || to->priv.state != FOLD_PART_OVER ||
        to->join != NULL || !has_cells(part) || !has_cells(first) || part->priv.file->priv.busy != UTET_CALL_NONE)
        return UTET_E_STATE;
    to->priv.turn++;
    same = to->parts == of->parts && same_request(part, first);
    to->priv.turn -= !same;
    if (!same)
        return UTET_E_ARGUMENT;
    if (part->priv.cells != 0)
        memcpy(fold_cell_at(part, 0), fold_cell_at(first, 0), part->priv.cells * part->priv.cell_bytes);
    part->folded = 0;
    to->priv.from = to->part;
    to->priv.to = to->part + 1;
    to->priv.state = FOLD_PART_TO_READ;
    part->priv.state = FOLD_BETWEEN;
    return UTET_OK;
}
