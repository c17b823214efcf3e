/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* One filter of a list, and what its options have to be (§3). */
#include <stdint.h>

#if SIZE_MAX >= 0xFFFFFFFF /* else nothing is left of this file: utet_tiledb.h says so */

#include "tiledb.h"

#include <string.h>

/* content of the options */
enum {
    OPTIONS_NONE,
    OPTIONS_LEVEL,  /* compressor byte, level */
    OPTIONS_WINDOW, /* window */
    OPTIONS_DELTA,  /* compressor byte, level, and since a version the datatype */
    OPTIONS_SCALE,  /* factor, offset, byte width */
    OPTIONS_WEBP,   /* quality, format, lossless, two extents, two bytes of padding */
    OPTIONS_UNKNOWN
};

enum { HEAD = 5, TYPES = 20, REINTERPRET_DOUBLE_DELTA = 20, REINTERPRET_DELTA = 19, WEBP_FORMATS = 5 };

static const uint8_t options_of[TYPES] = {
    OPTIONS_NONE,   OPTIONS_LEVEL, OPTIONS_LEVEL, OPTIONS_LEVEL,   OPTIONS_LEVEL,   OPTIONS_LEVEL, OPTIONS_DELTA,
    OPTIONS_WINDOW, OPTIONS_NONE,  OPTIONS_NONE,  OPTIONS_WINDOW,  OPTIONS_UNKNOWN, OPTIONS_NONE,  OPTIONS_NONE,
    OPTIONS_LEVEL,  OPTIONS_SCALE, OPTIONS_NONE,  OPTIONS_UNKNOWN, OPTIONS_WEBP,    OPTIONS_DELTA};
static const uint8_t size_of[OPTIONS_UNKNOWN] = {0, 5, 4, 5, 24, 12};

/* Dictionary and delta have numbers of their own among the compressors. */
static unsigned compressor_of(unsigned type)
{
    return type == UTET_TILEDB_DICTIONARY ? 7u : type == UTET_TILEDB_DELTA ? 8u : type;
}

/* Takes the options at `at`; 0 = they are invalid. */
static int tiledb_filter_take(utet_tiledb_filter *filter, const uint8_t *at, unsigned kind, unsigned size)
{
    enum { WIDTHS = 0x116 }; /* a bit each: 1, 2, 4, 8 */
    uint32_t extents;

    switch (kind) {
    case OPTIONS_WINDOW: filter->window = utet_le32(at); break;
    case OPTIONS_LEVEL:
    case OPTIONS_DELTA:
        if (at[0] != compressor_of(filter->type))
            return 0;
        filter->level = (int32_t)utet_le32(at + 1);
        if (size > 5)
            filter->reinterpret = at[5];
        return filter->reinterpret < UTET_TILEDB_DATATYPES;
    case OPTIONS_SCALE:
        filter->factor = utet_le64(at);
        filter->offset = utet_le64(at + 8);
        filter->byte_width = utet_le32(at + 16);
        return utet_le32(at + 20) == 0 && filter->byte_width <= 8 && (WIDTHS >> filter->byte_width & 1) != 0;
    case OPTIONS_WEBP:
        filter->quality = utet_le32(at);
        filter->format = at[4];
        filter->lossless = at[5];
        extents = utet_le32(at + 6);
        filter->extent[0] = (uint16_t)extents;
        filter->extent[1] = (uint16_t)(extents >> 16);
        return at[4] < WEBP_FORMATS && at[5] < 2;
    default: break;
    }
    return 1;
}

utet_status utet_tiledb_filter_at(utet_tiledb *tile, uint32_t *place, utet_tiledb_filter *filter)
{
    const uint8_t *at;
    unsigned type;
    unsigned kind;
    unsigned length;
    utet_status status = utet_tiledb_fetch(tile, HEAD, *place);

    if (status != UTET_OK)
        return status;
    at = tile->priv.at;
    type = at[0];
    kind = type < TYPES ? options_of[type] : OPTIONS_UNKNOWN;
    if (kind == OPTIONS_UNKNOWN)
        return UTET_E_METADATA;
    length = size_of[kind];
    if (kind == OPTIONS_DELTA &&
        tile->version >= (type == UTET_TILEDB_DELTA ? REINTERPRET_DELTA : REINTERPRET_DOUBLE_DELTA))
        length++;
    if (utet_le32(at + 1) != length)
        return UTET_E_METADATA;
    status = utet_tiledb_fetch(tile, HEAD + length, *place);
    if (status != UTET_OK)
        return status;
    memset(filter, 0, sizeof *filter);
    filter->type = (uint8_t)type;
    filter->reinterpret = UTET_TILEDB_ANY;
    if (!tiledb_filter_take(filter, tile->priv.at + HEAD, kind, length))
        return UTET_E_METADATA;
    *place += HEAD + length;
    return UTET_OK;
}

utet_status utet_tiledb_filter_next(utet_tiledb *tile, utet_tiledb_filters *filters, utet_tiledb_filter *filter)
{
    utet_status status;

    if (filters->count == 0)
        return UTET_END;
    status = utet_tiledb_enter(tile, UTET_CALL_TILEDB_FILTER);
    if (status != UTET_OK)
        return status;
    status = utet_tiledb_filter_at(tile, &filters->offset, filter);
    if (status == UTET_OK)
        filters->count--;
    return utet_tiledb_leave(tile, status);
}

#endif
