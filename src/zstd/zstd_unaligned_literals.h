/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Literals, for processors that load a word from any address, once for each layout. An entry of the Huffman table is
 * symbol | length << 8; packed: entry 0 = a longer code.
 */

/* The entry of a code that the first level does not hold. Inline, it would take the registers that the loop of the
 * other codes needs. */
ZS_NOINLINE static unsigned ZS_NAME(entry_deep)(const ZS_LAYOUT *t, uint32_t bits)
{
    return ZS_NAME(huffman_deep)(t, bits);
}

/* One literal to `out`; its code follows the first `used` of `bits`. */
ZS_INLINE unsigned ZS_NAME(huffman_one)(const ZS_LAYOUT *t, const uint16_t *table, unsigned shift, uint32_t bits,
                                        uint32_t *used, uint8_t *out)
{
    unsigned entry = table[bits << *used >> shift];

    if (ZS_DEEP_CODES && entry == 0)
        entry = ZS_NAME(entry_deep)(t, bits << *used);
    *out = (uint8_t)entry;
    *used += entry >> 8;
    return entry;
}

/* Moves `at`, where the next load ends, down by the whole bytes in `used`. */
ZS_INLINE uint32_t ZS_NAME(pass)(const uint8_t **at, uint32_t *used)
{
    *at -= *used >> 3;
    *used &= 7u;
    return zs_le32(*at - 4);
}

/* UTET_ZSTD_INT16, packed: the entry of a code that the first level does not hold. Inline, it would take the registers
 * that the loop of the other codes needs. */
ZS_NOINLINE static unsigned ZS_NAME(single_deep)(const ZS_LAYOUT *t, const uint8_t *at, unsigned used)
{
    return ZS_DEEP_CODES ? ZS_NAME(huffman_deep)(t, (uint32_t)zs_window(at, used) << 16) : 0;
}

/* UTET_ZSTD_INT16: literals to [out, stop), which is not empty, one by one. Returns the position after them. */
ZS_NOINLINE static zs_spot ZS_NAME(single_literals)(const ZS_LAYOUT *t, zs_spot from, uint8_t *out, const uint8_t *stop)
{
    const uint16_t *const table = t->huffman.entry;
    const uint8_t narrower = (uint8_t)(t->z.shift - (ZS_DEEP_CODES ? 23u : 21u));
    const uint8_t *at = from.at - 2;
    uint8_t used = from.used, high = at[1], low = at[0];

    do {
        const uint8_t p = zs_power(used);
        unsigned entry = (zs_product(high, p) << 8) + zs_product(low, p); /* at least 9 bits */

        if (!ZS_DEEP_CODES)
            entry += zs_product(at[-1], p) >> 8;
        entry = (uint16_t)entry >> (ZS_DEEP_CODES ? 7 : 5);
        if (narrower != 0)
            entry >>= narrower;
        entry = table[entry];
        if (ZS_DEEP_CODES && entry == 0)
            entry = ZS_NAME(single_deep)(t, at - 1, used);
        *out++ = (uint8_t)entry;
        used = (uint8_t)(used + (entry >> 8));
        if (used >= 8u) {
            high = low;
            low = *--at;
            if (used >= 16u) {
                high = low;
                low = *--at;
            }
            used &= 7u;
        }
    } while (out != stop);
    from.at = at + 2;
    from.used = used;
    return from;
}

/*
 * Puts literals to [out, end), at least four, from the open Huffman stream, four at a time, as far as its bits have
 * been fetched. Returns where they end. The number of safe rounds is computed before: k / 65536 < 1 / (4 * tree_bits).
 * At the stream's end the last symbols are decoded without a check of what is left. They can use up to 44 bits too
 * many, which a later call notices, and touch the guard below the stream.
 */
