/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Frama-C EVA over the loops of the built-in zstd decoder, with words that are loaded from any address. EVA_PART 1, 3,
 * 5, 7, 9: layout "tables"; 2, 4, 6, 8, 10: packed. 1, 2: the fields of a sequence; 3, 4: the loop of the sequences; 5
 * to 8: Huffman literals; 9, 10: Huffman trees; 11: the next literal stream, copies; 12: literals in parts. An alarm is
 * possible undefined behaviour.
 *
 * Positions and lengths are tried one by one, because EVA does not relate two numbers; bytes, symbols, states and
 * offsets have any value. Another part analyses what one part replaces by a contract: README.md, "What EVA covers".
 *
 * eva.sh: 12 parts, x86_32
 *   1: -eva-slevel 100 -eva-slevel-function eva_main:100000 -eva-split-return-function tables_rare_sequence:0
 *   2: -eva-slevel 100 -eva-slevel-function eva_main:100000 -eva-split-return-function packed_rare_sequence:0
 *   3: -eva-slevel 5000 -eva-slevel-function eva_main:100000,sequences:0 -eva-split-return full
 *       -eva-use-spec tables_quick_sequence,tables_rare_sequence,offset_of
 *   4: -eva-slevel 5000 -eva-slevel-function eva_main:100000,sequences:0 -eva-split-return full
 *       -eva-use-spec packed_quick_sequence,packed_rare_sequence,offset_of
 *   5: -eva-slevel 1000 -eva-slevel-function eva_main:100000
 *   6: -eva-slevel 1000 -eva-slevel-function eva_main:100000 -eva-use-spec packed_huffman_deep
 *   7: -eva-slevel 20000 -eva-slevel-function eva_main:100000 -eva-split-return-function tables_huffman_one:1:2:3
 *       -eva-use-spec tables_huffman_one
 *   8: -eva-slevel 20000 -eva-slevel-function eva_main:100000 -eva-split-return-function packed_huffman_one:1:2:3
 *       -eva-use-spec packed_huffman_one,packed_huffman_deep
 *   9: -eva-slevel 100 -eva-slevel-function eva_main:100000 -eva-split-return full
 *       -eva-use-spec fse_weights,sort_symbols,utet_zs_huffman_fill
 *   10: -eva-slevel 100 -eva-slevel-function eva_main:100000 -eva-split-return full
 *       -eva-use-spec fse_weights,sort_symbols,utet_zs_huffman_fill
 *   11: -eva-slevel 1000 -eva-slevel-function eva_main:100000 -eva-split-return full
 *   12: -eva-slevel 1000 -eva-slevel-function eva_main:100000,pieces:0 -eva-split-return full
 *       -eva-use-spec utet_zs_cursor_refill,utet_zs_next_stream,more_raw
 */
#include <stddef.h>
#include <stdint.h>

#include "eva_any.h"

#define __asm__(...) (void)0 /* hints for the compiler, without code */
#define PACKED (EVA_PART % 2 == 0)
#define TREE (EVA_PART == 9 || EVA_PART == 10)

#if EVA_PART >= 11
#define UTET_ZSTD_PACKED 0
#endif
#if EVA_PART <= 2 || EVA_PART == 5 || EVA_PART == 6
static int int16; /* the code for an int of 16 bits, too */
#define UTET_ZSTD_INT16 int16
#endif
#include "zstd/zstd_decoder.h"
#if EVA_PART >= 11
#include "zstd/zstd_source.c"
#include "zstd/zstd_execute.c"
#include "zstd/zstd_hot.c"
#elif PACKED
#include "zstd/zstd_layout_packed.h"
typedef uint16_t cell_type;
#else
#include "zstd/zstd_layout_tables.h"
typedef uint32_t cell_type;
#endif
#if EVA_PART <= 2
#include "zstd/zstd_source.c"
#endif
#if EVA_PART <= 4
#include "zstd/zstd_sequences.h"
#elif EVA_PART <= 8
#include "zstd/zstd_unaligned_literals.h"
#elif TREE
#include "zstd/zstd_entropy.c"
#endif

#if EVA_PART < 11
static ZS_LAYOUT t;
#endif

#if EVA_PART <= 2
enum { STREAM = 24 };
static uint8_t text[ZS_BELOW + STREAM];

