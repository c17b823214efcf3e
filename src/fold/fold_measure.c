/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Transforms by differences, quotients and roots: each step is rounded as IEEE 754 says. */
#include "fold_transform.h"

#define OWN                                                                       \
    {                                                                             \
        TRANSFORM_FLOATS, 0, 0, utet_transform_prepare, utet_transform_take, NULL \
    }
#define SIMPLE(first, apply)                                                         \
    {                                                                                \
        OWN, first, 1, 2, 0, utet_transform_settle, utet_transform_fold, NULL, apply \
    }

/* ---- one statistic ---- */

static uint64_t measure_center(uint64_t value, const uint64_t *mean)
{
    return utet_fold_subtract(value, *mean);
}

static uint64_t measure_scale(uint64_t value, const uint64_t *by)
{
    return utet_transform_divide(value, *by);
}

static uint64_t measure_root(uint64_t value, const uint64_t *least)
{
    return utet_fold_root(utet_fold_subtract(value, *least));
}

const utet_transform_method utet_transform_center = SIMPLE(&utet_fold_mean, measure_center);
const utet_transform_method utet_transform_scale = SIMPLE(&utet_fold_std, measure_scale);
const utet_transform_method utet_transform_l1 = SIMPLE(&utet_fold_norm_l1, measure_scale);
const utet_transform_method utet_transform_l2 = SIMPLE(&utet_fold_norm_l2, measure_scale);
const utet_transform_method utet_transform_sqrt = SIMPLE(&utet_fold_min, measure_root);

/* ---- mean and std, both from the cell of std ---- */

static void settle_zscore(utet_transform *transform, uint8_t *memory)
{
    const fold_layout *layout = transform_layout(transform);
    fold_cell *cell = (void *)memory;
    const uint32_t *sum = fold_words(cell) + layout->square_words; /* positive when std is known */
    const unsigned negative = (unsigned)(sum[layout->sum_words - 1] >> 31);
    const uint64_t count = cell->count;
    uint64_t mean = utet_fold_cell_special(cell);
    uint64_t *statistics = (void *)memory;
    uint64_t deviation = utet_transform_finish(transform, &utet_fold_std, cell);
    fold_number number;

    if (mean == 0 && count != 0) {
        utet_fold_number_of(&number, sum, layout->sum_words, layout->lowest);
        utet_fold_number_divide(&number, count, FOLD_ONCE);
        mean = utet_fold_number_round(&number, negative);
    }
    statistics[0] = mean;
    statistics[1] = deviation;
}

static uint64_t measure_zscore(uint64_t value, const uint64_t *statistics)
{
    return utet_transform_divide(utet_fold_subtract(value, statistics[0]), statistics[1]);
}

const utet_transform_method utet_transform_zscore = {OWN,  &utet_fold_std, 2, 2, 0, settle_zscore, utet_transform_fold,
                                                     NULL, measure_zscore};

/* ---- minimum and maximum ---- */

static void fold_extremes(const fold_part *part)
{
    fold_part greatest = *part;

    utet_transform_take_as(part, &utet_fold_min);
    greatest.cell += sizeof(fold_extreme);
    utet_transform_take_as(&greatest, &utet_fold_max);
}

static void settle_extremes(utet_transform *transform, uint8_t *cell)
{
    uint64_t *statistics = (void *)cell;

    statistics[0] = utet_transform_finish(transform, &utet_fold_min, cell);
    statistics[1] = utet_transform_finish(transform, &utet_fold_max, cell + sizeof(fold_extreme));
}

static uint64_t measure_minmax(uint64_t value, const uint64_t *statistics)
{
    const uint64_t range = (statistics[1] & ~FOLD_DOUBLE_SIGN) < FOLD_DOUBLE_INF
                               ? utet_fold_subtract(statistics[1], statistics[0])
                               : FOLD_DOUBLE_NAN;

    return utet_transform_divide(utet_fold_subtract(value, statistics[0]), range);
}

const utet_transform_method utet_transform_minmax = {
    OWN, &utet_fold_min, 2, 2, 2 * sizeof(fold_extreme), settle_extremes, fold_extremes, NULL, measure_minmax};

/* ---- a logarithm ---- */

static uint64_t measure_logarithm(uint64_t value, const uint64_t *least)
{
    return utet_fold_log1p(utet_fold_subtract(value, *least));
}

const utet_transform_method utet_transform_log1p = SIMPLE(&utet_fold_min, measure_logarithm);

/* ---- exponentials: the maximum first, then the sum of e^(x - maximum), exactly ---- */

#define SUM_WORDS 36u /* 2^64 doubles of at most 1, in units of the smallest double */

static uint32_t *measure_sum(void *cell)
{
    return (void *)((uint64_t *)cell + 2);
}

static void settle_softmax(utet_transform *transform, uint8_t *cell)
{
    uint64_t *statistics = (void *)cell;
    fold_number number;
    unsigned i;

    if (transform->fold.priv.turn == 0) {
        utet_transform_settle(transform, cell);
        statistics[1] = 0;
        for (i = 0; i < SUM_WORDS; i++)
            measure_sum(cell)[i] = 0;
    } else {
        utet_fold_number_of(&number, measure_sum(cell), SUM_WORDS, utet_dtype_layouts[UTET_F64].lowest);
        statistics[1] = utet_fold_number_round(&number, 0);
    }
}

static void add_exponentials(const fold_part *part)
{
    size_t i;

    for (i = 0; i < part->count; i++) {
        uint8_t *cell = part->cell + i * part->cell_step;
        const uint64_t *greatest = (const void *)cell;
        const fold_layout *layout = part->layout;
        fold_element element;

        utet_fold_split(layout, utet_fold_load(layout, part->data + i * part->stride), &element);
        if (element.special != FOLD_FINITE)
            continue;
        utet_fold_split(&utet_dtype_layouts[UTET_F64],
                        utet_fold_exp(utet_fold_subtract(utet_transform_value(layout, &element), *greatest)), &element);
        utet_fold_wide_add(measure_sum(cell), SUM_WORDS, element.shift, element.magnitude, 0);
    }
}

static uint64_t measure_softmax(uint64_t value, const uint64_t *statistics)
{
    return utet_transform_divide(utet_fold_exp(utet_fold_subtract(value, statistics[0])), statistics[1]);
}

const utet_transform_method utet_transform_softmax = {OWN,
                                                      &utet_fold_max,
                                                      2,
                                                      3,
                                                      16u + 4u * SUM_WORDS,
                                                      settle_softmax,
                                                      utet_transform_fold,
                                                      add_exponentials,
                                                      measure_softmax};
