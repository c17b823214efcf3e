/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Frama-C EVA over one element as a number and as text (src/show). EVA_PART 1: any element of any dtype as a double;
 * 2: as text, into a buffer of any size up to 40 bytes, where the digits of a float are any 1 to 17 characters with any
 * decimal point that binary64 can have (contract of utet_show_digits); 3: the large integers of those digits, each
 * operation for any number of any size for which the result has room. Assumed, and tested by suite_show with the
 * largest and smallest floats: that no number gets larger.
 */
#include "eva_any.h"

#include "show/dtype.c"
#include "show/element.c"

#if EVA_PART == 3
#include "show/digits.c"

static big any_big(unsigned used)
{
    big a;

    Frama_C_make_unknown((char *)a.limb, sizeof a.limb);
    a.used = used;
    return a;
}

void eva_main(void)
{
    const unsigned any = (unsigned)Frama_C_interval(1, LIMBS);
    big a, b = any_big(any), c = any_big(any);
    unsigned n;
    ratio r;

    big_set(&a, any64());
    (void)decimal_places(bit_length(any64()) + Frama_C_interval(-1100, 1100));
    /*@ loop unroll 40; */
    for (n = 0; n < LIMBS; n++) {
        a = any_big(n != 0 ? n : 1u);
        big_times(&a, any32());
        a = any_big(1);
        if (n < LIMBS - 1u)
            big_shift(&a, 32u * n + (unsigned)Frama_C_interval(0, 31));
        a = any_big(n + 1u);
        big_minus(&a, &b);
    }
    a = any_big(any);
    (void)big_compare(&a, (uint32_t)Frama_C_interval(1, 2), &b, (uint32_t)Frama_C_interval(1, 2), &c);
    (void)big_compare(&a, (uint32_t)Frama_C_interval(1, 2), NULL, 0, &c);
    r.rest = r.scale = r.gap = a;
    r.above = (uint32_t)Frama_C_interval(1, 2);
    r.even = Frama_C_interval(0, 1);
    (void)reaches_up(&r);
}
#else
#include "show/show_text.c"

unsigned utet_show_digits(uint64_t fraction, int exponent, int narrow, char *digits, int *point)
{
    /*@ assert fraction: fraction > 0; */
    (void)exponent;
    (void)narrow;
    Frama_C_make_unknown(digits, UTET_SHOW_DIGITS);
    switch (Frama_C_interval_split(0, 2)) {
    case 0: *point = Frama_C_interval(-323, -5); break;
    case 1: *point = Frama_C_interval_split(-4, 17); break;
    default: *point = Frama_C_interval(18, 309); break;
    }
    return (unsigned)Frama_C_interval_split(1, UTET_SHOW_DIGITS);
}

void eva_main(void)
{
    uint8_t element[8];

    Frama_C_make_unknown((char *)element, sizeof element);
#if EVA_PART == 1
    double value = 0;

    (void)utet_show_double(any32(), element, &value);
    (void)utet_show_dtype(any32());
#else
    char text[40];
    size_t length = 0;

    (void)utet_show_text((uint32_t)Frama_C_interval_split(0, 12), element, text,
                         (size_t)Frama_C_interval(0, sizeof text), Frama_C_interval(0, 1) ? &length : NULL);
#endif
}
#endif
