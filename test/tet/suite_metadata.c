/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* What documents may look like and what the calls of include/utet_meta.h answer, on footers written here; every
 * question at once and with "not yet" before each byte. (The reference's files: suite_footer; damage and faults:
 * suite_meta.) */
#include "metaworld.h"
#include "tetgen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LONG METAGEN_LONG

static void make(metaworld *w, const metagen *g, int slow)
{
    metaworld_make(w, g, slow ? 1 : SLICE_ALL, slow ? 1 : 0);
    metaworld_open(w);
}

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

/* Levels that nobody asks for: 256 in all; where they have to be sound, 127. */
static void nesting(void **state)
{
    static const struct {
        const char *before, *after;
        unsigned most; /* of our levels, others being around them */
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

/* The limits of §7.4 hold in a spill at once, in the footer when asked for. */
static void limits(void **state)
{
    static const struct {
        const char *text;
        int good;
    } metadata[] = {
        {"{\"datasets\":{\"d\":{\"dim_names\":[\"1\",\"2\",\"3\",\"4\",\"5\",\"6\",\"7\",\"8\"]}}}", 1},
        {"{\"datasets\":{\"d\":{\"dim_names\":[\"1\",\"2\",\"3\",\"4\",\"5\",\"6\",\"7\",\"8\",\"9\"]}}}", 0},
        {"{\"datasets\":{\"d\":{\"attrs\":{\"a\":\"\"}}}}", 0},
        {"{\"datasets\":{\"d\":{\"attrs\":{\"\":\"a\"}}}}", 0},
        {"{\"file\":{\"tool\":\"\"}}", 0},
        {"{\"file\":{\"tool\":null,\"\":\"\"}}", 1},
    };
    static metaworld w;
    size_t i;

    (void)state;
    for (i = 0; i < sizeof metadata / sizeof metadata[0]; i++) {
        metagen g = metagen_bare;
        utet_status status, expected = metadata[i].good ? UTET_OK : UTET_E_METADATA;

        g.metadata = metadata[i].text;
        make(&w, &g, 1);
        assert_int_equal(w.opened, UTET_OK);
        DRIVE(status, utet_meta_check_limits(&w.meta));
        suite_check(status == expected, "%s: %s", g.metadata, rig_status(status));
        metaworld_end(&w);
        g.metadata = "{\"datasets\":{\"d\":{\"attrs\":{\"not\":\"this\"}}}}";
        g.spill = metadata[i].text;
        make(&w, &g, 1);
        suite_check(w.opened == expected, "spilled %s: %s", g.spill, rig_status(w.opened));
        suite_check(w.opened != UTET_OK || w.described.attrs.size == 0, "metadata in the footer count beside a spill");
        metaworld_end(&w);
    }
}

/* Metadata in the footer that those of a spill replace are held to no limits, as by the reference; the history is. */
static void limits_beside_a_spill(void **state)
{
    static metaworld w;
    static char history[46000] = "[";
    metagen g = metagen_bare;
    utet_status status;
    unsigned many, i;

    (void)state;
    g.metadata = "{\"datasets\":{\"d\":{\"attrs\":{\"a\":\"\"}}}}";
    g.spill = "{\"datasets\":{\"d\":{\"attrs\":{\"a\":\"b\"}}}}";
    g.history = history;
    for (many = 0; many < 2; many++) {
        for (i = 0; i < (many ? 4097u : 1u); i++)
            strcpy(history + 1 + 11 * i, i + 1 < (many ? 4097u : 1u) ? "[\"\",\"\",\"\"]," : "[\"\",\"\",\"\"]]");
        make(&w, &g, 0);
        assert_int_equal(w.opened, UTET_OK);
        DRIVE(status, utet_meta_check_limits(&w.meta));
        assert_int_equal(status, many ? UTET_E_METADATA : UTET_OK);
        metaworld_end(&w);
    }
}

/* A flipped bit of json_len costs the metadata at most: where payloads and footer contradict each other it is the
 * footer that is bad. The verdict on the whole file is the reference's, which refuses it. */
static void a_bit_of_the_footer_s_length(void **state)
{
    static metaworld w;
    static const uint64_t chunk_bytes = 4;
    unsigned bit, rows, hidden = 0;

    (void)state;
    for (bit = 0; bit < 64; bit++) {
        utet_chunk chunk;
        utet_stream stream;
        utet_status status;
        uint8_t data[4];
        size_t got;

        metaworld_make(&w, &metagen_usual, SLICE_ALL, 0);
        w.g.bytes[w.g.size - 16 + bit / 8] ^= (uint8_t)(1u << bit % 8);
        metaworld_file(&w);
        DRIVE(status, utet_row_first(&w.r.file, &chunk));
        for (rows = 0; status == UTET_OK; rows++) {
            hidden += chunk.payload_offset + chunk_bytes > w.r.file.footer_offset;
            DRIVE_OK(utet_stream_open(&stream, &w.r.file, &chunk));
            DRIVE_OK(utet_stream_read(&stream, data, sizeof data, &got));
            DRIVE(status, utet_row_next(&w.r.file, &chunk));
        }
        suite_check(rows == 2 && status == UTET_END, "bit %u: %u rows, %s", bit, rows, rig_status(status));
        DRIVE(status, utet_meta_open(&w.meta, &w.r.file));
        DRIVE(status, utet_meta_strict(&w.meta));
        suite_check(UTET_IS_ERROR(status), "bit %u: good", bit);
        metaworld_end(&w);
    }
    assert_true(hidden > 0);
}

/* §7.4: 256 datasets, of each 64 attributes, 8 names of axes, 8 axes with labels, 64 labels of each; 4096 events. */
static void limits_of_how_many(void **state)
{
    static const struct {
        const char *before, *entry, *after;
        unsigned most, metadata;
    } lists[] = {
        {"{\"datasets\":{", "\"d%u\":{}", "}}", 256, 1},
        {"{\"datasets\":{\"d\":{\"attrs\":{", "\"a%u\":\"b\"", "}}}}", 64, 1},
        {"{\"datasets\":{\"d\":{\"dim_names\":[", "\"n%u\"", "]}}}", 8, 1},
        {"{\"datasets\":{\"d\":{\"coords\":{", "\"c%u\":{\"labels\":[]}", "}}}}", 8, 1},
        {"{\"datasets\":{\"d\":{\"coords\":{\"c\":{\"labels\":[", "\"l%u\"", "]}}}}}", 64, 1},
        {"{\"history\":[", "[\"%u\",\"b\",\"c\"]", "]}", 4096, 0},
    };
    static char text[100000];
    static metaworld w;
    size_t i;

    (void)state;
    for (i = 0; i < 2 * sizeof lists / sizeof lists[0]; i++) {
        unsigned most = lists[i / 2].most + (unsigned)(i % 2), k;
        metagen g = metagen_bare;
        char *at = text + sprintf(text, "%s", lists[i / 2].before);
        utet_status status;

        for (k = 0; k < most; k++) {
            *at = ',';
            at += k != 0;
            at += sprintf(at, lists[i / 2].entry, k);
        }
        strcpy(at, lists[i / 2].after);
        *(lists[i / 2].metadata ? &g.metadata : &g.footer) = text;
        make(&w, &g, 0);
        assert_int_equal(w.opened, UTET_OK);
        DRIVE(status, utet_meta_check_limits(&w.meta));
        suite_check(status == (i % 2 == 0 ? UTET_OK : UTET_E_METADATA), "%u in %s: %s", most, lists[i / 2].before,
                    rig_status(status));
        metaworld_end(&w);
    }
}

/* Metadata may be null in the footer; a spill that says so is refused, as the reference does (§6.4). */
static void a_spill_is_an_object(void **state)
{
    static const struct {
        const char *text;
        utet_status opened;
    } spills[] = {
        {"{}", UTET_OK},        {" {} ", UTET_OK},     {"null", UTET_E_METADATA}, {" null ", UTET_E_METADATA},
        {"1", UTET_E_METADATA}, {"", UTET_E_METADATA}, {"{}{}", UTET_E_METADATA},
    };
    static metaworld w;
    size_t i;

    (void)state;
    for (i = 0; i < sizeof spills / sizeof spills[0]; i++) {
        metagen g = metagen_bare;

        g.spill = spills[i].text;
        make(&w, &g, 1);
        suite_check(w.opened == spills[i].opened, "spilled \"%s\": %s", g.spill, rig_status(w.opened));
        metaworld_end(&w);
    }
}

/* A file without datasets has no payloads: the reference does not hold the lengths of its references against anything
 * (../shared/field/tet/cmp-3105713), but reads metadata from where they say. */
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

/* Strict mode: both payloads, of 4 bytes each, end at the limit or one byte beyond; a row that is wrong by itself. */
static void strict_mode(void **state)
{
    enum { ROWS = 32, ROW = 104, OFFSET = 72, STORED = 88, CODEC = 96 }; /* §4 */
    static const struct {
        unsigned spill, row, field, value; /* length of a spill; a field of a row set to this, 0 = as it is */
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
        DRIVE_OK(utet_dataset_first(&w.r.file, &w.d)); /* the window is elsewhere */
        DRIVE(status, utet_meta_strict(&w.meta));
        suite_check(status == cases[i / 2].status, "case %zu: %s", i / 2, rig_status(status));
        place = rows + ROWS + ROW * cases[i / 2].bad_row + cases[i / 2].bad_field;
        suite_check(status == UTET_OK || w.r.file.error_offset == place, "case %zu: offset %llu", i / 2,
                    (unsigned long long)w.r.file.error_offset);
        metaworld_end(&w);
    }
}

/* Zone maps and indexes of a version to come are refused when asked for (§8). */
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

/* Bounds that are no bytes in hexadecimal digits are no bounds. */
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

/* An element has at most 8 bytes: bounds as long as that, and one byte longer. */
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

/* A document may be as long as all that lies before the JSON; its length counts against the payloads (§6.3). */
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

/* Where the document ended that was read last is no end of others: a spill inside the history (nothing forbids it),
 * then the history. */
static void history_around_a_spill(void **state)
{
    static const char json[] =
        "{\"history\":[[\"a\",\"b\",\"c\"],{\"op\":\"\",\"source\":\"\",\"at\":\"\",\"params\":{}},"
        "[\"d\",\"e\",\"f\"]],\"metadata_ref\":{\"offset\":%u,\"len\":2}}";
    static metaworld w;
    metagen g = metagen_bare;
    char footer[sizeof json + 20];
    utet_value list, key, item;
    utet_status status;
    unsigned events = 0;

    (void)state;
    metagen_build(&g);
    (void)snprintf(footer, sizeof footer, json, (unsigned)(g.json + (size_t)(strstr(json, "{}") - json)));
    metagen_free(&g);
    g = metagen_bare;
    g.footer = footer;
    metaworld_make(&w, &g, SLICE_ALL, 0);
    metaworld_file(&w);
    DRIVE_OK(utet_meta_open(&w.meta, &w.r.file));
    list = w.meta.history; /* at once: calls that read a text go to the end of the file */
    for (;; events++) {
        DRIVE(status, utet_value_next(&w.meta, &list, &key, &item));
        if (status != UTET_OK)
            break;
    }
    assert_int_equal(status, UTET_END);
    assert_int_equal(events, 3);
    metaworld_end(&w);
}

/* Coordinates beyond the dataset's axes are 0, whatever was there. */
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

/* The text that is looked for belongs to the caller, who may take it away when the call has ended. */
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

/* ---- files of more than 4 GiB: the front of a small one, nothing, its JSON and tail ---- */

#define HOLE (UINT64_C(1) << 32)

static void fetch(void *medium, uint64_t offset, uint8_t *to, size_t length)
{
    const metaworld *w = medium;
    size_t i;

    for (i = 0; i < length; i++, offset++)
        to[i] = offset < w->g.json ? w->g.bytes[offset] : offset < w->g.json + HOLE ? 0 : w->g.bytes[offset - HOLE];
}

static utet_status open_huge(metaworld *w, const char *footer, uint64_t more_json)
{
    utet_status status;

    memset(w, 0, sizeof *w);
    w->g = metagen_bare;
    w->g.footer = footer;
    metagen_build(&w->g);
    tetgen_put(w->g.bytes + w->g.size - 16, strlen(footer) + more_json, 8);
    rig_make(&w->r, NULL, w->g.size + HOLE, -1);
    w->r.port.fetch = fetch;
    w->r.port.medium = w;
    assert_int_equal(rig_open(&w->r, UTET_WINDOW_LEAST(1), (size_t)-1), UTET_OK);
    DRIVE(status, utet_meta_open(&w->meta, &w->r.file));
    return status;
}

static void documents_of_4_GiB(void **state)
{
    static metaworld w;

    (void)state;
    assert_int_equal(open_huge(&w, "{\"zone_maps_ref\":{\"offset\":64,\"len\":4294967295}}", 0), UTET_OK);
    assert_true(w.meta.spills[UTET_SPILL_ZONES].length == UINT32_MAX);
    metaworld_end(&w);
    assert_int_equal(open_huge(&w, "{\"zone_maps_ref\":{\"offset\":64,\"len\":4294967296}}", 0), UTET_OK);
    assert_true(w.meta.spills[UTET_SPILL_ZONES].length == 0 && w.meta.payload_limit == w.g.json);
    metaworld_end(&w);
    assert_int_equal(open_huge(&w, "{\"metadata_ref\":{\"offset\":64,\"len\":4294967296}}", 0), UTET_E_METADATA);
    metaworld_end(&w);
    assert_int_equal(open_huge(&w, "{}", HOLE), UTET_E_METADATA);
    metaworld_end(&w);
}

/* ---- answers ---- */

static const char axes[] = "{\"datasets\":{\"d\":{\"dim_names\":[\"" LONG "\"],\"coords\":{\"" LONG
                           "\":{\"more\":{},\"labels\":[\"" LONG "\",\"" LONG "?\",\"" LONG "!\",\"\\u20ac\"]}}}}}";
static const char by_number[] =
    "{\"datasets\":{\"d\":{\"coords\":{\"y\":{\"labels\":[\"1\",\"2\",\"3\",\"4\"]},\"0\":{\"labels\":[\"b\"]}}}}}";
static const char alone[] =
    "{\"datasets\":{\"d\":{\"dim_names\":[\"x\"],\"coords\":{\"y\":{\"labels\":[\"1\"]},\"z\":{\"labels\":[\"b\",\"2\",\"3\",\"4\"]}}}}}";
static const char two_fit[] =
    "{\"datasets\":{\"d\":{\"dim_names\":[\"x\"],\"coords\":{\"y\":{\"labels\":[\"1\",\"2\",\"3\",\"4\"]},"
    "\"z\":{\"labels\":[\"1\",\"2\",\"3\",\"4\"]}}}}}";
static const char twice[] = "{\"datasets\":{\"d\":{\"dim_names\":[\"x\",\"x\"]}}}";

static void labels_by_the_rules(void **state)
{
    static const struct {
        const char *metadata;
        utet_status status;
        uint32_t size;
        const char *text; /* one of them */
        uint64_t index;
    } cases[] = {{axes, UTET_OK, 4, LONG "!", 2},
                 {by_number, UTET_OK, 1, "b", 0},
                 {alone, UTET_OK, 4, "b", 0},
                 {two_fit, UTET_E_NOT_FOUND, 0, "", 0},
                 {twice, UTET_E_NOT_FOUND, 0, "", 0}};
    static metaworld w;
    size_t i;

    (void)state;
    for (i = 0; i < 2 * sizeof cases / sizeof cases[0]; i++) {
        metagen g = metagen_bare;
        utet_value labels, item, untouched;
        utet_status status;
        uint64_t index = 99;

        g.metadata = cases[i / 2].metadata;
        make(&w, &g, (int)(i % 2));
        memset(&untouched, 0xA5, sizeof untouched);
        memcpy(&labels, &untouched, sizeof labels);
        do { /* the labels are written when the call is through, and only then */
            status = utet_meta_labels(&w.meta, &w.described, 0, &labels);
            suite_check(status == UTET_OK || memcmp(&labels, &untouched, sizeof labels) == 0, "%s: %s writes labels",
                        g.metadata, rig_status(status));
        } while (status == UTET_WOULD_BLOCK);
        suite_check(status == cases[i / 2].status, "%s: %s %s", g.metadata, rig_status(status), w.r.port.violation);
        if (status == UTET_OK) {
            assert_int_equal(labels.size, cases[i / 2].size);
            DRIVE_OK(utet_list_find(&w.meta, &labels, cases[i / 2].text, strlen(cases[i / 2].text), &index));
            assert_int_equal(index, cases[i / 2].index);
            DRIVE_OK(utet_list_nth(&w.meta, &labels, index, &item));
            assert_int_equal(item.size, strlen(cases[i / 2].text));
            DRIVE(status, utet_list_find(&w.meta, &labels, LONG, (size_t)-1, &index));
            assert_int_equal(status, UTET_E_NOT_FOUND);
        }
        metaworld_end(&w);
    }
}

static void axes_by_the_rules(void **state)
{
    static const struct {
        const char *metadata, *token;
        utet_status status;
    } cases[] = {{axes, LONG, UTET_OK},
                 {axes, "00", UTET_OK},
                 {axes, "99", UTET_E_RANGE},
                 {axes, "", UTET_E_NOT_FOUND},
                 {axes, "0a", UTET_E_NOT_FOUND},
                 {twice, "x", UTET_E_NOT_FOUND},
                 {by_number, "y", UTET_E_NOT_FOUND}};
    static metaworld w;
    size_t i;

    (void)state;
    for (i = 0; i < 2 * sizeof cases / sizeof cases[0]; i++) {
        metagen g = metagen_bare;
        utet_status status;
        unsigned axis = 99;

        g.metadata = cases[i / 2].metadata;
        make(&w, &g, (int)(i % 2));
        do { /* the axis is written when the call is through, and only then */
            status = utet_meta_axis(&w.meta, &w.described, cases[i / 2].token, strlen(cases[i / 2].token), &axis);
            suite_check(axis == (status == UTET_OK ? 0u : 99u), "%s: %s, axis %u", cases[i / 2].token,
                        rig_status(status), axis);
        } while (status == UTET_WOULD_BLOCK);
        suite_check(status == cases[i / 2].status, "%s: %s", cases[i / 2].token, rig_status(status));
        metaworld_end(&w);
    }
    { /* one name of several, twice */
        metagen g = metagen_bare;
        utet_dataset two;
        utet_status status;
        unsigned axis = 99;

        g.metadata = twice;
        make(&w, &g, 1);
        two = w.d;
        two.ndim = 2;
        w.described.dataset = &two;
        DRIVE_OK(utet_dataset_first(&w.r.file, &w.d)); /* the window forgets */
        DRIVE(status, utet_meta_axis(&w.meta, &w.described, "x", 1, &axis));
        assert_int_equal(status, UTET_E_NOT_FOUND);
        assert_int_equal(axis, 99);
        metaworld_end(&w);
    }
}

/* Texts and lists that are neither, entries that were not there when the file was opened. */
static void odd_values(void **state)
{
    static metaworld w;
    metagen g = metagen_bare;
    utet_value list, key, item;
    utet_status status;
    uint8_t *at;
    char text[4];
    utet_event event;
    size_t got = 9;

    (void)state;
    g.metadata = "{\"datasets\":{\"d\":{\"dim_names\":[\"a\",\"b\"]}}}";
    make(&w, &g, 0);
    list = w.described.dim_names;
    DRIVE(status, utet_text_read(&w.meta, &list, text, sizeof text, &got));
    assert_true(status == UTET_END && got == 0);
    DRIVE(status, utet_list_nth(&w.meta, &list, 2, &item));
    assert_int_equal(status, UTET_E_RANGE);
    item.kind = UTET_VALUE_NUMBER;
    DRIVE(status, utet_value_next(&w.meta, &item, &key, &item));
    assert_int_equal(status, UTET_END);
    item = w.meta.datasets;
    DRIVE(status, utet_event_next(&w.meta, &item, &event)); /* no history is a map */
    assert_int_equal(status, UTET_E_METADATA);
    at = w.g.bytes + list.value;
    DRIVE_OK(utet_dataset_first(&w.r.file, &w.d)); /* the window forgets */
    memcpy(at, "1,\"b\",2", 7);                    /* three entries where there were two */
    for (got = 0; got < 2; got++)
        DRIVE_OK(utet_value_next(&w.meta, &list, &key, &item));
    assert_true(list.size == 0 && item.kind == UTET_VALUE_TEXT);
    DRIVE(status, utet_value_next(&w.meta, &list, &key, &item));
    assert_int_equal(status, UTET_END);
    memcpy(at, "      ]", 7);
    DRIVE_OK(utet_dataset_first(&w.r.file, &w.d));
    DRIVE(status, utet_list_nth(&w.meta, &w.described.dim_names, 1, &item));
    assert_int_equal(status, UTET_E_RANGE);
    metaworld_end(&w);
}

/* A text whose bytes change while one of its characters has been delivered in part: nothing is made up. */
static void a_character_that_shrinks(void **state)
{
    static metaworld w;
    metagen g = metagen_bare;
    utet_value text;
    utet_status status;
    char piece[4];
    size_t got, cut;

    (void)state;
    g.metadata = "{\"file\":{\"tool\":\"\\ud83d\\ude00bcdefghijklm\"}}";
    for (cut = 1; cut < 4; cut++) {
        make(&w, &g, 0);
        DRIVE_OK(utet_map_find(&w.meta, &w.meta.file_info, "tool", 4, &text));
        DRIVE_OK(utet_text_read(&w.meta, &text, piece, cut, &got));
        assert_true(got == cut && memcmp(piece, "\xf0\x9f\x98", cut) == 0);
        memset(w.g.bytes + text.value, 'a', 12);
        DRIVE_OK(utet_dataset_first(&w.r.file, &w.d)); /* the window forgets */
        DRIVE(status, utet_text_read(&w.meta, &text, piece, sizeof piece, &got));
        assert_int_equal(status, UTET_E_METADATA);
        metaworld_end(&w);
    }
}

/* The medium answers otherwise when a list is read again: no more entries are delivered than its size announced, so
 * that memory for `size` of them suffices, and no axis beyond the dataset's rank. */
static void lists_that_grow(void **state)
{
    static metaworld w;
    metagen g = metagen_bare;
    int slow;

    (void)state;
    g.metadata = "{\"file\":{\"a\":\"b         \"},\"datasets\":{\"d\":{\"dim_names\":[\"xxxxxxxx\"]}}}";
    for (slow = 0; slow < 2; slow++) {
        utet_value list, key, item;
        utet_status status;
        unsigned axis = 99, entries;

        make(&w, &g, slow);
        memcpy(strstr((char *)w.g.bytes + w.g.json, "[\"xxxxxxxx\"]"), "[\"x\",\"\",\"b\"]", 12);
        memcpy(strstr((char *)w.g.bytes + w.g.json, "{\"a\":\"b   "), "{\"a\":\"\",\"b\":1}", 14);
        DRIVE_OK(utet_dataset_first(&w.r.file, &w.d)); /* the window forgets */
        DRIVE(status, utet_meta_axis(&w.meta, &w.described, "b", 1, &axis));
        suite_check(status == UTET_E_NOT_FOUND && axis == 99, "axis %u: %s", axis, rig_status(status));
        for (axis = 0; axis < 2; axis++) {
            list = axis == 0 ? w.described.dim_names : w.meta.file_info;
            for (entries = 0;; entries++) {
                DRIVE(status, utet_value_next(&w.meta, &list, &key, &item));
                if (status != UTET_OK)
                    break;
            }
            suite_check(status == UTET_END && entries == 1, "%u of one entry: %s", entries, rig_status(status));
        }
        DRIVE(status, utet_map_find(&w.meta, &w.meta.file_info, "b", 1, &item));
        assert_int_equal(status, UTET_E_NOT_FOUND);
        metaworld_end(&w);
    }
}

/* The same, and then a text or a list that nothing ends: the file ends it, and nothing is asked for beyond. */
static void what_nothing_ends(void **state)
{
    static metaworld w;
    metagen g = metagen_bare;
    static char text[4000];
    utet_value tool, list, key, item;
    utet_status status;
    size_t got;
    int slow;

    (void)state;
    g.metadata =
        "{\"file\":{\"tool\":\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\"}}";
    for (slow = 0; slow < 2; slow++) {
        size_t i;

        make(&w, &g, slow);
        DRIVE_OK(utet_map_find(&w.meta, &w.meta.file_info, "tool", 4, &tool));
        list = w.meta.file_info;
        for (i = (size_t)tool.value; i + 1 < w.g.size; i += 2)
            memcpy(w.g.bytes + i, "\\n", 2);
        DRIVE_OK(utet_dataset_first(&w.r.file, &w.d)); /* the window forgets */
        DRIVE(status, utet_text_read(&w.meta, &tool, text, sizeof text, &got));
        suite_check(status == UTET_E_SHORT && w.r.file.error_offset >= w.g.size - 1, "a text: %s", rig_status(status));
        memset(w.g.bytes + list.value, ' ', w.g.size - (size_t)list.value);
        DRIVE_OK(utet_dataset_first(&w.r.file, &w.d));
        DRIVE(status, utet_value_next(&w.meta, &list, &key, &item));
        suite_check(status == UTET_E_SHORT && w.r.file.error_offset == w.g.size, "a map: %s", rig_status(status));
        metaworld_end(&w); /* counts requests that a port must not see */
    }
}

/* The last of equal keys counts; null is as good as not there. */
static void values_of_keys(void **state)
{
    static metaworld w;
    metagen g = metagen_bare;
    utet_value item;
    utet_status status;
    int slow;

    (void)state;
    g.metadata = "{\"file\":{\"a\":\"x\",\"b\":null,\"a\":null,\"b\":[7]}}";
    for (slow = 0; slow < 2; slow++) {
        make(&w, &g, slow);
        DRIVE(status, utet_map_find(&w.meta, &w.meta.file_info, "a", 1, &item));
        assert_int_equal(status, UTET_E_NOT_FOUND);
        DRIVE_OK(utet_map_find(&w.meta, &w.meta.file_info, "b", 1, &item));
        assert_true(item.kind == UTET_VALUE_LIST && item.size == 1);
        DRIVE(status, utet_map_find(&w.meta, &w.meta.file_info, "c", 1, &item));
        assert_int_equal(status, UTET_E_NOT_FOUND);
        metaworld_end(&w);
    }
}

#define POSTINGS(of) "[{\"kind\":\"coord_label_postings\",\"dataset_id\":0,\"axis\":0,\"postings\":[" of "]}]"

/* An empty text may be asked for without a place in memory; it is found where one stands, and nowhere else. */
static void empty_texts(void **state)
{
    static metaworld w;
    utet_value item, chunks;
    utet_status status;
    uint64_t index;
    unsigned axis;
    int there;

    (void)state;
    for (there = 0; there < 2; there++) {
        metagen g = metagen_bare;

        g.metadata = there ? "{\"datasets\":{\"d\":{\"attrs\":{\"a\":\"b\",\"\":\"c\"},\"dim_names\":[\"\"]}}}"
                           : "{\"datasets\":{\"d\":{\"attrs\":{\"a\":\"b\"},\"dim_names\":[\"x\"]}}}";
        g.indexes = there ? POSTINGS("{\"label\":\"a\",\"chunks\":[]},{\"label\":\"\",\"chunks\":[[1]]}")
                          : POSTINGS("{\"label\":\"a\",\"chunks\":[[1]]}");
        make(&w, &g, 1);
        DRIVE(status, utet_map_find(&w.meta, &w.described.attrs, NULL, 0, &item));
        assert_true(there ? status == UTET_OK && item.size == 1 : status == UTET_E_NOT_FOUND);
        DRIVE(status, utet_list_find(&w.meta, &w.described.dim_names, NULL, 0, &index));
        assert_int_equal(status, there ? UTET_OK : UTET_E_NOT_FOUND);
        DRIVE(status, utet_meta_axis(&w.meta, &w.described, NULL, 0, &axis));
        assert_int_equal(status, there ? UTET_OK : UTET_E_NOT_FOUND);
        DRIVE_OK(utet_index_label(&w.meta, &w.described, 0, NULL, 0, &chunks));
        assert_int_equal(chunks.size, there);
        metaworld_end(&w);
    }
}

/* A chunk's place in an index is whole numbers. Anything else makes the index unusable, so that nobody takes it for
 * another chunk. */
static void chunks_of_an_index_are_numbers(void **state)
{
    static const char *const indexes[] = {
        POSTINGS("{\"label\":\"a\",\"chunks\":[[1],[\"0\"]]}"), POSTINGS("{\"label\":\"a\",\"chunks\":[[1],[null]]}"),
        POSTINGS("{\"label\":\"a\",\"chunks\":[[1],[-1]]}"),    POSTINGS("{\"label\":\"a\",\"chunks\":[[1],[0.5]]}"),
        POSTINGS("{\"label\":\"a\",\"chunks\":[[1],[[0]]]}"),   POSTINGS("{\"label\":\"a\",\"chunks\":[[1],0]}")};
    static metaworld w;
    uint64_t coords[UTET_MAX_NDIM];
    utet_value chunks;
    utet_status status;
    size_t i;

    (void)state;
    for (i = 0; i < sizeof indexes / sizeof indexes[0]; i++) {
        metagen g = metagen_bare;

        g.metadata = "{\"datasets\":{\"d\":{}}}";
        g.indexes = indexes[i];
        make(&w, &g, 1);
        DRIVE_OK(utet_index_label(&w.meta, &w.described, 0, "a", 1, &chunks));
        DRIVE_OK(utet_index_chunk(&w.meta, &chunks, coords));
        assert_true(coords[0] == 1 && coords[1] == 0);
        DRIVE(status, utet_index_chunk(&w.meta, &chunks, coords));
        assert_int_equal(status, UTET_E_METADATA);
        metaworld_end(&w);
    }
}

/* Which attribute is the fill value: by the order of their names, and the last of those that are called the same. */
static void fill_by_the_rules(void **state)
{
    static const struct {
        const char *attrs, *fill;
    } cases[] = {
        {"", NULL},
        {"\"units\":\"K\",\"more\":\"7\"", NULL},
        {"\"fill_value\":\"1\"", "1"},
        {"\"fill_value\":\"1\",\"missing_value\":\"2\",\"a\":\"b\"", "2"},
        {"\"_FillValue\":\"3\",\"missing_value\":\"2\",\"fill_value\":\"1\"", "3"},
        {"\"_FillValue\":\"3\",\"fill_value\":\"1\",\"_FillValue\":\"4\"", "4"},
        {"\"missing_value\":\"\"", ""},
    };
    static metaworld w;
    size_t i;

    (void)state;
    for (i = 0; i < 2 * sizeof cases / sizeof cases[0]; i++) {
        const char *wanted = cases[i / 2].fill;
        metagen g = metagen_bare;
        char metadata[300], text[4];
        utet_status status;
        size_t got = 0;

        (void)snprintf(
            metadata, sizeof metadata,
            "{\"datasets\":{\"d\":{\"attrs\":{\"_FillValue\":\"9\"}},\"d\":{\"attrs\":{%s},\"coords\":{\"_FillValue\":"
            "{\"labels\":[\"8\"]}}},\"e\":{\"attrs\":{\"_FillValue\":\"7\"}}}}",
            cases[i / 2].attrs);
        g.metadata = metadata;
        make(&w, &g, (int)(i % 2));
        assert_int_equal(w.opened, UTET_OK);
        assert_int_equal(w.described.fill.kind, wanted != NULL ? UTET_VALUE_TEXT : UTET_VALUE_NONE);
        DRIVE(status, utet_text_read(&w.meta, &w.described.fill, text, sizeof text, &got));
        assert_int_equal(status, wanted != NULL && *wanted != '\0' ? UTET_OK : UTET_END);
        assert_true(wanted == NULL || (got == strlen(wanted) && memcmp(text, wanted, got) == 0));
        metaworld_end(&w);
    }
}

/* What nobody knows is nothing that somebody asks for: members beside the known ones, wherever they stand. */
static void members_that_nobody_knows(void **state)
{
    static const char *const datasets[] = {
        "{\"datasets\":{\"d\":{\"more\":\"9\"}}}",
        "{\"datasets\":{\"d\":{\"attrs\":{\"a\":\"b\"},\"dim_names\":null,\"more\":\"9\",\"most\":\"8\"}}}",
        "{\"datasets\":{\"d\":{\"attrs\":{\"fill_value\":\"7\"},\"more\":{\"a\":\"9\"}}}}",
    };
    static metaworld w;
    size_t i;

    (void)state;
    for (i = 0; i < 2 * sizeof datasets / sizeof datasets[0]; i++) {
        metagen g = metagen_bare;
        static const uint64_t coords[1] = {1};
        utet_zone zone;
        char text[4];
        size_t got;

        g.metadata = datasets[i / 2];
        g.zones =
            "[{\"dataset_id\":0,\"chunk_index\":[0],\"element_count\":2,\"null_count\":1,\"more\":1,\"most\":1},"
            "{\"more\":7,\"dataset_id\":0,\"chunk_index\":[1],\"element_count\":2,\"null_count\":0,\"most\":[1,2]}]";
        make(&w, &g, (int)(i % 2));
        suite_check(w.described.fill.kind == (i / 2 == 2 ? UTET_VALUE_TEXT : UTET_VALUE_NONE), "%s: fill of kind %u",
                    g.metadata, w.described.fill.kind);
        if (i / 2 == 2) {
            DRIVE_OK(utet_text_read(&w.meta, &w.described.fill, text, 1, &got));
            assert_true(text[0] == '7');
        }
        DRIVE_OK(utet_zones_open(&w.meta, &w.described, &w.zones));
        DRIVE_OK(utet_zone_find(&w.meta, &w.zones, coords, &zone));
        assert_true(zone.ndim == 1 && zone.null_count == 0);
        metaworld_end(&w);
    }
}

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

/* Whether what is null for the writer is null for the reader too (§8.3, case 2). */
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
        /* without digits: nan, inf, or a number for nobody */
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
        {"[0]", "2", "", 1, 0, 0, 1}, /* all null: nothing to be found */
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

/* Elements compare by value, floats by total order. */
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
        g.metadata = "{\"datasets\":{\"d\":{\"attrs\":{\"fill_value\":\"2\"}}}}"; /* two may be null where it stands */
        make(&w, &g, slow);
        DRIVE(status, utet_index_value(&w.meta, &w.described, two, &chunks));
        assert_int_equal(status, UTET_E_NOT_FOUND);
        metaworld_end(&w);
    }
}

