/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Named cases of the small zstd decoder: payloads of several frames, checksums, the last byte, exact memory, calls in
 * the wrong order.
 */
#include "zstdworld.h"

/* ---- payloads of several frames ---- */

static void frames_and_skippable_frames(void **state)
{
    (void)state;
    memcpy(expected, "AB", 2);
    decodes("502a4d18 03000000 010203 28b52ffd 0058 09000041 5f2a4d18 00000000 28b52ffd 2001 09000042 "
            "552a4d18 01000000 00",
            expected, 2);
    decodes("502a4d18 03000000 010203", expected, 0);
    refuses("502a4d18 04000000 010203", 0, UTET_E_PAYLOAD);
    refuses("502a4d18 0000", 0, UTET_E_PAYLOAD);
}

static void ends_exactly_there(void **state)
{
    (void)state;
    refuses("", 0, UTET_E_PAYLOAD);
    refuses("28b52ffd 0058 09000041 00", 1, UTET_E_PAYLOAD);
    refuses("28b52ffd 0058 09000041 0000000000", 1, UTET_E_PAYLOAD);
    refuses("28b52ffd 0058 09000041 28b52ffd", 1, UTET_E_PAYLOAD);
    refuses("28b52ffd 0058 09000041 28b52ffd 0058 0100", 1, UTET_E_PAYLOAD);
}

static void length_is_what_was_said(void **state)
{
    zs_config c = plain();
    zs_result r;
    size_t len = from_hex(frame, "28b52ffd 0058 1900004142 43");

    (void)state;
    r = zs_run(&c, frame, len, got, 4);
    assert_int_equal(r.status, UTET_E_PAYLOAD);
    assert_true(r.length <= 3);
    r = zs_run(&c, frame, len, got, 2);
    assert_int_equal(r.status, UTET_E_PAYLOAD);
    assert_true(r.length < 2); /* the last byte is held back */
    c.at_most = 1;
    r = zs_run(&c, frame, len, got, 4);
    assert_int_equal(r.status, UTET_OK);
    assert_int_equal(r.length, 3);
    r = zs_run(&c, frame, len, got, 2);
    assert_int_equal(r.status, UTET_E_SPACE);
}

/* The state of one frame must not reach the next: repeats, tables, history. */
static void a_new_frame_begins_anew(void **state)
{
    (void)state;
    refuses(
        "28b52ffd 0058 21000041424344 28b52ffd 0058 450000 0841 01 54 010000 01 28b52ffd 0058 350000 01 54 000000 01",
        8, UTET_E_PAYLOAD);
    /* treeless literals and repeated tables in a frame that has none to repeat */
    refuses("28b52ffd 0058 350000 13 0040 01 00 00", 1, UTET_E_PAYLOAD);
    refuses("28b52ffd 0058 2d0000 0841 01 fc 01", 4, UTET_E_PAYLOAD);
    /* a match into the previous frame */
    refuses("28b52ffd 0058 21000041424344 28b52ffd 0058 4d0000 0841 01 54 010200 08 00", 8, UTET_E_PAYLOAD);
}

/* What a block of the previous frame has left must not be used, although it would fit: the same two blocks are valid in
 * one frame. The judge agrees. */
static void nothing_is_repeated_across_frames(void **state)
{
    static const struct {
        const char *together, *apart, *text;
        size_t size;
    } cases[] = {
        /* a Huffman tree of one bit, then treeless literals */
        {"28b52ffd 0058 3c0000 22c000 8010 05 00 2d0000 234000 05 00",
         "28b52ffd 0058 3d0000 22c000 8010 05 00 28b52ffd 0058 2d0000 234000 05 00", "\0\1\0\1", 4},
        /* three tables of one cell, then Repeat_Mode for one of them and for all */
        {"28b52ffd 0058 440000 0841 01 54 010000 01 3d0000 0841 01 d4 0000 01",
         "28b52ffd 0058 450000 0841 01 54 010000 01 28b52ffd 0058 3d0000 0841 01 d4 0000 01", "AAAAAAAA", 8},
        {"28b52ffd 0058 440000 0841 01 54 010000 01 3d0000 0841 01 74 0100 01",
         "28b52ffd 0058 450000 0841 01 54 010000 01 28b52ffd 0058 3d0000 0841 01 74 0100 01", "AAAAAAAA", 8},
        {"28b52ffd 0058 440000 0841 01 54 010000 01 3d0000 0841 01 5c 0100 01",
         "28b52ffd 0058 450000 0841 01 54 010000 01 28b52ffd 0058 3d0000 0841 01 5c 0100 01", "AAAAAAAA", 8},
        {"28b52ffd 0058 440000 0841 01 54 010000 01 2d0000 0841 01 fc 01",
         "28b52ffd 0058 450000 0841 01 54 010000 01 28b52ffd 0058 2d0000 0841 01 fc 01", "AAAAAAAA", 8},
    };
    size_t i;

    (void)state;
    for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        size_t len = from_hex(frame, cases[i].together);

        assert_int_equal(zs_oracle(frame, len, expected, ROOM), cases[i].size);
        assert_memory_equal(expected, cases[i].text, cases[i].size);
        decodes(cases[i].together, expected, cases[i].size);
        len = from_hex(frame, cases[i].apart);
        assert_int_equal(zs_oracle(frame, len, expected, ROOM), -1);
        refuses(cases[i].apart, cases[i].size, UTET_E_PAYLOAD);
    }
}

