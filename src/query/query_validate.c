/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The checks after all keys have been read, in the reference's order. */
#include "query.h"

#define VALIDATE_LONGEST 1024 /* bytes of a dataset's name */
#define MOST_BINS 4096

/* validate_…: the reason why the document is refused; QUERY_FINE: it is not. */

static unsigned validate_dataset(utet_query *query)
{
    if (query->shared.of.reading.top[TOP_DATASET].word == QUERY_WORD_BLANK)
        return QUERY_DATASET_BLANK;
    if (query->dataset.length <= VALIDATE_LONGEST)
        return QUERY_FINE;
    query->fault.number[0] = query->dataset.length;
    return QUERY_DATASET_LONG;
}

static unsigned validate_filter(utet_query *query)
{
    enum { REST_EQ, REST_NE, REST_LT, REST_LE, REST_GT, REST_GE }; /* the order is that of the tests' bits */
    const utet_fold_filter *f = &query->filter;
    const uint32_t lower = f->tests & (UTET_FOLD_GT | UTET_FOLD_GE);
    const uint32_t upper = f->tests & (UTET_FOLD_LT | UTET_FOLD_LE);
    unsigned reason;
    int rests; /* how much the upper end is above the lower one where their doubles are equal */

    if (lower == (UTET_FOLD_GT | UTET_FOLD_GE))
        return QUERY_FILTER_LOWER;
    if (upper == (UTET_FOLD_LT | UTET_FOLD_LE))
        return QUERY_FILTER_UPPER;
    if ((f->tests & UTET_FOLD_IS_NULL) != 0 && (f->tests & UTET_FOLD_IS_NOT_NULL) != 0)
        return QUERY_FILTER_NULLS;
    if ((f->tests & UTET_FOLD_IS_NULL) != 0 && (f->tests & (UTET_FOLD_IS_NULL - 1)) != 0)
        return QUERY_FILTER_NULL_NUMBER;
    if (lower == 0 || upper == 0)
        return QUERY_FINE;
    query->fault.value[0] = lower == UTET_FOLD_GT ? f->gt : f->ge;
    query->fault.value[1] = upper == UTET_FOLD_LT ? f->lt : f->le;
    rests = f->rest[upper == UTET_FOLD_LT ? REST_LT : REST_LE] - f->rest[lower == UTET_FOLD_GT ? REST_GT : REST_GE];
    if (utet_query_less(query->fault.value[0], query->fault.value[1]) ||
        (!utet_query_less(query->fault.value[1], query->fault.value[0]) &&
         (rests > 0 || (rests == 0 && lower == UTET_FOLD_GE && upper == UTET_FOLD_LE))))
        return QUERY_FINE;
    reason = lower == UTET_FOLD_GT ? QUERY_FILTER_GT_LT : QUERY_FILTER_GE_LT;
    return reason + (upper == UTET_FOLD_LE);
}

/* Reductions that no group and no window goes with. */
static int is_two_dimensional(const utet_query *query)
{
    return query->operation >= UTET_QUERY_COVARIANCE; /* and transform */
}

static utet_status group_by(utet_query *query)
{
    if (query->group == UTET_QUERY_NO_GROUPS)
        return UTET_OK;
    /* a pair of keys each; without align, whose names are compared above */
    for (; !query->has_align && query->priv.step < query->keys_count * UTET_FORMAT_NDIM; query->priv.step++) {
        const utet_query_text_at *key = &query->keys[query->priv.step / UTET_FORMAT_NDIM];
        const utet_query_text_at *other = &query->keys[query->priv.step % UTET_FORMAT_NDIM];
        uint8_t same;
        utet_status status;

        if (other >= key || other->length != key->length)
            continue;
        status = utet_query_same_text(query, key, other, &same);
        if (status != UTET_OK)
            return status;
        if (same) {
            query->fault.axis = key;
            return utet_query_refuse(query, QUERY_GROUP_TWICE);
        }
    }
    if (query->operation == UTET_QUERY_NONE)
        return utet_query_refuse(query, QUERY_GROUP_REDUCTION);
    if (is_two_dimensional(query))
        return utet_query_refuse(query, QUERY_GROUP_OTHERS);
    return UTET_OK;
}

