/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Port for files on HTTP servers that answer requests for ranges, through libcurl, with a cache. Blocks, never answers
 * "not yet". A port belongs to one thread; ports share nothing. See README.md in this folder. */
#ifndef UTET_HTTP_H
#define UTET_HTTP_H

#include "utet.h"

#include <curl/curl.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    UTET_HTTP_E_TRANSFER = UTET_E_PORT,    /* no connection, timeout, transfer ended early: port.error */
    UTET_HTTP_E_STATUS = UTET_E_PORT - 1,  /* the server refused the request: port.response */
    UTET_HTTP_E_RANGES = UTET_E_PORT - 2,  /* the server ignores the requested range, or answers with another one */
    UTET_HTTP_E_CHANGED = UTET_E_PORT - 3, /* the file has changed since it was opened */
    UTET_HTTP_E_MEMORY = UTET_E_PORT - 4   /* not enough memory for the cache, or for libcurl */
};

enum { UTET_HTTP_LINES = 16, UTET_HTTP_LINE = 16384, UTET_HTTP_TAG = 128 };

typedef struct utet_http {
    utet_io io;        /* pass its address to utet_init */
    CURL *curl;        /* set your own options after utet_http_init: time limits, certificates, passwords */
    CURLcode error;    /* result of the last transfer */
    long response;     /* HTTP status of the last answer; 0: none */
    uint32_t requests; /* number of requests */
    uint64_t bytes;    /* number of received data bytes */
    struct {
        char tag[UTET_HTTP_TAG + 32], etag[UTET_HTTP_TAG], modified[UTET_HTTP_TAG];
        char new_etag[UTET_HTTP_TAG], new_modified[UTET_HTTP_TAG];
        uint8_t *to;
        size_t room, have;
        uint64_t first, total; /* offset and file size in the answer */
        int has_range;
        uint32_t clock;
        uint64_t line[UTET_HTTP_LINES]; /* number of the line + 1; 0: empty */
        uint32_t used[UTET_HTTP_LINES];
        uint8_t *cache;
    } priv;
} utet_http;

/* Prepares a port, which must not move afterwards. Returns UTET_OK or UTET_HTTP_E_MEMORY. */
utet_status utet_http_init(utet_http *port);

/* Requests the first bytes of the file, and with them its size. May be called again.
 * Returns UTET_OK, UTET_HTTP_E_TRANSFER, UTET_HTTP_E_STATUS or UTET_HTTP_E_RANGES. */
utet_status utet_http_open(utet_http *port, const char *address);

/* private: one request for a range, and `read` of io with the cache */
utet_status utet_http_fetch(utet_http *port, uint64_t offset, uint8_t *to, size_t length);
utet_status utet_http_read(void *ctx, uint64_t offset, void *buf, size_t len, size_t *got);

/* Releases the memory. May be called twice, or after a failed call. */
void utet_http_close(utet_http *port);

#ifdef __cplusplus
}
#endif

#endif
