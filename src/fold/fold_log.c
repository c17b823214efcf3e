/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* ln(1 + a): 1 + a is 2^n (1 + f), f being less than 1, and ln(1 + f) is 2 z (1 + z^2/3 + z^4/5 + …) with
 * z = f / (2 + f), in integers. A small a is f itself, without loss of a bit. The first attempt has fractions of 64
 * bits, and another series. If they do not decide how the result is rounded, fractions of 128 bits do. */
#include "fold_ieee.h"

#include <string.h>

#define TERMS 39u                        /* z^2 is less than 1/9 */
#define SMALL 969u                       /* exponent of a double; below it, a < 2^-54, and ln(1 + a) rounds to a */
#define ONE 1023                         /* exponent of 1 */
#define FOLD_LOG_UNIT (-127)             /* fractions from 1 to 2 have this one */
#define FOLD_LOG_TWO 0xB17217F7D1CF79ABu /* ln 2 in units of 2^-64 */
#define FOLD_LOG_ERROR 6u                /* of fold_log_quick, in units of the last one of 64 bits */

/* fraction * 2^exponent, the fraction being an integer whose highest bit is 1. */
typedef struct near_one {
    uint32_t fraction[FIXED_WORDS];
    int32_t exponent;
    uint32_t n;
} near_one;

/* a; or if that is 1/16 or more, (1 + a) 2^-n, which is from 1 to 2. */
static void fold_log_split(near_one *f, uint64_t a)
{
    const uint64_t bits = a << 11 | FOLD_DOUBLE_SIGN;
    const int32_t exponent = (int32_t)(a >> 52) - ONE;
    uint32_t one[FIXED_WORDS] = {0, 0, 0, 0x80000000u};

    memset(f, 0, sizeof *f);
    f->fraction[2] = (uint32_t)bits;
    f->fraction[3] = (uint32_t)(bits >> 32);
    if (exponent < -4) {
        f->exponent = exponent + FOLD_LOG_UNIT;
        return;
    }
    f->exponent = FOLD_LOG_UNIT;
#if FOLD_ROOMY
    if (exponent < 63) { /* 64 bits are enough: the last eleven of `bits` are 0 */
        uint64_t sum;

        f->n = exponent < 0 ? 0 : (uint32_t)exponent;
        sum = exponent < 0 ? bits >> -exponent : bits;
        sum += FOLD_DOUBLE_SIGN >> f->n;
        if (sum < FOLD_DOUBLE_SIGN) { /* a carry */
            sum = sum >> 1 | FOLD_DOUBLE_SIGN;
            f->n++;
        }
        f->fraction[2] = (uint32_t)sum;
        f->fraction[3] = (uint32_t)(sum >> 32);
        return;
    }
#endif
    if (exponent < 0) {
        utet_fixed_down(f->fraction, (uint32_t)-exponent);
    } else {
        utet_fixed_down(one, (uint32_t)exponent);
        f->n = (uint32_t)exponent;
    }
    if (utet_fixed_add(f->fraction, one, FIXED_WORDS) != 0) {
        utet_fixed_down(f->fraction, 1);
        f->fraction[3] |= 0x80000000u;
        f->n++;
    }
}

/* ---- 64 bits ---- */

/*
 * f - f^2/2 + f^3/3 ... for f = fraction 2^-(64 + down) < 1/16, in units of 2^-(64 + down).
 *
 * It is too small by less than 2.1 units or too large by less than 2.6. It is f times a sum: each factor of the sum
 * is too small by at most 1; each product that is subtracted is too small by less than 1, and by less than 1/2 more
 * because of f; errors of the terms before come in times f. So the sum is too small by 1.1 or too large by 1.6; the
 * terms left out are less than 1 together, and f times the sum is too small by less than 1.
 */
