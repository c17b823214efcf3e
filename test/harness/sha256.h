/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * SHA-256 (FIPS 180-4), the digest of the golden files. Of our own, because the same comparison runs on the boards and
 * on foreign architectures where no host library is at hand; the sums it is compared with come from Python's hashlib.
 */
#ifndef TEST_SHA256_H
#define TEST_SHA256_H

#include <stddef.h>
#include <stdint.h>

typedef struct sha256 {
    uint32_t h[8];
    uint8_t block[64];
    uint64_t length; /* bytes so far */
} sha256;

void sha256_start(sha256 *s);
void sha256_add(sha256 *s, const void *data, size_t size);
void sha256_end(sha256 *s, char hex[65]); /* 64 hexadecimal digits and a null */

#endif
