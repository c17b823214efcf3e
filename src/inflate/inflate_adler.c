/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Adler-32 (§1). */
#include "inflate.h"

/* x modulo 65521, by 2^16 = 15 modulo 65521: most of our cores do not divide. */
static uint32_t adler_modulo(uint32_t x)
{
    x = (x & 0xffffu) + (x >> 16) * 15u;
    x = (x & 0xffffu) + (x >> 16) * 15u;
    return x < 65521u ? x : x - 65521u;
}

#define ADLER_FOUR(p, to) \
    (a += (p)[0], (to) += a, a += (p)[1], (to) += a, a += (p)[2], (to) += a, a += (p)[3], (to) += a)

/* Returns the sum with 1 to 5,552 more bytes. 5,552 bytes of 255 do not overflow b + c. */
static uint32_t adler_more(uint32_t adler, const uint8_t *p, const uint8_t *end)
{
    uint32_t a = adler & 0xffffu, b = adler >> 16, c = 0;

    for (; ((size_t)(end - p) & 15u) != 0; p++) {
        a += *p;
        b += a;
    }
    for (; p != end; p += 16) {
        ADLER_FOUR(p, b);
        ADLER_FOUR(p + 4, c);
        ADLER_FOUR(p + 8, b);
        ADLER_FOUR(p + 12, c);
    }
    return adler_modulo(b + c) << 16 | adler_modulo(a);
}

void utet_inflate_account(utet_inflate *z)
{
    const uint8_t *const out = z->priv.out;

    z->priv.left -= (uint32_t)(out - z->priv.mark);
    while (z->priv.mark != out) {
        const uint8_t *from = z->priv.mark;

        z->priv.mark += out - from < 5552 ? out - from : 5552;
        z->priv.adler = adler_more(z->priv.adler, from, z->priv.mark);
    }
}
