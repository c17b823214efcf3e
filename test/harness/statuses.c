/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
#include "statuses.h"

#include "rig.h"

#include <stdio.h>
#include <string.h>

void statuses_case(struct CMUnitTest *test, char name[STATUSES_NAME], const char *call, utet_status status,
                   CMUnitTestFunction run, void *row)
{
    snprintf(name, STATUSES_NAME, "%s %s", call, status == UTET_E_PORT ? "E_PORT" : rig_status(status));
    *test = (struct CMUnitTest){name, run, NULL, NULL, row};
}

int statuses_run(const char *suite, const struct CMUnitTest *cases, size_t count, int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "--list") == 0) {
        for (size_t i = 0; i < count; i++)
            puts(cases[i].name);
        return 0;
    }
    return suite_run(suite, cases, count);
}
