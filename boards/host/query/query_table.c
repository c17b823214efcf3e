/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Answers for people: results in rows, the match of axes, the chunks that would be read. */
#include "show/axes.h"
#include "query.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_COLUMNS 10u /* number of results that are printed under their labels */
#define MOST_LABEL 200u  /* columns */

/* The axes of the results. */
typedef struct places {
    answer *a;
    metadata m;
    const tree *about;            /* the dataset's metadata; null: it has none */
    unsigned axis[UTET_MAX_NDIM]; /* dataset axis for each axis of the results */
    struct {
        uint64_t group;
        uint64_t place;   /* its first one in the selection */
    } met[UTET_MAX_NDIM]; /* the group that was asked for last, for each axis of the dataset */
} places;

/* Result i; "-" where it was made of no element. */
static const char *value_text(const answer *a, uint64_t i, char text[32])
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

static int is_windowed(const answer *a, unsigned d)
{
    return a->plan.grouped && a->plan.grouping.window.size != 0 && a->plan.grouping.window.axis == d;
}

static int is_grouped(const answer *a, unsigned d)
{
    return a->plan.grouped && a->plan.grouping.axis[d].groups != 0;
}

static void find_axes(places *p)
{
    const answer *const a = p->a;
    unsigned count = 0;
    unsigned d;

    for (d = 0; d < a->plan.dataset.ndim && count < a->answer.ndim; d++)
        if ((a->plan.request.axes >> d & 1) == 0 || is_windowed(a, d) || is_grouped(a, d))
            p->axis[count++] = d;
    if (a->answer.is_matrix)
        p->axis[1] = p->axis[0]; /* that of the variables, both ways */
}

/* The name of axis i of the results, which the caller frees. */
static char *name_of(const places *p, unsigned i)
{
    return axes_name(p->about, p->axis[i], MOST_LABEL);
}

/* The first index of group k. Groups are numbered in order of appearance, so the search continues from the one
 * before. */
static uint64_t place_of_group(places *p, unsigned d, uint64_t k)
{
    const utet_fold_axis *const map = &p->a->plan.grouping.axis[d];
    uint64_t place = k < p->met[d].group ? 0 : p->met[d].place;

    while (place + 1 < p->a->plan.extents[d] && map->group_of(map->context, place) != k)
        place++;
    p->met[d].group = k;
    p->met[d].place = place;
    return place;
}

/* The label of a selected index of the dataset's axis d. */
static char *label_at(const places *p, unsigned d, uint64_t place)
{
    const utet_query_plan *const plan = &p->a->plan;

    return axes_label(p->about, &plan->dataset, d, plan->ranges[d].start + place * plan->ranges[d].step, MOST_LABEL);
}

/* "Monday to Friday": the first and the last index of window k that are on the axis (utet_fold.h, windows). */
static char *window_label(const places *p, unsigned d, uint64_t k)
{
    const utet_fold_window *const w = &p->a->plan.grouping.window;
    const uint64_t count = p->a->plan.extents[d];
    const int at_end = w->align == UTET_FOLD_ALIGN_END;
    uint64_t step = w->size;
    uint64_t lead = at_end ? (w->size - count % w->size) % w->size : 0; /* indices before the first one */
    uint64_t begin;
    uint64_t end;
    char *first;
    char *last;
    char *both;

    if (w->mode == UTET_FOLD_ROLLING) {
        step = w->step != 0 ? w->step : 1;
        lead = !at_end && w->pad != UTET_FOLD_PAD_NONE ? w->size - 1 : 0;
    }
    begin = k * step < lead ? 0 : k * step - lead;
    end = k * step + w->size - lead < count ? k * step + w->size - lead : count;
    first = label_at(p, d, begin);
    last = label_at(p, d, end - 1);
    if (end - begin == 1 || first == NULL || last == NULL) {
        free(last);
        return first;
    }
    both = malloc(strlen(first) + strlen(last) + 5);
    if (both != NULL)
        (void)sprintf(both, "%s to %s", first, last);
    free(first);
    free(last);
    return both;
}

