/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * What the calls promise beyond their statuses: the budget wall and its edges, who owns the workspace, what cancelling
 * does, which errors stick, names, finding datasets and chunks when they are doubled, shuffled, missing or empty.
 * A case is named after the promise (src/DESIGN.md 1.2, 1.3, 1.5 and section 2, "workspace" and "errors").
 */
#include "utet_codec.h"
#include "reader.h"
#include "tetgen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const tetgen_dataset two[] = {
    {.name = "raw",
     .name_length = 3,
     .dtype = UTET_U16,
     .ndim = 2,
     .shape = {20, 30},
     .chunk = {8, 8},
     .codec = TETGEN_RAW},
    {.name = "zstd",
     .name_length = 4,
     .dtype = UTET_F64,
     .ndim = 2,
     .shape = {40, 50},
     .chunk = {40, 50},
     .codec = TETGEN_ZSTD},
};
enum { ROWS_RAW = 12 };

typedef struct world {
    tetgen g;
    rig r;
    utet_dataset d;
    utet_chunk c;
    uint64_t at[8];
} world;

static void make(world *w, const tetgen_dataset *datasets, unsigned count)
{
    memset(w, 0, sizeof *w);
    w->g = (tetgen){.datasets = datasets, .count = count, .seed = 11};
    tetgen_build(&w->g);
    rig_make(&w->r, w->g.bytes, w->g.size, 0);
}

static void end(world *w)
{
    rig_end(&w->r, "calls");
    tetgen_free(&w->g);
}

static void find(world *w, const char *name)
{
    DRIVE_OK(utet_dataset_find(&w->r.file, name, strlen(name), &w->d));
    memset(w->at, 0, sizeof w->at);
    DRIVE_OK(utet_chunk_find(&w->r.file, &w->d, w->at, &w->c));
}

static uint8_t *row(world *w, size_t n)
{
    return w->g.bytes + w->g.index_offset + 32 + 104 * n;
}

/* ---- the budget ---- */

/* Opens with the given workspace, file fields, RAM and argument; returns the wall in force. */
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
    /* Opening itself stays within its minimum, and nothing beyond the wall is ever touched. */
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
    assert_int_equal(wall(WORK, 50000, 0, 0, 0), 50000);         /* the file's bytes */
    assert_int_equal(wall(WORK, 50000, 1000, 100000, 0), 50000); /* bytes before the percentage */
    assert_int_equal(wall(WORK, 0, 1000, 100000, 0), 10000);     /* 10 % of the RAM */
    assert_int_equal(wall(WORK, 0, 1000, 0, 0), WORK);           /* RAM unknown: not capped */
    assert_int_equal(wall(WORK, 0, 0, 100000, 0), WORK);
    assert_int_equal(wall(WORK, 0, 1, 12345, 0), 2); /* rounded up */
    assert_int_equal(wall(WORK, 0, 1, 20001, 0), 3);
    assert_int_equal(wall(WORK, 0, 1, 20000, 0), 2);
    assert_int_equal(wall(WORK, 0, 65535, 100000, 0), WORK); /* more than the workspace: no more than it */
    assert_int_equal(wall(WORK, 5000000, 0, 0, 0), WORK);
    assert_int_equal(wall(WORK, 50000, 0, 0, 70000), 70000); /* the argument overrides, up */
    assert_int_equal(wall(WORK, 50000, 0, 0, 300), 300);     /* and down */
    assert_int_equal(wall(WORK, 100, 0, 0, 0), 100);         /* below the opening minimum: catalogue only */
    assert_int_equal(wall(WORK, 1, 0, 0, 0), 1);
    assert_int_equal(wall(WORK, 0, 0, 0, SIZE_MAX), WORK);
}

/* What the medium gives at a time, times what the caller takes at a time: the bytes are the same (test/README.md, bar
 * 5). */
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

/* Below the minimum of streams the catalogue works and streams are refused with the number. */
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

/* Each amount from nothing to one more than the need: refused below it naming the need, right from it on. */
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

/* "More than best brings nothing": with best and with plenty the same reads are made and no more is touched. */
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
        find(&w, "raw"); /* needs the window alone */
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

