/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls of utet_tiledb.h that are suspended before any byte, and what fields may be: datatypes of dimensions, options
 * of filters, references, sizes at their ends.
 */
#include "faultport.h"
#include "suite.h"
#include "tilegen.h"
#include "utet_tiledb.h"

#include <stdlib.h>
#include <string.h>

enum { LEAST = 192 + UTET_TILEDB_RAW_MIN };

static faultport port;
static utet_file file;
static utet_tiledb tile;
static utet_tiledb_schema schema;
static utet_tiledb_item item;
static uint64_t work[4096];
static unsigned blocked; /* so often did the last call say "not yet" */

static utet_status open_in(size_t room)
{
    faultport_init(&port, made.bytes, made.size);
    assert_int_equal(utet_init(&file, &port.io, work, room, NULL), UTET_OK);
    return utet_tiledb_open(&tile, &file, NULL);
}

static utet_status open_schema(size_t room)
{
    utet_status status = open_in(room);

    return status == UTET_OK ? utet_tiledb_schema_open(&schema, &tile) : status;
}

/* Every request is told "not yet" once, and served in a few bytes. */
static void hesitate(void)
{
    port.slice = 48;
    port.blocks = 1;
}

#define DRIVEN(status, call)                                              \
    for (blocked = 0; ((status) = (call)) == UTET_WOULD_BLOCK; blocked++) \
    continue

/* ---- suspended ---- */

static void make_references(unsigned attributes)
{
    unsigned i;

    tilegen_schema(attributes, NULL);
    tilegen_add(attributes, 4);
    for (i = 0; i < attributes; i++) {
        char name[4] = "a00";

        name[1] = (char)('0' + i / 10);
        name[2] = (char)('0' + i % 10);
        tilegen_text(name, 4);
        tilegen_text("f", 4);
    }
    tilegen_schema_end();
}

static void schemas_suspended(void **state)
{
    utet_tiledb_filters filters;
    utet_tiledb_filter filter;
    utet_status status;
    unsigned i;

    (void)state;
    make_references(40);
    assert_int_equal(open_schema(LEAST), UTET_OK);
    hesitate();
    DRIVEN(status, utet_tiledb_find(&schema, UTET_TILEDB_ATTRIBUTE, "a39", 3, &item));
    assert_true(status == UTET_OK && item.number == 39 && blocked > 20);
    DRIVEN(status, utet_tiledb_find(&schema, UTET_TILEDB_ENUMERATION, "a40", 3, &item));
    assert_true(status == UTET_E_NOT_FOUND && blocked > 20);
    DRIVEN(status, utet_tiledb_schema_check(&schema));
    assert_true(status == UTET_OK && blocked > 20);
    DRIVEN(status, utet_tiledb_first(&schema, UTET_TILEDB_ATTRIBUTE, &item));
    for (i = 1; i < 40; i++) {
        DRIVEN(status, utet_tiledb_next(&schema, &item));
        assert_true(status == UTET_OK && item.number == i && item.enumeration.size == 3);
    }
    DRIVEN(status, utet_tiledb_next(&schema, &item));
    assert_int_equal(status, UTET_END);
    assert_int_equal(utet_tiledb_find(&schema, UTET_TILEDB_DIMENSION, "d", SIZE_MAX, &item), UTET_WOULD_BLOCK);
    assert_int_equal(utet_tiledb_filter_next(&tile, &(utet_tiledb_filters){0, 0, 1}, &filter), UTET_E_STATE);
    DRIVEN(status, utet_tiledb_find(&schema, UTET_TILEDB_DIMENSION, "d", SIZE_MAX, &item));
    assert_int_equal(status, UTET_E_NOT_FOUND);
    filters.count = 1;
    filters.offset = tile.size - 1; /* not where a filter is */
    DRIVEN(status, utet_tiledb_filter_next(&tile, &filters, &filter));
    assert_true(status == UTET_E_METADATA && filters.count == 1 && filters.offset == tile.size - 1);
    filters.offset = UINT32_MAX - 3;
    assert_int_equal(utet_tiledb_filter_next(&tile, &filters, &filter), UTET_E_METADATA);

    /* A fault in an item, and one on the medium, while a name is searched for. */
    made.bytes[made.size - 6] = 0xFF; /* the length of the last path */
    make_references(40);
    made.bytes[made.size - 9] = 0xFF;
    assert_int_equal(open_schema(LEAST), UTET_OK);
    assert_int_equal(utet_tiledb_find(&schema, UTET_TILEDB_ENUMERATION, "none", 4, &item), UTET_E_METADATA);
    assert_int_equal(open_schema(LEAST), UTET_OK);
    port.fault = FAULT_ERROR;
    port.fault_at = port.reads;
    port.fault_forever = 1;
    assert_int_equal(utet_tiledb_find(&schema, UTET_TILEDB_ENUMERATION, "none", 4, &item), FAULTPORT_ERROR);
}

