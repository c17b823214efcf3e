/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * The zstd package's decompressor as a codec. It gets one block at a time through its bufferless calls, in static
 * memory; its streaming mode would buffer a whole window, and every real frame declares one of 2 MiB. It is compiled
 * together with the package into one object whose only global symbols are utet_*. Relies on utet_codec.h and on our
 * header walk.
 *
 *   priv.work | ZSTD_DCtx | B: one compressed block | H: history; none with priv.whole |
 *
 *   B = min(stored_byte_len, 128 KiB); 0 when the file is mapped.
 *   H = min(raw_byte_len, ZSTD_decodingBufferSize_min(window)). It is never smaller,
 *       because the package does not check offsets against a ring,
 *       and would return wrong bytes without an error.
 *
 * priv.scratch holds the state that libzstd does not keep. Output continues at priv.out, because the stream
 * layer moves it past the bytes delivered.
 */
#include <stdint.h>

#ifdef UTET_ZSTD_UPSTREAM /* else nothing: builds that take all of src/ need no zstd package */

#define ZSTD_STATIC_LINKING_ONLY
#define ZSTD_DISABLE_DEPRECATE_WARNINGS
#include "utet_codec.h"
#include "../../zstd/zstd_decoder.h"
#include "zstd_bmi2.h"

#include <zstd.h>
#include <zstd_errors.h>

#if DYNAMIC_BMI2
__attribute__((weak)) int utet_zstd_bmi2(void)
{
    return 0;
}
#endif

#define BLOCK_MAX ((size_t)ZSTD_BLOCKSIZE_MAX)
#define WINDOW_MAX (UINT64_C(1) << 27) /* §5 */
#define BLOCK_HEADER 3u

/* The next part of the payload. */
enum {
    BETWEEN_FRAMES,
    SMALL_INPUT, /* a block header, or the checksum */
    PLAIN_BLOCK, /* raw or RLE */
    CODED_BLOCK
};

#define NEVER_WRAP 0xFFu
#define LENGTH_LIMIT (UINT64_C(1) << 48)

/*
 * priv.scratch while a stream is decoded. [0]: the position in the payload. [1]: bits 0 to 47 the bytes decoded, 48 to
 * 55 the frame's window descriptor or NEVER_WRAP, 56 to 63 what comes next.
 */
enum { WINDOW_AT = 48, STAGE_AT = 56 };

static uint64_t position_of(const utet_stream *s)
{
    return s->priv.scratch[0];
}

static uint64_t upstream_decoded(const utet_stream *s)
{
    return s->priv.scratch[1] & (LENGTH_LIMIT - 1u);
}

static unsigned window_of(const utet_stream *s)
{
    return (unsigned)(s->priv.scratch[1] >> WINDOW_AT) & 0xFFu;
}

static unsigned stage_of(const utet_stream *s)
{
    return (unsigned)(s->priv.scratch[1] >> STAGE_AT);
}

/* Replaces the byte at this bit of scratch[1] by `value`. */
static void put_byte(utet_stream *s, unsigned at, unsigned value)
{
    s->priv.scratch[1] = (s->priv.scratch[1] & ~((uint64_t)0xFF << at)) | (uint64_t)value << at;
}

static void upstream_set_stage(utet_stream *s, unsigned stage)
{
    put_byte(s, STAGE_AT, stage);
}

/* Passes `read` bytes of the payload; `made` more bytes are decoded: never more than the stream's length, which is less
 * than LENGTH_LIMIT. */
static void upstream_pass(utet_stream *s, uint64_t read, size_t made)
{
    s->priv.scratch[0] += read;
    s->priv.scratch[1] += made;
}

static utet_status upstream_fail(utet_stream *s, utet_status status)
{
    return utet_payload_error(s, position_of(s), status);
}

static utet_status zstd_status(utet_stream *s, size_t code)
{
    ZSTD_ErrorCode error = ZSTD_getErrorCode(code);

    if (error == ZSTD_error_checksum_wrong)
        return upstream_fail(s, UTET_E_CHECKSUM);
    if (error == ZSTD_error_frameParameter_windowTooLarge)
        return upstream_fail(s, UTET_E_ZSTD_WINDOW);
    return upstream_fail(s, UTET_E_PAYLOAD);
}

/* ---- reading the payload ---- */

/* B, the memory for a block. */
static uint8_t *upstream_input(const utet_stream *s)
{
    return s->priv.work + ZSTD_estimateDCtxSize();
}

/* On 64-bit machines a payload that is decoded into one destination, and that fits B, is read into it by one request,
 * past the window, which keeps rows of the index. For tiles of 4 KiB it saves 400 instructions each, 0.3 %. */
