/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * What is requested from the medium: the number of port reads for opening, finding and reading one chunk does not
 * depend on the number of chunks or datasets (16 to a million and far beyond, on a virtual file), and neither does
 * memory. Chunks that are not touched are not read. The high-water mark is the memory that was really touched
 * (src/DESIGN.md 1.1, 1.5, 2).
 */
#include "reader.h"
#include "tetgen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { WINDOW = 512, WORK = UTET_HEADROOM + WINDOW };

typedef struct cost {
    uint64_t open, find, payload, bytes;
} cost;

/* Port reads and bytes so far, minus those of `before`. */
typedef struct asked {
    uint64_t reads, bytes;
} asked;

static asked asked_since(const rig *r, asked before)
{
    return (asked){r->port.reads - before.reads, r->port.bytes_read - before.bytes};
}

/* Opens, finds dataset "v" and the chunk at `row`, loads it; counts port reads by phase. */
static cost cost_of(uint64_t rows, uint64_t tile, int footer, uint64_t row)
{
    tetsparse sparse;
    rig r;
    utet_dataset d;
    utet_chunk c;
    utet_stream stream;
    cost n;
    uint8_t *out = malloc((size_t)tile);
    tetsparse_make(&sparse, rows, tile, footer);
    rig_make(&r, NULL, sparse.size, -1);
    r.port.fetch = tetsparse_fetch;
    r.port.medium = &sparse;
    assert_int_equal(rig_open(&r, WORK, 0), UTET_OK);
    faultport_zone(&r.port, 1, out, (size_t)tile);
    n.open = r.port.reads;
    DRIVE_OK(utet_dataset_find(&r.file, "v", 1, &d));
    DRIVE_OK(utet_chunk_find(&r.file, &d, &row, &c));
    n.find = r.port.reads - n.open;
    assert_int_equal(c.row, row);
    DRIVE_OK(utet_stream_load(&stream, &r.file, &c, out, (size_t)tile));
    n.payload = r.port.reads - n.find - n.open;
    n.bytes = r.port.bytes_read;
    for (uint64_t i = 0; i < tile; i++)
        assert_int_equal(out[i], tetsparse_value(row * tile + i));
    assert_true(r.file.high_water <= WORK);
    rig_end(&r, "cost");
    free(out);
    return n;
}

static void reads_do_not_grow(void **state)
{
    static const uint64_t rows[] = {16, 16384, 1000000, UINT64_C(1) << 40, UINT64_C(1) << 52};
    (void)state;
    for (int footer = 0; footer <= 2; footer++)
        for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
            for (unsigned where = 0; where < 3; where++) {
                uint64_t row = where == 0 ? 0 : where == 1 ? rows[i] / 2 + 3 : rows[i] - 1;
                cost n = cost_of(rows[i], 512, footer, row);
                if (footer == 2 && where == 1)
                    suite_figure("%llu chunks, footer, 512-byte window: open %llu, find %llu, payload %llu reads",
                                 (unsigned long long)rows[i], (unsigned long long)n.open, (unsigned long long)n.find,
                                 (unsigned long long)n.payload);
                suite_check(n.open + n.find <= 6, "%llu chunks: %llu + %llu reads beside the payload's",
                            (unsigned long long)rows[i], (unsigned long long)n.open, (unsigned long long)n.find);
                suite_check(n.payload <= 2, "%llu reads for 512 bytes of payload", (unsigned long long)n.payload);
                suite_check(n.bytes <= 6 * 512 + 1024, "%llu bytes asked for in all", (unsigned long long)n.bytes);
            }
}

/* A payload 4 GiB after its row, which the window holds: an offset with the same low 32 bits is not the same offset,
 * and the request is the same when it is repeated. (If size_t has 32 bits; elsewhere no bits are lost.) */
