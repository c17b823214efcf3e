/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Hot loops of processors without unaligned loads, once for each layout (zstd_hot.c): Huffman weights, Huffman
 * tables, literals. Symbols and code lengths lie in tables of their own; length ZS_DEEP = a longer code.
 */

/* The weights in the bit stream. Two states take turns. The stream ends when a state finds too few bits: that state is
 * void then, and the other one gives the last weight. The container is that of huffman_run(): 15 - lack bits that
 * count, and 16 behind them; `left` bits of the stream do not count yet. A round handles one state, because registers
 * are few. */
unsigned ZS_GLOBAL(weights)(ZS_LAYOUT *t, uint16_t *counts, zs_cursor *c)
{
    const ZS_NAME(cell) *const table = t->huffman.tree.cell;
    uint8_t *out = t->huffman.tree.weight, *stop = out + 254;
    const unsigned log = t->huffman.tree.counts.log;
    unsigned a = (unsigned)utet_zs_long_field(c, 0, log), b = (unsigned)utet_zs_long_field(c, 0, log), w, take;
    const zs_half *next;
    int32_t lack = (int32_t)(c->used & 15u) - 17, left = (int32_t)(c->limit - c->used) + lack + 1;
    uint32_t bits = zs_halves(c->top, c->used, &next);

    if (left < 0) {
        lack -= left;
        left = 0;
    }
    if (lack >= 0)
        return 0;
    for (;;) {
        ZS_NAME(cell) cell;

        ZS_HIGH(stop);
        if (out == stop)
            return 0;
        cell = table[a];
        *out++ = (uint8_t)(w = ZS_NAME(weight)(cell));
        ZS_HERE(out);
        counts[w]++;
        take = ZS_NAME(cell_bits)(log, cell);
        a = b;
        b = ZS_NAME(cell_base)(log, cell, take) + (unsigned)zs_top(bits, take);
        ZS_HERE(b);
        bits <<= take;
        ZS_HERE(bits);
        ZS_HERE(lack);
        lack += (int32_t)take;
        if (lack >= 0) {
            const int32_t more = left < 16 ? left : 16;

            if (lack >= left)
                break;
            ZS_HERE(next);
            bits += (uint32_t) * --next << (lack + 1);
            lack -= more;
            left -= more;
        }
    }
    *out++ = (uint8_t)(w = ZS_NAME(weight)(table[a]));
    counts[w]++;
    return (unsigned)(out - t->huffman.tree.weight);
}

/* Codes ascend with the weight, so the tables fill from their start. They have one of the two widths that huffman_run()
 * knows; when all codes are shorter, their pattern is repeated. */
void ZS_GLOBAL(huffman_fill)(ZS_LAYOUT *t, const uint16_t *end, unsigned bits)
{
    const uint8_t *symbol = t->list.symbol;
    uint8_t *s = t->huffman.split.symbol, *l = t->huffman.split.length;
    unsigned w = 1, width = ZS_NARROW, run;
    uint32_t length;

    if (ZS_DEEP_CODES && bits > ZS_NARROW) {
        const unsigned drop = bits - ZS_NARROW, none = ZS_NAME(deep_entries)(t, end, drop);

        w += drop;
        memset(l, ZS_DEEP, (size_t)none);
        s += none;
        l += none;
        symbol += end[drop];
    } else if (bits > ZS_NARROW) {
        width = ZS_HUFFMAN_LOG;
    }
    t->z.shift = (uint8_t)(32u - width);
    run = 1u << (width + w - 1u) >> bits;
    length = (uint32_t)(bits + 1u - w) * 0x01010101u;
    for (; w <= bits; w++) {
        const uint8_t *const stop = t->list.symbol + end[w];

        if (run == 1u) {
            for (; symbol < stop; symbol++) {
                *s++ = *symbol;
                *l++ = (uint8_t)length;
            }
        } else if (run == 2u) {
            for (; symbol < stop; symbol++) {
                *(zs_half *)(void *)s = (zs_half)(*symbol * 0x101u);
                *(zs_half *)(void *)l = (zs_half)length;
                s += 2;
                l += 2;
            }
        } else {
            for (; symbol < stop; symbol++) {
                const uint32_t value = *symbol * 0x01010101u;
                uint8_t *const last = s + run;

                do {
                    *(zs_word *)(void *)s = value;
                    *(zs_word *)(void *)l = length;
                    s += 4;
                    l += 4;
                } while (s != last);
            }
        }
        run *= 2u;
        length -= 0x01010101u;
    }
}

