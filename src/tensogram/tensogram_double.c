/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Numbers of CBOR as floating point, by their bits: that takes none of the machine's floating point, which is a
 * kilobyte of code where it is missing. */
#include <stdint.h>

#if SIZE_MAX >= 0xFFFFFFFF /* else nothing is left of this file: utet_tensogram.h says so */

#include "tensogram.h"

#include <string.h>

/* The bits of the float64 nearest to an integer, ties to even. */
static uint64_t tensogram_double_nearest(uint64_t magnitude)
{
    unsigned exponent = 1023 + 63;
    uint64_t rest;

    if (magnitude == 0)
        return 0;
    for (; magnitude >> 63 == 0; exponent--)
        magnitude <<= 1;
    rest = magnitude & 0x7FF; /* below the 53 bits that it has */
    magnitude >>= 11;
    if (rest > 0x400 || (rest == 0x400 && (magnitude & 1) != 0))
        magnitude++; /* may become 2^53: the sum below carries it into the exponent */
    return ((uint64_t)(exponent - 1) << 52) + magnitude;
}

double utet_item_double(const utet_item *item)
{
    uint64_t bits = 0;
    double value;

    if (item->kind == UTET_CBOR_UNSIGNED || item->kind == UTET_CBOR_BOOLEAN)
        bits = tensogram_double_nearest(item->number);
    else if (item->kind == UTET_CBOR_NEGATIVE && item->number == UINT64_MAX)
        bits = (uint64_t)1 << 63 | (uint64_t)(1023 + 64) << 52;
    else if (item->kind == UTET_CBOR_NEGATIVE)
        bits = (uint64_t)1 << 63 | tensogram_double_nearest(item->number + 1);
    else if (item->kind == UTET_CBOR_FLOAT)
        bits = item->number;
    memcpy(&value, &bits, sizeof value);
    return value;
}

#endif
