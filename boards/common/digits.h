/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The source of the weights for digits.c. One of these files is linked: digits_flash.c, rp2040/digits_card.c. */
#ifndef DIGITS_H
#define DIGITS_H

#include "utet.h"

/* Opens the file with the weights; *work: bytes of the workspace. */
utet_status digits_open(utet_file *file, size_t *work);

/* Looks at the clock: a slow medium calls it at each read, or the clock would run around unseen. */
void digits_tick(void);

/* A line for each status. */
const char *digits_words(utet_status status);

#endif
