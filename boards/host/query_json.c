/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The reference's response document (tet-v1 §15): its keys in its order. Fields that depend on the reference's own
 * machine or on previews are left out. */
#include "query.h"
#include "utet_show.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* As serde prints doubles: a whole one with .0, what is not finite as null. */
static void put_double(double value)
{
    uint8_t element[8];
    char text[UTET_SHOW_SIZE];
    uint64_t bits;
    unsigned i;

    if (!isfinite(value)) {
        fputs("null", stdout);
        return;
    }
    memcpy(&bits, &value, sizeof bits);
    for (i = 0; i < 8; i++)
        element[i] = (uint8_t)(bits >> 8 * i);
    (void)utet_show_text(UTET_F64, element, text, sizeof text, NULL);
    printf("%s%s", text, strpbrk(text, ".e") == NULL ? ".0" : "");
}

enum { DOUBLE, TRUTH, WHOLE };

static void put_result(double value, int kind)
{
    if (kind == DOUBLE || isnan(value))
        put_double(value);
    else if (kind == TRUTH)
        fputs(value != 0 ? "true" : "false", stdout);
    else
        printf("%.0f", value);
}

static int kind_of(uint8_t operation)
{
    return operation == UTET_QUERY_ALL_FINITE || operation == UTET_QUERY_ANY_NAN || operation == UTET_QUERY_ANY_INF
               ? TRUTH
           : operation == UTET_QUERY_ARG_MIN || operation == UTET_QUERY_ARG_MAX ? WHOLE
                                                                                : DOUBLE;
}

/* "operation": {"sum":{"axes":["1"]}}, with numbers of axes */
static void put_operation(const answer *a)
{
    const utet_query *q = &a->query;
    unsigned d;
    int first = 1;

    if (q->operation == UTET_QUERY_NONE) {
        fputs("null", stdout);
        return;
    }
    printf("{\"%s\":{\"axes\":[", utet_query_name(q->operation));
    for (d = 0; q->axes_count != 0 && d < a->plan.dataset.ndim; d++)
        if ((a->plan.request.axes >> d & 1) != 0) {
            printf("%s\"%u\"", first ? "" : ",", d);
            first = 0;
        }
    putchar(']');
    if (q->operation == UTET_QUERY_QUANTILE) {
        fputs(",\"q\":", stdout);
        put_double(q->quantile);
    }
    if (q->operation == UTET_QUERY_HISTOGRAM)
        printf(",\"bins\":%" PRIu32, q->bins);
    if (q->operation == UTET_QUERY_HISTOGRAM && q->has_bounds) {
        fputs(",\"min\":", stdout);
        put_double(q->low);
        fputs(",\"max\":", stdout);
        put_double(q->high);
    }
    if (q->has_fill) {
        fputs(",\"fill\":", stdout);
        put_double(q->fill);
    }
    fputs("}}", stdout);
}

static int put_catalog(answer *a)
{
    const utet_dataset *d = &a->plan.dataset;
    utet_dataset each;
    utet_status status;

    if (a->plan.matched) {
        printf(",\"catalog\":{\"matched\":true,\"dataset_index\":%" PRIu32 ",\"dtype\":%" PRIu32 ",\"shape\":", d->id,
               d->dtype);
        json_numbers(stdout, d->shape, d->ndim);
        fputs(",\"chunk_shape\":", stdout);
        json_numbers(stdout, d->chunk_shape, d->ndim);
        printf(",\"chunk_index_rows\":%" PRIu64 "}", a->s->file.row_count);
        return TOOL_OK;
    }
    fputs(",\"catalog\":{\"matched\":false,\"available_datasets\":[", stdout);
    status = a->s->file.dataset_count == 0 ? UTET_END : utet_dataset_first(&a->s->file, &each);
    for (; status == UTET_OK; status = utet_dataset_next(&a->s->file, &each)) {
        char *name = source_name(a->s, &each);

        if (name == NULL)
            return TOOL_ERROR;
        fputs(each.id != 0 ? "," : "", stdout);
        json_text(stdout, name, each.name_length);
        free(name);
    }
    fputs("]}", stdout);
    return status == UTET_END ? TOOL_OK : source_fail(a->s, status);
}

typedef struct counted {
    uint64_t chunks;
    uint64_t bytes;
} counted;

static int count_chunk(void *context, const utet_chunk *chunk)
{
    counted *c = context;

    c->chunks++;
    c->bytes += chunk->stored_byte_len;
    return TOOL_OK;
}

