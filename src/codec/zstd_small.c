/*
 * The small zstd decoder: source, bit streams, headers and the state machine that is
 * drawn in README.md; the tables and hot loops are in zstd_small_layout.h. Relies on
 * random access to the payload: no block and no literals are ever held in RAM.
 *
 * One rule makes everything resumable: a step first makes its whole input addressable
 * (which may suspend and changes nothing), then commits (which cannot fail for I/O).
 */
#include "zstd_small.h"

enum {
    /* headers: so many bytes of them as `peeked` says are made addressable first */
    ZS_P_FRAME,    /* Magic_Number and Frame_Header, or a skippable frame */
    ZS_P_BLOCK,    /* Block_Header */
    ZS_P_CHECKSUM, /* Content_Checksum */
    ZS_P_RLE,      /* RLE_Block: content */
    ZS_P_LITERALS, /* Literals_Section_Header */
    ZS_P_TREE,     /* Huffman_Tree_Description */
    ZS_P_JUMP,     /* Jump_Table */
    ZS_P_SECTION,  /* Sequences_Section_Header */
    ZS_P_TABLE_LL, /* the three tables, in this order */
    ZS_P_TABLE_OF,
    ZS_P_TABLE_ML,
    ZS_P_STREAM,   /* the sequences' bit stream: opens it, reads its three states */
    ZS_P_STATES,
    ZS_P_SEQUENCES,
    ZS_P_REST,     /* literals behind the last sequence, ends of the literal streams */
    ZS_P_RAW,      /* Raw_Block: content */
    ZS_P_LOAD,     /* the whole payload goes into memory */
    ZS_P_END
};
static const uint8_t peeked[ZS_P_TABLE_LL] = {18, 3, 4, 1, 5, 128, 6, 4};

#if UTET_ZSTD_PACKED
/* The codes of literal and match lengths: extra bits | m << 8 (Format, "The codes for literals
 * lengths, match lengths, and offsets"); match lengths without their 3. */
static const uint16_t ll_code[36] = {
    0x000, 0x100, 0x200, 0x300, 0x400, 0x500, 0x600, 0x700, 0x800, 0x900, 0xa00, 0xb00,
    0xc00, 0xd00, 0xe00, 0xf00, 0x801, 0x901, 0xa01, 0xb01, 0x602, 0x702, 0x403, 0x503,
    0x304, 0x106, 0x107, 0x108, 0x109, 0x10a, 0x10b, 0x10c, 0x10d, 0x10e, 0x10f, 0x110};
static const uint16_t ml_code[53] = {
    0x0000, 0x0100, 0x0200, 0x0300, 0x0400, 0x0500, 0x0600, 0x0700, 0x0800, 0x0900, 0x0a00,
    0x0b00, 0x0c00, 0x0d00, 0x0e00, 0x0f00, 0x1000, 0x1100, 0x1200, 0x1300, 0x1400, 0x1500,
    0x1600, 0x1700, 0x1800, 0x1900, 0x1a00, 0x1b00, 0x1c00, 0x1d00, 0x1e00, 0x1f00, 0x1001,
    0x1101, 0x1201, 0x1301, 0x0a02, 0x0b02, 0x0603, 0x0703, 0x0404, 0x0504, 0x0305, 0x0107,
    0x0108, 0x0109, 0x010a, 0x010b, 0x010c, 0x010d, 0x010e, 0x010f, 0x0110};
#endif

/* Format, "Default Distributions", LL, OF, ML one after the other, as runs of equal counts. */
#define ZS_RUN(count, times) (((count) + 1) << 5 | (times))
static const uint8_t default_run[9 + 4 + 7] = {
    ZS_RUN(4, 1), ZS_RUN(3, 1), ZS_RUN(2, 11), ZS_RUN(1, 3), ZS_RUN(2, 9), ZS_RUN(3, 1), ZS_RUN(2, 1), ZS_RUN(1, 5),
    ZS_RUN(-1, 4),
    ZS_RUN(1, 6), ZS_RUN(2, 3), ZS_RUN(1, 15), ZS_RUN(-1, 5),
    ZS_RUN(1, 1), ZS_RUN(4, 1), ZS_RUN(3, 1), ZS_RUN(2, 6), ZS_RUN(1, 31), ZS_RUN(1, 6), ZS_RUN(-1, 7)};
#undef ZS_RUN

/* Two caches of `size` bytes, which are also the header buffer. */
static size_t caches(size_t size)
{
    return 2u * (size + ZS_ABOVE);
}

/* ---- source ------------------------------------------------------------------------------ */

/* One request, `rel` behind z->at; z->got > 0 with UTET_OK. */
static ZS_NOINLINE utet_status fetch(utet_zstd *z, uint32_t rel, uint8_t *to, size_t length)
{
    uint64_t position = z->at + rel;
    utet_status status = z->read(z->ctx, z->offset + position, to, length, &z->got);

    if (status == UTET_OK && z->got == 0)
        status = UTET_E_SHORT;
    if (UTET_IS_ERROR(status))
        z->at = position;
    return status;
}

/*
 * Makes z->have bytes, at most `most` (≤ 128), addressable at z->head: what is to be parsed
 * next. Reads ahead as far as the header buffer holds, which is both caches.
 */
static ZS_NOINLINE utet_status peek(utet_zstd *z, uint32_t most)
{
    const uint32_t rel = z->rel;
    uint8_t *const hold = z->lit.cache;
    uint32_t position, behind;

    if (most > z->size - rel)
        most = z->size - rel;
    z->have = (uint8_t)most;
    if (zs_mapped(z)) {
        z->head = z->map + (size_t)z->at + rel;
        return UTET_OK;
    }
    position = (uint32_t)z->at + rel;
    behind = position - z->hold_at;
    if (behind > z->hold_have)
        behind = (uint32_t)z->hold_have;
    if (behind + most > z->hold_have) {
        z->hold_have -= (size_t)behind;
        memmove(hold, hold + behind, z->hold_have);
        z->hold_at = position;
        behind = 0;
    }
    z->head = hold + behind;
    while (z->hold_have < behind + most) {
        size_t room = caches(z->cache_size) - z->hold_have;
        uint64_t left = z->length - z->at - rel - z->hold_have;
        utet_status status = fetch(z, rel + (uint32_t)z->hold_have, hold + z->hold_have,
                                   left < room ? (size_t)left : room);

        if (status != UTET_OK)
            return status;
        z->hold_have += z->got;
    }
    return UTET_OK;
}

/* ---- bit streams read backwards ------------------------------------------------------------- */

/* Nothing consumed yet, `bytes` in reach below `end`. */
static void cursor_place(zs_cursor *c, const uint8_t *end, uint32_t bytes)
{
#if UTET_ZSTD_ALIGNED
    unsigned pad = (unsigned)(0u - (uintptr_t)end) & 3u;
#else
    const unsigned pad = 0;
#endif
    c->top = end + pad;
    c->used = 8u * pad;
    c->limit = 8u * (pad + bytes);
}

/* Skips the padding above the first bit: zeros, then a one. 0 if that one is missing. */
static int cursor_begin(zs_cursor *c)
{
    unsigned last = c->top[-1 - (int32_t)(c->used >> 3)];

    if (last == 0)
        return 0;
    c->used += 8u - zs_log2(last);
    return 1;
}

