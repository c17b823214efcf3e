/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Sorted lists that a Huffman table is filled from, for harnesses that define `fill`, which is told how many entries of
 * the first level are written, and LOG, how many bits that level has at most.
 *
 * What EVA cannot know is that the sum over all weights is 1 << bits, as sort_symbols has made it. So each weight by
 * itself and behind an even number of others writes exactly the entries that are its share of that sum.
 */
#ifndef TEST_ZSTD_EVA_WEIGHTS_H
#define TEST_ZSTD_EVA_WEIGHTS_H

#include "codec/zstd/zstd_decoder.h"

static void fill(const uint16_t *end, unsigned bits, unsigned entries);

/* `first` symbols of the lowest weight that the table has, then n of weight w, no others: exactly so many entries are
 * written. */
static void two_weights(unsigned bits, unsigned drop, unsigned first, unsigned w, unsigned n)
{
    uint16_t end[ZS_WEIGHTS_END];
    unsigned i, entries = first + (n << (w - 1u - drop));

    for (i = 0; i < ZS_WEIGHTS_END; i++)
        end[i] = (uint16_t)(i <= drop ? 0 : i < w ? first : first + n);
    if (entries <= 1u << (bits - drop))
        fill(end, bits, entries);
}

/* packed: the codes that are too long for the first level, and how much of it they leave empty; numbers from the least
 * to the most (EVA does not relate where two unknown numbers end). */
static void deep(unsigned drop)
{
    uint16_t end[ZS_WEIGHTS_END];
    unsigned longest, both, i;

    for (longest = 2; longest <= 256u; longest *= 2u)
        for (both = longest; both <= (drop == 1u ? longest : 256u); both += both < longest + 2u ? 1u : 64u) {
            end[0] = 0;
            end[1] = (uint16_t)longest;
            for (i = 2; i < ZS_WEIGHTS_END; i++)
                end[i] = (uint16_t)both;
            if (drop == 1u)
                fill(end, (unsigned)LOG + drop, longest / 2u);
            else if ((2u * both - longest) % 4u == 0) /* others would not add up */
                fill(end, (unsigned)LOG + drop, (2u * both - longest) / 4u);
        }
}

static void all_fills(void)
{
    unsigned bits, drop, w;

    for (bits = 1; bits <= ZS_HUFFMAN_LOG; bits++) {
        drop = bits > (unsigned)LOG ? bits - (unsigned)LOG : 0;
        for (w = drop + 1u; w <= bits; w++) {
            two_weights(bits, drop, 0, w, 2);
            two_weights(bits, drop, 2, w, 1);
        }
        if (drop != 0)
            deep(drop);
    }
}

#endif
