/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Folding: the selection is read in boxes, each a slab of its own. A box has as many of the results as there are cells;
 * its runs go into their cells, and when all that belongs to those has been read, they become doubles.
 */
#include "fold.h"

#include <string.h>

/* ---- opening ---- */

static utet_status fold_set_request(utet_fold *fold, utet_file *file, const utet_fold_request *request)
{
    const utet_dataset *dataset = request->dataset;
    const utet_fold_operation *operation = request->operation;
    const fold_layout *layout;

    if (dataset == NULL || request->ranges == NULL || operation == NULL)
        return UTET_E_ARGUMENT;
    if (dataset->dtype >= UTET_DTYPE_END || (operation->dtypes >> dataset->dtype & 1u) == 0)
        return UTET_UNREADABLE(dataset);
    memset(fold, 0, sizeof *fold);
    layout = &utet_dtype_layouts[dataset->dtype];
    fold->priv.file = file;
    fold->priv.dataset = dataset;
    fold->priv.layout = layout;
    fold->priv.ndim = dataset->ndim;
    fold->priv.operation = operation;
    fold->priv.has_fill = request->has_fill != 0;
    fold->priv.fill = utet_fold_bits(request->fill);
    fold->priv.fill_rest = request->fill_rest;
    fold->priv.values = 1;
    fold->priv.least_bytes = fold_operation_bytes(operation, layout);
    fold->priv.axes = (uint8_t)request->axes;
    return operation->prepare != NULL ? operation->prepare(fold, request) : UTET_OK;
}

/* The box of each axis, given `room` cells. Of the kept axes, the last ones are whole, the one before them in part,
 * and those before it have one index at a time, so that the results of a box follow each other. */
static void fold_set_boxes(utet_fold *fold, uint64_t room)
{
    utet_fold_span *span = fold->box.axis + fold->priv.ndim;

    fold->boxes = 1;
    while (span-- != fold->box.axis) {
        span->box = span->count;
        if (span->stays) {
            if (span->box > room)
                span->box = room;
            room = span->box < span->count ? 1 : utet_div(room, span->box);
        }
        fold->boxes = utet_mul(fold->boxes, utet_div_up(span->count, span->box));
    }
    if (fold->priv.order != NULL)
        fold->priv.order(fold);
}

uint64_t utet_fold_set_cells(utet_fold *fold, size_t memory, size_t each)
{
    uint64_t room = memory > each ? utet_div(memory, each) : 1;

    if (room > fold->results)
        room = fold->results;
    fold->priv.cell_bytes = each;
    fold->priv.own_bytes = each - fold->priv.extra_bytes;
    fold->priv.room = (size_t)room;
    if (fold->priv.shape != NULL)
        fold->priv.shape->set_boxes(fold, room);
    else
        fold_set_boxes(fold, room);
    return fold->boxes;
}

/* The axes of the selection: the number of results, and how their indices are counted. Uses the copy of the request
 * in the slab, because a repeated call may bring another one. */
static void set_axes(utet_fold *fold)
{
    uint64_t place = 1;
    unsigned d = fold->priv.ndim;

    fold->results = 1;
    while (d-- != 0) {
        utet_fold_span *span = &fold->box.axis[d];
        const utet_axis *axis = &fold->box.slab.axis[d];

        span->start = axis->priv.start;
        span->step = axis->priv.step;
        span->count = axis->count;
        if (((uint32_t)fold->priv.axes >> d & 1u) == 0) {
            span->stays = 1;
            fold->results = utet_mul(fold->results, span->count);
        } else {
            span->place = place;
            place *= span->count;
        }
    }
}

utet_status utet_fold_plan(utet_fold *fold, utet_file *file)
{
    uint64_t slab_least = utet_up8(file, fold->box.slab.need.least);
    uint64_t slab_best = utet_up8(file, fold->box.slab.need.best);
    size_t each = fold->priv.least_bytes + fold->priv.extra_bytes;
    size_t most = fold->priv.wide_bytes + fold->priv.extra_bytes;
    size_t memory = 0; /* for cells: the slab's least comes first, then cells, then what else the slab can use */

    if (most < each)
        most = each;
    fold->need.least = utet_add(slab_least, each);
    fold->need.best = utet_add(slab_best, utet_mul(fold->results, most));
    if (fold->need.best < fold->need.least)
        fold->need.best = fold->need.least;
    fold->boxes = 0;
    fold->passes = 0;
    fold->priv.room = 0;
    fold->priv.slab_bytes = (size_t)slab_least;
    if (fold->results != 0) {
        if (file->budget > slab_least)
            memory = file->budget - (size_t)slab_least;
        fold->passes = 1;
        if (fold->priv.turns != NULL)
            fold->priv.turns->choose(fold, memory);
        else
            (void)utet_fold_set_cells(fold, memory, each);
    }
    fold->results = utet_mul(fold->results, fold->priv.values);
    if (file->budget >= fold->need.least) {
        memory = utet_down8(file, file->budget - fold->priv.room * fold->priv.cell_bytes);
        fold->priv.slab_bytes = memory < slab_best ? memory : (size_t)slab_best;
    } else if (fold->priv.state == FOLD_READY) {
        fold->priv.state = FOLD_CLOSED;
        file->needed = fold->need.least;
        return UTET_E_BUDGET;
    }
    return UTET_OK;
}