/* What the call before has left in the file object is not taken for a walk over headers that was interrupted. */
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
        find(&w, "z"); /* counts 1001 bytes on its way */
        DRIVE_OK(utet_chunk_need(&w.r.file, &w.c, 0, &then));
        assert_true(first.least == then.least && first.best == then.best);
        end(&w);
    }
}

/* Opening uses the window, as many times 64 bytes as there is work memory. */
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

/* Products beyond 2^32: as many elements as two extents of which one is 2^32 and a little. */
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
        /* 2^64 - 1 and 2^64 elements are too many; of the others it sees then that the row has no such tile. */
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
    assert_int_equal(utet_stream_read(&a, out, 1, &got), UTET_E_STATE); /* loaded and over */
    end(&w);
}

/* Catalogue calls between two reads of a stream change nothing in it. */
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
    /* opening begins anew */
    rig_start(&w.r, 300000, GUARD_AFTER);
    w.r.port.blocks = 1;
    assert_int_equal(utet_open(&w.r.file, NULL), UTET_WOULD_BLOCK);
    assert_int_equal(utet_cancel(&w.r.file), UTET_OK);
    assert_int_equal(w.r.port.cancels, 1);
    DRIVE_OK(utet_open(&w.r.file, NULL));
    w.r.port.blocks = 0;
    find(&w, "raw");
    /* a stream is over */
    faultport_zone(&w.r.port, 1, out, sizeof out);
    DRIVE_OK(utet_stream_open(&s, &w.r.file, &w.c));
    w.r.port.blocks = 1;
    assert_int_equal(utet_stream_read(&s, out, 100, &got), UTET_WOULD_BLOCK);
    assert_int_equal(utet_dataset_first(&w.r.file, &w.d), UTET_E_STATE);
    utet_cancel(&w.r.file);
    assert_int_equal(utet_stream_read(&s, out, 100, &got), UTET_E_STATE);
    /* a slab too; then everything works again */
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

/* Cancelled at every read of the catalogue and of streams, the file is as good as before. */
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

/* ---- names and datasets ---- */

static void first_of_equal_names_wins(void **state)
{
    static const tetgen_dataset same[] = {
        {.name = "x", .name_length = 1, .dtype = UTET_U8, .ndim = 1, .shape = {3}, .chunk = {3}},
        {.name = "", .name_length = 0, .dtype = UTET_I16, .ndim = 1, .shape = {3}, .chunk = {3}},
        {.name = "x", .name_length = 1, .dtype = UTET_F32, .ndim = 1, .shape = {3}, .chunk = {3}},
        {.name = "x\0y", .name_length = 3, .dtype = UTET_U64, .ndim = 1, .shape = {3}, .chunk = {3}},
        {.name = "xy", .name_length = 2, .dtype = UTET_U32, .ndim = 1, .shape = {3}, .chunk = {3}},
    };
    static const struct {
        const char *name;
        size_t length;
        uint32_t id;
    } ask[] = {{"x", 1, 0}, {"", 0, 1}, {"x\0y", 3, 3}, {"xy", 2, 4}};
    static const char *const absent[] = {"X", "xyz", "y", "xx"};
    world w;
    utet_dataset d;
    utet_status status;
    (void)state;
    make(&w, same, 5);
    assert_int_equal(rig_open(&w.r, 192, 0), UTET_OK);
    for (size_t i = 0; i < sizeof ask / sizeof ask[0]; i++) {
        DRIVE_OK(utet_dataset_find(&w.r.file, ask[i].name, ask[i].length, &d));
        assert_int_equal(d.id, ask[i].id);
    }
    for (size_t i = 0; i < sizeof absent / sizeof absent[0]; i++) {
        DRIVE(status, utet_dataset_find(&w.r.file, absent[i], strlen(absent[i]), &d));
        assert_int_equal(status, UTET_E_NOT_FOUND);
    }
    end(&w);
}

