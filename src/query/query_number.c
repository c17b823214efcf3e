/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Decimal numbers as the nearest double, ties to even, by integers. The digits are a row of limbs, nine digits each,
 * with the point in front of the first limb and a power of 10^9. Halving and doubling bring the value into [2^63,
 * 2^64), and the whole part is rounded. A number half way between two doubles has at most 768 digits; the digits after
 * the limbs only mean that there is a little more.
 */
#include "../fold/fold.h"
#include "query.h"

#include <string.h>

#define LIMB 1000000000u
#define DIGITS 9
#define LEAST_EXPONENT 2250 /* of ten, a multiple of 9; below -2250 every number is 0, above 2250 too large */
#define MOST_WRITTEN 100000000
#define MOST_LIMBS ((uint64_t)18446744073u) /* 2^64 - 1 is this, then MOST_LIMB */
#define MOST_LIMB 709551615u

enum { QUERY_NUMBER_START, QUERY_NUMBER_WHOLE, QUERY_NUMBER_FRACTION, QUERY_NUMBER_EXPONENT }; /* decimal.state */

static uint32_t query_number_cut(uint64_t *value)
{
    uint64_t high = utet_div(*value, LIMB);
    uint32_t low = (uint32_t)(*value - high * LIMB);

    *value = high;
    return low;
}

/* Times 2^bits, at most 2^28. */
static void shift_up(utet_query_decimal *decimal, unsigned bits)
{
    uint32_t *limb = decimal->limb;
    unsigned used = decimal->used;
    uint64_t carry = 0;
    unsigned i = used;

    while (i-- != 0) {
        carry += (uint64_t)limb[i] << bits;
        limb[i] = query_number_cut(&carry);
    }
    if (carry != 0) {
        if (used == UTET_QUERY_LIMBS) {
            used--;
            decimal->more = decimal->more != 0 || limb[used] != 0;
        }
        memmove(limb + 1, limb, used * sizeof *limb);
        limb[0] = (uint32_t)carry;
        decimal->exponent++;
        used++;
    }
    while (used > 1 && limb[used - 1] == 0)
        used--;
    decimal->used = (uint8_t)used;
}

/* Over 2^bits, at most 2^28. */
static void shift_down(utet_query_decimal *decimal, unsigned bits)
{
    uint32_t *limb = decimal->limb;
    unsigned used = decimal->used;
    uint32_t mask = ((uint32_t)1 << bits) - 1u;
    uint64_t rest = 0;
    unsigned from = 0;
    unsigned to = 0;

    while (from < used || (rest != 0 && to < UTET_QUERY_LIMBS)) {
        uint32_t quotient;

        rest = rest * LIMB + (from < used ? limb[from] : 0u);
        quotient = (uint32_t)(rest >> bits);
        rest &= mask;
        if (from == 0 && quotient == 0)
            decimal->exponent--; /* nothing is put where the first limb was */
        else
            limb[to++] = quotient;
        from++;
    }
    decimal->more = decimal->more != 0 || rest != 0;
    decimal->used = (uint8_t)to;
}

/* The digits' value as the bits of a double. */
static uint64_t query_number_rounded(utet_query_decimal *decimal, unsigned negative)
{
    uint32_t *limb = decimal->limb;
    uint32_t power = 0;
    uint64_t whole = 0;
    unsigned i;

    if (decimal->used == 0 || decimal->exponent < -40) /* below 10^-351 */
        return negative ? FOLD_DOUBLE_SIGN : 0;
    if (decimal->exponent > 36) /* 10^315 or more */
        return FOLD_DOUBLE_INF;
    while (decimal->exponent > 2) {
        shift_down(decimal, 28);
        power += 28;
    }
    /* Below 10^18 now; up to 2^56 at least, which has more bits than a double */
    while (decimal->exponent < 2 || limb[0] < (uint32_t)1 << 27) {
        unsigned bits = decimal->exponent < 1 ? 28 : 1;

        shift_up(decimal, bits);
        power -= bits;
    }
    for (i = 0; i < 2; i++)
        whole = whole * LIMB + (i < decimal->used ? limb[i] : 0u);
    return utet_fold_round(negative, whole, (int32_t)power, decimal->used > 2 || decimal->more);
}

static void query_number_digit(utet_query_decimal *decimal, unsigned value)
{
    uint32_t digits = decimal->digits;
    unsigned at = (unsigned)(digits / DIGITS);

    if (digits == 0 && value == 0) { /* a leading zero */
        if (decimal->state == QUERY_NUMBER_FRACTION)
            decimal->places--;
        return;
    }
    if (decimal->state == QUERY_NUMBER_WHOLE)
        decimal->places++;
    if (at >= UTET_QUERY_LIMBS) {
        decimal->more = decimal->more != 0 || value != 0;
        return;
    }
    if (digits % DIGITS == 0)
        decimal->limb[at] = 0;
    decimal->limb[at] = decimal->limb[at] * 10 + value;
    decimal->digits++;
}

