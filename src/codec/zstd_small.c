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
    ZS_P_LOAD,     /* the whole payload goes into memory */
    ZS_P_FRAME,    /* Magic_Number and Frame_Header, or a skippable frame */
    ZS_P_BLOCK,    /* Block_Header */
    ZS_P_RAW,      /* Raw_Block, RLE_Block: content */
    ZS_P_RLE,
    ZS_P_LITERALS, /* Literals_Section_Header */
    ZS_P_TREE,     /* Huffman_Tree_Description */
    ZS_P_JUMP,     /* Jump_Table */
    ZS_P_SECTION,  /* Sequences_Section_Header */
    ZS_P_TABLE_LL, /* the three tables, in this order */
    ZS_P_TABLE_OF,
    ZS_P_TABLE_ML,
    ZS_P_STREAM,   /* start of the sequences' bit stream, its first bit, its three states */
    ZS_P_BEGIN,
    ZS_P_STATES,
    ZS_P_SEQUENCES,
    ZS_P_REST,     /* literals behind the last sequence */
    ZS_P_CLOSE,    /* ends of the literal streams */
    ZS_P_CHECKSUM,
    ZS_P_END
};

/* The three kinds of codes: extra bits | m << 8 (Format, "The codes for literals lengths,
 * match lengths, and offsets"); match lengths without their 3. */
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

/* Format, "Default Distributions": one after the other, LL, OF, ML. */
static const int8_t default_count[36 + 29 + 53] = {
    4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1,
    1, 1, -1, -1, -1, -1,
    1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1,
    1, 4, 3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1};

/* ---- errors ------------------------------------------------------------------------------ */

static utet_status fail(utet_zstd *z, utet_status status)
{
    z->status = status;
    return status;
}

static ZS_NOINLINE utet_status damaged(utet_zstd *z)
{
    return fail(z, UTET_E_PAYLOAD);
}

/* ---- source ------------------------------------------------------------------------------ */

#if UTET_ZSTD_READ
/* One request; *got > 0 with UTET_OK. */
static utet_status fetch(utet_zstd *z, uint64_t position, uint8_t *to, size_t length, size_t *got)
{
    utet_status status = z->read(z->ctx, z->offset + position, to, length, got);

    if (status == UTET_OK && *got == 0)
        status = UTET_E_SHORT;
    if (UTET_IS_ERROR(status)) {
        z->at = position;
        z->status = status;
    }
    return status;
}
#endif

/*
 * Makes n bytes (≤ 128) of the payload addressable at z->head, `rel` behind z->at; the
 * caller has checked that they exist. Reads ahead as far as the header buffer holds.
 */
