/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * What the suites of the adapter to libzstd share: files of one chunk, frames of every kind, decoding. The oracle is
 * Debian's libzstd, called directly. It also writes frames; others are put together by hand. The small decoder reads
 * the frames made by hand as well.
 */
#ifndef UPSTREAMWORLD_H
#define UPSTREAMWORLD_H

#include "rig.h"
#include "tetgen.h"

#if defined(TETGEN_NO_ZSTD) || !defined(HAVE_ZSTD_UPSTREAM)

static inline void no_libzstd(void **state)
{
    (void)state;
    suite_skip("suite_upstream: no libzstd on this target");
}

#define NO_UPSTREAM

#else

#define ZSTD_STATIC_LINKING_ONLY
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#define UPSTREAM 0
#define PAYLOAD_AT 216u
#define WINDOW ((size_t)UTET_WINDOW_LEAST(1))

/* sizeof(ZSTD_DCtx) as libzstd was configured; measured by the first case that needs it and compared with the
 * documented figure. */
static size_t context;

/* ---- files with one chunk ---- */

typedef struct image {
    uint8_t *bytes;
    size_t size, stored, raw;
} image;

static inline void *need_memory(void *p)
{
    suite_check(p != NULL, "out of memory");
    return p;
}

/* One u8 dataset "a", one zstd chunk of `raw` bytes (§2, §3, §4). */
static inline image wrap(const void *payload, size_t stored, size_t raw)
{
    image f = {need_memory(calloc(1, PAYLOAD_AT + stored)), PAYLOAD_AT + stored, stored, raw};
    uint8_t *b = f.bytes;
    memcpy(b, "TETR", 4);
    tetgen_put(b + 4, 1, 4);
    tetgen_put(b + 8, 1, 4);
    tetgen_put(b + 16, 80, 8);
    tetgen_put(b + 24, 32 + 104, 8);
    tetgen_put(b + 32, 40, 8);
    tetgen_put(b + 40, 1, 4);
    tetgen_put(b + 44, UTET_U8, 4);
    tetgen_put(b + 48, 1, 4);
    b[56] = 'a';
    tetgen_put(b + 64, raw, 8);
    tetgen_put(b + 72, raw, 8);
    memcpy(b + 80, "TIDX", 4);
    tetgen_put(b + 84, 1, 4);
    tetgen_put(b + 88, 1, 8);
    tetgen_put(b + 112 + 72, PAYLOAD_AT, 8);
    tetgen_put(b + 112 + 80, raw, 8);
    tetgen_put(b + 112 + 88, stored, 8);
    tetgen_put(b + 112 + 96, UTET_CODEC_ZSTD, 4);
    if (stored != 0)
        memcpy(b + PAYLOAD_AT, payload, stored);
    return f;
}

/* ---- data and frames ---- */

/* Text-like bytes with matches at distances up to `far`, and ranges of noise (raw literals, raw blocks) and of one
 * value (RLE). */
static inline uint8_t *make_data(size_t size, size_t far, uint64_t seed)
{
    uint8_t *data = need_memory(malloc(size + 1));
    uint64_t state = seed * 2654435761u + 1;
    size_t at = 0;
    while (at < size) {
        uint64_t r = tetgen_random(&state);
        size_t n = 1 + (size_t)(r >> 8) % 40;
        size_t reach = at < far ? at : far;
        switch (r & 15) {
        case 0: n = 1 + (size_t)(r >> 8) % 3000; /* fall through */
        case 1:
        case 2:
        case 3:
            for (; n > 0 && at < size; n--)
                data[at++] = (uint8_t)tetgen_random(&state);
            break;
        case 4:
            n = 1 + (size_t)(r >> 8) % 5000;
            for (; n > 0 && at < size; n--)
                data[at++] = (uint8_t)(r >> 40);
            break;
        case 5:
        case 6:
        case 7:
            for (; n > 0 && at < size; n--)
                data[at++] = (uint8_t)("etaoin shrdlu"[tetgen_random(&state) % 13]);
            break;
        default: { /* a match, often from the far end of the window */
            size_t back = reach == 0 ? 0
                          : (r & 16) ? reach - (size_t)(r >> 20) % (reach / 8 + 1)
                                     : 1 + (size_t)(r >> 20) % reach;
            for (n += 4; n > 0 && at < size; n--, at++)
                data[at] = back == 0 || back > at ? (uint8_t)r : data[at - back];
        }
        }
    }
    return data;
}

typedef struct frame_kind {
    const char *name;
    int window_log; /* 0: the level's */
    int level, checksum, content_size;
    size_t flush; /* ends a block after this many bytes; 0: never */
} frame_kind;

