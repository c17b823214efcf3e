/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * The loops that pay for it are compiled for speed whatever the rest is: the build gives this file -O2 where the others
 * have -Os (README.md, "Your own build"). Literals, Huffman weights and tables of each layout; copies.
 */
#include "zstd_decoder.h"

void utet_zs_copy_up(uint8_t *p, const uint8_t *q, size_t n)
{
    zs_copy_most(&p, &q, &n);
    while (n-- != 0)
        *p++ = *q++;
}

#if UTET_ZSTD_TABLES
#include "zstd_layout_tables.h"
#include ZS_LOOPS
#undef ZS_NAME
#undef ZS_GLOBAL
#undef ZS_LAYOUT
#undef ZS_DEEP_CODES
#endif

#if UTET_ZSTD_PACKED
#include "zstd_layout_packed.h"
#include ZS_LOOPS
#include ZS_LITERALS
#endif
