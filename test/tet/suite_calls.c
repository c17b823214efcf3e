/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Promises of the calls beyond their statuses: the budget and its limits, the owner of the workspace, cancelling. A
 * case is named after the promise (src/DESIGN.md 1.2, 1.3, 1.5 and section 2, "workspace" and "errors"). */
#include "callworld.h"

/* ---- the budget ---- */

/* Opens with the given workspace, file fields, RAM and argument; returns the limit that applies. */
static size_t wall(size_t work, uint32_t bytes, uint16_t bps, size_t ram, size_t argument)
{
    world w;
    utet_status status;
    make(&w, two, 2);
    tetgen_put(w.g.bytes + w.g.index_offset + 16, bps, 2);
    tetgen_put(w.g.bytes + w.g.index_offset + 20, bytes, 4);
    rig_start(&w.r, work, GUARD_AFTER);
    canary_fill(w.r.work.data, work);
    DRIVE(status, utet_open(&w.r.file, &((utet_options){argument, ram})));
    assert_int_equal(status, UTET_OK);
    size_t budget = w.r.file.budget;
    /* Opening itself stays within its minimum, and nothing beyond the limit is ever touched. */
    suite_check(
        canary_intact(w.r.work.data + UTET_OPEN_WORK(1), work > UTET_OPEN_WORK(1) ? work - UTET_OPEN_WORK(1) : 0),
        "opening touched more than UTET_OPEN_WORK");
    utet_stream s;
    uint8_t out[16000];
    size_t got, beyond = budget > UTET_OPEN_WORK(1) ? budget : UTET_OPEN_WORK(1);
    find(&w, "zstd");
    DRIVE(status, utet_stream_open(&s, &w.r.file, &w.c));
    if (status == UTET_OK)
        DRIVE(status, utet_stream_read(&s, out, sizeof out, &got));
    else
        suite_check(status == UTET_E_BUDGET && w.r.file.needed > budget, "stream: %s, needed %llu", rig_status(status),
                    (unsigned long long)w.r.file.needed);
    suite_check(beyond >= work || canary_intact(w.r.work.data + beyond, work - beyond), "touched beyond the budget %zu",
                budget);
    suite_check(w.r.file.high_water <= beyond, "high water %zu over %zu", w.r.file.high_water, beyond);
    end(&w);
    return budget;
}

static void budget_is_a_wall(void **state)
{
    (void)state;
    enum { WORK = 200000 };
    assert_int_equal(wall(WORK, 0, 0, 0, 0), WORK);              /* not capped */
    assert_int_equal(wall(WORK, 50000, 0, 0, 0), 50000);         /* the bytes that the file states */
    assert_int_equal(wall(WORK, 50000, 1000, 100000, 0), 50000); /* bytes take precedence over the percentage */
    assert_int_equal(wall(WORK, 0, 1000, 100000, 0), 10000);     /* 10 % of the RAM */
    assert_int_equal(wall(WORK, 0, 1000, 0, 0), WORK);           /* RAM unknown: not capped */
    assert_int_equal(wall(WORK, 0, 0, 100000, 0), WORK);
    assert_int_equal(wall(WORK, 0, 1, 12345, 0), 2); /* rounded up */
    assert_int_equal(wall(WORK, 0, 1, 20001, 0), 3);
    assert_int_equal(wall(WORK, 0, 1, 20000, 0), 2);
    assert_int_equal(wall(WORK, 0, 65535, 100000, 0), WORK); /* more than the workspace: limited to it */
    assert_int_equal(wall(WORK, 5000000, 0, 0, 0), WORK);
    assert_int_equal(wall(WORK, 50000, 0, 0, 70000), 70000); /* the argument overrides it, upwards */
    assert_int_equal(wall(WORK, 50000, 0, 0, 300), 300);     /* and downwards */
    assert_int_equal(wall(WORK, 100, 0, 0, 0), 100);         /* below the minimum for opening: catalogue only */
    assert_int_equal(wall(WORK, 1, 0, 0, 0), 1);
    assert_int_equal(wall(WORK, 0, 0, 0, SIZE_MAX), WORK);
}

