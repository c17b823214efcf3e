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
    const char *what; /* said when something is wrong */
    int fickle;       /* the medium may fail, or answer the same request differently */
    unsigned items;   /* most that are looked at of a list, */
    unsigned events;  /* of the history, */
    uint64_t calls;   /* and most calls that give something */
    utet_meta meta;
    uint64_t digest;
    uint64_t errors; /* statuses below 0 */
    guard piece;     /* of texts: they end at a wall */
} metalook;

/* Looks at all of an open file's metadata; up to here, x->meta and what follows are zero. */
void metalook_at(metalook *x);

#endif