static void an_offset_is_more_than_its_low_bits(void **state)
{
    enum { ROW = 104 };
    const uint64_t far = UINT64_C(1) << 32;
    tetsparse sparse;
    rig r;
    utet_dataset d;
    utet_chunk c;
    utet_stream stream;
    uint64_t tile = 600, row, rows;
    static uint8_t out[1200];
    (void)state;
    do { /* until the payload begins within its row, 4 GiB later */
        tile++;
        rows = far / tile + 1000;
        row = (far - ROW * rows) / (tile - ROW) + 1;
    } while (row * (tile - ROW) + ROW * rows - far >= ROW);
    assert_true(tile <= sizeof out && row < rows);
    tetsparse_make(&sparse, rows, tile, 0);
    rig_make(&r, NULL, sparse.size, -1);
    r.port.fetch = tetsparse_fetch;
    r.port.medium = &sparse;
    r.port.blocks = 1;
    assert_int_equal(rig_open(&r, WORK, 0), UTET_OK);
    faultport_zone(&r.port, 1, out, sizeof out);
    DRIVE_OK(utet_dataset_find(&r.file, "v", 1, &d));
    DRIVE_OK(utet_chunk_find(&r.file, &d, &row, &c));
    assert_int_equal(c.payload_offset - far - (sparse.payload - ROW * (rows - row)),
                     row * (tile - ROW) + ROW * rows - far);
    DRIVE_OK(utet_stream_load(&stream, &r.file, &c, out, (size_t)tile));
    for (uint64_t i = 0; i < tile; i++)
        assert_int_equal(out[i], tetsparse_value(row * tile + i));
    rig_end(&r, "far");
}

/* Slabs across many chunks of a huge file: exactly the rows and payloads of the touched chunks. */
static void slab_in_a_million_chunks(void **state)
{
    tetsparse sparse;
    rig r;
    utet_slab slab;
    utet_range range = {999990 * 16 + 5, 1000000 * 16, 7};
    static uint8_t out[200];
    (void)state;
    tetsparse_make(&sparse, 1000000, 16, 1);
    rig_make(&r, NULL, sparse.size, -1);
    r.port.fetch = tetsparse_fetch;
    r.port.medium = &sparse;
    assert_int_equal(rig_open(&r, WORK, 0), UTET_OK);
    utet_dataset d = reader_dataset(&r, 0, "million");
    uint64_t before = r.port.reads;
    DRIVE_OK(utet_slab_open(&slab, &r.file, &d, &range));
    faultport_zone(&r.port, 1, out, sizeof out);
    DRIVE_OK(utet_slab_read_all(&slab, out, sizeof out));
    for (uint64_t i = 0; i < slab.count; i++)
        assert_int_equal(out[i], tetsparse_value(range.start + 7 * i));
    suite_check(r.port.reads - before <= 4 * 11, "%llu reads for 10 chunks",
                (unsigned long long)(r.port.reads - before));
    rig_end(&r, "million");
}

/* A million rows that prediction cannot use: at most one pass over the index, and no memory. */
static void a_scan_is_one_pass(void **state)
{
    enum { ROWS = 20000 };
    tetgen_dataset d = {.name = "s", .name_length = 1, .dtype = UTET_U8, .ndim = 1, .shape = {ROWS * 2}, .chunk = {2}};
    tetgen g = {.datasets = &d, .count = 1, .seed = 3, .shuffle = 1};
    rig r;
    utet_chunk c;
    utet_status status;
    uint64_t worst = 0, pass = (104ull * ROWS + WINDOW - 1) / WINDOW;
    (void)state;
    tetgen_build(&g);
    rig_make(&r, g.bytes, g.size, -1);
    assert_int_equal(rig_open(&r, WORK, 0), UTET_OK);
    utet_dataset ds = reader_dataset(&r, 0, "scan");
    for (uint64_t at = 0; at < ROWS; at += 1234) {
        uint64_t before = r.port.reads;
        DRIVE_OK(utet_chunk_find(&r.file, &ds, &at, &c));
        assert_int_equal(c.coords[0], at);
        if (r.port.reads - before > worst)
            worst = r.port.reads - before;
    }
    /* missing: its row renamed */
    uint64_t gone = 777;
    for (size_t i = 0; i < g.row_count; i++)
        if (tetgen_get(g.bytes + g.index_offset + 32 + 104 * i + 8, 8) == gone)
            tetgen_put(g.bytes + g.index_offset + 32 + 104 * i + 8, 1, 8);
    uint64_t before = r.port.reads;
    DRIVE(status, utet_chunk_find(&r.file, &ds, &gone, &c));
    assert_int_equal(status, UTET_E_MISSING);
    if (r.port.reads - before > worst)
        worst = r.port.reads - before;
    suite_figure("scan of %u shuffled rows: at most %llu reads, one pass is %llu", (unsigned)ROWS,
                 (unsigned long long)worst, (unsigned long long)pass);
    assert_true(worst <= pass + 3);
    rig_end(&r, "scan");
    tetgen_free(&g);
}

