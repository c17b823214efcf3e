/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Literals, for processors without unaligned loads, once for each layout.
 */

/* The entry of a code that the first level does not hold. Inline, it would take the registers that the loop of the
 * other codes needs. */
ZS_NOINLINE static unsigned ZS_NAME(single_deep)(const ZS_LAYOUT *t, uint32_t bits)
{
    return ZS_NAME(huffman_deep)(t, bits);
}

/* A few literals are decoded without a container: two halfwords hold their bits. */
uint8_t *ZS_GLOBAL(literals)(utet_zstd *z, uint8_t *out, uint8_t *end)
{
    const ZS_LAYOUT *t = (const ZS_LAYOUT *)(const void *)z;
    const zs_half *top;
    const uint8_t *symbol, *length;
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
    length = t->huffman.split.length;
    ZS_HERE(top);
    ZS_HERE(symbol);
    while (out != end) {
        const zs_half *p = top - (used >> 4);
        /* packed: no register is left for the mask */
        uint32_t bits = ((uint32_t)p[1] << 16 | p[0]) << (ZS_DEEP_CODES ? zs_field(used, 0, 4) : used & 15u);

        if (ZS_DEEP_CODES) {
            const unsigned at = (unsigned)(bits >> (32 - ZS_NARROW));
            unsigned value = symbol[at], n = length[at];

            if (n == ZS_DEEP) {
                value = ZS_NAME(single_deep)(t, bits);
                n = value >> 8;
            }
            used += n;
            *out++ = (uint8_t)value;
        } else {
            const uint8_t *at = symbol + (bits >> z->shift);

            *out++ = at[0];
            used += at[sizeof t->huffman.split.symbol];
        }
    }
    z->lit.used = used;
    return out;
}
