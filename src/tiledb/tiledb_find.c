/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* An item of a schema by its name, which is compared while the item is walked through: one pass. */
#include "tiledb.h"

enum { PHASE_REACH, PHASE_ITEMS };

static utet_status search(utet_tiledb_schema *schema, unsigned kind)
{
    utet_status status;

    if (schema->priv.phase == PHASE_REACH) {
        status = utet_tiledb_reach(schema, kind);
        if (status != UTET_OK)
            return status;
        utet_tiledb_item_begin(schema, schema->priv.begin[kind], 0);
        schema->priv.phase = PHASE_ITEMS;
    }
    while (schema->priv.number < schema->count[kind]) {
        status = utet_tiledb_item_take(schema, kind);
        if (status != UTET_OK || !schema->priv.tile->priv.differs)
            return status;
    }
    return UTET_E_NOT_FOUND;
}

utet_status utet_tiledb_find(utet_tiledb_schema *schema, unsigned kind, const char *name, size_t length,
                             utet_tiledb_item *item)
{
    utet_tiledb *tile;
    utet_status status;

    if (kind >= UTET_TILEDB_RANGE)
        return UTET_E_ARGUMENT;
    status = utet_tiledb_schema_enter(schema, UTET_CALL_TILEDB_FIND);
    if (status != UTET_OK)
        return status;
    tile = schema->priv.tile;
    tile->priv.wanted = name;
    tile->priv.wanted_len = length < UINT32_MAX ? (uint32_t)length : UINT32_MAX;
    status = search(schema, kind);
    if (status == UTET_OK)
        *item = schema->priv.item;
    return utet_tiledb_leave(tile, status);
}
