/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Frames whose tables are random: FSE descriptions of any counts with the right sum, also of symbols that no table can
 * have, trees of weights that they code, literals coded by those, sequences. Compressors do not write such tables, and
 * mutation destroys their sums. Nothing is encoded: the bits of a state or a code are chosen in the order in which a
 * decoder requests them, as the RFC describes. Many frames are valid, others break where chance left the rules.
 */
#include "zs_made.h"

#include <string.h>

#include "zs_run.h"

enum { MOST_BITS = 1 << 15, WEIGHTS = 256, PAST = 48 };

typedef struct cell {
    uint8_t symbol, bits;
    uint16_t base;
} cell;

typedef struct table {
    unsigned log;
    cell cells[512];
} table;

typedef struct maker {
    uint8_t *out; /* the frame */
    size_t n;
    uint32_t seed;
    uint8_t bit[MOST_BITS]; /* of a stream that is read backwards, in reading order */
    size_t bits;
    uint32_t forward; /* bits of a description that do not fill a byte yet, and their number */
    unsigned pending;
} maker;

static unsigned upto(maker *m, unsigned most)
{
    return zs_random(&m->seed) % (most + 1u);
}

static void put(maker *m, uint32_t v, unsigned bytes)
{
    for (; bytes != 0; bytes--, v >>= 8)
        m->out[m->n++] = (uint8_t)v;
}

static unsigned log2_of(unsigned v)
{
    unsigned n = 0;

    while (v >>= 1)
        n++;
    return n;
}

/* ---- bit streams ---- */

static void push(maker *m, unsigned v, unsigned bits)
{
    while (bits-- != 0 && m->bits < MOST_BITS)
        m->bit[m->bits++] = v >> bits & 1u;
}

static unsigned push_any(maker *m, unsigned bits)
{
    unsigned v = zs_random(&m->seed) & ((1u << bits) - 1u);

    push(m, v, bits);
    return v;
}

/* Turns the stream into bytes: the second bit is below the first bit that is read, and above it are a one and zeros. */
static void put_stream(maker *m)
{
    size_t total = m->bits + 1u, i;
    uint8_t *at = m->out + m->n;

    memset(at, 0, (total + 7u) / 8u);
    for (i = 0; i < m->bits; i++)
        at[(m->bits - 1u - i) / 8u] |= (uint8_t)(m->bit[i] << (m->bits - 1u - i) % 8u);
    at[m->bits / 8u] |= (uint8_t)(1u << m->bits % 8u);
    m->n += (total + 7u) / 8u;
    m->bits = 0;
}

static void forward(maker *m, uint32_t v, unsigned bits)
{
    m->forward |= v << m->pending;
    for (m->pending += bits; m->pending >= 8u; m->pending -= 8u, m->forward >>= 8)
        put(m, m->forward & 255u, 1);
}

/* ---- FSE tables ---- */

/* One value of a description: as many bits as `left` + 1 needs, one less for the low values. */
static void put_count(maker *m, unsigned left, int count)
{
    unsigned value = (unsigned)(count + 1), bits = log2_of(left + 1u) + 1u, low = (1u << bits) - 2u - left;

    if (value < low)
        forward(m, value, bits - 1u);
    else
        forward(m, value < 1u << (bits - 1u) ? value : value + low, bits);
}

static void spread(table *t, const int16_t *count)
{
    unsigned size = 1u << t->log, high = size, place = 0, s;
    unsigned next[256];
    int i;

    for (s = 0; s < 256u; s++) {
        next[s] = count[s] > 0 ? (unsigned)count[s] : 1u;
        if (count[s] < 0)
            t->cells[--high].symbol = (uint8_t)s;
    }
    for (s = 0; s < 256u; s++)
        for (i = 0; i < count[s]; i++) {
            t->cells[place].symbol = (uint8_t)s;
            do
                place = (place + (size >> 1) + (size >> 3) + 3u) & (size - 1u);
            while (place >= high);
        }
    for (s = 0; s < size; s++) {
        cell *c = &t->cells[s];
        unsigned x = next[c->symbol]++;

        c->bits = (uint8_t)(t->log - log2_of(x));
        c->base = (uint16_t)((x << c->bits) - size);
    }
}

