/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
#include "nor.h"

unsigned nor_sleeps;

/* Between the test and WFI no handler can run; an interrupt that arrives there still ends WFI, and its handler runs
 * when interrupts are enabled again. */
void nor_wait(const utet_dma *port)
{
    __asm volatile("cpsid i" ::: "memory");
    if (utet_dma_state_of(port) == UTET_DMA_BUSY) {
        nor_sleeps++;
        __asm volatile("dsb\n\twfi" ::: "memory");
    }
    __asm volatile("cpsie i\n\tisb" ::: "memory");
}
