/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Zone maps and indexes on footers written here. */
#include "metamade.h"

/* ---- zone maps ---- */

#define ZONE "{\"dataset_id\":0,\"chunk_index\":%s,\"element_count\":%s,\"null_count\":%s%s}"

/* A world with one zone. */
static void make_zone(metaworld *w, const char *fill, const char *coords, const char *nulls, const char *bounds,
                      int slow)
{
    static char zones[1500], metadata[500];
    metagen g = metagen_bare;

    sprintf(zones, "[" ZONE "]", coords, "2", nulls, bounds);
    sprintf(metadata, "{\"datasets\":{\"d\":{\"attrs\":{\"units\":\"K\"%s%s%s}}}}", fill ? ",\"missing_value\":\"" : "",
            fill ? fill : "", fill ? "\"" : "");
    g.zones = zones;
    g.metadata = metadata;
    make(w, &g, slow);
    DRIVE_OK(utet_zones_open(&w->meta, &w->described, &w->zones));
}

#define BOUNDS ",\"min_le\":\"0a00\",\"max_le\":\"1400\""

/* Whether a value that is null for the writer is also null for the reader (§8.3, case 2). */
static void fill_values(void **state)
{
    static const struct {
        const char *text;
        int sure;
    } fills[] = {
        {NULL, 1},
        {"0", 1},
        {"9", 1},
        {"255", 1},
        {"-9", 1},
        {"nan", 1},
        {"NaN", 1},
        {"NAN", 1},
        {"999", 1},
        {"-128", 1},
        {"1000", 0},
        {"2040", 0},
        {"-0", 0},
        {"007", 0},
        {"1.5", 0},
        {"1e3", 0},
        {"1 2", 0},
        {"20400", 0},
        {"12:", 0},
        {LONG, 0},
        {" 5", 0},
        {"5 ", 0},
        {"-00", 0},
        {"--5", 0},
        {"5-", 0},
        {"00", 0},
        {"-100", 1},
        {"-1000", 0},
        {"1/2", 0},
        {"n1", 0},
        /* without digits: nan, inf, or a number that nobody can read */
        {"", 1},
        {"  ", 1},
        {"-", 1},
        {"nax", 1},
        {"z", 1},
        {"-inf", 1},
        {"Infinity", 1},
        {" nan", 1},
    };
    static const uint8_t high[2] = {0, 1};
    static metaworld w;
    size_t i;

    (void)state;
    for (i = 0; i < 2 * sizeof fills / sizeof fills[0]; i++) {
        utet_zone zone;

        make_zone(&w, fills[i / 2].text, "[0]", "0", BOUNDS, (int)(i % 2));
        DRIVE_OK(utet_zone_next(&w.meta, &w.zones, &zone));
        suite_check(utet_zone_may_hold(&w.zones, &zone, high, high) == !fills[i / 2].sure, "%s",
                    fills[i / 2].text ? fills[i / 2].text : "none");
        assert_int_equal(utet_zone_may_be_null(&w.zones, &zone), fills[i / 2].text != NULL);
        metaworld_end(&w);
    }
}

