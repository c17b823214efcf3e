/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * A document and a file: dataset, axes, and the request of a fold. Relies on the public calls of the metadata and of
 * the document, as an application would; each of them is repeated with the same arguments when it is suspended.
 */
#include "query.h"

#include <string.h>

#define OPERATION_CASE(number, key, operation) \
    case number: return &(operation);

const utet_fold_operation *utet_query_operation(uint8_t reduction)
{
    switch (reduction) {
        UTET_QUERY_REDUCTIONS(OPERATION_CASE)
    default: return NULL;
    }
}

/* ---- axes ---- */

/* All tokens of a list, one a step. */
UTET_APART static utet_status resolve_all(utet_query_plan *plan, const utet_query_text_at *tokens, unsigned count,
                                          uint8_t *axes)
{
    if (plan->priv.step == 0)
        plan->priv.digits = 0;
    for (; plan->priv.step < count; plan->priv.step++) {
        utet_status status = utet_query_resolve(plan, &plan->about, &tokens[plan->priv.step], &axes[plan->priv.step]);

        if (status != UTET_OK)
            return status;
        plan->priv.digits = (uint8_t)(plan->priv.digits | (unsigned)(plan->priv.binding->piece[0][0] <= '9')
                                                              << plan->priv.step);
    }
    return UTET_OK;
}

UTET_APART static uint32_t bind_mask(const uint8_t *axes, unsigned count)
{
    uint32_t set = 0;

    while (count != 0)
        set |= (uint32_t)1 << axes[--count];
    return set;
}

/* The first axis that comes a second time; QUERY_NO_AXIS: none does. */
static unsigned bind_repeated(const uint8_t *axes, unsigned count)
{
    uint32_t seen = 0;

    for (; count != 0; count--, axes++) {
        if ((seen >> *axes & 1) != 0)
            return *axes;
        seen |= (uint32_t)1 << *axes;
    }
    return QUERY_NO_AXIS;
}

static utet_status bind_window_axis(utet_query_plan *plan)
{
    utet_query *query = plan->priv.query;

    if (query->window.mode == UTET_QUERY_NO_WINDOW)
        return UTET_OK;
    return utet_query_resolve(plan, &plan->about, &query->window_axis, &plan->priv.window_axis);
}

static utet_status bind_keys(utet_query_plan *plan)
{
    utet_query *query = plan->priv.query;

    if (query->group == UTET_QUERY_NO_GROUPS)
        return UTET_OK;
    return resolve_all(plan, query->keys, query->keys_count, plan->priv.key_axis);
}

/* The axes of a reduction by groups. */
static utet_status judge_groups(utet_query_plan *plan)
{
    utet_query *query = plan->priv.query;
    const uint32_t all = ((uint32_t)1 << plan->dataset.ndim) - 1u;
    const uint32_t axes = plan->request.axes;

    if (axes == 0)
        return utet_query_refuse(query, QUERY_GROUP_ALL);
    if ((axes & plan->priv.keys) != 0)
        return utet_query_refuse(query, QUERY_GROUP_OVERLAP);
    if ((axes | plan->priv.keys) != all)
        return utet_query_refuse(query, QUERY_GROUP_COVER);
    return UTET_OK;
}

static utet_status bind_axes(utet_query_plan *plan)
{
    utet_query *query = plan->priv.query;
    const uint32_t all = ((uint32_t)1 << plan->dataset.ndim) - 1u;
    utet_status status = resolve_all(plan, query->axes, query->axes_count, plan->priv.axis);

    if (status != UTET_OK)
        return status;
    if (query->group != UTET_QUERY_NO_GROUPS)
        plan->priv.keys = (uint8_t)bind_mask(plan->priv.key_axis, query->keys_count);
    plan->request.axes = query->axes_count != 0                       ? bind_mask(plan->priv.axis, query->axes_count)
                         : query->window.mode != UTET_QUERY_NO_WINDOW ? (uint32_t)1 << plan->priv.window_axis
                                                                      : all & ~(uint32_t)plan->priv.keys;
    return UTET_OK;
}

