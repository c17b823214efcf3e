/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * What stands on the file's first layer, over a medium that answers differently every time (harness/fickle.h):
 * metadata, history, labels, zone maps, indexes, needs, whole chunks, folds. Each call gives data, a status that its
 * header names, or other data; lists and texts give no more than their size says; each call ends and touches nothing
 * but its memory, which ends at unmapped pages. suite_fickle has the rest.
 */
#include "fickle.h"
#include "golden_list.h"
#include "metagen.h"
#include "utet_fold.h"
#include "utet_meta.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t changed, runs, errors;
static const char *what;

typedef struct look {
    rig *r;
    utet_meta meta;
    uint64_t left; /* calls, so that a run ends soon */
} look;

/* Any call on metadata: a value, or a status that the header names. */
static int went(look *x, utet_status status)
{
    suite_check(status == UTET_OK || status == UTET_END || status == UTET_E_NOT_FOUND || status == UTET_E_RANGE ||
                    status == UTET_E_ARGUMENT || status == UTET_E_MISSING || status == UTET_E_METADATA ||
                    status == UTET_E_ROW || status == UTET_E_SHORT || status <= UTET_E_PORT,
                "%s: %s", what, rig_status(status));
    errors += status < 0;
    return status == UTET_OK && x->left != 0 && --x->left != 0;
}

#define STEP(x, ok, call)        \
    do {                         \
        utet_status status_;     \
        DRIVE(status_, call);    \
        (ok) = went(x, status_); \
    } while (0)

static void see_text(look *x, utet_value text)
{
    guard piece = guard_new(5, 1, GUARD_AFTER);
    uint64_t most = text.size, all = 0;
    size_t got = 0;
    int ok = 1;
    while (ok) {
        STEP(x, ok, utet_text_read(&x->meta, &text, (char *)piece.data, 5, &got));
        all += ok ? got : 0;
    }
    suite_check(all <= most, "%s: %llu bytes of %llu", what, (unsigned long long)all, (unsigned long long)most);
    guard_free(&piece);
}

static void see_value(look *x, utet_value value, int depth)
{
    utet_value key, item;
    uint64_t most = value.size, entries = 0;
    int ok = 1;
    if (value.kind == UTET_VALUE_TEXT)
        see_text(x, value);
    memset(&key, 0, sizeof key);
    while (ok && depth < 6) {
        STEP(x, ok, utet_value_next(&x->meta, &value, &key, &item));
        if (!ok)
            break;
        suite_check(++entries <= most, "%s: more entries than %llu", what, (unsigned long long)most);
        see_value(x, key, depth + 1);
        see_value(x, item, depth + 1);
    }
}

static void see_zones(look *x, const utet_dataset_meta *described)
{
    static const uint8_t low[8] = {0}, high[8] = {0, 0, 0, 0, 0, 0, 0x80, 0x3F};
    uint64_t coords[UTET_MAX_NDIM] = {0};
    utet_value value;
    utet_zones zones;
    utet_zone zone;
    int ok;
    STEP(x, ok, utet_zones_open(&x->meta, described, &zones));
    for (unsigned count = 0; ok && count < 20; count++) {
        STEP(x, ok, utet_zone_next(&x->meta, &zones, &zone));
        if (ok)
            (void)(utet_zone_may_hold(&zones, &zone, low, high) + utet_zone_may_be_null(&zones, &zone));
    }
    STEP(x, ok, utet_zones_open(&x->meta, described, &zones));
    if (ok)
        STEP(x, ok, utet_zone_find(&x->meta, &zones, coords, &zone));
    STEP(x, ok, utet_index_value(&x->meta, described, high, &value));
    for (unsigned count = 0; ok && count < 20; count++)
        STEP(x, ok, utet_index_chunk(&x->meta, &value, coords));
    STEP(x, ok, utet_index_label(&x->meta, described, 0, "a", 1, &value));
    STEP(x, ok, utet_index_entries(&x->meta, &value));
}