/* A stream of the block: [from, to), relative to its content. */
static ZS_NOINLINE void cursor_open(utet_zstd *z, zs_cursor *c, uint32_t from, uint32_t to)
{
    c->wanted = 0;
    c->lo = to;
    c->below = to - from;
    if (zs_mapped(z)) {
        c->below = 0;
        cursor_place(c, z->map + (size_t)z->at + to, to - from);
    } else {
        cursor_place(c, c->cache + z->cache_size, 0);
    }
}

/* At most 11 bytes up, which may overlap: a sequence takes up to 89 bits, and its last one is missing. */
ZS_INLINE void keep_unread(uint8_t *to, const uint8_t *from, uint32_t n)
{
#if UTET_ZSTD_ALIGNED
    while (n-- != 0)
        to[n] = from[n];
#else
    uint32_t a, b, c; /* always 12, whatever lies behind: it is memory of the cache */

    (void)n;
    memcpy(&a, from, 4);
    memcpy(&b, from + 4, 4);
    memcpy(&c, from + 8, 4);
    memcpy(to, &a, 4);
    memcpy(to + 4, &b, 4);
    memcpy(to + 8, &c, 4);
#endif
}

/*
 * Brings more of the stream into reach: the unread bytes (at most 11) move above the
 * cache, then it is filled down to a multiple of its size in the source. Damaged when the
 * stream has no more.
 */
static ZS_NOINLINE utet_status cursor_refill(utet_zstd *z, zs_cursor *c)
{
    uint8_t *top;
    uint32_t rest;

    if (zs_below(c) == 0)
        return UTET_E_PAYLOAD;
    top = c->cache + z->cache_size;
    if (c->wanted == 0) {
        uint32_t keep = (c->limit >> 3) - (c->used >> 3), part = c->used & 7u;
        uint32_t offset = (uint32_t)z->offset + (uint32_t)z->at + c->lo - 1u;
        uint32_t wanted = (offset & ((uint32_t)z->cache_size - 1u)) + 1u;

        keep_unread(top, c->top - (c->limit >> 3), keep);
        cursor_place(c, top + keep, keep);
        c->used += part;
        c->wanted = (uint16_t)(wanted < c->below ? wanted : c->below);
        c->got = 0;
    }
    for (rest = (uint32_t)c->wanted - c->got; rest != 0; rest -= (uint32_t)z->got) {
        utet_status status = fetch(z, c->lo - rest, top - rest, (size_t)rest);

        if (status != UTET_OK)
            return status;
        c->got = (uint16_t)(c->got + z->got);
    }
    c->lo -= c->wanted;
    c->below -= c->wanted;
    c->limit += 8u * (uint32_t)c->wanted;
    c->wanted = 0;
    return UTET_OK;
}

/* Brings n bits into reach, if the stream has so many, and skips the padding above its first bit. */
static ZS_NOINLINE utet_status cursor_start(utet_zstd *z, zs_cursor *c, uint32_t n)
{
    while (zs_below(c) != 0 && c->limit - c->used < n) {
        utet_status status = cursor_refill(z, c);

        if (status != UTET_OK)
            return status;
    }
    return c->limit != c->used && cursor_begin(c) ? UTET_OK : UTET_E_PAYLOAD;
}

static int cursor_done(const zs_cursor *c)
{
    return c->used == c->limit && zs_below(c) == 0;
}

/* m and n ≤ 31 more bits behind it, in two parts where one load may not have them all. */
static ZS_NOINLINE uint32_t long_field(zs_cursor *c, uint32_t m, unsigned n)
{
    if (n > 16u) {
        m = m << 16 | zs_bits(c->top, c->used) >> 16;
        c->used += 16u;
        n -= 16u;
    }
    m = m << n | zs_top(zs_bits(c->top, c->used), n);
    c->used += n;
    return m;
}

#if UTET_ZSTD_TABLES
/* Takes off the low n of *bits. */
ZS_INLINE uint32_t take_low(uint32_t *bits, unsigned n)
{
    const uint32_t all = *bits;

    *bits = all >> n;
    return all - (*bits << n);
}
#endif

/* The same, behind m. */
ZS_INLINE uint32_t take(uint32_t *bits, uint32_t m, unsigned n)
{
    const uint32_t all = *bits;

    *bits = all >> n;
    return ((m - *bits) << n) + all;
}

/* ---- entropy tables, the part that all layouts share ------------------------------------------ */

/* Bits from `at` of a forward stream of n bytes, 17 valid; zeros behind its end. */
static ZS_NOINLINE uint32_t forward_bits(const uint8_t *p, uint32_t n, uint32_t at)
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

