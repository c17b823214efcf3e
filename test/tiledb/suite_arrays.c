/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Schemas in utet_tiledb.h call by call: misuse, headers, filters, references. */
#include "arrayworld.h"

static const utet_tiledb_codec *const gzip_only[] = {&utet_tiledb_gzip, NULL};

static const utet_tiledb_codec *const zstd_only[] = {&utet_tiledb_zstd, NULL};

/* ---- cases ---- */

static void misuse(void **state)
{
    utet_file other;
    utet_tiledb_text text = {0, 0};
    utet_tiledb_filters filters = {0, 0, 0};
    utet_tiledb_filter filter;
    utet_tiledb_enumeration enumeration;
    utet_tiledb_entry entry;
    uint32_t index;
    size_t got;

    (void)state;
    memset(&tile, 0, sizeof tile);
    memset(&schema, 0, sizeof schema);
    memset(&enumeration, 0, sizeof enumeration);
    memset(&other, 0, sizeof other);
    memset(&entry, 0, sizeof entry);
    assert_int_equal(utet_tiledb_open(NULL, &other, NULL), UTET_E_ARGUMENT);
    assert_int_equal(utet_tiledb_open(&tile, NULL, NULL), UTET_E_ARGUMENT);
    assert_int_equal(utet_tiledb_open(&tile, &other, NULL), UTET_E_STATE);
    assert_int_equal(utet_tiledb_schema_check(&schema), UTET_E_STATE);
    assert_int_equal(utet_tiledb_first(&schema, 0, &item), UTET_E_STATE);
    assert_int_equal(utet_tiledb_value(&enumeration, 0, &text), UTET_E_STATE);
    assert_int_equal(utet_tiledb_value_find(&enumeration, "", 0, &index), UTET_E_STATE);
    assert_int_equal(utet_tiledb_enumeration_check(&enumeration), UTET_E_STATE);

    tilegen_schema(2, "");
    tilegen_add(0, 4);
    tilegen_schema_end();
    assert_int_equal(open_schema(), UTET_OK);
    assert_int_equal(utet_tiledb_first(&schema, UTET_TILEDB_KINDS, &item), UTET_E_ARGUMENT);
    assert_int_equal(utet_tiledb_find(&schema, UTET_TILEDB_RANGE, "", 0, &item), UTET_E_ARGUMENT);
    item.kind = UTET_TILEDB_KINDS;
    assert_int_equal(utet_tiledb_next(&schema, &item), UTET_E_ARGUMENT);
    assert_int_equal(utet_tiledb_read(&tile, &text, &filter, 1, &got), UTET_END);
    assert_int_equal(got, 0);
    assert_int_equal(utet_tiledb_filter_next(&tile, &filters, &filter), UTET_END);
    assert_int_equal(utet_tiledb_find(&schema, UTET_TILEDB_ATTRIBUTE, "a01", 3, &item), UTET_OK);
    assert_int_equal(item.number, 1);
    assert_int_equal(utet_tiledb_find(&schema, UTET_TILEDB_ATTRIBUTE, "a02", 3, &item), UTET_E_NOT_FOUND);
    assert_int_equal(utet_tiledb_find(&schema, UTET_TILEDB_LABEL, "a", 1, &item), UTET_E_NOT_FOUND);
    assert_int_equal(utet_tiledb_first(&schema, UTET_TILEDB_RANGE, &item), UTET_END);
    text.offset = tile.size;
    text.size = 1;
    assert_int_equal(utet_tiledb_read(&tile, &text, &filter, 1, &got), UTET_E_METADATA);
    assert_int_equal(tile.error_at, tile.size);
    filters.count = 1; /* a list that begins where the tile ends */
    filters.offset = tile.size;
    assert_int_equal(utet_tiledb_filter_next(&tile, &filters, &filter), UTET_E_METADATA);
    assert_int_equal(tile.error_at, tile.size);

    /* Another tile takes the workspace. */
    {
        utet_tiledb second;

        assert_int_equal(utet_tiledb_open(&second, &file, NULL), UTET_OK);
        assert_int_equal(utet_tiledb_schema_check(&schema), UTET_E_STATE);
        assert_int_equal(utet_tiledb_read(&tile, &text, &filter, 1, &got), UTET_E_STATE);
        assert_int_equal(utet_tiledb_filter_next(&tile, &(utet_tiledb_filters){0, 0, 1}, &filter), UTET_E_STATE);
        assert_int_equal(utet_tiledb_schema_open(&schema, &tile), UTET_E_STATE);
        assert_int_equal(utet_tiledb_enumeration_open(&enumeration, &tile), UTET_E_STATE);
        assert_int_equal(utet_tiledb_entry_first(&tile, &entry), UTET_E_STATE);
        assert_int_equal(utet_tiledb_entry_next(&tile, &entry), UTET_E_STATE);
        assert_int_equal(utet_tiledb_entry_find(&tile, "", 0, &entry), UTET_E_STATE);
    }
}