/* The point between two limbs: zeros before the digits, and after them up to a whole limb. */
static void align_limbs(utet_query_decimal *decimal)
{
    uint32_t *limb = decimal->limb;
    int32_t exponent = decimal->exponent;
    unsigned used = (unsigned)((decimal->digits + DIGITS - 1) / DIGITS);
    uint32_t i;
    int32_t whole;

    if (exponent < -LEAST_EXPONENT) /* it is rounded up below */
        exponent = -LEAST_EXPONENT;
    if (exponent > LEAST_EXPONENT) /* query_number_rounded() refuses it */
        exponent = LEAST_EXPONENT;
    for (i = decimal->digits; i % DIGITS != 0; i++)
        limb[used - 1] *= 10;
    whole = (exponent + LEAST_EXPONENT + DIGITS - 1) / DIGITS - LEAST_EXPONENT / DIGITS; /* rounded up */
    decimal->exponent = whole;
    for (exponent = whole * DIGITS - exponent; exponent > 0; exponent--) { /* over 10, up to 8 times */
        uint32_t rest = 0;
        unsigned at;

        for (at = 0; at < used; at++) {
            uint32_t quotient = limb[at] / 10;
            uint32_t next = limb[at] % 10;

            limb[at] = quotient + rest * (LIMB / 10);
            rest = next;
        }
        if (rest != 0 && at < UTET_QUERY_LIMBS) {
            limb[at] = rest * (LIMB / 10);
            used = at + 1;
        } else {
            decimal->more = decimal->more != 0 || rest != 0;
        }
    }
    decimal->used = (uint8_t)used;
}

void utet_query_decimal_begin(utet_query_decimal *decimal)
{
    decimal->places = 0;
    decimal->written = 0;
    decimal->digits = 0;
    decimal->more = 0;
    decimal->less = 0;
    decimal->state = QUERY_NUMBER_WHOLE;
}

/* One byte of a number that is well-formed; 0: the number has ended. */
int utet_query_decimal_take(utet_query_decimal *decimal, uint8_t byte)
{
    unsigned value = byte - (unsigned)'0';

    if (value <= 9 && decimal->state != QUERY_NUMBER_EXPONENT) {
        query_number_digit(decimal, value);
    } else if (value <= 9) {
        if (decimal->written < MOST_WRITTEN)
            decimal->written = decimal->written * 10 + value;
    } else if (byte == '.') {
        decimal->state = QUERY_NUMBER_FRACTION;
    } else if ((byte | 0x20) == 'e') {
        decimal->state = QUERY_NUMBER_EXPONENT;
    } else if (byte == '-') {
        decimal->less = decimal->state == QUERY_NUMBER_EXPONENT;
    } else if (byte != '+') {
        return 0;
    }
    return 1;
}

/* The whole part of the digits' value, when it is below 2^64; else 0. *more: there is a fraction. */
UTET_APART static uint64_t whole_number(const utet_query_decimal *decimal, uint8_t *more)
{
    const uint32_t *limb = decimal->limb;
    const int32_t limbs = decimal->exponent;
    uint64_t whole = 0;
    int32_t used = decimal->used;
    int32_t i;

    while (used > 0 && limb[used - 1] == 0)
        used--;
    *more = used > limbs || decimal->more != 0;
    if (limbs > 3)
        return 0;
    for (i = 0; i < limbs; i++) {
        const uint32_t next = i < used ? limb[i] : 0;

        if (whole > MOST_LIMBS || (whole == MOST_LIMBS && next > MOST_LIMB))
            return 0;
        whole = whole * LIMB + next;
    }
    return whole;
}

/* The rest of a whole number: the number less its double. *more: 1 for a number with a fraction; it becomes 0 if the
 * double has a fraction. */
static int16_t rest_of(uint64_t whole, uint64_t bits, uint8_t *more)
{
    const uint64_t magnitude = bits & ~FOLD_DOUBLE_SIGN;
    unsigned fraction = 0;
    uint64_t before; /* the double's whole part, less 1: that of 2^64 is one too */
    const int within = utet_fold_whole_part(magnitude, -1, &before, &fraction);
    unsigned rest = 0;

    if (!within || fraction != 0 || magnitude == 0)
        *more = 0;
    if (within)
        rest = (unsigned)(whole - before - 1); /* at most half the distance of two doubles below 2^65 */
    return (int16_t)((bits & FOLD_DOUBLE_SIGN) != 0 ? 0 - rest : rest);
}

uint64_t utet_query_decimal_end(utet_query_decimal *decimal, unsigned negative)
{
    const uint32_t written = decimal->written;
    uint64_t whole;
    uint64_t bits;

    /* a text of some 10^9 digits, which only a footer has room for, wraps, and is another number */
    decimal->exponent = (int32_t)(decimal->places + (decimal->less ? 0u - written : written));
    align_limbs(decimal);
    whole = whole_number(decimal, &decimal->fraction);
    bits = query_number_rounded(decimal, negative);
    decimal->rest = rest_of(whole, bits, &decimal->fraction);
    return bits;
}

utet_status utet_query_double(utet_query *query, const utet_query_value *value, double *out)
{
    utet_json *json = &query->priv.json;
    utet_query_decimal *decimal = &query->shared.work.decimal;
    uint64_t bits;

    if (!query->priv.in_number) {
        utet_query_decimal_begin(decimal);
        query->priv.kept = json->next;
        json->next = value->place;
        query->priv.in_number = 1;
    }
    for (;;) {
        utet_status status = utet_json_fetch(query->priv.file, json, 1);

        if (status != UTET_OK && status != UTET_E_METADATA)
            return status;
        if (status == UTET_E_METADATA || !utet_query_decimal_take(decimal, query->priv.file->priv.at[0]))
            break;
        json->next++;
    }
    query->priv.in_number = 0;
    json->next = query->priv.kept;
    bits = utet_query_decimal_end(decimal, value->negative);
    *out = utet_fold_value(bits);
    return (bits & ~FOLD_DOUBLE_SIGN) >= FOLD_DOUBLE_INF ? UTET_E_METADATA : UTET_OK;
}

int utet_query_less(double a, double b)
{
    uint64_t first = utet_fold_bits(a);
    uint64_t second = utet_fold_bits(b);

    if (first == FOLD_DOUBLE_SIGN) /* -0 is 0 */
        first = 0;
    if (second == FOLD_DOUBLE_SIGN)
        second = 0;
    return utet_fold_order(first) < utet_fold_order(second);
}
