/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* What slabs and codecs take from streams. Internal to the library. */
#ifndef UTET_STREAM_H
#define UTET_STREAM_H

#include "../container/container.h"
#include "utet_codec.h"

/* file->priv.busy */
enum {
    UTET_CALL_CHUNK_NEED = 0x0A,
    UTET_CALL_SLAB_NEED,
    UTET_CALL_STREAM_READ = UTET_CALL_LEAN, /* every slice is such a call */
    UTET_CALL_STREAM_OPEN,
    UTET_CALL_STREAM_SKIP,
    UTET_CALL_STREAM_LOAD,
    UTET_CALL_SLAB_OPEN,
    UTET_CALL_SLAB_RUN,
    UTET_CALL_SLAB_INTO,
    UTET_CALL_SLAB_MOVE,
    UTET_CALL_TILES_READ
};

/* Raw chunks: a codec without need, open, step. */
#define UTET_IS_RAW(stream) ((stream)->priv.codec->step == NULL)

/* Fills in *stream for `chunk`, read in slices or (whole not null) into one destination.
 * UTET_E_ROW, UTET_E_CODEC. No I/O. */
utet_status utet_stream_prepare(utet_stream *stream, utet_file *file, const utet_chunk *chunk, uint8_t *whole);
/* utet_stream_open, and the first half of utet_stream_load. Resumable; repeated in the same call
 * after UTET_OK, it does nothing. */
utet_status utet_stream_start(utet_stream *stream, utet_file *file, const utet_chunk *chunk, uint8_t *whole);
/* Ends a call that reads, unless `status` suspends it: counts what it has delivered, and keeps an
 * error, which sticks. Returns `status`. */
utet_status utet_stream_leave(utet_stream *stream, utet_status status);
/* Begins a call of that kind, or returns the status with which the stream refuses it. */
utet_status utet_stream_enter(utet_stream *stream, uint8_t call);

#endif
