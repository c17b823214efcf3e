/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The part of libzstd that src/tet/codec/zstd_upstream.c uses, for EVA (eva_adapters.c has the contracts). */
#ifndef EVA_ZSTD_H
#define EVA_ZSTD_H

#include <stddef.h>

#define ZSTD_BLOCKSIZE_MAX (1 << 17)
#define ZSTD_FRAMEHEADERSIZE_MAX 18
#define ZSTD_CONTENTSIZE_UNKNOWN (0ULL - 1)

typedef struct ZSTD_DCtx ZSTD_DCtx;
typedef enum {
    ZSTDnit_frameHeader,
    ZSTDnit_blockHeader,
    ZSTDnit_block,
    ZSTDnit_lastBlock,
    ZSTDnit_checksum,
    ZSTDnit_skippableFrame
} ZSTD_nextInputType_e;

size_t ZSTD_estimateDCtxSize(void);
size_t ZSTD_decodingBufferSize_min(unsigned long long window, unsigned long long content);
ZSTD_DCtx *ZSTD_initStaticDCtx(void *work, size_t size);
size_t ZSTD_decompressBegin(ZSTD_DCtx *context);
size_t ZSTD_nextSrcSizeToDecompress(ZSTD_DCtx *context);
ZSTD_nextInputType_e ZSTD_nextInputType(ZSTD_DCtx *context);
size_t ZSTD_decompressContinue(ZSTD_DCtx *context, void *to, size_t room, const void *from, size_t size);
unsigned ZSTD_isError(size_t code);

#endif
