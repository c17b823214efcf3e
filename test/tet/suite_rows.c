/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows in unusual order, with memory for their positions (utet_rows_init) and for lists of them (utet_rows_lists). The
 * rows found are the same as without that memory, with rows that are missing, doubled or displaced, through faults and
 * pauses; and the work does not grow faster than the file. Predicted rows are the same with numbers of 32 and 64 bits.
 */
#include "rig.h"
#include "tetgen.h"

#include <stdlib.h>
#include <string.h>

#define MOST_CHUNKS 4096u

static uint32_t memory[MOST_CHUNKS + 1];
static uint32_t lists[2 * MOST_CHUNKS];

static uint8_t *row_of(const tetgen *g, size_t row)
{
    return g->bytes + g->index_offset + 32 + 104 * row;
}

/* Some rows become those of other chunks, which then have two rows with different payloads; others belong to no
 * chunk. */
static void disturb(tetgen *g, uint64_t *seed)
{
    size_t n = (size_t)tetgen_random(seed) % 4;

    while (n-- > 0 && g->row_count > 1) {
        uint8_t *const a = row_of(g, (size_t)tetgen_random(seed) % g->row_count);
        uint8_t *const b = row_of(g, (size_t)tetgen_random(seed) % g->row_count);

        switch (tetgen_random(seed) % 4) {
        case 0: memcpy(a, b, 72); break;               /* the same chunk */
        case 1: tetgen_put(a + 8, 1u << 30, 8); break; /* outside of the grid */
        case 2: tetgen_put(a, 77, 8); break;           /* of no dataset */
        default: tetgen_put(a + 64, 5, 8); break;      /* an unused coordinate does not count */
        }
    }
}

static uint64_t chunks_of(const utet_dataset *d)
{
    uint64_t chunks = 1;

    for (unsigned i = 0; i < d->ndim; i++)
        chunks *= d->grid[i];
    return chunks;
}

static void coords_of(const utet_dataset *d, uint64_t number, uint64_t *coords)
{
    for (unsigned i = d->ndim; i-- > 0; number /= d->grid[i])
        coords[i] = number % d->grid[i];
}

typedef struct answer {
    utet_status status;
    utet_chunk chunk;
    uint64_t where;
} answer;

/* Every second time the coordinates are those of the answer. */
static answer ask(rig *r, const utet_dataset *d, uint64_t number)
{
    static unsigned asked;
    answer a;
    uint64_t others[UTET_MAX_NDIM] = {0};
    uint64_t *const coords = asked++ % 2 ? a.chunk.coords : others;

    memset(&a, 0, sizeof a);
    coords_of(d, number, coords);
    DRIVE(a.status, utet_chunk_find(&r->file, d, coords, &a.chunk));
    if (a.status == UTET_E_ROW)
        a.where = r->file.error_offset;
    if (a.status != UTET_OK)
        memset(&a.chunk, 0, sizeof a.chunk);
    return a;
}

static void expect(const answer *a, const answer *b, const char *what, uint64_t number)
{
    suite_check(a->status == b->status && a->where == b->where && memcmp(&a->chunk, &b->chunk, sizeof a->chunk) == 0,
                "%s: chunk %llu: %s, row %llu; without memory %s, row %llu", what, (unsigned long long)number,
                rig_status(a->status), (unsigned long long)a->chunk.row, rig_status(b->status),
                (unsigned long long)b->chunk.row);
}

