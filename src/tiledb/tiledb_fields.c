/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the fields of a structure by rules: each field is made addressable, then taken, then skipped. The fields of
 * all structures are lists of rules, so one function checks the values of all fields.
 */
#include <stdint.h>

#if SIZE_MAX >= 0xFFFFFFFF /* else nothing is left of this file: utet_tiledb.h says so */

#include "tiledb.h"

#include <string.h>

void utet_tiledb_begin(utet_tiledb *tile, uint32_t place)
{
    tile->priv.rule = 0;
    tile->priv.place = place;
    tile->priv.passed = 0;
    tile->priv.filters_left = 0;
}

/* The bytes of a text, which are hashed (FNV-1a), and compared with what is wanted. */
static utet_status fields_pass(utet_tiledb *tile, const utet_tiledb_text *text, int compare)
{
    if (tile->priv.passed == 0) {
        tile->priv.hash = 2166136261u;
        if (compare)
            tile->priv.differs = 0;
    }
    if (compare && tile->priv.wanted_len != text->size) /* a repeated call may have another length */
        tile->priv.differs = 1;
    while (tile->priv.passed < text->size) {
        utet_status status = utet_tiledb_fetch(tile, 1, text->offset + tile->priv.passed);
        uint32_t left = text->size - tile->priv.passed;
        uint32_t i;

        if (status != UTET_OK)
            return status;
        if (left > tile->priv.have)
            left = (uint32_t)tile->priv.have;
        for (i = 0; i < left; i++)
            tile->priv.hash = (tile->priv.hash ^ tile->priv.at[i]) * 16777619u;
        if (compare && !tile->priv.differs)
            tile->priv.differs = memcmp(tile->priv.at, tile->priv.wanted + tile->priv.passed, left) != 0;
        tile->priv.passed += left;
    }
    tile->priv.passed = 0;
    return UTET_OK;
}

utet_status utet_tiledb_stretch(utet_tiledb *tile, uint32_t size, utet_tiledb_text *text)
{
    tile->error_at = tile->priv.place;
    if (size > tile->size - tile->priv.place)
        return UTET_E_METADATA;
    text->offset = tile->priv.place;
    text->size = size;
    tile->priv.place += size;
    return UTET_OK;
}

static utet_status each_filter(utet_tiledb *tile, const utet_tiledb_filters *filters)
{
    if (tile->priv.passed == 0) {
        tile->priv.filters_left = filters->count;
        tile->priv.passed = 1;
    }
    for (; tile->priv.filters_left != 0; tile->priv.filters_left--) {
        utet_status status = utet_tiledb_filter_at(tile, &tile->priv.place, &tile->priv.passing);

        if (status != UTET_OK)
            return status;
    }
    tile->priv.passed = 0;
    return UTET_OK;
}

/* The minimum and maximum coordinate of a dimension (§4.5). */
static utet_status fields_range(utet_tiledb *tile, utet_tiledb_item *item)
{
    uint32_t least = utet_tiledb_type_size(item->datatype);
    uint32_t size = 2 * least;

    if (item->datatype == UTET_TILEDB_STRING_ASCII) {
        utet_status status = utet_tiledb_fetch(tile, 16, tile->priv.place);

        if (status != UTET_OK)
            return status;
        size = utet_le32(tile->priv.at);
        least = utet_le32(tile->priv.at + 8);
        if ((utet_le32(tile->priv.at + 4) | utet_le32(tile->priv.at + 12)) != 0 || least > size)
            return UTET_E_METADATA;
        tile->priv.place += 16;
    }
    item->least.offset = tile->priv.place;
    item->least.size = least;
    if (utet_tiledb_stretch(tile, size, &item->greatest) != UTET_OK)
        return UTET_E_METADATA;
    item->greatest.offset += least;
    item->greatest.size -= least;
    return UTET_OK;
}

/* Stores the number of `width` bytes at priv.at in the object, and skips it. */
static utet_status fields_take(utet_tiledb *tile, const utet_tiledb_rule *rule, unsigned width, void *to)
{
    const uint8_t *at = tile->priv.at;
    const uint32_t number = width == 1 ? at[0] : utet_le32(at);
    utet_tiledb_filters *filters = to;

    tile->priv.place += width;
    switch (rule->op) {
    case UTET_OP_TYPE:
        if (number >= UTET_TILEDB_DATATYPES)
            return UTET_E_DTYPE;
        break;
    case UTET_OP_U64: *(uint64_t *)to = utet_le64(at); return UTET_OK;
    case UTET_OP_FILTERS:
        filters->max_chunk_size = number;
        filters->count = utet_le32(at + 4);
        filters->offset = tile->priv.place;
        return UTET_OK;
    default:
        if (number < rule->of >> 4 || ((rule->of & 15) != 15 && number > (rule->of & 15u)) ||
            (rule->op == UTET_OP_BELOW && number >= tile->priv.below) ||
            (rule->op == UTET_OP_LONG_TEXT && utet_le32(at + 4) != 0))
            return UTET_E_METADATA;
        if (rule->op >= UTET_OP_TEXT)
            return utet_tiledb_stretch(tile, number, to);
        break;
    }
    if (width == 1)
        *(uint8_t *)to = (uint8_t)number;
    else
        *(uint32_t *)to = number;
    return UTET_OK;
}

utet_status utet_tiledb_walk(utet_tiledb *tile, const utet_tiledb_rule *rules, void *object)
{
    for (;; tile->priv.rule++) {
        const utet_tiledb_rule *rule = rules + tile->priv.rule;
        const unsigned width = rule->op / 16u;
        const utet_tiledb_item *item = object;
        void *to = (uint8_t *)object + rule->field;
        utet_status status = UTET_OK;

        switch (rule->op) {
        case UTET_OP_END: return UTET_OK;
        case UTET_OP_SINCE:
        case UTET_OP_BEFORE:
            if ((tile->version < rule->of) != (rule->op == UTET_OP_BEFORE))
                tile->priv.rule = (uint8_t)(tile->priv.rule + rule->field);
            break;
        case UTET_OP_UNLESS:
            if (*(uint8_t *)to != 0)
                return UTET_OK;
            break;
        case UTET_OP_EACH: status = each_filter(tile, to); break;
        case UTET_OP_NAME:
        case UTET_OP_HASH: status = fields_pass(tile, to, rule->op == UTET_OP_NAME); break;
        case UTET_OP_VALUE:
            status = utet_tiledb_stretch(
                tile, item->null_extent ? 0 : (uint32_t)utet_tiledb_type_size(item->datatype) << rule->of, to);
            break;
        case UTET_OP_RANGE: status = fields_range(tile, object); break;
        default:
            status = utet_tiledb_fetch(tile, width, tile->priv.place);
            if (status == UTET_OK)
                status = fields_take(tile, rule, width, to);
            break;
        }
        if (status != UTET_OK)
            return status;
    }
}

#endif