/* ---- checksums, the last byte ---- */

static void checksum_holds_the_last_byte_back(void **state)
{
    static const size_t sizes[] = {1, 31, 32, 33, 1000, 70000};
    unsigned i, k;

    (void)state;
    for (i = 0; i < 6u; i++)
        for (k = 0; k < 8u; k++) {
            zs_config c = combination(k);
            zs_result r;
            size_t len = some_frame(sizes[i], 1, 0, k);
            c.slice = k % 3u == 0 ? 1 : 300;
            c.block = k % 2u ? 2 : 0;
            r = zs_run(&c, frame, len, got, sizes[i]);
            assert_int_equal(r.status, UTET_OK);
            assert_memory_equal(got, raw, sizes[i]);
            frame[len - 1u - k % 4u] ^= 0x10;
            r = zs_run(&c, frame, len, got, sizes[i]);
            assert_int_equal(r.status, UTET_ZSTD_CHECKSUM ? UTET_E_CHECKSUM : UTET_OK);
            suite_check(!UTET_ZSTD_CHECKSUM || r.length < sizes[i], "the last byte was given out unverified");
        }
}

/* One decoder reports once, however many frames and jobs have checksums that it does not verify; the next decoder
 * again. Builds that verify checksums never report. */
static void an_unverified_checksum_is_reported_once(void **state)
{
    static uint64_t work[1300];
    enum { N = 500 };
    unsigned decoder, job_n;

    (void)state;
    for (decoder = 0; decoder < 2u; decoder++) {
        utet_zstd *z;

        for (job_n = 0; job_n < 4u; job_n++) { /* the first job has no checksum, the third has two */
            size_t len = some_frame(N, job_n != 0, 0, 0), twice = job_n == 2u;
            utet_io io;
            utet_zstd_job job;

            if (twice)
                memcpy(frame + len, frame, len);
            job = job_of(&io, len << twice, (size_t)N << twice);
            io.map = frame;
            job.dst = got;
            assert_int_equal(job_n == 0 ? utet_zstd_init(&z, &job, work, sizeof work) : utet_zstd_reset(z, &job),
                             UTET_OK);
            assert_int_equal(utet_zstd_unverified(z), 0);
            assert_int_equal(utet_zstd_decode(z), UTET_OK);
            assert_int_equal(utet_zstd_unverified(z), !UTET_ZSTD_CHECKSUM && job_n == 1u);
            assert_int_equal(utet_zstd_unverified(z), 0);
        }
    }
}

/* ---- memory ---- */

/* A mapped payload: every amount of memory from nothing to more than the useful maximum. */
static void work_memory_to_the_byte(void **state)
{
    unsigned i;

    (void)state;
    for (i = 0; i < 4u; i++) {
        const size_t n = 5000;
        size_t len = some_frame(n, 1, i & 1u ? 11 : 0, 0), work_len;
        uint8_t *source = zs_guarded(1, len);
        utet_io io;
        utet_zstd_job job;
        utet_need need;
        unsigned refused = 0;

        memcpy(source, frame, len);
        job = job_of(&io, len, n);
        io.map = source;
        job.dst = i & 2u ? expected : NULL;
        assert_int_equal(utet_zstd_need(&job, zs_largest_window(frame, len), &need), UTET_OK);
        for (work_len = 0; work_len <= need.best + 9u; work_len++) {
            uint8_t *work = zs_guarded(0, (work_len + 7u) / 8u * 8u);
            utet_zstd *z;
            utet_status status = utet_zstd_init(&z, &job, work, work_len);
            size_t at = 0;

            if (status == UTET_OK)
                status = utet_zstd_open(z);
            if (work_len < need.least) {
                assert_int_equal(status, UTET_E_BUDGET);
                if (work_len >= sizeof(zs_packed)) {
                    refused++;
                    assert_int_equal(utet_zstd_needed(z), need.least);
                }
                continue;
            }
            assert_int_equal(status, UTET_OK);
            if (work_len > need.least + 3u && work_len + 3u < need.best && work_len % 97u != 0)
                continue;
            while (at < n) {
                const uint8_t *p;
                size_t k;

                assert_int_equal(utet_zstd_step(z, 333, &p, &k), UTET_OK);
                assert_memory_equal(p, raw + at, k);
                at += k;
            }
        }
        assert_true((refused != 0) == (job.dst == NULL)); /* whole and mapped: only the fixed part */
    }
}

