/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Frama-C EVA over the parts of the small zstd decoder that first read untrusted bytes: header parsers, FSE counts, FSE
 * and Huffman table builders, weights coded by FSE, backward bit reader, XXH64. Inputs are unconstrained; an alarm is
 * possible undefined behaviour. EVA_PART chooses one part. The decoder's file is included for its static functions.
 * README.md, "What EVA covers", has the assumptions of parts 8 to 12.
 *
 * eva.sh: 12 parts, x86_16, x86_32, x86_64, ppc_32
 *   1 6 7: -eva-slevel 5000 -eva-split-return-function utet_zs_header:0,frame_fields:0
 *   2 3 4 5: -eva-slevel 70 -eva-split-return-function utet_zs_header:0,frame_fields:0
 *   8 9: -eva-slevel 100000 -eva-split-return-function utet_zs_header:0,frame_fields:0
 *   10: -eva-slevel 200 -eva-slevel-function eva_main:10000,next_cell:100
 *       -eva-use-spec utet_zs_read_counts,zs_cursor_begin,utet_zs_tables_fse_build
 *       -eva-split-return-function utet_zs_header:0,frame_fields:0
 *   11: -eva-slevel 200 -eva-slevel-function eva_main:10000,next_cell:100
 *       -eva-use-spec utet_zs_read_counts,zs_cursor_begin,utet_zs_packed_fse_build
 *       -eva-split-return-function utet_zs_header:0,frame_fields:0
 *   12: -eva-slevel 200 -eva-use-spec utet_zs_read_counts,utet_zs_huffman_tree
 *       -eva-use-spec utet_zs_tables_fse_build,utet_zs_packed_fse_build
 *       -eva-split-return-function utet_zs_header:0,frame_fields:0
 */
#include <stddef.h>
#include <stdint.h>

#define __asm__(...) (void)0 /* hints for the compiler, without code */

#if EVA_PART == 4 || EVA_PART == 11
#define UTET_ZSTD_TABLES 0 /* so weights have the cells of the packed layout */
#endif
#if EVA_PART == 12 /* predefined tables are copied or built, checksums verified or skipped */
static volatile int copied, skipped;
#define UTET_ZSTD_ROM_TABLES copied
#define UTET_ZSTD_CHECKSUM (!skipped)
#endif
#include "zstd/zstd_source.c"
#include "zstd/zstd_entropy.c"
#include "zstd/zstd_header.c"
#include "zstd/zstd_execute.c"
#include "zstd/zstd_blocks.c"
#include "zstd/zstd_memory.c"
#include "zstd/zstd_api.c"
#if EVA_PART == 4 || EVA_PART == 11 /* a layout, and Huffman weights and tables with it */
#include "zstd/zstd_packed.c"
#else
#include "zstd/zstd_tables.c"
#endif
#include "__fc_builtin.h"

static void unknown(uint8_t *p, size_t n)
{
    Frama_C_make_unknown((char *)p, n);
}

#if EVA_PART == 1 /* frame header, of any length */
static uint8_t head[18];

void eva_main(void)
{
    uint32_t window;
    uint64_t skip;
    unsigned descriptor; /* one at a time: it decides where the fields are */

    for (descriptor = 0; descriptor < 256u; descriptor++) {
        unknown(head, sizeof head);
        head[4] = (uint8_t)descriptor;
        (void)utet_zstd_window(head, (size_t)Frama_C_interval(0, 18), &window, &skip);
    }
}
#elif EVA_PART == 2                  /* FSE counts from any bytes */
static uint8_t text[128];

void eva_main(void)
{
    zs_counts d;

    unknown(text, sizeof text);
    (void)utet_zs_read_counts(&d, text, (unsigned)Frama_C_interval(0, 127), (unsigned)Frama_C_interval(31, 255),
                              (unsigned)Frama_C_interval(6, 9));
}
#elif EVA_PART == 3 || EVA_PART == 4 /* FSE tables from any counts, whether their sum is right or not */
#if EVA_PART == 3
static zs_tables t;
#define fse_build utet_zs_tables_fse_build
#else
static zs_packed t;
#define fse_build utet_zs_packed_fse_build
#endif

static void *table_of(unsigned kind)
{
    return kind == ZS_WEIGHTS ? (void *)t.huffman.tree.cell : (void *)(t.cell + zs_cells_at[kind % 3u]);
}

