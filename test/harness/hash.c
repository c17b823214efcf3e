/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
#include "hash.h"

#include "../../boards/common/sha256.c" /* in this object, so that suites link one file */

void hash_end(struct sha256 *hash, char hex[65])
{
    static const char digit[] = "0123456789abcdef";
    uint8_t digest[32];

    sha256_end(hash, digest);
    for (unsigned i = 0; i < 32; i++) {
        hex[2 * i] = digit[digest[i] >> 4];
        hex[2 * i + 1] = digit[digest[i] & 15];
    }
    hex[64] = 0;
}
