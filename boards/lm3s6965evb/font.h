/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Small letters for the display: 3 x 5 pixels and a row for descenders, in cells of 4 x 6. Only ASCII. Uses oled.h. */
#ifndef FONT_H
#define FONT_H

#include <stddef.h>

#define FONT_WIDTH 4u /* size of a character cell, the gap to the next one included */
#define FONT_HEIGHT 6u

/* Pixels that `length` bytes of UTF-8 are wide. */
unsigned font_width(const char *text, size_t length);

/* Draws them from (left, top) on, `left` even, on black. Each character that is not ASCII becomes one '?'. */
void font_draw(unsigned left, unsigned top, const char *text, size_t length);

#endif
