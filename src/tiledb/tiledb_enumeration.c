/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* An enumeration file (§5.1): its head, and values by their number. */
#include <stdint.h>

#if SIZE_MAX >= 0xFFFFFFFF /* else nothing is left of this file: utet_tiledb.h says so */

#include "tiledb.h"

#include <string.h>

#define IN_ENUMERATION(name) offsetof(utet_tiledb_enumeration, name)

enum { OFFSET = 8 }; /* bytes of an offset in the file */
enum { ENUMERATION_BEGIN, ENUMERATION_HEAD, ENUMERATION_OFFSETS };

static const utet_tiledb_rule enumeration_head_rules[] = {
    {UTET_OP_U32, UTET_ANY, IN_ENUMERATION(version)},
    {UTET_OP_TEXT, UTET_ANY, IN_ENUMERATION(name)},
    {UTET_OP_TEXT, UTET_ANY, IN_ENUMERATION(path)},
    {UTET_OP_TYPE, UTET_ANY, IN_ENUMERATION(datatype)},
    {UTET_OP_U32, UTET_FROM_TO(1, 15), IN_ENUMERATION(cell_val_num)},
    {UTET_OP_U8, UTET_FROM_TO(0, 1), IN_ENUMERATION(ordered)},
    {UTET_OP_LONG_TEXT, UTET_ANY, IN_ENUMERATION(data)},
    UTET_RULES_END};
static const utet_tiledb_rule offsets_rules[] = {{UTET_OP_LONG_TEXT, UTET_ANY, IN_ENUMERATION(offsets)},
                                                 UTET_RULES_END};

/* Checks the sizes, and computes the number of values. */
static utet_status count_values(utet_tiledb_enumeration *enumeration, utet_tiledb *tile)
{
    uint64_t size;

    tile->error_at = enumeration->data.offset;
    if (tile->priv.place != tile->size) {
        tile->error_at = tile->priv.place;
        return UTET_E_METADATA;
    }
    if (enumeration->cell_val_num == UTET_TILEDB_VAR) {
        enumeration->count = enumeration->offsets.size / OFFSET;
        return enumeration->offsets.size % OFFSET != 0 || (enumeration->count == 0 && enumeration->data.size != 0)
                   ? UTET_E_METADATA
                   : UTET_OK;
    }
    size = utet_mul(enumeration->cell_val_num, utet_tiledb_type_size(enumeration->datatype));
    if (size > UINT32_MAX)
        return enumeration->data.size == 0 ? UTET_OK : UTET_E_METADATA;
    enumeration->priv.value_size = (uint32_t)size;
    enumeration->count = enumeration->data.size / (uint32_t)size;
    return enumeration->data.size % (uint32_t)size == 0 ? UTET_OK : UTET_E_METADATA;
}

static utet_status enumeration_open_steps(utet_tiledb_enumeration *enumeration, utet_tiledb *tile)
{
    utet_status status;

    if (tile->priv.step == ENUMERATION_HEAD) {
        status = utet_tiledb_walk(tile, enumeration_head_rules, enumeration);
        if (status != UTET_WOULD_BLOCK && tile->priv.rule != 0 && enumeration->version != 0)
            return UTET_E_VERSION;
        if (status != UTET_OK)
            return status;
        utet_tiledb_begin(tile, tile->priv.place);
        tile->priv.step = ENUMERATION_OFFSETS;
    }
    if (enumeration->cell_val_num == UTET_TILEDB_VAR) {
        status = utet_tiledb_walk(tile, offsets_rules, enumeration);
        if (status != UTET_OK)
            return status;
    }
    return count_values(enumeration, tile);
}

utet_status utet_tiledb_enumeration_open(utet_tiledb_enumeration *enumeration, utet_tiledb *tile)
{
    utet_status status = utet_tiledb_enter(tile, UTET_CALL_TILEDB_ENUMERATION);

    if (status != UTET_OK)
        return status;
    if (tile->priv.step == ENUMERATION_BEGIN) {
        memset(enumeration, 0, sizeof *enumeration);
        utet_tiledb_begin(tile, 0);
        tile->priv.step = ENUMERATION_HEAD;
    }
    status = enumeration_open_steps(enumeration, tile);
    if (status == UTET_OK)
        enumeration->priv.tile = tile;
    return utet_tiledb_leave(tile, status);
}

/* Offset of value `index`; with the number of values as index, the end of the data. */
static utet_status enumeration_read_offset(utet_tiledb_enumeration *enumeration, uint32_t index, uint32_t *offset)
{
    utet_tiledb *tile = enumeration->priv.tile;
    uint64_t value = enumeration->data.size;

    if (index < enumeration->count) {
        utet_status status = utet_tiledb_fetch(tile, OFFSET, enumeration->offsets.offset + index * OFFSET);

        if (status != UTET_OK)
            return status;
        value = utet_le64(tile->priv.at);
    }
    if (value > enumeration->data.size)
        return UTET_E_METADATA;
    *offset = (uint32_t)value;
    return UTET_OK;
}

/* Fills the batch from value `index` on, one offset more than it has values. */
static utet_status read_batch(utet_tiledb_enumeration *enumeration, uint32_t index)
{
    uint32_t *batch = enumeration->priv.batch;

    if (enumeration->priv.first != index) {
        enumeration->priv.first = index;
        enumeration->priv.filled = 0;
    }
    while (enumeration->priv.filled <= UTET_TILEDB_BATCH && index + enumeration->priv.filled <= enumeration->count) {
        const uint32_t filled = enumeration->priv.filled;
        utet_status status = enumeration_read_offset(enumeration, index + filled, &batch[filled]);

        if (status != UTET_OK)
            return status;
        if (filled != 0 && batch[filled] < batch[filled - 1])
            return UTET_E_METADATA;
        enumeration->priv.filled++;
    }
    return UTET_OK;
}

utet_status utet_tiledb_value_at(utet_tiledb_enumeration *enumeration, uint32_t index, utet_tiledb_text *value)
{
    const uint32_t *batch;
    const uint32_t filled = enumeration->priv.filled;
    uint32_t in_batch = index - enumeration->priv.first; /* wraps before it */

    if (enumeration->cell_val_num != UTET_TILEDB_VAR) {
        value->offset = enumeration->data.offset + index * enumeration->priv.value_size;
        value->size = enumeration->priv.value_size;
        return UTET_OK;
    }
    /* A batch that is not read to its end belongs to a suspended call, which continues to read it. */
    if (in_batch >= filled || in_batch + 1 == filled ||
        (filled <= UTET_TILEDB_BATCH && enumeration->priv.first + filled <= enumeration->count)) {
        utet_status status = read_batch(enumeration, index);

        if (status != UTET_OK)
            return status;
        in_batch = 0;
    }
    batch = enumeration->priv.batch + in_batch;
    value->offset = enumeration->data.offset + batch[0];
    value->size = batch[1] - batch[0];
    return UTET_OK;
}

utet_status utet_tiledb_value(utet_tiledb_enumeration *enumeration, uint32_t index, utet_tiledb_text *value)
{
    utet_status status;

    if (enumeration->priv.tile == NULL)
        return UTET_E_STATE;
    status = utet_tiledb_enter(enumeration->priv.tile, UTET_CALL_TILEDB_VALUE);
    if (status != UTET_OK)
        return status;
    status = index < enumeration->count ? utet_tiledb_value_at(enumeration, index, value) : UTET_E_RANGE;
    return utet_tiledb_leave(enumeration->priv.tile, status);
}

#endif