/* How much the medium gives at a time, times how much the caller takes at a time: the bytes are the same
 * (test/README.md, bar 5). */
static void in_slices(const tetgen *g, unsigned codec, size_t slice, size_t most)
{
    static uint8_t out[960];
    rig r;
    uint64_t random = most;
    utet_status status;
    utet_chunk c;
    size_t n = 0;
    rig_make(&r, g->bytes, g->size, (int)codec);
    r.port.slice = slice;
    faultport_zone(&r.port, 1, out, sizeof out);
    suite_check(rig_open(&r, 100000, 0) == UTET_OK, "open");
    DRIVE(status, utet_row_first(&r.file, &c));
    while (status == UTET_OK) {
        utet_stream s;
        size_t got;
        DRIVE_OK(utet_stream_open(&s, &r.file, &c));
        do {
            size_t want = most < 258 ? most : 1 + (size_t)(tetgen_random(&random) % 400);
            DRIVE(status, utet_stream_read(&s, out + n, want < sizeof out - n ? want : sizeof out - n, &got));
            n += got;
        } while (status == UTET_OK && n < sizeof out);
        DRIVE(status, utet_row_next(&r.file, &c));
    }
    suite_check(n == sizeof out && memcmp(out, g->dense[0], n) == 0, "codec %u, medium %zu, destination %zu: %zu bytes",
                codec, slice, most, n);
    memset(out, 0xA5, sizeof out);
    rig_end(&r, "slices");
}

static void every_slice_to_every_destination(void **state)
{
    static const tetgen_dataset set = {.name = "m",
                                       .name_length = 1,
                                       .dtype = UTET_U16,
                                       .ndim = 2,
                                       .shape = {24, 20},
                                       .chunk = {8, 20},
                                       .codec = TETGEN_MIXED};
    static const size_t slices[] = {1, 2, 3, 7, 511, 512, 513, SLICE_RANDOM};
    tetgen g = {.datasets = &set, .count = 1, .seed = 13};
    unsigned runs = 0;
    (void)state;
    tetgen_build(&g);
    assert_int_equal(g.dense_size[0], 960);
    for (unsigned codec = 0; codec < rig_codecs(); codec++)
        for (unsigned i = 0; i < sizeof slices / sizeof slices[0]; i++)
            for (size_t most = 1; most <= 258; most++, runs++)
                in_slices(&g, codec, slices[i], most);
    tetgen_free(&g);
    suite_figure("slices of the medium times sizes of the destination, of each codec: %u", runs);
}

/* Below the minimum of streams the catalogue works, and streams are refused with the required size. */
static void small_budget_keeps_the_catalogue(void **state)
{
    world w;
    utet_dataset d;
    utet_status status;
    utet_stream s;
    uint8_t out[128];
    (void)state;
    make(&w, two, 2);
    assert_int_equal(rig_open(&w.r, 100000, 10), UTET_OK);
    DRIVE_OK(utet_dataset_first(&w.r.file, &d));
    DRIVE_OK(utet_dataset_next(&w.r.file, &d));
    find(&w, "raw");
    DRIVE(status, utet_stream_open(&s, &w.r.file, &w.c));
    assert_int_equal(status, UTET_E_BUDGET);
    assert_int_equal(w.r.file.needed, UTET_WINDOW_LEAST(1));
    DRIVE(status, utet_stream_load(&s, &w.r.file, &w.c, out, sizeof out));
    assert_int_equal(status, UTET_E_BUDGET);
    find(&w, "zstd"); /* budget errors do not stick */
    end(&w);
}

/* Each amount from nothing to one more than the need: below the need it is refused with the need, from there on it
 * works. */