static void suspended(void **state)
{
    (void)state;
    tilegen_schema(2, "");
    tilegen_add(0, 4);
    tilegen_schema_end();
    assert_int_equal(open_in(400, NULL), UTET_OK);
    assert_int_equal(utet_tiledb_schema_open(&schema, &tile), UTET_OK);
    port.blocks = 1;
    assert_int_equal(utet_tiledb_schema_check(&schema), UTET_WOULD_BLOCK);
    assert_int_equal(utet_tiledb_first(&schema, 0, &item), UTET_E_STATE);
    assert_int_equal(utet_tiledb_next(&schema, &item), UTET_E_STATE);
    assert_int_equal(utet_tiledb_find(&schema, 0, "d", 1, &item), UTET_E_STATE);
    while (utet_tiledb_schema_check(&schema) == UTET_WOULD_BLOCK)
        continue;
    assert_int_equal(schema.count[UTET_TILEDB_ATTRIBUTE], 2);
}

static void opening_says_what_is_wrong(void **state)
{
    utet_tiledb_options options = {NULL, 0};

    (void)state;
    tilegen_schema(2, "");
    tilegen_add(0, 4);
    tilegen_schema_end();
    assert_int_equal(open_in(100, NULL), UTET_E_BUDGET);
    assert_int_equal(file.needed, 192);
    assert_int_equal(open_in(312, NULL), UTET_E_BUDGET);
    assert_int_equal(file.needed, tile.need.least);
    options.most = tile.size - 1;
    assert_int_equal(open_in(sizeof work, &options), UTET_E_BUDGET);
    assert_int_equal(file.needed, options.most + 1);
    options.most = UINT32_MAX;
    assert_int_equal(open_in(sizeof work, &options), UTET_OK);
    made.bytes[29] = 1;
    assert_int_equal(open_in(sizeof work, NULL), UTET_E_CODEC);
    assert_int_equal(tile.encryption, 1);
    made.bytes[29] = 2;
    assert_int_equal(open_in(sizeof work, NULL), UTET_E_SUPERBLOCK);
    made.bytes[29] = 0;
    made.bytes[0] = 0;
    assert_int_equal(open_in(sizeof work, NULL), UTET_E_VERSION);
    made.bytes[0] = 2; /* a group's version; what follows is not read like an old array */
    assert_int_equal(open_schema(), UTET_E_VERSION);
    made.bytes[0] = 24;
    assert_int_equal(open_in(sizeof work, NULL), UTET_E_VERSION);
    made.bytes[0] = 21;
    assert_int_equal(open_schema(), UTET_E_VERSION);
    made.bytes[0] = 22;
    made.bytes[30] = 7;
    made.bytes[4]++;
    assert_int_equal(open_in(sizeof work, NULL), UTET_E_DIRECTORY);
    made.bytes[30] = 8;
    made.bytes[4]--;
    made.bytes[38] = 1;
    assert_int_equal(open_in(sizeof work, NULL), UTET_E_DIRECTORY);
    made.bytes[38] = 0;
    made.bytes[42] = 200; /* chunks */
    assert_int_equal(open_schema(), UTET_E_INDEX);
    made.bytes[42] = 0;
    assert_int_equal(open_schema(), UTET_E_INDEX);
    made.bytes[42] = 2; /* the second one is after the end of the file, and only a check finds it */
    assert_int_equal(open_schema(), UTET_OK);
    assert_int_equal(utet_tiledb_schema_check(&schema), UTET_E_ROW);
    made.bytes[42] = 1;
    made.bytes[58] = 1; /* a table without a filter */
    assert_int_equal(open_schema(), UTET_E_ROW);
    made.bytes[58] = 0;
    assert_int_equal(open_schema(), UTET_OK);
    assert_int_equal(utet_tiledb_schema_check(&schema), UTET_OK);
}

