/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Frama-C WP over the two loops of the szip decoder that EVA cannot follow: no access outside of the input and of the
 * block's values, no shift that C does not define, and each loop ends (wp.sh). The functions that they call are
 * replaced by their contracts, which EVA proves for inputs of up to 9 bytes (eva_szip.c, part 3).
 */
#include <string.h>

#include "szip/szip.h"

/*@ predicate readable(bits *b) = \base_addr(b->in) == \base_addr(b->end) && 0 <= b->end - b->in &&
                                  \valid_read(b->in + (0 .. (b->end - b->in) - 1)); */

/*@ predicate block(utet_szip *z) =
        z->priv.params.block <= UTET_SZIP_BLOCK_MAX && z->priv.index <= z->priv.params.block; */

/*@ requires readable(b) && \valid(b) && \valid(z) && \valid(value);
    requires 1 <= n <= 32;
    assigns b->in, b->reservoir, b->held, z->priv.high, z->priv.split, *value;
    ensures b->end == \old(b->end) && readable(b); */
int utet_szip_field(utet_szip *z, bits *b, unsigned n, uint32_t *value);

/*@ requires readable(b) && \valid(b) && \valid(z) && \valid(value);
    assigns b->in, b->reservoir, b->held, z->priv.zeros, *value;
    ensures b->end == \old(b->end) && readable(b); */
outcome utet_szip_unary(utet_szip *z, bits *b, uint32_t most, uint32_t *value);

/*@ requires \valid(z) && \valid(from) && \separated(z, from, from->in + (0 .. (from->end - from->in) - 1));
    requires readable(from) && block(z);
    assigns from->in, from->reservoir, from->held, z->priv.zeros, z->priv.index,
            z->priv.value[0 .. UTET_SZIP_BLOCK_MAX - 1];
    ensures block(z); */
outcome utet_szip_unaries(utet_szip *z, bits *from, uint32_t most);

/*@ requires \valid(z) && \valid(from) && \separated(z, from, from->in + (0 .. (from->end - from->in) - 1));
    requires readable(from) && block(z) && 1 <= n <= 31;
    assigns *from, z->priv.high, z->priv.split, z->priv.index, z->priv.value[0 .. UTET_SZIP_BLOCK_MAX - 1];
    ensures block(z); */
outcome utet_szip_fields(utet_szip *z, bits *from, unsigned n);

/*@ requires value != 0;
    assigns \nothing;
    ensures 0 <= \result < sizeof(word) * 8; */
static inline unsigned leading_zeros(word value);

#include "szip/szip_hot.c"
