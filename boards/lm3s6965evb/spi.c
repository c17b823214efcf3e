/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* SSI0 as SPI mode 0 master, eight bits, bytes pushed through the eight-deep FIFO in bursts. Register numbers are those
 * of the LM3S6965 data sheet; GPIO data registers are addressed with the bit mask in the address: no read is needed. */
#include "spi.h"
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

#define SSI_CR0 REGISTER(0x40008000u)
#define SSI_CR1 REGISTER(0x40008004u)
#define SSI_DR REGISTER(0x40008008u)
#define SSI_SR REGISTER(0x4000800Cu)
#define SSI_CPSR REGISTER(0x40008010u)

#define CR0_8_BITS_MODE_0 7u
#define CR1_SSE 2u
#define SR_RNE 4u /* receive FIFO not empty */
#define FIFO_DEPTH 8u

/* Dividers of the 12 MHz that the part runs at after reset. */
#define SLOW 32u /* 375 kHz */
#define FAST 2u  /* 6 MHz */

static void set_speed(uint32_t divider)
{
    SSI_CR1 = 0;
    SSI_CPSR = divider;
    SSI_CR0 = CR0_8_BITS_MODE_0;
    SSI_CR1 = CR1_SSE;
}

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
    set_speed(SLOW);
}

void spi_fast(void)
{
    set_speed(FAST);
}

uint8_t spi_swap(uint8_t out)
{
    SSI_DR = out;
    while (!(SSI_SR & SR_RNE))
        ;
    return (uint8_t)SSI_DR;
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
            SSI_DR = 0xFF;
        for (size_t i = 0; i < burst; i++) {
            while (!(SSI_SR & SR_RNE))
                ;
            *bytes++ = (uint8_t)SSI_DR;
        }
        len -= burst;
    }
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
