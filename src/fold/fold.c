/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Folding: the selection is read in boxes, each a slab of its own. A box has as many of the results as there are cells;
 * its runs go into their cells, and when all that belongs to those has been read, they become doubles.
 */
#include "fold.h"

#include <string.h>

/* ---- opening ---- */

static utet_status set_request(utet_fold *fold, utet_file *file, const utet_fold_request *request)
{
    const utet_dataset *dataset = request->dataset;
    const utet_fold_operation *operation = request->operation;
    unsigned d;

    if (dataset == NULL || request->ranges == NULL || operation == NULL)
        return UTET_E_ARGUMENT;
    if (dataset->dtype > UTET_U64 || (operation->dtypes >> dataset->dtype & 1u) == 0)
        return UTET_E_DTYPE;
    memset(&fold->priv, 0, sizeof fold->priv);
    fold->priv.file = file;
    fold->priv.dataset = dataset;
    fold->priv.dtype = dataset->dtype;
    fold->priv.ndim = dataset->ndim;
    fold->priv.operation = operation;
    fold->priv.has_fill = request->has_fill != 0;
    if (fold->priv.has_fill)
        fold->priv.fill = utet_fold_bits(request->fill);
    for (d = 0; d < dataset->ndim; d++) {
        fold->priv.axis[d].whole = request->ranges[d];
        fold->priv.axis[d].stays = (request->axes >> d & 1u) == 0;
    }
    fold->priv.values = 1;
    fold->priv.least_bytes = operation->bytes(&utet_dtype_layouts[dataset->dtype]);
    return operation->prepare != NULL ? operation->prepare(fold, request) : UTET_OK;
}

/* The box of each axis, given `room` cells. Axes that stay: the last ones whole, the one before them in part, those
 * before it place by place, so that the results of a box follow each other. */
