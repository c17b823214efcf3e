/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Numbers as the reference prints them. */
#include "../fold/fold.h"
#include "../tet/show/show.h"
#include "query.h"

unsigned utet_query_printed(uint32_t dtype, const uint8_t *element, char *text)
{
    unsigned length = utet_show_put(dtype, element, text);
    unsigned i;
    int whole = utet_dtype_layouts[dtype].kind == FOLD_FLOAT;

    for (i = 0; i < length; i++)
        whole &= text[i] != '.' && text[i] != 'e';
    if (whole) {
        text[length++] = '.';
        text[length++] = '0';
    }
    return length;
}

unsigned utet_query_shortest(uint64_t bits, char *text)
{
    uint8_t element[8];

    fold_store(element, sizeof element, bits);
    return utet_query_printed(UTET_F64, element, text);
}
