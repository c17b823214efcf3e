/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * The golden files: what every call returns for them and every byte that they hold, against the reference's answers in
 * golden.txt. Each good dataset is read with each behaviour of the port, with a workspace of exactly the stated need;
 * one byte less is refused before anything is decoded (src/DESIGN.md 1.2, 1.3, 1.4, 1.6).
 */
#include "golden_list.h"
#include "reader.h"
#include "rig.h"
#include "hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Ways in which a port may answer. */
static const struct behaviour {
    const char *name;
    uint16_t unit, align;
    size_t slice;
    unsigned blocks;
    int map;
    guard_side side;
} behaviours[] = {
    {"plain", 1, 1, SLICE_ALL, 0, 0, GUARD_AFTER},
    {"drip", 1, 1, 1, 1, 0, GUARD_AFTER},
    {"card", 512, 4, SLICE_ALL, 1, 0, GUARD_BEFORE},
    {"map", 1, 1, SLICE_ALL, 0, 1, GUARD_AFTER},
    {"slice 2", 1, 1, 2, 0, 0, GUARD_AFTER},
    {"slice 3", 1, 1, 3, 2, 0, GUARD_BEFORE},
    {"slice 7", 1, 1, 7, 0, 0, GUARD_AFTER},
    {"slice 511", 1, 1, 511, 1, 0, GUARD_AFTER},
    {"slice 512", 1, 1, 512, 0, 0, GUARD_BEFORE},
    {"slice 513", 1, 1, 513, 0, 0, GUARD_AFTER},
    {"random", 1, 1, SLICE_RANDOM, 1, 0, GUARD_AFTER},
    {"card random", 512, 32, SLICE_RANDOM, 1, 0, GUARD_AFTER},
    {"unit 64", 64, 16, SLICE_RANDOM, 0, 0, GUARD_AFTER},
};
enum { BEHAVIOURS = sizeof behaviours / sizeof behaviours[0], ALWAYS = 4 };

typedef struct subject {
    const golden_file *file;
    uint8_t *bytes; /* ends at its last byte */
    guard held;
    const struct behaviour *how;
    int codec;
    char what[160];
} subject;

static uint64_t opened_reads, cases_read;

static subject subject_of(const golden_file *f)
{
    char why[300];
    subject s = {.file = f, .how = &behaviours[0]};
    uint8_t *bytes = golden_bytes(f, why);
    if (bytes == NULL)
        suite_skip(why);
    s.held = guard_new((size_t)f->size, 1, GUARD_AFTER); /* only used with map */
    s.bytes = s.held.data;
    if (f->size > 0)
        memcpy(s.bytes, bytes, (size_t)f->size);
    free(bytes);
    return s;
}

/* Chooses the behaviour of the port and the codec that decodes, and records both in s->what. */
static void behave(subject *s, rig *r, const struct behaviour *how, int codec)
{
    s->how = how;
    s->codec = codec;
    snprintf(s->what, sizeof s->what, "%s, %s, %s", s->file->name, how->name, rig_codec_name((unsigned)codec));
    rig_make(r, s->bytes, s->file->size, codec);
    r->port.io.unit = how->unit;
    r->port.io.align = how->align;
    r->port.slice = how->slice;
    r->port.blocks = how->blocks;
    if (how->map)
        faultport_map(&r->port);
}

static utet_status open_with(rig *r, const subject *s, size_t work)
{
    utet_status status;
    rig_start(r, work, s->how->side);
    DRIVE(status,
          utet_open(&r->file, &(utet_options){.budget = (size_t)-1})); /* other suites test the file's own budget */
    opened_reads += r->port.reads;
    return status;
}

/* All quick behaviours for small files; the long tier adds the others, the quick tier one of them in turn. */
static int wanted(const golden_file *f, unsigned behaviour)
{
    static const unsigned rest = BEHAVIOURS - ALWAYS;
    unsigned turn = 0;
    if (suite_light() && f->size > 20000)
        return behaviour == 0;
    if (f->size > 300000)
        return behaviour == 0 || behaviour == 3 || (suite_full() && behaviour < ALWAYS);
    for (const char *p = f->name; *p; p++)
        turn = turn * 31 + (unsigned char)*p;
    return behaviour < ALWAYS || suite_full() || behaviour - ALWAYS == turn % rest ||
           behaviour - ALWAYS == (turn / rest) % rest;
}

/* ---- facts: the file itself, opening, directory, index ---- */

static void check_sums(const subject *s)
{
    char hex[65];
    struct sha256 sum;
    sha256_init(&sum);
    sha256_add(&sum, s->bytes, (size_t)s->file->size);
    hash_end(&sum, hex);
    suite_check(strcmp(hex, s->file->sha256) == 0, "%s is not the file of the list", s->file->name);
}

