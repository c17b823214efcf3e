/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * The symbols of a Huffman tree in the order of their weights. While weights are decoded, zs_tree.before chains the
 * symbols of each weight but 0, from the last one down, so that no second pass has to sort all symbols. Included by
 * zstd_decoder.h.
 */
typedef struct zs_chains {
    uint8_t last[ZS_WEIGHTS_END]; /* symbols, or ZS_NONE; then as utet_zs_huffman_fill takes it */
    uint32_t sum;                 /* of 1 << weight over all of them */
} zs_chains;

/* Chains the symbol number i from `before`, an address in t->before, which has weight w, not 0. Returns its part of the
 * sum. The symbol is the address less that of the tree: with full tables, t->before begins at a multiple of 256. */
ZS_INLINE uint32_t zs_chain(uint8_t *last, const zs_tree *t, uint8_t *before, unsigned i, unsigned w)
{
    unsigned symbol;

    before[i] = last[w];
    symbol = (unsigned)((uintptr_t)before - (uintptr_t)t - offsetof(zs_tree, before));
    ZS_HERE(symbol); /* so that neither address has a register of its own */
    last[w] = (uint8_t)(symbol + i);
    return zs_bit(w);
}

/* packed: the longest codes have `drop` bits, 1 or 2, more than the first level: moves their symbols to the list's
 * start, and returns the number of the level's entries, the first ones, that represent codes which it does not hold. */
ZS_INLINE unsigned zs_deep_entries(utet_zstd *z, const uint8_t *last, unsigned drop)
{
    uint8_t *const list = zs_list_of(z)->symbol;
    const unsigned first = (last[0] + 1u) & 255u;
    unsigned codes = last[1] + 1u - first;

    memmove(list, list + first, (size_t)last[drop] + 1u - first);
    z->deep = (uint8_t)codes;
    if (drop == 2u)
        codes = (codes + 2u * (unsigned)(last[2] - last[1])) >> 1;
    return codes >> 1;
}