/* A symbol's count, from its value in a description: one more. Of symbols that no table can have, only sums. */
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
static ZS_NOINLINE unsigned read_counts(zs_counts *d, const uint8_t *p, uint32_t n, unsigned max_symbol,
                                        unsigned max_log)
{
    unsigned width = (unsigned)(forward_bits(p, n, 0) & 15u) + 5u, symbol = 0;
    uint32_t at = 4, half = (uint32_t)1 << width, left = half + 1u;

    d->log = (uint8_t)width;
    d->count[ZS_SYMBOLS] = 0;
    d->count[ZS_SYMBOLS + 1] = 0;
    if (width > max_log)
        return 0;
    do {
        uint32_t spare = 2u * half - 1u - left, bits = forward_bits(p, n, at), value = bits & (half - 1u);

        at += width;
        if (value >= spare) { /* `value` ends up at `left` at most, which `half` is not above */
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
                zeros = forward_bits(p, n, at) & 3u;
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

/* Where the three tables begin. */
static const uint16_t cells_at[3] = {0, ZS_CELLS_OF, ZS_CELLS_ML};

/* Weights of four bits each (Format, "Huffman Tree header"). */
static unsigned direct_weights(uint8_t *weight, uint16_t *counts, const uint8_t *p)
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
 * end[w]: at first how many there are of weight w; then where they begin in the
 * list, which those of weight w - 1 end at. Returns the longest code's bits, 0 if damaged.
 */
static unsigned sort_symbols(uint8_t *list, uint8_t *weight, unsigned count, uint16_t *end)
{
    uint32_t sum = 0, rest;
    unsigned w, bits, place = 0;
    int i;

    for (w = 1; w < ZS_WEIGHTS_END; w++) {
        if (end[w] > (uint32_t)1 << ZS_HUFFMAN_LOG >> (w - 1u)) /* none over 12: they would outweigh all */
            return 0;
        sum += (uint32_t)end[w] << (w - 1u);
    }
    if (sum == 0)
        return 0;
    bits = zs_log2(sum) + 1u;
    if (bits > ZS_HUFFMAN_LOG)
        return 0;
    rest = ((uint32_t)1 << bits) - sum;
    if ((rest & (rest - 1u)) != 0)
        return 0;
    w = (zs_log2(rest) + 1u) & (ZS_WEIGHTS_END - 1u); /* at most 11, which an analyser cannot know */
    weight[count] = (uint8_t)w;
    end[w]++;
    if (end[1] < 2u) /* an even number, as all that they sum up to */
        return 0;
    for (w = 1; w <= bits + 1u; w++) { /* of the last of these there are none */
        place += end[w];
        end[w] = (uint16_t)place; /* the next of them goes below it */
    }
    i = (int)count;
    do {
        w = weight[i];
        if (w != 0) {
            place = end[w] - 1u;
            end[w] = (uint16_t)place;
            list[place & 255u] = (uint8_t)i; /* < 256, which an analyser cannot know */
        }
    } while (--i >= 0);
    return bits;
}

/* ---- output ----------------------------------------------------------------------------------- */

/* Takes into account what was put out since the last call. */
static ZS_NOINLINE void account(utet_zstd *z)
{
    size_t n = (size_t)(z->out - z->mark);

    if (n == 0)
        return;
    if (z->frame.checksum)
        utet_zs_xxh_add(&z->xxh, z->produced, z->mark, n);
    z->produced += n;
    z->total_left -= n;
    z->block_left -= (uint32_t)n;
    z->mark = z->out;
}

/* Sets z->stop; all output is accounted for. */
static ZS_NOINLINE void set_stop(utet_zstd *z)
{
    size_t n = (size_t)(z->end - z->out);

    z->stop = n <= z->block_left ? z->end : z->out + z->block_left; /* both null without a place */
}

/* Bytes that may be put out now. */
static uint32_t room(const utet_zstd *z)
{
    return (uint32_t)(z->stop - z->out);
}

/* There is no room: because the slice is full, or because the block must not be longer. */
static ZS_NOINLINE utet_status no_room(const utet_zstd *z)
{
    return z->block_left == (size_t)(z->out - z->mark) ? UTET_E_PAYLOAD : (utet_status)ZS_FULL;
}

/* How far back a match may reach. */
static uint32_t reach(const utet_zstd *z)
{
    uint64_t produced = z->produced + (size_t)(z->out - z->mark);

    return produced < z->window ? (uint32_t)produced : z->window;
}

/* A sequence that ends here or before needs no further thought about room. */
static uint8_t *fast_end(const utet_zstd *z)
{
    size_t n = (size_t)room(z), memory = (size_t)(z->buf + z->buf_size - z->out);

    if (memory < ZS_OVERRUN)
        return z->out;
    memory -= ZS_OVERRUN;
    return z->out + (n < memory ? n : memory);
}

/* A match that begins here or behind lies in one piece, in this frame and in its window,
 * wherever before `end` it is asked for. */
static const uint8_t *fast_low(const utet_zstd *z, const uint8_t *end)
{
    uint32_t back = reach(z), ahead = (uint32_t)(end - z->out);

    if (back > z->window - ahead)
        back = z->window - ahead;
    if (back > (size_t)(z->out - z->buf))
        back = (uint32_t)(z->out - z->buf);
    return z->out - back;
}

#if UTET_ZSTD_ALIGNED
/* Words up to `stop`, two at a time, from a place that is `shift` bits into a word. A
 * function of its own: it takes all eight low registers of a small core. */
ZS_NOINLINE static void merge_words(zs_word *to, const zs_word *from, const uint8_t *stop, unsigned shift)
{
    const unsigned rest = 32u - shift;
    uint32_t a = *from++;

    do {
        uint32_t b = from[0];

        to[0] = a >> shift | b << rest;
        a = from[1];
        to[1] = b >> shift | a << rest;
        from += 2;
        to += 2;
    } while ((const uint8_t *)to != stop);
}
#else
ZS_INLINE void copy_word(uint8_t *p, const uint8_t *q)
{
    uint32_t v;

    memcpy(&v, q, 4);
    memcpy(p, &v, 4);
}
#endif

/*
 * n bytes up from q to p, which lies at least 8 behind q or outside of what is copied.
 * Where there are no loads of four bytes at any address, aligned words are shifted and
 * merged; the word that holds the last byte wanted is the last one read.
 */
ZS_HOT static void copy_up(uint8_t *p, const uint8_t *q, size_t n)
{
#if UTET_ZSTD_ALIGNED
    while (n != 0 && ((uintptr_t)p & 3u) != 0) {
        *p++ = *q++;
        n--;
    }
    if (n >= 8u) {
        const unsigned shift = 8u * (unsigned)((uintptr_t)q & 3u);
        const zs_word *from = (const zs_word *)(const void *)(q - ((uintptr_t)q & 3u));
        const size_t most = n & ~(size_t)7u;
        zs_word *to = (zs_word *)(void *)p;

        q += most;
        p += most;
        n &= 7u;
        if (shift == 0) {
            do {
                to[0] = from[0];
                to[1] = from[1];
                to += 2;
                from += 2;
            } while ((const uint8_t *)to != p);
        } else {
            merge_words(to, from, p, shift);
        }
    }
#else
    for (; n >= 16u; n -= 16u) {
        copy_word(p, q);
        copy_word(p + 4, q + 4);
        copy_word(p + 8, q + 8);
        copy_word(p + 12, q + 12);
        p += 16;
        q += 16;
    }
#endif
    while (n-- != 0)
        *p++ = *q++;
}

/* n ≥ 16 bytes from `off` back, in pieces as large as it gets. */
static void copy_long(uint8_t *p, uint32_t off, size_t n)
{
    const uint8_t *q = p - off;
    unsigned i;

    for (i = 0; i < 16u; i++)
        p[i] = q[i];
    while (p - q < 8)
        q -= off;
    copy_up(p + 16, q + 16, n - 16u);
}

enum { ZS_LONG = 48 }; /* from here on copy_long pays */

/* n ≥ 3 bytes from `off` back; may spoil up to 7 bytes behind them. Returns where they end. */
ZS_INLINE uint8_t *copy_match(uint8_t *p, uint32_t off, uint32_t n)
{
    const uint8_t *q = p - off;
    uint8_t *const stop = p + n;

#if UTET_ZSTD_ALIGNED
    if (n >= ZS_LONG) {
        copy_long(p, off, n);
        return stop;
    }
    do {
        p[0] = q[0];
        p[1] = q[1];
        p[2] = q[2];
        p[3] = q[3];
        p[4] = q[4];
        p[5] = q[5];
        p[6] = q[6];
        p[7] = q[7];
        p += 8;
        q += 8;
    } while (p < stop);
#else
    if (off < 4u) {
        p[0] = q[0];
        p[1] = q[1];
        p[2] = q[2];
        p[3] = q[3];
        p[4] = q[4];
        p[5] = q[5];
        p[6] = q[6];
        p[7] = q[7];
        p += 8;
        q = p - (off == 3u ? 6 : 4);
        if (p >= stop)
            return stop;
    }
    do {
        copy_word(p, q);
        copy_word(p + 4, q + 4);
        p += 8;
        q += 8;
    } while (p < stop);
#endif
    return stop;
}

/* n bytes of the payload, which do not overlap with the output. */
static void copy_plain(uint8_t *out, const uint8_t *from, size_t n)
{
#if UTET_ZSTD_ALIGNED
    copy_up(out, from, n);
#else
    memcpy(out, from, n);
#endif
}

/* Up to n payload bytes, `rel` behind z->at, straight into the output; z->got says how many came. */
static utet_status direct(utet_zstd *z, uint32_t rel, uint32_t n)
{
    utet_status status = UTET_OK;

    if (zs_mapped(z)) {
        copy_plain(z->out, z->map + (size_t)z->at + rel, (size_t)n);
        z->got = (size_t)n;
    } else {
        status = fetch(z, rel, z->out, (size_t)n);
    }
    if (status == UTET_OK)
        z->out += z->got;
    return status;
}

/* n literals that are in reach: raw or all the same. Returns where they end. */
static ZS_NOINLINE uint8_t *plain_literals(utet_zstd *z, uint8_t *out, uint32_t n)
{
    if (z->lit_type == ZS_RLE) {
        memset(out, z->rle, (size_t)n);
    } else {
        copy_plain(out, z->lit.top, (size_t)n);
        z->lit.top += n;
    }
    return out + n;
}

/* Format, "Repeat offsets": the offset number i, 3 = the first less one; moves it to the
 * front. 0 is never valid. */
static uint32_t repeated(uint32_t *rep, uint32_t i)
{
    uint32_t off = i < 3u ? rep[i] : rep[0] - 1u;

    if (i > 1u)
        rep[2] = rep[1];
    if (i > 0) {
        rep[1] = rep[0];
        rep[0] = off;
    }
    return off;
}

/* The three repeated offsets. */
ZS_INLINE void copy_repeated(uint32_t *to, const uint32_t *from)
{
    to[0] = from[0];
    to[1] = from[1];
    to[2] = from[2];
}

/* FSE states, and the bits of the sequences' stream that are used; in loops, for z->state and z->seq.used. */
typedef struct zs_states {
    unsigned l, o, m;
    uint32_t used;
} zs_states;

ZS_INLINE zs_states states_of(const utet_zstd *z)
{
    zs_states s;

    s.used = z->seq.used;
    s.l = z->state[ZS_LL];
    s.o = z->state[ZS_OF];
    s.m = z->state[ZS_ML];
    return s;
}

ZS_INLINE void put_states(utet_zstd *z, const zs_states *s)
{
    z->seq.used = s->used;
    z->state[ZS_LL] = (uint16_t)s->l;
    z->state[ZS_OF] = (uint16_t)s->o;
    z->state[ZS_ML] = (uint16_t)s->m;
}

/* A sequence, of which the offset is still coded as in the format. */
typedef struct zs_sequence {
    uint32_t ll, ml, off;
} zs_sequence;

/* Takes over the one in the context. */
ZS_INLINE zs_sequence interrupted(utet_zstd *z)
{
    zs_sequence q;

    q.ll = z->ll;
    q.ml = z->ml;
    q.off = z->off;
    z->ll = 0;
    z->ml = 0;
    return q;
}

/* Format, "Repeat offsets": the offset that `off` says of a sequence with ll literals. */
ZS_INLINE uint32_t offset_of(uint32_t *rep, uint32_t off, uint32_t ll)
{
    if (off > 3u) {
        off -= 3u;
        rep[2] = rep[1];
        rep[1] = rep[0];
        rep[0] = off;
        return off;
    }
    return repeated(rep, off - (ll != 0));
}

#if UTET_ZSTD_TABLES
#define ZS_NAME(name) tables_##name
#define ZS_LAYOUT zs_tables
#define ZS_IS_PACKED 0
#include "zstd_small_layout.h"
#undef ZS_NAME
#undef ZS_LAYOUT
#undef ZS_IS_PACKED
#endif

#if UTET_ZSTD_PACKED
#define ZS_NAME(name) packed_##name
#define ZS_LAYOUT zs_packed
#define ZS_IS_PACKED 1
#include "zstd_small_layout.h"
#undef ZS_NAME
#undef ZS_LAYOUT
#undef ZS_IS_PACKED
#endif

#if UTET_ZSTD_TABLES && UTET_ZSTD_PACKED
#define ZS_CALL(z, name) ((z)->packed ? packed_##name : tables_##name)
#elif UTET_ZSTD_TABLES
#define ZS_CALL(z, name) tables_##name
#else
#define ZS_CALL(z, name) packed_##name
#endif

/* ---- literals that do not come in one piece ------------------------------------------------------ */

/* Closes the open Huffman stream, which must have been consumed exactly, and begins the
 * next. Also those that hold no symbol have to be there. */
static ZS_NOINLINE utet_status next_stream(utet_zstd *z)
{
    utet_status status;

    if (z->stream_open == 2u) {
        if (!cursor_done(&z->lit))
            return UTET_E_PAYLOAD;
        z->stream_open = 0;
    }
    if (z->stream_open == 0) {
        uint32_t to = z->lit_end;

        /* behind the last one there are no bytes, which cursor_start refuses */
        if (z->streams_left > 1u)
            to = z->lit_at + z->jump[4u - z->streams_left];
        cursor_open(z, &z->lit, z->lit_at, to);
        z->lit_at = to;
        z->stream_open = 1;
    }
    status = cursor_start(z, &z->lit, 1);
    if (status != UTET_OK)
        return status;
    z->stream_open = 2;
    z->streams_left--;
    z->stream_left = z->streams_left != 0 ? z->quarter : z->later;
    z->later -= z->stream_left;
    return UTET_OK;
}

/* Raw literals: through the cache, or straight into the output when they are many. */
static ZS_NOINLINE utet_status more_raw(utet_zstd *z)
{
    uint32_t n = z->ll < room(z) ? z->ll : room(z), most = z->cache_size;
    utet_status status;

    if (!UTET_ZSTD_READ || n > z->later) /* n is not 0 */
        return UTET_E_PAYLOAD;
    if (n >= most) {
        status = direct(z, z->lit_at, n);
        if (status == UTET_OK)
            z->ll -= (uint32_t)z->got;
    } else {
        z->lit.top = z->lit.cache;
        status = fetch(z, z->lit_at, z->lit.cache, (size_t)(z->later < most ? z->later : most));
        if (status == UTET_OK)
            z->stream_left = (uint32_t)z->got;
    }
    if (status == UTET_OK) {
        z->lit_at += (uint32_t)z->got;
        z->later -= (uint32_t)z->got;
    }
    return status;
}

/* z->ll literals to the output, as far as there is room and they are in reach. */
static ZS_NOINLINE utet_status take_literals(utet_zstd *z)
{
    while (z->ll != 0) {
        uint32_t n = room(z);
        utet_status status = UTET_OK;

        if (n == 0)
            return no_room(z);
        if (n > z->ll)
            n = z->ll;
        if (n > z->stream_left)
            n = z->stream_left;
        if (n == 0) {
            status = z->lit_type >= ZS_HUFFMAN ? next_stream(z) : more_raw(z);
        } else {
            uint8_t *const end = z->out + n;

            do {
                n = (uint32_t)(ZS_CALL(z, literals)(z, z->out, end) - z->out);
                z->out += n;
                z->ll -= n;
                z->stream_left -= n;
                if (z->out == end)
                    break;
                status = cursor_refill(z, &z->lit);
            } while (status == UTET_OK);
        }
        if (status != UTET_OK)
            return status;
    }
    return UTET_OK;
}

/* The rest of an interrupted sequence: z->ll literals, then z->ml bytes from z->off back; also across
 * the history's end. */
static utet_status finish(utet_zstd *z)
{
    utet_status status = take_literals(z);

    if (status != UTET_OK)
        return status;
    if (z->off - 1u >= reach(z))
        return UTET_E_PAYLOAD;
    while (z->ml != 0) {
        uint32_t n = room(z);
        size_t here = (size_t)(z->out - z->buf), from;

        if (n == 0)
            return no_room(z);
        if (n > z->ml)
            n = z->ml;
        from = here - (size_t)z->off;
        if (!zs_whole(z) && z->off > here) { /* as far as the history's end */
            from += z->buf_size;
            if (n > z->off - here)
                n = (uint32_t)(z->off - here);
        }
        z->ml -= n;
        if (n >= ZS_LONG && from < here) {
            copy_long(z->out, z->off, (size_t)n);
            z->out += n;
        } else {
            uint8_t *out = z->out;
            const uint8_t *q = z->buf + from;

            do
                *out++ = *q++;
            while (--n != 0);
            z->out = out;
        }
    }
    return UTET_OK;
}

/* ---- frames --------------------------------------------------------------------------------- */

/* Frame_Content_Size: the n bytes before `end`. None are ZS_UNKNOWN, and so are 8 of ones: upstream takes them so. */
static uint64_t content_size(const uint8_t *end, unsigned n)
{
    uint64_t size = n == 0 ? ZS_UNKNOWN : 0;
    unsigned i;

    for (i = 0; i < n; i++)
        size = size << 8 | *--end;
    return n == 2u ? size + 256u : size;
}

/* The fields behind the Frame_Header_Descriptor at p. */
static utet_status frame_fields(zs_header *h, const uint8_t *p, unsigned len)
{
    const unsigned flags = *p, single = flags >> 5 & 1u; /* Single_Segment_flag */
    unsigned size_bytes = flags >> 6 != 0 ? 1u << (flags >> 6) : single;
    unsigned id_bytes = 1u << (flags & 3u) >> 1, n = 2u - single + id_bytes + size_bytes;

    if ((flags & 8u) != 0 || len < n)
        return UTET_E_PAYLOAD;
    h->bytes = 4u + n;
    h->checksum = flags >> 2 & 1u;
    h->content = content_size(p + n, size_bytes);
    h->window = h->content >> 32 != 0 ? 0xffffffffu : (uint32_t)h->content;
    if (!single) {
        const unsigned window = *++p; /* Window_Descriptor: Exponent and Mantissa */

        if (window > (ZS_WINDOW_LOG_MAX - 10u) << 3)
            return UTET_E_ZSTD_WINDOW;
        h->window = (uint32_t)(8u + (window & 7u)) << 7 << (window >> 3);
    }
    for (; id_bytes != 0; id_bytes--) /* Dictionary_ID */
        if (*++p != 0)
            return UTET_E_ZSTD_DICT;
    return UTET_OK;
}

utet_status utet_zs_header(zs_header *h, const uint8_t *p, size_t len)
{
    uint32_t magic;

    if (len < 5u)
        return UTET_E_PAYLOAD;
    magic = zs_le32(p);
    h->skippable = (magic & 0xfffffff0u) == 0x184d2a50u;
    if (h->skippable) {
        if (len < 8u)
            return UTET_E_PAYLOAD;
        h->bytes = (uint64_t)zs_le32(p + 4) + 8u;
        h->window = 0;
        return UTET_OK;
    }
    if (magic == ZS_MAGIC)
        return frame_fields(h, p + 4, len < 18u ? (unsigned)len - 4u : 14u);
    return magic == 0x1eb52ffdu || magic - 0xfd2fb522u < 6u ? UTET_E_ZSTD_LEGACY : UTET_E_PAYLOAD;
}

utet_status utet_zstd_window(const uint8_t *head, size_t len, uint32_t *window, uint64_t *skip)
{
    zs_header h;
    utet_status status = utet_zs_header(&h, head, len);

    *window = 0;
    *skip = 0;
    if (status != UTET_OK)
        return status;
    *window = h.window;
    if (h.skippable)
        *skip = h.bytes;
    return UTET_OK;
}

/* n bytes of payload are over; the next phase begins behind them, but no frame where the payload ends. */
static ZS_NOINLINE void advance(utet_zstd *z, uint32_t n, unsigned phase)
{
    uint64_t left;

    z->rel = 0;
    z->at += n;
    left = z->length - z->at;
    z->size = left >> 32 != 0 ? 0xffffffffu : (uint32_t)left;
    z->phase = (uint8_t)(phase == ZS_P_FRAME && left == 0 ? ZS_P_END : phase);
}

/* A frame begins, or something that is not one. */
static utet_status frame_phase(utet_zstd *z)
{
    zs_header *const h = &z->frame;
    utet_status status = utet_zs_header(h, z->head, z->have);

    if (status != UTET_OK)
        return status;
    if (h->bytes > z->length - z->at)
        return UTET_E_PAYLOAD;
    z->at += h->bytes;
    if (h->skippable) {
        z->hold_have = 0; /* its position is kept modulo 2^32 */
        advance(z, 0, ZS_P_FRAME);
        return UTET_OK;
    }
    advance(z, 0, ZS_P_BLOCK);
    if (!zs_scanning(z) || h->window > z->window)
        z->window = h->window;
    if (zs_scanning(z) && z->window >= z->total_left) /* no later frame can need more */
        z->phase = ZS_P_END;
    z->produced = 0;
    z->rep[0] = 1;
    z->rep[1] = 4;
    z->rep[2] = 8;
    z->valid = 0;
    z->tree_bits = 0;
    if (h->checksum)
        utet_zs_xxh_begin(&z->xxh);
    return UTET_OK;
}

/* The frame's last block is over. */
static utet_status checksum_phase(utet_zstd *z)
{
    if (z->have < 4u)
        return UTET_E_PAYLOAD;
    if (zs_le32(z->head) != utet_zs_xxh_end(&z->xxh, z->produced))
        return UTET_E_CHECKSUM;
    advance(z, 4, ZS_P_FRAME);
    return UTET_OK;
}

/* What has been decoded of this block is complete. */
static utet_status end_block(utet_zstd *z)
{
    unsigned phase = ZS_P_BLOCK;

    account(z);
    if (z->last_block)
        phase = z->frame.checksum ? ZS_P_CHECKSUM : ZS_P_FRAME;
    advance(z, z->size, phase);
    if (z->last_block && z->frame.content != ZS_UNKNOWN && z->frame.content != z->produced)
        return UTET_E_PAYLOAD;
    return UTET_OK;
}

static utet_status block_phase(utet_zstd *z)
{
    static const uint8_t phase[3] = {ZS_P_RAW, ZS_P_RLE, ZS_P_LITERALS};
    uint32_t header, type, size;

    if (z->have < 3u)
        return UTET_E_PAYLOAD;
    header = zs_block_header(z->head);
    type = header >> 1 & 3u;
    size = header >> 3;
    z->last_block = header & 1u;
    z->block_left = z->window < ZS_BLOCK_SIZE_MAX ? z->window : ZS_BLOCK_SIZE_MAX; /* Block_Maximum_Size */
    /* A compressed block of a frame without content is legal (errata: 0 literals, 0
     * sequences), so its own size is held against the absolute maximum only. */
    if (type == 3u || size > (type == 2u ? ZS_BLOCK_SIZE_MAX : z->block_left))
        return UTET_E_PAYLOAD;
    advance(z, 3, phase[type]);
    z->later = size; /* RLE_Block: bytes to put out */
    if (type == 1u)
        size = 1;
    if (zs_scanning(z) && z->last_block && z->frame.checksum)
        size += 4u;
    if (size > z->size)
        return UTET_E_PAYLOAD;
    z->size = size;
    set_stop(z);
    if (zs_scanning(z))
        advance(z, size, z->last_block ? ZS_P_FRAME : ZS_P_BLOCK);
    return UTET_OK;
}

static utet_status raw_phase(utet_zstd *z)
{
    while (z->rel != z->size) {
        uint32_t n = room(z);
        utet_status status;

        if (n == 0)
            return no_room(z);
        if (n > z->size - z->rel)
            n = z->size - z->rel;
        status = direct(z, z->rel, n);
        if (status != UTET_OK)
            return status;
        z->rel += (uint32_t)z->got;
    }
    return end_block(z);
}

static utet_status rle_phase(utet_zstd *z)
{
    uint32_t n = room(z) < z->later ? room(z) : z->later;

    memset(z->out, *z->head, (size_t)n);
    z->out += n;
    z->later -= n;
    return z->later != 0 ? no_room(z) : end_block(z);
}

/* ---- compressed blocks: headers -------------------------------------------------------------- */

/* Format, "Literals_Section_Header". */
static utet_status literals_phase(utet_zstd *z)
{
    /* bits of Regenerated_Size and Compressed_Size by type and Size_Format */
    static const uint8_t widths[2][4] = {{5, 12, 5, 20}, {10, 10, 14, 18}};
    const uint8_t *p = z->head;
    unsigned type, format, width, at = 4;
    uint32_t regenerated, stored = 1, n;

    if (z->size == 0)
        return UTET_E_PAYLOAD;
    type = *p & 3u;
    format = *p >> 2 & 3u;
    width = widths[type >> 1][format];
    if (width == 5u)
        at = 3;
    regenerated = ZS_LOW(forward_bits(p, z->have, at), width);
    at += width;
    z->lit_type = (uint8_t)type;
    z->phase = ZS_P_SECTION;
    z->streams_left = 0;
    z->stream_open = 0;
    if (type == ZS_RAW)
        stored = regenerated;
    if (type >= ZS_HUFFMAN) {
        stored = ZS_LOW(forward_bits(p, z->have, at), width);
        at += width;
        z->phase = type == ZS_HUFFMAN ? ZS_P_TREE : ZS_P_JUMP;
        if (type == ZS_TREELESS && z->tree_bits == 0)
            return UTET_E_PAYLOAD;
        z->streams_left = 1;
        if (format != 0) {
            z->streams_left = 4;
            if (regenerated < 6u)
                return UTET_E_PAYLOAD;
        }
        z->quarter = (regenerated + 3u) / 4u;
    }
    n = at >> 3;
    if (regenerated > z->block_left || n + stored >= z->size)
        return UTET_E_PAYLOAD;
    z->lit_at = n;
    z->lit_end = n + stored;
    z->rel = type >= ZS_HUFFMAN ? n : z->lit_end;
    z->later = regenerated;
    z->stream_left = 0;
    z->lit.top = p + n;
    if (type == ZS_RLE || (type == ZS_RAW && zs_mapped(z))) { /* in reach from the beginning */
        z->rle = p[n];
        z->stream_left = regenerated;
        z->later = 0;
    }
    return UTET_OK;
}

static utet_status tree_phase(utet_zstd *z)
{
    uint32_t n = *z->head;

    n = 1u + (n < 128u ? n : (n - 126u) / 2u);
    if (n > z->have || n > z->lit_end - z->rel || !ZS_CALL(z, huffman_tree)(z, z->head, n))
        return UTET_E_PAYLOAD;
    z->rel += n;
    z->phase = ZS_P_JUMP;
    return UTET_OK;
}

static utet_status jump_phase(utet_zstd *z)
{
    uint32_t left = z->lit_end - z->rel, i;

    if (z->streams_left == 4u) {
        const uint8_t *p = z->head;

        if (left < 6u)
            return UTET_E_PAYLOAD;
        left -= 6u;
        z->rel += 6u;
        for (i = 0; i < 3u; i++, p += 2) {
            z->jump[i] = (uint16_t)(p[0] | (unsigned)p[1] << 8);
            if (z->jump[i] > left)
                return UTET_E_PAYLOAD;
            left -= z->jump[i];
        }
    }
    z->lit_at = z->rel;
    z->rel = z->lit_end;
    z->phase = ZS_P_SECTION;
    return UTET_OK;
}

/* Format, "Sequences_Section_Header". */
static utet_status section_phase(utet_zstd *z)
{
    const uint32_t bits = forward_bits(z->head, z->have, 0); /* zeros behind the block's end */
    uint32_t count = bits & 255u, n = 1;

    if (count == 255u) {
        count = 0x7f00u + (bits >> 8 & 0xffffu);
        n = 3;
    } else if (count >= 128u) {
        count = (count - 128u) << 8 | (bits >> 8 & 255u);
        n = 2;
    }
    z->sequences = count;
    z->phase = ZS_P_REST;
    if (count != 0) {
        z->phase = ZS_P_TABLE_LL;
        if (n >= z->have)
            return UTET_E_PAYLOAD;
        z->modes = z->head[n++];
        if ((z->modes & 3u) != 0)
            return UTET_E_PAYLOAD;
    }
    z->rel += n;
    if (count == 0 && z->rel != z->size)
        return UTET_E_PAYLOAD;
    return UTET_OK;
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

/* Table i of the sequence codes, of `mode`, out of n bytes at p: how many of them it took, -1 if damaged. */
static ZS_NOINLINE int sequence_table(utet_zstd *z, unsigned i, unsigned mode, const uint8_t *p, uint32_t n)
{
    static const uint8_t last_symbol[3] = {35, 31, 52}, max_log[3] = {9, 8, 9};
    zs_counts d;
    int bytes = 0;

    if (mode == 0) {
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
        bytes = (int)read_counts(&d, p, n, last_symbol[i], max_log[i]);
        if (bytes == 0)
            return -1;
    }
    z->log[i] = d.log;
    ZS_CALL(z, sequence_cells)(z, i, &d);
    return bytes;
}

/* The table of phase ZS_P_TABLE_LL … ML, as the mode says that stands in the header. */
static utet_status table_phase(utet_zstd *z)
{
    unsigned i = z->phase - (unsigned)ZS_P_TABLE_LL, bit = 1u << i;
    unsigned mode = (unsigned)z->modes >> (6u - 2u * i) & 3u; /* Predefined, RLE, FSE_Compressed, Repeat */

    if (mode == 3u) {
        if ((z->valid & bit) == 0)
            return UTET_E_PAYLOAD;
    } else if (mode != 0 || (z->predefined & bit) == 0) {
        utet_status status = mode != 0 ? peek(z, 80) : UTET_OK;
        int bytes;

        if (status != UTET_OK)
            return status;
        z->predefined = (uint8_t)(mode == 0 ? z->predefined | bit : z->predefined & ~bit);
        bytes = sequence_table(z, i, mode, z->head, z->have);
        if (bytes < 0)
            return UTET_E_PAYLOAD;
        z->rel += (uint32_t)bytes;
    }
    z->valid = (uint8_t)(z->valid | bit);
    z->phase++;
    return UTET_OK;
}

/* Opens the sequences' bit stream. */
static utet_status stream_phase(utet_zstd *z)
{
    cursor_open(z, &z->seq, z->rel, z->size);
    z->phase = ZS_P_STATES;
    return UTET_OK;
}

/* Format, "Starting states". */
static utet_status states_phase(utet_zstd *z)
{
    utet_status status = cursor_start(z, &z->seq, 8u + 26u);
    unsigned i;

    if (status != UTET_OK)
        return status;
    for (i = 0; i < 3u; i++)
        /* packed: with the table's size added (zstd_small_layout.h) */
        z->state[i] = (uint16_t)long_field(&z->seq, z->packed, z->log[i]);
    z->phase = ZS_P_SEQUENCES;
    return z->seq.used <= z->seq.limit ? UTET_OK : UTET_E_PAYLOAD;
}

static utet_status sequences_phase(utet_zstd *z)
{
    if ((z->ll | z->ml) != 0)
        return finish(z);
    if (z->sequences != 0) {
        zs_cursor *dry = ZS_CALL(z, sequences)(z);

        return dry == NULL ? UTET_OK : cursor_refill(z, dry);
    }
    z->phase = ZS_P_REST;
    return cursor_done(&z->seq) ? UTET_OK : UTET_E_PAYLOAD;
}

/* The literals behind the last sequence, then the ends of all literal streams. */
static utet_status rest_phase(utet_zstd *z)
{
    utet_status status;

    z->hold_have = 0; /* the caches have been the streams' */
    z->ll = z->stream_left + z->later;
    status = take_literals(z);
    while (status == UTET_OK && z->streams_left != 0)
        status = next_stream(z);
    if (status != UTET_OK)
        return status;
    if (z->lit_type >= ZS_HUFFMAN && !cursor_done(&z->lit))
        return UTET_E_PAYLOAD;
    return end_block(z);
}

/* ---- the machine ------------------------------------------------------------------------------ */

/* The payload fits: it is read once, from its start, and from then on treated as mapped. */
static utet_status load_phase(utet_zstd *z)
{
    while (z->hold_have < z->length) {
        utet_status status = fetch(z, (uint32_t)z->hold_have, z->lit.cache + z->hold_have,
                                   (size_t)z->length - z->hold_have);

        if (status != UTET_OK)
            return status;
        z->hold_have += z->got;
    }
    z->map = z->lit.cache;
    z->phase = ZS_P_FRAME;
    return UTET_OK;
}

/* Goes on until the payload has ended (UTET_END), the slice is full (ZS_FULL: something
 * wants to put out more), or a phase says why not. */
static ZS_NOINLINE utet_status run(utet_zstd *z)
{
    utet_status status;

    do {
        if (z->phase < ZS_P_TABLE_LL) {
            status = peek(z, peeked[z->phase]);
            if (status != UTET_OK)
                return status;
        }
        switch (z->phase) {
        case ZS_P_FRAME: status = frame_phase(z); break;
        case ZS_P_BLOCK: status = block_phase(z); break;
        case ZS_P_CHECKSUM: status = checksum_phase(z); break;
        case ZS_P_RLE: status = rle_phase(z); break;
        case ZS_P_LITERALS: status = literals_phase(z); break;
        case ZS_P_TREE: status = tree_phase(z); break;
        case ZS_P_JUMP: status = jump_phase(z); break;
        case ZS_P_SECTION: status = section_phase(z); break;
        case ZS_P_TABLE_LL:
        case ZS_P_TABLE_OF:
        case ZS_P_TABLE_ML: status = table_phase(z); break;
        case ZS_P_STREAM: status = stream_phase(z); break;
        case ZS_P_STATES: status = states_phase(z); break;
        case ZS_P_SEQUENCES: status = sequences_phase(z); break;
        case ZS_P_REST: status = rest_phase(z); break;
        case ZS_P_RAW: status = raw_phase(z); break;
        case ZS_P_LOAD: status = UTET_ZSTD_READ ? load_phase(z) : UTET_END; break;
        default: return UTET_END;
        }
    } while (status == UTET_OK);
    return status;
}

/* ---- memory ------------------------------------------------------------------------------------- */

static size_t round_up(size_t n)
{
    return (n + 7u) & ~(size_t)7u;
}

/* The history that slices need. A ring smaller than the output has room for the bytes that
 * a copy in words spoils: they would be the oldest history. */
static size_t history(int whole, size_t size, uint64_t window)
{
    if (whole)
        return 0;
    return round_up(window == 0 || window >= size ? size : (size_t)window + ZS_OVERRUN);
}

static size_t fixed(unsigned packed)
{
    return packed ? sizeof(zs_packed) : sizeof(zs_tables);
}

/* So much input could be held; the amounts of memory below are sums of that, of an output
 * of at most SIZE_MAX / 2 and of the fixed part: they do not overflow. */
static int holdable(uint64_t length)
{
    return length < SIZE_MAX / 4u && length <= UINT32_MAX;
}

static size_t least(int mapped, size_t past)
{
    return fixed(UTET_ZSTD_PACKED) + (mapped ? 0 : caches(ZS_CACHE_MIN)) + past;
}

utet_status utet_zstd_need(const utet_zstd_job *job, uint64_t window, utet_need *need)
{
    int mapped = !UTET_ZSTD_READ || job->io->map != NULL;
    size_t past, input = caches(ZS_CACHE_MAX);

    if (job->size > SIZE_MAX / 2u)
        return UTET_E_SPACE;
    past = history(!UTET_ZSTD_SLICES || job->dst != NULL, (size_t)job->size, window);
    if (mapped)
        input = 0;
    else if (holdable(job->length))
        input = round_up((size_t)job->length);
    if (!mapped && input < caches(ZS_CACHE_MIN))
        input = caches(ZS_CACHE_MIN); /* so that it is not below the least */
    need->least = least(mapped, past);
    need->best = fixed(!UTET_ZSTD_TABLES) + input + past;
    return UTET_OK;
}

/* To the payload's first frame. */
static ZS_NOINLINE void rewind_source(utet_zstd *z)
{
    z->at = 0;
    z->hold_have = 0;
    advance(z, 0, ZS_P_FRAME);
}

/* Where everything lies: context and tables, caches or payload, history. */
static utet_status divide(utet_zstd *z, unsigned packed, size_t input, size_t past)
{
    uint8_t *at = (uint8_t *)z + fixed(packed);

    if (z->packed != packed)
        z->predefined = 0;
    z->packed = (uint8_t)packed;
    if (!zs_mapped(z)) {
        if (z->seq.cache != at + input / 2u) /* once: what they hold does not matter, but it is initialised */
            memset(at - ZS_BELOW, 0, input + ZS_BELOW);
        z->lit.cache = at;
        z->seq.cache = at + input / 2u;
        if (z->cache_size == 0)
            z->phase = ZS_P_LOAD;
    }
    if (!zs_whole(z)) {
        z->buf = at + input;
        z->buf_size = past;
    }
    z->out = z->mark = z->given = z->buf;
    z->opened = 1;
    return UTET_OK;
}

/* The best that z->work_len allows: full tables before the whole payload, that before
 * large caches. */
static utet_status choose(utet_zstd *z)
{
    size_t past = history(zs_whole(z), (size_t)z->total_left, z->window != 0 ? z->window : 1u);
    unsigned packed;

    for (packed = !UTET_ZSTD_TABLES; packed <= UTET_ZSTD_PACKED; packed++) {
        size_t left = z->work_len;

        if (left < fixed(packed) + past)
            continue;
        left -= fixed(packed) + past;
        z->cache_size = 0;
        if (zs_mapped(z))
            return divide(z, packed, 0, past);
        if (holdable(z->length) && round_up((size_t)z->length) <= left)
            return divide(z, packed, round_up((size_t)z->length), past);
        for (z->cache_size = ZS_CACHE_MAX; z->cache_size >= ZS_CACHE_MIN; z->cache_size /= 2u)
            if (caches(z->cache_size) <= left)
                return divide(z, packed, caches(z->cache_size), past);
    }
    z->frame.content = least(zs_mapped(z), past);
    return UTET_E_BUDGET;
}

/* An error sticks. */
static utet_status keep(utet_zstd *z, utet_status status)
{
    if (UTET_IS_ERROR(status))
        z->status = status;
    return status;
}

utet_status utet_zstd_open(utet_zstd *z)
{
    if (z->status != UTET_OK || z->opened)
        return z->status;
    if (!zs_whole(z)) {
        utet_status status;

        z->scanning = 1;
        status = run(z);
        /* what comes before a fault is decoded all the same */
        if (status != UTET_END && (status != UTET_E_PAYLOAD || z->window == 0))
            return keep(z, status);
        z->scanning = 0;
        rewind_source(z);
    }
    return keep(z, choose(z));
}

/* ---- interface ------------------------------------------------------------------------------------ */

static utet_status begin(utet_zstd *z, const utet_zstd_job *job)
{
    const utet_io *io = job->io;

    if (io == NULL || (io->map == NULL && (!UTET_ZSTD_READ || io->read == NULL)) ||
        (!UTET_ZSTD_SLICES && job->dst == NULL) || io->unit > 1u || io->align > 1u ||
        job->offset > io->size || job->length > io->size - job->offset)
        return UTET_E_ARGUMENT;
    z->length = job->length;
    z->offset = job->offset;
    z->total_left = job->size;
    z->at_most = job->at_most;
    z->status = job->length != 0 ? UTET_OK : UTET_E_PAYLOAD;
    z->opened = z->blocked = z->scanning = 0;
    z->ll = z->ml = z->window = 0;
    z->whole = job->dst != NULL;
    z->buf = job->dst;
    z->buf_size = (size_t)job->size;
    z->read = io->read;
    z->ctx = io->ctx;
    z->map = io->map != NULL ? io->map + (size_t)job->offset : NULL;
    z->lit.cache = ((zs_packed *)(void *)z)->list.symbol; /* until memory is divided */
    z->cache_size = 2; /* 36 bytes: a frame header, twice over: it is read again afterwards */
    rewind_source(z);
    return job->size <= SIZE_MAX / 2u ? UTET_OK : UTET_E_SPACE;
}

utet_status utet_zstd_init(utet_zstd **z, const utet_zstd_job *job, void *work, size_t work_len)
{
    if (z == NULL || job == NULL || work == NULL || ((uintptr_t)work & 7u) != 0)
        return UTET_E_ARGUMENT;
    if (work_len < fixed(UTET_ZSTD_PACKED))
        return UTET_E_BUDGET;
    *z = (utet_zstd *)work;
    memset(*z, 0, sizeof **z);
    (*z)->work_len = work_len;
    return begin(*z, job);
}

utet_status utet_zstd_again(utet_zstd *z, const utet_zstd_job *job)
{
    return begin(z, job);
}

/* A slice of at most `want` bytes, which begins where the last one ended; or the rest of
 * the one that was interrupted, whatever `want` is now: requests of the source repeat. */
static utet_status slice(utet_zstd *z, size_t want)
{
    utet_status status;

    if (!z->blocked) {
        size_t n;

        if (!zs_whole(z) && z->given == z->buf + z->buf_size)
            z->out = z->mark = z->given = z->buf;
        n = (size_t)(z->buf + z->buf_size - z->out);
        if (UTET_ZSTD_SLICES && n > want)
            n = want;
        if (n > z->total_left)
            n = (size_t)z->total_left;
        z->end = z->out + n;
        set_stop(z);
    }
    status = run(z);
    z->blocked = status == UTET_WOULD_BLOCK;
    account(z);
    if (status == ZS_FULL)
        status = z->total_left != 0 ? UTET_OK : z->at_most ? UTET_E_SPACE : UTET_E_PAYLOAD;
    else if (status == UTET_END)
        status = z->total_left == 0 || z->at_most ? UTET_OK : UTET_E_PAYLOAD;
    return keep(z, status);
}

utet_status utet_zstd_step(utet_zstd *z, size_t want, const uint8_t **ptr, size_t *len)
{
    utet_status status = utet_zstd_open(z);

    *len = 0;
    *ptr = z->given;
    while (status == UTET_OK) {
        size_t give = (size_t)(z->out - z->given);

        if (z->total_left == 0 && z->phase != ZS_P_END && give != 0)
            give--; /* the last byte waits for the end of the payload */
        /* A request under way is repeated before anything else: no call ends in between. */
        if (give != 0 && !z->blocked) {
            *ptr = z->given;
            *len = give < want ? give : want;
            z->given += *len;
            break;
        }
        status = z->phase == ZS_P_END ? UTET_END : slice(z, want);
    }
    return status;
}

#if UTET_ZSTD_SLICES
utet_status utet_zstd_read(utet_zstd *z, void *buffer, size_t size, size_t *got)
{
    uint8_t *to = (uint8_t *)buffer;

    *got = 0;
    while (*got < size) {
        const uint8_t *from;
        size_t n;
        utet_status status = utet_zstd_step(z, size - *got, &from, &n);

        if (status != UTET_OK)
            return status == UTET_END && *got != 0 ? UTET_OK : status;
        memcpy(to + *got, from, n);
        *got += n;
    }
    return UTET_OK;
}
#endif

utet_status utet_zstd_decode(utet_zstd *z)
{
    utet_status status;

    if (!zs_whole(z))
        return UTET_E_ARGUMENT;
    status = utet_zstd_open(z);
    while (status == UTET_OK && z->phase != ZS_P_END)
        status = slice(z, SIZE_MAX);
    z->given = z->out;
    return status;
}

uint64_t utet_zstd_needed(const utet_zstd *z)
{
    return z->status == UTET_E_BUDGET ? z->frame.content : 0;
}

uint64_t utet_zstd_where(const utet_zstd *z)
{
    return z->offset + z->at;
}
