/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * The part that all codecs share: computing the need, assigning the memory, opening, delivering.
 * Reached through the descriptors only, so a reader of raw chunks links none of it.
 */
#include "../stream/stream.h"

#include <string.h>

/* priv.stage */
enum {
    PREPARED,
    HEADERS, /* the need is being found out from the headers of the payload */
    OPEN     /* the codec is open */
};

/* How the need is computed: from lengths alone if the bound that they give fits the budget; from the headers of the
 * payload; for opening, from lengths alone only if all that could be useful fits, with a window of full size. A decoder
 * that has all of it reads no headers before the rest. With less, they are read here through the window, which brings
 * the bytes after them as well. Where rows have been found displaced, a slab opens by lengths alone only if a window of
 * full size is left too: with a smaller one, each search for a row takes more requests. */
enum { BOUND, EXACT, FOR_OPENING };

/* The first call clears what only codecs use: so a reader of raw chunks does not contain it. */
static utet_status compute_need(utet_stream *stream, int exact, utet_need *need)
{
    const utet_codec *codec = stream->priv.codec;
    const utet_file *file = stream->priv.file;

    if (stream->priv.stage == PREPARED) {
        stream->priv.avail = 0;
        stream->priv.scratch[0] = 0;
        stream->priv.scratch[1] = 0;
        if (exact != EXACT) {
            utet_status status = codec->need(stream, 0, need);
            uint64_t enough;

            if (status != UTET_OK)
                return status;
            enough = need->least;
            if (exact == FOR_OPENING && stream->priv.whole == NULL && need->best != need->least)
                enough = need->best;
            if (enough != need->least || (exact == BOUND && file->priv.displaced != 0))
                enough = utet_add(enough, utet_window_fit(file, SIZE_MAX) - utet_window_fit(file, 0));
            if (utet_needed(file, enough) <= file->budget)
                return UTET_OK;
        }
    }
    stream->priv.stage = HEADERS;
    return codec->need(stream, 1, need);
}

static utet_status driver_measure(utet_stream *stream, int exact, utet_need *largest)
{
    utet_need need;
    utet_status status = compute_need(stream, exact, &need);

    if (status != UTET_OK)
        return status;
    if (largest->least < need.least)
        largest->least = need.least;
    if (largest->best < need.best)
        largest->best = need.best;
    return UTET_OK;
}

/* Opens the codec in memory that is assigned to the stream now, or that a slab has got for the needs of all its rows.
 * In the second case the row has been read again since, so its need is computed again. Headers may also have changed:
 * a chunk that no longer fits the memory is damaged. */
static utet_status open_codec(utet_stream *stream, int assign)
{
    const utet_codec *codec = stream->priv.codec;
    utet_file *file = stream->priv.file;
    utet_status status;

    if (stream->priv.work == NULL) {
        utet_need need;

        status = compute_need(stream, FOR_OPENING, &need);
        if (status == UTET_OK && assign)
            status = utet_lend(file, stream, &need);
        if (status == UTET_OK && need.least > file->priv.lent)
            status = UTET_E_BUDGET;
        if (status != UTET_OK)
            return status;
        stream->priv.work = utet_behind(file);
        stream->priv.work_len = file->priv.lent;
    }
    if (stream->priv.stage != OPEN) {
        status = codec->open(stream);
        if (status == UTET_E_BUDGET)
            status = utet_payload_error(stream, 0, UTET_E_PAYLOAD);
        if (status != UTET_OK)
            return status;
        stream->priv.stage = OPEN;
    }
    return stream->length != 0 ? UTET_OK : codec->step(stream, 1);
}

static utet_status driver_start(utet_stream *stream)
{
    return open_codec(stream, 1);
}

static utet_status start_lent(utet_stream *stream)
{
    return open_codec(stream, 0);
}

static utet_status driver_deliver(utet_stream *stream, uint8_t *to, uint64_t size)
{
    if (stream->priv.done > size)
        return UTET_E_STATE; /* a repeated call has room for less than it has delivered: the stream has ended */
    while (stream->priv.done < size) {
        uint64_t left = size - stream->priv.done;
        size_t some = left < SIZE_MAX ? (size_t)left : SIZE_MAX;

        if (stream->priv.avail == 0) {
            utet_status status = stream->priv.codec->step(stream, some);

            if (status != UTET_OK)
                return status;
        }
        if (some > stream->priv.avail)
            some = stream->priv.avail;
        if (to != NULL)
            memcpy(to + (size_t)stream->priv.done, stream->priv.out, some);
        stream->priv.out += some;
        stream->priv.avail -= some;
        stream->priv.done += some;
    }
    return UTET_OK;
}

/* An element may come in two pieces, when a slice or the ring ends inside it; priv.carry puts it
 * together. Delivered bytes stay available until the next call, which consumes them. */
static utet_status driver_fetch(utet_stream *stream, uint64_t position, size_t length, size_t want, utet_view *view)
{
    if (stream->priv.carried == 0) {
        utet_status status = driver_deliver(stream, NULL, position - stream->position);

        if (status != UTET_OK)
            return status;
        stream->position = position;
        stream->priv.done = 0;
    }
    for (;;) {
        size_t piece = length - stream->priv.carried;
        utet_status status = UTET_OK;

        if (stream->priv.avail == 0)
            status = stream->priv.codec->step(stream, stream->priv.carried == 0 ? want : piece);
        if (status != UTET_OK)
            return status;
        if (stream->priv.carried == 0 && stream->priv.avail >= length) {
            view->at = stream->priv.out;
            view->have = stream->priv.avail;
            return UTET_OK;
        }
        if (piece > stream->priv.avail)
            piece = stream->priv.avail;
        memcpy(stream->priv.carry + stream->priv.carried, stream->priv.out, piece);
        stream->priv.out += piece;
        stream->priv.avail -= piece;
        stream->position += piece;
        stream->priv.carried = (uint8_t)(stream->priv.carried + piece);
        if (stream->priv.carried == length) {
            stream->priv.carried = 0;
            view->at = stream->priv.carry;
            view->have = length;
            return UTET_OK;
        }
    }
}

const utet_codec_driver utet_driver = {driver_start, start_lent,     driver_deliver,
                                       utet_lend,    driver_measure, driver_fetch};
