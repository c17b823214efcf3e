/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Dimensions, attributes, enumerations and entries of metadata, names of files and folders. */
#include "arrayworld.h"

/* One dimension of strings, whose current domain is "ab" to "xyz" unless a number changes it. */
static utet_status strings(uint64_t both, uint64_t first)
{
    tilegen_begin();
    tilegen_head(22, 1, 0, 1);
    tilegen_text("s", 4);
    tilegen_add(UTET_TILEDB_STRING_ASCII, 1);
    tilegen_add(UTET_TILEDB_VAR, 4);
    tilegen_add(0, 8);
    tilegen_add(0, 8);
    tilegen_add(1, 1);
    tilegen_add(0, 12);
    tilegen_add(0, 4);
    tilegen_add(0, 1);
    tilegen_add(0, 1);
    tilegen_add(both, 8);
    tilegen_add(first, 8);
    tilegen_add(0x7A79786261u, 5);
    tilegen_end(22);
    assert_int_equal(open_schema(), UTET_OK);
    return utet_tiledb_first(&schema, UTET_TILEDB_RANGE, &item);
}

static void ranges_of_strings(void **state)
{
    char text[8];
    size_t got;

    (void)state;
    assert_int_equal(strings(5, 2), UTET_OK);
    assert_int_equal(item.datatype, UTET_TILEDB_STRING_ASCII);
    assert_int_equal(item.least.size, 2);
    assert_int_equal(item.greatest.size, 3);
    assert_int_equal(utet_tiledb_read(&tile, &item.least, text, sizeof text, &got), UTET_OK);
    assert_memory_equal(text, "ab", 2);
    assert_int_equal(utet_tiledb_read(&tile, &item.greatest, text, sizeof text, &got), UTET_OK);
    assert_memory_equal(text, "xyz", 3);
    assert_int_equal(utet_tiledb_schema_check(&schema), UTET_OK);
    assert_int_equal(strings(5, 0), UTET_OK);
    assert_int_equal(strings(5, 5), UTET_OK);
    assert_int_equal(item.greatest.size, 0);
    assert_int_equal(strings(5, 6), UTET_E_METADATA);
    assert_int_equal(strings(6, 2), UTET_E_METADATA);
    assert_int_equal(strings(0x100000005, 2), UTET_E_METADATA);
    assert_int_equal(strings(5, 0x100000002), UTET_E_METADATA);
    assert_int_equal(strings(5, 2), UTET_OK);
    made.bytes[made.size - 23]++; /* neither empty nor not empty */
    assert_int_equal(made.bytes[made.size - 23], 1);
    assert_int_equal(open_schema(), UTET_OK);
    assert_int_equal(utet_tiledb_schema_check(&schema), UTET_E_METADATA); /* all of the ranges is after it */
    made.bytes[made.size - 23]++;
    assert_int_equal(open_schema(), UTET_OK);
    assert_int_equal(utet_tiledb_first(&schema, UTET_TILEDB_RANGE, &item), UTET_E_METADATA);
    assert_int_equal(tile.error_at, tile.size - 23);
    assert_int_equal(strings(4, 2), UTET_OK);
    assert_int_equal(utet_tiledb_schema_check(&schema), UTET_E_METADATA); /* one byte after it */
}

/* A dense schema with a current domain over dimensions of 1, 2, 4 and 8 bytes in turn: dimension i has 1 << i % 4
 * bytes, and a current domain from i % 50 to i % 50 + 1. */