static void check_rows(const subject *s, rig *r, const golden_line *l)
{
    char text[260], hex[65];
    struct sha256 sum;
    utet_chunk chunk;
    utet_status status;
    uint64_t rows = 0;
    sha256_init(&sum);
    DRIVE(status, utet_row_first(&r->file, &chunk));
    while (status == UTET_OK) {
        int n = snprintf(text, sizeof text, "%llu", (unsigned long long)chunk.dataset_id);
        for (unsigned a = 0; a < 8; a++)
            n += snprintf(text + n, sizeof text - (size_t)n, " %llu", (unsigned long long)chunk.coords[a]);
        n += snprintf(text + n, sizeof text - (size_t)n, " %u %llu %llu %llu\n", (unsigned)chunk.codec,
                      (unsigned long long)chunk.payload_offset, (unsigned long long)chunk.raw_byte_len,
                      (unsigned long long)chunk.stored_byte_len);
        sha256_add(&sum, text, (size_t)n);
        suite_check(chunk.row == rows, "%s: row %llu says it is %llu", s->what, (unsigned long long)rows,
                    (unsigned long long)chunk.row);
        rows++;
        DRIVE(status, utet_row_next(&r->file, &chunk));
    }
    hash_end(&sum, hex);
    suite_check(status == UTET_END, "%s: row %llu: %s", s->what, (unsigned long long)rows, rig_status(status));
    suite_check(rows == strtoull(l->word[8], NULL, 10), "%s: %llu rows", s->what, (unsigned long long)rows);
    suite_check(strcmp(hex, l->word[9]) == 0, "%s: rows differ from the reference's", s->what);
}

static void check_dataset(const subject *s, rig *r, const golden_line *l, const utet_dataset *d)
{
    uint64_t shape[8] = {0}, chunk[8] = {0};
    char name[1100], got[1100];
    size_t length = golden_name(l->word[2], name, sizeof name);
    unsigned ndim = golden_numbers(l->word[4], shape, 8);
    golden_numbers(l->word[5], chunk, 8);
    suite_check(d->id == strtoul(l->word[1], NULL, 10), "%s: dataset %s has id %u", s->what, l->word[1],
                (unsigned)d->id);
    suite_check(d->dtype == strtoul(l->word[3], NULL, 10), "%s: dataset %s: dtype %u", s->what, l->word[1],
                (unsigned)d->dtype);
    suite_check(d->ndim == ndim && memcmp(d->shape, shape, ndim * sizeof shape[0]) == 0 &&
                    memcmp(d->chunk_shape, chunk, ndim * sizeof chunk[0]) == 0,
                "%s: dataset %s: extents", s->what, l->word[1]);
    suite_check(d->name_length == length, "%s: dataset %s: name of %u bytes", s->what, l->word[1],
                (unsigned)d->name_length);
    for (size_t at = 0; at < length; at += 5) /* in fragments */
        DRIVE_OK(utet_dataset_name(&r->file, d, (uint32_t)at, got + at, length - at < 5 ? length - at : 5));
    suite_check(memcmp(name, got, length) == 0, "%s: dataset %s: name", s->what, l->word[1]);
}

static void check_summary(const subject *s, rig *r, const golden_line *l)
{
    const utet_file *f = &r->file;
    uint64_t expected[8];
    for (unsigned i = 0; i < 8; i++)
        expected[i] = strtoull(l->word[1 + i], NULL, 10);
    uint64_t rows = f->dataset_count ? f->row_count : expected[7];
    uint64_t got[8] = {UTET_LAYOUT_VERSION,
                       f->dataset_count,
                       f->flags,
                       f->index_offset,
                       f->index_length,
                       f->memory_budget_bytes,
                       f->memory_budget_percent_bps,
                       rows};
    for (unsigned i = 0; i < 8; i++)
        suite_check(got[i] == expected[i], "%s: summary word %u is %llu, not %llu", s->what, i + 1,
                    (unsigned long long)got[i], (unsigned long long)expected[i]);
}

static void check_datasets(const subject *s, rig *r)
{
    utet_dataset d, found;
    utet_status status;
    const golden_line *l = golden_line_of(s->file, "data");
    DRIVE(status, utet_dataset_first(&r->file, &d));
    for (; l != NULL; l = golden_next(s->file, l)) {
        suite_check(status == UTET_OK, "%s: dataset %s: %s", s->what, l->word[1], rig_status(status));
        check_dataset(s, r, l, &d);
        char name[1100];
        size_t length = golden_name(l->word[2], name, sizeof name);
        DRIVE_OK(utet_dataset_find(&r->file, name, length, &found));
        if (found.id == d.id) /* the first of equal names counts */
            suite_check(memcmp(found.shape, d.shape, d.ndim * sizeof d.shape[0]) == 0, "%s: found %s differs", s->what,
                        l->word[1]);
        else
            suite_check(found.id < d.id && found.name_length == length, "%s: found %u for %u", s->what,
                        (unsigned)found.id, (unsigned)d.id);
        DRIVE(status, utet_dataset_next(&r->file, &d));
    }
    suite_check(status == UTET_END, "%s: after the last dataset: %s", s->what, rig_status(status));
}

