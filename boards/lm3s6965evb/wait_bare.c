/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
#include "wait.h"

static volatile int woken;
static unsigned long sleeps;

void wait_prepare(void)
{
    woken = 0;
}

/* Between the test and WFI no handler can run; an interrupt that arrives there still ends WFI, and its handler runs
 * when interrupts are enabled again. */
void wait_sleep(void)
{
    __asm volatile("cpsid i" ::: "memory");
    if (!woken) {
        sleeps++;
        __asm volatile("dsb\n\twfi" ::: "memory");
    }
    __asm volatile("cpsie i\n\tisb" ::: "memory");
}

void wait_wake(void)
{
    woken = 1;
}

unsigned long wait_sleeps(void)
{
    return sleeps;
}

int wait_run(int (*program)(void))
{
    return program();
}