/* Offsets have at most 8 of them. */
static unsigned log_of(unsigned i, unsigned log)
{
    return i == ZS_OF && log > 8u ? 8u : log;
}

/* A context at any position of its bit stream, in the first or last states. */
static void any_states(unsigned log, int last)
{
    unsigned i;

    Frama_C_make_unknown((char *)text, sizeof text);
    zs_cursor_place(&t.z.seq, text + sizeof text, STREAM);
    t.z.seq.used = (uint32_t)Frama_C_interval(0, (int)t.z.seq.limit);
    t.z.seq.below = any32();
    /*@ loop unroll 3; */
    for (i = 0; i < 3u; i++) {
        const unsigned size = 1u << log_of(i, log);

        t.z.log[i] = (uint8_t)log_of(i, log);
        t.z.state[i] = (uint16_t)((PACKED ? size : 0) + (last ? size - 1u : 0));
    }
}

/* A cell that takes a given number of state bits, with any base that fits; with these extra bits or this symbol. */
static cell_type any_cell(unsigned i, unsigned log, unsigned bits, unsigned code)
{
    const unsigned counter = (unsigned)Frama_C_interval(1 << (log - bits), (2 << (log - bits)) - 1);

#if PACKED
    uint32_t value = 0;

    return packed_first(i, code, counter, log, &value);
#else
    (void)i;
    return ((uint32_t)((counter << bits) - (1u << log)) * 32u + (unsigned)Frama_C_interval(0, 31)) * 65536u +
           code * 256u + bits;
#endif
}

/* Such cells in these states. */
static void cells(unsigned log, int last, unsigned bits, const uint8_t code[3])
{
    unsigned i;

    /*@ loop unroll 3; */
    for (i = 0; i < 3u; i++)
        t.cell[zs_cells_at[i] + (last ? (1u << log_of(i, log)) - 1u : 0)] = any_cell(i, log_of(i, log), log_of(i, bits),
                                                                                     code[i]);
}

/* Sequences of them, completely and field by field. */
static void fields(unsigned log, int last, unsigned bits, const uint8_t code[3])
{
    ZS_NAME(place) at;
    zs_states s;
    zs_sequence q;
    unsigned left, i;

    cells(log, last, bits, code);
    /*@ loop unroll 2; */
    for (left = 1; left <= 2u; left++) {
        any_states(log, last);
        if (ZS_NAME(rare_sequence)(&t.z, left)) {
            /*@ assert lengths: 3 <= t.z.ml <= 0x2000002 && t.z.ll <= 0x1ffffff; */
            /*@ loop unroll 3; */
            for (i = 0; i < 3u; i++) {
                const unsigned size = 1u << log_of(i, log), first = PACKED ? size : 0, state = t.z.state[i];
                /*@ assert state: first <= state < first + size; */
            }
        }
    }
    any_states(log, last);
    at = ZS_NAME(tables_of)(&t.z);
    s = states_of(&t.z);
    (void)ZS_NAME(quick_sequence)(&t.z, &at, &s, t.z.seq.limit, &q);
    int16 = 1; /* packed: such cells differ */
    cells(log, last, bits, code);
    s = states_of(&t.z);
    (void)ZS_NAME(narrow_sequence)(&at, &s, &q);
    int16 = 0;
}

/* Huffman codes that are not in the packed first level. */
static void deep(unsigned drop, unsigned longest, unsigned both)
{
    const uint8_t last[3] = {255, (uint8_t)(longest - 1u), (uint8_t)(both - 1u)};
    const unsigned none = zs_deep_entries(&t.z, last, drop);

    t.z.tree_bits = (uint8_t)(ZS_LOG_PACKED + drop);
    int16 = Frama_C_interval_split(0, 1);
    (void)ZS_NAME(huffman_deep)(&t, none != 0 ? (uint32_t)Frama_C_interval(0, (int)((none << 23) - 1u)) : 0);
    int16 = 0;
}