/* Two datasets; each is used while the memory is assigned to the first one. */
static void one_world(uint64_t *seed, unsigned long *asked)
{
    const tetgen_dataset sets[] = {{.name = "a",
                                    .name_length = 1,
                                    .dtype = UTET_U8,
                                    .ndim = 2,
                                    .shape = {1 + tetgen_random(seed) % 40, 7},
                                    .chunk = {1 + tetgen_random(seed) % 3, 2},
                                    .codec = TETGEN_RAW},
                                   {.name = "b",
                                    .name_length = 1,
                                    .dtype = UTET_U16,
                                    .ndim = 1,
                                    .shape = {1 + tetgen_random(seed) % 60},
                                    .chunk = {1},
                                    .codec = TETGEN_RAW}};
    tetgen g = {.datasets = sets, .count = 2, .seed = *seed | 1, .shuffle = tetgen_random(seed) % 3 != 0};
    rig plain, placed;
    const unsigned with_lists =
        (unsigned)(tetgen_random(seed) % 3); /* never; from the first dataset on, from the second one on */
    utet_dataset d[2];
    utet_rows rows;
    size_t listed;

    tetgen_build(&g);
    disturb(&g, seed);
    rig_make(&plain, g.bytes, g.size, -1);
    rig_make(&placed, g.bytes, g.size, -1);
    assert_int_equal(rig_open(&plain, 4096, 0), UTET_OK);
    placed.port.blocks = (unsigned)(tetgen_random(seed) % 2);
    assert_int_equal(rig_open(&placed, 192 + (size_t)(tetgen_random(seed) % 3000), 0), UTET_OK);
    DRIVE_OK(utet_dataset_first(&placed.file, &d[0]));
    d[1] = d[0];
    DRIVE_OK(utet_dataset_next(&placed.file, &d[1]));
    listed = 2 + (size_t)placed.file.row_count;
    suite_check(listed < sizeof lists / sizeof lists[0], "%u rows", (unsigned)listed);
    lists[listed] = 0xDEADBEEF;
    for (unsigned turn = 0; turn < 4; turn++) { /* each dataset once more */
        const unsigned lent = turn % 2;
        const size_t count = (size_t)chunks_of(&d[lent]);

        suite_check(count <= MOST_CHUNKS, "%u chunks", (unsigned)count);
        memory[count] = 0xDEADBEEF;
        assert_int_equal(utet_rows_init(&rows, &placed.file, &d[lent], memory, count), UTET_OK);
        if (turn + 1 == with_lists)
            assert_int_equal(utet_rows_lists(&rows, &placed.file, lists, listed), UTET_OK);
        for (unsigned i = 0; i < 40; i++, ++*asked) {
            const utet_dataset *const one = &d[tetgen_random(seed) % 8 == 0 ? !lent : lent];
            const uint64_t number = tetgen_random(seed) % chunks_of(one);
            answer without, with;
            utet_dataset wide;

            plain.file.priv.displaced = 0; /* where the last search ended: it may prefer the second of two equal rows */
            without = ask(&plain, one, number);
            if (tetgen_random(seed) % 8 == 0) { /* a read that fails, then the same call again */
                placed.port.fault = FAULT_ERROR;
                placed.port.fault_at = placed.port.reads + tetgen_random(seed) % 3;
                (void)ask(&placed, one, number);
                placed.port.fault = FAULT_NONE;
            }
            with = ask(&placed, one, number);
            expect(&with, &without, lent ? "second" : "first", number);
            wide = *one;
            wide.narrow = 0;
            plain.file.priv.displaced = 0;
            with = ask(&plain, &wide, number);
            expect(&with, &without, "with numbers of 64 bits", number);
        }
        assert_int_equal(memory[count], 0xDEADBEEF);
    }
    assert_int_equal(lists[listed], 0xDEADBEEF);
    rig_end(&plain, "plain");
    rig_end(&placed, "placed");
    tetgen_free(&g);
}

static void same_answers(void **state)
{
    const unsigned worlds = suite_full() ? 30000 : suite_light() ? 200 : 1500;
    unsigned long asked = 0;
    uint64_t seed = 77;

    (void)state;
    for (unsigned i = 0; i < worlds; i++)
        one_world(&seed, &asked);
    suite_figure("%lu lookups in odd files are the same with memory lent and without", asked);
}

/* A number near a power of two below 2^bits; sometimes 0, or with bits above. */
static uint64_t some_extent(uint64_t *seed, unsigned bits)
{
    const uint64_t high = tetgen_random(seed) % 32 == 0 ? UINT64_C(1) << (32 + tetgen_random(seed) % 32) : 0;

    return (high | UINT64_C(1) << tetgen_random(seed) % bits) + tetgen_random(seed) % 3 - tetgen_random(seed) % 2;
}

