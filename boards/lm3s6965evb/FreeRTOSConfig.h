/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* FreeRTOS for tasks.c and wait_task.c: preemption every millisecond, mutexes, notifications, no heap, stacks checked
 * at each switch, and a core that sleeps while no task can run. The kernel prescribes the names. */
#ifndef FREERTOS_CONFIG_H
#define FREERTOS_CONFIG_H

#define configCPU_CLOCK_HZ 12000000
#define configTICK_RATE_HZ 1000
#define configTICK_TYPE_WIDTH_IN_BITS TICK_TYPE_WIDTH_32_BITS
#define configUSE_PREEMPTION 1
#define configUSE_TIME_SLICING 1
#define configUSE_IDLE_HOOK 0
#define configUSE_TICKLESS_IDLE 1
#define configUSE_TICK_HOOK 0
#define configUSE_TIMERS 0
#define configUSE_MUTEXES 1
#define configMAX_PRIORITIES 2
#define configMAX_TASK_NAME_LEN 8
#define configMINIMAL_STACK_SIZE 64
#define configSUPPORT_STATIC_ALLOCATION 1
#define configSUPPORT_DYNAMIC_ALLOCATION 0
#define configKERNEL_PROVIDED_STATIC_MEMORY 1
#define configCHECK_FOR_STACK_OVERFLOW 2
#define INCLUDE_vTaskSuspend 1
#define INCLUDE_uxTaskGetStackHighWaterMark 1

/* Priorities are the upper three bits of a byte; the kernel has the lowest one. */
#define configPRIO_BITS 3
#define configKERNEL_INTERRUPT_PRIORITY (7 << 5)
#define configMAX_SYSCALL_INTERRUPT_PRIORITY (2 << 5)

#include "interrupts.h"
#define traceBLOCKING_ON_QUEUE_RECEIVE(queue) (kernel_waits++)
#define configPRE_SLEEP_PROCESSING(ticks) (kernel_sleeps++)

#endif
