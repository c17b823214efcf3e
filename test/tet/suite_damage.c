/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Damaged files against the second reader of the harness (tetref): every truncation, every bit of the metadata flipped,
 * every byte value in the superblock and headers, random damage anywhere (test/README.md, bar 6, 7). The library must
 * open what the second reader opens, give the same bytes or an error for the same datasets, stay within its buffers
 * (the file and the workspace end at unmapped pages), and never hang.
 */
#include "golden_list.h"
#include "reader.h"
#include "tetgen.h"
#include "tetref.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 1 << 20, MOST_DATASETS = 16 };

static uint64_t damaged_files, still_opened, datasets_read, datasets_refused, by_prediction, stricter_decodes;

typedef struct subject {
    const char *name;
    guard held; /* as long as the complete file, ends at an unmapped page */
    guard work;
    int codec;
    int map;
} subject;

/* A status that opening or reading a damaged file may return. */
static int plausible(utet_status status)
{
    return status <= UTET_E_SHORT || status == UTET_E_MISSING || status == UTET_E_RANGE || status == UTET_E_BUDGET;
}

static utet_status read_dense(rig *r, const utet_dataset *d, uint8_t *out, size_t size, uint64_t *count)
{
    utet_range all[8];
    utet_slab slab;
    utet_status status;
    for (unsigned a = 0; a < d->ndim; a++)
        all[a] = (utet_range){0, d->shape[a], 1};
    *count = 0;
    DRIVE(status, utet_slab_open(&slab, &r->file, d, all));
    if (status != UTET_OK)
        return status;
    *count = slab.count;
    if (slab.count > ROOM)
        return UTET_OK;
    faultport_zone(&r->port, 1, out, size);
    DRIVE(status, utet_slab_read_all(&slab, out, size));
    return status;
}

/* Returns whether the library's status fits what the second reader reports if it finds rows in this way. */
static int fits(const tetref *t, const utet_dataset *d, int predict, utet_status status, const uint8_t *out,
                size_t *stricter)
{
    uint8_t *dense;
    size_t size;
    tetref_verdict verdict = tetref_read(t, d->id, predict, ROOM, &dense, &size);
    int fit;
    if (verdict == TETREF_UNKNOWN) /* too large: it has ended soon, which is all that is checked */
        fit = status == UTET_OK || status == UTET_E_SPACE || status < 0;
    else if (status == UTET_OK)
        fit = verdict == TETREF_OK && memcmp(out, dense, size) == 0;
    else
        fit = verdict == TETREF_BAD;
    /* A decoder may notice damage that libzstd does not notice, but not the other way round (test/README.md, bar 7). */
    *stricter = !fit && verdict == TETREF_OK &&
                (status == UTET_E_PAYLOAD || status == UTET_E_ZSTD_LEGACY || status == UTET_E_CHECKSUM);
    free(dense);
    return fit || *stricter;
}

static void compare_dataset(const subject *s, rig *r, const tetref *t, const utet_dataset *d, const char *what)
{
    static uint8_t out[ROOM];
    uint64_t count;
    size_t stricter;
    const tetref_dataset *td = &t->datasets[d->id];
    suite_check(d->ndim == td->ndim && d->dtype == td->dtype && d->name_length == td->name_length &&
                    memcmp(d->shape, td->shape, 8 * d->ndim) == 0 &&
                    memcmp(d->chunk_shape, td->chunk, 8 * d->ndim) == 0,
                "%s: %s: record %u differs", s->name, what, (unsigned)d->id);
    utet_status status = read_dense(r, d, out, ROOM, &count);
    suite_check(status == UTET_OK || status == UTET_E_SPACE || plausible(status), "%s: %s: dataset %u: %s", s->name,
                what, (unsigned)d->id, rig_status(status));
    /* Rows that are twice in the index: the library may take another one than the first (a documented deviation). */
    if (!fits(t, d, 0, status, out, &stricter)) {
        suite_check(
            fits(t, d, 1, status, out, &stricter) || tetref_allows(t, d->id, status == UTET_OK ? out : NULL, ROOM),
            "%s: %s: dataset %u: %s, the second reader disagrees", s->name, what, (unsigned)d->id, rig_status(status));
        by_prediction++;
    }
    stricter_decodes += stricter;
    if (status == UTET_OK)
        datasets_read++;
    else
        datasets_refused++;
}

static void compare_rows(const subject *s, rig *r, const tetref *t, const char *what)
{
    utet_chunk c;
    utet_status status;
    uint64_t n = 0;
    DRIVE(status, utet_row_first(&r->file, &c));
    while (status == UTET_OK && ++n <= t->row_count)
        DRIVE(status, utet_row_next(&r->file, &c));
    suite_check((status == UTET_END) == (tetref_rows(t, t->size) == TETREF_OK), "%s: %s: rows: %s", s->name, what,
                rig_status(status));
    suite_check(status == UTET_END ? n == t->row_count : status == UTET_E_ROW, "%s: %s: %llu rows, then %s", s->name,
                what, (unsigned long long)n, rig_status(status));
}

