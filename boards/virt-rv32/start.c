/* Start-up for RISC-V under QEMU's machine virt (-bios none): stack, memory initialisation, and a trap handler that
 * ends the run. What boards/common/start.c does for Cortex-M. Relies on sections.ld for the symbols; the stack lies
 * at the bottom of RAM, above the program's constants. */
#include "board.h"
#include "print.h"
#include "semihost.h"

#define PAINT 0xC5C5C5C5u
#define EXIT_FAULT 70

/* Set by the linker: only the addresses of these mean something. */
extern uint32_t link_stack_start[], link_stack_end[];
extern uint32_t link_data_start[], link_data_end[], link_data_load[];
extern uint32_t link_bss_start[], link_bss_end[];
extern uint32_t link_ram_end[];

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

/* volatile: the compiler must not turn the loops of this file into calls that use the stack being painted. */
static void fill(volatile uint32_t *to, const volatile uint32_t *end, uint32_t value)
{
    while (to < end)
        *to++ = value;
}

void board_stack_paint(void)
{
    fill(link_stack_start, (uint32_t *)__builtin_frame_address(0) - 16, PAINT);
}

size_t board_stack_peak(void)
{
    const volatile uint32_t *word = link_stack_start;

    while (word < link_stack_end && *word == PAINT)
        word++;
    return (size_t)((uintptr_t)link_stack_end - (uintptr_t)word);
}

size_t board_stack_now(void)
{
    return (size_t)((uintptr_t)link_stack_end - (uintptr_t)__builtin_frame_address(0));
}

void *board_spare(size_t *bytes)
{
    const uintptr_t start = ((uintptr_t)link_bss_end + 7u) & ~(uintptr_t)7u;

    *bytes = (size_t)((uintptr_t)link_ram_end - start);
    return (void *)start;
}

void start_memory(void)
{
    volatile const uint32_t *from = link_data_load;

    board_stack_paint();
    for (volatile uint32_t *to = link_data_start; to < link_data_end; to++)
        *to = *from++;
    fill(link_bss_start, link_bss_end, 0);
    board_exit(main());
}

void board_exit(int code)
{
    print_flush();
    semihost_exit((uint32_t)code);
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
