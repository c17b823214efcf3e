/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Shortest decimal digits of a binary float, by the free-format algorithm of Steele and White with exact integers.
 * The value is rest / scale. Half the distance to either neighbouring float is gap / scale; with `narrow` the
 * distance above is twice as large. Digits are taken off until the rest is nearer to zero, or to the next digit, than
 * that distance. Three integers of 1216 bits lie on the stack; there are no tables and no floating point.
 */
#include "show.h"

/* f64: at most 1074 + 2 bits of scale, times 10 while digits are taken off, and 53 bits of fraction. */
#define LIMBS 38

typedef struct big {
    uint32_t limb[LIMBS]; /* lowest first */
    unsigned used;        /* the highest of them is not 0 */
} big;

static void big_set(big *a, uint64_t value)
{
    a->limb[0] = (uint32_t)value;
    a->limb[1] = (uint32_t)(value >> 32);
    a->used = a->limb[1] != 0 ? 2 : 1;
}

static void big_times(big *a, uint32_t factor)
{
    uint64_t carry = 0;
    unsigned i;

    for (i = 0; i < a->used; i++) {
        carry += (uint64_t)a->limb[i] * factor;
        a->limb[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry != 0)
        a->limb[a->used++] = (uint32_t)carry;
}

static void big_times_power(big *a, uint32_t base, unsigned exponent)
{
    for (; exponent > 0; exponent--)
        big_times(a, base);
}

static void big_shift(big *a, unsigned bits)
{
    const unsigned whole = bits / 32;
    unsigned i;

    big_times(a, (uint32_t)1 << bits % 32);
    for (i = a->used; i > 0; i--)
        a->limb[i - 1 + whole] = a->limb[i - 1];
    for (i = 0; i < whole; i++)
        a->limb[i] = 0;
    a->used += whole;
}

static uint32_t limb_at(const big *a, unsigned i)
{
    return i < a->used ? a->limb[i] : 0;
}

/* Sign of factor * a + (b, may be null) * times - c. */
static int big_compare(const big *a, uint32_t factor, const big *b, uint32_t times, const big *c)
{
    uint64_t sum = 0;
    int64_t borrow = 0;
    int different = 0;
    unsigned limbs = a->used > c->used ? a->used : c->used;
    unsigned i;

    if (b != NULL && limbs < b->used)
        limbs = b->used;
    for (i = 0; i < limbs; i++) {
        int64_t difference;

        sum += (uint64_t)limb_at(a, i) * factor + (b != NULL ? (uint64_t)limb_at(b, i) * times : 0u);
        difference = (int64_t)(sum & 0xFFFFFFFFu) - (int64_t)limb_at(c, i) + borrow;
        different |= difference != 0; /* a borrow from below has set it already */
        borrow = difference < 0 ? -1 : 0;
        sum >>= 32;
    }
    borrow += (int64_t)sum;
    return borrow > 0 ? 1 : borrow < 0 ? -1 : different;
}

/* a -= b; a ≥ b. */
static void big_minus(big *a, const big *b)
{
    int64_t borrow = 0;
    unsigned i;

    for (i = 0; i < a->used; i++) {
        borrow += (int64_t)a->limb[i] - (int64_t)limb_at(b, i);
        a->limb[i] = (uint32_t)(borrow & 0xFFFFFFFF);
        borrow = borrow < 0 ? -1 : 0;
    }
    while (a->used > 1 && a->limb[a->used - 1] == 0)
        a->used--;
}

static int bit_length(uint64_t value)
{
    int bits = 0;

    for (; value != 0; value >>= 1)
        bits++;
    return bits;
}

/* floor(bits * log10 2), right for |bits| < 16,000. */
static int decimal_places(int bits)
{
    const int32_t product = (int32_t)bits * 19728;

    return (int)(product >= 0 ? product / 65536 : -((-product + 65535) / 65536));
}

typedef struct ratio { /* what is left of the value, see above */
    big rest;
    big scale;
    big gap;
    uint32_t above; /* the distance to the next larger float is so many gaps */
    int even;       /* numbers at the ends of the interval read back as this float, too */
} ratio;

/* Does the next larger number of as many digits read back as this float? */
static int reaches_up(const ratio *r)
{
    const int high = big_compare(&r->rest, 1, &r->gap, r->above, &r->scale);

    return high > 0 || (high == 0 && r->even);
}

static void big_power(big *a, unsigned bits)
{
    big_set(a, 1);
    big_shift(a, bits);
}

/* Scales the value below 1: returns the power of ten that it is divided by. */
static int normalize(ratio *r, int guess)
{
    int point = guess;

    if (point > 0)
        big_times_power(&r->scale, 10, (unsigned)point);
    else {
        big_times_power(&r->rest, 10, (unsigned)-point);
        big_times_power(&r->gap, 10, (unsigned)-point);
    }
    while (reaches_up(r)) {
        big_times(&r->scale, 10);
        point++;
    }
    return point;
}

/* Takes the next digit off. Returns 1 when it is the last one. */
static int next_digit(ratio *r, char *to)
{
    unsigned digit = '0';
    int low;
    int down;
    int up;

    big_times(&r->rest, 10);
    big_times(&r->gap, 10);
    while (big_compare(&r->rest, 1, NULL, 0, &r->scale) >= 0) {
        big_minus(&r->rest, &r->scale);
        digit++;
    }
    low = big_compare(&r->rest, 1, NULL, 0, &r->gap);
    down = low < 0 || (low == 0 && r->even);
    up = reaches_up(r);
    if (down && up) { /* both read back: takes the nearer one, and of two equally near ones the even one */
        const int half = big_compare(&r->rest, 2, NULL, 0, &r->scale);

        up = half > 0 || (half == 0 && digit % 2 != 0); /* '0' is even */
    }
    *to = (char)(digit + (up ? 1u : 0u));
    return down || up;
}

unsigned utet_show_digits(uint64_t fraction, int exponent, int narrow, char *digits, int *point)
{
    const unsigned shift = narrow ? 2 : 1;
    const unsigned whole = exponent > 0 ? (unsigned)exponent : 0;
    unsigned count = 0;
    ratio r;

    r.even = (fraction & 1) == 0;
    r.above = shift;
    big_set(&r.rest, fraction);
    big_shift(&r.rest, shift + whole);
    big_power(&r.gap, whole);
    big_power(&r.scale, shift + (exponent < 0 ? (unsigned)-exponent : 0));
    /* The first guess is one too small, at most right: the value is below 2^bits, but at least half of that. */
    *point = normalize(&r, decimal_places(bit_length(fraction) + exponent));
    while (!next_digit(&r, &digits[count++]))
        ;
    return count;
}