static void every_budget(void **state)
{
    (void)state;
    for (int codec = 0; codec < (int)rig_codecs(); codec++)
        for (int set = 0; set < 2; set++)
            for (int whole = 0; whole < 2; whole++) {
                world w;
                utet_need need;
                utet_stream s;
                utet_status status;
                make(&w, two, 2);
                rig_make(&w.r, w.g.bytes, w.g.size, codec);
                assert_int_equal(rig_open(&w.r, 1 << 20, (size_t)-1), UTET_OK);
                find(&w, two[set].name);
                DRIVE_OK(utet_chunk_need(&w.r.file, &w.c, whole, &need));
                size_t raw = (size_t)w.c.raw_byte_len, got, step = suite_full() || need.least < 3000 ? 1 : 7;
                uint8_t *out = malloc(raw);
                for (size_t work = need.least > 3000 ? 192 : 0; work <= need.least + 1; work += step) {
                    if (work + 20 > need.least)
                        step = 1;
                    size_t room = UTET_OPEN_WORK(1) + work + 200;
                    status = rig_open(&w.r, room, work ? work : 1);
                    assert_int_equal(status, UTET_OK);
                    canary_fill(w.r.work.data + UTET_OPEN_WORK(1), w.r.work.size - UTET_OPEN_WORK(1));
                    faultport_zone(&w.r.port, 1, out, raw);
                    if (whole) {
                        DRIVE(status, utet_stream_load(&s, &w.r.file, &w.c, out, raw));
                    } else {
                        DRIVE(status, utet_stream_open(&s, &w.r.file, &w.c));
                        if (status == UTET_OK)
                            DRIVE(status, utet_stream_read(&s, out, raw, &got));
                    }
                    suite_check(status == (work < need.least ? UTET_E_BUDGET : UTET_OK),
                                "%s, %s, whole %d: %zu of %llu: %s", rig_codec_name((unsigned)codec), two[set].name,
                                whole, work, (unsigned long long)need.least, rig_status(status));
                    suite_check(status == UTET_OK || w.r.file.needed == need.least, "refused %zu naming %llu, not %llu",
                                work, (unsigned long long)w.r.file.needed, (unsigned long long)need.least);
                    size_t edge = work > UTET_OPEN_WORK(1) ? work : UTET_OPEN_WORK(1);
                    suite_check(canary_intact(w.r.work.data + edge, w.r.work.size - edge), "touched beyond %zu", work);
                }
                free(out);
                end(&w);
            }
}

/* "More than best improves nothing": best and plenty lead to the same reads, and no more memory is touched. */
static void best_is_enough(void **state)
{
    (void)state;
    for (int codec = 0; codec < (int)rig_codecs(); codec++) {
        world w;
        utet_need need;
        utet_stream s;
        uint64_t reads[2];
        static uint8_t out[16000];
        make(&w, two, 2);
        rig_make(&w.r, w.g.bytes, w.g.size, codec);
        assert_int_equal(rig_open(&w.r, 1 << 20, (size_t)-1), UTET_OK);
        find(&w, "raw"); /* needs only the window */
        DRIVE_OK(utet_chunk_need(&w.r.file, &w.c, 1, &need));
        assert_true(need.least == UTET_WINDOW_LEAST(1) && need.best == UTET_WINDOW_BEST(1));
        find(&w, "zstd");
        DRIVE_OK(utet_chunk_need(&w.r.file, &w.c, 1, &need));
        for (unsigned plenty = 0; plenty < 2; plenty++) {
            faultport_rewind(&w.r.port);
            assert_int_equal(rig_open(&w.r, plenty ? 1 << 20 : (size_t)need.best, (size_t)-1), UTET_OK);
            faultport_zone(&w.r.port, 1, out, sizeof out);
            DRIVE_OK(utet_stream_load(&s, &w.r.file, &w.c, out, sizeof out));
            reads[plenty] = w.r.port.reads;
            assert_int_equal(w.r.file.high_water, need.best);
        }
        assert_int_equal(reads[0], reads[1]);
        end(&w);
    }
}

