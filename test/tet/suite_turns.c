/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * utet_tiles: several datasets of one file are read in turn, each from decoded tiles of its own, with one window and
 * one memory for the codec. Every selection is compared with a reference that visits all elements of the dense array.
 */
#include "reader.h"
#include "tetgen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SETS = 3, ROWS = 64, COLUMNS = 100, TILE = 8, ROW = COLUMNS * 4, WORK = 60000 };

static const tetgen_dataset fields[SETS] = {
    {"t", 1, UTET_F32, 2, {ROWS, COLUMNS}, {TILE, COLUMNS}, TETGEN_ZSTD},
    {"s", 1, UTET_F32, 2, {ROWS, COLUMNS}, {TILE, COLUMNS}, TETGEN_ZSTD},
    {"d", 1, UTET_F32, 2, {ROWS, COLUMNS}, {TILE, COLUMNS}, TETGEN_ZSTD},
};

typedef struct bench {
    tetgen g;
    rig r;
    utet_dataset d[SETS];
    utet_tiles t[SETS];
} bench;

static void start(bench *b, size_t work, size_t budget)
{
    assert_int_equal(rig_open(&b->r, work, budget), UTET_OK);
    for (unsigned i = 0; i < b->g.count; i++)
        b->d[i] = reader_dataset(&b->r, i, "turns");
}

static void begin(bench *b, int codec, size_t work)
{
#ifdef TETGEN_NO_ZSTD
    suite_skip("no compressor on this target");
#endif
    memset(b, 0, sizeof *b);
    b->g = (tetgen){.datasets = fields, .count = SETS, .seed = 7};
    tetgen_build(&b->g);
    rig_make(&b->r, b->g.bytes, b->g.size, codec);
    start(b, work, (size_t)-1);
}

static void keep_all(bench *b, size_t count)
{
    for (unsigned i = 0; i < SETS; i++)
        assert_int_equal(utet_tiles_init(&b->t[i], &b->r.file, &b->d[i], count), UTET_OK);
}

static void end(bench *b)
{
    rig_end(&b->r, "turns");
    tetgen_free(&b->g);
}

/* Reads rows of a dataset once; the bytes must be right if it succeeds. */
static utet_status rows_of(bench *b, unsigned set, unsigned from, unsigned to)
{
    const utet_range ranges[2] = {{from, to, 1}, {0, COLUMNS, 1}};
    static uint8_t out[SETS][ROWS * ROW];
    utet_status status = utet_tiles_read(&b->t[set], ranges, out[set], (size_t)(to - from) * ROW);

    if (status == UTET_OK)
        assert_memory_equal(out[set], b->g.dense[set] + (size_t)from * ROW, (size_t)(to - from) * ROW);
    return status;
}

static void take(bench *b, unsigned set, unsigned from, unsigned to)
{
    DRIVE_OK(rows_of(b, set, from, to));
}

static uint64_t stored_bytes(const tetgen *g)
{
    uint64_t sum = 0;
    for (size_t row = 0; row < g->row_count; row++)
        sum += tetgen_get(g->bytes + g->index_offset + 32 + 104 * row + 88, 8);
    return sum;
}

/* ---- the cost ---- */

/* The most that one dataset alone uses; *slabs: bytes that slabs read in turn, each opened for one row. */
static size_t one_workspace(int codec, uint64_t *slabs)
{
    const utet_range all[2] = {{0, ROWS, 1}, {0, COLUMNS, 1}};
    static uint8_t row[ROW];
    utet_slab slab;
    bench b;
    begin(&b, codec, WORK * 4);
    DRIVE_OK(utet_slab_open(&slab, &b.r.file, &b.d[0], all));
    size_t bytes = b.r.file.high_water;
    *slabs = b.r.port.bytes_read;
    for (uint64_t n = 0; n < ROWS * SETS; n++) {
        const utet_range ranges[2] = {{n / SETS, n / SETS + 1, 1}, {0, COLUMNS, 1}};
        DRIVE_OK(utet_slab_open(&slab, &b.r.file, &b.d[n % SETS], ranges));
        DRIVE_OK(utet_slab_read_all(&slab, row, sizeof row));
        assert_memory_equal(row, b.g.dense[n % SETS] + n / SETS * ROW, ROW);
    }
    *slabs = b.r.port.bytes_read - *slabs;
    end(&b);
    return bytes;
}

