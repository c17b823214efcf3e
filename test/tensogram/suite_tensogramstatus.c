/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Which statuses the calls of utet_tensogram.h and utet_cbor.h return. One message is damaged at every byte in several
 * ways, before a call or between opening and the call; every read of every call fails once; and every call is made
 * while another one is suspended. Each call must return each status of its row at least once, and no other.
 */
#include "statuscalls.h"

#define MOST 12
static const struct call {
    const char *name;
    void (*before)(void);
    utet_status (*go)(void);
    utet_status must[MOST]; /* 0 ends them; UTET_OK and UTET_WOULD_BLOCK must also be seen */
} calls[] = {
    {"utet_message_first",
     nothing,
     first_message,
     {UTET_END, UTET_E_STATE, UTET_E_SHORT, UTET_E_VERSION, UTET_E_SUPERBLOCK, UTET_E_DIRECTORY, UTET_E_METADATA,
      UTET_E_PORT}},
    {"utet_message_next",
     before_message,
     next_message,
     {UTET_END, UTET_E_STATE, UTET_E_SHORT, UTET_E_VERSION, UTET_E_SUPERBLOCK, UTET_E_DIRECTORY, UTET_E_METADATA,
      UTET_E_PORT}},
    {"utet_message_at",
     nothing,
     message_at,
     {UTET_E_STATE, UTET_E_SHORT, UTET_E_MAGIC, UTET_E_VERSION, UTET_E_SUPERBLOCK, UTET_E_DIRECTORY, UTET_E_METADATA,
      UTET_E_PORT}},
    {"utet_message_forward",
     nothing,
     message_forward,
     {UTET_E_STATE, UTET_E_SHORT, UTET_E_MAGIC, UTET_E_VERSION, UTET_E_SUPERBLOCK, UTET_E_PORT}},
    {"utet_message_seek", nothing, message_seek, {UTET_END, UTET_E_STATE, UTET_E_SHORT, UTET_E_PORT}},
    {"utet_frame_first",
     at_message,
     first_frame,
     {UTET_E_STATE, UTET_E_SHORT, UTET_E_SUPERBLOCK, UTET_E_DIRECTORY, UTET_E_METADATA, UTET_E_PORT}},
    {"utet_frame_next",
     at_frame,
     next_frame,
     {UTET_E_STATE, UTET_E_SHORT, UTET_E_SUPERBLOCK, UTET_E_DIRECTORY, UTET_E_PORT}},
    {"utet_frame_next", at_end, next_frame, {UTET_END, UTET_E_STATE}},
    {"utet_frame_verify", at_frame, verify, {UTET_END, UTET_E_STATE, UTET_E_SHORT, UTET_E_PORT}},
    {"utet_object_open",
     at_tensor,
     open_object,
     {UTET_E_STATE, UTET_E_SPACE, UTET_E_SHORT, UTET_E_DTYPE, UTET_E_CODEC, UTET_E_DATASET, UTET_E_PAYLOAD,
      UTET_E_PORT}},
    {"utet_object_find",
     at_message,
     find_object,
     {UTET_E_STATE, UTET_E_SPACE, UTET_E_SHORT, UTET_E_DTYPE, UTET_E_CODEC, UTET_E_SUPERBLOCK, UTET_E_DIRECTORY,
      UTET_E_DATASET, UTET_E_METADATA, UTET_E_PAYLOAD, UTET_E_PORT}},
    {"utet_object_find",
     at_message,
     find_ninth,
     {UTET_E_NOT_FOUND, UTET_E_STATE, UTET_E_SHORT, UTET_E_SUPERBLOCK, UTET_E_DIRECTORY, UTET_E_METADATA, UTET_E_PORT}},
    {"utet_metadata_open",
     at_message,
     open_metadata,
     {UTET_E_STATE, UTET_E_SPACE, UTET_E_SHORT, UTET_E_SUPERBLOCK, UTET_E_DIRECTORY, UTET_E_METADATA, UTET_E_PORT}},
    {"utet_metadata_entry",
     at_metadata,
     entry,
     {UTET_E_STATE, UTET_E_SPACE, UTET_E_SHORT, UTET_E_SUPERBLOCK, UTET_E_DIRECTORY, UTET_E_METADATA, UTET_E_PORT}},
    {"utet_entry_first",
     at_metadata,
     first_entry,
     {UTET_E_STATE, UTET_E_SPACE, UTET_E_SHORT, UTET_E_SUPERBLOCK, UTET_E_DIRECTORY, UTET_E_METADATA, UTET_E_PORT}},
    {"utet_entry_next",
     at_first_entry,
     next_entry,
     {UTET_E_STATE, UTET_E_SPACE, UTET_E_SHORT, UTET_E_SUPERBLOCK, UTET_E_DIRECTORY, UTET_E_METADATA, UTET_E_PORT}},
    {"utet_entry_next", at_last_entry, next_entry, {UTET_END, UTET_E_STATE}},
    {"utet_entry_find",
     at_first_entry,
     find_in_entry,
     {UTET_E_STATE, UTET_E_NOT_FOUND, UTET_E_SPACE, UTET_E_SHORT, UTET_E_METADATA, UTET_E_PORT}},
    {"utet_entry_find_dotted",
     at_first_entry,
     find_in_entry_dotted,
     {UTET_E_STATE, UTET_E_NOT_FOUND, UTET_E_SPACE, UTET_E_SHORT, UTET_E_METADATA, UTET_E_PORT}},
    {"utet_entry_common",
     at_both_entries,
     common_keys,
     {UTET_E_STATE, UTET_E_SPACE, UTET_E_SHORT, UTET_E_METADATA, UTET_E_PORT}},
    {"utet_metadata_in",
     at_metadata,
     in_map,
     {UTET_E_STATE, UTET_E_NOT_FOUND, UTET_E_SPACE, UTET_E_SHORT, UTET_E_METADATA, UTET_E_PORT}},
    {"utet_metadata_find",
     at_metadata,
     find,
     {UTET_E_STATE, UTET_E_NOT_FOUND, UTET_E_SPACE, UTET_E_SHORT, UTET_E_SUPERBLOCK, UTET_E_DIRECTORY, UTET_E_METADATA,
      UTET_E_PORT}},
    {"utet_metadata_find_dotted",
     at_metadata,
     find_dotted,
     {UTET_E_STATE, UTET_E_NOT_FOUND, UTET_E_SPACE, UTET_E_SHORT, UTET_E_SUPERBLOCK, UTET_E_DIRECTORY, UTET_E_METADATA,
      UTET_E_PORT}},
    {"utet_metadata_check",
     at_metadata,
     check,
     {UTET_E_STATE, UTET_E_SPACE, UTET_E_SHORT, UTET_E_METADATA, UTET_E_PORT}},
    {"utet_metadata_compare",
     at_metadata,
     compare,
     {UTET_E_STATE, UTET_E_SPACE, UTET_E_SHORT, UTET_E_SUPERBLOCK, UTET_E_DIRECTORY, UTET_E_INDEX, UTET_E_CHECKSUM,
      UTET_E_PORT}},
    {"utet_cbor_next", at_reader, next_token, {UTET_E_STATE, UTET_E_SHORT, UTET_E_METADATA, UTET_E_PORT}},
    {"utet_cbor_text", at_token, token_text, {UTET_E_STATE, UTET_E_SHORT, UTET_E_PORT}},
    {"utet_item_next", at_list, next_item, {UTET_E_STATE, UTET_E_SPACE, UTET_E_SHORT, UTET_E_METADATA, UTET_E_PORT}},
    {"utet_item_text", at_text, item_text, {UTET_E_STATE, UTET_E_SHORT, UTET_E_PORT}},
};

