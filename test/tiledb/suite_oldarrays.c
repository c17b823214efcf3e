/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Schemas of format versions 1 to 7 (src/tiledb/FORMAT.md §4.8): which fields they have, and what replaces the
 * others. */
#include "faultport.h"
#include "suite.h"
#include "tilegen.h"
#include "utet_tiledb.h"

#include <string.h>

static faultport port;
static utet_file file;
static utet_tiledb tile;
static utet_tiledb_schema schema;
static utet_tiledb_item item;
static uint64_t work[512];

static utet_status open_schema(void)
{
    utet_status status;

    faultport_init(&port, made.bytes, made.size);
    assert_int_equal(utet_init(&file, &port.io, work, sizeof work, NULL), UTET_OK);
    status = utet_tiledb_open(&tile, &file, NULL);
    return status == UTET_OK ? utet_tiledb_schema_open(&schema, &tile) : status;
}

static utet_status check_all(void)
{
    utet_status status = open_schema();

    return status == UTET_OK ? utet_tiledb_schema_check(&schema) : status;
}

static void no_filters(uint32_t chunk)
{
    tilegen_add(chunk, 4);
    tilegen_add(0, 4);
}

/* Up to the number of dimensions; `type` is the type of all dimensions, in versions that state it here. */
static void head(uint32_t version, unsigned sparse, unsigned type, uint32_t dimensions)
{
    tilegen_begin();
    tilegen_add(version, 4);
    if (version >= 5)
        tilegen_add(sparse, 1); /* duplicates */
    tilegen_add(sparse, 1);
    tilegen_add(1, 1);
    tilegen_add(0, 1);
    tilegen_add(77, 8);
    no_filters(1000);
    no_filters(2000);
    if (version >= 7)
        no_filters(3000);
    if (version < 5)
        tilegen_add(type, 1);
    tilegen_add(dimensions, 4);
}

static void dimension(uint32_t version, const char *name, unsigned type, unsigned size, int extent)
{
    tilegen_text(name, 4);
    if (version >= 5) {
        tilegen_add(type, 1);
        tilegen_add(1, 4);
        no_filters(4000);
        tilegen_add(2 * size, 8);
    }
    tilegen_add(3, size);
    tilegen_add(100, size);
    tilegen_add(!extent, 1);
    if (extent)
        tilegen_add(7, size);
}

static void attribute(uint32_t version, const char *name, unsigned type, uint32_t cells, unsigned fill)
{
    tilegen_text(name, 4);
    tilegen_add(type, 1);
    tilegen_add(cells, 4);
    no_filters(5000);
    if (version >= 6) {
        tilegen_add(fill, 8);
        tilegen_add(0x0706050403020100u, fill);
    }
    if (version >= 7) {
        tilegen_add(1, 1);
        tilegen_add(9, 1);
    }
    if (version >= 17)
        tilegen_add(2, 1);
}

static void whole(uint32_t version)
{
    head(version, 1, 8, 2);
    dimension(version, "with", 8, 2, 1);
    dimension(version, "none", 8, 2, 0);
    tilegen_add(2, 4);
    attribute(version, "a", 0, 1, 4);
    attribute(version, "b", 4, UTET_TILEDB_VAR, 3);
}

static unsigned read_number(utet_tiledb_text text)
{
    uint8_t bytes[4];
    size_t got;
    unsigned number = 0;

    assert_int_equal(utet_tiledb_read(&tile, &text, bytes, sizeof bytes, &got), UTET_OK);
    while (got-- > 0)
        number = number << 8 | bytes[got];
    return number;
}

/* ---- cases ---- */

