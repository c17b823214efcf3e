/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Random files (rank 1 to 8, all dtypes, edge tiles, chunk_shape over shape, zero extents, shuffled rows, gaps, raw and
 * zstd) and random selections, against a reference that visits every element of the dense array (test/README.md, bar
 * 10). Every other selection is read with exactly its need, through a port that gives slices and suspends. The number
 * of bytes that are requested of raw chunks is bounded. Wrong rows of raw tiles are refused.
 */
#include "reader.h"
#include "tetgen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t selections, moves, planes, compared_bytes;

static uint64_t upto(uint64_t *random, uint64_t most) /* 0 to the maximum */
{
    return tetgen_random(random) % (most + 1);
}

static void random_dataset(tetgen_dataset *d, uint64_t *random, int zstd)
{
    static const char names[] = "abcdefgh";
    uint64_t left = 1 + upto(random, suite_full() ? 6000 : 3000); /* elements */
    memset(d, 0, sizeof *d);
    d->name = names + upto(random, 6);
    d->name_length = 1 + (size_t)upto(random, 1);
    d->dtype = 1 + (uint32_t)upto(random, 9);
    d->ndim = 1 + (unsigned)upto(random, 7);
    d->codec = zstd ? (int)upto(random, 2) : TETGEN_RAW;
    for (unsigned a = 0; a < d->ndim; a++) {
        uint64_t most = a + 1 == d->ndim ? left : left < 24 ? left : 24;
        d->shape[a] = 1 + upto(random, most - 1);
        left /= d->shape[a];
        if (left == 0)
            left = 1;
        switch (upto(random, 4)) {
        case 0: d->chunk[a] = d->shape[a]; break;
        case 1: d->chunk[a] = d->shape[a] + upto(random, 5); break;
        case 2: d->chunk[a] = d->shape[a] > 40 ? d->shape[a] / 7 : 1 + upto(random, 2); break;
        default: d->chunk[a] = 1 + upto(random, d->shape[a] - 1); break;
        }
        if (d->shape[a] > 64 && d->chunk[a] < d->shape[a] / 64)
            d->chunk[a] = d->shape[a] / 64;
    }
    if (upto(random, 60) == 0)
        d->shape[upto(random, d->ndim - 1u)] = 0;
}

static void random_ranges(const tetgen_dataset *d, uint64_t *random, utet_range *ranges, uint64_t (*plain)[3])
{
    for (unsigned a = 0; a < d->ndim; a++) {
        uint64_t n = d->shape[a], start = 0, stop = 0, step = 1;
        if (n > 0) {
            start = upto(random, 2) ? upto(random, n - 1) : 0;
            stop = upto(random, 2) ? start + 1 + upto(random, n - start - 1) : n;
            switch (upto(random, 3)) {
            case 0: step = 1 + upto(random, 3); break;
            case 1: step = 1 + upto(random, n); break;
            case 2: step = upto(random, 9) ? 1 : UINT64_MAX - upto(random, 3); break;
            default: break;
            }
        }
        ranges[a] = (utet_range){start, stop, step};
        plain[a][0] = start;
        plain[a][1] = stop;
        plain[a][2] = step;
    }
}

static void behave(rig *r, uint64_t *random)
{
    static const uint16_t units[] = {1, 1, 1, 2, 16, 64, 512, 1024};
    r->port.io.unit = units[upto(random, 7)];
    r->port.io.align = (uint16_t)(r->port.io.unit > 8 ? 1 << upto(random, 3) : 1);
    r->port.slice = upto(random, 2) ? SLICE_ALL : upto(random, 1) ? SLICE_RANDOM : 1 + (size_t)upto(random, 600);
    r->port.blocks = (unsigned)upto(random, 1);
    if (upto(random, 7) == 0)
        faultport_map(&r->port);
}

