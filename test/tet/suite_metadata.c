/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Documents of the footer: the forms that they may have. Every question is asked with all bytes at once, and with "not
 * yet" before each byte. suite_footer has the reference's files, suite_meta damage and faults. */
#include "metamade.h"

/* ---- documents ---- */

static const struct document {
    const char *text;
    utet_status status;
} documents[] = {
    {"{}", UTET_OK},
    {" {\"a\":[1e5,1E+5,1.5e-3,-0,0.0e0,true,false,null,\"\\ud800\",\"\xff\",{\"\\u0061\":-1}]}\n", UTET_OK},
    {"{\"a\":1e}", UTET_E_METADATA},
    {"{\"a\":1.}", UTET_E_METADATA},
    {"{\"a\":01}", UTET_E_METADATA},
    {"{\"a\":.5}", UTET_E_METADATA},
    {"{\"a\":+1}", UTET_E_METADATA},
    {"{\"a\":--1}", UTET_E_METADATA},
    {"{\"a\":1.-1}", UTET_E_METADATA},
    {"{\"a\":1e1e1}", UTET_E_METADATA},
    {"{\"a\":1e1.1}", UTET_E_METADATA},
    {"{\"a\":1.e1}", UTET_E_METADATA},
    {"{\"a\":1e+-1}", UTET_E_METADATA},
    {"{\"a\":1.5.1}", UTET_E_METADATA},
    {"{\"a\":-e1}", UTET_E_METADATA},
    {"7", UTET_E_METADATA},
    {"{\"history\":[[\"\\ud83d\\ude00\",\"\xf0\x9f\x98\x80\",\"\xe2\x82\xac\xc3\xa9\\n\"]]}", UTET_OK},
    {"{\"history\":[[\"\\ud800\",\"\",\"\"]]}", UTET_E_METADATA},
    {"{\"history\":[[\"\\udc00\",\"\",\"\"]]}", UTET_E_METADATA},
    {"{\"history\":[[\"\\ud800\\n     \",\"\",\"\"]]}", UTET_E_METADATA},
    {"{\"history\":[[\"\\ud800\\u", UTET_E_METADATA},
    {"{\"history\":[[\"\\u00", UTET_E_METADATA},
    {"{\"history\":[[\"\\", UTET_E_METADATA},
    {"{\"history\":[[\"\\u00G0\",\"\",\"\"]]}", UTET_E_METADATA},
    {"{\"history\":[[\"\\x\",\"\",\"\"]]}", UTET_E_METADATA},
    {"{\"history\":[[\"\x1f\",\"\",\"\"]]}", UTET_E_METADATA},
    {"{\"history\":[[\"\xc3(\",\"\",\"\"]]}", UTET_E_METADATA},
    {"{\"history\":[[\"\xf0\x9f", UTET_E_METADATA},
    {"{\"history\":[[\"a\",\"b\"]]}", UTET_E_METADATA},
    {"{\"history\":[[\"a\",\"b\",\"c\",\"d\"]]}", UTET_E_METADATA},
    {"{\"history\":{}}", UTET_E_METADATA},
    {"{\"history\":[7]}", UTET_E_METADATA},
    {"{\"a\":[],\"history\":[7]}", UTET_E_METADATA},
    {"{\"a\":{\"b\":[0]},\"history\":[[\"a\",\"b\",7]]}", UTET_E_METADATA},
    {"{\"metadata\":[]}", UTET_E_METADATA},
    {"{\"metadata\":null,\"metadata\":null}", UTET_E_METADATA},
    {"{\"metadata\":{\"file\":{\"tool\":null}}}", UTET_OK},
    {"{\"metadata\":{\"file\":{\"tool\":[]}}}", UTET_E_METADATA},
    {"{\"metadata_ref\":{\"offset\":0,\"len\":0,\"more\":0}}", UTET_E_METADATA},
    {"{\"metadata_ref\":{\"offset\":0}}", UTET_E_METADATA},
    {"{\"metadata_ref\":{\"offset\":18446744073709551615,\"len\":1}}", UTET_E_METADATA},
    {"{\"zone_maps_ref\":{\"offset\":18446744073709551615,\"len\":1}}", UTET_OK},
    {"{\"zone_maps_ref\":{\"offset\":18446744073709551616,\"len\":1}}", UTET_E_METADATA},
    {"{\"zone_maps_ref\":{\"offset\":23058430092136939520,\"len\":1}}", UTET_E_METADATA},
    {"{\"zone_maps_ref\":{\"offset\":-1,\"len\":1}}", UTET_E_METADATA},
    {"{\"zone_maps_ref\":{\"offset\":1.0,\"len\":1}}", UTET_E_METADATA},
    {"{\"zone_maps_ref\":{\"offset\":0,\"len\":99999}}", UTET_E_METADATA},
    {"{\"zone_maps_ref\":null}", UTET_OK},
    {"{\"a\":tru}", UTET_E_METADATA},
    {"{\"a\":nul", UTET_E_METADATA},
};

