/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The reduction: its axes and parameters. */
#include "query.h"

/* REDUCE_…; axis and axes come first, others are skipped. */
static const char reduction_keys[] = "axis\0"
                                     "axes\0"
                                     "q\0"
                                     "bins\0"
                                     "min\0"
                                     "max\0"
                                     "fill\0"
                                     "method\0";
/* priv.step */
enum { REDUCE_BEGIN, LIST, TOKEN, INSIDE, MEMBERS, REDUCE_NUMBERS, NUMBERS_END = REDUCE_NUMBERS + 4, STEP_OPTION };

/* The axes are at `value`: sets the next step. */
static utet_status reduce_spec(utet_query *query, const utet_query_value *value)
{
    query->shared.item = *value;
    switch (value->kind) {
    case UTET_VALUE_NONE: return utet_query_refuse(query, QUERY_AXIS_NULL);
    case UTET_VALUE_NUMBER:
    case UTET_VALUE_TEXT: query->priv.step = TOKEN; return UTET_OK;
    case UTET_VALUE_LIST:
        utet_query_begin_list(query, value->place);
        query->priv.step = LIST;
        return UTET_OK;
    default: return utet_query_refuse(query, QUERY_AXIS_TYPE);
    }
}

/* What parameters must be there, whatever they are. */
static utet_status judge_parameters(utet_query *query)
{
    const utet_query_value *slot = query->shared.of.reading.slot;

    if (query->operation == UTET_QUERY_QUANTILE && slot[REDUCE_Q].kind != UTET_VALUE_NUMBER)
        return utet_query_refuse(query, QUERY_QUANTILE_Q);
    if (query->operation == UTET_QUERY_HISTOGRAM &&
        (!utet_query_is_whole(&slot[REDUCE_BINS]) || slot[REDUCE_BINS].number > UINT32_MAX))
        return utet_query_refuse(query, QUERY_BINS);
    if (query->operation == UTET_QUERY_TRANSFORM && slot[REDUCE_METHOD].kind != UTET_VALUE_TEXT)
        return utet_query_refuse(query, QUERY_TRANSFORM_METHOD);
    if (query->operation == UTET_QUERY_HISTOGRAM) {
        query->bins = (uint32_t)slot[REDUCE_BINS].number;
        query->has_bounds = (uint8_t)((slot[REDUCE_MIN].kind == UTET_VALUE_NUMBER ? QUERY_HAS_MIN : 0) |
                                      (slot[REDUCE_MAX].kind == UTET_VALUE_NUMBER ? QUERY_HAS_MAX : 0));
    }
    if (query->operation == UTET_QUERY_NULL_COUNT)
        query->has_fill = slot[REDUCE_FILL].kind == UTET_VALUE_NUMBER;
    return UTET_OK;
}

/* The numbers among the parameters, one a step. */
static utet_status reduce_number(utet_query *query)
{
    static const uint8_t keys[] = {REDUCE_Q, REDUCE_MIN, REDUCE_MAX, REDUCE_FILL};
    double *const places[] = {&query->quantile, &query->low, &query->high, &query->fill};
    unsigned i = query->priv.step - (unsigned)REDUCE_NUMBERS;
    const utet_query_value *value = &query->shared.of.reading.slot[keys[i]];

    if (value->kind == UTET_VALUE_NUMBER) {
        utet_status status = utet_query_double(query, value, places[i]);

        if (status != UTET_OK)
            return status;
        if (keys[i] == REDUCE_FILL)
            query->fill_rest = utet_query_fill_rest(query);
    }
    query->priv.step++;
    return UTET_OK;
}

/* Finds the object's axes. */
static utet_status object_axes(utet_query *query)
{
    const utet_query_value *slot = query->shared.of.reading.slot;
    const utet_query_value *value = utet_query_is(&slot[REDUCE_AXIS]) ? &slot[REDUCE_AXIS] : &slot[REDUCE_AXES];

    if (value->kind == UTET_VALUE_MAP) { /* an object with its axes in a further one */
        query->shared.of.reading.top[TOP_REDUCTION] = *value;
        query->priv.nested = 1;
        query->priv.step = INSIDE;
        return UTET_OK;
    }
    if (utet_query_is(value))
        return reduce_spec(query, value);
    if (query->priv.nested)
        return utet_query_refuse(query, QUERY_AXIS_OBJECT);
    if (query->operation == UTET_QUERY_QUANTILE || query->operation == UTET_QUERY_HISTOGRAM ||
        query->operation == UTET_QUERY_TRANSFORM || query->operation == UTET_QUERY_NULL_COUNT)
        return UTET_END;
    return utet_query_refuse(query, QUERY_AXIS_OBJECT);
}

static utet_status reduce_begin(utet_query *query, const utet_query_value *value)
{
    int object = query->operation == UTET_QUERY_QUANTILE || query->operation == UTET_QUERY_HISTOGRAM ||
                 query->operation == UTET_QUERY_TRANSFORM;

    if (value->kind == UTET_VALUE_MAP) {
        query->priv.step = MEMBERS;
        return UTET_OK;
    }
    if (object)
        return utet_query_refuse_word(query, QUERY_EXAMPLE_OBJECT, utet_query_name(query->operation));
    return reduce_spec(query, value);
}

static utet_status reduce_step(utet_query *query, const utet_query_value *value)
{
    utet_status status;

    switch (query->priv.step) {
    case REDUCE_BEGIN: return reduce_begin(query, value);
    case MEMBERS:
        status = utet_query_members(query, value, reduction_keys, QUERY_ALL_KEYS(REDUCTION_KEYS));
        if (status == UTET_OK)
            status = judge_parameters(query);
        if (status == UTET_OK)
            query->priv.step = REDUCE_NUMBERS;
        return status;
    case INSIDE:
        status = utet_query_members(query, value, reduction_keys, QUERY_ALL_KEYS(REDUCTION_KEYS));
        return status == UTET_OK ? object_axes(query) : status;
    case LIST:
        status = utet_query_axis_list(query, query->axes, &query->axes_count);
        if (status == UTET_OK && query->priv.items > UTET_FORMAT_NDIM)
            return utet_query_refuse_number(query, QUERY_AXES_MANY, query->priv.items);
        return status == UTET_OK ? UTET_END : status;
    case TOKEN:
        status = utet_query_token(query, &query->shared.item, &query->axes[0]);
        query->axes_count = 1;
        return status == UTET_OK ? UTET_END : status;
    case NUMBERS_END: return object_axes(query);
    default: return reduce_number(query);
    }
}

utet_status utet_query_reduction(utet_query *query)
{
    const utet_query_value *value = &query->shared.of.reading.top[TOP_REDUCTION];
    const utet_query_option *reduction;
    utet_status status = UTET_OK;

    if (query->priv.reductions == 0)
        return UTET_OK;
    if ((query->priv.reductions & (query->priv.reductions - 1)) != 0)
        return utet_query_refuse(query, QUERY_TWO_REDUCTIONS);
    query->operation = query->priv.reduction_key;
    while (status == UTET_OK && query->priv.step != STEP_OPTION)
        status = reduce_step(query, value);
    if (status != UTET_END && status != UTET_OK)
        return status;
    query->priv.step = STEP_OPTION;
    reduction = utet_query_find_option(query, (unsigned)TOP_REDUCTION + query->operation);
    return reduction != NULL ? reduction->read(query) : UTET_OK;
}
