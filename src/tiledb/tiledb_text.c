/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Bytes of a text into memory. */
#include <stdint.h>

#if SIZE_MAX >= 0xFFFFFFFF /* else nothing is left of this file: utet_tiledb.h says so */

#include "tiledb.h"

#include <string.h>

utet_status utet_tiledb_copy(utet_tiledb *tile, const utet_tiledb_text *text, uint8_t *buffer, size_t size)
{
    while (tile->priv.done < size) {
        size_t some = size - tile->priv.done;
        utet_status status = utet_tiledb_fetch(tile, 1, text->offset + (uint32_t)tile->priv.done);

        if (status != UTET_OK)
            return status;
        if (some > tile->priv.have)
            some = tile->priv.have;
        memcpy(buffer + tile->priv.done, tile->priv.at, some);
        tile->priv.done += some;
    }
    return UTET_OK;
}

utet_status utet_tiledb_read(utet_tiledb *tile, utet_tiledb_text *text, void *buffer, size_t size, size_t *got)
{
    utet_status status = utet_tiledb_enter(tile, UTET_CALL_TILEDB_READ);

    *got = 0;
    if (status == UTET_OK)
        status = utet_given(tile->priv.file, buffer, size);
    if (status != UTET_OK)
        return status;
    if (size > text->size)
        size = text->size;
    status = size == 0 ? UTET_END : utet_tiledb_copy(tile, text, buffer, size);
    if (status == UTET_OK) {
        text->offset += (uint32_t)size;
        text->size -= (uint32_t)size;
        *got = size;
    }
    return utet_tiledb_leave(tile, status);
}

#endif
