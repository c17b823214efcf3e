/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
#include "nor.h"
#include "handlers.h"
#include "registers.h"

#define FMC_CONFIG REGISTER(0x7E620000u)
#define FMC_INTERRUPT REGISTER(0x7E620008u)
#define FMC_CE0 REGISTER(0x7E620010u)
#define FMC_DMA REGISTER(0x7E620080u)
#define FMC_DMA_FLASH REGISTER(0x7E620084u)
#define FMC_DMA_RAM REGISTER(0x7E620088u)
#define FMC_DMA_LEN REGISTER(0x7E62008Cu)

#define CONFIG_WRITE (1u << 16) /* the controller sends commands */
#define INTERRUPT_DMA (1u << 3)
#define INTERRUPT_ENDED (1u << 11)
#define CE0_READ 0x00000400u /* command 03h; the clock of 200 MHz by 8: 25 MHz, as fast as every part reads by 03h */
#define CE0_USER 0x00000403u
#define CE0_RELEASE (1u << 2)
#define DMA_ASK 0xAEED0000u
#define DMA_RETURN 0xDEEA0000u
#define DMA_ASKED (1u << 31)
#define DMA_GRANTED (1u << 30)
#define DMA_READ 1u

/* How the DMA engine counts the addresses of flash and RAM. */
#define DMA_FLASH_BASE 0x20000000u
#define DMA_RAM_BASE 0x80000000u
#define WINDOW 0x80000000u

#define LONGEST 65536u  /* 21 ms */
#define LIMIT 16000000u /* 80 ms of the core's clock, of at most 83 */
#define READ_ID 0x9Fu

unsigned nor_requests;
volatile unsigned nor_interrupts;
static utet_dma *volatile current;
static uint32_t missing; /* the number of bytes that the engine omits from each transfer */

static void end_transfer(void)
{
    systick_stop();
    FMC_INTERRUPT = 0;
    FMC_DMA = 0;
    FMC_DMA = DMA_RETURN;
}

static void start_engine(uint32_t offset, void *to, uint32_t len)
{
    FMC_DMA = DMA_ASK;
    if (FMC_DMA & DMA_ASKED)
        while (!(FMC_DMA & DMA_GRANTED))
            ;
    FMC_DMA_FLASH = DMA_FLASH_BASE + offset;
    FMC_DMA_RAM = DMA_RAM_BASE + (uint32_t)(uintptr_t)to;
    FMC_DMA_LEN = len - 1 + missing;
    FMC_INTERRUPT = INTERRUPT_DMA;
    __asm volatile("dsb" ::: "memory");
    FMC_DMA = DMA_READ;
}

static utet_status start(utet_dma *port, uint32_t offset, void *to, size_t len)
{
    current = port;
    nor_requests++;
    systick_start(LIMIT);
    start_engine(offset, to, (uint32_t)len);
    return UTET_OK;
}

static void stop(utet_dma *port)
{
    (void)port;
    end_transfer();
    NVIC_FORGET(FMC_IRQ) = NVIC_BIT(FMC_IRQ);
}

/* Interrupt: the engine has stopped. */
void fmc_handler(void)
{
    const uint32_t ended = FMC_INTERRUPT & INTERRUPT_ENDED;

    end_transfer();
    nor_interrupts++;
    utet_dma_done(current, ended ? UTET_OK : UTET_DMA_E_TRANSFER);
}

/* Interrupt: the engine has had four times as long as its longest transfer takes, and has not stopped. */
void systick_handler(void)
{
    stop(current);
    utet_dma_done(current, UTET_DMA_E_TIMEOUT);
}

utet_dma_driver nor_driver = {.start = start, .stop = stop, .longest = LONGEST, .unit = 4};

void nor_copy(uint32_t *to, uint32_t offset, size_t words)
{
    for (size_t i = 0; i < words; i++)
        to[i] = REGISTER(WINDOW + offset + 4 * i);
}

/* The register of the length contains the number of bytes minus 1; QEMU before 9.1 then transfers a word less. */
static uint32_t count_missing(void)
{
    const uint32_t word = REGISTER(WINDOW);
    static volatile uint32_t copy;

    copy = ~word;
    start_engine(0, (void *)(uintptr_t)&copy, sizeof copy);
    while (!(FMC_INTERRUPT & INTERRUPT_ENDED))
        ;
    end_transfer();
    return copy == word ? 0 : sizeof copy;
}

uint32_t nor_init(void)
{
    volatile uint8_t *const port = (volatile uint8_t *)WINDOW;
    uint8_t id[3];

    FMC_CONFIG |= CONFIG_WRITE;
    FMC_CE0 = CE0_USER | CE0_RELEASE;
    FMC_CE0 = CE0_USER;
    *port = READ_ID;
    for (unsigned i = 0; i < sizeof id; i++)
        id[i] = *port;
    FMC_CE0 = CE0_USER | CE0_RELEASE;
    FMC_CE0 = CE0_READ;
    missing = count_missing();
    NVIC_FORGET(FMC_IRQ) = NVIC_BIT(FMC_IRQ);
    NVIC_ENABLE(FMC_IRQ) = NVIC_BIT(FMC_IRQ);
    nor_driver.size = id[2] >= 16 && id[2] <= 24 ? 1u << id[2] : 0; /* the last byte of most IDs is a logarithm */
    return nor_driver.size;
}
