/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Firmware that reads a file from a medium that answers by interrupt, and sleeps meanwhile. The medium is a timer of
 * this part, whose handler copies from flash: it answers after 1 .. LONGEST ticks, one more for each request, so the
 * interrupt comes at every instruction between the request and the sleep, and during the sleep. Prints the SHA-256 of
 * each dataset: lines of test/golden/demo/digests.txt. Relies on common/, and on wait_bare.c or wait_task.c for the
 * sleep. */
#include "wait.h"
#include "board.h"
#include "flash_file.h"
#include "interrupts.h"
#include "print.h"
#include "report.h"
#include "sums.h"

#include <string.h>

#define WORK 8192u
#define LONGEST 1500u       /* ticks of 80 ns */
#define LIMIT 12500000u     /* one second */
#define E_LIMIT UTET_E_PORT /* no interrupt within LIMIT */

static const utet_codec *const codecs[] = {&utet_codec_zstd_small, NULL};

static uint64_t work[WORK / 8];
static utet_file file;
static unsigned requests, early, slept;

/* ---- two timers of the part: the medium, and a limit for it ---- */

#define RCGC1 (*(volatile uint32_t *)0x400FE104u)
#define NVIC_ENABLE (*(volatile uint32_t *)0xE000E100u)
#define NVIC_PRIORITY ((volatile uint8_t *)0xE000E400u)
enum { TAMR = 1, CTL = 3, IMR = 6, ICR = 9, TAILR = 10 };
static volatile uint32_t *const medium = (volatile uint32_t *)0x40030000u; /* timer 0 */
static volatile uint32_t *const limit = (volatile uint32_t *)0x40031000u;  /* timer 1 */

static void timer_start(volatile uint32_t *timer, uint32_t ticks)
{
    timer[TAMR] = 1; /* one-shot mode */
    timer[TAILR] = ticks;
    timer[CTL] = 1;
}

static void timer_stop(volatile uint32_t *timer)
{
    timer[CTL] = 0;
    timer[ICR] = 1;
}

static void timers_init(void)
{
    RCGC1 |= 3u << 16;
    medium[IMR] = limit[IMR] = 1;
    /* Handlers that call FreeRTOS must not be above configMAX_SYSCALL_INTERRUPT_PRIORITY. */
    NVIC_PRIORITY[TIMER0_IRQ] = NVIC_PRIORITY[TIMER1_IRQ] = 6u << 5;
    NVIC_ENABLE = 1u << TIMER0_IRQ | 1u << TIMER1_IRQ;
}

/* ---- the port ---- */

static volatile struct {
    enum { IDLE, BUSY, DONE, FAILED } state;
    uint64_t offset;
    void *to;
    size_t len;
} transfer;

/* Interrupt: the medium has the bytes. */
void timer0_handler(void)
{
    timer_stop(medium);
    memcpy(transfer.to, flash_file + transfer.offset, transfer.len);
    transfer.state = DONE;
    wait_wake();
}

/* Interrupt: the medium took too long, or the reader did not wake up. */
void timer1_handler(void)
{
    timer_stop(medium);
    timer_stop(limit);
    transfer.state = FAILED;
    wait_wake();
}

static utet_status read_later(void *ctx, uint64_t offset, void *buf, size_t len, size_t *got)
{
    const int begins = transfer.state == IDLE;

    (void)ctx;
    if (begins) {
        transfer.offset = offset;
        transfer.to = buf;
        transfer.len = len;
        transfer.state = BUSY;
        wait_prepare();
        timer_start(limit, LIMIT);
        timer_start(medium, 1 + requests++ % LONGEST);
    }
    if (transfer.state == BUSY)
        return UTET_WOULD_BLOCK;
    early += (unsigned)begins; /* the interrupt came before this call returned */
    timer_stop(limit);
    *got = len;
    if (transfer.state == FAILED)
        return E_LIMIT;
    transfer.state = IDLE;
    return UTET_OK;
}

/* The call will not be repeated. */
static void stop(void *ctx)
{
    (void)ctx;
    timer_stop(medium);
    timer_stop(limit);
    transfer.state = IDLE;
}

/* ---- the reader ---- */

static void sleep_once(void)
{
    if (transfer.state == BUSY)
        slept++;
    else
        early++;
    wait_sleep();
}

static utet_status digest_file(void)
{
    utet_io io = {
        .read = read_later, .cancel = stop, .unit = 1, .align = 1, .size = (uint64_t)(flash_file_end - flash_file)};
    utet_status status = utet_init(&file, &io, work, sizeof work, codecs);

    if (status == UTET_OK)
        while ((status = utet_open(&file, NULL)) == UTET_WOULD_BLOCK)
            sleep_once();
    return status == UTET_OK ? sums_print(&file, "demo_small.tet", sleep_once) : status;
}

static int program(void)
{
    utet_status status = UTET_OK;

    while (status == UTET_OK && requests < 2 * LONGEST)
        status = digest_file();
    print_u64(requests);
    print_text(" requests, the interrupt before the sleep ");
    print_u64(early);
    print_text(", during it ");
    print_u64(slept);
    print_text(", the core slept ");
    print_u64(wait_sleeps());
    print_char('\n');
    report_memory(WORK);
    return report_end("wait", status, status == E_LIMIT ? "no interrupt within a second" : utet_strerror(status),
                      file.error_offset);
}

int main(void)
{
    interrupts_init();
    timers_init();
    return wait_run(program);
}
