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
/* Runs the cases; returns the result for main. */
int statuses_run(const char *suite, const struct CMUnitTest *cases, size_t count, int argc, char **argv);

/* The statuses that a call has returned. All zero: none so far. */
typedef struct statuses_seen {
    uint8_t is[300]; /* by their number below UTET_WOULD_BLOCK */
} statuses_seen;

/* Notes a status. All statuses of a port's own count as one, UTET_E_PORT. */
void statuses_note(statuses_seen *seen, utet_status status);
int statuses_has(const statuses_seen *seen, utet_status status);
void statuses_forget(statuses_seen *seen, utet_status status);
/* Compares what was seen with `must`, a list of at most `most` statuses that ends at UTET_OK. Prints each status that
 * is missing, and each further one except UTET_OK; returns their number. Forgets all that was seen. */
unsigned statuses_compare(statuses_seen *seen, const char *call, const utet_status *must, size_t most);

#endif
