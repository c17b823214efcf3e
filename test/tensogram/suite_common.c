/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * utet_entry_common: which keys have the same value in all tensors of a message. The expected values are those of the
 * reference's compute_common (crate tensogram 0.24.0, src/metadata.rs: its rules, and the cases of its own tests).
 */
#include "rig.h"
#include "suite.h"
#include "tgmgen.h"
#include "utet_tensogram.h"

#include <stdio.h>
#include <string.h>

#define DESCRIPTOR                                                                                                  \
    "{\"type\":\"ntensor\",\"ndim\":1,\"shape\":[4],\"strides\":[1],\"dtype\":\"uint8\",\"byte_order\":\"little\"," \
    "\"encoding\":\"none\",\"filter\":\"none\",\"compression\":\"none\"}"
#define LONG "a text that is longer than any piece"

static tgmgen made;
static rig r;
static utet_message message;
static utet_metadata metadata;

/* What each row has for up to three tensors; NULL: there is no such tensor, "": it has no preceder. */
static const struct {
    const char *base;
    const char *preceders[3];
    const char *bits; /* of the first tensor's keys, after all tensors */
} rows[] = {
    {"{\"a\":1}", {""}, "1"},
    {"{\"a\":1,\"_reserved_\":{\"r\":1},\"b\":2}", {""}, "101"},
    {"{\"a\":1},{\"a\":1}", {"", ""}, "1"},
    {"{\"a\":1,\"b\":2},{\"a\":1,\"b\":3}", {"", ""}, "10"},
    {"{\"a\":1,\"b\":2},{\"b\":2}", {"", ""}, "01"},
    {"{\"a\":1},{\"b\":2}", {"", ""}, "0"},
    {"{\"a\":1,\"b\":2,\"c\":3},{\"c\":3,\"b\":2,\"a\":1}", {"", ""}, "111"},
    {"{\"a\":1,\"b\":2,\"c\":3},{\"a\":1,\"b\":2,\"c\":3},{\"a\":1,\"b\":0,\"c\":3}", {"", "", ""}, "101"},
    {"{\"a\":1,\"b\":2},{\"a\":0,\"b\":2},{\"a\":1,\"b\":2}", {"", "", ""}, "01"},
    {"{\"a\":\"" LONG "x\"},{\"a\":\"" LONG "x\"}", {"", ""}, "1"},
    {"{\"a\":\"" LONG "x\"},{\"a\":\"" LONG "y\"}", {"", ""}, "0"},
    {"{\"a\":\"x" LONG "\"},{\"a\":\"y" LONG "\"}", {"", ""}, "0"},
    {"{\"a\":\"" LONG "\"},{\"a\":\"" LONG "x\"}", {"", ""}, "0"},
    {"{\"" LONG "1\":1},{\"" LONG "2\":1}", {"", ""}, "0"},
    {"{\"a\":{\"b\":[1,#f97e00,null]}},{\"a\":{\"b\":[1,#f97e00,null]}}", {"", ""}, "1"}, /* NaN */
    {"{\"a\":{\"b\":[1,2]}},{\"a\":{\"b\":[1,3]}}", {"", ""}, "0"},
    {"{\"a\":1},{\"a\":#f93c00}", {"", ""}, "0"}, /* 1.0 */
    {"{\"a\":\"\"},{\"a\":\"\"}", {"", ""}, "1"},
    {"{},{\"a\":1}", {"", ""}, ""},
    {"{\"a\":1,\"_reserved_\":1},{\"_reserved_\":1,\"a\":1}", {"", ""}, "10"},
    {"{\"a\":1}", {"", ""}, "0"}, /* the second tensor has no entry */
    {"", {"", ""}, ""},
    {"_{\"a\":1,\"b\":2},_{\"b\":2,\"a\":1}", {"", ""}, "11"},
    {"{\"a\":1,\"a\":2},{\"a\":1}", {"", ""}, "10"}, /* the first of equal names is found */
    /* Keys of preceders come first, and replace those of the entry. */
    {"{\"a\":1,\"b\":2}", {"\"a\":5"}, "101"},
    {"{\"a\":1,\"b\":2},{\"a\":5,\"b\":2}", {"\"a\":5", ""}, "101"},
    {"{\"a\":1,\"b\":2},{\"a\":1,\"b\":2}", {"\"a\":5", ""}, "001"},
    {"{\"a\":1,\"b\":2},{\"a\":5,\"b\":2}", {"", "\"a\":1"}, "11"},
    {"{\"a\":1,\"b\":2},{\"a\":1,\"b\":2}", {"", "\"a\":5"}, "01"},
    {"{\"b\":2}", {"\"a\":5,\"_reserved_\":1", "\"b\":2,\"a\":5"}, "101"},
};

