/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * The port over a port (port/cache): every byte is the file's, whatever and whenever the port below answers; a request
 * is repeated until it is served; errors are returned, except those of sectors ahead of the reader; files read through
 * it give the same values and statuses; and the number of sectors that it saves is measured.
 */
#include "faultport.h"
#include "golden_cases.h"
#include "guard.h"
#include "medium.h"
#include "tetgen.h"
#include "utet_cache.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MEMORY = UTET_CACHE_MEMORY(33, 512) };

static uint8_t memory[MEMORY + 128];

/* Repeats a read of the cache with the same arguments, as the library does. */
static utet_status read_again(const utet_cache *c, uint64_t offset, uint8_t *to, size_t len, size_t *got)
{
    utet_status status;

    do
        status = c->io.read(c->io.ctx, offset, to, len, got);
    while (status == UTET_WOULD_BLOCK);
    return status;
}

/* ---- a file of numbered bytes ---- */

enum { FILE_SIZE = 40009 };

static uint8_t file_bytes[FILE_SIZE];

static void fill_file(void)
{
    uint64_t random = 11;

    for (size_t i = 0; i < FILE_SIZE; i++)
        file_bytes[i] = (uint8_t)tetgen_random(&random);
}

/* Reads at random and in order, compares each byte, and returns the first error. */
static utet_status compare(const utet_cache *c, unsigned requests, uint64_t *random, int may_end)
{
    static uint8_t to[6000];
    uint64_t next = 0;

    for (unsigned i = 0; i < requests; i++) {
        const uint64_t kind = tetgen_random(random) % 4;
        const uint64_t offset = kind == 0                                         ? tetgen_random(random) % FILE_SIZE
                                : next >= FILE_SIZE || (kind == 1 && next < 3000) ? 0
                                : kind == 1                                       ? next - 3000
                                                                                  : next;
        size_t len = 1 + (size_t)(tetgen_random(random) % (kind == 2 ? 6000 : 700)), got = 0;
        utet_status status;

        if (len > FILE_SIZE - offset)
            len = (size_t)(FILE_SIZE - offset);
        memset(to, 0xA5, sizeof to);
        status = read_again(c, offset, to, len, &got);
        if (status != UTET_OK)
            return status;
        if (got == 0 && may_end)
            return UTET_E_SHORT;
        suite_check(got > 0 && got <= len, "%zu of %zu bytes at %llu", got, len, (unsigned long long)offset);
        suite_check(memcmp(to, file_bytes + offset, got) == 0, "other bytes at %llu", (unsigned long long)offset);
        suite_check(len == sizeof to || to[len] == 0xA5, "written beyond the answer at %llu",
                    (unsigned long long)offset);
        next = offset + got;
    }
    return UTET_OK;
}

static const struct below {
    uint16_t unit, align;
    size_t line, slice;
    unsigned blocks;
} belows[] = {
    {1, 1, 64, SLICE_ALL, 0},       {1, 1, 512, 1, 0},      {1, 1, 512, SLICE_RANDOM, 2},
    {512, 4, 512, SLICE_ALL, 1},    {512, 32, 512, 512, 0}, {512, 1, 1024, 512, 3},
    {64, 64, 256, SLICE_RANDOM, 1}, {2, 2, 64, 2, 1},       {4096, 128, 4096, SLICE_ALL, 1},
};
enum { BELOWS = sizeof belows / sizeof belows[0] };

/* A faultport below a cache of `lines` lines, in memory that an unmapped page follows. */
typedef struct rigged {
    faultport port;
    utet_cache cache;
    guard work;
} rigged;

