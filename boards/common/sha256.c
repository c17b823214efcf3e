/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* SHA-256 as FIPS 180-4 writes it down; section numbers are those of that standard. Relies on nothing. */
#include "sha256.h"

/* 4.2.2: fractions of the cube roots of the first 64 primes. */
static const uint32_t k[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t rotate(uint32_t x, unsigned bits)
{
    return x >> bits | x << (32 - bits);
}

/* 6.2.2, with the message schedule kept as a ring of 16 words. */
static void mix(struct sha256 *hash)
{
    uint32_t w[16], v[8];
    for (unsigned i = 0; i < 16; i++) {
        const uint8_t *p = hash->block + 4 * i;
        w[i] = (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
    }
    for (unsigned i = 0; i < 8; i++)
        v[i] = hash->state[i];
    for (unsigned t = 0; t < 64; t++) {
        if (t >= 16) {
            const uint32_t a = w[(t + 1) & 15], b = w[(t + 14) & 15];
            w[t & 15] += (rotate(a, 7) ^ rotate(a, 18) ^ a >> 3) + w[(t + 9) & 15] +
                         (rotate(b, 17) ^ rotate(b, 19) ^ b >> 10);
        }
        const uint32_t e = v[4], a = v[0];
        const uint32_t t1 = v[7] + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((e & v[5]) ^ (~e & v[6])) + k[t] +
                            w[t & 15];
        const uint32_t t2 = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & v[1]) ^ (a & v[2]) ^ (v[1] & v[2]));
        for (unsigned i = 7; i > 0; i--)
            v[i] = v[i - 1];
        v[4] += t1;
        v[0] = t1 + t2;
    }
    for (unsigned i = 0; i < 8; i++)
        hash->state[i] += v[i];
}

void sha256_init(struct sha256 *hash)
{
    /* 5.3.3 */
    static const uint32_t start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    for (unsigned i = 0; i < 8; i++)
        hash->state[i] = start[i];
    hash->length = 0;
}

void sha256_add(struct sha256 *hash, const void *data, size_t len)
{
    const uint8_t *p = data;
    for (size_t i = 0; i < len; i++) {
        hash->block[hash->length++ & 63] = p[i];
        if ((hash->length & 63) == 0)
            mix(hash);
    }
}

void sha256_end(struct sha256 *hash, uint8_t digest[32])
{
    static const uint8_t one = 0x80, zero = 0;
    const uint64_t bits = hash->length * 8;
    uint8_t tail[8];

    sha256_add(hash, &one, 1);
    while ((hash->length & 63) != 56)
        sha256_add(hash, &zero, 1);
    for (unsigned i = 0; i < 8; i++)
        tail[i] = (uint8_t)(bits >> (56 - 8 * i));
    sha256_add(hash, tail, 8);
    for (unsigned i = 0; i < 32; i++)
        digest[i] = (uint8_t)(hash->state[i / 4] >> (24 - 8 * (i & 3)));
}
