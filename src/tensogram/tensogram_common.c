/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Which keys of a tensor others have with the same value (§3.5). Values are compared as they are encoded. A key is
 * looked for where the one before it was found, then in the whole map: entries with their keys in one order cost one
 * pass.
 */
#include <stdint.h>

#if SIZE_MAX >= 0xFFFFFFFF /* else nothing is left of this file: utet_tensogram.h says so */

#include "tensogram.h"

#include <string.h>

/* common->priv.step */
enum {
    TENSOGRAM_COMMON_KEY,     /* the next key of the first tensor */
    TENSOGRAM_COMMON_VALUE,   /* and its value */
    TENSOGRAM_COMMON_OVER,    /* the key in the other one's preceder; in its own, when it is an entry's */
    TENSOGRAM_COMMON_ENTRY,   /* … in the other one's entry, from where the last one was found */
    TENSOGRAM_COMMON_AROUND,  /* … from its beginning */
    TENSOGRAM_COMMON_COMPARE, /* the two values */
    TENSOGRAM_COMMON_MARK
};

/* common->priv.part */
enum { PART_PRECEDER, TENSOGRAM_COMMON_PART_ENTRY };

static uint8_t bit_of(const utet_common *common)
{
    return (uint8_t)(1u << (common->keys & 7));
}

/* On to the next key, or from the preceder's keys to the entry's. UTET_END: there are no more. */
static utet_status next_key(utet_metadata *metadata, utet_common *common, const utet_entry *first, size_t size)
{
    utet_status status = utet_item_key(&metadata->reader, &common->priv.list, &common->priv.key);

    if (status == UTET_END && common->priv.part == PART_PRECEDER) {
        common->priv.part = TENSOGRAM_COMMON_PART_ENTRY;
        common->priv.list = first->entry;
        return UTET_OK;
    }
    if (status != UTET_OK)
        return status;
    if (common->keys >> 3 >= size) {
        metadata->priv.file->error_offset = common->priv.key.place;
        return UTET_E_SPACE;
    }
    common->priv.same = !utet_cbor_is(&metadata->reader, "_reserved_", 10);
    common->priv.step = TENSOGRAM_COMMON_VALUE;
    return UTET_OK;
}

/* Reads the value; returns whether the key must be searched. */
static utet_status pass_value(utet_metadata *metadata, utet_common *common, const utet_entry *other,
                              const uint8_t *bits)
{
    utet_item value;
    utet_status status = utet_item_value(&metadata->reader, &common->priv.list, &value);
    int looks;

    if (status != UTET_OK)
        return status;
    common->priv.mine = common->priv.key.place + common->priv.key.length;
    common->priv.length = common->priv.list.place - common->priv.mine;
    if (common->priv.own) {
        looks = common->priv.same && common->priv.part == TENSOGRAM_COMMON_PART_ENTRY;
    } else {
        common->priv.same = (bits[common->keys >> 3] & bit_of(common)) != 0;
        looks = common->priv.same;
    }
    utet_metadata_aim(metadata, &other->preceder);
    common->priv.step = looks ? TENSOGRAM_COMMON_OVER : TENSOGRAM_COMMON_MARK;
    return UTET_OK;
}

/* The key has been found in a preceder: the tensor's own preceder replaces the key of the entry. */
static void tensogram_common_found(utet_metadata *metadata, utet_common *common)
{
    const utet_item *key = &metadata->priv.search.key;

    common->priv.theirs = key->place + key->length;
    common->priv.compared = 0;
    common->priv.held = 0;
    common->priv.same = !common->priv.own &&
                        metadata->priv.search.list.place - common->priv.theirs == common->priv.length;
    common->priv.step = common->priv.same ? TENSOGRAM_COMMON_COMPARE : TENSOGRAM_COMMON_MARK;
}