static void rigged_start(rigged *r, const struct below *b, size_t lines, size_t odd)
{
    const size_t lost = b->align > 8 ? b->align : 8;
    const size_t size = UTET_CACHE_MEMORY(lines, b->line) + (odd != 0 ? lost : 0);

    faultport_init(&r->port, file_bytes, FILE_SIZE);
    r->port.io.unit = b->unit;
    r->port.io.align = b->align;
    r->port.slice = b->slice;
    r->port.blocks = b->blocks;
    r->work = guard_new(size + odd, 128, GUARD_BEFORE);
    assert_int_equal(utet_cache_init(&r->cache, &r->port.io, b->line, r->work.data + odd, size), UTET_OK);
    assert_int_equal(r->cache.priv.count, lines);
    assert_true(r->cache.io.size == FILE_SIZE && r->cache.io.unit == 1 && r->cache.io.align == 1);
}

static void rigged_end(rigged *r)
{
    suite_check(r->port.violations == 0, "%s", r->port.violation);
    suite_check(guard_intact(&r->work), "written outside the memory");
    guard_free(&r->work);
}

static void bytes_are_the_files(void **state)
{
    static const size_t lines[] = {1, 2, 3, 4, 5, 8, 16, 33};
    uint64_t random = 5;

    (void)state;
    for (unsigned b = 0; b < BELOWS; b++)
        for (unsigned n = 0; n < sizeof lines / sizeof lines[0]; n++)
            for (size_t odd = 0; odd < 4; odd += 3) {
                rigged r;

                rigged_start(&r, &belows[b], lines[n], odd);
                assert_int_equal(compare(&r.cache, suite_light() ? 60 : 400, &random, 0), UTET_OK);
                rigged_end(&r);
            }
}

/* ---- faults ---- */

/* One fault at every read of the port below: it is returned or made good, and everything is right afterwards. */
static void a_fault_at_every_read(void **state)
{
    unsigned passed = 0, good = 0;

    (void)state;
    for (unsigned b = 0; b < BELOWS; b++)
        for (int fault = FAULT_ERROR; fault < FAULT_KINDS; fault++)
            for (uint64_t at = 0; at < (suite_light() ? 5 : 40); at++) {
                rigged r;
                uint64_t random = 9 + at;
                utet_status status;

                rigged_start(&r, &belows[b], 9, 0);
                r.port.fault = (fault_kind)fault;
                r.port.fault_at = at;
                status = compare(&r.cache, 60, &random, fault == FAULT_EOF || fault == FAULT_SHORT);
                suite_check(status == UTET_OK || (fault == FAULT_ERROR && status == FAULTPORT_ERROR) ||
                                ((fault == FAULT_EOF || fault == FAULT_SHORT) && status == UTET_E_SHORT),
                            "%s at %llu: %d", fault_names[fault], (unsigned long long)at, status);
                *(status == UTET_OK ? &good : &passed) += 1;
                r.port.fault = FAULT_NONE;
                assert_int_equal(compare(&r.cache, 60, &random, 0), UTET_OK);
                rigged_end(&r);
            }
    suite_check(passed > 20 && good > 20, "%u faults passed, %u were made good", passed, good);
}

/* A sector ahead of the reader that cannot be read: the bytes before it can. */
typedef struct bad_sector {
    utet_io io;
    uint64_t bad;
    unsigned most; /* sectors of one request */
} bad_sector;

static utet_status bad_read(void *ctx, uint64_t offset, void *buf, size_t len, size_t *got)
{
    bad_sector *b = ctx;

    if (len / 512 > b->most)
        b->most = (unsigned)(len / 512);
    if (b->bad < (offset + len + 511) / 512 && b->bad >= offset / 512)
        return UTET_E_PORT - 3;
    memcpy(buf, file_bytes + offset, len);
    *got = len;
    return UTET_OK;
}

