/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * The adapter to libzstd: exact memory, slices, suspension, frames of every kind. suite_upstreamfaults tests refused
 * and damaged frames.
 */
#include "upstreamworld.h"

#ifndef NO_UPSTREAM

static void context_size(void **state)
{
    (void)state;
    suite_figure("zstd context %zu bytes", context);
    if (sizeof(void *) == 4) /* 8 more if u64 is aligned to 8 bytes in other structures */
        assert_in_range(context, 30328, 30336);
    else
        assert_in_range(context, 30329, 30328 + 50 * 4); /* at most this many pointers */
}

/* Every kind and size: the need is that of the formula, and exactly as much memory decodes in slices, completely,
 * mapped or not; one byte less is refused with that number. */
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

/* A ring that is one byte shorter than ZSTD_decodingBufferSize_min would give wrong bytes without an error. It must be
 * refused, although context and block would fit. */
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

/* Short blocks of literals and matches from all of the window. libzstd stores a block's literals 128 KB after its
 * output: a ring that wraps as if blocks were larger than the frame's would have them where history is still needed. */
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

/* Every workspace up to the need and some beyond: refused below, correct above. */
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

/* Bytes one at a time with "not yet" in between; slices of every size from 1 to 257. */
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

/* Consecutive frames with windows of all sizes, and empty and skippable ones in between, are read with exactly the ring
 * of the largest window, which only an iteration over all headers can know. */
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
    /* The small decoder's own iteration: its minimum memory is that of the largest window, and suffices. */
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
    /* The iteration finds that the payload ends too early: within a block, between blocks, within a header; not between
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
        if (rig_codecs() > 1) { /* the small decoder's iteration finds it at the same offset */
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

/* A medium that changes after the need was stated: a frame whose window does not fit in the ring any more is
 * refused. */
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

/* More than the state of a stream can count: no memory would suffice. */
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
    for (size_t cut = 0; cut <= sizeof b; cut++) /* at the end: with the mark of the last block */
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

#endif

int main(void)
{
    const struct CMUnitTest cases[] = {
#ifdef NO_UPSTREAM
        cmocka_unit_test(no_libzstd),
#else
        cmocka_unit_test_setup(context_size, measure_context),
        cmocka_unit_test_setup(need_is_exact, measure_context),
        cmocka_unit_test_setup(ring_minus_one_is_refused, measure_context),
        cmocka_unit_test_setup(short_blocks_in_a_ring, measure_context),
        cmocka_unit_test_setup(every_budget, measure_context),
        cmocka_unit_test_setup(slices_and_suspensions, measure_context),
        cmocka_unit_test_setup(many_frames, measure_context),
        cmocka_unit_test_setup(window_grows_behind_our_back, measure_context),
        cmocka_unit_test_setup(length_beyond_counting, measure_context),
        cmocka_unit_test_setup(walk_ends_within_a_frame, measure_context),
#endif
    };
    return SUITE("upstream", cases);
}
