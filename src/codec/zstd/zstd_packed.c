/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Layout "packed": its builders and its sequence loop. */
#include "zstd_decoder.h"

#if UTET_ZSTD_PACKED
#include "zstd_layout_packed.h"
#include "zstd_build.h"
#include "zstd_sequences.h"
#endif
