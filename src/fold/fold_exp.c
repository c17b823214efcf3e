/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The exponential of what is not positive: 2^-n times that of a rest from 0 to ln 2, by its series in integers. The
 * first attempt has fractions of 64 bits. If they do not decide how the result is rounded, fractions of 128 bits do. */
#include "fold_ieee.h"

#define TERMS 33u                            /* ln(2)^34 / 34! is less than 2^-145 */
#define FOLD_EXP_LEAST 0x3C90000000000000u   /* 2^-54: e^-a is nearer to 1 than to 1 - 2^-53 if a is less */
#define FOLD_EXP_LARGEST 0x4087500000000000u /* 746: e^-746 is less than half of the smallest double */
#define FOLD_EXP_NORMAL 1022                 /* the largest n without results below the normal range */
#define REST_LEAST 4u                        /* of rests in units of 2^-64 */
#define REST_MOST 0xB17217F7D1CF79A0u        /* a little less than ln 2 */
#define FOLD_EXP_ERROR 4u                    /* of fold_exp_quick */
#define ONE_BIT 1022                         /* the shift of 2^-52, the last bit of doubles from 1 on */

/* The magnitude of a, which is from 2^-54 to less than 2^10, in six words, five of them for the fraction. */
static void fold_exp_spread(uint32_t *words, const fold_element *a)
{
    unsigned i;

    for (i = 0; i < FIXED_LOG_WORDS; i++)
        words[i] = 0;
    utet_fold_wide_add(words, FIXED_LOG_WORDS, a->shift - (ONE_BIT + 52u - 160u), a->magnitude, 0);
}

/* The least n for which n * ln 2 is a or more; the rest, the difference, goes into four words. */
static uint32_t fold_exp_reduce(uint32_t *rest, const uint32_t *a)
{
    /* a / ln 2, a little less */
    uint32_t n = (uint32_t)((uint64_t)(a[5] << 16 | a[4] >> 16) * 94548u >> 32) + 1;
    uint32_t words[FIXED_LOG_WORDS];
    unsigned i;

    for (;; n++) {
        utet_fixed_logs(words, n);
        if (utet_fixed_subtract(words, a, FIXED_LOG_WORDS) != 0)
            break;
    }
    for (i = 0; i < FIXED_WORDS; i++)
        rest[i] = words[i + 1];
    return n;
}

/*
 * n and the rest as fold_exp_reduce computes them, the rest in units of 2^-64; 0: the rest is so near to 0 or to ln 2
 * that n may be another one. The fraction of a is rounded down, so the rest is too large by less than 1. The product is
 * rounded down too, and lacks less than 1.01.
 */
static uint32_t fold_exp_reduce_quick(uint64_t *rest, const fold_element *a)
{
    const unsigned down = ONE_BIT + 52u - a->shift; /* a is magnitude * 2^-down, from 2^-54 to 2^10: 43 to 106 */
    uint64_t fraction;
    uint32_t whole = 0;
    uint32_t n;
    uint64_t low;
    uint64_t high;

    if (down < 64) {
        fraction = a->magnitude << (64u - down);
        whole = (uint32_t)(a->magnitude >> down);
    } else {
        fraction = a->magnitude >> (down - 64u);
    }
    n = (uint32_t)((uint64_t)(whole << 16 | (uint32_t)(fraction >> 48)) * 94548u >> 32) + 1;
    for (;; n++) {
        low = (uint64_t)n * 0xD1CF79ABu + ((uint64_t)n * 0xC9E3B398u >> 32);
        high = (uint64_t)n * 0xB17217F7u + (low >> 32);
        low = high << 32 | (low & UINT32_MAX);
        if ((uint32_t)(high >> 32) > whole || ((uint32_t)(high >> 32) == whole && low >= fraction))
            break;
    }
    *rest = low - fraction;
    return *rest >= REST_LEAST && *rest <= REST_MOST ? n : 0;
}

/*
 * e^rest in units of 2^-63. With q = 1 + i/16, from 1 + rest + rest^2/2 rounded down, and x = rest - ln q, it is q (1
 * + x + x^2 (1/2! + x/3! + ... + x^8/10!)).
 *
 * It is less than 2^64: the largest rest gives 2^64 - 1, and no step becomes less when the rest grows, with the same
 * i.
 *
 * The error is less than FOLD_EXP_ERROR units. 0 <= x < 0.07, because e^rest - 1 - rest - rest^2/2 < 0.067. In units
 * of 2^-64: rest is too small by less than 1.01 or too large by less than 1, so x is too small by less than 1.01 or too
 * large by less than 3; the inner sum is too small by less than 2.2 (a factor and a product in each step, and x times
 * the error before), the products of it with x by 1.1, the terms that are left out by 0.1. So e^x is too small by less
 * than 2.4 or too large by less than 3.3. With q, this is less in units of 2^-63, and the last product is too small by
 * less than 1.
 */
static uint64_t fold_exp_quick(uint64_t rest)
{
    static const uint64_t factors[] = {0x8000000000000000u, 0x2AAAAAAAAAAAAAAAu, 0x0AAAAAAAAAAAAAAAu,
                                       0x0222222222222222u, 0x005B05B05B05B05Bu, 0x000D00D00D00D00Du,
                                       0x0001A01A01A01A01u, 0x00002E3BC74AAD8Eu, 0x0000049F93EDDE27u};
    const uint32_t high = (uint32_t)(rest >> 32);
    const uint32_t i = (high + (uint32_t)((uint64_t)high * high >> 33)) >> 28;
    const uint64_t q = (uint64_t)(16 + i) << 59; /* in units of 2^-63 */
    const uint64_t x = rest - utet_fixed_high(utet_fixed_steps[i], (uint64_t)i << 60);
    const uint64_t sum = FIXED_SERIES(factors, sizeof factors / sizeof *factors, x, 0);

    return q + utet_fixed_high(x + utet_fixed_high(utet_fixed_high(sum, x), x), q);
}

/* The same in units of 2^-63, rounded down. */
static uint64_t fold_exp_exact(const uint32_t *rest)
{
    uint32_t power[FIXED_WORDS] = {0}; /* e^rest - 1 */
    uint32_t term;

    for (term = TERMS; term != 0; term--) {
        utet_fixed_multiply(power, power, rest);
        (void)utet_fixed_add(power, rest, FIXED_WORDS);
        utet_fixed_divide(power, term);
    }
    return FOLD_DOUBLE_SIGN | (uint64_t)power[3] << 31 | power[2] >> 1;
}

uint64_t utet_fold_exp(uint64_t a)
{
    uint32_t words[FIXED_LOG_WORDS];
    uint32_t rest[FIXED_WORDS];
    fold_element element;
    uint64_t high;
    uint32_t n;

    a &= ~FOLD_DOUBLE_SIGN;
    if (a < FOLD_EXP_LEAST)
        return FOLD_DOUBLE_ONE;
    if (a >= FOLD_EXP_LARGEST)
        return 0;
    utet_fold_split(&utet_dtype_layouts[UTET_F64], a, &element);
    n = fold_exp_reduce_quick(&high, &element);
    high = fold_exp_quick(high);
    if (n == 0 || n > FOLD_EXP_NORMAL || !fixed_is_clear(high, FOLD_EXP_ERROR)) {
        fold_exp_spread(words, &element);
        n = fold_exp_reduce(rest, words);
        high = fold_exp_exact(rest);
    }
    return utet_fold_round(0, high, -63 - (int32_t)n, 1);
}