static void make_dimensions(unsigned count)
{
    static const uint8_t types[] = {6, 8, 9, 10}; /* UINT8, UINT16, UINT32, UINT64 */
    unsigned i;

    tilegen_begin();
    tilegen_head(22, 0, 0, count);
    for (i = 0; i < count; i++) {
        const unsigned size = 1u << i % 4;

        tilegen_text("d", 4);
        tilegen_add(types[i % 4], 1);
        tilegen_add(1, 4);
        tilegen_add(0, 8);
        tilegen_add(2 * size, 8);
        tilegen_add(0, size);
        tilegen_add(99, size);
        tilegen_add(1, 1); /* no tile extent */
    }
    tilegen_add(0, 12); /* attributes, labels, enumerations */
    tilegen_add(0, 4);
    tilegen_add(0, 1);
    tilegen_add(0, 1);
    for (i = 0; i < count; i++) {
        tilegen_add(i % 50, 1u << i % 4);
        tilegen_add(i % 50 + 1, 1u << i % 4);
    }
    tilegen_end(22);
}

/* Reads all ranges, which must be those that were made, in any memory. */
static void see_ranges(unsigned count, size_t room)
{
    uint8_t value[8];
    utet_tiledb_text text;
    utet_status status;
    size_t got;
    unsigned i = 0;

    assert_int_equal(open_in(room, NULL), UTET_OK);
    assert_int_equal(utet_tiledb_schema_open(&schema, &tile), UTET_OK);
    assert_int_equal(utet_tiledb_schema_check(&schema), UTET_OK);
    for (status = utet_tiledb_first(&schema, UTET_TILEDB_RANGE, &item); status == UTET_OK;
         status = utet_tiledb_next(&schema, &item), i++) {
        assert_true(item.dimension == i && item.least.size == 1u << i % 4 && item.greatest.size == item.least.size);
        text = item.greatest;
        memset(value, 0, sizeof value);
        assert_int_equal(utet_tiledb_read(&tile, &text, value, sizeof value, &got), UTET_OK);
        assert_true(got == 1u << i % 4 && value[0] == i % 50 + 1 && value[got - 1] == (got == 1 ? value[0] : 0));
    }
    assert_int_equal(status, UTET_END);
    assert_int_equal(i, count);
}

static void many_dimensions(void **state)
{
    static const unsigned counts[] = {1, 63, 64, 65, 70, 127, 128, 129, 300, UTET_TILEDB_DIMENSIONS_MAX};
    size_t i;

    (void)state;
    for (i = 0; i < sizeof counts / sizeof *counts; i++) {
        make_dimensions(counts[i]);
        see_ranges(counts[i], sizeof work);
        see_ranges(counts[i], 192 + UTET_TILEDB_RAW_MIN);
    }
    make_dimensions(UTET_TILEDB_DIMENSIONS_MAX + 1);
    assert_int_equal(open_schema(), UTET_OK);
    assert_int_equal(utet_tiledb_schema_check(&schema), UTET_E_RANGE);
    assert_int_equal(utet_tiledb_first(&schema, UTET_TILEDB_RANGE, &item), UTET_E_RANGE);
}