/* A dataset whose numbers have 32 bits has a path of its own: the tile is the one that 64 bits find. */
static void narrow_numbers_are_those_of_64_bits(void **state)
{
    const unsigned worlds = suite_full() ? 100000 : suite_light() ? 1000 : 10000;
    unsigned long found[2] = {0, 0};
    uint64_t seed = 5;
    static const tetgen_dataset two[] = {
        {.name = "raw", .name_length = 3, .dtype = UTET_F32, .ndim = 2, .shape = {3, 3}, .chunk = {1, 1}},
        {.name = "next", .name_length = 4, .dtype = UTET_U8, .ndim = 2, .shape = {3, 3}, .chunk = {1, 1}}};
    tetgen g = {.datasets = two, .count = 2, .seed = 1};
    utet_chunk chunk;
    utet_dataset d;
    rig r;

    (void)state;
    tetgen_build(&g);
    rig_make(&r, g.bytes, g.size, -1);
    for (unsigned n = 0; n < worlds; n++) {
        for (unsigned i = 0; i < 8; i++) /* shape and chunk_shape of both */
            tetgen_put(g.bytes + (i < 4 ? 64 : 120 - 32) + 8 * i, some_extent(&seed, n % 2 == 0 ? 17 : 35), 8);
        tetgen_put(g.bytes + 40 + 4, n % 8 == 0 ? 99 : two[0].dtype, 4); /* without a size */
        assert_int_equal(rig_open(&r, 4096, 0), UTET_OK);
        for (unsigned i = 0; i < 2; i++) {
            utet_dataset wide;

            if (i == 0)
                DRIVE_OK(utet_dataset_first(&r.file, &d));
            else
                DRIVE_OK(utet_dataset_next(&r.file, &d));
            wide = d;
            wide.narrow = 0;
            for (unsigned k = 0; k < 4; k++) {
                uint64_t at[2];
                struct utet_tile tile[2];
                utet_status status[2];

                for (unsigned a = 0; a < 2; a++) {
                    at[a] = d.grid[a] - tetgen_random(&seed) % 3; /* may be beyond */
                    if (tetgen_random(&seed) % 2 == 0 && d.grid[a] != 0)
                        at[a] = tetgen_random(&seed) % d.grid[a];
                    if (tetgen_random(&seed) % 16 == 0)
                        at[a] += UINT64_C(1) << (32 + tetgen_random(&seed) % 32);
                }
                for (unsigned a = 0; a < 2; a++) {
                    r.file.priv.displaced = 0;
                    DRIVE(status[a], utet_chunk_find(&r.file, a == 0 ? &d : &wide, at, &chunk));
                    tile[a] = r.file.priv.call.lookup.tile;
                }
                suite_check(status[0] == status[1] && tile[0].row == tile[1].row && tile[0].bytes == tile[1].bytes,
                            "dataset %u: %s, tile %llu of %llu bytes; with 64 bits %s, %llu, %llu", i,
                            rig_status(status[0]), (unsigned long long)tile[0].row, (unsigned long long)tile[0].bytes,
                            rig_status(status[1]), (unsigned long long)tile[1].row, (unsigned long long)tile[1].bytes);
                found[d.narrow] += status[0] != UTET_E_RANGE;
            }
        }
    }
    assert_true(found[0] > worlds / 2 && found[1] > worlds / 2);
    suite_figure("%lu tiles predicted with 32 bits, %lu with 64", found[1], found[0]);
    rig_end(&r, "narrow");
    tetgen_free(&g);
}

/* A dataset of 10 chunks; one of another file with the same number and 20 chunks, some of whose rows are missing. */
static void what_has_no_place(void **state)
{
    static const uint64_t extents[2] = {10, 20};
    utet_dataset d[2];
    utet_rows rows;
    tetgen g[2];
    rig r[2];

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        const tetgen_dataset set = {.name = "a",
                                    .name_length = 1,
                                    .dtype = UTET_U8,
                                    .ndim = 1,
                                    .shape = {extents[i]},
                                    .chunk = {1},
                                    .codec = TETGEN_RAW};

        g[i] = (tetgen){.datasets = &set, .count = 1, .seed = 9};
        tetgen_build(&g[i]);
        rig_make(&r[i], g[i].bytes, g[i].size, -1);
        assert_int_equal(rig_open(&r[i], 640, 0), UTET_OK);
        DRIVE_OK(utet_dataset_first(&r[i].file, &d[i]));
    }
    memory[10] = 0xDEADBEEF;
    assert_int_equal(utet_rows_init(&rows, &r[0].file, &d[0], memory, 10), UTET_OK);
    for (uint64_t at = 0; at < 22; at++) {
        utet_chunk chunk;
        utet_status status;

        DRIVE(status, utet_chunk_find(&r[0].file, &d[0], &at, &chunk));
        suite_check(status == (at < 10 ? UTET_OK : UTET_E_RANGE), "own %u: %s", (unsigned)at, rig_status(status));
        DRIVE(status, utet_chunk_find(&r[0].file, &d[1], &at, &chunk));
        suite_check(status == (at < 10   ? UTET_OK
                               : at < 20 ? UTET_E_MISSING
                                         : UTET_E_RANGE),
                    "other %u: %s", (unsigned)at, rig_status(status));
    }
    assert_int_equal(memory[10], 0xDEADBEEF);
    for (unsigned i = 0; i < 2; i++) {
        rig_end(&r[i], "no place");
        tetgen_free(&g[i]);
    }
}

