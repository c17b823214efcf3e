/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Building FSE and Huffman tables, once for each layout (zstd_tables.c, zstd_packed.c).
 */

/* The first half of building a table: spreads the symbols over it. */
ZS_NOINLINE static void ZS_NAME(fse_spread)(ZS_NAME(cell) * table, const zs_counts *d)
{
    const unsigned size = 1u << d->log, step = (size >> 1) + (size >> 3) + 3u;
    unsigned high = size, place = 0, s;
    int n;

    for (s = 0; s < d->symbols; s++) {
        n = d->count[s];
        if (n < 0)
            do /* once, except for the sum of symbols that no table can have */
                table[--high & (size - 1u)] = (ZS_NAME(cell))s;
            while (++n < 0);
    }
    for (s = 0; s < d->symbols; s++) {
        n = d->count[s];
        if (n > 0)
            do {
                table[place] = (ZS_NAME(cell))s;
                do
                    place = (place + step) & (size - 1u);
                while (place >= high);
            } while (--n != 0);
    }
}

/*
 * Format, "From normalized distribution to decoding tables". `next` holds, for every symbol, the finished cell of its
 * next state, and an addition advances it. (packed: it is the array of the counts itself.)
 */
ZS_NOINLINE static void ZS_NAME(fse_cells)(ZS_NAME(cell) * table, ZS_NAME(cell) * next, const zs_counts *d,
                                           unsigned kind)
{
    const unsigned size = 1u << d->log;
    uint32_t value = kind == ZS_OF;
    unsigned s;

    for (s = 0; s < d->symbols; s++) {
        int n = d->count[s];

        next[s] = ZS_NAME(first)(kind, s, n > 0 ? (unsigned)n : 1u, d->log, &value);
    }
    for (s = 0; s < size; s++) {
        /* a symbol is < 64, which an analyser cannot know */
        ZS_NAME(cell) *mine = &next[table[s] & 63u], cell = *mine;

        table[s] = cell;
        *mine = ZS_NAME(following)(cell, size);
    }
}

ZS_INLINE void ZS_NAME(fse_build)(ZS_LAYOUT *t, ZS_NAME(cell) * table, zs_counts *d, unsigned kind)
{
    ZS_NAME(fse_spread)(table, d);
    ZS_NAME(fse_cells)(table, ZS_NAME(room_for_cells)(t, d), d, kind);
}

/* Table i of the sequence codes. */
void ZS_GLOBAL(sequence_cells)(utet_zstd *z, unsigned i, zs_counts *d)
{
    ZS_LAYOUT *t = (ZS_LAYOUT *)(void *)z;

    ZS_NAME(fse_build)(t, t->cell + zs_cells_at[i], d, i);
}
/* Format, "Finite State Entropy (FSE) compression of Huffman weights": their number or 0; counts[w] of each. */
static unsigned ZS_NAME(fse_weights)(ZS_LAYOUT *t, uint16_t *counts, const uint8_t *p, uint32_t n)
{
    zs_counts *const d = &t->huffman.tree.counts;
    zs_cursor c;
    unsigned bytes = utet_zs_read_counts(d, p, n, 255, ZS_WEIGHT_LOG);

    if (bytes == 0)
        return 0;
    ZS_NAME(fse_build)(t, t->huffman.tree.cell, d, ZS_WEIGHTS);
    utet_zs_cursor_place(&c, p + n, n - bytes);
    if (n == bytes || !utet_zs_cursor_begin(&c))
        return 0;
    return ZS_GLOBAL(weights)(t, counts, &c);
}

/*
 * Format, "Huffman Tree Description": n bytes at p (header byte included). Weights and
 * the FSE table they come from lie in the decoding table that is to be built; once the
 * symbols are sorted neither is needed. Returns 0 if damaged.
 */
int ZS_GLOBAL(huffman_tree)(utet_zstd *z, const uint8_t *p, uint32_t n)
{
    ZS_LAYOUT *t = (ZS_LAYOUT *)(void *)z;
    uint8_t *const weight = t->huffman.tree.weight;
    uint16_t end[ZS_WEIGHTS_END];
    unsigned count, bits;

    memset(end, 0, sizeof end);
    if (*p >= 128u)
        count = utet_zs_direct_weights(weight, end, p);
    else
        count = ZS_NAME(fse_weights)(t, end, p + 1, n - 1u);
    if (count == 0)
        return 0;
    bits = utet_zs_sort_symbols(t->list.symbol, weight, count, end);
    if (bits == 0)
        return 0;
    z->tree_bits = (uint8_t)bits;
    ZS_GLOBAL(huffman_fill)(t, end + 1, bits);
    return 1;
}
