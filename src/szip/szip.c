/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * szip: blocks of Golomb-Rice codes to samples (README.md: the code in §2 to §4).
 * Ensure, then commit, at the grain of a field: what has been taken from the reservoir stands in `value`, `index`,
 * `high` or `zeros`, so that the input may end between any two bytes.
 */
#include "szip.h"

/* The reservoir is a machine word of 32 bits or more; fields of up to FIELD_MOST bits fit it beside what is left of a
 * byte. Tests of the short word on machines with a longer one name it. */
#ifndef UTET_SZIP_WORD
#define UTET_SZIP_WORD uint_fast32_t
#endif
typedef UTET_SZIP_WORD word;
#define WORD_BITS ((unsigned)sizeof(word) * 8u)
#define FIELD_MOST (WORD_BITS - 8u)

#define PAIR_MOST 90u          /* the last pair of the second extension is (0, 12) (§3) */
#define SEGMENT 64u            /* blocks that one run of zero blocks may reach through (§3) */
#define UNARY_MOST 0x7fffff00u /* no sample has a unary part as long as this */

enum { AT_ID, AT_EXTRA, AT_REFERENCE, AT_RAW, AT_UNARY, AT_LOW, AT_ZEROS, AT_PAIRS, AT_END, AT_DAMAGE };

/* What a step says: the input has ended, the field is there, or it stands for nothing. */
typedef enum outcome { HUNGRY, DONE, DAMAGED } outcome;

/* The input of this call and the reservoir: loops keep a copy in registers. */
typedef struct bits {
    const uint8_t *in;
    const uint8_t *end;
    word reservoir;
    unsigned held;
} bits;

SZIP_INLINE unsigned leading_zeros(word value)
{
#if defined(__GNUC__)
    if (sizeof(word) > 4)
        return (unsigned)__builtin_clzll(value);
    if (sizeof(unsigned) >= 4)
        return (unsigned)__builtin_clz((unsigned)value);
    return (unsigned)__builtin_clzl((unsigned long)value);
#else
    unsigned n = 0;

    while ((value >> (WORD_BITS - 1u)) == 0) {
        value <<= 1;
        n++;
    }
    return n;
#endif
}

/* 1 when `want` bits are there; takes as many bytes as fit. want <= FIELD_MOST + 1. */
SZIP_INLINE int ensure(bits *b, unsigned want)
{
    if (b->held >= want)
        return 1;
    while (b->held <= FIELD_MOST && b->in != b->end) {
        b->reservoir |= (word)*b->in++ << (FIELD_MOST - b->held);
        b->held += 8;
    }
    return b->held >= want;
}

/* n: 1..FIELD_MOST, ensured. */
SZIP_INLINE uint32_t take(bits *b, unsigned n)
{
    uint32_t value = (uint32_t)(b->reservoir >> (WORD_BITS - n));

    b->reservoir <<= n;
    b->held -= n;
    return value;
}

/* A field of 1..32 bits: what is longer than a reservoir holds for certain comes in two parts. */
SZIP_INLINE int field(utet_szip *z, bits *b, unsigned n, uint32_t *value)
{
    if (n > FIELD_MOST) {
        if (!z->priv.split) {
            if (!ensure(b, n - 16u))
                return 0;
            z->priv.high = take(b, n - 16u) << 16;
            z->priv.split = 1;
        }
        if (!ensure(b, 16))
            return 0;
        *value = z->priv.high | take(b, 16);
        z->priv.split = 0;
        return 1;
    }
    if (!ensure(b, n))
        return 0;
    *value = take(b, n);
    return 1;
}

/* Zeros before a one. */
SZIP_INLINE int unary(utet_szip *z, bits *b, uint32_t *value)
{
    unsigned lead;

    while (b->reservoir == 0) {
        z->priv.zeros += b->held;
        b->held = 0;
        if (z->priv.zeros > UNARY_MOST)
            break;
        if (!ensure(b, 1))
            return 0;
    }
    *value = z->priv.zeros;
    if (b->reservoir != 0) {
        lead = leading_zeros(b->reservoir);
        b->reservoir = b->reservoir << lead << 1;
        b->held -= lead + 1u;
        *value += lead;
    }
    z->priv.zeros = 0;
    return 1;
}

