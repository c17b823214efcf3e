/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * The call protocol of include/utet.h, every public call against every other one: a call is suspended at each of its
 * requests to the port in turn; meanwhile each other call on the same files returns UTET_E_STATE (or says first that an
 * argument is wrong) and asks for nothing;
 * then the call goes on to the status that it has without a pause. The headers say which calls there are: a call that
 * is in no table below fails `every_call_of_the_headers`.
 */
#include "faultport.h"
#include "guard.h"
#include "metagen.h"
#include "suite.h"
#include "tgmgen.h"
#include "tilegen.h"
#include "utet_check.h"
#include "utet_query.h"
#include "utet_tensogram_data.h"
#include "utet_tiledb_folder.h"
#include "utet_transform.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct call {
    const char *name;
    void (*ready)(void); /* what the call wants, through a port that does not wait */
    utet_status (*make)(void);
} call;

/* ---- the two files: one that is read, and for queries the document ---- */

enum { FILES = 2 };
static faultport port[FILES];
static utet_file file[FILES];
static uint64_t work[FILES][1024];
static size_t got;

static void open_file(unsigned which, const void *bytes, size_t size)
{
    faultport_init(&port[which], bytes, size);
    port[which].slice = 24;
    assert_int_equal(utet_init(&file[which], &port[which].io, work[which], sizeof work[which], NULL), UTET_OK);
}

static uint64_t requests(void)
{
    return port[0].reads + port[0].blocked + port[1].reads + port[1].blocked;
}

/* ---- a .tet file, its metadata, folds, a query ---- */

static const char query_text[] = "{\"dataset\":\"d\",\"filter\":{\"gt\":0},\"sum\":[]}";
static const char refused_text[] = "{\"dataset\":\"d\",\"sum\":[\"q\"]}";
static metagen usual;
static utet_dataset d, other, floats; /* floats: the same bytes as two f32 in two chunks */
static utet_chunk chunk;
static utet_need need;
static utet_stream stream;
static utet_slab slab;
static utet_run run;
static utet_rows rows;
static uint32_t places[8], many_places[16];
static utet_meta meta, meta2;
static utet_dataset_meta about;
static utet_zones zones;
static utet_zone zone;
static utet_event event;
static utet_value value, key, item;
static utet_check check;
static utet_finding finding;
static utet_fold fold, fold2;
static utet_fold_share share, share2;
static utet_fold_grouping grouping;
static utet_fold_matrix matrix;
static utet_transform transform;
static utet_query query;
static utet_query_plan plan;
static utet_query_touched touched;
static utet_query_skips skips;
static utet_query_answer answer;
static utet_query_response response;
static uint64_t index_;
static unsigned axis;
static uint64_t coords[UTET_MAX_NDIM];
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

static utet_status take_text(void *context, const char *at, size_t length)
{
    (void)context;
    (void)at;
    (void)length;
    writes++;
    return UTET_OK;
}

static void set_tet(void)
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

static void unset_tet(void)
{
    metagen_free(&usual);
}

static void opened(void)
{
    assert_int_equal(utet_open(&file[0], NULL), UTET_OK);
    assert_int_equal(utet_dataset_first(&file[0], &d), UTET_OK);
    other = d;
    floats = d;
    floats.dtype = UTET_F32;
    floats.elem_size = 4;
    floats.shape[0] = 2;
    floats.chunk_shape[0] = 1;
    square = floats; /* of one variable: the second axis is the chunks' */
    square.ndim = 2;
    square.shape[1] = 1;
    square.chunk_shape[1] = 1;
    square.grid[1] = 1;
    sum_request = (utet_fold_request){.dataset = &d, .ranges = all, .axes = 1, .operation = &utet_fold_sum};
    float_request = (utet_fold_request){.dataset = &floats, .ranges = both, .axes = 1};
    assert_int_equal(utet_chunk_find(&file[0], &d, first_chunk, &chunk), UTET_OK);
}
static void not_opened(void)
{
}
static void some_rows(void)
{
    opened();
    assert_int_equal(utet_rows_init(&rows, &file[0], &d, places, 8), UTET_OK);
}
static void a_stream(void)
{
    opened();
    assert_int_equal(utet_stream_open(&stream, &file[0], &chunk), UTET_OK);
}
static void a_slab(void)
{
    opened();
    assert_int_equal(utet_slab_open(&slab, &file[0], &d, all), UTET_OK);
}
static void a_check(void)
{
    opened();
    utet_check_init(&check, &file[0]);
}
static void metadata_(void)
{
    opened();
    assert_int_equal(utet_meta_open(&meta, &file[0]), UTET_OK);
    assert_int_equal(utet_meta_dataset(&meta, &d, &about), UTET_OK);
}
static void labels(void)
{
    metadata_();
    assert_int_equal(utet_meta_labels(&meta, &about, 0, &value), UTET_OK);
}
static void a_text(void)
{
    labels();
    assert_int_equal(utet_list_nth(&meta, &value, 2, &item), UTET_OK);
}
static void history(void)
{
    metadata_();
    value = meta.history;
}
static void attributes(void)
{
    metadata_();
    value = about.attrs;
}
static void zone_maps(void)
{
    metadata_();
    assert_int_equal(utet_zones_open(&meta, &about, &zones), UTET_OK);
}
static void postings(void)
{
    metadata_();
    assert_int_equal(utet_index_label(&meta, &about, 0, "a", 1, &value), UTET_OK);
}
static void a_fold(void)
{
    opened();
    assert_int_equal(utet_fold_open(&fold, &file[0], &sum_request), UTET_OK);
}
static void a_filtered_fold(void)
{
    metadata_();
    assert_int_equal(utet_fold_open(&fold, &file[0], &sum_request), UTET_OK);
    assert_int_equal(utet_fold_where(&fold, &positive), UTET_OK);
    skips.bits = bits;
    skips.size = sizeof bits;
}
static void parts(void)
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
static void a_matrix(void)
{
    opened();
    variables = (utet_fold_variables){.dataset = &square, .ranges = both, .observations = 0};
}
static void an_open_matrix(void)
{
    static const utet_range ranges[UTET_MAX_NDIM] = {{0, 2, 1}, {0, 1, 1}};

    a_matrix();
    variables.ranges = ranges;
    assert_int_equal(utet_fold_matrix_open(&matrix, &file[0], &variables), UTET_OK);
}
static void a_request_of_a_matrix(void)
{
    static const utet_range ranges[UTET_MAX_NDIM] = {{0, 2, 1}, {0, 1, 1}};

    a_matrix();
    variables.ranges = ranges;
}
static void a_transform(void)
{
    opened();
    assert_int_equal(utet_transform_open(&transform, &file[0], &float_request, &utet_transform_center), UTET_OK);
    into = (utet_transform_into){.elements = bytes, .size = 8};
}
static void a_query(void)
{
    metadata_();
    assert_int_equal(utet_query_open(&query, &file[1], utet_query_options), UTET_OK);
}
static void a_plan(void)
{
    a_query();
    assert_int_equal(utet_query_bind(&plan, &query, &meta, NULL, 0), UTET_OK);
    assert_true(plan.matched);
    skips.bits = bits;
    skips.size = sizeof bits;
}
static void an_answer(void)
{
    a_plan();
    assert_int_equal(utet_query_answer_open(&answer, &plan, 8), UTET_OK);
}
static void a_response(void)
{
    an_answer();
    response = (utet_query_response){.plan = &plan,
                                     .answer = &answer,
                                     .results = results,
                                     .write = take_text,
                                     .buffer = gathered,
                                     .size = sizeof gathered};
}
/* A document that binding refuses: its message names axes of the file. */
static void a_refusal(void)
{
    open_file(1, refused_text, sizeof refused_text - 1);
    a_query();
    assert_int_equal(utet_query_bind(&plan, &query, &meta, NULL, 0), UTET_E_METADATA);
}

