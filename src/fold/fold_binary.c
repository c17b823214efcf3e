/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Numbers of 53 bits whose exponent has no limit: what IEEE 754 would round to, if nothing were too large or small. */
#include "fold.h"

utet_fold_binary utet_fold_fit(uint64_t magnitude, int32_t exponent, unsigned negative, unsigned more)
{
    utet_fold_binary number = {0, 0, negative};
    uint64_t rest;

    if (magnitude == 0)
        return number;
    while (magnitude < (uint64_t)1 << 56) {
        magnitude <<= 8;
        exponent -= 8;
    }
    while (magnitude < (uint64_t)1 << 63) {
        magnitude <<= 1;
        exponent--;
    }
    rest = magnitude & 0x7FF;
    number.magnitude = magnitude >> 11;
    number.exponent = exponent + 11;
    if (rest > 0x400 || (rest == 0x400 && (more != 0 || (number.magnitude & 1) != 0)))
        number.magnitude++;
    if (number.magnitude >> 53 != 0) {
        number.magnitude >>= 1;
        number.exponent++;
    }
    return number;
}

utet_fold_binary utet_fold_binary_of(uint64_t bits)
{
    const uint32_t exponent = (uint32_t)(bits >> 52) & 0x7FFu;
    const uint64_t one = (uint64_t)1 << 52;
    const utet_fold_binary normal = {(bits & (one - 1)) | one, (int32_t)exponent - 1075, (unsigned)(bits >> 63)};

    return exponent != 0 ? normal : utet_fold_fit(bits & (one - 1), -1074, normal.negative, 0);
}

utet_fold_binary utet_fold_binary_near(const fold_number *number)
{
    unsigned more;
    uint64_t high = fold_number_high(number, &more);

    return utet_fold_fit(high, number->exponent + 128, 0, more);
}

utet_fold_binary utet_fold_binary_multiply(const utet_fold_binary *a, const utet_fold_binary *b)
{
    uint64_t low = (a->magnitude & UINT32_MAX) * (b->magnitude & UINT32_MAX);
    uint64_t middle = (a->magnitude >> 32) * (b->magnitude & UINT32_MAX) +
                      (a->magnitude & UINT32_MAX) * (b->magnitude >> 32) + (low >> 32);
    uint64_t high = (a->magnitude >> 32) * (b->magnitude >> 32);

    return utet_fold_fit((high << 22) + (middle >> 10), a->exponent + b->exponent + 42, a->negative ^ b->negative,
                         ((middle & 0x3FF) | (low & UINT32_MAX)) != 0);
}

void utet_fold_binary_add(utet_fold_binary *to, const utet_fold_binary *by)
{
    const utet_fold_binary *a = to;
    const utet_fold_binary *b = by;
    uint64_t large;
    uint64_t small;
    unsigned more = 0;
    uint32_t down;

    if (b->magnitude == 0)
        return;
    if (a->magnitude == 0) {
        *to = *b;
        return;
    }
    if (a->exponent < b->exponent || (a->exponent == b->exponent && a->magnitude < b->magnitude)) {
        a = by;
        b = to;
    }
    down = (uint32_t)(a->exponent - b->exponent);
    if (down > 63) { /* too little to change a number of 53 bits */
        *to = *a;
        return;
    }
    large = a->magnitude << 10;
    small = b->magnitude << 10;
    if (down != 0) {
        more = (small & (((uint64_t)1 << down) - 1)) != 0;
        small >>= down;
    }
    if (a->negative == b->negative)
        large += small;
    else
        large -= small + more;
    *to = utet_fold_fit(large, a->exponent - 10, a->negative, more);
    if (large == 0)
        to->negative = 0;
}
