/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * The medium answers differently every time (harness/fickle.h): every scenario and the whole-file check over golden
 * files, raw and with each codec, in little and in ample memory. Whatever the medium answers, the library gives data,
 * an error that the header names for that call, or other data. It touches only its memory, requests nothing outside of
 * the file, and ends. All buffers end at unmapped pages. Before that come, by name, the faults that such media found
 * first.
 */
#include "fickle.h"
#include "golden_cases.h"
#include "scenario.h"
#include "tetgen.h"
#include "utet_check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t changed, runs, errors;

/* ---- the library over such a medium ---- */

/* Statuses that calls on open streams and slabs must not return, whatever has changed: the header does not name
 * them. */
static void check_status(const scenario_run *x, const char *what)
{
    int running = strncmp(x->where, "utet_slab_next", 13) == 0 || strncmp(x->where, "utet_slab_read_all", 14) == 0 ||
                  strncmp(x->where, "utet_stream_read", 16) == 0;
    suite_check(!running || (x->stop != UTET_E_BUDGET && x->stop != UTET_E_CODEC && x->stop != UTET_E_ARGUMENT),
                "%s: %s: %s", what, x->where, rig_status(x->stop));
    suite_check(x->stop <= 0 && (x->stop > UTET_E_CHECKSUM - 1 || x->stop <= UTET_E_PORT), "%s: %s: %s", what, x->where,
                rig_status(x->stop));
}

static void check_file(rig *r)
{
    utet_check c;
    utet_finding finding;
    utet_status status;
    unsigned findings = 0;
    DRIVE(status, utet_open(&r->file, NULL));
    if (status != UTET_OK)
        return;
    utet_check_init(&c, &r->file);
    do
        DRIVE(status, utet_check_next(&c, &finding));
    while (status == UTET_OK && ++findings < 1000);
    suite_check(status != UTET_OK || r->file.dataset_count > 900, "findings without an end");
    utet_check_init(&c, &r->file);
    DRIVE(status, utet_check_rows(&c));
}

enum { OPERATIONS = SCENARIOS + 1 };

static void one_run(rig *r, fickle *f, unsigned operation, size_t work, uint64_t seed, const char *what)
{
    scenario_run x = {.fickle = 1};
    uint64_t before = f->changed;
    fickle_start(f, r, work, seed);
    if (operation < SCENARIOS) {
        scenario_from_open(&x, r, &scenarios[operation]);
        check_status(&x, what);
        errors += x.stop != UTET_OK;
    } else {
        check_file(r);
    }
    runs++;
    changed += f->changed - before;
    rig_check(r, what);
}

/* Another file, from which structures are taken: the previous one in the list that fits. */
static const uint8_t *other_bytes;
static uint64_t other_size;

static void file_case(void **state)
{
    const golden_file *file = *state;
    static const size_t works[] = {192, 640, 1000, 4800, 9000, 34000, 70000, 160000};
    char why[300], what[300];
    uint8_t *bytes = golden_bytes(file, why);
    uint64_t turns = suite_full() ? 120 : suite_light() ? 1 : 5;
    if (bytes == NULL)
        suite_skip(why);
    for (int codec = -1; codec < (int)rig_codecs(); codec++) {
        rig r;
        fickle f;
        rig_make(&r, bytes, file->size, codec);
        fickle_between(&f, &r, bytes, file->size, other_bytes, other_size);
        r.work = guard_new(160000, 8, GUARD_AFTER);
        faultport_zone(&r.port, 0, r.work.data, r.work.size);
        for (unsigned operation = 0; operation < OPERATIONS; operation++)
            for (uint64_t turn = 0; turn < turns * (operation == SCENARIO_SLAB || operation == SCENARIO_STREAM ? 8 : 2);
                 turn++) {
                uint64_t seed = file->size * 1000003u + (uint64_t)(codec + 1) * 100019u + operation * 10007u + turn;
                size_t work = works[seed % 8];
                snprintf(what, sizeof what, "%s, codec %d, operation %u, %zu bytes, seed %llu", file->name, codec,
                         operation, work, (unsigned long long)seed);
                if (getenv("FICKLE_TRACE") != NULL)
                    fprintf(stderr, "%s\n", what);
                one_run(&r, &f, operation, work, seed, what);
            }
        fickle_free(&f);
        rig_end(&r, what);
    }
    free((void *)(uintptr_t)other_bytes);
    other_bytes = bytes;
    other_size = file->size;
}