/* A payload that is smaller than the smallest caches is held completely: that is then the minimum, and a word less is
 * refused. */
static void work_memory_of_small_payloads(void **state)
{
    (void)state;
    for (size_t n = 1; n < 260; n++) {
        const size_t len = some_frame(n, (int)(n & 1u), 10, (unsigned)n);
        static uint64_t work[2000];
        utet_io io;
        utet_zstd_job job = job_of(&io, len, n);
        utet_zstd *z;
        utet_need need;
        utet_status status;
        const uint8_t *at;
        size_t some;

        io.read = frame_read;
        job.dst = got;
        assert_int_equal(utet_zstd_need(&job, 0, &need), UTET_OK);
        for (size_t less = 0; less <= 8; less += 8) {
            status = utet_zstd_init(&z, &job, work, (size_t)need.least - less);
            while (status == UTET_OK)
                status = utet_zstd_step(z, n, &at, &some);
            assert_int_equal(status, less ? UTET_E_BUDGET : UTET_END);
        }
        assert_memory_equal(got, raw, n);
    }
}

static void work_memory_through_read(void **state)
{
    unsigned i;

    (void)state;
    for (i = 0; i < 12u; i++) {
        const size_t n = 9000;
        size_t len = some_frame(n, 1, i & 1u ? 12 : 0, i / 4u);
        zs_config c = plain();
        zs_result r;

        c.whole = i >> 1 & 1u;
        c.packed = 1;
        c.window = zs_largest_window(frame, len);
        c.slice = 700;
        r = zs_run(&c, frame, len, got, n); /* exactly the minimum */
        assert_int_equal(r.status, UTET_OK);
        assert_null(r.fault);
        assert_memory_equal(got, raw, n);
        c.cache = 60; /* a few bytes less */
        r = zs_run(&c, frame, len, got, n);
        assert_int_equal(r.status, UTET_E_BUDGET);
        c.cache = 64;
        assert_int_equal(r.needed, zs_work(&c, len, n));
        assert_int_equal(r.length, 0); /* before decoding starts */
    }
}

/* A later frame may need more history than the first one: that is found out before decoding starts. */
static void later_frame_with_a_larger_window(void **state)
{
    size_t first, second;
    zs_config c = plain();
    zs_result r;
    zs_recipe recipe = {3, 1, 0, 10, 0};

    (void)state;
    zs_fill(raw, 40000, 5, 9);
    first = zs_frame(frame, sizeof frame, raw, 20000, &recipe);
    recipe.window_log = 14;
    second = zs_frame(frame + first, sizeof frame - first, raw + 20000, 20000, &recipe);
    c.packed = 1;
    c.slice = 100;
    c.window = 1024;
    r = zs_run(&c, frame, first + second, got, 40000);
    assert_int_equal(r.status, UTET_E_BUDGET);
    assert_int_equal(r.length, 0);
    c.window = zs_largest_window(frame, first + second);
    assert_true(c.window >= 16384);
    assert_int_equal(r.needed, zs_work(&c, first + second, 40000));
    r = zs_run(&c, frame, first + second, got, 40000);
    assert_int_equal(r.status, UTET_OK);
    assert_memory_equal(got, raw, 40000);
}

static void sizes_promised_by_the_header(void **state)
{
    (void)state;
    suite_figure("work memory without history: packed %zu, tables %zu, two caches of 64 bytes included; context %zu",
                 sizeof(zs_packed) + 2u * (64u + ZS_ABOVE), sizeof(zs_tables) + 2u * (64u + ZS_ABOVE),
                 sizeof(struct utet_zstd));
    assert_true(sizeof(zs_packed) + 2u * (64u + ZS_ABOVE) <= UTET_ZSTD_WORK_PACKED);
    assert_true(sizeof(zs_tables) + 2u * (64u + ZS_ABOVE) <= UTET_ZSTD_WORK_TABLES);
}

/* ---- calls ---- */

