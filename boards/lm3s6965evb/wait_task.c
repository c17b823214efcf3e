/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
#include "wait.h"

#include "board.h"
#include "print.h"

#include "FreeRTOS.h"
#include "task.h"

#define STACK_WORDS 600u

static TaskHandle_t waiting;
static StackType_t stack[STACK_WORDS];
static StaticTask_t task;

void wait_prepare(void)
{
    waiting = xTaskGetCurrentTaskHandle();
    (void)ulTaskNotifyTake(pdTRUE, 0);
}

/* A notification is counted, so one that arrives before this call is not lost. While no task can run, the kernel puts
 * the core to sleep (configUSE_TICKLESS_IDLE). */
void wait_sleep(void)
{
    (void)ulTaskNotifyTake(pdTRUE, portMAX_DELAY);
}

void wait_wake(void)
{
    BaseType_t switch_now = pdFALSE;

    vTaskNotifyGiveFromISR(waiting, &switch_now);
    portYIELD_FROM_ISR(switch_now);
}

unsigned long wait_sleeps(void)
{
    return kernel_sleeps;
}

void vApplicationStackOverflowHook(TaskHandle_t which, char *name)
{
    (void)which;
    print_text(name);
    print_text(": its stack is too small\n");
    board_exit(1);
}

static int (*job)(void);

static void run_task(void *nothing)
{
    (void)nothing;
    board_exit(job());
}

int wait_run(int (*program)(void))
{
    job = program;
    (void)xTaskCreateStatic(run_task, "reader", STACK_WORDS, NULL, 1, stack, &task);
    vTaskStartScheduler();
    return 1;
}
