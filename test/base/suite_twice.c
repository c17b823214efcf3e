/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * The components above the container, over a medium that answers differently every time (harness/fickle.h): metadata,
 * history, labels, zone maps, indexes, needs, whole chunks, folds, query documents; and files of Tensogram and TileDB.
 * Each call gives data, a status that its header names, or other data. Lists and texts are no longer than their size
 * states. Each call ends, and touches only its memory, which ends at unmapped pages. suite_fickle has the rest.
 */
#include "../../boards/common/tiledb_walk.h"
#include "fickle.h"
#include "golden_list.h"
#include "metagen.h"
#include "metalook.h"
#include "querylook.h"
#include "tgm.h"

#include <dirent.h>
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

/* ---- needs, whole chunks, skipped parts ---- */

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
    static const utet_fold_operation *const operations[] = {&utet_fold_sum,       &utet_fold_var,    &utet_fold_arg_max,
                                                            &utet_fold_product,   &utet_fold_median, &utet_fold_min,
                                                            &utet_fold_histogram, &utet_fold_several};
    static const utet_fold_operation *const list[] = {&utet_fold_mean, &utet_fold_min, &utet_fold_max, NULL};
    static utet_fold fold;
    utet_range ranges[UTET_MAX_NDIM];
    utet_fold_request request = {.ranges = ranges, .operation = operations[seed % 8], .operations = list, .bins = 9};
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

static void see_matrix(rig *r, uint64_t seed)
{
    static utet_fold_matrix matrix;
    static double results[400];
    utet_range ranges[UTET_MAX_NDIM];
    utet_dataset dataset;
    utet_fold_variables variables = {.dataset = &dataset, .ranges = ranges};
    utet_status status;
    DRIVE(status, utet_dataset_first(&r->file, &dataset));
    if (status != UTET_OK || dataset.ndim != 2)
        return;
    variables.observations = (uint8_t)(seed & 1);
    variables.correlation = (uint8_t)(seed >> 1 & 1);
    for (unsigned d = 0; d < 2; d++)
        ranges[d] = (utet_range){0, dataset.shape[d] < 20 ? dataset.shape[d] : 20, 1 + seed % 3};
    DRIVE(status, utet_fold_matrix_open(&matrix, &r->file, &variables));
    errors += status < 0;
    if (status != UTET_OK)
        return;
    DRIVE(status, utet_fold_matrix_run(&matrix, results, 400));
    suite_check(status <= 0, "%s: %s", what, rig_status(status));
    errors += status < 0;
}

/* ---- files ---- */

enum { METADATA, CHUNKS, FOLD, MATRIX, OPERATIONS };

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
    else if (status == UTET_OK && operation == FOLD)
        see_fold(r, seed);
    else if (status == UTET_OK)
        see_matrix(r, seed);
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

/* A footer with one of everything, extended. */
static void metadata_case(void **state)
{
    metagen g = metagen_usual;
    (void)state;
    metagen_build(&g);
    each_operation("a usual footer", g.bytes, g.size, 100 * turns(), (int)rig_codecs() - 1);
    metagen_free(&g);
}

/* ---- query documents ---- */

static const char *const documents[] = {
    "{\"dataset\":\"temperature\",\"sum\":[],\"group_by\":{\"by\":\"labels\",\"axes\":[\"station\"]},"
    "\"label_filter\":{\"axis\":\"station\",\"eq\":\"ST03\"},\"filter\":{\"gt\":2.5,\"is_not_null\":true}}",
    "{\"dataset\":\"temperature\",\"null_count\":[],\"selection\":[{\"stop\":200,\"step\":3},"
    "{\"start_label\":\"ST01\",\"stop_label\":\"ST05\"}]}",
    "{\"dataset\":\"temperature\",\"align\":{\"with\":\"flags\",\"axes\":[\"time\",\"station\"]}}",
    "{\"dataset\":\"temperature\",\"pipeline\":[{\"select\":[{\"stop\":99},{}]},{\"filter\":{\"ne\":1e-3}},"
    "{\"mean\":[\"time\"],\"window\":{\"axis\":\"time\",\"size\":9,\"mode\":\"rolling\",\"step\":4,\"pad\":\"0\"}}]}",
    "{\"dataset\":\"flags\",\"quantile\":{\"q\":0.123456789012345678901,\"axis\":0},\"group_by\":[1]}",
    "{\"dataset\":\"te\\u006dperature\",\"sum\":[],\"an unknown key of more than thirty-two bytes\":1,"
    "\"an unknown key of more than thirty-two\":2}",
    "{\"dataset\":\"temperature\",\"sum\":\"nothing\"}",
};
enum { DOCUMENTS = sizeof documents / sizeof documents[0] };