#define NEXT_OF(object) utet_dataset_next(&file[0], &(object))
/* name, what it wants, the call */
#define TET_CALLS(X)                                                                                                  \
    X(utet_open, not_opened, utet_open(&file[0], NULL))                                                               \
    X(utet_dataset_first, opened, utet_dataset_first(&file[0], &d))                                                   \
    X(utet_dataset_next, opened, (other = d, other.priv.next = 40, other.id = UINT32_MAX, NEXT_OF(other)))            \
    X(utet_dataset_find, opened, utet_dataset_find(&file[0], "d", 1, &other))                                         \
    X(utet_dataset_name, opened, utet_dataset_name(&file[0], &d, 0, text, 1))                                         \
    X(utet_chunk_find, opened, utet_chunk_find(&file[0], &d, first_chunk, &chunk))                                    \
    X(utet_rows_init, opened, utet_rows_init(&rows, &file[0], &d, places, 8))                                         \
    X(utet_rows_lists, some_rows, utet_rows_lists(&rows, &file[0], many_places, 16))                                  \
    X(utet_row_first, opened, utet_row_first(&file[0], &chunk))                                                       \
    X(utet_row_next, opened, (chunk.row = 0, utet_row_next(&file[0], &chunk)))                                        \
    X(utet_chunk_need, opened, utet_chunk_need(&file[0], &chunk, 0, &need))                                           \
    X(utet_stream_open, opened, utet_stream_open(&stream, &file[0], &chunk))                                          \
    X(utet_stream_read, a_stream, utet_stream_read(&stream, bytes, 4, &got))                                          \
    X(utet_stream_skip, a_stream, utet_stream_skip(&stream, 1))                                                       \
    X(utet_stream_load, opened, utet_stream_load(&stream, &file[0], &chunk, bytes, 4))                                \
    X(utet_slab_need, opened, utet_slab_need(&slab, &file[0], &d, all))                                               \
    X(utet_slab_open, opened, utet_slab_open(&slab, &file[0], &d, all))                                               \
    X(utet_slab_next, a_slab, utet_slab_next(&slab, &run))                                                            \
    X(utet_slab_read_all, a_slab, utet_slab_read_all(&slab, bytes, 8))                                                \
    X(utet_check_next, a_check, utet_check_next(&check, &finding))                                                    \
    X(utet_check_rows, a_check, utet_check_rows(&check))                                                              \
    X(utet_meta_open, opened, utet_meta_open(&meta2, &file[0]))                                                       \
    X(utet_meta_check_limits, metadata_, utet_meta_check_limits(&meta))                                               \
    X(utet_meta_strict, metadata_, utet_meta_strict(&meta))                                                           \
    X(utet_text_read, a_text, utet_text_read(&meta, &item, text, 20, &got))                                           \
    X(utet_value_next, labels, utet_value_next(&meta, &value, &key, &item))                                           \
    X(utet_list_nth, labels, utet_list_nth(&meta, &value, 1, &item))                                                  \
    X(utet_list_find, labels, utet_list_find(&meta, &value, "b", 1, &index_))                                         \
    X(utet_map_find, attributes, utet_map_find(&meta, &value, "units", 5, &item))                                     \
    X(utet_event_next, history, utet_event_next(&meta, &value, &event))                                               \
    X(utet_meta_dataset, metadata_, utet_meta_dataset(&meta, &d, &about))                                             \
    X(utet_meta_axis, metadata_, utet_meta_axis(&meta, &about, "x", 1, &axis))                                        \
    X(utet_meta_labels, metadata_, utet_meta_labels(&meta, &about, 0, &value))                                        \
    X(utet_zones_open, metadata_, utet_zones_open(&meta, &about, &zones))                                             \
    X(utet_zone_next, zone_maps, utet_zone_next(&meta, &zones, &zone))                                                \
    X(utet_zone_find, zone_maps, utet_zone_find(&meta, &zones, first_chunk, &zone))                                   \
    X(utet_index_value, metadata_, utet_index_value(&meta, &about, "\1\0", &value))                                   \
    X(utet_index_label, metadata_, utet_index_label(&meta, &about, 0, "a", 1, &value))                                \
    X(utet_index_chunk, postings, utet_index_chunk(&meta, &value, coords))                                            \
    X(utet_index_entries, metadata_, utet_index_entries(&meta, &value))                                               \
    X(utet_fold_need, opened, utet_fold_need(&fold, &file[0], &sum_request))                                          \
    X(utet_fold_open, opened, utet_fold_open(&fold, &file[0], &sum_request))                                          \
    X(utet_fold_where, a_fold, utet_fold_where(&fold, &positive))                                                     \
    X(utet_fold_mask, a_fold, utet_fold_mask(&fold, bytes, 4, "\0"))                                                  \
    X(utet_fold_group, a_fold, utet_fold_group(&fold, &grouping))                                                     \
    X(utet_fold_pieces, a_fold, utet_fold_pieces(&fold, 8))                                                           \
    X(utet_fold_run, a_fold, utet_fold_run(&fold, results, 8))                                                        \
    X(utet_fold_divide, a_fold, (share.parts = 2, utet_fold_divide(&fold, &share)))                                   \
    X(utet_fold_merge, parts, utet_fold_merge(&fold, &fold2))                                                         \
    X(utet_fold_matrix_need, a_request_of_a_matrix, utet_fold_matrix_need(&matrix, &file[0], &variables))             \
    X(utet_fold_matrix_open, a_request_of_a_matrix, utet_fold_matrix_open(&matrix, &file[0], &variables))             \
    X(utet_fold_matrix_pieces, an_open_matrix, utet_fold_matrix_pieces(&matrix, 8))                                   \
    X(utet_fold_matrix_run, an_open_matrix, utet_fold_matrix_run(&matrix, results, 8))                                \
    X(utet_transform_need, opened, utet_transform_need(&transform, &file[0], &float_request, &utet_transform_center)) \
    X(utet_transform_open, opened, utet_transform_open(&transform, &file[0], &float_request, &utet_transform_center)) \
    X(utet_transform_run, a_transform, utet_transform_run(&transform, &into))                                         \
    X(utet_query_open, metadata_, utet_query_open(&query, &file[1], utet_query_options))                              \
    X(utet_query_text, a_query, utet_query_text(&query, &query.dataset, 0, text, 1, &got))                            \
    X(utet_query_message, a_refusal, utet_query_message(&query, 0, text, sizeof text, &got))                          \
    X(utet_query_bind, a_query, utet_query_bind(&plan, &query, &meta, NULL, 0))                                       \
    X(utet_query_touched_next, a_plan, utet_query_touched_next(&touched, &plan, &chunk))                              \
    X(utet_query_skip, a_filtered_fold, utet_query_skip(&skips, &fold, &meta, &about))                                \
    X(utet_query_answer_need, a_plan, utet_query_answer_need(&answer, &plan))                                         \
    X(utet_query_answer_open, a_plan, utet_query_answer_open(&answer, &plan, 8))                                      \
    X(utet_query_answer_skip, an_answer, utet_query_answer_skip(&answer, &skips))                                     \
    X(utet_query_answer_divide, an_answer, (share.parts = 2, utet_query_answer_divide(&answer, &share)))              \
    X(utet_query_answer_next, an_answer, utet_query_answer_next(&answer, results))                                    \
    X(utet_query_respond, a_response, utet_query_respond(&response))

#define MAKE(name, ready, expression)    \
    static utet_status make_##name(void) \
    {                                    \
        return expression;               \
    }
#define ENTRY(name, ready, expression) {#name, ready, make_##name},
TET_CALLS(MAKE)
static const call tet_calls[] = {TET_CALLS(ENTRY)};

/* ---- messages ---- */

