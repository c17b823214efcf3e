/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Registers of the RP2040 that more than one file of this folder uses. Relies on nothing. */
#ifndef REGISTERS_H
#define REGISTERS_H

#include <stdint.h>

#define REGISTER(address) (*(volatile uint32_t *)(address))
/* A write to the register 0x2000 or 0x3000 further sets or clears the bits that are 1. */
#define SET_BITS(address) REGISTER((address) + 0x2000u)
#define CLEAR_BITS(address) REGISTER((address) + 0x3000u)

#define RESETS 0x4000C000u
#define RESETS_DONE REGISTER(RESETS + 0x08u)

/* The block that a pin belongs to. */
#define PIN_FUNCTION(pin) REGISTER(0x40014004u + 8u * (pin))
#define PIN_SPI 1u
#define PIN_UART 2u
#define PIN_SIO 5u

/* Takes blocks out of reset, by their bits in RESETS. */
static inline void wake_blocks(uint32_t blocks)
{
    CLEAR_BITS(RESETS) = blocks;
    while ((RESETS_DONE & blocks) != blocks)
        ;
}

#endif
