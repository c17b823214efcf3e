/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Decimal numbers as people and programs write them, without a loss that nobody hears of. */
#ifndef UTET_TOOL_NUMBER_H
#define UTET_TOOL_NUMBER_H

#include <stdint.h>

enum { NUMBER_NONE, NUMBER_FINITE, NUMBER_INFINITE, NUMBER_NAN };

typedef struct decimal {
    int kind;
    int negative;
    int plain;          /* digits alone after the sign */
    int whole;          /* without a fraction: 5, 5.0, 5e3 */
    int fits;           /* its whole part is below 2^64: */
    uint64_t magnitude; /* this one */
    int exact;          /* whole, and `value` is exactly it */
    int integer;        /* somebody wrote it as an integer: nothing of it may be rounded in silence */
    double value;       /* the nearest double; infinite when there is none */
    float narrow;       /* the nearest float */
} decimal;

/* [+-] digits [. digits] [e [+-] digits], or nan, inf, infinity in letters of either case with a sign or none; any
 * other text is NUMBER_NONE. */
void number_read(decimal *n, const char *text);

enum { NUMBER_KEPT, NUMBER_ROUNDED, NUMBER_BEYOND };

/* The number as an element of a dtype of .tet (8 bytes at most, in the low bits). NUMBER_ROUNDED: a whole number that
 * the dtype has only nearly. NUMBER_BEYOND: out of its range, or no integer. */
int number_store(const decimal *n, uint32_t dtype, uint64_t *bits);

#define NUMBER_TEXT 32u /* bytes of the text of a double */

/* The text of a double with the fewest digits that reads back as the same double, in `text`, which it returns. */
const char *number_shortest(char text[NUMBER_TEXT], double value);

#endif
