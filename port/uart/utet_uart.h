/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Port for a serial line or packet radio: a file on the host at the other end, which runs `utet serve`. Never waits:
 * its calls return UTET_WOULD_BLOCK until the answer has arrived. Tolerates lost, duplicate, late and damaged packets.
 * Relies on utet.h. A port and its line belong to one task; a line has one device. See README.md in this folder. */
#ifndef UTET_UART_H
#define UTET_UART_H

#include "utet.h"
#include "utet_uart_packet.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    UTET_UART_E_SILENT = UTET_E_PORT,      /* no answer to any of the requests of one call */
    UTET_UART_E_CHANGED = UTET_E_PORT - 1, /* the file on the host is no longer the one that was opened */
    UTET_UART_E_HOST = UTET_E_PORT - 2     /* the host cannot read the file */
};

/* Your driver. None of its functions waits. */
typedef struct utet_uart_line {
    void *ctx;
    /* Takes bytes to be sent, as many as there is room for, and returns their number. The first call for a request has
     * all of it (UTET_UART_REQUEST bytes): a radio takes these as one packet, or none. */
    size_t (*send)(void *ctx, const uint8_t *bytes, size_t count);
    /* Stores the bytes that have arrived, at most `most`, and returns their number. */
    size_t (*receive)(void *ctx, uint8_t *bytes, size_t most);
    uint32_t (*clock)(void *ctx); /* ticks of any length; begins again with 0 after 0xFFFFFFFF */
    uint32_t patience; /* ticks after which a request is repeated: more than the request and the longest answer take */
    uint16_t tries;    /* maximum number of requests of one call, 1 or more */
    uint16_t most;     /* maximum number of bytes of the file in one answer, 1 or more */
} utet_uart_line;

typedef struct utet_uart {
    utet_io io;        /* pass its address to utet_init, after utet_uart_open */
    uint32_t requests; /* number of requests sent, with repetitions */
    uint32_t answers;  /* number of answers received */
    struct {
        const utet_uart_line *line;
        uint8_t *to;
        utet_uart_head asked, answer;
        utet_uart_decoder decoder;
        uint32_t since, at, identity;
        uint16_t tried;
        uint8_t busy, mine, sent, frame_length;
        uint8_t frame[UTET_UART_REQUEST], head[UTET_UART_HEAD];
    } priv;
} utet_uart;

/* Prepares a port, which must not move afterwards, for a line, which stays as long as the port. Cannot fail. */
void utet_uart_init(utet_uart *port, const utet_uart_line *line);

/* Requests the size of the file that the host serves now, and stores it in port->io. Also use it after
 * UTET_UART_E_CHANGED. Returns UTET_OK, UTET_WOULD_BLOCK (repeat the call), UTET_UART_E_SILENT or UTET_UART_E_HOST. */
utet_status utet_uart_open(utet_uart *port);

#ifdef __cplusplus
}
#endif

#endif
