/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Frama-C EVA over the built-in zstd decoder, with words that are only loaded from addresses that are multiples of 4.
 * EVA_PART 1: loads, copies, streams that end where the payload does; 2, 3: Huffman literals of the layouts "tables"
 * and packed; 4, 5: their Huffman tables and weights. An alarm is possible undefined behaviour.
 *
 * Addresses matter here, so the bytes in question are at absolute addresses (-absolute-valid-range below), from LOW to
 * HIGH; there is no memory outside of these. If a loop begins with a pointer to a word, the harness asserts that it is
 * a multiple of 4. Positions and lengths are tried one by one, because EVA does not relate two numbers.
 *
 * eva.sh: 5 parts, x86_32
 *   1: -eva-slevel 1000 -eva-slevel-function eva_main:100000,stream:10000 -absolute-valid-range 0x10000-0x10800
 *   2: -eva-slevel 1000 -eva-slevel-function eva_main:100000 -absolute-valid-range 0x10000-0x1001b
 *   3: -eva-slevel 1000 -eva-slevel-function eva_main:100000 -absolute-valid-range 0x10000-0x1001b
 *       -eva-use-spec packed_huffman_deep
 *   4 5: -eva-slevel 10000 -eva-slevel-function eva_main:100000 -absolute-valid-range 0x10000-0x1002b
 */
#include <stddef.h>
#include <stdint.h>

#include "eva_any.h"

#define UTET_ZSTD_ALIGNED 1
#define __asm__(...) (void)0 /* hints for the compiler, without code */
#define PACKED (EVA_PART % 2)
#define LOW 0x10000u

#if EVA_PART == 5
#define UTET_ZSTD_TABLES 0 /* so weights have the cells of the packed layout */
#endif
#include "zstd/zstd_decoder.h"
#if EVA_PART == 1
#undef UTET_ZSTD_TABLES
#undef UTET_ZSTD_PACKED
#define UTET_ZSTD_TABLES 0
#define UTET_ZSTD_PACKED 0
#include "zstd/zstd_source.c"
#include "zstd/zstd_execute.c"
#include "zstd/zstd_hot.c"
#else
#if PACKED
#include "zstd/zstd_layout_packed.h"
#else
#include "zstd/zstd_layout_tables.h"
#endif
#include "zstd/zstd_words_loops.h"
#include "zstd/zstd_words_literals.h"
#if EVA_PART >= 4
#include "zstd/zstd_source.c"
#include "zstd/zstd_words_tree.h"
#endif
static ZS_LAYOUT t;
#endif

/* Memory at an absolute address. */
static uint8_t *at(size_t place)
{
    return (uint8_t *)(uintptr_t)(LOW + place);
}

#if EVA_PART == 1
enum { SIZE = 0x801, STREAM = 60 }; /* the payload ends where memory does: 3 bytes below a multiple of 4 */

/* The bits after the first `used` bits of a stream whose top is `top`. */
static void bits(unsigned top, unsigned n)
{
    const uint32_t used = (uint32_t)Frama_C_interval(0, (int)(8u * n));

    (void)zs_bits(at(top), used);
}

/* n bytes from `off` back, in the largest parts, and as one match. */
static void match(unsigned place, unsigned off, unsigned n)
{
    uint8_t *const stop = zs_copy_match(at(place), off, n);

    /*@ assert stop: stop == (uint8_t *)(LOW + place + n); */
}

/* The offset that comes first, second or third, and the one before the first. */
static void repeated(void)
{
    uint32_t rep[3];
    unsigned i;

    for (i = 0; i <= 3u; i++) {
        Frama_C_make_unknown((char *)rep, sizeof rep);
        (void)zs_repeated(rep, i);
    }
}

/* A stream of `length` bytes that ends that many bytes before the payload's end; then `skip` of its bytes are used. */
static void stream(unsigned length, unsigned left, unsigned skip)
{
    utet_zstd *z = (utet_zstd *)(void *)at(0);
    const unsigned place = (length + left + skip) % 8u;

    Frama_C_make_unknown((char *)z, sizeof *z);
    z->map = at(SIZE - STREAM);
    z->where = 10;
    z->length = STREAM;
    z->at_hand = 1;
    *at(SIZE - 1u - left) = (uint8_t)Frama_C_interval(1 << place, (2 << place) - 1); /* of the first bit */
    utet_zs_cursor_open(z, &z->seq, STREAM - 10u - left - length, STREAM - 10u - left);
    if (utet_zs_cursor_start(z, &z->seq, 34) == UTET_OK) {
        (void)utet_zs_long_field(1, &z->seq, (unsigned)Frama_C_interval(0, 16));
        z->seq.used = z->seq.limit - (z->seq.limit > 8u * skip ? 8u * skip : 0);
        (void)zs_bits(z->seq.top, z->seq.used);
        (void)utet_zs_cursor_refill(z, &z->seq);
        if (z->seq.used <= z->seq.limit)
            (void)zs_bits(z->seq.top, z->seq.used);
    }
}

