/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* An item of a schema by its name, which is compared while the item is walked through: one pass. */
#include <stdint.h>

#if SIZE_MAX >= 0xFFFFFFFF /* else nothing is left of this file: utet_tiledb.h says so */

#include "tiledb.h"

static utet_status tiledb_find_search(utet_tiledb_schema *schema, unsigned kind)
{
    utet_status status = utet_tiledb_list(schema, kind);

    while (status == UTET_OK) {
        if (schema->priv.number >= schema->count[kind])
            return UTET_E_NOT_FOUND;
        status = utet_tiledb_item_take(schema, kind);
        if (!schema->priv.tile->priv.differs)
            break;
    }
    return status;
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
    status = tiledb_find_search(schema, kind);
    if (status == UTET_OK)
        *item = schema->priv.item;
    return utet_tiledb_leave(tile, status);
}

#endif