static void odd_zones(void **state)
{
#define TEN "77,77,77,77,77,77,77,77,77,77"
#define HUNDRED TEN "," TEN "," TEN "," TEN "," TEN "," TEN "," TEN "," TEN "," TEN "," TEN
    static const struct {
        const char *coords, *nulls, *bounds;
        unsigned ndim, elem_size;
        int may_hold, may_be_null;
    } zones[] = {
        {"[0]", "0", BOUNDS, 1, 2, 0, 0},
        {"[0]", "1", BOUNDS, 1, 2, 0, 1},
        {"[0]", "2", "", 1, 0, 0, 1}, /* all null: nothing can be found */
        {"[0]", "0", "", 1, 0, 1, 0},
        {"[0]", "0", ",\"min_le\":null,\"max_le\":null", 1, 0, 1, 0},
        {"[0]", "0", ",\"min_le\":\"0a0\",\"max_le\":\"1400\"", 1, 0, 1, 0},
        {"[0]", "0", ",\"min_le\":\"0a00\",\"max_le\":\"14\"", 1, 0, 1, 0},
        {"[0]", "0", ",\"min_le\":\"0g00\",\"max_le\":\"1400\"", 1, 0, 1, 0},
        {"[0]", "0", ",\"min_le\":\"0a000000\",\"max_le\":\"0A000000\"", 1, 4, 1, 0},
        {"[0]", "0", ",\"min_le\":\"0a000000000000000\",\"max_le\":\"1400\"", 1, 0, 1, 0},
        {"[1,2,3,4,5,6,7,8]", "0", BOUNDS, 8, 2, 0, 0},
        {"[1,2,3,4,5,6,7,8,9]", "0", BOUNDS, 0, 2, 0, 0},
        {"[" HUNDRED "," HUNDRED "," HUNDRED "]", "0", BOUNDS, 0, 2, 0, 0}, /* as many as a byte can count, and more */
    };
    static const uint8_t low[2] = {9, 0}, high[2] = {0x15, 0};
    static metaworld w;
    size_t i;

    (void)state;
    for (i = 0; i < 2 * sizeof zones / sizeof zones[0]; i++) {
        utet_zone zone;

        make_zone(&w, NULL, zones[i / 2].coords, zones[i / 2].nulls, zones[i / 2].bounds, (int)(i % 2));
        DRIVE_OK(utet_zone_next(&w.meta, &w.zones, &zone));
        suite_check(zone.dataset_id == 0 && zone.element_count == 2 && zone.ndim == zones[i / 2].ndim &&
                        zone.elem_size == zones[i / 2].elem_size,
                    "%s: %u, %u", zones[i / 2].bounds, zone.ndim, zone.elem_size);
        assert_int_equal(utet_zone_may_hold(&w.zones, &zone, high, high), zones[i / 2].may_hold);
        assert_int_equal(utet_zone_may_hold(&w.zones, &zone, low, low), zones[i / 2].may_hold);
        assert_int_equal(utet_zone_may_be_null(&w.zones, &zone), zones[i / 2].may_be_null);
        metaworld_end(&w);
    }
}

/* Elements are compared by value, floats by total order. */
static void order_of_elements(void **state)
{
    static const struct {
        uint32_t dtype;
        uint8_t size, small[8], large[8];
    } pairs[] = {
        {UTET_U8, 1, {0x7F}, {0x80}},
        {UTET_U16, 2, {0xFF, 0}, {0, 1}},
        {UTET_U32, 4, {0, 0, 0, 0x7F}, {0, 0, 0, 0x80}},
        {UTET_U64, 8, {0xFF}, {0, 0, 0, 0, 0, 0, 0, 0x80}},
        {UTET_I16, 2, {0xFF, 0xFF}, {0, 0}},
        {UTET_I32, 4, {0, 0, 0, 0x80}, {0xFF, 0xFF, 0xFF, 0xFF}},
        {UTET_I64, 8, {0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF}, {1}},
        {UTET_F16, 2, {0, 0xBC}, {0, 0x80}}, /* -1, -0 */
        {UTET_F32, 4, {0, 0, 0, 0x80}, {0, 0, 0, 0}},
        {UTET_F64, 8, {0, 0, 0, 0, 0, 0, 0xF0, 0xBF}, {0, 0, 0, 0, 0, 0, 0xF0, 0x3F}},
        {UTET_F64, 8, {0}, {1}},
    };
    static metaworld w;
    size_t i;

    (void)state;
    make_zone(&w, NULL, "[0]", "0", BOUNDS, 0);
    for (i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        utet_zone zone = {0};
        utet_dataset d = w.d;

        d.dtype = pairs[i].dtype;
        d.elem_size = pairs[i].size;
        zone.elem_size = pairs[i].size;
        w.zones.priv.dataset = &d;
        memcpy(zone.lowest, pairs[i].small, 8);
        memcpy(zone.highest, pairs[i].small, 8);
        suite_check(utet_zone_may_hold(&w.zones, &zone, pairs[i].small, pairs[i].small) == 1 &&
                        utet_zone_may_hold(&w.zones, &zone, pairs[i].large, pairs[i].large) == 0 &&
                        utet_zone_may_hold(&w.zones, &zone, pairs[i].small, pairs[i].large) == 1,
                    "pair %u", (unsigned)i);
        memcpy(zone.lowest, pairs[i].large, 8);
        memcpy(zone.highest, pairs[i].large, 8);
        assert_int_equal(utet_zone_may_hold(&w.zones, &zone, pairs[i].small, pairs[i].small), 0);
        d.elem_size = 0; /* unknown dtype */
        assert_int_equal(utet_zone_may_hold(&w.zones, &zone, pairs[i].small, pairs[i].small), 1);
    }
    metaworld_end(&w);
}

