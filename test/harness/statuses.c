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

static unsigned number(utet_status status)
{
    const int below = UTET_WOULD_BLOCK - (status > UTET_E_PORT ? status : UTET_E_PORT);

    assert_in_range(below, 0, 299);
    return (unsigned)below;
}

void statuses_note(statuses_seen *seen, utet_status status)
{
    seen->is[number(status)] = 1;
}

int statuses_has(const statuses_seen *seen, utet_status status)
{
    return seen->is[number(status)];
}

void statuses_forget(statuses_seen *seen, utet_status status)
{
    seen->is[number(status)] = 0;
}

unsigned statuses_compare(statuses_seen *seen, const char *call, const utet_status *must, size_t most)
{
    unsigned wrong = 0;

    for (size_t i = 0; i < most && must[i] != UTET_OK; i++) {
        if (!statuses_has(seen, must[i])) {
            printf("  %s never returns %s\n", call, rig_status(must[i]));
            wrong++;
        }
        statuses_forget(seen, must[i]);
    }
    statuses_forget(seen, UTET_OK);
    for (size_t i = 0; i < sizeof seen->is; i++)
        if (seen->is[i]) {
            printf("  %s returns %s\n", call, rig_status(UTET_WOULD_BLOCK - (int)i));
            wrong++;
        }
    memset(seen, 0, sizeof *seen);
    return wrong;
}
