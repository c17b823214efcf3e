/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Checks a whole schema. One pass reads all lists, which checks them, to the end of the tile. Attributes come before
 * the list of enumerations that they refer to: the pass keeps hashes of 16 references and removes those that it
 * meets in the list. The remaining references refer to nothing. More references take more passes from the attributes
 * on.
 */
#include <stdint.h>

#if SIZE_MAX >= 0xFFFFFFFF /* else nothing is left of this file: utet_tiledb.h says so */

#include "tiledb.h"

#include <string.h>

enum { TILEDB_CHECK_BEGIN, TILEDB_CHECK_WALK, TILEDB_CHECK_END };
enum { MOST_ROUNDS = 16 }; /* bounds the work */

/* Takes note of the item that was just taken: keeps the reference of an attribute, removes the one to an enumeration.
 */
static void tiledb_check_note(utet_tiledb_schema *schema)
{
    const utet_tiledb_item *item = &schema->priv.item;
    const uint32_t hash = schema->priv.tile->priv.hash;
    const unsigned used = schema->priv.references.used;
    unsigned i = 0;

    while (i < used && schema->priv.references.kept[i].hash != hash)
        i++;
    if (item->kind == UTET_TILEDB_ENUMERATION && i != used)
        schema->priv.references.kept[i] = schema->priv.references.kept[--schema->priv.references.used];
    if (item->kind != UTET_TILEDB_ATTRIBUTE || item->number != schema->priv.references.checked)
        return;
    if (item->enumeration.size != 0 && i == used) {
        if (i == UTET_TILEDB_REFERENCES)
            return;
        schema->priv.references.kept[i].hash = hash;
        schema->priv.references.kept[i].place = item->enumeration.offset;
        schema->priv.references.used++;
    }
    schema->priv.references.checked++;
}

/* Before another pass from a list on. */
static void tiledb_check_again(utet_tiledb_schema *schema, unsigned list)
{
    schema->priv.known = (uint8_t)(list + 1);
    schema->priv.references.used = 0;
}

static utet_status tiledb_check_walk(utet_tiledb_schema *schema)
{
    utet_tiledb *tile = schema->priv.tile;

    for (;;) {
        while (schema->priv.known <= UTET_TILEDB_KINDS) {
            utet_status status = utet_tiledb_onward(schema);

            if (status == UTET_OK)
                tiledb_check_note(schema);
            else if (status != UTET_END)
                return status;
        }
        if (schema->priv.references.used != 0) {
            tile->error_at = schema->priv.references.kept[0].place;
            return UTET_E_METADATA;
        }
        if (schema->priv.references.checked == schema->count[UTET_TILEDB_ATTRIBUTE] ||
            ++schema->priv.references.rounds == MOST_ROUNDS)
            return UTET_OK;
        tiledb_check_again(schema, UTET_TILEDB_ATTRIBUTE);
    }
}

utet_status utet_tiledb_schema_check(utet_tiledb_schema *schema)
{
    utet_tiledb *tile;
    utet_status status = utet_tiledb_schema_enter(schema, UTET_CALL_TILEDB_CHECK);

    if (status != UTET_OK)
        return status;
    tile = schema->priv.tile;
    if (tile->priv.step == TILEDB_CHECK_BEGIN) {
        tiledb_check_again(schema, UTET_TILEDB_DIMENSION);
        schema->priv.references.checked = 0;
        schema->priv.references.rounds = 0;
        tile->priv.step = TILEDB_CHECK_WALK;
    }
    if (tile->priv.step == TILEDB_CHECK_WALK) {
        status = tiledb_check_walk(schema);
        if (status == UTET_OK && schema->priv.begin[UTET_TILEDB_KINDS] != tile->size) {
            tile->error_at = schema->priv.begin[UTET_TILEDB_KINDS];
            status = UTET_E_METADATA;
        }
        if (status == UTET_OK)
            tile->priv.step = TILEDB_CHECK_END;
    }
    if (status == UTET_OK)
        status = utet_tiledb_finish(tile);
    return utet_tiledb_leave(tile, status);
}

#endif