/* By runs, which must cover every element once; with ample memory. */
static void by_runs(rig *r, const utet_dataset *d, const utet_range *ranges, uint8_t *out, size_t size,
                    const char *what)
{
    utet_slab slab;
    utet_run run;
    utet_status status;
    size_t filled = 0;
    DRIVE_OK(utet_slab_open(&slab, &r->file, d, ranges));
    suite_check(slab.count * d->elem_size == size, "%s: %llu elements", what, (unsigned long long)slab.count);
    memset(out, 0xDD, size);
    for (;;) {
        DRIVE(status, utet_slab_next(&slab, &run));
        if (status != UTET_OK)
            break;
        suite_check(run.count > 0 && run.first < slab.count && run.count <= slab.count - run.first, "%s: run outside",
                    what);
        for (size_t i = 0; i < run.count; i++)
            memcpy(out + ((size_t)run.first + i) * d->elem_size, run.data + i * run.stride, d->elem_size);
        filled += run.count;
    }
    suite_check(status == UTET_END, "%s: runs: %s", what, rig_status(status));
    suite_check(filled * d->elem_size == size, "%s: runs give %zu elements of %llu", what, filled,
                (unsigned long long)slab.count);
}

static void one_selection(rig *r, const tetgen *g, unsigned id, uint64_t *random, const char *what)
{
    const tetgen_dataset *t = &g->datasets[id];
    utet_range ranges[8];
    uint64_t plain[8][3];
    char where[400];
    int n = snprintf(where, sizeof where, "%s dataset %u dtype %u", what, id, (unsigned)t->dtype);
    random_ranges(t, random, ranges, plain);
    for (unsigned a = 0; a < t->ndim; a++)
        n += snprintf(where + n, sizeof where - (size_t)n, "%s%llu/%llu[%llu:%llu:%llu]", a ? "," : " ",
                      (unsigned long long)t->shape[a], (unsigned long long)t->chunk[a],
                      (unsigned long long)ranges[a].start, (unsigned long long)ranges[a].stop,
                      (unsigned long long)ranges[a].step);
    uint8_t *expected = malloc(g->dense_size[id] + 1);
    size_t size = tetgen_select(t, g->dense[id], (const uint64_t(*)[3])plain, expected) * tetgen_elem_size(t->dtype);
    guard out = guard_new(size, 1, upto(random, 1) ? GUARD_AFTER : GUARD_BEFORE);
    if (upto(random, 1)) {
        reader_whole all;
        reader_slab_exact(r, upto(random, 1) ? GUARD_AFTER : GUARD_BEFORE, id, ranges, out.data, size, &all, where);
    } else {
        faultport_rewind(&r->port);
        suite_check(rig_open(r, 300000, (size_t)-1) == UTET_OK, "%s: open", where);
        utet_dataset d = reader_dataset(r, id, where);
        by_runs(r, &d, ranges, out.data, size, where);
    }
    suite_check(memcmp(out.data, expected, size) == 0, "%s: wrong values", where);
    suite_check(guard_intact(&out), "%s: written outside the destination", where);
    rig_check(r, where);
    guard_free(&out);
    free(expected);
    selections++;
    compared_bytes += size;
}

/* One slab, moved from selection to selection; every third one goes on a row further, as readers of rows do. */
static void moved_slab(const tetgen *g, unsigned id, uint64_t *random, const char *what)
{
    const tetgen_dataset *t = &g->datasets[id];
    utet_range ranges[8];
    uint64_t plain[8][3];
    uint8_t *expected = malloc(g->dense_size[id] + 1);
    utet_slab slab;
    rig r;
    rig_make(&r, g->bytes, g->size, (int)(g->seed % rig_codecs()));
    behave(&r, random);
    suite_check(rig_open(&r, 300000, (size_t)-1) == UTET_OK, "%s: open", what);
    utet_dataset d = reader_dataset(&r, id, what);
    for (unsigned i = 0; i < 12; i++) {
        if (i % 3 != 0 && plain[0][1] < t->shape[0]) {
            plain[0][0]++, plain[0][1]++;
            ranges[0].start++, ranges[0].stop++;
        } else {
            random_ranges(t, random, ranges, plain);
        }
        if (i == 0)
            DRIVE_OK(utet_slab_open(&slab, &r.file, &d, ranges));
        else
            DRIVE_OK(utet_slab_move(&slab, ranges));
        size_t size = tetgen_select(t, g->dense[id], (const uint64_t(*)[3])plain, expected) * d.elem_size;
        guard out = guard_new(size, 1, GUARD_AFTER);
        suite_check(slab.count * d.elem_size == size, "%s: move %u: %llu elements", what, i,
                    (unsigned long long)slab.count);
        faultport_zone(&r.port, 1, out.data, size);
        DRIVE_OK(utet_slab_read_all(&slab, out.data, size));
        faultport_zone(&r.port, 1, NULL, 0);
        suite_check(memcmp(out.data, expected, size) == 0, "%s: move %u: wrong values", what, i);
        guard_free(&out);
        moves += i != 0;
    }
    rig_check(&r, what);
    rig_end(&r, what);
    free(expected);
}

