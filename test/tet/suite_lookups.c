/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Names, datasets and chunks that are doubled, shuffled, missing or empty; errors that persist, and their offsets. A
 * case is named after the promise (src/DESIGN.md). */
#include "callworld.h"

enum { ROWS_RAW = 12 };

static uint8_t *row(world *w, size_t n)
{
    return w->g.bytes + w->g.index_offset + 32 + 104 * n;
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

/* A name longer than any window, with "not yet" before every read; a call of several steps still ends. */
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

/* Both versions, with and without datasets; the JSON is directly before the tail (§6.1). */
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

/* Of two rows with the same coordinates the first one counts, if neither is at its predicted position. */
static void first_matching_row_wins(void **state)
{
    world w;
    uint64_t at[2] = {2, 3};
    (void)state;
    make(&w, two, 1);
    /* rows 3 and 7 both have (2, 3); the right one, 11, has something else */
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

/* An empty dataset reads as empty for any chunk_shape, and the rows of later datasets are still predicted. */
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
    d.elem_size = 0; /* as the status of an unknown dtype; no chunk is looked up, which would reveal it */
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

/* After a chunk_shape of 0, rows cannot be predicted any more, but they are found. */
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

/* Makes row n that of a raw chunk of `bytes` bytes. */
static void put_row(world *w, size_t n, uint64_t dataset, const uint64_t *coords, uint64_t bytes)
{
    tetgen_put(row(w, n), dataset, 8);
    tetgen_put(row(w, n) + 8, coords[0], 8);
    tetgen_put(row(w, n) + 16, coords[1], 8);
    tetgen_put(row(w, n) + 80, bytes, 8);
    tetgen_put(row(w, n) + 88, bytes, 8);
    tetgen_put(row(w, n) + 96, UTET_CODEC_RAW, 4);
}

/* A dataset of 2^64 chunks or more, and each dataset after it, have no predicted rows: the first of two rows counts,
 * also if the second one is where a number that has wrapped leads. */
static void numbers_that_wrap_predict_nothing(void **state)
{
    const uint64_t far[2] = {UINT64_C(1) << 24, 5}, near[2] = {0, 7};
    world w;
    (void)state;
    make(&w, two, 2);
    for (unsigned i = 0; i < 2; i++) {
        tetgen_put(w.g.bytes + 40 + 16 + 8 + 8 * i, UINT64_C(1) << 40, 8); /* "raw": shape */
        tetgen_put(w.g.bytes + 40 + 16 + 8 + 16 + 8 * i, 1, 8);            /* "raw", "zstd": chunk_shape */
        tetgen_put(w.g.bytes + 96 + 16 + 8 + 16 + 8 * i, 1, 8);
    }
    put_row(&w, 2, 0, far, 2);
    put_row(&w, 5, 0, far, 2); /* far[0] * 2^40 wraps to 0 */
    assert_int_equal(rig_open(&w.r, 4096, 0), UTET_OK);
    utet_dataset d = reader_dataset(&w.r, 0, "uncounted");
    DRIVE_OK(utet_chunk_find(&w.r.file, &d, far, &w.c));
    assert_int_equal(w.c.row, 2);
    put_row(&w, 1, 1, near, 8);
    put_row(&w, 6, 1, near, 8); /* UINT64_MAX + 7 wraps to 6 */
    assert_int_equal(rig_open(&w.r, 4096, 0), UTET_OK);
    d = reader_dataset(&w.r, 1, "after the uncounted one");
    DRIVE_OK(utet_chunk_find(&w.r.file, &d, near, &w.c));
    assert_int_equal(w.c.row, 1);
    end(&w);
}

/* A tile of 2^64 - 1 bytes or more has no length that a row could state; the saturated length is refused as well. */
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

/* Codecs are looked up by their number, at any position of the list; without a list, only raw chunks can be read. */
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
            if (list >= 2) { /* another one before it, or alone */
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
    assert_int_equal(utet_open(&w.r.file, NULL), UTET_E_STATE); /* already open; not fatal */
    find(&w, "zstd");
    end(&w);
}

/* Bytes that go directly to the caller, 100 in each request: error_offset shows which request failed. */
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
            first = w.r.file.error_offset; /* after what the window held */
        assert_in_range(first, c.payload_offset, c.payload_offset + UTET_WINDOW_LEAST(1));
        assert_int_equal(w.r.file.error_offset, first + 100 * before);
        end(&w);
    }
}

/* error_offset is the offset of the fault. */
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
    DRIVE(status, utet_stream_read(&s, out, 16, &got));
    assert_int_equal(status, FAULTPORT_ERROR);
    suite_check(w.r.file.error_offset >= w.g.size - 100 - 512 && w.r.file.error_offset < w.g.size,
                "error offset %llu of %zu", (unsigned long long)w.r.file.error_offset, w.g.size);
    w.r.port.violations = 0;
    end(&w);
}

/* ---- other promises ---- */

static int power_of_two(unsigned n)
{
    return n != 0 && (n & (n - 1)) == 0;
}

/* Units are powers of two; so is align, which is at most the unit and 128; work is aligned to 8 and to align (utet.h,
 * utet_io). */
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

/* With every size from nothing to more than enough; no byte after `size` changes. */
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
    static const struct CMUnitTest cases[] = {
        cmocka_unit_test(first_of_equal_names_wins),
        cmocka_unit_test(a_name_longer_than_the_window),
        cmocka_unit_test(utf8_is_checked),
        cmocka_unit_test(shuffled_rows_are_found),
        cmocka_unit_test(first_matching_row_wins),
        cmocka_unit_test(zero_extents),
        cmocka_unit_test(after_an_unusable_dataset),
        cmocka_unit_test(numbers_that_wrap_predict_nothing),
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
    return SUITE("lookups", cases);
}
