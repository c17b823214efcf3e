/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* See golden_cases.h. */
#include "golden_cases.h"

#include <stdlib.h>
#include <string.h>

int golden_run(const char *suite, const struct CMUnitTest *fixed, size_t fixed_count, CMUnitTestFunction each,
               int (*wanted)(const golden_file *f), size_t *files)
{
    golden_list list = golden_load();
    struct CMUnitTest *cases = calloc(fixed_count + list.count, sizeof *cases);
    size_t n = 0;
    int result;

    if (cases == NULL)
        return 3;
    while (n < fixed_count) {
        cases[n] = fixed[n];
        n++;
    }
    for (size_t i = 0; i < list.count; i++)
        if (wanted(&list.files[i]))
            cases[n++] = (struct CMUnitTest){list.files[i].name, each, NULL, NULL, &list.files[i]};
    if (files != NULL)
        *files = n - fixed_count;
    result = suite_run(suite, cases, n);
    free(cases);
    golden_free(&list);
    return result;
}

int golden_has_tensors(const golden_file *f)
{
    return f->good && golden_line_of(f, "dense") != NULL && strncmp(f->where, "golden", 6) == 0 &&
           f->size <= (suite_light() ? 8000u : 400000u);
}
