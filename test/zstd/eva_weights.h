/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Sorted lists from which a Huffman table is filled, for harnesses that define `fill`, whose argument is the number of
 * entries of the first level to be written, and LOG, the maximum number of bits of that level. EVA cannot know that the
 * sum over all weights is 1 << bits, as sort_symbols has made it. So each weight, by itself and after an even number of
 * others, writes exactly the entries that are its part of that sum.
 */
#ifndef TEST_ZSTD_EVA_WEIGHTS_H
#define TEST_ZSTD_EVA_WEIGHTS_H

#include "zstd/zstd_decoder.h"

static void fill(const uint8_t *last, unsigned bits, unsigned entries);

/* `first` symbols of the lowest weight of the table, then n of weight w, and no others: exactly that many entries are
 * written. packed: before them come symbols of weight 1 whose codes are too long, for two entries. */
static void two_weights(unsigned bits, unsigned drop, unsigned first, unsigned w, unsigned n)
{
    const unsigned deep = drop != 0 ? 2u << drop : 0;
    uint8_t last[ZS_WEIGHTS_END];
    unsigned i, entries = (drop != 0 ? 2u : 0) + first + (n << (w - 1u - drop));

    for (i = 0; i < ZS_WEIGHTS_END; i++)
        last[i] = (uint8_t)((i == 0 ? 0 : i <= drop ? deep : i < w ? deep + first : deep + first + n) - 1u);
    if (entries <= 1u << (bits - drop))
        fill(last, bits, entries);
}

/* packed: the codes that are too long for the first level, and how much of it they leave empty; numbers from the
 * smallest to the largest (EVA does not relate where two unknown numbers end). */
static void deep(unsigned drop)
{
    uint8_t last[ZS_WEIGHTS_END];
    unsigned longest, both, i;

    for (longest = 2; longest <= 256u; longest *= 2u)
        for (both = longest; both <= (drop == 1u ? longest : 256u); both += both < longest + 2u ? 1u : 64u) {
            last[0] = 255;
            last[1] = (uint8_t)(longest - 1u);
            for (i = 2; i < ZS_WEIGHTS_END; i++)
                last[i] = (uint8_t)(both - 1u);
            if (drop == 1u)
                fill(last, (unsigned)LOG + drop, longest / 2u);
            else if ((2u * both - longest) % 4u == 0) /* the sum of others would be wrong */
                fill(last, (unsigned)LOG + drop, (2u * both - longest) / 4u);
        }
}

static void all_fills(void)
{
    unsigned bits, drop, w;

    for (bits = 1; bits <= ZS_HUFFMAN_LOG; bits++) {
        drop = bits > (unsigned)LOG ? bits - (unsigned)LOG : 0;
        for (w = drop + 1u; w <= bits; w++) {
            two_weights(bits, drop, drop == 0 && w > 1u ? 2 : 0, w, 2); /* there are always two of weight 1 */
            two_weights(bits, drop, 2, w, 1);
        }
        if (drop != 0)
            deep(drop);
    }
}

#endif