static void a_bad_sector_ahead_does_not_count(void **state)
{
    (void)state;
    for (uint64_t bad = 0; bad <= FILE_SIZE / 512; bad++) {
        bad_sector b = {.io = {.ctx = &b, .read = bad_read, .size = FILE_SIZE, .unit = 512, .align = 1}, .bad = bad};
        utet_cache c;
        uint8_t to[512];
        uint64_t at = 0;
        size_t got;
        utet_status status = UTET_OK;

        assert_int_equal(utet_cache_init(&c, &b.io, 512, memory, UTET_CACHE_MEMORY(16, 512)), UTET_OK);
        while (at < FILE_SIZE) {
            status = c.io.read(c.io.ctx, at, to, FILE_SIZE - at < 100 ? (size_t)(FILE_SIZE - at) : 100, &got);
            if (status != UTET_OK)
                break;
            suite_check(got > 0 && memcmp(to, file_bytes + at, got) == 0, "bytes at %llu", (unsigned long long)at);
            at += got;
        }
        suite_check(status == UTET_E_PORT - 3 && at == bad * 512, "sector %llu: %d at %llu", (unsigned long long)bad,
                    status, (unsigned long long)at);
        suite_check(bad < 3 || b.most > 1, "no request was for more than a sector");
    }
}

/* Answers that a port must not give. */
typedef struct liar {
    utet_io io;
    size_t got;
    utet_status status;
} liar;

static utet_status lie(void *ctx, uint64_t offset, void *buf, size_t len, size_t *got)
{
    const liar *l = ctx;

    (void)offset, (void)buf, (void)len;
    *got = l->got;
    return l->status;
}

static void wrong_answers_are_errors(void **state)
{
    static const struct {
        size_t got;
        utet_status status, becomes;
    } lies[] = {
        {513, UTET_OK, UTET_E_PORT},
        {SIZE_MAX, UTET_OK, UTET_E_PORT},
        {100, UTET_OK, UTET_E_PORT},
        {512, UTET_END, UTET_END},
        {9999, 77, 77},
        {512, UTET_E_PORT - 9, UTET_E_PORT - 9},
        {0, UTET_OK, UTET_OK},
    };

    (void)state;
    for (unsigned i = 0; i < sizeof lies / sizeof lies[0]; i++) {
        liar l = {{.ctx = &l, .read = lie, .size = FILE_SIZE, .unit = 512, .align = 1}, lies[i].got, lies[i].status};
        utet_cache c;
        static uint8_t to[8192];
        size_t got = 9;

        assert_int_equal(utet_cache_init(&c, &l.io, 512, memory, UTET_CACHE_MEMORY(1, 512)), UTET_OK);
        assert_int_equal(c.io.read(c.io.ctx, 7, to, 300, &got), lies[i].becomes);
        assert_int_equal(got, 0);
        got = 9;
        if (lies[i].got != 512) { /* several sectors, bypassing the cache */
            l.got = lies[i].got == 513 ? 8193 : lies[i].got;
            assert_int_equal(c.io.read(c.io.ctx, 0, to, sizeof to, &got), lies[i].becomes);
            assert_int_equal(got, 0);
        }
    }
}

/* A port that gives another error each time. The reason is the first one; the cache tries only once more. */
static utet_status fail_anew(void *ctx, uint64_t offset, void *buf, size_t len, size_t *got)
{
    unsigned *calls = ctx;

    (void)offset, (void)buf, (void)len, (void)got;
    return UTET_E_PORT - (utet_status)(*calls)++;
}

static void the_first_error_is_returned(void **state)
{
    static uint8_t to[1500];
    unsigned calls = 4;
    const utet_io io = {.ctx = &calls, .read = fail_anew, .size = FILE_SIZE, .unit = 512, .align = 1};
    utet_cache c;
    size_t got;

    (void)state;
    assert_int_equal(utet_cache_init(&c, &io, 512, memory, UTET_CACHE_MEMORY(8, 512)), UTET_OK);
    assert_int_equal(c.io.read(c.io.ctx, 7, to, sizeof to, &got), UTET_E_PORT - 4);
    assert_int_equal(calls, 6);
    assert_int_equal(c.io.read(c.io.ctx, 7, to, 1, &got), UTET_E_PORT - 6);
    assert_int_equal(calls, 7);
}

/* ---- cancelling, forgetting, refusing ---- */

static void a_cancelled_request_is_forgotten(void **state)
{
    rigged r;
    uint8_t to[200];
    size_t got;
    uint64_t random = 3;

    (void)state;
    rigged_start(&r, &belows[3], 8, 0);
    assert_int_equal(r.cache.io.read(r.cache.io.ctx, 5000, to, 200, &got), UTET_WOULD_BLOCK);
    assert_int_equal(got, 0);
    r.cache.io.cancel(r.cache.io.ctx);
    assert_int_equal(r.port.cancels, 1);
    assert_int_equal(compare(&r.cache, 100, &random, 0), UTET_OK); /* another request, which the port below checks */
    r.port.io.cancel = NULL;
    r.cache.io.cancel(r.cache.io.ctx);
    rigged_end(&r);
}

static void forgetting_reads_again(void **state)
{
    medium card;
    utet_cache c;
    uint8_t byte;
    size_t got;

    (void)state;
    medium_init(&card, file_bytes, FILE_SIZE, MEDIUM_SECTOR);
    assert_int_equal(utet_cache_init(&c, &card.io, 512, memory, UTET_CACHE_MEMORY(4, 512)), UTET_OK);
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(c.io.read(c.io.ctx, 1000 + i, &byte, 1, &got), UTET_OK);
    assert_int_equal(card.requests, 1);
    utet_cache_forget(&c);
    assert_int_equal(c.io.read(c.io.ctx, 1000, &byte, 1, &got), UTET_OK);
    assert_int_equal(card.requests, 2);
    medium_free(&card);
}

static void what_cannot_be_is_refused(void **state)
{
    utet_io io = {.read = bad_read, .size = (uint64_t)0xFFFFFFFEu * 64 - 1, .unit = 512, .align = 16};
    utet_cache c;

    (void)state;
    assert_int_equal(utet_cache_init(&c, &io, 256, memory, MEMORY), UTET_E_ARGUMENT); /* less than a unit */
    assert_int_equal(utet_cache_init(&c, &io, 1536, memory, MEMORY), UTET_E_ARGUMENT);
    assert_int_equal(utet_cache_init(&c, &io, 0, memory, MEMORY), UTET_E_ARGUMENT);
    assert_int_equal(utet_cache_init(&c, &io, 65536, memory, MEMORY), UTET_E_ARGUMENT);
    io.unit = io.align = 1;
    assert_int_equal(utet_cache_init(&c, &io, 32, memory, MEMORY), UTET_E_ARGUMENT);
    assert_int_equal(utet_cache_init(&c, &io, 64, memory, MEMORY), UTET_OK);
    io.size += 1;
    assert_int_equal(utet_cache_init(&c, &io, 64, memory, MEMORY), UTET_E_ARGUMENT);
    assert_int_equal(utet_cache_init(&c, &io, 128, memory, MEMORY), UTET_OK);
    io.size = 1000;
    assert_int_equal(utet_cache_init(&c, &io, 512, memory, 0), UTET_E_BUDGET);
    assert_int_equal(utet_cache_init(&c, &io, 512, memory + 1, 5), UTET_E_BUDGET);
    assert_int_equal(utet_cache_init(&c, &io, 512, memory, 511), UTET_E_BUDGET);
    io.map = file_bytes;
    assert_int_equal(utet_cache_init(&c, &io, 512, memory, 0), UTET_OK); /* nothing to do */
    assert_true(c.io.map == file_bytes && c.io.read == io.read);
}

/* ---- the library through it ---- */

static void golden_files_read_the_same(void **state)
{
    const golden_file *f = *state;
    static uint8_t work[65536];
    char why[300];
    uint8_t *bytes = golden_bytes(f, why);

    if (bytes == NULL)
        suite_skip(why);
    for (unsigned way = 0; way < MEDIUM_WAYS; way++)
        for (unsigned b = way % 2; b < BELOWS; b += 2) {
            faultport port;
            utet_cache c;
            uint64_t sum, again;
            utet_status status;

            faultport_init(&port, bytes, f->size);
            status = medium_read(&port.io, &utet_codec_zstd_small, (medium_way)way, work, sizeof work, &sum);
            faultport_rewind(&port);
            port.io.unit = belows[b].unit;
            port.io.align = belows[b].align;
            port.slice = belows[b].slice;
            port.blocks = belows[b].blocks;
            assert_int_equal(utet_cache_init(&c, &port.io, belows[b].line, memory, sizeof memory), UTET_OK);
            assert_int_equal(medium_read(&c.io, &utet_codec_zstd_small, (medium_way)way, work, sizeof work, &again),
                             status);
            suite_check(status != UTET_OK || sum == again, "%s: other values", f->name);
            suite_check(port.violations == 0, "%s: %s", f->name, port.violation);
        }
    free(bytes);
}

