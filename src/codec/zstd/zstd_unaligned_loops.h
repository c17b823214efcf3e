/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Hot loops of processors that load a word from any address, once for each layout (zstd_hot.c): Huffman weights.
 */

/* The weights in the bit stream. Two states take turns. The stream ends when a state finds too few bits: that state is
 * void then, and the other one gives the last weight. */
unsigned ZS_GLOBAL(weights)(ZS_LAYOUT *t, uint16_t *counts, zs_cursor *c)
{
    const ZS_NAME(cell) *const table = t->huffman.tree.cell;
    uint8_t *const weight = t->huffman.tree.weight;
    const unsigned log = t->huffman.tree.counts.log;
    uint32_t bits = zs_bits(c->top, c->used), used = c->used + 2u * log;
    unsigned count = 0, a = (unsigned)zs_top(bits, log), b = (unsigned)zs_top(bits << log, log), w, take;
    ZS_NAME(cell) cell;

    if (used > c->limit)
        return 0;
    do {
        if (count == 254u)
            return 0;
        bits = zs_bits(c->top, used);
        cell = table[a];
        weight[count++] = (uint8_t)(w = ZS_NAME(weight)(cell));
        counts[w]++;
        take = ZS_NAME(cell_bits)(log, cell);
        a = ZS_NAME(cell_base)(log, cell, take) + (unsigned)zs_top(bits, take);
        bits <<= take;
        used += take;
        cell = table[b];
        weight[count++] = (uint8_t)(w = ZS_NAME(weight)(cell));
        counts[w]++;
        take = ZS_NAME(cell_bits)(log, cell);
        b = ZS_NAME(cell_base)(log, cell, take) + (unsigned)zs_top(bits, take);
        used += take;
    } while (used <= c->limit);
    if (used - take <= c->limit) { /* it was the second one's turn: one more of the first */
        weight[count++] = (uint8_t)(w = ZS_NAME(weight)(table[a]));
        counts[w]++;
    }
    return count;
}
