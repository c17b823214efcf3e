/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* boards/lm3s6965evb/wait_task.c with the usual mistake: a task is resumed before it has suspended itself, and then
 * sleeps forever. The run with it must fail; otherwise the run with wait_task.c proves nothing. */
#define wait_prepare other_prepare
#define wait_sleep other_sleep
#define wait_wake other_wake
#include "../../boards/lm3s6965evb/wait_task.c"
#undef wait_prepare
#undef wait_sleep
#undef wait_wake

static volatile int woken;

void wait_prepare(void);
void wait_sleep(void);
void wait_wake(void);

void wait_prepare(void)
{
    waiting = xTaskGetCurrentTaskHandle();
    woken = 0;
}

void wait_sleep(void)
{
    if (!woken)
        vTaskSuspend(NULL);
}

void wait_wake(void)
{
    woken = 1;
    portYIELD_FROM_ISR(xTaskResumeFromISR(waiting));
}