static void enumerations(void **state)
{
    utet_tiledb_enumeration enumeration;
    utet_tiledb_text value;
    uint32_t index = 7;
    unsigned i;

    (void)state;
    for (i = 0; i < 6; i++) {
        tilegen_begin();
        tilegen_add(i == 1 ? 1 : 0, 4);
        tilegen_text("name", 4);
        tilegen_text("path", 4);
        tilegen_add(0, 1);
        tilegen_add(i == 2 ? 0 : i == 3 ? 0x7FFFFFFF : 1, 4);
        tilegen_add(0, 1);
        tilegen_add(i == 4 ? 7 : 8, 8);
        tilegen_add(0x200000001, i == 4 ? 7 : 8);
        if (i == 5)
            tilegen_add(0, 1);
        tilegen_end(22);
        assert_int_equal(open_in(sizeof work, NULL), UTET_OK);
        assert_int_equal(utet_tiledb_enumeration_open(&enumeration, &tile), i == 0   ? UTET_OK
                                                                            : i == 1 ? UTET_E_VERSION
                                                                                     : UTET_E_METADATA);
        if (i != 0)
            continue;
        assert_int_equal(enumeration.count, 2);
        assert_int_equal(utet_tiledb_value(&enumeration, 2, &value), UTET_E_RANGE);
        assert_int_equal(utet_tiledb_value_find(&enumeration, "\2\0\0\0", 4, &index), UTET_OK);
        assert_int_equal(index, 1);
        assert_int_equal(utet_tiledb_value_find(&enumeration, "\3\0\0\0", 4, &index), UTET_E_NOT_FOUND);
        assert_int_equal(utet_tiledb_value_find(&enumeration, "\2", 1, &index), UTET_E_NOT_FOUND);
    }
    /* Offsets: decreasing, beyond the data, not a multiple of 8, data without values, far beyond the data. */
    for (i = 0; i < 6; i++) {
        static const uint64_t offsets[6][2] = {{0, 1}, {1, 0}, {0, 3}, {0, 1}, {0, 0}, {0, 0x100000001}};

        tilegen_begin();
        tilegen_add(0, 4);
        tilegen_text("", 4);
        tilegen_text("", 4);
        tilegen_add(UTET_TILEDB_STRING_ASCII, 1);
        tilegen_add(UTET_TILEDB_VAR, 4);
        tilegen_add(1, 1);
        tilegen_text("ab", 8);
        tilegen_add(i == 3 ? 15 : i == 4 ? 0 : 16, 8);
        tilegen_add(offsets[i][0], i == 4 ? 0 : 8);
        tilegen_add(offsets[i][1], i == 3 ? 7 : i == 4 ? 0 : 8);
        tilegen_end(22);
        assert_int_equal(open_in(sizeof work, NULL), UTET_OK);
        assert_int_equal(utet_tiledb_enumeration_open(&enumeration, &tile),
                         i < 3 || i == 5 ? UTET_OK : UTET_E_METADATA);
        if (i == 3 || i == 4)
            continue;
        assert_int_equal(utet_tiledb_value(&enumeration, 0, &value), i == 0 ? UTET_OK : UTET_E_METADATA);
        assert_int_equal(utet_tiledb_enumeration_check(&enumeration), i == 0 ? UTET_OK : UTET_E_METADATA);
        assert_int_equal(utet_tiledb_value_find(&enumeration, "b", 1, &index), i == 0 ? UTET_OK : UTET_E_METADATA);
        if (i == 0)
            assert_int_equal(index, 1);
    }
}

/* A damaged attribute is not an item, whatever is looked for. */
static void damaged_attributes(void **state)
{
    static const struct {
        int place; /* from the first byte of its name */
        uint8_t byte;
        utet_status status;
    } rows[] = {{3, UTET_TILEDB_DATATYPES, UTET_E_DTYPE}, {-1, 0xff, UTET_E_METADATA}};
    size_t i, at;

    (void)state;
    for (i = 0; i < 2; i++) {
        tilegen_schema(2, "");
        tilegen_add(0, 4);
        tilegen_schema_end();
        for (at = 0; memcmp(made.bytes + at, "a01", 3) != 0; at++)
            assert_true(at < made.size);
        made.bytes[at + (size_t)rows[i].place] = rows[i].byte;
        assert_int_equal(open_schema(), UTET_OK);
        assert_int_equal(utet_tiledb_find(&schema, UTET_TILEDB_ATTRIBUTE, "a00", 3, &item), UTET_OK);
        assert_int_equal(utet_tiledb_find(&schema, UTET_TILEDB_ATTRIBUTE, "a01", 3, &item), rows[i].status);
        assert_int_equal(utet_tiledb_find(&schema, UTET_TILEDB_ATTRIBUTE, "a02", 3, &item), rows[i].status);
    }
}

/* The entry "here", which has two float32: the valid entry, and those with another `count` or `datatype`. */
static void damaged_entry(uint8_t count, uint8_t datatype, utet_status status)
{
    utet_tiledb_entry entry;
    unsigned before;

    for (before = 0; before < 2; before++) {
        tilegen_begin();
        if (before != 0) {
            tilegen_text("gone", 4);
            tilegen_add(1, 1);
        }
        tilegen_text("here", 4);
        tilegen_add(0, 1);
        tilegen_add(datatype, 1);
        tilegen_add(count, 4);
        tilegen_add(0, 8);
        tilegen_end(22);
        assert_int_equal(open_in(sizeof work, NULL), UTET_OK);
        assert_int_equal(utet_tiledb_entry_first(&tile, &entry), before != 0 ? UTET_OK : status);
        if (before != 0)
            assert_int_equal(utet_tiledb_entry_next(&tile, &entry), status);
    }
}

