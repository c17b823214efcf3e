/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * For authors of codecs: the interface between streams and codecs, and the calls through which a codec reads its
 * payload. Programs that only read files do not need this header.
 */
#ifndef UTET_CODEC_H
#define UTET_CODEC_H

#include "utet.h"

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __ELF__
#pragma GCC visibility push(default)
#endif

/* A view: decoded bytes that are addressable until the next call on the stream. */
typedef struct utet_view {
    const uint8_t *at;
    size_t have; /* number of bytes at `at` */
} utet_view;

/*
 * The driver: the functions that all codecs share. The library's own driver is utet_driver.
 * start: computes the need, assigns the memory and opens the codec.
 * start_lent: opens the codec in memory that is assigned to a slab. UTET_E_BUDGET: the row now needs more memory.
 * read: copies `size` bytes to `to`, or skips them if `to` is NULL; counts them in priv.done.
 * assign: assigns the workspace after the window to a stream or slab.
 * measure: raises *largest to the need of this stream, if that is larger.
 * fetch: makes decoded bytes [position, position + length) addressable, length 1..8; position is not before that of the
 *   previous call. Continues up to `want` bytes if they are available at once.
 */
typedef struct utet_codec_driver {
    utet_status (*start)(utet_stream *stream);
    utet_status (*start_lent)(utet_stream *stream);
    utet_status (*read)(utet_stream *stream, uint8_t *to, uint64_t size);
    utet_status (*assign)(utet_file *file, const void *owner, const utet_need *need);
    utet_status (*measure)(utet_stream *stream, int exact, utet_need *largest);
    utet_status (*fetch)(utet_stream *stream, uint64_t position, size_t length, size_t want, utet_view *view);
} utet_codec_driver;

/*
 * A codec descriptor. Raw chunks do not need one. Its functions take the stream whose payload they decode. They read
 * the payload's bytes in any order with utet_payload_fetch and utet_payload_copy, or in io.map. All three functions may
 * return UTET_WOULD_BLOCK; they have then changed only the state that they need to continue in the next call. On a data
 * error, they set the file's error_offset with utet_payload_error. WHOLE, WORK and so on are the macros UTET_CODEC_…
 * below. src/tet/CODEC.md has an example.
 *
 * need: computes the work memory in bytes, without the window. least: sufficient to decode into slices, or into WHOLE
 *   if that is not NULL. best: the useful maximum. exact = 0: computes an upper bound for both from the row alone,
 *   without reading; exact = 1: computes the exact amount and may read headers. May use SCRATCH, which is 0 at the
 *   first call.
 * open: prepares decoding with WORK_LENGTH bytes at WORK, at least the number that `need` has computed. At the first
 *   call, SCRATCH is as `need` has left it.
 * step: called when AVAIL is 0 and fewer than `length` bytes have been delivered. Makes one byte or more available in
 *   OUT / AVAIL, preferably not more than `want`. With WHOLE, OUT points into it, in order. Must not make the chunk's
 *   last byte available before it has found that the payload ends exactly there.
 *   For a chunk of length 0, step is called once during opening: it checks that the payload decodes to nothing.
 * driver: always &utet_driver. Streams use it only through the descriptor, so a reader of raw chunks does not link it.
 */
struct utet_codec {
    uint32_t id; /* codec number in the rows of the chunks that it decodes */
    utet_status (*need)(utet_stream *stream, int exact, utet_need *need);
    utet_status (*open)(utet_stream *stream);
    utet_status (*step)(utet_stream *stream, size_t want);
    const utet_codec_driver *driver;
};

extern const utet_codec_driver utet_driver;

/* The members of a stream that a codec uses. These names are stable; the members of priv may change. */
#define UTET_PAYLOAD_LENGTH(stream) ((stream)->priv.stored) /* length of the payload in bytes */
#define UTET_CODEC_WORK(stream) ((stream)->priv.work)       /* the codec's memory; its address is a multiple of 8 */
#define UTET_CODEC_WORK_LENGTH(stream) ((stream)->priv.work_len) /* size of the codec's memory in bytes */
#define UTET_CODEC_WHOLE(stream) ((stream)->priv.whole)          /* destination of the complete chunk; NULL: slices */
#define UTET_CODEC_SCRATCH(stream) ((stream)->priv.scratch)      /* two uint64_t for the codec, initially 0 */
#define UTET_CODEC_OUT(stream) ((stream)->priv.out)     /* set by step: decoded bytes that are not delivered yet */
#define UTET_CODEC_AVAIL(stream) ((stream)->priv.avail) /* set by step: number of bytes at OUT */

/*
 * For codecs: makes payload bytes [position, position + length) addressable at *at, length 1..128. *have: number of
 * bytes at *at (≥ length); the pointer is valid until the next payload call. The window may read ahead up to
 * position + ahead; an `ahead` below `length` counts as `length`. The caller keeps position + length and
 * position + ahead within the payload.
 * Returns: OK, WOULD_BLOCK, E_SHORT, E_PORT
 */
utet_status utet_payload_fetch(utet_stream *stream, uint64_t position, size_t length, uint64_t ahead,
                               const uint8_t **at, size_t *have);
/*
 * For codecs: copies payload bytes to the workspace or the destination. It has copied all of them when it returns
 * UTET_OK. The caller keeps position + length within the payload.
 * Returns: OK, WOULD_BLOCK, E_SHORT, E_PORT
 */
utet_status utet_payload_copy(utet_stream *stream, uint64_t position, void *buffer, size_t length);
/*
 * For codecs: sets the file's error_offset to this position of the payload and returns its argument `status`.
 * Returns: status
 */
utet_status utet_payload_error(utet_stream *stream, uint64_t position, utet_status status);

/* Numbers of this header's types, for utet_sizeof (utet.h). */
enum { UTET_OBJECT_VIEW = 16, UTET_OBJECT_CODEC_DRIVER = 17, UTET_OBJECT_CODEC = 18 };

#ifdef __ELF__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif
