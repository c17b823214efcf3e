/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * More memory never makes a file slower: each good golden file, and files of any shapes, are read from a card of
 * sectors in every size of workspace, and requests, bytes and the card's time never grow with it. From the size on that
 * the library states as the best, they never change. The values are the same in each size. With a unit of one byte,
 * some numbers grow by limited factors, and each request has fewer bytes than a line too many.
 */
#include "golden_cases.h"
#include "medium.h"
#include "tetgen.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST = 24 * 1024, MOST_LARGE = 6 * 32768 };

static uint64_t sizes_tried, bounds_tried;

static size_t step(uint16_t unit)
{
    return unit > 4096 ? unit / 16 : suite_full() ? 128 : suite_light() ? 4096 : 512;
}

enum { REQUESTS, BYTES, MICROSECONDS, NUMBERS };

static const char *const number_names[NUMBERS] = {"requests", "bytes", "microseconds"};

/* A port, and the limits of each number in a workspace, divided by the least in smaller ones: for golden files, for
 * generated ones. */
static const struct kind {
    uint16_t unit, line;
    int in_full;
    double grows[2][NUMBERS];
} kinds[] = {
    {MEDIUM_SECTOR, 0, 0, {{1, 1, 1}, {1, 1, 1}}}, /* a raw card, FatFs */
    {4096, 0, 1, {{1, 1, 1}, {1, 1, 1}}},
    {32768, 0, 1, {{1, 1, 1}, {1, 1, 1}}},             /* blocks of flash or of a server */
    {1, 1, 1, {{1, 1, 1}, {1.25, 1.1, 1.1}}},          /* reads nothing ahead */
    {1, 32, 0, {{1, 1.01, 1}, {1.25, 1.1, 1.1}}},      /* littlefs */
    {1, 64, 1, {{1.1, 1.08, 1.02}, {1.25, 1.1, 1.1}}}, /* a cache of lines */
    {1, 256, 1, {{1, 2.1, 1.02}, {1.25, 2.1, 1.18}}},  /* a serial line */
    {1, 512, 0, {{1, 3.4, 1.02}, {1.25, 2.9, 1.18}}},  /* FatFs with a unit of 1 */
    {1, 0, 1, {{1, 3.4, 1.02}, {1.25, 2.9, 1.18}}},    /* says nothing: up to 512 bytes ahead */
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

/* The largest of these quotients that was found. */
static double grown[2][KINDS][NUMBERS];

typedef struct sweep_of {
    const char *name;
    int generated;
    unsigned kind;
    medium_way way;
    int coded;
    uint64_t best;
    uint64_t least[NUMBERS], last[NUMBERS]; /* of smaller workspaces */
} sweep_of;

static void compare(sweep_of *s, size_t size, const uint64_t *now)
{
    const struct kind *k = &kinds[s->kind];

    for (unsigned i = 0; i < NUMBERS; i++) {
        const double quotient = (double)now[i] / (double)s->least[i];

        suite_check(quotient <= k->grows[s->generated][i],
                    "%s: %s, unit %u, line %u: %llu %s in %zu bytes, %llu in less", s->name, medium_way_names[s->way],
                    (unsigned)k->unit, (unsigned)k->line, (unsigned long long)now[i], number_names[i], size,
                    (unsigned long long)s->least[i]);
        suite_check(size < s->best + step(k->unit) || now[i] == s->last[i],
                    "%s: %s, unit %u, line %u: %llu %s in %zu bytes, best %llu", s->name, medium_way_names[s->way],
                    (unsigned)k->unit, (unsigned)k->line, (unsigned long long)now[i], number_names[i], size,
                    (unsigned long long)s->best);
        if (quotient > grown[s->generated][s->kind][i])
            grown[s->generated][s->kind][i] = quotient;
        if (now[i] < s->least[i])
            s->least[i] = now[i];
        s->last[i] = now[i];
    }
}

/* Where no codec reads from two places in turn, each request has fewer than `line` bytes too many. A line of 1 is the
 * same port without reading ahead. */
static void bound_bytes(const sweep_of *s, medium *card, void *work, size_t size)
{
    const uint64_t bytes = card->bytes_read, most = card->requests * (kinds[s->kind].line - 1u);
    uint64_t sum;

    medium_rewind(card);
    card->io.line = 1;
    assert_int_equal(medium_read(&card->io, NULL, s->way, work, size, &sum), UTET_OK);
    card->io.line = kinds[s->kind].line;
    bounds_tried++;
    suite_check(bytes <= card->bytes_read + most, "%s: %s, line %u: %llu bytes in %zu bytes, %llu with a line of 1",
                s->name, medium_way_names[s->way], (unsigned)card->io.line, (unsigned long long)bytes, size,
                (unsigned long long)card->bytes_read);
}

/* Reads the file in a larger and larger workspace, until no number can change any more. */
static void sweep(const char *name, int generated, const uint8_t *bytes, size_t length, unsigned kind, medium_way way)
{
    static uint8_t work[MOST_LARGE];
    sweep_of s = {name, generated, kind, way, 0, 0, {UINT64_MAX, UINT64_MAX, UINT64_MAX}, {0}};
    const uint16_t unit = kinds[kind].unit;
    const size_t most = unit > 4096 ? MOST_LARGE : MOST;
    utet_need need;
    medium card;
    uint64_t first = 0, sum;

    medium_init(&card, bytes, length, unit);
    card.io.line = kinds[kind].line;
    assert_int_equal(medium_need(&card.io, &utet_codec_zstd_small, way, work, most, &need), UTET_OK);
    s.best = need.best;
    s.coded = medium_read(&card.io, NULL, way, work, most, &sum) == UTET_E_CODEC;
    for (size_t size = UTET_WINDOW_LEAST(unit); size <= most;
         size += unit == 1 && size < UTET_WINDOW_BEST(1) ? 64 : step(unit)) {
        medium_rewind(&card);
        const utet_status status = medium_read(&card.io, &utet_codec_zstd_small, way, work, size, &sum);

        if (status == UTET_E_BUDGET)
            continue;
        suite_check(status == UTET_OK, "%s: %s in %zu bytes: %d", name, medium_way_names[way], size, status);
        compare(&s, size, (const uint64_t[NUMBERS]){card.requests, card.bytes_read, medium_us(&card)});
        if (first == 0)
            first = sum;
        suite_check(sum == first, "%s: %s in %zu bytes: other values", name, medium_way_names[way], size);
        if (kinds[kind].line > 1 && !s.coded)
            bound_bytes(&s, &card, work, size);
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
        for (unsigned kind = 0; kind < KINDS; kind++)
            if (suite_full() || !kinds[kind].in_full)
                sweep(f->name, 0, bytes, (size_t)f->size, kind, (medium_way)way);
    free(bytes);
}

/* ---- generated files ---- */

static uint64_t below(uint64_t *random, uint64_t most)
{
    return tetgen_random(random) % most;
}

/* A dataset of at most 120,000 bytes in chunks of at most 16 KiB. */
static tetgen_dataset any_dataset(uint64_t *random, char *name)
{
    static const uint32_t dtypes[] = {UTET_U8, UTET_I16, UTET_F32, UTET_F64};
    tetgen_dataset d = {.name = name, .name_length = 1 + (size_t)below(random, 40), .dtype = dtypes[below(random, 4)]};
    uint64_t left, bytes = tetgen_elem_size(d.dtype);

    for (size_t i = 0; i < d.name_length; i++)
        name[i] = (char)('a' + below(random, 26));
    d.ndim = 1 + (unsigned)below(random, 3);
    d.codec = (int)below(random, 3);
    left = (uint64_t)64 << below(random, 9);
    while (left * bytes > 16384)
        left /= 2;
    if (below(random, 2) != 0)
        left -= below(random, left / 2);
    for (unsigned a = 0; a < d.ndim; a++) {
        d.chunk[a] = a + 1 == d.ndim ? left : 1 + below(random, left < 32 ? left : 32);
        left /= d.chunk[a];
        left += left == 0;
        d.shape[a] = d.chunk[a] * (1 + below(random, d.ndim == 1 ? 60 : 5));
        d.shape[a] -= below(random, 2) != 0 ? below(random, d.chunk[a]) : 0;
        bytes *= d.shape[a];
    }
    for (unsigned a = 0; bytes > 120000; a = (a + 1) % d.ndim)
        if (d.shape[a] > 1) {
            bytes = bytes / d.shape[a] * (d.shape[a] / 2);
            d.shape[a] /= 2;
            if (d.chunk[a] > d.shape[a])
                d.chunk[a] = d.shape[a];
        }
    return d;
}

static void never_slower_with_any_file(void **state)
{
    const unsigned files = suite_full() ? 300 : suite_light() ? 10 : 40;

    (void)state;
    for (unsigned n = 0; n < files; n++) {
        uint64_t random = 0x9E3779B97F4A7C15u * (n + 1u);
        static char names[5][40];
        tetgen_dataset sets[5];
        char name[40];
        tetgen g = {.datasets = sets, .seed = n + 1u};

        for (unsigned i = 0; i < 10; i++)
            (void)tetgen_random(&random);
        g.count = 1 + (unsigned)below(&random, 5);
        for (unsigned i = 0; i < g.count; i++) {
            sets[i] = any_dataset(&random, names[i]);
            names[i][0] = (char)('A' + i);
        }
        g.shuffle = below(&random, 4) == 0;
        g.gaps = below(&random, 4) == 0;
        g.footer = (int)below(&random, 3);
        tetgen_build(&g);
        (void)snprintf(name, sizeof name, "generated file %u", n);
        for (unsigned way = 0; way < MEDIUM_WAYS; way++)
            for (unsigned kind = 0; kind < KINDS; kind++)
                if (suite_full() || !kinds[kind].in_full)
                    sweep(name, 1, g.bytes, g.size, kind, (medium_way)way);
        tetgen_free(&g);
    }
}

/* Requests for [from, to) that are read in order through a buffer, where reading ahead ends at a line or where the
 * buffer is full. */
static uint64_t in_order(uint64_t from, uint64_t to, size_t buffer, size_t line)
{
    uint64_t requests = 0;

    for (; from < to; requests++) {
        const uint64_t rest = line != 0 ? line - from % line : buffer;

        from += rest < buffer ? rest : buffer;
    }
    return requests;
}

/* Raw chunks in slices of 64 to 511 bytes take as many requests as the window needs for them, or one each where a slice
 * is longer than half of what the window reads at once. Whole chunks of this size take one each. */
static void slices_read_ahead(void **state)
{
    enum { CHUNKS = 24, LONGEST = 1304 };
    static const uint16_t lines[] = {0, 512, 256, 128, 64, 32, 1};
    static const uint16_t slices[] = {64, 100, 128, 200, 256, 300, 448, 511};
    static const utet_codec *const none[] = {NULL};
    static uint8_t to[LONGEST];

    (void)state;
    for (unsigned whole = 0; whole < 2; whole++) {
        for (unsigned n = 0; n < sizeof slices / sizeof slices[0]; n++) {
            const size_t slice = slices[n], length = whole ? slice : LONGEST;
            tetgen_dataset set = {.name = "d",
                                  .name_length = 1,
                                  .dtype = UTET_U8,
                                  .ndim = 1,
                                  .shape = {CHUNKS * length},
                                  .chunk = {length},
                                  .codec = TETGEN_RAW};
            tetgen g = {.datasets = &set, .count = 1, .seed = 6};

            tetgen_build(&g);
            for (unsigned l = 0; l < sizeof lines / sizeof lines[0]; l++) {
                for (size_t buffer = 64; buffer <= 512; buffer *= 2) {
                    static uint8_t work[UTET_WINDOW_BEST(1)];
                    const size_t line = lines[l];
                    const size_t part = line != 0 && line < buffer ? line : buffer;
                    const int each = whole || slice > part / 2;
                    utet_chunk chunks[CHUNKS];
                    uint64_t most = whole;
                    utet_stream stream;
                    utet_file file;
                    medium card;

                    medium_init(&card, g.bytes, g.size, 1);
                    card.io.line = lines[l];
                    assert_int_equal(utet_init(&file, &card.io, work, 128 + buffer, none), UTET_OK);
                    assert_int_equal(utet_open(&file, NULL), UTET_OK);
                    assert_int_equal(utet_row_first(&file, &chunks[0]), UTET_OK);
                    for (unsigned c = 1; c < CHUNKS; c++) {
                        chunks[c] = chunks[c - 1];
                        assert_int_equal(utet_row_next(&file, &chunks[c]), UTET_OK);
                    }
                    medium_rewind(&card);
                    for (unsigned c = 0; c < CHUNKS; c++) {
                        size_t got = slice;

                        assert_int_equal(utet_stream_open(&stream, &file, &chunks[c]), UTET_OK);
                        while (stream.position < stream.length)
                            assert_int_equal(utet_stream_read(&stream, to, slice, &got), UTET_OK);
                        if (each)
                            most += length / slice + 1 + !whole; /* the first may be in the window in part */
                        else
                            most += in_order(chunks[c].payload_offset, chunks[c].payload_offset + length, buffer, line);
                    }
                    suite_check(card.requests <= most, "%s of %zu, line %zu, buffer %zu: %llu requests, at most %llu",
                                whole ? "chunks" : "slices", slice, line, buffer, (unsigned long long)card.requests,
                                (unsigned long long)most);
                    medium_free(&card);
                }
            }
            tetgen_free(&g);
        }
    }
}

int main(void)
{
    const struct CMUnitTest fixed[] = {cmocka_unit_test(slices_read_ahead),
                                       cmocka_unit_test(never_slower_with_any_file)};
    const int result = golden_run("media", fixed, 2, never_slower, golden_has_tensors, NULL);

    for (unsigned generated = 0; generated < 2; generated++)
        for (unsigned kind = 0; kind < KINDS; kind++)
            if (suite_full() || !kinds[kind].in_full)
                suite_figure(
                    "%s files, unit %u, line %u: at most %.2f times the requests, %.2f the bytes, %.2f the time "
                    "of less memory",
                    generated ? "generated" : "golden", (unsigned)kinds[kind].unit, (unsigned)kinds[kind].line,
                    grown[generated][kind][REQUESTS], grown[generated][kind][BYTES],
                    grown[generated][kind][MICROSECONDS]);
    suite_figure("%llu sizes of workspace, %llu without a codec", (unsigned long long)sizes_tried,
                 (unsigned long long)bounds_tried);
    return result;
}