/* Numbers of 8 bytes whose upper half, or most of the lower half, is not 0. */
static void large_numbers_of_the_header(void **state)
{
    static const utet_tiledb_options all = {NULL, UINT32_MAX};
    unsigned i;

    (void)state;
    tilegen_schema(1, "");
    tilegen_add(0, 4);
    tilegen_schema_end();
    for (i = 4; i < 8; i++) {
        made.bytes[4 + i] = 1;
        assert_int_equal(open_in(sizeof work, &all), UTET_E_SUPERBLOCK); /* persisted size */
        made.bytes[4 + i] = 0;
        made.bytes[12 + i] = 1;
        assert_int_equal(open_in(sizeof work, &all), UTET_E_BUDGET); /* tile size */
        suite_check(file.needed == ((uint64_t)1 << (8 * i) | tile.size), "needed, byte %u", i);
        made.bytes[12 + i] = 0;
        made.bytes[21 + i] = 1;
        assert_int_equal(open_in(sizeof work, &all), UTET_E_SUPERBLOCK); /* cell size */
        made.bytes[21 + i] = 0;
    }
    made.bytes[15] = 1; /* a tile of 16 MiB is not too large */
    assert_int_equal(open_in(sizeof work, &all), UTET_OK);
    made.bytes[15] = 0x40;
    made.bytes[12] = made.bytes[13] = 0; /* 1 GiB */
    assert_int_equal(open_in(sizeof work, &all), UTET_OK);
    made.bytes[12] = 1;
    assert_int_equal(open_in(sizeof work, &all), UTET_E_BUDGET);
}

static void other_filters(void **state)
{
    utet_tiledb_options options = {gzip_only, 0};
    unsigned i;

    (void)state;
    /* A list of one filter, type 3, with options like those of a compressor. */
    for (i = 0; i < 4; i++) {
        tilegen_begin();
        made.size = 34;
        tilegen_add(65536, 4);
        tilegen_add(i == 3 ? 2 : 1, 4);
        tilegen_add(i == 0 ? 3 : 2, 1);
        tilegen_add(5, 4);
        tilegen_add(i == 0 ? 3 : i == 1 ? 2 : 1, 1);
        tilegen_add(1, 4);
        tilegen_add(0, 8);
        made.bytes[0] = 22;
        made.bytes[4] = 8;
        made.bytes[20] = 4;
        made.bytes[21] = 1;
        made.bytes[30] = 18;
        options.codecs = i == 1 ? gzip_only : zstd_only;
        assert_int_equal(open_in(sizeof work, &options), i == 2 ? UTET_E_DIRECTORY : UTET_E_CODEC);
    }
    assert_int_equal(open_in(sizeof work, NULL), UTET_E_CODEC);
    made.bytes[30] = 23;
    made.bytes[38] = 1;
    made.bytes[4] = 3;
    assert_int_equal(open_in(sizeof work, NULL), UTET_E_CODEC);
}

static void heads(void **state)
{
    static const struct {
        unsigned sparse, cell_order;
        uint32_t dimensions;
        utet_status status;
    } rows[] = {
        {0, 0, 1, UTET_OK},         {0, 1, 1, UTET_OK},         {0, 2, 1, UTET_OK}, {0, 4, 1, UTET_E_METADATA},
        {1, 2, 1, UTET_OK},         {1, 3, 1, UTET_E_METADATA}, {1, 4, 1, UTET_OK}, {1, 5, 1, UTET_E_METADATA},
        {2, 0, 1, UTET_E_METADATA}, {0, 0, 0, UTET_E_METADATA},
    };
    size_t i;

    (void)state;
    for (i = 0; i < sizeof rows / sizeof *rows; i++) {
        tilegen_begin();
        tilegen_head(22, rows[i].sparse, rows[i].cell_order, rows[i].dimensions);
        tilegen_end(22);
        suite_check(open_schema() == rows[i].status, "row %u", (unsigned)i);
    }
}

