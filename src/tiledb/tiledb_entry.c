/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Array metadata (§5.2): consecutive keys with typed values, to the end of the tile. */
#include <stdint.h>

#if SIZE_MAX >= 0xFFFFFFFF /* else nothing is left of this file: utet_tiledb.h says so */

#include "tiledb.h"

#include <string.h>

#define IN_ENTRY(name) offsetof(utet_tiledb_entry, name)

enum { TILEDB_ENTRY_BEGIN, TILEDB_ENTRY_ENTRIES, TILEDB_ENTRY_END };

static const utet_tiledb_rule tiledb_entry_rules[] = {{UTET_OP_TEXT, UTET_ANY, IN_ENTRY(key)},
                                                      {UTET_OP_NAME, UTET_ANY, IN_ENTRY(key)},
                                                      {UTET_OP_U8, UTET_FROM_TO(0, 1), IN_ENTRY(deleted)},
                                                      {UTET_OP_UNLESS, UTET_ANY, IN_ENTRY(deleted)},
                                                      {UTET_OP_TYPE, UTET_ANY, IN_ENTRY(datatype)},
                                                      {UTET_OP_U32, UTET_ANY, IN_ENTRY(count)},
                                                      UTET_RULES_END};

/* Takes the entry at the current position. UTET_END: the end of the tile has been reached and checked. */
static utet_status tiledb_entry_take(utet_tiledb *tile, utet_tiledb_entry *entry)
{
    utet_status status;

    if (tile->priv.rule == 0) {
        if (tile->priv.place == tile->size) {
            status = utet_tiledb_finish(tile);
            return status == UTET_OK ? UTET_END : status;
        }
        memset(entry, 0, sizeof *entry);
    }
    status = utet_tiledb_walk(tile, tiledb_entry_rules, entry);
    if (status == UTET_OK && !entry->deleted) {
        const uint64_t value = (uint64_t)entry->count * utet_tiledb_type_size(entry->datatype);

        status = utet_tiledb_stretch(tile, value < UINT32_MAX ? (uint32_t)value : UINT32_MAX, &entry->value);
    }
    if (status == UTET_OK)
        entry->priv.next = tile->priv.place;
    return status;
}

/* Reads the entry at offset `place`. */
static utet_status entry_at(utet_tiledb *tile, uint8_t call, uint32_t place, utet_tiledb_entry *entry)
{
    utet_status status = utet_tiledb_enter(tile, call);

    if (status != UTET_OK)
        return status;
    if (tile->priv.step == TILEDB_ENTRY_BEGIN) {
        utet_tiledb_begin(tile, place);
        tile->priv.step = TILEDB_ENTRY_ENTRIES;
    }
    return utet_tiledb_leave(tile, tiledb_entry_take(tile, entry));
}

utet_status utet_tiledb_entry_first(utet_tiledb *tile, utet_tiledb_entry *entry)
{
    return entry_at(tile, UTET_CALL_TILEDB_ENTRY_FIRST, 0, entry);
}

utet_status utet_tiledb_entry_next(utet_tiledb *tile, utet_tiledb_entry *entry)
{
    return entry_at(tile, UTET_CALL_TILEDB_ENTRY_NEXT, entry->priv.next, entry);
}

utet_status utet_tiledb_entry_find(utet_tiledb *tile, const char *key, size_t length, utet_tiledb_entry *entry)
{
    utet_status status = utet_tiledb_enter(tile, UTET_CALL_TILEDB_ENTRY_FIND);

    if (status != UTET_OK)
        return status;
    tile->priv.wanted = key;
    tile->priv.wanted_len = length < UINT32_MAX ? (uint32_t)length : UINT32_MAX;
    if (tile->priv.step == TILEDB_ENTRY_BEGIN) {
        utet_tiledb_begin(tile, 0);
        tile->priv.step = TILEDB_ENTRY_ENTRIES;
    }
    do {
        status = tiledb_entry_take(tile, entry);
        if (status == UTET_OK)
            utet_tiledb_begin(tile, entry->priv.next);
    } while (status == UTET_OK && tile->priv.differs);
    return utet_tiledb_leave(tile, status == UTET_END ? UTET_E_NOT_FOUND : status);
}

#endif