/* A table of symbols, mostly up to `last`; appends its description to the frame. */
static void put_table(maker *m, table *t, unsigned last, unsigned max_log)
{
    int16_t count[256] = {0};
    unsigned left, s = 0, far = upto(m, 7) == 0;

    t->log = 5u + upto(m, max_log - 5u);
    left = 1u << t->log;
    m->forward = m->pending = 0;
    forward(m, t->log - 5u, 4);
    while (left != 0 && s < 256u) { /* beyond: damaged */
        unsigned kind = upto(m, 7);
        int n = (int)(1u + upto(m, (kind & 1u ? left : left < 4u ? left : 4u) - 1u));

        if (kind < 2u)
            n = -1;
        else if (kind < 4u || (far && s > 4u && s < last && kind < 7u))
            n = 0;
        if (s >= last && upto(m, 3) != 0)
            n = n < 0 && left == 1u ? -1 : (int)left;
        count[s++] = (int16_t)n;
        put_count(m, left, n);
        left -= (unsigned)(n < 0 ? -n : n);
        if (n == 0) { /* more such, three at a time */
            unsigned more = s < last ? upto(m, far ? last - s : 4u) : 0;

            for (s += more; more >= 3u; more -= 3u)
                forward(m, 3, 2);
            forward(m, more, 2);
        }
    }
    forward(m, 0, 7);
    m->pending = 0;
    spread(t, count);
}

/* Moves from the state's cell to the next one by random bits, but to a symbol of at most `wish` if there is one
 * soon. */
static unsigned step(maker *m, const table *t, unsigned base, unsigned bits, unsigned wish)
{
    unsigned tries = 24, v;

    do
        v = zs_random(&m->seed) & ((1u << bits) - 1u);
    while (t->cells[base + v].symbol > wish && --tries != 0);
    push(m, v, bits);
    return base + v;
}

/* ---- literals ---- */

/* The weight that completes n others to a tree; 0 if there is none. */
static unsigned last_weight(const uint8_t *weight, unsigned n)
{
    unsigned sum = 0, ones = 0, rest, i;

    for (i = 0; i < n; i++) {
        if (weight[i] > 11u)
            return 0;
        sum += weight[i] != 0 ? 1u << (weight[i] - 1u) : 0;
        ones += weight[i] == 1u;
    }
    if (sum == 0 || log2_of(sum) > 10u)
        return 0;
    rest = (2u << log2_of(sum)) - sum;
    ones += rest == 1u;
    return (rest & (rest - 1u)) == 0 && ones >= 2u ? log2_of(rest) + 1u : 0;
}

/* Two states alternate; at a state that needs bits the stream may end, and the other state has the last weight. */
static unsigned fse_weights(maker *m, uint8_t *weight)
{
    static const uint8_t lasts[] = {1, 2, 3, 5, 11, 12, 60, 255};
    const size_t head = m->n++;
    const unsigned wish = 1u + upto(m, 4);
    unsigned n = 0, s[2];
    table t;

    put_table(m, &t, lasts[upto(m, 7)], 6);
    s[0] = step(m, &t, 0, t.log, wish);
    s[1] = step(m, &t, 0, t.log, wish);
    for (;;) {
        const cell *c = &t.cells[s[n & 1u]];

        weight[n++] = c->symbol;
        weight[n] = t.cells[s[n & 1u]].symbol;
        if (c->bits != 0 && (n > 100u || (last_weight(weight, n + 1u) != 0 && upto(m, 2) == 0)))
            break;
        if (n > 254u)
            break; /* damaged */
        s[(n - 1u) & 1u] = step(m, &t, c->base, c->bits, wish);
    }
    put_stream(m);
    m->out[head] = (uint8_t)(m->n - head - 1u);
    return n + 1u;
}

