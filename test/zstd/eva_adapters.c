/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Frama-C EVA over the two codecs of zstd. EVA_PART 1: the built-in codec, with the iteration over the headers of any
 * payload; 2: the codec that feeds libzstd, in any stage. An alarm is possible undefined behaviour.
 *
 * Payload calls (utet_codec.h), the decoder (utet_zstd.h) and libzstd (zstd.h) are replaced by their contracts, whose
 * preconditions are checked at each call. Sizes are taken one by one, because EVA does not relate two numbers; the
 * payload, the destination and the history each end with memory.
 *
 * eva.sh: 2 parts, x86_32, x86_64, ppc_32
 *   1: -eva-slevel 1000 -eva-use-spec utet_zs_header -eva-split-return-function
 *       any_status:0,utet_payload_fetch:0,utet_fetch:0,walk_on:0
 *   2: -eva-slevel 20000 -eva-use-spec utet_zs_header
 *       -inline-calls upstream_output,ZSTD_nextSrcSizeToDecompress,ZSTD_decompressContinue,ZSTD_isError
 *       -eva-split-return-function any_status:0,utet_payload_fetch:0,utet_fetch:0,utet_payload_copy:0
 *       -eva-split-return-function @{src/tet/codec/zstd_upstream.c}:0
 */
#include <string.h>

#include "eva_any.h"

#include "utet_codec.h"

#include "eva_header.h"

#include "zstd/zstd_header.c"
#include "tet/codec/zstd_need.c"

static utet_io io;
static utet_file file;
static utet_stream stream;
static int grants; /* how many requests may still succeed */
const utet_codec_driver utet_driver;

static utet_status any_status(utet_status failure)
{
    if (grants <= 0 || Frama_C_interval_split(0, 1))
        return Frama_C_interval_split(0, 1) ? UTET_WOULD_BLOCK : failure;
    grants--;
    return UTET_OK;
}

utet_status utet_payload_fetch(utet_stream *s, uint64_t position, size_t length, uint64_t ahead, const uint8_t **at,
                               size_t *have)
{
    static uint8_t bytes[128];

    (void)s;
    (void)ahead;
    (void)position;
    /*@ assert length: 1 <= length <= 128; */
    Frama_C_make_unknown((char *)bytes, sizeof bytes);
    *at = bytes + sizeof bytes - length;
    *have = length;
    return any_status(UTET_E_SHORT);
}

utet_status utet_fetch(utet_file *of, size_t length, uint64_t offset)
{
    return utet_payload_fetch(&stream, offset, length, 0, &of->priv.at, &of->priv.have);
}

utet_status utet_payload_copy(utet_stream *s, uint64_t position, void *buffer, size_t length)
{
    (void)s;
    (void)position;
    if (length != 0)
        Frama_C_make_unknown((char *)buffer, length);
    return any_status(UTET_E_SHORT);
}

utet_status utet_payload_error(utet_stream *s, uint64_t position, utet_status status)
{
    s->priv.file->error_offset = position;
    return status;
}

static void any_stream(void)
{
    static const utet_stream blank;

    stream = blank;
    stream.priv.file = &file;
    file.priv.io = &io;
    file.priv.window = any32() & 7u;
    io.step_limit = 1; /* each step begins in any state */
    grants = 1;
}

#if EVA_PART == 1
#include "tet/codec/zstd_codec.c"

utet_status utet_copy_bytes(utet_file *of, uint8_t *to, uint64_t offset, size_t length)
{
    (void)of;
    (void)offset;
    if (length != 0)
        Frama_C_make_unknown((char *)to, length);
    return any_status(UTET_E_SHORT);
}

utet_status utet_copy_some(utet_file *of, uint8_t *to, uint64_t offset, size_t length)
{
    of->priv.have = length != 0 ? (size_t)Frama_C_interval(1, (int)length) : 0;
    return utet_copy_bytes(of, to, offset, length);
}

static uint64_t memory[sizeof(utet_zstd) / 8 + 1];

/* ---- the decoder, replaced by its contract ---- */