static tgmgen sent;
static utet_message message;
static utet_frame frame;
static utet_frame_hash hash;
static utet_object object;
static utet_metadata metadata;
static utet_entry about_tensor;
static utet_common common_keys;
static uint8_t common_bits[4];
static utet_metadata_checking checking;
static utet_metadata_comparing comparing;
static utet_tensor tensor;
static utet_tensor_slab tensor_slab;
static utet_cbor reader;
static utet_item list, item_key, item_value;
static float numbers[4];
static const utet_segment segments[] = {{"a", 1}, {"b", 1}};

static void set_messages(void)
{
    unsigned i;

    memset(&sent, 0, sizeof sent);
    tgmgen_begin(&sent);
    tgmgen_frame(&sent, UTET_FRAME_HEADER_METADATA,
                 "{\"base\":[{\"a\":{\"b\":\"a text that is longer than the head of a token\"}},{\"c\":[2]}],"
                 "\"_extra_\":{\"x\":{}},\"y\":{\"z\":4}}");
    tgmgen_frame(&sent, UTET_FRAME_PRECEDER, "{\"base\":[{\"d\":5}]}");
    for (i = 0; i < 2; i++)
        tgmgen_tensor(
            &sent,
            "{\"type\":\"ntensor\",\"ndim\":1,\"shape\":[4],\"strides\":[4],\"dtype\":\"float32\",\"byte_order\":"
            "\"little\",\"encoding\":\"none\",\"filter\":\"none\",\"compression\":\"none\"}",
            16, 0);
    tgmgen_end(&sent);
    open_file(0, sent.bytes, sent.size);
    open_file(1, sent.bytes, sent.size);
    memset(&checking, 0, sizeof checking);
    memset(&comparing, 0, sizeof comparing);
    memset(&hash, 0, sizeof hash);
}
static void unset(void)
{
}
static void messages(void)
{
    assert_int_equal(utet_messages_open(&file[0], NULL), UTET_OK);
}
static void a_message(void)
{
    messages();
    assert_int_equal(utet_message_at(&file[0], 0, &message), UTET_OK);
}
static void a_frame(void)
{
    a_message();
    assert_int_equal(utet_frame_first(&file[0], &message, &frame), UTET_OK);
}
static void a_descriptor(void)
{
    a_frame();
    while (frame.type != UTET_FRAME_TENSOR)
        assert_int_equal(utet_frame_next(&file[0], &message, &frame), UTET_OK);
}
static void documents(void)
{
    a_message();
    assert_int_equal(utet_metadata_open(&metadata, &file[0], &message, NULL, 0), UTET_OK);
}
static void an_entry_of_all(void)
{
    documents();
    assert_int_equal(utet_entry_first(&metadata, &about_tensor), UTET_OK);
}
static void a_list(void)
{
    documents();
    list = metadata.document.root;
}
static void a_long_text(void)
{
    documents();
    assert_int_equal(utet_metadata_find_dotted(&metadata, "a.b", 3, &item_value), UTET_OK);
}
static void cbor(void)
{
    a_frame();
    assert_int_equal(utet_cbor_open(&reader, &file[0], 40, 100, NULL, 0), UTET_OK);
}
static void a_token(void)
{
    unsigned i;

    cbor();
    for (i = 0; i < 9 && reader.token != UTET_CBOR_TEXT; i++)
        assert_int_equal(utet_cbor_next(&reader), UTET_OK);
}
static void an_object(void)
{
    a_message();
    assert_int_equal(utet_object_find(&object, &file[0], &message, 0, &frame, &reader), UTET_OK);
}
static void a_tensor(void)
{
    an_object();
    assert_int_equal(utet_tensor_open(&tensor, &file[0], &object), UTET_OK);
}
static void a_tensor_slab(void)
{
    static const utet_range second[UTET_TENSOR_MAX_NDIM] = {{1, 4, 2}};

    a_tensor();
    assert_int_equal(utet_tensor_slab_open(&tensor_slab, &tensor, second), UTET_OK);
}
static const utet_range whole_tensor[UTET_TENSOR_MAX_NDIM] = {{0, 4, 1}};

#define MESSAGE_CALLS(X)                                                                                         \
    X(utet_messages_open, not_opened, utet_messages_open(&file[0], NULL))                                        \
    X(utet_message_first, messages, utet_message_first(&file[0], &message))                                      \
    X(utet_message_next, a_message, (message.priv.from = 0, utet_message_next(&file[0], &message)))              \
    X(utet_message_at, messages, utet_message_at(&file[0], 0, &message))                                         \
    X(utet_message_forward, messages, utet_message_forward(&file[0], 0, &message))                               \
    X(utet_message_seek, messages, utet_message_seek(&file[0], 0, &message))                                     \
    X(utet_frame_first, a_message, utet_frame_first(&file[0], &message, &frame))                                 \
    X(utet_frame_next, a_frame, utet_frame_next(&file[0], &message, &frame))                                     \
    X(utet_frame_verify, a_frame, utet_frame_verify(&file[0], &frame, &hash))                                    \
    X(utet_object_open, a_descriptor, utet_object_open(&object, &file[0], &frame, &reader))                      \
    X(utet_object_find, a_message, utet_object_find(&object, &file[0], &message, 0, &frame, &reader))            \
    X(utet_metadata_open, a_message, utet_metadata_open(&metadata, &file[0], &message, NULL, 0))                 \
    X(utet_metadata_entry, documents, utet_metadata_entry(&metadata, 0, &item_key, &item_value))                 \
    X(utet_metadata_in, a_list, utet_metadata_in(&metadata, &list, "y", 1, &item_value))                         \
    X(utet_metadata_find, documents, utet_metadata_find(&metadata, segments, 2, &item_value))                    \
    X(utet_entry_first, documents, utet_entry_first(&metadata, &about_tensor))                                   \
    X(utet_entry_next, an_entry_of_all, utet_entry_next(&metadata, &about_tensor))                               \
    X(utet_entry_find, an_entry_of_all, utet_entry_find(&metadata, &about_tensor, segments, 2, &item_value))     \
    X(utet_entry_find_dotted, an_entry_of_all,                                                                   \
      utet_entry_find_dotted(&metadata, &about_tensor, "a.b", 3, &item_value))                                   \
    X(utet_entry_common, an_entry_of_all,                                                                        \
      utet_entry_common(&metadata, &about_tensor, &about_tensor, &common_keys, common_bits, sizeof common_bits)) \
    X(utet_metadata_find_dotted, documents, utet_metadata_find_dotted(&metadata, "a.b", 3, &item_value))         \
    X(utet_metadata_check, documents, utet_metadata_check(&metadata, 0, &checking))                              \
    X(utet_metadata_compare, documents, utet_metadata_compare(&metadata, &comparing))                            \
    X(utet_cbor_open, messages, utet_cbor_open(&reader, &file[0], 40, 100, NULL, 0))                             \
    X(utet_cbor_next, cbor, utet_cbor_next(&reader))                                                             \
    X(utet_cbor_text, a_token, utet_cbor_text(&reader, 0, text, 20))                                             \
    X(utet_item_next, a_list, utet_item_next(&metadata.reader, &list, &item_key, &item_value))                   \
    X(utet_item_text, a_long_text, utet_item_text(&metadata.reader, &item_value, 0, text, 20))                   \
    X(utet_tensor_need, an_object, utet_tensor_need(&tensor, &file[0], &object, &need))                          \
    X(utet_tensor_open_unverified, an_object, utet_tensor_open_unverified(&tensor, &file[0], &object))           \
    X(utet_tensor_open, an_object, utet_tensor_open(&tensor, &file[0], &object))                                 \
    X(utet_tensor_read, a_tensor, utet_tensor_read(&tensor, bytes, 16, &got))                                    \
    X(utet_tensor_skip, a_tensor, utet_tensor_skip(&tensor, 5))                                                  \
    X(utet_tensor_floats, a_tensor, utet_tensor_floats(&tensor, numbers, 4, &got))                               \
    X(utet_tensor_doubles, a_tensor, utet_tensor_doubles(&tensor, results, 4, &got))                             \
    X(utet_tensor_slab_open, a_tensor, utet_tensor_slab_open(&tensor_slab, &tensor, whole_tensor))               \
    X(utet_tensor_slab_read, a_tensor_slab, utet_tensor_slab_read(&tensor_slab, bytes, 8, &got))                 \
    X(utet_tensor_slab_floats, a_tensor_slab, utet_tensor_slab_floats(&tensor_slab, numbers, 2, &got))           \
    X(utet_tensor_slab_doubles, a_tensor_slab, utet_tensor_slab_doubles(&tensor_slab, results, 2, &got))