/* What the previous call has left in the file object is not mistaken for an interrupted iteration over headers. */
static void a_need_begins_anew(void **state)
{
    static const tetgen_dataset odd[] = {{"z", 1, UTET_U8, 1, {1001}, {1001}, TETGEN_ZSTD}};
    (void)state;
    for (int codec = 0; codec < (int)rig_codecs(); codec++) {
        world w;
        utet_need first, then;
        make(&w, odd, 1);
        rig_make(&w.r, w.g.bytes, w.g.size, codec);
        assert_int_equal(rig_open(&w.r, 4096, (size_t)-1), UTET_OK);
        DRIVE_OK(utet_row_first(&w.r.file, &w.c));
        DRIVE_OK(utet_chunk_need(&w.r.file, &w.c, 0, &first));
        find(&w, "z"); /* has counted 1001 bytes so far */
        DRIVE_OK(utet_chunk_need(&w.r.file, &w.c, 0, &then));
        assert_true(first.least == then.least && first.best == then.best);
        end(&w);
    }
}

/* Opening uses the workspace in multiples of 64 bytes, up to the best window. */
static void high_water_of_opening(void **state)
{
    (void)state;
    for (size_t work = UTET_WINDOW_LEAST(1); work < 1000; work++) {
        world w;
        make(&w, two, 2);
        assert_int_equal(rig_open(&w.r, work, 0), UTET_OK);
        assert_int_equal(w.r.file.high_water, work < UTET_WINDOW_BEST(1) ? work / 64 * 64 : UTET_WINDOW_BEST(1));
        end(&w);
    }
}

/* Products beyond 2^32: as many elements as two extents, one of which is 2^32 and a few. */
static void counts_beyond_32_bits(void **state)
{
    static const tetgen_dataset flat[] = {{"v", 1, UTET_U8, 2, {1, 1}, {1, 1}, TETGEN_RAW}};
    static const uint64_t extents[][2] = {{3, UINT64_C(0x100000000)},
                                          {UINT64_C(0x100000001), 5},
                                          {UINT64_C(0x1FFFFFFFF), UINT64_C(0x7FFFFFFF)},
                                          {UINT64_C(0xFFFFFFFF), UINT64_C(0x100000001)},
                                          {UINT64_C(0x100000000), UINT64_C(0x100000000)}};
    (void)state;
    for (unsigned i = 0; i < 5; i++) {
        world w;
        utet_slab slab;
        utet_status status;
        make(&w, flat, 1);
        for (unsigned e = 0; e < 4; e++)
            tetgen_put(w.g.bytes + 64 + 8 * e, extents[i][e % 2], 8);
        assert_int_equal(rig_open(&w.r, 4096, 0), UTET_OK);
        utet_dataset d = reader_dataset(&w.r, 0, "many");
        utet_range all[2] = {{0, extents[i][0], 1}, {0, extents[i][1], 1}};
        DRIVE(status, utet_slab_open(&slab, &w.r.file, &d, all));
        /* 2^64 - 1 and 2^64 elements are too many; for the others, it then finds that the row has no such tile. */
        assert_int_equal(status, i < 3 ? UTET_E_ROW : UTET_E_RANGE);
        if (i < 3) /* divided again, by the compiler's arithmetic */
            assert_true(slab.count / extents[i][0] == extents[i][1] && slab.count % extents[i][0] == 0);
        end(&w);
    }
}

/* ---- who owns the workspace ---- */

