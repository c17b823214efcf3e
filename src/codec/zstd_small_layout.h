/*
 * The part of the small zstd decoder that depends on the layout of its tables: building
 * FSE and Huffman tables, decoding literals, the sequence loop. Included by zstd_small.c
 * once for each layout, with ZS_NAME, ZS_LAYOUT and ZS_IS_PACKED defined.
 *
 * tables: an FSE cell of 4 bytes says everything: byte 0 state bits, byte 1 extra bits,
 *   then m (5 bits) and the next state's base (11 bits). Every value of the three codes is
 *   (m << extra bits) + extra bits. One Huffman level: symbol | length << 8.
 * packed: an FSE cell of 2 bytes is symbol | counter << 6; the counter's leading zeros
 *   give the state bits and the base (Format, "From normalized distribution to decoding
 *   tables"). A first Huffman level of at most 9 bits; entry 0 = a longer code, found by
 *   its place among the codes sorted by length.
 */

#if ZS_IS_PACKED
typedef uint16_t ZS_NAME(cell);
typedef uint16_t ZS_NAME(next);
#define ZS_FSE_SYMBOL 63u
#else
typedef uint32_t ZS_NAME(cell);
typedef uint32_t ZS_NAME(next);
#define ZS_FSE_BASE 21u
#endif

/* The cell of a symbol's first state, of `count` in a table of 1 << log. */
ZS_INLINE ZS_NAME(next) ZS_NAME(first)(unsigned kind, unsigned symbol, unsigned count, unsigned log)
{
#if ZS_IS_PACKED
    (void)kind;
    (void)log;
    return (uint16_t)(symbol | count << 6);
#else
    unsigned bits = log - zs_log2(count);

    return bits | (uint32_t)code_of(kind, symbol) << 8 |
           (((uint32_t)count << bits) - ((uint32_t)1 << log)) << ZS_FSE_BASE;
#endif
}

/*
 * Format, "From normalized distribution to decoding tables". `next` holds, for every
 * symbol, the finished cell of its next state; it advances by an addition. (packed: it is
 * the array of the counts itself.)
 */
static void ZS_NAME(fse_build)(ZS_NAME(cell) *table, ZS_NAME(next) *next, zs_counts *d, unsigned kind)
{
    unsigned size = 1u << d->log, high = size, place = 0, s, i;
    unsigned step = (size >> 1) + (size >> 3) + 3u;

    for (s = 0; s < d->symbols; s++)
        if (d->count[s] < 0)
            table[--high] = (ZS_NAME(cell))s;
    for (i = d->more_low; i != 0; i--)
        table[--high] = ZS_SYMBOLS - 1;
    for (s = 0; s < d->symbols; s++) {
        int count = d->count[s];

        for (i = 0; (int)i < count; i++) {
            table[place] = (ZS_NAME(cell))s;
            do
                place = (place + step) & (size - 1u);
            while (place >= high);
        }
        next[s] = ZS_NAME(first)(kind, s, count > 0 ? (unsigned)count : 1u, d->log);
    }
    for (i = 0; i < size; i++) {
        ZS_NAME(next) *n = &next[table[i]];
        ZS_NAME(next) cell = *n;

        table[i] = cell;
#if ZS_IS_PACKED
        *n = (uint16_t)(cell + 64u);
#else
        cell += ((uint32_t)1 << ZS_FSE_BASE) << (cell & 31u);
        if (cell >> ZS_FSE_BASE == size) /* the counter is a power of two: a bit less from here */
            cell -= ((uint32_t)size << ZS_FSE_BASE) + 1u;
        *n = cell;
#endif
    }
}

/* Table i of the sequence codes from `d`, or with one symbol only (Format, RLE_Mode). */
static void ZS_NAME(sequence_table)(utet_zstd *z, unsigned i, zs_counts *d)
{
    ZS_LAYOUT *t = (ZS_LAYOUT *)(void *)z;
    ZS_NAME(cell) *table = t->cell + cells_at(i);

    z->log[i] = d->log;
    if (d->log == 0)
        table[0] = ZS_NAME(first)(i, d->symbols, 1, 0);
    else
#if ZS_IS_PACKED
        ZS_NAME(fse_build)(table, (uint16_t *)d->count, d, i);
#else
        ZS_NAME(fse_build)(table, t->list.next, d, i);
#endif
}

/* Format, "Finite State Entropy (FSE) compression of Huffman weights". Gives their number,
 * 0 if damaged. The stream ends by running out of bits: then the other state has the last
 * weight. */
