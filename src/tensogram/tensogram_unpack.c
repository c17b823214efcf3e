/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* simple_packing (FORMAT.md §4.2): a string of bits to numbers. Floating point. */
#include <stdint.h>

#if SIZE_MAX >= 0xFFFFFFFF /* else nothing is left of this file: utet_tensogram.h says so */

#include "tensogram_data.h"

#include <float.h>
#include <string.h>

/* Beyond these there is no scale that a double holds. */
#define BINARY_MOST 1100
#define DECIMAL_MOST 340

/* By squaring, as the reference library does: other orders differ in the last bit. */
static double unpack_power(double base, unsigned exponent)
{
    double result = 1.0;

    for (;;) {
        if ((exponent & 1u) != 0)
            result *= base;
        exponent >>= 1;
        if (exponent == 0)
            return result;
        base *= base;
    }
}

/* 10^-exponent: what dividing 1 by an exact power of ten makes, without the division. */
static double unpack_tenths(unsigned exponent)
{
    static const double exact[] = {1e0,   1e-1,  1e-2,  1e-3,  1e-4,  1e-5,  1e-6,  1e-7,  1e-8,  1e-9,  1e-10, 1e-11,
                                   1e-12, 1e-13, 1e-14, 1e-15, 1e-16, 1e-17, 1e-18, 1e-19, 1e-20, 1e-21, 1e-22};
    double result = 1.0;

    for (; exponent > 22; exponent -= 22)
        result *= exact[22];
    return result * exact[exponent];
}

/* By its bits, where double has them as IEEE 754 says: comparing takes a quarter of a kilobyte where there is no
 * floating-point unit. */
static int unpack_is_finite(double value)
{
    uint64_t bits;

    if (sizeof value != sizeof bits)
        return value <= DBL_MAX && value >= -DBL_MAX;
    memcpy(&bits, &value, sizeof value);
    return (bits >> 52 & 0x7FFu) != 0x7FFu;
}

utet_status utet_packing_begin(utet_tensor *t)
{
    const utet_object *o = t->priv.object;
    int32_t e = o->packing.binary, d = o->packing.decimal;
    double two, ten;

    if (o->packing.bits > 64 || e < -BINARY_MOST || e > BINARY_MOST || d < -DECIMAL_MOST || d > DECIMAL_MOST)
        return UTET_E_DATASET;
    two = unpack_power(e < 0 ? 0.5 : 2.0, (unsigned)(e < 0 ? -e : e));
    ten = d < 0 ? unpack_power(10.0, (unsigned)-d) : unpack_tenths((unsigned)d);
    t->priv.packing.scale = two * ten;
    t->priv.packing.reference = o->packing.reference;
    t->priv.packing.bits = o->packing.bits;
    return unpack_is_finite(t->priv.packing.scale) && unpack_is_finite(o->packing.reference) ? UTET_OK : UTET_E_DATASET;
}

/* A product, rounded by itself. Where a processor multiplies and adds in one, compilers do so whatever the standard
 * says, and the sum would be rounded once: it would differ from the reference's in its last bit. */
static inline double rounded_double(double product)
{
    volatile double kept = product;

    return kept;
}

static inline float rounded_float(float product)
{
    volatile float kept = product;

    return kept;
}

/* Uses 32-bit words as long as they are sufficient, since bits may be as many as a size_t has. */
size_t utet_packing_bytes(const utet_tensor *t, size_t count)
{
    size_t bits = t->priv.packing.bits, odd = t->priv.packing.odd_bits;
    size_t whole = count / 8u * bits, rest = count % 8u * bits;

    /* the odd bits have been taken from a byte that counted before */
    return rest >= odd ? whole + (rest - odd + 7u) / 8u : whole - (odd - rest) / 8u;
}

static void unpack_put32(uint8_t *to, uint32_t value)
{
    to[0] = (uint8_t)value;
    to[1] = (uint8_t)(value >> 8);
    to[2] = (uint8_t)(value >> 16);
    to[3] = (uint8_t)(value >> 24);
}

