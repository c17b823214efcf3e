/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Answers for people: results in rows, the match of axes, the chunks that would be read. */
#include "query.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void put_value(double value)
{
    char text[32];

    if (fabs(value) < 1e15 && value == floor(value))
        (void)snprintf(text, sizeof text, "%.0f", value);
    else
        (void)snprintf(text, sizeof text, "%.12g", value);
    fputs(text, stdout);
}

/* What has been reduced: "sum of a, 4 of 6 elements" */
static int put_heading(answer *a)
{
    char number[2][32];
    char shape[220];
    char *name = answer_text(a, &a->query.dataset);

    if (name == NULL)
        return TOOL_ERROR;
    printf("%s of ", utet_query_name(a->query.operation));
    put_safely(stdout, name, strlen(name));
    free(name);
    printf(", %s of %s elements", grouped(number[0], a->answer.folded), grouped(number[1], a->answer.elements));
    if (a->answer.ndim != 0)
        printf(", %s %s", shape_text(shape, a->answer.shape, a->answer.ndim, ", "),
               a->plan.grouping.window.size != 0 ? "windows"
               : a->plan.group_count != 0        ? "groups"
                                                 : "results");
    putchar('\n');
    return TOOL_OK;
}

static int put_alignment(const answer *a)
{
    static const char *const reasons[] = {"matches",      "extents differ",      "only one has dim_names",
                                          "names differ", "only one has labels", "labels differ"};
    unsigned i;

    for (i = 0; i < a->plan.align.count; i++)
        printf("axis %u and axis %u, %" PRIu64 " and %" PRIu64 " places: %s\n", a->plan.align.axis[i],
               a->plan.align.other_axis[i], a->plan.dataset.shape[a->plan.align.axis[i]],
               a->plan.align.other.shape[a->plan.align.other_axis[i]], reasons[a->plan.align.reason[i]]);
    return finish_stdout(TOOL_OK);
}

static int no_dataset(answer *a)
{
    char *name = answer_text(a, &a->query.dataset);
    int result = TOOL_ERROR;

    if (name != NULL)
        result = fail(a->s->path, "dataset", NO_OFFSET, "none is called \"%s\" (utet info lists them)", name);
    free(name);
    return result;
}

int answer_table(answer *a)
{
    const int histogram = !a->answer.is_matrix && a->answer.together > 1;
    const uint64_t columns = histogram             ? a->answer.together
                             : a->answer.ndim != 0 ? a->answer.shape[a->answer.ndim - 1]
                                                   : 1;
    size_t i;

    if (!a->plan.matched)
        return no_dataset(a);
    if (a->query.has_align)
        return put_alignment(a);
    if (put_heading(a) != TOOL_OK)
        return TOOL_ERROR;
    if (histogram)
        puts("least edge, greatest edge, counts:");
    for (i = 0; i < a->answer.given; i++) {
        put_value(a->results[i]);
        putchar((i + 1) % columns == 0 ? '\n' : ' ');
    }
    return finish_stdout(TOOL_OK);
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
        put_chunk(&t, &chunk);
    if (table_end(&t) != TOOL_OK)
        return TOOL_ERROR;
    return finish_stdout(status == UTET_END ? TOOL_OK : source_fail(a->s, status));
}
