/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Walking through the fields of a structure by rules: each field is made present, then taken, then left behind. The
 * fields of all structures are lists of rules, so what a field may be is checked in one place.
 */
#include "tiledb.h"

#include <string.h>

static const uint8_t width_of[] = {0, 1, 1, 4, 4, 4, 8, 8, 8, 0, 0, 0, 0, 0, 0, 0, 0}; /* by op: bytes in the file */

void utet_tiledb_begin(utet_tiledb *tile, uint32_t place)
{
    tile->priv.rule = 0;
    tile->priv.place = place;
    tile->priv.passed = 0;
    tile->priv.filters_left = 0;
}

/* The bytes of a text, which are hashed (FNV-1a), and compared with what is wanted. */
static utet_status pass(utet_tiledb *tile, const utet_tiledb_text *text, int compare)
{
    if (tile->priv.passed == 0) {
        tile->priv.hash = 2166136261u;
        if (compare)
            tile->priv.differs = tile->priv.wanted_len != text->size;
    }
    while (tile->priv.passed < text->size) {
        utet_status status = utet_tiledb_fetch(tile, 1, tile->priv.place + tile->priv.passed);
        uint32_t left = text->size - tile->priv.passed;
        uint32_t i;

        if (status != UTET_OK)
            return status;
        if (left > tile->priv.have)
            left = (uint32_t)tile->priv.have;
        for (i = 0; i < left; i++)
            tile->priv.hash = (tile->priv.hash ^ tile->priv.at[i]) * 16777619u;
        if (compare && tile->priv.wanted != NULL && !tile->priv.differs)
            tile->priv.differs = memcmp(tile->priv.at, tile->priv.wanted + tile->priv.passed, left) != 0;
        tile->priv.passed += left;
    }
    tile->priv.passed = 0;
    tile->priv.place += text->size;
    return UTET_OK;
}

/* A stretch of `size` bytes at the place, which is left behind. */
static utet_status stretch(utet_tiledb *tile, uint64_t size, utet_tiledb_text *text)
{
    if (size > tile->size - tile->priv.place) {
        tile->error_at = tile->priv.place;
        return UTET_E_METADATA;
    }
    text->offset = tile->priv.place;
    text->size = (uint32_t)size;
    return UTET_OK;
}

static utet_status each_filter(utet_tiledb *tile, const utet_tiledb_filters *filters)
{
    if (tile->priv.passed == 0) {
        tile->priv.filters_left = filters->count;
        tile->priv.passed = 1;
    }
    while (tile->priv.filters_left != 0) {
        uint32_t size;
        utet_status status = utet_tiledb_filter_at(tile, tile->priv.place, &tile->priv.passing, &size);

        if (status != UTET_OK)
            return status;
        tile->priv.place += size;
        tile->priv.filters_left--;
    }
    tile->priv.passed = 0;
    return UTET_OK;
}

/* The least and greatest coordinate of a dimension (§4.5). */
static utet_status range(utet_tiledb *tile, utet_tiledb_item *item)
{
    uint64_t size = utet_tiledb_type_size(item->datatype);
    uint64_t least = size;
    utet_status status;

    size *= 2;
    if (item->datatype == UTET_TILEDB_STRING_ASCII) {
        status = utet_tiledb_fetch(tile, 16, tile->priv.place);
        if (status != UTET_OK)
            return status;
        size = utet_le64(tile->priv.at);
        least = utet_le64(tile->priv.at + 8);
        if (least > size)
            return UTET_E_METADATA;
        tile->priv.place += 16;
    }
    status = stretch(tile, size, &item->greatest);
    if (status != UTET_OK)
        return status;
    item->least.offset = item->greatest.offset;
    item->least.size = (uint32_t)least;
    item->greatest.offset += (uint32_t)least;
    item->greatest.size -= (uint32_t)least;
    tile->priv.place += (uint32_t)size;
    return UTET_OK;
}

