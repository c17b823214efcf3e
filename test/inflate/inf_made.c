/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
#include "inf_made.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

void inf_content(uint8_t *to, uint32_t len, unsigned kind, uint32_t seed)
{
    static const char words[] =
        "domain attribute cell_val_num tile extent filter level dimension nullable order the of and 0123456789";
    uint32_t i, from;

    seed |= 1u;
    for (i = 0; i < len; i++) {
        uint32_t r = inf_chance(&seed) >> 8;

        switch (kind) {
        case 0:
            for (from = r % (sizeof words - 9u); i < len; i++) {
                to[i] = (uint8_t)words[from++];
                if (to[i] == ' ' || from == sizeof words - 1u)
                    break;
            }
            break;
        case 1: to[i] = (uint8_t)r; break;
        case 2: to[i] = 0; break;
        case 3: to[i] = (uint8_t)(i % 4u == 0 ? i / 4u : i % 4u == 1u ? i / 1024u : 0); break;
        case 4: to[i] = (uint8_t)("aaaabbcd"[r % 8u] + (r % 512u == 0 ? 9 : 0)); break;
        default: to[i] = i > 33000u ? to[i - 32768u + (r % 4096u == 0)] : (uint8_t)(r % 251u); break;
        }
    }
}

uint32_t inf_compress(uint8_t *to, const uint8_t *from, uint32_t len, int level, int window, int memory, int strategy,
                      int flush)
{
    z_stream s;
    uint32_t at = 0;

    memset(&s, 0, sizeof s);
    if (deflateInit2(&s, level, Z_DEFLATED, window, memory, strategy) != Z_OK)
        abort();
    s.next_out = to;
    s.avail_out = 2u * INF_MOST;
    while (at < len) {
        uint32_t n = flush == 0 ? len : 300u;

        n = n < len - at ? n : len - at;
        s.next_in = (Bytef *)(uintptr_t)(from + at);
        s.avail_in = n;
        if (deflate(&s, flush) != Z_OK || s.avail_in != 0)
            abort();
        at += n;
    }
    if (deflate(&s, Z_FINISH) != Z_STREAM_END)
        abort();
    (void)deflateEnd(&s);
    return (uint32_t)s.total_out;
}

/* ---- random blocks ---- */

static uint32_t chance;
static uint8_t *stream;
static uint32_t stream_len;
static unsigned bit_count;
static uint8_t made[INF_MOST + 512];
static uint32_t made_len;

static unsigned one_of(unsigned n) /* 0..n-1 */
{
    return (unsigned)((inf_chance(&chance) >> 4) % n);
}

static void put(uint32_t value, unsigned bits)
{
    for (; bits != 0; bits--, value >>= 1) {
        if (bit_count == 0)
            stream[stream_len++] = 0;
        stream[stream_len - 1u] = (uint8_t)(stream[stream_len - 1u] | (value & 1u) << bit_count);
        bit_count = (bit_count + 1u) % 8u;
    }
}

/* Lengths of a complete code of `leaves` (≥ 2) symbols, none longer than `deepest`. */
static void complete(uint8_t *leaf, unsigned leaves, unsigned deepest)
{
    unsigned n = 2, i;

    leaf[0] = leaf[1] = 1;
    while (n < leaves) {
        i = one_of(3) == 0 ? n - 1u : one_of(n); /* occasionally deep ones */
        if (leaf[i] < deepest) {
            leaf[n++] = ++leaf[i];
        }
    }
}

/* A code for the symbols that `use` marks, out of `count`; occasionally not complete. */
static void code_for(uint8_t *length, const uint8_t *use, unsigned count, unsigned deepest)
{
    uint8_t leaf[320];
    unsigned i, n = 0, k = 0;

    memset(length, 0, count);
    for (i = 0; i < count; i++)
        n += use[i];
    if (n == 0)
        return;
    if (n == 1u)
        leaf[0] = (uint8_t)(one_of(20) == 0 ? 2u : 1u);
    else
        complete(leaf, n, deepest);
    for (i = n; i > 1u; i--) {
        unsigned j = one_of(i);
        uint8_t t = leaf[j];

        leaf[j] = leaf[i - 1u];
        leaf[i - 1u] = t;
    }
    for (i = 0; i < count; i++)
        if (use[i])
            length[i] = leaf[k++];
    if (one_of(40) == 0) {
        i = one_of(count);
        length[i] = (uint8_t)one_of(deepest + 1u);
    }
}

typedef struct code {
    uint8_t length[320];
    uint32_t value[320]; /* first bit lowest */
} code;

static void number(code *c, unsigned count)
{
    unsigned next[17] = {0}, length, i, bit;

    for (i = 0; i < count; i++)
        next[c->length[i] + 1u] += c->length[i] != 0;
    for (length = 2; length <= 15; length++)
        next[length] = (next[length] + next[length - 1u]) << 1;
    for (i = 0; i < count; i++) {
        unsigned v = next[c->length[i]];

        c->value[i] = 0;
        if (c->length[i] == 0)
            continue;
        next[c->length[i]]++;
        for (bit = 0; bit < c->length[i]; bit++)
            c->value[i] |= (v >> bit & 1u) << (c->length[i] - 1u - bit);
    }
}

