/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs of literals, for processors without unaligned loads, once for each layout (zstd_hot.c).
 */

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
            at = ZS_NAME(huffman_deep)(t, bits); \
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

/* A round is four literals; where codes may be deep, one: four would need more than the eight low registers of a small
 * core. */
#define ZS_ROUNDS(shift)        \
    do {                        \
        ZS_SYMBOL(0, shift)     \
        if (ZS_ROUND == 4u) {   \
            ZS_SYMBOL(1, shift) \
            ZS_SYMBOL(2, shift) \
            ZS_SYMBOL(3, shift) \
        } else {                \
            ZS_HIGH(t);         \
        }                       \
        out += ZS_ROUND;        \
        ZS_HIGH(stop);          \
    } while (out != stop)

/* Like literals() below, n ≥ 4, without the last n % ZS_ROUND. A shift by a constant saves an instruction for each
 * literal. */
uint8_t *ZS_GLOBAL(huffman_run)(utet_zstd *z, uint8_t *out, uint32_t n)
{
    const ZS_LAYOUT *t = (const ZS_LAYOUT *)(const void *)z;
    const uint8_t *const symbol = t->huffman.split.symbol, *const length = t->huffman.split.length;
    const int narrow = z->shift == 32u - ZS_NARROW;
    const uint32_t k = (1536u - 72u * z->tree_bits) / ZS_ROUND; /* as below */
    const uint32_t more = (zs_below(&z->lit) == 0) * (4u / ZS_ROUND);
    /* packed: as few literals are left for the next call, if there is one */
    const uint32_t few = zs_below(&z->lit) != 0 ? ZS_KEPT / 11u - 1u : 0;
    const zs_half *next;
    uint32_t used = z->lit.used, bits;
    int32_t lack = (int32_t)(used & 15u) - 16;
    unsigned at;

    if (used > z->lit.limit)
        return out;
    bits = zs_halves(z->lit.top, used, &next);
    n /= ZS_ROUND;
    do {
        /* Full tables: a register for `more` would cost the loops an instruction for each literal. */
        uint32_t rounds = ((z->lit.limit - used) * k >> 13) + (ZS_DEEP_CODES ? more : zs_below(&z->lit) == 0);
        const uint8_t *stop;

        if (rounds <= (ZS_DEEP_CODES ? few : 0u))
            break;
        if (rounds > n)
            rounds = n;
        n -= rounds;
        stop = out + ZS_ROUND * (size_t)rounds;
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