static void dimensions_of(uint32_t version)
{
    assert_int_equal(utet_tiledb_first(&schema, UTET_TILEDB_DIMENSION, &item), UTET_OK);
    assert_int_equal(item.datatype, 8);
    assert_int_equal(item.cell_val_num, 1);
    assert_int_equal(item.filters.count, 0);
    assert_int_equal(item.filters.max_chunk_size, version < 5 ? 65536 : 4000);
    assert_int_equal(item.domain.size, 4);
    assert_int_equal(read_number(item.domain), 100 << 16 | 3);
    assert_int_equal(item.null_extent, 0);
    assert_int_equal(item.extent.size, 2);
    assert_int_equal(read_number(item.extent), 7);
    assert_int_equal(utet_tiledb_next(&schema, &item), UTET_OK);
    assert_int_equal(item.datatype, 8);
    assert_int_equal(item.null_extent, 1);
    assert_int_equal(item.extent.size, 0);
    assert_int_equal(utet_tiledb_next(&schema, &item), UTET_END);
}

static void attributes_of(uint32_t version)
{
    assert_int_equal(utet_tiledb_first(&schema, UTET_TILEDB_ATTRIBUTE, &item), UTET_OK);
    assert_int_equal(item.datatype, 0);
    assert_int_equal(item.cell_val_num, 1);
    assert_int_equal(item.filters.max_chunk_size, 5000);
    assert_int_equal(item.fill.size, version < 6 ? 0 : 4);
    if (version >= 6)
        assert_int_equal(read_number(item.fill), 0x03020100);
    assert_int_equal(item.nullable, version >= 7);
    assert_int_equal(item.fill_validity, version < 7 ? 0 : 9);
    assert_int_equal(item.order, version < 17 ? 0 : 2);
    assert_int_equal(item.enumeration.size, 0);
    assert_int_equal(utet_tiledb_find(&schema, UTET_TILEDB_ATTRIBUTE, "b", 1, &item), UTET_OK);
    assert_int_equal(item.cell_val_num, UTET_TILEDB_VAR);
    assert_int_equal(item.fill.size, version < 6 ? 0 : 3);
    assert_int_equal(utet_tiledb_next(&schema, &item), UTET_END);
}

/* Each version up to the one before labels: what it stores, what it does not store, and nothing after it. */
static void every_version(void **state)
{
    uint32_t version;
    unsigned kind;

    (void)state;
    for (version = 1; version < 18; version++) {
        whole(version);
        tilegen_end(version);
        suite_check(check_all() == UTET_OK, "version %u", (unsigned)version);
        assert_int_equal(tile.version, version);
        assert_int_equal(schema.version, version);
        assert_int_equal(schema.allows_dups, version >= 5);
        assert_int_equal(schema.array_type, 1);
        assert_int_equal(schema.tile_order, 1);
        assert_int_equal(schema.cell_order, 0);
        assert_int_equal(schema.capacity, 77);
        assert_int_equal(schema.coords.max_chunk_size, 1000);
        assert_int_equal(schema.offsets.max_chunk_size, 2000);
        assert_int_equal(schema.validity.max_chunk_size, version < 7 ? 65536 : 3000);
        assert_int_equal(schema.validity.count, 0);
        assert_int_equal(schema.current_domain, UTET_TILEDB_DOMAIN_NONE);
        dimensions_of(version);
        attributes_of(version);
        for (kind = UTET_TILEDB_LABEL; kind < UTET_TILEDB_KINDS; kind++)
            assert_int_equal(utet_tiledb_first(&schema, kind, &item), UTET_END);
        whole(version);
        tilegen_add(0, 1);
        tilegen_end(version);
        suite_check(check_all() == UTET_E_METADATA, "version %u and one byte", (unsigned)version);
        assert_int_equal(tile.error_at, tile.size - 1);
        whole(version);
        made.size--;
        tilegen_end(version);
        suite_check(check_all() == UTET_E_METADATA, "version %u without its last byte", (unsigned)version);
    }
    whole(1);
    tilegen_end(0);
    assert_int_equal(check_all(), UTET_E_VERSION);
    whole(4);
    tilegen_end(3); /* the same fields, but not of one version */
    assert_int_equal(check_all(), UTET_E_VERSION);
}

