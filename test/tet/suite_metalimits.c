/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Limits of the footer's documents, spilled documents, and files of more than 4 GiB. */
#include "metamade.h"

/* The limits of §7.4 apply in a spill at once, in the footer when it is read. */
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

/* Metadata in the footer that a spill replaces has no limits, as in the reference; the history has. */
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

/* A flipped bit of json_len costs at most the metadata: if payloads and footer contradict each other, the footer is
 * bad. The result of the whole-file check is the reference's, which refuses the file. */
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
            faultport_zone(&w.r.port, 1, data, sizeof data);
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

/* §7.4: 256 datasets, each with 64 attributes, 8 names of axes, 8 axes with labels, each with 64 labels; 4096
 * events. */
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

/* Metadata may be null in the footer; null in a spill is refused, as in the reference (§6.4). */
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

/* The end of the document that was read last is not the end of others: a spill within the history (nothing forbids it),
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
    list = w.meta.history; /* at once: calls that read a text continue to the end of the file */
    for (;; events++) {
        DRIVE(status, utet_value_next(&w.meta, &list, &key, &item));
        if (status != UTET_OK)
            break;
    }
    assert_int_equal(status, UTET_END);
    assert_int_equal(events, 3);
    metaworld_end(&w);
}

/* ---- files of more than 4 GiB: the beginning of a small one, a gap, its JSON and tail ---- */

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

int main(void)
{
    static const struct CMUnitTest cases[] = {
        cmocka_unit_test(history_around_a_spill),       cmocka_unit_test(limits),
        cmocka_unit_test(documents_of_4_GiB),           cmocka_unit_test(a_spill_is_an_object),
        cmocka_unit_test(limits_of_how_many),           cmocka_unit_test(limits_beside_a_spill),
        cmocka_unit_test(a_bit_of_the_footer_s_length),
    };
    return SUITE("metalimits", cases);
}