static void thousands_of_datasets(void **state)
{
    enum { COUNT = 5000 };
    static tetgen_dataset ds[COUNT];
    static char names[COUNT][16];
    tetgen g = {.datasets = ds, .count = COUNT, .seed = 8};
    rig r;
    utet_dataset d;
    utet_status status;
    uint64_t n = 0;
    (void)state;
    for (unsigned i = 0; i < COUNT; i++) {
        ds[i] = (tetgen_dataset){.name = names[i], .dtype = 1 + i % 10, .ndim = 1 + i % 8, .codec = TETGEN_RAW};
        ds[i].name_length = (size_t)snprintf(names[i], sizeof names[i], "set %u", i);
        for (unsigned a = 0; a < ds[i].ndim; a++) {
            ds[i].shape[a] = 1 + (i >> a) % 2;
            ds[i].chunk[a] = 1;
        }
    }
    tetgen_build(&g);
    rig_make(&r, g.bytes, g.size, -1);
    assert_int_equal(rig_open(&r, WORK, 0), UTET_OK);
    DRIVE(status, utet_dataset_first(&r.file, &d));
    while (status == UTET_OK) {
        assert_int_equal(d.id, n);
        assert_int_equal(d.ndim, ds[n].ndim);
        n++;
        DRIVE(status, utet_dataset_next(&r.file, &d));
    }
    assert_int_equal(status, UTET_END);
    assert_int_equal(n, COUNT);
    uint64_t before = r.port.reads;
    DRIVE_OK(utet_dataset_find(&r.file, "set 4999", 8, &d));
    assert_int_equal(d.id, 4999);
    assert_true(r.port.reads - before <= (g.index_offset + WINDOW - 1) / WINDOW * 2); /* the directory at most once */
    /* its chunk is found by prediction although 4999 datasets come before it */
    uint64_t at[8] = {0};
    utet_chunk c;
    before = r.port.reads;
    DRIVE_OK(utet_chunk_find(&r.file, &d, at, &c));
    assert_true(r.port.reads - before <= 1);
    DRIVE(status, utet_dataset_find(&r.file, "set 5000", 8, &d));
    assert_int_equal(status, UTET_E_NOT_FOUND);
    assert_true(r.file.high_water <= WORK);
    rig_end(&r, "thousands");
    tetgen_free(&g);
}

/* The port never gets requests for chunks that the selection does not touch: their payloads are a hole here. */
typedef struct holed {
    const uint8_t *bytes;
    uint64_t hole, end;
    unsigned fell;
} holed;

static void holed_fetch(void *medium, uint64_t offset, uint8_t *to, size_t len)
{
    holed *h = medium;
    memcpy(to, h->bytes + offset, len);
    if (offset < h->end && offset + len > h->hole)
        h->fell++;
}

