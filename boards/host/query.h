/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* utet query: what its files share. */
#ifndef UTET_TOOL_QUERY_H
#define UTET_TOOL_QUERY_H

#include "tool.h"
#include "utet_query.h"

typedef struct answer {
    source *s;
    const options *opt;
    uint8_t *text; /* of the document */
    utet_io text_io;
    utet_file document;
    utet_query query;
    utet_meta meta;
    utet_query_plan plan;
    utet_query_answer answer;
    uint32_t *places;
    double *results;
    size_t room; /* of results */
    utet_query_skips skips;
} answer;

/* query_json.c: the reference's response; `execution`, when it is not null, is put in behind the plan. */
int answer_json(answer *a, int reduces, const char *execution);
/* query_dense.c: what has the shape of the selection: a document without a reduction, or a transform. */
int answer_dense(answer *a);
/* query_table.c: the same for people, and the chunks. */
int answer_table(answer *a);
int answer_plan(answer *a);
/* A text of the document, to be freed; null after an error line. */
char *answer_text(answer *a, const utet_query_text_at *text);
/* As f64 elements are stored. */
void answer_bytes(double value, uint8_t bytes[8]);

#endif
