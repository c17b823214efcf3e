/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The response's elements: the first ones, statistics of a transform, where the elements were written. */
#include "../fold/fold_transform.h"
#include "response.h"
#include "utet_show.h"

#define DTYPES 10
#define STATISTICS 6

static const char query_elements_execution_text[] =
    ",\"execution\":{\"total_bytes_read_from_disk\":" P_BYTES_READ P_PREVIEWS P_EXECUTION_BODY "}";

/* Templates for an entry of a list. Which dtype or statistic it is about: the list's index, less 1. */
static const char preview_text[] = ",\"" P_PREVIEW_DTYPE "_preview\":[" P_PREVIEW_ELEMENTS "],\"" P_PREVIEW_DTYPE
                                   "_preview_truncated\":" P_PREVIEW_IS_CUT;
static const char scalar_text[] = ",\"operation_" P_STATISTIC_NAME "\":" P_STATISTIC_VALUES;
static const char reduced_text[] = ",\"operation_reduced_" P_STATISTIC_NAME "\":[" P_STATISTIC_VALUES "]";

static const char dense_text[] = ",\"memory_strategy\":\"capped_in_memory\"";
static const char spill_text[] = ",\"memory_strategy\":\"mmap_spill\",\"spill_f32_path\":\"" P_SPILL_PATH
                                 "\",\"spill_f32_bytes\":" P_SPILL_BYTES;
static const char transform_text[] = ",\"operation_element_count\":" P_ELEMENT_COUNT P_STATISTICS
                                     ",\"memory_strategy\":\"transform_ram\",\"transform_method\":\"" P_METHOD_NAME
                                     "\"" P_UNDEFINED;
static const char reduced_transform_text[] =
    ",\"operation_element_count\":" P_ELEMENT_COUNT
    ",\"memory_strategy\":\"transform_ram\",\"operation_reduced_shape\":[" P_TRANSFORM_SHAPE "]" P_STATISTICS
    ",\"transform_method\":\"" P_METHOD_NAME "\"" P_UNDEFINED;
static const char undefined_text[] = ",\"transform_div_by_zero_indices\":[" P_UNDEFINED_INDICES
                                     "],\"transform_div_by_zero_count\":" P_UNDEFINED_COUNT;

static const char *query_elements_body(const utet_query_response *r)
{
    if (r->elements->transform != NULL)
        return response_query(r)->axes_count != 0 ? reduced_transform_text : transform_text;
    return r->elements->spill != NULL ? spill_text : dense_text;
}

static uint64_t *index_of(utet_query_response *r)
{
    return &r->priv.level->index;
}

/* The number of the entry that is being written. */
static unsigned query_elements_entry(const utet_query_response *r)
{
    return (unsigned)r->priv.level[-1].index - 1u;
}

/* ---- the first elements ---- */

/* In the reference's order f16 comes last. */
UTET_APART static uint32_t dtype_of(unsigned number)
{
    return number < DTYPES - 2u ? number + 1u : 2u * DTYPES - 2u - number;
}

/* Returns nonzero if the entry's dtype is that of the dataset. */
static int is_own(const utet_query_response *r)
{
    return dtype_of(query_elements_entry(r)) == r->plan->dataset.dtype;
}

/* An f16 is written as the integer of its bits. Other floats: null when not finite, with .0 when whole. */
static void query_elements_put_element(utet_query_response *r, const uint8_t *at)
{
    const fold_layout *layout = &utet_dtype_layouts[r->plan->dataset.dtype];
    const uint64_t bits = utet_fold_load(layout, at);
    fold_element element;

    if (r->plan->dataset.dtype == UTET_F16) {
        utet_response_number(r, bits);
        return;
    }
    utet_fold_split(layout, bits, &element);
    if (layout->kind == FOLD_FLOAT && element.special != FOLD_FINITE) {
        utet_response_word(r, "null");
        return;
    }
    r->priv.used += utet_query_printed(r->plan->dataset.dtype, at, r->buffer + r->priv.used);
}

/* On to the list's next entry, with a comma before all but the first. 0: all `count` are written, the list is done. */
static int next_of(utet_query_response *r, uint64_t count)
{
    if (*index_of(r) >= count) {
        utet_response_done(r);
        return 0;
    }
    if ((*index_of(r))++ != 0)
        utet_response_put(r, ',');
    return 1;
}

static void put_elements(utet_query_response *r)
{
    if (next_of(r, is_own(r) ? r->elements->shown : 0))
        query_elements_put_element(r, (const uint8_t *)r->elements->first +
                                          (size_t)(*index_of(r) - 1) * r->plan->dataset.elem_size);
}

/* ---- transforms ---- */

enum { MEAN, QUERY_ELEMENTS_MIN, QUERY_ELEMENTS_MAX, STD, NORM_L1, NORM_L2, NO_STATISTIC };
static const char query_elements_names[STATISTICS][8] = {"mean", "min", "max", "std", "norm_l1", "norm_l2"};

