/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Shortest decimal digits of a binary float. The float, and the ends of the interval of numbers that read back as it,
 * are multiplied by a power of ten that leaves 17 or 18 digits before the point. The power has an error of 2^-140 of
 * itself. That is small enough: none of these products, for any float up to binary64, comes nearer to an integer than
 * 2^-66 without being one (test/tools/show_distance.py shows it). Then the last digit is dropped as long as the
 * interval has a number without it. It uses neither tables nor floating point nor integers of a thousand bits.
 */
#include "../../base/base.h"
#include "show.h"

#include <string.h>

#define DIGITS_WORDS 6                  /* 32-bit words in a power */
#define SCALE 17                        /* digits in front of the point, at least */
#define FRACTION 96                     /* bits of a product's fraction */
#define DIGITS_NEAR ((uint32_t)1 << 23) /* in units of 2^-96: a product nearer to an integer than this, 2^-73, is one */

/* word * 2^exponent is 5^p or a little less; the lowest word comes first. */
typedef struct digits_power {
    uint32_t word[DIGITS_WORDS];
    int exponent;
} digits_power;

/* WORDS of `to` += factor * word; returns the word after them. */
static uint32_t add_times(uint32_t *to, const uint32_t *word, uint32_t factor)
{
    uint64_t carry = 0;
    unsigned i;

    for (i = 0; i < DIGITS_WORDS; i++) {
        carry += (uint64_t)word[i] * factor + to[i];
        to[i] = (uint32_t)carry;
        carry >>= 32;
    }
    return (uint32_t)carry;
}

static void digits_multiply(digits_power *a, uint32_t factor)
{
    const uint32_t carry = add_times(a->word, a->word, factor - 1);

    if (carry != 0) {
        memmove(a->word, a->word + 1, sizeof a->word - sizeof *a->word);
        a->word[DIGITS_WORDS - 1] = carry;
        a->exponent += 32;
    }
}

/* by < 2^16: two divisions that a 32-bit machine can do. */
static void digits_divide(digits_power *a, uint32_t by)
{
    uint32_t rest = 0;
    unsigned i = DIGITS_WORDS;

    while (i-- != 0) {
        const uint32_t high = rest << 16 | a->word[i] >> 16;
        const uint32_t low = high % by << 16 | (a->word[i] & 0xFFFFu);

        a->word[i] = high / by << 16 | low / by;
        rest = low % by;
    }
    if (a->word[DIGITS_WORDS - 1] == 0) {
        memmove(a->word + 1, a->word, sizeof a->word - sizeof *a->word);
        a->word[0] = 0;
        a->exponent -= 32;
    }
}

UTET_APART static void power_of_five(digits_power *a, int p)
{
    const int more = p > 0;

    memset(a, 0, sizeof *a);
    a->word[DIGITS_WORDS - 1] = 1;
    a->exponent = -32 * (DIGITS_WORDS - 1);
    while (p != 0) {
        uint32_t by = 1;
        unsigned i;

        for (i = 0; i < 6 && p != 0; i++) {
            by *= 5;
            p += more ? -1 : 1;
        }
        if (more)
            digits_multiply(a, by);
        else
            digits_divide(a, by);
    }
}

/* floor(factor * word / 2^shift); *exact: nothing was cut off. */
static uint64_t digits_product(const digits_power *a, uint64_t factor, unsigned shift, unsigned *exact)
{
    uint32_t words[DIGITS_WORDS + 2] = {0};
    const unsigned whole = (shift - FRACTION) / 32;
    const unsigned part = (shift - FRACTION) % 32;
    uint64_t carry = DIGITS_NEAR;
    unsigned i;

    words[DIGITS_WORDS] = add_times(words, a->word, (uint32_t)factor);
    words[DIGITS_WORDS + 1] = add_times(words + 1, a->word, (uint32_t)(factor >> 32));
    for (i = 0; i < FRACTION / 32 + 2; i++) {
        carry += (uint32_t)(((uint64_t)words[i + whole + 1] << 32 | words[i + whole]) >> part);
        words[i] = (uint32_t)carry;
        carry >>= 32;
    }
    *exact = (words[2] | words[1] | words[0] / (2 * DIGITS_NEAR)) == 0;
    return (uint64_t)words[4] << 32 | words[3];
}

static int bit_length(uint64_t value)
{
    int bits = 0;

    for (; value != 0; value >>= 1)
        bits++;
    return bits;
}

/* floor(bits * log10 2), |bits| <= 1,100. */
static int decimal_places(int bits)
{
    const int32_t places = (int32_t)bits * 78913;

    return (int)(places >= 0 ? places / 262144 : -((-places + 262143) / 262144));
}

/* The float times two, and the smallest and the largest integer that read back as the float. */
typedef struct digits_interval {
    uint64_t least, most;
    uint64_t twice;
    unsigned exact; /* nothing of `twice` was cut off */
} digits_interval;

/* Drops the last digit as long as the interval has a number without it. */
static uint64_t digits_shorten(digits_interval *in, int *power_of_ten)
{
    uint64_t number = in->twice / 2;
    uint64_t unit = 2;

    for (;;) {
        uint64_t above = in->least + 9;
        uint64_t below = in->most;

        (void)utet_tenth(&above);
        (void)utet_tenth(&below);
        if (above > below)
            break;
        in->least = above;
        in->most = below;
        (void)utet_tenth(&number);
        unit *= 10;
        ++*power_of_ten;
    }
    /* The number nearest to the float, of two the even one. It may be below the interval, but not above, because the
     * interval reaches up at least as far as down. */
    in->twice -= number * unit;
    if (in->twice > unit / 2 || (in->twice == unit / 2 && (!in->exact || (number & 1) != 0)))
        number++;
    return number < in->least ? in->least : number;
}

uint64_t utet_show_digits(uint64_t fraction, int exponent, int narrow, int *power_of_ten)
{
    const unsigned odd = (unsigned)fraction & 1u; /* then the ends read back as other floats */
    unsigned shift;
    digits_power a;
    digits_interval in;

    /* With n = SCALE + *power_of_ten the float is less than 10^(n + 1) and at least 10^n / 2. */
    *power_of_ten = decimal_places(bit_length(fraction) + exponent) - SCALE;
    power_of_five(&a, -*power_of_ten);
    shift = (unsigned)(1 - a.exponent - exponent + *power_of_ten);
    in.most = digits_product(&a, 4 * fraction + 2, shift, &in.exact);
    in.most = (in.most - (in.exact & odd)) / 2;
    in.least = digits_product(&a, 4 * fraction - (narrow ? 1u : 2u), shift, &in.exact);
    in.least = (in.least + (in.exact ? odd : 1u) + 1) / 2;
    in.twice = digits_product(&a, 4 * fraction, shift, &in.exact);
    return digits_shorten(&in, power_of_ten);
}
