/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Frama-C EVA over the phases of the built-in zstd decoder. EVA_PART 1: each phase by itself, from any state in which
 * it may run; 2: slices and the calls around them. An alarm is possible undefined behaviour.
 *
 * The functions below are replaced by stand-ins that obey zstd_decoder.h: they require all their input and output to be
 * addressable, and return anything. Sizes and positions are tried one by one, because EVA does not relate two numbers;
 * bytes have any value.
 *
 * eva.sh: 2 parts, x86_32, x86_64, ppc_32
 *   1: -eva-slevel 20000 -eva-slevel-function eva_main:100000 -eva-use-spec utet_zs_header
 *       -eva-split-return-function any_answer:0,utet_zs_peek:0,utet_zs_fetch:0,utet_zs_direct:0
 *   2: -eva-slevel 20000 -inline-calls utet_zs_run,zs_slice,zs_keep,utet_zstd_step,utet_zstd_open
 */
#include <stddef.h>
#include <stdint.h>

#include "eva_any.h"

#include "eva_header.h"

static utet_zstd context;
static uint8_t input[256], output[64], cache[256];
static uint8_t first; /* type and format of a literals section; a stand-in reads its other bits */

static utet_status any_answer(void)
{
    const int which = Frama_C_interval_split(0, 2);

    return which == 0 ? UTET_OK : which == 1 ? UTET_WOULD_BLOCK : UTET_E_PAYLOAD;
}

/* ---- input ---- */

#if EVA_PART == 1
/* The requested bytes end where memory does. */
utet_status utet_zs_peek(utet_zstd *z, uint32_t most)
{
    if (most > z->size - z->rel)
        most = z->size - z->rel;
    z->have = (uint8_t)most;
    z->head = input + sizeof input - most;
    if (z->phase == ZS_P_LITERALS && most != 0)
        input[sizeof input - most] = first;
    return any_answer();
}

utet_status utet_zs_fetch(utet_zstd *z, uint32_t rel, uint8_t *to, size_t length)
{
    (void)rel;
    /*@ assert room: \valid(to + (0 .. length - 1)) && length != 0; */
    z->got = Frama_C_interval_split(0, 1) ? 1 : length;
    Frama_C_make_unknown((char *)to, length);
    return any_answer();
}

utet_status utet_zs_direct(utet_zstd *z, uint32_t rel, uint32_t n)
{
    const utet_status status = any_answer();

    (void)rel;
    /*@ assert room: \valid(z->out + (0 .. n - 1)) && n != 0; */
    z->got = Frama_C_interval_split(0, 1) ? 1 : n;
    if (status == UTET_OK)
        z->out += z->got;
    return status;
}

void utet_zs_cursor_open(utet_zstd *z, zs_cursor *c, uint32_t from, uint32_t to)
{
    (void)z;
    /*@ assert order: from <= to; */
    c->used = any32();
    c->limit = any32();
    c->below = any32();
}

utet_status utet_zs_cursor_refill(utet_zstd *z, zs_cursor *c)
{
    /*@ assert cursor: c == &z->lit || c == &z->seq; */
    (void)z;
    c->used = any32();
    c->limit = any32();
    return any_answer();
}

utet_status utet_zs_cursor_start(utet_zstd *z, zs_cursor *c, uint32_t n)
{
    (void)n;
    return utet_zs_cursor_refill(z, c);
}

uint32_t utet_zs_long_field(uint32_t m, zs_cursor *c, unsigned n)
{
    /*@ assert bits: n <= 16; */
    (void)m;
    c->used += n;
    return any32();
}

/* ---- tables ---- */

uint32_t utet_zs_forward_bits(const uint8_t *p, uint32_t n, uint32_t at)
{
    /*@ assert there: at / 8 < n ==> \valid_read(p + (at / 8 .. (n < at / 8 + 4 ? n : at / 8 + 4) - 1)); */
    (void)p;
    (void)n;
    (void)at;
    return any32() & 0x1ffffff;
}

int utet_zs_sequence_table(utet_zstd *z, unsigned i, unsigned mode, const uint8_t *p, uint32_t n)
{
    /*@ assert table: i < 3 && mode < 3; */
    /*@ assert there: mode == 0 || n == 0 || \valid_read(p + (0 .. n - 1)); */
    (void)p;
    z->log[i] = (uint8_t)Frama_C_interval(0, 9);
    return mode == 0 ? 0 : Frama_C_interval(-1, (int)n);
}

int utet_zs_huffman_tree(utet_zstd *z, const uint8_t *p, uint32_t n)
{
    /*@ assert there: \valid_read(p + (0 .. n - 1)); */
    (void)p;
    (void)n;
    z->tree_bits = (uint8_t)Frama_C_interval(1, 11);
    return Frama_C_interval_split(0, 1);
}

