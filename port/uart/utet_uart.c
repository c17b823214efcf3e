/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* utet_io over packets: one request at a time, repeated until its answer has arrived. An answer names the request, the
 * file and the offset, so that a late or doubled one is either right or not used. Relies on utet_uart_packet.h. */
#include "utet_uart.h"

#include <string.h>

static int is_answer(const utet_uart_head *answer, const utet_uart_head *asked)
{
    return answer->kind == (asked->kind | UTET_UART_ANSWER) && answer->number == asked->number &&
           answer->length <= asked->length &&
           (asked->kind == UTET_UART_ASK_FILE ||
            (answer->identity == asked->identity && answer->offset == asked->offset));
}

/* Takes a byte that has arrived. Returns nonzero if it ends the answer. */
static int take(utet_uart *port, uint8_t byte)
{
    const int next = utet_uart_decode(&port->priv.decoder, byte);
    const uint32_t at = port->priv.at;
    int complete;

    if (next == UTET_UART_NOTHING)
        return 0;
    if (next < 0) {
        complete = next == UTET_UART_END && port->priv.mine != 0 &&
                   at == (uint32_t)UTET_UART_HEAD + port->priv.answer.length + UTET_UART_SUM;
        port->priv.at = 0;
        port->priv.mine = 0;
        return complete;
    }
    if (at < UTET_UART_HEAD) {
        port->priv.head[at] = (uint8_t)next;
        if (at + 1 == UTET_UART_HEAD) {
            utet_uart_read_head(&port->priv.answer, port->priv.head);
            port->priv.mine = (uint8_t)is_answer(&port->priv.answer, &port->priv.asked);
        }
    } else if (port->priv.mine != 0 && at - UTET_UART_HEAD < port->priv.answer.length) {
        port->priv.to[at - UTET_UART_HEAD] = (uint8_t)next; /* the caller uses it after the checksum only */
    }
    if (at < UINT32_MAX)
        port->priv.at++;
    return 0;
}

static void send_again(utet_uart *port)
{
    port->priv.sent = 0;
    port->priv.since = port->priv.line->clock(port->priv.line->ctx);
    port->priv.tried++;
    port->requests++;
}

/* Begins a request, unless it has begun. */
static void begin(utet_uart *port, uint8_t kind, uint64_t offset, uint8_t *to, uint16_t length)
{
    utet_uart_head *const asked = &port->priv.asked;

    if (port->priv.busy != 0 && asked->kind == kind)
        return;
    asked->kind = kind;
    asked->number++;
    asked->length = length;
    asked->identity = port->priv.identity;
    asked->offset = offset;
    port->priv.to = to;
    port->priv.busy = 1;
    port->priv.mine = 0; /* an answer that has begun is one to an earlier request */
    port->priv.tried = 0;
    port->priv.frame_length = (uint8_t)utet_uart_frame(asked, NULL, 0, port->priv.frame);
    send_again(port);
}

/* Sends the rest of the request, takes the bytes that have arrived, and checks the clock. */
static utet_status exchange(utet_uart *port)
{
    const utet_uart_line *const line = port->priv.line;
    uint8_t bytes[32];
    size_t count;
    size_t i;

    for (;;) {
        if (port->priv.sent < port->priv.frame_length)
            port->priv.sent =
                (uint8_t)(port->priv.sent + line->send(line->ctx, port->priv.frame + port->priv.sent,
                                                       (size_t)port->priv.frame_length - port->priv.sent));
        count = line->receive(line->ctx, bytes, sizeof bytes);
        for (i = 0; i < count; i++)
            if (take(port, bytes[i]) != 0) { /* the bytes after it are a copy, or late */
                port->priv.busy = 0;
                port->answers++;
                return port->priv.answer.result == UTET_UART_DONE      ? UTET_OK
                       : port->priv.answer.result == UTET_UART_CHANGED ? UTET_UART_E_CHANGED
                                                                       : UTET_UART_E_HOST;
            }
        if (line->clock(line->ctx) - port->priv.since >= line->patience) {
            if (port->priv.tried >= line->tries) {
                port->priv.busy = 0;
                return UTET_UART_E_SILENT;
            }
            send_again(port);
        } else if (count == 0) {
            return UTET_WOULD_BLOCK;
        }
    }
}

static utet_status uart_read(void *ctx, uint64_t offset, void *buf, size_t len, size_t *got)
{
    utet_uart *const port = ctx;
    utet_status status;

    if (len > port->priv.line->most)
        len = port->priv.line->most;
    begin(port, UTET_UART_ASK_BYTES, offset, buf, (uint16_t)len);
    status = exchange(port);
    *got = status == UTET_OK ? port->priv.answer.length : 0;
    return status;
}

static void uart_cancel(void *ctx)
{
    ((utet_uart *)ctx)->priv.busy = 0; /* an answer that still arrives has a number that is not expected */
}

void utet_uart_init(utet_uart *port, const utet_uart_line *line)
{
    memset(port, 0, sizeof *port);
    port->io.ctx = port;
    port->io.read = uart_read;
    port->io.cancel = uart_cancel;
    port->io.unit = port->io.align = 1;
    port->io.line = 256; /* a request takes as long as this: its frames have 50 bytes, and hosts answer late */
    port->priv.line = line;
}

utet_status utet_uart_open(utet_uart *port)
{
    utet_status status;

    begin(port, UTET_UART_ASK_FILE, 0, NULL, 0);
    status = exchange(port);
    if (status == UTET_OK) {
        port->io.size = port->priv.answer.offset;
        port->priv.identity = port->priv.answer.identity;
    }
    return status;
}
