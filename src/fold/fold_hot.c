/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * The loops in which folds spend their time, compiled for speed where the rest is compiled for size. Instructions per
 * element on a Cortex-M3, counted by `make bench`, are next to each loop. Offsets grow in them, not pointers:
 * there is no step over the end, however large.
 */
#include "fold_hot.h"

/* ---- an element whose bits are in an arc ---- */

/* 7 instructions; making a key to compare took 100. Small elements are in the highest bits, so that the subtraction
 * wraps. */
#define SCAN(type, load, unused, rest)                                       \
    {                                                                        \
        const type first = (type)((type)arc->from << (unused));              \
        const type most = (type)((type)arc->more << (unused));               \
                                                                             \
        for (; (left & (rest)) != 0; left--) {                               \
            if ((type)(((type)load(data + at) << (unused)) - first) <= most) \
                return count - left;                                         \
            at += stride;                                                    \
        }                                                                    \
    }

#define SCAN_LOAD(at) fold_hot_load32(at, whole)

/* 5 instructions: four elements a round, each with a base address of its own. `left` is a multiple of 4. Returns how
 * many are left, including the one in the arc; 0: none is in it. */
FOLD_HOT_INLINE size_t scan_32(const uint8_t *data, size_t left, size_t stride, uint32_t first, uint32_t most)
{
    const uint8_t *const second = data + stride;
    const uint8_t *const third = second + stride;
    const uint8_t *const fourth = third + stride;
    size_t at = 0;

    for (; left != 0; left -= 4) {
        if (fold_hot_le32(ALIGNED(data + at)) - first <= most)
            return left;
        if (fold_hot_le32(ALIGNED(second + at)) - first <= most)
            return left - 1;
        if (fold_hot_le32(ALIGNED(third + at)) - first <= most)
            return left - 2;
        if (fold_hot_le32(ALIGNED(fourth + at)) - first <= most)
            return left - 3;
        at += 4 * stride;
    }
    return 0;
}

size_t utet_fold_scan(const fold_layout *layout, const uint8_t *data, size_t count, size_t stride,
                      const utet_fold_arc *arc)
{
    const int whole = LOADS_32(data, stride);
    size_t left = count;
    size_t at = 0;

    switch (layout->bytes) {
    case 1: SCAN(uint32_t, fold_hot_byte, 24, SIZE_MAX) break;
    case 2: SCAN(uint32_t, fold_hot_le16, 16, SIZE_MAX) break;
    case 4:
        SCAN(uint32_t, SCAN_LOAD, 0, IF_WHOLE(whole, 3u, SIZE_MAX))
        if (left != 0)
            left = scan_32(data + at, left, stride, (uint32_t)arc->from, (uint32_t)arc->more);
        break;
    default: SCAN(uint64_t, utet_le64, 0, SIZE_MAX) break;
    }
    return count - left;
}

/* ---- an element that replaces that of its own cell ---- */

/* 15 instructions. The keys are those of fold_extreme.c. Only there, an index makes -0 and 0 equal: so elements with
 * the next key are found too. */
size_t utet_fold_first_better(const fold_part *part, size_t from, unsigned detail)
{
    const uint32_t flip = (detail & FOLD_GREATEST) != 0 ? 0x7FFFFFFFu : 0x80000000u;
    const uint32_t slack = (detail & FOLD_INDEX) != 0 ? 1 : UINT32_MAX;
    const uint8_t *const data = part->data + from * part->stride;
    const size_t stride = part->stride;
    const size_t step = part->cell_step;
    const uint8_t *memory = part->cell + from * step;
    size_t left = part->count - from;
    const int whole = LOADS_32(data, stride);
    size_t at = 0;

    for (; left != 0; left--) {
        const fold_extreme *cell = (const void *)memory;
        const uint32_t bits = fold_hot_load32(data + at, whole);
        const uint32_t key = bits ^ (0 - (bits >> 31)) >> 1 ^ flip;

        if (key - slack <= (uint32_t)cell->key || cell->any == 0)
            break;
        at += stride;
        memory += step;
    }
    return part->count - left;
}

/* ---- sums of f32 ---- */

/* 32-bit words in a sum */
#define WORDS 12

/* A fraction of 24 bits, moved up by 0 to 31. */
FOLD_HOT_INLINE uint64_t fold_hot_move(uint32_t fraction, uint32_t shift)
{
#if SWIFT
    const uint32_t power = (uint32_t)1 << shift;

    return (uint64_t)fraction * power; /* one multiplication here, where the shift takes six */
#else
    return (uint64_t)(fraction >> 1 >> (shift ^ 31u)) << 32 | fraction << shift;
#endif
}

FOLD_HOT_INLINE fold_cell *cell_of(uint32_t *words)
{
    return (fold_cell *)(void *)words - 1;
}

FOLD_HOT_INLINE void fold_hot_put(uint32_t *words, uint64_t value)
{
    words[0] = (uint32_t)value;
    words[1] = (uint32_t)(value >> 32);
}

