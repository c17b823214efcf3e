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
    utet_fold fold;
    uint32_t *places;
    double *results;
    size_t values;                 /* doubles of a result: 1, but for histograms */
    uint64_t shape[UTET_MAX_NDIM]; /* of the results */
    unsigned ndim;
    uint64_t elements; /* selected */
} answer;

/* Chunks that the selection touches, along an axis: the number of the next one from `tile` on; UINT64_MAX: none. */
uint64_t answer_tile(const answer *a, unsigned axis, uint64_t tile);

/* query_json.c: the reference's response. */
int answer_json(answer *a);
/* query_table.c: the same for people, and the chunks. */
int answer_table(answer *a);
int answer_plan(answer *a);
/* Calls `each` for every chunk touched, row-major. */
int answer_chunks(answer *a, int (*each)(void *context, const utet_chunk *chunk), void *context);
/* A text of the document, to be freed; null after an error line. */
char *answer_text(answer *a, const utet_query_text_at *text);

#endif
