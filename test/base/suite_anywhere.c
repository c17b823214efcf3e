/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * A workspace may begin at any address (utet_init, utet_zstd_init). Each reader that takes a workspace is tried at
 * eight addresses, with ports that require aligned buffers. Exactly as many bytes as file.needed states are enough, one
 * byte less is refused, and the results are the same. At most 7 bytes are lost, and align - 1 bytes in front of the
 * window.
 */
#include "rig.h"

#include "utet_check.h"
#include "utet_fold.h"
#include "utet_lz4.h"
#include "utet_meta.h"
#include "utet_tensogram_data.h"
#include "utet_tiledb.h"
#include "utet_zstd.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const utet_codec *const codecs[] = {&utet_codec_zstd_small, &utet_codec_lz4, &utet_codec_rle,
                                           &utet_codec_roaring, NULL};

/* ---- a file in memory; its port checks each buffer ---- */

static uint8_t *bytes;
static size_t size;
static utet_io io;

static utet_status answer(void *ctx, uint64_t offset, void *buf, size_t len, size_t *got)
{
    (void)ctx;
    suite_check((uintptr_t)buf % io.align == 0, "a buffer at %p, but align is %u", buf, (unsigned)io.align);
    memcpy(buf, bytes + (size_t)offset, len);
    *got = len;
    return UTET_OK;
}

static void load(const char *name)
{
    const char *root = getenv("TEST_ROOT");
    char path[256];
    FILE *f;

    snprintf(path, sizeof path, "%s/golden/%s", root != NULL ? root : "test", name);
    f = fopen(path, "rb");
    suite_check(f != NULL, "no %s", path);
    bytes = realloc(bytes, 1 << 20);
    size = fread(bytes, 1, 1 << 20, f);
    fclose(f);
    io.read = answer;
    io.size = size;
}

/* ---- readers: each returns a digest of what it reads ---- */

static utet_file file;
static uint64_t digest;

static void digested(const void *at, size_t length)
{
    const uint8_t *byte = at;

    while (length-- != 0)
        digest = (digest ^ *byte++) * UINT64_C(1099511628211);
}

static utet_status dataset(utet_dataset *data)
{
    utet_status status = utet_open(&file, NULL);

    return status == UTET_OK ? utet_dataset_first(&file, data) : status;
}

static utet_status stream(void)
{
    static const uint64_t first[UTET_MAX_NDIM];
    static uint8_t some[65536];
    utet_dataset data;
    utet_chunk chunk;
    utet_stream s;
    size_t got = 0;
    utet_status status = dataset(&data);

    if (status == UTET_OK)
        status = utet_chunk_find(&file, &data, first, &chunk);
    if (status == UTET_OK)
        status = utet_stream_open(&s, &file, &chunk);
    for (; status == UTET_OK; digested(some, got))
        status = utet_stream_read(&s, some, 777, &got);
    return status == UTET_END ? UTET_OK : status;
}

static utet_range all[2];

/* A corner of the dataset, small enough to take no time. */
static void corner(const utet_dataset *data)
{
    for (unsigned d = 0; d < 2; d++)
        all[d] = (utet_range){0, data->shape[d] < 40 ? data->shape[d] : 40, 1 + 3 * d};
}

static utet_status slab(void)
{
    static uint8_t some[65536];
    utet_dataset data;
    utet_slab s;
    utet_status status = dataset(&data);

    corner(&data);
    if (status == UTET_OK)
        status = utet_slab_open(&s, &file, &data, all);
    if (status == UTET_OK)
        status = utet_slab_read_all(&s, some, sizeof some);
    digested(some, sizeof some);
    return status;
}

static const utet_fold_operation *operation;

static utet_status fold(void)
{
    static double results[4096];
    static utet_fold f;
    utet_dataset data;
    utet_fold_request request = {.operation = operation, .ranges = all, .axes = 1};
    utet_status status = dataset(&data);

    corner(&data);
    request.dataset = &data;
    if (status == UTET_OK)
        status = utet_fold_open(&f, &file, &request);
    if (status == UTET_OK)
        status = utet_fold_run(&f, results, 4096);
    digested(results, sizeof results);
    return status;
}

static utet_status matrix(void)
{
    static double results[16384];
    static utet_fold_matrix m;
    utet_dataset data;
    utet_fold_variables variables = {.ranges = all};
    utet_status status = dataset(&data);

    corner(&data);
    all[1].stop = 13;
    variables.dataset = &data;
    if (status == UTET_OK)
        status = utet_fold_matrix_open(&m, &file, &variables);
    if (status == UTET_OK)
        status = utet_fold_matrix_run(&m, results, 16384);
    digested(results, sizeof results);
    return status;
}

static utet_status check(void)
{
    static utet_check c;
    utet_finding finding;
    utet_status status = utet_open(&file, NULL);

    if (status == UTET_OK)
        utet_check_init(&c, &file);
    while (status == UTET_OK)
        status = utet_check_next(&c, &finding);
    return status == UTET_END ? UTET_OK : status;
}