/* Adds a normal number: its 24 bits go into two words, and seldom a carry into those after them. */
FOLD_HOT_INLINE void add_f32(uint32_t *words, uint32_t exponent, uint32_t bits, uint32_t negative)
{
    uint64_t fraction = fold_hot_move((bits & 0x7FFFFFu) | 0x800000u, exponent & 31u);
    uint32_t *at = words + (exponent >> 5);
    uint64_t old = (uint64_t)at[1] << 32 | at[0];
    uint64_t now;

    if (negative == 0) {
        now = old + fraction;
        fold_hot_put(at, now);
        if ((old & ~now) >> 63 == 0)
            return;
        for (at += 2; at != words + WORDS && ++*at == 0; at++)
            continue;
    } else {
        now = old - fraction;
        fold_hot_put(at, now);
        if ((now & ~old) >> 63 == 0)
            return;
        for (at += 2; at != words + WORDS && (*at)-- == 0; at++)
            continue;
    }
}

/* 26 instructions, 31 with a cell each. `words`, not the cell: that spares two. */
size_t utet_fold_add_f32(const fold_part *part, size_t from, uint32_t sign)
{
    const uint8_t *data = part->data + from * part->stride;
    uint32_t *words = fold_words((void *)(part->cell + from * part->cell_step));
    size_t step = part->cell_step / sizeof *words;
    size_t stride = part->stride;
    size_t left = part->count - from;
    const int whole = LOADS_32(data, stride);
    size_t at = 0;

    for (; left != 0; left--) {
        uint32_t bits = fold_hot_load32(data + at, whole);
        uint32_t exponent = (bits >> 23 & 0xFFu) - 1;

        if (exponent < 254)
            add_f32(words, exponent, bits, bits & sign);
        else if ((bits << 1) != 0)
            break;
        at += stride;
        if (step != 0) {
            cell_of(words)->count++;
            words += step;
        }
    }
    left = part->count - from - left;
    if (step == 0)
        cell_of(words)->count += left;
    return left;
}

/* ---- two sums ---- */

/* 6 instructions for a word that changes nothing, as most of them: 0, or all bits and a carry. 9 for others. */
void utet_fold_wide_join(uint32_t *words, const uint32_t *others, unsigned count)
{
    const uint32_t *const end = others + count;
    uint32_t carry = 0;

    for (; others != end; others++, words++) {
        const uint32_t other = *others + carry;

        if (other != 0) {
            *words += other;
            carry = *words < other;
        }
    }
}

/* ---- sums of f64 ---- */

#define LONG_WORDS 68

/* Adds a normal number: its 53 bits go into three words. Where a number is negative, these are subtracted; ~x of the
 * third word x then makes a borrow a carry. */
FOLD_HOT_INLINE void fold_hot_add_f64(uint32_t *words, uint32_t exponent, uint32_t high, uint32_t low,
                                      uint32_t negative)
{
    const uint64_t lower = fold_hot_move(low, exponent & 31u);
    const uint64_t upper = fold_hot_move((high & 0xFFFFFu) | 0x100000u, exponent & 31u);
    const uint32_t second = (uint32_t)(lower >> 32) | (uint32_t)upper;
    const uint32_t flip = negative != 0 ? UINT32_MAX : 0;
    uint32_t *at = words + (exponent >> 5);
    const uint32_t old = at[0];
    const uint32_t next = at[1];
    uint32_t third = (uint32_t)(upper >> 32);
    uint32_t now;
    uint32_t carry;

    if (negative == 0) {
        at[0] = old + (uint32_t)lower;
        carry = at[0] < old;
        now = next + second;
        third += now < next;
        now += carry;
        third += now < carry;
    } else {
        at[0] = old - (uint32_t)lower;
        carry = at[0] > old;
        now = next - second;
        third += now > next;
        third += now < carry;
        now -= carry;
    }
    at[1] = now;
    now = (at[2] ^ flip) + third;
    at[2] = now ^ flip;
    if (now >= third)
        return;
    for (at += 3; at != words + LONG_WORDS && (*at += flip | 1u) == flip; at++)
        continue;
}

/* 50 instructions. */
size_t utet_fold_add_f64(const fold_part *part, size_t from, uint32_t sign)
{
    const uint8_t *data = part->data + from * part->stride;
    uint32_t *words = fold_words((void *)(part->cell + from * part->cell_step));
    size_t step = part->cell_step / sizeof *words;
    size_t stride = part->stride;
    size_t left = part->count - from;
    size_t at = 0;

    for (; left != 0; left--) {
        const uint32_t low = fold_hot_le32(data + at);
        const uint32_t high = fold_hot_le32(data + at + 4);
        const uint32_t exponent = (high >> 20 & 0x7FFu) - 1;

        if (exponent < 2046)
            fold_hot_add_f64(words, exponent, high, low, high & sign);
        else if ((high << 1 | low) != 0)
            break;
        cell_of(words)->count++;
        at += stride;
        words += step;
    }
    return part->count - left;
}

/* ---- sums by groups ---- */

