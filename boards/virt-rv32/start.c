/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Start-up for RISC-V under QEMU's machine virt (-bios none): stack, and a trap handler that ends the run. What
 * boards/common/start.c does for Cortex-M. Relies on memory.h; the stack is at the bottom of RAM, above the program's
 * constants. */
#include "board.h"
#include "memory.h"
#include "print.h"

#define EXIT_FAULT 70

void start_reset(void);
void start_memory(void);
void start_trap(void);

/* The core begins at the first address, which is this section's. */
__attribute__((naked, section(".vectors"), used)) void start_reset(void)
{
    __asm volatile("la sp, link_stack_end\n\t"
                   "la t0, start_trap\n\t"
                   "csrw mtvec, t0\n\t"
                   "tail start_memory");
}

void start_memory(void)
{
    memory_start();
    board_exit(main());
}

/* mtvec wants a multiple of 4. No trap is expected, so all of them end here. */
__attribute__((aligned(4))) void start_trap(void)
{
    uint32_t cause, pc;

    __asm volatile("csrr %0, mcause\n\tcsrr %1, mepc" : "=r"(cause), "=r"(pc));
    print_flush();
    print_text("fault: exception ");
    print_u64(cause);
    print_text(", pc 0x");
    print_hex(pc, 8);
    print_text("\n");
    board_exit(EXIT_FAULT);
}