static void documents_as_the_reference(void **state)
{
    static metaworld w;
    size_t i;

    (void)state;
    for (i = 0; i < 2 * sizeof documents / sizeof documents[0]; i++) {
        const struct document *doc = &documents[i / 2];
        metagen g = metagen_bare;

        g.footer = doc->text;
        make(&w, &g, (int)(i % 2));
        suite_check(w.opened == doc->status, "%s: %s", doc->text, rig_status(w.opened));
        suite_check(w.opened == UTET_OK || w.error_offset >= w.g.json, "%s: error at %llu", doc->text,
                    (unsigned long long)w.error_offset);
        metaworld_end(&w);
    }
}

/* Levels that are not requested: 256 in all; 127 if they must be valid. */
static void nesting(void **state)
{
    static const struct {
        const char *before, *after;
        unsigned most; /* of these levels, inside of others */
    } places[] = {{"{\"a\":", "}", 255}, {"{\"history\":[{\"op\":\"\",\"source\":\"\",\"at\":\"\",\"a\":", "}]}", 124}};
    static char text[1000];
    static metaworld w;
    unsigned i, n;

    (void)state;
    for (i = 0; i < 2; i++)
        for (n = places[i].most; n <= places[i].most + 1; n++) {
            metagen g = metagen_bare;
            size_t at = (size_t)sprintf(text, "%s", places[i].before);

            memset(text + at, '[', n);
            memset(text + at + n, ']', n);
            strcpy(text + at + 2 * n, places[i].after);
            g.footer = text;
            make(&w, &g, 0);
            suite_check(w.opened == (n == places[i].most ? UTET_OK : UTET_E_METADATA), "%u levels: %s", n,
                        rig_status(w.opened));
            metaworld_end(&w);
        }
}

/* A file without datasets has no payloads: the reference does not compare the lengths of its references with anything
 * (../shared/field/tet/cmp-3105713), but reads metadata from the offset that they give. */
static void references_without_datasets(void **state)
{
    static const struct {
        const char *footer;
        utet_status with, without;
    } cases[] = {
        {"{\"zone_maps_ref\":{\"offset\":127,\"len\":18446744073709551607}}", UTET_E_METADATA, UTET_OK},
        {"{\"secondary_index_ref\":{\"offset\":0,\"len\":99999}}", UTET_E_METADATA, UTET_OK},
        {"{\"metadata_ref\":{\"offset\":127,\"len\":18446744073709551607}}", UTET_E_METADATA, UTET_E_METADATA},
        {"{\"zone_maps_ref\":{\"offset\":0,\"len\":0,\"more\":0}}", UTET_E_METADATA, UTET_E_METADATA},
        {"{\"history\":7}", UTET_E_METADATA, UTET_E_METADATA},
    };
    static metaworld w;
    size_t i;

    (void)state;
    for (i = 0; i < 2 * sizeof cases / sizeof *cases; i++) {
        metagen g = metagen_bare;

        g.footer = cases[i / 2].footer;
        metaworld_make(&w, &g, 16, 1);
        if (i & 1)
            tetgen_put(w.g.bytes + 8, 0, 4);
        metaworld_file(&w);
        DRIVE(w.opened, utet_meta_open(&w.meta, &w.r.file));
        assert_int_equal(w.opened, (i & 1) != 0 ? cases[i / 2].without : cases[i / 2].with);
        metaworld_end(&w);
    }
}

