/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Items of a schema: the first of a kind, the next. */
#include "tiledb.h"

enum { PHASE_REACH, PHASE_ITEM };

/* The item at hand, if there is one. */
static utet_status take_item(utet_tiledb_schema *schema, unsigned kind, utet_tiledb_item *item)
{
    utet_status status;

    if (schema->priv.number >= schema->count[kind])
        return UTET_END;
    status = utet_tiledb_item_take(schema, kind);
    if (status == UTET_OK)
        *item = schema->priv.item;
    return status;
}

utet_status utet_tiledb_first(utet_tiledb_schema *schema, unsigned kind, utet_tiledb_item *item)
{
    utet_status status;

    if (kind >= UTET_TILEDB_KINDS)
        return UTET_E_ARGUMENT;
    status = utet_tiledb_schema_enter(schema, UTET_CALL_TILEDB_FIRST);
    if (status != UTET_OK)
        return status;
    if (schema->priv.phase == PHASE_REACH) {
        status = utet_tiledb_reach(schema, kind);
        if (status == UTET_OK) {
            utet_tiledb_item_begin(schema, schema->priv.begin[kind], 0);
            schema->priv.phase = PHASE_ITEM;
        }
    }
    if (status == UTET_OK)
        status = take_item(schema, kind, item);
    return utet_tiledb_leave(schema->priv.tile, status);
}

utet_status utet_tiledb_next(utet_tiledb_schema *schema, utet_tiledb_item *item)
{
    const unsigned kind = item->kind;
    utet_status status;

    if (kind >= UTET_TILEDB_KINDS)
        return UTET_E_ARGUMENT;
    status = utet_tiledb_schema_enter(schema, UTET_CALL_TILEDB_NEXT);
    if (status != UTET_OK)
        return status;
    if (schema->priv.phase == PHASE_REACH) {
        utet_tiledb_item_begin(schema, item->priv.next, item->number + 1);
        schema->priv.phase = PHASE_ITEM;
    }
    status = take_item(schema, kind, item);
    return utet_tiledb_leave(schema->priv.tile, status);
}