/* One datatype for all dimensions (before version 5). */
static void datatypes_of_dimensions(void **state)
{
    unsigned type, sparse;

    (void)state;
    for (type = 0; type < 256; type++) {
        for (sparse = 0; sparse < 2; sparse++) {
            const unsigned size = utet_tiledb_type_size(type);
            const int is_date = type >= 18 && type < 40;
            const int is_whole = is_date || (type <= 10 && type != 2 && type != 3 && type != 4);
            const int is_float = type == 2 || type == 3;
            const utet_status want = is_whole || (is_float && sparse) ? UTET_OK
                                     : type == 11 && sparse           ? UTET_E_METADATA
                                                                      : UTET_E_DTYPE;

            head(3, sparse, type, 1);
            dimension(3, "d", type, size, 1);
            tilegen_add(1, 4);
            attribute(3, "a", 0, 1, 0);
            tilegen_end(3);
            suite_check(check_all() == want, "type %u, sparse %u: not %d", type, sparse, want);
            assert_int_equal(tile.error_at, type >= UTET_TILEDB_DATATYPES ? 31
                                            : want != UTET_OK             ? 41 /* its domain */
                                                                          : tile.size);
        }
    }
}

static void cells_of_attributes(void **state)
{
    static const struct {
        uint32_t version;
        unsigned type;
        uint32_t cells;
        unsigned fill;
        utet_status status;
    } rows[] = {
        {5, 17, 1, 0, UTET_E_METADATA},
        {5, 17, UTET_TILEDB_VAR, 0, UTET_OK},
        {5, 3, 1000000, 0, UTET_OK},
        {5, 3, 0, 0, UTET_E_METADATA},
        {5, 44, 1, 0, UTET_E_DTYPE},
        {6, 17, UTET_TILEDB_VAR, 1, UTET_OK},
        {6, 7, 2, 4, UTET_OK},
        {6, 7, 2, 2, UTET_E_METADATA},
        {6, 7, UTET_TILEDB_VAR, 0, UTET_E_METADATA},
    };
    size_t i;

    (void)state;
    for (i = 0; i < sizeof rows / sizeof *rows; i++) {
        head(rows[i].version, 0, 0, 1);
        dimension(rows[i].version, "d", 0, 4, 1);
        tilegen_add(1, 4);
        attribute(rows[i].version, "a", rows[i].type, rows[i].cells, rows[i].fill);
        tilegen_end(rows[i].version);
        suite_check(check_all() == rows[i].status, "row %u", (unsigned)i);
    }
}

/* TileDB 2.30's values for attributes of version 5, from tiledb_attribute_get_fill_value: the last byte, the byte
 * before it, and the others. */
static void default_fills(void **state)
{
    static const uint8_t last[44] = {0x80, 0x80, 0x7F, 0x7F, 0x80, 0x80, 0xFF, 0x80, 0xFF, 0xFF, 0xFF,
                                     0,    0,    0,    0,    0,    0,    0,    0x80, 0x80, 0x80, 0x80,
                                     0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80,
                                     0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0,    0,    0,    0};
    unsigned type, i;

    (void)state;
    for (type = 0; type < 44; type++) {
        const unsigned size = utet_tiledb_type_size(type);
        uint8_t value[9];

        memset(value, 0xA5, sizeof value);
        assert_int_equal(utet_tiledb_default(type, value), size);
        assert_int_equal(value[size - 1], last[type]);
        if (size > 1)
            assert_int_equal(value[size - 2], type == 2 ? 0xC0 : type == 3 ? 0xF8 : last[type] == 0xFF ? 0xFF : 0);
        for (i = 0; i + 2 < size; i++)
            assert_int_equal(value[i], last[type] == 0xFF ? 0xFF : 0);
        for (i = size; i < sizeof value; i++)
            assert_int_equal(value[i], 0xA5);
    }
    for (type = 44; type < 300; type++) {
        uint8_t value[8] = {1};

        assert_int_equal(utet_tiledb_default(type, value), 0);
        assert_int_equal(value[0], 1);
    }
}

int main(void)
{
    static const struct CMUnitTest cases[] = {
        cmocka_unit_test(every_version),
        cmocka_unit_test(datatypes_of_dimensions),
        cmocka_unit_test(cells_of_attributes),
        cmocka_unit_test(default_fills),
    };

    return SUITE("oldarrays", cases);
}
