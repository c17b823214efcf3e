/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Sizes of datatypes (§4.6). */
#include "tiledb.h"

unsigned utet_tiledb_type_size(unsigned datatype)
{
    static const uint8_t sizes[UTET_TILEDB_DATATYPES] = {4, 8, 4, 8, 1, 1, 1, 2, 2, 4, 8, 1, 1, 2, 4,
                                                         2, 4, 1, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8,
                                                         8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 1, 1, 1, 1};

    return datatype < UTET_TILEDB_DATATYPES ? sizes[datatype] : 0;
}
