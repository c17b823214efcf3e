/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Frama-C EVA over the results of folds and transforms, computed from any sums and elements. EVA_PART 1: rounding,
 * quotient and root of wide integers, numbers of 53 bits. 2: difference, quotient, root and nearest f32 of doubles. 3:
 * fractions of 128 bits, logarithm. 4: the keys between two doubles. 5: exponential. An alarm is possible undefined
 * behaviour.
 *
 * eva.sh: 5 parts, x86_32, x86_64, ppc_32
 *   1 2 3: -eva-min-loop-unroll 140 -warn-special-float none
 *   4: -eva-min-loop-unroll 140 -eva-slevel-merge-after-loop first_key
 *       -eva-slevel-function utet_fold_interval:20,first_key:1000
 *   5: -eva-min-loop-unroll 140 -eva-slevel-function eva_main:10000,utet_fold_exp:10 -eva-use-spec fold_exp_reduce
 */
#include "eva_any.h"

#include "base/bytes.c"
#include "fold/fold_binary.c"
#include "fold/fold_double.c"
#include "fold/fold_element.c"
#include "fold/fold_wide.c"

/* Exponents of wide integers and products of them are between these. */
#define MOST 100000

#if EVA_PART == 1
static fold_number number;

/* Any digits, as fold_number_of leaves them. */
static void any_number(void)
{
    Frama_C_make_unknown((char *)&number, sizeof number);
    number.exponent = Frama_C_interval(-MOST, MOST);
}

static utet_fold_binary any_binary(void)
{
    utet_fold_binary binary = {any64(), 0, (unsigned)Frama_C_interval(0, 1)};

    binary.exponent = Frama_C_interval(-MOST, MOST);
    return binary;
}

void eva_main(void)
{
    static const unsigned counts[] = {1, 2, 4, 6, 8, 12, 22, 36, 68, 136, 137};
    static uint32_t words[137];
    uint64_t by = any64();
    utet_fold_binary a;
    utet_fold_binary b;
    unsigned i;

    (void)utet_fold_round(any32(), any64(), Frama_C_interval(-MOST, MOST), any32());
    (void)utet_fold_order(any64());
    (void)utet_fold_bits(utet_fold_value(any64() & 0x7FEFFFFFFFFFFFFFu));
    for (i = 0; i < sizeof counts / sizeof *counts; i++) {
        Frama_C_make_unknown((char *)words, sizeof words);
        utet_fold_number_of(&number, words, counts[i], Frama_C_interval(-MOST, MOST));
        /*@ assert exponent: -MOST - 224 <= number.exponent <= MOST + 32 * 137; */
    }
    any_number();
    utet_fold_number_divide(&number, (uint64_t)Frama_C_interval(1, 0x7FFF), 0);
    any_number();
    utet_fold_number_divide(&number, 0x8000u + (uint64_t)Frama_C_interval(0, 0x7FFF), 0);
    any_number();
    if (by >= 0x10000u)
        utet_fold_number_divide(&number, by, FOLD_ONCE);
    any_number();
    (void)utet_fold_number_round(&number, any32());
    (void)utet_fold_number_root(&number);
    (void)utet_fold_binary_near(&number);
    (void)utet_fold_fit(any64(), Frama_C_interval(-MOST, MOST), any32(), any32());
    (void)utet_fold_binary_of(any64());
    a = any_binary();
    b = any_binary();
    utet_fold_binary_add(&a, &b);
}
#endif

#if EVA_PART == 2
#include "fold/fold_fixed.c"
#include "fold/fold_ieee.c"

void eva_main(void)
{
    uint64_t a = any64();
    uint64_t b = any64();

    (void)utet_fold_subtract(a, b);
    (void)utet_fold_quotient(a, b);
    (void)utet_fold_root(a);
    (void)utet_fold_narrow(a);
}
#endif

#if EVA_PART == 3 || EVA_PART == 5
#if EVA_PART == 5
/* Part 3 analyses it. Assumed: the product is found within the range of doubles. */
/*@ requires \valid(rest + (0 .. 3)) && \valid_read(a + (0 .. 5));
    assigns \result, rest[0 .. 3] \from a[0 .. 5];
    ensures \initialized(rest + (0 .. 3)) && \result <= 1100; */
static uint32_t fold_exp_reduce(uint32_t *rest, const uint32_t *a);
#endif
#include "fold/fold_exp.c"
#undef TERMS
#include "fold/fold_fixed.c"
#include "fold/fold_log.c"

#if EVA_PART == 3
void eva_main(void)
{
    uint64_t a = any64();
    uint32_t words[6];
    uint32_t rest[4];

    if (a < (uint64_t)SMALL << 52)
        (void)utet_fold_log1p(a);
    a = any64();
    if (a >= (uint64_t)SMALL << 52 && a <= FOLD_DOUBLE_INF)
        (void)utet_fold_log1p(a);
    Frama_C_make_unknown((char *)words, sizeof words);
    (void)fold_exp_reduce(rest, words);
}
#else
#define FIRST 915 /* the exponents from which on the fraction is shifted down */
#define LAST 1032 /* that of 746 */

void eva_main(void)
{
    uint64_t a = any64();
    unsigned i;

    if (a < (uint64_t)FIRST << 52) {
        (void)utet_fold_exp(a);
        (void)utet_fold_exp(a | FOLD_DOUBLE_SIGN);
    }
    for (i = FIRST; i <= LAST; i++)
        (void)utet_fold_exp(FOLD_DOUBLE_SIGN | (uint64_t)i << 52 | (any64() & 0xFFFFFFFFFFFFFu));
    if (a >= FOLD_DOUBLE_SIGN + ((uint64_t)(LAST + 1) << 52))
        (void)utet_fold_exp(a);
}
#endif
#endif

#if EVA_PART == 4
#include "fold/fold_interval.c"

void eva_main(void)
{
    unsigned tag;

    for (tag = UTET_F32; tag <= UTET_U64; tag++) {
        uint64_t first;
        uint64_t last;

        utet_fold_interval(&utet_dtype_layouts[tag], any64(), any64(), &first, &last);
        (void)utet_fold_promote(&utet_dtype_layouts[tag], first);
    }
}
#endif
