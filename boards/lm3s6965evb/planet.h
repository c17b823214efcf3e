/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Turns two maps, temperature and elevation, into the picture of a lit globe in 16 greys, without floating point and
 * without a frame buffer. Relies on nothing of the board, so it runs on a host as well. */
#ifndef PLANET_H
#define PLANET_H

#include <stdint.h>

#define PLANET_ROWS 64u     /* rows of the maps: 78 degrees north to 78 degrees south */
#define PLANET_COLUMNS 128u /* once around */
#define PLANET_WIDTH 128u   /* size of the picture */
#define PLANET_HEIGHT 64u

/* One byte for each point of the map: five bits of elevation, three of temperature. */
void planet_elevation(uint8_t *texel, int32_t metres);
void planet_temperature(uint8_t *texel, uint32_t kelvin);

/* Returns the row of the picture that shows row `row` of the maps at the axis of the globe. */
unsigned planet_height(unsigned row);

/* Computes the greys 0..15 of picture row `y`, one per byte; `turn` is the column of the map that faces the viewer. */
void planet_row(const uint8_t *map, unsigned turn, unsigned y, uint8_t row[PLANET_WIDTH]);

#endif
