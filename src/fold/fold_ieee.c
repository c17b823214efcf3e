/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Difference, quotient, root of doubles, and the nearest f32: each rounded once, as IEEE 754 does. */
#include "fold_ieee.h"

static int ieee_is_nan(uint64_t a)
{
    return (a & ~FOLD_DOUBLE_SIGN) > FOLD_DOUBLE_INF;
}

static int is_infinite(uint64_t a)
{
    return (a & ~FOLD_DOUBLE_SIGN) == FOLD_DOUBLE_INF;
}

uint64_t utet_fold_subtract(uint64_t a, uint64_t b)
{
    utet_fold_binary difference;
    utet_fold_binary other;

    if (ieee_is_nan(b))
        return FOLD_DOUBLE_NAN;
    b ^= FOLD_DOUBLE_SIGN;
    if (is_infinite(b))
        return b;
    difference = utet_fold_binary_of(a);
    other = utet_fold_binary_of(b);
    utet_fold_binary_add(&difference, &other);
    if (difference.magnitude == 0)
        return a & b & FOLD_DOUBLE_SIGN;
    /* Below the normal range a difference is exact, so that it is not rounded twice. */
    return utet_fold_round(difference.negative, difference.magnitude << 11, difference.exponent - 11, 0);
}

/*
 * 2^55 a / b, rounded down, and what remains; a and b have 53 bits.
 *
 * With d = b 2^-53, coarse lacks a share of 2^16 / d from 2^-17 to 2^-14. Error is this share in units of 2^-32, at
 * least 1 and at most 4 too small. So finer lacks a share of 2^31 / d from 2^-34 to 2^-28; missing is this share.
 * The quotient by it lacks the square of this share, and what is rounded down: fewer than 2 units of 56 bits.
 */
static uint64_t ieee_divide(uint64_t a, uint64_t b, uint64_t *rest)
{
    const uint32_t high = (uint32_t)(b >> 21);
    const uint32_t low = (uint32_t)b << 11;
    const uint32_t coarse = UINT32_MAX / ((high >> 16) + 1) - 1;
    const uint32_t error = 0 - (uint32_t)((uint64_t)high * coarse >> 16) - 4;
    const uint32_t finer = (coarse << 15) + (uint32_t)((uint64_t)coarse * error >> 17);
    const uint64_t missing = 0 - ((uint64_t)high * finer * 2) - ((uint64_t)low * finer >> 31) - 1;
    uint64_t quotient = ((a >> 22) * finer << 1) + (((uint32_t)a << 10 & UINT32_MAX) * (uint64_t)finer >> 31);

    quotient = (quotient + utet_fixed_high(quotient, missing)) >> 8;
    *rest = (a << 55) - quotient * b;
    while (*rest >= b) {
        *rest -= b;
        quotient++;
    }
    return quotient;
}

uint64_t utet_fold_quotient(uint64_t a, uint64_t b)
{
    const uint64_t sign = (a ^ b) & FOLD_DOUBLE_SIGN;
    utet_fold_binary dividend;
    utet_fold_binary divisor;
    uint64_t quotient;
    uint64_t rest;

    if (is_infinite(a))
        return sign | FOLD_DOUBLE_INF;
    dividend = utet_fold_binary_of(a);
    divisor = utet_fold_binary_of(b);
    quotient = ieee_divide(dividend.magnitude, divisor.magnitude, &rest);
    return utet_fold_round(sign != 0, quotient << 8, dividend.exponent - divisor.exponent - 63, rest != 0);
}

#if FOLD_ROOMY
/* The root of 56 bits, the highest or second highest being 1: returns 28 bits. quotient: 28 more, or 1 too much in the
 * last one; rest: the remainder of the division by the root.
 *
 * Four divisions instead of 56 steps, whose jumps depend on the bits. The line 2/3 x + 17/48 is wrong by a share of at
 * most 1/24, and each step of Heron's method leaves half of its square: 2^-43 after three, so that at most 1 is too
 * much. */
static uint32_t ieee_root(uint64_t high, uint32_t *quotient, uint32_t *rest)
{
    uint64_t root = (high >> 28) * 2 / 3 + ((uint64_t)17 << 28) / 48;
    uint64_t left;
    unsigned i;

    for (i = 0; i < 3; i++)
        root = (root + high / root) / 2;
    if (root * root > high)
        root--;
    left = high - root * root;
    *quotient = (uint32_t)(left == 2 * root ? ((uint64_t)1 << 28) - 1 : (left << 28) / (2 * root));
    *rest = (uint32_t)((left << 28) - *quotient * 2 * root);
    return (uint32_t)root;
}
#endif

uint64_t utet_fold_root(uint64_t a)
{
    utet_fold_binary value;
    uint32_t root = 0;     /* 28 bits */
    uint32_t quotient = 0; /* 28 more, or 1 too much in the last one */
    uint32_t rest = 0;
    uint64_t high;
    uint64_t left;
    uint64_t square;
    unsigned i;

    if (is_infinite(a))
        return FOLD_DOUBLE_INF;
    value = utet_fold_binary_of(a);
    if (value.magnitude == 0)
        return 0;
    i = 2 + ((unsigned)value.exponent & 1u);
    high = value.magnitude << i; /* in 56 bits, with an even exponent */
    value.exponent -= (int32_t)i;
#if FOLD_ROOMY
    root = ieee_root(high, &quotient, &rest);
#else
    for (i = 0; i < 28; i++) {
        rest = rest << 2 | ((uint32_t)(high >> 54) & 3u);
        high <<= 2;
        root <<= 1;
        if (rest > root * 2) {
            rest -= root * 2 + 1;
            root++;
        }
    }
    for (i = 0; i < 28; i++) {
        rest <<= 1;
        quotient <<= 1;
        if (rest >= root * 2) {
            rest -= root * 2;
            quotient++;
        }
    }
#endif
    /* With r = 2^28 root + quotient, r^2 is as much as has been subtracted, and the quotient's square. */
    high = (uint64_t)root << 28 | quotient;
    left = (uint64_t)rest << 28;
    square = (uint64_t)quotient * quotient;
    if (left < square) {
        high--;
        left += 2 * high + 1;
    }
    return utet_fold_round(0, high << 8, value.exponent / 2 - 36, left != square);
}

uint32_t utet_fold_narrow(uint64_t a)
{
    const uint32_t sign = (uint32_t)(a >> 32) & 0x80000000u;
    const uint32_t exponent = (uint32_t)(a >> 52) & 0x7FFu;
    uint64_t kept = a & ~FOLD_DOUBLE_SIGN;
    uint64_t rest;
    unsigned drop = 29;

    if (ieee_is_nan(a))
        return 0x7FC00000u;
    if (exponent > 1150)
        return sign | 0x7F800000u;
    if (exponent > 896) {
        kept -= (uint64_t)896 << 52;
    } else { /* below the normal range of f32 */
        drop += (unsigned)(897u - exponent);
        if (drop > 53)
            return sign;
        kept = (kept & (((uint64_t)1 << 52) - 1)) | (uint64_t)1 << 52;
    }
    rest = kept & (((uint64_t)1 << drop) - 1);
    kept >>= drop;
    if (rest > (uint64_t)1 << (drop - 1) || (rest == (uint64_t)1 << (drop - 1) && (kept & 1) != 0))
        kept++; /* a carry goes into the exponent, up to infinity */
    return sign | (uint32_t)kept;
}
