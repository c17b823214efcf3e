/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* An answer that several folds read together. */
#include "query.h"

/* An answer of this kind that has not begun. */
static utet_status answer_is_divisible(const utet_query_answer *answer, int is_matrix)
{
    if (!answer->priv.opened || answer->priv.plan->priv.meta->priv.file->priv.busy != UTET_CALL_NONE)
        return UTET_E_STATE;
    return (answer->is_matrix != 0) == is_matrix ? UTET_OK : UTET_E_ARGUMENT;
}

utet_status utet_query_answer_divide(utet_query_answer *answer, utet_fold_share *share)
{
    const utet_status status = answer_is_divisible(answer, 0);

    return status == UTET_OK ? utet_fold_divide(&answer->priv.by.fold, share) : status;
}

utet_status utet_query_answer_divide_matrix(utet_query_answer *answer, utet_fold_matrix_share *share)
{
    const utet_status status = answer_is_divisible(answer, 1);

    return status == UTET_OK ? utet_fold_matrix_divide(&answer->priv.by.matrix, share) : status;
}