/* 60 instructions, and those of group_of. */
size_t utet_fold_group_f32(const fold_part *part, const utet_fold_axis *map, uint64_t index, const utet_fold_cuts *cuts,
                           uint32_t sign)
{
    const uint32_t first = (uint32_t)cuts->from;
    const size_t counter = part->fold->priv.own_bytes;
    size_t at = 0;
    size_t i;

    for (i = 0; i < part->count; i++) {
        const uint32_t group = map->group_of(map->context, index + i) - first;

        if (group < cuts->count) {
            uint8_t *const cell = part->cell + group * part->cell_step;
            uint32_t *const words = fold_words((void *)cell);
            const uint32_t bits = fold_hot_le32(part->data + at);
            const uint32_t exponent = (bits >> 23 & 0xFFu) - 1;

            if (exponent < 254)
                add_f32(words, exponent, bits, bits & sign);
            else if ((bits << 1) != 0)
                break;
            cell_of(words)->count++;
            if (part->fold->priv.extra_bytes != 0)
                ++*(uint64_t *)(void *)(cell + counter);
            part->fold->folded++;
        }
        at += part->stride;
    }
    return i;
}

/* ---- squares of f32 ---- */

#define SQUARE_WORDS 22

/* The square of a normal number, of 48 bits, goes into three words. */
FOLD_HOT_INLINE void fold_hot_add_square(uint32_t *words, uint32_t exponent, uint32_t bits)
{
    uint32_t fraction = (bits & 0x7FFFFFu) | 0x800000u;
    uint64_t square = (uint64_t)fraction * fraction;
    uint64_t low = fold_hot_move((uint32_t)square, 2 * exponent & 31u);
    uint64_t high = fold_hot_move((uint32_t)(square >> 32), 2 * exponent & 31u);
    uint32_t *at = words + (exponent >> 4);
    uint64_t carry;

    low += at[0];
    at[0] = (uint32_t)low;
    high += (low >> 32) + at[1];
    at[1] = (uint32_t)high;
    carry = (high >> 32) + at[2];
    at[2] = (uint32_t)carry;
    if (carry >> 32 != 0)
        for (at += 3; at != words + SQUARE_WORDS && ++*at == 0; at++)
            continue;
}

/* If words have 64 bits: elements of one cell, with exponents so close together that their fractions have 32 bits
 * when they are moved up. The sums stay in registers: 1.6 ns per element on a PC, where sums in memory take 3.5.
 * Returns the number of the first element that is not near. */
#define WIDE (SIZE_MAX > UINT32_MAX)
#define NEAR 8u

static size_t square_near(const fold_part *part, size_t from, int sums)
{
    const uint8_t *data = part->data + from * part->stride;
    uint32_t *words = fold_words((void *)part->cell);
    const size_t count = fold_stretch(part, from);
    uint32_t base = fold_hot_le32(data) >> 23 & 0xFFu;
    uint64_t low = 0;
    uint64_t high = 0;
    uint64_t total = 0; /* two's complement */
    unsigned shift;
    size_t at = 0;
    size_t i;

    base = base <= NEAR / 2 ? 0 : base > 254 - NEAR / 2 ? 253 - NEAR : base - NEAR / 2 - 1;
    for (i = 0; i < count; i++) {
        const uint32_t bits = fold_hot_le32(data + at);
        const uint32_t up = (bits >> 23 & 0xFFu) - 1 - base;

        if (up <= NEAR) {
            const uint64_t fraction = (uint64_t)((bits & 0x7FFFFFu) | 0x800000u) << up;
            const uint64_t negative = 0 - (uint64_t)(bits >> 31);
            const uint64_t square = fraction * fraction;

            low += square;
            high += low < square;
            total += (fraction ^ negative) - negative;
        } else if ((bits << 1) != 0) {
            break;
        }
        at += part->stride;
    }
    shift = (unsigned)base;
    cell_of(words)->count += i;
    utet_fold_wide_add(words, SQUARE_WORDS, 2 * shift, low, 0);
    utet_fold_wide_add(words, SQUARE_WORDS, 2 * shift + 64, high, 0);
    if (sums)
        utet_fold_wide_add(words + SQUARE_WORDS, WORDS, shift, total >> 63 != 0 ? ~total + 1 : total, total >> 63 != 0);
    return from + i;
}

size_t utet_fold_square_f32(const fold_part *part, size_t from, int sums)
{
    size_t again = from; /* square_near is tried from this number on; later when it took few elements */
    size_t i;

    for (i = from; i < part->count; i++) {
        fold_cell *cell = (void *)(part->cell + i * part->cell_step);
        uint32_t bits;
        uint32_t exponent;

        if (WIDE && part->cell_step == 0 && i >= again) {
            const size_t near = square_near(part, i, sums);

            again = near - i < 16 ? near + 32 : near + 1;
            i = near;
            if (i == part->count)
                break;
        }
        bits = fold_hot_le32(part->data + i * part->stride);
        exponent = (bits >> 23 & 0xFFu) - 1;
        if (exponent < 254) {
            fold_hot_add_square(fold_words(cell), exponent, bits);
            if (sums)
                add_f32(fold_words(cell) + SQUARE_WORDS, exponent, bits, bits >> 31);
        } else if ((bits << 1) != 0) {
            break;
        }
        cell->count++;
    }
    return i;
}