static void facts(void **state)
{
    const golden_file *f = *state;
    const golden_line *opens = golden_line_of(f, "open"), *super = golden_line_of(f, "super");
    subject s = subject_of(f);
    check_sums(&s);
    for (unsigned b = 0; b < BEHAVIOURS; b++) {
        rig r;
        if (!wanted(f, b))
            continue;
        behave(&s, &r, &behaviours[b], 0);
        utet_status status = open_with(&r, &s, behaviours[b].map ? 0 : UTET_WINDOW_LEAST(behaviours[b].unit));
        suite_check(golden_among(opens->word[1], rig_status(status) + (status < 0 ? 2 : 0)),
                    "%s: opening says %s, not %s", s.what, rig_status(status), opens->word[1]);
        const golden_line *tail = golden_line_of(f, "footer");
        if (status == UTET_OK)
            suite_check(strcmp(rig_status(r.file.footer_status) + (tail ? 2 : 0), tail ? tail->word[1] : "OK") == 0,
                        "%s: footer_status is %s", s.what, rig_status(r.file.footer_status));
        if (status == UTET_OK && super != NULL) {
            check_summary(&s, &r, super);
            check_datasets(&s, &r);
            check_rows(&s, &r, super);
        } else if (status != UTET_OK) {
            utet_dataset d;
            suite_check(utet_dataset_first(&r.file, &d) == status && utet_open(&r.file, NULL) == status,
                        "%s: the error of opening does not stick", s.what);
            suite_check(r.file.error_offset <= f->size, "%s: error offset %llu outside the file", s.what,
                        (unsigned long long)r.file.error_offset);
        }
        rig_end(&r, s.what);
    }
    guard_free(&s.held);
}

/* ---- the tensors ---- */

static void compare_sum(const subject *s, const char *way, const char *which, const void *data, size_t size,
                        const char *expected)
{
    char hex[65];
    struct sha256 sum;
    sha256_init(&sum);
    sha256_add(&sum, data, size);
    hash_end(&sum, hex);
    suite_check(strcmp(hex, expected) == 0, "%s: %s %s: wrong bytes", s->what, way, which);
    cases_read++;
}

/* The complete dataset as one slab, with exactly the memory that it states as its need. */
static void dense_slab(subject *s, const golden_line *l, const struct behaviour *how, int codec)
{
    rig r;
    size_t size = (size_t)strtoull(l->word[2], NULL, 10);
    guard out = guard_new(size, 1, how->side);
    behave(s, &r, how, codec);
    reader_whole all;
    reader_slab_exact(&r, how->side, (uint32_t)strtoul(l->word[1], NULL, 10), NULL, out.data, size, &all, s->what);
    suite_check(guard_intact(&out), "%s: dataset %s: written outside the destination", s->what, l->word[1]);
    compare_sum(s, "slab", l->word[1], out.data, size, l->word[3]);
    guard_free(&out);
    rig_end(&r, s->what);
}

/* The same by streams of single chunks, in slices of odd sizes, which are joined here. */
static void dense_streams(subject *s, const golden_line *l, const struct behaviour *how, int codec)
{
    rig r;
    size_t size = (size_t)strtoull(l->word[2], NULL, 10);
    uint8_t *out = malloc(size + 1);
    assert_non_null(out);
    behave(s, &r, how, codec);
    suite_check(open_with(&r, s, how->map ? 64 << 20 : 64 << 20) == UTET_OK, "%s: open", s->what);
    reader_streams(&r, (uint32_t)strtoul(l->word[1], NULL, 10), out, size, how->slice, s->what);
    compare_sum(s, "streams", l->word[1], out, size, l->word[3]);
    free(out);
    rig_end(&r, s->what);
}

static void dense(void **state)
{
    const golden_file *f = *state;
    subject s = subject_of(f);
    for (int codec = 0; codec < (int)rig_codecs(); codec++)
        for (unsigned b = 0; b < BEHAVIOURS; b++) {
            if (!wanted(f, b))
                continue;
            for (const golden_line *l = golden_line_of(f, "dense"); l != NULL; l = golden_next(f, l)) {
                dense_slab(&s, l, &behaviours[b], codec);
                dense_streams(&s, l, &behaviours[b], codec);
            }
        }
    guard_free(&s.held);
}

static unsigned parse_ranges(const char *text, utet_range *ranges)
{
    unsigned axes = 0;
    for (const char *p = text; p != NULL; p = strchr(p, ',') ? strchr(p, ',') + 1 : NULL) {
        uint64_t n[3];
        golden_numbers(p, n, 3);
        ranges[axes++] = (utet_range){n[0], n[1], n[2]};
    }
    return axes;
}

