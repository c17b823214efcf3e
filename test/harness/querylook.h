/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * An application that answers a query document over a file, for suites and fuzzers. It reads the document and all of
 * its texts, or the message that refuses it; binds it, with no more memory for places than required; takes the answer
 * in batches, and writes the response. Each call must return a status that its header lists, and its results must be
 * within their ranges.
 */
#ifndef TEST_QUERYLOOK_H
#define TEST_QUERYLOOK_H

#include "rig.h"
#include "utet_query.h"

enum { QUERYLOOK_MOST = 3000, QUERYLOOK_WORDS = 6000 };

typedef struct querylook {
    rig *r;              /* has opened the file */
    const utet_io *text; /* medium of the document */
    const char *what;    /* name of the case, for messages */
    int fickle;          /* a medium may fail, or answer the same request differently */
    uint64_t most;       /* maximum number of elements; a query of more is not answered */
    /* Results. A status of 1: that call was not reached. */
    utet_status opened, about, bound, need, answered, written;
    uint8_t words[QUERYLOOK_WORDS]; /* text of the message */
    size_t said;
    uint64_t digest;      /* digest of the query and the plan */
    size_t places;        /* number of places that binding needed */
    uint64_t text_digest; /* digest of the response */
    size_t count;
    double results[QUERYLOOK_MOST];
    utet_query query;
    utet_query_plan plan;
    utet_meta meta;
    utet_query_answer answer;
    utet_query_response response;
} querylook;

/* Runs everything from the document to the response. The caller sets the members up to `most` before. */
void querylook_at(querylook *x);
/* Fails the case unless documents and plans gave the same; compares the bits of the answers if both have one. */
void querylook_compare(const querylook *a, const querylook *b);

#endif
