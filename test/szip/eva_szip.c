/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Frama-C EVA over the szip decoder. EVA_PART 1: a step of a block, from any state that the invariant below allows; the
 * bit reader is replaced by its contract. 2: the end of a block (samples of every width and order from any codes) and
 * the beginning of a stream. 3: fields and unary numbers of the bit reader, from any reservoir and inputs of 0 to 9
 * bytes. 4: a block's call, over the step's contract. 5: the codec of streams, over the calls' contracts. An alarm is
 * possible undefined behaviour.
 *
 * Each part makes one call and compares the state after it with the invariant, so what is shown for one call holds for
 * all of them. The number of bits that are held is not part of the invariant: no access depends on it. Not analysed
 * here: the loops over the unary parts and over the lower bits of a block (utet_szip_unaries, utet_szip_fields), which
 * compare the distance of two pointers that EVA does not keep together: wp_szip.c.
 *
 * eva.sh: 5 parts, x86_32, x86_64, ppc_32
 *   1: -eva-slevel 1000 -eva-slevel-function eva_main:20000,read_pairs:3000 -eva-slevel-merge-after-loop read_pairs
 *       -eva-split-return-function utet_szip_field:0,utet_szip_unary:0:1:2
 *   2: -eva-slevel 3000 -eva-split-return-function utet_szip_width:0
 *   3: -eva-slevel 5000
 *   4: -eva-slevel 200 -eva-use-spec szip_next_step -eva-split-return-function utet_szip_samples:0:1
 *   5: -eva-slevel 5000 -eva-split-return full
 */
#include <string.h>

#if EVA_PART == 5
#include "eva_payload.h"
#else
#include "eva_any.h"
#endif

#include "szip/szip.h"

#if EVA_PART < 5
static utet_szip z;

/* Any state between two calls, for blocks of this size. */
static void any_state(unsigned block)
{
    Frama_C_make_unknown((char *)&z, sizeof z);
    z.priv.params.bits = (uint8_t)Frama_C_interval(1, 32);
    z.priv.params.block = (uint8_t)block;
    z.priv.params.rsi = (uint16_t)Frama_C_interval(1, UTET_SZIP_RSI_MAX);
    z.priv.index = (uint8_t)Frama_C_interval(0, (int)block);
}
#endif

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

/* What steps leave for later ones: all steps, and those that end at this step. */
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
static outcome szip_next_step(utet_szip *z, bits *b);

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
    if (at == AT_ID) /* that is all this step does there; its states are kept apart here */
        (void)begin_block(&z, &b);
    else
        (void)szip_next_step(&z, &b);
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
#elif EVA_PART == 3
#include "szip/szip_hot.c"

enum { INPUT = 9 };

void eva_main(void)
{
    static uint8_t input[INPUT];
    const unsigned n = (unsigned)Frama_C_interval_split(1, 32);
    uint32_t value;
    bits b, other;

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
    (void)szip_fast_end(&z, &b);
    szip_copy(&other, &b);
    (void)szip_leave(&z, z.priv.value + Frama_C_interval(0, UTET_SZIP_BLOCK_MAX), DONE);
}
#elif EVA_PART == 4
enum { INPUT = 9 };
static uint8_t input[INPUT];

/*@ assigns b->in \from b->in;
    assigns b->held, b->reservoir \from b->held, b->reservoir;
    assigns z->priv \from z->priv;
    assigns \result \from z->priv;
    ensures b->end == &input[0] + 9 && b->held <= 64;
    ensures \subset(b->in, &input[0] + (0 .. 9));
    ensures \result == HUNGRY || \result == DONE || \result == DAMAGED; */
static outcome szip_next_step(utet_szip *z, bits *b);

int utet_szip_samples(utet_szip *of)
{
    of->priv.block = (uint16_t)any32();
    of->size = (size_t)Frama_C_interval(8, 4 * UTET_SZIP_BLOCK_MAX);
    of->out = (const uint8_t *)of->priv.value;
    return Frama_C_interval_split(0, 1);
}

#include "szip/szip.c"

void eva_main(void)
{
    const size_t length = (size_t)Frama_C_interval_split(0, INPUT);
    size_t used;

    Frama_C_make_unknown((char *)input, sizeof input);
    any_state(8);
    (void)utet_szip_block(&z, input + INPUT - length, length, &used);
    (void)utet_szip_spare(&z);
}
#else
#include "base/base.h"
#include "tensogram/tensogram_szip.c"

enum { WHOLE = 3 };

static utet_szip_codec codec;
static utet_stream stream;
static utet_file file;
static utet_io io;
static utet_szip work;
uint64_t utet_div(uint64_t dividend, uint64_t divisor)
{
    /*@ assert divisor: divisor != 0; */
    return dividend / divisor;
}

unsigned utet_szip_width(const utet_szip_params *params)
{
    (void)params->bits;
    return (unsigned)Frama_C_interval_split(0, 4);
}

utet_status utet_szip_init(utet_szip *z, const utet_szip_params *params)
{
    Frama_C_make_unknown((char *)z, sizeof *z);
    return utet_szip_width(params) != 0 ? UTET_OK : UTET_E_ARGUMENT;
}

/* It takes all of the input, or as much as it needs if that completes a block. */
utet_status utet_szip_block(utet_szip *z, const uint8_t *in, size_t length, size_t *used)
{
    const utet_status status = Frama_C_interval_split(0, 1)   ? UTET_OK
                               : Frama_C_interval_split(0, 1) ? UTET_WOULD_BLOCK
                                                              : UTET_E_PAYLOAD;

    if (length != 0)
        (void)((volatile const uint8_t *)in)[length - 1];
    *used = status == UTET_WOULD_BLOCK ? length : (size_t)Frama_C_interval_split(0, (int)length);
    Frama_C_make_unknown((char *)z, sizeof *z);
    z->size = 8u * (size_t)Frama_C_interval(1, 32);
    z->out = (const uint8_t *)z->priv.value;
    return status;
}

unsigned utet_szip_spare(const utet_szip *z)
{
    (void)z->priv.held;
    return (unsigned)Frama_C_interval(0, 8);
}

void eva_main(void)
{
    static uint8_t whole[WHOLE];
    const int length = Frama_C_interval_split(0, WHOLE);
    utet_need need;

    Frama_C_make_unknown((char *)&codec.params, sizeof codec.params);
    Frama_C_make_unknown((char *)&work, sizeof work);
    codec.codec = utet_codec_szip;
    io.step_limit = (uint16_t)Frama_C_interval_split(0, 1);
    file.priv.io = &io;
    stream.priv.file = &file;
    stream.priv.codec = &codec.codec;
    stream.priv.work = (uint8_t *)&work;
    stream.length = Frama_C_interval_split(0, 1) ? (uint64_t)length : 1000u + (uint64_t)any32();
    stream.priv.whole = stream.length <= WHOLE && Frama_C_interval_split(0, 1) ? whole + (WHOLE - length) : NULL;
    stream.priv.stored = (uint64_t)Frama_C_interval_split(0, 3);
    stream.priv.scratch[0] = (uint64_t)Frama_C_interval_split(0, (int)stream.priv.stored);
    stream.priv.scratch[1] = (uint64_t)Frama_C_interval_split(0, length);
    (void)utet_codec_szip.need(&stream, 0, &need);
    (void)utet_codec_szip.open(&stream);
    (void)utet_codec_szip.step(&stream, 1);
}
#endif