static utet_status fold_prepare(utet_fold *fold, utet_file *file, const utet_fold_request *request, uint8_t call)
{
    int resumed = file->priv.busy == call;
    utet_status status = utet_enter_over(file, call, &fold->priv.inner);

    if (status != UTET_OK)
        return status;
    if (!resumed)
        status = fold_set_request(fold, file, request);
    if (status == UTET_OK)
        status = utet_slab_need(&fold->box.slab, file, request->dataset, request->ranges);
    if (status == UTET_OK) {
        set_axes(fold);
        fold->priv.state = call == UTET_CALL_FOLD_OPEN ? FOLD_READY : FOLD_ASKED;
        status = utet_fold_plan(fold, file);
    }
    return utet_leave_over(file, call, &fold->priv.inner, status);
}

utet_status utet_fold_need(utet_fold *fold, utet_file *file, const utet_fold_request *request)
{
    return fold_prepare(fold, file, request, UTET_CALL_FOLD_NEED);
}

utet_status utet_fold_open(utet_fold *fold, utet_file *file, const utet_fold_request *request)
{
    return fold_prepare(fold, file, request, UTET_CALL_FOLD_OPEN);
}

/* ---- running ---- */

/* Sets the ranges of the current block, and the steps from its indices to their cells. */
static void fold_set_box(utet_fold *fold)
{
    unsigned d = fold->priv.ndim;

    fold->priv.cells = 1;
    if (fold->priv.shape != NULL) {
        fold->priv.shape->set_box(fold);
        return;
    }
    while (d-- != 0) {
        utet_fold_span *span = &fold->box.axis[d];
        uint64_t count = span->count - span->at;

        if (count > span->box)
            count = span->box;
        fold_places(&fold->box.ranges[d], span->start + span->at * span->step, span->step, count);
        if (span->stays) {
            span->cell = fold->priv.cells;
            fold->priv.cells *= (size_t)count;
        }
    }
}

/* On to the next box of the same results (stays = 0), or to the first one of other results (stays = 1); 0: there is
 * none. */
static int fold_next_box(utet_fold *fold, uint8_t stays)
{
    utet_fold_span *span = fold->box.axis + fold->priv.ndim;

    if (fold->priv.shape != NULL)
        return fold->priv.shape->next_box(fold, stays);
    while (span-- != fold->box.axis) {
        if (span->stays != stays)
            continue;
        span->at += span->box;
        if (span->at < span->count)
            return 1;
        span->at = 0;
    }
    return 0;
}

UTET_APART static utet_status fold_open_box(utet_fold *fold)
{
    utet_file *file = fold->priv.file;
    utet_status status;

    fold_set_box(fold);
    status = utet_slab_open(&fold->box.slab, file, fold->priv.dataset, fold->box.ranges);
    if (status == UTET_E_BUDGET) /* the medium is not as it was */
        file->needed = utet_add(utet_up8(file, file->needed), fold->priv.cell_bytes);
    /* Cells may take the memory of the window. A slab with elements has made it smaller. */
    if (fold->box.slab.count == 0)
        (void)utet_window_alone(file);
    return status;
}

void utet_fold_take(utet_fold *fold, fold_part *part)
{
    fold->priv.operation->take(part);
    if (fold->priv.turn != 0)
        return;
    fold->folded += part->count;
    if (fold->priv.extra_bytes != 0)
        fold->priv.shape->count(part);
}

