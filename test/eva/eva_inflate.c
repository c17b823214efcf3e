/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Frama-C EVA over inflate. An alarm is possible undefined behaviour. Part 1: phases except those of compressed data,
 * of code lengths and of stored bytes, by themselves, in any state; the codes are replaced by their contracts. Part 2:
 * the state machine and its step; the phases that read or write many bytes are replaced by theirs. Part 3: codes of
 * four symbols, and the fixed codes. Part 4: lengths and distances, with the codes' contracts. Part 5: stored bytes,
 * and the code lengths that a symbol represents; part 6: all code lengths.
 *
 * eva.sh: 6 parts, x86_32, x86_64, ppc_32
 *   1: -eva-slevel 300 -eva-slevel-function eva_main:20000,any_state:20000
 *       -eva-slevel-function any_input:20000,phase:20000
 *       -eva-split-return full
 *   2: -eva-slevel 20 -eva-slevel-function eva_main:20000,any_state:20000 -eva-split-return full
 *       -eva-use-spec inflate_copy,utet_inflate_ensure
 *   3: -eva-slevel 5000 -eva-slevel-function eva_main:100000,four:100000 -eva-split-return full
 *   4: -eva-slevel 500 -eva-slevel-function eva_main:20000,any_state:20000 -eva-split-return full
 *   5: -eva-slevel 300 -eva-slevel-function eva_main:20000,any_state:20000,any_input:20000,utet_inflate_account:0
 *       -eva-split-return full
 *   6: -eva-slevel 20 -eva-slevel-function eva_main:20000 -eva-split-return full
 *       -eva-use-spec add_lengths,utet_inflate_pull
 */
#include <string.h>

#include "eva_any.h"

#include "inflate/inflate.h"

enum { ROOM = 2 };

static utet_inflate z;

#if EVA_PART != 3
static uint8_t bytes[3], memory[ROOM];

static utet_status fetch(void *ctx, uint32_t position, const uint8_t **at, size_t *have)
{
    (void)ctx;
    (void)position;
    if (Frama_C_interval_split(0, 1))
        return Frama_C_interval_split(0, 1) ? UTET_WOULD_BLOCK : UTET_E_SHORT;
    Frama_C_make_unknown((char *)bytes, sizeof bytes);
    *have = Frama_C_interval_split(0, 1) ? 1 : 3;
    *at = bytes + sizeof bytes - *have;
    return UTET_OK;
}

/* Any numbers in the object; with `places`, the output, its mark and stop are each in a small buffer, in this order. */
static void any_state(int places)
{
    const int capacity = places ? Frama_C_interval_split(1, ROOM) : ROOM;
    const int out = places ? Frama_C_interval_split(0, capacity) : 1;

    Frama_C_make_unknown((char *)memory, sizeof memory);
    Frama_C_make_unknown((char *)&z, sizeof z);
    z.priv.job.fetch = fetch;
    z.priv.job.buffer = memory + sizeof memory - capacity;
    z.priv.job.capacity = (size_t)capacity;
    z.priv.out = z.priv.job.buffer + out;
    z.priv.stop = z.priv.job.buffer + (places ? Frama_C_interval_split(out, capacity) : capacity);
    z.priv.given = z.priv.mark = z.priv.job.buffer + (places ? Frama_C_interval_split(0, out) : 0);
    z.priv.in = z.priv.in_end = bytes + sizeof bytes;
    z.priv.position = 1000;
    z.priv.job.length = z.priv.position + (uint32_t)(places ? Frama_C_interval_split(0, 4) : 4);
    z.priv.phase = (uint8_t)Frama_C_interval(0, INFLATE_END);
    z.priv.bits = (uint8_t)Frama_C_interval(0, 32);
    z.priv.status = Frama_C_interval(0, 1) ? UTET_OK : UTET_E_PAYLOAD;
}

