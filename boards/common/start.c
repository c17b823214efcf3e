/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Start-up for every Cortex-M of this folder, armv6-m to armv8-m: vector table, guard of the stack, fault report.
 * Relies on memory.h; the stack is at the bottom of RAM, with nothing or a guard below it, so an overflow ends in
 * a fault and does not overwrite data. */
#include "board.h"
#include "memory.h"
#include "print.h"

#define EXIT_FAULT 70

typedef void handler(void);

void start_reset(void);
void start_fault(void);
void start_report(const uint32_t *frame, uint32_t exception);

/* The first 16 words that every Cortex-M reads. Interrupts are never enabled, so the table ends here. */
struct vector_table {
    uint32_t *stack;
    handler *entry[15];
};

__attribute__((section(".vectors"), used)) static const struct vector_table vectors = {
    link_stack_end,
    {start_reset, start_fault, start_fault, start_fault, start_fault, start_fault, start_fault, start_fault,
     start_fault, start_fault, start_fault, start_fault, start_fault, start_fault, start_fault},
};

__attribute__((weak)) void board_init(void)
{
}

/* Forbids access to the 64 KB below the stack, which costs no RAM: on real hardware nothing answers there, but some
 * emulated boards ignore such accesses. Microcontrollers without a memory protection unit report 0 regions, and nothing
 * is done. */
static void guard_stack(void)
{
#if __ARM_ARCH >= 8
    __asm volatile("msr msplim, %0" ::"r"(link_stack_start)); /* armv8-m has a register for it */
#else
    volatile uint32_t *const mpu = (volatile uint32_t *)0xE000ED90u; /* TYPE, CTRL, RNR, RBAR, RASR */
    if ((mpu[0] >> 8 & 0xFFu) == 0)
        return;
    mpu[2] = 0;
    mpu[3] = (uint32_t)(uintptr_t)link_stack_start - 0x10000u;
    mpu[4] = 1u << 28 | 15u << 1 | 1u; /* execute never, no access, 2^16 bytes, enabled */
    mpu[1] = 5;                        /* on; elsewhere the default map */
    __asm volatile("dsb\n\tisb" ::: "memory");
#endif
}

void start_reset(void)
{
    guard_stack();
#if defined(__ARM_FP)
    /* CPACR: full access to coprocessors 10 and 11, the floating point unit. */
    *(volatile uint32_t *)0xE000ED88u |= 0xFu << 20;
    __asm volatile("dsb\n\tisb" ::: "memory");
#endif
    memory_start();
    board_init();
    board_exit(main());
}

/* Any exception ends here, because none is expected. The stack may be the cause: take a new one before the first push,
 * and pass the old stack pointer on. EXC_RETURN bit 2 needs no check, because only MSP is ever used. */
__attribute__((naked)) void start_fault(void)
{
    __asm volatile("mrs r0, msp\n\t"
                   "mrs r1, ipsr\n\t"
                   "ldr r2, =link_stack_end\n\t"
                   "msr msp, r2\n\t"
                   "ldr r2, =start_report\n\t"
                   "bx  r2\n\t"
                   ".ltorg");
}

/* frame: r0-r3, r12, lr, pc, xpsr as the processor stacked them, if it could. */
void start_report(const uint32_t *frame, uint32_t exception)
{
    /* With a stack limit register, an overrun leaves the frame at the limit, unwritten. */
    const int readable = frame > link_stack_start && frame + 8 <= link_stack_end;
    print_flush();
    print_text("fault: exception ");
    print_u64(exception);
    if (readable) {
        print_text(", pc 0x");
        print_hex(frame[6], 8);
        print_text(", lr 0x");
        print_hex(frame[5], 8);
    } else {
        print_text(", stack overrun, sp 0x");
        print_hex((uint32_t)(uintptr_t)frame, 8);
    }
    print_text("\n");
    board_exit(EXIT_FAULT);
}