static void untouched_chunks_are_not_read(void **state)
{
    tetgen_dataset d = {
        .name = "u", .name_length = 1, .dtype = UTET_U16, .ndim = 2, .shape = {64, 64}, .chunk = {32, 32}};
    tetgen g = {.datasets = &d, .count = 1, .seed = 4};
    utet_range corner[2] = {{0, 32, 1}, {0, 32, 1}};
    holed h;
    rig r;
    utet_slab slab;
    static uint8_t out[2048];
    (void)state;
    tetgen_build(&g);
    h = (holed){g.bytes, tetgen_get(g.bytes + g.index_offset + 32 + 104 + 72, 8), g.size, 0};
    rig_make(&r, NULL, g.size, -1);
    r.port.fetch = holed_fetch;
    r.port.medium = &h;
    assert_int_equal(rig_open(&r, WORK, 0), UTET_OK);
    utet_dataset ds = reader_dataset(&r, 0, "untouched");
    DRIVE_OK(utet_slab_open(&slab, &r.file, &ds, corner));
    faultport_zone(&r.port, 1, out, sizeof out);
    DRIVE_OK(utet_slab_read_all(&slab, out, sizeof out));
    suite_check(h.fell <= 1, "%u reads touch payloads of other chunks", h.fell); /* one window may reach over the end */
    rig_end(&r, "untouched");
    tetgen_free(&g);
}

/* A raw chunk that is read in slices of a window or more: one request each, directly into the destination. */
static void large_slices_go_straight(void **state)
{
    tetgen_dataset d = {.name = "s", .name_length = 1, .dtype = UTET_U8, .ndim = 1, .shape = {65536}, .chunk = {65536}};
    tetgen g = {.datasets = &d, .count = 1, .seed = 4};
    static uint8_t out[4096];
    (void)state;
    tetgen_build(&g);
    for (size_t slice = WINDOW; slice <= sizeof out; slice *= 2) {
        utet_stream s;
        utet_chunk c;
        size_t got;
        rig r;
        rig_make(&r, g.bytes, g.size, -1);
        assert_int_equal(rig_open(&r, WORK, 0), UTET_OK);
        DRIVE_OK(utet_row_first(&r.file, &c));
        DRIVE_OK(utet_stream_open(&s, &r.file, &c));
        asked n = asked_since(&r, (asked){0, 0});
        faultport_zone(&r.port, 1, out, sizeof out);
        for (size_t at = 0; at < 65536; at += slice) {
            DRIVE_OK(utet_stream_read(&s, out, slice, &got));
            assert_memory_equal(out, g.dense[0] + at, slice);
            /* The first slice begins in the window, after the rows; the others do not use it. */
            faultport_zone(&r.port, 0, out, sizeof out);
        }
        suite_check(r.port.violations == 0, "slices of %zu: %s", slice, r.port.violation);
        n = asked_since(&r, n);
        suite_check(n.reads <= 65536 / slice && n.bytes <= 65536, "slices of %zu: %llu reads of %llu bytes", slice,
                    (unsigned long long)n.reads, (unsigned long long)n.bytes);
        rig_end(&r, "straight");
    }
    tetgen_free(&g);
}

/* A slab of complete rows in a raw chunk: the bytes that the window has, then one request for the rest; nothing is read
 * twice. */