void eva_main(void)
{
    static const uint8_t symbols[4] = {36, 32, 53, ZS_SYMBOLS + 2}, most[4] = {9, 8, 9, ZS_WEIGHT_LOG};
    unsigned kind, log, i;

    /*@ loop unroll 4; */
    for (kind = 0; kind < 4u; kind++)
        /*@ loop unroll 5; */
        for (log = 5; log <= most[kind]; log++) {
            zs_counts d;

            d.log = (uint8_t)log;
            d.symbols = (uint8_t)Frama_C_interval(0, symbols[kind]);
            /*@ loop unroll 64; */
            for (i = 0; i < 64u; i++)
                d.count[i] = (int16_t)Frama_C_interval(-256, 512);
            fse_build(&t.z, table_of(kind), &d, kind);
        }
}
#elif EVA_PART == 5 /* Huffman weights of four bits each: chained; any chains are checked and completed */
static uint8_t text[1 + 64], list[256];
static zs_tree tree;

void eva_main(void)
{
    zs_chains chains;
    unsigned header, i;

    /*@ loop unroll 128; */
    for (header = 128; header < 256u; header++) {
        unknown(text, sizeof text);
        for (i = 0; i < ZS_WEIGHTS_END; i++)
            chains.last[i] = ZS_NONE;
        chains.sum = 0;
        text[0] = (uint8_t)header;
        (void)direct_weights(&tree, &chains, text);
    }
    for (i = 0; i < 256u; i++)
        tree.before[i] = (uint8_t)Frama_C_interval(0, 255);
    for (i = 0; i < ZS_WEIGHTS_END; i++)
        chains.last[i] = (uint8_t)Frama_C_interval(0, 255);
    chains.sum = (uint32_t)Frama_C_interval(1, 32767) << Frama_C_interval(1, 8); /* not 0: there is a weight 1 */
    (void)sort_symbols(list, tree.before, (unsigned)Frama_C_interval(1, 255), &chains);
}
#elif EVA_PART == 6 /* reads bits backwards, anywhere in a stream of any length */
static uint8_t text[ZS_BELOW + 64 + 4];

void eva_main(void)
{
    unsigned n, place;

    for (n = 1; n <= 64u; n++) {
        zs_cursor c;

        unknown(text, sizeof text);
        zs_cursor_place(&c, text + ZS_BELOW + n, n);
        c.below = 0;
        place = (unsigned)Frama_C_interval_split(0, 7); /* of the first bit */
        text[ZS_BELOW + n - 1u] = (uint8_t)Frama_C_interval(1 << place, (2 << place) - 1);
        if (zs_cursor_begin(&c)) {
            /*@ assert used: 1 <= c.used <= 8; */
            c.used = (uint32_t)Frama_C_interval(0, (int)(8u * n));
            (void)zs_top(zs_bits(c.top, c.used), (unsigned)Frama_C_interval(0, 31));
            (void)utet_zs_long_field(1, &c, 16u);
        }
    }
}
#elif EVA_PART == 7 /* checksum, in two parts of any length */
#include "zstd/zstd_xxh.c"
static uint8_t text[96];

void eva_main(void)
{
    unsigned a, b;

    unknown(text, sizeof text);
    for (a = 0; a <= 33u; a += 11u)
        for (b = 0; b <= 40u; b++) {
            zs_xxh x;

            unknown(x.held, sizeof x.held);
            utet_zs_xxh_begin(&x);
            utet_zs_xxh_add(&x, 0, text, a);
            utet_zs_xxh_add(&x, a, text + a, b);
            (void)utet_zs_xxh_end(&x, (uint64_t)a + b);
        }
}
#elif EVA_PART == 8 || EVA_PART == 9 /* Huffman tables filled from any sorted list */
#if EVA_PART == 8
#define PACKED 0
#define layout zs_tables
#else
#define PACKED 1
#define layout zs_packed
#endif
enum { LOG = PACKED ? ZS_LOG_PACKED : ZS_HUFFMAN_LOG };

static uint8_t memory[sizeof(layout) + 2u * (1 << LOG)];

/* A table after whose first `entries` there is no memory; unknown symbols. */
static layout *ends_behind(unsigned entries)
{
    layout *t = (layout *)(void *)(memory + sizeof memory - offsetof(layout, huffman) - 2u * (size_t)entries);

    t->z.packed = PACKED;
    unknown(t->list.symbol, sizeof t->list.symbol);
    return t;
}