MESSAGE_CALLS(MAKE)
static const call message_calls[] = {MESSAGE_CALLS(ENTRY)};

/* ---- a TileDB schema, an enumeration, metadata ---- */

static utet_tiledb tile;
static utet_tiledb_schema schema;
static utet_tiledb_item column;
static utet_tiledb_enumeration enumeration;
static utet_tiledb_text words;
static utet_tiledb_entry entry;
static utet_tiledb_filters filters;
static utet_tiledb_filter filter;
static uint32_t number;

static void set_made(void)
{
    open_file(0, made.bytes, made.size);
    open_file(1, made.bytes, made.size);
}
static void set_schema(void)
{
    tilegen_schema(8, NULL);
    tilegen_add(0, 4); /* enumerations */
    tilegen_schema_end();
    set_made();
}
static void set_enumeration(void)
{
    unsigned i;

    tilegen_begin();
    tilegen_add(0, 4);
    tilegen_text("name", 4);
    tilegen_text("path", 4);
    tilegen_add(UTET_TILEDB_STRING_ASCII, 1);
    tilegen_add(UTET_TILEDB_VAR, 4);
    tilegen_add(0, 1);
    tilegen_add(24, 8);
    for (i = 0; i < 8; i++)
        tilegen_add(0x303030 + i, 3);
    tilegen_add(64, 8);
    for (i = 0; i < 8; i++)
        tilegen_add(3 * i, 8);
    tilegen_end(22);
    set_made();
}
static void set_entries(void)
{
    unsigned i;

    tilegen_begin();
    for (i = 0; i < 8; i++) {
        char name[2] = "k";

        name[0] = (char)('a' + i);
        tilegen_text(name, 4);
        tilegen_add(0, 1);
        tilegen_add(6, 1);
        tilegen_add(5, 4);
        tilegen_add(i, 5);
    }
    tilegen_end(22);
    set_made();
}
static utet_tiledb_group group;
static utet_tiledb_member member;
static utet_tiledb_keys keys;
static utet_tiledb_files listed;
static uint32_t memory_of_keys[100];
static uint64_t memory_of_names[20];

static void set_group(void)
{
    unsigned i;

    tilegen_begin();
    tilegen_add(2, 4);
    tilegen_add(8, 8);
    for (i = 0; i < 8; i++) {
        tilegen_add(2, 4);
        tilegen_add(UTET_TILEDB_IS_ARRAY, 1);
        tilegen_add(1, 1);
        tilegen_text("a member", 8);
        tilegen_add(1, 1);
        tilegen_text("its name", 8);
        tilegen_add(0, 1);
    }
    tilegen_end(22);
    set_made();
}
/* A folder without files. */
static utet_status nothing_open(void *ctx, const char *path)
{
    (void)ctx;
    (void)path;
    return UTET_OK;
}
static utet_status nothing_next(void *ctx, char *name, size_t size, int *is_folder)
{
    (void)ctx;
    (void)name;
    (void)size;
    (void)is_folder;
    return UTET_END;
}
static void nothing_close(void *ctx)
{
    (void)ctx;
}
static void a_list_of_files(void)
{
    static const utet_folder folder = {NULL, nothing_open, nothing_next, nothing_close};

    assert_int_equal(
        utet_tiledb_files_open(&listed, &folder, "x", UTET_TILEDB_NOW, memory_of_names, sizeof memory_of_names),
        UTET_OK);
}
static void a_tile(void)
{
    assert_int_equal(utet_tiledb_open(&tile, &file[0], NULL), UTET_OK);
    filters = (utet_tiledb_filters){.count = 1};
    words = (utet_tiledb_text){.size = 9};
}
static void a_schema(void)
{
    a_tile();
    assert_int_equal(utet_tiledb_schema_open(&schema, &tile), UTET_OK);
}
static void an_attribute(void)
{
    a_schema();
    assert_int_equal(utet_tiledb_first(&schema, UTET_TILEDB_ATTRIBUTE, &column), UTET_OK);
}
static void an_enumeration(void)
{
    a_tile();
    assert_int_equal(utet_tiledb_enumeration_open(&enumeration, &tile), UTET_OK);
}
static void an_entry(void)
{
    a_tile();
    assert_int_equal(utet_tiledb_entry_first(&tile, &entry), UTET_OK);
}

static void a_group(void)
{
    a_tile();
    assert_int_equal(utet_tiledb_group_open(&group, &tile), UTET_OK);
}
static void a_member(void)
{
    a_group();
    assert_int_equal(utet_tiledb_member_first(&group, &member), UTET_OK);
}
static void a_set_of_keys(void)
{
    a_tile();
    assert_int_equal(utet_tiledb_keys_init(&keys, memory_of_keys, sizeof memory_of_keys), UTET_OK);
}

#define SCHEMA_CALLS(X)                                                                        \
    X(utet_tiledb_open, not_opened, utet_tiledb_open(&tile, &file[0], NULL))                   \
    X(utet_tiledb_read, a_tile, utet_tiledb_read(&tile, &words, text, 9, &got))                \
    X(utet_tiledb_filter_next, a_tile, utet_tiledb_filter_next(&tile, &filters, &filter))      \
    X(utet_tiledb_schema_open, a_tile, utet_tiledb_schema_open(&schema, &tile))                \
    X(utet_tiledb_schema_check, a_schema, utet_tiledb_schema_check(&schema))                   \
    X(utet_tiledb_first, a_schema, utet_tiledb_first(&schema, UTET_TILEDB_ATTRIBUTE, &column)) \
    X(utet_tiledb_next, an_attribute, utet_tiledb_next(&schema, &column))                      \
    X(utet_tiledb_find, a_schema, utet_tiledb_find(&schema, UTET_TILEDB_ATTRIBUTE, "a05", 3, &column))
#define ENUMERATION_CALLS(X)                                                                      \
    X(utet_tiledb_enumeration_open, a_tile, utet_tiledb_enumeration_open(&enumeration, &tile))    \
    X(utet_tiledb_enumeration_check, an_enumeration, utet_tiledb_enumeration_check(&enumeration)) \
    X(utet_tiledb_value, an_enumeration, utet_tiledb_value(&enumeration, 5, &words))              \
    X(utet_tiledb_value_find, an_enumeration, utet_tiledb_value_find(&enumeration, "500", 3, &number))
#define ENTRY_CALLS(X)                                                         \
    X(utet_tiledb_entry_first, a_tile, utet_tiledb_entry_first(&tile, &entry)) \
    X(utet_tiledb_entry_next, an_entry, utet_tiledb_entry_next(&tile, &entry)) \
    X(utet_tiledb_entry_find, a_tile, utet_tiledb_entry_find(&tile, "f", 1, &entry))