#if EVA_PART == 1 || EVA_PART >= 5
/* Input within reach: none, or up to three bytes. */
static void any_input(void)
{
    z.priv.in_end = bytes + sizeof bytes;
    z.priv.in = z.priv.in_end - Frama_C_interval_split(0, 3);
    Frama_C_make_unknown((char *)bytes, sizeof bytes);
}
#endif
#endif

#if EVA_PART == 1 || EVA_PART >= 4
/* ---- contracts of the codes: a symbol, of at most as many bits as there are; or fewer than 15 bits are left ---- */

static unsigned symbol_of(unsigned *bits, unsigned symbols, unsigned longest)
{
    if (Frama_C_interval_split(0, 1)) {
        *bits = (unsigned)Frama_C_interval(0, (int)longest - 1);
        return INFLATE_WANT;
    }
    return Frama_C_interval(0, 1)
               ? INFLATE_INVALID
               : (unsigned)Frama_C_interval(0, (int)symbols - 1) | (unsigned)Frama_C_interval(1, (int)longest) << 12;
}
#endif

#if EVA_PART == 1 || EVA_PART >= 5
int utet_inflate_sort(uint16_t *code, const uint8_t *length, unsigned count, int lone)
{
    (void)lone;
    (void)((volatile const uint8_t *)length)[count - 1];
    Frama_C_make_unknown((char *)code, (16 + (size_t)19) * sizeof code[0]);
    return Frama_C_interval_split(0, 1);
}

void utet_inflate_table(uint16_t *root, unsigned bits, uint16_t *code)
{
    (void)code;
    Frama_C_make_unknown((char *)root, sizeof root[0] << bits);
}

int utet_inflate_build(utet_inflate *of, unsigned literals, unsigned all)
{
    /*@ assert all: literals <= 286 && all <= 316; */
    Frama_C_make_unknown((char *)of->priv.literal_table.root, sizeof of->priv.literal_table.root);
    return Frama_C_interval(0, 1);
}

void utet_inflate_fixed(utet_inflate *of)
{
    of->priv.fixed = 1;
}

/* For the code for code lengths, which is complete: no bits are invalid. */
unsigned utet_inflate_decode_distance(const utet_inflate *of)
{
    if (Frama_C_interval_split(0, 1)) {
        ((utet_inflate *)of)->priv.bits = (uint8_t)Frama_C_interval(0, 6);
        return INFLATE_WANT;
    }
    return (unsigned)Frama_C_interval_split(0, 18) | (unsigned)Frama_C_interval(1, 7) << 12;
}

#include "inflate/inflate.c"
#include "inflate/inflate_adler.c"
#if EVA_PART >= 5
/* The same number, and a state for each. */
static uint32_t one_of(uint32_t number)
{
    uint32_t each;

    for (each = 0; each != number; each++) {}
    return each;
}

/*@ assigns z->priv.at.lengths.have, z->priv.bits, z->priv.hold \from z->priv.at.lengths.have, symbol, bits;
    assigns \result \from symbol;
    ensures z->priv.at.lengths.have <= 316; */
static utet_status add_lengths(utet_inflate *z, unsigned symbol, unsigned bits);
#if EVA_PART == 6
/*@ assigns z->priv.bits, z->priv.hold \from z->priv.bits;
    assigns \result \from z->priv.bits; */
utet_status utet_inflate_pull(utet_inflate *z);
#endif

#define utet_inflate_take(of, n) one_of(utet_inflate_take((of), (n)))
#endif
#include "inflate/inflate_lengths.c"
#undef utet_inflate_take

/* Not called by the phases here, but named by the state machine. */
utet_status utet_inflate_symbol(utet_inflate *of)
{
    (void)of;
    return UTET_OK;
}
utet_status utet_inflate_distance(utet_inflate *of)
{
    return utet_inflate_symbol(of);
}
utet_status utet_inflate_extra(utet_inflate *of)
{
    return utet_inflate_symbol(of);
}
utet_status utet_inflate_match(utet_inflate *of)
{
    return utet_inflate_symbol(of);
}

