/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Layout "packed": an FSE cell of 2 bytes is symbol | counter << PACKED_SHIFT; the cell's leading zeros are the state
 * bits, and the counter gives the base (Format, "From normalized distribution to decoding tables"). Literal lengths
 * have 16 added to their symbols, so that one bit, PACKED_EXTRA, says of both lengths whether there are extra bits. A
 * first Huffman level of at most 9 bits; a longer code is found by its index among the codes sorted by length. Included
 * by the files that are made for each layout.
 */
#undef ZS_NAME
#undef ZS_GLOBAL
#undef ZS_LAYOUT
#undef ZS_DEEP_CODES
#undef ZS_OFFSETS
#undef ZS_ROUND
#define ZS_NAME(name) packed_##name
#define ZS_GLOBAL(name) utet_zs_packed_##name
#define ZS_LAYOUT zs_packed
#define ZS_DEEP_CODES 1 /* the Huffman level may not hold the longest codes */
#define ZS_OFFSETS 126u /* the room for cells has 128 bytes */
#define ZS_ROUND 1u     /* literals in a round of zstd_words_loops.h */

#ifndef UTET_ZSTD_LAYOUT_PACKED
#define UTET_ZSTD_LAYOUT_PACKED
typedef uint16_t packed_cell;

/* The position of a cell's counter: 10 bits hold the counters of a table of 512, those of a smaller table are moved
 * up. So the cell's leading zeros are the state bits in tables of all sizes. An AVR has no shift by a variable. */
#define PACKED_SHIFT(log) (UTET_ZSTD_INT16 ? 6u : 15u - (log))

enum { PACKED_SYMBOL = 63, PACKED_EXTRA = 32 };

ZS_INLINE unsigned packed_counter(unsigned log, packed_cell cell)
{
    if (UTET_ZSTD_INT16) /* avr-gcc makes a loop of six shifts */
        return zs_product((uint8_t)(cell >> 8), 4) + (zs_product((uint8_t)cell, 4) >> 8);
    return (unsigned)cell >> PACKED_SHIFT(log);
}