static void references(void **state)
{
    unsigned attributes, i;

    (void)state;
    for (attributes = 0; attributes < 45; attributes += 11) {
        char name[4] = "a00";

        tilegen_schema(attributes, NULL);
        tilegen_add(attributes, 4);
        for (i = attributes; i-- > 0;) {
            name[1] = (char)('0' + i / 10);
            name[2] = (char)('0' + i % 10);
            tilegen_text(name, 4);
            tilegen_text("f", 4);
        }
        tilegen_schema_end();
        assert_int_equal(open_schema(), UTET_OK);
        assert_int_equal(utet_tiledb_schema_check(&schema), UTET_OK);
        if (attributes == 0)
            continue;
        made.bytes[made.size - 5 - 5 - 1] ^= 1; /* the name of the last enumeration, and that of the first attribute */
        assert_int_equal(open_schema(), UTET_OK);
        assert_int_equal(utet_tiledb_schema_check(&schema), UTET_E_METADATA);
    }
    tilegen_schema(1, "x");
    tilegen_add(0, 4);
    tilegen_schema_end();
    assert_int_equal(open_schema(), UTET_OK);
    assert_int_equal(utet_tiledb_schema_check(&schema), UTET_E_METADATA);
    i = tile.error_at;
    assert_int_equal(utet_tiledb_first(&schema, UTET_TILEDB_ATTRIBUTE, &item), UTET_OK);
    assert_int_equal(i, item.enumeration.offset);
    tilegen_schema(1, "");
    tilegen_add(0, 4);
    tilegen_add(0, 4);
    tilegen_add(1, 1);
    tilegen_add(0, 1); /* bytes after the schema */
    tilegen_end(22);
    assert_int_equal(open_schema(), UTET_OK);
    assert_int_equal(utet_tiledb_schema_check(&schema), UTET_E_METADATA);
}

/* Values in any order, while the offsets of UTET_TILEDB_BATCH values are in memory. */
static void batches(void **state)
{
    enum { VALUES = 3 * UTET_TILEDB_BATCH };
    utet_tiledb_enumeration enumeration;
    utet_tiledb_text value;
    uint32_t i, before;

    (void)state;
    tilegen_begin();
    tilegen_add(0, 4);
    tilegen_text("", 4);
    tilegen_text("", 4);
    tilegen_add(UTET_TILEDB_STRING_ASCII, 1);
    tilegen_add(UTET_TILEDB_VAR, 4);
    tilegen_add(0, 1);
    tilegen_add(VALUES * (VALUES - 1) / 2, 8);
    for (i = 0; i < VALUES * (VALUES - 1) / 2; i++)
        tilegen_add('x', 1);
    tilegen_add(VALUES * 8, 8);
    for (i = 0; i < VALUES; i++) /* value i has i bytes */
        tilegen_add(i * (i - 1) / 2, 8);
    tilegen_end(22);
    assert_int_equal(open_in(sizeof work, NULL), UTET_OK);
    assert_int_equal(utet_tiledb_enumeration_open(&enumeration, &tile), UTET_OK);
    assert_int_equal(enumeration.count, VALUES);
    for (before = 0; before < VALUES; before += 7) {
        for (i = 0; i < VALUES; i++) {
            assert_int_equal(utet_tiledb_value(&enumeration, before, &value), UTET_OK);
            assert_int_equal(value.size, before);
            assert_int_equal(utet_tiledb_value(&enumeration, i, &value), UTET_OK);
            assert_int_equal(value.size, i);
            assert_int_equal(value.offset, enumeration.data.offset + i * (i - 1) / 2);
        }
    }
}

/* What opening reports about memory: README.md's figures for a tile of 75,520 bytes come from these numbers. */
static void need_of_a_large_tile(void **state)
{
    static const utet_tiledb_options options = {gzip_only, 0};
    utet_need codec;

    (void)state;
    tilegen_filtered(UTET_TILEDB_GZIP, 75520, 1);
    made.bytes[4] = 8;
    assert_int_equal(open_in(sizeof work, &options), UTET_OK); /* data may require less */
    utet_tiledb_gzip.need(75520, 0, &codec);
    assert_true(codec.least > 32768 && codec.least < 32768 + 2400);
    assert_int_equal(tile.need.least, 192 + 128 + codec.least);
    utet_tiledb_gzip.need(75520, 1, &codec);
    assert_int_equal(tile.need.best, 640 + 75520 + codec.best);
}

int main(void)
{
    static const struct CMUnitTest cases[] = {
        cmocka_unit_test(misuse),
        cmocka_unit_test(suspended),
        cmocka_unit_test(opening_says_what_is_wrong),
        cmocka_unit_test(large_numbers_of_the_header),
        cmocka_unit_test(other_filters),
        cmocka_unit_test(heads),
        cmocka_unit_test(references),
        cmocka_unit_test(batches),
        cmocka_unit_test(need_of_a_large_tile),
    };
    return SUITE("arrays", cases);
}
