/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* One stored element: its bits, and as a double. Relies on IEEE 754 for float and double, whatever their byte order
 * (that of integers of the same size). */
#include "show.h"

#include <float.h>
#include <string.h>

uint64_t utet_show_bits(uint32_t dtype, const void *element, unsigned *bytes)
{
#define SIZE_ROW(tag, number, name, bytes, kind, fraction) [number] = (bytes),
    static const uint8_t sizes[] = {UTET_DTYPES(SIZE_ROW)};
    const uint8_t *at = element;
    uint64_t bits = 0;
    unsigned i;

    *bytes = dtype < UTET_DTYPE_END ? sizes[dtype] : 0;
    for (i = *bytes; i > 0; i--)
        bits = bits << 8 | at[i - 1];
    return bits;
}

static double from_f32(uint32_t bits)
{
    float value;

    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

/* Subnormals included: their value is fraction * 2^-24. */
static double from_f16(uint32_t bits)
{
    const uint32_t sign = (bits & 0x8000u) << 16;
    const uint32_t exponent = bits >> 10 & 0x1Fu;
    const uint32_t fraction = bits & 0x3FFu;

    if (exponent == 0) {
        const double value = from_f32(0x33800000u) * (double)fraction;

        return sign != 0 ? -value : value;
    }
    if (exponent == 0x1F)
        return from_f32(sign | 0x7F800000u | fraction << 13);
    return from_f32(sign | (exponent + 112) << 23 | fraction << 13);
}

#if DBL_MANT_DIG == 53
static double from_f64(uint64_t bits)
{
    double value;

    memcpy(&value, &bits, sizeof value);
    return value;
}
#else
/* double is binary32: rounds to nearest, ties away from zero; below its normal range to zero. */
static double from_f64(uint64_t bits)
{
    const uint32_t sign = (uint32_t)(bits >> 32) & 0x80000000u;
    const uint32_t exponent = (uint32_t)(bits >> 52) & 0x7FFu;
    uint64_t rest = bits & 0x7FFFFFFFFFFFFFFFu;

    if (exponent == 0x7FF)
        return from_f32(sign | 0x7F800000u | ((rest & 0xFFFFFFFFFFFFFu) != 0 ? 0x400000u : 0u));
    if (exponent < 897)
        return from_f32(sign);
    if (exponent > 1150)
        return from_f32(sign | 0x7F800000u);
    /* A carry out of the fraction increases the exponent, up to infinity, which is the right result. */
    rest += (uint64_t)1 << 28;
    return from_f32(sign | (uint32_t)((rest >> 29) - ((uint64_t)896 << 23)));
}
#endif

/* Two's complement without relying on how the compiler narrows. */
static double from_signed(uint64_t bits, uint64_t sign)
{
    return (bits & sign) != 0 ? -(double)(sign - (bits - sign)) : (double)bits;
}

#define VALUE_CASE(tag, number, name, bytes, kind, fraction)                                   \
    case tag:                                                                                  \
        *value = (kind) == UTET_SIGNED     ? from_signed(bits, (uint64_t)1 << (8 * (bytes)-1)) \
                 : (kind) == UTET_UNSIGNED ? (double)bits                                      \
                 : (bytes) == 8            ? from_f64(bits)                                    \
                 : (bytes) == 4            ? from_f32((uint32_t)bits)                          \
                                           : from_f16((uint32_t)bits);                                    \
        return UTET_OK;

utet_status utet_show_double(uint32_t dtype, const void *element, double *value)
{
    unsigned bytes;
    const uint64_t bits = utet_show_bits(dtype, element, &bytes);

    switch (dtype) {
        UTET_DTYPES(VALUE_CASE)
    default: return UTET_E_DTYPE;
    }
}
