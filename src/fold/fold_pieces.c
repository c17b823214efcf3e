/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Results in pieces: a piece is what one box gives, and no box has more cells than a piece has room. */
#include "fold.h"

/* A run that ends with its first box. At its end `done` is what it gave. */
static utet_status run_piece(utet_fold *fold, double *results, size_t size)
{
    const int resumed = fold->priv.file->priv.busy == UTET_CALL_FOLD_RUN;
    utet_status status;

    if (!resumed && fold->priv.state == FOLD_BETWEEN) {
        if (fold->priv.left == 0)
            return UTET_END;
        fold->priv.state = FOLD_READY;
        fold->priv.done = 0;
    }
    if (size < fold->priv.most * fold->priv.values)
        return UTET_E_SPACE;
    status = utet_fold_run_all(fold, results, size);
    if (status != UTET_OK)
        return status;
    fold->given = fold->priv.done;
    fold->priv.left -= fold->given;
    fold->priv.state = FOLD_BETWEEN;
    return UTET_OK;
}

utet_status utet_fold_pieces(utet_fold *fold, size_t size)
{
    const uint64_t all = fold->results;
    const utet_need need = fold->need;
    uint64_t most;

    if (fold->priv.state != FOLD_READY || fold->priv.file->priv.busy != UTET_CALL_NONE)
        return UTET_E_STATE;
    most = size / fold->priv.values;
    if (most == 0)
        return UTET_E_SPACE;
    /* Makes cells for this many results, as if there were no more. */
    fold->results = utet_div(all, fold->priv.values);
    if (most > fold->results && all != 0)
        most = fold->results;
    fold->results = most;
    if (all != 0)
        (void)utet_fold_plan(fold, fold->priv.file); /* the minimum memory has not changed */
    fold->results = all;
    fold->need = need;
    fold->priv.most = most;
    fold->priv.left = all;
    fold->priv.piece = run_piece;
    return UTET_OK;
}
