/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Metadata of messages: documents, entries, preceders, and the order in which they are found. */
#include "messageworld.h"

static utet_message message;
static utet_metadata metadata;
static utet_item value;

static void each_document(void **state)
{
    size_t i;
    int slow;

    (void)state;
    for (i = 0; i < sizeof documents / sizeof documents[0]; i++)
        for (slow = 0; slow < 2; slow++) {
            const struct document *d = &documents[i];
            utet_status status;

            make_message(d->header, d->preceder);
            open_made(slow);
            DRIVE_OK(utet_message_first(&r.file, &message));
            DRIVE(status, utet_metadata_open(&metadata, &r.file, &message, NULL, 0));
            suite_check(status == d->status, "%s: %s", d->header, rig_status(status));
            if (status == UTET_OK) {
                DRIVE(status, utet_metadata_find_dotted(&metadata, d->path, strlen(d->path), &value));
                suite_check(d->found < 0 ? status == UTET_E_NOT_FOUND
                                         : status == UTET_OK && value.number == (uint64_t)d->found,
                            "%s: %s: %s", d->header, d->path, rig_status(status));
            }
            rig_end(&r, d->header);
        }
}

/* Maps one at a time; paths of segments. */
static void keys_of_maps(void **state)
{
    static const utet_segment path[] = {{"a.b", 3}, {"", 0}};
    static const char longest[] = "a key of forty bytes, longer than a head";
    utet_item entry, over;
    utet_status status;
    int slow;

    (void)state;
    for (slow = 0; slow < 2; slow++) {
        make_message(
            "{\"base\":[{\"a.b\":{\"\":8},\"a key of forty bytes, longer than a head\":6}],\"_extra_\":{\"x\":1}}",
            "{\"base\":[{\"p\":2}]}");
        open_made(slow);
        DRIVE_OK(utet_message_first(&r.file, &message));
        DRIVE_OK(utet_metadata_open(&metadata, &r.file, &message, NULL, 0));
        DRIVE_OK(utet_metadata_find(&metadata, path, 2, &value));
        assert_int_equal(value.number, 8);
        assert_int_equal(utet_metadata_find(&metadata, path, 0, &value), UTET_E_ARGUMENT);
        DRIVE(status, utet_metadata_find_dotted(&metadata, "", 0, &value));
        assert_int_equal(status, UTET_E_NOT_FOUND);
        DRIVE_OK(utet_metadata_entry(&metadata, 0, &entry, &over));
        DRIVE_OK(utet_metadata_in(&metadata, &over, "p", 1, &value));
        assert_int_equal(value.number, 2);
        DRIVE_OK(utet_metadata_in(&metadata, &entry, longest, strlen(longest), &value));
        assert_int_equal(value.number, 6);
        DRIVE(status, utet_metadata_in(&metadata, &entry, "p", 1, &value));
        assert_int_equal(status, UTET_E_NOT_FOUND);
        DRIVE(status, utet_metadata_in(&metadata, &value, "p", 1, &value));
        assert_int_equal(status, UTET_E_NOT_FOUND); /* a number has no keys */
        DRIVE(status, utet_metadata_entry(&metadata, 1, &entry, &over));
        assert_int_equal(status, UTET_E_RANGE);
        rig_end(&r, "keys");
    }
}

