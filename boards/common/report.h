/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The last lines of a firmware's log: the memory that it took, and whether all went well. Relies on board.h, print.h.
 */
#ifndef REPORT_H
#define REPORT_H

#include "utet.h"

/* `bytes: flash …, static RAM …, including workspace …, stack … of …`, with `workspace` in bytes. */
void report_memory(size_t workspace);

/* `PROGRAM: good`, or `PROGRAM: what went wrong, offset n`; words: for the status. Returns main's exit code. */
int report_end(const char *program, utet_status status, const char *words, uint64_t offset);

#endif