static void no_payload_byte_is_read_twice(void **state)
{
    (void)state;
    for (int codec = 0; codec < (int)rig_codecs(); codec++) {
        uint64_t slabs, read;
        size_t one = one_workspace(codec, &slabs), most = one * 13 / 10, used;
        bench b;
        begin(&b, codec, most);
        keep_all(&b, 1);
        uint64_t before = b.r.port.bytes_read;
        for (unsigned n = 0; n < ROWS * SETS; n++)
            take(&b, n % SETS, n / SETS, n / SETS + 1);
        read = b.r.port.bytes_read - before;
        used = b.r.file.high_water + b.t[0].size + b.t[1].size + b.t[2].size;
        suite_figure("three zstd datasets row by row, %s: %llu bytes read, with slabs %llu, of %llu and %zu rows of "
                     "104; %zu bytes of workspace, one dataset alone %zu",
                     rig_codec_name((unsigned)codec), (unsigned long long)read, (unsigned long long)slabs,
                     (unsigned long long)stored_bytes(&b.g), b.g.row_count, used, one);
        assert_true(used <= most);
        assert_true(slabs > 4 * read);
        assert_true(read <= stored_bytes(&b.g) + 104 * b.g.row_count);
        end(&b);
    }
}

/* A grid of 4 x 5 tiles. With 5 tiles in memory a row of tiles stays there, with 4 it does not. */
static void as_many_tiles_as_a_row_has(void **state)
{
    static const tetgen_dataset grid = {.name = "g",
                                        .name_length = 1,
                                        .dtype = UTET_I16,
                                        .ndim = 2,
                                        .shape = {32, 70},
                                        .chunk = {8, 16},
                                        .codec = TETGEN_RAW};
    uint8_t out[140];
    (void)state;
    for (size_t count = 4; count <= 5; count++) {
        bench b;
        memset(&b, 0, sizeof b);
        b.g = (tetgen){.datasets = &grid, .count = 1, .seed = 3};
        tetgen_build(&b.g);
        rig_make(&b.r, b.g.bytes, b.g.size, -1);
        start(&b, WORK, (size_t)-1);
        assert_int_equal(utet_tiles_init(&b.t[0], &b.r.file, &b.d[0], count), UTET_OK);
        uint64_t before = b.r.port.bytes_read;
        for (unsigned row = 0; row < 32; row++) {
            const utet_range ranges[2] = {{row, row + 1, 1}, {0, 70, 1}};
            DRIVE_OK(utet_tiles_read(&b.t[0], ranges, out, sizeof out));
            assert_memory_equal(out, b.g.dense[0] + (size_t)row * 140, 140);
        }
        uint64_t read = b.r.port.bytes_read - before;
        if (count == 5)
            assert_true(read <= 32 * 140 + 20 * (104 + 640));
        else
            assert_true(read > 4 * 32 * 140);
        before = b.r.port.reads;
        if (count == 5)
            DRIVE_OK(utet_tiles_read(&b.t[0], (utet_range[2]){{24, 32, 7}, {0, 70, 69}}, out, 8));
        assert_true(b.r.port.reads == before); /* the last row of tiles is there */
        end(&b);
    }
}

/* ---- any selection, in any order ---- */

static uint64_t upto(uint64_t *random, uint64_t most)
{
    return tetgen_random(random) % (most + 1);
}

static void random_dataset(tetgen_dataset *d, uint64_t *random)
{
    uint64_t left = 1 + upto(random, 1500); /* elements */
    memset(d, 0, sizeof *d);
    d->name = &"abcdefgh"[upto(random, 6)];
    d->name_length = 1;
    d->dtype = 1 + (uint32_t)upto(random, 9);
    d->ndim = 1 + (unsigned)upto(random, 7);
#ifndef TETGEN_NO_ZSTD
    d->codec = (int)upto(random, 2);
#endif
    for (unsigned a = 0; a < d->ndim; a++) {
        uint64_t most = a + 1 == d->ndim ? left : left < 20 ? left : 20;
        d->shape[a] = 1 + upto(random, most - 1);
        left = left / d->shape[a] != 0 ? left / d->shape[a] : 1;
        d->chunk[a] = 1 + upto(random, d->shape[a] + 2);
        if (d->chunk[a] < d->shape[a] / 16)
            d->chunk[a] = d->shape[a] / 16;
    }
    if (upto(random, 30) == 0)
        d->shape[upto(random, d->ndim - 1u)] = 0;
}