/* If the path ends within one tensor's preceder, the next tensor's preceder hides its entry nevertheless. */
static void preceders_of_two_tensors(void **state)
{
    static const struct {
        const char *path;
        int64_t found;
    } paths[] = {{"m.s", -1}, {"m.p", 7}, {"m.p.s", -1}, {"n.s", 6}, {"k", 1}};
    char text[600];
    size_t i;
    int slow;

    (void)state;
    descriptor(text, "");
    made.size = 0;
    tgmgen_begin(&made);
    tgmgen_frame(&made, UTET_FRAME_HEADER_METADATA,
                 "{\"base\":[{\"k\":1},{\"m\":{\"s\":5},\"n\":{\"s\":6}}],\"_extra_\":{\"m\":43}}");
    tgmgen_frame(&made, UTET_FRAME_PRECEDER, "{\"base\":[{\"m\":{\"p\":7}}]}");
    tgmgen_tensor(&made, text, 4, 0);
    tgmgen_frame(&made, UTET_FRAME_PRECEDER, "{\"base\":[{\"m\":{\"p\":8}}]}");
    tgmgen_tensor(&made, text, 4, 0);
    tgmgen_end(&made);
    for (i = 0; i < sizeof paths / sizeof paths[0]; i++)
        for (slow = 0; slow < 2; slow++) {
            utet_status status;

            open_made(slow);
            DRIVE_OK(utet_message_first(&r.file, &message));
            DRIVE_OK(utet_metadata_open(&metadata, &r.file, &message, NULL, 0));
            DRIVE(status, utet_metadata_find_dotted(&metadata, paths[i].path, strlen(paths[i].path), &value));
            suite_check(paths[i].found < 0 ? status == UTET_E_NOT_FOUND
                                           : status == UTET_OK && value.number == (uint64_t)paths[i].found,
                        "%s: %s, %d", paths[i].path, rig_status(status), (int)value.number);
            rig_end(&r, paths[i].path);
        }
}

/* ---- cursors ---- */

/* Four tensors, three entries, preceders of the second and the fourth. */
static void make_four(void)
{
    static const char *const preceders[4] = {NULL, "{\"base\":[{\"k\":{\"p\":8},\"_reserved_\":{\"r\":9}}]}", NULL,
                                             "{\"base\":[{\"q\":4}]}"};
    char text[600];
    size_t i;

    descriptor(text, "");
    made.size = 0;
    tgmgen_begin(&made);
    tgmgen_frame(
        &made, UTET_FRAME_HEADER_METADATA,
        "{\"base\":[{\"k\":{\"s\":1}},{\"k\":{\"s\":2},\"m\":{\"s\":3},\"_reserved_\":{\"r\":5}},{\"k\":{\"s.t\":6}}],"
        "\"_extra_\":{\"x\":7}}");
    for (i = 0; i < 4; i++) {
        if (preceders[i] != NULL)
            tgmgen_frame(&made, UTET_FRAME_PRECEDER, preceders[i]);
        tgmgen_tensor(&made, text, 4, 0);
    }
    tgmgen_end(&made);
}

/* A number at a path in one entry, merged as src/tensogram/FORMAT.md §3.2 describes; 0: a map; -1: nothing. */
static void entry_has(const utet_entry *entry, const char *path, int64_t number)
{
    utet_status status;

    DRIVE(status, utet_entry_find_dotted(&metadata, entry, path, strlen(path), &value));
    suite_check(number < 0    ? status == UTET_E_NOT_FOUND
                : number == 0 ? status == UTET_OK && value.kind == UTET_CBOR_MAP
                              : status == UTET_OK && value.number == (uint64_t)number,
                "tensor %u: %s: %s, %d", (unsigned)entry->object, path, rig_status(status), (int)value.number);
}