/* Appends a frame of `size` bytes of data to `out`; returns its length. */
static inline size_t make_frame(const frame_kind *k, const uint8_t *data, size_t size, uint8_t *out, size_t room)
{
    ZSTD_CCtx *c = need_memory(ZSTD_createCCtx());
    ZSTD_outBuffer o = {out, room, 0};
    size_t at = 0, left;
    ZSTD_CCtx_setParameter(c, ZSTD_c_compressionLevel, k->level);
    ZSTD_CCtx_setParameter(c, ZSTD_c_checksumFlag, k->checksum);
    ZSTD_CCtx_setParameter(c, ZSTD_c_contentSizeFlag, k->content_size);
    if (k->window_log != 0)
        ZSTD_CCtx_setParameter(c, ZSTD_c_windowLog, k->window_log);
    if (k->content_size)
        ZSTD_CCtx_setPledgedSrcSize(c, size);
    while (k->flush != 0 && size - at > k->flush) {
        ZSTD_inBuffer i = {data + at, k->flush, 0};
        do {
            left = ZSTD_compressStream2(c, &o, &i, ZSTD_e_flush);
            suite_check(!ZSTD_isError(left), "%s: %s", k->name, ZSTD_getErrorName(left));
        } while (left != 0);
        at += k->flush;
    }
    ZSTD_inBuffer i = {data + at, size - at, 0};
    do {
        left = ZSTD_compressStream2(c, &o, &i, ZSTD_e_end);
        suite_check(!ZSTD_isError(left), "%s: %s", k->name, ZSTD_getErrorName(left));
    } while (left != 0);
    ZSTD_freeCCtx(c);
    return o.pos;
}

/* What libzstd decodes: 1 if `payload` is frames that decode to exactly `raw` bytes, which are then in `out`. It is fed
 * byte by byte, because a frame that it sees completely takes a shorter way, without the limits of window and block. */
static inline int oracle(const uint8_t *payload, size_t stored, uint8_t *out, size_t raw)
{
    static ZSTD_DCtx *d;
    uint8_t *all = need_memory(malloc(raw + 1));
    ZSTD_inBuffer i = {payload, 0, 0};
    ZSTD_outBuffer o = {all, raw + 1, 0};
    size_t left = 1, before;
    if (d == NULL)
        d = need_memory(ZSTD_createDCtx());
    ZSTD_DCtx_reset(d, ZSTD_reset_session_only);
    do {
        i.size += i.size < stored;
        before = i.pos + o.pos;
        left = ZSTD_decompressStream(d, &o, &i);
    } while (!ZSTD_isError(left) && i.pos + o.pos != before && o.pos <= raw && (i.pos < stored || left != 0));
    int good = left == 0 && i.pos == stored && o.pos == raw;
    if (good)
        memcpy(out, all, raw);
    free(all);
    return good;
}

/* ---- decoding through the library ---- */

typedef struct way {
    size_t work;  /* workspace; 0: for a history as long as the chunk, and the best window */
    size_t slice; /* size of the destination; SLICE_ALL: loads the complete chunk */
    int mapped;
    guard_side side;
} way;

static inline size_t ample(const rig *r)
{
    const uint8_t *row = r->port.bytes + 112;
    uint64_t raw = tetgen_get(row + 80, 8), stored = tetgen_get(row + 88, 8);
    return UTET_WINDOW_BEST(1) + 31000 + (size_t)(stored < 128 << 10 ? stored : 128 << 10) + (size_t)raw;
}

/* Opens, finds the chunk, decodes; *got bytes of `out` were delivered. The caller chooses the port's schedule. */
static inline utet_status decode(rig *r, const way *w, uint8_t *out, size_t *got)
{
    utet_dataset d;
    utet_chunk chunk;
    utet_stream stream;
    utet_status status;
    uint64_t zero = 0;
    size_t some;
    *got = 0;
    if (w->mapped)
        faultport_map(&r->port);
    rig_start(r, w->work != 0 ? w->work : ample(r), w->side);
    DRIVE(status, utet_open(&r->file, &(utet_options){.budget = (size_t)-1}));
    if (status == UTET_OK)
        DRIVE(status, utet_dataset_first(&r->file, &d));
    if (status == UTET_OK)
        DRIVE(status, utet_chunk_find(&r->file, &d, &zero, &chunk));
    if (status != UTET_OK)
        return status;
    if (w->slice == SLICE_ALL) {
        guard whole = guard_new((size_t)chunk.raw_byte_len, 1, w->side);
        faultport_zone(&r->port, 1, whole.data, whole.size);
        DRIVE(status, utet_stream_load(&stream, &r->file, &chunk, whole.data, whole.size));
        suite_check(guard_intact(&whole), "load wrote outside the destination");
        memcpy(out, whole.data, whole.size);
        *got = status == UTET_OK ? whole.size : 0;
        guard_free(&whole);
        faultport_zone(&r->port, 1, NULL, 0);
        return status;
    }
    DRIVE(status, utet_stream_open(&stream, &r->file, &chunk));
    if (status != UTET_OK)
        return status;
    while (status == UTET_OK) {
        DRIVE(status, utet_stream_read(&stream, out + *got, w->slice, &some));
        if (status == UTET_OK || UTET_IS_ERROR(status))
            *got += some;
        suite_check(*got <= chunk.raw_byte_len, "%zu bytes delivered", *got);
    }
    if (status != UTET_END) { /* sticks */
        utet_status again;
        DRIVE(again, utet_stream_read(&stream, out, 1, &some));
        suite_check(again == status && some == 0, "%s, then %s", rig_status(status), rig_status(again));
    }
    return status == UTET_END ? UTET_OK : status;
}