static void random_selection(bench *b, unsigned set, uint64_t *random, const char *what)
{
    const tetgen_dataset *t = &b->g.datasets[set];
    uint64_t plain[8][3] = {{0}};
    utet_range ranges[8];
    for (unsigned a = 0; a < t->ndim; a++) {
        uint64_t n = t->shape[a], start = n != 0 && upto(random, 1) ? upto(random, n - 1) : 0;
        uint64_t stop = n != 0 && upto(random, 1) ? start + 1 + upto(random, n - start - 1) : n;
        uint64_t step = upto(random, 2) ? 1 : upto(random, 5) ? 1 + upto(random, n) : UINT64_MAX - upto(random, 3);
        ranges[a] = (utet_range){start, stop, step};
        plain[a][0] = start, plain[a][1] = stop, plain[a][2] = step;
    }
    uint8_t *expected = malloc(b->g.dense_size[set] + 1);
    size_t size = tetgen_select(t, b->g.dense[set], (const uint64_t(*)[3])plain, expected) * tetgen_elem_size(t->dtype);
    guard out = guard_new(size, 1, upto(random, 1) ? GUARD_AFTER : GUARD_BEFORE);
    DRIVE_OK(utet_tiles_read(&b->t[set], ranges, out.data, size));
    suite_check(memcmp(out.data, expected, size) == 0, "%s: wrong values", what);
    suite_check(guard_intact(&out), "%s: written outside the destination", what);
    guard_free(&out);
    free(expected);
}

static void any_selection_in_any_order(void **state)
{
    const unsigned files = suite_light() ? 20 : suite_full() ? 1500 : 150;
    uint64_t random = 99;
    (void)state;
    for (unsigned seed = 1; seed <= files; seed++) {
        static const uint16_t units[] = {1, 1, 2, 16, 64, 512};
        static uint32_t places[4000];
        tetgen_dataset sets[SETS];
        utet_rows rows;
        char what[40];
        bench b;
        memset(&b, 0, sizeof b);
        for (unsigned i = 0; i < SETS; i++)
            random_dataset(&sets[i], &random);
        b.g = (tetgen){.datasets = sets, .count = SETS, .seed = seed};
        b.g.shuffle = upto(&random, 3) == 0;
        b.g.gaps = upto(&random, 2) == 0;
        tetgen_build(&b.g);
        rig_make(&b.r, b.g.bytes, b.g.size, (int)(seed % rig_codecs()));
        b.r.port.io.unit = units[upto(&random, 5)];
        b.r.port.io.align = (uint16_t)(b.r.port.io.unit > 8 ? 1 << upto(&random, 3) : 1);
        b.r.port.slice = upto(&random, 2) ? SLICE_ALL : SLICE_RANDOM;
        b.r.port.blocks = (unsigned)upto(&random, 1);
        if (upto(&random, 7) == 0)
            faultport_map(&b.r.port);
        start(&b, 250000 + (size_t)upto(&random, 15), (size_t)-1);
        for (unsigned i = 0; i < SETS; i++)
            assert_int_equal(utet_tiles_init(&b.t[i], &b.r.file, &b.d[i], 1 + (size_t)upto(&random, 3)), UTET_OK);
        if (seed % 3 == 0)
            assert_int_equal(utet_rows_init(&rows, &b.r.file, &b.d[seed % SETS], places, 4000), UTET_OK);
        snprintf(what, sizeof what, "seed %u", seed);
        for (unsigned i = 0; i < 24; i++)
            random_selection(&b, (unsigned)upto(&random, SETS - 1), &random, what);
        end(&b);
    }
    suite_figure("%u selections of %u files of three datasets in turn", files * 24, files);
}

/* ---- faults ---- */

/* Rows of two tiles of each dataset in turn. Returns the first status that is not UTET_OK; *place: of which read. */
static utet_status script(bench *b, unsigned *place, unsigned from)
{
    for (*place = from; *place < 4 * SETS; ++*place) {
        const unsigned row = *place / SETS * 6;
        utet_status status = rows_of(b, *place % SETS, row, row + 1);
        if (status != UTET_OK)
            return status;
    }
    return UTET_OK;
}

