/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * An application that answers a query document over a file, for suites and fuzzers: reads the document and all of its
 * texts, or the words that refuse it; binds it, with no more memory for places than is asked for; takes the answer in
 * pieces, and writes the response. Each call has to give a status that its header lists, and what it gives must be
 * inside its ranges.
 */
#ifndef TEST_QUERYLOOK_H
#define TEST_QUERYLOOK_H

#include "rig.h"
#include "utet_query.h"

enum { QUERYLOOK_MOST = 3000, QUERYLOOK_WORDS = 6000 };

typedef struct querylook {
    rig *r;              /* the file, open, */
    const utet_io *text; /* and the document's medium */
    const char *what;    /* said when something is wrong */
    int fickle;          /* a medium may fail, or answer the same request differently */
    uint64_t most;       /* elements that are reckoned with; of more there is no answer */
    /* What came out; not touched: 1. */
    utet_status opened, about, bound, need, answered, written;
    uint8_t words[QUERYLOOK_WORDS]; /* of the message */
    size_t said;
    uint64_t digest;      /* of the query and the plan */
    size_t places;        /* that binding wanted */
    uint64_t text_digest; /* of the response */
    size_t count;
    double results[QUERYLOOK_MOST];
    utet_query query;
    utet_query_plan plan;
    utet_meta meta;
    utet_query_answer answer;
    utet_query_response response;
} querylook;

/* From the document to the answer; up to `most` the caller has filled in. */
void querylook_at(querylook *x);
/* Whether both have the same of the document and the plan; the answers' bits are compared where both have one. */
void querylook_compare(const querylook *a, const querylook *b);

#endif
