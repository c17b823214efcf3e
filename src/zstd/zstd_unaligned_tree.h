/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Huffman weights and tables, for processors that load a word from any address. Made once, for both layouts, with the
 * cells that the table of weights has (ZS_OF_WEIGHTS). An entry is symbol | length << 8; packed: 0 = a longer code.
 */

/* The state after a cell of weights, whose `take` bits, at most 6, are taken off *bits; UTET_ZSTD_INT16: off *window
 * (packed: zstd_layout_packed.h counts states from the table's size). */
ZS_INLINE unsigned zs_weight_state(unsigned log, zs_weight_cell cell, unsigned take, uint32_t *bits, uint16_t *window)
{
    const uint32_t all = *bits;

    if (UTET_ZSTD_INT16)
        return ZS_NAME(next_state)(cell, window, take) - (ZS_DEEP_CODES ? 1u << log : 0);
    *bits = all << take;
    return ZS_NAME(cell_base)(log, cell, take) + (unsigned)zs_top(all, take);
}

/* The weights in the bit stream. Two states take turns. The stream ends when a state finds too few bits: that state is
 * void then, and the other one gives the last weight. */
unsigned utet_zs_weights(zs_tree *t, uint8_t *counts, zs_cursor *c)
{
    const unsigned log = t->counts.log;
    const uint8_t *const last = c->top - 4;
    const unsigned limit = (unsigned)c->limit; /* of at most 128 bytes */
    uint32_t bits = zs_bits(c->top, c->used);
    unsigned used = (unsigned)c->used + 2u * log;
    unsigned a = (unsigned)zs_top(bits, log), b = (unsigned)zs_top(bits << log, log), w, take, count = 0;
    zs_weight_cell cell;
    uint16_t window = 0;

    if (used > limit)
        return 0;
    do {
        if (count == 254u)
            return 0;
        if (UTET_ZSTD_INT16)
            window = zs_window(last + 1 - (used >> 3), used & 7u);
        else
            bits = zs_le32(last - (used >> 3)) << (used & 7u);
        cell = t->cell[a];
        t->weight[count++] = (uint8_t)(w = ZS_NAME(weight)(cell));
        counts[w]++;
        take = ZS_NAME(cell_bits)(log, cell);
        a = zs_weight_state(log, cell, take, &bits, &window);
        used += take;
        cell = t->cell[b];
        t->weight[count++] = (uint8_t)(w = ZS_NAME(weight)(cell));
        counts[w]++;
        take = ZS_NAME(cell_bits)(log, cell);
        b = zs_weight_state(log, cell, take, &bits, &window);
        used += take;
    } while (used <= limit);
    if (used - take <= limit) { /* it was the second one's turn: one more of the first */
        t->weight[count++] = (uint8_t)(w = ZS_NAME(weight)(t->cell[a]));
        counts[w]++;
    }
    return count;
}

/* Codes ascend with the weight, so the table fills from its start. */
void utet_zs_huffman_fill(utet_zstd *z, const uint8_t *last, unsigned bits)
{
    const uint8_t *const list = zs_list_of(z)->symbol, *symbol = list, *stop;
    uint16_t *entry = zs_huffman_of(z);
    uint32_t *pair;
    unsigned w = 1, drop = 0, length, run;

    if (zs_is_packed(z) && bits > ZS_LOG_PACKED) {
        unsigned none;

        drop = bits - ZS_LOG_PACKED;
        none = zs_deep_entries(z, last, drop);
        memset(entry, 0, 2u * (size_t)none);
        entry += none;
        symbol += last[drop] + 1;
        w = drop + 1u;
    }
    length = (bits + 1u - w) << 8;
    stop = list + 1 + last[w];
    while (symbol != stop)
        *entry++ = (uint16_t)(length | *symbol++);
    pair = (uint32_t *)(void *)entry;
    for (run = 1; ++w <= bits; run *= 2u) {
        length -= 256u;
        stop = list + 1 + last[w];
        if (run == 1u) {
            while (symbol != stop)
                *pair++ = (length | *symbol++) * 0x10001u;
        }
        while (symbol != stop) {
            uint32_t value = (length | *symbol++) * 0x10001u, *const behind = pair + run;

            do {
                pair[0] = value;
                pair[1] = value;
                pair += 2;
            } while (pair != behind);
        }
    }
    z->shift = (uint8_t)(32u - (bits - drop));
}