/* ---- work against size ---- */

enum { BACKWARDS, SHUFFLED, INTERLEAVED, MISSING_ELSEWHERE, LAST_FIRST, ORDERS };
static const char *const orders[ORDERS] = {"backwards", "shuffled", "interleaved", "one missing elsewhere",
                                           "last first"};

/* Two datasets of n chunks of one byte; the second one is looked up. Payloads have no effect. */
static void arrange(tetgen *g, unsigned order, size_t n, uint64_t *seed)
{
    size_t i;

    for (i = 0; i < 2 * n; i++) {
        const size_t k = i - n; /* the second dataset's chunks, in the order of their rows */
        uint64_t dataset = i >= n, at = i % n;

        switch (order) {
        case BACKWARDS: at = i < n ? i : n - 1 - k; break;
        case INTERLEAVED: dataset = i % 2, at = i / 2; break;
        case LAST_FIRST: at = i < n ? i : (k + n - 1) % n; break;
        default: break;
        }
        tetgen_put(row_of(g, i), dataset, 8);
        tetgen_put(row_of(g, i) + 8, at, 8);
    }
    if (order == MISSING_ELSEWHERE)
        memmove(row_of(g, n / 2), row_of(g, n / 2 + 1), 104 * (2 * n - n / 2 - 1));
    for (i = n; order == SHUFFLED && i-- > 1;) {
        uint8_t *const a = row_of(g, n + i) + 8, *const b = row_of(g, n + (size_t)(tetgen_random(seed) % (i + 1))) + 8;
        const uint64_t kept = tetgen_get(a, 8);

        tetgen_put(a, tetgen_get(b, 8), 8);
        tetgen_put(b, kept, 8);
    }
}

/* How many bytes are read to look up all chunks of the second dataset, in order. */
static uint64_t work_of(unsigned order, size_t n)
{
    const tetgen_dataset sets[] = {
        {.name = "a", .name_length = 1, .dtype = UTET_U8, .ndim = 1, .shape = {n}, .chunk = {1}, .codec = TETGEN_RAW},
        {.name = "b", .name_length = 1, .dtype = UTET_U8, .ndim = 1, .shape = {n}, .chunk = {1}, .codec = TETGEN_RAW}};
    tetgen g = {.datasets = sets, .count = 2, .seed = 5};
    uint32_t *places = malloc(n * sizeof *places);
    uint64_t seed = 3, read;
    utet_dataset d;
    utet_rows rows;
    rig r;

    suite_check(places != NULL, "out of memory");
    tetgen_build(&g);
    arrange(&g, order, n, &seed);
    rig_make(&r, g.bytes, g.size, -1);
    assert_int_equal(rig_open(&r, 640, 0), UTET_OK);
    DRIVE_OK(utet_dataset_first(&r.file, &d));
    DRIVE_OK(utet_dataset_next(&r.file, &d));
    assert_int_equal(utet_rows_init(&rows, &r.file, &d, places, n), UTET_OK);
    faultport_rewind(&r.port);
    for (uint64_t i = 0; i < n; i++) {
        utet_chunk chunk;

        DRIVE_OK(utet_chunk_find(&r.file, &d, &i, &chunk));
        suite_check(chunk.dataset_id == 1 && chunk.coords[0] == i, "another chunk");
    }
    read = r.port.bytes_read;
    rig_end(&r, orders[order]);
    free(places);
    tetgen_free(&g);
    return read;
}

