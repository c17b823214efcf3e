/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Results of a bound document: a fold or a matrix, by their public calls; and the chunks that it touches. */
#include "../fold/fold.h"
#include "query.h"

#include <string.h>

/* ---- chunks ---- */

enum { TOUCHED_BEGIN, TOUCHED_LOOK, TOUCHED_NEXT };

/* Along an axis, the first tile from `tile` on that has a selected index; UINT64_MAX: none. From tile 0 on there always
 * is one, because a selection is not empty. */
static uint64_t tile_from(const utet_query_plan *plan, unsigned axis, uint64_t tile)
{
    const utet_range *range = &plan->ranges[axis];
    const uint64_t extent = plan->dataset.chunk_shape[axis];
    uint64_t place;

    if (tile >= plan->dataset.grid[axis])
        return UINT64_MAX;
    place = utet_query_place_from(range->start, range->step, extent, tile);
    return place < range->stop ? utet_div(place, extent) : UINT64_MAX;
}

static void begin_chunks(utet_query_touched *touched, const utet_query_plan *plan)
{
    unsigned d;

    for (d = 0; d < plan->dataset.ndim && plan->dataset.chunk_shape[d] != 0; d++) /* the lookup reports a 0 */
        touched->priv.coords[d] = tile_from(plan, d, 0);
}

static utet_status answer_next_chunk(utet_query_touched *touched, const utet_query_plan *plan)
{
    uint64_t *coords = touched->priv.coords;
    unsigned d = plan->dataset.ndim;

    while (d-- != 0) {
        const uint64_t next = tile_from(plan, d, coords[d] + 1);

        if (next != UINT64_MAX) {
            coords[d] = next;
            return UTET_OK;
        }
        coords[d] = tile_from(plan, d, 0);
    }
    return UTET_END;
}

static utet_status answer_touch(utet_query_touched *touched, utet_query_plan *plan, utet_file *file, utet_chunk *chunk)
{
    utet_status status = UTET_OK;

    if (touched->priv.state == TOUCHED_BEGIN)
        begin_chunks(touched, plan);
    else if (touched->priv.state == TOUCHED_NEXT)
        status = answer_next_chunk(touched, plan);
    if (status == UTET_OK) {
        touched->priv.state = TOUCHED_LOOK;
        status = utet_chunk_find(file, &plan->dataset, touched->priv.coords, chunk);
    }
    if (status == UTET_OK)
        touched->priv.state = TOUCHED_NEXT;
    else if (status == UTET_END)
        touched->priv.state = TOUCHED_BEGIN;
    return status;
}

utet_status utet_query_touched_next(utet_query_touched *touched, utet_query_plan *plan, utet_chunk *chunk)
{
    utet_file *file = plan->priv.meta->priv.file;
    utet_status status = utet_enter_over(file, UTET_CALL_QUERY_TOUCHED, &touched->priv.inner);

    if (status != UTET_OK)
        return status;
    status = answer_touch(touched, plan, file, chunk);
    return utet_leave_over(file, UTET_CALL_QUERY_TOUCHED, &touched->priv.inner, status);
}

/* ---- results ---- */

/* Axes that stay, groups and windows. */
static void set_shape(utet_query_answer *answer, const utet_query_plan *plan)
{
    const utet_fold_grouping *by = &plan->by.grouping;
    unsigned d;

    answer->ndim = 0;
    answer->elements = 1;
    for (d = 0; d < plan->dataset.ndim; d++) {
        uint64_t count = plan->extents[d];

        answer->elements = utet_mul(answer->elements, count);
        if (by->window.size != 0 && by->window.axis == d)
            count = by->windows;
        else if (by->axis[d].groups != 0)
            count = by->axis[d].groups;
        else if ((plan->request.axes >> d & 1) != 0)
            continue;
        answer->shape[answer->ndim++] = count;
    }
}

/* Copies the figures that the matrix or the fold has found. */
static void set_figures(utet_query_answer *answer)
{
    const utet_fold *fold = &answer->priv.by.fold;
    const utet_fold_matrix *matrix = &answer->priv.by.matrix;
    const utet_query *query = answer->priv.plan->priv.query;

    set_shape(answer, answer->priv.plan);
    if (answer->is_matrix) {
        answer->need = matrix->need;
        answer->results = (uint64_t)matrix->order * matrix->order;
        answer->boxes = matrix->boxes;
        answer->passes = 1;
        answer->together = matrix->order;
        answer->ndim = 2;
        answer->shape[0] = matrix->order;
        answer->shape[1] = matrix->order;
    } else {
        answer->need = fold->need;
        answer->results = fold->results;
        answer->boxes = fold->boxes;
        answer->passes = fold->passes;
        answer->together = query->operation == UTET_QUERY_HISTOGRAM ? query->bins + 2u : 1u;
    }
}

