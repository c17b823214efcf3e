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
 * UTET_ZSTD_ALIGNED, both: symbols and lengths in tables of their own; length ZS_DEEP = a longer code.
 */

#if ZS_IS_PACKED
typedef uint16_t ZS_NAME(cell);
typedef uint16_t ZS_NAME(next);
#define ZS_FSE_SYMBOL 63u
#define ZS_WEIGHT(cell) ((unsigned)((cell) & (ZS_WEIGHTS_END - 1u)))
#else
typedef uint32_t ZS_NAME(cell);
typedef uint32_t ZS_NAME(next);
#define ZS_FSE_BASE 21u
#define ZS_WEIGHT(cell) ((unsigned)((cell) >> 16 & (ZS_WEIGHTS_END - 1u)))

/* Format, "The codes for literals lengths, match lengths, and offsets": extra bits. */
static unsigned extra_bits(unsigned kind, unsigned symbol)
{
    /* of literal lengths from 16 on, then of match lengths from 32 on */
    static const uint8_t extra[20 + 21] = {1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16,
                                           1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};

    if (kind == ZS_OF)
        return symbol & 31u;
    if (kind == ZS_LL)
        return symbol < 16u ? 0 : extra[symbol - 16u];
    return kind == ZS_WEIGHTS || symbol < 32u ? 0 : extra[symbol - 32u + 20u];
}
#endif

/* The cell of a symbol's first state, of `count` in a table of 1 << log. *value: what the symbol
 * stands for without its extra bits, m << those; moves on to the next symbol's. */
ZS_INLINE ZS_NAME(next) ZS_NAME(first)(unsigned kind, unsigned symbol, unsigned count, unsigned log, uint32_t *value)
{
#if ZS_IS_PACKED
    (void)log;
    (void)value;
    if (kind == ZS_WEIGHTS && symbol >= ZS_WEIGHTS_END)
        symbol = ZS_WEIGHTS_END - 1;
    return (uint16_t)(symbol | count << 6);
#else
    unsigned bits = (log - zs_log2(count)) & 15u, extra = extra_bits(kind, symbol);
    uint32_t m = *value >> extra; /* < 32 */

    if (kind == ZS_WEIGHTS && m >= ZS_WEIGHTS_END)
        m = ZS_WEIGHTS_END - 1;
    *value += (uint32_t)1 << extra;
    return bits | extra << 8 | m << 16 | (((uint32_t)count << bits) - ((uint32_t)1 << log)) << ZS_FSE_BASE;
#endif
}

