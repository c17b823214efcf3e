/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Bytes are pushed through the eight-deep FIFO in bursts. */
#include "pl022.h"
#include "pl022_base.h"
#include "spi.h"

#define REGISTER_AT(offset) (*(volatile uint32_t *)(PL022_BASE + (offset)))
#define CR0 REGISTER_AT(0x00u)
#define CR1 REGISTER_AT(0x04u)
#define DR REGISTER_AT(0x08u)
#define SR REGISTER_AT(0x0Cu)
#define CPSR REGISTER_AT(0x10u)

#define CR0_8_BITS_MODE_0 7u
#define CR0_RATE(rate) (((rate)-1u) << 8)
#define CR1_SSE 2u
#define SR_RNE 4u /* receive FIFO not empty */
#define FIFO_DEPTH 8u

void pl022_set_speed(uint32_t prescale, uint32_t rate)
{
    CR1 = 0;
    CPSR = prescale;
    CR0 = CR0_RATE(rate) | CR0_8_BITS_MODE_0;
    CR1 = CR1_SSE;
}

uint8_t spi_swap(uint8_t out)
{
    DR = out;
    while (!(SR & SR_RNE))
        ;
    return (uint8_t)DR;
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
            DR = 0xFF;
        for (size_t i = 0; i < burst; i++) {
            while (!(SR & SR_RNE))
                ;
            *bytes++ = (uint8_t)DR;
        }
        len -= burst;
    }
}
