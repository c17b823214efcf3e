/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Sums of i16 alone: a machine's own integers over a stretch, the wide one at its end. */
#include "fold.h"

/* So many elements cannot overflow 32 bits. */
#define STRETCH 32768u

/* The sum of count >= 1 elements, each 32768 larger than it is. */
static uint32_t stretch_of(const uint8_t *at, size_t count, size_t stride)
{
    uint32_t sum = 0;

    for (;;) {
        sum += ((uint32_t)at[0] | (uint32_t)at[1] << 8) ^ 0x8000u;
        if (--count == 0)
            return sum; /* before a step over the end, however large */
        at += stride;
    }
}

static void take(const fold_part *part)
{
    size_t count;
    size_t i;

    for (i = 0; i < part->count; i += count) {
        fold_cell *cell = (void *)(part->cell + i * part->cell_step);
        uint32_t sum;
        uint32_t offset;

        count = part->count - i;
        if (count > STRETCH)
            count = STRETCH;
        if (part->cell_step != 0)
            count = 1;
        sum = stretch_of(part->data + i * part->stride, count, part->stride);
        offset = (uint32_t)count << 15;
        cell->count += count;
        utet_fold_wide_add(fold_words(cell), part->layout->sum_words, 0, sum > offset ? sum - offset : offset - sum,
                           sum < offset);
    }
}

const utet_fold_operation utet_fold_sum_i16 = {1u << UTET_I16,      0, 0, utet_fold_sum_bytes, NULL, take,
                                               utet_fold_sum_finish};
const utet_fold_operation utet_fold_mean_i16 = {1u << UTET_I16,       0, 0, utet_fold_sum_bytes, NULL, take,
                                                utet_fold_mean_finish};