static void random_file(uint64_t seed, int zstd, unsigned each)
{
    tetgen_dataset datasets[4];
    uint64_t random = seed * 0x9E3779B97F4A7C15u + 12345;
    char what[64];
    tetgen g = {.datasets = datasets, .count = 1 + (unsigned)upto(&random, 3), .seed = seed};
    for (unsigned i = 0; i < g.count; i++)
        random_dataset(&datasets[i], &random, zstd);
    g.shuffle = upto(&random, 3) == 0;
    g.gaps = upto(&random, 2) == 0;
    g.footer = (int)upto(&random, 2);
    tetgen_build(&g);
    snprintf(what, sizeof what, "seed %llu%s", (unsigned long long)seed, zstd ? " zstd" : "");
    guard bytes = guard_new(g.size, 1, GUARD_AFTER);
    memcpy(bytes.data, g.bytes, g.size);
    for (unsigned i = 0; i < g.count * each; i++) {
        rig r;
        rig_make(&r, bytes.data, g.size, (int)(seed % rig_codecs()));
        behave(&r, &random);
        one_selection(&r, &g, i % g.count, &random, what);
        rig_end(&r, what);
    }
    for (unsigned i = 0; i < g.count; i++)
        moved_slab(&g, i, &random, what);
    guard_free(&bytes);
    tetgen_free(&g);
}

static void raw_files(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= (suite_full() ? 12000u : suite_light() ? 150u : 1500u); seed++)
        random_file(seed, 0, 3);
}

static void zstd_files(void **state)
{
    (void)state;
#ifdef TETGEN_NO_ZSTD
    suite_skip("no compressor on this target");
#endif
    for (uint64_t seed = 100001; seed <= 100000 + (suite_full() ? 6000u : suite_light() ? 60u : 500u); seed++)
        random_file(seed, 1, 3);
}

/* Only the needed bytes of a raw chunk are requested: every 50th column of a wide tile must not cost the complete
 * tile. */
static void strided_column_is_cheap(void **state)
{
    tetgen_dataset d = {
        .name = "m", .name_length = 1, .dtype = UTET_F32, .ndim = 2, .shape = {200, 1000}, .chunk = {200, 1000}};
    tetgen g = {.datasets = &d, .count = 1, .seed = 5};
    rig r;
    reader_whole all;
    utet_range column[2] = {{0, 200, 1}, {500, 501, 1}};
    static uint8_t out[800];
    (void)state;
    tetgen_build(&g);
    rig_make(&r, g.bytes, g.size, -1);
    reader_slab_exact(&r, GUARD_AFTER, 0, column, out, sizeof out, &all, "column");
    for (size_t i = 0; i < 200; i++)
        assert_memory_equal(out + 4 * i, g.dense[0] + 4 * (1000 * i + 500), 4);
    suite_figure("a column of 200 of 200,000 f32 in one raw chunk asks for %llu bytes in %llu reads in all",
                 (unsigned long long)r.port.bytes_read, (unsigned long long)r.port.reads);
    assert_true(r.port.bytes_read < 800 * 4 + 1200);
    rig_end(&r, "column");
    tetgen_free(&g);
}