static void entries(void **state)
{
    utet_tiledb_entry entry;

    (void)state;
    tilegen_begin();
    tilegen_end(22);
    assert_int_equal(open_in(sizeof work, NULL), UTET_OK);
    assert_int_equal(utet_tiledb_entry_first(&tile, &entry), UTET_END);
    tilegen_begin();
    tilegen_text("gone", 4);
    tilegen_add(1, 1);
    tilegen_text("here", 4);
    tilegen_add(0, 1);
    tilegen_add(0, 1);
    tilegen_add(2, 4);
    tilegen_add(0, 8);
    tilegen_end(22);
    assert_int_equal(open_in(sizeof work, NULL), UTET_OK);
    assert_int_equal(utet_tiledb_entry_find(&tile, "here", 4, &entry), UTET_OK);
    assert_int_equal(entry.value.size, 8);
    assert_int_equal(utet_tiledb_entry_find(&tile, "gone", 4, &entry), UTET_OK);
    assert_int_equal(entry.deleted, 1);
    assert_int_equal(utet_tiledb_entry_find(&tile, "none", 4, &entry), UTET_E_NOT_FOUND);
    made.bytes[made.size - 12] = 3; /* one value more than there are */
    assert_int_equal(open_in(sizeof work, NULL), UTET_OK);
    assert_int_equal(utet_tiledb_entry_find(&tile, "here", 4, &entry), UTET_E_METADATA);
    made.bytes[made.size - 13] = UTET_TILEDB_DATATYPES;
    assert_int_equal(open_in(sizeof work, NULL), UTET_OK);
    assert_int_equal(utet_tiledb_entry_find(&tile, "here", 4, &entry), UTET_E_DTYPE);
    damaged_entry(2, UTET_TILEDB_FLOAT32, UTET_OK);
    damaged_entry(3, UTET_TILEDB_FLOAT32, UTET_E_METADATA);
    damaged_entry(2, UTET_TILEDB_DATATYPES, UTET_E_DTYPE);
}

/* A tile in chunks of 50 bytes, of which the memory holds 128: going back decodes the requested chunk and no other;
 * each item is the same as with the complete tile in memory. */
static void going_back(void **state)
{
    static uint8_t whole[TILEGEN_MOST];
    utet_tiledb_item items[40];
    char name[8];
    size_t got, from, raw;
    unsigned i, round;

    (void)state;
    tilegen_schema(40, "");
    tilegen_add(0, 4);
    tilegen_schema_end();
    raw = made.size - TILEGEN_RAW;
    memcpy(whole, made.bytes, made.size);
    made.size = 42;
    tilegen_add((raw + 49) / 50, 8);
    for (from = 0; from < raw; from += 50) {
        const size_t some = raw - from < 50 ? raw - from : 50;

        tilegen_add(some, 4);
        tilegen_add(some, 4);
        tilegen_add(0, 4);
        memcpy(made.bytes + made.size, whole + TILEGEN_RAW + from, some);
        made.size += some;
    }
    from = made.size;
    made.size = 4;
    tilegen_add(from - 42, 8);
    made.size = from;
    assert_int_equal(open_in(192 + 128, NULL), UTET_OK);
    assert_int_equal(tile.priv.room, 128);
    assert_int_equal(utet_tiledb_schema_open(&schema, &tile), UTET_OK);
    assert_int_equal(utet_tiledb_schema_check(&schema), UTET_OK);
    assert_int_equal(utet_tiledb_first(&schema, UTET_TILEDB_ATTRIBUTE, &items[0]), UTET_OK);
    for (i = 1; i < 40; i++) {
        items[i] = items[i - 1];
        assert_int_equal(utet_tiledb_next(&schema, &items[i]), UTET_OK);
    }
    for (round = 0; round < 200; round++) {
        utet_tiledb_text text = items[i = round * 17 % 40].name;
        char want[4] = "a00";

        want[1] = (char)('0' + i / 10);
        want[2] = (char)('0' + i % 10);
        assert_int_equal(utet_tiledb_read(&tile, &text, name, sizeof name, &got), UTET_OK);
        suite_check(got == 3 && memcmp(name, want, 3) == 0, "attribute %u", i);
    }
    assert_int_equal(utet_tiledb_schema_check(&schema), UTET_OK);
    /* The chunk's header is read again. */
    made.bytes[50] = 51;
    assert_int_equal(utet_tiledb_schema_open(&schema, &tile), UTET_E_ROW);
}

