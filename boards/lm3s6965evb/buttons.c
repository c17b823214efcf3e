/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Four buttons are at port E, bits 0 to 3, and the fifth one at port F, bit 1. A pressed button connects its pin to
 * ground. Relies on buttons.h. */
#include "buttons.h"

#include <stdint.h>

#define REGISTER(address) (*(volatile uint32_t *)(address))

#define RCGC2 REGISTER(0x400FE108u)
#define PORT_E 0x40024000u
#define PORT_F 0x40025000u
#define GPIO_DATA(port, mask) REGISTER((port) + ((mask) << 2))
#define GPIO_PUR(port) REGISTER((port) + 0x510u)
#define GPIO_DEN(port) REGISTER((port) + 0x51Cu)

#define DIRECTIONS 0x0Fu
#define SELECT (1u << 1)
#define STEADY 10000u /* equal samples: 10 to 20 ms at 12 MHz */

void buttons_init(void)
{
    RCGC2 |= 1u << 4 | 1u << 5;
    (void)RCGC2; /* the clocks are there three cycles later */
    GPIO_PUR(PORT_E) |= DIRECTIONS;
    GPIO_DEN(PORT_E) |= DIRECTIONS;
    GPIO_PUR(PORT_F) |= SELECT;
    GPIO_DEN(PORT_F) |= SELECT;
}

/* The buttons that were down when they were last looked at. All are at first, so that one that is held, or whose pin is
 * not yet high, does not count. */
static unsigned buttons_down = DIRECTIONS | BUTTON_SELECT;

static unsigned sample(void)
{
    const unsigned directions = ~GPIO_DATA(PORT_E, DIRECTIONS) & DIRECTIONS;

    return directions | (GPIO_DATA(PORT_F, SELECT) & SELECT ? 0 : BUTTON_SELECT);
}

/* Contacts bounce: waits until the samples stay the same. */
static unsigned steady(void)
{
    unsigned pressed = sample();

    for (unsigned same = 0; same < STEADY; same++) {
        const unsigned now = sample();

        if (now != pressed)
            same = 0;
        pressed = now;
    }
    return pressed;
}

unsigned buttons_wait(void)
{
    unsigned pressed;

    do {
        const unsigned now = steady();

        pressed = now & ~buttons_down;
        buttons_down = now;
    } while (pressed == 0);
    return pressed;
}
