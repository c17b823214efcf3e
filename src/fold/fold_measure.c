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
