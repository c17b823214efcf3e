/*
 * What all codecs share: finding out the need, lending the memory, opening, delivering.
 * Reached through the descriptors only, so a reader of raw chunks links none of it.
 */
#include "../stream/stream.h"

#include <string.h>

enum { STEP_BEGIN = 2 }; /* priv_step while a stream is opened; 0 and 1 are stream.c's */

/* Opens the codec in the memory that is lent now. */
static utet_status begin(utet_stream *stream)
{
    const utet_codec *codec = stream->priv_codec;
    const utet_file *file = stream->priv_file;

    if (stream->priv_begun == 0) {
        utet_status status;

        if (stream->priv_work == NULL) {
            stream->priv_work = file->priv_work + file->priv_window;
            stream->priv_work_len = file->priv_lent;
            stream->priv_scratch[0] = 0;
            stream->priv_scratch[1] = 0;
        }
        status = codec->open(stream);
        if (status != UTET_OK)
            return status;
        stream->priv_begun = 1;
    }
    return stream->length != 0 ? UTET_OK : codec->step(stream, 1);
}

/* An upper bound of the need is known without reading; only when that is more than the budget
 * (or the exact need is asked for), headers of the payload are read. */
static utet_status measure(utet_stream *stream, int exact, utet_need *largest)
{
    const utet_codec *codec = stream->priv_codec;
    const utet_file *file = stream->priv_file;
    utet_need need;
    utet_status status;

    if ((stream->priv_scratch[0] | stream->priv_scratch[1]) != 0)
        exact = 1; /* resumed: the headers are being walked */
    status = codec->need(stream, exact, &need);
    if (status == UTET_OK && !exact &&
        utet_add(need.least, utet_window_fit(file, 0)) > file->budget)
        status = codec->need(stream, 1, &need);
    if (status != UTET_OK)
        return status;
    if (largest->least < need.least)
        largest->least = need.least;
    if (largest->best < need.best)
        largest->best = need.best;
    return UTET_OK;
}

static utet_status start(utet_stream *stream)
{
    utet_file *file = stream->priv_file;

    if (file->priv_step != STEP_BEGIN) {
        utet_need need = {0, 0};
        utet_status status = measure(stream, 0, &need);

        if (status == UTET_OK)
            status = utet_lend(file, stream, &need);
        if (status != UTET_OK)
            return status;
        file->priv_step = STEP_BEGIN;
    }
    return begin(stream);
}

static utet_status deliver(utet_stream *stream, uint8_t *to, uint64_t size)
{
    while (stream->priv_done < size) {
        uint64_t left = size - stream->priv_done;
        size_t some = left < SIZE_MAX ? (size_t)left : SIZE_MAX;

        if (stream->priv_avail == 0) {
            utet_status status = stream->priv_codec->step(stream, some);

            if (status != UTET_OK)
                return status;
        }
        if (some > stream->priv_avail)
            some = stream->priv_avail;
        if (to != NULL)
            memcpy(to + (size_t)stream->priv_done, stream->priv_out, some);
        stream->priv_out += some;
        stream->priv_avail -= some;
        stream->priv_done += some;
    }
    return UTET_OK;
}

/* What is wanted may come in two pieces (a slice or the ring ends within): such an element is
 * put together in priv_carry. What is handed out stays available until the next call, which
 * passes over it. */
static utet_status view(utet_stream *stream, uint64_t position, size_t length, size_t want)
{
    utet_file *file = stream->priv_file;

    if (stream->priv_carried == 0) {
        utet_status status = deliver(stream, NULL, position - stream->position);

        if (status != UTET_OK)
            return status;
        stream->position = position;
        stream->priv_done = 0;
    }
    for (;;) {
        size_t piece = length - stream->priv_carried;
        utet_status status = UTET_OK;

        if (stream->priv_avail == 0)
            status = stream->priv_codec->step(stream, stream->priv_carried == 0 ? want : piece);
        if (status != UTET_OK)
            return status;
        if (stream->priv_carried == 0 && stream->priv_avail >= length) {
            file->priv_at = stream->priv_out;
            file->priv_have = stream->priv_avail;
            return UTET_OK;
        }
        if (piece > stream->priv_avail)
            piece = stream->priv_avail;
        memcpy(stream->priv_carry + stream->priv_carried, stream->priv_out, piece);
        stream->priv_out += piece;
        stream->priv_avail -= piece;
        stream->position += piece;
        stream->priv_carried = (uint8_t)(stream->priv_carried + piece);
        if (stream->priv_carried == length) {
            stream->priv_carried = 0;
            file->priv_at = stream->priv_carry;
            file->priv_have = length;
            return UTET_OK;
        }
    }
}

const utet_codec_driver utet_driver = {start, begin, deliver, utet_lend, measure, view};
