/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Compressed data: literals, lengths, distances, matches (§6). */
#include "inflate.h"

#if defined(__GNUC__)
#define INFLATE_INLINE static inline __attribute__((always_inline))
#else
#define INFLATE_INLINE static inline
#endif

/* Symbol 257 + n, n at most 28: a length of 3 + base + its extra bits (§6). */
static unsigned length_extra(unsigned n)
{
    return n < 8u || n == 28u ? 0 : (n >> 2) - 1u;
}

static unsigned length_base(unsigned n)
{
    return n < 8u ? n : n == 28u ? 255u : (4u + (n & 3u)) << length_extra(n);
}

/* Symbol n, at most 29: a distance of 1 + base + its extra bits. */
static unsigned distance_extra(unsigned n)
{
    return n < 4u ? 0 : (n >> 1) - 1u;
}

static unsigned distance_base(unsigned n)
{
    return n < 4u ? n : (2u + (n & 1u)) << distance_extra(n);
}

/* The state that the hot loop keeps in registers. */
typedef struct inflate_flow {
    const uint8_t *in;
    const uint8_t *in_end;
    uint32_t hold;
    unsigned bits;
} inflate_flow;

/* 1 with at least n bits, n at most 25, if the input in reach has them. */
INFLATE_INLINE int inflate_refill(inflate_flow *f, unsigned n)
{
    if (f->bits >= n)
        return 1;
    while (f->in != f->in_end && f->bits <= 24u) {
        f->hold |= (uint32_t)*f->in++ << f->bits;
        f->bits += 8u;
    }
    return f->bits >= n;
}

INFLATE_INLINE unsigned inflate_taken(inflate_flow *f, unsigned n)
{
    unsigned value = (unsigned)(f->hold & (((uint32_t)1 << n) - 1u));

    f->hold >>= n;
    f->bits -= n;
    return value;
}

/*
 * The hot loop: literals and matches, as long as their input is in reach and their output has room in one piece. It
 * does nothing that the phases below cannot do, and leaves to them what it meets otherwise, errors too.
 */
static void inflate_fast(utet_inflate *z)
{
    const uint16_t *root = z->priv.literal_table.root;
    uint8_t *out = z->priv.out, *stop = z->priv.stop;
    size_t length = 0; /* length of the match whose distance follows; 0: a symbol follows */
    inflate_flow f = {z->priv.in, z->priv.in_end, z->priv.hold, z->priv.bits};

    while (inflate_refill(&f, 15u + 5u) && out != stop) {
        unsigned entry, n, extra;
        size_t distance;

        if (length == 0) {
            entry = root[f.hold & ((1u << UTET_INFLATE_ROOT) - 1u)];
            if ((entry & 15u) == 0)
                entry = utet_inflate_search(z->priv.literal, UTET_INFLATE_ROOT, entry >> 4, f.hold, 15);
            n = entry >> 4;
            if (n < 256u) {
                *out++ = (uint8_t)n;
                (void)inflate_taken(&f, entry & 15u);
                continue;
            }
            n -= 257u;
            if (n > 28u)
                break;
            (void)inflate_taken(&f, entry & 15u);
            length = 3u + length_base(n) + inflate_taken(&f, length_extra(n));
            continue;
        }
        entry = utet_inflate_decode(z->priv.distance, z->priv.distance_root, UTET_INFLATE_ROOT_DISTANCE, f.hold,
                                    f.bits);
        n = entry >> 4;
        extra = distance_extra(n);
        if (n > 29u || (entry & 15u) + extra > f.bits) /* 20 bits are enough for any code */
            break;
        distance = 1u + distance_base(n) + (size_t)(f.hold >> (entry & 15u) & (((uint32_t)1 << extra) - 1u));
        if (distance > (size_t)(out - z->priv.job.buffer) || length > (size_t)(stop - out))
            break;
        (void)inflate_taken(&f, (entry & 15u) + extra);
        for (; length != 0; length--, out++)
            *out = *(out - distance);
    }
    z->priv.in = f.in;
    z->priv.out = out;
    z->priv.hold = f.hold;
    z->priv.bits = (uint8_t)f.bits;
    if (length != 0) {
        z->priv.at.match.length = (uint16_t)length;
        z->priv.phase = INFLATE_DISTANCE;
    }
}

