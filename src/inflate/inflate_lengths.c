/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The code lengths of a dynamic block (§5). */
#include "inflate.h"

#include <string.h>

utet_status utet_inflate_counts(utet_inflate *z)
{
    unsigned literals = 257u + (unsigned)(z->priv.hold & 31u), distances = 1u + (unsigned)(z->priv.hold >> 5 & 31u);

    if (literals > 286u || distances > 30u)
        return UTET_E_PAYLOAD;
    z->priv.at.lengths.literals = (uint16_t)literals;
    z->priv.at.lengths.all = (uint16_t)(literals + distances);
    (void)utet_inflate_take(z, 10);
    z->priv.at.lengths.described = (uint8_t)(4u + utet_inflate_take(z, 4));
    z->priv.at.lengths.have = 0;
    memset(z->priv.literal_table.length, 0, 19);
    z->priv.fixed = 0;
    z->priv.phase = INFLATE_DESCRIBE;
    return UTET_OK;
}

utet_status utet_inflate_describe(utet_inflate *z)
{
    static const uint8_t order[19] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};

    z->priv.literal_table.length[order[z->priv.at.lengths.have++]] = (uint8_t)utet_inflate_take(z, 3);
    if (z->priv.at.lengths.have < z->priv.at.lengths.described)
        return UTET_OK;
    if (!utet_inflate_sort(z->priv.distance, z->priv.literal_table.length, 19, 0))
        return UTET_E_PAYLOAD;
    utet_inflate_table(z->priv.distance_root, UTET_INFLATE_ROOT_DISTANCE, z->priv.distance);
    z->priv.at.lengths.have = 0;
    z->priv.phase = INFLATE_LENGTHS;
    return UTET_OK;
}

/* Adds the code lengths that `symbol`, of `bits` bits, represents: one, or a run. */
static utet_status add_lengths(utet_inflate *z, unsigned symbol, unsigned bits)
{
    static const uint8_t extra[4] = {0, 2, 3, 7}, least[4] = {1, 3, 3, 11};
    unsigned kind = symbol < 16u ? 0 : symbol - 15u; /* a length, the one before again, short and long runs of zeros */
    unsigned have = z->priv.at.lengths.have, run;
    uint8_t *next = z->priv.literal_table.length + have;
    utet_status status = utet_inflate_ensure(z, bits + extra[kind]);

    if (status != UTET_OK)
        return status;
    if (kind == 1u) {
        if (have == 0)
            return UTET_E_PAYLOAD;
        symbol = next[-1];
    } else if (kind != 0)
        symbol = 0;
    (void)utet_inflate_take(z, bits);
    run = least[kind] + (unsigned)utet_inflate_take(z, extra[kind]);
    have += run;
    if (have > z->priv.at.lengths.all)
        return UTET_E_PAYLOAD;
    memset(next, (int)symbol, run);
    z->priv.at.lengths.have = (uint16_t)have;
    return UTET_OK;
}

utet_status utet_inflate_lengths(utet_inflate *z)
{
    unsigned literals = z->priv.at.lengths.literals, all = z->priv.at.lengths.all;

    while (z->priv.at.lengths.have < all) {
        unsigned entry = utet_inflate_decode_distance(z);
        utet_status status = entry == INFLATE_WANT ? utet_inflate_pull(z)
                                                   : add_lengths(z, INFLATE_VALUE(entry), INFLATE_LENGTH(entry));

        if (status != UTET_OK)
            return status;
    }
    if (z->priv.literal_table.length[256] == 0 || !utet_inflate_build(z, literals, all))
        return UTET_E_PAYLOAD;
    z->priv.phase = INFLATE_SYMBOL;
    return UTET_OK;
}