/* A name longer than any window, with "not yet" before every read, and a call of several steps still ends. */
static void a_name_longer_than_the_window(void **state)
{
    enum { LONG = 5000 };
    static char name[LONG], got[LONG];
    tetgen_dataset d[2] = {
        {.name = name,
         .name_length = LONG - 1,
         .dtype = UTET_U8,
         .ndim = 8,
         .shape = {1, 1, 1, 1, 1, 1, 1, 2},
         .chunk = {1, 1, 1, 1, 1, 1, 1, 1}},
        {.name = name, .name_length = LONG, .dtype = UTET_U8, .ndim = 1, .shape = {4}, .chunk = {4}}};
    world w;
    utet_dataset ds;
    (void)state;
    for (size_t i = 0; i < LONG; i++)
        name[i] = (char)('a' + i % 26);
    make(&w, d, 2);
    for (unsigned unit = 1; unit <= 512; unit *= 512) {
        w.r.port.io.unit = (uint16_t)unit;
        w.r.port.blocks = 2;
        w.r.port.slice = unit == 1 ? 5 : SLICE_ALL;
        faultport_rewind(&w.r.port);
        assert_int_equal(rig_open(&w.r, UTET_WINDOW_LEAST(unit), 0), UTET_OK);
        DRIVE_OK(utet_dataset_find(&w.r.file, name, LONG, &ds));
        assert_int_equal(ds.id, 1);
        faultport_zone(&w.r.port, 1, got, LONG);
        DRIVE_OK(utet_dataset_name(&w.r.file, &ds, 0, got, LONG));
        assert_memory_equal(name, got, LONG);
        DRIVE_OK(utet_dataset_name(&w.r.file, &ds, 4321, got, 17));
        assert_memory_equal(name + 4321, got, 17);
        DRIVE_OK(utet_dataset_find(&w.r.file, name, LONG - 1, &ds));
        assert_int_equal(ds.id, 0);
        rig_check(&w.r, "long name");
    }
    end(&w);
}

static void utf8_is_checked(void **state)
{
    static const struct {
        const char *name;
        int good;
    } names[] = {{"\x7F", 1},
                 {"\xC2\x80", 1},
                 {"\xDF\xBF", 1},
                 {"\xE0\xA0\x80", 1},
                 {"\xED\x9F\xBF", 1},
                 {"\xEE\x80\x80", 1},
                 {"\xEF\xBF\xBF", 1},
                 {"\xF0\x90\x80\x80", 1},
                 {"\xF4\x8F\xBF\xBF", 1},
                 {"aaaaaaa\xC3\xA9", 1},
                 {"\x80", 0},
                 {"\xBF", 0},
                 {"\xC0\x80", 0},
                 {"\xC1\xBF", 0},
                 {"\xC2", 0},
                 {"\xC2\x7F", 0},
                 {"\xC2\xC0", 0},
                 {"\xE0\x9F\xBF", 0},
                 {"\xE0\xA0", 0},
                 {"\xE0\xA0\x7F", 0},
                 {"\xED\xA0\x80", 0},
                 {"\xED\xBF\xBF", 0},
                 {"\xE1\x80", 0},
                 {"\xF0\x8F\xBF\xBF", 0},
                 {"\xF0\x90\x80", 0},
                 {"\xF4\x90\x80\x80", 0},
                 {"\xF5\x80\x80\x80", 0},
                 {"\xFF", 0},
                 {"a\xFE", 0},
                 {"\xF0\x90\x80\x7F", 0},
                 {"\xF0\x90\x7F\x80", 0},
                 {"\xF1\x80\x80\xC0", 0},
                 {"aaaa\xE2\x82", 0}};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        for (unsigned slice = 1; slice < 4; slice++) {
            tetgen_dataset d = {.name = names[i].name,
                                .name_length = strlen(names[i].name),
                                .dtype = UTET_U8,
                                .ndim = 1,
                                .shape = {1},
                                .chunk = {1}};
            world w;
            make(&w, &d, 1);
            w.r.port.slice = slice;
            utet_status status = rig_open(&w.r, 192, 0);
            suite_check(status == (names[i].good ? UTET_OK : UTET_E_DATASET), "name %zu: %s", i, rig_status(status));
            end(&w);
        }
}

/* ---- the footer's tail ---- */