static unsigned direct_weights(maker *m, uint8_t *weight)
{
    const unsigned most = 1u + upto(m, 60);
    unsigned n = 0, i;

    do
        weight[n++] = (uint8_t)upto(m, upto(m, 40) == 0 ? 15 : 4);
    while (n != most && (last_weight(weight, n) == 0 || upto(m, 2) != 0));
    weight[n] = 0;
    put(m, 127u + n, 1);
    for (i = 0; i < n; i += 2)
        put(m, (unsigned)weight[i] << 4 | weight[i + 1], 1);
    return n;
}

/* Random literals in one stream, as the weights require: codes ascend with weight and symbol. */
static void put_literals(maker *m, const uint8_t *weight, unsigned symbols, unsigned n)
{
    uint16_t code[WEIGHTS];
    unsigned bits = 0, next = 0, w, i;

    for (i = 0; i < symbols; i++)
        bits += weight[i] != 0 ? 1u << (weight[i] - 1u) : 0;
    bits = log2_of(bits);
    for (w = 1; w <= bits; w++, next >>= 1)
        for (i = 0; i < symbols; i++)
            if (weight[i] == w)
                code[i] = (uint16_t)next++;
    for (; n != 0; n--) {
        i = upto(m, symbols - 1u);
        while (weight[i] == 0)
            i = (i + 1u) % symbols;
        push(m, code[i], bits + 1u - weight[i]);
    }
    put_stream(m);
}

/* A Compressed_Literals_Block of n literals; a quarter of them has four streams. */
static void put_section(maker *m, unsigned n)
{
    const size_t head = m->n;
    uint8_t weight[WEIGHTS + 2];
    unsigned count, last, four = n >= 6u && upto(m, 3) == 0, i;

    m->n += 3u;
    count = upto(m, 5) == 0 ? direct_weights(m, weight) : fse_weights(m, weight);
    last = last_weight(weight, count);
    if (last != 0 && count < WEIGHTS) {
        size_t jump = m->n;

        weight[count++] = (uint8_t)last;
        m->n += four ? 6u : 0;
        for (i = 0; i < (four ? 4u : 1u); i++) {
            size_t from = m->n, end;

            put_literals(m, weight, count, !four ? n : i < 3u ? (n + 3u) / 4u : n - 3u * ((n + 3u) / 4u));
            end = m->n;
            if (four && i < 3u) {
                m->n = jump + 2u * i;
                put(m, (uint32_t)(end - from), 2);
                m->n = end;
            }
        }
    } else {
        (void)push_any(m, 20);
        put_stream(m);
    }
    i = (unsigned)(m->n - head) - 3u;
    m->n = head;
    put(m, 2u | four << 2 | n << 4 | i << 14, 3);
    m->n += i;
}

/* ---- sequences ---- */

