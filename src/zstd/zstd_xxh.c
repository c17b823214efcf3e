/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * XXH64; a frame's Content_Checksum is its low half (Format, "Zstandard Frames").
 * Takes its input in any pieces; relies on nothing.
 */
#include "zstd_decoder.h"

#if UTET_ZSTD_CHECKSUM
enum { P1, P2, P3, P4, P5 };
static const uint64_t zs_prime[5] = {0x9E3779B185EBCA87u, 0xC2B2AE3D27D4EB4Fu, 0x165667B19E3779F9u, 0x85EBCA77C2B2AE63u,
                                     0x27D4EB2F165667C5u};

/* The constants by their addresses, which takes less code than their values do. */
ZS_INLINE const uint64_t *zs_primes(void)
{
    const uint64_t *p = zs_prime;

    ZS_HERE(p);
    return p;
}

static uint64_t zs_le64(const uint8_t *p)
{
    return (uint64_t)zs_le32(p) | (uint64_t)zs_le32(p + 4) << 32;
}

/* Whole stripes of 32 bytes; the constants stay in registers. */
ZS_NOINLINE static const uint8_t *zs_stripes(uint64_t *lane, const uint8_t *p, size_t count)
{
    const uint64_t *const prime = zs_primes(), p1 = prime[P1], p2 = prime[P2];
    uint64_t *const last = lane + 3, *l;

    for (; count != 0; count--)
        for (l = lane; l <= last; l++, p += 8) {
            uint64_t v = *l + zs_le64(p) * p2;

            *l = (v << 31 | v >> 33) * p1;
        }
    return p;
}

void utet_zs_xxh_begin(zs_xxh *x)
{
    const uint64_t *const prime = zs_primes();

    x->lane[0] = prime[P1] + prime[P2];
    x->lane[1] = prime[P2];
    x->lane[2] = 0;
    x->lane[3] = 0 - prime[P1];
}

void utet_zs_xxh_add(zs_xxh *x, uint64_t total, const uint8_t *p, size_t n)
{
    size_t held = (size_t)(total & 31u);

    if (held != 0) {
        size_t take = n < 32u - held ? n : 32u - held;

        memcpy(x->held + held, p, take);
        p += take;
        n -= take;
        if (held + take < 32u)
            return;
        (void)zs_stripes(x->lane, x->held, 1);
    }
    p = zs_stripes(x->lane, p, n >> 5);
    memcpy(x->held, p, n & 31u);
}

/* v rotated by 1 to 31 bits. */
static ZS_NOINLINE uint64_t zs_rotate(uint64_t v, unsigned bits)
{
    uint32_t low = (uint32_t)v, high = (uint32_t)(v >> 32);

    return (uint64_t)(high << bits | low >> (32u - bits)) << 32 | (low << bits | high >> (32u - bits));
}

static ZS_NOINLINE uint64_t zs_times(uint64_t v, unsigned i)
{
    return v * zs_prime[i];
}

/* The sum with eight bytes, or a lane, in it. */
static ZS_NOINLINE uint64_t zs_stir(uint64_t h, uint64_t v)
{
    return h ^ zs_times(zs_rotate(zs_times(v, P2), 31), P1);
}

uint32_t utet_zs_xxh_end(const zs_xxh *x, uint64_t total)
{
    static const uint8_t turn[4] = {1, 7, 12, 18};
    const uint8_t *p = x->held, *const end = p + (total & 31u);
    const uint64_t *const prime = zs_primes();
    uint64_t h = prime[P5];
    unsigned i;

    if (total >= 32u) {
        h = 0;
        for (i = 0; i < 4u; i++)
            h += zs_rotate(x->lane[i], turn[i]);
        for (i = 0; i < 4u; i++)
            h = zs_times(zs_stir(h, x->lane[i]), P1) + prime[P4];
    }
    h += total;
    for (; end - p >= 8; p += 8)
        h = zs_times(zs_rotate(zs_stir(h, zs_le64(p)), 27), P1) + prime[P4];
    if (end - p >= 4) {
        h = zs_times(zs_rotate(h ^ zs_times(zs_le32(p), P1), 23), P2) + prime[P3];
        p += 4;
    }
    for (; p != end; p++)
        h = zs_times(zs_rotate(h ^ zs_times(*p, P5), 11), P1);
    h = zs_times(h ^ h >> 33, P2);
    h = zs_times(h ^ h >> 29, P3);
    return (uint32_t)(h ^ h >> 32);
}
#endif