#define GROUP_CALLS(X)                                                                 \
    X(utet_tiledb_group_open, a_tile, utet_tiledb_group_open(&group, &tile))           \
    X(utet_tiledb_member_first, a_group, utet_tiledb_member_first(&group, &member))    \
    X(utet_tiledb_member_next, a_member, utet_tiledb_member_next(&group, &member))     \
    X(utet_tiledb_keys_add, a_set_of_keys, utet_tiledb_keys_add(&keys, &tile, &words)) \
    X(utet_tiledb_files_vacuum, a_list_of_files, utet_tiledb_files_vacuum(&listed, &file[0]))

SCHEMA_CALLS(MAKE)
ENUMERATION_CALLS(MAKE)
ENTRY_CALLS(MAKE)
GROUP_CALLS(MAKE)
static const call schema_calls[] = {SCHEMA_CALLS(ENTRY)};
static const call enumeration_calls[] = {ENUMERATION_CALLS(ENTRY)};
static const call entry_calls[] = {ENTRY_CALLS(ENTRY)};
static const call group_calls[] = {GROUP_CALLS(ENTRY)};

/* ---- one call against all others ---- */

typedef struct room {
    const call *calls;
    size_t count;
    void (*set)(void);
    void (*unset)(void);
} room;

static unsigned pairs, pauses;
static const char *names[256]; /* of the calls, by their numbers */

/* No two calls have the same number, in whichever rooms they are. */
static void note_number(const char *name, uint8_t busy)
{
    if (names[busy] == NULL)
        names[busy] = name;
    suite_check(strcmp(names[busy], name) == 0, "%s and %s have the same number, %d", name, names[busy], busy);
}

/* Ready for the call, the windows empty, so that it has to ask. */
static void get_ready(const room *of, const call *one)
{
    unsigned i;

    of->set();
    one->ready();
    for (i = 0; i < FILES; i++)
        file[i].priv.held = 0;
}

/* What the call returns without a pause. */
static utet_status plain(const room *of, const call *one)
{
    utet_status status;

    get_ready(of, one);
    status = one->make();
    assert_int_not_equal(status, UTET_WOULD_BLOCK);
    of->unset();
    return status;
}

/* Whether a call uses a file that is suspended. Those of a document's room know the document alone, but for binding and
 * the response, which know both. */
static int meets_suspended(const char *name)
{
    static const char *const of_document[] = {"utet_query_open", "utet_query_text", "utet_query_message"};
    static const char *const of_both[] = {"utet_query_bind", "utet_query_respond"};
    size_t i;

    for (i = 0; i < sizeof of_document / sizeof *of_document; i++)
        if (strcmp(name, of_document[i]) == 0)
            return file[1].priv.busy != 0;
    for (i = 0; i < sizeof of_both / sizeof *of_both; i++)
        if (strcmp(name, of_both[i]) == 0)
            return 1;
    return file[0].priv.busy != 0;
}

/* The other calls, while `one` waits for a request of port `at`. */
static void try_others(const room *of, const call *one)
{
    const uint64_t before = requests();
    size_t i;

    for (i = 0; i < of->count; i++) {
        const call *another = &of->calls[i];
        utet_status status;

        if (another == one || !meets_suspended(another->name))
            continue;
        status = another->make();
        suite_check(status == UTET_E_STATE || status == UTET_E_ARGUMENT, "%s during a suspended %s: status %d",
                    another->name, one->name, status);
        suite_check(requests() == before, "%s during a suspended %s asks the port", another->name, one->name);
        pairs++;
    }
}

/* Suspends the call at request `step` of a port; returns 0 when it makes fewer requests. */
static int suspend(const room *of, const call *one, unsigned at, unsigned step, utet_status expected)
{
    utet_status status;

    get_ready(of, one);
    port[at].fault = FAULT_BLOCK_ONCE;
    port[at].fault_at = port[at].reads + step;
    status = one->make();
    if (status == UTET_WOULD_BLOCK) {
        pauses++;
        note_number(one->name, file[at].priv.busy);
        try_others(of, one);
        status = one->make();
        suite_check(status == expected, "%s, suspended at request %u of port %u: %d, without a pause %d", one->name,
                    step, at, status, expected);
    } else {
        step = UINT32_MAX;
    }
    suite_check(port[0].violations == 0, "%s: %s", one->name, port[0].violation);
    suite_check(port[1].violations == 0, "%s: %s", one->name, port[1].violation);
    of->unset();
    return step != UINT32_MAX;
}

/* Given up at its first pause, a call leaves files on which other calls go on: none of them is refused for its sake. */
static void give_up(const room *of, const call *one)
{
    get_ready(of, one);
    port[0].fault = FAULT_BLOCK_ONCE;
    port[0].fault_at = port[0].reads;
    if (one->make() == UTET_WOULD_BLOCK) {
        assert_int_equal(utet_cancel(&file[0]), UTET_OK);
        assert_int_equal(utet_cancel(&file[1]), UTET_OK);
        assert_int_equal(file[0].priv.busy | file[1].priv.busy, 0);
        (void)one->make(); /* anew, or UTET_E_STATE: the port would tell of a request that is not the same */
    }
    suite_check(port[0].violations == 0, "%s, given up: %s", one->name, port[0].violation);
    of->unset();
}

static void every_pair(const room *of)
{
    utet_status expected[100];
    size_t i;

    assert_true(of->count <= sizeof expected / sizeof *expected);
    for (i = 0; i < of->count;
         i++) { /* all first: then each call has its objects, also when another one is suspended */
        expected[i] = plain(of, &of->calls[i]);
        suite_check(expected[i] != UTET_E_STATE, "%s is not ready", of->calls[i].name);
    }
    for (i = 0; i < of->count; i++) {
        unsigned at, step;

        for (at = 0; at < FILES; at++)
            for (step = 0; suspend(of, &of->calls[i], at, step, expected[i]); step++)
                assert_true(step < 10000);
        give_up(of, &of->calls[i]);
    }
}

#define ROOM(calls, set, unset)                            \
    {                                                      \
        calls, sizeof(calls) / sizeof *(calls), set, unset \
    }
static const room rooms[] = {ROOM(tet_calls, set_tet, unset_tet),   ROOM(message_calls, set_messages, unset),
                             ROOM(schema_calls, set_schema, unset), ROOM(enumeration_calls, set_enumeration, unset),
                             ROOM(entry_calls, set_entries, unset), ROOM(group_calls, set_group, unset)};

static void every_other_call_is_refused(void **state)
{
    size_t i;

    (void)state;
    for (i = 0; i < sizeof rooms / sizeof *rooms; i++)
        every_pair(&rooms[i]);
    suite_figure("%u pauses, %u pairs of a suspended call and another one", pauses, pairs);
}

/* ---- no bytes into no memory ---- */

static void nothing_into_null(void **state)
{
    (void)state;
    set_tet();
    a_stream();
    assert_int_equal(utet_dataset_name(&file[0], &d, 0, NULL, 0), UTET_OK);
    assert_int_equal(utet_stream_read(&stream, NULL, 0, &got), UTET_OK);
    unset_tet();
    set_tet();
    a_text();
    assert_int_equal(utet_text_read(&meta, &item, NULL, 0, &got), UTET_OK);
    unset_tet();
    set_tet();
    a_query();
    assert_int_equal(utet_query_text(&query, &query.dataset, 0, NULL, 0, &got), UTET_OK);
    assert_int_equal(got, 0);
    unset_tet();
    set_tet();
    a_refusal();
    assert_int_equal(utet_query_message(&query, 0, NULL, 0, &got), UTET_OK);
    unset_tet();
    set_messages();
    a_long_text();
    assert_int_equal(utet_item_text(&metadata.reader, &item_value, 0, NULL, 0), UTET_OK);
    set_messages();
    a_token();
    assert_int_equal(utet_cbor_text(&reader, 0, NULL, 0), UTET_OK);
    set_messages();
    a_tensor_slab();
    assert_int_equal(utet_tensor_slab_read(&tensor_slab, NULL, 0, &got), UTET_OK);
    assert_int_equal(utet_tensor_slab_floats(&tensor_slab, NULL, 0, &got), UTET_OK);
    assert_int_equal(utet_tensor_read(&tensor, NULL, 0, &got), UTET_OK);
    assert_int_equal(utet_tensor_doubles(&tensor, NULL, 0, &got), UTET_OK);
    set_schema();
    a_tile();
    assert_int_equal(utet_tiledb_read(&tile, &words, NULL, 0, &got), UTET_END);
}

