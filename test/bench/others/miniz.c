/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* miniz's decoder of zlib streams, tinfl, which checks the checksum. */
#include "bench.h"

#include "miniz.h"

static tinfl_decompressor decoder;

void bench_setup(void)
{
}

int32_t bench_decode(uint8_t *dst, size_t dst_cap, const uint8_t *src, size_t src_len)
{
    const mz_uint32 flags = TINFL_FLAG_PARSE_ZLIB_HEADER | TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
    size_t used = src_len, made = dst_cap;

    tinfl_init(&decoder);
    if (tinfl_decompress(&decoder, src, &used, dst, dst, &made, flags) != TINFL_STATUS_DONE)
        return -1;
    return (int32_t)made;
}

size_t bench_work(void)
{
    return sizeof decoder;
}
