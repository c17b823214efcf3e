/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Building FSE tables, once for each layout (zstd_tables.c, zstd_packed.c).
 */

/* The first half of building a table: spreads the symbols over it. The first byte of a cell becomes the offset of the
 * symbol's cell in the `next` of the second half; positions are offsets as well. */
ZS_NOINLINE static void ZS_NAME(fse_spread)(uint8_t *table, const zs_counts *d)
{
    const unsigned each = sizeof(ZS_NAME(cell)), size = each << d->log, end = each * d->symbols;
    const int16_t *count = d->count;
    unsigned high = size, place = 0, step = (size >> 1) + (size >> 3) + 3u * each, offset;
    int n;

    for (offset = 0; offset < end; offset += each)
        for (n = ZS_COUNT(count, d, offset / each); n < 0; n++) {
            /* once, except for the sum of symbols that no table can have */
            high -= each;
            ZS_HERE(high);
            table[high & (size - each)] = (uint8_t)offset;
        }
    count = d->count;
    for (offset = 0; offset < end; offset += each) {
        n = ZS_COUNT(count, d, offset / each) - 1;
        if (n >= 0)
            do {
                table[place] = (uint8_t)offset;
                do {
                    ZS_HIGH(step);
                    place = (place + step) & (size - each);
                } while (place >= high);
            } while (--n >= 0);
    }
}

/*
 * Format, "From normalized distribution to decoding tables". `next` holds, for every symbol, the finished cell of its
 * next state, and an addition advances it. (packed: it is the array of the counts itself.)
 */
ZS_NOINLINE static void ZS_NAME(fse_cells)(uint8_t *table, ZS_NAME(cell) * next, const zs_counts *d, unsigned kind)
{
    const unsigned log = d->log;
    uint32_t value = kind == ZS_OF;
    const uint8_t *end;
    unsigned s;

    for (s = 0; s < d->symbols; s++) {
        int n = d->count[s];

        next[s] = ZS_NAME(first)(kind, s, n > 0 ? (unsigned)n : 1u, log, &value);
    }
    end = table + (sizeof *next << log);
    do {
        ZS_NAME(cell) * mine;
        ZS_NAME(cell) cell;

        ZS_HIGH(next);
        /* the mask changes no offset, which an analyser cannot know */
        mine = (void *)((uint8_t *)next + (*table & ZS_OFFSETS));
        cell = *mine;
        *(ZS_NAME(cell) *)(void *)table = cell;
        table += sizeof cell;
        *mine = ZS_NAME(following)(cell, log);
    } while (table < end);
}

void ZS_GLOBAL(fse_build)(utet_zstd *z, void *table, zs_counts *d, unsigned kind)
{
    ZS_NAME(fse_spread)(table, d);
    ZS_NAME(fse_cells)(table, ZS_NAME(room_for_cells)(z, d), d, kind);
}