static void a_new_stream_ends_the_older(void **state)
{
    world w;
    utet_stream a, b;
    utet_slab slab;
    utet_run run;
    uint8_t out[64];
    size_t got;
    (void)state;
    make(&w, two, 2);
    assert_int_equal(rig_open(&w.r, 300000, 0), UTET_OK);
    find(&w, "raw");
    DRIVE_OK(utet_stream_open(&a, &w.r.file, &w.c));
    DRIVE_OK(utet_stream_read(&a, out, 10, &got));
    DRIVE_OK(utet_stream_open(&b, &w.r.file, &w.c));
    assert_int_equal(utet_stream_read(&a, out, 10, &got), UTET_E_STATE);
    assert_int_equal(got, 0);
    assert_int_equal(utet_stream_skip(&a, 1), UTET_E_STATE);
    DRIVE_OK(utet_stream_read(&b, out, 10, &got));
    assert_memory_equal(out, w.g.bytes + w.c.payload_offset, 10);
    utet_range all[2] = {{0, 20, 1}, {0, 30, 1}};
    DRIVE_OK(utet_slab_open(&slab, &w.r.file, &w.d, all));
    assert_int_equal(utet_stream_read(&b, out, 10, &got), UTET_E_STATE);
    DRIVE_OK(utet_slab_next(&slab, &run));
    DRIVE_OK(utet_stream_load(&a, &w.r.file, &w.c, (uint8_t[128]){0}, 128));
    assert_int_equal(utet_slab_next(&slab, &run), UTET_E_STATE);
    assert_int_equal(utet_slab_read_all(&slab, out, sizeof out), UTET_E_STATE);
    assert_int_equal(utet_stream_read(&a, out, 1, &got), UTET_E_STATE); /* loaded, and invalid */
    end(&w);
}

/* Catalogue calls between two reads of a stream change nothing in the stream. */
static void the_catalogue_does_not_disturb(void **state)
{
    (void)state;
    for (int codec = 0; codec < (int)rig_codecs(); codec++)
        for (int set = 0; set < 2; set++) {
            world w;
            utet_stream s;
            utet_need need;
            static uint8_t plain[16000], mixed[16000];
            size_t got, n = 0;
            make(&w, two, 2);
            rig_make(&w.r, w.g.bytes, w.g.size, codec);
            assert_int_equal(rig_open(&w.r, 300000, 0), UTET_OK);
            find(&w, two[set].name);
            faultport_zone(&w.r.port, 1, plain, sizeof plain);
            faultport_zone(&w.r.port, 2, mixed, sizeof mixed);
            DRIVE_OK(utet_stream_load(&s, &w.r.file, &w.c, plain, sizeof plain));
            DRIVE_OK(utet_stream_open(&s, &w.r.file, &w.c));
            while (n < s.length) {
                utet_dataset d;
                utet_chunk c, at = w.c;
                size_t size = s.length - n < 331 ? (size_t)s.length - n : 331;
                DRIVE_OK(utet_stream_read(&s, mixed + n, size, &got));
                n += got;
                DRIVE_OK(utet_dataset_find(&w.r.file, "zstd", 4, &d));
                DRIVE_OK(utet_row_first(&w.r.file, &c));
                DRIVE_OK(utet_chunk_need(&w.r.file, &at, (int)(n % 2), &need));
            }
            assert_memory_equal(plain, mixed, n);
            end(&w);
        }
}

/* ---- suspension and cancelling ---- */

static void cancel_ends_what_was_suspended(void **state)
{
    world w;
    utet_stream s;
    utet_slab slab;
    utet_run run;
    utet_status status;
    static uint8_t out[4000];
    size_t got;
    (void)state;
    make(&w, two, 2);
    /* opening starts again */
    rig_start(&w.r, 300000, GUARD_AFTER);
    w.r.port.blocks = 1;
    assert_int_equal(utet_open(&w.r.file, NULL), UTET_WOULD_BLOCK);
    assert_int_equal(utet_cancel(&w.r.file), UTET_OK);
    assert_int_equal(w.r.port.cancels, 1);
    DRIVE_OK(utet_open(&w.r.file, NULL));
    w.r.port.blocks = 0;
    find(&w, "raw");
    /* a stream is invalid */
    faultport_zone(&w.r.port, 1, out, sizeof out);
    DRIVE_OK(utet_stream_open(&s, &w.r.file, &w.c));
    w.r.port.blocks = 1;
    assert_int_equal(utet_stream_read(&s, out, 100, &got), UTET_WOULD_BLOCK);
    assert_int_equal(utet_dataset_first(&w.r.file, &w.d), UTET_E_STATE);
    utet_cancel(&w.r.file);
    assert_int_equal(utet_stream_read(&s, out, 100, &got), UTET_E_STATE);
    /* a slab as well; then everything works again */
    w.r.port.blocks = 0;
    find(&w, "zstd");
    utet_range all[2] = {{0, 40, 1}, {0, 50, 1}};
    DRIVE_OK(utet_slab_open(&slab, &w.r.file, &w.d, all));
    w.r.port.blocks = 1;
    utet_dataset far;
    DRIVE_OK(utet_dataset_first(&w.r.file, &far));
    assert_int_equal(utet_slab_next(&slab, &run), UTET_WOULD_BLOCK);
    utet_cancel(&w.r.file);
    assert_int_equal(w.r.port.cancels, 3);
    assert_int_equal(utet_slab_next(&slab, &run), UTET_E_STATE);
    DRIVE(status, utet_slab_open(&slab, &w.r.file, &w.d, all));
    assert_int_equal(status, UTET_OK);
    static uint8_t dense[16000];
    faultport_zone(&w.r.port, 1, dense, sizeof dense);
    DRIVE_OK(utet_slab_read_all(&slab, dense, sizeof dense));
    assert_memory_equal(dense, w.g.dense[1], sizeof dense);
    /* a port without cancel */
    w.r.port.io.cancel = NULL;
    assert_int_equal(utet_row_first(&w.r.file, &w.c), UTET_WOULD_BLOCK);
    assert_int_equal(utet_cancel(&w.r.file), UTET_OK);
    w.r.port.pending = 0;
    DRIVE_OK(utet_row_first(&w.r.file, &w.c));
    end(&w);
}