/* ---- a suspended call that is repeated with something else ---- */

static utet_fold another_fold;
static utet_query_plan another_plan;
static utet_query_touched others_touched;
static utet_query_answer another_answer;
static utet_fold_request another_request;
static utet_transform_into elsewhere;

#define SUSPENDED(set_up, call)                   \
    do {                                          \
        set_tet();                                \
        set_up();                                 \
        file[0].priv.held = 0;                    \
        port[0].fault = FAULT_BLOCK_ONCE;         \
        port[0].fault_at = port[0].reads;         \
        assert_int_equal(call, UTET_WOULD_BLOCK); \
    } while (0)
#define GOES_ON(call)                            \
    do {                                         \
        assert_int_equal(call, UTET_OK);         \
        assert_int_equal(port[0].violations, 0); \
        unset_tet();                             \
    } while (0)

/* Refused without a sign in any object, so that the right repetition goes on. */
static void repeated_with_other_objects(void **state)
{
    (void)state;
    SUSPENDED(opened, utet_transform_open(&transform, &file[0], &float_request, &utet_transform_center));
    assert_int_equal(utet_transform_open(&transform, &file[0], &float_request, &utet_transform_softmax), UTET_E_STATE);
    GOES_ON(utet_transform_open(&transform, &file[0], &float_request, &utet_transform_center));
    SUSPENDED(a_transform, utet_transform_run(&transform, &into));
    elsewhere = into;
    assert_int_equal(utet_transform_run(&transform, &elsewhere), UTET_E_STATE);
    GOES_ON(utet_transform_run(&transform, &into));
    SUSPENDED(opened, utet_fold_open(&fold, &file[0], &sum_request));
    assert_int_equal(utet_fold_open(&another_fold, &file[0], &sum_request), UTET_E_STATE);
    GOES_ON(utet_fold_open(&fold, &file[0], &sum_request));
    SUSPENDED(a_query, utet_query_bind(&plan, &query, &meta, NULL, 0));
    assert_int_equal(utet_query_bind(&another_plan, &query, &meta, NULL, 0), UTET_E_STATE);
    meta2 = meta;
    assert_int_equal(utet_query_bind(&plan, &query, &meta2, NULL, 0), UTET_E_STATE);
    GOES_ON(utet_query_bind(&plan, &query, &meta, NULL, 0));
    SUSPENDED(a_plan, utet_query_touched_next(&touched, &plan, &chunk));
    assert_int_equal(utet_query_touched_next(&others_touched, &plan, &chunk), UTET_E_STATE);
    GOES_ON(utet_query_touched_next(&touched, &plan, &chunk));
    SUSPENDED(a_plan, utet_query_answer_open(&answer, &plan, 8));
    another_plan = plan;
    assert_int_equal(utet_query_answer_open(&another_answer, &plan, 8), UTET_E_STATE);
    assert_int_equal(utet_query_answer_open(&answer, &another_plan, 8), UTET_E_STATE);
    GOES_ON(utet_query_answer_open(&answer, &plan, 8));
}

/* What a request says counts when the call begins. */
static void repeated_with_another_request(void **state)
{
    static const utet_range one[UTET_MAX_NDIM] = {{3, 4, 1}};

    (void)state;
    SUSPENDED(opened, utet_fold_open(&fold, &file[0], &sum_request));
    another_request = sum_request;
    another_request.ranges = one;
    another_request.axes = 0;
    assert_int_equal(utet_fold_open(&fold, &file[0], &another_request), UTET_OK);
    assert_int_equal(fold.results, 1);
    assert_int_equal(utet_fold_run(&fold, results, 8), UTET_OK);
    assert_int_equal(fold.folded, 4);
    unset_tet();
}

/* One of a query's two files is given up: the call waits for the other one to be given up, too. */
static void given_up_in_part(void **state)
{
    (void)state;
    SUSPENDED(a_query, utet_query_bind(&plan, &query, &meta, NULL, 0));
    assert_int_equal(utet_cancel(&file[0]), UTET_OK);
    port[0].fault = FAULT_NONE;
    assert_int_equal(utet_query_bind(&plan, &query, &meta, NULL, 0), UTET_E_STATE);
    assert_int_equal(utet_cancel(&file[1]), UTET_OK);
    GOES_ON(utet_query_bind(&plan, &query, &meta, NULL, 0));
    SUSPENDED(a_refusal, utet_query_message(&query, 0, text, sizeof text, &got));
    assert_int_equal(utet_cancel(&file[1]), UTET_OK); /* the message's own file is idle now, that of its words waits */
    assert_int_equal(utet_cancel(&file[0]), UTET_OK);
    port[0].fault = FAULT_NONE;
    assert_int_equal(utet_dataset_first(&file[0], &d), UTET_OK);
    GOES_ON(utet_query_message(&query, 0, text, sizeof text, &got));
    SUSPENDED(a_refusal, utet_dataset_first(&file[0], &other));
    assert_int_equal(utet_query_message(&query, 0, text, sizeof text, &got), UTET_E_STATE);
    GOES_ON(utet_dataset_first(&file[0], &other));
}

/* ---- a suspended call that is repeated with other memory or another size ---- */

/* A row begins a call in memory of its own, and repeats it with memory that ends at a wall (guard.h). That is refused,
 * and the call goes on as if nothing had been; or ANY, and nothing but the memory counts. */
enum { ANY = 1000 };
static guard wall; /* no byte behind it is mapped */

static void *fence(size_t size)
{
    return wall.data + (wall.size - size);
}

static void *fence_with(const char *at, size_t size)
{
    return memcpy(fence(size), at, size);
}

static utet_status first_into(void)
{
    into = (utet_transform_into){.elements = bytes, .size = 8};
    return utet_transform_run(&transform, &into);
}
static utet_status change_into(size_t size)
{
    into = (utet_transform_into){.elements = fence(size), .size = size};
    return utet_transform_run(&transform, &into);
}
static utet_status first_response(void)
{
    response.buffer = text;
    response.size = sizeof text;
    return utet_query_respond(&response);
}
static utet_status change_response(size_t size)
{
    response.buffer = fence(size);
    response.size = size;
    return utet_query_respond(&response);
}
/* Two results, one at a time. */
static void a_fold_in_pieces(void)
{
    opened();
    float_request.axes = 0;
    float_request.operation = &utet_fold_sum;
    assert_int_equal(utet_fold_open(&fold, &file[0], &float_request), UTET_OK);
    assert_int_equal(utet_fold_pieces(&fold, 1), UTET_OK);
}