static void see_dataset(look *x, const utet_dataset *dataset)
{
    utet_dataset_meta described;
    utet_value value;
    uint64_t index = 0;
    unsigned axis = 0;
    int ok;
    STEP(x, ok, utet_meta_dataset(&x->meta, dataset, &described));
    if (!ok) { /* of which nothing is said */
        memset(&described, 0, sizeof described);
        described.dataset = dataset;
    }
    see_value(x, described.dim_names, 0);
    see_value(x, described.fill, 0);
    STEP(x, ok, utet_meta_axis(&x->meta, &described, "x", 1, &axis));
    suite_check(!ok || axis < dataset->ndim, "%s: axis %u", what, axis);
    STEP(x, ok, utet_meta_labels(&x->meta, &described, 0, &value));
    if (ok)
        STEP(x, ok, utet_list_find(&x->meta, &value, "a label of more than thirty-two bytes", 37, &index));
    see_zones(x, &described);
}

static void see_metadata(rig *r)
{
    look x = {.r = r, .left = 3000};
    utet_value history;
    utet_event event;
    utet_dataset dataset;
    utet_status status;
    int ok = 1;
    DRIVE(status, utet_meta_open(&x.meta, &r->file));
    errors += status < 0;
    if (status == UTET_OK) {
        STEP(&x, ok, utet_meta_check_limits(&x.meta));
        STEP(&x, ok, utet_meta_strict(&x.meta));
        history = x.meta.history;
        for (ok = 1; ok;) {
            STEP(&x, ok, utet_event_next(&x.meta, &history, &event));
            for (unsigned i = 0; ok && i < UTET_EVENT_FIELDS; i++)
                see_value(&x, event.field[i], 0);
        }
        see_value(&x, x.meta.file_info, 0);
        see_value(&x, x.meta.datasets, 0);
    }
    DRIVE(status, utet_dataset_first(&r->file, &dataset));
    for (unsigned count = 0; status == UTET_OK && count < 3; count++) {
        if (x.meta.priv.status == UTET_OK)
            see_dataset(&x, &dataset);
        DRIVE(status, utet_dataset_next(&r->file, &dataset));
    }
}

/* ---- needs, whole chunks, what is passed over ---- */

static void see_chunks(rig *r)
{
    utet_chunk chunk;
    utet_status status;
    DRIVE(status, utet_row_first(&r->file, &chunk));
    for (unsigned count = 0; status == UTET_OK && count < 4; count++) {
        utet_stream stream;
        utet_status one;
        utet_need need;
        DRIVE(one, utet_chunk_need(&r->file, &chunk, count % 2 != 0, &need));
        errors += one < 0;
        if (chunk.raw_byte_len <= 1 << 17) {
            guard room = guard_new((size_t)chunk.raw_byte_len + 1, 1, GUARD_AFTER);
            faultport_zone(&r->port, 1, room.data + 1, (size_t)chunk.raw_byte_len);
            DRIVE(one, utet_stream_load(&stream, &r->file, &chunk, room.data + 1, (size_t)chunk.raw_byte_len));
            errors += one < 0;
            faultport_zone(&r->port, 1, NULL, 0);
            assert_int_equal(guard_intact(&room), 1);
            guard_free(&room);
        }
        DRIVE(one, utet_stream_open(&stream, &r->file, &chunk));
        if (one == UTET_OK)
            DRIVE(one, utet_stream_skip(&stream, chunk.raw_byte_len / 2));
        errors += one < 0;
        DRIVE(status, utet_row_next(&r->file, &chunk));
    }
}

/* ---- folds ---- */

static void see_fold(rig *r, uint64_t seed)
{
    static const utet_fold_operation *const operations[] = {&utet_fold_sum,      &utet_fold_var,    &utet_fold_arg_max,
                                                            &utet_fold_product,  &utet_fold_median, &utet_fold_min,
                                                            &utet_fold_histogram};
    static utet_fold fold;
    utet_range ranges[UTET_MAX_NDIM];
    utet_fold_request request = {.ranges = ranges, .operation = operations[seed % 7], .bins = 9};
    utet_dataset dataset;
    utet_status status;
    uint64_t results;
    DRIVE(status, utet_dataset_first(&r->file, &dataset));
    if (status != UTET_OK)
        return;
    for (unsigned d = 0; d < dataset.ndim; d++) {
        uint64_t most = 1 + seed % 50;
        ranges[d] = (utet_range){0, dataset.shape[d] < most ? dataset.shape[d] : most, 1 + seed % 3};
    }
    request.dataset = &dataset;
    request.axes = (uint32_t)(seed % 7 == 0 ? UTET_FOLD_ALL : seed % 4);
    DRIVE(status, utet_fold_open(&fold, &r->file, &request));
    errors += status < 0;
    results = fold.results;
    if (status == UTET_OK && results <= 3000) {
        guard room = guard_new((size_t)results * sizeof(double), 8, GUARD_AFTER);
        DRIVE(status, utet_fold_run(&fold, (double *)(void *)room.data, (size_t)results));
        suite_check(status <= 0, "%s: %s", what, rig_status(status));
        errors += status < 0;
        assert_int_equal(guard_intact(&room), 1);
        guard_free(&room);
    }
}