static char *label_of(places *p, unsigned i, uint64_t k)
{
    const unsigned d = p->axis[i];

    if (is_windowed(p->a, d))
        return window_label(p, d, k);
    return label_at(p, d, is_grouped(p->a, d) ? place_of_group(p, d, k) : k);
}

/* A cell of a text that is freed; no text: no memory. */
static int cell(const places *p, table *t, char *text)
{
    if (text == NULL)
        return fail(p->a->s->path, NULL, NO_OFFSET, "not enough memory");
    table_cell(t, text);
    free(text);
    return TOOL_OK;
}

/* The reduced selection: "sum of a (K), 4 of 6 elements" */
static void put_heading(const places *p, const char *name, size_t length)
{
    const answer *const a = p->a;
    const tree *const units = axes_units(p->about);
    char number[2][32];
    char shape[220];

    printf("%s of ", utet_query_name(a->query.operation));
    put_safely(stdout, name, length);
    if (units != NULL) {
        fputs(" (", stdout);
        put_safely(stdout, units->text, units->length);
        putchar(')');
    }
    if (a->plan.grouping.window.size != 0) /* an element may be in several windows, and in none */
        printf(", %s elements in windows of %s indices", grouped(number[0], a->answer.folded),
               grouped(number[1], a->plan.grouping.window.size));
    else
        printf(", %s of %s elements", grouped(number[0], a->answer.folded), grouped(number[1], a->answer.elements));
    if (a->answer.ndim != 0)
        printf(", %s %s", shape_text(shape, a->answer.shape, a->answer.ndim, ", "),
               a->answer.is_matrix                 ? "variables"
               : a->plan.grouping.window.size != 0 ? "windows"
               : a->plan.group_count != 0          ? "groups"
                                                   : "results");
    putchar('\n');
}

static int put_alignment(const answer *a)
{
    static const char *const reasons[] = {"matches",      "extents differ",      "only one has dim_names",
                                          "names differ", "only one has labels", "labels differ"};
    unsigned i;

    for (i = 0; i < a->plan.align.count; i++)
        printf("axis %u and axis %u, %" PRIu64 " and %" PRIu64 " indices: %s\n", a->plan.align.axis[i],
               a->plan.align.other_axis[i], a->plan.dataset.shape[a->plan.align.axis[i]],
               a->plan.align.other.shape[a->plan.align.other_axis[i]], reasons[a->plan.align.reason[i]]);
    return finish_stdout(TOOL_OK);
}

static int no_dataset(answer *a)
{
    char *name = answer_text(a, &a->query.dataset);
    int result = TOOL_ERROR;
    utet_dataset dataset;
    char spelled[600];

    if (name != NULL && strlen(name) != a->query.dataset.length) {
        spell_zeros(spelled, sizeof spelled, name, a->query.dataset.length);
        result = fail(a->s->path, "dataset", NO_OFFSET, "no dataset named \"%s\"; 'utet info -1 FILE' lists the names",
                      spelled);
    } else if (name != NULL && source_dataset(a->s, name, &dataset) == TOOL_OK) /* else it names the nearest */
        result = fail(a->s->path, "dataset", NO_OFFSET, "no dataset named \"%s\"; 'utet info -1 FILE' lists the names",
                      name);
    free(name);
    return result;
}

/* One axis, or the doubles of a histogram: a line for each. */
static int put_lines(places *p)
{
    const answer *const a = p->a;
    const int labelled = a->answer.ndim == 1;
    char text[32];
    uint64_t i;
    table t;

    table_begin(&t, labelled ? "lr" : "r");
    if (labelled && (cell(p, &t, name_of(p, 0)) != TOOL_OK))
        return TOOL_ERROR;
    if (labelled)
        table_cell(&t, utet_query_name(a->query.operation));
    for (i = 0; i < a->answer.given; i++) {
        if (labelled && cell(p, &t, label_of(p, 0, i)) != TOOL_OK)
            return TOOL_ERROR;
        table_cell(&t, value_text(a, i, text));
    }
    return table_end(&t);
}