void eva_main(void)
{
    static const uint8_t offs[8] = {1, 2, 3, 5, 8, 13, 32, 51};
    unsigned i, j, k;
    uint8_t *p;

    Frama_C_make_unknown((char *)at(0), SIZE);
    for (i = 0; i <= 56u; i += 28u) /* eight bytes below a stream are touched */
        bits(8u + i, i);
    for (i = 3; i <= 100u; i += i < 20u ? 1u : 7u)
        for (j = 0; j < 8u; j++)
            match(64u + i % 4u, offs[j], i);
    for (i = 0; i <= 60u; i += i < 16u ? 1u : 9u)
        for (j = 0; j < 4u; j++)
            for (k = 0; k < 4u; k++) /* the end of what is read is the end of memory */
                utet_zs_copy_up(at(256u + j), at(SIZE - i - (j + k) % 4u), i);
    for (i = 0; i <= 11u; i++)
        zs_keep_unread(at(100), at(100u - i), i);
    repeated();
    for (i = 1; i <= 40u; i += i < 4u ? 1u : 9u)
        for (j = 0; j <= 5u; j++)
            for (k = 0; k <= 11u; k += 5u)
                stream(i, j, k);
    p = at(SIZE);
    /*@ assert pad: (LOW + SIZE) % 4 == 1; */
    (void)zs_pad(p);
    (void)zs_log2(1u + any32() / 2u);
}
#elif EVA_PART <= 3
enum {
    STREAM = 14,
    ROOM = 11,
    OVER = 44,
    SIZE = ZS_BELOW + STREAM + 2
}; /* the end is 0 to 3 bytes below a multiple of 4 */
static uint8_t output[64];

/* All codes have `least` to `bits` bits, or the first level holds none of them. */
static void table_of(unsigned least, unsigned bits, int deep)
{
    const unsigned width = !PACKED && bits > ZS_NARROW ? ZS_HUFFMAN_LOG : ZS_NARROW;

    t.z.lit_type = ZS_HUFFMAN;
    t.z.tree_bits = (uint8_t)bits;
    t.z.shift = (uint8_t)(32u - width);
    memset(t.huffman.split.symbol, Frama_C_interval(0, 255), (size_t)1 << width);
    memset(t.huffman.split.length, deep ? (int)ZS_DEEP : Frama_C_interval((int)least, (int)bits), (size_t)1 << width);
    Frama_C_make_unknown((char *)at(0), SIZE);
}

/* A code that is not in the first level (part loops 2): all have the same length. */
#if PACKED
/*@ assigns \result \from of->list.symbol[0 .. 255], bits;
    ensures 11 * 256 <= \result <= 11 * 256 + 255; */
static inline unsigned packed_huffman_deep(const zs_packed *of, uint32_t bits);
#endif

/* n literals to the end of the output. Of the stream, which ends `pad` bytes before memory does, `length` bytes have
 * been fetched and `used` bits of these are used; `alike`: all codes have the same length. */
static void literals(unsigned pad, unsigned length, unsigned used, unsigned n, unsigned below, int alike)
{
    uint8_t *out;

    t.z.lit.top = at(SIZE);
    t.z.lit.limit = 8u * (pad + length);
    t.z.lit.used = 8u * pad + used;
    t.z.lit.below = below;
    out = ZS_GLOBAL(literals)(&t.z, output + sizeof output - n, output + sizeof output);
    /*@ assert out: output + (64 - n) <= out <= output + 64; */
    /*@ assert over: !alike || t.z.lit.used <= 8 * (pad + length) + OVER; */
    /*@ assert fetched: alike && below != 0 && used <= 8 * length ==> t.z.lit.used <= 8 * (pad + length); */
}

/* As many literals as one iteration of the loop delivers, and up to three more. */
static void once(unsigned pad, unsigned length, unsigned used, unsigned more, unsigned below)
{
    const unsigned rounds = ((8u * length - used) * (384u - 18u * t.z.tree_bits) >> 13) + (below == 0);

    if (used <= 8u * length && rounds <= 15u)
        literals(pad, length, used, 4u * rounds + more, below, 0);
}

