/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * szip: the loops over the values of a block (FORMAT.md §3, §4): bits to codes, codes to samples, samples to bytes. The
 * build compiles this file for speed where the rest is compiled for size.
 * The bits taken from the reservoir are kept in `value`, `high` or `zeros`, so that the input may end between any
 * two bytes; as long as it does not, four bytes are taken at once.
 */
#include "szip.h"

/* Fields of up to FIELD_MOST bits fit the reservoir next to the rest of a byte. */
#define FIELD_MOST (WORD_BITS - 8u)

#if defined(__GNUC__) && defined(__OPTIMIZE__)
#define SZIP_INLINE static inline __attribute__((always_inline))
#else
#define SZIP_INLINE static inline
#endif

/* value is not 0. */
SZIP_INLINE unsigned leading_zeros(word value)
{
#if defined(__GNUC__)
    if (sizeof(word) > 4)
        return (unsigned)__builtin_clzll(value);
    if (sizeof(unsigned) >= 4)
        return (unsigned)__builtin_clz((unsigned)value);
    return (unsigned)__builtin_clzl((unsigned long)value);
#else
    unsigned n = 0;

    while ((value >> (WORD_BITS - 1u)) == 0) {
        value <<= 1;
        n++;
    }
    return n;
#endif
}

SZIP_INLINE uint32_t next_four(bits *b)
{
    const uint8_t *in = b->in;

    b->in += 4;
    return (uint32_t)in[0] << 24 | (uint32_t)in[1] << 16 | (uint32_t)in[2] << 8 | in[3];
}

/* 1 when `want` bits are there; takes as many bytes as fit. want <= FIELD_MOST + 1. */
SZIP_INLINE int szip_ensure(bits *b, unsigned want)
{
    if (b->held >= want)
        return 1;
    while (b->held <= FIELD_MOST && b->in != b->end) {
        b->reservoir |= (word)*b->in++ << (FIELD_MOST - b->held);
        b->held += 8;
    }
    return b->held >= want;
}

/* n: 1..31, held. */
SZIP_INLINE uint32_t szip_take(bits *b, unsigned n)
{
    uint32_t value = (uint32_t)(b->reservoir >> (WORD_BITS - n));

    b->reservoir <<= n;
    b->held -= n;
    return value;
}

/* n: 1..31, more than are held; four bytes are there. */
SZIP_INLINE uint32_t take_across(bits *b, unsigned n)
{
    const uint32_t four = next_four(b);
    uint32_t value;

    if (sizeof(word) > 4) {
        b->reservoir |= (word)four << (WORD_BITS - 32u - b->held);
        b->held += 32u;
        return szip_take(b, n);
    }
    value = (uint32_t)(b->reservoir >> (WORD_BITS - n));
    n -= b->held;
    b->reservoir = (word)four << n;
    b->held = 32u - n;
    return value | four >> (32u - n);
}

/* Reads a field of n bits, in two parts if it may not fit the reservoir. */
int utet_szip_field(utet_szip *z, bits *b, unsigned n, uint32_t *value)
{
    const unsigned part = n > FIELD_MOST ? 16 : n;

    if (n != part && !z->priv.split) {
        if (!szip_ensure(b, n - 16u))
            return 0;
        z->priv.high = szip_take(b, n - 16u) << 16;
        z->priv.split = 1;
    }
    if (!szip_ensure(b, part))
        return 0;
    *value = szip_take(b, part);
    if (z->priv.split)
        *value |= z->priv.high;
    z->priv.split = 0;
    return 1;
}

/* Zeros before a one: `zeros` of them have been seen. */
outcome utet_szip_unary(utet_szip *z, bits *b, uint32_t most, uint32_t *value)
{
    uint32_t zeros = z->priv.zeros;
    unsigned lead;

    while (b->reservoir == 0) {
        zeros += b->held;
        z->priv.zeros = zeros;
        b->held = 0;
        if (zeros > most)
            return DAMAGED;
        if (b->end - b->in >= 4) {
            b->reservoir = (word)next_four(b) << (WORD_BITS - 32u);
            b->held = 32;
        } else if (b->in != b->end) {
            b->reservoir = (word)*b->in++ << FIELD_MOST;
            b->held = 8;
        } else {
            return HUNGRY;
        }
    }
    lead = leading_zeros(b->reservoir);
    b->reservoir = b->reservoir << lead << 1;
    b->held -= lead + 1u;
    *value = zeros + lead;
    z->priv.zeros = 0;
    return *value <= most ? DONE : DAMAGED;
}

/* Frama-C's WP proves the two loops that follow (test/eva/wp_szip.c): it reads the comments that begin with wp. */

