/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Contracts of rows and tiles (container.h), for harnesses of what is built on them: any values, or any failure. */
#include "eva_any.h"

#include "tet/container/container.h"

/* Success, or "not yet", or this status. */
static utet_status any_status(utet_status failure)
{
    return Frama_C_interval(0, 1) ? UTET_OK : Frama_C_interval(0, 1) ? UTET_WOULD_BLOCK : failure;
}

utet_status utet_row_check(utet_file *f, const utet_chunk *chunk)
{
    (void)f;
    (void)chunk;
    return Frama_C_interval(0, 1) ? UTET_OK : UTET_E_ROW;
}

int utet_row_is(const uint8_t *at, const utet_dataset *dataset, const uint64_t *coords)
{
    (void)at;
    (void)dataset;
    (void)coords;
    return Frama_C_interval(0, 1);
}

utet_status utet_row_fail(utet_file *f, unsigned field, uint64_t row)
{
    f->error_offset = utet_add(row, field);
    return UTET_E_ROW;
}

#ifndef EVA_ROWS_OF_ITS_OWN          /* a harness that finds rows by itself */
#define utet_row_fetch fetch_any_row /* instead of the inline function */
static utet_status utet_row_fetch(utet_file *f, uint64_t row)
{
    static uint8_t bytes[UTET_ROW_BYTES];

    (void)row;
    Frama_C_make_unknown((char *)bytes, sizeof bytes);
    f->priv.at = bytes;
    return any_status(UTET_E_SHORT);
}

#ifndef any_row
#define any_row any64
#endif

utet_status utet_tile_locate(utet_file *f, const utet_dataset *dataset, const uint64_t *coords, struct utet_tile *tile)
{
    (void)f;
    (void)dataset;
    (void)coords;
    tile->bytes = any64();
    tile->row = any_row();
    return Frama_C_interval(0, 1) ? UTET_OK : UTET_E_RANGE;
}
#endif