static void work_grows_with_the_file(void **state)
{
    static const size_t sizes[] = {1000, 10000, 100000};
    const unsigned most = suite_light() ? 2 : 3;

    (void)state;
    for (unsigned order = 0; order < ORDERS; order++) {
        uint64_t work[3] = {0};

        for (unsigned i = 0; i < most; i++) {
            work[i] = work_of(order, sizes[i]);
            /* A failed guess, the row, and its part of the search, each through a window of 640 bytes. */
            suite_check(work[i] <= (uint64_t)sizes[i] * (2 * 640 + 2 * 104), "%s: %llu bytes for %u rows",
                        orders[order], (unsigned long long)work[i], (unsigned)sizes[i]);
            suite_check(i == 0 || work[i] <= work[i - 1] * 12589 / 1000, "%s: exponent over 1.1", orders[order]);
        }
        suite_figure("%s: %llu, %llu, %llu bytes read to find 10^3, 10^4, 10^5 rows", orders[order],
                     (unsigned long long)work[0], (unsigned long long)work[1], (unsigned long long)work[2]);
    }
}

/* How many bytes are read to find the only chunk of each of n datasets, whose rows are shuffled. */
static uint64_t work_of_datasets(unsigned n, int with_lists)
{
    tetgen_dataset *const sets = calloc(n, sizeof *sets);
    tetgen g = {.datasets = sets, .count = n, .seed = 5, .shuffle = 1};
    uint32_t *const more = malloc((size_t)2 * n * sizeof *more);
    utet_dataset d;
    utet_rows rows;
    utet_status status;
    uint64_t read;
    uint32_t place;
    rig r;

    suite_check(sets != NULL && more != NULL, "out of memory");
    for (unsigned i = 0; i < n; i++)
        sets[i] = (tetgen_dataset){.name = "a",
                                   .name_length = 1,
                                   .dtype = UTET_U8,
                                   .ndim = 1,
                                   .shape = {1},
                                   .chunk = {1},
                                   .codec = TETGEN_RAW};
    tetgen_build(&g);
    rig_make(&r, g.bytes, g.size, -1);
    assert_int_equal(rig_open(&r, 640, 0), UTET_OK);
    DRIVE(status, utet_dataset_first(&r.file, &d));
    faultport_rewind(&r.port);
    for (unsigned i = 0; i < n; i++) {
        static const uint64_t at[UTET_MAX_NDIM];
        utet_chunk chunk;

        assert_int_equal(status, UTET_OK);
        assert_int_equal(utet_rows_init(&rows, &r.file, &d, &place, 1), UTET_OK);
        if (i == 0 && with_lists)
            assert_int_equal(utet_rows_lists(&rows, &r.file, more, (size_t)2 * n), UTET_OK);
        DRIVE_OK(utet_chunk_find(&r.file, &d, at, &chunk));
        suite_check(chunk.dataset_id == i, "another dataset's chunk");
        DRIVE(status, utet_dataset_next(&r.file, &d));
    }
    assert_int_equal(status, UTET_END);
    read = r.port.bytes_read;
    rig_end(&r, "datasets");
    free(more);
    free(sets);
    tetgen_free(&g);
    return read;
}

static void many_datasets_cost_no_more(void **state)
{
    const uint64_t small = work_of_datasets(100, 1), large = work_of_datasets(1000, 1);

    (void)state;
    suite_figure("shuffled rows of 100 and 1,000 datasets: %llu and %llu bytes read to find them, without lists %llu "
                 "and %llu",
                 (unsigned long long)small, (unsigned long long)large, (unsigned long long)work_of_datasets(100, 0),
                 (unsigned long long)work_of_datasets(1000, 0));
    suite_check(large <= small * 12589 / 1000, "exponent over 1.1");
}

int main(void)
{
    const struct CMUnitTest cases[] = {cmocka_unit_test(narrow_numbers_are_those_of_64_bits),
                                       cmocka_unit_test(same_answers), cmocka_unit_test(what_has_no_place),
                                       cmocka_unit_test(work_grows_with_the_file),
                                       cmocka_unit_test(many_datasets_cost_no_more)};
    return SUITE("rows", cases);
}
