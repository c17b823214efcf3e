/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Memory initialisation, the painted stack and the figures of board.h, for any core; and the way out. Relies on
 * memory.h and on semihosting. */
#include "memory.h"

#include "board.h"
#include "print.h"
#include "semihost.h"

#define PAINT 0xC5C5C5C5u

/* volatile: the compiler must not turn the loops of this file into calls that use the stack being painted. */
static void fill(volatile uint32_t *to, const volatile uint32_t *end, uint32_t value)
{
    while (to < end)
        *to++ = value;
}

void board_stack_paint(void)
{
    /* A small distance to the caller's frame, for this function's own. */
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

size_t board_stack_size(void)
{
    return (size_t)((uintptr_t)link_stack_end - (uintptr_t)link_stack_start);
}

size_t board_flash_used(void)
{
    return (size_t)((uintptr_t)link_flash_end - (uintptr_t)link_flash_start);
}

size_t board_static_ram(void)
{
    return (size_t)((uintptr_t)link_bss_end - (uintptr_t)link_data_start);
}

void *board_spare(size_t *bytes)
{
    uintptr_t start = ((uintptr_t)link_bss_end + 7u) & ~(uintptr_t)7u;
    *bytes = (size_t)((uintptr_t)link_ram_end - start);
    return (void *)start;
}

void memory_start(void)
{
    volatile const uint32_t *from = link_data_load;

    board_stack_paint();
    for (volatile uint32_t *to = link_data_start; to < link_data_end; to++)
        *to = *from++;
    fill(link_bss_start, link_bss_end, 0);
}

void board_exit(int code)
{
    print_flush();
    semihost_exit((uint32_t)code);
}
