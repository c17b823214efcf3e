/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * The adapter to the zstd package: memory to the byte, suspension, frames of every make, damaged payloads. The oracle
 * is Debian's libzstd, whose streaming call has no code of ours in between; frames are written by it or put together by
 * hand. Frames made by hand are read by the small decoder, too.
 */
#include "rig.h"
#include "tetgen.h"

#if defined(TETGEN_NO_ZSTD) || !defined(HAVE_ZSTD_UPSTREAM)

static void no_libzstd(void **state)
{
    (void)state;
    suite_skip("suite_upstream: no libzstd on this target");
}

int main(void)
{
    const struct CMUnitTest cases[] = {cmocka_unit_test(no_libzstd)};
    return SUITE("upstream", cases);
}

#else

#define ZSTD_STATIC_LINKING_ONLY
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#define UPSTREAM 0
#define PAYLOAD_AT 216u
#define WINDOW ((size_t)UTET_WINDOW_LEAST(1))

/* sizeof(ZSTD_DCtx) as the package was configured; measured by the first case that needs it and held against the figure
 * of the documents. */
static size_t context;

/* ---- files with one chunk ---- */

typedef struct image {
    uint8_t *bytes;
    size_t size, stored, raw;
} image;

static void *need_memory(void *p)
{
    suite_check(p != NULL, "out of memory");
    return p;
}

/* One u8 dataset "a", one zstd chunk of `raw` bytes (§2, §3, §4). */
static image wrap(const void *payload, size_t stored, size_t raw)
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

/* Text-like bytes with matches from near and from as far as `far`, and stretches of noise (raw literals, raw blocks)
 * and of one value (RLE). */
static uint8_t *make_data(size_t size, size_t far, uint64_t seed)
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
    int window_log; /* 0 = the level's */
    int level, checksum, content_size;
    size_t flush; /* end a block after so many bytes; 0 = never */
} frame_kind;

/* Appends a frame of `size` bytes of data to `out`; returns its length. */
static size_t make_frame(const frame_kind *k, const uint8_t *data, size_t size, uint8_t *out, size_t room)
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

/* What libzstd says: 1 when `payload` is frames that decode to exactly `raw` bytes, which are then in `out`. Fed byte
 * by byte: a frame that it sees as a whole goes a shorter way past the limits of window and block. */
static int oracle(const uint8_t *payload, size_t stored, uint8_t *out, size_t raw)
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
    size_t work;  /* workspace; 0 = for a history as long as the chunk, and the best window */
    size_t slice; /* of the destination; SLICE_ALL = load the whole chunk */
    int mapped;
    guard_side side;
} way;

static size_t ample(const rig *r)
{
    const uint8_t *row = r->port.bytes + 112;
    uint64_t raw = tetgen_get(row + 80, 8), stored = tetgen_get(row + 88, 8);
    return UTET_WINDOW_BEST(1) + 31000 + (size_t)(stored < 128 << 10 ? stored : 128 << 10) + (size_t)raw;
}

/* Opens, finds the chunk, decodes; *got bytes of `out` were delivered. The port's schedule is the caller's. */
static utet_status decode(rig *r, const way *w, uint8_t *out, size_t *got)
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
static utet_status need_of(rig *r, int whole, utet_need *need)
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

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* The formula of src/DESIGN.md §2, written out: window, context, one block, history. */
static size_t formula(const image *f, size_t frame_window, int mapped, int whole)
{
    size_t block = mapped ? 0 : least(f->stored, 128 << 10);
    size_t ring = least(f->raw, ZSTD_decodingBufferSize_min(frame_window, ZSTD_CONTENTSIZE_UNKNOWN));
    return (mapped ? 0 : WINDOW) + context + block + (whole ? 0 : ring);
}

/* ---- cases ---- */