/* The index of names[which] among the statistics of the document's method; -1: the method does not have it. */
static int query_elements_statistic(const utet_query_response *r, unsigned which)
{
    static const uint8_t methods[][2] = {
        {MEAN, NO_STATISTIC},                     /* center */
        {MEAN, STD},                              /* zscore */
        {STD, NO_STATISTIC},                      /* scale */
        {QUERY_ELEMENTS_MIN, QUERY_ELEMENTS_MAX}, /* minmax */
        {NORM_L1, NO_STATISTIC},                  /* l1 */
        {NORM_L2, NO_STATISTIC},                  /* l2 */
        {QUERY_ELEMENTS_MIN, NO_STATISTIC},       /* log1p */
        {QUERY_ELEMENTS_MIN, NO_STATISTIC},       /* sqrt */
        {QUERY_ELEMENTS_MAX, NO_STATISTIC},       /* softmax */
    };
    const uint8_t *has = methods[response_query(r)->method - 1];

    return has[0] == which ? 0 : has[1] == which ? 1 : -1;
}

/* Without axes, the statistics that the method has. With axes all six, as in the reference; the others are empty. */
static void put_statistics(utet_query_response *r)
{
    const int reduced = response_query(r)->axes_count != 0;
    uint64_t *index = index_of(r);

    while (!reduced && *index < STATISTICS && query_elements_statistic(r, (unsigned)*index) < 0)
        ++*index;
    if (*index == STATISTICS) {
        utet_response_done(r);
        return;
    }
    ++*index;
    utet_response_push(r, reduced ? reduced_text : scalar_text);
}

static void put_statistic(utet_query_response *r)
{
    const utet_transform *transform = r->elements->transform;
    const unsigned each = transform->priv.method->statistics;
    const int which = query_elements_statistic(r, query_elements_entry(r));

    if (next_of(r, which >= 0 ? utet_div(transform->fold.results, each) : 0))
        utet_response_double(r, r->elements->statistics[(size_t)(*index_of(r) - 1) * each + (size_t)which]);
}

/* The extents of the axes that stay. */
static void put_shape(utet_query_response *r)
{
    const uint32_t axes = r->plan->request.axes;
    uint64_t *index = index_of(r);
    const unsigned d = (unsigned)*index;

    if (d >= r->plan->dataset.ndim) {
        utet_response_done(r);
        return;
    }
    ++*index;
    if ((axes >> d & 1u) != 0)
        return;
    if ((~axes & (((uint32_t)1 << d) - 1u)) != 0)
        utet_response_put(r, ',');
    utet_response_number(r, r->plan->extents[d]);
}

/* ---- parts ---- */

/* Of a transform how many elements are undefined; else the bytes of the spilled file. */
static uint64_t query_elements_number(const utet_query_response *r)
{
    if (r->elements->transform != NULL)
        return r->elements->transform->undefined;
    return utet_mul(utet_response_elements(r->plan), r->plan->dataset.elem_size);
}

/* As the reference counts: it reads the chunks once for each statistic of a transform, and once more. */
static uint64_t bytes_read(const utet_query_response *r)
{
    const utet_transform *transform = r->elements->transform;

    return utet_mul(response_writing(r)->bytes, transform != NULL ? transform->priv.method->statistics + 1u : 1u);
}

static void query_elements_part(utet_query_response *r, char letter)
{
    switch (letter) {
    case PART_PREVIEWS:
        if (*index_of(r) == DTYPES) {
            utet_response_done(r);
        } else {
            ++*index_of(r);
            utet_response_push(r, preview_text);
        }
        break;
    case PART_PREVIEW_DTYPE:
        utet_response_word(r, utet_show_dtype(dtype_of(query_elements_entry(r))));
        utet_response_done(r);
        break;
    case PART_PREVIEW_ELEMENTS: put_elements(r); break;
    case PART_PREVIEW_IS_CUT:
        utet_response_truth(r, is_own(r) && utet_response_elements(r->plan) > r->elements->shown);
        utet_response_done(r);
        break;
    case PART_STATISTICS: put_statistics(r); break;
    case PART_STATISTIC_NAME:
        utet_response_word(r, query_elements_names[query_elements_entry(r)]);
        utet_response_done(r);
        break;
    case PART_STATISTIC_VALUES: put_statistic(r); break;
    case PART_UNDEFINED:
        utet_response_done(r);
        if (r->elements->transform->undefined != 0)
            utet_response_push(r, undefined_text);
        break;
    case PART_UNDEFINED_INDICES:
        if (next_of(r, r->elements->listed))
            utet_response_number(r, r->elements->undefined[*index_of(r) - 1]);
        break;
    case PART_UNDEFINED_COUNT:
        utet_response_number(r, query_elements_number(r));
        utet_response_done(r);
        break;
    case PART_TRANSFORM_SHAPE: put_shape(r); break;
    case PART_BYTES_READ:
        utet_response_number(r, bytes_read(r));
        utet_response_done(r);
        break;
    default: utet_response_path(r, r->elements->spill); /* PART_SPILL_PATH */
    }
}

const struct utet_query_parts utet_query_element_parts = {query_elements_execution_text, query_elements_body,
                                                          query_elements_part};