/* The document's medium returns wrong data, or the file's, or both. */
static void query_case(void **state)
{
    static querylook x;
    const golden_file *file = *state;
    char why[300], said[100];
    uint8_t *bytes = golden_bytes(file, why);
    if (bytes == NULL)
        suite_skip(why);
    what = said;
    for (uint64_t turn = 0; turn < 300 * turns(); turn++) {
        const char *text = documents[turn % DOCUMENTS], *other = documents[(turn + 1) % DOCUMENTS];
        uint64_t seed = 77 + turn, before;
        fickle f, g;
        rig r, page;
        snprintf(said, sizeof said, "query, turn %llu", (unsigned long long)turn);
        rig_make(&r, bytes, file->size, (int)(turn % rig_codecs()));
        fickle_between(&f, &r, bytes, file->size, bytes + file->size / 2, file->size - file->size / 2);
        rig_make(&page, text, strlen(text), -1);
        fickle_between(&g, &page, (const uint8_t *)text, strlen(text), (const uint8_t *)other, strlen(other));
        r.work = guard_new(70000, 8, GUARD_AFTER);
        page.work = guard_new(192, 8, GUARD_AFTER);
        fickle_start(&f, &r, turn % 4 == 0 ? 5200 : 70000, seed);
        fickle_start(&g, &page, 192, seed / 3);
        g.honest = turn % 2 ? 200 : 250;
        g.from = turn % 13;
        f.from = turn % 40;
        if (turn % 3 == 1)
            f.from = UINT64_MAX; /* honest */
        if (turn % 3 == 2)
            g.from = UINT64_MAX;
        before = f.changed + g.changed;
        x.r = &r;
        x.text = &page.port.io;
        x.what = said;
        x.fickle = 1;
        x.most = 3000;
        DRIVE(x.opened, utet_open(&r.file, NULL));
        errors += x.opened < 0;
        if (x.opened == UTET_OK) {
            querylook_at(&x);
            errors += x.opened < 0 || x.bound < 0 || x.answered < 0;
        }
        runs++;
        changed += f.changed + g.changed - before;
        rig_end(&r, said);
        rig_end(&page, said);
        fickle_free(&f);
        fickle_free(&g);
    }
    free(bytes);
    what = NULL;
}

/* ---- Tensogram and TileDB ---- */

static void messages_case(void **state)
{
    static const size_t works[] = {640, 1200, 5200, 34000};
    tgm_file file;
    (void)state;
    for (size_t i = 0; tgm_vector("good", i, &file); i++) {
        for (uint64_t turn = 0; turn < 2 * turns() && file.size < 5000; turn++) {
            uint64_t seed = i * 10007u + turn;
            tgm_look x;
            fickle f;
            rig r;
            rig_make(&r, file.bytes, file.size, -1);
            fickle_between(&f, &r, file.bytes, file.size, file.bytes, file.size / 2);
            r.work = guard_new(34000, 8, GUARD_AFTER);
            faultport_zone(&r.port, 0, r.work.data, r.work.size);
            fickle_start(&f, &r, works[seed % 4], seed);
            assert_int_equal(utet_messages_open(&r.file, NULL), UTET_OK);
            tgm_look_at(&x, &r);
            errors += x.broken;
            runs++;
            changed += f.changed;
            rig_end(&r, file.name);
            fickle_free(&f);
        }
        tgm_forget(&file);
    }
}

static const utet_tiledb_codec *const tile_codecs[] = {&utet_tiledb_gzip, &utet_tiledb_zstd, NULL};
static const utet_tiledb_options tile_options = {tile_codecs, 1 << 17};

static void one_array(const char *name, const uint8_t *bytes, size_t size, uint64_t seed)
{
    static const size_t works[] = {700, 2000, 50000, 1 << 18};
    static tiledb_walk walk;
    int kind = strstr(name, ".schema") != NULL ? TILEDB_WALK_SCHEMA
               : strstr(name, "meta") != NULL  ? TILEDB_WALK_METADATA
               : strstr(name, "group") != NULL ? TILEDB_WALK_GROUP
                                               : TILEDB_WALK_ENUMERATION;
    fickle f;
    rig r;
    rig_make(&r, bytes, size, -1);
    fickle_between(&f, &r, bytes, size, bytes, size / 2);
    r.work = guard_new(1 << 18, 8, GUARD_AFTER);
    faultport_zone(&r.port, 0, r.work.data, r.work.size);
    fickle_start(&f, &r, works[seed % 4], seed);
    tiledb_walk_all(&walk, &r.file, &tile_options, kind, seed % 5 == 0);
    suite_check(walk.status <= UTET_OK && walk.status != UTET_E_ARGUMENT, "%s: %s", name, rig_status(walk.status));
    errors += walk.status < 0;
    runs++;
    changed += f.changed;
    rig_end(&r, name);
    fickle_free(&f);
}

static void arrays_case(void **state)
{
    const char *root = getenv("TEST_ROOT");
    char path[700];
    struct dirent *entry;
    DIR *folder;
    uint64_t number = 0;
    (void)state;
    snprintf(path, sizeof path, "%s/golden/tiledb/good", root != NULL ? root : "test");
    folder = opendir(path);
    suite_check(folder != NULL, "no folder %s", path);
    while ((entry = readdir(folder)) != NULL) {
        static uint8_t bytes[20000];
        FILE *in;
        size_t size;
        if (strstr(entry->d_name, ".schema") == NULL && strstr(entry->d_name, ".tile") == NULL)
            continue;
        snprintf(path, sizeof path, "%s/golden/tiledb/good/%s", root != NULL ? root : "test", entry->d_name);
        in = fopen(path, "rb");
        suite_check(in != NULL, "cannot read %s", path);
        size = fread(bytes, 1, sizeof bytes, in);
        fclose(in);
        for (uint64_t turn = 0; turn < turns() && size < sizeof bytes; turn++)
            one_array(entry->d_name, bytes, size, ++number);
    }
    closedir(folder);
}

int main(void)
{
    golden_list list = golden_load();
    struct CMUnitTest *cases = calloc(4 + list.count, sizeof *cases);
    size_t n = 3;
    cases[0] = (struct CMUnitTest)cmocka_unit_test(metadata_case);
    cases[1] = (struct CMUnitTest)cmocka_unit_test(messages_case);
    cases[2] = (struct CMUnitTest)cmocka_unit_test(arrays_case);
    for (size_t i = 0; i < list.count; i++)
        if (strcmp(list.files[i].name, "R6_station_log.tet") == 0)
            cases[n++] = (struct CMUnitTest){"query_documents", query_case, NULL, NULL, &list.files[i]};
    if (n != 4) {
        printf("R6_station_log.tet is not in the list\n");
        return 1;
    }
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
