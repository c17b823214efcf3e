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

    for (i = 0; i < sizeof element; i++)
        element[i] = (uint8_t)(bits >> 8 * i);
    (void)utet_show_text(UTET_F64, element, text, UTET_SHOW_SIZE, &length);
    for (i = 0; i < length; i++)
        whole &= text[i] != '.' && text[i] != 'e';
    if (whole) {
        text[length++] = '.';
        text[length++] = '0';
    }
    return (unsigned)length;
}
