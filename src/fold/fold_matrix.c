/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Covariances: which variables, which observations, and how they are read. Two blocks of variables at a time:
 * elements of the first one are kept for some observations, then those of the second one are multiplied with them.
 * The workspace is: the slab's part | sums of both blocks | sums of products | elements kept. fold_covariance.c
 * computes with them.
 */
#include "fold_matrix.h"

#include <string.h>

/* ---- opening ---- */

static utet_status matrix_set_request(utet_fold_matrix *matrix, utet_file *file, const utet_fold_variables *variables)
{
    const utet_dataset *dataset = variables->dataset;
    unsigned d;

    if (dataset == NULL || variables->ranges == NULL || dataset->ndim != 2 || variables->observations > 1)
        return UTET_E_ARGUMENT;
    if (dataset->dtype == 0 || dataset->dtype >= UTET_DTYPE_END)
        return UTET_E_DTYPE;
    memset(&matrix->priv, 0, sizeof matrix->priv);
    matrix->priv.file = file;
    matrix->priv.dataset = dataset;
    matrix->priv.dtype = dataset->dtype;
    matrix->priv.correlation = variables->correlation;
    matrix->priv.along = !variables->observations;
    matrix->priv.change = variables->change;
    for (d = 0; d < 2; d++)
        matrix->box.whole[d] = variables->ranges[d];
    return UTET_OK;
}

/* Returns the size of the data that are kept for `block` variables and `some` observations, in bytes. */
static uint64_t matrix_kept_bytes(const utet_fold_matrix *matrix, uint32_t block, uint64_t some)
{
    return utet_add(utet_matrix_sums(matrix, block), utet_mul(some, (uint64_t)8 * block));
}

