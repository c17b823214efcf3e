/*
 * Streams: the bytes of one chunk in order. Raw chunks are copied from window or port;
 * a codec makes bytes available (priv_out, priv_avail), which are copied out from there.
 */
#include "stream.h"

#include <string.h>

/* ---- opening ---- */

static const utet_codec *find_codec(const utet_file *file, uint32_t id)
{
    const utet_codec *const *codec = file->priv_codecs;

    if (codec != NULL)
        for (; *codec != NULL; codec++)
            if ((*codec)->id == id)
                return *codec;
    return NULL;
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
    if (chunk->codec != UTET_CODEC_RAW) {
        stream->priv_codec = find_codec(file, chunk->codec);
        if (stream->priv_codec == NULL)
            return utet_fail(file, UTET_E_CODEC, utet_row_offset(file, chunk->row) + 96);
    }
    return utet_row_check(file, chunk); /* the caller may have made it up */
}

utet_status utet_stream_need(utet_stream *stream, int exact, utet_need *need)
{
    const utet_file *file = stream->priv_file;
    utet_status status;

    need->least = 0;
    need->best = 0;
    if (stream->priv_codec != NULL) {
        status = stream->priv_codec->need(stream, exact, need);
        if (status != UTET_OK)
            return status;
    }
    need->least = utet_add(need->least, utet_window_fit(file, 0));
    need->best = utet_add(need->best, utet_window_fit(file, UINT64_MAX));
    return UTET_OK;
}

utet_status utet_stream_begin(utet_stream *stream)
{
    utet_file *file = stream->priv_file;
    utet_status status;

    if (stream->priv_codec == NULL)
        return UTET_OK;
    if (stream->priv_work == NULL) {
        stream->priv_work = file->priv_work + file->priv_window;
        stream->priv_work_len = file->priv_lent;
        stream->priv_scratch[0] = 0;
        stream->priv_scratch[1] = 0;
    }
    if (stream->priv_begun == 0) {
        status = stream->priv_codec->open(stream);
        if (status != UTET_OK)
            return status;
        stream->priv_begun = 1;
    }
    return stream->length != 0 ? UTET_OK : stream->priv_codec->step(stream, 1);
}

/* priv_step while a stream is opened */
enum { STEP_PREPARE, STEP_BOUND, STEP_EXACT, STEP_BEGIN, STEP_DATA };

/* An upper bound of the need is known without reading; only when that is refused the
 * headers of the payload are asked. */
static utet_status open_steps(utet_stream *stream, utet_file *file, const utet_chunk *chunk,
                              uint8_t *whole)
{
    utet_status status;
    utet_need need;

    if (file->priv_step == STEP_PREPARE) {
        status = utet_stream_prepare(stream, file, chunk, whole);
        if (status != UTET_OK)
            return status;
        file->priv_step = STEP_BOUND;
    }
    while (file->priv_step < STEP_BEGIN) {
        int exact = file->priv_step == STEP_EXACT;

        status = utet_stream_need(stream, exact, &need);
        if (status != UTET_OK)
            return status;
        status = utet_lend(file, stream, &need);
        if (status != UTET_OK && exact)
            return status;
        file->priv_step = status == UTET_OK ? STEP_BEGIN : STEP_EXACT;
    }
    if (file->priv_step == STEP_BEGIN) {
        status = utet_stream_begin(stream);
        if (status != UTET_OK)
            return status;
        file->priv_step = STEP_DATA;
    }
    return UTET_OK;
}

/* A stream that could not be opened, or has been loaded, is over. */
static void disown(const utet_stream *stream, utet_file *file)
{
    if (file->priv_owner == stream)
        file->priv_owner = NULL;
}

utet_status utet_stream_open(utet_stream *stream, utet_file *file, const utet_chunk *chunk)
{
    utet_status status = utet_enter(file, UTET_CALL_STREAM_OPEN);

    if (status == UTET_OK)
        status = utet_leave(file, open_steps(stream, file, chunk, NULL));
    if (UTET_IS_ERROR(status) && status != UTET_E_STATE)
        disown(stream, file);
    return status;
}

utet_status utet_chunk_need(utet_file *file, const utet_chunk *chunk, int whole, utet_need *need)
{
    utet_status status = utet_enter(file, UTET_CALL_CHUNK_NEED);
    utet_stream stream;

    if (status != UTET_OK)
        return status;
    /* only whether there is a destination matters here, not where */
    status = utet_stream_prepare(&stream, file, chunk, whole ? (uint8_t *)need : NULL);
    if (status == UTET_OK) {
        memcpy(stream.priv_scratch, file->priv_cursor, sizeof stream.priv_scratch);
        status = utet_stream_need(&stream, 1, need);
        memcpy(file->priv_cursor, stream.priv_scratch, sizeof stream.priv_scratch);
    }
    return utet_leave(file, status);
}