static utet_status peek(utet_zstd *z, uint32_t rel, uint32_t n)
{
    const uint64_t position = z->at + rel;

#if UTET_ZSTD_READ
    if (z->map == NULL) {
        uint64_t behind = position - z->hold_at, rest = z->length - position;
        uint8_t *const hold = z->lit.cache;
        size_t most = 2u * (size_t)z->cache_size; /* both caches */

        if (most > rest)
            most = (size_t)rest;

        if (behind >= z->hold_have) {
            z->hold_have = 0;
            z->hold_at = position;
        } else if (behind != 0 && behind + n > z->hold_have) {
            z->hold_have -= (size_t)behind;
            memmove(hold, hold + (size_t)behind, z->hold_have);
            z->hold_at = position;
        }
        while (position + n > z->hold_at + z->hold_have) {
            size_t got;
            utet_status status = fetch(z, position + z->hold_have, hold + z->hold_have,
                                       most - z->hold_have, &got);

            if (status != UTET_OK)
                return status;
            z->hold_have += got;
        }
        z->head = hold + (size_t)(position - z->hold_at);
        return UTET_OK;
    }
#endif
    (void)n;
    z->head = z->map + (size_t)position;
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
static void cursor_open(utet_zstd *z, zs_cursor *c, uint32_t from, uint32_t to)
{
    c->wanted = 0;
    c->lo = to;
    c->below = to - from;
    if (z->map != NULL) {
        c->lo = from;
        cursor_place(c, z->map + (size_t)z->at + to, to - from);
        c->below = 0;
        return;
    }
#if UTET_ZSTD_READ
    cursor_place(c, c->cache + z->cache_size, 0);
#endif
}

#if UTET_ZSTD_READ
/* At most 16 bytes up, which may overlap. */
ZS_INLINE void keep_unread(uint8_t *to, const uint8_t *from, uint32_t n)
{
#if UTET_ZSTD_ALIGNED
    while (n-- != 0)
        to[n] = from[n];
#else
    uint32_t a, b, c, d; /* all 16, whatever lies behind: it is memory of the cache */

    (void)n;
    memcpy(&a, from, 4);
    memcpy(&b, from + 4, 4);
    memcpy(&c, from + 8, 4);
    memcpy(&d, from + 12, 4);
    memcpy(to, &a, 4);
    memcpy(to + 4, &b, 4);
    memcpy(to + 8, &c, 4);
    memcpy(to + 12, &d, 4);
#endif
}
#endif

/*
 * Brings more of the stream into reach: the unread bytes (at most 14) move above the
 * cache, then it is filled down to a multiple of its size in the source. Damaged when the
 * stream has no more.
 */
static utet_status cursor_refill(utet_zstd *z, zs_cursor *c)
{
#if UTET_ZSTD_READ
    uint8_t *top;

    if (c->below == 0)
        return damaged(z);
    top = c->cache + z->cache_size;
    if (c->wanted == 0) {
        uint32_t keep = (c->limit >> 3) - (c->used >> 3), part = c->used & 7u;
        uint32_t offset = (uint32_t)(z->offset + z->at) + c->lo - 1u;
        uint32_t wanted = (offset & ((uint32_t)z->cache_size - 1u)) + 1u;

        keep_unread(top, c->top - (c->limit >> 3), keep);
        cursor_place(c, top + keep, keep);
        c->used += part;
        c->wanted = (uint16_t)(wanted < c->below ? wanted : c->below);
        c->got = 0;
    }
    while (c->got < c->wanted) {
        size_t got;
        utet_status status = fetch(z, z->at + c->lo - c->wanted + c->got,
                                   top - c->wanted + c->got, (size_t)(c->wanted - c->got), &got);

        if (status != UTET_OK)
            return status;
        c->got = (uint16_t)(c->got + got);
    }
    c->lo -= c->wanted;
    c->below -= c->wanted;
    c->limit += 8u * (uint32_t)c->wanted;
    c->wanted = 0;
    return UTET_OK;
#else
    (void)c;
    return damaged(z);
#endif
}

/* Reads the stream's last byte; commits nothing before it is there. */
static utet_status cursor_start(utet_zstd *z, zs_cursor *c)
{
    while (c->used == c->limit) {
        utet_status status = cursor_refill(z, c);

        if (status != UTET_OK)
            return status;
    }
    return cursor_begin(c) ? UTET_OK : damaged(z);
}

static int cursor_done(const zs_cursor *c)
{
    return c->used == c->limit && c->below == 0;
}

/* m and n ≤ 31 more bits behind it, in two parts where one load may not have them all. */
static uint32_t long_field(zs_cursor *c, uint32_t m, unsigned n)
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

/* ---- entropy tables, the part that all layouts share ------------------------------------------ */

/* Bits from `at` of a forward stream of n bytes, 17 valid; zeros behind its end. */
static uint32_t forward_bits(const uint8_t *p, uint32_t n, uint32_t at)
{
    uint32_t i = at >> 3, v = 0;

    if (i < n)
        v = p[i];
    if (i + 1u < n)
        v |= (uint32_t)p[i + 1u] << 8;
    if (i + 2u < n)
        v |= (uint32_t)p[i + 2u] << 16;
    return v >> (at & 7u);
}

/* Format, "FSE Table Description", in n bytes at p. 0 if damaged. */
static ZS_NOINLINE int read_counts(zs_counts *d, const uint8_t *p, uint32_t n, unsigned max_symbol,
                                   unsigned max_log)
{
    unsigned log = (unsigned)(forward_bits(p, n, 0) & 15u) + 5u, symbol = 0, more_low = 0;
    uint32_t at = 4, left, half;

    if (log > max_log)
        return 0;
    memset(d->count, 0, sizeof d->count);
    left = ((uint32_t)1 << log) + 1u;
    half = (uint32_t)1 << log;
    while (left > 1u) {
        uint32_t spare = 2u * half - 1u - left, bits = forward_bits(p, n, at), value;
        unsigned width = zs_log2(half), place = symbol < ZS_SYMBOLS ? symbol : ZS_SYMBOLS - 1;

        if (symbol > max_symbol)
            return 0;
        value = bits & (half - 1u);
        if (value >= spare) {
            value = bits & (2u * half - 1u);
            if (value >= half)
                value -= spare;
            width++;
        }
        at += width;
        symbol++;
        if (value == 0) { /* less than one */
            if (symbol > ZS_SYMBOLS)
                more_low++;
            else
                d->count[place] = -1;
            left--;
        } else if (value != 1u) {
            if (value > left)
                return 0;
            if (d->count[place] < 0) { /* only beyond all symbols that can be valid */
                more_low++;
                d->count[place] = 0;
            }
            d->count[place] = (int16_t)((unsigned)d->count[place] + (unsigned)value - 1u);
            left -= value - 1u;
        } else {
            uint32_t zeros;

            do {
                zeros = forward_bits(p, n, at) & 3u;
                at += 2u;
                symbol += (unsigned)zeros;
            } while (zeros == 3u && symbol <= max_symbol);
        }
        while (left < half)
            half >>= 1;
    }
    d->bytes = (uint16_t)((at + 7u) >> 3);
    d->symbols = (uint8_t)(symbol < ZS_SYMBOLS ? symbol : ZS_SYMBOLS);
    d->log = (uint8_t)log;
    d->more_low = (uint16_t)more_low;
    return d->bytes <= n;
}

static void default_counts(zs_counts *d, unsigned i)
{
    static const uint8_t from[4] = {0, 36, 36 + 29, 36 + 29 + 53};
    unsigned s;

    d->symbols = (uint8_t)(from[i + 1u] - from[i]);
    d->log = i == ZS_OF ? 5 : 6;
    d->more_low = 0;
    for (s = 0; s < d->symbols; s++)
        d->count[s] = default_count[from[i] + s];
}

static unsigned cells_at(unsigned i)
{
    return i == ZS_LL ? 0u : i == ZS_OF ? (unsigned)ZS_CELLS_OF : (unsigned)ZS_CELLS_ML;
}

#if UTET_ZSTD_TABLES
static unsigned code_of(unsigned kind, unsigned symbol)
{
    if (kind == ZS_LL)
        return ll_code[symbol];
    if (kind == ZS_ML)
        return ml_code[symbol];
    if (kind == ZS_OF)
        return symbol | 0x100u;
    return (symbol < 31u ? symbol : 31u) << 8;
}
#endif

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
 * Completes the weights (each < 32) by the last one, checks them, and sorts the symbols by weight.
 * end[w], of 32: at first how many there are of weight w; then where they end in the
 * list. Returns the longest code's bits, 0 if damaged.
 */
static unsigned sort_symbols(uint8_t *list, uint8_t *weight, unsigned count, uint16_t *end)
{
    uint32_t sum = 0, rest;
    unsigned i, w, bits, place = 0;
    uint8_t at[32]; /* where the next symbol of a weight goes */

    memset(at, 0, sizeof at);
    for (w = ZS_WEIGHT_MAX + 1; w < 32u; w++)
        if (end[w] != 0)
            return 0;
    for (w = 1; w <= ZS_WEIGHT_MAX; w++)
        sum += (uint32_t)end[w] << (w - 1u);
    if (sum == 0)
        return 0;
    bits = zs_log2(sum) + 1u;
    if (bits > ZS_HUFFMAN_LOG)
        return 0;
    rest = ((uint32_t)1 << bits) - sum;
    if ((rest & (rest - 1u)) != 0)
        return 0;
    w = (zs_log2(rest) + 1u) & 31u;
    weight[count] = (uint8_t)w;
    end[w]++;
    if (end[1] < 2u || end[1] % 2u != 0)
        return 0;
    for (w = 1; w <= bits; w++) {
        at[w] = (uint8_t)place;
        place += end[w];
        end[w] = (uint16_t)place;
    }
    for (i = 0; i <= count; i++)
        if (weight[i] != 0)
            list[at[weight[i]]++] = (uint8_t)i;
    return bits;
}

/* ---- output ----------------------------------------------------------------------------------- */

/* Takes into account what was put out since the last call. */
static void account(utet_zstd *z)
{
    size_t n = (size_t)(z->out - z->mark);

    if (z->checksum)
        utet_zs_xxh_add(&z->xxh, z->produced, z->mark, n);
    z->produced += n;
    z->total_left -= n;
    z->block_left -= (uint32_t)n;
    z->mark = z->out;
}

/* Bytes that may be put out now. */
static uint32_t room(const utet_zstd *z)
{
    size_t slice = (size_t)(z->end - z->out);
    uint32_t block = z->block_left - (uint32_t)(z->out - z->mark);

    return slice < block ? (uint32_t)slice : block;
}

/* There is no room: because the slice is full, or because the block must not be longer. */
static utet_status no_room(utet_zstd *z)
{
    return z->block_left == (size_t)(z->out - z->mark) ? damaged(z) : ZS_FULL;
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
    uint32_t most = room(z);
    size_t memory = (size_t)(z->buf + z->buf_size - z->out);

    if (memory < ZS_OVERRUN)
        return z->out;
    memory -= ZS_OVERRUN;
    return z->out + (most < memory ? most : memory);
}

/* A match that begins here or behind lies in one piece, in this frame and in its window,
 * wherever before fast_end() it is asked for. */
static const uint8_t *fast_low(const utet_zstd *z)
{
    uint32_t back = reach(z), ahead = (uint32_t)(fast_end(z) - z->out);

    if (back > z->window - ahead)
        back = z->window - ahead;
    if (back > (size_t)(z->out - z->buf))
        back = (uint32_t)(z->out - z->buf);
    return z->out - back;
}

ZS_INLINE void copy_word(uint8_t *p, const uint8_t *q)
{
    uint32_t v;

    memcpy(&v, q, 4);
    memcpy(p, &v, 4);
}

#if UTET_ZSTD_ALIGNED
/* Words up to `stop`, two at a time, from a place that is `shift` bits into a word. A
 * function of its own: it takes all eight low registers of a small core. */
ZS_HOT static void merge_words(zs_word *to, const zs_word *from, const uint8_t *stop, unsigned shift)
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
        p += 4;
        q += 4;
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

static void fill(uint8_t *out, uint8_t byte, size_t n)
{
    if (n > ZS_LONG) {
        *out = byte;
        copy_long(out + 1, 1, n - 1u);
    } else {
        memset(out, byte, n);
    }
}

/* Up to n payload bytes at `position` straight into the output; commits what came. */
static utet_status direct(utet_zstd *z, uint64_t position, uint32_t n, uint32_t *moved)
{
#if UTET_ZSTD_READ
    if (z->map == NULL) {
        size_t got;
        utet_status status = fetch(z, position, z->out, (size_t)n, &got);

        if (status != UTET_OK)
            return status;
        z->out += got;
        *moved = (uint32_t)got;
        return UTET_OK;
    }
#endif
    copy_plain(z->out, z->map + (size_t)position, (size_t)n);
    z->out += n;
    *moved = n;
    return UTET_OK;
}

/* n literals that are in reach: raw or all the same. */
static void plain_literals(utet_zstd *z, uint8_t *out, uint32_t n)
{
    if (z->lit_type == ZS_RLE) {
        fill(out, z->rle, (size_t)n);
    } else {
        copy_plain(out, z->lit.top, (size_t)n);
        z->lit.top += n;
    }
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

static utet_status finish(utet_zstd *z);

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
static utet_status next_stream(utet_zstd *z)
{
    utet_status status;

    if (z->stream_open == 2u) {
        if (!cursor_done(&z->lit))
            return damaged(z);
        z->stream_open = 0;
    }
    if (z->stream_open == 0) {
        uint32_t to = z->lit_end;

        if (z->streams_left == 0)
            return damaged(z);
        if (z->streams_left > 1u)
            to = z->lit_at + z->jump[4u - z->streams_left];
        cursor_open(z, &z->lit, z->lit_at, to);
        z->lit_at = to;
        z->stream_open = 1;
    }
    status = cursor_start(z, &z->lit);
    if (status != UTET_OK)
        return status;
    z->stream_open = 2;
    z->streams_left--;
    z->stream_left = z->streams_left != 0 ? z->quarter : z->later;
    z->later -= z->stream_left;
    return UTET_OK;
}

/* Raw literals: through the cache, or straight into the output when they are many. */
static utet_status more_raw(utet_zstd *z)
{
#if UTET_ZSTD_READ
    uint32_t n = z->ll < room(z) ? z->ll : room(z), moved = 0;
    uint64_t position = z->at + z->lit_at;
    utet_status status;

    if (n > z->later)
        return damaged(z);
    if (n >= z->cache_size) {
        status = direct(z, position, n, &moved);
        if (status == UTET_OK)
            z->ll -= moved;
    } else {
        uint8_t *to = z->lit.cache;
        size_t got = 0;

        status = fetch(z, position, to,
                       z->later < z->cache_size ? (size_t)z->later : z->cache_size, &got);
        moved = (uint32_t)got;
        if (status == UTET_OK) {
            z->lit.top = to;
            z->stream_left = moved;
        }
    }
    if (status == UTET_OK) {
        z->lit_at += moved;
        z->later -= moved;
    }
    return status;
#else
    return damaged(z);
#endif
}

/* z->ll literals to the output, as far as there is room and they are in reach. */
static utet_status take_literals(utet_zstd *z)
{
    while (z->ll != 0) {
        uint32_t most = room(z), n = z->stream_left;
        utet_status status = UTET_OK;

        if (most == 0)
            return no_room(z);
        if (most > z->ll)
            most = z->ll;
        if (most > n)
            most = n;
        if (most == 0) {
            if (z->lit_type >= ZS_HUFFMAN)
                status = next_stream(z);
            else
                status = z->later != 0 ? more_raw(z) : damaged(z);
        } else {
            n = most;
            if (z->lit_type >= ZS_HUFFMAN)
                n = (uint32_t)(ZS_CALL(z, huffman_run)(z, z->out, most) - z->out);
            else
                plain_literals(z, z->out, most);
            z->out += n;
            z->ll -= n;
            z->stream_left -= n;
            if (n != most)
                status = cursor_refill(z, &z->lit);
        }
        if (status != UTET_OK)
            return status;
    }
    return UTET_OK;
}

/* The rest of an interrupted sequence: z->ll literals, then z->ml bytes from z->off back,
 * in words while there is room to spoil, else byte by byte; across the history's end. */
static utet_status finish(utet_zstd *z)
{
    utet_status status = take_literals(z);

    if (status != UTET_OK)
        return status;
    if (z->ml != 0 && z->off - 1u >= reach(z))
        return damaged(z);
    while (z->ml != 0) {
        uint32_t n = room(z);
        size_t here = (size_t)(z->out - z->buf), memory = z->buf_size - here;

        if (n == 0)
            return no_room(z);
        if (n > z->ml)
            n = z->ml;
        if (z->off <= here && n >= 3u && memory > ZS_OVERRUN + 2u) {
            if (n >= ZS_LONG) {
                copy_long(z->out, z->off, (size_t)n);
            } else {
                if (n > memory - ZS_OVERRUN)
                    n = (uint32_t)(memory - ZS_OVERRUN);
                (void)copy_match(z->out, z->off, n);
            }
        } else {
            n = 1;
            here += z->off <= here ? 0u : z->buf_size;
            *z->out = z->buf[here - z->off];
        }
        z->out += n;
        z->ml -= n;
    }
    return UTET_OK;
}

/* ---- frames --------------------------------------------------------------------------------- */

/* Frame_Content_Size: the bytes of the field (Format, "Frame_Content_Size_Flag"). */
static unsigned content_bytes(unsigned descriptor)
{
    unsigned flag = descriptor >> 6;

    return flag != 0 ? 1u << flag : descriptor >> 5 & 1u;
}

/* Of the whole Frame_Header, magic number included. */
unsigned utet_zs_header_bytes(unsigned descriptor)
{
    static const uint8_t id_bytes[4] = {0, 1, 2, 4};

    return 6u - (descriptor >> 5 & 1u) + id_bytes[descriptor & 3u] + content_bytes(descriptor);
}

/* The field ends the header, before `end`. UINT64_MAX without one. */
static uint64_t content_size(const uint8_t *end, unsigned descriptor)
{
    unsigned n = content_bytes(descriptor), i;
    uint64_t size = 0;

    if (n == 0)
        return UINT64_MAX;
    for (i = 0; i < n; i++)
        size = size << 8 | *--end;
    return n == 2u ? size + 256u : size;
}

/* Bytes of the payload from z->at on, as far as they fit 32 bits. */
static ZS_NOINLINE uint32_t rest(const utet_zstd *z)
{
    uint64_t n = z->length - z->at;

    return n >> 32 != 0 ? 0xffffffffu : (uint32_t)n;
}

utet_status utet_zstd_window(const uint8_t *head, size_t len, uint32_t *window, uint64_t *skip)
{
    uint32_t magic;
    unsigned descriptor, n, i;

    *window = 0;
    *skip = 0;
    if (len < 5u)
        return UTET_E_PAYLOAD;
    magic = zs_le32(head);
    if ((magic & 0xfffffff0u) == 0x184d2a50u) {
        if (len < 8u)
            return UTET_E_PAYLOAD;
        *skip = (uint64_t)zs_le32(head + 4) + 8u;
        return UTET_OK;
    }
    if (magic == 0x1eb52ffdu || (magic >= 0xfd2fb522u && magic <= 0xfd2fb527u))
        return UTET_E_ZSTD_LEGACY;
    descriptor = head[4];
    n = utet_zs_header_bytes(descriptor);
    if (magic != ZS_MAGIC || (descriptor & 8u) != 0 || len < n)
        return UTET_E_PAYLOAD;
    i = 5;
    if ((descriptor & 0x20u) != 0) { /* Single_Segment_flag */
        uint64_t size = content_size(head + n, descriptor);

        *window = size >> 32 != 0 ? 0xffffffffu : (uint32_t)size;
    } else { /* Window_Descriptor */
        unsigned log = 10u + (head[i] >> 3);

        if (log > ZS_WINDOW_LOG_MAX)
            return UTET_E_ZSTD_WINDOW;
        *window = ((uint32_t)8u + (head[i] & 7u)) << (log - 3u);
        if (*window > (uint32_t)1 << ZS_WINDOW_LOG_MAX)
            return UTET_E_ZSTD_WINDOW;
        i++;
    }
    for (n -= content_bytes(descriptor); i < n; i++) /* Dictionary_ID */
        if (head[i] != 0)
            return UTET_E_ZSTD_DICT;
    return UTET_OK;
}

/* Frame_Header or skippable frame at z->at; in hand: `have` bytes of it. */
static utet_status parse_frame(utet_zstd *z, uint32_t have)
{
    uint64_t skip;
    uint32_t window;
    unsigned descriptor = have > 4u ? z->head[4] : 0;
    utet_status status = utet_zstd_window(z->head, (size_t)have, &window, &skip);

    if (status != UTET_OK)
        return fail(z, status);
    if (skip != 0) {
        if (skip > z->length - z->at)
            return damaged(z);
        z->at += skip;
        return UTET_OK;
    }
    have = utet_zs_header_bytes(descriptor);
    z->content = content_size(z->head + have, descriptor);
    if (!z->scanning || window > z->window)
        z->window = window;
    z->rep[0] = 1;
    z->rep[1] = 4;
    z->rep[2] = 8;
    z->valid = 0;
    z->tree_bits = 0;
    z->produced = 0;
    z->checksum = descriptor >> 2 & 1u;
    if (z->checksum)
        utet_zs_xxh_begin(&z->xxh);
    z->at += have;
    z->phase = ZS_P_BLOCK;
    return UTET_OK;
}

static utet_status frame_phase(utet_zstd *z)
{
    uint32_t have = rest(z);
    utet_status status;

    if (have > 18u)
        have = 18;
    if (have == 0) {
        if (z->at == 0)
            return damaged(z);
        z->phase = ZS_P_END;
        return UTET_OK;
    }
    status = peek(z, 0, have);
    return status == UTET_OK ? parse_frame(z, have) : status;
}

/* The frame's last block is over: sizes and checksum. */
static utet_status end_phase(utet_zstd *z)
{
    uint32_t n = z->checksum ? 4u : 0u;
    utet_status status;

    if (n > rest(z))
        return damaged(z);
    if (n != 0) {
        status = peek(z, 0, 4);
        if (status != UTET_OK)
            return status;
    }
    if (!z->scanning) {
        if (z->content != UINT64_MAX && z->content != z->produced)
            return damaged(z);
        if (n != 0 && zs_le32(z->head) != utet_zs_xxh_end(&z->xxh, z->produced))
            return fail(z, UTET_E_CHECKSUM);
    }
    z->checksum = 0;
    z->at += n;
    z->phase = ZS_P_FRAME;
    return UTET_OK;
}

/* Block_Maximum_Size. */
static uint32_t block_max(const utet_zstd *z)
{
    return z->window < ZS_BLOCK_SIZE_MAX ? z->window : ZS_BLOCK_SIZE_MAX;
}

static utet_status block_phase(utet_zstd *z)
{
    uint32_t header, type, stored;
    utet_status status;

    if (rest(z) < 3u)
        return damaged(z);
    status = peek(z, 0, 3);
    if (status != UTET_OK)
        return status;
    header = zs_block_header(z->head);
    type = header >> 1 & 3u;
    z->size = header >> 3;
    z->last_block = header & 1u;
    z->rel = 0;
    z->block_left = block_max(z);
    /* A compressed block of a frame without content is legal (errata: 0 literals, 0
     * sequences), so its own size is held against the absolute maximum only. */
    if (type == 3u || z->size > (type == 2u ? ZS_BLOCK_SIZE_MAX : z->block_left))
        return damaged(z);
    z->at += 3u;
    stored = type == 1u ? 1u : z->size;
    if (rest(z) < stored)
        return damaged(z);
    if (z->scanning) {
        z->at += stored;
        z->phase = z->last_block ? ZS_P_CHECKSUM : ZS_P_BLOCK;
    } else {
        z->phase = type == 0 ? ZS_P_RAW : type == 1u ? ZS_P_RLE : ZS_P_LITERALS;
    }
    return UTET_OK;
}

/* What has been decoded of this block is complete; `content` bytes of payload are over. */
static void end_block(utet_zstd *z, uint32_t content)
{
    account(z);
    z->at += content;
    z->phase = z->last_block ? ZS_P_CHECKSUM : ZS_P_BLOCK;
}

static utet_status raw_phase(utet_zstd *z)
{
    while (z->rel != z->size) {
        uint32_t n = room(z), moved;
        utet_status status;

        if (n == 0)
            return no_room(z);
        if (n > z->size - z->rel)
            n = z->size - z->rel;
        status = direct(z, z->at + z->rel, n, &moved);
        if (status != UTET_OK)
            return status;
        z->rel += moved;
    }
    end_block(z, z->size);
    return UTET_OK;
}

static utet_status rle_phase(utet_zstd *z)
{
    uint32_t n = room(z);
    utet_status status = peek(z, 0, 1);

    if (status != UTET_OK)
        return status;
    if (n > z->size - z->rel)
        n = z->size - z->rel;
    fill(z->out, *z->head, (size_t)n);
    z->out += n;
    z->rel += n;
    if (z->rel != z->size)
        return no_room(z);
    end_block(z, 1);
    return UTET_OK;
}

/* ---- compressed blocks: headers -------------------------------------------------------------- */

/* Format, "Literals_Section_Header". */
static utet_status literals_phase(utet_zstd *z)
{
    uint32_t have = z->size < 5u ? z->size : 5u, low = 0, i, format, n, regenerated, stored;
    utet_status status;

    if (z->size < 2u)
        return damaged(z);
    status = peek(z, 0, have);
    if (status != UTET_OK)
        return status;
    for (i = 0; i < have && i < 4u; i++)
        low |= (uint32_t)z->head[i] << 8 * i;
    z->lit_type = low & 3u;
    format = low >> 2 & 3u;
    z->streams_left = 0;
    z->stream_open = 0;
    if (z->lit_type < ZS_HUFFMAN) {
        n = format == 3u ? 3u : format == 1u ? 2u : 1u;
        regenerated = n == 1u ? low >> 3 & 31u : low >> 4 & (n == 2u ? 0xfffu : 0xfffffu);
        stored = z->lit_type == ZS_RAW ? regenerated : 1u;
        z->phase = ZS_P_SECTION;
    } else {
        unsigned width = format < 2u ? 10u : format == 2u ? 14u : 18u;
        uint32_t mask = ((uint32_t)1 << width) - 1u;

        n = format < 2u ? 3u : format + 2u;
        if (have < n)
            return damaged(z);
        regenerated = low >> 4 & mask;
        stored = (low >> (4u + width) | (n == 5u ? (uint32_t)z->head[4] << 10 : 0)) & mask;
        z->streams_left = format == 0 ? 1 : 4;
        if (z->streams_left == 4u && regenerated < 6u)
            return damaged(z);
        z->quarter = (regenerated + 3u) / 4u;
        z->phase = z->lit_type == ZS_HUFFMAN ? ZS_P_TREE : ZS_P_JUMP;
        if (z->lit_type == ZS_TREELESS && z->tree_bits == 0)
            return damaged(z);
    }
    if (regenerated > z->block_left || n + stored >= z->size)
        return damaged(z);
    z->later = regenerated;
    z->stream_left = 0;
    z->lit_at = n;
    z->lit_end = n + stored;
    return UTET_OK;
}

static utet_status tree_phase(utet_zstd *z)
{
    uint32_t have = z->lit_end - z->lit_at, n;
    utet_status status;

    if (have > 128u)
        have = 128;
    if (have == 0)
        return damaged(z);
    status = peek(z, z->lit_at, have);
    if (status != UTET_OK)
        return status;
    n = 1u + (*z->head < 128u ? *z->head : (*z->head - 126u) / 2u);
    if (n > have || !ZS_CALL(z, huffman_tree)(z, z->head, n))
        return damaged(z);
    z->lit_at += n;
    z->phase = ZS_P_JUMP;
    return UTET_OK;
}

static utet_status jump_phase(utet_zstd *z)
{
    uint32_t left = z->lit_end - z->lit_at, i;

    if (z->streams_left == 4u) {
        utet_status status;

        if (left < 6u)
            return damaged(z);
        status = peek(z, z->lit_at, 6);
        if (status != UTET_OK)
            return status;
        left -= 6u;
        for (i = 0; i < 3u; i++) {
            z->jump[i] = (uint16_t)(z->head[2u * i] | (uint16_t)(z->head[2u * i + 1u] << 8));
            if (z->jump[i] == 0 || z->jump[i] > left)
                return damaged(z);
            left -= z->jump[i];
        }
        z->lit_at += 6u;
    }
    if (left == 0)
        return damaged(z);
    z->phase = ZS_P_SECTION;
    return UTET_OK;
}

/* Raw literals and those that are all the same are in reach as soon as the headers are read. */
static void begin_plain(utet_zstd *z)
{
    z->lit.top = z->map != NULL ? z->map + (size_t)z->at + z->lit_at : z->lit.cache;
    if (z->lit_type == ZS_RLE || z->map != NULL) {
        z->stream_left = z->later;
        z->later = 0;
    }
}

/* Format, "Sequences_Section_Header". */
static utet_status section_phase(utet_zstd *z)
{
    uint32_t have = z->size - z->lit_end, rle = z->lit_type == ZS_RLE, n;
    utet_status status;

    if (have > 4u)
        have = 4;
    status = peek(z, z->lit_end - rle, have + rle); /* the literals' byte stands right before */
    if (status != UTET_OK)
        return status;
    z->rle = *z->head;
    z->head += rle;
    z->sequences = z->head[0];
    n = z->sequences < 128u ? 1u : z->sequences < 255u ? 2u : 3u;
    if (have < n + (z->sequences != 0))
        return damaged(z);
    if (n == 2u)
        z->sequences = (z->sequences - 128u) << 8 | z->head[1];
    else if (n == 3u)
        z->sequences = ((uint32_t)z->head[1] | (uint32_t)z->head[2] << 8) + 0x7f00u;
    z->rel = z->lit_end + n;
    if (z->sequences == 0) {
        if (z->rel != z->size)
            return damaged(z);
        z->hold_have = 0; /* as in stream_phase */
        z->phase = ZS_P_REST;
    } else {
        z->modes = z->head[n];
        if ((z->modes & 3u) != 0)
            return damaged(z);
        z->rel++;
        z->phase = ZS_P_TABLE_LL;
    }
    if (z->lit_type < ZS_HUFFMAN)
        begin_plain(z);
    return UTET_OK;
}

/* The table of phase ZS_P_TABLE_LL … ML, as the mode says that stands in the header. */
ZS_NOINLINE static utet_status table_phase(utet_zstd *z)
{
    static const uint8_t symbols[3] = {36, 32, 53}, max_log[3] = {9, 8, 9};
    unsigned i = z->phase - (unsigned)ZS_P_TABLE_LL, mode = (unsigned)z->modes >> (6u - 2u * i) & 3u;
    unsigned bit = 1u << i;
    uint32_t have = z->size - z->rel, n = 0;
    zs_counts d;

    if (mode == 3u) {
        if ((z->valid & bit) == 0)
            return damaged(z);
    } else if (mode != 0 || (z->predefined & bit) == 0) {
        if (mode == 0) {
            default_counts(&d, i);
        } else {
            utet_status status;

            if (have > 80u)
                have = 80;
            if (have == 0)
                return damaged(z);
            status = peek(z, z->rel, have);
            if (status != UTET_OK)
                return status;
            d.log = 0;
            d.symbols = *z->head;
            n = 1;
            if (mode == 1u ? d.symbols >= symbols[i]
                           : !read_counts(&d, z->head, have, symbols[i] - 1u, max_log[i]))
                return damaged(z);
            if (mode == 2u)
                n = d.bytes;
        }
        ZS_CALL(z, sequence_table)(z, i, &d);
        z->predefined = (uint8_t)(mode == 0 ? z->predefined | bit : z->predefined & ~bit);
    }
    z->valid = (uint8_t)(z->valid | bit);
    z->rel += n;
    z->phase++;
    return UTET_OK;
}

/* Opens the sequences' bit stream. The caches are the streams' from here on. */
static utet_status stream_phase(utet_zstd *z)
{
    if (z->rel == z->size)
        return damaged(z);
    z->hold_have = 0;
    cursor_open(z, &z->seq, z->rel, z->size);
    z->phase = ZS_P_BEGIN;
    return UTET_OK;
}

static utet_status begin_phase(utet_zstd *z)
{
    utet_status status = cursor_start(z, &z->seq);

    if (status == UTET_OK)
        z->phase = ZS_P_STATES;
    return status;
}

/* Format, "Starting states". */
static utet_status states_phase(utet_zstd *z)
{
    unsigned i;

    while (z->seq.limit - z->seq.used < 26u && z->seq.below != 0) {
        utet_status status = cursor_refill(z, &z->seq);

        if (status != UTET_OK)
            return status;
    }
    for (i = 0; i < 3u; i++) {
        if (z->seq.used + z->log[i] > z->seq.limit)
            return damaged(z);
        /* packed: with the table's size added (zstd_small_layout.h) */
        z->state[i] = (uint16_t)long_field(&z->seq, z->packed, z->log[i]);
    }
    z->phase = ZS_P_SEQUENCES;
    return UTET_OK;
}

static utet_status sequences_phase(utet_zstd *z)
{
    utet_status status = UTET_OK;

    if ((z->ll | z->ml) != 0)
        status = finish(z);
    if (status == UTET_OK)
        status = ZS_CALL(z, sequences)(z);
    if (status != UTET_OK)
        return status;
    if (!cursor_done(&z->seq))
        return damaged(z);
    z->phase = ZS_P_REST;
    return UTET_OK;
}

/* The literals behind the last sequence, then the ends of all literal streams. */
static utet_status rest_phase(utet_zstd *z)
{
    utet_status status;

    z->ll = z->stream_left + z->later;
    z->ml = 0;
    status = take_literals(z);
    if (status == UTET_OK)
        z->phase = ZS_P_CLOSE;
    return status;
}

static utet_status close_phase(utet_zstd *z)
{
    if (z->lit_type >= ZS_HUFFMAN) {
        while (z->streams_left != 0) {
            utet_status status = next_stream(z);

            if (status != UTET_OK)
                return status;
        }
        if (!cursor_done(&z->lit))
            return damaged(z);
    }
    end_block(z, z->size);
    return UTET_OK;
}

/* ---- the machine ------------------------------------------------------------------------------ */

#if UTET_ZSTD_READ
/* The payload fits: it is read once, from its start, and from then on treated as mapped. */
static utet_status load_phase(utet_zstd *z)
{
    while (z->hold_have < z->length) {
        size_t got;
        utet_status status = fetch(z, z->hold_have, z->lit.cache + z->hold_have,
                                   (size_t)z->length - z->hold_have, &got);

        if (status != UTET_OK)
            return status;
        z->hold_have += got;
    }
    z->map = z->lit.cache;
    z->phase = ZS_P_FRAME;
    return UTET_OK;
}
#endif

/* Goes on until the payload has ended (UTET_END), the slice is full (ZS_FULL: something
 * wants to put out more), or a phase says why not. */
static utet_status run(utet_zstd *z)
{
    utet_status status;

    do {
        switch (z->phase) {
#if UTET_ZSTD_READ
        case ZS_P_LOAD: status = load_phase(z); break;
#endif
        case ZS_P_FRAME: status = frame_phase(z); break;
        case ZS_P_BLOCK: status = block_phase(z); break;
        case ZS_P_RAW: status = raw_phase(z); break;
        case ZS_P_RLE: status = rle_phase(z); break;
        case ZS_P_LITERALS: status = literals_phase(z); break;
        case ZS_P_TREE: status = tree_phase(z); break;
        case ZS_P_JUMP: status = jump_phase(z); break;
        case ZS_P_SECTION: status = section_phase(z); break;
        case ZS_P_TABLE_LL:
        case ZS_P_TABLE_OF:
        case ZS_P_TABLE_ML: status = table_phase(z); break;
        case ZS_P_STREAM: status = stream_phase(z); break;
        case ZS_P_BEGIN: status = begin_phase(z); break;
        case ZS_P_STATES: status = states_phase(z); break;
        case ZS_P_SEQUENCES: status = sequences_phase(z); break;
        case ZS_P_REST: status = rest_phase(z); break;
        case ZS_P_CLOSE: status = close_phase(z); break;
        case ZS_P_CHECKSUM: status = end_phase(z); break;
        default: status = UTET_END; break;
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

static size_t caches(size_t size)
{
    return 2u * (size + ZS_ABOVE);
}

static size_t fixed(unsigned packed)
{
    return packed ? sizeof(zs_packed) : sizeof(zs_tables);
}

/* So much input could be held; the amounts of memory below are sums of that, of an output
 * of at most SIZE_MAX / 2 and of the fixed part: they do not overflow. */
static int holdable(uint64_t length)
{
    return length < SIZE_MAX / 4u;
}

static size_t least(int mapped, size_t past)
{
    return fixed(UTET_ZSTD_PACKED) + (mapped ? 0 : caches(ZS_CACHE_MIN)) + past;
}

utet_status utet_zstd_need(const utet_zstd_job *job, uint64_t window, utet_need *need)
{
    int mapped = job->io->map != NULL;
    size_t past, input = caches(ZS_CACHE_MAX);

    if (job->size > SIZE_MAX / 2u)
        return UTET_E_SPACE;
    past = history(job->dst != NULL, (size_t)job->size, window);
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

/* Where everything lies: context and tables, caches or payload, history. */
static utet_status divide(utet_zstd *z, unsigned packed, size_t input, size_t past)
{
    uint8_t *at = (uint8_t *)z + fixed(packed);

    if (z->packed != packed)
        z->predefined = 0;
    z->packed = (uint8_t)packed;
    z->phase = ZS_P_FRAME;
    z->at = 0;
    z->hold_have = 0;
    if (z->map == NULL) {
        memset(at - ZS_BELOW, 0, input + ZS_BELOW);
        z->lit.cache = at;
        z->seq.cache = at + input / 2u;
        if (z->cache_size == 0)
            z->phase = ZS_P_LOAD;
    }
    if (!z->whole) {
        z->buf = at + input;
        z->buf_size = past;
    }
    z->out = z->mark = z->buf;
    z->opened = 1;
    return UTET_OK;
}

/* The best that z->work_len allows: full tables before the whole payload, that before
 * large caches. */
static utet_status choose(utet_zstd *z)
{
    size_t past = history(z->whole, (size_t)z->total_left, z->window != 0 ? z->window : 1u);
    unsigned packed;

    for (packed = !UTET_ZSTD_TABLES; packed <= UTET_ZSTD_PACKED; packed++) {
        size_t left = z->work_len;

        if (left < fixed(packed) + past)
            continue;
        left -= fixed(packed) + past;
        z->cache_size = 0;
        if (z->map != NULL)
            return divide(z, packed, 0, past);
#if UTET_ZSTD_READ
        if (holdable(z->length) && round_up((size_t)z->length) <= left)
            return divide(z, packed, round_up((size_t)z->length), past);
        for (z->cache_size = ZS_CACHE_MAX; z->cache_size >= ZS_CACHE_MIN; z->cache_size /= 2u)
            if (caches(z->cache_size) <= left)
                return divide(z, packed, caches(z->cache_size), past);
#endif
    }
    z->content = least(z->map != NULL, past);
    return fail(z, UTET_E_BUDGET);
}

utet_status utet_zstd_open(utet_zstd *z)
{
    utet_status status = z->status;

    if (status != UTET_OK || z->opened)
        return status;
    z->scanning = 1;
    do {
        if (z->phase == ZS_P_FRAME)
            status = frame_phase(z);
        else if (z->phase == ZS_P_BLOCK)
            /* no later frame can need more than this one */
            status = z->whole || z->window >= z->total_left ? UTET_END : block_phase(z);
        else if (z->phase == ZS_P_CHECKSUM)
            status = end_phase(z);
        else
            status = UTET_END;
    } while (status == UTET_OK);
    if (status == UTET_E_PAYLOAD && z->window != 0)
        z->status = UTET_OK; /* what comes before the fault is decoded all the same */
    else if (status != UTET_END)
        return status;
    z->scanning = 0;
    z->checksum = 0;
    return choose(z);
}

/* ---- interface ------------------------------------------------------------------------------------ */

static utet_status begin(utet_zstd *z, const utet_zstd_job *job, size_t work_len)
{
    const utet_io *io = job->io;

    if (io == NULL || (io->map == NULL && io->read == NULL) || io->unit > 1u || io->align > 1u ||
        job->offset > io->size || job->length > io->size - job->offset)
        return UTET_E_ARGUMENT;
    z->status = UTET_OK;
    z->opened = z->blocked = z->scanning = z->checksum = 0;
    z->at = 0;
    z->hold_have = z->ready = 0;
    z->ll = z->ml = z->window = 0;
    z->map = NULL;
    z->phase = ZS_P_FRAME;
    z->length = job->length;
    z->offset = job->offset;
    z->total_left = job->size;
    z->at_most = job->at_most;
    z->whole = job->dst != NULL;
    z->buf = job->dst;
    z->buf_size = (size_t)job->size;
    z->work_len = work_len;
    z->read = io->read;
    z->ctx = io->ctx;
    if (io->map != NULL)
        z->map = io->map + (size_t)job->offset;
    z->lit.cache = ((zs_packed *)(void *)z)->list.symbol; /* until memory is divided */
    z->cache_size = 16; /* a frame header, twice over: it is read again afterwards */
    if (job->size > SIZE_MAX / 2u)
        return UTET_E_SPACE;
    return UTET_OK;
}

utet_status utet_zstd_init(utet_zstd **z, const utet_zstd_job *job, void *work, size_t work_len)
{
    if (z == NULL || job == NULL || work == NULL || ((uintptr_t)work & 7u) != 0)
        return UTET_E_ARGUMENT;
    if (work_len < fixed(UTET_ZSTD_PACKED))
        return UTET_E_BUDGET;
    *z = (utet_zstd *)work;
    memset(*z, 0, sizeof **z);
    return begin(*z, job, work_len);
}

utet_status utet_zstd_again(utet_zstd *z, const utet_zstd_job *job)
{
    return begin(z, job, z->work_len);
}

/* A slice of at most `want` bytes, which begins where the last one ended; or the rest of
 * the one that was interrupted, whatever `want` is now: requests of the source repeat. */
static utet_status slice(utet_zstd *z, size_t want)
{
    uint8_t *before;
    size_t n;
    utet_status status;

    if (!z->blocked) {
        if (z->out == z->buf + z->buf_size && z->total_left != 0)
            z->out = z->mark = z->buf;
        n = (size_t)(z->buf + z->buf_size - z->out);
        if (n > want)
            n = want;
        if (n > z->total_left)
            n = (size_t)z->total_left;
        z->end = z->out + n;
    }
    before = z->out;
    status = run(z);
    z->blocked = status == UTET_WOULD_BLOCK;
    z->ready += (size_t)(z->out - before);
    account(z);
    if (status == ZS_FULL && z->total_left == 0)
        return fail(z, z->at_most ? UTET_E_SPACE : UTET_E_PAYLOAD);
    if (status == UTET_END && z->total_left != 0 && !z->at_most)
        return damaged(z);
    return status;
}

utet_status utet_zstd_step(utet_zstd *z, size_t want, const uint8_t **ptr, size_t *len)
{
    utet_status status = z->status;

    *len = 0;
    *ptr = z->out;
    if (status == UTET_OK && !z->opened)
        status = utet_zstd_open(z);
    for (;;) {
        size_t give = z->ready;

        if (status == ZS_FULL)
            status = UTET_OK;
        if (UTET_IS_ERROR(status))
            return status;
        if (z->total_left == 0 && z->phase != ZS_P_END && give != 0)
            give--; /* the last byte waits for the end of the payload */
        /* A request under way is repeated before anything else: no call ends in between. */
        if (give != 0 && !z->blocked) {
            *ptr = z->out - z->ready;
            *len = give < want ? give : want;
            z->ready -= *len;
            return UTET_OK;
        }
        if (status != UTET_OK)
            return status;
        status = z->phase == ZS_P_END ? UTET_END : slice(z, want);
    }
}

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

utet_status utet_zstd_decode(utet_zstd *z)
{
    const uint8_t *from;
    size_t n;
    utet_status status;

    if (!z->whole)
        return UTET_E_ARGUMENT;
    do
        status = utet_zstd_step(z, SIZE_MAX, &from, &n);
    while (status == UTET_OK);
    return status == UTET_END ? UTET_OK : status;
}

uint64_t utet_zstd_needed(const utet_zstd *z)
{
    return z->status == UTET_E_BUDGET ? z->content : 0;
}

uint64_t utet_zstd_where(const utet_zstd *z)
{
    return z->offset + z->at;
}