/* ---- what it saves ---- */

static const struct saving {
    const char *name;
    int codec;
    uint64_t tile;
    medium_way way;
    size_t work;  /* 0: the smallest number that works */
    double again; /* upper limit of sectors / distinct sectors, with any number of lines */
} savings[] = {
    {"raw, tiles of 1 KB, slices", TETGEN_RAW, 16, MEDIUM_SLICES, 0, 1.05},
    {"raw, tiles of 1 KB, a slab", TETGEN_RAW, 16, MEDIUM_SLABS, 0, 1.02}, /* its rows are read once */
    {"zstd, tiles of 1 KB, slices", TETGEN_ZSTD, 16, MEDIUM_SLICES, 0, 1.05},
    {"zstd, tiles of 1 KB, slices", TETGEN_ZSTD, 16, MEDIUM_SLICES, 8192, 1.05},
    {"zstd, tiles of 4 KB, chunks", TETGEN_ZSTD, 32, MEDIUM_LOADS, 8192, 1.05},
    {"zstd, tiles of 4 KB, chunks", TETGEN_ZSTD, 32, MEDIUM_LOADS, 12288, 1.05},
    {"zstd, tiles of 16 KB, chunks", TETGEN_ZSTD, 64, MEDIUM_LOADS, 20480, 1.05},
};

static const size_t line_counts[] = {0, 4, 8, 16, 32}; /* 0: without the cache */
enum { LINE_COUNTS = sizeof line_counts / sizeof line_counts[0] };

/* Reads the file at `card` through so many lines. *least: the smallest workspace that is tried, then the one that was
 * enough. */
static void read_through(medium *card, const struct saving *s, size_t lines, size_t *least)
{
    static uint8_t work[32768];
    utet_cache c;
    utet_status status;
    uint64_t sum;

    if (lines != 0)
        assert_int_equal(utet_cache_init(&c, &card->io, 512, memory, UTET_CACHE_MEMORY(lines, 512)), UTET_OK);
    for (;; *least += 8) {
        medium_rewind(card);
        if (lines != 0)
            utet_cache_forget(&c);
        status = medium_read(lines != 0 ? &c.io : &card->io, &utet_codec_zstd_small, s->way, work, *least, &sum);
        if (status != UTET_E_BUDGET || s->work != 0)
            break;
    }
    suite_check(status == UTET_OK, "%s: %d", s->name, status);
}

/* With the cache almost no sector is read twice; more lines take at most 1 % longer; and with 16 lines of a sector,
 * 8 KB, the time is at most 1.3 times that of one command for all sectors. */
