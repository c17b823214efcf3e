/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Answers for people: results in rows, the match of axes, the chunks that would be read. */
#include "query_places.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MOST_COLUMNS 10u /* number of results that are printed under their labels */

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
    if (a->plan.by.grouping.window.size != 0) /* an element may be in several windows, and in none */
        printf(", %s elements in windows of %s indices", grouped(number[0], a->answer.folded),
               grouped(number[1], a->plan.by.grouping.window.size));
    else
        printf(", %s of %s elements", grouped(number[0], a->answer.folded), grouped(number[1], a->answer.elements));
    if (a->answer.ndim != 0)
        printf(", %s %s", shape_text(shape, a->answer.shape, a->answer.ndim, ", "),
               a->answer.is_matrix                    ? "variables"
               : a->plan.by.grouping.window.size != 0 ? "windows"
               : a->plan.group_count != 0             ? "groups"
                                                      : "results");
    putchar('\n');
}

static int put_alignment(const answer *a)
{
    static const char *const reasons[] = {"matches",      "extents differ",      "only one has dim_names",
                                          "names differ", "only one has labels", "labels differ"};
    unsigned i;

    for (i = 0; i < a->plan.by.align.count; i++)
        printf("axis %u and axis %u, %" PRIu64 " and %" PRIu64 " indices: %s\n", a->plan.by.align.axis[i],
               a->plan.by.align.other_axis[i], a->plan.dataset.shape[a->plan.by.align.axis[i]],
               a->plan.by.align.other.shape[a->plan.by.align.other_axis[i]], reasons[a->plan.by.align.reason[i]]);
    return finish_stdout(TOOL_OK);
}

int answer_no_dataset(answer *a)
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
    table_whole(&t);
    if (labelled && (cell(p, &t, places_name(p, 0)) != TOOL_OK))
        return TOOL_ERROR;
    if (labelled)
        table_cell(&t, utet_query_name(a->query.operation));
    for (i = 0; i < a->answer.given; i++) {
        if (labelled && cell(p, &t, places_label(p, 0, i)) != TOOL_OK)
            return TOOL_ERROR;
        table_cell(&t, answer_value(a, i, text));
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
    table_whole(&t);
    for (d = 0; d < last; d++)
        if (cell(p, &t, places_name(p, d)) != TOOL_OK)
            return TOOL_ERROR;
    for (i = 0; i < columns; i++)
        if (cell(p, &t, places_label(p, last, i)) != TOOL_OK)
            return TOOL_ERROR;
    for (i = 0; i < a->answer.given; i++) {
        uint64_t over = a->answer.given;

        for (d = 0; d < last && i % columns == 0; d++) {
            over /= a->answer.shape[d];
            if (cell(p, &t, places_label(p, d, i / over % a->answer.shape[d])) != TOOL_OK)
                return TOOL_ERROR;
        }
        table_cell(&t, answer_value(a, i, text));
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
        fputs(answer_value(a, i, text), stdout);
        putchar((i + 1) % columns == 0 ? '\n' : ' ');
    }
    return TOOL_OK;
}

static int put_results(places *p, const char *name, size_t length)
{
    const answer *const a = p->a;
    const int histogram = !a->answer.is_matrix && a->answer.together > 1;
    const uint64_t columns = a->answer.ndim != 0 ? a->answer.shape[a->answer.ndim - 1] : 1;

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
    places p;
    int result;

    if (!a->plan.matched)
        return answer_no_dataset(a);
    if (a->query.has_align)
        return put_alignment(a);
    result = places_begin(&p, a, MOST_LABEL);
    if (result == TOOL_OK)
        result = put_results(&p, p.name, a->plan.dataset.name_length);
    places_end(&p);
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
        return answer_no_dataset(a);
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
