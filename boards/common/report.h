/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The last lines of a firmware's log: the memory that it took, and the result. Uses board.h and print.h. */
#ifndef REPORT_H
#define REPORT_H

#include "utet.h"

/* `bytes: flash …, static RAM …, including workspace …, stack … of …`, with `workspace` in bytes. */
void report_memory(size_t workspace);

/* `PROGRAM: good`, or `PROGRAM: REASON, offset n`; words: the texts of statuses. Returns main's exit code. */
int report_end(const char *program, utet_status status, const char *words, uint64_t offset);

#endif