static int put_chunk(void *context, const utet_chunk *chunk)
{
    int *first = context;

    printf("%s{\"chunk_index\":%" PRIu64 ",\"payload_offset\":%" PRIu64 ",\"stored_byte_len\":%" PRIu64
           ",\"raw_byte_len\":%" PRIu64 ",\"codec\":%" PRIu32 "}",
           *first ? "" : ",", chunk->row, chunk->payload_offset, chunk->stored_byte_len, chunk->raw_byte_len,
           chunk->codec);
    *first = 0;
    return TOOL_OK;
}

static void put_ranges(const answer *a, const char *name, uint64_t utet_range_part(const utet_range *))
{
    uint64_t numbers[UTET_MAX_NDIM];
    unsigned d;

    for (d = 0; d < a->plan.dataset.ndim; d++)
        numbers[d] = utet_range_part(&a->plan.ranges[d]);
    printf(",\"%s\":", name);
    json_numbers(stdout, numbers, a->plan.dataset.ndim);
}

static uint64_t start_of(const utet_range *range)
{
    return range->start;
}
static uint64_t stop_of(const utet_range *range)
{
    return range->stop;
}
static uint64_t step_of(const utet_range *range)
{
    return range->step;
}

static int put_read_plan(answer *a)
{
    const utet_dataset *d = &a->plan.dataset;
    counted c = {0, 0};
    int strided = 0;
    int first = 1;
    unsigned i;

    for (i = 0; i < d->ndim; i++)
        strided |= a->plan.ranges[i].step != 1;
    if (answer_chunks(a, count_chunk, &c) != TOOL_OK)
        return TOOL_ERROR;
    printf(",\"read_plan\":{\"chunk_touch_policy\":\"%s\",\"chunk_count\":%" PRIu64
           ",\"zone_filter_skipped_chunks\":0,\"index_filter_skipped_chunks\":0,\"total_stored_bytes\":%" PRIu64
           ",\"chunks\":[",
           strided ? "strided_half_open_per_axis_json_step_applied_to_chunk_touch_list"
                   : "dense_half_open_intervals_per_axis_json_step_ignored_for_chunk_touch_list",
           c.chunks, c.bytes);
    if (answer_chunks(a, put_chunk, &first) != TOOL_OK)
        return TOOL_ERROR;
    fputs("],\"dataset_shape\":", stdout);
    json_numbers(stdout, d->shape, d->ndim);
    fputs(",\"chunk_shape\":", stdout);
    json_numbers(stdout, d->chunk_shape, d->ndim);
    put_ranges(a, "selection_box_start", start_of);
    put_ranges(a, "selection_box_stop_exclusive", stop_of);
    put_ranges(a, "selection_step", step_of);
    fputs(",\"logical_selection_shape\":", stdout);
    json_numbers(stdout, a->plan.extents, d->ndim);
    printf(",\"logical_element_count\":%" PRIu64 "}", a->elements);
    return TOOL_OK;
}

/* The field's name behind operation_ or operation_reduced_. */
static const char *field_of(const answer *a)
{
    switch (a->query.operation) {
    case UTET_QUERY_ARG_MIN: return a->ndim != 0 ? "argmin" : "argmin_index";
    case UTET_QUERY_ARG_MAX: return a->ndim != 0 ? "argmax" : "argmax_index";
    case UTET_QUERY_HISTOGRAM: return "histogram_counts";
    default: return utet_query_name(a->query.operation);
    }
}

/* A histogram's bins, and its edges where there is one histogram alone. */
static void put_histogram(const answer *a)
{
    const uint32_t bins = a->query.bins;
    uint64_t i;
    uint32_t b;

    putchar('[');
    for (i = 0; i < a->fold.results; i += a->values)
        for (b = 0; b < bins; b++)
            printf("%s%.0f", i + b != 0 ? "," : "", a->results[i + 2 + b]);
    putchar(']');
    if (a->ndim != 0)
        return;
    fputs(",\"operation_histogram_edges\":[", stdout);
    for (b = 0; b <= bins; b++) {
        fputs(b != 0 ? "," : "", stdout);
        put_double(utet_fold_edge(a->results[0], a->results[1], bins, b));
    }
    putchar(']');
}

