/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* A message on the display if there is no picture. Each drawn text is logged, as by line.h. Relies on line.h. */
#ifndef NOTICE_H
#define NOTICE_H

#include <stdint.h>

#define NOTICE_ROWS 10u /* of text */

/* Clears the display and draws a title with a text below it, broken at blanks. */
void notice_show(const char *title, const char *words);

/* The same, with the offset in the file where the fault is, below the text. */
void notice_fault(const char *title, const char *words, uint64_t offset);

#endif
