/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Literals, for processors without unaligned loads, once for each layout.
 */

/* A few literals are decoded without a container: two halfwords hold their bits. */
uint8_t *ZS_GLOBAL(literals)(utet_zstd *z, uint8_t *out, uint8_t *end)
{
    const ZS_LAYOUT *t = (const ZS_LAYOUT *)(const void *)z;
    const zs_half *top;
    const uint8_t *symbol;
    uint32_t used, left;

    if (z->lit_type < ZS_HUFFMAN)
        return utet_zs_plain_literals(z, out, (uint32_t)(end - out));
    if (end - out >= 4) {
        out = ZS_GLOBAL(huffman_run)(z, out, (uint32_t)(end - out));
        if (end - out >= 4)
            return out;
    }
    used = z->lit.used;
    left = z->lit.limit - used;
    if ((int32_t)left < 33 && ((int32_t)left < 0 || zs_below(&z->lit) != 0))
        return out;
    top = (const zs_half *)(const void *)z->lit.top - 2;
    symbol = t->huffman.split.symbol;
    ZS_HERE(top);
    ZS_HERE(symbol);
    while (out != end) {
        const zs_half *p = top - (used >> 4);
        uint32_t bits = ((uint32_t)p[1] << 16 | p[0]) << (used & 15u);

        if (ZS_DEEP_CODES) {
            const unsigned at = (unsigned)(bits >> z->shift);
            unsigned entry = symbol[at] | (unsigned)t->huffman.split.length[at] << 8;

            if (entry >> 8 == ZS_DEEP)
                entry = ZS_NAME(huffman_deep)(t, bits);
            used += entry >> 8;
            *out++ = (uint8_t)entry;
        } else {
            const uint8_t *at = symbol + (bits >> z->shift);

            *out++ = at[0];
            used += at[sizeof t->huffman.split.symbol];
        }
    }
    z->lit.used = used;
    return out;
}
