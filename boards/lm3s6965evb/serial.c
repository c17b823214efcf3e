/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Firmware that reads a .tet file of a computer over UART0, where `utet serve FILE DEVICE` runs. An interrupt stores
 * the bytes that arrive; the core sleeps until then. Prints the SHA-256 of each dataset's dense bytes. Relies on
 * common/, on wait_bare.c and on port/uart. */
#include "board.h"
#include "interrupts.h"
#include "print.h"
#include "report.h"
#include "sums.h"
#include "utet_uart.h"
#include "wait.h"

#define WORK 8192u
#define RING 1024u /* received bytes; a power of two, and more than the longest answer */
#define MOST 512u  /* bytes of the file in an answer */

static const utet_codec *const codecs[] = {&utet_codec_zstd_small, NULL};

static uint64_t work[WORK / 8];
static utet_uart port;
static utet_file file;

/* ---- the part: UART0 on PA0 and PA1, timer 0 ---- */

#define RCGC1 (*(volatile uint32_t *)0x400FE104u)
#define RCGC2 (*(volatile uint32_t *)0x400FE108u)
#define NVIC_ENABLE (*(volatile uint32_t *)0xE000E100u)
static volatile uint32_t *const uart = (volatile uint32_t *)0x4000C000u;
static volatile uint32_t *const timer = (volatile uint32_t *)0x40030000u;
static volatile uint32_t *const pins = (volatile uint32_t *)0x40004000u;
enum { DATA = 0, FLAGS = 6, BAUD_WHOLE = 9, BAUD_PART = 10, LINE = 11, CONTROL = 12, MASK = 14, CLEAR = 17 };
enum { EMPTY = 1u << 4, FULL = 1u << 5, RECEIVED = 1u << 4, IDLE = 1u << 6 };
enum { TAMR = 1, CTL = 3, IMR = 6, ICR = 9, TAILR = 10 };
enum { AFSEL = 0x420 / 4, DEN = 0x51C / 4 };

static volatile uint8_t ring[RING];
static volatile uint32_t received, overruns, now; /* bytes, bytes that found no room, milliseconds */
static uint32_t taken;

/* 115,200 bits per second, 8N1, from the 12.5 MHz that this part starts with. */
static void serial_init(void)
{
    RCGC1 |= 1u << 16 | 1u;
    RCGC2 |= 1u;
    pins[AFSEL] |= 3u;
    pins[DEN] |= 3u;
    uart[BAUD_WHOLE] = 6;
    uart[BAUD_PART] = 50; /* 6 + 50 / 64 = 12.5 MHz / (16 x 115,200) */
    uart[LINE] = 3u << 5 | 1u << 4;
    uart[MASK] = RECEIVED | IDLE;
    uart[CONTROL] = 1u << 9 | 1u << 8 | 1u;
    timer[TAMR] = 2; /* periodic mode */
    timer[TAILR] = 12500;
    timer[IMR] = 1;
    timer[CTL] = 1;
    NVIC_ENABLE = 1u << TIMER0_IRQ | 1u << UART0_IRQ;
}

void timer0_handler(void)
{
    timer[ICR] = 1;
    now++;
    wait_wake();
}

/* Interrupt: bytes have arrived. */
void uart0_handler(void)
{
    uart[CLEAR] = RECEIVED | IDLE;
    while ((uart[FLAGS] & EMPTY) == 0) {
        const uint8_t byte = (uint8_t)uart[DATA];

        if (received - taken < RING)
            ring[received++ % RING] = byte;
        else
            overruns++;
    }
    wait_wake();
}

/* ---- the line of the port ---- */

static size_t line_send(void *ctx, const uint8_t *bytes, size_t count)
{
    size_t sent = 0;

    (void)ctx;
    while (sent < count && (uart[FLAGS] & FULL) == 0)
        uart[DATA] = bytes[sent++];
    return sent;
}

static size_t line_receive(void *ctx, uint8_t *bytes, size_t most)
{
    size_t count = 0;

    (void)ctx;
    for (; count < most && taken != received; taken++)
        bytes[count++] = ring[taken % RING];
    return count;
}

static uint32_t line_clock(void *ctx)
{
    (void)ctx;
    return now;
}

static const utet_uart_line line = {NULL,        line_send,   line_receive, line_clock, .patience = 200,
                                    .tries = 10, .most = MOST};

/* ---- the reader ---- */

/* Sleeps if nothing has happened since the last sleep. */
static void sleep_once(void)
{
    wait_sleep();
    wait_prepare();
}

static utet_status read_file(void)
{
    utet_status status;

    while ((status = utet_uart_open(&port)) == UTET_WOULD_BLOCK)
        sleep_once();
    if (status == UTET_OK)
        status = utet_init(&file, &port.io, work, sizeof work, codecs);
    if (status == UTET_OK)
        while ((status = utet_open(&file, NULL)) == UTET_WOULD_BLOCK)
            sleep_once();
    return status == UTET_OK ? sums_print(&file, "served", sleep_once) : status;
}

static const char *reason(utet_status status)
{
    switch ((int)status) {
    case UTET_UART_E_SILENT: return "utet serve does not answer";
    case UTET_UART_E_CHANGED: return "the file has changed";
    case UTET_UART_E_HOST: return "the computer cannot read the file";
    default: return utet_strerror(status);
    }
}

int main(void)
{
    utet_status status;

    interrupts_init();
    serial_init();
    utet_uart_init(&port, &line);
    status = read_file();
    print_u64(port.requests);
    print_text(" requests, ");
    print_u64(port.answers);
    print_text(" answers, overruns ");
    print_u64(overruns);
    print_text(", the core slept ");
    print_u64(wait_sleeps());
    print_char('\n');
    report_memory(WORK);
    return report_end("serial", status, reason(status), file.error_offset);
}