/* The need of the only chunk. */
static inline utet_status need_of(rig *r, int whole, utet_need *need)
{
    utet_chunk chunk;
    utet_status status;
    faultport_rewind(&r->port);
    rig_start(r, WINDOW, GUARD_AFTER);
    DRIVE(status, utet_open(&r->file, &(utet_options){.budget = (size_t)-1}));
    suite_check(status == UTET_OK, "open: %s", rig_status(status));
    DRIVE(status, utet_row_first(&r->file, &chunk));
    suite_check(status == UTET_OK, "row: %s", rig_status(status));
    DRIVE(status, utet_chunk_need(&r->file, &chunk, whole, need));
    return status;
}

static inline size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* The formula of src/DESIGN.md §2: window, context, one block, history. */
static inline size_t formula(const image *f, size_t frame_window, int mapped, int whole)
{
    size_t block = mapped ? 0 : least(f->stored, 128 << 10);
    size_t ring = least(f->raw, ZSTD_decodingBufferSize_min(frame_window, ZSTD_CONTENTSIZE_UNKNOWN));
    return (mapped ? 0 : WINDOW) + context + block + (whole ? 0 : ring);
}

static const frame_kind kinds[] = {
    {"writers", 21, 3, 0, 0, 0},     {"w10", 10, 3, 0, 0, 0},       {"w10-fast", 10, -5, 1, 0, 0},
    {"w10-flush", 10, 5, 0, 0, 700}, {"w12", 12, 19, 1, 0, 0},      {"w14", 14, 1, 0, 0, 5000},
    {"w17", 17, 3, 1, 0, 0},         {"w18", 18, 9, 0, 0, 0},       {"sized", 0, 3, 0, 1, 0},
    {"sized-check", 0, 12, 1, 1, 0}, {"sized-w10", 10, 3, 1, 1, 0}, {"w17-flush", 17, 3, 0, 0, 50001},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

static const size_t sizes[] = {1, 2, 63, 1000, 1025, 4096, 65536, 131071, 131072, 131073, 262144, 700001};
enum { SIZES = sizeof sizes / sizeof sizes[0] };

static inline size_t frame_window(const image *f)
{
    ZSTD_frameHeader h;
    suite_check(ZSTD_getFrameHeader(&h, f->bytes + PAYLOAD_AT, f->stored) == 0, "frame header");
    return (size_t)h.windowSize;
}

/* A file of one frame, its bytes in *data. */
static inline image framed(const frame_kind *k, size_t size, uint64_t seed, uint8_t **data)
{
    size_t room = ZSTD_compressBound(size) + 4096 + (k->flush ? size / k->flush * 8 : 0);
    uint8_t *payload = need_memory(malloc(room));
    size_t far = k->window_log ? (size_t)1 << k->window_log : (size_t)2 << 20;
    *data = make_data(size, far, seed);
    image f = wrap(payload, make_frame(k, *data, size, payload, room), size);
    free(payload);
    return f;
}

static inline void expect_bytes(rig *r, const way *w, const uint8_t *data, size_t size, const char *what)
{
    uint8_t *out = need_memory(malloc(size + 1));
    size_t got;
    faultport_rewind(&r->port);
    utet_status status = decode(r, w, out, &got);
    suite_check(status == UTET_OK && got == size, "%s: work %zu slice %zu map %d: %s after %zu bytes at %llu", what,
                w->work, w->slice, w->mapped, rig_status(status), got, (unsigned long long)r->file.error_offset);
    suite_check(memcmp(out, data, size) == 0, "%s: work %zu slice %zu map %d: wrong bytes", what, w->work, w->slice,
                w->mapped);
    rig_check(r, what);
    free(out);
}

/* The need without window, block and history: 30,328 bytes if pointers have four bytes. */
static inline int measure_context(void **state)
{
    image f = wrap("\x28\xB5\x2F\xFD\x00\x58\x01\x00\x00", 9, 0);
    rig r;
    utet_need need;
    (void)state;
    rig_make(&r, f.bytes, f.size, UPSTREAM);
    faultport_map(&r.port);
    suite_check(need_of(&r, 1, &need) == UTET_OK, "need");
    context = (size_t)need.least;
    rig_end(&r, "context");
    free(f.bytes);
    return 0;
}

#endif

#endif
