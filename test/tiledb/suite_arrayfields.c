/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Fields of schemas: datatypes of dimensions, options of filters, references, sizes at their limits. */
#include "arraycalls.h"

/* ---- fields ---- */

/* A dimension of that datatype, with or without an extent, and the result. */
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
    /* For each datatype: bytes of a value; d: in dense and sparse arrays, s: only in sparse ones (TileDB's own
     * rule). */
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

/* References to 256 different enumerations are looked up by sixteen passes, and no more. */
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
    made.bytes[made.size - 5 - 12 * 300 + 12 * 256 + 4] = 'b'; /* 256: not looked up */
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

/* Not terminated, which a port must not do; then the end. */
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
    static const struct CMUnitTest cases[] = {
        cmocka_unit_test(datatypes_of_dimensions), cmocka_unit_test(fill_values), cmocka_unit_test(options_of_filters),
        cmocka_unit_test(many_references),         cmocka_unit_test(names),
    };
    return SUITE("arrayfields", cases);
}