/* Codes: extra bits of lengths; in the packed layout: symbols. */
void eva_main(void)
{
    static const uint8_t codes[2][9] = {{0, 1, 2, 4, 7, 10, 13, 15, 16}, {0, 1, 15, 16, 20, 31, 32, 35, 52}};
    unsigned log, bits, i;

    for (i = 2; i < 256u; i += 14u)
        for (bits = i; bits <= 256u; bits += 31u) {
            deep(1, i, bits);
            deep(2, i, bits);
        }
    for (log = 5; log <= 9u; log += 2u)
        for (bits = 0; bits <= log; bits += log - bits < 4u ? 1u : 3u)
            for (i = 0; i < 9u; i++) {
                const uint8_t m = codes[PACKED][i];
                const uint8_t code[3] = {m < 36u ? m : 35u, /* of a literal length, an offset and a match length */
                                         i % 3u == 1u        ? i
                                         : PACKED && m < 32u ? m
                                                             : 31u - i,
                                         m};

                fields(log, (int)(i & 1u), bits, code);
            }
}
#endif

#if EVA_PART == 3 || EVA_PART == 4
enum { ROOM = 71 };
static uint8_t output[ROOM], raw[30]; /* few raw literals: twice 15 at most */

/* Literals and a match, from a list; EVA keeps the returned values apart. */
#define LENGTH(q, n, literals, match) (\result == (n) && (q)->ll == (literals) && (q)->ml == (match))
#define SHORT(q) \
    LENGTH(q, 1, 0, 3) || LENGTH(q, 2, 0, 9) || LENGTH(q, 3, 7, 5) || LENGTH(q, 4, 2, 13) || LENGTH(q, 5, 0, 48)
#define LONG(q)                                                                  \
    (\result == 6 && 72 <= (q)->ll <= 0x1ffffff && 3 <= (q)->ml <= 0x2000002) || \
        (\result == 7 && (q)->ll <= 0x1ffffff && 72 <= (q)->ml <= 0x2000002)

/* As parts 1 and 2 have found, for any offset. */
/*@ requires states: s->l <= 1023 && s->o <= 1023 && s->m <= 1023;
    requires used: s->used <= limit;
    assigns *s, *q, \result \from *s, limit;
    ensures s->l <= 1023 && s->o <= 1023 && s->m <= 1023 && s->used <= limit;
    ensures \initialized(&q->ll) && \initialized(&q->ml) && \initialized(&q->off);
    ensures \result == 0 || SHORT(q) || LONG(q); */
static inline int ZS_NAME(quick_sequence)(const utet_zstd *z, const ZS_NAME(place) * at, zs_states *s, uint32_t limit,
                                          zs_sequence *q);

/*@ requires used: z->seq.used <= z->seq.limit;
    assigns z->ll, z->ml, z->off, z->seq.used, z->state[0 .. 2], \result \from z->state[0 .. 2], left;
    ensures z->state[0] <= 1023 && z->state[1] <= 1023 && z->state[2] <= 1023 && z->seq.used <= z->seq.limit;
    ensures \result == 0 || SHORT(z) || LONG(z); */
static int ZS_NAME(rare_sequence)(utet_zstd *z, uint32_t left);

/* WP proves it: zstd-2. */
/*@ assigns rep[0 .. 2], \result \from rep[0 .. 2], off, ll; */
static inline uint32_t offset_of(uint32_t *rep, uint32_t off, uint32_t ll);

/* WP proves it: zstd-1. */
/*@ requires 48 <= n && 1 <= off;
    requires \valid(p - off + (0 .. off + n - 1));
    assigns p[0 .. n - 1] \from p[-off .. n - 1]; */
void utet_zs_copy_long(uint8_t *p, uint32_t off, size_t n);

/* Literals of the current stream, as many as it has: a part, or all (parts 5 to 8). */
uint8_t *ZS_GLOBAL(literals)(utet_zstd *z, uint8_t *out, uint8_t *end)
{
    const unsigned room = (unsigned)(end - out);

    /*@ assert room: 1 <= room <= ROOM; */
    /*@ assert there: \valid(out + (0 .. room - 1)); */
    Frama_C_make_unknown((char *)out, (size_t)(end - out));
    z->lit.used = any32();
    return Frama_C_interval_split(0, 1) ? end : out + Frama_C_interval(0, (int)room - 1);
}