/* Both versions, with and without datasets; the JSON lies right before the tail (§6.1). */
static void footers_of_both_versions(void **state)
{
    (void)state;
    for (int version = 0; version <= 2; version++)
        for (unsigned count = 0; count <= 2; count += 2) {
            world w;
            memset(&w, 0, sizeof w);
            w.g = (tetgen){.datasets = two, .count = count, .seed = 11, .footer = version};
            tetgen_build(&w.g);
            rig_make(&w.r, w.g.bytes, w.g.size, -1);
            assert_int_equal(rig_open(&w.r, 4096, 0), UTET_OK);
            assert_int_equal(w.r.file.footer_status, UTET_OK);
            assert_int_equal(w.r.file.history_version, version);
            assert_int_equal(w.r.file.footer_offset, version == 0 ? w.g.size : w.g.size - 16 - w.r.file.footer_length);
            assert_int_equal(w.r.file.footer_length, version == 0 ? 0 : tetgen_get(w.g.bytes + w.g.size - 16, 8));
            assert_true(version == 0 || w.r.file.footer_length > 1);
            end(&w);
        }
}

/* ---- chunks ---- */

static void shuffled_rows_are_found(void **state)
{
    tetgen_dataset d = {
        .name = "s", .name_length = 1, .dtype = UTET_I32, .ndim = 3, .shape = {5, 6, 7}, .chunk = {2, 2, 3}};
    world w;
    (void)state;
    memset(&w, 0, sizeof w);
    w.g = (tetgen){.datasets = &d, .count = 1, .seed = 2, .shuffle = 1};
    tetgen_build(&w.g);
    rig_make(&w.r, w.g.bytes, w.g.size, -1);
    assert_int_equal(rig_open(&w.r, 192, 0), UTET_OK);
    utet_dataset ds = reader_dataset(&w.r, 0, "shuffled");
    for (uint64_t i = 0; i < 27; i++) {
        uint64_t at[3] = {i / 9, i / 3 % 3, i % 3};
        DRIVE_OK(utet_chunk_find(&w.r.file, &ds, at, &w.c));
        for (unsigned a = 0; a < 3; a++)
            assert_int_equal(w.c.coords[a], at[a]);
        assert_memory_equal(row(&w, (size_t)w.c.row) + 8, row(&w, (size_t)w.c.row) + 8, 24);
    }
    end(&w);
}

/* Of two rows with the same coordinates the first one counts, when neither is where it should be. */
static void first_matching_row_wins(void **state)
{
    world w;
    uint64_t at[2] = {2, 3};
    (void)state;
    make(&w, two, 1);
    /* rows 3 and 7 both say (2, 3); the real one, 11, says something else */
    for (unsigned n = 3; n <= 7; n += 4) {
        tetgen_put(row(&w, n) + 8, 2, 8);
        tetgen_put(row(&w, n) + 16, 3, 8);
        tetgen_put(row(&w, n) + 80, 4 * 6 * 2, 8);
        tetgen_put(row(&w, n) + 88, 4 * 6 * 2, 8);
    }
    tetgen_put(row(&w, 11) + 8, 77, 8);
    assert_int_equal(rig_open(&w.r, 4096, 0), UTET_OK);
    utet_dataset d = reader_dataset(&w.r, 0, "twice");
    DRIVE_OK(utet_chunk_find(&w.r.file, &d, at, &w.c));
    assert_int_equal(w.c.row, 3);
    /* rows of other datasets and unused coordinates do not count */
    tetgen_put(row(&w, 3), 1, 8);
    tetgen_put(row(&w, 7) + 24, 99, 8);
    assert_int_equal(rig_open(&w.r, 4096, 0), UTET_OK);
    DRIVE_OK(utet_chunk_find(&w.r.file, &d, at, &w.c));
    assert_int_equal(w.c.row, 7);
    end(&w);
}

