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

/* Raw chunks have no codec. (A descriptor and a driver of their own take 44 bytes of constants.) */
#define UTET_IS_RAW(stream) ((stream)->priv.codec == NULL)

/* Fills in *stream for `chunk`, read in slices or (whole not null) into one destination. The driver of the codecs
 * clears the members that only codecs use. UTET_E_ROW, UTET_E_CODEC. No I/O. */
utet_status utet_stream_prepare(utet_stream *stream, utet_file *file, const utet_chunk *chunk, uint8_t *whole);
/* utet_stream_open, and the first half of utet_stream_load. Resumable; repeated in the same call
 * after UTET_OK, it does nothing. */
utet_status utet_stream_start(utet_stream *stream, utet_file *file, const utet_chunk *chunk, uint8_t *whole);
/* Raw chunks need the window only. UTET_E_BUDGET: the budget is smaller than the minimum window. No memory is assigned,
 * so no codec can open in the memory of an older owner. */
utet_status utet_raw_assign(utet_file *file, const void *owner);
/* Copies `size` bytes to `to`, or skips them if `to` is NULL; counts them in priv.done. */
utet_status utet_stream_deliver(utet_stream *stream, uint8_t *to, uint64_t size);
/* Ends a call that reads, unless `status` suspends it: counts what it has delivered, and keeps an
 * error, which sticks. Returns `status`. */
utet_status utet_stream_leave(utet_status status, utet_stream *stream);
/* Begins a call of that kind, or returns the status with which the stream refuses it. */
utet_status utet_stream_enter(utet_stream *stream, uint8_t call);

#endif
