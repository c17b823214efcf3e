/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * What the files that write the response share. Internal to the library.
 */
#ifndef UTET_QUERY_RESPONSE_H
#define UTET_QUERY_RESPONSE_H

#include "../fold/fold.h"
#include "query.h"
#include "response_parts.h"

#define RESPONSE_STEP 56u /* maximum size that a step of a part writes, in bytes */

/* priv.state. A part that wants the next piece of results makes it ASKS. */
enum { RESPONSE_NEW, RESPONSE_ASKS, RESPONSE_WRITES, RESPONSE_FLUSHES, RESPONSE_OVER };

/* ---- into the buffer, where there is room (query_response_put.c) ---- */

void utet_response_put(utet_query_response *r, char c);
void utet_response_word(utet_query_response *r, const char *word);
void utet_response_number(utet_query_response *r, uint64_t number);
void utet_response_truth(utet_query_response *r, int truth);
/* Writes a text as JSON has it between quotes. */
void utet_response_escaped(utet_query_response *r, const char *text, size_t length);
/* null where it is not finite */
void utet_response_double(utet_query_response *r, double value);
/* A result that is a whole number, 0 or more. */
void utet_response_whole(utet_query_response *r, double value);

static inline int response_is_finite(uint64_t bits)
{
    return (bits & FOLD_DOUBLE_INF) != FOLD_DOUBLE_INF;
}

static inline const utet_query *response_query(const utet_query_response *r)
{
    return r->plan->priv.query;
}

/* Further state of the call, in the document: only one call at a time uses it. */
static inline utet_query_writing *response_writing(const utet_query_response *r)
{
    return &r->plan->priv.query->shared.of.writing;
}

/* The chunk that is written. */
static inline utet_chunk *response_chunk(const utet_query_response *r)
{
    return &response_writing(r)->chunk;
}

/* ---- elements (query_elements.c) ---- */

struct utet_query_parts {
    const char *execution;                             /* the template of `execution` */
    const char *(*body)(const utet_query_response *r); /* the template of P_EXECUTION_BODY there, without results */
    void (*part)(utet_query_response *r, char letter);
};

/* ---- templates (query_response.c) ---- */

/* The current part is complete. */
void utet_response_done(utet_query_response *r);
/* Another template on top of the one that is being written. */
void utet_response_push(utet_query_response *r, const char *text);

/* How many elements are selected. */
uint64_t utet_response_elements(const utet_query_plan *plan);

/* ---- parts that take several steps: each call does one (query_response_list.c) ---- */

/* One of the names: of a dataset, of a file, of an axis that is compared. */
utet_status utet_response_name(utet_query_response *r, char letter);
/* A text in memory, ended by a 0. */
void utet_response_path(utet_query_response *r, const char *path);
utet_status utet_response_datasets(utet_query_response *r);
/* Counts the chunks, then continues with `text`. */
utet_status utet_response_count_chunks(utet_query_response *r, const char *text);
utet_status utet_response_chunks(utet_query_response *r);
void utet_response_alignment(utet_query_response *r);
void utet_response_axis_number(utet_query_response *r, char letter);
void utet_response_axes(utet_query_response *r);
/* One of these axes. */
utet_status utet_response_axis(utet_query_response *r);
void utet_response_results(utet_query_response *r);
void utet_response_edges(utet_query_response *r);

#endif
