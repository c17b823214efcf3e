/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Fractions of 128 bits: as much as exponentials and logarithms need to be rounded in the right direction. And those of
 * 64 bits, which are enough for nearly all of them. */
#include "fold_ieee.h"

#include <string.h>

#if FOLD_ROOMY
void utet_fixed_multiply(uint32_t *to, const uint32_t *a, const uint32_t *b)
{
    const uint64_t a_low = (uint64_t)a[1] << 32 | a[0];
    const uint64_t a_high = (uint64_t)a[3] << 32 | a[2];
    const uint64_t b_low = (uint64_t)b[1] << 32 | b[0];
    const uint64_t b_high = (uint64_t)b[3] << 32 | b[2];
    const uint64_t first = a_low * b_high;
    const uint64_t below = first + utet_fixed_high(a_low, b_low); /* the second of four parts */
    const uint64_t second = below + a_high * b_low;
    const uint64_t carry = (uint64_t)(below < first) + (second < below); /* into the third one */
    const uint64_t third = carry + utet_fixed_high(a_low, b_high);
    const uint64_t more = third + utet_fixed_high(a_high, b_low);
    const uint64_t low = more + a_high * b_high;
    const uint64_t high = utet_fixed_high(a_high, b_high) + (more < third) + (low < more);

    to[0] = (uint32_t)low;
    to[1] = (uint32_t)(low >> 32);
    to[2] = (uint32_t)high;
    to[3] = (uint32_t)(high >> 32);
}
#else
void utet_fixed_multiply(uint32_t *to, const uint32_t *a, const uint32_t *b)
{
    uint32_t product[2 * FIXED_WORDS] = {0};
    unsigned i;
    unsigned j;

    for (i = 0; i < FIXED_WORDS; i++) {
        uint64_t carry = 0;

        for (j = 0; j < FIXED_WORDS; j++) {
            carry += (uint64_t)a[i] * b[j] + product[i + j];
            product[i + j] = (uint32_t)carry;
            carry >>= 32;
        }
        product[i + FIXED_WORDS] = (uint32_t)carry;
    }
    memcpy(to, product + FIXED_WORDS, FIXED_WORDS * sizeof *to);
}
#endif

void utet_fixed_divide(uint32_t *words, uint32_t by)
{
#if FOLD_ROOMY
    uint64_t rest = 0;
    unsigned i = FIXED_WORDS;

    while (i-- != 0) {
        rest = rest << 32 | words[i];
        words[i] = (uint32_t)(rest / by);
        rest %= by;
    }
#else
    uint32_t rest = 0;
    unsigned i = FIXED_WORDS;

    while (i-- != 0) { /* two divisions that a 32-bit machine can do */
        const uint32_t high = rest << 16 | words[i] >> 16;
        const uint32_t low = high % by << 16 | (words[i] & 0xFFFFu);

        words[i] = high / by << 16 | low / by;
        rest = low % by;
    }
#endif
}

uint32_t utet_fixed_add(uint32_t *words, const uint32_t *other, unsigned count)
{
    uint64_t carry = 0;
    unsigned i;

    for (i = 0; i < count; i++) {
        carry += (uint64_t)words[i] + other[i];
        words[i] = (uint32_t)carry;
        carry >>= 32;
    }
    return (uint32_t)carry;
}

uint32_t utet_fixed_subtract(uint32_t *words, const uint32_t *other, unsigned count)
{
    uint64_t carry = 1;
    unsigned i;

    for (i = 0; i < count; i++) {
        carry += (uint64_t)words[i] + (uint32_t)~other[i];
        words[i] = (uint32_t)carry;
        carry >>= 32;
    }
    return (uint32_t)carry;
}

void utet_fixed_down(uint32_t *words, uint32_t bits)
{
#if FOLD_ROOMY
    uint64_t high = (uint64_t)words[3] << 32 | words[2];
    uint64_t low = (uint64_t)words[1] << 32 | words[0];

    if (bits >= 64) {
        low = bits < 128 ? high : 0;
        high = 0;
        bits &= 63u;
    }
    low = low >> bits | high << 1 << (63 - bits);
    high >>= bits;
    words[0] = (uint32_t)low;
    words[1] = (uint32_t)(low >> 32);
    words[2] = (uint32_t)high;
    words[3] = (uint32_t)(high >> 32);
#else
    const uint32_t whole = bits >> 5;
    const uint32_t part = bits & 31u;
    uint32_t i;

    for (i = 0; i < FIXED_WORDS; i++) {
        const uint64_t low = i + whole < FIXED_WORDS ? words[i + whole] : 0;
        const uint64_t high = i + whole + 1 < FIXED_WORDS ? words[i + whole + 1] : 0;

        words[i] = (uint32_t)((high << 32 | low) >> part);
    }
#endif
}

void utet_fixed_logs(uint32_t *words, uint32_t by)
{
    static const uint32_t log_of_2[FIXED_LOG_WORDS] = {0x40F34326u, 0x03F2F6AFu, 0xC9E3B398u,
                                                       0xD1CF79ABu, 0xB17217F7u, 0};

    memcpy(words, log_of_2, sizeof log_of_2);
    utet_fold_wide_multiply(words, FIXED_LOG_WORDS, by);
}

const uint64_t utet_fixed_steps[FIXED_STEPS] = {
    0,
    0xF85186008B15330Bu,
    0xF1383B7157972F4Fu,
    0xEAA204B1A628D304u,
    0xE47FBE3CD4D10D61u,
    0xDEC4A22EFB80B361u,
    0xD965D2C12E9D6FE0u,
    0xD459FFAB476DF351u,
    0xCF991F65FCC25F95u,
    0xCB1C375284480BE4u,
    0xC6DD2F312CF91E15u,
    0xC2D6AD4781EEAB35u,
    0xBF03F944AD5E0294u,
    0xBB60E46F594263AEu,
    0xB7E9B60284188395u,
    0xB49B1AE0ECFD2A15u,
};

#ifndef __SIZEOF_INT128__
uint64_t utet_fixed_high(uint64_t a, uint64_t b)
{
    const uint64_t low = (a & UINT32_MAX) * (b & UINT32_MAX);
    const uint64_t first = (a >> 32) * (b & UINT32_MAX) + (low >> 32);
    const uint64_t second = (a & UINT32_MAX) * (b >> 32) + (first & UINT32_MAX);

    return (a >> 32) * (b >> 32) + (first >> 32) + (second >> 32);
}
#endif

uint64_t utet_fixed_series(const uint64_t *factors, unsigned count, uint64_t x, unsigned alternating)
{
    return fixed_series(factors, count, x, alternating);
}