/* A fault at each read of the port: the dataset that it meets can be read again, and the others are not affected. */
static void a_fault_harms_no_other(void **state)
{
    (void)state;
    for (int codec = 0; codec < (int)rig_codecs(); codec++) {
        unsigned faults = 0;
        for (int kind = FAULT_ERROR; kind <= FAULT_BLOCK_ONCE; kind++)
            for (unsigned at = 0; at < 10000; at++) {
                unsigned place;
                bench b;
                begin(&b, codec, WORK);
                keep_all(&b, 1);
                b.r.port.fault = (fault_kind)kind;
                b.r.port.fault_at = b.r.port.reads + at;
                utet_status status = script(&b, &place, 0);
                if (b.r.port.faults == 0 && status == UTET_OK) {
                    end(&b);
                    break;
                }
                faults++;
                if (kind == FAULT_ERROR)
                    assert_int_equal(status, FAULTPORT_ERROR);
                if (kind == FAULT_EOF)
                    assert_int_equal(status, UTET_E_SHORT);
                if (status == UTET_WOULD_BLOCK && at % 2 != 0) /* the others go on, or the call does */
                    utet_cancel(&b.r.file);
                if (status != UTET_OK && (status != UTET_WOULD_BLOCK || at % 2 != 0))
                    for (unsigned other = 1; other < SETS; other++)
                        take(&b, (place + other) % SETS, place / SETS * 6, place / SETS * 6 + 1);
                DRIVE_OK(script(&b, &place, place));
                end(&b);
            }
        suite_figure("%s: %u faults at a read", rig_codec_name((unsigned)codec), faults);
        assert_true(faults > 40);
    }
}

static void a_damaged_tile_harms_no_other(void **state)
{
    (void)state;
    for (int codec = 0; codec < (int)rig_codecs(); codec++) {
        unsigned refused = 0;
        bench b;
        begin(&b, codec, WORK);
        keep_all(&b, 2);
        static const utet_range second[2] = {{TILE, TILE + 1, 1}, {0, 1, 1}};
        uint8_t element[4];
        const uint8_t *row = b.g.bytes + b.g.index_offset + 32 + 104; /* the second tile of the first dataset */
        uint8_t *payload = b.g.bytes + (size_t)tetgen_get(row + 72, 8);
        const size_t length = (size_t)tetgen_get(row + 88, 8);
        take(&b, 0, 0, 1);
        for (size_t i = 0; i < length; i += suite_full() ? 1 : 7) {
            utet_status status;
            payload[i] ^= 0x41;
            b.r.file.priv.held = 0;
            assert_int_equal(rows_of(&b, 1, 20, 21), UTET_OK);
            DRIVE(status, utet_tiles_read(&b.t[0], second, element, sizeof element));
            payload[i] ^= 0x41;
            b.r.file.priv.held = 0;
            if (status != UTET_OK) {
                refused++;
                const uint64_t reads = b.r.port.reads;
                assert_int_equal(rows_of(&b, 0, 1, 2), UTET_OK); /* is still in memory */
                assert_int_equal(rows_of(&b, 1, 21, 22), UTET_OK);
                assert_true(b.r.port.reads == reads);
                take(&b, 0, TILE, TILE + 2); /* the medium has recovered */
            }
            take(&b, 0, 2 * TILE, 2 * TILE + 1); /* takes the place of that tile */
            take(&b, 0, 0, 1);
            take(&b, 0, 3 * TILE, 3 * TILE + 1);
            take(&b, 0, 0, 1);
        }
        assert_true(refused > length / 7 / 4);
        end(&b);
    }
}

/* ---- memory ---- */

