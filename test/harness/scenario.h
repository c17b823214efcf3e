/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * The ways in which an application uses the library, as small programs over a rig: open, list, find, chunk, stream,
 * slab. Each leaves a transcript (a digest of every status, value and byte that the application saw, in order) and the
 * first error it met. Fault, damage and truncation suites and the fuzzers run them against each other.
 */
#ifndef TEST_SCENARIO_H
#define TEST_SCENARIO_H

#include "rig.h"

typedef struct scenario_run {
    rig *r;
    uint64_t transcript;
    utet_status stop;  /* UTET_OK, or the error that ended it */
    const char *where; /* the call that returned `stop` */
    int fickle;        /* set before the run: the medium may answer differently each time, so answers need not agree */
} scenario_run;

typedef struct scenario {
    const char *name;
    void (*run)(scenario_run *x); /* on an open file */
} scenario;

enum { SCENARIO_OPEN, SCENARIO_LIST, SCENARIO_FIND, SCENARIO_CHUNK, SCENARIO_STREAM, SCENARIO_SLAB, SCENARIOS };
extern const scenario scenarios[SCENARIOS];

/* Opens the file, then runs the scenario. The rig has been started. Reads x->fickle, and sets the other members. */
void scenario_from_open(scenario_run *x, rig *r, const scenario *s);
/* Runs the scenario alone, on a file that is open. */
void scenario_again(scenario_run *x, rig *r, const scenario *s);

#endif
