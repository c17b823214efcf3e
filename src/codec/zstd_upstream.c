/*
 * The zstd package's decompressor as a codec (§5): fed block by block through its
 * bufferless calls, in static memory. Its streaming mode would buffer a whole window, and
 * every real frame declares one of 2 MiB. Compiled together with the package into one
 * object whose only global symbols are utet_*; relies on utet.h alone.
 *
 *   priv_work | ZSTD_DCtx | B: one compressed block | H: history; none with priv_whole |
 *
 *   B = min(stored_byte_len, 128 KiB); 0 when the file is mapped.
 *   H = min(raw_byte_len, ZSTD_decodingBufferSize_min(window)). Never less: the package does
 *       not hold offsets against a ring and returns wrong bytes, without an error.
 *
 * Everything that the package does not know lives in the stream: priv_scratch[0] is the
 * position in the payload, [1] is packed (see below), and priv_out is where output goes on,
 * because the stream layer moves it past what it has delivered.
 */
#define ZSTD_STATIC_LINKING_ONLY
#define ZSTD_DISABLE_DEPRECATE_WARNINGS
#include "utet.h"

#include <zstd.h>
#include <zstd_errors.h>

#define BLOCK_MAX ((size_t)ZSTD_BLOCKSIZE_MAX)
#define WINDOW_MAX (UINT64_C(1) << 27) /* §5 */
#define SKIPPABLE_HEADER 8u
#define BLOCK_HEADER 3u

/* What comes next in the payload. */
enum {
    BETWEEN_FRAMES,
    SMALL_INPUT, /* a block header, or the checksum */
    PLAIN_BLOCK, /* raw or RLE */
    CODED_BLOCK
};

/* priv_scratch[1] while decoding: decoded bytes << 10 | block limit's code << 2 | stage.
 * The code is the window descriptor of the frame, or NEVER_WRAP. */
#define NEVER_WRAP 0xFFu
#define LENGTH_LIMIT (UINT64_C(1) << 54) /* what fits into the packing */

static uint64_t position_of(const utet_stream *s)
{
    return s->priv_scratch[0];
}

static uint64_t decoded(const utet_stream *s)
{
    return s->priv_scratch[1] >> 10;
}

static unsigned stage_of(const utet_stream *s)
{
    return (unsigned)(s->priv_scratch[1] & 3u);
}

static void set_stage(utet_stream *s, unsigned stage)
{
    s->priv_scratch[1] = (s->priv_scratch[1] & ~UINT64_C(3)) | stage;
}

static utet_status fail(utet_stream *s, utet_status status)
{
    return utet_payload_error(s, position_of(s), status);
}

static utet_status zstd_status(utet_stream *s, size_t code)
{
    ZSTD_ErrorCode error = ZSTD_getErrorCode(code);

    if (error == ZSTD_error_checksum_wrong)
        return fail(s, UTET_E_CHECKSUM);
    if (error == ZSTD_error_frameParameter_windowTooLarge)
        return fail(s, UTET_E_ZSTD_WINDOW);
    return fail(s, UTET_E_PAYLOAD);
}

/* ---- reading the payload ---- */

/* `length` bytes at the position become addressable, or the payload ends before. */
static utet_status need_input(utet_stream *s, size_t length, const uint8_t **at)
{
    uint64_t left = s->priv_stored - position_of(s);
    size_t have;

    if (left < length)
        return fail(s, UTET_E_PAYLOAD);
    return utet_payload_need(s, position_of(s), length, left, at, &have);
}

