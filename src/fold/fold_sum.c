/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Sums of elements, exactly: each is added where its exponent says, and nothing is rounded until the end. */
#include "fold.h"

size_t utet_fold_sum_bytes(const fold_layout *layout)
{
    return sizeof(fold_cell) + 4u * layout->sum_words;
}

fold_cell *utet_fold_cell_enter(const fold_part *part, size_t i, unsigned detail, fold_element *element)
{
    fold_cell *cell = (void *)(part->cell + i * part->cell_step);

    utet_fold_split(part->layout, utet_fold_load(part->layout, part->data + i * part->stride), element);
    if (element->special == FOLD_NAN) {
        if ((detail & FOLD_WITHOUT_NAN) == 0) {
            cell->seen |= FOLD_SEEN_NAN;
            cell->count++;
        }
        return NULL;
    }
    cell->count++;
    if (element->special == FOLD_FINITE)
        return cell;
    cell->seen |= element->negative && (detail & FOLD_ABSOLUTE) == 0 ? FOLD_SEEN_LESS : FOLD_SEEN_MORE;
    return NULL;
}

uint64_t utet_fold_cell_special(const fold_cell *cell)
{
    switch (cell->seen) {
    case 0: return 0;
    case FOLD_SEEN_MORE: return FOLD_DOUBLE_INF;
    case FOLD_SEEN_LESS: return FOLD_DOUBLE_SIGN | FOLD_DOUBLE_INF;
    default: return FOLD_DOUBLE_NAN;
    }
}

static void take(const fold_part *part)
{
    unsigned detail = part->fold->priv.operation->detail;
    size_t i;

    for (i = 0; i < part->count; i++) {
        fold_element element;
        fold_cell *cell = utet_fold_cell_enter(part, i, detail, &element);

        if (cell != NULL)
            utet_fold_wide_add(fold_words(cell), part->layout->sum_words, element.shift, element.magnitude,
                               element.negative && (detail & FOLD_ABSOLUTE) == 0);
    }
}

/* The sum into *number; not 0: it is not finite, and these are its bits. */
static uint64_t sum_of(fold_number *number, unsigned *negative, const fold_layout *layout, fold_cell *cell)
{
    *negative = utet_fold_wide_absolute(fold_words(cell), layout->sum_words);
    utet_fold_number_of(number, fold_words(cell), layout->sum_words, layout->lowest);
    return utet_fold_cell_special(cell);
}

uint64_t utet_fold_sum_finish(const utet_fold *fold, const fold_layout *layout, void *memory)
{
    fold_number number;
    unsigned negative;
    uint64_t special = sum_of(&number, &negative, layout, memory);

    (void)fold;
    return special != 0 ? special : utet_fold_number_round(&number, negative);
}

uint64_t utet_fold_mean_finish(const utet_fold *fold, const fold_layout *layout, void *memory)
{
    const fold_cell *cell = memory;
    fold_number number;
    unsigned negative;
    uint64_t special;

    if (cell->count == 0)
        return (fold->priv.operation->detail & FOLD_WITHOUT_NAN) != 0 ? FOLD_DOUBLE_NAN : 0;
    special = sum_of(&number, &negative, layout, memory);
    if (special != 0)
        return special;
    utet_fold_number_divide(&number, cell->count);
    return utet_fold_number_round(&number, negative);
}

const utet_fold_operation utet_fold_sum = {FOLD_ALL_DTYPES,     0, 0, utet_fold_sum_bytes, NULL, take,
                                           utet_fold_sum_finish};
const utet_fold_operation utet_fold_norm_l1 = {FOLD_ALL_DTYPES,     0, FOLD_ABSOLUTE, utet_fold_sum_bytes, NULL, take,
                                               utet_fold_sum_finish};
const utet_fold_operation utet_fold_mean = {FOLD_ALL_DTYPES,      0, 0, utet_fold_sum_bytes, NULL, take,
                                            utet_fold_mean_finish};
const utet_fold_operation utet_fold_nan_mean = {
    FOLD_ALL_DTYPES, 0, FOLD_WITHOUT_NAN, utet_fold_sum_bytes, NULL, take, utet_fold_mean_finish};