/* The number of bytes that a refusal states is sufficient, and one byte less is not. */
static void the_needed_budget_is_exact(void **state)
{
    (void)state;
    for (int side = 0; side < 2; side++) {
        bench b;
        size_t needed;
        begin(&b, 0, WORK);
        rig_end(&b.r, "exact");
        for (unsigned odd = 0; odd < 9; odd++) {
            rig_start(&b.r, 1000 + odd, side ? GUARD_AFTER : GUARD_BEFORE);
            DRIVE_OK(utet_open(&b.r.file, &(utet_options){.budget = (size_t)-1}));
            b.d[0] = reader_dataset(&b.r, 0, "exact");
            assert_int_equal(utet_tiles_init(&b.t[0], &b.r.file, &b.d[0], 2), UTET_E_BUDGET);
            needed = (size_t)b.r.file.needed;
            assert_true(needed >= UTET_WINDOW_LEAST(1) + 2 * TILE * ROW && needed <= 250 + 2 * (TILE * ROW + 16));
            assert_int_equal(b.r.file.budget, 1000 + odd);
            rig_end(&b.r, "exact");
            for (size_t work = needed - 1; work <= needed; work++) {
                const size_t wide = work + 1000 + 8 * odd; /* the same address at the end */
                rig_start(&b.r, wide, side ? GUARD_AFTER : GUARD_BEFORE);
                DRIVE_OK(utet_open(&b.r.file, &(utet_options){.budget = work}));
                b.d[0] = reader_dataset(&b.r, 0, "exact");
                const utet_status status = utet_tiles_init(&b.t[0], &b.r.file, &b.d[0], 2);
                if (status == UTET_E_BUDGET) {
                    assert_true(b.r.file.needed > work && b.r.file.needed <= needed + 7);
                } else {
                    assert_int_equal(status, UTET_OK);
                    assert_int_equal(b.r.file.budget + b.t[0].size, work);
                    assert_true(b.r.file.budget >= UTET_WINDOW_LEAST(1));
                }
                rig_end(&b.r, "exact");
            }
        }
        tetgen_free(&b.g);
    }
}

/* The file's own budget limits the sum, whatever the workspace has beyond it. */
static void the_budget_limits_the_sum(void **state)
{
    (void)state;
#ifdef TETGEN_NO_ZSTD
    suite_skip("no compressor on this target");
#endif
    for (int codec = 0; codec < (int)rig_codecs(); codec++) {
        enum { BUDGET = 50000, MORE = 9000 };
        bench b;
        memset(&b, 0, sizeof b);
        b.g = (tetgen){.datasets = fields, .count = SETS, .seed = 7, .budget_bytes = BUDGET};
        tetgen_build(&b.g);
        rig_make(&b.r, b.g.bytes, b.g.size, codec);
        rig_start(&b.r, BUDGET + MORE, GUARD_BEFORE);
        DRIVE_OK(utet_open(&b.r.file, NULL));
        uint8_t *beyond = (uint8_t *)b.r.work.data + BUDGET;
        memset(beyond, 0xA5, MORE);
        for (unsigned i = 0; i < SETS; i++)
            b.d[i] = reader_dataset(&b.r, i, "sum");
        keep_all(&b, 1);
        assert_int_equal(b.r.file.budget + b.t[0].size + b.t[1].size + b.t[2].size, BUDGET);
        for (unsigned i = 0; i < 40; i++)
            take(&b, i % SETS, i, i + 9);
        assert_true(b.r.file.high_water <= b.r.file.budget);
        for (size_t i = 0; i < MORE; i++)
            assert_int_equal(beyond[i], 0xA5);
        const size_t budget = b.r.file.budget;
        assert_int_equal(utet_tiles_init(&b.t[0], &b.r.file, &b.d[0], 30), UTET_E_BUDGET);
        assert_int_equal(utet_tiles_init(&b.t[1], &b.r.file, &b.d[0], SIZE_MAX), UTET_E_BUDGET);
        assert_int_equal(b.r.file.budget, budget);
        end(&b);
    }
}

/* Too little memory for the codec is found before the payload is read; with as much as the call reports, and the tiles,
 * it succeeds. */
