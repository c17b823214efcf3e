/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* One stored element, little-endian (tet/FORMAT.md §3, §5): its bits, its value in parts, its position in the order. */
#include "fold.h"

/* Of one element: bits of a float's exponent; bits of a whole number in units of 2^lowest. */
#define EXPONENT(bytes, kind, fraction) ((kind) == UTET_FLOAT ? 8 * (bytes)-1 - (fraction) : 1)
#define SPAN(bytes, kind, fraction) \
    ((kind) == UTET_FLOAT ? (1 << EXPONENT(bytes, kind, fraction)) - 2 + (fraction) : 8 * (bytes))
#define LOWEST(bytes, kind, fraction) \
    ((kind) == UTET_FLOAT ? 2 - (1 << (EXPONENT(bytes, kind, fraction) - 1)) - (fraction) : 0)
/* Sums have a sign, and a count below 2^64 on top; those of squares no sign, and a factor below 2^64. */
#define EVEN_WORDS(bits) (((bits) + 63) / 64 * 2)
#define LAYOUT_ROW(tag, number, name, bytes, kind, fraction)       \
    [number] = {(uint64_t)1 << (8 * (bytes)-1),                    \
                bytes,                                             \
                kind,                                              \
                fraction,                                          \
                EVEN_WORDS(SPAN(bytes, kind, fraction) + 65),      \
                EVEN_WORDS(2 * SPAN(bytes, kind, fraction) + 128), \
                LOWEST(bytes, kind, fraction)},

const fold_layout utet_dtype_layouts[UTET_DTYPE_END] = {UTET_DTYPES(LAYOUT_ROW)};

UTET_STATIC_ASSERT((FOLD_ALL_DTYPES & FOLD_PLACES) == 0, dtypes_are_bits);

uint64_t utet_fold_load(const fold_layout *layout, const uint8_t *at)
{
    switch (layout->bytes) {
    case 1: return *at;
    case 2: return at[0] | (uint32_t)at[1] << 8;
    case 4: return utet_le32(at);
    default: return utet_le64(at);
    }
}

void utet_fold_split(const fold_layout *layout, uint64_t bits, fold_element *element)
{
    uint64_t sign = layout->sign;
    uint64_t exponent;

    element->negative = layout->kind != FOLD_UNSIGNED && (bits & sign) != 0;
    element->shift = 0;
    element->special = FOLD_FINITE;
    if (layout->kind != FOLD_FLOAT) {
        /* two's complement of this width: sign - (bits - sign) */
        element->magnitude = element->negative ? sign - (bits - sign) : bits;
        return;
    }
    bits &= sign - 1;
    exponent = bits >> layout->fraction;
    element->magnitude = bits & (((uint64_t)1 << layout->fraction) - 1);
    if (exponent == (sign - 1) >> layout->fraction) {
        element->special = element->magnitude != 0 ? FOLD_NAN : FOLD_INF;
    } else if (exponent != 0) {
        element->magnitude |= (uint64_t)1 << layout->fraction;
        element->shift = (uint16_t)(exponent - 1);
    }
}

uint64_t utet_fold_key(const fold_layout *layout, uint64_t bits)
{
    uint64_t sign = layout->sign;

    if (layout->kind == FOLD_UNSIGNED)
        return bits;
    if (layout->kind == FOLD_FLOAT && (bits & sign) != 0)
        return (sign - 1) - (bits - sign);
    return bits ^ sign;
}

uint64_t utet_fold_unkey(const fold_layout *layout, uint64_t key)
{
    uint64_t sign = layout->sign;

    if (layout->kind == FOLD_UNSIGNED)
        return key;
    if (layout->kind == FOLD_FLOAT && key < sign)
        return sign + (sign - 1 - key);
    return key ^ sign;
}

uint64_t utet_fold_promote(const fold_layout *layout, uint64_t key)
{
    fold_element element;

    utet_fold_split(layout, utet_fold_unkey(layout, key), &element);
    if (element.special != FOLD_FINITE)
        return (element.special == FOLD_NAN ? FOLD_DOUBLE_NAN : FOLD_DOUBLE_INF) |
               (element.negative ? FOLD_DOUBLE_SIGN : 0u);
    return utet_fold_round(element.negative, element.magnitude, layout->lowest + (int32_t)element.shift, 0);
}