/* The axes of groups and windows; the fill has been judged before. */
UTET_APART static utet_status judge_axes(utet_query_plan *plan)
{
    utet_query *query = plan->priv.query;
    const unsigned keys_count = query->group != UTET_QUERY_NO_GROUPS ? query->keys_count : 0;
    const int windowed = query->window.mode != UTET_QUERY_NO_WINDOW;
    unsigned twice;

    if (keys_count == 0 && !windowed)
        return UTET_OK;
    twice = bind_repeated(plan->priv.key_axis, keys_count);
    if (twice == QUERY_NO_AXIS)
        twice = bind_repeated(plan->priv.axis, query->axes_count);
    if (twice != QUERY_NO_AXIS)
        return utet_query_refuse_number(query, QUERY_GROUP_RESOLVES, twice);
    if (windowed && (plan->request.axes >> plan->priv.window_axis & 1) == 0)
        return utet_query_refuse(query, QUERY_WINDOW_REDUCED);
    return windowed ? UTET_OK : judge_groups(plan);
}

/* The last checks, which need the selection. */
UTET_APART static utet_status bind_checks(utet_query_plan *plan)
{
    utet_query *query = plan->priv.query;
    const unsigned ndim = plan->dataset.ndim;
    const uint64_t extent = plan->extents[plan->priv.window_axis];
    const uint32_t dtype = plan->dataset.dtype;
    const unsigned twice = bind_repeated(plan->priv.axis, query->axes_count);

    if (twice != QUERY_NO_AXIS)
        return utet_query_refuse_number(query, QUERY_AXES_TWICE, twice);
    if (query->priv.matrix != NULL && ndim != 2)
        return utet_query_refuse_number(query, QUERY_COVARIANCE_RANK, ndim);
    if (query->window.mode == UTET_QUERY_NO_WINDOW) {
        return query->axes_count == ndim ? utet_query_refuse(query, QUERY_AXES_ALL) : UTET_OK;
    }
    if (query->window.size > extent)
        return utet_query_refuse_numbers(query, QUERY_WINDOW_EXTENT, query->window.size, extent);
    if (query->window.pad == UTET_QUERY_PAD_NAN && !UTET_IS_FLOAT(dtype))
        return utet_query_refuse(query, QUERY_WINDOW_NAN);
    if (query->window.pad == UTET_QUERY_PAD_FILL && !plan->request.has_fill)
        return utet_query_refuse(query, QUERY_WINDOW_FILL);
    return UTET_OK;
}

/* ---- the request ---- */

static void bind_set_request(utet_query_plan *plan)
{
    utet_query *query = plan->priv.query;
    utet_fold_window *window = &plan->by.grouping.window;
    unsigned d;

    plan->request.dataset = &plan->dataset;
    plan->request.ranges = plan->ranges;
    plan->request.q = query->quantile;
    plan->request.bins = (uint16_t)query->bins;
    plan->request.has_range = query->has_bounds != 0;
    plan->request.low = query->low;
    plan->request.high = query->high;
    if (query->group != UTET_QUERY_NO_GROUPS) {
        plan->group_count = 1;
        for (d = 0; d < plan->dataset.ndim; d++)
            if ((plan->priv.keys >> d & 1) != 0)
                plan->group_count = utet_mul(plan->group_count, plan->by.grouping.axis[d].groups != 0
                                                                    ? plan->by.grouping.axis[d].groups
                                                                    : plan->extents[d]);
    }
    if (query->window.mode == UTET_QUERY_NO_WINDOW)
        return;
    plan->grouped = 1;
    window->size = query->window.size;
    window->step = query->window.step;
    window->min_count = query->window.min_count;
    window->axis = plan->priv.window_axis;
    window->mode = query->window.mode == UTET_QUERY_ROLLING ? UTET_FOLD_ROLLING : UTET_FOLD_BINS;
    window->pad = query->window.pad; /* both enums have the same order */
    window->align = query->window.at_end ? UTET_FOLD_ALIGN_END : UTET_FOLD_ALIGN_START;
}

