/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Sums of i16 alone: a machine's own integers over a stretch, the wide one at its end. */
#include "fold.h"

void utet_fold_put_total(const fold_part *part, uint8_t *memory, size_t count, uint64_t total)
{
    fold_cell *cell = (void *)memory;
    unsigned negative = total >> 63 != 0;

    cell->count += count;
    utet_fold_wide_add(fold_words(cell), part->layout->sum_words, 0, negative ? -total : total, negative);
}

static void take(const fold_part *part)
{
    size_t count;
    size_t i;

    for (i = 0; i < part->count; i += count) {
        uint32_t total;

        count = fold_stretch(part, i);
        total = utet_fold_total_i16(part->data + i * part->stride, count, part->stride);
        utet_fold_put_total(part, part->cell + i * part->cell_step, count, fold_widen(total));
    }
}

const utet_fold_operation utet_fold_sum_i16 = {1u << UTET_I16,      0, 0, utet_fold_sum_bytes, NULL, take,
                                               utet_fold_sum_finish};
const utet_fold_operation utet_fold_mean_i16 = {1u << UTET_I16,       0, 0, utet_fold_sum_bytes, NULL, take,
                                                utet_fold_mean_finish};