static int upstream_holds(const utet_stream *s)
{
    return SIZE_MAX > UINT32_MAX && s->priv.whole != NULL && s->priv.stored <= BLOCK_MAX &&
           s->priv.file->priv.io->map == NULL;
}

/* Makes `length` bytes at the position addressable. UTET_E_PAYLOAD: the payload ends before. */
static utet_status fetch_input(utet_stream *s, size_t length, const uint8_t **at)
{
    uint64_t left = s->priv.stored - position_of(s);
    size_t have;

    if (left < length)
        return upstream_fail(s, UTET_E_PAYLOAD);
    if (upstream_holds(s)) {
        *at = upstream_input(s) + (size_t)position_of(s);
        return UTET_OK;
    }
    return utet_payload_fetch(s, position_of(s), length, left, at, &have);
}

/* The header at the position, at *at. */
static utet_status frame_start(utet_stream *s, const uint8_t **at, zs_header *header)
{
    uint64_t left = s->priv.stored - position_of(s);
    size_t some = left < ZSTD_FRAMEHEADERSIZE_MAX ? (size_t)left : ZSTD_FRAMEHEADERSIZE_MAX;
    utet_status status = fetch_input(s, some, at);

    if (status != UTET_OK)
        return status;
    status = utet_zs_header(header, *at, some);
    if (status == UTET_OK && header->bytes > left)
        status = UTET_E_PAYLOAD;
    if (status == UTET_OK && header->window > WINDOW_MAX)
        status = UTET_E_ZSTD_WINDOW;
    return status == UTET_OK ? UTET_OK : upstream_fail(s, status);
}

/* ---- memory ---- */

static size_t block_buffer(const utet_stream *s)
{
    if (s->priv.file->priv.io->map != NULL)
        return 0;
    return s->priv.stored < BLOCK_MAX ? (size_t)s->priv.stored : BLOCK_MAX;
}

static uint8_t *upstream_history(const utet_stream *s)
{
    return s->priv.work + ZSTD_estimateDCtxSize() + block_buffer(s);
}

static size_t history_size(const utet_stream *s)
{
    return s->priv.work_len - ZSTD_estimateDCtxSize() - block_buffer(s);
}

/* The history is a ring, shorter than the chunk. */
static int in_ring(const utet_stream *s)
{
    return s->priv.whole == NULL && history_size(s) < s->length;
}

static uint64_t ring_for(uint64_t window)
{
    return ZSTD_decodingBufferSize_min(window, ZSTD_CONTENTSIZE_UNKNOWN);
}

static utet_status upstream_need(utet_stream *s, int exact, utet_need *need)
{
    uint32_t window;
    utet_status status = utet_zs_stream_window(s, exact && s->priv.whole == NULL ? s->length : 0, &window);
    uint64_t ring = s->length;

    if (status != UTET_OK)
        return status;
    if (window > WINDOW_MAX)
        return upstream_fail(s, UTET_E_ZSTD_WINDOW);
    if (exact && ring_for(window) < ring)
        ring = ring_for(window);
    need->least = ZSTD_estimateDCtxSize() + block_buffer(s);
    if (s->length >= LENGTH_LIMIT)
        need->least = UINT64_MAX;
    else if (s->priv.whole == NULL)
        need->least += ring;
    need->best = need->least;
    return UTET_OK;
}

/* ---- decoding ---- */

static ZSTD_DCtx *upstream_context(const utet_stream *s)
{
    return (ZSTD_DCtx *)(void *)s->priv.work; /* a multiple of 8, see utet.h */
}

static utet_status upstream_open(utet_stream *s)
{
    /* There is less when the row has changed since `need` asked for memory. */
    if (s->priv.work_len < ZSTD_estimateDCtxSize() + block_buffer(s) || s->length >= LENGTH_LIMIT ||
        ZSTD_initStaticDCtx(s->priv.work, ZSTD_estimateDCtxSize()) == NULL)
        return UTET_E_BUDGET;
    s->priv.scratch[0] = 0;
    s->priv.scratch[1] = 0;
    s->priv.out = s->priv.whole != NULL ? s->priv.whole : upstream_history(s);
    return upstream_holds(s) ? utet_payload_copy(s, 0, upstream_input(s), (size_t)s->priv.stored) : UTET_OK;
}

/* The destination of output, and its size: 0 while the last byte is held back, which is at priv.out then. */
static uint8_t *upstream_output(const utet_stream *s, size_t *room)
{
    uint8_t *base = s->priv.whole != NULL ? s->priv.whole : upstream_history(s);
    uint64_t left = s->length - upstream_decoded(s);
    uint64_t at = upstream_decoded(s);

    if (in_ring(s)) {
        at = (uint64_t)(s->priv.out - base);
        if (left > history_size(s) - at)
            left = history_size(s) - at;
    }
    *room = (size_t)left;
    return base + (size_t)at;
}