/* ---- by name ---- */

/* A medium of the test over `bytes`: `lie` changes what has been read, or answers by itself. */
typedef struct medium {
    utet_io io;
    const uint8_t *bytes;
    uint64_t size;
    uint64_t reads;
    int stage; /* a variable of `lie` */
    uint64_t number;
    utet_status (*lie)(struct medium *m, uint64_t offset, uint8_t *buf, size_t len, size_t *got);
} medium;

static utet_status medium_read(void *ctx, uint64_t offset, void *buf, size_t len, size_t *got)
{
    medium *m = ctx;
    suite_check(offset < m->size && len != 0 && len <= m->size - offset, "request %llu, %zu leaves the file",
                (unsigned long long)offset, len);
    suite_check(++m->reads < 100000, "a call does not end");
    memcpy(buf, m->bytes + offset, len);
    *got = len;
    return m->lie(m, offset, buf, len, got);
}

static void medium_make(medium *m, const uint8_t *bytes, uint64_t size,
                        utet_status (*lie)(medium *, uint64_t, uint8_t *, size_t, size_t *))
{
    *m = (medium){.bytes = bytes, .size = size, .lie = lie};
    m->io = (utet_io){.ctx = m, .read = medium_read, .size = size, .unit = 1, .align = 1};
}

/* Writes a number at its offset in the file, if that offset is among the bytes that were read. */
static void put(uint8_t *buf, uint64_t offset, size_t len, uint64_t at, uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++, at++, value >>= 8)
        if (at >= offset && at - offset < len)
            buf[at - offset] = (uint8_t)value;
}

static const tetgen_dataset two[] = {
    {"a", 1, UTET_U16, 1, {40}, {2}, TETGEN_RAW},
    {"b", 1, UTET_U8, 1, {600}, {100}, TETGEN_RAW},
};
static uint64_t work[4096 / 8];

/* Stage 0: the footer's tail returns "not yet" when it is read; then the superblock has no datasets and an index at the
 * end of the file. */
static utet_status another_superblock(medium *m, uint64_t offset, uint8_t *buf, size_t len, size_t *got)
{
    if (m->stage == 0 && offset + len == m->size && offset != 0) {
        *got = 0;
        return UTET_WOULD_BLOCK;
    }
    if (m->stage == 1) {
        put(buf, offset, len, 8, 0, 4);
        put(buf, offset, len, 16, m->size, 8);
        put(buf, offset, len, 24, 0, 8);
    }
    return UTET_OK;
}

static void a_cancelled_open_leaves_nothing(void **state)
{
    tetgen g = {.datasets = two, .count = 2, .seed = 1, .footer = 2};
    utet_chunk chunk;
    utet_file file;
    medium m;
    (void)state;
    tetgen_build(&g);
    medium_make(&m, g.bytes, g.size, another_superblock);
    assert_int_equal(utet_init(&file, &m.io, work, 192, NULL), UTET_OK);
    assert_int_equal(utet_open(&file, NULL), UTET_WOULD_BLOCK);
    assert_int_not_equal(file.row_count, 0);
    assert_int_equal(utet_cancel(&file), UTET_OK);
    m.stage = 1;
    assert_int_equal(utet_open(&file, NULL), UTET_OK);
    assert_int_equal(file.row_count, 0);
    assert_int_equal(utet_row_first(&file, &chunk), UTET_END);
    tetgen_free(&g);
}

/* number: the status, or how many bytes too many; stage: the read that gets this answer. */
static utet_status no_answer(medium *m, uint64_t offset, uint8_t *buf, size_t len, size_t *got)
{
    (void)offset;
    (void)buf;
    if (m->stage-- != 0)
        return UTET_OK;
    if (m->number >= 1000) {
        *got = len + (size_t)(m->number - 1000);
        return UTET_OK;
    }
    return (utet_status)m->number - 500;
}

