/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The display on the bus of the SD card: SSI0 of the LM3S6965 (a PL022) has both, selected by port D bit 0 (low = card,
 * high = display): spi_release_card selects the display, and spi_init leaves it selected. Relies on spi.c. */
#ifndef SPI_DISPLAY_H
#define SPI_DISPLAY_H

/* The display's line D/C: 0 = command, 1 = picture data. Must be 0 while the card is clocked. spi_init makes it 0. */
void spi_display_data(int on);

#endif