/* The schema has been walked through when the check of the last chunk, of 0 bytes, is suspended. */
static void the_end_suspended(void **state)
{
    utet_status status;
    unsigned at_the_end = 0;
    size_t all;

    (void)state;
    make_references(30);
    all = made.size;
    made.size = 4;
    tilegen_add(all - 42 + 12, 8);
    made.size = 42;
    tilegen_add(2, 8);
    made.size = all;
    tilegen_add(0, 12);
    assert_int_equal(open_schema(sizeof work), UTET_OK);
    hesitate();
    port.slice = 1;
    while ((status = utet_tiledb_schema_check(&schema)) == UTET_WOULD_BLOCK)
        at_the_end += schema.priv.known == UTET_TILEDB_KINDS + 1;
    assert_int_equal(status, UTET_OK);
    assert_true(at_the_end > 5);
}

static void opening_suspended(void **state)
{
    utet_tiledb other;
    utet_status status;

    (void)state;
    make_references(2);
    faultport_init(&port, made.bytes, made.size);
    hesitate();
    assert_int_equal(utet_init(&file, &port.io, work, sizeof work, NULL), UTET_OK);
    assert_int_equal(utet_tiledb_open(&tile, &file, NULL), UTET_WOULD_BLOCK);
    assert_int_equal(utet_tiledb_open(&other, &file, NULL), UTET_E_STATE);
    assert_int_equal(utet_tiledb_schema_open(&schema, &tile), UTET_E_STATE); /* not open yet */
    DRIVEN(status, utet_tiledb_open(&tile, &file, NULL));
    assert_int_equal(status, UTET_OK);
    DRIVEN(status, utet_tiledb_schema_open(&schema, &tile));
    assert_true(status == UTET_OK && blocked > 0);
    port.slice = 0;
    port.blocks = 1;
    assert_int_equal(utet_tiledb_schema_open(&schema, &tile), UTET_OK); /* all of it is held */
    assert_int_equal(open_schema(LEAST), UTET_OK);
    hesitate();
    assert_int_equal(utet_tiledb_schema_check(&schema), UTET_WOULD_BLOCK);
    assert_int_equal(utet_tiledb_open(&other, &file, NULL), UTET_E_STATE); /* another call is suspended */

    memset(&tile, 0, sizeof tile);
    assert_int_equal(utet_tiledb_schema_open(&schema, &tile), UTET_E_STATE); /* never opened */
    port.io.size = (uint64_t)1 << 32;
    assert_int_equal(utet_init(&file, &port.io, work, sizeof work, NULL), UTET_OK);
    assert_int_equal(utet_tiledb_open(&tile, &file, NULL), UTET_E_SUPERBLOCK); /* 4 GiB */
}

/* 150 dimensions with a current domain: their datatypes are read again on the way, suspended at each request; given up,
 * and met by a fault, between any two of them, and the ranges are right afterwards. */
