/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * The loops of quantiles and histograms over elements of up to 32 bits, for machines that have room for them: together
 * with what prepares them they have 1,200 bytes on a Cortex-M4. Each begins at number `from` of the part. Instructions
 * are those of a PC (x86-64) for f32, which has a copy of its own.
 */
#include "fold_hot.h"

FOLD_HOT_INLINE uint32_t rank_load(const uint8_t *at, unsigned bytes, int whole)
{
    if (bytes == 4)
        return fold_hot_load32(at, whole);
    return bytes == 2 ? fold_hot_le16(at) : fold_hot_byte(at);
}

/* Makes keys, as utet_fold_key, by exclusive ors. */
typedef struct rank_keys {
    uint32_t sign; /* of unsigned integers 0 */
    uint32_t flip; /* more bits of a negative float */
    unsigned top;  /* number of the sign bit */
} rank_keys;

FOLD_HOT_INLINE rank_keys rank_keys_of(const fold_layout *layout)
{
    const uint32_t sign = (uint32_t)layout->sign;
    const rank_keys keys = {layout->kind == FOLD_UNSIGNED ? 0 : sign, layout->kind == FOLD_FLOAT ? sign - 1 : 0,
                            8u * layout->bytes - 1u};

    return keys;
}

FOLD_HOT_INLINE uint32_t rank_key(const rank_keys *keys, uint32_t bits)
{
    return bits ^ keys->sign ^ ((0 - (bits >> keys->top)) & keys->flip);
}

/* ---- quantiles ---- */

/* 20 instructions. */
FOLD_HOT_INLINE void rank_count(const fold_part *part, size_t from, size_t count, unsigned below, uint32_t many,
                                const fold_layout *layout)
{
    const rank_keys keys = rank_keys_of(layout);
    const unsigned bytes = layout->bytes;
    const uint8_t *const data = part->data + from * part->stride;
    const size_t stride = part->stride;
    const int whole = LOADS_32(data, stride);
    fold_rank *const cell = (void *)(part->cell + from * part->cell_step);
    uint64_t *const counter = (void *)(cell + 1);
    const uint32_t base = (uint32_t)cell->digits;
    /* Keys of NaN are below that of -inf or above that of inf. */
    const uint32_t first = layout->kind == FOLD_FLOAT ? ((uint32_t)1 << layout->fraction) - 1 : 0;
    const uint32_t most = (uint32_t)(layout->sign * 2 - 1) - 2 * first;
    /* Keys up to base + near, if not among the digits, are smaller than cell->next. */
    uint32_t near = (cell->next > UINT32_MAX ? 0 : (uint32_t)cell->next) - base - 1;
    const uint32_t before = near;
    size_t at = 0;

    for (; count != 0; count--) {
        const uint32_t key = rank_key(&keys, rank_load(data + at, bytes, whole));
        const uint32_t over = key - base;
        const uint32_t digit = over >> below;

        at += stride;
        if (key - first > most)
            cell->nan = 1;
        else if (digit < many)
            counter[digit]++;
        else if (over <= near)
            near = over - 1;
    }
    if (near != before)
        cell->next = (uint64_t)base + near + 1;
}

void utet_fold_count_digits(const fold_part *part, size_t from, size_t count, unsigned below, uint32_t many)
{
    static const fold_layout f32 = {0x80000000u, 4, FOLD_FLOAT, 23, 0, 0, 0};

    if (FOLD_ROOMY && part->layout->kind == FOLD_FLOAT && part->layout->bytes == 4)
        rank_count(part, from, count, below, many, &f32);
    else
        rank_count(part, from, count, below, many, part->layout);
}

/* ---- histograms ---- */

/* 15 instructions. */
size_t utet_fold_pass_between(const fold_part *part, size_t from, uint32_t low, uint32_t high)
{
    const rank_keys keys = rank_keys_of(part->layout);
    const unsigned bytes = part->layout->bytes;
    const uint8_t *const data = part->data + from * part->stride;
    const size_t stride = part->stride;
    const int whole = LOADS_32(data, stride);
    size_t left = part->count - from;
    size_t at = 0;

    for (; left != 0; left--) {
        if (rank_key(&keys, rank_load(data + at, bytes, whole)) - low > high - low)
            break;
        at += stride;
    }
    return part->count - left;
}

/* 50 instructions; the exact bin takes 300. */
FOLD_HOT_INLINE size_t rank_bin(const fold_part *part, size_t from, const fold_scale *scale, const fold_layout *layout)
{
    const uint32_t sign = (uint32_t)layout->sign;
    const uint32_t negatives = layout->kind == FOLD_UNSIGNED ? 0 : sign;
    const uint32_t one = (uint32_t)1 << layout->fraction;
    const uint32_t infinity = sign - one;
    const unsigned bytes = layout->bytes;
    const uint8_t *const data = part->data + from * part->stride;
    const size_t stride = part->stride;
    const size_t step = part->cell_step;
    const int whole = LOADS_32(data, stride);
    uint8_t *const cell = part->cell + from * step + scale->counters;
    size_t left = part->count - from;
    size_t at = 0;
    size_t to = 0;

    for (; left != 0; left--) {
        const uint32_t bits = rank_load(data + at, bytes, whole);
        const uint32_t negative = (bits & negatives) != 0 ? UINT32_MAX : 0;
        uint32_t size = bits;
        uint32_t over;
        uint32_t bin;

        if (layout->kind == FOLD_FLOAT)
            size = bits & (sign - 1);
        else if (negative != 0)
            size = sign - (bits - sign);
        if (size > scale->most) {
            if (layout->kind == FOLD_FLOAT && size > infinity) {
                at += stride;
                to += step;
                continue;
            }
            size = FOLD_UNITS;
        } else {
            uint32_t down = scale->down;

            if (layout->kind == FOLD_FLOAT && size >= one) {
                down -= (size >> layout->fraction) - 1;
                size = (size & (one - 1)) | one;
            }
            size = down < 32 ? (size << scale->up) >> down : 0;
        }
        over = (size ^ negative) - negative - scale->low;
        if (over > INT32_MAX)
            over = 0;
        over = (uint32_t)((uint64_t)over * scale->by >> 32) + FOLD_NEAR / 2;
        bin = over >> scale->bits;
        if ((over & (((uint32_t)1 << scale->bits) - 1)) < FOLD_NEAR && bin - 1 < scale->last)
            break;
        if (bin > scale->last)
            bin = scale->last;
        bin -= scale->first;
        if (bin < scale->many)
            ((uint64_t *)(void *)(cell + to))[bin]++;
        at += stride;
        to += step;
    }
    return part->count - left;
}

size_t utet_fold_count_bins(const fold_part *part, size_t from, const fold_scale *scale)
{
    static const fold_layout f32 = {0x80000000u, 4, FOLD_FLOAT, 23, 0, 0, 0};
    const fold_scale own = *scale;

    if (FOLD_ROOMY && part->layout->kind == FOLD_FLOAT && part->layout->bytes == 4)
        return rank_bin(part, from, &own, &f32);
    return rank_bin(part, from, &own, part->layout);
}