/* ---- the steps of a block (§3) ---- */

static outcome read_raw(utet_szip *z, bits *from)
{
    const unsigned n = z->priv.params.bits, count = z->priv.params.block;
    bits b = *from;
    unsigned i = z->priv.index;

    while (i != count && field(z, &b, n, &z->priv.value[i]))
        i++;
    z->priv.index = (uint8_t)i;
    *from = b;
    return i == count ? DONE : HUNGRY;
}

static SZIP_HOT outcome read_unary(utet_szip *z, bits *from)
{
    const unsigned count = z->priv.params.block;
    const uint32_t most = z->priv.most >> (z->priv.id - 1u);
    bits b = *from;
    unsigned i = z->priv.index;
    outcome out = HUNGRY;
    uint32_t value;

    while (i != count && unary(z, &b, &value)) {
        if (value > most) {
            out = DAMAGED;
            break;
        }
        z->priv.value[i++] = value;
    }
    z->priv.index = (uint8_t)i;
    *from = b;
    return i == count ? DONE : out;
}

static SZIP_HOT outcome read_low(utet_szip *z, bits *from)
{
    const unsigned k = z->priv.id - 1u, count = z->priv.params.block;
    bits b = *from;
    unsigned i = z->priv.index;
    uint32_t low;

    if (k == 0)
        return DONE;
    if (k <= FIELD_MOST)
        for (; i != count && ensure(&b, k); i++)
            z->priv.value[i] = z->priv.value[i] << k | take(&b, k);
    else
        for (; i != count && field(z, &b, k, &low); i++)
            z->priv.value[i] = z->priv.value[i] << k | low;
    z->priv.index = (uint8_t)i;
    *from = b;
    return i == count ? DONE : HUNGRY;
}

/* The second extension: m stands for the pair (d0, d1), counted along the diagonals d0 + d1 = 0, 1, 2, … */
static outcome read_pairs(utet_szip *z, bits *b)
{
    uint32_t m;

    while (z->priv.index != z->priv.params.block) {
        uint32_t sum = 0, first = 0; /* of the diagonal */

        if (!unary(z, b, &m))
            return HUNGRY;
        if (m > PAIR_MOST)
            return DAMAGED;
        while (first + sum < m)
            first += ++sum;
        if (m - first > z->priv.most || sum - (m - first) > z->priv.most)
            return DAMAGED;
        if ((z->priv.index & 1u) == 0)
            z->priv.value[z->priv.index++] = sum - (m - first);
        z->priv.value[z->priv.index++] = m - first;
    }
    return DONE;
}

static outcome read_zeros(utet_szip *z, bits *b)
{
    unsigned left = (unsigned)z->priv.params.rsi - z->priv.block;
    uint32_t blocks;

    if (!unary(z, b, &blocks))
        return HUNGRY;
    if (blocks < 4) {
        blocks++;
    } else if (blocks == 4) {
        blocks = SEGMENT - z->priv.block % SEGMENT;
        if (blocks > left)
            blocks = left;
    }
    if (blocks > left)
        return DAMAGED;
    z->priv.zero_blocks = (uint16_t)(blocks - 1u);
    memset(z->priv.value + z->priv.index, 0, (z->priv.params.block - (size_t)z->priv.index) * 4u);
    return DONE;
}

/* ---- from one step to the next ---- */

static void begin_codes(utet_szip *z, unsigned coded)
{
    z->priv.coded = (uint8_t)coded;
    z->priv.step = (uint8_t)coded;
    if (z->priv.block == 0 && (z->priv.params.flags & UTET_SZIP_PREPROCESS) != 0 && coded != AT_RAW)
        z->priv.step = AT_REFERENCE;
}

