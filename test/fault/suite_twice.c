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
#include "metalook.h"
#include "utet_fold.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t changed, runs, errors;
static const char *what;

static void see_metadata(rig *r)
{
    metalook x = {.r = r, .what = what, .fickle = 1, .items = UINT_MAX, .events = UINT_MAX, .calls = 3000};
    metalook_at(&x);
    errors += x.errors;
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
