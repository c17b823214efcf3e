/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Registers of the AST1030 that more than one file of this folder uses. Relies on nothing. */
#ifndef REGISTERS_H
#define REGISTERS_H

#include <stdint.h>

#define REGISTER(address) (*(volatile uint32_t *)(address))

#define NVIC_ENABLE(irq) REGISTER(0xE000E100u + (irq) / 32u * 4u)
#define NVIC_DISABLE(irq) REGISTER(0xE000E180u + (irq) / 32u * 4u)
#define NVIC_FORGET(irq) REGISTER(0xE000E280u + (irq) / 32u * 4u)
#define NVIC_BIT(irq) (1u << (irq) % 32u)

enum { FMC_IRQ = 39 }; /* number of the interrupt */

/* Timer of the core: 24 bits, 200 MHz. */
#define SYSTICK_CTRL REGISTER(0xE000E010u)
#define SYSTICK_LOAD REGISTER(0xE000E014u)
#define SYSTICK_NOW REGISTER(0xE000E018u)
#define SYSTICK_ON 7u /* on, with its interrupt, by the clock of the core */
#define SYSTICK_FORGET (REGISTER(0xE000ED04u) = 1u << 25)

/* After it the timer's interrupt does not come, even if it was pending. */
static inline void systick_stop(void)
{
    SYSTICK_CTRL = 0;
    SYSTICK_FORGET;
}

/* The interrupt comes after `ticks`, and again until systick_stop. */
static inline void systick_start(uint32_t ticks)
{
    systick_stop();
    SYSTICK_LOAD = ticks;
    SYSTICK_NOW = 0;
    SYSTICK_CTRL = SYSTICK_ON;
}

#endif