/* Strict mode: both payloads, of 4 bytes each, end at the limit or one byte after it; a row that is wrong by itself. */
static void strict_mode(void **state)
{
    enum { ROWS = 32, ROW = 104, OFFSET = 72, STORED = 88, CODEC = 96 }; /* §4 */
    static const struct {
        unsigned spill, row, field, value; /* length of a spill; the value of a field of a row, 0: unchanged */
        utet_status status;
        unsigned bad_row, bad_field;
    } cases[] = {
        {0, 0, 0, 0, UTET_OK, 0, 0},
        {1, 0, 0, 0, UTET_E_ROW, 1, OFFSET},
        {4, 0, 0, 0, UTET_E_ROW, 1, OFFSET},
        {5, 0, 0, 0, UTET_E_ROW, 0, OFFSET},
        {0, 0, CODEC, 7, UTET_E_ROW, 0, CODEC},
        {1, 1, CODEC, 2, UTET_E_ROW, 1, CODEC},
        {5, 1, CODEC, 2, UTET_E_ROW, 0, OFFSET},
        {0, 1, STORED, 9, UTET_E_ROW, 1, STORED - 8},
    };
    static metaworld w;
    size_t i;

    (void)state;
    for (i = 0; i < 2 * sizeof cases / sizeof cases[0]; i++) {
        const uint64_t rows = 32 + 8 + 16 + 8 + 16; /* superblock, length, one record of one axis */
        metagen g = metagen_bare;
        char footer[100];
        utet_status status;
        uint64_t place;

        (void)snprintf(footer, sizeof footer, "{\"zone_maps_ref\":{\"offset\":0,\"len\":%u}}", cases[i / 2].spill);
        g.footer = footer;
        make(&w, &g, (int)(i & 1));
        assert_int_equal(w.opened, UTET_OK);
        assert_int_equal(w.r.file.index_offset, rows);
        assert_int_equal(w.meta.payload_limit, w.g.documents - cases[i / 2].spill);
        place = rows + ROWS + ROW * cases[i / 2].row + cases[i / 2].field;
        if (cases[i / 2].value != 0)
            tetgen_put(w.g.bytes + place, cases[i / 2].value, 4);
        DRIVE_OK(utet_dataset_first(&w.r.file, &w.d)); /* the window is at another offset */
        DRIVE(status, utet_meta_strict(&w.meta));
        suite_check(status == cases[i / 2].status, "case %zu: %s", i / 2, rig_status(status));
        place = rows + ROWS + ROW * cases[i / 2].bad_row + cases[i / 2].bad_field;
        suite_check(status == UTET_OK || w.r.file.error_offset == place, "case %zu: offset %llu", i / 2,
                    (unsigned long long)w.r.file.error_offset);
        metaworld_end(&w);
    }
}

/* Zone maps and indexes of a future version are refused when they are requested (§8). */
static void documents_of_another_version(void **state)
{
    static const uint8_t one[2] = {1, 0};
    static metaworld w;
    utet_value list;
    utet_status status;
    uint8_t *at;
    int later;

    (void)state;
    for (later = 0; later < 2; later++) {
        metaworld_make(&w, &metagen_usual, SLICE_ALL, 0);
        for (at = w.g.bytes + w.g.documents; later && at < w.g.bytes + w.g.json; at++)
            if (memcmp(at, "\"version\":1", 11) == 0)
                at[10] = '2';
        metaworld_open(&w);
        assert_int_equal(w.opened, UTET_OK);
        DRIVE(status, utet_zones_open(&w.meta, &w.described, &w.zones));
        assert_int_equal(status, later ? UTET_E_METADATA : UTET_OK);
        if (later)
            assert_int_equal(w.r.file.error_offset, w.meta.spills[UTET_SPILL_ZONES].offset);
        DRIVE(status, utet_index_value(&w.meta, &w.described, one, &list));
        assert_int_equal(status, later ? UTET_E_METADATA : UTET_OK);
        if (later)
            assert_int_equal(w.r.file.error_offset, w.meta.spills[UTET_SPILL_INDEXES].offset);
        metaworld_end(&w);
    }
}

/* Bounds that are not bytes in hexadecimal digits are ignored. */
static void bounds_that_are_no_bytes(void **state)
{
    static const char *const bounds[] = {"zzzz", "0g", "0", "010", "0/", "0:", "0`", "  "};
    static metaworld w;
    char text[200];
    utet_zone zone;
    size_t i;

    (void)state;
    for (i = 0; i < sizeof bounds / sizeof bounds[0]; i++) {
        metagen g = metagen_bare;

        sprintf(text,
                "[{\"dataset_id\":0,\"chunk_index\":[0],\"element_count\":2,\"null_count\":0,"
                "\"min_le\":\"%s\",\"max_le\":\"%s\"}]",
                bounds[i], bounds[i]);
        g.zones = text;
        make(&w, &g, 0);
        DRIVE_OK(utet_zones_open(&w.meta, &w.described, &w.zones));
        DRIVE_OK(utet_zone_next(&w.meta, &w.zones, &zone));
        suite_check(zone.elem_size == 0, "%s: %u bytes", bounds[i], zone.elem_size);
        metaworld_end(&w);
    }
}