/* ---- files ---- */

enum { METADATA, CHUNKS, FOLD, OPERATIONS };

static void one_run(rig *r, fickle *f, unsigned operation, size_t work, uint64_t seed)
{
    uint64_t before = f->changed;
    utet_status status;
    fickle_start(f, r, work, seed);
    DRIVE(status, utet_open(&r->file, NULL));
    errors += status < 0;
    if (status == UTET_OK && operation == METADATA)
        see_metadata(r);
    else if (status == UTET_OK && operation == CHUNKS)
        see_chunks(r);
    else if (status == UTET_OK)
        see_fold(r, seed);
    runs++;
    changed += f->changed - before;
    rig_check(r, what);
}

static void each_operation(const char *name, const uint8_t *bytes, uint64_t size, uint64_t turns, int first_codec)
{
    static const size_t works[] = {640, 1200, 5200, 9000, 34000, 70000, 192, 160000};
    char said[300];
    what = said;
    for (int codec = first_codec; codec < (int)rig_codecs(); codec++) {
        rig r;
        fickle f;
        rig_make(&r, bytes, size, codec);
        fickle_between(&f, &r, bytes, size, bytes + size / 2, size - size / 2);
        r.work = guard_new(160000, 8, GUARD_AFTER);
        faultport_zone(&r.port, 0, r.work.data, r.work.size);
        for (unsigned operation = codec == first_codec ? 0 : 1; operation < OPERATIONS; operation++)
            for (uint64_t turn = 0; turn < turns; turn++) {
                uint64_t seed = size * 1000003u + (uint64_t)(codec + 1) * 100019u + operation * 10007u + turn;
                snprintf(said, sizeof said, "%s, codec %d, operation %u, seed %llu", name, codec, operation,
                         (unsigned long long)seed);
                if (getenv("FICKLE_TRACE") != NULL)
                    fprintf(stderr, "%s\n", said);
                one_run(&r, &f, operation, works[seed % 8], seed);
            }
        fickle_free(&f);
        rig_end(&r, said);
    }
    what = NULL;
}

static uint64_t turns(void)
{
    return suite_full() ? 120 : suite_light() ? 1 : 6;
}

static void file_case(void **state)
{
    const golden_file *file = *state;
    char why[300];
    uint8_t *bytes = golden_bytes(file, why);
    if (bytes == NULL)
        suite_skip(why);
    each_operation(file->name, bytes, file->size, turns(), 0);
    free(bytes);
}

/* A footer with something of everything: more of it. */
static void metadata_case(void **state)
{
    metagen g = metagen_usual;
    (void)state;
    metagen_build(&g);
    each_operation("a usual footer", g.bytes, g.size, 100 * turns(), (int)rig_codecs() - 1);
    metagen_free(&g);
}

int main(void)
{
    golden_list list = golden_load();
    struct CMUnitTest *cases = calloc(1 + list.count, sizeof *cases);
    size_t n = 1;
    cases[0] = (struct CMUnitTest)cmocka_unit_test(metadata_case);
    for (size_t i = 0; i < list.count; i++) {
        golden_file *f = &list.files[i];
        uint64_t limit = suite_full() ? 40000 : 5000;
        if (f->size <= limit && strncmp(f->where, "golden", 6) == 0)
            cases[n++] = (struct CMUnitTest){f->name, file_case, NULL, NULL, f};
    }
    int result = suite_run("twice", cases, n);
    printf("figure: twice: %llu changed answers in %llu runs over %zu files, %llu errors\n",
           (unsigned long long)changed, (unsigned long long)runs, n, (unsigned long long)errors);
    free(cases);
    golden_free(&list);
    return result;
}
