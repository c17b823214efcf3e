/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The board's display: SSD0323, 128 x 64 pixels, 16 greys. Relies on spi.h. There is no frame buffer: rectangles go
 * straight to the display's own memory, two pixels a byte (left one in the high half). */
#ifndef OLED_H
#define OLED_H

#include <stdint.h>

#define OLED_WIDTH 128u
#define OLED_HEIGHT 64u

/* Wakes the display and clears it. After spi_init. */
void oled_init(void);

/* The next width * height pixels fill this rectangle row by row; left and width are even. */
void oled_window(unsigned left, unsigned top, unsigned width, unsigned height);
/* Writes `count` (even) grey values of 0..15, one per byte, into the rectangle. */
void oled_greys(const uint8_t *greys, unsigned count);

#endif
