/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * utet_slab_move: a compressed dataset that is read row by row has each tile decoded once, whatever else happened to
 * the slab before. suite_geometry compares the elements of random moves.
 */
#include "reader.h"
#include "tetgen.h"

#include <string.h>

enum { ROWS = 64, COLUMNS = 100, TILE = 16, ROW = COLUMNS * 4, WORK = 60000 };

static const tetgen_dataset field = {.name = "f",
                                     .name_length = 1,
                                     .dtype = UTET_F32,
                                     .ndim = 2,
                                     .shape = {ROWS, COLUMNS},
                                     .chunk = {TILE, COLUMNS},
                                     .codec = TETGEN_ZSTD};

typedef struct bench {
    tetgen g;
    rig r;
    utet_dataset d;
    utet_slab slab;
} bench;

static void begin(bench *b, int codec)
{
#ifdef TETGEN_NO_ZSTD
    suite_skip("no compressor on this target");
#endif
    b->g = (tetgen){.datasets = &field, .count = 1, .seed = 7};
    tetgen_build(&b->g);
    rig_make(&b->r, b->g.bytes, b->g.size, codec);
    assert_int_equal(rig_open(&b->r, WORK, (size_t)-1), UTET_OK);
    b->d = reader_dataset(&b->r, 0, "field");
}

static void end(bench *b)
{
    rig_check(&b->r, "field");
    rig_end(&b->r, "field");
    tetgen_free(&b->g);
}

static utet_status to_rows(bench *b, unsigned from, unsigned to, int again)
{
    const utet_range ranges[2] = {{from, to, 1}, {0, COLUMNS, 1}};
    utet_status status;
    if (again)
        DRIVE(status, utet_slab_open(&b->slab, &b->r.file, &b->d, ranges));
    else
        DRIVE(status, utet_slab_move(&b->slab, ranges));
    return status;
}

static void take_rows(bench *b, unsigned from, unsigned to)
{
    uint8_t out[ROWS * ROW];
    DRIVE_OK(utet_slab_read_all(&b->slab, out, sizeof out));
    assert_int_equal(b->slab.count, (to - from) * COLUMNS);
    assert_memory_equal(out, b->g.dense[0] + (size_t)from * ROW, (size_t)(to - from) * ROW);
}

/* Bytes of all payloads. */
static uint64_t stored_bytes(const tetgen *g)
{
    uint64_t sum = 0;
    for (size_t row = 0; row < g->row_count; row++)
        sum += tetgen_get(g->bytes + g->index_offset + 32 + 104 * row + 88, 8);
    return sum;
}

/* Bytes requested of the medium while the rows are read one by one. */
static uint64_t bytes_by_rows(int codec, int again, uint64_t *stored)
{
    bench b;
    begin(&b, codec);
    *stored = stored_bytes(&b.g);
    uint64_t before = b.r.port.bytes_read;
    for (unsigned row = 0; row < ROWS; row++) {
        assert_int_equal(to_rows(&b, row, row + 1, again || row == 0), UTET_OK);
        take_rows(&b, row, row + 1);
    }
    uint64_t bytes = b.r.port.bytes_read - before;
    end(&b);
    return bytes;
}

static void each_tile_is_read_once(void **state)
{
    (void)state;
    for (int codec = 0; codec < (int)rig_codecs(); codec++) {
        uint64_t stored, moved = bytes_by_rows(codec, 0, &stored), again = bytes_by_rows(codec, 1, &stored);
        suite_figure("64 rows of four zstd tiles of %llu bytes, codec %d: %llu bytes moved, %llu bytes opened again",
                     (unsigned long long)stored, codec, (unsigned long long)moved, (unsigned long long)again);
        assert_true(moved <= stored + 4 * 1024); /* and the rows of four tiles, through the window */
        assert_true(again > 8 * stored);
    }
}

