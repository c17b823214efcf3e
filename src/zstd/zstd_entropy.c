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

/* Bits from `at` of a forward stream of n bytes, 17 valid; zeros after its end. */
uint32_t utet_zs_forward_bits(const uint8_t *p, uint32_t n, uint32_t at)
{
    uint32_t first = at >> 3, i = 3, v = 0;

    if (first + 3u < n)
        return zs_le32(p + first) >> (at & 7u);
    while (i-- != 0) {
        v <<= 8;
        if (first + i < n)
            v |= p[first + i];
    }
    return v >> (at & 7u);
}

/* Takes a symbol's count, which is its value in a description less one. Of symbols that no table can have, only sums
 * are kept. */
static void set_count(zs_counts *d, unsigned symbol, uint32_t value)
{
    unsigned before = 0;

    if (symbol >= ZS_SYMBOLS) {
        symbol = ZS_SYMBOLS + (value == 0);
        before = (unsigned)d->count[symbol];
    }
    d->count[symbol] = (int16_t)(before + (unsigned)value - 1u);
}

/* Format, "FSE Table Description", in n bytes at p: its length, 0 if damaged. */
unsigned utet_zs_read_counts(zs_counts *d, const uint8_t *p, uint32_t n, unsigned max_symbol, unsigned max_log)
{
    unsigned width = (unsigned)(utet_zs_forward_bits(p, n, 0) & 15u) + 5u, symbol = 0;
    uint32_t at = 4, half = (uint32_t)1 << width, left = half + 1u;

    d->log = (uint8_t)width;
    d->count[ZS_SYMBOLS] = 0;
    d->count[ZS_SYMBOLS + 1] = 0;
    if (width > max_log)
        return 0;
    do {
        uint32_t spare = 2u * half - 1u - left, bits = utet_zs_forward_bits(p, n, at), value = bits & (half - 1u);

        at += width;
        if (value >= spare) { /* `value` becomes at most `left`, which is at least `half` */
            at++;
            value = bits & (2u * half - 1u);
            if (value >= half)
                value -= spare;
        }
        if (symbol > max_symbol)
            return 0;
        set_count(d, symbol++, value);
        left -= value != 0 ? value - 1u : 1u; /* 0: less than one */
        if (value == 1u) {
            uint32_t zeros, i;

            do {
                zeros = utet_zs_forward_bits(p, n, at) & 3u;
                at += 2u;
                for (i = 0; i < zeros; i++)
                    set_count(d, symbol++, 1);
            } while (zeros == 3u && symbol <= max_symbol);
        }
        for (; left < half; width--)
            half >>= 1;
    } while (left > 1u);
    d->symbols = (uint8_t)(symbol <= ZS_SYMBOLS ? symbol : ZS_SYMBOLS + 2u);
    at = (at + 7u) >> 3;
    return at <= n ? (unsigned)at : 0;
}

/* Weights of four bits each (Format, "Huffman Tree header"). */
unsigned utet_zs_direct_weights(uint8_t *weight, uint8_t *counts, const uint8_t *p)
{
    unsigned count = *p - 127u, i;

    for (i = 0; i < count; i++) {
        unsigned both = p[1u + i / 2u], w = i % 2u == 0 ? both >> 4 : both & 15u;

        weight[i] = (uint8_t)w;
        counts[w]++;
    }
    return count;
}

/*
 * Completes the weights (each < ZS_WEIGHTS_END) by the last one, checks them, and sorts the symbols by weight.
 * end[w]: at first the number of symbols of weight w; then the index in the list before their first, where those of
 * weight w - 1 end. All numbers are taken modulo 256, the list's size. Returns the longest code's bits, 0 if damaged.
 */
unsigned utet_zs_sort_symbols(uint8_t *list, uint8_t *weight, unsigned count, uint8_t *end)
{
    uint32_t sum = 0, rest;
    unsigned w, bits, left, place = 0;
    int i;

    for (w = 1; w < ZS_WEIGHTS_END; w++)
        sum += (uint32_t)end[w] << (w - 1u);
    if (end[1] == 0) /* the last symbol makes at least two, because the sum of all is a power of two */
        return 0;
    bits = zs_log2(sum) + 1u;
    if (bits > ZS_HUFFMAN_LOG)
        return 0;
    rest = ((uint32_t)1 << bits) - sum;
    if ((rest & (rest - 1u)) != 0)
        return 0;
    w = (zs_log2(rest) + 1u) & (ZS_WEIGHTS_END - 1u); /* at most 11, which an analyser cannot know */
    weight[count] = (uint8_t)w;
    end[w] = (uint8_t)(end[w] + 1u);
    for (w = 1; w <= bits + 1u; w++) { /* the last weight has no symbols */
        place += end[w];
        end[w] = (uint8_t)(place - 1u); /* the next of them goes there */
    }
    ZS_HERE(weight); /* both are in registers from here on */
    ZS_HERE(list);
    left = place; /* symbols that have a code: often the first of all symbols have none */
    i = (int)count;
    do {
        w = weight[i];
        if (w != 0) {
            place = end[w];
            list[place] = (uint8_t)i;
            end[w] = (uint8_t)(place - 1u);
            left--;
        } else if (left == 0) {
            break;
        }
    } while (--i >= 0);
    return bits;
}

/* Format, "Finite State Entropy (FSE) compression of Huffman weights": their number or 0; counts[w] of each. */
static unsigned fse_weights(utet_zstd *z, zs_tree *tree, uint8_t *counts, const uint8_t *p, uint32_t n)
{
    zs_cursor c;
    unsigned bytes = utet_zs_read_counts(&tree->counts, p, n, 255, ZS_WEIGHT_LOG);

    if (bytes == 0)
        return 0;
    ZS_OF_WEIGHTS(fse_build)(z, tree->cell, &tree->counts, ZS_WEIGHTS);
    utet_zs_cursor_place(&c, p + n, n - bytes);
    if (n == bytes || !utet_zs_cursor_begin(&c))
        return 0;
    return utet_zs_weights(tree, counts, &c);
}

/*
 * Format, "Huffman Tree Description": n bytes at p (header byte included). Weights and the FSE table they come from
 * are in the memory of the decoding table that is built here; once the symbols are sorted neither is needed. Returns
 * 0 if damaged.
 */
int utet_zs_huffman_tree(utet_zstd *z, const uint8_t *p, uint32_t n)
{
    zs_tree *const tree = zs_huffman_of(z);
    uint8_t end[ZS_WEIGHTS_END] = {0};
    unsigned count, bits;

    if (*p >= 128u)
        count = utet_zs_direct_weights(tree->weight, end, p);
    else
        count = fse_weights(z, tree, end, p + 1, n - 1u);
    if (count == 0)
        return 0;
    bits = utet_zs_sort_symbols(zs_list_of(z)->symbol, tree->weight, count, end);
    if (bits == 0)
        return 0;
    z->tree_bits = (uint8_t)bits;
    utet_zs_huffman_fill(z, end + 1, bits);
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