/* ---- reading ---- */

utet_status utet_stream_fill(utet_stream *stream, size_t want)
{
    return stream->priv_avail != 0 ? UTET_OK : stream->priv_codec->step(stream, want);
}

/* Takes up to `size` available bytes; copies them unless they lie in their place already. */
static size_t take(utet_stream *stream, uint8_t *to, size_t size)
{
    size_t count = stream->priv_avail < size ? stream->priv_avail : size;

    if (to != NULL)
        memcpy(to, stream->priv_out, count);
    stream->priv_out += count;
    stream->priv_avail -= count;
    return count;
}

/* The next `size` bytes (≤ what is left) to `to`, which may be null for a codec stream:
 * they are passed over then. Progress in priv_done. */
static utet_status deliver(utet_stream *stream, uint8_t *to, uint64_t size)
{
    while (stream->priv_done < size) {
        uint64_t left = size - stream->priv_done;
        size_t some = left < SIZE_MAX ? (size_t)left : SIZE_MAX;
        utet_status status = utet_stream_fill(stream, some);

        if (status != UTET_OK)
            return status;
        stream->priv_done += take(stream, to != NULL ? to + stream->priv_done : NULL, some);
    }
    return UTET_OK;
}

static utet_status read_raw(utet_stream *stream, uint8_t *to, size_t size)
{
    utet_file *file = stream->priv_file;
    utet_status status =
        utet_copy_bytes(file, stream->priv_offset + stream->position, to, size);

    stream->priv_done = status == UTET_OK ? size : file->priv_done;
    return status;
}

/* Books what a call has delivered, keeps an error that sticks. */
static utet_status settle(utet_stream *stream, utet_status status)
{
    if (status != UTET_WOULD_BLOCK) {
        stream->position += stream->priv_done;
        stream->priv_done = 0;
        if (UTET_IS_ERROR(status))
            stream->priv_status = status;
    }
    return utet_leave(stream->priv_file, status);
}

static utet_status enter(utet_stream *stream, uint8_t call)
{
    utet_file *file = stream->priv_file;

    if (file->priv_owner != stream)
        return UTET_E_STATE;
    if (stream->priv_status != UTET_OK)
        return stream->priv_status;
    return utet_enter(file, call);
}

utet_status utet_stream_read(utet_stream *stream, void *buffer, size_t size, size_t *got)
{
    utet_status status = enter(stream, UTET_CALL_STREAM_READ);
    uint64_t left = stream->length - stream->position;

    *got = 0;
    if (status != UTET_OK)
        return status;
    if (size == 0)
        return utet_leave(stream->priv_file, UTET_E_ARGUMENT);
    if (left == 0)
        return utet_leave(stream->priv_file, UTET_END);
    if (size > left)
        size = (size_t)left;
    status = stream->priv_codec == NULL ? read_raw(stream, (uint8_t *)buffer, size)
                                        : deliver(stream, (uint8_t *)buffer, size);
    *got = (size_t)stream->priv_done;
    return settle(stream, status);
}

utet_status utet_stream_seek(utet_stream *stream, uint64_t position)
{
    if (stream->priv_codec != NULL) {
        utet_status status = deliver(stream, NULL, position - stream->position);

        if (status != UTET_OK)
            return status;
        stream->priv_done = 0;
    }
    stream->position = position;
    return UTET_OK;
}

utet_status utet_stream_skip(utet_stream *stream, uint64_t count)
{
    utet_status status = enter(stream, UTET_CALL_STREAM_SKIP);
    uint64_t left = stream->length - stream->position;

    if (status != UTET_OK)
        return status;
    return settle(stream,
                  utet_stream_seek(stream, stream->position + (count < left ? count : left)));
}

/* ---- the whole chunk at once ---- */

static utet_status load(utet_stream *stream, utet_file *file, const utet_chunk *chunk,
                        uint8_t *buffer, size_t size)
{
    utet_status status;

    if (size < chunk->raw_byte_len)
        return UTET_E_SPACE;
    status = open_steps(stream, file, chunk, buffer);
    if (status != UTET_OK)
        return status;
    if (stream->priv_codec == NULL)
        return read_raw(stream, buffer, (size_t)stream->length);
    return deliver(stream, NULL, stream->length); /* decodes into its place */
}

utet_status utet_chunk_load(utet_stream *stream, utet_file *file, const utet_chunk *chunk,
                            void *buffer, size_t size)
{
    utet_status status = utet_enter(file, UTET_CALL_CHUNK_LOAD);

    if (status != UTET_OK)
        return status;
    status = utet_leave(file, load(stream, file, chunk, (uint8_t *)buffer, size));
    if (status != UTET_WOULD_BLOCK)
        disown(stream, file);
    return status;
}