static unsigned ZS_NAME(fse_weights)(ZS_LAYOUT *t, uint8_t *weight, const uint8_t *p, uint32_t n)
{
    ZS_NAME(cell) *table = (ZS_NAME(cell) *)(void *)t->huffman.entry;
    zs_counts d;
    zs_cursor c;
    unsigned count = 0, a, b;

    if (!read_counts(&d, p, n, 255, ZS_WEIGHT_LOG))
        return 0;
#if ZS_IS_PACKED
    ZS_NAME(fse_build)(table, (uint16_t *)d.count, &d, ZS_WEIGHTS);
#else
    ZS_NAME(fse_build)(table, t->list.next, &d, ZS_WEIGHTS);
#endif
    cursor_place(&c, p + n, n - d.bytes);
    if (n == d.bytes || !cursor_begin(&c))
        return 0;
    a = zs_top(zs_bits(c.top, c.used), d.log);
    b = zs_top(zs_bits(c.top, c.used + d.log), d.log);
    c.used += 2u * d.log;
    if (c.used > c.limit)
        return 0;
    for (;;) {
        ZS_NAME(cell) cell = table[a];
        unsigned bits, base;

#if ZS_IS_PACKED
        unsigned counter = cell >> 6;

        weight[count++] = (uint8_t)(cell & ZS_FSE_SYMBOL);
        bits = d.log - zs_log2(counter);
        base = (counter << bits) - (1u << d.log);
#else
        weight[count++] = (uint8_t)(cell >> 16 & 31u);
        bits = cell & 31u;
        base = (unsigned)(cell >> ZS_FSE_BASE);
#endif
        if (weight[count - 1u] > ZS_WEIGHT_MAX || count == 255u)
            return 0;
        if (c.used + bits > c.limit)
            break;
        a = b;
        b = base + (unsigned)zs_top(zs_bits(c.top, c.used), bits);
        c.used += bits;
    }
#if ZS_IS_PACKED
    weight[count++] = (uint8_t)(table[b] & ZS_FSE_SYMBOL);
#else
    weight[count++] = (uint8_t)(table[b] >> 16 & 31u);
#endif
    return count;
}

/* Fills the decoding table from the sorted symbols; end[w]: where in the list the symbols
 * of weight w end. Codes ascend with the weight, so the table fills from its start. */
static void ZS_NAME(huffman_fill)(ZS_LAYOUT *t, const uint16_t *end, unsigned bits)
{
    const uint8_t *symbol = t->list.symbol, *stop;
    uint16_t *entry = t->huffman.entry;
    unsigned w = 1, drop = 0;

#if ZS_IS_PACKED
    if (bits > ZS_LOG_PACKED) {
        unsigned none;

        drop = bits - ZS_LOG_PACKED;
        none = end[1];
        t->z.deep = (uint8_t)none;
        if (drop == 2u)
            none = (none + 2u * (unsigned)(end[2] - end[1])) >> 1;
        none >>= 1;
        memset(entry, 0, 2u * (size_t)none);
        entry += none;
        symbol += end[drop];
        w = drop + 1u;
    }
#endif
    for (; w <= bits; w++) {
        unsigned length = (bits + 1u - w) << 8, run = 1u << (w - 1u - drop);

        for (stop = t->list.symbol + end[w]; symbol < stop; symbol++) {
            unsigned value = length | *symbol, n;

            if (run == 1u) {
                *entry++ = (uint16_t)value;
            } else {
                uint32_t *pair = t->huffman.pair + (entry - t->huffman.entry) / 2;

                for (n = 0; n < run / 2u; n++)
                    pair[n] = (uint32_t)value << 16 | value;
                entry += run;
            }
        }
    }
    t->z.shift = (uint8_t)(32u - (bits - drop));
}

/*
 * Format, "Huffman Tree Description": n bytes at p (header byte included). Weights and
 * the FSE table they come from lie in the decoding table that is to be built; once the
 * symbols are sorted neither is needed. Returns 0 if damaged.
 */
ZS_NOINLINE static int ZS_NAME(huffman_tree)(utet_zstd *z, const uint8_t *p, uint32_t n)
{
    ZS_LAYOUT *t = (ZS_LAYOUT *)(void *)z;
    uint8_t *weight = (uint8_t *)(t->huffman.entry + 256);
    uint16_t end[ZS_WEIGHT_MAX + 2];
    unsigned count, bits;

    if (*p >= 128u)
        count = direct_weights(weight, p);
    else
        count = ZS_NAME(fse_weights)(t, weight, p + 1, n - 1u);
    if (count == 0)
        return 0;
    bits = sort_symbols(t->list.symbol, weight, count, end);
    if (bits == 0)
        return 0;
    z->tree_bits = (uint8_t)bits;
    ZS_NAME(huffman_fill)(t, end, bits);
    return 1;
}

