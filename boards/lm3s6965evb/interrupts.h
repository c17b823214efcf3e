/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Vectors for firmware with interrupts, instead of those of common/start.c, which have none. A handler that the
 * firmware lacks ends it with a message: the three of FreeRTOS' kernel, and timer0_handler and timer1_handler. */
#ifndef INTERRUPTS_H
#define INTERRUPTS_H

/* Numbers of the two timers' interrupts. */
enum { TIMER0_IRQ = 19, TIMER1_IRQ = 21 };

void timer0_handler(void);
void timer1_handler(void);

/* FreeRTOSConfig.h counts here how often a task had to wait for another one, and how often the core slept. */
extern volatile unsigned long kernel_waits, kernel_sleeps;

/* From this call on, these vectors are used. */
void interrupts_init(void);

#endif
