/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Layout "tables": its builders, its sequence loop, and its literals, which -O2 does not make faster. */
#include "zstd_decoder.h"

#if UTET_ZSTD_TABLES
#include "zstd_layout_tables.h"
#include "zstd_build.h"
#include "zstd_sequences.h"
#include ZS_LITERALS
#endif
