/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Frama-C EVA over the szip decoder. EVA_PART 1: a step of a block, from any state that the invariant below allows; the
 * reader of bits is replaced by its contract. 2: the end of a block, samples of every width and order from any codes;
 * and what begins a stream. 3: of that reader, fields and unary numbers, from any reservoir and inputs of 0 to 9 bytes.
 * An alarm is a possible undefined behaviour.
 *
 * Each part makes one call and holds the invariant against what that leaves behind: so what is shown for one call holds
 * for all of them. The number of bits that are held is not part of the invariant: no access depends on it. Not here:
 * the loops over the unary parts and over the lower bits of a block (utet_szip_unaries, utet_szip_fields), which
 * compare the distance of two pointers that EVA does not keep together: wp_szip.c.
 */
#include <string.h>

#include "eva_any.h"

#include "szip/szip.h"

static utet_szip z;

/* Any state between two calls, with blocks of this size. */
static void any_state(unsigned block)
{
    Frama_C_make_unknown((char *)&z, sizeof z);
    z.priv.params.bits = (uint8_t)Frama_C_interval(1, 32);
    z.priv.params.block = (uint8_t)block;
    z.priv.params.rsi = (uint16_t)Frama_C_interval(1, UTET_SZIP_RSI_MOST);
    z.priv.index = (uint8_t)Frama_C_interval(0, (int)block);
}

#if EVA_PART == 1
int utet_szip_field(utet_szip *of, bits *b, unsigned n, uint32_t *value)
{
    /*@ assert n: 1 <= n <= 32; */
    (void)b;
    of->priv.high = any32();
    of->priv.split = (uint8_t)any32();
    if (Frama_C_interval(0, 1))
        return 0;
    *value = n >= 31 ? any32() : (uint32_t)Frama_C_interval(0, (1 << n) - 1);
    return 1;
}

outcome utet_szip_unary(utet_szip *of, bits *b, uint32_t most, uint32_t *value)
{
    (void)b;
    of->priv.zeros = any32();
    if (Frama_C_interval(0, 1))
        return Frama_C_interval(0, 1) ? HUNGRY : DAMAGED;
    *value = any32();
    if (*value > most)
        return DAMAGED;
    return DONE;
}

static outcome any_values(utet_szip *of)
{
    Frama_C_make_unknown((char *)of->priv.value, sizeof of->priv.value);
    of->priv.index = (uint8_t)Frama_C_interval(0, of->priv.params.block);
    return Frama_C_interval(0, 1) ? HUNGRY : Frama_C_interval(0, 1) ? DONE : DAMAGED;
}

outcome utet_szip_unaries(utet_szip *of, bits *b, uint32_t most)
{
    (void)b;
    (void)most;
    return any_values(of);
}

outcome utet_szip_fields(utet_szip *of, bits *b, unsigned n)
{
    /*@ assert n: 1 <= n <= 31; */
    (void)b;
    return any_values(of);
}

/* What steps leave, as later ones count on it: of all, and of those that end at this step. */
enum { LEFT_AT_EXTRA = 1, LEFT_AT_REFERENCE = 2, LEFT_AT_UNARY = 4, LEFT_AT_LOW = 5, LEFT_AT_ZEROS = 6 };
/*@ predicate later(utet_szip *z) =
        z->priv.index <= z->priv.params.block && z->priv.step <= LEFT_AT_ZEROS + 3
        && (z->priv.step == LEFT_AT_EXTRA ==> z->priv.index == 0)
        && (z->priv.step == LEFT_AT_REFERENCE && z->priv.coded == LEFT_AT_UNARY ==> 1 <= z->priv.id <= 30)
        && (z->priv.step == LEFT_AT_REFERENCE ==> LEFT_AT_UNARY <= z->priv.coded <= LEFT_AT_ZEROS + 1)
        && (z->priv.step == LEFT_AT_UNARY ==> 1 <= z->priv.id <= 30)
        && (z->priv.step == LEFT_AT_LOW ==> 2 <= z->priv.id <= 30)
        && (z->priv.step == LEFT_AT_ZEROS ==> z->priv.index <= 1);
*/
/*@ ensures later(z); */
static outcome begin_block(utet_szip *z, bits *b);
/*@ ensures later(z); */
static outcome step(utet_szip *z, bits *b);