utet_status utet_zstd_need(const utet_zstd_job *job, uint64_t window, utet_need *need)
{
    (void)job;
    (void)window;
    need->least = any64();
    need->best = any64();
    return Frama_C_interval(0, 1) ? UTET_OK : UTET_E_SPACE;
}

utet_status utet_zstd_init(utet_zstd **z, const utet_zstd_job *job, void *work, size_t work_len)
{
    size_t got;
    uint8_t some[4];

    if (work_len < sizeof(utet_zstd))
        return UTET_E_BUDGET;
    (void)job->io->read(job->io->ctx, any64(), some, sizeof some, &got);
    *z = work;
    memset(*z, 0, sizeof **z);
    return UTET_OK;
}

static utet_status any_error(void)
{
    return (utet_status)Frama_C_interval(-40, 2);
}

utet_status utet_zstd_open(utet_zstd *z)
{
    z->where = any64();
    return any_error();
}

utet_status utet_zstd_step(utet_zstd *z, size_t want, const uint8_t **ptr, size_t *len)
{
    (void)want;
    z->where = any64();
    *ptr = (const uint8_t *)memory;
    *len = any32() & 7u;
    return any_error();
}

/* The iteration over the headers is that many bytes before the payload's end. */
static void walk_at(uint64_t stored, uint64_t left, unsigned in_frame)
{
    static const uint8_t map[1];
    static uint8_t destination[1];
    utet_need need;
    zs_walk walk;

    any_stream();
    stream.priv.stored = stored;
    stream.priv.offset = any64();
    stream.length = any64();
    walk.position = stored - left;
    walk.window = any32();
    walk.in_frame = (uint8_t)in_frame;
    walk.checksum = (uint8_t)Frama_C_interval(0, 1);
    memcpy(stream.priv.scratch, &walk, sizeof walk);
    io.map = Frama_C_interval(0, 1) ? map : NULL;
    stream.priv.whole = Frama_C_interval(0, 1) ? destination : NULL;
    (void)small_need(&stream, Frama_C_interval(0, 1), &need);
}

void eva_main(void)
{
    unsigned left;

    for (left = 0; left <= 20u; left++) {
        walk_at(20, left, 0);
        walk_at(20, left, 1);
    }
    walk_at(0, 0, 0);
    walk_at((uint64_t)1 << 40, (uint64_t)1 << 39, 0);
    walk_at((uint64_t)1 << 40, (uint64_t)1 << 39, 1);
    any_stream();
    stream.priv.stored = any64();
    stream.priv.offset = any64();
    stream.priv.work = (uint8_t *)memory;
    stream.priv.work_len = Frama_C_interval(0, 1) ? sizeof(utet_zstd) : 8;
    if (small_open(&stream) == UTET_OK) {
        stream.priv.scratch[0] = PLACED;
        (void)small_open(&stream);
        (void)small_step(&stream, any32());
    }
}
#else
#include "tet/codec/zstd_bmi2.h"
#undef DYNAMIC_BMI2
#define DYNAMIC_BMI2 1 /* the package may ask for BMI2 */
#define UTET_ZSTD_UPSTREAM
#include "tet/codec/zstd_upstream.c"

enum { CONTEXT = 64, ROOM = 4, MOST = CONTEXT + 20 + ROOM };

static uint64_t memory[(MOST + 7) / 8];
static uint8_t destination[ROOM], file_bytes[5 + 20];

/* ---- libzstd, replaced by its contract ---- */

static int begun, fed; /* a frame has one; libzstd has received something in this call */

size_t ZSTD_estimateDCtxSize(void)
{
    return CONTEXT;
}

size_t ZSTD_decodingBufferSize_min(unsigned long long window, unsigned long long content)
{
    (void)window;
    (void)content;
    return Frama_C_interval_split(0, 1) ? ROOM - 1 : ROOM + 1;
}

ZSTD_DCtx *ZSTD_initStaticDCtx(void *work, size_t size)
{
    Frama_C_make_unknown(work, size);
    return Frama_C_interval(0, 1) ? work : NULL;
}

size_t ZSTD_decompressBegin(ZSTD_DCtx *context)
{
    (void)context;
    begun = 1;
    return 0;
}

