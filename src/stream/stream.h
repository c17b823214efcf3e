/* What slabs and codecs take from streams. Internal to the library. */
#ifndef UTET_STREAM_H
#define UTET_STREAM_H

#include "../container/container.h"

/* Raw chunks: a codec without need, open, step. */
#define UTET_IS_RAW(stream) ((stream)->priv_codec->step == NULL)

/* Fills in *stream for `chunk`, read in slices or (whole not null) into one destination.
 * UTET_E_ROW, UTET_E_CODEC. No I/O. */
utet_status utet_stream_prepare(utet_stream *stream, utet_file *file, const utet_chunk *chunk,
                                uint8_t *whole);
/* utet_stream_open and the first half of utet_chunk_load, from priv_step 0 to
 * UTET_STREAM_STARTED. A codec's start may use the steps 1 to 15. Resumable. */
utet_status utet_stream_start(utet_stream *stream, utet_file *file, const utet_chunk *chunk,
                              uint8_t *whole);
/* Books what a call has delivered, keeps an error that sticks, leaves the call. */
utet_status utet_stream_settle(utet_stream *stream, utet_status status);
/* May this stream be used in a call of that kind? */
utet_status utet_stream_enter(utet_stream *stream, uint8_t call);
enum { UTET_STREAM_STARTED = 16 };

#endif
