/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Calls of utet_tiledb.h that are suspended before any byte. */
#include "arraycalls.h"

enum { LEAST = 192 + UTET_TILEDB_RAW_MIN };

static utet_tiledb_item item;

static unsigned blocked; /* how often the last call returned "not yet" */

/* Every request gets "not yet" once, and then a few bytes. */
static void hesitate(void)
{
    port.slice = 48;
    port.blocks = 1;
}

#define DRIVEN(status, call)                                              \
    for (blocked = 0; ((status) = (call)) == UTET_WOULD_BLOCK; blocked++) \
    continue

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
    filters.offset = tile.size - 1; /* not in a filter */
    DRIVEN(status, utet_tiledb_filter_next(&tile, &filters, &filter));
    assert_true(status == UTET_E_METADATA && filters.count == 1 && filters.offset == tile.size - 1);
    filters.offset = UINT32_MAX - 3;
    assert_int_equal(utet_tiledb_filter_next(&tile, &filters, &filter), UTET_E_METADATA);

    /* A fault in an item, and one of the medium, while a name is searched for. */
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

/* The schema has been read to its end when the check of the last chunk, of 0 bytes, is suspended. */
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
    assert_int_equal(utet_tiledb_schema_open(&schema, &tile), UTET_E_STATE); /* not yet open */
    DRIVEN(status, utet_tiledb_open(&tile, &file, NULL));
    assert_int_equal(status, UTET_OK);
    DRIVEN(status, utet_tiledb_schema_open(&schema, &tile));
    assert_true(status == UTET_OK && blocked > 0);
    port.slice = 0;
    port.blocks = 1;
    assert_int_equal(utet_tiledb_schema_open(&schema, &tile), UTET_OK); /* all of it is in memory */
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

/* 150 dimensions with a current domain: their datatypes are read again on the way. The call is suspended at each
 * request, cancelled, and meets a fault between any two of them; the ranges are right afterwards. */
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

/* Strings of three letters, as many as requested. */
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

/* A version that differs from the tile's is found while the fields after it are still on their way: the call continues
 * until its last request has been served, and no transfer is left over. */
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
    for (i = 100; i-- > 0;) { /* backwards: each time before the batch in memory */
        DRIVEN(status, utet_tiledb_value(&enumeration, i, &value));
        assert_true(status == UTET_OK && value.size == 3 && value.offset == enumeration.data.offset + 3 * i);
    }
    assert_int_equal(utet_tiledb_value(&enumeration, 50, &value), UTET_WOULD_BLOCK);
    assert_int_equal(utet_tiledb_value_find(&enumeration, "077", 3, &index), UTET_E_STATE);
    assert_int_equal(utet_cancel(&file), UTET_OK);
    port.pending = 0;
    assert_int_equal(utet_tiledb_value_find(&enumeration, "077", 3, &index), UTET_WOULD_BLOCK);
    assert_int_equal(utet_tiledb_value(&enumeration, 50, &value), UTET_E_STATE);

    /* One long value, which is compared in parts; a fault in it. */
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

    /* A value larger than any tile: it does not exist. */
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

int main(void)
{
    static const struct CMUnitTest cases[] = {
        cmocka_unit_test(schemas_suspended), cmocka_unit_test(the_end_suspended),
        cmocka_unit_test(opening_suspended), cmocka_unit_test(versions_suspended),
        cmocka_unit_test(ranges_suspended),  cmocka_unit_test(enumerations_suspended),
        cmocka_unit_test(entries_suspended),
    };
    return SUITE("arraycalls", cases);
}