static code literal, distance;

static void emit(const code *c, unsigned symbol)
{
    put(c->value[symbol], c->length[symbol]);
}

static unsigned pick(const code *c, unsigned from, unsigned to)
{
    unsigned tries, s = 0;

    for (tries = 0; tries < 60u; tries++) {
        s = from + one_of(to - from);
        if (c->length[s] != 0)
            return s;
    }
    return UINT32_MAX;
}

static void match(unsigned symbols, unsigned distances)
{
    static const uint16_t base[29] = {3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                      31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
    static const uint16_t back[30] = {1,    2,    3,    4,    5,    7,    9,    13,    17,    25,
                                      33,   49,   65,   97,   129,  193,  257,  385,   513,   769,
                                      1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};
    unsigned s = symbols > 257u ? pick(&literal, 257, symbols) : UINT32_MAX, d = pick(&distance, 0, distances), extra,
             more;
    uint32_t length, far;

    if (made_len > 32768u && distances > 24u && one_of(4) != 0) /* the largest number of bits for a distance */
        d = pick(&distance, 24, distances);
    if (s == UINT32_MAX || d == UINT32_MAX)
        return;
    if (s > 285u || d > 29u) { /* neither a length nor a distance: occasionally */
        if (one_of(20) == 0) {
            emit(&literal, s);
            emit(&distance, d);
        }
        return;
    }
    extra = s < 265u || s == 285u ? 0 : (s - 261u) / 4u;
    length = base[s - 257u] + (more = extra != 0 ? one_of(1u << extra) : 0);
    far = back[d];
    if (made_len + length > INF_MOST || (far > made_len && one_of(60) != 0))
        return;
    emit(&literal, s);
    put(more, extra);
    extra = d < 4u ? 0 : d / 2u - 1u;
    more = extra != 0 ? one_of(1u << extra) : 0;
    if (far + more > made_len && one_of(60) != 0)
        more = 0;
    emit(&distance, d);
    put(more, extra);
    far += more;
    for (; length != 0; length--, made_len++)
        made[made_len] = far <= made_len ? made[made_len - far] : 0;
}

static void body(unsigned symbols, unsigned distances)
{
    unsigned tokens = one_of(4) == 0 ? one_of(2000) : one_of(80), s;

    for (; tokens != 0; tokens--) {
        if (one_of(3) == 0)
            match(symbols, distances);
        else if ((s = pick(&literal, 0, 256)) != UINT32_MAX && made_len < INF_MOST) {
            emit(&literal, s);
            made[made_len++] = (uint8_t)s;
        }
        if (stream_len > INF_MADE - 4000u)
            break;
    }
    if (one_of(60) != 0)
        emit(&literal, 256);
}

static void fixed(void)
{
    unsigned i;

    for (i = 0; i < 288u; i++)
        literal.length[i] = (uint8_t)(i < 144u ? 8 : i < 256u ? 9 : i < 280u ? 7 : 8);
    memset(distance.length, 5, 32);
    number(&literal, 288);
    number(&distance, 32);
    body(288, 32);
}

/* The code lengths of a dynamic block: a symbol and its extra bits each. */
static unsigned runs(const uint8_t *length, unsigned all, uint8_t *symbol, uint8_t *extra)
{
    unsigned at = 0, n = 0;

    while (at < all) {
        unsigned run = 1;

        while (at + run < all && length[at + run] == length[at] && run < 138u)
            run++;
        if (at > 0 && length[at] == length[at - 1u] && run >= 3u && one_of(3) != 0) {
            run = run < 6u ? run : 6u;
            symbol[n] = 16;
            extra[n++] = (uint8_t)(run - 3u);
        } else if (length[at] == 0 && run >= 3u && one_of(4) != 0) {
            if (run > 10u && one_of(4) != 0) {
                symbol[n] = 18;
                extra[n++] = (uint8_t)(run - 11u);
            } else {
                run = run < 10u ? run : 10u;
                symbol[n] = 17;
                extra[n++] = (uint8_t)(run - 3u);
            }
        } else {
            run = 1;
            symbol[n] = length[at];
            extra[n++] = 0;
        }
        at += run;
    }
    if (one_of(50) == 0) { /* a run that continues after the last one, or repeats nothing */
        unsigned where = one_of(2) == 0 ? 0 : n - 1u;

        symbol[where] = (uint8_t)(16u + one_of(3));
        extra[where] = (uint8_t)one_of(4);
    }
    return n;
}

static void dynamic(void)
{
    static const uint8_t order[19] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
    uint8_t use[320], all[320], symbol[320], extra[320];
    unsigned symbols = 257u + one_of(one_of(20) == 0 ? 32u : 30u), distances = 1u + one_of(one_of(20) == 0 ? 32u : 30u),
             i, n, described, share = 1u + one_of(8);
    static code lengths;

    if (made_len > 32768u && one_of(2) == 0)
        distances = 30;
    memset(use, 0, sizeof use);
    for (i = 0; i < symbols; i++)
        use[i] = one_of(10) < share;
    if (one_of(8) == 0)
        memset(use, 0, 256);
    if (one_of(8) == 0)
        memset(use + 257, 0, 40);
    use[256] = one_of(40) != 0;
    code_for(literal.length, use, symbols, 15);
    memset(use, 0, sizeof use);
    share = one_of(11);
    for (i = 0; i < distances; i++)
        use[i] = one_of(10) < share;
    if (one_of(6) == 0) {
        memset(use, 0, sizeof use);
        use[one_of(distances)] = one_of(3) != 0;
    }
    code_for(distance.length, use, distances, 15);
    if (made_len > 32768u && distances == 30u) /* the longest codes for the farthest distances */
        for (i = 0; i < 30u; i++)
            distance.length[i] = (uint8_t)(i < 14u ? 0 : i < 29u ? i - 13u : 15u);
    memcpy(all, literal.length, symbols);
    memcpy(all + symbols, distance.length, distances);
    n = runs(all, symbols + distances, symbol, extra);
    memset(use, 0, sizeof use);
    for (i = 0; i < n; i++)
        use[symbol[i]] = 1;
    if (one_of(3) == 0)
        use[one_of(19)] = 1;
    code_for(lengths.length, use, 19, 7);
    number(&lengths, 19);
    for (described = 19; described > 4u && lengths.length[order[described - 1u]] == 0; described--)
        ;
    if (one_of(4) == 0)
        described = 19;
    put(symbols - 257u, 5);
    put(distances - 1u, 5);
    put(described - 4u, 4);
    for (i = 0; i < described; i++)
        put(lengths.length[order[i]], 3);
    for (i = 0; i < n; i++) {
        emit(&lengths, symbol[i]);
        put(extra[i], symbol[i] == 16 ? 2u : symbol[i] == 17 ? 3u : symbol[i] == 18 ? 7u : 0);
    }
    number(&literal, symbols);
    number(&distance, distances);
    if (one_of(10) == 0) /* random bits: codes that do not exist */
        for (i = one_of(60); i != 0; i--)
            put(inf_chance(&chance), 8);
    else
        body(symbols, distances);
}

static void stored(unsigned n)
{
    unsigned i;

    if (made_len + n > INF_MOST || stream_len + n > INF_MADE - 4000u)
        n = 0;
    bit_count = 0;
    put(n, 16);
    put(one_of(60) == 0 ? n : ~n, 16);
    for (i = 0; i < n; i++)
        put(made[made_len++] = (uint8_t)one_of(256), 8);
}

uint32_t inf_made(uint8_t *to, uint32_t seed, uint32_t *size)
{
    unsigned cmf, flg, blocks;
    uint32_t sum;

    chance = seed * 2654435761u ^ 0x5bd1e995u;
    chance += chance == 0;
    (void)inf_chance(&chance);
    stream = to;
    stream_len = made_len = 0;
    bit_count = 0;
    cmf = (one_of(40) == 0 ? one_of(16) : 7u) << 4 | (one_of(100) == 0 ? one_of(16) : 8u);
    flg = one_of(4) << 6 | (one_of(100) == 0 ? 32u : 0);
    flg += (31u - (cmf << 8 | flg) % 31u) % 31u;
    put(cmf, 8);
    put(one_of(100) == 0 ? flg ^ 1u : flg, 8);
    if (one_of(25) == 0) { /* so that matches reach far */
        put(0, 3);
        stored(33000);
    }
    for (blocks = 1u + one_of(4); blocks != 0; blocks--) {
        unsigned kind = one_of(80) == 0 ? 3u : one_of(6);

        put(blocks == 1u, 1);
        put(kind == 3u ? 3u : kind == 0 ? 0 : kind == 1u ? 1u : 2u, 2);
        if (kind == 0)
            stored(one_of(4) == 0 ? one_of(5000) : one_of(40));
        else if (kind == 1u)
            fixed();
        else if (kind != 3u)
            dynamic();
        if (stream_len > INF_MADE - 4000u && blocks > 1u)
            blocks = 2;
    }
    bit_count = 0;
    sum = (uint32_t)adler32(1, made, made_len);
    sum ^= one_of(40) == 0 ? 1u << one_of(32) : 0;
    put(sum >> 24 | (sum >> 8 & 0xff00u) | (sum & 0xff00u) << 8 | sum << 24, 32);
    if (one_of(40) == 0)
        put(0, 8u * (1u + one_of(5)));
    *size = made_len;
    if (one_of(20) == 0)
        *size += one_of(2) == 0 && made_len < INF_MOST ? 1u : made_len != 0 ? (uint32_t)-1 - one_of(made_len) : 0;
    return stream_len;
}