static void make(const char *base, const char *const preceders[], size_t tensors)
{
    static char text[16384];
    size_t i;

    made.size = 0;
    tgmgen_begin(&made);
    snprintf(text, sizeof text, "{\"base\":[%s]}", base);
    tgmgen_frame(&made, UTET_FRAME_HEADER_METADATA, text);
    for (i = 0; i < tensors; i++) {
        snprintf(text, sizeof text, "{\"base\":[{%s}]}", preceders[i]);
        if (preceders[i][0] != '\0')
            tgmgen_frame(&made, UTET_FRAME_PRECEDER, text);
        tgmgen_tensor(&made, DESCRIPTOR, 4, 0);
    }
    tgmgen_end(&made);
}

static void open_made(int slow)
{
    rig_make(&r, made.bytes, made.size, -1);
    r.port.slice = slow ? 1 : SLICE_ALL;
    r.port.blocks = slow ? 1 : 0;
    rig_start(&r, UTET_WINDOW_LEAST(1), GUARD_AFTER);
    assert_int_equal(utet_messages_open(&r.file, NULL), UTET_OK);
    DRIVE_OK(utet_message_first(&r.file, &message));
    DRIVE_OK(utet_metadata_open(&metadata, &r.file, &message, NULL, 0));
}

/* The bits of all tensors; returns the number of keys. */
static uint32_t all(uint8_t *bits, size_t size)
{
    utet_entry first, other;
    utet_common common;
    uint32_t keys;
    utet_status status;

    DRIVE_OK(utet_entry_first(&metadata, &first));
    DRIVE_OK(utet_entry_common(&metadata, &first, &first, &common, bits, size));
    keys = common.keys;
    other = first;
    for (;;) {
        DRIVE(status, utet_entry_next(&metadata, &other));
        if (status == UTET_END)
            return keys;
        assert_int_equal(status, UTET_OK);
        DRIVE_OK(utet_entry_common(&metadata, &first, &other, &common, bits, size));
        assert_int_equal(common.keys, keys);
    }
}

