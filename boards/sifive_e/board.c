/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* 16 MHz from the board's crystal, and UART0, which replaces a debugger's console: text at 115,200 baud, eight bits,
 * no parity, one stop bit, on GPIO 17. On the HiFive1 Rev B it goes to the USB connector. */
#include "board.h"
#include "print.h"
#include "semihost.h"

#define EXIT_FAULT 70
#define REGISTER(address) (*(volatile uint32_t *)(address))

#define HFROSCCFG REGISTER(0x10008000u)
#define HFXOSCCFG REGISTER(0x10008004u)
#define PLLCFG REGISTER(0x10008008u)
#define PLLOUTDIV REGISTER(0x1000800Cu)
#define OSC_ENABLE (1u << 30)
#define OSC_READY (1u << 31)
#define PLL_SELECT (1u << 16) /* the core runs from the PLL's output, else from the ring oscillator */
#define PLL_CRYSTAL (1u << 17)
#define PLL_BYPASS (1u << 18)
#define DIVIDE_BY_1 (1u << 8)

#define GPIO_FUNCTION_ENABLE REGISTER(0x10012038u)
#define GPIO_FUNCTION REGISTER(0x1001203Cu)
#define PIN_TX (1u << 17)

#define UART_TX REGISTER(0x10013000u)
#define UART_TX_CONTROL REGISTER(0x10013008u)
#define UART_DIVISOR REGISTER(0x10013018u)
#define TX_FULL (1u << 31)
#define TX_ENABLE 1u

/* The core runs from the ring oscillator while its other clock changes: a bootloader or a debugger's reset may have
 * left that one in use. */
static void start_clock(void)
{
    HFROSCCFG |= OSC_ENABLE;
    while (!(HFROSCCFG & OSC_READY))
        ;
    PLLCFG &= ~PLL_SELECT;
    HFXOSCCFG = OSC_ENABLE;
    while (!(HFXOSCCFG & OSC_READY))
        ;
    PLLOUTDIV = DIVIDE_BY_1;
    PLLCFG = PLL_CRYSTAL | PLL_BYPASS;
    PLLCFG |= PLL_SELECT;
}

void board_init(void)
{
    start_clock();
    GPIO_FUNCTION &= ~PIN_TX; /* of two functions the first one */
    GPIO_FUNCTION_ENABLE |= PIN_TX;
    UART_DIVISOR = 138; /* 16 MHz / 115,200 - 1 */
    UART_TX_CONTROL = TX_ENABLE;
}

/* print.c and memory.c say all that they have to say by these two. */
void semihost_write0(const char *text)
{
    while (*text) {
        while (UART_TX & TX_FULL)
            ;
        UART_TX = (uint8_t)*text++;
    }
}

void semihost_exit(uint32_t code)
{
    semihost_write0(code == 0 ? "exit 0\n" : code == EXIT_FAULT ? "exit 70\n" : "exit 1\n");
    for (;;)
        __asm volatile("wfi");
}
