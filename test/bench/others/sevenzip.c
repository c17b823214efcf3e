/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* 7-Zip's zstd decoder, straight into the destination. Its memory is what it allocates for an empty first frame. */
#include "bench.h"

#include "7zTypes.h"
#include "ZstdDec.h"

static uint64_t heap[300 * 1024 / 8];
static size_t used, at_first;
static CZstdDecHandle decoder;
static CZstdDecState state;

static void *take(ISzAllocPtr from, size_t size)
{
    const size_t at = used;

    (void)from;
    if (size > sizeof heap - used)
        return NULL;
    used += (size + 7u) / 8u * 8u;
    return heap + at / 8u;
}

static void give_back(ISzAllocPtr from, void *memory)
{
    (void)from;
    (void)memory;
}

static const ISzAlloc bump = {take, give_back};

int32_t bench_decode(uint8_t *dst, size_t dst_cap, const uint8_t *src, size_t src_len)
{
    if (decoder == NULL)
        return -1;
    ZstdDec_Init(decoder);
    ZstdDecState_Clear(&state);
    state.inBuf = src;
    state.inLim = src_len;
    state.outBuf_fromCaller = dst;
    state.outBufSize_fromCaller = dst_cap;
    if (ZstdDec_Decode(decoder, &state) != SZ_OK || state.status != ZSTD_STATUS_FINISHED_FRAME)
        return -1;
    return at_first == 0 || used == at_first ? (int32_t)state.winPos : -1;
}

void bench_setup(void)
{
    static const uint8_t empty[] = {0x28, 0xB5, 0x2F, 0xFD, 0x00, 0x58, 0x01, 0x00, 0x00};

    decoder = ZstdDec_Create(&bump, &bump);
    if (decoder != NULL && bench_decode(NULL, 0, empty, sizeof empty) == 0)
        at_first = used;
}

size_t bench_work(void)
{
    return used + sizeof state;
}