/* Compares both readers on `size` bytes, which end at an unmapped page. */
static void judge(const subject *s, const uint8_t *bytes, size_t size, const char *what)
{
    tetref t;
    rig r;
    utet_dataset d;
    utet_status status;
    rig_make(&r, bytes, size, s->codec);
    if (s->map)
        faultport_map(&r.port);
    else
        r.port.slice = size % 3 ? SLICE_ALL : 50;
    faultport_zone(&r.port, 0, s->work.data, s->work.size);
    assert_int_equal(utet_init(&r.file, &r.port.io, s->work.data, s->work.size, r.codecs), UTET_OK);
    DRIVE(status, utet_open(&r.file, &(utet_options){.budget = (size_t)-1}));
    tetref_verdict verdict = tetref_open(&t, bytes, size);
    int footer = status == UTET_OK && r.file.footer_status != UTET_OK; /* src/tet/FORMAT.md D2: opened nevertheless */
    suite_check(status == UTET_OK || plausible(status), "%s: %s: open: %s", s->name, what, rig_status(status));
    suite_check((status == UTET_OK && !footer) == (verdict == TETREF_OK),
                "%s: %s: opening says %s, the second reader %s it", s->name, what, rig_status(status),
                verdict == TETREF_OK ? "accepts" : "refuses");
    suite_check(status != UTET_OK || r.file.dataset_count == t.count, "%s: %s: dataset count", s->name, what);
    damaged_files++;
    if (status == UTET_OK && !footer) {
        still_opened++;
        if (t.count > 0)
            compare_rows(s, &r, &t, what);
        DRIVE(status, utet_dataset_first(&r.file, &d));
        for (unsigned i = 0; status == UTET_OK && i < MOST_DATASETS; i++) {
            compare_dataset(s, &r, &t, &d, what);
            DRIVE(status, utet_dataset_next(&r.file, &d));
        }
        suite_check(status == UTET_OK || status == UTET_END, "%s: %s: listing: %s", s->name, what, rig_status(status));
    }
    suite_check(r.port.violations == 0, "%s: %s: port contract: %s", s->name, what, r.port.violation);
    tetref_free(&t);
}

static uint8_t *subject_open(subject *s, const golden_file *f, uint8_t **original)
{
    char why[300];
    *original = golden_bytes(f, why);
    if (*original == NULL)
        suite_skip(why);
    memset(s, 0, sizeof *s);
    s->name = f->name;
    s->codec = (int)(f->size % rig_codecs());
    s->map = f->sha256[0] < '4';
    s->held = guard_new((size_t)f->size, 1, GUARD_AFTER);
    s->work = guard_new(3 << 20, 8, GUARD_AFTER);
    if (f->size > 0)
        memcpy(s->held.data, *original, (size_t)f->size);
    return s->held.data;
}

static void subject_close(subject *s, uint8_t *original)
{
    suite_check(guard_intact(&s->work), "%s: written outside the workspace", s->name);
    guard_free(&s->work);
    guard_free(&s->held);
    free(original);
}

/* Every length from 0 to all but one byte; for long files all lengths within the metadata, and every 97th of the
 * rest. */
static void truncated(void **state)
{
    const golden_file *f = *state;
    subject s;
    uint8_t *original, *bytes = subject_open(&s, f, &original);
    char what[60];
    size_t whole = (size_t)f->size, dense = suite_full() ? 3000 : suite_light() ? 120 : 1300;
    size_t step = suite_full() ? 41 : 397;
    for (size_t n = 0; n < whole; n += n < dense || whole - n < 64 ? 1 : step) {
        uint8_t *cut = bytes + (whole - n); /* ends at an unmapped page */
        memcpy(cut, original, n);
        snprintf(what, sizeof what, "cut to %zu of %zu", n, whole);
        judge(&s, cut, n, what);
    }
    subject_close(&s, original);
}

/* The bytes that are metadata: all up to the end of the index, and the footer tail. */
static size_t metadata_end(const uint8_t *bytes, size_t size)
{
    uint64_t end = size < 32 ? size : tetgen_get(bytes + 16, 8) + tetgen_get(bytes + 24, 8);
    return end > size ? size : (size_t)end;
}

