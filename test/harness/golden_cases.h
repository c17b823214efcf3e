/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* A suite with one case for each of some golden files. */
#ifndef TEST_GOLDEN_CASES_H
#define TEST_GOLDEN_CASES_H

#include "golden_list.h"
#include "suite.h"

/* Runs `fixed`, then a case `each` for every file that `wanted` chooses; it has the file's name, and a golden_file as
 * its state. *files (may be null): how many files there were. Returns what main returns. */
int golden_run(const char *suite, const struct CMUnitTest *fixed, size_t fixed_count, CMUnitTestFunction each,
               int (*wanted)(const golden_file *f), size_t *files);
/* For `wanted`: the good files of this project that hold tensors; in the short tier only small ones. */
int golden_has_tensors(const golden_file *f);

#endif
