/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Settings and figures of medium.c, the time of a flash in the emulator. Relies on nothing. */
#ifndef MEDIUM_H
#define MEDIUM_H

#include <stdint.h>

extern uint32_t medium_ticks; /* time of a byte, in ticks of 5 ns: 64 at 25 MHz; 0: a flash that takes no time */
extern uint32_t medium_bytes; /* bytes of all transfers, with the command and the address of each */

/* 0: the port may keep the bytes of a transfer until the library requests them. */
extern int medium_has_deadline;

/* Called when a transfer starts (1), and as the last action of the interrupt handler when it has ended (0): then it may
 * start the next one. May be NULL. */
extern void (*medium_notice)(int busy);

#endif
