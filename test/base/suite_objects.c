/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * The life of file, stream and slab objects: what happens to an object that is opened again, refused, superseded,
 * cancelled or never opened; what a suspended call may not touch; rows that are missing at the end. Each case was a bug
 * once.
 */
#include "rig.h"
#include "tetgen.h"
#include "utet_check.h"
#include "utet_codec.h"
#include "utet_folder.h"
#include "utet_inflate.h"
#include "utet_query.h"
#include "utet_show.h"
#include "utet_szip.h"
#include "utet_tensogram_data.h"
#include "utet_tiledb_folder.h"
#include "utet_transform.h"
#include "utet_zstd.h"

#include <stdlib.h>
#include <string.h>

static const tetgen_dataset three[3] = {
    {"a", 1, UTET_U8, 1, {20}, {4}, TETGEN_RAW},
#ifdef TETGEN_NO_ZSTD
    {"z", 1, UTET_U8, 1, {4000}, {2000}, TETGEN_RAW},
#else
    {"z", 1, UTET_U8, 1, {4000}, {2000}, TETGEN_ZSTD},
#endif
    {"b", 1, UTET_F64, 2, {8, 8}, {4, 4}, TETGEN_RAW},
};

typedef struct bench {
    tetgen g;
    rig r;
    utet_dataset a, z, b;
} bench;

static const utet_range all_of_a = {0, 20, 1}, beyond_a = {0, 21, 1}, all_of_z = {0, 4000, 1};

static void begin(bench *t, size_t work, int codec)
{
    memset(t, 0, sizeof *t);
    t->g.datasets = three;
    t->g.count = 3;
    t->g.seed = 7;
    tetgen_build(&t->g);
    rig_make(&t->r, t->g.bytes, t->g.size, codec);
    assert_int_equal(rig_open(&t->r, work, (size_t)-1), UTET_OK);
    DRIVE_OK(utet_dataset_find(&t->r.file, "a", 1, &t->a));
    DRIVE_OK(utet_dataset_find(&t->r.file, "z", 1, &t->z));
    DRIVE_OK(utet_dataset_find(&t->r.file, "b", 1, &t->b));
}

static void end(bench *t, const char *what)
{
    rig_end(&t->r, what);
    tetgen_free(&t->g);
}

static void a_slab_refused_when_opened_again_is_over(void **state)
{
    (void)state;
    for (int codec = 0; codec < (int)rig_codecs(); codec++) {
        utet_slab slab;
        utet_run run;
        bench t;
        begin(&t, 2048, codec);
        assert_int_equal(utet_slab_open(&slab, &t.r.file, &t.a, &all_of_a), UTET_OK);
        assert_int_equal(utet_slab_open(&slab, &t.r.file, &t.a, &beyond_a), UTET_E_RANGE);
        assert_int_equal(utet_slab_next(&slab, &run), UTET_E_STATE);
        assert_int_equal(utet_slab_open(&slab, &t.r.file, &t.a, &all_of_a), UTET_OK);
        assert_int_equal(utet_slab_need(&slab, &t.r.file, &t.a, &all_of_a), UTET_OK);
        assert_int_equal(utet_slab_next(&slab, &run), UTET_E_STATE);
#ifndef TETGEN_NO_ZSTD
        assert_int_equal(utet_slab_open(&slab, &t.r.file, &t.a, &all_of_a), UTET_OK);
        assert_int_equal(utet_slab_open(&slab, &t.r.file, &t.z, &all_of_z), UTET_E_BUDGET);
        assert_int_equal(utet_slab_next(&slab, &run), UTET_E_STATE);
#endif
        end(&t, "slab opened again");
    }
}

static void a_slab_refused_leaves_others_alone(void **state)
{
    utet_slab good, bad;
    utet_run run;
    bench t;
    (void)state;
    begin(&t, 2048, -1);
    assert_int_equal(utet_slab_open(&good, &t.r.file, &t.a, &all_of_a), UTET_OK);
    assert_int_equal(utet_slab_open(&bad, &t.r.file, &t.a, &beyond_a), UTET_E_RANGE);
    assert_int_equal(utet_slab_need(&bad, &t.r.file, &t.a, &all_of_a), UTET_OK);
    assert_int_equal(utet_slab_next(&good, &run), UTET_OK);
    end(&t, "refused beside");
}