static uint64_t least_of(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* The largest blocks for which the observations of a chunk, `some`, can be kept, and then more observations. */
static void choose_block(utet_fold_matrix *matrix, uint64_t memory, uint64_t some)
{
    uint32_t block = matrix->order;
    uint64_t sums;
    uint64_t most;

    while (block > 1 &&
           (matrix_kept_bytes(matrix, block, some) > memory || (matrix->priv.rows != 0 && block > matrix->priv.rows)))
        block--;
    sums = utet_matrix_sums(matrix, block);
    most = memory > sums ? utet_div(memory - sums, (uint64_t)8 * block) : 0;
    if (most > some)
        most = utet_div(most, some) * some;
    if (most == 0)
        most = 1;
    matrix->block = block;
    matrix->priv.some = (size_t)least_of(most, matrix->observed);
    /* The first box ends with a chunk, so the others begin with one, and no chunk is decoded for two of them. (A step
     * that does not divide the chunk's extent leads away from that.) */
    matrix->priv.missing = 0;
    if (most >= some && most < matrix->observed)
        matrix->priv.missing = (size_t)(some - matrix->box.slab.axis[!matrix->priv.along].priv.inside);
    matrix->priv.kept_bytes = (size_t)matrix_kept_bytes(matrix, block, matrix->priv.some);
    matrix->boxes = utet_div_up(matrix->order, block);
    if (matrix->priv.rows != 0) /* both halves */
        matrix->boxes *= 2 * matrix->boxes - 1;
    else
        matrix->boxes *= matrix->boxes;
    matrix->boxes = utet_mul(matrix->boxes,
                             utet_div_up(utet_add(matrix->observed, matrix->priv.missing), matrix->priv.some));
}

static utet_status matrix_plan(utet_fold_matrix *matrix, const utet_file *file)
{
    const utet_slab *slab = &matrix->box.slab;
    unsigned along = matrix->priv.along;
    uint64_t least = utet_up8(file, slab->need.least);
    uint64_t memory = file->budget > least ? file->budget - least : 0;
    uint64_t some;

    if (slab->axis[along].count > UTET_FOLD_MAX_VARIABLES)
        return UTET_E_RANGE;
    matrix->order = (uint32_t)slab->axis[along].count;
    matrix->observed = slab->axis[!along].count;
    matrix->block = 0;
    matrix->boxes = 0;
    matrix->need = slab->need;
    if (slab->count == 0)
        return UTET_OK;
    some = utet_div_up(matrix->priv.dataset->chunk_shape[!along], matrix->box.whole[!along].step);
    some = least_of(some, matrix->observed);
    matrix->need.least = utet_add(least, matrix_kept_bytes(matrix, 1, 1));
    matrix->need.best = utet_add(utet_up8(file, slab->need.best), matrix_kept_bytes(matrix, matrix->order, some));
    matrix->priv.slab_bytes = (size_t)least;
    choose_block(matrix, memory, some);
    /* The rest is for the slab. */
    if (memory >= matrix->priv.kept_bytes)
        matrix->priv.slab_bytes = (size_t)least_of(utet_up8(file, slab->need.best),
                                                   utet_down8(file, file->budget - matrix->priv.kept_bytes));
    return UTET_OK;
}

static utet_status matrix_prepare(utet_fold_matrix *matrix, utet_file *file, const utet_fold_variables *variables,
                                  uint8_t call)
{
    int resumed = file->priv.busy == call;
    utet_status status = utet_enter_over(file, call, &matrix->priv.inner);

    if (status != UTET_OK)
        return status;
    if (!resumed)
        status = matrix_set_request(matrix, file, variables);
    if (status == UTET_OK)
        status = utet_slab_need(&matrix->box.slab, file, variables->dataset, variables->ranges);
    if (status == UTET_OK)
        status = matrix_plan(matrix, file);
    if (status == UTET_OK && call == UTET_CALL_MATRIX_OPEN) {
        if (matrix->need.least > file->budget) {
            file->needed = matrix->need.least;
            status = UTET_E_BUDGET;
        } else {
            matrix->priv.state = FOLD_READY;
        }
    }
    return utet_leave_over(file, call, &matrix->priv.inner, status);
}

utet_status utet_fold_matrix_need(utet_fold_matrix *matrix, utet_file *file, const utet_fold_variables *variables)
{
    return matrix_prepare(matrix, file, variables, UTET_CALL_MATRIX_NEED);
}

utet_status utet_fold_matrix_open(utet_fold_matrix *matrix, utet_file *file, const utet_fold_variables *variables)
{
    return matrix_prepare(matrix, file, variables, UTET_CALL_MATRIX_OPEN);
}

/* ---- running ---- */

UTET_APART static void matrix_set_range(utet_fold_matrix *matrix, unsigned axis, uint64_t from, uint64_t count)
{
    const utet_range *whole = &matrix->box.whole[axis];

    fold_places(&matrix->box.ranges[axis], whole->start + from * whole->step, whole->step, count);
}

static utet_status matrix_open_box(utet_fold_matrix *matrix)
{
    utet_file *file = matrix->priv.file;
    unsigned along = matrix->priv.along;
    size_t top = matrix->priv.slab_bytes + matrix->priv.kept_bytes;
    utet_status status;
    size_t some;
    unsigned i;

    for (i = 0; i < 2; i++)
        matrix->priv.many[i] = (uint32_t)least_of(matrix->block, matrix->order - matrix->priv.from[i]);
    i = matrix->priv.second;
    matrix_set_range(matrix, along, matrix->priv.from[i], matrix->priv.many[i]);
    some = matrix->priv.some;
    if (matrix->priv.at == 0)
        some -= matrix->priv.missing;
    matrix_set_range(matrix, !along, matrix->priv.at, least_of(some, matrix->observed - matrix->priv.at));
    status = utet_slab_open(&matrix->box.slab, file, matrix->priv.dataset, matrix->box.ranges);
    if (status == UTET_E_BUDGET) /* the medium is not as it was */
        file->needed = utet_add(utet_up8(file, file->needed), matrix_kept_bytes(matrix, 1, 1));
    if (file->high_water < top)
        file->high_water = top;
    return status;
}

/* Reads the next run of the block; sets priv.place to the index of its first element. */
static utet_status matrix_next_run(utet_fold_matrix *matrix)
{
    utet_slab *slab = &matrix->box.slab;
    unsigned i;

    for (i = 0; i < 2; i++)
        matrix->priv.place[i] = (size_t)(slab->axis[i].priv.base + slab->axis[i].priv.place);
    return utet_slab_next(slab, &matrix->box.run);
}

/* The call of the slab has returned, so the stack of this function is not on top of the slab's. */
UTET_APART static void take_run(utet_fold_matrix *matrix)
{
    const utet_run *run = &matrix->box.run;
    const fold_layout *layout = &utet_dtype_layouts[matrix->priv.dtype];
    const utet_fold_change *change = matrix->priv.change;
    const unsigned along = matrix->priv.along;
    size_t *at = matrix->priv.place;
    size_t i;

    for (i = 0; i < run->count; i++, at[1]++) {
        uint64_t bits = utet_fold_load(layout, run->data + i * run->stride);

        if (change != NULL)
            bits = change->replace(change->context, bits, matrix->priv.at + at[!along],
                                   matrix->priv.from[matrix->priv.second] + (uint32_t)at[along]);
        utet_matrix_take(matrix, at[!along], at[along], bits);
    }
}

/* A box has been read. 1: the next one belongs to the same sums. */
static int matrix_next_box(utet_fold_matrix *matrix)
{
    int one_block = matrix->priv.from[0] == matrix->priv.from[1];
    const size_t read = (size_t)matrix->box.slab.axis[!matrix->priv.along].count;

    if (one_block) {
        utet_matrix_multiply(matrix, read);
    } else if (!matrix->priv.second) {
        matrix->priv.second = 1;
        return 1;
    }
    matrix->priv.second = 0;
    matrix->priv.at += read;
    if (matrix->priv.at < matrix->observed)
        return 1;
    matrix->priv.at = 0;
    return 0;
}

/* 0: these were the last two blocks. */
static int next_blocks(utet_fold_matrix *matrix)
{
    matrix->priv.from[1] += matrix->priv.many[1];
    if (matrix->priv.from[1] < matrix->order)
        return 1;
    matrix->priv.from[0] += matrix->priv.many[0];
    matrix->priv.from[1] = matrix->priv.rows != 0 ? 0 : matrix->priv.from[0];
    return matrix->priv.from[0] < matrix->order;
}

static utet_status matrix_run(utet_fold_matrix *matrix, double *results)
{
    utet_status status;

    for (;;) {
        if (matrix->priv.state == FOLD_RUN) {
            status = matrix_next_run(matrix);
            if (status == UTET_OK) {
                take_run(matrix);
                continue;
            }
            if (status != UTET_END)
                return status;
            matrix->priv.state = matrix_next_box(matrix) ? FOLD_FURTHER : FOLD_JOIN;
        } else if (matrix->priv.state == FOLD_JOIN) {
            if (matrix->priv.share != NULL) {
                status = matrix->priv.share->priv.end(matrix);
                if (status != UTET_OK)
                    return status == UTET_END ? UTET_OK : status;
            }
            utet_matrix_finish(matrix, results);
            matrix->priv.state = FOLD_FIRST;
            if (!next_blocks(matrix) || (matrix->priv.rows != 0 && matrix->priv.from[1] == 0))
                return UTET_OK;
        } else {
            status = matrix_open_box(matrix);
            if (status != UTET_OK)
                return status;
            /* Only now: until then the window may have had this memory. */
            if (matrix->priv.state == FOLD_FIRST)
                memset(utet_matrix_kept(matrix), 0, (size_t)utet_matrix_sums(matrix, matrix->block));
            matrix->priv.state = FOLD_RUN;
        }
    }
}

/* No observations. */
static utet_status run_empty(utet_fold_matrix *matrix, double *results)
{
    uint32_t i = matrix->priv.from[0];
    uint32_t j;

    matrix->priv.from[0] = matrix->priv.rows != 0 ? (uint32_t)least_of(i + matrix->priv.rows, matrix->order)
                                                  : matrix->order;
    for (; i < matrix->priv.from[0]; i++)
        for (j = 0; j < matrix->order; j++)
            *results++ = utet_fold_value(i == j && matrix->priv.correlation ? FOLD_DOUBLE_ONE : 0);
    return UTET_OK;
}

utet_status utet_fold_matrix_pieces(utet_fold_matrix *matrix, size_t size)
{
    if (matrix->priv.state != FOLD_READY || matrix->priv.file->priv.busy != UTET_CALL_NONE)
        return UTET_E_STATE;
    if (matrix->order != 0 && size < matrix->order)
        return UTET_E_SPACE;
    matrix->priv.rows = matrix->order != 0 ? (uint32_t)least_of(size / matrix->order, matrix->order) : 1;
    return matrix_plan(matrix, matrix->priv.file);
}

utet_status utet_fold_matrix_run(utet_fold_matrix *matrix, double *results, size_t size)
{
    utet_file *file = matrix->priv.file;
    utet_status status;
    size_t budget;
    uint32_t rows = matrix->priv.rows != 0 ? matrix->priv.rows : matrix->order;
    int resumed;
    int waits = matrix->priv.state == FOLD_READY || matrix->priv.state == FOLD_BETWEEN;

    if (file == NULL)
        return UTET_E_STATE;
    resumed = file->priv.busy == UTET_CALL_MATRIX_RUN;
    if (matrix->priv.status != UTET_OK)
        return matrix->priv.status;
    if (matrix->priv.state == FOLD_CLOSED || matrix->priv.state == FOLD_OVER || resumed == waits)
        return UTET_E_STATE;
    if (size < (uint64_t)rows * matrix->order && (matrix->priv.share == NULL || matrix->priv.share->join != NULL))
        return UTET_E_SPACE;
    if (matrix->priv.state == FOLD_BETWEEN && matrix->priv.from[0] == matrix->order)
        return UTET_END;
    status = utet_enter_over(file, UTET_CALL_MATRIX_RUN, &matrix->priv.inner);
    if (status != UTET_OK)
        return status;
    if (!resumed) {
        matrix->priv.state = FOLD_FIRST;
        matrix->priv.row = matrix->priv.from[0];
    }
    /* The slab's part of the workspace is its limit while it opens and while it runs. */
    budget = file->budget;
    file->budget = matrix->priv.slab_bytes;
    status = matrix->boxes == 0 ? run_empty(matrix, results) : matrix_run(matrix, results);
    file->budget = budget;
    if (status != UTET_WOULD_BLOCK)
        matrix->priv.state = status == UTET_OK && matrix->priv.rows != 0 ? FOLD_BETWEEN : FOLD_OVER;
    matrix->given = (uint64_t)(matrix->priv.from[0] - matrix->priv.row) * matrix->order;
    if (UTET_IS_ERROR(status))
        matrix->priv.status = status;
    return utet_leave_over(file, UTET_CALL_MATRIX_RUN, &matrix->priv.inner, status);
}
