/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * One buffer for a file and its cache (utet_cache_share in port/cache): the parts are as the header states; files have
 * the same values; with a larger buffer no golden file takes more time; and the sectors that a shared buffer saves are
 * measured.
 */
#include "faultport.h"
#include "golden_cases.h"
#include "guard.h"
#include "medium.h"
#include "tetgen.h"
#include "utet_cache.h"

#include <stdlib.h>

enum { LINE = 512, MOST = 65536, SPARE = 24 * 1024 };

static uint8_t buffer[MOST];

/* What a file needs that reads through a cache: its unit is 1. */
static utet_need need_of(const uint8_t *bytes, uint64_t size, medium_way way)
{
    utet_need need;
    medium card;

    medium_init(&card, bytes, size, 1);
    assert_int_equal(medium_need(&card.io, &utet_codec_zstd_small, way, buffer, sizeof buffer, &need), UTET_OK);
    medium_free(&card);
    return need;
}

/* Reads the file at `card` with one buffer of `size` bytes. */
static utet_status read_shared(medium *card, medium_way way, size_t size, const utet_need *need, uint64_t *sum)
{
    utet_cache cache;
    const utet_status status = utet_cache_share(&cache, &card->io, LINE, buffer, size, need);

    return status != UTET_OK ? status : medium_read(&cache.io, &utet_codec_zstd_small, way, buffer, cache.front, sum);
}

/* ---- the parts ---- */

/* The parts of the buffer, from the text of the header. */
static void the_parts_are_as_stated(void **state)
{
    static const uint16_t units[][2] = {{1, 1}, {2, 2}, {512, 1}, {512, 32}, {512, 128}};
    static const utet_need need = {5000, 9000};
    const size_t each = LINE + sizeof(utet_cache_slot);

    (void)state;
    for (unsigned u = 0; u < sizeof units / sizeof units[0]; u++)
        for (size_t size = 0; size < 20000; size += 4) {
            const utet_io io = {.size = 100000, .unit = units[u][0], .align = units[u][1]};
            const size_t lost = (io.align > 8 ? io.align : 8u) - 1, fewest = io.unit == 1 ? 4 : 1;
            size_t lines = 16, front = 5000;
            utet_cache c;
            const utet_status status = utet_cache_share(&c, &io, LINE, buffer + size % 3, size, &need);

            while (lines >= fewest && size < need.least + lines * each + lost)
                lines /= 2;
            if (lines < fewest)
                lines = 0;
            if (lines == 0 && (io.unit != 1 || size < need.least)) {
                assert_int_equal(status, UTET_E_BUDGET);
                continue;
            }
            if (lines == 16 && size >= need.best + lines * each + lost)
                front = 9000;
            suite_check(status == UTET_OK && c.front == front && c.priv.count == lines,
                        "%zu bytes, unit %u: %d, %zu for the file and %zu lines", size, (unsigned)io.unit, status,
                        c.front, c.priv.count);
            suite_check(c.io.unit == 1 && c.io.align == 1 && c.io.size == 100000, "unit %u", (unsigned)c.io.unit);
            suite_check(lines == 0 || (c.priv.memory >= buffer + size % 3 + front &&
                                       (uint8_t *)(c.priv.slots + lines) <= buffer + size % 3 + size),
                        "%zu bytes: lines outside", size);
        }
}

static void for_opening_the_file_has_all_but_the_lines(void **state)
{
    utet_io io = {.size = 100000, .unit = 1, .align = 1};
    utet_cache c;

    (void)state;
    assert_int_equal(utet_cache_share(&c, &io, LINE, buffer, 700, NULL), UTET_OK);
    assert_true(c.front == 700 && c.priv.count == 0 && c.io.read == io.read);
    assert_int_equal(utet_cache_share(&c, &io, LINE, buffer, 600, NULL), UTET_E_BUDGET);
    assert_int_equal(utet_cache_share(&c, &io, LINE, buffer, 16384, NULL), UTET_OK);
    assert_true(c.front == 16384 - 16 * (LINE + sizeof(utet_cache_slot)) - 7 && c.priv.count == 16);
    assert_int_equal(utet_cache_share(&c, &io, 1000, buffer, 16384, NULL), UTET_E_ARGUMENT);
    io.map = buffer;
    assert_int_equal(utet_cache_share(&c, &io, LINE, buffer, 16384, NULL), UTET_OK);
    assert_true(c.front == 16384 && c.priv.count == 0 && c.io.map == buffer);
}

/* ---- the values ---- */

/* A port that is late, short or fails once: the same values, or the error, with the buffer between two unmapped
 * pages. */
