/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Not a decoder: raw data, copied by the C library. Flash and RAM of the other images are counted relative to this
 * one. */
#include "bench.h"

#include <string.h>

void bench_setup(void)
{
}

int32_t bench_decode(uint8_t *dst, size_t dst_cap, const uint8_t *src, size_t src_len)
{
    memcpy(dst, src, src_len);
    return src_len == dst_cap ? (int32_t)src_len : -1;
}

size_t bench_work(void)
{
    return 0;
}
