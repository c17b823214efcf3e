/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Simulates the time that a serial flash takes, for an emulator whose DMA engine takes none: the timer of the core
 * delays each transfer. The linker puts it between board.c and nor.c (MEDIUM_WRAP of boards.mk); a real part needs
 * none. MEDIUM_SWEEP: instead of the time of the flash, MEDIUM_SWEEP ticks more with each transfer, so that the
 * interrupt comes at every instruction up to the sleep, and during it. MEDIUM_LOST: the number of a transfer whose
 * interrupt does not come. Relies on nor.h and board.h. */
#include "board.h"
#include "handlers.h"
#include "medium.h"
#include "nor.h"
#include "print.h"
#include "registers.h"

#define COMMAND 4u /* bytes of a command and its address */
#define AT_25_MHZ 64u
#define DEADLINE 2000000u /* 10 ms after a transfer the reader must have noticed its end */

uint32_t __real_nor_init(void);
uint32_t __wrap_nor_init(void);
void __real_fmc_handler(void);
void __wrap_fmc_handler(void);
void __real_systick_handler(void);
void __wrap_systick_handler(void);

static utet_status (*engine_start)(utet_dma *port, uint32_t offset, void *to, size_t len);
static struct {
    utet_dma *port;
    void *to;
    size_t len;
    uint32_t offset;
    enum { WAITS, STARTED, ENDED } state;
} transfer;

uint32_t medium_ticks = AT_25_MHZ;
int medium_has_deadline = 1;
uint32_t medium_bytes;
void (*medium_notice)(int busy);

static uint32_t delay(size_t len)
{
    medium_bytes += (uint32_t)len + COMMAND;
#ifdef MEDIUM_SWEEP
    (void)len;
    return 1 + nor_requests * MEDIUM_SWEEP;
#else
    return 1 + ((uint32_t)len + COMMAND) * medium_ticks;
#endif
}

static utet_status start_later(utet_dma *port, uint32_t offset, void *to, size_t len)
{
    transfer.port = port;
    transfer.offset = offset;
    transfer.to = to;
    transfer.len = len;
    transfer.state = WAITS;
    if (medium_notice != NULL)
        medium_notice(1);
    systick_start(delay(len));
    return UTET_OK;
}

static void start_now(void)
{
#ifdef MEDIUM_LOST
    NVIC_DISABLE(FMC_IRQ) = NVIC_BIT(FMC_IRQ);
    if (nor_requests != MEDIUM_LOST)
        NVIC_ENABLE(FMC_IRQ) = NVIC_BIT(FMC_IRQ);
#endif
    systick_stop();
    transfer.state = STARTED;
    (void)engine_start(transfer.port, transfer.offset, transfer.to, transfer.len);
}

/* Interrupt: the flash has sent the bytes, and the engine has stopped. */
void __wrap_fmc_handler(void)
{
    __real_fmc_handler();
    transfer.state = ENDED;
    systick_start(DEADLINE);
    if (medium_notice != NULL)
        medium_notice(0);
}

/* Interrupt: the time of the flash, the limit of nor.c, or the deadline. */
void __wrap_systick_handler(void)
{
    if (transfer.state == WAITS) {
        start_now();
    } else if (transfer.state == STARTED) {
        __real_systick_handler();
    } else {
        systick_stop();
        if (medium_has_deadline && utet_dma_state_of(transfer.port) == UTET_DMA_DONE) {
            print_text("medium: the reader did not wake up\n");
            board_exit(1);
        }
    }
}

uint32_t __wrap_nor_init(void)
{
    const uint32_t size = __real_nor_init();

    engine_start = nor_driver.start;
    nor_driver.start = start_later;
    return size;
}
