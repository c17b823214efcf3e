/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The SPI bus with the SD card, for sdcard.c. Each board implements these calls in its spi.c, those with a PL022 by
 * pl022.c. They need nothing else, and wait only for the FIFO, which cannot stall. */
#ifndef SPI_H
#define SPI_H

#include <stddef.h>
#include <stdint.h>

/* Starts clocks and pins. The bus is slow at first (below 400 kHz), and the card is not selected. */
void spi_init(void);
/* After the card has been identified. At most 6.4 MHz: sdcard.c counts bytes to wait for 100 ms. */
void spi_fast(void);

uint8_t spi_swap(uint8_t out);
void spi_send(const uint8_t *bytes, size_t len);
/* Sends 0xFF meanwhile. */
void spi_receive(uint8_t *bytes, size_t len);

/* With a real edge: an emulated card starts afresh only when it sees one. */
void spi_select_card(void);
void spi_release_card(void);

#endif