/* From a position in the output on; a slice that ends `room` bytes after it. */
static void sequences(unsigned place, unsigned room, int whole)
{
    unsigned i;

    Frama_C_make_unknown((char *)&t.z, sizeof t.z);
    /*@ loop unroll 3; */
    for (i = 0; i < 3u; i++) {
        t.z.log[i] = 9;
        t.z.state[i] = (uint16_t)(PACKED * 512 + Frama_C_interval(0, 511));
    }
    Frama_C_make_unknown((char *)output, sizeof output);
    Frama_C_make_unknown((char *)raw, sizeof raw);
    t.z.lit.top = raw;
    t.z.sequences = 2;
    t.z.whole = (uint8_t)whole;
    t.z.buf = output;
    t.z.buf_size = sizeof output;
    t.z.mark = output;
    t.z.out = output + place;
    t.z.end = t.z.stop = output + place + room;
    t.z.seq.limit = 200;
    t.z.seq.used = (uint32_t)Frama_C_interval(0, 200);
    (void)ZS_GLOBAL(sequences)(&t.z);
    /*@ assert place: output + place <= t.z.out <= output + place + room; */
    /*@ assert states: t.z.seq.used <= 200 && t.z.state[0] <= 1023 && t.z.state[1] <= 1023 && t.z.state[2] <= 1023; */
}

void eva_main(void)
{
    static const uint8_t places[4][2] = {{0, 20}, {1, 70}, {20, 51}, {71, 0}};
    unsigned i;

    for (i = 0; i < 4u; i++)
        sequences(places[i][0], places[i][1], (int)(i & 1u));
}
#endif

#if EVA_PART >= 5 && EVA_PART <= 8
enum { STREAM = 14, ROOM = 11, OVER = 44 };
static uint8_t text[ZS_BELOW + STREAM], output[ROOM];

/* A code that is not in the first level: part 2. In part 6 all have the same length. */
#if PACKED
/*@ assigns \result \from t->list.symbol[0 .. 255], bits;
    ensures (EVA_PART == 8 && 10 * 256 <= \result <= 10 * 256 + 255) || 11 * 256 <= \result <= 11 * 256 + 255; */
static inline unsigned packed_huffman_deep(const zs_packed *t, uint32_t bits);
#endif

#if EVA_PART >= 7
/* As parts 5 and 6 have found: codes of one bit, of half the length of the longest ones, and of the full length, in any
 * order. */
static unsigned longest;
/*@ requires used: *used <= 18;
    requires shift: 21 <= shift <= 31;
    requires table: \valid_read(table + ((uint32_t)(bits << *used) >> shift));
    requires out: \valid(out);
    assigns *used, *out, \result \from table[0 .. 2047], bits, *used, shift;
    ensures \result == 1 && *used == \old(*used) + 1 || \result == 2 && *used == \old(*used) + (longest + 1) / 2 ||
            \result == 3 && *used == \old(*used) + longest; */
static inline unsigned ZS_NAME(huffman_one)(const ZS_LAYOUT *t, const uint16_t *table, unsigned shift, uint32_t bits,
                                            uint32_t *used, uint8_t *out);
#endif

/* All codes have `bits` bits, or the first level holds none of them; all symbols are the same. */
static void table_of(unsigned bits, int deep)
{
    const unsigned level = PACKED && bits > ZS_LOG_PACKED ? ZS_LOG_PACKED : bits;

    t.z.lit_type = ZS_HUFFMAN;
    t.z.tree_bits = (uint8_t)bits;
    t.z.shift = (uint8_t)(32u - level);
    memset(t.huffman.entry, deep ? 0 : (int)level, (size_t)2 << level);
    Frama_C_make_unknown((char *)text, sizeof text);
}

/* n literals to the end of the output. Of the stream, which is at the end of memory, `length` bytes have been fetched
 * and `used` bits are used. */
static void literals(unsigned length, unsigned used, unsigned n)
{
    uint8_t *out;

    t.z.lit.top = text + sizeof text;
    t.z.lit.limit = 8u * length;
    t.z.lit.used = used;
    t.z.lit.below = (uint32_t)Frama_C_interval_split(0, 1) * 5u;
    out = ZS_GLOBAL(literals)(&t.z, output + ROOM - n, output + ROOM);
    /*@ assert out: output + ROOM - n <= out <= output + ROOM; */
#if EVA_PART <= 6
    /*@ assert over: t.z.lit.used <= 8 * length + OVER; */
    /*@ assert fetched: t.z.lit.below != 0 && used <= 8 * length ==> t.z.lit.used <= 8 * length; */
#endif
}