/* All tensors' entries in one iteration, with other calls in between; what each of them has at a path. */
static void entries_in_one_walk(void **state)
{
    static const struct {
        uint32_t object;
        const char *path;
        int64_t number;
    } paths[] = {{0, "k.s", 1},    {0, "m.s", -1},         {0, "x", -1}, {0, "", -1},    {1, "k.p", 8},
                 {1, "k.s", -1},   {1, "m.s", 3},          {1, "m", 0},  {1, "m.t", -1}, {2, "k", 0},
                 {2, "k.s.t", -1}, {1, "_reserved_.r", 5}, {3, "q", 4},  {3, "q.s", -1}, {3, "k", -1},
                 {2, "q", -1},     {3, "_reserved_", -1}};
    static const utet_segment dotted_key[] = {{"k", 1}, {"s.t", 3}};
    utet_entry cursor, kept, last;
    utet_item item, over;
    utet_status status;
    size_t i;
    int slow;

    (void)state;
    make_four();
    for (slow = 0; slow < 2; slow++) {
        uint32_t number;

        open_made(slow);
        DRIVE_OK(utet_message_first(&r.file, &message));
        DRIVE_OK(utet_metadata_open(&metadata, &r.file, &message, NULL, 0));
        DRIVE_OK(utet_entry_first(&metadata, &cursor));
        kept = cursor;
        for (number = 0; number < 4; number++) {
            assert_int_equal(cursor.object, number);
            assert_int_equal(cursor.entry.kind, number < 3 ? UTET_CBOR_MAP : UTET_CBOR_NULL);
            assert_int_equal(cursor.preceder.kind, number % 2 == 1 ? UTET_CBOR_MAP : UTET_CBOR_NULL);
            for (i = 0; i < sizeof paths / sizeof paths[0]; i++)
                if (paths[i].object == number)
                    entry_has(&cursor, paths[i].path, paths[i].number);
            DRIVE_OK(utet_metadata_find_dotted(&metadata, "x", 1, &value));
            DRIVE_OK(utet_metadata_entry(&metadata, number, &item, &over));
            assert_true(item.place == cursor.entry.place || item.kind == UTET_CBOR_NULL);
            assert_true(over.place == cursor.preceder.place || over.kind == UTET_CBOR_NULL);
            if (number == 2) {
                DRIVE_OK(utet_entry_find(&metadata, &cursor, dotted_key, 2, &value));
                assert_int_equal(value.number, 6);
                assert_int_equal(utet_entry_find(&metadata, &cursor, dotted_key, 0, &value), UTET_E_ARGUMENT);
            }
            last = cursor;
            DRIVE(status, utet_entry_next(&metadata, &cursor));
            assert_int_equal(status, number < 3 ? UTET_OK : UTET_END);
        }
        /* The end leaves the cursor unchanged. Its objects have gaps, so members are compared. */
        assert_int_equal(cursor.object, last.object);
        assert_true(cursor.entry.place == last.entry.place && cursor.preceder.place == last.preceder.place);
        assert_true(cursor.entry.kind == last.entry.kind && cursor.preceder.kind == last.preceder.kind);
        DRIVE(status, utet_entry_next(&metadata, &cursor)); /* and it is still at the end */
        assert_int_equal(status, UTET_END);
        DRIVE_OK(utet_entry_next(&metadata, &kept)); /* a copy continues from where it was made */
        assert_int_equal(kept.object, 1);
        rig_end(&r, "cursor");
    }
}

/* How many bytes the port delivers for an iteration over the entries of `tensors` tensors, with a preceder each or
 * without. */
static uint64_t walk_costs(unsigned tensors, int preceders)
{
    static char base[8192];
    char text[600];
    utet_entry cursor;
    utet_status status;
    uint64_t before;
    unsigned i;

    descriptor(text, "");
    strcpy(base, "{\"base\":[");
    for (i = 0; i < tensors; i++)
        strcat(base, i == 0 ? "{\"k\":1}" : ",{\"k\":1}");
    strcat(base, "]}");
    made.size = 0;
    tgmgen_begin(&made);
    tgmgen_frame(&made, UTET_FRAME_HEADER_METADATA, base);
    for (i = 0; i < tensors; i++) {
        if (preceders)
            tgmgen_frame(&made, UTET_FRAME_PRECEDER, "{\"base\":[{\"q\":4}]}");
        tgmgen_tensor(&made, text, 4, 0);
    }
    tgmgen_end(&made);
    open_made(0);
    DRIVE_OK(utet_message_first(&r.file, &message));
    DRIVE_OK(utet_metadata_open(&metadata, &r.file, &message, NULL, 0));
    before = r.port.bytes_read;
    DRIVE(status, utet_entry_first(&metadata, &cursor));
    while (status == UTET_OK) {
        entry_has(&cursor, "k", 1);
        DRIVE(status, utet_entry_next(&metadata, &cursor));
    }
    assert_int_equal(status, UTET_END);
    assert_int_equal(tensors != 0 ? cursor.object + 1 : 0, tensors);
    before = r.port.bytes_read - before;
    rig_end(&r, "walk");
    return before;
}

