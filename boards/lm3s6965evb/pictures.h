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

/* Both in turn from one file: the planet appears row by row, from the top, and below it the ripple plays. Calls
 * row_drawn after each row of the planet; *frames counts the frames. map as above. */
utet_status pictures_together(uint8_t *map, uint32_t *frames, void (*row_drawn)(unsigned row));

/* The workspace bytes that the decoded tiles of pictures_together occupy. */
size_t pictures_tiles(void);

#endif
