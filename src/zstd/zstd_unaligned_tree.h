/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Huffman weights and tables, for processors that load a word from any address. Made once, for both layouts, with the
 * cells that the table of weights has (ZS_OF_WEIGHTS). An entry is symbol | length << 8; packed: 0 = a longer code.
 */

/* The state after a cell of weights, whose bits, at most 6, are taken off *bits; UTET_ZSTD_INT16: off *window
 * (packed: zstd_layout_packed.h counts states from the table's size). */
ZS_INLINE unsigned zs_weight_state(unsigned log, zs_weight_cell cell, uint32_t *bits, uint16_t *window)
{
    const uint32_t all = *bits, take = ZS_NAME(coded_bits)(log, cell);

    if (UTET_ZSTD_INT16)
        return ZS_NAME(next_state)(cell, window, ZS_NAME(cell_bits)(log, cell)) - (ZS_DEEP_CODES ? 1u << log : 0);
    *bits = zs_left(all, take);
    return ZS_NAME(cell_base)(log, cell, (unsigned)take) + (unsigned)zs_top_coded(all, take);
}

/* The weights in the bit stream. Two states take turns. The stream ends when a state finds too few bits: that state is
 * void then, and the other one gives the last weight. */
unsigned utet_zs_weights(zs_tree *t, zs_chains *chains, zs_cursor *c)
{
    const unsigned log = t->counts.log;
    const uint8_t *const top = c->top;
    const unsigned limit = (unsigned)c->limit; /* of at most 128 bytes */
    uint32_t bits = zs_bits(c->top, c->used);
    unsigned used = (unsigned)c->used + 2u * log;
    unsigned a = (unsigned)zs_top(bits, log), b = (unsigned)zs_top(bits << log, log), w;
    uint8_t *const last = chains->last, *before = t->before, *stop = before + 254;
    uint32_t sum = 0;
    zs_weight_cell first, second;
    uint16_t window = 0;

    ZS_STEP(stop); /* the hints keep all values of the loop in registers, which saves 4 of 29 instructions */
    ZS_STEP(before);
    if (used > limit)
        return 0;
    do {
        if (before >= stop)
            return 0;
        if (UTET_ZSTD_INT16)
            window = zs_window(top - 3 - (used >> 3), used & 7u);
        else
            bits = zs_bits(top, used);
        first = t->cell[a];
        w = ZS_NAME(weight)(first);
        ZS_STEP(w);
        if (w != 0)
            sum += zs_chain(last, t, before, 0, w);
        a = zs_weight_state(log, first, &bits, &window);
        used += (unsigned)ZS_NAME(coded_bits)(log, first);
        ZS_STEP(used);
        second = t->cell[b];
        w = ZS_NAME(weight)(second);
        ZS_STEP(w);
        if (w != 0)
            sum += zs_chain(last, t, before, 1, w);
        b = zs_weight_state(log, second, &bits, &window);
        used += (unsigned)ZS_NAME(coded_bits)(log, second);
        ZS_STEP(used);
        used = (uint16_t)used;
        before += 2;
        ZS_STEP(before);
    } while (used <= limit);
    if (used - ZS_NAME(cell_bits)(log, second) <= limit) { /* it was the second one's turn: one more of the first */
        w = ZS_NAME(weight)(t->cell[a]);
        if (w != 0)
            sum += zs_chain(last, t, before, 0, w);
        before++;
    }
    chains->sum = sum;
    ZS_STEP(t);
    return (unsigned)(before - t->before);
}

/* Codes ascend with the weight, so the table fills from its start. */
void utet_zs_huffman_fill(utet_zstd *z, const uint8_t *last, unsigned bits)
{
    const uint8_t *const list = zs_list_of(z)->symbol, *symbol = list + ((last[0] + 1u) & 255u), *stop;
    uint16_t *entry = zs_huffman_of(z);
    uint32_t *pair;
    unsigned w = 1, drop = 0, length, run;

    if (zs_is_packed(z) && bits > ZS_LOG_PACKED) {
        unsigned none;

        drop = bits - ZS_LOG_PACKED;
        none = zs_deep_entries(z, last, drop);
        memset(entry, 0, 2u * (size_t)none);
        entry += none;
        symbol = list + last[drop] + 1;
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
                pair = zs_put_twice(pair, value);
            } while (pair != behind);
        }
    }
    z->shift = (uint8_t)(32u - (bits - drop));
}
