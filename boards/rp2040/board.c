/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Clocks of the RP2040: 125 MHz from a crystal of 12 MHz. Its UART0 replaces a debugger's console: text at 115,200
 * baud, eight bits, no parity, one stop bit, on GPIO 0. Relies on registers.h. */
#include "board.h"
#include "print.h"
#include "registers.h"
#include "semihost.h"

#define XOSC_CTRL REGISTER(0x40024000u)
#define XOSC_STATUS REGISTER(0x40024004u)
#define XOSC_STARTUP REGISTER(0x4002400Cu)
#define XOSC_ENABLE (0xFABu << 12 | 0xAA0u) /* 1 to 15 MHz */
#define XOSC_DELAY 47u                      /* times 256 periods: 1 ms */

#define PLL_CS REGISTER(0x40028000u)
#define PLL_PWR 0x40028004u
#define PLL_FBDIV REGISTER(0x40028008u)
#define PLL_PRIM REGISTER(0x4002800Cu)
#define PWR_VCO (1u << 5 | 1u << 0) /* off: the oscillator, and all of it */
#define PWR_POSTDIV (1u << 3)

#define CLK_REF_CTRL REGISTER(0x40008030u)
#define CLK_REF_SELECTED REGISTER(0x40008038u)
#define CLK_SYS_CTRL REGISTER(0x4000803Cu)
#define CLK_SYS_SELECTED REGISTER(0x40008044u)
#define CLK_PERI_CTRL REGISTER(0x40008048u)
#define REF_XOSC 2u
#define SYS_PLL 1u
#define PERI_ENABLE (1u << 11)

#define STABLE (1u << 31)
#define RESET_IO (1u << 5)
#define RESET_PADS (1u << 8)
#define RESET_PLL_SYS (1u << 12)
#define RESET_UART0 (1u << 22)

#define UART_DR REGISTER(0x40034000u)
#define UART_FR REGISTER(0x40034018u)
#define UART_IBRD REGISTER(0x40034024u)
#define UART_FBRD REGISTER(0x40034028u)
#define UART_LCR REGISTER(0x4003402Cu)
#define UART_CR REGISTER(0x40034030u)
#define FR_FULL (1u << 5)
#define FR_BUSY (1u << 3)
#define PIN_TX 0u

/* The core runs from the crystal while the PLL changes: a debugger's reset leaves the clocks as they were. */
static void start_clocks(void)
{
    XOSC_STARTUP = XOSC_DELAY;
    XOSC_CTRL = XOSC_ENABLE;
    while (!(XOSC_STATUS & STABLE))
        ;
    CLK_REF_CTRL = REF_XOSC;
    while (!(CLK_REF_SELECTED & 1u << REF_XOSC))
        ;
    CLK_SYS_CTRL = 0;
    while (!(CLK_SYS_SELECTED & 1u))
        ;

    SET_BITS(RESETS) = RESET_PLL_SYS;
    wake_blocks(RESET_PLL_SYS);
    PLL_CS = 1;
    PLL_FBDIV = 125; /* 12 MHz times 125 is 1,500 MHz */
    CLEAR_BITS(PLL_PWR) = PWR_VCO;
    while (!(PLL_CS & STABLE))
        ;
    PLL_PRIM = 6u << 16 | 2u << 12; /* by 12: 125 MHz */
    CLEAR_BITS(PLL_PWR) = PWR_POSTDIV;
    CLK_SYS_CTRL = SYS_PLL;
    while (!(CLK_SYS_SELECTED & 1u << SYS_PLL))
        ;
    CLK_PERI_CTRL = PERI_ENABLE; /* as fast as the core */
}

void board_init(void)
{
    start_clocks();
    wake_blocks(RESET_IO | RESET_PADS | RESET_UART0);
    PIN_FUNCTION(PIN_TX) = PIN_UART;
    UART_IBRD = 67; /* 125 MHz / (16 * 115,200) = 67 + 52 / 64 */
    UART_FBRD = 52;
    UART_LCR = 3u << 5 | 1u << 4; /* eight bits, FIFO */
    UART_CR = 1u << 8 | 1u << 0;
}

/* print.c and memory.c send all their output through these two functions. */
void semihost_write0(const char *text)
{
    while (*text) {
        while (UART_FR & FR_FULL)
            ;
        UART_DR = (uint8_t)*text++;
    }
}

void semihost_exit(uint32_t code)
{
    semihost_write0(code == 0 ? "exit 0\n" : "exit 1\n");
    while (UART_FR & FR_BUSY)
        ;
    for (;;)
        __asm volatile("wfi");
}