static void ranges_suspended(void **state)
{
    utet_status status;
    unsigned i, stop;

    (void)state;
    tilegen_begin();
    tilegen_head(22, 0, 0, 150);
    for (i = 0; i < 150; i++)
        tilegen_dimension("d");
    tilegen_add(0, 12); /* attributes, labels, enumerations */
    tilegen_add(0, 6);  /* current domain: version, not empty, rectangle */
    for (i = 0; i < 150; i++)
        tilegen_add(0x500000000 + i, 8);
    tilegen_end(22);
    for (stop = 0; stop < 400; stop += 7) {
        unsigned calls = 0;

        assert_int_equal(open_schema(LEAST), UTET_OK);
        assert_int_equal(utet_tiledb_schema_check(&schema), UTET_OK);
        hesitate();
        while ((status = utet_tiledb_first(&schema, UTET_TILEDB_RANGE, &item)) == UTET_WOULD_BLOCK && calls++ < stop)
            continue;
        if (status == UTET_WOULD_BLOCK) {
            assert_int_equal(utet_cancel(&file), UTET_OK);
            port.pending = 0;
            if (stop % 2 != 0) {
                port.fault = FAULT_ERROR;
                port.fault_at = port.reads + 1;
                DRIVEN(status, utet_tiledb_first(&schema, UTET_TILEDB_RANGE, &item));
                assert_int_equal(status, FAULTPORT_ERROR);
            }
        }
        DRIVEN(status, utet_tiledb_first(&schema, UTET_TILEDB_RANGE, &item));
        for (i = 0; status == UTET_OK; i++) {
            assert_true(item.number == i && item.datatype == 0 && item.least.size == 4);
            DRIVEN(status, utet_tiledb_next(&schema, &item));
        }
        assert_true(status == UTET_END && i == 150 && port.violations == 0);
    }
}

/* Strings of three letters, so many. */
static void make_enumeration(unsigned values)
{
    unsigned i;

    tilegen_begin();
    tilegen_add(0, 4);
    tilegen_text("name", 4);
    tilegen_text("path", 4);
    tilegen_add(UTET_TILEDB_STRING_ASCII, 1);
    tilegen_add(UTET_TILEDB_VAR, 4);
    tilegen_add(0, 1);
    tilegen_add(3 * values, 8);
    for (i = 0; i < values; i++)
        tilegen_add(0x303030 + (i % 10 << 16) + (i / 10 % 10 << 8) + i / 100, 3);
    tilegen_add(8 * values, 8);
    for (i = 0; i < values; i++)
        tilegen_add(3 * i, 8);
    tilegen_end(22);
}

/* Another version than the tile's is found while the fields behind it are still on their way: the call goes on until
 * its last request has been served, and no transfer is left behind. */
static void versions_suspended(void **state)
{
    utet_tiledb_enumeration enumeration;
    utet_status status;
    size_t slice;

    (void)state;
    for (slice = 1; slice < 64; slice++) {
        make_references(4);
        made.bytes[TILEGEN_RAW] = 21;
        assert_int_equal(open_in(LEAST), UTET_OK);
        port.slice = slice;
        port.blocks = 1;
        DRIVEN(status, utet_tiledb_schema_open(&schema, &tile));
        assert_int_equal(status, UTET_E_VERSION);
        assert_true(blocked > 0 && port.pending == 0 && port.violations == 0);

        make_enumeration(4);
        made.bytes[TILEGEN_RAW] = 1;
        assert_int_equal(open_in(LEAST), UTET_OK);
        port.slice = slice;
        port.blocks = 1;
        DRIVEN(status, utet_tiledb_enumeration_open(&enumeration, &tile));
        assert_int_equal(status, UTET_E_VERSION);
        assert_true(blocked > 0 && port.pending == 0 && port.violations == 0);
    }
}

