/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* utet_io over requests for ranges. Each request names the version of the file that was opened. Relies on
 * libcurl. The cache: utet_http_read.c. */
#include "utet_http.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Copies the value of a header of this name. */
static void keep(const char *line, size_t length, const char *name, char *to)
{
    const size_t begin = strlen(name);

    if (length < begin || strncasecmp(line, name, begin) != 0)
        return;
    for (line += begin, length -= begin; length > 0 && *line == ' '; length--)
        line++;
    while (length > 0 && (line[length - 1] == '\r' || line[length - 1] == '\n'))
        length--;
    length = length < UTET_HTTP_TAG ? length : 0; /* too long: treated as absent */
    memcpy(to, line, length);
    to[length] = '\0';
}

static size_t on_header(char *line, size_t size, size_t count, void *ctx)
{
    utet_http *const port = ctx;
    char range[UTET_HTTP_TAG] = "";

    count *= size;
    if (count > 5 && memcmp(line, "HTTP/", 5) == 0) /* also that of an answer after another one */
        port->priv.new_etag[0] = port->priv.new_modified[0] = '\0';
    keep(line, count, "ETag:", port->priv.new_etag);
    keep(line, count, "Last-Modified:", port->priv.new_modified);
    keep(line, count, "Content-Range:", range);
    if (range[0] != '\0')
        port->priv.has_range = sscanf(range, "bytes %" SCNu64 "-%*u/%" SCNu64, &port->priv.first, &port->priv.total) ==
                               2;
    return count;
}

static size_t on_data(char *data, size_t size, size_t count, void *ctx)
{
    utet_http *const port = ctx;

    count *= size;
    if (!port->priv.has_range || count > port->priv.room - port->priv.have)
        return 0; /* the whole file, or an error page: ends the transfer */
    memcpy(port->priv.to + port->priv.have, data, count);
    port->priv.have += count;
    return count;
}

/* Returns nonzero if the answer belongs to another version of the file than the one that was opened. */
static int is_other(const utet_http *port)
{
    return port->priv.total != port->io.size || strcmp(port->priv.new_etag, port->priv.etag) != 0 ||
           strcmp(port->priv.new_modified, port->priv.modified) != 0;
}

utet_status utet_http_fetch(utet_http *port, uint64_t offset, uint8_t *to, size_t length)
{
    const int opening = port->io.size == 0;
    struct curl_slist *const condition = port->priv.tag[0] != '\0' ? curl_slist_append(NULL, port->priv.tag) : NULL;
    char range[48];

    (void)snprintf(range, sizeof range, "%" PRIu64 "-%" PRIu64, offset, offset + length - 1);
    port->priv.to = to;
    port->priv.room = length;
    port->priv.have = 0;
    port->priv.has_range = 0;
    port->response = 0;
    port->requests++;
    (void)curl_easy_setopt(port->curl, CURLOPT_RANGE, range);
    (void)curl_easy_setopt(port->curl, CURLOPT_HTTPHEADER, condition);
    port->error = curl_easy_perform(port->curl);
    (void)curl_easy_setopt(port->curl, CURLOPT_HTTPHEADER, NULL);
    curl_slist_free_all(condition);
    (void)curl_easy_getinfo(port->curl, CURLINFO_RESPONSE_CODE, &port->response);
    port->bytes += port->priv.have;
    if (port->response == 412)
        return UTET_HTTP_E_CHANGED;
    if (port->response >= 300)
        return UTET_HTTP_E_STATUS;
    if (port->response == 200 || (port->response == 206 && (!port->priv.has_range || port->priv.first != offset)))
        return UTET_HTTP_E_RANGES;
    if (!opening && port->response == 206 && is_other(port))
        return UTET_HTTP_E_CHANGED;
    if (opening && port->priv.total < length)
        length = (size_t)port->priv.total;
    return port->error == CURLE_OK && port->priv.have == length ? UTET_OK : UTET_HTTP_E_TRANSFER;
}

/* The condition of all later requests: the version that the first answer had. Weak tags are only compared. */
static void remember(utet_http *port)
{
    const char *const etag = port->priv.new_etag;
    const char *const modified = port->priv.new_modified;

    memcpy(port->priv.etag, etag, UTET_HTTP_TAG);
    memcpy(port->priv.modified, modified, UTET_HTTP_TAG);
    if (etag[0] == '"')
        (void)snprintf(port->priv.tag, sizeof port->priv.tag, "If-Match: %s", etag);
    else if (modified[0] != '\0')
        (void)snprintf(port->priv.tag, sizeof port->priv.tag, "If-Unmodified-Since: %s", modified);
    port->io.size = port->priv.total;
}

utet_status utet_http_init(utet_http *port)
{
    memset(port, 0, sizeof *port);
    port->io.ctx = port;
    port->io.read = utet_http_read;
    port->io.unit = port->io.align = 1;
    port->io.line = UTET_HTTP_LINE; /* the cache has lines of this size; a new one is a request of its own */
    port->curl = curl_easy_init();
    port->priv.cache = malloc((size_t)UTET_HTTP_LINES * UTET_HTTP_LINE);
    if (port->curl == NULL || port->priv.cache == NULL) {
        utet_http_close(port);
        return UTET_HTTP_E_MEMORY;
    }
    (void)curl_easy_setopt(port->curl, CURLOPT_HEADERFUNCTION, on_header);
    (void)curl_easy_setopt(port->curl, CURLOPT_HEADERDATA, port);
    (void)curl_easy_setopt(port->curl, CURLOPT_WRITEFUNCTION, on_data);
    (void)curl_easy_setopt(port->curl, CURLOPT_WRITEDATA, port);
    (void)curl_easy_setopt(port->curl, CURLOPT_FOLLOWLOCATION, 1L);
    return UTET_OK;
}

utet_status utet_http_open(utet_http *port, const char *address)
{
    utet_status status;

    port->io.size = 0;
    port->priv.tag[0] = '\0';
    memset(port->priv.line, 0, sizeof port->priv.line);
    memset(port->priv.used, 0, sizeof port->priv.used);
    (void)curl_easy_setopt(port->curl, CURLOPT_URL, address);
    status = utet_http_fetch(port, 0, port->priv.cache, UTET_HTTP_LINE);
    if (status != UTET_OK)
        return status;
    remember(port);
    port->priv.line[0] = 1; /* line 0 */
    return UTET_OK;
}
