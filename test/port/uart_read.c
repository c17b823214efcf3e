/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* uart_read MOST PATIENCE: the device's end of a line that is standard input and output. Reads all datasets of the file
 * at the other end by port/uart, and prints their SHA-256 on standard error in the form of digests.txt, or the status
 * of the call that failed; then the numbers of requests and answers. PATIENCE is in milliseconds. */
#define _POSIX_C_SOURCE 200809L
#include "digest_lines.h"
#include "utet_uart.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* Like those of a UART: no call waits. */
static size_t send_bytes(void *ctx, const uint8_t *bytes, size_t count)
{
    const ssize_t sent = write(STDOUT_FILENO, bytes, count);
    (void)ctx;
    return sent > 0 ? (size_t)sent : 0;
}

static size_t receive_bytes(void *ctx, uint8_t *bytes, size_t most)
{
    struct pollfd in = {STDIN_FILENO, POLLIN, 0};
    ssize_t count;
    (void)ctx;
    if (poll(&in, 1, 0) <= 0)
        return 0;
    count = read(STDIN_FILENO, bytes, most);
    if (count == 0)
        exit(3); /* the line is closed */
    return count > 0 ? (size_t)count : 0;
}

static uint32_t milliseconds(void *ctx)
{
    struct timespec now;
    (void)ctx;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint32_t)((uint64_t)now.tv_sec * 1000u + (uint64_t)now.tv_nsec / 1000000u);
}

/* A microcontroller would sleep until the next interrupt. */
static void wait_for_the_line(void)
{
    struct pollfd in = {STDIN_FILENO, POLLIN, 0};
    (void)poll(&in, 1, 1);
}

int main(int argc, char **argv)
{
    static utet_uart_line line = {NULL, send_bytes, receive_bytes, milliseconds, 0, 1000, 0};
    static utet_uart port;
    utet_status status;

    if (argc != 3)
        return 2;
    line.most = (uint16_t)atoi(argv[1]);
    line.patience = (uint32_t)atoi(argv[2]);
    utet_uart_init(&port, &line);
    WAIT(utet_uart_open(&port));
    if (status == UTET_OK)
        status = digest_lines(stderr, &port.io);
    fprintf(stderr, "status %d, %u requests, %u answers, %u bytes\n", status, (unsigned)port.requests,
            (unsigned)port.answers, (unsigned)port.io.size);
    return status == UTET_END ? 0 : 1;
}
