/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Arithmetic of IEEE 754 on the bits of doubles, rounded to nearest: the basis of transforms. Internal to the
 * library. */
#ifndef UTET_FOLD_IEEE_H
#define UTET_FOLD_IEEE_H

#include "fold.h"

/* a is finite in all of them, but for what is said. */
uint64_t utet_fold_subtract(uint64_t a, uint64_t b);
/* b is finite and not 0; a may be infinite. */
uint64_t utet_fold_quotient(uint64_t a, uint64_t b);
/* a >= 0, or infinite */
uint64_t utet_fold_root(uint64_t a);
/* The nearest f32, by its bits. */
uint32_t utet_fold_narrow(uint64_t a);

/* ---- fractions of 128 bits (fold_fixed.c) ----
 * Four words, the lowest first; they represent a number less than 1. All is rounded down. */

#define FIXED_WORDS 4

void utet_fixed_multiply(uint32_t *to, const uint32_t *a, const uint32_t *b);
/* 0 < by < 2^16 */
void utet_fixed_divide(uint32_t *words, uint32_t by);
/* words += other, or -=, both of `count` words; the carry: of a difference 1, unless it is less than 0. */
uint32_t utet_fixed_add(uint32_t *words, const uint32_t *other, unsigned count);
uint32_t utet_fixed_subtract(uint32_t *words, const uint32_t *other, unsigned count);
void utet_fixed_down(uint32_t *words, uint32_t bits);
/* by * ln 2 into six words, five of them for the fraction. */
#define FIXED_LOG_WORDS 6
void utet_fixed_logs(uint32_t *words, uint32_t by);

/* ---- fractions of 64 bits (fold_fixed.c) ----
 * Enough for nearly all exponentials and logarithms. All is rounded down. */

/* The highest 64 bits of a product. A 64-bit machine has an instruction for it: softmax takes 20 % fewer
 * instructions. */
#ifdef __SIZEOF_INT128__
__extension__ typedef unsigned __int128 fixed_product;

static inline uint64_t utet_fixed_high(uint64_t a, uint64_t b)
{
    return (uint64_t)((fixed_product)a * b >> 64);
}
#else
uint64_t utet_fixed_high(uint64_t a, uint64_t b);
#endif
/* factors[0] + factors[1] x + factors[2] x^2 …, or with alternating signs. */
static inline uint64_t fixed_series(const uint64_t *factors, unsigned count, uint64_t x, unsigned alternating)
{
    uint64_t sum = factors[--count];

    while (count-- != 0) {
        const uint64_t rest = utet_fixed_high(sum, x);

        sum = factors[count] + (alternating ? 0 - rest : rest);
    }
    return sum;
}

/* The same, but not inline. */
uint64_t utet_fixed_series(const uint64_t *factors, unsigned count, uint64_t x, unsigned alternating);
#define FIXED_SERIES (FOLD_ROOMY ? fixed_series : utet_fixed_series)
/* ln(1 + i / 16) is i times element i, in units of 2^-68. */
#define FIXED_STEPS 16
extern const uint64_t utet_fixed_steps[FIXED_STEPS];

/* 1 if all numbers within `error` units of `high` are rounded to the same 53 bits. The first bit of `high` is 1. */
static inline int fixed_is_clear(uint64_t high, uint32_t error)
{
    return (((uint32_t)high + 0x400u + error) & 0x7FFu) > 2 * error;
}

/* e^a for a <= 0: the exact value, known to 2^-120 of itself, rounded once (fold_exp.c). */
uint64_t utet_fold_exp(uint64_t a);
/* ln(1 + a) for a >= 0, or infinite, rounded to nearest (fold_log.c). */
uint64_t utet_fold_log1p(uint64_t a);

#endif
