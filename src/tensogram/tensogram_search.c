/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Finds entries of a map by their key, which is in memory or in the file. */
#include <stdint.h>

#if SIZE_MAX >= 0xFFFFFFFF /* else nothing is left of this file: utet_tensogram.h says so */

#include "tensogram.h"

#include <string.h>

enum { TENSOGRAM_SEARCH_KEY, TENSOGRAM_SEARCH_COMPARE, TENSOGRAM_SEARCH_VALUE }; /* search.step */

#define PIECE 16u

void utet_metadata_aim(utet_metadata *metadata, const utet_item *map)
{
    metadata->priv.search.list = *map;
    metadata->priv.search_step = TENSOGRAM_SEARCH_KEY;
    metadata->reader.priv.step = 0;
}

/* Reads the next `length` bytes of the wanted key into search.piece. */
static utet_status tensogram_search_take_piece(utet_metadata *metadata, const utet_item *wanted, size_t length)
{
    utet_file *file = metadata->priv.file;
    utet_status status;

    if (metadata->priv.held == length)
        return UTET_OK;
    status = utet_fetch(file, length, wanted->place + metadata->priv.search.compared);
    if (status == UTET_OK) {
        memcpy(metadata->priv.search.piece, file->priv.at, length);
        metadata->priv.held = (uint8_t)length;
    }
    return status;
}

/* Goes on comparing the key with what is wanted: `text`, or the bytes at `wanted` when that is null. */
static utet_status tensogram_search_compare(utet_metadata *metadata, const char *text, const utet_item *wanted)
{
    utet_file *file = metadata->priv.file;
    uint32_t length = metadata->priv.search.key.length;

    while (metadata->priv.match && metadata->priv.search.compared < length) {
        uint32_t done = metadata->priv.search.compared;
        size_t some = length - done < PIECE ? (size_t)(length - done) : PIECE;
        const void *piece = metadata->priv.search.piece;
        utet_status status = text == NULL ? tensogram_search_take_piece(metadata, wanted, some) : UTET_OK;

        if (status == UTET_OK)
            status = utet_fetch(file, some, metadata->priv.search.key.place + done);
        if (status != UTET_OK)
            return status;
        if (text != NULL)
            piece = text + done;
        metadata->priv.match = memcmp(file->priv.at, piece, some) == 0;
        metadata->priv.search.compared += (uint32_t)some;
        metadata->priv.held = 0;
    }
    return UTET_OK;
}

/* Begins the comparison; of a text in memory the head is compared at once. */
static void aim_key(utet_metadata *metadata, const char *text, uint32_t length)
{
    const utet_item *key = &metadata->priv.search.key;
    uint32_t head = length < UTET_CBOR_HEAD ? length : UTET_CBOR_HEAD;

    metadata->priv.search.compared = 0;
    metadata->priv.held = 0;
    metadata->priv.match = key->kind == UTET_CBOR_TEXT && key->length == length;
    if (metadata->priv.match && text != NULL) {
        metadata->priv.match = memcmp(metadata->reader.head, text, head) == 0;
        metadata->priv.search.compared = head;
    }
}

static utet_status tensogram_search_all(utet_metadata *metadata, const char *text, size_t length,
                                        const utet_item *wanted)
{
    uint32_t most = length < UINT32_MAX ? (uint32_t)length : UINT32_MAX;

    for (;;) {
        utet_status status;

        switch (metadata->priv.search_step) {
        case TENSOGRAM_SEARCH_KEY:
            status = utet_item_key(&metadata->reader, &metadata->priv.search.list, &metadata->priv.search.key);
            aim_key(metadata, text, most);
            metadata->priv.search_step = status == UTET_OK ? TENSOGRAM_SEARCH_COMPARE : TENSOGRAM_SEARCH_KEY;
            break;
        case TENSOGRAM_SEARCH_COMPARE:
            status = tensogram_search_compare(metadata, text, wanted);
            if (status == UTET_OK)
                metadata->priv.search_step = TENSOGRAM_SEARCH_VALUE;
            break;
        default:
            status = utet_item_value(&metadata->reader, &metadata->priv.search.list, &metadata->priv.search.item);
            if (status != UTET_OK)
                break;
            metadata->priv.search_step = TENSOGRAM_SEARCH_KEY;
            if (metadata->priv.match)
                return UTET_OK;
        }
        if (status != UTET_OK)
            return status == UTET_END ? UTET_E_NOT_FOUND : status;
    }
}

utet_status utet_metadata_search(utet_metadata *metadata, const char *text, size_t length)
{
    return tensogram_search_all(metadata, text, length, NULL);
}

utet_status utet_metadata_search_key(utet_metadata *metadata, const utet_item *key)
{
    if (key->kind != UTET_CBOR_TEXT)
        return UTET_E_NOT_FOUND;
    return tensogram_search_all(metadata, NULL, key->length, key);
}

utet_status utet_metadata_in(utet_metadata *metadata, const utet_item *map, const char *text, size_t length,
                             utet_item *value)
{
    utet_status status = utet_metadata_enter_with(metadata, UTET_CALL_METADATA_IN, NULL, text, length);

    if (status != UTET_OK)
        return status;
    if (metadata->priv.step == 0) {
        utet_metadata_aim(metadata, map);
        metadata->priv.step = 1;
    }
    status = map->kind == UTET_CBOR_MAP ? utet_metadata_search(metadata, text, length) : UTET_E_NOT_FOUND;
    if (status == UTET_OK)
        *value = metadata->priv.search.item;
    return utet_leave(metadata->priv.file, status);
}

#endif
