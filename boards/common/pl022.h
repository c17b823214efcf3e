/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* A PL022 as SPI master: the transfers of spi.h are in pl022.c, for every board whose part has one. The board's folder
 * has pl022_base.h, which defines PL022_BASE, the address of its registers. Relies on the board's clocks and pins. */
#ifndef PL022_H
#define PL022_H

#include <stdint.h>

/* Mode 0, eight bits, at the block's clock / prescale / rate. prescale: even, 2 to 254; rate: 1 to 256. */
void pl022_set_speed(uint32_t prescale, uint32_t rate);

#endif
