/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Layout "packed": an FSE cell of 2 bytes is symbol | counter << 6; the counter's leading zeros give the state bits
 * and the base (Format, "From normalized distribution to decoding tables"). A first Huffman level of at most 9 bits;
 * a longer code is found by its index among the codes sorted by length. Included by the files that are made for each
 * layout.
 */
#undef ZS_NAME
#undef ZS_GLOBAL
#undef ZS_LAYOUT
#undef ZS_DEEP_CODES
#undef ZS_ROUND
#define ZS_NAME(name) packed_##name
#define ZS_GLOBAL(name) utet_zs_packed_##name
#define ZS_LAYOUT zs_packed
#define ZS_DEEP_CODES 1 /* the Huffman level may not hold the longest codes */
#define ZS_ROUND 1u     /* literals in a round of zstd_words_loops.h */

#ifndef UTET_ZSTD_LAYOUT_PACKED
#define UTET_ZSTD_LAYOUT_PACKED
typedef uint16_t packed_cell;

enum { PACKED_SYMBOL = 63 };

ZS_INLINE unsigned packed_counter(packed_cell cell)
{
    if (UTET_ZSTD_INT16) /* avr-gcc makes a loop of six shifts */
        return zs_product((uint8_t)(cell >> 8), 4) + (zs_product((uint8_t)cell, 4) >> 8);
    return (unsigned)cell >> 6;
}

/* Floor of the counter's binary logarithm. */
ZS_INLINE unsigned packed_counter_log2(packed_cell cell)
{
    if (UTET_ZSTD_INT16)
        return (uint8_t)(cell >> 8 != 0 ? zs_log2_byte((uint8_t)(cell >> 8)) + 2u : (unsigned)cell >> 7);
    if (UTET_ZSTD_ALIGNED) { /* such processors have no instruction for it */
        static const uint8_t log2[64] = {0, 0, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4,
                                         4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5,
                                         5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5};
        const unsigned sixteenth = (unsigned)cell >> 10;

        return sixteenth != 0 ? log2[sixteenth] + 4u : (unsigned)log2[(unsigned)cell >> 6];
    }
    return zs_log2((unsigned)cell >> 6);
}

/* The cell of a symbol's first state, of `count`. */
ZS_INLINE packed_cell packed_first(unsigned kind, unsigned symbol, unsigned count, unsigned log, uint32_t *value)
{
    (void)log;
    (void)value;
    if (kind == ZS_WEIGHTS && symbol >= ZS_WEIGHTS_END)
        symbol = ZS_WEIGHTS_END - 1;
    return (uint16_t)(symbol | count << 6);
}

/* The cell of the same symbol's next state. */
ZS_INLINE packed_cell packed_following(packed_cell cell, unsigned size)
{
    (void)size;
    return (uint16_t)(cell + 64u);
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

/* Of a cell in a table of 1 << log: the bits that the next state takes, and what they are added to. */
ZS_INLINE unsigned packed_cell_bits(unsigned log, packed_cell cell)
{
    return log - packed_counter_log2(cell);
}

ZS_INLINE uint32_t packed_coded_bits(unsigned log, packed_cell cell)
{
    return packed_cell_bits(log, cell);
}

ZS_INLINE unsigned packed_cell_base(unsigned log, packed_cell cell, unsigned bits)
{
    return (packed_counter(cell) << bits) - (1u << log);
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

/* The codes of literal and match lengths: extra bits | m << 8 (Format, "The codes for literals lengths, match lengths,
 * and offsets"); match lengths without their 3. */
ZS_INLINE unsigned packed_literal_code(packed_cell cell)
{
    static const uint16_t code[36] = {0x000, 0x100, 0x200, 0x300, 0x400, 0x500, 0x600, 0x700, 0x800,
                                      0x900, 0xa00, 0xb00, 0xc00, 0xd00, 0xe00, 0xf00, 0x801, 0x901,
                                      0xa01, 0xb01, 0x602, 0x702, 0x403, 0x503, 0x304, 0x106, 0x107,
                                      0x108, 0x109, 0x10a, 0x10b, 0x10c, 0x10d, 0x10e, 0x10f, 0x110};

    return code[cell & PACKED_SYMBOL];
}

ZS_INLINE unsigned packed_match_code(packed_cell cell)
{
    static const uint16_t code[53] = {
        0x0000, 0x0100, 0x0200, 0x0300, 0x0400, 0x0500, 0x0600, 0x0700, 0x0800, 0x0900, 0x0a00, 0x0b00, 0x0c00, 0x0d00,
        0x0e00, 0x0f00, 0x1000, 0x1100, 0x1200, 0x1300, 0x1400, 0x1500, 0x1600, 0x1700, 0x1800, 0x1900, 0x1a00, 0x1b00,
        0x1c00, 0x1d00, 0x1e00, 0x1f00, 0x1001, 0x1101, 0x1201, 0x1301, 0x0a02, 0x0b02, 0x0603, 0x0703, 0x0404, 0x0504,
        0x0305, 0x0107, 0x0108, 0x0109, 0x010a, 0x010b, 0x010c, 0x010d, 0x010e, 0x010f, 0x0110};

    return code[cell & PACKED_SYMBOL];
}

ZS_INLINE unsigned packed_offset_bits(packed_cell cell)
{
    return cell & PACKED_SYMBOL;
}

/* State bits; `log` is the table's, less 31, to which a counter's leading zeros are added. */
ZS_INLINE unsigned packed_state_bits(unsigned log, packed_cell cell)
{
    return log + (31u - packed_counter_log2(cell));
}

/* All bits that a sequence of these cells takes. */
ZS_INLINE uint32_t packed_all_bits(unsigned log_l, unsigned log_o, unsigned log_m, packed_cell l, packed_cell o,
                                   packed_cell m)
{
    return ((packed_literal_code(l) + packed_match_code(m)) & 255u) + packed_offset_bits(o) +
           packed_state_bits(log_l, l) + packed_state_bits(log_o, o) + packed_state_bits(log_m, m);
}

/* The state that `bits` bits lead to: `read` are these, or they are the lowest of *from and go. */
ZS_INLINE unsigned packed_state(packed_cell cell, unsigned bits, uint32_t read)
{
    return (packed_counter(cell) << bits) + (unsigned)read;
}

/* UTET_ZSTD_INT16: the state that the top `bits` bits, at most 7, of *from lead to. */
ZS_INLINE unsigned packed_next_state(packed_cell cell, uint16_t *from, unsigned bits)
{
    return zs_shift_in(packed_counter(cell), from, bits);
}

ZS_INLINE unsigned packed_take_state(uint32_t *from, packed_cell cell, unsigned bits)
{
    return (unsigned)zs_take(from, (uint32_t)cell >> 6, bits);
}
#endif
