/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* How codecs get bytes of the payload, in any order. Positions count from its first byte. */
#include "stream.h"

#include <string.h>

utet_status utet_payload_fetch(utet_stream *stream, uint64_t position, size_t length, uint64_t ahead,
                               const uint8_t **at, size_t *have)
{
    utet_file *file = stream->priv.file;
    uint64_t left = stream->priv.stored - position;
    utet_status status;

    if (ahead < length)
        ahead = length;
    file->priv.have = ahead < SIZE_MAX / 2 ? (size_t)ahead : SIZE_MAX / 2;
    status = utet_fetch_ahead(file, length, stream->priv.offset + position);
    *at = file->priv.at;
    *have = file->priv.have < left ? file->priv.have : (size_t)left;
    return status;
}

/* For the caches of codecs, which read at scattered positions: through the window, but nothing ahead. */
static utet_status copy_exactly(utet_file *file, uint8_t *to, uint64_t offset, size_t length)
{
    while (file->priv.done < length) {
        size_t left = length - file->priv.done;
        utet_status status;

        file->priv.have = left;
        status = utet_fetch_ahead(file, 1, offset + file->priv.done);
        if (status != UTET_OK)
            return status;
        if (left > file->priv.have)
            left = file->priv.have;
        memcpy(to + file->priv.done, file->priv.at, left);
        file->priv.done += left;
    }
    file->priv.done = 0;
    return UTET_OK;
}

utet_status utet_payload_copy(utet_stream *stream, uint64_t position, void *buffer, size_t length)
{
    utet_file *file = stream->priv.file;
    uint8_t *to = (uint8_t *)buffer;
    utet_status status;

    position += stream->priv.offset;
    if (length < file->priv.window)
        status = copy_exactly(file, to, position, length);
    else
        status = utet_copy_bytes(file, to, position, length);

    if (UTET_IS_ERROR(status))
        file->priv.done = 0;
    return status;
}

utet_status utet_payload_error(utet_stream *stream, uint64_t position, utet_status status)
{
    stream->priv.file->error_offset = stream->priv.offset + position;
    return status;
}