static void enumerations_suspended(void **state)
{
    utet_tiledb_enumeration enumeration;
    utet_tiledb_text value;
    utet_status status;
    uint32_t index = 0;
    unsigned i;

    (void)state;
    make_enumeration(100);
    assert_int_equal(open_in(LEAST), UTET_OK);
    hesitate();
    DRIVEN(status, utet_tiledb_enumeration_open(&enumeration, &tile));
    assert_true(status == UTET_OK && enumeration.count == 100 && blocked > 5);
    DRIVEN(status, utet_tiledb_enumeration_check(&enumeration));
    assert_true(status == UTET_OK && blocked > 10);
    DRIVEN(status, utet_tiledb_value_find(&enumeration, "077", 3, &index));
    suite_check(status == UTET_OK && index == 77 && blocked > 10, "%s %d %u %u", port.violation, status,
                (unsigned)index, blocked);
    DRIVEN(status, utet_tiledb_value_find(&enumeration, "7x7", 3, &index));
    assert_int_equal(status, UTET_E_NOT_FOUND);
    for (i = 100; i-- > 0;) { /* backwards: each time before the batch that is there */
        DRIVEN(status, utet_tiledb_value(&enumeration, i, &value));
        assert_true(status == UTET_OK && value.size == 3 && value.offset == enumeration.data.offset + 3 * i);
    }
    assert_int_equal(utet_tiledb_value(&enumeration, 50, &value), UTET_WOULD_BLOCK);
    assert_int_equal(utet_tiledb_value_find(&enumeration, "077", 3, &index), UTET_E_STATE);
    assert_int_equal(utet_cancel(&file), UTET_OK);
    port.pending = 0;
    assert_int_equal(utet_tiledb_value_find(&enumeration, "077", 3, &index), UTET_WOULD_BLOCK);
    assert_int_equal(utet_tiledb_value(&enumeration, 50, &value), UTET_E_STATE);

    /* One long value, which is compared piece by piece; a fault in it. */
    tilegen_begin();
    tilegen_add(0, 4);
    tilegen_text("name", 4);
    tilegen_text("path", 4);
    tilegen_add(UTET_TILEDB_STRING_ASCII, 1);
    tilegen_add(1000, 4);
    tilegen_add(0, 1);
    tilegen_add(1000, 8);
    memset(made.bytes + made.size, 'x', 1000);
    made.size += 1000;
    tilegen_end(22);
    assert_int_equal(open_in(LEAST), UTET_OK);
    assert_int_equal(utet_tiledb_enumeration_open(&enumeration, &tile), UTET_OK);
    assert_int_equal(utet_tiledb_value_find(&enumeration, made.bytes + made.size - 1000, 1000, &index), UTET_OK);
    assert_int_equal(index, 0);
    port.fault = FAULT_ERROR;
    port.fault_at = port.reads + 1;
    port.slice = 64;
    assert_int_equal(utet_tiledb_value_find(&enumeration, made.bytes + made.size - 1000, 1000, &index),
                     FAULTPORT_ERROR);

    /* A value larger than any tile: there is none of it. */
    tilegen_begin();
    tilegen_add(0, 12);
    tilegen_add(1, 1); /* INT64 */
    tilegen_add(0x7FFFFFFF, 4);
    tilegen_add(0, 1);
    tilegen_add(0, 8);
    tilegen_end(22);
    assert_int_equal(open_in(sizeof work), UTET_OK);
    assert_int_equal(utet_tiledb_enumeration_open(&enumeration, &tile), UTET_OK);
    assert_int_equal(enumeration.count, 0);
}

static void entries_suspended(void **state)
{
    utet_tiledb_entry entry;
    utet_status status;
    unsigned i;

    (void)state;
    tilegen_begin();
    for (i = 0; i < 30; i++) {
        char key[4] = "k00";

        key[1] = (char)('0' + i / 10);
        key[2] = (char)('0' + i % 10);
        tilegen_text(key, 4);
        tilegen_add(i % 3 == 2, 1);
        if (i % 3 == 2)
            continue;
        tilegen_add(6, 1);
        tilegen_add(5, 4);
        tilegen_add(i, 5);
    }
    tilegen_end(22);
    assert_int_equal(open_in(LEAST), UTET_OK);
    hesitate();
    DRIVEN(status, utet_tiledb_entry_find(&tile, "k28", 3, &entry));
    assert_true(status == UTET_OK && !entry.deleted && entry.value.size == 5 && blocked > 5);
    DRIVEN(status, utet_tiledb_entry_find(&tile, "k29", 3, &entry));
    assert_true(status == UTET_OK && entry.deleted && entry.value.size == 0 && entry.count == 0);
    DRIVEN(status, utet_tiledb_entry_find(&tile, "k28", SIZE_MAX, &entry));
    assert_int_equal(status, UTET_E_NOT_FOUND);
    DRIVEN(status, utet_tiledb_entry_first(&tile, &entry));
    for (i = 1; i < 30; i++) {
        DRIVEN(status, utet_tiledb_entry_next(&tile, &entry));
        assert_true(status == UTET_OK && entry.deleted == (i % 3 == 2));
    }
    DRIVEN(status, utet_tiledb_entry_next(&tile, &entry));
    assert_int_equal(status, UTET_END);

    /* A value of 2^32 bytes and more. */
    tilegen_begin();
    tilegen_text("k", 4);
    tilegen_add(0, 1);
    tilegen_add(1, 1);
    tilegen_add(0x20000001, 4);
    tilegen_add(0, 8);
    tilegen_end(22);
    assert_int_equal(open_in(sizeof work), UTET_OK);
    assert_int_equal(utet_tiledb_entry_first(&tile, &entry), UTET_E_METADATA);
}

