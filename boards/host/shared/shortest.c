/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * One stored element as text, like utet_show_text, but for a machine with 64 bits and memory for tables. The digits of
 * floats are found by the algorithm of Raffaello Giulietti, "The Schubfach way to render doubles": a power of ten of
 * 128 bits scales the float, and the ends of the interval of numbers that read back as it, so that the interval is 1 to
 * 10 wide. The error of a power is less than 2^-127 of itself, and no product comes nearer to an integer than 2^-66
 * without being one (test/tools/show_distance.py shows it).
 */
#include "number.h"
#include "tool.h"

#include <string.h>

#ifdef __SIZEOF_INT128__

#include <pthread.h>

__extension__ typedef unsigned __int128 wide;

#define LEAST_TEN (-292) /* the powers of ten that scale the largest double and the smallest one */
#define MOST_TEN 324
#define MOST_DIGITS 20 /* of 64 bits */
#define TEN_WORDS 27   /* 2^863 is more than 5^324, and has more than 128 bits when it is divided by 5^292 */

/* tens[p - LEAST_TEN] is 10^p, times a power of two that leaves 128 bits, rounded up. */
static wide tens[MOST_TEN - LEAST_TEN + 1];

/* The upper 128 bits of a number of TEN_WORDS words, the lowest first; `more`: it has a fraction. */
static wide upper_bits(const uint32_t *word, int more)
{
    unsigned i = TEN_WORDS - 1;
    unsigned left;
    unsigned shift = 0;
    wide upper;

    while (word[i] == 0)
        i--;
    while ((word[i] << shift & 0x80000000u) == 0)
        shift++;
    upper = (wide)word[i] << 96;
    for (left = 1; left < 4 && left <= i; left++)
        upper |= (wide)word[i - left] << (96 - 32 * left);
    upper <<= shift;
    if (i >= 4) {
        const uint64_t next = (uint64_t)word[i - 4] << shift;

        upper |= next >> 32;
        more |= (uint32_t)next != 0;
    }
    for (left = 5; left <= i; left++)
        more |= word[i - left] != 0;
    return upper + (more ? 1u : 0u);
}

/* 10^p has the digits of 5^p: from 1 upwards, and from a large power of two downwards. */
static void make_tens(void)
{
    uint32_t word[TEN_WORDS] = {1};
    int p;

    for (p = 0; p <= MOST_TEN; p++) {
        uint64_t carry = 0;
        unsigned i;

        tens[p - LEAST_TEN] = upper_bits(word, 0);
        for (i = 0; i < TEN_WORDS; i++) {
            carry += (uint64_t)word[i] * 5;
            word[i] = (uint32_t)carry;
            carry >>= 32;
        }
    }
    memset(word, 0, sizeof word);
    word[TEN_WORDS - 1] = 0x80000000u;
    for (p = -1; p >= LEAST_TEN; p--) {
        uint64_t rest = 0;
        unsigned i = TEN_WORDS;

        while (i-- > 0) {
            rest = rest << 32 | word[i];
            word[i] = (uint32_t)(rest / 5);
            rest %= 5;
        }
        tens[p - LEAST_TEN] = upper_bits(word, 1); /* no power of two is divisible by 5 */
    }
}

/* floor(x / 2^bits), |x| < 2^31. */
static int shifted(int64_t x, unsigned bits)
{
    return (int)((x + ((int64_t)1 << 31)) >> bits) - (int)((int64_t)1 << (31 - bits));
}

/* floor(factor * ten / 2^128) * 2, plus 1 if something was cut off that is not the error of the power. */
static uint64_t scaled_twice(wide ten, uint64_t factor)
{
    const wide low = (wide)(uint64_t)ten * factor;
    const wide high = (wide)(uint64_t)(ten >> 64) * factor + (uint64_t)(low >> 64);

    return (uint64_t)(high >> 64) << 1 | ((uint64_t)high != 0 || (uint64_t)low >= factor);
}

/* Removes zeros from the end of a number below 10^18. */
static uint64_t without_zeros(uint64_t number, int *power)
{
    while (number % 100000000 == 0) {
        number /= 100000000;
        *power += 8;
    }
    if (number % 10000 == 0) {
        number /= 10000;
        *power += 4;
    }
    if (number % 100 == 0) {
        number /= 100;
        *power += 2;
    }
    if (number % 10 == 0) {
        number /= 10;
        *power += 1;
    }
    return number;
}

/* The integer with the fewest digits which times 10^*power reads back as fraction * 2^exponent (fraction not 0); of
 * several equally short ones the nearest. `narrow`: the next smaller float is half as far away as the next larger. */
static uint64_t shortest_digits(uint64_t fraction, int exponent, int narrow, int *power)
{
    static pthread_once_t made = PTHREAD_ONCE_INIT;
    /* the largest power of ten that is at most 2^exponent, or three quarters of it; its inverse has 128 bits */
    const int ten = shifted((int64_t)exponent * 1262611 - (narrow ? 524031 : 0), 22);
    const int shift = exponent + shifted((int64_t)-ten * 1741647, 19) + 1;
    const unsigned odd = (unsigned)fraction & 1u; /* then the ends read back as other floats */
    uint64_t least, middle, most;                 /* times 8 */
    uint64_t whole, best;

    (void)pthread_once(&made, make_tens);
    least = scaled_twice(tens[-ten - LEAST_TEN], (4 * fraction - (narrow ? 1u : 2u)) << shift) + odd;
    middle = scaled_twice(tens[-ten - LEAST_TEN], 4 * fraction << shift);
    most = scaled_twice(tens[-ten - LEAST_TEN], (4 * fraction + 2) << shift) - odd;
    whole = middle / 8;
    best = whole / 10 * 10;
    if (8 * best < least && 8 * (best + 10) <= most)
        best += 10;
    if (8 * best < least) { /* no multiple of ten: one of the two integers around the float */
        const int up = middle > 8 * whole + 4 || (middle == 8 * whole + 4 && (whole & 1) != 0);

        best = 8 * whole < least || (up && 8 * (whole + 1) <= most) ? whole + 1 : whole;
    }
    *power = ten;
    return without_zeros(best, power);
}

