/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Sums of i16 alone, in integers of 64 bits: less code than sums that are exact for every dtype. */
#include "fold.h"

typedef struct sum_i16 {
    uint64_t count;
    uint64_t sum; /* two's complement */
} sum_i16;

static void sum_i16_take(const fold_part *part)
{
    size_t count;
    size_t i;

    for (i = 0; i < part->count; i += count) {
        sum_i16 *cell = (void *)(part->cell + i * part->cell_step);

        count = fold_stretch(part, i);
        cell->count += count;
        cell->sum += fold_widen(utet_fold_total_i16(part->data + i * part->stride, count, part->stride));
    }
}

/* The absolute value of the sum. */
static uint64_t magnitude_of(const sum_i16 *cell)
{
    return cell->sum >> 63 != 0 ? ~cell->sum + 1 : cell->sum;
}

static uint64_t sum_i16_finish_sum(const utet_fold *fold, const fold_layout *layout, void *memory)
{
    const sum_i16 *cell = memory;

    (void)fold;
    (void)layout;
    if (cell->count >> 48 != 0) /* 64 bits may not have been enough */
        return FOLD_DOUBLE_NAN;
    return utet_fold_round(cell->sum >> 63 != 0, magnitude_of(cell), 0, 0);
}

static uint64_t sum_i16_finish_mean(const utet_fold *fold, const fold_layout *layout, void *memory)
{
    const sum_i16 *cell = memory;
    const uint64_t magnitude = magnitude_of(cell);
    const uint32_t words[2] = {(uint32_t)magnitude, (uint32_t)(magnitude >> 32)};
    fold_number number;

    if (cell->count == 0 || cell->count >> 48 != 0)
        return sum_i16_finish_sum(fold, layout, memory);
    utet_fold_number_of(&number, words, 2, 0);
    utet_fold_number_divide(&number, cell->count, FOLD_ONCE);
    return utet_fold_number_round(&number, cell->sum >> 63 != 0);
}

const utet_fold_operation utet_fold_sum_i16 = {1u << UTET_I16, sizeof(sum_i16), 0,
                                               NULL,           sum_i16_take,    sum_i16_finish_sum};
const utet_fold_operation utet_fold_mean_i16 = {1u << UTET_I16, sizeof(sum_i16), 0,
                                                NULL,           sum_i16_take,    sum_i16_finish_mean};
