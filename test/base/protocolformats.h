/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The files of other formats that the suites of the call protocol use: Tensogram messages, and TileDB's schemas,
 * metadata and groups. */
#ifndef PROTOCOLFORMATS_H
#define PROTOCOLFORMATS_H

#include "protocolworld.h"
#include "tgmgen.h"
#include "tilegen.h"
#include "utet_tensogram_data.h"
#include "utet_tiledb_folder.h"

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
static utet_item list, item_value;
static const utet_segment segments[] = {{"a", 1}, {"b", 1}};

static inline void set_messages(void)
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
static inline void unset(void)
{
}
static inline void messages(void)
{
    assert_int_equal(utet_messages_open(&file[0], NULL), UTET_OK);
}
static inline void a_message(void)
{
    messages();
    assert_int_equal(utet_message_at(&file[0], 0, &message), UTET_OK);
}
static inline void a_frame(void)
{
    a_message();
    assert_int_equal(utet_frame_first(&file[0], &message, &frame), UTET_OK);
}
static inline void a_descriptor(void)
{
    a_frame();
    while (frame.type != UTET_FRAME_TENSOR)
        assert_int_equal(utet_frame_next(&file[0], &message, &frame), UTET_OK);
}
static inline void documents(void)
{
    a_message();
    assert_int_equal(utet_metadata_open(&metadata, &file[0], &message, NULL, 0), UTET_OK);
}
static inline void an_entry_of_all(void)
{
    documents();
    assert_int_equal(utet_entry_first(&metadata, &about_tensor), UTET_OK);
}
static inline void a_list(void)
{
    documents();
    list = metadata.document.root;
}
static inline void a_long_text(void)
{
    documents();
    assert_int_equal(utet_metadata_find_dotted(&metadata, "a.b", 3, &item_value), UTET_OK);
}
static inline void cbor(void)
{
    a_frame();
    assert_int_equal(utet_cbor_open(&reader, &file[0], 40, 100, NULL, 0), UTET_OK);
}
static inline void a_token(void)
{
    unsigned i;

    cbor();
    for (i = 0; i < 9 && reader.token != UTET_CBOR_TEXT; i++)
        assert_int_equal(utet_cbor_next(&reader), UTET_OK);
}
static inline void an_object(void)
{
    a_message();
    assert_int_equal(utet_object_find(&object, &file[0], &message, 0, &frame, &reader), UTET_OK);
}
static inline void a_tensor(void)
{
    an_object();
    assert_int_equal(utet_tensor_open(&tensor, &file[0], &object), UTET_OK);
}
static inline void a_tensor_slab(void)
{
    static const utet_range second[UTET_TENSOR_MAX_NDIM] = {{1, 4, 2}};

    a_tensor();
    assert_int_equal(utet_tensor_slab_open(&tensor_slab, &tensor, second), UTET_OK);
}
static const utet_range whole_tensor[UTET_TENSOR_MAX_NDIM] = {{0, 4, 1}};

/* ---- a TileDB schema, an enumeration, metadata ---- */

static utet_tiledb tile;
static utet_tiledb_schema schema;
static utet_tiledb_item column;
static utet_tiledb_enumeration enumeration;
static utet_tiledb_text words;
static utet_tiledb_entry entry;
static utet_tiledb_filters filters;
static uint32_t number;

static inline void set_made(void)
{
    open_file(0, made.bytes, made.size);
    open_file(1, made.bytes, made.size);
}
static inline void set_schema(void)
{
    tilegen_schema(8, NULL);
    tilegen_add(0, 4); /* enumerations */
    tilegen_schema_end();
    set_made();
}
static inline void set_enumeration(void)
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
static inline void set_entries(void)
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

static inline void set_group(void)
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
static inline utet_status nothing_open(void *ctx, const char *path)
{
    (void)ctx;
    (void)path;
    return UTET_OK;
}
static inline utet_status nothing_next(void *ctx, char *name, size_t size, int *is_folder)
{
    (void)ctx;
    (void)name;
    (void)size;
    (void)is_folder;
    return UTET_END;
}
static inline void nothing_close(void *ctx)
{
    (void)ctx;
}
static inline void a_list_of_files(void)
{
    static const utet_folder folder = {NULL, nothing_open, nothing_next, nothing_close};

    assert_int_equal(
        utet_tiledb_files_open(&listed, &folder, "x", UTET_TILEDB_NOW, memory_of_names, sizeof memory_of_names),
        UTET_OK);
}
static inline void a_tile(void)
{
    assert_int_equal(utet_tiledb_open(&tile, &file[0], NULL), UTET_OK);
    filters = (utet_tiledb_filters){.count = 1};
    words = (utet_tiledb_text){.size = 9};
}
static inline void a_schema(void)
{
    a_tile();
    assert_int_equal(utet_tiledb_schema_open(&schema, &tile), UTET_OK);
}
static inline void an_attribute(void)
{
    a_schema();
    assert_int_equal(utet_tiledb_first(&schema, UTET_TILEDB_ATTRIBUTE, &column), UTET_OK);
}
static inline void an_enumeration(void)
{
    a_tile();
    assert_int_equal(utet_tiledb_enumeration_open(&enumeration, &tile), UTET_OK);
}
static inline void an_entry(void)
{
    a_tile();
    assert_int_equal(utet_tiledb_entry_first(&tile, &entry), UTET_OK);
}

static inline void a_group(void)
{
    a_tile();
    assert_int_equal(utet_tiledb_group_open(&group, &tile), UTET_OK);
}
static inline void a_member(void)
{
    a_group();
    assert_int_equal(utet_tiledb_member_first(&group, &member), UTET_OK);
}
static inline void a_set_of_keys(void)
{
    a_tile();
    assert_int_equal(utet_tiledb_keys_init(&keys, memory_of_keys, sizeof memory_of_keys), UTET_OK);
}

#endif
