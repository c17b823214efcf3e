/* Streams: opening, and reading the bytes of one chunk in order. */
#include "stream.h"

#include <string.h>

/* ---- raw chunks (§5): copied from the window or straight from the port ---- */

/* The window is all that is needed; below its least it is larger than the budget. */
static utet_status lend_raw(utet_file *file, const void *owner, const utet_need *need)
{
    (void)need;
    utet_window_resize(file, utet_window_fit(file, file->budget)); /* a codec may have had it */
    if (file->priv_window > file->budget) {
        file->needed = file->priv_window;
        return UTET_E_BUDGET;
    }
    file->priv_owner = owner;
    return UTET_OK;
}

static utet_status start_raw(utet_stream *stream)
{
    return lend_raw(stream->priv_file, stream, NULL);
}

static utet_status read_raw(utet_stream *stream, uint8_t *to, uint64_t size)
{
    utet_file *file = stream->priv_file;
    utet_status status = UTET_OK;

    if (to != NULL)
        status = utet_copy_bytes(file, to, stream->priv_offset + stream->position, (size_t)size);
    stream->priv_done = status == UTET_OK ? size : file->priv_done;
    return status;
}

static const utet_codec_driver raw_driver = {start_raw, NULL, read_raw, lend_raw, NULL, NULL};
static const utet_codec raw = {UTET_CODEC_RAW, NULL, NULL, NULL, &raw_driver};

/* ---- opening ---- */

static const utet_codec *find_codec(const utet_file *file, uint32_t id)
{
    const utet_codec *const *codec = file->priv_codecs;

    if (id == UTET_CODEC_RAW)
        return &raw;
    if (codec == NULL)
        return NULL;
    while (*codec != NULL && (*codec)->id != id)
        codec++;
    return *codec;
}

utet_status utet_stream_prepare(utet_stream *stream, utet_file *file, const utet_chunk *chunk,
                                uint8_t *whole)
{
    memset(stream, 0, sizeof *stream);
    stream->priv_file = file;
    stream->length = chunk->raw_byte_len;
    stream->priv_offset = chunk->payload_offset;
    stream->priv_stored = chunk->stored_byte_len;
    stream->priv_whole = whole;
    stream->priv_codec = find_codec(file, chunk->codec);
    if (stream->priv_codec == NULL) {
        utet_row_fail(file, UTET_ROW_CODEC, chunk->row);
        return UTET_E_CODEC;
    }
    return utet_row_check(file, chunk); /* the caller may have made it up */
}

utet_status utet_stream_start(utet_stream *stream, utet_file *file, const utet_chunk *chunk,
                              uint8_t *whole)
{
    utet_status status = UTET_OK;

    if (file->priv_step == 0) {
        status = utet_stream_prepare(stream, file, chunk, whole);
        file->priv_step = 1;
    }
    if (status == UTET_OK && file->priv_step != UTET_STREAM_STARTED) {
        status = stream->priv_codec->driver->start(stream);
        if (status == UTET_OK)
            file->priv_step = UTET_STREAM_STARTED;
    }
    return status;
}

utet_status utet_stream_open(utet_stream *stream, utet_file *file, const utet_chunk *chunk)
{
    utet_status status = utet_enter(file, UTET_CALL_STREAM_OPEN);

    if (status != UTET_OK)
        return status;
    status = utet_stream_start(stream, file, chunk, NULL);
    if (UTET_IS_ERROR(status) && file->priv_owner == stream)
        file->priv_owner = NULL;
    return utet_leave(file, status);
}

/* ---- reading ---- */

utet_status utet_stream_enter(utet_stream *stream, uint8_t call)
{
    utet_file *file = stream->priv_file;

    if (file == NULL || file->priv_owner != stream)
        return UTET_E_STATE;
    if (stream->priv_status != UTET_OK)
        return stream->priv_status;
    return utet_enter(file, call);
}

utet_status utet_stream_settle(utet_stream *stream, utet_status status)
{
    if (status == UTET_WOULD_BLOCK)
        return status;
    stream->position += stream->priv_done;
    stream->priv_done = 0;
    if (UTET_IS_ERROR(status))
        stream->priv_status = status;
    return utet_leave(stream->priv_file, status);
}

utet_status utet_stream_read(utet_stream *stream, void *buffer, size_t size, size_t *got)
{
    utet_status status = utet_stream_enter(stream, UTET_CALL_STREAM_READ);
    uint64_t left = stream->length - stream->position;

    *got = 0;
    if (status != UTET_OK)
        return status;
    if (size > left)
        size = (size_t)left;
    status = left == 0 ? UTET_END
                       : stream->priv_codec->driver->read(stream, (uint8_t *)buffer, size);
    *got = (size_t)stream->priv_done;
    return utet_stream_settle(stream, status);
}
