/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The judge: upstream 1.5.7, one-shot, X1 Huffman decoder without its fast loops (see README.md). */
#include "zs_run.h"

#define ZSTD_STATIC_LINKING_ONLY
#include "zstd.h"

long zs_oracle(const uint8_t *src, size_t src_len, uint8_t *out, size_t size)
{
    static ZSTD_DCtx *context;
    size_t n;

    if (context == NULL)
        context = ZSTD_createDCtx();
    n = ZSTD_decompressDCtx(context, out, size, src, src_len);
    return ZSTD_isError(n) ? -1 : (long)n;
}