static void answers_that_no_port_may_give(void **state)
{
    static const uint64_t numbers[] = {501, 503, 600, 499, 496, 445, 444, 245, 1001, 1000 + 100000};
    tetgen g = {.datasets = two, .count = 2, .seed = 1, .footer = 2};
    (void)state;
    tetgen_build(&g);
    for (unsigned i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        for (int at = 0; at < 8; at++) {
            static uint8_t out[600];
            utet_range all = {0, 600, 1};
            utet_dataset d;
            utet_file file;
            utet_slab slab;
            utet_status status;
            medium m;
            medium_make(&m, g.bytes, g.size, no_answer);
            m.number = numbers[i];
            m.stage = at;
            assert_int_equal(utet_init(&file, &m.io, work, 192, NULL), UTET_OK);
            status = utet_open(&file, NULL);
            if (status == UTET_OK)
                status = utet_dataset_find(&file, "b", 1, &d);
            if (status == UTET_OK)
                status = utet_slab_open(&slab, &file, &d, &all);
            if (status == UTET_OK)
                status = utet_slab_read_all(&slab, out, sizeof out);
            suite_check(m.stage >= 0 || status == UTET_E_PORT, "answer %llu at read %d: %s",
                        (unsigned long long)numbers[i], at, rig_status(status));
        }
    tetgen_free(&g);
}

/* The first answer is one byte less than a unit, a unit, or one byte more. */
static utet_status about_a_unit(medium *m, uint64_t offset, uint8_t *buf, size_t len, size_t *got)
{
    (void)offset;
    (void)buf;
    if (m->stage++ == 0 && len > m->number)
        *got = (size_t)m->number;
    return UTET_OK;
}

static void a_port_gives_whole_units(void **state)
{
    tetgen g = {.datasets = two, .count = 2, .seed = 1, .footer = 2};
    (void)state;
    tetgen_build(&g);
    for (uint64_t most = 63; most <= 65; most++) {
        utet_file file;
        medium m;
        medium_make(&m, g.bytes, g.size, about_a_unit);
        m.io.unit = 64;
        m.number = most;
        assert_int_equal(utet_init(&file, &m.io, work, sizeof work, NULL), UTET_OK);
        assert_int_equal(utet_open(&file, NULL), most == 64 ? UTET_OK : UTET_E_PORT);
        assert_true(m.stage > 0);
    }
    tetgen_free(&g);
}

/* From stage 1 on, each reading of a row finds a payload offset larger than all earlier ones. */
static utet_status growing_offsets(medium *m, uint64_t offset, uint8_t *buf, size_t len, size_t *got)
{
    (void)got;
    for (uint64_t row = 0; m->stage != 0 && row < 26; row++)
        if (m->number + 104 * row + 72 >= offset && m->number + 104 * row + 72 < offset + len)
            put(buf, offset, len, m->number + 104 * row + 72, (uint64_t)m->stage++, 8);
    return UTET_OK;
}

static void the_check_ends_though_offsets_grow(void **state)
{
    tetgen g = {.datasets = two, .count = 2, .seed = 1};
    utet_finding finding;
    utet_check check;
    utet_file file;
    utet_status status;
    medium m;
    (void)state;
    tetgen_build(&g);
    memcpy(g.bytes + g.index_offset + 32 + 104 + 72, g.bytes + g.index_offset + 32 + 72, 8); /* two equal */
    medium_make(&m, g.bytes, g.size, growing_offsets);
    m.number = g.index_offset + 32;
    assert_int_equal(utet_init(&file, &m.io, work, 192, NULL), UTET_OK);
    assert_int_equal(utet_open(&file, NULL), UTET_OK);
    utet_check_init(&check, &file);
    while ((status = utet_check_next(&check, &finding)) == UTET_OK)
        if (finding.check == UTET_CHECK_DATASET_TENSOR_BYTES)
            m.stage = 1;
    assert_int_equal(status, UTET_END);
    tetgen_free(&g);
}

/* number: a row; stage 1: it has another codec; 2: it has more stored bytes. */
static utet_status another_row(medium *m, uint64_t offset, uint8_t *buf, size_t len, size_t *got)
{
    (void)got;
    if (m->stage >= 1)
        put(buf, offset, len, m->number + 96, 1, 4);
    if (m->stage == 2)
        put(buf, offset, len, m->number + 88, 300, 8);
    return UTET_OK;
}

/* The memory was assigned for a raw row: a codec that comes later has none. The payloads are not at equal distances, so
 * reading looks the rows up again. */
static void a_codec_that_comes_after_the_memory_was_lent(void **state)
{
    tetgen g = {.datasets = two, .count = 2, .seed = 1, .gaps = 1};
    (void)state;
    tetgen_build(&g);
    for (int codec = 0; codec < (int)rig_codecs(); codec++)
        for (int turn = 0; turn < 4;
             turn++) { /* in the smallest window, in which headers would have to be read first, and with room */
            const size_t size = turn < 2 ? 192 : 200000;
            guard least = guard_new(size, 8, GUARD_AFTER);
            static uint8_t out[600];
            utet_range all = {0, 600, 1};
            utet_dataset d;
            utet_slab slab;
            medium m;
            rig r;
            rig_make(&r, g.bytes, g.size, codec);
            medium_make(&m, g.bytes, g.size, another_row);
            m.number = g.index_offset + 32 + 104 * 22;
            assert_int_equal(utet_init(&r.file, &m.io, least.data, size, r.codecs), UTET_OK);
            assert_int_equal(utet_open(&r.file, NULL), UTET_OK);
            assert_int_equal(utet_dataset_find(&r.file, "b", 1, &d), UTET_OK);
            assert_int_equal(utet_slab_open(&slab, &r.file, &d, &all), UTET_OK);
            m.stage = 1 + turn % 2;
            assert_int_equal(utet_slab_read_all(&slab, out, sizeof out), turn < 2 ? UTET_E_PAYLOAD : UTET_E_ROW);
            suite_check(turn < 2 || (r.file.error_offset >= m.number && r.file.error_offset < m.number + 104),
                        "offset %llu", (unsigned long long)r.file.error_offset);
            assert_int_equal(guard_intact(&least), 1);
            guard_free(&least);
        }
    tetgen_free(&g);
}

/* Stage 0: the rows of "b" have payloads of 40 bytes. Later they are as in the file, and each request is answered when
 * it comes a second time. number: the first row of "b". */
static utet_status rows_that_were_short(medium *m, uint64_t offset, uint8_t *buf, size_t len, size_t *got)
{
    if (m->stage == 0) {
        for (uint64_t row = 0; row < 12; row++)
            put(buf, offset, len, m->number + 104 * row + 88, 40, 8);
        return UTET_OK;
    }
    m->stage = 3 - m->stage;
    if (m->stage == 1)
        return UTET_OK;
    *got = 0;
    return UTET_WOULD_BLOCK;
}

/* The memory was assigned for short payloads: the decoder has to read headers when it opens, and continues there after
 * an answer that came later. */
static void a_payload_that_is_longer_than_its_memory_was_lent_for(void **state)
{
    static const tetgen_dataset large[] = {
        {"a", 1, UTET_U16, 1, {40}, {2}, TETGEN_RAW},
        {"b", 1, UTET_U8, 1, {192000}, {16000}, TETGEN_ZSTD},
    };
    static uint64_t room[64000 / 8];
    static uint8_t out[192000];
    tetgen g = {.datasets = large, .count = 2, .seed = 1, .gaps = 1};
    (void)state;
    tetgen_build(&g);
    for (int codec = 0; codec < (int)rig_codecs(); codec++) {
        utet_range all = {0, 192000, 1};
        utet_dataset d;
        utet_slab slab;
        utet_status status;
        unsigned later = 0;
        medium m;
        rig r;
        rig_make(&r, g.bytes, g.size, codec);
        medium_make(&m, g.bytes, g.size, rows_that_were_short);
        m.number = g.index_offset + 32 + 104 * 20;
        assert_int_equal(utet_init(&r.file, &m.io, room, sizeof room, r.codecs), UTET_OK);
        assert_int_equal(utet_open(&r.file, NULL), UTET_OK);
        assert_int_equal(utet_dataset_find(&r.file, "b", 1, &d), UTET_OK);
        assert_int_equal(utet_slab_open(&slab, &r.file, &d, &all), UTET_OK);
        m.stage = 1;
        while ((status = utet_slab_read_all(&slab, out, sizeof out)) == UTET_WOULD_BLOCK)
            later++;
        suite_check(status == UTET_OK || status == UTET_E_ROW, "codec %d: %s", codec, rig_status(status));
        if (status == UTET_OK) {
            suite_check(later > 12, "%u answers came later", later);
            assert_memory_equal(out, g.dense[1], sizeof out);
        } else { /* libzstd holds small payloads: it has less than it needs now */
            assert_string_equal(rig_codec_name((unsigned)codec), "upstream");
        }
    }
    tetgen_free(&g);
}

static utet_status no_lie(medium *m, uint64_t offset, uint8_t *buf, size_t len, size_t *got)
{
    (void)m;
    (void)offset;
    (void)buf;
    (void)len;
    (void)got;
    return UTET_OK;
}

/* Without its first row, all other rows of the file are displaced: the index is read once to find that out. */
static void one_row_missing_costs_one_pass(void **state)
{
    static const tetgen_dataset many[] = {
        {"a", 1, UTET_U8, 1, {1}, {1}, TETGEN_RAW},
        {"b", 1, UTET_U16, 1, {4000}, {2}, TETGEN_RAW},
    };
    tetgen g = {.datasets = many, .count = 2, .seed = 1};
    utet_dataset d;
    utet_chunk chunk;
    utet_file file;
    medium m;
    uint64_t rows;
    (void)state;
    tetgen_build(&g);
    rows = g.index_offset + 32;
    memmove(g.bytes + rows, g.bytes + rows + 104, 104 * 2000);
    put(g.bytes, 0, (size_t)g.size, 24, 32 + 104 * 2000, 8);
    put(g.bytes, 0, (size_t)g.size, g.index_offset + 8, 2000, 8);
    medium_make(&m, g.bytes, g.size, no_lie);
    assert_int_equal(utet_init(&file, &m.io, work, 640, NULL), UTET_OK);
    assert_int_equal(utet_open(&file, NULL), UTET_OK);
    assert_int_equal(utet_dataset_find(&file, "b", 1, &d), UTET_OK);
    for (uint64_t i = 2000; i-- > 0;) { /* the worst order, in which each scan takes longest */
        assert_int_equal(utet_chunk_find(&file, &d, &i, &chunk), UTET_OK);
        assert_int_equal(chunk.row, i);
        assert_int_equal(chunk.coords[0], i);
    }
    suite_check(m.reads < 2 * 2000 + 500, "%llu reads", (unsigned long long)m.reads);
    tetgen_free(&g);
}

static const struct CMUnitTest by_name[] = {
    cmocka_unit_test(a_cancelled_open_leaves_nothing),
    cmocka_unit_test(answers_that_no_port_may_give),
    cmocka_unit_test(a_port_gives_whole_units),
    cmocka_unit_test(the_check_ends_though_offsets_grow),
    cmocka_unit_test(a_codec_that_comes_after_the_memory_was_lent),
    cmocka_unit_test(a_payload_that_is_longer_than_its_memory_was_lent_for),
    cmocka_unit_test(one_row_missing_costs_one_pass),
};
/* The golden files of this project, and outside the long tier only small ones. */
static int wanted(const golden_file *f)
{
    return f->size <= (suite_full() ? 70000u : 6000u) && strncmp(f->where, "golden", 6) == 0;
}

int main(void)
{
    size_t files;
    const int result = golden_run("fickle", by_name, sizeof by_name / sizeof by_name[0], file_case, wanted, &files);

    printf("figure: fickle: %llu changed answers in %llu runs over %zu files, %llu ended with an error\n",
           (unsigned long long)changed, (unsigned long long)runs, files, (unsigned long long)errors);
    return result;
}
