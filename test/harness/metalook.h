/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * An application that looks at all metadata of a file, for suites and fuzzers: history, names, labels, attributes, zone
 * maps, indexes. It keeps a digest of what it saw, statuses and places of faults included. Each call has to give a
 * value or a status that its header names, and lists and texts no more than their size says.
 */
#ifndef TEST_METALOOK_H
#define TEST_METALOOK_H

#include "rig.h"
#include "utet_meta.h"

typedef struct metalook {
    rig *r;
    const char *what; /* name of the case, for messages */
    int fickle;       /* the medium may fail, or answer the same request differently */
    unsigned items;   /* maximum number of items to look at in a list */
    unsigned events;  /* maximum number of events to look at in the history */
    uint64_t calls;   /* maximum number of calls that deliver something */
    utet_meta meta;
    uint64_t digest;
    uint64_t errors; /* number of statuses below 0 */
    guard piece;     /* buffer for parts of texts; it ends at an unmapped page */
} metalook;

/* Looks at all metadata of an open file. Before the call, x->meta and the members after it are zero. */
void metalook_at(metalook *x);

#endif
