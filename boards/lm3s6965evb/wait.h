/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* How wait.c waits for an interrupt: wait_bare.c without an operating system, wait_task.c as a task of FreeRTOS. In
 * both the core sleeps meanwhile, and an interrupt that comes before the sleep begins ends it at once. */
#ifndef WAIT_H
#define WAIT_H

/* Call before the transfer begins: earlier wake-ups are forgotten. */
void wait_prepare(void);

/* Sleeps until wait_wake has been called since wait_prepare; it may return earlier. */
void wait_sleep(void);

/* The interrupt handler calls this function after it has recorded the result. */
void wait_wake(void);

/* Returns how often the core has slept. */
unsigned long wait_sleeps(void);

/* Runs `program`, and returns its result. */
int wait_run(int (*program)(void));

#endif
