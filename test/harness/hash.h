/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * The digest of the golden files: the boards' SHA-256, because the same comparison runs on foreign architectures where
 * no host library is at hand. The sums it is compared with come from Python's hashlib.
 */
#ifndef TEST_HASH_H
#define TEST_HASH_H

#include "../../boards/common/sha256.h"

/* Like sha256_end, but writes 64 hexadecimal digits and a null. */
void hash_end(struct sha256 *hash, char hex[65]);

#endif