static void the_codec_needs_memory_besides(void **state)
{
    enum { TILES = 2 * (TILE * ROW + 16) };
    (void)state;
    for (unsigned less = 0; less < 10; less += 9)
        for (int codec = 0; codec < (int)rig_codecs(); codec++) {
            utet_status status;
            bench b;
            begin(&b, codec, 4000 + TILES);
            assert_int_equal(utet_tiles_init(&b.t[0], &b.r.file, &b.d[0], 2), UTET_OK);
            DRIVE(status, rows_of(&b, 0, 0, 1));
            assert_int_equal(status, UTET_E_BUDGET);
            assert_true(b.r.file.needed > b.r.file.budget);
            assert_true(b.r.port.bytes_read < 3000);
            const size_t needed = (size_t)b.r.file.needed;
            rig_end(&b.r, "besides");
            start(&b, needed + 7 - less + TILES, (size_t)-1); /* up to 7 bytes are lost */
            assert_int_equal(utet_tiles_init(&b.t[0], &b.r.file, &b.d[0], 2), UTET_OK);
            DRIVE(status, rows_of(&b, 0, 0, 1));
            assert_int_equal(status, less != 0 ? UTET_E_BUDGET : UTET_OK);
            end(&b);
        }
}

/* ---- objects ---- */

static void what_ends_what(void **state)
{
    const utet_range all[2] = {{0, ROWS, 1}, {0, COLUMNS, 1}};
    static const uint64_t corner[UTET_MAX_NDIM];
    static uint8_t out[ROWS * ROW];
    utet_stream stream;
    utet_chunk chunk;
    utet_slab slab;
    size_t got;
    bench b;
    (void)state;
    begin(&b, (int)rig_codecs() - 1, WORK * 2);
    assert_int_equal(rows_of(&b, 0, 0, 1), UTET_E_STATE); /* zeros */
    DRIVE_OK(utet_slab_open(&slab, &b.r.file, &b.d[0], all));
    keep_all(&b, 1);
    assert_int_equal(utet_slab_next(&slab, &(utet_run){0}), UTET_E_STATE); /* its memory may be that of the tiles */
    take(&b, 0, 0, 1);
    take(&b, 1, 9, 10);
    DRIVE_OK(utet_slab_open(&slab, &b.r.file, &b.d[2], all));
    assert_int_equal(utet_tiles_read(&b.t[0], (utet_range[2]){{0, ROWS + 1, 1}, {0, 1, 1}}, out, 4), UTET_E_RANGE);
    assert_int_equal(utet_tiles_read(&b.t[0], (utet_range[2]){{0, 2, 1}, {0, 1, 1}}, out, 7), UTET_E_SPACE);
    DRIVE_OK(utet_slab_read_all(&slab, out, sizeof out)); /* refused calls end nothing */
    assert_memory_equal(out, b.g.dense[2], sizeof out);
    DRIVE_OK(utet_chunk_find(&b.r.file, &b.d[1], corner, &chunk));
    DRIVE_OK(utet_stream_open(&stream, &b.r.file, &chunk));
    DRIVE_OK(utet_stream_read(&stream, out, 100, &got));
    const uint64_t reads = b.r.port.reads;
    take(&b, 0, 1, 2);
    take(&b, 1, 10, 12);
    assert_true(b.r.port.reads == reads); /* slabs and streams leave the tiles in memory */
    assert_int_equal(utet_stream_read(&stream, out, 100, &got), UTET_E_STATE);
    rig_end(&b.r, "over");
    start(&b, WORK * 2, (size_t)-1);
    assert_int_equal(rows_of(&b, 0, 0, 1), UTET_E_STATE); /* the file has been opened again since */
    end(&b);
}

static void a_suspended_call_is_repeated_as_it_was(void **state)
{
    const utet_range first[2] = {{0, 1, 1}, {0, COLUMNS, 1}}, more[2] = {{0, 2, 1}, {0, COLUMNS, 1}},
                     wrong[2] = {{0, 1, 0}, {0, COLUMNS, 1}};
    uint8_t out[2 * ROW], other[2 * ROW];
    bench b;
    (void)state;
    begin(&b, 0, WORK);
    keep_all(&b, 1);
    b.r.file.priv.held = 0;
    b.r.port.blocks = 1;
    assert_int_equal(utet_tiles_read(&b.t[0], first, out, ROW), UTET_WOULD_BLOCK);
    assert_int_equal(utet_tiles_read(&b.t[0], first, other, ROW), UTET_E_STATE);
    assert_int_equal(utet_tiles_read(&b.t[0], first, out, 2 * ROW), UTET_E_STATE);
    assert_int_equal(utet_tiles_read(&b.t[0], more, out, ROW), UTET_E_STATE);
    assert_int_equal(utet_tiles_read(&b.t[0], wrong, out, ROW), UTET_E_STATE);
    assert_int_equal(utet_tiles_read(&b.t[1], first, out, ROW), UTET_E_STATE);
    assert_int_equal(utet_tiles_init(&b.t[1], &b.r.file, &b.d[1], 1), UTET_E_STATE);
    DRIVE_OK(utet_tiles_read(&b.t[0], first, out, ROW));
    assert_memory_equal(out, b.g.dense[0], ROW);
    end(&b);
}