/* ---- fields ---- */

/* A dimension of that datatype with an extent or without, and what comes of it. */
static utet_status dimension_of(unsigned datatype, unsigned sparse, uint32_t cells, uint64_t domain, int null_extent)
{
    tilegen_begin();
    tilegen_head(22, sparse, 0, 1);
    tilegen_text("d", 4);
    tilegen_add(datatype, 1);
    tilegen_add(cells, 4);
    tilegen_add(0, 8);
    tilegen_add(domain, 8);
    memset(made.bytes + made.size, 0, (size_t)domain);
    made.size += (size_t)domain;
    tilegen_add((uint64_t)null_extent, 1);
    if (!null_extent)
        made.size += (size_t)domain / 2;
    tilegen_add(0, 4); /* attributes, */
    tilegen_add(0, 4); /* labels, */
    tilegen_add(0, 4); /* enumerations */
    tilegen_schema_end();
    if (open_schema(sizeof work) != UTET_OK)
        return UTET_E_STATE;
    return utet_tiledb_schema_check(&schema);
}

static void datatypes_of_dimensions(void **state)
{
    /* By datatype: bytes of a value, d = in dense and sparse arrays, s = in sparse ones alone (TileDB's own rule). */
    static const char *const types[] = {"4d", "8d", "4s", "8s", "1-", "1d", "1d", "2d", "2d", "4d", "8d",
                                        "v-", "1-", "2-", "4-", "2-", "4-", "1-", "8d", "8d", "8d", "8d",
                                        "8d", "8d", "8d", "8d", "8d", "8d", "8d", "8d", "8d", "8d", "8d",
                                        "8d", "8d", "8d", "8d", "8d", "8d", "8d", "1-", "1-", "1-", "1-"};
    unsigned type, sparse;

    (void)state;
    for (type = 0; type < sizeof types / sizeof *types; type++) {
        const unsigned bytes = (unsigned)(types[type][0] - '0');

        if (types[type][0] == 'v')
            continue; /* strings: below */
        assert_int_equal(utet_tiledb_type_size(type), bytes);
        for (sparse = 0; sparse < 2; sparse++) {
            const int may = types[type][1] == 'd' || (types[type][1] == 's' && sparse != 0);

            suite_check(dimension_of(type, sparse, 1, 2 * bytes, 0) == (may ? UTET_OK : UTET_E_DTYPE), "type %u, %u",
                        type, sparse);
        }
    }
    assert_int_equal(dimension_of(type, 1, 1, 8, 0), UTET_E_DTYPE);
    assert_int_equal(dimension_of(11, 1, UTET_TILEDB_VAR, 0, 1), UTET_OK);
    assert_int_equal(dimension_of(11, 0, UTET_TILEDB_VAR, 0, 1), UTET_E_DTYPE);
    assert_int_equal(dimension_of(11, 1, 1, 0, 1), UTET_E_METADATA);
    assert_int_equal(dimension_of(11, 1, UTET_TILEDB_VAR, 2, 1), UTET_E_METADATA);
    assert_int_equal(dimension_of(11, 1, UTET_TILEDB_VAR, 0, 0), UTET_E_METADATA); /* an extent, of 1 byte */
    assert_int_equal(dimension_of(0, 1, 2, 8, 0), UTET_E_METADATA);
    assert_int_equal(dimension_of(0, 1, 1, 4, 0), UTET_E_METADATA);
    assert_int_equal(dimension_of(0, 0, 1, 8, 1), UTET_OK);
}

