/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The results of the calls around those that are measured. Uses print.h. */
#include "bench.h"

#include "print.h"

int bench_failed;

void bench_check(int status, const char *what)
{
    if (status == 0)
        return;
    print_text("FAIL\t");
    print_text(what);
    print_char('\t');
    print_i64(status);
    print_char('\n');
    bench_failed = 1;
}