static void whole_rows_go_straight(void **state)
{
    tetgen_dataset d = {
        .name = "s", .name_length = 1, .dtype = UTET_U16, .ndim = 2, .shape = {8, 4096}, .chunk = {8, 4096}};
    tetgen g = {.datasets = &d, .count = 1, .seed = 4};
    utet_range ranges[2] = {{1, 5, 1}, {0, 4096, 1}};
    static uint8_t out[4 * 8192];
    (void)state;
    tetgen_build(&g);
    for (size_t skip = 0; skip < 300; skip += 50) {
        utet_slab slab;
        rig r;
        ranges[1].start = skip;
        size_t wanted = 2 * 4 * (4096 - skip);
        rig_make(&r, g.bytes, g.size, -1);
        assert_int_equal(rig_open(&r, WORK, 0), UTET_OK);
        utet_dataset ds = reader_dataset(&r, 0, "rows");
        DRIVE_OK(utet_slab_open(&slab, &r.file, &ds, ranges));
        asked n = asked_since(&r, (asked){0, 0});
        faultport_zone(&r.port, 1, out, sizeof out);
        DRIVE_OK(utet_slab_read_all(&slab, out, sizeof out));
        n = asked_since(&r, n);
        for (size_t y = 0; y < 4; y++)
            assert_memory_equal(out + y * 2 * (4096 - skip), g.dense[0] + 2 * (4096 * (y + 1) + skip),
                                2 * (4096 - skip));
        suite_check(n.reads <= 4 + 2 && n.bytes <= wanted + 2 * WINDOW, "from %zu: %llu reads of %llu bytes for %zu",
                    skip, (unsigned long long)n.reads, (unsigned long long)n.bytes, wanted);
        rig_end(&r, "whole rows");
    }
    tetgen_free(&g);
}

/* Reads that a raw chunk takes in small slices; a zstd chunk read before may have had all but the smallest window. */
static uint64_t reads_of_raw(tetgen *g, size_t work, int codec, int zstd_first)
{
    utet_stream s;
    utet_chunk c;
    size_t got;
    uint8_t out[50];
    rig r;
    rig_make(&r, g->bytes, g->size, codec);
    assert_int_equal(rig_open(&r, work, (size_t)-1), UTET_OK);
    utet_dataset raw = reader_dataset(&r, 0, "raw"), zstd = reader_dataset(&r, 1, "zstd");
    faultport_zone(&r.port, 1, out, sizeof out);
    if (zstd_first) {
        DRIVE_OK(utet_chunk_find(&r.file, &zstd, (uint64_t[8]){0}, &c));
        DRIVE_OK(utet_stream_open(&s, &r.file, &c));
        DRIVE_OK(utet_stream_read(&s, out, sizeof out, &got));
    }
    DRIVE_OK(utet_chunk_find(&r.file, &raw, (uint64_t[8]){0}, &c));
    DRIVE_OK(utet_stream_open(&s, &r.file, &c));
    uint64_t before = r.port.reads;
    for (size_t at = 0; at < 20000; at += sizeof out) {
        DRIVE_OK(utet_stream_read(&s, out, sizeof out, &got));
        assert_memory_equal(out, g->dense[0] + at, sizeof out);
    }
    rig_end(&r, "window back");
    return r.port.reads - before;
}

/* The part of the window that a codec with little memory took is given back to the raw stream that follows. */
static void raw_streams_get_the_window_back(void **state)
{
    static const tetgen_dataset sets[] = {
        {.name = "r", .name_length = 1, .dtype = UTET_U8, .ndim = 1, .shape = {20000}, .chunk = {20000}},
        {.name = "z",
         .name_length = 1,
         .dtype = UTET_U8,
         .ndim = 1,
         .shape = {3000},
         .chunk = {3000},
         .codec = TETGEN_ZSTD},
    };
    (void)state;
#ifdef TETGEN_NO_ZSTD
    (void)sets;
    (void)reads_of_raw;
#else
    for (int codec = 0; codec < (int)rig_codecs(); codec++) {
        tetgen g = {.datasets = sets, .count = 2, .seed = 4};
        utet_range all = {0, 3000, 1};
        utet_slab slab;
        rig r;
        tetgen_build(&g);
        rig_make(&r, g.bytes, g.size, codec);
        assert_int_equal(rig_open(&r, 1 << 20, (size_t)-1), UTET_OK);
        utet_dataset zstd = reader_dataset(&r, 1, "need");
        DRIVE_OK(utet_slab_need(&slab, &r.file, &zstd, &all));
        rig_end(&r, "need");
        size_t work = (size_t)slab.need.least;
        uint64_t fresh = reads_of_raw(&g, work, codec, 0), after = reads_of_raw(&g, work, codec, 1);
        suite_check(after <= fresh + 1 && fresh < 50, "%s: %llu reads, after a tight one %llu",
                    rig_codec_name((unsigned)codec), (unsigned long long)fresh, (unsigned long long)after);
        tetgen_free(&g);
    }
#endif
}