static utet_status tensogram_common_look(utet_metadata *metadata, utet_common *common, const utet_entry *other)
{
    utet_status status = utet_metadata_search_key(metadata, &common->priv.key);

    if (status == UTET_OK) {
        if (common->priv.step != TENSOGRAM_COMMON_OVER)
            common->priv.next = metadata->priv.search.list;
        tensogram_common_found(metadata, common);
        return UTET_OK;
    }
    if (status != UTET_E_NOT_FOUND)
        return status;
    if (common->priv.own) {
        common->priv.step = TENSOGRAM_COMMON_MARK;
    } else if (common->priv.step == TENSOGRAM_COMMON_AROUND) {
        common->priv.same = 0;
        common->priv.step = TENSOGRAM_COMMON_MARK;
    } else {
        utet_metadata_aim(metadata, common->priv.step == TENSOGRAM_COMMON_OVER ? &common->priv.next : &other->entry);
        common->priv.step++;
    }
    return UTET_OK;
}

/* The next bytes of both values. */
static utet_status tensogram_common_compare(utet_metadata *metadata, utet_common *common)
{
    utet_file *file = metadata->priv.file;
    uint64_t left = common->priv.length - common->priv.compared;
    size_t some;
    utet_status status;

    if (left == 0) {
        common->priv.step = TENSOGRAM_COMMON_MARK;
        return UTET_OK;
    }
    some = left < sizeof common->priv.piece ? (size_t)left : sizeof common->priv.piece;
    if (!common->priv.held) {
        status = utet_fetch(file, some, common->priv.mine + common->priv.compared);
        if (status != UTET_OK)
            return status;
        memcpy(common->priv.piece, file->priv.at, some);
        common->priv.held = 1;
    }
    status = utet_fetch(file, some, common->priv.theirs + common->priv.compared);
    if (status != UTET_OK)
        return status;
    common->priv.held = 0;
    common->priv.compared += some;
    common->priv.same = memcmp(common->priv.piece, file->priv.at, some) == 0;
    if (!common->priv.same)
        common->priv.step = TENSOGRAM_COMMON_MARK;
    return UTET_OK;
}

static void tensogram_common_mark(utet_common *common, uint8_t *bits)
{
    uint8_t *byte = &bits[common->keys >> 3];

    *byte = (uint8_t)(*byte & ~bit_of(common));
    if (common->priv.same)
        *byte |= bit_of(common);
    common->keys++;
    common->priv.step = TENSOGRAM_COMMON_KEY;
}

static utet_status tensogram_common_advance(utet_metadata *metadata, utet_common *common, const utet_entry *first,
                                            const utet_entry *other, uint8_t *bits, size_t size)
{
    switch (common->priv.step) {
    case TENSOGRAM_COMMON_KEY: return next_key(metadata, common, first, size);
    case TENSOGRAM_COMMON_VALUE: return pass_value(metadata, common, other, bits);
    case TENSOGRAM_COMMON_COMPARE: return tensogram_common_compare(metadata, common);
    case TENSOGRAM_COMMON_MARK: tensogram_common_mark(common, bits); return UTET_OK;
    default: return tensogram_common_look(metadata, common, other);
    }
}

utet_status utet_entry_common(utet_metadata *metadata, const utet_entry *first, const utet_entry *other,
                              utet_common *common, uint8_t *bits, size_t size)
{
    utet_status status = utet_metadata_enter(metadata, UTET_CALL_ENTRY_COMMON);

    if (status == UTET_OK)
        status = utet_given(metadata->priv.file, bits, size);
    if (status != UTET_OK)
        return status;
    if (metadata->priv.step == 0) {
        common->keys = 0;
        common->priv.own = first->object == other->object;
        common->priv.part = PART_PRECEDER;
        common->priv.list = first->preceder;
        common->priv.next = other->entry;
        common->priv.step = TENSOGRAM_COMMON_KEY;
        metadata->priv.step = 1;
    }
    do
        status = tensogram_common_advance(metadata, common, first, other, bits, size);
    while (status == UTET_OK);
    return utet_leave(metadata->priv.file, status == UTET_END ? UTET_OK : status);
}

#endif
