/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* See suite.h. Skips are counted here, because cmocka does not tell how many cases skipped themselves. */
#include "suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t skipped;
static const char *suite_name;

int suite_full(void)
{
    const char *full = getenv("SUITE_FULL");
    return full != NULL && full[0] == '1';
}

int suite_light(void)
{
    const char *light = getenv("SUITE_LIGHT");
    return light != NULL && light[0] == '1';
}

void suite_skip(const char *reason)
{
    skipped++;
    printf("skipped: %s\n", reason);
    skip();
}

void suite_figure(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    printf("figure: %s: ", suite_name);
    vprintf(format, args);
    putchar('\n');
    va_end(args);
}

void suite_fail(const char *format, ...)
{
    char text[600];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    fail_msg("%s", text);
    abort(); /* not reached: cmocka jumps out of the case */
}

int suite_run(const char *name, const struct CMUnitTest *cases, size_t count)
{
    const char *only = getenv("SUITE_ONLY");
    struct CMUnitTest *chosen = calloc(count + 1, sizeof *chosen);
    size_t n = 0;
    if (chosen == NULL)
        return 3;
    suite_name = name;
    for (size_t i = 0; i < count; i++)
        if (only == NULL || strstr(cases[i].name, only) != NULL)
            chosen[n++] = cases[i];
    setvbuf(stdout, NULL, _IOLBF, 0);
    cmocka_set_message_output(CM_OUTPUT_STDOUT);
    int failed = n == 0 ? 0 : _cmocka_run_group_tests(name, chosen, n, NULL, NULL);
    free(chosen);
    if (failed < 0)
        failed = (int)n;
    printf("%zu passed, %d failed", n - (size_t)failed - skipped, failed);
    if (skipped > 0)
        printf(", %zu skipped", skipped);
    putchar('\n');
    return failed != 0;
}