static void objects_never_opened(void **state)
{
    utet_stream stream;
    utet_tiles tiles;
    utet_slab slab;
    utet_run run;
    uint8_t byte;
    size_t got;
    (void)state;
    memset(&tiles, 0, sizeof tiles);
    memset(&stream, 0, sizeof stream);
    memset(&slab, 0, sizeof slab);
    assert_int_equal(utet_slab_move(&slab, &all_of_a), UTET_E_STATE);
    assert_int_equal(utet_stream_read(&stream, &byte, 1, &got), UTET_E_STATE);
    assert_int_equal(utet_stream_skip(&stream, 1), UTET_E_STATE);
    assert_int_equal(utet_slab_next(&slab, &run), UTET_E_STATE);
    assert_int_equal(utet_slab_read_all(&slab, &byte, 1), UTET_E_STATE);
    assert_int_equal(utet_tiles_read(&tiles, &all_of_a, &byte, 1), UTET_E_STATE);
}

/* Programs that are built separately ask which library they have: it reports what the headers say. */
static void the_library_tells_what_it_is(void **state)
{
    (void)state;
    assert_int_equal(utet_version(), UTET_VERSION);
    assert_string_equal(utet_version_text(), "0.9.0");
#define SIZE(number, type) assert_int_equal(utet_sizeof(UTET_OBJECT_##number), sizeof(type))
    SIZE(FILE, utet_file);
    SIZE(DATASET, utet_dataset);
    SIZE(CHUNK, utet_chunk);
    SIZE(STREAM, utet_stream);
    SIZE(SLAB, utet_slab);
    SIZE(CHECK, utet_check);
    SIZE(META, utet_meta);
    SIZE(DATASET_META, utet_dataset_meta);
    SIZE(ZONES, utet_zones);
    SIZE(IO, utet_io);
    SIZE(NEED, utet_need);
    SIZE(OPTIONS, utet_options);
    SIZE(ROWS, utet_rows);
    SIZE(RANGE, utet_range);
    SIZE(RUN, utet_run);
    SIZE(AXIS, utet_axis);
    SIZE(TILES, utet_tiles);
    SIZE(VIEW, utet_view);
    SIZE(CODEC_DRIVER, utet_codec_driver);
    SIZE(CODEC, utet_codec);
    SIZE(FINDING, utet_finding);
    SIZE(VALUE, utet_value);
    SIZE(SPAN, utet_span);
    SIZE(EVENT, utet_event);
    SIZE(ZONE, utet_zone);
    SIZE(ZSTD_JOB, utet_zstd_job);
    SIZE(FOLDER, utet_folder);
    SIZE(PHYSICAL, utet_physical);
#undef SIZE
/* absent from the joined file, whose suites are compiled without it */
#define OTHER(number, type) \
    assert_int_equal(utet_sizeof(UTET_OBJECT_##number), getenv("SUITE_JOINED") != NULL ? 0 : sizeof(type))
    OTHER(FOLD_REQUEST, utet_fold_request);
    OTHER(FOLD_FILTER, utet_fold_filter);
    OTHER(FOLD_WINDOW, utet_fold_window);
    OTHER(FOLD_AXIS, utet_fold_axis);
    OTHER(FOLD_GROUPING, utet_fold_grouping);
    OTHER(FOLD_SHARE, utet_fold_share);
    OTHER(FOLD, utet_fold);
    OTHER(FOLD_CHANGE, utet_fold_change);
    OTHER(FOLD_VARIABLES, utet_fold_variables);
    OTHER(FOLD_MATRIX, utet_fold_matrix);
    OTHER(FOLD_MATRIX_SHARE, utet_fold_matrix_share);
    OTHER(TRANSFORM_INTO, utet_transform_into);
    OTHER(TRANSFORM, utet_transform);
    OTHER(QUERY_TEXT_AT, utet_query_text_at);
    OTHER(QUERY_RANGE, utet_query_range);
    OTHER(QUERY_FAULT, utet_query_fault);
    OTHER(QUERY, utet_query);
    OTHER(QUERY_PLAN, utet_query_plan);
    OTHER(QUERY_TOUCHED, utet_query_touched);
    OTHER(QUERY_SKIPS, utet_query_skips);
    OTHER(QUERY_ANSWER, utet_query_answer);
    OTHER(QUERY_ELEMENTS, utet_query_elements);
    OTHER(QUERY_RESPONSE, utet_query_response);
    OTHER(INFLATE_JOB, utet_inflate_job);
    OTHER(INFLATE, utet_inflate);
    OTHER(SZIP_PARAMS, utet_szip_params);
    OTHER(SZIP, utet_szip);
    OTHER(SZIP_CODEC, utet_szip_codec);
    OTHER(CBOR, utet_cbor);
    OTHER(ITEM, utet_item);
    OTHER(FRAME, utet_frame);
    OTHER(MESSAGE, utet_message);
    OTHER(FRAME_HASH, utet_frame_hash);
    OTHER(MASK, utet_mask);
    OTHER(OBJECT, utet_object);
    OTHER(SEGMENT, utet_segment);
    OTHER(METADATA_DOCUMENT, utet_metadata_document);
    OTHER(METADATA, utet_metadata);
    OTHER(ENTRY, utet_entry);
    OTHER(COMMON, utet_common);
    OTHER(METADATA_CHECKING, utet_metadata_checking);
    OTHER(METADATA_COMPARING, utet_metadata_comparing);
    OTHER(BITS_CODEC, utet_bits_codec);
    OTHER(BIT_RUNS, utet_bit_runs);
    OTHER(TENSOR, utet_tensor);
    OTHER(TENSOR_SLAB, utet_tensor_slab);
    OTHER(TILEDB_FILTERS, utet_tiledb_filters);
    OTHER(TILEDB_FILTER, utet_tiledb_filter);
    OTHER(TILEDB_PART, utet_tiledb_part);
    OTHER(TILEDB_CODEC, utet_tiledb_codec);
    OTHER(TILEDB_OPTIONS, utet_tiledb_options);
    OTHER(TILEDB, utet_tiledb);
    OTHER(TILEDB_TEXT, utet_tiledb_text);
    OTHER(TILEDB_ITEM, utet_tiledb_item);
    OTHER(TILEDB_SCHEMA, utet_tiledb_schema);
    OTHER(TILEDB_ENUMERATION, utet_tiledb_enumeration);
    OTHER(TILEDB_ENTRY, utet_tiledb_entry);
    OTHER(TILEDB_STAMP, utet_tiledb_stamp);
    OTHER(TILEDB_FILES, utet_tiledb_files);
    OTHER(TILEDB_KEYS, utet_tiledb_keys);
    OTHER(TILEDB_GROUP, utet_tiledb_group);
    OTHER(TILEDB_MEMBER, utet_tiledb_member);
#undef OTHER
    assert_int_equal(utet_sizeof(UTET_OBJECT_FOLD_MATRIX_SHARE + 1), 0);
}

/* All zeros, like static objects; utet_init leaves a refused file in the same state. */
static void files_never_initialised(void **state)
{
    utet_dataset dataset;
    utet_check check;
    utet_chunk chunk;
    utet_value value;
    utet_meta meta;
    utet_file file;
    size_t got;
    char byte;
    (void)state;
    memset(&file, 0, sizeof file);
    memset(&meta, 0, sizeof meta);
    memset(&value, 0, sizeof value);
    assert_int_equal(utet_init(&file, NULL, NULL, 0, NULL), UTET_E_ARGUMENT);
    assert_int_equal(utet_open(&file, NULL), UTET_E_STATE);
    assert_int_equal(utet_dataset_first(&file, &dataset), UTET_E_STATE);
    assert_int_equal(utet_row_first(&file, &chunk), UTET_E_STATE);
    utet_check_init(&check, &file);
    assert_int_equal(utet_check_rows(&check), UTET_E_STATE);
    assert_int_equal(utet_cancel(&file), UTET_OK);
    assert_int_equal(utet_text_read(&meta, &value, &byte, 1, &got), UTET_E_STATE);
    assert_int_equal(utet_meta_check_limits(&meta), UTET_E_STATE);
    assert_int_equal(utet_meta_strict(&meta), UTET_E_STATE);
    assert_int_equal(utet_meta_open(&meta, &file), UTET_E_STATE);
    assert_int_equal(utet_value_next(&meta, &value, &value, &value), UTET_E_STATE);
}

static void a_superseded_slab_may_outlive_its_dataset(void **state)
{
    static const uint64_t corner[UTET_MAX_NDIM];
    utet_dataset *d = malloc(sizeof *d);
    utet_stream stream;
    utet_chunk chunk;
    utet_slab slab;
    uint8_t out[20];
    bench t;
    (void)state;
    begin(&t, 2048, -1);
    *d = t.a;
    assert_int_equal(utet_slab_open(&slab, &t.r.file, d, &all_of_a), UTET_OK);
    assert_int_equal(utet_chunk_find(&t.r.file, &t.a, corner, &chunk), UTET_OK);
    assert_int_equal(utet_stream_open(&stream, &t.r.file, &chunk), UTET_OK);
    free(d);
    assert_int_equal(utet_slab_read_all(&slab, out, sizeof out), UTET_E_STATE);
    end(&t, "superseded");
}

static void huge_steps_stay_inside(void **state)
{
    const utet_range steps[] = {{0, 20, UINT64_MAX / 2 + 1}, {19, 20, UINT64_MAX}, {0, 20, UINT64_MAX - 2}};
    (void)state;
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        utet_slab slab;
        uint8_t out = 0;
        bench t;
        begin(&t, 2048, -1);
        assert_int_equal(utet_slab_open(&slab, &t.r.file, &t.a, &steps[i]), UTET_OK);
        assert_true(slab.count == 1);
        assert_int_equal(utet_slab_read_all(&slab, &out, 1), UTET_OK);
        assert_int_equal(out, t.g.dense[0][steps[i].start]);
        end(&t, "huge step");
    }
}

static void null_pointers_are_refused(void **state)
{
    static uint64_t work[100];
    utet_io io;
    utet_file file;
    bench t;
    (void)state;
    begin(&t, 2048, -1);
    io = t.r.port.io;
    assert_int_equal(utet_init(&file, &io, NULL, sizeof work, NULL), UTET_E_ARGUMENT);
    io.read = NULL;
    assert_int_equal(utet_init(&file, &io, work, sizeof work, NULL), UTET_E_ARGUMENT);
    assert_int_equal(utet_init(&file, NULL, work, sizeof work, NULL), UTET_E_ARGUMENT);
    assert_int_equal(utet_init(NULL, &t.r.port.io, work, sizeof work, NULL), UTET_E_ARGUMENT);
    io.map = t.g.bytes; /* then neither of them is needed */
    assert_int_equal(utet_init(&file, &io, NULL, 0, NULL), UTET_OK);
    assert_int_equal(utet_open(&file, NULL), UTET_OK);
    end(&t, "null");
}

/* "With io.map there is none and the workspace may be empty": then nothing may be added to a null pointer (the ubsan
 * variant). */
static void a_mapped_file_needs_no_workspace(void **state)
{
    const utet_range all_of_b[2] = {{0, 8, 1}, {0, 8, 3}};
    const uint64_t corner[UTET_MAX_NDIM] = {0};
    uint8_t out[8 * 3 * 8], bytes[4];
    utet_stream stream;
    utet_dataset d;
    utet_chunk chunk;
    utet_slab slab;
    utet_file file;
    utet_check check;
    utet_finding finding;
    utet_io io;
    size_t got;
    bench t;
    (void)state;
    begin(&t, 2048, (int)rig_codecs() - 1);
    io = t.r.port.io;
    io.read = NULL;
    io.map = t.g.bytes;
    assert_int_equal(utet_init(&file, &io, NULL, 0, t.r.codecs), UTET_OK);
    assert_int_equal(utet_open(&file, NULL), UTET_OK);
    assert_int_equal(utet_dataset_find(&file, "a", 1, &d), UTET_OK);
    assert_int_equal(utet_chunk_find(&file, &d, corner, &chunk), UTET_OK);
    assert_int_equal(utet_stream_open(&stream, &file, &chunk), UTET_OK);
    assert_int_equal(utet_stream_read(&stream, bytes, 4, &got), UTET_OK);
    assert_memory_equal(bytes, t.g.dense[0], 4);
    assert_int_equal(utet_stream_load(&stream, &file, &chunk, bytes, 4), UTET_OK);
    assert_memory_equal(bytes, t.g.dense[0], 4);
    assert_int_equal(utet_dataset_find(&file, "b", 1, &d), UTET_OK);
    assert_int_equal(utet_slab_open(&slab, &file, &d, all_of_b), UTET_OK);
    assert_int_equal(utet_slab_read_all(&slab, out, sizeof out), UTET_OK);
    for (unsigned i = 0; i < 24; i++)
        assert_memory_equal(out + 8 * i, t.g.dense[2] + (i / 3 * 8 + i % 3 * 3) * 8, 8);
    assert_int_equal(file.high_water, 0);
    assert_int_equal(utet_dataset_find(&file, "z", 1, &d), UTET_OK);
    assert_int_equal(utet_chunk_find(&file, &d, corner, &chunk), UTET_OK);
#ifndef TETGEN_NO_ZSTD
    assert_int_equal(utet_stream_open(&stream, &file, &chunk), UTET_E_BUDGET); /* a codec needs some */
#endif
    utet_check_init(&check, &file);
    while (utet_check_next(&check, &finding) == UTET_OK)
        ;
    assert_true(check.ok);
    end(&t, "mapped");
}

/* The next read of the port returns "not yet", whatever the window holds. */
static void not_yet(bench *t)
{
    t->r.port.blocks = 1;
    t->r.file.priv.held = 0;
}

static void cancelled_questions_end_nothing(void **state)
{
    static const uint64_t corner[UTET_MAX_NDIM];
    const utet_range box[2] = {{0, 8, 1}, {0, 8, 1}};
    utet_stream stream;
    utet_chunk chunk;
    utet_need need = {77, 78};
    utet_slab slab;
    uint8_t byte;
    size_t got;
    bench t;
    (void)state;
    begin(&t, 40000, (int)rig_codecs() - 1);
    assert_int_equal(utet_chunk_find(&t.r.file, &t.a, corner, &chunk), UTET_OK);
    assert_int_equal(utet_stream_open(&stream, &t.r.file, &chunk), UTET_OK);
    not_yet(&t);
    assert_int_equal(utet_slab_need(&slab, &t.r.file, &t.b, box), UTET_WOULD_BLOCK);
    utet_cancel(&t.r.file);
    t.r.port.blocks = 0;
    assert_int_equal(utet_stream_read(&stream, &byte, 1, &got), UTET_OK);
#ifndef TETGEN_NO_ZSTD
    assert_int_equal(utet_chunk_find(&t.r.file, &t.z, corner, &chunk), UTET_OK);
    not_yet(&t);
    assert_int_equal(utet_chunk_need(&t.r.file, &chunk, 0, &need), UTET_WOULD_BLOCK);
    assert_true(need.least == 77 && need.best == 78); /* nothing changes that the caller can see */
    utet_cancel(&t.r.file);
#endif
    end(&t, "cancelled question");
}

static void one_call_is_not_taken_for_another(void **state)
{
    utet_finding finding;
    utet_check check;
    utet_chunk chunk;
    bench t;
    (void)state;
    begin(&t, 2048, -1);
    not_yet(&t);
    assert_int_equal(utet_row_first(&t.r.file, &chunk), UTET_WOULD_BLOCK);
    chunk.row = 2;
    assert_int_equal(utet_row_next(&t.r.file, &chunk), UTET_E_STATE);
    utet_cancel(&t.r.file);
    utet_check_init(&check, &t.r.file);
    not_yet(&t);
    assert_int_equal(utet_check_rows(&check), UTET_WOULD_BLOCK);
    assert_int_equal(utet_check_next(&check, &finding), UTET_E_STATE);
    utet_cancel(&t.r.file);
    end(&t, "one for another");
}

/* Removes `less` rows from the end of the index, and adjusts its length and count. */
static void rows_missing_at_the_end(void **state)
{
    (void)state;
    for (unsigned less = 1; less <= 11; less++) {
        utet_finding finding;
        utet_check check;
        utet_status status;
        unsigned errors = 0;
        bench t;
        begin(&t, 2048, -1);
        assert_int_equal(t.g.row_count, 11);
        rig_end(&t.r, "whole");
        tetgen_put(t.g.bytes + t.g.index_offset + 8, 11 - less, 8);
        tetgen_put(t.g.bytes + 24, 32 + 104 * (11 - less), 8);
        rig_make(&t.r, t.g.bytes, t.g.size, -1);
        assert_int_equal(rig_open(&t.r, 2048, (size_t)-1), UTET_OK);
        utet_check_init(&check, &t.r.file);
        for (;;) {
            DRIVE(status, utet_check_next(&check, &finding));
            if (status != UTET_OK)
                break;
            if (!finding.ok) {
                assert_int_equal(finding.check, UTET_CHECK_DATASET_TENSOR_BYTES);
                assert_int_equal(finding.status, UTET_E_MISSING);
                errors++;
            }
        }
        assert_int_equal(status, UTET_END);
        assert_false(check.ok);
        assert_int_equal(errors, less <= 4 ? 1 : less <= 6 ? 2 : 3); /* rows: 5 of a, 2 of z, 4 of b */
        end(&t, "rows missing");
    }
}

/* A directory (§3), and with it the file, ends within the head of the second record: the error is in the record, not in
 * the medium. */
static void a_record_cut_by_the_directory(void **state)
{
    enum { RECORDS = 40, FIRST = 16 + 24 + 16 };

    (void)state;
    for (unsigned left = 8; left < 16; left++) {
        uint8_t bytes[RECORDS + FIRST + 16] = "TETR";
        rig r;
        tetgen_put(bytes + 4, 1, 4);
        tetgen_put(bytes + 8, 2, 4);
        tetgen_put(bytes + 32, FIRST + left, 8);
        tetgen_put(bytes + RECORDS, 24, 4); /* length of the name, dtype u8, rank 1 */
        tetgen_put(bytes + RECORDS + 4, UTET_U8, 4);
        tetgen_put(bytes + RECORDS + 8, 1, 4);
        memset(bytes + RECORDS + 16, 'a', 24);
        tetgen_put(bytes + RECORDS + 40, 1, 8);
        tetgen_put(bytes + RECORDS + 48, 1, 8);
        rig_make(&r, bytes, RECORDS + FIRST + left, -1);
        assert_int_equal(rig_open(&r, 2048, (size_t)-1), UTET_E_DATASET);
        assert_int_equal(r.file.error_offset, RECORDS + FIRST);
        rig_end(&r, "cut record");
    }
}

int main(void)
{
    const struct CMUnitTest cases[] = {
        cmocka_unit_test(a_slab_refused_when_opened_again_is_over),
        cmocka_unit_test(a_slab_refused_leaves_others_alone),
        cmocka_unit_test(objects_never_opened),
        cmocka_unit_test(the_library_tells_what_it_is),
        cmocka_unit_test(files_never_initialised),
        cmocka_unit_test(a_superseded_slab_may_outlive_its_dataset),
        cmocka_unit_test(huge_steps_stay_inside),
        cmocka_unit_test(null_pointers_are_refused),
        cmocka_unit_test(a_mapped_file_needs_no_workspace),
        cmocka_unit_test(cancelled_questions_end_nothing),
        cmocka_unit_test(one_call_is_not_taken_for_another),
        cmocka_unit_test(rows_missing_at_the_end),
        cmocka_unit_test(a_record_cut_by_the_directory),
    };
    return SUITE("objects", cases);
}