static uint64_t fold_log_series(uint64_t fraction, unsigned down)
{
    static const uint64_t factors[] = {
        0xFFFFFFFFFFFFFFFFu, 0x8000000000000000u, 0x5555555555555555u, 0x4000000000000000u, 0x3333333333333333u,
        0x2AAAAAAAAAAAAAAAu, 0x2492492492492492u, 0x2000000000000000u, 0x1C71C71C71C71C71u, 0x1999999999999999u,
        0x1745D1745D1745D1u, 0x1555555555555555u, 0x13B13B13B13B13B1u, 0x1249249249249249u, 0x1111111111111111u};

    return utet_fixed_high(fraction, FIXED_SERIES(factors, sizeof factors / sizeof *factors, fraction >> down, 1));
}

/*
 * ln(1 + a) in units of 2^(*top - 64): 2^62 to 2^64 units. If a is 1/16 or more, 1 + a is 2^n q (1 + f),
 * where q is 1 + i/16 and has the first five bits: the result is n ln 2 + ln q + ln(1 + f).
 *
 * The error is less than FOLD_LOG_ERROR units, also after the result is shifted up by one bit:
 *   a < 1/16: less than 2.6, by fold_log_series.
 *   n = 0: ln q is too small by 1.94 (an element of the table, a product), ln(1 + f) by 2.55 (half of 2.1 and 1,
 *     because f is too small; a shift), or it is too large by 1.3. 2 are added, so these are 2.5 and 3.3. The result
 *     is shifted only if it is less than 1/16; then f is less than 1/500, and they are 2.5 and 2.1.
 *   n > 0: ln q and ln(1 + f) are too small by 1.94 and 1.2 units of 2^-64, or too large by 0.17; half of it or less
 *     remains, and the shift makes it too small by 1 more; where 1 + a has more than 64 bits, f is too small by
 *     another 1/8 unit. n ln 2 is too small by 1.79. 2 are added, so it is too small by 2.5 or too large by 2.1.
 */
static uint64_t fold_log_quick(const near_one *f, int32_t *top)
{
    const uint64_t high = (uint64_t)f->fraction[3] << 32 | f->fraction[2];
    const uint64_t over = high << 5; /* without the first five bits, in units of 2^-68 */
#if !FOLD_ROOMY
    uint32_t words[FIXED_WORDS] = {0, (uint32_t)over << 4, (uint32_t)(over >> 28), (uint32_t)(over >> 60)};
#endif
    uint32_t i = (uint32_t)(high >> 59) & 15u;
    const uint64_t step = utet_fixed_steps[i];
    uint32_t n = f->n << 21;
    uint64_t sum;

    if (f->exponent != FOLD_LOG_UNIT) {
        *top = f->exponent + 1 - FOLD_LOG_UNIT;
        return fold_log_series(high, (unsigned)-*top);
    }
#if FOLD_ROOMY
    sum = fold_log_series(over / (16 + i) * 16 + (uint32_t)(over % (16 + i)) * 16 / (16 + i), 4);
#else
    utet_fixed_divide(words, 16 + i);
    sum = fold_log_series((uint64_t)words[2] << 32 | words[1], 4);
#endif
    *top = 0;
    if (n == 0) {
        for (; *top > -3 && i < 8; i <<= 1)
            --*top;
        return 2 + utet_fixed_high(step, (uint64_t)i << 60) + (sum >> (4 + *top));
    }
    sum = utet_fixed_high(step, (uint64_t)i << 60) + (sum >> 4);
    for (*top = 11; *top > 1 && n >> 31 == 0; n <<= 1)
        --*top;
    return 2 + utet_fixed_high(FOLD_LOG_TWO, (uint64_t)n << 32) + (sum >> *top);
}

/* ---- 128 bits ---- */

static void fold_log_normalize(near_one *f)
{
    uint32_t *words = f->fraction;
    unsigned i;

    while ((words[3] | words[2] | words[1] | words[0]) != 0 && words[3] >> 31 == 0) {
        for (i = FIXED_WORDS; i-- > 1;)
            words[i] = words[i] << 1 | words[i - 1] >> 31;
        words[0] <<= 1;
        f->exponent--;
    }
}