void eva_main(void)
{
    static const uint8_t bits[4] = {1, 6, 10, 11}, ns[5] = {4, 7, 1, 3, ROOM};
    const unsigned some = EVA_PART >= 7 ? 2u : 5u, step = EVA_PART >= 7 ? 3u : 1u;
    unsigned i, j, k, n;

#if EVA_PART <= 6
    int16 = Frama_C_interval_split(0, 1);
#endif
    for (i = 0; i < (PACKED ? 5u : 4u); i++) {
        table_of(bits[i < 4u ? i : 3u], i == 4u);
        for (j = EVA_PART >= 7 ? 2u : 0; j <= (EVA_PART >= 7 ? 8u : (unsigned)STREAM); j += j < 2u ? 1u : 6u)
            for (k = 0; k < 8u * j + OVER; k += k + 8u < 8u * j ? 5u : k < 8u * j ? step : 30u)
                for (n = 0; n < some; n++) {
#if EVA_PART >= 7
                    longest = bits[i < 4u ? i : 3u];
#endif
                    literals(j, k, ns[n]);
                }
    }
}
#endif

#if TREE
static uint8_t text[128];

/* Parts zstd 10 and 11 prove it. */
/*@ requires 1 <= n <= 127;
    requires \initialized(p + (0 .. n - 1));
    requires tree == &t.huffman.tree;
    assigns *chains, tree->before[0 .. 254], \result \from p[0 .. n - 1];
    ensures \result <= 255; */
static unsigned fse_weights(utet_zstd *z, zs_tree *tree, zs_chains *chains, const uint8_t *p, uint32_t n);
/* Part zstd 5 proves it. */
/*@ requires 1 <= count <= 255;
    requires \valid(list + (0 .. 255)) && \valid(before + (0 .. 255));
    assigns list[0 .. 255], before[0 .. 255], chains->last[0 .. ZS_HUFFMAN_LOG], \result
        \from before[0 .. 255], *chains, count;
    ensures \result <= ZS_HUFFMAN_LOG; */
static unsigned sort_symbols(uint8_t *list, uint8_t *before, unsigned count, zs_chains *chains);
/* Parts zstd 8 and 9 prove it. */
/*@ requires z == &t.z;
    requires 1 <= bits <= ZS_HUFFMAN_LOG;
    requires \valid_read(last + (0 .. bits));
    assigns t.huffman, t.z.shift, t.z.deep \from t.list.symbol[0 .. 255], bits; */
void utet_zs_huffman_fill(utet_zstd *z, const uint8_t *last, unsigned bits);

/* Descriptions of any length, which end where memory does. */
void eva_main(void)
{
    unsigned header;

    t.z.packed = PACKED;
    Frama_C_make_unknown((char *)text, sizeof text);
    for (header = 2; header < 256u; header += 3u) {
        const unsigned n = 1u + (header < 128u ? header : (header - 126u) / 2u);

        if (n <= sizeof text) {
            text[sizeof text - n] = (uint8_t)header;
            if (utet_zs_huffman_tree(&t.z, text + sizeof text - n, n)) {
                /*@ assert bits: 1 <= t.z.tree_bits <= ZS_HUFFMAN_LOG; */
            }
            Frama_C_make_unknown((char *)text, sizeof text);
        }
    }
}
#endif

#if EVA_PART >= 11
static union {
    zs_tables tables;
    zs_packed packed;
} memory;
static uint8_t text[ZS_BELOW + 40], output[300];
#endif

#if EVA_PART == 11
/* Four streams or one, of a literals section of 40 bytes at the end of memory; jumps that fit in it. */
static void streams(unsigned left, unsigned open, unsigned at, unsigned jump)
{
    utet_zstd *z = &memory.tables.z;

    Frama_C_make_unknown((char *)z, sizeof *z);
    Frama_C_make_unknown((char *)text, sizeof text);
    z->map = text + ZS_BELOW;
    z->where = 0;
    z->at_hand = 1;
    z->streams_left = (uint8_t)left;
    z->stream_open = (uint8_t)open;
    z->jump[0] = z->jump[1] = z->jump[2] = (uint16_t)jump;
    z->lit_at = at;
    z->lit_end = 40;
    if (open != 0)
        utet_zs_cursor_open(z, &z->lit, at / 2u, at);
    if (open == 2u)
        z->lit.used = Frama_C_interval_split(0, 1) ? z->lit.limit : any32();
    if (utet_zs_next_stream(z) == UTET_OK) {
        /*@ assert open: z->stream_open == 2 && z->streams_left == left - 1; */
        /*@ assert lies: text + ZS_BELOW <= z->lit.top <= text + (ZS_BELOW + 40); */
        /*@ assert bits: 8 <= z->lit.limit <= 320; */
    }
}

