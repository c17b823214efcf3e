/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Building FSE tables, once for each layout (zstd_tables.c, zstd_packed.c).
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
    const unsigned log = d->log, size = 1u << log;
    uint32_t value = kind == ZS_OF;
    unsigned s;

    for (s = 0; s < d->symbols; s++) {
        int n = d->count[s];

        next[s] = ZS_NAME(first)(kind, s, n > 0 ? (unsigned)n : 1u, log, &value);
    }
    for (s = 0; s < size; s++) {
        /* a symbol is < 64, which an analyser cannot know */
        ZS_NAME(cell) *mine = &next[table[s] & 63u], cell = *mine;

        table[s] = cell;
        *mine = ZS_NAME(following)(cell, log);
    }
}

void ZS_GLOBAL(fse_build)(utet_zstd *z, void *table, zs_counts *d, unsigned kind)
{
    ZS_NAME(fse_spread)(table, d);
    ZS_NAME(fse_cells)(table, ZS_NAME(room_for_cells)(z, d), d, kind);
}
