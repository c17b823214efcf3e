/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * What the suites of the call protocol share: two files, a .tet file that is read and a query document, with metadata,
 * folds and queries. protocolformats.h has the messages and the files of TileDB.
 */
#ifndef PROTOCOLWORLD_H
#define PROTOCOLWORLD_H

#include "faultport.h"
#include "metagen.h"
#include "suite.h"
#include "utet_check.h"
#include "utet_query.h"
#include "utet_transform.h"

#include <string.h>

/* ---- the two files: the one that is read, and the query document ---- */

enum { FILES = 2 };
static faultport port[FILES];
static utet_file file[FILES];
static uint64_t work[FILES][1024];
static size_t got;

static inline void open_file(unsigned which, const void *bytes, size_t size)
{
    faultport_init(&port[which], bytes, size);
    port[which].slice = 24;
    assert_int_equal(utet_init(&file[which], &port[which].io, work[which], sizeof work[which], NULL), UTET_OK);
}

static inline uint64_t requests(void)
{
    return port[0].reads + port[0].blocked + port[1].reads + port[1].blocked;
}

/* ---- a .tet file, its metadata, folds, a query ---- */

static const char query_text[] = "{\"dataset\":\"d\",\"filter\":{\"gt\":0},\"sum\":[]}";
static const char refused_text[] = "{\"dataset\":\"d\",\"sum\":[\"q\"]}";
static metagen usual;
static utet_dataset d, other, floats; /* floats: the same bytes as two f32 in two chunks */
static utet_chunk chunk;
static utet_stream stream;
static utet_slab slab;
static utet_tiles tiles;
static utet_rows rows;
static uint32_t places[8], many_places[16];
static utet_meta meta, meta2;
static utet_dataset_meta about;
static utet_zones zones;
static utet_zone zone;
static utet_value value, item;
static utet_check check;
static utet_fold fold, fold2;
static utet_fold_share share, share2;
static utet_fold_grouping grouping;
static utet_fold_matrix matrix, matrix2;
static utet_fold_matrix_share matrix_share, matrix_share2;
static utet_transform transform;
static utet_query query;
static utet_query_plan plan;
static utet_query_touched touched;
static utet_query_skips skips;
static utet_query_answer answer;
static utet_query_response response;
static uint64_t index_;
static unsigned axis;
static const uint64_t first_chunk[UTET_MAX_NDIM];
static const utet_range all[UTET_MAX_NDIM] = {{0, 4, 1}};
static const utet_range both[UTET_MAX_NDIM] = {{0, 2, 1}};
static double results[8];
static uint8_t bytes[4096];
static uint8_t bits[4];
static char text[300];
static char gathered[UTET_QUERY_RESPONSE_MIN];
static const utet_fold_filter positive = {.tests = UTET_FOLD_GT};
static utet_fold_request sum_request, float_request;
static utet_fold_variables variables;
static utet_dataset square;
static utet_transform_into into;
static unsigned writes;

static inline utet_status take_text(void *context, const char *at, size_t length)
{
    (void)context;
    (void)at;
    (void)length;
    writes++;
    return UTET_OK;
}

static inline void set_tet(void)
{
    usual = metagen_usual;
    metagen_build(&usual);
    open_file(0, usual.bytes, usual.size);
    open_file(1, query_text, sizeof query_text - 1);
    memset(&share, 0, sizeof share);
    memset(&grouping, 0, sizeof grouping);
    memset(&skips, 0, sizeof skips);
    memset(&touched, 0, sizeof touched);
}

static inline void unset_tet(void)
{
    metagen_free(&usual);
}