#include "eva_weights.h"

/* The written bytes end exactly at the end of memory. */
static void fill(const uint8_t *last, unsigned bits, unsigned entries)
{
    utet_zs_huffman_fill(&ends_behind(entries)->z, last, bits);
}

void eva_main(void)
{
    all_fills();
}
#elif EVA_PART == 10 || EVA_PART == 11 /* Huffman weights coded by FSE, from any bytes */
#if EVA_PART == 10
static zs_tables t;
#else
static zs_packed t;
#endif
static uint8_t text[ZS_BELOW + 32];
static zs_weight_cell cell;

/* What the builder leaves, a cell that it makes (`counted`), the same everywhere: a step takes one cell, whichever it
 * is. */
#define IS(i) t.huffman.tree.cell[i] == cell
#define CELL4(i) IS(i) && IS(i + 1) && IS(i + 2) && IS(i + 3)
#define CELL16(i) CELL4(i) && CELL4(i + 4) && CELL4(i + 8) && CELL4(i + 12)
/*@ requires table == (void *)t.huffman.tree.cell;
    requires 5 <= d->log <= 6;
    assigns t.huffman.tree.cell[0 .. 63] \from cell;
    ensures CELL16(0) && CELL16(16) && CELL16(32) && CELL16(48); */
void ZS_OF_WEIGHTS(fse_build)(utet_zstd *z, void *table, zs_counts *d, unsigned kind);

/* As part 2 has found, for one accuracy log at a time. */
static uint8_t accuracy;
/*@ requires \initialized(p + (0 .. n - 1));
    assigns *d, \result \from p[0 .. n - 1], accuracy;
    ensures \result <= n;
    ensures d->log == accuracy; */
unsigned utet_zs_read_counts(zs_counts *d, const uint8_t *p, uint32_t n, unsigned max_symbol, unsigned max_log);

/* As part 6 has found. */
/*@ requires \valid_read(c->top - 1);
    assigns c->used, \result \from c->top[-1];
    ensures 1 <= c->used <= 8; */
int zs_cursor_begin(zs_cursor *c);

/* The cell of a symbol's state whose counter is this: the first one of so many states. */
static zs_weight_cell counted(unsigned log, unsigned symbol, unsigned counter)
{
    uint32_t value = symbol; /* symbols of weights have no extra bits */

    return ZS_NAME(first)(ZS_WEIGHTS, symbol, counter, log, &value);
}

/* The builder makes no other: it counts on from cell to cell, up to a counter of twice the table's size less 1. */
static void next_cell(unsigned log, unsigned counter)
{
    unsigned symbol;

    for (symbol = 0; symbol < ZS_WEIGHTS_END; symbol++) {
        const zs_weight_cell one = ZS_NAME(following)(counted(log, symbol, counter), log);
        const zs_weight_cell two = counted(log, symbol, counter + 1u);

        /*@ assert counts: one == two; */
    }
}

void eva_main(void)
{
    zs_chains chains;
    unsigned log, bits, i;

    /* that many state bits, and any base to which they may be added */
    /*@ loop unroll 2; */
    for (log = 5; log <= 6u; log++) {
        for (i = 1; i < (2u << log) - 1u; i++)
            next_cell(log, i);
        /*@ loop unroll 7; */
        for (bits = 0; bits <= log; bits++) {
            const unsigned counter = (unsigned)Frama_C_interval(1 << (log - bits), (2 << (log - bits)) - 1);

            cell = counted(log, (unsigned)Frama_C_interval(0, 255), counter);
            unknown(text, sizeof text);
            accuracy = (uint8_t)log;
            /*@ loop unroll 16; */
            for (i = 0; i < ZS_WEIGHTS_END; i++)
                chains.last[i] = ZS_NONE;
            (void)fse_weights(&t.z, &t.huffman.tree, &chains, text + ZS_BELOW, 32);
        }
    }
}
#elif EVA_PART == 12 /* headers of blocks and their sections, of any length */
static uint8_t text[128], output[16];
static union {
    zs_tables tables;
    zs_packed packed;
} memory;

/*@ requires 1 <= n <= 128;
    requires \initialized(p + (0 .. n - 1));
    assigns \result \from p[0 .. n - 1]; */
int utet_zs_huffman_tree(utet_zstd *z, const uint8_t *p, uint32_t n);
/*@ requires d->symbols <= ZS_SYMBOLS + 2;
    requires d->log <= 9;
    assigns \nothing; */
