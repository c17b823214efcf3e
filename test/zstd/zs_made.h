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

/* Parts alone, drawn with `seed`: a literals section of n (1…1,000) that are coded, a tree's description, a section of
 * `count` (1…127) sequences, a table's description of symbols up to `last`. At most ZS_MADE bytes; their number. */
size_t zs_made_literals(uint8_t *out, uint32_t seed, unsigned n);
size_t zs_made_tree(uint8_t *out, uint32_t seed);
size_t zs_made_sequences(uint8_t *out, uint32_t seed, unsigned count);
size_t zs_made_table(uint8_t *out, uint32_t seed, unsigned last, unsigned max_log);

/* The frame number i of those with one sequence of more than 64 KB, whose length is small where it is cut to 16 bits.
 */
size_t zs_long(uint8_t *out, unsigned i);

#endif
