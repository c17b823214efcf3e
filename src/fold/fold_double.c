/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Doubles as their bits: rounding to them, their order, and to and from the machine's own. Relies on IEEE 754 for
 * double, or binary32 where double has 32 bits, with the byte order of integers of the same size. */
#include "fold.h"

#include <float.h>
#include <string.h>

uint64_t utet_fold_round(unsigned negative, uint64_t magnitude, int32_t exponent, unsigned more)
{
    const uint64_t sign = negative ? FOLD_DOUBLE_SIGN : 0u;
    uint32_t rest;

    if (magnitude == 0)
        return sign;
    while (magnitude < FOLD_DOUBLE_SIGN) {
        magnitude <<= 1;
        exponent--;
    }
    exponent += 63 + 1022;
    if (exponent >= 2046)
        return sign | FOLD_DOUBLE_INF;
    for (; exponent < 0 && magnitude != 0; exponent++) { /* below the normal range fewer bits stay */
        more |= (unsigned)magnitude & 1u;
        magnitude >>= 1;
    }
    if (exponent < 0)
        exponent = 0;
    rest = (uint32_t)magnitude & 0x7FFu; /* of 64 bits 53 stay */
    magnitude >>= 11;
    if (rest > 0x400u || (rest == 0x400u && (more != 0 || (magnitude & 1) != 0)))
        magnitude++;
    /* The highest bit kept, and a carry, go into the exponent, up to infinity. */
    return sign | (((uint64_t)(uint32_t)exponent * ((uint64_t)1 << 52)) + magnitude);
}

uint64_t utet_fold_order(uint64_t bits)
{
    return (bits & FOLD_DOUBLE_SIGN) != 0 ? ~bits : bits | FOLD_DOUBLE_SIGN;
}

#if DBL_MANT_DIG == 53
uint64_t utet_fold_bits(double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    return bits;
}

double utet_fold_value(uint64_t bits)
{
    double value;

    memcpy(&value, &bits, sizeof value);
    return value;
}
#else
/* double is binary32. */
uint64_t utet_fold_bits(double value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof bits);
    return utet_fold_promote(&utet_dtype_layouts[UTET_F32], utet_fold_key(&utet_dtype_layouts[UTET_F32], bits));
}

/* Rounds to nearest, ties away from zero; below its normal range to zero. */
double utet_fold_value(uint64_t bits)
{
    uint32_t narrow = (uint32_t)(bits >> 32) & 0x80000000u;
    uint32_t exponent = (uint32_t)(bits >> 52) & 0x7FFu;
    uint64_t rest = bits & 0x7FFFFFFFFFFFFFFFu;
    double value;

    if (exponent == 0x7FF)
        narrow |= 0x7F800000u | ((rest & 0xFFFFFFFFFFFFFu) != 0 ? 0x400000u : 0u);
    else if (exponent > 1150)
        narrow |= 0x7F800000u;
    else if (exponent >= 897)
        narrow |= (uint32_t)(((rest + ((uint64_t)1 << 28)) >> 29) - ((uint64_t)896 << 23));
    memcpy(&value, &narrow, sizeof value);
    return value;
}
#endif
