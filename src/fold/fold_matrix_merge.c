/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Several matrices that read one selection together. Each has all sums and takes some observations alone. The sums are
 * added before anything is rounded, so the results do not depend on the parts.
 */
#include "fold_matrix.h"

#include <string.h>

/* ---- observations ---- */

/* The first one of share->part, or of the part after it. */
static uint64_t matrix_first_of(const utet_fold_matrix *matrix, const utet_fold_matrix_share *share, uint64_t part)
{
    const unsigned axis = !matrix->priv.along;
    const utet_range *range = &matrix->box.whole[axis];
    const uint64_t chunk = matrix->priv.dataset->chunk_shape[axis];
    const uint64_t last = range->start + (matrix->observed - 1) * range->step;
    const uint64_t first_chunk = utet_div(range->start, chunk);
    const uint64_t chunks = utet_div(last, chunk) - first_chunk + 1;
    const int whole = range->step < chunk && chunks >= share->parts;
    const uint64_t all = whole ? chunks : matrix->observed;
    const uint64_t each = utet_div(all, share->parts);
    const uint64_t rest = all - each * share->parts; /* number of parts with one more */
    const uint64_t from = each * part + (part < rest ? part : rest);

    if (part == 0 || part == share->parts)
        return part == 0 ? 0 : matrix->observed;
    return whole ? utet_div_up((first_chunk + from) * chunk - range->start, range->step) : from;
}

/* share->priv.end */
static utet_status part_end(utet_fold_matrix *matrix)
{
    utet_fold_matrix_share *share = matrix->priv.share;
    utet_status status;

    matrix->observed = share->priv.observed;
    if (share->join == NULL) {
        share->priv.state = FOLD_PART_READ;
        return UTET_END;
    }
    share->priv.state = FOLD_PART_JOINING;
    (void)utet_enter(matrix->priv.file, UTET_CALL_MATRIX_RUN); /* no other call may take the workspace */
    status = share->join(share->context, matrix);
    matrix->priv.file->priv.busy = UTET_CALL_NONE;
    if (status == UTET_OK && share->priv.to != share->parts)
        status = UTET_E_STATE;
    if (status != UTET_WOULD_BLOCK)
        share->priv.state = FOLD_PART_OVER;
    return status;
}

utet_status utet_fold_matrix_divide(utet_fold_matrix *matrix, utet_fold_matrix_share *share)
{
    utet_file *file = matrix->priv.file;

    if (file == NULL || matrix->priv.state != FOLD_READY || file->priv.busy != UTET_CALL_NONE)
        return UTET_E_STATE;
    if (share->part >= share->parts || share->parts > matrix->observed || matrix->boxes == 0 ||
        (share->join != NULL && share->part != 0))
        return UTET_E_ARGUMENT;
    if (matrix->priv.rows != 0 && matrix->priv.rows < matrix->order)
        return UTET_E_SPACE;
    if (matrix->block < matrix->order) {
        file->needed = matrix->need.best;
        return UTET_E_BUDGET;
    }
    memset(&share->priv, 0, sizeof share->priv);
    share->priv.end = part_end;
    share->priv.to = share->part + 1;
    matrix->priv.share = share;
    share->priv.observed = matrix->observed;
    matrix->priv.at = matrix_first_of(matrix, share, share->part);
    matrix->observed = matrix_first_of(matrix, share, share->part + 1);
    if (share->join == NULL)
        matrix->priv.rows = 0; /* a part that has been read does not run again */
    matrix->priv.state = FOLD_BETWEEN;
    return UTET_OK;
}

/* ---- merging ---- */

static int matrix_same(const utet_fold_matrix *a, const utet_fold_matrix *b)
{
    unsigned d;

    for (d = 0; d < 2; d++)
        if (a->box.whole[d].start != b->box.whole[d].start || a->box.whole[d].step != b->box.whole[d].step ||
            a->priv.dataset->chunk_shape[d] != b->priv.dataset->chunk_shape[d])
            return 0;
    return a->priv.dataset->id == b->priv.dataset->id && a->priv.dtype == b->priv.dtype && a->order == b->order &&
           a->observed == b->observed && a->priv.along == b->priv.along && a->priv.correlation == b->priv.correlation;
}

/* The sums are in the workspace, and nothing has been opened there since. */
static int has_sums(const utet_fold_matrix *matrix)
{
    return matrix->priv.file->priv.owner == &matrix->box.slab;
}

utet_status utet_fold_matrix_merge(utet_fold_matrix *into, utet_fold_matrix *from)
{
    utet_fold_matrix_share *to = into->priv.share;
    utet_fold_matrix_share *of = from->priv.share;

    if (to == NULL || of == NULL || into == from || of->priv.state != FOLD_PART_READ || !has_sums(from) ||
        from->priv.file->priv.busy != UTET_CALL_NONE)
        return UTET_E_STATE;
    if ((to->priv.state != FOLD_PART_READ && to->priv.state != FOLD_PART_JOINING) || !has_sums(into))
        return UTET_E_STATE;
    if (into->priv.file->priv.busy != (to->priv.state == FOLD_PART_READ ? UTET_CALL_NONE : UTET_CALL_MATRIX_RUN))
        return UTET_E_STATE;
    if (to->parts != of->parts || to->priv.to != of->part || !matrix_same(into, from))
        return UTET_E_ARGUMENT;
    utet_matrix_join(into, from);
    to->priv.to = of->priv.to;
    of->priv.state = FOLD_PART_OVER;
    return UTET_OK;
}