static utet_status footer(void)
{
    static utet_meta meta;
    utet_status status = utet_open(&file, NULL);

    if (status == UTET_OK)
        status = utet_meta_open(&meta, &file);
    digested(&meta.file_info, sizeof meta.file_info);
    return status;
}

static utet_status array(void)
{
    static const utet_tiledb_codec *const gzip[] = {&utet_tiledb_gzip, &utet_tiledb_zstd, NULL};
    static const utet_tiledb_options options = {gzip, 0};
    static utet_tiledb tile;
    static utet_tiledb_schema schema;
    utet_status status = utet_tiledb_open(&tile, &file, &options);

    if (status == UTET_OK)
        status = utet_tiledb_schema_open(&schema, &tile);
    if (status == UTET_OK)
        status = utet_tiledb_schema_check(&schema);
    digested(&schema.version, sizeof schema.version);
    return status;
}

static utet_status tensor(void)
{
    static utet_tensor t;
    static utet_object object;
    static uint8_t some[512];
    utet_message message;
    utet_frame frame;
    utet_cbor reader;
    size_t got = 0;
    utet_status status = utet_messages_open(&file, NULL);

    if (status == UTET_OK)
        status = utet_message_first(&file, &message);
    if (status == UTET_OK)
        status = utet_object_find(&object, &file, &message, 0, &frame, &reader);
    if (status == UTET_OK)
        status = utet_tensor_open(&t, &file, &object);
    for (; status == UTET_OK; digested(some, got))
        status = utet_tensor_read(&t, some, sizeof some, &got);
    return status == UTET_END ? UTET_OK : status;
}

/* ---- the same at every address ---- */

/* Runs in a workspace of `work` bytes that begins `odd` bytes after a multiple of 128; nothing outside of it may be
 * touched. */
static utet_status run_at(utet_status (*reader)(void), size_t work, unsigned odd)
{
    guard aligned = guard_new((odd + work + 127) / 128 * 128 + 128, 128, GUARD_AFTER);
    uint8_t *at = aligned.data + odd;
    utet_status status;

    canary_fill(aligned.data, odd);
    canary_fill(at + work, aligned.size - odd - work);
    digest = 1;
    assert_int_equal(utet_init(&file, &io, at, work, codecs), UTET_OK);
    file.needed = 0;
    status = reader();
    suite_check(file.high_water <= work || status == UTET_E_BUDGET, "%zu of %zu bytes used", file.high_water, work);
    suite_check(canary_intact(aligned.data, odd) && canary_intact(at + work, aligned.size - odd - work),
                "touched outside of %zu bytes, %u behind a multiple of 128", work, odd);
    suite_check(guard_intact(&aligned), "written outside");
    guard_free(&aligned);
    return status;
}

/* Finds the smallest workspace, by asking for it step by step. */
static size_t least_at(const char *name, utet_status (*reader)(void), unsigned odd)
{
    size_t work = 0, steps = 0;
    utet_status status;

    while ((status = run_at(reader, work, odd)) == UTET_E_BUDGET) {
        suite_check(file.needed > work && steps++ < 9, "%s at %u: %zu refused, naming %llu", name, odd, work,
                    (unsigned long long)file.needed);
        work = (size_t)file.needed;
    }
    suite_check(status == UTET_OK, "%s at %u: %s", name, odd, rig_status(status));
    return work;
}

static void everywhere(const char *name, utet_status (*reader)(void), int only_window)
{
    static const uint16_t aligns[] = {1, 4, 32};

    for (unsigned a = 0; a < 3; a++) {
        size_t at_best;
        uint64_t same;
        unsigned odd;

        io.align = aligns[a];
        io.unit = 32;
        at_best = least_at(name, reader, 0);
        same = digest;
        for (odd = 1; odd < 40; odd += odd < 8 ? 1 : 9) {
            size_t work = least_at(name, reader, odd);
            size_t lost = (0u - odd) % io.align + (only_window ? 0 : (0u - odd) % 8);

            suite_check(digest == same, "%s at %u, align %u: other answers", name, odd, (unsigned)io.align);
            suite_check(work >= at_best && work <= at_best + lost, "%s at %u, align %u: %zu bytes, %zu at 0", name, odd,
                        (unsigned)io.align, work, at_best);
            suite_check(run_at(reader, work - 1, odd) == UTET_E_BUDGET && file.needed == work,
                        "%s at %u: %zu would do, %llu named", name, odd, work - 1, (unsigned long long)file.needed);
            for (size_t more = 1; more < 16; more += 6)
                suite_check(run_at(reader, work + more, odd) == UTET_OK && digest == same, "%s at %u: %zu more", name,
                            odd, more);
        }
    }
}

static void readers_of_tensors(void **state)
{
    (void)state;
    load("demo/demo_tiny.tet");
    everywhere("raw stream", stream, 1);
    everywhere("check", check, 1);
    everywhere("footer", footer, 1);
    load("demo/demo_planet.tet");
    everywhere("zstd stream", stream, 0);
    everywhere("slab", slab, 0);
}

