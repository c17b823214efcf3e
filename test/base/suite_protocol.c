/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * The call protocol of include/utet.h: every public call against every other one. A call is suspended at each of its
 * requests to the port in turn. Meanwhile each other call on the same files returns UTET_E_STATE (or first reports that
 * an argument is wrong) and requests nothing. Then the call continues and returns the status that it returns without a
 * pause. The headers list the calls: one that no table below contains fails `every_call_of_the_headers`.
 * suite_otherwise tests suspended calls that are repeated with other arguments.
 */
#include "protocolformats.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct call {
    const char *name;
    void (*ready)(void); /* what the call requires, through a port that does not wait */
    utet_status (*make)(void);
} call;

/* ---- the calls ---- */

static utet_need need;
static utet_run run;
static utet_event event;
static utet_value key;
static utet_finding finding;
static utet_tiles more_tiles;
static uint64_t coords[UTET_MAX_NDIM];
static float numbers[4];
static utet_item item_key;
static utet_tiledb_filter filter;

#define NEXT_OF(object) utet_dataset_next(&file[0], &(object))
/* name, requirement, the call */
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
    X(utet_slab_move, a_slab, utet_slab_move(&slab, all))                                                             \
    X(utet_slab_next, a_slab, utet_slab_next(&slab, &run))                                                            \
    X(utet_slab_read_all, a_slab, utet_slab_read_all(&slab, bytes, 8))                                                \
    X(utet_tiles_init, opened, utet_tiles_init(&more_tiles, &file[0], &d, 1))                                         \
    X(utet_tiles_read, some_tiles, utet_tiles_read(&tiles, all, bytes, 8))                                            \
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
    X(utet_fold_matrix_divide, an_open_matrix,                                                                        \
      (matrix_share.parts = 2, utet_fold_matrix_divide(&matrix, &matrix_share)))                                      \
    X(utet_fold_matrix_merge, parts_of_a_matrix, utet_fold_matrix_merge(&matrix, &matrix2))                           \
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
    X(utet_query_answer_divide_matrix, an_answer,                                                                     \
      (matrix_share.parts = 2, utet_query_answer_divide_matrix(&answer, &matrix_share)))                              \
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
static const char *names[256]; /* the calls, by their numbers */

/* No two calls have the same number, even in different components. */
static void note_number(const char *name, uint8_t busy)
{
    if (names[busy] == NULL)
        names[busy] = name;
    suite_check(strcmp(names[busy], name) == 0, "%s and %s have the same number, %d", name, names[busy], busy);
}

/* Prepares the call, with empty windows so that it has to read. */
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

/* Returns whether a call uses a file that is suspended. Calls on a document use only the document, except binding and
 * the response, which use both files. */
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

/* Makes all other calls while `one` waits for a request of port `at`. */
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

/* Suspends the call at request `step` of a port; returns 0 if it makes fewer requests. */
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

/* A call that is cancelled at its first pause leaves files on which other calls work: none of them is refused because
 * of it. */
static void give_up(const room *of, const call *one)
{
    get_ready(of, one);
    port[0].fault = FAULT_BLOCK_ONCE;
    port[0].fault_at = port[0].reads;
    if (one->make() == UTET_WOULD_BLOCK) {
        assert_int_equal(utet_cancel(&file[0]), UTET_OK);
        assert_int_equal(utet_cancel(&file[1]), UTET_OK);
        assert_int_equal(file[0].priv.busy | file[1].priv.busy, 0);
        (void)one->make(); /* again, or UTET_E_STATE: the port would report a request that differs */
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
         i++) { /* all of them first: then each call has its objects, also while another one is suspended */
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

/* ---- the tables against the headers ---- */

/* Calls that do not use a file, or that are permitted at any time. */
static const char *const apart[] = {
    "utet_init",
    "utet_cancel", /* permitted at any time */
    "utet_payload_fetch",
    "utet_payload_copy",
    "utet_payload_error", /* for codecs, within a call */
    "utet_fold_follow",   /* within a callback of utet_fold_run */
    "utet_inflate_",
    "utet_szip_",
    "utet_zstd_", /* decoders by themselves, without files */
    "utet_show_",
    "utet_physical_",
    "utet_tensor_double",
    "utet_tensor_text", /* on an element in memory */
    "utet_tiledb_name",
    "utet_tiledb_newest",
    "utet_tiledb_newest_at", /* on names */
    "utet_tiledb_files_open",
    "utet_tiledb_files_next",
    "utet_tiledb_keys_init", /* on names and memory */
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
    };
    return SUITE("protocol", cases);
}
