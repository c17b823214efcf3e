/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The small zstd decoder under test. SMALL_CACHE: 0 = the payload is mapped, otherwise it comes through read() and two
 * caches of that size; SMALL_SLICE: 0 = straight into the destination, otherwise slices of that size are copied from
 * the history. SMALL_PAUSE: io.step_limit; a mark (HOSTILE_MARK) wherever a call returns. The layout is what the
 * decoder was compiled with (UTET_ZSTD_TABLES, UTET_ZSTD_PACKED). */
#include "bench.h"

#include "zstd/zstd_decoder.h"

#ifndef SMALL_CACHE
#define SMALL_CACHE 0
#endif
#ifndef SMALL_SLICE
#define SMALL_SLICE 0
#endif

#ifndef SMALL_PAUSE
#define SMALL_PAUSE 0
#endif
#define HOSTILE_MARK 100 /* a region of nothing */

#define TABLES (UTET_ZSTD_TABLES ? sizeof(zs_tables) : sizeof(zs_packed))
#define CACHES (SMALL_CACHE != 0 ? 2u * (SMALL_CACHE + ZS_ABOVE) : 0u)

static uint64_t work[(TABLES + CACHES + (SMALL_SLICE != 0 ? 65536u : 0u)) / 8u];
static utet_zstd *decoder;
static utet_io io;
static const uint8_t *source;
static uint32_t bytes_read;

/* Without calls, so that the plugin can distinguish it by its addresses. */
utet_status bench_port_read(void *ctx, uint64_t offset, void *buf, size_t len, size_t *got);

__attribute__((noinline)) utet_status bench_port_read(void *ctx, uint64_t offset, void *buf, size_t len, size_t *got)
{
    uint8_t *const to = buf;

    (void)ctx;
    for (size_t i = 0; i < len; i++) {
        to[i] = source[(size_t)offset + i];
    }
    bytes_read += (uint32_t)len;
    *got = len;
    return UTET_OK;
}

static utet_zstd_job job_for(uint8_t *dst, size_t dst_cap, const uint8_t *src, size_t src_len)
{
    utet_zstd_job job;

    memset(&job, 0, sizeof job);
    source = src;
    io.size = src_len;
    io.map = SMALL_CACHE != 0 ? NULL : src;
    io.read = bench_port_read;
    io.step_limit = SMALL_PAUSE;
    job.io = &io;
    job.length = src_len;
    job.size = dst_cap;
    job.dst = SMALL_SLICE != 0 ? NULL : dst;
    return job;
}

void bench_setup(void)
{
    static const uint8_t empty[1];
    utet_zstd_job job = job_for(NULL, 0, empty, sizeof empty);

    /* exactly the requested caches: not a byte for the complete payload (with slices, the history decides, see
     * below) */
    (void)utet_zstd_init(&decoder, &job, work, TABLES + CACHES);
}

int32_t bench_decode(uint8_t *dst, size_t dst_cap, const uint8_t *src, size_t src_len)
{
    utet_zstd_job job = job_for(dst, dst_cap, src, src_len);
    utet_status status;

#if SMALL_SLICE != 0
    status = utet_zstd_init(&decoder, &job, work, TABLES + CACHES + (dst_cap + 7u) / 8u * 8u);
#else
    status = utet_zstd_reset(decoder, &job);
#endif
#if SMALL_SLICE != 0
    {
        size_t at = 0, n;

        while (status == UTET_OK && at != dst_cap) {
            status = utet_zstd_read(decoder, dst + at, SMALL_SLICE, &n);
            at += n;
        }
    }
#else
    if (status == UTET_OK)
        while ((status = utet_zstd_decode(decoder)) == UTET_WOULD_BLOCK) {
            bench_begin(HOSTILE_MARK);
            bench_end(HOSTILE_MARK);
        }
#endif
    return status == UTET_OK ? (int32_t)dst_cap : -1;
}

size_t bench_work(void)
{
    return sizeof work;
}

uint32_t bench_source_bytes(void)
{
    const uint32_t bytes = bytes_read;

    bytes_read = 0;
    return bytes;
}
