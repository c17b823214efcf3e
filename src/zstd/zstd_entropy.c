/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Entropy tables, the part that both layouts share: FSE counts, Huffman trees, the tables of sequence codes. The
 * builders are the layout's own (zstd_build.h).
 */
#include "zstd_decoder.h"
#include "zstd_predefined.h"

/* Format, "Default Distributions", LL, OF, ML in this order, as runs of equal counts. */
#define ZS_RUN(count, times) (((count) + 1) << 5 | (times))
static const uint8_t default_run[9 + 4 + 7] = {
    ZS_RUN(4, 1), ZS_RUN(3, 1),  ZS_RUN(2, 11), ZS_RUN(1, 3),  ZS_RUN(2, 9),  ZS_RUN(3, 1),  ZS_RUN(2, 1),
    ZS_RUN(1, 5), ZS_RUN(-1, 4), ZS_RUN(1, 6),  ZS_RUN(2, 3),  ZS_RUN(1, 15), ZS_RUN(-1, 5), ZS_RUN(1, 1),
    ZS_RUN(4, 1), ZS_RUN(3, 1),  ZS_RUN(2, 6),  ZS_RUN(1, 31), ZS_RUN(1, 6),  ZS_RUN(-1, 7)};
#undef ZS_RUN

/* Bits from `at` of a forward stream of n bytes, ZS_FORWARD of them valid; zeros after its end. */
uint32_t utet_zs_forward_bits(const uint8_t *p, uint32_t n, uint32_t at)
{
    const uint32_t first = at >> 3;
    uint32_t v = 0;

    if (first + 3u < n)
        return zs_le32(p + first) >> (at & 7u);
    while (n > first) /* at most 3 times */
        v = v << 8 | p[--n];
    return v >> (at & 7u);
}

/*
 * Format, "FSE Table Description", in n bytes at p: its length, 0 if damaged. A value is a count and 1. `spare` is the
 * number of values of `width` + 1 bits that cannot occur, because at most 2 * half - 1 - spare are left: that number of
 * values has one bit less. The description ends when 1 is left.
 */
unsigned utet_zs_read_counts(zs_counts *d, const uint8_t *p, uint32_t n, unsigned max_symbol, unsigned max_log)
{
    const unsigned limit = max_symbol < ZS_SYMBOLS ? max_symbol + 1u : ZS_SYMBOLS;
    uint32_t bits = utet_zs_forward_bits(p, n, 0), from = 0; /* `bits` begins there */
    unsigned used = 4, width = (unsigned)(bits & 15u) + 5u, symbol = 0;
    uint32_t half = (uint32_t)1 << width, spare = half - 2u;

    d->log = (uint8_t)width;
    d->count[ZS_SYMBOLS] = 0;
    d->count[ZS_SYMBOLS + 1] = 0;
    if (width > max_log)
        return 0;
    do {
        uint32_t value;

        if (used > ZS_FORWARD - 10u) { /* a value takes up to 10 bits */
            from += used;
            bits = utet_zs_forward_bits(p, n, from);
            used = 0;
        }
        value = bits >> used & (half - 1u);
        if (value >= spare) {
            value = bits >> used & (2u * half - 1u);
            if (value >= half)
                value -= spare;
            used++;
        }
        used += width;
        if (symbol < limit) {
            d->count[symbol] = (int16_t)(value - 1u);
        } else if (symbol > max_symbol) {
            return 0;
        } else {
            int16_t *const sum = &d->count[ZS_SYMBOLS + (value == 0)];

            *sum = (int16_t)((unsigned)*sum + (unsigned)value - 1u);
        }
        symbol++;
        spare += value != 0 ? value - 1u : 1u; /* 0: less than one */
        if (value == 1u) {
            unsigned zeros, i;

            do {
                from += used;
                bits = utet_zs_forward_bits(p, n, from);
                used = 2;
                zeros = (unsigned)bits & 3u;
                for (i = 0; i < zeros; i++, symbol++)
                    if (symbol < ZS_SYMBOLS)
                        d->count[symbol] = 0;
            } while (zeros == 3u && symbol <= max_symbol);
        }
        for (; spare >= half; width--) {
            spare -= half;
            half >>= 1;
        }
    } while (width != 0);
    d->symbols = (uint8_t)(symbol <= ZS_SYMBOLS ? symbol : ZS_SYMBOLS + 2u);
    from = (from + used + 7u) >> 3;
    return from <= n ? (unsigned)from : 0;
}

/* Weights of four bits each (Format, "Huffman Tree header"). Returns how many. */
static unsigned direct_weights(zs_tree *tree, zs_chains *chains, const uint8_t *p)
{
    unsigned count = *p - 127u, i;

    for (i = 0; i < count; i++) {
        unsigned both = p[1u + i / 2u], w = i % 2u == 0 ? both >> 4 : both & 15u;

        if (w != 0)
            chains->sum += zs_chain(chains->last, tree, tree->before, i, w);
    }
    return count;
}

/*
 * Completes `count` weights by the last one, checks them, and makes a list of the symbols in the order of their
 * weights, from its end on. last[w], w at most the result: the index of the last symbol of weight w or less, modulo
 * 256. Returns the longest code's bits, 0 if damaged.
 */
