/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Vectors for firmware with interrupts, instead of those of common/start.c, which have none. A handler that the
 * firmware lacks ends it with a message: the three of FreeRTOS' kernel, uart0_handler, timer0_handler and
 * timer1_handler. */
#ifndef INTERRUPTS_H
#define INTERRUPTS_H

/* Numbers of the interrupts of the UART and of the two timers. */
enum { UART0_IRQ = 5, TIMER0_IRQ = 19, TIMER1_IRQ = 21 };

void uart0_handler(void);
void timer0_handler(void);
void timer1_handler(void);

/* FreeRTOSConfig.h counts here how often a task had to wait for another one, and how often the core slept. */
extern volatile unsigned long kernel_waits, kernel_sleeps;

/* From this call on, these vectors are used. */
void interrupts_init(void);

#endif
