/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Loads, bits and short copies: first the parts that are the same on every processor, then those of this one. Part of
 * zstd_decoder.h.
 */

/* 1: int has 16 bits, and a shift of 32 bits by a variable is dear: an AVR takes 7 cycles for each bit of it. There,
 * fields are cut out of 16 bits, by multiplications. */
#ifndef UTET_ZSTD_INT16
#define UTET_ZSTD_INT16 (sizeof(int) == 2)
#endif

/* Hints for the compiler, without code: it takes x for any value of its type from here on, and does not compute with it
 * before. ZS_BYTE: so avr-gcc multiplies bytes, not what they were computed from. ZS_STEP: so loads and stores of
 * Thumb-2 move their address, where the compiler would otherwise add the steps up. */
#define ZS_HERE(x) __asm__("" : "+r"(x))
#if defined(__AVR__)
#define ZS_BYTE(x) ZS_HERE(x)
#define ZS_STEP(x) ((void)0)
#elif defined(__thumb2__)
#define ZS_BYTE(x) ((void)0)
#define ZS_STEP(x) ZS_HERE(x)
#else
#define ZS_BYTE(x) ((void)0)
#define ZS_STEP(x) ((void)0)
#endif

/* Four bytes in the format's order, as one load where the processor can load from any address. */
ZS_INLINE uint32_t zs_le32(const uint8_t *p)
{
    if (ZS_LITTLE_ENDIAN && !UTET_ZSTD_ALIGNED) {
        uint32_t v;

        memcpy(&v, p, 4);
        return v;
    }
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* Floor of the binary logarithm; v > 0. */
ZS_INLINE unsigned zs_log2_by_halves(uint32_t v)
{
    unsigned n = 0;

    if (v >> 16) {
        n = 16;
        v >>= 16;
    }
    if (v >> 8) {
        n += 8;
        v >>= 8;
    }
    if (v >> 4) {
        n += 4;
        v >>= 4;
    }
    if (v >> 2) {
        n += 2;
        v >>= 2;
    }
    return n + (unsigned)(v >> 1);
}

/* 1 << n, n at most 7. */
ZS_INLINE uint8_t zs_power(unsigned n)
{
    static const uint8_t power[8] = {1, 2, 4, 8, 16, 32, 64, 128};

    return power[n];
}

/* One instruction on an AVR, if the compiler sees that both are bytes. */
ZS_INLINE unsigned zs_product(uint8_t a, uint8_t b)
{
    ZS_BYTE(a);
    ZS_BYTE(b);
    return (unsigned)(a * b);
}

/* UTET_ZSTD_INT16: bits / 8, of at most 2^24 bits. */
ZS_INLINE unsigned zs_whole_bytes(uint32_t bits)
{
    return (zs_product((uint8_t)(bits >> 16), 32) << 8) + zs_product((uint8_t)(bits >> 8), 32) +
           (zs_product((uint8_t)bits, 32) >> 8);
}

/* UTET_ZSTD_INT16: floor of the binary logarithm; v > 0. */
ZS_INLINE uint8_t zs_log2_byte(uint8_t v)
{
    static const uint8_t log2[16] = {0, 0, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3};

    return v >= 16u ? (uint8_t)(log2[v >> 4] + 4u) : log2[v];
}

/* UTET_ZSTD_INT16: the next 16 bits of a stream that is read backwards. The highest `used` bits of at[2], at most 7,
 * are used. */
ZS_INLINE uint16_t zs_window(const uint8_t *at, unsigned used)
{
    const uint8_t p = zs_power(used);

    return (uint16_t)((zs_product(at[2], p) << 8) + zs_product(at[1], p) + (zs_product(at[0], p) >> 8));
}

/* UTET_ZSTD_INT16: position in a stream that is read backwards: after the highest `used` bits of at[-1], at most 7. */
typedef struct zs_spot {
    const uint8_t *at;
    uint8_t used;
} zs_spot;

/* UTET_ZSTD_INT16: takes the top n bits, at most 7, off *v, and returns m with them appended. */
ZS_INLINE unsigned zs_shift_in(unsigned m, uint16_t *v, unsigned n)
{
    const uint8_t p = zs_power(n);
    const unsigned high = zs_product((uint8_t)(*v >> 8), p);

    *v = (uint16_t)((high << 8) + zs_product((uint8_t)*v, p));
    return (zs_product((uint8_t)(m >> 8), p) << 8) + zs_product((uint8_t)m, p) + (high >> 8);
}

/* UTET_ZSTD_INT16: the top n bits of v, n at most 15. */
ZS_INLINE unsigned zs_head(uint16_t v, unsigned n)
{
    const uint8_t high = (uint8_t)(v >> 8), low = (uint8_t)v, p = zs_power(n & 7u);

    return n < 8u ? zs_product(high, p) >> 8 : zs_product(high, p) + (zs_product(low, p) >> 8);
}

/* The low n bits of v. */
#define ZS_LOW(v, n) ((v) & ~(~(uint32_t)0 << (n)))

/* v shifted right or left by the low byte of n, at most 31. A Cortex-M's shifts use only that byte of a register, and
 * a shift by 32 gives 0; the compiler does not know either. zs_bit: 1 << n, where the compiler would keep the 1 in a
 * register that loops need for others. zs_top_coded: the top bits of v, as many as the low byte of n says, at most
 * 31. zs_field: the n bits of v from bit `at` on, by two shifts on Thumb-1, where the compiler would load a mask.
 * zs_above: the top n bits of v, at most 31; zs_below_one: with a one above them. */
#if defined(__thumb2__)
ZS_INLINE uint32_t zs_field(uint32_t v, unsigned at, unsigned n)
{
    return ZS_LOW(v >> at, n);
}

ZS_INLINE uint32_t zs_right(uint32_t v, uint32_t n)
{
    uint32_t to;

    __asm__("lsr %0, %1, %2" : "=r"(to) : "r"(v), "r"(n));
    return to;
}

ZS_INLINE uint32_t zs_left(uint32_t v, uint32_t n)
{
    uint32_t to;

    __asm__("lsl %0, %1, %2" : "=r"(to) : "r"(v), "r"(n));
    return to;
}

ZS_INLINE uint32_t zs_top_coded(uint32_t v, uint32_t n)
{
    return zs_right(v, 32u - n);
}

ZS_INLINE uint32_t zs_bit(uint32_t n)
{
    uint32_t to;

    __asm__("mov %0, #1\n\tlsl %0, %0, %1" : "=&r"(to) : "r"(n));
    return to;
}

ZS_INLINE uint32_t zs_above(uint32_t v, uint32_t n)
{
    return zs_right(v, 32u - n);
}

ZS_INLINE uint32_t zs_below_one(uint32_t v, uint32_t n)
{
    return (v >> 1 | 0x80000000u) >> (31u - n);
}
#elif defined(__thumb__)
ZS_INLINE uint32_t zs_bit(uint32_t n)
{
    return (uint32_t)1 << n;
}

ZS_INLINE uint32_t zs_field(uint32_t v, unsigned at, unsigned n)
{
    v <<= 32u - at - n;
    ZS_HERE(v);
    return v >> (32u - n);
}

ZS_INLINE uint32_t zs_right(uint32_t v, uint32_t n)
{
    __asm__(".syntax unified\n\tlsrs %0, %1" : "+l"(v) : "l"(n) : "cc");
    return v;
}

ZS_INLINE uint32_t zs_left(uint32_t v, uint32_t n)
{
    __asm__(".syntax unified\n\tlsls %0, %1" : "+l"(v) : "l"(n) : "cc");
    return v;
}

ZS_INLINE uint32_t zs_top_coded(uint32_t v, uint32_t n)
{
    return v >> 1 >> (~n & 31u);
}

ZS_INLINE uint32_t zs_above(uint32_t v, uint32_t n)
{
    return zs_right(v, 32u - n);
}

ZS_INLINE uint32_t zs_below_one(uint32_t v, uint32_t n)
{
    return zs_right(v, 32u - n) | (uint32_t)1 << n;
}
#else
ZS_INLINE uint32_t zs_bit(uint32_t n)
{
    return (uint32_t)1 << (n & 31u);
}

ZS_INLINE uint32_t zs_field(uint32_t v, unsigned at, unsigned n)
{
    return ZS_LOW(v >> at, n);
}

ZS_INLINE uint32_t zs_right(uint32_t v, uint32_t n)
{
    return v >> (n & 31u);
}

ZS_INLINE uint32_t zs_left(uint32_t v, uint32_t n)
{
    return v << (n & 31u);
}

ZS_INLINE uint32_t zs_top_coded(uint32_t v, uint32_t n)
{
    return v >> 1 >> (~n & 31u);
}

ZS_INLINE uint32_t zs_above(uint32_t v, uint32_t n)
{
    return v >> 1 >> (n ^ 31u);
}

ZS_INLINE uint32_t zs_below_one(uint32_t v, uint32_t n)
{
    return (v >> 1 | 0x80000000u) >> (31u - n);
}
#endif

/* The top n bits of v; n = 0 gives 0. */
ZS_INLINE uint32_t zs_top(uint32_t v, unsigned n)
{
    if (UTET_ZSTD_INT16 && n < 16u)
        return zs_head((uint16_t)(v >> 16), n);
    return zs_above(v, n);
}

/* Returns the next bits of a stream that is read backwards and has `used` used bits below top: left-aligned, at
 * least 25 of them. Touches four bytes, none of them above the bits. */
ZS_INLINE uint32_t zs_exact_bits(const uint8_t *top, uint32_t used)
{
    if (UTET_ZSTD_INT16) {
        const uint8_t *const at = top - (size_t)(used >> 3) - 4;
        const uint8_t p = zs_power((unsigned)used & 7u);

        return (uint32_t)zs_window(at + 1, (unsigned)used & 7u) << 16 |
               (uint16_t)((zs_product(at[1], p) << 8) + zs_product(at[0], p));
    }
    return zs_le32(top - (used >> 3) - 4) << (used & 7u);
}

/* One after the other, as a match needs them that overlaps with what it makes. */
ZS_INLINE void zs_copy_eight(uint8_t *p, const uint8_t *q)
{
    p[0] = q[0];
    p[1] = q[1];
    p[2] = q[2];
    p[3] = q[3];
    p[4] = q[4];
    p[5] = q[5];
    p[6] = q[6];
    p[7] = q[7];
}

/* While fewer bits than these are left of a stream's bytes, they may wait for a refill, which keeps 11 bytes. */
#define ZS_KEPT 88u

/* Copies n ≥ 16 bytes from `off` back, in the largest pieces that are possible (zstd_execute.c). */
void utet_zs_copy_long(uint8_t *p, uint32_t off, size_t n);
/* Copies the byte before p to [p, stop), which is not empty, and to up to 7 bytes after it (zstd_hot.c). */
void utet_zs_fill(uint8_t *p, const uint8_t *stop);

/* How this processor loads and copies. */
#if UTET_ZSTD_ALIGNED
#include "zstd_words.h"
#else
#include "zstd_unaligned.h"
#endif

/* Sets the cursor to `bytes` bytes below `end`; none of them is consumed. */
ZS_INLINE void zs_cursor_place(zs_cursor *c, const uint8_t *end, uint32_t bytes)
{
    const unsigned pad = zs_pad(end);

    c->top = end + pad;
    c->used = 8u * pad;
    c->limit = 8u * (pad + bytes);
}

/* Skips the padding above the first bit: zeros, then a one. 0 if that one is missing. */
ZS_INLINE int zs_cursor_begin(zs_cursor *c)
{
    unsigned last = c->top[-1 - (int32_t)(c->used >> 3)];

    if (last == 0)
        return 0;
    c->used += 8u - zs_log2(last);
    return 1;
}

/* Takes as many of the lowest bits off *bits as the low byte of n says, and returns m with them appended. */
ZS_INLINE uint32_t zs_take_coded(uint32_t *bits, uint32_t m, uint32_t n)
{
    const uint32_t all = *bits;

    *bits = zs_right(all, n);
    return zs_left(m - *bits, n) + all;
}

/* Takes the lowest n bits off *bits, and returns m with them appended. */
ZS_INLINE uint32_t zs_take(uint32_t *bits, uint32_t m, unsigned n)
{
    const uint32_t all = *bits;

    *bits = all >> n;
    return ((m - *bits) << n) + all;
}
