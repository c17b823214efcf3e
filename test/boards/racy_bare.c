/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* boards/lm3s6965evb/wait_bare.c with the usual mistake: an interrupt between the test and WFI is missed. The run with
 * it must fail; otherwise the run with wait_bare.c proves nothing. */
#include "wait.h"

static volatile int woken;

void wait_prepare(void)
{
    woken = 0;
}

void wait_sleep(void)
{
    if (!woken)
        __asm volatile("dsb\n\twfi" ::: "memory");
}

void wait_wake(void)
{
    woken = 1;
}

unsigned long wait_sleeps(void)
{
    return 0;
}

int wait_run(int (*program)(void))
{
    return program();
}
