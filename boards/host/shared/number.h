/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Reads decimal numbers as people and programs write them, and reports each loss of precision. */
#ifndef UTET_TOOL_NUMBER_H
#define UTET_TOOL_NUMBER_H

#include "utet_show.h"

#include <float.h>
#include <stdint.h>

enum { NUMBER_NONE, NUMBER_FINITE, NUMBER_INFINITE, NUMBER_NAN };

#define NUMBER_EXACT ((uint64_t)1 << 53) /* every whole number up to this one is a double */

typedef struct decimal {
    int kind;
    int negative;
    int plain;          /* only digits after the sign */
    int whole;          /* without a fraction: 5, 5.0, 5e3 */
    int fits;           /* 1: its integer part is below 2^64 */
    uint64_t magnitude; /* the integer part, if it fits */
    int exact;          /* a whole number that `value` has exactly */
    int integer;        /* written as an integer, which must not be rounded without a message */
    double value;       /* the nearest double; infinite when there is none */
    float narrow;       /* the nearest float */
} decimal;

/* Reads [+-] digits [. digits] [e [+-] digits], or nan, inf, infinity in upper or lower case, with or without a sign.
 * Any other text is NUMBER_NONE. */
void number_read(decimal *n, const char *text);

#define NUMBER_TENS 22 /* the largest power of ten that is a double without rounding */

extern const double number_tens[NUMBER_TENS + 1];

/* What number_divide does for larger numbers, with integers of 128 bits. */
int number_divide_wide(uint64_t number, unsigned decimals, double *value);

/* The double nearest to number / 10^decimals. Returns 0 if it is not computed here: more than 27 decimals, or a machine
 * without integers of 128 bits. */
static inline int number_divide(uint64_t number, unsigned decimals, double *value)
{
    if (FLT_EVAL_METHOD != 0 || number > NUMBER_EXACT || decimals > NUMBER_TENS)
        return number_divide_wide(number, decimals, value);
    *value = (double)number / number_tens[decimals]; /* of two exact numbers, rounded once */
    return 1;
}

enum { NUMBER_KEPT, NUMBER_ROUNDED, NUMBER_BEYOND };

/* Converts the number to an element of a .tet dtype (at most 8 bytes, in the low bits). NUMBER_ROUNDED: the dtype
 * cannot represent a whole number exactly. NUMBER_BEYOND: out of the dtype's range, or not an integer. */
int number_store(const decimal *n, uint32_t dtype, uint64_t *bits);

#define NUMBER_TEXT 32u /* size of the buffer for a double's text, in bytes */

/* Does what utet_show_text does, with the same result; faster where the compiler has integers of 128 bits. */
utet_status number_text(uint32_t dtype, const void *element, char *buffer, size_t size, size_t *length);

/* Writes the double with the fewest digits that read back as the same double, whole numbers below 10^16 without an
 * exponent; returns `text`. */
const char *number_shortest(char text[NUMBER_TEXT], double value);

#endif