static utet_status bind_dataset(utet_query_plan *plan)
{
    utet_status status = utet_query_find(plan, &plan->priv.query->dataset, &plan->dataset);

    plan->matched = status == UTET_OK;
    return status == UTET_E_NOT_FOUND ? UTET_END : status;
}

static utet_status bind_about(utet_query_plan *plan)
{
    utet_status status = utet_meta_dataset(plan->priv.meta, &plan->dataset, &plan->about);

    return status == UTET_E_NOT_FOUND ? UTET_OK : status;
}

/* priv.stage, in the reference's order */
enum {
    BIND_DATASET,
    BIND_ABOUT,
    BIND_ALIGN,
    BIND_KEYS,
    BIND_WINDOW_AXIS,
    BIND_AXES,
    BIND_FILL,
    BIND_JUDGE_AXES,
    BIND_SELECTION,
    BIND_LABEL_FILTER,
    BIND_CHECKS,
    BIND_GROUPS,
    BIND_REQUEST
};

/* Binds a key to the file, if the document has it. */
static utet_status bind_option(utet_query_plan *plan, unsigned key, unsigned has)
{
    const utet_query_option *option = has ? utet_query_find_option(plan->priv.query, key) : NULL;

    return option != NULL ? option->bind(plan) : UTET_OK;
}

static utet_status run_stage(utet_query_plan *plan)
{
    const utet_query *query = plan->priv.query;

    switch (plan->priv.stage) {
    case BIND_DATASET: return bind_dataset(plan);
    case BIND_ABOUT: return bind_about(plan);
    case BIND_ALIGN: return bind_option(plan, TOP_ALIGN, query->has_align);
    case BIND_KEYS: return bind_keys(plan);
    case BIND_WINDOW_AXIS: return bind_window_axis(plan);
    case BIND_AXES: return bind_axes(plan);
    case BIND_FILL: return utet_query_bind_fill(plan);
    case BIND_JUDGE_AXES: return judge_axes(plan);
    case BIND_SELECTION: return utet_query_bind_selection(plan);
    case BIND_LABEL_FILTER: return bind_option(plan, TOP_LABEL_FILTER, query->has_label_filter);
    case BIND_CHECKS: return bind_checks(plan);
    case BIND_GROUPS: return bind_option(plan, TOP_GROUP_BY, query->group);
    default: bind_set_request(plan); return UTET_END; /* BIND_REQUEST */
    }
}

static utet_status bind_run(utet_query_plan *plan)
{
    utet_status status;

    while ((status = run_stage(plan)) == UTET_OK) {
        plan->priv.stage++;
        plan->priv.step = 0;
        plan->priv.finding = 0;
        memset(&plan->priv.binding->of, 0, sizeof plan->priv.binding->of);
    }
    return status == UTET_END ? UTET_OK : status;
}

utet_status utet_query_bind(utet_query_plan *plan, utet_query *query, utet_meta *meta, uint32_t *places, size_t count)
{
    utet_file *document = query->priv.file;
    utet_file *file = meta->priv.file;
    int resumed;
    utet_status status;

    if (!query->priv.opened || query->fault.reason != QUERY_FINE || file == NULL)
        return UTET_E_STATE;
    resumed = file->priv.busy == UTET_CALL_QUERY_BIND;
    if (resumed && (query->priv.plan != plan || plan->priv.meta != meta))
        return UTET_E_STATE;
    status = utet_query_enter_both(file, document, UTET_CALL_QUERY_BIND, plan->priv.inner);
    if (status != UTET_OK)
        return status;
    if (!resumed) {
        memset(plan, 0, sizeof *plan);
        memset(&query->shared.of.binding, 0, sizeof query->shared.of.binding);
        plan->priv.query = query;
        plan->priv.binding = &query->shared.of.binding;
        plan->priv.meta = meta;
        plan->priv.places = places;
        plan->priv.room = count;
        query->priv.plan = plan;
    }
    status = bind_run(plan);
    if (status != UTET_WOULD_BLOCK && query->fault.reason == QUERY_FINE)
        query->priv.plan = NULL;
    return utet_query_leave_both(file, document, UTET_CALL_QUERY_BIND, plan->priv.inner, status);
}
