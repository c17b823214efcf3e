/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* One stored element as text. Integers by repeated division, floats from the digits of digits.c; no floating point. */
#include "../../base/base.h"
#include "show.h"

#include <string.h>

typedef struct show_text {
    char *at; /* UTET_SHOW_SIZE bytes: no element has more */
    unsigned length;
} show_text;

static void show_put(show_text *out, char c)
{
    out->at[out->length++] = c;
}

static void put_word(show_text *out, const char *word)
{
    for (; *word != '\0'; word++)
        show_put(out, *word);
}

static void put_zeros(show_text *out, int count)
{
    for (; count > 0; count--)
        show_put(out, '0');
}

/* Writes a number with at least `least` digits. */
static void show_put_number(show_text *out, uint64_t number, unsigned least)
{
    out->length += utet_decimals(number, least, out->at + out->length);
}

/* number * 10^power: digit by digit from 1e-4 to below 1e16, else d1.d2…e±NN. */
UTET_APART static void put_decimal(show_text *out, uint64_t number, int power)
{
    char digits[20];
    const int count = (int)utet_decimals(number, 1, digits);
    const int point = count + power; /* of 0.d1d2… */
    const int positional = point > -4 && point <= 16;
    const int whole = positional ? point : 1; /* digits before the decimal point */
    int i;

    if (whole <= 0) {
        put_word(out, "0.");
        put_zeros(out, -whole);
    }
    for (i = 0; i < count; i++) {
        if (i == whole && i > 0)
            show_put(out, '.');
        show_put(out, digits[i]);
    }
    put_zeros(out, whole - count);
    if (!positional) {
        show_put(out, 'e');
        show_put(out, point > 0 ? '+' : '-');
        show_put_number(out, (uint64_t)(point > 0 ? point - 1 : 1 - point), 2);
    }
}

const utet_float_layout *utet_show_float(uint32_t dtype)
{
#define LAYOUT_ROW(tag, number, name, bytes, kind, fraction) [number] = {fraction, 8 * (bytes)-1 - (fraction)},
    static const utet_float_layout layouts[] = {UTET_DTYPES(LAYOUT_ROW)};

    return UTET_IS_FLOAT(dtype) ? &layouts[dtype] : NULL;
}

static void show_put_float(show_text *out, uint64_t bits, const utet_float_layout *layout)
{
    const int exponents = (int)(((unsigned)1 << layout->exponent_bits) - 1u); /* the highest: infinity and NaN */
    const int field = (int)(bits >> layout->fraction_bits & (uint64_t)exponents);
    const uint64_t hidden = (uint64_t)1 << layout->fraction_bits;
    uint64_t fraction = bits & (hidden - 1);
    int power;

    if (field == exponents && fraction != 0) {
        put_word(out, "nan");
        return;
    }
    if ((bits >> layout->fraction_bits >> layout->exponent_bits & 1u) != 0)
        show_put(out, '-');
    if (field == exponents) {
        put_word(out, "inf");
    } else if (field == 0 && fraction == 0) {
        show_put(out, '0');
    } else {
        const int lowest = 1 - exponents / 2 - layout->fraction_bits; /* exponent of subnormals */
        /* At a power of two the floats below are closer, unless they are also subnormal. */
        const int narrow = fraction == 0 && field > 1;

        if (field != 0)
            fraction += hidden;
        fraction = utet_show_digits(fraction, field != 0 ? lowest + field - 1 : lowest, narrow, &power);
        put_decimal(out, fraction, power);
    }
}

unsigned utet_show_put(uint32_t dtype, const void *element, char *to)
{
    const utet_float_layout *layout = utet_show_float(dtype);
    unsigned bytes;
    uint64_t bits = utet_show_bits(dtype, element, &bytes);
    show_text out;

    out.at = to;
    out.length = 0;
    if (layout != NULL) {
        show_put_float(&out, bits, layout);
    } else if (bytes != 0) {
        const uint64_t sign = (uint64_t)1 << (8 * bytes - 1);

        if (UTET_KNOWN_IS(UTET_SIGNEDS_, dtype) && (bits & sign) != 0) {
            show_put(&out, '-');
            bits = sign - (bits - sign);
        }
        show_put_number(&out, bits, 1);
    }
    return out.length;
}

utet_status utet_show_text(uint32_t dtype, const void *element, char *buffer, size_t size, size_t *length)
{
    char all[UTET_SHOW_SIZE];
    const unsigned count = utet_show_put(dtype, element, all);

    if (count == 0)
        return UTET_E_DTYPE;
    if (size <= count)
        return UTET_E_SPACE;
    memcpy(buffer, all, count);
    buffer[count] = '\0';
    if (length != NULL)
        *length = count;
    return UTET_OK;
}