/* Writes a number without zeros before it, so that it ends at `end`; returns its first digit. */
static char *digits_to(char *end, uint64_t number)
{
    static const char pairs[] = "00010203040506070809101112131415161718192021222324252627282930313233343536373839"
                                "40414243444546474849505152535455565758596061626364656667686970717273747576777879"
                                "8081828384858687888990919293949596979899";

    for (; number >= 100; number /= 100) {
        end -= 2;
        memcpy(end, pairs + 2 * (number % 100), 2);
    }
    if (number < 10) {
        *--end = (char)('0' + number);
        return end;
    }
    end -= 2;
    memcpy(end, pairs + 2 * number, 2);
    return end;
}

/* number * 10^power: digit by digit from 1e-4 to below 1e16, else d1.d2…e±NN; returns the end of the text. Copies as
 * many bytes as the longest number has digits, which is faster than to copy as many as there are. */
static char *put_scaled(char *to, uint64_t number, int power)
{
    char digits[2 * MOST_DIGITS] = {0};
    const char *const first = digits_to(digits + MOST_DIGITS, number);
    const int count = (int)(digits + MOST_DIGITS - first);
    const int point = count + power; /* of 0.d1d2… */
    const int positional = point > -4 && point <= 16;
    const int whole = positional ? point : 1; /* digits before the decimal point */
    const int shown = point > 0 ? point - 1 : 1 - point;

    if (whole <= 0) {
        memcpy(to, "0.000", 5);
        memcpy(to + 2 - whole, first, MOST_DIGITS);
        to += 2 - whole + count;
    } else if (whole >= count) {
        memcpy(to, first, MOST_DIGITS);
        memset(to + count, '0', MOST_DIGITS);
        to += whole;
    } else {
        memcpy(to, first, MOST_DIGITS);
        to[whole] = '.';
        memcpy(to + whole + 1, first + whole, MOST_DIGITS);
        to += count + 1;
    }
    if (positional)
        return to;
    *to++ = 'e';
    *to++ = point > 0 ? '+' : '-';
    if (shown >= 100)
        *to++ = (char)('0' + shown / 100);
    *to++ = (char)('0' + shown / 10 % 10);
    *to++ = (char)('0' + shown % 10);
    return to;
}

static char *put_float(char *to, uint64_t bits, int bytes, int fraction_bits)
{
    const int highest = (1 << (8 * bytes - 1 - fraction_bits)) - 1; /* the exponent of infinity and NaN */
    const int lowest = 1 - highest / 2 - fraction_bits;             /* that of subnormals, as a power of two */
    const int exponent = (int)(bits >> fraction_bits) & highest;
    const uint64_t hidden = (uint64_t)1 << fraction_bits;
    const uint64_t fraction = bits & (hidden - 1);
    uint64_t number;
    int power;

    if (exponent == highest && fraction != 0) {
        memcpy(to, "nan", 3);
        return to + 3;
    }
    if ((bits >> (8 * bytes - 1) & 1) != 0)
        *to++ = '-';
    if (exponent == highest) {
        memcpy(to, "inf", 3);
        return to + 3;
    }
    if (exponent == 0 && fraction == 0) {
        *to = '0';
        return to + 1;
    }
    number = exponent == 0
                 ? shortest_digits(fraction, lowest, 0, &power)
                 : shortest_digits(fraction + hidden, lowest + exponent - 1, fraction == 0 && exponent > 1, &power);
    return put_scaled(to, number, power);
}

utet_status number_text(uint32_t dtype, const void *element, char *buffer, size_t size, size_t *length)
{
#define SIZE_ROW(tag, number, name, bytes, kind, fraction) [number] = (bytes),
#define FRACTION_ROW(tag, number, name, bytes, kind, fraction) [number] = (fraction),
    static const uint8_t sizes[] = {UTET_DTYPES(SIZE_ROW)};
    static const uint8_t fractions[] = {UTET_DTYPES(FRACTION_ROW)};
    char text[UTET_SHOW_SIZE + 2 * MOST_DIGITS] = {0};
    char *end;

    if (!UTET_IS_FLOAT(dtype) || size < UTET_SHOW_SIZE)
        return utet_show_text(dtype, element, buffer, size, length);
    end = put_float(text, load_le(element, sizes[dtype]), sizes[dtype], fractions[dtype]);
    *end = '\0';
    memcpy(buffer, text, UTET_SHOW_SIZE);
    if (length != NULL)
        *length = (size_t)(end - text);
    return UTET_OK;
}

#else

utet_status number_text(uint32_t dtype, const void *element, char *buffer, size_t size, size_t *length)
{
    return utet_show_text(dtype, element, buffer, size, length);
}

#endif

const char *number_shortest(char text[NUMBER_TEXT], double value)
{
    uint8_t element[sizeof value];
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    store_le(element, bits, sizeof element);
    (void)number_text(UTET_F64, element, text, NUMBER_TEXT, NULL);
    return text;
}
