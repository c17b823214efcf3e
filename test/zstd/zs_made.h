/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* See zs_made.c. */
#ifndef ZS_MADE_H
#define ZS_MADE_H

#include <stddef.h>
#include <stdint.h>

enum { ZS_MADE = 4096 }; /* room that suffices for each of them */

/* The frame number `seed`; returns its length. */
size_t zs_made(uint8_t *out, uint32_t seed);

/* Parts by themselves, made from `seed`: a literals section of n (1…1,000) coded literals, the description of a tree, a
 * section of `count` (1…127) sequences, the description of a table of symbols up to `last`. Each returns its number of
 * bytes, at most ZS_MADE. */
size_t zs_made_literals(uint8_t *out, uint32_t seed, unsigned n);
size_t zs_made_tree(uint8_t *out, uint32_t seed);
size_t zs_made_sequences(uint8_t *out, uint32_t seed, unsigned count);
size_t zs_made_table(uint8_t *out, uint32_t seed, unsigned last, unsigned max_log);

/* The frame number i of those with one sequence of more than 64 KB, whose length is small if it is truncated to 16
 * bits. */
size_t zs_long(uint8_t *out, unsigned i);

#endif
