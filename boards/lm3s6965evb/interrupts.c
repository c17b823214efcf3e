/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
#include "interrupts.h"

#include "board.h"
#include "memory.h"
#include "print.h"

#define EXIT_FAULT 70
#define VTOR (*(volatile uint32_t *)0xE000ED08u)
#define FAULT __attribute__((weak, alias("interrupts_fault")))

void start_reset(void);
void interrupts_fault(void);
FAULT void vPortSVCHandler(void);
FAULT void xPortPendSVHandler(void);
FAULT void xPortSysTickHandler(void);
FAULT void uart0_handler(void);
FAULT void timer0_handler(void);
FAULT void timer1_handler(void);

void interrupts_fault(void)
{
    uint32_t exception;

    __asm volatile("mrs %0, ipsr" : "=r"(exception));
    print_text("\nfault: exception ");
    print_u64(exception);
    print_char('\n');
    board_exit(EXIT_FAULT);
}

volatile unsigned long kernel_waits, kernel_sleeps;

static const struct {
    uint32_t *stack;
    void (*entry[15 + TIMER1_IRQ + 1])(void);
} vectors __attribute__((aligned(256))) = {
    link_stack_end,
    {start_reset, interrupts_fault, interrupts_fault, interrupts_fault, interrupts_fault, interrupts_fault,
     interrupts_fault, interrupts_fault, interrupts_fault, interrupts_fault, vPortSVCHandler, interrupts_fault,
     interrupts_fault, xPortPendSVHandler, xPortSysTickHandler, [15 + UART0_IRQ] = uart0_handler,
     [15 + TIMER0_IRQ] = timer0_handler, [15 + TIMER1_IRQ] = timer1_handler}};

void interrupts_init(void)
{
    VTOR = (uint32_t)(uintptr_t)&vectors;
}
