/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* One stored element: its bits, and as a double. Relies on IEEE 754 for float and double, whatever their byte order
 * (that of integers of the same size). */
#include "show.h"

#include <float.h>
#include <string.h>

uint64_t utet_show_bits(uint32_t dtype, const void *element, unsigned *bytes)
{
    static const uint8_t sizes[11] = {0, 4, 8, 4, 8, 1, 2, 2, 4, 2, 8};
    const uint8_t *at = element;
    uint64_t bits = 0;
    unsigned i;

    *bytes = dtype <= 10 ? sizes[dtype] : 0;
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

utet_status utet_show_double(uint32_t dtype, const void *element, double *value)
{
    unsigned bytes;
    const uint64_t bits = utet_show_bits(dtype, element, &bytes);

    switch (dtype) {
    case UTET_F32: *value = from_f32((uint32_t)bits); return UTET_OK;
    case UTET_F64: *value = from_f64(bits); return UTET_OK;
    case UTET_F16: *value = from_f16((uint32_t)bits); return UTET_OK;
    case UTET_I16: *value = from_signed(bits, 0x8000u); return UTET_OK;
    case UTET_I32: *value = from_signed(bits, 0x80000000u); return UTET_OK;
    case UTET_I64: *value = from_signed(bits, (uint64_t)1 << 63); return UTET_OK;
    case UTET_U8:
    case UTET_U16:
    case UTET_U32:
    case UTET_U64: *value = (double)bits; return UTET_OK;
    default: return UTET_E_DTYPE;
    }
}