static unsigned validate_window(utet_query *query)
{
    if (query->window.mode == UTET_QUERY_NO_WINDOW)
        return QUERY_FINE;
    if (query->group != UTET_QUERY_NO_GROUPS)
        return QUERY_WINDOW_GROUP;
    if (query->operation == UTET_QUERY_NONE)
        return QUERY_WINDOW_REDUCTION;
    if (query->operation >= UTET_QUERY_MEDIAN)
        return QUERY_WINDOW_OTHERS;
    return QUERY_FINE;
}

static unsigned validate_align(utet_query *query)
{
    if (!query->has_align)
        return QUERY_FINE;
    if (query->priv.same_names)
        return QUERY_ALIGN_ITSELF;
    if (query->selected != UINT32_MAX || query->filter.tests != 0 || query->has_label_filter ||
        query->operation != UTET_QUERY_NONE || /* groups and windows need one; a pipeline was refused before */
        (query->unsupported & (UTET_QUERY_SPILL | UTET_QUERY_WRITE)) != 0)
        return QUERY_ALIGN_OTHERS;
    return QUERY_FINE;
}

static unsigned validate_parameters(utet_query *query)
{
    if (query->operation == UTET_QUERY_QUANTILE &&
        (utet_query_less(query->quantile, 0) || utet_query_less(1, query->quantile))) {
        query->fault.value[0] = query->quantile;
        return QUERY_QUANTILE_RANGE;
    }
    if (query->operation == UTET_QUERY_HISTOGRAM) {
        if (query->bins == 0)
            return QUERY_BINS_NONE;
        query->fault.number[0] = query->bins;
        if (query->bins > MOST_BINS)
            return QUERY_BINS_MANY;
        if (query->has_bounds == QUERY_HAS_MIN || query->has_bounds == QUERY_HAS_MAX)
            return QUERY_BOUNDS_BOTH;
        query->fault.value[0] = query->low;
        query->fault.value[1] = query->high;
        if (query->has_bounds != 0 && !utet_query_less(query->low, query->high))
            return QUERY_BOUNDS;
    }
    if ((query->operation == UTET_QUERY_COVARIANCE || query->operation == UTET_QUERY_CORRELATION) &&
        query->axes_count != 1)
        return QUERY_OBSERVATIONS;
    if ((query->unsupported & UTET_QUERY_WRITE) != 0 && query->operation != UTET_QUERY_TRANSFORM)
        return query->operation == UTET_QUERY_NONE ? QUERY_WRITE_NO_TRANSFORM : QUERY_WRITE_ALONE;
    if ((query->unsupported & UTET_QUERY_SPILL) != 0 && query->operation == UTET_QUERY_TRANSFORM)
        return QUERY_SPILL_TRANSFORM;
    return QUERY_FINE;
}

utet_status utet_query_validate(utet_query *query)
{
    utet_status status;
    unsigned reason;

    if (query->has_align && query->dataset.length == query->align_with.length) {
        status = utet_query_same_text(query, &query->dataset, &query->align_with, &query->priv.same_names);
        if (status != UTET_OK)
            return status;
    }
    reason = validate_dataset(query);
    if (reason == QUERY_FINE)
        reason = query->priv.bad_range; /* fault.number has its numbers */
    if (reason == QUERY_FINE)
        reason = validate_filter(query);
    if (reason == QUERY_FINE) {
        status = group_by(query);
        if (status != UTET_OK)
            return status;
        reason = validate_window(query);
    }
    if (reason == QUERY_FINE)
        reason = validate_align(query);
    if (reason == QUERY_FINE)
        reason = validate_parameters(query);
    return reason == QUERY_FINE ? UTET_OK : utet_query_refuse(query, reason);
}
