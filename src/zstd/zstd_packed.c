/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Layout "packed": its builders and its sequence loop; alone, also Huffman weights and tables, as zstd_tables.c. */
#include "zstd_decoder.h"

#if UTET_ZSTD_PACKED
#include "zstd_layout_packed.h"
#include "zstd_build.h"
#include "zstd_sequences.h"
#if !UTET_ZSTD_TABLES && !UTET_ZSTD_ALIGNED
#include "zstd_unaligned_tree.h"
#endif
#endif