/* The first half of building a table: spreads the symbols over it. */
ZS_NOINLINE static void ZS_NAME(fse_spread)(ZS_NAME(cell) *table, const zs_counts *d)
{
    const unsigned size = 1u << d->log, step = (size >> 1) + (size >> 3) + 3u;
    unsigned high = size, place = 0, s;
    int n;

    for (s = 0; s < d->symbols; s++) {
        n = d->count[s];
        if (n < 0)
            do /* once, but for the sum of symbols that no table can have */
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
 * Format, "From normalized distribution to decoding tables". `next` holds, for every
 * symbol, the finished cell of its next state; it advances by an addition. (packed: it is
 * the array of the counts itself.)
 */
ZS_NOINLINE static void ZS_NAME(fse_cells)(ZS_NAME(cell) *table, ZS_NAME(next) *next, const zs_counts *d, unsigned kind)
{
    const unsigned size = 1u << d->log;
#if !ZS_IS_PACKED
    const uint32_t wrap = ~(uint32_t)size << ZS_FSE_BASE | (((uint32_t)1 << ZS_FSE_BASE) - 1u);
#endif
    uint32_t value = kind == ZS_OF;
    unsigned s;

    for (s = 0; s < d->symbols; s++) {
        int n = d->count[s];

        next[s] = ZS_NAME(first)(kind, s, n > 0 ? (unsigned)n : 1u, d->log, &value);
    }
    for (s = 0; s < size; s++) {
        /* a symbol is < 64, which an analyser cannot know */
        ZS_NAME(next) *mine = &next[table[s] & 63u], cell = *mine;

        table[s] = cell;
#if ZS_IS_PACKED
        *mine = (uint16_t)(cell + 64u);
#else
        cell += ((uint32_t)1 << ZS_FSE_BASE) << (cell & 31u);
        if (cell >> ZS_FSE_BASE == size) /* the counter is a power of two: a bit less from here */
            cell += wrap;
        *mine = cell;
#endif
    }
}

ZS_INLINE void ZS_NAME(fse_build)(ZS_NAME(cell) *table, ZS_NAME(next) *next, const zs_counts *d, unsigned kind)
{
    ZS_NAME(fse_spread)(table, d);
    ZS_NAME(fse_cells)(table, next, d, kind);
}

/* Table i of the sequence codes. */
static void ZS_NAME(sequence_cells)(utet_zstd *z, unsigned i, zs_counts *d)
{
    ZS_LAYOUT *t = (ZS_LAYOUT *)(void *)z;

#if ZS_IS_PACKED
    ZS_NAME(fse_build)(t->cell + cells_at[i], (uint16_t *)d->count, d, i);
#else
    ZS_NAME(fse_build)(t->cell + cells_at[i], t->list.next, d, i);
#endif
}

#if ZS_IS_PACKED
#define ZS_CELL_BITS(log, cell) ((log) - zs_log2((unsigned)(cell) >> 6))
#define ZS_CELL_BASE(log, cell, bits) ((((unsigned)(cell) >> 6) << (bits)) - (1u << (log)))
#else
#define ZS_CELL_BITS(log, cell) ((unsigned)((cell) & 31u))
#define ZS_CELL_BASE(log, cell, bits) ((unsigned)((cell) >> ZS_FSE_BASE))
#endif

/*
 * The weights in the bit stream, their number or 0; counts[w] of each. Two states take turns. The stream ends by
 * running out of bits: then the state whose turn it was is void, and the other one has the last weight.
 */
#if UTET_ZSTD_ALIGNED
#define ZS_WEIGHTS_HOT ZS_NOINLINE /* only its loop is */
/* Through a container as in huffman_run(): 15 - lack bits that count and 16 behind them; `left` bits of the stream
 * do not count yet. One state a round: registers are few. */
ZS_HOTTEST static unsigned ZS_NAME(weight_run)(ZS_LAYOUT *t, uint16_t *counts, zs_cursor *c)
{
    const ZS_NAME(cell) *const table = t->huffman.tree.cell;
    uint8_t *out = t->huffman.tree.weight, *stop = out + 254;
    const unsigned log = t->huffman.tree.counts.log;
    unsigned a = (unsigned)long_field(c, 0, log), b = (unsigned)long_field(c, 0, log), w, take;
    const zs_half *next = (const zs_half *)(const void *)c->top - ((c->used + 32u) >> 4);
    int32_t lack = (int32_t)(c->used & 15u) - 17, left = (int32_t)(c->limit - c->used) + lack + 1;
    uint32_t bits = zs_bits(c->top, c->used) & ~(uint32_t)0 << (c->used & 15u);

    if (left < 0) {
        lack -= left;
        left = 0;
    }
    if (lack >= 0)
        return 0;
    for (;;) {
        ZS_NAME(cell) cell;

        ZS_HIGH(stop);
        if (out == stop)
            return 0;
        cell = table[a];
        *out++ = (uint8_t)(w = ZS_WEIGHT(cell));
        ZS_HERE(out);
        counts[w]++;
        take = ZS_CELL_BITS(log, cell);
        a = b;
        b = ZS_CELL_BASE(log, cell, take) + (unsigned)zs_top(bits, take);
        ZS_HERE(b);
        bits <<= take;
        lack += (int32_t)take;
        if (lack >= 0) {
            const int32_t more = left < 16 ? left : 16;

            if (lack >= left)
                break;
            ZS_HERE(next);
            bits += (uint32_t)*--next << (lack + 1);
            lack -= more;
            left -= more;
        }
    }
    *out++ = (uint8_t)(w = ZS_WEIGHT(table[a]));
    counts[w]++;
    return (unsigned)(out - t->huffman.tree.weight);
}
#else
#define ZS_WEIGHTS_HOT ZS_HOT
ZS_INLINE unsigned ZS_NAME(weight_run)(ZS_LAYOUT *t, uint16_t *counts, zs_cursor *c)
{
    const ZS_NAME(cell) *const table = t->huffman.tree.cell;
    uint8_t *const weight = t->huffman.tree.weight;
    const unsigned log = t->huffman.tree.counts.log;
    uint32_t bits = zs_bits(c->top, c->used), used = c->used + 2u * log;
    unsigned count = 0, a = (unsigned)zs_top(bits, log), b = (unsigned)zs_top(bits << log, log), w, take;
    ZS_NAME(cell) cell;

    if (used > c->limit)
        return 0;
    do {
        if (count == 254u)
            return 0;
        bits = zs_bits(c->top, used);
        cell = table[a];
        weight[count++] = (uint8_t)(w = ZS_WEIGHT(cell));
        counts[w]++;
        take = ZS_CELL_BITS(log, cell);
        a = ZS_CELL_BASE(log, cell, take) + (unsigned)zs_top(bits, take);
        bits <<= take;
        used += take;
        cell = table[b];
        weight[count++] = (uint8_t)(w = ZS_WEIGHT(cell));
        counts[w]++;
        take = ZS_CELL_BITS(log, cell);
        b = ZS_CELL_BASE(log, cell, take) + (unsigned)zs_top(bits, take);
        used += take;
    } while (used <= c->limit);
    if (used - take <= c->limit) { /* it was the second one's turn: one more of the first */
        weight[count++] = (uint8_t)(w = ZS_WEIGHT(table[a]));
        counts[w]++;
    }
    return count;
}
#endif

/* Format, "Finite State Entropy (FSE) compression of Huffman weights": as above, from their table on. */
ZS_WEIGHTS_HOT static unsigned ZS_NAME(fse_weights)(ZS_LAYOUT *t, uint16_t *counts, const uint8_t *p, uint32_t n)
{
    zs_counts *const d = &t->huffman.tree.counts;
    zs_cursor c;
    unsigned bytes = read_counts(d, p, n, 255, ZS_WEIGHT_LOG);

    if (bytes == 0)
        return 0;
#if ZS_IS_PACKED
    ZS_NAME(fse_build)(t->huffman.tree.cell, (uint16_t *)d->count, d, ZS_WEIGHTS);
#else
    ZS_NAME(fse_build)(t->huffman.tree.cell, t->list.next, d, ZS_WEIGHTS);
#endif
    cursor_place(&c, p + n, n - bytes);
    if (n == bytes || !cursor_begin(&c))
        return 0;
    return ZS_NAME(weight_run)(t, counts, &c);
}

#if ZS_IS_PACKED
/* The longest codes have `drop` bits, 1 or 2, more than the first level: how many of its entries, the first ones,
 * stand for codes that it does not hold. */
ZS_INLINE unsigned deep_entries(zs_packed *t, const uint16_t *end, unsigned drop)
{
    unsigned codes = end[1];

    t->z.deep = (uint8_t)codes;
    if (drop == 2u)
        codes = (codes + 2u * (unsigned)(end[2] - end[1])) >> 1;
    return codes >> 1;
}
#endif

#if UTET_ZSTD_ALIGNED
/* Fills the decoding tables from the sorted symbols; end[w]: where in the list the symbols
 * of weight w end. Codes ascend with the weight, so the tables fill from their start. They have one
 * of two widths, which huffman_run() knows: shorter codes fill them several times. */
ZS_HOT static void ZS_NAME(huffman_fill)(ZS_LAYOUT *t, const uint16_t *end, unsigned bits)
{
    const uint8_t *symbol = t->list.symbol;
    uint8_t *s = t->huffman.split.symbol, *l = t->huffman.split.length;
    unsigned w = 1, width = ZS_NARROW, run;
    uint32_t length;

    if (bits > ZS_NARROW) {
#if ZS_IS_PACKED
        const unsigned drop = bits - ZS_NARROW, none = deep_entries(t, end, drop);

        w += drop;
        memset(l, ZS_DEEP, (size_t)none);
        s += none;
        l += none;
        symbol += end[drop];
#else
        width = ZS_HUFFMAN_LOG;
#endif
    }
    t->z.shift = (uint8_t)(32u - width);
    run = 1u << (width + w - 1u) >> bits;
    length = (uint32_t)(bits + 1u - w) * 0x01010101u;
    for (; w <= bits; w++) {
        const uint8_t *const stop = t->list.symbol + end[w];

        if (run == 1u) {
            for (; symbol < stop; symbol++) {
                *s++ = *symbol;
                *l++ = (uint8_t)length;
            }
        } else if (run == 2u) {
            for (; symbol < stop; symbol++) {
                *(zs_half *)(void *)s = (zs_half)(*symbol * 0x101u);
                *(zs_half *)(void *)l = (zs_half)length;
                s += 2;
                l += 2;
            }
        } else {
            for (; symbol < stop; symbol++) {
                const uint32_t value = *symbol * 0x01010101u;
                uint8_t *const last = s + run;

                do {
                    *(zs_word *)(void *)s = value;
                    *(zs_word *)(void *)l = length;
                    s += 4;
                    l += 4;
                } while (s != last);
            }
        }
        run *= 2u;
        length -= 0x01010101u;
    }
}
#else
/* Fills the decoding table from the sorted symbols; end[w]: where in the list the symbols
 * of weight w end. Codes ascend with the weight, so the table fills from its start. */
ZS_NOINLINE static void ZS_NAME(huffman_fill)(ZS_LAYOUT *t, const uint16_t *end, unsigned bits)
{
    const uint8_t *symbol = t->list.symbol, *stop;
    uint16_t *entry = t->huffman.entry;
    uint32_t *pair;
    unsigned w = 1, drop = 0, length, run;

#if ZS_IS_PACKED
    if (bits > ZS_LOG_PACKED) {
        unsigned none;

        drop = bits - ZS_LOG_PACKED;
        none = deep_entries(t, end, drop);
        memset(entry, 0, 2u * (size_t)none);
        entry += none;
        symbol += end[drop];
        w = drop + 1u;
    }
#endif
    length = (bits + 1u - w) << 8;
    stop = t->list.symbol + end[w];
    while (symbol < stop)
        *entry++ = (uint16_t)(length | *symbol++);
    pair = t->huffman.pair + (unsigned)(entry - t->huffman.entry) / 2u;
    for (run = 1; ++w <= bits; run *= 2u) {
        length -= 256u;
        stop = t->list.symbol + end[w];
        if (run == 1u) {
            while (symbol < stop)
                *pair++ = (length | *symbol++) * 0x10001u;
        }
        while (symbol < stop) {
            uint32_t value = (length | *symbol++) * 0x10001u, *const last = pair + run;

            do {
                pair[0] = value;
                pair[1] = value;
                pair += 2;
            } while (pair != last);
        }
    }
    t->z.shift = (uint8_t)(32u - (bits - drop));
}

#endif

/*
 * Format, "Huffman Tree Description": n bytes at p (header byte included). Weights and
 * the FSE table they come from lie in the decoding table that is to be built; once the
 * symbols are sorted neither is needed. Returns 0 if damaged.
 */
ZS_NOINLINE static int ZS_NAME(huffman_tree)(utet_zstd *z, const uint8_t *p, uint32_t n)
{
    ZS_LAYOUT *t = (ZS_LAYOUT *)(void *)z;
    uint8_t *const weight = t->huffman.tree.weight;
    uint16_t end[ZS_WEIGHTS_END];
    unsigned count, bits;

    memset(end, 0, sizeof end);
    if (*p >= 128u)
        count = direct_weights(weight, end, p);
    else
        count = ZS_NAME(fse_weights)(t, end, p + 1, n - 1u);
    if (count == 0)
        return 0;
    bits = sort_symbols(t->list.symbol, weight, count, end);
    if (bits == 0)
        return 0;
    z->tree_bits = (uint8_t)bits;
    ZS_NAME(huffman_fill)(t, end + 1, bits);
    return 1;
}

#if ZS_IS_PACKED
/* A code that the first level does not hold: symbol | length << 8. */
ZS_INLINE unsigned huffman_deep(const zs_packed *t, uint32_t bits)
{
    unsigned code = (unsigned)(bits >> (32u - t->z.tree_bits)), length = t->z.tree_bits;

    if (code >= t->z.deep) {
        code = (code + t->z.deep) / 2u;
        length--;
    }
    return t->list.symbol[code] | length << 8;
}
#endif

#if UTET_ZSTD_ALIGNED
/* What the first level says of the code that `bits` begin with: symbol | length << 8. */
ZS_INLINE unsigned ZS_NAME(huffman_first)(const ZS_LAYOUT *t, uint32_t bits)
{
    const unsigned at = (unsigned)(bits >> t->z.shift);

    return t->huffman.split.symbol[at] | (unsigned)t->huffman.split.length[at] << 8;
}

#if ZS_IS_PACKED
/* The same of a code that the first level may not hold. */
static unsigned packed_huffman_code(const zs_packed *t, uint32_t bits)
{
    const unsigned entry = packed_huffman_first(t, bits);

    return entry >> 8 != ZS_DEEP ? entry : huffman_deep(t, bits);
}
#else
#define tables_huffman_code tables_huffman_first
#endif

/* One literal, through a container of 16 - lack bits that is refilled by halfwords: cheaper than
 * combining words where these are all that there is. ZS_DEEP makes lack large, so it is looked for
 * only where bits are refilled anyway. */
#define ZS_SYMBOL(i, shift)                         \
    at = (unsigned)(bits >> (shift));               \
    out[i] = symbol[at];                            \
    at = length[at];                                \
    lack += (int32_t)at;                            \
    if (lack >= 0) {                                \
        if (ZS_IS_PACKED && at == ZS_DEEP) {        \
            at = ZS_NAME(huffman_code)(t, bits);    \
            out[i] = (uint8_t)at;                   \
            at >>= 8;                               \
            lack += (int32_t)at - ZS_DEEP;          \
        }                                           \
        bits <<= at;                                \
        if (!ZS_IS_PACKED || lack >= 0) {           \
            ZS_HERE(next);                          \
            bits += (uint32_t)*--next << lack;      \
            lack -= 16;                             \
        }                                           \
    } else {                                        \
        bits <<= at;                                \
    }
#define ZS_ROUNDS(shift)                            \
    do {                                            \
        ZS_SYMBOL(0, shift)                         \
        ZS_SYMBOL(1, shift)                         \
        ZS_SYMBOL(2, shift)                         \
        ZS_SYMBOL(3, shift)                         \
        out += 4;                                   \
        ZS_HIGH(stop);                              \
    } while (out != stop)

/* As literals() below, n ≥ 4, but for the last n % 4. A shift by a constant saves an instruction a literal. */
ZS_HOTTEST static uint8_t *ZS_NAME(huffman_run)(utet_zstd *z, uint8_t *out, uint32_t n)
{
    const ZS_LAYOUT *t = (const ZS_LAYOUT *)(const void *)z;
    const uint8_t *const symbol = t->huffman.split.symbol, *const length = t->huffman.split.length;
    const int narrow = z->shift == 32u - ZS_NARROW;
    const uint32_t k = 384u - 18u * z->tree_bits; /* as below */
    const zs_half *next;
    uint32_t used = z->lit.used, bits;
    int32_t lack = (int32_t)(used & 15u) - 16;
    unsigned at;

    if (used > z->lit.limit)
        return out;
    bits = zs_bits(z->lit.top, used) & ~(uint32_t)0 << (16 + lack);
    next = (const zs_half *)(const void *)z->lit.top - ((used + 32u) >> 4);
    n >>= 2;
    do {
        uint32_t rounds = (z->lit.limit - used) * k >> 13;
        const uint8_t *stop;

        rounds += zs_below(&z->lit) == 0;
        if (rounds == 0)
            break;
        if (rounds > n)
            rounds = n;
        n -= rounds;
        stop = out + 4u * (size_t)rounds;
        if (ZS_IS_PACKED || narrow)
            ZS_ROUNDS(32 - ZS_NARROW);
        else
            ZS_ROUNDS(32 - ZS_HUFFMAN_LOG);
        used = (uint32_t)(z->lit.top - (const uint8_t *)next) * 8u - (uint32_t)(16 - lack);
    } while (n != 0 && used <= z->lit.limit);
    z->lit.used = used;
    return out;
}
#undef ZS_SYMBOL
#undef ZS_ROUNDS

/* As below. Few literals need no container: two halfwords have their bits. */
static uint8_t *ZS_NAME(literals)(utet_zstd *z, uint8_t *out, uint8_t *stop)
{
    const ZS_LAYOUT *t = (const ZS_LAYOUT *)(const void *)z;
    const zs_half *top;
    const uint8_t *symbol;
    uint32_t used, left;

    if (z->lit_type < ZS_HUFFMAN)
        return plain_literals(z, out, (uint32_t)(stop - out));
    if (stop - out >= 4) {
        out = ZS_NAME(huffman_run)(z, out, (uint32_t)(stop - out));
        if (stop - out >= 4)
            return out;
    }
    used = z->lit.used;
    left = z->lit.limit - used;
    if ((int32_t)left < 33 && ((int32_t)left < 0 || zs_below(&z->lit) != 0))
        return out;
    top = (const zs_half *)(const void *)z->lit.top - 2;
    symbol = t->huffman.split.symbol;
    ZS_HERE(top);
    ZS_HERE(symbol);
    while (out != stop) {
        const zs_half *p = top - (used >> 4);
        uint32_t bits = ((uint32_t)p[1] << 16 | p[0]) << (used & 15u);
#if ZS_IS_PACKED
        unsigned entry = ZS_NAME(huffman_code)(t, bits);

        used += entry >> 8;
        *out++ = (uint8_t)entry;
#else
        const uint8_t *at = symbol + (bits >> z->shift);

        *out++ = at[0];
        used += at[sizeof t->huffman.split.symbol];
#endif
    }
    z->lit.used = used;
    return out;
}
#else
#if ZS_IS_PACKED
#define ZS_MANY ZS_HOT static
#else
#define ZS_MANY ZS_INLINE /* not faster otherwise */
#endif

/* One literal to `out`: its code stands behind the first `used` of `bits`. */
ZS_INLINE unsigned ZS_NAME(huffman_one)(const uint16_t *table, unsigned shift, uint32_t bits, uint32_t *used,
                                        uint8_t *out)
{
    const unsigned entry = table[bits << *used >> shift];

    *out = (uint8_t)entry;
    *used += entry >> 8;
    return entry;
}

/* The whole bytes of `used` bits pass over to `at`, where the next load ends. */
ZS_INLINE uint32_t ZS_NAME(pass)(const uint8_t **at, uint32_t *used)
{
    *at -= *used >> 3;
    *used &= 7u;
    return zs_le32(*at - 4);
}

#if ZS_IS_PACKED
/* Four literals that may have longer codes than the first level holds. */
ZS_INLINE void four_deep(const zs_packed *t, const uint16_t *table, const uint8_t **at, uint32_t *used, uint8_t *out)
{
    uint8_t *const stop = out + 4;

    while (out != stop) {
        uint32_t bits = packed_pass(at, used);
        unsigned entry;

        bits <<= *used;
        entry = table[bits >> t->z.shift];
        if (entry == 0)
            entry = huffman_deep(t, bits);
        *out++ = (uint8_t)entry;
        *used += entry >> 8;
    }
}
#endif

/*
 * Literals to [out, end), at least four, four at a time from the open Huffman stream as far as its bits are in
 * reach; returns where they end. How many rounds are safe is known beforehand: k / 8192 < 1 / (4 * tree_bits).
 * At the stream's end the last symbols are decoded without a look at what is left: they can
 * use up to 44 bits too many, which no later call forgives, and touch the guard below.
 */
ZS_MANY uint8_t *ZS_NAME(many_literals)(utet_zstd *z, uint8_t *out, const uint8_t *end)
{
    const ZS_LAYOUT *t = (const ZS_LAYOUT *)(const void *)z;
    const uint16_t *const table = t->huffman.entry;
    const uint8_t *const bottom = z->lit.top - (z->lit.limit >> 3), *at = z->lit.top;
    const uint32_t k = 384u - 18u * z->tree_bits, more = zs_below(&z->lit) == 0;
    const unsigned shift = z->shift;
    uint32_t n = (uint32_t)(end - out) >> 2, used = z->lit.used;

    do {
        const int32_t left = (int32_t)(at - bottom) * 8 - (int32_t)used;
        uint32_t rounds = ((uint32_t)left * k >> 13) + more;
        const uint8_t *stop;

        if (left < 0 || rounds == 0)
            break;
        if (rounds > n)
            rounds = n;
        n -= rounds;
        stop = out + 4u * (size_t)rounds;
        do { /* two of each load: at most 22 bits, of 25 */
            uint32_t bits = ZS_NAME(pass)(&at, &used);
#if ZS_IS_PACKED
            const uint8_t *const at_before = at;
            const uint32_t before = used;
#endif

            (void)ZS_NAME(huffman_one)(table, shift, bits, &used, out);
            out += 4;
            (void)ZS_NAME(huffman_one)(table, shift, bits, &used, out - 3);
            bits = ZS_NAME(pass)(&at, &used);
            (void)ZS_NAME(huffman_one)(table, shift, bits, &used, out - 2);
#if ZS_IS_PACKED
            if (ZS_NAME(huffman_one)(table, shift, bits, &used, out - 1) == 0) {
                at = at_before; /* one of the four is longer; none after it advanced */
                used = before;
                four_deep(t, table, &at, &used, out - 4);
            }
#else
            (void)ZS_NAME(huffman_one)(table, shift, bits, &used, out - 1);
#endif
        } while (out != stop);
    } while (n != 0);
    z->lit.used = used + (uint32_t)(z->lit.top - at) * 8u;
    return out;
}

/* Literals of this stream to [out, end) as far as they are in reach; returns where they end. */
ZS_NOINLINE static uint8_t *ZS_NAME(literals)(utet_zstd *z, uint8_t *out, uint8_t *end)
{
    const ZS_LAYOUT *t = (const ZS_LAYOUT *)(const void *)z;
    uint32_t used;
    int32_t left;

    if (z->lit_type < ZS_HUFFMAN)
        return plain_literals(z, out, (uint32_t)(end - out));
    if (end - out >= 4) {
        out = ZS_NAME(many_literals)(z, out, end);
        if (out == end)
            return out;
    }
    used = z->lit.used;
    left = (int32_t)(z->lit.limit - used);
    if (left >= ZS_MARGIN || (left >= 0 && zs_below(&z->lit) == 0)) {
        const uint16_t *const table = t->huffman.entry;
        const uint8_t *const top = z->lit.top;
        const unsigned shift = z->shift;

        while (out != end) {
            const uint32_t bits = zs_bits(top, used);
            unsigned entry = table[bits >> shift];

#if ZS_IS_PACKED
            if (entry == 0)
                entry = huffman_deep(t, bits);
#endif
            used += entry >> 8;
            *out++ = (uint8_t)entry;
        }
        z->lit.used = used;
    }
    return out;
}
#endif

#if ZS_IS_PACKED
#define ZS_LL_CODE(cell) ((unsigned)ll_code[(cell) & ZS_FSE_SYMBOL])
#define ZS_ML_CODE(cell) ((unsigned)ml_code[(cell) & ZS_FSE_SYMBOL])
#define ZS_OF_EXTRA(cell) ((cell) & ZS_FSE_SYMBOL)
#else
#define ZS_LL_CODE(cell) ((unsigned)((cell) >> 8))
#define ZS_ML_CODE(cell) ((unsigned)((cell) >> 8))
#define ZS_OF_EXTRA(cell) ((unsigned)((cell) >> 8 & 255u))
#endif
/* packed: a state is kept with the table's size added, so that nothing is subtracted at
 * each step: it is counter << bits, and the bits read. */
#if ZS_IS_PACKED
#define ZS_STATE_BASE(cell, bits) (((unsigned)(cell) >> 6) << (bits))
#define ZS_TAKE_STATE(from, cell, bits) take(from, (cell) >> 6, bits)
#define ZS_ZEROS(cell) (31u - zs_log2((unsigned)(cell) >> 6))
#define ZS_STATE_AT(i) (cells_at[i] - (1u << z->log[i]))
#else
#define ZS_STATE_BASE(cell, bits) ((unsigned)((cell) >> ZS_FSE_BASE))
#define ZS_TAKE_STATE(from, cell, bits) (take_low(from, bits) + ((cell) >> ZS_FSE_BASE))
#define ZS_STATE_AT(i) cells_at[i]
#endif

/*
 * The sequence of the states in z, field by field, to z->ll, ml and off: when its bits are more
 * than one load gives, and the last one, which leaves the states alone. 0 when not all of its bits
 * are in reach.
 */
ZS_NOINLINE static int ZS_NAME(rare_sequence)(utet_zstd *z, uint32_t left)
{
    const ZS_LAYOUT *t = (const ZS_LAYOUT *)(const void *)z;
    zs_cursor *const c = &z->seq;
    const ZS_NAME(cell) cl = t->cell[ZS_STATE_AT(ZS_LL) + z->state[ZS_LL]];
    const ZS_NAME(cell) co = t->cell[ZS_STATE_AT(ZS_OF) + z->state[ZS_OF]];
    const ZS_NAME(cell) cm = t->cell[ZS_STATE_AT(ZS_ML) + z->state[ZS_ML]];
    const unsigned vl = ZS_LL_CODE(cl), vm = ZS_ML_CODE(cm), xo = ZS_OF_EXTRA(co);
    unsigned nl = 0, no = 0, nm = 0;

    if (left != 1u) {
        nl = ZS_CELL_BITS(z->log[ZS_LL], cl);
        no = ZS_CELL_BITS(z->log[ZS_OF], co);
        nm = ZS_CELL_BITS(z->log[ZS_ML], cm);
    }
    if (c->used + (vl & 255u) + (vm & 255u) + xo + nl + no + nm > c->limit)
        return 0;
    z->off = long_field(c, 1, xo);
    z->ml = long_field(c, vm >> 8 & 31u, vm & 255u) + 3u;
    z->ll = long_field(c, vl >> 8 & 31u, vl & 255u);
    if (left != 1u) {
        z->state[ZS_LL] = (uint16_t)(ZS_STATE_BASE(cl, nl) + long_field(c, 0, nl));
        z->state[ZS_ML] = (uint16_t)(ZS_STATE_BASE(cm, nm) + long_field(c, 0, nm));
        z->state[ZS_OF] = (uint16_t)(ZS_STATE_BASE(co, no) + long_field(c, 0, no));
    }
    return 1;
}

/* Where the tables begin, as indices from the context: shorter than two sums. packed: with their logs less 31,
 * to which a counter's leading zeros are added. */
typedef struct ZS_NAME(place) {
    const ZS_NAME(cell) *cell;
    unsigned l, o, m;
#if ZS_IS_PACKED
    unsigned log_l, log_o, log_m;
#endif
} ZS_NAME(place);

ZS_INLINE ZS_NAME(place) ZS_NAME(tables_of)(const utet_zstd *z)
{
    enum { OFFSET = offsetof(ZS_LAYOUT, cell), SIZE = sizeof(ZS_NAME(cell)) };
    const unsigned first = OFFSET / SIZE;
    ZS_NAME(place) at;

    /* Where nothing is aligned, as on an AVR, the tables need not lie at a multiple of a cell. */
    at.cell = (const ZS_NAME(cell) *)(const void *)((const uint8_t *)z + OFFSET % SIZE);
    at.l = first + ZS_STATE_AT(ZS_LL);
    at.o = first + ZS_STATE_AT(ZS_OF);
    at.m = first + ZS_STATE_AT(ZS_ML);
#if ZS_IS_PACKED
    at.log_l = z->log[ZS_LL] - 31u;
    at.log_o = z->log[ZS_OF] - 31u;
    at.log_m = z->log[ZS_ML] - 31u;
#endif
    return at;
}

/* Format, "Decoding Sequences": the next one, of one load. Returns 0 when it takes more or not all of it is in reach;
 * also of the last one, whose states nothing follows: it never has as many bits as its states say. */
ZS_INLINE int ZS_NAME(quick_sequence)(const utet_zstd *z, const ZS_NAME(place) *at, zs_states *s, uint32_t limit,
                                      zs_sequence *q)
{
    const ZS_NAME(cell) cl = at->cell[at->l + s->l];
    const ZS_NAME(cell) co = at->cell[at->o + s->o];
    const ZS_NAME(cell) cm = at->cell[at->m + s->m];
    uint32_t all, bits;
#if ZS_IS_PACKED
    const unsigned vl = ZS_LL_CODE(cl), vm = ZS_ML_CODE(cm);
    const unsigned nl = at->log_l + ZS_ZEROS(cl), no = at->log_o + ZS_ZEROS(co), nm = at->log_m + ZS_ZEROS(cm);

    all = ((vl + vm) & 255u) + ZS_OF_EXTRA(co) + nl + no + nm;
#else
#define nl (cl & 255u)
#define no (co & 255u)
#define nm (cm & 255u)
#define vl ZS_LL_CODE(cl)
#define vm ZS_ML_CODE(cm)
    all = cl + co + cm;
    all = (all & 255u) + (all >> 8 & 255u);
#endif
    if (!ZS_LIKELY(all <= 25u && s->used + all < limit))
        return 0;
    /* right-aligned, and above the offset's bits the one that it begins with */
    bits = (zs_bits(z->seq.top, s->used) >> 1 | 0x80000000u) >> (31u - all);
    s->used += all;
    s->o = (unsigned)ZS_TAKE_STATE(&bits, co, no);
    s->m = (unsigned)ZS_TAKE_STATE(&bits, cm, nm);
    s->l = (unsigned)ZS_TAKE_STATE(&bits, cl, nl);
    q->ll = take(&bits, vl >> 8 & 31u, vl & 255u);
    q->ml = take(&bits, vm >> 8 & 31u, vm & 255u) + 3u;
    q->off = bits;
    return 1;
#if !ZS_IS_PACKED
#undef nl
#undef no
#undef nm
#undef vl
#undef vm
#endif
}

/* The literals of a sequence, of this stream, to p; returns where they end. q->ll: how many of them are missing. */
ZS_INLINE uint8_t *ZS_NAME(its_literals)(utet_zstd *z, uint8_t *p, zs_sequence *q)
{
    uint8_t *const to = p + q->ll;

    z->stream_left -= q->ll;
    p = ZS_NAME(literals)(z, p, to);
    q->ll = (uint32_t)(to - p);
    if (q->ll != 0)
        z->stream_left += q->ll;
    return p;
}

/*
 * Decodes and executes sequences until the block has no more, or one does not fit as a whole or reaches
 * across the history's end: that one is left to finish(). Returns the bit stream that has to be refilled, or null.
 */
ZS_NOINLINE static zs_cursor *ZS_NAME(sequences)(utet_zstd *z)
{
    const ZS_NAME(place) at = ZS_NAME(tables_of)(z);
    uint8_t *p = z->out;
    uint8_t *const end = fast_end(z);
    const uint8_t *const low = fast_low(z, end);
    const uint32_t limit = z->seq.limit;
    uint32_t left = z->sequences;
    zs_states s = states_of(z);
#if UTET_ZSTD_ALIGNED /* the context's are too far away for short instructions */
    uint32_t rep[3];
#else
    uint32_t *const rep = z->rep;
#endif
    zs_cursor *dry = NULL;

    if (UTET_ZSTD_ALIGNED)
        copy_repeated(rep, z->rep);
    while (left != 0) {
        zs_sequence q;

        if (!ZS_NAME(quick_sequence)(z, &at, &s, limit, &q)) {
            put_states(z, &s);
            if (!ZS_NAME(rare_sequence)(z, left)) {
                dry = &z->seq;
                break;
            }
            s = states_of(z);
            q = interrupted(z);
        }
        left--;
        q.off = offset_of(rep, q.off, q.ll);
        if (ZS_LIKELY(q.ll + q.ml <= (uint32_t)(end - p))) {
            if (q.ll != 0 && q.ll <= z->stream_left) {
                p = ZS_NAME(its_literals)(z, p, &q);
                if (q.ll != 0)
                    dry = &z->lit;
            }
            if (ZS_LIKELY(q.ll == 0 && q.off - 1u < (size_t)(p - low))) {
                p = copy_match(p, q.off, q.ml);
                continue;
            }
        }
        z->ll = q.ll;
        z->ml = q.ml;
        z->off = q.off;
        break;
    }
    if (UTET_ZSTD_ALIGNED)
        copy_repeated(z->rep, rep);
    z->out = p;
    z->sequences = left;
    put_states(z, &s);
    return dry;
}

#undef ZS_WEIGHT
#undef ZS_WEIGHTS_HOT
#undef ZS_MANY
#undef ZS_LL_CODE
#undef ZS_ML_CODE
#undef ZS_OF_EXTRA
#undef ZS_STATE_AT
#undef ZS_CELL_BITS
#undef ZS_CELL_BASE
#undef ZS_STATE_BASE
#undef ZS_TAKE_STATE
#undef ZS_ZEROS
#undef ZS_FSE_SYMBOL
#undef ZS_FSE_BASE
