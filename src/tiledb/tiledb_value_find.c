/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Values of an enumeration one after another: all offsets checked, the number of a value found. */
#include <stdint.h>

#if SIZE_MAX >= 0xFFFFFFFF /* else nothing is left of this file: utet_tiledb.h says so */

#include "tiledb.h"

#include <string.h>

enum { VALUE_FIND_BEGIN, VALUE_FIND_VALUES, VALUE_FIND_END };

/* utet_tiledb_enter for an enumeration that is open; before its first value. */
static utet_status value_find_enter(utet_tiledb_enumeration *enumeration, uint8_t call)
{
    utet_tiledb *tile = enumeration->priv.tile;
    utet_status status;

    if (tile == NULL)
        return UTET_E_STATE;
    status = utet_tiledb_enter(tile, call);
    if (status == UTET_OK && tile->priv.step == VALUE_FIND_BEGIN) {
        enumeration->priv.number = 0;
        enumeration->priv.passed = 0;
        tile->priv.step = VALUE_FIND_VALUES;
    }
    return status;
}

utet_status utet_tiledb_enumeration_check(utet_tiledb_enumeration *enumeration)
{
    utet_tiledb *tile;
    utet_status status = value_find_enter(enumeration, UTET_CALL_TILEDB_OFFSETS);

    if (status != UTET_OK)
        return status;
    tile = enumeration->priv.tile;
    while (status == UTET_OK && tile->priv.step == VALUE_FIND_VALUES) {
        utet_tiledb_text value;

        if (enumeration->priv.number == enumeration->count) {
            tile->priv.step = VALUE_FIND_END;
        } else {
            status = utet_tiledb_value_at(enumeration, enumeration->priv.number, &value);
            if (status == UTET_OK)
                enumeration->priv.number++;
        }
    }
    if (status == UTET_OK)
        status = utet_tiledb_finish(tile);
    return utet_tiledb_leave(tile, status);
}

/* Is `text` what is wanted? UTET_OK, UTET_END: no. Their sizes are equal. */
static utet_status value_find_compare(utet_tiledb_enumeration *enumeration, const utet_tiledb_text *text,
                                      const uint8_t *wanted)
{
    utet_tiledb *tile = enumeration->priv.tile;

    while (enumeration->priv.passed < text->size) {
        uint32_t left = text->size - enumeration->priv.passed;
        utet_status status = utet_tiledb_fetch(tile, 1, text->offset + enumeration->priv.passed);

        if (status != UTET_OK)
            return status;
        if (left > tile->priv.have)
            left = (uint32_t)tile->priv.have;
        if (memcmp(tile->priv.at, wanted + enumeration->priv.passed, left) != 0)
            return UTET_END;
        enumeration->priv.passed += left;
    }
    return UTET_OK;
}

utet_status utet_tiledb_value_find(utet_tiledb_enumeration *enumeration, const void *value, size_t length,
                                   uint32_t *index)
{
    utet_status status = value_find_enter(enumeration, UTET_CALL_TILEDB_VALUE_FIND);

    if (status != UTET_OK)
        return status;
    for (status = UTET_E_NOT_FOUND; enumeration->priv.number < enumeration->count; enumeration->priv.number++) {
        utet_tiledb_text text;

        status = utet_tiledb_value_at(enumeration, enumeration->priv.number, &text);
        if (status == UTET_OK)
            status = text.size != length ? UTET_END : value_find_compare(enumeration, &text, value);
        if (status != UTET_END)
            break;
        status = UTET_E_NOT_FOUND;
        enumeration->priv.passed = 0;
    }
    if (status == UTET_OK)
        *index = enumeration->priv.number;
    return utet_tiledb_leave(enumeration->priv.tile, status);
}

#endif