/* Only the selected bytes of a raw chunk are requested, but small gaps are read through: `bytes` in at most `most`
 * requests. */
static void small_gaps_are_read_over(void **state)
{
    static const struct {
        uint64_t width; /* bytes of the rows; there are 64 rows */
        utet_range rows, columns;
        uint64_t bytes, most;
    } cases[] = {
        {64, {0, 64, 1}, {0, 64, 1}, 64 * 64, 8},         /* everything */
        {64, {0, 64, 1}, {0, 32, 1}, 63 * 64 + 32, 8},    /* gaps of 32 */
        {127, {0, 64, 1}, {0, 127, 1}, 64 * 127, 16},     /* no gaps, and the window ends within rows */
        {127, {0, 64, 1}, {0, 64, 1}, 63 * 127 + 64, 16}, /* of 63 */
        {128, {0, 64, 1}, {0, 64, 1}, 64 * 64, 64},       /* of 64: no more */
        {64, {0, 64, 2}, {0, 64, 1}, 32 * 64, 32},        /* every other row */
        {30, {1, 62, 3}, {5, 15, 1}, 21 * 10, 21},        /* of 80 */
        {30, {1, 62, 2}, {5, 15, 1}, 30 * 60 + 10, 4},    /* of 50 */
        {2000, {7, 8, 1}, {3, 2000, 64}, 31 * 64 + 1, 4}, /* elements 64 apart */
        {2000, {7, 8, 1}, {3, 2000, 65}, 31, 31},         /* 65 apart */
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tetgen_dataset d = {.name = "g",
                            .name_length = 1,
                            .dtype = UTET_U8,
                            .ndim = 2,
                            .shape = {64, cases[i].width},
                            .chunk = {64, cases[i].width}};
        tetgen g = {.datasets = &d, .count = 1, .seed = 4};
        utet_range ranges[2] = {cases[i].rows, cases[i].columns};
        utet_slab slab;
        utet_run run;
        utet_status status;
        rig r;
        tetgen_build(&g);
        rig_make(&r, g.bytes, g.size, -1);
        assert_int_equal(rig_open(&r, WORK, 0), UTET_OK);
        utet_dataset ds = reader_dataset(&r, 0, "gaps");
        DRIVE_OK(utet_slab_open(&slab, &r.file, &ds, ranges));
        asked n = asked_since(&r, (asked){0, 0});
        do {
            DRIVE(status, utet_slab_next(&slab, &run));
        } while (status == UTET_OK);
        assert_int_equal(status, UTET_END);
        n = asked_since(&r, n);
        suite_check(n.bytes <= cases[i].bytes && n.reads <= cases[i].most, "case %zu: %llu bytes in %llu reads", i,
                    (unsigned long long)n.bytes, (unsigned long long)n.reads);
        rig_end(&r, "gaps");
        tetgen_free(&g);
    }
}

#ifndef TETGEN_NO_ZSTD
/* A dataset of one zstd chunk of 64,000 bytes, opened with ample memory. */
static void one_compressed_chunk(tetgen *g, rig *r, int codec)
{
    static const tetgen_dataset d = {.name = "z",
                                     .name_length = 1,
                                     .dtype = UTET_F64,
                                     .ndim = 1,
                                     .shape = {8000},
                                     .chunk = {8000},
                                     .codec = TETGEN_ZSTD};
    *g = (tetgen){.datasets = &d, .count = 1, .seed = 4};
    tetgen_build(g);
    rig_make(r, g->bytes, g->size, codec);
    assert_int_equal(rig_open(r, 1 << 20, (size_t)-1), UTET_OK);
}
#endif