/* The copies: with a match after the copied bytes, and with literals. */
static void copies(unsigned n, unsigned back)
{
    Frama_C_make_unknown((char *)output, sizeof output);
    utet_zs_copy_up(output + sizeof output - n, output + sizeof output - n - back, n);
}

void eva_main(void)
{
    static const uint8_t backs[4] = {8, 9, 33, 150};
    unsigned i, j, k;

    for (i = 1; i <= 4u; i++)
        for (j = 0; j <= 2u; j++)
            for (k = 0; k <= 9u; k += 3u) {
                streams(i, j, k, 10);
                streams(i, j, 40, 0);
            }
    for (i = 0; i < 4u; i++)
        for (j = 0; j <= 100u; j += j < 34u ? 1u : 11u)
            copies(j, backs[i]);
}
#endif

#if EVA_PART == 12
/* Part machine 2 proves it. Of what it changes, only the reach of the stream is used below. */
/*@ assigns c->used, c->limit, \result \from *c;
    ensures \result == UTET_OK || \result == UTET_WOULD_BLOCK || \result == UTET_E_PAYLOAD; */
utet_status utet_zs_cursor_refill(utet_zstd *z, zs_cursor *c);
/* Part 11 proves it. */
/*@ requires z->ll != 0 && z->stream_left == 0;
    assigns z->stream_left, z->left.literals, z->streams_left, \result \from z->left.literals;
    ensures \result == UTET_OK && z->stream_left == 0 || \result == UTET_OK && z->stream_left == 3 ||
            \result == UTET_OK && 64 <= z->stream_left <= 512 || \result == UTET_WOULD_BLOCK ||
            \result == UTET_E_PAYLOAD; */
utet_status utet_zs_next_stream(utet_zstd *z);
/* wp-zstd-3 proves it. */
/*@ requires z->ll != 0 && z->out != z->stop && z->stream_left == 0;
    assigns z->stream_left, \result \from z->left.literals;
    ensures \result == UTET_OK && z->stream_left == 3 || \result == UTET_OK && 64 <= z->stream_left <= 512 ||
            \result == UTET_WOULD_BLOCK || \result == UTET_E_PAYLOAD; */
static utet_status more_raw(utet_zstd *z);

/* Parts 5 to 8: none, a part or all. */
uint8_t *utet_zs_tables_literals(utet_zstd *z, uint8_t *out, uint8_t *end)
{
    const int which = Frama_C_interval_split(0, 2);

    /*@ assert room: 1 <= end - out && \valid(out + (0 .. end - out - 1)); */
    Frama_C_make_unknown((char *)out, (size_t)(end - out));
    z->lit.used = any32();
    return which == 0 ? out : which == 1 ? out + 1 : end;
}

static void pieces(unsigned ll, unsigned room, unsigned have, unsigned type)
{
    utet_zstd *z = &memory.tables.z;

    Frama_C_make_unknown((char *)z, sizeof *z);
    z->lit_type = (uint8_t)type;
    z->mark = z->out = output;
    z->stop = output + room;
    z->ll = ll;
    z->stream_left = have;
    (void)utet_zs_take_literals(z);
    /*@ assert place: 0 <= z->out - z->mark <= room; */
    /*@ assert left: z->ll <= ll; */
}

void eva_main(void)
{
    static const uint8_t lls[4] = {0, 1, 5, 9}, rooms[4] = {0, 1, 6, 12}, haves[4] = {0, 1, 4, 20};
    unsigned i, j, k, l;

    for (i = 0; i < 4u; i++)
        for (j = 0; j < 4u; j++)
            for (k = 0; k < 4u; k++)
                for (l = 0; l < 4u; l++)
                    pieces(lls[i], rooms[j], haves[k], l);
}
#endif
