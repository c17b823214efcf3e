/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * The suites that provoke each status the headers list, a case for each pair, named "utet_call STATUS". Run with --list
 * they only print the names: test/tools/suite_status.py compares those with the headers.
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

#endif
