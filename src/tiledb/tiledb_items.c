/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Items of a schema: the first of a kind, the next. */
#include <stdint.h>

#if SIZE_MAX >= 0xFFFFFFFF /* else nothing is left of this file: utet_tiledb.h says so */

#include "tiledb.h"

enum { TILEDB_ITEMS_BEGIN, TILEDB_ITEMS_ITEM };

/* The item at hand, if there is one. */
static utet_status tiledb_items_take(utet_tiledb_schema *schema, unsigned kind, utet_tiledb_item *item)
{
    utet_status status;

    if (schema->priv.number >= schema->count[kind])
        return UTET_END;
    status = utet_tiledb_item_take(schema, kind);
    if (status == UTET_OK)
        *item = schema->priv.item;
    return status;
}

/* Reads the first item of a kind, or the one after *item. */
static utet_status item_call(utet_tiledb_schema *schema, unsigned kind, uint8_t call, utet_tiledb_item *item)
{
    utet_status status;

    if (kind >= UTET_TILEDB_KINDS)
        return UTET_E_ARGUMENT;
    status = utet_tiledb_schema_enter(schema, call);
    if (status != UTET_OK)
        return status;
    if (call == UTET_CALL_TILEDB_FIRST) {
        status = utet_tiledb_list(schema, kind);
    } else if (schema->priv.tile->priv.step == TILEDB_ITEMS_BEGIN) {
        utet_tiledb_item_begin(schema, item->priv.next, item->number + 1);
        schema->priv.tile->priv.step = TILEDB_ITEMS_ITEM;
    }
    if (status == UTET_OK)
        status = tiledb_items_take(schema, kind, item);
    return utet_tiledb_leave(schema->priv.tile, status);
}

utet_status utet_tiledb_first(utet_tiledb_schema *schema, unsigned kind, utet_tiledb_item *item)
{
    return item_call(schema, kind, UTET_CALL_TILEDB_FIRST, item);
}

utet_status utet_tiledb_next(utet_tiledb_schema *schema, utet_tiledb_item *item)
{
    return item_call(schema, item->kind, UTET_CALL_TILEDB_NEXT, item);
}

#endif