static void tiles_of_a_dimension(void **state)
{
    static const uint8_t whole_i64[16] = {0, 0, 0, 0, 0, 0, 0, 0x80, 255, 255, 255, 255, 255, 255, 255, 0x7F};
    static const uint8_t one[8] = {1};
    static const uint8_t two[8] = {2};
    static const uint8_t none[8] = {0};
    static const uint8_t minus[8] = {255};
    static const uint8_t small[2] = {0x80, 0x7F};
    static const uint8_t wrong[2] = {9, 8};
    static const uint8_t dates[16] = {0, 0, 0, 0, 0, 0, 0, 0, 10};

    (void)state;
    assert_true(utet_tiledb_tiles(1, whole_i64, one) == UINT64_MAX);
    assert_true(utet_tiledb_tiles(1, whole_i64, two) == (uint64_t)1 << 63);
    assert_true(utet_tiledb_tiles(1, whole_i64, none) == 0);
    assert_true(utet_tiledb_tiles(5, small, one) == 256); /* INT8, all of it */
    assert_true(utet_tiledb_tiles(5, small, minus) == 0);
    assert_true(utet_tiledb_tiles(6, wrong, one) == 0); /* UINT8, the wrong way round */
    assert_true(utet_tiledb_tiles(6, small, one) == 0);
    assert_true(utet_tiledb_tiles(6, "\1\12", two) == 5);
    assert_true(utet_tiledb_tiles(18, dates, two) == 6); /* DATETIME_YEAR */
    assert_true(utet_tiledb_tiles(0, "\0\0\0\0\7\0\0\0", one) == 8);
    assert_true(utet_tiledb_tiles(0, "\0\0\0\x80\xff\xff\xff\x7f", two) == (uint64_t)1 << 31); /* INT32, all of it */
    assert_true(utet_tiledb_tiles(7, "\0\0\7\0", one) == 8);
    assert_true(utet_tiledb_tiles(10, dates, one) == 11);
    assert_true(utet_tiledb_tiles(UTET_TILEDB_FLOAT32, dates, one) == 0);
    assert_true(utet_tiledb_tiles(UTET_TILEDB_STRING_ASCII, dates, one) == 0);
    assert_true(utet_tiledb_tiles(40, dates, one) == 0);
}

#define UUID "0123456789abcdefABCDEF0123456789"