/* ---- output ---- */

void utet_zs_account(utet_zstd *z)
{
    z->mark = z->out;
    z->produced = any64();
}

void utet_zs_set_stop(utet_zstd *z)
{
    z->stop = Frama_C_interval_split(0, 1) ? z->out : z->end;
}

utet_status utet_zs_no_room(const utet_zstd *z)
{
    (void)z;
    return Frama_C_interval(0, 1) ? UTET_E_PAYLOAD : (utet_status)ZS_FULL;
}

utet_status utet_zs_next_stream(utet_zstd *z)
{
    /*@ assert streams: 1 <= z->streams_left <= 4; */
    z->streams_left--;
    return any_answer();
}

utet_status utet_zs_take_literals(utet_zstd *z)
{
    z->ll = any32();
    z->streams_left = (uint8_t)Frama_C_interval_split(0, 4);
    return any_answer();
}

utet_status utet_zs_finish(utet_zstd *z)
{
    z->ll = z->ml = any32();
    return any_answer();
}

static zs_cursor *any_sequences(utet_zstd *z)
{
    const int dry = Frama_C_interval_split(0, 2);

    z->sequences = any32();
    return dry == 0 ? NULL : dry == 1 ? &z->lit : &z->seq;
}

zs_cursor *utet_zs_tables_sequences(utet_zstd *z)
{
    return any_sequences(z);
}

zs_cursor *utet_zs_packed_sequences(utet_zstd *z)
{
    return any_sequences(z);
}

void utet_zs_xxh_begin(zs_xxh *x)
{
    memset(x, 0, sizeof *x);
}

uint32_t utet_zs_xxh_end(const zs_xxh *x, uint64_t total)
{
    (void)x;
    (void)total;
    return any32();
}

#include "zstd/zstd_blocks.c"

/* A decoder in this phase: a header or block of `size` bytes is addressable, `rel` bytes of it have been parsed, and
 * the payload has `behind` more. */
static utet_zstd *decoder(unsigned phase, uint32_t size, uint32_t rel, uint64_t behind)
{
    utet_zstd *z = &context;

    Frama_C_make_unknown((char *)input, sizeof input);
    Frama_C_make_unknown((char *)z, sizeof *z);
    z->phase = (uint8_t)phase;
    z->size = size;
    z->rel = rel;
    z->where = 1000;
    z->length = 1000 + size + behind;
    z->step_limit = 1;
    z->log[0] = (uint8_t)Frama_C_interval(0, 9);
    z->log[1] = (uint8_t)Frama_C_interval(0, 9);
    z->log[2] = (uint8_t)Frama_C_interval(0, 9);
    z->map = Frama_C_interval_split(0, 1) ? input : NULL;
    z->at_hand = (uint8_t)Frama_C_interval_split(0, 1);
    z->lit.cache = cache;
    z->cache_size = 64;
    z->buf = output;
    z->buf_size = sizeof output;
    z->mark = output + 10;
    z->out = output + 20;
    z->end = z->stop = output + 20 + Frama_C_interval_split(0, 2) * 22;
    z->head = input + sizeof input - 1; /* RLE_Block: its only byte */
    z->streams_left = (uint8_t)Frama_C_interval(0, 4);
    return z;
}

static void turn(unsigned phase, uint32_t size, uint32_t rel, uint64_t behind)
{
    utet_zstd *const z = decoder(phase, size, rel, behind);

    if (utet_zs_run(z) == UTET_OK) {
        /*@ assert payload: z->where <= z->length; */
        /*@ assert phases: z->phase <= ZS_P_END; */
    }
}

/* A header of the literals section, whose literals end at `end`. */
static void turn_to(unsigned phase, uint32_t size, uint32_t rel, uint32_t end)
{
    utet_zstd *const z = decoder(phase, size, rel, 3);

    z->lit_end = end;
    z->streams_left = phase == ZS_P_JUMP ? (uint8_t)(Frama_C_interval_split(0, 1) ? 4 : 1) : 0;
    if (utet_zs_run(z) == UTET_OK) {
        /*@ assert parsed: z->rel <= z->size; */
    }
}

