/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * szip: blocks of Golomb-Rice codes to samples (FORMAT.md: the code in §2 to §4).
 * Ensure, then commit, field by field: the bits taken from the reservoir are kept in `value`, `index`,
 * `high` or `zeros`, so that the input may end between any two bytes.
 */
#include "szip.h"

#define PAIR_MOST 90u    /* the last pair of the second extension is (0, 12) (§3) */
#define SZIP_SEGMENT 64u /* blocks that one run of zero blocks may reach through (§3) */

enum { AT_ID, AT_EXTRA, AT_REFERENCE, AT_RAW, AT_UNARY, AT_LOW, AT_ZEROS, AT_PAIRS, SZIP_AT_END, AT_DAMAGE };

/* ---- the steps of a block (§3) ---- */

static outcome szip_read_raw(utet_szip *z, bits *b)
{
    const unsigned n = z->priv.params.bits, count = z->priv.params.block;

    if (n < 32) { /* lower bits of nothing */
        if (z->priv.index == 0)
            memset(z->priv.value, 0, count * (size_t)4u);
        return utet_szip_fields(z, b, n);
    }
    while (z->priv.index != count && utet_szip_field(z, b, n, &z->priv.value[z->priv.index]))
        z->priv.index++;
    return z->priv.index == count ? DONE : HUNGRY;
}

/* The second extension: m represents the pair (d0, d1), counted along the diagonals d0 + d1 = 0, 1, 2, … */
static outcome read_pairs(utet_szip *z, bits *b)
{
    uint32_t m = 0;

    while (z->priv.index != z->priv.params.block) {
        uint32_t sum = 0, first = 0; /* sum and first code of the diagonal */
        outcome out = utet_szip_unary(z, b, PAIR_MOST, &m);

        if (out != DONE)
            return out;
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
    outcome out = utet_szip_unary(z, b, UTET_SZIP_RSI_MAX, &blocks);

    if (out != DONE)
        return out;
    if (blocks < 4) {
        blocks++;
    } else if (blocks == 4) {
        blocks = SZIP_SEGMENT - z->priv.block % SZIP_SEGMENT;
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
    if (z->priv.block == 0 && (z->priv.params.flags & UTET_SZIP_PREPROCESS) != 0)
        z->priv.step = AT_REFERENCE;
}

static outcome begin_block(utet_szip *z, bits *b)
{
    uint32_t id;

    z->priv.index = 0;
    if (z->priv.zero_blocks != 0) {
        z->priv.zero_blocks--;
        memset(z->priv.value, 0, z->priv.params.block * (size_t)4u);
        z->priv.step = SZIP_AT_END;
        return DONE;
    }
    if (!utet_szip_field(z, b, z->priv.id_bits, &id))
        return HUNGRY;
    if (id == 0) {
        z->priv.step = AT_EXTRA;
    } else if (id + 1u == 1u << z->priv.id_bits) {
        z->priv.step = AT_RAW;
    } else if (id - 1u <= z->priv.params.bits) {
        z->priv.id = (uint8_t)id;
        begin_codes(z, AT_UNARY);
    } else {
        return DAMAGED;
    }
    return DONE;
}

static outcome szip_next_step(utet_szip *z, bits *b)
{
    outcome out;
    uint32_t value;

    switch (z->priv.step) {
    case AT_ID: return begin_block(z, b);
    case AT_EXTRA:
        if (!utet_szip_field(z, b, 1, &value))
            return HUNGRY;
        begin_codes(z, value != 0 ? AT_PAIRS : AT_ZEROS);
        return DONE;
    case AT_REFERENCE:
        if (!utet_szip_field(z, b, z->priv.params.bits, &z->priv.value[0]))
            return HUNGRY;
        z->priv.index = 1;
        z->priv.step = z->priv.coded;
        return DONE;
    case AT_UNARY:
        out = utet_szip_unaries(z, b, z->priv.most >> (z->priv.id - 1u));
        if (out == DONE) {
            z->priv.index = z->priv.block == 0 && (z->priv.params.flags & UTET_SZIP_PREPROCESS) != 0;
            z->priv.step = z->priv.id == 1 ? SZIP_AT_END : AT_LOW;
        }
        return out;
    case AT_RAW: out = szip_read_raw(z, b); break;
    case AT_LOW: out = utet_szip_fields(z, b, z->priv.id - 1u); break;
    case AT_PAIRS: out = read_pairs(z, b); break;
    case AT_ZEROS: out = read_zeros(z, b); break;
    default: return DAMAGED; /* AT_DAMAGE */
    }
    if (out == DONE)
        z->priv.step = SZIP_AT_END;
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
    while (out == DONE && z->priv.step != SZIP_AT_END)
        out = szip_next_step(z, &b);
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

    if (n == 0 || n > 32 || params->rsi == 0 || params->rsi > UTET_SZIP_RSI_MAX || params->block < 8 ||
        params->block > UTET_SZIP_BLOCK_MAX || (params->block & (params->block - 1u)) != 0)
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