int utet_szip_samples(utet_szip *of);

#include "szip/szip.c"

typedef char same_numbers[LEFT_AT_EXTRA == AT_EXTRA && LEFT_AT_REFERENCE == AT_REFERENCE && AT_PAIRS == AT_ZEROS + 1 &&
                                  LEFT_AT_UNARY == AT_UNARY && LEFT_AT_LOW == AT_LOW && LEFT_AT_ZEROS == AT_ZEROS &&
                                  AT_DAMAGE == 9
                              ? 1
                              : -1];

void eva_main(void)
{
    const unsigned at = (unsigned)Frama_C_interval_split(AT_ID, AT_DAMAGE);
    const unsigned block = 8u << Frama_C_interval_split(0, 3);
    bits b;

    any_state(block);
    z.priv.step = (uint8_t)at;
    if (at == AT_ID)
        z.priv.id_bits = (uint8_t)Frama_C_interval_split(1, 5);
    else if (at == AT_UNARY)
        z.priv.id = (uint8_t)Frama_C_interval_split(1, 30);
    else if (at == AT_LOW)
        z.priv.id = (uint8_t)Frama_C_interval_split(2, 30);
    else if (at == AT_PAIRS)
        z.priv.index = (uint8_t)Frama_C_interval_split(0, (int)block);
    else if (at == AT_ZEROS)
        z.priv.index = (uint8_t)Frama_C_interval_split(0, 1);
    else if (at == AT_EXTRA)
        z.priv.index = 0;
    if (at == AT_REFERENCE) { /* on the way to unary parts, pairs or zeros */
        z.priv.coded = (uint8_t)Frama_C_interval_split(AT_UNARY, AT_PAIRS);
        if (z.priv.coded == AT_LOW)
            return;
        if (z.priv.coded == AT_UNARY)
            z.priv.id = (uint8_t)Frama_C_interval(1, 30);
    }
    b.reservoir = 0;
    b.held = 0;
    if (at == AT_ID) /* which is all that step does there; here its states stay apart */
        (void)begin_block(&z, &b);
    else
        (void)step(&z, &b);
}
#elif EVA_PART == 2
/*@ ensures width: \result == UTET_OK ==> 1 <= z->priv.width <= 4;
    ensures id_bits: \result == UTET_OK ==> 1 <= z->priv.id_bits <= 5;
    ensures bits: \result == UTET_OK ==> 1 <= z->priv.params.bits <= 32;
*/
utet_status utet_szip_init(utet_szip *z, const utet_szip_params *params);

#include "szip/szip.c"

#include "szip/szip_hot.c"

void eva_main(void)
{
    utet_szip_params any;

    if (Frama_C_interval_split(0, 1)) {
        any_state(8u << Frama_C_interval_split(0, 3));
        z.priv.width = (uint8_t)Frama_C_interval_split(1, 4);
        (void)utet_szip_samples(&z);
        /*@ assert size: z.size <= 256; */
    } else {
        Frama_C_make_unknown((char *)&any, sizeof any);
        any.bits = (uint8_t)Frama_C_interval_split(0, 255);
        (void)utet_szip_init(&z, &any);
    }
}
#else
#include "szip/szip_hot.c"

enum { INPUT = 9 };

void eva_main(void)
{
    static uint8_t input[INPUT];
    const unsigned n = (unsigned)Frama_C_interval_split(1, 32);
    uint32_t value;
    bits b;

    Frama_C_make_unknown((char *)input, sizeof input);
    any_state(8);
    b.in = input + Frama_C_interval_split(0, INPUT);
    b.end = input + INPUT;
    b.reservoir = (word)any64();
    b.held = any32();
    if (Frama_C_interval_split(0, 1)) {
        (void)utet_szip_field(&z, &b, n, &value);
    } else if (n == 1) {
        (void)utet_szip_unary(&z, &b, any32(), &value);
    } else if (n < 32 && b.end - b.in >= 4) {
        b.held = (unsigned)Frama_C_interval_split(0, (int)n - 1);
        (void)take_across(&b, n);
    }
    /*@ assert in: b.in <= b.end; */
}
#endif