static unsigned sort_symbols(uint8_t *list, uint8_t *before, unsigned count, zs_chains *chains)
{
    const uint32_t sum = chains->sum;
    uint8_t *const last = chains->last, *const second = list + 1, *place = list + 256;
    unsigned bits;
    uint32_t rest;
    int w;

    if (last[1] == ZS_NONE) /* the last symbol makes at least two, because the sum of all is a power of two */
        return 0;
    bits = zs_log2(sum);
    if (bits > ZS_HUFFMAN_LOG)
        return 0;
    rest = ((uint32_t)2 << bits) - sum;
    if ((rest & (rest - 1u)) != 0)
        return 0;
    for (w = (int)bits; w >= 0; w--) { /* 0 has no symbols */
        unsigned symbol = last[w];

        ZS_HIGH(count);
        last[w] = (uint8_t)(place - second);
        if (rest >> w == 1u) { /* that of the last symbol */
            before[count] = (uint8_t)symbol;
            symbol = count;
        } else if (symbol == ZS_NONE) {
            continue;
        }
        do {
            place = ZS_DOWN(place, list);
            *place = (uint8_t)symbol;
            symbol = before[symbol];
        } while (symbol != ZS_NONE);
    }
    return bits;
}

/* Format, "Finite State Entropy (FSE) compression of Huffman weights": their number or 0. */
static unsigned fse_weights(utet_zstd *z, zs_tree *tree, zs_chains *chains, const uint8_t *p, uint32_t n)
{
    zs_cursor c;
    unsigned bytes = utet_zs_read_counts(&tree->counts, p, n, 255, ZS_WEIGHT_LOG);

    if (bytes == 0)
        return 0;
    ZS_OF_WEIGHTS(fse_build)(z, tree->cell, &tree->counts, ZS_WEIGHTS);
    zs_cursor_place(&c, p + n, n - bytes);
    if (n == bytes || !zs_cursor_begin(&c))
        return 0;
    return utet_zs_weights(tree, chains, &c);
}

/*
 * Format, "Huffman Tree Description": n bytes at p (header byte included). The chains of symbols and the FSE table that
 * weights come from are in the memory of the decoding table that is built here; once the symbols are sorted neither is
 * needed. Returns 0 if damaged.
 */
int utet_zs_huffman_tree(utet_zstd *z, const uint8_t *p, uint32_t n)
{
    zs_tree *const tree = zs_huffman_of(z);
    const uint32_t none = 0xffffffffu; /* ZS_NONE, four times */
    zs_chains chains;
    unsigned count, bits;

    memcpy(chains.last, &none, 4); /* memset would take 40 instructions */
    memcpy(chains.last + 4, &none, 4);
    memcpy(chains.last + 8, &none, 4);
    memcpy(chains.last + 12, &none, 4);
    chains.sum = 0;
    if (*p >= 128u)
        count = direct_weights(tree, &chains, p);
    else
        count = fse_weights(z, tree, &chains, p + 1, n - 1u);
    if (count == 0)
        return 0;
    bits = sort_symbols(zs_list_of(z)->symbol, tree->before, count, &chains);
    if (bits == 0)
        return 0;
    z->tree_bits = (uint8_t)bits;
    utet_zs_huffman_fill(z, chains.last, bits);
    return 1;
}

static void default_counts(zs_counts *d, unsigned i)
{
    static const uint8_t from[4] = {0, 9, 9 + 4, sizeof default_run};
    unsigned r, times, symbols = 0;

    for (r = from[i]; r < from[i + 1u]; r++)
        for (times = default_run[r] & 31u; times != 0; times--)
            d->count[symbols++] = (int16_t)((default_run[r] >> 5) - 1);
    d->symbols = (uint8_t)symbols;
    d->log = i == ZS_OF ? 5 : 6;
}

/* The address of table i of the sequence codes. */
static void *cells_of(utet_zstd *z, unsigned i)
{
    if (zs_is_packed(z))
        return ((zs_packed *)(void *)z)->cell + zs_cells_at[i];
    return ((zs_tables *)(void *)z)->cell + zs_cells_at[i];
}

/* Copies table i of a predefined distribution. */
static void predefined_table(utet_zstd *z, unsigned i)
{
    const unsigned log = i == ZS_OF ? 5u : 6u, first = i == ZS_LL ? 0u : i == ZS_OF ? 64u : 96u;

    z->log[i] = (uint8_t)log;
    if (zs_is_packed(z))
        ZS_COPY_FLASH(cells_of(z, i), packed_predefined + first, sizeof *packed_predefined << log);
    else
        ZS_COPY_FLASH(cells_of(z, i), tables_predefined + first, sizeof *tables_predefined << log);
}

/* Table i of the sequence codes, of `mode`, out of n bytes at p: how many of them it took, -1 if damaged. */
int utet_zs_sequence_table(utet_zstd *z, unsigned i, unsigned mode, const uint8_t *p, uint32_t n)
{
    static const uint8_t last_symbol[3] = {35, 31, 52}, max_log[3] = {9, 8, 9};
    zs_counts d;
    int bytes = 0;

    if (mode == 0) {
        if (UTET_ZSTD_ROM_TABLES) {
            predefined_table(z, i);
            return 0;
        }
        default_counts(&d, i);
    } else if (n == 0) {
        return -1;
    } else if (mode == 1u) { /* RLE_Mode: a table of one cell */
        if (*p > last_symbol[i])
            return -1;
        memset(&d, 0, sizeof d);
        d.count[*p] = 1;
        d.symbols = (uint8_t)(*p + 1u);
        bytes = 1;
    } else {
        bytes = (int)utet_zs_read_counts(&d, p, n, last_symbol[i], max_log[i]);
        if (bytes == 0)
            return -1;
    }
    z->log[i] = d.log;
    ZS_CALL(z, fse_build)(z, cells_of(z, i), &d, i);
    return bytes;
}
