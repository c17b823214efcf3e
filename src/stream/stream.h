/* What slabs take from streams. Internal to the library. */
#ifndef UTET_STREAM_H
#define UTET_STREAM_H

#include "../container/container.h"

/* Fills in *stream for `chunk`, read in slices or (whole not null) into one destination.
 * UTET_E_ROW, UTET_E_CODEC. No I/O. */
utet_status utet_stream_prepare(utet_stream *stream, utet_file *file, const utet_chunk *chunk,
                                uint8_t *whole);
/* What a prepared stream needs, window included. Resumable through priv_scratch. */
utet_status utet_stream_need(utet_stream *stream, int exact, utet_need *need);
/* Opens the codec of a prepared stream in the memory that is lent now. Resumable. */
utet_status utet_stream_begin(utet_stream *stream);
/* Moves a begun stream on to `position`, ≥ its own. Resumable. */
utet_status utet_stream_seek(utet_stream *stream, uint64_t position);
/* Makes at least one byte available in priv_out (codec streams only). */
utet_status utet_stream_fill(utet_stream *stream, size_t want);

#endif