/* Format, "The codes for literals lengths, match lengths, and offsets": bits after a code. */
static unsigned extra(unsigned kind, unsigned code)
{
    static const uint8_t bits[] = {1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
    static const uint8_t ll_bits[] = {1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};

    if (kind == 1u)
        return code;
    if (kind == 0)
        return code < 16u ? 0 : ll_bits[code < 36u ? code - 16u : 0];
    return code < 32u ? 0 : bits[code < 53u ? code - 32u : 0];
}

/* `count` sequences, 1 to 127, whose tables are described here or have one cell. */
static void put_sequences(maker *m, unsigned count)
{
    static const uint8_t last[3] = {35, 31, 52}, max_log[3] = {9, 8, 9}, wish[3] = {3, 5, 40}, order[3] = {1, 2, 0},
                         update[3] = {0, 2, 1};
    const size_t modes = m->n + 1u;
    unsigned s[3], i;
    table t[3];

    put(m, count, 2);
    for (i = 0; i < 3u; i++) {
        unsigned mode = 1u + (upto(m, 4) != 0);

        m->out[modes] |= (uint8_t)(mode << (6u - 2u * i));
        if (mode == 2u) {
            put_table(m, &t[i], upto(m, 20) == 0 ? last[i] + 1u : 2u + upto(m, last[i] - 2u), max_log[i]);
        } else {
            const cell only = {(uint8_t)upto(m, upto(m, 3) == 0 ? last[i] + 1u : wish[i]), 0, 0};

            t[i].log = 0;
            t[i].cells[0] = only;
            put(m, only.symbol, 1);
        }
    }
    for (i = 0; i < 3u; i++)
        s[i] = step(m, &t[i], 0, t[i].log, wish[i]);
    for (;;) {
        for (i = 0; i < 3u; i++)
            (void)push_any(m, extra(order[i], t[order[i]].cells[s[order[i]]].symbol) & 31u);
        if (--count == 0)
            break;
        for (i = 0; i < 3u; i++) {
            const cell *c = &t[update[i]].cells[s[update[i]]];

            s[update[i]] = step(m, &t[update[i]], c->base, c->bits, wish[update[i]]);
        }
    }
    put_stream(m);
}

/* ---- frames ---- */

/* A window of 2 MiB. */
static void put_frame_header(maker *m, uint8_t *out, uint32_t seed)
{
    m->out = out;
    m->n = m->bits = 0;
    m->seed = seed;
    put(m, 0xFD2FB528u, 4);
    put(m, 0x5800, 2);
}

/* The last block, compressed, which begins at `at` and ends here. */
static void put_block_header(maker *m, size_t at)
{
    const size_t end = m->n;

    m->n = at;
    put(m, 1u | 2u << 1 | (uint32_t)(end - at - 3u) << 3, 3);
    m->n = end;
}

size_t zs_made(uint8_t *out, uint32_t seed)
{
    static maker m;
    size_t block;
    unsigned i;

    put_frame_header(&m, out, seed);
    put(&m, PAST << 3, 3); /* a raw block that matches may reach into */
    for (i = 0; i < PAST; i++)
        put(&m, i * 7u & 255u, 1);
    block = m.n;
    put(&m, 0, 3);
    put_section(&m, 1u + upto(&m, 199));
    if (upto(&m, 1) == 0)
        put(&m, 0, 1);
    else
        put_sequences(&m, 1u + upto(&m, 19));
    put_block_header(&m, block);
    return m.n;
}

static maker *part(uint8_t *out, uint32_t seed)
{
    static maker m;

    memset(out, 0, ZS_MADE);
    m.out = out;
    m.n = m.bits = 0;
    m.seed = seed;
    return &m;
}

size_t zs_made_literals(uint8_t *out, uint32_t seed, unsigned n)
{
    maker *m = part(out, seed);

    put_section(m, n);
    return m->n;
}

size_t zs_made_tree(uint8_t *out, uint32_t seed)
{
    uint8_t weight[WEIGHTS + 2];
    maker *m = part(out, seed);

    (void)(upto(m, 3) == 0 ? direct_weights(m, weight) : fse_weights(m, weight));
    return m->n;
}

size_t zs_made_sequences(uint8_t *out, uint32_t seed, unsigned count)
{
    maker *m = part(out, seed);

    put_sequences(m, count);
    return m->n;
}

size_t zs_made_table(uint8_t *out, uint32_t seed, unsigned last, unsigned max_log)
{
    maker *m = part(out, seed);
    table t;

    put_table(m, &t, last, max_log);
    return m->n;
}

size_t zs_long(uint8_t *out, unsigned i)
{
    const uint32_t few = 10u + i / 3u * 31u;
    static maker m;

    put_frame_header(&m, out, 0);
    put(&m, 0, 3);
    put(&m, 1u | 3u << 2 | 131071u << 4, 3); /* RLE_Literals_Block, Size_Format 3 */
    put(&m, 'a', 1);
    put(&m, 0x5401, 2); /* one sequence, RLE_Mode three times */
    if (i % 3u == 0) {  /* 32768 + few literals, 32768 bytes that match */
        put(&m, 50u << 16 | 34u, 3);
        push(&m, 32768u - 16387u, 14);
        push(&m, few, 15);
    } else if (i % 3u == 1u) { /* 65536 + few, 3 */
        put(&m, 35, 3);
        push(&m, few, 16);
    } else { /* 8, 65539 + few */
        put(&m, 52u << 16 | 8u, 3);
        push(&m, few, 16);
    }
    put_stream(&m);
    put_block_header(&m, 6);
    return m.n;
}