/* After it is cancelled at any read of the catalogue or of streams, the file is as good as before. */
static void cancel_anywhere(void **state)
{
    world w;
    utet_dataset d;
    utet_stream s;
    static uint8_t out[16000];
    (void)state;
    make(&w, two, 2);
    w.r.port.slice = 100;
    for (uint64_t at = 0;; at++) {
        utet_status status;
        faultport_rewind(&w.r.port);
        w.r.port.fault = FAULT_BLOCK_ONCE;
        w.r.port.fault_at = at;
        rig_start(&w.r, 200000, GUARD_AFTER);
        faultport_zone(&w.r.port, 1, out, sizeof out);
        int cancelled = 0;
        do {
            status = utet_open(&w.r.file, NULL);
            if (status == UTET_WOULD_BLOCK && cancelled++ == 0)
                utet_cancel(&w.r.file);
        } while (status == UTET_WOULD_BLOCK);
        assert_int_equal(status, UTET_OK);
        status = utet_dataset_find(&w.r.file, "zstd", 4, &d);
        if (status == UTET_WOULD_BLOCK)
            utet_cancel(&w.r.file);
        DRIVE_OK(utet_dataset_find(&w.r.file, "zstd", 4, &d));
        DRIVE_OK(utet_chunk_find(&w.r.file, &d, w.at, &w.c));
        status = utet_stream_load(&s, &w.r.file, &w.c, out, sizeof out);
        if (status == UTET_WOULD_BLOCK)
            utet_cancel(&w.r.file);
        DRIVE_OK(utet_stream_load(&s, &w.r.file, &w.c, out, sizeof out));
        assert_memory_equal(out, w.g.dense[1], 16000);
        rig_check(&w.r, "cancel anywhere");
        if (w.r.port.faults == 0)
            break;
    }
    end(&w);
}

int main(void)
{
    static const struct CMUnitTest cases[] = {
        cmocka_unit_test(budget_is_a_wall),
        cmocka_unit_test(small_budget_keeps_the_catalogue),
        cmocka_unit_test(every_budget),
        cmocka_unit_test(every_slice_to_every_destination),
        cmocka_unit_test(best_is_enough),
        cmocka_unit_test(a_need_begins_anew),
        cmocka_unit_test(high_water_of_opening),
        cmocka_unit_test(counts_beyond_32_bits),
        cmocka_unit_test(a_new_stream_ends_the_older),
        cmocka_unit_test(the_catalogue_does_not_disturb),
        cmocka_unit_test(cancel_ends_what_was_suspended),
        cmocka_unit_test(cancel_anywhere),
    };
    return SUITE("calls", cases);
}