static void put_results(const answer *a)
{
    const uint8_t operation = a->query.operation;
    /* as the reference counts: what passed for scalars of one pass, else what was selected */
    const int passed = a->ndim == 0 && operation < UTET_QUERY_ARG_MIN;
    uint64_t i;

    printf(",\"operation_element_count\":%" PRIu64, passed ? a->fold.folded : a->elements);
    if (a->plan.group_count != 0)
        printf(",\"group_count\":%" PRIu64, a->plan.group_count);
    if (a->plan.grouping.window.size != 0)
        printf(",\"window_count\":%" PRIu64, a->plan.grouping.windows);
    if (a->ndim != 0) {
        fputs(",\"operation_reduced_shape\":", stdout);
        json_numbers(stdout, a->shape, a->ndim);
    }
    if (operation == UTET_QUERY_COUNT && a->ndim == 0)
        return;
    printf(",\"operation_%s%s\":", a->ndim != 0 ? "reduced_" : "", field_of(a));
    if (operation == UTET_QUERY_HISTOGRAM) {
        put_histogram(a);
    } else if (a->ndim == 0) {
        put_result(a->results[0], kind_of(operation));
    } else {
        for (i = 0; i < a->fold.results; i++) {
            putchar(i != 0 ? ',' : '[');
            put_result(a->results[i], kind_of(operation));
        }
        putchar(']');
    }
}

static int put_alignment(answer *a)
{
    static const char *const reasons[] = {"",
                                          "extent mismatch",
                                          "dim_names present on only one dataset",
                                          "dim_names mismatch",
                                          "coordinate labels present on only one dataset",
                                          "coordinate labels mismatch"};
    char *left = answer_text(a, &a->query.dataset);
    char *with = answer_text(a, &a->query.align_with);
    unsigned i;
    int aligned = 1;

    if (left == NULL || with == NULL) {
        free(left);
        free(with);
        return TOOL_ERROR;
    }
    for (i = 0; i < a->plan.align.count; i++)
        aligned &= a->plan.align.reason[i] == UTET_QUERY_ALIGNED;
    printf(",\"alignment\":{\"aligned\":%s,\"left\":", aligned ? "true" : "false");
    json_text(stdout, left, strlen(left));
    fputs(",\"with\":", stdout);
    json_text(stdout, with, strlen(with));
    fputs(",\"axes\":[", stdout);
    for (i = 0; i < a->plan.align.count; i++) {
        const uint8_t reason = a->plan.align.reason[i];

        printf("%s{\"axis\":%u,\"ok\":%s,\"extent_left\":%" PRIu64 ",\"extent_right\":%" PRIu64 ",\"labels_ok\":%s",
               i != 0 ? "," : "", a->plan.align.axis[i], reason == UTET_QUERY_ALIGNED ? "true" : "false",
               a->plan.dataset.shape[a->plan.align.axis[i]], a->plan.align.other.shape[a->plan.align.other_axis[i]],
               a->plan.align.labels_ok[i] ? "true" : "false");
        if (reason != UTET_QUERY_ALIGNED)
            printf(",\"reason\":\"%s\"", reasons[reason]);
        putchar('}');
    }
    fputs("]}", stdout);
    free(left);
    free(with);
    return TOOL_OK;
}

int answer_json(answer *a)
{
    char *name = answer_text(a, &a->query.dataset);
    int result = TOOL_OK;

    if (name == NULL)
        return TOOL_ERROR;
    fputs("{\"status\":\"planned\",\"accepted\":true,\"layout_version\":1,\"dataset\":", stdout);
    json_text(stdout, name, strlen(name));
    free(name);
    if (a->query.selected == UINT32_MAX)
        fputs(",\"selection_axes\":null", stdout);
    else
        printf(",\"selection_axes\":%" PRIu32, a->query.selected);
    fputs(",\"operation\":", stdout);
    put_operation(a);
    fputs(",\"message\":\"\",\"tet_file\":", stdout);
    json_text(stdout, a->s->path, strlen(a->s->path));
    result = put_catalog(a);
    if (result == TOOL_OK && a->plan.matched && !a->query.has_align)
        result = put_read_plan(a);
    if (result == TOOL_OK && a->plan.matched && !a->opt->plan) {
        printf(",\"execution\":{\"memory_strategy\":\"%s\"", a->query.has_align ? "alignment_check" : "streaming_fold");
        if (a->query.has_align)
            result = put_alignment(a);
        else
            put_results(a);
        putchar('}');
    }
    puts("}");
    return finish_stdout(result);
}
