/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The speeds of serial devices. */
#ifndef UTET_TOOL_SERVE_H
#define UTET_TOOL_SERVE_H

#include <stdint.h>

/* The number that the system has for a speed in bits per second; returns 0 if it has none. */
int serve_speed(uint64_t speed, unsigned long *number);

#endif
