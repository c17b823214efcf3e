/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* szip: codes to samples, samples to bytes (README.md §4). */
#include "szip.h"

/* Differences are folded: d = 0, 1, 2, 3 … stands for 0, -1, 1, -2 … as long as both signs fit; beyond that for the
 * distance from the nearer end of the range. No sum here leaves the range, since d does not. */
static SZIP_HOT void undo_unsigned(utet_szip *z, unsigned i)
{
    const unsigned count = z->priv.params.block;
    const uint32_t most = z->priv.most, high = most - (most >> 1);
    uint32_t x = z->priv.last;

    for (; i != count; i++) {
        uint32_t d = z->priv.value[i], mask = (x & high) != 0 ? most : 0;

        if ((d >> 1) + (d & 1u) <= (mask ^ x))
            x += (d >> 1) ^ (0u - (d & 1u));
        else
            x = mask ^ d;
        z->priv.value[i] = x;
    }
    z->priv.last = x;
}

/* The same around zero. x is two's complement in 32 bits; `most` is the largest sample. */
static void undo_signed(utet_szip *z, unsigned i)
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

/* The bytes of one sample; width and order are constants where this is called. */
SZIP_INLINE void put(uint8_t *to, uint32_t x, unsigned width, int msb)
{
    unsigned i;

    for (i = 0; i != width; i++)
        to[i] = (uint8_t)(x >> 8u * (msb != 0 ? width - 1u - i : i));
}

SZIP_INLINE void put_all(utet_szip *z, unsigned width, int msb)
{
    const uint32_t *value = z->priv.value, *end = value + z->priv.params.block;
    uint8_t *to = (uint8_t *)z->priv.value;

    for (; value != end; to += width)
        put(to, *value++, width, msb);
}

/* In place: a sample never takes more bytes than it had. */
static SZIP_HOT void to_bytes(utet_szip *z)
{
    const int msb = (z->priv.params.flags & UTET_SZIP_MSB) != 0;

    z->out = (const uint8_t *)z->priv.value;
    z->size = (size_t)z->priv.width * z->priv.params.block;
    switch (z->priv.width) {
    case 1: put_all(z, 1, 0); break;
    case 2:
        if (msb)
            put_all(z, 2, 1);
        else
            put_all(z, 2, 0);
        break;
    case 3: put_all(z, 3, msb); break;
    default: put_all(z, 4, msb); break;
    }
}

int utet_szip_samples(utet_szip *z)
{
    if ((z->priv.params.flags & UTET_SZIP_PREPROCESS) != 0) {
        unsigned first = z->priv.block == 0; /* then value[0] is a sample already */

        if (first != 0) {
            z->priv.last = z->priv.value[0];
            if ((z->priv.params.flags & UTET_SZIP_SIGNED) != 0) {
                uint32_t sign = z->priv.most - (z->priv.most >> 1);

                z->priv.last = (z->priv.last ^ sign) - sign;
                z->priv.value[0] = z->priv.last;
            }
        }
        if ((z->priv.params.flags & UTET_SZIP_SIGNED) != 0)
            undo_signed(z, first);
        else
            undo_unsigned(z, first);
    }
    to_bytes(z);
    z->priv.block++;
    if (z->priv.block != z->priv.params.rsi)
        return 0;
    z->priv.block = 0;
    return 1;
}
