/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Streams: opening, and reading the bytes of one chunk in order. */
#include "stream.h"

#include <string.h>

/* ---- raw chunks (§5): copied from the window or straight from the port ---- */

utet_status utet_raw_assign(utet_file *file, const void *owner)
{
    utet_status status = utet_window_alone(file); /* a codec may have had a part of it */

    if (status == UTET_OK) {
        file->priv.owner = owner;
        file->priv.lent = 0;
    }
    return status;
}

utet_status utet_stream_deliver(utet_stream *stream, uint8_t *to, uint64_t size)
{
    utet_status status;

    if (!UTET_IS_RAW(stream))
        return stream->priv.codec->driver->read(stream, to, size);
    stream->priv.done = size;
    if (to == NULL)
        return UTET_OK;
    status = utet_copy_bytes(stream->priv.file, to, stream->priv.offset + stream->position, (size_t)size);
    if (status != UTET_OK)
        stream->priv.done = stream->priv.file->priv.done;
    return status;
}

/* ---- opening ---- */

/* The codec of that number; NULL: the file has none. */
static const utet_codec *stream_find_codec(const utet_file *file, uint32_t id)
{
    const utet_codec *const *codec = file->priv.codecs;

    if (codec == NULL)
        return NULL;
    while (*codec != NULL && (*codec)->id != id)
        codec++;
    return *codec;
}

utet_status utet_stream_prepare(utet_stream *stream, utet_file *file, const utet_chunk *chunk, uint8_t *whole)
{
    stream->position = 0;
    stream->priv.done = 0;
    stream->priv.status = UTET_OK;
    stream->priv.stage = stream->priv.carried = 0;
    stream->priv.codec = NULL;
    stream->priv.work = NULL;
    stream->priv.whole = whole;
    stream->priv.file = file;
    stream->length = chunk->raw_byte_len;
    stream->priv.offset = chunk->payload_offset;
    stream->priv.stored = chunk->stored_byte_len;
    if (chunk->codec != UTET_CODEC_RAW) {
        stream->priv.codec = stream_find_codec(file, chunk->codec);
        if (stream->priv.codec == NULL) {
            utet_row_fail(file, UTET_ROW_CODEC, chunk->row);
            return UTET_E_CODEC;
        }
    }
    return utet_row_check(file, chunk); /* *chunk comes from the caller, so it may be anything */
}

utet_status utet_stream_start(utet_stream *stream, utet_file *file, const utet_chunk *chunk, uint8_t *whole)
{
    if (file->priv.step == 0) {
        utet_status status = utet_stream_prepare(stream, file, chunk, whole);

        if (status != UTET_OK)
            return status;
        file->priv.step = 1; /* prepared */
    }
    if (UTET_IS_RAW(stream))
        return utet_raw_assign(file, stream);
    return stream->priv.codec->driver->start(stream);
}

utet_status utet_stream_open(utet_stream *stream, utet_file *file, const utet_chunk *chunk)
{
    utet_status status = utet_enter(file, UTET_CALL_STREAM_OPEN);

    if (status != UTET_OK)
        return status;
    status = utet_stream_start(stream, file, chunk, NULL);
    if (UTET_IS_ERROR(status))
        stream->priv.file = NULL; /* its calls return UTET_E_STATE */
    return utet_leave(file, status);
}

/* ---- reading ---- */

utet_status utet_stream_enter(utet_stream *stream, uint8_t call)
{
    utet_file *file = stream->priv.file;

    if (file == NULL || file->priv.owner != stream)
        return UTET_E_STATE;
    if (stream->priv.status != UTET_OK)
        return stream->priv.status;
    return utet_enter(file, call);
}

utet_status utet_stream_leave(utet_status status, utet_stream *stream)
{
    if (status == UTET_WOULD_BLOCK)
        return status;
    stream->position += stream->priv.done;
    stream->priv.done = 0;
    stream->priv.file->priv.busy = UTET_CALL_NONE; /* utet_leave, of a call that is not suspended */
    if (UTET_IS_ERROR(status))
        stream->priv.status = status;
    return status;
}

/* 1: a repeated call has the destination and the size of the first one. */
static int is_given(utet_file *file, const void *buffer, size_t size)
{
    if (file->priv.call.given.at == NULL) {
        file->priv.call.given.at = buffer;
        file->priv.call.given.size = size;
    }
    return file->priv.call.given.at == buffer && file->priv.call.given.size == size;
}

utet_status utet_stream_read(utet_stream *stream, void *buffer, size_t size, size_t *got)
{
    utet_status status = utet_stream_enter(stream, UTET_CALL_STREAM_READ);
    uint64_t left;

    *got = 0;
    if (status == UTET_OK && !is_given(stream->priv.file, buffer, size))
        status = UTET_E_STATE;
    if (status != UTET_OK)
        return status;
    left = stream->length - stream->position;
    if ((size_t)left / 4u >= size) /* with four slices or more, reading ahead pays (utet_copy_bytes) */
        stream->priv.file->priv.at = NULL;
    if (size > left)
        size = (size_t)left;
    status = left == 0 ? UTET_END : utet_stream_deliver(stream, (uint8_t *)buffer, size);
    *got = (size_t)stream->priv.done;
    return utet_stream_leave(status, stream);
}