/* name, what it wants, the call, repeated otherwise, what that returns */
#define TET_OTHERWISE(X)                                                                                         \
    X(utet_dataset_find, opened, utet_dataset_find(&file[0], "d", 1, &other),                                    \
      utet_dataset_find(&file[0], fence_with("", 0), 0, &other), ANY)                                            \
    X(utet_stream_read, a_stream, utet_stream_read(&stream, bytes, 4, &got),                                     \
      utet_stream_read(&stream, fence(1), 1, &got), UTET_E_STATE)                                                \
    X(utet_stream_load, opened, utet_stream_load(&stream, &file[0], &chunk, bytes, 4),                           \
      utet_stream_load(&stream, &file[0], &chunk, fence(4), 4), UTET_E_STATE)                                    \
    X(utet_slab_read_all, a_slab, utet_slab_read_all(&slab, bytes, 8), utet_slab_read_all(&slab, fence(8), 8),   \
      UTET_E_STATE)                                                                                              \
    X(utet_slab_read_all, a_slab, utet_slab_read_all(&slab, bytes, 8), utet_slab_read_all(&slab, bytes, 1),      \
      UTET_E_STATE)                                                                                              \
    X(utet_text_read, a_text, utet_text_read(&meta, &item, text, 20, &got),                                      \
      utet_text_read(&meta, &item, fence(0), 0, &got), UTET_E_STATE)                                             \
    X(utet_list_find, labels, utet_list_find(&meta, &value, "bbb", 3, &index_),                                  \
      utet_list_find(&meta, &value, fence_with("b", 1), 1, &index_), ANY)                                        \
    X(utet_map_find, attributes, utet_map_find(&meta, &value, "units", 5, &item),                                \
      utet_map_find(&meta, &value, fence_with("u", 1), 1, &item), ANY)                                           \
    X(utet_meta_axis, metadata_, utet_meta_axis(&meta, &about, "xxx", 3, &axis),                                 \
      utet_meta_axis(&meta, &about, fence_with("x", 1), 1, &axis), ANY)                                          \
    X(utet_index_label, metadata_, utet_index_label(&meta, &about, 0, "abc", 3, &value),                         \
      utet_index_label(&meta, &about, 0, fence_with("a", 1), 1, &value), ANY)                                    \
    X(utet_index_value, metadata_, utet_index_value(&meta, &about, "\1\0", &value),                              \
      utet_index_value(&meta, &about, fence_with("\1\0", 2), &value), ANY)                                       \
    X(utet_zone_find, zone_maps, utet_zone_find(&meta, &zones, first_chunk, &zone),                              \
      utet_zone_find(&meta, &zones, memset(fence(8), 0, 8), &zone), ANY)                                         \
    X(utet_fold_run, a_fold, utet_fold_run(&fold, results, 8), utet_fold_run(&fold, fence(0), 0), UTET_E_SPACE)  \
    X(utet_fold_run, a_fold, utet_fold_run(&fold, results, 8), utet_fold_run(&fold, fence(8), 1), ANY)           \
    X(utet_fold_run, a_fold_in_pieces, utet_fold_run(&fold, results, 1), utet_fold_run(&fold, fence(0), 0),      \
      UTET_E_SPACE)                                                                                              \
    X(utet_fold_run, a_fold_in_pieces, utet_fold_run(&fold, results, 1), utet_fold_run(&fold, fence(8), 1), ANY) \
    X(utet_fold_matrix_run, an_open_matrix, utet_fold_matrix_run(&matrix, results, 8),                           \
      utet_fold_matrix_run(&matrix, fence(0), 0), UTET_E_SPACE)                                                  \
    X(utet_fold_matrix_run, an_open_matrix, utet_fold_matrix_run(&matrix, results, 8),                           \
      utet_fold_matrix_run(&matrix, fence(8), 1), ANY)                                                           \
    X(utet_transform_run, a_transform, first_into(), change_into(8), ANY)                                        \
    X(utet_transform_run, a_transform, first_into(), change_into(4), UTET_E_STATE)                               \
    X(utet_query_text, a_query, utet_query_text(&query, &query.dataset, 0, text, 1, &got),                       \
      utet_query_text(&query, &query.dataset, 0, fence(1), 1, &got), UTET_E_STATE)                               \
    X(utet_query_message, a_refusal, utet_query_message(&query, 0, text, sizeof text, &got),                     \
      utet_query_message(&query, 0, fence(1), 1, &got), UTET_E_STATE)                                            \
    X(utet_query_bind, a_query, utet_query_bind(&plan, &query, &meta, many_places, 16),                          \
      utet_query_bind(&plan, &query, &meta, fence(4), 1), ANY)                                                   \
    X(utet_query_answer_next, an_answer, utet_query_answer_next(&answer, results),                               \
      utet_query_answer_next(&answer, fence(8)), ANY)                                                            \
    X(utet_query_respond, a_response, first_response(), change_response(UTET_QUERY_RESPONSE_MIN), ANY)           \
    X(utet_query_respond, a_response, first_response(), change_response(8), UTET_E_ARGUMENT)
#define MESSAGE_OTHERWISE(X)                                                                                     \
    X(utet_metadata_open, a_message, utet_metadata_open(&metadata, &file[0], &message, levels, 8),               \
      utet_metadata_open(&metadata, &file[0], &message, fence(4), 1), ANY)                                       \
    X(utet_metadata_open, a_message, utet_metadata_open(&metadata, &file[0], &message, levels, 8),               \
      utet_metadata_open(&metadata, &file[0], &message, NULL, 0), ANY)                                           \
    X(utet_metadata_in, a_list, utet_metadata_in(&metadata, &list, "yyy", 3, &item_value),                       \
      utet_metadata_in(&metadata, &list, fence_with("y", 1), 1, &item_value), ANY)                               \
    X(utet_metadata_find_dotted, documents, utet_metadata_find_dotted(&metadata, "a.b", 3, &item_value),         \
      utet_metadata_find_dotted(&metadata, fence_with("a", 1), 1, &item_value), ANY)                             \
    X(utet_entry_find_dotted, an_entry_of_all,                                                                   \
      utet_entry_find_dotted(&metadata, &about_tensor, "a.b", 3, &item_value),                                   \
      utet_entry_find_dotted(&metadata, &about_tensor, fence_with("a", 1), 1, &item_value), ANY)                 \
    X(utet_metadata_find, documents, utet_metadata_find(&metadata, segments, 2, &item_value),                    \
      utet_metadata_find(&metadata, fence_with((const char *)segments, sizeof *segments), 1, &item_value), ANY)  \
    X(utet_entry_common, an_entry_of_all,                                                                        \
      utet_entry_common(&metadata, &about_tensor, &about_tensor, &common_keys, common_bits, sizeof common_bits), \
      utet_entry_common(&metadata, &about_tensor, &about_tensor, &common_keys, fence(1), 1), UTET_E_STATE)       \
    X(utet_cbor_text, a_token, utet_cbor_text(&reader, 0, text, 2), utet_cbor_text(&reader, 0, fence(1), 1),     \
      UTET_E_STATE)                                                                                              \
    X(utet_item_text, a_long_text, utet_item_text(&metadata.reader, &item_value, 0, text, 20),                   \
      utet_item_text(&metadata.reader, &item_value, 0, fence(20), 20), UTET_E_STATE)                             \
    X(utet_tensor_read, a_tensor, utet_tensor_read(&tensor, bytes, 16, &got),                                    \
      utet_tensor_read(&tensor, fence(16), 16, &got), UTET_E_STATE)                                              \
    X(utet_tensor_doubles, a_tensor, utet_tensor_doubles(&tensor, results, 4, &got),                             \
      utet_tensor_doubles(&tensor, fence(8), 1, &got), UTET_E_STATE)                                             \
    X(utet_tensor_slab_doubles, a_tensor_slab, utet_tensor_slab_doubles(&tensor_slab, results, 2, &got),         \
      utet_tensor_slab_doubles(&tensor_slab, fence(8), 1, &got), UTET_E_STATE)
#define SCHEMA_OTHERWISE(X)                                                                            \
    X(utet_tiledb_read, a_tile, utet_tiledb_read(&tile, &words, text, 9, &got),                        \
      utet_tiledb_read(&tile, &words, fence(1), 1, &got), UTET_E_STATE)                                \
    X(utet_tiledb_find, a_schema, utet_tiledb_find(&schema, UTET_TILEDB_ATTRIBUTE, "a05", 3, &column), \
      utet_tiledb_find(&schema, UTET_TILEDB_ATTRIBUTE, fence_with("a", 1), 1, &column), ANY)
