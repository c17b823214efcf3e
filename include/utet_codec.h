/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * For people who write codecs: the interface between streams and codecs, and how a codec reaches
 * its payload. Programs that only read files do not need this header.
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

/* Decoded bytes that are addressable until the next call on the stream. */
typedef struct utet_view {
    const uint8_t *at;
    size_t have; /* bytes there */
} utet_view;

/*
 * What all codecs share; the library's own is utet_driver.
 * start: computes the need, assigns the memory, opens the codec.
 * start_lent: opens the codec in memory that is assigned to a slab. UTET_E_BUDGET: the row now asks for more.
 * read: delivers `size` bytes to `to`, or skips them when `to` is NULL; counts them in priv.done.
 * assign: gives the workspace after the window to a stream or slab.
 * measure: raises *largest to the need of this stream.
 * fetch: makes decoded bytes [position, position + length) addressable, length 1..8; position is not before that of the
 *   last call. Goes on up to `want` bytes if they come at once.
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
 * A codec descriptor. Raw chunks need none. Its functions get the stream whose payload they decode. They reach the
 * payload's bytes in any order through utet_payload_fetch and utet_payload_copy, or in io.map. All three may return
 * UTET_WOULD_BLOCK; then they have changed only what they need to continue when they are called again. A data error
 * sets the file's error_offset with utet_payload_error. WHOLE, WORK and so on are the macros UTET_CODEC_… below.
 * src/tet/CODEC.md has an example.
 *
 * need: bytes of work memory, window not included. least: enough to decode into slices, or into WHOLE when that is
 *   not null. best: the most that is of use. exact = 0: an upper bound for both, from the row alone, without reading;
 *   1: the exact amount, for which headers may be read. May use SCRATCH, which is 0 at the first call.
 * open: gets ready to decode with WORK_LENGTH bytes at WORK, at least as many as need has said. SCRATCH is as need has
 *   left it at the first call.
 * step: called when AVAIL is 0 and not all of `length` has been delivered. Makes at least one byte available in
 *   OUT / AVAIL, preferably not more than `want`. With WHOLE, OUT points into it, in order. The chunk's last byte must
 *   not be available before the payload has been found to end exactly there.
 *   For a chunk of length 0, step is called once while it is opened: it checks that the payload decodes to nothing.
 * driver: always &utet_driver. It is reached through the descriptor, so a reader of raw chunks links none of it.
 */
struct utet_codec {
    uint32_t id; /* the codec number of the rows that it decodes */
    utet_status (*need)(utet_stream *stream, int exact, utet_need *need);
    utet_status (*open)(utet_stream *stream);
    utet_status (*step)(utet_stream *stream, size_t want);
    const utet_codec_driver *driver;
};

extern const utet_codec_driver utet_driver;

/* The members of a stream that a codec uses. These names stay; priv's own may change. */
#define UTET_PAYLOAD_LENGTH(stream) ((stream)->priv.stored) /* bytes of the payload */
#define UTET_CODEC_WORK(stream) ((stream)->priv.work)       /* the codec's memory; its address is a multiple of 8 */
#define UTET_CODEC_WORK_LENGTH(stream) ((stream)->priv.work_len) /* its size in bytes */
#define UTET_CODEC_WHOLE(stream) ((stream)->priv.whole)          /* destination of the whole chunk, or null: slices */
#define UTET_CODEC_SCRATCH(stream) ((stream)->priv.scratch)      /* two uint64_t for the codec, 0 at first */
#define UTET_CODEC_OUT(stream) ((stream)->priv.out)              /* step sets it: decoded bytes, not yet delivered */
#define UTET_CODEC_AVAIL(stream) ((stream)->priv.avail)          /* step sets it: how many bytes are there */

/*
 * For codecs: makes payload bytes [position, position + length) addressable at *at, length
 * 1..128. *have: how many bytes (≥ length) lie there; the pointer is valid until the next
 * payload call. The window may read ahead as far as position + ahead; less than length is
 * length. The caller keeps position + length and position + ahead within the payload.
 * Returns: OK, WOULD_BLOCK, E_SHORT, E_PORT
 */
utet_status utet_payload_fetch(utet_stream *stream, uint64_t position, size_t length, uint64_t ahead,
                               const uint8_t **at, size_t *have);
/*
 * For codecs: copies payload bytes into memory of the workspace or the destination, all
 * of them before it returns UTET_OK. The caller keeps position + length within the payload.
 * Returns: OK, WOULD_BLOCK, E_SHORT, E_PORT
 */
utet_status utet_payload_copy(utet_stream *stream, uint64_t position, void *buffer, size_t length);
/*
 * For codecs: sets the file's error_offset to this position of the payload, and returns its
 * argument `status`.
 * Returns: status
 */
utet_status utet_payload_error(utet_stream *stream, uint64_t position, utet_status status);

/* For utet_sizeof (utet.h): numbers of the types of this header. */
enum { UTET_OBJECT_VIEW = 16, UTET_OBJECT_CODEC_DRIVER = 17, UTET_OBJECT_CODEC = 18 };

#ifdef __ELF__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif
