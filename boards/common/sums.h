/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Digests of an open file's datasets, for firmware that shows that it reads every byte correctly. Relies on board.h and
 * print.h. */
#ifndef SUMS_H
#define SUMS_H

#include "utet.h"

/* Reads every dataset of `file` whole into the RAM of board_spare, and prints a line for each: the SHA-256 of its dense
 * bytes, `name`, and its number, as in test/golden/demo/digests.txt. Calls `wait` whenever the library returns
 * UTET_WOULD_BLOCK; NULL if the port never does. Returns UTET_OK after the last dataset, or the status of the call
 * that failed. */
utet_status sums_print(utet_file *file, const char *name, void (*wait)(void));

/* Prints one such line, for the `bytes` bytes at `dense`, which are dataset `number`. */
void sums_line(const uint8_t *dense, size_t bytes, const char *name, uint32_t number);

#endif
