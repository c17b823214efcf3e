/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * A filter without a reduction: the answer keeps the shape of the selection. Elements that do not pass become NaN, in
 * datasets of integers the fill, as in the reference. And covariance and correlation under a filter.
 */
#include "query.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int mask_wanted(const answer *a)
{
    return a->query.filter.tests != 0 || a->query.has_label_filter;
}

/* The fill as an element: the double and what the text has beyond it. */
static int integer_fill(const answer *a, uint8_t instead[8])
{
    const utet_dataset *dataset = &a->plan.dataset;
    const double fill = a->plan.request.fill;
    const int rest = fill < 0 ? -a->plan.request.fill_rest : a->plan.request.fill_rest;
    const int is_signed = UTET_IS_SIGNED(dataset->dtype);
    const uint64_t most = UINT64_MAX >> (64 - 8 * (int)dataset->elem_size + is_signed);
    const double size = fabs(fill), end = ldexp(1, 64);
    uint64_t value;

    if (!a->plan.request.has_fill)
        return fail(a->name, "query", NO_OFFSET,
                    "validation: integer materialize under `filter` requires a dataset fill (_FillValue, "
                    "missing_value, or fill_value)");
    if (!isfinite(fill))
        return fail(a->name, "query", NO_OFFSET, "validation: integer materialize fill must be a finite integer");
    value = (size < end ? (uint64_t)size : 0) + (uint64_t)(int64_t)rest;
    if (fill != trunc(fill) || size > end || (size == end && rest >= 0) || rest > 1024 || rest < -1024 ||
        (signbit(fill) ? !is_signed || value == 0 || value > most + 1 : value > most))
        return fail(a->name, "query", NO_OFFSET, "validation: integer materialize fill is outside this dtype");
    store_le(instead, signbit(fill) ? 0 - value : value, 8);
    return TOOL_OK;
}

/* The element that replaces one that does not pass. */
static int choose(const answer *a, uint8_t instead[8])
{
    static const uint8_t nan16[] = {0, 0x7E};
    static const uint8_t nan32[] = {0, 0, 0xC0, 0x7F};

    switch (a->plan.dataset.dtype) {
    case UTET_F16: memcpy(instead, nan16, sizeof nan16); return TOOL_OK;
    case UTET_F32: memcpy(instead, nan32, sizeof nan32); return TOOL_OK;
    case UTET_F64: answer_bytes(NAN, instead); return TOOL_OK;
    default: return integer_fill(a, instead);
    }
}

/* The request of a fold that counts the elements of the selection. */
static utet_fold_request counting(const answer *a)
{
    utet_fold_request request = a->plan.request;

    request.operation = &utet_fold_count;
    request.axes = UTET_FOLD_ALL;
    return request;
}

int mask_need(answer *a, mask *m, utet_need *need)
{
    const utet_fold_request request = counting(a);
    const utet_status status = utet_fold_need(&m->fold, &a->s->file, &request);

    if (status != UTET_OK && status != UTET_E_BUDGET)
        return source_fail(a->s, status);
    *need = m->fold.need;
    return choose(a, m->instead);
}

int mask_open(answer *a, mask *m)
{
    const utet_dataset *dataset = &a->plan.dataset;
    const utet_fold_request request = counting(a);
    utet_status status = utet_fold_open(&m->fold, &a->s->file, &request);
    unsigned d;

    m->tests = a->query.filter.tests != 0;
    if (status == UTET_OK && m->tests)
        status = utet_fold_where(&m->fold, &a->query.filter);
    for (d = dataset->ndim; d-- != 0;) {
        if (a->plan.by.grouping.axis[d].group_of == NULL)
            continue;
        m->axis = d;
        m->inner = 1;
        while (++d < dataset->ndim)
            m->inner *= a->plan.extents[d];
        break;
    }
    return status == UTET_OK ? TOOL_OK : source_fail(a->s, status);
}

