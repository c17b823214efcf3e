/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Decimal numbers: whole ones exactly, as 64 bits; all others as the nearest double and float. */
#include "number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MOST_EXPONENT 100000 /* a larger exponent makes a number 0 or too large, whatever its digits */
#define DOUBLE_DIGITS 17u    /* significant digits that identify a double */
#define SURE_DIGITS 19u      /* every number of 19 digits fits 64 bits */
#define MOST_DECIMALS 27     /* 5^27 fits 64 bits */

/* The decimal digits: value = d1 d2 … dk * 10^power, without zeros before and after. */
typedef struct digits {
    const char *first; /* the first digit that is not 0; the digits after it may contain a point */
    size_t count;
    long power;
    int exponent;     /* one was written */
    int point;        /* one was written */
    size_t written;   /* digits, with all zeros */
    uint64_t number;  /* d1 d2 … dk, if 64 bits hold it */
    uint64_t integer; /* the number before the point, if 64 bits hold it */
} digits;

static const char *skip_digits(const char *at)
{
    while (*at >= '0' && *at <= '9')
        at++;
    return at;
}

/* Reads an exponent such as "e5" at *at; returns 0 if it has no digits. */
static int take_exponent(const char **at, long *power)
{
    const char *from = *at + 1 + (((*at)[1] == '+' || (*at)[1] == '-') ? 1 : 0);
    const char *const end = skip_digits(from);
    long value = 0;

    if (end == from)
        return 0;
    for (; from < end; from++)
        value = value > MOST_EXPONENT ? value : value * 10 + (*from - '0');
    *power += (*at)[1] == '-' ? -value : value;
    *at = end;
    return 1;
}

/* Reads digits with at most one point among them; returns their end. */
static const char *look(digits *d, const char *from)
{
    uint64_t number = 0; /* the digits up to here, modulo 2^64 */
    size_t last = 0;     /* number of digits from the first to the last that is not 0 */
    size_t count = 0;

    memset(d, 0, sizeof *d);
    for (;; from++) {
        const unsigned digit = (unsigned)(unsigned char)*from - '0';

        if (digit > 9) {
            if (*from != '.' || d->point)
                break;
            d->point = 1;
            d->integer = number;
            continue;
        }
        d->written++;
        d->power -= d->point;
        number = number * 10 + digit;
        if (count == 0 && digit == 0)
            continue;
        if (count++ == 0)
            d->first = from;
        if (digit != 0) {
            last = count;
            d->number = number;
        }
    }
    if (!d->point)
        d->integer = number;
    d->count = last;
    d->power += (long)(count - last);
    return from;
}

/* Computes the integer part, and whether the number has a fraction. */
static void judge_whole(decimal *n, const digits *d)
{
    const char *at = d->first;
    long left = (long)d->count + (d->power < 0 ? d->power : 0);
    long zeros = d->count == 0 || d->power < 0 ? 0 : d->power;

    n->whole = d->count == 0 || d->power >= 0;
    if (!d->exponent && d->written <= SURE_DIGITS) {
        n->fits = 1;
        n->magnitude = d->integer;
        return;
    }
    n->fits = left + zeros <= 20;
    for (; n->fits && left > 0; at++) {
        const unsigned digit = (unsigned)(*at - '0');

        if (*at == '.')
            continue;
        left--;
        n->fits = n->magnitude <= (UINT64_MAX - digit) / 10;
        n->magnitude = n->magnitude * 10 + digit;
    }
    for (; n->fits && zeros > 0; zeros--) {
        n->fits = n->magnitude <= UINT64_MAX / 10;
        n->magnitude *= 10;
    }
}

