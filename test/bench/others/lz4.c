/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* LZ4's own decoder of blocks, which keeps no state. */
#include "bench.h"

#include "lz4.h"

void bench_setup(void)
{
}

int32_t bench_decode(uint8_t *dst, size_t dst_cap, const uint8_t *src, size_t src_len)
{
    return LZ4_decompress_safe((const char *)src, (char *)dst, (int)src_len, (int)dst_cap);
}

size_t bench_work(void)
{
    return 0;
}
