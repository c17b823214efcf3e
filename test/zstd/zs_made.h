/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* See zs_made.c. */
#ifndef ZS_MADE_H
#define ZS_MADE_H

#include <stddef.h>
#include <stdint.h>

enum { ZS_MADE = 4096 }; /* room that each of them has enough of */

/* The frame number `seed`; its length. */
size_t zs_made(uint8_t *out, uint32_t seed);

/* The frame number i of those with one sequence of more than 64 KB, whose length is small where it is cut to 16 bits.
 */
size_t zs_long(uint8_t *out, unsigned i);

#endif