/* A value whose bytes lie at `at`: into the object. */
static utet_status take(utet_tiledb *tile, const utet_tiledb_rule *rule, const uint8_t *at, uint8_t *to)
{
    utet_tiledb_text text;
    utet_tiledb_filters filters;
    uint32_t number = 0;
    uint64_t size;
    utet_status status;

    if (rule->op >= UTET_OP_U32)
        number = utet_le32(at);
    switch (rule->op) {
    case UTET_OP_U8: *to = at[0]; return at[0] < rule->least || at[0] > rule->most ? UTET_E_METADATA : UTET_OK;
    case UTET_OP_TYPE: *to = at[0]; return at[0] >= UTET_TILEDB_DATATYPES ? UTET_E_DTYPE : UTET_OK;
    case UTET_OP_U64:
        size = utet_le64(at);
        memcpy(to, &size, sizeof size);
        return UTET_OK;
    case UTET_OP_FILTERS:
        filters.max_chunk_size = number;
        filters.count = utet_le32(at + 4);
        filters.offset = tile->priv.place + 8;
        memcpy(to, &filters, sizeof filters);
        return filters.count > (tile->size - filters.offset) / 5 ? UTET_E_METADATA : UTET_OK;
    case UTET_OP_TEXT:
    case UTET_OP_LONG_TEXT:
        size = rule->op == UTET_OP_TEXT ? number : utet_le64(at);
        tile->priv.place += width_of[rule->op];
        status = size < rule->least ? UTET_E_METADATA : stretch(tile, size, &text);
        tile->priv.place -= width_of[rule->op];
        if (status != UTET_OK)
            return status;
        memcpy(to, &text, sizeof text);
        return UTET_OK;
    default: /* U32, BELOW */
        memcpy(to, &number, sizeof number);
        return number < rule->least || (rule->op == UTET_OP_BELOW && number >= tile->priv.below) ? UTET_E_METADATA
                                                                                                 : UTET_OK;
    }
}

/* Fields whose size something else says. */
static utet_status special(utet_tiledb *tile, const utet_tiledb_rule *rule, void *object)
{
    uint8_t *to = (uint8_t *)object + rule->field;
    utet_tiledb_item *item = object;
    utet_tiledb_entry *entry = object;
    utet_tiledb_text text;
    utet_status status = UTET_OK;

    if (rule->op == UTET_OP_EACH) {
        utet_tiledb_filters filters;

        memcpy(&filters, to, sizeof filters);
        return each_filter(tile, &filters);
    }
    if (rule->op == UTET_OP_RANGE)
        return range(tile, item);
    memcpy(&text, to, sizeof text);
    switch (rule->op) {
    case UTET_OP_NAME:
    case UTET_OP_HASH: return pass(tile, &text, rule->op == UTET_OP_NAME);
    case UTET_OP_VALUE:
        status = stretch(tile, item->null_extent ? 0 : utet_tiledb_type_size(item->datatype), &text);
        break;
    case UTET_OP_COUNTED:
        status = stretch(tile, (uint64_t)entry->count * utet_tiledb_type_size(entry->datatype), &text);
        break;
    default: /* SKIP */ break;
    }
    if (status != UTET_OK)
        return status;
    memcpy(to, &text, sizeof text);
    tile->priv.place += text.size;
    return UTET_OK;
}

utet_status utet_tiledb_walk(utet_tiledb *tile, const utet_tiledb_rule *rules, void *object)
{
    const utet_tiledb_rule *rule;

    for (rule = rules + tile->priv.rule; rule->op != UTET_OP_END; rule = rules + ++tile->priv.rule) {
        const unsigned width = width_of[rule->op];
        utet_status status;

        if (rule->since > tile->version)
            continue;
        if (rule->op == UTET_OP_UNLESS) {
            if (((const uint8_t *)object)[rule->field] != 0)
                break;
            continue;
        }
        if (width == 0) {
            status = special(tile, rule, object);
        } else {
            status = utet_tiledb_fetch(tile, width, tile->priv.place);
            if (status == UTET_OK)
                status = take(tile, rule, tile->priv.at, (uint8_t *)object + rule->field);
            if (status == UTET_OK)
                tile->priv.place += width;
        }
        if (status != UTET_OK)
            return status;
    }
    return UTET_OK;
}
