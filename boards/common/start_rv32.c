/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Start-up for 32-bit RISC-V without interrupts: stack, memory, fault report. What start.c does for Cortex-M. Relies
 * on memory.h; the stack is at the bottom of RAM, where an overrun ends in a fault if nothing answers below it. */
#include "board.h"
#include "memory.h"
#include "print.h"

#define EXIT_FAULT 70

void start_reset(void);
void start_memory(void);
void start_trap(void);
void start_report(uint32_t sp);

__attribute__((weak)) void board_init(void)
{
}

/* The core begins at the first address, which is this section's. */
__attribute__((naked, section(".vectors"), used)) void start_reset(void)
{
    __asm volatile("csrw mie, zero\n\t"
                   "la sp, link_stack_end\n\t"
                   "la t0, start_trap\n\t"
                   "csrw mtvec, t0\n\t"
                   "tail start_memory");
}

void start_memory(void)
{
    memory_start();
    board_init();
    board_exit(main());
}

/* Any trap: none is expected, so all of them end here. The stack may be what broke: the report gets a fresh one.
 * mtvec wants a multiple of 4. */
__attribute__((naked, aligned(4))) void start_trap(void)
{
    __asm volatile("mv a0, sp\n\t"
                   "la sp, link_stack_end\n\t"
                   "tail start_report");
}

void start_report(uint32_t sp)
{
    uint32_t cause;
    uint32_t pc;

    __asm volatile("csrr %0, mcause\n\tcsrr %1, mepc" : "=r"(cause), "=r"(pc));
    print_flush();
    print_text("fault: exception ");
    print_u64(cause);
    if (sp >= (uint32_t)(uintptr_t)link_stack_start) {
        print_text(", pc 0x");
        print_hex(pc, 8);
    } else {
        print_text(", stack overrun, sp 0x");
        print_hex(sp, 8);
    }
    print_text("\n");
    board_exit(EXIT_FAULT);
}