/* A tile without a predicted row is not recognised: it is decoded for each call. */
static void unpredicted_tiles_are_decoded_again(void **state)
{
    bench b;
    (void)state;
    begin(&b, 0, WORK);
    b.d[0].priv.first_row = b.d[0].priv.next_row = UINT64_MAX; /* as after a dataset of 2^64 tiles */
    b.d[0].narrow = 0;
    keep_all(&b, 2);
    for (unsigned i = 0; i < 4; i++) {
        const uint64_t reads = b.r.port.reads;
        take(&b, 0, 9 + i, 11 + i);
        assert_true(b.r.port.reads > reads);
    }
    end(&b);
}

static void more_elements_than_numbers(void **state)
{
    static const utet_range all[2] = {{0, UINT64_C(1) << 33, 1}, {0, UINT64_C(1) << 33, 1}};
    uint8_t out[4];
    bench b;
    (void)state;
    begin(&b, 0, WORK);
    b.d[0].narrow = 0;
    for (unsigned a = 0; a < 2; a++)
        b.d[0].shape[a] = b.d[0].grid[a] = UINT64_C(1) << 33, b.d[0].chunk_shape[a] = 1;
    keep_all(&b, 1);
    assert_int_equal(utet_tiles_read(&b.t[0], all, out, sizeof out), UTET_E_RANGE);
    b.d[0].chunk_shape[1] = UINT64_C(1) << 62;
    assert_int_equal(utet_tiles_init(&b.t[1], &b.r.file, &b.d[0], 1), UTET_E_BUDGET);
    end(&b);
}

/* With other ranges, which the library does not notice, elements are missing; nothing outside is touched. */
static void other_ranges_stay_inside(void **state)
{
    const unsigned count = suite_light() ? 100 : suite_full() ? 2000 : 300;
    uint64_t random = 5;
    (void)state;
    for (unsigned i = 0; i < count; i++) {
        bench b;
        guard out = guard_new(400, 1, i % 2 ? GUARD_AFTER : GUARD_BEFORE);
        utet_range ranges[2];
        utet_status status;
        begin(&b, 0, WORK);
        keep_all(&b, 1);
        b.r.port.blocks = 1;
        do {
            for (unsigned a = 0; a < 2; a++) {
                const uint64_t n = a == 0 ? ROWS : COLUMNS, start = upto(&random, n - 1);
                const uint64_t step = upto(&random, 1) ? 1 + upto(&random, n) : UINT64_MAX - upto(&random, n);
                ranges[a] = (utet_range){start, start + 1 + upto(&random, n - start - 1), step};
            }
            faultport_misused();
            status = utet_tiles_read(&b.t[0], ranges, out.data, 400);
        } while (status == UTET_WOULD_BLOCK || status == UTET_E_STATE || status == UTET_E_SPACE);
        assert_int_equal(status, UTET_OK);
        assert_true(guard_intact(&out));
        guard_free(&out);
        end(&b);
    }
}

int main(void)
{
    const struct CMUnitTest cases[] = {
        cmocka_unit_test(no_payload_byte_is_read_twice),
        cmocka_unit_test(as_many_tiles_as_a_row_has),
        cmocka_unit_test(any_selection_in_any_order),
        cmocka_unit_test(a_fault_harms_no_other),
        cmocka_unit_test(a_damaged_tile_harms_no_other),
        cmocka_unit_test(the_needed_budget_is_exact),
        cmocka_unit_test(the_budget_limits_the_sum),
        cmocka_unit_test(the_codec_needs_memory_besides),
        cmocka_unit_test(what_ends_what),
        cmocka_unit_test(a_suspended_call_is_repeated_as_it_was),
        cmocka_unit_test(unpredicted_tiles_are_decoded_again),
        cmocka_unit_test(more_elements_than_numbers),
        cmocka_unit_test(other_ranges_stay_inside),
    };
    return SUITE("turns", cases);
}