static void folds(void **state)
{
    static const utet_fold_operation *const some[] = {&utet_fold_sum, &utet_fold_var, &utet_fold_max,
                                                      &utet_fold_median};
    (void)state;
    for (unsigned file_no = 0; file_no < 2; file_no++) {
        load(file_no != 0 ? "demo/demo_planet.tet" : "demo/demo_tiny.tet");
        for (size_t i = 0; i < sizeof some / sizeof some[0]; i++) {
            operation = some[i];
            everywhere("fold", fold, 0);
        }
    }
    load("demo/demo_planet.tet");
    everywhere("matrix", matrix, 0);
}

static void other_formats(void **state)
{
    static const char *const tensors[] = {"m_desc_lz4_ok",   "m_desc_zstd_check", "m_desc_mask_three",
                                          "m_desc_mask_rle", "m_desc_sp_ok",      "m_desc_roaring_ok"};
    char name[64];

    (void)state;
    load("tiledb/good/m0644_zlib_level_9.schema");
    everywhere("schema", array, 0);
    for (size_t i = 0; i < sizeof tensors / sizeof tensors[0]; i++) {
        snprintf(name, sizeof name, "tensogram/good/%s.tgm", tensors[i]);
        load(name);
        everywhere(tensors[i], tensor, 0);
    }
    load("tensogram/good/scalar.tgm");
    everywhere("a tensor as it stands", tensor, 1);
}

/* What the pages promise: the smallest workspace that a page states opens a file at any address. */
static void the_least_window_opens_anywhere(void **state)
{
    (void)state;
    load("demo/demo_tiny.tet");
    io.align = 1;
    for (io.unit = 1; io.unit <= 512; io.unit = (uint16_t)(io.unit * 2))
        for (unsigned odd = 0; odd < 8; odd++)
            assert_int_equal(run_at(stream, UTET_WINDOW_LEAST(io.unit), odd), UTET_OK);
}

/* Mapped files need no window: only the memory after it begins at a multiple of 8. */
static void mapped(void **state)
{
    (void)state;
    load("demo/demo_planet.tet");
    io.align = io.unit = 1;
    io.map = bytes;
    for (unsigned odd = 0; odd < 8; odd++) {
        size_t work = least_at("mapped", slab, odd);

        assert_int_equal(work - least_at("mapped", slab, 0), (8 - odd) % 8);
        assert_int_equal(run_at(slab, work - 1, odd), UTET_E_BUDGET);
        assert_int_equal(file.needed, work);
    }
    load("tiledb/good/m0644_zlib_level_9.schema");
    io.map = bytes;
    for (unsigned odd = 0; odd < 8; odd++) { /* also if the workspace ends before that multiple of 8 */
        size_t least = least_at("mapped", array, odd);

        for (size_t work = 0; work < 16; work++) {
            assert_int_equal(run_at(array, work, odd), UTET_E_BUDGET);
            suite_check(file.needed > work && file.needed <= least, "%zu bytes at %u: %llu named", work, odd,
                        (unsigned long long)file.needed);
        }
    }
    io.map = NULL;
}

/* The zstd decoder by itself. */
static void decoder_alone(void **state)
{
    static const uint8_t frame[] = {0x28, 0xb5, 0x2f, 0xfd, 0x20, 6, 0x31, 0, 0, 'm', 'i', 'c', 'r', 'o', '\n'};
    static const utet_io source = {.map = frame, .size = sizeof frame};

    (void)state;
    for (unsigned odd = 0; odd < 8; odd++)
        for (int slices = 0; slices < 2; slices++) {
            uint8_t out[6];
            const utet_zstd_job job = {.io = &source, .length = sizeof frame, .size = 6, .dst = slices ? NULL : out};
            const size_t lost = (8 - odd) % 8;
            const uint8_t *at;
            utet_need need;
            utet_zstd *z;
            size_t got;

            assert_int_equal(utet_zstd_need(&job, 0, &need), UTET_OK);
            for (size_t work = (size_t)need.least - 8; work < need.least + 16; work++) {
                guard room = guard_new((work + odd + 7) / 8 * 8 + 8, 8, GUARD_AFTER);
                uint8_t *const from = room.data + odd;
                utet_status status;

                canary_fill(room.data, odd);
                canary_fill(from + work, room.size - odd - work);
                status = utet_zstd_init(&z, &job, from, work);
                if (status == UTET_OK)
                    status = utet_zstd_step(z, 6, &at, &got);
                suite_check(status == (work < need.least + lost ? UTET_E_BUDGET : UTET_OK), "%zu at %u: %s", work, odd,
                            rig_status(status));
                if (status == UTET_OK)
                    assert_memory_equal(at, "micro\n", 6);
                suite_check(canary_intact(room.data, odd) && canary_intact(from + work, room.size - odd - work),
                            "outside");
                guard_free(&room);
            }
        }
}

int main(void)
{
    const struct CMUnitTest cases[] = {
        cmocka_unit_test(the_least_window_opens_anywhere),
        cmocka_unit_test(readers_of_tensors),
        cmocka_unit_test(folds),
        cmocka_unit_test(other_formats),
        cmocka_unit_test(mapped),
        cmocka_unit_test(decoder_alone),
    };
    return SUITE("anywhere", cases);
}
