/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Answers with a line for each result: its labels, then the value of each reduction. As CSV, with numbers that read
 * back exactly; or as a table. */
#include "query_places.h"
#include "shared/number.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct rows {
    places p;
    output *out;
    unsigned ndim;
    const uint64_t *shape;
    uint64_t at; /* lines written */
    uint64_t index[UTET_MAX_NDIM];
    char *label[UTET_MAX_NDIM]; /* of index; null: not known yet */
    int of_elements;
};

/* ---- numbers ---- */

const char *answer_value(const answer *a, uint64_t i, char text[32])
{
    const double value = a->results[i];

    if (a->counts != NULL && a->counts[i] == 0)
        return "-";
    if (fabs(value) < 0x1p53 && value == floor(value))
        (void)snprintf(text, 32, "%.0f", value);
    else if (fabs(value) < 0x1p64 && value == floor(value)) /* %.17g keeps every digit of a large integer */
        (void)snprintf(text, 32, "%.17g", value);
    else
        (void)snprintf(text, 32, "%.12g", value);
    return text;
}

/* The shortest text that reads back as this double; nothing where it was made of no element. */
static const char *exact_text(const answer *a, uint64_t i, char text[NUMBER_TEXT])
{
    const double value = a->results[i];

    if (a->counts != NULL && a->counts[i] == 0)
        return "";
    return isnan(value) ? "nan" : number_shortest(text, value);
}

/* ---- labels ---- */

/* The label of line `at` on axis d, which the rows keep. */
static const char *label_of_line(rows *r, unsigned d)
{
    uint64_t over = 1;
    unsigned later;

    for (later = d + 1; later < r->ndim; later++)
        over *= r->shape[later];
    if (r->label[d] == NULL || r->index[d] != r->at / over % r->shape[d]) {
        free(r->label[d]);
        r->index[d] = r->at / over % r->shape[d];
        r->label[d] = r->of_elements ? places_at(&r->p, d, r->index[d]) : places_label(&r->p, d, r->index[d]);
    }
    if (r->label[d] == NULL)
        (void)fail(r->p.a->s->path, NULL, NO_OFFSET, "not enough memory");
    return r->label[d];
}

static void end_labels(rows *r)
{
    unsigned d;

    for (d = 0; d < UTET_MAX_NDIM; d++)
        free(r->label[d]);
    places_end(&r->p);
}

/* ---- CSV ---- */

/* A field, in double quotes where RFC 4180 wants them. */
static int put_field(output *out, const char *text, char end)
{
    const int quoted = strpbrk(text, ",\"\r\n") != NULL;
    int result = quoted ? output_write(out, "\"", 1) : TOOL_OK;

    for (; result == TOOL_OK && *text != '\0'; text++)
        result = output_write(out, *text == '"' ? "\"\"" : text, *text == '"' ? 2 : 1);
    if (result == TOOL_OK && quoted)
        result = output_write(out, "\"", 1);
    return result == TOOL_OK ? output_write(out, &end, 1) : result;
}

static int put_name(rows *r, unsigned d)
{
    char *const name = r->of_elements ? axes_name(r->p.about, d, 0) : places_name(&r->p, d);
    const int result = name != NULL ? put_field(r->out, name, ',')
                                    : fail(r->p.a->s->path, NULL, NO_OFFSET, "not enough memory");

    free(name);
    return result;
}

/* The names of the axes, and a comma after each. */
static int put_names(rows *r)
{
    int result = TOOL_OK;
    unsigned d;

    for (d = 0; result == TOOL_OK && d < r->ndim; d++)
        result = put_name(r, d);
    return result;
}

static int put_labels(rows *r)
{
    int result = TOOL_OK;
    unsigned d;

    for (d = 0; result == TOOL_OK && d < r->ndim; d++) {
        const char *const label = label_of_line(r, d);

        result = label != NULL ? put_field(r->out, label, ',') : TOOL_ERROR;
    }
    return result;
}

