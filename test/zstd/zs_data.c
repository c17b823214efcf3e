/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Data of several kinds, and frames that upstream's compressor makes of them, for the differential suites. */
#include "zs_data.h"

#include <stdlib.h>
#include <string.h>

#define ZSTD_STATIC_LINKING_ONLY
#include "zstd.h"

#include "zs_run.h"

void zs_fill(uint8_t *p, size_t n, unsigned kind, uint32_t seed)
{
    static const char *const words[] = {"tensor", "tile", "of ", "the ", "chunk",  ": ",
                                        "{\"",    "\", ", "0.5", "17",   "frame ", "\n"};
    size_t i = 0;

    switch (kind % ZS_KINDS) {
    case 0: /* text */
        while (i < n) {
            const char *w = words[zs_random(&seed) % 12u];

            while (*w != '\0' && i < n)
                p[i++] = (uint8_t)*w++;
        }
        break;
    case 1: /* noise */
        for (; i < n; i++)
            p[i] = (uint8_t)zs_random(&seed);
        break;
    case 2: /* few symbols, skewed: long Huffman codes */
        for (; i < n; i++) {
            uint32_t r = zs_random(&seed), v = 0;

            while ((r & 1u) != 0 && v < 200u) {
                v += 1u + (r >> 20) % 7u;
                r >>= 1;
            }
            p[i] = (uint8_t)v;
        }
        break;
    case 3: /* runs */
        while (i < n) {
            size_t run = 1u + zs_random(&seed) % 700u;
            uint8_t v = (uint8_t)zs_random(&seed);

            for (; run != 0 && i < n; run--)
                p[i++] = v;
        }
        break;
    case 4: /* slowly changing words, like measured fields */
        for (; i < n; i++)
            p[i] = i % 4u == 3u ? 0x40 : i % 4u == 2u ? (uint8_t)(i / 900u) : (uint8_t)zs_random(&seed);
        break;
    case 5: /* distant repeats */
        for (; i < n; i++)
            p[i] = i >= 3001u && zs_random(&seed) % 64u != 0 ? p[i - 3001u] : (uint8_t)zs_random(&seed);
        break;
    default: memset(p, 0, n); break;
    }
}

size_t zs_frame(uint8_t *out, size_t room, const uint8_t *data, size_t n, const zs_recipe *r)
{
    static ZSTD_CCtx *c;
    ZSTD_inBuffer in = {data, n, 0};
    ZSTD_outBuffer o = {out, room, 0};
    size_t left;

    if (c == NULL)
        c = ZSTD_createCCtx();
    ZSTD_CCtx_reset(c, ZSTD_reset_session_and_parameters);
    ZSTD_CCtx_setParameter(c, ZSTD_c_compressionLevel, r->level);
    ZSTD_CCtx_setParameter(c, ZSTD_c_checksumFlag, r->checksum);
    ZSTD_CCtx_setParameter(c, ZSTD_c_contentSizeFlag, r->content_size);
    if (r->window_log != 0)
        ZSTD_CCtx_setParameter(c, ZSTD_c_windowLog, r->window_log);
    if (r->content_size)
        ZSTD_CCtx_setPledgedSrcSize(c, n);
    /* A first part without an end keeps the compressor from learning the size. */
    if (!r->content_size && n > 1) {
        in.size = n / 2u;
        left = ZSTD_compressStream2(c, &o, &in, r->flush ? ZSTD_e_flush : ZSTD_e_continue);
        if (ZSTD_isError(left))
            abort();
        in.size = n;
    }
    left = ZSTD_compressStream2(c, &o, &in, ZSTD_e_end);
    if (left != 0)
        abort();
    return o.pos;
}
