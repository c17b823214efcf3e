/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The exponential of what is not positive: 2^-n times that of a rest from 0 to ln 2, by its series in integers. */
#include "fold_ieee.h"

#define TERMS 33u            /* ln(2)^34 / 34! is less than 2^-145 */
#define FOLD_EXP_LARGEST 746 /* e^-746 is less than half of the smallest double */
#define ONE_BIT 1022         /* the shift of 2^-52, the last bit of doubles from 1 on */

/* The magnitude of a, which is less than 2^10, in six words, five of them for the fraction. */
static void fold_exp_spread(uint32_t *words, const fold_element *a)
{
    const int32_t up = (int32_t)a->shift - (ONE_BIT + 52 - 160);
    unsigned i;

    for (i = 0; i < FIXED_LOG_WORDS; i++)
        words[i] = 0;
    if (up >= 0)
        utet_fold_wide_add(words, FIXED_LOG_WORDS, (unsigned)up, a->magnitude, 0);
    else if (up > -64)
        utet_fold_wide_add(words, FIXED_LOG_WORDS, 0, a->magnitude >> -up, 0);
}

/* The least n for which n * ln 2 is a or more; the rest, the difference, goes into four words. */
static uint32_t fold_exp_reduce(uint32_t *rest, const uint32_t *a)
{
    /* a / ln 2, a little less */
    uint32_t n = (uint32_t)((uint64_t)(a[5] << 16 | a[4] >> 16) * 94548u >> 32);
    uint32_t words[FIXED_LOG_WORDS];
    unsigned i;

    for (;; n++) {
        utet_fixed_logs(words, n);
        if (utet_fixed_subtract(words, a, FIXED_LOG_WORDS) != 0)
            break;
    }
    for (i = 0; i < FIXED_WORDS; i++)
        rest[i] = words[i + 1];
    return n;
}

uint64_t utet_fold_exp(uint64_t a)
{
    uint32_t words[FIXED_LOG_WORDS];
    uint32_t rest[FIXED_WORDS];
    uint32_t power[FIXED_WORDS] = {0}; /* e^rest - 1 */
    fold_element element;
    uint32_t n;
    uint32_t term;

    utet_fold_split(&utet_dtype_layouts[UTET_F64], a, &element);
    if (element.special == FOLD_FINITE && element.magnitude == 0)
        return FOLD_DOUBLE_ONE;
    if (element.special != FOLD_FINITE || (a & ~FOLD_DOUBLE_SIGN) >= utet_fold_round(0, FOLD_EXP_LARGEST, 0, 0))
        return 0;
    fold_exp_spread(words, &element);
    n = fold_exp_reduce(rest, words);
    for (term = TERMS; term != 0; term--) {
        utet_fixed_multiply(power, power, rest);
        (void)utet_fixed_add(power, rest, FIXED_WORDS);
        utet_fixed_divide(power, term);
    }
    return utet_fold_round(0, (uint64_t)1 << 63 | (uint64_t)power[3] << 31 | power[2] >> 1, -63 - (int32_t)n, 1);
}