static int put_csv(rows *r, answer *const *all, unsigned count)
{
    char text[32];
    int result = put_names(r);
    unsigned i;

    for (i = 0; result == TOOL_OK && i < count; i++)
        result = put_field(r->out, utet_query_name(all[i]->query.operation), i + 1 < count ? ',' : '\n');
    for (; result == TOOL_OK && r->at < all[0]->answer.given; r->at++) {
        result = put_labels(r);
        for (i = 0; result == TOOL_OK && i < count; i++)
            result = put_field(r->out, exact_text(all[i], r->at, text), i + 1 < count ? ',' : '\n');
    }
    return result;
}

rows *rows_begin(answer *a, output *out)
{
    rows *const r = calloc(1, sizeof *r);

    if (r == NULL) {
        (void)fail(a->s->path, NULL, NO_OFFSET, "not enough memory");
        return NULL;
    }
    r->out = out;
    r->of_elements = 1;
    r->ndim = a->plan.dataset.ndim;
    r->shape = a->plan.extents;
    if (places_begin(&r->p, a, 0) == TOOL_OK && put_names(r) == TOOL_OK && put_field(out, r->p.name, '\n') == TOOL_OK)
        return r;
    rows_end(r);
    return NULL;
}

int rows_elements(void *ctx, const uint8_t *data, size_t count)
{
    rows *const r = ctx;
    const utet_dataset *const dataset = &r->p.a->plan.dataset;
    char text[UTET_SHOW_SIZE];
    int result = TOOL_OK;

    for (; result == TOOL_OK && count > 0; count--, data += dataset->elem_size) {
        if (number_text(dataset->dtype, data, text, sizeof text, NULL) != UTET_OK)
            return fail(r->p.a->s->path, "dataset", NO_OFFSET, "unsupported dtype");
        result = put_labels(r);
        if (result == TOOL_OK)
            result = put_field(r->out, text, '\n');
        r->at++;
    }
    return result;
}

void rows_end(rows *r)
{
    if (r != NULL)
        end_labels(r);
    free(r);
}

/* ---- tables ---- */

static int put_table(rows *r, answer *const *all, unsigned count)
{
    char alignment[UTET_MAX_NDIM + TOOL_MOST_ASKS + 1];
    char text[32];
    unsigned d;
    unsigned i;
    table t;

    memset(alignment, 'l', r->ndim);
    memset(alignment + r->ndim, 'r', count);
    alignment[r->ndim + count] = '\0';
    table_begin(&t, alignment);
    table_whole(&t);
    for (d = 0; d < r->ndim; d++) {
        char *const name = places_name(&r->p, d);

        if (name == NULL)
            return fail(r->p.a->s->path, NULL, NO_OFFSET, "not enough memory");
        table_cell(&t, name);
        free(name);
    }
    for (i = 0; i < count; i++)
        table_cell(&t, utet_query_name(all[i]->query.operation));
    for (; r->at < all[0]->answer.given; r->at++) {
        for (d = 0; d < r->ndim; d++) {
            if (label_of_line(r, d) == NULL)
                return TOOL_ERROR;
            table_cell(&t, r->label[d]);
        }
        for (i = 0; i < count; i++)
            table_cell(&t, answer_value(all[i], r->at, text));
    }
    return table_end(&t);
}

int answer_rows(answer *const *all, unsigned count)
{
    answer *const a = all[0];
    rows r = {.ndim = a->answer.ndim, .shape = a->answer.shape};
    output out;
    int result = places_begin(&r.p, a, a->opt->csv ? 0 : MOST_LABEL);

    if (result == TOOL_OK && !a->opt->csv) {
        result = put_table(&r, all, count);
    } else if (result == TOOL_OK) {
        result = output_open(&out, a->opt->output, a->s);
        if (result == TOOL_OK) {
            r.out = &out;
            result = output_close(&out, put_csv(&r, all, count));
        }
    }
    end_labels(&r);
    return result == TOOL_OK ? finish_stdout(TOOL_OK) : result;
}