/* How far the block's values are there. */
SZIP_INLINE outcome szip_leave(utet_szip *z, const uint32_t *value, outcome out)
{
    z->priv.index = (uint8_t)(value - z->priv.value);
    return out;
}

/* Both loops bring `from` up to date before they call a function above. They also do so when zeros were seen before
 * this call, because the reservoir is empty then. */
outcome utet_szip_unaries(utet_szip *z, bits *from, uint32_t most)
{
    uint32_t *value = z->priv.value + z->priv.index, *const end = z->priv.value + z->priv.params.block;
    word reservoir = from->reservoir;
    unsigned held = from->held;

    /* wp: loop invariant place: \base_addr(value) == \base_addr(&z->priv.value[0]) &&
                              0 <= value - &z->priv.value[0] <= \at(z->priv.params.block, Pre);
        loop invariant input: from->end == \at(from->end, Pre) && readable(from);
        loop assigns value, reservoir, held, from->in, from->reservoir, from->held, z->priv.zeros,
                     z->priv.value[0 .. UTET_SZIP_BLOCK_MAX - 1];
        loop variant \at(z->priv.params.block, Pre) - (value - &z->priv.value[0]); */
    while (value != end) {
        if (reservoir != 0) {
            const unsigned lead = leading_zeros(reservoir);

            reservoir = reservoir << lead << 1;
            held -= lead + 1u;
            if (lead > most)
                return DAMAGED;
            *value++ = lead;
        } else {
            outcome out;

            from->reservoir = 0;
            from->held = held;
            out = utet_szip_unary(z, from, most, value);
            if (out != DONE)
                return szip_leave(z, value, out);
            reservoir = from->reservoir;
            held = from->held;
            value++;
        }
    }
    from->reservoir = reservoir;
    from->held = held;
    return szip_leave(z, value, DONE);
}

/* Up to here four bytes may be taken at once. */
SZIP_INLINE const uint8_t *szip_fast_end(const utet_szip *z, const bits *b)
{
    return b->end - b->in >= 4 && !z->priv.split ? b->end - 3 : b->in;
}

/* Member by member, which is what the proof of the loop below needs. */
SZIP_INLINE void szip_copy(bits *to, const bits *from)
{
    to->in = from->in;
    to->end = from->end;
    to->reservoir = from->reservoir;
    to->held = from->held;
}

outcome utet_szip_fields(utet_szip *z, bits *from, unsigned n)
{
    uint32_t *value = z->priv.value + z->priv.index, *const end = z->priv.value + z->priv.params.block;
    const uint8_t *stop = szip_fast_end(z, from);
    bits b;

    szip_copy(&b, from);
    /* wp: loop invariant place: \base_addr(value) == \base_addr(&z->priv.value[0]) &&
                              0 <= value - &z->priv.value[0] <= \at(z->priv.params.block, Pre);
        loop invariant input: readable(&b);
        loop invariant stop: \base_addr(stop) == \base_addr(b.end) && (b.in < stop ==> b.end - stop >= 3);
        loop assigns value, b, stop, *from, z->priv.high, z->priv.split, z->priv.value[0 .. UTET_SZIP_BLOCK_MAX - 1];
        loop variant \at(z->priv.params.block, Pre) - (value - &z->priv.value[0]); */
    for (; value != end; value++) {
        uint32_t low;

        if (b.held >= n) { /* so no field is half taken: with one half taken, fewer than 16 bits are held */
            low = szip_take(&b, n);
        } else if (b.in < stop) {
            low = take_across(&b, n);
        } else {
            uint32_t slow;

            szip_copy(from, &b);
            if (!utet_szip_field(z, from, n, &slow))
                return szip_leave(z, value, HUNGRY);
            low = slow;
            szip_copy(&b, from);
            stop = szip_fast_end(z, from);
        }
        *value = *value << n | low;
    }
    szip_copy(from, &b);
    return szip_leave(z, value, DONE);
}

/* ---- codes to samples, samples to bytes (FORMAT.md §4) ---- */

/* Two bytes of a sample. */
SZIP_INLINE void szip_put2(uint8_t *to, uint32_t x, int msb)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && defined(__GNUC__)
    const uint16_t half = msb != 0 ? __builtin_bswap16((uint16_t)x) : (uint16_t)x;

    memcpy(to, &half, 2);
#else
    to[msb == 0] = (uint8_t)(x >> 8);
    to[msb != 0] = (uint8_t)x;
#endif
}