/* The gain ends at the border of a tile, and before what has been delivered; the elements are right nevertheless. */
static void any_other_selection_opens_again(void **state)
{
    static const unsigned rows[][2] = {{3, 5},   {5, 6},   {4, 5},   {0, 64}, {60, 64},
                                       {61, 62}, {14, 18}, {18, 19}, {15, 16}};
    bench b;
    (void)state;
    begin(&b, 0);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(to_rows(&b, rows[i][0], rows[i][1], i == 0), UTET_OK);
        take_rows(&b, rows[i][0], rows[i][1]);
    }
    end(&b);
}

static void moving_before_the_end(void **state)
{
    utet_run run;
    bench b;
    (void)state;
    begin(&b, 0);
    assert_int_equal(to_rows(&b, 2, 9, 1), UTET_OK);
    assert_int_equal(to_rows(&b, 3, 4, 0), UTET_OK);
    take_rows(&b, 3, 4);
    assert_int_equal(to_rows(&b, 4, 9, 0), UTET_OK);
    DRIVE_OK(utet_slab_next(&b.slab, &run));
    assert_int_equal(to_rows(&b, 5, 7, 0), UTET_OK);
    take_rows(&b, 5, 7);
    end(&b);
}

static void a_refused_move_ends_the_slab(void **state)
{
    static const utet_range wrong[][2] = {{{1, 2, 0}, {0, COLUMNS, 1}},
                                          {{2, 2, 1}, {0, COLUMNS, 1}},
                                          {{3, 2, 1}, {0, COLUMNS, 1}},
                                          {{1, 2, 1}, {0, COLUMNS + 1, 1}},
                                          {{1, UINT64_MAX, 1}, {0, COLUMNS, 1}}};
    utet_run run;
    bench b;
    (void)state;
    begin(&b, 0);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        utet_status status;
        assert_int_equal(to_rows(&b, 0, 1, 1), UTET_OK);
        take_rows(&b, 0, 1);
        DRIVE(status, utet_slab_move(&b.slab, wrong[i]));
        assert_int_equal(status, UTET_E_RANGE);
        DRIVE(status, utet_slab_next(&b.slab, &run));
        assert_int_equal(status, UTET_E_STATE);
        assert_int_equal(to_rows(&b, 1, 3, 0), UTET_OK);
        take_rows(&b, 1, 3);
    }
    end(&b);
}

static void after_a_fault_and_another_slab(void **state)
{
    const utet_range last[2] = {{63, 64, 1}, {0, 1, 1}};
    uint8_t out[ROW];
    utet_status status;
    utet_slab other;
    bench b;
    (void)state;
    begin(&b, 0);
    assert_int_equal(to_rows(&b, 0, 1, 1), UTET_OK);
    take_rows(&b, 0, 1);
    assert_int_equal(to_rows(&b, 17, 18, 0), UTET_OK);
    b.r.port.fault = FAULT_ERROR;
    b.r.port.fault_at = b.r.port.reads;
    DRIVE(status, utet_slab_read_all(&b.slab, out, sizeof out));
    assert_int_equal(status, FAULTPORT_ERROR);
    b.r.port.fault = FAULT_NONE;
    assert_int_equal(to_rows(&b, 18, 19, 0), UTET_OK);
    take_rows(&b, 18, 19);
    DRIVE_OK(utet_slab_open(&other, &b.r.file, &b.d, last));
    DRIVE_OK(utet_slab_read_all(&other, out, sizeof out));
    assert_int_equal(to_rows(&b, 19, 20, 0), UTET_OK);
    take_rows(&b, 19, 20);
    memset(&other, 0, sizeof other);
    assert_int_equal(utet_slab_move(&other, last), UTET_E_STATE);
    end(&b);
}

int main(void)
{
    const struct CMUnitTest cases[] = {
        cmocka_unit_test(each_tile_is_read_once),         cmocka_unit_test(any_other_selection_opens_again),
        cmocka_unit_test(moving_before_the_end),          cmocka_unit_test(a_refused_move_ends_the_slab),
        cmocka_unit_test(after_a_fault_and_another_slab),
    };
    return SUITE("move", cases);
}