const double number_tens[NUMBER_TENS + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                             1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

#ifdef __SIZEOF_INT128__
__extension__ typedef unsigned __int128 wide;

static const uint64_t fives[MOST_DECIMALS + 1] = {UINT64_C(1),
                                                  UINT64_C(5),
                                                  UINT64_C(25),
                                                  UINT64_C(125),
                                                  UINT64_C(625),
                                                  UINT64_C(3125),
                                                  UINT64_C(15625),
                                                  UINT64_C(78125),
                                                  UINT64_C(390625),
                                                  UINT64_C(1953125),
                                                  UINT64_C(9765625),
                                                  UINT64_C(48828125),
                                                  UINT64_C(244140625),
                                                  UINT64_C(1220703125),
                                                  UINT64_C(6103515625),
                                                  UINT64_C(30517578125),
                                                  UINT64_C(152587890625),
                                                  UINT64_C(762939453125),
                                                  UINT64_C(3814697265625),
                                                  UINT64_C(19073486328125),
                                                  UINT64_C(95367431640625),
                                                  UINT64_C(476837158203125),
                                                  UINT64_C(2384185791015625),
                                                  UINT64_C(11920928955078125),
                                                  UINT64_C(59604644775390625),
                                                  UINT64_C(298023223876953125),
                                                  UINT64_C(1490116119384765625),
                                                  UINT64_C(7450580596923828125)};

/* 2^64 / 5^d for powers of 2 that make it 2^63 or more, rounded down; of 5^0 the largest number. */
static const uint64_t reciprocals[MOST_DECIMALS + 1] = {
    UINT64_C(0xFFFFFFFFFFFFFFFF), UINT64_C(0xCCCCCCCCCCCCCCCC), UINT64_C(0xA3D70A3D70A3D70A),
    UINT64_C(0x83126E978D4FDF3B), UINT64_C(0xD1B71758E219652B), UINT64_C(0xA7C5AC471B478423),
    UINT64_C(0x8637BD05AF6C69B5), UINT64_C(0xD6BF94D5E57A42BC), UINT64_C(0xABCC77118461CEFC),
    UINT64_C(0x89705F4136B4A597), UINT64_C(0xDBE6FECEBDEDD5BE), UINT64_C(0xAFEBFF0BCB24AAFE),
    UINT64_C(0x8CBCCC096F5088CB), UINT64_C(0xE12E13424BB40E13), UINT64_C(0xB424DC35095CD80F),
    UINT64_C(0x901D7CF73AB0ACD9), UINT64_C(0xE69594BEC44DE15B), UINT64_C(0xB877AA3236A4B449),
    UINT64_C(0x9392EE8E921D5D07), UINT64_C(0xEC1E4A7DB69561A5), UINT64_C(0xBCE5086492111AEA),
    UINT64_C(0x971DA05074DA7BEE), UINT64_C(0xF1C90080BAF72CB1), UINT64_C(0xC16D9A0095928A27),
    UINT64_C(0x9ABE14CD44753B52), UINT64_C(0xF79687AED3EEC551), UINT64_C(0xC612062576589DDA),
    UINT64_C(0x9E74D1B791E07E48)};

/* The double that is not 0, times 2^power; both are normal. */
static double scaled(double value, int power)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    bits += (uint64_t)power << 52;
    memcpy(&value, &bits, sizeof bits);
    return value;
}

/* 10^decimals is 5^decimals * 2^decimals, and a quotient of 62 bits or more is rounded once. The product with a
 * reciprocal is the quotient or up to 2 less; where that may matter, next to the middle of two doubles, the quotient is
 * computed. The lowest bit is 1 for what comes after it. */
int number_divide_wide(uint64_t number, unsigned decimals, double *value)
{
    int up;
    int down;
    uint64_t quotient;
    uint64_t half;

    if (number == 0 || decimals > MOST_DECIMALS)
        return 0;
    up = __builtin_clzll(number);
    down = __builtin_clzll(fives[decimals]);
    quotient = (uint64_t)((wide)(number << up) * reciprocals[decimals] >> 64);
    half = UINT64_C(1024) >> __builtin_clzll(quotient);
    if (((quotient + 1) & (2 * half - 1)) - half <= 1) {
        const uint64_t by = fives[decimals] << down;
        const wide dividend = (wide)(number << up) << 63;

        quotient = (uint64_t)(dividend / by);
        quotient = quotient >> 1 | (quotient & 1) | (dividend != (wide)quotient * by);
    } else {
        quotient = quotient >> 1 | 1;
    }
    *value = scaled((double)(int64_t)quotient, down - up - 62 - (int)decimals);
    return 1;
}
#else
int number_divide_wide(uint64_t number, unsigned decimals, double *value)
{
    (void)number;
    (void)decimals;
    (void)value;
    return 0;
}
#endif

/* A double of up to 19 digits and a small power of ten. Returns 0 if the number is not such a one. */
static int few_digits(decimal *n, const digits *d)
{
    double value = (double)d->number;

    if (d->count > SURE_DIGITS || d->power < -MOST_DECIMALS || d->power > NUMBER_TENS)
        return 0;
    if (d->power > 0) {
        if (FLT_EVAL_METHOD != 0 || d->number > NUMBER_EXACT)
            return 0;
        value *= number_tens[d->power];
    } else if (!number_divide(d->number, (unsigned)-d->power, &value)) {
        return 0;
    }
    n->value = n->negative ? -value : value;
    return 1;
}

/* Returns the float nearest to the number. The double, rounded to a float, may be another float only if the double is
 * exactly halfway between two floats and the number is not. */
static float narrow_of(const decimal *n, const char *text)
{
    const double size = fabs(n->value);
    uint64_t bits;

    memcpy(&bits, &n->value, sizeof bits);
    if ((bits & 0x1FFFFFFF) == 0x10000000 || (size < (double)FLT_MIN && size > 0) || size > (double)FLT_MAX)
        return strtof(text, NULL);
    return (float)n->value;
}

/* Returns nonzero if the double, printed with the same number of digits, has the same digits: the text may come from
 * printing it. */
static int may_be_printed(const decimal *n, const digits *d)
{
    char text[32];
    const char *a = text;
    const char *b = d->first;
    size_t left = d->count;

    if (left == 0 || left > DOUBLE_DIGITS)
        return left == 0;
    (void)snprintf(text, sizeof text, "%.*e", (int)left - 1, fabs(n->value));
    for (; left > 0; a++, b++, left--) {
        a += *a == '.';
        b += *b == '.';
        if (*a != *b)
            return 0;
    }
    return 1;
}