/* A length begins a match: `symbol`, of `bits` bits. */
static utet_status begin_match(utet_inflate *z, unsigned symbol, unsigned bits)
{
    unsigned n = symbol - 257u, extra = length_extra(n);
    utet_status status;

    if (n > 28u)
        return UTET_E_PAYLOAD;
    status = utet_inflate_ensure(z, bits + extra);
    if (status != UTET_OK)
        return status;
    (void)utet_inflate_take(z, bits);
    z->priv.at.match.length = (uint16_t)(3u + length_base(n) + utet_inflate_take(z, extra));
    z->priv.phase = INFLATE_DISTANCE;
    return UTET_OK;
}

utet_status utet_inflate_symbol(utet_inflate *z)
{
    unsigned entry, value;

    inflate_fast(z);
    if (z->priv.phase != INFLATE_SYMBOL)
        return UTET_OK;
    if (utet_inflate_is_full(z))
        return INFLATE_FULL;
    entry = utet_inflate_decode(z->priv.literal, z->priv.literal_table.root, UTET_INFLATE_ROOT, z->priv.hold,
                                z->priv.bits);
    if (entry == INFLATE_WANT)
        return utet_inflate_pull(z);
    value = entry >> 4;
    if (value > 256u)
        return begin_match(z, value, entry & 15u);
    if (value < 256u) {
        if (z->priv.out == z->priv.stop)
            return UTET_E_SPACE;
        *z->priv.out++ = (uint8_t)value;
    }
    (void)utet_inflate_take(z, entry & 15u);
    if (value == 256u)
        utet_inflate_end_block(z);
    return UTET_OK;
}

utet_status utet_inflate_distance(utet_inflate *z)
{
    unsigned entry = utet_inflate_decode_distance(z);
    unsigned n = entry >> 4;

    if (entry == INFLATE_WANT)
        return utet_inflate_pull(z);
    if (n > 29u)
        return UTET_E_PAYLOAD;
    (void)utet_inflate_take(z, entry & 15u);
    z->priv.at.match.distance = (uint16_t)(1u + distance_base(n));
    z->priv.at.match.extra = (uint8_t)distance_extra(n);
    z->priv.phase = INFLATE_EXTRA;
    return UTET_OK;
}

utet_status utet_inflate_extra(utet_inflate *z)
{
    utet_status status = utet_inflate_ensure(z, z->priv.at.match.extra);
    uint32_t distance, back, produced;

    if (status != UTET_OK)
        return status;
    distance = z->priv.at.match.distance + utet_inflate_take(z, z->priv.at.match.extra);
    produced = z->priv.job.size - z->priv.left + (uint32_t)(z->priv.out - z->priv.mark);
    if (distance > produced)
        return UTET_E_PAYLOAD;
    back = z->priv.wrapped ? (uint32_t)z->priv.job.capacity : produced;
    if (distance > back)
        return UTET_E_BUDGET;
    z->priv.at.match.distance = (uint16_t)distance;
    z->priv.phase = INFLATE_MATCH;
    return UTET_OK;
}

utet_status utet_inflate_match(utet_inflate *z)
{
    const uint8_t *end = z->priv.job.buffer + z->priv.job.capacity;

    /* wp: loop invariant output(z);
        loop assigns z->priv.at.match.length, z->priv.out, z->priv.job.buffer[0 .. z->priv.job.capacity - 1]; */
    while (z->priv.at.match.length != 0) {
        size_t n = z->priv.at.match.length, room = (size_t)(z->priv.stop - z->priv.out);
        size_t back = z->priv.at.match.distance, before = (size_t)(z->priv.out - z->priv.job.buffer);
        const uint8_t *from = back <= before ? z->priv.out - back : end - (back - before);
        uint8_t *out = z->priv.out;

        if (room == 0)
            return utet_inflate_no_room(z);
        if (n > room)
            n = room;
        if (n > (size_t)(end - from))
            n = (size_t)(end - from);
        /* wp: assert between(from, z->priv.job.buffer, 0, z->priv.job.capacity - n); */
        z->priv.at.match.length = (uint16_t)(z->priv.at.match.length - n);
        z->priv.out += n;
        /* wp: loop invariant n >= 1 && between(from, z->priv.job.buffer, 0, z->priv.job.capacity - n) &&
                between(out, z->priv.job.buffer, 0, z->priv.out - z->priv.job.buffer - n);
            loop assigns n, out, from, z->priv.job.buffer[0 .. z->priv.job.capacity - 1]; */
        do /* byte by byte, upwards: a match may overlap its own output */
            *out++ = *from++;
        while (--n != 0);
    }
    z->priv.phase = INFLATE_SYMBOL;
    return UTET_OK;
}