static void what_tensors_share(void **state)
{
    size_t i, k, tensors;
    int slow;

    (void)state;
    for (i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (slow = 0; slow < 2; slow++) {
            uint8_t bits[2] = {0xA5, 0x5A};
            char seen[17] = "";
            uint32_t keys;

            for (tensors = 0; tensors < 3 && rows[i].preceders[tensors] != NULL; tensors++) {}
            make(rows[i].base, rows[i].preceders, tensors);
            open_made(slow);
            keys = all(bits, sizeof bits);
            for (k = 0; k < keys; k++)
                strcat(seen, (bits[k / 8] >> k % 8 & 1) != 0 ? "1" : "0");
            suite_check(strcmp(seen, rows[i].bits) == 0, "%s: %s, not %s", rows[i].base, seen, rows[i].bits);
            assert_int_equal(bits[1], 0x5A); /* of keys that do not exist */
            rig_end(&r, rows[i].base);
        }
}

static void room_for_bits(void **state)
{
    static const char *const none[] = {""};
    utet_entry first;
    utet_common common;
    uint8_t bits[2];
    utet_status status;

    (void)state;
    make("{\"a\":1,\"b\":1,\"c\":1,\"d\":1,\"e\":1,\"f\":1,\"g\":1,\"h\":1,\"i\":1}", none, 1);
    open_made(1);
    DRIVE_OK(utet_entry_first(&metadata, &first));
    DRIVE(status, utet_entry_common(&metadata, &first, &first, &common, bits, 1));
    assert_int_equal(status, UTET_E_SPACE);
    r.file.priv.held = 0;
    assert_int_equal(utet_entry_common(&metadata, &first, &first, &common, bits, 2), UTET_WOULD_BLOCK);
    assert_int_equal(utet_entry_common(&metadata, &first, &first, &common, bits, 1), UTET_E_STATE);
    assert_int_equal(utet_entry_common(&metadata, &first, &first, &common, bits + 1, 2), UTET_E_STATE);
    DRIVE_OK(utet_entry_common(&metadata, &first, &first, &common, bits, 2));
    assert_int_equal(common.keys, 9);
    assert_int_equal(bits[0], 0xFF);
    assert_int_equal(bits[1] & 1, 1);
    memset(&metadata, 0, sizeof metadata);
    assert_int_equal(utet_entry_common(&metadata, &first, &first, &common, bits, 2), UTET_E_STATE);
    rig_end(&r, "room");
}

/* How many bytes the port delivers for that many tensors with that many keys each, in the same order. */
static uint64_t costs(unsigned tensors, unsigned keys)
{
    static char base[8192];
    static const char *none[100];
    uint8_t bits[16];
    uint64_t before;
    unsigned i, k;

    base[0] = '\0';
    for (i = 0; i < tensors; i++) {
        none[i] = "";
        strcat(base, i == 0 ? "{" : ",{");
        for (k = 0; k < keys; k++)
            sprintf(base + strlen(base), "%s\"k%02u\":%u", k == 0 ? "" : ",", k, 10 + k);
        strcat(base, "}");
    }
    make(base, none, tensors);
    open_made(0);
    before = r.port.bytes_read;
    assert_int_equal(all(bits, sizeof bits), keys);
    for (k = 0; k < keys; k++)
        assert_int_equal(bits[k / 8] >> k % 8 & 1, 1);
    before = r.port.bytes_read - before;
    rig_end(&r, "costs");
    return before;
}

static void work_is_linear(void **state)
{
    const uint64_t small = costs(10, 10), tensors = costs(40, 10), keys = costs(10, 40);

    (void)state;
    suite_check(tensors < small * 5, "4 times the tensors cost %lu bytes, not %lu", (unsigned long)tensors,
                (unsigned long)small);
    suite_check(keys < small * 5, "4 times the keys cost %lu bytes, not %lu", (unsigned long)keys,
                (unsigned long)small);
}

/* Every read fails once, in every call: no other status is returned, and the next attempt is right. */
static void media_that_fail(void **state)
{
    uint8_t bits[2];
    utet_entry first, other;
    utet_common common;
    unsigned at;
    utet_status status = FAULTPORT_ERROR;

    (void)state;
    make(rows[7].base, rows[7].preceders, 3);
    for (at = 0; status == FAULTPORT_ERROR; at++) {
        assert_true(at < 10000);
        open_made(0);
        DRIVE_OK(utet_entry_first(&metadata, &first));
        DRIVE_OK(utet_entry_common(&metadata, &first, &first, &common, bits, sizeof bits));
        other = first;
        DRIVE_OK(utet_entry_next(&metadata, &other));
        r.file.priv.held = 0;
        r.port.fault = FAULT_ERROR;
        r.port.fault_at = r.port.reads + at;
        DRIVE(status, utet_entry_common(&metadata, &first, &other, &common, bits, sizeof bits));
        r.port.fault = FAULT_NONE;
        assert_true(status == UTET_OK || status == FAULTPORT_ERROR);
        DRIVE_OK(utet_entry_common(&metadata, &first, &first, &common, bits, sizeof bits));
        DRIVE_OK(utet_entry_common(&metadata, &first, &other, &common, bits, sizeof bits));
        assert_int_equal(bits[0] & 7, 7);
        rig_end(&r, "fault");
    }
    assert_true(at > 1);
}

int main(void)
{
    static const struct CMUnitTest cases[] = {
        cmocka_unit_test(what_tensors_share),
        cmocka_unit_test(room_for_bits),
        cmocka_unit_test(work_is_linear),
        cmocka_unit_test(media_that_fail),
    };

    return SUITE("common", cases);
}
