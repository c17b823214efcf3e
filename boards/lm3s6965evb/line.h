/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* One line of text for the display: composed of parts, truncated when it is full, then drawn. Each drawn line is
 * also logged, as `label X,Y TEXT`, so a host can compare it. Uses font.h, oled.h and print.h. */
#ifndef LINE_H
#define LINE_H

#include "font.h"
#include "oled.h"

#include <stddef.h>
#include <stdint.h>

/* The line. Other code appends text after the first `length` bytes and adds its length. */
extern struct line {
    char text[OLED_WIDTH / FONT_WIDTH];
    size_t length;
} line;

/* Number of free bytes after the first `length`. */
size_t line_room(void);
void line_add_text(const char *text);
void line_add_unsigned(uint64_t value);
void line_add_number(int32_t value);
/* The width of the line in pixels. */
unsigned line_width(void);
/* Draws the line with its upper left corner there, logs it and empties it. */
void line_draw(unsigned left, unsigned top);

#endif