/* A suspended call keeps no pointer to the element: each repetition has it at another place, and the last one is gone.
 * Each posting has a label that is as long as the element, too. */
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

/* NaN stands in no posting, and nothing is known of elements whose size is not known. */
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
        cmocka_unit_test(history_around_a_spill),
        cmocka_unit_test(limits),
        cmocka_unit_test(without_a_footer),
        cmocka_unit_test(documents_of_4_GiB),
        cmocka_unit_test(labels_by_the_rules),
        cmocka_unit_test(axes_by_the_rules),
        cmocka_unit_test(odd_values),
        cmocka_unit_test(values_of_keys),
        cmocka_unit_test(fill_by_the_rules),
        cmocka_unit_test(empty_texts),
        cmocka_unit_test(chunks_of_an_index_are_numbers),
        cmocka_unit_test(members_that_nobody_knows),
        cmocka_unit_test(a_character_that_shrinks),
        cmocka_unit_test(lists_that_grow),
        cmocka_unit_test(what_nothing_ends),
        cmocka_unit_test(fill_values),
        cmocka_unit_test(odd_zones),
        cmocka_unit_test(order_of_elements),
        cmocka_unit_test(zones_in_any_order),
        cmocka_unit_test(values_and_labels),
        cmocka_unit_test(elements_that_move),
        cmocka_unit_test(odd_indexes),
        cmocka_unit_test(values_that_are_not_asked_for),
        cmocka_unit_test(a_spill_is_an_object),
        cmocka_unit_test(limits_of_how_many),
        cmocka_unit_test(limits_beside_a_spill),
        cmocka_unit_test(a_bit_of_the_footer_s_length),
    };

    return SUITE("metadata", cases);
}
