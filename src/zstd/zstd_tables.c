/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Layout "tables": its builders and its sequence loop. And what -O2 does not make faster: its literals; Huffman weights
 * and tables of both layouts, where words can be loaded from any address. */
#include "zstd_decoder.h"

#if UTET_ZSTD_TABLES
#include "zstd_layout_tables.h"
#include "zstd_build.h"
#include "zstd_sequences.h"
#include ZS_LITERALS
#if !UTET_ZSTD_ALIGNED
#include "zstd_unaligned_tree.h"
#endif
#endif