static utet_status answer_judge(utet_query_answer *answer, utet_query_plan *plan)
{
    const utet_query *query = plan->priv.query;

    answer->priv.plan = plan;
    answer->priv.opened = 0;
    answer->is_matrix = query->priv.matrix != NULL;
    answer->folded = 0;
    answer->given = 0;
    plan->request.operation = utet_query_operation(query->operation);
    if ((query->unsupported & ~(unsigned)UTET_QUERY_SPILL) != 0 ||
        (!answer->is_matrix && plan->request.operation == NULL))
        return UTET_E_ARGUMENT;
    if (answer->is_matrix && plan->change == NULL && (query->filter.tests != 0 || query->has_label_filter))
        return UTET_E_ARGUMENT;
    return UTET_OK;
}

static utet_status prepare_matrix(utet_query_answer *answer, int open, size_t size)
{
    utet_query_plan *plan = answer->priv.plan;
    utet_file *file = plan->priv.meta->priv.file;
    utet_fold_matrix *matrix = &answer->priv.by.matrix;
    const struct utet_query_matrix *calls = plan->priv.query->priv.matrix;
    const utet_fold_variables of = {&plan->dataset, plan->ranges, UTET_QUERY_OBSERVATIONS(plan),
                                    plan->priv.query->operation == UTET_QUERY_CORRELATION, plan->change};
    utet_status status;

    if (open)
        status = calls->open(matrix, file, &of);
    else
        status = calls->need(matrix, file, &of);
    if (status == UTET_OK && open)
        status = calls->pieces(matrix, size);
    return status;
}

static utet_status prepare_fold(utet_query_answer *answer, int open, size_t size)
{
    utet_query_plan *plan = answer->priv.plan;
    const utet_query *query = plan->priv.query;
    utet_file *file = plan->priv.meta->priv.file;
    utet_fold *fold = &answer->priv.by.fold;
    utet_status status = open ? utet_fold_open(fold, file, &plan->request) : utet_fold_need(fold, file, &plan->request);

    if (status == UTET_OK && open && query->filter.tests != 0)
        status = utet_fold_where(fold, &query->filter);
    if (status == UTET_OK && plan->grouped)
        status = utet_fold_group(fold, &plan->by.grouping);
    if (status == UTET_OK && open)
        status = utet_fold_pieces(fold, size);
    return status;
}

static utet_status answer_prepare(utet_query_answer *answer, utet_query_plan *plan, uint8_t call, size_t size)
{
    const int open = call == UTET_CALL_QUERY_ANSWER_OPEN;
    utet_file *file;
    utet_status status;

    if (!plan->matched)
        return UTET_E_STATE;
    file = plan->priv.meta->priv.file;
    if (file->priv.busy == call && answer->priv.plan != plan)
        return UTET_E_STATE;
    status = utet_enter_over(file, call, &answer->priv.inner);
    if (status != UTET_OK)
        return status;
    status = answer_judge(answer, plan);
    if (status == UTET_OK)
        status = answer->is_matrix ? prepare_matrix(answer, open, size) : prepare_fold(answer, open, size);
    if (status == UTET_OK || status == UTET_E_SPACE)
        set_figures(answer);
    if (status == UTET_OK)
        answer->priv.opened = (uint8_t)open;
    return utet_leave_over(file, call, &answer->priv.inner, status);
}

utet_status utet_query_answer_need(utet_query_answer *answer, utet_query_plan *plan)
{
    return answer_prepare(answer, plan, UTET_CALL_QUERY_ANSWER_NEED, 0);
}

utet_status utet_query_answer_open(utet_query_answer *answer, utet_query_plan *plan, size_t size)
{
    return answer_prepare(answer, plan, UTET_CALL_QUERY_ANSWER_OPEN, size);
}

utet_status utet_query_answer_next(utet_query_answer *answer, double *results)
{
    utet_file *file;
    utet_status status;

    if (!answer->priv.opened)
        return UTET_E_STATE;
    file = answer->priv.plan->priv.meta->priv.file;
    status = utet_enter_over(file, UTET_CALL_QUERY_ANSWER_NEXT, &answer->priv.inner);
    if (status != UTET_OK)
        return status;
    /* More room than a piece needs does no harm, and the piece was agreed upon. */
    if (answer->is_matrix) {
        const struct utet_query_matrix *matrix = answer->priv.plan->priv.query->priv.matrix;

        status = matrix->run(&answer->priv.by.matrix, results, SIZE_MAX);
        answer->folded = answer->elements;
        answer->given = answer->priv.by.matrix.given;
    } else {
        status = utet_fold_run(&answer->priv.by.fold, results, SIZE_MAX);
        answer->folded = answer->priv.by.fold.folded;
        answer->given = answer->priv.by.fold.given;
    }
    if (status != UTET_OK)
        answer->given = 0;
    return utet_leave_over(file, UTET_CALL_QUERY_ANSWER_NEXT, &answer->priv.inner, status);
}
