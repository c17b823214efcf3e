/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* SPI0 (a PL022) as master in mode 0, eight bits, bytes pushed through the eight-deep FIFO in bursts. Pins: 16 in, 17
 * select, 18 clock, 19 out. Relies on board.c, which has started the clocks. */
#include "spi.h"
#include "registers.h"

#define SPI_CR0 REGISTER(0x4003C000u)
#define SPI_CR1 REGISTER(0x4003C004u)
#define SPI_DR REGISTER(0x4003C008u)
#define SPI_SR REGISTER(0x4003C00Cu)
#define SPI_CPSR REGISTER(0x4003C010u)
#define CR0_8_BITS_MODE_0 7u
#define CR0_RATE(divider) (((divider)-1u) << 8)
#define CR1_SSE 2u
#define SR_RNE 4u /* receive FIFO not empty */
#define FIFO_DEPTH 8u

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

static void set_speed(uint32_t divider)
{
    SPI_CR1 = 0;
    SPI_CPSR = PRESCALE;
    SPI_CR0 = CR0_RATE(divider) | CR0_8_BITS_MODE_0;
    SPI_CR1 = CR1_SSE;
}

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
    set_speed(SLOW);
}

void spi_fast(void)
{
    set_speed(FAST);
}

uint8_t spi_swap(uint8_t out)
{
    SPI_DR = out;
    while (!(SPI_SR & SR_RNE))
        ;
    return (uint8_t)SPI_DR;
}

void spi_send(const uint8_t *bytes, size_t len)
{
    for (size_t i = 0; i < len; i++)
        (void)spi_swap(bytes[i]);
}

void spi_receive(uint8_t *bytes, size_t len)
{
    while (len > 0) {
        const size_t burst = len < FIFO_DEPTH ? len : FIFO_DEPTH;
        for (size_t i = 0; i < burst; i++)
            SPI_DR = 0xFF;
        for (size_t i = 0; i < burst; i++) {
            while (!(SPI_SR & SR_RNE))
                ;
            *bytes++ = (uint8_t)SPI_DR;
        }
        len -= burst;
    }
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