/* Twice the tensors cost twice the bytes. */
static void walks_are_linear(void **state)
{
    int preceders;

    (void)state;
    for (preceders = 0; preceders < 2; preceders++) {
        const uint64_t half = walk_costs(60, preceders);
        const uint64_t whole = walk_costs(120, preceders);

        assert_int_equal(walk_costs(0, preceders), 0);
        suite_check(whole <= half * 21 / 10, "%d: %lu bytes for 60 tensors, %lu for 120", preceders,
                    (unsigned long)half, (unsigned long)whole);
    }
}

/* A search that is repeated with another path or text is refused, and continues with the right one. */
static void other_paths_while_suspended(void **state)
{
    static const utet_segment path[] = {{"k", 1}, {"p", 1}};
    utet_entry cursor;

    (void)state;
    make_four();
    open_made(1);
    DRIVE_OK(utet_message_first(&r.file, &message));
    DRIVE_OK(utet_metadata_open(&metadata, &r.file, &message, NULL, 0));
    DRIVE_OK(utet_entry_first(&metadata, &cursor));
    DRIVE_OK(utet_entry_next(&metadata, &cursor));
    r.file.priv.held = 0;
    assert_int_equal(utet_entry_find(&metadata, &cursor, path, 2, &value), UTET_WOULD_BLOCK);
    assert_int_equal(utet_entry_find(&metadata, &cursor, path, 1, &value), UTET_E_STATE);
    assert_int_equal(utet_entry_find(&metadata, &cursor, path + 1, 2, &value), UTET_E_STATE);
    assert_int_equal(utet_entry_find_dotted(&metadata, &cursor, "k", 2, &value), UTET_E_STATE);
    DRIVE_OK(utet_entry_find(&metadata, &cursor, path, 2, &value));
    assert_int_equal(value.number, 8);
    r.file.priv.held = 0;
    assert_int_equal(utet_metadata_find(&metadata, path, 2, &value), UTET_WOULD_BLOCK);
    assert_int_equal(utet_metadata_find(&metadata, path, 1, &value), UTET_E_STATE);
    DRIVE_OK(utet_metadata_find(&metadata, path, 2, &value));
    assert_int_equal(value.number, 8);
    r.file.priv.held = 0;
    assert_int_equal(utet_metadata_in(&metadata, &cursor.preceder, path[0].text, 1, &value), UTET_WOULD_BLOCK);
    assert_int_equal(utet_metadata_in(&metadata, &cursor.preceder, path[0].text, 0, &value), UTET_E_STATE);
    assert_int_equal(utet_metadata_in(&metadata, &cursor.preceder, path[1].text, 1, &value), UTET_E_STATE);
    DRIVE_OK(utet_metadata_in(&metadata, &cursor.preceder, path[0].text, 1, &value));
    assert_int_equal(value.kind, UTET_CBOR_MAP);
    rig_end(&r, "other paths");
}

/* At most 256 keys next to _extra_. */
static void many_keys_beside_extra(void **state)
{
    static char text[8000];
    unsigned most, i;

    (void)state;
    for (most = 256; most <= 257; most++) {
        utet_status status;

        strcpy(text, "{");
        for (i = 0; i < most; i++)
            snprintf(text + strlen(text), 40, "\"k%u\":%u,", i, i);
        strcat(text, "\"_extra_\":{}}");
        make_message(text, NULL);
        open_made(0);
        DRIVE_OK(utet_message_first(&r.file, &message));
        DRIVE(status, utet_metadata_open(&metadata, &r.file, &message, NULL, 0));
        assert_int_equal(status, most == 256 ? UTET_OK : UTET_E_LIMIT);
        rig_end(&r, "many");
    }
}

int main(void)
{
    static const struct CMUnitTest cases[] = {
        cmocka_unit_test(each_document),
        cmocka_unit_test(keys_of_maps),
        cmocka_unit_test(preceders_of_two_tensors),
        cmocka_unit_test(entries_in_one_walk),
        cmocka_unit_test(walks_are_linear),
        cmocka_unit_test(other_paths_while_suspended),
        cmocka_unit_test(many_keys_beside_extra),
    };
    return SUITE("entries", cases);
}