#if EVA_PART >= 5
static void lengths(void)
{
    static const uint16_t have[] = {0, 290, 315};
    const unsigned symbol = (unsigned)Frama_C_interval_split(0, 18);

    z.priv.at.lengths.literals = (uint16_t)Frama_C_interval(257, 286);
    z.priv.at.lengths.all = (uint16_t)Frama_C_interval(258, 316);
    z.priv.at.lengths.have = have[Frama_C_interval_split(0, 2)];
    z.priv.bits = (uint8_t)Frama_C_interval(0, 32);
#if EVA_PART == 6
    (void)utet_inflate_lengths(&z);
    (void)symbol;
#else
    (void)add_lengths(&z, symbol, 1);
#endif
    /*@ assert have: z.priv.at.lengths.have <= 316; */
}

static void copies(void)
{
    static const uint8_t left[] = {0, 1, 2, 3, 7};

    any_input();
    z.priv.out = memory + Frama_C_interval_split(0, ROOM);
    z.priv.at.stored.left = left[Frama_C_interval_split(0, 4)];
    (void)inflate_copy(&z);
    (void)utet_inflate_is_full(&z);
    /*@ assert out: \subset(z.priv.out, &memory[0] + (0 .. ROOM)); */
}

void eva_main(void)
{
    any_state(0);
    if (EVA_PART == 5 && Frama_C_interval_split(0, 1))
        copies();
    else
        lengths();
}
#else
static void phase(int number)
{
    switch (number) {
    case 0: (void)inflate_header(&z); break;
    case 1: (void)inflate_block(&z); break;
    case 2: (void)inflate_stored(&z); break;
    case 3:
        z.priv.bits = (uint8_t)Frama_C_interval(0, 24);
        (void)utet_inflate_ensure(&z, (unsigned)Frama_C_interval_split(1, 25));
        break;
    case 4: (void)utet_inflate_counts(&z); break;
    case 5:
        z.priv.at.lengths.described = (uint8_t)Frama_C_interval(4, 19);
        z.priv.at.lengths.have = (uint16_t)Frama_C_interval_split(0, 18);
        (void)utet_inflate_describe(&z);
        /*@ assert had: z.priv.at.lengths.have <= 19; */
        break;
    case 6: (void)inflate_check(&z); break;
    default: (void)utet_inflate_error_offset(&z); break;
    }
}

void eva_main(void)
{
    uint8_t head[2];
    uint32_t need;
    int number;

    if (Frama_C_interval_split(0, 1)) {
        number = Frama_C_interval_split(0, 7);
        any_state(number == 6);
        if (number == 3)
            any_input();
        phase(number);
    } else {
        Frama_C_make_unknown((char *)head, sizeof head);
        (void)utet_inflate_need(head, any32(), &need);
        Frama_C_make_unknown((char *)&z, sizeof z);
        z.priv.job.fetch = fetch;
        z.priv.job.buffer = memory;
        (void)utet_inflate_init(Frama_C_interval(0, 1) ? &z : NULL, &z.priv.job);
    }
}
#endif
#endif

#if EVA_PART == 2
/*@ assigns of->priv.bits, of->priv.hold \from of->priv.bits, of->priv.hold, n;
    assigns \result \from n, of->priv.bits;
    ensures \result == UTET_OK || \result == UTET_WOULD_BLOCK || \result == UTET_E_SHORT || \result == UTET_E_PAYLOAD;
 */
utet_status utet_inflate_ensure(utet_inflate *of, unsigned n);

/*@ assigns of->priv.phase, of->priv.at.stored.left \from of->priv.phase, of->priv.last;
    assigns \result \from of->priv.phase;
    ensures of->priv.phase <= INFLATE_END;
    ensures \result == UTET_OK || \result == INFLATE_FULL || \result == UTET_WOULD_BLOCK || \result == UTET_E_PAYLOAD ||
            \result == UTET_E_SPACE; */