/* Overwrites the elements at indices that label_filter leaves out. */
static void mask_labels(const answer *a, mask *m, size_t count)
{
    const utet_fold_axis *axis = &a->plan.by.grouping.axis[m->axis];
    const size_t size = a->plan.dataset.elem_size;
    size_t i = 0;

    while (i < count) {
        const uint64_t number = m->number + i;
        const uint64_t rest = m->inner - number % m->inner;
        const size_t end = rest < count - i ? i + (size_t)rest : count;

        if (axis->group_of(axis->context, number / m->inner % a->plan.extents[m->axis]) == UTET_FOLD_LEFT_OUT)
            for (; i < end; i++)
                memcpy(m->piece + i * size, m->instead, size);
        i = end;
    }
}

size_t mask_next(const answer *a, mask *m, const uint8_t *data, size_t count)
{
    const size_t size = a->plan.dataset.elem_size;

    if (count > sizeof m->piece / size)
        count = sizeof m->piece / size;
    memcpy(m->piece, data, count * size);
    if (m->tests)
        (void)utet_fold_mask(&m->fold, m->piece, count, m->instead);
    if (m->inner != 0)
        mask_labels(a, m, count);
    m->number += count;
    return count;
}

/* ---- covariance and correlation ---- */

/* Counts the elements that pass: fold->folded. UTET_END: an error line has been printed. */
static utet_status count_passing(answer *a, utet_fold *fold)
{
    const utet_fold_request request = counting(a);
    double count;
    utet_status status = utet_fold_need(fold, &a->s->file, &request);

    if (status == UTET_OK && source_grow(a->s, a->opt, &fold->need) != TOOL_OK)
        return UTET_END;
    if (status == UTET_OK)
        status = utet_fold_open(fold, &a->s->file, &request);
    if (status == UTET_OK && a->query.filter.tests != 0)
        status = utet_fold_where(fold, &a->query.filter);
    if (status == UTET_OK && a->plan.grouped)
        status = utet_fold_group(fold, &a->plan.by.grouping);
    return status == UTET_OK ? utet_fold_run(fold, &count, 1) : status;
}

/* For elements of a matrix: those that do not pass become the fill. */
static uint64_t change_element(void *context, uint64_t bits, uint64_t observation, uint32_t variable)
{
    const answer *a = context;
    mask *m = a->mask;
    uint8_t element[8];

    store_le(element, bits, 8);
    if (m->tests)
        (void)utet_fold_mask(&m->fold, element, 1, m->instead);
    if (m->inner != 0) {
        const utet_fold_axis *axis = &a->plan.by.grouping.axis[m->axis];
        const unsigned observations = UTET_QUERY_OBSERVATIONS(&a->plan);

        if (axis->group_of(axis->context, m->axis == observations ? observation : variable) == UTET_FOLD_LEFT_OUT)
            memcpy(element, m->instead, sizeof element);
    }
    return load_le(element, a->plan.dataset.elem_size);
}

static int set_change(answer *a)
{
    a->mask = calloc(1, sizeof *a->mask);
    if (a->mask == NULL)
        return fail(a->opt->file, NULL, NO_OFFSET, "not enough memory");
    if (choose(a, a->mask->instead) != TOOL_OK || mask_open(a, a->mask) != TOOL_OK)
        return TOOL_ERROR;
    a->change.replace = change_element;
    a->change.context = a;
    a->plan.change = &a->change;
    return TOOL_OK;
}

int mask_matrix(answer *a)
{
    utet_fold fold;
    uint8_t instead[8];
    uint64_t elements = 1;
    utet_status status;
    unsigned d;

    if (choose(a, instead) != TOOL_OK)
        return TOOL_ERROR;
    status = count_passing(a, &fold);
    if (status != UTET_OK)
        return status == UTET_END ? TOOL_ERROR : source_fail(a->s, status);
    for (d = 0; d < a->plan.dataset.ndim; d++)
        elements *= a->plan.extents[d];
    if (fold.folded == elements) {
        a->query.filter.tests = 0;
        a->query.has_label_filter = 0;
        return TOOL_OK;
    }
    if (UTET_IS_FLOAT(a->plan.dataset.dtype))
        return fail(a->name, "query", NO_OFFSET,
                    "validation: covariance/correlation require finite values in the logical selection");
    return set_change(a);
}