/* The next run into its cells. */
static utet_status fold_take_run(utet_fold *fold)
{
    utet_slab *slab = &fold->box.slab;
    utet_run *run = &fold->box.run; /* neither is on the stack, below which the slab works */
    fold_part *part = &fold->box.part;
    utet_fold_span *last = fold->box.axis + (fold->priv.ndim - 1u);
    utet_fold_span *span = fold->box.axis;
    const utet_axis *axis = slab->axis;
    size_t cell = 0;
    utet_status status;

    part->place = 0;
    for (;; span++, axis++) {
        uint64_t at = axis->priv.base + axis->priv.place;

        cell += (size_t)at * span->cell;
        span->now = span->at + at;
        part->place += span->now * span->place;
        if (span == last)
            break;
    }
    status = utet_slab_next(slab, run);
    if (status != UTET_OK)
        return status;
    part->fold = fold;
    part->layout = fold->priv.layout;
    part->data = run->data;
    part->stride = run->stride;
    part->count = run->count;
    part->place_step = last->place;
    part->cell = fold_cell_at(fold, cell);
    part->cell_step = last->cell * fold->priv.cell_bytes;
    if (fold->priv.shape != NULL && !fold->priv.shape->first_part(fold))
        return UTET_OK;
    do
        fold_take_passing(fold, part);
    while (fold->priv.shape != NULL && fold->priv.shape->next_part(fold));
    return UTET_OK;
}

/* Writes the results of the cells; returns 0 if their blocks must be read once more. */
static int fold_finish_cells(utet_fold *fold, double *results)
{
    size_t i;

    results += fold->priv.done;
    if (fold->priv.turns != NULL && fold->priv.turns->again(fold, results)) {
        fold->priv.turn++;
        return 0;
    }
    fold->priv.turn = 0;
    if (fold->priv.shape != NULL) {
        fold->priv.shape->finish(fold, results);
    } else if (fold->priv.turns == NULL) {
        for (i = 0; i < fold->priv.cells; i++)
            results[i] = utet_fold_value(fold->priv.operation->finish(fold, fold->priv.layout, fold_cell_at(fold, i)));
    }
    fold->priv.done += (uint64_t)fold->priv.cells * fold->priv.values;
    return 1;
}

static utet_status fold_run(utet_fold *fold, double *results)
{
    utet_status status;

    for (;;) {
        if (fold->priv.state != FOLD_RUN) {
            status = fold_open_box(fold);
            if (status != UTET_OK)
                return status;
            /* Only now: until then the window may have had this memory. */
            if (fold->priv.state == FOLD_FIRST)
                memset(fold_cell_at(fold, 0), 0, fold->priv.cells * fold->priv.cell_bytes);
            fold->priv.state = FOLD_RUN;
        }
        do {
            if (fold->priv.pass_tiles != NULL)
                fold->priv.pass_tiles(fold);
            status = fold_take_run(fold);
        } while (status == UTET_OK);
        if (status != UTET_END)
            return status;
        fold->priv.state = FOLD_FURTHER;
        if (fold_next_box(fold, 0) || !fold_finish_cells(fold, results))
            continue;
        fold->priv.state = FOLD_FIRST;
        if (!fold_next_box(fold, 1) || fold->priv.piece != NULL)
            return UTET_OK;
    }
}

utet_status utet_fold_run_all(utet_fold *fold, double *results, size_t size)
{
    utet_file *file = fold->priv.file;
    utet_status status = fold->priv.status;
    size_t budget;
    size_t top;
    int waits = fold->priv.state == FOLD_READY;

    if (status != UTET_OK)
        return status;
    if (fold->priv.state <= FOLD_OVER || (file->priv.busy == UTET_CALL_FOLD_RUN) == waits)
        return UTET_E_STATE;
    if (fold->priv.piece == NULL && size < fold->results)
        return UTET_E_SPACE;
    status = utet_enter_over(file, UTET_CALL_FOLD_RUN, &fold->priv.inner);
    if (status != UTET_OK)
        return status;
    if (waits)
        fold->priv.state = fold->priv.turn == 0 ? FOLD_FIRST : FOLD_FURTHER; /* a later pass of a part (fold_merge.c) */
    top = fold->priv.slab_bytes + fold->priv.room * fold->priv.cell_bytes;
    if (file->high_water < top)
        file->high_water = top;
    /* The slab's part of the workspace is its limit while it opens and while it runs. */
    budget = file->budget;
    file->budget = fold->priv.slab_bytes;
    if (fold->priv.room != 0)
        status = fold_run(fold, results);
    file->budget = budget;
    if (status != UTET_WOULD_BLOCK)
        fold->priv.state = FOLD_OVER;
    if (UTET_IS_ERROR(status))
        fold->priv.status = status;
    return utet_leave_over(file, UTET_CALL_FOLD_RUN, &fold->priv.inner, status);
}

utet_status utet_fold_run(utet_fold *fold, double *results, size_t size)
{
    return fold->priv.piece != NULL ? fold->priv.piece(fold, results, size) : utet_fold_run_all(fold, results, size);
}