void utet_zs_tables_fse_build(utet_zstd *z, void *table, zs_counts *d, unsigned kind);
/*@ requires d->symbols <= ZS_SYMBOLS + 2;
    requires d->log <= 9;
    assigns \nothing; */
void utet_zs_packed_fse_build(utet_zstd *z, void *table, zs_counts *d, unsigned kind);

/*@ requires \initialized(p + (0 .. n - 1));
    assigns *d, \result \from p[0 .. n - 1];
    ensures \result <= n;
    ensures \initialized(&d->log) && d->log <= max_log;
    ensures \initialized(&d->symbols) && d->symbols <= ZS_SYMBOLS + 2; */
unsigned utet_zs_read_counts(zs_counts *d, const uint8_t *p, uint32_t n, unsigned max_symbol, unsigned max_log);
/* (All three hold if the result is greater than 0; otherwise *d is not used.) */

static uint32_t any32(void)
{
    uint32_t v;

    unknown((uint8_t *)&v, sizeof v);
    return v;
}

/* What peek promises: z->have bytes at z->head, at most `most`, and fewer only if the content ends. Memory ends
 * there. */
static utet_zstd *any_context(unsigned most, unsigned have, unsigned first)
{
    utet_zstd *z = &memory.tables.z;

    unknown((uint8_t *)z, sizeof *z);
    unknown(text, sizeof text);
    z->out = z->mark = output;
    z->end = output + sizeof output;
    z->map = Frama_C_interval(0, 1) ? text : NULL;
    z->have = (uint8_t)have;
    z->head = text + sizeof text - have;
    if (have != 0)
        text[sizeof text - have] = (uint8_t)first;
    z->rel = 0;
    z->size = have < most ? have : most + any32() / 2u;
    return z;
}

static unsigned any_byte(int from, int to)
{
    return (unsigned)Frama_C_interval(from, to);
}

static void sections(void)
{
    utet_zstd *z;
    unsigned have, i;

    /*@ loop unroll 7; */
    for (have = 0; have <= 6u; have++)
        /*@ loop unroll 16; */
        for (i = 0; i < 16u; i++) /* type and format decide where the fields are */
            (void)literals_phase(any_context(6, have, any_byte(0, 15) << 4 | i));
    /*@ loop unroll 4; */
    for (have = 1; have <= 4u; have++) { /* the literals end before the block */
        (void)section_phase(any_context(4, have, any_byte(0, 127)));
        (void)section_phase(any_context(4, have, any_byte(128, 254)));
        (void)section_phase(any_context(4, have, 255));
    }
    /*@ loop unroll 6; */
    for (have = 1; have <= 128u; have += have < 4u ? 1u : 62u) {
        z = any_context(128, have, any_byte(0, 127));
        z->lit_end = any32();
        (void)tree_phase(z);
        z = any_context(128, have, any_byte(128, 255));
        z->lit_end = any32();
        (void)tree_phase(z);
    }
}

static void table(unsigned i)
{
    utet_zstd *z;
    unsigned have;

    /*@ loop unroll 9; */
    for (have = 0; have <= 80u; have += have < 4u ? 1u : 19u) {
        z = any_context(80, have, any32() & 255u);
        (void)utet_zs_sequence_table(z, i, 0, z->head, have);
        (void)utet_zs_sequence_table(z, i, 1, z->head, have);
        (void)utet_zs_sequence_table(z, i, 2, z->head, have);
    }
}

void eva_main(void)
{
    utet_zstd *z;
    unsigned i;

    sections();
    /*@ loop unroll 7; */
    for (i = 0; i <= 6u; i++) {
        z = any_context(6, i < 6u ? i + 1u : 6u, any32() & 255u);
        z->lit_end = i < 6u ? i : 6u + any32() / 4u;
        (void)jump_phase(z);
    }
    /*@ loop unroll 4; */
    for (i = 0; i <= 3u; i++)
        (void)block_phase(any_context(3, i, any32() & 255u));
    /*@ loop unroll 5; */
    for (i = 0; i <= 4u; i++)
        (void)checksum_phase(any_context(4, i, any32() & 255u));
    (void)utet_zstd_unverified(any_context(4, 4, any32() & 255u));
    /*@ loop unroll 3; */
    for (i = 0; i < 3u; i++)
        table(i);
}
#endif
