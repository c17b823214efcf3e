/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Sums of squares, exactly, and what is made of them: norm_l2, and variances as (n * sum of squares - square of the
 * sum) / n / n, a difference of integers in which nothing cancels, rounded once.
 */
#include "fold.h"

static void square_add(uint32_t *words, unsigned count, unsigned shift, uint64_t value)
{
    uint64_t low = value & UINT32_MAX;
    uint64_t high = value >> 32;

    utet_fold_wide_add(words, count, 2 * shift, low * low, 0);
    if (high == 0)
        return;
    utet_fold_wide_add(words, count, 2 * shift + 33, low * high, 0);
    utet_fold_wide_add(words, count, 2 * shift + 64, high * high, 0);
}

/* Adds the square of element i and, with sums, the element itself. */
UTET_APART static void square_one(const fold_part *part, size_t i, unsigned detail, int sums)
{
    const fold_layout *layout = part->layout;
    fold_element element;
    fold_cell *cell = utet_fold_cell_enter(part, i, detail, &element);

    if (cell == NULL)
        return;
    square_add(fold_words(cell), layout->square_words, element.shift, element.magnitude);
    if (sums)
        utet_fold_wide_add(fold_words(cell) + layout->square_words, layout->sum_words, element.shift, element.magnitude,
                           element.negative);
}

UTET_APART static void square_integers(const fold_part *part, int sums)
{
    const fold_layout *layout = part->layout;
    size_t count;
    size_t i;

    for (i = 0; i < part->count; i += count) {
        fold_cell *cell = (void *)(part->cell + i * part->cell_step);
        uint32_t *words = fold_words(cell);
        fold_squares squares;

        count = fold_stretch(part, i);
        utet_fold_squares(&squares, part, i, count);
        cell->count += count;
        utet_fold_wide_add_signed(words, layout->square_words, squares.low);
        utet_fold_wide_add_signed(words + 1, layout->square_words - 1u, squares.high);
        if (sums)
            utet_fold_wide_add_signed(words + layout->square_words, layout->sum_words, squares.total);
    }
}

/* The squares and, with sums, the sum after them. */
static void square_all(const fold_part *part, unsigned detail, int sums)
{
    const fold_layout *layout = part->layout;
    int fast = layout->kind == FOLD_FLOAT && layout->bytes == 4;
    size_t i;

    if (fold_is_narrow(layout)) {
        square_integers(part, sums);
        return;
    }
    for (i = 0; i < part->count; i++) {
        if (fast)
            i = utet_fold_square_f32(part, i, sums);
        if (i == part->count)
            return;
        square_one(part, i, detail, sums);
    }
}

static void take_norm(const fold_part *part)
{
    square_all(part, FOLD_ABSOLUTE, 0);
}

static void take_var(const fold_part *part)
{
    square_all(part, part->fold->priv.operation->detail, 1);
}

/* A number of `size` words, less the square of one of `count` words, which is not larger. */
static void subtract_square(uint32_t *words, unsigned size, const uint32_t *root, unsigned count)
{
    unsigned i;
    unsigned j;

    while (count != 0 && root[count - 1] == 0)
        count--;
    for (i = 0; i < count; i++, words++, size--) {
        uint64_t carry = 0;

        for (j = 0; j < size && (j < count || carry != 0); j++) {
            uint32_t low;

            if (j < count)
                carry += (uint64_t)root[i] * root[j];
            low = (uint32_t)carry;
            carry = (carry >> 32) + (words[j] < low);
            words[j] -= low;
        }
    }
}

static uint64_t finish_norm(const utet_fold *fold, const fold_layout *layout, void *memory)
{
    fold_cell *cell = memory;
    uint64_t special = utet_fold_cell_special(cell);
    fold_number number;

    (void)fold;
    if (special != 0)
        return special;
    utet_fold_number_of(&number, fold_words(cell), layout->square_words, 2 * layout->lowest);
    return utet_fold_number_root(&number);
}

static uint64_t finish_var(const utet_fold *fold, const fold_layout *layout, void *memory)
{
    unsigned detail = fold->priv.operation->detail;
    fold_cell *cell = memory;
    uint32_t *sum = fold_words(cell) + layout->square_words;
    fold_number number;

    if (cell->count == 0)
        return (detail & FOLD_WITHOUT_NAN) != 0 ? FOLD_DOUBLE_NAN : 0;
    if (cell->seen != 0)
        return FOLD_DOUBLE_NAN;
    utet_fold_wide_multiply(fold_words(cell), layout->square_words, cell->count);
    (void)utet_fold_wide_absolute(sum, layout->sum_words);
    subtract_square(fold_words(cell), layout->square_words, sum, layout->sum_words);
    utet_fold_number_of(&number, fold_words(cell), layout->square_words, 2 * layout->lowest);
    utet_fold_number_divide(&number, cell->count, 0);
    utet_fold_number_divide(&number, cell->count, 0);
    return (detail & FOLD_ROOT) != 0 ? utet_fold_number_root(&number) : utet_fold_number_round(&number, 0);
}

#define VARIANCE(detail)                                                                                    \
    {                                                                                                       \
        FOLD_ALL_DTYPES, sizeof(fold_cell), FOLD_SUMS | FOLD_SQUARES | (detail), NULL, take_var, finish_var \
    }

const utet_fold_operation utet_fold_norm_l2 = {FOLD_ALL_DTYPES, sizeof(fold_cell), FOLD_SQUARES, NULL,
                                               take_norm,       finish_norm};
const utet_fold_operation utet_fold_var = VARIANCE(0);
const utet_fold_operation utet_fold_std = VARIANCE(FOLD_ROOT);
const utet_fold_operation utet_fold_nan_std = VARIANCE(FOLD_ROOT | FOLD_WITHOUT_NAN);
