/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory: the requirement of a job, and the positions of context, tables, caches, payload and history.
 */
#include "zstd_decoder.h"

static size_t round_up(size_t n)
{
    return (n + 7u) & ~(size_t)7u;
}

/* The history that slices need. A ring smaller than the output has extra room for the bytes that
 * a copy in words may overwrite, because they would be the oldest history. */
static size_t zs_history(int whole, size_t size, uint64_t window)
{
    if (whole)
        return 0;
    return round_up(window == 0 || window >= size ? size : (size_t)window + ZS_OVERRUN);
}

/* The maximum length of input that could be held. The amounts of memory below are sums of that, of an output
 * of at most SIZE_MAX / 2, and of the fixed part; so they do not overflow. */
static int zs_holdable(uint64_t length)
{
    return length < SIZE_MAX / 4u && length <= UINT32_MAX;
}

/* The smallest caches, or a payload that takes less. */
static size_t zs_least(int mapped, uint64_t length, size_t past)
{
    size_t input = mapped ? 0 : zs_caches(ZS_CACHE_MIN);

    if (length < input)
        input = round_up((size_t)length);
    return zs_fixed(UTET_ZSTD_PACKED) + input + past;
}

utet_status utet_zstd_need(const utet_zstd_job *job, uint64_t window, utet_need *need)
{
    const int mapped = !UTET_ZSTD_READ || job->io->map != NULL, whole = !UTET_ZSTD_SLICES || job->dst != NULL;
    size_t past, input = zs_caches(ZS_CACHE_MAX);

    if (job->size > SIZE_MAX / 2u)
        return UTET_E_SPACE;
    past = zs_history(whole, (size_t)job->size, window);
    if (mapped)
        input = 0;
    else if (zs_holdable(job->length))
        input = round_up((size_t)job->length);
    need->least = zs_least(mapped, job->length, past);
    need->best = zs_fixed(!UTET_ZSTD_TABLES) + input + zs_history(whole, (size_t)job->size, 0);
    return UTET_OK;
}

/* The layout of memory: context and tables, caches or payload, history. */
static utet_status zs_divide(utet_zstd *z, unsigned packed, size_t input, size_t past)
{
    uint8_t *at = (uint8_t *)z + zs_fixed(packed);

    if (z->packed != packed)
        z->predefined = 0;
    z->packed = (uint8_t)packed;
    if (!zs_mapped(z)) {
        if (z->seq.cache != at + input / 2u) /* once: the contents do not matter, but are initialised */
            memset(at - ZS_BELOW, 0, input + ZS_BELOW);
        memcpy(at, z->lit.cache, z->hold_have); /* the first header */
        z->lit.cache = at;
        z->seq.cache = at + input / 2u;
        if (z->cache_size == 0)
            z->phase = ZS_P_LOAD;
    }
    if (!zs_whole(z)) {
        z->buf = at + input;
        z->buf_size = past;
    }
    z->out = z->mark = z->given = z->buf;
    z->opened = 1;
    return UTET_OK;
}

/* Of a payload that is read, a larger part in memory comes before faster tables: first all of it, then large caches. So
 * more memory never makes more requests. */
utet_status utet_zs_choose(utet_zstd *z)
{
    const uint32_t window = z->stage.walk.window;
    const int known = zs_whole(z) || window != 0;
    const size_t past = zs_history(zs_whole(z), (size_t)z->total_left, window);
    size_t input = zs_mapped(z) ? 0 : round_up((size_t)z->length);
    unsigned cache = 2u * ZS_CACHE_MAX;

    z->ring = !zs_whole(z) && window != 0 && window < z->total_left;
    z->cache_size = 0;
    if (!zs_mapped(z) && !zs_holdable(z->length))
        input = SIZE_MAX;
    do {
        unsigned packed;

        for (packed = !UTET_ZSTD_TABLES; packed <= UTET_ZSTD_PACKED; packed++) {
            size_t rest = zs_fixed(packed) + past;

            if (rest <= z->work_len && input <= z->work_len - rest)
                return zs_divide(z, packed, input, past);
        }
        cache /= 2u;
        z->cache_size = (uint16_t)cache;
        input = zs_caches(cache);
    } while (UTET_ZSTD_READ && known && cache >= ZS_CACHE_MIN);
    if (known)
        z->stage.needed = z->lost + zs_least(zs_mapped(z), z->length, past);
    return UTET_E_BUDGET;
}
