/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* utet query FILE QUERY: answers a query document. */
#include "query.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MOST_RESULTS ((uint64_t)1 << 27)

/* ---- the document ---- */

static int load(answer *a, const char *path)
{
    FILE *in = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
    size_t length;

    if (in == NULL)
        return fail(path, NULL, NO_OFFSET, "cannot open: %s", strerror(errno));
    a->text = malloc(UTET_QUERY_MOST + 1);
    if (a->text == NULL) {
        (void)fclose(in);
        return fail(path, NULL, NO_OFFSET, "not enough memory");
    }
    length = fread(a->text, 1, UTET_QUERY_MOST + 1, in);
    if (ferror(in)) {
        (void)fclose(in);
        return fail(path, "medium", NO_OFFSET, "cannot read: %s", strerror(errno));
    }
    a->text_io.size = length;
    while (length > UTET_QUERY_MOST && getc(in) != EOF) /* its size is told */
        a->text_io.size++;
    if (in != stdin)
        (void)fclose(in);
    a->text_io.map = a->text;
    a->text_io.unit = 1;
    a->text_io.align = 1;
    return TOOL_OK;
}

static int refused(answer *a, utet_status status)
{
    char words[1400];
    size_t got = 0;

    if (status == UTET_E_METADATA && a->query.fault.reason != 0) {
        status = utet_query_message(&a->query, 0, words, sizeof words, &got);
        if (status == UTET_OK)
            return fail(a->opt->dataset, "query", NO_OFFSET, "%.*s", (int)got, words);
    }
    return source_fail(a->s, status);
}

char *answer_text(answer *a, const utet_query_text_at *text)
{
    char *copy = malloc((size_t)text->length + 1);
    size_t got = 0;

    if (copy == NULL || utet_query_text(&a->query, text, 0, copy, text->length, &got) != UTET_OK) {
        free(copy);
        (void)fail(a->opt->dataset, "query", NO_OFFSET, "not enough memory");
        return NULL;
    }
    copy[got] = '\0';
    return copy;
}

static int cannot(answer *a, const char *what)
{
    return fail(a->opt->dataset, "query", NO_OFFSET, "%s: not supported by this reader", what);
}

/* What is understood, but not carried out. */
static int judge_support(answer *a)
{
    const utet_query *q = &a->query;

    if ((q->unsupported & UTET_QUERY_SPILL) != 0)
        return cannot(a, "spill");
    if ((q->unsupported & UTET_QUERY_WRITE) != 0)
        return cannot(a, "write");
    if ((q->unsupported & UTET_QUERY_DEVICE) != 0)
        return cannot(a, "execution.device");
    if ((q->unsupported & UTET_QUERY_TWO_FILLS) != 0)
        return cannot(a, "null_count with a fill of its own and window.pad fill");
    if (q->operation != UTET_QUERY_NONE && utet_query_operation(q->operation) == NULL)
        return cannot(a, utet_query_name(q->operation));
    return TOOL_OK;
}

/* ---- chunks ---- */

uint64_t answer_tile(const answer *a, unsigned axis, uint64_t tile)
{
    const utet_range *range = &a->plan.ranges[axis];
    const uint64_t extent = a->plan.dataset.chunk_shape[axis];
    uint64_t place = tile * extent;
    uint64_t step;

    if (tile >= a->plan.dataset.grid[axis])
        return UINT64_MAX;
    if (place <= range->start) {
        place = range->start;
    } else {
        step = (place - range->start + range->step - 1) / range->step;
        place = range->start + step * range->step;
    }
    return place < range->stop ? place / extent : UINT64_MAX;
}

int answer_chunks(answer *a, int (*each)(void *context, const utet_chunk *chunk), void *context)
{
    const unsigned ndim = a->plan.dataset.ndim;
    uint64_t coords[UTET_MAX_NDIM];
    unsigned d;

    for (d = 0; d < ndim; d++) {
        coords[d] = a->elements == 0 ? UINT64_MAX : answer_tile(a, d, 0);
        if (coords[d] == UINT64_MAX)
            return TOOL_OK;
    }
    for (;;) {
        utet_chunk chunk;
        utet_status status = utet_chunk_find(&a->s->file, &a->plan.dataset, coords, &chunk);
        int result = status == UTET_OK ? each(context, &chunk) : source_fail(a->s, status);

        if (result != TOOL_OK)
            return result;
        for (d = ndim; d-- != 0;) {
            coords[d] = answer_tile(a, d, coords[d] + 1);
            if (coords[d] != UINT64_MAX)
                break;
            coords[d] = answer_tile(a, d, 0);
            if (d == 0)
                return TOOL_OK;
        }
    }
}

/* ---- the fold ---- */

/* The shape of the results: axes that stay, groups, windows. */
static void set_shape(answer *a)
{
    const utet_fold_grouping *g = &a->plan.grouping;
    unsigned d;

    a->ndim = 0;
    for (d = 0; d < a->plan.dataset.ndim; d++) {
        if (g->window.size != 0 && g->window.axis == d)
            a->shape[a->ndim++] = g->windows;
        else if (g->axis[d].groups != 0)
            a->shape[a->ndim++] = g->axis[d].groups;
        else if ((a->plan.request.axes >> d & 1) == 0)
            a->shape[a->ndim++] = a->plan.extents[d];
    }
    a->values = a->query.operation == UTET_QUERY_HISTOGRAM ? a->query.bins + 2u : 1;
}

