/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Finds a dataset or an axis that a document names. */
#include "query.h"

#include <string.h>

/* ---- the dataset ---- */

utet_status utet_query_find(utet_query_plan *plan, const utet_query_text_at *name, utet_dataset *dataset)
{
    enum { FIRST, NEXT, COMPARE };
    utet_file *file = plan->priv.meta->priv.file;
    utet_status status;
    int same;

    for (;;) {
        switch (plan->priv.finding) {
        case FIRST: status = file->dataset_count == 0 ? UTET_END : utet_dataset_first(file, dataset); break;
        case NEXT: status = utet_dataset_next(file, dataset); break;
        default: status = UTET_OK;
        }
        if (status != UTET_OK)
            return status == UTET_END ? UTET_E_NOT_FOUND : status;
        plan->priv.finding = COMPARE;
        status = utet_query_compare_name(plan, name, dataset, &same);
#if UTET_MAX_NDIM < UTET_FORMAT_NDIM
        if (status == UTET_OK && same && dataset->ndim == 0)
            status = UTET_E_LIMIT;
#endif
        if (status != UTET_OK || same)
            return status;
        plan->priv.finding = NEXT;
    }
}

/* ---- axes ---- */

/* Refuses a token that means no axis. */
static utet_status refuse_token(utet_query_plan *plan, const utet_dataset_meta *about, const utet_query_text_at *token,
                                utet_status why)
{
    utet_query *query = plan->priv.query;
    const unsigned ndim = about->dataset->ndim;

    query->fault.axis = token;
    plan->priv.named = about->dim_names;
    if (why == UTET_E_RANGE)
        return utet_query_refuse_number(query, QUERY_NUMBER_RANGE, ndim);
    if (about->dim_names.kind != UTET_VALUE_LIST)
        return utet_query_refuse(query, QUERY_DIM_NAMES);
    if (about->dim_names.size != ndim)
        return utet_query_refuse_numbers(query, QUERY_DIM_NAMES_RANK, about->dim_names.size, ndim);
    return utet_query_refuse(query, plan->priv.meta->priv.search.hits != 0 ? QUERY_DIM_TWICE : QUERY_DIM_UNKNOWN);
}

utet_status utet_query_resolve(utet_query_plan *plan, const utet_dataset_meta *about, const utet_query_text_at *token,
                               uint8_t *axis)
{
    utet_query_texts *const texts = &plan->priv.binding->texts;
    utet_status status;

    if (!plan->priv.has_text) {
        status = utet_query_text(plan->priv.query, token, 0, plan->priv.binding->piece[0],
                                 sizeof plan->priv.binding->piece[0], &texts->got);
        if (status != UTET_OK)
            return status;
        plan->priv.has_text = 1;
    }
    /* not on the stack: a suspended call has written to it already */
    status = utet_meta_axis(plan->priv.meta, about, plan->priv.binding->piece[0], texts->got, &plan->priv.number);
    if (status == UTET_WOULD_BLOCK)
        return status;
    plan->priv.has_text = 0;
    *axis = (uint8_t)plan->priv.number;
    return status == UTET_E_RANGE || status == UTET_E_NOT_FOUND ? refuse_token(plan, about, token, status) : status;
}
