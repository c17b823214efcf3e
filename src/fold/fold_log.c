/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* ln(1 + a): 1 + a is 2^n (1 + f), f being near 0, and ln(1 + f) is 2 z (1 + z^2/3 + z^4/5 + …) with z = f / (2 + f),
 * in integers. A small a is f itself, without loss of a bit. */
#include "fold_ieee.h"

#include <string.h>

#define TERMS 25u                 /* z^2 is less than 0.0295 */
#define SMALL 969u                /* exponent of a double; below it, a < 2^-54, and ln(1 + a) rounds to a */
#define ONE 1023u                 /* exponent of 1 */
#define FOLD_LOG_ROOT 0xB504F334u /* the root of 2 times 2^31, rounded up */

/* The size of f: fraction * 2^exponent, the fraction being an integer whose highest bit is 1; or 0. */
typedef struct near_one {
    uint32_t fraction[FIXED_WORDS];
    int32_t exponent;
    uint32_t n;
    unsigned negative;
} near_one;

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

/* words = 1 + a, its highest bit being 1, from the bits of a in the same positions; a is 0.25 or more. */
static void add_one(near_one *f, uint32_t exponent)
{
    uint32_t one[FIXED_WORDS] = {0};
    uint32_t *words = f->fraction;

    if (exponent < ONE) {
        utet_fixed_down(words, ONE - exponent);
        words[3] |= 0x80000000u;
        return;
    }
    f->n = exponent - ONE;
    one[3] = 0x80000000u;
    utet_fixed_down(one, f->n);
    (void)utet_fixed_add(words, one, FIXED_WORDS);
    if (words[3] >> 31 == 0) { /* a carry */
        utet_fixed_down(words, 1);
        words[3] |= 0x80000000u;
        f->n++;
    }
}

static void fold_log_split(near_one *f, uint64_t a)
{
    static const uint32_t zero[FIXED_WORDS];
    const uint32_t exponent = (uint32_t)(a >> 52);
    const uint64_t bits = a << 11 | FOLD_DOUBLE_SIGN;

    memset(f, 0, sizeof *f);
    f->fraction[2] = (uint32_t)bits;
    f->fraction[3] = (uint32_t)(bits >> 32);
    f->exponent = (int32_t)exponent - (int32_t)ONE - 127;
    if (exponent < ONE - 2)
        return;
    add_one(f, exponent);
    f->exponent = -127;
    if (f->fraction[3] >= FOLD_LOG_ROOT) {
        uint32_t half[FIXED_WORDS];

        memcpy(half, f->fraction, sizeof half);
        memcpy(f->fraction, zero, sizeof zero);
        (void)utet_fixed_subtract(f->fraction, half, FIXED_WORDS);
        f->exponent = -128;
        f->negative = 1;
        f->n++;
    } else {
        f->fraction[3] &= 0x7FFFFFFFu;
    }
    fold_log_normalize(f);
}

/* The size of z, in units of 2^f->exponent. */
static void fold_log_divide(uint32_t *z, const near_one *f)
{
    uint32_t by[FIXED_WORDS];
    uint32_t rest[FIXED_WORDS];
    uint32_t two[FIXED_WORDS] = {0, 0, 0, 0x40000000u}; /* in units of 2^-125 */
    unsigned bit;
    unsigned i;

    memcpy(by, f->fraction, sizeof by);
    memcpy(rest, f->fraction, sizeof rest);
    utet_fixed_down(by, (uint32_t)(-125 - f->exponent));
    utet_fixed_down(rest, 3);
    if (f->negative) {
        (void)utet_fixed_subtract(two, by, FIXED_WORDS);
        memcpy(by, two, sizeof by);
    } else {
        (void)utet_fixed_add(by, two, FIXED_WORDS);
    }
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

uint64_t utet_fold_log1p(uint64_t a)
{
    uint32_t words[FIXED_LOG_WORDS];
    uint32_t z[FIXED_WORDS + 1] = {0}; /* the highest one for the sum */
    near_one f;
    fold_number number;

    if (a == FOLD_DOUBLE_INF || a >> 52 < SMALL)
        return a;
    fold_log_split(&f, a);
    if (f.fraction[3] != 0) {
        fold_log_divide(z, &f);
        sum_up(z, f.exponent);
    }
    if (f.n == 0) {
        utet_fold_number_of(&number, z, FIXED_WORDS, f.exponent + 1);
    } else {
        utet_fixed_logs(words, f.n);
        if (f.fraction[3] != 0)
            utet_fixed_down(z, (uint32_t)(-129 - f.exponent));
        if (f.negative)
            (void)utet_fixed_subtract(words + 1, z, FIXED_WORDS + 1);
        else
            (void)utet_fixed_add(words + 1, z, FIXED_WORDS + 1);
        utet_fold_number_of(&number, words, FIXED_LOG_WORDS, -160);
    }
    number.more = 1;
    return utet_fold_number_round(&number, 0);
}