static utet_status inflate_copy(utet_inflate *of);

#include "inflate/inflate.c"

static int least; /* the current position of the output, or its beginning again */

/* A phase: output up to any position before the stop, any input left within reach, the next phase, a result. */
static utet_status next(utet_inflate *of)
{
    static const utet_status answers[] = {UTET_OK,      UTET_WOULD_BLOCK, INFLATE_FULL, UTET_E_PAYLOAD,
                                          UTET_E_SPACE, UTET_E_BUDGET,    UTET_E_SHORT};

    /*@ assert stop: \subset(of->priv.stop, &memory[0] + (0 .. ROOM)); */
    of->priv.out = of->priv.job.buffer + Frama_C_interval(least, (int)of->priv.job.capacity);
    of->priv.in_end = bytes + sizeof bytes;
    of->priv.in = of->priv.in_end - Frama_C_interval(0, 3);
    of->priv.bits = (uint8_t)Frama_C_interval(0, 32);
    of->priv.hold = any32();
    of->priv.phase = (uint8_t)Frama_C_interval(0, INFLATE_END);
    return answers[Frama_C_interval(0, 6)];
}

utet_status utet_inflate_counts(utet_inflate *of)
{
    return next(of);
}
utet_status utet_inflate_describe(utet_inflate *of)
{
    return next(of);
}
utet_status utet_inflate_lengths(utet_inflate *of)
{
    return next(of);
}
utet_status utet_inflate_symbol(utet_inflate *of)
{
    return next(of);
}
utet_status utet_inflate_distance(utet_inflate *of)
{
    return next(of);
}
utet_status utet_inflate_extra(utet_inflate *of)
{
    return next(of);
}
utet_status utet_inflate_match(utet_inflate *of)
{
    return next(of);
}

void utet_inflate_fixed(utet_inflate *of)
{
    of->priv.fixed = 1;
}

void utet_inflate_account(utet_inflate *of)
{
    of->priv.left = any32();
    of->priv.mark = of->priv.out;
    of->priv.adler = any32();
}

void eva_main(void)
{
    const uint8_t *at;
    size_t length;

    any_state(1);
    z.priv.job.step_limit = (uint16_t)Frama_C_interval(0, 3);
    least = (int)(z.priv.out - z.priv.job.buffer);
    z.priv.left = Frama_C_interval_split(0, 1) ? 0 : (uint32_t)Frama_C_interval(1, INT32_MAX);
    if (z.priv.given == z.priv.job.buffer + z.priv.job.capacity && z.priv.left != 0)
        least = 0;
    if (utet_inflate_step(&z, Frama_C_interval(0, 1) ? 0 : any32(), &at, &length) == UTET_OK && length != 0)
        (void)*(volatile const uint8_t *)at;
    /*@ assert given: \subset(z.priv.given, &memory[0] + (0 .. ROOM)); */
}
#endif

#if EVA_PART == 3
#include "inflate/inflate_code.c"

enum { BITS = 2, COUNT = 4, LENGTHS = 4 };

/* Codes of four symbols, of each length up to 4, followed by any bits. */
static void four(void)
{
    uint8_t length[COUNT];
    uint16_t code[SYMBOLS + COUNT], root[1 << BITS];
    unsigned bits, entry;

    length[0] = (uint8_t)Frama_C_interval_split(0, LENGTHS);
    length[1] = (uint8_t)Frama_C_interval_split(0, LENGTHS);
    length[2] = (uint8_t)Frama_C_interval_split(0, LENGTHS);
    length[3] = (uint8_t)Frama_C_interval_split(0, LENGTHS);
    memset(code, 0, sizeof code);
    if (!utet_inflate_sort(code, length, COUNT, 1))
        return;
    utet_inflate_table(root, BITS, code);
    bits = (unsigned)Frama_C_interval_split(0, LONGEST + 1);
    entry = utet_inflate_decode(code, root, BITS, any32(), bits);
    /*@ assert wants: entry == INFLATE_WANT ==> bits < LONGEST; */
    /*@ assert symbol: entry == INFLATE_WANT || entry == INFLATE_INVALID || entry % 4096 < COUNT; */
}