#if ZS_IS_PACKED
/* One code that the first level may not hold: symbol | length << 8. */
static unsigned huffman_deep(const zs_packed *t, uint32_t bits)
{
    unsigned code = (unsigned)(bits >> (32u - t->z.tree_bits)), length = t->z.tree_bits;
    unsigned entry = t->huffman.entry[bits >> t->z.shift];

    if (entry != 0)
        return entry;
    if (code >= t->z.deep) {
        code = t->z.deep + (code - t->z.deep) / 2u;
        length--;
    }
    return t->list.symbol[code] | length << 8;
}
#endif

/*
 * Up to n literals from the open Huffman stream to `out`, as far as its bits are in
 * reach; returns where they end. Four symbols take at most 44 bits: two loads, and how
 * many rounds are safe is known beforehand (1489 / 65536 < 1 / 44).
 */
ZS_HOT static uint8_t *ZS_NAME(huffman_run)(utet_zstd *z, uint8_t *out, uint32_t n)
{
    const ZS_LAYOUT *t = (const ZS_LAYOUT *)(const void *)z;
    const uint16_t *const table = t->huffman.entry;
    const uint8_t *const top = z->lit.top;
    const uint32_t limit = z->lit.limit;
    uint32_t used = z->lit.used, rounds = n >> 2, bits;
    const unsigned shift = z->shift;
    unsigned entry;

    if (rounds != 0) {
        uint8_t *stop;
        uint32_t safe = (limit - used) * 1489u >> 16;

        if (rounds > safe)
            rounds = safe;
        n -= 4u * rounds;
        stop = out + 4u * (size_t)rounds;
        while (out != stop) {
#if ZS_IS_PACKED
            const uint32_t before = used;
#endif
            bits = zs_bits(top, used);
            entry = table[bits >> shift];
            out[0] = (uint8_t)entry;
            bits <<= entry >> 8;
            used += entry >> 8;
            entry = table[bits >> shift];
            out[1] = (uint8_t)entry;
            used += entry >> 8;
            bits = zs_bits(top, used);
            entry = table[bits >> shift];
            out[2] = (uint8_t)entry;
            bits <<= entry >> 8;
            used += entry >> 8;
            entry = table[bits >> shift];
            out[3] = (uint8_t)entry;
            used += entry >> 8;
#if ZS_IS_PACKED
            if (entry == 0) { /* one of the four has a long code; none after it advanced */
                unsigned i;

                used = before;
                for (i = 0; i < 4u; i++) {
                    entry = huffman_deep(t, zs_bits(top, used));
                    out[i] = (uint8_t)entry;
                    used += entry >> 8;
                }
            }
#endif
            out += 4;
        }
    }
    for (; n != 0; n--) {
#if ZS_IS_PACKED
        entry = huffman_deep(t, zs_bits(top, used));
#else
        entry = table[zs_bits(top, used) >> shift];
#endif
        if (used + (entry >> 8) > limit)
            break;
        used += entry >> 8;
        *out++ = (uint8_t)entry;
    }
    z->lit.used = used;
    return out;
}

/*
 * Format, "Decoding Sequences" and "Sequence Execution": decodes and executes sequences
 * until the block has no more, the slice is full or bits are missing. A sequence that
 * does not fit as a whole, or reaches across the history's end, goes through finish().
 * Returns UTET_OK when all are done, ZS_FULL, or a status.
 */