/* First 5 bytes of a frame's header. Then a block's header, a block or the checksum; 0 after a frame. */
size_t ZSTD_nextSrcSizeToDecompress(ZSTD_DCtx *context)
{
    (void)context;
    if (begun)
        return 5;
    if (fed)
        return (size_t)Frama_C_interval(0, 7);
    return (size_t)(stage_of(&stream) == SMALL_INPUT ? Frama_C_interval_split(3, 4)
                                                     : 3 * Frama_C_interval_split(0, 2) + 1);
}

ZSTD_nextInputType_e ZSTD_nextInputType(ZSTD_DCtx *context)
{
    (void)context;
    return (ZSTD_nextInputType_e)Frama_C_interval(ZSTDnit_frameHeader, ZSTDnit_skippableFrame);
}

size_t ZSTD_decompressContinue(ZSTD_DCtx *context, void *to, size_t room, const void *from, size_t size)
{
    /* only of a block's content */
    size_t made = stage_of(&stream) >= PLAIN_BLOCK ? (size_t)Frama_C_interval(0, (int)room) : 0;

    (void)context;
    /*@ assert from: size != 0 ==> \initialized((const uint8_t *)from + (0 .. size - 1)); */
    /*@ assert to: room != 0 ==> \valid((uint8_t *)to + (0 .. room - 1)); */
    begun = 0;
    fed = 1;
    if (Frama_C_interval_split(0, 1))
        return SIZE_MAX - (size_t)Frama_C_interval(0, 30);
    if (made != 0)
        Frama_C_make_unknown(to, made);
    return made;
}

unsigned ZSTD_isError(size_t code)
{
    return code > ROOM;
}

ZSTD_ErrorCode ZSTD_getErrorCode(size_t code)
{
    return (ZSTD_ErrorCode)(unsigned)(0 - code);
}

/* A stream in any state: its work memory, including the history, ends with memory. */
static void step(size_t stored, unsigned left, unsigned ring, unsigned mapped, unsigned stage)
{
    const size_t past = ring ? ROOM - 1 : ROOM, cache = mapped ? 0 : stored;
    utet_need need;

    any_stream();
    begun = fed = 0;
    Frama_C_make_unknown((char *)file_bytes, sizeof file_bytes);
    stream.priv.stored = stored;
    stream.priv.offset = sizeof file_bytes - stored;
    stream.length = ROOM;
    io.map = mapped ? file_bytes : NULL;
    stream.priv.whole = !ring && Frama_C_interval_split(0, 1) ? destination : NULL;
    stream.priv.work_len = CONTEXT + cache + (stream.priv.whole != NULL ? 0 : past);
    stream.priv.work = (uint8_t *)memory + sizeof memory - stream.priv.work_len;
    stream.priv.scratch[0] = stored - left;
    stream.priv.scratch[1] = (uint64_t)stage << STAGE_AT |
                             (uint64_t)(Frama_C_interval_split(0, 1) ? NEVER_WRAP : 7u << 3) << WINDOW_AT |
                             (uint64_t)ROOM - (uint64_t)(2 * Frama_C_interval_split(0, 1));
    stream.priv.out = (stream.priv.whole != NULL ? destination : upstream_history(&stream)) +
                      (ring ? ROOM - 1 - 2 * Frama_C_interval_split(0, 1) : (int)upstream_decoded(&stream));
    (void)upstream_step(&stream, any32());
    /*@ assert position: stream.priv.scratch[0] <= stream.priv.stored; */
    (void)upstream_open(&stream);
    stream.priv.scratch[0] = stream.priv.scratch[1] = 0;
    stream.length = any64();
    (void)upstream_need(&stream, Frama_C_interval(0, 1), &need);
}

void eva_main(void)
{
    unsigned left, ring, mapped, stage;

    (void)utet_zstd_bmi2();
    for (left = 0; left <= 18u; left += left == 0 ? 3u : left == 3u ? 2u : 13u)
        for (ring = 0; ring <= 1u; ring++)
            for (mapped = 0; mapped <= 1u; mapped++)
                for (stage = BETWEEN_FRAMES; stage <= CODED_BLOCK; stage++)
                    step(20, left, ring, mapped, stage);
}
#endif
