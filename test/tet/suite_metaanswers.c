/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Results of utet_meta.h about labels, axes, attributes and texts, on footers that are written here. */
#include "metamade.h"

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
        do { /* the labels are written when the call is complete, and not before */
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
        do { /* the axis is written when the call is complete, and not before */
            status = utet_meta_axis(&w.meta, &w.described, cases[i / 2].token, strlen(cases[i / 2].token), &axis);
            suite_check(axis == (status == UTET_OK ? 0u : 99u), "%s: %s, axis %u", cases[i / 2].token,
                        rig_status(status), axis);
        } while (status == UTET_WOULD_BLOCK);
        suite_check(status == cases[i / 2].status, "%s: %s", cases[i / 2].token, rig_status(status));
        metaworld_end(&w);
    }
    { /* one name out of several, twice */
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

/* Texts and lists of the wrong type, and entries that were missing when the file was opened. */
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
    DRIVE(status, utet_event_next(&w.meta, &item, &event)); /* a map is not a history */
    assert_int_equal(status, UTET_E_METADATA);
    at = w.g.bytes + list.value;
    DRIVE_OK(utet_dataset_first(&w.r.file, &w.d)); /* the window forgets */
    memcpy(at, "1,\"b\",2", 7);                    /* three entries instead of two */
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

/* A text whose bytes change after one of its characters has been delivered in part: nothing is made up. */
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

/* The medium answers differently when a list is read again: no more entries are delivered than its size announced, so
 * that memory for `size` entries suffices, and no axis beyond the dataset's rank. */
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

/* The same, then a text or a list without an end: the file ends it, and nothing beyond is requested. */
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

/* The last of equal keys counts; null is the same as absent. */
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

/* An empty text may be requested without memory for it; it is found where there is one, and nowhere else. */
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

/* A chunk's coordinates in an index are integers. Anything else makes the index unusable, so that it is not taken for
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

/* Which attribute is the fill value: the order of the names decides, then the last attribute of the same name. */
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

/* Unknown members next to the known ones have no effect, at any position. */
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

int main(void)
{
    static const struct CMUnitTest cases[] = {
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
    };
    return SUITE("metaanswers", cases);
}
