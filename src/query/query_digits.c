/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* A double as the reference prints it. */
#include "../fold/fold.h"
#include "query.h"
#include "utet_show.h"

unsigned utet_query_shortest(uint64_t bits, char *text)
{
    uint8_t element[8];
    size_t length;
    size_t i;
    int whole = 1;

    fold_store(element, sizeof element, bits);
    (void)utet_show_text(UTET_F64, element, text, UTET_SHOW_SIZE, &length);
    for (i = 0; i < length; i++)
        whole &= text[i] != '.' && text[i] != 'e';
    if (whole) {
        text[length++] = '.';
        text[length++] = '0';
    }
    return (unsigned)length;
}
