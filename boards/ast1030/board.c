/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Vectors of a firmware with interrupts, instead of those of common/start.c, and UART5, which replaces a debugger's
 * console: text at 115,200 baud, eight bits, no parity, one stop bit. Relies on registers.h. */
#include "board.h"
#include "handlers.h"
#include "memory.h"
#include "print.h"
#include "registers.h"
#include "semihost.h"

#define EXIT_FAULT 70
#define VTOR REGISTER(0xE000ED08u)

#define UART_DATA REGISTER(0x7E784000u)
#define UART_DIVISOR_HIGH REGISTER(0x7E784004u)
#define UART_FIFO REGISTER(0x7E784008u)
#define UART_LINE REGISTER(0x7E78400Cu)
#define UART_STATUS REGISTER(0x7E784014u)
#define LINE_8N1 3u
#define LINE_DIVISOR 0x80u
#define STATUS_FREE 0x20u
#define STATUS_SENT 0x40u

void start_reset(void);
void start_fault(void);

static const struct {
    uint32_t *stack;
    void (*entry[15 + FMC_IRQ + 1])(void);
} vectors
    __attribute__((aligned(256))) = {link_stack_end,
                                     {start_reset, start_fault, start_fault, start_fault, start_fault, start_fault,
                                      start_fault, start_fault, start_fault, start_fault, start_fault, start_fault,
                                      start_fault, start_fault, systick_handler, [15 + FMC_IRQ] = fmc_handler}};

void board_init(void)
{
    VTOR = (uint32_t)(uintptr_t)&vectors;
    UART_LINE = LINE_8N1 | LINE_DIVISOR;
    UART_DATA = 1; /* 24 MHz / 13 / 16 / 115,200 */
    UART_DIVISOR_HIGH = 0;
    UART_LINE = LINE_8N1;
    UART_FIFO = 7; /* on, and empty */
}

/* print.c and memory.c send all their output through these two functions. */
void semihost_write0(const char *text)
{
    while (*text) {
        while (!(UART_STATUS & STATUS_FREE))
            ;
        UART_DATA = (uint8_t)*text++;
    }
}

void semihost_exit(uint32_t code)
{
    semihost_write0(code == 0 ? "exit 0\n" : code == EXIT_FAULT ? "exit 70\n" : "exit 1\n");
    while (!(UART_STATUS & STATUS_SENT))
        ;
    __asm volatile("cpsid i");
    for (;;)
        __asm volatile("wfi");
}
