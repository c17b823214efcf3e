/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * The suites that provoke each status the headers list: either a case for each pair, named "utet_call STATUS" (run with
 * --list they only print the names: test/tools/suite_status.py compares those with the headers), or a row of statuses
 * for each call, compared with all that it returned.
 */
#ifndef TEST_STATUSES_H
#define TEST_STATUSES_H

#include "suite.h"
#include "utet.h"

enum { STATUSES_NAME = 64 };

/* Makes *test the case of this pair; `name` gets its name. */
void statuses_case(struct CMUnitTest *test, char name[STATUSES_NAME], const char *call, utet_status status,
                   CMUnitTestFunction run, void *row);
/* What main returns. */
int statuses_run(const char *suite, const struct CMUnitTest *cases, size_t count, int argc, char **argv);

/* The statuses that a call has returned; at first none: all zero. */
typedef struct statuses_seen {
    uint8_t is[300]; /* by their number below UTET_WOULD_BLOCK */
} statuses_seen;

/* All of a port's own are one, UTET_E_PORT. */
void statuses_note(statuses_seen *seen, utet_status status);
int statuses_has(const statuses_seen *seen, utet_status status);
void statuses_forget(statuses_seen *seen, utet_status status);
/* How many of `must` (at most `most`, UTET_OK ends them) were never seen, and how many others were, UTET_OK aside; says
 * which. Nothing is seen any more. */
unsigned statuses_compare(statuses_seen *seen, const char *call, const utet_status *must, size_t most);

#endif
