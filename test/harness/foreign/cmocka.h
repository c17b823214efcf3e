/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * As much of cmocka's interface as the suites use, for targets where the library is not at hand: foreign architectures
 * under an emulator, and MemorySanitizer, which wants everything instrumented. Same names, same meaning, no signals
 * caught. The host's suites use the real one.
 */
#ifndef TEST_FOREIGN_CMOCKA_H
#define TEST_FOREIGN_CMOCKA_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef void (*CMUnitTestFunction)(void **state);

struct CMUnitTest {
    const char *name;
    CMUnitTestFunction test_func;
    int (*setup_func)(void **state);
    int (*teardown_func)(void **state);
    void *initial_state;
};

#define cmocka_unit_test(f)     \
    {                           \
#f, f, NULL, NULL, NULL \
    }
#define cmocka_unit_test_setup(f, setup) \
    {                                    \
#f, f, setup, NULL, NULL         \
    }
#define cmocka_unit_test_setup_teardown(f, setup, teardown) \
    {                                                       \
#f, f, setup, teardown, NULL                        \
    }
#define CM_OUTPUT_STDOUT 0
#define cmocka_set_message_output(kind) ((void)(kind))

extern jmp_buf foreign_case;
extern int foreign_verdict; /* 1 failed, 2 skipped */

#define foreign_leave(verdict) (foreign_verdict = (verdict), longjmp(foreign_case, 1))
#define skip() foreign_leave(2)
#define fail_msg(...) (printf(__VA_ARGS__), putchar('\n'), foreign_leave(1))
#define fail() fail_msg("%s:%d: failed", __FILE__, __LINE__)
#define assert_true(c) ((c) ? (void)0 : fail_msg("%s:%d: %s", __FILE__, __LINE__, #c))
#define assert_false(c) assert_true(!(c))
#define assert_non_null(p) assert_true((p) != NULL)
#define assert_null(p) assert_true((p) == NULL)
#define assert_int_equal(a, b)                                                                             \
    do {                                                                                                   \
        long long foreign_is_ = (long long)(a), foreign_wanted_ = (long long)(b);                          \
        if (foreign_is_ != foreign_wanted_)                                                                \
            fail_msg("%s:%d: %s is %lld, not %lld", __FILE__, __LINE__, #a, foreign_is_, foreign_wanted_); \
    } while (0)
#define assert_in_range(v, low, high) assert_true((v) >= (low) && (v) <= (high))
#define assert_int_not_equal(a, b) assert_true((long long)(a) != (long long)(b))
#define assert_ptr_equal(a, b) assert_true((const void *)(a) == (const void *)(b))
#define assert_memory_not_equal(a, b, n) assert_true(memcmp(a, b, n) != 0)
#define assert_string_not_equal(a, b) assert_true(strcmp(a, b) != 0)
#define assert_memory_equal(a, b, n) assert_true(memcmp(a, b, n) == 0)
#define assert_string_equal(a, b) assert_true(strcmp(a, b) == 0)

int _cmocka_run_group_tests(const char *name, const struct CMUnitTest *tests, size_t count, void *setup,
                            void *teardown);

#endif