static void set_boxes(utet_fold *fold, uint64_t room)
{
    utet_fold_span *span = fold->priv.axis + fold->priv.ndim;

    fold->boxes = 1;
    while (span-- != fold->priv.axis) {
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

uint64_t utet_fold_set_cells(utet_fold *fold, uint64_t memory, size_t each)
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
        set_boxes(fold, room);
    return fold->boxes;
}

/* How many results there are, and how places are counted. */
static void count_results(utet_fold *fold)
{
    uint64_t place = 1;
    unsigned d = fold->priv.ndim;

    fold->results = 1;
    while (d-- != 0) {
        utet_fold_span *span = &fold->priv.axis[d];

        span->count = fold->priv.slab.axis[d].count;
        if (span->stays) {
            fold->results = utet_mul(fold->results, span->count);
        } else {
            span->place = place;
            place *= span->count;
        }
    }
}

void utet_fold_plan(utet_fold *fold, const utet_file *file)
{
    const utet_slab *slab = &fold->priv.slab;
    size_t extra = fold->priv.extra_bytes;
    size_t each = fold->priv.least_bytes;
    uint64_t least = utet_align8(slab->need.least);
    uint64_t room;

    fold->need.least = utet_add(least, each + extra);
    if (each < fold->priv.wide_bytes)
        each = fold->priv.wide_bytes;
    fold->need.best = utet_add(utet_align8(slab->need.best), utet_mul(fold->results, each + extra));
    if (fold->need.best < fold->need.least)
        fold->need.best = fold->need.least;
    fold->boxes = 0;
    fold->passes = 0;
    fold->priv.own_bytes = fold->priv.least_bytes;
    fold->priv.cell_bytes = fold->priv.own_bytes + extra;
    fold->priv.slab_bytes = (size_t)least;
    if (slab->count != 0) {
        /* The slab's least comes first, then cells, then what else the slab can use. */
        room = file->budget > least ? file->budget - least : 0;
        fold->passes = 1;
        if (fold->priv.turns != NULL)
            fold->priv.turns->choose(fold, room);
        else
            (void)utet_fold_set_cells(fold, room, fold->priv.cell_bytes);
        if (file->budget >= fold->need.least) {
            room = (file->budget - fold->priv.room * fold->priv.cell_bytes) & ~(size_t)7;
            if (room > utet_align8(slab->need.best))
                room = utet_align8(slab->need.best);
            fold->priv.slab_bytes = (size_t)room;
        }
    }
    fold->results = utet_mul(fold->results, fold->priv.values);
}

static utet_status prepare(utet_fold *fold, utet_file *file, const utet_fold_request *request, uint8_t call)
{
    int resumed = file->priv.busy == call;
    utet_status status = fold_enter(file, call, &fold->priv.inner);

    if (status != UTET_OK)
        return status;
    if (!resumed)
        status = set_request(fold, file, request);
    if (status == UTET_OK)
        status = utet_slab_need(&fold->priv.slab, file, request->dataset, request->ranges);
    if (status == UTET_OK) {
        count_results(fold);
        utet_fold_plan(fold, file);
        fold->folded = 0;
        fold->priv.state = FOLD_ASKED;
        if (call == UTET_CALL_FOLD_OPEN) {
            fold->priv.state = FOLD_READY;
            if (fold->need.least > file->budget) {
                fold->priv.state = FOLD_CLOSED;
                file->needed = fold->need.least;
                status = UTET_E_BUDGET;
            }
        }
    }
    return fold_leave(file, call, &fold->priv.inner, status);
}

utet_status utet_fold_need(utet_fold *fold, utet_file *file, const utet_fold_request *request)
{
    return prepare(fold, file, request, UTET_CALL_FOLD_NEED);
}

utet_status utet_fold_open(utet_fold *fold, utet_file *file, const utet_fold_request *request)
{
    return prepare(fold, file, request, UTET_CALL_FOLD_OPEN);
}

/* ---- running ---- */

/* The ranges of the box under way, and how its places find their cells. */
static void set_box(utet_fold *fold)
{
    unsigned d = fold->priv.ndim;

    fold->priv.cells = 1;
    if (fold->priv.shape != NULL) {
        fold->priv.shape->set_box(fold);
        return;
    }
    while (d-- != 0) {
        utet_fold_span *span = &fold->priv.axis[d];
        uint64_t count = span->count - span->at;

        if (count > span->box)
            count = span->box;
        fold_places(&fold->priv.ranges[d], &span->whole, span->at, count);
        if (span->stays) {
            span->cell = fold->priv.cells;
            fold->priv.cells *= (size_t)count;
        }
    }
}

/* On to the next box of the same results (stays = 0), or to the first one of other results (stays = 1); 0: there is
 * none. */
static int next_box(utet_fold *fold, uint8_t stays)
{
    utet_fold_span *span = fold->priv.axis + fold->priv.ndim;

    if (fold->priv.shape != NULL)
        return fold->priv.shape->next_box(fold, stays);
    while (span-- != fold->priv.axis) {
        if (span->stays != stays)
            continue;
        span->at += span->box;
        if (span->at < span->count)
            return 1;
        span->at = 0;
    }
    return 0;
}

static utet_status open_box(utet_fold *fold)
{
    utet_file *file = fold->priv.file;
    size_t top = fold->priv.slab_bytes + fold->priv.room * fold->priv.cell_bytes;
    utet_status status;

    set_box(fold);
    status = utet_slab_open(&fold->priv.slab, file, fold->priv.dataset, fold->priv.ranges);
    if (status == UTET_E_BUDGET) /* the medium is not as it was */
        file->needed = utet_add(utet_align8(file->needed), fold->priv.cell_bytes);
    if (file->high_water < top)
        file->high_water = top;
    return status;
}

static void skip(fold_part *part, size_t count)
{
    part->data += count * part->stride;
    part->cell += count * part->cell_step;
    part->place += count * part->place_step;
}

void utet_fold_take(utet_fold *fold, fold_part *part, size_t count)
{
    while (count != 0) {
        part->count = count;
        if (fold->priv.match != NULL) {
            size_t without = fold->priv.match(fold, part->data, count, part->stride, 0);

            count -= without;
            if (count == 0)
                return;
            skip(part, without);
            part->count = fold->priv.match(fold, part->data, count, part->stride, 1);
        }
        fold->priv.operation->take(part);
        if (fold->priv.turn == 0)
            fold->folded += part->count;
        count -= part->count;
        if (count != 0) /* no step over the end, however large */
            skip(part, part->count);
    }
}

/* The next run into its cells. */
static utet_status take_run(utet_fold *fold)
{
    utet_slab *slab = &fold->priv.slab;
    unsigned last = fold->priv.ndim - 1u;
    size_t cell = 0;
    utet_run *run = &fold->priv.run; /* not on the stack, below which the slab works */
    fold_part part;
    utet_status status;
    unsigned d;

    part.place = 0;
    for (d = 0; d <= last; d++) {
        uint64_t at = slab->axis[d].priv.base + slab->axis[d].priv.place;

        cell += (size_t)at * fold->priv.axis[d].cell;
        part.place += (fold->priv.axis[d].at + at) * fold->priv.axis[d].place;
    }
    status = utet_slab_run(slab, run);
    if (status != UTET_OK)
        return status;
    part.fold = fold;
    part.layout = &utet_dtype_layouts[fold->priv.dtype];
    part.data = run->data;
    part.stride = run->stride;
    part.count = run->count;
    part.cell = fold_cell_at(fold, cell);
    part.cell_step = fold->priv.axis[last].cell * fold->priv.cell_bytes;
    part.place_step = fold->priv.axis[last].place;
    utet_fold_take(fold, &part, run->count);
    return UTET_OK;
}

/* The results of the cells; 0: their boxes are to be read once more. */
static int finish_cells(utet_fold *fold, double *results)
{
    const fold_layout *layout = &utet_dtype_layouts[fold->priv.dtype];
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
            results[i] = utet_fold_value(fold->priv.operation->finish(fold, layout, fold_cell_at(fold, i)));
    }
    fold->priv.done += (uint64_t)fold->priv.cells * fold->priv.values;
    return 1;
}