static void fill_values(void **state)
{
    static const struct {
        unsigned datatype;
        uint32_t cells, size;
        utet_status status;
    } rows[] = {{6, 1, 1, UTET_OK},
                {6, 3, 3, UTET_OK},
                {0, 3, 12, UTET_OK},
                {0, 3, 11, UTET_E_METADATA},
                {UTET_TILEDB_ANY, 1, 1, UTET_E_METADATA},
                {UTET_TILEDB_ANY, UTET_TILEDB_VAR, 1, UTET_OK},
                {6, UTET_TILEDB_VAR, 5, UTET_OK},
                {6, 0, 0, UTET_E_METADATA},
                {1, 0x20000000, 8, UTET_E_METADATA}};
    size_t i;

    (void)state;
    for (i = 0; i < sizeof rows / sizeof *rows; i++) {
        tilegen_begin();
        tilegen_head(22, 1, 0, 1);
        tilegen_dimension("d");
        tilegen_add(1, 4);
        tilegen_text("a", 4);
        tilegen_add(rows[i].datatype, 1);
        tilegen_add(rows[i].cells, 4);
        tilegen_add(0, 8);
        tilegen_add(rows[i].size, 8);
        made.size += rows[i].size;
        tilegen_add(0, 3);
        tilegen_add(0, 4); /* enumeration */
        tilegen_add(0, 8);
        tilegen_schema_end();
        assert_int_equal(open_schema(sizeof work), UTET_OK);
        suite_check(utet_tiledb_schema_check(&schema) == rows[i].status, "row %u", (unsigned)i);
    }
}

static void options_of_filters(void **state)
{
    static const struct {
        unsigned type;
        const char *options; /* hexadecimal digits */
        utet_status status;
    } rows[] = {
        {UTET_TILEDB_NONE, "", UTET_OK},
        {UTET_TILEDB_NONE, "00", UTET_E_METADATA},
        {UTET_TILEDB_GZIP, "01ffffffff", UTET_OK},
        {UTET_TILEDB_GZIP, "02ffffffff", UTET_E_METADATA},
        {UTET_TILEDB_GZIP, "01ffffff", UTET_E_METADATA},
        {UTET_TILEDB_DICTIONARY, "0700000000", UTET_OK},
        {UTET_TILEDB_DELTA, "080000000002", UTET_OK},
        {UTET_TILEDB_DELTA, "08000000002c", UTET_E_METADATA},
        {UTET_TILEDB_DELTA, "0800000000", UTET_E_METADATA},
        {UTET_TILEDB_DOUBLE_DELTA, "060000000011", UTET_OK},
        {UTET_TILEDB_POSITIVE_DELTA, "00010000", UTET_OK},
        {UTET_TILEDB_SCALE_FLOAT, "000000000000f03f00000000000000000100000000000000", UTET_OK},
        {UTET_TILEDB_SCALE_FLOAT, "000000000000f03f00000000000000000800000000000000", UTET_OK},
        {UTET_TILEDB_SCALE_FLOAT, "000000000000f03f00000000000000000000000000000000", UTET_E_METADATA},
        {UTET_TILEDB_SCALE_FLOAT, "000000000000f03f00000000000000000300000000000000", UTET_E_METADATA},
        {UTET_TILEDB_SCALE_FLOAT, "000000000000f03f00000000000000001000000000000000", UTET_E_METADATA},
        {UTET_TILEDB_SCALE_FLOAT, "000000000000f03f00000000000000000100000001000000", UTET_E_METADATA},
        {UTET_TILEDB_WEBP, "0000c8420401030005000000", UTET_OK},
        {UTET_TILEDB_WEBP, "0000c8420501030005000000", UTET_E_METADATA},
        {UTET_TILEDB_WEBP, "0000c8420402030005000000", UTET_E_METADATA},
        {11, "", UTET_E_METADATA},
        {17, "", UTET_E_METADATA},
        {20, "", UTET_E_METADATA},
    };
    size_t i, k;

    (void)state;
    for (i = 0; i < sizeof rows / sizeof *rows; i++) {
        utet_tiledb_filters filters = {0, 0, 1};
        utet_tiledb_filter filter;

        tilegen_begin();
        tilegen_add(rows[i].type, 1);
        tilegen_add(strlen(rows[i].options) / 2, 4);
        for (k = 0; rows[i].options[k] != '\0'; k += 2) {
            const char digits[3] = {rows[i].options[k], rows[i].options[k + 1], '\0'};

            tilegen_add(strtoul(digits, NULL, 16), 1);
        }
        tilegen_end(23);
        assert_int_equal(open_in(sizeof work), UTET_OK);
        suite_check(utet_tiledb_filter_next(&tile, &filters, &filter) == rows[i].status, "row %u", (unsigned)i);
        if (rows[i].status != UTET_OK)
            continue;
        assert_true(filters.count == 0 && filters.offset == tile.size && filter.type == rows[i].type);
        if (filter.type == UTET_TILEDB_WEBP)
            assert_true(filter.quality == 0x42C80000 && filter.format == 4 && filter.lossless == 1 &&
                        filter.extent[0] == 3 && filter.extent[1] == 5);
        if (filter.type == UTET_TILEDB_SCALE_FLOAT)
            assert_true(filter.factor == 0x3FF0000000000000 && (filter.byte_width == 1 || filter.byte_width == 8));
    }
}

