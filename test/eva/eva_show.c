/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Frama-C EVA over one element as a number and as text (tet/show). EVA_PART 1: any element of any dtype as a double;
 * 2: as text, into a buffer of any size up to 40 bytes, where the digits of a float are any number of at most 17 with
 * any power of ten that leaves binary64 (contracts of utet_show_digits and utet_decimals); 3: powers of five and their
 * products, for any words and factors; 4: the digits of any float, of which the power and the products are contracts.
 * It is assumed, and tested by suite_show with the largest and smallest floats, that a product's shift is 96 to 191.
 *
 * eva.sh: 4 parts, x86_16, x86_32, x86_64, ppc_32
 *   1: -eva-slevel 200 -eva-split-return full -warn-special-float none
 *   2: -eva-slevel 200000 -eva-split-return full
 *   3: -eva-slevel 3000
 *   4: -eva-slevel 100 -eva-use-spec power_of_five,digits_product
 */
#include "eva_any.h"

#include "tet/show/dtype.c"
#include "tet/show/element.c"

#if EVA_PART == 4
/* bytes.c has it; part 3 analyses it. */
/*@ requires \valid(number);
    assigns \result, *number \from *number;
    ensures *number == \old(*number) / 10 && 0 <= \result <= 9; */
unsigned utet_tenth(uint64_t *number);

/* The functions of digits.c that part 3 analyses. A product is less than 2^63 and, as the comment at the head of
 * digits.c states about 17 digits before the point, at least 10^16. */
#include "tet/show/digits.c"
/*@ assigns *a \from p;
    ensures \initialized(&a->word[0 .. 5]) && \initialized(&a->exponent);
    ensures -2000 <= a->exponent <= 2000; */
static void power_of_five(digits_power *a, int p);
/*@ assigns \result, *exact \from *a, factor, shift;
    ensures 10000000000000000 <= \result <= 9223372036854775807;
    ensures \initialized(exact);
    ensures 0 <= *exact <= 1; */
static uint64_t digits_product(const digits_power *a, uint64_t factor, unsigned shift, unsigned *exact);

/* Any float that has digits, from the smallest to the largest of binary64. */
void eva_main(void)
{
    const uint64_t fraction = any64() % ((uint64_t)1 << 53);
    static volatile int power;
    int power_of_ten;

    if (fraction != 0)
        (void)utet_show_digits(fraction, Frama_C_interval(-1074, 971), Frama_C_interval(0, 1), &power_of_ten);
    else
        power_of_ten = 0;
    power = power_of_ten;
}
#elif EVA_PART == 3
#include "base/bytes.c"
#include "tet/show/digits.c"

void eva_main(void)
{
    char digits[20];
    uint64_t number = any64();
    unsigned exact;
    digits_power a;

    (void)utet_tenth(&number);
    use_byte((const uint8_t *)digits + utet_decimals(0, 2, digits) - 1);
    use_byte((const uint8_t *)digits + utet_decimals(UINT64_MAX, 0, digits) - 1);

    (void)decimal_places(bit_length(any64()) + Frama_C_interval(-1074, 971));
    power_of_five(&a, 340);
    power_of_five(&a, -291);
    Frama_C_make_unknown((char *)a.word, sizeof a.word);
    a.exponent = Frama_C_interval(-2000, 2000);
    digits_multiply(&a, (uint32_t)Frama_C_interval(1, 15625));
    digits_divide(&a, (uint32_t)Frama_C_interval(1, 15625));
    Frama_C_make_unknown((char *)a.word, sizeof a.word);
    (void)digits_product(&a, any64(), (unsigned)Frama_C_interval(FRACTION, FRACTION + 95), &exact);
    /*@ assert exact: exact == 0 || exact == 1; */
}
#else
#include "tet/show/show_text.c"

static unsigned many; /* digits of the number that utet_show_digits has given */

uint64_t utet_show_digits(uint64_t fraction, int exponent, int narrow, int *power_of_ten)
{
    /*@ assert fraction: fraction > 0; */
    (void)exponent;
    (void)narrow;
    many = (unsigned)Frama_C_interval_split(1, 17);
    switch (Frama_C_interval_split(0, 2)) {
    case 0: *power_of_ten = Frama_C_interval(-323, -5); break;
    case 1: *power_of_ten = Frama_C_interval_split(-4, 17); break;
    default: *power_of_ten = Frama_C_interval(18, 309); break;
    }
    *power_of_ten -= (int)many;
    return any64();
}

unsigned utet_decimals(uint64_t number, unsigned least, char *digits)
{
    const unsigned float_digits = many;
    unsigned count;

    many = 0;
    if (float_digits != 0) {
        Frama_C_make_unknown(digits, 17);
        return float_digits;
    }
    count = (unsigned)Frama_C_interval_split((int)least, number < 1000 ? 3 : 20);
    Frama_C_make_unknown(digits, count);
    return count;
}

void eva_main(void)
{
    uint8_t element[8];

    Frama_C_make_unknown((char *)element, sizeof element);
#if EVA_PART == 1
    static volatile double read;
    double value;

    if (utet_show_double(any32(), element, &value) == UTET_OK)
        read = value;
    use_text(utet_show_dtype(any32()));
#else
    char text[40];
    size_t length = 0;

    if (utet_show_text((uint32_t)Frama_C_interval_split(0, 12), element, text, (size_t)Frama_C_interval(0, sizeof text),
                       Frama_C_interval_split(0, 1) ? &length : NULL) == UTET_OK) {
        use_byte((const uint8_t *)text);
        /*@ assert length: length < 26; */
    }
#endif
}
#endif