/* Reads one selection of the open rig's only dataset to an address `odd` bytes after an aligned one. */
static void read_plane(rig *r, const tetgen *g, const utet_range *ranges, size_t odd)
{
    const tetgen_dataset *t = &g->datasets[0];
    uint8_t *expected = malloc(g->dense_size[0] + 1);
    uint64_t plain[8][3];
    utet_slab slab;
    for (unsigned a = 0; a < t->ndim; a++) {
        plain[a][0] = ranges[a].start;
        plain[a][1] = ranges[a].stop;
        plain[a][2] = ranges[a].step;
    }
    size_t size = tetgen_select(t, g->dense[0], (const uint64_t(*)[3])plain, expected) * tetgen_elem_size(t->dtype);
    guard out = guard_new(size + odd, 8, GUARD_BEFORE);
    utet_dataset d = reader_dataset(r, 0, "plane");
    memset(out.data, 0xDD, size + odd);
    DRIVE_OK(utet_slab_open(&slab, &r->file, &d, ranges));
    faultport_zone(&r->port, 1, out.data + odd, size);
    DRIVE_OK(utet_slab_read_all(&slab, out.data + odd, size));
    faultport_zone(&r->port, 1, NULL, 0);
    suite_check(memcmp(out.data + odd, expected, size) == 0, "dtype %u, %u axes, tile %llu: %llu:%llu:%llu, odd %zu",
                (unsigned)t->dtype, t->ndim, (unsigned long long)t->chunk[t->ndim - 1],
                (unsigned long long)plain[t->ndim - 1][0], (unsigned long long)plain[t->ndim - 1][1],
                (unsigned long long)plain[t->ndim - 1][2], odd);
    suite_check(guard_intact(&out), "written outside the destination");
    compared_bytes += size;
    planes++;
    guard_free(&out);
    free(expected);
}

/* Planes of 7 x 37 elements in tiles of 4 x 37, 4 x 16 and 4 x 1. Rows, every second row and one row; all columns, a
 * column, every second one, one in each tile, and two far apart. */
static void planes_of(uint32_t dtype, unsigned ndim, uint64_t width)
{
    static const utet_range columns[] = {{0, 37, 1}, {5, 6, 1}, {0, 37, 2}, {3, 37, 16}, {1, 37, 35}, {2, 36, 1}};
    static const utet_range rows[] = {{0, 7, 1}, {1, 6, 2}, {4, 5, 1}};
    tetgen_dataset t = {.name = "p", .name_length = 1, .dtype = dtype, .ndim = ndim};
    tetgen g = {.datasets = &t, .count = 1, .seed = dtype * 100 + ndim};
    utet_range ranges[8];
    for (unsigned a = 0; a < ndim; a++) {
        t.shape[a] = a + 1 == ndim ? 37 : a + 2 == ndim ? 7 : a + 3 == ndim ? 2 : 1;
        t.chunk[a] = a + 1 == ndim ? width : a + 2 == ndim ? 4 : 1;
        ranges[a] = (utet_range){0, t.shape[a], 1};
    }
    tetgen_build(&g);
    for (size_t odd = 0; odd < (suite_full() ? 4u : 2u); odd++) {
        guard bytes = guard_new(g.size + odd, 8, GUARD_BEFORE);
        memcpy(bytes.data + odd, g.bytes, g.size);
        for (unsigned way = 0; way < 4; way++) {
            rig r;
            rig_make(&r, bytes.data + odd, g.size, -1);
            if (way == 0)
                faultport_map(&r.port);
            r.port.slice = way == 2 ? 3 : way == 3 ? 40 : SLICE_ALL;
            r.port.blocks = way >= 2;
            suite_check(rig_open(&r, way == 1 ? UTET_WINDOW_LEAST(1) : 700, (size_t)-1) == UTET_OK, "open");
            for (unsigned c = 0; c < sizeof columns / sizeof *columns; c++)
                for (unsigned w = 0; w < (ndim > 1 ? 3u : 1u); w++) {
                    ranges[ndim - 1] = columns[c];
                    if (ndim > 1)
                        ranges[ndim - 2] = rows[w];
                    read_plane(&r, &g, ranges, way == 0 ? (odd + c) % 4 : c % 2);
                }
            rig_end(&r, "plane");
        }
        guard_free(&bytes);
    }
    tetgen_free(&g);
}

/* Elements of each size, in one to eight axes, at each address: whole words are copied only where both addresses allow
 * it. */
static void every_plane(void **state)
{
    static const uint32_t dtypes[] = {UTET_U8, UTET_F16, UTET_F32, UTET_F64};
    static const uint64_t widths[] = {37, 16, 1};
    (void)state;
    for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes; i++)
        for (unsigned ndim = 1; ndim <= 8; ndim += suite_full() || ndim < 3 ? 1 : 5)
            for (size_t w = 0; w < sizeof widths / sizeof *widths; w++)
                planes_of(dtypes[i], ndim, widths[w]);
}

/* What a row of a raw tile may state wrongly: `fields` numbers from a field on, and what reading it then returns. The
 * tile is (1, 2) or the next one, which is at the edge and has half of its size. */
