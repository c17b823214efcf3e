/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * The loops over integers of up to 32 bits, compiled for speed as those of fold_hot.c. They take at most 2^15 elements,
 * so that integers of 32 bits are enough for their sums.
 */
#include "fold_hot.h"

/* ---- sums of integers of up to 32 bits ---- */

FOLD_HOT_INLINE uint32_t fold_hot_signed16(const uint8_t *at)
{
    return (uint32_t)(int32_t)(int16_t)fold_hot_le16(at);
}

/* 4 instructions; a round of one element needs 5. The compiler makes a loop for each `value`. */
FOLD_HOT_INLINE uint32_t fold_hot_total(const uint8_t *data, size_t count, size_t stride,
                                        uint32_t (*value)(const uint8_t *at))
{
    uint32_t sum = 0;
    size_t at = 0;

    if ((count & 1) != 0) {
        sum = value(data);
        at = stride;
    }
    for (count /= 2; count != 0; count--) {
        sum += value(data + at);
        at += stride;
        sum += value(data + at);
        at += stride;
    }
    return sum;
}

uint32_t utet_fold_total_u8(const uint8_t *data, size_t count, size_t stride)
{
    return fold_hot_total(data, count, stride, fold_hot_byte);
}

uint32_t utet_fold_total_u16(const uint8_t *data, size_t count, size_t stride)
{
    return fold_hot_total(data, count, stride, fold_hot_le16);
}

uint32_t utet_fold_total_i16(const uint8_t *data, size_t count, size_t stride)
{
    return fold_hot_total(data, count, stride, fold_hot_signed16);
}

/* The sum of at most 2^15 numbers of 32 bits: of the numbers, wrapped, and of their upper halves, which cannot
 * overflow. Both together are exact, without a carry for each number. */
typedef struct fold_hot_sum {
    uint32_t low;
    uint32_t high;
} fold_hot_sum;

FOLD_HOT_INLINE void fold_hot_add(fold_hot_sum *sum, uint32_t value)
{
    sum->low += value;
    sum->high += value >> 16;
}

UTET_APART static uint64_t join_sum(uint32_t low, uint32_t high)
{
    return (fold_widen(high) << 16) + (uint32_t)(low - (high << 16));
}

FOLD_HOT_INLINE void fold_hot_add_signed(fold_hot_sum *sum, const uint8_t *at)
{
    const uint32_t value = fold_hot_le32(ALIGNED(at));

    sum->low += value;
    sum->high += (uint32_t)((int32_t)value >> 16);
}

/* The sum of the lower halves, and of the upper ones. */
uint64_t utet_fold_total_u32(const uint8_t *data, size_t count, size_t stride)
{
    return ((uint64_t)utet_fold_total_u16(data + 2, count, stride) << 16) + utet_fold_total_u16(data, count, stride);
}

/* 5 instructions. */
uint64_t utet_fold_total_i32(const uint8_t *data, size_t count, size_t stride)
{
    fold_hot_sum sum = {0, 0};
    size_t at = 0;

    if (!LOADS_32(data, stride))
        return (fold_widen(utet_fold_total_i16(data + 2, count, stride)) << 16) +
               utet_fold_total_u16(data, count, stride);
    if ((count & 1) != 0) {
        fold_hot_add_signed(&sum, data);
        at = stride;
    }
    for (count /= 2; count != 0; count--) {
        fold_hot_add_signed(&sum, data + at);
        at += stride;
        fold_hot_add_signed(&sum, data + at);
        at += stride;
    }
    return join_sum(sum.low, sum.high);
}

/* ---- sums of small integers, a cell each ---- */

/* 11 instructions. The elements are added after an exclusive or with their sign bit, so that none is negative. */
FOLD_HOT_INLINE size_t fold_hot_spread(const fold_part *part, size_t from, uint32_t sign,
                                       uint32_t (*load)(const uint8_t *at))
{
    const uint8_t *const data = part->data + from * part->stride;
    const size_t stride = part->stride;
    const size_t step = part->cell_step;
    uint8_t *memory = part->cell + from * step;
    size_t left = part->count - from;
    size_t at = 0;

    for (; left != 0; left--) {
        fold_cell *cell = (void *)memory;

        cell->seen += load(data + at) ^ sign;
        cell->waiting += (uint32_t)1 << 16;
        if (cell->waiting >> 31 != 0)
            break;
        at += stride;
        memory += step;
    }
    return part->count - left;
}

size_t utet_fold_spread(const fold_part *part, size_t from)
{
    if (part->layout->bytes == 1)
        return fold_hot_spread(part, from, 0, fold_hot_byte);
    return fold_hot_spread(part, from, part->layout->kind == FOLD_SIGNED ? 0x8000u : 0, fold_hot_le16);
}

/* ---- squares of integers of up to 32 bits ---- */

/* 9 instructions, 7 for bytes. sign: the sign bit, or 0. Returns the sum, wrapped. */
FOLD_HOT_INLINE uint32_t fold_hot_squares(fold_hot_sum *squares, const uint8_t *data, size_t count, size_t stride,
                                          uint32_t sign, uint32_t (*load)(const uint8_t *at))
{
    uint32_t total = 0;
    size_t at = 0;

    for (; count != 0; count--) {
        const uint32_t element = (load(data + at) ^ sign) - sign;

        total += element;
        fold_hot_add(squares, element * element);
        at += stride;
    }
    return total;
}

static void squares_32(fold_squares *of, const uint8_t *data, size_t count, size_t stride, uint32_t sign)
{
    fold_hot_sum total = {0, 0}; /* of elements after an exclusive or with `sign` */
    fold_hot_sum low = {0, 0};
    fold_hot_sum high = {0, 0};
    size_t left = count;
    size_t at = 0;

    for (; left != 0; left--) {
        const uint32_t bits = fold_hot_le32(data + at);
        const uint32_t size = (bits & sign) != 0 ? 0 - bits : bits;
        const uint64_t square = (uint64_t)size * size;

        fold_hot_add(&total, bits ^ sign);
        fold_hot_add(&low, (uint32_t)square);
        fold_hot_add(&high, (uint32_t)(square >> 32));
        at += stride;
    }
    of->total = join_sum(total.low, total.high) - (sign != 0 ? (uint64_t)count << 31 : 0);
    of->low = join_sum(low.low, low.high);
    of->high = join_sum(high.low, high.high);
}

void utet_fold_squares(fold_squares *of, const fold_part *part, size_t from, size_t count)
{
    const fold_layout *layout = part->layout;
    const uint32_t sign = layout->kind == FOLD_SIGNED ? (uint32_t)layout->sign : 0;
    const size_t stride = part->stride;
    const uint8_t *const data = part->data + from * stride;
    fold_hot_sum squares = {0, 0};
    uint32_t total;

    if (layout->bytes == 4) {
        squares_32(of, data, count, stride, sign);
        return;
    }
    if (layout->bytes == 1)
        total = fold_hot_squares(&squares, data, count, stride, 0, fold_hot_byte);
    else
        total = fold_hot_squares(&squares, data, count, stride, sign, fold_hot_le16);
    of->total = fold_widen(total);
    of->low = join_sum(squares.low, squares.high);
    of->high = 0;
}