static void flipped(void **state)
{
    const golden_file *f = *state;
    subject s;
    uint8_t *original, *bytes = subject_open(&s, f, &original);
    char what[60];
    size_t size = (size_t)f->size, end = metadata_end(bytes, size);
    for (size_t i = 0; i < size; i++) {
        if (i >= end && size - i > 16 && !(size <= 4500 && suite_full()) && i % 61 != 0)
            continue;
        if (i >= 2000 && i % 13 != 0 && !suite_full())
            continue;
        if (suite_light() && i >= 48 && i % 19 != 0)
            continue;
        for (unsigned bit = 0; bit < 8; bit++) {
            bytes[i] ^= (uint8_t)(1u << bit);
            snprintf(what, sizeof what, "bit %u of byte %zu", bit, i);
            judge(&s, bytes, size, what);
            bytes[i] ^= (uint8_t)(1u << bit);
        }
        for (unsigned value = 0; value < 256 && i < (suite_full() ? 300u : suite_light() ? 0u : 120u); value++) {
            uint8_t was = bytes[i];
            bytes[i] = (uint8_t)value;
            snprintf(what, sizeof what, "byte %zu = %u", i, value);
            judge(&s, bytes, size, what);
            bytes[i] = was;
        }
    }
    subject_close(&s, original);
}

/* Replaces one to eight fields of one to eight bytes, mostly in the metadata, by unusual values or noise. */
static void random_damage(void **state)
{
    static const uint64_t odd[] = {0,
                                   1,
                                   7,
                                   8,
                                   32,
                                   40,
                                   104,
                                   0x7FFFFFFF,
                                   0x80000000u,
                                   0xFFFFFFFF,
                                   UINT64_MAX,
                                   UINT64_MAX - 7,
                                   UINT64_MAX / 2,
                                   UINT64_MAX / 104,
                                   UINT64_MAX / 104 + 1};
    const golden_file *f = *state;
    subject s;
    uint8_t *original, *bytes = subject_open(&s, f, &original);
    uint64_t random = f->size * 77 + 5;
    char what[60];
    size_t size = (size_t)f->size, end = metadata_end(bytes, size);
    for (unsigned turn = 0; turn < (suite_full() ? 6000u : suite_light() ? 20u : 400u) && size >= 48; turn++) {
        uint64_t seed = random;
        unsigned n = 1 + (unsigned)(tetgen_random(&random) % 4);
        while (n-- > 0) {
            size_t room = tetgen_random(&random) % 4 ? end : size;
            size_t at = (size_t)(tetgen_random(&random) % room), width = 1 + (size_t)(tetgen_random(&random) % 8);
            uint64_t value = tetgen_random(&random);
            if (value % 3 != 0)
                value = tetgen_get(original + (at & ~(size_t)7) % (size - 8), 8) + value % 17 - 8;
            else if (value % 2)
                value = odd[value / 7 % (sizeof odd / sizeof odd[0])];
            if (value % 2)
                at &= ~(size_t)7;
            if (width > size - at)
                width = size - at;
            tetgen_put(bytes + at, value, (unsigned)width);
        }
        snprintf(what, sizeof what, "random damage, state %llu", (unsigned long long)seed);
        judge(&s, bytes, size, what);
        memcpy(bytes, original, size);
    }
    subject_close(&s, original);
}

int main(void)
{
    static const struct {
        const char *name;
        void (*run)(void **state);
        uint64_t quick, full;
    } ways[] = {{"truncated", truncated, 9000, 70000},
                {"flipped", flipped, 1700, 6000},
                {"random", random_damage, 5000, 70000}};
    golden_list list = golden_load();
    struct CMUnitTest *cases = calloc(list.count * 3, sizeof *cases);
    size_t n = 0;
    for (size_t i = 0; i < list.count; i++)
        for (unsigned w = 0; w < 3; w++) {
            golden_file *f = &list.files[i];
            if (f->size > (suite_full()    ? ways[w].full
                           : suite_light() ? ways[w].quick / 3
                                           : ways[w].quick) ||
                strncmp(f->where, "golden", 6) != 0)
                continue;
            char *name = malloc(strlen(f->name) + 20);
            sprintf(name, "%s %s", ways[w].name, f->name);
            cases[n++] = (struct CMUnitTest){name, ways[w].run, NULL, NULL, f};
        }
    int result = suite_run("damage", cases, n);
    printf("figure: damage: %llu damaged files, %llu still open; %llu datasets read alike, %llu refused\n",
           (unsigned long long)damaged_files, (unsigned long long)still_opened, (unsigned long long)datasets_read,
           (unsigned long long)datasets_refused);
    printf(
        "figure: damage: %llu with rows twice (not the first one taken), %llu where the decoder is stricter than libzstd\n",
        (unsigned long long)by_prediction, (unsigned long long)stricter_decodes);
    for (size_t i = 0; i < n; i++)
        free((void *)(uintptr_t)cases[i].name);
    free(cases);
    golden_free(&list);
    return result;
}
