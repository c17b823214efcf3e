/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Several operations with one reading. A cell is their cells, one after another, and each operation works in its own as
 * if it were alone: while it does, it is the operation of the fold. */
#include "fold.h"

static size_t several_bytes(const utet_fold *fold, const utet_fold_operation *operation)
{
    return fold_operation_bytes(operation, fold->priv.layout);
}

static void several_take(const fold_part *part)
{
    utet_fold *fold = part->fold;
    const utet_fold_operation *const *list = fold->priv.own.list.operations;
    fold_part one = *part;

    for (; *list != NULL; list++) {
        fold->priv.operation = *list;
        fold->priv.operation->take(&one);
        one.cell += several_bytes(fold, *list);
    }
    fold->priv.operation = &utet_fold_several;
}

static void several_choose(utet_fold *fold, size_t memory)
{
    (void)utet_fold_set_cells(fold, memory, fold->priv.least_bytes + fold->priv.extra_bytes);
}

static int several_again(utet_fold *fold, double *results)
{
    const utet_fold_operation *const *list;
    size_t at;
    size_t i;

    for (i = 0; i < fold->priv.cells; i++) {
        at = 0;
        for (list = fold->priv.own.list.operations; *list != NULL; list++) {
            fold->priv.operation = *list;
            *results++ = utet_fold_value(
                fold->priv.shape != NULL
                    ? fold->priv.shape->result(fold, i, at)
                    : fold->priv.operation->finish(fold, fold->priv.layout, (uint8_t *)fold_cell_at(fold, i) + at));
            at += several_bytes(fold, *list);
        }
    }
    fold->priv.operation = &utet_fold_several;
    return 0;
}

static const fold_turns several_turns = {NULL, several_choose, several_again};

static utet_status several_prepare(utet_fold *fold, const utet_fold_request *request)
{
    const utet_fold_operation *const *list = request->operations;
    utet_status status = UTET_OK;
    uint32_t count = 0;

    if (list == NULL || list[0] == NULL)
        return UTET_E_ARGUMENT;
    for (; list[count] != NULL && status == UTET_OK; count++) {
        const utet_fold_operation *one = list[count];

        if (count == UTET_FOLD_MAX_OPERATIONS || one->finish == NULL)
            return UTET_E_ARGUMENT;
        if ((one->dtypes >> request->dataset->dtype & 1u) == 0)
            return UTET_E_DTYPE;
        fold->priv.least_bytes += several_bytes(fold, one);
        if (one->prepare != NULL)
            status = one->prepare(fold, request);
    }
    fold->priv.own.list.operations = list;
    fold->priv.several = 1;
    fold->priv.values = count;
    fold->priv.turns = &several_turns;
    return status;
}

const utet_fold_operation utet_fold_several = {FOLD_ALL_DTYPES, 0, 0, several_prepare, several_take, NULL};
