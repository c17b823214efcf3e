/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* boards/ast1030/wait.c with the usual mistake: an interrupt between the test and WFI is missed. The run must fail. */
#include "nor.h"

unsigned nor_sleeps;

void nor_wait(const utet_dma *port)
{
    if (utet_dma_state_of(port) == UTET_DMA_BUSY) {
        nor_sleeps++;
        __asm volatile("dsb\n\twfi" ::: "memory");
    }
}
