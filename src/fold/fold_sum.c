/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Sums of elements, exactly: each is added where its exponent says, and nothing is rounded until the end. */
#include "fold.h"

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
    const uint32_t seen = cell->seen;

    if (seen == 0)
        return 0;
    if (seen != FOLD_SEEN_MORE && seen != FOLD_SEEN_LESS)
        return FOLD_DOUBLE_NAN;
    return FOLD_DOUBLE_INF | (seen == FOLD_SEEN_LESS ? FOLD_DOUBLE_SIGN : 0u);
}

static void sum_take_one(const fold_part *part, size_t i, unsigned detail)
{
    fold_element element;
    fold_cell *cell = utet_fold_cell_enter(part, i, detail, &element);

    if (cell != NULL)
        utet_fold_wide_add(fold_words(cell), part->layout->sum_words, element.shift, element.magnitude,
                           element.negative && (detail & FOLD_ABSOLUTE) == 0);
}

/* The sum of `count` elements, in two's complement. */
static uint64_t total_of(const fold_layout *layout, const uint8_t *data, size_t count, size_t stride)
{
    if (layout->bytes == 1)
        return utet_fold_total_u8(data, count, stride);
    if (layout->kind == FOLD_UNSIGNED)
        return layout->bytes == 2 ? utet_fold_total_u16(data, count, stride) : utet_fold_total_u32(data, count, stride);
    return layout->bytes == 2 ? fold_widen(utet_fold_total_i16(data, count, stride))
                              : utet_fold_total_i32(data, count, stride);
}

void utet_fold_cell_settle(const fold_layout *layout, fold_cell *cell)
{
    const uint32_t count = cell->waiting >> 16;

    if (count == 0)
        return;
    cell->count += count;
    utet_fold_wide_add_signed(fold_words(cell), layout->sum_words,
                              (uint64_t)cell->seen - (layout->kind == FOLD_SIGNED ? count << 15 : 0));
    cell->seen = cell->waiting = 0;
}

/* Small integers of a cell each. */
static void sum_take_each(const fold_part *part)
{
    size_t i = 0;

    for (;; i++) {
        i = utet_fold_spread(part, i);
        if (i == part->count)
            return;
        utet_fold_cell_settle(part->layout, (void *)(part->cell + i * part->cell_step));
    }
}

static void sum_take(const fold_part *part)
{
    const fold_layout *layout = part->layout;
    unsigned detail = part->fold->priv.operation->detail;
    size_t count;
    size_t i;

    if (!fold_is_narrow(layout) || (layout->kind == FOLD_SIGNED && (detail & FOLD_ABSOLUTE) != 0)) {
        const uint32_t sign = (detail & FOLD_ABSOLUTE) != 0 ? 0 : 0x80000000u;

        for (i = 0; i < part->count; i++) {
            if (layout->kind == FOLD_FLOAT && layout->bytes == 4)
                i += utet_fold_add_f32(part, i, sign);
            else if (layout->kind == FOLD_FLOAT && layout->bytes == 8)
                i = utet_fold_add_f64(part, i, sign);
            if (i < part->count)
                sum_take_one(part, i, detail);
        }
        return;
    }
    if (part->cell_step != 0 && layout->bytes <= 2) {
        sum_take_each(part);
        return;
    }
    for (i = 0; i < part->count; i += count) {
        fold_cell *cell = (void *)(part->cell + i * part->cell_step);

        count = fold_stretch(part, i);
        cell->count += count;
        utet_fold_wide_add_signed(fold_words(cell), layout->sum_words,
                                  total_of(layout, part->data + i * part->stride, count, part->stride));
    }
}

/* The sum into *number; not 0: it is not finite, and these are its bits. */
static uint64_t sum_bits(fold_number *number, unsigned *negative, const fold_layout *layout, fold_cell *cell)
{
    utet_fold_cell_settle(layout, cell);
    *negative = utet_fold_wide_absolute(fold_words(cell), layout->sum_words);
    utet_fold_number_of(number, fold_words(cell), layout->sum_words, layout->lowest);
    return utet_fold_cell_special(cell);
}

static uint64_t sum_finish_sum(const utet_fold *fold, const fold_layout *layout, void *memory)
{
    fold_number number;
    unsigned negative;
    uint64_t special = sum_bits(&number, &negative, layout, memory);

    (void)fold;
    return special != 0 ? special : utet_fold_number_round(&number, negative);
}

static uint64_t sum_finish_mean(const utet_fold *fold, const fold_layout *layout, void *memory)
{
    const fold_cell *cell = memory;
    fold_number number;
    unsigned negative;
    uint64_t special = sum_bits(&number, &negative, layout, memory);

    if (cell->count == 0)
        return (fold->priv.operation->detail & FOLD_WITHOUT_NAN) != 0 ? FOLD_DOUBLE_NAN : 0;
    if (special != 0)
        return special;
    utet_fold_number_divide(&number, cell->count, FOLD_ONCE);
    return utet_fold_number_round(&number, negative);
}

#define SUM(detail, finish)                                                              \
    {                                                                                    \
        FOLD_ALL_DTYPES, sizeof(fold_cell), FOLD_SUMS | (detail), NULL, sum_take, finish \
    }

const utet_fold_operation utet_fold_sum = SUM(0, sum_finish_sum);
const utet_fold_operation utet_fold_norm_l1 = SUM(FOLD_ABSOLUTE, sum_finish_sum);
const utet_fold_operation utet_fold_mean = SUM(0, sum_finish_mean);
const utet_fold_operation utet_fold_nan_mean = SUM(FOLD_WITHOUT_NAN, sum_finish_mean);