static void slices(void **state)
{
    const golden_file *f = *state;
    subject s = subject_of(f);
    unsigned turn = 0;
    for (const golden_line *l = golden_line_of(f, "slice"); l != NULL; l = golden_next(f, l), turn++)
        for (unsigned b = 0; b < BEHAVIOURS; b++) {
            if (!(suite_full() ? wanted(f, b) : b == 0 || b == turn % BEHAVIOURS) || (f->size > 300000 && b > 0))
                continue;
            rig r;
            reader_whole all;
            utet_range ranges[8] = {{0, 0, 0}};
            uint32_t id = (uint32_t)strtoul(l->word[1], NULL, 10);
            parse_ranges(l->word[2], ranges);
            behave(&s, &r, &behaviours[b], (int)(turn % rig_codecs()));
            size_t size = (size_t)strtoull(l->word[3], NULL, 10) * reader_elem_size(&r, id);
            guard out = guard_new(size, 1, behaviours[b].side);
            reader_slab_exact(&r, behaviours[b].side, id, ranges, out.data, size, &all, s.what);
            suite_check(guard_intact(&out), "%s: slice %s: written outside the destination", s.what, l->word[2]);
            compare_sum(&s, "slice", l->word[2], out.data, size, l->word[4]);
            guard_free(&out);
            rig_end(&r, s.what);
        }
    guard_free(&s.held);
}

/* Datasets that must not be readable: the status, with every behaviour, and that no data follows. */
static void broken(void **state)
{
    const golden_file *f = *state;
    subject s = subject_of(f);
    for (int codec = 0; codec < (int)rig_codecs(); codec++)
        for (unsigned b = 0; b < BEHAVIOURS; b++)
            for (const golden_line *l = golden_line_of(f, "read"); l != NULL && wanted(f, b); l = golden_next(f, l)) {
                rig r;
                behave(&s, &r, &behaviours[b], codec);
                suite_check(open_with(&r, &s, 4 << 20) == UTET_OK, "%s: open", s.what);
                utet_status status = reader_whole_status(&r, (uint32_t)strtoul(l->word[1], NULL, 10), s.what);
                suite_check(status < 0 && golden_among(l->word[2], rig_status(status) + 2),
                            "%s: dataset %s says %s, not %s", s.what, l->word[1], rig_status(status), l->word[2]);
                rig_end(&r, s.what);
            }
    guard_free(&s.held);
}

/* Broken rows are found by iterating over the rows, for any datasets. */
static void rows(void **state)
{
    const golden_file *f = *state;
    subject s = subject_of(f);
    rig r;
    utet_chunk chunk;
    utet_status status;
    behave(&s, &r, &behaviours[0], 0);
    suite_check(open_with(&r, &s, 4096) == UTET_OK, "%s: open", s.what);
    DRIVE(status, utet_row_first(&r.file, &chunk));
    while (status == UTET_OK)
        DRIVE(status, utet_row_next(&r.file, &chunk));
    suite_check(status < 0 && golden_among(golden_line_of(f, "check")->word[1], rig_status(status) + 2),
                "%s: rows say %s", s.what, rig_status(status));
    rig_end(&r, s.what);
    guard_free(&s.held);
}

/* ---- one case for each file and question ---- */

static const struct question {
    const char *name, *keyword;
    void (*ask)(void **state);
} questions[] = {
    {"facts", "open", facts},   {"dense", "dense", dense}, {"slices", "slice", slices},
    {"broken", "read", broken}, {"rows", "check", rows},
};
enum { QUESTIONS = sizeof questions / sizeof questions[0] };

int main(void)
{
    golden_list list = golden_load();
    struct CMUnitTest *cases = calloc(list.count * QUESTIONS, sizeof *cases);
    size_t n = 0;
    if (cases == NULL)
        return 3;
    for (size_t i = 0; i < list.count; i++)
        for (unsigned q = 0; q < QUESTIONS; q++) {
            golden_file *f = &list.files[i];
            if (golden_line_of(f, questions[q].keyword) == NULL)
                continue;
            char *name = malloc(strlen(f->name) + 20);
            if (name == NULL)
                return 3;
            sprintf(name, "%s %s", questions[q].name, f->name);
            cases[n++] = (struct CMUnitTest){name, questions[q].ask, NULL, NULL, f};
        }
    int result = suite_run("golden", cases, n);
    printf("tensors and slices compared: %llu, port reads for opening: %llu\n", (unsigned long long)cases_read,
           (unsigned long long)opened_reads);
    for (size_t i = 0; i < n; i++)
        free((void *)(uintptr_t)cases[i].name);
    free(cases);
    golden_free(&list);
    return result;
}