/* An empty dataset reads as empty whatever its chunk_shape, and rows of later datasets are still predicted. */
static void zero_extents(void **state)
{
    static const tetgen_dataset sets[] = {
        {.name = "e", .name_length = 1, .dtype = UTET_F32, .ndim = 3, .shape = {4, 0, 3}, .chunk = {2, 2, 2}},
        {.name = "a", .name_length = 1, .dtype = UTET_U8, .ndim = 1, .shape = {9}, .chunk = {2}},
    };
    world w;
    utet_slab slab;
    utet_run run;
    utet_status status;
    (void)state;
    make(&w, sets, 2);
    assert_int_equal(rig_open(&w.r, 4096, 0), UTET_OK);
    utet_dataset d = reader_dataset(&w.r, 0, "empty");
    utet_range all[3] = {{0, 4, 1}, {0, 0, 1}, {1, 3, 2}};
    DRIVE_OK(utet_slab_open(&slab, &w.r.file, &d, all));
    assert_int_equal(slab.count, 0);
    DRIVE(status, utet_slab_next(&slab, &run));
    assert_int_equal(status, UTET_END);
    DRIVE_OK(utet_slab_read_all(&slab, NULL, 0));
    all[1].stop = 1;
    assert_int_equal(utet_slab_open(&slab, &w.r.file, &d, all), UTET_E_RANGE);
    assert_int_equal(utet_chunk_find(&w.r.file, &d, w.at, &w.c), UTET_E_RANGE);
    all[1].stop = 0;
    d.elem_size = 0; /* as that of an unknown dtype; no chunk is looked up that would notice */
    assert_int_equal(utet_slab_open(&slab, &w.r.file, &d, all), UTET_E_DTYPE);
    d = reader_dataset(&w.r, 1, "after the empty one");
    w.at[0] = 4;
    uint64_t reads = w.r.port.reads;
    DRIVE_OK(utet_chunk_find(&w.r.file, &d, w.at, &w.c));
    assert_int_equal(w.c.row, 4);
    assert_int_equal(w.c.raw_byte_len, 1);
    assert_true(w.r.port.reads - reads <= 1);
    end(&w);
}

/* After a chunk_shape of 0 rows cannot be predicted any more; they are found all the same. */
static void after_an_unusable_dataset(void **state)
{
    world w;
    utet_status status;
    uint64_t at[2] = {0, 0};
    (void)state;
    make(&w, two, 2);
    tetgen_put(w.g.bytes + 40 + 16 + 8 + 16, 0, 8); /* "raw": chunk_shape[0] */
    assert_int_equal(rig_open(&w.r, 300000, 0), UTET_OK);
    utet_dataset d = reader_dataset(&w.r, 0, "unusable");
    DRIVE(status, utet_chunk_find(&w.r.file, &d, at, &w.c));
    assert_int_equal(status, UTET_E_DATASET);
    assert_int_equal(w.r.file.error_offset, 40); /* its record */
    uint64_t record = d.priv.next;
    d = reader_dataset(&w.r, 1, "behind it");
    DRIVE_OK(utet_chunk_find(&w.r.file, &d, at, &w.c));
    assert_int_equal(w.c.row, ROWS_RAW);
    tetgen_put(w.g.bytes + record + 4, 11, 4); /* "zstd": dtype */
    assert_int_equal(rig_open(&w.r, 300000, 0), UTET_OK);
    d = reader_dataset(&w.r, 1, "unknown dtype");
    assert_int_equal(d.elem_size, 0);
    DRIVE(status, utet_chunk_find(&w.r.file, &d, at, &w.c));
    assert_int_equal(status, UTET_E_DTYPE);
    assert_int_equal(w.r.file.error_offset, record);
    end(&w);
}

/* A tile of 2^64 - 1 bytes or more has no length that a row could state: the saturated one is refused, too. */
static void a_tile_beyond_counting(void **state)
{
    static const tetgen_dataset huge[] = {
        {.name = "h", .name_length = 1, .dtype = UTET_F64, .ndim = 2, .shape = {1, 1}, .chunk = {1, 1}}};
    static const uint64_t extents[] = {UINT64_C(1) << 30, UINT64_C(1) << 40};
    world w;
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        uint64_t bytes = i == 0 ? UINT64_C(1) << 63 : UINT64_MAX;
        utet_status status;
        make(&w, huge, 1);
        for (unsigned e = 0; e < 4; e++)
            tetgen_put(w.g.bytes + 64 + 8 * e, extents[i], 8);
        tetgen_put(row(&w, 0) + 80, bytes, 8);
        tetgen_put(row(&w, 0) + 96, UTET_CODEC_ZSTD, 4);
        assert_int_equal(rig_open(&w.r, 4096, 0), UTET_OK);
        w.d = reader_dataset(&w.r, 0, "huge tile");
        DRIVE(status, utet_chunk_find(&w.r.file, &w.d, w.at, &w.c));
        assert_int_equal(status, i == 0 ? UTET_OK : UTET_E_ROW);
        if (i == 1)
            assert_int_equal(w.r.file.error_offset, w.g.index_offset + 32 + 80);
        end(&w);
    }
}

