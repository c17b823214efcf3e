/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Loops for which it pays are compiled for speed, whatever the rest is: the build gives this file -O2 where the others
 * have -Os (INSIDE.md, "Your own build"): copies; literals of the packed layout; where words cannot be loaded from any
 * address, literals of both and Huffman weights and tables.
 */
#include "zstd_decoder.h"

void utet_zs_copy_up(uint8_t *p, const uint8_t *q, size_t n)
{
    zs_copy_most(&p, &q, &n);
    while (n-- != 0)
        *p++ = *q++;
}

#if !UTET_ZSTD_ALIGNED
void utet_zs_fill(uint8_t *p, const uint8_t *stop)
{
    const uint32_t same = p[-1] * (uint32_t)0x01010101;

    memcpy(p, &same, 4);
    for (p += 4u - (size_t)((uintptr_t)p & 3u); p < stop;)
        p = zs_put_twice(p, same);
}
#endif

#if UTET_ZSTD_TABLES
#include "zstd_layout_tables.h"
#if UTET_ZSTD_ALIGNED
#include "zstd_words_tree.h"
#include "zstd_words_loops.h"
#endif
#endif

#if UTET_ZSTD_PACKED
#include "zstd_layout_packed.h"
#if UTET_ZSTD_ALIGNED && !UTET_ZSTD_TABLES
#include "zstd_words_tree.h"
#endif
#if UTET_ZSTD_ALIGNED
#include "zstd_words_loops.h"
#endif
#include ZS_LITERALS
#endif