static void unpack_put_float(uint8_t *to, float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof bits);
    unpack_put32(to, bits);
}

/* If double has 32 bits, its bits are widened: exact, except that numbers below its normal range become 0. */
static void unpack_put_double(uint8_t *to, double value)
{
    uint64_t bits = 0;

    if (sizeof value == 8) {
        memcpy(&bits, &value, sizeof value);
    } else {
        uint32_t narrow;
        float same = (float)value;

        memcpy(&narrow, &same, sizeof narrow);
        bits = (uint64_t)(narrow >> 31) << 63;
        if ((narrow >> 23 & 255u) != 0)
            bits |= ((uint64_t)(narrow >> 23 & 255u) + ((narrow >> 23 & 255u) == 255u ? 1792u : 896u)) << 52 |
                    (uint64_t)(narrow & 0x7fffffu) << 29;
    }
    unpack_put32(to, (uint32_t)bits);
    unpack_put32(to + 4, (uint32_t)(bits >> 32));
}

/* The bits left over of the byte before, and the bytes that follow. */
typedef struct string {
    const uint8_t *from;
    unsigned odd;
    unsigned odd_bits;
} string;

/* The next `bits` (0..32) bits. */
static inline uint32_t unpack_take32(string *s, unsigned bits)
{
    uint32_t value = s->odd;
    unsigned n = s->odd_bits;

    if (bits < n) {
        s->odd_bits = n - bits;
        s->odd = value & ((1u << s->odd_bits) - 1u);
        return value >> s->odd_bits;
    }
    while (bits - n >= 8u) {
        value = value << 8 | *s->from++;
        n += 8;
    }
    s->odd_bits = 0;
    s->odd = 0;
    if (n != bits) {
        unsigned byte = *s->from++;

        s->odd_bits = 8u - (bits - n);
        s->odd = byte & ((1u << s->odd_bits) - 1u);
        value = value << (bits - n) | byte >> s->odd_bits;
    }
    return value;
}

void utet_unpack_doubles(utet_tensor *t, const uint8_t *from, uint8_t *to, size_t count)
{
    const double scale = t->priv.packing.scale, reference = t->priv.packing.reference;
    const unsigned bits = t->priv.packing.bits;
    string s;

    s.from = from;
    s.odd = t->priv.packing.odd;
    s.odd_bits = t->priv.packing.odd_bits;
    for (; count != 0; count--, to += 8) {
        double q;

        if (bits <= 32) {
            const uint32_t packed = unpack_take32(&s, bits);

            q = (double)packed;
        } else {
            uint64_t high = unpack_take32(&s, bits - 32u);

            q = (double)(high << 32 | unpack_take32(&s, 32));
        }
        unpack_put_double(to, reference + rounded_double(scale * q));
    }
    t->priv.packing.odd = (uint8_t)s.odd;
    t->priv.packing.odd_bits = (uint8_t)s.odd_bits;
}

void utet_unpack_floats(utet_tensor *t, const uint8_t *from, uint8_t *to, size_t count)
{
    const float scale = (float)t->priv.packing.scale, reference = (float)t->priv.packing.reference;
    const unsigned bits = t->priv.packing.bits;
    string s;

    if (bits == 16 && t->priv.packing.odd_bits == 0) {
        for (; count != 0; count--, to += 4, from += 2)
            unpack_put_float(to, reference + rounded_float(scale * (float)((uint32_t)from[0] << 8 | from[1])));
        return;
    }
    s.from = from;
    s.odd = t->priv.packing.odd;
    s.odd_bits = t->priv.packing.odd_bits;
    for (; count != 0; count--, to += 4) {
        const uint32_t packed = unpack_take32(&s, bits);

        unpack_put_float(to, reference + rounded_float(scale * (float)packed));
    }
    t->priv.packing.odd = (uint8_t)s.odd;
    t->priv.packing.odd_bits = (uint8_t)s.odd_bits;
}

#endif