static void names(void **state)
{
    static const char *const bad[] = {
        "",
        "_",
        "__",
        "__1",
        "__1_",
        "__1_2",
        "__1_2_",
        "__1_2_"
        "0123",
        "x_1_2_" UUID,
        "_x1_2_" UUID,
        "__x_2_" UUID,
        "__1_x_" UUID,
        "__1_2_g123456789abcdefABCDEF0123456789",
        "__1_2_" UUID "x",
        "__1_2_" UUID "_",
        "__1_2_" UUID "_1x",
        "__1_2_" UUID "_4294967296",
        "__1_2-" UUID,
        "__1_2_" UUID "_x",
        "__1x2_" UUID,
    };
    utet_tiledb_stamp stamp;
    size_t i;

    (void)state;
    for (i = 0; i < sizeof bad / sizeof *bad; i++)
        suite_check(utet_tiledb_name(bad[i], strlen(bad[i]), &stamp) == UTET_E_NOT_FOUND, "%s", bad[i]);
    for (i = 0; i < 40; i++) { /* and no byte after it is read */
        guard exact = guard_new(i, 1, GUARD_AFTER);

        memcpy(exact.data, "__12_34_" UUID, i);
        suite_check(utet_tiledb_name((const char *)exact.data, i, &stamp) == UTET_E_NOT_FOUND, "%u bytes", (unsigned)i);
        guard_free(&exact);
    }
    assert_int_equal(utet_tiledb_name("__12_34_" UUID, 40, &stamp), UTET_OK);
    assert_true(stamp.first == 12 && stamp.last == 34 && stamp.version == 0);
    assert_int_equal(utet_tiledb_name("__12_34_" UUID "_22", 43, &stamp), UTET_OK);
    assert_true(stamp.version == 22);
    assert_string_equal(utet_tiledb_type_name(0), "INT32");
    assert_string_equal(utet_tiledb_type_name(43), "GEOM_WKT");
    assert_string_equal(utet_tiledb_type_name(44), "?");
    assert_string_equal(utet_tiledb_filter_name(19), "DELTA");
    assert_string_equal(utet_tiledb_filter_name(20), "?");
    assert_int_equal(utet_tiledb_type_size(44), 0);
}

/* ---- a folder of names ---- */

static const char *const *listed;

static int open_lists;

static utet_status listing;

static utet_status list_open(void *ctx, const char *path)
{
    (void)ctx;
    if (path[0] == '\0')
        return UTET_E_NOT_FOUND;
    open_lists++;
    return UTET_OK;
}

static utet_status list_next(void *ctx, char *name, size_t room, int *is_folder)
{
    (void)ctx;
    if (*listed == NULL)
        return listing;
    suite_check(strlen(*listed) < room, "too long");
    strcpy(name, *listed);
    *is_folder = strcmp(*listed, "__9_9_" UUID) == 0;
    listed++;
    return UTET_OK;
}

static void list_close(void *ctx)
{
    (void)ctx;
    open_lists--;
}

static void folders(void **state)
{
    static const utet_folder folder = {NULL, list_open, list_next, list_close};
    static const char *const files[] = {"__1_1_" UUID, "__3_3_" UUID, "other", "__9_9_" UUID, "__2_2_" UUID "_4", NULL};
    static const char *const none[] = {"other", NULL};
    char name[UTET_TILEDB_NAME_SIZE];

    (void)state;
    listing = UTET_END;
    listed = files;
    assert_int_equal(utet_tiledb_newest(&folder, "x", name, sizeof name), UTET_OK);
    assert_string_equal(name, "__3_3_" UUID);
    listed = none;
    assert_int_equal(utet_tiledb_newest(&folder, "x", name, sizeof name), UTET_E_NOT_FOUND);
    assert_int_equal(utet_tiledb_newest(&folder, "", name, sizeof name), UTET_E_NOT_FOUND);
    assert_int_equal(utet_tiledb_newest(&folder, "x", name, sizeof name - 1), UTET_E_SPACE);
    listing = UTET_E_PORT;
    listed = files;
    assert_int_equal(utet_tiledb_newest(&folder, "x", name, sizeof name), UTET_E_PORT);
    assert_int_equal(open_lists, 0);
}

int main(void)
{
    static const struct CMUnitTest cases[] = {
        cmocka_unit_test(ranges_of_strings),    cmocka_unit_test(many_dimensions), cmocka_unit_test(enumerations),
        cmocka_unit_test(damaged_attributes),   cmocka_unit_test(entries),         cmocka_unit_test(going_back),
        cmocka_unit_test(tiles_of_a_dimension), cmocka_unit_test(names),           cmocka_unit_test(folders),
    };
    return SUITE("arrayitems", cases);
}