/* z, in units of 2^f->exponent. f may be 0, whatever its exponent is; then z is 0, here and below. */
static void fold_log_divide(uint32_t *z, const near_one *f)
{
    uint32_t by[FIXED_WORDS];
    uint32_t rest[FIXED_WORDS];
    unsigned bit;
    unsigned i;

    memcpy(by, f->fraction, sizeof by);
    memcpy(rest, f->fraction, sizeof rest);
    utet_fixed_down(by, (uint32_t)(-125 - f->exponent)); /* in units of 2^-125, less than 1 */
    by[3] += 0x40000000u;
    utet_fixed_down(rest, 3);
    for (bit = 0; bit < 32 * FIXED_WORDS; bit++) {
        for (i = FIXED_WORDS; i-- > 1;) {
            rest[i] = rest[i] << 1 | rest[i - 1] >> 31;
            z[i] = z[i] << 1 | z[i - 1] >> 31;
        }
        rest[0] <<= 1;
        z[0] <<= 1;
        (void)utet_fixed_subtract(rest, by, FIXED_WORDS);
        if (rest[3] >> 31 != 0) /* neither has that bit */
            (void)utet_fixed_add(rest, by, FIXED_WORDS);
        else
            z[0] |= 1u;
    }
}

/* z becomes z (1 + z^2/3 + …). */
static void sum_up(uint32_t *z, int32_t exponent)
{
    uint32_t square[FIXED_WORDS];
    uint32_t sum[FIXED_WORDS] = {0};
    uint32_t part[FIXED_WORDS];
    uint32_t term;

    utet_fixed_multiply(square, z, z);
    utet_fixed_down(square, 2 * (uint32_t)(-128 - exponent));
    for (term = TERMS; term != 0; term--) {
        memset(part, 0xFF, sizeof part);
        utet_fixed_divide(part, 2 * term + 1);
        utet_fixed_multiply(sum, sum, square);
        (void)utet_fixed_add(sum, part, FIXED_WORDS);
    }
    utet_fixed_multiply(sum, sum, square);
    utet_fixed_multiply(sum, sum, z);
    (void)utet_fixed_add(z, sum, FIXED_WORDS);
}

static uint64_t fold_log_exact(near_one *f)
{
    uint32_t words[FIXED_LOG_WORDS];
    uint32_t z[FIXED_WORDS + 1] = {0}; /* the highest one for the sum */
    fold_number number;

    if (f->exponent == FOLD_LOG_UNIT) {
        f->fraction[3] &= 0x7FFFFFFFu;
        fold_log_normalize(f);
    }
    fold_log_divide(z, f);
    sum_up(z, f->exponent);
    if (f->n == 0) {
        utet_fold_number_of(&number, z, FIXED_WORDS, f->exponent + 1);
    } else {
        utet_fixed_logs(words, f->n);
        utet_fixed_down(z, (uint32_t)(-128 - f->exponent));
        (void)utet_fixed_add(words + 1, z, FIXED_WORDS + 1);
        (void)utet_fixed_add(words + 1, z, FIXED_WORDS + 1);
        utet_fold_number_of(&number, words, FIXED_LOG_WORDS, -160);
    }
    number.more = 1;
    return utet_fold_number_round(&number, 0);
}

uint64_t utet_fold_log1p(uint64_t a)
{
    near_one f;
    uint64_t high;
    int32_t top;

    if (a == FOLD_DOUBLE_INF || a >> 52 < SMALL)
        return a;
    fold_log_split(&f, a);
    high = fold_log_quick(&f, &top);
    if (high < FOLD_DOUBLE_SIGN) {
        high <<= 1;
        top--;
    }
    return fixed_is_clear(high, FOLD_LOG_ERROR) ? utet_fold_round(0, high, top - 64, 1) : fold_log_exact(&f);
}