static utet_status run(utet_fold *fold, double *results)
{
    utet_status status = UTET_OK;

    for (;;) {
        switch (fold->priv.state) {
        case FOLD_FIRST:
        case FOLD_FURTHER:
            status = open_box(fold);
            if (status != UTET_OK)
                return status;
            /* Only now: until then the window may have had this memory. */
            if (fold->priv.state == FOLD_FIRST)
                memset(fold_cell_at(fold, 0), 0, fold->priv.cells * fold->priv.cell_bytes);
            fold->priv.state = FOLD_RUN;
            break;
        default:
            if (fold->priv.pass_tiles != NULL)
                fold->priv.pass_tiles(fold);
            status = fold->priv.shape != NULL ? fold->priv.shape->take_run(fold) : take_run(fold);
            if (status == UTET_OK)
                break;
            if (status != UTET_END)
                return status;
            fold->priv.state = FOLD_FURTHER;
            if (next_box(fold, 0) || !finish_cells(fold, results))
                break;
            fold->priv.state = FOLD_FIRST;
            if (!next_box(fold, 1) || fold->priv.piece != NULL)
                return UTET_OK;
        }
    }
}

/* A selection without elements: each result is that of nothing. */
static utet_status run_empty(utet_fold *fold, double *results)
{
    utet_file *file = fold->priv.file;

    fold->priv.cells = 1;
    utet_window_resize(file, utet_window_fit(file, fold->priv.slab_bytes));
    file->priv.owner = &fold->priv.slab;
    if (file->high_water < fold->need.least)
        file->high_water = (size_t)fold->need.least;
    while (fold->priv.done < fold->results) {
        memset(fold_cell_at(fold, 0), 0, fold->priv.cell_bytes);
        while (!finish_cells(fold, results))
            continue;
    }
    return UTET_OK;
}

utet_status utet_fold_run_all(utet_fold *fold, double *results, size_t size)
{
    utet_file *file = fold->priv.file;
    utet_status status;
    size_t budget;
    int resumed;

    if (file == NULL)
        return UTET_E_STATE;
    resumed = file->priv.busy == UTET_CALL_FOLD_RUN;
    if (fold->priv.status != UTET_OK)
        return fold->priv.status;
    if (fold->priv.state < FOLD_READY || fold->priv.state == FOLD_OVER || resumed != (fold->priv.state != FOLD_READY))
        return UTET_E_STATE;
    if (size < fold->results)
        return UTET_E_SPACE;
    status = fold_enter(file, UTET_CALL_FOLD_RUN, &fold->priv.inner);
    if (status != UTET_OK)
        return status;
    if (!resumed)
        fold->priv.state = FOLD_FIRST;
    /* The slab's part of the workspace is a wall for it while it opens and while it runs. */
    budget = file->budget;
    file->budget = fold->priv.slab_bytes;
    status = fold->priv.slab.count == 0 ? run_empty(fold, results) : run(fold, results);
    file->budget = budget;
    if (status != UTET_WOULD_BLOCK)
        fold->priv.state = FOLD_OVER;
    if (UTET_IS_ERROR(status))
        fold->priv.status = status;
    return fold_leave(file, UTET_CALL_FOLD_RUN, &fold->priv.inner, status);
}

utet_status utet_fold_run(utet_fold *fold, double *results, size_t size)
{
    return fold->priv.piece != NULL ? fold->priv.piece(fold, results, size) : utet_fold_run_all(fold, results, size);
}