/* A code that the first level does not hold. It is rare, so it is not part of the loop. */
ZS_NOINLINE static unsigned ZS_NAME(deep_code)(const ZS_LAYOUT *t, uint32_t bits)
{
    return ZS_NAME(huffman_deep)(t, bits);
}

/* One literal, through a container of 16 - lack bits that is refilled by halfwords. That is cheaper than combining
 * words on processors that load only aligned words. ZS_DEEP makes lack large, so it is found where bits are refilled
 * anyway. */
#define ZS_SYMBOL(i, shift)                      \
    at = (unsigned)(bits >> (shift));            \
    out[i] = symbol[at];                         \
    at = length[at];                             \
    lack += (int32_t)at;                         \
    if (lack >= 0) {                             \
        if (ZS_DEEP_CODES && at == ZS_DEEP) {    \
            at = ZS_NAME(deep_code)(t, bits);    \
            out[i] = (uint8_t)at;                \
            at >>= 8;                            \
            lack += (int32_t)at - ZS_DEEP;       \
        }                                        \
        bits <<= at;                             \
        if (!ZS_DEEP_CODES || lack >= 0) {       \
            ZS_HERE(next);                       \
            bits += (uint32_t) * --next << lack; \
            lack -= 16;                          \
        }                                        \
    } else {                                     \
        bits <<= at;                             \
    }
#define ZS_ROUNDS(shift)    \
    do {                    \
        ZS_SYMBOL(0, shift) \
        ZS_SYMBOL(1, shift) \
        ZS_SYMBOL(2, shift) \
        ZS_SYMBOL(3, shift) \
        out += 4;           \
        ZS_HIGH(stop);      \
    } while (out != stop)

/* Like literals() below, n ≥ 4, without the last n % 4. A shift by a constant saves an instruction for each literal. */
uint8_t *ZS_GLOBAL(huffman_run)(utet_zstd *z, uint8_t *out, uint32_t n)
{
    const ZS_LAYOUT *t = (const ZS_LAYOUT *)(const void *)z;
    const uint8_t *const symbol = t->huffman.split.symbol, *const length = t->huffman.split.length;
    const int narrow = z->shift == 32u - ZS_NARROW;
    const uint32_t k = 384u - 18u * z->tree_bits; /* as below */
    const zs_half *next;
    uint32_t used = z->lit.used, bits;
    int32_t lack = (int32_t)(used & 15u) - 16;
    unsigned at;

    if (used > z->lit.limit)
        return out;
    bits = zs_halves(z->lit.top, used, &next);
    n >>= 2;
    do {
        uint32_t rounds = (z->lit.limit - used) * k >> 13;
        const uint8_t *stop;

        rounds += zs_below(&z->lit) == 0;
        if (rounds == 0)
            break;
        if (rounds > n)
            rounds = n;
        n -= rounds;
        stop = out + 4u * (size_t)rounds;
        if (ZS_DEEP_CODES || narrow)
            ZS_ROUNDS(32 - ZS_NARROW);
        else
            ZS_ROUNDS(32 - ZS_HUFFMAN_LOG);
        used = (uint32_t)(z->lit.top - (const uint8_t *)next) * 8u - (uint32_t)(16 - lack);
    } while (n != 0 && used <= z->lit.limit);
    z->lit.used = used;
    return out;
}
#undef ZS_SYMBOL
#undef ZS_ROUNDS
