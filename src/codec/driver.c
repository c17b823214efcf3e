/*
 * What all codecs share: finding out the need, lending the memory, opening, delivering.
 * Reached through the descriptors only, so a reader of raw chunks links none of it.
 */
#include "../stream/stream.h"

#include <string.h>

/* priv_step while a stream is opened; the step before the first is utet_stream_start's */
enum { STEP_BOUND = 1, STEP_EXACT, STEP_BEGIN };

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

/* An upper bound of the need is known without reading; only when the budget refuses that,
 * the headers of the payload are asked. */
static utet_status start(utet_stream *stream)
{
    utet_file *file = stream->priv_file;
    utet_status status;
    utet_need need;

    while (file->priv_step != STEP_BEGIN) {
        int exact = file->priv_step == STEP_EXACT;

        status = stream->priv_codec->need(stream, exact, &need);
        if (status != UTET_OK)
            return status;
        status = utet_lend(file, stream, &need);
        if (status != UTET_OK && exact)
            return status;
        file->priv_step = status == UTET_OK ? STEP_BEGIN : STEP_EXACT;
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

const utet_codec_driver utet_driver = {start, begin, deliver};
