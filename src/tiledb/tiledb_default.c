/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Fill values of attributes of format versions that do not store them (§4.7). */
#include <stdint.h>

#if SIZE_MAX >= 0xFFFFFFFF /* else nothing is left of this file: utet_tiledb.h says so */

#include "tiledb.h"

unsigned utet_tiledb_default(unsigned datatype, uint8_t value[8])
{
    enum { DATES = 18, BLOB = 40 };
    enum { LEAST = 0x80, GREATEST = 0xFF, NOT_A_NUMBER = 0x7F }; /* the last byte of each; of GREATEST all bytes */
    static const uint8_t last[DATES] = {LEAST,    LEAST, NOT_A_NUMBER, NOT_A_NUMBER, LEAST,    LEAST,
                                        GREATEST, LEAST, GREATEST,     GREATEST,     GREATEST, 0};
    const unsigned size = utet_tiledb_type_size(datatype);
    const unsigned most = datatype < DATES ? last[datatype] : datatype < BLOB ? LEAST : 0;
    unsigned i;

    for (i = 0; i + 1 < size; i++)
        value[i] = most == GREATEST ? GREATEST : 0;
    if (size == 0)
        return 0;
    value[size - 1] = (uint8_t)most;
    if (most == NOT_A_NUMBER)
        value[size - 2] = size == 8 ? 0xF8 : 0xC0;
    return size;
}

#endif