static void zones_in_any_order(void **state)
{
    static const char zones[] = "[{\"dataset_id\":7,\"chunk_index\":[0],\"element_count\":2,\"null_count\":0},"
                                "{\"dataset_id\":0,\"chunk_index\":[0,0],\"element_count\":2,\"null_count\":0},"
                                "{\"dataset_id\":0,\"chunk_index\":[1],\"element_count\":3,\"null_count\":0},"
                                "{\"dataset_id\":0,\"chunk_index\":[0],\"element_count\":4,\"null_count\":0}]";
    static metaworld w;
    int slow;

    (void)state;
    for (slow = 0; slow < 2; slow++) {
        static const uint64_t order[] = {0, 1, 1, 0, 2, 0};
        metagen g = metagen_bare;
        size_t i;

        g.zones = zones;
        make(&w, &g, slow);
        DRIVE_OK(utet_zones_open(&w.meta, &w.described, &w.zones));
        for (i = 0; i < sizeof order / sizeof order[0]; i++) {
            utet_zone zone;
            utet_status status;

            DRIVE(status, utet_zone_find(&w.meta, &w.zones, &order[i], &zone));
            suite_check(status == (order[i] > 1 ? UTET_E_MISSING : UTET_OK), "chunk %u: %s", (unsigned)order[i],
                        rig_status(status));
            assert_true(status != UTET_OK || zone.element_count == 4 - order[i]);
        }
        metaworld_end(&w);
        g.zones = "[]";
        make(&w, &g, slow);
        DRIVE_OK(utet_zones_open(&w.meta, &w.described, &w.zones));
        for (i = 0; i < 2; i++) {
            utet_zone zone;
            utet_status status;

            DRIVE(status, utet_zone_find(&w.meta, &w.zones, order, &zone));
            assert_int_equal(status, UTET_E_MISSING);
        }
        metaworld_end(&w);
    }
}

/* ---- indexes ---- */

static void values_and_labels(void **state)
{
    static const uint8_t one[2] = {1, 0}, two[2] = {2, 0};
    static metaworld w;
    int slow;

    (void)state;
    for (slow = 0; slow < 2; slow++) {
        metagen g = metagen_usual;
        utet_value chunks, key, item;
        utet_status status;
        uint64_t coords[UTET_MAX_NDIM];

        make(&w, &g, slow);
        DRIVE_OK(utet_index_value(&w.meta, &w.described, one, &chunks));
        assert_int_equal(chunks.size, 2);
        DRIVE_OK(utet_index_chunk(&w.meta, &chunks, coords));
        assert_int_equal(coords[0], 0);
        DRIVE_OK(utet_index_chunk(&w.meta, &chunks, coords));
        assert_int_equal(coords[0], 1);
        DRIVE_OK(utet_index_value(&w.meta, &w.described, two, &chunks));
        assert_int_equal(chunks.size, 0);
        DRIVE_OK(utet_index_label(&w.meta, &w.described, 0, "a", 1, &chunks));
        assert_int_equal(chunks.size, 1);
        DRIVE_OK(utet_index_label(&w.meta, &w.described, 0, "b", 1, &chunks));
        assert_int_equal(chunks.size, 0);
        DRIVE(status, utet_index_label(&w.meta, &w.described, 1, "a", 1, &chunks));
        assert_int_equal(status, UTET_E_NOT_FOUND);
        DRIVE_OK(utet_index_entries(&w.meta, &chunks));
        assert_int_equal(chunks.size, 4);
        DRIVE_OK(utet_value_next(&w.meta, &chunks, &key, &item));
        assert_int_equal(item.kind, UTET_VALUE_MAP);
        metaworld_end(&w);
        g.metadata = "{\"datasets\":{\"d\":{\"attrs\":{\"fill_value\":\"2\"}}}}"; /* two may be null at its position */
        make(&w, &g, slow);
        DRIVE(status, utet_index_value(&w.meta, &w.described, two, &chunks));
        assert_int_equal(status, UTET_E_NOT_FOUND);
        metaworld_end(&w);
    }
}

/* A suspended call keeps no pointer to the element: each repetition has it at another address, and the previous one is
 * gone. The label of each posting is also as long as the element. */