void eva_main(void)
{
    static const uint8_t bits[4] = {6, 11, 10, 11}, ns[3] = {3, 4, ROOM};
    unsigned i, j, k, n;

    for (i = 0; i < (PACKED ? 5u : 2u); i++) {
        const unsigned most = bits[i < 4u ? i : 3u];

        table_of(PACKED && most > ZS_NARROW ? ZS_NARROW : most, PACKED && most > ZS_NARROW ? ZS_NARROW : most, i == 4u);
        t.z.tree_bits = (uint8_t)most;
        for (j = 1; j <= STREAM; j += j < 2u ? 5u : 8u)
            for (k = 0; k < 8u * j + OVER; k += k + 8u < 8u * j ? 7u : k < 8u * j ? 1u : 30u)
                for (n = 0; n < 6u; n++)
                    literals(j < STREAM - 1 ? j % 4u : 0, j, k, ns[n % 3u], n / 3u * 5u, 1);
        if (i == 4u)
            continue;
        table_of(1, PACKED && most > ZS_NARROW ? ZS_NARROW : most, 0);
        t.z.tree_bits = (uint8_t)most;
        for (j = 1; j <= STREAM; j += j < 2u ? 5u : 8u)
            for (k = 0; k <= 8u * j; k += k + 8u < 8u * j ? 7u : 1u)
                for (n = 0; n < 4u; n += 3u) {
                    once(j < STREAM - 1 ? j % 4u : 0, j, k, n, 0);
                    once(j < STREAM - 1 ? j % 4u : 0, j, k, n, 5);
                }
    }
}
#else
enum { SIZE = ZS_BELOW + 32, LOG = PACKED ? ZS_NARROW : ZS_HUFFMAN_LOG };

#include "eva_weights.h"

static void fill(const uint8_t *last, unsigned bits, unsigned entries)
{
    (void)entries;
    Frama_C_make_unknown((char *)t.list.symbol, sizeof t.list.symbol);
    utet_zs_huffman_fill(&t.z, last, bits);
}

/* Weights from `least` to `most`, from a stream of n bytes, which ends `pad` bytes before a multiple of 4; a cell is
 * the same everywhere. */
static void alike(unsigned log, unsigned bits, unsigned n, unsigned least, unsigned most)
{
    const unsigned counter = (unsigned)Frama_C_interval(1 << (log - bits), (2 << (log - bits)) - 1);
    const unsigned weight = (unsigned)Frama_C_interval((int)least, (int)most);
    uint32_t value = weight;
    const zs_weight_cell cell = ZS_NAME(first)(ZS_WEIGHTS, weight, counter, log, &value); /* as zstd 10 and 11 */
    zs_chains chains;
    unsigned i, pad;
    zs_cursor c;

    for (pad = 0; pad <= 3u; pad++) {
        Frama_C_make_unknown((char *)at(0), SIZE);
        t.huffman.tree.counts.log = (uint8_t)log;
        /*@ loop unroll 64; */
        for (i = 0; i < 64u; i++)
            t.huffman.tree.cell[i] = cell;
        /*@ loop unroll 16; */
        for (i = 0; i < ZS_WEIGHTS_END; i++)
            chains.last[i] = ZS_NONE;
        zs_cursor_place(&c, at(SIZE - pad), n);
        c.below = 0;
        c.used += 1u + (log + n) % 8u;
        (void)utet_zs_weights(&t.huffman.tree, &chains, &c);
    }
}

/* Weights that are 0 take another path than all others: a few of both kinds, and as many as there can be of one. (EVA
 * keeps the paths apart, 2^n of them. Neither changes the position in the stream or in the list.) */
static void weights(unsigned log, unsigned bits, unsigned n)
{
    alike(log, bits, n, 0, 0);
    alike(log, bits, n, ZS_WEIGHTS_END - 1, ZS_WEIGHTS_END - 1);
    if (n <= 3u && bits >= 3u)
        alike(log, bits, n, 0, ZS_WEIGHTS_END - 1);
}

void eva_main(void)
{
    unsigned bits, w;

    all_fills();
    for (bits = 5; bits <= 6u; bits++)
        for (w = 0; w <= bits; w++) {
            weights(bits, w, 1);
            weights(bits, w, 3);
            weights(bits, w, 29);
        }
}
#endif