/* Largest block of the frame, from its code. 0 for a frame that is one segment: the ring
 * has room for all of it. */
static size_t block_limit(const utet_stream *s)
{
    unsigned code = window_of(s);
    unsigned exponent = code >> 3;

    if (code == NEVER_WRAP)
        return 0;
    if (exponent >= 7)
        return BLOCK_MAX;
    return (size_t)(8u + (code & 7u)) << (7 + exponent);
}

/* Gives the package the `size` bytes at `from`, exactly those that it wants next. *made: bytes that
 * came out. Commits; cannot suspend. */
static utet_status upstream_feed(utet_stream *s, const void *from, size_t size, size_t *made)
{
    size_t room;
    uint8_t *to = upstream_output(s, &room);
    size_t code = ZSTD_decompressContinue(upstream_context(s), to, room, from, size);

    *made = 0;
    if (ZSTD_isError(code))
        return zstd_status(s, code);
    upstream_pass(s, size, code);
    if (code != 0) {
        s->priv.out = to;
        *made = code;
    }
    return UTET_OK;
}

/* Begins a frame, or passes a skippable one. */
static utet_status begin_frame(utet_stream *s)
{
    zs_header header;
    const uint8_t *at;
    size_t first; /* bytes that the package asks for first */
    size_t made;
    utet_status status = frame_start(s, &at, &header);

    if (status != UTET_OK)
        return status;
    if (header.skippable) {
        upstream_pass(s, header.bytes, 0);
        return UTET_OK;
    }
    if (in_ring(s)) {
        /* `need` has walked over all frames: this window was not there then. */
        if (history_size(s) < ring_for(header.window))
            return upstream_fail(s, UTET_E_PAYLOAD);
        if (upstream_decoded(s) < s->length)
            s->priv.out = upstream_history(s);
    }
    put_byte(s, WINDOW_AT, (at[4] & 0x20) != 0 ? NEVER_WRAP : at[5]); /* single segment: the window is the frame */
    upstream_set_stage(s, SMALL_INPUT);
    (void)ZSTD_decompressBegin(upstream_context(s));
    first = ZSTD_nextSrcSizeToDecompress(upstream_context(s));
    status = upstream_feed(s, at, first, &made); /* only asks how long the header is */
    if (status == UTET_OK)
        status = upstream_feed(s, at + first, (size_t)header.bytes - first, &made);
    return status;
}

/*
 * A frame that ends with an empty raw block, as writers of unknown lengths make them: the package (1.5.7) compares
 * the frame's content size only after a block that has bytes of its own, so it is fed an empty RLE block instead,
 * which means the same and has one. It refuses that in a frame of declared size 0 only, where nothing is left to
 * compare.
 */
static utet_status empty_last_block(utet_stream *s)
{
    static const uint8_t raw[BLOCK_HEADER] = {1, 0, 0};
    static const uint8_t rle[BLOCK_HEADER + 1] = {1 | 1 << 1, 0, 0, 0};
    size_t made;
    utet_status status = upstream_feed(s, rle, BLOCK_HEADER, &made);

    if (status != UTET_OK)
        return upstream_feed(s, raw, BLOCK_HEADER, &made);
    status = upstream_feed(s, rle + BLOCK_HEADER, 1, &made);
    if (status == UTET_OK)
        upstream_pass(s, UINT64_MAX, 0); /* one back: that byte was ours */
    return status;
}

/* A block header or the checksum; empty blocks end with their header. */
static utet_status small_input(utet_stream *s)
{
    const uint8_t *at;
    size_t size = ZSTD_nextSrcSizeToDecompress(upstream_context(s));
    size_t made;
    unsigned type;
    int empty;
    utet_status status = fetch_input(s, size, &at);

    if (status != UTET_OK)
        return status;
    type = at[0] >> 1 & 3u;
    empty = size == BLOCK_HEADER && (at[0] >> 3 | at[1] | at[2]) == 0;
    if (empty && type == 2)
        return upstream_fail(s, UTET_E_PAYLOAD); /* a compressed block has content; 1.5.7 does not check this */
    if (empty && at[0] == 1)
        status = empty_last_block(s);
    else
        status = upstream_feed(s, at, size, &made);
    if (status != UTET_OK)
        return status;
    if (ZSTD_nextSrcSizeToDecompress(upstream_context(s)) == 0) {
        upstream_set_stage(s, BETWEEN_FRAMES);
    } else if (ZSTD_nextInputType(upstream_context(s)) == ZSTDnit_block ||
               ZSTD_nextInputType(upstream_context(s)) == ZSTDnit_lastBlock) {
        upstream_set_stage(s, type == 2 ? CODED_BLOCK : PLAIN_BLOCK);
        /* As the package does it: back to the start where a whole block might not fit. */
        if (in_ring(s) && upstream_decoded(s) < s->length &&
            (size_t)(s->priv.out - upstream_history(s)) + block_limit(s) > history_size(s))
            s->priv.out = upstream_history(s);
    }
    return UTET_OK;
}

