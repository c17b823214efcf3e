/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The text of a decimal number as digits and a power of ten, exactly. */
#include "../../base/base.h"
#include "show.h"

#define DECIMAL_WRITTEN 9999 /* an exponent that is out of range, whatever the digits are */

typedef struct physical_text {
    const char *at;
    size_t left;
} physical_text;

static int text_takes(physical_text *t, char c)
{
    if (t->left == 0 || *t->at != c)
        return 0;
    t->at++;
    t->left--;
    return 1;
}

/* The next digit; -1: there is none. */
static int text_digit(physical_text *t)
{
    const int digit = t->left > 0 && *t->at >= '0' && *t->at <= '9' ? *t->at - '0' : -1;

    t->at += digit >= 0;
    t->left -= digit >= 0;
    return digit;
}

/* The exponent after e or E into *power; 0: it has no digits. */
static int text_exponent(physical_text *t, int *power)
{
    const int minus = text_takes(t, '-');
    int written = 0;
    int digit;

    if (minus == 0)
        (void)text_takes(t, '+');
    digit = text_digit(t);
    if (digit < 0)
        return 0;
    for (; digit >= 0; digit = text_digit(t))
        written = written > DECIMAL_WRITTEN ? written : written * 10 + digit;
    *power += minus != 0 ? -written : written;
    return 1;
}

/* Digits with at most one point. OK, E_METADATA: no digit, E_LIMIT: too many. */
static utet_status text_digits(physical_text *t, utet_physical_number *n, int *power)
{
    unsigned seen = 0;
    int point = 0;
    int zeros = 0; /* after the last digit that is not 0 */
    utet_status status = UTET_OK;

    for (;; seen = 1) {
        int digit;

        if (point == 0 && text_takes(t, '.'))
            point = 1;
        digit = text_digit(t);
        if (digit < 0)
            break;
        if (*power > -DECIMAL_WRITTEN && zeros < DECIMAL_WRITTEN) {
            *power -= point;
            zeros += n->digits != 0;
        } else {
            status = UTET_E_LIMIT;
        }
        for (; digit > 0 && zeros > 0; zeros--) {
            if (n->digits > UINT64_MAX / 10)
                return UTET_E_LIMIT;
            n->digits *= 10;
        }
        if (digit > 0 && n->digits > UINT64_MAX - (unsigned)digit)
            return UTET_E_LIMIT;
        n->digits += (unsigned)digit;
    }
    *power += zeros;
    return seen != 0 ? status : UTET_E_METADATA;
}

utet_status utet_show_decimal(utet_physical_number *n, const char *text, size_t length)
{
    physical_text t = {text, length};
    int power = 0;
    utet_status status;

    n->digits = 0;
    n->power = 0;
    n->negative = (uint8_t)text_takes(&t, '-');
    if (n->negative == 0)
        (void)text_takes(&t, '+');
    status = text_digits(&t, n, &power);
    if (status == UTET_OK && (text_takes(&t, 'e') || text_takes(&t, 'E')) && !text_exponent(&t, &power))
        status = UTET_E_METADATA;
    if (status == UTET_OK && t.left != 0)
        status = UTET_E_METADATA;
    if (status != UTET_OK || n->digits == 0)
        return status;
    if (power < -UTET_SHOW_MOST_POWER || power > UTET_SHOW_MOST_POWER)
        return UTET_E_LIMIT;
    n->power = (int16_t)power;
    return UTET_OK;
}