static void elements_that_move(void **state)
{
    static metaworld w;
    metagen g = metagen_bare;
    utet_value chunks;
    utet_status status;
    guard element = guard_new(2, 1, GUARD_AFTER);
    unsigned moves = 0;

    (void)state;
    g.indexes = "[{\"kind\":\"value_postings\",\"dataset_id\":0,\"dtype\":6,\"postings\":["
                "{\"value_le\":\"0200\",\"label\":\"ab\",\"chunks\":[[0]]},"
                "{\"value_le\":\"0100\",\"label\":\"ab\",\"chunks\":[[1]]}]}]";
    make(&w, &g, 1);
    element.data[0] = 1;
    while ((status = utet_index_value(&w.meta, &w.described, element.data, &chunks)) == UTET_WOULD_BLOCK) {
        guard next = guard_new(2, 1, GUARD_AFTER);

        next.data[0] = 1;
        guard_free(&element);
        element = next;
        moves++;
    }
    guard_free(&element);
    assert_int_equal(status, UTET_OK);
    assert_int_equal(chunks.size, 1);
    assert_true(moves > 20);
    metaworld_end(&w);
}

static void odd_indexes(void **state)
{
#define ENTRY(kind, postings) \
    "[{\"kind\":\"" kind "\",\"dataset_id\":0,\"dtype\":6,\"axis\":0,\"postings\":" postings "}]"
    static const struct {
        const char *text;
        utet_status value, label;
    } indexes[] = {
        {"[]", UTET_E_NOT_FOUND, UTET_E_NOT_FOUND},
        {"[{}]", UTET_E_METADATA, UTET_E_METADATA},
        {"[{\"kind\":\"value_postings\"}]", UTET_E_NOT_FOUND, UTET_E_NOT_FOUND},
        {ENTRY("value_postingx", "[]"), UTET_E_NOT_FOUND, UTET_E_NOT_FOUND},
        {"[{\"kind\":\"value_postings\",\"dataset_id\":\"0\",\"dtype\":6}]", UTET_E_NOT_FOUND, UTET_E_NOT_FOUND},
        {"[{\"kind\":\"value_postings\",\"dataset_id\":0,\"dtype\":\"6\"}]", UTET_E_NOT_FOUND, UTET_E_NOT_FOUND},
        {"[{\"kind\":\"value_postings\",\"dataset_id\":1,\"dtype\":6}]", UTET_E_NOT_FOUND, UTET_E_NOT_FOUND},
        {ENTRY("value_postings", "[]"), UTET_OK, UTET_E_NOT_FOUND},
        {ENTRY("value_postings", "null"), UTET_E_METADATA, UTET_E_NOT_FOUND},
        {ENTRY("coord_label_postings", "{}"), UTET_E_NOT_FOUND, UTET_E_METADATA},
        {"[{\"kind\":\"value_postings\",\"dataset_id\":0,\"dtype\":6}]", UTET_E_METADATA, UTET_E_NOT_FOUND},
        {ENTRY("value_postings", "[5]"), UTET_E_METADATA, UTET_E_NOT_FOUND},
        {ENTRY("value_postings", "[[7]]"), UTET_E_METADATA, UTET_E_NOT_FOUND},
        {ENTRY("value_postings", "[{\"value_le\":\"0100\",\"chunks\":{}}]"), UTET_E_METADATA, UTET_E_NOT_FOUND},
        {ENTRY("value_postings", "[{\"value_le\":1,\"chunks\":[]}]"), UTET_E_METADATA, UTET_E_NOT_FOUND},
        {ENTRY("value_postings", "[{\"value_le\":\"01x0\",\"chunks\":[]}]"), UTET_E_METADATA, UTET_E_NOT_FOUND},
        {ENTRY("value_postings", "[{\"value_le\":\"0100\",\"chunks\":[]}]"), UTET_OK, UTET_E_NOT_FOUND},
        {ENTRY("value_postings", "{\"a\":{}}"), UTET_E_METADATA, UTET_E_NOT_FOUND},
        {ENTRY("value_postings", "[{\"value_le\":null,\"chunks\":[]}]"), UTET_E_METADATA, UTET_E_NOT_FOUND},
        {ENTRY("value_postings", "[{\"value_le\":\"\",\"chunks\":[]}]"), UTET_E_METADATA, UTET_E_NOT_FOUND},
        {ENTRY("value_postings", "[{\"value_le\":\"010\",\"chunks\":[]}]"), UTET_E_METADATA, UTET_E_NOT_FOUND},
        {ENTRY("value_postings", "[{\"value_le\":\"010000000000000000\",\"chunks\":[]}]"), UTET_E_METADATA,
         UTET_E_NOT_FOUND},
        {ENTRY("value_postings", "[{\"value_le\":\"0100000000000000\",\"chunks\":{}}]"), UTET_OK, UTET_E_NOT_FOUND},
        {ENTRY("value_postings", "[{\"more\":[1],\"value_le\":\"0100\",\"chunks\":[],\"more\":2}]"), UTET_OK,
         UTET_E_NOT_FOUND},
        {ENTRY("value_postings", "[{\"value_le\":\"0100\",\"value_le\":\"0100\",\"chunks\":[]}]"), UTET_E_METADATA,
         UTET_E_NOT_FOUND},
        {ENTRY("coord_label_postings", "{\"a\":{}}"), UTET_E_NOT_FOUND, UTET_E_METADATA},
        {ENTRY("coord_label_postings", "[{\"chunks\":[]},{\"label\":[]},{\"label\":\"a\",\"chunks\":[]}]"),
         UTET_E_NOT_FOUND, UTET_OK},
        {ENTRY("coord_label_postings", "[{\"label\":\"a\",\"chunks\":[]}]"), UTET_E_NOT_FOUND, UTET_OK},
        {ENTRY("coord_label_postings", "[{\"label\":null,\"chunks\":[]}]"), UTET_E_NOT_FOUND, UTET_OK},
        {ENTRY("coord_label_postings", "[{\"label\":\"a\",\"chunks\":{}}]"), UTET_E_NOT_FOUND, UTET_E_METADATA},
    };
    static const uint8_t one[2] = {1, 0};
    static metaworld w;
    size_t i;

    (void)state;
    for (i = 0; i < 2 * sizeof indexes / sizeof indexes[0]; i++) {
        metagen g = metagen_bare;
        utet_value chunks;
        utet_status value, label;

        g.indexes = indexes[i / 2].text;
        make(&w, &g, (int)(i % 2));
        DRIVE(value, utet_index_value(&w.meta, &w.described, one, &chunks));
        DRIVE(label, utet_index_label(&w.meta, &w.described, 0, "a", 1, &chunks));
        suite_check(value == indexes[i / 2].value && label == indexes[i / 2].label, "%s: %s, %s", g.indexes,
                    rig_status(value), rig_status(label));
        metaworld_end(&w);
    }
}