/* Codecs are looked up by their number, wherever they stand in the list; without a list there are raw chunks only. */
static void codecs_go_by_number(void **state)
{
    (void)state;
#ifndef TETGEN_NO_ZSTD
    for (int codec = 0; codec < (int)rig_codecs(); codec++)
        for (unsigned list = 0; list < 4; list++) {
            world w;
            utet_stream s;
            utet_status status;
            static uint8_t out[16000];
            make(&w, two, 2);
            rig_make(&w.r, w.g.bytes, w.g.size, codec);
            utet_codec other = *w.r.codecs[0];
            other.id = 7;
            if (list >= 2) { /* another one in front, or alone */
                w.r.codecs[1] = list == 2 ? w.r.codecs[0] : NULL;
                w.r.codecs[0] = &other;
            }
            rig_start(&w.r, 300000, GUARD_AFTER);
            if (list == 1)
                assert_int_equal(utet_init(&w.r.file, &w.r.port.io, w.r.work.data, w.r.work.size, NULL), UTET_OK);
            DRIVE_OK(utet_open(&w.r.file, NULL));
            faultport_zone(&w.r.port, 1, out, sizeof out);
            for (unsigned set = 0; set < 2; set++) {
                int there = set == 0 || list % 2 == 0;
                find(&w, two[set].name);
                DRIVE(status, utet_stream_load(&s, &w.r.file, &w.c, out, sizeof out));
                suite_check(status == (there ? UTET_OK : UTET_E_CODEC), "list %u, %s: %s", list, two[set].name,
                            rig_status(status));
                if (!there)
                    assert_int_equal(w.r.file.error_offset, (uint64_t)(row(&w, ROWS_RAW) - w.g.bytes) + 96);
            }
            end(&w);
        }
#endif
}

/* ---- errors that stick and errors that do not ---- */

static void a_caller_s_mistake_does_not_stick(void **state)
{
    world w;
    utet_stream s;
    uint8_t out[128];
    utet_status status;
    uint64_t far[2] = {9, 9};
    (void)state;
    make(&w, two, 2);
    assert_int_equal(rig_open(&w.r, 300000, 0), UTET_OK);
    find(&w, "raw");
    DRIVE(status, utet_chunk_find(&w.r.file, &w.d, far, &w.c));
    assert_int_equal(status, UTET_E_RANGE);
    find(&w, "raw");
    assert_int_equal(utet_stream_load(&s, &w.r.file, &w.c, out, 127), UTET_E_SPACE);
    faultport_zone(&w.r.port, 1, out, sizeof out);
    DRIVE_OK(utet_stream_load(&s, &w.r.file, &w.c, out, 128));
    assert_int_equal(utet_open(&w.r.file, NULL), UTET_E_STATE); /* open already; not fatal */
    find(&w, "zstd");
    end(&w);
}

/* Bytes that go straight to the caller, 100 a request: error_offset says which request failed. */
static void error_offsets_of_requests(void **state)
{
    static const tetgen_dataset one[] = {{"a", 1, UTET_U8, 1, {2000}, {2000}, TETGEN_RAW}};
    uint64_t first = 0;

    (void)state;
    for (unsigned before = 0; before < 10; before++) {
        world w;
        utet_chunk c;
        utet_status status;
        uint8_t out[2000];
        make(&w, one, 1);
        assert_int_equal(rig_open(&w.r, UTET_WINDOW_LEAST(1), (size_t)-1), UTET_OK);
        DRIVE_OK(utet_row_first(&w.r.file, &c));
        utet_stream s;
        faultport_zone(&w.r.port, 1, out, sizeof out);
        w.r.port.slice = 100;
        w.r.port.fault = FAULT_ERROR;
        w.r.port.fault_at = w.r.port.reads + before;
        DRIVE(status, utet_stream_load(&s, &w.r.file, &c, out, sizeof out));
        assert_int_equal(status, FAULTPORT_ERROR);
        if (before == 0)
            first = w.r.file.error_offset; /* behind what the window held */
        assert_in_range(first, c.payload_offset, c.payload_offset + UTET_WINDOW_LEAST(1));
        assert_int_equal(w.r.file.error_offset, first + 100 * before);
        end(&w);
    }
}