/* Several axes: a line for each index of all but the last, or a few columns of that one under their labels. */
static int put_rows(places *p)
{
    const answer *const a = p->a;
    const unsigned last = a->answer.ndim - 1;
    const uint64_t columns = a->answer.shape[last];
    char alignment[UTET_MAX_NDIM + MOST_COLUMNS + 1];
    char text[32];
    uint64_t i;
    unsigned d;
    table t;

    memset(alignment, 'r', sizeof alignment);
    memset(alignment, 'l', last);
    alignment[last + columns] = '\0';
    table_begin(&t, alignment);
    for (d = 0; d < last; d++)
        if (cell(p, &t, name_of(p, d)) != TOOL_OK)
            return TOOL_ERROR;
    for (i = 0; i < columns; i++)
        if (cell(p, &t, label_of(p, last, i)) != TOOL_OK)
            return TOOL_ERROR;
    for (i = 0; i < a->answer.given; i++) {
        uint64_t over = a->answer.given;

        for (d = 0; d < last && i % columns == 0; d++) {
            over /= a->answer.shape[d];
            if (cell(p, &t, label_of(p, d, i / over % a->answer.shape[d])) != TOOL_OK)
                return TOOL_ERROR;
        }
        table_cell(&t, value_text(a, i, text));
    }
    return table_end(&t);
}

/* Many columns, or histograms: a line of numbers for each. */
static int put_numbers(const places *p, uint64_t columns)
{
    const answer *const a = p->a;
    char text[32];
    uint64_t i;

    for (i = 0; i < a->answer.given; i++) {
        fputs(value_text(a, i, text), stdout);
        putchar((i + 1) % columns == 0 ? '\n' : ' ');
    }
    return TOOL_OK;
}

static int put_results(places *p, const char *name, size_t length)
{
    const answer *const a = p->a;
    const int histogram = !a->answer.is_matrix && a->answer.together > 1;
    const uint64_t columns = a->answer.ndim != 0 ? a->answer.shape[a->answer.ndim - 1] : 1;

    p->about = tree_at(&p->m.datasets, name, a->plan.dataset.name_length);
    find_axes(p);
    put_heading(p, name, length);
    if (histogram) {
        puts("smallest edge, largest edge, counts:");
        return put_numbers(p, a->answer.together);
    }
    if (a->answer.ndim < 2)
        return put_lines(p);
    return columns <= MOST_COLUMNS ? put_rows(p) : put_numbers(p, columns);
}

int answer_table(answer *a)
{
    places p = {.a = a};
    char *name;
    int result = TOOL_ERROR;

    if (!a->plan.matched)
        return no_dataset(a);
    if (a->query.has_align)
        return put_alignment(a);
    if (metadata_read(&p.m, a->s) != TOOL_OK)
        return TOOL_ERROR;
    name = source_name(a->s, &a->plan.dataset);
    if (name != NULL)
        result = put_results(&p, name, a->plan.dataset.name_length);
    free(name);
    metadata_end(&p.m);
    return result == TOOL_OK ? finish_stdout(TOOL_OK) : result;
}

static void put_chunk(table *t, const utet_chunk *chunk)
{
    table_number(t, chunk->row);
    table_number(t, chunk->payload_offset);
    table_number(t, chunk->stored_byte_len);
    table_number(t, chunk->raw_byte_len);
    table_cell(t, chunk->codec == 0 ? "raw" : "zstd");
}

int answer_plan(answer *a)
{
    static utet_query_touched touched;
    utet_chunk chunk;
    utet_status status;
    table t;

    if (!a->plan.matched)
        return no_dataset(a);
    table_begin(&t, "rrrrl");
    table_cell(&t, "chunk");
    table_cell(&t, "offset");
    table_cell(&t, "stored");
    table_cell(&t, "raw");
    table_cell(&t, "codec");
    while ((status = utet_query_touched_next(&touched, &a->plan, &chunk)) == UTET_OK)
        if (!utet_query_skipped(&a->skips, &chunk))
            put_chunk(&t, &chunk);
    if (table_end(&t) != TOOL_OK)
        return TOOL_ERROR;
    return finish_stdout(status == UTET_END ? TOOL_OK : source_fail(a->s, status));
}
