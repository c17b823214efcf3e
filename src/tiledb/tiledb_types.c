/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Sizes of datatypes (§4.6). */
#include <stdint.h>

#if SIZE_MAX >= 0xFFFFFFFF /* else nothing is left of this file: utet_tiledb.h says so */

#include "tiledb.h"

unsigned utet_tiledb_type_size(unsigned datatype)
{
    enum { DATES = 18, BLOB = 40 }; /* before dates numbers and characters, from BLOB on bytes */
    static const uint8_t sizes[DATES] = {4, 8, 4, 8, 1, 1, 1, 2, 2, 4, 8, 1, 1, 2, 4, 2, 4, 1};

    if (datatype < DATES)
        return sizes[datatype];
    return datatype < BLOB ? 8 : datatype < UTET_TILEDB_DATATYPES ? 1 : 0;
}

#endif
