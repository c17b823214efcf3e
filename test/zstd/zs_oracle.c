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

    if (context == NULL) {
        context = ZSTD_createDCtx();
#if !UTET_ZSTD_CHECKSUM
        ZSTD_DCtx_setParameter(context, ZSTD_d_forceIgnoreChecksum, ZSTD_d_ignoreChecksum);
#endif
    }
    n = ZSTD_decompressDCtx(context, out, size, src, src_len);
    return ZSTD_isError(n) ? -1 : (long)n;
}

/* Fed byte by byte: a frame that it sees completely is decoded as by the one-shot call. */
int zs_oracle_streams(const uint8_t *src, size_t src_len, uint8_t *out, size_t size)
{
    static ZSTD_DCtx *context;
    ZSTD_inBuffer in = {src, 0, 0};
    ZSTD_outBuffer to = {out, size, 0};
    size_t left = 1, before;

    if (context == NULL) {
        context = ZSTD_createDCtx();
#if !UTET_ZSTD_CHECKSUM
        ZSTD_DCtx_setParameter(context, ZSTD_d_forceIgnoreChecksum, ZSTD_d_ignoreChecksum);
#endif
    }
    ZSTD_DCtx_reset(context, ZSTD_reset_session_only);
    do {
        in.size += in.size < src_len;
        before = in.pos + to.pos;
        left = ZSTD_decompressStream(context, &to, &in);
    } while (!ZSTD_isError(left) && (in.pos + to.pos != before || in.size < src_len));
    return left == 0 && in.pos == src_len;
}