void eva_main(void)
{
    static const uint8_t sizes[10] = {0, 1, 2, 3, 4, 5, 6, 18, 100, 200};
    unsigned i, j, phase;
    utet_zstd *z;

    for (phase = ZS_P_FRAME; phase <= ZS_P_CHECKSUM; phase++) /* between blocks, all that is left is addressable */
        for (i = 0; i < 10u; i++)
            turn(phase, sizes[i], 0, 0);
    for (i = 1; i < 10u; i++)
        for (j = 0; j <= 1u; j++) {
            turn(ZS_P_RLE, 1, 0, 3 * j);
            for (first = 0; first < 16u; first++)
                turn(ZS_P_LITERALS, sizes[i], 0, 3 * j);
            if (i < 4u)
                turn(ZS_P_RAW, sizes[i], 0, 3 * j);
        }
    turn(ZS_P_LITERALS, 0, 0, 3);
    for (phase = ZS_P_SECTION; phase <= ZS_P_REST; phase++)
        for (i = 0; i < 10u; i++)
            for (j = 0; j <= 2u; j++)
                turn(phase, sizes[i], sizes[i] * j / 2u, 3);
    for (phase = ZS_P_TREE; phase <= ZS_P_JUMP; phase++)
        for (i = 2; i < 10u; i++)
            for (j = 1; j <= sizes[i]; j += j < 8u ? 1u : 60u) {
                turn_to(phase, sizes[i], sizes[i] - j, sizes[i]);
                turn_to(phase, sizes[i], 0, j);
            }
    for (i = 0; i <= 60u; i += 20u) {
        z = decoder(ZS_P_LOAD, 60, 0, 0);
        z->length = 60;
        z->where = 0;
        z->hold_have = i;
        (void)utet_zs_run(z);
    }
    (void)utet_zs_run(decoder(ZS_P_END, 0, 0, 0));
}
#endif

#if EVA_PART == 2
static int turns; /* in which the machine still produces output */

/* Produces nothing, one byte, or as much as there is room for, and stops for any reason. */
utet_status utet_zs_run(utet_zstd *z)
{
    const int how = Frama_C_interval_split(0, 6);

    /*@ assert slice: \valid(z->out + (0 .. z->stop - z->out - 1)); */
    if (turns <= 0)
        return UTET_E_PAYLOAD;
    turns--;
    if (how >= 3)
        z->out = how == 3 && z->out != z->stop ? z->out + 1 : z->stop;
    if (how == 6)
        z->phase = ZS_P_END;
    return how == 0   ? UTET_E_PAYLOAD
           : how == 1 ? UTET_WOULD_BLOCK
           : how == 5 ? (utet_status)ZS_FULL
           : how == 6 ? UTET_END
                      : UTET_OK;
}

void utet_zs_account(utet_zstd *z)
{
    z->total_left -= (size_t)(z->out - z->mark);
    z->mark = z->out;
}

void utet_zs_set_stop(utet_zstd *z)
{
    /*@ assert room: z->end == z->out || \valid(z->end - 1); */
    z->stop = z->end;
}

#include "zstd/zstd_api.c"

enum { ROOM = 4 };

/* `made` bytes are in the buffer, `given` of them have been delivered, and `left` bytes are still to come. */
static utet_zstd *decoder(unsigned made, unsigned given, uint64_t left, unsigned how)
{
    utet_zstd *z = &context;

    Frama_C_make_unknown((char *)z, sizeof *z);
    Frama_C_make_unknown((char *)output, sizeof output);
    z->status = UTET_OK;
    z->opened = 1;
    z->whole = (uint8_t)(how & 1u);
    z->at_most = (uint8_t)(how >> 1 & 1u);
    z->blocked = (uint8_t)(how >> 2 & 1u);
    z->phase = ZS_P_RAW;
    z->buf = output + sizeof output - ROOM;
    z->buf_size = ROOM;
    z->out = z->mark = z->buf + made;
    z->given = z->buf + given;
    z->end = z->stop = z->out + (left != 0 && made < ROOM ? 1 : 0);
    z->total_left = left;
    turns = 2;
    return z;
}

void eva_main(void)
{
    static const size_t wants[3] = {1, 3, SIZE_MAX};
    unsigned made, given, how, i;
    uint64_t left;
    const uint8_t *from;
    size_t n;

    for (made = 0; made <= ROOM; made += 2u)
        for (given = 0; given <= made; given++)
            for (how = 0; how < 8u; how++)
                for (left = 0; left <= 6u; left += 3u)
                    for (i = 0; i < 3u; i++) {
                        utet_zstd *z = decoder(made, given, (how & 1u) != 0 && left > ROOM - made ? ROOM - made : left,
                                               how);

                        if (utet_zstd_step(z, wants[i], &from, &n) == UTET_OK) {
                            /*@ assert given: \valid_read(from + (0 .. n - 1)); */
                        }
                        z = decoder(made, given, (how & 1u) != 0 && left > ROOM - made ? ROOM - made : left, how);
                        (void)utet_zstd_read(z, cache, 3, &n);
                        z = decoder(made, given, (how & 1u) != 0 && left > ROOM - made ? ROOM - made : left, how);
                        (void)utet_zstd_decode(z);
                    }
    (void)utet_zstd_step(&context, 0, &from, &n);
    (void)utet_zstd_read(&context, cache, 0, &n);
}
#endif
