/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Frama-C EVA over inflate's symbols: the hot loop, and the phase around it, from any state. An alarm is possible
 * undefined behaviour. Memory ends with the buffer, and the input within reach with its bytes; the codes are replaced
 * by their contracts.
 *
 * eva.sh: 1 part, x86_32, x86_64, ppc_32
 *   1: -eva-slevel 20000 -eva-split-return full
 */
#include <string.h>

#include "eva_any.h"

#include "inflate/inflate.h"

enum { ROOM = 6, INPUT = 7 };

static utet_inflate z;
static uint8_t input[INPUT], memory[ROOM];

/* A value from `least` to `most`, of 1 to 15 bits, but not more than there are; bits with which no code begins; or, if
 * fewer than 15 bits are there, more are requested. */
static unsigned symbol_of(unsigned least, unsigned most, unsigned bits)
{
    const unsigned longest = bits < 15 ? bits : 15;

    if (bits < 15 && Frama_C_interval_split(0, 1))
        return INFLATE_WANT;
    if (longest == 0 || Frama_C_interval_split(0, 1))
        return INFLATE_INVALID;
    return (unsigned)Frama_C_interval((int)least, (int)most) | (unsigned)Frama_C_interval(1, (int)longest) << 12;
}

/* For the code for literals and lengths. */
static unsigned literal_of(unsigned bits)
{
    return Frama_C_interval_split(0, 1) ? symbol_of(0, 255, bits) : symbol_of(INFLATE_OTHER, INFLATE_OTHER + 31, bits);
}

/* For the code for distances: an existing one, or 30 or 31, which the fixed code has. */
static unsigned distance_of(unsigned bits)
{
    return Frama_C_interval_split(0, 1) ? symbol_of(0, 29, bits) : symbol_of(30, 31, bits);
}

unsigned utet_inflate_decode(const uint16_t *code, const uint16_t *root, unsigned root_bits, uint32_t hold,
                             unsigned bits)
{
    (void)code, (void)root, (void)hold;
    return root_bits == UTET_INFLATE_ROOT ? literal_of(bits) : distance_of(bits);
}

unsigned utet_inflate_search(const uint16_t *code, unsigned length, unsigned entry, uint32_t hold, unsigned bits)
{
    (void)code, (void)entry, (void)hold;
    return length == UTET_INFLATE_ROOT ? literal_of(bits) : distance_of(bits);
}

unsigned utet_inflate_decode_distance(const utet_inflate *of)
{
    return distance_of(of->priv.bits);
}

static utet_status fetch(void *ctx, uint32_t position, const uint8_t **at, size_t *have)
{
    (void)ctx;
    (void)position;
    if (Frama_C_interval(0, 1))
        return UTET_WOULD_BLOCK;
    *have = INPUT;
    *at = input;
    return UTET_OK;
}

/* The other phases, which the state machine names. */
utet_status utet_inflate_counts(utet_inflate *of)
{
    (void)of;
    return UTET_OK;
}
utet_status utet_inflate_describe(utet_inflate *of)
{
    return utet_inflate_counts(of);
}
utet_status utet_inflate_lengths(utet_inflate *of)
{
    return utet_inflate_counts(of);
}
void utet_inflate_fixed(utet_inflate *of)
{
    (void)of;
}

#include "inflate/inflate.c"
#include "inflate/inflate_adler.c"
#include "inflate/inflate_data.c"
#include "inflate/inflate_hot.c"

void eva_main(void)
{
    const int out = Frama_C_interval_split(0, ROOM);
    const int stop = Frama_C_interval_split(out, ROOM);

    Frama_C_make_unknown((char *)&z, sizeof z);
    Frama_C_make_unknown((char *)memory, sizeof memory);
    Frama_C_make_unknown((char *)input, sizeof input);
    z.priv.job.fetch = fetch;
    z.priv.job.buffer = memory;
    z.priv.job.capacity = ROOM;
    z.priv.out = memory + out;
    z.priv.stop = memory + stop;
    z.priv.given = z.priv.mark = memory;
    z.priv.in_end = input + INPUT;
    z.priv.in = z.priv.in_end - Frama_C_interval_split(0, INPUT);
    z.priv.position = 1000;
    z.priv.job.length = 1000 + INPUT;
    z.priv.bits = (uint8_t)Frama_C_interval(0, 32);
    z.priv.phase = INFLATE_SYMBOL;
    (void)utet_inflate_symbol(&z);
    /*@ assert out: \subset(z.priv.out, &memory[0] + (0 .. ROOM)); */
}