static const frame_kind kinds[] = {
    {"writers", 21, 3, 0, 0, 0},     {"w10", 10, 3, 0, 0, 0},       {"w10-fast", 10, -5, 1, 0, 0},
    {"w10-flush", 10, 5, 0, 0, 700}, {"w12", 12, 19, 1, 0, 0},      {"w14", 14, 1, 0, 0, 5000},
    {"w17", 17, 3, 1, 0, 0},         {"w18", 18, 9, 0, 0, 0},       {"sized", 0, 3, 0, 1, 0},
    {"sized-check", 0, 12, 1, 1, 0}, {"sized-w10", 10, 3, 1, 1, 0}, {"w17-flush", 17, 3, 0, 0, 50001},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

static const size_t sizes[] = {1, 2, 63, 1000, 1025, 4096, 65536, 131071, 131072, 131073, 262144, 700001};
enum { SIZES = sizeof sizes / sizeof sizes[0] };

static size_t frame_window(const image *f)
{
    ZSTD_frameHeader h;
    suite_check(ZSTD_getFrameHeader(&h, f->bytes + PAYLOAD_AT, f->stored) == 0, "frame header");
    return (size_t)h.windowSize;
}

/* A file of one frame, its bytes in *data. */
static image framed(const frame_kind *k, size_t size, uint64_t seed, uint8_t **data)
{
    size_t room = ZSTD_compressBound(size) + 4096 + (k->flush ? size / k->flush * 8 : 0);
    uint8_t *payload = need_memory(malloc(room));
    size_t far = k->window_log ? (size_t)1 << k->window_log : (size_t)2 << 20;
    *data = make_data(size, far, seed);
    image f = wrap(payload, make_frame(k, *data, size, payload, room), size);
    free(payload);
    return f;
}

static void expect_bytes(rig *r, const way *w, const uint8_t *data, size_t size, const char *what)
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

/* What is left of the need when there is no window, no block and no history. 30,328 bytes where pointers have four. */
static int measure_context(void **state)
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

static void context_size(void **state)
{
    (void)state;
    suite_figure("zstd context %zu bytes", context);
    if (sizeof(void *) == 4) /* 8 more where u64 is aligned to 8 bytes in other places */
        assert_in_range(context, 30328, 30336);
    else
        assert_in_range(context, 30329, 30328 + 50 * 4); /* not more pointers than that */
}

/* Every kind and size: the need is the formula's, exactly that much decodes in slices, whole, mapped or not; one byte
 * less is refused with that number. */
static void need_is_exact(void **state)
{
    (void)state;
    for (size_t k = 0; k < KINDS; k++)
        for (size_t s = 0; s < SIZES; s++) {
            uint8_t *data;
            image f = framed(&kinds[k], sizes[s], k * 31 + s, &data);
            size_t window = frame_window(&f);
            for (int mode = 0; mode < 4; mode++) {
                rig r;
                utet_need need;
                int mapped = mode & 1, whole = mode >> 1;
                rig_make(&r, f.bytes, f.size, UPSTREAM);
                if (mapped)
                    faultport_map(&r.port);
                suite_check(need_of(&r, whole, &need) == UTET_OK, "%s %zu: need", kinds[k].name, sizes[s]);
                size_t want = formula(&f, window, mapped, whole);
                suite_check(need.least == want, "%s %zu map %d whole %d: need %llu, formula %zu", kinds[k].name,
                            sizes[s], mapped, whole, (unsigned long long)need.least, want);
                way w = {want, whole ? SLICE_ALL : 4099, mapped, ((size_t)mode + s) % 2 ? GUARD_BEFORE : GUARD_AFTER};
                expect_bytes(&r, &w, data, sizes[s], kinds[k].name);
                w.work--;
                size_t got;
                uint8_t *out = need_memory(malloc(sizes[s] + 1));
                utet_status status = decode(&r, &w, out, &got);
                suite_check(status == UTET_E_BUDGET && got == 0 && r.file.needed == want,
                            "%s %zu: need - 1: %s naming %llu", kinds[k].name, sizes[s], rig_status(status),
                            (unsigned long long)r.file.needed);
                free(out);
                rig_end(&r, kinds[k].name);
            }
            free(data);
            free(f.bytes);
        }
}

/* A ring one byte shorter than ZSTD_decodingBufferSize_min would give wrong bytes without an error: it must be refused,
 * although context and block would fit. */
static void ring_minus_one_is_refused(void **state)
{
    const size_t size = 700001;
    uint8_t *data, *out = need_memory(malloc(size));
    image f = framed(&kinds[1], size, 5, &data);
    size_t ring = ZSTD_decodingBufferSize_min(1024, ZSTD_CONTENTSIZE_UNKNOWN), got;
    rig r;
    (void)state;
    suite_check(ring < size, "the frame has to need a ring shorter than the chunk");
    rig_make(&r, f.bytes, f.size, UPSTREAM);
    way w = {WINDOW + context + least(f.stored, 128 << 10) + ring, 1000, 0, GUARD_AFTER};
    expect_bytes(&r, &w, data, size, "exactly the ring");
    w.work--;
    assert_int_equal(decode(&r, &w, out, &got), UTET_E_BUDGET);
    assert_int_equal(got, 0);
    assert_int_equal(r.file.needed, w.work + 1);
    rig_end(&r, "ring - 1");
    free(out);
    free(data);
    free(f.bytes);
}

/* Short blocks of literals and matches from everywhere in the window. The package lays a block's literals 128 KB behind
 * its output: a ring that goes back to its start as if blocks were larger than the frame's has them where history
 * still stands. */
static void short_blocks_in_a_ring(void **state)
{
    (void)state;
    for (int log = 10; log <= 17; log++) {
        const size_t window = (size_t)1 << log, size = 6 * window + (256 << 10);
        const frame_kind k = {"short blocks", log, 3, 0, 0, 3001};
        uint8_t *data;
        image f = framed(&k, size, (uint64_t)log, &data);
        rig r;
        assert_int_equal(frame_window(&f), window);
        rig_make(&r, f.bytes, f.size, UPSTREAM);
        way w = {formula(&f, window, 0, 0), 5000, 0, GUARD_AFTER};
        expect_bytes(&r, &w, data, size, k.name);
        rig_end(&r, k.name);
        free(data);
        free(f.bytes);
    }
}

/* Every workspace up to the need and some beyond: refused below, right above. */
static void every_budget(void **state)
{
    uint8_t *data;
    image f = framed(&kinds[4], 30000, 9, &data);
    size_t need = formula(&f, frame_window(&f), 0, 0), got;
    uint8_t *out = need_memory(malloc(30000));
    rig r;
    (void)state;
    rig_make(&r, f.bytes, f.size, UPSTREAM);
    for (size_t work = WINDOW; work < need; work += work + 300 < need ? 97 : 1) {
        way w = {work, 500, 0, GUARD_AFTER};
        faultport_rewind(&r.port);
        assert_int_equal(decode(&r, &w, out, &got), UTET_E_BUDGET);
        assert_int_equal(r.file.needed, need);
    }
    for (size_t work = need; work < need + 900; work += 7) {
        way w = {work, 500, 0, GUARD_BEFORE};
        expect_bytes(&r, &w, data, 30000, "budget");
    }
    rig_end(&r, "budget");
    free(out);
    free(data);
    free(f.bytes);
}

/* Bytes one at a time with "not yet" between any two; slices of every size from 1 to 257. */
static void slices_and_suspensions(void **state)
{
    static const size_t ports[] = {1, 2, 3, 7, 511, 512, 513, SLICE_RANDOM, SLICE_ALL};
    (void)state;
    for (size_t k = 0; k < KINDS; k++) {
        uint8_t *data;
        size_t size = 5000 + 17 * k;
        image f = framed(&kinds[k], size, 77 + k, &data);
        rig r;
        rig_make(&r, f.bytes, f.size, UPSTREAM);
        for (size_t p = 0; p < sizeof ports / sizeof ports[0]; p++) {
            way w = {0, 1 + (p * 37 + k) % 257, 0, GUARD_AFTER};
            r.port.slice = ports[p];
            r.port.blocks = p % 3 == 0 ? 1 : p % 3 == 1 ? 3 : 0;
            w.work = p % 2 ? formula(&f, frame_window(&f), 0, 0) : 0;
            expect_bytes(&r, &w, data, size, kinds[k].name);
            w.slice = SLICE_ALL;
            w.work = 0;
            expect_bytes(&r, &w, data, size, kinds[k].name);
        }
        for (size_t slice = 1; slice <= 257; slice++) {
            way w = {0, slice, 0, GUARD_AFTER};
            r.port.slice = slice;
            r.port.blocks = 1;
            expect_bytes(&r, &w, data, size, kinds[k].name);
        }
        rig_end(&r, kinds[k].name);
        free(data);
        free(f.bytes);
    }
}

/* Frames one behind the other with windows of all sizes, empty ones and skippable ones in between; read with exactly
 * the ring of the largest window, which only a walk over all headers can know. */
static void many_frames(void **state)
{
    static const size_t order[] = {1, 9, 3, 9, 4, 5, 9, 2, 1, 9, 10, 9};
    const size_t size = 600000, piece = 50000;
    uint8_t *data = make_data(size, 16384, 3), *payload = need_memory(malloc(2 * size));
    size_t at = 0, window = 0, ends[36], count = 0;
    (void)state;
    for (size_t i = 0; i < 12; i++) {
        frame_kind k = kinds[order[i]];
        ZSTD_frameHeader h;
        size_t n = make_frame(&k, data + i * piece, piece, payload + at, 2 * size - at);
        ZSTD_getFrameHeader(&h, payload + at, n);
        window = h.windowSize > window ? (size_t)h.windowSize : window;
        at += n;
        ends[count++] = at;
        tetgen_put(payload + at, 0x184D2A50 + i, 4);
        tetgen_put(payload + at + 4, i * 3, 4);
        memset(payload + at + 8, 0x28, i * 3);
        at += 8 + i * 3;
        ends[count++] = at;
        at += make_frame(&k, data, 0, payload + at, 2 * size - at);
        ends[count++] = at;
    }
    image f = wrap(payload, at, size);
    suite_check(ZSTD_decodingBufferSize_min(window, ZSTD_CONTENTSIZE_UNKNOWN) < size, "a ring is meant here");
    rig r;
    rig_make(&r, f.bytes, f.size, UPSTREAM);
    for (int mode = 0; mode < 4; mode++) {
        utet_need need;
        r.port.slice = mode == 0 ? 100 : SLICE_ALL;
        r.port.blocks = mode == 0;
        if (mode == 3)
            faultport_map(&r.port);
        assert_int_equal(need_of(&r, 0, &need), UTET_OK);
        assert_int_equal(need.least, formula(&f, window, mode == 3, 0));
        way w = {(size_t)need.least, mode == 1 ? 100000 : 999, mode == 3, GUARD_AFTER};
        expect_bytes(&r, &w, data, size, "many frames, ring");
        w.work = 0;
        expect_bytes(&r, &w, data, size, "many frames, flat");
        w.slice = SLICE_ALL;
        expect_bytes(&r, &w, data, size, "many frames, whole");
    }
    rig_end(&r, "many frames");
    /* The small decoder's own walk: its least memory is that of the largest window, and suffices. */
    for (int blocks = 0; blocks < 2 && rig_codecs() > 1; blocks++) {
        utet_need need;
        rig_make(&r, f.bytes, f.size, 1);
        r.port.blocks = blocks != 0;
        assert_int_equal(need_of(&r, 0, &need), UTET_OK);
        assert_in_range(need.least, window, window + 8192);
        way w = {(size_t)need.least, 999, 0, GUARD_AFTER};
        expect_bytes(&r, &w, data, size, "many frames, small decoder");
        rig_end(&r, "many frames, small decoder");
    }
    /* The walk sees that the payload ends too early: within a block, between blocks, within a header; not between
     * frames. */
    for (size_t stored = f.stored - 12; stored > f.stored - 50000; stored -= 997) {
        utet_need need;
        tetgen_put(f.bytes + 112 + 88, stored, 8);
        rig_make(&r, f.bytes, f.size, UPSTREAM);
        utet_status status = need_of(&r, 0, &need);
        int whole_frames = 0;
        for (size_t i = 0; i < count; i++)
            whole_frames |= stored == ends[i];
        suite_check(status == (whole_frames ? UTET_OK : UTET_E_PAYLOAD), "cut to %zu of %zu: %s", stored, f.stored,
                    rig_status(status));
        uint64_t where = r.file.error_offset;
        rig_end(&r, "many frames, cut");
        if (rig_codecs() > 1) { /* the small decoder's walk finds it at the same place */
            rig_make(&r, f.bytes, f.size, 1);
            suite_check(need_of(&r, 0, &need) == status, "cut to %zu: not by the small decoder", stored);
            suite_check(r.file.error_offset == where, "cut to %zu: small decoder at %llu, upstream at %llu", stored,
                        (unsigned long long)r.file.error_offset, (unsigned long long)where);
            rig_end(&r, "many frames, cut, small decoder");
        }
    }
    free(data);
    free(payload);
    free(f.bytes);
}

/* A medium that changes after the need was told: a frame whose window the ring cannot hold any more is refused. */
static void window_grows_behind_our_back(void **state)
{
    const size_t size = 400000;
    uint8_t *data = make_data(size, 1024, 3), *payload = need_memory(malloc(2 * size)),
            *out = need_memory(malloc(size));
    size_t first = make_frame(&kinds[1], data, size / 2, payload, size);
    size_t stored = first + make_frame(&kinds[1], data + size / 2, size / 2, payload + first, size);
    image f = wrap(payload, stored, size);
    rig r;
    utet_chunk chunk;
    utet_stream stream;
    utet_status status;
    size_t got;
    (void)state;
    rig_make(&r, f.bytes, f.size, UPSTREAM);
    assert_int_equal(rig_open(&r, formula(&f, 1024, 0, 0), (size_t)-1), UTET_OK);
    DRIVE_OK(utet_row_first(&r.file, &chunk));
    DRIVE_OK(utet_stream_open(&stream, &r.file, &chunk));
    DRIVE_OK(utet_stream_read(&stream, out, 1000, &got));
    f.bytes[PAYLOAD_AT + first + 5] = 0x58;
    DRIVE(status, utet_stream_read(&stream, out, size, &got));
    assert_int_equal(status, UTET_E_PAYLOAD);
    assert_int_equal(r.file.error_offset, PAYLOAD_AT + first);
    assert_int_equal(got, size / 2 - 1000);
    rig_end(&r, "window grows");
    free(out);
    free(payload);
    free(data);
    free(f.bytes);
}

/* More than the state of a stream can count: no memory would do. */
static void length_beyond_counting(void **state)
{
    const uint64_t beyond[] = {UINT64_C(1) << 48, (uint64_t)(SIZE_MAX / 2) + 1}; /* each codec's own */
    image f = wrap("\x28\xB5\x2F\xFD\x00\x00\x01\x00\x00", 9, 1);
    (void)state;
    for (int codec = 0; codec < (int)rig_codecs(); codec++) {
        rig r;
        utet_need need;
        rig_make(&r, f.bytes, f.size, codec);
        tetgen_put(f.bytes + 112 + 80, beyond[codec] - 1, 8);
        assert_int_equal(need_of(&r, 0, &need), UTET_OK);
        assert_true(need.least < 200000);
        tetgen_put(f.bytes + 112 + 80, beyond[codec], 8);
        assert_int_equal(need_of(&r, 0, &need), UTET_OK);
        assert_true(need.least == UINT64_MAX);
        rig_end(&r, "length");
    }
    free(f.bytes);
}

/* The payload ends between two blocks of a frame. */
static void walk_ends_within_a_frame(void **state)
{
    uint8_t b[6 + 4 * 200] = {0x28, 0xB5, 0x2F, 0xFD, 0x00, 0x00};
    (void)state;
    for (size_t i = 0; i < 200; i++)
        tetgen_put(b + 6 + 4 * i, 1u << 1 | 1024u << 3 | 0x37000000u, 4);
    for (size_t cut = 0; cut <= sizeof b; cut++) /* at the end: with the last block's mark */
        for (int codec = 0; codec < (int)rig_codecs(); codec++) {
            int whole = cut == sizeof b;
            rig r;
            utet_need need;
            b[6 + 4 * 199] = (uint8_t)((b[6 + 4 * 199] & 0xFE) | whole);
            image f = wrap(b, whole ? cut : cut + 1, 200 * 1024);
            rig_make(&r, f.bytes, f.size, codec);
            utet_status status = need_of(&r, 0, &need);
            suite_check(status == (whole ? UTET_OK : UTET_E_PAYLOAD), "%s, %zu bytes: %s",
                        rig_codec_name((unsigned)codec), f.stored, rig_status(status));
            size_t fault = f.stored < 6 ? 0 : f.stored - (f.stored - 6) % 4;
            suite_check(whole || r.file.error_offset == PAYLOAD_AT + fault, "%s, %zu bytes: at %llu",
                        rig_codec_name((unsigned)codec), f.stored, (unsigned long long)r.file.error_offset);
            rig_end(&r, "walk");
            free(f.bytes);
        }
}

/* ---- what is refused, and by which name ---- */

/* A frame of one raw block of 5 bytes "abcde"; room for header variations in front. */
static const uint8_t hello[] = {0x28, 0xB5, 0x2F, 0xFD, 0x00, 0x58, 0x29, 0x00, 0x00, 'a', 'b', 'c', 'd', 'e'};

static void expect_status(const void *payload, size_t stored, size_t raw, utet_status expected, uint64_t fault_at,
                          const char *what)
{
    image f = wrap(payload, stored, raw);
    uint8_t *out = need_memory(malloc(raw + 1));
    for (int mode = 0; mode < 6 * (int)rig_codecs(); mode++) {
        rig r;
        size_t got;
        int m = mode % 6;
        way w = {0, m == 0 ? 1 : m == 1 ? 4 : m == 2 ? 100000 : m == 3 ? 3 : SLICE_ALL, m % 3 == 2, GUARD_AFTER};
        rig_make(&r, f.bytes, f.size, mode / 6);
        if (m == 3 || m == 4) {
            r.port.slice = 1;
            r.port.blocks = 1;
        }
        utet_need need;
        utet_status asked = need_of(&r, 0, &need); /* reads headers, so it may find the fault */
        suite_check(asked == UTET_OK || asked == expected, "%s, mode %d: need: %s", what, mode, rig_status(asked));
        faultport_rewind(&r.port);
        utet_status status = decode(&r, &w, out, &got);
        suite_check(status == expected, "%s, mode %d: %s, expected %s", what, mode, rig_status(status),
                    rig_status(expected));
        if (expected != UTET_OK) {
            suite_check(got < raw || raw == 0, "%s, mode %d: all bytes delivered before the fault", what, mode);
            suite_check(fault_at == (uint64_t)-1 || r.file.error_offset == PAYLOAD_AT + fault_at,
                        "%s, mode %d: fault at %lld", what, mode,
                        (long long)r.file.error_offset - (long long)PAYLOAD_AT);
        }
        rig_end(&r, what);
    }
    free(out);
    free(f.bytes);
}

static void refused_by_name(void **state)
{
    uint8_t b[64];
    (void)state;
    expect_status(hello, sizeof hello, 5, UTET_OK, 0, "plain");
    expect_status("", 0, 5, UTET_E_PAYLOAD, 0, "empty payload");
    expect_status(hello, sizeof hello, 4, UTET_E_PAYLOAD, 9, "more than the row says");
    expect_status(hello, sizeof hello, 6, UTET_E_PAYLOAD, sizeof hello, "less than the row says");
    for (size_t n = 1; n < sizeof hello; n++)
        expect_status(hello, n, 5, UTET_E_PAYLOAD, (uint64_t)-1, "cut off");
    for (size_t n = 1; n < 20; n++) {
        memcpy(b, hello, sizeof hello);
        memset(b + sizeof hello, 0, n);
        expect_status(b, sizeof hello + n, 5, UTET_E_PAYLOAD, sizeof hello, "trailing zeros");
        memset(b + sizeof hello, 0x5A, n);
        expect_status(b, sizeof hello + n, 5, UTET_E_PAYLOAD, sizeof hello, "trailing junk");
    }
    for (uint32_t magic = 0xFD2FB522u; magic <= 0xFD2FB527u; magic++) {
        memcpy(b, hello, sizeof hello);
        tetgen_put(b, magic, 4);
        expect_status(b, sizeof hello, 5, UTET_E_ZSTD_LEGACY, 0, "legacy");
    }
    tetgen_put(b, 0x1EB52FFDu, 4); /* 0.1 stored it the other way round */
    expect_status(b, sizeof hello, 5, UTET_E_ZSTD_LEGACY, 0, "legacy 0.1");
    tetgen_put(b, 0xFD2FB521u, 4);
    expect_status(b, sizeof hello, 5, UTET_E_PAYLOAD, 0, "never a magic");
    tetgen_put(b, 0xFD2FB528u, 4);
    b[5] = 17 << 3; /* 2^27 */
    expect_status(b, sizeof hello, 5, UTET_OK, 0, "window 2^27");
    b[5] = 17 << 3 | 1;
    expect_status(b, sizeof hello, 5, UTET_E_ZSTD_WINDOW, 0, "window 2^27 * 9/8");
    b[5] = 18 << 3;
    expect_status(b, sizeof hello, 5, UTET_E_ZSTD_WINDOW, 0, "window 2^28");
    b[5] = 0xFF;
    expect_status(b, sizeof hello, 5, UTET_E_ZSTD_WINDOW, 0, "window 2^41");
    b[5] = 0x58;
    b[4] = 0x08;
    expect_status(b, sizeof hello, 5, UTET_E_PAYLOAD, 0, "reserved bit");
    b[4] = 0;
    b[6] = 0x2F;
    expect_status(b, sizeof hello, 5, UTET_E_PAYLOAD, 6, "reserved block type");
    b[6] = 0x28;
    expect_status(b, sizeof hello, 5, UTET_E_PAYLOAD, sizeof hello, "no last block");
}

static void dictionaries(void **state)
{
    uint8_t b[64];
    (void)state;
    for (int flag = 1; flag <= 3; flag++)
        for (uint32_t id = 0; id < 2; id++) {
            size_t n = flag == 3 ? 4 : (size_t)flag;
            memcpy(b, hello, 6);
            b[4] = (uint8_t)flag;
            tetgen_put(b + 6, id, (unsigned)n);
            memcpy(b + 6 + n, hello + 6, sizeof hello - 6);
            expect_status(b, sizeof hello + n, 5, id ? UTET_E_ZSTD_DICT : UTET_OK, 0, "dictionary id");
        }
}

/* Skippable frames: sizes that lie about the rest; nothing but skippable. */
static void skippable(void **state)
{
    uint8_t b[64] = {0x5F, 0x2A, 0x4D, 0x18, 3, 0, 0, 0, 1, 2, 3};
    (void)state;
    memcpy(b + 11, hello, sizeof hello);
    expect_status(b, 11 + sizeof hello, 5, UTET_OK, 0, "skippable first");
    expect_status(b, 11, 5, UTET_E_PAYLOAD, 11, "only skippable");
    for (size_t n = 1; n < 11; n++)
        expect_status(b, n, 5, UTET_E_PAYLOAD, 0, "skippable cut off");
    tetgen_put(b + 4, 0xFFFFFFFFu, 4);
    expect_status(b, 11 + sizeof hello, 5, UTET_E_PAYLOAD, 0, "skippable of 4 GB");
    memcpy(b, hello, sizeof hello);
    tetgen_put(b + sizeof hello, 0x184D2A50u, 4);
    tetgen_put(b + sizeof hello + 4, 2, 4);
    expect_status(b, sizeof hello + 10, 5, UTET_OK, 0, "skippable last");
    expect_status(b, sizeof hello + 9, 5, UTET_E_PAYLOAD, sizeof hello, "skippable last, cut off");
}

/* RLE blocks, also of 0 and 1 bytes; an empty last block; content size wrong; blocks over the limit of the window. */
static void odd_blocks(void **state)
{
    static const uint8_t rle[] = {0x28, 0xB5, 0x2F, 0xFD, 0x00, 0x00, 0x02, 0x00, 0x00, 'x', 0x0A,
                                  0x00, 0x00, 'y',  0x22, 0x1F, 0x00, 'z',  0x01, 0x00, 0x00};
    static const uint8_t sized[] = {0x28, 0xB5, 0x2F, 0xFD, 0x20, 0x05, 0x29, 0x00, 0x00, 'a', 'b', 'c', 'd', 'e'};
    uint8_t b[2200] = {0};
    (void)state;
    expect_status(rle, sizeof rle, 1 + 996, UTET_OK, 0, "RLE of 0, 1 and 996");
    expect_status(rle, sizeof rle, 996, UTET_E_PAYLOAD, 17, "RLE past the end");
    memcpy(b, sized, sizeof sized);
    expect_status(b, sizeof sized, 5, UTET_OK, 0, "content size");
    b[5] = 6;
    /* One decoder notices before the last block, the other behind it. */
    expect_status(b, sizeof sized, 5, UTET_E_PAYLOAD, (uint64_t)-1, "content size too big");
    memcpy(b, hello, 6);
    b[4] |= 0xC0;
    memset(b + 6, 0xFF, 8);
    memcpy(b + 14, sized + 6, sizeof sized - 6);
    expect_status(b, 14 + sizeof sized - 6, 5, UTET_OK, 0, "content size of all ones: unknown");
    b[13] = 0xFE;
    expect_status(b, 14 + sizeof sized - 6, 5, UTET_E_PAYLOAD, (uint64_t)-1, "content size of nearly all ones");
    memcpy(b, hello, 6);
    b[5] = 0; /* 1 KiB */
    tetgen_put(b + 6, 1 | 1024 << 3, 3);
    expect_status(b, 9 + 1024, 1024, UTET_OK, 0, "block as large as the window");
    tetgen_put(b + 6, 1 | 1025 << 3, 3);
    expect_status(b, 9 + 1025, 1025, UTET_E_PAYLOAD, 6, "raw block larger than the window");
    tetgen_put(b + 6, 1 | 1 << 1 | 1025 << 3, 3);
    expect_status(b, 10, 1025, UTET_E_PAYLOAD, (uint64_t)-1, "RLE block larger than the window");
}

/* RLE blocks of no bytes behind the last byte, which waits for the end of the payload, wherever in a ring that is. */
static void empty_blocks_behind_the_last_byte(void **state)
{
    enum { MOST = 280 };
    static uint8_t data[MOST * 1024];
    (void)state;
    suite_check(ZSTD_decodingBufferSize_min(1024, ZSTD_CONTENTSIZE_UNKNOWN) < 140 * 1024, "the ring is larger");
    for (unsigned blocks = 240; blocks <= MOST; blocks++) /* about two rings */
        for (unsigned odd = 1; odd <= 1024; odd += 331) { /* length of the first block */
            uint8_t b[6 + 4 * (MOST + 2)] = {0x28, 0xB5, 0x2F, 0xFD, 0x00, 0x00};
            size_t size = 0, at = 6;
            for (unsigned n = 0; n < blocks; n++, at += 4) {
                size_t length = n == 0 ? odd : 1024;
                tetgen_put(b + at, 1u << 1 | length << 3 | (uint64_t)(n % 250 + 1) << 24, 4);
                memset(data + size, (int)(n % 250 + 1), length);
                size += length;
            }
            tetgen_put(b + at, 1u << 1 | 0x77000000u, 4);
            tetgen_put(b + at + 4, 1u << 1 | 1 | 0x78000000u, 4);
            image f = wrap(b, at + 8, size);
            for (int codec = 0; codec < (int)rig_codecs(); codec++) {
                rig r;
                utet_need need;
                rig_make(&r, f.bytes, f.size, codec);
                assert_int_equal(need_of(&r, 0, &need), UTET_OK);
                way w = {(size_t)need.least, 1 + odd % 700, 0, GUARD_AFTER};
                expect_bytes(&r, &w, data, size, "empty blocks at the end");
                rig_end(&r, "empty blocks");
            }
            free(f.bytes);
        }
}

/* The last byte waits for the checksum: everything before it may be delivered, it may not. */
static void last_byte_waits(void **state)
{
    const size_t size = 3000;
    uint8_t *data, *out = need_memory(malloc(size));
    image f = framed(&kinds[4], size, 21, &data);
    (void)state;
    for (size_t slice = 1; slice < size; slice += slice < 5 ? 1 : 499) {
        rig r;
        size_t got;
        way w = {0, slice, 0, GUARD_AFTER};
        f.bytes[f.size - 1] ^= 1;
        rig_make(&r, f.bytes, f.size, UPSTREAM);
        assert_int_equal(decode(&r, &w, out, &got), UTET_E_CHECKSUM);
        suite_check(got < size && got >= size - slice, "%zu of %zu bytes", got, size);
        assert_memory_equal(out, data, got);
        assert_int_equal(r.file.error_offset, f.size - 4);
        w.slice = SLICE_ALL;
        assert_int_equal(decode(&r, &w, out, &got), UTET_E_CHECKSUM);
        rig_end(&r, "checksum");
        f.bytes[f.size - 1] ^= 1;
    }
    free(out);
    free(data);
    free(f.bytes);
}

/* A row that says 0 bytes: the payload still has to be frames that decode to nothing. Such a tile does not exist in a
 * dataset, so the row is taken as it comes. */
static void length_zero(void **state)
{
    static const uint8_t empty[] = {0x28, 0xB5, 0x2F, 0xFD, 0x00, 0x58, 0x01, 0x00, 0x00};
    static const struct {
        const uint8_t *payload;
        size_t stored;
        utet_status expected;
    } rows[] = {{empty, sizeof empty, UTET_OK},
                {empty, sizeof empty - 1, UTET_E_PAYLOAD},
                {hello, sizeof hello, UTET_E_PAYLOAD},
                {empty, 0, UTET_E_PAYLOAD}};
    (void)state;
    for (size_t i = 0; i < 4; i++)
        for (unsigned mode = 0; mode < 2 * rig_codecs(); mode++) {
            unsigned blocks = mode % 2;
            image f = wrap(rows[i].payload, rows[i].stored, 0);
            rig r;
            utet_chunk chunk;
            utet_stream stream;
            utet_status status;
            uint8_t byte;
            size_t got;
            rig_make(&r, f.bytes, f.size, (int)(mode / 2));
            r.port.blocks = blocks != 0;
            r.port.slice = blocks ? 1 : SLICE_ALL;
            assert_int_equal(rig_open(&r, 1 << 16, (size_t)-1), UTET_OK);
            DRIVE_OK(utet_row_first(&r.file, &chunk));
            DRIVE(status, utet_stream_open(&stream, &r.file, &chunk));
            assert_int_equal(status, rows[i].expected);
            DRIVE(status, utet_stream_load(&stream, &r.file, &chunk, &byte, 0));
            assert_int_equal(status, rows[i].expected);
            if (rows[i].expected == UTET_OK) {
                DRIVE_OK(utet_stream_open(&stream, &r.file, &chunk));
                DRIVE(status, utet_stream_read(&stream, &byte, 1, &got));
                assert_int_equal(status, UTET_END);
            }
            rig_end(&r, "length 0");
            free(f.bytes);
        }
}

/* A frame with all header fields (18 bytes), a window of 1 KB and 2,000 bytes; blocks without output between others;
 * three bytes behind a frame, which with the byte behind the payload would be an old magic number. */
static void odd_but_whole(void **state)
{
    static const uint8_t longest[] = {
        0x28, 0xB5, 0x2F, 0xFD, 0xC3, 0x00, 0,    0,    0,   0,    0xD0, 0x07, 0,
        0,    0,    0,    0,    0,    0x42, 0x1F, 0x00, 'x', 0x43, 0x1F, 0x00, 'y'}; /* twice RLE of 1,000 */
    static const uint8_t nothing[] = {
        0x28, 0xB5, 0x2F, 0xFD, 0x00, 0x58, 0x10, 0,    0, 'A', 'B', 0x14, 0,
        0,    0,    0,    0x02, 0,    0,    'z',  0x11, 0, 0,   'C', 'D'}; /* a compressed block of none, RLE of none */
    uint8_t data[2000], b[sizeof hello + 4], out[8];
    rig r;
    (void)state;
    memset(data, 'x', 1000);
    memset(data + 1000, 'y', 1000);
    for (unsigned mode = 0; mode < 4 * rig_codecs(); mode++) {
        way w = {0, mode & 1 ? SLICE_ALL : 100, mode >> 1 & 1, GUARD_AFTER};
        utet_need need;
        image f = wrap(longest, sizeof longest, 2000);
        rig_make(&r, f.bytes, f.size, (int)(mode / 4));
        assert_int_equal(need_of(&r, 0, &need), UTET_OK);
        expect_bytes(&r, &w, data, 2000, "18 bytes of header");
        rig_end(&r, "18 bytes of header");
        free(f.bytes);
        f = wrap(nothing, sizeof nothing, 4);
        rig_make(&r, f.bytes, f.size, (int)(mode / 4));
        w.slice = mode & 1 ? SLICE_ALL : 1;
        expect_bytes(&r, &w, (const uint8_t *)"ABCD", 4, "blocks of nothing");
        rig_end(&r, "blocks of nothing");
        free(f.bytes);
        memcpy(b, hello, sizeof hello);
        tetgen_put(b + sizeof hello, 0xFD2FB527u, 4);
        f = wrap(b, sizeof b, 5);
        tetgen_put(f.bytes + 112 + 88, sizeof hello + 3, 8);
        rig_make(&r, f.bytes, f.size, (int)(mode / 4));
        size_t got;
        w.slice = mode & 1 ? SLICE_ALL : 5;
        assert_int_equal(decode(&r, &w, out, &got), UTET_E_PAYLOAD);
        rig_end(&r, "three bytes");
        free(f.bytes);
    }
}

/* ---- damage ---- */

static void read_index_sweep(void **state)
{
    unsigned long injected = 0;
    (void)state;
    for (size_t k = 0; k < KINDS; k++) {
        uint8_t *data;
        const size_t size = 4000;
        image f = framed(&kinds[k], size, 300 + k, &data);
        uint8_t *out = need_memory(malloc(size));
        for (int mode = 0; mode < 3; mode++) {
            way w = {mode == 2 ? 0 : formula(&f, frame_window(&f), 0, 0), mode == 2 ? SLICE_ALL : 700, 0, GUARD_AFTER};
            rig r;
            size_t got;
            rig_make(&r, f.bytes, f.size, UPSTREAM);
            r.port.slice = mode == 1 ? 61 : SLICE_ALL;
            expect_bytes(&r, &w, data, size, "sweep, clean");
            uint64_t reads = r.port.reads;
            for (uint64_t at = 0; at < reads; at++)
                for (int kind = FAULT_ERROR; kind < FAULT_KINDS; kind++)
                    for (int forever = 0; forever < 2; forever++) {
                        faultport_rewind(&r.port);
                        r.port.fault = (fault_kind)kind;
                        r.port.fault_at = at;
                        r.port.fault_forever = forever;
                        utet_status status = decode(&r, &w, out, &got);
                        utet_status expected = kind == FAULT_ERROR ? FAULTPORT_ERROR
                                               : kind == FAULT_EOF ? UTET_E_SHORT
                                                                   : UTET_OK;
                        suite_check(status == expected, "%s: %s at read %llu: %s", kinds[k].name, fault_names[kind],
                                    (unsigned long long)at, rig_status(status));
                        suite_check(memcmp(out, data, got) == 0, "%s: %s: wrong bytes", kinds[k].name,
                                    fault_names[kind]);
                        if (kind >= FAULT_BLOCK_ONCE)
                            suite_check(r.port.reads == reads, "%s: %s: %llu reads, clean %llu", kinds[k].name,
                                        fault_names[kind], (unsigned long long)r.port.reads, (unsigned long long)reads);
                        rig_check(&r, "sweep");
                        injected++;
                    }
            rig_end(&r, "sweep");
        }
        free(out);
        free(data);
        free(f.bytes);
    }
    suite_figure("faults injected into zstd streams: %lu", injected);
}

/* Every length of the stored span but the right one; the row says so, the bytes behind it are still there. */
static void truncation(void **state)
{
    (void)state;
    for (size_t k = 0; k < KINDS; k++) {
        const size_t size = 1500;
        uint8_t *data, *out = need_memory(malloc(size));
        image f = framed(&kinds[k], size, 400 + k, &data);
        for (size_t stored = 0; stored < f.stored; stored++)
            for (int mapped = 0; mapped < 2; mapped++) {
                size_t got;
                way w = {0, stored % 2 ? SLICE_ALL : 64, mapped, GUARD_AFTER};
                rig r;
                tetgen_put(f.bytes + 112 + 88, stored, 8);
                rig_make(&r, f.bytes, f.size, UPSTREAM);
                utet_status status = decode(&r, &w, out, &got);
                suite_check(status == UTET_E_PAYLOAD && got < size, "%s cut to %zu of %zu: %s, %zu bytes",
                            kinds[k].name, stored, f.stored, rig_status(status), got);
                rig_end(&r, "truncation");
            }
        free(out);
        free(data);
        free(f.bytes);
    }
}

/* A damaged payload gives an error, or what libzstd gives for the same bytes. */
static unsigned long against_oracle(rig *r, image *f, uint8_t *out, uint8_t *expected, const char *what, size_t at)
{
    int good = oracle(f->bytes + PAYLOAD_AT, f->stored, expected, f->raw);
    for (int mode = 0; mode < 2; mode++) {
        size_t got;
        way w = {0, mode ? SLICE_ALL : 333, 0, at % 2 ? GUARD_AFTER : GUARD_BEFORE};
        utet_status status = decode(r, &w, out, &got);
        suite_check(status == UTET_OK || status == UTET_E_PAYLOAD || status == UTET_E_CHECKSUM ||
                        (status <= UTET_E_ZSTD_WINDOW && status >= UTET_E_ZSTD_LEGACY),
                    "%s, damage at %zu: %s", what, at, rig_status(status));
        suite_check((status == UTET_OK) == good, "%s, damage at %zu, mode %d: %s, libzstd %s", what, at, mode,
                    rig_status(status), good ? "accepts" : "refuses");
        suite_check(!good || memcmp(out, expected, f->raw) == 0, "%s, damage at %zu: other bytes", what, at);
    }
    rig_check(r, what);
    return 1;
}

static void bit_flips(void **state)
{
    unsigned long flips = 0;
    (void)state;
    for (size_t k = 0; k < KINDS; k++) {
        const size_t size = 1500;
        uint8_t *data, *out = need_memory(malloc(size + 1)), *expected = need_memory(malloc(size + 1));
        image f = framed(&kinds[k], size, 500 + k, &data);
        rig r;
        rig_make(&r, f.bytes, f.size, UPSTREAM);
        size_t step = suite_full() ? 1 : 5;
        for (size_t bit = 0; bit < 8 * f.stored; bit += bit < 400 ? 1 : step) {
            f.bytes[PAYLOAD_AT + bit / 8] ^= (uint8_t)(1u << bit % 8);
            flips += against_oracle(&r, &f, out, expected, kinds[k].name, bit);
            f.bytes[PAYLOAD_AT + bit / 8] ^= (uint8_t)(1u << bit % 8);
        }
        for (size_t at = 0; at < least(24, f.stored); at++) /* every value at every header position */
            for (unsigned value = 0; value < 256; value += suite_full() || at < 7 ? 1 : 3) {
                uint8_t was = f.bytes[PAYLOAD_AT + at];
                f.bytes[PAYLOAD_AT + at] = (uint8_t)value;
                flips += against_oracle(&r, &f, out, expected, kinds[k].name, at);
                f.bytes[PAYLOAD_AT + at] = was;
            }
        rig_end(&r, "flips");
        free(out);
        free(expected);
        free(data);
        free(f.bytes);
    }
    suite_figure("damaged frames held against libzstd: %lu", flips);
}

int main(void)
{
    const struct CMUnitTest cases[] = {
        cmocka_unit_test_setup(context_size, measure_context),
        cmocka_unit_test_setup(need_is_exact, measure_context),
        cmocka_unit_test_setup(ring_minus_one_is_refused, measure_context),
        cmocka_unit_test_setup(short_blocks_in_a_ring, measure_context),
        cmocka_unit_test(odd_but_whole),
        cmocka_unit_test_setup(every_budget, measure_context),
        cmocka_unit_test_setup(slices_and_suspensions, measure_context),
        cmocka_unit_test_setup(many_frames, measure_context),
        cmocka_unit_test_setup(window_grows_behind_our_back, measure_context),
        cmocka_unit_test_setup(length_beyond_counting, measure_context),
        cmocka_unit_test_setup(walk_ends_within_a_frame, measure_context),
        cmocka_unit_test_setup(refused_by_name, measure_context),
        cmocka_unit_test_setup(dictionaries, measure_context),
        cmocka_unit_test_setup(skippable, measure_context),
        cmocka_unit_test_setup(odd_blocks, measure_context),
        cmocka_unit_test_setup(empty_blocks_behind_the_last_byte, measure_context),
        cmocka_unit_test_setup(last_byte_waits, measure_context),
        cmocka_unit_test_setup(length_zero, measure_context),
        cmocka_unit_test_setup(read_index_sweep, measure_context),
        cmocka_unit_test_setup(truncation, measure_context),
        cmocka_unit_test_setup(bit_flips, measure_context),
    };
    return SUITE("upstream", cases);
}

#endif