/* ---- what is done to the messages ---- */

static statuses_seen seen; /* of the call */

/* The message as it is; without its length in the preamble; without frames; without both. */
enum { WHOLE, STREAMED, EMPTY, STREAMED_EMPTY, KINDS };

/* Opens an undamaged file, and does everything that `before` needs. */
static void begin(const struct call *c, unsigned kind)
{
    memcpy(medium, made.bytes, size);
    if (kind == EMPTY || kind == STREAMED_EMPTY) {
        memset(medium + 16, 0, 24);
        medium[23] = 48;
        medium[31] = 24;
        memcpy(medium + 40, made.bytes + size - 8, 8);
    }
    if (kind == STREAMED || kind == STREAMED_EMPTY)
        memset(medium + 16, 0, 8);
    r.port.fault = FAULT_NONE;
    r.port.blocks = 0;
    assert_int_equal(utet_init(&r.file, &r.port.io, r.work.data, UTET_WINDOW_LEAST(1), NULL), UTET_OK);
    assert_int_equal(utet_messages_open(&r.file, NULL), UTET_OK);
    c->before();
}

/* Returns whether `before` can be done with a message of this kind. */
static int applies(const struct call *c, unsigned kind)
{
    const int searches = c->before == nothing || c->before == before_message;

    return kind == WHOLE || kind == STREAMED || searches || (kind == EMPTY && c->before == at_message);
}

/* Makes the call, with an empty window, until it ends. */
static void go(const struct call *c)
{
    utet_status status;

    r.file.priv.held = 0;
    DRIVE(status, c->go());
    statuses_note(&seen, status);
}

enum { SET_ZERO, SET_ONES, FLIP_LOW, FLIP_NEXT, FLIP_HIGH, POSTAMBLE, NEST, DAMAGES };

static void damage(size_t at, unsigned kind)
{
    size_t i;

    switch (kind) {
    case SET_ZERO: medium[at] = 0; break;
    case SET_ONES: medium[at] = 0xff; break;
    case FLIP_LOW: medium[at] ^= 1; break;
    case FLIP_NEXT: medium[at] ^= 2; break;
    case FLIP_HIGH: medium[at] ^= 0x30; break;
    case POSTAMBLE:
        if (at + 24 <= size)
            memcpy(medium + at, made.bytes + size - 24, 24);
        break;
    default: /* lists in lists */
        for (i = at; i < size && i < at + 40; i++)
            medium[i] = 0x81;
    }
}