static void a_fault_at_every_read(void **state)
{
    const tetgen_dataset d = {"f", 1, 1, 2, {64, 64}, {16, 16}, TETGEN_ZSTD};
    tetgen g = {.datasets = &d, .count = 1, .seed = 7};
    unsigned passed = 0, good = 0;

    (void)state;
    tetgen_build(&g);
    for (unsigned way = 0; way < MEDIUM_WAYS; way++) {
        const utet_need need = need_of(g.bytes, g.size, (medium_way)way);
        const size_t size = (size_t)need.least + UTET_CACHE_MEMORY(8, LINE) + 31;
        guard work = guard_new(size, 8, GUARD_BEFORE);

        for (int fault = FAULT_NONE; fault < FAULT_KINDS; fault++)
            for (uint64_t at = 0; at < (suite_light() ? 5 : 60); at++) {
                faultport port;
                utet_cache c;
                uint64_t sum, right;
                utet_status status;

                faultport_init(&port, g.bytes, g.size);
                assert_int_equal(
                    medium_read(&port.io, &utet_codec_zstd_small, (medium_way)way, buffer, sizeof buffer, &right),
                    UTET_OK);
                faultport_rewind(&port);
                port.io.unit = 512;
                port.io.align = 32;
                port.slice = SLICE_RANDOM;
                port.blocks = 2;
                port.fault = (fault_kind)fault;
                port.fault_at = at;
                assert_int_equal(utet_cache_share(&c, &port.io, LINE, work.data, size, &need), UTET_OK);
                status = medium_read(&c.io, &utet_codec_zstd_small, (medium_way)way, work.data, c.front, &sum);
                suite_check(port.violations == 0, "%s", port.violation);
                suite_check(status == UTET_OK ? sum == right : status == UTET_E_SHORT || status == FAULTPORT_ERROR,
                            "%s at %llu: %d", fault_names[fault], (unsigned long long)at, status);
                *(status == UTET_OK ? &good : &passed) += 1;
            }
        suite_check(guard_intact(&work), "written outside the buffer");
        guard_free(&work);
    }
    suite_check(passed > 5 && good > 20, "%u faults passed, %u were made good", passed, good);
    tetgen_free(&g);
}

/* ---- more memory ---- */

static uint64_t sizes_tried, slower;
static double slowest = 1;

/* Reads the file in larger and larger buffers. Read-ahead fetches lines that the file does not need at its end, and the
 * order of requests is another one when the payload is read at once; this is the reason for the 4 %. */
static void sweep(const golden_file *f, const uint8_t *bytes, medium_way way, uint16_t unit)
{
    const utet_need need = need_of(bytes, f->size, way);
    const size_t step = suite_full() ? 64 : suite_light() ? 4096 : 1024;
    uint64_t least = UINT64_MAX, sum, right;
    medium card;

    medium_init(&card, bytes, f->size, unit);
    card.io.line = LINE;
    assert_int_equal(medium_read(&card.io, &utet_codec_zstd_small, way, buffer, sizeof buffer, &right), UTET_OK);
    for (size_t size = (size_t)need.least; size <= need.least + SPARE && size <= MOST; size += step) {
        medium_rewind(&card);
        const utet_status status = read_shared(&card, way, size, &need, &sum);
        const uint64_t now = medium_us(&card);

        if (status == UTET_E_BUDGET && unit != 1 && size < need.least + UTET_CACHE_MEMORY(1, LINE) + 7)
            continue;
        suite_check(status == UTET_OK && sum == right, "%s: %s in %zu bytes: %d", f->name, medium_way_names[way], size,
                    status);
        suite_check((double)now <= 1.04 * (double)least, "%s: %s, unit %u: %llu us in %zu bytes, %llu in less", f->name,
                    medium_way_names[way], (unsigned)unit, (unsigned long long)now, size, (unsigned long long)least);
        slower += now > least;
        if ((double)now > slowest * (double)least)
            slowest = (double)now / (double)least;
        if (now < least)
            least = now;
        sizes_tried++;
    }
    medium_free(&card);
}

static void never_slower(void **state)
{
    const golden_file *f = *state;
    char why[300];
    uint8_t *bytes = golden_bytes(f, why);

    if (bytes == NULL)
        suite_skip(why);
    for (unsigned way = 0; way < MEDIUM_WAYS; way++)
        for (unsigned unit = 1; unit <= LINE; unit += LINE - 1)
            if (need_of(bytes, f->size, (medium_way)way).least <= MOST - SPARE)
                sweep(f, bytes, (medium_way)way, (uint16_t)unit);
    free(bytes);
}

/* ---- what it saves ---- */

/* Limits with 2 KB, 8 KB and all useful memory to spare: sectors / distinct sectors, and time / that of one command for
 * all sectors. whole: the buffer also has room for the payload of a chunk. */
