/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Huffman weights and tables, for processors without unaligned loads. Made once, for both layouts, with the cells that
 * the table of weights has (ZS_OF_WEIGHTS). Symbols and code lengths are in tables of their own; length ZS_DEEP = a
 * longer code.
 */

/* The weights in the bit stream. Two states take turns. The stream ends when a state finds too few bits: that state
 * is void then, and the other one gives the last weight. The container is that of huffman_run(): 15 - lack bits that
 * count, and 16 after them; `left` bits of the stream do not count yet. A round handles one state, because registers
 * are few. */
unsigned utet_zs_weights(zs_tree *t, zs_chains *chains, zs_cursor *c)
{
    const zs_weight_cell *const table = t->cell;
    uint8_t *const last = chains->last, *before = t->before, *stop = before + 254;
    const unsigned log = t->counts.log, both = (unsigned)utet_zs_long_field(0, c, 2u * log);
    unsigned a = both >> log, b = (unsigned)ZS_LOW(both, log), w;
    const zs_half *next;
    int32_t lack = (int32_t)(c->used & 15u) - 17, left = (int32_t)(c->limit - c->used) + lack + 1;
    uint32_t bits = zs_halves(c->top, c->used, &next), take, sum = 0;

    if (left < 0) {
        lack -= left;
        left = 0;
    }
    if (lack >= 0)
        return 0;
    for (;;) {
        zs_weight_cell cell;

        ZS_HIGH(stop);
        ZS_HIGH(next);
        ZS_HIGH(b);
        ZS_HIGH(sum);
        if (before >= stop)
            return 0;
        cell = table[a];
        w = ZS_NAME(weight)(cell);
        if (w != 0)
            sum += zs_chain(last, t, before, 0, w);
        before++;
        ZS_HERE(before);
        take = ZS_NAME(coded_bits)(log, cell);
        w = (unsigned)zs_top_coded(bits, take);
        w += ZS_NAME(cell_base)(log, cell, (unsigned)take);
        ZS_LOW_ONE(w);
        bits = zs_left(bits, take);
        ZS_HERE(bits);
        a = b;
        ZS_HERE(a);
        b = w;
        ZS_HIGH(b);
        ZS_HERE(lack);
        lack += ZS_DEEP_CODES ? (int32_t)take : (int8_t)take; /* at most 6: one instruction instead of a mask */
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
    w = ZS_NAME(weight)(table[a]);
    if (w != 0)
        sum += zs_chain(last, t, before, 0, w);
    before++;
    chains->sum = sum;
    return (unsigned)(before - t->before);
}

/* Codes ascend with the weight, so the tables fill from their start. They have one of the two widths that huffman_run()
 * knows; when all codes are shorter, their pattern is repeated. */
void utet_zs_huffman_fill(utet_zstd *z, const uint8_t *last, unsigned bits)
{
    const uint8_t *const list = zs_list_of(z)->symbol, *symbol = list + ((last[0] + 1u) & 255u);
    uint8_t *s = zs_huffman_of(z), *l = s + (zs_is_packed(z) ? 1 << ZS_LOG_PACKED : 1 << ZS_HUFFMAN_LOG);
    unsigned w = 1, width = ZS_NARROW, run;
    uint32_t length;

    if (zs_is_packed(z) && bits > ZS_NARROW) {
        const unsigned drop = bits - ZS_NARROW, none = zs_deep_entries(z, last, drop);

        w += drop;
        memset(l, ZS_DEEP, (size_t)none);
        s += none;
        l += none;
        symbol = list + last[drop] + 1;
    } else if (bits > ZS_NARROW) {
        width = ZS_HUFFMAN_LOG;
    }
    z->shift = (uint8_t)(32u - width);
    run = 1u << (width + w - 1u) >> bits;
    length = (uint32_t)(bits + 1u - w) * 0x01010101u;
    for (; w <= bits; w++) {
        const uint8_t *const stop = list + 1 + last[w];

        if (run == 1u) {
            for (; symbol != stop; symbol++) {
                *s++ = *symbol;
                *l++ = (uint8_t)length;
            }
        } else if (run == 2u) {
            for (; symbol != stop; symbol++) {
                *(zs_half *)(void *)s = (zs_half)(*symbol * 0x101u);
                *(zs_half *)(void *)l = (zs_half)length;
                s += 2;
                l += 2;
            }
        } else if (run == 4u) {
            for (; symbol != stop; symbol++) {
                *(zs_word *)(void *)s = *symbol * 0x01010101u;
                *(zs_word *)(void *)l = length;
                s += 4;
                l += 4;
            }
        } else {
            for (; symbol != stop; symbol++) {
                int left = (int)run;
                ZS_TWICE(value, "r2", "r3");
                ZS_TWICE(lengths, "r4", "r5");

                value = value_again = *symbol * 0x01010101u;
                lengths = lengths_again = length;
                do {
                    zs_put_twice(s, value, "r2", "r3");
                    zs_put_twice(l, lengths, "r4", "r5");
                } while ((left -= 8) > 0);
            }
        }
        run *= 2u;
        length -= 0x01010101u;
    }
}