/* error_offset names the place. */
static void error_offsets(void **state)
{
    world w;
    utet_status status;
    uint64_t at[2] = {1, 1};
    (void)state;
    make(&w, two, 2);
    w.g.bytes[4] = 9;
    assert_int_equal(rig_open(&w.r, 4096, 0), UTET_E_VERSION);
    assert_true(w.r.file.error_offset < 32);
    w.g.bytes[4] = 1;
    tetgen_put(row(&w, 5) + 80, 1, 8);
    assert_int_equal(rig_open(&w.r, 4096, 0), UTET_OK);
    utet_dataset d = reader_dataset(&w.r, 0, "offsets");
    DRIVE(status, utet_chunk_find(&w.r.file, &d, at, &w.c));
    assert_int_equal(status, UTET_E_ROW);
    uint64_t place = w.g.index_offset + 32 + 104 * 5;
    suite_check(w.r.file.error_offset >= place && w.r.file.error_offset < place + 104, "error offset %llu, row at %llu",
                (unsigned long long)w.r.file.error_offset, (unsigned long long)place);
    w.r.port.fault = FAULT_ERROR;
    w.r.port.fault_at = w.r.port.reads;
    utet_chunk c = {.payload_offset = w.g.size - 100, .raw_byte_len = 64, .stored_byte_len = 64};
    utet_stream s;
    uint8_t out[64];
    size_t got;
    DRIVE_OK(utet_stream_open(&s, &w.r.file, &c));
    DRIVE(status, utet_stream_read(&s, out, 64, &got));
    assert_int_equal(status, FAULTPORT_ERROR);
    suite_check(w.r.file.error_offset >= w.g.size - 100 - 512 && w.r.file.error_offset < w.g.size,
                "error offset %llu of %zu", (unsigned long long)w.r.file.error_offset, w.g.size);
    w.r.port.violations = 0;
    end(&w);
}

/* ---- odds and ends ---- */

static int power_of_two(unsigned n)
{
    return n != 0 && (n & (n - 1)) == 0;
}

/* Units are powers of two; align too, at most the unit and 128; work is aligned to 8 and to align (utet.h, utet_io). */
static void ports_are_checked_at_the_beginning(void **state)
{
    static uint8_t memory[128 + 128];
    static const unsigned some[] = {0,   1,   2,   3,   4,   8,   12,  16,   64,    96,
                                    127, 128, 129, 255, 256, 512, 513, 1024, 32768, 65535};
    enum { SOME = sizeof some / sizeof some[0] };
    faultport port;
    utet_file file;
    (void)state;
    faultport_init(&port, "TETR", 4);
    for (unsigned u = 0; u < SOME; u++)
        for (unsigned a = 0; a < SOME; a++)
            for (unsigned odd = 0; odd < 128; odd++) {
                int good = power_of_two(some[u]) && power_of_two(some[a]) && some[a] <= some[u] && some[a] <= 128;
                port.io.unit = (uint16_t)some[u];
                port.io.align = (uint16_t)some[a];
                utet_status status = utet_init(&file, &port.io, memory + odd, 128, NULL);
                suite_check(status == (good ? UTET_OK : UTET_E_ARGUMENT), "unit %u, align %u, work at %u: %s", some[u],
                            some[a], odd, rig_status(status));
            }
}