static const struct wrong_row {
    unsigned field, fields;
    uint64_t value;
    int edge;
    utet_status status;
    unsigned fault; /* the field that error_offset names */
} wrong_rows[] = {
    {0, 1, 0, 0, UTET_E_MISSING, 0},                                              /* dataset */
    {8, 1, 77, 0, UTET_E_MISSING, 0},       {16, 1, 77, 0, UTET_E_MISSING, 0},    /* coordinates */
    {72, 1, UINT64_MAX, 0, UTET_E_ROW, 72}, {72, 1, 1u << 20, 0, UTET_E_ROW, 72}, /* offset */
    {80, 1, 9, 0, UTET_E_ROW, 80},          {88, 1, 9, 0, UTET_E_ROW, 80},        {80, 2, 4, 0, UTET_E_ROW, 80},
    {80, 2, 8, 1, UTET_E_ROW, 80}, /* decoded and stored size, which are equal */
    {96, 1, 2, 0, UTET_E_ROW, 96}, /* codec, of 32 bits */
};

enum { TILE = 3 + 6, SWAPPED = 3 + 8, BYTES = 6 * 7 * 2 }; /* two rows after another dataset's three */

/* Changes the row before the slab is opened, or between opening and reading. */
static void read_wrong(rig *r, const tetgen *g, const struct wrong_row *w, int late)
{
    static const utet_range all[2] = {{0, 6, 1}, {0, 7, 1}};
    const size_t place = g->index_offset + 32 + 104 * (size_t)(TILE + w->edge);
    uint8_t *row = g->bytes + place, kept[104];
    utet_dataset d = reader_dataset(r, 1, "wrong");
    uint8_t out[BYTES];
    utet_slab slab;
    utet_status status;
    memcpy(kept, row, sizeof kept);
    if (late)
        DRIVE_OK(utet_slab_open(&slab, &r->file, &d, all));
    for (unsigned i = 0; i < w->fields; i++)
        tetgen_put(row + w->field + 8 * i, w->value, w->field == 96 ? 4 : 8);
    if (!late)
        DRIVE(status, utet_slab_open(&slab, &r->file, &d, all));
    else
        DRIVE(status, utet_slab_read_all(&slab, out, sizeof out));
    suite_check(status == w->status, "field %u, late %d: %s", w->field, late, rig_status(status));
    if (w->fault != 0)
        assert_int_equal(r->file.error_offset, place + w->fault);
    memcpy(row, kept, sizeof kept);
}

/* Every row of a raw tile is checked, also one that follows tiles of the same extents; one that is elsewhere is
 * found. */
static void rows_of_raw_tiles(void **state)
{
    static const tetgen_dataset sets[] = {
        {.name = "a", .name_length = 1, .dtype = UTET_U8, .ndim = 1, .shape = {9}, .chunk = {3}},
        {.name = "b", .name_length = 1, .dtype = UTET_U16, .ndim = 2, .shape = {6, 7}, .chunk = {2, 2}},
    };
    static const utet_range all[2] = {{0, 6, 1}, {0, 7, 1}};
    tetgen g = {.datasets = sets, .count = 2, .seed = 7};
    uint8_t out[BYTES], row[104];
    utet_status status;
    utet_slab slab;
    rig r;
    (void)state;
    tetgen_build(&g);
    uint8_t *rows = g.bytes + g.index_offset + 32;
    rig_make(&r, g.bytes, g.size, -1);
    faultport_map(&r.port);
    assert_int_equal(rig_open(&r, 0, 0), UTET_OK);
    for (size_t i = 0; i < sizeof wrong_rows / sizeof *wrong_rows; i++)
        for (int late = 0; late < 2; late++)
            read_wrong(&r, &g, &wrong_rows[i], late);
    utet_dataset d = reader_dataset(&r, 1, "rows");
    for (int late = 0; late < 2; late++) { /* two rows change places */
        r.file.priv.displaced = 0;
        if (late)
            DRIVE_OK(utet_slab_open(&slab, &r.file, &d, all));
        memcpy(row, rows + 104 * TILE, sizeof row);
        memcpy(rows + 104 * TILE, rows + 104 * SWAPPED, sizeof row);
        memcpy(rows + 104 * SWAPPED, row, sizeof row);
        if (!late)
            DRIVE_OK(utet_slab_open(&slab, &r.file, &d, all));
        DRIVE_OK(utet_slab_read_all(&slab, out, sizeof out));
        assert_memory_equal(out, g.dense[1], sizeof out);
    }
    r.file.priv.displaced = 0;
    r.file.row_count = TILE; /* the index ends before that row */
    DRIVE(status, utet_slab_open(&slab, &r.file, &d, all));
    assert_int_equal(status, UTET_E_MISSING);
    rig_end(&r, "rows");
    tetgen_free(&g);
}

