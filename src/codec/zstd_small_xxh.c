/*
 * XXH64, of which a frame's Content_Checksum is the low half (Format, "Zstandard Frames").
 * Takes its input in any pieces; relies on nothing.
 */
#include "zstd_small.h"

#define P1 0x9E3779B185EBCA87u
#define P2 0xC2B2AE3D27D4EB4Fu
#define P3 0x165667B19E3779F9u
#define P4 0x85EBCA77C2B2AE63u
#define P5 0x27D4EB2F165667C5u

static uint64_t rotate(uint64_t v, unsigned n)
{
    return v << n | v >> (64u - n);
}

static uint64_t le64(const uint8_t *p)
{
    return (uint64_t)zs_le32(p) | (uint64_t)zs_le32(p + 4) << 32;
}

/* (lane + input * P2) rotated by 31, times P1. */
static ZS_NOINLINE uint64_t stir(uint64_t lane, uint64_t input)
{
    return rotate(lane + input * P2, 31) * P1;
}

static ZS_NOINLINE uint64_t times_p1(uint64_t v)
{
    return v * P1;
}

/* Whole stripes of 32 bytes; the constants stay in registers. */
ZS_HOT static const uint8_t *stripes(uint64_t *lane, const uint8_t *p, size_t count)
{
    uint64_t *const last = lane + 3, *l;

    for (; count != 0; count--)
        for (l = lane; l <= last; l++, p += 8)
            *l = rotate(*l + le64(p) * P2, 31) * P1;
    return p;
}

void utet_zs_xxh_begin(zs_xxh *x)
{
    x->lane[0] = P1 + P2;
    x->lane[1] = P2;
    x->lane[2] = 0;
    x->lane[3] = 0 - P1;
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
        (void)stripes(x->lane, x->held, 1);
    }
    p = stripes(x->lane, p, n >> 5);
    memcpy(x->held, p, n & 31u);
}

uint32_t utet_zs_xxh_end(const zs_xxh *x, uint64_t total)
{
    static const uint8_t turn[4] = {1, 7, 12, 18};
    const uint8_t *p = x->held;
    unsigned n = (unsigned)(total & 31u), i;
    uint64_t h = 0;

    if (total >= 32u) {
        for (i = 0; i < 4u; i++)
            h += rotate(x->lane[i], turn[i]);
        for (i = 0; i < 4u; i++)
            h = times_p1(h ^ stir(0, x->lane[i])) + P4;
    } else {
        h = P5;
    }
    h += total;
    for (; n >= 8u; n -= 8u, p += 8)
        h = times_p1(rotate(h ^ stir(0, le64(p)), 27)) + P4;
    if (n >= 4u) {
        h = rotate(h ^ times_p1(zs_le32(p)), 23) * P2 + P3;
        n -= 4u;
        p += 4;
    }
    for (; n != 0; n--, p++)
        h = times_p1(rotate(h ^ *p * P5, 11));
    h = (h ^ h >> 33) * P2;
    h = (h ^ h >> 29) * P3;
    return (uint32_t)(h ^ h >> 32);
}