static void misuse(void **state)
{
    static uint64_t work[1300];
    utet_io io;
    utet_zstd_job job;
    utet_zstd *z;
    size_t len = some_frame(10, 0, 0, 0), odd;

    (void)state;
    job = job_of(&io, len, 10);
    assert_int_equal(utet_zstd_init(&z, &job, work, sizeof work), UTET_E_ARGUMENT); /* neither read nor map */
    io.map = frame;
    for (odd = 1; odd < 8u; odd++) /* any address will do */
        assert_int_equal(utet_zstd_init(&z, &job, (uint8_t *)work + odd, 9000), UTET_OK);
    assert_int_equal(utet_zstd_init(NULL, &job, work, sizeof work), UTET_E_ARGUMENT);
    assert_int_equal(utet_zstd_init(&z, NULL, work, sizeof work), UTET_E_ARGUMENT);
    job.length = len + 1u;
    assert_int_equal(utet_zstd_init(&z, &job, work, sizeof work), UTET_E_ARGUMENT);
    job.length = len;
    job.offset = len + 1u;
    assert_int_equal(utet_zstd_init(&z, &job, work, sizeof work), UTET_E_ARGUMENT);
    job.offset = 0;
    io.unit = 512;
    assert_int_equal(utet_zstd_init(&z, &job, work, sizeof work), UTET_E_ARGUMENT);
    io.unit = 1;
    io.align = 4;
    assert_int_equal(utet_zstd_init(&z, &job, work, sizeof work), UTET_E_ARGUMENT);
    io.align = 1;
    assert_int_equal(utet_zstd_init(&z, &job, NULL, sizeof work), UTET_E_ARGUMENT);
    job.io = NULL;
    assert_int_equal(utet_zstd_init(&z, &job, work, sizeof work), UTET_E_ARGUMENT);
    job.io = &io;
    assert_int_equal(utet_zstd_init(&z, &job, work, 100), UTET_E_BUDGET);
    assert_int_equal(utet_zstd_init(&z, &job, work, sizeof work), UTET_OK);
    assert_int_equal(utet_zstd_decode(z), UTET_E_ARGUMENT); /* no destination */
    job.size = SIZE_MAX;
    assert_int_equal(utet_zstd_init(&z, &job, work, sizeof work), UTET_E_SPACE);
}

/* A decoder whose job was refused refuses all calls, whatever its memory held before; a good job may follow. A refused
 * second job leaves the first one as it is. */
static void refused_jobs(void **state)
{
    static uint64_t work[1300];
    static uint8_t to[10];
    const size_t len = some_frame(10, 0, 0, 0);
    unsigned fill, how;

    (void)state;
    for (fill = 0; fill < 256u; fill += 51u)
        for (how = 0; how < 4u; how++) {
            utet_io io;
            utet_zstd_job job = job_of(&io, len, 10), bad;
            utet_zstd *z = NULL;
            const uint8_t *at = to;
            size_t n = 1;
            utet_status status = how < 2u ? UTET_E_ARGUMENT : UTET_E_SPACE;

            io.map = frame;
            job.dst = to;
            bad = job;
            if (how < 2u)
                bad.length = len + 1u;
            else
                bad.size = SIZE_MAX;
            if (how % 2u != 0)
                bad.dst = NULL;
            memset(work, (int)fill, sizeof work);
            assert_int_equal(utet_zstd_init(&z, &bad, work, sizeof work), status);
            assert_int_equal(utet_zstd_open(z), UTET_E_ARGUMENT);
            assert_int_equal(utet_zstd_decode(z), UTET_E_ARGUMENT);
            assert_int_equal(utet_zstd_step(z, 10, &at, &n), UTET_E_ARGUMENT);
            assert_null(at);
            assert_int_equal(n, 0);
            assert_int_equal(utet_zstd_needed(z), 0);
            assert_int_equal(utet_zstd_error_offset(z), 0);
            assert_int_equal(utet_zstd_unverified(z), 0);
            assert_int_equal(utet_zstd_reset(z, &job), UTET_OK);
            assert_int_equal(utet_zstd_reset(z, &bad), status);
            assert_int_equal(utet_zstd_decode(z), UTET_OK);
        }
}

int main(void)
{
    static const struct CMUnitTest cases[] = {
        cmocka_unit_test(refused_jobs),
        cmocka_unit_test(frames_and_skippable_frames),
        cmocka_unit_test(ends_exactly_there),
        cmocka_unit_test(length_is_what_was_said),
        cmocka_unit_test(a_new_frame_begins_anew),
        cmocka_unit_test(nothing_is_repeated_across_frames),
        cmocka_unit_test(checksum_holds_the_last_byte_back),
        cmocka_unit_test(work_memory_to_the_byte),
        cmocka_unit_test(work_memory_of_small_payloads),
        cmocka_unit_test(work_memory_through_read),
        cmocka_unit_test(later_frame_with_a_larger_window),
        cmocka_unit_test(sizes_promised_by_the_header),
        cmocka_unit_test(an_unverified_checksum_is_reported_once),
        cmocka_unit_test(misuse),
    };

    return SUITE("zstd_calls", cases);
}
