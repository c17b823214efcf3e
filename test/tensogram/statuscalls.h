/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The calls of utet_tensogram.h and utet_cbor.h, each prepared on one message, for the suite of their statuses. */
#ifndef STATUSCALLS_H
#define STATUSCALLS_H

#include "rig.h"
#include "statuses.h"
#include "tgmgen.h"
#include "utet_tensogram.h"

#include <stdio.h>
#include <string.h>

static tgmgen made;
static uint8_t medium[sizeof made.bytes];
static size_t size;
static rig r;
static utet_message message;
static utet_frame frame;
static utet_frame_hash hash;
static utet_object object;
static utet_metadata metadata;
static utet_metadata_checking checking;
static utet_metadata_comparing comparing;
static utet_entry cursor, first;
static utet_common common;
static utet_cbor reader;
static utet_item list, key, value;
static char text[40];
static uint8_t bits[1];

#define ROOM "a text that leaves room for lists in lists, too many"
#define DESCRIPTOR                                                                                                  \
    "{\"type\":\"ntensor\",\"ndim\":1,\"shape\":[4],\"strides\":[1],\"dtype\":\"uint8\",\"byte_order\":\"little\"," \
    "\"encoding\":\"none\",\"filter\":\"none\",\"compression\":\"none\",\"other\":\"" ROOM "\"}"

/* offsets and lengths of the two tensors, for the index; they are changed for the next call */
static inline void make_with(unsigned offsets[2], unsigned lengths[2])
{
    char index[200];
    unsigned i;

    memset(&made, 0, sizeof made);
    tgmgen_begin(&made);
    tgmgen_frame(
        &made, UTET_FRAME_HEADER_METADATA,
        "{\"base\":[{\"c\":[3],\"a\":{\"b\":\"a text that is longer than the head of a token\"}},{\"c\":[2],\"d\":\"" ROOM
        "\"}],"
        "\"_extra_\":{\"x\":{}},\"y\":{\"z\":4}}");
    snprintf(index, sizeof index, "{\"room\":\"" ROOM "\",\"offsets\":[%u,%u],\"lengths\":[%u,%u]}", offsets[0],
             offsets[1], lengths[0], lengths[1]);
    tgmgen_frame(&made, UTET_FRAME_HEADER_INDEX, index);
    tgmgen_frame(&made, UTET_FRAME_PRECEDER, "{\"base\":[{\"d\":5}]}");
    for (i = 0; i < 2; i++) {
        offsets[i] = (unsigned)(made.size + 7) & ~7u;
        tgmgen_tensor(&made, DESCRIPTOR, 4, i == 1);
        lengths[i] = made.bytes[offsets[i] + 14] * 256u + made.bytes[offsets[i] + 15];
    }
    tgmgen_end(&made);
    size = made.size;
}

static inline void make(void)
{
    unsigned offsets[2] = {999, 999}, lengths[2] = {999, 999}; /* as many bytes of CBOR as the right numbers */

    make_with(offsets, lengths);
    make_with(offsets, lengths);
}

/* ---- the calls ---- */

static inline void nothing(void)
{
}

static inline void at_message(void)
{
    DRIVE_OK(utet_message_at(&r.file, 0, &message));
}

static inline void at_frame(void)
{
    at_message();
    DRIVE_OK(utet_frame_first(&r.file, &message, &frame));
}

static inline void at_tensor(void)
{
    at_frame();
    while (frame.type != UTET_FRAME_TENSOR)
        DRIVE_OK(utet_frame_next(&r.file, &message, &frame));
}

static inline void at_end(void)
{
    utet_status status;

    at_frame();
    do
        DRIVE(status, utet_frame_next(&r.file, &message, &frame));
    while (status == UTET_OK);
    assert_int_equal(status, UTET_END);
}

static inline void at_metadata(void)
{
    at_message();
    DRIVE_OK(utet_metadata_open(&metadata, &r.file, &message, NULL, 0));
}

static inline void at_first_entry(void)
{
    at_metadata();
    DRIVE_OK(utet_entry_first(&metadata, &cursor));
}

static inline void at_last_entry(void)
{
    at_first_entry();
    DRIVE_OK(utet_entry_next(&metadata, &cursor));
}

