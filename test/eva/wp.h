/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The macros with which the annotations of the sources are written, and memcpy and memset for bytes. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/*@ // p lies low to high bytes behind `base`, in the same object
    predicate between(uint8_t *p, uint8_t *base, integer low, integer high) =
      p == base + (p - base) && low <= p - base <= high; */

/*@ requires n != 0 ==> \valid(to + (0 .. n - 1)) && \valid_read(from + (0 .. n - 1));
    requires \separated(to + (0 .. n - 1), from + (0 .. n - 1));
    assigns to[0 .. n - 1] \from from[0 .. n - 1]; */
void wp_copy(uint8_t *to, const uint8_t *from, size_t n);
/*@ requires n != 0 ==> \valid(to + (0 .. n - 1));
    assigns to[0 .. n - 1] \from value; */
void wp_set(uint8_t *to, int value, size_t n);
#define memcpy wp_copy
#define memset wp_set
