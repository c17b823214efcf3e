/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* utet_inflate under the benchmark (test/bench/bench_try.sh -k test/inflate/inf_pak.py). INF_PIECE is the number of
 * bytes of a fetch (0: all of the input at once). INF_SLICE 0 decodes straight into the destination; otherwise slices
 * of that size are copied from 32 KB of history. */
#include "bench.h"

#include <string.h>

#include "utet_inflate.h"

#ifndef INF_PIECE
#define INF_PIECE 0
#endif
#ifndef INF_SLICE
#define INF_SLICE 0
#endif

static utet_inflate z;
static const uint8_t *source;
#if INF_SLICE
static uint8_t history[UTET_INFLATE_WINDOW_MAX];
#endif

static utet_status fetch(void *ctx, uint32_t position, const uint8_t **at, size_t *have)
{
    (void)ctx;
    *at = source + position;
    *have = INF_PIECE ? INF_PIECE : SIZE_MAX;
    return UTET_OK;
}

void bench_setup(void)
{
}

int32_t bench_decode(uint8_t *dst, size_t dst_cap, const uint8_t *src, size_t src_len)
{
    utet_inflate_job job = {fetch, NULL, 0, 0, NULL, 0, 0};
    const uint8_t *at;
    size_t len, done = 0;
    utet_status status;

    source = src;
    job.length = (uint32_t)src_len;
    job.size = (uint32_t)dst_cap;
#if INF_SLICE
    job.buffer = history;
    job.capacity = sizeof history;
#else
    job.buffer = dst;
    job.capacity = dst_cap;
#endif
    (void)utet_inflate_init(&z, &job);
    while ((status = utet_inflate_step(&z, INF_SLICE ? INF_SLICE : SIZE_MAX, &at, &len)) == UTET_OK) {
        if (INF_SLICE)
            memcpy(dst + done, at, len);
        done += len;
    }
    return status == UTET_END && done == dst_cap ? (int32_t)done : -1;
}

size_t bench_work(void)
{
    return sizeof z + (INF_SLICE ? UTET_INFLATE_WINDOW_MAX : 0);
}