static uint32_t le32(const uint8_t *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static int is_legacy(uint32_t magic)
{
    return magic == 0x1EB52FFDu || magic - 0xFD2FB522u < 6u;
}

/*
 * At the start of a frame: passes over a skippable one (*at is null then), otherwise gives
 * the header's bytes and reads it into *header. Commits nothing but the skip.
 */
static utet_status frame_start(utet_stream *s, const uint8_t **at, ZSTD_frameHeader *header)
{
    uint64_t left = s->priv_stored - position_of(s);
    size_t some = left < ZSTD_FRAMEHEADERSIZE_MAX ? (size_t)left : ZSTD_FRAMEHEADERSIZE_MAX;
    utet_status status = need_input(s, some < 4 ? 4 : some, at);
    size_t code;

    if (status != UTET_OK)
        return status;
    if ((le32(*at) & ZSTD_MAGIC_SKIPPABLE_MASK) == ZSTD_MAGIC_SKIPPABLE_START) {
        if (some < SKIPPABLE_HEADER || left - SKIPPABLE_HEADER < le32(*at + 4))
            return fail(s, UTET_E_PAYLOAD);
        s->priv_scratch[0] += (uint64_t)SKIPPABLE_HEADER + le32(*at + 4);
        *at = NULL;
        return UTET_OK;
    }
    if (is_legacy(le32(*at)))
        return fail(s, UTET_E_ZSTD_LEGACY);
    code = ZSTD_getFrameHeader(header, *at, some);
    if (ZSTD_isError(code))
        return zstd_status(s, code);
    if (code != 0) /* it would be longer than the payload */
        return fail(s, UTET_E_PAYLOAD);
    if (header->windowSize > WINDOW_MAX)
        return fail(s, UTET_E_ZSTD_WINDOW);
    if (header->dictID != 0)
        return fail(s, UTET_E_ZSTD_DICT);
    return UTET_OK;
}

/* ---- memory ---- */

static size_t block_buffer(const utet_stream *s)
{
    if (s->priv_file->priv_io->map != NULL)
        return 0;
    return s->priv_stored < BLOCK_MAX ? (size_t)s->priv_stored : BLOCK_MAX;
}

static uint8_t *history(const utet_stream *s)
{
    return s->priv_work + ZSTD_estimateDCtxSize() + block_buffer(s);
}

static size_t history_size(const utet_stream *s)
{
    return s->priv_work_len - ZSTD_estimateDCtxSize() - block_buffer(s);
}

/* The history is a ring, shorter than the chunk. */
static int in_ring(const utet_stream *s)
{
    return s->priv_whole == NULL && history_size(s) < s->length;
}

static uint64_t ring_for(uint64_t window)
{
    return ZSTD_decodingBufferSize_min(window, ZSTD_CONTENTSIZE_UNKNOWN);
}

/* priv_scratch[1] while headers are walked: the largest ring so far << 2 | IN_FRAME | CHECKSUM */
enum { IN_FRAME = 1, CHECKSUM = 2 };

static utet_status walk_frame(utet_stream *s)
{
    ZSTD_frameHeader header;
    const uint8_t *at;
    uint64_t ring;
    utet_status status = frame_start(s, &at, &header);

    if (status != UTET_OK || at == NULL)
        return status;
    ring = ring_for(header.windowSize);
    if (ring < s->priv_scratch[1] >> 2)
        ring = s->priv_scratch[1] >> 2;
    s->priv_scratch[0] += header.headerSize;
    s->priv_scratch[1] = ring << 2 | IN_FRAME | (header.checksumFlag ? CHECKSUM : 0);
    return UTET_OK;
}

static utet_status walk_block(utet_stream *s)
{
    const uint8_t *at;
    uint64_t size;
    utet_status status = need_input(s, BLOCK_HEADER, &at);

    if (status != UTET_OK)
        return status;
    size = ((unsigned)at[1] & 0xFFu) << 5 | (uint64_t)at[2] << 13 | (unsigned)at[0] >> 3;
    if ((at[0] >> 1 & 3) == 1) /* RLE: one byte, whatever the size */
        size = 1;
    size += BLOCK_HEADER;
    if ((at[0] & 1) != 0) { /* last block */
        size += (s->priv_scratch[1] & CHECKSUM) != 0 ? 4 : 0;
        s->priv_scratch[1] &= ~UINT64_C(3);
    }
    if (s->priv_stored - position_of(s) < size)
        return fail(s, UTET_E_PAYLOAD);
    s->priv_scratch[0] += size;
    return UTET_OK;
}

/* The largest ring that a frame of the payload asks for; stops as soon as that is no less
 * than the chunk, which is after the first header with real files. */
static utet_status walk(utet_stream *s, uint64_t *ring)
{
    while (s->priv_scratch[1] >> 2 < s->length && position_of(s) < s->priv_stored) {
        utet_status status = (s->priv_scratch[1] & IN_FRAME) != 0 ? walk_block(s) : walk_frame(s);

        if (status != UTET_OK)
            return status;
    }
    if ((s->priv_scratch[1] & IN_FRAME) != 0 && position_of(s) == s->priv_stored)
        return fail(s, UTET_E_PAYLOAD);
    *ring = s->priv_scratch[1] >> 2;
    return UTET_OK;
}

static utet_status upstream_need(utet_stream *s, int exact, utet_need *need)
{
    uint64_t ring = s->length;
    utet_status status;

    if (s->priv_stored == 0)
        return fail(s, UTET_E_PAYLOAD);
    if (exact && s->priv_whole == NULL) {
        status = walk(s, &ring);
        if (status != UTET_OK)
            return status;
    }
    need->least = ZSTD_estimateDCtxSize() + block_buffer(s);
    if (s->length >= LENGTH_LIMIT)
        need->least = UINT64_MAX;
    else if (s->priv_whole == NULL)
        need->least += ring < s->length ? ring : s->length;
    need->best = need->least;
    return UTET_OK;
}

/* ---- decoding ---- */

static ZSTD_DCtx *context(const utet_stream *s)
{
    return (ZSTD_DCtx *)(void *)s->priv_work; /* a multiple of 8, see utet.h */
}

static utet_status upstream_open(utet_stream *s)
{
    /* Cannot fail: need has asked for that much. */
    (void)ZSTD_initStaticDCtx(s->priv_work, ZSTD_estimateDCtxSize());
    s->priv_out = s->priv_whole != NULL ? s->priv_whole : history(s);
    return UTET_OK;
}

/* Where output goes, and how much may go there: nothing while the last byte is held back,
 * which lies at priv_out then. */
static uint8_t *output(const utet_stream *s, size_t *room)
{
    uint8_t *base = s->priv_whole != NULL ? s->priv_whole : history(s);
    uint64_t left = s->length - decoded(s);
    uint64_t at = decoded(s);

    if (in_ring(s)) {
        at = (uint64_t)(s->priv_out - base);
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
    unsigned code = (unsigned)(s->priv_scratch[1] >> 2) & 0xFFu;
    unsigned exponent = code >> 3;

    if (code == NEVER_WRAP)
        return 0;
    if (exponent >= 7)
        return BLOCK_MAX;
    return (size_t)(8u + (code & 7u)) << (7 + exponent);
}

/* Feeds `size` bytes at `from`, which are exactly what the package wants next; *made
 * becomes the number of bytes that came out. Commits; cannot suspend. */
static utet_status feed(utet_stream *s, const void *from, size_t size, size_t *made)
{
    size_t room;
    uint8_t *to = output(s, &room);
    size_t code = ZSTD_decompressContinue(context(s), to, room, from, size);

    *made = 0;
    if (ZSTD_isError(code))
        return zstd_status(s, code);
    s->priv_scratch[0] += size;
    s->priv_scratch[1] += (uint64_t)code << 10;
    if (code != 0) {
        s->priv_out = to;
        *made = code;
    }
    return UTET_OK;
}

/* A frame begins, or a skippable one is passed over. */
static utet_status begin_frame(utet_stream *s)
{
    ZSTD_frameHeader header;
    const uint8_t *at;
    unsigned code;
    size_t first; /* bytes that the package asks for first */
    size_t made;
    utet_status status = frame_start(s, &at, &header);

    if (status != UTET_OK || at == NULL)
        return status;
    code = (at[4] & 0x20) != 0 ? NEVER_WRAP : at[5]; /* single segment: the window is the frame */
    if (in_ring(s)) {
        /* need has walked all frames: such a one was not there then. */
        if (history_size(s) < ring_for(header.windowSize))
            return fail(s, UTET_E_PAYLOAD);
        if (decoded(s) < s->length)
            s->priv_out = history(s);
    }
    (void)ZSTD_decompressBegin(context(s));
    first = ZSTD_nextSrcSizeToDecompress(context(s));
    (void)feed(s, at, first, &made); /* only asks how long the header is */
    status = feed(s, at + first, header.headerSize - first, &made);
    s->priv_scratch[1] = decoded(s) << 10 | (uint64_t)code << 2 | SMALL_INPUT;
    return status;
}

/*
 * A frame that ends with an empty raw block, as writers of unknown lengths make them: the package (1.5.4) compares the
 * frame's content size only behind a block that has bytes of its own, so it is fed an empty RLE block instead, which
 * means the same and has one. It refuses that in a frame of declared size 0 only, where nothing is left to compare.
 */
static utet_status empty_last_block(utet_stream *s)
{
    static const uint8_t raw[BLOCK_HEADER] = {1, 0, 0};
    static const uint8_t rle[BLOCK_HEADER + 1] = {1 | 1 << 1, 0, 0, 0};
    size_t made;
    utet_status status = feed(s, rle, BLOCK_HEADER, &made);

    if (status != UTET_OK)
        return feed(s, raw, BLOCK_HEADER, &made);
    status = feed(s, rle + BLOCK_HEADER, 1, &made);
    if (status == UTET_OK)
        s->priv_scratch[0]--; /* that byte was ours */
    return status;
}

/* A block header or the checksum; empty blocks end with their header. */
static utet_status small_input(utet_stream *s)
{
    const uint8_t *at;
    size_t size = ZSTD_nextSrcSizeToDecompress(context(s));
    size_t made;
    unsigned type;
    int empty;
    utet_status status = need_input(s, size, &at);

    if (status != UTET_OK)
        return status;
    type = at[0] >> 1 & 3u;
    empty = size == BLOCK_HEADER && (at[0] >> 3 | at[1] | at[2]) == 0;
    if (empty && type == 2)
        return fail(s, UTET_E_PAYLOAD); /* a compressed block has content; 1.5.4 does not mind */
    if (empty && at[0] == 1)
        status = empty_last_block(s);
    else
        status = feed(s, at, size, &made);
    if (status != UTET_OK)
        return status;
    if (ZSTD_nextSrcSizeToDecompress(context(s)) == 0) {
        set_stage(s, BETWEEN_FRAMES);
    } else if (ZSTD_nextInputType(context(s)) == ZSTDnit_block ||
               ZSTD_nextInputType(context(s)) == ZSTDnit_lastBlock) {
        set_stage(s, type == 2 ? CODED_BLOCK : PLAIN_BLOCK);
        /* As the package does it: back to the start where a whole block might not fit. */
        if (in_ring(s) && decoded(s) < s->length &&
            (size_t)(s->priv_out - history(s)) + block_limit(s) > history_size(s))
            s->priv_out = history(s);
    }
    return UTET_OK;
}

/* Bytes of a block become addressable at *at: where they are mapped, else copied to `to`. */
static utet_status block_input(utet_stream *s, uint8_t *to, size_t size, const uint8_t **at)
{
    if (s->priv_stored - position_of(s) < size)
        return fail(s, UTET_E_PAYLOAD);
    if (s->priv_file->priv_io->map != NULL) {
        *at = s->priv_file->priv_io->map + (size_t)(s->priv_offset + position_of(s));
        return UTET_OK;
    }
    *at = to;
    return utet_payload_copy(s, position_of(s), to, size);
}

/* Some bytes of a raw block, straight to their place; or the one byte of an RLE block. */
static utet_status plain_block(utet_stream *s, size_t want, size_t *made)
{
    size_t size = ZSTD_nextSrcSizeToDecompress(context(s));
    size_t room;
    uint8_t *to = output(s, &room);
    const uint8_t *at;
    utet_status status;

    if (size > 1 && size > room)
        return fail(s, UTET_E_PAYLOAD);
    if (want < 128)
        want = 128; /* a call costs more than these bytes */
    if (size > want)
        size = want;
    if (size > 1)
        status = block_input(s, to, size, &at);
    else
        status = need_input(s, size, &at);
    return status == UTET_OK ? feed(s, at, size, made) : status;
}

static utet_status coded_block(utet_stream *s, size_t *made)
{
    size_t size = ZSTD_nextSrcSizeToDecompress(context(s));
    const uint8_t *at;
    utet_status status = block_input(s, s->priv_work + ZSTD_estimateDCtxSize(), size, &at);

    return status == UTET_OK ? feed(s, at, size, made) : status;
}

/* One piece of the payload; each is committed before the next can suspend. */
static utet_status advance(utet_stream *s, size_t want, size_t *made)
{
    unsigned stage = stage_of(s);
    utet_status status;

    *made = 0;
    if (stage == BETWEEN_FRAMES)
        return begin_frame(s);
    if (stage == SMALL_INPUT)
        return small_input(s);
    status = stage == PLAIN_BLOCK ? plain_block(s, want, made) : coded_block(s, made);
    if (status == UTET_OK && ZSTD_nextInputType(context(s)) != ZSTDnit_block &&
        ZSTD_nextInputType(context(s)) != ZSTDnit_lastBlock)
        set_stage(s, ZSTD_nextSrcSizeToDecompress(context(s)) == 0 ? BETWEEN_FRAMES : SMALL_INPUT);
    return status;
}

/* The last byte of the chunk waits until the payload has been found to end there. */
static utet_status upstream_step(utet_stream *s, size_t want)
{
    for (;;) {
        size_t made;
        utet_status status;

        if (stage_of(s) == BETWEEN_FRAMES && position_of(s) == s->priv_stored) {
            if (decoded(s) != s->length)
                return fail(s, UTET_E_PAYLOAD);
            s->priv_avail = s->length != 0;
            return UTET_OK;
        }
        status = advance(s, want, &made);
        if (status != UTET_OK)
            return status;
        if (made != 0 && decoded(s) == s->length)
            made--;
        if (made != 0) {
            s->priv_avail = made;
            return UTET_OK;
        }
    }
}

const utet_codec utet_codec_zstd_upstream = {
    UTET_CODEC_ZSTD,
    upstream_need,
    upstream_open,
    upstream_step,
    &utet_driver,
};