/* The bytes of one sample; width and order are constants where this is called. */
SZIP_INLINE void szip_put(uint8_t *to, uint32_t x, unsigned width, int msb)
{
    if (width == 1) {
        to[0] = (uint8_t)x;
    } else if (width == 2) {
        szip_put2(to, x, msb);
    } else if (width == 3) {
        to[msb != 0 ? 0 : 2] = (uint8_t)(x >> 16);
        szip_put2(to + (msb != 0), x, msb);
    } else {
        szip_put2(to, msb != 0 ? x >> 16 : x, msb);
        szip_put2(to + 2, msb != 0 ? x : x >> 16, msb);
    }
}

/* Differences are folded: d = 0, 1, 2, 3 … represents 0, -1, 1, -2 … as long as both signs fit; beyond that, the
 * distance from the nearer end of the range. No sum here leaves the range, since d does not. */
SZIP_INLINE uint32_t szip_unfold(uint32_t x, uint32_t d, uint32_t most, unsigned top)
{
    const uint32_t mask = (x >> top) * most; /* all bits are set if x is in the upper half */

    const uint32_t h = (d >> 1) + (d & 1u);

    if (h > (mask ^ x))
        return mask ^ d;
    return (d & 1u) != 0 ? x - h : x + h;
}

/* Converts differences of unsigned samples to bytes, in the same memory: a sample is never larger than its code. */
SZIP_INLINE void unfold_all(utet_szip *z, unsigned first, unsigned width, int msb)
{
    const uint32_t *value = z->priv.value, *const end = value + z->priv.params.block;
    const uint32_t most = z->priv.most;
    const unsigned top = z->priv.params.bits - 1u;
    uint8_t *to = (uint8_t *)z->priv.value;
    uint32_t x = z->priv.last;

    if (first != 0) { /* a sample already */
        szip_put(to, x, width, msb);
        to += width;
        value++;
    }
    for (; value != end; to += width) {
        x = szip_unfold(x, *value++, most, top);
        szip_put(to, x, width, msb);
    }
    z->priv.last = x;
}

/* The same around zero. x is two's complement in 32 bits; `most` is the largest sample. */
static void unfold_signed(utet_szip *z, unsigned i)
{
    const unsigned count = z->priv.params.block;
    const uint32_t most = z->priv.most >> 1;
    uint32_t x = z->priv.last;

    for (; i != count; i++) {
        uint32_t d = z->priv.value[i], negative = x >> 31;

        if ((d >> 1) + (d & 1u) <= (negative != 0 ? x + most + 1u : most - x))
            x += (d >> 1) ^ (0u - (d & 1u));
        else
            x = negative != 0 ? d - most - 1u : most - d;
        z->priv.value[i] = x;
    }
    z->priv.last = x;
}

/* Converts the samples to bytes, in the same memory. */
static void put_all(utet_szip *z, int msb)
{
    const uint32_t *value = z->priv.value, *const end = value + z->priv.params.block;
    const unsigned width = z->priv.width;
    uint8_t *to = (uint8_t *)z->priv.value;

    for (; value != end; to += width)
        szip_put(to, *value++, width, msb);
}

/* Widths and orders that are frequent have loops of their own. */
static void unfold_unsigned(utet_szip *z, unsigned first, int msb)
{
    const unsigned width = z->priv.width;

    if (width == 2 && msb == 0)
        unfold_all(z, first, 2, 0);
    else if (width == 2)
        unfold_all(z, first, 2, 1);
    else if (width == 1)
        unfold_all(z, first, 1, 0);
    else if (width == 3 && msb != 0)
        unfold_all(z, first, 3, 1);
    else
        unfold_all(z, first, width, msb);
}

int utet_szip_samples(utet_szip *z)
{
    const unsigned flags = z->priv.params.flags;
    const int msb = (flags & UTET_SZIP_MSB) != 0;
    const unsigned first = z->priv.block == 0; /* then value[0] is a sample already */

    z->out = (const uint8_t *)z->priv.value;
    z->size = (size_t)z->priv.width * z->priv.params.block;
    if (first != 0)
        z->priv.last = z->priv.value[0];
    if ((flags & (UTET_SZIP_PREPROCESS | UTET_SZIP_SIGNED)) == UTET_SZIP_PREPROCESS) {
        unfold_unsigned(z, first, msb);
    } else {
        if ((flags & UTET_SZIP_PREPROCESS) != 0) {
            if (first != 0) {
                const uint32_t sign = z->priv.most - (z->priv.most >> 1);

                z->priv.last = (z->priv.last ^ sign) - sign;
                z->priv.value[0] = z->priv.last;
            }
            unfold_signed(z, first);
        }
        put_all(z, msb);
    }
    z->priv.block++;
    if (z->priv.block != z->priv.params.rsi)
        return 0;
    z->priv.block = 0;
    return 1;
}
