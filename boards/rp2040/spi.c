/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* SPI0 (a PL022, whose transfers are in common/pl022.c). Pins: 16 in, 17 select, 18 clock, 19 out. Relies on board.c,
 * which has started the clocks. */
#include "spi.h"
#include "pl022.h"
#include "registers.h"

#define PRESCALE 20u /* 6.25 MHz of 125 */
#define SLOW 16u     /* 390 kHz */
#define FAST 1u

#define RESET_SPI0 (1u << 16)
#define SIO_OUT_SET REGISTER(0xD0000014u)
#define SIO_OUT_CLEAR REGISTER(0xD0000018u)
#define SIO_ENABLE_SET REGISTER(0xD0000024u)
#define PAD(pin) (0x4001C004u + 4u * (pin))
#define PAD_PULL_UP (1u << 3)
#define PAD_PULL_DOWN (1u << 2)

enum { PIN_IN = 16, PIN_SELECT = 17, PIN_CLOCK = 18, PIN_OUT = 19 };

void spi_init(void)
{
    wake_blocks(RESET_SPI0);
    SIO_OUT_SET = 1u << PIN_SELECT;
    SIO_ENABLE_SET = 1u << PIN_SELECT;
    PIN_FUNCTION(PIN_SELECT) = PIN_SIO;
    PIN_FUNCTION(PIN_IN) = PIN_SPI;
    PIN_FUNCTION(PIN_CLOCK) = PIN_SPI;
    PIN_FUNCTION(PIN_OUT) = PIN_SPI;
    CLEAR_BITS(PAD(PIN_IN)) = PAD_PULL_DOWN; /* without a card every byte is 0xFF */
    SET_BITS(PAD(PIN_IN)) = PAD_PULL_UP;
    pl022_set_speed(PRESCALE, SLOW);
}

void spi_fast(void)
{
    pl022_set_speed(PRESCALE, FAST);
}

void spi_select_card(void)
{
    SIO_OUT_SET = 1u << PIN_SELECT;
    SIO_OUT_CLEAR = 1u << PIN_SELECT;
}

void spi_release_card(void)
{
    SIO_OUT_SET = 1u << PIN_SELECT;
}
