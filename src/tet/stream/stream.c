/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Streams: opening, and reading the bytes of one chunk in order. */
#include "stream.h"

#include <string.h>

/* ---- raw chunks (§5): copied from the window or straight from the port ---- */

/* Raw chunks need the window only. UTET_E_BUDGET: the budget is smaller than the minimum window.
 * No memory is assigned, so no codec can open in the memory of an older owner. */
static utet_status lend_raw(utet_file *file, const void *owner, const utet_need *need)
{
    utet_status status = utet_window_alone(file); /* a codec may have had a part of it */

    (void)need;
    if (status == UTET_OK) {
        file->priv.owner = owner;
        file->priv.lent = 0;
    }
    return status;
}

static utet_status start_raw(utet_stream *stream)
{
    return lend_raw(stream->priv.file, stream, NULL);
}

static utet_status stream_read_raw(utet_stream *stream, uint8_t *to, uint64_t size)
{
    utet_file *file = stream->priv.file;
    utet_status status = UTET_OK;

    if (to != NULL)
        status = utet_copy_bytes(file, to, stream->priv.offset + stream->position, (size_t)size);
    stream->priv.done = status == UTET_OK ? size : file->priv.done;
    return status;
}

static const utet_codec_driver raw_driver = {start_raw, NULL, stream_read_raw, lend_raw, NULL, NULL};
static const utet_codec raw_codec = {UTET_CODEC_RAW, NULL, NULL, NULL, &raw_driver};

/* ---- opening ---- */

static const utet_codec *stream_find_codec(const utet_file *file, uint32_t id)
{
    const utet_codec *const *codec = file->priv.codecs;

    if (id == UTET_CODEC_RAW)
        return &raw_codec;
    if (codec == NULL)
        return NULL;
    while (*codec != NULL && (*codec)->id != id)
        codec++;
    return *codec;
}

utet_status utet_stream_prepare(utet_stream *stream, utet_file *file, const utet_chunk *chunk, uint8_t *whole)
{
    stream->position = 0;
    stream->priv.file = file;
    stream->length = chunk->raw_byte_len;
    stream->priv.offset = chunk->payload_offset;
    stream->priv.stored = chunk->stored_byte_len;
    stream->priv.whole = whole;
    stream->priv.work = NULL;
    stream->priv.avail = 0;
    stream->priv.done = 0;
    stream->priv.scratch[0] = stream->priv.scratch[1] = 0;
    stream->priv.status = UTET_OK;
    stream->priv.stage = stream->priv.carried = 0;
    stream->priv.codec = stream_find_codec(file, chunk->codec);
    if (stream->priv.codec == NULL) {
        utet_row_fail(file, UTET_ROW_CODEC, chunk->row);
        return UTET_E_CODEC;
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
    return stream->priv.codec->driver->start(stream);
}

utet_status utet_stream_open(utet_stream *stream, utet_file *file, const utet_chunk *chunk)
{
    utet_status status = utet_enter(file, UTET_CALL_STREAM_OPEN);

    if (status != UTET_OK)
        return status;
    status = utet_stream_start(stream, file, chunk, NULL);
    if (UTET_IS_ERROR(status) && file->priv.owner == stream)
        file->priv.owner = NULL;
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

utet_status utet_stream_leave(utet_stream *stream, utet_status status)
{
    if (status == UTET_WOULD_BLOCK)
        return status;
    stream->position += stream->priv.done;
    stream->priv.done = 0;
    if (UTET_IS_ERROR(status))
        stream->priv.status = status;
    stream->priv.file->priv.busy = UTET_CALL_NONE; /* utet_leave, of a call that is not suspended */
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
    if (size >= left)
        size = (size_t)left;
    else /* more slices follow: the window reads ahead for them (utet_copy_bytes) */
        stream->priv.file->priv.at = NULL;
    status = left == 0 ? UTET_END : stream->priv.codec->driver->read(stream, (uint8_t *)buffer, size);
    *got = (size_t)stream->priv.done;
    return utet_stream_leave(stream, status);
}