static void sectors_are_read_once(void **state)
{
    (void)state;
    for (unsigned i = 0; i < sizeof savings / sizeof savings[0]; i++) {
        const struct saving *s = &savings[i];
        const tetgen_dataset d = {"f", 1, 1, 2, {512, 256}, {s->tile, s->tile}, s->codec};
        tetgen g = {.datasets = &d, .count = 1, .seed = 4};
        size_t least = s->work != 0 ? s->work : UTET_WINDOW_LEAST(512);
        double ms[LINE_COUNTS];
        medium card;

        tetgen_build(&g);
        medium_init(&card, g.bytes, g.size, MEDIUM_SECTOR);
        for (unsigned n = 0; n < LINE_COUNTS; n++) {
            double again;

            read_through(&card, s, line_counts[n], &least);
            again = (double)card.sectors / (double)card.distinct;
            ms[n] = (double)medium_us(&card) / 1000;
            suite_figure("%s, %zu bytes, %zu lines: sectors / distinct %.2f, commands %llu, ms %.0f", s->name, least,
                         line_counts[n], again, (unsigned long long)card.commands, ms[n]);
            suite_check(n == 0 || again <= s->again, "%s, %zu lines: %.3f", s->name, line_counts[n], again);
            suite_check(n == 0 || ms[n] <= 1.01 * ms[n - 1], "%s: %.0f ms in %zu lines, %.0f in less", s->name, ms[n],
                        line_counts[n], ms[n - 1]);
            suite_check(line_counts[n] < 16 || ms[n] <= 1.3 * (double)card.distinct * MEDIUM_SECTOR_US / 1000,
                        "%s, %zu lines: %.0f ms for %llu sectors", s->name, line_counts[n], ms[n],
                        (unsigned long long)card.distinct);
        }
        medium_free(&card);
        tetgen_free(&g);
    }
}

/* A medium of large units: a window of one unit would read each of them again for the next row and the next payload. */
static void large_units_are_read_once(void **state)
{
    enum { LARGEST = 32768, LINES = 4 };
    static uint8_t work[LARGEST + 16384];
    uint8_t *const lines = malloc(UTET_CACHE_MEMORY(LINES, LARGEST));
    const tetgen_dataset d = {"f", 1, 1, 2, {512, 256}, {16, 16}, TETGEN_ZSTD};
    tetgen g = {.datasets = &d, .count = 1, .seed = 4};

    (void)state;
    assert_non_null(lines);
    tetgen_build(&g);
    for (unsigned unit = 4096; unit <= LARGEST; unit *= 8)
        for (unsigned way = 0; way < MEDIUM_WAYS; way++) {
            utet_cache c;
            medium flash;
            uint64_t sum, again, alone;

            medium_init(&flash, g.bytes, g.size, (uint16_t)unit);
            assert_int_equal(medium_read(&flash.io, &utet_codec_zstd_small, (medium_way)way, work, sizeof work, &sum),
                             UTET_OK);
            alone = flash.bytes_read;
            medium_rewind(&flash);
            assert_int_equal(utet_cache_init(&c, &flash.io, unit, lines, UTET_CACHE_MEMORY(LINES, unit)), UTET_OK);
            assert_int_equal(medium_read(&c.io, &utet_codec_zstd_small, (medium_way)way, work, sizeof work, &again),
                             UTET_OK);
            assert_true(sum == again);
            suite_figure("units of %u bytes, %s: %.2f times the file alone, %.2f times with %u lines", unit,
                         medium_way_names[way], (double)alone / (double)g.size,
                         (double)flash.bytes_read / (double)g.size, (unsigned)LINES);
            suite_check((double)flash.bytes_read <= 1.2 * (double)g.size, "units of %u bytes, %s: %llu of %llu bytes",
                        unit, medium_way_names[way], (unsigned long long)flash.bytes_read, (unsigned long long)g.size);
            medium_free(&flash);
        }
    tetgen_free(&g);
    free(lines);
}

/* The .tet files of the project; in the short tier only small ones. */
static int wanted(const golden_file *f)
{
    return strcmp(f->where, "golden/tet") == 0 && f->size <= (suite_light() ? 2000u : 30000u);
}

int main(void)
{
    static const struct CMUnitTest fixed[] = {
        cmocka_unit_test(bytes_are_the_files),
        cmocka_unit_test(a_fault_at_every_read),
        cmocka_unit_test(a_bad_sector_ahead_does_not_count),
        cmocka_unit_test(wrong_answers_are_errors),
        cmocka_unit_test(the_first_error_is_returned),
        cmocka_unit_test(a_cancelled_request_is_forgotten),
        cmocka_unit_test(forgetting_reads_again),
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(sectors_are_read_once),
        cmocka_unit_test(large_units_are_read_once),
    };

    fill_file();
    return golden_run("cache", fixed, sizeof fixed / sizeof fixed[0], golden_files_read_the_same, wanted, NULL);
}