#define ENUMERATION_OTHERWISE(X)                                                                       \
    X(utet_tiledb_value_find, an_enumeration, utet_tiledb_value_find(&enumeration, "500", 3, &number), \
      utet_tiledb_value_find(&enumeration, fence_with("5", 1), 1, &number), ANY)
#define ENTRY_OTHERWISE(X)                                                             \
    X(utet_tiledb_entry_find, a_tile, utet_tiledb_entry_find(&tile, "fff", 3, &entry), \
      utet_tiledb_entry_find(&tile, fence_with("f", 1), 1, &entry), ANY)

#define PAIR(name, ready, first, less, status) \
    if (row == i++)                            \
        return otherwise ? (less) : (first);
#define ROW(name, ready, first, less, status) {#name, ready, status},
#define OTHERWISE(what, rows)                                   \
    static utet_status call_##what(unsigned row, int otherwise) \
    {                                                           \
        unsigned i = 0;                                         \
                                                                \
        rows(PAIR) return UTET_E_ARGUMENT;                      \
    }                                                           \
    static const struct repeated what##_rows[] = {rows(ROW)};

struct repeated {
    const char *name;
    void (*ready)(void);
    int status; /* of the call that is repeated otherwise */
};
static uint32_t levels[8];

OTHERWISE(tet, TET_OTHERWISE)
OTHERWISE(message, MESSAGE_OTHERWISE)
OTHERWISE(schema, SCHEMA_OTHERWISE)
OTHERWISE(enumeration, ENUMERATION_OTHERWISE)
OTHERWISE(entry, ENTRY_OTHERWISE)

/* Suspended at byte `step` of what a port gives; 0: the call ends before that. */
static int suspend_otherwise(const struct repeated *of, utet_status (*make)(unsigned row, int otherwise), unsigned row,
                             unsigned at, unsigned step, utet_status right)
{
    utet_status status;

    of->ready();
    file[0].priv.held = 0;
    file[1].priv.held = 0;
    port[at].slice = 1;
    port[at].fault = FAULT_BLOCK_ONCE;
    port[at].fault_at = port[at].reads + step;
    status = make(row, 0);
    if (status != UTET_WOULD_BLOCK)
        return 0;
    if (of->status != ANY) {
        if (of->status != UTET_E_STATE && of->status != UTET_E_ARGUMENT)
            faultport_misused(); /* a refusal, too */
        status = make(row, 1);
        suite_check(status == of->status, "%s, repeated at byte %u of port %u: %d", of->name, step, at, status);
        status = make(row, 0);
        suite_check(status == right, "%s goes on at byte %u of port %u: %d", of->name, step, at, status);
        suite_check(port[0].violations + port[1].violations == 0, "%s asks for something else", of->name);
    } else {
        do {
            faultport_misused();
            status = make(row, 1);
        } while (status == UTET_WOULD_BLOCK);
        assert_int_equal(utet_cancel(&file[0]), UTET_OK);
        assert_int_equal(utet_cancel(&file[1]), UTET_OK);
    }
    return 1;
}

static unsigned repetitions;

static void each_row(const struct repeated *rows_, unsigned count, utet_status (*make)(unsigned row, int otherwise),
                     void (*set)(void), void (*unset_)(void))
{
    unsigned row, at;

    for (row = 0; row < count; row++) {
        const unsigned before = repetitions;
        utet_status right;

        set();
        rows_[row].ready();
        right = make(row, 0);
        unset_();
        suite_check(right != UTET_WOULD_BLOCK && right != UTET_E_STATE, "%s: %d", rows_[row].name, right);
        for (at = 0; at < FILES; at++) {
            unsigned step = 0;
            int waits;

            do {
                set();
                waits = suspend_otherwise(&rows_[row], make, row, at, step, right);
                unset_();
                repetitions += (unsigned)waits;
                step++;
            } while (waits);
        }
        suite_check(repetitions != before, "%s is not suspended", rows_[row].name);
    }
}

#define EACH(what, set, unset) each_row(what##_rows, sizeof what##_rows / sizeof *what##_rows, call_##what, set, unset)

static void repeated_with_other_memory(void **state)
{
    (void)state;
    wall = guard_new(4096, 1, GUARD_AFTER);
    EACH(tet, set_tet, unset_tet);
    EACH(message, set_messages, unset);
    EACH(schema, set_schema, unset);
    EACH(enumeration, set_enumeration, unset);
    EACH(entry, set_entries, unset);
    guard_free(&wall);
    suite_figure("%u repetitions with other memory", repetitions);
}

/* ---- the tables against the headers ---- */

/* Calls on no file, or such as may come at any time. */
static const char *const apart[] = {
    "utet_init",
    "utet_cancel", /* at any time */
    "utet_payload_fetch",
    "utet_payload_copy",
    "utet_payload_error", /* for codecs, inside of a call */
    "utet_inflate_",
    "utet_szip_",
    "utet_zstd_", /* decoders alone, without files */
    "utet_show_",
    "utet_tensor_double",
    "utet_tensor_text", /* of an element in memory */
    "utet_tiledb_name",
    "utet_tiledb_newest",
    "utet_tiledb_newest_at", /* of names */
    "utet_tiledb_files_open",
    "utet_tiledb_files_next",
    "utet_tiledb_keys_init", /* of names and memory */
};

static int is_in_table(const char *name, size_t length)
{
    size_t i, j;

    for (i = 0; i < sizeof rooms / sizeof *rooms; i++)
        for (j = 0; j < rooms[i].count; j++)
            if (strlen(rooms[i].calls[j].name) == length && memcmp(rooms[i].calls[j].name, name, length) == 0)
                return 1;
    for (i = 0; i < sizeof apart / sizeof *apart; i++) {
        const size_t size = strlen(apart[i]);

        if (size <= length && memcmp(apart[i], name, size) == 0 && (size == length || apart[i][size - 1] == '_'))
            return 1;
    }
    return 0;
}

static void every_call_of_the_headers(void **state)
{
    static const char *const headers[] = {
        "",        "_cbor",          "_check",     "_codec", "_fold", "_folder",    "_inflate",
        "_lz4",    "_meta",          "_query",     "_show",  "_szip", "_tensogram", "_tensogram_data",
        "_tiledb", "_tiledb_folder", "_transform", "_zstd"};
    const char *root = getenv("TEST_ROOT") != NULL ? getenv("TEST_ROOT") : "test";
    unsigned calls = 0;
    size_t i;

    (void)state;
    for (i = 0; i < sizeof headers / sizeof *headers; i++) {
        char line[300];
        FILE *in;

        snprintf(line, sizeof line, "%s/../include/utet%s.h", root, headers[i]);
        in = fopen(line, "r");
        suite_check(in != NULL, "%s cannot be read", line);
        while (fgets(line, sizeof line, in) != NULL) {
            const char *name = line + strlen("utet_status ");
            const char *bracket = strchr(line, '(');

            if (strncmp(line, "utet_status utet_", 17) != 0 || bracket == NULL)
                continue;
            calls++;
            suite_check(is_in_table(name, (size_t)(bracket - name)), "%.*s is in no table of this suite",
                        (int)(bracket - name), name);
        }
        fclose(in);
    }
    assert_true(calls > 100);
    suite_figure("%u calls of the headers", calls);
}

int main(void)
{
    static const struct CMUnitTest cases[] = {
        cmocka_unit_test(every_call_of_the_headers),
        cmocka_unit_test(every_other_call_is_refused),
        cmocka_unit_test(nothing_into_null),
        cmocka_unit_test(repeated_with_other_objects),
        cmocka_unit_test(repeated_with_another_request),
        cmocka_unit_test(repeated_with_other_memory),
        cmocka_unit_test(given_up_in_part),
    };
    return SUITE("protocol", cases);
}
