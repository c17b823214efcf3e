/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* A double and its rest as an integer of 64 bits. */
#include "fold.h"

#define HIDDEN ((uint64_t)1 << 52) /* the top bit of a normal double */

/* It moves one bit at a time: small code, at most 53 steps. */
int utet_fold_whole_part(uint64_t number, int rest, uint64_t *whole, unsigned *more)
{
    fold_element parts;
    int exponent;

    utet_fold_split(&utet_dtype_layouts[UTET_F64], number, &parts);
    exponent = (int)parts.shift - 1074;
    if (parts.negative)
        rest = -rest;
    *whole = 0;
    if (parts.special != FOLD_FINITE || exponent > 12 || (exponent == 12 && (parts.magnitude != HIDDEN || rest >= 0)))
        return 0; /* u64 ends below 2^64 */
    for (; exponent < 0 && parts.magnitude != 0; exponent++) {
        if ((parts.magnitude & 1) != 0)
            *more = 1;
        parts.magnitude >>= 1;
    }
    for (; exponent > 0; exponent--)
        parts.magnitude += parts.magnitude; /* 2^64 becomes 0: rest takes it below */
    *whole = parts.magnitude + (uint64_t)(int64_t)rest;
    return 1;
}

int utet_fold_whole(const fold_layout *layout, uint64_t number, int rest, uint64_t *element)
{
    const unsigned negative = (number & FOLD_DOUBLE_SIGN) != 0;
    uint64_t most = layout->sign - 1;
    uint64_t whole;
    unsigned more = rest > FOLD_MOST_REST;

    if (!utet_fold_whole_part(number, rest, &whole, &more) || more != 0)
        return 0;
    if (layout->kind == FOLD_UNSIGNED)
        most = negative ? 0 : fold_most(layout);
    else
        most += negative;
    *element = (negative ? 0 - whole : whole) & fold_most(layout);
    return whole <= most;
}