/* NaN is in no posting, and nothing is known of elements whose size is unknown. */
static void values_that_are_not_asked_for(void **state)
{
    static const struct {
        uint32_t dtype;
        uint8_t size, bytes[8];
        int nan;
    } values[] = {
        {UTET_F16, 2, {1, 0x7C}, 1},
        {UTET_F16, 2, {0, 0x7C}, 0},
        {UTET_F32, 4, {0, 0, 0xC0, 0xFF}, 1},
        {UTET_F32, 4, {0, 1, 0x80, 0x7F}, 1},
        {UTET_F32, 4, {0, 0, 0x80, 0x7F}, 0},
        {UTET_F32, 4, {1, 1, 0x7F, 0x7F}, 0},
        {UTET_F64, 8, {0, 0, 0, 1, 0, 0, 0xF0, 0x7F}, 1},
        {UTET_F64, 8, {0, 0, 0, 0, 0, 0, 0xF0, 0xFF}, 0},
        {77, 0, {0}, 1},
    };
    static metaworld w;
    size_t i;

    (void)state;
    for (i = 0; i < sizeof values / sizeof values[0]; i++) {
        static char text[300];
        metagen g = metagen_bare;
        utet_dataset d;
        utet_value chunks;
        utet_status status;

        sprintf(text, ENTRY("value_postings", "[]"));
        sprintf(strstr(text, "\"dtype\":6"), "\"dtype\":%u,\"postings\":[]}]", (unsigned)values[i].dtype);
        g.indexes = text;
        make(&w, &g, 0);
        d = w.d;
        d.dtype = values[i].dtype;
        d.elem_size = values[i].size;
        w.described.dataset = &d;
        DRIVE(status, utet_index_value(&w.meta, &w.described, values[i].bytes, &chunks));
        suite_check(status == (values[i].nan ? UTET_E_NOT_FOUND : UTET_OK), "value %u: %s", (unsigned)i,
                    rig_status(status));
        metaworld_end(&w);
    }
}

int main(void)
{
    static const struct CMUnitTest cases[] = {
        cmocka_unit_test(fill_values),       cmocka_unit_test(odd_zones),
        cmocka_unit_test(order_of_elements), cmocka_unit_test(zones_in_any_order),
        cmocka_unit_test(values_and_labels), cmocka_unit_test(elements_that_move),
        cmocka_unit_test(odd_indexes),       cmocka_unit_test(values_that_are_not_asked_for),
    };
    return SUITE("metazones", cases);
}