/* Returns nonzero if the double is exactly the whole number: its complete decimal digits are the same. */
static int same_digits(const decimal *n, const digits *d)
{
    char text[400];
    digits own;
    const char *a;
    const char *b;
    size_t left = d->count;

    if (isinf(n->value))
        return 0;
    (void)snprintf(text, sizeof text, "%.0f", fabs(n->value));
    (void)look(&own, text);
    if (own.count != d->count || own.power != d->power)
        return 0;
    for (a = own.first, b = d->first; left > 0; a++, b++, left--) {
        b += *b == '.';
        if (*a != *b)
            return 0;
    }
    return 1;
}

static int take_word(decimal *n, const char *at)
{
    if (strcasecmp(at, "nan") == 0)
        return NUMBER_NAN;
    if (strcasecmp(at, "inf") != 0 && strcasecmp(at, "infinity") != 0)
        return NUMBER_NONE;
    n->value = n->negative ? -(double)INFINITY : (double)INFINITY;
    n->narrow = (float)n->value;
    return NUMBER_INFINITE;
}

void number_read(decimal *n, const char *text)
{
    const char *const from = text + (*text == '+' || *text == '-');
    const char *at;
    digits d;

    memset(n, 0, sizeof *n);
    n->negative = *text == '-';
    at = look(&d, from);
    if (d.written == 0) {
        n->kind = take_word(n, from);
        if (n->kind == NUMBER_NAN) {
            n->value = (double)NAN;
            n->narrow = (float)NAN;
        }
        return;
    }
    d.exponent = *at == 'e' || *at == 'E';
    if ((d.exponent && !take_exponent(&at, &d.power)) || *at != '\0')
        return;
    n->kind = NUMBER_FINITE;
    n->plain = !d.point && !d.exponent;
    judge_whole(n, &d);
    if (n->plain && n->fits && n->magnitude <= NUMBER_EXACT) {
        n->value = n->negative ? -(double)n->magnitude : (double)n->magnitude;
        n->narrow = (float)n->value;
        n->exact = 1;
    } else {
        if (!few_digits(n, &d))
            n->value = strtod(text, NULL);
        n->narrow = narrow_of(n, text);
        n->exact = n->whole && ((n->fits && n->magnitude <= NUMBER_EXACT) || same_digits(n, &d));
    }
    /* programs print a double as 1.2345678901234567e+18; 9.007199254740993e+15 is not exactly a double */
    n->integer = n->whole && (!d.exponent || !may_be_printed(n, &d));
}

/* IEEE binary16 of the nearest double, rounded to nearest, ties to even. */
static uint16_t half_of(double value)
{
    const uint16_t sign = signbit(value) ? 0x8000 : 0;
    int exponent;
    double scaled;

    if (isnan(value))
        return (uint16_t)(sign | 0x7E00);
    value = fabs(value);
    if (value >= 65520.0)
        return (uint16_t)(sign | 0x7C00);
    (void)frexp(value, &exponent);
    if (exponent < -13)
        exponent = -13; /* subnormal */
    scaled = nearbyint(ldexp(value, 11 - exponent));
    return (uint16_t)(sign + (scaled < 1024.0 ? (uint16_t)scaled : (uint16_t)((exponent + 13) * 1024 + (int)scaled)));
}

static int store_float(const decimal *n, uint32_t dtype, uint64_t *bits)
{
    uint32_t low;
    double kept;

    if (dtype == UTET_F64) {
        memcpy(bits, &n->value, sizeof n->value);
        kept = n->value;
    } else if (dtype == UTET_F32) {
        memcpy(&low, &n->narrow, sizeof low);
        *bits = low;
        kept = (double)n->narrow;
    } else {
        const uint16_t half = half_of(n->value);
        const uint8_t element[2] = {(uint8_t)(half & 0xFF), (uint8_t)(half >> 8)};

        *bits = half;
        (void)utet_show_double(UTET_F16, element, &kept);
    }
    if (n->kind == NUMBER_FINITE && isinf(kept))
        return NUMBER_BEYOND;
    return n->integer && (!n->exact || kept < n->value || kept > n->value) ? NUMBER_ROUNDED : NUMBER_KEPT;
}

int number_store(const decimal *n, uint32_t dtype, uint64_t *bits)
{
#define MOST_ROW(tag, number, name, bytes, kind, fraction) \
    [number] = UINT64_MAX >> (64 - 8 * (bytes) + ((kind) == UTET_SIGNED)),
    static const uint64_t most[] = {UTET_DTYPES(MOST_ROW)};

    if (UTET_IS_FLOAT(dtype))
        return store_float(n, dtype, bits);
    if (n->kind != NUMBER_FINITE || !n->whole || !n->fits)
        return NUMBER_BEYOND;
    *bits = n->negative ? 0 - n->magnitude : n->magnitude;
    if (n->magnitude == 0)
        return NUMBER_KEPT;
    return n->magnitude <= most[dtype] + (n->negative ? 1u : 0u) && (UTET_IS_SIGNED(dtype) || !n->negative)
               ? NUMBER_KEPT
               : NUMBER_BEYOND;
}