/* Of a cell in a table of 1 << log: the bits that the next state takes. */
ZS_INLINE unsigned packed_cell_bits(unsigned log, packed_cell cell)
{
    if (UTET_ZSTD_INT16)
        return log - (uint8_t)(cell >> 8 != 0 ? zs_log2_byte((uint8_t)(cell >> 8)) + 2u : (unsigned)cell >> 7);
    if (UTET_ZSTD_ALIGNED) { /* such processors have no instruction for it */
        static const uint8_t zeros[64] = {9, 5, 4, 4, 3, 3, 3, 3, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1,
                                          1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                                          0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
        const unsigned high = (unsigned)cell >> 10;

        return ZS_LIKELY(high != 0) ? (unsigned)zeros[high] : zeros[(unsigned)cell >> 6] + 4u;
    }
    return 15u - zs_log2(cell);
}

/* The cell of a symbol's first state, of `count`. */
ZS_INLINE packed_cell packed_first(unsigned kind, unsigned symbol, unsigned count, unsigned log, uint32_t *value)
{
    (void)value;
    if (kind == ZS_WEIGHTS && symbol >= ZS_WEIGHTS_END)
        symbol = ZS_WEIGHTS_END - 1;
    if (kind == ZS_LL)
        symbol += 16u;
    return (uint16_t)(symbol | count << PACKED_SHIFT(log));
}

/* The cell of the same symbol's next state. */
ZS_INLINE packed_cell packed_following(packed_cell cell, unsigned log)
{
    return (uint16_t)(cell + (1u << PACKED_SHIFT(log)));
}

/* Room for a cell of each symbol while a table is built: the array of the counts, which the cells replace one by one.
 */
ZS_INLINE packed_cell *packed_room_for_cells(utet_zstd *z, zs_counts *d)
{
    (void)z;
    return (uint16_t *)d->count;
}

/* A cell of the weights' table: the weight. */
ZS_INLINE unsigned packed_weight(packed_cell cell)
{
    return (unsigned)(cell & (ZS_WEIGHTS_END - 1u));
}

ZS_INLINE uint32_t packed_coded_bits(unsigned log, packed_cell cell)
{
    return packed_cell_bits(log, cell);
}

/* The state to which the next bits of the stream are added. */
ZS_INLINE unsigned packed_cell_base(unsigned log, packed_cell cell, unsigned bits)
{
    return (packed_counter(log, cell) << bits) - (1u << log);
}

/* A Huffman code that the first level does not hold: symbol | length << 8. */
ZS_INLINE unsigned packed_huffman_deep(const zs_packed *t, uint32_t bits)
{
    unsigned length = t->z.tree_bits, code;

    if (UTET_ZSTD_INT16) {
        code = (unsigned)(bits >> 21);
        if (length == 10u) /* 10 or 11 */
            code >>= 1;
    } else {
        code = (unsigned)(bits >> (32u - length));
    }
    if (code >= t->z.deep) {
        code = (code + t->z.deep) / 2u;
        length--;
    }
    return t->list.symbol[code] | length << 8;
}

/* ---- sequences: a state is kept with the table's size added. It is counter << bits plus the bits read, so no step
 * needs a subtraction. The pointer to a table therefore points one table size before its first cell. ---- */

ZS_INLINE unsigned packed_start(const utet_zstd *z, unsigned i)
{
    return zs_cells_at[i] - (1u << z->log[i]);
}

/* Of literal and match lengths: extra bits | m << 8 (Format, "The codes for literals lengths, match lengths, and
 * offsets"); match lengths without their 3. */
ZS_INLINE unsigned packed_literal_code(packed_cell cell)
{
    static const uint16_t code[20] = {0x801, 0x901, 0xa01, 0xb01, 0x602, 0x702, 0x403, 0x503, 0x304, 0x106,
                                      0x107, 0x108, 0x109, 0x10a, 0x10b, 0x10c, 0x10d, 0x10e, 0x10f, 0x110};
    return (cell & PACKED_EXTRA) != 0 ? (unsigned)code[cell & 31u] : (cell & 15u) << 8;
}

ZS_INLINE unsigned packed_match_code(packed_cell cell)
{
    static const uint16_t code[21] = {0x1001, 0x1101, 0x1201, 0x1301, 0x0a02, 0x0b02, 0x0603,
                                      0x0703, 0x0404, 0x0504, 0x0305, 0x0107, 0x0108, 0x0109,
                                      0x010a, 0x010b, 0x010c, 0x010d, 0x010e, 0x010f, 0x0110};
    const unsigned symbol = cell & 31u;

    return (cell & PACKED_EXTRA) != 0 ? (unsigned)code[symbol] : symbol << 8;
}

ZS_INLINE unsigned packed_offset_bits(packed_cell cell)
{
    return cell & PACKED_SYMBOL;
}

/* Of cells of two lengths: 0 if neither has extra bits; otherwise the codes of both, the match length's 16 bits up, and
 * *all grows by these bits. */
ZS_INLINE uint32_t packed_codes(packed_cell l, packed_cell m, uint32_t *all)
{
    uint32_t codes = 0;

    if (!ZS_LIKELY(((l | m) & PACKED_EXTRA) == 0)) {
        codes = packed_literal_code(l) | (uint32_t)packed_match_code(m) << 16;
        *all += (codes + (codes >> 16)) & 255u;
    }
    return codes;
}

/* Nonzero if neither length has extra bits. */
ZS_INLINE int packed_plain(packed_cell l, packed_cell m, uint32_t codes)
{
    (void)l;
    (void)m;
    return codes == 0;
}

/* The code of each, in the low 16 bits. */
ZS_INLINE uint32_t packed_code_l(packed_cell l, uint32_t codes)
{
    (void)l;
    return codes;
}

ZS_INLINE uint32_t packed_code_m(packed_cell m, uint32_t codes)
{
    (void)m;
    return codes >> 16;
}

/* m of a length without extra bits. */
ZS_INLINE unsigned packed_plain_l(packed_cell cell)
{
    return (unsigned)zs_field(cell, 0, 4);
}

ZS_INLINE unsigned packed_plain_m(packed_cell cell)
{
    return (unsigned)zs_field(cell, 0, 5);
}

/* All bits that a sequence of these cells takes. */
ZS_INLINE uint32_t packed_all_bits(packed_cell l, packed_cell o, packed_cell m)
{
    return packed_offset_bits(o) + packed_cell_bits(0, l) + packed_cell_bits(0, o) + packed_cell_bits(0, m);
}

/* The state that the next `bits` bits of the stream lead to. */
ZS_INLINE unsigned packed_long_state(zs_cursor *c, unsigned log, packed_cell cell, unsigned bits)
{
    return (unsigned)utet_zs_long_field(packed_counter(log, cell), c, bits);
}

/* UTET_ZSTD_INT16: the state that the top `bits` bits, at most 7, of *from lead to. */
ZS_INLINE unsigned packed_next_state(packed_cell cell, uint16_t *from, unsigned bits)
{
    return zs_shift_in(packed_counter(0, cell), from, bits);
}

/* `shift`: as in the cells of the table. */
ZS_INLINE unsigned packed_take_state(uint32_t *from, packed_cell cell, unsigned shift)
{
    return (unsigned)zs_take(from, (uint32_t)cell >> shift, packed_cell_bits(0, cell));
}
#endif