static outcome begin_block(utet_szip *z, bits *b)
{
    uint32_t id;

    z->priv.index = 0;
    if (z->priv.zero_blocks != 0) {
        z->priv.zero_blocks--;
        memset(z->priv.value, 0, z->priv.params.block * (size_t)4u);
        z->priv.step = AT_END;
        return DONE;
    }
    if (!field(z, b, z->priv.id_bits, &id))
        return HUNGRY;
    z->priv.id = (uint8_t)id;
    if (id == 0)
        z->priv.step = AT_EXTRA;
    else
        begin_codes(z, id + 1u == 1u << z->priv.id_bits ? AT_RAW : AT_UNARY);
    return DONE;
}

static outcome step(utet_szip *z, bits *b)
{
    outcome out;
    uint32_t value;

    switch (z->priv.step) {
    case AT_ID: return begin_block(z, b);
    case AT_EXTRA:
        if (!field(z, b, 1, &value))
            return HUNGRY;
        begin_codes(z, value != 0 ? AT_PAIRS : AT_ZEROS);
        return DONE;
    case AT_REFERENCE:
        if (!field(z, b, z->priv.params.bits, &z->priv.value[0]))
            return HUNGRY;
        z->priv.index = 1;
        z->priv.step = z->priv.coded;
        return DONE;
    case AT_UNARY:
        out = read_unary(z, b);
        if (out == DONE) {
            z->priv.index = z->priv.block == 0 && (z->priv.params.flags & UTET_SZIP_PREPROCESS) != 0;
            z->priv.step = AT_LOW;
        }
        return out;
    case AT_RAW: out = read_raw(z, b); break;
    case AT_LOW: out = read_low(z, b); break;
    case AT_PAIRS: out = read_pairs(z, b); break;
    case AT_ZEROS: out = read_zeros(z, b); break;
    default: return DAMAGED;
    }
    if (out == DONE)
        z->priv.step = AT_END;
    return out;
}

utet_status utet_szip_block(utet_szip *z, const uint8_t *in, size_t length, size_t *used)
{
    outcome out = DONE;
    bits b;

    b.in = in;
    b.end = in + length;
    b.reservoir = (word)z->priv.reservoir;
    b.held = z->priv.held;
    while (out == DONE && z->priv.step != AT_END)
        out = step(z, &b);
    *used = length - (size_t)(b.end - b.in);
    if (out == DONE && utet_szip_samples(z) && (z->priv.params.flags & UTET_SZIP_PAD) != 0) {
        b.reservoir <<= b.held & 7u;
        b.held &= ~7u;
    }
    z->priv.reservoir = b.reservoir;
    z->priv.held = (uint8_t)b.held;
    if (out == DAMAGED) {
        z->priv.step = AT_DAMAGE;
        return UTET_E_PAYLOAD;
    }
    if (out == HUNGRY)
        return UTET_WOULD_BLOCK;
    z->priv.step = AT_ID;
    return UTET_OK;
}

unsigned utet_szip_spare(const utet_szip *z)
{
    return z->priv.held / 8u;
}

unsigned utet_szip_width(const utet_szip_params *params)
{
    unsigned n = params->bits;

    if (n == 0 || n > 32 || params->rsi == 0 || params->rsi > UTET_SZIP_RSI_MOST || params->block < 8 ||
        params->block > UTET_SZIP_BLOCK_MOST || (params->block & (params->block - 1u)) != 0)
        return 0;
    if (n <= 16)
        return n <= 8 ? 1 : 2;
    return n <= 24 && (params->flags & UTET_SZIP_3BYTE) != 0 ? 3 : 4;
}

utet_status utet_szip_init(utet_szip *z, const utet_szip_params *params)
{
    unsigned n = params->bits, width = utet_szip_width(params);

    if (width == 0)
        return UTET_E_ARGUMENT;
    memset(z, 0, sizeof *z);
    z->priv.params = *params;
    z->priv.width = (uint8_t)width;
    z->priv.most = 0xffffffffu >> (32u - n);
    if (n <= 4 && (params->flags & UTET_SZIP_RESTRICTED) != 0)
        z->priv.id_bits = n <= 2 ? 1 : 2;
    else
        z->priv.id_bits = n <= 8 ? 3 : n <= 16 ? 4 : 5;
    return UTET_OK;
}
