/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The cache of port/http: a new line of 16 KB replaces the one that was not used for the longest time. Requests of two
 * lines and more do not use it. Relies on utet_http.c. */
#include "utet_http.h"

#include <stdlib.h>
#include <string.h>

/* The cache's bytes of a line; NULL after an error. */
static const uint8_t *line_of(utet_http *port, uint64_t line, utet_status *status)
{
    const uint64_t left = port->io.size - line * UTET_HTTP_LINE;
    unsigned oldest = 0;
    unsigned i;

    for (i = 0; i < UTET_HTTP_LINES; i++) {
        if (port->priv.line[i] == line + 1)
            break;
        if (port->priv.used[i] < port->priv.used[oldest])
            oldest = i;
    }
    if (i == UTET_HTTP_LINES) {
        i = oldest;
        port->priv.line[i] = 0;
        *status = utet_http_fetch(port, line * UTET_HTTP_LINE, port->priv.cache + (size_t)i * UTET_HTTP_LINE,
                                  left < UTET_HTTP_LINE ? (size_t)left : UTET_HTTP_LINE);
        if (*status != UTET_OK)
            return NULL;
        port->priv.line[i] = line + 1;
    }
    port->priv.used[i] = ++port->priv.clock;
    return port->priv.cache + (size_t)i * UTET_HTTP_LINE;
}

utet_status utet_http_read(void *ctx, uint64_t offset, void *buf, size_t len, size_t *got)
{
    utet_http *const port = ctx;
    const size_t within = (size_t)(offset % UTET_HTTP_LINE);
    utet_status status = UTET_OK;
    const uint8_t *bytes;

    if (len >= 2 * (size_t)UTET_HTTP_LINE) {
        status = utet_http_fetch(port, offset, buf, len);
        *got = status == UTET_OK ? len : 0;
        return status;
    }
    bytes = line_of(port, offset / UTET_HTTP_LINE, &status);
    *got = bytes == NULL ? 0 : len < UTET_HTTP_LINE - within ? len : UTET_HTTP_LINE - within;
    if (bytes != NULL)
        memcpy(buf, bytes + within, *got);
    return status;
}

void utet_http_close(utet_http *port)
{
    if (port->curl != NULL)
        curl_easy_cleanup(port->curl);
    port->curl = NULL;
    free(port->priv.cache);
    port->priv.cache = NULL;
}
