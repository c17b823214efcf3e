/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Integers as wide as an exact sum, and what is made of them in the end: a quotient, a root, the nearest double. */
#include "fold.h"

void utet_fold_wide_add(uint32_t *words, unsigned count, unsigned shift, uint64_t magnitude, unsigned negative)
{
    const uint32_t *end = words + count;
    const uint32_t flip = negative ? UINT32_MAX : 0u;
    uint64_t carry = negative ? 1u : 0u;
    const uint64_t same = carry; /* a carry that changes no further word */
    uint64_t low = (magnitude & UINT32_MAX) << (shift & 31u);
    uint64_t high = (magnitude >> 32) << (shift & 31u);

    words += shift >> 5;
    carry += (uint64_t)*words + ((uint32_t)low ^ flip);
    *words++ = (uint32_t)carry;
    carry = (carry >> 32) + *words + (((uint32_t)(low >> 32) | (uint32_t)high) ^ flip);
    *words++ = (uint32_t)carry;
    high >>= 32;
    carry = (carry >> 32) + *words + ((uint32_t)high ^ flip);
    *words++ = (uint32_t)carry;
    while (carry >> 32 != same && words != end) {
        carry = (carry >> 32) + *words + flip;
        *words++ = (uint32_t)carry;
    }
}

void utet_fold_wide_add_signed(uint32_t *words, unsigned count, uint64_t value)
{
    const unsigned negative = value >> 63 != 0;

    utet_fold_wide_add(words, count, 0, negative ? ~value + 1 : value, negative);
}

void utet_fold_wide_add_product(uint32_t *words, unsigned count, unsigned shift, uint64_t a, uint64_t b,
                                unsigned negative)
{
    for (; b != 0; b >>= 32, shift += 32) {
        const uint64_t low = (a & UINT32_MAX) * (b & UINT32_MAX);
        const uint64_t high = (a >> 32) * (b & UINT32_MAX);

        if (low != 0)
            utet_fold_wide_add(words, count, shift, low, negative);
        if (high != 0)
            utet_fold_wide_add(words, count, shift + 32, high, negative);
    }
}

unsigned utet_fold_wide_absolute(uint32_t *words, unsigned count)
{
    uint64_t carry = 1;

    if (words[count - 1] >> 31 == 0)
        return 0;
    for (; count != 0; count--, words++) {
        carry += (uint32_t) ~*words;
        *words = (uint32_t)carry;
        carry >>= 32;
    }
    return 1;
}

void utet_fold_wide_multiply(uint32_t *words, unsigned count, uint64_t by)
{
    uint32_t before = 0;
    uint64_t low = 0;
    uint64_t high = 0;

    for (; count != 0; count--, words++) {
        low = (by & UINT32_MAX) * *words + (low >> 32);
        high = (by >> 32) * before + (high >> 32) + (uint32_t)low;
        before = *words;
        *words = (uint32_t)high;
    }
}

void utet_fold_number_of(fold_number *number, const uint32_t *words, unsigned count, int32_t lowest)
{
    uint32_t high = 0; /* the highest word that is not 0; then the last one that was read */
    unsigned lead = 0;
    unsigned i;

    for (; count != 0; count--) {
        high = words[count - 1];
        if (high != 0)
            break;
    }
    for (i = 16; i != 0 && high != 0; i /= 2)
        if (high << lead >> (32 - i) == 0)
            lead += i;
    for (i = 1; i <= FOLD_DIGITS; i++) {
        const uint32_t low = i < count ? words[count - 1 - i] : 0;

        number->digit[FOLD_DIGITS - i] = high << lead | low >> 1 >> (31 - lead);
        high = low;
    }
    number->more = high << lead != 0;
    for (i = 0; i + FOLD_DIGITS + 1 < count; i++)
        number->more |= words[i] != 0;
    number->exponent = lowest + 32 * ((int32_t)count - FOLD_DIGITS) - (int32_t)lead;
}

void utet_fold_number_divide(fold_number *number, uint64_t by, unsigned lowest)
{
    unsigned more = number->more;
    uint64_t rest = 0;
    unsigned i = FOLD_DIGITS;
    unsigned bit;

    while (i-- != lowest) {
        const uint32_t digit = number->digit[i];
        uint32_t quotient = 0;

        if (by >> 16 == 0) { /* two divisions that a 32-bit machine can do */
            uint32_t small = (uint32_t)by;
            uint32_t part = (uint32_t)rest << 16 | digit >> 16;

            quotient = part / small << 16;
            part = part % small << 16 | (digit & 0xFFFFu);
            number->digit[i] = quotient | part / small;
            rest = part % small;
            continue;
        }
        for (bit = 32; bit-- != 0;) {
            rest = rest << 1 | (digit >> bit & 1u);
            quotient <<= 1;
            if (rest >= by) {
                rest -= by;
                quotient |= 1u;
            }
        }
        number->digit[i] = quotient;
    }
    for (i = 0; i < lowest; i++) {
        more |= number->digit[i] != 0;
        number->digit[i] = 0;
    }
    utet_fold_number_of(number, number->digit, FOLD_DIGITS, number->exponent);
    number->more = more | (rest != 0);
}

uint64_t utet_fold_number_round(const fold_number *number, unsigned negative)
{
    unsigned more;
    uint64_t high = fold_number_high(number, &more);

    return utet_fold_round(negative, high, number->exponent + 128, more);
}

uint64_t utet_fold_number_root(const fold_number *number)
{
    const uint32_t *digit = number->digit;
    const uint64_t mask = ((uint64_t)1 << 56) - 1;
    /* The highest 112 bits, or 111, so that the exponent is even, in two halves of 56. */
    uint64_t high = ((uint64_t)digit[5] << 32 | digit[4]) >> 8;
    uint64_t low = ((uint64_t)digit[4] << 48 | (uint64_t)digit[3] << 16 | digit[2] >> 16) & mask;
    int32_t exponent = number->exponent + 80;
    unsigned more = number->more | (((digit[2] & 0xFFFFu) | digit[1] | digit[0]) != 0);
    uint64_t root = 0;
    uint64_t rest = 0;
    unsigned i;

    if ((exponent & 1) != 0) {
        more |= (unsigned)low & 1u;
        low = low >> 1 | (high & 1u) << 55;
        high >>= 1;
        exponent++;
    }
    for (i = 0; i < 56; i++) {
        rest = rest << 2 | high >> 54;
        high = (high << 2 | low >> 54) & mask;
        low = low << 2 & mask;
        root <<= 1;
        if (rest >= root * 2 + 1) {
            rest -= root * 2 + 1;
            root++;
        }
    }
    return utet_fold_round(0, root, exponent / 2, more | (rest != 0));
}