/* With the best memory, a compressed chunk is read in a few requests, and no byte twice. */
static void compressed_chunks_are_read_at_once(void **state)
{
    (void)state;
#ifndef TETGEN_NO_ZSTD
    for (int codec = 0; codec < (int)rig_codecs(); codec++) {
        tetgen g;
        static uint8_t out[64000];
        utet_stream s;
        utet_chunk c;
        utet_need need;
        rig r;
        one_compressed_chunk(&g, &r, codec);
        DRIVE_OK(utet_row_first(&r.file, &c));
        DRIVE_OK(utet_chunk_need(&r.file, &c, 1, &need));
        assert_int_equal(rig_open(&r, (size_t)need.best, (size_t)-1), UTET_OK);
        DRIVE_OK(utet_row_first(&r.file, &c));
        faultport_zone(&r.port, 1, out, sizeof out);
        asked n = asked_since(&r, (asked){0, 0});
        DRIVE_OK(utet_stream_load(&s, &r.file, &c, out, sizeof out));
        assert_memory_equal(out, g.dense[0], sizeof out);
        n = asked_since(&r, n);
        suite_check(n.reads <= 4 && n.bytes <= c.stored_byte_len, "%s: %llu reads of %llu bytes, stored %llu",
                    rig_codec_name((unsigned)codec), (unsigned long long)n.reads, (unsigned long long)n.bytes,
                    (unsigned long long)c.stored_byte_len);
        rig_end(&r, "at once");
        tetgen_free(&g);
    }
#endif
}

/* A row of a compressed chunk is delivered in runs as long as the decoder's slices, not element by element. */
static void runs_of_compressed_chunks_are_long(void **state)
{
    (void)state;
#ifndef TETGEN_NO_ZSTD
    for (int codec = 0; codec < (int)rig_codecs(); codec++) {
        tetgen g;
        utet_range all = {0, 8000, 1};
        utet_slab slab;
        utet_run run;
        utet_status status;
        unsigned runs = 0;
        rig r;
        one_compressed_chunk(&g, &r, codec);
        utet_dataset ds = reader_dataset(&r, 0, "runs");
        DRIVE_OK(utet_slab_open(&slab, &r.file, &ds, &all));
        do {
            DRIVE(status, utet_slab_next(&slab, &run));
            runs++;
        } while (status == UTET_OK);
        assert_int_equal(status, UTET_END);
        suite_check(runs < 40, "%s: %u runs", rig_codec_name((unsigned)codec), runs);
        rig_end(&r, "runs");
        tetgen_free(&g);
    }
#endif
}

/* A million chunks take no time: well under a millisecond for a call on any machine that runs this. */
static void a_million_chunks_cost_no_time(void **state)
{
    clock_t begin = clock();
    (void)state;
    for (unsigned i = 0; i < 1000; i++)
        cost_of(1000000, 64, 1, i * 999u);
    double ms = (double)(clock() - begin) * 1000.0 / CLOCKS_PER_SEC;
    suite_figure("open + find + load among 1,000,000 chunks: %.0f us of processor time, the medium included", ms);
    assert_true(ms < 5000.0);
}

int main(void)
{
    const struct CMUnitTest cases[] = {
        cmocka_unit_test(reads_do_not_grow),
        cmocka_unit_test(an_offset_is_more_than_its_low_bits),
        cmocka_unit_test(slab_in_a_million_chunks),
        cmocka_unit_test(a_scan_is_one_pass),
        cmocka_unit_test(thousands_of_datasets),
        cmocka_unit_test(untouched_chunks_are_not_read),
        cmocka_unit_test(large_slices_go_straight),
        cmocka_unit_test(whole_rows_go_straight),
        cmocka_unit_test(raw_streams_get_the_window_back),
        cmocka_unit_test(small_gaps_are_read_over),
        cmocka_unit_test(compressed_chunks_are_read_at_once),
        cmocka_unit_test(runs_of_compressed_chunks_are_long),
        cmocka_unit_test(a_million_chunks_cost_no_time),
    };
    return SUITE("reads", cases);
}