/* Every byte is damaged in every way. */
static void damaged(const struct call *c)
{
    unsigned kind, how;
    size_t at;

    for (kind = 0; kind < KINDS; kind++) {
        if (!applies(c, kind))
            continue;
        begin(c, kind);
        go(c);
        for (at = 0; at < size; at++)
            for (how = 0; how < DAMAGES; how++) {
                begin(c, kind);
                damage(at, how);
                go(c);
            }
    }
}

/* Every read fails, or the medium ends there. */
static void failing(const struct call *c)
{
    unsigned at;

    for (at = 0; at < 6; at++) {
        begin(c, WHOLE);
        r.port.fault = FAULT_ERROR;
        r.port.fault_at = r.port.reads + at;
        go(c);
        begin(c, WHOLE);
        r.port.fault = FAULT_EOF;
        r.port.fault_at = r.port.reads + at;
        go(c);
    }
}

/* The call is suspended; then another one is. */
static void suspended(const struct call *c)
{
    utet_cbor other;

    begin(c, WHOLE);
    r.port.blocks = 1;
    r.file.priv.held = 0;
    statuses_note(&seen, c->go());
    utet_cancel(&r.file);
    begin(c, WHOLE);
    r.port.blocks = 1;
    r.file.priv.held = 0;
    if (c->go == next_token) {
        assert_int_equal(utet_message_first(&r.file, &message), UTET_WOULD_BLOCK);
    } else {
        assert_int_equal(utet_cbor_open(&other, &r.file, 48, 8, NULL, 0), UTET_OK);
        assert_int_equal(utet_cbor_next(&other), UTET_WOULD_BLOCK);
    }
    assert_int_equal(c->go(), UTET_E_STATE);
    statuses_note(&seen, UTET_E_STATE);
    utet_cancel(&r.file);
}

static void each_status(void **state)
{
    unsigned wrong = 0;
    size_t i;

    (void)state;
    make();
    rig_make(&r, medium, size, -1);
    rig_start(&r, UTET_WINDOW_LEAST(1), GUARD_AFTER);
    faultport_zone(&r.port, 1, text, sizeof text);
    for (i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        const struct call *c = &calls[i];

        damaged(c);
        failing(c);
        suspended(c);
        suite_check(c->before == at_end || c->before == at_last_entry || statuses_has(&seen, UTET_WOULD_BLOCK),
                    "%s never suspends", c->name);
        statuses_forget(&seen, UTET_WOULD_BLOCK);
        wrong += statuses_compare(&seen, c->name, c->must, MOST);
    }
    suite_check(wrong == 0, "%u statuses", wrong);
    rig_end(&r, "statuses");
}

/* When there is nothing to read from. */
static void places(void **state)
{
    (void)state;
    make();
    rig_make(&r, medium, size, -1);
    rig_start(&r, UTET_WINDOW_LEAST(1), GUARD_AFTER);
    begin(&calls[0], WHOLE);
    assert_int_equal(utet_message_at(&r.file, size + 1, &message), UTET_E_RANGE);
    assert_int_equal(utet_message_forward(&r.file, size + 1, &message), UTET_E_RANGE);
    assert_int_equal(utet_message_seek(&r.file, size + 1, &message), UTET_E_RANGE);
    assert_int_equal(utet_message_forward(&r.file, size, &message), UTET_E_MAGIC);
    assert_int_equal(utet_cbor_open(&reader, &r.file, size - 8, 9, NULL, 0), UTET_E_RANGE);
    r.port.io.size = (uint64_t)1 << 31;
    assert_int_equal(utet_cbor_open(&reader, &r.file, 8, (1u << 30) - 1, NULL, 0), UTET_OK);
    assert_int_equal(utet_cbor_open(&reader, &r.file, 8, 1u << 30, NULL, 0), UTET_E_LIMIT);
    assert_int_equal(r.file.error_offset, 8);
    rig_end(&r, "places");
}

/* The item of a descriptor leads to the keys that have no field; deep structures in one of them are skipped. */
static void descriptors_as_items(void **state)
{
    utet_item map, found;
    utet_status status;

    (void)state;
    make();
    rig_make(&r, medium, size, -1);
    rig_start(&r, UTET_WINDOW_LEAST(1), GUARD_AFTER);
    begin(&calls[0], WHOLE);
    at_tensor();
    DRIVE_OK(utet_object_open(&object, &r.file, &frame, &reader));
    assert_int_equal(object.descriptor.kind, UTET_CBOR_MAP);
    assert_int_equal(object.descriptor.length, 10);
    map = object.descriptor;
    for (;;) {
        DRIVE(status, utet_item_next(&reader, &map, &key, &found));
        assert_int_equal(status, UTET_OK);
        DRIVE_OK(utet_item_text(&reader, &key, 0, text, key.length));
        if (key.length == 5 && memcmp(text, "other", 5) == 0)
            break;
    }
    assert_int_equal(found.kind, UTET_CBOR_TEXT);
    assert_int_equal(found.length, sizeof ROOM - 1);
    rig_end(&r, "items");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_status),
        cmocka_unit_test(places),
        cmocka_unit_test(descriptors_as_items),
    };

    return SUITE("tensogramstatus", tests);
}
