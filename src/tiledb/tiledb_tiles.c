/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Tiles along a dimension: a domain may be the whole range of its datatype, so its length fits nowhere. */
#include <stdint.h>

#if SIZE_MAX >= 0xFFFFFFFF /* else nothing is left of this file: utet_tiledb.h says so */

#include "tiledb.h"

enum {
    TYPE_INT32 = 0,
    TYPE_INT64 = 1,
    TYPE_INT8 = 5,
    TYPE_UINT8 = 6,
    TYPE_INT16 = 7,
    TYPE_UINT64 = 10,
    TYPE_DATETIME = 18,
    TYPE_BLOB = 40
};

/* A whole number of `size` bytes, as one of 64 bits whose order is that of the values. */
static uint64_t tiles_load(const uint8_t *at, unsigned size, int is_signed)
{
    uint64_t value = 0;
    unsigned i;

    for (i = size; i-- > 0;)
        value = value << 8 | at[i];
    if (is_signed) {
        uint64_t top = 0x80;

        for (i = 1; i < size; i++)
            top <<= 8;
        value = (value ^ top) - top; /* extends the sign to the left */
        value ^= (uint64_t)1 << 63;
    }
    return value;
}

uint64_t utet_tiledb_tiles(unsigned datatype, const void *domain, const void *extent)
{
    const unsigned size = utet_tiledb_type_size(datatype);
    const int is_date = datatype >= TYPE_DATETIME && datatype < TYPE_BLOB;
    const int is_signed = is_date || datatype == TYPE_INT32 || datatype == TYPE_INT64 || datatype == TYPE_INT8 ||
                          datatype == TYPE_INT16;
    const int is_whole = is_date || datatype <= TYPE_INT64 || (datatype >= TYPE_INT8 && datatype <= TYPE_UINT64);
    uint64_t least;
    uint64_t greatest;
    uint64_t step;

    if (!is_whole)
        return 0;
    least = tiles_load(domain, size, is_signed);
    greatest = tiles_load((const uint8_t *)domain + size, size, is_signed);
    step = tiles_load(extent, size, is_signed);
    if (is_signed) {
        if (step >> 63 == 0)
            return 0;
        step ^= (uint64_t)1 << 63;
    }
    if (greatest < least || step == 0)
        return 0;
    least = utet_div(greatest - least, step);
    return least == UINT64_MAX ? least : least + 1;
}

#endif
