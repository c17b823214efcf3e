/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* See cmocka.h beside this file. */
#include <stddef.h>
#include <stdint.h>

#include "cmocka.h"

jmp_buf foreign_case;
int foreign_verdict;

int _cmocka_run_group_tests(const char *name, const struct CMUnitTest *tests, size_t count, void *setup, void *teardown)
{
    volatile int failed = 0;
    (void)name, (void)setup, (void)teardown;
    for (volatile size_t i = 0; i < count; i++) {
        void *state = tests[i].initial_state;
        foreign_verdict = 0;
        if (setjmp(foreign_case) == 0) {
            if (tests[i].setup_func != NULL && tests[i].setup_func(&state) != 0)
                fail_msg("%s: setup failed", tests[i].name);
            tests[i].test_func(&state);
        }
        if (tests[i].teardown_func != NULL)
            tests[i].teardown_func(&state);
        if (foreign_verdict == 1) {
            printf("[  FAILED  ] %s\n", tests[i].name);
            failed++;
        }
    }
    return failed;
}