/* Where the payloads of twelve tiles of ten bytes begin, in the twelve payloads of the file. */
static const uint8_t placings[][12] = {
    {0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110}, {110, 100, 90, 80, 70, 60, 50, 40, 30, 20, 10, 0},
    {20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31},  {7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7},
    {0, 0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100},   {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1},
    {10, 0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100},  {0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 109},
    {0, 10, 20, 30, 40, 30, 40, 50, 60, 70, 80, 90},   {0, 20, 10, 40, 30, 60, 50, 80, 70, 100, 90, 110},
};

/* Tiles at equal distances are read without their rows, which have been read at opening. late: the row of the
 * selection's last tile is damaged after that. */
static void read_placed(rig *r, const tetgen *g, const uint8_t *at, const utet_range *range, int late)
{
    const uint64_t last = range->start + (range->stop - 1 - range->start) / range->step * range->step;
    uint8_t *codec = g->bytes + g->index_offset + 32 + 104 * (size_t)(last / 10) + 96;
    utet_dataset d = reader_dataset(r, 0, "placed");
    uint8_t out[120], expected[120];
    int offsets[12], tiles = 0, even = 1;
    size_t count = 0;
    utet_slab slab;
    utet_status status;
    for (uint64_t i = range->start; i < range->stop; i += range->step) {
        expected[count++] = g->dense[0][at[i / 10] + i % 10];
        if (count == 1 || i / 10 != (i - range->step) / 10)
            offsets[tiles++] = at[i / 10];
    }
    for (int i = 2; i < tiles; i++)
        even = even && offsets[i] - offsets[i - 1] == offsets[1] - offsets[0];
    memset(out, 0xDD, sizeof out);
    DRIVE_OK(utet_slab_open(&slab, &r->file, &d, range));
    *codec = late ? 7 : 0;
    faultport_zone(&r->port, 1, out, sizeof out);
    DRIVE(status, utet_slab_read_all(&slab, out, sizeof out));
    *codec = 0;
    suite_check(status == (late && !even ? UTET_E_ROW : UTET_OK), "late %d, even %d: %s", late, even,
                rig_status(status));
    if (status != UTET_OK)
        return;
    suite_check(memcmp(out, expected, count) == 0, "%u %u %u …, %u:%u:%u, late %d", at[0], at[1], at[2],
                (unsigned)range->start, (unsigned)range->stop, (unsigned)range->step, late);
    if (!late && range->step == 1) {
        const utet_range more = {last / 10 * 10, last + 1, 1};
        DRIVE_OK(utet_slab_move(&slab, &more));
        DRIVE_OK(utet_slab_read_all(&slab, out, sizeof out));
        assert_memory_equal(out, g->dense[0] + at[last / 10], (size_t)(last % 10) + 1);
    }
}

static void payloads_at_any_distance(void **state)
{
    static const tetgen_dataset set = {
        .name = "d", .name_length = 1, .dtype = UTET_U8, .ndim = 1, .shape = {120}, .chunk = {10}};
    static const utet_range ranges[] = {{0, 120, 1},  {5, 118, 1}, {3, 120, 25}, {50, 60, 1}, {95, 120, 1},
                                        {0, 120, 40}, {9, 12, 1},  {17, 55, 1},  {0, 120, 3}, {119, 120, 1}};
    tetgen g = {.datasets = &set, .count = 1, .seed = 11};
    rig r;
    (void)state;
    tetgen_build(&g);
    const uint64_t payloads = tetgen_get(g.bytes + g.index_offset + 32 + 72, 8);
    for (int mapped = 0; mapped < 2; mapped++) {
        rig_make(&r, g.bytes, g.size, -1);
        if (mapped)
            faultport_map(&r.port);
        assert_int_equal(rig_open(&r, mapped ? 0 : 192, 0), UTET_OK);
        for (size_t p = 0; p < sizeof placings / sizeof *placings; p++) {
            for (size_t i = 0; i < 12; i++)
                tetgen_put(g.bytes + g.index_offset + 32 + 104 * i + 72, payloads + placings[p][i], 8);
            for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
                for (int late = 0; late < 2; late++)
                    read_placed(&r, &g, placings[p], &ranges[i], late);
        }
        rig_end(&r, "placed");
    }
    tetgen_free(&g);
}