/* Both entries, and the bits of the first one's keys. */
static inline void at_both_entries(void)
{
    at_first_entry();
    first = cursor;
    bits[0] = 0xFF;
    DRIVE_OK(utet_entry_common(&metadata, &first, &first, &common, bits, sizeof bits));
    assert_int_equal(common.keys, 3);
    DRIVE_OK(utet_entry_next(&metadata, &cursor));
}

static inline void at_list(void)
{
    at_metadata();
    list = metadata.document.root;
}

static inline void at_text(void)
{
    at_metadata();
    DRIVE_OK(utet_metadata_find_dotted(&metadata, "a.b", 3, &value));
}

static inline void at_reader(void)
{
    at_frame();
    assert_int_equal(utet_cbor_open(&reader, &r.file, frame.content_offset, frame.content_length, NULL, 0), UTET_OK);
}

static inline void at_token(void)
{
    at_reader();
    while (reader.token != UTET_CBOR_TEXT || reader.length < 40)
        DRIVE_OK(utet_cbor_next(&reader));
}

static inline utet_status first_message(void)
{
    return utet_message_first(&r.file, &message);
}

static inline utet_status next_message(void)
{
    return utet_message_next(&r.file, &message);
}

static inline void before_message(void) /* utet_message_next continues at 0 */
{
    memset(&message, 0, sizeof message);
}

static inline utet_status message_at(void)
{
    return utet_message_at(&r.file, 0, &message);
}

static inline utet_status message_forward(void)
{
    return utet_message_forward(&r.file, 0, &message);
}

static inline utet_status message_seek(void)
{
    return utet_message_seek(&r.file, 0, &message);
}

static inline utet_status first_frame(void)
{
    return utet_frame_first(&r.file, &message, &frame);
}

static inline utet_status next_frame(void)
{
    return utet_frame_next(&r.file, &message, &frame);
}

static inline utet_status verify(void)
{
    return utet_frame_verify(&r.file, &frame, &hash);
}

static inline utet_status open_object(void)
{
    return utet_object_open(&object, &r.file, &frame, &reader);
}

static inline utet_status find_object(void)
{
    return utet_object_find(&object, &r.file, &message, 1, &frame, &reader);
}

static inline utet_status find_ninth(void)
{
    return utet_object_find(&object, &r.file, &message, 9, &frame, &reader);
}

static inline utet_status open_metadata(void)
{
    return utet_metadata_open(&metadata, &r.file, &message, NULL, 0);
}

static inline utet_status entry(void)
{
    return utet_metadata_entry(&metadata, 1, &list, &value);
}

static inline utet_status first_entry(void)
{
    return utet_entry_first(&metadata, &cursor);
}

static inline utet_status next_entry(void)
{
    return utet_entry_next(&metadata, &cursor);
}

static inline utet_status find_in_entry(void)
{
    static const utet_segment path[] = {{"a", 1}, {"b", 1}};

    return utet_entry_find(&metadata, &cursor, path, 2, &value);
}

static inline utet_status find_in_entry_dotted(void)
{
    return utet_entry_find_dotted(&metadata, &cursor, "a.b", 3, &value);
}

static inline utet_status common_keys(void)
{
    return utet_entry_common(&metadata, &first, &cursor, &common, bits, sizeof bits);
}

static inline utet_status in_map(void)
{
    return utet_metadata_in(&metadata, &metadata.document.root, "y", 1, &value);
}

static inline utet_status find(void)
{
    static const utet_segment path[] = {{"y", 1}, {"z", 1}};

    return utet_metadata_find(&metadata, path, 2, &value);
}

static inline utet_status find_dotted(void)
{
    return utet_metadata_find_dotted(&metadata, "y.z", 3, &value);
}

static inline utet_status check(void)
{
    return utet_metadata_check(&metadata, UTET_METADATA_TYPES | UTET_METADATA_CANONICAL, &checking);
}

static inline utet_status compare(void)
{
    return utet_metadata_compare(&metadata, &comparing);
}

static inline utet_status next_token(void)
{
    return utet_cbor_next(&reader);
}

static inline utet_status token_text(void)
{
    return utet_cbor_text(&reader, 0, text, sizeof text);
}

static inline utet_status next_item(void)
{
    return utet_item_next(&metadata.reader, &list, &key, &value);
}

static inline utet_status item_text(void)
{
    return utet_item_text(&metadata.reader, &value, 0, text, sizeof text);
}

#endif
