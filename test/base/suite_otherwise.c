/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Suspended calls that are repeated with other objects, requests, memory or sizes: each is refused or ignores what is
 * new, and none touches memory that it was not given. Reads of no bytes accept no memory. suite_protocol has the rest.
 */
#include "guard.h"
#include "protocolformats.h"

/* ---- reads of no bytes without memory ---- */

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

/* ---- a suspended call that is repeated with other arguments ---- */

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

/* Refused without a trace in any object, so that the right repetition continues. */
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

/* The request as it is when the call begins counts. */
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

/* One of a query's two files is cancelled: the call waits until the other one is cancelled as well. */
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
    assert_int_equal(utet_cancel(&file[1]), UTET_OK); /* the message's own file is idle, that of its text waits */
    assert_int_equal(utet_cancel(&file[0]), UTET_OK);
    port[0].fault = FAULT_NONE;
    assert_int_equal(utet_dataset_first(&file[0], &d), UTET_OK);
    GOES_ON(utet_query_message(&query, 0, text, sizeof text, &got));
    SUSPENDED(a_refusal, utet_dataset_first(&file[0], &other));
    assert_int_equal(utet_query_message(&query, 0, text, sizeof text, &got), UTET_E_STATE);
    GOES_ON(utet_dataset_first(&file[0], &other));
}

/* ---- a suspended call that is repeated with other memory or another size ---- */

/* A row begins a call in memory of its own, and repeats it with memory that ends at an unmapped page (guard.h). The
 * repetition is refused, and the call then continues as if nothing had happened. With ANY, every status is accepted and
 * only the memory is checked. */
enum { ANY = 1000 };
static guard wall; /* no byte after it is mapped */

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