void eva_main(void)
{
    if (Frama_C_interval_split(0, 1)) {
        four();
        return;
    }
    z.priv.fixed = 0;
    utet_inflate_fixed(&z);
    z.priv.hold = any32();
    z.priv.bits = (uint8_t)Frama_C_interval(0, 32);
    (void)utet_inflate_decode_distance(&z);
}
#endif

#if EVA_PART == 4
unsigned utet_inflate_search(const uint16_t *code, unsigned length, unsigned entry, uint32_t hold, unsigned bits)
{
    unsigned left = bits;

    (void)code;
    (void)length;
    (void)entry;
    (void)hold;
    return symbol_of(&left, 288, 15);
}

/* In the object: it needs bits if there are fewer than 15. */
unsigned utet_inflate_decode(const uint16_t *code, const uint16_t *root, unsigned root_bits, uint32_t hold,
                             unsigned bits)
{
    unsigned left = bits, entry = symbol_of(&left, 288, 15);

    (void)code;
    (void)root;
    (void)root_bits;
    (void)hold;
    if (entry == INFLATE_WANT)
        z.priv.bits = (uint8_t)left;
    return entry;
}

unsigned utet_inflate_decode_distance(const utet_inflate *of)
{
    return utet_inflate_decode(NULL, NULL, 0, of->priv.hold, of->priv.bits);
}

/* One more byte, in a bit buffer with room for it. */
utet_status utet_inflate_pull(utet_inflate *of)
{
    /*@ assert room: of->priv.bits <= 24; */
    of->priv.bits = (uint8_t)(of->priv.bits + 8u);
    of->priv.hold = any32();
    return Frama_C_interval(0, 1) ? UTET_OK : UTET_WOULD_BLOCK;
}

utet_status utet_inflate_ensure(utet_inflate *of, unsigned n)
{
    /*@ assert bits: n <= 25; */
    of->priv.bits = (uint8_t)Frama_C_interval(0, 32);
    return Frama_C_interval(0, 1) ? UTET_OK : UTET_WOULD_BLOCK;
}

uint32_t utet_inflate_take(utet_inflate *of, unsigned n)
{
    const uint32_t value = of->priv.hold & (((uint32_t)1 << n) - 1u);

    /*@ assert bits: n <= 31; */
    of->priv.hold = any32();
    of->priv.bits = (uint8_t)Frama_C_interval(0, 32);
    return value;
}

int utet_inflate_is_full(const utet_inflate *of)
{
    (void)of;
    return Frama_C_interval(0, 1);
}

utet_status utet_inflate_no_room(const utet_inflate *of)
{
    return utet_inflate_is_full(of) ? INFLATE_FULL : UTET_E_SPACE;
}

void utet_inflate_end_block(utet_inflate *of)
{
    of->priv.phase = INFLATE_BLOCK;
}

void utet_inflate_fast(utet_inflate *of)
{
    (void)of;
}

#include "inflate/inflate_data.c"

void eva_main(void)
{
    any_state(0);
    z.priv.phase = INFLATE_SYMBOL;
    if (Frama_C_interval_split(0, 1))
        (void)begin_match(&z, (unsigned)Frama_C_interval(0, 30), (unsigned)Frama_C_interval(1, 15));
    else {
        (void)utet_inflate_distance(&z);
        /*@ assert extra: z.priv.phase != INFLATE_EXTRA || z.priv.at.match.extra <= 13; */
    }
}
#endif
