/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* SSI0 (a PL022, whose transfers are in common/pl022.c). Register numbers are those of the LM3S6965 data sheet; GPIO
 * data registers are addressed with the bit mask in the address: no read is needed. */
#include "spi.h"
#include "pl022.h"
#include "spi_display.h"

#define REGISTER(address) (*(volatile uint32_t *)(address))

#define RCGC1 REGISTER(0x400FE104u)
#define RCGC2 REGISTER(0x400FE108u)

#define PORT_A 0x40004000u /* 2 clock, 4 in, 5 out */
#define PORT_C 0x40006000u /* 7 display data/command; 0..3 are the debugger's */
#define PORT_D 0x40007000u /* 0 chip select */
#define GPIO_DATA(port, mask) REGISTER((port) + ((mask) << 2))
#define GPIO_DIR(port) REGISTER((port) + 0x400u)
#define GPIO_AFSEL(port) REGISTER((port) + 0x420u)
#define GPIO_DEN(port) REGISTER((port) + 0x51Cu)

/* Dividers of the 12 MHz that the part runs at after reset. */
#define SLOW 32u /* 375 kHz */
#define FAST 2u  /* 6 MHz */

void spi_init(void)
{
    RCGC1 |= 1u << 4;
    RCGC2 |= 1u << 0 | 1u << 2 | 1u << 3;
    (void)RCGC2; /* the clocks are there three cycles later */

    GPIO_AFSEL(PORT_A) |= 1u << 2 | 1u << 4 | 1u << 5;
    GPIO_DEN(PORT_A) |= 1u << 2 | 1u << 4 | 1u << 5;
    GPIO_DIR(PORT_C) |= 1u << 7;
    GPIO_DEN(PORT_C) |= 1u << 7;
    GPIO_DIR(PORT_D) |= 1u << 0;
    GPIO_DEN(PORT_D) |= 1u << 0;

    spi_display_data(0);
    spi_release_card();
    pl022_set_speed(SLOW, 1);
}

void spi_fast(void)
{
    pl022_set_speed(FAST, 1);
}

void spi_select_card(void)
{
    GPIO_DATA(PORT_D, 1u) = 1u;
    GPIO_DATA(PORT_D, 1u) = 0;
}

void spi_release_card(void)
{
    GPIO_DATA(PORT_D, 1u) = 1u;
}

void spi_display_data(int on)
{
    GPIO_DATA(PORT_C, 1u << 7) = on ? 1u << 7 : 0;
}