static const struct saving {
    const char *name;
    int codec;
    uint64_t tile;
    medium_way way;
    int whole;
    double again[3], time[3];
} savings[] = {
    {"raw, tiles of 1 KB, slices", TETGEN_RAW, 16, MEDIUM_SLICES, 0, {1.05, 1.05, 1.05}, {2.5, 1.3, 1.3}},
    {"raw, tiles of 1 KB, slabs", TETGEN_RAW, 16, MEDIUM_SLABS, 0, {1.02, 1.02, 1.02}, {2.5, 1.15, 1.15}},
    {"zstd, tiles of 1 KB, slices", TETGEN_ZSTD, 16, MEDIUM_SLICES, 0, {1.05, 1.05, 1.05}, {2.5, 1.3, 1.3}},
    {"zstd, tiles of 4 KB, chunks", TETGEN_ZSTD, 32, MEDIUM_LOADS, 0, {1.41, 1.05, 1.05}, {3.45, 1.3, 1.3}},
    {"zstd, tiles of 4 KB, chunks", TETGEN_ZSTD, 32, MEDIUM_LOADS, 1, {1.05, 1.05, 1.05}, {1.7, 1.3, 1.3}},
    {"zstd, tiles of 16 KB, chunks", TETGEN_ZSTD, 64, MEDIUM_LOADS, 0, {1.3, 1.15, 1.05}, {3.1, 1.7, 1.3}},
    {"zstd, tiles of 16 KB, chunks", TETGEN_ZSTD, 64, MEDIUM_LOADS, 1, {1.05, 1.05, 1.05}, {1.3, 1.3, 1.3}},
};

/* The longest payload. */
static size_t longest(const tetgen *g)
{
    utet_file file;
    utet_chunk chunk;
    size_t most = 0;
    medium card;
    utet_status status;

    medium_init(&card, g->bytes, g->size, 1);
    status = utet_init(&file, &card.io, buffer, sizeof buffer, NULL);
    if (status == UTET_OK)
        status = utet_open(&file, NULL);
    if (status == UTET_OK)
        status = utet_row_first(&file, &chunk);
    for (; status == UTET_OK; status = utet_row_next(&file, &chunk))
        if (chunk.stored_byte_len > most)
            most = (size_t)chunk.stored_byte_len;
    assert_int_equal(status, UTET_END);
    medium_free(&card);
    return most;
}

static void sectors_are_read_once(void **state)
{
    (void)state;
    for (unsigned i = 0; i < sizeof savings / sizeof savings[0]; i++) {
        const struct saving *s = &savings[i];
        const tetgen_dataset d = {"f", 1, 1, 2, {512, 256}, {s->tile, s->tile}, s->codec};
        tetgen g = {.datasets = &d, .count = 1, .seed = 4};

        tetgen_build(&g);
        for (unsigned unit = 1; unit <= LINE; unit += LINE - 1) {
            utet_need need = need_of(g.bytes, g.size, s->way);
            medium card;

            if (s->whole)
                need.least += longest(&g) + UTET_WINDOW_BEST(1) - UTET_WINDOW_LEAST(1);
            medium_init(&card, g.bytes, g.size, (uint16_t)unit);
            for (unsigned k = 0; k < 3; k++) {
                const size_t spare = UTET_CACHE_MEMORY(k == 0 ? 4 : 16, LINE) + 7;
                const size_t size = (size_t)(k < 2 ? need.least : need.best) + spare;
                uint64_t sum;
                double again, time;

                medium_rewind(&card);
                assert_int_equal(read_shared(&card, s->way, size, &need, &sum), UTET_OK);
                again = (double)card.sectors / (double)card.distinct;
                time = (double)medium_us(&card) / (double)(MEDIUM_COMMAND_US + card.distinct * MEDIUM_SECTOR_US);
                suite_figure("%s%s, unit %u, %zu bytes: sectors / distinct %.2f, commands %llu, ms %llu, %.2f x least",
                             s->name, s->whole ? " with their payload" : "", unit, size, again,
                             (unsigned long long)card.commands, (unsigned long long)(medium_us(&card) / 1000), time);
                suite_check(again <= s->again[k] && time <= s->time[k], "%s, unit %u, %zu bytes: %.2f, %.2f x", s->name,
                            unit, size, again, time);
            }
            medium_free(&card);
        }
        tetgen_free(&g);
    }
}

int main(void)
{
    static const struct CMUnitTest fixed[] = {
        cmocka_unit_test(the_parts_are_as_stated),
        cmocka_unit_test(for_opening_the_file_has_all_but_the_lines),
        cmocka_unit_test(a_fault_at_every_read),
        cmocka_unit_test(sectors_are_read_once),
    };
    const int result = golden_run("shared", fixed, sizeof fixed / sizeof fixed[0], never_slower, golden_has_tensors,
                                  NULL);

    suite_figure("%llu buffers, %llu slower than a smaller one, at most %.3f times", (unsigned long long)sizes_tried,
                 (unsigned long long)slower, slowest);
    return result;
}
