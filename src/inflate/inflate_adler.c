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

void utet_inflate_account(utet_inflate *z)
{
    const uint8_t *p = z->priv.mark;
    uint32_t a = z->priv.adler & 0xffffu, b = z->priv.adler >> 16;

    z->priv.left -= (uint32_t)(z->priv.out - p);
    while (p != z->priv.out) {
        size_t n = (size_t)(z->priv.out - p);
        const uint8_t *end = p + (n < 5552u ? n : 5552u); /* 5,552 bytes of 255 do not overflow b */

        do {
            a += *p++;
            b += a;
        } while (p != end);
        a = adler_modulo(a);
        b = adler_modulo(b);
    }
    z->priv.mark = z->priv.out;
    z->priv.adler = b << 16 | a;
}