static int fold_fail(answer *a, utet_status status)
{
    if (status == UTET_E_ARGUMENT)
        return cannot(a, "this reduction by groups or windows");
    return source_fail(a->s, status);
}

static utet_status prepare(answer *a)
{
    utet_status status = utet_fold_need(&a->fold, &a->s->file, &a->plan.request);

    return status == UTET_OK && a->plan.grouped ? utet_fold_by(&a->fold, &a->plan.grouping) : status;
}

static int run(answer *a)
{
    utet_status status;

    a->plan.request.operation = utet_query_operation(a->query.operation);
    status = prepare(a);
    if (status != UTET_OK && status != UTET_E_BUDGET)
        return fold_fail(a, status);
    if (source_grow(a->s, a->opt, &a->fold.need) != TOOL_OK)
        return TOOL_ERROR;
    source_rows(a->s, &a->plan.dataset);
    status = utet_fold_open(&a->fold, &a->s->file, &a->plan.request);
    if (status == UTET_OK && a->query.filter.tests != 0)
        status = utet_fold_where(&a->fold, &a->query.filter);
    if (status == UTET_OK && a->plan.grouped)
        status = utet_fold_by(&a->fold, &a->plan.grouping);
    if (status != UTET_OK)
        return fold_fail(a, status);
    if (a->fold.results > MOST_RESULTS)
        return fail(a->s->path, "query", NO_OFFSET, "%" PRIu64 " results are more than %" PRIu64, a->fold.results,
                    MOST_RESULTS);
    set_shape(a);
    a->results = calloc((size_t)a->fold.results + 1, sizeof *a->results);
    if (a->results == NULL)
        return fail(a->s->path, NULL, NO_OFFSET, "not enough memory");
    status = utet_fold_run(&a->fold, a->results, (size_t)a->fold.results);
    return status == UTET_OK ? TOOL_OK : fold_fail(a, status);
}

static int write_npy(answer *a)
{
    output out;
    uint64_t shape[UTET_MAX_NDIM + 1];
    unsigned ndim = a->ndim;
    size_t i;
    int result = output_open(&out, a->opt->npy, a->s);

    if (result != TOOL_OK)
        return result;
    memcpy(shape, a->shape, sizeof a->shape);
    if (a->values > 1)
        shape[ndim++] = a->values;
    result = npy_header(&out, "<f8", shape, ndim);
    for (i = 0; result == TOOL_OK && i < a->fold.results; i++) {
        uint8_t bytes[8];
        uint64_t bits;
        unsigned b;

        memcpy(&bits, &a->results[i], sizeof bits);
        for (b = 0; b < 8; b++)
            bytes[b] = (uint8_t)(bits >> 8 * b);
        result = output_write(&out, bytes, sizeof bytes);
    }
    return output_close(&out, result);
}

/* ---- the command ---- */

static utet_status bind(answer *a)
{
    size_t room = 0;
    utet_status status;

    for (;;) {
        status = utet_query_bind(&a->plan, &a->query, &a->meta, a->places, room);
        if (status != UTET_E_SPACE)
            return status;
        room = a->plan.places_needed;
        free(a->places);
        a->places = malloc(room * sizeof *a->places + 1);
        if (a->places == NULL)
            return UTET_E_BUDGET;
    }
}

static int answer_run(answer *a)
{
    utet_status status = utet_init(&a->document, &a->text_io, NULL, 0, NULL);
    int reduces;
    unsigned d;

    if (status == UTET_OK)
        status = utet_query_open(&a->query, &a->document);
    if (status == UTET_OK)
        status = utet_meta_open(&a->meta, &a->s->file);
    if (status == UTET_OK)
        status = bind(a);
    if (status != UTET_OK)
        return refused(a, status);
    if (judge_support(a) != TOOL_OK)
        return TOOL_ERROR;
    a->elements = 1;
    for (d = 0; d < a->plan.dataset.ndim; d++)
        a->elements *= a->plan.extents[d];
    reduces = a->plan.matched && a->query.operation != UTET_QUERY_NONE && !a->opt->plan;
    if (reduces && run(a) != TOOL_OK)
        return TOOL_ERROR;
    if (a->plan.matched && !reduces && !a->opt->plan && !a->query.has_align)
        return cannot(a, "a document without a reduction (utet read has the values, --plan the chunks)");
    if (reduces && a->opt->npy != NULL)
        return write_npy(a);
    if (a->opt->json)
        return answer_json(a);
    return a->opt->plan ? answer_plan(a) : answer_table(a);
}

static int query(source *s, const options *opt)
{
    answer *a = calloc(1, sizeof *a);
    int result;

    if (a == NULL)
        return fail(opt->file, NULL, NO_OFFSET, "not enough memory");
    a->s = s;
    a->opt = opt;
    result = load(a, opt->dataset);
    if (result == TOOL_OK)
        result = answer_run(a);
    free(a->text);
    free(a->places);
    free(a->results);
    free(a);
    return result;
}

int command_query(const options *opt)
{
    return source_run(opt, query);
}