static uint8_t *ZS_NAME(many_literals)(utet_zstd *z, uint8_t *out, const uint8_t *end)
{
    const ZS_LAYOUT *t = (const ZS_LAYOUT *)(const void *)z;
    const uint16_t *table = t->huffman.entry;
    /* packed: ZS_KEPT bits are left for the next call, if there is one */
    const uint32_t kept = ZS_DEEP_CODES && zs_below(&z->lit) != 0 ? ZS_KEPT / 8u : 0u;
    const uint8_t *const bottom = z->lit.top - (z->lit.limit >> 3) + kept, *at = z->lit.top;
    const uint32_t k = 3072u - 144u * z->tree_bits, more = ZS_DEEP_CODES || zs_below(&z->lit) == 0;
    const unsigned shift = z->shift;
    uint32_t n = (uint32_t)(end - out) >> 2, used = z->lit.used;

    do {
        const int32_t left = (int32_t)(at - bottom) * 8 - (int32_t)used;
        uint32_t rounds = ((uint32_t)left * k >> 16) + more;
        const uint8_t *stop;

        if (left < 0 || (!ZS_DEEP_CODES && rounds == 0))
            break;
        if (rounds > n)
            rounds = n;
        n -= rounds;
        stop = out + 4u * (size_t)rounds;
        if (UTET_ZSTD_INT16) {
            zs_spot from = {at - (size_t)(used >> 3), (uint8_t)(used & 7u)};

            from = ZS_NAME(single_literals)(t, from, out, stop);
            at = from.at;
            used = from.used;
            out += 4u * (size_t)rounds;
            continue;
        }
        ZS_STEP(table);
        do { /* two of each load: at most 22 bits, of 25 */
            uint32_t bits = ZS_NAME(pass)(&at, &used);

            (void)ZS_NAME(huffman_one)(t, table, shift, bits, &used, out);
            out += 4;
            ZS_STEP(out);
            (void)ZS_NAME(huffman_one)(t, table, shift, bits, &used, out - 3);
            bits = ZS_NAME(pass)(&at, &used);
            (void)ZS_NAME(huffman_one)(t, table, shift, bits, &used, out - 2);
            (void)ZS_NAME(huffman_one)(t, table, shift, bits, &used, out - 1);
        } while (out != stop);
    } while (n != 0);
    z->lit.used = used + (uint32_t)(z->lit.top - at) * 8u;
    return out;
}

uint8_t *ZS_GLOBAL(literals)(utet_zstd *z, uint8_t *out, uint8_t *end)
{
    const ZS_LAYOUT *t = (const ZS_LAYOUT *)(const void *)z;
    uint32_t used;
    int32_t left;

    if (z->lit_type < ZS_HUFFMAN)
        return utet_zs_plain_literals(z, out, (uint32_t)(end - out));
    if (end - out >= 4) {
        out = ZS_NAME(many_literals)(z, out, end);
        if (ZS_DEEP_CODES ? (uint32_t)(end - out) - 1u >= 3u : out == end)
            return out;
    }
    used = z->lit.used;
    left = (int32_t)(z->lit.limit - used);
    if (left >= ZS_MARGIN || (left >= 0 && zs_below(&z->lit) == 0)) {
        const uint16_t *const table = t->huffman.entry;
        const uint8_t *const top = z->lit.top;
        const unsigned shift = z->shift;

        if (UTET_ZSTD_INT16 && out != end) {
            zs_spot from = {top - (size_t)(used >> 3), (uint8_t)(used & 7u)};

            from = ZS_NAME(single_literals)(t, from, out, end);
            z->lit.used = from.used + (uint32_t)(top - from.at) * 8u;
            return end;
        }
        while (out != end) {
            const uint32_t bits = zs_bits(top, used);
            unsigned entry = table[bits >> shift];

            if (ZS_DEEP_CODES && entry == 0)
                entry = ZS_NAME(entry_deep)(t, bits);
            used += entry >> 8;
            *out++ = (uint8_t)entry;
        }
        z->lit.used = used;
    }
    return out;
}
