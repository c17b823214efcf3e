/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The one SPI bus of the board: SSI0 of the LM3S6965 (a PL022) with the SD card and the display on it, both selected by
 * port D bit 0 (low = card, high = display). Relies on nothing; waits for the FIFO alone, which cannot stall. */
#ifndef SPI_H
#define SPI_H

#include <stddef.h>
#include <stdint.h>

/* Clocks and pins; the bus starts slow (below 400 kHz), the display selected, its data line low. */
void spi_init(void);
/* After the card has been identified. */
void spi_fast(void);

uint8_t spi_swap(uint8_t out);
void spi_send(const uint8_t *bytes, size_t len);
/* Sends 0xFF meanwhile. */
void spi_receive(uint8_t *bytes, size_t len);

/* With a real edge: the emulated card starts afresh only when it sees one. */
void spi_select_card(void);
void spi_select_display(void);
/* The display's line D/C: 0 = command, 1 = picture data. Must be 0 while the card is clocked. */
void spi_display_data(int on);

#endif
