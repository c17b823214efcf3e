/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* An answer that several folds read together. */
#include "query.h"

utet_status utet_query_answer_divide(utet_query_answer *answer, utet_fold_share *share)
{
    if (!answer->priv.opened)
        return UTET_E_STATE;
    if (answer->priv.plan->priv.meta->priv.file->priv.busy != UTET_CALL_NONE)
        return UTET_E_STATE;
    if (answer->is_matrix)
        return UTET_E_ARGUMENT;
    return utet_fold_divide(&answer->priv.by.fold, share);
}

utet_status utet_query_answer_divide_matrix(utet_query_answer *answer, utet_fold_matrix_share *share)
{
    if (!answer->priv.opened)
        return UTET_E_STATE;
    if (answer->priv.plan->priv.meta->priv.file->priv.busy != UTET_CALL_NONE)
        return UTET_E_STATE;
    if (!answer->is_matrix)
        return UTET_E_ARGUMENT;
    return utet_fold_matrix_divide(&answer->priv.by.matrix, share);
}
