/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The serial NOR flash at chip select 0 of the AST1030's FMC (firmware memory controller), read by its DMA engine: a
 * driver for port/dma. Relies on board.c. */
#ifndef NOR_H
#define NOR_H

#include "utet_dma.h"

/* Returns the bytes of the part, by its JEDEC ID; 0: no part answers, or none of 64 KB to 16 MB. */
uint32_t nor_init(void);

/* `size` is what nor_init returned. */
extern utet_dma_driver nor_driver;

/* Copies words without DMA, through the window of the address space: not while a transfer is pending. */
void nor_copy(uint32_t *to, uint32_t offset, size_t words);

/* Transfers that were started, and interrupts that reported their end. */
extern unsigned nor_requests;
extern volatile unsigned nor_interrupts;

/* How often nor_wait has put the core to sleep. */
extern unsigned nor_sleeps;

/* Sleeps until the port's transfer is no longer pending; may return earlier. */
void nor_wait(const utet_dma *port);

#endif