/* An element has at most 8 bytes: bounds of that length, and one byte longer. */
static void bounds_of_long_elements(void **state)
{
    static const char digits[] = "0123456789abcdefff";
    static metaworld w;
    char text[200];
    utet_zone zone;
    int n;

    (void)state;
    for (n = 7; n < 10; n++) {
        metagen g = metagen_bare;

        sprintf(text,
                "[{\"dataset_id\":0,\"chunk_index\":[0],\"element_count\":2,\"null_count\":0,"
                "\"min_le\":\"%.*s\",\"max_le\":\"%.*s\"}]",
                2 * n, digits, 2 * n, digits);
        g.zones = text;
        make(&w, &g, 0);
        DRIVE_OK(utet_zones_open(&w.meta, &w.described, &w.zones));
        DRIVE_OK(utet_zone_next(&w.meta, &w.zones, &zone));
        assert_int_equal(zone.elem_size, n < 9 ? n : 0);
        assert_true(n != 8 || memcmp(zone.lowest, "\x01\x23\x45\x67\x89\xab\xcd\xef", 8) == 0);
        metaworld_end(&w);
    }
}

/* A document may be as long as everything before the JSON; its length counts against the payloads (§6.3). */
static void a_document_of_the_whole_file(void **state)
{
    static metaworld w;
    char footer[100];
    unsigned more;

    (void)state;
    for (more = 0; more < 2; more++) {
        metagen g = metagen_bare;

        metagen_build(&g);
        (void)snprintf(footer, sizeof footer, "{\"zone_maps_ref\":{\"offset\":0,\"len\":%u}}", (unsigned)g.json + more);
        metagen_free(&g);
        g = metagen_bare;
        g.footer = footer;
        make(&w, &g, 0);
        assert_int_equal(w.opened, more == 0 ? UTET_OK : UTET_E_METADATA);
        if (more == 0)
            assert_true(w.meta.payload_limit == 0 && w.meta.spills[UTET_SPILL_ZONES].length == w.g.json);
        metaworld_end(&w);
    }
}

/* Coordinates beyond the dataset's axes are 0, whatever they were before. */
static void coordinates_beyond_the_axes(void **state)
{
    static const uint8_t one[2] = {1, 0};
    static metaworld w;
    utet_value chunks;
    uint64_t coords[UTET_MAX_NDIM];
    unsigned i;

    (void)state;
    make(&w, &metagen_usual, 1);
    DRIVE_OK(utet_index_value(&w.meta, &w.described, one, &chunks));
    memset(coords, 0xFF, sizeof coords);
    DRIVE_OK(utet_index_chunk(&w.meta, &chunks, coords));
    for (i = 0; i < UTET_MAX_NDIM; i++)
        assert_true(coords[i] == 0);
    metaworld_end(&w);
}

/* The text to look for belongs to the caller, who may free it when the call has ended. */
static void a_text_is_not_kept(void **state)
{
    static metaworld w;
    metagen g = metagen_bare;
    utet_value list, key, item;
    guard text = guard_new(1, 1, GUARD_AFTER);
    uint64_t index = 99;

    (void)state;
    g.metadata = "{\"datasets\":{\"d\":{\"dim_names\":[\"a\",\"b\"]}}}";
    make(&w, &g, 0);
    list = w.described.dim_names;
    text.data[0] = 'b';
    DRIVE_OK(utet_list_find(&w.meta, &list, (const char *)text.data, 1, &index));
    assert_int_equal(index, 1);
    guard_free(&text);
    list = w.described.dim_names;
    DRIVE_OK(utet_value_next(&w.meta, &list, &key, &item));
    assert_int_equal(item.size, 1);
    metaworld_end(&w);
}

static void without_a_footer(void **state)
{
    static metaworld w;

    (void)state;
    metaworld_make(&w, &metagen_bare, SLICE_ALL, 0);
    tetgen_put(w.g.bytes + 12, 0, 4);
    metaworld_file(&w);
    DRIVE_OK(utet_meta_open(&w.meta, &w.r.file));
    DRIVE_OK(utet_meta_check_limits(&w.meta));
    DRIVE_OK(utet_meta_strict(&w.meta));
    assert_int_equal(w.meta.payload_limit, w.g.size);
    assert_int_equal(w.meta.history.kind, UTET_VALUE_NONE);
    metaworld_end(&w);
}

int main(void)
{
    static const struct CMUnitTest cases[] = {
        cmocka_unit_test(documents_as_the_reference),
        cmocka_unit_test(nesting),
        cmocka_unit_test(strict_mode),
        cmocka_unit_test(references_without_datasets),
        cmocka_unit_test(documents_of_another_version),
        cmocka_unit_test(bounds_that_are_no_bytes),
        cmocka_unit_test(a_text_is_not_kept),
        cmocka_unit_test(bounds_of_long_elements),
        cmocka_unit_test(a_document_of_the_whole_file),
        cmocka_unit_test(coordinates_beyond_the_axes),
        cmocka_unit_test(without_a_footer),
    };
    return SUITE("metadata", cases);
}