/* Extents near 2^32 and 2^64 whose selected tiles exist: arithmetic must not wrap. */
static void huge_extents(void **state)
{
    static const uint64_t shapes[][2] = {{UINT64_C(1) << 32, (UINT64_C(1) << 32) - 1},
                                         {UINT64_C(0xFFFFFFFF), 16},
                                         {UINT64_MAX, 8},
                                         {UINT64_MAX / 2 + 1, UINT64_MAX / 2},
                                         {UINT64_MAX - 7, UINT64_MAX},
                                         {(UINT64_C(1) << 32) + 5, UINT64_C(1) << 31}};
    (void)state;
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
        for (unsigned axis = 0; axis < 2; axis++) {
            /* A file of one real row, whose record is then rewritten: axis 0 or 1 becomes huge, and the tile stays 4 x
             * 4, or as much of that as the last tile of the huge axis holds. */
            tetgen_dataset d = {
                .name = "h", .name_length = 1, .dtype = UTET_U8, .ndim = 2, .shape = {4, 4}, .chunk = {4, 4}};
            tetgen g = {.datasets = &d, .count = 1, .seed = 9};
            uint64_t extent = shapes[i][0], chunk = 4, last = (extent - 1) / chunk, inside = extent - last * chunk;
            rig r;
            utet_status status;
            tetgen_build(&g);
            tetgen_put(g.bytes + 64 + 8 * axis, extent, 8);
            uint8_t *row = g.bytes + g.index_offset + 32;
            uint64_t tile = axis ? 4 * inside : inside * 4;
            tetgen_put(row + 8 + 8 * axis, last, 8);
            tetgen_put(row + 80, tile, 8);
            tetgen_put(row + 88, tile, 8);
            rig_make(&r, g.bytes, g.size, -1);
            assert_int_equal(rig_open(&r, 1024, (size_t)-1), UTET_OK);
            utet_dataset ds = reader_dataset(&r, 0, "huge");
            utet_range ranges[2] = {{0, 4, 1}, {0, 4, 1}};
            ranges[axis] = (utet_range){last * chunk, extent, 1};
            utet_slab slab;
            uint8_t out[16];
            DRIVE_OK(utet_slab_open(&slab, &r.file, &ds, ranges));
            assert_int_equal(slab.count, tile);
            DRIVE_OK(utet_slab_read_all(&slab, out, sizeof out));
            assert_memory_equal(out, g.bytes + tetgen_get(row + 72, 8), (size_t)tile);
            /* the other tiles are missing, and a selection of everything is refused without an attempt */
            ranges[axis] = (utet_range){0, extent, shapes[i][1]};
            DRIVE(status, utet_slab_open(&slab, &r.file, &ds, ranges));
            assert_true(status == UTET_E_MISSING || status == UTET_E_RANGE);
            uint64_t at[2] = {0, 0};
            utet_chunk c;
            DRIVE(status, utet_chunk_find(&r.file, &ds, at, &c));
            assert_int_equal(status, UTET_E_MISSING);
            at[axis] = last + 1;
            DRIVE(status, utet_chunk_find(&r.file, &ds, at, &c));
            assert_int_equal(status, UTET_E_RANGE);
            rig_end(&r, "huge");
            tetgen_free(&g);
        }
}

int main(void)
{
    const struct CMUnitTest cases[] = {
        cmocka_unit_test(raw_files),
        cmocka_unit_test(zstd_files),
        cmocka_unit_test(strided_column_is_cheap),
        cmocka_unit_test(every_plane),
        cmocka_unit_test(rows_of_raw_tiles),
        cmocka_unit_test(huge_extents),
        cmocka_unit_test(payloads_at_any_distance),
    };
    int result = SUITE("geometry", cases);
    printf("figure: geometry: %llu random selections, %llu moved slabs, %llu planes, %llu bytes compared\n",
           (unsigned long long)selections, (unsigned long long)moves, (unsigned long long)planes,
           (unsigned long long)compared_bytes);
    return result;
}
