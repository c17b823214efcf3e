/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* SHA-256 (FIPS 180-4) of bytes that arrive in fragments. The firmware prints the digest, so a host can
 * compare data without moving it. No 64-bit division; 104 bytes of state, about 350 of stack. */
#ifndef SHA256_H
#define SHA256_H

#include <stddef.h>
#include <stdint.h>

struct sha256 {
    uint32_t state[8];
    uint8_t block[64];
    uint64_t length; /* bytes so far */
};

void sha256_init(struct sha256 *hash);
void sha256_add(struct sha256 *hash, const void *data, size_t len);
void sha256_end(struct sha256 *hash, uint8_t digest[32]);

#endif