/* References to 256 different enumerations are looked up, by sixteen passes, and no more. */
static void many_references(void **state)
{
    (void)state;
    make_references(300);
    assert_int_equal(open_schema(sizeof work), UTET_OK);
    assert_int_equal(utet_tiledb_schema_check(&schema), UTET_OK);
    made.bytes[made.size - 5 - 12 * 300 + 12 * 255 + 4] = 'b'; /* the name of enumeration 255 */
    assert_int_equal(open_schema(sizeof work), UTET_OK);
    assert_int_equal(utet_tiledb_schema_check(&schema), UTET_E_METADATA);
    make_references(300);
    made.bytes[made.size - 5 - 12 * 300 + 12 * 256 + 4] = 'b'; /* 256: nobody looks */
    assert_int_equal(open_schema(sizeof work), UTET_OK);
    assert_int_equal(utet_tiledb_schema_check(&schema), UTET_OK);
}

/* ---- names ---- */

static utet_status folder_open(void *ctx, const char *path)
{
    (void)path;
    *(int *)ctx = 0;
    return UTET_OK;
}

/* Not terminated, which no port may do; then the end. */
static utet_status folder_next(void *ctx, char *name, size_t size, int *is_folder)
{
    memset(name, '_', size);
    *is_folder = 0;
    return ++*(int *)ctx == 1 ? UTET_OK : UTET_END;
}

static void folder_close(void *ctx)
{
    (void)ctx;
}

static void names(void **state)
{
    static const char digits[] = "0123456789abcdefABCDEF";
    int listed = 0;
    const utet_folder folder = {&listed, folder_open, folder_next, folder_close};
    char name[UTET_TILEDB_NAME_SIZE] = "__1_2_00000000000000000000000000000000";
    utet_tiledb_stamp stamp;
    unsigned c;

    (void)state;
    for (c = 1; c < 256; c++) {
        name[20] = (char)c;
        suite_check((utet_tiledb_name(name, strlen(name), &stamp) == UTET_OK) == (strchr(digits, (int)c) != NULL),
                    "character %u", c);
    }
    assert_int_equal(utet_tiledb_newest(&folder, "x", name, sizeof name), UTET_E_NOT_FOUND);
}

int main(void)
{
    const struct CMUnitTest cases[] = {
        cmocka_unit_test(schemas_suspended), cmocka_unit_test(the_end_suspended),
        cmocka_unit_test(opening_suspended), cmocka_unit_test(versions_suspended),
        cmocka_unit_test(ranges_suspended),  cmocka_unit_test(enumerations_suspended),
        cmocka_unit_test(entries_suspended), cmocka_unit_test(datatypes_of_dimensions),
        cmocka_unit_test(fill_values),       cmocka_unit_test(options_of_filters),
        cmocka_unit_test(many_references),   cmocka_unit_test(names),
    };

    return SUITE("arraycalls", cases);
}