/* Makes the bytes of a block addressable at *at: in the mapped file or in B, else copied to `to`. */
static utet_status block_input(utet_stream *s, uint8_t *to, size_t size, const uint8_t **at)
{
    if (s->priv.stored - position_of(s) < size)
        return upstream_fail(s, UTET_E_PAYLOAD);
    if (upstream_holds(s)) {
        *at = upstream_input(s) + (size_t)position_of(s);
        return UTET_OK;
    }
    if (s->priv.file->priv.io->map != NULL) {
        *at = s->priv.file->priv.io->map + (size_t)(s->priv.offset + position_of(s));
        return UTET_OK;
    }
    *at = to;
    return utet_payload_copy(s, position_of(s), to, size);
}

/* Copies bytes of a raw block straight to their destination, or reads the one byte of an RLE block. */
static utet_status plain_block(utet_stream *s, size_t want, size_t *made)
{
    size_t size = ZSTD_nextSrcSizeToDecompress(upstream_context(s));
    size_t room;
    uint8_t *to = upstream_output(s, &room);
    const uint8_t *at;
    utet_status status;

    if (size > 1 && size > room)
        return upstream_fail(s, UTET_E_PAYLOAD);
    if (want < 128)
        want = 128; /* a call costs more than these bytes */
    if (size > want)
        size = want;
    if (size > 1)
        status = block_input(s, to, size, &at);
    else
        status = fetch_input(s, size, &at);
    return status == UTET_OK ? upstream_feed(s, at, size, made) : status;
}

static utet_status coded_block(utet_stream *s, size_t *made)
{
    size_t size = ZSTD_nextSrcSizeToDecompress(upstream_context(s));
    const uint8_t *at;
    utet_status status = block_input(s, upstream_input(s), size, &at);

    return status == UTET_OK ? upstream_feed(s, at, size, made) : status;
}

/* One piece of the payload. Each piece is committed before the next one can suspend. */
static utet_status upstream_advance(utet_stream *s, size_t want, size_t *made)
{
    unsigned stage = stage_of(s);
    utet_status status;

    *made = 0;
    if (stage == BETWEEN_FRAMES)
        return begin_frame(s);
    if (stage == SMALL_INPUT)
        return small_input(s);
    status = stage == PLAIN_BLOCK ? plain_block(s, want, made) : coded_block(s, made);
    if (status == UTET_OK && ZSTD_nextInputType(upstream_context(s)) != ZSTDnit_block &&
        ZSTD_nextInputType(upstream_context(s)) != ZSTDnit_lastBlock)
        upstream_set_stage(s, ZSTD_nextSrcSizeToDecompress(upstream_context(s)) == 0 ? BETWEEN_FRAMES : SMALL_INPUT);
    return status;
}

/* The payload ends at the position, after a complete frame. */
static int upstream_ended(const utet_stream *s)
{
    return stage_of(s) == BETWEEN_FRAMES && position_of(s) == s->priv.stored;
}

/* The last byte of the chunk is held back until the payload is known to end there. */
static utet_status upstream_step(utet_stream *s, size_t want)
{
    uint32_t turns = s->priv.file->priv.io->step_limit; /* 0: more than any call makes */

    do {
        size_t made;
        utet_status status;

        if (upstream_ended(s)) {
            if (upstream_decoded(s) != s->length)
                return upstream_fail(s, UTET_E_PAYLOAD);
            s->priv.avail = s->length != 0;
            return UTET_OK;
        }
        status = upstream_advance(s, want, &made);
        if (status != UTET_OK)
            return status;
        if (made != 0 && upstream_decoded(s) == s->length && !upstream_ended(s))
            made--;
        if (made != 0) {
            s->priv.avail = made;
            return UTET_OK;
        }
    } while (--turns != 0);
    return UTET_WOULD_BLOCK;
}

const utet_codec utet_codec_zstd_upstream = {
    UTET_CODEC_ZSTD, upstream_need, upstream_open, upstream_step, &utet_driver,
};

#endif
