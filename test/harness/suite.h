/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * What every suite shares on top of cmocka: cases are named functions or generated rows, a case may skip itself with a
 * reason, and the program ends with the one line that the build adds up: `N passed, N failed[, N skipped]`.
 * SUITE_ONLY=text in the environment runs the cases whose name contains it; SUITE_FULL=1 chooses the long tier,
 * SUITE_LIGHT=1 the short one.
 */
#ifndef TEST_SUITE_H
#define TEST_SUITE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

/* Runs all cases; returns what main returns. */
int suite_run(const char *name, const struct CMUnitTest *cases, size_t count);
#define SUITE(name, cases) suite_run(name, cases, sizeof(cases) / sizeof((cases)[0]))

/* Ends the case as skipped and prints the reason. */
void suite_skip(const char *reason);
/* 1 in the long tier (make check-full). */
int suite_full(void);
/* 1 where every instruction costs ten or fifty (emulators, valgrind, MemorySanitizer): sweeps are thinned out. */
int suite_light(void);
/* A figure for the log and test/results: printed as `figure: TEXT`. */
void suite_figure(const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 1, 2)))
#endif
    ;
/* As fail(), with a message; prefer it inside loops, where a line number does not help much. */
void suite_fail(const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 1, 2), noreturn))
#endif
    ;
#define suite_check(condition, ...)  \
    do {                             \
        if (!(condition))            \
            suite_fail(__VA_ARGS__); \
    } while (0)

#endif