/* name, requirement, the call, the call repeated with other arguments, the status of that */
#define TET_OTHERWISE(X)                                                                                              \
    X(utet_dataset_find, opened, utet_dataset_find(&file[0], "d", 1, &other),                                         \
      utet_dataset_find(&file[0], fence_with("", 0), 0, &other), ANY)                                                 \
    X(utet_stream_read, a_stream, utet_stream_read(&stream, bytes, 4, &got),                                          \
      utet_stream_read(&stream, fence(1), 1, &got), UTET_E_STATE)                                                     \
    X(utet_stream_load, opened, utet_stream_load(&stream, &file[0], &chunk, bytes, 4),                                \
      utet_stream_load(&stream, &file[0], &chunk, fence(4), 4), UTET_E_STATE)                                         \
    X(utet_slab_read_all, a_slab, utet_slab_read_all(&slab, bytes, 8), utet_slab_read_all(&slab, fence(8), 8),        \
      UTET_E_STATE)                                                                                                   \
    X(utet_slab_read_all, a_slab, utet_slab_read_all(&slab, bytes, 8), utet_slab_read_all(&slab, bytes, 1),           \
      UTET_E_STATE)                                                                                                   \
    X(utet_tiles_read, some_tiles, utet_tiles_read(&tiles, all, bytes, 8), utet_tiles_read(&tiles, all, fence(8), 8), \
      UTET_E_STATE)                                                                                                   \
    X(utet_tiles_read, some_tiles, utet_tiles_read(&tiles, all, bytes, 8), utet_tiles_read(&tiles, all, bytes, 1),    \
      UTET_E_STATE)                                                                                                   \
    X(utet_text_read, a_text, utet_text_read(&meta, &item, text, 20, &got),                                           \
      utet_text_read(&meta, &item, fence(0), 0, &got), UTET_E_STATE)                                                  \
    X(utet_list_find, labels, utet_list_find(&meta, &value, "bbb", 3, &index_),                                       \
      utet_list_find(&meta, &value, fence_with("b", 1), 1, &index_), ANY)                                             \
    X(utet_map_find, attributes, utet_map_find(&meta, &value, "units", 5, &item),                                     \
      utet_map_find(&meta, &value, fence_with("u", 1), 1, &item), ANY)                                                \
    X(utet_meta_axis, metadata_, utet_meta_axis(&meta, &about, "xxx", 3, &axis),                                      \
      utet_meta_axis(&meta, &about, fence_with("x", 1), 1, &axis), ANY)                                               \
    X(utet_index_label, metadata_, utet_index_label(&meta, &about, 0, "abc", 3, &value),                              \
      utet_index_label(&meta, &about, 0, fence_with("a", 1), 1, &value), ANY)                                         \
    X(utet_index_value, metadata_, utet_index_value(&meta, &about, "\1\0", &value),                                   \
      utet_index_value(&meta, &about, fence_with("\1\0", 2), &value), ANY)                                            \
    X(utet_zone_find, zone_maps, utet_zone_find(&meta, &zones, first_chunk, &zone),                                   \
      utet_zone_find(&meta, &zones, memset(fence(8), 0, 8), &zone), ANY)                                              \
    X(utet_fold_run, a_fold, utet_fold_run(&fold, results, 8), utet_fold_run(&fold, fence(0), 0), UTET_E_SPACE)       \
    X(utet_fold_run, a_fold, utet_fold_run(&fold, results, 8), utet_fold_run(&fold, fence(8), 1), ANY)                \
    X(utet_fold_run, a_fold_in_pieces, utet_fold_run(&fold, results, 1), utet_fold_run(&fold, fence(0), 0),           \
      UTET_E_SPACE)                                                                                                   \
    X(utet_fold_run, a_fold_in_pieces, utet_fold_run(&fold, results, 1), utet_fold_run(&fold, fence(8), 1), ANY)      \
    X(utet_fold_matrix_run, an_open_matrix, utet_fold_matrix_run(&matrix, results, 8),                                \
      utet_fold_matrix_run(&matrix, fence(0), 0), UTET_E_SPACE)                                                       \
    X(utet_fold_matrix_run, an_open_matrix, utet_fold_matrix_run(&matrix, results, 8),                                \
      utet_fold_matrix_run(&matrix, fence(8), 1), ANY)                                                                \
    X(utet_transform_run, a_transform, first_into(), change_into(8), ANY)                                             \
    X(utet_transform_run, a_transform, first_into(), change_into(4), UTET_E_STATE)                                    \
    X(utet_query_text, a_query, utet_query_text(&query, &query.dataset, 0, text, 1, &got),                            \
      utet_query_text(&query, &query.dataset, 0, fence(1), 1, &got), UTET_E_STATE)                                    \
    X(utet_query_message, a_refusal, utet_query_message(&query, 0, text, sizeof text, &got),                          \
      utet_query_message(&query, 0, fence(1), 1, &got), UTET_E_STATE)                                                 \
    X(utet_query_bind, a_query, utet_query_bind(&plan, &query, &meta, many_places, 16),                               \
      utet_query_bind(&plan, &query, &meta, fence(4), 1), ANY)                                                        \
    X(utet_query_answer_next, an_answer, utet_query_answer_next(&answer, results),                                    \
      utet_query_answer_next(&answer, fence(8)), ANY)                                                                 \
    X(utet_query_respond, a_response, first_response(), change_response(UTET_QUERY_RESPONSE_MIN), ANY)                \
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
    int status; /* of the call that is repeated with other arguments */
};
static uint32_t levels[8];

OTHERWISE(tet, TET_OTHERWISE)
OTHERWISE(message, MESSAGE_OTHERWISE)
OTHERWISE(schema, SCHEMA_OTHERWISE)
OTHERWISE(enumeration, ENUMERATION_OTHERWISE)
OTHERWISE(entry, ENTRY_OTHERWISE)

/* Suspends at byte `step` of what a port delivers; returns 0 if the call ends before that. */
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
            faultport_misused(); /* also when it refuses */
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

int main(void)
{
    static const struct CMUnitTest cases[] = {
        cmocka_unit_test(nothing_into_null),
        cmocka_unit_test(repeated_with_other_objects),
        cmocka_unit_test(repeated_with_another_request),
        cmocka_unit_test(repeated_with_other_memory),
        cmocka_unit_test(given_up_in_part),
    };
    return SUITE("otherwise", cases);
}