static inline void opened(void)
{
    assert_int_equal(utet_open(&file[0], NULL), UTET_OK);
    assert_int_equal(utet_dataset_first(&file[0], &d), UTET_OK);
    other = d;
    floats = d;
    floats.dtype = UTET_F32;
    floats.elem_size = 4;
    floats.shape[0] = 2;
    floats.chunk_shape[0] = 1;
    square = floats; /* axes of one variable; the second axis is the chunks' */
    square.ndim = 2;
    square.shape[1] = 1;
    square.chunk_shape[1] = 1;
    square.grid[1] = 1;
    sum_request = (utet_fold_request){.dataset = &d, .ranges = all, .axes = 1, .operation = &utet_fold_sum};
    float_request = (utet_fold_request){.dataset = &floats, .ranges = both, .axes = 1};
    assert_int_equal(utet_chunk_find(&file[0], &d, first_chunk, &chunk), UTET_OK);
}
static inline void not_opened(void)
{
}
static inline void some_rows(void)
{
    opened();
    assert_int_equal(utet_rows_init(&rows, &file[0], &d, places, 8), UTET_OK);
}
static inline void a_stream(void)
{
    opened();
    assert_int_equal(utet_stream_open(&stream, &file[0], &chunk), UTET_OK);
}
static inline void a_slab(void)
{
    opened();
    assert_int_equal(utet_slab_open(&slab, &file[0], &d, all), UTET_OK);
}
static inline void some_tiles(void)
{
    opened();
    assert_int_equal(utet_tiles_init(&tiles, &file[0], &d, 1), UTET_OK);
}
static inline void a_check(void)
{
    opened();
    utet_check_init(&check, &file[0]);
}
static inline void metadata_(void)
{
    opened();
    assert_int_equal(utet_meta_open(&meta, &file[0]), UTET_OK);
    assert_int_equal(utet_meta_dataset(&meta, &d, &about), UTET_OK);
}
static inline void labels(void)
{
    metadata_();
    assert_int_equal(utet_meta_labels(&meta, &about, 0, &value), UTET_OK);
}
static inline void a_text(void)
{
    labels();
    assert_int_equal(utet_list_nth(&meta, &value, 2, &item), UTET_OK);
}
static inline void history(void)
{
    metadata_();
    value = meta.history;
}
static inline void attributes(void)
{
    metadata_();
    value = about.attrs;
}
static inline void zone_maps(void)
{
    metadata_();
    assert_int_equal(utet_zones_open(&meta, &about, &zones), UTET_OK);
}
static inline void postings(void)
{
    metadata_();
    assert_int_equal(utet_index_label(&meta, &about, 0, "a", 1, &value), UTET_OK);
}
static inline void a_fold(void)
{
    opened();
    assert_int_equal(utet_fold_open(&fold, &file[0], &sum_request), UTET_OK);
}
static inline void a_filtered_fold(void)
{
    metadata_();
    assert_int_equal(utet_fold_open(&fold, &file[0], &sum_request), UTET_OK);
    assert_int_equal(utet_fold_where(&fold, &positive), UTET_OK);
    skips.bits = bits;
    skips.size = sizeof bits;
}
static inline void parts(void)
{
    unsigned i;

    opened();
    open_file(1, usual.bytes, usual.size);
    assert_int_equal(utet_open(&file[1], NULL), UTET_OK);
    for (i = 0; i < 2; i++) {
        utet_fold *one = i == 0 ? &fold : &fold2;
        utet_fold_share *of = i == 0 ? &share : &share2;

        memset(of, 0, sizeof *of);
        of->parts = 2;
        of->part = i;
        assert_int_equal(utet_fold_open(one, &file[i], &sum_request), UTET_OK);
        assert_int_equal(utet_fold_divide(one, of), UTET_OK);
        assert_int_equal(utet_fold_run(one, results, 1), UTET_OK);
    }
}
static inline void a_matrix(void)
{
    opened();
    variables = (utet_fold_variables){.dataset = &square, .ranges = both, .observations = 0};
}
static inline void an_open_matrix(void)
{
    static const utet_range ranges[UTET_MAX_NDIM] = {{0, 2, 1}, {0, 1, 1}};

    a_matrix();
    variables.ranges = ranges;
    assert_int_equal(utet_fold_matrix_open(&matrix, &file[0], &variables), UTET_OK);
}
static inline void parts_of_a_matrix(void)
{
    unsigned i;

    an_open_matrix();
    open_file(1, usual.bytes, usual.size);
    assert_int_equal(utet_open(&file[1], NULL), UTET_OK);
    for (i = 0; i < 2; i++) {
        utet_fold_matrix *one = i == 0 ? &matrix : &matrix2;
        utet_fold_matrix_share *of = i == 0 ? &matrix_share : &matrix_share2;

        memset(of, 0, sizeof *of);
        of->parts = 2;
        of->part = i;
        assert_int_equal(utet_fold_matrix_open(one, &file[i], &variables), UTET_OK);
        assert_int_equal(utet_fold_matrix_divide(one, of), UTET_OK);
        assert_int_equal(utet_fold_matrix_run(one, NULL, 0), UTET_OK);
    }
}
static inline void a_request_of_a_matrix(void)
{
    static const utet_range ranges[UTET_MAX_NDIM] = {{0, 2, 1}, {0, 1, 1}};

    a_matrix();
    variables.ranges = ranges;
}
static inline void a_transform(void)
{
    opened();
    assert_int_equal(utet_transform_open(&transform, &file[0], &float_request, &utet_transform_center), UTET_OK);
    into = (utet_transform_into){.elements = bytes, .size = 8};
}
static inline void a_query(void)
{
    metadata_();
    assert_int_equal(utet_query_open(&query, &file[1], utet_query_options), UTET_OK);
}
static inline void a_plan(void)
{
    a_query();
    assert_int_equal(utet_query_bind(&plan, &query, &meta, NULL, 0), UTET_OK);
    assert_true(plan.matched);
    skips.bits = bits;
    skips.size = sizeof bits;
}
static inline void an_answer(void)
{
    a_plan();
    assert_int_equal(utet_query_answer_open(&answer, &plan, 8), UTET_OK);
}
static inline void a_response(void)
{
    an_answer();
    response = (utet_query_response){.plan = &plan,
                                     .answer = &answer,
                                     .results = results,
                                     .write = take_text,
                                     .buffer = gathered,
                                     .size = sizeof gathered};
}
/* A document that binding refuses; its message names axes of the file. */
static inline void a_refusal(void)
{
    open_file(1, refused_text, sizeof refused_text - 1);
    a_query();
    assert_int_equal(utet_query_bind(&plan, &query, &meta, NULL, 0), UTET_E_METADATA);
}

#endif
