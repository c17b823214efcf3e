/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* A query document is read, bound and answered, and the response is written. */
#ifndef SIZE_QUERY_CALLS_H
#define SIZE_QUERY_CALLS_H

#include "calls.h"
#include "utet_query.h"

static utet_query query;

/* `options`: the optional keys of documents. */
static inline int use_query(const utet_query_option *const *options)
{
    static utet_file document;
    static uint64_t document_work[UTET_OPEN_WORK(1) / 8];
    static utet_meta meta;
    static utet_query_plan plan;
    static utet_query_answer answer;
    static utet_query_response response;
    static double results[64];
    static char text[UTET_QUERY_RESPONSE_MIN];
    int sum = 0;

    sum |= utet_init(&document, &size_io, document_work, sizeof document_work, NULL);
    sum |= utet_init(&size_file, &size_io, size_work, SIZE_WORK, NULL);
    sum |= utet_open(&size_file, NULL);
    sum |= utet_query_open(&query, &document, options);
    sum |= utet_meta_open(&meta, &size_file);
    sum |= utet_query_bind(&plan, &query, &meta, NULL, 0);
    sum |= utet_query_answer_need(&answer, &plan);
    sum |= utet_query_answer_open(&answer, &plan, 64);
    response.plan = &plan;
    response.answer = &answer;
    response.results = results;
    response.buffer = text;
    response.size = sizeof text;
    return sum | utet_query_respond(&response);
}

#endif
