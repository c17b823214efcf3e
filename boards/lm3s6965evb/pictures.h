/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The pictures on the display: the planet of two datasets, and the frames of a third, straight from the tiles.
 * Relies on an open card_file and on the display. Statuses are the library's. */
#ifndef PICTURES_H
#define PICTURES_H

#include "utet.h"

/* The globe from datasets "temperature" and "elevation"; map: PLANET_ROWS * PLANET_COLUMNS bytes to work in. */
utet_status pictures_planet(uint8_t *map);

/* All frames of dataset "ripple", tile by tile without a frame buffer; *frames counts them. */
utet_status pictures_ripple(uint32_t *frames);

#endif