static void strerror_knows_every_status(void **state)
{
    const char *unknown = utet_strerror(-9999 + 9000);
    (void)state;
    for (int s = -60; s <= 2; s++) {
        const char *text = utet_strerror(s);
        assert_non_null(text);
        if (strncmp(rig_status(s), "status ", 7) != 0) {
            suite_check(strcmp(text, unknown) != 0 && strlen(text) > 1, "no text for %s", rig_status(s));
            suite_check(text[strlen(text) - 1] != '.', "full stop: %s", text);
            for (int t = -60; t < s; t++)
                suite_check(strcmp(text, utet_strerror(t)) != 0 || strcmp(text, unknown) == 0,
                            "same text for %d and %d", s, t);
        }
    }
    assert_non_null(utet_strerror(UTET_E_PORT));
    assert_non_null(utet_strerror(UTET_E_PORT - 12345));
    assert_non_null(utet_build_info());
    assert_true(strlen(utet_build_info()) > 10 && strchr(utet_build_info(), '\n') == NULL);
}

/* With every size from nothing to more than enough; beyond `size` no byte changes. */
static void strerror_copies_every_text(void **state)
{
    char copy[96];
    (void)state;
    for (int s = -60; s <= 2; s++) {
        const char *text = utet_strerror(s);
        const size_t length = strlen(text);

        suite_check(length < 80, "utet.h says that 80 bytes are enough: %s", text);
        assert_int_equal(utet_strerror_copy(s, NULL, 0), length);
        for (size_t size = 1; size < sizeof copy; size++) {
            const size_t fits = length < size ? length : size - 1;

            memset(copy, '#', sizeof copy);
            assert_int_equal(utet_strerror_copy(s, copy, size), length);
            suite_check(memcmp(copy, text, fits) == 0 && copy[fits] == '\0', "%s in %u bytes", text, (unsigned)size);
            for (size_t i = fits + 1; i < sizeof copy; i++)
                assert_int_equal(copy[i], '#');
        }
    }
    assert_int_equal(utet_strerror_copy(UTET_E_PORT - 12345, copy, sizeof copy), strlen(utet_strerror(UTET_E_PORT)));
}

static void native_order(void **state)
{
    static const unsigned sizes[] = {1, 2, 4, 8};
    (void)state;
    for (size_t i = 0; i < 4; i++) {
        uint64_t buffer[8];
        uint8_t *bytes = (uint8_t *)buffer;
        for (unsigned k = 0; k < sizeof buffer; k++)
            bytes[k] = (uint8_t)(k * 3 + 1);
        uint8_t was[sizeof buffer];
        memcpy(was, buffer, sizeof was);
        utet_to_native(buffer, 5, sizes[i]);
        for (unsigned k = 0; k < 5; k++) {
            uint64_t value = tetgen_get(was + k * sizes[i], sizes[i]);
            uint8_t *at = bytes + k * sizes[i];
            uint64_t got = sizes[i] == 1   ? *at
                           : sizes[i] == 2 ? ((const uint16_t *)buffer)[k]
                           : sizes[i] == 4 ? ((const uint32_t *)buffer)[k]
                                           : buffer[k];
            assert_int_equal(got, value);
        }
        assert_memory_equal(bytes + 5 * sizes[i], was + 5 * sizes[i], sizeof was - 5 * sizes[i]);
    }
    utet_to_native(NULL, 0, 8);
}

int main(void)
{
    const struct CMUnitTest cases[] = {
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
        cmocka_unit_test(first_of_equal_names_wins),
        cmocka_unit_test(a_name_longer_than_the_window),
        cmocka_unit_test(utf8_is_checked),
        cmocka_unit_test(shuffled_rows_are_found),
        cmocka_unit_test(first_matching_row_wins),
        cmocka_unit_test(zero_extents),
        cmocka_unit_test(after_an_unusable_dataset),
        cmocka_unit_test(a_caller_s_mistake_does_not_stick),
        cmocka_unit_test(error_offsets),
        cmocka_unit_test(error_offsets_of_requests),
        cmocka_unit_test(footers_of_both_versions),
        cmocka_unit_test(a_tile_beyond_counting),
        cmocka_unit_test(codecs_go_by_number),
        cmocka_unit_test(ports_are_checked_at_the_beginning),
        cmocka_unit_test(strerror_knows_every_status),
        cmocka_unit_test(strerror_copies_every_text),
        cmocka_unit_test(native_order),
    };
    return SUITE("calls", cases);
}
