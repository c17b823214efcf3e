/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The integer inside an element, the parts of a float, digits of a float; and an element's text, for packages that
 * have room for the longest one. */
#ifndef UTET_SHOW_INTERNAL_H
#define UTET_SHOW_INTERNAL_H

#include "utet_show.h"

/* The element's bits as an unsigned integer; 0 bytes for an unknown dtype. */
uint64_t utet_show_bits(uint32_t dtype, const void *element, unsigned *bytes);

/* IEEE 754 binary16, 32 and 64: bits of the fraction and of the exponent. */
typedef struct utet_float_layout {
    uint8_t fraction_bits;
    uint8_t exponent_bits;
} utet_float_layout;

/* Null for dtypes that are not floats. */
const utet_float_layout *utet_show_float(uint32_t dtype);

/*
 * The integer with the fewest decimal digits, at most 17, which times 10^*power_of_ten reads back as
 * fraction * 2^exponent (fraction not 0); of several equally short ones, the nearest. `narrow`: the next smaller float
 * is half as far away as the next larger one.
 */
uint64_t utet_show_digits(uint64_t fraction, int exponent, int narrow, int *power_of_ten);

/* utet_show_text without its terminator, into UTET_SHOW_SIZE bytes; returns how many, 0 for an unknown dtype. A caller
 * that has the room spares a second buffer on the stack, and the copy. */
unsigned utet_show_put(uint32_t dtype, const void *element, char *to);

#define UTET_SHOW_MOST_POWER 40 /* of ten, of the last digit of a number */

/* The number in a text of `length` bytes. OK, E_METADATA: no number, E_LIMIT: too many digits or too large a power. */
utet_status utet_show_decimal(utet_physical_number *n, const char *text, size_t length);

#endif
