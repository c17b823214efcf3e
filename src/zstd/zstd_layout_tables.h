/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Layout "tables": an FSE cell of 4 bytes says everything: byte 0 state bits, byte 1 extra bits, then m (5 bits) and
 * the next state's base (11 bits). Every value of the three codes is (m << extra bits) + extra bits. One Huffman
 * level: symbol | length << 8. Included by what is made for each layout (ZS_NAME, zstd_build.h, zstd_sequences.h, the
 * loops).
 */
#undef ZS_NAME
#undef ZS_GLOBAL
#undef ZS_LAYOUT
#undef ZS_DEEP_CODES
#undef ZS_OFFSETS
#undef ZS_ROUND
#define ZS_NAME(name) tables_##name
#define ZS_GLOBAL(name) utet_zs_tables_##name
#define ZS_LAYOUT zs_tables
#define ZS_DEEP_CODES 0 /* the Huffman level holds all codes */
#define ZS_OFFSETS 255u /* the room for cells has 256 bytes, as many as a byte can tell */
#define ZS_ROUND 4u     /* literals in a round of zstd_words_loops.h */

#ifndef UTET_ZSTD_LAYOUT_TABLES
#define UTET_ZSTD_LAYOUT_TABLES
typedef uint32_t tables_cell;

enum { TABLES_BASE = 21 };

/* Format, "The codes for literals lengths, match lengths, and offsets": extra bits. */
static inline unsigned tables_extra_bits(unsigned kind, unsigned symbol)
{
    /* of literal lengths from 16 on, then of match lengths from 32 on */
    static const uint8_t extra[20 + 21] = {1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 1,
                                           1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};

    if (kind == ZS_WEIGHTS)
        return 0;
    if (kind == ZS_OF)
        return symbol & 31u;
    if (kind == ZS_LL)
        return symbol < 16u ? 0 : extra[symbol - 16u];
    return symbol < 32u ? 0 : extra[symbol - 32u + 20u];
}

/* The cell of a symbol's first state, of `count` in a table of 1 << log. *value: the value of the symbol without its
 * extra bits, m << those; moves on to the next symbol's. */
ZS_INLINE tables_cell tables_first(unsigned kind, unsigned symbol, unsigned count, unsigned log, uint32_t *value)
{
    unsigned bits = (log - zs_log2(count)) & 15u, extra = tables_extra_bits(kind, symbol);
    uint32_t m = *value >> extra; /* < 32 */

    if (kind == ZS_WEIGHTS && m >= ZS_WEIGHTS_END)
        m = ZS_WEIGHTS_END - 1;
    *value += (uint32_t)1 << extra;
    return bits | extra << 8 | m << 16 | (((uint32_t)count << bits) - ((uint32_t)1 << log)) << TABLES_BASE;
}

/* The cell of the same symbol's next state in a table of 1 << log. */
ZS_INLINE tables_cell tables_following(tables_cell cell, unsigned log)
{
    const unsigned size = 1u << log;
    const uint32_t wrap = ~(uint32_t)size << TABLES_BASE | (((uint32_t)1 << TABLES_BASE) - 1u);

    cell += zs_left((uint32_t)1 << TABLES_BASE, cell);
    if (cell >> TABLES_BASE == size) /* the counter reaches a power of two: from here on a state has one bit less */
        cell += wrap;
    return cell;
}

/* There are no codes that the Huffman level does not hold. */
ZS_INLINE unsigned tables_huffman_deep(const zs_tables *t, uint32_t bits)
{
    (void)t;
    (void)bits;
    return 0;
}

/* Room for a cell of each symbol while a table is built. */
ZS_INLINE tables_cell *tables_room_for_cells(utet_zstd *z, zs_counts *d)
{
    (void)d;
    return zs_list_of(z)->next;
}

/* A cell of the weights' table: the weight. */
ZS_INLINE unsigned tables_weight(tables_cell cell)
{
    return (unsigned)zs_field(cell, 16, 4);
}

/* Of a cell in a table of 1 << log: the bits that the next state takes, and what they are added to. */
ZS_INLINE unsigned tables_cell_bits(unsigned log, tables_cell cell)
{
    (void)log;
    return (unsigned)(cell & 31u);
}

/* The same bits of a cell of weights, in the low 16 bits; anything is above them. */
ZS_INLINE uint32_t tables_coded_bits(unsigned log, tables_cell cell)
{
    (void)log;
    return cell;
}

ZS_INLINE unsigned tables_cell_base(unsigned log, tables_cell cell, unsigned bits)
{
    (void)log;
    (void)bits;
    return (unsigned)(cell >> TABLES_BASE);
}

/* ---- sequences: states are indices, a table begins at its first cell ---- */

ZS_INLINE unsigned tables_start(const utet_zstd *z, unsigned i)
{
    (void)z;
    return zs_cells_at[i];
}

/* Extra bits | m << 8, of literal and match lengths. */
ZS_INLINE unsigned tables_literal_code(tables_cell cell)
{
    return (unsigned)(cell >> 8);
}

ZS_INLINE unsigned tables_match_code(tables_cell cell)
{
    return (unsigned)(cell >> 8);
}

ZS_INLINE unsigned tables_offset_bits(tables_cell cell)
{
    return (unsigned)(cell >> 8 & 255u);
}

/* Codes that are found before the sequence's bits are taken: none, because cells have them. */
ZS_INLINE uint32_t tables_codes(tables_cell l, tables_cell m, const uint32_t *all)
{
    (void)l;
    (void)m;
    (void)all;
    return 0;
}

/* Nonzero if neither length has extra bits. */
ZS_INLINE int tables_plain(tables_cell l, tables_cell m, uint32_t codes)
{
    (void)codes;
    return ((tables_literal_code(l) | tables_match_code(m)) & 255u) == 0;
}

/* The code of each, in the low 16 bits. */
ZS_INLINE uint32_t tables_code_l(tables_cell l, uint32_t codes)
{
    (void)codes;
    return tables_literal_code(l);
}

ZS_INLINE uint32_t tables_code_m(tables_cell m, uint32_t codes)
{
    (void)codes;
    return tables_match_code(m);
}

/* m of a length without extra bits. */
ZS_INLINE unsigned tables_plain_l(tables_cell cell)
{
    return (unsigned)(cell >> 16 & 31u);
}

ZS_INLINE unsigned tables_plain_m(tables_cell cell)
{
    return (unsigned)(cell >> 16 & 31u);
}

/* All bits that a sequence of these cells takes. */
ZS_INLINE uint32_t tables_all_bits(tables_cell l, tables_cell o, tables_cell m)
{
    const uint32_t all = l + o + m;

    return (all & 255u) + (all >> 8 & 255u);
}

/* The state that the next `bits` bits of the stream lead to. */
ZS_INLINE unsigned tables_long_state(zs_cursor *c, unsigned log, tables_cell cell, unsigned bits)
{
    (void)log;
    return (unsigned)((cell >> TABLES_BASE) + utet_zs_long_field(0, c, bits));
}

/* UTET_ZSTD_INT16: the state that the top `bits` bits, at most 7, of *from lead to. */
ZS_INLINE unsigned tables_next_state(tables_cell cell, uint16_t *from, unsigned bits)
{
    return (unsigned)(cell >> TABLES_BASE) + zs_shift_in(0, from, bits);
}

ZS_INLINE unsigned tables_take_state(uint32_t *from, tables_cell cell, unsigned shift)
{
    const uint32_t all = *from;

    (void)shift;
    *from = zs_right(all, cell);
    return (unsigned)(all - zs_left(*from, cell) + (cell >> TABLES_BASE));
}
#endif
