/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* libzstd as a decoder under test: one static context, complete chunks. Uses libzstd's static interface. */
#include "bench.h"

#define ZSTD_STATIC_LINKING_ONLY
#include "zstd.h"

static uint64_t memory[104 * 1024 / 8];
static ZSTD_DCtx *context;

void bench_setup(void)
{
    context = ZSTD_initStaticDCtx(memory, sizeof memory);
}

int32_t bench_decode(uint8_t *dst, size_t dst_cap, const uint8_t *src, size_t src_len)
{
    size_t got = context != NULL ? ZSTD_decompressDCtx(context, dst, dst_cap, src, src_len) : (size_t)-1;

    return ZSTD_isError(got) || got > INT32_MAX ? -1 : (int32_t)got;
}

size_t bench_work(void)
{
    return ZSTD_estimateDCtxSize();
}