ZS_HOT static utet_status ZS_NAME(sequences)(utet_zstd *z)
{
    const ZS_LAYOUT *t = (const ZS_LAYOUT *)(const void *)z;
    uint8_t *p = z->out;
    uint8_t *const end = fast_end(z);
    const uint8_t *const low = fast_low(z);
    unsigned sl = z->state[ZS_LL], so = z->state[ZS_OF], sm = z->state[ZS_ML];
    uint32_t used = z->seq.used;
    utet_status status = UTET_OK;

    while (z->sequences != 0) {
        ZS_NAME(cell) cl = t->cell[sl];
        ZS_NAME(cell) co = t->cell[ZS_CELLS_OF + so];
        ZS_NAME(cell) cm = t->cell[ZS_CELLS_ML + sm];
        uint32_t ll, ml, off, bits, extra, next;
        unsigned xl, xo, xm, nl, no, nm;

#if ZS_IS_PACKED
        const unsigned vl = ll_code[cl & ZS_FSE_SYMBOL], vm = ml_code[cm & ZS_FSE_SYMBOL];

        xl = vl & 255u;
        xm = vm & 255u;
        xo = co & ZS_FSE_SYMBOL;
        nl = z->log[ZS_LL] - zs_log2(cl >> 6);
        no = z->log[ZS_OF] - zs_log2(co >> 6);
        nm = z->log[ZS_ML] - zs_log2(cm >> 6);
        extra = xl + xo + xm;
        next = nl + no + nm;
#else
        next = cl + co + cm;
        extra = next >> 8 & 255u;
        next &= 255u;
        xl = cl >> 8 & 255u;
        xo = co >> 8 & 255u;
        xm = cm >> 8 & 255u;
        nl = cl & 255u;
        no = co & 255u;
        nm = cm & 255u;
#endif
        if (z->sequences == 1)
            next = 0;
        if (used + extra + next > z->seq.limit) {
            z->seq.used = used;
            status = cursor_refill(z, &z->seq);
            used = z->seq.used;
            if (status != UTET_OK)
                break;
            continue;
        }
#if ZS_IS_PACKED
        ll = vl >> 8;
        ml = vm >> 8;
        off = 1;
#else
        ll = cl >> 16 & 31u;
        ml = cm >> 16 & 31u;
        off = 1;
#endif
        if (ZS_LIKELY(extra + next <= 25u)) {
            bits = zs_bits(z->seq.top, used);
            used += extra + next;
            off = off << xo | zs_top(bits, xo);
            bits <<= xo;
            ml = ml << xm | zs_top(bits, xm);
            bits <<= xm;
            ll = ll << xl | zs_top(bits, xl);
            bits <<= xl;
        } else {
            z->seq.used = used;
            off = long_field(&z->seq, off, xo);
            ml = long_field(&z->seq, ml, xm);
            ll = long_field(&z->seq, ll, xl);
            used = z->seq.used;
            bits = zs_bits(z->seq.top, used);
            if (next > 25u) /* 26 at most: one more than a load guarantees */
                bits = (bits & 0xffff0000u) | zs_bits(z->seq.top, used + 16u) >> 16;
            used += next;
        }
        ml += 3u;
        z->sequences--;
        /* after the last one this is idle */
#if ZS_IS_PACKED
        sl = ((cl >> 6 << nl) - (1u << z->log[ZS_LL])) + (unsigned)zs_top(bits, nl);
        bits <<= nl;
        sm = ((cm >> 6 << nm) - (1u << z->log[ZS_ML])) + (unsigned)zs_top(bits, nm);
        bits <<= nm;
        so = ((co >> 6 << no) - (1u << z->log[ZS_OF])) + (unsigned)zs_top(bits, no);
#else
        sl = (unsigned)(cl >> ZS_FSE_BASE) + (unsigned)zs_top(bits, nl);
        bits <<= nl;
        sm = (unsigned)(cm >> ZS_FSE_BASE) + (unsigned)zs_top(bits, nm);
        bits <<= nm;
        so = (unsigned)(co >> ZS_FSE_BASE) + (unsigned)zs_top(bits, no);
#endif
        /* Format, "Repeat offsets" */
        if (off > 3u) {
            off -= 3u;
            z->rep[2] = z->rep[1];
            z->rep[1] = z->rep[0];
            z->rep[0] = off;
        } else {
            off = repeated(z->rep, off - (ll != 0));
        }
        if (ZS_LIKELY(p <= end && ll + ml <= (size_t)(end - p))) {
            if (ll != 0) {
                uint32_t fit = ll <= z->stream_left ? ll : 0;

                if (z->lit_type >= ZS_HUFFMAN) {
                    uint8_t *q = ZS_NAME(huffman_run)(z, p, fit);

                    fit = (uint32_t)(q - p);
                } else {
                    plain_literals(z, p, fit);
                }
                z->stream_left -= fit;
                p += fit;
                ll -= fit;
            }
            if (ZS_LIKELY(ll == 0 && off - 1u < (size_t)(p - low))) {
                p = copy_match(p, off, ml);
                continue;
            }
        }
        z->ll = ll;
        z->ml = ml;
        z->off = off;
        z->out = p;
        status = finish(z);
        p = z->out;
        if (status != UTET_OK)
            break;
    }
    z->out = p;
    z->state[ZS_LL] = (uint16_t)sl;
    z->state[ZS_OF] = (uint16_t)so;
    z->state[ZS_ML] = (uint16_t)sm;
    z->seq.used = used;
    return status;
}

#undef ZS_FSE_SYMBOL
#undef ZS_FSE_BASE
