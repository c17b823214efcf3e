/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Skipping bytes of a stream, and loading a complete chunk. */
#include "stream.h"

utet_status utet_stream_skip(utet_stream *stream, uint64_t count)
{
    utet_status status = utet_stream_enter(stream, UTET_CALL_STREAM_SKIP);
    uint64_t left = stream->length - stream->position;

    if (status != UTET_OK)
        return status;
    if (count > left)
        count = left;
    return utet_stream_leave(utet_stream_deliver(stream, NULL, count), stream);
}

static utet_status seek_load(utet_stream *stream, utet_file *file, const utet_chunk *chunk, uint8_t *buffer,
                             size_t size)
{
    utet_status status;

    if (size < chunk->raw_byte_len)
        return UTET_E_SPACE;
    status = utet_stream_start(stream, file, chunk, buffer);
    if (status != UTET_OK)
        return status;
    /* a codec decodes into `buffer` itself, so nothing is delivered elsewhere */
    return utet_stream_deliver(stream, UTET_IS_RAW(stream) ? buffer : NULL, stream->length);
}

utet_status utet_stream_load(utet_stream *stream, utet_file *file, const utet_chunk *chunk, void *buffer, size_t size)
{
    utet_status status = utet_enter(file, UTET_CALL_STREAM_LOAD);

    if (status != UTET_OK)
        return status;
    if (file->priv.step != 0 && (stream->priv.whole != buffer || size < stream->length))
        return UTET_E_STATE; /* repeated with other memory: it stays suspended */
    status = seek_load(stream, file, chunk, (uint8_t *)buffer, size);
    if (status != UTET_WOULD_BLOCK && file->priv.owner == stream)
        file->priv.owner = NULL; /* the chunk has been read, or cannot be */
    return utet_leave(file, status);
}
